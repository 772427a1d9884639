/* Elastic contact of curved surfaces: stiffness and contact ellipse by Hertz's theory.
 *
 *   N = K depth^(3/2),  semi-axes = (half_t, half_s) N^(1/3),  peak pressure = 3 N/(2 pi a b)
 *   with the semi-axes a, b at the load N
 *
 * Limits: smooth surfaces, an ellipse that is small compared with the radii, no friction in the
 * area. A ball in a close groove has a long ellipse; the surfaces must not conform. */
#ifndef HK_HERTZ_ELLIPSE_H
#define HK_HERTZ_ELLIPSE_H
#include <hooke/element.h>

/* Method for the equation of the ellipse. */
typedef enum hk_elastic_method { HK_ELASTIC_HAMROCK_BREWE, HK_ELASTIC_ELLIPTIC } hk_elastic_method;

typedef struct hk_hertz {
  double K;              /* [N/m^1.5] */
  double half_t, half_s; /* semi-axes along t and n x t, at 1 N; 0: not known */
} hk_hertz;

/* Complete elliptic integrals for the modulus m = 1 - ratio^2, 0 < ratio <= 1: K and S = 1 - E/K.
 */
void hk_elliptic(double ratio, double *K, double *S);

/* 1/E* = (1 - nu_a^2)/E_a + (1 - nu_b^2)/E_b.  False: the surfaces conform or touch along a line.
 */
bool hk_hertz_contact(const hk_curvature *radii, double E_star, hk_elastic_method method,
                      hk_hertz *out);
#endif
