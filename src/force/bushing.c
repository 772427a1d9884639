/* Bushing: linear stiffness and damping in all six directions between two frames.
 *
 * Relative position and rotation of B, in the axes of A:
 *   u = RA^T (xB - xA),   phi = log(RA^T RB),   q = (u, phi)
 * Generalized force (f, m) = -K q - C q', energy q^T K q/2.  With d = (dxA, dthetaA, dxB,
 * dthetaB) in world axes, dq = Q d:
 *   du = RA^T (dxB - dxA + r~ dthetaA),  r = xB - xA
 *   dphi = N RA^T (dthetaB - dthetaA),   N = T(phi)^-T = T(-phi)^-1
 * with T the tangent operator of the exponential map [Bruls, Cardona, Arnold 2012, app.]. The
 * wrench on both frames is w = Q^T (f, m). The moment on B is RA T^-1 m and not RA m, which
 * makes a symmetric K conservative at any angle. Because Q contains r~, the wrenches on A and B
 * are in equilibrium.
 *
 * Tangent: -dw/dd = Q^T K Q + Q^T C dq'/dd - (dQ^T/dd)(f, m), exact. Valid for a relative
 * rotation below 180 degrees, where the logarithm jumps; for any rotation if there is no
 * rotational stiffness and damping. */
#include "base/eigen_small.h"
#include <hooke/element.h>
#include "mesh/drawing.h"
#include <string.h>

typedef struct bushing {
  const char *a, *b;
  hk_vec3 stiffness, rotational_stiffness, damping, rotational_damping;
  double stiffness_matrix[36], damping_matrix[36];
} bushing;

static const bushing defaults = {.a = "ground"};

static const hk_param params[] = {
    HK_FRAME(bushing, a, 0, "frame that defines the axes of stiffness and damping"),
    HK_FRAME(bushing, b, HK_REQUIRED, "second frame; unloaded if it coincides with a"),
    HK_VEC3(bushing, stiffness, "N/m", 0, "stiffness along x, y, z of a", HK_MIN(0)),
    HK_VEC3(bushing, rotational_stiffness, "N m/rad", 0, "rotational stiffness about x, y, z of a",
            HK_MIN(0)),
    HK_VEC3(bushing, damping, "N s/m", 0, "damping along x, y, z of a", HK_MIN(0)),
    HK_VEC3(bushing, rotational_damping, "N m s/rad", 0, "rotational damping about x, y, z of a",
            HK_MIN(0)),
    HK_REALS(bushing, stiffness_matrix, 36, NULL, HK_ANY_UNIT,
             "6x6 matrix in SI units, by rows, added to the values above: x, y, z, then rotations; "
             "must be symmetric"),
    HK_REALS(bushing, damping_matrix, 36, NULL, HK_ANY_UNIT,
             "6x6 matrix in SI units added to the values above; must be symmetric and positive "
             "semidefinite"),
};

/* Assembles the 6x6 matrix: the diagonal parameters plus the matrix parameter. */
static void gather(hk_vec3 along, hk_vec3 about, const double *matrix, double M[6][6]) {
  const double diagonal[6] = {along.x, along.y, along.z, about.x, about.y, about.z};
  memcpy(M, matrix, 36 * sizeof(double));
  for (int i = 0; i < 6; i++) M[i][i] += diagonal[i];
}

/* Checks a matrix; rows and columns are first scaled to a unit diagonal, because the elements have
 * different units. */
static bool check(double M[6][6], bool semidefinite, const char **why) {
  double scaled[36], s[6], lambda[6];
  for (int i = 0; i < 6; i++) s[i] = M[i][i] != 0 ? 1 / sqrt(fabs(M[i][i])) : 1;
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++) {
      if (!isfinite(M[i][j])) return *why = "must be finite", false;
      if (fabs(M[i][j] - M[j][i]) > 1e-9 * fmax(fabs(M[i][j]), fabs(M[j][i])))
        return *why = "must be symmetric", false;
      scaled[6 * i + j] = s[i] * M[i][j] * s[j];
    }
  if (!semidefinite) return true;
  hk_symmetric_eigenvalues(scaled, 6, lambda);
  *why = "would supply energy: it must be positive semidefinite";
  return lambda[0] >= -1e-9 * lambda[5];
}

static hk_status bind(const hk_item *item, hk_force_binding *b, hk_error *err) {
  const bushing *p = hk_item_data(item);
  double M[6][6];
  const char *why;
  b->moment_a = b->moment_b = true;
  b->a = p->a;
  b->b = p->b;
  gather(p->stiffness, p->rotational_stiffness, p->stiffness_matrix, M);
  if (!check(M, false, &why)) return hk_fail(err, HK_EINPUT, "its stiffness %s", why);
  gather(p->damping, p->rotational_damping, p->damping_matrix, M);
  if (!check(M, true, &why)) return hk_fail(err, HK_EINPUT, "its damping %s", why);
  return HK_OK;
}

/* c(x) = (1 - h cot h)/x with h = sqrt(x)/2, in T(phi)^-1 = E + phi~/2 + c phi~^2, and dc/dx.
 * The series has the coefficients |B_2k+2|/(2k+2)! with the Bernoulli numbers B. */
static double tangent_coefficient(double x, double *slope) {
  if (x < 0.25) {
    static const double k[] = {1.0 / 12,          1.0 / 720,
                               1.0 / 30240,       1.0 / 1209600,
                               1.0 / 47900160,    691.0 / 1307674368000,
                               1.0 / 74724249600, 3617.0 / 10670622842880000};
    double c = 0;
    *slope = 0;
    for (int i = 7; i >= 0; i--) {
      *slope = *slope * x + c;
      c = c * x + k[i];
    }
    return c;
  }
  double h = sqrt(x) / 2, cot = 1 / tan(h), sine = sin(h), c = (1 - h * cot) / x;
  *slope = -(cot - h / (sine * sine)) / (8 * h * x) - c / x;
  return c;
}

/* d(T(s phi)^-1 a)/dphi for s = +1 or -1. */
static hk_mat3 tangent_slope(hk_vec3 phi, hk_vec3 a, double s) {
  double dc, c = tangent_coefficient(hk_dot(phi, phi), &dc);
  hk_vec3 pa = hk_cross(phi, a);
  hk_mat3 P = hk_skew(phi), A = hk_skew(a), PA = hk_matmul(&P, &A), S = hk_skew(pa);
  hk_mat3 out = hk_outer(hk_scale(2 * dc, hk_cross(phi, pa)), phi);
  out = hk_mat3_add(out, hk_mat3_scale(-s / 2, A));
  return hk_mat3_add(out, hk_mat3_scale(-c, hk_mat3_add(S, PA)));
}

typedef struct kinematics {
  hk_vec3 r, phi, spin; /* spin: RA^T (wB - wA) */
  hk_mat3 NRt;          /* N RA^T */
  double q[6], rate[6];
  double Q[6][12];
} kinematics;

static void put_block(double Q[6][12], int i, int j, double s, const hk_mat3 *M) {
  for (int r = 0; r < 3; r++)
    for (int c = 0; c < 3; c++) Q[i + r][j + c] += s * M->m[r][c];
}
static void put(double *w, hk_vec3 a) { w[0] = a.x, w[1] = a.y, w[2] = a.z; }
static hk_vec3 get(const double *w) { return hk_v3(w[0], w[1], w[2]); }

static void measure(const hk_frame *A, const hk_frame *B, kinematics *k) {
  hk_mat3 Rt = hk_transpose(&A->R), relative = hk_matmul(&Rt, &B->R);
  k->r = hk_sub(B->x, A->x);
  k->phi = hk_quat_log(hk_quat_from_matrix(&relative));
  hk_mat3 N = hk_so3_tangent_inv_matrix(hk_neg(k->phi)), rs = hk_skew(k->r);
  hk_mat3 Rtr = hk_matmul(&Rt, &rs);
  k->NRt = hk_matmul(&N, &Rt);
  memset(k->Q, 0, sizeof k->Q);
  put_block(k->Q, 0, 0, -1, &Rt);
  put_block(k->Q, 0, 3, 1, &Rtr);
  put_block(k->Q, 0, 6, 1, &Rt);
  put_block(k->Q, 3, 3, -1, &k->NRt);
  put_block(k->Q, 3, 9, 1, &k->NRt);
  hk_vec3 w = hk_sub(B->w, A->w), v = hk_sub(hk_sub(B->v, A->v), hk_cross(A->w, k->r));
  k->spin = hk_mul(&Rt, w);
  put(k->q, hk_mul(&Rt, k->r));
  put(k->q + 3, k->phi);
  put(k->rate, hk_mul(&Rt, v));
  put(k->rate + 3, hk_mul(&k->NRt, w));
}

/* D = dq'/dd at constant velocities:
 *   du' = RA^T (s~ dthetaA - wA~ (dxB - dxA)),  s = vB - vA - wA x r
 *   dphi' = (dN/dphi spin) dphi + N RA^T w~ dthetaA,  w = wB - wA */
static void rate_slope(const hk_frame *A, const hk_frame *B, const kinematics *k, double D[6][12]) {
  hk_mat3 Rt = hk_transpose(&A->R);
  hk_vec3 w = hk_sub(B->w, A->w), v = hk_sub(hk_sub(B->v, A->v), hk_cross(A->w, k->r));
  hk_mat3 S = hk_skew(v), W = hk_skew(A->w), w_ = hk_skew(w);
  hk_mat3 RtS = hk_matmul(&Rt, &S), RtW = hk_matmul(&Rt, &W), Nw = hk_matmul(&k->NRt, &w_);
  hk_mat3 dN = tangent_slope(k->phi, k->spin, -1), dNN = hk_matmul(&dN, &k->NRt);
  memset(D, 0, 6 * sizeof *D);
  put_block(D, 0, 3, 1, &RtS);
  put_block(D, 0, 0, 1, &RtW);
  put_block(D, 0, 6, -1, &RtW);
  put_block(D, 3, 3, -1, &dNN);
  put_block(D, 3, 9, 1, &dNN);
  put_block(D, 3, 3, 1, &Nw);
}

/* K -= (dQ^T/dd)(f, m): change of the wrench of a constant generalized force with rotations and
 * displacements. */
static void geometric(const hk_frame *A, const kinematics *k, hk_vec3 F, hk_vec3 M, hk_vec3 m,
                      double K[12][12]) {
  hk_mat3 Fs = hk_skew(F), Ms = hk_skew(M), rs = hk_skew(k->r), rF = hk_matmul(&rs, &Fs);
  hk_mat3 dT = tangent_slope(k->phi, m, 1), RdT = hk_matmul(&A->R, &dT);
  hk_mat3 G = hk_matmul(&RdT, &k->NRt);
  hk_block_add(K, 0, 3, -1, &Fs);
  hk_block_add(K, 3, 0, 1, &Fs);
  hk_block_add(K, 3, 6, -1, &Fs);
  hk_block_add(K, 3, 3, -1, &Ms);
  hk_block_add(K, 3, 3, -1, &G);
  hk_block_add(K, 3, 3, -1, &rF);
  hk_block_add(K, 3, 9, 1, &G);
  hk_block_add(K, 6, 3, 1, &Fs);
  hk_block_add(K, 9, 3, 1, &Ms);
  hk_block_add(K, 9, 3, 1, &G);
  hk_block_add(K, 9, 9, -1, &G);
}

/* out += Q^T S X with S 6x6 and X 6x12 */
static void add_product(double Q[6][12], double S[6][6], double X[6][12], double out[12][12]) {
  double SX[6][12] = {{0}};
  for (int i = 0; i < 6; i++)
    for (int l = 0; l < 6; l++)
      for (int j = 0; j < 12; j++) SX[i][j] += S[i][l] * X[l][j];
  for (int l = 0; l < 6; l++)
    for (int i = 0; i < 12; i++)
      for (int j = 0; j < 12; j++) out[i][j] += Q[l][i] * SX[l][j];
}

/* At 180 degrees the rotation vector jumps to its opposite, and the moments with it. The angle
 * one step ago, estimated from its rate, distinguishes a bushing that has passed 180 degrees
 * from one that approaches it from below. */
static bool has_turned_over(const kinematics *k, double h) {
  double angle = hk_norm(k->phi), limit = M_PI - 1e-6;
  if (angle < 0.5 * M_PI) return false;
  double rate = hk_dot(k->phi, get(k->rate + 3)) / angle;
  return angle > limit || (isfinite(h) && angle - h * rate > limit);
}

/* Returns true if the rotation or its rate causes any force or moment. */
static bool feels_rotation(double S[6][6], double D[6][6]) {
  for (int i = 0; i < 6; i++)
    for (int j = 3; j < 6; j++)
      if (S[i][j] != 0 || D[i][j] != 0) return true;
  return false;
}

static void eval(const void *data, const hk_force_in *in, hk_force_out *out) {
  const bushing *p = data;
  kinematics k;
  double S[6][6], D[6][6], p6[6];
  gather(p->stiffness, p->rotational_stiffness, p->stiffness_matrix, S);
  gather(p->damping, p->rotational_damping, p->damping_matrix, D);
  measure(in->A, in->B, &k);
  if (has_turned_over(&k, in->h) && feels_rotation(S, D))
    out->failed =
        "its frames are rotated by 180 degrees relative to each other, where its moments would "
        "jump; for large rotations use a joint with a torsion_spring";
  for (int i = 0; i < 6; i++) {
    double elastic = 0, viscous = 0;
    for (int j = 0; j < 6; j++) {
      elastic += S[i][j] * k.q[j];
      viscous += D[i][j] * k.rate[j];
    }
    out->potential += 0.5 * k.q[i] * elastic;
    out->dissipated += k.rate[i] * viscous;
    p6[i] = -elastic - viscous;
  }
  for (int l = 0; l < 6; l++)
    for (int i = 0; i < 12; i++) out->w[i] += k.Q[l][i] * p6[l];
  if (!out->tangent) return;
  double slope[6][12];
  rate_slope(in->A, in->B, &k, slope);
  add_product(k.Q, S, k.Q, out->K);
  add_product(k.Q, D, slope, out->K);
  geometric(in->A, &k, get(out->w + 6), get(out->w + 9), get(p6 + 3), out->K);
  add_product(k.Q, D, k.Q, out->C);
  out->has_K = out->has_C = true;
}

static const hk_quantity channels[] = {
    {"ux", "m", "displacement of b along x of a"},
    {"uy", "m", "displacement of b along y of a"},
    {"uz", "m", "displacement of b along z of a"},
    {"phix", "rad", "rotation vector of b, component along x of a", HK_SHOW_DETAIL},
    {"phiy", "rad", "rotation vector of b, component along y of a", HK_SHOW_DETAIL},
    {"phiz", "rad", "rotation vector of b, component along z of a", HK_SHOW_DETAIL},
    {"ux_rate", "m/s", "rate of ux", HK_SHOW_DETAIL},
    {"uy_rate", "m/s", "rate of uy", HK_SHOW_DETAIL},
    {"uz_rate", "m/s", "rate of uz", HK_SHOW_DETAIL},
    {"phix_rate", "rad/s", "rate of phix", HK_SHOW_DETAIL},
    {"phiy_rate", "rad/s", "rate of phiy", HK_SHOW_DETAIL},
    {"phiz_rate", "rad/s", "rate of phiz", HK_SHOW_DETAIL},
};

static void read(const void *data, const hk_force_in *in, const hk_force_out *out, double *value) {
  kinematics k;
  measure(in->A, in->B, &k);
  memcpy(value, k.q, sizeof k.q);
  memcpy(value + 6, k.rate, sizeof k.rate);
}

static const hk_force_ops ops = {.bind = bind, .eval = eval, .read = read, HK_CHANNELS(channels)};

static void draw(const hk_item *item, hk_drawing *d) {
  hk_draw_sleeve(d);
  /* A bushing whose ends are apart is drawn as a rod. */
  hk_draw_rod(d, HK_DRAW_A, HK_DRAW_B, 0.35 * d->size, (hk_draw_style){.paint = HK_PAINT_SPRING});
}

/* Mirrors the parameters: displacements along y and rotations about x and z change sign. */
static void mirror(hk_item *item) {
  static const double sign[6] = {1, -1, 1, -1, 1, -1};
  bushing *p = hk_item_edit(item);
  for (int i = 0; i < 36; i++) {
    p->stiffness_matrix[i] *= sign[i / 6] * sign[i % 6];
    p->damping_matrix[i] *= sign[i / 6] * sign[i % 6];
  }
}

const hk_type hk_type_force_bushing = {
    .name = "bushing",
    .category = HK_FORCE,
    .doc = "Elastic bushing: linear stiffness and damping in six directions between two frames.",
    .source =
        "energy of the relative displacement and rotation vector; SO(3) tangent operator [Bruls, "
        "Cardona, Arnold 2012]",
    .size = sizeof(bushing),
    .defaults = &defaults,
    HK_TABLE(params),
    .ops = &ops,
    .symmetry = HK_MIRRORS,
    .mirror = mirror,
    .draw = draw,
};
