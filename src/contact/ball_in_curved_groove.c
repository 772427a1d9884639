/* Ball in a track of a race that is a plane arc, as in fixed ball-type CV joints.
 *
 * Frame A belongs to the race, at the centre of the joint with z along its axis; frame B is at
 * the centre of the ball. The centre line of the track is a circle in the plane through the axis
 * at the azimuth. The centre O of this circle is on the axis at z = offset, and the circle crosses the plane z = 0 at
 * the pitch radius: rho = hypot(pitch_radius, offset). Let e_r, e_t, e_z be the radial, tangential and axial
 * directions at the azimuth of the track, p the position of the ball, r = p.e_r and z = p.e_z - offset. Then
 *
 *   arc:       D = hypot(r, z),  x = D - rho,  e_x = (r e_r + z e_z)/D
 *   straight:  x = r - rho,      e_x = e_r          undercut_free, for z/offset > 0
 *
 * and y = p.e_t. The track is its cross-section rotated about the line through O along e_t.
 * Therefore the point of a flank nearest to the ball is in the section through the ball, and the
 * contact of groove.h in (x, y) is exact: a sphere in a torus. At their junction both parts have
 * the same tangent. */
#include "contact/groove.h"

typedef struct ball_in_curved_groove {
  hk_groove groove;
  double offset;
  int track;
} ball_in_curved_groove;

static const ball_in_curved_groove defaults = {.groove.contact_angle = 0.7853981633974483};

enum { ARC, UNDERCUT_FREE };
static const char *const TRACKS[] = {"rzeppa", "undercut_free", NULL};

static const hk_param params[] = {
    HK_GROOVE_PARAMS,
    HK_REAL(ball_in_curved_groove, offset, "m", 0,
            "position of the arc centre on the axis of the race, from the centre of the joint",
            HK_RANGE(-10, 10)),
    HK_ENUM(ball_in_curved_groove, track, TRACKS, 0,
            "arc: the whole track is an arc; undercut_free: straight along the axis beyond the "
            "centre of the arc"),
};

/* Constants: the cross-section, azimuth, offset, rho; STRAIGHT is the sign of z in the straight
 * part, or 0. */
enum { COS = HK_GROOVE_CONSTANTS, SIN, OFFSET, RHO, STRAIGHT, ALONG, N_K };
_Static_assert((int)N_K <= (int)HK_GAP_CONSTANTS, "constants of a curved groove");

static hk_status prepare(const hk_item *item, double *k, hk_error *err) {
  const ball_in_curved_groove *p = hk_item_data(item);
  const hk_groove *g = &p->groove;
  double side = g->race == HK_GROOVE_OUTER ? 1 : -1;
  k[COS] = cos(g->azimuth);
  k[SIN] = sin(g->azimuth);
  k[OFFSET] = p->offset;
  k[RHO] = hypot(g->pitch_radius, p->offset);
  k[STRAIGHT] = p->track == UNDERCUT_FREE ? (p->offset < 0 ? -1 : 1) : 0;
  /* Radius of curvature of the flank in the track direction, at the contact point; concave on
   * the outer race. */
  double along = k[RHO] / cos(g->contact_angle) + side * g->ball_radius;
  k[ALONG] = -side * along;
  return hk_groove_prepare(g, 0, 0, k, err);
}

/* Position of the ball in the cross-section of its track. */
typedef struct place {
  hk_vec3 X, Y, Z;   /* radial (outwards), circumferential, along the track */
  double x, y, bend; /* bend: 1/D, the rotation of X and Z per distance along the track; 0 in the
                      * straight part */
} place;

HK_INLINE place place_of(const double *k, const hk_frame *A, hk_vec3 d) {
  hk_vec3 X = hk_column(&A->R, 0), Y = hk_column(&A->R, 1), Z = hk_column(&A->R, 2);
  hk_vec3 out = hk_axpy(hk_scale(k[COS], X), k[SIN], Y);
  place p = {.X = out, .Y = hk_axpy(hk_scale(-k[SIN], X), k[COS], Y), .Z = Z};
  double r = hk_dot(out, d), z = hk_dot(Z, d) - k[OFFSET];
  p.y = hk_dot(p.Y, d);
  if (z * k[STRAIGHT] > 0) {
    /* on the other side of the axis, the arc continues with the opposite sign of r */
    p.x = fabs(r) - k[RHO];
    if (r < 0) p.X = hk_neg(out);
    return p;
  }
  double D = sqrt(r * r + z * z), least = 1e-6 * k[RHO];
  if (D < least) D = r = least, z = 0; /* the direction is undefined at the centre of the arc */
  p.bend = 1 / D;
  r *= p.bend, z *= p.bend;
  p.x = D - k[RHO];
  p.X = hk_axpy(hk_scale(r, out), z, Z);
  p.Z = hk_axpy(hk_scale(-z, out), r, Z);
  return p;
}

HK_HOT static void eval(const double *k, const hk_frame *A, const hk_frame *B, double near,
                        bool with_t, hk_gap *out) {
  hk_vec3 d = hk_sub(B->x, A->x);
  place p = place_of(k, A, d);
  for (int i = 0; i < 2; i++) {
    const hk_flank f = hk_groove_flank(k, i, p.x, p.y);
    hk_gap *o = &out[i];
    o->gap = f.gap;
    o->n = hk_axpy(hk_scale(f.nx, p.X), f.ny, p.Y);
    o->c = hk_gap_ball_point(B, k[HK_GROOVE_BALL], o);
    o->t = p.Z;
    if (!(o->gap < near)) continue;
    const hk_vec3 tau[2] = {hk_cross(p.Z, o->n), p.Z};
    const double kappa[2] = {-f.s, f.nx * p.bend};
    hk_gap_ball(d, k[HK_GROOVE_BALL], 2, tau, kappa, o);
    if (!with_t) continue;
    double along[12]; /* Z rotates towards the centre of the arc as the ball moves along Z */
    hk_gap_row(p.Z, d, hk_v3(0, 0, 0), along);
    hk_gap_carried_tangent(HK_GAP_TA, o);
    hk_gap_outer(o->t_d, hk_scale(-p.bend, p.X), along);
  }
}

/* If the ball moves along tau = e_z x n, n rotates by -1/L per distance. If the ball moves along the track, the axis X
 * of the cross-section rotates by 1/D per distance. Therefore n_u = -tau tau^T/L + (n.X/D) e_z e_z^T. */
HK_HOT static void ball(const double *k, const hk_frame *A, const hk_frame *B, double near,
                        bool derivatives, hk_ball_gap *out) {
  place p = place_of(k, A, hk_sub(B->x, A->x));
  for (int i = 0; i < 2; i++) {
    const hk_flank f = hk_groove_flank(k, i, p.x, p.y);
    hk_ball_gap *o = &out[i];
    o->radius = k[HK_GROOVE_BALL];
    o->gap = f.gap;
    if (o->gap >= near) continue;
    o->n = hk_axpy(hk_scale(f.nx, p.X), f.ny, p.Y);
    if (!derivatives) continue;
    hk_vec3 tau = hk_axpy(hk_scale(-f.ny, p.X), f.nx, p.Y);
    hk_mat3 along = hk_outer(hk_scale(f.nx * p.bend, p.Z), p.Z);
    o->n_u = hk_mat3_add(hk_outer(hk_scale(-f.s, tau), tau), along);
  }
}

HK_HOT static void ball_four(const hk_v4 *k, const hk_v4 R[9], const hk_v4 d[3], bool derivatives,
                             hk_ball_four *out) {
  hk_v4 o[3], X[3], Y[3], r = hk_all4(0), y = r, z = -k[OFFSET];
  const hk_v4 none = hk_all4(0), least = 1e-6 * k[RHO];
  for (int i = 0; i < 3; i++) {
    const hk_v4 *row = R + 3 * i;
    o[i] = k[COS] * row[0] + k[SIN] * row[1];
    Y[i] = k[COS] * row[1] - k[SIN] * row[0];
    r += o[i] * d[i], y += Y[i] * d[i], z += row[2] * d[i];
  }
  hk_v4 D = hk_sqrt4(r * r + z * z);
  hk_m4 straight = z * k[STRAIGHT] > none, centre = D < least;
  /* In the straight part X is along r, and D is |r|; at the centre of the arc the direction is
   * undefined. */
  hk_v4 away = hk_where4(r < none, -r, r);
  D = hk_where4(straight, away, hk_where4(centre, least, D));
  r = hk_where4(~straight & centre, least, r);
  z = hk_where4(straight | centre, none, z);
  hk_v4 length = hk_where4(D > none, D, hk_all4(1)),
        c = hk_where4(D > none, r / length, hk_all4(1)), s = z / length;
  for (int i = 0; i < 3; i++) X[i] = c * o[i] + s * R[3 * i + 2];
  hk_groove_four(k, D - k[RHO], y, X, Y, derivatives, out);
  if (!derivatives) return;
  hk_v4 bend = hk_only4(~straight, 1 / length);
  for (int i = 0; i < 2; i++) {
    hk_v4 nx = out[i].n[0] * X[0] + out[i].n[1] * X[1] + out[i].n[2] * X[2];
    out[i].kappa[1] = nx * bend;
    for (int j = 0; j < 3; j++) out[i].tau[1][j] = c * R[3 * j + 2] - s * o[j];
  }
}

static const hk_gap_four four = {.n_curvatures = 2, .ball = ball_four};

static void curvature(const double *k, int point, hk_curvature *out) {
  (void)point;
  *out = hk_groove_curvature(k, k[ALONG]);
}

static double deepest(const double *k) { return k[HK_GROOVE_BALL]; }

static const hk_gap_ops ops = {.points = 2,
                               .concave = true,
                               .point_names = hk_groove_points,
                               .tangents = 2,
                               .prepare = prepare,
                               .deepest = deepest,
                               .eval = eval,
                               .ball = ball,
                               .four = &four,
                               .curvature = curvature};

const hk_type hk_type_contact_ball_in_curved_groove = {
    .name = "ball_in_curved_groove",
    .category = HK_CONTACT,
    .doc =
        "Ball (b, at its centre) in a track of a race (a, at the centre of the joint, z along its "
        "axis); the track has two circular flanks and is a plane arc around a point of the axis.",
    .source = "distance of a sphere from a torus; flanks as in ball_in_groove",
    .size = sizeof(ball_in_curved_groove),
    .defaults = &defaults,
    HK_TABLE(params),
    .symmetry = HK_MIRRORS,
    .mirror = hk_groove_mirror,
    .ops = &ops,
};
