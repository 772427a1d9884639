/* Periods with the integrator of an ordinary run, and their derivative from another integrator.
 *
 * Only steps of generalized-alpha can be differentiated. But this method is of second order:
 * for the accuracy of a run it needs ten to fifty times as many steps as a multistep method.
 * Newton's method, however, needs an accurate residual but only an approximate derivative.
 * Therefore periods are simulated with the integrator of a run, each from a new start, and the
 * derivative is computed with a coarse tolerance on two grids, the second with halved steps.
 * For a method of second order, (4 E_fine - E_coarse) / 3 contains hardly any error of the
 * steps. Therefore the multipliers and the events of branches are accurate too.
 *
 * This method is not used for elements with internal variables, because their force depends on the past, which a new
 * start deletes. It is not used for contacts either, because runs with contacts use generalized-alpha as well. */
#include "analysis/shooting.h"
#include <hooke/state.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static size_t bytes(const hk_sim *s) { return (size_t)s->state_size * sizeof(double); }

hk_status hk_shooter_convert(hk_sim *s, const double *from, double *x, hk_error *err) {
  hk_sim_state_get(s, x);
  memcpy(x, from, (size_t)s->model->at.size * sizeof *x);
  hk_status status = hk_sim_state_set(s, x);
  if (status) return hk_fail(err, status, "out of memory");
  status = hk_sim_restart(s, err);
  hk_sim_state_get(s, x);
  return status;
}

hk_status hk_shooter_use_accurate(hk_shooter *p, hk_sim *accurate, hk_error *err) {
  free(p->fresh);
  p->accurate = accurate;
  p->fresh = accurate ? malloc(2 * bytes(accurate)) : NULL;
  if (!accurate) return HK_OK;
  if (!p->fresh) return hk_fail(err, HK_ENOMEM, "out of memory");
  hk_sim_state_get(accurate, p->fresh);
  return HK_OK;
}

hk_status hk_shooter_run_accurate(hk_shooter *p, const double *from, hk_error *err) {
  hk_sim *s = p->accurate;
  const hk_model *m = s->model;
  double end = from[m->at.t] + p->T, *x = p->fresh + s->state_size;
  long before = p->steps;
  memcpy(x, p->fresh, bytes(s));
  memcpy(x, from, (size_t)m->at.size * sizeof *x);
  hk_status status = hk_sim_state_set(s, x);
  if (status) return hk_fail(err, status, "out of memory");
  status = hk_sim_restart(s, err);
  hk_shooter_widen(p, s->x, 0, true);
  while (!status && hk_sim_time(s) < end) {
    double t = hk_sim_time(s);
    status = hk_sim_step(s, end, err);
    if (status) break;
    p->steps++;
    hk_shooter_widen(p, s->x, hk_sim_time(s) - t, false);
  }
  p->runs++;
  p->per_period = (int)(p->steps - before);
  if (!status && p->go_on && !p->go_on(p->context))
    status = hk_fail(err, HK_STOPPED, "stopped by the caller");
  return status ? status : hk_shooter_convert(p->s, s->x, p->now, err);
}

/* Computes the matrix E on the present grid. */
static hk_status derive_on_grid(hk_shooter *p, const double *from, hk_error *err) {
  hk_status status = hk_shooter_run_grid(p, from, true, err);
  if (!status) hk_shooter_end_columns(p);
  return status;
}

/* The extrapolation is used if E changes by less than this fraction from one grid to the next.
 * At kinks of forces the error is proportional to the step, and the extrapolation is less
 * accurate. The grid must then be finer. */
static const double SMOOTH = 2e-3;
enum { MOST_STEPS = 4000 };

static double change_of(const double *coarse, const double *fine, size_t n) {
  double most = 0, size = 1;
  for (size_t i = 0; i < n; i++) {
    most = fmax(most, fabs(fine[i] - coarse[i]));
    size = fmax(size, fabs(fine[i]));
  }
  return most / size;
}

hk_status hk_shooter_derive(hk_shooter *p, const double *from, hk_error *err) {
  size_t n = (size_t)p->n * (size_t)p->n;
  double *x = malloc(bytes(p->s)), *coarse = malloc((n + 1) * sizeof *coarse);
  int runs = p->runs;
  hk_status status = x && coarse ? hk_shooter_convert(p->s, from, x, err)
                                 : hk_fail(err, HK_ENOMEM, "out of memory");
  if (!status && p->n_tau == 0) {
    p->frozen = false;
    status = hk_shooter_run_grid(p, x, false, err);
    if (!status) p->tau[p->n_tau - 1] = 1;
    p->frozen = true;
  }
  if (!status) status = derive_on_grid(p, x, err);
  for (bool enough = false; !status && !enough;) {
    memcpy(coarse, p->E, n * sizeof *coarse);
    status = hk_shooter_refine(p, err);
    if (!status) status = derive_on_grid(p, x, err);
    enough = change_of(coarse, p->E, n) <= SMOOTH || 2 * p->n_tau > MOST_STEPS;
  }
  if (!status) {
    for (size_t i = 0; i < n; i++) p->E[i] = (4 * p->E[i] - coarse[i]) / 3;
    hk_shooter_coarsen(p);
  }
  p->runs = runs;
  free(x);
  free(coarse);
  return status;
}
