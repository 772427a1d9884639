/* Nodes with translational coordinates only: see translation.h. */
#include "node/translation.h"

const hk_node_coordinate hk_translation_coordinate[3] = {
    {"x", "force", false}, {"y", "force", false}, {"z", "force", false}};

void hk_translation_start(hk_node *n, const hk_mass_properties *p, double *q, double *v) {
  const hk_body_common *b = n->item->data;
  hk_mat3 R = hk_quat_matrix(b->orientation);
  hk_vec3 offset = hk_mul(&R, p->center), x = hk_add(b->position, offset);
  hk_vec3 u = hk_add(b->velocity, hk_cross(b->angular_velocity, offset));
  q[0] = x.x, q[1] = x.y, q[2] = x.z;
  v[0] = u.x, v[1] = u.y, v[2] = u.z;
}

void hk_translation_map(const hk_pose *p, const hk_marker *k, const hk_frame *F, hk_vec3 jx,
                        hk_vec3 jt, double *out) {
  out[0] = jx.x, out[1] = jx.y, out[2] = jx.z;
}

void hk_translation_multiply(const hk_pose *p, const double *x, double *y) {
  for (int k = 0; k < 3; k++) y[k] = p->node->mass * x[k];
}

double hk_translation_energy(const hk_pose *p, const double *v) {
  return 0.5 * p->node->mass * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

void hk_translation_force(const hk_pose *p, const double *v, double *out) {
  out[0] = out[1] = out[2] = 0;
}

void hk_translation_tangent(const hk_pose *p, const hk_inertia_weights *c, double *out,
                            int stride) {
  for (int k = 0; k < 3; k++) out[k * stride + k] += c->cM * p->node->mass;
}

void hk_translation_field(const hk_pose *p, const double *q, const hk_field *a, double *f,
                          double *potential) {
  hk_node_center_field(p->node->mass, hk_v3(q[0], q[1], q[2]), a, f, potential);
}

hk_mass_rank hk_translation_rank(const hk_node *n) {
  return n->mass > 0 ? HK_MASS_FULL : HK_MASS_NONE;
}

void hk_translation_diagonal(const hk_node *n, double *out) { out[0] = out[1] = out[2] = n->mass; }

double hk_translation_resistance(const hk_node *n, bool angular, double length) {
  return angular ? n->inertia.m[2][2] : n->mass;
}
