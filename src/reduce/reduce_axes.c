/* Mean-axis modes: see reduce.h.
 *
 * M and K are the matrices in the coordinates q of the basis, and R are the rigid motions in
 * these coordinates. With M = L L^T and y = L^T q, an orthonormal basis Q of all y that are
 * orthogonal to L^T R gives the modes as eigenvectors of Q^T L^-1 K L^-T Q. */
#include "reduce/reduce_private.h"
#include "lapack/lapack.h"
#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static hk_status no_memory(hk_error *err) { return hk_fail(err, HK_ENOMEM, "out of memory"); }

/* The reduced problem with only some of the fixed modes. It has n coordinates: first n_boundary, then the fixed
 * modes. */
typedef struct problem {
  int n;
  double *M, *K, *R; /* [n][n], [n][n], [n][6] by columns */
} problem;

static void free_problem(problem *p) {
  free(p->M);
  free(p->K);
  free(p->R);
}

/* Basis vector k; boundary modes are first. */
static const double *basis(const hk_reduction *r, int k) {
  return k < r->n_boundary ? r->boundary + (size_t)k * r->length
                           : r->fixed + (size_t)(k - r->n_boundary) * r->length;
}

static hk_status make_problem(const hk_reduction *r, problem *p, hk_error *err) {
  size_t nb = (size_t)r->n_boundary, n = nb + (size_t)r->n_fixed;
  *p = (problem){.n = (int)n};
  p->M = calloc(n * n, sizeof *p->M), p->K = calloc(n * n, sizeof *p->K),
  p->R = calloc(6 * n, sizeof *p->R);
  double *moved = malloc(sizeof *moved * r->length);
  if (!p->M || !p->K || !p->R || !moved) {
    free(moved);
    return no_memory(err);
  }
  for (size_t k = 0; k < n; k++) {
    hk_nodal_mass_times(r->t->A, basis(r, (int)k), 1, moved);
    double *column = p->M + k * n;
    cblas_dgemv(CblasColMajor, CblasTrans, (int)r->length, (int)nb, 1, r->boundary, (int)r->length,
                moved, 1, 0, column, 1);
    if (r->n_fixed)
      cblas_dgemv(CblasColMajor, CblasTrans, (int)r->length, r->n_fixed, 1, r->fixed,
                  (int)r->length, moved, 1, 0, column + nb, 1);
  }
  free(moved);
  for (size_t c = 0; c < n; c++)
    for (size_t i = 0; i < c; i++)
      p->M[c * n + i] = p->M[i * n + c] = 0.5 * (p->M[c * n + i] + p->M[i * n + c]);
  for (size_t c = 0; c < nb; c++)
    for (size_t i = 0; i < nb; i++) p->K[c * n + i] = 0.5 * (r->K[c * nb + i] + r->K[i * nb + c]);
  for (size_t k = nb; k < n; k++) p->K[k * n + k] = r->fixed_w2[k - nb];
  for (int j = 0; j < 6; j++)
    for (int b = 0; b < r->t->n_interfaces; b++) {
      double *motion = p->R + (size_t)j * n + 6 * (size_t)b;
      hk_part_rigid_motion(j, r->center, r->t->interface[b].center, motion);
      if (j >= 3) motion[j] = 1;
    }
  return HK_OK;
}

/* Keeps only the first `fixed` of the fixed modes. */
static hk_status shorten(const problem *from, int n, problem *to, hk_error *err) {
  size_t size = (size_t)n, all = (size_t)from->n;
  *to = (problem){.n = n};
  to->M = malloc(sizeof *to->M * size * size), to->K = malloc(sizeof *to->K * size * size);
  to->R = malloc(sizeof *to->R * size * 6);
  if (!to->M || !to->K || !to->R) return no_memory(err);
  for (size_t c = 0; c < size; c++) {
    memcpy(to->M + c * size, from->M + c * all, sizeof *to->M * size);
    memcpy(to->K + c * size, from->K + c * all, sizeof *to->K * size);
    if (c < 6) memcpy(to->R + c * size, from->R + c * all, sizeof *to->R * size);
  }
  return HK_OK;
}

/* Computes the deformable modes: w2[n - 6], q[n - 6][n]. M is overwritten by its Cholesky factor, and K by scratch
 * values. */
static hk_status solve(problem *p, double *w2, double *q, hk_error *err) {
  int n = p->n, m = n - 6;
  double *Q = calloc((size_t)n * (size_t)n, sizeof *Q), *tau = malloc(sizeof *tau * 6), *y = p->R;
  double *work = malloc(sizeof *work * (size_t)n * (size_t)n);
  hk_status status = Q && tau && work ? HK_OK : no_memory(err);
  int info = 0;
  if (!status && (info = LAPACKE_dpotrf(LAPACK_COL_MAJOR, 'L', n, p->M, n)) > 0)
    status = hk_fail(err, HK_EINPUT,
                     "the reduced mass is not positive definite: the interfaces cannot move "
                     "independently of each other, or --modes is larger than the number of modes "
                     "of the part; remove an interface or reduce --modes");
  else if (!status && info)
    status = hk_lapack_fail(info, "the reduced mass of a part", err);
  if (!status) {
    cblas_dtrmm(CblasColMajor, CblasLeft, CblasLower, CblasTrans, CblasNonUnit, n, 6, 1, p->M, n, y,
                n);
    if ((info = LAPACKE_dgeqrf(LAPACK_COL_MAJOR, n, 6, y, n, tau)))
      status = hk_lapack_fail(info, "rigid motions", err);
  }
  if (!status) {
    for (int k = 0; k < m; k++) Q[(size_t)k * (size_t)n + (size_t)(6 + k)] = 1;
    info = LAPACKE_dormqr(LAPACK_COL_MAJOR, 'L', 'N', n, m, 6, y, n, tau, Q, n);
    if (info) status = hk_lapack_fail(info, "rigid motions", err);
  }
  if (!status) {
    cblas_dtrsm(CblasColMajor, CblasLeft, CblasLower, CblasTrans, CblasNonUnit, n, m, 1, p->M, n, Q,
                n);
    cblas_dsymm(CblasColMajor, CblasLeft, CblasLower, n, m, 1, p->K, n, Q, n, 0, work, n);
    cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, m, m, n, 1, Q, n, work, n, 0, p->K, m);
    info = LAPACKE_dsyev(LAPACK_COL_MAJOR, 'V', 'L', m, p->K, m, w2);
    if (info) status = hk_lapack_fail(info, "the modes of a part", err);
  }
  if (!status)
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, n, m, m, 1, Q, n, p->K, m, 0, q, n);
  free(Q);
  free(tau);
  free(work);
  return status;
}

/* The six lowest frequencies of the free body, including its rigid motions; all six should be zero. */
static hk_status check_rigid(const problem *given, hk_reduce_report *report, hk_error *err) {
  problem p;
  hk_status status = shorten(given, given->n, &p, err);
  double *w2 = malloc(sizeof *w2 * (size_t)given->n);
  if (!status && !w2) status = no_memory(err);
  if (!status) {
    int info = LAPACKE_dsygv(LAPACK_COL_MAJOR, 1, 'N', 'L', p.n, p.K, p.n, p.M, p.n, w2);
    for (int k = 0; k < 6 && !info; k++) report->rigid_hz[k] = sqrt(fabs(w2[k])) / (2 * M_PI);
    double first = info ? 0 : sqrt(fabs(w2[6])) / (2 * M_PI);
    for (int k = 0; k < 6 && !info; k++)
      if (report->rigid_hz[k] > 1e-2 * first)
        status = hk_fail(err, HK_EFAIL,
                         "a rigid motion of the reduced part has %.3g Hz, not zero (first elastic "
                         "mode %.4g Hz); the matrices "
                         "have too few digits, or the part has a support",
                         report->rigid_hz[k], first);
  }
  free(w2);
  free_problem(&p);
  return status;
}

/* Free frequencies when half of the fixed modes are omitted. */
static hk_status compare_half(const problem *given, const hk_reduction *r, hk_reduce_report *report,
                              hk_error *err) {
  int n = r->n_boundary + r->n_fixed / 2;
  report->n_free = r->m;
  report->half_hz = HK_NEW_ARRAY(r->arena, double, r->m + 1);
  if (!report->half_hz) return no_memory(err);
  for (int k = 0; k < r->m; k++) report->half_hz[k] = NAN;
  if (n <= 6) return HK_OK;
  problem p;
  hk_status status = shorten(given, n, &p, err);
  double *w2 = malloc(sizeof *w2 * (size_t)n), *q = malloc(sizeof *q * (size_t)n * (size_t)n);
  if (!status && (!w2 || !q)) status = no_memory(err);
  if (!status) status = solve(&p, w2, q, err);
  for (int k = 0; k < n - 6 && !status; k++) report->half_hz[k] = sqrt(fmax(0, w2[k])) / (2 * M_PI);
  free(w2);
  free(q);
  free_problem(&p);
  return status;
}

/* Computes the displacements of the modes, part by part; then removes the remaining component of the rigid motions. */
static void expand(hk_reduction *r, const double *q) {
  int n = r->n_boundary + r->n_fixed, length = (int)r->length;
  cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, length, r->m, r->n_boundary, 1,
              r->boundary, length, q, n, 0, r->mode, length);
  if (r->n_fixed)
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, length, r->m, r->n_fixed, 1, r->fixed,
                length, q + r->n_boundary, n, 1, r->mode, length);
}

static hk_status remove_rigid(hk_reduction *r, hk_reduce_report *report, hk_error *err) {
  double *moved = malloc(sizeof *moved * 6 * r->length), N[36], c[6];
  if (!moved) return no_memory(err);
  int length = (int)r->length, pivot[6];
  hk_nodal_mass_times(r->t->A, r->rigid, 6, moved);
  cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, 6, 6, length, 1, r->rigid, length, moved,
              length, 0, N, 6);
  double scale[6];
  for (int j = 0; j < 6; j++) scale[j] = sqrt(N[7 * j]);
  LAPACKE_dgetrf(LAPACK_COL_MAJOR, 6, 6, N, 6, pivot);
  for (int k = 0; k < r->m; k++) {
    double *u = r->mode + (size_t)k * r->length;
    cblas_dgemv(CblasColMajor, CblasTrans, length, 6, 1, moved, length, u, 1, 0, c, 1);
    for (int j = 0; j < 6; j++)
      report->mass_of_modes = fmax(report->mass_of_modes, fabs(c[j]) / scale[j]);
    LAPACKE_dgetrs(LAPACK_COL_MAJOR, 'N', 6, 1, N, 6, pivot, c, 6);
    cblas_dgemv(CblasColMajor, CblasNoTrans, length, 6, -1, r->rigid, length, c, 1, 1, u, 1);
  }
  free(moved);
  return HK_OK;
}

hk_status hk_reduction_mean_axes(hk_reduction *r, hk_reduce_report *report, hk_error *err) {
  problem p;
  hk_status status = make_problem(r, &p, err);
  r->m = p.n - 6;
  if (!status && r->m < 1)
    status = hk_fail(
        err, HK_EINPUT,
        "with one interface and no modes the body is rigid; give a number of modes (--modes)");
  if (!status) status = check_rigid(&p, report, err);
  if (!status) status = compare_half(&p, r, report, err);
  double *q = NULL;
  if (!status) {
    r->w2 = malloc(sizeof *r->w2 * (size_t)p.n);
    r->mode = malloc(sizeof *r->mode * r->length * (size_t)r->m);
    q = malloc(sizeof *q * (size_t)p.n * (size_t)p.n);
    status = r->w2 && r->mode && q ? solve(&p, r->w2, q, err) : no_memory(err);
  }
  if (!status) {
    expand(r, q);
    status = remove_rigid(r, report, err);
  }
  free(q);
  free_problem(&p);
  return status;
}
