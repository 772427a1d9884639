/* See angle_between.h. */
#include "force/angle_between.h"
#include "node/node.h"
#include <string.h>

/* Returns the body of a frame with the name "body" or "body.marker"; NULL: the ground. */
static const hk_item *body_of(const hk_item *item, const char *frame) {
  char name[256];
  const hk_item *body = hk_spec_find(item->spec, HK_BODY, frame);
  const char *dot = strrchr(frame, '.');
  if (body || !dot || (size_t)(dot - frame) >= sizeof name) return body;
  memcpy(name, frame, (size_t)(dot - frame));
  name[dot - frame] = 0;
  return hk_spec_find(item->spec, HK_BODY, name);
}

static bool is_rotor(const hk_item *body) {
  return body && ((const hk_body_ops *)body->type->ops)->node->axis;
}

hk_status hk_bind_angle(const hk_item *item, const char *a, const char *b, hk_force_binding *out,
                        hk_error *err) {
  const hk_item *A = item->spec ? body_of(item, a) : NULL;
  const hk_item *B = item->spec ? body_of(item, b) : NULL;
  if ((A && B) && is_rotor(A) != is_rotor(B))
    return hk_fail(
        err, HK_EINPUT,
        "one of the bodies a and b is a rotor, the other is not; both must be rotors, or neither");
  out->a = a;
  out->b = b;
  out->relation = is_rotor(A) || is_rotor(B) ? &hk_relation_turn : &hk_relation_angle;
  return HK_OK;
}
