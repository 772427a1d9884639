/* Rank of constraint rows by sparse Cholesky with skipped rows: see rank.h. */
#include "solve/rank.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "solve/block_lu.h"

#define TIE 1e-8           /* pivots this close are equal: the earlier row is kept */
#define DEFINITE_TOL 1e-14 /* W counts as positive definite above this */

struct hk_rank {
  const hk_block_matrix *m;
  hk_block_matrix *kept; /* m with each dependent row replaced by the equation c = 0 */
  hk_linear_solver *solver;
  uint8_t *dependent;
};

typedef struct rank_work {
  const hk_front_plan *plan;
  const double *a;
  double tol;
  double *storage;
  double *length; /* [rows] natural order: g W^-1 g^T, summed over the nodes eliminated so far */
  uint8_t *dependent;
  int n_dependent;
} rank_work;

static void assemble_front(const rank_work *w, const hk_front *front, double *f) {
  const hk_front_plan *plan = w->plan;
  int stride = front->stride;
  for (int i = 0; i < front->n; i++)
    memset(f + (size_t)i * (size_t)stride, 0, (size_t)front->n * sizeof *f);
  for (int c = front->copy_start; c < front->copy_end; c++) {
    const hk_front_copy *copy = &plan->copy[c];
    int rows = copy->shape / 8, columns = copy->shape % 8;
    for (int i = 0; i < rows; i++)
      memcpy(f + copy->to + (size_t)i * (size_t)stride, w->a + copy->from + i * columns,
             (size_t)columns * sizeof *f);
  }
  for (int c = front->child_start; c < front->child_end; c++) {
    const hk_front *child = &plan->front[plan->child[c]];
    const double *s =
        w->storage + child->start + (size_t)child->pivots * (size_t)(child->stride + 1);
    const hk_front_run *run = plan->run + child->run_start, *end = plan->run + child->run_end;
    for (const hk_front_run *a = run; a < end; a++)
      for (int i = 0; i < a->width; i++, s += child->stride) {
        double *to = f + (size_t)(a->to + i) * (size_t)stride;
        for (const hk_front_run *b = run; b < end; b++)
          for (int j = 0; j < b->width; j++) to[b->to + j] += s[b->from + j];
      }
  }
}

/* F -= column k * row k / pivot over rows and columns from..n. */
static void eliminate(double *f, int stride, int n, int from, int k) {
  const double *row = f + (size_t)k * (size_t)stride;
  double inverse = 1 / row[k];
  for (int i = from; i < n; i++) {
    double *to = f + (size_t)i * (size_t)stride, factor = to[k] * inverse;
    if (factor == 0) continue;
    for (int j = from; j < n; j++) to[j] -= factor * row[j];
  }
}

/* Returns -1, or the row of the front where W is not positive definite. */
static int eliminate_node(rank_work *w, const hk_front *front, double *f, const hk_front_step *st) {
  int stride = front->stride;
  const int *index = w->plan->index + front->index_start;
  double before[HK_BLOCK_MAX];
  for (int k = 0; k < st->size; k++) {
    int at = st->offset + k;
    before[k] = f[(size_t)at * (size_t)(stride + 1)];
  }
  for (int k = 0; k < st->size; k++) {
    int at = st->offset + k;
    const double *row = f + (size_t)at * (size_t)stride;
    if (!(row[at] > DEFINITE_TOL * before[k] && isfinite(row[at]))) return at;
    for (int j = st->offset + st->size; j < front->n; j++)
      w->length[index[j]] += row[j] * row[j] / row[at];
    eliminate(f, stride, front->n, at + 1, at);
  }
  return -1;
}

/* The rows of one joint, largest relative pivot first; what is left below tol is dependent. */
static void eliminate_multiplier(rank_work *w, const hk_front *front, double *f,
                                 const hk_front_step *st) {
  int stride = front->stride, end = st->offset + st->size;
  bool done[HK_BLOCK_MAX] = {false};
  for (int count = 0; count < st->size; count++) {
    int best = -1;
    double most = w->tol;
    for (int k = 0; k < st->size; k++) {
      double pivot = -f[(size_t)(st->offset + k) * (size_t)(stride + 1)];
      double length = w->length[st->row + k], ratio = length > 0 ? pivot / length : 0;
      if (done[k] || !(ratio > most * (best < 0 ? 1 : 1 + TIE))) continue;
      most = ratio;
      best = k;
    }
    if (best < 0) break;
    done[best] = true;
    int at = st->offset + best;
    /* Only rows still waiting in this joint, and all rows behind it. */
    const double *row = f + (size_t)at * (size_t)stride;
    double inverse = 1 / row[at];
    for (int i = st->offset; i < front->n; i++) {
      double *to = f + (size_t)i * (size_t)stride, factor = to[at] * inverse;
      if ((i < end && done[i - st->offset]) || factor == 0) continue;
      for (int j = st->offset; j < front->n; j++) to[j] -= factor * row[j];
    }
  }
  for (int k = 0; k < st->size; k++) {
    w->dependent[st->row + k] = !done[k];
    w->n_dependent += !done[k];
  }
}

static hk_status eliminate_all(rank_work *w, hk_error *err) {
  const hk_front_plan *plan = w->plan;
  for (int f = 0; f < plan->n_front; f++) {
    const hk_front *front = &plan->front[f];
    double *at = w->storage + front->start;
    assemble_front(w, front, at);
    for (int s = front->step_start; s < front->step_end; s++) {
      const hk_front_step *st = &plan->step[s];
      if (st->is_multiplier) {
        eliminate_multiplier(w, front, at, st);
        continue;
      }
      int bad = eliminate_node(w, front, at, st);
      if (bad >= 0)
        return hk_fail(err, HK_EFAIL,
                       "rank analysis: the metric is not positive definite at row %d",
                       plan->index[front->index_start + bad]);
    }
  }
  return HK_OK;
}

/* Couplings of dependent rows vanish and their diagonal is one. */
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
               : hk_fail(err, HK_EFAIL, "rank analysis: the kept rows are singular");
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
  w.storage = malloc((plan->n_storage + 1) * sizeof *w.storage);
  w.length = calloc((size_t)p->rows + 1, sizeof *w.length);
  if (w.storage && w.length)
    status = eliminate_all(&w, err);
  else
    status = hk_fail(err, HK_ENOMEM, "out of memory: rank analysis of %d rows", p->rows);
  free(w.storage);
  free(w.length);
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
  /* [W G^T; G 0] [x; c] = [g; 0] has x = 0 when g lies in the span of the kept rows. */
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
