/* Sensor: rotation of B about the z axis of A, measured by the x axis of B. Unwrapped from the
 * start; undefined if the x axis of B is along the z axis of A. */
#include <hooke/element.h>

typedef struct angle {
  const char *a, *b;
} angle;

static const angle defaults = {.a = "ground"};

static const hk_param params[] = {
    HK_FRAME(angle, a, 0, "frame that defines the axis of rotation (z)"),
    HK_FRAME(angle, b, HK_REQUIRED, "frame with the x axis that is measured"),
};

static hk_status bind(const hk_item *item, hk_sensor_binding *b, hk_error *err) {
  const angle *p = hk_item_data(item);
  b->a = p->a;
  b->b = p->b;
  b->relation = &hk_relation_angle;
  b->unit = "rad";
  return HK_OK;
}

static const hk_sensor_ops ops = {bind};

const hk_type hk_type_sensor_angle = {
    .name = "angle",
    .category = HK_SENSOR,
    .doc = "Rotation of b about the z axis of a.",
    .source = "definition",
    .size = sizeof(angle),
    .defaults = &defaults,
    HK_TABLE(params),
    .ops = &ops,
};
