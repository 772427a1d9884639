/* hooke bearing: a rolling bearing under load: load distribution, stiffness, life. */
#include "base/file.h"
#include "bearing.h"
#include "json.h"
#include "model/model.h"
#include "quantity.h"
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double RPM = 30 / M_PI;

typedef tool_bearing job;

static hk_status refuse(job *b, const hk_error *err) { return tool_model_refuse(&b->model, err); }
static hk_status bearing_failed(job *b, hk_error *err) {
  return tool_force_failed(&b->model, b->force, err);
}

/* ---- the load ---- */

/* Reads a list such as "2000, 0, 800 N": a unit after the last number applies to all. */
static hk_status read_list(job *b, const tool_args *args, const char *option, const char *unit,
                           int n, double *out) {
  const char *text = tool_value(args, option);
  hk_error err = {0};
  char label[32], part[96];
  if (!text) return HK_OK;
  const char *last = strrchr(text, ','), *tail = last ? last + 1 : text;
  char *end;
  strtod(tail, &end);
  snprintf(label, sizeof label, "--%s", option);
  for (int i = 0; i < n; i++) {
    double number = strtod(text, (char **)&tail);
    bool more = i < n - 1;
    while (*tail == ' ') tail++;
    if (tail == text || (more && *tail != ',')) {
      hk_fail(&err, HK_EINPUT,
              "%s needs %d numbers separated by commas, with a unit after the last", label, n);
      return refuse(b, &err);
    }
    snprintf(part, sizeof part, "%.17g %s", number, end);
    if (tool_quantity(part, unit, label, &out[i], &err)) return refuse(b, &err);
    text = tail + 1;
  }
  return HK_OK;
}

static hk_status read_load(job *b, const tool_args *args) {
  hk_bearing_task *t = &b->s.task;
  hk_bearing_state_init(&b->s, b->force->item->data, b->force->constants);
  if (tool_flag(args, "free-tilt")) t->free[3] = t->free[4] = true;
  b->s.outer_turns = tool_flag(args, "outer-turns");
  hk_status status = read_list(b, args, "force", "N", 3, t->load);
  if (!status) status = read_list(b, args, "moment", "N m", 2, t->load + 3);
  if (!status) status = read_list(b, args, "tilt", "rad", 2, t->start + 3);
  if (!status) status = read_list(b, args, "cage", "rad", 1, &t->cage);
  if (!status) status = read_list(b, args, "speed", "rad/s", 1, &t->speed.inner);
  if (!status) status = read_list(b, args, "cage-speed", "rad/s", 1, &t->speed.cage);
  hk_error err = {0};
  if (status || !hk_bearing_state_is_free(&b->s)) return status;
  hk_fail(&err, HK_EINPUT, "bearing '%s' has no load; give one in the model, or --force",
          b->force->name);
  return bearing_failed(b, &err);
}

/* ---- numbers ---- */

static hk_status solve(job *b) {
  hk_error err = {0};
  return hk_bearing_state_solve(&b->s, &err) ? bearing_failed(b, &err) : HK_OK;
}

/* Mass of the body that carries the inner ring, if it is rigid, and its natural frequencies on this bearing. */
static void find_natural(job *b) {
  const hk_model *m = b->model.model;
  const hk_marker *ring = &m->marker[b->force->b];
  hk_mass_properties p = {0};
  hk_error err;
  if (ring->node < 0 || m->node[ring->node].item->type->category != HK_BODY) return;
  const hk_node *node = &m->node[ring->node];
  const hk_body_ops *ops = node->item->type->ops;
  if (ops->node->axis || ops->mass(node->item, &p, &err) || !(p.mass > 0)) return;
  const double *J = p.inertia;
  const hk_mat3 own = {{{J[0], J[3], J[4]}, {J[3], J[1], J[5]}, {J[4], J[5], J[2]}}};
  for (int i = 0; i < m->n_markers; i++) {
    const hk_marker *body = &m->marker[i];
    if (!body->name || strcmp(body->name, node->name) != 0) continue;
    const hk_mat3 turn = hk_tmatmul(&ring->R, &body->R), half = hk_matmul(&turn, &own),
                  inertia = hk_matmult(&half, &turn);
    const hk_vec3 center = hk_neg(hk_tmul(&ring->R, ring->s));
    b->body = node->name, b->mass = p.mass;
    b->n_natural = hk_bearing_state_natural(&b->s, p.mass, center, &inertia, b->natural);
    return;
  }
}

/* Reads one line: fraction of time, speed in rpm, Fx, Fy, Fz in N, Mx, My in N m.  Returns the
 * number of values; -1: there is something else in the line. */
enum { COLUMNS = 7 };
static int read_line(const char *line, double v[COLUMNS]) {
  memset(v, 0, COLUMNS * sizeof *v);
  for (int k = 0; k < COLUMNS; k++) {
    char *end;
    v[k] = strtod(line, &end);
    if (end == line || !isfinite(v[k])) return -1;
    end += strspn(end, " \t\r\n");
    if (!*end) return k + 1;
    if (*end != ',') return -1;
    line = end + 1;
  }
  return -1;
}

static bool is_empty(const char *line) { return line[strspn(line, " \t\r\n")] == '\0'; }

static hk_status life_at(job *b, const double v[COLUMNS], double *life) {
  static hk_bearing_element e[HK_BEARING_MOST];
  hk_bearing_balance balance;
  hk_bearing_task t = b->s.task;
  t.speed.inner = v[1] / RPM;
  memcpy(t.load, v + 2, 5 * sizeof *v);
  hk_error err = {0};
  if (hk_bearing_state_hold(&b->s, &t, &balance, e, &err)) return bearing_failed(b, &err);
  hk_bearing_lubrication oil = b->s.made->lubrication;
  oil.kappa = hk_bearing_viscosity_ratio(b->s.made, t.speed.inner);
  *life = hk_bearing_life_of(&b->s.made->bearing, e, &t.speed, b->s.made->rating, &oil,
                             b->s.outer_turns, true)
              .L10mr;
  return HK_OK;
}

static hk_status read_duty(job *b, const char *path) {
  enum { MOST_LINES = 1000 };
  double life[MOST_LINES], turns[MOST_LINES], v[COLUMNS];
  char line[400];
  int n = 0, at = 0;
  hk_error err = {0};
  if (!(b->s.made->rating > 0)) {
    hk_fail(&err, HK_EINPUT,
            "--duty needs the dynamic load rating of the bearing: `rating` in the model");
    return refuse(b, &err);
  }
  FILE *f = hk_file_open(path);
  if (!f) {
    hk_fail(&err, HK_EINPUT, "cannot read '%s'", path);
    return refuse(b, &err);
  }
  hk_status status = HK_OK;
  while (!status && fgets(line, sizeof line, f)) {
    int k = read_line(line, v);
    if (++at == 1 && k < 0 && isalpha((unsigned char)line[strspn(line, " \"")]))
      continue; /* heading */
    if (is_empty(line)) continue;
    if (k < 5 || !(v[0] > 0) || n == MOST_LINES) {
      hk_diag_add(&b->model.diag, HK_ERROR, &(hk_location){path, at, 1},
                  "a line needs the fraction of time > 0, speed (rpm), fx, fy, fz (N), and "
                  "optionally mx, my (N m)");
      status = HK_EINPUT;
      break;
    }
    turns[n] = v[0] * fabs(v[1]);
    status = life_at(b, v, &life[n++]);
  }
  fclose(f);
  if (!status && n == 0) {
    hk_fail(&err, HK_EINPUT, "'%s' has no line with a load", path);
    return refuse(b, &err);
  }
  if (!status) b->duty_life = hk_bearing_life_over(life, turns, n);
  return status;
}

/* ---- command ---- */

static int fail(const job *b, const tool_args *args, int printed, hk_status status) {
  tool_print_diag(&b->model.diag, printed);
  if (!tool_flag(args, "json")) return tool_exit_code(status);
  tool_json j = {.out = stdout};
  char *first = tool_first_error(&b->model.diag);
  tool_json_open(&j, NULL, '{');
  tool_json_text(&j, "status", "failed");
  tool_json_text(&j, "error", first ? first : "out of memory");
  tool_json_close(&j, '}');
  putchar('\n');
  free(first);
  return tool_exit_code(status);
}

static int analyse(job *b, const tool_args *args) {
  hk_status status = tool_model_load(&b->model, args);
  if (status) return fail(b, args, 0, status);
  int printed = b->model.diag.n;
  tool_print_diag(&b->model.diag, 0);
  status = tool_find_force(&b->model, &hk_type_force_rolling_bearing,
                           args->n_words > 1 ? args->word[1] : NULL, &b->force);
  if (!status) status = read_load(b, args);
  if (!status) status = solve(b);
  if (!status) find_natural(b);
  const char *duty = tool_value(args, "duty"), *path = tool_value(args, "output");
  b->duty_life = NAN;
  if (!status && duty) status = read_duty(b, duty);
  hk_error err = {0};
  if (!status && path && tool_bearing_draw(b, path, &err)) status = refuse(b, &err);
  if (status) return fail(b, args, printed, status);
  if (tool_flag(args, "json"))
    tool_bearing_json(b);
  else
    tool_bearing_table(b, stdout);
  return EXIT_RUN_OK;
}

static int run(const tool_args *args) {
  job *b = calloc(1, sizeof *b);
  if (!b) return tool_exit_code(HK_ENOMEM);
  int code = analyse(b, args);
  tool_model_free(&b->model);
  free(b);
  return code;
}

static const tool_option options[] = {
    TOOL_SET_OPTION,
    {0, "force", "F", "on the inner ring, such as \"2000, 0, 800 N\"", false},
    {0, "moment", "M", "on the inner ring about x and y, such as \"0, -20 N m\"", false},
    {0, "speed", "W", "angular velocity of the inner ring, such as \"3000 rpm\"", false},
    {0, "tilt", "T", "tilt of the inner ring about x and y, such as \"0, 0.5 mrad\"", false},
    {0, "free-tilt", NULL, "let the inner ring tilt until its moments are zero", false},
    {0, "cage", "PHI", "angle of the cage, such as \"10 deg\"; default 0", false},
    {0, "cage-speed", "W", "angular velocity of the cage; default: pure rolling", false},
    {0, "duty", "TABLE",
     "CSV lines: fraction of time, speed (rpm), fx, fy, fz (N), mx, my (N m); gives the "
     "life of the duty cycle",
     false},
    {0, "outer-turns", NULL,
     "the outer ring rotates relative to the load, not the inner ring (life)", false},
    {'o', "output", "FILE",
     "draw loads, contact angles, pressures and stiffness over load and speed: SVG, PNG or PDF, or "
     "a "
     "page with all tables (.html)",
     false},
    {0, "json", NULL, "print as one JSON object, in SI units", false},
};

const tool_command tool_command_bearing = {
    .name = "bearing",
    .arguments = "MODEL [BEARING]",
    .summary = "a rolling bearing under load: load distribution, pressures, stiffness, life",
    .text =
        "Finds the position of the inner ring of a rolling_bearing that is in equilibrium with a "
        "load, and prints "
        "constants, loads, contact angles, pressures and films of every element, the stiffness in "
        "the axes of the outer ring, frequencies and life. Load and speed are those of the bearing "
        "in the model unless they are given here. The ring is not tilted unless --tilt or "
        "--free-tilt is given; a cylindrical roller bearing does not support axial forces.\n"
        "\n"
        "With --json, standard output is one object:\n"
        "\n"
        "  {\"status\": \"ok\" | \"failed\", \"error\": text if failed, \"bearing\": name,\n"
        "   \"clearance\": m (mounted), \"preload_displacement\": m, \"load\": [N, ..., N m],\n"
        "   \"speed\": rad/s, \"displacement\": [m, m, m, rad, rad, rad], \"stiffness\": 6 x 6,\n"
        "   \"frequencies\": {\"cage\", \"outer\", \"inner\", \"element\"} per revolution,\n"
        "   \"natural_frequencies\": [Hz, ...] of the body of the inner ring on this bearing,\n"
        "   \"film_min\": m, \"lambda\": film over roughness,\n"
        "   \"life\": {\"L10\", \"L10r\", \"L10r_aligned\", \"L10mr\", \"duty\": millions of "
        "revolutions,\n"
        "     \"a_iso\": number, \"reference_load\": N},\n"
        "   \"elements\": [{\"row\": number, \"load_inner\": N, \"load_outer\": N,\n"
        "     \"angle_inner\": rad, \"angle_outer\": rad, \"pressure\": [Pa, Pa],\n"
        "     \"film\": [m, m], \"truncated\": whether a contact passes its shoulder}, ...]}\n"
        "\n"
        "Exit status: 0 done, 1 no equilibrium was found, 2 bad input.\n"
        "\n"
        "Examples:\n"
        "\n"
        "  hooke bearing rotor.yaml front\n"
        "  hooke bearing rotor.yaml front --force \"2000, 0, 800 N\" --free-tilt --speed \"3000 "
        "rpm\"\n"
        "  hooke bearing rotor.yaml front -o front.html\n"
        "  hooke bearing rotor.yaml front --set preload=\"300 N\" --json\n",
    TOOL_OPTIONS(options),
    .min_words = 1,
    .max_words = 2,
    .run = run,
};
