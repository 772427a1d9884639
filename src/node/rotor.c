/* Rotor node: one angle about a fixed axis. See rotor.h. */
#include "node/rotor.h"

static const hk_node_coordinate COORDINATE[1] = {{"angle", "moment", true}};

static hk_status prepare(hk_node *n, hk_arena *arena, const char **param, hk_error *err) {
  n->vary = ((const hk_body_ops *)n->item->type->ops)->inertia;
  if (!n->vary) n->n_own = 0;
  return HK_OK;
}

static void start(hk_node *n, const hk_mass_properties *p, double *q, double *v) {
  hk_mat3 Z = hk_frame_from_z(hk_norm(p->axis) > 0 ? p->axis : hk_v3(0, 0, 1));
  n->R0 = hk_matmul(&n->R0, &Z);
  q[0] = p->angle;
  v[0] = p->rate;
  if (!n->vary) return;
  double J[3];
  n->vary(n->item->data, p->angle, J);
  n->inertia.m[2][2] = J[0];
}

/* Converts a frame to the axes of the node, whose z axis is along the axis of rotation. This axis may have any
 * direction in the body. */
static void mount(const hk_node *n, hk_vec3 at, const hk_mat3 *R, hk_vec3 *s, hk_mat3 *in_node) {
  const hk_body_common *b = n->item->data;
  hk_mat3 body = hk_quat_matrix(b->orientation), turn = hk_tmatmul(&n->R0, &body);
  *s = hk_mul(&turn, at);
  *in_node = hk_matmul(&turn, R);
}

static hk_mass_rank rank(const hk_node *n) {
  return n->inertia.m[2][2] > 0 ? HK_MASS_FULL : HK_MASS_NONE;
}

static void diagonal(const hk_node *n, double *out) { out[0] = n->inertia.m[2][2]; }

static double resistance(const hk_node *n, bool angular, double length) {
  double J = n->inertia.m[2][2];
  return angular ? J : J / (length * length);
}

static void place(const hk_node *n, double t, bool still, const double *q, const double *v,
                  hk_mat3 *R, double *own) {
  hk_rotor_place(n, q[0], R, own);
}

static void frame(const hk_pose *p, const hk_marker *k, const double *q, const double *v,
                  hk_frame *F) {
  F->R = k->aligned ? *p->R : hk_matmul(p->R, &k->R);
  F->s = hk_mul(p->R, k->s);
  F->angle = q[0];
  F->rate = v[0];
  F->x = hk_add(p->node->x0, F->s);
  F->w = hk_scale(v[0], hk_rotor_axis(p->node));
  F->v = hk_cross(F->w, F->s);
}

static void map(const hk_pose *p, const hk_marker *k, const hk_frame *F, hk_vec3 jx, hk_vec3 jt,
                double *out) {
  out[0] = hk_rotor_map(p->node, F->s, jx, jt);
}

static void geometric(const hk_pose *p, const hk_marker *k, const hk_frame *F, hk_vec3 f, hk_vec3 m,
                      double c, double *out, int stride) {
  out[0] += c * hk_rotor_geometric(p->node, F->s, f);
}

static void turning(const hk_pose *p, const hk_marker *k, const hk_frame *F, hk_vec3 jv, hk_vec3 jw,
                    double *out) {
  out[0] += hk_rotor_turning(p->node, F, jv);
}

static void bias(const hk_pose *p, const hk_marker *k, const hk_frame *F, hk_vec3 *a,
                 hk_vec3 *alpha) {
  *a = hk_cross(F->w, hk_cross(F->w, F->s));
  *alpha = hk_v3(0, 0, 0);
}

static void multiply(const hk_pose *p, const double *x, double *y) {
  y[0] = hk_rotor_inertia(p->node, p->own) * x[0];
}

static double energy(const hk_pose *p, const double *v) {
  return 0.5 * hk_rotor_inertia(p->node, p->own) * v[0] * v[0];
}

static void force(const hk_pose *p, const double *v, double *out) {
  out[0] = hk_rotor_force(p->node, p->own, v[0]);
}

static void tangent(const hk_pose *p, const hk_inertia_weights *c, double *out, int stride) {
  out[0] += hk_rotor_tangent(p->node, p->own, c);
}

const hk_node_type hk_node_rotor = {
    .name = "rotor",
    .noun = "rotor",
    .nv = 1,
    .coordinate = COORDINATE,
    .moves = HK_MOVES_AXIS,
    .turn = -1,
    .own = 3,
    .axis = true,
    .records = HK_RECORDS_NONE,
    .free_name = "angle",
    .free_relation = &hk_relation_turn,
    .prepare = prepare,
    .start = start,
    .mount = mount,
    .rank = rank,
    .diagonal = diagonal,
    .resistance = resistance,
    .place = place,
    .frame = frame,
    .map = map,
    .geometric = geometric,
    .turning = turning,
    .bias = bias,
    .multiply = multiply,
    .energy = energy,
    .force = force,
    .tangent = tangent,
};
