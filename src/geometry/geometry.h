/* The shapes that a body can be given: what they share.
 *
 * A shape stands on a body, shifted and turned in its axes.  Its mesh is drawn; its volume gives
 * mass and inertia to a body that has a density instead of a mass.
 */
#ifndef HK_GEOMETRY_H
#define HK_GEOMETRY_H
#include "shape/mesh.h"
#include <hooke/element.h>

#define HK_SHAPE_COMMON_DEFAULTS \
  {                              \
    .rotation = { 1, 0, 0, 0 }   \
  }

typedef struct hk_shape_ops {
  /* Both in the shape's own axes.  Errors are sentences that begin with "it" or name a file. */
  hk_status (*mesh)(const hk_item *item, hk_mesh *out, hk_error *err);
  hk_status (*volume)(const hk_item *item, hk_volume *out,
                      hk_error *err); /* NULL: that of the mesh */
} hk_shape_ops;

/* The mesh in the axes of the body. */
hk_status hk_shape_mesh(const hk_item *shape, hk_mesh *out, hk_error *err);
/* All shapes of a body together; *n is their number. */
hk_status hk_shapes_volume(const hk_item *body, hk_volume *out, int *n, hk_error *err);
#endif
