/* Linearisation about an equilibrium or a steady motion.
 *
 * hk_assemble gives, for displacements d and velocity changes dv of the nodes (translations in world axes, rotations
 * in body axes), M dv' + L dv + K d + G^T dlambda = 0 with the preloads in K and the gyroscopic moments in L. At rest
 * dv = d'. For a body that rotates with the angular velocity w, dv = d' + w x d in body axes. With the matrix W of the
 * product w x d, the equations in body axes are those with
 *   L <- L + M W,  K <- K + L W.
 * In world axes d = T phi with T = R^T, and therefore dv = T phi', dv' = T phi'' - w x T phi':
 *   M <- T^T M T,  L <- T^T (L - M w~) T,  K <- T^T K T.
 * Each form has constant coefficients only if the motion is the same at all times in its axes: this holds for an
 * axially symmetric rotor in world axes, and for a free body about a principal axis in body axes.
 * If the whole model rotates (a conical pendulum, an asymmetric rotor on symmetric supports), the coefficients are
 * constant in axes that rotate with w: d = Q phi, Q' = w~ Q, for displacements as well as rotations. The matrices
 * follow from the form in world axes:
 *   L <- L + 2 M w~,  K <- K + L w~ + M w~ w~.
 * The forces then balance the inertia of this rotation. A second linearisation a little later tests whether the
 * coefficients are constant.
 *
 * Reduction to free motions: d = N z with G N = 0 from the singular values of G.  The full descriptor form with
 * multipliers is a singular pencil if rows are redundant, so it is not used.  K belongs to the multipliers of minimum
 * norm.  If a self-stress z (G^T z = 0) has N^T K(z) N != 0, the position is singular and the self-stress would
 * influence the result: this is reported.
 * Sources: [Minaker, eq. 1 to 5]; docs/analysis/linear.md. */
#include "sim/fmu_partners.h"
#include "base/required.h"
#include "base/options.h"
#include "analysis/linearise.h"
#include "core/force.h"
#include "core/map.h"
#include "analysis/dense_matrix.h"
#include "lapack/lapack.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- creation ---- */

void hk_linear_destroy(hk_linear *l) {
  if (!l) return;
  if (l->inside) {
    hk_system_destroy(l->inside->sys);
    free(l->inside->block);
    free(l->inside->later);
    free(l->inside);
  }
  free(l->M);
  free(l);
}

static hk_status allocate(hk_linear *l, hk_sim *sim, hk_error *err) {
  const hk_model *m = sim->model;
  struct hk_linear_inside *in = l->inside = calloc(1, sizeof *l->inside);
  if (!in) return hk_fail(err, HK_ENOMEM, "out of memory");
  in->sim = sim;
  hk_status status =
      hk_system_create(m, l->sparse ? sim->kept : NULL, true, HK_SOLVER_KLU, &in->sys, err);
  if (status) return status;
  size_t values = in->sys->matrix->n_value, n = (size_t)l->n, nc = (size_t)l->nc;
  size_t dense = l->sparse ? 0 : 3 * n * n + 2 * nc * n + 2 * n * n + 3 * n * n;
  in->block = calloc(3 * values + (size_t)m->at.size + (size_t)m->nv + 1, sizeof *in->block);
  l->M = calloc(dense + nc + 1, sizeof *l->M);
  if (!in->block || !l->M)
    return hk_fail(err, HK_ENOMEM, "out of memory for the matrices of %d coordinates", l->n);
  in->M = in->block, in->L = in->M + values, in->K = in->L + values, in->x = in->K + values;
  in->imbalance = in->x + m->at.size;
  l->lambda = l->M + dense;
  if (l->sparse) return HK_OK;
  l->L = l->M + n * n, l->K = l->L + n * n;
  l->G = l->K + n * n, in->load = l->G + nc * n;
  l->N = in->load + nc * n, in->NL = l->N + n * n;
  l->Mr = in->NL + n * n, l->Lr = l->Mr + n * n, l->Kr = l->Lr + n * n;
  return HK_OK;
}

hk_status hk_linear_refuse(const hk_imbalance *e, const char *more, hk_error *err) {
  char what[300];
  hk_imbalance_text(e, what, sizeof what);
  hk_fail(err, HK_EINPUT,
          "the model is not in equilibrium: %s is not balanced "
          "(%.2g of the loads on it), so it is not linearised%s",
          what, e->relative, more);
  hk_error_about(err, e->body, NAN, -1);
  return HK_EINPUT;
}

/* ---- singular positions ---- */

static void name_joints(const hk_model *m, const double *z, char *text, size_t size) {
  size_t used = 0;
  double most = hk_max_abs(z, m->nc, NULL);
  text[0] = '\0';
  for (int i = 0; i < m->n_constraints && used + 80 < size; i++) {
    const hk_constraint *c = &m->constraint[i];
    if (hk_max_abs(z + c->row, c->n_rows, NULL) < 1e-3 * most) continue;
    used += (size_t)snprintf(text + used, size - used, "%s'%s'", used ? ", " : "", c->name);
  }
}

/* Returns |P K(z) p| divided by |z| |p|/length, for a vector p of free motions; P projects onto
 * free motions. */
static double self_stress_effect(hk_linear *l, hk_balance *b, const double *z, const double *p,
                                 double *y) {
  const hk_model *m = l->model;
  hk_system *sys = l->inside->sys;
  const hk_coefficients c = {.cK = 1};
  hk_instant in = hk_instant_settled(m, l->inside->x, z);
  double force = 0, way = 0, effect = 0;
  for (int r = 0; r < m->nc; r++)
    force = fmax(force, fabs(z[r]) / (m->row_angular[r] ? m->length : 1));
  hk_assemble(sys, b->sim->work, &c, &in);
  hk_system_node_multiply(sys, p, y);
  memset(b->lambda, 0, (size_t)m->nc * sizeof *b->lambda);
  in.lambda = b->lambda;
  hk_assemble(sys, b->sim->work, &c, &in);
  hk_system_node_multiply(sys, p, b->a);
  memset(b->rhs, 0, (size_t)b->metric->n * sizeof *b->rhs);
  for (int i = 0; i < m->nv; i++) {
    b->rhs[i] = y[i] - b->a[i];
    way += p[i] * p[i] * b->weight[i];
  }
  hk_linear_solver_solve(b->metric->solver, b->rhs);
  for (int i = 0; i < m->nv; i++) effect += b->rhs[i] * b->rhs[i] * b->weight[i];
  return way > 0 ? sqrt(effect / way) * m->length / force : 0;
}

static hk_status check_self_stress(hk_linear *l, hk_balance *b, const double *Z, int n,
                                   hk_diag *diag, hk_error *err) {
  enum { MOST = 64 };
  const hk_model *m = l->model;
  double *p = calloc(2 * (size_t)m->nv + 1, sizeof *p);
  if (!p) return hk_fail(err, HK_ENOMEM, "out of memory");
  double *y = p + m->nv;
  /* A fixed pseudo-random vector, projected onto the free motions. */
  memset(b->rhs, 0, (size_t)b->metric->n * sizeof *b->rhs);
  for (int i = 0; i < m->nv; i++) b->rhs[i] = sin(1.7 + 12.9898 * i) * sqrt(b->weight[i]);
  hk_linear_solver_solve(b->metric->solver, b->rhs);
  memcpy(p, b->rhs, (size_t)m->nv * sizeof *p);
  for (int i = 0; i < n && i < MOST; i++) {
    double effect = self_stress_effect(l, b, Z + (size_t)i * m->nc, p, y);
    if (effect > 1e-7 && effect > l->self_stress && diag) {
      char joints[400];
      name_joints(m, Z + (size_t)i * m->nc, joints, sizeof joints);
      hk_diag_add(diag, HK_WARNING, NULL,
                  "the position is singular, not only redundant: a self-stress of the joints %s "
                  "would change the stiffness. The result holds without self-stress and for small "
                  "motions only",
                  joints);
    }
    l->self_stress = fmax(l->self_stress, effect);
  }
  free(p);
  return HK_OK;
}

/* ---- reduction ---- */

hk_status hk_linear_reduce(hk_linear *l, double tol, hk_error *err) {
  struct hk_linear_inside *in = l->inside;
  int n = l->n;
  hk_svd svd;
  hk_status status = hk_svd_make(l->G, l->nc, n, tol, &svd, err);
  if (status) return status;
  l->rank = svd.rank;
  l->dof = n - svd.rank;
  hk_svd_null(&svd, l->N);
  hk_dense_echelon(l->N, n, l->dof);
  hk_svd_free(&svd);
  memcpy(in->NL, l->N, (size_t)n * (size_t)l->dof * sizeof *in->NL);
  double most = 0;
  for (size_t i = 0; i < (size_t)l->nc * (size_t)n; i++)
    most = fmax(most, fabs(in->load[i] - l->G[i]));
  /* friction: reactions act along other directions than the directions that they constrain */
  if (most > 0) {
    status = hk_svd_make(in->load, l->nc, n, tol, &svd, err);
    if (status) return status;
    bool same = svd.rank == l->rank;
    if (same) hk_svd_null(&svd, in->NL);
    if (same) hk_dense_echelon(in->NL, n, l->dof);
    hk_svd_free(&svd);
    if (!same)
      return hk_fail(err, HK_EFAIL, "friction jams the joints: the reactions are not determined");
  }
  double *scratch = malloc(((size_t)n * (size_t)n + 1) * sizeof *scratch);
  if (!scratch) return hk_fail(err, HK_ENOMEM, "out of memory");
  hk_dense_project(n, l->dof, l->dof, in->NL, l->M, l->N, scratch, l->Mr);
  hk_dense_project(n, l->dof, l->dof, in->NL, l->L, l->N, scratch, l->Lr);
  hk_dense_project(n, l->dof, l->dof, in->NL, l->K, l->N, scratch, l->Kr);
  free(scratch);
  return HK_OK;
}

/* Computes the matrices in the chosen axes at the state x with multipliers lambda. */
void hk_linear_fill(hk_linear *l, hk_balance *b, const double *x) {
  struct hk_linear_inside *in = l->inside;
  hk_linear_assemble(l, b->sim, x, l->lambda, NULL, in->M, in->L, in->K);
  if (l->sparse) return;
  hk_linear_expand(l, in->sys, in->M, l->M);
  hk_linear_expand(l, in->sys, in->L, l->L);
  hk_linear_expand(l, in->sys, in->K, l->K);
  hk_linear_expand_constraints(l, in->sys, in->M, l->G, in->load);
}

/* ---- effects that the equations do not include ---- */

/* Returns the largest relative change of the matrices at rest if only the time is changed. The
 * times have no common period, so that a periodic change is found. */
static hk_status change_with_time(hk_linear *l, hk_balance *b, double *out, hk_error *err) {
  static const double later[] = {0.0173, 0.1371, 0.4142, 0.7321};
  struct hk_linear_inside *in = l->inside;
  const hk_model *m = l->model;
  size_t values = in->sys->matrix->n_value;
  double *now = malloc((3 * values + (size_t)m->at.size + 1) * sizeof *now);
  if (!now) return hk_fail(err, HK_ENOMEM, "out of memory");
  double *x = now + 3 * values, duration = b->sim->option.duration;
  if (!(duration > 0)) duration = 1;
  const double *part[3] = {in->M, in->L, in->K};
  for (int k = 0; k < 3; k++) memcpy(now + (size_t)k * values, part[k], values * sizeof *now);
  memcpy(x, in->x, (size_t)m->at.size * sizeof *x);
  *out = 0;
  hk_status status = HK_OK;
  for (size_t i = 0; i < sizeof later / sizeof *later && !status; i++) {
    x[m->at.t] = in->x[m->at.t] + later[i] * duration;
    status = hk_balance_evaluate(b, x, err);
    if (!status) hk_linear_assemble(l, b->sim, x, l->lambda, NULL, in->M, in->L, in->K);
    for (int k = 0; k < 3 && !status; k++) {
      const double *a = now + (size_t)k * values;
      double size = hk_max_abs(a, (int)values, NULL), change = 0;
      for (size_t e = 0; e < values; e++) change = fmax(change, fabs(part[k][e] - a[e]));
      if (size > 0) *out = fmax(*out, change / size);
    }
  }
  free(now);
  /* if the forces cannot be computed at the other time, the relative change counts as 1 */
  if (status > 0) *out = 1, status = HK_OK;
  if (!status) status = hk_balance_evaluate(b, in->x, err);
  if (!status) hk_linear_fill(l, b, in->x);
  return status;
}

static hk_status check_time(hk_linear *l, hk_balance *b, bool frozen, hk_diag *diag,
                            hk_error *err) {
  double change = 0;
  hk_status status = change_with_time(l, b, &change, err);
  if (status || change <= 1e-6) return status;
  if (!frozen)
    return hk_fail(err, HK_EINPUT,
                   "the linear equations change with time (by %.2g of their size) though the model "
                   "is at rest: a force depends on time and on the position or velocity, so the "
                   "model has no modes",
                   change);
  if (diag)
    hk_diag_add(diag, HK_WARNING, NULL,
                "the linear equations change with time (by %.2g of their size): the results hold "
                "for the frozen time %g s",
                change, l->t);
  return HK_OK;
}

/* Warns of forces with internal states, which are linearised as if the motion had lasted for an
 * infinite time.  If their slopes differ from those of a fast motion, they have states that the
 * equations do not include.  hk_spec_first_order converts those that obey a differential equation
 * to states of the model. */
static void warn_of_memory(const hk_linear *l, hk_balance *b, hk_diag *diag) {
  const hk_model *m = l->model;
  const hk_instant slow = hk_instant_settled(m, l->inside->x, l->lambda);
  hk_instant fast = slow;
  fast.h = 1e-9;
  for (int i = 0; i < m->n_forces && diag; i++) {
    const hk_force *f = &m->force[i];
    hk_force_result r, q;
    if (f->n_memory == 0) continue;
    hk_force_evaluate(b->sim->work, f, &slow, true, &r);
    hk_force_evaluate(b->sim->work, f, &fast, true, &q);
    double c = fmax(fabs(r.out.F_c), fabs(q.out.F_c));
    double v = fmax(fabs(r.out.F_rate), fabs(q.out.F_rate));
    if (fabs(r.out.F_c - q.out.F_c) <= 1e-6 * c && fabs(r.out.F_rate - q.out.F_rate) <= 1e-6 * v)
      continue;
    hk_diag_add(diag, HK_WARNING, NULL,
                "force '%s' relaxes: it has an internal state that the linear equations do not "
                "include. Modes and responses are valid only for motions that are slow compared "
                "with its relaxation. Its stiffness and damping are %.3g and %.3g for slow "
                "motions, %.3g and %.3g for fast ones%s",
                f->name, -r.out.F_c, -r.out.F_rate, -q.out.F_c, -q.out.F_rate,
                f->ops->first_order ? "; hk_spec_first_order includes it" : "");
  }
}

/* The axes of b and of l may differ. Therefore all three force components of a body are
 * compared with the largest of their three loads. The moments are treated in the same way. */
static void put_imbalance(hk_linear *l, const hk_balance *b) {
  const hk_model *m = l->model;
  for (int i = 0; i < m->n_nodes; i++)
    for (int k = 0; k < m->node[i].nv; k++) {
      bool moment = hk_balance_is_moment(m, i, k);
      double most = 0, load = b->load[i] * (moment ? m->length : 1);
      for (int j = 0; j < m->node[i].nv; j++)
        if (hk_balance_is_moment(m, i, j) == moment)
          most = fmax(most, fabs(b->r[m->node[i].v + j]));
      l->inside->imbalance[m->node[i].v + k] = load > 0 ? most / load : 0;
    }
}

/* Largest relative imbalance of a state in motion. Steps with the usual tolerance of 1e-10 leave errors of angles of
 * 1e-9 rad after some turns. With a stiffness k, they unbalance a body by 1e-9 k, where k is up to 1e4 times the loads. */
static double moving_tolerance(const hk_linear *l) {
  return l->inside->sim->stats.steps > 0 ? 1e-5 : 1e-6;
}

static hk_status refuse_imbalance(const hk_linear *l, hk_error *err) {
  bool stepped = l->moving && l->inside->sim->stats.steps > 0;
  return hk_linear_refuse(&l->residual,
                          !l->moving ? "; `hooke static` looks for an equilibrium"
                          : stepped && l->residual.relative < 1e-3
                              ? "; if the motion is steady, this is the error of the steps, which "
                                "a smaller rtol reduces"
                              : "",
                          err);
}

static hk_status linearise(hk_linear *l, hk_balance *b, const hk_linear_options *o, hk_diag *diag,
                           hk_error *err) {
  const hk_model *m = l->model;
  double rank_tol = o && o->rank_tol > 0 ? o->rank_tol : 1e-10;
  double tolerance = o && o->tolerance > 0 ? o->tolerance : l->moving ? moving_tolerance(l) : 1e-9;
  hk_status status = hk_balance_refuse_closed(b->sim, err);
  if (!status && l->moving) status = hk_linear_find_rotation(l, b, tolerance, err);
  if (!status) status = hk_balance_begin(b, l->inside->x, err);
  if (status) return status;
  l->residual = hk_balance_worst(b, b->r);
  put_imbalance(l, b);
  if (l->residual.relative > tolerance) return refuse_imbalance(l, err);
  hk_balance_plain(b);
  status = hk_balance_evaluate(b, l->inside->x, err);
  if (status) return status;
  double *Z;
  int n;
  status = hk_balance_self_stress(b, &Z, &n, err);
  if (!status) status = hk_balance_least_norm(m, Z, n, b->lambda, err);
  if (!status) {
    memcpy(l->lambda, b->lambda, (size_t)m->nc * sizeof *l->lambda);
    l->rank = m->nc - n;
    l->dof = m->nv - l->rank;
    status = check_self_stress(l, b, Z, n, diag, err);
  }
  free(Z);
  if (!status) warn_of_memory(l, b, diag);
  if (!status && l->moving) status = hk_linear_check_steady(l, b, tolerance, err);
  if (status) return status;
  if (l->moving) return hk_linear_moving(l, b, rank_tol, tolerance, err);
  hk_linear_fill(l, b, l->inside->x);
  if (m->n_forces) status = check_time(l, b, o && o->frozen, diag, err);
  if (status) return status;
  return l->sparse ? HK_OK : hk_linear_reduce(l, rank_tol, err);
}

/* Returns true if a body with prescribed rotation rotates. The velocities of the state do not contain this rotation. */
static bool guides_turn(hk_sim *sim) {
  const hk_model *m = sim->model;
  const hk_instant in = hk_instant_at(m, sim->x);
  if (!m->guided) return false;
  hk_kinematics(sim->work, &in, HK_FRAMES_MOVING);
  sim->out.have_frames = false;
  for (int i = 0; i < m->n_nodes; i++)
    if (hk_norm(hk_map_guide(sim->work, i, NULL)) > 0) return true;
  return false;
}

hk_status hk_linear_create(hk_sim *sim, const hk_linear_options *given, hk_linear **out,
                           hk_diag *diag, hk_error *err) {
  HK_REQUIRE(out, err);
  hk_linear_options taken, *o = &taken;
  HK_TAKE_OPTIONS(taken, given);
  *out = NULL;
  if (!sim) return hk_fail(err, HK_EINPUT, "the simulation is NULL");
  const hk_model *m = sim->model;
  hk_status room = hk_partners_refuse(m, "a linear analysis", err);
  if (!room) room = hk_lapack_begin("linear algebra", err);
  if (room) return room;
  hk_linear *l = calloc(1, sizeof *l);
  if (!l) return hk_fail(err, HK_ENOMEM, "out of memory");
  *l = (hk_linear){.model = m, .t = sim->x[m->at.t], .n = m->nv, .nc = m->nc};
  l->moving = hk_max_abs(sim->x + m->at.v, m->nv, NULL) > 0 || guides_turn(sim);
  l->sparse = m->nv > (o && o->dense_limit > 0 ? o->dense_limit : 600);
  hk_balance b = {0};
  hk_status status = allocate(l, sim, err);
  if (!status) {
    memcpy(l->inside->x, sim->x, (size_t)m->at.size * sizeof *sim->x);
    status = hk_balance_create(sim, &b, err);
  }
  if (!status) status = linearise(l, &b, o, diag, err);
  hk_balance_free(&b);
  sim->out.have_frames = false;
  if (status) {
    hk_linear_destroy(l);
    if (status > 0)
      status = hk_fail(err, HK_EFAIL,
                       "the linear equations cannot be set up here: the redundancy of the "
                       "constraints changes with the position");
    hk_error_about(err, NULL, sim->x[m->at.t], -1);
    return status;
  }
  *out = l;
  return HK_OK;
}
