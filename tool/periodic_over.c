/* hooke periodic --over: one orbit for each value of a parameter, each from the one before. */
#include "base/file.h"
#include "figure.h"
#include "linear.h"
#include "orbit.h"
#include "periodic.h"
#include "quantity.h"
#include "results/csv.h"
#include <hooke/model_file.h>
#include <hooke/plot.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DEFAULT_VALUES = 21, MOST_COLUMNS = 64, FIXED = 5 };

/* One row of the table: the value, whether an orbit was found, its period, residual, largest |mu|, then the columns. */
typedef struct row {
  bool found, fresh;
  double value, period, residual, error, mu;
  hk_stability stability;
  int periods;
  double column[MOST_COLUMNS];
  char *why; /* there is no orbit */
} row;

typedef struct over {
  const tool_args *args;
  tool_overrides overrides;
  hk_diag diag;
  hk_periodic_options o;
  char path[300], unit[64];
  char title[MOST_COLUMNS][200];
  char *channels;
  const char **channel;
  int n_channels, n_columns, n, done, found;
  row *rows;
  void *state; /* of the last orbit */
  size_t state_size;
  double period;
  tool_counter counter;
} over;

static hk_status read_axis(over *v, hk_error *err) {
  const char *text = tool_value(v->args, "over"), *equal = strchr(text, '=');
  double first, last;
  size_t length = equal ? (size_t)(equal - text) : 0;
  while (length > 0 && text[length - 1] == ' ') length--;
  if (length == 0 || length >= sizeof v->path)
    return hk_fail(
        err, HK_EINPUT,
        "--over needs PATH=FIRST:LAST:COUNT, such as \"speed = 1000:3000:41 rpm\", not '%s'", text);
  snprintf(v->path, sizeof v->path, "%.*s", (int)length, text);
  v->n = DEFAULT_VALUES;
  hk_status status = tool_range(equal + 1 + strspn(equal + 1, " "), NULL, "--over", &first, &last,
                                &v->n, v->unit, err);
  if (status) return status;
  if (v->n < 2) return hk_fail(err, HK_EINPUT, "--over needs at least 2 values, not %d", v->n);
  v->rows = calloc((size_t)v->n, sizeof *v->rows);
  if (!v->rows) return hk_fail(err, HK_ENOMEM, "out of memory");
  for (int i = 0; i < v->n; i++)
    v->rows[i].value = i == v->n - 1 ? last : first + i * (last - first) / (v->n - 1);
  return HK_OK;
}

static hk_status read_channels(over *v, hk_error *err) {
  const char *list = tool_value(v->args, "channels");
  size_t n = list ? strlen(list) + 1 : 1;
  v->channels = strdup(list ? list : "");
  v->channel = calloc(n, sizeof *v->channel);
  if (!v->channels || !v->channel) return hk_fail(err, HK_ENOMEM, "out of memory");
  v->n_channels = tool_split(v->channels, v->channel);
  if (2 * v->n_channels > MOST_COLUMNS / 2)
    return hk_fail(err, HK_EINPUT, "at most %d channels can be listed", MOST_COLUMNS / 4);
  return HK_OK;
}

static hk_model *read_model(over *v, double value, hk_diag *diag) {
  char text[128];
  hk_override *set = calloc((size_t)v->overrides.n + 1, sizeof *set);
  hk_model *model = NULL;
  if (set) {
    if (v->overrides.n) memcpy(set, v->overrides.set, (size_t)v->overrides.n * sizeof *set);
    snprintf(text, sizeof text, "%.17g%s%.60s", value, v->unit[0] ? " " : "", v->unit);
    set[v->overrides.n] = (hk_override){v->path, text};
    hk_spec *spec =
        hk_model_file_read_with(v->args->types, v->args->word[0], set, v->overrides.n + 1, diag);
    model = spec ? hk_model_compile(spec, diag) : NULL;
  } else {
    diag->out_of_memory = true;
  }
  free(set);
  return model;
}

/* ---- one value ---- */

typedef struct extremes {
  double *low, *high;
  int n;
} extremes;

static bool take_row(void *context, const double *value, int n) {
  extremes *e = context;
  for (int k = 1; k < n && k <= e->n; k++) {
    e->low[k - 1] = fmin(e->low[k - 1], value[k]);
    e->high[k - 1] = fmax(e->high[k - 1], value[k]);
  }
  return true;
}

/* Extremes of the channels and measures over one period. */
static hk_status measure(over *v, const hk_model *m, const hk_periodic *orbit, row *r,
                         hk_error *err) {
  double low[MOST_COLUMNS], high[MOST_COLUMNS];
  int channel[MOST_COLUMNS];
  hk_orbit_options only = {.n_channels = v->n_channels};
  hk_status status =
      hk_sweep_resolve(m, &(hk_sweep_names){.channel = v->channel}, &only, channel, err);
  if (status) return status;
  for (int k = 0; k < v->n_channels; k++) low[k] = INFINITY, high[k] = -INFINITY;
  extremes e = {low, high, v->n_channels};
  const hk_sim_options sim = {.stepper = orbit->stepper};
  const hk_run_options o = {.sim = &sim,
                            .channel = channel,
                            .n_channels = v->n_channels,
                            .row = take_row,
                            .context = &e,
                            .start = orbit->state,
                            .start_size = orbit->state_size,
                            .duration = orbit->period};
  hk_run_report report;
  status = hk_run(m, &o, &report, NULL);
  if (status < 0) *err = report.error;
  int n = 0;
  bool first = v->n_columns == 0;
  for (int k = 0; k < v->n_channels && !status; k++) {
    const char *unit = hk_model_channel_unit(m, channel[k]);
    if (first) snprintf(v->title[n], sizeof v->title[n], "%.120s min [%.40s]", v->channel[k], unit);
    r->column[n++] = low[k];
    if (first) snprintf(v->title[n], sizeof v->title[n], "%.120s max [%.40s]", v->channel[k], unit);
    r->column[n++] = high[k];
  }
  for (int k = 0; k < report.n_measures && !status && n < MOST_COLUMNS; k++) {
    if (first)
      snprintf(v->title[n], sizeof v->title[n], "%.120s [%.40s]", report.measure[k].name,
               report.measure[k].unit);
    r->column[n++] = report.measure[k].value;
  }
  if (first) v->n_columns = n;
  hk_run_report_free(&report);
  return status;
}

static hk_status solve(over *v, const hk_model *m, row *r, hk_periodic *orbit, hk_diag *diag,
                       hk_error *err) {
  hk_periodic_options o = v->o;
  hk_status status =
      tool_periodic_resolve(m, tool_value(v->args, "period"), tool_value(v->args, "turn"), &o, err);
  if (status) return status;
  *orbit = (hk_periodic){0};
  r->fresh = true;
  if (v->state) {
    o.start = v->state;
    o.start_size = v->state_size;
    o.start_period = v->period;
    if (o.unknown) o.period = v->period;
    if (o.method == HK_PERIODIC_AUTO) o.method = HK_PERIODIC_NEWTON;
    double from = o.from;
    o.from = 0;
    status = hk_periodic_run(m, &o, orbit, diag, err);
    if (status != HK_EFAIL && status != HK_EINPUT) {
      r->fresh = false;
      return status;
    }
    hk_periodic_free(orbit);
    o = v->o;
    o.from = from;
    status = tool_periodic_resolve(m, tool_value(v->args, "period"), tool_value(v->args, "turn"),
                                   &o, err);
  }
  return status ? status : hk_periodic_run(m, &o, orbit, diag, err);
}

static hk_status one_value(over *v, row *r, hk_error *err) {
  hk_diag diag;
  hk_periodic orbit = {0};
  hk_diag_init(&diag);
  hk_model *m = read_model(v, r->value, &diag);
  hk_status status = m ? solve(v, m, r, &orbit, &diag, err) : HK_EINPUT;
  if (!m) {
    char *text = tool_first_error(&diag);
    hk_fail(err, HK_EINPUT, "%s", text ? text : "out of memory");
    free(text);
  }
  r->period = orbit.period, r->residual = orbit.residual, r->error = orbit.error;
  r->periods = orbit.runs, r->stability = orbit.stability, r->mu = NAN;
  for (int i = 0; i < orbit.n_multipliers; i++)
    if (i == 0 || hypot(orbit.re[i], orbit.im[i]) > r->mu) r->mu = hypot(orbit.re[i], orbit.im[i]);
  if (!status) status = measure(v, m, &orbit, r, err);
  r->found = status == HK_OK;
  if (r->found) {
    free(v->state);
    v->state = orbit.state, v->state_size = orbit.state_size, v->period = orbit.period;
    orbit.state = NULL;
    v->found++;
  } else if (status == HK_EFAIL) { /* the others may have one */
    r->why = strdup(err->text);
    status = HK_OK;
  }
  hk_periodic_free(&orbit);
  hk_model_destroy(m);
  hk_diag_free(&diag);
  return status;
}

/* ---- tables and figure ---- */

static hk_status write_csv(const over *v, const char *path, hk_error *err) {
  hk_new_file file;
  char text[HK_CSV_NUMBER_SIZE];
  hk_status status = hk_new_file_open(&file, path, err);
  if (status) return status;
  fprintf(file.file, "%s [%s],found,period [s],residual,plain error,largest multiplier,stability",
          v->path, v->unit[0] ? v->unit : "1");
  for (int k = 0; k < v->n_columns; k++) fprintf(file.file, ",%s", v->title[k]);
  fputc('\n', file.file);
  for (int i = 0; i < v->done; i++) {
    const row *r = &v->rows[i];
    const double number[] = {r->value, r->found, r->period, r->residual, r->error, r->mu};
    for (int k = 0; k < 6; k++) {
      hk_csv_number(text, number[k]);
      fprintf(file.file, "%s%s", k ? "," : "", text);
    }
    fprintf(file.file, ",%s", tool_stability(r->stability));
    for (int k = 0; k < v->n_columns; k++) {
      hk_csv_number(text, r->found ? r->column[k] : NAN);
      fprintf(file.file, ",%s", text);
    }
    fputc('\n', file.file);
  }
  return hk_new_file_close(&file, HK_OK, err);
}

static void print_table(const over *v) {
  printf("%16.16s  %12s  %9s  %8s  %-9s", v->path, "period [s]", "error", "|mu|", "");
  for (int k = 0; k < v->n_columns && k < FIXED; k++) printf("  %20.20s", v->title[k]);
  putchar('\n');
  for (int i = 0; i < v->done; i++) {
    const row *r = &v->rows[i];
    printf("%16.9g  ", r->value);
    if (!r->found) {
      printf("no orbit: changes by %.2g per period\n", r->residual);
      continue;
    }
    printf("%12.7g  %9.1e  %8.5g  %-9s", r->period, r->error, r->mu,
           r->stability ? tool_stability(r->stability) : "");
    for (int k = 0; k < v->n_columns && k < FIXED; k++) printf("  %20.9g", r->column[k]);
    puts(r->fresh && i ? "  (new start)" : "");
  }
}

static void print_json(const over *v, hk_status status, const char *error) {
  tool_json j = {.out = stdout};
  tool_json_open(&j, NULL, '{');
  tool_json_text(&j, "status", status == HK_STOPPED ? "stopped" : error ? "failed" : "ok");
  if (error) tool_json_text(&j, "error", error);
  static const char *const fixed[] = {"value",    "found",       "period",
                                      "residual", "plain_error", "largest_multiplier"};
  tool_json_open(&j, "columns", '[');
  for (int k = 0; k < 6; k++) tool_json_text(&j, NULL, fixed[k]);
  for (int k = 0; k < v->n_columns; k++) tool_json_text(&j, NULL, v->title[k]);
  tool_json_close(&j, ']');
  tool_json_open(&j, "rows", '[');
  for (int i = 0; i < v->done; i++) {
    const row *r = &v->rows[i];
    const double number[] = {r->value, r->found, r->period, r->residual, r->error, r->mu};
    tool_json_open(&j, NULL, '[');
    for (int k = 0; k < 6; k++) tool_json_real(&j, NULL, number[k]);
    for (int k = 0; k < v->n_columns; k++) tool_json_real(&j, NULL, r->found ? r->column[k] : NAN);
    tool_json_close(&j, ']');
  }
  tool_json_close(&j, ']');
  tool_linear_json_messages(&j, &v->diag);
  tool_json_close(&j, '}');
  putchar('\n');
}

/* Each column over the value; unstable orbits as open markers. */
static hk_status draw(const over *v, const char *path, hk_error *err) {
  enum { MOST_PANELS = 6 };
  int panels = v->n_columns < MOST_PANELS ? v->n_columns : MOST_PANELS;
  if (panels == 0)
    return hk_fail(err, HK_EINPUT,
                   "--plot has nothing to draw: the model has no measures; give --channels NAMES");
  size_t n = (size_t)v->done;
  double *x = malloc((2 * n + 1) * (size_t)(panels + 1) * sizeof *x), *at = x;
  hk_plot_series series[MOST_PANELS][2];
  hk_plot_panel panel[MOST_PANELS] = {{{0}}};
  char label[400];
  if (!x) return hk_fail(err, HK_ENOMEM, "out of memory");
  snprintf(label, sizeof label, "%.299s [%.63s]", v->path, v->unit[0] ? v->unit : "1");
  for (size_t i = 0; i < n; i++) *at++ = v->rows[i].value;
  for (int k = 0; k < panels; k++) {
    for (int part = 0; part < 2; part++) {
      series[k][part] = (hk_plot_series){.name = !v->o.floquet ? NULL
                                                 : part        ? "unstable or undecided"
                                                               : "stable",
                                         .x = x,
                                         .y = at,
                                         .n = (int64_t)n,
                                         .line = part ? HK_LINE_NONE : HK_LINE_SOLID,
                                         .marker = part ? HK_MARKER_CIRCLE : HK_MARKER_DOT};
      for (size_t i = 0; i < n; i++) {
        const row *r = &v->rows[i];
        bool stable = r->stability == HK_STABLE || !r->stability;
        *at++ = r->found && stable == !part ? r->column[k] : NAN;
      }
    }
    panel[k] = (hk_plot_panel){.x = {.label = label},
                               .y = {.label = v->title[k]},
                               .series = series[k],

                               .n_series = 2};
  }
  const hk_plot_figure figure = {.panel = panel, .n_panels = panels};
  hk_status status = tool_figure_save(&figure, path, err);
  free(x);
  return status;
}

/* ---- command ---- */

static hk_status compute(over *v, hk_error *err) {
  if (strcmp(v->args->word[0], "-") == 0)
    return hk_fail(err, HK_EINPUT, "the model is read once per value, so it must be a file, not standard input");
  hk_status status = tool_periodic_options(v->args, &v->o, err);
  if (!status) status = read_axis(v, err);
  if (!status) status = read_channels(v, err);
  if (!status) status = tool_overrides_read(&v->overrides, v->args, &v->diag);
  if (status) return status;
  tool_catch_signals();
  tool_counter_begin(&v->counter, false);
  for (int i = 0; i < v->n && !status; i++) {
    status = one_value(v, &v->rows[i], err);
    if (!status) v->done++;
    tool_counter_draw(&v->counter, v->done, v->n);
    if (!status && i == 0) status = tool_outputs_check(v->args, err);
  }
  tool_counter_end(&v->counter);
  return status;
}

static hk_status show(over *v, hk_status ran, hk_error *err) {
  const char *output = tool_value(v->args, "output"), *plot = tool_value(v->args, "plot");
  hk_status status = HK_OK;
  for (int i = 0; i < v->done; i++)
    if (v->rows[i].why) {
      hk_diag_add(&v->diag, HK_WARNING, &(hk_location){.file = v->args->word[0]},
                  "%d of %d values have no orbit; the first is %g %s: %s", v->done - v->found,
                  v->done, v->rows[i].value, v->unit, v->rows[i].why);
      break;
    }
  if (output) status = write_csv(v, output, err);
  if (!status && plot && v->found) status = draw(v, plot, err);
  if (!status && !tool_flag(v->args, "json") && (!output || strcmp(output, "-") != 0))
    print_table(v);
  if (!status && !ran && v->found == 0)
    status = hk_fail(err, HK_EFAIL, "no orbit was found at any of the values");
  return status;
}

int tool_periodic_over(const tool_args *args) {
  over v = {.args = args};
  hk_error err = {0};
  hk_diag_init(&v.diag);
  hk_status status = compute(&v, &err);
  if (status == HK_OK || status == HK_STOPPED) {
    hk_status shown = show(&v, status, &err);
    if (shown) status = shown;
  }
  if (status < 0 && v.diag.n_errors == 0)
    hk_diag_add(&v.diag, HK_ERROR, &(hk_location){"hooke", 0, 0}, "%s", err.text);
  tool_print_diag(&v.diag, 0);
  if (tool_flag(args, "json")) print_json(&v, status, status < 0 ? err.text : NULL);
  for (int i = 0; i < v.n && v.rows; i++) free(v.rows[i].why);
  free(v.rows);
  free(v.state);
  free(v.channels);
  free(v.channel);
  tool_overrides_free(&v.overrides);
  hk_diag_free(&v.diag);
  return status == HK_STOPPED ? 128 + tool_stop_signal() : tool_exit_code(status);
}
