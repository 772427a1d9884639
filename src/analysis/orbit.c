/* One orbit in a Poincare section: points, period, exponent.  See include/hooke/nonlinear.h. */
#include "control/event.h"
#include "base/required.h"
#include "sim/fmu_partners.h"
#include "base/options.h"
#include "analysis/lyapunov.h"
#include "analysis/period.h"
#include "analysis/poincare.h"
#include "model/model.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The ranges of the channels along the motion are recorded for the last points of the orbit, at most this number. */
enum { EXTENT_SECTIONS = 4 };
static const double DEFAULT_TOLERANCE = 1e-3;

typedef struct run {
  const hk_orbit_options *o;
  hk_orbit *out;
  hk_sim *sim;
  hk_section_walk walk;
  hk_lyapunov *lyapunov;
  bool watch;   /* the extent */
  double speed; /* largest velocity before the second trajectory starts */
  /* [n_channels] ranges and present values of the channels; first_low, first_high: ranges during the transient */
  double *low, *high, *now, *first_low, *first_high;
} run;

static void widen(double *low, double *high, const double *value, int n) {
  for (int k = 0; k < n; k++) {
    if (value[k] < low[k]) low[k] = value[k];
    if (value[k] > high[k]) high[k] = value[k];
  }
}

static hk_status stepped(void *context, hk_error *err) {
  run *r = context;
  hk_status status = r->lyapunov ? hk_lyapunov_step(r->lyapunov, err) : HK_OK;
  if (status || !r->watch) return status;
  status = hk_sim_values(r->sim, r->o->channel, r->o->n_channels, r->now, err);
  if (!status) widen(r->low, r->high, r->now, r->o->n_channels);
  return status;
}

static hk_status hurried(void *context, hk_error *err) {
  (void)err;
  run *r = context;
  r->speed = fmax(r->speed, hk_lyapunov_speed(r->sim));
  return HK_OK;
}

/* ---- start ---- */

static hk_status check(const hk_model *m, const hk_orbit_options *o, hk_error *err) {
  const hk_section *s = &o->section;
  if (s->period < 0 || !isfinite(s->period))
    return hk_fail(err, HK_EINPUT, "the period of a section must be positive, not %g s", s->period);
  if (s->period > 0 && !(s->phase >= 0 && s->phase < 1))
    return hk_fail(err, HK_EINPUT, "the phase of a section must be 0 or more and below 1, not %g",
                   s->phase);
  if (s->period == 0 && (s->channel < 1 || s->channel >= m->n_channels))
    return hk_fail(err, HK_EINPUT, "a section needs a period or an event");
  if (o->points < 1 || o->skip < 0)
    return hk_fail(err, HK_EINPUT, "an orbit needs at least one point");
  if (o->n_channels < 1) return hk_fail(err, HK_EINPUT, "a point needs at least one channel");
  for (int i = 0; i < o->n_channels; i++)
    if (o->channel[i] < 0 || o->channel[i] >= m->n_channels)
      return hk_fail(err, HK_EINPUT, "there is no channel number %d", o->channel[i]);
  return HK_OK;
}

static hk_status allocate(run *r, hk_error *err) {
  const hk_orbit_options *o = r->o;
  hk_orbit *out = r->out;
  size_t m = (size_t)o->n_channels, n = (size_t)o->points;
  out->n_channels = o->n_channels;
  out->first = calloc(m, sizeof *out->first);
  out->time = malloc(n * sizeof *out->time);
  out->point = malloc(n * m * sizeof *out->point);
  out->extent = calloc(m, sizeof *out->extent);
  out->scale = calloc(m, sizeof *out->scale);
  r->low = malloc(5 * m * sizeof *r->low);
  if (!out->first || !out->time || !out->point || !out->extent || !out->scale || !r->low)
    return hk_fail(err, HK_ENOMEM, "out of memory");
  r->high = r->low + m;
  r->now = r->high + m;
  r->first_low = r->now + m;
  r->first_high = r->first_low + m;
  for (size_t k = 0; k < m; k++) {
    r->low[k] = r->first_low[k] = INFINITY;
    r->high[k] = r->first_high[k] = -INFINITY;
  }
  return HK_OK;
}

/* Continues from a state of a model with the same coordinates, possibly with other parameters. Time continues too,
 * because the angles that are functions of time have advanced with the time. But if the period has changed, the phase
 * of the excitation has changed as well, and time restarts at the section. */
static hk_status take_over(run *r, const hk_model *m, double origin, hk_error *err) {
  const hk_orbit_options *o = r->o;
  const hk_section *s = &o->section;
  if (!o->start) return HK_OK;
  if (o->start_size != hk_sim_state_size(r->sim))
    return hk_fail(err, HK_EINPUT,
                   "the initial state belongs to another model: it has another number of values");
  double *x = malloc(o->start_size);
  if (!x) return hk_fail(err, HK_ENOMEM, "out of memory");
  memcpy(x, o->start, o->start_size);
  if (s->period > 0 && o->start_period > 0 && fabs(o->start_period - s->period) > 1e-12 * s->period)
    x[m->at.t] = origin + s->phase * s->period;
  hk_sim_state_set(r->sim, x);
  free(x);
  return HK_OK;
}

static hk_status begin(run *r, const hk_model *m, hk_diag *diag, hk_error *err) {
  hk_status status = check(m, r->o, err);
  if (!status) status = allocate(r, err);
  if (!status) status = hk_sim_create(m, r->o->sim, &r->sim, diag, err);
  /* A failure of the first step is reported as an error of the model. */
  if (status == HK_EFAIL || status > 0) status = HK_EINPUT;
  if (status) return status;
  double origin = hk_sim_time(r->sim);
  status = take_over(r, m, origin, err);
  if (!status) status = hk_section_walk_begin(&r->walk, r->sim, &r->o->section, origin, err);
  r->walk.context = r;
  if (!status) status = hk_sim_values(r->sim, r->o->channel, r->o->n_channels, r->out->first, err);
  return status;
}

/* ---- advancing the motion ---- */

static hk_status skip(run *r, hk_error *err) {
  const hk_orbit_options *o = r->o;
  hk_status status = HK_OK;
  double time;
  for (int i = 0; i < o->skip && !status; i++) {
    r->walk.stepped = o->lyapunov && i >= o->skip - EXTENT_SECTIONS ? hurried : NULL;
    status = hk_section_next(&r->walk, o->channel, o->n_channels, &time, r->now, err);
    if (!status) widen(r->first_low, r->first_high, r->now, o->n_channels);
    if (!status && o->go_on && !o->go_on(o->context)) status = HK_STOPPED;
  }
  return status;
}

/* Estimates a characteristic time of the motion: the weight of velocities relative to positions. */
static double time_scale(const run *r, double began) {
  double period = r->o->section.period;
  if (!(period > 0) && r->o->skip > 0) period = (hk_sim_time(r->sim) - began) / r->o->skip;
  return period > 0 ? period / (2 * M_PI) : 1;
}

static hk_status record(run *r, hk_error *err) {
  const hk_orbit_options *o = r->o;
  hk_orbit *out = r->out;
  hk_status status = HK_OK;
  while (out->n < o->points && !status) {
    double *point = out->point + (size_t)out->n * (size_t)o->n_channels;
    r->watch = out->n >= o->points - EXTENT_SECTIONS;
    r->walk.stepped = r->watch || r->lyapunov ? stepped : NULL;
    status = hk_section_next(&r->walk, o->channel, o->n_channels, &out->time[out->n], point, err);
    if (!status && r->lyapunov) status = hk_lyapunov_section(r->lyapunov, err);
    if (status) break;
    widen(r->low, r->high, point, o->n_channels);
    out->n++;
    if (o->go_on && !o->go_on(o->context)) status = HK_STOPPED;
  }
  return status;
}

static hk_status go(run *r, hk_error *err) {
  const hk_orbit_options *o = r->o;
  double began = hk_sim_time(r->sim);
  hk_status status = skip(r, err);
  r->speed = fmax(r->speed, hk_lyapunov_speed(r->sim));
  if (!status && o->lyapunov)
    status = hk_lyapunov_create(
        r->sim, o->sim, o->distance > 0 ? o->distance : hk_lyapunov_distance(r->sim, r->speed),
        time_scale(r, began), o->seed, &r->lyapunov, err);
  return status ? status : record(r, err);
}

/* Sets the scales for differences of points; wraps angles. */
static void set_scales(run *r) {
  const hk_orbit_options *o = r->o;
  hk_orbit *out = r->out;
  for (int k = 0; k < o->n_channels && out->n; k++) {
    bool wrap = o->wrap && o->wrap[k];
    double most = wrap ? 2 * M_PI : INFINITY;
    out->extent[k] = fmin(r->high[k] - r->low[k], most);
    double transient = fmin(fmax(r->first_high[k] - r->first_low[k], 0), most);
    double size = fmax(fabs(r->low[k]), fabs(r->high[k]));
    double *scale = &out->scale[k];
    *scale = fmax(fmax(out->extent[k], 1e-6 * transient), 1e-9 * size);
    if (!(*scale > 0)) *scale = 1;
    for (int i = 0; i < out->n && wrap; i++) {
      double *x = &out->point[(size_t)i * (size_t)o->n_channels + (size_t)k];
      *x = remainder(*x, 2 * M_PI);
    }
  }
}

static hk_status finish(run *r, hk_error *err) {
  const hk_orbit_options *o = r->o;
  hk_orbit *out = r->out;
  set_scales(r);
  double tolerance = o->tolerance > 0 ? o->tolerance : DEFAULT_TOLERANCE;
  out->repeat = hk_repeat_find(out->point, out->n, o->n_channels, o->wrap, out->scale, tolerance,
                               o->max_period);
  if (r->lyapunov) out->exponent = hk_lyapunov_result(r->lyapunov);
  out->steps = hk_sim_statistics(r->sim).steps;
  out->state = malloc(hk_sim_state_size(r->sim));
  if (!out->state) return hk_fail(err, HK_ENOMEM, "out of memory");
  out->state_size = hk_sim_state_size(r->sim);
  hk_sim_state_get(r->sim, out->state);
  return HK_OK;
}

hk_status hk_orbit_run(const hk_model *model, const hk_orbit_options *options, hk_orbit *out,
                       hk_diag *diag, hk_error *err) {
  HK_REQUIRE(out, err);
  hk_orbit_options o;
  HK_TAKE_OPTIONS(o, options);
  *out = (hk_orbit){.exponent = {.per_section = NAN, .per_second = NAN, .error = NAN}};
  if (!model) return hk_fail(err, HK_EINPUT, HK_NO_MODEL);
  hk_status refused = hk_partners_refuse(model, "a Poincaré section", err);
  if (!refused) refused = hk_events_refuse(model, "a Poincaré section", err);
  if (refused) return refused;
  /* One-step methods are the best choice: steps end at sections, and a second trajectory has no history. */
  hk_sim_options sim;
  HK_TAKE_OPTIONS(sim, o.sim);
  sim.size = 0;
  sim.one_step = true;
  o.sim = &sim;
  run r = {.o = &o, .out = out};
  hk_status status = begin(&r, model, diag, err);
  if (!status) {
    status = go(&r, err);
    /* A failure from which other callers could recover (status > 0) is final here. */
    if (status == HK_RETRY) status = HK_EFAIL;
    hk_status finished = finish(&r, status < 0 ? NULL : err);
    if (status >= 0 && finished) status = finished;
  }
  hk_lyapunov_destroy(r.lyapunov);
  hk_section_walk_end(&r.walk);
  hk_sim_destroy(r.sim);
  free(r.low);
  return status;
}

void hk_orbit_free(hk_orbit *o) {
  if (!o) return;
  free(o->first);
  free(o->time);
  free(o->point);
  free(o->extent);
  free(o->scale);
  free(o->state);
  *o = (hk_orbit){0};
}
