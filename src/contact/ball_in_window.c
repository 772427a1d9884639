/* Ball in a window of a cage: between two planes perpendicular to the cage axis.
 *
 * Frame A belongs to the cage, at its centre with z along its axis; frame B is at the centre of
 * the ball. The planes of the window are z = offset +- half_width; its side walls are not
 * modelled.
 *   gap = half_width - R_ball -+ (z . (xB - xA) - offset),  n = -+z,  c = xB - (R_ball + gap/2) n
 * [Marter2020, eqs 14 to 16; eq. 15 as printed lacks the offset of the plane]. */
#include "base/simd4.h"
#include <hooke/gap.h>

typedef struct ball_in_window {
  hk_contact_common common;
  double half_width, ball_radius, offset;
} ball_in_window;

static const ball_in_window defaults = {.half_width = 0};

static const hk_param params[] = {
    HK_REAL(ball_in_window, half_width, "m", HK_REQUIRED | HK_POSITIVE,
            "distance of each plane from the middle: radius of the ball plus half the clearance, "
            "or minus half the interference"),
    HK_REAL(ball_in_window, ball_radius, "m", HK_REQUIRED | HK_POSITIVE, "radius of the ball"),
    HK_REAL(ball_in_window, offset, "m", 0, "position of the window centre along the cage axis"),
};

enum { BALL, CLEARANCE, OFFSET };

static hk_status prepare(const hk_item *item, double *k, hk_error *err) {
  const ball_in_window *p = hk_item_data(item);
  if (p->half_width < 0.99 * p->ball_radius)
    return hk_fail(err, HK_EINPUT,
                   "half_width %g m is smaller than ball_radius %g m by more than 1 %%, the "
                   "largest permitted interference",
                   p->half_width, p->ball_radius);
  k[BALL] = p->ball_radius;
  k[CLEARANCE] = p->half_width - p->ball_radius;
  k[OFFSET] = p->offset;
  return HK_OK;
}

HK_HOT static void eval(const double *k, const hk_frame *A, const hk_frame *B, double near,
                        bool with_t, hk_gap *out) {
  hk_vec3 d = hk_sub(B->x, A->x), Z = hk_column(&A->R, 2);
  double z = hk_dot(Z, d) - k[OFFSET];
  for (int i = 0; i < 2; i++) {
    hk_gap *o = &out[i];
    o->gap = k[CLEARANCE] - (i ? -z : z);
    o->n = i ? Z : hk_neg(Z);
    o->c = hk_gap_ball_point(B, k[BALL], o);
    o->t = hk_column(&A->R, 0);
    if (!(o->gap < near)) continue;
    hk_gap_ball(d, k[BALL], 0, NULL, NULL, o);
    if (with_t) hk_gap_carried_tangent(HK_GAP_TA, o);
  }
}

HK_HOT static void ball(const double *k, const hk_frame *A, const hk_frame *B, double near,
                        bool derivatives, hk_ball_gap *out) {
  (void)near;
  hk_vec3 Z = hk_column(&A->R, 2);
  double z = hk_dot(Z, hk_sub(B->x, A->x)) - k[OFFSET];
  for (int i = 0; i < 2; i++) {
    hk_ball_gap *o = &out[i];
    o->radius = k[BALL];
    o->gap = k[CLEARANCE] - (i ? -z : z);
    o->n = i ? Z : hk_neg(Z);
    if (derivatives) o->n_u = (hk_mat3){{{0}}};
  }
}

HK_HOT static void ball_four(const hk_v4 *k, const hk_v4 R[9], const hk_v4 d[3], bool derivatives,
                             hk_ball_four *out) {
  (void)derivatives; /* a plane has no curvature */
  hk_v4 z = R[2] * d[0] + R[5] * d[1] + R[8] * d[2] - k[OFFSET];
  out[0].radius = out[1].radius = k[BALL];
  out[0].gap = k[CLEARANCE] - z;
  out[1].gap = k[CLEARANCE] + z;
  for (int i = 0; i < 3; i++) out[0].n[i] = -R[3 * i + 2], out[1].n[i] = R[3 * i + 2];
}

static const hk_gap_four four = {.n_curvatures = 0, .ball = ball_four};

static void curvature(const double *k, int point, hk_curvature *out) {
  (void)point;
  *out = (hk_curvature){.a_t = INFINITY, .a_s = INFINITY, .b_t = k[BALL], .b_s = k[BALL]};
}

static const char *const POINTS[] = {"front", "back"};
static double deepest(const double *k) { return k[BALL]; }

static const hk_gap_ops ops = {.points = 2,
                               .concave = true,
                               .point_names = POINTS,
                               .tangents = 2,
                               .prepare = prepare,
                               .deepest = deepest,
                               .eval = eval,
                               .ball = ball,
                               .four = &four,
                               .curvature = curvature};

const hk_type hk_type_contact_ball_in_window = {
    .name = "ball_in_window",
    .category = HK_CONTACT,
    .doc =
        "Ball (b, at its centre) between the two window planes of a cage (a, at its centre, z "
        "along its axis): front towards +z, back towards -z.",
    .source = "[Marter2020, eqs 14 to 16]",
    .size = sizeof(ball_in_window),
    .defaults = &defaults,
    HK_TABLE(params),
    .symmetry = HK_MIRRORS,
    .ops = &ops,
};
