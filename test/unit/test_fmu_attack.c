/* FMUs under importers that do everything wrong: calls in any order, NULL arguments, foreign value references, huge, negative and
 * undefined numbers, states of other instances, instances freed in any state.  Nothing may crash or hang; afterwards a proper
 * importer gets the right result from a new instance, and after a reset from the old one. */
#include "support/fmu_case.h"
#include <math.h>

static uint64_t seed = 1;
static unsigned below(unsigned n) {
  seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
  return (unsigned)((seed >> 11) % n);
}

static double odd_number(double t) {
  const double list[] = {0,   t,        t + 0.01,  1e-3, 1e-18, -1e-3,    1e9,    -1e9,     1e300,
                         NAN, INFINITY, -INFINITY, 0.1,  1,     t + 1e-9, 5e-324, t - 0.01, 0.02};
  return list[below(sizeof list / sizeof *list)];
}

enum { MOST = 8 };

/* Arguments of one call: now and then an array is NULL. */
typedef struct arguments {
  unsigned reference[MOST];
  double value[MOST], out[MOST];
  size_t n;
  void *c;
  bool flag[6];
} arguments;

static const void *or_null(const void *at) { return below(12) ? at : NULL; }

static arguments draw(void *instance, double t) {
  arguments a = {.n = below(MOST), .c = below(30) ? instance : NULL};
  for (int i = 0; i < MOST; i++) {
    a.reference[i] = below(20) ? below(30) : below(2) ? UINT32_MAX : below(100000);
    a.value[i] = odd_number(t);
  }
  return a;
}

/* A step must not be so long that the test takes minutes: an importer may ask for that. */
static double length_of_step(double t) {
  double h = odd_number(t);
  return h > 0.05 && isfinite(h) ? 0.05 : h;
}

typedef struct pool {
  void *state[4]; /* of one instance */
  fmi3Byte *bytes;
  size_t size;
} pool;

static void call_states3(const fmu_file *f, arguments *a, pool *p) {
  unsigned k = below(4);
  size_t size = 0;
  switch (below(5)) {
    case 0:
      f->fmi3GetFMUState(a->c, below(10) ? &p->state[k] : NULL);
      break;
    case 1:
      f->fmi3SetFMUState(a->c, p->state[k]);
      break;
    case 2:
      if (a->c) f->fmi3FreeFMUState(a->c, &p->state[k]);
      break;
    case 3:
      if (f->fmi3SerializedFMUStateSize(a->c, p->state[k], &size) != fmi3OK || size == 0) break;
      free(p->bytes);
      p->bytes = malloc(size);
      p->size = size;
      if (f->fmi3SerializeFMUState(a->c, p->state[k], p->bytes, size) != fmi3OK) p->size = 0;
      break;
    default: {
      void *copy = NULL;
      if (p->size && below(2)) p->bytes[below((unsigned)p->size)] ^= (fmi3Byte)(1 << below(8));
      f->fmi3DeserializeFMUState(a->c, p->bytes, p->size ? p->size - below(2) * below(9) : 0,
                                 &copy);
      if (copy) f->fmi3SetFMUState(a->c, copy);
      if (copy) f->fmi3FreeFMUState(a->c, &copy);
    }
  }
}

static void call3(const fmu_file *f, void *instance, double *t, pool *p) {
  arguments a = draw(instance, *t);
  bool *b = a.flag;
  double x[64], last = *t;
  size_t n = 0;
  for (int i = 0; i < 64; i++) x[i] = odd_number(*t);
  switch (below(22)) {
    case 0:
      f->fmi3EnterInitializationMode(a.c, below(2), odd_number(*t), odd_number(*t), below(2),
                                     odd_number(*t));
      break;
    case 1:
      f->fmi3EnterInitializationMode(a.c, false, 0, 0, false, 0);
      break;
    case 2:
    case 3:
      f->fmi3ExitInitializationMode(a.c);
      break;
    case 4:
      f->fmi3EnterEventMode(a.c);
      break;
    case 5:
      f->fmi3EnterStepMode(a.c);
      break;
    case 6:
      f->fmi3EnterContinuousTimeMode(a.c);
      break;
    case 7:
      f->fmi3UpdateDiscreteStates(a.c, below(9) ? &b[0] : NULL, &b[1], &b[2], &b[3], &b[4],
                                  below(9) ? x : NULL);
      break;
    case 8:
      if (below(10) == 0) f->fmi3Reset(a.c);
      break;
    case 9:
      if (below(20) == 0) f->fmi3Terminate(a.c);
      break;
    case 10:
    case 11:
      f->fmi3GetFloat64(a.c, or_null(a.reference), a.n, (double *)or_null(a.out), a.n);
      break;
    case 12:
    case 13:
      f->fmi3SetFloat64(a.c, or_null(a.reference), a.n, or_null(a.value), a.n - below(2));
      break;
    case 14:
      f->fmi3GetDirectionalDerivative(a.c, or_null(a.reference), a.n, or_null(a.reference + 1),
                                      a.n / 2, or_null(a.value), a.n / 2, a.out, a.n);
      break;
    case 15:
      f->fmi3GetNumberOfVariableDependencies(a.c, a.reference[0], below(9) ? &n : NULL);
      break;
    case 16:
      f->fmi3SetTime(a.c, odd_number(*t));
      break;
    case 17:
      if (f->fmi3GetNumberOfContinuousStates(a.c, &n) == fmi3OK && n < 64) {
        if (below(2)) f->fmi3GetContinuousStates(a.c, x, n);
        if (below(3) == 0 && n) x[below((unsigned)n)] = odd_number(*t);
        f->fmi3SetContinuousStates(a.c, or_null(x), n);
        f->fmi3GetContinuousStateDerivatives(a.c, x, n);
        f->fmi3CompletedIntegratorStep(a.c, true, &b[0], below(9) ? &b[1] : NULL);
      }
      break;
    case 18:
      if (f->fmi3GetNumberOfEventIndicators(a.c, &n) == fmi3OK && n < 64)
        f->fmi3GetEventIndicators(a.c, (double *)or_null(x), n);
      break;
    case 19:
      call_states3(f, &a, p);
      break;
    default:
      if (f->fmi3DoStep(a.c, below(4) ? *t : odd_number(*t), below(3) ? 0.01 : length_of_step(*t),
                        true, below(9) ? &b[0] : NULL, &b[1], &b[2], &last) == fmi3OK)
        *t = last;
  }
}

static void call2(const fmu_file *f, void *instance, double *t) {
  arguments a = draw(instance, *t);
  int order[MOST] = {1, 1, 1, 1, 2, 0, -1, 1}, flag[2];
  double x[64] = {0}, h = below(3) ? 0.01 : length_of_step(*t);
  fmi2EventInfo info;
  switch (below(11)) {
    case 0:
      f->fmi2SetupExperiment(a.c, (int)below(2), odd_number(*t), below(2) ? 0 : odd_number(*t),
                             (int)below(2), odd_number(*t));
      break;
    case 1:
      f->fmi2EnterInitializationMode(a.c);
      break;
    case 2:
      f->fmi2ExitInitializationMode(a.c);
      break;
    case 3:
      f->fmi2GetReal(a.c, or_null(a.reference), a.n, (double *)or_null(a.out));
      break;
    case 4:
      f->fmi2SetReal(a.c, or_null(a.reference), a.n, or_null(a.value));
      break;
    case 5:
      f->fmi2SetRealInputDerivatives(a.c, or_null(a.reference), a.n, or_null(order),
                                     or_null(a.value));
      break;
    case 6:
      f->fmi2NewDiscreteStates(a.c, below(9) ? &info : NULL);
      break;
    case 7:
      f->fmi2EnterContinuousTimeMode(a.c);
      f->fmi2SetTime(a.c, odd_number(*t));
      f->fmi2GetContinuousStates(a.c, x, below(20));
      f->fmi2CompletedIntegratorStep(a.c, 1, &flag[0], below(9) ? &flag[1] : NULL);
      break;
    case 8:
      f->fmi2GetRealStatus(a.c, (fmi2StatusKind)below(6), below(9) ? x : NULL);
      break;
    default:
      if (f->fmi2DoStep(a.c, *t, h, 1) == fmi2OK) *t += h;
  }
}

static void quiet3(void *environment, fmi3Status status, fmi3String category, fmi3String message) {
  (void)environment, (void)status;
  assert_true(*category && *message); /* every refusal is a sentence */
}
static void quiet2(fmi2ComponentEnvironment environment, fmi2String name, fmi2Status status,
                   fmi2String category, fmi2String message, ...) {
  (void)environment, (void)name, (void)status;
  assert_true(*category && *message);
}

static void attack3(const fmu_file *f, bool exchange, int calls) {
  bool events = below(2), early = below(2);
  fmi3Instance i =
      exchange ? f->fmi3InstantiateModelExchange("bad", f->token, f->resources, false, below(2),
                                                 NULL, quiet3)
               : f->fmi3InstantiateCoSimulation("bad", f->token, f->resources, false, below(2),
                                                events, early, NULL, 0, NULL, quiet3, NULL);
  assert_non_null(i);
  pool p = {{NULL}, NULL, 0};
  double t = 0;
  for (int k = 0; k < calls; k++) call3(f, i, &t, &p);
  for (int k = 0; k < 4; k++)
    if (p.state[k]) f->fmi3FreeFMUState(i, &p.state[k]);
  free(p.bytes);
  /* a reset brings everything back */
  if (!exchange && below(2)) {
    assert_int_equal(f->fmi3Reset(i), fmi3OK);
    initialise(f, i);
    if (!events && !early) {
      steps(f, i, 0, 0.1, 10);
      double z = get(f, i, "wheel.angle_rate");
      NEAR(z, 2 / 0.05 * (1 - exp(-0.05 * 0.1 / 0.6)), 1e-5);
    }
  }
  f->fmi3FreeInstance(i);
}

static void attack2(const fmu_file *f, bool exchange, int calls) {
  char uri[300];
  const fmi2CallbackFunctions functions = {.logger = quiet2};
  snprintf(uri, sizeof uri, "file://%s", f->resources);
  fmi2Component c = f->fmi2Instantiate("bad", exchange ? fmi2ModelExchange : fmi2CoSimulation,
                                       f->token, uri, &functions, 0, (int)below(2));
  assert_non_null(c);
  double t = 0;
  for (int k = 0; k < calls; k++) call2(f, c, &t);
  f->fmi2FreeInstance(c);
}

static void test_attack(void **state) {
  (void)state;
  int rounds = getenv("HOOKE_LONG") ? 2000 : 60;
  for (int version = 2; version <= 3; version++) {
    fmu_file f = open_text("drive.yaml", DRIVE, (hk_fmu_options){.fmi = version, .exchange = true});
    for (int k = 0; k < rounds; k++) {
      seed = (uint64_t)k * 977 + 11;
      if (version == 3)
        attack3(&f, below(2), 100);
      else
        attack2(&f, below(2), 100);
    }
    fmi3Instance i = start(&f);
    steps(&f, i, 0, 0.1, 10);
    NEAR(get(&f, i, "wheel.angle_rate"), 2 / 0.05 * (1 - exp(-0.05 * 0.1 / 0.6)), 1e-6);
    f.fmi3FreeInstance(i);
    fmu_close(&f);
  }
}

/* Instantiation with NULL in place of every text. */
static void test_nothing(void **state) {
  (void)state;
  fmu_file f = open_text("drive.yaml", DRIVE, (hk_fmu_options){.fmi = 3});
  assert_null(f.fmi3InstantiateCoSimulation(NULL, NULL, NULL, false, false, false, false, NULL, 0,
                                            NULL, NULL, NULL));
  assert_null(f.fmi3InstantiateCoSimulation("a", NULL, f.resources, false, false, false, false,
                                            NULL, 0, NULL, NULL, NULL));
  assert_null(f.fmi2Instantiate(NULL, fmi2CoSimulation, NULL, NULL, NULL, 0, 0));
  assert_null(f.fmi2Instantiate("a", (fmi2Type)7, f.token, "file:", NULL, 0, 0));
  fmi3Instance i = f.fmi3InstantiateCoSimulation(NULL, f.token, f.resources, false, true, false,
                                                 false, NULL, 0, NULL, NULL, NULL);
  assert_non_null(i); /* without a name and a log */
  assert_int_equal(f.fmi3ExitInitializationMode(i), fmi3Error);
  f.fmi3FreeInstance(i);
  fmu_close(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_attack), cmocka_unit_test(test_nothing)};
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
