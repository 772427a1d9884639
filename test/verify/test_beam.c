/* Beams at rest: large deflections and limit loads against exact solutions. */
#include "verify/beam_model.h"

/* ---- models ---- */

/* A clamped bar along x of n beams between the bodies n1 ... nn; further lines of `forces:` may
 * follow. */
static void put_cantilever(bm_text *w, double length, int n, const bm_stiffness *s) {
  char a[20], b[20], name[20];
  bm_put(w, "format: 1\nbodies:\n");
  for (int k = 1; k <= n; k++)
    bm_put(
        w,
        "  n%d: {mass: 1 kg, inertia: [1 kg*m^2, 1 kg*m^2, 1 kg*m^2], position: [%.17g m, 0, 0]}\n",
        k, length * k / n);
  bm_put(w, "forces:\n");
  for (int k = 0; k < n; k++) {
    snprintf(a, sizeof a, k ? "n%d" : "ground", k);
    snprintf(b, sizeof b, "n%d", k + 1);
    snprintf(name, sizeof name, "beam%d", k);
    bm_put_beam(w, name, a, b, length / n, s);
  }
}

/* ---- statics ---- */

/* Tip of a flat bar under a load at an angle: exact Simo-Reissner solutions by shooting. */
static void test_princeton(void **state) {
  (void)state;
  static const bm_stiffness bar = {2.84191e6, 6.40131e5, 9.03881e5, 3.10338, 36.2794, 2.42873};
  static const double load[3] = {4.448, 8.896, 13.345};
  static const double exact[7][3][3] = {
      {{0, 5.3595, 0}, {0, 10.7154, 0}, {0, 16.0651, 0}},
      {{20.8014, 5.2102, .0038873}, {42.1258, 10.6258, .0158097}, {64.4973, 16.5029, .0365426}},
      {{39.9500, 4.7511, .0066713}, {79.4572, 10.1473, .0263802}, {117.9039, 16.7781, .0581062}},
      {{56.0560, 3.9652, .0076090}, {109.0431, 8.8889, .0290606}, {156.5899, 15.3423, .0608201}},
      {{68.1301, 2.8622, .0065108}, {129.9253, 6.6544, .0241008}, {181.9234, 11.7165, .0484614}},
      {{75.5726, 1.5030, .0037266}, {142.2163, 3.5689, .0135079}, {196.1271, 6.3285, .0265065}},
      {{78.0830, 0, 0}, {146.2619, 0, 0}, {200.6953, 0, 0}}};
  double way = 0, twist = 0;
  for (int i = 0; i < 7; i++)
    for (int k = 0; k < 3; k++) {
      static bm_text w;
      vf_case c;
      double angle = i * 15 * M_PI / 180;
      w.n = 0;
      put_cantilever(&w, 0.508, 8, &bar);
      bm_put(&w, "  tip: {type: load, b: n8, force: [0 N, %.17g N, %.17g N]}\n",
             load[k] * sin(angle), load[k] * cos(angle));
      bm_at_rest(&c, &w);
      hk_quat q = {bm_at(&c, 8, "qw"), bm_at(&c, 8, "qx"), bm_at(&c, 8, "qy"), bm_at(&c, 8, "qz")};
      hk_mat3 R = hk_quat_matrix(q);
      way = fmax(way, fabs(1e3 * bm_at(&c, 8, "y") - exact[i][k][0]));
      way = fmax(way, fabs(1e3 * bm_at(&c, 8, "z") - exact[i][k][1]));
      twist = fmax(twist, fabs(atan2(-R.m[1][2], R.m[2][2]) - exact[i][k][2]));
      vf_close(&c);
    }
  vf_bound("beam", "Princeton, 21 cases, 8 beams", "tip [mm]", way, 0.15, "exact");
  vf_bound("beam", "Princeton, 21 cases, 8 beams", "twist [rad]", twist, 5e-4, "exact");
}

/* The same bar defined by material and section, compared with published results [Obrezkov et al.
 * 2022]. */
static void test_princeton_section(void **state) {
  (void)state;
  static const double load[2] = {8.896, 13.345},
                      exact[2][2] = {{109.1131, 8.9792}, {156.7746, 15.6211}},
                      ansys[2][2] = {{108.988, 8.837}, {156.467, 15.186}};
  double E = 71.7e9, G = E / (2 * 1.31), b = 12.3777e-3, h = 3.2024e-3, A = b * h;
  double stiff = h * b * b * b / 12, soft = b * h * h * h / 12;
  const bm_stiffness bar = {E * A,     G * A,    G * A, 0.198 * G * (stiff + soft),
                            E * stiff, E * soft, 0};
  for (int i = 0; i < 2; i++) {
    static bm_text w;
    vf_case c;
    char text[60];
    w.n = 0;
    put_cantilever(&w, 0.508, 16, &bar);
    bm_put(&w, "  tip: {type: load, b: n16, force: [0 N, %.17g N, %.17g N]}\n", load[i] * M_SQRT1_2,
           load[i] * M_SQRT1_2);
    bm_at_rest(&c, &w);
    snprintf(text, sizeof text, "Princeton by section, %g N, 16 beams", load[i]);
    for (int k = 0; k < 2; k++) {
      double at = 1e3 * bm_at(&c, 16, k ? "z" : "y");
      vf_check("beam", text, k ? "chord [mm]" : "flap [mm]", at, exact[i][k], 0.05, "exact");
      vf_check("beam", text, k ? "chord [mm]" : "flap [mm]", at, ansys[i][k],
               (k ? 0.03 : 0.003) * ansys[i][k], "ANSYS, published");
    }
    vf_close(&c);
  }
}

/* Clamped bar with length and bending stiffness one, transverse load at the tip; negligible shear
 * and extension. */
static void test_elastica(void **state) {
  (void)state;
  static const bm_stiffness bar = {1e7, 1e7, 1e7, 1, 1, 1};
  static const struct {
    double load, x, y;
    double limit[2]; /* with 8 and with 16 beams */
  } point[] = {{1, 0.943566764, 0.301720774, {1e-5, 1e-6}},
               {10, 0.445004402, 0.810609025, {4e-5, 4e-6}}};
  for (int i = 0; i < 2; i++)
    for (int level = 0; level < 2; level++) {
      static bm_text w;
      int n = 8 << level;
      vf_case c;
      char text[60];
      w.n = 0;
      put_cantilever(&w, 1, n, &bar);
      bm_put(&w, "  tip: {type: load, b: n%d, force: [0 N, %g N, 0 N]}\n", n, point[i].load);
      bm_at_rest(&c, &w);
      snprintf(text, sizeof text, "elastica P L^2/EI = %g, %d beams", point[i].load, n);
      vf_check("beam", text, "tip x", bm_at(&c, n, "x"), point[i].x, point[i].limit[level],
               "exact");
      vf_check("beam", text, "tip y", bm_at(&c, n, "y"), point[i].y, point[i].limit[level],
               "exact");
      vf_close(&c);
    }
}

/* An arc of 45 degrees in the plane as straight chords, load out of the plane [Bathe, Bolourchi 1979]. */
static void test_arc(void **state) {
  (void)state;
  enum { N = 16 };
  static const bm_stiffness bar = {1e7, 5e6, 5e6, 5e6 / 6, 1e7 / 12, 1e7 / 12};
  static const double load[3] = {300, 450, 600}, exact[3][3] = {{-11.93156, -7.04454, 40.19189},
                                                                {-18.47212, -10.78114, 48.50293},
                                                                {-23.56024, -13.60452, 53.47486}};
  double h = 2 * 100 * sin(M_PI / 8 / N);
  for (int i = 0; i < 3; i++) {
    static bm_text w;
    vf_case c;
    double x = 0, y = 0;
    char a[30], b[30], name[20];
    w.n = 0;
    bm_put(&w,
           "format: 1\nbodies:\n  n0: {mass: 1 kg, inertia: [1 kg*m^2, 1 kg*m^2, 1 kg*m^2],\n"
           "    markers: {out: {orientation: {axis: z, angle: %.17g rad}}}}\n",
           M_PI / 8 / N);
    for (int k = 1; k <= N; k++) {
      double phi = M_PI / 4 * k / N;
      x = 100 * sin(phi), y = 100 * (1 - cos(phi));
      bm_put(
          &w,
          "  n%d: {mass: 1 kg, inertia: [1 kg*m^2, 1 kg*m^2, 1 kg*m^2], position: [%.17g m, %.17g "
          "m, "
          "0],\n    markers: {in: {orientation: {axis: z, angle: %.17g rad}}, out: {orientation: "
          "{axis: "
          "z, angle: %.17g rad}}}}\n",
          k, x, y, phi - M_PI / 8 / N, phi + M_PI / 8 / N);
    }
    bm_put(&w, "joints: {clamp: {type: fixed, b: n0}}\nforces:\n");
    for (int k = 0; k < N; k++) {
      snprintf(a, sizeof a, "n%d.out", k);
      snprintf(b, sizeof b, "n%d.in", k + 1);
      snprintf(name, sizeof name, "beam%d", k);
      bm_put_beam(&w, name, a, b, h, &bar);
    }
    bm_put(&w, "  tip: {type: load, b: n%d, force: [0 N, 0 N, %g N]}\n", N, load[i]);
    bm_at_rest(&c, &w);
    char text[60];
    snprintf(text, sizeof text, "arc of 45 deg, %g lb, %d beams", load[i], N);
    vf_check("beam", text, "u [in]", bm_at(&c, N, "x") - x, exact[i][0], 0.03, "exact");
    vf_check("beam", text, "v [in]", bm_at(&c, N, "y") - y, exact[i][1], 0.03, "exact");
    vf_check("beam", text, "w [in]", bm_at(&c, N, "z"), exact[i][2], 0.03, "exact");
    vf_close(&c);
  }
}

/* A moment of 2 pi EI/L bends a bar to a circle. */
static void test_roll_up(void **state) {
  (void)state;
  static const bm_stiffness bar = {1e4, 5e3, 5e3, 1e2, 1e2, 1e2};
  static bm_text w;
  vf_case c;
  w.n = 0;
  put_cantilever(&w, 10, 20, &bar);
  bm_put(&w, "  tip: {type: load, b: n20, torque: [0 N*m, 0 N*m, %.17g N*m]}\n", 2 * M_PI * 10);
  bm_at_rest(&c, &w);
  double far = hypot(bm_at(&c, 20, "x"), bm_at(&c, 20, "y"));
  vf_bound("beam", "rolled to a circle, 20 beams", "gap between the ends/L", far / 10, 1e-4,
           "exact");
  vf_check("beam", "rolled to a circle, 20 beams", "energy [J]", vf_value(&c, "energy.potential"),
           197.392088, 1e-6, "exact");
  vf_check("beam", "rolled to a circle, 20 beams", "height", bm_at(&c, 10, "y"), 3.183099, 1e-4,
           "exact");
  vf_close(&c);
}

/* ---- Lee's frame ---- */

/* A hinged column and a hinged beam of the length 120, N beams each, with the load P on the beam at
 * 24 from the corner [Lee, Manuel, Rossow 1968].  The lateral displacement u grows monotonically
 * along the path, so u is prescribed and P is found at which the prescribed displacement needs no
 * force; each solution is the start of the next. */
enum { LEG = 10, LAST = 2 * LEG, LOADED = LEG + LEG / 5 };

typedef struct lee {
  double x[LAST + 1], y[LAST + 1], angle[LAST + 1], load, u;
} lee;

static void lee_begin(lee *f) {
  for (int k = 0; k <= LAST; k++) {
    f->x[k] = k < LEG ? 0 : 12.0 * (k - LEG);
    f->y[k] = k < LEG ? 12.0 * k : 120;
    f->angle[k] = k < LEG ? M_PI / 2 : 0;
  }
  f->load = f->u = 0;
}

/* f + s (f - g): predicted position of the frame. */
static lee lee_further(const lee *f, const lee *g, double s) {
  lee out = *f;
  for (int k = 0; k <= LAST; k++) {
    out.x[k] += s * (f->x[k] - g->x[k]);
    out.y[k] += s * (f->y[k] - g->y[k]);
    out.angle[k] += s * (f->angle[k] - g->angle[k]);
  }
  out.load += s * (f->load - g->load);
  return out;
}

static void lee_write(const lee *f, double u, double load, bm_text *w) {
  static const bm_stiffness bar = {7.2e6 * 6, 1e9, 1e9, 1e7, 7.2e6 * 2, 7.2e6 * 2, 0};
  w->n = 0;
  bm_put(w, "format: 1\nbodies:\n");
  for (int k = 0; k <= LAST; k++)
    bm_put(w,
           "  n%d: {mass: 1 kg, inertia: [1 kg*m^2, 1 kg*m^2, 1 kg*m^2], position: [%.17g m, %.17g "
           "m, 0],\n"
           "    orientation: {axis: z, angle: %.17g rad}, markers: {up: {orientation: {axis: z, "
           "angle: 90 deg}}}}\n",
           k, k == LOADED ? 24 + u : f->x[k], f->y[k], f->angle[k]);
  bm_put(w,
         "joints:\n  foot: {type: revolute, b: n0, at: [0, 0, 0], axis: z}\n"
         "  end: {type: revolute, b: n%d, at: [120 m, 120 m, 0], axis: z}\n"
         "  hold: {type: point_on_plane, b: n%d, at: [%.17g m, %.17g m, 0], axis: x}\nforces:\n",
         LAST, LOADED, 24 + u, f->y[LOADED]);
  for (int k = 0; k < LAST; k++) {
    char a[20], b[20], name[20];
    snprintf(a, sizeof a, "n%d", k);
    snprintf(b, sizeof b, k + 1 == LEG ? "n%d.up" : "n%d", k + 1);
    snprintf(name, sizeof name, "beam%d", k);
    bm_put_beam(w, name, a, b, 12, &bar);
  }
  bm_put(w, "  push: {type: load, b: n%d, force: [0, %.17g N, 0]}\n", LOADED, -load);
}

/* The side force that holds u under a load; to: the resulting positions, may be NULL. */
static double lee_force(const lee *f, double u, double load, lee *to) {
  static bm_text w;
  vf_case c;
  lee_write(f, u, load, &w);
  bm_at_rest(&c, &w);
  double force = vf_value(&c, "hold.fx");
  if (to) {
    for (int k = 0; k <= LAST; k++) {
      to->x[k] = bm_at(&c, k, "x");
      to->y[k] = bm_at(&c, k, "y");
      to->angle[k] = 2 * atan2(bm_at(&c, k, "qz"), bm_at(&c, k, "qw"));
    }
    to->load = load;
  }
  vf_close(&c);
  return force;
}

/* From the equilibria g and f to the next one at u, by the secant method. */
static void lee_follow(lee *f, lee *g, double u) {
  lee next = *f, start = f->u > 0 ? lee_further(f, g, (u - f->u) / (f->u - g->u)) : *f;
  double a = start.load, b = start.load + 100, fa = lee_force(&start, u, a, NULL);
  double fb = lee_force(&start, u, b, &next);
  for (int i = 0; i < 12 && fabs(b - a) > 1e-3; i++) {
    double p = b - fb * (b - a) / (fb - fa);
    a = b, fa = fb, b = p;
    fb = lee_force(&start, u, b, &next);
  }
  *g = *f;
  *f = next;
  f->u = u;
}

/* The extreme load of three equilibria around u, by parabolic interpolation. */
static double lee_limit(lee *f, lee *g, double u, double *down) {
  double p[3], v[3];
  for (int i = 0; i < 3; i++) {
    lee_follow(f, g, u + 0.8 * (i - 1));
    p[i] = f->load;
    v[i] = 120 - f->y[LOADED];
  }
  double slope = (p[2] - p[0]) / 2, bend = p[2] - 2 * p[1] + p[0], at = -slope / bend;
  *down = v[1] + at * (v[2] - v[0]) / 2;
  return p[1] - slope * slope / (2 * bend);
}

static void test_lee_frame(void **state) {
  (void)state;
  static lee f, g;
  double v;
  lee_begin(&f);
  g = f;
  for (double u = 0.01; u < 25.5; u += fmin(2, u)) lee_follow(&f, &g, u);
  double top = lee_limit(&f, &g, 26.881, &v);
  vf_check("beam", "Lee's frame, 10 beams per leg", "limit load", top, 18556.7, 18.6, "exact");
  vf_check("beam", "Lee's frame, 10 beams per leg", "way down there", v, 48.735, 0.1, "exact");
  for (double u = 30; u < 89; u += 3) lee_follow(&f, &g, u);
  double low = lee_limit(&f, &g, 90.196, &v);
  vf_check("beam", "Lee's frame, 10 beams per leg", "lower limit load", low, -9414.4, 28.3,
           "exact");
  vf_check("beam", "Lee's frame, 10 beams per leg", "way down there", v, 58.217, 0.2, "exact");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_princeton), cmocka_unit_test(test_princeton_section),
      cmocka_unit_test(test_elastica),  cmocka_unit_test(test_arc),
      cmocka_unit_test(test_roll_up),   cmocka_unit_test(test_lee_frame),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
