/* Energy integrals: the powers of damping, motions and loads, integrated along with the motion. */
#include "core/contact.h"
#include "node/dispatch.h"
#include "sim/ledger.h"

void hk_ledger_powers(const hk_sim *s, const double *x1, double power[3]) {
  const hk_model *m = s->model;
  power[0] = s->work->dissipated, power[1] = 0, power[2] = s->work->applied;
  const double *lambda = x1 + m->at.lambda, *shift = x1 + m->at.lambda_shift;
  for (int i = 0; i < m->n_constraints; i++)
    if (m->constraint[i].value) {
      int r = m->constraint[i].row;
      power[1] += (lambda[r] + shift[r]) * s->work->gt[r];
    }
}

void hk_ledger_advance(hk_sim *s, const double *x0, double h, double *x1) {
  const hk_model *m = s->model;
  double *l1 = x1 + m->at.ledger, power[3];
  const double *l0 = x0 + m->at.ledger;
  hk_ledger_powers(s, x1, power);
  if (m->compliant) hk_contact_ledger(s->work, x0, h, x1);
  for (int k = 0; k < 3; k++) {
    l1[k] = l0[k] + 0.5 * h * (l0[HK_LEDGER_POWER + k] + power[k]);
    l1[HK_LEDGER_BEFORE + k] = l0[HK_LEDGER_POWER + k];
    l1[HK_LEDGER_POWER + k] = power[k];
  }
  l1[HK_LEDGER_STEP] = h;
}

/* ---- the error of the integrals ----
 *
 * The error of the motion does not limit the error of the integrals.  If a motion is prescribed, the
 * joints enforce every position exactly: steps of any length are accurate, and powers are integrated
 * from too few values.  The work of the motion and the losses then have the same error, which cancels
 * in the energy balance.  Therefore the integrals are part of the error test, like a coordinate. */

void hk_ledger_prepare(hk_sim *s) {
  const hk_model *m = s->model;
  int free = -s->system->n_kept;
  bool driven = false;
  for (int i = 0; i < m->n_nodes; i++) free += m->node[i].type->number ? 0 : m->node[i].nv;
  for (int i = 0; i < m->n_constraints; i++) driven = driven || m->constraint[i].value;
  s->ledger = !driven || m->n_points > 0 ? HK_LEDGER_FOLLOWS
              : free > 0                 ? HK_LEDGER_BESIDE
                                         : HK_LEDGER_ALONE;
}

/* If no work has been done yet, the reference energy is the power times this fraction of the duration of the run. */
static const double lasting_share = 1e-3;

/* Ratio of the allowed relative error of energies to the allowed relative error of positions. The error test measures
 * a velocity error by the displacement that it causes within a step. The duration of a step is at most about a
 * thirtieth of the time in which the bodies move by the model's length. Therefore the allowed relative errors of
 * velocities, and of energies, are about thirty times as large as those of positions. If some bodies move freely, the
 * larger factor is sufficient: the error of the free motion also limits the steps, and the error of the energy
 * integrals matters only for the driven bodies. */
static double wide(const hk_sim *s) { return s->ledger == HK_LEDGER_ALONE ? 30 : 1e4; }

double hk_ledger_tolerance(const hk_sim *s, double power, const double *x0, const double *x1) {
  const hk_model *m = s->model;
  const double *l = x0 + m->at.ledger;
  double run = fmax(s->option.duration, x1[m->at.t] - s->option.start);
  double at_hand = fabs(l[HK_LEDGER_DISSIPATED]) + fabs(l[HK_LEDGER_MOTION]) +
                   fabs(l[HK_LEDGER_APPLIED]) + hk_kinetic_energy(s->work, x1 + m->at.v) +
                   lasting_share * run * power;
  return wide(s) * at_hand * hk_tolerance(s) / m->length;
}

double hk_ledger_at_hand(const hk_sim *s, double tolerance) {
  return tolerance * s->model->length / (wide(s) * hk_tolerance(s));
}

/* A shorter step reduces the error of an integral at least in proportion, even if a power jumps. If the error of the
 * integral does not decrease in two successive attempts, it is noise: the noise of multipliers grows as steps become
 * shorter. */
static const double falls = 1.5;
enum { MOST_STUCK = 2, MOST_REFUSED = 24 };

bool hk_ledger_is_noise(const hk_sim *s, double error, double h, hk_attempt *a) {
  hk_ledger_refused *l = &a->memory->ledger;
  bool fell = l->refused == 0 || error <= falls * l->error * h / l->h;
  l->stuck = fell ? 0 : l->stuck + 1;
  l->error = error, l->h = h;
  return l->stuck >= MOST_STUCK || ++l->refused > MOST_REFUSED || h < 10 * hk_smallest_step(s);
}

/* Uses the error of the trapezoidal rule, -h^3 P''/12 with P'' from three powers. */
void hk_ledger_judge(const hk_sim *s, double h, const double *x1, hk_attempt *a) {
  const hk_model *m = s->model;
  const double *l0 = s->x + m->at.ledger, *p0 = l0 + HK_LEDGER_POWER, *p = l0 + HK_LEDGER_BEFORE;
  double h0 = l0[HK_LEDGER_STEP], power[3], most = 0, bend = 0, slope = 0;
  if (s->ledger == HK_LEDGER_FOLLOWS) return;
  hk_ledger_powers(s, x1, power);
  for (int k = 0; k < 3; k++) {
    most = fmax(most, fmax(fabs(power[k]), fabs(p0[k])));
    slope = fmax(slope, fabs(power[k] - p0[k]) / h);
    if (h0 > 0)
      bend = fmax(bend, fabs((power[k] - p0[k]) / h - (p0[k] - p[k]) / h0) * 2 / (h + h0));
  }
  if (most == 0) return;
  double tolerance = hk_ledger_tolerance(s, most, s->x, x1), error = h * h * h * bend / 12;
  /* P'' is not known yet and is estimated from the change of the power relative to the energy */
  if (!(h0 > 0)) {
    double at_hand = hk_ledger_at_hand(s, tolerance), change = 0.5 * h * h * slope;
    error = at_hand > 0 ? change * fmin(1, change / at_hand) : 0;
  }
  if (error > tolerance && hk_ledger_is_noise(s, error, h, a)) return;
  hk_attempt_raise(a, error / tolerance);
  if (a->error > 1) a->next = 0; /* this error determines the size of the next step */
}

hk_balance hk_ledger_balance(const hk_sim *s) {
  const hk_model *m = s->model;
  const double *l = s->x + m->at.ledger;
  hk_balance b = {.kinetic = hk_kinetic_energy(s->work, s->x + m->at.v),
                  .potential = s->work->potential,
                  .worked = fabs(l[HK_LEDGER_DISSIPATED]) + fabs(l[HK_LEDGER_MOTION]) +
                            fabs(l[HK_LEDGER_APPLIED])};
  b.defect = b.kinetic + b.potential + l[HK_LEDGER_DISSIPATED] - l[HK_LEDGER_MOTION] -
             l[HK_LEDGER_APPLIED] - l[HK_LEDGER_START];
  return b;
}

/* ---- the work of loads within a step ----
 *
 * A power is a product of two oscillating quantities, so that its frequency is twice that of the motion.
 * If a motion has a small amplitude compared with the tolerance, there may be only a few steps in each
 * period of the power.  If a load supplies and takes back much more energy than is stored, the
 * trapezoidal rule then makes an error as large as the stored energy, although the motion is accurate.
 * Therefore, if the error of the balance exceeds doubtful_share of the present energy, the work of the
 * loads within the step is integrated by Gauss' rule along the interpolated motion. */

static const double doubtful_share = 1e-3;

/* The correction is made only if the change of the loads' work within the step exceeds this fraction of the balance
 * error. */
static const double counting_share = 1e-3;

static bool is_doubtful(const hk_sim *s, const hk_balance *b) {
  const hk_model *m = s->model;
  const double *l0 = s->x_next + m->at.ledger + HK_LEDGER_POWER,
               *l1 = s->x + m->at.ledger + HK_LEDGER_POWER;
  double h = s->x[m->at.t] - s->x_next[m->at.t];
  double change = h * fabs(l1[HK_LEDGER_APPLIED] - l0[HK_LEDGER_APPLIED]);
  return change > counting_share * fabs(b->defect) &&
         fabs(b->defect) > doubtful_share * (b->kinetic + b->worked) &&
         hk_integrator_of(s)->dense && !hk_integrator_can(s, HK_IMPACTS);
}

/* Returns the power of the loads at the state x; leaves the forces at x in `work`. */
static double applied_power(hk_sim *s, const double *x, hk_frames_wanted frames) {
  const hk_instant in = hk_instant_last(s->model, x, x + s->model->at.lambda);
  hk_kinematics(s->work, &in, frames);
  hk_constraints(s->work, &in);
  hk_forces(s->work, &in);
  return s->work->applied;
}

void hk_ledger_mend(hk_sim *s, hk_balance *b) {
  static const double place[3] = {-0.7745966692414834, 0, 0.7745966692414834},
                      weight[3] = {5.0 / 18, 8.0 / 18, 5.0 / 18};
  const hk_model *m = s->model;
  double *l1 = s->x + m->at.ledger, t0 = s->x_next[m->at.t], h = s->x[m->at.t] - t0, work = 0;
  l1[HK_LEDGER_MENDED] = 0;
  if (!is_doubtful(s, b)) return;
  for (int i = 0; i < 3; i++) {
    hk_integrator_of(s)->dense(s, t0 + 0.5 * h * (1 + place[i]), s->out.x_between);
    work += h * weight[i] * applied_power(s, s->out.x_between, HK_FRAMES_MOVING);
  }
  applied_power(s, s->x, HK_FRAMES_ALL);
  double mended = s->x_next[m->at.ledger + HK_LEDGER_APPLIED] + work - l1[HK_LEDGER_APPLIED];
  if (!isfinite(mended)) return;
  l1[HK_LEDGER_APPLIED] += mended;
  l1[HK_LEDGER_MENDED] = mended;
  *b = hk_ledger_balance(s);
}
