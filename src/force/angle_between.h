/* The angle between two frames, along which a force acts: the angle between two rotors, or the angle about the z axis
 * of the first frame. */
#ifndef HK_FORCE_ANGLE_BETWEEN_H
#define HK_FORCE_ANGLE_BETWEEN_H
#include <hooke/element.h>

/* Binds a force to the angle between the frames `a` and `b`. */
hk_status hk_bind_angle(const hk_item *item, const char *a, const char *b, hk_force_binding *out,
                        hk_error *err);
#endif
