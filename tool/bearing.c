/* hooke bearing: a rolling bearing under load: load distribution, stiffness, life. */
#include "base/file.h"
#include "analysis/bearing_state.h"
#include "json.h"
#include "force.h"
#include "model/model.h"
#include "quantity.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double DEG = 180 / M_PI, RPM = 30 / M_PI;

typedef struct job {
  tool_model model;
  const hk_force *force;
  hk_bearing_state s;
  double duty_life; /* NAN: no duty cycle */
} job;

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

/* Reads one line: fraction of time, speed in rpm, Fx, Fy, Fz in N, Mx, My in N m.  Returns the
 * number of values. */
enum { COLUMNS = 7 };
static int read_line(const char *line, double v[COLUMNS]) {
  int k = 0;
  char *end;
  memset(v, 0, COLUMNS * sizeof *v);
  for (const char *from = line; k < COLUMNS; k++, from = *end == ',' ? end + 1 : end) {
    v[k] = strtod(from, &end);
    if (end == from) break;
  }
  return k;
}

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
  *life = hk_bearing_life_of(&b->s.made->bearing, e, &t.speed, b->s.made->rating, &oil, false, true)
              .L10mr;
  return HK_OK;
}

static hk_status read_duty(job *b, const char *path) {
  enum { MOST_LINES = 1000 };
  double life[MOST_LINES], turns[MOST_LINES], v[COLUMNS];
  char line[400];
  int n = 0, at = 0;
  hk_error err = {0};
  FILE *f = hk_file_open(path);
  if (!f) {
    hk_fail(&err, HK_EINPUT, "cannot read '%s'", path);
    return refuse(b, &err);
  }
  hk_status status = HK_OK;
  while (!status && fgets(line, sizeof line, f)) {
    int k = read_line(line, v);
    at++;
    if (k == 0) continue; /* a heading or an empty line */
    if (k < 5 || !(v[0] > 0) || n == MOST_LINES) {
      hk_diag_add(&b->model.diag, HK_ERROR, &(hk_location){path, at, 1},
                  "a line needs the fraction of revolutions > 0, speed (rpm), fx, fy, fz (N), and "
                  "optionally mx, my (N m)");
      status = HK_EINPUT;
      break;
    }
    turns[n] = v[0] * fabs(v[1]);
    status = life_at(b, v, &life[n++]);
  }
  fclose(f);
  if (!status) b->duty_life = hk_bearing_life_over(life, turns, n);
  return status;
}

/* ---- output ---- */

static void print_element(const job *b, int i) {
  const hk_bearing *p = &b->s.made->bearing;
  const hk_bearing_element *e = &b->s.element[i];
  const hk_bearing_contact *c = &b->s.contact[i];
  if (p->rows > 1) printf("  %3d", i / p->n);
  printf("  %3d %8.2f %12.6g %12.6g %9.4f %9.4f %9.4g %9.4g", i % p->n,
         DEG * (b->s.task.cage + 2 * M_PI * (i % p->n) / p->n), e->Q_i, e->Q_o, DEG * e->angle_i,
         DEG * e->angle_o, 1e-9 * c->pressure[0], 1e-9 * c->pressure[1]);
  if (b->s.made->oil.viscosity > 0) printf(" %9.4g %9.4g", 1e6 * c->film[0], 1e6 * c->film[1]);
  if (c->truncated[0] > 0 || c->truncated[1] > 0) printf("  beyond the shoulder");
  putchar('\n');
}

static void print_life(const job *b) {
  if (!(b->s.made->rating > 0)) return;
  double turns = fabs(b->s.task.speed.inner) / (2 * M_PI) * 3600;
  printf("\nlife: L10r %.6g million revolutions", b->s.life.L10r);
  if (turns > 0) printf(" (%.5g h)", 1e6 * b->s.life.L10r / turns);
  printf(", reference load %.6g N\n", b->s.life.equivalent);
  printf("  aligned: L10r %.6g million revolutions\n", b->s.aligned.L10r);
  if (b->s.oil.kappa > 0 && b->s.oil.fatigue_load > 0)
    printf("  L10mr %.6g million revolutions (viscosity ratio %.4g, a_ISO %.4g)\n", b->s.life.L10mr,
           b->s.oil.kappa, b->s.life.a_iso);
  if (!isnan(b->duty_life))
    printf("  over the duty cycle %.6g million revolutions\n", b->duty_life);
}

static void print_table(const job *b) {
  static const char *const NAME[6] = {"Fx", "Fy", "Fz", "Mx", "My", "Mz"};
  const hk_bearing *p = &b->s.made->bearing;
  const hk_bearing_task *t = &b->s.task;
  const bool rollers = hk_bearing_has_rollers(p);
  hk_bearing_frequencies f = hk_bearing_frequencies_at(p, hk_bearing_state_angle(&b->s));
  double hz = fabs(t->speed.inner) / (2 * M_PI);
  printf("%s: %d %s in %d row%s, mounted clearance %.4g um", b->force->name, p->n,
         rollers ? "rollers" : "balls", p->rows, p->rows > 1 ? "s" : "", 1e6 * p->clearance);
  if (p->preload_displacement != 0)
    printf(", preload displacement %.5g um", 1e6 * p->preload_displacement);
  if (!rollers)
    printf("\n  K inner %.6g, outer %.6g, both %.6g N/m^1.5; ellipse ratio %.5g, %.5g", p->ball.K_i,
           p->ball.K_o, p->ball.K_n, p->hertz[0].half_s / p->hertz[0].half_t,
           p->hertz[1].half_s / p->hertz[1].half_t);
  printf("\n\nload (%.6g, %.6g, %.6g) N, (%.6g, %.6g) N m at %.6g rpm\n", t->load[0], t->load[1],
         t->load[2], t->load[3], t->load[4], t->speed.inner * RPM);
  printf("  displacement (%.6g, %.6g, %.6g) um, tilt (%.6g, %.6g) mrad\n\n",
         1e6 * b->s.balance.q[0], 1e6 * b->s.balance.q[1], 1e6 * b->s.balance.q[2],
         1e3 * b->s.balance.q[3], 1e3 * b->s.balance.q[4]);
  if (p->rows > 1) printf("  row");
  printf("  %3s %8s %12s %12s %9s %9s %9s %9s", "", "at deg", "inner N", "outer N", "inner deg",
         "outer deg", "inner GPa", "outer GPa");
  if (b->s.made->oil.viscosity > 0) printf(" %9s %9s", "inner um", "outer um");
  putchar('\n');
  for (int i = 0; i < p->rows * p->n; i++) print_element(b, i);
  double film = hk_bearing_state_film(&b->s);
  if (film > 0) printf("  smallest film %.4g um", 1e6 * film);
  if (film > 0 && b->s.made->oil.roughness > 0)
    printf(", lambda %.4g", film / b->s.made->oil.roughness);
  if (film > 0) putchar('\n');
  printf("\nstiffness (N/m, N/rad, N m/rad)\n");
  for (int i = 0; i < 6; i++) {
    printf("  %s", NAME[i]);
    for (int j = 0; j < 6; j++) printf(" %13.6g", b->s.balance.K[i][j] + 0.0);
    putchar('\n');
  }
  printf("\nper revolution: cage %.6f, outer race %.6f, inner race %.6f, element %.6f\n", f.cage,
         f.outer, f.inner, f.element);
  if (hz > 0)
    printf("  FTF %.6g, BPFO %.6g, BPFI %.6g, BSF %.6g Hz\n", hz * f.cage, hz * f.outer,
           hz * f.inner, hz * f.element);
  print_life(b);
}

static void json_elements(tool_json *j, const job *b) {
  const hk_bearing *p = &b->s.made->bearing;
  tool_json_open(j, "elements", '[');
  for (int i = 0; i < p->rows * p->n; i++) {
    const hk_bearing_element *e = &b->s.element[i];
    tool_json_open(j, NULL, '{');
    tool_json_int(j, "row", i / p->n);
    tool_json_real(j, "load_inner", e->Q_i);
    tool_json_real(j, "load_outer", e->Q_o);
    tool_json_real(j, "angle_inner", e->angle_i);
    tool_json_real(j, "angle_outer", e->angle_o);
    hk_json_reals(j, "pressure", b->s.contact[i].pressure, 2);
    hk_json_reals(j, "film", b->s.contact[i].film, 2);
    tool_json_bool(j, "truncated",
                   b->s.contact[i].truncated[0] > 0 || b->s.contact[i].truncated[1] > 0);
    tool_json_close(j, '}');
  }
  tool_json_close(j, ']');
}

static void print_json(const job *b) {
  const hk_bearing *p = &b->s.made->bearing;
  hk_bearing_frequencies f = hk_bearing_frequencies_at(p, hk_bearing_state_angle(&b->s));
  tool_json j = {.out = stdout};
  double film = hk_bearing_state_film(&b->s), rough = b->s.made->oil.roughness;
  tool_json_open(&j, NULL, '{');
  tool_json_text(&j, "status", "ok");
  tool_json_text(&j, "bearing", b->force->name);
  tool_json_real(&j, "clearance", p->clearance);
  tool_json_real(&j, "preload_displacement", p->preload_displacement);
  hk_json_reals(&j, "load", b->s.task.load, 6);
  tool_json_real(&j, "speed", b->s.task.speed.inner);
  hk_json_reals(&j, "displacement", b->s.balance.q, 6);
  tool_json_open(&j, "stiffness", '[');
  for (int i = 0; i < 6; i++) hk_json_reals(&j, NULL, b->s.balance.K[i], 6);
  tool_json_close(&j, ']');
  tool_json_open(&j, "frequencies", '{');
  tool_json_real(&j, "cage", f.cage);
  tool_json_real(&j, "outer", f.outer);
  tool_json_real(&j, "inner", f.inner);
  tool_json_real(&j, "element", f.element);
  tool_json_close(&j, '}');
  tool_json_real(&j, "film_min", film);
  tool_json_real(&j, "lambda", rough > 0 ? film / rough : 0);
  if (b->s.made->rating > 0) {
    tool_json_open(&j, "life", '{');
    tool_json_real(&j, "L10r", b->s.life.L10r);
    tool_json_real(&j, "L10r_aligned", b->s.aligned.L10r);
    tool_json_real(&j, "L10mr", b->s.life.L10mr);
    tool_json_real(&j, "a_iso", b->s.life.a_iso);
    tool_json_real(&j, "reference_load", b->s.life.equivalent);
    if (!isnan(b->duty_life)) tool_json_real(&j, "duty", b->duty_life);
    tool_json_close(&j, '}');
  }
  json_elements(&j, b);
  tool_json_close(&j, '}');
  putchar('\n');
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
  const char *duty = tool_value(args, "duty");
  b->duty_life = NAN;
  if (!status && duty) status = read_duty(b, duty);
  if (status) return fail(b, args, printed, status);
  if (tool_flag(args, "json"))
    print_json(b);
  else
    print_table(b);
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
     "CSV lines: fraction of revolutions, speed (rpm), fx, fy, fz (N), mx, my (N m); gives the "
     "life of the duty cycle",
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
        "   \"film_min\": m, \"lambda\": film over roughness,\n"
        "   \"life\": {\"L10r\", \"L10r_aligned\", \"L10mr\", \"duty\": millions of revolutions,\n"
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
        "  hooke bearing rotor.yaml front --set preload=\"300 N\" --json\n",
    TOOL_OPTIONS(options),
    .min_words = 1,
    .max_words = 2,
    .run = run,
};
