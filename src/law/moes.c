/* The film of a lubricated line contact from its four asymptotes (rigid or elastic surfaces, oil whose
 * viscosity stays or grows with pressure), blended [Moes1992; Scurria2019, eqs 5 to 7]:
 *   H = ((H_RI^(7/3) + H_EI^(7/3))^(3s/7) + (H_RP^(-7/2) + H_EP^(-7/2))^(-2s/7))^(1/s)
 *   s = (7 + 8 exp(-2 H_EI/H_RI))/5
 *   H_RI = 3/M, H_EI = 2.621 M^(-1/5), H_RP = 1.287 L^(2/3), H_EP = 1.311 M^(-1/8) L^(3/4)
 * All powers share ln M and ln L, so that sums of powers are sums of exponentials.
 */
#include "law/moes.h"
#include <math.h>

/* ln(e^a + e^b) and the share of e^a in the sum. */
static double log_sum(double a, double b, double *share) {
  double e = exp(-fabs(a - b)), part = 1 / (1 + e);
  *share = a > b ? part : 1 - part;
  return (a > b ? a : b) - log(part);
}

hk_moes hk_moes_film(double lnM, double lnL) {
  /* ln 3, ln 2.621, ln 1.287, ln 1.311 */
  static const double RI = 1.0986122886681098, EI = 0.96355592434126924, RP = 0.25231392861398955,
                      EP = 0.27079020478156274;
  double ri = RI - lnM, ei = EI - lnM / 5;
  double rp = RP + 2.0 / 3 * lnL, ep = EP - lnM / 8 + 0.75 * lnL;
  /* H_EI/H_RI and its power 7/3 by one exponential of a third of its logarithm. */
  double third = exp((ei - ri) / 3), ratio = third * third * third, E = exp(-2 * ratio),
         s = (7 + 8 * E) / 5;
  double s_M = -8.0 / 5 * E * 2 * ratio * 0.8;
  double of_ri, of_rp, of_a;
  double power = ratio * ratio * third,
         e = power < 1 ? power : 1 / power; /* the lesser over the greater */
  double P = 7.0 / 3 * fmax(ri, ei) + log(1 + e);
  of_ri = (power < 1 ? 1 : e) / (1 + e);
  double Q = log_sum(-3.5 * rp, -3.5 * ep, &of_rp);
  double P_M = -7.0 / 3 * of_ri - 7.0 / 15 * (1 - of_ri);
  double Q_M = 7.0 / 16 * (1 - of_rp), Q_L = -7.0 / 3 * of_rp - 21.0 / 8 * (1 - of_rp);
  double G = log_sum(3 * s / 7 * P, -2 * s / 7 * Q, &of_a);
  double G_M = of_a * 3 / 7 * (s * P_M + s_M * P) - (1 - of_a) * 2 / 7 * (s * Q_M + s_M * Q);
  double G_L = -(1 - of_a) * 2 / 7 * s * Q_L;
  return (hk_moes){G / s, (G_M - G / s * s_M) / s, G_L / s};
}
