/* Sensor: the angle between the z axes of A and B, 0 to pi: by how much a shaft is bent. */
#include <hooke/element.h>

typedef struct bend {
  const char *a, *b;
} bend;

static const bend defaults = {.a = "ground"};

static const hk_param params[] = {
    HK_FRAME(bend, a, 0, "first frame"),
    HK_FRAME(bend, b, HK_REQUIRED, "second frame"),
};

static hk_status bind(const hk_item *item, hk_sensor_binding *b, hk_error *err) {
  const bend *p = item->data;
  (void)err;
  b->a = p->a;
  b->b = p->b;
  b->relation = &hk_relation_bend;
  b->unit = "rad";
  return HK_OK;
}

static const hk_sensor_ops ops = {bind};

const hk_type hk_type_sensor_bend = {
    .name = "bend",
    .category = HK_SENSOR,
    .doc = "Reads the angle between the z axes of a and b.",
    .source = "definition",
    .size = sizeof(bend),
    .defaults = &defaults,
    HK_TABLE(params),
    .ops = &ops,
};
