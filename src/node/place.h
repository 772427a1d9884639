/* What nodes whose coordinates are a place alone have in common, a point mass and a guided body:
 * q = x and v = x', and a frame moves by dx = dx_n.
 */
#ifndef HK_NODE_PLACE_H
#define HK_NODE_PLACE_H
#include "node/node.h"

extern const hk_node_coordinate hk_place_coordinate[3];

void hk_place_start(hk_node *n, const hk_mass_properties *p, double *q, double *v);
void hk_place_map(const hk_pose *p, const hk_marker *k, const hk_frame *F, hk_vec3 jx, hk_vec3 jt,
                  double *out);
void hk_place_multiply(const hk_pose *p, const double *x, double *y);
double hk_place_energy(const hk_pose *p, const double *v);
void hk_place_force(const hk_pose *p, const double *v, double *out);
void hk_place_tangent(const hk_pose *p, const hk_inertia_weights *c, double *out, int stride);
void hk_place_field(const hk_pose *p, const double *q, const hk_field *field, double *f,
                    double *potential);
hk_mass_rank hk_place_rank(const hk_node *n);
void hk_place_diagonal(const hk_node *n, double *out);
double hk_place_resistance(const hk_node *n, bool angular, double length);
#endif
