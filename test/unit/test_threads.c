/* Simulations of one model in several threads at once: each has its own state, the model is shared,
 * and all results are bit-identical to those of a single thread.  The same holds for whole runs of
 * models that each thread reads itself.  script/verify runs this test under the thread sanitizer
 * (HOOKE_SANITIZE_THREAD). */
#include "support/check.h"
#include <hooke/run.h>
#include <pthread.h>

enum { THREADS = 4, VALUES = 3 };

static const char MODEL[] =
    "format: 1\n"
    "bodies:\n"
    "  arm: {type: rod, length: 1 m, mass: 1 kg, position: [0.5 m, 0, 0]}\n"
    "  ball: {type: sphere, radius: 0.1 m, mass: 1 kg, position: [0, 1 m, 0.15 m]}\n"
    "joints: {hinge: {type: revolute, b: arm.start, axis: y}}\n"
    "laws: {l: {type: hertz, stiffness: 1e7 N/m^1.5, mu: 0.2}}\n"
    "contacts: {floor: {type: sphere_on_plane, a: ground, b: ball, radius: 0.1 m, law: l}}\n"
    "states: {z: {unit: m, rate: \"arm.vx - z / (1 s)\"}}\n"
    "forces:\n"
    "  g: {type: gravity}\n"
    "  push: {type: load, b: ball, force: [\"1 N * sign(ball.x - 0.05 m)\", 0, 0]}\n"
    "  rub: {type: joint_friction, joint: hinge, mu: 0.1, radius: 10 mm}\n";

typedef struct job {
  const hk_model *model;
  hk_status status;
  double value[VALUES];
} job;

static void *simulate(void *data) {
  job *j = data;
  static const char *const name[VALUES] = {"arm.x", "ball.z", "z"};
  hk_sim *s = NULL;
  hk_error err;
  hk_diag diag;
  hk_diag_init(&diag);
  j->status = hk_sim_create(j->model, NULL, &s, &diag, &err);
  if (!j->status) j->status = hk_sim_advance(s, 0.3, &err);
  for (int i = 0; i < VALUES && !j->status; i++)
    j->value[i] = hk_sim_value(s, hk_model_channel_find(j->model, name[i]));
  hk_sim_destroy(s);
  hk_diag_free(&diag);
  return NULL;
}

static void threads_share_a_model(void **state) {
  (void)state;
  hk_model *m = model_of(MODEL);
  job alone = {.model = m}, together[THREADS];
  pthread_t thread[THREADS];
  simulate(&alone);
  assert_int_equal(alone.status, HK_OK);
  for (int i = 0; i < THREADS; i++) {
    together[i] = (job){.model = m};
    assert_int_equal(pthread_create(&thread[i], NULL, simulate, &together[i]), 0);
  }
  for (int i = 0; i < THREADS; i++) {
    assert_int_equal(pthread_join(thread[i], NULL), 0);
    assert_int_equal(together[i].status, HK_OK);
    assert_memory_equal(together[i].value, alone.value, sizeof alone.value);
  }
  hk_model_destroy(m);
}

typedef struct whole_run {
  const char *model;
  hk_status status;
  double measure[2];
} whole_run;

/* From the text to the measures, with events within steps, rigid impacts and measures of the motion between steps. */
static void *run_all(void *data) {
  whole_run *j = data;
  hk_model *m = model_of(j->model);
  hk_run_report report;
  hk_diag diag;
  hk_diag_init(&diag);
  j->status = hk_run(m, &(hk_run_options){0}, &report, &diag);
  for (int i = 0; i < 2 && !j->status; i++) j->measure[i] = report.measure[i].value;
  hk_run_report_free(&report);
  hk_diag_free(&diag);
  hk_model_destroy(m);
  return NULL;
}

static void threads_run_models(void **state) {
  (void)state;
  static const char *const model[2] = {
      "format: 1\n"
      "bodies: {m: {type: point_mass, mass: 1 kg, velocity: [1 m/s, 0, 0]}}\n"
      "sensors: {s: {value: \"exp(-((m.x - 0.5 m)/(1 mm))^2)\"}}\n"
      "forces: {f: {type: load, b: m, force: [0, \"1 N * pulse(m.x, 0.2 m, 0.3 m)\", 0]}}\n"
      "measures: {v: {of: m.vy, take: final}, s: {of: s, take: integral}}\n"
      "analysis: {duration: 1 s}\n",
      "format: 1\n"
      "bodies: {ball: {type: sphere, radius: 1 cm, mass: 30 g, position: [0, 0, 1 m]}}\n"
      "forces: {g: {type: gravity, acceleration: [0, 0, -9.81 m/s^2]}}\n"
      "laws: {rigid: {type: signorini, restitution_normal: 0.8}}\n"
      "contacts: {floor: {type: sphere_on_plane, a: ground, b: ball, law: rigid, radius: 1 cm}}\n"
      "measures: {n: {of: floor.impacts, take: events}, z: {of: ball.z, take: final}}\n"
      "analysis: {duration: 1.5 s}\n"};
  whole_run alone[2], together[2];
  pthread_t thread[2];
  for (int i = 0; i < 2; i++) {
    together[i] = alone[i] = (whole_run){.model = model[i]};
    run_all(&alone[i]);
    assert_int_equal(alone[i].status, HK_OK);
  }
  for (int i = 0; i < 2; i++)
    assert_int_equal(pthread_create(&thread[i], NULL, run_all, &together[i]), 0);
  for (int i = 0; i < 2; i++) {
    assert_int_equal(pthread_join(thread[i], NULL), 0);
    assert_int_equal(together[i].status, HK_OK);
    assert_memory_equal(together[i].measure, alone[i].measure, sizeof alone[i].measure);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(threads_share_a_model),
                                     cmocka_unit_test(threads_run_models)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
