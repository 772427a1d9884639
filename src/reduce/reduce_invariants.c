/* Integrals over the mass: see flexible/flexible_data.h. */
#include "reduce/reduce_private.h"
#include <cblas.h>
#include <stdlib.h>
#include <string.h>

static hk_status no_memory(hk_error *err) { return hk_fail(err, HK_ENOMEM, "out of memory"); }

/* Computes P[3 k + a][3 l + b] = sum over the nodes i of f_ki[a] g_li[b], where f are vectors and g is M times other
 * vectors. The sum is computed for one group of nodes of the mesh at a time. */
static hk_status products(size_t nodes, int n, const double *f, int m, const double *g, double *P,
                          hk_error *err) {
  enum { PART = 2048 };
  double *x = malloc(sizeof *x * 3 * (size_t)n * PART),
         *y = malloc(sizeof *y * 3 * (size_t)m * PART);
  hk_status status = x && y ? HK_OK : no_memory(err);
  memset(P, 0, sizeof *P * 9 * (size_t)n * (size_t)m);
  for (size_t first = 0; first < nodes && !status; first += PART) {
    size_t count = nodes - first < PART ? nodes - first : PART;
    for (int k = 0; k < 3 * n; k++)
      for (size_t i = 0; i < count; i++)
        x[(size_t)k * count + i] =
            f[(size_t)(k / 3) * 3 * nodes + 3 * (first + i) + (size_t)(k % 3)];
    for (int k = 0; k < 3 * m; k++)
      for (size_t i = 0; i < count; i++)
        y[(size_t)k * count + i] =
            g[(size_t)(k / 3) * 3 * nodes + 3 * (first + i) + (size_t)(k % 3)];
    /* P = x y^T; all three are stored by rows */
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, 3 * n, 3 * m, (int)count, 1, x, (int)count,
                y, (int)count, 1, P, 3 * m);
  }
  free(x);
  free(y);
  return status;
}

static void fill(const hk_reduction *r, const double *P0, const double *P, double *J1, double *J2,
                 double *c) {
  size_t m = (size_t)r->m;
  for (size_t k = 0; k < m; k++) {
    double p[3][3], trace = 0;
    for (size_t a = 0; a < 3; a++)
      for (size_t b = 0; b < 3; b++) p[a][b] = P0[a * 3 * m + 3 * k + b];
    for (int a = 0; a < 3; a++) trace += p[a][a];
    for (int a = 0; a < 3; a++)
      for (int b = 0; b < 3; b++)
        J1[9 * k + (size_t)(3 * a + b)] = (a == b ? 2 * trace : 0) - p[a][b] - p[b][a];
    for (size_t l = 0; l < m; l++) {
      trace = 0;
      /* symmetric under the exchange k <-> l, a <-> b, up to round-off */
      for (size_t a = 0; a < 3; a++)
        for (size_t b = 0; b < 3; b++)
          p[a][b] = 0.5 * (P[(3 * k + a) * 3 * m + 3 * l + b] + P[(3 * l + b) * 3 * m + 3 * k + a]);
      for (int a = 0; a < 3; a++) trace += p[a][a];
      for (int a = 0; a < 3; a++) {
        for (int b = 0; b < 3; b++)
          J2[9 * (k * m + l) + (size_t)(3 * a + b)] =
              (a == b ? trace : 0) - 0.5 * (p[a][b] + p[b][a]);
        int b = (a + 1) % 3, d = (a + 2) % 3;
        c[3 * (k * m + l) + (size_t)a] = p[b][d] - p[d][b];
      }
    }
  }
}

hk_status hk_reduction_invariants(const hk_reduction *r, hk_flexible_data *data, hk_error *err) {
  size_t m = (size_t)r->m, nodes = r->length / 3;
  double *J1 = HK_NEW_ARRAY(r->arena, double, 9 * m),
         *J2 = HK_NEW_ARRAY(r->arena, double, 9 * m * m),
         *c = HK_NEW_ARRAY(r->arena, double, 3 * m * m);
  double *moved = malloc(sizeof *moved * m * r->length), *P = malloc(sizeof *P * 9 * m * m),
         *P0 = malloc(sizeof *P0 * 9 * m), *X = malloc(sizeof *X * r->length);
  hk_status status = J1 && J2 && c && moved && P && P0 && X ? HK_OK : no_memory(err);
  if (!status) {
    for (size_t i = 0; i < nodes; i++)
      for (size_t d = 0; d < 3; d++) X[3 * i + d] = r->t->x[i][d] - r->center[d];
    hk_nodal_mass_times(r->t->A, r->mode, r->m, moved);
    status = products(nodes, 1, X, r->m, moved, P0, err);
  }
  if (!status) status = products(nodes, r->m, r->mode, r->m, moved, P, err);
  if (!status) {
    fill(r, P0, P, J1, J2, c);
    data->J1 = J1, data->J2 = J2, data->c = c;
  }
  free(moved);
  free(P);
  free(P0);
  free(X);
  return status;
}
