/* Ball in the groove of a bearing ring: a sphere in a torus.
 *
 * Frame A belongs to the ring, on its axis with z along it; frame B is at the centre of the ball.
 * The centres of the groove's section lie on the circle of radius R_g in the plane z = z_g. The ball is at p, at the
 * distance rho from the axis; e_r, e_t, e_z are the radial, tangential and axial directions at its azimuth. With
 *
 *   x = rho - R_g,  y = p.e_z - z_g,  l = hypot(x, y)
 *
 * the nearest point of the groove is in the half plane of the ball, so that
 *
 *   gap = r_groove - R_ball - l,  n = -(x e_r + y e_z)/l
 *
 * is exact. The inner ring has its contacts at x < 0, the outer ring at x > 0; the formula is the
 * same. A ring of an angular-contact bearing has one shoulder only: on the other side of the
 * bottom its race is a cylinder, where y counts as 0.
 *
 * The first tangent is e_t, the rolling direction. The Hertzian stiffness is computed with the curvature along e_t at
 * the nominal contact angle, with the ball at the pitch radius [Harris2006]. */
#include "base/hot.h"
#include "mesh/drawing.h"
#include <hooke/gap.h>

typedef struct ball_in_ring {
  hk_contact_common common;
  int race, shoulders;
  double ball_radius, groove_radius, center_radius, center_offset, pitch_radius, contact_angle;
} ball_in_ring;

static const ball_in_ring defaults = {.race = 0};

enum { INNER, OUTER };
static const char *const RACES[] = {"inner", "outer", NULL};
enum { BOTH, FRONT, BACK };
static const char *const SHOULDERS[] = {"both", "front", "back", NULL};

static const hk_param params[] = {
    HK_ENUM(ball_in_ring, race, RACES, HK_REQUIRED, "ring that has the groove"),
    HK_REAL(ball_in_ring, ball_radius, "m", HK_REQUIRED | HK_POSITIVE, "radius of the ball"),
    HK_REAL(ball_in_ring, groove_radius, "m", HK_REQUIRED | HK_POSITIVE,
            "radius of the groove's section, larger than that of the ball"),
    HK_REAL(ball_in_ring, center_radius, "m", HK_REQUIRED | HK_POSITIVE,
            "distance of the section's centre from the axis of the ring"),
    HK_REAL(ball_in_ring, center_offset, "m", 0,
            "position of the section's centre along the axis of the ring"),
    HK_REAL(ball_in_ring, pitch_radius, "m", HK_POSITIVE,
            "distance of the ball from the axis, for the curvature of the race; default: that at "
            "contact_angle"),
    HK_REAL(ball_in_ring, contact_angle, "rad", 0,
            "nominal contact angle, for the curvature of the race", HK_RANGE(0, 1.5)),
    HK_ENUM(ball_in_ring, shoulders, SHOULDERS, 0,
            "sides of the groove: both, or only that towards +z (front) or -z (back); on the other "
            "side the race is a cylinder"),
};

enum { BALL, SPACE, CENTER, OFFSET, SIDE, GROOVE, ALONG };

static hk_status prepare(const hk_item *item, double *k, hk_error *err) {
  const ball_in_ring *p = hk_item_data(item);
  const double space = p->groove_radius - p->ball_radius, c = cos(p->contact_angle);
  if (!(space > 0))
    return hk_fail(err, HK_EINPUT, "groove_radius %g m is not larger than ball_radius %g m",
                   p->groove_radius, p->ball_radius);
  if (!(space < p->center_radius))
    return hk_fail(err, HK_EINPUT,
                   "center_radius %g m is too small: the groove (radius %g m) would reach the axis "
                   "of the ring",
                   p->center_radius, p->groove_radius);
  k[BALL] = p->ball_radius;
  k[SPACE] = space;
  k[CENTER] = p->center_radius;
  k[OFFSET] = p->center_offset;
  k[SIDE] = p->shoulders == FRONT ? 1 : p->shoulders == BACK ? -1 : 0;
  k[GROOVE] = p->groove_radius;
  const double side = p->race == OUTER ? 1 : -1;
  const double pitch = p->pitch_radius > 0 ? p->pitch_radius : p->center_radius + side * space * c;
  /* Radius of curvature of the race around the axis: distance from the contact point along its
   * normal to the axis; negative for the outer race, which is concave. */
  k[ALONG] = -side * (pitch / c + side * p->ball_radius);
  if (p->race == INNER && !(k[ALONG] > 0))
    return hk_fail(err, HK_EINPUT, "ball_radius %g m reaches the axis of the inner ring",
                   p->ball_radius);
  return HK_OK;
}

/* Position of the ball in the section of the groove. */
typedef struct section {
  hk_vec3 X, Y, Z; /* radial, circumferential, axial */
  double rho, l;
  double nx, nz; /* components of n */
  /* rotation of n per displacement of the ball perpendicular to the groove, 1/l; 0 for a cylinder */
  double bend;
} section;

HK_INLINE section section_of(const double *k, const hk_frame *A, hk_vec3 d) {
  section s = {.Z = hk_column(&A->R, 2)};
  const double z = hk_dot(s.Z, d), least = 1e-9 * k[CENTER];
  const hk_vec3 out = hk_axpy(d, -z, s.Z);
  s.rho = hk_norm(out);
  s.X = s.rho > least ? hk_scale(1 / s.rho, out) : hk_column(&A->R, 0);
  s.rho = fmax(s.rho, least);
  s.Y = hk_cross(s.Z, s.X);
  double x = s.rho - k[CENTER], y = z - k[OFFSET];
  const bool cylinder = k[SIDE] * y < 0;
  if (cylinder) y = 0;
  s.l = sqrt(x * x + y * y);
  /* at the centre the direction is undefined: any direction is valid */
  if (s.l < least) s.l = x = least, y = 0;
  s.nx = -x / s.l, s.nz = -y / s.l;
  s.bend = cylinder ? 0 : 1 / s.l;
  return s;
}

HK_HOT static void eval(const double *k, const hk_frame *A, const hk_frame *B, double near,
                        bool with_t, hk_gap *out) {
  const hk_vec3 d = hk_sub(B->x, A->x);
  const section s = section_of(k, A, d);
  out->gap = k[SPACE] - s.l;
  out->n = hk_axpy(hk_scale(s.nx, s.X), s.nz, s.Z);
  out->c = hk_gap_ball_point(B, k[BALL], out);
  out->t = s.Y;
  if (!(out->gap < near)) return;
  /* If the ball moves perpendicular to the groove, n rotates by -1/l per distance. If the ball moves along the groove,
   * n rotates with X. */
  const hk_vec3 tau[2] = {hk_cross(s.Y, out->n), s.Y};
  const double kappa[2] = {-s.bend, s.nx / s.rho};
  hk_gap_ball(d, k[BALL], 2, tau, kappa, out);
  if (!with_t) return;
  double along[12];
  hk_gap_row(s.Y, d, hk_v3(0, 0, 0), along);
  hk_gap_carried_tangent(HK_GAP_TA, out);
  hk_gap_outer(out->t_d, hk_scale(-1 / s.rho, s.X), along);
}

HK_HOT static void ball(const double *k, const hk_frame *A, const hk_frame *B, double near,
                        bool derivatives, hk_ball_gap *out) {
  const section s = section_of(k, A, hk_sub(B->x, A->x));
  out->radius = k[BALL];
  out->gap = k[SPACE] - s.l;
  if (out->gap >= near) return;
  out->n = hk_axpy(hk_scale(s.nx, s.X), s.nz, s.Z);
  if (!derivatives) return;
  const hk_vec3 tau = hk_axpy(hk_scale(-s.nz, s.X), s.nx, s.Z);
  const hk_mat3 along = hk_outer(hk_scale(s.nx / s.rho, s.Y), s.Y);
  out->n_u = hk_mat3_add(hk_outer(hk_scale(-s.bend, tau), tau), along);
}

static void curvature(const double *k, int point, hk_curvature *out) {
  (void)point;
  *out = (hk_curvature){.a_t = k[ALONG], .a_s = -k[GROOVE], .b_t = k[BALL], .b_s = k[BALL]};
}

static double deepest(const double *k) { return k[BALL]; }

/* Rated loads deform steel by about a thousandth of the ball's diameter [Harris2006].  Tractions of rolling contacts nearly
 * cancel each other, so that their sum shows errors that are small compared with this length. */
static double length_scale(const double *k) { return 1e-3 * 2 * k[BALL]; }

static const hk_gap_ops ops = {.points = 1,
                               .concave = false, /* the inner ring is convex around its axis */
                               .tangents = 2,
                               .prepare = prepare,
                               .deepest = deepest,
                               .eval = eval,
                               .ball = ball,
                               .curvature = curvature,
                               .length_scale = length_scale};

static void draw(const hk_item *item, hk_drawing *d) {
  const ball_in_ring *p = hk_item_data(item);
  hk_mesh sphere = {0};
  hk_mesh_sphere(&sphere, p->ball_radius, 0);
  hk_draw(d, HK_DRAW_B, &sphere, (hk_draw_style){.paint = HK_PAINT_STEEL});
}

const hk_type hk_type_contact_ball_in_ring = {
    .name = "ball_in_ring",
    .category = HK_CONTACT,
    .doc =
        "Ball (b, at its centre) in the groove of a bearing ring (a, on its axis, z along it): a "
        "sphere in a torus; the first tangent is the rolling direction.",
    .source = "distance of a sphere from a torus; curvatures as in [Harris2006]",
    .size = sizeof(ball_in_ring),
    .defaults = &defaults,
    HK_TABLE(params),
    .symmetry = HK_MIRRORS,
    .ops = &ops,
    .draw = draw,
};
