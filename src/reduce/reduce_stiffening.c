/* Stiffening by stress: see flexible/flexible_data.h.
 *
 * A load f on the free body, with the inertia forces of its rigid acceleration, causes stresses; their stress stiffness
 * K_s gives the work of f on second-order displacements: f . g_kl = -(phi^T K_s phi)_kl. */
#include "reduce/reduce_private.h"
#include "base/small_lu.h"
#include <cblas.h>
#include <stdlib.h>
#include <string.h>

static hk_status no_memory(hk_error *err) { return hk_fail(err, HK_ENOMEM, "out of memory"); }

typedef struct job {
  const hk_reduction *r;
  double *moved;          /* [6][length] M times rigid motions */
  double N[36], pivot[6]; /* LU factors of the rigid mass matrix */
  /* LU factors of the stiffness matrix of the constraint modes, without the rows and columns of the first interface,
   * which is held */
  double *K, *pivot_K;
  double *u, *k; /* displacements of one load; stress stiffness */
  double *work;  /* [m][length] */
} job;

static void free_job(job *j) {
  free(j->moved);
  free(j->K);
  free(j->pivot_K);
  free(j->u);
  free(j->k);
  free(j->work);
}

static hk_status make_job(job *j, hk_error *err) {
  const hk_reduction *r = j->r;
  int n = r->n_boundary - 6, length = (int)r->length;
  j->moved = malloc(sizeof *j->moved * 6 * r->length);
  j->K = malloc(sizeof *j->K * ((size_t)n * (size_t)n + 1));
  j->pivot_K = malloc(sizeof *j->pivot_K * (size_t)(n + 1));
  j->u = malloc(sizeof *j->u * r->length);
  j->k = malloc(sizeof *j->k * r->t->A->first[r->t->A->n]);
  j->work = malloc(sizeof *j->work * r->length * (size_t)r->m);
  if (!j->moved || !j->K || !j->pivot_K || !j->u || !j->k || !j->work) return no_memory(err);
  hk_nodal_mass_times(r->t->A, r->rigid, 6, j->moved);
  cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, 6, 6, length, 1, r->rigid, length, j->moved,
              length, 0, j->N, 6);
  hk_small_lu_factor(j->N, j->pivot, 6, 0);
  for (int a = 0; a < n; a++)
    for (int b = 0; b < n; b++)
      j->K[a * n + b] = r->K[(size_t)(a + 6) * (size_t)r->n_boundary + (size_t)(b + 6)];
  if (n && !hk_small_lu_factor(j->K, j->pivot_K, n, 0))
    return hk_fail(err, HK_EFAIL, "the stiffness between the interfaces is singular");
  return HK_OK;
}

/* Replaces the load in u by the displacements that it causes, with inertia relief. */
static hk_status respond(job *j, hk_error *err) {
  const hk_reduction *r = j->r;
  int length = (int)r->length, n = r->n_boundary - 6;
  double a[6], *q = malloc(sizeof *q * (size_t)r->n_boundary);
  if (!q) return no_memory(err);
  cblas_dgemv(CblasColMajor, CblasTrans, length, 6, 1, r->rigid, length, j->u, 1, 0, a, 1);
  hk_small_lu_solve(j->N, j->pivot, 6, a, 1);
  cblas_dgemv(CblasColMajor, CblasNoTrans, length, 6, -1, j->moved, length, a, 1, 1, j->u, 1);
  cblas_dgemv(CblasColMajor, CblasTrans, length, r->n_boundary, 1, r->boundary, length, j->u, 1, 0,
              q, 1);
  for (int k = 0; k < 6; k++) q[k] = 0;
  if (n) hk_small_lu_solve(j->K, j->pivot_K, n, q + 6, 1);
  hk_status status = hk_held_solve(&r->held, 1, j->u, NULL, err);
  if (!status)
    cblas_dgemv(CblasColMajor, CblasNoTrans, length, r->n_boundary, 1, r->boundary, length, q, 1, 1,
                j->u, 1);
  free(q);
  return status;
}

/* out[m][m] = phi^T K_s phi, with the stress stiffness K_s of the load in u. */
static hk_status stress_stiffness(job *j, double *out, hk_error *err) {
  const hk_reduction *r = j->r;
  hk_nodal_matrix stress = *r->t->A;
  hk_status status = respond(j, err);
  if (status) return status;
  memset(j->k, 0, sizeof *j->k * stress.first[stress.n]);
  hk_part_stress_stiffness(r->t->mesh, r->t->material, r->t->A, j->u, j->k);
  stress.m = j->k;
  hk_nodal_mass_times(&stress, r->mode, r->m, j->work);
  cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, r->m, r->m, (int)r->length, 1, r->mode,
              (int)r->length, j->work, (int)r->length, 0, out, r->m);
  for (int a = 0; a < r->m; a++)
    for (int b = 0; b < a; b++)
      out[a * r->m + b] = out[b * r->m + a] = 0.5 * (out[a * r->m + b] + out[b * r->m + a]);
  return HK_OK;
}

/* Forces of the accelerations -w x (w x X), in which w w^T is replaced by (e_a e_b^T + e_b e_a^T)/2. */
static void centrifugal_load(const job *j, int a, int b, double *f) {
  const hk_reduction *r = j->r;
  for (int i = 0; i < r->t->A->n; i++) {
    double X[3], *v = j->work + 3 * (size_t)i;
    for (int d = 0; d < 3; d++) X[d] = r->t->x[i][d] - r->center[d], v[d] = a == b ? X[d] : 0;
    v[a] -= 0.5 * X[b];
    v[b] -= 0.5 * X[a];
  }
  hk_nodal_mass_times(r->t->A, j->work, 1, f);
}

static hk_status fill(job *j, hk_flexible_data *data, hk_flexible_interface *interface,
                      hk_error *err) {
  const hk_reduction *r = j->r;
  size_t m = (size_t)r->m, loads = 6 + 3 * (size_t)r->t->n_interfaces;
  double *K = HK_NEW_ARRAY(r->arena, double, 9 * m * m), *one = malloc(sizeof *one * m * m);
  hk_status status = K && one ? HK_OK : no_memory(err);
  for (int p = 0; p < 6 && !status; p++) {
    int a = p % 3, b = p < 3 ? a : (a + 1) % 3;
    centrifugal_load(j, a, b, j->u);
    status = stress_stiffness(j, one, err);
    for (size_t e = 0; e < m * m && !status; e++)
      K[9 * e + (size_t)(3 * a + b)] = K[9 * e + (size_t)(3 * b + a)] = one[e];
    if (!status && !hk_reduction_tell(r, "stiffening", (double)p / (double)loads))
      status = hk_fail(err, HK_STOPPED, "stopped");
  }
  for (int i = 0; i < r->t->n_interfaces && !status; i++) {
    double *G = HK_NEW_ARRAY(r->arena, double, 3 * m * m);
    if (!G) status = no_memory(err);
    for (int a = 0; a < 3 && !status; a++) {
      double load[6] = {0};
      load[a] = 1;
      memset(j->u, 0, sizeof *j->u * r->length);
      hk_held_load(&r->held, i, load, j->u);
      status = stress_stiffness(j, one, err);
      for (size_t e = 0; e < m * m && !status; e++) G[(size_t)a * m * m + e] = -one[e];
      if (!status && !hk_reduction_tell(r, "stiffening", (double)(6 + 3 * i + a) / (double)loads))
        status = hk_fail(err, HK_STOPPED, "stopped");
    }
    interface[i].G = G;
  }
  free(one);
  if (!status) data->K = K;
  return status;
}

hk_status hk_reduction_stiffening(const hk_reduction *r, hk_flexible_data *data,
                                  hk_flexible_interface *interface, hk_error *err) {
  job j = {.r = r};
  hk_status status = make_job(&j, err);
  if (!status) status = fill(&j, data, interface, err);
  free_job(&j);
  return status;
}
