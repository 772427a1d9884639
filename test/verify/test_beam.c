/* Beams and shafts: large deflections, natural frequencies, buckling and whirl against exact solutions. */
#include "verify/verify.h"
#include <hooke/linear.h>

/* ---- models ---- */

enum { TEXT = 60000 };

/* The text of a model, written piece by piece. */
typedef struct writer {
  char text[TEXT];
  size_t n;
} writer;

static void put(writer *w, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void put(writer *w, const char *format, ...) {
  va_list args;
  va_start(args, format);
  int n = vsnprintf(w->text + w->n, sizeof w->text - w->n, format, args);
  va_end(args);
  assert_true(n >= 0 && w->n + (size_t)n < sizeof w->text);
  w->n += (size_t)n;
}

typedef struct stiffness {
  double EA, GAy, GAz, GJ, EIy, EIz;
} stiffness;

static void put_beam(writer *w, const char *name, int k, const char *a, const char *b, double h,
                     const stiffness *s) {
  put(w,
      "  %s%d: {type: beam, a: %s, b: %s, length: %.17g m, axial_stiffness: %.17g N,\n"
      "    shear_stiffness_y: %.17g N, shear_stiffness_z: %.17g N, torsion_stiffness: %.17g "
      "N*m^2,\n"
      "    bending_stiffness_y: %.17g N*m^2, bending_stiffness_z: %.17g N*m^2}\n",
      name, k, a, b, h, s->EA, s->GAy, s->GAz, s->GJ, s->EIy, s->EIz);
}

/* A clamped bar along x of n beams between the bodies n1 ... nn; `forces:` is left open. */
static void put_cantilever(writer *w, double length, int n, const stiffness *s) {
  char a[20], b[20];
  put(w, "format: 1\nbodies:\n");
  for (int k = 1; k <= n; k++)
    put(w,
        "  n%d: {mass: 1 kg, inertia: [1 kg*m^2, 1 kg*m^2, 1 kg*m^2], position: [%.17g m, 0, 0]}\n",
        k, length * k / n);
  put(w, "forces:\n");
  for (int k = 0; k < n; k++) {
    snprintf(a, sizeof a, k ? "n%d" : "ground", k);
    snprintf(b, sizeof b, "n%d", k + 1);
    put_beam(w, "beam", k, a, b, length / n, s);
  }
}

static void at_rest(vf_case *c, const writer *w) {
  hk_static_report report;
  *c = (vf_case){0};
  hk_diag_init(&c->diag);
  vf_compile(c, hk_model_text_read("model", w->text, w->n, NULL, 0, &c->diag));
  if (hk_static_solve(c->model, NULL, &c->sim, &report, &c->diag, &c->err))
    fail_msg("%s", c->err.text);
}

static double at(vf_case *c, int node, const char *coordinate) {
  char name[40];
  snprintf(name, sizeof name, "n%d.%s", node, coordinate);
  return vf_value(c, name);
}

/* ---- statics ---- */

/* Tip of a flat bar under a load at an angle: exact Simo-Reissner solutions by shooting. */
static void test_princeton(void **state) {
  (void)state;
  static const stiffness bar = {2.84191e6, 6.40131e5, 9.03881e5, 3.10338, 36.2794, 2.42873};
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
      static writer w;
      vf_case c;
      double angle = i * 15 * M_PI / 180;
      w.n = 0;
      put_cantilever(&w, 0.508, 8, &bar);
      put(&w, "  tip: {type: load, b: n8, force: [0 N, %.17g N, %.17g N]}\n", load[k] * sin(angle),
          load[k] * cos(angle));
      at_rest(&c, &w);
      hk_quat q = {at(&c, 8, "qw"), at(&c, 8, "qx"), at(&c, 8, "qy"), at(&c, 8, "qz")};
      hk_mat3 R = hk_quat_matrix(q);
      way = fmax(way, fabs(1e3 * at(&c, 8, "y") - exact[i][k][0]));
      way = fmax(way, fabs(1e3 * at(&c, 8, "z") - exact[i][k][1]));
      twist = fmax(twist, fabs(atan2(-R.m[1][2], R.m[2][2]) - exact[i][k][2]));
      vf_close(&c);
    }
  vf_bound("beam", "Princeton, 21 cases, 8 beams", "tip [mm]", way, 0.15, "exact");
  vf_bound("beam", "Princeton, 21 cases, 8 beams", "twist [rad]", twist, 5e-4, "exact");
}

/* Clamped bar of the length and bending stiffness one, load across at the tip; hardly any shear and
 * stretch. */
static void test_elastica(void **state) {
  (void)state;
  static const stiffness bar = {1e7, 1e7, 1e7, 1, 1, 1};
  static const struct {
    double load, x, y;
    double limit[2]; /* with 8 and with 16 beams */
  } point[] = {{1, 0.943566764, 0.301720774, {1e-5, 1e-6}},
               {10, 0.445004402, 0.810609025, {4e-5, 4e-6}}};
  for (int i = 0; i < 2; i++)
    for (int level = 0; level < 2; level++) {
      static writer w;
      int n = 8 << level;
      vf_case c;
      char text[60];
      w.n = 0;
      put_cantilever(&w, 1, n, &bar);
      put(&w, "  tip: {type: load, b: n%d, force: [0 N, %g N, 0 N]}\n", n, point[i].load);
      at_rest(&c, &w);
      snprintf(text, sizeof text, "elastica P L^2/EI = %g, %d beams", point[i].load, n);
      vf_check("beam", text, "tip x", at(&c, n, "x"), point[i].x, point[i].limit[level], "exact");
      vf_check("beam", text, "tip y", at(&c, n, "y"), point[i].y, point[i].limit[level], "exact");
      vf_close(&c);
    }
}

/* An arc of 45 degrees in the plane as straight chords, load out of the plane [Bathe, Bolourchi 1979]. */
static void test_arc(void **state) {
  (void)state;
  enum { N = 16 };
  static const stiffness bar = {1e7, 5e6, 5e6, 5e6 / 6, 1e7 / 12, 1e7 / 12};
  static const double load[3] = {300, 450, 600}, exact[3][3] = {{-11.93156, -7.04454, 40.19189},
                                                                {-18.47212, -10.78114, 48.50293},
                                                                {-23.56024, -13.60452, 53.47486}};
  double h = 2 * 100 * sin(M_PI / 8 / N);
  for (int i = 0; i < 3; i++) {
    static writer w;
    vf_case c;
    double x = 0, y = 0;
    char a[30], b[30];
    w.n = 0;
    put(&w,
        "format: 1\nbodies:\n  n0: {mass: 1 kg, inertia: [1 kg*m^2, 1 kg*m^2, 1 kg*m^2],\n"
        "    markers: {out: {orientation: {axis: z, angle: %.17g rad}}}}\n",
        M_PI / 8 / N);
    for (int k = 1; k <= N; k++) {
      double phi = M_PI / 4 * k / N;
      x = 100 * sin(phi), y = 100 * (1 - cos(phi));
      put(&w,
          "  n%d: {mass: 1 kg, inertia: [1 kg*m^2, 1 kg*m^2, 1 kg*m^2], position: [%.17g m, %.17g "
          "m, "
          "0],\n    markers: {in: {orientation: {axis: z, angle: %.17g rad}}, out: {orientation: "
          "{axis: "
          "z, angle: %.17g rad}}}}\n",
          k, x, y, phi - M_PI / 8 / N, phi + M_PI / 8 / N);
    }
    put(&w, "joints: {clamp: {type: fixed, b: n0}}\nforces:\n");
    for (int k = 0; k < N; k++) {
      snprintf(a, sizeof a, "n%d.out", k);
      snprintf(b, sizeof b, "n%d.in", k + 1);
      put_beam(&w, "beam", k, a, b, h, &bar);
    }
    put(&w, "  tip: {type: load, b: n%d, force: [0 N, 0 N, %g N]}\n", N, load[i]);
    at_rest(&c, &w);
    char text[60];
    snprintf(text, sizeof text, "arc of 45 deg, %g lb, %d beams", load[i], N);
    vf_check("beam", text, "u [in]", at(&c, N, "x") - x, exact[i][0], 0.03, "exact");
    vf_check("beam", text, "v [in]", at(&c, N, "y") - y, exact[i][1], 0.03, "exact");
    vf_check("beam", text, "w [in]", at(&c, N, "z"), exact[i][2], 0.03, "exact");
    vf_close(&c);
  }
}

/* A moment of 2 pi EI/L bends a bar to a circle. */
static void test_roll_up(void **state) {
  (void)state;
  static const stiffness bar = {1e4, 5e3, 5e3, 1e2, 1e2, 1e2};
  static writer w;
  vf_case c;
  w.n = 0;
  put_cantilever(&w, 10, 20, &bar);
  put(&w, "  tip: {type: load, b: n20, torque: [0 N*m, 0 N*m, %.17g N*m]}\n", 2 * M_PI * 10);
  at_rest(&c, &w);
  double far = hypot(at(&c, 20, "x"), at(&c, 20, "y"));
  vf_bound("beam", "rolled to a circle, 20 beams", "gap between the ends/L", far / 10, 1e-4,
           "exact");
  vf_check("beam", "rolled to a circle, 20 beams", "height", at(&c, 10, "y"), 3.183099, 1e-4,
           "exact");
  vf_close(&c);
}

/* ---- frequencies ---- */

/* A tube of steel, 80/74 mm, 1.5 m. */
typedef struct ends {
  const char *name, *joints;
  double hertz[2];
  double error[2]; /* that the masses of the nodes leave, n = 16 */
} ends;

static void test_frequencies(void **state) {
  (void)state;
  static const ends kind[] = {{"free-free", "", {219.11213, 583.88524}, {-4.1e-4, -1.7e-3}},
                              {"clamped-clamped",
                               "  left: {type: fixed, b: tube.start}\n  right: {type: fixed, b: "
                               "tube.end, at: [0, 0, 1.5 m]}\n",
                               {214.22313, 563.58571},
                               {-1.3e-4, -8.9e-4}}};
  for (int i = 0; i < 2; i++) {
    hk_static_report report;
    hk_linear *linear;
    hk_modes modes;
    vf_case c;
    vf_text(
        &c,
        "joints:\n  tube: {type: shaft, hold: none, lengths: [1.5 m], outer_diameters: [80 mm],\n"
        "    inner_diameters: [74 mm], elements: 16}\n%s",
        kind[i].joints);
    const hk_static_options o = {.as_placed = true};
    if (hk_static_solve(c.model, &o, &c.sim, &report, &c.diag, &c.err) ||
        hk_linear_create(c.sim, NULL, &linear, &c.diag, &c.err) ||
        hk_modes_solve(linear, NULL, &modes, &c.err))
      fail_msg("%s", c.err.text);
    for (int k = 0; k < 2; k++) {
      double expected = kind[i].hertz[k] * (1 + kind[i].error[k]), best = 0;
      for (int m = 0; m < modes.n; m++) {
        double f = modes.mode[m].im / (2 * M_PI);
        if (fabs(f - expected) < fabs(best - expected)) best = f;
      }
      char text[60];
      snprintf(text, sizeof text, "tube %s, 16 beams", kind[i].name);
      vf_check("beam", text, k ? "second [Hz]" : "first [Hz]", best, kind[i].hertz[k],
               1.1 * fabs(kind[i].error[k]) * kind[i].hertz[k], "exact");
    }
    hk_modes_free(&modes);
    hk_linear_destroy(linear);
    vf_close(&c);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_princeton),   cmocka_unit_test(test_elastica),
      cmocka_unit_test(test_arc),         cmocka_unit_test(test_roll_up),
      cmocka_unit_test(test_frequencies),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
