/* Contact data in the state, and energies, after a step of nonsmooth generalized-alpha.
 *
 * Work of impulses: impulses of the position stage act at the velocities at the start of the step, those of the
 * velocity stage at the velocities at its end; this is accurate to second order. A persistent contact does no work in
 * its normal direction, whatever the scheme: numerical damping then appears as an error of the energy balance and not
 * as a loss. The first impulse P of an impact within a step (scheme: published) loses P (rate before + rate after)/2. */
#include "base/hot.h"
#include "core/contact.h"
#include "integrator/impact/nonsmooth_alpha.h"
#include "sim/ledger.h"

static double rate_of(const hk_contact_row *r, int a, const double *v) {
  return a <= r->tangents ? hk_contact_row_rate(r, a, v) : 0;
}

/* Stick, slip or open, and the direction of sliding; for a sticking point its friction force. */
static void record_mode(const hk_contact_row *r, const double P[3], const double *v, double h,
                        double *x) {
  double vT[2] = {rate_of(r, HK_DIR_T, v), rate_of(r, HK_DIR_S, v)};
  double moving = hypot(vT[0], vT[1]), T = hypot(P[HK_DIR_T], P[HK_DIR_S]);
  bool rubs = r->mu > 0 && r->tangents > 0;
  x[HK_TOUCH_SLIP_T] = x[HK_TOUCH_SLIP_S] = 0;
  x[HK_TOUCH_MODE] = P[HK_DIR_N] > 0 ? HK_MODE_SLIP : HK_MODE_OPEN;
  if (!(P[HK_DIR_N] > 0) || !rubs) return;
  bool stick = T < r->mu * P[HK_DIR_N] * (1 - 1e-9);
  for (int a = 0; a < 2; a++) {
    double along = moving > 0 ? vT[a] / moving : T > 0 ? -P[HK_DIR_T + a] / T : 0;
    x[HK_TOUCH_SLIP_T + a] = stick ? P[HK_DIR_T + a] / h : along;
  }
  if (stick) x[HK_TOUCH_MODE] = HK_MODE_STICK;
}

typedef struct works {
  double lost, guided, sliding;
} works;

static void add_work(const hk_contact_row *r, int a, double P, double rate, works *w) {
  w->lost -= P * rate;
  w->guided -= P * r->drift[a];
  if (a) w->sliding -= P * rate;
}

/* Computes the energies of contact i. `share`: fraction of the impulses that acts along the directions at the start
 * of the step. */
static works works_of(const hk_nonsmooth *k, int i, const double *v0, const double *v1) {
  const hk_contact_row *old = &k->from.row[k->closed[i]], *now = &k->row[k->closed[i]];
  const double *P = k->P + HK_N_DIR * i, *share = k->share + HK_N_DIR * i;
  const double *credit = k->credit + HK_N_DIR * i;
  works w = {0};
  for (int a = 0; a <= now->tangents; a++) {
    add_work(old, a, share[a], rate_of(old, a, v0), &w);
    add_work(now, a, P[a] - credit[a], rate_of(now, a, v1), &w);
  }
  return w;
}

/* Same for an impact within the step: all its impulses act at the mean of the velocities before and after the
 * impact. */
static works works_of_plain(const hk_nonsmooth *k, int i, const double *v0, const double *v1) {
  const hk_contact_row *old = &k->from.row[k->closed[i]], *now = &k->row[k->closed[i]];
  works w = {0};
  for (int a = 0; a <= now->tangents; a++)
    add_work(now, a, k->P[HK_N_DIR * i + a], 0.5 * (rate_of(old, a, v0) + rate_of(now, a, v1)), &w);
  return w;
}

HK_HOT static works record_points(const hk_sim *s, const hk_nonsmooth *k, const double *x0,
                                  double h, double *x1) {
  const hk_model *m = s->model;
  const double *v0 = x0 + m->at.v, *v1 = x1 + m->at.v;
  bool plain = hk_nonsmooth_keys_of(s)->scheme == HK_SCHEME_PLAIN;
  works all = {0};
  for (int i = 0; i < k->n_closed; i++) {
    const hk_contact_row *r = &k->row[k->closed[i]];
    const double *P = k->P + HK_N_DIR * i;
    int at = m->at.touch + r->point * HK_N_TOUCH;
    double *x = x1 + at, approach = -rate_of(&k->from.row[k->closed[i]], HK_DIR_N, v0);
    works w = plain ? works_of_plain(k, i, v0, v1) : works_of(k, i, v0, v1);
    for (int a = 0; a < HK_N_DIR; a++) x[HK_TOUCH_IMPULSE_N + a] = P[a];
    if (!plain) record_mode(r, P, v1, h, x);
    all.lost += w.lost, all.guided += w.guided;
    x[HK_TOUCH_SLIDING_WORK] += w.sliding;
    x[HK_TOUCH_SLIDING_POWER] = w.sliding / h;
    if (!(P[HK_DIR_N] > 0)) continue;
    x[HK_TOUCH_CLOSED] += h;
    if (!plain || x0[at + HK_TOUCH_IMPULSE_N] > 0 || !(approach > r->count_above)) continue;
    x[HK_TOUCH_APPROACH] = approach;
    x[HK_TOUCH_IMPACTS] += 1;
  }
  return all;
}

/* Impulses of motions times the rates that these motions prescribe, at both ends of the step. */
static double motion_work(const hk_sim *s, const hk_nonsmooth *k, double h) {
  const hk_model *m = s->model;
  double sum = 0;
  for (int i = 0; i < m->n_constraints; i++) {
    int row = m->constraint[i].row, at = s->system->row_at[row];
    if (!m->constraint[i].value || at < 0) continue;
    sum += k->U[at] / h * k->from.gt[row] + k->joint[at - m->nv] * s->work->gt[row];
  }
  return sum;
}

void hk_nonsmooth_record(hk_sim *s, hk_nonsmooth *k, const double *x0, double h, double *x1) {
  const hk_model *m = s->model;
  hk_nonsmooth_state *own = hk_nonsmooth_state_of(m, x1);
  bool plain = hk_nonsmooth_keys_of(s)->scheme == HK_SCHEME_PLAIN;
  for (int i = 0; i < k->n; i++) {
    double *x = x1 + m->at.touch + k->row[i].point * HK_N_TOUCH;
    x[HK_TOUCH_IMPULSE_N] = x[HK_TOUCH_IMPULSE_T] = x[HK_TOUCH_IMPULSE_S] = 0;
    x[HK_TOUCH_SLIDING_POWER] = 0;
    if (!plain) x[HK_TOUCH_MODE] = HK_MODE_OPEN;
  }
  own->pressed = k->n_closed > 0;
  hk_zero(own->push, m->nv);
  if (!k->n_closed) {
    hk_ledger_advance(s, x0, h, x1);
    return;
  }
  works w = record_points(s, k, x0, h, x1);
  hk_ledger_advance(s, x0, h, x1); /* lambda of the smooth motion, which still includes the shift */
  double *ledger = x1 + m->at.ledger;
  ledger[HK_LEDGER_DISSIPATED] += w.lost;
  ledger[HK_LEDGER_MOTION] += motion_work(s, k, h);
  ledger[HK_LEDGER_APPLIED] += w.guided;
  for (int i = 0; i < m->nv; i++) own->push[i] = (x1[m->at.v + i] - k->v_free[i]) / h;
  double *shift = x1 + m->at.lambda_shift;
  for (int i = 0; i < s->system->n_kept; i++)
    shift[s->system->kept_row[i]] += (k->U[m->nv + i] / h + k->joint[i]) / h;
}
