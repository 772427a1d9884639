/* Slender uniform rod along its x axis, centred at the origin of the body.
 *
 *   transverse inertia  m l^2/12      axial inertia  m r^2/2
 *
 * The transverse inertia is that of a thin rod: the contribution m r^2/4 of its thickness is
 * neglected (3 (r/l)^2 of the total; use a cylinder if that matters). The axial inertia is
 * included, because a rod without it has no equation for the rotation about its axis; the
 * default radius is a hundredth of the length. Markers `start` (-l/2, 0, 0) and `end` (l/2, 0,
 * 0). */
#include "body/body.h"
#include "mesh/drawing.h"

typedef struct rod {
  hk_body_common body;
  double length, radius;
  double mass, density;
} rod;

static const rod defaults = {.body = HK_BODY_COMMON_DEFAULTS};

static const hk_param params[] = {
    HK_REAL(rod, length, "m", HK_REQUIRED | HK_POSITIVE, "length along x"),
    HK_REAL(rod, radius, "m", HK_POSITIVE,
            "radius, for the axial inertia; default: length/100; required with density"),
    HK_REAL(rod, mass, "kg", HK_POSITIVE, "mass; this or density"),
    HK_REAL(rod, density, "kg/m^3", HK_POSITIVE, "density; this or mass"),
};

static hk_status mass(const hk_item *item, hk_mass_properties *out, hk_error *err) {
  const rod *p = hk_item_data(item);
  bool has_radius = hk_item_given(item, hk_type_param_find(hk_item_type(item), "radius"));
  double l = p->length, r = has_radius ? p->radius : l / 100;
  if (!(l > 0) || !(r > 0))
    return hk_fail(err, HK_EINPUT, "the length or the radius of the rod is not positive");
  if (!(r <= l / 2))
    return hk_fail(err, HK_EINPUT,
                   "the radius of the rod is more than half its length; use a cylinder");
  if (!has_radius && hk_item_given(item, hk_type_param_find(hk_item_type(item), "density")))
    return hk_fail(err, HK_EINPUT, "the rod has a density but no radius; give its radius");
  double volume = M_PI * r * r * l;
  hk_status s = hk_body_shape_mass(item, p->mass, p->density, volume, &out->mass, err);
  if (s) return s;
  out->inertia[0] = out->mass * r * r / 2;
  out->inertia[1] = out->inertia[2] = out->mass * l * l / 12;
  return hk_body_check(out, err);
}

static int markers(const hk_item *item, hk_builtin_marker *out) {
  double half = HK_DATA(item, rod)->length / 2;
  out[0] = (hk_builtin_marker){"start", {-half, 0, 0}};
  out[1] = (hk_builtin_marker){"end", {half, 0, 0}};
  return 2;
}

static const hk_body_ops ops = {&hk_node_rigid, mass, markers};

/* Draws the rod; the default radius is drawn larger than its value in the calculation, so that it
 * is visible. */
static void draw(const hk_item *item, hk_drawing *d) {
  const rod *p = hk_item_data(item);
  double r = hk_item_has(item, "radius") ? p->radius : 0.025 * p->length;
  hk_mesh m = {0};
  hk_mesh_cylinder(&m, r, 0, p->length);
  hk_draw_at(d, hk_item_name(item), hk_v3(0, 0, 0), hk_draw_along_x(), &m,
             (hk_draw_style){.part = true});
}

const hk_type hk_type_body_rod = {
    .name = "rod",
    .category = HK_BODY,
    .doc = "Slender uniform rod along x, centred, with markers start and end at its ends.",
    .source = "m l^2/12 about the middle [Shabana2013]",
    .size = sizeof(rod),
    .defaults = &defaults,
    HK_TABLE(params),
    .ops = &ops,
    .draw = draw,
};
