/* Point node: a mass without extent, three coordinates and no orientation. */
#include "node/translation.h"

static void place(const hk_node *n, double t, bool still, const double *q, const double *v,
                  hk_mat3 *R, double *own) {
  *R = hk_mat3_identity();
}

/* Markers of a point have no offset; their axes are constant. */
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
    .coordinate = hk_translation_coordinate,
    .moves = HK_MOVES_TRANSLATION,
    .turn = -1,
    .pointlike = true,
    .records = HK_RECORDS_PLACE,
    .start = hk_translation_start,
    .rank = hk_translation_rank,
    .diagonal = hk_translation_diagonal,
    .resistance = hk_translation_resistance,
    .place = place,
    .frame = frame,
    .map = hk_translation_map,
    .multiply = hk_translation_multiply,
    .energy = hk_translation_energy,
    .force = hk_translation_force,
    .tangent = hk_translation_tangent,
    .field = hk_translation_field,
};
