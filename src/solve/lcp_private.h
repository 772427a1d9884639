/* The equilibrated complementarity problem used by all paths, and its merit. */
#ifndef HK_SOLVE_LCP_PRIVATE_H
#define HK_SOLVE_LCP_PRIVATE_H
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/hot.h"
#include "solve/lcp.h"

/* The scaled problem w = A z + q, with entries of magnitude up to about 1. Columns have the
 * length ld, a multiple of four; rows beyond n are zero. In the units of the caller, z is
 * column * size times the scaled z, and w is size / row times the scaled w. */
typedef struct hk_lcp_scaled {
  int n, ld;
  double *A, *q, *row, *column;
  double size;
} hk_lcp_scaled;

#define HK_LCP_LD(n) (((n) + 3) & ~3)

/* Parameters of a path. */
typedef struct hk_lemke_rule {
  const double *cover; /* covering vector, > 0; ld entries */
  /* entries below `pivot` count as zero; ratios that differ by less than `tie` count as equal */
  double pivot, tie;
  double regular; /* added to the diagonal of the matrix */
  int limit;      /* pivots allowed */
} hk_lemke_rule;

struct hk_lemke_work {
  int n_max;
  hk_lcp_scaled s;
  double *T;     /* tableau, (n + 2) columns; also used for a copy of columns for least squares */
  double *z, *w; /* scaled */
  double *ratio; /* this and the following members: one column each */
  double *drive, *cover, *x, *y, *r;
  /* mask of 2 ld values: all are 1 except a zero in the middle. The mask is used to omit one row of a column. */
  double *window;
  int *basis, *nonbasic, *where, *set;
};

/* Returns 2^-e for 2^(e-1) <= x < 2^e: scaling by powers of two has no rounding error. x must not
 * be 0. */
HK_INLINE double hk_lcp_inverse_size(double x) {
  const uint64_t exponent = 0x7ffull << 52, unit = 0x7fdull << 52;
  uint64_t u;
  memcpy(&u, &x, sizeof u);
  u = unit - (u & exponent); /* NaN if x is not finite */
  memcpy(&x, &u, sizeof x);
  return x;
}

HK_INLINE double hk_lcp_larger(double a, double b) { return a > b ? a : b; }

/* If a nonzero entry is smaller than this after equilibration, the columns have different units. */
#define HK_LCP_NARROW (1 / 65536.0)
#define HK_LCP_NOISE 1e-13 /* entries below this value are zero except for round-off */
/* Computes better scale factors, powers of two, for such a matrix: the mean exponent of every row
 * and column is near zero for any units. Starts from the given row and column. */
void hk_lcp_wide_scales(int n, const double *M, double *row, double *column);

/* Returns the entries i .. i + 3 of n entries with the distance `stride`; entries beyond the
 * end are zero. Built as one vector: if they were stored one by one, a vector load would have
 * to wait until they reach the cache. */
#define HK_LCP_GATHER(x, stride, i, n)                                                         \
  ((hk_v4){(i) < (n) ? (x)[(i) * (stride)] : 0, (i) + 1 < (n) ? (x)[((i) + 1) * (stride)] : 0, \
           (i) + 2 < (n) ? (x)[((i) + 2) * (stride)] : 0,                                      \
           (i) + 3 < (n) ? (x)[((i) + 3) * (stride)] : 0})

/* Scales q to 1, and sets the padding to zero. */
HK_INLINE void hk_lcp_equilibrate_q(const int n, const int ld, const double *q, hk_lcp_scaled *s) {
  double size = 0;
#pragma GCC unroll 2
  for (int i = 0; i < ld; i += 4) HK_V4(s->q + i) = HK_LCP_GATHER(q, 1, i, n) * HK_V4C(s->row + i);
#pragma GCC unroll 8
  for (int i = 0; i < ld; i++) size = hk_lcp_larger(fabs(s->q[i]), size);
  double inverse = hk_lcp_inverse_size(hk_lcp_larger(size, 1e-290));
  s->size = 1 / inverse;
  for (int i = 0; i < ld; i++) s->q[i] *= inverse;
}

/* Scales rows first, then columns, then q. The loops include the padding, so that they process
 * whole vectors. */
HK_INLINE void hk_lcp_equilibrate(const int n, const int ld, const double *M, const double *q,
                                  hk_lcp_scaled *s) {
  double *A = s->A, least = 1;
  s->n = n, s->ld = ld;
  for (int i = 0; i < ld; i++)
    s->row[i] = 0, s->q[i] = 1; /* q temporarily holds the smallest entry of the row */
#pragma GCC unroll 8
  for (int j = 0; j < n; j++) {
    double *a = A + j * ld;
#pragma GCC unroll 2
    for (int i = 0; i < ld; i += 4) HK_V4(a + i) = HK_LCP_GATHER(M + j, n, i, n);
#pragma GCC unroll 8
    for (int i = 0; i < ld; i++) s->row[i] = hk_lcp_larger(fabs(a[i]), s->row[i]);
  }
  for (int i = 0; i < ld; i++) s->row[i] = hk_lcp_inverse_size(s->row[i] > 1e-290 ? s->row[i] : 1);
#pragma GCC unroll 8
  for (int j = 0; j < n; j++) {
    double *a = A + j * ld, top = 0;
    for (int i = 0; i < ld; i++) a[i] *= s->row[i];
#pragma GCC unroll 8
    for (int i = 0; i < n; i++) top = hk_lcp_larger(fabs(a[i]), top);
    double c = hk_lcp_inverse_size(top > 1e-290 ? top : 1);
    for (int i = 0; i < ld; i++) a[i] *= c;
    s->column[j] = c;
    for (int i = 0; i < ld; i++) {
      double size = fabs(a[i]) > HK_LCP_NOISE ? fabs(a[i]) : 1;
      s->q[i] = size < s->q[i] ? size : s->q[i];
    }
  }
#pragma GCC unroll 8
  for (int i = 0; i < ld; i++) least = s->q[i] < least ? s->q[i] : least;
  if (least < HK_LCP_NARROW) {
    hk_lcp_wide_scales(n, M, s->row, s->column);
    for (int j = 0; j < n; j++)
      for (int i = 0; i < n; i++) A[j * ld + i] = M[i * n + j] * s->row[i] * s->column[j];
  }
  hk_lcp_equilibrate_q(n, ld, q, s);
}

/* Computes w = A z + q and returns the merit of hk_lcp_merit. */
HK_INLINE double hk_lcp_scaled_merit(const int n, const int ld, const hk_lcp_scaled *s,
                                     const double *z, double *w) {
  double worst = 0, top_q = 0, top_z = 0, finite = 0;
#pragma GCC unroll 2
  for (int i = 0; i < ld; i += 4) {
    hk_v4 sum = HK_V4C(s->q + i);
#pragma GCC unroll 8
    for (int j = 0; j < n; j++) sum += HK_V4C(s->A + j * ld + i) * z[j];
    HK_V4(w + i) = sum;
  }
#pragma GCC unroll 8
  for (int i = 0; i < n; i++) {
    worst = hk_lcp_larger(fabs(w[i] < z[i] ? w[i] : z[i]), worst);
    top_q = hk_lcp_larger(fabs(s->q[i]), top_q);
    top_z = hk_lcp_larger(fabs(z[i]), top_z);
    finite += w[i] * 0;
  }
  if (!(finite == 0)) return HUGE_VAL;
  double allowed = 0.01 * top_z < 1000 * top_q ? 0.01 * top_z : 1000 * top_q;
  return worst == 0 ? 0 : worst / (top_q + allowed);
}

/* Follows one path from the covering vector of the rule; writes k->z. Returns RAY or LIMIT if the
 * path ends that way, otherwise SOLVED with *merit for z. Adds to *pivots. */
hk_lcp_status hk_lemke_path(hk_lemke_work *k, const hk_lemke_rule *rule, double *merit,
                            int *pivots);

/* Tries all further methods, if the first path gave no acceptable solution. Needs k->s; writes k->z
 * and w, and returns SOLVED if they are acceptable. */
hk_lcp_status hk_lcp_rescue(hk_lemke_work *k, hk_lcp_status first, int *pivots);

/* Number of doubles and number of ints of a work struct, and the function that assigns the arrays of this struct. */
#define HK_LEMKE_DOUBLES(n) ((size_t)HK_LCP_LD(n) * (2 * ((size_t)(n) + 2) + 12))
#define HK_LEMKE_INTS(n) ((size_t)(n)*5 + 4)
void hk_lemke_work_lay_out(hk_lemke_work *k, int n, double *d, int *i);

#endif
