/* Roller bearing: see bearing_joint.h. */
#include "composite/bearing_joint.h"

static const hk_bearing_words words = {"rollers", "roller_diameter", HK_BEARING_CYLINDRICAL_ROLLER};
static const char *const FIDELITIES[] = {"ideal", "linear", "quasi_static", NULL};
static const char *const KINDS[] = {"cylindrical", "tapered", NULL};

static const hk_bearing_joint defaults = {.joint = HK_JOINT_COMMON_DEFAULTS,
                                          .of = {HK_BEARING_DEFAULTS}};

static const hk_param params[] = {
    HK_BEARING_JOINT_PARAMS(FIDELITIES, KINDS, "rollers", "roller_diameter"),
    HK_BEARING_ROLLER_PARAMS(hk_bearing_joint, of.),
};

static const hk_quantity channels[] = {HK_BEARING_JOINT_CHANNELS};

static hk_status expand(const hk_item *item, hk_spec *spec, hk_error *err) {
  return hk_bearing_joint_expand(item, &words, spec, err);
}

static void draw(const hk_item *item, struct hk_drawing *d) {
  hk_bearing_joint_draw(item, &words, d);
}

static hk_status sample(hk_item *item, hk_error *err) {
  return hk_bearing_joint_sample(item, &words, err);
}

static const hk_joint_ops ops = {.frames = true, .expand = expand, HK_CHANNELS(channels)};

static const char *const assumptions[] = {
    "Rings are rigid and contacts are Hertzian. Rollers are divided into slices. The cage rolls "
    "without slip.",
    "linear: the force is linear in the displacement, with the tangent stiffness in equilibrium "
    "with "
    "`load` at `speed`. Elements do not lose contact.",
    "ideal: no friction, no clearance; free along the axis if cylindrical.", NULL};

const hk_type hk_type_joint_roller_bearing = {
    .name = "roller_bearing",
    .assumptions = assumptions,
    .category = HK_JOINT,
    .doc =
        "Roller bearing between an outer ring (a) and an inner ring (b): a joint, a linear "
        "support, or rollers in equilibrium, selected by `fidelity`.",
    .source = "[Jones1960; DeMul1989; ISO16281]",
    .size = sizeof(hk_bearing_joint),
    .defaults = &defaults,
    HK_TABLE(params),
    .ops = &ops,
    .draw = draw,
    .sample = sample,
    .stage = hk_bearing_joint_stage,
};
