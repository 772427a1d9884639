/* Parameters of laws with an elastic part, and what follows from them. */
#ifndef HK_ELASTIC_H
#define HK_ELASTIC_H
#include "hertz/ellipse.h"
#include "law/law.h"

extern const char *const hk_elastic_methods[];

/* Parameters of laws with an elastic part. */
typedef struct hk_elastic {
  double stiffness, exponent, reference_force, reference_depth;
  double young, poisson, young_b, poisson_b;
  int method;
  double count_above;
} hk_elastic;
#define HK_ELASTIC_DEFAULTS \
  { .exponent = 1.5, .poisson = 0.3, .poisson_b = 0.3 }
#define HK_ELASTIC_PARAMS(S, e)                                                                    \
  HK_PARAM_AS(                                                                                     \
      "stiffness", HK_PARAM_REAL, S, e.stiffness, "N/m^1.5", HK_POSITIVE,                          \
      "K of N = K depth^1.5; computed from young and the contact's curvatures if left out"),       \
      HK_PARAM_AS("exponent", HK_PARAM_REAL, S, e.exponent, NULL, 0,                               \
                  "power of the depth; if not 1.5, give reference_force and reference_depth",      \
                  HK_RANGE(1, 3)),                                                                 \
      HK_PARAM_AS("reference_force", HK_PARAM_REAL, S, e.reference_force, "N", HK_POSITIVE,        \
                  "elastic force at reference_depth, in place of stiffness"),                      \
      HK_PARAM_AS("reference_depth", HK_PARAM_REAL, S, e.reference_depth, "m", HK_POSITIVE,        \
                  "depth at which the elastic force is reference_force"),                          \
      HK_PARAM_AS("young", HK_PARAM_REAL, S, e.young, "N/m^2", HK_POSITIVE,                        \
                  "Young's modulus of both bodies (of a, if young_b is given)"),                   \
      HK_PARAM_AS("poisson", HK_PARAM_REAL, S, e.poisson, NULL, 0,                                 \
                  "Poisson's ratio of both bodies (of a, if young_b is given)", HK_RANGE(0, 0.5)), \
      HK_PARAM_AS("young_b", HK_PARAM_REAL, S, e.young_b, "N/m^2", HK_POSITIVE,                    \
                  "Young's modulus of b, if another"),                                             \
      HK_PARAM_AS("poisson_b", HK_PARAM_REAL, S, e.poisson_b, NULL, 0,                             \
                  "Poisson's ratio of b; used with young_b", HK_RANGE(0, 0.5)),                    \
      HK_PARAM_AS("method", HK_PARAM_ENUM, S, e.method, NULL, 0,                                   \
                  "how a stiffness is computed: fitted formulas or elliptic integrals",            \
                  .choices = hk_elastic_methods),                                                  \
      HK_PARAM_AS("count_above", HK_PARAM_REAL, S, e.count_above, "m/s", 0,                        \
                  "approach velocity above which a touch is counted as an impact", HK_MIN(0))

/* K and exponent n of N = K depth^n, and the ellipse if known (else its half axes are 0). */
hk_status hk_elastic_prepare(const hk_elastic *p, const hk_curvature *radii, double *K, double *n,
                             hk_hertz *ellipse, hk_error *err);

/* Elastic force and potential at a depth > 0: F = K depth^n, F_depth, potential. */
static inline void hk_elastic_force(double K, double n, double depth, double *F, double *F_depth,
                                    double *potential) {
  double slope = K * (n == 1.5 ? sqrt(depth) : pow(depth, n - 1));
  *F = slope * depth;
  *F_depth = n * slope;
  *potential = *F * depth / (n + 1);
}
#endif
