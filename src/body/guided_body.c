/* Body with prescribed rotation: its position is free, its orientation is a given function of
 * time,
 *   R = R0 Rx(tilt(t)) Rz(spin(t)),
 * such as a race on a shaft that is driven at a given speed while the articulation angle of the
 * joint changes. Forces move its centre of mass; the power needed to prescribe the orientation
 * counts as supplied from outside (energy.applied_work). Joints cannot be attached to such a body: they would need the
 * prescribed acceleration. */
#include "body/body.h"

typedef struct guided_body {
  hk_body_common body;
  double mass;
  hk_expr *tilt, *spin;
} guided_body;

static const guided_body defaults = {.body = HK_BODY_COMMON_DEFAULTS};

static const hk_param params[] = {
    HK_REAL(guided_body, mass, "kg", HK_REQUIRED | HK_POSITIVE, "mass"),
    HK_EXPR(guided_body, tilt, "rad", HK_REQUIRED, "angle about the x axis, a function of t"),
    HK_EXPR(guided_body, spin, "rad", HK_REQUIRED,
            "angle about the tilted z axis, a function of t"),
};

static hk_status mass(const hk_item *item, hk_mass_properties *out, hk_error *err) {
  const guided_body *p = hk_item_data(item);
  out->mass = p->mass;
  if (!p->tilt || !p->spin) return hk_fail(err, HK_EINPUT, "tilt and spin must be given");
  return HK_OK;
}

static void guide(const hk_item *item, const hk_expr *angle[2]) {
  const guided_body *p = hk_item_data(item);
  angle[0] = p->tilt;
  angle[1] = p->spin;
}

static const hk_body_ops ops = {.node = &hk_node_guided, .mass = mass, .guide = guide};

const hk_type hk_type_body_guided_body = {
    .name = "guided_body",
    .category = HK_BODY,
    .doc = "Body with a free position and a rotation that is a given function of time.",
    .source = "Newton's equation for the centre of mass; the rotation is prescribed",
    .size = sizeof(guided_body),
    .defaults = &defaults,
    HK_TABLE(params),
    .ops = &ops,
};
