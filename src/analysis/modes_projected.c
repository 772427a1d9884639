/* Modes of large models with few free motions.
 *
 * One sparse factorisation gives a basis N of the free motions: random displacements y are projected onto the
 * constraints by
 *   [ 1  G^T ] [ x ]   [ y ]
 *   [ G  0   ] [ l ] = [ 0 ]
 * and orthonormalised.  The remaining matrices N^T M N etc. are small and solved by the dense method, which handles
 * free motions and massless bodies.  Shift and invert would need a basis of the whole space, and would lose digits
 * far from the shift. */
#include "analysis/dense_matrix.h"
#include "analysis/linearise.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Maximum number of entries of N: 32 MB; shapes take several times that. */
static const double MOST = 4e6;

bool hk_linear_is_ideal(const hk_linear *l) {
  const hk_block_pattern *p = l->inside->sys->pattern;
  int nodes = l->model->n_nodes;
  for (int i = nodes; i < p->nb; i++)
    for (int e = p->row_start[i]; e < p->row_start[i + 1] && p->column[e] < nodes; e++) {
      int j = p->column[e], rows = p->size[i], columns = p->size[j];
      const double *G = l->inside->M + p->value_start[e];
      const double *load = l->inside->M + p->value_start[hk_block_pattern_find(p, j, i)];
      for (int r = 0; r < rows; r++)
        for (int c = 0; c < columns; c++)
          if (fabs(G[r * columns + c] - load[c * rows + r]) > 0) return false;
    }
  return true;
}

bool hk_modes_can_project(const hk_linear *l, const hk_modes_options *o) {
  int limit = o && o->project_limit ? o->project_limit : 300;
  /* If most of the eigenvalues are requested, computing all of them costs no more. */
  if (limit > 0 && o && o->count >= l->dof / 2 && l->dof <= 1500) limit = l->dof;
  return l->dof <= limit && (double)l->n * l->dof <= MOST && hk_linear_is_ideal(l);
}

static hk_status factor(const hk_linear *l, hk_error *err) {
  hk_system *sys = l->inside->sys;
  const hk_block_pattern *p = sys->pattern;
  double *A = sys->matrix->value;
  memcpy(A, l->inside->M, sys->matrix->n_value * sizeof *A);
  for (int i = 0; i < l->model->n_nodes; i++)
    for (int e = p->row_start[i]; e < p->row_start[i + 1] && p->column[e] < l->model->n_nodes; e++)
      for (int r = 0; r < p->size[i]; r++)
        for (int c = 0; c < p->size[p->column[e]]; c++)
          A[p->value_start[e] + (size_t)(r * p->size[p->column[e]] + c)] =
              i == p->column[e] && r == c;
  hk_status status = hk_linear_solver_factor(sys->solver, sys->matrix);
  return status ? hk_fail(err, status < 0 ? status : HK_EFAIL, "the constraints are dependent")
                : HK_OK;
}

/* Projects every column of N [n][dof] onto the constraints; y [sys->n] is scratch memory. */
static void project(const hk_linear *l, double *N, double *y) {
  hk_system *sys = l->inside->sys;
  for (int j = 0; j < l->dof; j++) {
    memset(y, 0, (size_t)sys->n * sizeof *y);
    for (int i = 0; i < l->n; i++) y[i] = N[(size_t)i * l->dof + j];
    hk_linear_solver_solve(sys->solver, y);
    for (int i = 0; i < l->n; i++) N[(size_t)i * l->dof + j] = y[i];
  }
}

static hk_status free_motions(const hk_linear *l, double *N, hk_error *err) {
  double *y = calloc((size_t)l->inside->sys->n + 1, sizeof *y);
  hk_status status = y ? factor(l, err) : hk_fail(err, HK_ENOMEM, "out of memory");
  uint64_t random = 88172645463325252u; /* xorshift [Marsaglia 2003] */
  for (size_t i = 0; i < (size_t)l->n * (size_t)l->dof; i++) {
    random ^= random << 13, random ^= random >> 7, random ^= random << 17;
    N[i] = (double)(random >> 11) * 0x1p-53 - 0.5;
  }
  /* The projection is made twice: orthonormalisation amplifies components that violate the constraints, and the second
   * pass removes these. */
  for (int round = 0; round < 2 && !status; round++) {
    project(l, N, y);
    status = hk_dense_orthonormal(N, l->n, l->dof, err);
  }
  if (!status) hk_dense_echelon(N, l->n, l->dof);
  free(y);
  return status;
}

/* R [dof][dof] = N^T A N with A in the pattern; AN [n][dof] and x, y [n] are scratch memory. */
static void reduce(const hk_linear *l, const double *A, const double *N, double *AN, double *x,
                   double *y, double *R) {
  int n = l->n, dof = l->dof;
  for (int j = 0; j < dof; j++) {
    for (int i = 0; i < n; i++) x[i] = N[(size_t)i * dof + j];
    hk_linear_multiply(l, A, x, y);
    for (int i = 0; i < n; i++) AN[(size_t)i * dof + j] = y[i];
  }
  hk_dense_multiply_transposed(n, dof, dof, N, AN, R);
}

hk_status hk_modes_projected(const hk_linear *l, const hk_modes_options *o, hk_modes *out,
                             hk_error *err) {
  size_t n = (size_t)l->n, dof = (size_t)l->dof;
  struct hk_linear_inside inside = *l->inside;
  hk_linear view = *l;
  double *N = calloc(2 * n * dof + 3 * dof * dof + 2 * n + 1, sizeof *N);
  if (!N) return hk_fail(err, HK_ENOMEM, "out of memory for %d free motions", l->dof);
  double *AN = N + n * dof, *x = AN + n * dof, *y = x + n;
  view.sparse = false;
  view.inside = &inside;
  view.N = inside.NL = N;
  view.Mr = y + n, view.Lr = view.Mr + dof * dof, view.Kr = view.Lr + dof * dof;
  hk_status status = free_motions(l, N, err);
  if (!status) {
    reduce(l, inside.M, N, AN, x, y, view.Mr);
    reduce(l, inside.L, N, AN, x, y, view.Lr);
    reduce(l, inside.K, N, AN, x, y, view.Kr);
    status = hk_modes_dense(&view, o, out, err);
    out->method = "projected";
  }
  free(N);
  return status;
}
