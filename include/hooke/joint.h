/* Helpers for ideal joints: defaults and common sets of relations.
 *
 * The axis of a joint frame is z. Rows are named after the motion that they prevent: x, y, z a displacement, tilt x and
 * tilt y a rotation of the axis about x and y, turn z a rotation about z. Directions are constrained by scalar
 * products. These are smooth in the whole range of the joint, but they are also zero for axes of opposite direction. A
 * joint with frames that differ by more than 90 degrees in the file may therefore be assembled on the inverted branch. */
#ifndef HOOKE_JOINT_H
#define HOOKE_JOINT_H
#include <hooke/element.h>

#ifdef __cplusplus
extern "C" {
#endif

#define HK_JOINT_COMMON_DEFAULTS       \
  {                                    \
    .a = "ground", .axis = { 0, 0, 1 } \
  }

enum { HK_X, HK_Y, HK_Z };

/* Holds xB = xA: three rows. */
HK_API void hk_joint_hold_point(hk_joint_builder *b);
/* Holds the offset of B along an axis of A. */
HK_API void hk_joint_hold_along(hk_joint_builder *b, int axis);
/* Holds zB parallel to zA: two rows. */
HK_API void hk_joint_hold_axis(hk_joint_builder *b);
/* Holds all axes of B parallel to those of A: three rows. */
HK_API void hk_joint_hold_axes(hk_joint_builder *b);
/* Declare free coordinates: offset along an axis of A, rotation about A's z axis. */
HK_API void hk_joint_free_along(hk_joint_builder *b, const char *name, int axis);
HK_API void hk_joint_free_angle(hk_joint_builder *b, const char *name);
/* For joints that relate coordinates: rejects the parameters of frames, which would have no effect. */
HK_API void hk_joint_without_frames(hk_joint_builder *b);

/* Parameter struct of joints without further parameters. */
typedef struct hk_plain_joint {
  hk_joint_common joint;
} hk_plain_joint;
HK_API extern const hk_plain_joint hk_plain_joint_defaults;

/* First member of the parameter struct of joints between shafts; their parameter tables begin with HK_SHAFT_PARAMS. */
typedef struct hk_shaft_joint {
  hk_joint_common joint;
  hk_vec3 axis_a, axis_b;
} hk_shaft_joint;
HK_API extern const hk_shaft_joint hk_shaft_joint_defaults;
#define HK_SHAFT_PARAMS                                                                      \
  HK_DIRECTION(                                                                              \
      hk_shaft_joint, axis_a, HK_WORLD_AXES,                                                 \
      "axis of the shaft of a in the initial position, world axes; for shafts that are not " \
      "aligned there, together with axis_b; else `axis` is enough"),                         \
      HK_DIRECTION(hk_shaft_joint, axis_b, HK_WORLD_AXES,                                    \
                   "axis of the shaft of b in the initial position, world axes, with axis_a")
/* Functions for hk_joint_ops.articulated, which compute the axes of frame B for a given z axis.
 * hk_shaft_square: the y axis of B is perpendicular to the x axis of A. hk_shaft_swung: the
 * axes of B are those of A, rotated by the smallest angle that gives this z axis. */
HK_API hk_mat3 hk_shaft_square(const hk_mat3 *A, hk_vec3 z);
HK_API hk_mat3 hk_shaft_swung(const hk_mat3 *A, hk_vec3 z);

#ifdef __cplusplus
}
#endif
#endif
