/* Sphere, solid or hollow, centred. */
#include "shape/shape.h"

typedef struct sphere {
  hk_shape_common shape;
  double radius, inner_radius;
} sphere;

static const sphere defaults = {.shape = HK_SHAPE_COMMON_DEFAULTS};

static const hk_param params[] = {
    HK_REAL(sphere, radius, "m", HK_REQUIRED | HK_POSITIVE, "outer radius"),
    HK_REAL(sphere, inner_radius, "m", 0, "inner radius; 0: solid", HK_MIN(0)),
};

static hk_status mesh(const hk_item *item, hk_mesh *out, hk_error *err) {
  const sphere *p = hk_item_data(item);
  if (!(p->inner_radius < p->radius))
    return hk_fail(err, HK_EINPUT, "its inner_radius (%g m) must be less than its radius (%g m)",
                   p->inner_radius, p->radius);
  hk_mesh_sphere(out, p->radius, p->inner_radius);
  return HK_OK;
}

static hk_status volume(const hk_item *item, hk_volume *out, hk_error *err) {
  const sphere *p = hk_item_data(item);
  double R = p->radius, r = p->inner_radius;
  out->volume = 4.0 / 3 * M_PI * (R * R * R - r * r * r);
  for (int i = 0; i < 3; i++) out->inertia[i] = 8.0 / 15 * M_PI * (pow(R, 5) - pow(r, 5));
  return HK_OK;
}

static const hk_shape_ops ops = {mesh, volume};

const hk_type hk_type_shape_sphere = {
    .name = "sphere",
    .category = HK_SHAPE,
    .doc = "Sphere, solid or hollow, centred.",
    .source = "geometry",
    .size = sizeof(sphere),
    .defaults = &defaults,
    HK_TABLE(params),
    .ops = &ops,
};
