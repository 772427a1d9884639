/* SIMD evaluation of four contacts at once: each lane of a vector belongs to one contact.
 *
 * The many contacts of a rolling bearing or a ball-type CV joint differ only in their constants.
 * Gaps and laws that are common in such models additionally provide their functions in this form
 * (hk_gap_ops.four, hk_law_ops.four), and core/contact_simd4.c calls them. Both forms use the
 * same equations, and tests compare them. */
#ifndef HK_BASE_SIMD4_H
#define HK_BASE_SIMD4_H
#include "base/hot.h"
#include <math.h>
#include <stdbool.h>

#if defined(__has_builtin)
#if __has_builtin(__builtin_shufflevector)
#define HK_FOUR_SHUFFLE __builtin_shufflevector
#endif
#endif

/* Vectors are passed by address, so that the calling convention does not depend on processor
 * features. */
#pragma GCC diagnostic ignored "-Wpsabi"

/* Results of comparisons: all bits of a lane set, or no bit. */
typedef long long hk_m4 __attribute__((vector_size(32), aligned(8), may_alias));
typedef unsigned long long hk_u4 __attribute__((vector_size(32), aligned(8), may_alias));

/* Gap at a contact point of a ball: see hk_ball_gap. The normal n is set for open points too,
 * because rates need it. */
enum { HK_MAX_CURVATURES = 2 };
typedef struct hk_ball_four {
  hk_v4 gap, radius, n[3];
  /* If requested: n_u = sum of kappa tau tau^T over the curvatures of the surface. */
  hk_v4 kappa[HK_MAX_CURVATURES], tau[HK_MAX_CURVATURES][3];
} hk_ball_four;

typedef struct hk_gap_four {
  int n_curvatures;
  /* k[HK_GAP_CONSTANTS]; R: rotation matrix of A by rows; d: vector from A to B. */
  void (*ball)(const hk_v4 *k, const hk_v4 R[9], const hk_v4 d[3], bool derivatives,
               hk_ball_four *out);
} hk_gap_four;

typedef struct hk_normal_four {
  hk_v4 N, N_depth, N_rate, elastic, potential;
} hk_normal_four;

typedef struct hk_law_four {
  /* Returns true if a contact with the constants l[HK_LAW_CONSTANTS] supports this form. */
  bool (*takes)(const double *l);
  /* Computes the normal force; results are 0 in lanes with depth <= 0. */
  void (*normal)(const hk_v4 *l, const hk_v4 *depth, const hk_v4 *rate, hk_normal_four *out);
  void (*slide)(const hk_v4 *l, const hk_v4 *v, hk_v4 *f, hk_v4 *f_v);
} hk_law_four;

HK_INLINE hk_v4 hk_all4(double a) { return (hk_v4){a, a, a, a}; }
HK_INLINE hk_v4 hk_where4(hk_m4 m, hk_v4 a, hk_v4 b) {
  return (hk_v4)((m & (hk_m4)a) | (~m & (hk_m4)b));
}
HK_INLINE hk_v4 hk_only4(hk_m4 m, hk_v4 a) { return (hk_v4)(m & (hk_m4)a); }
HK_INLINE bool hk_any4(hk_m4 m) {
  typedef long long two __attribute__((vector_size(16)));
#ifdef HK_FOUR_SHUFFLE
  two half = HK_FOUR_SHUFFLE(m, m, 0, 1) | HK_FOUR_SHUFFLE(m, m, 2, 3);
#else
  two half = {m[0] | m[2], m[1] | m[3]};
#endif
  return (half[0] | half[1]) != 0;
}
HK_INLINE hk_v4 hk_sqrt4(hk_v4 a) {
  return (hk_v4){sqrt(a[0]), sqrt(a[1]), sqrt(a[2]), sqrt(a[3])};
}

/* exp(x) for x <= 700, to some units of the last place: 2^n e^r, |r| <= ln(2)/2, e^r by its series.
 * For x below -700 the result is exp(-700). */
HK_INLINE hk_v4 hk_exp4(hk_v4 x) {
  const hk_v4 round =
      hk_all4(6755399441055744.0); /* 1.5 2^52: the last bits of the sum are the rounded integer */
  const hk_v4 bottom = hk_all4(-700);
  x = hk_where4(x < bottom, bottom, x);
  hk_v4 t = x * 1.4426950408889634 + round, n = t - round;
  hk_v4 r = x - n * 6.93147180369123816490e-01 - n * 1.90821492927058770002e-10;
  /* Even and odd powers are summed separately, so that the two sums can be computed in parallel. */
  static const double even[] = {1.0 / 3628800, 1.0 / 40320, 1.0 / 720, 1.0 / 24, 0.5, 1},
                      odd[] = {1.0 / 39916800, 1.0 / 362880, 1.0 / 5040, 1.0 / 120, 1.0 / 6, 1};
  hk_v4 r2 = r * r, e = hk_all4(1.0 / 479001600), o = hk_all4(1.0 / 6227020800);
#pragma GCC unroll 6
  for (int i = 0; i < 6; i++) e = e * r2 + even[i], o = o * r2 + odd[i];
  e += o * r;
  return (hk_v4)((hk_u4)e + ((hk_u4)t << (hk_u4){52, 52, 52, 52}));
}

HK_INLINE hk_u4 hk_all_bits4(unsigned long long a) { return (hk_u4){a, a, a, a}; }

/* ln(x) to a few units in the last place for 1e-307 <= x < infinity, otherwise NaN. x = 2^n m
 * with m between sqrt(1/2) and sqrt(2), and ln m = 2 artanh((m - 1)/(m + 1)) by its series. */
HK_INLINE hk_v4 hk_log4(hk_v4 x) {
  enum { MANTISSA = 52 };
  const hk_u4 root = (hk_u4)hk_all4(M_SQRT1_2), exponent = hk_all_bits4(~0ull << MANTISSA),
              positive = hk_all_bits4(1024ull << MANTISSA);
  const hk_v4 whole =
      hk_all4(4503599627370496.0); /* 2^52: the last bits of its sum with an integer are that
                                    * integer */
  hk_u4 n = ((hk_u4)x - root) & exponent;
  hk_v4 m = (hk_v4)((hk_u4)x - n);
  hk_v4 power = (hk_v4)(((n + positive) >> MANTISSA) | (hk_u4)whole) - (whole + 1024);
  hk_v4 s = (m - 1) / (m + 1), z = s * s, sum = hk_all4(1.0 / 23);
  static const double series[] = {1.0 / 21, 1.0 / 19, 1.0 / 17, 1.0 / 15, 1.0 / 13,
                                  1.0 / 11, 1.0 / 9,  1.0 / 7,  1.0 / 5,  1.0 / 3};
#pragma GCC unroll 10
  for (int i = 0; i < 10; i++) sum = sum * z + series[i];
  hk_v4 ln = power * 6.93147180369123816490e-01 +
             (2 * s + (2 * s * z * sum + power * 1.90821492927058770002e-10));
  return hk_where4((x >= hk_all4(1e-307)) & (x < hk_all4(INFINITY)), ln, hk_all4(NAN));
}

/* Transposes four rows. */
HK_INLINE void hk_transpose4(hk_v4 a, hk_v4 b, hk_v4 c, hk_v4 d, hk_v4 out[4]) {
#ifdef HK_FOUR_SHUFFLE
  hk_v4 ab0 = HK_FOUR_SHUFFLE(a, b, 0, 4, 2, 6), ab1 = HK_FOUR_SHUFFLE(a, b, 1, 5, 3, 7);
  hk_v4 cd0 = HK_FOUR_SHUFFLE(c, d, 0, 4, 2, 6), cd1 = HK_FOUR_SHUFFLE(c, d, 1, 5, 3, 7);
  out[0] = HK_FOUR_SHUFFLE(ab0, cd0, 0, 1, 4, 5), out[1] = HK_FOUR_SHUFFLE(ab1, cd1, 0, 1, 4, 5);
  out[2] = HK_FOUR_SHUFFLE(ab0, cd0, 2, 3, 6, 7), out[3] = HK_FOUR_SHUFFLE(ab1, cd1, 2, 3, 6, 7);
#else
  for (int i = 0; i < 4; i++) out[i] = (hk_v4){a[i], b[i], c[i], d[i]};
#endif
}
#endif
