/* Sensor: angle by which B leads A, about the axis that bisects the angle between their z axes.
 * Zero for a homokinetic joint at any articulation angle. */
#include "relation/twist.h"
#include <hooke/element.h>

typedef struct twist {
  const char *a, *b;
} twist;

static const twist defaults = {.a = "ground"};

static const hk_param params[] = {
    HK_FRAME(twist, a, 0, "first frame"),
    HK_FRAME(twist, b, HK_REQUIRED, "second frame"),
};

static hk_status bind(const hk_item *item, hk_sensor_binding *b, hk_error *err) {
  const twist *p = hk_item_data(item);
  (void)err;
  b->a = p->a;
  b->b = p->b;
  b->relation = &hk_relation_twist;
  b->unit = "rad";
  return HK_OK;
}

static const hk_sensor_ops ops = {bind};

const hk_type hk_type_sensor_twist = {
    .name = "twist",
    .category = HK_SENSOR,
    .doc = "Angle by which b leads a: the angular transmission error of a homokinetic joint.",
    .source = "definition",
    .size = sizeof(twist),
    .defaults = &defaults,
    HK_TABLE(params),
    .ops = &ops,
};
