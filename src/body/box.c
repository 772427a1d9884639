/* Uniform box with edges along its axes, centred at the origin of the body.
 *
 *   Ixx = m (b^2 + c^2)/12 and so on, for the edges a, b, c along x, y, z. */
#include "body/body.h"
#include "mesh/drawing.h"

typedef struct box {
  hk_body_common body;
  hk_vec3 size;
  double mass, density;
} box;

static const box defaults = {.body = HK_BODY_COMMON_DEFAULTS};

static const hk_param params[] = {
    HK_VEC3(box, size, "m", HK_REQUIRED | HK_POSITIVE, "edges along x, y and z"),
    HK_REAL(box, mass, "kg", HK_POSITIVE, "mass; this or density"),
    HK_REAL(box, density, "kg/m^3", HK_POSITIVE, "density; this or mass"),
};

static hk_status mass(const hk_item *item, hk_mass_properties *out, hk_error *err) {
  const box *p = hk_item_data(item);
  hk_vec3 l = p->size;
  if (!(l.x > 0 && l.y > 0 && l.z > 0))
    return hk_fail(err, HK_EINPUT, "size: all three edges of the box must be positive");
  hk_status s = hk_body_shape_mass(item, p->mass, p->density, l.x * l.y * l.z, &out->mass, err);
  if (s) return s;
  double k = out->mass / 12;
  out->inertia[0] = k * (l.y * l.y + l.z * l.z);
  out->inertia[1] = k * (l.x * l.x + l.z * l.z);
  out->inertia[2] = k * (l.x * l.x + l.y * l.y);
  return hk_body_check(out, err);
}

static const hk_body_ops ops = {&hk_node_rigid, mass, NULL};

static void draw(const hk_item *item, hk_drawing *d) {
  hk_mesh m = {0};
  hk_mesh_box(&m, HK_DATA(item, box)->size);
  hk_draw(d, hk_item_name(item), &m, (hk_draw_style){.part = true});
}

const hk_type hk_type_body_box = {
    .name = "box",
    .category = HK_BODY,
    .doc = "Uniform box with edges along its axes, centred.",
    .source = "[Shabana2013]",
    .size = sizeof(box),
    .defaults = &defaults,
    HK_TABLE(params),
    .ops = &ops,
    .draw = draw,
};
