/* Bodies of a compiled model with their poses: see hooke/state.h. */
#include "model/model.h"
#include <hooke/state.h>
#include <string.h>

static bool is_body(const hk_node *n) { return !n->type->number; }

/* States are stored among the nodes but are not bodies. */
static const hk_node *body_at(const hk_model *m, int i) {
  for (int k = 0; k < m->n_nodes; k++)
    if (is_body(&m->node[k]) && i-- == 0) return &m->node[k];
  return NULL;
}

int hk_model_body_count(const hk_model *m) {
  if (!m) return 0;
  int n = 0;
  for (int k = 0; k < m->n_nodes; k++) n += is_body(&m->node[k]);
  return n;
}

int hk_model_body_find(const hk_model *m, const char *name) {
  if (!m) return -1;
  int n = 0;
  for (int k = 0; k < m->n_nodes; k++) {
    if (!is_body(&m->node[k])) continue;
    if (strcmp(m->node[k].name, name) == 0) return n;
    n++;
  }
  return -1;
}

hk_status hk_model_body_info(const hk_model *m, int i, hk_body_info *out) {
  if (!out) return HK_EINPUT;
  if (!m) return HK_EINPUT;
  const hk_node *n = body_at(m, i);
  *out = (hk_body_info){.name = "", .type = ""};
  if (!n) return HK_EINPUT;
  *out = (hk_body_info){.name = n->name,
                        .type = n->item->type->name,
                        .mass = n->mass,
                        .center = n->center,
                        .q = m->at.q + n->q,
                        .nq = n->nq,
                        .v = m->at.v + n->v,
                        .nv = n->nv};
  memcpy(out->inertia, n->inertia.m, sizeof out->inertia);
  return HK_OK;
}

hk_status hk_model_body_pose(const hk_model *m, int i, const void *state, hk_body_pose *out) {
  if (!out) return HK_EINPUT;
  if (!m) return HK_EINPUT;
  const hk_node *n = body_at(m, i);
  const double *x = state;
  *out = (hk_body_pose){.orientation = hk_quat_identity()};
  if (!n || !n->type->frame) return HK_EINPUT;
  hk_marker origin = {.name = n->name, .node = (int)(n - m->node)};
  const hk_mat3 own = hk_mat3_identity();
  hk_node_mount(n, hk_v3(0, 0, 0), &own, &origin.s, &origin.R);
  hk_frame F;
  hk_node_start_frame(n, &origin, x ? x[m->at.t] : hk_spec_start_time(m->spec),
                      (x ? x + m->at.q : m->q0) + n->q, (x ? x + m->at.v : m->v0) + n->v, &F);
  *out = (hk_body_pose){F.x, hk_quat_from_matrix(&F.R), F.v, F.w};
  return HK_OK;
}
