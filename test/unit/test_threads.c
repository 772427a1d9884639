/* Simulations of one model in several threads at once: each has its own state, the model is shared, and all results are those of
 * a single thread to the last bit.  For the thread sanitizer as well: cmake -DCMAKE_C_FLAGS=-fsanitize=thread. */
#include "support/check.h"
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

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(threads_share_a_model)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
