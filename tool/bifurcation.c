/* hooke bifurcation: orbits over a parameter. */
#include "results/csv.h"
#include "base/file.h"
#include "results/matrix_file.h"
#include "figure.h"
#include "linear.h"
#include "orbit.h"
#include "quantity.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DEFAULT_VALUES = 100, DEFAULT_SKIP = 200, DEFAULT_POINTS = 100, MOST_PANELS = 8 };

typedef struct bifurcation {
  tool_orbit t;
  char path[300], unit[64];
  double *value;
  int n, jobs;
  bool carry_on, both;
  hk_orbit_sweep sweep;
  tool_counter counter;
} bifurcation;

/* ---- arguments and running ---- */

static hk_status read_axis(bifurcation *b, const char *text, hk_error *err) {
  const char *equal = text ? strchr(text, '=') : NULL;
  double first, last;
  if (!equal || equal == text || (size_t)(equal - text) >= sizeof b->path)
    return hk_fail(err, HK_EINPUT,
                   "no parameter to vary; give --over PATH=FIRST:LAST:COUNT, such as --over "
                   "\"parameters.C=0:500:400 um\"");
  snprintf(b->path, sizeof b->path, "%.*s", (int)(equal - text), text);
  b->n = DEFAULT_VALUES;
  hk_status status = tool_range(equal + 1, NULL, "--over", &first, &last, &b->n, b->unit, err);
  if (status) return status;
  b->value = calloc((size_t)b->n + 1, sizeof *b->value);
  if (!b->value) return hk_fail(err, HK_ENOMEM, "out of memory");
  for (int i = 0; i < b->n; i++)
    b->value[i] = i == b->n - 1 ? last : first + i * (last - first) / (b->n - 1);
  return HK_OK;
}

static bool goes_on(void *context, const hk_orbit_sweep *now) {
  bifurcation *b = context;
  tool_counter_draw(&b->counter, now->n_done, now->n_all);
  return tool_stop_signal() == 0;
}

static hk_status sweep(bifurcation *b, const tool_args *args, hk_error *err) {
  tool_overrides overrides;
  const hk_sweep_axis axis = {b->path, b->unit};
  hk_status status = tool_overrides_read(&overrides, args, &b->t.model.diag);
  const hk_orbit_sweep_options o = {.model_path = args->word[0],
                                    .types = args->types,
                                    .set = overrides.set,
                                    .n_set = overrides.n,
                                    .axis = &axis,
                                    .n_axes = 1,
                                    .orbit = b->t.o,
                                    .names = b->t.names,
                                    .carry_on = b->carry_on,
                                    .both = b->both,
                                    .jobs = b->jobs,
                                    .go_on = goes_on,
                                    .context = b};
  tool_catch_signals();
  tool_counter_begin(&b->counter, false);
  if (!status) status = hk_orbit_sweep_run(&o, b->value, b->n, &b->sweep, &b->t.model.diag, err);
  tool_counter_end(&b->counter);
  tool_overrides_free(&overrides);
  return status;
}

static bool good(const hk_sweep_point *p) { return p->done && p->status == HK_OK; }

static int count_points(const bifurcation *b) {
  int n = 0;
  for (int i = 0; i < b->sweep.n_all; i++)
    if (good(&b->sweep.point[i])) n += b->sweep.point[i].orbit.n;
  return n;
}

/* ---- figure ---- */

typedef struct drawing {
  double *x, *y; /* values of all points: [n], [channels][n] */
  double *value, *exponent;
  hk_plot_series series[MOST_PANELS][2], line[2];
  hk_plot_panel panel[MOST_PANELS];
} drawing;

/* Adds the points of one sweep; stores *n points from `at` on. */
static void add_way(const bifurcation *b, drawing *d, bool down, int all, int at, int *n) {
  *n = 0;
  for (int i = 0; i < b->sweep.n_all; i++) {
    const hk_sweep_point *p = &b->sweep.point[i];
    if (!good(p) || p->down != down) continue;
    for (int k = 0; k < p->orbit.n; k++, ++*n) {
      d->x[at + *n] = p->value[0];
      for (int c = 0; c < p->orbit.n_channels; c++)
        d->y[(size_t)c * (size_t)all + (size_t)(at + *n)] =
            p->orbit.point[(size_t)k * (size_t)p->orbit.n_channels + (size_t)c];
    }
  }
}

static hk_status prepare(const bifurcation *b, drawing *d, int *n_panels, hk_error *err) {
  int all = count_points(b), m = b->t.o.n_channels, ways = b->sweep.n_all > b->sweep.n ? 2 : 1;
  const hk_plot_axis over = {.label = b->path, .unit = b->unit, .tight = true};
  d->x = malloc(((size_t)all + 1) * sizeof *d->x);
  d->y = malloc(((size_t)all * (size_t)m + 1) * sizeof *d->y);
  d->value = malloc(2 * ((size_t)b->sweep.n_all + 1) * sizeof *d->value);
  if (!d->x || !d->y || !d->value) return hk_fail(err, HK_ENOMEM, "out of memory");
  d->exponent = d->value + b->sweep.n_all;
  *n_panels = 0;
  for (int w = 0, at = 0, n; w < ways; w++, at += n) {
    add_way(b, d, w == 1, all, at, &n);
    for (int c = 0; c < m && c < MOST_PANELS - 1; c++)
      d->series[c][w] = (hk_plot_series){.name = ways == 1 ? NULL
                                                 : w       ? "in decreasing direction"
                                                           : "there",
                                         .x = d->x + at,
                                         .y = d->y + (size_t)c * (size_t)all + (size_t)at,
                                         .n = n,
                                         .line = HK_LINE_NONE,
                                         .marker = HK_MARKER_POINT,
                                         .colour = HK_COLOUR_FIRST + w,
                                         .width = 1.4};
    for (int i = 0; i < b->sweep.n; i++) {
      const hk_sweep_point *p = &b->sweep.point[w * b->sweep.n + i];
      d->value[w * b->sweep.n + i] = p->value[0];
      d->exponent[w * b->sweep.n + i] = good(p) ? p->orbit.exponent.per_second : NAN;
    }
    d->line[w] = (hk_plot_series){.x = d->value + w * b->sweep.n,
                                  .y = d->exponent + w * b->sweep.n,
                                  .n = b->sweep.n,
                                  .colour = HK_COLOUR_FIRST + w,
                                  .width = 1.1};
  }
  for (int c = 0; c < m && c < MOST_PANELS - 1; c++)
    d->panel[(*n_panels)++] =
        (hk_plot_panel){.x = over,
                        .y = {.label = b->t.channel[c],
                              .unit = hk_model_channel_unit(b->t.model.model, b->t.index[c])},
                        .series = d->series[c],
                        .n_series = ways};
  if (b->t.o.lyapunov)
    d->panel[(*n_panels)++] = (hk_plot_panel){.x = over,
                                              .y = {.label = "Lyapunov exponent", .unit = "1/s"},
                                              .series = d->line,
                                              .n_series = ways,
                                              .zero_lines = true};
  return HK_OK;
}

static hk_status draw(const bifurcation *b, const char *path, hk_error *err) {
  drawing *d = calloc(1, sizeof *d);
  int n = 0;
  hk_status status = d ? prepare(b, d, &n, err) : hk_fail(err, HK_ENOMEM, "out of memory");
  const char *title = hk_model_title(b->t.model.model);
  if (!status) {
    const hk_plot_figure figure = {.title = "Bifurcation diagram",
                                   .subtitle = title && title[0] ? title : b->t.model.path,
                                   .panel = d->panel,
                                   .n_panels = n,
                                   .share_x = true,
                                   .width = 860,
                                   .panel_height = n == 1   ? 420
                                                   : n == 2 ? 280
                                                            : 220};
    status = tool_figure_save(&figure, path, err);
  }
  if (d) {
    free(d->x);
    free(d->y);
    free(d->value);
  }
  free(d);
  return status;
}

/* ---- tables ---- */

/* Columns of the table before the point: parameter value, and kind of orbit. */
enum { HEAD = 5 };
static void fill_row(const hk_sweep_point *p, int i, double *row) {
  const hk_orbit *o = &p->orbit;
  row[0] = p->value[0];
  row[1] = o->repeat.period;
  row[2] = o->exponent.per_second;
  row[3] = p->down;
  row[4] = o->time[i];
  memcpy(row + HEAD, o->point + (size_t)i * (size_t)o->n_channels,
         (size_t)o->n_channels * sizeof *row);
}

static hk_status write_csv(const bifurcation *b, const char *path, hk_error *err) {
  int m = HEAD + b->t.o.n_channels;
  hk_new_file output;
  hk_status status = hk_new_file_open(&output, path, err);
  if (status) return status;
  double *row = calloc((size_t)m, sizeof *row);
  if (!row) return hk_new_file_close(&output, hk_fail(err, HK_ENOMEM, "out of memory"), err);
  FILE *out = output.file;
  fprintf(out, "%s [%s],period,exponent [1/s],back,time [s]", b->path, b->unit[0] ? b->unit : "1");
  tool_csv_titles(&b->t, out);
  for (int i = 0; i < b->sweep.n_all; i++)
    for (int k = 0; good(&b->sweep.point[i]) && k < b->sweep.point[i].orbit.n; k++) {
      fill_row(&b->sweep.point[i], k, row);
      for (int c = 0; c < m; c++) {
        char text[HK_CSV_NUMBER_SIZE];
        hk_csv_number(text, row[c]);
        fprintf(out, "%s%s", c ? "," : "", text);
      }
      fputc('\n', out);
    }
  free(row);
  return hk_new_file_close(&output, HK_OK, err);
}

static hk_status write_matrices(const bifurcation *b, const char *path, hk_error *err) {
  int m = HEAD + b->t.o.n_channels, rows = 0;
  double *point = malloc(((size_t)count_points(b) + 1) * (size_t)m * sizeof *point);
  const char **label = calloc((size_t)m, sizeof *label);
  if (!point || !label) {
    free(point);
    free(label);
    return hk_fail(err, HK_ENOMEM, "out of memory");
  }
  for (int i = 0; i < b->sweep.n_all; i++)
    for (int k = 0; good(&b->sweep.point[i]) && k < b->sweep.point[i].orbit.n; k++)
      fill_row(&b->sweep.point[i], k, point + (size_t)rows++ * (size_t)m);
  static const char *const head[HEAD] = {NULL, "period", "exponent", "back", "time"};
  for (int c = 0; c < m; c++)
    label[c] = c == 0 ? b->path : c < HEAD ? head[c] : b->t.channel[c - HEAD];
  const hk_named_matrix matrix[] = {{.name = "points", .rows = rows, .columns = m, .value = point},
                                    {.name = "columns", .rows = m, .columns = 1, .label = label}};
  hk_status status = hk_matrix_file_write(path, matrix, 2, err);
  free(label);
  free(point);
  return status;
}

static hk_status write_points(const bifurcation *b, const char *path, hk_error *err) {
  return tool_is_csv(path) ? write_csv(b, path, err) : write_matrices(b, path, err);
}

/* ---- reports ---- */

static void print_json(const bifurcation *b, hk_status status, const char *error) {
  tool_json j = {.out = stdout};
  tool_json_open(&j, NULL, '{');
  tool_json_text(&j, "status", error ? "failed" : status == HK_STOPPED ? "stopped" : "ok");
  if (error) tool_json_text(&j, "error", error);
  tool_json_text(&j, "parameter", b->path);
  tool_json_text(&j, "unit", b->unit);
  tool_json_open(&j, "channels", '[');
  for (int k = 0; k < b->t.o.n_channels && b->t.channel; k++)
    tool_json_text(&j, NULL, b->t.channel[k]);
  tool_json_close(&j, ']');
  tool_json_int(&j, "failed_points", b->sweep.n_failed);
  tool_json_open(&j, "points", '[');
  for (int i = 0; i < b->sweep.n_all && b->sweep.point; i++) {
    const hk_sweep_point *p = &b->sweep.point[i];
    if (!p->done) continue;
    tool_json_open(&j, NULL, '{');
    tool_json_real(&j, "value", p->value[0]);
    tool_json_text(&j, "status", p->status ? "failed" : "ok");
    if (p->message) tool_json_text(&j, "error", p->message);
    if (b->carry_on) tool_json_int(&j, "back", p->down);
    if (b->carry_on) tool_json_int(&j, "fresh", p->fresh);
    if (!p->status) tool_orbit_json(&j, &b->t, &p->orbit);
    tool_json_close(&j, '}');
  }
  tool_json_close(&j, ']');
  tool_linear_json_messages(&j, &b->t.model.diag);
  tool_json_close(&j, '}');
  putchar('\n');
}

static bool alike(const hk_sweep_point *a, const hk_sweep_point *b) {
  return a->down == b->down && a->orbit.repeat.period == b->orbit.repeat.period;
}

/* Prints adjacent values with the same period as one line. */
static void print_report(const bifurcation *b, hk_status status) {
  const hk_orbit_sweep *w = &b->sweep;
  if (status == HK_STOPPED) printf("stopped after %d of %d values\n", w->n_done, w->n_all);
  for (int i = 0; i < w->n_all;) {
    const hk_sweep_point *p = &w->point[i];
    int last = i, next = i + 1;
    double low = INFINITY, high = -INFINITY;
    if (!good(p)) {
      i++;
      continue;
    }
    for (int k = i; k < w->n_all && (!good(&w->point[k]) || alike(&w->point[k], p)); k++) {
      next = k + 1;
      if (!good(&w->point[k])) continue;
      last = k;
      low = fmin(low, w->point[k].orbit.exponent.per_second);
      high = fmax(high, w->point[k].orbit.exponent.per_second);
    }
    printf("%s%s %10.6g", p->down ? "back, " : "", b->path, p->value[0]);
    if (last > i) printf(" to %-10.6g", w->point[last].value[0]);
    printf(" %s  ", b->unit);
    if (p->orbit.repeat.period)
      printf("period %d", p->orbit.repeat.period);
    else
      printf(p->orbit.repeat.candidate ? "not periodic" : "too few points for a period");
    if (low <= high) printf("  exponent %.4g to %.4g 1/s", low, high);
    putchar('\n');
    i = next;
  }
}

static void tell_failures(bifurcation *b) {
  const hk_orbit_sweep *w = &b->sweep;
  int fresh = 0;
  for (int i = 0; i < w->n_all; i++) fresh += w->point[i].fresh && good(&w->point[i]) && i % w->n;
  if (fresh)
    hk_diag_add(&b->t.model.diag, HK_WARNING, &(hk_location){b->t.model.path, 0, 0},
                "%d values could not be continued from the previous orbit and started from the "
                "initial state",
                fresh);
  for (int i = 0; i < w->n_all && w->n_failed; i++)
    if (w->point[i].message) {
      hk_diag_add(&b->t.model.diag, HK_WARNING, &(hk_location){b->t.model.path, 0, 0},
                  "%d of %d values are omitted; reason of the first, %s = %.9g %s: %s", w->n_failed,
                  w->n_done, b->path, w->point[i].value[0], b->unit, w->point[i].message);
      return;
    }
}

/* ---- command ---- */

static hk_status compute(bifurcation *b, const tool_args *args, hk_error *err) {
  const char *figure = tool_value(args, "plot"), *points = tool_value(args, "output"),
             *jobs = tool_value(args, "jobs");
  b->carry_on = tool_flag(args, "continue") || tool_flag(args, "both");
  b->both = tool_flag(args, "both");
  if (strcmp(args->word[0], "-") == 0)
    return hk_fail(err, HK_EINPUT,
                   "the model is read once per value, so it must be a file, not standard input");
  hk_status status = tool_orbit_open(&b->t, args, DEFAULT_SKIP, DEFAULT_POINTS, err);
  if (!status) status = read_axis(b, tool_value(args, "over"), err);
  if (!status && jobs) status = tool_count(jobs, "--jobs", 1, 256, &b->jobs, err);
  if (!status && points && strcmp(points, "-") != 0) status = hk_matrix_file_check(points, err);
  if (!status) status = sweep(b, args, err);
  if (status < 0) return status;
  tell_failures(b);
  hk_status saved = points ? write_points(b, points, err) : HK_OK;
  if (!saved && figure && count_points(b)) saved = draw(b, figure, err);
  return saved ? saved : status;
}

static int run(const tool_args *args) {
  bifurcation b = {0};
  hk_error err = {0};
  hk_status status = compute(&b, args, &err);
  const tool_orbit_end end = tool_orbit_finish(&b.t, args, status, &err);
  if (end.json)
    print_json(&b, status, end.error);
  else if (end.report)
    print_report(&b, status);
  free(end.text);
  free(b.value);
  hk_orbit_sweep_free(&b.sweep);
  tool_orbit_free(&b.t);
  return end.code;
}

static const tool_option options[] = {
    {0, "over", "PATH=RANGE",
     "value of the model to change and its range, FIRST:LAST or FIRST:LAST:COUNT with a unit after "
     "it: \"parameters.C=0:500:400 um\"",
     false},
    TOOL_ORBIT_OPTIONS,
    {0, "lyapunov", NULL, "compute the largest Lyapunov exponent at every value", false},
    {0, "continue", NULL, "start each value at the final state of the previous one, in one process",
     false},
    {0, "both", NULL, "as --continue, upwards and then back, to show hysteresis", false},
    {0, "jobs", "COUNT", "processes; default: one per processor", false},
    {'o', "output", "FILE", "write the points: .csv, .h5 or .mat; \"-\": CSV on standard output",
     false},
    {0, "plot", "FILE.svg", "draw the diagram as SVG, PNG or PDF by its name", false},
    TOOL_SET_OPTION,
    {0, "json", NULL, "print as one JSON object", false},
};

const tool_command tool_command_bifurcation = {
    .name = "bifurcation",
    .arguments = "MODEL",
    .summary = "Poincar\xC3\xA9 sections over a parameter, with periods and Lyapunov exponents",
    .text =
        "Reads the model again for each value of one parameter, skips the transient and records "
        "points of a Poincar\xC3\xA9 section, as `hooke poincare` does for one value. Prints the "
        "period of the motion for each range of the parameter; --plot draws the points over the "
        "parameter and, with --lyapunov, the exponent in a second panel.\n"
        "\n"
        "Each value starts from the initial state of the file and is independent of the others: "
        "the work is distributed over several processes, and the result does not depend on their "
        "number. With --continue each value starts from the final state of the previous one "
        "instead.\n"
        "\n"
        "A value that fails is omitted with a warning. Ctrl-C (or SIGTERM) stops the command: the "
        "points so far are written.\n"
        "\n"
        "With --json, standard output is one object:\n"
        "\n"
        "  {\"status\": \"ok\" | \"failed\" | \"stopped\", \"error\": text if failed,\n"
        "   \"parameter\": path, \"unit\": unit, \"channels\": [name], \"failed_points\": n,\n"
        "   \"points\": [{\"value\": number, \"status\": \"ok\" | \"failed\", \"error\": text,\n"
        "   and the keys of `hooke poincare`}],\n"
        "   \"errors\": [text], \"warnings\": [text], \"notes\": [text]}\n"
        "\n"
        "Exit status: 0 done, 1 all values failed, 2 bad input, 130 stopped by Ctrl-C, 143 by "
        "SIGTERM.\n"
        "\n"
        "Examples:\n"
        "\n"
        "  hooke bifurcation joint.yaml --over \"parameters.C=0:500:400 um\" --period \"62.8 ms\" "
        "\\\n"
        "    --channels delta --skip 200 --points 100 --lyapunov --plot diagram.svg\n"
        "  hooke bifurcation duffing.yaml --over \"F=0.2:0.6:200\" --period period --channels x "
        "\\\n"
        "    --both --plot both.svg\n",
    TOOL_OPTIONS(options),
    .min_words = 1,
    .max_words = 1,
    .run = run,
};
