/* Moreau's time stepping for set-valued contacts: forces and impulses over a step of fixed length, without locating
 * the instants of impacts [Moreau1988; FloresLeineGlocker2010].
 *
 *   qM = qA + theta h uA,  tM = tA + theta h;  contacts with gap(qM) <= 0 are closed
 *   A (uE - uA) + G^T L = h f(tM, qM, uA) + W P,   A = M + theta h C + theta^2 h^2 K
 *   G ((1 - theta) uA + theta uE) + g_t = 0        bilateral constraints
 *   xi = W^T uE + e W^T uA and P satisfy the law   closed contacts
 *   qE = qA + h ((1 - theta) uA + theta uE)
 *
 * With theta = 1/2 this is the implicit midpoint rule with one Newton step: second order and without numerical
 * damping while all contacts are open.  `explicit_published` uses A = M instead, as printed in [Ali2025, eqs 14 and 15]: damping
 * at the old velocity reduces the order by one. With contacts both variants are of first order, because an impact is
 * assigned to a step, not to an instant.
 *
 * The equation of the bilateral constraints is of second order, and the constraint impulses do no work. The remaining
 * constraint error, of order h^3 in the positions and h^2 in the velocities, is corrected at the end of the step with
 * the factorization of the step. Contacts are constrained in velocity only: an overlap of up to h |v| from an impact
 * remains while they are closed, unless `projection` separates them. */
#include "base/hot.h"
#include "core/contact.h"
#include <hooke/param.h>
#include "integrator/impact/moreau.h"

typedef struct interval {
  /* length of the step; the instant at which forces are evaluated, as a fraction of the step
   * and as a time */
  double h, theta, t;
} interval;

/* Forces, constraints and the matrix at qM, which is in x1; s->r = h f and the constraint rows. */
static hk_status evaluate(hk_sim *s, const interval *i, const double *x0, const double *x1) {
  const hk_model *m = s->model;
  hk_work *w = s->work;
  hk_instant in = hk_instant_at(m, x0);
  in.t = i->t;
  in.h = i->theta * i->h;
  in.q = x1 + m->at.q;
  bool explicit_published = hk_moreau_keys_of(s)->explicit_published;
  const hk_coefficients c = {.cM = 1,
                             .cC = explicit_published ? 0 : i->theta * i->h,
                             .cK = explicit_published ? 0 : i->theta * i->theta * i->h * i->h,
                             .ideal = true};
  hk_kinematics(w, &in, HK_FRAMES_STEP);
  if (m->nc) hk_constraints(w, &in);
  hk_status status = hk_forces(w, &in);
  if (!status) status = hk_assemble(s->system, w, &c, &in);
  s->stats.factorizations++;
  if (!status) status = hk_linear_solver_factor(s->system->solver, s->system->matrix);
  if (status) return status;
  for (int k = 0; k < m->nv; k++) s->r[k] = i->h * w->f[k];
  if (m->nc) {
    hk_constraint_velocity(w, in.v, s->y);
    hk_put_rows(s, s->y);
    for (int k = 0; k < s->system->n_kept; k++) s->r[m->nv + k] /= i->theta;
  }
  return HK_OK;
}

/* Work of prescribed motions: impulses times prescribed rates, at the middle of the step. */
static double motion_work(const hk_sim *s, const double *lambda, double h) {
  const hk_model *m = s->model;
  double sum = 0;
  for (int i = 0; i < m->n_constraints; i++)
    if (m->constraint[i].value)
      sum += h * lambda[m->constraint[i].row] * s->work->gt[m->constraint[i].row];
  return sum;
}

static const double constraint_tolerance = 2e-11; /* m and rad */

/* Computes the frames at x1. rows: also computes the joints' Jacobian, which is needed only at the last position of a
 * step. */
static void frames_at_end(hk_sim *s, const double *x1, bool rows) {
  const hk_model *m = s->model;
  const hk_instant in = hk_instant_at(m, x1);
  hk_kinematics(s->work, &in, HK_FRAMES_STEP);
  if (m->nc && rows) hk_constraints(s->work, &in);
  if (m->nc && !rows) hk_constraint_values(s->work, &in);
}

/* Writes the joints' errors at the frames in `work` into s->r, with reversed sign; returns the largest. */
static double joint_residual(hk_sim *s) {
  const hk_model *m = s->model;
  hk_zero(s->r, m->nv);
  hk_put_rows(s, s->work->g);
  for (int k = 0; k < m->n_velocity_rows; k++)
    if (s->kept[m->velocity_row[k]]) s->r[s->system->row_at[m->velocity_row[k]]] = 0;
  return hk_max_abs(s->r + m->nv, s->system->n_kept, NULL);
}

/* Projects the positions of x1 onto the constraints with the factorization of the step; the same correction separates
 * overlapping contacts. Leaves the frames at x1. */
static hk_status correct_positions(hk_sim *s, double *x1) {
  const hk_model *m = s->model;
  const hk_moreau *k = s->own;
  for (int pass = 0;; pass++) {
    double g = joint_residual(s);
    bool open = !(g <= constraint_tolerance);
    if (open && (!(g < INFINITY) || pass > 8)) return HK_RETRY;
    if (open) {
      hk_linear_solver_solve(s->system->solver, s->r);
      s->stats.solves++;
    }
    bool apart = pass == 0 && k->n && hk_moreau_projects(s) && hk_moreau_push_apart(s, open, s->r);
    if (!open && !apart) {
      const hk_instant in = hk_instant_at(m, x1);
      if (m->nc && pass == 0 && k->turning) hk_constraints(s->work, &in);
      return HK_OK;
    }
    hk_configuration_add(m, x1 + m->at.q, s->r, x1 + m->at.q);
    frames_at_end(s, x1, true);
  }
}

/* ... and velocities. */
static hk_status hold_joints(hk_sim *s, double h, double *x1) {
  const hk_model *m = s->model;
  const hk_moreau *k = s->own;
  double *lambda = x1 + m->at.lambda, *shift = x1 + m->at.lambda_shift;
  hk_projected told; /* the matrix contains no friction */
  hk_status status = correct_positions(s, x1);
  if (status || !m->nc) return status;
  status = hk_velocity_project(s, h, false, x1, &told);
  if (status) return status;
  for (int r = 0; r < m->nc; r++) lambda[r] += shift[r];
  hk_zero(shift, m->nc);
  const hk_instant in = hk_instant_at(m, x1);
  if (k->moving) hk_kinematics(s->work, &in, HK_FRAMES_STEP);
  return HK_OK;
}

/* Computes x1 from the changes of velocities and multipliers in k->z. */
HK_HOT HK_APART static void update(hk_sim *s, const hk_moreau *k, const interval *i,
                                   const double *x0, double *x1) {
  const hk_model *m = s->model;
  const double *uA = x0 + m->at.v, *z = k->z;
  double *uE = x1 + m->at.v, *vd = x1 + m->at.vd, *lambda = x1 + m->at.lambda;
  double over = 1 / i->h, a = (1 - 2 * i->theta) * i->h, e = i->theta * i->h;
  for (int n = 0; n < m->nv; n++) {
    uE[n] = uA[n] + z[n];
    vd[n] = z[n] * over;
    s->d[n] = a * uA[n] + e * uE[n];
  }
  for (int r = 0; r < m->nc; r++) lambda[r] = 0;
  for (int r = 0; r < s->system->n_kept; r++) lambda[s->system->kept_row[r]] = z[m->nv + r] * over;
  hk_configuration_add(m, x1 + m->at.q, s->d, x1 + m->at.q);
  x1[m->at.t] = x0[m->at.t] + i->h;
}

/* Adds the step to the energy balance: powers are integrated by the trapezoidal rule, impulses contribute their exact
 * work. */
static hk_status ledger(hk_sim *s, double h, double impulsive, double guided, double motion,
                        const double *x0, double *x1) {
  const hk_model *m = s->model;
  hk_work *w = s->work;
  double *l1 = x1 + m->at.ledger;
  const double *l0 = x0 + m->at.ledger;
  hk_instant in = hk_instant_at(m, x1);
  in.h = h;
  hk_status status = hk_forces(w, &in);
  const double power[3] = {w->dissipated, 0, w->applied};
  const double work[3] = {impulsive, motion, guided};
  for (int k = 0; k < 3; k++) {
    l1[k] = l0[k] + 0.5 * h * (l0[HK_LEDGER_POWER + k] + power[k]) + work[k];
    l1[HK_LEDGER_POWER + k] = power[k];
  }
  if (m->compliant) hk_contact_ledger(w, x0, h, x1);
  return status;
}

static hk_status attempt(hk_sim *s, const double *x0, double h, double *x1, hk_attempt *info) {
  const hk_model *m = s->model;
  hk_moreau *k = s->own;
  const double theta = hk_moreau_theta(s);
  const interval i = {h, theta, x0[m->at.t] + theta * h};
  hk_copy(x1, x0, m->at.turn);
  for (int n = 0; n < m->nv; n++) s->d[n] = theta * h * x0[m->at.v + n];
  hk_configuration_add(m, x0 + m->at.q, s->d, x1 + m->at.q);
  hk_status status = evaluate(s, &i, x0, x1);
  if (status) return status;
  hk_linear_solver_solve(s->system->solver, s->r);
  s->stats.solves++;
  hk_copy(k->z, s->r, s->system->n);
  s->stats.contact_merit = 0;
  status = hk_moreau_contacts(s, x0, h);
  if (status) return status;
  if (!isfinite(hk_max_abs(k->z, m->nv, NULL))) return HK_RETRY;
  update(s, k, &i, x0, x1);
  double lost = 0, guided = 0, motion = motion_work(s, x1 + m->at.lambda, h);
  hk_moreau_record(s, x0, h, x1, &lost, &guided);
  frames_at_end(s, x1, !k->turning);
  status = hold_joints(s, h, x1);
  if (!status) status = ledger(s, h, lost, guided, motion, x0, x1);
  if (status) return status;
  x1[m->at.h] = h;
  info->newton = 1;
  return HK_OK;
}

/* ---- the type ---- */

static const hk_moreau_keys defaults = {.theta = 0.5, .projection = true};

static const hk_param params[] = {
    HK_REAL(hk_moreau_keys, theta, NULL, 0,
            "position within the step at which forces are evaluated; 1/2: second order without "
            "contact, 1: maximum damping",
            HK_RANGE(0.5, 1)),
    HK_BOOL(hk_moreau_keys, explicit_published, 0,
            "the explicit scheme in print, first order: forces at the velocities of the step's "
            "start, no projection"),
    HK_BOOL(
        hk_moreau_keys, projection, 0,
        "remove penetrations of contacts after a step by projection; joints are always projected"),
};

static int score(const hk_model *m, const char **why) {
  *why = "rigid contacts";
  return m->set_valued ? 3 : 0;
}

static const hk_integrator ops = {.order = 1,
                                  .can = HK_IMPACTS | HK_MEANS | HK_OWN_LEDGER | HK_LEAVES_FRAMES,
                                  .attempt = attempt,
                                  .create = hk_moreau_create,
                                  .destroy = hk_moreau_destroy,
                                  .poison = hk_moreau_poison,
                                  .score = score};

const hk_type hk_type_stepper_moreau = {
    .name = "moreau",
    .category = HK_STEPPER,
    .doc =
        "Time stepping with impulses for set-valued contacts, in steps of one length: impacts "
        "happen within a step and are not looked for.",
    .source = "[Moreau1988; FloresLeineGlocker2010]",
    .size = sizeof(hk_moreau_keys),
    .defaults = &defaults,
    HK_TABLE(params),
    .ops = &ops,
};
