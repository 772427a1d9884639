/* Creates the node of a body from its item: see node.h. */
#include "node/node.h"
#include <string.h>

int hk_node_count(const hk_item *item) {
  const hk_node_type *type = ((const hk_body_ops *)item->type->ops)->node;
  return type->count ? type->count(item) : type->nv;
}

hk_status hk_node_make(const hk_item *item, const hk_mass_properties *p, hk_arena *arena,
                       hk_node *n, double *q, double *v, const char **param, hk_error *err) {
  const hk_body_common *b = item->data;
  const hk_node_type *type = ((const hk_body_ops *)item->type->ops)->node;
  const double *I = p->inertia;
  n->name = item->name;
  n->item = item;
  n->type = type;
  n->moves = type->moves;
  n->turn = type->turn;
  n->guided = type->guided;
  n->nv = hk_node_count(item), n->nq = n->nv + (type->turn >= 0), n->n_own = type->own;
  n->coordinate = type->coordinate;
  n->mass = p->mass;
  n->inertia = (hk_mat3){{{I[0], I[3], I[4]}, {I[3], I[1], I[5]}, {I[4], I[5], I[2]}}};
  n->center = p->center;
  n->fixed = (hk_fixed)b->fixed;
  n->x0 = b->position;
  n->R0 = hk_quat_matrix(b->orientation);
  hk_status status = type->prepare ? type->prepare(n, arena, param, err) : HK_OK;
  if (status) return status;
  n->placed = type->place && (n->moves == HK_MOVES_CUSTOM || n->n_own > 0);
  type->start(n, p, q, v);
  return HK_OK;
}

void hk_node_mount(const hk_node *n, hk_vec3 at, const hk_mat3 *R, hk_vec3 *s, hk_mat3 *in_node) {
  if (n->type->mount) {
    n->type->mount(n, at, R, s, in_node);
    return;
  }
  *s = hk_sub(at, n->center);
  *in_node = *R;
}

void hk_node_start_frame(const hk_node *n, const hk_marker *k, double t, const double *q,
                         const double *v, hk_frame *F) {
  hk_mat3 R;
  double own[n->n_own + 1];
  memset(own, 0, sizeof own);
  n->type->place(n, t, false, q, v, &R, own);
  const hk_pose p = {n, &R, own};
  n->type->frame(&p, k, q, v, F);
}
