/* hooke bearing: a rolling bearing under load: load distribution, stiffness, life. */
#include "base/file.h"
#include "bearing/life.h"
#include "force/rolling_bearing.h"
#include "json.h"
#include "force.h"
#include "model/model.h"
#include "quantity.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = HK_BEARING_MAX_ROWS * HK_BEARING_MAX_ELEMENTS };
static const double DEG = 180 / M_PI, RPM = 30 / M_PI;

/* Load of one rolling element. */
typedef struct contact {
  double pressure[2], film[2], truncated[2];
} contact;

typedef struct job {
  tool_model model;
  const hk_force *force;
  const hk_rolling_bearing *made;
  hk_rolling_bearing whole; /* with all elements, also if the model has them linearised */
  hk_bearing_task task;
  hk_bearing_balance balance;
  hk_bearing_element element[MOST];
  contact contact[MOST];
  hk_bearing_life life, aligned; /* aligned: without the tilt */
  hk_bearing_lubrication oil;
  double duty_life; /* NAN: no duty cycle */
} job;

static hk_status refuse(job *b, const hk_error *err) { return tool_model_refuse(&b->model, err); }
static hk_status bearing_failed(job *b, hk_error *err) {
  return tool_force_failed(&b->model, b->force, err);
}

/* ---- what it is loaded with ---- */

/* "2000, 0, 800 N": a unit after the last number applies to all. */
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
              "%s needs %d numbers with commas between them, with a unit after the last", label, n);
      return refuse(b, &err);
    }
    snprintf(part, sizeof part, "%.17g %s", number, end);
    if (tool_quantity(part, unit, label, &out[i], &err)) return refuse(b, &err);
    text = tail + 1;
  }
  return HK_OK;
}

static hk_status read_load(job *b, const tool_args *args) {
  const hk_rolling_bearing_params *p = b->force->item->data;
  const hk_bearing *g = &b->made->bearing;
  hk_bearing_task *t = &b->task;
  *t = (hk_bearing_task){.load = {p->load.x, p->load.y, p->load.z, p->moment.x, p->moment.y},
                         .free = {true, true, g->kind != HK_BEARING_CYLINDRICAL_ROLLER},
                         .speed = {p->speed, 0, NAN}};
  if (tool_flag(args, "free-tilt")) t->free[3] = t->free[4] = true;
  hk_status status = read_list(b, args, "force", "N", 3, t->load);
  if (!status) status = read_list(b, args, "moment", "N m", 2, t->load + 3);
  if (!status) status = read_list(b, args, "tilt", "rad", 2, t->start + 3);
  if (!status) status = read_list(b, args, "cage", "rad", 1, &t->cage);
  if (!status) status = read_list(b, args, "speed", "rad/s", 1, &t->speed.inner);
  if (!status) status = read_list(b, args, "cage-speed", "rad/s", 1, &t->speed.cage);
  hk_error err = {0};
  double size = 0;
  for (int i = 0; i < 6; i++) size += fabs(t->load[i]);
  if (status || size > 0 || g->preload_displacement != 0 || g->clearance < 0) return status;
  hk_fail(&err, HK_EINPUT, "bearing '%s' has no load; give one in the model, or --force",
          b->force->name);
  return bearing_failed(b, &err);
}

/* ---- numbers ---- */

/* Viscosity ratio kappa of ISO 281 at this speed. */
static double viscosity_ratio(const hk_rolling_bearing *made, double speed) {
  const hk_bearing *p = &made->bearing;
  double n = fabs(speed) * RPM, nu = 1e6 * made->oil.viscosity / 870;
  double dm = 1e3 * (hk_bearing_has_rollers(p) ? p->roller.dm : p->ball.dm);
  if (!(n > 0 && nu > 0)) return 0;
  return nu / ((n < 1000 ? 45000 * pow(n, -0.83) : 4500 / sqrt(n)) / sqrt(dm));
}

static void look_at(job *b, int i) {
  const hk_bearing *p = &b->made->bearing;
  const hk_bearing_element *e = &b->element[i];
  double slice[2][HK_ROLLER_MAX_SLICES], central;
  const int row = i / p->n;
  const bool rollers = hk_bearing_has_rollers(p);
  const double side = p->row[row].side < 0 ? -1 : 1;
  const double d[4] = {e->d[0], side * e->d[1], e->d[2], side * e->d[3]};
  if (rollers)
    hk_roller_slices(&p->roller, d, p->size[row][i % p->n], &b->task.speed,
                     p->dynamics != HK_BEARING_STATIC, slice[0], slice[1]);
  for (int race = 0; race < 2; race++) {
    double Q = race ? e->Q_o : e->Q_i;
    hk_bearing_patch patch = hk_bearing_patch_at(p, race, Q, rollers ? slice[race] : NULL);
    b->contact[i].pressure[race] = patch.pressure;
    hk_bearing_film(p, race, Q, b->task.speed.inner, &b->made->oil, &b->contact[i].film[race],
                    &central);
    b->contact[i].truncated[race] =
        Q > 0 ? hk_bearing_truncation(p, race, race ? e->angle_o : e->angle_i, patch.half) : NAN;
  }
}

static hk_status hold(job *b, const hk_bearing_task *t, hk_bearing_balance *balance,
                      hk_bearing_element *element) {
  hk_error err = {0};
  const char *failed = hk_bearing_hold(&b->made->bearing, t, balance, element);
  if (!failed) return HK_OK;
  hk_fail(&err, HK_EFAIL, "%s", failed);
  return bearing_failed(b, &err);
}

static hk_status solve(job *b) {
  const hk_bearing *p = &b->made->bearing;
  hk_bearing_balance aligned;
  hk_bearing_element other[MOST];
  hk_bearing_task straight = b->task;
  hk_status status = hold(b, &b->task, &b->balance, b->element);
  straight.start[3] = straight.start[4] = 0;
  straight.free[3] = straight.free[4] = false;
  if (!status) status = hold(b, &straight, &aligned, other);
  if (status) return status;
  for (int i = 0; i < p->rows * p->n; i++) look_at(b, i);
  b->oil = b->made->lubrication;
  b->oil.kappa = viscosity_ratio(b->made, b->task.speed.inner);
  b->life =
      hk_bearing_life_of(p, b->element, &b->task.speed, b->made->rating, &b->oil, false, true);
  b->aligned = hk_bearing_life_of(p, other, &b->task.speed, b->made->rating, &b->oil, false, true);
  double pressed = 0;
  hk_error err = {0};
  for (int i = 0; i < p->rows * p->n; i++) pressed += b->element[i].Q_i;
  if (pressed > 0 || !(fabs(b->task.speed.inner) > 0)) return HK_OK;
  hk_fail(&err, HK_EFAIL,
          "at %.6g rpm all rolling elements lift off the inner race; increase the load",
          b->task.speed.inner * RPM);
  return bearing_failed(b, &err);
}

/* One line: fraction of time, speed in rpm, Fx, Fy, Fz in N, Mx, My in N m.  Returns the number of values. */
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
  static hk_bearing_element e[MOST];
  hk_bearing_balance balance;
  hk_bearing_task t = b->task;
  t.speed.inner = v[1] / RPM;
  memcpy(t.load, v + 2, 5 * sizeof *v);
  hk_status status = hold(b, &t, &balance, e);
  if (status) return status;
  hk_bearing_lubrication oil = b->made->lubrication;
  oil.kappa = viscosity_ratio(b->made, t.speed.inner);
  *life =
      hk_bearing_life_of(&b->made->bearing, e, &t.speed, b->made->rating, &oil, false, true).L10mr;
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

static double angle_of(const job *b) {
  const hk_bearing *p = &b->made->bearing;
  double Q = 0, angle = p->nominal_angle;
  for (int i = 0; i < p->rows * p->n; i++)
    if (b->element[i].Q_i > Q) Q = b->element[i].Q_i, angle = b->element[i].angle_i;
  return angle;
}

static void print_element(const job *b, int i) {
  const hk_bearing *p = &b->made->bearing;
  const hk_bearing_element *e = &b->element[i];
  const contact *c = &b->contact[i];
  if (p->rows > 1) printf("  %3d", i / p->n);
  printf("  %3d %8.2f %12.6g %12.6g %9.4f %9.4f %9.4g %9.4g", i % p->n,
         DEG * (b->task.cage + 2 * M_PI * (i % p->n) / p->n), e->Q_i, e->Q_o, DEG * e->angle_i,
         DEG * e->angle_o, 1e-9 * c->pressure[0], 1e-9 * c->pressure[1]);
  if (b->made->oil.viscosity > 0) printf(" %9.4g %9.4g", 1e6 * c->film[0], 1e6 * c->film[1]);
  if (c->truncated[0] > 0 || c->truncated[1] > 0) printf("  beyond the shoulder");
  putchar('\n');
}

static double least_film(const job *b) {
  const hk_bearing *p = &b->made->bearing;
  double least = INFINITY;
  for (int i = 0; i < p->rows * p->n; i++)
    for (int race = 0; race < 2 && b->element[i].Q_i > 0; race++)
      least = fmin(least, b->contact[i].film[race]);
  return isfinite(least) ? least : 0;
}

static void print_life(const job *b) {
  if (!(b->made->rating > 0)) return;
  double turns = fabs(b->task.speed.inner) / (2 * M_PI) * 3600;
  printf("\nlife: L10r %.6g million revolutions", b->life.L10r);
  if (turns > 0) printf(" (%.5g h)", 1e6 * b->life.L10r / turns);
  printf(", reference load %.6g N\n", b->life.equivalent);
  printf("  aligned: L10r %.6g million revolutions\n", b->aligned.L10r);
  if (b->oil.kappa > 0 && b->oil.fatigue_load > 0)
    printf("  L10mr %.6g million revolutions (viscosity ratio %.4g, a_ISO %.4g)\n", b->life.L10mr,
           b->oil.kappa, b->life.a_iso);
  if (!isnan(b->duty_life))
    printf("  over the duty cycle %.6g million revolutions\n", b->duty_life);
}

static void print_table(const job *b) {
  static const char *const NAME[6] = {"Fx", "Fy", "Fz", "Mx", "My", "Mz"};
  const hk_bearing *p = &b->made->bearing;
  const hk_bearing_task *t = &b->task;
  const bool rollers = hk_bearing_has_rollers(p);
  hk_bearing_frequencies f = hk_bearing_frequencies_at(p, angle_of(b));
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
  printf("  displacement (%.6g, %.6g, %.6g) um, tilt (%.6g, %.6g) mrad\n\n", 1e6 * b->balance.q[0],
         1e6 * b->balance.q[1], 1e6 * b->balance.q[2], 1e3 * b->balance.q[3],
         1e3 * b->balance.q[4]);
  if (p->rows > 1) printf("  row");
  printf("  %3s %8s %12s %12s %9s %9s %9s %9s", "", "at deg", "inner N", "outer N", "inner deg",
         "outer deg", "inner GPa", "outer GPa");
  if (b->made->oil.viscosity > 0) printf(" %9s %9s", "inner um", "outer um");
  putchar('\n');
  for (int i = 0; i < p->rows * p->n; i++) print_element(b, i);
  double film = least_film(b);
  if (film > 0) printf("  smallest film %.4g um", 1e6 * film);
  if (film > 0 && b->made->oil.roughness > 0)
    printf(", lambda %.4g", film / b->made->oil.roughness);
  if (film > 0) putchar('\n');
  printf("\nstiffness (N/m, N/rad, N m/rad)\n");
  for (int i = 0; i < 6; i++) {
    printf("  %s", NAME[i]);
    for (int j = 0; j < 6; j++) printf(" %13.6g", b->balance.K[i][j] + 0.0);
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
  const hk_bearing *p = &b->made->bearing;
  tool_json_open(j, "elements", '[');
  for (int i = 0; i < p->rows * p->n; i++) {
    const hk_bearing_element *e = &b->element[i];
    tool_json_open(j, NULL, '{');
    tool_json_int(j, "row", i / p->n);
    tool_json_real(j, "load_inner", e->Q_i);
    tool_json_real(j, "load_outer", e->Q_o);
    tool_json_real(j, "angle_inner", e->angle_i);
    tool_json_real(j, "angle_outer", e->angle_o);
    hk_json_reals(j, "pressure", b->contact[i].pressure, 2);
    hk_json_reals(j, "film", b->contact[i].film, 2);
    tool_json_bool(j, "truncated",
                   b->contact[i].truncated[0] > 0 || b->contact[i].truncated[1] > 0);
    tool_json_close(j, '}');
  }
  tool_json_close(j, ']');
}

static void print_json(const job *b) {
  const hk_bearing *p = &b->made->bearing;
  hk_bearing_frequencies f = hk_bearing_frequencies_at(p, angle_of(b));
  tool_json j = {.out = stdout};
  double film = least_film(b), rough = b->made->oil.roughness;
  tool_json_open(&j, NULL, '{');
  tool_json_text(&j, "status", "ok");
  tool_json_text(&j, "bearing", b->force->name);
  tool_json_real(&j, "clearance", p->clearance);
  tool_json_real(&j, "preload_displacement", p->preload_displacement);
  hk_json_reals(&j, "load", b->task.load, 6);
  tool_json_real(&j, "speed", b->task.speed.inner);
  hk_json_reals(&j, "displacement", b->balance.q, 6);
  tool_json_open(&j, "stiffness", '[');
  for (int i = 0; i < 6; i++) hk_json_reals(&j, NULL, b->balance.K[i], 6);
  tool_json_close(&j, ']');
  tool_json_open(&j, "frequencies", '{');
  tool_json_real(&j, "cage", f.cage);
  tool_json_real(&j, "outer", f.outer);
  tool_json_real(&j, "inner", f.inner);
  tool_json_real(&j, "element", f.element);
  tool_json_close(&j, '}');
  tool_json_real(&j, "film_min", film);
  tool_json_real(&j, "lambda", rough > 0 ? film / rough : 0);
  if (b->made->rating > 0) {
    tool_json_open(&j, "life", '{');
    tool_json_real(&j, "L10r", b->life.L10r);
    tool_json_real(&j, "L10r_aligned", b->aligned.L10r);
    tool_json_real(&j, "L10mr", b->life.L10mr);
    tool_json_real(&j, "a_iso", b->life.a_iso);
    tool_json_real(&j, "reference_load", b->life.equivalent);
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
  if (!status) {
    b->whole = *(const hk_rolling_bearing *)b->force->constants;
    b->whole.bearing.linear.on = false;
    b->made = &b->whole;
  }
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
