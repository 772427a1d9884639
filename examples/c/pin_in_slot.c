/* A joint as a plugin: a pin of B runs in a slot along the x axis of A and may turn in it about z.
 *
 *   cc -shared -fPIC pin_in_slot.c $(pkg-config --cflags hooke) -o pin_in_slot.so
 *   hooke --plugin ./pin_in_slot.so run pin_in_slot.yaml
 *
 * Held: the offsets along y and z, and the tilt of the axes.  Free: the displacement along the slot and
 * the angle of the pin.  In the initial position the frames of a joint coincide, so all held coordinates must be
 * zero there. */
#include <hooke/joint.h>
#include <hooke/registry.h>

static void build(hk_joint_builder *b) {
  hk_joint_hold_along(b, HK_Y);
  hk_joint_hold_along(b, HK_Z);
  hk_joint_hold_axis(b);
  hk_joint_free_along(b, "displacement", HK_X);
  hk_joint_free_angle(b, "angle");
}

static const hk_joint_ops ops = {.frames = true, .build = build};

static const hk_type pin_in_slot = {
    .name = "pin_in_slot",
    .category = HK_JOINT,
    .doc = "A pin that slides along a slot and turns in it.",
    .source = "example",
    .size = sizeof(hk_plain_joint),
    .defaults = &hk_plain_joint_defaults,
    .ops = &ops,
};

HK_PLUGIN(&pin_in_slot)
