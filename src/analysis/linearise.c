/* Linearisation about an equilibrium or a steady motion.
 *
 * hk_assemble gives, for displacements d and velocity changes dv of the nodes (translations in
 * world axes, rotations in body axes), M dv' + L dv + K d + G^T dlambda = 0 with the preloads in K
 * and the gyroscopic moments in L.  At rest dv = d'.  A body that turns with w has dv = d' + w x d
 * in its own axes.  With W that product, body axes:   L <- L + M W,  K <- K + L W and in world
 * axes, d = T phi with T = R^T and so dv = T phi', dv' = T phi'' - w x T phi', world axes:  M <-
 * T^T M T,  L <- T^T (L - M w~) T,  K <- T^T K T. Either form has constant coefficients only if the
 * motion looks the same at all times in its axes: an axially symmetric rotor does in world axes, a
 * free body about a principal axis in its own. This is tested by linearising a second time a little
 * later.
 *
 * Reduction to free motions: d = N z with G N = 0 from the singular values of G.  The full
 * descriptor form with the multipliers is a singular pencil if rows are redundant, so it is never
 * used.  K is that for the multipliers of least norm; if a self-stress z (G^T z = 0) has N^T K(z) N
 * != 0 the position is singular and the self-stress would matter: this is reported.
 * Sources: [Minaker, eq. 1 to 5]; docs/linear.md.
 */
#include "analysis/linearise.h"
#include "analysis/dense.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- blocks ------------------------------------------------------------------------------------
 */

static bool turns(const hk_model *m, int block) {
  return block < m->n_nodes && m->node[block].kind == HK_NODE_RIGID;
}

/* Columns 3..5 of a block [rows][6] times M, or added to `out` if that is another block. */
static void times_right(const double *A, int rows, const hk_mat3 *M, double *out, bool add) {
  for (int i = 0; i < rows; i++) {
    const double a[3] = {A[6 * i + 3], A[6 * i + 4], A[6 * i + 5]};
    for (int j = 0; j < 3; j++) {
      double sum = a[0] * M->m[0][j] + a[1] * M->m[1][j] + a[2] * M->m[2][j];
      out[6 * i + 3 + j] = sum + (add ? out[6 * i + 3 + j] : 0);
    }
  }
}

/* Rows 3..5 of a block [6][columns] from the left by M. */
static void times_left(double *A, int columns, const hk_mat3 *M) {
  for (int j = 0; j < columns; j++) {
    const double a[3] = {A[3 * columns + j], A[4 * columns + j], A[5 * columns + j]};
    for (int i = 0; i < 3; i++)
      A[(3 + i) * columns + j] = M->m[i][0] * a[0] + M->m[i][1] * a[1] + M->m[i][2] * a[2];
  }
}

static hk_mat3 spin(const hk_model *m, const double *v, int node) {
  const double *w = v + m->node[node].v + 3;
  return hk_skew(hk_v3(w[0], w[1], w[2]));
}

static void to_world_axes(const hk_model *m, const hk_system *sys, const hk_mat3 *R,
                          const double *v, double *M, double *L, double *K) {
  const hk_block_pattern *p = sys->pattern;
  double *all[3] = {M, L, K};
  for (int i = 0; i < p->nb; i++)
    for (int e = p->row_start[i]; e < p->row_start[i + 1]; e++) {
      int j = p->column[e];
      size_t at = p->value_start[e];
      if (i == j && turns(m, i)) { /* L <- L - M w~ */
        hk_mat3 W = hk_mat3_scale(-1, spin(m, v, i));
        times_right(M + at, 6, &W, L + at, true);
      }
      for (int k = 0; k < 3; k++) {
        if (turns(m, j)) {
          hk_mat3 T = hk_transpose(&R[j]);
          times_right(all[k] + at, p->size[i], &T, all[k] + at, false);
        }
        if (turns(m, i)) times_left(all[k] + at, p->size[j], &R[i]);
      }
    }
}

static void add_transport(const hk_model *m, const hk_system *sys, const double *v, const double *M,
                          double *L, double *K) {
  const hk_block_pattern *p = sys->pattern;
  for (int i = 0; i < m->n_nodes; i++)
    for (int e = p->row_start[i]; e < p->row_start[i + 1]; e++) {
      int j = p->column[e];
      size_t at = p->value_start[e];
      if (!turns(m, j)) continue;
      hk_mat3 W = spin(m, v, j);
      times_right(L + at, p->size[i], &W, K + at, true);
      if (i == j) times_right(M + at, 6, &W, L + at, true);
    }
}

/* M, L and K at the frames in work, in the pattern of sys. */
static void assemble(const hk_sim *s, hk_system *sys, const double *x, const double *lambda,
                     hk_linear_axes axes, bool moving, double *M, double *L, double *K) {
  const hk_model *m = s->model;
  size_t bytes = sys->matrix->n_value * sizeof(double);
  const double *v = x + m->at.v;
  double *out[3] = {M, L, K};
  for (int k = 0; k < 3; k++) {
    const hk_coefficients c = {.cM = k == 0, .cC = k == 1, .cK = k == 2};
    hk_assemble(sys, s->work, &c, x[m->at.t], v, lambda, x + m->at.turn);
    memcpy(out[k], sys->matrix->value, bytes);
  }
  if (axes == HK_LINEAR_WORLD_AXES)
    to_world_axes(m, sys, s->work->R, v, M, L, K);
  else if (moving)
    add_transport(m, sys, v, M, L, K);
}

void hk_linear_multiply(const hk_linear *l, const double *value, const double *x, double *y) {
  const hk_block_pattern *p = l->inside->sys->pattern;
  int nodes = l->model->n_nodes;
  for (int i = 0; i < nodes; i++) {
    double *out = y + p->offset[i];
    for (int k = 0; k < p->size[i]; k++) out[k] = 0;
    for (int e = p->row_start[i]; e < p->row_start[i + 1] && p->column[e] < nodes; e++) {
      int j = p->column[e], width = p->size[j];
      const double *A = value + p->value_start[e], *u = x + p->offset[j];
      for (int k = 0; k < p->size[i]; k++, A += width)
        for (int c = 0; c < width; c++) out[k] += A[c] * u[c];
    }
  }
}

/* Node blocks of `value` as a dense matrix. */
static void expand(const hk_linear *l, const hk_system *sys, const double *value, double *out) {
  const hk_block_pattern *p = sys->pattern;
  int nodes = l->model->n_nodes;
  memset(out, 0, (size_t)l->n * (size_t)l->n * sizeof *out);
  for (int i = 0; i < nodes; i++)
    for (int e = p->row_start[i]; e < p->row_start[i + 1] && p->column[e] < nodes; e++)
      for (int r = 0; r < p->size[i]; r++)
        memcpy(out + (size_t)(p->offset[i] + r) * l->n + p->offset[p->column[e]],
               value + p->value_start[e] + (size_t)r * p->size[p->column[e]],
               p->size[p->column[e]] * sizeof *out);
}

/* Multiplier blocks, all rows kept: G from the rows, G^T - df/dlambda (transposed) from the
 * columns.
 */
static void expand_constraints(const hk_linear *l, const hk_system *sys, const double *value,
                               double *G, double *load) {
  const hk_block_pattern *p = sys->pattern;
  int nodes = l->model->n_nodes, n = l->n;
  for (int i = nodes; i < p->nb; i++)
    for (int e = p->row_start[i]; e < p->row_start[i + 1]; e++) {
      int j = p->column[e], width = p->size[j];
      if (j >= nodes) continue;
      const double *row = value + p->value_start[e];
      const double *column = value + p->value_start[hk_block_pattern_find(p, j, i)];
      for (int r = 0; r < p->size[i]; r++)
        for (int c = 0; c < width; c++) {
          size_t at = (size_t)(p->offset[i] - n + r) * n + (size_t)(p->offset[j] + c);
          G[at] = row[r * width + c];
          if (load) load[at] = column[c * p->size[i] + r];
        }
    }
}

/* ---- creation ----------------------------------------------------------------------------------
 */

void hk_linear_destroy(hk_linear *l) {
  if (!l) return;
  if (l->inside) {
    hk_system_destroy(l->inside->sys);
    free(l->inside->block);
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
  in->block = calloc(3 * values + (size_t)m->at.size + 1, sizeof *in->block);
  l->M = calloc(dense + nc + 1, sizeof *l->M);
  if (!in->block || !l->M)
    return hk_fail(err, HK_ENOMEM, "out of memory for the matrices of %d coordinates", l->n);
  in->M = in->block, in->L = in->M + values, in->K = in->L + values, in->x = in->K + values;
  l->lambda = l->M + dense;
  if (l->sparse) return HK_OK;
  l->L = l->M + n * n, l->K = l->L + n * n;
  l->G = l->K + n * n, in->load = l->G + nc * n;
  l->N = in->load + nc * n, in->NL = l->N + n * n;
  l->Mr = in->NL + n * n, l->Lr = l->Mr + n * n, l->Kr = l->Lr + n * n;
  return HK_OK;
}

static hk_status refuse(const hk_imbalance *e, const char *more, hk_error *err) {
  return hk_fail(err, HK_EINPUT,
                 "the model is not in equilibrium: a %s of %.6g %s on body '%s' is not balanced "
                 "(%.2g of the loads on it), so it is not linearised%s",
                 e->moment ? "moment" : "force", e->size, e->moment ? "N m" : "N", e->body,
                 e->relative, more);
}

/* In motion: accelerations that are not those of a steady motion. */
static hk_status check_steady(hk_linear *l, hk_balance *b, double tolerance, hk_error *err) {
  hk_sim *s = b->sim;
  const hk_model *m = s->model;
  double speed = 0;
  hk_status status = HK_OK;
  if (!s->have_accelerations) {
    status = hk_sim_accelerations(s, s->x, s->vd, s->lambda, err);
    if (status) return status;
    s->have_accelerations = true;
    s->have_frames = false;
  }
  for (int i = 0; i < m->nv; i++) speed = fmax(speed, fabs(s->x[m->at.v + i]) * sqrt(b->unit[i]));
  hk_mass_multiply(s->work, s->vd, b->a);
  for (int i = 0; i < m->n_nodes; i++)
    for (int k = 0; k < m->node[i].nv; k++) {
      int at = m->node[i].v + k;
      double scale = sqrt(b->unit[at]);
      if (fabs(s->vd[at]) * scale <= tolerance * speed * speed / m->length) continue;
      if (fabs(b->a[at]) / scale <= tolerance * b->load[i]) continue;
      l->residual = hk_balance_worst(b, b->a);
      if (l->residual.size > 0)
        return refuse(&l->residual, "; a moving model must run steadily, without accelerations",
                      err);
      return hk_fail(err, HK_EINPUT,
                     "the model does not run steadily: body '%s' accelerates by %.6g %s, so it is "
                     "not linearised",
                     m->node[i].name, s->vd[at],
                     hk_balance_is_moment(m, i, k) ? "rad/s^2" : "m/s^2");
    }
  return HK_OK;
}

/* ---- singular positions ------------------------------------------------------------------------
 */

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

/* |P K(z) p| over |z| |p| / length for a vector p of free motions; P projects onto free motions
 * too.
 */
static double self_stress_effect(hk_linear *l, hk_balance *b, const double *z, const double *p,
                                 double *y) {
  const hk_model *m = l->model;
  hk_system *sys = l->inside->sys;
  const hk_coefficients c = {.cK = 1};
  const double *x = l->inside->x;
  double force = 0, way = 0, effect = 0;
  for (int r = 0; r < m->nc; r++)
    force = fmax(force, fabs(z[r]) / (m->row_angular[r] ? m->length : 1));
  hk_assemble(sys, b->sim->work, &c, x[m->at.t], x + m->at.v, z, x + m->at.turn);
  hk_system_node_multiply(sys, p, y);
  memset(b->lambda, 0, (size_t)m->nc * sizeof *b->lambda);
  hk_assemble(sys, b->sim->work, &c, x[m->at.t], x + m->at.v, b->lambda, x + m->at.turn);
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
  /* A fixed vector that is as good as random, made a free motion. */
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

/* ---- reduction ---------------------------------------------------------------------------------
 */

static hk_status reduce(hk_linear *l, double tol, hk_error *err) {
  struct hk_linear_inside *in = l->inside;
  int n = l->n;
  hk_svd svd;
  hk_status status = hk_svd_make(l->G, l->nc, n, tol, &svd, err);
  if (status) return status;
  l->rank = svd.rank;
  l->dof = n - svd.rank;
  hk_svd_null(&svd, l->N);
  hk_svd_free(&svd);
  memcpy(in->NL, l->N, (size_t)n * (size_t)l->dof * sizeof *in->NL);
  double most = 0;
  for (size_t i = 0; i < (size_t)l->nc * (size_t)n; i++)
    most = fmax(most, fabs(in->load[i] - l->G[i]));
  if (most > 0) { /* friction: the reactions push along other directions than they hold */
    status = hk_svd_make(in->load, l->nc, n, tol, &svd, err);
    if (status) return status;
    bool same = svd.rank == l->rank;
    if (same) hk_svd_null(&svd, in->NL);
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

/* Fill matrices for the chosen axes at the state x, whose multipliers are lambda. */
static void fill(hk_linear *l, hk_balance *b, const double *x) {
  struct hk_linear_inside *in = l->inside;
  assemble(b->sim, in->sys, x, l->lambda, l->axes, l->moving, in->M, in->L, in->K);
  if (l->sparse) return;
  expand(l, in->sys, in->M, l->M);
  expand(l, in->sys, in->L, l->L);
  expand(l, in->sys, in->K, l->K);
  expand_constraints(l, in->sys, in->M, l->G, in->load);
}

/* Largest change of the reduced matrices, over their size, when the motion has gone on for a while.
 */
static hk_status drift(hk_linear *l, hk_balance *b, double *x, double *out, hk_error *err) {
  int n = l->n, dof = l->dof;
  size_t square = (size_t)n * (size_t)n;
  double *A = malloc((3 * square + (size_t)l->nc * (size_t)n + 1) * sizeof *A);
  hk_status status = A ? HK_OK : hk_fail(err, HK_ENOMEM, "out of memory");
  if (!status) status = hk_balance_evaluate(b, x, err);
  if (!status) {
    struct hk_linear_inside *in = l->inside;
    double *scratch = A + square, *R = scratch + square, *G = R + square;
    double change = 0, size = 0;
    const double *now[3] = {l->Mr, l->Lr, l->Kr};
    double *value[3] = {in->M, in->L, in->K};
    assemble(b->sim, in->sys, x, b->lambda, l->axes, true, in->M, in->L, in->K);
    memset(G, 0, (size_t)l->nc * (size_t)n * sizeof *G);
    expand_constraints(l, in->sys, in->M, G, NULL);
    hk_dense_multiply(l->nc, dof, n, G, l->N, R);
    *out = hk_dense_max(R, (size_t)l->nc * (size_t)dof) /
           fmax(1e-300, hk_dense_max(G, (size_t)l->nc * (size_t)n));
    for (int k = 0; k < 3; k++) {
      expand(l, in->sys, value[k], A);
      hk_dense_project(n, dof, dof, in->NL, A, l->N, scratch, R);
      size = hk_dense_max(now[k], (size_t)dof * (size_t)dof);
      /* Small against what it is made of is zero. */
      size = fmax(size, 1e-9 * hk_dense_max(A, square));
      change = 0;
      for (int i = 0; i < dof * dof; i++) change = fmax(change, fabs(R[i] - now[k][i]));
      if (size > 0) *out = fmax(*out, change / size);
    }
  }
  free(A);
  return status;
}

/* A little later in the steady motion. */
static void later(const hk_model *m, const double *x, double *d, double *out) {
  double speed = 0, length = m->length;
  for (int i = 0; i < m->n_nodes; i++)
    for (int k = 0; k < m->node[i].nv; k++) {
      bool turn = k >= 3 || m->node[i].kind == HK_NODE_ROTOR;
      speed = fmax(speed, fabs(x[m->at.v + m->node[i].v + k]) / (turn ? 1 : length));
    }
  double dt = 0.7 / speed;
  memcpy(out, x, (size_t)m->at.size * sizeof *x);
  for (int i = 0; i < m->nv; i++) d[i] = dt * x[m->at.v + i];
  hk_configuration_add(m, x + m->at.q, d, out + m->at.q);
  out[m->at.t] += dt;
}

/* Axes in which the coefficients are constant. */
static hk_status linearise_moving(hk_linear *l, hk_balance *b, double rank_tol, hk_error *err) {
  const hk_model *m = l->model;
  static const hk_linear_axes choice[] = {HK_LINEAR_WORLD_AXES, HK_LINEAR_BODY_AXES};
  double *x = malloc(((size_t)m->at.size + 1) * sizeof *x), change = INFINITY;
  if (!x) return hk_fail(err, HK_ENOMEM, "out of memory");
  later(m, l->inside->x, b->a, x);
  hk_status status = HK_OK;
  for (int k = 0; k < 2 && !status; k++) {
    l->axes = choice[k];
    status = hk_balance_evaluate(b, l->inside->x, err); /* frames of the state itself */
    if (!status) fill(l, b, l->inside->x);
    if (status || l->sparse) break;
    status = reduce(l, rank_tol, err);
    if (!status) status = drift(l, b, x, &change, err);
    if (change <= 1e-6) break;
  }
  free(x);
  if (status || l->sparse) return status;
  if (!(change <= 1e-6))
    return hk_fail(err, HK_EINPUT,
                   "the motion is steady, but its linear equations change with time (by %.2g of "
                   "their size), neither constant in world axes nor in those of the bodies: a body "
                   "that spins is not symmetric about its axis, or what holds it turns with it",
                   change);
  /* drift() wrote the later matrices over the pattern's values. */
  status = hk_balance_evaluate(b, l->inside->x, err);
  if (!status) fill(l, b, l->inside->x);
  return status;
}

static hk_status linearise(hk_linear *l, hk_balance *b, const hk_linear_options *o, hk_diag *diag,
                           hk_error *err) {
  const hk_model *m = l->model;
  double rank_tol = o && o->rank_tol > 0 ? o->rank_tol : 1e-10;
  double tolerance = o && o->tolerance > 0 ? o->tolerance : l->moving ? 1e-6 : 1e-9;
  hk_status status = hk_balance_begin(b, l->inside->x, err);
  if (status) return status;
  l->residual = hk_balance_worst(b, b->r);
  if (l->residual.relative > tolerance)
    return refuse(&l->residual, l->moving ? "" : "; `hooke static` looks for an equilibrium", err);
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
  if (!status && l->moving) status = check_steady(l, b, tolerance, err);
  if (status) return status;
  if (l->moving && l->sparse && diag)
    hk_diag_add(
        diag, HK_WARNING, NULL,
        "the model is too large to check that its linear equations are constant: they are "
        "taken in world axes, which holds for bodies that are symmetric about the axis they "
        "spin about");
  if (l->moving) return linearise_moving(l, b, rank_tol, err);
  fill(l, b, l->inside->x);
  return l->sparse ? HK_OK : reduce(l, rank_tol, err);
}

hk_status hk_linear_create(hk_sim *sim, const hk_linear_options *o, hk_linear **out, hk_diag *diag,
                           hk_error *err) {
  const hk_model *m = sim->model;
  *out = NULL;
  hk_linear *l = calloc(1, sizeof *l);
  if (!l) return hk_fail(err, HK_ENOMEM, "out of memory");
  *l = (hk_linear){.model = m, .t = sim->x[m->at.t], .n = m->nv, .nc = m->nc};
  l->moving = hk_max_abs(sim->x + m->at.v, m->nv, NULL) > 0;
  l->sparse = m->nv > (o && o->dense_limit > 0 ? o->dense_limit : 600);
  hk_balance b = {0};
  hk_status status = allocate(l, sim, err);
  if (!status) {
    memcpy(l->inside->x, sim->x, (size_t)m->at.size * sizeof *sim->x);
    status = hk_balance_create(sim, &b, err);
  }
  if (!status) status = linearise(l, &b, o, diag, err);
  hk_balance_free(&b);
  sim->have_frames = false;
  if (status) {
    hk_linear_destroy(l);
    return status > 0 ? hk_fail(err, HK_EFAIL,
                                "the linear equations cannot be made here: the "
                                "constraints depend on each other in a way that "
                                "changes with the position")
                      : status;
  }
  *out = l;
  return HK_OK;
}
