/* Actuator: a force or torque along a coordinate, given by an expression of time and channels.
 *   F = force(t, channels);  the power F c' is supplied from outside.
 * In newtons along a displacement, newton metres along an angle; a positive value increases the
 * coordinate. */
#include <hooke/element.h>

typedef struct actuator {
  const char *coordinate;
  hk_expr *force;
} actuator;

static const actuator defaults = {0};

static const hk_param params[] = {
    HK_COORDINATE(actuator, coordinate, HK_REQUIRED, "coordinate to act on, as `hinge.angle`"),
    HK_EXPR(actuator, force, "N", HK_REQUIRED, "force or torque: an expression of t and channels",
            HK_OR_ALONG_ANGLE("N m")),
};

static hk_status bind(const hk_item *item, hk_force_binding *b, hk_error *err) {
  const actuator *p = hk_item_data(item);
  b->coordinate = p->coordinate;
  b->expr[0] = p->force;
  b->n_expr = 1;
  return HK_OK;
}

static void eval(const void *data, const hk_force_in *in, hk_force_out *out) {
  out->F = in->e[0];
  out->F_e[0] = 1;
  out->applied = in->e[0] * in->rate;
}

static const hk_force_ops ops = {.bind = bind, .eval = eval};

const hk_type hk_type_force_actuator = {
    .name = "actuator",
    .category = HK_FORCE,
    .doc = "Force or torque along a joint coordinate or rotor angle, given by an expression.",
    .source = "definition",
    .size = sizeof(actuator),
    .defaults = &defaults,
    HK_TABLE(params),
    .ops = &ops,
};
