/* Deformation, stress and surface velocity of a flexible body: see flexible_surface.h. */
#include "flexible/flexible_surface.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* out[n] = sum of eta_k mode[k][n], eta = a sqrt(mass) */
static void sum_modes(const hk_flexible_data *d, const float *mode, const double *a, size_t n,
                      float *out) {
  memset(out, 0, n * sizeof *out);
  for (int k = 0; k < d->m; k++) {
    const float eta = (float)(a[k] * sqrt(d->mass)), *of = mode + (size_t)k * n;
    for (size_t i = 0; i < n; i++) out[i] += eta * of[i];
  }
}

void hk_flexible_displacement(const hk_flexible_data *d, const double *a, float *out) {
  sum_modes(d, d->surface.displacement, a, 3 * (size_t)d->surface.n_vertices, out);
}

void hk_flexible_stress(const hk_flexible_data *d, const double *a, float *out) {
  sum_modes(d, d->surface.stress, a, 6 * (size_t)d->surface.n_vertices, out);
}

double hk_von_mises(const float s[6]) {
  double xy = s[0] - s[1], yz = s[1] - s[2], zx = s[2] - s[0];
  double shear = (double)s[3] * s[3] + (double)s[4] * s[4] + (double)s[5] * s[5];
  return sqrt(0.5 * (xy * xy + yz * yz + zx * zx) + 3 * shear);
}

static hk_vec3 vertex(const float *x, int32_t i) {
  return hk_v3(x[3 * i], x[3 * i + 1], x[3 * i + 2]);
}

/* Normal velocity at a vertex per unit of each of the 6 + m velocities: row[6 + m]. */
static void normal_velocity(const hk_flexible_data *d, int32_t at, hk_vec3 n, double *row) {
  const hk_flexible_surface *s = &d->surface;
  hk_vec3 turn = hk_cross(vertex(s->vertex, at), n);
  double scale = sqrt(d->mass);
  row[0] = n.x, row[1] = n.y, row[2] = n.z;
  row[3] = turn.x, row[4] = turn.y, row[5] = turn.z;
  for (int k = 0; k < d->m; k++) {
    const float *u = s->displacement + 3 * (size_t)k * (size_t)s->n_vertices;
    row[6 + k] = scale * hk_dot(vertex(u, at), n);
  }
}

/* B += factor row row^T, upper triangle */
static void add_square(const double *row, double factor, int n, double *B) {
  for (int i = 0; i < n; i++) {
    double f = factor * row[i];
    for (int j = i; j < n; j++) B[i * n + j] += f * row[j];
  }
}

/* The velocity is linear in a triangle: the integral of its square is A/12 times the squares of the values at the three corners
 * and of their sum. */
hk_status hk_flexible_surface_velocity(const hk_flexible_data *d, double *B, hk_error *err) {
  const hk_flexible_surface *s = &d->surface;
  const int n = 6 + d->m;
  double *row = calloc(2 * (size_t)n, sizeof *row);
  if (!row) return hk_fail(err, HK_ENOMEM, "out of memory");
  double *sum = row + n;
  memset(B, 0, (size_t)n * (size_t)n * sizeof *B);
  for (int t = 0; t < s->n_triangles; t++) {
    const int32_t *corner = s->triangle + 3 * t;
    hk_vec3 a = vertex(s->vertex, corner[0]);
    hk_vec3 twice =
        hk_cross(hk_sub(vertex(s->vertex, corner[1]), a), hk_sub(vertex(s->vertex, corner[2]), a));
    double area = 0.5 * hk_norm(twice);
    if (!(area > 0)) continue;
    memset(sum, 0, (size_t)n * sizeof *sum);
    for (int c = 0; c < 3; c++) {
      normal_velocity(d, corner[c], hk_scale(0.5 / area, twice), row);
      add_square(row, area / 12, n, B);
      for (int i = 0; i < n; i++) sum[i] += row[i];
    }
    add_square(sum, area / 12, n, B);
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++) B[i * n + j] = B[j * n + i];
  free(row);
  return HK_OK;
}
