/* State node: not a body, but a scalar z with a rate equation z' = f that is integrated with the
 * mechanism, such as a controller state, a pressure or a time lag.
 *
 * The coordinate of the node is d = z/S, with S the nominal magnitude for error control. The node has neither mass nor
 * energy. Its equation is 0 d'' = -d' + f/S: the damping is 1 and the stiffness is -df/dz, so that every analysis
 * finds the first-order eigenvalue. The frame of the node is at x = (z, 0, 0) and has the velocity (z', 0, 0);
 * expressions read z from this position, with exact derivatives. f is the force of signal/state.c at that frame. */
#include "node/node.h"

static const hk_node_coordinate coordinate[1] = {{"value", "rate", false}};

static double size_of(const hk_node *n) { return *(const double *)n->data; }

static void place(const hk_node *n, double t, bool still, const double *q, const double *v,
                  hk_mat3 *R, double *own) {
  *R = hk_mat3_identity();
}

static void frame(const hk_pose *p, const hk_marker *k, const double *q, const double *v,
                  hk_frame *F) {
  *F = (hk_frame){.x = hk_v3(size_of(p->node) * q[0], 0, 0),
                  .v = hk_v3(size_of(p->node) * v[0], 0, 0),
                  .R = hk_mat3_identity()};
}

static void map(const hk_pose *p, const hk_marker *k, const hk_frame *F, hk_vec3 jx, hk_vec3 jt,
                double *out) {
  out[0] = size_of(p->node) * jx.x;
}

static hk_mass_rank rank(const hk_node *n) { return HK_MASS_NONE; }
static void diagonal(const hk_node *n, double *out) { out[0] = 1; }
static double resistance(const hk_node *n, bool angular, double length) { return 1; }
static void multiply(const hk_pose *p, const double *x, double *y) { y[0] = 0; }
static double energy(const hk_pose *p, const double *v) { return 0; }
static void force(const hk_pose *p, const double *v, double *out) { out[0] = -v[0]; }

static void tangent(const hk_pose *p, const hk_inertia_weights *c, double *out, int stride) {
  out[0] += c->cC;
}

const hk_node_type hk_node_state = {
    .name = "state",
    .noun = "state",
    .nv = 1,
    .coordinate = coordinate,
    .moves = HK_MOVES_CUSTOM,
    .turn = -1,
    .number = true,
    .pointlike = true,
    .no_joint = "a state is not a body",
    .records = HK_RECORDS_NONE,
    .rank = rank,
    .diagonal = diagonal,
    .resistance = resistance,
    .place = place,
    .frame = frame,
    .map = map,
    .multiply = multiply,
    .energy = energy,
    .force = force,
    .tangent = tangent,
};
