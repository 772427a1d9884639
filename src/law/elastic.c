/* Stiffness, exponent and ellipse of a law from its parameters and the surfaces' curvatures. */
#include "law/elastic.h"

const char *const hk_elastic_methods[] = {"hamrock_brewe", "elliptic", NULL};

static double combined_modulus(const hk_elastic *p) {
  double a = (1 - p->poisson * p->poisson) / p->young;
  return 1 / (a + (p->young_b > 0 ? (1 - p->poisson_b * p->poisson_b) / p->young_b : a));
}

hk_status hk_elastic_prepare(const hk_elastic *p, const hk_curvature *radii, double *K, double *n,
                             hk_hertz *ellipse, hk_error *err) {
  hk_hertz h = {0};
  bool known = p->young > 0 && radii &&
               hk_hertz_contact(radii, combined_modulus(p), (hk_elastic_method)p->method, &h);
  *ellipse = h;
  *n = p->exponent;
  bool reference = p->reference_force > 0 && p->reference_depth > 0;
  if (!reference && (p->reference_force > 0 || p->reference_depth > 0))
    return hk_fail(err, HK_EINPUT, "reference_force and reference_depth go together");
  if (reference && p->stiffness > 0)
    return hk_fail(err, HK_EINPUT, "give stiffness or reference_force, not both");
  if (reference) {
    *K = p->reference_force / pow(p->reference_depth, p->exponent);
    return HK_OK;
  }
  if (p->exponent != 1.5)
    return hk_fail(err, HK_EINPUT,
                   "an exponent of %g needs reference_force and reference_depth: stiffness is that "
                   "of the exponent 1.5",
                   p->exponent);
  *K = p->stiffness > 0 ? p->stiffness : h.K;
  if (p->stiffness > 0 || known) return HK_OK;
  if (!(p->young > 0))
    return hk_fail(err, HK_EINPUT, "give stiffness, or young to have it computed");
  if (!radii)
    return hk_fail(err, HK_EINPUT,
                   "this contact's geometry has no curvatures to compute a stiffness from; give "
                   "stiffness");
  return hk_fail(err, HK_EINPUT,
                 "no stiffness can be computed: the surfaces conform or touch along a line (radii "
                 "%g and %g m of a, %g and %g m of b); give stiffness",
                 radii->a_t, radii->a_s, radii->b_t, radii->b_s);
}
