/* Parts of test/flexible, reduced, and what follows from the modes of a reduced body alone. */
#ifndef HK_TEST_REDUCED_PART_H
#define HK_TEST_REDUCED_PART_H
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include "reduce/matrices.h"
#include "reduce/reduce.h"
#include <lapacke.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct body {
  hk_part_mesh mesh;
  hk_nodal_matrix A;
  hk_arena arena;
  hk_flexible_data data;
  hk_reduce_report report;
} body;

/* Reduces the part whose mesh and, without a material, matrices are in b. */
static inline void reduce_part(body *b, const hk_part_material *material,
                               const hk_part_interface *interface, int n, int n_fixed,
                               bool stiffening) {
  hk_error err = {0};
  if (material) assert_int_equal(hk_part_assemble(&b->mesh, material, &b->A, &err), HK_OK);
  hk_arena_init(&b->arena);
  hk_reduce_task task = {.A = &b->A,
                         .x = (const double(*)[3])b->mesh.x,
                         .n_interfaces = n,
                         .interface = interface,
                         .n_fixed = n_fixed,
                         .stiffening = stiffening,
                         .mesh = material ? &b->mesh : NULL,
                         .material = material,
                         .surface = material != NULL};
  hk_status status = hk_reduce(&task, &b->arena, &b->data, &b->report, &err);
  if (status) print_error("%s\n", err.text);
  assert_int_equal(status, HK_OK);
  assert_int_equal(hk_flexible_check(&b->data, &err), HK_OK);
}

/* Reads test/flexible/NAME_K.mtx, NAME_m.mtx and NAME_nodes.csv. */
static inline void read_matrices(body *b, const char *name) {
  char path[3][512];
  static const char *const tail[] = {"K.mtx", "m.mtx", "nodes.csv"};
  hk_error err = {0};
  for (int i = 0; i < 3; i++)
    snprintf(path[i], sizeof path[i], "%s/test/flexible/%s_%s", HOOKE_SOURCE_DIR, name, tail[i]);
  *b = (body){.mesh = {0}};
  assert_int_equal(hk_matrix_market_read(path[0], path[1], path[2], (hk_part_units){1, 1, 1},
                                         &b->mesh, &b->A, &err),
                   HK_OK);
}

static inline void free_body(body *b) {
  hk_arena_free(&b->arena);
  hk_nodal_matrix_free(&b->A);
  hk_part_mesh_free(&b->mesh);
}

static inline double hertz(double w2) { return sqrt(w2) / (2 * M_PI); }

/* ---- the body with interface `held` at rest, by its modes alone ---- */

/* Rigid motion of the body that undoes the motion of the held interface in mode k. */
static inline void counter_motion(const hk_flexible_data *d, int held, int k, double motion[6]) {
  const hk_flexible_interface *a = &d->interface[held];
  double u[3], w[3], s[3] = {a->s.x, a->s.y, a->s.z};
  for (int i = 0; i < 3; i++) u[i] = a->phi[i * d->m + k], w[i] = a->psi[i * d->m + k];
  for (int i = 0; i < 3; i++) motion[3 + i] = -w[i];
  for (int i = 0; i < 3; i++)
    motion[i] = -u[i] + w[(i + 1) % 3] * s[(i + 2) % 3] - w[(i + 2) % 3] * s[(i + 1) % 3];
}

/* Motion[6] of interface b in mode k while interface `held` is at rest. */
static inline void held_mode(const hk_flexible_data *d, int held, int b, int k, double motion[6]) {
  const hk_flexible_interface *a = &d->interface[b];
  double c[6], s[3] = {a->s.x, a->s.y, a->s.z};
  counter_motion(d, held, k, c);
  for (int i = 0; i < 3; i++) {
    motion[i] = a->phi[i * d->m + k] + c[i] + c[3 + (i + 1) % 3] * s[(i + 2) % 3] -
                c[3 + (i + 2) % 3] * s[(i + 1) % 3];
    motion[3 + i] = a->psi[i * d->m + k] + c[3 + i];
  }
}

static inline double flexibility(const hk_flexible_data *d, int held, int b, int i, int j) {
  double sum = 0, motion[6];
  for (int k = 0; k < d->m; k++) {
    held_mode(d, held, b, k, motion);
    sum += motion[i] * motion[j] / d->w2[k];
  }
  return sum;
}

/* Displacement of interface b by gravity g along an axis, interface `held` at rest. */
static inline double sag(const hk_flexible_data *d, int held, int b, int direction, int axis,
                         double g) {
  double sum = 0, motion[6], c[6];
  for (int k = 0; k < d->m; k++) {
    held_mode(d, held, b, k, motion);
    counter_motion(d, held, k, c);
    sum += motion[direction] * c[axis] * d->mass * g /
           d->w2[k]; /* gravity acts on the rigid part only */
  }
  return sum;
}

/* Natural frequencies [Hz] with interface `held` at rest; the lowest n. */
static inline void held_frequencies(const hk_flexible_data *d, int held, int n, double *hz) {
  int m = d->m;
  double *M = calloc((size_t)m * (size_t)m, sizeof *M),
         *K = calloc((size_t)m * (size_t)m, sizeof *K), *w2 = calloc((size_t)m, sizeof *w2);
  double(*c)[6] = calloc((size_t)m, sizeof *c);
  assert_true(M && K && w2 && c);
  for (int k = 0; k < m; k++) counter_motion(d, held, k, c[k]);
  for (int k = 0; k < m; k++)
    for (int l = 0; l < m; l++) {
      double sum = k == l;
      for (int i = 0; i < 3; i++) {
        sum += d->mass * c[k][i] * c[l][i];
        for (int j = 0; j < 3; j++) sum += c[k][3 + i] * d->J0.m[i][j] * c[l][3 + j];
      }
      M[k * m + l] = sum;
      K[k * m + l] = k == l ? d->w2[k] : 0;
    }
  assert_int_equal(LAPACKE_dsygv(LAPACK_COL_MAJOR, 1, 'N', 'L', m, K, m, M, m, w2), 0);
  for (int k = 0; k < n; k++) hz[k] = hertz(w2[k]);
  free(M);
  free(K);
  free(w2);
  free(c);
}

/* Change of the inertia by the centrifugal deformation at the angular velocity w. */
static inline void inertia_change(const hk_flexible_data *d, const double w[3], double dJ[9]) {
  memset(dJ, 0, 9 * sizeof *dJ);
  for (int k = 0; k < d->m; k++) {
    const double *J = d->J1 + 9 * k;
    double force = 0;
    for (int i = 0; i < 9; i++) force += 0.5 * w[i / 3] * J[i] * w[i % 3];
    for (int i = 0; i < 9; i++) dJ[i] += force / d->w2[k] * J[i];
  }
}

static inline hk_part_interface interface_of(const char *name, bool average, double x, double y,
                                             double z, int *node, int n) {
  hk_part_interface i = {.average = average, .center = {x, y, z}, .n = n, .node = node};
  snprintf(i.name, sizeof i.name, "%s", name);
  return i;
}

/* Nodes whose numbers in the file are given. */
static inline void find_nodes(const body *b, const long *label, int n, int *node) {
  for (int i = 0; i < n; i++) assert_true((node[i] = hk_part_mesh_node(&b->mesh, label[i])) >= 0);
}

/* A bar of 12 bricks with rigid interfaces at its ends. */
static inline void make_rod(body *b, int n_fixed) {
  static const long first[] = {1, 4, 5, 8, 12, 16, 17, 20},
                    last[] = {141, 142, 143, 144, 146, 149, 151, 152};
  int node[2][8];
  read_matrices(b, "rod");
  find_nodes(b, first, 8, node[0]);
  find_nodes(b, last, 8, node[1]);
  hk_part_interface end[2] = {interface_of("A", false, 0, 0, 0, node[0], 8),
                              interface_of("B", false, 0.3, 0, 0, node[1], 8)};
  reduce_part(b, NULL, end, 2, n_fixed, false);
}

#endif
