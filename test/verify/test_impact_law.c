/* A row of touching balls that is hit: the meaning of `impact: simultaneous` and `impact: sequential`, for
 * every integrator that supports impacts.  With sequential the result is that of Newton's cradle: as
 * many balls leave as arrived. */
#include "verify.h"

static const char TABLE[] = "impact_law";

enum { MOST = 5 };

static const struct {
  const char *stepper;
  double step, tolerance;
} STEPPER[] = {
    {"moreau", 1e-3, 1e-12}, {"event_driven", 0, 1e-12}, {"nonsmooth_alpha", 1e-3, 1e-12}};

/* `moving` balls at 1 m/s towards the rest of n; all touch, except at the gap between the two
 * groups. */
static void row_of_balls(vf_case *k, int n, int moving, const char *impact, double e) {
  char text[4000];
  int at = snprintf(text, sizeof text, "bodies:\n");
  for (int i = 0; i < n; i++)
    at += snprintf(text + at, sizeof text - (size_t)at,
                   "  b%d: {type: sphere, radius: 1 cm, mass: 1 kg, position: [%g m, 0, 0], "
                   "velocity: [%d m/s, 0, 0]}\n",
                   i, 0.02 * i - (i < moving ? 0.0105 : 0), i < moving);
  at +=
      snprintf(text + at, sizeof text - (size_t)at,
               "laws:\n  steel: {type: signorini, restitution_normal: %g, impact: %s}\ncontacts:\n",
               e, impact);
  for (int i = 0; i + 1 < n; i++)
    at += snprintf(text + at, sizeof text - (size_t)at,
                   "  c%d: {type: sphere_on_sphere, a: b%d, b: b%d, law: steel, radius_a: 1 cm, "
                   "radius_b: 1 cm}\n",
                   i, i, i + 1);
  vf_text(k, "%s", text);
}

static void velocities(vf_case *k, int n, double *v) {
  for (int i = 0; i < n; i++) {
    const char name[] = {'b', (char)('0' + i), '.', 'v', 'x', 0};
    v[i] = vf_value(k, name);
  }
}

static void as_many_leave_as_came(void **state) {
  (void)state;
  for (size_t s = 0; s < sizeof STEPPER / sizeof *STEPPER; s++)
    for (int moving = 1; moving <= 3; moving++) {
      double v[MOST];
      vf_case k;
      row_of_balls(&k, MOST, moving, "sequential", 1);
      vf_start(&k, &(hk_sim_options){.stepper = STEPPER[s].stepper, .step = STEPPER[s].step});
      vf_advance(&k, 0.05);
      velocities(&k, MOST, v);
      for (int i = 0; i < MOST; i++)
        vf_check(TABLE, STEPPER[s].stepper, "ball of five, sequential", v[i], i >= MOST - moving,
                 STEPPER[s].tolerance, "experiment");
      assert_int_equal(vf_indicator(&k, HK_QUALITY_SIMULTANEOUS).count, 0);
      vf_close(&k);
    }
}

/* With simultaneous, no contact separates that did not approach: the row moves off as one body of four
 * balls. */
static void simultaneous_the_row_stays_together(void **state) {
  (void)state;
  for (size_t s = 1; s < sizeof STEPPER / sizeof *STEPPER; s++) {
    double v[MOST];
    vf_case k;
    row_of_balls(&k, MOST, 1, "simultaneous", 1);
    vf_start(&k, &(hk_sim_options){.stepper = STEPPER[s].stepper, .step = STEPPER[s].step});
    vf_advance(&k, 0.05);
    velocities(&k, MOST, v);
    for (int i = 0; i < MOST; i++)
      vf_check(TABLE, STEPPER[s].stepper, "ball of five, at once", v[i], i ? 0.4 : -0.6, 1e-12,
               "one body of 4 kg");
    assert_true(vf_indicator(&k, HK_QUALITY_SIMULTANEOUS).count > 0);
    vf_close(&k);
  }
}

/* With losses: momentum is conserved, no contact approaches any more, and energy does not increase;
 * two balls alone follow Newton's law. */
static void sequential_with_losses(void **state) {
  (void)state;
  for (size_t s = 0; s < sizeof STEPPER / sizeof *STEPPER; s++)
    for (int n = 2; n <= MOST; n++) {
      const double e = 0.5;
      double v[MOST], p = 0, energy = 0;
      vf_case k;
      row_of_balls(&k, n, 1, "sequential", e);
      vf_start(&k, &(hk_sim_options){.stepper = STEPPER[s].stepper, .step = STEPPER[s].step});
      vf_advance(&k, 0.05);
      velocities(&k, n, v);
      for (int i = 0; i < n; i++) {
        p += v[i], energy += v[i] * v[i];
        assert_true(i == 0 || v[i] >= v[i - 1] - 1e-8);
      }
      vf_check(TABLE, STEPPER[s].stepper, "momentum", p, 1, 1e-12, "conserved");
      assert_true(energy <= 1);
      if (n == 2)
        vf_check(TABLE, STEPPER[s].stepper, "second of two, e = 0.5", v[1], 0.75, 1e-12, "Newton");
      if (n > 2) assert_true(v[n - 1] > pow(0.75, n - 1) - 1e-12);
      vf_check(TABLE, STEPPER[s].stepper, "balance of energy, J",
               vf_value(&k, "energy.balance_error"), 0, 1e-12, "ledger");
      vf_close(&k);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(as_many_leave_as_came),
      cmocka_unit_test(simultaneous_the_row_stays_together),
      cmocka_unit_test(sequential_with_losses),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
