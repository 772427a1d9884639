/* Uniform solid or hollow sphere, centred at the origin of the body.
 *
 *   I = 2/5 m (R^5 - r^5)/(R^3 - r^3)
 *     = 2/5 m (R^4 + R^3 r + R^2 r^2 + R r^3 + r^4)/(R^2 + R r + r^2),
 *
 * the second form is accurate for thin shells too (2/3 m R^2 as r -> R). */
#include "body/body.h"
#include "mesh/drawing.h"

typedef struct sphere {
  hk_body_common body;
  double radius, inner_radius;
  double mass, density;
} sphere;

static const sphere defaults = {.body = HK_BODY_COMMON_DEFAULTS};

static const hk_param params[] = {
    HK_REAL(sphere, radius, "m", HK_REQUIRED | HK_POSITIVE, "outer radius"),
    HK_REAL(sphere, inner_radius, "m", 0, "inner radius; 0: solid", HK_MIN(0)),
    HK_REAL(sphere, mass, "kg", HK_POSITIVE, "mass; this or density"),
    HK_REAL(sphere, density, "kg/m^3", HK_POSITIVE, "density; this or mass"),
};

static hk_status mass(const hk_item *item, hk_mass_properties *out, hk_error *err) {
  const sphere *p = hk_item_data(item);
  double R = p->radius, r = p->inner_radius;
  if (!(R > 0)) return hk_fail(err, HK_EINPUT, "the radius of the sphere is not positive");
  if (!(r >= 0 && r < R))
    return hk_fail(err, HK_EINPUT, "inner_radius (%g m) must be less than radius (%g m)", r, R);
  double cubes = R * R + R * r + r * r, volume = 4.0 / 3 * M_PI * (R - r) * cubes;
  hk_status s = hk_body_shape_mass(item, p->mass, p->density, volume, &out->mass, err);
  if (s) return s;
  double fifths = R * R * R * R + R * R * R * r + R * R * r * r + R * r * r * r + r * r * r * r;
  out->inertia[0] = out->inertia[1] = out->inertia[2] = 0.4 * out->mass * fifths / cubes;
  return hk_body_check(out, err);
}

static const hk_body_ops ops = {&hk_node_rigid, mass, NULL};

static void draw(const hk_item *item, hk_drawing *d) {
  const sphere *p = hk_item_data(item);
  hk_mesh m = {0};
  hk_mesh_sphere(&m, p->radius, p->inner_radius);
  hk_draw(d, hk_item_name(item), &m, (hk_draw_style){.part = true});
}

const hk_type hk_type_body_sphere = {
    .name = "sphere",
    .category = HK_BODY,
    .doc = "Uniform solid or hollow sphere, centred.",
    .source = "[Shabana2013]",
    .size = sizeof(sphere),
    .defaults = &defaults,
    HK_TABLE(params),
    .ops = &ops,
    .draw = draw,
};
