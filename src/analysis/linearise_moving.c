/* Linearisation about a steady motion: tests whether the motion is steady and finds axes in which its equations are
 * constant.  See linearise.c. */
#include "analysis/dense_matrix.h"
#include "analysis/linearise.h"
#include "core/map.h"
#include <stdlib.h>
#include <string.h>

/* The matrices count as constant if their relative change is below this. */
static const double CONSTANT = 1e-6;

/* Rejects accelerations that a steady motion does not have. */
hk_status hk_linear_check_steady(hk_linear *l, hk_balance *b, double tolerance, hk_error *err) {
  hk_sim *s = b->sim;
  const hk_model *m = s->model;
  double speed = 0;
  if (b->rotating) return HK_OK;
  for (int i = 0; i < m->nv; i++) speed = fmax(speed, fabs(s->x[m->at.v + i]) * sqrt(b->unit[i]));
  hk_mass_multiply(s->work, s->out.vd, b->a);
  for (int i = 0; i < m->n_nodes; i++)
    for (int k = 0; k < m->node[i].nv; k++) {
      int at = m->node[i].v + k;
      double scale = sqrt(b->unit[at]);
      if (fabs(s->out.vd[at]) * scale <= tolerance * speed * speed / m->length) continue;
      if (fabs(b->a[at]) / scale <= tolerance * b->load[i]) continue;
      l->residual = hk_balance_worst(b, b->a);
      if (l->residual.size > 0)
        return hk_linear_refuse(
            &l->residual,
            "; a moving model must be in steady motion: without accelerations, or "
            "in steady rotation as a whole",
            err);
      hk_fail(err, HK_EINPUT,
              "the motion is not steady: body '%s' accelerates by %.6g %s, so the model is not "
              "linearised",
              m->node[i].name, s->out.vd[at], hk_balance_is_moment(m, i, k) ? "rad/s^2" : "m/s^2");
      hk_error_about(err, m->node[i].name, s->x[m->at.t], -1);
      return HK_EINPUT;
    }
  return HK_OK;
}

/* Computes frames, forces and multipliers at the later state, in which a steady motion is balanced, too. */
static hk_status evaluate_later(hk_linear *l, hk_balance *b, double tolerance, hk_error *err) {
  hk_status status = hk_balance_evaluate(b, l->inside->later, err);
  if (status || !b->rotating) return status;
  hk_imbalance worst = hk_balance_worst(b, b->r);
  if (worst.relative <= tolerance) return HK_OK;
  char what[300];
  hk_imbalance_text(&worst, what, sizeof what);
  hk_fail(err, HK_EINPUT,
          "the motion is not steady, so the model is not linearised: a little later, %s is not "
          "balanced (%.2g of the loads on it). A steady motion has no accelerations, or the whole "
          "model rotates steadily",
          what, worst.relative);
  hk_error_about(err, worst.body, NAN, -1);
  return HK_EINPUT;
}

/* Computes the largest relative change of the reduced matrices a short time later in the motion. */
static hk_status drift(hk_linear *l, hk_balance *b, double tolerance, double *out, hk_error *err) {
  int n = l->n, dof = l->dof;
  size_t square = (size_t)n * (size_t)n;
  double *A = malloc((3 * square + (size_t)l->nc * (size_t)n + 1) * sizeof *A);
  hk_status status = A ? HK_OK : hk_fail(err, HK_ENOMEM, "out of memory");
  if (!status) status = evaluate_later(l, b, tolerance, err);
  if (!status) {
    struct hk_linear_inside *in = l->inside;
    double *scratch = A + square, *R = scratch + square, *G = R + square;
    double change = 0, size = 0, terms = 0;
    const double *now[3] = {l->Mr, l->Lr, l->Kr};
    double *value[3] = {in->M, in->L, in->K};
    hk_linear_assemble(l, b->sim, in->later, b->lambda, &in->turned, in->M, in->L, in->K);
    memset(G, 0, (size_t)l->nc * (size_t)n * sizeof *G);
    hk_linear_expand_constraints(l, in->sys, in->M, G, NULL);
    hk_dense_multiply(l->nc, dof, n, G, l->N, R);
    *out = hk_dense_max(R, (size_t)l->nc * (size_t)dof) /
           fmax(1e-300, hk_dense_max(G, (size_t)l->nc * (size_t)n));
    for (int k = 0; k < 3; k++) {
      hk_linear_expand(l, in->sys, value[k], A);
      hk_dense_project(n, dof, dof, in->NL, A, l->N, scratch, R);
      size = hk_dense_max(now[k], (size_t)dof * (size_t)dof);
      /* A sum counts as zero if it is small compared with its terms, some of which are M times
       * the speed of rotation. */
      terms = fmax(terms * in->speed, hk_dense_max(A, square));
      size = fmax(size, 1e-9 * terms);
      change = 0;
      for (int i = 0; i < dof * dof; i++) change = fmax(change, fabs(R[i] - now[k][i]));
      if (size > 0) *out = fmax(*out, change / size);
    }
  }
  free(A);
  return status;
}

/* ---- the same test for large models, by a few pseudo-random free motions ---- */

/* Converts rotations of d from body axes to those of the model, or back, at the frames in `work`. */
static void turn(const hk_linear *l, const hk_work *w, bool back, double *d) {
  for (int i = 0; i < l->model->n_nodes && l->axes != HK_LINEAR_BODY_AXES; i++) {
    const hk_node *n = &l->model->node[i];
    if (n->turn < 0) continue;
    double *r = d + n->v + n->turn;
    hk_vec3 u = hk_v3(r[0], r[1], r[2]);
    u = back ? hk_tmul(&w->R[i], u) : hk_mul(&w->R[i], u);
    r[0] = u.x, r[1] = u.y, r[2] = u.z;
  }
}

/* Replaces the force d by the free motion that this force causes, in body axes, with the mass matrix as metric.
 * Returns the length of the motion. */
static double make_free(hk_balance *b, double *d) {
  int n = b->sim->model->nv;
  double sum = 0;
  memset(b->rhs, 0, (size_t)b->metric->n * sizeof *b->rhs);
  memcpy(b->rhs, d, (size_t)n * sizeof *d);
  hk_linear_solver_solve(b->metric->solver, b->rhs);
  memcpy(d, b->rhs, (size_t)n * sizeof *d);
  for (int i = 0; i < n; i++) sum += d[i] * d[i] * b->weight[i];
  return sqrt(sum);
}

/* Returns |G p| divided by |G| |p|, with largest components as norms; G is taken from the
 * multiplier blocks of the pattern. */
static double violation(const hk_linear *l, const double *p) {
  const hk_block_pattern *q = l->inside->sys->pattern;
  double most = 0, size = 0, way = hk_max_abs(p, l->n, NULL);
  for (int i = l->model->n_nodes; i < q->nb; i++)
    for (int r = 0; r < q->size[i]; r++) {
      double rate = 0;
      for (int e = q->row_start[i]; e < q->row_start[i + 1]; e++) {
        int j = q->column[e], width = j < l->model->n_nodes ? q->size[j] : 0;
        const double *G = l->inside->M + q->value_start[e] + (size_t)r * (size_t)width;
        for (int c = 0; c < width; c++) {
          rate += G[c] * p[q->offset[j] + c];
          size = fmax(size, fabs(G[c]));
        }
      }
      most = fmax(most, fabs(rate));
    }
  return size * way > 0 ? most / (size * way) : 0;
}

/* Largest change of the matrices for one free motion p. y [7][n]: p, the products of the matrices with p, and the
 * changes of these products. */
static hk_status probe(hk_linear *l, hk_balance *b, double tolerance, int number, double *y,
                       double *out, hk_error *err) {
  struct hk_linear_inside *in = l->inside;
  const double *value[3] = {in->M, in->L, in->K};
  size_t n = (size_t)l->n;
  double *p = y, *now = p + n, *change = now + 3 * n, terms = 0;
  for (int i = 0; i < l->n; i++) p[i] = sin(0.9 + 3.7 * number + 78.233 * i) * sqrt(b->weight[i]);
  make_free(b, p);
  turn(l, b->sim->work, false, p);
  for (int k = 0; k < 3; k++) hk_linear_multiply(l, value[k], p, now + (size_t)k * n);
  hk_status status = evaluate_later(l, b, tolerance, err);
  if (status) return status;
  hk_linear_assemble(l, b->sim, in->later, b->lambda, &in->turned, in->M, in->L, in->K);
  *out = fmax(*out, violation(l, p));
  for (int k = 0; k < 3; k++) {
    double *c = change + (size_t)k * n;
    hk_linear_multiply(l, value[k], p, c);
    for (size_t i = 0; i < n; i++) c[i] -= now[(size_t)k * n + i];
  }
  status = hk_balance_evaluate(b, in->x, err); /* restores the state and its metric */
  if (status) return status;
  hk_linear_fill(l, b, in->x);
  for (int k = 0; k < 3; k++) {
    double *a = now + (size_t)k * n, *c = change + (size_t)k * n, sum = 0;
    turn(l, b->sim->work, true, a);
    turn(l, b->sim->work, true, c);
    for (size_t i = 0; i < n; i++) sum += a[i] * a[i] / b->weight[i];
    terms = fmax(terms * in->speed, sqrt(sum));
    double size = fmax(make_free(b, a), 1e-9 * terms), moved = make_free(b, c);
    if (size > 0) *out = fmax(*out, moved / size);
  }
  return HK_OK;
}

static hk_status drift_large(hk_linear *l, hk_balance *b, double tolerance, double *out,
                             hk_error *err) {
  double *y = malloc((7 * (size_t)l->n + 1) * sizeof *y);
  hk_status status = y ? HK_OK : hk_fail(err, HK_ENOMEM, "out of memory");
  *out = 0;
  for (int i = 0; i < 3 && !status; i++) status = probe(l, b, tolerance, i, y, out, err);
  free(y);
  return status;
}

/* ---- choice of axes ---- */

/* Largest velocity of a body: angular velocities, and velocities divided by the length of the
 * model. */
static double largest_speed(const hk_work *w, const double *x) {
  const hk_model *m = w->model;
  double speed = 0, length = m->length;
  for (int i = 0; i < m->n_nodes; i++) {
    speed = fmax(speed, hk_norm(hk_map_guide(w, i, NULL)));
    for (int k = 0; k < m->node[i].nv; k++) {
      bool turning = m->node[i].coordinate[k].angular;
      speed = fmax(speed, fabs(x[m->at.v + m->node[i].v + k]) / (turning ? 1 : length));
    }
  }
  return speed;
}

/* Linearises in the chosen axes now and a little later; *change is the relative difference.
 * Rotating axes have the angular velocity b->spin. */
static hk_status try_axes(hk_linear *l, hk_balance *b, hk_linear_axes axes, double rank_tol,
                          double tolerance, double *change, hk_error *err) {
  struct hk_linear_inside *in = l->inside;
  const double w[3] = {b->spin.x, b->spin.y, b->spin.z};
  l->axes = axes;
  for (int k = 0; k < 3; k++) l->rate[k] = axes == HK_LINEAR_ROTATING_AXES ? w[k] : 0;
  hk_status status = hk_balance_evaluate(b, in->x, err); /* frames of the state itself */
  if (status) return status;
  hk_linear_fill(l, b, in->x);
  in->speed = largest_speed(b->sim->work, in->x);
  hk_linear_rotate(b, in->x, 0.7 / in->speed, b->a, in->later, &in->turned);
  if (!l->sparse) status = hk_linear_reduce(l, rank_tol, err);
  if (status) return status;
  return l->sparse ? drift_large(l, b, tolerance, change, err)
                   : drift(l, b, tolerance, change, err);
}

/* Finds axes in which the coefficients are constant: world axes, body axes, or rotating axes. Rotating axes rotate
 * with a body if all accelerations are zero, otherwise with the rotation that explains the accelerations. */
hk_status hk_linear_moving(hk_linear *l, hk_balance *b, double rank_tol, double tolerance,
                           hk_error *err) {
  static const hk_linear_axes resting[] = {HK_LINEAR_WORLD_AXES, HK_LINEAR_BODY_AXES};
  double change = INFINITY;
  hk_status status = HK_OK;
  l->inside->later = malloc(((size_t)l->model->at.size + 1) * sizeof(double));
  if (!l->inside->later) return hk_fail(err, HK_ENOMEM, "out of memory");
  if (b->rotating)
    status = try_axes(l, b, HK_LINEAR_ROTATING_AXES, rank_tol, tolerance, &change, err);
  for (int k = 0; k < 2 && !b->rotating && !status && !(change <= CONSTANT); k++)
    status = try_axes(l, b, resting[k], rank_tol, tolerance, &change, err);
  for (int node = 0; !b->rotating && !status && !(change <= CONSTANT); node++) {
    if (!hk_linear_next_rotation(l, b, tolerance, &node)) break;
    status = try_axes(l, b, HK_LINEAR_ROTATING_AXES, rank_tol, tolerance, &change, err);
  }
  if (status) return status;
  if (!(change <= CONSTANT))
    return hk_fail(err, HK_EINPUT,
                   "the motion is steady, but its linear equations change with time (by %.2g of "
                   "their size) in world axes, in those of the bodies and in axes that rotate with "
                   "them: a spinning body is not symmetric about its axis, and its supports are "
                   "not symmetric either, or rotate differently. `hooke periodic --floquet` finds "
                   "out whether such a motion is stable",
                   change);
  /* drift() has overwritten the pattern's values with the later matrices. */
  status = hk_balance_evaluate(b, l->inside->x, err);
  if (!status) hk_linear_fill(l, b, l->inside->x);
  return status;
}
