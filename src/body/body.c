/* Checks of mass properties.
 *
 * A tensor I is the inertia of some body if and only if the matrix of second moments
 *   P = tr(I)/2 E - I = integral of r r^T dm
 * is positive semidefinite. In principal axes this means that no principal moment exceeds the sum of the other two. It
 * follows that I itself is positive semidefinite. See [Wensing, Kim, Slotine 2018]. */
#include "body/body.h"
#include "base/eigen_small.h"

/* tolerance for rounding in the given moments, relative to the largest moment */
static const double TOLERANCE = 1e-9;

hk_status hk_body_shape_mass(const hk_item *item, double mass, double density, double volume,
                             double *out, hk_error *err) {
  bool has_mass = hk_item_given(item, hk_type_param_find(hk_item_type(item), "mass"));
  bool has_density = hk_item_given(item, hk_type_param_find(hk_item_type(item), "density"));
  if (has_mass && has_density)
    return hk_fail(err, HK_EINPUT, "it has both mass and density; give one of them");
  if (!has_mass && !has_density)
    return hk_fail(err, HK_EINPUT, "it has no mass; give mass or density");
  *out = has_mass ? mass : density * volume;
  if (!(*out > 0) || !isfinite(*out))
    return hk_fail(err, HK_EINPUT, "its mass is %g kg; it must be positive and finite", *out);
  return HK_OK;
}

static bool all_finite(const hk_mass_properties *p) {
  double sum = p->mass + p->center.x + p->center.y + p->center.z + p->angle + p->rate;
  for (int i = 0; i < 6; i++) sum += p->inertia[i];
  return isfinite(sum);
}

hk_status hk_body_check(const hk_mass_properties *p, hk_error *err) {
  if (!all_finite(p))
    return hk_fail(err, HK_EINPUT, "its mass, centre or inertia is not a finite number");
  if (p->mass < 0) return hk_fail(err, HK_EINPUT, "its mass is negative (%g kg)", p->mass);
  const double *I = p->inertia;
  double matrix[9] = {I[0], I[3], I[4], I[3], I[1], I[5], I[4], I[5], I[2]};
  double largest = 0, m[3];
  for (int i = 0; i < 9; i++) largest = fmax(largest, fabs(matrix[i]));
  if (largest == 0) return HK_OK;
  if (p->mass == 0)
    return hk_fail(err, HK_EINPUT, "it has inertia but no mass; give it a mass, or omit both");
  hk_symmetric_eigenvalues(matrix, 3, m);
  if (m[0] < -TOLERANCE * largest || m[0] + m[1] - m[2] < -TOLERANCE * largest)
    return hk_fail(err, HK_EINPUT,
                   "no rigid body has this inertia: its principal moments are %.6g, %.6g and %.6g "
                   "kg m^2, and %s",
                   m[0], m[1], m[2],
                   m[0] < -TOLERANCE * largest ? "none may be negative"
                                               : "the largest exceeds the sum of the other two");
  return HK_OK;
}
