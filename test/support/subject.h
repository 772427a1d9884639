/* The test model of src/conform for unit tests: a failed check fails the test.  Random numbers are
 * those of support/check.h. */
#ifndef HK_TEST_SUBJECT_H
#define HK_TEST_SUBJECT_H
#include "support/check.h"
#include "conform/subject.h"
#include "registry/builtin.h"
#include "toy/toys.h"

static inline void trial_failed(hk_trial *t) { fail_msg("%s", t->check->text); }

static inline hk_trial *trial(void) {
  static hk_conform_check check;
  static const hk_conform_options option;
  static hk_trial t;
  t.types = subjects();
  t.check = &check;
  t.option = &option;
  t.on_end = trial_failed;
  t.turn = random_turn;
  t.random = random_state;
  return &t;
}
/* Calls a function of src/conform with the trial as its first argument. */
#define WITH_TRIAL(t, call) \
  hk_trial *t = trial();    \
  call;                     \
  random_state = t->random

static inline void build_world(hk_spec *spec) { WITH_TRIAL(t, hk_world_build(t, spec)); }

typedef hk_check_state moment;
static inline moment moment_create(const hk_model *m) {
  WITH_TRIAL(t, moment s = hk_check_state_create(t, m));
  return s;
}
static inline void moment_free(moment *s) { hk_check_state_free(trial(), s); }
static inline hk_instant moment_instant(const moment *s) { return hk_check_state_instant(s); }
static inline void moment_evaluate(const moment *s, const double *q, const double *v,
                                   const double *lambda, double time) {
  hk_check_state_evaluate(trial(), s, q, v, lambda, time);
}
static inline double *dense_jacobian(const hk_work *w) { /* free it */
  size_t size = ((size_t)w->model->nc * (size_t)w->model->nv + 1) * sizeof(double);
  double *G = malloc(size);
  assert_non_null(G);
  return memcpy(G, hk_check_state_jacobian(trial(), w), size);
}
#endif
