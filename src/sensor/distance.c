/* Sensor: distance between the origins of two frames, |xB - xA|. Its rate is undefined if they
 * coincide. */
#include <hooke/element.h>

typedef struct distance {
  const char *a, *b;
} distance;

static const distance defaults = {.a = "ground"};

static const hk_param params[] = {
    HK_FRAME(distance, a, 0, "first frame"),
    HK_FRAME(distance, b, HK_REQUIRED, "second frame"),
};

static hk_status bind(const hk_item *item, hk_sensor_binding *b, hk_error *err) {
  const distance *p = hk_item_data(item);
  b->a = p->a;
  b->b = p->b;
  b->relation = &hk_relation_distance;
  b->unit = "m";
  return HK_OK;
}

static const hk_sensor_ops ops = {bind};

const hk_type hk_type_sensor_distance = {
    .name = "distance",
    .category = HK_SENSOR,
    .doc = "Distance between the origins of two frames.",
    .source = "definition",
    .size = sizeof(distance),
    .defaults = &defaults,
    HK_TABLE(params),
    .ops = &ops,
};
