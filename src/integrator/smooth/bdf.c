/* Backward differentiation formulas of orders 1 to 5 on the Lie group, with variable step and order.
 *
 * Let l_j be the Lagrange polynomials on t1 and the ends of the k previous steps, and d_j = l_j'(t1). The formula then
 * has the form of multistep.h with hg = 1/d_1 and the sum over past steps q_b = -hg sum d_j q_j. v_b is a sum of the
 * same form, and quaternions are treated as vectors with four components. The equations at the end of a step are
 *
 *   M v1' + G^T lambda = f(q1, v1),   g(q1) = 0
 *
 * Newton's iteration is that of implicit.h with cv = 1/hg and ca = 1/hg^2, from positions and multipliers extrapolated
 * through k + 1 steps; its factorization is also used to project the velocities onto the constraints.
 *
 * The error of order m is the error of the extrapolation through m + 1 steps, multiplied by h/(t1 - t_-m); for equal
 * steps this factor is 1/(m + 1), as in the formula. Errors of velocities are multiplied by h and added to the errors
 * of positions. Of the orders k - 1, k and k + 1, the one that allows the longest step is used.
 * [BrenanCampbellPetzold1996, ch. 5] */
#include <hooke/param.h>
#include "sim/dense_output.h"
#include "integrator/smooth/multistep.h"

enum { MOST_ORDER = HK_BDF_MOST_ORDER, ROOM = MOST_ORDER };

typedef struct bdf_keys {
  int max_order;
} bdf_keys;

/* ---- sums over the past ---- */

/* Collects the nodes of x0. If there is only one, a second one is computed from the accelerations. */
static void find_nodes(const hk_sim *s, const hk_multistep *b, const double *x0, double h,
                       hk_nodes *out) {
  const hk_model *m = s->model;
  out->n = 1 + (int)hk_history_in(m, x0)->count;
  for (int j = 0; j < out->n; j++) {
    const hk_past p = hk_history_node(m, x0, j);
    hk_nodes_put_places(out, j, &p);
  }
  if (out->n > 1) return;
  const double *v = x0 + m->at.v, *a = x0 + m->at.vd;
  double *q = b->q_0, *u = b->v_0;
  for (int i = 0; i < m->nv; i++) s->d[i] = -h * v[i] + 0.5 * h * h * a[i];
  hk_configuration_add(m, x0 + m->at.q, s->d, q);
  for (int i = 0; i < m->nv; i++) u[i] = v[i] - h * a[i];
  out->n = 2;
  hk_nodes_put_places(
      out, 1, &(hk_past){.t = x0[m->at.t] - h, .q = q, .v = u, .lambda = x0 + m->at.lambda});
}

/* Computes q_b, v_b and hg of order k, and the extrapolations through k + 1, k and k + 2 nodes
 * with their weights. */
static void sum_past(const hk_model *m, hk_multistep *b, const hk_nodes *z, int k, double t,
                     double own[HK_HISTORY_MOST]) {
  double at[HK_HISTORY_MOST], w[HK_HISTORY_MOST];
  hk_sums sum = {.n = k + 2 < z->n ? k + 2 : z->n};
  at[0] = t;
  for (int j = 0; j < k; j++) at[j + 1] = z->t[j];
  hk_lagrange_slope(at, k + 1, w);
  b->hg = 1 / w[0];
  for (int j = 0; j < k; j++) sum.w[j][HK_SUM_FORMULA] = -b->hg * w[j + 1];
  hk_lagrange_value(z->t, k, t, own);
  for (int j = 0; j < k; j++) sum.w[j][HK_SUM_BELOW] = own[j];
  hk_lagrange_extend(z->t, k, t, own, own);
  for (int j = 0; j <= k; j++) sum.w[j][HK_SUM_OWN] = own[j];
  if (k + 2 <= sum.n) {
    hk_lagrange_extend(z->t, k + 1, t, own, w);
    for (int j = 0; j < k + 2; j++) sum.w[j][HK_SUM_ABOVE] = w[j];
  }
  hk_multistep_sum(m, b, z, &sum, NULL, NULL);
}

/* Error of order m, which needs m + 1 nodes. */
static double error_of(hk_sim *s, const hk_nodes *z, int k, int m, double h, const double *x1) {
  double t = x1[s->model->at.t];
  return fmax(h / (t - z->t[m]) * hk_multistep_off(s, m > k, x1),
              hk_multistep_ledger_error(s, z, m, x1));
}

double hk_bdf_error_of(hk_sim *s, const double *x0, double h, int k, const double *x1) {
  const hk_model *m = s->model;
  hk_multistep *b = s->own;
  hk_nodes z;
  double t = x1[m->at.t], w[HK_HISTORY_MOST];
  find_nodes(s, b, x0, h, &z);
  if (k + 1 > z.n) return INFINITY;
  hk_lagrange_value(z.t, k + 1, t, w);
  hk_nodes_sum(w, z.q, k + 1, m->nq, b->q_e);
  hk_nodes_sum(w, z.v, k + 1, m->nv, b->v_e);
  return fmax(h / (t - z.t[k]) * hk_multistep_distance(s, b->pace, x1, b->q_e, b->v_e),
              hk_multistep_ledger_error(s, &z, k, x1));
}

/* ---- the step ---- */

static void predict(const hk_sim *s, hk_multistep *b, const hk_nodes *z, int k, double h,
                    bool from_rates, double *x1) {
  const hk_model *m = s->model;
  double t = x1[m->at.t];
  double w[HK_HISTORY_MOST];
  sum_past(m, b, z, k, t, w);
  hk_nodes_sum(w, z->lambda, k + 1, m->nc, x1 + m->at.lambda);
  if (from_rates) { /* an extrapolation from a single state does not include the accelerations of this state */
    hk_copy(x1 + m->at.v, b->v_e, m->nv);
  } else {
    hk_copy(x1 + m->at.q, b->q_e, m->nq);
    hk_configuration_unit(m, x1 + m->at.q);
    hk_configuration_chord(m, x1 + m->at.q, b->q_b, x1 + m->at.v);
    for (int i = 0; i < m->nv; i++) x1[m->at.v + i] /= b->hg;
  }
  b->span = t - z->t[k];
  b->scale = h / b->span;
  hk_multistep_place(s, b, x1);
}

/* When step or order change, the multipliers of order k have an error of h^(k - 1): past velocities are derivatives of
 * positions by the formula, and their errors of h^k no longer cancel when they are differentiated again.  With order
 * 1 this error does not decrease with the step. The error is along G^T, and the projection removes its effect; but
 * friction that depends on a joint's load has a component tangential to the constraints, which remains. With such
 * friction order 1 is used at the start only. */
int hk_bdf_least_order(const hk_model *m, int most) { return m->friction && most > 1 ? 2 : 1; }

/* Makes the multipliers consistent with the accelerations if they enter the energy integrals, as those of motions and
 * of friction in joints do. Multipliers that enforce only the positions are not a smooth function of time: see above. */
static hk_status judge_ledger(hk_sim *s, const hk_implicit *f, const hk_nodes *z, int n, double *x1,
                              double *own, hk_attempt *info) {
  double error = hk_multistep_ledger_look(s, z, n, f->x0, x1);
  if (error > 0 && s->model->nc > 0) {
    hk_status status = hk_implicit_accelerations(s, f, x1, info);
    if (status) return status;
    error = hk_multistep_ledger_look(s, z, n, f->x0, x1);
  }
  hk_multistep_ledger_judge(s, error, f->h, own, info);
  return HK_OK;
}

hk_status hk_bdf_attempt(hk_sim *s, const double *x0, double h, int max_order, double *x1,
                         hk_attempt *info) {
  const hk_model *m = s->model;
  hk_multistep *b = s->own;
  const hk_history *past = hk_history_in(m, x0);
  int most = hk_multistep_most(m, max_order);
  int least = hk_bdf_least_order(m, most), k = hk_multistep_order(past, least, info);
  int known = 1 + (int)past->count, n = known < k ? known : k;
  hk_nodes z;
  s->noise_fades = true; /* velocities of the next step are computed again from positions */
  find_nodes(s, b, x0, h, &z);
  hk_multistep_begin(s, x0, h, info, x1);
  /* Call after a switch that depends on a velocity. The threshold of the switch may be between the velocities before
   * and after the switch. */
  bool from_rates = past->count == 0 && m->n_watched > 0;
  predict(s, b, &z, k, h, from_rates, x1);
  const hk_implicit f = hk_multistep_equations(s, b, x0, h);
  hk_status status = hk_implicit_solve(s, &f, x1, info);
  if (status == HK_RETRY && hk_multistep_back(s, h, info)) return HK_OK;
  if (status) return status;
  double patience = hk_multistep_patience(past);
  info->made = info->error;
  info->error /= patience;
  if (hk_multistep_beside(past, h, HK_BESIDE_POSITIONS, info)) return HK_OK;
  double own = 0;
  if (info->error <= 1) {
    status = hk_implicit_project(s, &f, x1, info);
    if (status) return status;
    if (hk_multistep_beside(past, h, HK_BESIDE_VELOCITIES, info)) return HK_OK;
    own = hk_multistep_judge(s, x0, h, patience, x1, info);
    info->made = fmax(info->made, patience * info->error);
  }
  if (info->error <= 1) {
    status = judge_ledger(s, &f, &z, n, x1, &own, info);
    if (status) return status;
  }
  if (info->error > 1) {
    info->next = hk_multistep_shorter(h, info->error, k);
    return HK_OK;
  }
  status = hk_multistep_guard(s, x0, h, x1, info);
  if (status) return status;
  hk_multistep_push(s, x0, NULL, x1);
  hk_history_of(m, x1)->used = k;
  const hk_multistep_orders o = {.order = k,
                                 .least = least,
                                 .most = most,
                                 .known = z.n,
                                 .extra = 1,
                                 .own = own,
                                 .error = error_of};
  hk_multistep_next(s, &o, &z, h, info->error, x1, info);
  hk_multistep_ledger(s, &z, n, x0, x1);
  return HK_OK;
}

/* Computes the polynomial of the step. This polynomial passes through the end of the step and the ends of the k steps
 * before. */
void hk_bdf_dense(const hk_sim *s, double t, double *x) {
  const hk_model *m = s->model;
  hk_nodes z;
  int n = (int)hk_history_in(m, s->x)->used + 1;
  for (int j = 0; j < n; j++) {
    const hk_past p = hk_history_node(m, s->x, j);
    hk_nodes_put_places(&z, j, &p);
  }
  hk_dense_begin(s, t, x);
  hk_multistep_ledger_between(s, n - 1, t, x);
  double w[HK_HISTORY_MOST];
  hk_lagrange_value(z.t, n, t, w);
  hk_nodes_sum(w, z.q, n, m->nq, x + m->at.q);
  hk_nodes_sum(w, z.v, n, m->nv, x + m->at.v);
  hk_configuration_unit(m, x + m->at.q);
}

static hk_status attempt(hk_sim *s, const double *x0, double h, double *x1, hk_attempt *info) {
  return hk_bdf_attempt(s, x0, h, ((const bdf_keys *)s->parameter)->max_order, x1, info);
}

static int state_size(const hk_model *m) { return hk_history_size(m, ROOM, HK_PAST_PLACES); }
static void restart(const hk_sim *s, double *x) {
  hk_history_forget(s->model, x, ROOM, HK_PAST_PLACES);
}

/* ---- the type ---- */

static const bdf_keys defaults = {.max_order = MOST_ORDER};

static const hk_param params[] = {
    HK_INT(bdf_keys, max_order, 0, "highest order; 2 has no numerical instability at all",
           HK_RANGE(1, MOST_ORDER)),
};

/* Score of the method for a model. The method is intended for smooth motion: each time a contact closes or opens, the
 * order is reset to 1. With many contacts, second-order methods make equally long steps at lower cost. Forces with
 * internal variables limit the order to 2. */
enum { MANY_POINTS = 12 };
int hk_bdf_score(const hk_model *m, const char **why) {
  *why = m->n_points > 0 ? "few points of contact" : "smooth motion";
  if (m->n_points > 0) return m->n_points > MANY_POINTS ? 0 : 3;
  return m->n_moving ? 0 : 3;
}

static const hk_integrator ops = {.order = MOST_ORDER,
                                  .can = HK_MULTISTEP_CAN,
                                  HK_MULTISTEP_COMMON,
                                  .attempt = attempt,
                                  .restart = restart,
                                  .dense = hk_bdf_dense,
                                  .state_size = state_size,
                                  .supports = hk_integrator_needs_smooth,
                                  .score = hk_bdf_score};

const hk_type hk_type_stepper_bdf = {
    .name = "bdf",
    .category = HK_STEPPER,
    .doc =
        "Implicit, of orders 1 to 5, variable in step and order; for smooth motion with joints, "
        "forces and compliant contacts to many digits.",
    .source = "[BrenanCampbellPetzold1996, ch. 5]",
    .size = sizeof(bdf_keys),
    .defaults = &defaults,
    HK_TABLE(params),
    .ops = &ops,
};
