/* Ball in a straight track of a race, with a cross-section of two circular flanks (gothic arch).
 *
 * Frame A belongs to the race, at the centre of the joint with z along its axis; frame B is at
 * the centre of the ball. The track starts at P = (pitch_radius) e_r at the azimuth. In the local radial,
 * circumferential and axial directions, the axes of the track are [Marter2020, eq. 8], with a = alpha, b = beta,
 *
 *   e_x = (cos b, 0, sin b)                          radial
 *   e_y = (sin a sin b, cos a, -sin a cos b)         circumferential
 *   e_z = (-cos a sin b, sin a, cos a cos b)         along the track
 *
 * The caller chooses the signs of alpha and beta: crossed tracks of an inner and an outer race
 * have opposite signs, which alternate from ball to ball.
 *
 * For the cross-section see groove.h. The computed gap is exact for a sphere in a cylindrical track. */
#include "contact/groove.h"

typedef struct ball_in_groove {
  hk_groove groove;
  double skew_angle, inclination;
} ball_in_groove;

static const ball_in_groove defaults = {.groove.contact_angle = 0.7853981633974483};

static const hk_param params[] = {
    HK_GROOVE_PARAMS,
    HK_REAL(ball_in_groove, skew_angle, "rad", 0,
            "skew angle of the track: inclination in circumferential direction",
            HK_RANGE(-1.5, 1.5)),
    HK_REAL(ball_in_groove, inclination, "rad", 0, "inclination of the track in radial direction",
            HK_RANGE(-1.5, 1.5)),
};

/* Constants: the cross-section relative to the origin of A, and the track axes in the axes of A. */
enum { EX = HK_GROOVE_CONSTANTS, EY = EX + 3, EZ = EY + 3, N_K = EZ + 3 };
_Static_assert((int)N_K <= (int)HK_GAP_CONSTANTS, "constants of a groove");

static hk_status prepare(const hk_item *item, double *k, hk_error *err) {
  const ball_in_groove *p = hk_item_data(item);
  double ca = cos(p->skew_angle), sa = sin(p->skew_angle), cb = cos(p->inclination),
         sb = sin(p->inclination);
  double cp = cos(p->groove.azimuth), sp = sin(p->groove.azimuth), r = p->groove.pitch_radius;
  hk_mat3 triad = {{{cp, -sp, 0}, {sp, cp, 0}, {0, 0, 1}}}; /* columns e_r, e_t, e_z in A */
  hk_gap_put(k + EX, hk_mul(&triad, hk_v3(cb, 0, sb)));
  hk_gap_put(k + EY, hk_mul(&triad, hk_v3(sa * sb, ca, -sa * cb)));
  hk_gap_put(k + EZ, hk_mul(&triad, hk_v3(-ca * sb, sa, ca * cb)));
  /* components of P along e_x and e_y */
  return hk_groove_prepare(&p->groove, r * cb, r * sa * sb, k, err);
}

/* Position of the ball in the cross-section of a track. */
typedef struct place {
  hk_vec3 X, Y; /* axes of the track */
  double x, y;
} place;

HK_INLINE place place_of(const double *k, const hk_frame *A, hk_vec3 d) {
  place p = {hk_mul(&A->R, hk_gap_get(k + EX)), hk_mul(&A->R, hk_gap_get(k + EY)), 0, 0};
  p.x = hk_dot(p.X, d), p.y = hk_dot(p.Y, d);
  return p;
}

HK_HOT static void eval(const double *k, const hk_frame *A, const hk_frame *B, double near,
                        bool with_t, hk_gap *out) {
  hk_vec3 d = hk_sub(B->x, A->x), Z = hk_mul(&A->R, hk_gap_get(k + EZ));
  place p = place_of(k, A, d);
  for (int i = 0; i < 2; i++) {
    const hk_flank f = hk_groove_flank(k, i, p.x, p.y);
    hk_gap *o = &out[i];
    o->gap = f.gap;
    o->n = hk_axpy(hk_scale(f.nx, p.X), f.ny, p.Y);
    o->c = hk_gap_ball_point(B, k[HK_GROOVE_BALL], o);
    o->t = Z;
    if (!(o->gap < near)) continue;
    hk_vec3 tau = hk_cross(Z, o->n);
    const double kappa = -f.s;
    hk_gap_ball(d, k[HK_GROOVE_BALL], 1, &tau, &kappa, o);
    if (with_t) hk_gap_carried_tangent(HK_GAP_TA, o);
  }
}

/* As the ball moves along tau = e_z x n, n rotates by -1/L: n_u = -tau tau^T/L. */
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
    o->n_u = hk_outer(hk_scale(-f.s, tau), tau);
  }
}

HK_HOT static void ball_four(const hk_v4 *k, const hk_v4 R[9], const hk_v4 d[3], bool derivatives,
                             hk_ball_four *out) {
  hk_v4 X[3], Y[3], x = hk_all4(0), y = x;
  for (int i = 0; i < 3; i++) {
    const hk_v4 *r = R + 3 * i;
    X[i] = r[0] * k[EX] + r[1] * k[EX + 1] + r[2] * k[EX + 2];
    Y[i] = r[0] * k[EY] + r[1] * k[EY + 1] + r[2] * k[EY + 2];
    x += X[i] * d[i], y += Y[i] * d[i];
  }
  hk_groove_four(k, x, y, X, Y, derivatives, out);
}

static const hk_gap_four four = {.n_curvatures = 1, .ball = ball_four};

static void curvature(const double *k, int point, hk_curvature *out) {
  (void)point;
  *out = hk_groove_curvature(k, INFINITY);
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

static void mirror(hk_item *item) {
  ball_in_groove *p = hk_item_edit(item);
  p->skew_angle = -p->skew_angle;
  hk_groove_mirror(item);
}

const hk_type hk_type_contact_ball_in_groove = {
    .name = "ball_in_groove",
    .category = HK_CONTACT,
    .doc =
        "Ball (b, at its centre) in a straight inclined track with two circular flanks of a race "
        "(a, at the centre of the joint, z along its axis).",
    .source = "[Marter2020, eqs 8 to 13]; flank offsets from the contact angle",
    .size = sizeof(ball_in_groove),
    .defaults = &defaults,
    HK_TABLE(params),
    .symmetry = HK_MIRRORS,
    .mirror = mirror,
    .ops = &ops,
};
