/* Branches of periodic orbits against references: fourth-order Runge-Kutta with variational equations, by an independent
 * program. */
#include "support/check.h"
#include <hooke/nonlinear.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* x'' + 0.1 x' + x + x^3 = 0.2 cos(omega t) */
static hk_status hard(void *context, double value, hk_model **m, hk_periodic_options *o,
                      hk_error *err) {
  char text[800];
  (void)context;
  (void)err;
  snprintf(text, sizeof text,
           "format: 1\n"
           "parameters: {w: %.17g rad/s}\n"
           "bodies: {m: {type: rotor, inertia: 1 kg*m^2}}\n"
           "forces:\n"
           "  f: {type: actuator, coordinate: m.angle, force: (0.2*cos(w*t) - 0.1*m.angle_rate/(1 "
           "rad/s) - "
           "m.angle/(1 rad) - (m.angle/(1 rad))^3) * 1 N*m}\n"
           "analysis: {duration: 10 s, step: 5 ms, rtol: 1e-8, atol: 1e-10}\n",
           value);
  *m = model_of(text);
  o->period = 2 * M_PI / value;
  return HK_OK;
}

/* x'' + 0.3 x' - x + x^3 = F cos(1.2 t) */
static hk_status wells(void *context, double value, hk_model **m, hk_periodic_options *o,
                       hk_error *err) {
  char text[800];
  (void)context;
  (void)err;
  snprintf(text, sizeof text,
           "format: 1\n"
           "bodies: {m: {type: rotor, inertia: 1 kg*m^2, angle: 1 rad}}\n"
           "forces:\n"
           "  f: {type: actuator, coordinate: m.angle, force: (%.17g*cos(1.2*t/(1 s)) - "
           "0.3*m.angle_rate/(1 rad/s) + "
           "m.angle/(1 rad) - (m.angle/(1 rad))^3) * 1 N*m}\n"
           "analysis: {duration: 10 s, step: 5 ms, rtol: 1e-8, atol: 1e-10}\n",
           value);
  *m = model_of(text);
  o->period = 2 * M_PI / 1.2;
  return HK_OK;
}

/* Jeffcott rotor with internal damping, on a planar joint with a prescribed spin. */
static hk_status rotor(void *context, double value, hk_model **m, hk_periodic_options *o,
                       hk_error *err) {
  char text[1200];
  (void)context;
  (void)err;
  snprintf(text, sizeof text,
           "format: 1\n"
           "parameters: {W: %.17g rad/s}\n"
           "bodies:\n"
           "  disc: {mass: 1 kg, inertia: [1 kg*m^2, 1 kg*m^2, 2 kg*m^2], center_of_mass: [0.1 m, "
           "0, 0], angular_velocity: [0, 0, W]}\n"
           "joints: {plane: {type: planar, b: disc}}\n"
           "motions: {spin: {coordinate: plane.angle, value: W*t}}\n"
           "forces:\n"
           "  support:\n"
           "    type: load\n"
           "    b: disc\n"
           "    force:\n"
           "      - -1 N/m * disc.x - 0.15 N*s/m * disc.vx - 0.1 N*s/m * W/(1 rad) * disc.y\n"
           "      - -1 N/m * disc.y - 0.15 N*s/m * disc.vy + 0.1 N*s/m * W/(1 rad) * disc.x\n"
           "      - 0 N\n"
           "analysis: {duration: 100 s, step: 10 ms, rtol: 1e-8, atol: 1e-10}\n",
           value);
  *m = model_of(text);
  o->period = 2 * M_PI / value;
  return HK_OK;
}

/* Two equations: y'' + y' + y = cos t, and x'' + 0.5 x' + (1 - p) x + x^3 = 0, whose orbit x = 0 has a pitchfork at p = 1. */
static hk_status pitchfork(void *context, double value, hk_model **m, hk_periodic_options *o,
                           hk_error *err) {
  char text[1000];
  (void)context;
  (void)err;
  snprintf(text, sizeof text,
           "format: 1\n"
           "bodies: {x: {type: rotor, inertia: 1 kg*m^2}, y: {type: rotor, inertia: 1 kg*m^2}}\n"
           "forces:\n"
           "  f: {type: actuator, coordinate: x.angle, force: (-0.5*x.angle_rate/(1 rad/s) - (1 - "
           "%.17g)*x.angle/(1 rad) - (x.angle/(1 rad))^3) * 1 N*m}\n"
           "  g: {type: actuator, coordinate: y.angle, force: (cos(t*1 rad/s) - y.angle_rate/(1 "
           "rad/s) - y.angle/(1 rad)) * 1 N*m}\n"
           "analysis: {duration: 10 s, step: 20 ms, rtol: 1e-8, atol: 1e-10}\n",
           value);
  *m = model_of(text);
  o->period = 2 * M_PI;
  return HK_OK;
}

/* x'' = -w^2 x + (p + 2 E - E^2) x' with E = x^2 + x'^2/w^2 and w = 2 + p.  Limit cycles are x = sqrt(E) cos(w t) with
 * E = 1 +- sqrt(1 + p): a fold at p = -1.  Multiplier exp((2 - 2 E) E T). */
static hk_status cycle(void *context, double value, hk_model **m, hk_periodic_options *o,
                       hk_error *err) {
  char text[1000], energy[] = "((m.angle/(1 rad))^2 + (m.angle_rate/(w*1 rad/s))^2)";
  (void)context;
  (void)err;
  snprintf(text, sizeof text,
           "format: 1\n"
           "parameters: {p: %.17g, w: 2 + p}\n"
           "bodies: {m: {type: rotor, inertia: 1 kg*m^2, angle: 1.3 rad}}\n"
           "forces:\n"
           "  f: {type: actuator, coordinate: m.angle, force: (-w^2*m.angle/(1 rad) + (p + 2*%s - "
           "%s^2)*m.angle_rate/(1 rad/s)) * 1 N*m}\n"
           "analysis: {duration: 100 s, step: 5 ms, rtol: 1e-8, atol: 1e-10}\n",
           value, energy, energy);
  *m = model_of(text);
  o->unknown = true;
  o->turn = hk_model_channel_find(*m, "m.angle");
  o->period = 2 * M_PI / (2 + value);
  return HK_OK;
}

/* The hardening oscillator at omega = 1.4 with the force 0.2 - s^2: the two larger orbits form a closed branch about s = 0. */
static hk_status isola(void *context, double value, hk_model **m, hk_periodic_options *o,
                       hk_error *err) {
  char text[800];
  (void)context;
  (void)err;
  snprintf(text, sizeof text,
           "format: 1\n"
           "bodies: {m: {type: rotor, inertia: 1 kg*m^2, angle: 1.1 rad}}\n"
           "forces:\n"
           "  f: {type: actuator, coordinate: m.angle, force: ((0.2 - (%.17g)^2)*cos(1.4*t/(1 s)) "
           "- 0.1*m.angle_rate/(1 rad/s) - m.angle/(1 rad) - (m.angle/(1 rad))^3) * 1 N*m}\n"
           "analysis: {duration: 10 s, step: 10 ms, rtol: 1e-8, atol: 1e-10}\n",
           value);
  *m = model_of(text);
  o->period = 2 * M_PI / 1.4;
  return HK_OK;
}

static hk_orbit_branch follow(hk_branch_options o) {
  hk_orbit_branch b;
  hk_error err = {0};
  if (hk_branch_run(&o, &b, NULL, &err)) fail_msg("%s", err.text);
  for (int i = 0; i < b.n; i++)
    if (b.point[i].special)
      print_message("%s at %.8f of %d points\n", hk_special_name(b.point[i].special),
                    b.point[i].value, b.n);
  print_message("end %d %s, %ld periods\n", b.end, b.why, b.runs);
  return b;
}

static void folds(void **state) {
  (void)state;
  hk_orbit_branch b = follow((hk_branch_options){
      .orbit = &(hk_periodic_options){0}, .first = 1, .last = 2, .points = 31, .model = hard});
  const double at[] = {1.522448029, 1.2520149591};
  int n = 0, unstable = 0;
  assert_int_equal(b.end, HK_BRANCH_REACHED);
  assert_true(b.point[b.n - 1].value == 2);
  for (int i = 0; i < b.n; i++) {
    if (b.point[i].special == HK_ORDINARY) {
      assert_int_equal(b.point[i].orbit.stability, n == 1 ? HK_UNSTABLE : HK_STABLE);
      unstable += n == 1;
      continue;
    }
    assert_int_equal(b.point[i].special, HK_FOLD);
    assert_true(n < 2);
    assert_near(b.point[i].value, at[n++], 1e-5, "fold");
    assert_near(b.point[i].orbit.re[0], 1, 1e-3, "multiplier at a fold");
  }
  assert_int_equal(n, 2);
  assert_true(unstable > 3);
  hk_branch_free(&b);
}

static void flip(void **state) {
  (void)state;
  hk_orbit_branch b = follow((hk_branch_options){
      .orbit = &(hk_periodic_options){0}, .first = 0.2, .last = 0.27, .points = 8, .model = wells});
  int n = 0;
  for (int i = 0; i < b.n; i++)
    if (b.point[i].special && n++ == 0) {
      assert_int_equal(b.point[i].special, HK_FLIP);
      assert_near(b.point[i].value, 0.2655817861, 1e-5, "flip");
    }
  assert_int_equal(n, 1);
  assert_int_equal(b.point[b.n - 1].orbit.stability, HK_UNSTABLE);
  hk_branch_free(&b);
}

/* The only special point of a branch. */
static const hk_branch_point *only_one(const hk_orbit_branch *b, hk_special special) {
  const hk_branch_point *found = NULL;
  for (int i = 0; i < b->n; i++)
    if (b->point[i].special) {
      assert_null(found);
      found = &b->point[i];
    }
  assert_non_null(found);
  assert_int_equal(found->special, special);
  assert_true(found->located);
  return found;
}

static void neimark(void **state) {
  (void)state;
  hk_orbit_branch b = follow((hk_branch_options){
      .orbit = &(hk_periodic_options){0}, .first = 1.2, .last = 1.8, .points = 7, .model = rotor});
  const hk_branch_point *p = only_one(&b, HK_NEIMARK);
  assert_near(p->value, 1.5, 2e-5, "W = 1 + c / ci");
  assert_near(p->orbit.re[0], -0.5, 1e-4, "real part of the multiplier");
  assert_near(fabs(p->orbit.im[0]), 0.8660254, 1e-4, "imaginary part");
  assert_int_equal(b.end, HK_BRANCH_REACHED);
  assert_int_equal(b.point[0].orbit.stability, HK_STABLE);
  assert_int_equal(b.point[b.n - 1].orbit.stability, HK_UNSTABLE);
  hk_branch_free(&b);
}

static void branch_point(void **state) {
  (void)state;
  hk_orbit_branch b = follow((hk_branch_options){.orbit = &(hk_periodic_options){0},
                                                 .first = 0.5,
                                                 .last = 1.4,
                                                 .points = 8,
                                                 .model = pitchfork});
  assert_near(only_one(&b, HK_BRANCH_POINT)->value, 1, 1e-6, "branch point");
  assert_int_equal(b.end, HK_BRANCH_REACHED);
  hk_branch_free(&b);
}

static void limit_cycles(void **state) {
  (void)state;
  hk_orbit_branch b = follow((hk_branch_options){.orbit = &(hk_periodic_options){0},
                                                 .first = -0.5,
                                                 .last = -1.5,
                                                 .points = 15,
                                                 .model = cycle});
  assert_near(only_one(&b, HK_FOLD)->value, -1, 1e-4, "fold of limit cycles");
  assert_int_equal(b.end, HK_BRANCH_BACK);
  double way = 1;
  for (int i = 0; i < b.n; i++) {
    const hk_branch_point *p = &b.point[i];
    double T = 2 * M_PI / (2 + p->value), E = 1 + way * sqrt(fmax(0, 1 + p->value));
    assert_near(p->orbit.period, T, 1e-4 * T, "period at %g", p->value);
    if (p->special)
      way = -1;
    else
      assert_near(log(p->orbit.re[0]), (2 - 2 * E) * E * T, 2e-2, "multiplier at %g", p->value);
  }
  assert_int_equal(b.point[b.n - 1].orbit.stability, HK_UNSTABLE);
  hk_branch_free(&b);
}

static void closed_branch(void **state) {
  (void)state;
  const double start = 0;
  hk_orbit_branch b = follow((hk_branch_options){.orbit = &(hk_periodic_options){0},
                                                 .first = -1,
                                                 .last = 1,
                                                 .points = 41,
                                                 .model = isola,
                                                 .start = &start});
  double at[2];
  int n = 0;
  assert_int_equal(b.end, HK_BRANCH_CLOSED);
  for (int i = 0; i < b.n; i++)
    if (b.point[i].special == HK_FOLD && n < 2) at[n++] = b.point[i].value;
  assert_int_equal(n, 2);
  assert_near(at[0], -at[1], 1e-5, "the branch is symmetric");
  hk_branch_free(&b);
}

static void mistakes(void **state) {
  (void)state;
  hk_orbit_branch b;
  hk_error err = {0};
  const hk_periodic_options orbit = {0};
  assert_int_equal(
      hk_branch_run(&(hk_branch_options){.orbit = &orbit, .first = 1, .last = 1, .model = hard}, &b,
                    NULL, &err),
      HK_EINPUT);
  hk_branch_free(&b);
  assert_int_equal(
      hk_branch_run(&(hk_branch_options){.orbit = &orbit, .first = 1, .last = 2}, &b, NULL, &err),
      HK_EINPUT);
  hk_branch_free(&b);
  assert_int_equal(hk_branch_run(NULL, &b, NULL, &err), HK_EINPUT);
  assert_int_equal(hk_branch_run(NULL, &b, NULL, NULL), HK_EINPUT);
  assert_int_equal(
      hk_branch_run(&(hk_branch_options){.first = 1, .last = 2, .model = hard}, &b, NULL, &err),
      HK_EINPUT);
  assert_int_equal(
      hk_branch_run(
          &(hk_branch_options){
              .orbit = &orbit, .first = 1, .last = 2, .start = &(double){3}, .model = hard},
          &b, NULL, &err),
      HK_EINPUT);
  assert_non_null(strstr(err.text, "between 1 and 2"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(folds),        cmocka_unit_test(flip),
      cmocka_unit_test(neimark),      cmocka_unit_test(branch_point),
      cmocka_unit_test(limit_cycles), cmocka_unit_test(closed_branch),
      cmocka_unit_test(mistakes)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
