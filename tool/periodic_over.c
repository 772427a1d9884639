/* hooke periodic --over: one orbit for each value of a parameter, each from the one before. */
#include "periodic_over.h"
#include "orbit.h"
#include "quantity.h"
#include <hooke/model_file.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DEFAULT_VALUES = 21, MOST_COLUMNS = TOOL_OVER_MOST_COLUMNS };

static hk_status read_axis(tool_over *v, hk_error *err) {
  const char *text = tool_value(v->args, "over"), *equal = text ? strchr(text, '=') : NULL;
  size_t length = equal ? (size_t)(equal - text) : 0;
  while (length > 0 && text[length - 1] == ' ') length--;
  if (length == 0 || length >= sizeof v->path)
    return hk_fail(
        err, HK_EINPUT,
        "--over needs PATH=FIRST:LAST:COUNT, such as \"speed = 1000:3000:41 rpm\", not '%s'",
        text ? text : "");
  snprintf(v->path, sizeof v->path, "%.*s", (int)length, text);
  v->n = DEFAULT_VALUES;
  hk_status status = tool_range(equal + 1 + strspn(equal + 1, " "), NULL, "--over", &v->first,
                                &v->last, &v->n, v->unit, err);
  if (status) return status;
  if (v->n < 2) return hk_fail(err, HK_EINPUT, "--over needs at least 2 values, not %d", v->n);
  return HK_OK;
}

static hk_status read_channels(tool_over *v, hk_error *err) {
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

hk_model *tool_over_model(const tool_over *v, double value, hk_diag *diag) {
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
  /* checked here, because now all input files are known and no orbit has been computed */
  hk_error err = {0};
  if (model && tool_outputs_check(v->args, &err)) {
    hk_diag_add(diag, HK_ERROR, &(hk_location){v->args->word[0], 0, 0}, "%s", err.text);
    hk_model_destroy(model);
    model = NULL;
  }
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

/* Computes extremes of the channels, and measures, over one period. */
hk_status tool_over_measure(tool_over *v, const hk_model *m, const hk_periodic *orbit,
                            tool_over_row *r, hk_error *err) {
  double low[MOST_COLUMNS], high[MOST_COLUMNS];
  int channel[MOST_COLUMNS];
  hk_orbit_options only = {.n_channels = v->n_channels};
  hk_status status =
      hk_sweep_resolve(m, &(hk_sweep_names){.channel = v->channel}, &only, channel, err);
  if (status) return status;
  for (int k = 0; k < v->n_channels; k++) low[k] = INFINITY, high[k] = -INFINITY;
  extremes e = {low, high, v->n_channels};
  const hk_sim_options sim = {.stepper = orbit->choose};
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

static hk_status solve(tool_over *v, const hk_model *m, tool_over_row *r, hk_periodic *orbit,
                       hk_diag *diag, hk_error *err) {
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

void tool_over_take(tool_over_row *r, const hk_periodic *orbit) {
  r->period = orbit->period, r->residual = orbit->residual, r->error = orbit->error;
  r->periods = orbit->runs, r->steps = orbit->steps, r->stability = orbit->stability, r->mu = NAN;
  for (int i = 0; i < orbit->n_multipliers; i++)
    if (i == 0 || hypot(orbit->re[i], orbit->im[i]) > r->mu)
      r->mu = hypot(orbit->re[i], orbit->im[i]);
}

static hk_status one_value(tool_over *v, tool_over_row *r, hk_error *err) {
  hk_diag diag;
  hk_periodic orbit = {0};
  hk_diag_init(&diag);
  hk_model *m = tool_over_model(v, r->value, &diag);
  hk_status status = m ? solve(v, m, r, &orbit, &diag, err) : HK_EINPUT;
  if (!m) {
    char *text = tool_first_error(&diag);
    hk_fail(err, HK_EINPUT, "%s", text ? text : "out of memory");
    free(text);
  }
  tool_over_take(r, &orbit);
  if (!status) status = tool_over_measure(v, m, &orbit, r, err);
  r->found = status == HK_OK;
  if (r->found) {
    free(v->state);
    v->state = orbit.state, v->state_size = orbit.state_size, v->period = orbit.period;
    orbit.state = NULL;
    v->found++;
  } else if (status == HK_EFAIL) { /* this value has no orbit, but others may have one */
    r->why = strdup(err->text);
    status = HK_OK;
  }
  hk_periodic_free(&orbit);
  hk_model_destroy(m);
  hk_diag_free(&diag);
  return status;
}

/* ---- command ---- */

hk_status tool_over_begin(tool_over *v, hk_error *err) {
  if (strcmp(v->args->word[0], "-") == 0)
    return hk_fail(err, HK_EINPUT,
                   "the model is read once per value, so it must be a file, not standard input");
  hk_status status = tool_periodic_options(v->args, &v->o, err);
  if (!status) status = read_axis(v, err);
  if (!status) status = read_channels(v, err);
  if (!status) status = tool_overrides_read(&v->overrides, v->args, &v->diag);
  return status;
}

static hk_status compute(tool_over *v, hk_error *err) {
  hk_status status = HK_OK;
  v->rows = calloc((size_t)v->n, sizeof *v->rows);
  if (!v->rows) return hk_fail(err, HK_ENOMEM, "out of memory");
  for (int i = 0; i < v->n; i++)
    v->rows[i].value = i == v->n - 1 ? v->last : v->first + i * (v->last - v->first) / (v->n - 1);
  tool_catch_signals();
  tool_counter_begin(&v->counter, false);
  for (int i = 0; i < v->n && !status; i++) {
    status = one_value(v, &v->rows[i], err);
    if (!status) v->done++;
    tool_counter_draw(&v->counter, v->done, v->n);
  }
  tool_counter_end(&v->counter);
  return status;
}

static hk_status check(const tool_args *args, hk_error *err) {
  if (tool_value(args, "start-at") && !tool_flag(args, "through"))
    return hk_fail(err, HK_EINPUT, "--start-at can only be used with --through");
  return HK_OK;
}

int tool_periodic_over(const tool_args *args) {
  tool_over v = {.args = args, .through = tool_flag(args, "through")};
  hk_error err = {0};
  hk_diag_init(&v.diag);
  hk_status status = check(args, &err);
  if (!status) status = tool_over_begin(&v, &err);
  if (!status) status = v.through ? tool_over_through(&v, &err) : compute(&v, &err);
  if (status == HK_OK || status == HK_STOPPED) {
    hk_status shown = tool_over_show(&v, status, &err);
    if (shown) status = shown;
  }
  return tool_over_end(&v, status, &err);
}
