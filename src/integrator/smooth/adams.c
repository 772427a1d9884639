/* Adams' method of orders 1 to 10 on the Lie group, with variable step and order: for smooth motion without
 * stiffness, at high accuracy.
 *
 * Let l_j be the Lagrange polynomials on the times t1, t0 .. t_2-k and b_j their integrals over the step. The formula
 * of order k then has the form of multistep.h with hg = b_1 and the sums over past steps
 *
 *   v_b = v0 + sum b_j v'_j,   q_b = q0 + sum b_j q'_j,   q' = (x', q (0, w)/2)
 *
 * Newton's iteration is that of bdf, starting from accelerations and multipliers extrapolated through k steps.
 * Multipliers that enforce only the positions must not be fed back into the sums, because this is unstable: after
 * the projection of the velocities, one more solve makes v' and lambda consistent with both, and these are stored in
 * the history.
 *
 * The error of order m is the difference of formulas m and m + 1, (hg_m - hg_m+1) times the distance of q'
 * and v' from their extrapolation through m steps.  [ShampineGordon1975, ch. 7]
 *
 * Near a singular position of the constraints round-off in the accelerations grows as the third power
 * of the inverse distance.  Solving for them again, until the correction is small, limits it. */
#include <hooke/param.h>
#include "sim/dense_output.h"
#include "integrator/smooth/multistep.h"

enum { MOST_ORDER = HK_ADAMS_MOST_ORDER, ROOM = MOST_ORDER - 1 };

typedef struct adams_keys {
  int max_order;
} adams_keys;

/* ---- sums over the past ---- */

/* Rates at the nodes of x0; the rate at x0 itself is computed into q_0. */
static void find_nodes(const hk_model *m, const hk_multistep *b, const double *x0, hk_nodes *out) {
  hk_past p = hk_history_node(m, x0, 0);
  hk_configuration_rate(m, p.q, p.v, b->q_0);
  p.q_rate = b->q_0;
  out->n = 1 + (int)hk_history_in(m, x0)->count;
  for (int j = 0; j < out->n; j++) {
    if (j > 0) p = hk_history_node(m, x0, j);
    hk_nodes_put_rates(out, j, &p);
  }
}

/* Times of the nodes of the step: t1 and the k - 1 nodes before it. */
static void step_nodes(const hk_nodes *z, int k, double t1, double *at) {
  at[0] = t1;
  for (int j = 1; j < k; j++) at[j] = z->t[j - 1];
}

/* Computes the weights with which the rates at these nodes enter the integral from t0 to t. */
static void integrals(const hk_nodes *z, int k, double t1, double t, double *w) {
  double at[HK_HISTORY_MOST];
  step_nodes(z, k, t1, at);
  hk_lagrange_integral(at, k, z->t[0], t, w);
}

/* Weight of the rate at t1 in the integral from t0 to t1: b_1. */
static double newest(const hk_nodes *z, int k, double t1) {
  double at[HK_HISTORY_MOST];
  step_nodes(z, k, t1, at);
  return hk_lagrange_integral_first(at, k, z->t[0], t1);
}

static void add_scaled(double k, int n, const double *restrict a, double *restrict r) {
  for (int i = 0; i < n; i++) r[i] += k * a[i];
}

/* Extrapolates the rates of n nodes to t1 with the weights w, if there are n nodes. Adds hg times the result to one
 * of the sums. */
static void add_extrapolated(const hk_nodes *z, int n, double t1, double hg, int which,
                             hk_sums *sum, double *w) {
  if (n > sum->n) return;
  hk_lagrange_value(z->t, n, t1, w);
  for (int j = 0; j < n; j++) sum->w[j][which] += hg * w[j];
}

/* Computes q_b, v_b and hg of order k, and q and v that this formula gives with rates extrapolated from k, k - 1 and k + 1
 * nodes. own[k]: the weights of these k nodes at t1. */
static void sum_past(const hk_model *m, hk_multistep *b, const hk_nodes *z, int k, const double *x0,
                     double t1, double *own) {
  double w[HK_HISTORY_MOST];
  hk_sums sum = {.n = k < z->n ? k + 1 : k};
  integrals(z, k, t1, t1, w);
  b->hg = w[0];
  for (int i = HK_SUM_FORMULA; i <= HK_SUM_ABOVE; i++)
    for (int j = 1; j < k; j++) sum.w[j - 1][i] = w[j];
  add_extrapolated(z, k, t1, b->hg, HK_SUM_OWN, &sum, own);
  add_extrapolated(z, k - 1, t1, b->hg, HK_SUM_BELOW, &sum, w);
  add_extrapolated(z, k + 1, t1, b->hg, HK_SUM_ABOVE, &sum, w);
  hk_multistep_sum(m, b, z, &sum, x0 + m->at.q, x0 + m->at.v);
}

/* Error of order m divided by the difference that hk_multistep_distance returns. That difference is proportional to the
 * factor hg of the formula, so it is divided by hg. */
static double error_scale(const hk_multistep *b, const hk_nodes *z, int m, double t1) {
  return fabs(newest(z, m, t1) - newest(z, m + 1, t1)) / b->hg;
}

/* Degree of the polynomial through the powers of the energy integrals. It uses the powers at as many steps as the
 * formula uses velocities and accelerations. */
static int ledger_degree(int order) { return order > 2 ? order - 1 : 1; }

static double error_of(hk_sim *s, const hk_nodes *z, int k, int m, double h, const double *x1) {
  (void)h;
  return fmax(error_scale(s->own, z, m, x1[s->model->at.t]) * hk_multistep_off(s, m > k, x1),
              hk_multistep_ledger_error(s, z, ledger_degree(m), x1));
}

double hk_adams_error_of(hk_sim *s, const double *x0, int k, const double *x1) {
  const hk_model *m = s->model;
  hk_multistep *b = s->own;
  hk_nodes z;
  double t1 = x1[m->at.t], w[HK_HISTORY_MOST], *q = b->q_e, *v = b->v_e;
  find_nodes(m, b, x0, &z);
  if (k > z.n) return INFINITY;
  double g = newest(&z, k, t1), above = newest(&z, k + 1, t1);
  hk_lagrange_value(z.t, k, t1, w);
  hk_nodes_sum(w, z.q, k, m->nq, q);
  hk_nodes_sum(w, z.v, k, m->nv, v);
  hk_configuration_rate(m, x1 + m->at.q, x1 + m->at.v, b->q_0);
  /* Computes the predicted end of the step from extrapolated rates. */
  for (int i = 0; i < m->nq; i++) q[i] = x1[m->at.q + i] - g * (b->q_0[i] - q[i]);
  for (int i = 0; i < m->nv; i++) v[i] = x1[m->at.v + i] - g * (x1[m->at.vd + i] - v[i]);
  return fmax(fabs(g - above) / g * hk_multistep_distance(s, b->pace, x1, q, v),
              hk_multistep_ledger_error(s, &z, ledger_degree(k), x1));
}

/* ---- the step ---- */

static void predict(const hk_sim *s, hk_multistep *b, const hk_nodes *z, int k, const double *x0,
                    double *x1) {
  const hk_model *m = s->model;
  double t1 = x1[m->at.t];
  double w[HK_HISTORY_MOST];
  sum_past(m, b, z, k, x0, t1, w);
  hk_nodes_sum(w, z->lambda, k, m->nc, x1 + m->at.lambda);
  b->span = t1 - z->t[k - 1];
  b->scale = error_scale(b, z, k, t1);
  /* Positions are predicted from the velocities, which is one order better than from past positions. */
  hk_copy(x1 + m->at.v, b->v_e, m->nv);
  hk_multistep_place(s, b, x1);
}

/* Predicts accelerations and multipliers of x1 from the history; their accuracy is that of the step. */
static void keep_predicted(const hk_sim *s, const hk_nodes *z, int k, double *x1) {
  const hk_model *m = s->model;
  double w[HK_HISTORY_MOST];
  hk_lagrange_value(z->t, k, x1[m->at.t], w);
  hk_nodes_sum(w, z->v, k, m->nv, x1 + m->at.vd);
  hk_nodes_sum(w, z->lambda, k, m->nc, x1 + m->at.lambda);
}

hk_status hk_adams_attempt(hk_sim *s, const double *x0, double h, int max_order, double *x1,
                           hk_attempt *info) {
  const hk_model *m = s->model;
  hk_multistep *b = s->own;
  const hk_history *past = hk_history_in(m, x0);
  int k = hk_multistep_order(past, 1, info);
  hk_nodes z;
  find_nodes(m, b, x0, &z);
  hk_multistep_begin(s, x0, h, info, x1);
  predict(s, b, &z, k, x0, x1);
  const hk_implicit f = hk_multistep_equations(s, b, x0, h);
  hk_status status = hk_implicit_solve(s, &f, x1, info);
  if (status == HK_RETRY && hk_multistep_back(s, h, info)) return HK_OK;
  if (status) return status;
  if (hk_multistep_beside(past, h, HK_BESIDE_POSITIONS, info)) return HK_OK;
  double own = 0;
  if (info->error <= 1) {
    status = hk_implicit_project(s, &f, x1, info);
    if (status) return status;
    own = hk_multistep_judge(s, x0, h, 1, x1, info);
  }
  if (info->error > 1) {
    info->next = hk_multistep_shorter(h, info->error, k);
    return HK_OK;
  }
  status = hk_implicit_accelerations(s, &f, x1, info);
  if (status) return status;
  if (hk_multistep_beside(past, h, HK_BESIDE_ACCELERATIONS, info)) return HK_OK;
  if (hk_multistep_noisy(info)) keep_predicted(s, &z, k, x1);
  double ledger = hk_multistep_ledger_look(s, &z, ledger_degree(k), x0, x1);
  hk_multistep_ledger_judge(s, ledger, h, &own, info);
  if (info->error > 1) {
    info->next = hk_multistep_shorter(h, info->error, k);
    return HK_OK;
  }
  status = hk_multistep_guard(s, x0, h, x1, info);
  if (status) return status;
  hk_multistep_push(s, x0, b->q_0, x1);
  hk_history_of(m, x1)->used = k;
  const hk_multistep_orders o = {.order = k,
                                 .least = 1,
                                 .most = hk_multistep_most(m, max_order),
                                 .known = z.n,
                                 .own = own,
                                 .error = error_of};
  hk_multistep_next(s, &o, &z, h, info->error, x1, info);
  hk_multistep_ledger(s, &z, ledger_degree(k), x0, x1);
  return HK_OK;
}

/* Computes the polynomial of the step. This polynomial passes through the rates at the end of the step and at the k -
 * 1 previous nodes. */
void hk_adams_dense(const hk_sim *s, double t, double *x) {
  const hk_model *m = s->model;
  const hk_multistep *b = s->own;
  const double *x0 = s->x_next, *x1 = s->x;
  int k = (int)hk_history_in(m, x1)->used;
  hk_nodes z; /* uses the same nodes as the step */
  z.n = k > 1 ? k - 1 : 1;
  for (int j = 0; j < z.n; j++) {
    const hk_past p = hk_history_node(m, x1, j + 1);
    hk_nodes_put_rates(&z, j, &p);
  }
  double w[HK_HISTORY_MOST], *q = x + m->at.q, *v = x + m->at.v;
  hk_dense_begin(s, t, x);
  hk_multistep_ledger_between(s, z.n, t, x);
  integrals(&z, k, x1[m->at.t], t, w);
  hk_configuration_rate(m, x1 + m->at.q, x1 + m->at.v, b->q_0);
  hk_copy(q, x0 + m->at.q, m->nq);
  hk_copy(v, x0 + m->at.v, m->nv);
  add_scaled(w[0], m->nq, b->q_0, q);
  add_scaled(w[0], m->nv, x1 + m->at.vd, v);
  for (int j = 1; j < k; j++) {
    add_scaled(w[j], m->nq, z.q[j - 1], q);
    add_scaled(w[j], m->nv, z.v[j - 1], v);
  }
  hk_configuration_unit(m, q);
}

static hk_status attempt(hk_sim *s, const double *x0, double h, double *x1, hk_attempt *info) {
  return hk_adams_attempt(s, x0, h, ((const adams_keys *)s->parameter)->max_order, x1, info);
}

static int state_size(const hk_model *m) { return hk_history_size(m, ROOM, HK_PAST_RATES); }
static void restart(const hk_sim *s, double *x) {
  hk_history_forget(s->model, x, ROOM, HK_PAST_RATES);
}

/* ---- the type ---- */

static const adams_keys defaults = {.max_order = MOST_ORDER};

static const hk_param params[] = {
    HK_INT(adams_keys, max_order, 0, "highest order", HK_RANGE(1, MOST_ORDER)),
};

hk_status hk_adams_supports(const hk_model *m, hk_error *why) {
  hk_status status = hk_integrator_needs_mass(m, why);
  return status ? status : hk_integrator_needs_smooth(m, why);
}

/* A model on which only gravity acts is not stiff. */
int hk_adams_score(const hk_model *m, const char **why) {
  *why = "only gravity acts";
  if (m->n_points > 0 || m->friction) return 0;
  for (int i = 0; i < m->n_forces; i++)
    if (!m->force[i].field) return 0;
  return 4;
}

static const hk_integrator ops = {.order = MOST_ORDER,
                                  .can = HK_MULTISTEP_CAN,
                                  HK_MULTISTEP_COMMON,
                                  .attempt = attempt,
                                  .restart = restart,
                                  .dense = hk_adams_dense,
                                  .state_size = state_size,
                                  .supports = hk_adams_supports,
                                  .score = hk_adams_score};

const hk_type hk_type_stepper_adams = {
    .name = "adams",
    .category = HK_STEPPER,
    .doc =
        "Implicit, of orders 1 to 10, variable in step and order; for smooth motion without "
        "stiff springs or dampers, to most digits.",
    .source = "[ShampineGordon1975, ch. 7]",
    .size = sizeof(adams_keys),
    .defaults = &defaults,
    HK_TABLE(params),
    .ops = &ops,
};
