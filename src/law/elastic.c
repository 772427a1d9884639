/* Stiffness, exponent and contact ellipse of a law from its parameters and the curvatures of the
 * surfaces. */
#include "law/elastic.h"

const char *const hk_elastic_methods[] = {"hamrock_brewe", "elliptic", NULL};

static double combined_modulus(const hk_elastic *p) {
  double a = (1 - p->poisson_ratio * p->poisson_ratio) / p->youngs_modulus;
  return 1 / (a + (p->youngs_modulus_b > 0
                       ? (1 - p->poisson_ratio_b * p->poisson_ratio_b) / p->youngs_modulus_b
                       : a));
}

hk_status hk_elastic_prepare(const hk_elastic *p, const hk_curvature *radii, double *K, double *n,
                             hk_hertz *ellipse, hk_error *err) {
  hk_hertz h = {0};
  bool known = p->youngs_modulus > 0 && radii &&
               hk_hertz_contact(radii, combined_modulus(p), (hk_elastic_method)p->method, &h);
  *ellipse = h;
  *n = p->exponent;
  bool reference = p->reference_force > 0 && p->reference_depth > 0;
  if (!reference && (p->reference_force > 0 || p->reference_depth > 0))
    return hk_fail(err, HK_EINPUT, "reference_force and reference_depth must be given together");
  if (reference && p->stiffness > 0)
    return hk_fail(err, HK_EINPUT, "give stiffness or reference_force, not both");
  if (reference) {
    *K = p->reference_force / pow(p->reference_depth, p->exponent);
    return HK_OK;
  }
  if (p->exponent != 1.5)
    return hk_fail(err, HK_EINPUT,
                   "an exponent of %g needs reference_force and reference_depth: stiffness is "
                   "defined for the exponent 1.5",
                   p->exponent);
  *K = p->stiffness > 0 ? p->stiffness : h.K;
  if (p->stiffness > 0 || known) return HK_OK;
  if (!(p->youngs_modulus > 0))
    return hk_fail(err, HK_EINPUT, "give stiffness, or youngs_modulus to compute it");
  if (!radii)
    return hk_fail(err, HK_EINPUT,
                   "the geometry of this contact has no curvatures from which to compute a "
                   "stiffness; give stiffness");
  return hk_fail(err, HK_EINPUT,
                 "cannot compute a stiffness: the surfaces conform or touch along a line (radii of "
                 "surface a: %g and %g m, of surface b: %g and %g m); give stiffness",
                 radii->a_t, radii->a_s, radii->b_t, radii->b_s);
}
