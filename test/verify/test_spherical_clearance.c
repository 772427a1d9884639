/* Slider-crank whose joint at the slider is ideal, dry with clearance, or lubricated: references
 * are a model of the same mechanism in minimal coordinates, its smooth motion by Radau's method at
 * rtol 1e-11 and its impacts located to 1e-13 s. */
#include "verify/verify.h"
#include <math.h>

static const double R = 0.05, L = 0.12, SPEED = 5000 * 2 * M_PI / 60, C = 5e-5;

static void ideal(double t, double *v, double *a) {
  double s = sin(SPEED * t), c = cos(SPEED * t), root = sqrt(L * L - R * R * s * s);
  double root_t = -R * R * s * c * SPEED / root;
  *v = -R * SPEED * s - R * R * SPEED * s * c / root;
  *a = -R * SPEED * SPEED * c - R * R * SPEED * SPEED * (c * c - s * s) / root +
       R * R * SPEED * s * c / (root * root) * root_t;
}

static void open(vf_case *c, const char *name, const hk_override *set, int n,
                 const hk_sim_options *options) {
  char path[120];
  snprintf(path, sizeof path, "examples/slider_crank_clearance/%s.yaml", name);
  vf_file(c, path, set, n);
  vf_start(c, options);
}

static void test_ideal(void **state) {
  static const double at[] = {.001, .003, .0075, .012, .05, .1};
  vf_case c;
  open(&c, "ideal", NULL, 0, &(hk_sim_options){.stepper = "bdf"});
  double v_off = 0, a_off = 0;
  for (int i = 0; i < 6; i++) {
    double v, a;
    ideal(at[i], &v, &a);
    vf_advance(&c, at[i]);
    v_off = fmax(v_off, fabs(vf_value(&c, "slider.vx") - v));
    a_off = fmax(a_off, fabs(vf_value(&c, "slider.ax") - a));
  }
  vf_bound("spherical_clearance", "ideal", "velocity, error [m/s]", v_off, 1e-7, "closed form");
  vf_bound("spherical_clearance", "ideal", "acceleration, error [m/s^2]", a_off, 1e-3,
           "closed form");
  vf_close(&c);
}

typedef struct spot {
  double t, tx, ty, v, a;
} spot;
static const spot L1[] = {{.001, 5.816359, -1.267420, -17.914132, -14991.98},
                          {.003, 8.230869, -4.085905, -26.181789, 6279.53},
                          {.0075, -3.921801, -2.875522, 12.800832, 9408.39},
                          {.012, 0.442184, 0.021523, 0.006689, -19420.38},
                          {.05, 10.004452, -2.904835, -27.735066, -4024.78},
                          {.1, 7.999430, -1.844278, -17.611198, 9686.58},
                          {.3, -1.757076, 2.850562, 0.005631, -19418.87}};

static void compare_L1(const char *what, const hk_sim_options *options, int n, double place,
                       double speed, double acceleration) {
  vf_case c;
  open(&c, "lubricated", NULL, 0, options);
  double t_off = 0, v_off = 0, a_off = 0;
  for (int i = 0; i < n; i++) {
    vf_advance(&c, L1[i].t);
    t_off = fmax(t_off,
                 hypot(vf_value(&c, "tx") - 1e-6 * L1[i].tx, vf_value(&c, "ty") - 1e-6 * L1[i].ty));
    v_off = fmax(v_off, fabs(vf_value(&c, "slider.vx") - L1[i].v));
    a_off = fmax(a_off, fabs(vf_value(&c, "slider.ax") - L1[i].a));
  }
  vf_bound("spherical_clearance", what, "journal, error [clearances]", t_off / C, place, "Radau");
  vf_bound("spherical_clearance", what, "velocity of the slider, error [m/s]", v_off, speed,
           "Radau");
  vf_bound("spherical_clearance", what, "acceleration, error [m/s^2]", a_off, acceleration,
           "Radau");
  vf_close(&c);
}

static void test_lubricated(void **state) {
  compare_L1("lubricated, bdf", &(hk_sim_options){.stepper = "bdf"}, 7, 1e-3, 1e-4, 0.5);
  compare_L1("lubricated, generalized_alpha, 1 us",
             &(hk_sim_options){.stepper = "generalized_alpha", .step = 1e-6}, 4, 1e-3, 1e-4, 1.0);
  /* the default tolerances depend on the clearance */
  compare_L1("lubricated, generalized_alpha", &(hk_sim_options){.stepper = "generalized_alpha"}, 7,
             1e-3, 1e-4, 10);
  compare_L1("lubricated, nonsmooth_alpha", &(hk_sim_options){.stepper = "nonsmooth_alpha"}, 6,
             1e-3, 1e-4, 10);
}

static double most_eccentric(const char *reading, const char *clearance, const char *viscosity,
                             double until) {
  vf_case c;
  const hk_override set[] = {{"joints.wrist.reading", reading},
                             {"parameters.c", clearance},
                             {"parameters.viscosity", viscosity}};
  open(&c, "lubricated", set, 3, &(hk_sim_options){.stepper = "bdf"});
  double most = 0;
  for (int i = 1; i <= 400; i++) {
    vf_advance(&c, until * i / 400);
    most = fmax(most, vf_value(&c, "eps"));
  }
  vf_close(&c);
  return most;
}

/* Clearances and film formulas for which the journal stays near the middle. */
static void test_eccentricities(void **state) {
  static const struct {
    const char *reading, *c, *viscosity;
    double until, eps, tolerance;
  } k[] = {{"vector", "50 um", "0.4 Pa*s", 0.1, 0.223932, 5e-4},
           {"vector", "0.5 mm", "40 Pa*s", 0.1, 0.227526, 2e-3},
           {"vector", "0.5 mm", "400 Pa*s", 0.1, 0.022307, 2e-4},
           {"vector", "5 um", "0.4 Pa*s", 0.1, 0.002188, 1e-5},
           {"radial", "50 um", "0.4 Pa*s", 0.006, 0.346, 1e-3},
           {"gumbel", "50 um", "0.4 Pa*s", 0.006, 0.346, 1e-3},
           {"radial", "50 um", "0.4 Pa*s", 0.024, 0.80, 0.01}};
  for (size_t i = 0; i < sizeof k / sizeof *k; i++) {
    char what[80];
    snprintf(what, sizeof what, "%s, c %s, %s, to %g ms", k[i].reading, k[i].c, k[i].viscosity,
             1e3 * k[i].until);
    vf_check("spherical_clearance", what, "largest eccentricity",
             most_eccentric(k[i].reading, k[i].c, k[i].viscosity, k[i].until), k[i].eps,
             k[i].tolerance, "Radau");
  }
  vf_note("spherical_clearance", "reynolds, c 50 um, 0.4 Pa*s, to 100 ms", "largest eccentricity",
          most_eccentric("reynolds", "50 um", "0.4 Pa*s", 0.1), "no reference");
}

static void compare_impacts(const char *clearance, int n, const double *at, const double *speed,
                            double until) {
  vf_case c;
  const hk_override set[] = {{"parameters.c", clearance}};
  char what[60];
  int count = 0;
  double t_off = 0, v_off = 0, gap = 0;
  open(&c, "dry", set, 1, &(hk_sim_options){.stepper = "event_driven"});
  while (hk_sim_time(c.sim) < until) {
    if (hk_sim_step(c.sim, until, &c.err)) fail_msg("%s", c.err.text);
    gap = fmin(gap, vf_value(&c, "wrist.gap"));
    if (!((int)vf_value(&c, "wrist.contact.impacts") > count) || count >= n) continue;
    t_off = fmax(t_off, fabs(hk_sim_time(c.sim) - at[count]));
    v_off = fmax(v_off, fabs(vf_value(&c, "wrist.contact.approach") - speed[count]));
    count++;
  }
  assert_int_equal(count, n);
  snprintf(what, sizeof what, "dry, c %s, %d impacts", clearance, n);
  vf_bound("spherical_clearance", what, "time, error [s]", t_off, 2e-9, "located impacts");
  vf_bound("spherical_clearance", what, "approach, error [m/s]", v_off, 2e-6, "located impacts");
  vf_bound("spherical_clearance", what, "overlap [m]", -gap, 1e-12, "none");
  vf_bound("spherical_clearance", what, "energy, error [J]",
           fabs(vf_value(&c, "energy.balance_error")), 1e-6, "ledger with the drive's work");
  vf_close(&c);
}

static void test_dry(void **state) {
  static const double wide[] = {2.27286032e-4, 6.00952695e-4, 7.03712362e-4, 9.51675139e-4},
                      wide_v[] = {4.385783, 3.035117, 2.885635, 1.364694},
                      narrow[] = {7.17714093e-5, 1.99902175e-4, 2.59909416e-4},
                      narrow_v[] = {1.392870, 1.216622, 0.840828};
  compare_impacts("0.5 mm", 4, wide, wide_v, 1e-3);
  compare_impacts("50 um", 3, narrow, narrow_v, 2.9e-4);
}

/* An elastic law counts its impacts too: until the first impact the motion is that of the rigid
 * law. */
static void test_elastic(void **state) {
  vf_case c;
  const hk_override set[] = {{"parameters.law", "elastic"}};
  double first = 0;
  open(&c, "dry", set, 1, &(hk_sim_options){.stepper = "auto"});
  while (hk_sim_time(c.sim) < 1e-3) {
    if (hk_sim_step(c.sim, 1e-3, &c.err)) fail_msg("%s", c.err.text);
    if (!(first > 0) && vf_value(&c, "wrist.contact.impacts") > 0) {
      first = hk_sim_time(c.sim);
      vf_check("spherical_clearance", "dry, elastic law", "approach of the first impact [m/s]",
               vf_value(&c, "wrist.contact.approach"), 4.385783, 0.05, "rigid law");
    }
  }
  vf_check("spherical_clearance", "dry, elastic law", "time of the first impact [s]", first,
           2.27286032e-4, 2e-6, "rigid law");
  double impacts = vf_value(&c, "wrist.contact.impacts");
  assert_true(impacts >= 2 && impacts <= 4);
  assert_true(vf_value(&c, "wrist.contact.closed_time") > 1e-5);
  vf_close(&c);
}

/* Oil that is too thin for the clearance: the film is replaced by the contact at a thickness equal
 * to the surface roughness, with a rigid law and with an elastic one. */
static void test_hand_over(void **state) {
  static const char *const law[] = {"rigid", "elastic"};
  for (int i = 0; i < 2; i++) {
    vf_case c;
    const hk_override set[] = {{"joints.wrist.law", law[i]},
                               {"joints.wrist.reading", "reynolds"},
                               {"joints.wrist.roughness", "2 um"},
                               {"parameters.c", "0.2 mm"},
                               {"parameters.viscosity", "0.02 Pa*s"}};
    open(&c, "lubricated", set, 5,
         i ? &(hk_sim_options){.stepper = "bdf"}
           : &(hk_sim_options){.stepper = "moreau", .step = 1e-6});
    double least = 1, dry = 0;
    for (int k = 1; k <= 600; k++) {
      vf_advance(&c, 0.012 * k / 600);
      least = fmin(least, vf_value(&c, "wrist.film.thickness"));
      dry += vf_value(&c, "wrist.film.regime") == 2;
    }
    char what[60];
    snprintf(what, sizeof what, "thin oil, %s law", law[i]);
    if (i) /* an elastic contact is compressed */
      vf_note("spherical_clearance", what, "smallest film thickness [um]", 1e6 * least,
              "as deep as the contact is pressed");
    else
      vf_check("spherical_clearance", what, "smallest film thickness [um]", 1e6 * least, 2, 0.02,
               "roughness");
    assert_true(i ? dry > 0 && least < 2e-6 : true);
    assert_true(vf_value(&c, "wrist.contact.closed_time") > 1e-3);
    vf_close(&c);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_ideal),          cmocka_unit_test(test_lubricated),
      cmocka_unit_test(test_eccentricities), cmocka_unit_test(test_dry),
      cmocka_unit_test(test_elastic),        cmocka_unit_test(test_hand_over),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
