/* Film thickness of a lubricated line contact, blended from its four asymptotes: rigid or
 * elastic surfaces, constant or pressure-dependent viscosity [Moes1992; Scurria2019, eqs 5 to
 * 7]:
 *   H = ((H_RI^(7/3) + H_EI^(7/3))^(3s/7) + (H_RP^(-7/2) + H_EP^(-7/2))^(-2s/7))^(1/s)
 *   s = (7 + 8 exp(-2 H_EI/H_RI))/5
 *   H_RI = 3/M, H_EI = 2.621 M^(-1/5), H_RP = 1.287 L^(2/3), H_EP = 1.311 M^(-1/8) L^(3/4)
 * All powers use ln M and ln L, so that sums of powers are sums of exponentials. Four films at
 * once. */
#ifndef HK_LAW_MOES_H
#define HK_LAW_MOES_H
#include "base/simd4.h"

/* ln H(ln M, ln L) and its derivatives. */
typedef struct hk_moes {
  hk_v4 lnH, by_M, by_L;
} hk_moes;

/* ln(e^a + e^b) and the fraction e^a/(e^a + e^b). */
HK_INLINE hk_v4 hk_log_sum4(hk_v4 a, hk_v4 b, hk_v4 *share) {
  hk_m4 first = a > b;
  hk_v4 more = hk_where4(first, a, b), e = hk_exp4(hk_where4(first, b, a) - more),
        part = 1 / (1 + e);
  *share = hk_where4(first, part, 1 - part);
  return more + hk_log4(1 + e);
}

HK_INLINE hk_moes hk_moes_film4(hk_v4 lnM, hk_v4 lnL) {
  /* ln 3, ln 2.621, ln 1.287, ln 1.311 */
  const double RI = 1.0986122886681098, EI = 0.96355592434126924, RP = 0.25231392861398955,
               EP = 0.27079020478156274;
  hk_v4 ri = RI - lnM, ei = EI - lnM / 5;
  hk_v4 rp = RP + 2.0 / 3 * lnL, ep = EP - lnM / 8 + 0.75 * lnL;
  /* H_EI/H_RI and its power 7/3 from a single exponential of one third of the logarithm. */
  hk_v4 third = hk_exp4((ei - ri) / 3), ratio = third * third * third, E = hk_exp4(-2 * ratio),
        s = (7 + 8 * E) / 5;
  hk_v4 s_M = -8.0 / 5 * E * 2 * ratio * 0.8;
  hk_v4 power = ratio * ratio * third;
  hk_m4 rigid = power < hk_all4(1);
  hk_v4 e = hk_where4(rigid, power, 1 / power); /* the smaller power divided by the larger */
  hk_v4 P = 7.0 / 3 * hk_where4(rigid, ri, ei) + hk_log4(1 + e);
  hk_v4 of_ri = hk_where4(rigid, hk_all4(1), e) / (1 + e), of_rp, of_a;
  hk_v4 Q = hk_log_sum4(-3.5 * rp, -3.5 * ep, &of_rp);
  hk_v4 P_M = -7.0 / 3 * of_ri - 7.0 / 15 * (1 - of_ri);
  hk_v4 Q_M = 7.0 / 16 * (1 - of_rp), Q_L = -7.0 / 3 * of_rp - 21.0 / 8 * (1 - of_rp);
  hk_v4 G = hk_log_sum4(3.0 / 7 * s * P, -2.0 / 7 * s * Q, &of_a), per_s = 1 / s, lnH = G * per_s;
  hk_v4 G_M = of_a * (3.0 / 7) * (s * P_M + s_M * P) - (1 - of_a) * (2.0 / 7) * (s * Q_M + s_M * Q);
  return (hk_moes){lnH, (G_M - lnH * s_M) * per_s, (of_a - 1) * (2.0 / 7) * Q_L};
}
#endif
