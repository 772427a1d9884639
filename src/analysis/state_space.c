/* State space of a linear model.
 *
 * With d = N z + P u, where u are the values of the motions and P contains the displacements per unit of these values,
 *   N^T M N z'' + N^T L N z' + N^T K N z = N^T (b f - K P u - L P u' - M P u'').
 * The states are (z1, z1', u, u') and the inputs (f, u''), so that nothing has to be differentiated.  Massless
 * directions z0 follow statically:
 *   K00 z0 = -K01 z1 + b0 f - k0 u - l0 u',   z0 = -X z1 + F f + U u + V u'.
 * If all of them are damped, as differential states are, they are states of first order after (z1, z1'):
 *   L00 z0' = -L01 z1' - K01 z1 - K00 z0 + b0 f - k0 u - l0 u' - m0 u''. */
#include "analysis/dense_matrix.h"
#include "base/required.h"
#include "analysis/linearise.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct builder {
  const hk_linear *l;
  hk_reduced r;
  hk_state_space *s;
  int forces, motions, columns; /* columns = forces + 3 motions: f, u, u', u'' */
  double *P;                    /* [motions][n] */
  double *W;                    /* [n1][columns] effect on z1'' */
  /* [n0][columns] effect of the inputs on z0 (F, U, V, 0) or, for states of first order, on z0' */
  double *Y;
  int first; /* n0 if z0 are states of first order, otherwise 0 */
  double *Z; /* [n0][2 n1 + n0] for states of first order: L00^-1 (K01, L01, K00) */
  double *w; /* scratch 3 n + 3 dof + forces */
  double *block;
} builder;

void hk_state_space_free(hk_state_space *s) {
  if (!s) return;
  free(s->A);
  free(s->output);
  *s = (hk_state_space){0};
}

int hk_state_space_input_name(const hk_linear *l, const hk_state_space *s, int i, char *buf,
                              size_t size) {
  if (!l) return 0;
  char name[300];
  int forces = s->inputs - s->motions;
  if (i < forces) return hk_linear_input_name(l, i, buf, size);
  hk_linear_motion_name(l, i - forces, name, sizeof name);
  return snprintf(buf, size, "%s.acceleration", name);
}

int hk_state_space_state_name(const hk_linear *l, const hk_state_space *s, int i, char *buf,
                              size_t size) {
  if (!l) return 0;
  char name[300];
  int first = s->first_order, free = (s->n - first) / 2 - s->motions, at = i - 2 * free - first;
  if (at < 0 && at >= -first) return snprintf(buf, size, "y%d", at + first + 1);
  if (at < 0) snprintf(name, sizeof name, "z%d", i % free + 1);
  if (at >= 0) hk_linear_motion_name(l, at % s->motions, name, sizeof name);
  bool rate = at < 0 ? i >= free : at >= s->motions;
  return snprintf(buf, size, "%s%s", name, rate ? ".rate" : "");
}

static bool is_default_output(const hk_model *m, int channel) {
  const hk_channel *k = &m->channel[channel];
  if (k->owner == HK_OF_SENSOR) return !k->needs;
  return k->owner == HK_OF_COORDINATE && k->component == HK_COORDINATE_VALUE;
}

static hk_status allocate(builder *b, const int *channel, int n_channels, hk_error *err) {
  const hk_model *m = b->l->model;
  hk_state_space *s = b->s;
  int count = n_channels;
  for (int i = 0; i < m->n_channels && n_channels == 0; i++) count += is_default_output(m, i);
  *s = (hk_state_space){.n = 2 * (b->r.n1 + b->motions) + b->first,
                        .first_order = b->first,
                        .inputs = b->forces + b->motions,
                        .outputs = count,
                        .motions = b->motions};
  size_t n = (size_t)s->n, p = (size_t)s->inputs, q = (size_t)s->outputs;
  size_t nv = (size_t)b->l->n, dof = (size_t)b->l->dof, columns = (size_t)b->columns;
  s->A = calloc(n * n + n * p + q * n + q * p + 1, sizeof *s->A);
  s->output = calloc(q + 1, sizeof *s->output);
  b->block = calloc(
      (size_t)b->motions * nv + dof * columns + 3 * nv + 3 * dof + columns + 2 * dof * dof + 1,
      sizeof *b->block);
  if (!s->A || !s->output || !b->block) return hk_fail(err, HK_ENOMEM, "out of memory");
  s->B = s->A + n * n, s->C = s->B + n * p, s->D = s->C + q * n;
  b->P = b->block, b->W = b->P + (size_t)b->motions * nv;
  b->Y = b->W + (size_t)b->r.n1 * columns, b->w = b->Y + (size_t)b->r.n0 * columns;
  b->Z = b->w + 3 * nv + 3 * dof + columns;
  for (int i = 0, k = 0; i < m->n_channels && n_channels == 0; i++)
    if (is_default_output(m, i)) s->output[k++] = i;
  if (n_channels) memcpy(s->output, channel, q * sizeof *channel);
  return HK_OK;
}

/* Multiplies a column of forces on the free motions by M1^-1. */
static void solve_mass(const hk_reduced *r, double *column, int stride) {
  int n = r->n1;
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < i; k++) column[i * stride] -= r->C[(size_t)i * n + k] * column[k * stride];
    column[i * stride] /= r->C[(size_t)i * n + i];
  }
  for (int i = n - 1; i >= 0; i--) {
    for (int k = i + 1; k < n; k++)
      column[i * stride] -= r->C[(size_t)k * n + i] * column[k * stride];
    column[i * stride] /= r->C[(size_t)i * n + i];
  }
}

/* Computes row [dof] = c N, and from it r1 = row Q1 and r0 = row Q0. */
static void reduce_row(const builder *b, const double *basis, const double *c, double *row,
                       double *r1, double *r0) {
  const hk_reduced *r = &b->r;
  hk_dense_multiply(1, b->l->dof, b->l->n, c, basis, row);
  hk_dense_multiply(1, r->n1, r->n, row, r->Q1, r1);
  hk_dense_multiply(1, r->n0, r->n, row, r->Q0, r0);
}

/* Sets a generalised force [n] as column j. */
static void put_force(builder *b, const double *force, int j) {
  double *row = b->w + 2 * (size_t)b->l->n, *r1 = row + b->l->dof, *r0 = r1 + b->r.n1;
  reduce_row(b, b->l->inside->NL, force, row, r1, r0);
  for (int i = 0; i < b->r.n1; i++) b->W[(size_t)i * b->columns + j] = r1[i];
  for (int i = 0; i < b->r.n0; i++) b->Y[(size_t)i * b->columns + j] = r0[i];
}

static hk_status fill_columns(builder *b, hk_error *err) {
  const hk_linear *l = b->l;
  const double *part[3] = {l->K, l->L, l->M};
  double *force = b->w;
  hk_svd svd = {0};
  hk_status status = HK_OK;
  for (int j = 0; j < b->forces && !status; j++) {
    status = hk_linear_check_port(l, j, -1, err);
    if (!status) status = hk_linear_input(l, j, force);
    put_force(b, force, j);
  }
  if (b->motions && !status) status = hk_svd_make(l->G, l->nc, l->n, 1e-10, &svd, err);
  for (int i = 0; i < b->motions && !status; i++) {
    double *p = b->P + (size_t)i * l->n;
    status = hk_linear_motion(l, &svd, i, p, err);
    for (int k = 0; k < 3 && !status; k++) {
      hk_dense_multiply(l->n, 1, l->n, part[k], p, force);
      for (int c = 0; c < l->n; c++) force[c] = -force[c];
      put_force(b, force, b->forces + k * b->motions + i);
    }
  }
  hk_svd_free(&svd);
  return status;
}

/* X = L00^-1 X, X [n0][columns]. */
static hk_status solve_damping(const hk_reduced *r, double *X, int columns, hk_error *err) {
  size_t square = (size_t)r->n0 * (size_t)r->n0;
  double *L = malloc((square + 1) * sizeof *L);
  if (!L) return hk_fail(err, HK_ENOMEM, "out of memory");
  memcpy(L, r->L00, square * sizeof *L);
  hk_status status = hk_dense_solve(L, r->n0, X, columns, 1e-13, err);
  free(L);
  return status;
}

/* Eliminates the states of first order from W and from the matrices of z1, using z0' from Y and Z. */
static hk_status solve_first(builder *b, hk_error *err) {
  const hk_reduced *r = &b->r;
  int n1 = r->n1, n0 = r->n0, columns = b->columns, wide = 2 * n1 + n0;
  for (int i = 0; i < n0; i++) {
    double *z = b->Z + (size_t)i * wide;
    memcpy(z, r->K01 + (size_t)i * n1, (size_t)n1 * sizeof *z);
    memcpy(z + n1, r->L01 + (size_t)i * n1, (size_t)n1 * sizeof *z);
    memcpy(z + 2 * n1, r->K00 + (size_t)i * n0, (size_t)n0 * sizeof *z);
  }
  hk_status status = solve_damping(r, b->Z, wide, err);
  if (!status) status = solve_damping(r, b->Y, columns, err);
  for (int i = 0; i < n1 && !status; i++)
    for (int k = 0; k < n0; k++) {
      double l = r->L10[(size_t)i * n0 + k];
      const double *z = b->Z + (size_t)k * wide, *y = b->Y + (size_t)k * columns;
      for (int j = 0; j < n1; j++) {
        r->K11[(size_t)i * n1 + j] -= l * z[j];
        r->L11[(size_t)i * n1 + j] -= l * z[n1 + j];
      }
      for (int j = 0; j < n0; j++) r->K10[(size_t)i * n0 + j] -= l * z[2 * n1 + j];
      for (int j = 0; j < columns; j++) b->W[(size_t)i * columns + j] -= l * y[j];
    }
  return status;
}

/* Eliminates massless directions from W and multiplies by M1^-1. */
static hk_status solve_columns(builder *b, hk_error *err) {
  const hk_reduced *r = &b->r;
  int n1 = r->n1, n0 = r->n0, columns = b->columns;
  if (b->first) {
    hk_status status = solve_first(b, err);
    if (status) return status;
  } else if (n0) {
    double *K = malloc((size_t)n0 * (size_t)n0 * sizeof *K);
    if (!K) return hk_fail(err, HK_ENOMEM, "out of memory");
    memcpy(K, r->K00, (size_t)n0 * (size_t)n0 * sizeof *K);
    hk_status status = hk_dense_solve(K, n0, b->Y, columns, 1e-15, err);
    free(K);
    if (status) return status;
    for (int i = 0; i < n1; i++)
      for (int j = 0; j < columns; j++)
        for (int k = 0; k < n0; k++)
          b->W[(size_t)i * columns + j] -=
              r->K10[(size_t)i * n0 + k] * b->Y[(size_t)k * columns + j];
  }
  for (int j = 0; j < columns; j++) solve_mass(r, b->W + j, columns);
  return HK_OK;
}

static void fill_states(builder *b) {
  const hk_reduced *r = &b->r;
  hk_state_space *s = b->s;
  int n1 = r->n1, n = s->n, p = s->inputs, f = b->forces, q = b->motions;
  for (int i = 0; i < n1; i++) {
    s->A[(size_t)i * n + n1 + i] = 1;
    for (int j = 0; j < n1; j++) {
      s->A[(size_t)(n1 + i) * n + j] = -r->K11[(size_t)i * n1 + j];
      s->A[(size_t)(n1 + i) * n + n1 + j] = -r->L11[(size_t)i * n1 + j];
    }
  }
  for (int i = 0; i < n1; i++)
    for (int j = 0; j < b->first; j++)
      s->A[(size_t)(n1 + i) * n + 2 * n1 + j] = -r->K10[(size_t)i * b->first + j];
  for (int i = 0; i < b->first; i++)
    for (int j = 0; j < 2 * n1 + b->first; j++)
      s->A[(size_t)(2 * n1 + i) * n + j] = -b->Z[(size_t)i * (2 * n1 + b->first) + j];
  int motion = 2 * n1 + b->first;
  for (int j = 0; j < motion; j++) solve_mass(r, s->A + (size_t)n1 * n + j, n);
  for (int i = 0; i < n1 + b->first; i++) { /* z1'', then z0' */
    const double *w = i < n1 ? b->W + (size_t)i * b->columns : b->Y + (size_t)(i - n1) * b->columns;
    double *A = s->A + (size_t)(n1 + i) * n + motion, *B = s->B + (size_t)(n1 + i) * p;
    memcpy(A, w + f, 2 * (size_t)q * sizeof *A);
    memcpy(B, w, (size_t)f * sizeof *B);
    memcpy(B + f, w + f + 2 * q, (size_t)q * sizeof *B);
  }
  for (int i = 0; i < q; i++) {
    s->A[(size_t)(motion + i) * n + motion + q + i] = 1;
    s->B[(size_t)(motion + q + i) * p + f + i] = 1;
  }
}

/* Contribution of the states of first order to an output, c0 z0 or c0 z0'. */
static void add_first(const builder *b, const double *c0, bool rate, double *C, double *D) {
  const hk_state_space *s = b->s;
  int at = 2 * b->r.n1;
  for (int a = 0; a < b->first; a++) {
    if (!rate) C[at + a] += c0[a];
    for (int j = 0; j < s->n && rate; j++) C[j] += c0[a] * s->A[(size_t)(at + a) * s->n + j];
    for (int j = 0; j < s->inputs && rate; j++)
      D[j] += c0[a] * s->B[(size_t)(at + a) * s->inputs + j];
  }
}

static double dot(const double *a, const double *b, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += a[i] * b[i];
  return sum;
}

/* c0 . column j of Y */
static double follow(const builder *b, const double *c0, int j) {
  double sum = 0;
  for (int k = 0; k < b->r.n0 && !b->first; k++) sum += c0[k] * b->Y[(size_t)k * b->columns + j];
  return sum;
}

/* The rate of a massless body jumps with a force on it, which a state space model cannot represent. */
static hk_status check_rate(const builder *b, int output, const double *c0, hk_error *err) {
  double most = hk_dense_max(c0, (size_t)b->r.n0);
  for (int j = 0; j < b->forces; j++) {
    double size = 0;
    for (int k = 0; k < b->r.n0; k++) size = fmax(size, fabs(b->Y[(size_t)k * b->columns + j]));
    if (!(fabs(follow(b, c0, j)) > 1e-12 * most * size)) continue;
    char name[300];
    hk_linear_input_name(b->l, j, name, sizeof name);
    return hk_fail(err, HK_EINPUT,
                   "output '%s' depends on the rate of input '%s', which acts on a body without "
                   "mass; a state space model cannot represent this: give the body a small mass",
                   hk_model_channel_name(b->l->model, output), name);
  }
  return HK_OK;
}

static hk_status fill_output(builder *b, int i, hk_error *err) {
  const hk_linear *l = b->l;
  hk_state_space *s = b->s;
  int n1 = b->r.n1, n0 = b->r.n0, f = b->forces, q = b->motions;
  double *cd = b->w, *cv = cd + l->n, *row = cv + l->n, *c1 = row + l->dof, *c0 = c1 + n1;
  double *C = s->C + (size_t)i * s->n, *D = s->D + (size_t)i * s->inputs;
  hk_status status = hk_linear_check_port(l, -1, s->output[i], err);
  if (!status) status = hk_linear_output(l, s->output[i], cd, cv, err);
  for (int half = 0; half < 2 && !status; half++) {
    reduce_row(b, l->N, half ? cv : cd, row, c1, c0);
    for (int k = 0; k < n1; k++) {
      C[half * n1 + k] = c1[k];
      for (int a = 0; a < n0; a++) C[half * n1 + k] -= c0[a] * b->r.X[(size_t)a * n1 + k];
    }
    double *U = C + 2 * n1 + b->first + half * q; /* columns of u, then those of u' */
    for (int k = 0; k < q; k++) {
      const double *p = b->P + (size_t)k * l->n;
      U[k] += dot(half ? cv : cd, p, l->n) + follow(b, c0, f + k);
      if (half)
        D[f + k] += follow(b, c0, f + q + k);
      else
        U[q + k] += follow(b, c0, f + q + k);
    }
    for (int k = 0; k < f && !half; k++) D[k] += follow(b, c0, k);
    if (b->first) add_first(b, c0, half, C, D);
    if (half && !b->first) status = check_rate(b, s->output[i], c0, err);
  }
  if (!status) status = hk_linear_feed(l, s->output[i], b->w);
  for (int k = 0; k < l->model->n_own_inputs && !status; k++) D[k] += b->w[k];
  return status;
}

static hk_status check(builder *b, hk_error *err) {
  size_t square = (size_t)b->r.n0 * (size_t)b->r.n0;
  b->first = b->r.n0 && !b->r.condensed ? b->r.n0 : 0;
  double *probe = calloc(square + 1, sizeof *probe);
  if (!probe) return hk_fail(err, HK_ENOMEM, "out of memory");
  hk_status status = b->first ? solve_damping(&b->r, probe, b->r.n0, err) : HK_OK;
  free(probe);
  if (status < 0) return status;
  if (status)
    return hk_fail(err, HK_EINPUT,
                   "some massless motions are damped and others are not, which this state space "
                   "form does not support; give the bodies a small mass");
  if (b->r.left_scaled)
    return hk_fail(err, HK_EINPUT,
                   "friction depends on the reactions at this state, which this state space form "
                   "does not support");
  return HK_OK;
}

hk_status hk_linear_state_space(const hk_linear *l, const int *channel, int n_channels,
                                hk_state_space *out, hk_error *err) {
  HK_REQUIRE(out && (channel || n_channels <= 0), err);
  *out = (hk_state_space){0};
  if (!l) return hk_fail(err, HK_EINPUT, "the linear model is NULL");
  if (l->model->n_velocity_rows)
    return hk_fail(err, HK_EINPUT,
                   "a rolling model has more free displacements than free velocities, which this "
                   "state space form does not support");
  builder b = {
      .l = l, .s = out, .forces = hk_linear_input_count(l), .motions = hk_linear_motion_count(l)};
  b.columns = b.forces + 3 * b.motions;
  hk_status status = hk_reduced_make(l, &b.r, err);
  if (status) return status;
  status = check(&b, err);
  if (!status) status = allocate(&b, channel, n_channels, err);
  if (!status) status = fill_columns(&b, err);
  if (!status) status = solve_columns(&b, err);
  if (!status) fill_states(&b);
  for (int i = 0; i < out->outputs && !status; i++) status = fill_output(&b, i, err);
  if (status > 0)
    status = hk_fail(err, HK_EFAIL,
                     "the stiffness that holds the massless bodies is too small; give them mass");
  if (status) hk_state_space_free(out);
  free(b.block);
  hk_reduced_free(&b.r);
  return status;
}
