/* Model exchange: the importer integrates the states (src/integrator/continuous.h).  See instance.h.
 *
 * Time events are the kinks and jumps of loads and motions over time.  The time of a kink is
 * known as an interval. The event is announced for the left end of the interval, so that the
 * last step before the event does not use the side after it. After the event, evaluations at
 * times before the right end use the right end. */
#include "instance.h"
#include "integrator/continuous.h"
#include "sim/sim.h"
#include <math.h>
#include <string.h>

static fmu_status refuse_mode(const fmu_instance *f) {
  return fmu_refuse(f, f->importer.exchange
                           ? "states and derivatives exist after the initialization"
                           : "this instance was created for co-simulation");
}

static fmu_status check(const fmu_instance *f, const void *array, size_t n, int wanted) {
  if (!f) return FMU_ERROR;
  if (!fmu_exchanges(f)) return refuse_mode(f);
  if (n != (size_t)wanted) return fmu_refuse(f, "there are %d such numbers, not %zu", wanted, n);
  return fmu_need(f, array, n);
}

static double effective_time(const fmu_instance *f) {
  bool at_event = f->time >= f->passed.left && f->time < f->passed.right;
  return at_event ? f->passed.right : f->time;
}

static fmu_status place(fmu_instance *f) {
  hk_error err = {0};
  if (f->placed || !f->sim) return FMU_OK;
  f->have_rates = false;
  if (hk_continuous_place(f->sim, effective_time(f), f->x, &err)) return fmu_failed(f, &err);
  f->placed = true;
  return FMU_OK;
}

fmu_status fmu_ready(fmu_instance *f) {
  if (!f) return FMU_ERROR;
  if (!fmu_exchanges(f)) {
    fmu_status status = fmu_settle(f);
    return status ? status : fmu_step_reach(f);
  }
  if (f->placed && !f->parameters_changed) return FMU_OK;
  /* a changed model continues from the present states */
  fmu_status status = f->parameters_changed ? place(f) : FMU_OK;
  if (!status) f->placed = false, status = fmu_settle(f);
  return status ? status : place(f);
}

static fmu_status ready_rates(fmu_instance *f) {
  hk_error err = {0};
  fmu_status status = fmu_ready(f);
  if (status || f->have_rates) return status;
  const double *x = fmu_exchanges(f) ? f->x : NULL;
  if (hk_continuous_rates(f->sim, x, f->rate, &err)) return fmu_failed(f, &err);
  f->have_rates = fmu_exchanges(f);
  return FMU_OK;
}

static fmu_status ready_events(fmu_instance *f) {
  hk_error err = {0};
  fmu_status status = ready_rates(f);
  if (!status && hk_continuous_switches(f->sim, f->event, &err)) return fmu_failed(f, &err);
  return status;
}

void fmu_continuous_begin(fmu_instance *f) {
  hk_continuous_get(f->sim, f->x);
  f->placed = true;
  f->have_rates = false;
  f->next = f->passed = (hk_knot){.left = -INFINITY, .right = -INFINITY};
}

/* ---- states and derivatives ---- */

fmu_status fmu_set_time(fmu_instance *f, double time) {
  fmu_status status = check(f, "", 0, 0);
  if (status) return status;
  if (!isfinite(time)) return fmu_refuse(f, "the time cannot be set to %g", time);
  if (time != f->time) f->placed = false;
  f->time = time;
  return FMU_OK;
}

fmu_status fmu_set_states(fmu_instance *f, const double *x, size_t n) {
  fmu_status status = check(f, x, n, f ? f->n_states : 0);
  if (status) return status;
  for (size_t i = 0; i < n; i++)
    if (!isfinite(x[i])) {
      fmu_tell(f, FMU_DISCARD, FMU_LOG_ERROR, "state number %zu cannot be set to %g", i, x[i]);
      return FMU_DISCARD;
    }
  if (memcmp(f->x, x, n * sizeof *x) == 0) return FMU_OK;
  memcpy(f->x, x, n * sizeof *x);
  f->placed = false;
  return FMU_OK;
}

fmu_status fmu_get_states(fmu_instance *f, double *x, size_t n) {
  fmu_status status = check(f, x, n, f ? f->n_states : 0);
  if (!status) memcpy(x, f->x, n * sizeof *x);
  return status;
}

fmu_status fmu_get_state_rates(fmu_instance *f, double *rate, size_t n) {
  fmu_status status = check(f, rate, n, f ? f->n_states : 0);
  if (!status) status = ready_rates(f);
  if (!status) memcpy(rate, f->rate, n * sizeof *rate);
  return status;
}

fmu_status fmu_get_nominals(fmu_instance *f, double *nominal, size_t n) {
  if (!f || n != (size_t)f->n_states || fmu_need(f, nominal, n))
    return fmu_refuse(f, "there are %d states, not %zu", f ? f->n_states : 0, n);
  for (int i = 0; i < f->n_states; i++) nominal[i] = hk_continuous_nominal(f->model, i);
  return FMU_OK;
}

fmu_status fmu_get_indicators(fmu_instance *f, double *indicator, size_t n) {
  fmu_status status = check(f, indicator, n, f ? f->n_switches : 0);
  if (!status) status = ready_events(f);
  if (!status && n) memcpy(indicator, f->event, n * sizeof *indicator);
  return status;
}

fmu_status fmu_get_continuous(fmu_instance *f, int i, double *out) {
  bool state = i < f->n_states, rate = !state && i < 2 * f->n_states;
  fmu_status status = rate    ? ready_rates(f)
                      : state ? fmu_exchanges(f) ? FMU_OK : fmu_settle(f)
                              : ready_events(f);
  if (status) return status;
  if (state && !fmu_exchanges(f)) hk_continuous_get(f->sim, f->x);
  *out = state ? f->x[i] : rate ? f->rate[i - f->n_states] : f->event[i - 2 * f->n_states];
  return FMU_OK;
}

/* ---- events ---- */

/* Relative distance of the states from the constraints above which the importer is asked to use
 * the projected states. Outputs do not depend on this limit. It should not be small, because
 * integrators with a history restart after each event. */
static const double MOST_DISTANCE = 1e-4;

fmu_status fmu_completed_step(fmu_instance *f, bool *event) {
  hk_error err = {0};
  fmu_status status = check(f, event, 1, 1);
  if (!status) *event = false, status = ready_rates(f);
  if (status) return status;
  *event = hk_continuous_distance(f->sim, f->x) > MOST_DISTANCE;
  return hk_continuous_accept(f->sim, &err) ? fmu_failed(f, &err) : FMU_OK;
}

/* The search for times covers a finite interval; it continues when the end of this interval is
 * reached. */
static void find_next(fmu_instance *f) {
  const hk_model *m = f->model;
  double from = effective_time(f), to = from + fmax(f->sim->option.duration, 1e-3);
  f->next = (hk_knot){.left = INFINITY, .right = INFINITY};
  if (m->n_bending == 0) return;
  if (!hk_breakpoint_next(m, from, to, &f->next)) f->next = (hk_knot){.left = to, .right = to};
  f->next.left = fmax(f->next.left, nextafter(from, INFINITY));
  f->next.right = fmax(f->next.right, f->next.left);
}

fmu_status fmu_update_discrete(fmu_instance *f, bool *changed, double *next) {
  hk_error err = {0};
  fmu_status status = check(f, changed, 1, 1);
  if (status) return status;
  if (f->mode != FMU_EVENT) return fmu_refuse(f, "this is not the event mode");
  *changed = false;
  double near = 1e-13 * fmax(1, fabs(f->time));
  if (f->time >= f->next.left - near) {
    f->passed = f->next;
    f->passed.left = fmin(f->passed.left, f->time);
    f->placed = false;
  }
  /* the projection in the mass metric gives the velocities after a kink of a motion */
  status = fmu_ready(f);
  if (status) return status;
  if (hk_continuous_distance(f->sim, f->x) > 1e-5 * MOST_DISTANCE) {
    hk_continuous_get(f->sim, f->x);
    *changed = true;
  }
  f->placed = false;
  status = ready_rates(f);
  if (!status && hk_continuous_accept(f->sim, &err)) return fmu_failed(f, &err);
  find_next(f);
  *next = f->next.left;
  return status;
}
