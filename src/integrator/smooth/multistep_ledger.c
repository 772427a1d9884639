/* Energy integrals of multistep methods, and their error.
 *
 * Powers are integrated like every other rate, by the polynomial through their values at the ends of the last steps.
 * Let z_0 = t1, z_1 = t0, z_2, ... be the times of these ends, and D_j the divided difference of a power P over the
 * first j + 1 of these times. In Newton's form, the polynomial is
 *
 *   P(t) = sum_j D_j w_j(t),   w_j(t) = product of t - z_i for i < j,   energy of the step = sum_j T_j,   T_j = D_j int w_j dt
 *
 * The rule of degree n uses the terms up to T_n, so that its error is about T_(n+1).
 *
 * The error estimate of the positions does not include this error. If a motion is prescribed, the joints enforce every
 * position exactly, and steps of any length pass the error test of the positions, but the powers are then integrated
 * from too few values. The work of the motion and the losses have the same error in this case, so that the energy
 * balance does not show it. Therefore the energy integrals are part of the error test. Their tolerance is relative to
 * the present energy, as the tolerance of positions is relative to the model's length. */
#include "core/contact.h"
#include "integrator/smooth/multistep.h"
#include "sim/ledger.h"

enum { N_POWERS = 3 };

/* Fractions of the tolerance. If the error of an energy integral is below them, it does not
 * limit the step or the choice of the order. */
static const double idle_share = 1e-2;
/* Factor by which the recorded noise is reduced in each step. */
static const double remembered = 0.9;

/* Number of past nodes that were ends of steps. */
static int n_powers(const hk_nodes *z) {
  int n = 0;
  while (n < z->n && z->power[n]) n++;
  return n;
}

/* [J] The largest T_j of the three energy integrals; needs the powers at j past times. */
static double largest_term(const hk_nodes *z, int j, double t1, const double *power) {
  double at[HK_HISTORY_MOST + 1], sum[N_POWERS] = {0};
  at[0] = t1;
  for (int i = 0; i < j; i++) at[i + 1] = z->t[i];
  for (int i = 0; i <= j; i++) {
    const double *p = i == 0 ? power : z->power[i - 1];
    double w = 1;
    for (int l = 0; l <= j; l++)
      if (l != i) w *= at[i] - at[l];
    w = 1 / w;
    for (int k = 0; k < N_POWERS; k++) sum[k] += w * p[k];
  }
  double most = fmax(fabs(sum[0]), fmax(fabs(sum[1]), fabs(sum[2])));
  return most > 0 ? most * fabs(hk_lagrange_product_integral(at, j, z->t[0], t1)) : 0;
}

double hk_multistep_ledger_error(const hk_sim *s, const hk_nodes *z, int n, const double *x1) {
  const hk_model *m = s->model;
  const hk_multistep *b = s->own;
  if (isinf(b->energy) || n + 1 > n_powers(z)) return 0;
  return largest_term(z, n + 1, x1[m->at.t], x1 + m->at.ledger + HK_LEDGER_POWER) / b->energy;
}

/* ---- error test ---- */

static double largest_power(const hk_nodes *z, const double *power) {
  double most = 0;
  for (int k = 0; k < N_POWERS; k++)
    most = fmax(most, fmax(fabs(power[k]), z->n > 0 && z->power[0] ? fabs(z->power[0][k]) : 0));
  return most;
}

/* [J] Error of the rule of degree n. If the history has no more nodes than the rule needs, the next term is estimated
 * as the last term times its ratio to the present energy. */
static double rule_error(const hk_nodes *z, int n, double t1, const double *power, double at_hand) {
  int known = n_powers(z);
  if (n + 1 <= known) return largest_term(z, n + 1, t1, power);
  double last = largest_term(z, known, t1, power);
  return at_hand > 0 ? last * fmin(1, last / at_hand) : 0;
}

double hk_multistep_ledger_look(hk_sim *s, const hk_nodes *z, int n, const double *x0, double *x1) {
  const hk_model *m = s->model;
  hk_multistep *b = s->own;
  double *power = x1 + m->at.ledger + HK_LEDGER_POWER, blurred = hk_history_in(m, x0)->blurred;
  hk_ledger_powers(s, x1, power);
  b->energy = INFINITY;
  b->blurred = remembered * blurred;
  double most = largest_power(z, power);
  if (most == 0 || s->ledger == HK_LEDGER_FOLLOWS) return 0;
  double tolerance = hk_ledger_tolerance(s, most, x0, x1),
         at_hand = hk_ledger_at_hand(s, tolerance),
         error = rule_error(z, n, x1[m->at.t], power, at_hand);
  if (!(error > idle_share * tolerance)) return 0;
  b->energy = fmax(tolerance, blurred);
  return error;
}

void hk_multistep_ledger_judge(hk_sim *s, double error, double h, double *own, hk_attempt *info) {
  hk_multistep *b = s->own;
  if (!(error > 0)) return;
  if (error > b->energy && hk_ledger_is_noise(s, error, h, info)) {
    b->blurred = 2 * error;
    b->energy = INFINITY;
    return;
  }
  if (!(info->made > 0)) info->made = info->error;
  *own = fmax(*own, error / b->energy);
  info->error = fmax(info->error, error / b->energy);
}

/* ---- the integrals ---- */

/* Powers of contacts have kinks, across which polynomials of high degree oscillate: in a chain that hits a post the
 * error of the energy balance is 0.74 J with the degree of the formula, up to 12, and 0.007 J with this one. */
enum { CONTACT_DEGREE = 3 };

static int rule_degree(const hk_model *m, int n) {
  return m->n_points && n > CONTACT_DEGREE ? CONTACT_DEGREE : n;
}

void hk_multistep_ledger(hk_sim *s, const hk_nodes *z, int n, const double *x0, double *x1) {
  const hk_model *m = s->model;
  n = rule_degree(m, n);
  const hk_multistep *b = s->own;
  double at[HK_HISTORY_MOST], w[HK_HISTORY_MOST], t0 = x0[m->at.t];
  const double *l0 = x0 + m->at.ledger;
  double *l1 = x1 + m->at.ledger;
  at[0] = x1[m->at.t];
  for (int j = 0; j < n; j++) at[j + 1] = z->t[j];
  hk_lagrange_integral(at, n + 1, t0, at[0], w);
  if (m->n_points) hk_contact_ledger(s->work, x0, at[0] - t0, x1);
  for (int i = 0; i < N_POWERS; i++) {
    double add = w[0] * l1[HK_LEDGER_POWER + i];
    for (int j = 0; j < n; j++) add += w[j + 1] * hk_history_node(m, x0, j).power[i];
    l1[i] = l0[i] + add;
  }
  hk_history_of(m, x1)->blurred = b->blurred;
}

void hk_multistep_ledger_between(const hk_sim *s, int n, double t, double *x) {
  const hk_model *m = s->model;
  const double *x0 = s->x_next, *x1 = s->x, *l0 = x0 + m->at.ledger;
  int known = (int)hk_history_in(m, x1)->count;
  double at[HK_HISTORY_MOST], w[HK_HISTORY_MOST], *l = x + m->at.ledger;
  n = rule_degree(m, n > known ? known : n);
  for (int j = 0; j <= n; j++) at[j] = hk_history_node(m, x1, j).t;
  hk_lagrange_integral(at, n + 1, x0[m->at.t], t, w);
  for (int i = 0; i < N_POWERS; i++) {
    l[i] = l0[i];
    for (int j = 0; j <= n; j++) l[i] += w[j] * hk_history_node(m, x1, j).power[i];
  }
  double mended = x1[m->at.ledger + HK_LEDGER_MENDED];
  if (mended == 0) return;
  double share = (t - x0[m->at.t]) / (x1[m->at.t] - x0[m->at.t]);
  l[HK_LEDGER_APPLIED] += share * share * (3 - 2 * share) * mended;
}
