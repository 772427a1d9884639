/* Placement of an item with the sub-model that contains it, and mirror images. */
#include "spec/item.h"
#include <hooke/joint.h>

/* The x axis of a joint without `x_axis` is chosen from its axis. The choice is made in the axes of the sub-model.
 * With a choice in world axes, a joint in a rotated sub-model would get another x axis, and the arms of universal
 * joints would have other directions relative to the sub-model. The computed value does not count as given by the
 * user. */
static void choose_x_axis(hk_item *joint) {
  hk_joint_common *j = joint->data;
  if (hk_norm(j->x_axis) > 0) return;
  bool bent = hk_type_param_find(joint->type, "axis_a") >= 0 && hk_item_has(joint, "axis_a");
  const hk_mat3 R = hk_frame_from_z(bent ? ((const hk_shaft_joint *)joint->data)->axis_a : j->axis);
  j->x_axis = hk_column(&R, 0);
}

/* Transforms the parameters that are given in world axes, as their flags state: positions are
 * rotated and shifted, all others are only rotated. */
void hk_item_place(hk_item *item, hk_vec3 origin, hk_quat rotation) {
  const hk_mat3 R = hk_quat_matrix(rotation);
  const hk_param *p;
  if (item->type->category == HK_JOINT) choose_x_axis(item);
  for (int i = 0; (p = hk_type_param(item->type, i)); i++) {
    if (!(p->flags & (HK_WORLD_AXES | HK_WORLD_PLACE))) continue;
    void *field = (char *)item->data + p->offset;
    if (p->kind == HK_PARAM_ROTATION) {
      *(hk_quat *)field = hk_quat_normalize(hk_quat_mul(rotation, *(hk_quat *)field));
      continue;
    }
    hk_vec3 *v = field, turned = hk_mul(&R, *v);
    *v = p->flags & HK_WORLD_PLACE ? hk_add(origin, turned) : turned;
  }
}

void hk_mirror_ring(double *list, int n, double sign) {
  for (int k = 1; 2 * k <= n; k++) {
    const double kept = list[k];
    list[k] = sign * list[n - k];
    if (2 * k < n) list[n - k] = sign * kept;
  }
  if (n > 0) list[0] *= sign;
}
