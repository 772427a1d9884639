/* hooke poincare: points of a Poincare section, period, Lyapunov exponent, basins. */
#include "base/random.h"
#include "base/file.h"
#include "results/csv.h"
#include "results/matrix_file.h"
#include "expr/units.h"
#include "linear.h"
#include "poincare.h"
#include "quantity.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DEFAULT_SKIP = 100, DEFAULT_POINTS = 200, MOST_LISTED = 16 };

/* ---- basins: arguments ---- */

static hk_status read_range(tool_basin *b, const char *text, const char *equal, hk_error *err) {
  int k = b->n_axes;
  if (k == TOOL_MOST_AXES || (size_t)(equal - text) >= sizeof b->path[k])
    return hk_fail(err, HK_EINPUT, "--spread can be given for at most %d parameters",
                   TOOL_MOST_AXES);
  snprintf(b->path[k], sizeof b->path[k], "%.*s", (int)(equal - text), text);
  hk_status status =
      tool_range(equal + 1, NULL, "--spread", &b->first[k], &b->last[k], NULL, b->unit[k], err);
  if (!status) b->n_axes++;
  return status;
}

/* Reads an amount; its dimension determines the meaning: positions, angles, velocities or angular
 * velocities. */
static hk_status read_amount(tool_basin *b, const char *text, hk_error *err) {
  static const char *const unit[] = {"m", "rad", "m/s", "rad/s"};
  double *const amount[] = {&b->spread.length, &b->spread.angle, &b->spread.velocity,
                            &b->spread.angular_velocity};
  char *end;
  double v = strtod(text, &end);
  const char *rest = end + strspn(end, " \t");
  hk_unit given;
  bool good =
      end != text && isfinite(v) && *rest && !hk_unit_parse(rest, strlen(rest), &given, NULL);
  for (int i = 0; i < 4 && good; i++) {
    hk_unit wanted;
    if (hk_unit_parse(unit[i], strlen(unit[i]), &wanted, err)) return HK_EINPUT;
    if (!hk_dim_equal(given.dim, wanted.dim)) continue;
    *amount[i] = fabs(v * given.factor);
    return HK_OK;
  }
  return hk_fail(
      err, HK_EINPUT,
      "--spread needs a length, an angle, a linear or angular velocity, such as \"10 mm\" or "
      "\"30 rpm\", or a parameter with a range, such as \"x0=-2:2 m\", not '%s'",
      text);
}

static hk_status read_basin(tool_poincare *p, const tool_args *args, hk_error *err) {
  tool_basin *b = &p->b;
  const char *n = tool_value(args, "basin"), *seed = tool_value(args, "seed"),
             *jobs = tool_value(args, "jobs");
  const char **spread = calloc((size_t)args->n_given + 1, sizeof *spread);
  if (!spread) return hk_fail(err, HK_ENOMEM, "out of memory");
  int n_spread = tool_values(args, "spread", spread), s = 1;
  hk_status status = n ? tool_count(n, "--basin", 1, 100000, &b->n, err) : HK_OK;
  if (!status && seed) status = tool_count(seed, "--seed", 0, 2000000000, &s, err);
  if (!status && jobs) status = tool_count(jobs, "--jobs", 1, 256, &b->jobs, err);
  b->seed = (uint64_t)s;
  p->t.o.seed = b->seed;
  for (int i = 0; i < n_spread && !status; i++) {
    const char *equal = strchr(spread[i], '=');
    status = equal && equal != spread[i] ? read_range(b, spread[i], equal, err)
                                         : read_amount(b, spread[i], err);
  }
  free(spread);
  if (status) return status;
  if (b->n && n_spread == 0)
    return hk_fail(err, HK_EINPUT,
                   "--basin needs the range of the initial states: use --spread, such as --spread "
                   "\"10 mm\" or "
                   "--spread \"x0=-2:2 m\"");
  if (!b->n && n_spread) return hk_fail(err, HK_EINPUT, "--spread needs --basin COUNT");
  return HK_OK;
}

/* ---- running ---- */

static bool orbit_goes_on(void *context) {
  (void)context;
  return tool_stop_signal() == 0;
}

static bool sweep_goes_on(void *context, const hk_orbit_sweep *now) {
  tool_poincare *p = context;
  tool_counter_draw(&p->counter, now->n_done, now->n_all);
  return tool_stop_signal() == 0;
}

static hk_status classify(tool_poincare *p, hk_error *err) {
  tool_basin *b = &p->b;
  hk_orbit *orbit = calloc((size_t)b->n + 1, sizeof *orbit);
  b->attractor = calloc((size_t)b->n + 1, sizeof *b->attractor);
  if (orbit && b->attractor) {
    for (int i = 0; i < b->n; i++)
      if (b->sweep.point[i].done && b->sweep.point[i].status == HK_OK)
        orbit[i] = b->sweep.point[i].orbit;
    b->n_attractors = hk_orbit_classify(orbit, b->n, p->t.wrap, p->t.o.tolerance, b->attractor);
  }
  bool failed = !orbit || !b->attractor || b->n_attractors < 0;
  free(orbit);
  if (failed) b->n_attractors = 0;
  return failed ? hk_fail(err, HK_ENOMEM, "out of memory") : HK_OK;
}

static hk_status run_basin(tool_poincare *p, const tool_args *args, hk_error *err) {
  tool_basin *b = &p->b;
  hk_sweep_axis axis[TOOL_MOST_AXES];
  tool_overrides overrides;
  double *value = calloc((size_t)b->n * TOOL_MOST_AXES, sizeof *value);
  hk_status status = tool_overrides_read(&overrides, args, &p->t.model.diag);
  if (!value) status = hk_fail(err, HK_ENOMEM, "out of memory");
  for (int i = 0; i < b->n_axes; i++) axis[i] = (hk_sweep_axis){b->path[i], b->unit[i]};
  for (int i = 0; i < b->n && !status; i++) {
    uint64_t random = hk_random_stream(~b->seed, (uint64_t)i);
    for (int k = 0; k < b->n_axes; k++)
      value[i * b->n_axes + k] =
          b->first[k] + (b->last[k] - b->first[k]) * 0.5 * (1 + hk_random_signed(&random));
  }
  const hk_orbit_sweep_options o = {.model_path = args->word[0],
                                    .types = args->types,
                                    .set = overrides.set,
                                    .n_set = overrides.n,
                                    .axis = axis,
                                    .n_axes = b->n_axes,
                                    .spread = &b->spread,
                                    .seed = b->seed,
                                    .orbit = p->t.o,
                                    .names = p->t.names,
                                    .jobs = b->jobs,
                                    .go_on = sweep_goes_on,
                                    .context = p};
  tool_counter_begin(&p->counter, false);
  if (!status) status = hk_orbit_sweep_run(&o, value, b->n, &b->sweep, &p->t.model.diag, err);
  tool_counter_end(&p->counter);
  free(value);
  tool_overrides_free(&overrides);
  if (status >= 0 && b->sweep.point && classify(p, err)) status = HK_ENOMEM;
  return status;
}

/* ---- tables ---- */

static void csv_orbit(const tool_poincare *p, FILE *out, const hk_orbit *o, int start) {
  char text[HK_CSV_NUMBER_SIZE];
  for (int i = 0; i < o->n; i++) {
    if (p->b.n) fprintf(out, "%d,%d,", start + 1, p->b.attractor[start] + 1);
    hk_csv_number(text, o->time[i]);
    fputs(text, out);
    for (int k = 0; k < o->n_channels; k++) {
      hk_csv_number(text, o->point[(size_t)i * (size_t)o->n_channels + (size_t)k]);
      fprintf(out, ",%s", text);
    }
    fputc('\n', out);
  }
}

static hk_status write_csv(const tool_poincare *p, const char *path, hk_error *err) {
  hk_new_file output;
  hk_status status = hk_new_file_open(&output, path, err);
  if (status) return status;
  FILE *out = output.file;
  fputs(p->b.n ? "start,attractor,time [s]" : "time [s]", out);
  tool_csv_titles(&p->t, out);
  if (!p->b.n) csv_orbit(p, out, &p->orbit, 0);
  for (int i = 0; i < p->b.n; i++)
    if (p->b.attractor[i] >= 0) csv_orbit(p, out, &p->b.sweep.point[i].orbit, i);
  return hk_new_file_close(&output, HK_OK, err);
}

/* Writes time and channels as one matrix; for random starts, the matrices of all starts one after
 * the other. */
static hk_status write_matrices(const tool_poincare *p, const char *path, hk_error *err) {
  int m = p->t.o.n_channels, rows = 0;
  const int starts = p->b.n ? p->b.n : 1;
  double *point =
      malloc(((size_t)starts * (size_t)p->t.o.points + 1) * (size_t)(m + 2) * sizeof *point);
  if (!point) return hk_fail(err, HK_ENOMEM, "out of memory");
  for (int s = 0; s < starts; s++) {
    const hk_orbit *o = p->b.n ? &p->b.sweep.point[s].orbit : &p->orbit;
    for (int i = 0; i < o->n && (!p->b.n || p->b.attractor[s] >= 0); i++, rows++) {
      double *row = point + (size_t)rows * (size_t)(m + 2);
      row[0] = p->b.n ? p->b.attractor[s] + 1 : 1;
      row[1] = o->time[i];
      memcpy(row + 2, o->point + (size_t)i * (size_t)m, (size_t)m * sizeof *row);
    }
  }
  const char **label = calloc((size_t)m + 2, sizeof *label);
  hk_status status = label ? HK_OK : hk_fail(err, HK_ENOMEM, "out of memory");
  if (label) {
    label[0] = "attractor";
    label[1] = "time";
    for (int k = 0; k < m; k++) label[2 + k] = p->t.channel[k];
    const hk_named_matrix matrix[] = {
        {.name = "points", .rows = rows, .columns = m + 2, .value = point},
        {.name = "columns", .rows = m + 2, .columns = 1, .label = label}};
    status = hk_matrix_file_write(path, matrix, 2, err);
  }
  free(label);
  free(point);
  return status;
}

static hk_status write_points(const tool_poincare *p, const char *path, hk_error *err) {
  return tool_is_csv(path) ? write_csv(p, path, err) : write_matrices(p, path, err);
}

/* ---- reports ---- */

static void print_json_basin(tool_json *j, const tool_poincare *p) {
  const tool_basin *b = &p->b;
  tool_json_int(j, "starts", b->sweep.n_done);
  tool_json_int(j, "failed_starts", b->sweep.n_failed);
  tool_json_open(j, "attractors", '[');
  for (int a = 0; a < b->n_attractors; a++) {
    int first = 0, share = tool_basin_share(b, a, &first);
    tool_json_open(j, NULL, '{');
    tool_json_int(j, "starts", share);
    tool_json_real(j, "share", (double)share / (b->sweep.n_done - b->sweep.n_failed));
    tool_orbit_json(j, &p->t, &b->sweep.point[first].orbit);
    tool_json_close(j, '}');
  }
  tool_json_close(j, ']');
}

static void print_json(const tool_poincare *p, hk_status status, const char *error) {
  tool_json j = {.out = stdout};
  tool_json_open(&j, NULL, '{');
  tool_json_text(&j, "status", error ? "failed" : status == HK_STOPPED ? "stopped" : "ok");
  if (error) tool_json_text(&j, "error", error);
  tool_json_open(&j, "channels", '[');
  for (int k = 0; k < p->t.o.n_channels && p->t.channel; k++)
    tool_json_text(&j, NULL, p->t.channel[k]);
  tool_json_close(&j, ']');
  if (!error && p->b.n) print_json_basin(&j, p);
  if (!error && !p->b.n) tool_orbit_json(&j, &p->t, &p->orbit);
  tool_linear_json_messages(&j, &p->t.model.diag);
  tool_json_close(&j, '}');
  putchar('\n');
}

/* Prints the title of a column and returns the column's width. */
static int print_title(const tool_poincare *p, int k) {
  char title[400];
  tool_channel_title(&p->t, k, title, sizeof title);
  int width = printf("  %16s", title);
  return width > 0 ? width : 18;
}

static void print_points(const tool_poincare *p, const hk_orbit *o) {
  int n = o->repeat.period ? o->repeat.period : o->n;
  int *width = calloc((size_t)o->n_channels + 1, sizeof *width);
  printf("  ");
  for (int k = 0; k < o->n_channels && width; k++) width[k] = print_title(p, k);
  putchar('\n');
  for (int i = o->n - n; i < o->n && i < o->n - n + MOST_LISTED; i++) {
    printf("  ");
    for (int k = 0; k < o->n_channels; k++)
      printf("%*.9g", width ? width[k] : 18,
             o->point[(size_t)i * (size_t)o->n_channels + (size_t)k]);
    putchar('\n');
  }
  free(width);
  if (n > MOST_LISTED) printf("  ... %d more\n", n - MOST_LISTED);
}

static void print_exponent(const hk_exponent *e) {
  if (e->sections < 1) return;
  printf("largest Lyapunov exponent %.6g 1/s: %.6g", e->per_second, e->per_section);
  if (isfinite(e->error)) printf(" \xC2\xB1 %.2g", e->error);
  printf(" per section over %d, %.6g over the second half\n", e->sections, e->second_half);
  if (e->merged)
    printf(
        "the two trajectories became identical %d times: bodies stick, or an impact brings the "
        "trajectories together\n",
        e->merged);
}

static void print_report(const tool_poincare *p, hk_status status) {
  char text[200];
  const tool_basin *b = &p->b;
  if (status == HK_STOPPED) puts("stopped");
  if (!b->n) {
    tool_repeat_text(&p->orbit, text, sizeof text);
    printf("%d points from %.6g s to %.6g s: %s; %d distinct\n", p->orbit.n,
           p->orbit.n ? p->orbit.time[0] : NAN, p->orbit.n ? p->orbit.time[p->orbit.n - 1] : NAN,
           text, p->orbit.repeat.distinct);
    if (p->orbit.n) print_points(p, &p->orbit);
    print_exponent(&p->orbit.exponent);
    return;
  }
  int good = b->sweep.n_done - b->sweep.n_failed;
  printf("%d starts, %d attractor%s\n", good, b->n_attractors, b->n_attractors == 1 ? "" : "s");
  for (int a = 0; a < b->n_attractors; a++) {
    int first = 0, share = tool_basin_share(b, a, &first);
    const hk_orbit *o = &b->sweep.point[first].orbit;
    tool_repeat_text(o, text, sizeof text);
    printf("attractor %d: %d starts (%.1f %%), %s\n", a + 1, share, 100.0 * share / good, text);
    if (o->repeat.period) print_points(p, o);
    print_exponent(&o->exponent);
  }
}

/* ---- command ---- */

static void tell_failures(tool_poincare *p) {
  const hk_orbit_sweep *w = &p->b.sweep;
  for (int i = 0; i < w->n_all && w->n_failed; i++)
    if (w->point[i].message) {
      hk_diag_add(&p->t.model.diag, HK_WARNING, &(hk_location){p->t.model.path, 0, 0},
                  "%d of %d initial states are omitted; reason of the first: %s", w->n_failed,
                  w->n_done, w->point[i].message);
      return;
    }
}

static hk_status compute(tool_poincare *p, const tool_args *args, hk_error *err) {
  const char *figure = tool_value(args, "plot"), *points = tool_value(args, "output");
  if (tool_value(args, "basin") && strcmp(args->word[0], "-") == 0)
    return hk_fail(err, HK_EINPUT,
                   "the model is read once per start, so it must be a file, not standard input");
  hk_status status = tool_orbit_open(&p->t, args, DEFAULT_SKIP, DEFAULT_POINTS, err);
  if (!status) status = read_basin(p, args, err);
  if (!status && points && strcmp(points, "-") != 0) status = hk_matrix_file_check(points, err);
  if (status) return status;
  tool_catch_signals();
  p->t.o.go_on = orbit_goes_on;
  status = p->b.n ? run_basin(p, args, err)
                  : hk_orbit_run(p->t.model.model, &p->t.o, &p->orbit, &p->t.model.diag, err);
  if (status >= 0) tell_failures(p);
  hk_status saved = HK_OK;
  if (status >= 0 && points) saved = write_points(p, points, err);
  if (status >= 0 && !saved && figure) saved = tool_poincare_draw(p, figure, err);
  return saved ? saved : status;
}

static int run(const tool_args *args) {
  tool_poincare p = {0};
  hk_error err = {0};
  hk_status status = compute(&p, args, &err);
  const tool_orbit_end end = tool_orbit_finish(&p.t, args, status, &err);
  if (end.json)
    print_json(&p, status, end.error);
  else if (end.report)
    print_report(&p, status);
  free(end.text);
  free(p.b.attractor);
  hk_orbit_sweep_free(&p.b.sweep);
  hk_orbit_free(&p.orbit);
  tool_orbit_free(&p.t);
  return end.code;
}

static const tool_option options[] = {
    TOOL_ORBIT_OPTIONS,
    {0, "lyapunov", NULL, "also compute the largest Lyapunov exponent", false},
    {0, "basin", "COUNT",
     "run from this number of random initial states and identify the attractors", false},
    {0, "spread", "AMOUNT",
     "largest deviation of the random initial states from that of the model: a length, an angle, a "
     "velocity or an angular velocity changes all coordinates of that kind; PATH=FIRST:LAST draws "
     "a parameter from a "
     "range; may be given several times",
     true},
    {0, "seed", "NUMBER", "seed of the random numbers; default 1", false},
    {0, "jobs", "COUNT", "processes for --basin; default: one per processor", false},
    {'o', "output", "FILE", "write the points: .csv, .h5 or .mat; \"-\": CSV on standard output",
     false},
    {0, "plot", "FILE.svg", "draw the section as SVG, PNG or PDF by its name", false},
    TOOL_SET_OPTION,
    {0, "json", NULL, "print as one JSON object", false},
};

const tool_command tool_command_poincare = {
    .name = "poincare",
    .arguments = "MODEL",
    .summary = "Poincar\xC3\xA9 section, period, Lyapunov exponent, basins",
    .text =
        "Simulates the model and records a point once per period (--period) or whenever a channel "
        "crosses a value (--event). Reports whether the points after the transient repeat, and "
        "their period. The duration of the analysis block is ignored.\n"
        "\n"
        "With --lyapunov a second trajectory starts near the first and is moved back close to it "
        "at every section: the mean growth of its distance is the largest Lyapunov exponent, also "
        "across impacts. A positive exponent means chaos.\n"
        "\n"
        "With --basin the model runs from random initial states, and the final orbits are grouped "
        "into attractors by their points.\n"
        "\n"
        "The figure shows the second channel over the first, or with one channel each value over "
        "the one before. With --basin, dots are initial states in the colour of their attractor, "
        "crosses are the points of periodic attractors.\n"
        "\n"
        "With --json, standard output is one object:\n"
        "\n"
        "  {\"status\": \"ok\" | \"failed\" | \"stopped\", \"error\": text if failed,\n"
        "   \"channels\": [name], \"period\": n or 0, \"candidate\": n, \"repeat_error\": share,\n"
        "   \"distinct\": n, \"lyapunov\": {\"per_second\", \"per_section\", \"standard_error\",\n"
        "   \"second_half\", \"sections\", \"merged\"}, \"extent\": [value], \"time\": [s],\n"
        "   \"section\": [[value]], \"errors\": [text], \"warnings\": [text], \"notes\": [text]}\n"
        "\n"
        "and with --basin instead of period to section: \"starts\": n, \"failed_starts\": n,\n"
        "\"attractors\": [{\"starts\": n, \"share\": number, and those keys}].\n"
        "\n"
        "Exit status: 0 done, 1 the run failed, 2 bad input, 130 stopped by Ctrl-C (the points so "
        "far are written), 143 by SIGTERM.\n"
        "\n"
        "Examples:\n"
        "\n"
        "  hooke poincare duffing.yaml --period period --channels x,v --lyapunov --plot p.svg\n"
        "  hooke poincare shaft.yaml --event shaft.angle=0 --modulo \"360 deg\" --channels lag\n"
        "  hooke poincare duffing.yaml --period period --channels x,v --basin 100 \\\n"
        "    --spread \"x0=-2:2 rad\" --spread \"v0=-1:1 rad/s\"\n",
    TOOL_OPTIONS(options),
    .min_words = 1,
    .max_words = 1,
    .run = run,
};
