/* Sensor: any expression of t and of other channels, such as `sqrt(tip.vx^2 + tip.vy^2)`. */
#include <hooke/element.h>

typedef struct expression {
  hk_expr *value;
} expression;

static const expression defaults = {0};

static const hk_param params[] = {
    HK_EXPR(expression, value, NULL, HK_REQUIRED | HK_ANY_UNIT,
            "expression of t and of channels; its unit is the unit of the result"),
};

static hk_status bind(const hk_item *item, hk_sensor_binding *b, hk_error *err) {
  const expression *p = hk_item_data(item);
  b->expr = p->value;
  return HK_OK;
}

static const hk_sensor_ops ops = {bind};

const hk_type hk_type_sensor_expression = {
    .name = "expression",
    .category = HK_SENSOR,
    .doc = "Value of an expression of t and of other channels.",
    .source = "definition",
    .size = sizeof(expression),
    .defaults = &defaults,
    HK_TABLE(params),
    .ops = &ops,
};
