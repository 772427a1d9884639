/* hooke gear: quasi-static analysis of a gear pair over one pitch. */
#include "base/arena.h"
#include "figure.h"
#include "force/gear_pair.h"
#include "gear/quasistatic.h"
#include "json.h"
#include "force.h"
#include "model/model.h"
#include "quantity.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct job {
  tool_model model;
  const hk_force *force;
  const hk_gear_pair *pair;
  double torque, speed;
  int points;
  hk_arena arena;
  hk_gear_quasistatic q;
} job;

/* ---- selection of the pair and its load ---- */

static hk_status refuse(job *b, const hk_error *err) { return tool_model_refuse(&b->model, err); }
static hk_status pair_failed(job *b, hk_error *err) {
  return tool_force_failed(&b->model, b->force, err);
}

/* Reads torque or speed: from the option, otherwise from the pair. */
static hk_status read_number(job *b, const tool_args *args, const char *option, const char *unit,
                             double set, double *out) {
  const char *text = tool_value(args, option);
  char label[32];
  hk_error err = {0};
  snprintf(label, sizeof label, "--%s", option);
  *out = set;
  return text && tool_quantity(text, unit, label, out, &err) ? refuse(b, &err) : HK_OK;
}

/* Load of the pair. */
static hk_status read_load(job *b, const tool_args *args) {
  hk_error err = {0};
  hk_status status = read_number(b, args, "torque", "N m", b->pair->torque, &b->torque);
  if (!status) status = read_number(b, args, "speed", "rad/s", b->pair->speed, &b->speed);
  if (status || fabs(b->torque) > 0) return status;
  if (isnan(b->torque)) {
    hk_fail(&err, HK_EINPUT, "gear pair '%s' has no torque; give one in the model, or --torque",
            b->force->name);
    return pair_failed(b, &err);
  }
  hk_fail(&err, HK_EINPUT, "a torque of zero loads no tooth; give another torque");
  return tool_value(args, "torque") ? refuse(b, &err) : pair_failed(b, &err);
}

static bool read_points(const tool_args *args, int *points) {
  const char *text = tool_value(args, "points");
  *points = 200;
  if (!text) return true;
  char *end;
  long n = strtol(text, &end, 10);
  if (*end || end == text || n < 16 || n > 20000) {
    tool_error("--points needs a whole number from 16 to 20000, not '%s'", text);
    return false;
  }
  *points = (int)n;
  return true;
}

/* ---- output ---- */

static double largest_sliding(const hk_gear_quasistatic *q) {
  double most = 0;
  for (int i = 0; i < q->n_passes; i++)
    if (q->pass[i].share > 0) most = fmax(most, fabs(q->pass[i].sliding));
  return most;
}

static void json_mean(tool_json *j, const char *key, const hk_gear_mean *m) {
  tool_json_open(j, key, '{');
  tool_json_real(j, "mean", m->mean);
  tool_json_real(j, "min", m->least);
  tool_json_real(j, "max", m->most);
  tool_json_close(j, '}');
}

static void json_both(tool_json *j, const char *key, const double v[2], double factor) {
  const double scaled[2] = {factor * v[0] + 0.0, factor * v[1] + 0.0}; /* not -0 */
  hk_json_reals(j, key, scaled, 2);
}

static void json_geometry(tool_json *j, const hk_involute *g) {
  tool_json_open(j, "geometry", '{');
  tool_json_real(j, "center_distance", g->center_distance);
  tool_json_real(j, "working_pressure_angle", g->working_pressure_angle);
  tool_json_real(j, "base_helix_angle", g->base_helix_angle);
  tool_json_real(j, "base_pitch", g->base_pitch);
  tool_json_real(j, "backlash", g->backlash);
  json_both(j, "profile_shift", g->shift, 1);
  json_both(j, "reference_diameter", g->reference_radius, 2);
  json_both(j, "base_diameter", g->base_radius, 2);
  json_both(j, "pitch_diameter", g->pitch_radius, 2);
  json_both(j, "tip_diameter", g->tip_radius, 2);
  json_both(j, "root_diameter", g->root_radius, 2);
  json_both(j, "tip_thickness", g->tip_thickness, 1);
  tool_json_real(j, "transverse_contact_ratio", g->transverse_ratio);
  tool_json_real(j, "overlap_ratio", g->overlap_ratio);
  tool_json_close(j, '}');
}

static void json_over_pitch(tool_json *j, const hk_gear_quasistatic *q) {
#define COLUMN(key, member)                                                           \
  tool_json_open(j, key, '[');                                                        \
  for (int i = 0; i < q->n; i++) tool_json_real(j, NULL, (double)q->point[i].member); \
  tool_json_close(j, ']')
  tool_json_open(j, "pitch", '{');
  COLUMN("way", way);
  COLUMN("transmission_error", overlap);
  COLUMN("stiffness", stiffness);
  COLUMN("damping", damping);
  COLUMN("film", film);
  COLUMN("pressure", pressure);
  COLUMN("pairs", pairs);
  tool_json_close(j, '}');
#undef COLUMN
#define COLUMN(member)                                                    \
  tool_json_open(j, #member, '[');                                        \
  for (int i = 0; i < q->n_passes; i++)                                   \
    if (q->pass[i].share > 0) tool_json_real(j, NULL, q->pass[i].member); \
  tool_json_close(j, ']')
  tool_json_open(j, "path", '{');
  COLUMN(way);
  COLUMN(share);
  COLUMN(film);
  COLUMN(pressure);
  COLUMN(sliding);
  COLUMN(rolling);
  COLUMN(radius);
  tool_json_close(j, '}');
#undef COLUMN
}

/* Film thickness relative to the roughness of the flanks, as in ISO/TS 6336-22; 0: dry, or unknown roughness. */
static double specific_film(const job *b, double film) {
  const hk_line_ops *ops = b->pair->ops;
  double Ra = ops->roughness ? ops->roughness(b->pair->law) : 0;
  return Ra > 0 ? film / Ra : 0;
}

static void print_json(const job *b, bool all) {
  const hk_involute *g = &b->pair->geometry;
  const hk_gear_quasistatic *q = &b->q;
  tool_json j = {.out = stdout};
  tool_json_open(&j, NULL, '{');
  tool_json_text(&j, "status", "ok");
  tool_json_text(&j, "pair", b->force->name);
  tool_json_real(&j, "torque", b->torque);
  tool_json_real(&j, "speed", b->speed);
  tool_json_real(&j, "load", q->load);
  tool_json_real(&j, "contact_ratio", g->total_ratio);
  tool_json_open(&j, "transmission_error", '{');
  tool_json_real(&j, "mean", q->overlap.mean);
  tool_json_real(&j, "peak_to_peak", q->overlap.most - q->overlap.least);
  hk_json_reals(&j, "orders", q->order, HK_GEAR_ORDERS);
  tool_json_close(&j, '}');
  json_mean(&j, "stiffness", &q->stiffness);
  json_mean(&j, "damping", &q->damping);
  tool_json_open(&j, "film", '{');
  tool_json_real(&j, "min", q->film.least);
  tool_json_real(&j, "mean", q->film.mean);
  tool_json_close(&j, '}');
  tool_json_open(&j, "specific_film", '{');
  tool_json_real(&j, "min", specific_film(b, q->film.least));
  tool_json_real(&j, "mean", specific_film(b, q->film.mean));
  tool_json_close(&j, '}');
  json_mean(&j, "pressure", &q->pressure);
  json_mean(&j, "pairs", &q->pairs);
  tool_json_real(&j, "sliding_max", largest_sliding(q));
  tool_json_real(&j, "friction_loss", q->friction_loss);
  json_geometry(&j, g);
  if (all) json_over_pitch(&j, q);
  tool_json_close(&j, '}');
  putchar('\n');
}

static void print_pair(const char *what, const double v[2], double factor, const char *unit) {
  printf("  %-26s %12.6g %12.6g  %s\n", what, factor * v[0] + 0.0, factor * v[1] + 0.0, unit);
}

static void print_mean(const char *what, const hk_gear_mean *m, double factor, const char *unit) {
  printf("  %-26s %12.6g %12.6g %12.6g  %s\n", what, factor * m->mean, factor * m->least,
         factor * m->most, unit);
}

static void print_table(const job *b) {
  const hk_involute *g = &b->pair->geometry;
  const hk_gear_quasistatic *q = &b->q;
  const double teeth[2] = {g->teeth[0], g->teeth[1]};
  printf(
      "%s: center distance %.6g mm, working pressure angle %.6g deg, base pitch %.6g mm, backlash "
      "%.4g um\n",
      b->force->name, 1e3 * g->center_distance, g->working_pressure_angle * 180 / M_PI,
      1e3 * g->base_pitch, 1e6 * g->backlash);
  printf("  %-26s %12s %12s\n", "", "a", g->sign < 0 ? "b (ring)" : "b");
  print_pair("teeth", teeth, 1, "");
  print_pair("profile shift", g->shift, 1, "modules");
  print_pair("reference diameter", g->reference_radius, 2e3, "mm");
  print_pair("base diameter", g->base_radius, 2e3, "mm");
  print_pair("pitch diameter", g->pitch_radius, 2e3, "mm");
  print_pair("tip diameter", g->tip_radius, 2e3, "mm");
  print_pair("root diameter", g->root_radius, 2e3, "mm");
  print_pair("thickness at the tip", g->tip_thickness, 1e3, "mm");
  printf("contact ratio %.6f (transverse %.6f, overlap %.6f)\n", g->total_ratio,
         g->transverse_ratio, g->overlap_ratio);
  printf("\n%.6g N m on a at %.6g rpm: %.6g N along the common normal, over one pitch:\n",
         b->torque, b->speed * 30 / M_PI, q->load);
  printf("  %-26s %12s %12s %12s\n", "", "mean", "least", "most");
  print_mean("transmission error", &q->overlap, 1e6, "um");
  print_mean("mesh stiffness", &q->stiffness, 1e-6, "N/um");
  print_mean("pairs in contact", &q->pairs, 1, "");
  print_mean("pressure", &q->pressure, 1e-9, "GPa");
  if (q->film.most > 0) {
    print_mean("film", &q->film, 1e6, "um");
    print_mean("specific film, over Ra", &q->film, specific_film(b, 1), "");
    print_mean("squeeze damping", &q->damping, 1, "N s/m");
  }
  printf("  %-26s %12s %12s %12.6g  m/s\n", "sliding", "", "", largest_sliding(q));
  if (q->friction_loss > 0) printf("  %-26s %12.6g  W\n", "lost by sliding", q->friction_loss);
  printf("transmission error: peak to peak %.6g um, orders",
         1e6 * (q->overlap.most - q->overlap.least));
  for (int i = 0; i < 4; i++) printf(" %d: %.4g", i + 1, 1e6 * q->order[i]);
  printf(" um (times tooth passing)\n");
}

/* Draws four panels over the path of contact. */
static hk_status draw(const job *b, const char *path, hk_error *err) {
  const hk_gear_quasistatic *q = &b->q;
  size_t n = (size_t)q->n, m = (size_t)q->n_passes;
  double *v = calloc(3 * n + 4 * m + 1, sizeof *v);
  if (!v) return hk_fail(err, HK_ENOMEM, "out of memory");
  double *way = v, *error = way + n, *stiff = error + n, *along = stiff + n, *share = along + m,
         *film = share + m, *peak = film + m;
  for (size_t i = 0; i < n; i++) {
    way[i] = 1e3 * q->point[i].way;
    error[i] = 1e6 * q->point[i].overlap;
    stiff[i] = 1e-6 * q->point[i].stiffness;
  }
  int64_t used = 0;
  bool wet = q->film.most > 0;
  for (size_t i = 0; i < m; i++) {
    if (!(q->pass[i].share > 0)) continue;
    along[used] = 1e3 * q->pass[i].way;
    share[used] = 100 * q->pass[i].share;
    film[used] = 1e6 * q->pass[i].film;
    peak[used++] = 1e-9 * q->pass[i].pressure;
  }
  const hk_plot_series series[] = {{.x = way, .y = error, .n = (int64_t)n},
                                   {.x = way, .y = stiff, .n = (int64_t)n},
                                   {.x = along, .y = share, .n = used},
                                   {.x = along, .y = peak, .n = used},
                                   {.x = along, .y = film, .n = used}};
  const char *label[] = {"transmission error", "mesh stiffness", "fraction of the load", "pressure",
                         "film"};
  const char *unit[] = {"um", "N/um", "%", "GPa", "um"};
  hk_plot_panel panel[5];
  for (int i = 0; i < 5; i++)
    panel[i] = (hk_plot_panel){.x = {.label = "line of action from the pitch point", .unit = "mm"},
                               .y = {.label = label[i], .unit = unit[i]},
                               .series = &series[i],
                               .n_series = 1};
  char subtitle[120];
  snprintf(subtitle, sizeof subtitle, "%.6g N m at %.6g rpm", b->torque, b->speed * 30 / M_PI);
  hk_plot_figure figure = {.title = b->force->name,
                           .subtitle = subtitle,
                           .panel = panel,
                           .n_panels = wet ? 5 : 4,
                           .columns = 2};
  hk_status status = tool_figure_save(&figure, path, err);
  free(v);
  return status;
}

/* ---- command ---- */

/* Reports the errors, which are in the diagnostics of the model; its first `printed` messages were
 * printed before. */
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

static hk_status solve(job *b) {
  hk_error err = {0};
  hk_status status =
      hk_gear_quasistatic_run(b->pair, b->torque, b->speed, b->points, &b->arena, &b->q, &err);
  return status ? pair_failed(b, &err) : HK_OK;
}

static int analyse(job *b, const tool_args *args) {
  hk_error err = {0};
  if (!read_points(args, &b->points)) return EXIT_BAD_INPUT;
  hk_status status = tool_model_load(&b->model, args);
  if (status) return fail(b, args, 0, status);
  int printed = b->model.diag.n;
  tool_print_diag(&b->model.diag, 0);
  status = tool_find_force(&b->model, &hk_type_force_gear_pair,
                           args->n_words > 1 ? args->word[1] : NULL, &b->force);
  if (!status) b->pair = b->force->constants;
  if (!status) status = read_load(b, args);
  if (!status) status = solve(b);
  const char *path = tool_value(args, "output");
  if (!status && path && draw(b, path, &err)) status = refuse(b, &err);
  if (status) return fail(b, args, printed, status);
  if (tool_flag(args, "json"))
    print_json(b, tool_flag(args, "all"));
  else
    print_table(b);
  return EXIT_RUN_OK;
}

static int run(const tool_args *args) {
  job b = {0};
  hk_arena_init(&b.arena);
  int code = analyse(&b, args);
  hk_arena_free(&b.arena);
  tool_model_free(&b.model);
  return code;
}

static const tool_option options[] = {
    TOOL_SET_OPTION,
    {0, "torque", "T", "torque on gear a, such as \"150 N m\"; negative: the backward flank",
     false},
    {0, "speed", "W", "speed of gear a, such as \"1500 rpm\"", false},
    {0, "points", "N", "number of positions within the pitch (200)", false},
    {'o', "output", "FILE.svg",
     "draw transmission error, stiffness, load sharing, pressure and film as SVG, PNG or PDF",
     false},
    {0, "all", NULL, "with --json: the curves as well", false},
    {0, "json", NULL, "print as one JSON object, in SI units", false},
};

const tool_command tool_command_gear = {
    .name = "gear",
    .arguments = "MODEL [PAIR]",
    .summary = "a gear pair over one pitch: geometry, transmission error, load sharing, films",
    .text =
        "Rotates the gears of a gear_pair quasi-statically through one pitch under a constant "
        "torque, with centres and axes of the initial position, and solves for the loads of all "
        "slices of all tooth pairs in contact. "
        "Prints "
        "diameters, contact ratios, transmission error (along the common normal of the flanks) "
        "with its "
        "orders, mesh stiffness, pressure, film, squeeze damping (sum over slices and pairs) and "
        "sliding. "
        "Torque and speed are those of the pair in the model unless they are given here.\n"
        "\n"
        "With --json, standard output is one object:\n"
        "\n"
        "  {\"status\": \"ok\" | \"failed\", \"error\": text if failed, \"pair\": name,\n"
        "   \"torque\": N m, \"speed\": rad/s, \"load\": N, \"contact_ratio\": number,\n"
        "   \"transmission_error\": {\"mean\": m, \"peak_to_peak\": m, \"orders\": [m, ...]},\n"
        "   \"stiffness\": {\"mean\": N/m, \"min\": N/m, \"max\": N/m},\n"
        "   \"damping\": {\"mean\": N s/m, \"min\", \"max\"}, \"film\": {\"min\": m, \"mean\": "
        "m},\n"
        "   \"specific_film\": {\"min\", \"mean\"} over the roughness Ra,\n"
        "   \"pressure\": {\"mean\": Pa, \"min\", \"max\"}, \"pairs\": {\"mean\", \"min\", "
        "\"max\"},\n"
        "   \"sliding_max\": m/s, \"friction_loss\": W, \"geometry\": {\"center_distance\": m,\n"
        "     \"working_pressure_angle\": rad, \"base_helix_angle\": rad, \"base_pitch\": m,\n"
        "     \"backlash\": m, of both gears \"profile_shift\", \"reference_diameter\",\n"
        "     \"base_diameter\", \"pitch_diameter\", \"tip_diameter\", \"root_diameter\",\n"
        "     \"tip_thickness\": [m, m], \"transverse_contact_ratio\": number,\n"
        "     \"overlap_ratio\": number},\n"
        "   \"pitch\": {\"way\": [m], ...}, \"path\": {\"way\": [m], ...} with --all}\n"
        "\n"
        "Exit status: 0 done, 1 no loads were found, 2 bad input.\n"
        "\n"
        "Examples:\n"
        "\n"
        "  hooke gear mesh.yaml\n"
        "  hooke gear mesh.yaml mesh --torque \"150 N m\" --speed \"750 rpm\" -o mesh.svg\n"
        "  hooke gear mesh.yaml --set crown=\"5 um\" --set law=dry --json\n",
    TOOL_OPTIONS(options),
    .min_words = 1,
    .max_words = 2,
    .run = run,
};
