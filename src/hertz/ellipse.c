/* Hertz's theory: stiffness and ellipse of an elastic contact.
 *
 * With R_x <= R_y the combined radii 1/R_i = 1/R_ai + 1/R_bi in the two principal directions,
 * 1/R = 1/R_x + 1/R_y, E' = 2 E*, the ratio k >= 1 of the axes of the ellipse and the complete
 * elliptic integrals F and E of m = 1 - 1/k^2 [HamrockBrewe1983; Johnson1985, ch. 4]:
 *   k solves  R_y/R_x = (k^2 E - F)/(F - E)
 *   depth = F (9/(2 E R) (N/(pi k E'))^2)^(1/3)        =>  K = pi k E' sqrt(2 E R/(9 F^3))
 *   semi-axes (6 k^2 E N R/(pi E'))^(1/3) and 1/k of it, the long one in the direction of R_y
 * Hamrock and Brewe fit, for 1 <= R_y/R_x <= 100 within 3 %,
 *   k = (R_y/R_x)^(2/pi),  E = 1 + (pi/2 - 1) R_x/R_y,  F = pi/2 + (pi/2 - 1) ln(R_y/R_x) */
#include "hertz/ellipse.h"
#include <math.h>

static const double PI = 3.14159265358979323846;

/* Arithmetic-geometric mean: K = pi/(2 a_inf), S = sum 2^(i-1) c_i^2. */
void hk_elliptic(double ratio, double *K, double *S) {
  double a = 1, b = ratio, c2 = (1 - ratio) * (1 + ratio), sum = 0.5 * c2, power = 0.5;
  for (int i = 0; i < 60 && c2 > 1e-20; i++) { /* the next term would be c2^2 */
    double next = 0.5 * (a + b), c = 0.5 * (a - b);
    b = sqrt(a * b);
    a = next;
    c2 = c * c;
    power *= 2;
    sum += power * c2;
  }
  *K = PI / (2 * a);
  *S = sum;
}

/* R_y/R_x of the ellipse with axes 1 : k.  With E = K (1 - S) the differences do not cancel. */
static double radius_ratio(double log_k, double *K, double *S) {
  double m = -expm1(-2 * log_k);
  hk_elliptic(exp(-log_k), K, S);
  return m > 0 ? (m - *S) / ((1 - m) * *S) : 1;
}

static void solve_ellipse(double alpha, double *k, double *E, double *F) {
  double low = 0, high = 20, K, S;
  while (high - low > 1e-15 * (1 + high)) {
    double mid = 0.5 * (low + high);
    if (mid <= low || mid >= high) break;
    *(radius_ratio(mid, &K, &S) < alpha ? &low : &high) = mid;
  }
  radius_ratio(high, &K, &S);
  *k = exp(high), *F = K, *E = K * (1 - S);
}

static void fit_ellipse(double alpha, double *k, double *E, double *F) {
  *k = pow(alpha, 2 / PI);
  *E = 1 + (PI / 2 - 1) / alpha;
  *F = PI / 2 + (PI / 2 - 1) * log(alpha);
}

bool hk_hertz_contact(const hk_curvature *r, double E_star, hk_elastic_method method,
                      hk_hertz *out) {
  double ct = 1 / r->a_t + 1 / r->b_t, cs = 1 / r->a_s + 1 / r->b_s;
  double big = fmax(ct, cs), small = fmin(ct, cs), k, E, F;
  if (!(small > 1e-9 * big) || !isfinite(big)) return false;
  if (method == HK_ELASTIC_ELLIPTIC)
    solve_ellipse(big / small, &k, &E, &F);
  else
    fit_ellipse(big / small, &k, &E, &F);
  double R = 1 / (big + small), E2 = 2 * E_star;
  out->K = PI * k * E2 * sqrt(2 * E * R / (9 * F * F * F));
  double longer = cbrt(6 * k * k * E * R / (PI * E2));
  out->half_t = ct < cs ? longer : longer / k;
  out->half_s = ct < cs ? longer / k : longer;
  return true;
}
