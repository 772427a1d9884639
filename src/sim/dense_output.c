/* States between two accepted steps, for output at any time; steps need not end at output times. */
#include "sim/dense_output.h"

/* Interpolates the energy integrals within a step by the cubic whose slopes at both ends are
 * the powers. */
static void blend_ledger(const hk_model *m, const double *x0, const double *x1, double h, double s,
                         double *x) {
  const double *a = x0 + m->at.ledger, *b = x1 + m->at.ledger;
  double *l = x + m->at.ledger, r = 1 - s;
  for (int k = 0; k < HK_LEDGER_POWER; k++) {
    double pa = a[HK_LEDGER_POWER + k], pb = b[HK_LEDGER_POWER + k];
    l[k] = r * r * ((1 + 2 * s) * a[k] + s * h * pa) + s * s * ((1 + 2 * r) * b[k] - r * h * pb);
    l[HK_LEDGER_POWER + k] = r * pa + s * pb;
  }
}

/* Makes x the end of a step that begins with x0, because elements with internal variables compute rates from
 * differences over a step (hk_instant_last). In the first part of a step such a difference is mainly round-off, so the
 * previous step is included in the difference. */
static void end_step(const hk_model *m, const double *x0, double part, double h, double *x) {
  static const double least_share = 0x1p-10;
  double before = x0[m->at.h];
  if (part < least_share * h)
    x[m->at.h] = before > 0 ? before + part : 0;
  else
    hk_instant_ends(m, x0, part, x);
}

void hk_dense_begin(const hk_sim *s, double t, double *x) {
  const hk_model *m = s->model;
  const double *x0 = s->x_next, *x1 = s->x;
  double h = x1[m->at.t] - x0[m->at.t], part = t - x0[m->at.t], share = h > 0 ? part / h : 1;
  hk_copy(x, x0, s->state_size);
  x[m->at.t] = t;
  end_step(m, x0, part, h, x);
  for (int i = 0; i < m->nv; i++)
    x[m->at.vd + i] = (1 - share) * x0[m->at.vd + i] + share * x1[m->at.vd + i];
  for (int r = 0; r < m->nc; r++)
    x[m->at.lambda + r] = (1 - share) * x0[m->at.lambda + r] + share * x1[m->at.lambda + r];
  blend_ledger(m, x0, x1, h, share, x);
}

double hk_dense_impulse_time(const hk_sim *s) {
  int time = s->model->at.t;
  double part = s->out.between ? s->x[time] - s->x_next[time] : 0;
  return part > 0 ? part : s->x[s->model->at.h];
}

/* q = q0 o exp(d(s)), where d is the cubic with d(0) = 0, d(1) = D and slopes from the velocities
 * at both ends (the slope at the end through T^-1(D)); v is the derivative of q. */
void hk_dense_motion(const hk_sim *s, const double *q0, const double *v0, const double *q1,
                     const double *v1, double h, double k, double *q, double *v) {
  const hk_model *m = s->model;
  double *D = s->d, *slope = s->u, r = 1 - k;
  hk_configuration_sub(m, q1, q0, D);
  hk_copy(slope, v1, m->nv);
  hk_configuration_tangent_inv(m, D, slope);
  for (int i = 0; i < m->nv; i++) {
    double bow = h > 0 ? D[i] / h - 0.5 * (v0[i] + slope[i]) : 0;
    v[i] = r * v0[i] + k * v1[i] + 6 * k * r * bow;
    D[i] = k * k * (3 - 2 * k) * D[i] + h * k * r * (r * v0[i] - k * slope[i]);
  }
  hk_configuration_add(m, q0, D, q);
}

void hk_dense_hermite(const hk_sim *s, double t, double *x) {
  const hk_model *m = s->model;
  const double *x0 = s->x_next, *x1 = s->x;
  double h = x1[m->at.t] - x0[m->at.t], k = h > 0 ? (t - x0[m->at.t]) / h : 1;
  hk_dense_begin(s, t, x);
  hk_dense_motion(s, x0 + m->at.q, x0 + m->at.v, x1 + m->at.q, x1 + m->at.v, h, k, x + m->at.q,
                  x + m->at.v);
}

void hk_dense_carry(const hk_sim *s, const double *x0, double d, double *x) {
  const hk_model *m = s->model;
  const double *v = x0 + m->at.v, *vd = x0 + m->at.vd;
  hk_copy(x, x0, m->at.size);
  for (int i = 0; i < m->nv; i++) s->d[i] = d * (v[i] + 0.5 * d * vd[i]);
  hk_configuration_add(m, x0 + m->at.q, s->d, x + m->at.q);
  for (int i = 0; i < m->nv; i++) x[m->at.v + i] = v[i] + d * vd[i];
  x[m->at.t] = x0[m->at.t] + d;
}

void hk_dense_carried(hk_sim *s) {
  if (!s->out.before || s->out.carried) return;
  hk_copy(s->out.before, s->x, s->model->at.size);
  s->out.carried = true;
}

bool hk_dense_on_the_way(const hk_sim *s, double t, double *x) {
  const double *before = s->out.before;
  int time = s->model->at.t;
  double end = s->out.have_step ? s->x_next[time] : s->x[time];
  if (!s->out.carried || !(t >= before[time] && t < end)) return false;
  hk_copy(x, s->x, s->state_size);
  hk_dense_carry(s, before, t - before[time], x);
  return true;
}
