/* The uncontrolled bicycle: eigenvalues about straight upright riding [Meijaard et al. 2007, table
 * 2] and the range of speeds in which it is stable [IFToMM benchmark library]. */
#include "verify/verify.h"
#include <hooke/linear.h>

typedef struct eigen {
  int n;
  double re[16], im[16];
} eigen;

static eigen eigenvalues(double speed) {
  vf_case c;
  char value[40];
  snprintf(value, sizeof value, "%.17g m/s", speed);
  vf_file(&c, "examples/linear/bicycle.yaml", &(hk_override){"parameters.v", value}, 1);
  vf_start(&c, NULL);
  hk_linear *l;
  hk_modes modes;
  if (hk_linear_create(c.sim, NULL, &l, &c.diag, &c.err) || hk_modes_solve(l, NULL, &modes, &c.err))
    fail_msg("%s", c.err.text);
  assert_int_equal(l->dof, 3); /* lean, steer, forward */
  eigen e = {0};
  for (int i = 0; i < modes.n && e.n < 16; i++) {
    if (modes.mode[i].zero) continue;
    e.re[e.n] = modes.mode[i].re;
    e.im[e.n++] = modes.mode[i].im;
  }
  hk_modes_free(&modes);
  hk_linear_destroy(l);
  vf_close(&c);
  return e;
}

static void has(const eigen *e, const char *name, double speed, double re, double im) {
  char text[60], quantity[60];
  double best = INFINITY;
  int at = 0;
  for (int i = 0; i < e->n; i++) {
    double d = hypot(e->re[i] - re, fabs(e->im[i]) - im);
    if (d < best) best = d, at = i;
  }
  snprintf(text, sizeof text, "bicycle, %g m/s", speed);
  snprintf(quantity, sizeof quantity, "%s, real part [1/s]", name);
  vf_check("linear", text, quantity, e->re[at], re, 1e-8, "Meijaard et al. 2007");
  snprintf(quantity, sizeof quantity, "%s, imaginary part [rad/s]", name);
  vf_check("linear", text, quantity, fabs(e->im[at]), im, 1e-8, "Meijaard et al. 2007");
}

static void eigenvalues_are_the_published_ones(void **state) {
  (void)state;
  eigen e = eigenvalues(0);
  has(&e, "first pair", 0, 3.13164324790656, 0);
  has(&e, "first pair", 0, -3.13164324790656, 0);
  has(&e, "second pair", 0, 5.53094371765393, 0);
  has(&e, "second pair", 0, -5.53094371765393, 0);
  e = eigenvalues(5);
  has(&e, "weave", 5, -0.77534188219585, 4.46486771378823);
  has(&e, "capsize", 5, -0.32286642900409, 0);
  has(&e, "caster", 5, -14.07838969279822, 0);
}

/* Largest real part of the eigenvalues that oscillate (weave) or of those that do not (capsize). */
static double largest(double speed, bool weave) {
  eigen e = eigenvalues(speed);
  double most = -INFINITY;
  for (int i = 0; i < e.n; i++)
    if ((fabs(e.im[i]) > 0.1) == weave) most = fmax(most, e.re[i]);
  return most;
}

/* Bisection, then linear interpolation: exactly at the crossing the eigenvalue is zero like those
 * of free motion. */
static double crossing(double low, double high, bool weave) {
  double f_low = largest(low, weave), f_high = largest(high, weave);
  for (int i = 0; i < 12; i++) {
    double middle = (low + high) / 2, f = largest(middle, weave);
    if ((f > 0) == (f_low > 0)) low = middle, f_low = f;
    else high = middle, f_high = f;
  }
  return low - f_low * (high - low) / (f_high - f_low);
}

static void it_rides_alone_between_two_speeds(void **state) {
  (void)state;
  vf_check("linear", "bicycle", "weave speed [m/s]", crossing(4, 4.5, true), 4.29238253634111, 1e-8,
           "IFToMM library");
  vf_check("linear", "bicycle", "capsize speed [m/s]", crossing(5.5, 6.5, false), 6.02426201538837, 1e-8,
           "IFToMM library");
}

/* Undisturbed, the nonlinear bicycle moves straight at constant speed. */
static void the_nonlinear_bicycle_goes_straight(void **state) {
  (void)state;
  vf_case c;
  vf_file(&c, "examples/linear/bicycle.yaml", NULL, 0);
  vf_start(&c, &(hk_sim_options){.rtol = 1e-7, .atol = 1e-9});
  vf_advance(&c, 0.5);
  vf_check("linear", "bicycle, 5 m/s", "straight, lean rate after 0.5 s [rad/s]", vf_value(&c, "frame.wx"),
           0, 1e-9, "symmetry");
  vf_check("linear", "bicycle, 5 m/s", "way after 0.5 s [m]", vf_value(&c, "frame.x"), 0.3 + 2.5, 1e-7,
           "v t");
  vf_close(&c);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(eigenvalues_are_the_published_ones),
      cmocka_unit_test(it_rides_alone_between_two_speeds),
      cmocka_unit_test(the_nonlinear_bicycle_goes_straight),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
