/* Rigid node: position and orientation of a rigid body. See rigid.h. */
#include "node/rigid.h"

static const hk_node_coordinate COORDINATE[6] = {{"x", "force", false},  {"y", "force", false},
                                                 {"z", "force", false},  {"rx", "moment", true},
                                                 {"ry", "moment", true}, {"rz", "moment", true}};

static void start(hk_node *n, const hk_mass_properties *p, double *q, double *v) {
  const hk_body_common *b = n->item->data;
  hk_mat3 R = hk_quat_matrix(b->orientation);
  hk_vec3 offset = hk_mul(&R, p->center), x = hk_add(b->position, offset);
  hk_vec3 u = hk_add(b->velocity, hk_cross(b->angular_velocity, offset));
  hk_quat o = hk_quat_normalize(b->orientation);
  hk_vec3 w = hk_tmul(&R, b->angular_velocity);
  q[0] = x.x, q[1] = x.y, q[2] = x.z;
  q[3] = o.w, q[4] = o.x, q[5] = o.y, q[6] = o.z;
  v[0] = u.x, v[1] = u.y, v[2] = u.z;
  v[3] = w.x, v[4] = w.y, v[5] = w.z;
}

static hk_mass_rank rank(const hk_node *n) {
  const double(*J)[3] = n->inertia.m;
  if (!(n->mass > 0)) return HK_MASS_NONE;
  hk_vec3 a = hk_column(&n->inertia, 0), b = hk_column(&n->inertia, 1),
          d = hk_column(&n->inertia, 2);
  double mean = (J[0][0] + J[1][1] + J[2][2]) / 3;
  return hk_dot(a, hk_cross(b, d)) > 1e-12 * mean * mean * mean ? HK_MASS_FULL : HK_MASS_SINGULAR;
}

static double gyration(const hk_node *n) {
  const double(*J)[3] = n->inertia.m;
  return n->mass > 0 ? sqrt(fmax(J[0][0], fmax(J[1][1], J[2][2])) / n->mass) : 0;
}

static void diagonal(const hk_node *n, double *out) {
  for (int k = 0; k < 3; k++) out[k] = n->mass, out[3 + k] = n->inertia.m[k][k];
}

static double resistance(const hk_node *n, bool angular, double length) {
  const double(*J)[3] = n->inertia.m;
  return angular ? (J[0][0] + J[1][1] + J[2][2]) / 3 : n->mass;
}

static void place(const hk_node *n, double t, bool still, const double *q, const double *v,
                  hk_mat3 *R, double *own) {
  *R = hk_quat_matrix(hk_quat_at(q + 3));
}

static void frame(const hk_pose *p, const hk_marker *k, const double *q, const double *v,
                  hk_frame *F) {
  F->R = k->aligned ? *p->R : hk_matmul(p->R, &k->R);
  F->s = hk_mul(p->R, k->s);
  F->angle = F->rate = 0;
  F->x = hk_add(hk_v3(q[0], q[1], q[2]), F->s);
  F->w = hk_mul(p->R, hk_rigid_spin(v));
  F->v = hk_add(hk_v3(v[0], v[1], v[2]), hk_cross(F->w, F->s));
}

static void map(const hk_pose *p, const hk_marker *k, const hk_frame *F, hk_vec3 jx, hk_vec3 jt,
                double *out) {
  hk_rigid_map(p->R, F->s, jx, jt, out);
}

static void geometric(const hk_pose *p, const hk_marker *k, const hk_frame *F, hk_vec3 f, hk_vec3 m,
                      double c, double *out, int stride) {
  hk_rigid_geometric(p->R, F->s, f, m, c, out, stride);
}

static void turning(const hk_pose *p, const hk_marker *k, const hk_frame *F, hk_vec3 jv, hk_vec3 jw,
                    double *out) {
  hk_rigid_turning(p->R, F, jv, jw, out);
}

static void bias(const hk_pose *p, const hk_marker *k, const hk_frame *F, hk_vec3 *a,
                 hk_vec3 *alpha) {
  *a = hk_rigid_centripetal(F);
  *alpha = hk_v3(0, 0, 0);
}

static void multiply(const hk_pose *p, const double *x, double *y) {
  hk_rigid_multiply(p->node, x, y);
}

static double energy(const hk_pose *p, const double *v) {
  hk_vec3 o = hk_rigid_spin(v);
  return 0.5 * (p->node->mass * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) +
                hk_dot(o, hk_mul(&p->node->inertia, o)));
}

static void force(const hk_pose *p, const double *v, double *out) {
  hk_rigid_force(p->node, v, out);
}

static void tangent(const hk_pose *p, const hk_inertia_weights *c, double *out, int stride) {
  hk_rigid_tangent(p->node, c, out, stride);
}

static void field(const hk_pose *p, const double *q, const hk_field *a, double *f,
                  double *potential) {
  hk_node_center_field(p->node->mass, hk_v3(q[0], q[1], q[2]), a, f, potential);
}

const hk_node_type hk_node_rigid = {
    .name = "rigid",
    .noun = "rigid body",
    .nv = 6,
    .coordinate = COORDINATE,
    .moves = HK_MOVES_RIGID,
    .turn = 3,
    .records = HK_RECORDS_ALL,
    .start = start,
    .rank = rank,
    .gyration = gyration,
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
    .field = field,
};
