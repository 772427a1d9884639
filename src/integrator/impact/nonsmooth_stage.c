/* The two stages by which contacts enter a step of nonsmooth generalized-alpha: see nonsmooth_alpha.c.
 *
 * Position stage, A the matrix of the step and q~ its end without contacts:
 *   q = q~ o exp(U),  A U = sum_j F_j nu_j + fixed - G^T l,  g(q) = 0,  0 <= nu_j _|_ gap_j(q) >= 0
 * The force directions F and the joint rows G are those at the start of the step or, in the implicit variant, those at
 * q. Newton's iteration uses the exact residual. Its matrix contains the rows of the gaps at q, but the rows of the
 * joints at an earlier position.
 *
 * Velocity stage, by Newton with M + h C at q:
 *   M (v - v~) = start/h + h (f(q, v) - G^T lambda~ - M v~') + W (P - credit) - G^T L,  G v + g_t = 0
 *   W^T v + before and P satisfy the law of contact
 * where credit is the impulse that acted at the start.  The forces that the smooth step evaluated at q~ and v~ are
 * corrected to those at the resulting position and velocity.  The correction has full weight, because the smooth
 * accelerations, which continue in the next step, do not contain it. */
#include "base/hot.h"
#include "integrator/impact/nonsmooth_alpha.h"
#include <string.h>

static const double joint_tolerance = 1e-12; /* m and rad */

static bool rubs(const hk_contact_row *r, int a) { return a <= r->tangents && r->mu > 0; }

static void put_frames(hk_sim *s, hk_nonsmooth *k, const double *x, double h, bool rows) {
  const hk_model *m = s->model;
  hk_instant in = hk_instant_at(m, x);
  in.h = h;
  hk_kinematics(s->work, &in, HK_FRAMES_STEP);
  if (m->nc && rows) hk_constraints(s->work, &in);
  if (m->nc && !rows) hk_constraint_values(s->work, &in);
  hk_contact_rows_at(s->work, -INFINITY, k->row);
}

void hk_nonsmooth_frames(hk_sim *s, hk_nonsmooth *k, const double *x, double h) {
  put_frames(s, k, x, h, true);
}

/* Writes the multipliers of all rows, given those of the kept rows. */
static void spread(const hk_sim *s, const double *kept, double *all) {
  const hk_system *sys = s->system;
  if (sys->n_kept == s->model->nc) { /* all rows are kept, in their order */
    hk_copy(all, kept, sys->n_kept);
    return;
  }
  hk_zero(all, s->model->nc);
  for (int i = 0; i < sys->n_kept; i++) all[sys->kept_row[i]] = kept[i];
}

/* f -= G^T l, with G at the start of the step or with G in `work`. */
static void subtract_joints(hk_sim *s, const hk_nonsmooth *k, bool implicit, const double *l,
                            double *f) {
  double *now = s->work->G;
  if (!s->model->nc) return;
  spread(s, l, k->all);
  if (!implicit) s->work->G = k->from.G;
  hk_constraint_force(s->work, k->all, f);
  s->work->G = now;
}

/* ---- positions ---- */

/* The force direction of a closed point: sliding friction is proportional to its normal force. */
static hk_direction pressing(const hk_nonsmooth *k, int i, bool implicit) {
  int p = k->closed[i];
  hk_direction f = {
      .row = &k->row[p], .push = implicit ? NULL : &k->from.row[p], .sign = 1, .c = {1}};
  /* friction per unit of normal force; the normal force is not known yet */
  const double *share = k->share + HK_N_DIR * i;
  if (!implicit) f.c[HK_DIR_T] = share[HK_DIR_T], f.c[HK_DIR_S] = share[HK_DIR_S];
  return f;
}

static void set_up_positions(hk_sim *s, hk_nonsmooth *k, bool implicit) {
  hk_delassus_begin(k->d, s->system->n);
  for (int i = 0; i < k->n_closed; i++) {
    hk_direction f = pressing(k, i, implicit);
    hk_delassus_add(k->d, &f);
    hk_delassus_add(k->d, &(hk_direction){.k = 1});
  }
  s->stats.solves += hk_delassus_set_up(k->d, s->system->solver);
}

/* k->start = h times the sum of all impulses. */
HK_HOT static void find_pushes(hk_sim *s, hk_nonsmooth *k, bool implicit) {
  const hk_model *m = s->model;
  hk_copy(k->start, k->fixed, m->nv);
  for (int i = 0; i < k->n_closed; i++) {
    const hk_direction f = pressing(k, i, implicit);
    const hk_contact_row *push = f.push ? f.push : f.row;
    for (int a = 0; a <= push->tangents; a++)
      if (f.c[a] != 0) hk_contact_row_add(push, a, f.c[a] * k->nu[2 * i], k->start);
  }
  subtract_joints(s, k, implicit, k->U + m->nv, k->start);
}

/* k->r = sum of the impulses minus A U, followed by the errors of the joints. */
HK_HOT static void position_residual(hk_sim *s, hk_nonsmooth *k, bool implicit) {
  const hk_model *m = s->model;
  const hk_system *sys = s->system;
  find_pushes(s, k, implicit);
  hk_system_node_multiply(sys, k->U, k->r);
  for (int i = 0; i < m->nv; i++) k->r[i] = k->start[i] - k->r[i];
  for (int i = 0; i < sys->n_kept; i++) k->r[m->nv + i] = -s->work->g[sys->kept_row[i]];
  for (int i = 0; i < m->n_velocity_rows; i++)
    if (s->kept[m->velocity_row[i]]) k->r[sys->row_at[m->velocity_row[i]]] = 0;
}

/* Makes one correction of the displacements U and the normal impulses nu. */
HK_HOT static hk_status correct_positions(hk_sim *s, hk_nonsmooth *k, bool solve) {
  const int n = 2 * k->n_closed, size = s->system->n;
  if (solve) {
    hk_linear_solver_solve(s->system->solver, k->r);
    s->stats.solves++;
  } else {
    hk_zero(k->r, size);
  }
  for (int i = 0; i < k->n_closed; i++) {
    const hk_direction *f = &k->d->at[2 * i];
    double *b = &k->b[2 * i];
    b[0] = f->row->gap + (solve ? hk_direction_along(f, k->r) : 0);
    b[1] = 0;
    for (int j = 0; j < n; j++) b[0] -= k->d->G[2 * i * n + j] * k->nu[j];
    k->mu[i] = 0;
  }
  hk_copy(k->nu_next, k->nu, n);
  hk_status status =
      hk_delassus_solve(k->d, 2, k->b, k->mu, hk_nonsmooth_nothing(s), k->nu_next, k->xi);
  s->stats.contact_merit = status < 0 ? INFINITY : k->d->result.merit;
  s->stats.contact_pivots += k->d->result.pivots + k->d->result.iterations;
  if (status) return HK_RETRY;
  for (int i = 0; i < n; i++) {
    k->step[i] = k->nu_next[i] - k->nu[i];
    k->nu[i] = k->nu_next[i];
  }
  hk_delassus_apply(k->d, k->step, size, k->r);
  for (int i = 0; i < size; i++) k->U[i] += k->r[i];
  return HK_OK;
}

/* Largest violation of the joints; rolling constraints have no position. */
static double joint_error(const hk_sim *s) {
  const hk_model *m = s->model;
  const hk_system *sys = s->system;
  double worst = 0;
  if (!m->n_velocity_rows && sys->n_kept == m->nc) return hk_max_abs(s->work->g, m->nc, NULL);
  for (int i = 0; i < sys->n_kept; i++) {
    bool rolls = false;
    for (int k = 0; k < m->n_velocity_rows; k++)
      rolls = rolls || m->velocity_row[k] == sys->kept_row[i];
    if (!rolls) worst = fmax(worst, fabs(s->work->g[sys->kept_row[i]]));
  }
  return worst;
}

static bool positions_fit(const hk_sim *s, const hk_nonsmooth *k) {
  double tolerance = hk_nonsmooth_nothing(s);
  for (int i = 0; i < k->n_closed; i++) {
    double gap = k->row[k->closed[i]].gap;
    if (!(gap >= -tolerance) || (k->nu[2 * i] > 0 && !(gap <= tolerance))) return false;
  }
  return joint_error(s) <= joint_tolerance * fmax(1, s->model->length);
}

enum { MOST_PASSES = 14 }; /* corrections of the positions */

/* A direction that rotates within the step so far that the cosine is below this value is not used. */
static const double least_share = 0.25;

hk_status hk_nonsmooth_positions(hk_sim *s, hk_nonsmooth *k, bool implicit, double h, double *x1) {
  const hk_model *m = s->model;
  hk_copy(k->q_free, x1 + m->at.q, m->nq);
  hk_zero(k->U, s->system->n);
  hk_zero(k->nu, 2 * k->n_closed);
  hk_contact_rows_at(s->work, -INFINITY, k->row);
  bool held = false; /* true if joints also have errors, not only the gaps */
  for (int i = 0; i < m->nv && !held; i++) held = k->fixed[i] != 0;
  for (int pass = 0;; pass++) {
    if (pass == 0 || implicit)
      set_up_positions(s, k, implicit);
    else
      hk_delassus_look(k->d);
    for (int i = 0; i < k->n_closed && !implicit; i++) {
      const hk_direction f = {.row = &k->from.row[k->closed[i]], .sign = 1};
      double now = k->d->G[2 * i * (k->d->n + 1)];
      if (!(now > least_share * hk_direction_along(&f, hk_delassus_column(k->d, 2 * i))))
        return HK_RETRY;
    }
    if (pass || held) position_residual(s, k, implicit);
    hk_status status = correct_positions(s, k, pass || held);
    if (status) return status;
    if (!isfinite(hk_max_abs(k->U, m->nv, NULL))) return HK_RETRY;
    hk_configuration_add(m, k->q_free, k->U, x1 + m->at.q);
    /* With joints, at least two corrections are made; the second one uses the joints' rows at the start of the step. */
    put_frames(s, k, x1, h, pass || implicit);
    if ((pass || !m->nc) && positions_fit(s, k)) break;
    if (pass > MOST_PASSES) return HK_RETRY;
  }
  find_pushes(s, k, implicit);
  return HK_OK;
}

/* ---- velocities ---- */

hk_status hk_nonsmooth_factor(hk_sim *s, double h, bool moves, const double *x1) {
  bool stiff = moves || s->model->massless; /* massless bodies need their stiffness in the matrix */
  const hk_coefficients c = {.cM = 1, .cC = h, .cK = stiff ? h * h : 0, .ideal = true};
  hk_instant in = hk_instant_at(s->model, x1);
  in.h = h;
  hk_status status = hk_assemble(s->system, s->work, &c, &in);
  s->stats.factorizations++;
  if (!status) status = hk_linear_solver_factor(s->system->solver, s->system->matrix);
  return status;
}

/* Computes the forces at x1. moved: the velocities of the frames are not yet those of x1. */
static hk_status forces(hk_sim *s, double h, bool moved, const double *x1) {
  const hk_model *m = s->model;
  hk_instant in = hk_instant_at(m, x1);
  in.h = h;
  if (m->friction) {
    for (int r = 0; r < m->nc; r++) s->full[r] = x1[m->at.lambda + r] + x1[m->at.lambda_shift + r];
    in.lambda = s->full;
  }
  if (moved) hk_kinematics(s->work, &in, HK_FRAMES_STEP);
  return hk_forces(s->work, &in);
}

static void set_up_velocities(hk_sim *s, hk_nonsmooth *k) {
  k->dim = 2;
  for (int i = 0; i < k->n_closed; i++)
    if (rubs(&k->row[k->closed[i]], HK_DIR_S)) k->dim = 3;
  hk_delassus_begin(k->d, s->system->n);
  for (int i = 0; i < k->n_closed; i++) {
    const hk_contact_row *r = &k->row[k->closed[i]];
    k->mu[i] = r->mu;
    for (int a = 0; a < k->dim; a++) {
      hk_direction f = {.row = a == 0 || rubs(r, a) ? r : NULL, .k = a, .sign = 1};
      f.c[a] = 1;
      hk_delassus_add(k->d, &f);
    }
  }
  s->stats.solves += hk_delassus_set_up(k->d, s->system->solver);
  hk_delassus_ease(k->d, k->dim);
}

/* k->r = residual of the equations of the velocity stage (see above) at x1's velocity. */
HK_HOT static void velocity_residual(hk_sim *s, hk_nonsmooth *k, double h, const double *x1) {
  const hk_model *m = s->model;
  const hk_system *sys = s->system;
  const double *v = x1 + m->at.v, *vd = x1 + m->at.vd;
  const double *f = s->work->f;
  double over = 1 / h;
  for (int i = 0; i < m->nv; i++) s->d[i] = h * vd[i] + v[i] - k->v_free[i];
  hk_mass_multiply(s->work, s->d, s->u);
  for (int i = 0; i < m->nv; i++) k->r[i] = over * k->start[i] + h * f[i] - s->u[i];
  for (int i = 0; i < k->n_closed; i++)
    for (int a = 0; a < k->dim; a++) {
      int j = i * k->dim + a;
      if (k->d->at[j].row)
        hk_contact_row_add(k->d->at[j].row, a, k->P[HK_N_DIR * i + a] - k->credit[HK_N_DIR * i + a],
                           k->r);
    }
  if (!m->nc) return;
  spread(s, k->joint, k->all); /* the joints' impulses of both stages at once */
  for (int i = 0; i < m->nc; i++) k->all[i] += h * x1[m->at.lambda + i];
  hk_constraint_force(s->work, k->all, k->r);
  hk_constraint_velocity(s->work, v, s->y);
  for (int i = 0; i < sys->n_kept; i++) k->r[m->nv + i] = -s->y[sys->kept_row[i]];
}

/* Friction with a direction of sliding that rotates within the step: half of the friction acts along the direction at
 * the start, half along that at the end. A law for the sum of both would apply all of it along the direction at the
 * end, which is an error of first order. Therefore the first half is counted as if it had the final direction; the law
 * then gives the second half, with the friction of its normal force. k->xi: the present estimate of the sliding
 * velocity at the end. Returns the rotation of the directions. */
static double turn_credit(hk_nonsmooth *k) {
  double most = 0;
  for (int i = 0; i < k->n_closed; i++) {
    const hk_contact_row *r = &k->row[k->closed[i]];
    const double *u = k->xi + k->dim * i + HK_DIR_T;
    double *credit = k->credit + HK_N_DIR * i + HK_DIR_T, T = hypot(credit[0], credit[1]);
    if (!rubs(r, HK_DIR_S) || !(T > 0) || T < 0.999 * r->mu * k->credit[HK_N_DIR * i]) continue;
    double speed = hypot(u[0], u[1]);
    if (!(-(u[0] * credit[0] + u[1] * credit[1]) > 0.5 * speed * T)) continue;
    for (int a = 0; a < 2; a++) {
      double next = -T * u[a] / speed;
      most = fmax(most, fabs(next - credit[a]) / T);
      k->P[HK_N_DIR * i + HK_DIR_T + a] = credit[a] = next;
    }
  }
  return most;
}

/* Product of two rows of one contact. Only the columns of the nodes of this contact are nonzero. */
static double row_product(const hk_contact_row *at, const double *a, const double *b) {
  double sum = 0;
  for (int i = 0; i < at->na; i++) sum += a[i] * b[i];
  for (int i = 0; i < at->nb; i++) sum += a[HK_NODE_FEW + i] * b[HK_NODE_FEW + i];
  return sum;
}

/* Expresses the first halves of friction in the tangents at the end of the step. The tangents at the start may differ
 * from these, because a normal does not determine its tangents. */
static void take_over_credit(hk_nonsmooth *k) {
  for (int i = 0; i < k->n_closed; i++) {
    const hk_contact_row *old = &k->from.row[k->closed[i]], *now = &k->row[k->closed[i]];
    const double *share = k->share + HK_N_DIR * i;
    double *credit = k->credit + HK_N_DIR * i, T = hypot(share[HK_DIR_T], share[HK_DIR_S]),
           next[2] = {0};
    hk_copy(credit, share, HK_N_DIR);
    if (!(T > 0)) continue;
    for (int a = HK_DIR_T; a <= now->tangents; a++)
      for (int b = HK_DIR_T; b <= old->tangents; b++)
        next[a - 1] += row_product(old, now->W[a], old->W[b]) /
                       row_product(old, old->W[b], old->W[b]) * share[b];
    double size = hypot(next[0], next[1]);
    for (int a = 0; a < 2 && size > 0; a++) credit[HK_DIR_T + a] = T * next[a] / size;
  }
}

/* Solves the contact problem at v with the correction in k->r: impulses into k->step, velocities into k->xi. */
static hk_status solve_contacts(hk_sim *s, hk_nonsmooth *k, const double *v) {
  const int dim = k->dim, n = k->n_closed * dim;
  for (int j = 0; j < n; j++) k->step[j] = k->P[HK_N_DIR * (j / dim) + j % dim];
  for (int j = 0; j < n; j++) {
    const hk_direction *f = &k->d->at[j];
    k->b[j] = 0;
    if (!f->row) continue;
    k->b[j] = hk_contact_row_rate(f->row, f->k, v) + hk_direction_along(f, k->r) +
              k->before[HK_N_DIR * (j / dim) + j % dim];
    for (int l = 0; l < n; l++) k->b[j] -= k->d->G[j * n + l] * k->step[l];
  }
  double speed = 1e-3 * hk_max_abs(v, s->model->nv, NULL);
  hk_status status = hk_delassus_solve(k->d, dim, k->b, k->mu, speed, k->step, k->xi);
  s->stats.contact_merit = status < 0 ? INFINITY : k->d->result.merit;
  s->stats.contact_pivots += k->d->result.pivots + k->d->result.iterations;
  return status ? HK_RETRY : HK_OK;
}

/* Rotation of the friction [rad] below which the contacts are not solved again. */
static const double same_direction = 1e-9;
enum { MOST_TURNS = 5 };

/* One correction of v, P and the joints' impulses. */
HK_HOT static hk_status correct_velocities(hk_sim *s, hk_nonsmooth *k, bool first, double *v) {
  const hk_model *m = s->model;
  const int dim = k->dim, n = k->n_closed * dim, size = s->system->n;
  hk_linear_solver_solve(s->system->solver, k->r);
  s->stats.solves++;
  hk_status status = solve_contacts(s, k, v);
  for (int turn = 0; turn < MOST_TURNS && first && dim == 3 && !status; turn++) {
    if (turn_credit(k) <= same_direction) break;
    status = solve_contacts(s, k, v);
  }
  if (status) return status;
  for (int j = 0; j < n; j++) {
    double *P = &k->P[HK_N_DIR * (j / dim) + j % dim], next = k->step[j];
    k->step[j] = k->d->at[j].row ? next - *P : 0;
    if (k->d->at[j].row) *P = next;
  }
  hk_delassus_apply(k->d, k->step, size, k->r);
  for (int i = 0; i < m->nv; i++) v[i] += k->r[i];
  for (int i = 0; i < s->system->n_kept; i++) k->joint[i] += k->r[m->nv + i];
  return HK_OK;
}

/* Upper bound of the remaining velocity change, from the residual and the masses alone: no body becomes faster than a
 * free one would. */
HK_HOT static double left_over(hk_sim *s, const hk_nonsmooth *k) {
  const hk_model *m = s->model;
  for (int i = 0; i < m->nv; i++) s->d[i] = m->massless ? 0 : m->give[i] * k->r[i];
  return hk_error_norm(s, s->d);
}

/* The iteration ends if a correction is below `enough` times the velocities that the contacts cause, plus of_bodies
 * times the velocities of the bodies. If the corrections no longer decrease, enough_if_stuck replaces `enough`.
 * of_joints: accepted error of the joints. hard: the forces are linearised again if successive corrections have at
 * least this ratio. */
static const double enough = 1e-6, enough_if_stuck = 1e-3, of_bodies = 1e-8, of_joints = 1e-10,
                    hard = 0.35;
enum { MOST_CORRECTIONS = 10 };

hk_status hk_nonsmooth_velocities(hk_sim *s, hk_nonsmooth *k, double h, double *x1) {
  const hk_model *m = s->model;
  double *v = x1 + m->at.v, before = INFINITY;
  hk_copy(k->v_free, v, m->nv);
  hk_zero(k->joint, m->nc);
  take_over_credit(k);
  hk_copy(k->P, k->credit, HK_N_DIR * k->n_closed);
  hk_status status = forces(s, h, false, x1);
  if (!status) status = hk_nonsmooth_factor(s, h, false, x1);
  if (status) return status;
  set_up_velocities(s, k);
  for (int pass = 0;; pass++) {
    velocity_residual(s, k, h, x1);
    if (pass) {
      double left = left_over(s, k), joints = hk_max_abs(k->r + m->nv, s->system->n_kept, NULL);
      for (int i = 0; i < m->nv; i++) s->d[i] = v[i] - k->v_free[i];
      double made = hk_error_norm(s, s->d) + of_bodies * hk_error_norm(s, v);
      bool fits = left <= enough * made && (!m->massless || pass > 1);
      bool stuck = pass > 2 && left > 0.5 * before && left <= enough_if_stuck * made;
      if ((fits || stuck) && joints <= of_joints * (1 + hk_max_abs(v, m->nv, NULL))) break;
      if (pass > MOST_CORRECTIONS || !isfinite(left + made + joints)) return HK_RETRY;
      if (left >
          hard * before) { /* the forces are nonlinear: uses their derivatives at this position */
        status = forces(s, h, true, x1);
        if (!status) status = hk_nonsmooth_factor(s, h, false, x1);
        if (status) return status;
        set_up_velocities(s, k);
        velocity_residual(s, k, h, x1);
      }
      before = left;
    }
    status = correct_velocities(s, k, pass == 0, v);
    if (!status) status = forces(s, h, true, x1);
    if (status) return status;
  }
  return HK_OK;
}
