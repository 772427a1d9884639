/* Parameters of laws with an elastic part, and the constants computed from them. */
#ifndef HK_LAW_ELASTIC_H
#define HK_LAW_ELASTIC_H
#include "hertz/ellipse.h"
#include "law/law.h"

extern const char *const hk_elastic_methods[];

typedef struct hk_elastic {
  double stiffness, exponent, reference_force, reference_depth;
  double youngs_modulus, poisson_ratio, youngs_modulus_b, poisson_ratio_b;
  int method;
  double impact_threshold;
} hk_elastic;
#define HK_ELASTIC_DEFAULTS \
  { .exponent = 1.5, .poisson_ratio = 0.3, .poisson_ratio_b = 0.3 }
#define HK_ELASTIC_PARAMS(S, e)                                                                    \
  HK_PARAM_AS("stiffness", HK_PARAM_REAL, S, e.stiffness, "N/m^1.5", HK_POSITIVE,                  \
              "K of N = K depth^1.5; default: computed from youngs_modulus and the curvatures of " \
              "the contact"),                                                                      \
      HK_PARAM_AS(                                                                                 \
          "exponent", HK_PARAM_REAL, S, e.exponent, NULL, 0,                                       \
          "power of the penetration depth; if not 1.5, give reference_force and reference_depth",  \
          HK_RANGE(1, 3)),                                                                         \
      HK_PARAM_AS("reference_force", HK_PARAM_REAL, S, e.reference_force, "N", HK_POSITIVE,        \
                  "elastic force at reference_depth, instead of stiffness"),                       \
      HK_PARAM_AS("reference_depth", HK_PARAM_REAL, S, e.reference_depth, "m", HK_POSITIVE,        \
                  "penetration depth at which the elastic force is reference_force"),              \
      HK_PARAM_AS("youngs_modulus", HK_PARAM_REAL, S, e.youngs_modulus, "N/m^2", HK_POSITIVE,      \
                  "Young's modulus of both bodies (of a, if youngs_modulus_b is given)"),          \
      HK_PARAM_AS("poisson_ratio", HK_PARAM_REAL, S, e.poisson_ratio, NULL, 0,                     \
                  "Poisson's ratio of both bodies (of a, if youngs_modulus_b is given)",           \
                  HK_RANGE(0, 0.5)),                                                               \
      HK_PARAM_AS("youngs_modulus_b", HK_PARAM_REAL, S, e.youngs_modulus_b, "N/m^2", HK_POSITIVE,  \
                  "Young's modulus of b, if it differs from that of a"),                           \
      HK_PARAM_AS("poisson_ratio_b", HK_PARAM_REAL, S, e.poisson_ratio_b, NULL, 0,                 \
                  "Poisson's ratio of b; used with youngs_modulus_b", HK_RANGE(0, 0.5)),           \
      HK_PARAM_AS("method", HK_PARAM_ENUM, S, e.method, NULL, 0,                                   \
                  "method for computing a stiffness: fitted formulas or elliptic integrals",       \
                  .choices = hk_elastic_methods),                                                  \
      HK_PARAM_AS("impact_threshold", HK_PARAM_REAL, S, e.impact_threshold, "m/s", 0,              \
                  "approach velocity above which the start of a contact is counted as an impact",  \
                  HK_MIN(0))

/* Computes K and the exponent n of N = K depth^n, and the contact ellipse if it is known (otherwise
 * its semi-axes are 0). */
hk_status hk_elastic_prepare(const hk_elastic *p, const hk_curvature *radii, double *K, double *n,
                             hk_hertz *ellipse, hk_error *err);

/* Computes the elastic force and potential at a depth > 0: F = K depth^n, F_depth, potential. */
static inline void hk_elastic_force(double K, double n, double depth, double *F, double *F_depth,
                                    double *potential) {
  double slope = K * (n == 1.5 ? sqrt(depth) : pow(depth, n - 1));
  *F = slope * depth;
  *F_depth = n * slope;
  *potential = *F * depth / (n + 1);
}
#endif
