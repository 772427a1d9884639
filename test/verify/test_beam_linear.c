/* Small motions of beams and shafts against closed forms: natural frequencies, whirl, critical speeds,
 * the threshold of internal damping, buckling. */
#include "analysis/dense_matrix.h"
#include "verify/beam_model.h"

static bm_text w;

/* ---- natural frequencies ---- */

/* A tube of steel, 80/74 mm, 1.5 m, as a shaft. */
typedef struct ends {
  const char *name, *joints;
  double hertz[2];
  double error[2]; /* that the masses of the nodes leave, 16 beams */
} ends;

static void check_ends(const ends *kind) {
  hk_modes modes;
  vf_case c;
  char text[60];
  vf_text(&c,
          "joints:\n  tube: {type: shaft, hold: none, lengths: [1.5 m], outer_diameters: [80 mm],\n"
          "    inner_diameters: [74 mm], elements: 16}\n%s",
          kind->joints);
  bm_modes(&c, &modes);
  snprintf(text, sizeof text, "tube %s, 16 beams", kind->name);
  for (int k = 0; k < 2; k++) {
    double exact = kind->hertz[k], expected = exact * (1 + kind->error[k]);
    double found = bm_nearest(&modes, 2 * M_PI * expected).im / (2 * M_PI);
    vf_check("beam", text, k ? "second [Hz]" : "first [Hz]", found, exact,
             fabs(kind->error[k]) * exact * 1.05 + 1e-5 * exact, "exact");
  }
  hk_modes_free(&modes);
  vf_close(&c);
}

static void test_frequencies(void **state) {
  (void)state;
  static const double tn = 0.0016060; /* 1 - (32/pi) sin(pi/32) */
  static const ends kind[] = {
      {"free-free", "", {219.11213, 583.88524}, {-4.1e-4, -1.7e-3}},
      {"clamped-clamped",
       "  left: {type: fixed, b: tube.start}\n  right: {type: fixed, b: "
       "tube.end, at: [0, 0, 1.5 m]}\n",
       {214.22313, 563.58571},
       {-1.3e-4, -8.9e-4}},
      {"pinned-pinned",
       "  left: {type: spherical, b: tube.start}\n  right: {type: point_on_line, b: "
       "tube.end, at: [0, 0, 1.5 m]}\n",
       {97.44838, 379.36626},
       {-9.1e-5, -6.3e-4}},
      {"free-free, torsion", "", {1069.21955, 2138.43910}, {-tn, -4 * tn}}};
  for (size_t i = 0; i < sizeof kind / sizeof *kind; i++) check_ends(&kind[i]);
}

/* ---- whirl ---- */

/* A row of steel beams, pinned at both ends, that rotates. */
static bm_row steel_row(double outer, double inner, double length, int n, double spin) {
  double ro = outer / 2, ri = inner / 2, I = M_PI / 4 * (pow(ro, 4) - pow(ri, 4));
  return (bm_row){.n = n,
                  .length = length,
                  .s = bm_steel(outer, inner),
                  .rhoA = 7850 * M_PI * (ro * ro - ri * ri),
                  .rhoI = 7850 * I,
                  .rhoIp = 2 * 7850 * I,
                  .spin = spin};
}

static void pinned_modes(const bm_row *r, vf_case *c, hk_modes *modes) {
  w.n = 0;
  bm_put_bodies(&w, r);
  bm_put_pinned(&w, r);
  bm_put_beams(&w, r);
  bm_compile(c, &w);
  bm_modes(c, modes);
}

/* Roots of (GA k^2 - rhoA w^2)(EI k^2 + GA - rhoI w^2 + rhoIp Om w) = GA^2 k^2, k = j pi/L, as tabulated. */
static void test_whirl(void **state) {
  (void)state;
  static const struct {
    const char *name;
    double outer, inner, length, spin, w[2][2]; /* backward and forward, modes 1 and 2 */
  } point[] = {
      {"tube, 628 rad/s",
       0.08,
       0.074,
       1.5,
       628.31853,
       {{610.31310, 614.26529}, {2376.4759, 2390.7972}}},
      {"tube, 3000 rad/s",
       0.08,
       0.074,
       1.5,
       3000,
       {{602.91928, 621.78932}, {2349.6247, 2418.0007}}},
      {"d 100 mm, 2000 rad/s", 0.1, 0, 1, 2000, {{1249.26621, 1272.93503}, {4835.3484, 4919.6179}}},
      {"d 100 mm, 5000 rad/s", 0.1, 0, 1, 5000, {{1231.78618, 1290.95631}, {4772.8475, 4983.5000}}},
  };
  for (size_t i = 0; i < sizeof point / sizeof *point; i++) {
    bm_row r = steel_row(point[i].outer, point[i].inner, point[i].length, 8, point[i].spin);
    char text[60];
    vf_case c;
    hk_modes modes;
    pinned_modes(&r, &c, &modes);
    snprintf(text, sizeof text, "whirl of a %s, 8 beams", point[i].name);
    for (int j = 0; j < 2; j++)
      for (int k = 0; k < 2; k++) {
        char what[40];
        double exact = point[i].w[j][k], expected = exact * (1 - (j ? 3.7e-3 : 6.3e-4));
        snprintf(what, sizeof what, "%s %d [rad/s]", k ? "forward" : "backward", j + 1);
        vf_check("beam", text, what, bm_nearest(&modes, expected).im, exact,
                 exact * (j ? 4e-3 : 1e-3), "exact");
      }
    hk_modes_free(&modes);
    vf_close(&c);
  }
}

/* The rotational speed that equals the frequency of the first forward whirl. */
static void test_critical_speed(void **state) {
  (void)state;
  double spin = 1268;
  for (int i = 0; i < 4;
       i++) { /* the whirl hardly depends on the speed: each iteration gains two digits */
    bm_row r = steel_row(0.1, 0, 1, 8, spin);
    vf_case c;
    hk_modes modes;
    pinned_modes(&r, &c, &modes);
    spin = bm_nearest(&modes, 1.002 * spin).im;
    hk_modes_free(&modes);
    vf_close(&c);
  }
  vf_check("beam", "d 100 mm, 8 beams", "critical speed [rad/s]", spin, 1268.57626, 1e-3 * 1268.6,
           "exact");
}

/* A shaft of negligible mass. */
static bm_row weightless(int n, double length, double spin) {
  return (bm_row){.n = n,
                  .length = length,
                  .s = bm_steel(0.03, 0),
                  .rhoA = 1e-6,
                  .rhoI = 1e-8,
                  .rhoIp = 2e-8,
                  .spin = spin};
}

/* A disc at a third of the length of a massless shaft: three beams give the closed form. */
static void test_disc(void **state) {
  (void)state;
  static const double spin[3] = {0, 150, 400},
                      exact[3][4] = {{183.467264, 183.467264, 782.449973, 782.449973},
                                     {178.604018, 187.651291, 657.915302, 934.582314},
                                     {168.815021, 193.354707, 507.256124, 1244.6212}};
  for (int i = 0; i < 3; i++) {
    bm_row r = weightless(3, 0.9, spin[i]);
    char text[60];
    vf_case c;
    hk_modes modes;
    w.n = 0;
    bm_put_bodies(&w, &r);
    bm_put(&w,
           "  disc: {mass: 20 kg, inertia: [0.4 kg*m^2, 0.21 kg*m^2, 0.21 kg*m^2], position: [0.3 "
           "m, 0, "
           "0],\n    angular_velocity: [%g rad/s, 0, 0]}\n",
           spin[i]);
    bm_put_pinned(&w, &r);
    bm_put(&w, "  seat: {type: fixed, a: n1, b: disc}\n");
    bm_put_beams(&w, &r);
    bm_compile(&c, &w);
    bm_modes(&c, &modes);
    snprintf(text, sizeof text, "disc at a third, %g rad/s, 3 beams", spin[i]);
    for (int k = 0; k < 4; k++) {
      char what[40];
      snprintf(what, sizeof what, "whirl %d [rad/s]", k + 1);
      vf_check("beam", text, what, bm_nearest(&modes, exact[i][k]).im, exact[i][k],
               1e-6 * exact[i][k], "exact");
    }
    hk_modes_free(&modes);
    vf_close(&c);
  }
}

/* ---- internal damping ---- */

/* Dampers from the ground on inner bodies, c for each. */
static void put_dampers(bm_text *to, const bm_row *r, double c) {
  for (int k = 1; k < r->n; k++)
    bm_put(to, "  damper%d: {type: bearing, a: ground.axis, b: n%d, radial_damping: %.17g N*s/m}\n",
           k, k, c);
}

static hk_mode jeffcott(double spin) {
  bm_row r = weightless(2, 0.6, spin);
  vf_case c;
  hk_modes modes;
  r.rhoA = 3e-5, r.rhoI = 3e-8, r.rhoIp = 6e-8; /* light bodies respond slowly because of the
                                                 * damping */
  r.s.damping = 2e-5;
  w.n = 0;
  bm_put_bodies(&w, &r);
  bm_put(&w,
         "  ground: {markers: {axis: {orientation: {z: x}}}}\n"
         "  disc: {mass: %.17g kg, inertia: [0.01 kg*m^2, 0.01 kg*m^2, 0.01 kg*m^2], position: "
         "[0.3 m, 0, "
         "0],\n    angular_velocity: [%.17g rad/s, 0, 0]}\n",
         12 - r.rhoA * r.length / 2, spin);
  bm_put_pinned(&w, &r);
  bm_put(&w, "  seat: {type: fixed, a: n1, b: disc}\n");
  bm_put_beams(&w, &r);
  put_dampers(&w, &r, 60);
  bm_compile(&c, &w);
  bm_modes(&c, &modes);
  hk_mode out = {.re = -INFINITY};
  for (int i = 0; i < modes.n; i++)
    if (fabs(modes.mode[i].im - 392.15) < 1 && modes.mode[i].re > out.re) out = modes.mode[i];
  hk_modes_free(&modes);
  vf_close(&c);
  return out;
}

static hk_mode uniform(int n, double spin) {
  bm_row r = steel_row(0.025, 0, 1, n, spin);
  vf_case c;
  hk_modes modes;
  r.held = true;
  r.s.damping = 2e-5;
  w.n = 0;
  bm_put_bodies(&w, &r);
  bm_put(&w, "  ground: {markers: {axis: {orientation: {z: x}}}}\n");
  bm_put_pinned(&w, &r);
  bm_put_beams(&w, &r);
  put_dampers(&w, &r, 20 * r.length / n);
  bm_compile(&c, &w);
  bm_modes(&c, &modes);
  hk_mode out = {.re = -INFINITY};
  for (int i = 0; i < modes.n; i++)
    if (fabs(modes.mode[i].im - 319.3) < 1 && modes.mode[i].re > out.re) out = modes.mode[i];
  hk_modes_free(&modes);
  vf_close(&c);
  return out;
}

/* The speed at which the growth rate is zero: secant method. */
static double threshold(hk_mode (*of)(double), double a, double b) {
  double fa = of(a).re, fb = of(b).re;
  for (int i = 0; i < 6 && fabs(b - a) > 1e-9 * b; i++) {
    double next = b - fb * (b - a) / (fb - fa);
    a = b, fa = fb, b = next, fb = of(b).re;
  }
  return b;
}

static hk_mode uniform_8(double spin) { return uniform(8, spin); }

/* m s^2 + (ce + ci) s + k - i ci Om = 0 with ci = beta k: unstable above w0 (1 + ce/ci). */
static void test_internal_damping(void **state) {
  (void)state;
  static const char name[] = "internal damping, mass on 2 beams";
  double w0 = 392.14726;
  vf_check("beam", name, "threshold [rad/s]", threshold(jeffcott, 1000, 1050), 1029.66287, 1e-3,
           "exact");
  hk_mode fast = jeffcott(3 * w0), slow = jeffcott(1.5 * w0);
  vf_check("beam", name, "growth at 3 w0 [1/s]", fast.re, 0.57551485, 1e-6, "exact");
  vf_check("beam", name, "whirl at 3 w0 [rad/s]", fast.im, 392.15361, 4e-4, "exact");
  vf_check("beam", name, "growth at 1.5 w0 [1/s]", slow.re, -1.73102024, 1e-6, "exact");
  vf_check("beam", name, "whirl at 1.5 w0 [rad/s]", slow.im, 392.13326, 4e-4, "exact");
  static const char even[] = "internal damping, uniform shaft, 8 beams";
  vf_check("beam", even, "threshold [rad/s]", threshold(uniform_8, 1100, 1150), 1134.06197,
           1e-4 * 1134, "exact");
  hk_mode grows = uniform(16, 1.5 * 1134.06197);
  vf_check("beam", "internal damping, uniform shaft, 16 beams", "growth at 1.5 times that [1/s]",
           grows.re, 1.80481, 1e-4, "exact");
  vf_check("beam", "internal damping, uniform shaft, 16 beams", "whirl at 1.5 times that [rad/s]",
           grows.im, 319.48569, 2e-3, "exact");
}

/* ---- buckling ---- */

/* Smallest singular value of the stiffness of the free motions under a load. */
static double softness(void (*write)(int n, double load), int n, double load) {
  hk_linear *linear;
  hk_svd svd;
  vf_case c;
  w.n = 0;
  write(n, load);
  bm_at_rest(&c, &w);
  if (hk_linear_create(c.sim, NULL, &linear, &c.diag, &c.err) ||
      hk_svd_make(linear->Kr, linear->dof, linear->dof, 0, &svd, &c.err))
    fail_msg("%s", c.err.text);
  double least = svd.s[linear->dof - 1];
  hk_svd_free(&svd);
  hk_linear_destroy(linear);
  vf_close(&c);
  return least;
}

/* The load at which it is zero; it decreases before and increases after it: golden section
 * search. */
static double buckling(void (*write)(int n, double load), int n, double low, double high) {
  const double g = 0.6180339887498949;
  double a = high - g * (high - low), b = low + g * (high - low);
  double fa = softness(write, n, a), fb = softness(write, n, b);
  while (high - low > 2e-7 * high) {
    if (fa < fb) {
      high = b, b = a, fb = fa, a = high - g * (high - low);
      fa = softness(write, n, a);
    } else {
      low = a, a = b, fa = fb, b = low + g * (high - low);
      fb = softness(write, n, b);
    }
  }
  return (low + high) / 2;
}

static const bm_stiffness RIGID_IN_SHEAR = {1e7, 1e7, 1e7, 1, 1, 1, 0},
                          SOFT_IN_SHEAR = {1e7, 20, 20, 1, 1, 1, 0},
                          STIFF_IN_TWIST = {1e7, 1e7, 1e7, 1e3, 1, 1, 0},
                          FLAT = {1e9, 1e9, 1e9, 1, 1e4, 1, 0};

static bm_row light(int n, const bm_stiffness *s) {
  return (bm_row){.n = n, .length = 1, .s = *s, .rhoA = 1, .rhoI = 1, .rhoIp = 1};
}

/* Held against rotation by a weak spring that carries no load. */
static void put_held(const bm_row *r) {
  bm_put_beams(&w, r);
  bm_put(&w, "  turn: {type: bushing, b: n0, torsion_stiffness: [1 N*m/rad, 0, 0]}\n");
}

static void euler_of(int n, double load, const bm_stiffness *s) {
  bm_row r = light(n, s);
  bm_put_bodies(&w, &r);
  bm_put_pinned(&w, &r);
  put_held(&r);
  bm_put(&w, "  push: {type: load, b: n%d, force: [%.17g N, 0, 0]}\n", n, -load);
}
static void euler(int n, double load) { euler_of(n, load, &RIGID_IN_SHEAR); }
static void haringx(int n, double load) { euler_of(n, load, &SOFT_IN_SHEAR); }

static void cantilever(int n, double load) {
  bm_row r = light(n, &RIGID_IN_SHEAR);
  bm_put_bodies(&w, &r);
  bm_put(&w, "joints:\n  clamp: {type: fixed, b: n0}\n");
  bm_put_beams(&w, &r);
  bm_put(&w, "  push: {type: load, b: n%d, force: [%.17g N, 0, 0]}\n", n, -load);
}

/* Torque along the axis at both ends. */
static void greenhill_pinned(int n, double load) {
  bm_row r = light(n, &STIFF_IN_TWIST);
  bm_put_bodies(&w, &r);
  bm_put_pinned(&w, &r);
  put_held(&r);
  bm_put(&w,
         "  one: {type: load, b: n0, torque: [%.17g N*m, 0, 0]}\n"
         "  other: {type: load, b: n%d, torque: [%.17g N*m, 0, 0]}\n",
         -load, n, load);
}

static void greenhill_clamped(int n, double load) {
  bm_row r = light(n, &STIFF_IN_TWIST);
  bm_put_bodies(&w, &r);
  bm_put(&w,
         "joints:\n  clamp: {type: fixed, b: n0}\n"
         "  guide: {type: cylindrical, b: n%d, at: [1 m, 0, 0], axis: x}\n",
         n);
  bm_put_beams(&w, &r);
  bm_put(&w, "  twist: {type: load, b: n%d, torque: [%.17g N*m, 0, 0]}\n", n, load);
}

/* A flat bar, load along its stiff side. */
static void prandtl(int n, double load) {
  bm_row r = light(n, &FLAT);
  bm_put_bodies(&w, &r);
  bm_put(&w, "joints:\n  clamp: {type: fixed, b: n0}\n");
  bm_put_beams(&w, &r);
  bm_put(&w, "  push: {type: load, b: n%d, force: [0, 0, %.17g N]}\n", n, load);
}

static void test_buckling(void **state) {
  (void)state;
  const double e = M_PI * M_PI;
  static const struct {
    const char *name;
    void (*write)(int n, double load);
    int n;
    double exact, limit; /* relative, from the order of the element */
  } point[] = {
      {"Euler, pinned, 4 beams", euler, 4, 1, 6e-4},
      {"Euler, pinned, 8 beams", euler, 8, 1, 4e-5},
      {"Euler, cantilever, 4 beams", cantilever, 4, 0.25, 6e-5},
      {"Haringx, GA = 20 EI/L^2, 16 beams", haringx, 16, 0.734078, 1e-3},
      {"Greenhill, pinned, 8 beams", greenhill_pinned, 8, 6.283185, 6e-4},
      {"Greenhill, pinned, 16 beams", greenhill_pinned, 16, 6.283185, 5e-5},
      {"Greenhill, clamped, 8 beams", greenhill_clamped, 8, 8.986819, 2.5e-3},
      {"Greenhill, clamped, 16 beams", greenhill_clamped, 16, 8.986819, 2e-4},
      {"Prandtl, 8 beams", prandtl, 8, 4.012599 * 1.0001, 4.5e-3},
      {"Prandtl, 16 beams", prandtl, 16, 4.012599 * 1.0001, 1.2e-3},
  };
  for (size_t i = 0; i < sizeof point / sizeof *point; i++) {
    double exact = point[i].exact * (point[i].exact <= 1 ? e : 1);
    double found = buckling(point[i].write, point[i].n, 0.9 * exact, 1.1 * exact);
    vf_check("beam", point[i].name, "load, torque or force over EI/L^2, EI/L", found, exact,
             point[i].limit * exact, "exact");
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_frequencies),      cmocka_unit_test(test_whirl),
      cmocka_unit_test(test_critical_speed),   cmocka_unit_test(test_disc),
      cmocka_unit_test(test_internal_damping), cmocka_unit_test(test_buckling),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
