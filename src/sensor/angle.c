/* Sensor: turn of B about A's z axis, the angle of B's x axis seen along it.  Counted over whole
 * turns from the start; not defined where B's x axis is along A's z. */
#include <hooke/element.h>

typedef struct angle {
  const char *a, *b;
} angle;

static const angle defaults = {.a = "ground"};

static const hk_param params[] = {
    HK_FRAME(angle, a, 0, "frame about whose z axis the turn is read"),
    HK_FRAME(angle, b, HK_REQUIRED, "frame whose x axis is read"),
};

static hk_status bind(const hk_item *item, hk_sensor_binding *b, hk_error *err) {
  const angle *p = item->data;
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
    .doc = "Reads the turn of b about the z axis of a.",
    .source = "definition",
    .size = sizeof(angle),
    .defaults = &defaults,
    HK_TABLE(params),
    .ops = &ops,
};
