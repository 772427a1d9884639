/* Uniform gravity: every mass has the acceleration g.
 *   f = m g at the centre of mass,  potential -m g.x
 */
#include <hooke/element.h>

typedef struct gravity {
  hk_vec3 acceleration;
} gravity;

static const gravity defaults = {.acceleration = {0, 0, -9.81}};

static const hk_param params[] = {
    HK_VEC3(gravity, acceleration, "m/s^2", 0, "gravitational acceleration, in world axes"),
};

static hk_status bind(const hk_item *item, hk_force_binding *b, hk_error *err) {
  b->field = true;
  return HK_OK;
}

static hk_vec3 field(const void *data, double t, hk_vec3 x, double *potential) {
  const gravity *p = data;
  *potential = -hk_dot(p->acceleration, x);
  return p->acceleration;
}

static const hk_force_ops ops = {.bind = bind, .field = field};

const hk_type hk_type_force_gravity = {
    .name = "gravity",
    .category = HK_FORCE,
    .doc = "Uniform gravity on every mass.",
    .source = "uniform field",
    .size = sizeof(gravity),
    .defaults = &defaults,
    HK_TABLE(params),
    .ops = &ops,
};
