/* Sets of relations from which joints are built. */
#include <hooke/joint.h>

const hk_plain_joint hk_plain_joint_defaults = {HK_JOINT_COMMON_DEFAULTS};

static const double E[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
static const char *const NAME[3] = {"x", "y", "z"};

/* Holds an axis of A perpendicular to an axis of B. */
static void hold_square(hk_joint_builder *b, int a_axis, int b_axis, const char *name) {
  double k[7] = {E[a_axis][0], E[a_axis][1], E[a_axis][2],
                 E[b_axis][0], E[b_axis][1], E[b_axis][2]};
  hk_joint_hold(b, &hk_relation_dot, k, 7, name);
}

void hk_joint_hold_point(hk_joint_builder *b) {
  hk_joint_hold(b, &hk_relation_point, NULL, 0, "x,y,z");
}

void hk_joint_hold_along(hk_joint_builder *b, int axis) {
  hk_joint_hold(b, &hk_relation_along, E[axis], 3, NAME[axis]);
}

void hk_joint_hold_axis(hk_joint_builder *b) {
  hk_joint_hold(b, &hk_relation_parallel, NULL, 0, "tilt y,tilt x");
}

void hk_joint_hold_axes(hk_joint_builder *b) {
  hk_joint_hold_axis(b);
  hold_square(b, HK_X, HK_Y, "turn z");
}

void hk_joint_free_along(hk_joint_builder *b, const char *name, int axis) {
  hk_joint_free(b, name, &hk_relation_along, E[axis], 3);
}

void hk_joint_free_angle(hk_joint_builder *b, const char *name) {
  hk_joint_free(b, name, &hk_relation_angle, NULL, 0);
}

void hk_joint_without_frames(hk_joint_builder *b) {
  int n;
  const hk_param *common = hk_category_params(HK_JOINT, &n);
  for (int i = 0; i < n; i++)
    if (hk_item_given(b->item, i)) {
      const char *name = common[i].name;
      hk_joint_refuse(b, name, "a %s relates coordinates of other joints; it has no '%s'",
                      hk_item_type_name(b->item), name);
      return;
    }
}
