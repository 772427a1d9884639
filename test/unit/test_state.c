/* Differential states: rates integrated with the mechanism by every integrator that supports them,
 * in equilibrium, as first-order eigenvalues, with exact tangents. */
#include "linear_case.h"
#include "sim/sim.h"
#include <complex.h>

/* A first-order lag, y' = (1 m - y)/T, and a mass at rest. */
static const char LAG[] =
    "states: {y: {unit: m, start: 0, rate: (1 m - y)/0.2 s}}\n"
    "bodies: {m: {type: point_mass, mass: 1 kg}}\n"
    "analysis: {duration: 1 s, %s}\n";

/* A mass of 2 kg on a rail with a PID controller, under a wind load; the force acts through an
 * actuator with a lag, so that rate and force depend on each other. */
static const char PID[] =
    "parameters: {m: 2 kg, kp: 40 N/m, kd: 8 N*s/m, ki: 30 N/m/s, T: 50 ms}\n"
    "states:\n"
    "  e: {unit: m*s, rate: 1 m - cart.x}\n"
    "  f: {unit: N, rate: (u - f)/T, scale: 10 N}\n"
    "bodies: {cart: {type: point_mass, mass: m}}\n"
    "%s"
    "sensors: {u: {value: kp*(1 m - cart.x) - kd*cart.vx + ki*e}}\n"
    "forces:\n"
    "  drive: {type: load, b: cart, force: [f, 0, 0]}\n"
    "  wind: {type: load, b: cart, force: [-5 N, 0, 0]}\n"
    "analysis: {duration: 3 s, %s}\n";

static const char RAIL[] = "joints: {rail: {type: point_on_line, a: ground, b: cart, axis: x}}\n";

static hk_model *compile_text(const char *text) {
  char whole[4000];
  snprintf(whole, sizeof whole, "format: 1\n%s", text);
  return model_of(whole);
}

static double final_value(const char *text, double t, const char *channel) {
  hk_model *m = compile_text(text);
  hk_sim *s = sim_of(m, NULL);
  MUST(hk_sim_advance(s, t, err));
  double y = hk_sim_value(s, hk_model_channel_find(m, channel));
  hk_sim_destroy(s);
  hk_model_destroy(m);
  return y;
}

static void pid_rate(const double *x, double *d) {
  const double u = 40 * (1 - x[0]) - 8 * x[1] + 30 * x[2];
  d[0] = x[1], d[1] = (x[3] - 5) / 2, d[2] = 1 - x[0], d[3] = (u - x[3]) / 0.05;
}

/* The same equations by the classical Runge-Kutta method: x, v, e, f. */
static void pid_reference(double t, double *x) {
  const int n = 20000;
  double h = t / n, k[4][4], y[4];
  for (int i = 0; i < 4; i++) x[i] = 0;
  for (int step = 0; step < n; step++) {
    pid_rate(x, k[0]);
    for (int j = 1; j < 4; j++) {
      for (int i = 0; i < 4; i++) y[i] = x[i] + (j < 3 ? 0.5 : 1) * h * k[j - 1][i];
      pid_rate(y, k[j]);
    }
    for (int i = 0; i < 4; i++) x[i] += h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
  }
}

static void orders_are_two(void **state) {
  (void)state;
  static const char *const stepper[] = {"generalized_alpha", "trapezoidal", "moreau"};
  static const char *const channel[] = {"cart.x", "e", "f"};
  double exact[4];
  pid_reference(2, exact);
  const double wanted[] = {exact[0], exact[2], exact[3]};
  for (int k = 0; k < 3; k++) {
    char text[3000], analysis[100];
    double off[2];
    for (int fine = 0; fine < 2; fine++) {
      snprintf(analysis, sizeof analysis, "stepper: %s, step: %g ms", stepper[k], fine ? 2.5 : 5.0);
      snprintf(text, sizeof text, LAG, analysis);
      off[fine] = final_value(text, 0.3, "y") - (1 - exp(-0.3 / 0.2));
    }
    double order = log2(fabs(off[0] / off[1]));
    if (!(order > 1.85 && order < 2.3)) fail_msg("lag by %s: order %.3f", stepper[k], order);
    for (int c = 0; c < 3; c++) {
      for (int fine = 0; fine < 2; fine++) {
        snprintf(analysis, sizeof analysis, "stepper: %s, step: %g ms", stepper[k],
                 fine ? 2.5 : 5.0);
        snprintf(text, sizeof text, PID, k == 1 ? "" : RAIL, analysis);
        off[fine] = final_value(text, 2, channel[c]) - wanted[c];
      }
      order = log2(fabs(off[0] / off[1]));
      if (!(order > 1.85 && order < 2.3))
        fail_msg("%s by %s: order %.3f, %g and %g off", channel[c], stepper[k], order, off[0],
                 off[1]);
    }
  }
}

static void errors_are_controlled(void **state) {
  (void)state;
  static const char *const stepper[] = {"generalized_alpha", "trapezoidal", "bdf"};
  double exact[4];
  pid_reference(2, exact);
  for (int k = 0; k < 3; k++) {
    double off[2];
    for (int tight = 0; tight < 2; tight++) {
      char text[3000], analysis[100];
      snprintf(analysis, sizeof analysis, "stepper: %s, rtol: %g, atol: %g", stepper[k],
               tight ? 1e-8 : 1e-6, tight ? 1e-8 : 1e-6);
      snprintf(text, sizeof text, PID, k == 1 ? "" : RAIL, analysis);
      off[tight] = fmax(fabs(final_value(text, 2, "f") - exact[3]) / 10,
                        fabs(final_value(text, 2, "cart.x") - exact[0]));
    }
    if (!(off[0] < 1e-3 && off[1] < 5e-5 && off[1] < 0.3 * off[0]))
      fail_msg("%s is off by %g and %g", stepper[k], off[0], off[1]);
  }
}

/* States alone limit the step size too: a slow body and a fast state. */
static void a_state_alone_sets_the_steps(void **state) {
  (void)state;
  char text[2000];
  snprintf(text, sizeof text, LAG, "rtol: 1e-7, atol: 1e-7");
  double off = final_value(text, 0.4, "y") - (1 - exp(-2));
  if (!(fabs(off) < 2e-5)) fail_msg("off by %g", off);
  assert_near(final_value(text, 0.4, "y.rate"), 5 * exp(-2), 1e-4, "its rate");
}

static void stiff_states_are_damped(void **state) {
  (void)state;
  static const char *const stepper[] = {"generalized_alpha", "bdf"};
  for (int k = 0; k < 2; k++) {
    char text[1000];
    snprintf(text, sizeof text,
             "states: {y: {unit: m, rate: 1e6 1/s * (1 m * sin(t/1 s) - y)}}\n"
             "bodies: {m: {type: point_mass, mass: 1 kg}}\n"
             "analysis: {duration: 1 s, stepper: %s}\n",
             stepper[k]);
    hk_model *m = compile_text(text);
    hk_sim *s = sim_of(m, NULL);
    MUST(hk_sim_advance(s, 1, err));
    assert_near(hk_sim_value(s, hk_model_channel_find(m, "y")), sin(1), 1e-4, "%s", stepper[k]);
    if (hk_sim_statistics(s).steps > 2000)
      fail_msg("%s takes %ld steps", stepper[k], hk_sim_statistics(s).steps);
    hk_sim_destroy(s);
    hk_model_destroy(m);
  }
}

/* m T s^4 + m s^3 + kd s^2 + kp s + ki, by Newton's method from the computed eigenvalue. */
static void eigenvalues_are_those_of_the_polynomial(void **state) {
  (void)state;
  char text[3000];
  solution s;
  int n = snprintf(text, sizeof text, "format: 1\n");
  snprintf(text + n, sizeof text - (size_t)n, PID, RAIL, "rtol: 1e-6");
  at_rest(&s, text);
  assert_int_equal(s.modes.n, 4);
  for (int i = 0; i < s.modes.n; i++) {
    double complex z = s.modes.mode[i].re + I * s.modes.mode[i].im;
    double complex p = 0.1 * cpow(z, 4) + 2 * cpow(z, 3) + 8 * z * z + 40 * z + 30;
    double complex d = 0.4 * cpow(z, 3) + 6 * z * z + 16 * z + 40;
    if (!(cabs(p / d) < 1e-9 * cabs(z)))
      fail_msg("eigenvalue %g + %gi is off by %g", creal(z), cimag(z), cabs(p / d));
  }
  /* The integral part makes the equilibrium exact: x = 1, f = 5 N, e = f/ki. */
  hk_sim *sim = s.sim;
  assert_near(hk_sim_value(sim, hk_model_channel_find(s.model, "cart.x")), 1, 1e-9, "place");
  assert_near(hk_sim_value(sim, hk_model_channel_find(s.model, "e")), 5.0 / 30, 1e-9, "integral");
  assert_near(hk_sim_value(sim, hk_model_channel_find(s.model, "f")), 5, 1e-9, "force");
  release(&s);
}

/* K and C of strongly coupled rates against differences of the forces. */
static void tangents_are_exact(void **state) {
  (void)state;
  hk_model *m = compile_text(
      "states:\n"
      "  a: {start: 0.3, rate: 1 1/s * (sin(b) * cart.x/1 m - a^3 + 0.2*c.rate*1 s / 1 N) + "
      "exp(-t/1 s)/1 s}\n"
      "  b: {start: -0.4, scale: 3, rate: cart.vy/1 m * a + hinge.angle_rate*cos(b)/1 rad}\n"
      "  c: {start: 2 N, rate: (drive.length/1 m * 3 N - c*a)/1 s}\n"
      "bodies:\n"
      "  cart: {type: point_mass, mass: 2 kg, position: [0.3 m, 0.5 m, 0.2 m], velocity: [1 m/s, 2 "
      "m/s, 0]}\n"
      "  arm: {type: rod, length: 1 m, mass: 1 kg, position: [0.5 m, 0, 0]}\n"
      "joints: {hinge: {type: revolute, a: ground, b: arm, at: [0, 0, 0], axis: z}}\n"
      "forces:\n"
      "  drive: {type: spring_damper, a: arm.end, b: cart, stiffness: 10 N/m, length: 0.1 m}\n"
      "  push: {type: load, b: cart, force: [c*b, c*a^2, a*b*5 N]}\n"
      "analysis: {duration: 1 s}\n");
  hk_sim *s = sim_of(m, NULL);
  hk_system *sys;
  hk_error err = {0};
  int n = m->nv;
  assert_int_equal(hk_system_create(m, s->kept, true, HK_SOLVER_KLU, &sys, &err), HK_OK);
  double *q = calloc((size_t)m->nq, sizeof *q), *v = calloc((size_t)n, sizeof *v),
         *e = calloc((size_t)n, sizeof *e), *column = calloc((size_t)n, sizeof *column),
         *f[2] = {calloc((size_t)n, sizeof *q), calloc((size_t)n, sizeof *q)};
  for (int part = 0; part < 2; part++)
    for (int j = 0; j < n; j++) {
      const double h = 1e-6;
      for (int side = 0; side < 2; side++) {
        double step = side ? h : -h;
        hk_instant in = hk_instant_at(m, s->x);
        for (int i = 0; i < n; i++) e[i] = i == j ? step : 0;
        memcpy(q, in.q, (size_t)m->nq * sizeof *q);
        memcpy(v, in.v, (size_t)n * sizeof *v);
        if (part == 0) hk_configuration_add(m, q, e, q);
        if (part == 1) v[j] += step;
        in.q = q, in.v = v;
        hk_kinematics(s->work, &in, HK_FRAMES_ALL);
        assert_int_equal(hk_forces(s->work, &in), HK_OK);
        memcpy(f[side], s->work->f, (size_t)n * sizeof *q);
      }
      hk_instant in = hk_instant_at(m, s->x);
      const hk_coefficients c = {.cC = part, .cK = !part};
      hk_kinematics(s->work, &in, HK_FRAMES_ALL);
      hk_constraints(s->work, &in);
      hk_forces(s->work, &in);
      double *lambda = calloc((size_t)m->nc + 1, sizeof *lambda);
      in.lambda = lambda;
      assert_int_equal(hk_assemble(sys, s->work, &c, &in), HK_OK);
      for (int i = 0; i < n; i++) e[i] = i == j;
      hk_system_node_multiply(sys, e, column);
      for (int i = 0; i < n; i++)
        assert_near(column[i], -(f[1][i] - f[0][i]) / (2 * h), 1e-7, "%s, row %d, column %d",
                    part ? "C" : "K", i, j);
      free(lambda);
    }
  free(q), free(v), free(e), free(column), free(f[0]), free(f[1]);
  hk_system_destroy(sys);
  hk_sim_destroy(s);
  hk_model_destroy(m);
}

static void states_are_state(void **state) {
  (void)state;
  static const char *const stepper[] = {"generalized_alpha", "bdf", "moreau, step: 2 ms"};
  for (int k = 0; k < 3; k++) {
    char text[3000], analysis[100];
    snprintf(analysis, sizeof analysis, "stepper: %s", stepper[k]);
    snprintf(text, sizeof text, PID, RAIL, analysis);
    hk_model *m = compile_text(text);
    hk_sim *a = sim_of(m, NULL), *b = sim_of(m, NULL);
    MUST(hk_sim_advance(a, 0.7, err));
    size_t n = hk_sim_state_size(a);
    void *x = malloc(n), *y = malloc(n);
    hk_sim_state_get(a, x);
    hk_sim_state_set(b, x);
    MUST(hk_sim_advance(a, 1.5, err));
    MUST(hk_sim_advance(b, 1.5, err));
    hk_sim_state_get(a, x);
    hk_sim_state_get(b, y);
    assert_memory_equal(x, y, n);
    double energy = hk_sim_value(a, hk_model_channel_find(m, "energy.balance_error"));
    if (!(fabs(energy) < 0.05)) fail_msg("%s: energy is off by %g J", stepper[k], energy);
    free(x);
    free(y);
    hk_sim_destroy(a);
    hk_sim_destroy(b);
    hk_model_destroy(m);
  }
}

static void assert_state_refused(const char *body, const char *why) {
  char text[2000];
  hk_diag diag;
  hk_diag_init(&diag);
  int n = snprintf(text, sizeof text, "format: 1\nbodies: {m: {type: point_mass, mass: 1 kg}}\n%s",
                   body);
  hk_spec *spec = hk_model_text_read("m.yaml", text, (size_t)n, NULL, 0, &diag);
  hk_model *m = spec ? hk_model_compile(spec, &diag) : NULL;
  hk_error err = {0};
  hk_sim *s = NULL;
  bool found = m && hk_sim_create(m, NULL, &s, &diag, &err) && strstr(err.text, why);
  for (int i = 0; i < diag.n; i++) found = found || strstr(diag.message[i].text, why);
  if (!found)
    fail_msg("%s does not say '%s' but '%s'", body, why, diag.n ? diag.message[0].text : err.text);
  hk_sim_destroy(s);
  hk_model_destroy(m);
  hk_diag_free(&diag);
}

static void bad_states_are_refused(void **state) {
  (void)state;
  assert_state_refused("states: {z: {unit: m, rate: 1 m}}\n",
                       "rate of state 'z' needs another unit");
  assert_state_refused("states: {z: {unit: m}}\n", "state 'z' needs 'rate'");
  assert_state_refused("states: {z: {start: 1, rate: 2 N/s}}\n", "rate of state 'z'");
  assert_state_refused("states: {z: {unit: m, rate: 0, scale: 2 s}}\n", "its scale must be");
  assert_state_refused("states: {z: {unit: m, rate: 0, scale: 0 m}}\n", "its scale must be");
  assert_state_refused("states: {z: {start: m.x, rate: 0}}\n", "it may use parameters");
  assert_state_refused("states: {z: {unit: m, rate: m.ax*1 s}}\n",
                       "can be recorded but not used");
  assert_state_refused("states: {a: {rate: b.rate + 1 1/s}, b: {rate: a.rate}}\n", "in a cycle");
  assert_state_refused(
      "states: {z: {rate: -z/1 s}}\nanalysis: {duration: 1 s, stepper: event_driven}\n",
      "cannot integrate states such as 'z'");
  assert_state_refused(
      "states: {z: {rate: -z/1 s}}\njoints: {j: {type: spherical, a: ground, b: z}}\n", "z");
}

/* A pressure that rises from zero to 1e5 Pa: its error is relative to its scale, so that the steps
 * do not resolve single pascals. */
static void large_numbers_from_zero(void **state) {
  (void)state;
  hk_model *m = compile_text(
      "states: {p: {unit: Pa, rate: (1e5 Pa - p)/0.1 s}}\n"
      "bodies: {m: {type: point_mass, mass: 1 kg}}\n"
      "forces: {push: {type: load, b: m, force: [p*(1e-4 m^2), 0, 0]}}\n");
  hk_sim *s = sim_of(m, NULL);
  hk_error err = {0};
  assert_int_equal(hk_sim_advance(s, 1, &err), HK_OK);
  assert_true(hk_sim_statistics(s).steps < 3000);
  double p = hk_sim_value(s, hk_model_channel_find(m, "p")), exact = 1e5 * -expm1(-10);
  assert_true(fabs(p - exact) < 1e-6 * exact);
  hk_sim_destroy(s);
  hk_model_destroy(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(orders_are_two),
      cmocka_unit_test(errors_are_controlled),
      cmocka_unit_test(a_state_alone_sets_the_steps),
      cmocka_unit_test(stiff_states_are_damped),
      cmocka_unit_test(eigenvalues_are_those_of_the_polynomial),
      cmocka_unit_test(tangents_are_exact),
      cmocka_unit_test(states_are_state),
      cmocka_unit_test(bad_states_are_refused),
      cmocka_unit_test(large_numbers_from_zero),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
