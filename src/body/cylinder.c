/* Uniform cylinder or tube along its z axis, centred at the origin of the body.
 *
 *   Izz = m (R^2 + r^2)/2      Ixx = Iyy = m (3 (R^2 + r^2) + l^2)/12
 *
 * with the outer radius R and the inner radius r. Markers `start` (0, 0, -l/2), `end` (0, 0,
 * l/2). */
#include "body/body.h"
#include "mesh/drawing.h"

typedef struct cylinder {
  hk_body_common body;
  double length, radius, inner_radius;
  double mass, density;
} cylinder;

static const cylinder defaults = {.body = HK_BODY_COMMON_DEFAULTS};

static const hk_param params[] = {
    HK_REAL(cylinder, length, "m", HK_REQUIRED | HK_POSITIVE, "length along z"),
    HK_REAL(cylinder, radius, "m", HK_REQUIRED | HK_POSITIVE, "outer radius"),
    HK_REAL(cylinder, inner_radius, "m", 0, "inner radius; 0: solid", HK_MIN(0)),
    HK_REAL(cylinder, mass, "kg", HK_POSITIVE, "mass; this or density"),
    HK_REAL(cylinder, density, "kg/m^3", HK_POSITIVE, "density; this or mass"),
};

static hk_status mass(const hk_item *item, hk_mass_properties *out, hk_error *err) {
  const cylinder *p = hk_item_data(item);
  double l = p->length, R = p->radius, r = p->inner_radius;
  if (!(l > 0) || !(R > 0))
    return hk_fail(err, HK_EINPUT, "the length or the radius of the cylinder is not positive");
  if (!(r >= 0 && r < R))
    return hk_fail(err, HK_EINPUT, "inner_radius (%g m) must be less than radius (%g m)", r, R);
  double volume = M_PI * (R - r) * (R + r) * l;
  hk_status s = hk_body_shape_mass(item, p->mass, p->density, volume, &out->mass, err);
  if (s) return s;
  double m = out->mass, q = R * R + r * r;
  out->inertia[0] = out->inertia[1] = m * (3 * q + l * l) / 12;
  out->inertia[2] = m * q / 2;
  return hk_body_check(out, err);
}

static int markers(const hk_item *item, hk_builtin_marker *out) {
  double half = HK_DATA(item, cylinder)->length / 2;
  out[0] = (hk_builtin_marker){"start", {0, 0, -half}};
  out[1] = (hk_builtin_marker){"end", {0, 0, half}};
  return 2;
}

static const hk_body_ops ops = {&hk_node_rigid, mass, markers};

static void draw(const hk_item *item, hk_drawing *d) {
  const cylinder *p = hk_item_data(item);
  hk_draw_cylinder(d, hk_item_name(item), p->radius, p->inner_radius, p->length,
                   (hk_draw_style){.part = true});
}

const hk_type hk_type_body_cylinder = {
    .name = "cylinder",
    .category = HK_BODY,
    .doc = "Uniform cylinder or tube along z, centred, with markers start and end on its axis.",
    .source = "[Shabana2013]",
    .size = sizeof(cylinder),
    .defaults = &defaults,
    HK_TABLE(params),
    .ops = &ops,
    .draw = draw,
};
