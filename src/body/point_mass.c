/* Point mass: three coordinates, no rotation.
 *
 * Its orientation and angular velocity have no meaning; joints that constrain directions cannot
 * be attached to it. m x'' = f. */
#include "body/body.h"
#include "mesh/drawing.h"

typedef struct point_mass {
  hk_body_common body;
  double mass;
} point_mass;

static const point_mass defaults = {.body = HK_BODY_COMMON_DEFAULTS};

static const hk_param params[] = {
    HK_REAL(point_mass, mass, "kg", HK_REQUIRED | HK_POSITIVE, "mass"),
};

static hk_status mass(const hk_item *item, hk_mass_properties *out, hk_error *err) {
  const point_mass *p = hk_item_data(item);
  out->mass = p->mass;
  if (!(p->mass > 0))
    return hk_fail(err, HK_EINPUT, "its mass is %g kg; the mass of a point mass must be positive",
                   p->mass);
  return hk_body_check(out, err);
}

static const hk_body_ops ops = {&hk_node_point, mass, NULL};

static void draw(const hk_item *item, hk_drawing *d) {
  hk_mesh m = {0};
  hk_mesh_sphere(&m, 1.6 * d->size, 0);
  hk_draw(d, hk_item_name(item), &m, (hk_draw_style){.part = true});
}

const hk_type hk_type_body_point_mass = {
    .name = "point_mass",
    .category = HK_BODY,
    .doc = "Mass without extent: it translates but does not rotate.",
    .source = "Newton's second law",
    .size = sizeof(point_mass),
    .defaults = &defaults,
    HK_TABLE(params),
    .ops = &ops,
    .draw = draw,
};
