/* Ball bearing: see bearing_joint.h. */
#include "composite/bearing_joint.h"

static const hk_bearing_words words = {"balls", "ball_diameter", HK_BEARING_DEEP_GROOVE};
static const char *const KINDS[] = {"deep_groove", "angular_contact", "four_point", NULL};

static const hk_bearing_joint defaults = {.joint = HK_JOINT_COMMON_DEFAULTS,
                                          .words = &words,
                                          HK_BEARING_FULL_DEFAULTS,
                                          .of = {HK_BEARING_DEFAULTS}};

static const hk_param params[] = {
    HK_BEARING_JOINT_PARAMS(hk_bearing_fidelity_names, KINDS, "balls", "ball_diameter"),
    HK_BEARING_BALL_PARAMS(hk_bearing_joint, of.),
    HK_BEARING_FULL_PARAMS,
};

static const char *const assumptions[] = {
    "Rings are rigid; contacts are Hertzian; the cage rolls without slip.",
    HK_BEARING_JOINT_ASSUMPTIONS, "ideal: no friction, no clearance.", NULL};

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
    .ops = &hk_bearing_joint_ops,
    .draw = hk_bearing_joint_draw,
    .sample = hk_bearing_joint_sample,
    .stage = hk_bearing_joint_stage,
};
