/* What the ideal joints share: defaults and the sets of relations they are made of.
 *
 * A joint frame has its axis along z.  Rows are named after what they hold: x, y, z a
 * displacement, tilt x and tilt y a rotation of the axis about x and y, turn z one about z.
 * Directions are held by scalar products, which are smooth everywhere in the joint's range but
 * also zero for axes that point the opposite way: a joint whose frames stand more than 90 degrees
 * apart in the file may be assembled the other way round.
 */
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

/* xB = xA, three rows. */
HK_API void hk_joint_hold_point(hk_joint_builder *b);
/* The offset of B along an axis of A. */
HK_API void hk_joint_hold_along(hk_joint_builder *b, int axis);
/* zB along zA, two rows. */
HK_API void hk_joint_hold_axis(hk_joint_builder *b);
/* All axes of B along those of A, three rows. */
HK_API void hk_joint_hold_axes(hk_joint_builder *b);
/* Free coordinates: offset along an axis of A, turn about A's z. */
HK_API void hk_joint_free_along(hk_joint_builder *b, const char *name, int axis);
HK_API void hk_joint_free_angle(hk_joint_builder *b, const char *name);
/* For relations between coordinates: refuse frame parameters, which would do nothing. */
HK_API void hk_joint_without_frames(hk_joint_builder *b);

/* The struct of joints without parameters of their own. */
typedef struct hk_plain_joint {
  hk_joint_common joint;
} hk_plain_joint;
HK_API extern const hk_plain_joint hk_plain_joint_defaults;

/* Head of the joints between shafts, whose parameters begin with HK_SHAFT_PARAMS. */
typedef struct hk_shaft_joint {
  hk_joint_common joint;
  hk_vec3 axis_a, axis_b;
} hk_shaft_joint;
HK_API extern const hk_shaft_joint hk_shaft_joint_defaults;
#define HK_SHAFT_PARAMS                                                                              \
  HK_DIRECTION(hk_shaft_joint, axis_a, HK_WORLD_AXES,                                                \
               "shaft of a in the world, as it stands in the file, where the shafts are bent; `axis` " \
               "is for shafts that stand straight"),                                                  \
      HK_DIRECTION(hk_shaft_joint, axis_b, HK_WORLD_AXES, "shaft of b, beside axis_a")
/* For hk_joint_ops.bent: y of B square to x of A; B as A, swung the shortest way. */
HK_API hk_mat3 hk_shaft_square(const hk_mat3 *A, hk_vec3 z);
HK_API hk_mat3 hk_shaft_swung(const hk_mat3 *A, hk_vec3 z);

#ifdef __cplusplus
}
#endif
#endif
