/* IFToMM problems A04 (Bricard) and A05 (governor), and the spatial slider-crank. */
#include "verify/benchmark.h"

/* ---- A04: Bricard's mechanism
 * ----------------------------------------------------------------------
 *
 * From the ground's side rod 1 is turned about Y at P0 by s and rod 2 against it by u; from the
 * other side rod 5 about X at P5 by w and rod 4 against it by v.  Rod 3 closes the loop if it has
 * its length and is square to the hinges at both its ends, and these to each other: four equations,
 * of which one is redundant, for three unknowns.  None of s and w grows steadily over the swing, so
 * the coordinate is the direction psi of the point (quarter - s, w + quarter), by which the closing
 * curve runs round the origin. */

typedef struct bricard {
  real P1[3], P2[3], P3[3], P4[3], a2[3], a3[3];
  real rod1[3][3], rod2[3][3], rod4[3][3], rod5[3][3];
} bricard;

static const real X[3] = {1, 0, 0}, Y[3] = {0, 1, 0};

static void turn_axes(const real n[3], real angle, real from[3][3], real to[3][3]) {
  real e[3][3];
  for (int i = 0; i < 3; i++) ref_turn(n, angle, from[i], e[i]);
  memcpy(to, e, sizeof e);
}

static void add_scaled(const real a[3], real s, const real e[3], real b[3]) {
  for (int k = 0; k < 3; k++) b[k] = a[k] + s * e[k];
}

static void bricard_chains(real s, real u, real w, real v, bricard *b) {
  real I[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, P0[3] = {0}, P5[3] = {0, 0, 1};
  turn_axes(Y, s, I, b->rod1);
  add_scaled(P0, 1, b->rod1[0], b->P1);
  turn_axes(b->rod1[2], u, b->rod1, b->rod2); /* hinge Z in P1 */
  add_scaled(b->P1, -1, b->rod2[1], b->P2);
  memcpy(b->a2, b->rod2[0], sizeof b->a2); /* hinge X in P2 */
  turn_axes(X, w, I, b->rod5);
  add_scaled(P5, -1, b->rod5[1], b->P4);
  turn_axes(b->rod5[2], v, b->rod5, b->rod4); /* hinge Z in P4 */
  add_scaled(b->P4, 1, b->rod4[0], b->P3);
  memcpy(b->a3, b->rod4[1], sizeof b->a3); /* hinge Y in P3 */
}

static void bricard_gap(const real x[3], real psi, real g[4], bricard *b) {
  real quarter = acosl(0);
  bricard_chains(quarter - x[0] * cosl(psi), x[1], x[0] * sinl(psi) - quarter, x[2], b);
  real d[3];
  add_scaled(b->P3, -1, b->P2, d);
  g[0] = ref_dot(d, d) - 1;
  g[1] = ref_dot(d, b->a2);
  g[2] = ref_dot(d, b->a3);
  g[3] = ref_dot(b->a2, b->a3);
}

/* Gauss-Newton for (radius, u, v), from the last solution. */
static void bricard_close(real psi, bricard *b) {
  static real x[3];
  real start = atan2l(1, 1);
  if (x[0] == 0 || fabsl(psi - start) < 1e-12L) x[0] = acosl(0) * sqrtl(2), x[1] = x[2] = 0;
  for (int iteration = 0; iteration < 60; iteration++) {
    real g[4], J[4][3], A[3][REF_MAX_Q], r[3] = {0}, size = 0;
    bricard_gap(x, psi, g, b);
    for (int j = 0; j < 3; j++) {
      real y[3] = {x[0], x[1], x[2]}, up[4], down[4];
      bricard other;
      y[j] = x[j] + 1e-6L;
      bricard_gap(y, psi, up, &other);
      y[j] = x[j] - 1e-6L;
      bricard_gap(y, psi, down, &other);
      for (int i = 0; i < 4; i++) J[i][j] = (up[i] - down[i]) / 2e-6L;
    }
    for (int i = 0; i < 3; i++)
      for (int k = 0; k < 4; k++) {
        r[i] -= J[k][i] * g[k];
        for (int j = 0; j < 3; j++) A[i][j] = (k ? A[i][j] : 0) + J[k][i] * J[k][j];
      }
    ref_solve(3, A, r);
    for (int j = 0; j < 3; j++) x[j] += r[j], size += fabsl(r[j]);
    if (size < 1e-15L) break;
  }
  real g[4];
  bricard_gap(x, psi, g, b);
  for (int i = 0; i < 4; i++) assert_true(fabsl(g[i]) < 1e-14L);
}

static void bricard_place(const void *data, const real *q, real (*y)[3]) {
  bricard b;
  bricard_close(q[0], &b);
  real zero[3] = {0}, x[3], P5[3] = {0, 0, 1}, rod3[3][3];
  add_scaled(zero, 0.5L, b.rod1[0], x);
  y += ref_body_place(x, b.rod1, y);
  add_scaled(b.P1, -0.5L, b.rod2[1], x);
  y += ref_body_place(x, b.rod2, y);
  add_scaled(b.P3, -1, b.P2, rod3[2]);
  add_scaled(b.P2, 0.5L, rod3[2], x);
  memcpy(rod3[0], b.a2, sizeof b.a2);
  memcpy(rod3[1], b.a3, sizeof b.a3);
  y += ref_body_place(x, rod3, y);
  add_scaled(b.P4, 0.5L, b.rod4[0], x);
  y += ref_body_place(x, b.rod4, y);
  add_scaled(P5, -0.5L, b.rod5[1], x);
  ref_body_place(x, b.rod5, y);
}

static void bricard_start(real *x) { x[0] = atan2l(1, 1); }
static void bricard_channels(const void *data, const real *x, double *y) {
  bricard b;
  bricard_close(x[0], &b);
  for (int k = 0; k < 3; k++) y[k] = (double)b.P3[k];
}

static void test_a04(void **state) {
  real across = (1 + 0.01L) / 12, axial = 0.02L / 12;
  ref_system s = {
      .n = 1, .n_points = 5 * REF_BODY_POINTS, .place = bricard_place, .gravity = {0, -9.81L, 0}};
  static const int along[5] = {0, 1, 2, 0, 1};
  for (int i = 0; i < 5; i++) {
    real I[3] = {across, across, across};
    I[along[i]] = axial;
    ref_body_weights(1, I, s.weight + i * REF_BODY_POINTS);
  }
  const benchmark b = {"A04 Bricard",
                       "examples/benchmarks/a04_bricard.yaml",
                       NULL,
                       0,
                       10,
                       3,
                       {"rod3.p3.x", "rod3.p3.y", "rod3.p3.z"},
                       2,
                       bricard_start,
                       ref_system_rate,
                       &s,
                       bricard_channels,
                       4};
  static const double one[3] = {0.510501461, -1.649167599, 0.140123115};
  static const double end[3] = {0.999999964, -1.000269013, 0.999730951};
  static const char *const name[3] = {"x", "y", "z"};
  static bench_track y;
  double final[3];
  bench_make_reference(&b, y);
  for (int k = 0; k < 3; k++) {
    char what[40];
    snprintf(what, sizeof what, "P3 %s(1 s)", name[k]);
    vf_check("reference", b.name, what, y[40][k], one[k], 1e-8, "given value");
    snprintf(what, sizeof what, "P3 %s(10 s)", name[k]);
    vf_check("reference", b.name, what, y[BENCH_POINTS][k], end[k], 1e-8, "given value");
  }
  bench_track_file(&b, y, final);
  for (int k = 0; k < 3; k++) {
    char measure[20], what[40];
    snprintf(measure, sizeof measure, "%s_end", name[k]);
    snprintf(what, sizeof what, "%s [m]", measure);
    vf_check("iftomm", b.name, what, bench_measure(&b, measure), end[k], 1e-5, "given value");
  }
}

/* ---- A05: the governor
 * ------------------------------------------------------------------------------
 *
 * Symmetric, so three coordinates: the rods' angle alpha below the horizontal, the slider's height
 * s and the turning of the shaft, whose momentum H = J(alpha) psi' is conserved.  Rods, balls and
 * springs come in pairs. */

enum { ALPHA, S, ALPHA_RATE, S_RATE };

typedef struct governor {
  real rod, ball, slider, shaft, L, r, w, k, c, l0, g;
} governor;
static const governor A05 = {0.3L, 5, 3, 0.3L, 1, 0.05L, 0.01L, 8e5L, 4e4L, 0.5L, 9.81L};

/* Inertia about the shaft and its derivative. */
static real governor_inertia(const governor *p, real alpha, real *slope) {
  real C = cosl(alpha), D = sinl(alpha), L = p->L, r = p->r, w2 = p->w * p->w;
  real axial = p->rod * w2 / 6, across = p->rod * (L * L + w2) / 12;
  real middle = r + L / 2 * C, end = r + L * C;
  *slope = 2 * (2 * (axial - across) * C * D - p->rod * middle * L * D - 2 * p->ball * end * L * D);
  return p->shaft * w2 / 6 + p->slider * 0.01L / 6 +
         2 * (axial * D * D + across * C * C + p->rod * middle * middle + p->ball * end * end);
}

static void governor_rate(const void *data, real t, const real *x, real *xd) {
  const governor *p = data;
  real C = cosl(x[ALPHA]), D = sinl(x[ALPHA]), slope, unused;
  real J = governor_inertia(p, x[ALPHA], &slope);
  real H = governor_inertia(p, acosl(0) / 3, &unused) * 4 * acosl(0), speed = H / J;
  /* spring from the rod's middle to the slider, in the plane of the rod */
  real dx = p->L / 2 * C, dz = p->L - p->L / 2 * D - x[S], l = hypotl(dx, dz);
  real l_alpha = (-dx * p->L / 2 * D - dz * p->L / 2 * C) / l, l_s = -dz / l;
  real force = p->k * (l - p->l0) + p->c * (l_alpha * x[ALPHA_RATE] + l_s * x[S_RATE]);
  real hinge = p->rod * (p->L * p->L / 3 + p->w * p->w / 12) + p->ball * p->L * p->L;
  real weight = (p->rod / 2 + p->ball) * p->g * p->L * C;
  xd[ALPHA] = x[ALPHA_RATE];
  xd[S] = x[S_RATE];
  xd[ALPHA_RATE] = (slope * speed * speed / 4 + weight - force * l_alpha) / hinge;
  xd[S_RATE] = -2 * force * l_s / p->slider - p->g;
}
static void governor_start(real *x) { x[ALPHA] = acosl(0) / 3, x[S] = 0.5L; }
static void governor_channels(const void *data, const real *x, double *y) { y[0] = (double)x[S]; }

static void test_a05(void **state) {
  static const benchmark b = {"A05 governor",
                              "examples/benchmarks/a05_governor.yaml",
                              NULL,
                              0,
                              10,
                              1,
                              {"slider.z"},
                              4,
                              governor_start,
                              governor_rate,
                              &A05,
                              governor_channels,
                              1250};
  static bench_track y;
  double final[3];
  bench_make_reference(&b, y);
  vf_check("reference", b.name, "s(1 s)", y[40][0], 0.501420922380, 1e-9, "given value");
  vf_check("reference", b.name, "s(5 s)", y[200][0], 0.535563103722, 1e-9, "given value");
  vf_check("reference", b.name, "s(10 s)", y[400][0], 0.619622917061, 1e-9, "given value");
  bench_track_file(&b, y, final);
  vf_check("iftomm", b.name, "s_end [m]", bench_measure(&b, "s_end"), y[400][0], 1e-5,
           "own reference");
  vf_check("iftomm", b.name, "speed_end [rad/s]", bench_measure(&b, "speed_end"), 5.5482036227,
           1e-3, "given value");
}

/* ---- spatial slider-crank
 * ---------------------------------------------------------------------------
 *
 * The pin goes round in the y-z plane, the slider follows on the x axis at the rod's length.  The
 * cross of the universal joint keeps the rod's arm n square to the rod u and to the slide x. */

static void slider_crank_place(const void *data, const real *q, real (*y)[3]) {
  real c = cosl(q[0]), s = sinl(q[0]), r = 0.08L, l = 0.3L;
  real crank[3][3] = {{1, 0, 0}, {0, c, s}, {0, -s, c}};
  real pin[3] = {0, 0.1L - r * s, 0.12L + r * c}, x[3] = {0, 0.1L - r / 2 * s, 0.12L + r / 2 * c};
  y += ref_body_place(x, crank, y);
  real slider[3] = {sqrtl(l * l - pin[1] * pin[1] - pin[2] * pin[2]), 0, 0};
  real e[3][3];
  add_scaled(slider, -1, pin, e[0]);
  ref_unit(e[0]);
  ref_cross(X, e[0], e[1]);
  ref_unit(e[1]);
  ref_cross(e[0], e[1], e[2]);
  add_scaled(pin, l / 2, e[0], x);
  y += ref_body_place(x, e, y);
  memcpy(y[0], slider, sizeof slider);
}
static void slider_crank_start(real *x) { x[1] = 6; }
static void slider_crank_channels(const void *data, const real *x, double *y) {
  ref_cloud cloud;
  slider_crank_place(data, x, cloud);
  y[0] = (double)cloud[2 * REF_BODY_POINTS][0];
}

static void test_slider_crank(void **state) {
  ref_system s = {.n = 1,
                  .n_points = 2 * REF_BODY_POINTS + 1,
                  .place = slider_crank_place,
                  .gravity = {0, 0, -9.81L}};
  real crank[3] = {1e-4L, 1e-4L, 1e-5L}, rod[3] = {4e-4L, 4e-3L, 4e-3L};
  ref_body_weights(0.12L, crank, s.weight);
  ref_body_weights(0.5L, rod, s.weight + REF_BODY_POINTS);
  s.weight[2 * REF_BODY_POINTS] = 2;
  const benchmark b = {"spatial slider-crank",
                       "examples/benchmarks/spatial_slider_crank.yaml",
                       NULL,
                       0,
                       5,
                       1,
                       {"slider.x"},
                       2,
                       slider_crank_start,
                       ref_system_rate,
                       &s,
                       slider_crank_channels,
                       40};
  static bench_track y;
  double final[3];
  bench_make_reference(&b, y);
  bench_track_file(&b, y, final);
  vf_check("iftomm", b.name, "x_end [m]", bench_measure(&b, "x_end"), y[BENCH_POINTS][0], 1e-4,
           "own reference");
  /* The consistent initial state given by the problem. */
  vf_case c;
  vf_file(&c, b.file, NULL, 0);
  vf_start(&c, NULL);
  static const char *const rate[4] = {"rod.wx", "rod.wy", "rod.wz", "slider.vx"};
  static const double value[4] = {1.92, -0.96, 0.48, 0.24};
  for (int i = 0; i < 4; i++)
    vf_check("iftomm", b.name, rate[i], vf_value(&c, rate[i]), value[i], 1e-9, "given start");
  vf_close(&c);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_a04),
      cmocka_unit_test(test_a05),
      cmocka_unit_test(test_slider_crank),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
