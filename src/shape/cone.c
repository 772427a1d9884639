/* Cone or frustum along z, with its mid-height at the origin.
 *
 * With the radius r(u) = R + (T - R) u over the height u = 0 ... 1 and h the length:
 *   V = pi h int r^2 du,  z_c = h int u r^2 du / int r^2 du,
 *   Izz = pi h/2 int r^4 du,  Ixx = Izz/2 + pi h^3 int (u - u_c)^2 r^2 du
 * u_c is the value of u at the centre of mass. The integrals are computed as sums of products of powers of R and T -
 * R. */
#include "shape/shape.h"

typedef struct cone {
  hk_shape_common shape;
  double length, radius, top_radius;
} cone;

static const cone defaults = {.shape = HK_SHAPE_COMMON_DEFAULTS};

static const hk_param params[] = {
    HK_REAL(cone, length, "m", HK_REQUIRED | HK_POSITIVE, "length along z"),
    HK_REAL(cone, radius, "m", HK_REQUIRED | HK_POSITIVE, "radius at -length/2"),
    HK_REAL(cone, top_radius, "m", 0, "radius at length/2; 0: a tip", HK_MIN(0)),
};

static hk_status mesh(const hk_item *item, hk_mesh *out, hk_error *err) {
  const cone *p = hk_item_data(item);
  hk_mesh_cone(out, p->radius, p->top_radius, p->length);
  return HK_OK;
}

static hk_status volume(const hk_item *item, hk_volume *out, hk_error *err) {
  const cone *p = hk_item_data(item);
  double h = p->length, R = p->radius, d = p->top_radius - R;
  double S0 = R * R + R * d + d * d / 3, S1 = R * R / 2 + 2 * R * d / 3 + d * d / 4;
  double S2 = R * R / 3 + R * d / 2 + d * d / 5;
  double Q =
      R * R * R * R + 2 * R * R * R * d + 2 * R * R * d * d + R * d * d * d + d * d * d * d / 5;
  double u = S1 / S0;
  out->volume = M_PI * h * S0;
  out->center = hk_v3(0, 0, h * (u - 0.5));
  out->inertia[2] = M_PI * h * Q / 2;
  out->inertia[0] = out->inertia[1] = out->inertia[2] / 2 + M_PI * h * h * h * (S2 - u * u * S0);
  return HK_OK;
}

static const hk_shape_ops ops = {mesh, volume};

const hk_type hk_type_shape_cone = {
    .name = "cone",
    .category = HK_SHAPE,
    .doc = "Cone or frustum along z, with its mid-height at the origin.",
    .source = "geometry",
    .size = sizeof(cone),
    .defaults = &defaults,
    HK_TABLE(params),
    .ops = &ops,
};
