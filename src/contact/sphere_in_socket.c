/* Ball in a hollow sphere: the spherical joint with clearance. Frame A is at the centre of the
 * socket, B at the centre of the ball. With d = xB - xA, L = |d|:
 *   gap = R_socket - R_ball - L,  n = -d/L,  c = xB - (R_ball + gap/2) n
 * The socket is a complete sphere without a rim. Ball and socket conform: Hertz's theory is
 * valid only if the clearance is not small compared with the penetration. */
#include "base/hot.h"
#include <hooke/gap.h>
#include "mesh/drawing.h"

typedef struct sphere_in_socket {
  hk_contact_common common;
  double socket_radius, ball_radius;
} sphere_in_socket;

static const sphere_in_socket defaults = {{0}, 0, 0};

static const hk_param params[] = {
    HK_REAL(sphere_in_socket, socket_radius, "m", HK_REQUIRED | HK_POSITIVE,
            "radius of the hollow sphere of a"),
    HK_REAL(sphere_in_socket, ball_radius, "m", HK_REQUIRED | HK_POSITIVE,
            "radius of the ball of b"),
};

enum { SOCKET, BALL, CLEARANCE };

static hk_status prepare(const hk_item *item, double *k, hk_error *err) {
  const sphere_in_socket *p = hk_item_data(item);
  if (p->socket_radius < p->ball_radius)
    return hk_fail(err, HK_EINPUT, "socket_radius %g m is smaller than ball_radius %g m",
                   p->socket_radius, p->ball_radius);
  k[SOCKET] = p->socket_radius;
  k[BALL] = p->ball_radius;
  k[CLEARANCE] = p->socket_radius - p->ball_radius;
  return HK_OK;
}

HK_HOT static void eval(const double *k, const hk_frame *A, const hk_frame *B, double near,
                        bool with_t, hk_gap *out) {
  hk_vec3 d = hk_sub(B->x, A->x);
  double L = hk_norm(d), least = 1e-12 * k[SOCKET];
  bool direction = L > least; /* undefined at the centre; any direction is valid there */
  out->gap = k[CLEARANCE] - L;
  out->n = direction ? hk_scale(-1 / L, d) : hk_column(&A->R, 2);
  out->c = hk_gap_ball_point(B, k[BALL], out);
  bool slopes = out->gap < near;
  hk_gap_free_tangent(A, false, out);
  if (!slopes) return;
  const hk_vec3 tau[2] = {out->t, hk_cross(out->n, out->t)};
  const double turn = -1 / (direction ? L : least), both[2] = {turn, turn};
  hk_gap_ball(d, k[BALL], 2, tau, both, out);
  if (with_t) hk_gap_free_tangent(A, true, out);
}

static void curvature(const double *k, int point, hk_curvature *out) {
  (void)point;
  *out = (hk_curvature){-k[SOCKET], -k[SOCKET], k[BALL], k[BALL]};
}

static double deepest(const double *k) { return k[BALL]; }

static const hk_gap_ops ops = {.points = 1,
                               .concave = true,
                               .tangents = 2,
                               .prepare = prepare,
                               .deepest = deepest,
                               .eval = eval,
                               .curvature = curvature};

static void draw(const hk_item *item, hk_drawing *d) {
  const sphere_in_socket *p = hk_item_data(item);
  double R = p->socket_radius, r = p->ball_radius;
  hk_mesh ball = {0}, socket = {0};
  hk_mesh_sphere(&ball, r, 0);
  hk_mesh_socket(&socket, R, 1.35 * R, 0.3 * R);
  hk_draw(d, HK_DRAW_B, &ball, (hk_draw_style){.paint = HK_PAINT_STEEL});
  hk_draw(d, HK_DRAW_A, &socket, (hk_draw_style){.bore = R, .clearance = R - r});
  d->play = HK_PLAY_POINT, d->clearance = R - r;
}

const hk_type hk_type_contact_sphere_in_socket = {
    .name = "sphere_in_socket",
    .category = HK_CONTACT,
    .doc =
        "Ball (b, at its centre) in a hollow sphere (a, at its centre): a spherical joint with "
        "clearance.",
    .source = "distance of the centres",
    .size = sizeof(sphere_in_socket),
    .defaults = &defaults,
    HK_TABLE(params),
    .symmetry = HK_MIRRORS,
    .ops = &ops,
    .draw = draw,
};
