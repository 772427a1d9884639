/* Supernodal Cholesky factors: see cholesky.h. */
#include "fe_solve/cholesky.h"
#include "base/memory_check.h"
#include "lapack/lapack.h"
#include "fe_solve/dissection.h"
#include "fe_solve/supernodes.h"
#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Number of columns (nodes) of a supernode that are updated at once. */
enum { PANEL = 170 };

struct hk_cholesky {
  int total; /* nodes of the matrix */
  hk_supernodes s;
  size_t *at;          /* [count + 1] position of each supernode in L */
  double *L;           /* trapezoids, stored by columns; their upper triangles are not used */
  int widest, tallest; /* number of rows: of the diagonal blocks, and below them */
  hk_cholesky_size size;
};

void hk_cholesky_free(hk_cholesky *c) {
  if (!c) return;
  hk_supernodes_free(&c->s);
  free(c->at);
  free(c->L);
  free(c);
}

hk_cholesky_size hk_cholesky_sizes(const hk_cholesky *c) { return c->size; }

static int width_of(const hk_supernodes *s, int k) { return s->start[k + 1] - s->start[k]; }
static int below(const hk_supernodes *s, int k) { return (int)(s->first[k + 1] - s->first[k]); }

/* ---- structure ---- */

static hk_status make_structure(const hk_cholesky_task *t, hk_cholesky *c, hk_error *err) {
  int n = t->A->n, kept = 0, *order = malloc(sizeof *order * ((size_t)n + 1));
  if (!order) return hk_fail(err, HK_ENOMEM, "out of memory");
  hk_status status = hk_dissect(n, t->A->first, t->A->column, t->x, order, err);
  for (int i = 0; i < n; i++)
    if (!t->held || !t->held[order[i]]) order[kept++] = order[i];
  if (!status) status = hk_supernodes_make(n, t->A->first, t->A->column, order, kept, &c->s, err);
  free(order);
  return status;
}

static hk_status make_room(hk_cholesky *c, hk_error *err) {
  const hk_supernodes *s = &c->s;
  c->at = malloc(sizeof *c->at * ((size_t)s->count + 1));
  if (!c->at) return hk_fail(err, HK_ENOMEM, "out of memory");
  size_t used = 0;
  for (int k = 0; k < s->count; k++) {
    int w = 3 * width_of(s, k), b = 3 * below(s, k);
    c->at[k] = used;
    used += (size_t)(w + b) * (size_t)w;
    if (w > c->widest) c->widest = w;
    if (b > c->tallest) c->tallest = b;
    for (int i = 0; i < w; i++) c->size.flops += (double)(b + w - i) * (b + w - i);
    c->size.entries += 0.5 * w * (w + 1.0) + (double)w * b;
  }
  c->at[s->count] = used;
  c->L = calloc(used + 1, sizeof *c->L);
  if (!c->L)
    return hk_fail(err, HK_ENOMEM,
                   "the factors of the stiffness need %.1f GiB of memory; use a coarser mesh",
                   (double)used * 8 / (1 << 30));
  return HK_OK;
}

/* ---- numbers ---- */

typedef struct factor {
  const hk_cholesky_task *t;
  hk_cholesky *c;
  int *position;    /* [n] position of a node in the order of elimination; -1: held */
  int *where;       /* [n] row of a node in the present supernode */
  int *head, *next; /* lists of the supernodes that update one supernode */
  size_t *from;     /* [count] first row of a supernode that has not been used yet */
  double *update;   /* a panel of updates */
  size_t room;
  double done;
} factor;

/* Entries of the matrix. */
static void fill(factor *f, int k) {
  const hk_nodal_matrix *A = f->t->A;
  const hk_supernodes *s = &f->c->s;
  double *L = f->c->L + f->c->at[k];
  size_t ld = 3 * (size_t)(width_of(s, k) + below(s, k));
  for (int i = s->start[k]; i < s->start[k + 1]; i++) {
    int node = s->order[i];
    double *column = L + 3 * (size_t)(i - s->start[k]) * ld;
    for (size_t e = A->first[node]; e < A->first[node + 1]; e++) {
      int r = f->position[A->column[e]];
      if (r < i) continue;
      double *to = column + 3 * (size_t)f->where[r];
      for (int p = 0; p < 3; p++)
        for (int q = 0; q < 3; q++)
          to[(size_t)q * ld + (size_t)p] += A->K[9 * e + 3 * (size_t)q + (size_t)p];
    }
    for (int spring = 0; spring < f->t->n_springs; spring++) {
      const hk_nodal_spring *g = &f->t->spring[spring];
      double *own = column + 3 * (size_t)(i - s->start[k]);
      for (int p = 0; p < 3 && g->node == node; p++)
        for (int q = 0; q < 3; q++)
          own[(size_t)q * ld + (size_t)p] += g->stiffness * g->direction[p] * g->direction[q];
    }
  }
}

/* Subtracts the contribution of supernode d to the columns of supernode k, in panels. */
static void subtract(factor *f, int k, int d) {
  const hk_supernodes *s = &f->c->s;
  const int *row = s->row + s->first[d];
  int inner = 3 * width_of(s, d), rows = below(s, d), from = (int)(f->from[d] - s->first[d]),
      to = from;
  size_t ld = 3 * (size_t)(width_of(s, k) + below(s, k)), own = (size_t)inner + 3 * (size_t)rows;
  double *L = f->c->L + f->c->at[k];
  const double *D = f->c->L + f->c->at[d] + inner; /* rows below */
  while (to < rows && row[to] < s->start[k + 1]) to++;
  for (int first = from; first < to; first += PANEL) {
    int last = first + PANEL < to ? first + PANEL : to, w = 3 * (last - first),
        h = 3 * (rows - first);
    const double *B = D + 3 * (size_t)first;
    cblas_dsyrk(CblasColMajor, CblasLower, CblasNoTrans, w, inner, 1, B, (int)own, 0, f->update, h);
    if (h > w)
      cblas_dgemm(CblasColMajor, CblasNoTrans, CblasTrans, h - w, w, inner, 1, B + w, (int)own, B,
                  (int)own, 0, f->update + w, h);
    for (int j = first; j < last; j++)
      for (int q = 0; q < 3; q++) {
        const double *u = f->update + (size_t)(3 * (j - first) + q) * (size_t)h;
        double *column = L + (3 * (size_t)(row[j] - s->start[k]) + (size_t)q) * ld;
        for (int i = j; i < rows; i++) {
          double *target = column + 3 * (size_t)f->where[row[i]];
          const double *v = u + 3 * (i - first);
          target[0] -= v[0], target[1] -= v[1], target[2] -= v[2];
        }
      }
  }
  f->from[d] = s->first[d] + (size_t)to;
}

/* Adds a supernode to the list of the supernode that contains its next rows. */
static void enqueue(factor *f, int d) {
  const hk_supernodes *s = &f->c->s;
  if (f->from[d] >= s->first[d + 1]) return;
  int k = s->of[s->row[f->from[d]]];
  f->next[d] = f->head[k];
  f->head[k] = d;
}

/* Factorizes one supernode; false: the matrix is not positive definite, *bad is the column. */
static bool finish(factor *f, int k, int *bad) {
  const hk_supernodes *s = &f->c->s;
  int w = 3 * width_of(s, k), b = 3 * below(s, k), ld = w + b;
  double *L = f->c->L + f->c->at[k], least = INFINITY;
  /* diagonal before elimination: if a pivot loses all its digits, the structure is a mechanism */
  double *before = f->update;
  for (int i = 0; i < w; i++) before[i] = 0;
  for (int i = 0; i < w; i++) {
    int node = s->order[s->start[k] + i / 3];
    size_t e = hk_nodal_entry(f->t->A, node, node);
    before[i] = f->t->A->K[9 * e + 4 * (size_t)(i % 3)];
  }
  int info = LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', w, L, ld);
  *bad = info > 0 ? info - 1 : 0;
  if (info) return false;
  for (int i = 0; i < w; i++) {
    double pivot = L[(size_t)i * (size_t)ld + (size_t)i], share = pivot * pivot / before[i];
    if (share < least) least = share, *bad = i;
  }
  if (!(least > 1e-14)) return false;
  if (b)
    cblas_dtrsm(CblasColMajor, CblasRight, CblasLower, CblasTrans, CblasNonUnit, b, w, 1, L, ld,
                L + w, ld);
  return true;
}

static bool tell(const factor *f) {
  hk_progress now = {.what = "stiffness",
                     .done = f->c->size.flops > 0 ? f->done / f->c->size.flops : 1,
                     .time = NAN};
  return !f->t->progress || f->t->progress(f->t->context, &now);
}

static hk_status factorize(factor *f, int *node, hk_error *err) {
  const hk_supernodes *s = &f->c->s;
  for (int i = 0; i < f->c->total; i++) f->position[i] = -1;
  for (int i = 0; i < s->n; i++) f->position[s->order[i]] = i;
  for (int k = 0; k < s->count; k++) f->head[k] = -1, f->from[k] = s->first[k];
  for (int k = 0; k < s->count; k++) {
    int w = width_of(s, k), bad;
    for (int i = 0; i < w; i++) f->where[s->start[k] + i] = i;
    for (int i = 0; i < below(s, k); i++) f->where[s->row[s->first[k] + (size_t)i]] = w + i;
    fill(f, k);
    for (int d = f->head[k]; d >= 0;) {
      int next = f->next[d];
      subtract(f, k, d);
      enqueue(f, d);
      d = next;
    }
    if (!finish(f, k, &bad)) {
      int at = s->order[s->start[k] + bad / 3];
      if (node) *node = at;
      return hk_fail(err, HK_EFAIL, "the stiffness is not positive definite at node %d", at);
    }
    enqueue(f, k);
    int rows = 3 * below(s, k);
    for (int i = 0; i < 3 * w; i++) f->done += (double)(rows + 3 * w - i) * (rows + 3 * w - i);
    if (!tell(f)) return hk_fail(err, HK_STOPPED, "stopped");
  }
  return HK_OK;
}

static hk_status make_factors(const hk_cholesky_task *t, hk_cholesky *c, int *node, hk_error *err) {
  factor f = {.t = t, .c = c};
  size_t n = (size_t)c->total + 1, count = (size_t)c->s.count + 1;
  size_t panel = (size_t)(c->widest < 3 * PANEL ? c->widest : 3 * PANEL);
  f.room = panel * ((size_t)c->tallest + (size_t)c->widest) + (size_t)c->widest + 1;
  f.position = malloc(sizeof *f.position * n);
  f.where = malloc(sizeof *f.where * n);
  f.head = malloc(sizeof *f.head * count);
  f.next = malloc(sizeof *f.next * count);
  f.from = malloc(sizeof *f.from * count);
  f.update = malloc(sizeof *f.update * f.room);
  hk_status status = f.position && f.where && f.head && f.next && f.from && f.update
                         ? factorize(&f, node, err)
                         : hk_fail(err, HK_ENOMEM, "out of memory");
  free(f.position);
  free(f.where);
  free(f.head);
  free(f.next);
  free(f.from);
  free(f.update);
  return status;
}

hk_status hk_cholesky_create(const hk_cholesky_task *task, hk_cholesky **out, int *node,
                             hk_error *err) {
  *out = NULL;
  hk_status status = hk_lapack_begin("the stiffness of a part", err);
  if (status) return status;
  hk_cholesky *c = calloc(1, sizeof *c);
  if (!c) return hk_fail(err, HK_ENOMEM, "out of memory");
  c->total = task->A->n;
  status = make_structure(task, c, err);
  if (!status) status = make_room(c, err);
  if (!status) status = make_factors(task, c, node, err);
  if (status)
    hk_cholesky_free(c);
  else
    *out = c;
  return status;
}

/* ---- solution ---- */

/* Copies the rows of supernode k between the ordered vectors y and a dense block. */
static void gather(const hk_supernodes *s, int k, const double *y, size_t length, int vectors,
                   double *block) {
  int n = below(s, k);
  const int *row = s->row + s->first[k];
  for (int v = 0; v < vectors; v++)
    for (int i = 0; i < n; i++)
      memcpy(block + 3 * ((size_t)v * (size_t)n + (size_t)i),
             y + (size_t)v * length + 3 * (size_t)row[i], 3 * sizeof *y);
}

static void scatter(const hk_supernodes *s, int k, const double *block, size_t length, int vectors,
                    double *y) {
  int n = below(s, k);
  const int *row = s->row + s->first[k];
  for (int v = 0; v < vectors; v++)
    for (int i = 0; i < n; i++) {
      const double *from = block + 3 * ((size_t)v * (size_t)n + (size_t)i);
      double *to = y + (size_t)v * length + 3 * (size_t)row[i];
      to[0] -= from[0], to[1] -= from[1], to[2] -= from[2];
    }
}

static void substitute(const hk_cholesky *c, int vectors, double *y, double *block) {
  const hk_supernodes *s = &c->s;
  size_t length = 3 * (size_t)s->n;
  for (int k = 0; k < s->count; k++) {
    int w = 3 * width_of(s, k), b = 3 * below(s, k), ld = w + b;
    double *own = y + 3 * (size_t)s->start[k];
    const double *L = c->L + c->at[k];
    cblas_dtrsm(CblasColMajor, CblasLeft, CblasLower, CblasNoTrans, CblasNonUnit, w, vectors, 1, L,
                ld, own, (int)length);
    if (!b) continue;
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, b, vectors, w, 1, L + w, ld, own,
                (int)length, 0, block, b);
    scatter(s, k, block, length, vectors, y);
  }
  for (int k = s->count - 1; k >= 0; k--) {
    int w = 3 * width_of(s, k), b = 3 * below(s, k), ld = w + b;
    double *own = y + 3 * (size_t)s->start[k];
    const double *L = c->L + c->at[k];
    if (b) {
      gather(s, k, y, length, vectors, block);
      cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, w, vectors, b, -1, L + w, ld, block, b,
                  1, own, (int)length);
    }
    cblas_dtrsm(CblasColMajor, CblasLeft, CblasLower, CblasTrans, CblasNonUnit, w, vectors, 1, L,
                ld, own, (int)length);
  }
}

hk_status hk_cholesky_solve(const hk_cholesky *c, int vectors, double *b, hk_error *err) {
  enum { MOST = 16 }; /* several vectors at once, so that the blocks stay in the cache */
  const hk_supernodes *s = &c->s;
  size_t length = 3 * (size_t)s->n, all = 3 * (size_t)c->total;
  double *y = malloc(sizeof *y * (length * MOST + 1)),
         *block = malloc(sizeof *block * ((size_t)c->tallest * MOST + 1));
  hk_status status = y && block ? HK_OK : hk_fail(err, HK_ENOMEM, "out of memory");
  for (int first = 0; first < vectors && !status; first += MOST) {
    int count = vectors - first < MOST ? vectors - first : MOST;
    double *part = b + (size_t)first * all;
    for (int v = 0; v < count; v++)
      for (int i = 0; i < s->n; i++)
        memcpy(y + (size_t)v * length + 3 * (size_t)i,
               part + (size_t)v * all + 3 * (size_t)s->order[i], 3 * sizeof *y);
    substitute(c, count, y, block);
    memset(part, 0, sizeof *part * all * (size_t)count);
    for (int v = 0; v < count; v++)
      for (int i = 0; i < s->n; i++)
        memcpy(part + (size_t)v * all + 3 * (size_t)s->order[i],
               y + (size_t)v * length + 3 * (size_t)i, 3 * sizeof *y);
  }
  free(y);
  free(block);
  return status;
}
