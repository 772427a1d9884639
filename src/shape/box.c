/* Box with edges along its axes, centred. */
#include "shape/shape.h"

typedef struct box {
  hk_shape_common shape;
  hk_vec3 size;
} box;

static const box defaults = {.shape = HK_SHAPE_COMMON_DEFAULTS};

static const hk_param params[] = {
    HK_VEC3(box, size, "m", HK_REQUIRED | HK_POSITIVE, "edges along x, y and z"),
};

static hk_status mesh(const hk_item *item, hk_mesh *out, hk_error *err) {
  hk_vec3 l = HK_DATA(item, box)->size;
  if (!(l.x > 0 && l.y > 0 && l.z > 0))
    return hk_fail(err, HK_EINPUT, "every edge of its box must be positive");
  hk_mesh_box(out, l);
  return HK_OK;
}

static hk_status volume(const hk_item *item, hk_volume *out, hk_error *err) {
  hk_vec3 l = HK_DATA(item, box)->size;
  double v = out->volume = l.x * l.y * l.z;
  out->inertia[0] = v * (l.y * l.y + l.z * l.z) / 12;
  out->inertia[1] = v * (l.x * l.x + l.z * l.z) / 12;
  out->inertia[2] = v * (l.x * l.x + l.y * l.y) / 12;
  return HK_OK;
}

static const hk_shape_ops ops = {mesh, volume};

const hk_type hk_type_shape_box = {
    .name = "box",
    .category = HK_SHAPE,
    .doc = "Box with edges along its axes, centred.",
    .source = "geometry",
    .size = sizeof(box),
    .defaults = &defaults,
    HK_TABLE(params),
    .ops = &ops,
};
