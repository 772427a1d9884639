/* Cylinder or tube along z, centred. */
#include "shape/shape.h"

typedef struct cylinder {
  hk_shape_common shape;
  double length, radius, inner_radius;
} cylinder;

static const cylinder defaults = {.shape = HK_SHAPE_COMMON_DEFAULTS};

static const hk_param params[] = {
    HK_REAL(cylinder, length, "m", HK_REQUIRED | HK_POSITIVE, "length along z"),
    HK_REAL(cylinder, radius, "m", HK_REQUIRED | HK_POSITIVE, "outer radius"),
    HK_REAL(cylinder, inner_radius, "m", 0, "inner radius; 0: solid", HK_MIN(0)),
};

static hk_status check(const cylinder *p, hk_error *err) {
  if (p->inner_radius < p->radius) return HK_OK;
  return hk_fail(err, HK_EINPUT, "its inner_radius (%g m) must be less than its radius (%g m)",
                 p->inner_radius, p->radius);
}

static hk_status mesh(const hk_item *item, hk_mesh *out, hk_error *err) {
  const cylinder *p = hk_item_data(item);
  hk_status status = check(p, err);
  if (!status) hk_mesh_cylinder(out, p->radius, p->inner_radius, p->length);
  return status;
}

static hk_status volume(const hk_item *item, hk_volume *out, hk_error *err) {
  const cylinder *p = hk_item_data(item);
  double l = p->length, R = p->radius, r = p->inner_radius, q = R * R + r * r;
  double v = out->volume = M_PI * (R - r) * (R + r) * l;
  out->inertia[0] = out->inertia[1] = v * (3 * q + l * l) / 12;
  out->inertia[2] = v * q / 2;
  return check(p, err);
}

static const hk_shape_ops ops = {mesh, volume};

const hk_type hk_type_shape_cylinder = {
    .name = "cylinder",
    .category = HK_SHAPE,
    .doc = "Cylinder or tube along z, centred.",
    .source = "geometry",
    .size = sizeof(cylinder),
    .defaults = &defaults,
    HK_TABLE(params),
    .ops = &ops,
};
