/* Ring of equal sectors: see ring.h. */
#include "fe/ring.h"
#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Transforms rows r and r + 1, the components x and y, of a matrix that is stored by columns: from the axes of the
 * sector to axes rotated by `turn`, clockwise, as the angles of the sector are counted. */
static void turn_rows(double *A, int rows, int columns, int r, double c, double s) {
  for (int k = 0; k < columns; k++) {
    double *a = A + (size_t)k * (size_t)rows + r, x = a[0], y = a[1];
    a[0] = c * x - s * y, a[1] = s * x + c * y;
  }
}

void hk_fe_sector_turn(hk_fe_sector *sector, int dim, double turn) {
  int n = 2 * sector->n;
  double c = cos(turn), s = sin(turn), *K = sector->stiffness;
  for (int r = sector->n; r < n; r += dim) {
    turn_rows(K, n, n, r, c, s);
    turn_rows(sector->cut_force, n, sector->vectors, r, c, s);
  }
  for (int r = sector->n; r < n; r += dim) {
    double *a = K + (size_t)r * (size_t)n, *b = a + n; /* columns */
    for (int k = 0; k < n; k++) {
      double x = a[k], y = b[k];
      a[k] = c * x - s * y, b[k] = s * x + c * y;
    }
  }
}

/* A chain of sectors, represented by the stiffness of its two ends: blocks ll, lr (left row, right column) and rr, each
 * n x n by columns. */
typedef struct chain {
  double *ll, *lr, *rr;
} chain;

static bool chain_alloc(chain *c, int n) {
  size_t size = sizeof(double) * (size_t)n * (size_t)n;
  *c = (chain){malloc(size), malloc(size), malloc(size)};
  return c->ll && c->lr && c->rr;
}

static void chain_free(chain *c) {
  free(c->ll);
  free(c->lr);
  free(c->rr);
}

static void chain_copy(chain *to, const chain *from, int n) {
  size_t size = sizeof(double) * (size_t)n * (size_t)n;
  memcpy(to->ll, from->ll, size);
  memcpy(to->lr, from->lr, size);
  memcpy(to->rr, from->rr, size);
}

/* Appends the chain of sectors `b` to the chain `a`. The stiffness of the common cut is M = a.rr + b.ll = L L^T. With
 * P = L^-1 a.lr^T and Q = L^-1 b.lr the blocks of the new chain are
 *   ll = a.ll - P^T P,  lr = -P^T Q,  rr = b.rr - Q^T Q.  `room`: scratch memory of 3 n^2 numbers. */
static bool join(chain *a, const chain *b, int n, double *room) {
  size_t size = (size_t)n * (size_t)n;
  double *M = room, *P = room + size, *Q = room + 2 * size;
  for (size_t i = 0; i < size; i++) M[i] = a->rr[i] + b->ll[i];
  if (LAPACKE_dpotrf(LAPACK_COL_MAJOR, 'L', n, M, n)) return false;
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++)
      P[(size_t)i * (size_t)n + (size_t)k] = a->lr[(size_t)k * (size_t)n + (size_t)i];
  memcpy(Q, b->lr, sizeof(double) * size);
  cblas_dtrsm(CblasColMajor, CblasLeft, CblasLower, CblasNoTrans, CblasNonUnit, n, n, 1, M, n, P,
              n);
  cblas_dtrsm(CblasColMajor, CblasLeft, CblasLower, CblasNoTrans, CblasNonUnit, n, n, 1, M, n, Q,
              n);
  cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, n, n, n, -1, P, n, P, n, 1, a->ll, n);
  cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, n, n, n, -1, P, n, Q, n, 0, a->lr, n);
  memcpy(a->rr, b->rr, sizeof(double) * size);
  cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, n, n, n, -1, Q, n, Q, n, 1, a->rr, n);
  return true;
}

static void chain_of(const hk_fe_sector *s, chain *c) {
  int n = s->n;
  for (int b = 0; b < n; b++)
    for (int a = 0; a < n; a++) {
      size_t at = (size_t)b * (size_t)n + (size_t)a, two = 2 * (size_t)n;
      c->ll[at] = s->stiffness[(size_t)b * two + (size_t)a];
      c->lr[at] = s->stiffness[(size_t)(b + n) * two + (size_t)a];
      c->rr[at] = s->stiffness[(size_t)(b + n) * two + (size_t)(a + n)];
    }
}

/* Makes a chain of `length` sectors, using the binary digits of the length; `one` is overwritten. */
static bool chain_power(chain *one, int length, int n, const hk_fe_progress *progress, chain *out,
                        double *room) {
  bool any = false, ok = true;
  double rounds = ceil(log2(length + 1)) + 1, round = 0; /* plus one round for closing the ring */
  for (; length && ok; length /= 2) {
    hk_fe_tell(progress, round++ / rounds);
    if (length % 2) {
      if (any)
        ok = join(out, one, n, room);
      else
        chain_copy(out, one, n);
      any = true;
    }
    if (ok && length > 1) {
      chain *same = one;
      double *copy = room + 3 * (size_t)n * (size_t)n;
      chain b = {copy, copy + (size_t)n * (size_t)n, copy + 2 * (size_t)n * (size_t)n};
      chain_copy(&b, same, n);
      ok = join(one, &b, n, room);
    }
  }
  return ok;
}

/* Adds a chain between the cuts a and b to the matrix of the ring, lower half. */
static void add_chain(double *R, int size, int n, const chain *c, int a, int b) {
  for (int k = 0; k < n; k++)
    for (int i = 0; i < n; i++) {
      size_t at = (size_t)k * (size_t)n + (size_t)i, whole = (size_t)size;
      R[(size_t)(a * n + k) * whole + (size_t)(a * n + i)] += c->ll[at];
      R[(size_t)(b * n + k) * whole + (size_t)(b * n + i)] += c->rr[at];
      R[(size_t)(b * n + k) * whole + (size_t)(a * n + i)] += c->lr[at];
      R[(size_t)(a * n + i) * whole + (size_t)(b * n + k)] += c->lr[at];
    }
}

static hk_status solve(const hk_fe_sector *s, chain *one, chain *rest, int teeth, int reach,
                       int loads, const hk_fe_progress *progress, double *room, double *R,
                       double *out, hk_error *err) {
  int n = s->n, cuts = 2 * reach + 2, size = cuts * n;
  for (int k = 0; k + 1 < cuts; k++) add_chain(R, size, n, one, k, k + 1);
  if (!chain_power(one, teeth - (cuts - 1), n, progress, rest, room))
    return hk_fail(err, HK_EFAIL, "the stiffness matrix of the gear is not positive definite");
  add_chain(R, size, n, rest, cuts - 1, 0);
  memset(out, 0, sizeof *out * (size_t)size * (size_t)loads);
  for (int c = 0; c < loads; c++)
    memcpy(out + (size_t)c * (size_t)size + (size_t)(reach * n),
           s->cut_force + (size_t)c * 2 * (size_t)n, sizeof *out * 2 * (size_t)n);
  if (LAPACKE_dpotrf(LAPACK_COL_MAJOR, 'L', size, R, size) ||
      LAPACKE_dpotrs(LAPACK_COL_MAJOR, 'L', size, loads, R, size, out, size))
    return hk_fail(err, HK_EFAIL, "the stiffness matrix of the gear is not positive definite");
  return HK_OK;
}

hk_status hk_fe_ring_solve(const hk_fe_sector *s, int teeth, int reach, int loads,
                           const hk_fe_progress *progress, double *out, hk_error *err) {
  int n = s->n, size = (2 * reach + 2) * n;
  chain one = {0}, rest = {0};
  double *R = calloc((size_t)size * (size_t)size, sizeof *R);
  double *room = malloc(sizeof *room * 6 * (size_t)n * (size_t)n);
  bool ok = chain_alloc(&one, n) && chain_alloc(&rest, n) && R && room;
  if (ok) chain_of(s, &one);
  hk_status status = ok ? solve(s, &one, &rest, teeth, reach, loads, progress, room, R, out, err)
                        : hk_fail(err, HK_ENOMEM, "out of memory");
  chain_free(&one);
  chain_free(&rest);
  free(R);
  free(room);
  return status;
}
