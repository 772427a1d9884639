/* Sensor: displacement of the origin of B from that of A along an axis of A, e.(xB - xA). */
#include <hooke/element.h>

typedef struct displacement {
  const char *a, *b;
  hk_vec3 axis;
} displacement;

static const displacement defaults = {.a = "ground", .axis = {0, 0, 1}};

static const hk_param params[] = {
    HK_FRAME(displacement, a, 0, "frame that defines the axes of the measurement"),
    HK_FRAME(displacement, b, HK_REQUIRED, "frame with the origin that is measured"),
    HK_DIRECTION(displacement, axis, 0, "direction of the measurement, in the axes of a"),
};

static hk_status bind(const hk_item *item, hk_sensor_binding *b, hk_error *err) {
  const displacement *p = hk_item_data(item);
  b->a = p->a;
  b->b = p->b;
  b->relation = &hk_relation_along;
  b->k[0] = p->axis.x;
  b->k[1] = p->axis.y;
  b->k[2] = p->axis.z;
  b->unit = "m";
  return HK_OK;
}

static const hk_sensor_ops ops = {bind};

const hk_type hk_type_sensor_displacement = {
    .name = "displacement",
    .category = HK_SENSOR,
    .doc = "Displacement of b from a along an axis of a.",
    .source = "definition",
    .size = sizeof(displacement),
    .defaults = &defaults,
    HK_TABLE(params),
    .ops = &ops,
};
