/* Rank of constraint rows by sparse orthogonal factorisation with skipped rows: see rank.h. */
#include "solve/rank.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "solve/block_lu.h"

/* If the relative difference of two lengths is below this value, they count as equal, and the earlier row is
 * preferred. */
#define TIE 1e-8
#define DEFINITE_TOL 1e-14 /* smallest relative pivot of a positive definite block of W */

struct hk_rank {
  const hk_block_matrix *m;
  /* the matrix m, in which each dependent row is replaced by the equation c = 0 */
  hk_block_matrix *kept;
  hk_linear_solver *solver;
  uint8_t *dependent;
};

typedef struct rank_work {
  const hk_front_plan *plan;
  const double *a;
  double tol;
  /* the rows that each front leaves for its parent, stored at the position of the front in the
   * front storage */
  double *rest;
  int *rest_rows; /* [fronts] */
  double *length; /* [rows] original order: g W^-1 g^T, summed over the nodes so far */
  int *column;    /* [rows] column of the current front for each original row */
  double *t;      /* the current front, column by column */
  int rows, columns;
  uint8_t *dependent;
  int n_dependent;
} rank_work;

/* Computes the lower Cholesky factor of the metric of one node; the metric of a node that is divided into several blocks
 * is diagonal. Returns -1, or the row at which the
 * factorization fails. */
static int factor_metric(const double *w, int stride, int n, double *l) {
  for (int j = 0; j < n; j++) {
    double d = w[j * stride + j];
    for (int k = 0; k < j; k++) d -= l[j * n + k] * l[j * n + k];
    if (!(d > DEFINITE_TOL * w[j * stride + j] && isfinite(d))) return j;
    l[j * n + j] = sqrt(d);
    for (int i = j + 1; i < n; i++) {
      double sum = w[i * stride + j];
      for (int k = 0; k < j; k++) sum -= l[i * n + k] * l[j * n + k];
      l[i * n + j] = sum / l[j * n + j];
    }
  }
  return -1;
}

/* Writes the rows L^-1 G^T of one node at row `at` of the front.  Returns -1, or the original row
 * at which this fails. */
static int add_node(rank_work *w, const hk_front_step *st, int at) {
  const hk_block_pattern *p = w->plan->pattern;
  int i = st->block, n = st->size;
  double l[HK_BLOCK_MAX * HK_BLOCK_MAX];
  int bad =
      factor_metric(w->a + p->value_start[hk_block_pattern_find(p, i, i)], p->stride[i], n, l);
  if (bad >= 0) return st->row + bad;
  for (int e = p->row_start[i]; e < p->row_start[i + 1]; e++) {
    int j = p->column[e], columns = p->size[j];
    if (!p->is_multiplier[j]) continue;
    const double *g = w->a + p->value_start[e];
    for (int c = 0; c < columns; c++) {
      double *to = w->t + (size_t)w->column[p->offset[j] + c] * (size_t)w->rows + at;
      double squares = 0;
      for (int r = 0; r < n; r++) {
        double sum = g[r * columns + c];
        for (int k = 0; k < r; k++) sum -= l[r * n + k] * to[k];
        to[r] = sum / l[r * n + r];
        squares += to[r] * to[r];
      }
      w->length[p->offset[j] + c] += squares;
    }
  }
  return -1;
}

/* Assembles the matrix of a front. Its columns are the multipliers of the front. Its rows are the velocities of the
 * nodes that the front eliminates, and the rows that the elimination of its child fronts has left. */
static int assemble(rank_work *w, const hk_front *front) {
  const hk_front_plan *plan = w->plan;
  const hk_block_pattern *p = plan->pattern;
  const int *index = plan->index + front->index_start;
  w->rows = w->columns = 0;
  for (int i = 0; i < front->n; i++)
    if (p->is_multiplier[hk_block_pattern_block_of_row(p, index[i])])
      w->column[index[i]] = w->columns++;
  for (int s = front->step_start; s < front->step_end; s++)
    w->rows += plan->step[s].is_multiplier ? 0 : plan->step[s].size;
  for (int c = front->child_start; c < front->child_end; c++)
    w->rows += w->rest_rows[plan->child[c]];
  memset(w->t, 0, (size_t)w->rows * (size_t)w->columns * sizeof *w->t);
  int at = 0;
  for (int s = front->step_start; s < front->step_end; s++) {
    if (plan->step[s].is_multiplier) continue;
    int bad = add_node(w, &plan->step[s], at);
    if (bad >= 0) return bad;
    at += plan->step[s].size;
  }
  for (int c = front->child_start; c < front->child_end; c++) {
    const hk_front *child = &plan->front[plan->child[c]];
    const double *from = w->rest + child->start;
    int rows = w->rest_rows[plan->child[c]];
    for (int i = child->pivots; i < child->n; i++) {
      int row = plan->index[child->index_start + i];
      if (!p->is_multiplier[hk_block_pattern_block_of_row(p, row)]) continue;
      memcpy(w->t + (size_t)w->column[row] * (size_t)w->rows + at, from,
             (size_t)rows * sizeof *from);
      from += rows;
    }
    at += rows;
  }
  return -1;
}

/* Applies a Householder reflection to rows k and following, so that column c is zero below row k;
 * also applied to the columns from `first` on. */
static void reflect(rank_work *w, int k, int c, int first) {
  int m = w->rows;
  double *v = w->t + (size_t)c * (size_t)m, squares = 0;
  for (int i = k; i < m; i++) squares += v[i] * v[i];
  if (squares == 0) return;
  double alpha = v[k] > 0 ? -sqrt(squares) : sqrt(squares);
  double beta = 1 / (squares - alpha * v[k]); /* 2 / |v - alpha e_k|^2 */
  v[k] -= alpha;
  for (int j = first; j < w->columns; j++) {
    double *x = w->t + (size_t)j * (size_t)m, dot = 0;
    if (j == c) continue;
    for (int i = k; i < m; i++) dot += v[i] * x[i];
    dot *= beta;
    for (int i = k; i < m; i++) x[i] -= dot * v[i];
  }
  v[k] = alpha;
  for (int i = k + 1; i < m; i++) v[i] = 0;
}

/* Eliminates the rows of one joint, the row with the largest distance from the span of earlier rows first. A row whose
 * distance is below tol is dependent. Returns the number of rows of the front used. */
static int eliminate(rank_work *w, const hk_front_step *st, int k) {
  bool done[HK_BLOCK_MAX] = {false};
  int first = w->column[st->row];
  for (int count = 0; count < st->size; count++) {
    int best = -1;
    double most = w->tol;
    for (int r = 0; r < st->size; r++) {
      const double *x = w->t + (size_t)(first + r) * (size_t)w->rows;
      double squares = 0, length = w->length[st->row + r];
      for (int i = k; i < w->rows; i++) squares += x[i] * x[i];
      double ratio = length > 0 ? squares / length : 0;
      if (done[r] || !(ratio > most * (best < 0 ? 1 : 1 + TIE))) continue;
      most = ratio;
      best = r;
    }
    if (best < 0) break;
    done[best] = true;
    reflect(w, k++, first + best, first);
  }
  for (int r = 0; r < st->size; r++) {
    w->dependent[st->row + r] = !done[r];
    w->n_dependent += !done[r];
  }
  return k;
}

/* Reduces the remaining rows to a triangle over the boundary columns and stores it for the
 * parent. */
static void leave_rest(rank_work *w, int f, int k, int first) {
  const hk_front *front = &w->plan->front[f];
  int boundary = w->columns - first, rows = w->rows - k;
  if (rows > boundary) {
    for (int c = 0; c < boundary; c++) reflect(w, k + c, first + c, first + c);
    rows = boundary;
  }
  w->rest_rows[f] = rows;
  double *to = w->rest + front->start;
  for (int c = 0; c < boundary; c++, to += rows)
    memcpy(to, w->t + (size_t)(first + c) * (size_t)w->rows + k, (size_t)rows * sizeof *to);
}

static hk_status eliminate_all(rank_work *w, hk_error *err) {
  const hk_front_plan *plan = w->plan;
  for (int f = 0; f < plan->n_front; f++) {
    const hk_front *front = &plan->front[f];
    int bad = assemble(w, front), used = 0, first = 0;
    if (bad >= 0)
      return hk_fail(err, HK_EFAIL,
                     "rank analysis of the joints: the mass matrix is not positive definite at row "
                     "%d; check masses and inertias",
                     bad);
    for (int s = front->step_start; s < front->step_end; s++) {
      if (!plan->step[s].is_multiplier) continue;
      used = eliminate(w, &plan->step[s], used);
      first += plan->step[s].size;
    }
    leave_rest(w, f, used, first);
  }
  return HK_OK;
}

/* Number of doubles of the largest front: all its rows, and the boundary of every child. */
static size_t front_room(const hk_front_plan *plan) {
  size_t room = 0;
  for (int f = 0; f < plan->n_front; f++) {
    const hk_front *front = &plan->front[f];
    size_t rows = (size_t)front->pivots;
    for (int c = front->child_start; c < front->child_end; c++) {
      const hk_front *child = &plan->front[plan->child[c]];
      rows += (size_t)(child->n - child->pivots);
    }
    if (rows * (size_t)front->n > room) room = rows * (size_t)front->n;
  }
  return room;
}

/* Sets the couplings of dependent rows to zero and their diagonal to one. */
static void keep_rows(hk_block_matrix *m, const uint8_t *dependent) {
  const hk_block_pattern *p = m->pattern;
  for (int i = 0; i < p->nb; i++)
    for (int e = p->row_start[i]; e < p->row_start[i + 1]; e++) {
      int j = p->column[e], columns = p->size[j];
      double *a = m->value + p->value_start[e];
      for (int r = 0; r < p->size[i]; r++)
        for (int c = 0; c < columns; c++)
          if (dependent[p->offset[i] + r] || dependent[p->offset[j] + c])
            a[r * columns + c] = i == j && r == c;
    }
}

static hk_status keep_for_dependencies(const hk_block_matrix *m, const uint8_t *dependent,
                                       hk_rank **keep, hk_error *err) {
  const hk_block_pattern *p = m->pattern;
  hk_rank *r = calloc(1, sizeof *r);
  if (!r) return hk_fail(err, HK_ENOMEM, "out of memory: rank analysis");
  r->m = m;
  r->kept = hk_block_matrix_create(p);
  r->dependent = malloc((size_t)p->rows + 1);
  hk_status status = HK_ENOMEM;
  if (r->kept && r->dependent) {
    memcpy(r->kept->value, m->value, m->n_value * sizeof *m->value);
    memcpy(r->dependent, dependent, (size_t)p->rows);
    keep_rows(r->kept, dependent);
    status = hk_linear_solver_create(p, HK_SOLVER_AUTO, &r->solver, NULL);
    if (!status) status = hk_linear_solver_factor(r->solver, r->kept);
  }
  if (status) {
    hk_rank_free(r);
    return status == HK_ENOMEM
               ? hk_fail(err, HK_ENOMEM, "out of memory: rank analysis")
               : hk_fail(err, HK_EFAIL,
                         "rank analysis: the constraint rows that were kept depend on each other");
  }
  *keep = r;
  return HK_OK;
}

hk_status hk_rank_analyse(const hk_block_matrix *m, double tol, uint8_t *dependent,
                          int *n_dependent, hk_rank **keep, hk_error *err) {
  const hk_block_pattern *p = m->pattern;
  if (keep) *keep = NULL;
  if (n_dependent) *n_dependent = 0;
  memset(dependent, 0, (size_t)p->rows);
  hk_front_plan *plan = NULL;
  hk_status status = hk_front_plan_create(p, &plan, err);
  if (status) return status;
  rank_work w = {.plan = plan, .a = m->value, .tol = tol, .dependent = dependent};
  w.rest = malloc((plan->n_storage + 1) * sizeof *w.rest);
  w.rest_rows = malloc(((size_t)plan->n_front + 1) * sizeof *w.rest_rows);
  w.length = calloc((size_t)p->rows + 1, sizeof *w.length);
  w.column = malloc(((size_t)p->rows + 1) * sizeof *w.column);
  w.t = malloc((front_room(plan) + 1) * sizeof *w.t);
  if (w.rest && w.rest_rows && w.length && w.column && w.t)
    status = eliminate_all(&w, err);
  else
    status = hk_fail(err, HK_ENOMEM, "out of memory: rank analysis of %d rows", p->rows);
  free(w.rest);
  free(w.rest_rows);
  free(w.length);
  free(w.column);
  free(w.t);
  hk_front_plan_free(plan);
  if (status) return status;
  if (n_dependent) *n_dependent = w.n_dependent;
  return keep ? keep_for_dependencies(m, dependent, keep, err) : HK_OK;
}

void hk_rank_free(hk_rank *r) {
  if (!r) return;
  hk_block_matrix_free(r->kept);
  hk_linear_solver_destroy(r->solver);
  free(r->dependent);
  free(r);
}

/* x += G^T c on node rows. */
static void add_rows(const hk_block_matrix *m, const double *c, double *x) {
  const hk_block_pattern *p = m->pattern;
  for (int i = 0; i < p->nb; i++) {
    if (!p->is_multiplier[i]) continue;
    for (int e = p->row_start[i]; e < p->row_start[i + 1]; e++) {
      int j = p->column[e], columns = p->size[j];
      if (p->is_multiplier[j]) continue;
      const double *a = m->value + p->value_start[e];
      for (int r = 0; r < p->size[i]; r++, a += columns)
        for (int k = 0; k < columns; k++) x[p->offset[j] + k] += c[p->offset[i] + r] * a[k];
    }
  }
}

hk_status hk_rank_dependency(hk_rank *r, int row, double *c, double *residual, hk_error *err) {
  const hk_block_pattern *p = r->m->pattern;
  int block = hk_block_pattern_block_of_row(p, row);
  if (block < 0 || !p->is_multiplier[block] || !r->dependent[row])
    return hk_fail(err, HK_EINPUT, "row %d is not a dependent constraint row", row);
  double *g = calloc((size_t)p->rows + 1, sizeof *g);
  if (!g) return hk_fail(err, HK_ENOMEM, "out of memory: rank analysis");
  memset(c, 0, (size_t)p->rows * sizeof *c);
  c[row] = 1;
  add_rows(r->m, c, g);
  /* [W G^T; G 0] [x; c] = [g; 0] has x = 0 if g is in the span of the kept rows. */
  double largest = 0;
  memcpy(c, g, (size_t)p->rows * sizeof *c);
  hk_linear_solver_solve(r->solver, c);
  for (int i = 0; i < p->rows; i++) {
    largest = fmax(largest, fabs(g[i]));
    g[i] = -g[i];
    if (r->dependent[i] || !p->is_multiplier[hk_block_pattern_block_of_row(p, i)]) c[i] = 0;
  }
  add_rows(r->kept, c, g);
  double worst = 0;
  for (int i = 0; i < p->rows; i++) worst = fmax(worst, fabs(g[i]));
  if (residual) *residual = largest > 0 ? worst / largest : 0;
  free(g);
  return HK_OK;
}
