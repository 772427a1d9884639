/* Gear: two angles change in a fixed ratio. One row.
 *   first - ratio second = initial value
 * The gear relates the coordinates of the joints or rotors that carry the wheels. It does not
 * hold the wheels in position and has no radial force. An external pair has a negative ratio,
 * -z2/z1 with the numbers of teeth; an internal pair has a positive ratio. No backlash. */
#include <hooke/joint.h>

typedef struct gear {
  hk_joint_common joint;
  const char *first, *second;
  double ratio;
} gear;

static const gear defaults = {.joint = HK_JOINT_COMMON_DEFAULTS};

static const hk_param params[] = {
    HK_COORDINATE(gear, first, HK_REQUIRED, "angle of the first wheel"),
    HK_COORDINATE(gear, second, HK_REQUIRED, "angle of the second wheel"),
    HK_REAL(gear, ratio, NULL, HK_REQUIRED,
            "change of first per change of second; negative for an external pair"),
};

static void build(hk_joint_builder *b) {
  const gear *p = hk_item_data(b->item);
  hk_joint_without_frames(b);
  if (p->ratio == 0) {
    hk_joint_refuse(b, "ratio", "the ratio must not be 0, which would fix the first wheel");
    return;
  }
  const hk_sum_term mesh[] = {{p->first, 1}, {p->second, -p->ratio}};
  hk_joint_sum(b, "mesh", mesh, 2, NULL, true);
}

static const hk_joint_ops ops = {.frames = false, .build = build};

const hk_type hk_type_joint_gear = {
    .name = "gear",
    .category = HK_JOINT,
    .doc = "Two angles change in a fixed ratio: change of first = ratio times change of second.",
    .source = "[Haug1989, ch. 9]",
    .size = sizeof(gear),
    .defaults = &defaults,
    HK_TABLE(params),
    .ops = &ops,
};
