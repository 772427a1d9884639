/* Node with prescribed rotation: its position is free, its orientation is a function of time,
 *   R = R0 Rx(a(t)) Rz(b(t)),   w = R0 (a' x + b' u)
 * with u = Rx(a) z, which rotates about x with a'. */
#include "node/translation.h"

typedef struct guide {
  const hk_expr *angle[2];
} guide;

/* Private data: angular velocity and acceleration, and the time at which these and R were
 * computed. */
typedef struct turning {
  hk_vec3 w, alpha;
  /* time and kind of motion (MOVING or STILL) for which R was computed; any other kind: R is
   * not valid */
  double t, known;
} turning;
_Static_assert(sizeof(turning) == 8 * sizeof(double), "eight numbers");
enum { MOVING = 1, STILL };

static hk_status prepare(hk_node *n, hk_arena *arena, const char **param, hk_error *err) {
  guide *g = HK_NEW(arena, guide);
  if (!g) return hk_fail(err, HK_ENOMEM, "out of memory");
  ((const hk_body_ops *)n->item->type->ops)->guide(n->item, g->angle);
  n->data = g;
  for (int i = 0; i < 2; i++) {
    const int *slot;
    *param = i ? "spin" : "tilt";
    if (!g->angle[i]) return hk_fail(err, HK_EINPUT, "it has no prescribed rotation");
    int used = hk_expr_slots(g->angle[i], &slot);
    if (used > 1 || (used == 1 && slot[0] != 0))
      return hk_fail(err, HK_EINPUT, "its rotation must depend on the time t only");
  }
  return HK_OK;
}

static void place(const hk_node *n, double t, bool still, const double *q, const double *v,
                  hk_mat3 *R, double *own) {
  const guide *g = n->data;
  turning *kept = (turning *)own;
  double angle[2], d1[2], d2[2], known = still ? STILL : MOVING;
  /* All evaluations at the end of a step have the same time. */
  if (kept->known == known && kept->t == t) return;
  for (int i = 0; i < 2; i++) angle[i] = hk_expr_second(g->angle[i], &t, 0, &d1[i], &d2[i]);
  if (still) d1[0] = d1[1] = d2[0] = d2[1] = 0;
  double ca = cos(angle[0]), sa = sin(angle[0]), cb = cos(angle[1]), sb = sin(angle[1]);
  hk_mat3 P = {{{cb, -sb, 0}, {ca * sb, ca * cb, -sa}, {sa * sb, sa * cb, ca}}};
  hk_vec3 u = hk_v3(0, -sa, ca), u_d = hk_v3(0, -ca, -sa);
  *R = hk_matmul(&n->R0, &P);
  hk_vec3 omega = hk_axpy(hk_v3(d1[0], 0, 0), d1[1], u);
  hk_vec3 alpha = hk_axpy(hk_axpy(hk_v3(d2[0], 0, 0), d2[1], u), d1[0] * d1[1], u_d);
  *kept = (turning){hk_mul(&n->R0, omega), hk_mul(&n->R0, alpha), t, known};
}

static void frame(const hk_pose *p, const hk_marker *k, const double *q, const double *v,
                  hk_frame *F) {
  F->R = k->aligned ? *p->R : hk_matmul(p->R, &k->R);
  F->s = hk_mul(p->R, k->s);
  F->angle = F->rate = 0;
  F->w = ((const turning *)p->own)->w;
  F->x = hk_add(hk_v3(q[0], q[1], q[2]), F->s);
  F->v = hk_add(hk_v3(v[0], v[1], v[2]), hk_cross(F->w, F->s));
}

static void bias(const hk_pose *p, const hk_marker *k, const hk_frame *F, hk_vec3 *a,
                 hk_vec3 *alpha) {
  *alpha = ((const turning *)p->own)->alpha;
  *a = hk_add(hk_cross(*alpha, F->s), hk_cross(F->w, hk_cross(F->w, F->s)));
}

const hk_node_type hk_node_guided = {
    .name = "guided",
    .noun = "guided body",
    .nv = 3,
    .coordinate = hk_translation_coordinate,
    .moves = HK_MOVES_TRANSLATION,
    .turn = -1,
    .own = 8,
    .guided = true,
    .no_joint =
        "a guided body cannot carry a joint: its rotation is prescribed. Use a rigid_body with "
        "motions instead",
    .records = HK_RECORDS_ALL,
    .prepare = prepare,
    .start = hk_translation_start,
    .rank = hk_translation_rank,
    .diagonal = hk_translation_diagonal,
    .resistance = hk_translation_resistance,
    .place = place,
    .frame = frame,
    .map = hk_translation_map,
    .bias = bias,
    .multiply = hk_translation_multiply,
    .energy = hk_translation_energy,
    .force = hk_translation_force,
    .tangent = hk_translation_tangent,
    .field = hk_translation_field,
};
