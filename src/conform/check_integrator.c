/* Tests of an integrator on small models of every kind that it supports: its order, its error relative to the
 * tolerance, its values between steps, and the continuation from a saved state. Another test checks that steps do not
 * allocate memory. */
#include "conform/checks.h"
#include "sim/sim.h"
#include <hooke/model_file.h>
#include <stdio.h>
#include <string.h>

/* Test models; every integrator simulates those that it supports for half a second. */
static const struct {
  const char *name, *text;
} MODEL[] = {
    {"mass on springs",
     "format: 1\n"
     "bodies:\n"
     "  ball: {type: point_mass, mass: 1 kg, position: [0.1 m, 0, 0.05 m]}\n"
     "  other: {type: point_mass, mass: 0.5 kg, position: [0.5 m, 0.3 m, 0.1 m]}\n"
     "forces:\n"
     "  near: {type: spring_damper, a: ground, b: ball, stiffness: 40 N/m, length: 0.2 m,"
     " damping: 0.5 N*s/m}\n"
     "  far: {type: spring_damper, a: ball, b: other, stiffness: 60 N/m, length: 0.4 m}\n"},
    {"free body",
     "format: 1\n"
     "bodies: {top: {type: box, size: [0.1 m, 0.2 m, 0.3 m], mass: 1 kg,"
     " angular_velocity: [1 rad/s, 6 rad/s, 0.5 rad/s]}}\n"},
    {"pendulum",
     "format: 1\n"
     "bodies: {arm: {type: rod, length: 1 m, mass: 1 kg, position: [0.5 m, 0, 0]}}\n"
     "joints: {hinge: {type: revolute, b: arm, at: [0, 0, 0], axis: y}}\n"
     "forces: {weight: {type: gravity, acceleration: [0, 0, -9.81 m/s^2]}}\n"},
    {"double pendulum in space",
     "format: 1\n"
     "bodies:\n"
     "  upper: {type: rod, length: 0.4 m, mass: 1 kg, position: [0.2 m, 0, 0], angular_velocity: "
     "[0, 0, 2 rad/s],"
     " velocity: [0, 0.4 m/s, 0]}\n"
     "  lower: {type: box, size: [0.3 m, 0.1 m, 0.05 m], mass: 0.5 kg, position: [0.55 m, 0, 0],"
     " angular_velocity: [0, 0, 2 rad/s], velocity: [0, 1.1 m/s, 0]}\n"
     "joints:\n"
     "  top: {type: spherical, b: upper, at: [0, 0, 0]}\n"
     "  middle: {type: universal, a: upper, b: lower, at: [0.4 m, 0, 0], axis: y}\n"
     "forces: {weight: {type: gravity, acceleration: [0, 0, -9.81 m/s^2]}}\n"},
};
enum { N_MODELS = sizeof MODEL / sizeof *MODEL };
static const char ANALYSIS[] = "analysis: {type: dynamics, duration: 0.5 s}\n";
static const double END = 0.5;

static void destroy_model(void *m) { hk_model_destroy(m); }
static void destroy_sim(void *s) { hk_sim_destroy(s); }

static hk_model *model_of(hk_trial *t, int i) {
  char text[2000];
  hk_diag diag;
  snprintf(text, sizeof text, "%s%s", MODEL[i].text, ANALYSIS);
  hk_diag_init(&diag);
  hk_spec *spec =
      hk_model_text_read_with(t->types, MODEL[i].name, text, strlen(text), NULL, 0, &diag);
  hk_model *m = spec ? hk_model_compile(spec, &diag) : NULL;
  char first[300] = "";
  if (!m && diag.n > 0) snprintf(first, sizeof first, "%s", diag.message[0].text);
  hk_diag_free(&diag);
  if (!m) hk_trial_fail(t, "%s: %s", MODEL[i].name, first);
  hk_trial_keep(t, m, destroy_model);
  return m;
}

static hk_sim *sim_of(hk_trial *t, const hk_model *m, const hk_sim_options *o) {
  hk_sim *s = NULL;
  hk_error err = {0};
  if (hk_sim_create(m, o, &s, NULL, &err)) hk_trial_fail(t, "%s", err.text);
  hk_trial_keep(t, s, destroy_sim);
  return s;
}

static const hk_integrator *integrator_of(const hk_trial *t) { return t->type->ops; }
static bool can(const hk_trial *t, unsigned what) { return (integrator_of(t)->can & what) != 0; }

/* The next model that the integrator supports; NULL after the last one. */
static hk_model *next_model(hk_trial *t, int *i) {
  while (*i < N_MODELS) {
    hk_model *m = model_of(t, (*i)++);
    const hk_integrator *k = integrator_of(t);
    if (!k->supports || k->supports(m, NULL) == HK_OK) return m;
  }
  return NULL;
}

/* Default options; integrators without step control get a fixed step. */
static hk_sim_options usual(const hk_trial *t) {
  return (hk_sim_options){.stepper = t->type->name, .step = can(t, HK_ADAPTIVE) ? 0 : 1e-3};
}

/* Largest difference of positions and velocities, in metres and metres per second. */
static double off(const hk_model *m, const double *x, const double *y) {
  double most = 0;
  for (int i = 0; i < m->nq; i++) most = fmax(most, fabs(x[m->at.q + i] - y[m->at.q + i]));
  for (int i = 0; i < m->nv; i++) most = fmax(most, fabs(x[m->at.v + i] - y[m->at.v + i]));
  return most;
}

/* Reference state after half a second, computed by another method, and its uncertainty: the difference from a run
 * with ten times the tolerance, plus round-off. */
typedef struct truth {
  const double *x;
  double floor;
} truth;

static const double *end_of(hk_trial *t, const hk_model *m, const hk_sim_options *o) {
  hk_sim *s = sim_of(t, m, o);
  hk_error err = {0};
  if (hk_sim_advance(s, END, &err)) hk_trial_fail(t, "%s", err.text);
  return s->x;
}

static truth find_truth(hk_trial *t, const hk_model *m) {
  static const double round_off = 1e-10;
  const char *method = strcmp(t->type->name, "adams") == 0 ? "bdf" : "adams";
  truth k = {.x = end_of(t, m, &(hk_sim_options){.stepper = method, .rtol = 1e-13, .atol = 1e-15})};
  const double *near =
      end_of(t, m, &(hk_sim_options){.stepper = method, .rtol = 1e-12, .atol = 1e-14});
  k.floor = fmax(round_off, 3 * off(m, k.x, near));
  return k;
}

static double error_with(hk_trial *t, const hk_model *m, const hk_sim_options *o,
                         const double *true_x) {
  hk_sim *s = sim_of(t, m, o);
  hk_error err = {0};
  if (hk_sim_advance(s, END, &err)) hk_trial_fail(t, "%s", err.text);
  double e = off(m, s->x, true_x);
  hk_trial_drop(t, s);
  return e;
}

void hk_check_order(hk_trial *t) {
  if (can(t, HK_ADAPTIVE_ONLY))
    hk_trial_not_meant(t, "it chooses order and length of its steps itself");
  hk_model *m;
  for (int i = 0; (m = next_model(t, &i));) {
    const truth k = find_truth(t, m);
    double e[4], h = END / 128, slope = 0;
    int n = 0;
    for (; n < 4; n++, h /= 2) {
      e[n] = error_with(t, m, &(hk_sim_options){.stepper = t->type->name, .step = h}, k.x);
      if (!(e[n] > k.floor)) break;
      if (n > 0) slope = log2(e[n - 1] / e[n]);
    }
    t->check->cases++;
    if (n < 2) continue;
    int order = integrator_of(t)->order;
    if (!(slope > order - 0.3))
      hk_trial_fail(t,
                    "stepper '%s' declares order %d, but model '%s' converges with order %.2f "
                    "(errors %.2g, %.2g)",
                    t->type->name, order, MODEL[i - 1].name, slope, e[n - 2], e[n - 1]);
    hk_trial_worst(t, order / slope);
    hk_trial_case(t);
  }
}

void hk_check_tolerance(hk_trial *t) {
  if (!can(t, HK_ADAPTIVE)) hk_trial_not_meant(t, "it takes steps of one length");
  hk_model *m;
  for (int i = 0; (m = next_model(t, &i));) {
    const truth k = find_truth(t, m);
    double before = 0;
    for (int decade = -4; decade >= -10; decade -= 2) {
      double rtol = pow(10, decade);
      double e = error_with(
          t, m, &(hk_sim_options){.stepper = t->type->name, .rtol = rtol, .atol = 0.01 * rtol},
          k.x);
      if (before > k.floor && e > k.floor && !(e < before / 3))
        hk_trial_fail(t,
                      "stepper '%s': '%s' has an error of %.2g with rtol %.0e, and of %.2g with a "
                      "hundredth of this rtol",
                      t->type->name, MODEL[i - 1].name, before, 100 * rtol, e);
      if (before > 0) hk_trial_worst(t, e > k.floor ? 3 * e / before : 0);
      before = e;
    }
    t->check->cases++;
    hk_trial_case(t);
  }
}

void hk_check_dense(hk_trial *t) {
  const hk_integrator *k = integrator_of(t);
  if (!k->dense) hk_trial_not_meant(t, "it has no values between steps");
  hk_model *m;
  for (int i = 0; (m = next_model(t, &i));) {
    const hk_sim_options o = usual(t);
    hk_sim *s = sim_of(t, m, &o);
    hk_error err = {0};
    double *x = hk_trial_room(t, (size_t)s->state_size, sizeof *x);
    /* The projection onto the constraints may move the end of a step away from the interpolating polynomial, but
     * not by more than the error of the step. */
    double allowed = 100 * hk_tolerance(s);
    for (int n = 0; n < 40; n++) {
      if (hk_sim_step(s, END, &err)) hk_trial_fail(t, "%s: %s", MODEL[i - 1].name, err.text);
      for (int end = 0; end < 2; end++) {
        const double *wanted = end ? s->x : s->x_next;
        k->dense(s, wanted[m->at.t], x);
        double e = off(m, x, wanted);
        if (!(e < allowed))
          hk_trial_fail(
              t,
              "stepper '%s': values within steps have an error of %.2g at the %s of a step of '%s'",
              t->type->name, e, end ? "end" : "start", MODEL[i - 1].name);
        hk_trial_worst(t, e / allowed);
      }
    }
    t->check->cases++;
    hk_trial_case(t);
  }
}

void hk_check_future(hk_trial *t) {
  hk_model *m;
  for (int i = 0; (m = next_model(t, &i));) {
    const hk_sim_options o = usual(t);
    hk_sim *run = sim_of(t, m, &o), *fresh = sim_of(t, m, &o);
    hk_error err = {0};
    double *saved = hk_trial_room(t, hk_sim_state_size(run), 1);
    for (int n = 0; n < 30; n++) {
      if (n % 7 == 3) { /* every seventh step */
        hk_sim_state_get(run, saved);
        if (hk_sim_state_set(fresh, saved)) hk_trial_fail(t, "a state cannot be restored");
      }
      if (n >= 3) hk_sim_poison(fresh);
      if (hk_sim_step(run, END, &err) || (n >= 3 && hk_sim_step(fresh, END, &err)))
        hk_trial_fail(t, "%s: %s", MODEL[i - 1].name, err.text);
      if (n >= 3 && memcmp(run->x, fresh->x, hk_sim_state_size(run)) != 0)
        hk_trial_fail(
            t,
            "stepper '%s': a run of '%s' from a restored state differs from the uninterrupted run: "
            "all data that the stepper keeps from step to step must be in the state",
            t->type->name, MODEL[i - 1].name);
    }
    t->check->cases++;
    hk_trial_case(t);
  }
}

/* Numbers of steps: allocations that happen once have been made after the first steps, then allocations are counted. */
enum { FIRST_STEPS = 10, COUNTED_STEPS = 100, FAR_END = 1000 /* s */ };

static void step_and_look(hk_trial *t, hk_sim *s, const char *name, double *x) {
  const hk_integrator *k = integrator_of(t);
  const hk_model *m = s->model;
  hk_error err = {0};
  if (hk_sim_step(s, FAR_END, &err)) hk_trial_fail(t, "%s: %s", name, err.text);
  if (k->dense) k->dense(s, 0.5 * (s->x_next[m->at.t] + s->x[m->at.t]), x);
}

void hk_check_allocation(hk_trial *t) {
  if (!t->option->allocations) hk_trial_not_meant(t, "this program does not count allocations");
  hk_model *m;
  for (int i = 0; (m = next_model(t, &i));) {
    const char *name = MODEL[i - 1].name;
    const hk_sim_options o = usual(t);
    hk_sim *s = sim_of(t, m, &o);
    double *x = hk_trial_room(t, (size_t)s->state_size, sizeof *x);
    for (int n = 0; n < FIRST_STEPS; n++) step_and_look(t, s, name, x);
    long before = t->option->allocations();
    for (int n = 0; n < COUNTED_STEPS; n++) step_and_look(t, s, name, x);
    long made = t->option->allocations() - before;
    if (made > 0)
      hk_trial_fail(t,
                    "stepper '%s' allocates memory %ld times in %d steps of '%s'; use "
                    "hk_integrator.create and hk_integrator_memory",
                    t->type->name, made, COUNTED_STEPS, name);
    t->check->cases++;
    hk_trial_case(t);
  }
}
