/* Scalar sparse LU with partial pivoting, column by column [GilbertPeierls1988]: the method of KLU,
 * without its library.
 *
 * Rows are scaled by their largest entry. Column k of L and U follows from the solution of L x = a_k: a depth-first
 * search in the columns of L finds the rows of x that are not zero and the order in which they are computed, so the
 * time is proportional to the number of operations. The pivot is the diagonal entry unless another entry is more than
 * 1/DIAGONAL times as large. The columns follow the order of ordering.h. */
#include "solve/linear_solver.h"
#include "solve/ordering.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* a smaller ratio of two pivots means that the matrix is singular */
static const double SINGULAR = 1e-14;
static const double DIAGONAL = 1e-3;

/* Columns of L (entries: rows of the matrix, without the unit diagonal) or of U (entries: pivot
 * numbers, without the diagonal). */
typedef struct factor_columns {
  size_t *start; /* [n + 1] */
  int *row;
  double *value;
  size_t capacity;
} factor_columns;

typedef struct pivot_lu {
  hk_linear_solver head;
  int n;
  int *column_start, *row; /* the matrix by columns */
  size_t *from;            /* entry e is m->value[from[e]] */
  double *scale;           /* [n] scale factors of the rows */
  int *order;              /* [n] column k of the factorization is column order[k] of the matrix */
  int *pivot;              /* [n] row that became pivot k */
  /* [n] inverse of `pivot`: number of the pivot in this row; -1: not yet a pivot */
  int *step;
  double *diagonal; /* [n] of U */
  factor_columns lower, upper;
  double *x;    /* [n] the column being computed, 0 between columns */
  int *found;   /* [n] rows of the column in topological order, stored at the end of the array */
  int *stack;   /* [n] stack of the depth-first search: rows ... */
  size_t *next; /* [n] for each row on the stack: the next entry of its column to visit */
  int *mark;    /* [n] column for which the row was last found */
} pivot_lu;

static void destroy(hk_linear_solver *s) {
  pivot_lu *p = (pivot_lu *)s;
  void *all[] = {p->column_start, p->row,         p->from,      p->scale,       p->order,
                 p->pivot,        p->step,        p->diagonal,  p->lower.start, p->lower.row,
                 p->lower.value,  p->upper.start, p->upper.row, p->upper.value, p->x,
                 p->found,        p->stack,       p->next,      p->mark,        p};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i]);
}

/* Makes room for one more column. */
static bool make_room(factor_columns *f, int k, int n) {
  size_t needed = f->start[k] + (size_t)n;
  if (needed <= f->capacity) return true;
  size_t capacity = 2 * needed;
  int *row = realloc(f->row, capacity * sizeof *row);
  if (row) f->row = row;
  double *value = realloc(f->value, capacity * sizeof *value);
  if (value) f->value = value;
  if (row && value) f->capacity = capacity;
  return row && value;
}

/* Finds the rows that can be reached from `row` through the columns of L, each stored after the
 * rows that depend on it; returns the new first index of `found`. */
static int search(pivot_lu *p, int row, int k, int first) {
  int depth = 0;
  p->stack[0] = row;
  p->mark[row] = k;
  p->next[0] = p->step[row] >= 0 ? p->lower.start[p->step[row]] : 0;
  while (depth >= 0) {
    int at = p->stack[depth], column = p->step[at];
    size_t end = column >= 0 ? p->lower.start[column + 1] : 0;
    bool deeper = false;
    while (column >= 0 && p->next[depth] < end && !deeper) {
      int below = p->lower.row[p->next[depth]++];
      if (p->mark[below] == k) continue;
      p->mark[below] = k;
      p->stack[++depth] = below;
      p->next[depth] = p->step[below] >= 0 ? p->lower.start[p->step[below]] : 0;
      deeper = true;
    }
    if (deeper) continue;
    p->found[--first] = at;
    depth--;
  }
  return first;
}

/* Computes x = L^-1 a for column k; returns the first index of `found`. */
static int solve_column(pivot_lu *p, const hk_block_matrix *m, int k, double *largest) {
  int column = p->order[k], first = p->n;
  for (int e = p->column_start[column]; e < p->column_start[column + 1]; e++)
    if (p->mark[p->row[e]] != k) first = search(p, p->row[e], k, first);
  *largest = 0;
  for (int e = p->column_start[column]; e < p->column_start[column + 1]; e++) {
    double a = m->value[p->from[e]] / p->scale[p->row[e]];
    p->x[p->row[e]] = a;
    *largest = fmax(*largest, fabs(a));
  }
  for (int i = first; i < p->n; i++) {
    int at = p->step[p->found[i]];
    if (at < 0) continue;
    double xi = p->x[p->found[i]];
    for (size_t e = p->lower.start[at]; e < p->lower.start[at + 1]; e++)
      p->x[p->lower.row[e]] -= p->lower.value[e] * xi;
  }
  return first;
}

/* Returns the row of the pivot; -1 if all entries are zero. */
static int choose_pivot(const pivot_lu *p, int k, int first) {
  int best = -1, own = p->order[k];
  double most = 0;
  for (int i = first; i < p->n; i++) {
    int row = p->found[i];
    if (p->step[row] < 0 && fabs(p->x[row]) > most) most = fabs(p->x[row]), best = row;
  }
  bool own_found = p->mark[own] == k && p->step[own] < 0;
  return best >= 0 && own_found && fabs(p->x[own]) >= DIAGONAL * most ? own : best;
}

/* Stores x as column k of the factorization and clears x; returns the largest entry of the column
 * of U. */
static double store_column(pivot_lu *p, int k, int first, int pivot) {
  size_t l = p->lower.start[k], u = p->upper.start[k];
  double diagonal = p->x[pivot], largest = fabs(diagonal);
  for (int i = first; i < p->n; i++) {
    int row = p->found[i];
    double value = p->x[row];
    p->x[row] = 0;
    if (row == pivot) continue;
    if (p->step[row] >= 0) {
      p->upper.row[u] = p->step[row];
      p->upper.value[u++] = value;
      largest = fmax(largest, fabs(value));
    } else {
      p->lower.row[l] = row;
      p->lower.value[l++] = value / diagonal;
    }
  }
  p->lower.start[k + 1] = l;
  p->upper.start[k + 1] = u;
  p->diagonal[k] = diagonal;
  p->pivot[k] = pivot;
  p->step[pivot] = k;
  return largest;
}

static hk_status singular(pivot_lu *p, int row) {
  p->head.singular_row = row >= 0 && row < p->n ? row : 0;
  for (int i = 0; i < p->n; i++) p->x[i] = 0;
  return HK_RETRY;
}

static hk_status scale_rows(pivot_lu *p, const hk_block_matrix *m) {
  for (int i = 0; i < p->n; i++) p->scale[i] = 0;
  for (int e = 0; e < p->column_start[p->n]; e++) {
    double a = m->value[p->from[e]];
    if (!isfinite(a)) return singular(p, p->row[e]);
    p->scale[p->row[e]] = fmax(p->scale[p->row[e]], fabs(a));
  }
  for (int i = 0; i < p->n; i++)
    if (p->scale[i] == 0) return singular(p, i);
  return HK_OK;
}

static hk_status factor(hk_linear_solver *s, const hk_block_matrix *m) {
  pivot_lu *p = (pivot_lu *)s;
  double growth = 1, least = INFINITY, most = 0;
  int weakest = 0;
  s->singular_row = -1;
  s->growth = INFINITY;
  hk_status status = scale_rows(p, m);
  if (status) return status;
  for (int i = 0; i < p->n; i++) p->step[i] = p->mark[i] = -1;
  for (int k = 0; k < p->n; k++) {
    double largest;
    if (!make_room(&p->lower, k, p->n) || !make_room(&p->upper, k, p->n)) return HK_ENOMEM;
    int first = solve_column(p, m, k, &largest), pivot = choose_pivot(p, k, first);
    if (pivot < 0) return singular(p, p->order[k]);
    growth = fmax(growth, store_column(p, k, first, pivot) / largest);
    double size = fabs(p->diagonal[k]);
    if (!(size >= least)) least = size, weakest = k;
    most = fmax(most, size);
  }
  if (p->n && !(least > SINGULAR * most)) return singular(p, p->order[weakest]);
  s->growth = growth;
  return HK_OK;
}

static void solve(hk_linear_solver *s, double *b) {
  pivot_lu *p = (pivot_lu *)s;
  double *x = p->x;
  for (int i = 0; i < p->n; i++) b[i] /= p->scale[i];
  for (int k = 0; k < p->n; k++) {
    double xk = x[k] = b[p->pivot[k]];
    for (size_t e = p->lower.start[k]; e < p->lower.start[k + 1]; e++)
      b[p->lower.row[e]] -= p->lower.value[e] * xk;
  }
  for (int k = p->n - 1; k >= 0; k--) {
    double xk = x[k] /= p->diagonal[k];
    for (size_t e = p->upper.start[k]; e < p->upper.start[k + 1]; e++)
      x[p->upper.row[e]] -= p->upper.value[e] * xk;
  }
  for (int k = 0; k < p->n; k++) b[p->order[k]] = x[k];
  memset(x, 0, (size_t)p->n * sizeof *x);
}

static void poison(hk_linear_solver *s) {
  pivot_lu *p = (pivot_lu *)s;
  for (int i = 0; i < p->n; i++) p->diagonal[i] = p->scale[i] = NAN;
}

static const hk_linear_solver_type type = {"pivot_lu", factor, solve, destroy, poison};

/* Builds compressed columns from block rows; the pattern is symmetric, so block column j is block
 * row j transposed. */
static void fill_columns(pivot_lu *k, const hk_block_pattern *p) {
  int nnz = 0;
  for (int j = 0; j < p->nb; j++)
    for (int c = 0; c < p->size[j]; c++) {
      k->column_start[p->offset[j] + c] = nnz;
      for (int e = p->row_start[j]; e < p->row_start[j + 1]; e++) {
        int i = p->column[e];
        size_t block = p->value_start[hk_block_pattern_find(p, i, j)];
        for (int r = 0; r < p->size[i]; r++) {
          k->row[nnz] = p->offset[i] + r;
          k->from[nnz++] = block + (size_t)r * p->size[j] + (size_t)c;
        }
      }
    }
  k->column_start[p->rows] = nnz;
}

static hk_status order_columns(pivot_lu *k, const hk_block_pattern *p) {
  hk_ordering *o;
  hk_status status = hk_ordering_create(p, &o);
  if (status) return status;
  for (int b = 0, n = 0; b < p->nb; b++)
    for (int c = 0; c < p->size[o->order[b]]; c++) k->order[n++] = p->offset[o->order[b]] + c;
  hk_ordering_free(o);
  return HK_OK;
}

static bool allocate(pivot_lu *k, const hk_block_pattern *p) {
  size_t n = (size_t)p->rows + 1;
  k->n = p->rows;
  k->column_start = calloc(n, sizeof *k->column_start);
  k->row = calloc(p->n_value + 1, sizeof *k->row);
  k->from = calloc(p->n_value + 1, sizeof *k->from);
  k->scale = calloc(n, sizeof *k->scale);
  k->order = calloc(n, sizeof *k->order);
  k->pivot = calloc(n, sizeof *k->pivot);
  k->step = calloc(n, sizeof *k->step);
  k->diagonal = calloc(n, sizeof *k->diagonal);
  k->lower.start = calloc(n, sizeof *k->lower.start);
  k->upper.start = calloc(n, sizeof *k->upper.start);
  k->x = calloc(n, sizeof *k->x);
  k->found = calloc(n, sizeof *k->found);
  k->stack = calloc(n, sizeof *k->stack);
  k->next = calloc(n, sizeof *k->next);
  k->mark = calloc(n, sizeof *k->mark);
  return k->column_start && k->row && k->from && k->scale && k->order && k->pivot && k->step &&
         k->diagonal && k->lower.start && k->upper.start && k->x && k->found && k->stack &&
         k->next && k->mark;
}

hk_status hk_pivot_lu_create(const hk_block_pattern *p, hk_linear_solver **out, hk_error *err) {
  *out = NULL;
  if (p->n_value > INT32_MAX) return hk_fail(err, HK_EINPUT, "the matrix is too large");
  pivot_lu *k = calloc(1, sizeof *k);
  if (!k) return hk_fail(err, HK_ENOMEM, "out of memory: linear solver");
  k->head = (hk_linear_solver){.type = &type, .pattern = p, .singular_row = -1, .growth = 1};
  if (allocate(k, p) && !order_columns(k, p)) {
    fill_columns(k, p);
    *out = &k->head;
    return HK_OK;
  }
  destroy(&k->head);
  return hk_fail(err, HK_ENOMEM, "out of memory: linear solver of %d rows", p->rows);
}
