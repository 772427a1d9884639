/* The blocks of M, L and K in the axes of a linear model, and as dense matrices: see linearise.c.
 */
#include "analysis/linearise.h"
#include "node/node.h"
#include <string.h>

/* Index of the first coordinate of a block that is a rotation in body axes; -1: the block has no such coordinate. */
static int turn_of(const hk_model *m, int block) {
  return block < m->n_nodes ? m->node[block].turn : -1;
}

/* Multiplies the columns of a block [rows][width] from `at` on by M; the result is added to `out` if that is another
 * block. */
static void times_right(const double *A, int rows, int width, int at, const hk_mat3 *M, double *out,
                        bool add) {
  for (int i = 0; i < rows; i++) {
    const double *r = A + i * width + at, a[3] = {r[0], r[1], r[2]};
    double *o = out + i * width + at;
    for (int j = 0; j < 3; j++) {
      double sum = a[0] * M->m[0][j] + a[1] * M->m[1][j] + a[2] * M->m[2][j];
      o[j] = sum + (add ? o[j] : 0);
    }
  }
}

/* Multiplies the rows of a block [..][columns] from `at` on by M from the left. */
static void times_left(double *A, int columns, int at, const hk_mat3 *M) {
  double *x = A + at * columns, *y = x + columns, *z = y + columns;
  for (int j = 0; j < columns; j++) {
    hk_vec3 u = hk_mul(M, hk_v3(x[j], y[j], z[j]));
    x[j] = u.x, y[j] = u.y, z[j] = u.z;
  }
}

static hk_mat3 spin(const hk_model *m, const double *v, int node) {
  const double *w = v + m->node[node].v + m->node[node].turn;
  return hk_skew(hk_v3(w[0], w[1], w[2]));
}

static void to_world_axes(const hk_model *m, const hk_system *sys, const hk_mat3 *R,
                          const double *v, double *M, double *L, double *K) {
  const hk_block_pattern *p = sys->pattern;
  double *all[3] = {M, L, K};
  for (int i = 0; i < p->nb; i++)
    for (int e = p->row_start[i]; e < p->row_start[i + 1]; e++) {
      int j = p->column[e], ti = turn_of(m, i), tj = turn_of(m, j);
      size_t at = p->value_start[e];
      if (i == j && ti >= 0) { /* L <- L - M w~ */
        hk_mat3 W = hk_mat3_scale(-1, spin(m, v, i));
        times_right(M + at, p->size[i], p->size[i], ti, &W, L + at, true);
      }
      for (int k = 0; k < 3; k++) {
        if (tj >= 0) {
          hk_mat3 T = hk_transpose(&R[j]);
          times_right(all[k] + at, p->size[i], p->size[j], tj, &T, all[k] + at, false);
        }
        if (ti >= 0) times_left(all[k] + at, p->size[j], ti, &R[i]);
      }
    }
}

static void add_transport(const hk_model *m, const hk_system *sys, const double *v, const double *M,
                          double *L, double *K) {
  const hk_block_pattern *p = sys->pattern;
  for (int i = 0; i < m->n_nodes; i++)
    for (int e = p->row_start[i]; e < p->row_start[i + 1]; e++) {
      int j = p->column[e], turn = turn_of(m, j);
      size_t at = p->value_start[e];
      if (turn < 0) continue;
      hk_mat3 W = spin(m, v, j);
      times_right(L + at, p->size[i], p->size[j], turn, &W, K + at, true);
      if (i == j) times_right(M + at, p->size[i], p->size[i], turn, &W, L + at, true);
    }
}

/* Finds the groups of three coordinates of a node block that form a vector, such as the translation or the rotation.
 * at[]: index of the first coordinate of each vector. Returns the number of vectors. All other coordinates are
 * scalars. */
static int vectors(const hk_model *m, int block, int at[2]) {
  if (block >= m->n_nodes) return 0;
  int n = 0;
  if (hk_node_translates(&m->node[block])) at[n++] = 0;
  if (m->node[block].turn >= 0) at[n++] = m->node[block].turn;
  return n;
}

/* A <- Q^T A Q for the vectors of all nodes: from world axes to axes that are rotated by Q. */
static void turn_blocks(const hk_model *m, const hk_system *sys, const hk_mat3 *Q, double *A) {
  const hk_block_pattern *p = sys->pattern;
  const hk_mat3 T = hk_transpose(Q);
  for (int i = 0; i < p->nb; i++)
    for (int e = p->row_start[i]; e < p->row_start[i + 1]; e++) {
      int j = p->column[e], row[2], column[2];
      int n_rows = vectors(m, i, row), n_columns = vectors(m, j, column);
      double *block = A + p->value_start[e];
      for (int k = 0; k < n_columns; k++)
        times_right(block, p->size[i], p->size[j], column[k], Q, block, false);
      for (int k = 0; k < n_rows; k++) times_left(block, p->size[j], row[k], &T);
    }
}

/* Converts the matrices to rotating axes: d = Q(t) phi with Q' = w~ Q. At Q = 1 this gives d' =
 * phi' + w~ phi and d'' = phi'' + 2 w~ phi' + w~ w~ phi. */
static void add_rotation(const hk_model *m, const hk_system *sys, hk_vec3 w, const double *M,
                         double *L, double *K) {
  const hk_block_pattern *p = sys->pattern;
  const hk_mat3 W = hk_skew(w), W2 = hk_matmul(&W, &W), twice = hk_mat3_scale(2, W);
  for (int i = 0; i < m->n_nodes; i++)
    for (int e = p->row_start[i]; e < p->row_start[i + 1]; e++) {
      int j = p->column[e], column[2], n = vectors(m, j, column), rows = p->size[i];
      size_t at = p->value_start[e];
      for (int k = 0; k < n; k++) {
        times_right(L + at, rows, p->size[j], column[k], &W, K + at, true);
        times_right(M + at, rows, p->size[j], column[k], &W2, K + at, true);
        times_right(M + at, rows, p->size[j], column[k], &twice, L + at, true);
      }
    }
}

void hk_linear_assemble(const hk_linear *l, const hk_sim *s, const double *x, const double *lambda,
                        const hk_mat3 *turned, double *M, double *L, double *K) {
  const hk_model *m = s->model;
  hk_system *sys = l->inside->sys;
  size_t bytes = sys->matrix->n_value * sizeof(double);
  const double *v = x + m->at.v;
  const hk_instant in = hk_instant_settled(m, x, lambda);
  double *out[3] = {M, L, K};
  for (int k = 0; k < 3; k++) {
    const hk_coefficients c = {.cM = k == 0, .cC = k == 1, .cK = k == 2};
    hk_assemble(sys, s->work, &c, &in);
    memcpy(out[k], sys->matrix->value, bytes);
  }
  if (l->axes != HK_LINEAR_BODY_AXES)
    to_world_axes(m, sys, s->work->R, v, M, L, K);
  else if (l->moving)
    add_transport(m, sys, v, M, L, K);
  if (l->axes != HK_LINEAR_ROTATING_AXES) return;
  for (int k = 0; k < 3 && turned; k++) turn_blocks(m, sys, turned, out[k]);
  add_rotation(m, sys, hk_v3(l->rate[0], l->rate[1], l->rate[2]), M, L, K);
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

void hk_linear_expand(const hk_linear *l, const hk_system *sys, const double *value, double *out) {
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

void hk_linear_expand_constraints(const hk_linear *l, const hk_system *sys, const double *value,
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
