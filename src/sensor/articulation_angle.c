/* Sensor: articulation angle between the z axes of A and B, 0 to pi. */
#include <hooke/element.h>

typedef struct bend {
  const char *a, *b;
  double limit;
} bend;

static const bend defaults = {.a = "ground"};

static const hk_param params[] = {
    HK_FRAME(bend, a, 0, "first frame"),
    HK_FRAME(bend, b, HK_REQUIRED, "second frame"),
    HK_REAL(bend, limit, "rad", HK_POSITIVE,
            "largest permitted angle; a run that exceeds it ends with a warning"),
};

static hk_status bind(const hk_item *item, hk_sensor_binding *b, hk_error *err) {
  const bend *p = hk_item_data(item);
  (void)err;
  b->a = p->a;
  b->b = p->b;
  b->relation = &hk_relation_articulation;
  b->unit = "rad";
  b->limit = p->limit;
  return HK_OK;
}

static const hk_sensor_ops ops = {bind};

const hk_type hk_type_sensor_bend = {
    .name = "articulation_angle",
    .category = HK_SENSOR,
    .doc = "Articulation angle between the z axes of a and b.",
    .source = "definition",
    .size = sizeof(bend),
    .defaults = &defaults,
    HK_TABLE(params),
    .ops = &ops,
};
