/* Common part of nodes with translational coordinates only, the point mass and the body with
 * prescribed rotation: q = x and v = x', and a frame moves by dx = dx_n. */
#ifndef HK_NODE_TRANSLATION_H
#define HK_NODE_TRANSLATION_H
#include "node/node.h"

extern const hk_node_coordinate hk_translation_coordinate[3];

void hk_translation_start(hk_node *n, const hk_mass_properties *p, double *q, double *v);
void hk_translation_map(const hk_pose *p, const hk_marker *k, const hk_frame *F, hk_vec3 jx,
                        hk_vec3 jt, double *out);
void hk_translation_multiply(const hk_pose *p, const double *x, double *y);
double hk_translation_energy(const hk_pose *p, const double *v);
void hk_translation_force(const hk_pose *p, const double *v, double *out);
void hk_translation_tangent(const hk_pose *p, const hk_inertia_weights *c, double *out, int stride);
void hk_translation_field(const hk_pose *p, const double *q, const hk_field *field, double *f,
                          double *potential);
hk_mass_rank hk_translation_rank(const hk_node *n);
void hk_translation_diagonal(const hk_node *n, double *out);
double hk_translation_resistance(const hk_node *n, bool angular, double length);
#endif
