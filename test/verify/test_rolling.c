/* Constraints at velocity level: a rolling wheel, a skate on a slope. */
#include "verify/verify.h"

/* An upright wheel moves straight: x = r w t. */
static void a_wheel_rolls_straight(void **state) {
  (void)state;
  vf_case c;
  vf_text(&c,
          "bodies:\n"
          "  wheel: {type: cylinder, radius: 0.3 m, length: 1 cm, mass: 2 kg, position: [0, 0, 0.3 m],\n"
          "    orientation: {axis: x, angle: -90 deg}, angular_velocity: [0, 5 rad/s, 0]}\n"
          "joints:\n  road: {type: rolling_wheel, b: wheel, radius: 0.3 m}\n"
          "forces:\n  weight: {type: gravity}\n"
          "analysis: {duration: 10 s}\n");
  /* An upright wheel is unstable: with a one-step method it stays in its plane up to round-off. */
  vf_start(&c, &(hk_sim_options){.stepper = "generalized_alpha"});
  vf_check("law", "rolling wheel", "speed at the start [m/s]", vf_value(&c, "wheel.vx"), 1.5,
           1e-9, "r w");
  vf_advance(&c, 10);
  vf_check("law", "rolling wheel", "way in 10 s [m]", vf_value(&c, "wheel.x"), 15, 1e-7, "r w t");
  vf_check("law", "rolling wheel", "off its line [m]", vf_value(&c, "wheel.y"), 0, 1e-9, "straight");
  vf_check("law", "rolling wheel", "force of the road [N]", vf_value(&c, "road.fz"), 2 * 9.81,
           1e-7, "m g");
  vf_close(&c);
}

/* A leaning wheel follows a curve; its energy is conserved to second order. */
static void a_leaning_wheel_keeps_its_energy(void **state) {
  (void)state;
  double h[4], error[4];
  for (int k = 0; k < 4; k++) {
    vf_case c;
    vf_text(&c,
            "bodies:\n"
            "  disc: {type: cylinder, radius: 0.5 m, length: 1 mm, mass: 1 kg,\n"
            "    position: [0, 0, 0.469846310392954 m], orientation: {axis: x, angle: 70 deg},\n"
            "    angular_velocity: [0, -0.5 rad/s, -8 rad/s]}\n"
            "joints:\n  road: {type: rolling_wheel, b: disc, radius: 0.5 m}\n"
            "forces:\n  weight: {type: gravity}\n"
            "analysis: {duration: 2 s}\n");
    h[k] = 4e-3 / (1 << k);
    vf_start(&c, &(hk_sim_options){.step = h[k]});
    double most = 0, gap = 0, slip = 0;
    int balance = vf_channel(&c, "energy.balance_error"), g = vf_channel(&c, "solver.constraint_error"),
        v = vf_channel(&c, "solver.velocity_error");
    while (hk_sim_time(c.sim) < 2) {
      if (hk_sim_step(c.sim, 2, &c.err)) fail_msg("%s", c.err.text);
      most = fmax(most, fabs(hk_sim_value(c.sim, balance)));
      gap = fmax(gap, hk_sim_value(c.sim, g));
      slip = fmax(slip, hk_sim_value(c.sim, v));
    }
    error[k] = most;
    vf_bound("law", "leaning wheel", "gap to the road [m]", gap, 1e-10, "held");
    vf_bound("law", "leaning wheel", "slip [m/s]", slip, 1e-6, "held");
    vf_close(&c);
  }
  vf_check("order", "leaning wheel", "order of the energy", vf_slope(h, error, 4), 2, 0.15, "theory");
}

/* A skate that rotates at the rate w on a slope does not slide down without limit:
 *   x = g sin(a)/(2 w^2) sin^2(w t),  y = g sin(a)/(2 w^2) (w t - sin(2 w t)/2) */
static void a_skate_on_a_slope_goes_sideways(void **state) {
  (void)state;
  vf_case c;
  vf_text(&c,
          "bodies:\n"
          "  skate: {mass: 2 kg, inertia: [0.1 kg*m^2, 0.1 kg*m^2, 0.2 kg*m^2],\n"
          "    angular_velocity: [0, 0, 2 rad/s]}\n"
          "joints:\n"
          "  ice: {type: planar, b: skate, at: [0, 0, 0], axis: z}\n"
          "  edge: {type: knife_edge, b: skate}\n"
          "forces:\n  weight: {type: gravity, acceleration: [3 m/s^2, 0, -9 m/s^2]}\n"
          "analysis: {duration: 5 s}\n");
  vf_start(&c, &(hk_sim_options){.step = 5e-4});
  double w = 2, k = 3 / (2 * w * w), worst = 0;
  for (int i = 1; i <= 50; i++) {
    double t = 0.1 * i;
    vf_advance(&c, t);
    worst = fmax(worst, fabs(vf_value(&c, "skate.x") - k * sin(w * t) * sin(w * t)));
    worst = fmax(worst, fabs(vf_value(&c, "skate.y") - k * (w * t - sin(2 * w * t) / 2)));
  }
  vf_bound("law", "skate on a slope", "off the cycloid over 5 s [m]", worst, 1e-5, "closed form");
  vf_close(&c);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_wheel_rolls_straight),
      cmocka_unit_test(a_leaning_wheel_keeps_its_energy),
      cmocka_unit_test(a_skate_on_a_slope_goes_sideways),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
