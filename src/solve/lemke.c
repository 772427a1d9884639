/* Lemke's method on a dictionary: each basic variable as a function of the nonbasic ones,
 *
 *   x_B = T x_N + t,   initially  w = A z + cover z0 + q.
 *
 * Only the n + 1 nonbasic columns and t are stored, by columns, so that the ratio test and the
 * update read whole vectors. The lexicographic rule needs the columns of w: they are in the
 * dictionary if nonbasic and unit vectors if basic, so that the rule costs nothing unless ties
 * occur. Up to n = HK_LCP_SMALL the same code is compiled with constant n. */
#include <float.h>
#include <stdlib.h>

#include "solve/lcp_private.h"

/* Mask of ones with a zero at the pivot row, if it is read from window + HK_LCP_SMALL - row on. */
static const double small_window[2 * HK_LCP_SMALL] = {1, 1, 1, 1, 1, 1, 1, 1,
                                                      0, 1, 1, 1, 1, 1, 1, 1};

typedef struct path {
  double *T, *ratio, *drive;
  const double *window; /* at its zero */
  int *basis;           /* variable of each row: w_i is i, z_i is n + i, z0 is 2 n */
  int *nonbasic;        /* variable of each column */
  int *where;           /* position of each variable: its row, or n + its column */
} path;

/* Entry (i, k) of the inverse of the basis: minus the column of w_k if w_k is nonbasic,
 * otherwise a unit vector. */
HK_INLINE double inverse_entry(const int n, const int ld, const path *p, int i, int k) {
  int at = p->where[k];
  if (at < n) return i == at ? 1 : 0;
  return -p->T[(at - n) * ld + i];
}

/* Among the rows with a ratio of at most `limit`, returns the row for which the row of the
 * inverse, divided by its entry in the driving column, is lexicographically smallest. */
HK_APART static int lexicographic_row(const int n, const int ld, const path *p, double limit,
                                      double tie) {
  int best = -1;
  for (int i = 0; i < n; i++) {
    if (p->ratio[i] > limit) continue;
    if (best < 0) {
      best = i;
      continue;
    }
    for (int k = 0; k < n; k++) {
      double a = inverse_entry(n, ld, p, i, k) / -p->drive[i];
      double b = inverse_entry(n, ld, p, best, k) / -p->drive[best];
      if (fabs(a - b) <= tie * (fabs(a) + fabs(b))) continue;
      if (a < b) best = i;
      break;
    }
  }
  return best;
}

/* Makes a pivot: the driving variable, column e, replaces the basic variable of row r. Reads the
 * columns from `from` (the first time from the problem itself) and writes T. */
HK_INLINE void pivot(const int n, const int ld, const path *p, const double *from, int r, int e) {
  const double inverse = 1 / p->drive[r];
  const double *keep = p->window - r;
#pragma GCC unroll 2
  for (int i = 0; i < ld; i += 4) { /* the driving column with 1 in row r */
    hk_v4 one = HK_V4C(keep + i);
    HK_V4(p->drive + i) = HK_V4C(p->drive + i) * one + (1 - one);
  }
#pragma GCC unroll 10
  for (int c = 0; c < n + 2; c++) { /* the result in column e is invalid and overwritten below */
    const double *a = from + c * ld;
    double *t = p->T + c * ld;
    const double f = -a[r] * inverse;
#pragma GCC unroll 2
    for (int i = 0; i < ld; i += 4)
      HK_V4(t + i) = HK_V4C(a + i) * HK_V4C(keep + i) + HK_V4C(p->drive + i) * f;
  }
  double *t = p->T + e * ld;
#pragma GCC unroll 2
  for (int i = 0; i < ld; i += 4) HK_V4(t + i) = HK_V4C(p->drive + i) * inverse;
  int in = p->nonbasic[e], out = p->basis[r];
  p->basis[r] = in, p->where[in] = r;
  p->nonbasic[e] = out, p->where[out] = e + n;
}

/* Index of the smallest of n numbers >= 0. For small n: the bit patterns have the same order as
 * the numbers, so the index is stored in the last three bits and no branch is needed. */
HK_INLINE int smallest(const int n, const double *x) {
  if (n > HK_LCP_SMALL) {
    int best = 0;
    for (int i = 1; i < n; i++)
      if (x[i] < x[best]) best = i;
    return best;
  }
  uint64_t least = UINT64_MAX;
#pragma GCC unroll 8
  for (int i = 0; i < n; i++) {
    uint64_t u;
    memcpy(&u, x + i, sizeof u);
    u = (u & ~7ull) | (uint64_t)i;
    least = u < least ? u : least;
  }
  return (int)(least & 7);
}

/* Returns the row that blocks the driving variable; -1: none. If z0 and another variable block at the same value, z0
 * is preferred, because the path then ends. */
HK_INLINE int ratio_test(const int n, const int ld, const path *p, int z0,
                         const hk_lemke_rule *rule, double *step) {
  const double *t = p->T + (n + 1) * ld;
  for (int i = 0; i < ld; i++) {
    double a = -p->drive[i], b = t[i] > 0 ? t[i] : 0;
    p->ratio[i] = a > rule->pivot ? b / a : HUGE_VAL;
  }
  int r = smallest(n, p->ratio), near = 0;
  double least = p->ratio[r];
  if (least == HUGE_VAL) return -1;
  double limit = least + rule->tie * (1 + least);
#pragma GCC unroll 8
  for (int i = 0; i < n; i++) near += p->ratio[i] <= limit;
  if (near > 1) r = p->ratio[z0] <= limit ? z0 : lexicographic_row(n, ld, p, limit, rule->tie);
  *step = p->ratio[r];
  return r;
}

/* Follows the path, starting from a q with a negative entry; in A, the covering vector and q must
 * follow as the next two columns. */
HK_INLINE hk_lcp_status walk(const int n, const int ld, const double *A, const path *p,
                             const hk_lemke_rule *rule, double *z, int *pivots) {
  for (int i = 0; i < n; i++) {
    p->basis[i] = i, p->where[i] = i;
    p->nonbasic[i] = n + i, p->where[n + i] = n + i;
  }
  p->nonbasic[n] = 2 * n, p->where[2 * n] = 2 * n;
  const double *cover = A + n * ld, *q = cover + ld;
  int r = 0; /* if ratios are equal, the last one is the lexicographic choice */
  for (int i = 1; i < n; i++)
    if (q[i] * cover[r] <= q[r] * cover[i]) r = i;
  for (int i = 0; i < ld; i += 4) HK_V4(p->drive + i) = HK_V4C(cover + i);
  int z0 = r, e = n, out = r;
  const double *from = A;
  for (int count = 1;; count++) {
    pivot(n, ld, p, from, r, e);
    from = p->T;
    int in = out < n ? out + n : out - n;
    e = p->where[in] - n;
    for (int i = 0; i < ld; i += 4) HK_V4(p->drive + i) = HK_V4C(p->T + e * ld + i);
    double step = 0;
    r = ratio_test(n, ld, p, z0, rule, &step);
    *pivots += 1;
    if (r < 0) return HK_LCP_RAY;
    if (r == z0) { /* z0 leaves the basis and the path ends, so that only the values are needed */
      const double *t = p->T + (n + 1) * ld;
      for (int i = 0; i < n; i++) z[i] = 0;
      for (int i = 0; i < n; i++) {
        double value = t[i] + p->drive[i] * step;
        if (i != r && p->basis[i] >= n) z[p->basis[i] - n] = value > 0 ? value : 0;
      }
      if (in >= n) z[in - n] = step;
      p->basis[r] = in;
      *pivots += 1;
      return HK_LCP_SOLVED;
    }
    if (count >= rule->limit) return HK_LCP_LIMIT;
    out = p->basis[r];
  }
}

/* Writes the result for the caller: one value of every pair z_i, w_i is zero, and none is
 * negative. */
HK_INLINE void hand_out(const int n, const hk_lcp_scaled *s, const double *zs, const double *ws,
                        double *z, double *w) {
  for (int i = 0; i < n; i++) {
    bool closed = zs[i] > ws[i];
    z[i] = closed ? zs[i] * s->column[i] * s->size : 0;
    w[i] = closed || ws[i] < 0 ? 0 : ws[i] * s->size / s->row[i];
  }
}

/* Equilibrates, follows one path, computes the merit. n is a compile-time constant in every
 * call. */
HK_INLINE double small_solve(const int n, const double *M, const double *q, double *z, double *w,
                             hk_lcp_status *end, int *pivots) {
  enum { LD = HK_LCP_SMALL, ROWS = LD };
  const int ld = HK_LCP_LD(n);
  _Alignas(32) double A[LD * (LD + 2)], T[LD * (LD + 2)], ratio[ROWS], drive[ROWS];
  _Alignas(32) double zs[ROWS], ws[ROWS], row[ROWS], column[ROWS];
  int basis[LD], nonbasic[LD + 1], where[2 * LD + 1];
  hk_lcp_scaled s = {.A = A, .q = A + (n + 1) * ld, .row = row, .column = column};
  hk_lcp_equilibrate(n, ld, M, q, &s);
  for (int i = 0; i < ld; i++) A[n * ld + i] = i < n ? 1 : 0;
  const hk_lemke_rule rule = {.pivot = 1e-12, .tie = 1e-13, .limit = 10 * n};
  const path p = {T, ratio, drive, small_window + HK_LCP_SMALL, basis, nonbasic, where};
  *end = walk(n, ld, A, &p, &rule, zs, pivots);
  if (*end != HK_LCP_SOLVED) return HUGE_VAL;
  double merit = hk_lcp_scaled_merit(n, ld, &s, zs, ws);
  if (merit <= HK_LCP_TOL) hand_out(n, &s, zs, ws, z, w);
  return merit;
}

#define SMALL(N)                                                                         \
  HK_HOT static double small_##N(const double *M, const double *q, double *z, double *w, \
                                 hk_lcp_status *end, int *pivots) {                      \
    return small_solve(N, M, q, z, w, end, pivots);                                      \
  }
SMALL(2)
SMALL(3)
SMALL(4)
SMALL(5)
SMALL(6)
SMALL(7)
SMALL(8)

HK_HOT static hk_lcp_status walk_any(int n, int ld, const double *A, const path *p,
                                     const hk_lemke_rule *rule, double *z, int *pivots) {
  return walk(n, ld, A, p, rule, z, pivots);
}

hk_lcp_status hk_lemke_path(hk_lemke_work *k, const hk_lemke_rule *rule, double *merit,
                            int *pivots) {
  hk_lcp_scaled *s = &k->s;
  const int n = s->n, ld = s->ld;
  path p = {k->T, k->ratio, k->drive, k->window + ld, k->basis, k->nonbasic, k->where};
  memcpy(s->A + (size_t)n * (size_t)ld, rule->cover, (size_t)ld * sizeof *s->A);
  for (int i = 0; i < n; i++) s->A[i * ld + i] += rule->regular;
  hk_lcp_status end = walk_any(n, ld, s->A, &p, rule, k->z, pivots);
  for (int i = 0; i < n; i++) s->A[i * ld + i] -= rule->regular;
  *merit = end == HK_LCP_SOLVED ? hk_lcp_scaled_merit(n, ld, s, k->z, k->w) : HUGE_VAL;
  return end;
}

void hk_lemke_work_lay_out(hk_lemke_work *k, int n, double *d, int *i) {
  const size_t ld = (size_t)HK_LCP_LD(n), columns = (size_t)n + 2;
  k->n_max = n;
  k->s.A = d, k->s.q = d + (columns - 1) * ld, d += columns * ld; /* A, cover, q */
  k->T = d, d += columns * ld;
  double **each[] = {&k->s.row, &k->s.column, &k->z, &k->w, &k->ratio, &k->drive,
                     &k->cover, &k->x,        &k->y, &k->r, &k->window};
  for (size_t a = 0; a < sizeof each / sizeof *each; a++) *each[a] = d, d += ld;
  k->basis = i, k->nonbasic = i + n, k->where = i + 2 * n + 1, k->set = i + 4 * n + 2;
}

/* Assigns the arrays for size n. The window is at the end of the memory and twice as long as the
 * other arrays. */
static void fit(hk_lemke_work *k, int n) {
  const int ld = HK_LCP_LD(n);
  k->s.n = n, k->s.ld = ld;
  k->s.q = k->s.A + (size_t)(n + 1) * (size_t)ld;
  for (int i = 0; i < 2 * ld; i++) k->window[i] = i == ld ? 0 : 1;
}

hk_lemke_work *hk_lemke_work_create(int n_max) {
  if (n_max < 1) n_max = 1;
  hk_lemke_work *k = calloc(1, sizeof *k);
  double *d = calloc(HK_LEMKE_DOUBLES(n_max), sizeof *d);
  int *i = calloc(HK_LEMKE_INTS(n_max), sizeof *i);
  if (!k || !d || !i) {
    free(k), free(d), free(i);
    return NULL;
  }
  hk_lemke_work_lay_out(k, n_max, d, i);
  return k;
}

void hk_lemke_work_free(hk_lemke_work *k) {
  if (!k) return;
  free(k->s.A), free(k->basis);
  free(k);
}

HK_HOT static void equilibrate_any(int n, const double *M, const double *q, hk_lcp_scaled *s) {
  hk_lcp_equilibrate(n, HK_LCP_LD(n), M, q, s);
}

/* Equilibrates the problem into k and follows the general path; if the result `end` of a small
 * kernel is already known, tries only the other methods. */
static hk_lcp_status general(int n, const double *M, const double *q, double *z, double *w,
                             hk_lemke_work *k, hk_lcp_status end, bool tried, int *pivots) {
  for (int i = 0; i < n; i++) z[i] = w[i] = 0;
  if (!k || k->n_max < n) return HK_LCP_LIMIT;
  fit(k, n);
  equilibrate_any(n, M, q, &k->s);
  double merit = HUGE_VAL, finite = 0;
  for (int i = 0; i < n; i++) finite += k->s.q[i] * 0;
  for (int i = 0; i < n * k->s.ld; i++) finite += k->s.A[i] * 0;
  if (!(finite == 0)) return HK_LCP_LIMIT;
  if (!tried) {
    for (int i = 0; i < k->s.ld; i++) k->cover[i] = i < n ? 1 : 0;
    hk_lemke_rule rule = {k->cover, 1e-12, 1e-13, 0, 10 * n + 50};
    end = hk_lemke_path(k, &rule, &merit, pivots);
  }
  if (merit > HK_LCP_TOL) end = hk_lcp_rescue(k, end, pivots);
  if (end == HK_LCP_SOLVED) hand_out(n, &k->s, k->z, k->w, z, w);
  return end;
}

HK_APART static hk_lcp_status small_rescue(int n, const double *M, const double *q, double *z,
                                           double *w, hk_lcp_status end, int *pivots) {
  double d[HK_LEMKE_DOUBLES(HK_LCP_SMALL)];
  int i[HK_LEMKE_INTS(HK_LCP_SMALL)];
  hk_lemke_work k = {0};
  hk_lemke_work_lay_out(&k, n, d, i);
  return general(n, M, q, z, w, &k, end, true, pivots);
}

static hk_lcp_status scalar(double m, double q, double *z, double *w) {
  z[0] = -q / m, w[0] = 0; /* q < 0 here */
  if (m > 0 && isfinite(z[0])) return HK_LCP_SOLVED;
  z[0] = 0;
  return m <= 0 ? HK_LCP_RAY : HK_LCP_LIMIT;
}

hk_lcp_status hk_lemke(int n, const double *M, const double *q, double *z, double *w,
                       hk_lemke_work *k, int *pivots) {
  int spare = 0, *count = pivots ? pivots : &spare;
  *count = 0;
  bool open = true;
  for (int i = 0; i < n; i++) open &= q[i] >= 0 && q[i] <= DBL_MAX;
  if (open) {
    for (int i = 0; i < n; i++) z[i] = 0, w[i] = q[i];
    return HK_LCP_SOLVED;
  }
  hk_lcp_status end = HK_LCP_SOLVED;
  double merit;
  switch (n) {
    case 1:
      return scalar(M[0], q[0], z, w);
    case 2:
      merit = small_2(M, q, z, w, &end, count);
      break;
    case 3:
      merit = small_3(M, q, z, w, &end, count);
      break;
    case 4:
      merit = small_4(M, q, z, w, &end, count);
      break;
    case 5:
      merit = small_5(M, q, z, w, &end, count);
      break;
    case 6:
      merit = small_6(M, q, z, w, &end, count);
      break;
    case 7:
      merit = small_7(M, q, z, w, &end, count);
      break;
    case 8:
      merit = small_8(M, q, z, w, &end, count);
      break;
    default:
      return general(n, M, q, z, w, k, end, false, count);
  }
  if (merit <= HK_LCP_TOL) return HK_LCP_SOLVED;
  return small_rescue(n, M, q, z, w, end, count);
}

void hk_lcp_wide_scales(int n, const double *M, double *row, double *column) {
  for (int pass = 0; pass < 8; pass++)
    for (int i = 0; i < n; i++) {
      double sum = 0;
      int count = 0;
      for (int j = 0; j < n; j++) {
        double m =
            fabs(pass % 2 ? M[j * n + i] * row[j] * column[i] : M[i * n + j] * row[i] * column[j]);
        if (m > HK_LCP_NOISE && isfinite(m)) sum += ilogb(m), count++;
      }
      double *to = pass % 2 ? column + i : row + i;
      if (count) *to = ldexp(*to, -(int)floor(sum / count + 0.5));
    }
}

double hk_lcp_merit(int n, const double *M, const double *q, const double *z, double *scratch) {
  /* Computes the same residual as hk_lcp_scaled_merit, without a copy of M. */
  double *row = scratch, *column = scratch + n, top_q = 0, top_z = 0, worst = 0, least = 1;
  for (int j = 0; j < n; j++) column[j] = 0;
  for (int i = 0; i < n; i++) {
    double top = 0;
    for (int j = 0; j < n; j++) top = fmax(top, fabs(M[i * n + j]));
    row[i] = hk_lcp_inverse_size(top > 1e-290 ? top : 1);
    for (int j = 0; j < n; j++) column[j] = fmax(column[j], fabs(M[i * n + j]) * row[i]);
  }
  for (int j = 0; j < n; j++) {
    column[j] = hk_lcp_inverse_size(column[j] > 1e-290 ? column[j] : 1);
    for (int i = 0; i < n; i++) {
      double m = fabs(M[i * n + j]) * row[i] * column[j];
      if (m > HK_LCP_NOISE) least = fmin(least, m);
    }
  }
  if (least < HK_LCP_NARROW) hk_lcp_wide_scales(n, M, row, column);
  for (int i = 0; i < n; i++) {
    double w = q[i], zi = z[i] / column[i];
    for (int j = 0; j < n; j++) w += M[i * n + j] * z[j];
    if (!isfinite(w) || !isfinite(zi)) return HUGE_VAL;
    worst = fmax(worst, fabs(fmin(w * row[i], zi)));
    top_z = fmax(top_z, fabs(zi));
    top_q = fmax(top_q, fabs(q[i]) * row[i]);
  }
  if (worst == 0) return 0;
  return worst / (top_q + fmin(0.01 * top_z, 1000 * top_q));
}
