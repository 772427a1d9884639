/* A ball in a straight track of a race, whose section is two circular flanks (a gothic arch).
 *
 * Frame A is that of the race, at the joint's centre with z along its axis; frame B stands at the
 * centre of the ball.  The track starts at P = (pitch_radius) e_r at the azimuth; its axes in the
 * triad (radial, circumferential, axial) there are [Marter2020, eq. 8], with a = alpha, b = beta,
 *
 *   e_x = (cos b, 0, sin b)                          radial
 *   e_y = (sin a sin b, cos a, -sin a cos b)         circumferential
 *   e_z = (-cos a sin b, sin a, cos a cos b)         along the track
 *
 * The signs of alpha and beta are the caller's: crossed tracks of an inner and an outer race have
 * opposite ones, and they alternate from ball to ball.
 *
 * In the plane (x, y) across the track the flank's circle of radius R_track is centred at M, the
 * ball at (x, y); r = (x, y) - M, L = |r|, e_1 = r/L [eqs 9 to 13]:
 *
 *   gap = R_track - R_ball - L,   n = -e_1,   c = the point M + R_track e_1 of the track
 *
 * which is exact for a sphere in a cylinder.  With e = R_track - R_ball - play, contact angle
 *
 *   inner race:  M = e (cos, +-sin),   outer race:  M = -e (cos, +-sin)
 *
 * where the upper sign is the flank that is loaded when the inner race pushes the balls in the
 * circumferential direction (load: forward).  A flank is the half circle around its nominal normal:
 * for a ball beyond the flank's centre, where it has left the track, L counts negative and the gap
 * stays open.
 */
#include "base/hot.h"
#include <hooke/gap.h>

typedef struct ball_in_groove {
  hk_contact_common common;
  int race, load;
  double azimuth, pitch_radius, alpha, beta;
  double ball_radius, track_radius, contact_angle, play;
} ball_in_groove;

static const ball_in_groove defaults = {.contact_angle = 0.7853981633974483};

enum { INNER, OUTER };
static const char *const RACES[] = {"inner", "outer", NULL};
enum { FORWARD, REVERSE };
static const char *const LOADS[] = {"forward", "reverse", NULL};

static const hk_param params[] = {
    HK_ENUM(ball_in_groove, race, RACES, HK_REQUIRED, "which race has the track"),
    HK_ENUM(ball_in_groove, load, LOADS, 0,
            "forward: the inner race pushes balls in the circumferential direction (+ about z); "
            "says which flank is called loaded"),
    HK_REAL(ball_in_groove, azimuth, "rad", 0, "where the track lies around the race's axis"),
    HK_REAL(ball_in_groove, pitch_radius, "m", HK_REQUIRED | HK_POSITIVE,
            "distance of the track's middle from the race's axis: half the PCD"),
    HK_REAL(ball_in_groove, alpha, "rad", 0,
            "inclination of the track in circumferential direction", HK_RANGE(-1.5, 1.5)),
    HK_REAL(ball_in_groove, beta, "rad", 0, "inclination of the track in radial direction",
            HK_RANGE(-1.5, 1.5)),
    HK_REAL(ball_in_groove, ball_radius, "m", HK_REQUIRED | HK_POSITIVE, "radius of the ball"),
    HK_REAL(ball_in_groove, track_radius, "m", HK_REQUIRED | HK_POSITIVE,
            "radius of the flanks, larger than the ball's"),
    HK_REAL(ball_in_groove, contact_angle, "rad", 0,
            "of the contact normal against the radial direction", HK_RANGE(0.01, 1.56)),
    HK_REAL(ball_in_groove, play, "m", 0,
            "gap of each flank when the ball is in its middle; < 0: preload"),
};

/* Constants: track axes in A's axes, flank centres (x, y) measured from A's origin, radii. */
enum { EX = 0, EY = 3, EZ = 6, LOADED = 9, COUNTER = 13, BALL = 17, CLEARANCE, TRACK, N_K };
_Static_assert((int)N_K <= (int)HK_GAP_CONSTANTS, "constants of a groove");

/* Per flank: x, y of its centre and the direction M in which the ball's centre must not pass it. */
static void put_flank(double *k, double x0, double y0, double mx, double my) {
  k[0] = x0 + mx, k[1] = y0 + my, k[2] = mx, k[3] = my;
}

static hk_status check(const ball_in_groove *p, hk_error *err) {
  double e = p->track_radius - p->ball_radius;
  if (!(e > 0))
    return hk_fail(err, HK_EINPUT,
                   "track_radius %g m must be larger than ball_radius %g m, else the ball touches "
                   "at no single point",
                   p->track_radius, p->ball_radius);
  if (!(p->play < e))
    return hk_fail(err, HK_EINPUT,
                   "play %g m must be smaller than track_radius - ball_radius = %g m", p->play, e);
  if (!(p->pitch_radius > p->ball_radius))
    return hk_fail(err, HK_EINPUT, "pitch_radius %g m must be larger than ball_radius %g m",
                   p->pitch_radius, p->ball_radius);
  return HK_OK;
}

static hk_status prepare(const hk_item *item, double *k, hk_error *err) {
  const ball_in_groove *p = item->data;
  hk_status status = check(p, err);
  if (status) return status;
  double ca = cos(p->alpha), sa = sin(p->alpha), cb = cos(p->beta), sb = sin(p->beta);
  double cp = cos(p->azimuth), sp = sin(p->azimuth);
  hk_mat3 triad = {{{cp, -sp, 0}, {sp, cp, 0}, {0, 0, 1}}}; /* columns e_r, e_t, e_z in A */
  hk_gap_put(k + EX, hk_mul(&triad, hk_v3(cb, 0, sb)));
  hk_gap_put(k + EY, hk_mul(&triad, hk_v3(sa * sb, ca, -sa * cb)));
  hk_gap_put(k + EZ, hk_mul(&triad, hk_v3(-ca * sb, sa, ca * cb)));
  double x0 = p->pitch_radius * cb, y0 = p->pitch_radius * sa * sb; /* P along e_x and e_y */
  double e = p->track_radius - p->ball_radius - p->play, side = p->race == INNER ? 1 : -1;
  double mx = side * e * cos(p->contact_angle), my = side * e * sin(p->contact_angle);
  if (p->load == REVERSE) my = -my;
  put_flank(k + LOADED, x0, y0, mx, my);
  put_flank(k + COUNTER, x0, y0, mx, -my);
  k[BALL] = p->ball_radius;
  k[TRACK] = p->track_radius;
  k[CLEARANCE] = p->track_radius - p->ball_radius;
  return HK_OK;
}

/* Where the ball is across a track. */
typedef struct place {
  hk_vec3 X, Y; /* axes of the track */
  double x, y;
} place;

HK_INLINE place place_of(const double *k, const hk_frame *A, hk_vec3 d) {
  place p = {hk_mul(&A->R, hk_gap_get(k + EX)), hk_mul(&A->R, hk_gap_get(k + EY)), 0, 0};
  p.x = hk_dot(p.X, d), p.y = hk_dot(p.Y, d);
  return p;
}

/* r = (x, y) - M of a flank; returns L. */
HK_INLINE double reach(const place *p, const double *flank, double *rx, double *ry) {
  *rx = p->x - flank[0], *ry = p->y - flank[1];
  double L = sqrt(*rx * *rx + *ry * *ry);
  if (L < 1e-12) {
    *rx = -1e-12 * flank[2], *ry = -1e-12 * flank[3];
    L = sqrt(*rx * *rx + *ry * *ry);
  }
  return *rx * flank[2] + *ry * flank[3] > 0 ? -L : L;
}

HK_HOT static void eval(const double *k, const hk_frame *A, const hk_frame *B, double near,
                        bool with_t, hk_gap *out) {
  hk_vec3 d = hk_sub(B->x, A->x), Z = hk_mul(&A->R, hk_gap_get(k + EZ));
  place p = place_of(k, A, d);
  for (int i = 0; i < 2; i++) {
    double rx, ry, L = reach(&p, k + (i ? COUNTER : LOADED), &rx, &ry), s = 1 / L;
    hk_gap *o = &out[i];
    o->gap = k[CLEARANCE] - L;
    o->n = hk_axpy(hk_scale(-rx * s, p.X), -ry * s, p.Y);
    o->c = hk_axpy(B->x, -(k[BALL] + o->gap), o->n);
    o->t = Z;
    if (!(o->gap < near)) continue;
    hk_vec3 tau = hk_cross(Z, o->n);
    const double curl = -s;
    hk_gap_ball(d, k[BALL], 1, &tau, &curl, o);
    if (with_t) hk_gap_carried_tangent(HK_GAP_TA, o);
  }
}

/* As the ball moves along tau = e_z x n, n turns by -1/L: n_u = -tau tau^T/L. */
HK_HOT static void ball(const double *k, const hk_frame *A, const hk_frame *B, double near,
                        bool derivatives, hk_ball_gap *out) {
  place p = place_of(k, A, hk_sub(B->x, A->x));
  for (int i = 0; i < 2; i++) {
    double rx, ry, L = reach(&p, k + (i ? COUNTER : LOADED), &rx, &ry);
    hk_ball_gap *o = &out[i];
    o->radius = k[BALL];
    o->gap = k[CLEARANCE] - L;
    if (o->gap >= near) continue;
    double s = 1 / L;
    rx *= s, ry *= s;
    o->n = hk_axpy(hk_scale(-rx, p.X), -ry, p.Y);
    if (!derivatives) continue;
    hk_vec3 tau = hk_axpy(hk_scale(ry, p.X), -rx, p.Y);
    o->n_u = hk_outer(hk_scale(-s, tau), tau);
  }
}

static void curvature(const double *k, int point, hk_curvature *out) {
  (void)point;
  *out = (hk_curvature){.a_t = INFINITY, .a_s = -k[TRACK], .b_t = k[BALL], .b_s = k[BALL]};
}

static const char *const POINTS[] = {"loaded", "counter"};
static const hk_gap_ops ops = {.points = 2,
                               .point_names = POINTS,
                               .tangents = 2,
                               .prepare = prepare,
                               .eval = eval,
                               .ball = ball,
                               .curvature = curvature};

const hk_type hk_type_contact_ball_in_groove = {
    .name = "ball_in_groove",
    .category = HK_CONTACT,
    .doc =
        "Ball (b, at its centre) in a straight inclined track with two circular flanks of a race "
        "(a, at the joint's centre, z its axis).",
    .source = "[Marter2020, eqs 8 to 13], flank offsets from the contact angle",
    .size = sizeof(ball_in_groove),
    .defaults = &defaults,
    HK_TABLE(params),
    .ops = &ops,
};
