/* Communication steps: see instance.h. */
#include "instance.h"
#include "sim/sim.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>

/* Importers sum up step sizes, so their times differ from those of the FMU by round-off. */
static bool same_time(double a, double b, double h) {
  return fabs(a - b) <= 1e-3 * h + 64 * DBL_EPSILON * fmax(fabs(a), fabs(b));
}

static fmu_status check(const fmu_instance *f, double t, double h) {
  if (!f) return FMU_ERROR;
  if (f->importer.exchange) return fmu_refuse(f, "this instance was created for model exchange");
  if (f->mode != FMU_STEPPING)
    return fmu_refuse(f, "a step needs an instance that is initialised and not terminated");
  if (!(h >= 0) || isinf(h) || !isfinite(t))
    return fmu_refuse(f, "a step of %g s is impossible", h);
  if (!same_time(t, f->time, h))
    return fmu_refuse(f, "the step begins at t = %.17g s, but the last one ended at %.17g s", t,
                      f->time);
  return FMU_OK;
}

/* Copies the inputs set by the importer into the simulation; other inputs keep their values, with zero rate. */
static fmu_status settle_inputs(fmu_instance *f) {
  hk_error err = {0};
  for (int i = 0; i < f->n_inputs; i++) {
    fmu_given *u = fmu_input(f, i), *rate = fmu_rate(f, i);
    double value = u->given ? u->value : hk_sim_input_get(f->sim, f->input[i]);
    if (hk_sim_input_ramp(f->sim, f->input[i], value, rate->given ? rate->value : 0, &err))
      return fmu_refuse(f, "%s", err.text);
    u->given = 0;
    if (!f->importer.rates_last) rate->given = 0;
  }
  return FMU_OK;
}

static bool tell_jump(const fmu_instance *f, const hk_step_report *r) {
  if (!r->jump) return false;
  fmu_tell(f, FMU_OK, FMU_LOG_EVENTS, "velocities jump at t = %.15g s (%ld impacts)", r->end,
           r->impacts);
  return true;
}

/* ---- without inputs ----
 *
 * Nothing from outside affects the motion of an FMU without inputs, so that its steps need not end at communication points:
 * outputs are interpolated, as in `hooke run`, which gives the same numbers.  The state before the last step is kept.  It
 * replaces the present one in saved states, and a step from it leads to the communication point if a parameter changes. */

fmu_status fmu_step_begin(fmu_instance *f) {
  f->ahead = f->n_inputs == 0 && !f->manifest.exchange && !f->importer.exchange &&
             !f->importer.look && !f->importer.early && !f->importer.events &&
             hk_sim_interpolates(f->sim);
  free(f->before);
  f->before = f->ahead ? malloc(hk_sim_state_size(f->sim)) : NULL;
  return f->ahead && !f->before ? fmu_refuse(f, "out of memory") : FMU_OK;
}

/* The end of the run, at which steps end. */
static double end_of_run(const fmu_instance *f) {
  const hk_analysis_dynamics *o = &f->sim->option;
  double stop = isnan(f->stop) ? o->start + o->duration : f->stop;
  return stop > f->time ? stop : f->time;
}

fmu_status fmu_step_reach(fmu_instance *f) {
  while (f->ahead && f->mode > FMU_INITIALIZING && hk_sim_time(f->sim) < f->time) {
    hk_error err = {0};
    hk_step_report report;
    hk_sim_state_get(f->sim, f->before);
    if (hk_sim_step(f->sim, end_of_run(f), &err)) {
      f->time = hk_sim_time(f->sim);
      return fmu_failed(f, &err);
    }
    hk_sim_last_step(f->sim, &report);
    tell_jump(f, &report);
  }
  return FMU_OK;
}

fmu_status fmu_step_back(fmu_instance *f) {
  hk_error err = {0};
  if (!f->ahead || !(hk_sim_time(f->sim) > f->time)) return FMU_OK;
  if (hk_sim_state_set(f->sim, f->before)) return fmu_refuse(f, "out of memory");
  return hk_sim_advance(f->sim, f->time, &err) ? fmu_failed(f, &err) : FMU_OK;
}

/* ---- the step ---- */

static fmu_status pass(fmu_instance *f, double end) {
  double last = f->time, stop = end_of_run(f);
  f->time = fabs(end - stop) <= 1e-9 * (end - last) ? stop : end;
  return fmu_step_reach(f);
}

fmu_status fmu_step(fmu_instance *f, double t, double h, fmu_stepped *out) {
  *out = (fmu_stepped){0};
  fmu_status status = check(f, t, h);
  if (!status) status = fmu_settle(f);
  if (!status) status = settle_inputs(f);
  if (status) return status;
  double end = t + h, until = end;
  if (f->ahead) return pass(f, end);
  bool asked = false;
  while (hk_sim_time(f->sim) < until && !out->early) {
    hk_error err = {0};
    hk_step_report report;
    if (hk_sim_step(f->sim, until, &err)) {
      f->time = hk_sim_time(f->sim);
      return fmu_failed(f, &err);
    }
    double now = hk_sim_time(f->sim);
    hk_sim_last_step(f->sim, &report);
    out->event = tell_jump(f, &report);
    if (f->importer.look && f->importer.look(f, now, &until)) asked = true;
    out->early = now < end && ((asked && now >= until) || (out->event && f->importer.early));
  }
  f->time = hk_sim_time(f->sim);
  return FMU_OK;
}
