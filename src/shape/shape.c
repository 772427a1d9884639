/* Shapes of bodies: see shape.h. */
#include "shape/shape.h"
#include "spec/type.h"
#include <string.h>

hk_status hk_shape_mesh(const hk_item *shape, hk_mesh *out, hk_error *err) {
  const hk_shape_common *c = hk_item_data(shape);
  const hk_shape_ops *ops = shape->type->ops;
  hk_status status = ops->mesh(shape, out, err);
  if (!status && out->failed) status = hk_fail(err, HK_ENOMEM, "out of memory");
  hk_mat3 R = hk_quat_matrix(c->rotation);
  if (!status) hk_mesh_move(out, &R, c->offset);
  return status;
}

static hk_status own_volume(const hk_item *shape, hk_volume *out, hk_error *err) {
  const hk_shape_ops *ops = shape->type->ops;
  *out = (hk_volume){0};
  if (ops->volume) return ops->volume(shape, out, err);
  hk_mesh m = {0};
  hk_status status = ops->mesh(shape, &m, err);
  if (!status) status = hk_mesh_volume(&m, out, err);
  hk_mesh_free(&m);
  return status;
}

hk_status hk_shapes_volume(const hk_item *body, hk_volume *out, int *n, hk_error *err) {
  const hk_spec *spec = body->spec;
  *out = (hk_volume){0};
  *n = 0;
  for (int i = 0; i < spec->n[HK_SHAPE]; i++) {
    const hk_item *shape = spec->item[HK_SHAPE][i];
    const hk_shape_common *c = hk_item_data(shape);
    if (!c->body || strcmp(c->body, body->name) != 0) continue;
    hk_volume v;
    hk_error why = {0};
    hk_status status = own_volume(shape, &v, &why);
    if (status) return hk_fail(err, status, "shape '%.200s': %s", shape->name, why.text);
    hk_mat3 R = hk_quat_matrix(c->rotation);
    hk_volume_add(out, &v, &R, c->offset);
    ++*n;
  }
  return HK_OK;
}
