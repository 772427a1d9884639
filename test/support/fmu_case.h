/* Small models as FMUs, and short names for the calls of FMI 3.0.  For tests. */
#ifndef TEST_FMU_CASE_H
#define TEST_FMU_CASE_H
#include "support/check.h"
#include "support/fmu_export.h"
#include <math.h>

static const char DRIVE[] =
    "format: 1\n"
    "parameters: {J: 0.6 kg*m^2, c: 0.05 N*m*s, twice: 2*J}\n"
    "inputs: {torque: {unit: N*m, initial_value: 2 N*m}, brake: {unit: N*m}}\n"
    "bodies: {wheel: {type: rotor, inertia: J, axis: z}, bob: {type: point_mass, mass: 2 kg, "
    "position: [0.3 m, 0, 0]}}\n"
    "joints: {rod: {type: distance, a: ground, b: bob}}\n"
    "forces:\n"
    "  g: {type: gravity}\n"
    "  motor: {type: actuator, coordinate: wheel.angle, force: torque - "
    "brake*tanh(wheel.angle_rate/(1 rad/s)) - "
    "c*wheel.angle_rate}\n"
    "sensors: {power: {value: torque*wheel.angle_rate}}\n"
    "analysis: {duration: 1 s, output_step: 10 ms}\n";

static const char BALL[] =
    "format: 1\n"
    "parameters: {e: 0.5}\n"
    "inputs: {push: {unit: N}}\n"
    "bodies: {ball: {type: point_mass, mass: 1 kg, position: [0, 0, 1 m]}}\n"
    "joints: {rail: {type: point_on_line, a: ground, b: ball, axis: z}}\n"
    "forces: {g: {type: gravity, acceleration: [0, 0, -10 m/s^2]}, p: {type: load, b: ball, force: "
    "[0, 0, push]}}\n"
    "laws: {hit: {type: signorini, restitution_normal: e}}\n"
    "contacts: {floor: {type: sphere_on_plane, a: ground, b: ball, radius: 1 mm, law: "
    "hit}}\n"
    "analysis: {duration: 2 s, stepper: event_driven}\n";

/* The tolerance is relative to the value, or absolute below 1. */
#define NEAR(got, wanted, tolerance) \
  assert_near(got, wanted, (tolerance)*fmax(1, fabs((double)(wanted))), "%s", #got)

static char work[] = "/tmp/hooke-fmu-test-XXXXXX";
static int errors;
static char last_error[4096];

static inline void log3(void *environment, fmi3Status status, fmi3String category,
                        fmi3String message) {
  (void)environment, (void)category;
  if (status < fmi3Discard) return;
  errors++;
  snprintf(last_error, sizeof last_error, "%s", message);
}
static inline void log2_(fmi2ComponentEnvironment environment, fmi2String name, fmi2Status status,
                         fmi2String category, fmi2String message, ...) {
  va_list ap;
  va_start(ap, message);
  const char *text = va_arg(ap, const char *);
  va_end(ap);
  assert_string_equal(message, "%s"); /* percent signs in a message are not conversions */
  log3(environment, (fmi3Status)status, category, text);
}

static inline void write_text(const char *name, const char *text, char *path, size_t size) {
  snprintf(path, size, "%s/%s", work, name);
  FILE *f = fopen(path, "w");
  assert_non_null(f);
  fputs(text, f);
  fclose(f);
}

static inline fmu_file open_text(const char *name, const char *text, hk_fmu_options option) {
  char model[200], path[200];
  fmu_file f;
  hk_diag diag;
  hk_diag_init(&diag);
  write_text(name, text, model, sizeof model);
  snprintf(path, sizeof path, "%s/a.fmu", work);
  hk_status status = fmu_export(model, option, path, &diag);
  if (status) fmu_print(&diag);
  assert_int_equal(status, HK_OK);
  assert_true(fmu_open(&f, path));
  hk_diag_free(&diag);
  return f;
}

static inline fmi3Instance instantiate(const fmu_file *f, bool events) {
  fmi3Instance i = f->fmi3InstantiateCoSimulation("one", f->token, f->resources, false, false,
                                                  events, events, NULL, 0, NULL, log3, NULL);
  assert_non_null(i);
  return i;
}
static inline void initialise(const fmu_file *f, fmi3Instance i) {
  assert_int_equal(f->fmi3EnterInitializationMode(i, false, 0, 0, false, 0), fmi3OK);
  assert_int_equal(f->fmi3ExitInitializationMode(i), fmi3OK);
}
static inline fmi3Instance start(const fmu_file *f) {
  fmi3Instance i = instantiate(f, false);
  initialise(f, i);
  return i;
}
static inline double get(const fmu_file *f, fmi3Instance i, const char *name) {
  unsigned reference = strcmp(name, "time") == 0 ? 0 : fmu_reference(f, name);
  double value = NAN;
  if (strcmp(name, "time") != 0) assert_true(reference > 0);
  assert_int_equal(f->fmi3GetFloat64(i, &reference, 1, &value, 1), fmi3OK);
  return value;
}
static inline fmi3Status set(const fmu_file *f, fmi3Instance i, const char *name, double value) {
  unsigned reference = fmu_reference(f, name);
  assert_true(reference > 0);
  return f->fmi3SetFloat64(i, &reference, 1, &value, 1);
}
static inline fmi3Status step(const fmu_file *f, fmi3Instance i, double t, double h) {
  bool event, end, early;
  double last;
  return f->fmi3DoStep(i, t, h, false, &event, &end, &early, &last);
}
static inline void steps(const fmu_file *f, fmi3Instance i, double from, double to, int n) {
  for (int k = 0; k < n; k++)
    assert_int_equal(step(f, i, from + (to - from) * k / n, (to - from) / n), fmi3OK);
}

static inline int make_folder(void **state) {
  (void)state;
  return mkdtemp(work) ? 0 : 1;
}
static inline int remove_folder(void **state) {
  char command[100];
  (void)state;
  snprintf(command, sizeof command, "rm -rf '%s'", work);
  return system(command);
}

#endif
