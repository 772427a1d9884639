/* Loads that start after a quiet phase: a body rests, or rotates uniformly, for half of the run, so
 * that steps grow to a large part of the run.  A short load after this phase must not be stepped
 * over. */
#include "verify/verify.h"

static const char *const STEPPER[] = {"auto", "bdf", "adams", "generalized_alpha", "trapezoidal"};
enum { N_STEPPERS = sizeof STEPPER / sizeof *STEPPER };

typedef struct blow {
  const char *name, *text, *channel;
  double exact;
  double limit[2]; /* of methods of high order; of second order */
} blow;

static void run_blow(const blow *b) {
  vf_case c;
  vf_text(&c, "%s", b->text);
  for (int i = 0; i < N_STEPPERS && b->limit[i > 2] > 0; i++) {
    char quantity[80];
    vf_start(&c, &(hk_sim_options){.stepper = STEPPER[i]});
    vf_advance(&c, 10);
    snprintf(quantity, sizeof quantity, "%s, %s (%s)", b->channel, STEPPER[i],
             hk_sim_stepper_name(c.sim));
    vf_check("jumps", b->name, quantity, vf_value(&c, b->channel), b->exact, b->limit[i > 2],
             "closed form");
  }
  vf_close(&c);
}

/* 2 kg, 1000 N for a millisecond: 0.5 m/s. */
static void a_blow_at_rest(void **state) {
  (void)state;
  run_blow(&(blow){"blow on a body at rest",
                   "bodies: {m: {type: point_mass, mass: 2 kg}}\n"
                   "forces: {l: {type: load, b: m, force: [\"1000 N * pulse(t, 5 s, 5.001 s)\","
                   " 0, 0]}}\n"
                   "analysis: {duration: 10 s}\n",
                   "m.x",
                   0.5 * (10 - 5.0005),
                   {1e-9, 1e-10}});
}

/* 0.5 kg m^2 at 20 rad/s, 30 N m for 10 ms: 0.6 rad/s more. */
static void a_blow_while_turning(void **state) {
  (void)state;
  run_blow(&(blow){"impact on a shaft at constant speed",
                   "bodies: {r: {type: rotor, inertia: 0.5 kg*m^2, rate: 20 rad/s}}\n"
                   "forces: {l: {type: load, b: r, torque: [0, 0, \"if(t > 6.2 s and t < 6.21 s, "
                   "30 N*m, 0 N*m)\"]}}\n"
                   "analysis: {duration: 10 s}\n",
                   "r.angle",
                   200 + 0.6 * (10 - 6.205),
                   {1e-6, 1e-9}});
}

/* Forward and back: smooth loads whose effects cancel at the end. */
static void a_push_at_rest(void **state) {
  (void)state;
  run_blow(&(blow){"smooth push on a body at rest",
                   "bodies: {m: {type: point_mass, mass: 2 kg}}\n"
                   "forces: {l: {type: load, b: m, force: [\"step5(t, 5 s, 0 N, 5.01 s, 100 N)"
                   " - step5(t, 5.02 s, 0 N, 5.03 s, 100 N)\", 0, 0]}}\n"
                   "analysis: {duration: 10 s}\n",
                   "m.x",
                   1 * (10 - 5.015),
                   {1e-7, 2e-5}});
}

/* A whole sine wave, which is zero in its middle: A T^2/(2 pi m). */
static void a_wave_at_rest(void **state) {
  (void)state;
  run_blow(&(blow){"one wave on a body at rest",
                   "bodies: {m: {type: point_mass, mass: 2 kg}}\n"
                   "forces: {l: {type: load, b: m, force: [\"1000 N * pulse(t, 5 s, 5.01 s) * "
                   "sin(2*pi*(t - 5 s)/(10 ms))\", 0, 0]}}\n"
                   "analysis: {duration: 10 s}\n",
                   "m.x",
                   1000 * 1e-4 / (2 * M_PI * 2),
                   {1e-6, 1e-3}});
}

/* A load that stays. */
static void a_load_at_half_time(void **state) {
  (void)state;
  run_blow(&(blow){"load at half time",
                   "bodies: {m: {type: point_mass, mass: 2 kg}}\n"
                   "forces: {l: {type: load, b: m, force: [\"if(t > 5 s, 2 N, 0 N)\", 0, 0]}}\n"
                   "analysis: {duration: 10 s}\n",
                   "m.x",
                   12.5,
                   {1e-9, 1e-10}});
}

static void blow_by(const char *name, const char *force, double exact, double high, double second) {
  char text[400];
  snprintf(text, sizeof text,
           "bodies: {m: {type: point_mass, mass: 2 kg}}\n"
           "forces: {l: {type: load, b: m, force: [\"%s\", 0, 0]}}\n"
           "analysis: {duration: 10 s}\n",
           force);
  run_blow(&(blow){name, text, "m.x", exact, {high, second}});
}

/* 2 kg, 0.5 m/s more each time. */
static void blows_that_repeat_themselves(void **state) {
  (void)state;
  double exact = 0;
  for (int k = 0; k < 10; k++) exact += 0.5 * (10 - (k + 0.4005));
  blow_by("blow each second", "1000 N * pulse(mod(t, 1 s), 0.4 s, 0.401 s)", exact, 1e-6, 1e-9);
}

static void blows_by_curves_over_time(void **state) {
  (void)state;
  blow_by("blow by a parabola", "if((t - 5 s)^2 < (0.5 ms)^2, 1000 N, 0 N)", 0.5 * 5, 1e-9, 1e-10);
  blow_by("blow by a product", "if(t*(t - 10 s) < 1e-6 s^2 - 25 s^2, 1000 N, 0 N)", 0.5 * 2 * 5,
          1e-6, 1e-6);
  blow_by("blow by a hyperbola", "if(1/t < 0.2/(1 s) and 1/t > 1/(5.001 s), 1000 N, 0 N)",
          0.5 * (10 - 5.0005), 1e-9, 1e-10);
  blow_by("blow by a logarithm", "1000 N * pulse(log(t/(1 s)), log(5), log(5.001))",
          0.5 * (10 - 5.0005), 1e-9, 1e-10);
  blow_by("blow by a table", "if(interp(t, 0 s, 0, 5 s, 1, 10 s, 0) > 0.9999, 1000 N, 0 N)",
          0.5 * 5, 1e-9, 1e-9);
}

/* 2 rad/s: three times from 3.14 rad to half a revolution. */
static void a_blow_by_an_angle(void **state) {
  (void)state;
  double w = (M_PI - 3.14) / 2, exact = 0;
  for (int k = 1; k < 6; k += 2) exact += 500 * w * (10 - (k * M_PI / 2 - w / 2));
  blow_by("blow by an angle", "if(atan2(sin(2*t/(1 s)), cos(2*t/(1 s))) > 3.14, 1000 N, 0 N)",
          exact, 1e-6, 1e-6);
}

/* A curve for which range bounds give no information for seconds: (t - 5 s)^4 < 1e-6 s^4.  It must
 * be found by the error estimate, in time. */
static void a_blow_in_the_dim(void **state) {
  (void)state;
  blow_by(
      "blow by a flat curve",
      "if((t^4 - 20 s * t^3 + 150 s^2 * t^2 - 500 s^3 * t + 625 s^4)/(1 s^4) < 1e-6, 1000 N, 0 N)",
      500 * 2 * pow(1e-6, 0.25) * 5, 1e-3, 0);
}

/* 1 m/s^2 in alternating directions, every 0.15 s. */
static void a_square_wave(void **state) {
  (void)state;
  double x = 0, v = 0, a = 1;
  for (double t = 0; t < 10 - 1e-9; t += 0.15, a = -a) {
    double h = fmin(0.15, 10 - t);
    x += v * h + a * h * h / 2, v += a * h;
  }
  blow_by("square wave", "2 N * sign(sin(2*pi*t/(0.3 s)))", x, 1e-8, 1e-10);
}

/* Smooth loads without kinks, but of short duration. */
static void bulges(void **state) {
  (void)state;
  double wave = 3 * exp(lgamma(1001) - 2 * lgamma(501) - 1000 * log(2)); /* of one crest */
  blow_by("bell curve", "1000 N * exp(-((t - 5 s)/(10 ms))^2)", 500 * 0.01 * sqrt(M_PI) * 5, 1e-6,
          2e-4);
  blow_by("hyperbolic bulge", "1000 N / cosh((t - 5 s)/(1 ms))^2", 500 * 2e-3 * 5, 1e-6, 2e-4);
  blow_by("high power of a wave", "1000 N * sin(pi*t/(3 s))^1000", 500 * wave * (8.5 + 5.5 + 2.5),
          1e-5, 1e-3);
}

/* A body hits a stiff spring for 3 ms of 10 s, and returns with the same speed. */
static void a_blow_by_a_spring(void **state) {
  (void)state;
  run_blow(&(blow){"blow by a spring",
                   "bodies: {m: {type: point_mass, mass: 1 kg, velocity: [1 m/s, 0, 0]}}\n"
                   "forces: {l: {type: load, b: m, force: [\"-1e6 N/m * max(m.x - 5 m, 0 m)\","
                   " 0, 0]}}\n"
                   "analysis: {duration: 10 s}\n",
                   "m.x",
                   M_PI * 1e-3,
                   {2e-5, 5e-5}});
}

/* A constant load for more than a day: positions become so large that their round-off exceeds the
 * tolerance. */
static void a_load_for_long(void **state) {
  (void)state;
  vf_case c;
  vf_text(&c,
          "bodies: {m: {type: point_mass, mass: 2 kg}}\n"
          "forces: {l: {type: load, b: m, force: [\"if(t > 5 s, 1 N, 0 N)\", 0, 0]}}\n"
          "analysis: {duration: 1e5 s}\n");
  for (int i = 0; i < N_STEPPERS; i++) {
    vf_start(&c, &(hk_sim_options){.stepper = STEPPER[i]});
    vf_advance(&c, 1e5);
    vf_check("jumps", "load for more than a day", STEPPER[i], vf_value(&c, "m.x"),
             0.25 * (1e5 - 5) * (1e5 - 5), 1e-2, "closed form");
    assert_true(hk_sim_statistics(c.sim).steps < 500);
  }
  vf_close(&c);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_blow_at_rest),
      cmocka_unit_test(a_blow_while_turning),
      cmocka_unit_test(a_push_at_rest),
      cmocka_unit_test(a_wave_at_rest),
      cmocka_unit_test(a_load_at_half_time),
      cmocka_unit_test(blows_that_repeat_themselves),
      cmocka_unit_test(blows_by_curves_over_time),
      cmocka_unit_test(a_blow_by_an_angle),
      cmocka_unit_test(a_blow_in_the_dim),
      cmocka_unit_test(a_square_wave),
      cmocka_unit_test(bulges),
      cmocka_unit_test(a_load_for_long),
      cmocka_unit_test(a_blow_by_a_spring),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
