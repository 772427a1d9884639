/* A whole run: simulate, record, measure.  See include/hooke/run.h. */
#include "study/run_measures.h"
#include "study/run_between.h"
#include "results/pattern.h"
#include "control/event.h"
#include "control/fmu_start.h"
#include "control/missed_events.h"
#include "base/options.h"
#include "sim/fmu_partners.h"
#include "sim/quality.h"
#include "sim/recording.h"
#include "study/run_results.h"
#include <hooke/run.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { DEFAULT_INTERVALS = 400, RESERVED = 10000 };
static const double MAX_INTERVALS = 1e9;

typedef struct run {
  const hk_model *model;
  const hk_run_options *options;
  hk_sim_options sim_options;
  hk_recording *recording;
  hk_run_report *report;
  hk_diag *diag;
  hk_sim *sim;
  hk_run_measures measures;
  hk_passed passed;
  hk_results_writer *writer;
  int *column; /* channels that are recorded */
  double *row;
  hk_between between;
  int n_columns;
  double output_step, began;
  /* first recorded channel without a value (-1: all have one), number of such channels, and time of the first NaN */
  int not_a_number;
  int n_not_a_number;
  double not_a_number_at;
  bool *told; /* [n_columns] */
  int64_t n_intervals;
} run;

static double wall_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* ---- before the first step ---- */

static const hk_item *find_analysis(const hk_model *m) {
  for (int i = 0; i < m->spec->n[HK_ANALYSIS]; i++)
    if (strcmp(m->spec->item[HK_ANALYSIS][i]->type->name, "dynamics") == 0)
      return m->spec->item[HK_ANALYSIS][i];
  return NULL;
}

/* Determines the time span and the times to record; out = NULL: only checks. */
static hk_status plan(const hk_model *m, run *out, hk_diag *diag) {
  const hk_item *item = find_analysis(m);
  if (!item)
    return hk_diag_add(diag, HK_ERROR, m->spec->file ? &(hk_location){m->spec->file, 1, 1} : NULL,
                       "the model has no analysis to run: add one, such as "
                       "'analysis: {duration: 10 s}'");
  const hk_analysis_dynamics *d = HK_DATA(item, hk_analysis_dynamics);
  double end = d->start + d->duration;
  double step = d->output_step > 0 ? d->output_step : d->duration / DEFAULT_INTERVALS;
  if (!(d->duration > 0) || !isfinite(end) || !(end > d->start))
    return hk_diag_add(diag, HK_ERROR, hk_item_location(item, "duration"),
                       "the duration of a run from %g s over %g s is below the time resolution",
                       d->start, d->duration);
  if (!(d->duration / step <= MAX_INTERVALS))
    return hk_diag_add(diag, HK_ERROR, hk_item_location(item, "output_step"),
                       "recording every %g s over %g s makes more than %g rows; use a larger "
                       "output_step",
                       step, d->duration, MAX_INTERVALS);
  if (!out) return HK_OK;
  if (d->step > 1.001 * step)
    hk_diag_add(
        diag, HK_WARNING, hk_item_location(item, "step"),
        "step %g s is longer than output_step %g s: steps are shortened to end at output times",
        d->step, step);
  if (out->options->output_interval_factor > 0) step *= out->options->output_interval_factor;
  out->report->start = out->report->t = d->start;
  out->report->end = end;
  out->output_step = step;
  /* If the last interval is shorter than a billionth of the others, it is only round-off. */
  out->n_intervals = (int64_t)fmax(1, ceil(d->duration / step - 1e-9));
  return HK_OK;
}

hk_status hk_run_check(const hk_model *model, hk_diag *diag) {
  hk_run_measures measures;
  hk_diag unread;
  if (!model) return hk_diag_add(diag, HK_ERROR, NULL, HK_NO_MODEL);
  hk_diag_init(&unread);
  if (!diag) diag = &unread;
  hk_status status = plan(model, NULL, diag);
  hk_status measured = hk_run_measures_init(&measures, model, diag);
  hk_run_measures_free(&measures);
  hk_diag_free(&unread);
  return status ? status : measured;
}

/* Lists the channels given by the caller, after the time. */
static hk_status list_columns(run *r, hk_error *err) {
  const hk_run_options *o = r->options;
  r->column[r->n_columns++] = 0;
  for (int k = 0; k < o->n_channels; k++) {
    if (o->channel[k] < 0 || o->channel[k] >= hk_model_channel_count(r->model))
      return hk_fail(err, HK_EINPUT, "channel[%d] = %d: the model has channels 0 to %d", k,
                     o->channel[k], hk_model_channel_count(r->model) - 1);
    if (o->channel[k] > 0) r->column[r->n_columns++] = o->channel[k];
  }
  return HK_OK;
}

/* Chooses the channels to record: time and those that match, or all except the internal channels of
 * composite joints. */
static hk_status choose_columns(run *r, hk_error *err) {
  const char *pattern = r->options->record;
  regex_t regex;
  int n = hk_model_channel_count(r->model),
      listed = r->options->channel ? r->options->n_channels : -1;
  size_t room = (size_t)(listed > n ? listed : n) + 1;
  r->column = malloc(room * sizeof *r->column);
  r->row = malloc(room * sizeof *r->row);
  r->told = calloc(room, sizeof *r->told);
  if (!r->column || !r->row || !r->told) return hk_fail(err, HK_ENOMEM, "out of memory");
  if (listed >= 0) {
    hk_status status = list_columns(r, err);
    if (!status && hk_between_init(&r->between, r->n_columns))
      status = hk_fail(err, HK_ENOMEM, "out of memory");
    return status;
  }
  if (pattern) {
    hk_status status = hk_pattern_compile(pattern, &regex, err);
    if (status) return status;
  }
  for (int i = 0; i < n; i++)
    if (i == 0 || (pattern ? hk_pattern_matches(&regex, hk_model_channel_name(r->model, i))
                           : r->model->channel[i].show < HK_SHOW_INSIDE))
      r->column[r->n_columns++] = i;
  if (pattern) regfree(&regex);
  if (hk_between_init(&r->between, r->n_columns)) return hk_fail(err, HK_ENOMEM, "out of memory");
  if (pattern && r->n_columns == 1)
    return hk_fail(err, HK_EINPUT, "no channel matches '%s'; `hooke check --channels` lists all %d",
                   pattern, n);
  return HK_OK;
}

static hk_status open_results(run *r, hk_error *err) {
  const hk_run_options *o = r->options;
  hk_channel_info *info = calloc((size_t)r->n_columns, sizeof *info);
  if (!info) return hk_fail(err, HK_ENOMEM, "out of memory");
  for (int k = 0; k < r->n_columns; k++) {
    const hk_channel *c = &r->model->channel[r->column[k]];
    info[k] = (hk_channel_info){c->name, strcmp(c->unit, "1") == 0 ? "" : c->unit, c->doc};
  }
  hk_status status = hk_run_results_create(r->model, o, hk_sim_stepper_name(r->sim), info,
                                           r->n_columns, &r->writer, err);
  free(info);
  return status;
}

/* Continues from the caller's state. The windows of measures refer to a run from the start of
 * the model, so they are extended to the whole simulated time. */
static hk_status take_over(run *r, hk_error *err) {
  const hk_run_options *o = r->options;
  hk_run_report *p = r->report;
  if (!o->start) return HK_OK;
  if (o->start_size != hk_sim_state_size(r->sim))
    return hk_fail(err, HK_EINPUT,
                   "the initial state belongs to another model: it has another number of values");
  if (!(o->duration > 0) || !isfinite(o->duration))
    return hk_fail(err, HK_EINPUT, "the duration must be positive, not %g s", o->duration);
  if (hk_sim_state_set(r->sim, o->start)) return hk_fail(err, HK_ENOMEM, "out of memory");
  p->start = p->t = hk_sim_time(r->sim);
  p->end = p->start + o->duration;
  r->n_intervals = DEFAULT_INTERVALS;
  r->output_step = o->duration / DEFAULT_INTERVALS;
  hk_run_measures_open(&r->measures);
  r->measures.duration = o->duration;
  r->measures.long_step = r->output_step;
  return HK_OK;
}

static hk_status prepare(run *r, hk_error *err) {
  const hk_run_options *o = r->options;
  int before = r->diag->n_errors;
  hk_status status = plan(r->model, r, r->diag);
  hk_status measured = hk_run_measures_init(&r->measures, r->model, r->diag);
  r->measures.duration = r->report->end - r->report->start;
  r->measures.long_step = fmin(r->output_step, r->measures.duration / DEFAULT_INTERVALS);
  if (!status) status = measured;
  if (status == HK_ENOMEM) return hk_fail(err, HK_ENOMEM, "out of memory");
  if (status) return hk_fail(err, status, "the model has %d errors", r->diag->n_errors - before);
  const char *read = o->results ? hk_model_reads(r->model, o->results) : NULL;
  if (read)
    return hk_fail(err, HK_EINPUT,
                   "results would overwrite '%s', which is an input of the model; choose another "
                   "name than '%s'",
                   read, o->results);
  /* An invalid expression for channels is reported even if no file is written. */
  status = choose_columns(r, err);
  if (!status) status = hk_sim_create(r->model, &r->sim_options, &r->sim, r->diag, err);
  if (!status) status = take_over(r, err);
  if (!status && hk_passed_create(&r->passed, r->sim))
    status = hk_fail(err, HK_ENOMEM, "out of memory");
  if (!status && o->results) status = open_results(r, err);
  if (!status && o->recording) {
    status = hk_recording_create(r->model, r->column, r->n_columns, &r->recording, err);
    /* Memory for all rows is reserved at once if it is small; longer recordings grow. */
    if (!status && r->n_intervals < RESERVED)
      hk_recording_reserve(r->recording, r->n_intervals + 1);
  }
  return status;
}

/* ---- the run ---- */

/* Finds channels that are NaN in recorded rows; they are reported once, at the end. */
static void look_for_nan(run *r, double t) {
  for (int k = 0; k < r->n_columns; k++) {
    if (!isnan(r->row[k]) || r->told[k]) continue;
    if (r->n_not_a_number++ == 0) r->not_a_number = r->column[k], r->not_a_number_at = t;
    r->told[k] = true;
  }
}

static void tell_nan(const run *r) {
  if (!r->n_not_a_number) return;
  char more[64] = "";
  if (r->n_not_a_number > 1) snprintf(more, sizeof more, ", and %d more", r->n_not_a_number - 1);
  hk_diag_add(r->diag, HK_WARNING, NULL,
              "channel '%s'%s: recorded without a value (NaN), first at t = %.9g s",
              hk_model_channel_name(r->model, r->not_a_number), more, r->not_a_number_at);
}

static hk_status record(run *r, double t, hk_error *err) {
  const hk_run_options *o = r->options;
  if (!r->writer && !r->recording && !o->row) return HK_OK;
  hk_status status = hk_sim_values_at(r->sim, t, r->column, r->n_columns, r->row, err);
  if (status) return status;
  look_for_nan(r, t);
  r->report->rows++;
  if (r->recording && !hk_recording_put(r->recording, r->row))
    return hk_fail(err, HK_ENOMEM, "out of memory");
  if (r->writer) {
    hk_between_row(&r->between, r->row);
    status = hk_results_append_between(r->writer, r->row, r->between.record, err);
  }
  return status || !o->row || o->row(o->context, r->row, r->n_columns) ? status : HK_STOPPED;
}

/* Records the extremes of channels at the end of a step before the next row. */
static hk_status look_between(run *r, hk_error *err) {
  if (!r->writer) return HK_OK;
  hk_status status = hk_sim_values(r->sim, r->column, r->n_columns, r->row, err);
  if (!status) hk_between_add(&r->between, r->row);
  return status;
}

static bool go_on(const run *r) {
  const hk_run_options *o = r->options;
  if (!o->progress) return true;
  hk_sim_stats stats = hk_sim_statistics(r->sim);
  const hk_run_progress now = {.start = r->report->start,
                               .end = r->report->end,
                               .t = hk_sim_time(r->sim),
                               .step = stats.step,
                               .steps = stats.steps,
                               .newton = stats.newton,
                               .limit = hk_sim_step_limit(r->sim),
                               .sim = r->sim};
  return o->progress(o->context, &now);
}

/* Progress callback while `auto` selects a stepper. */
static bool go_on_before(void *context, const hk_progress *now) {
  const run *r = context;
  const hk_run_options *o = r->options;
  const hk_run_progress first = {.start = r->report->start,
                                 .end = r->report->end,
                                 .t = r->report->start,
                                 .limit = "the selection of a stepper"};
  if (o->sim && o->sim->progress && !o->sim->progress(o->sim->context, now)) return false;
  return !o->progress || o->progress(o->context, &first);
}

/* Collects the times of events after a step. */
static hk_status note_events(run *r, hk_error *err) {
  const hk_model *m = r->model;
  hk_run_report *p = r->report;
  const hk_event_note *note;
  int n = hk_sim_events_noted(r->sim, &note);
  for (int i = 0; i < n; i++) {
    hk_run_event *e = &p->event[note[i].event - m->event];
    if (e->n_times == HK_RUN_EVENT_TIMES) continue;
    if (!e->time && !(e->time = calloc(HK_RUN_EVENT_TIMES, sizeof *e->time)))
      return hk_fail(err, HK_ENOMEM, "out of memory");
    e->time[e->n_times++] = note[i].t;
  }
  for (int i = 0; i < m->n_events; i++) p->event[i].count = (long)hk_sim_event_count(r->sim, i);
  p->stop_event = hk_sim_stop_event(r->sim);
  if (p->stop_event) p->end = hk_sim_time(r->sim);
  return HK_OK;
}

static hk_status list_events(run *r, hk_error *err) {
  const hk_model *m = r->model;
  hk_run_report *p = r->report;
  if (m->n_events == 0) return HK_OK;
  p->event = calloc((size_t)m->n_events, sizeof *p->event);
  if (!p->event) return hk_fail(err, HK_ENOMEM, "out of memory");
  p->n_events = (size_t)m->n_events;
  for (int i = 0; i < m->n_events; i++) p->event[i].name = m->event[i].item->name;
  return HK_OK;
}

/* Makes steps until the next recorded time is within the last step, or at its end if the integrator
 * does not interpolate. */
static hk_status advance(run *r, double t, hk_error *err) {
  double end = hk_sim_interpolates(r->sim) ? r->report->end : t;
  while (hk_sim_time(r->sim) < t && !r->report->stop_event) {
    hk_status status = hk_sim_step(r->sim, end, err);
    if (!status && r->model->n_events) status = note_events(r, err);
    if (!status) hk_passed_step(&r->passed, r->sim);
    /* Called before the measures: it computes the data for all channels at once, which include
     * the data that the measures need. */
    if (!status && hk_sim_time(r->sim) < t) status = look_between(r, err);
    if (!status) status = hk_run_measures_step(&r->measures, r->sim, err);
    if (status) return status;
    if (!go_on(r)) return HK_STOPPED;
  }
  return HK_OK;
}

/* Returns true if the row before row k was the last one of a run that an event has stopped. */
static bool recorded_end(const run *r, int64_t k) {
  return r->report->start + (double)(k - 1) * r->output_step >= hk_sim_time(r->sim);
}

static hk_status simulate(run *r, hk_error *err) {
  hk_run_report *p = r->report;
  hk_status status = hk_run_measures_sample(&r->measures, r->sim, true, err);
  if (!status) status = record(r, hk_sim_time(r->sim), err);
  if (!status) status = list_events(r, err);
  if (!status && !go_on(r)) status = HK_STOPPED;
  for (int64_t k = 1; !status && k <= r->n_intervals && !(p->stop_event && recorded_end(r, k));
       k++) {
    double t = k < r->n_intervals ? p->start + (double)k * r->output_step : p->end;
    status = advance(r, t, err);
    /* The row at a sample time of an FMU holds the values after the exchange. */
    if (!status && hk_sim_time(r->sim) - t <= 1e-13 * fmax(1, fabs(t)))
      status = hk_exchange_now(r->sim, err);
    /* If a run is stopped, its last state is recorded as a row too. */
    if (status == HK_OK || status == HK_STOPPED) {
      hk_status recorded = record(r, fmin(t, hk_sim_time(r->sim)), err);
      if (recorded) status = recorded;
    }
  }
  hk_status last = hk_run_measures_sample(&r->measures, r->sim, true, NULL);
  return status ? status : last;
}

/* ---- after the run ---- */

static void close_results(run *r) {
  hk_run_report *p = r->report;
  hk_error err = {0};
  if (!r->writer) return;
  hk_status status = hk_run_results_close(r->writer, r->model, p, r->diag, &err);
  if (status && p->status >= 0) {
    p->status = status;
    p->error = err;
  }
}

static void judge(run *r) {
  hk_run_report *p = r->report;
  p->quality = hk_quality_list(r->sim);
  if (!p->quality || hk_passed_report(&r->passed, r->model, p->quality))
    if (p->status >= 0) p->status = hk_fail(&p->error, HK_ENOMEM, "out of memory");
  p->doubts = hk_quality_report(p->quality, r->diag);
}

static void finish(run *r) {
  hk_run_report *p = r->report;
  if (r->sim) {
    p->stats = hk_sim_statistics(r->sim);
    p->stepper = hk_sim_stepper_name(r->sim);
    p->stepper_why = hk_sim_stepper_why(r->sim);
    p->t = hk_sim_time(r->sim);
    p->order = hk_integrator_of(r->sim)->order;
    p->rtol = r->sim->option.rtol, p->atol = r->sim->option.atol, p->step = r->sim->option.step;
    p->energy_balance_error =
        hk_sim_value(r->sim, hk_model_channel(r->model, "energy.balance_error"));
    hk_partners_tell(r->sim, r->diag);
    judge(r);
    /* A run that did not reach its end does not have to cover the window of every measure. */
    hk_diag *warn = p->status == HK_OK && !p->stop_event ? r->diag : NULL;
    if (hk_run_measures_report(&r->measures, p, warn) && p->status >= 0)
      p->status = hk_fail(&p->error, HK_ENOMEM, "out of memory");
  }
  p->wall_seconds = wall_seconds() - r->began;
  tell_nan(r);
  close_results(r);
  if (r->options->recording) *r->options->recording = r->recording;
  hk_sim_destroy(r->sim);
  hk_run_measures_free(&r->measures);
  free(r->column);
  free(r->row);
  free(r->told);
  hk_between_free(&r->between);
  hk_passed_free(&r->passed);
}

hk_status hk_run(const hk_model *model, const hk_run_options *options, hk_run_report *report,
                 hk_diag *diag) {
  hk_run_options taken;
  hk_run_report unasked;
  hk_diag unread; /* used if the caller does not request warnings */
  if (!report) {
    hk_status status = hk_run(model, options, &unasked, diag);
    hk_run_report_free(&unasked);
    return status;
  }
  HK_TAKE_OPTIONS(taken, options);
  if (taken.recording) *taken.recording = NULL;
  *report = (hk_run_report){.stepper = "", .energy_balance_error = NAN};
  if (!model) return report->status = hk_fail(&report->error, HK_EINPUT, HK_NO_MODEL);
  hk_diag_init(&unread);
  run r = {.began = wall_seconds(),
           .model = model,
           .options = &taken,
           .report = report,
           .diag = diag ? diag : &unread};
  HK_TAKE_OPTIONS(r.sim_options, taken.sim);
  r.sim_options.size = 0;
  r.sim_options.progress = go_on_before, r.sim_options.context = &r;
  report->status = prepare(&r, &report->error);
  /* A failure of the first step is reported as an error of the model. */
  if (report->status == HK_EFAIL || report->status == HK_RETRY) report->status = HK_EINPUT;
  if (!report->status) report->status = simulate(&r, &report->error);
  /* A failure from which other callers could recover (status > 0) is final here. */
  if (report->status == HK_RETRY) report->status = HK_EFAIL;
  finish(&r);
  hk_diag_free(&unread);
  return report->status;
}

void hk_run_report_free(hk_run_report *report) {
  if (!report) return;
  hk_quality_destroy(report->quality);
  report->quality = NULL;
  free(report->measure);
  report->measure = NULL;
  for (size_t i = 0; i < report->n_events; i++) free(report->event[i].time);
  free(report->event);
  report->event = NULL;
  report->n_events = 0;
  report->n_measures = 0;
}
