/* Common part of the shapes of bodies.
 *
 * A shape belongs to a body, with an offset and a rotation in its axes. The mesh of the shape is drawn. Its volume
 * gives mass and inertia to a body that has a density instead of a mass. */
#ifndef HK_SHAPE_SHAPE_H
#define HK_SHAPE_SHAPE_H
#include "mesh/mesh.h"
#include <hooke/element.h>

#define HK_SHAPE_COMMON_DEFAULTS \
  {                              \
    .rotation = { 1, 0, 0, 0 }   \
  }

typedef struct hk_shape_ops {
  /* Both functions use the axes of the shape. Error messages are sentences that begin with "it" or
   * with the name of a file. */
  hk_status (*mesh)(const hk_item *item, hk_mesh *out, hk_error *err);
  hk_status (*volume)(const hk_item *item, hk_volume *out,
                      hk_error *err); /* NULL: volume of the mesh */
} hk_shape_ops;

/* The mesh in the axes of the body. */
hk_status hk_shape_mesh(const hk_item *shape, hk_mesh *out, hk_error *err);
/* Computes the volume of all shapes of a body together; *n: number of shapes. */
hk_status hk_shapes_volume(const hk_item *body, hk_volume *out, int *n, hk_error *err);
#endif
