/* A force of type `callback`: a force given by a C function, without a new type.
 *
 *   static void pull(void *context, const hk_force_in *in, hk_force_out *out) {
 *     out->F = -*(const double *)context * in->c;               along a coordinate
 *   }
 *   hk_item *f = hk_spec_add(spec, HK_FORCE, "callback", "pull", &err);
 *   hk_item_text(f, "coordinate", "slide.displacement", &err);
 *   hk_force_callback(f, pull, &stiffness, &err);
 *
 * For a force between two frames the function fills out->w instead: force and moment on A, then on B, in world axes;
 * the two must balance. The function is called several times in each step, even in attempts that are rejected later,
 * and must return the same result for the same `in`. A force with internal variables needs a type of its own
 * (docs/develop/extending.md). If several threads use the model, each of them calls the function. */
#ifndef HOOKE_CALLBACK_H
#define HOOKE_CALLBACK_H
#include <hooke/element.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef void hk_callback_fn(void *context, const hk_force_in *in, hk_force_out *out);
/* The object to which `context` points must outlive every model made from the item. */
HK_API hk_status hk_force_callback(hk_item *force, hk_callback_fn *function, void *context,
                                   hk_error *err);
HK_API extern const hk_type hk_type_force_callback;

#ifdef __cplusplus
}
#endif
#endif
