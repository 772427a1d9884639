/* Ball bearing: see bearing_joint.h. */
#include "composite/bearing_joint.h"

static const hk_bearing_words words = {"balls", "ball_diameter", HK_BEARING_DEEP_GROOVE};
static const char *const KINDS[] = {"deep_groove", "angular_contact", "four_point", NULL};

static const hk_bearing_joint defaults = {
    .joint = HK_JOINT_COMMON_DEFAULTS, HK_BEARING_FULL_DEFAULTS, .of = {HK_BEARING_DEFAULTS}};

static const hk_param params[] = {
    HK_BEARING_JOINT_PARAMS(hk_bearing_fidelity_names, KINDS, "balls", "ball_diameter"),
    HK_BEARING_BALL_PARAMS(hk_bearing_joint, of.),
    HK_BEARING_FULL_PARAMS,
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
    "Rings are rigid; contacts are Hertzian; the cage rolls without slip.",
    "linear: the force is linear in the displacement, with the tangent stiffness in equilibrium "
    "with "
    "`load` at `speed`. Elements do not lose contact.",
    "ideal: no friction, no clearance.", NULL};

const hk_type hk_type_joint_ball_bearing = {
    .name = "ball_bearing",
    .assumptions = assumptions,
    .category = HK_JOINT,
    .doc =
        "Ball bearing between an outer ring (a) and an inner ring (b): a joint, a linear support, "
        "or balls in equilibrium, selected by `fidelity`.",
    .source = "[Jones1960; DeMul1989; ISO16281]",
    .size = sizeof(hk_bearing_joint),
    .defaults = &defaults,
    HK_TABLE(params),
    .ops = &ops,
    .draw = draw,
    .sample = sample,
    .stage = hk_bearing_joint_stage,
};
