/* Roller bearing: see bearing_joint.h. */
#include "composite/bearing_joint.h"

static const hk_bearing_words words = {"rollers", "roller_diameter", HK_BEARING_CYLINDRICAL_ROLLER};
static const char *const FIDELITIES[] = {"ideal", "linear", "quasi_static", NULL};
static const char *const KINDS[] = {"cylindrical", "tapered", "spherical", NULL};

static const hk_bearing_joint defaults = {
    .joint = HK_JOINT_COMMON_DEFAULTS, .words = &words, .of = {HK_BEARING_DEFAULTS}};

static const hk_param params[] = {
    HK_BEARING_JOINT_PARAMS(FIDELITIES, KINDS, "rollers", "roller_diameter"),
    HK_BEARING_ROLLER_PARAMS(hk_bearing_joint, of.),
};

static const char *const assumptions[] = {
    "Rings are rigid and contacts are Hertzian. Rollers are divided into slices. The cage rolls "
    "without slip.",
    HK_BEARING_JOINT_ASSUMPTIONS,
    "ideal: no friction, no clearance; free along the axis if cylindrical, free to tilt if "
    "spherical.",
    NULL};

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
    .ops = &hk_bearing_joint_ops,
    .draw = hk_bearing_joint_draw,
    .sample = hk_bearing_joint_sample,
    .stage = hk_bearing_joint_stage,
};
