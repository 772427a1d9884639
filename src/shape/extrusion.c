/* A polygon in the plane (x, y), extruded along z from -length/2 to length/2. */
#include "shape/shape.h"

enum { MAX_CORNERS = 32 };

typedef struct extrusion {
  hk_shape_common shape;
  double length;
  double outline[2 * MAX_CORNERS + 1]; /* values, followed by the number of given values */
} extrusion;

static const extrusion defaults = {.shape = HK_SHAPE_COMMON_DEFAULTS};

static const hk_param params[] = {
    HK_REAL(extrusion, length, "m", HK_REQUIRED | HK_POSITIVE, "thickness along z"),
    HK_REALS(extrusion, outline, 2 * MAX_CORNERS, "m", HK_REQUIRED | HK_UP_TO | HK_COUNTED,
             "corners [[x, y], [x, y], ...] in either direction, at most 32; use a mesh for more"),
};

static hk_status mesh(const hk_item *item, hk_mesh *out, hk_error *err) {
  const extrusion *p = hk_item_data(item);
  int n = (int)p->outline[2 * MAX_CORNERS];
  if (n % 2)
    return hk_fail(err, HK_EINPUT, "its outline needs an even number of values, not %d", n);
  return hk_mesh_extrude(out, p->outline, n / 2, p->length, err);
}

static const hk_shape_ops ops = {mesh, NULL};

const hk_type hk_type_shape_extrusion = {
    .name = "extrusion",
    .category = HK_SHAPE,
    .doc = "Polygon in the plane of x and y, extruded along z, centred in z.",
    .source = "geometry",
    .size = sizeof(extrusion),
    .defaults = &defaults,
    HK_TABLE(params),
    .ops = &ops,
};
