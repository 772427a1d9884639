/* Newton's method for a periodic orbit. Its matrix is the derivative of the state after one period with respect to the
 * state at the start of the period. */
#include "analysis/dense_matrix.h"
#include "analysis/periodic_search.h"
#include <stdlib.h>
#include <string.h>

enum {
  MOST_CUTS = 3,
  MOST_ROUNDS = 10,
  PLAIN_PERIODS = 40,
  /* number of steps that may increase the residual if the search starts from the orbit of
   * another model */
  FIRST_ROUNDS = 2
};

/* Solves for the step c of Newton's method: (P - E) c - flow dT = r. For an unknown period the component of c along the
 * flow is 0. */
static hk_status solve_step(hk_search *q, double *dT, hk_error *err) {
  const hk_shooter *p = &q->p;
  int n = p->n, size = n + (q->o->unknown ? 1 : 0);
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < n; k++) q->A[i * size + k] = p->P[i * n + k] - p->E[i * n + k];
    q->b[i] = q->r[i];
  }
  if (q->o->unknown) {
    double length = 0;
    for (int i = 0; i < n; i++) length += p->flow[i] * p->flow[i];
    length = length > 0 ? sqrt(length) : 1;
    for (int i = 0; i < n; i++) {
      q->A[i * size + n] = -p->flow[i] / length;
      q->A[n * size + i] = p->flow[i] / length;
    }
    q->A[n * size + n] = 0;
    q->b[n] = 0;
    *dT = 1 / length;
  } else {
    *dT = 0;
  }
  hk_svd svd;
  hk_status status = hk_svd_make(q->A, size, size, 1e-9, &svd, err);
  if (status) return status;
  hk_svd_solve(&svd, q->b, q->c);
  hk_svd_free(&svd);
  if (q->o->unknown) *dT *= q->c[n];
  return HK_OK;
}

hk_status hk_search_take(hk_search *q, const double *end, const double *c, double share,
                         const double *old_r, hk_error *err) {
  hk_shooter *p = &q->p;
  const hk_model *m = q->m;
  const hk_column_parts at = hk_column_at(m);
  memcpy(q->x, end, hk_search_bytes(q));
  for (
      int i = 0; i < p->n;
      /* moves the end of the period back by the residual r, and then forward by P c, the effect of the step at the
       * end */
      i++) {
    q->b[i] = -old_r[i];
    for (int k = 0; k < p->n; k++) q->b[i] += share * p->P[i * p->n + k] * c[k];
  }
  hk_status status = hk_shooter_move(p, q->x, q->b, err);
  if (status || !p->tangent || p->accurate) return status; /* an accurate period restarts */
  for (int k = 0; k < p->n; k++) {
    const double *col = p->column + (size_t)k * (size_t)at.size;
    for (int i = 0; i < m->nv; i++) q->x[m->at.vd + i] += share * c[k] * col[at.vd + i];
    for (int i = 0; i < m->n_memory; i++)
      q->x[m->at.memory + i] += share * c[k] * col[at.memory + i];
  }
  hk_tangent_add_own(p->tangent, q->x, p->column, p->n, c, share);
  return HK_OK;
}

/* A step with the derivative of an earlier iterate is repeated if it reduces the residual by at least this factor.
 * Otherwise a new derivative is cheaper. */
static const double KEEPS = 0.05;
/* Longest step at first, in amplitudes. After a step of this length that reduces the residual nearly as a linear map
 * would, steps that are longer by the factor FARTHER are tried: an orbit may be far from the present motion, which may
 * have a small amplitude. */
static const double FARTHEST = 3, FARTHER = 4;
/* A step reduces the residual nearly as a linear map would if the reduction is at least this fraction of the reduction
 * by a linear map. */
static const double AS_LINEAR = 0.7;

/* Makes steps with the present derivative; the period goes from q->x to q->end and has the residual q->r. */
static hk_status repeat(hk_search *q, double *end, double *c, double *r, hk_error *err) {
  hk_shooter *p = &q->p;
  size_t n = 2 * (size_t)q->m->nv + 2, bytes = hk_search_bytes(q);
  hk_status status = HK_OK;
  for (double before = INFINITY;
       !status && !hk_search_done(q) && !hk_search_spent(q) && q->residual < KEEPS * before;) {
    double dT, T = p->T;
    before = q->residual;
    status = solve_step(q, &dT, err);
    if (status) break;
    memcpy(c, q->c, n * sizeof *c);
    memcpy(r, q->r, (size_t)p->n * sizeof *r);
    memcpy(end, q->end, bytes);
    p->T = T + dT;
    status = hk_search_take(q, end, c, 1, r, err);
    if (!status) status = hk_search_period(q, false, err);
    if (status == HK_EFAIL || status == HK_RETRY) status = HK_OK, q->residual = INFINITY;
    if (status || q->residual <= before) continue;
    p->T = T; /* continues from the better state */
    q->residual = before;
    memcpy(q->end, end, bytes);
    break;
  }
  return status;
}

hk_status hk_search_newton(hk_search *q, hk_error *err) {
  hk_shooter *p = &q->p;
  size_t n = 2 * (size_t)q->m->nv + 2;
  double *c = malloc(2 * n * sizeof *c), *r = c + n, *end = malloc(hk_search_bytes(q));
  hk_status status = c && end ? HK_OK : hk_fail(err, HK_ENOMEM, "out of memory");
  int poor = 0;
  double farthest = FARTHEST;
  for (int round = 1; !status && !hk_search_done(q) && !hk_search_spent(q); round++) {
    /* If there is no orbit near this position, the iteration does not converge: ordinary periods lead to another
     * position. */
    if (round % MOST_ROUNDS == 0) {
      status = hk_search_plain(q, PLAIN_PERIODS, err);
      if (status || hk_search_done(q)) break;
      hk_search_go_on(q);
    }
    status = hk_shooter_rebase(p, q->x, err);
    if (!status) status = hk_search_period(q, true, err);
    if (status || hk_search_done(q)) break;
    double dT, before = q->residual, T = p->T, share = 1;
    status = solve_step(q, &dT, err);
    memcpy(c, q->c, n * sizeof *c);
    memcpy(r, q->r, (size_t)p->n * sizeof *r);
    memcpy(end, q->end, hk_search_bytes(q));
    double longest = hk_shooter_reach(p, c);
    /* Far outside of the present amplitude the derivative is not valid, unless the model has changed a little since the
     * orbit from which the search starts. */
    double limited = longest > farthest ? farthest / longest : 1, taken = 0;
    bool near = q->o->start && round <= FIRST_ROUNDS;
    if (!near) share = limited;
    bool better = false;
    for (int cut = 0; !status && cut < MOST_CUTS && !better;
         cut++, share = share > limited ? limited : share / 4) {
      p->T = T + share * dT;
      taken = share;
      if (!(p->T > 0.1 * T)) continue;
      status = hk_search_take(q, end, c, share, r, err);
      if (status == HK_EFAIL || status == HK_RETRY)
        status = HK_OK;
      else if (!status)
        status = hk_search_period(q, false, err);
      if (status == HK_EFAIL) status = HK_OK, q->residual = INFINITY;
      double grows = near && cut == 0 ? 2 : cut < MOST_CUTS - 1 ? 1 - 0.1 * share : 1;
      better = q->residual < before * grows;
    }
    if (!status && q->residual < KEEPS * before) status = repeat(q, end, c, r, err);
    if (status || hk_search_done(q)) break;
    poor = better ? 0 : poor + 1;
    if (taken < limited)
      farthest = FARTHEST;
    else if (limited < 1 && before - q->residual > AS_LINEAR * limited * before)
      farthest *= FARTHER;
    /* there may be no orbit nearby: continues with ordinary periods, more of them each time */
    if (!better) {
      p->T = T;
      memcpy(q->end, end, hk_search_bytes(q));
      for (int k = 0;
           k < 2 << (2 * poor - 2) && !status && !hk_search_done(q) && !hk_search_spent(q); k++) {
        hk_search_go_on(q);
        status = hk_search_period(q, false, err);
      }
      if (poor >= 4 || hk_search_done(q)) break;
    }
    hk_search_go_on(q);
  }
  free(c);
  free(end);
  return status;
}
