/* Modes of rolling models: nonholonomic constraints, which restrict velocities but not positions.
 *
 * With the rows Gh that constrain positions and all rows G, displacements d = P z satisfy Gh P = 0, and velocities e
 * = d' satisfy
 *   Gh e = 0,   Gv e + B d = 0,   B = d(Gv v)/dq at constant velocities of the bodies,
 * so e = N u + S z with G N = 0 and Gh S = 0, Gv S = -B P.  There are more z than u, and
 *   z' = P^T (N u + S z)
 *   N^T M N u' = -N^T (L + M S P^T) (N u + S z) - N^T K P z.
 * These equations hold in world axes or at rest, where d' = e. B is computed by finite differences of fourth order. */
#include "analysis/deflate.h"
#include "analysis/dense_matrix.h"
#include "analysis/linearise.h"
#include <complex.h>
#include <stdlib.h>
#include <string.h>

typedef struct rolling {
  const hk_linear *l;
  int n, p, u; /* coordinates, free displacements, free velocities */
  double *P;   /* [n][p] */
  double *S;   /* [n][p] */
  double *V;   /* [n][p + u]: velocities e of the states (z, u) */
  double *A;   /* [p + u][p + u] */
  double *block;
} rolling;

static bool is_velocity_row(const hk_model *m, int row) {
  for (int k = 0; k < m->n_velocity_rows; k++)
    if (m->velocity_row[k] == row) return true;
  return false;
}

/* Computes P, the null space of the rows that constrain positions. */
static hk_status free_displacements(rolling *r, double *scratch, hk_error *err) {
  const hk_linear *l = r->l;
  int rows = 0;
  for (int i = 0; i < l->nc; i++)
    if (!is_velocity_row(l->model, i))
      memcpy(scratch + (size_t)rows++ * l->n, l->G + (size_t)i * l->n,
             (size_t)l->n * sizeof *scratch);
  hk_svd svd;
  hk_status status = hk_svd_make(scratch, rows, l->n, 1e-10, &svd, err);
  if (status) return status;
  r->p = l->n - svd.rank;
  hk_svd_null(&svd, r->P);
  hk_svd_free(&svd);
  return HK_OK;
}

/* Computes the rates of the velocity rows at the position displaced by factor times column j of P;
 * zero in the other rows. */
static void rates(const rolling *r, int j, double factor, double *d, double *q, double *out) {
  const hk_linear *l = r->l;
  const hk_model *m = l->model;
  const double *x = l->inside->x;
  hk_work *w = l->inside->sim->work;
  for (int i = 0; i < l->n; i++) d[i] = factor * r->P[(size_t)i * r->p + j];
  hk_instant in = hk_instant_at(m, x);
  hk_kinematics(w, &in, HK_FRAMES_MOVING);
  for (int i = 0; i < m->n_nodes && l->axes == HK_LINEAR_WORLD_AXES; i++) {
    if (m->node[i].turn < 0) continue;
    double *e = d + m->node[i].v + m->node[i].turn;
    hk_vec3 b = hk_tmul(&w->R[i], hk_v3(e[0], e[1], e[2]));
    e[0] = b.x, e[1] = b.y, e[2] = b.z;
  }
  hk_configuration_add(m, x + m->at.q, d, q);
  in.q = q;
  hk_kinematics(w, &in, HK_FRAMES_MOVING);
  hk_constraints(w, &in);
  for (int k = 0; k < m->n_velocity_rows; k++)
    out[m->velocity_row[k]] = hk_constraint_row_rate(w, m->velocity_row[k], x + m->at.v);
}

/* Computes S from B P, column by column. */
static hk_status free_rates(rolling *r, hk_error *err) {
  static const double at[4] = {-2, -1, 1, 2}, share[4] = {1, -8, 8, -1};
  const hk_linear *l = r->l;
  const hk_model *m = l->model;
  double step = 2e-3 * fmin(1, m->length);
  double *d = calloc((size_t)(l->n + m->nq + 2 * l->nc + l->n) + 1, sizeof *d);
  hk_svd svd = {0};
  hk_status status = d ? hk_svd_make(l->G, l->nc, l->n, 1e-10, &svd, err)
                       : hk_fail(err, HK_ENOMEM, "out of memory");
  if (!status) {
    double *q = d + l->n, *y = q + m->nq, *b = y + l->nc, *s = b + l->nc;
    for (int j = 0; j < r->p; j++) {
      memset(b, 0, (size_t)l->nc * sizeof *b);
      for (int k = 0; k < 4 && l->moving; k++) {
        rates(r, j, at[k] * step, d, q, y);
        for (int i = 0; i < m->n_velocity_rows; i++)
          b[m->velocity_row[i]] -= share[k] * y[m->velocity_row[i]] / (12 * step);
      }
      hk_svd_solve(&svd, b, s);
      for (int i = 0; i < l->n; i++) r->S[(size_t)i * r->p + j] = s[i];
    }
  }
  l->inside->sim->out.have_frames = false;
  hk_svd_free(&svd);
  free(d);
  return status;
}

/* Computes A from P, S and N; `w` is scratch memory of 3 n (p + u). */
static hk_status system_matrix(rolling *r, double *w, hk_error *err) {
  const hk_linear *l = r->l;
  int n = r->n, p = r->p, u = r->u, size = p + u;
  double *Z = w, *F = Z + (size_t)n * (size_t)size, *R = F + (size_t)n * (size_t)size;
  for (int i = 0; i < n; i++) {
    memcpy(r->V + (size_t)i * size, r->S + (size_t)i * p, (size_t)p * sizeof *r->V);
    memcpy(r->V + (size_t)i * size + p, l->N + (size_t)i * u, (size_t)u * sizeof *r->V);
  }
  /* Upper half: z' = P^T V. */
  hk_dense_multiply_transposed(n, p, size, r->P, r->V, r->A);
  /* Lower half of A: the forces L V + M S z' + K P z, projected. */
  hk_dense_multiply(n, size, p, r->S, r->A, Z);
  hk_dense_multiply(n, size, n, l->M, Z, F);
  hk_dense_multiply(n, size, n, l->L, r->V, Z);
  for (size_t i = 0; i < (size_t)n * (size_t)size; i++) F[i] += Z[i];
  hk_dense_multiply(n, p, n, l->K, r->P, Z);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < p; j++) F[(size_t)i * size + j] += Z[(size_t)i * p + j];
  hk_dense_multiply_transposed(n, u, size, l->N, F, R);
  for (size_t i = 0; i < (size_t)u * (size_t)size; i++) R[i] = -R[i];
  double *M = Z;
  memcpy(M, l->Mr, (size_t)u * (size_t)u * sizeof *M);
  hk_status status = hk_dense_solve(M, u, R, size, 1e-14, err);
  if (status == HK_RETRY)
    return hk_fail(err, HK_EINPUT,
                   "modes of a rolling model need mass in every free motion; give its massless "
                   "bodies a small mass");
  memcpy(r->A + (size_t)p * size, R, (size_t)u * (size_t)size * sizeof *R);
  return status;
}

static void put_shape(const rolling *r, const double *V, int size, int j, const double *im,
                      double *shape) {
  double complex z[r->p + 1], d[r->n + 1];
  hk_eigenvector_unpack(V, size, j, im, z, r->p);
  for (int i = 0; i < r->n; i++) {
    d[i] = 0;
    for (int k = 0; k < r->p; k++) d[i] += r->P[(size_t)i * r->p + k] * z[k];
  }
  hk_modes_put_shape(d, r->n, shape);
}

static hk_status eigen(rolling *r, bool shapes, hk_modes *out, hk_error *err) {
  int size = r->p + r->u;
  double *V = calloc((size_t)size * (size_t)size + 2 * (size_t)size + 1, sizeof *V), largest = 0;
  if (!V) return hk_fail(err, HK_ENOMEM, "out of memory");
  double *re = V + (size_t)size * (size_t)size, *im = re + size;
  int zeros = 0;
  hk_status status = hk_modes_allocate(out, size, shapes ? r->n : 0, err);
  /* B has the error of numerical differentiation, so values below 1e-10 count as zero. */
  if (!status) status = hk_deflated_eigen(r->A, NULL, size, 1e-10, re, im, V, &zeros, err);
  for (int j = 0; j < size && !status; j++) {
    hk_mode *mode = &out->mode[out->n++];
    mode->re = re[j];
    mode->im = im[j];
    largest = fmax(largest, hypot(re[j], im[j]));
    if (shapes) put_shape(r, V, size, j, im, (double *)mode->shape);
  }
  if (!status)
    hk_modes_finish(out, fmax(hk_modes_noise(size) * largest, hk_modes_state_zero(r->l, NULL)),
                    fmax(1e-11 * largest, hk_modes_state_noise(r->l)));
  free(V);
  return status;
}

hk_status hk_modes_rolling(const hk_linear *l, const hk_modes_options *o, hk_modes *out,
                           hk_error *err) {
  if (l->sparse)
    return hk_fail(err, HK_EINPUT,
                   "modes of a rolling model need the dense method, but it has %d coordinates",
                   l->n);
  if (l->moving && l->axes != HK_LINEAR_WORLD_AXES)
    return hk_fail(err, HK_EINPUT, "a rolling model must be in steady motion in world axes");
  size_t n = (size_t)l->n, size = 2 * n;
  rolling r = {.l = l, .n = l->n, .u = l->dof};
  r.block = calloc(2 * n * n + n * size + size * size + 3 * n * size + (size_t)l->nc * n + 1,
                   sizeof *r.block);
  if (!r.block) return hk_fail(err, HK_ENOMEM, "out of memory");
  r.P = r.block, r.S = r.P + n * n, r.V = r.S + n * n, r.A = r.V + n * size;
  double *scratch = r.A + size * size;
  hk_status status = free_displacements(&r, scratch, err);
  if (!status) status = free_rates(&r, err);
  if (!status) status = system_matrix(&r, scratch, err);
  if (!status) status = eigen(&r, !o || !o->values_only, out, err);
  out->complete = true;
  out->method = "dense";
  free(r.block);
  return status;
}
