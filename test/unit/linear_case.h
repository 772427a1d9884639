/* From the text of a model to its equilibrium, its linear equations and its modes, for the tests of
 * the linear analyses. */
#ifndef TEST_LINEAR_CASE_H
#define TEST_LINEAR_CASE_H
#include "support/check.h"
#include <hooke/linear.h>
#include <math.h>

static const char LEVEL[] =
    "format: 1\n"
    "bodies: {bob: {type: rod, length: 1 m, mass: 2 kg, position: [0.5 m, 0, 0]}}\n"
    "joints: {pin: {type: revolute, b: bob, at: [0, 0, 0], axis: z}}\n"
    "forces: {g: {type: gravity, acceleration: [0, -9.81 m/s^2, 0]}}\n";

/* k = 200 N/m, c = 3 N s/m, m = 2 kg on a rail. */
static const char OSCILLATOR[] =
    "format: 1\n"
    "bodies: {cart: {type: point_mass, mass: 2 kg, position: [1 m, 0, 0]}}\n"
    "joints: {rail: {type: point_on_line, b: cart, axis: x}}\n"
    "forces:\n"
    "  spring: {type: spring_damper, b: cart, stiffness: 200 N/m, damping: 3 N*s/m, length: 1 m}\n"
    "  push: {type: load, b: cart, force: [0 N, 0 N, 0 N]}\n"
    "sensors: {way: {value: cart.x - 1 m}, speed: {value: cart.vx}}\n";

typedef struct solution {
  hk_model *model;
  hk_sim *sim;
  hk_static_report at;
  hk_linear *linear;
  hk_modes modes;
  hk_error err;
} solution;

static inline void release(solution *s) {
  hk_modes_free(&s->modes);
  hk_linear_destroy(s->linear);
  hk_sim_destroy(s->sim);
  hk_model_destroy(s->model);
}

static inline hk_status try_static(solution *s, const char *text, bool as_placed) {
  *s = (solution){.model = model_of(text)};
  const hk_static_options o = {.as_placed = as_placed};
  return hk_static_solve(s->model, &o, &s->sim, &s->at, NULL, &s->err);
}

static inline void linearise(solution *s, int dense_limit, const hk_modes_options *o) {
  const hk_linear_options l = {.dense_limit = dense_limit};
  if (hk_linear_create(s->sim, &l, &s->linear, NULL, &s->err)) fail_msg("%s", s->err.text);
  if (hk_modes_solve(s->linear, o, &s->modes, &s->err)) fail_msg("%s", s->err.text);
}

static inline void at_rest(solution *s, const char *text) {
  if (try_static(s, text, false)) fail_msg("%s", s->err.text);
  linearise(s, 0, NULL);
}

/* Starts with the velocities of the file. */
static inline void in_motion(solution *s, const char *text) {
  *s = (solution){.model = model_of(text)};
  s->sim = sim_of(s->model, NULL);
}

static inline int find(const solution *s, double re, double im, double tolerance) {
  int n = 0;
  for (int i = 0; i < s->modes.n; i++)
    n += hypot(s->modes.mode[i].re - re, s->modes.mode[i].im - im) <= tolerance;
  return n;
}

static inline void assert_has(const solution *s, double re, double im, int times) {
  double tolerance = 1e-9 * (1 + hypot(re, im));
  int n = find(s, re, im, tolerance);
  if (n == times) return;
  for (int i = 0; i < s->modes.n; i++)
    print_error("%.12g %+.12gi\n", s->modes.mode[i].re, s->modes.mode[i].im);
  fail_msg("eigenvalue %.12g %+.12gi found %d times, expected %d", re, im, n, times);
}

static inline void assert_refused(solution *s, const char *word, const char *other) {
  hk_status status = hk_linear_create(s->sim, NULL, &s->linear, NULL, &s->err);
  if (!status) fail_msg("linearised without a word");
  assert_int_equal(status, HK_EINPUT);
  if (!strstr(s->err.text, word) || !strstr(s->err.text, other)) fail_msg("%s", s->err.text);
  release(s);
}
#endif
