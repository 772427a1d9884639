/* Common part of joints between two shafts: the model file may place the shafts with an
 * articulation angle, and then each shaft has its own axis. */
#include <hooke/joint.h>

const hk_shaft_joint hk_shaft_joint_defaults = {.joint = HK_JOINT_COMMON_DEFAULTS};

hk_mat3 hk_shaft_square(const hk_mat3 *A, hk_vec3 z) {
  hk_vec3 arm = hk_column(A, 0), y = hk_cross(z, arm);
  /* shafts at 90 degrees */
  if (!(hk_norm(y) > 1e-6)) return hk_frame_from_zx(z, hk_neg(hk_column(A, 2)));
  y = hk_unit3(y);
  return hk_frame_from_zx(z, hk_cross(y, z));
}

hk_mat3 hk_shaft_swung(const hk_mat3 *A, hk_vec3 z) {
  hk_vec3 from = hk_column(A, 2), axis = hk_cross(from, z);
  double s = hk_norm(axis), angle = atan2(s, hk_dot(from, z));
  if (!(s > 0)) return *A; /* straight */
  hk_mat3 turn = hk_quat_matrix(hk_quat_exp(hk_scale(angle / s, axis)));
  return hk_matmul(&turn, A);
}
