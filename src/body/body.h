/* Common part of the body types: defaults and the checks of mass properties. */
#ifndef HK_BODY_BODY_H
#define HK_BODY_BODY_H
#include "node/node.h"
#include <hooke/element.h>

/* Defaults of the common parameters. */
#define HK_BODY_COMMON_DEFAULTS   \
  {                               \
    .orientation = { 1, 0, 0, 0 } \
  }

/* Computes the mass of a shape from exactly one of `mass` and `density`. */
hk_status hk_body_shape_mass(const hk_item *item, double mass, double density, double volume,
                             double *out, hk_error *err);
/* Rejects mass properties that no body can have: values that are not finite, negative mass,
 * inertia without mass, and inertia tensors with negative principal moments or moments that
 * violate the triangle inequality. */
hk_status hk_body_check(const hk_mass_properties *p, hk_error *err);
#endif
