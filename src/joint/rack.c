/* Rack and pinion: a displacement is proportional to an angle. One row.
 *   rack - radius pinion = initial value
 * This joint relates the coordinates of the joints that carry pinion and rack. A negative radius
 * reverses the direction. No backlash. */
#include <hooke/joint.h>

typedef struct rack {
  hk_joint_common joint;
  const char *pinion, *rack;
  double radius;
} rack;

static const rack defaults = {.joint = HK_JOINT_COMMON_DEFAULTS};

static const hk_param params[] = {
    HK_COORDINATE(rack, pinion, HK_REQUIRED, "angle of the pinion"),
    HK_COORDINATE(rack, rack, HK_REQUIRED, "displacement of the rack"),
    HK_REAL(rack, radius, "m", HK_REQUIRED, "pitch radius of the pinion; negative: reversed"),
};

static void build(hk_joint_builder *b) {
  const rack *p = hk_item_data(b->item);
  hk_joint_without_frames(b);
  if (p->radius == 0) {
    hk_joint_refuse(b, "radius", "the radius must not be 0, which would fix the rack");
    return;
  }
  const hk_sum_term mesh[] = {{p->rack, 1}, {p->pinion, -p->radius}};
  hk_joint_sum(b, "mesh", mesh, 2, NULL, true);
}

static const hk_joint_ops ops = {.frames = false, .build = build};

const hk_type hk_type_joint_rack = {
    .name = "rack",
    .category = HK_JOINT,
    .doc =
        "A displacement is proportional to an angle: change of rack = radius times change of "
        "pinion.",
    .source = "[Haug1989, ch. 9]",
    .size = sizeof(rack),
    .defaults = &defaults,
    HK_TABLE(params),
    .ops = &ops,
};
