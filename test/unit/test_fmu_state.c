/* States and threads of FMUs: a restored state gives the same results to the last bit. */
#include "support/fmu_case.h"
#include <pthread.h>

typedef struct roll {
  const fmu_file *f;
  fmi3Instance one, two;
  unsigned *reference;
  int n;
} roll;

static void all_values(const roll *r, fmi3Instance i, double *out) {
  assert_int_equal(r->f->fmi3GetFloat64(i, r->reference, (size_t)r->n, out, (size_t)r->n), fmi3OK);
}

/* From the state at t: three steps with inputs that change. */
static void go(const roll *r, fmi3Instance i, const char *input, const double *u, double t,
               double h, double *out) {
  for (int k = 0; k < 3; k++) {
    assert_int_equal(set(r->f, i, input, u[k]), fmi3OK);
    assert_int_equal(step(r->f, i, t, h), fmi3OK);
    t += h;
  }
  all_values(r, i, out);
}

static void rollbacks(const char *name, const char *text, const char *input, const char *parameter,
                      int count) {
  fmu_file f = open_text(name, text, (hk_fmu_options){.fmi = 3});
  roll r = {.f = &f, .one = start(&f), .two = instantiate(&f, false)};
  char key[40];
  random_seed(7);
  r.reference = calloc(1000, sizeof *r.reference);
  for (r.n = 0; r.n < 1000; r.n++) {
    snprintf(key, sizeof key, " valueReference=\"%d\" ", r.n + 1);
    if (!strstr(f.xml, key)) break;
    r.reference[r.n] = (unsigned)r.n + 1;
  }
  double *a = calloc((size_t)r.n, sizeof *a), *b = calloc((size_t)r.n, sizeof *b), t = 0;
  void *saved = NULL, *copy = NULL;
  for (int k = 0; k < count; k++) {
    double h = 1e-3 + 0.02 * uniform(0, 1), u[3] = {uniform(0, 1), uniform(0, 1), uniform(0, 1)},
           astray[3] = {9 * uniform(0, 1), 0, -uniform(0, 1)};
    size_t size;
    if (parameter && k % 50 == 49)
      assert_int_equal(set(&f, r.one, parameter, 0.1 + 0.1 * uniform(0, 1)), fmi3OK);
    assert_int_equal(f.fmi3GetFMUState(r.one, &saved), fmi3OK);
    go(&r, r.one, input, u, t, h, a);
    if (uniform(0, 1) < 0.5) go(&r, r.one, input, astray, t + 3 * h, h / 2, b);
    assert_int_equal(f.fmi3SetFMUState(r.one, saved), fmi3OK);
    go(&r, r.one, input, u, t, h, b);
    assert_memory_equal(a, b, (size_t)r.n * sizeof *a);
    /* as bytes into a second instance with another state */
    assert_int_equal(f.fmi3SerializedFMUStateSize(r.one, saved, &size), fmi3OK);
    fmi3Byte *bytes = malloc(size);
    assert_int_equal(f.fmi3SerializeFMUState(r.one, saved, bytes, size), fmi3OK);
    assert_int_equal(f.fmi3DeserializeFMUState(r.two, bytes, size, &copy), fmi3OK);
    free(bytes);
    assert_int_equal(f.fmi3SetFMUState(r.two, copy), fmi3OK);
    assert_int_equal(f.fmi3FreeFMUState(r.two, &copy), fmi3OK);
    go(&r, r.two, input, u, t, h, b);
    assert_memory_equal(a, b, (size_t)r.n * sizeof *a);
    t += 3 * h;
  }
  assert_int_equal(f.fmi3FreeFMUState(r.one, &saved), fmi3OK);
  free(a);
  free(b);
  free(r.reference);
  f.fmi3FreeInstance(r.one);
  f.fmi3FreeInstance(r.two);
  fmu_close(&f);
}

static void test_rollbacks(void **state) {
  (void)state;
  rollbacks("drive.yaml", DRIVE, "torque", "c", 1000);
}
static void test_rollbacks_of_impacts(void **state) {
  (void)state;
  rollbacks("ball.yaml", BALL, "push", "e", 1000);
}

/* Without inputs the steps of the FMU pass communication points.  Saved states and parameters that change there do not depend on
 * how far it has gone. */
static void test_rollbacks_ahead(void **state) {
  (void)state;
  static const char PENDULUM[] =
      "format: 1\nparameters: {c: 0.1 N*m*s}\n"
      "bodies: {a: {type: rod, mass: 1 kg, length: 1 m}}\n"
      "joints: {h: {type: revolute, a: ground, b: a.start, axis: y}}\n"
      "forces: {g: {type: gravity}, d: {type: actuator, coordinate: h.angle, force: "
      "-c*h.angle_rate}}\n"
      "analysis: {duration: 10 s, output_step: 10 ms}\n";
  fmu_file f = open_text("pendulum.yaml", PENDULUM, (hk_fmu_options){.fmi = 3});
  fmi3Instance one = start(&f), two = start(&f);
  unsigned reference[] = {fmu_reference(&f, "h.angle"), fmu_reference(&f, "h.angle_rate"),
                          fmu_reference(&f, "energy.kinetic")};
  double a[3], b[3], t = 0;
  void *saved = NULL, *copy = NULL;
  for (int i = 0; i < 100; i++) {
    double h = 0.001 * (1 + i % 7);
    size_t size;
    if (i % 10 == 9) assert_int_equal(set(&f, one, "c", 0.01 * i), fmi3OK);
    assert_int_equal(f.fmi3GetFMUState(one, &saved), fmi3OK);
    assert_int_equal(step(&f, one, t, h), fmi3OK);
    assert_int_equal(f.fmi3GetFloat64(one, reference, 3, a, 3), fmi3OK);
    assert_int_equal(f.fmi3SerializedFMUStateSize(one, saved, &size), fmi3OK);
    fmi3Byte *bytes = malloc(size);
    assert_int_equal(f.fmi3SerializeFMUState(one, saved, bytes, size), fmi3OK);
    assert_int_equal(f.fmi3DeserializeFMUState(two, bytes, size, &copy), fmi3OK);
    assert_int_equal(f.fmi3SetFMUState(two, copy), fmi3OK);
    assert_int_equal(step(&f, two, t, h), fmi3OK);
    assert_int_equal(f.fmi3GetFloat64(two, reference, 3, b, 3), fmi3OK);
    assert_memory_equal(a, b, sizeof a);
    assert_int_equal(f.fmi3SetFMUState(one, saved), fmi3OK);
    assert_int_equal(step(&f, one, t, h), fmi3OK);
    assert_int_equal(f.fmi3GetFloat64(one, reference, 3, b, 3), fmi3OK);
    assert_memory_equal(a, b, sizeof a);
    free(bytes);
    f.fmi3FreeFMUState(two, &copy);
    t += h;
  }
  f.fmi3FreeFMUState(one, &saved);
  f.fmi3FreeInstance(one);
  f.fmi3FreeInstance(two);
  fmu_close(&f);
}

/* ---- threads ---- */

typedef struct worker {
  const fmu_file *f;
  double torque, speed;
} worker;

static void *work_alone(void *context) {
  worker *w = context;
  fmi3Instance i =
      w->f->fmi3InstantiateCoSimulation("thread", w->f->token, w->f->resources, false, false, false,
                                        false, NULL, 0, NULL, NULL, NULL);
  unsigned torque = fmu_reference(w->f, "torque"), rate = fmu_reference(w->f, "wheel.angle_rate");
  bool event, end, early,
      ok = i && !w->f->fmi3EnterInitializationMode(i, false, 0, 0, false, 0) &&
           !w->f->fmi3ExitInitializationMode(i);
  double last;
  for (int k = 0; k < 200 && ok; k++)
    ok = !w->f->fmi3SetFloat64(i, &torque, 1, &w->torque, 1) &&
         !w->f->fmi3DoStep(i, 0.005 * k, 0.005, true, &event, &end, &early, &last);
  if (ok) w->f->fmi3GetFloat64(i, &rate, 1, &w->speed, 1);
  w->f->fmi3FreeInstance(i);
  return NULL;
}

/* Instances in threads are independent: the same bits as in sequence. */
static void test_threads(void **state) {
  (void)state;
  enum { N = 4 };
  fmu_file f = open_text("drive.yaml", DRIVE, (hk_fmu_options){.fmi = 3});
  worker alone[N], together[N];
  pthread_t thread[N];
  for (int k = 0; k < N; k++) {
    alone[k] = together[k] = (worker){&f, 1 + k, NAN};
    work_alone(&alone[k]);
  }
  for (int k = 0; k < N; k++)
    assert_int_equal(pthread_create(&thread[k], NULL, work_alone, &together[k]), 0);
  for (int k = 0; k < N; k++) {
    pthread_join(thread[k], NULL);
    assert_true(alone[k].speed > 0 && alone[k].speed == together[k].speed);
  }
  fmu_close(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_rollbacks), cmocka_unit_test(test_rollbacks_of_impacts),
      cmocka_unit_test(test_rollbacks_ahead), cmocka_unit_test(test_threads)};
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
