/* Point node: a mass without extent, three coordinates and no orientation. */
#include "node/place.h"

static void place(const hk_node *n, double t, bool still, const double *q, const double *v,
                  hk_mat3 *R, double *own) {
  *R = hk_mat3_identity();
}

/* Its markers have no offset; their axes are those of the world, turned once and for all. */
static void frame(const hk_pose *p, const hk_marker *k, const double *q, const double *v,
                  hk_frame *F) {
  F->R = k->R;
  F->s = k->s;
  F->angle = F->rate = 0;
  F->x = hk_v3(q[0], q[1], q[2]);
  F->v = hk_v3(v[0], v[1], v[2]);
  F->w = hk_v3(0, 0, 0);
}

const hk_node_type hk_node_point = {
    .name = "point",
    .noun = "point mass",
    .nv = 3,
    .coordinate = hk_place_coordinate,
    .moves = HK_MOVES_PLACE,
    .turn = -1,
    .pointlike = true,
    .records = HK_RECORDS_PLACE,
    .start = hk_place_start,
    .rank = hk_place_rank,
    .diagonal = hk_place_diagonal,
    .resistance = hk_place_resistance,
    .place = place,
    .frame = frame,
    .map = hk_place_map,
    .multiply = hk_place_multiply,
    .energy = hk_place_energy,
    .force = hk_place_force,
    .tangent = hk_place_tangent,
    .field = hk_place_field,
};
