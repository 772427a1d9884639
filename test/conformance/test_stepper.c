/* Every integrator follows the rules for state and scratch memory: the state is plain memory and determines all
 * later results bit by bit, scratch may be overwritten between steps, a repeated run gives the same results,
 * and a step allocates nothing.  The integrators are those that the analysis section accepts. */
#include "support/gap_scene.h"
#include "support/subject.h"
#include "sim/sim.h"
#include "registry/builtin.h"

/* ---- allocations, counted ---- */

static long n_allocations;
#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__)
#define COUNTS_ALLOCATIONS 1
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *old, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void *malloc(size_t size) {
  n_allocations++;
  return __libc_malloc(size);
}
void *calloc(size_t n, size_t size) {
  n_allocations++;
  return __libc_calloc(n, size);
}
void *realloc(void *old, size_t size) {
  n_allocations++;
  return __libc_realloc(old, size);
}
void *aligned_alloc(size_t alignment, size_t size) {
  n_allocations++;
  return __libc_memalign(alignment, size);
}
#else
#define COUNTS_ALLOCATIONS 0
#endif

/* ---- models ---- */

/* A loop with redundant joints, friction, a motion and forces that depend on channels. */
static const char LOOP[] =
    "format: 1\n"
    "bodies:\n"
    "  crank: {type: rod, length: 0.2 m, mass: 1 kg, position: [0.1 m, 0, 0]}\n"
    "  link: {type: rod, length: 0.5 m, mass: 1 kg, position: [0.45 m, 0, 0]}\n"
    "  slider: {type: box, size: [0.1 m, 0.1 m, 0.1 m], mass: 1 kg, position: [0.7 m, 0, 0]}\n"
    "  bob: {type: rod, length: 0.3 m, mass: 0.5 kg, position: [0.7 m, -0.15 m, 0]}\n"
    "  dust: {type: point_mass, mass: 0.2 kg, position: [0.2 m, 0.5 m, 0.3 m]}\n"
    "  flywheel: {type: rotor, inertia: 0.1 kg*m^2, rate: 3 rad/s}\n"
    "joints:\n"
    "  main: {type: revolute, b: crank, at: [0, 0, 0], axis: z}\n"
    "  pin: {type: revolute, a: crank, b: link, at: [0.2 m, 0, 0], axis: z}\n"
    "  wrist: {type: revolute, a: link, b: slider, at: [0.7 m, 0, 0], axis: z}\n"
    "  guide: {type: prismatic, b: slider, at: [0.7 m, 0, 0], axis: x}\n"
    "  hook: {type: universal, a: slider, b: bob, at: [0.7 m, 0, 0], axis: y}\n"
    "forces:\n"
    "  weight: {type: gravity, acceleration: [0, -9.81 m/s^2, 0]}\n"
    "  rub: {type: joint_friction, joint: guide, mu: 0.1, velocity: 0.05 m/s}\n"
    "  cord: {type: spring_damper, a: slider, b: dust, stiffness: 40 N/m, damping: 0.3 N*s/m, "
    "length: "
    "0.3 m}\n"
    "  drag: {type: load, b: bob, force: [\"-0.4 N*s/m * bob.vx\", 0, \"0.2 N * sin(4 rad/s * "
    "t)\"]}\n"
    "  twist: {type: actuator, coordinate: flywheel.angle, force: \"0.3 N*m * sin(main.angle)\"}\n";

static const char FREE[] =
    "format: 1\n"
    "bodies:\n"
    "  ground: {markers: {ceiling: {at: [0, 1 m, 0]}}}\n"
    "  top: {type: box, size: [0.3 m, 0.2 m, 0.1 m], mass: 1 kg, angular_velocity: [1 rad/s, 5 "
    "rad/s, "
    "0.1 rad/s]}\n"
    "  bob: {type: sphere, radius: 0.1 m, mass: 1 kg, position: [0.6 m, 0.1 m, 0]}\n"
    "  dust: {type: point_mass, mass: 0.2 kg, position: [0.2 m, 0.5 m, 0.3 m]}\n"
    "  flywheel: {type: rotor, inertia: 0.1 kg*m^2, rate: 3 rad/s}\n"
    "forces:\n"
    "  weight: {type: gravity, acceleration: [0, -9.81 m/s^2, 0]}\n"
    "  hold: {type: spring_damper, b: top, a: ground.ceiling, stiffness: 90 N/m, "
    "length: 0.8 m}\n"
    "  cord: {type: spring_damper, a: top, b: dust, stiffness: 40 N/m, damping: 0.3 N*s/m, length: "
    "0.3 "
    "m}\n"
    "  rope: {type: spring_damper, a: top, b: bob, stiffness: 60 N/m, length: 0.5 m}\n"
    "  twist: {type: torsion_spring, b: flywheel, stiffness: 5 N*m/rad, damping: 0.1 N*m*s/rad}\n";

/* Several contacts at once, of one body and of two. */
static const char MEETING[] =
    "format: 1\n"
    "bodies:\n"
    "  ball: {type: sphere, radius: 0.1 m, mass: 1 kg, position: [0, 0, 0.101 m], velocity: [0.3 "
    "m/s, "
    "0, -0.2 m/s]}\n"
    "  other: {type: sphere, radius: 0.1 m, mass: 1 kg, position: [0.25 m, 0, 0.13 m]}\n"
    "  dust: {type: point_mass, mass: 0.2 kg, position: [0, 1 m, 1 mm], velocity: [0.5 m/s, 0, "
    "0]}\n"
    "laws: {touch: {type: %s}}\n"
    "contacts:\n"
    "  floor: {type: sphere_on_plane, a: ground, b: ball, radius: 0.1 m, law: touch}\n"
    "  floor2: {type: sphere_on_plane, a: ground, b: other, radius: 0.1 m, law: touch}\n"
    "  meet: {type: sphere_on_sphere, a: ball, b: other, radius_a: 0.1 m, radius_b: 0.1 m, law: "
    "touch}\n"
    "  grain: {type: point_on_plane, a: ground, b: dust, law: touch}\n"
    "forces: {weight: {type: gravity, acceleration: [0, 1 m/s^2, -9.81 m/s^2]}}\n";
enum { SOFT, RIGID, N_LAWS };
static const char *const LAW[N_LAWS] = {
    "hertz, stiffness: 1e5 N/m^1.5, damping: 20 N*s/m, mu: 0.2, velocity: 0.05 m/s",
    "signorini, restitution_normal: 0.3, mu: 0.2"};

typedef void stepper_check(const hk_model *m, const hk_sim_options *o);

/* Calls check for the integrator, with fixed and with adaptive steps; false: the integrator rejects the model
 * with a reason. */
static bool check_stepper(stepper_check *check, const hk_model *m, const char *name,
                          hk_error *err) {
  hk_sim_options fixed = {.stepper = name, .step = 2e-3}, adaptive = {.stepper = name};
  hk_sim *probe = NULL;
  bool free_steps = hk_sim_create(m, &adaptive, &probe, NULL, err) == HK_OK &&
                    hk_integrator_can(probe, HK_ADAPTIVE_ONLY);
  hk_sim_destroy(probe);
  probe = NULL;
  if (free_steps) {
    check(m, &adaptive);
    return true;
  }
  if (hk_sim_create(m, &fixed, &probe, NULL, err)) return false;
  assert_string_equal(hk_sim_stepper_name(probe), name);
  bool adapts = hk_integrator_can(probe, HK_ADAPTIVE);
  hk_sim_destroy(probe);
  check(m, &fixed);
  if (adapts) check(m, &adaptive);
  return true;
}

/* Every integrator with the model; returns how many support it.  `all`: every one must. */
static int check_model(stepper_check *check, const hk_model *m, bool all) {
  int taken = 0;
  for (int i = 0; i < hk_registry_count(hk_registry_builtin(), HK_STEPPER); i++) {
    hk_error err = {0};
    bool takes =
        check_stepper(check, m, hk_registry_at(hk_registry_builtin(), HK_STEPPER, i)->name, &err);
    if (all && !takes) fail_msg("%s", err.text);
    taken += takes;
  }
  return taken;
}

static void for_every_stepper(stepper_check *check) {
  hk_model *loop = model_of(LOOP), *unbound = model_of(FREE);
  int with_joints = check_model(check, loop, false); /* some integrators do not support joints */
  assert_true(with_joints >= 3);
  check_model(check, unbound, true);
  hk_model_destroy(loop);
  hk_model_destroy(unbound);
}

/* Contacts: some with common bodies, then every registered gap, with a compliant and a set-valued law. */
static void for_every_contact(stepper_check *check) {
  static const int least[N_LAWS] = {4, 2}; /* integrators that support the law */
  for (int law = 0; law < N_LAWS; law++) {
    char text[3000];
    snprintf(text, sizeof text, MEETING, LAW[law]);
    hk_model *m = model_of(text);
    assert_true(check_model(check, m, false) >= least[law]);
    hk_model_destroy(m);
    for (int i = 0; i < hk_registry_count(hk_registry_builtin(), HK_CONTACT); i++) {
      const char *gap = hk_registry_at(hk_registry_builtin(), HK_CONTACT, i)->name;
      m = gap_scene_model(gap, LAW[law], law == RIGID);
      if (m && check_model(check, m, false) < least[law])
        fail_msg("fewer than %d steppers take the scene of '%s' with %s", least[law], gap,
                 LAW[law]);
      hk_model_destroy(m);
    }
  }
}

/* Description of the current run, for messages. */
static const char *scene_of(const hk_sim *sim) {
  const hk_model *m = sim->model;
  return m->n_contacts ? m->contact[0].item->type->name : m->n_constraints ? "joints" : "forces";
}

static void step(hk_sim *sim) {
  hk_error err = {0};
  if (hk_sim_step(sim, 100, &err))
    fail_msg("%s with %s: %s", scene_of(sim), hk_sim_stepper_name(sim), err.text);
}

static void steps(hk_sim *sim, int n) {
  while (n-- > 0) step(sim);
}

/* An integrator may fail in a scene of contacts, but not early; false: it has failed. */
static bool goes_on(hk_sim *sim, int done) {
  hk_error err = {0};
  hk_status status = hk_sim_step(sim, 100, &err);
  if (status && (done < 60 || !sim->model->n_contacts))
    fail_msg("%s with %s: %s", scene_of(sim), hk_sim_stepper_name(sim), err.text);
  return status == HK_OK;
}

/* Both simulations give the same results. */
static bool step_both(hk_sim *a, hk_sim *b, int done) {
  bool one = goes_on(a, done), two = goes_on(b, done);
  assert_int_equal(one, two);
  return one;
}

static void *state_of(const hk_sim *sim) {
  void *bytes = malloc(hk_sim_state_size(sim));
  assert_non_null(bytes);
  hk_sim_state_get(sim, bytes);
  return bytes;
}

static void assert_same_state(const hk_sim *a, const hk_sim *b, const char *what) {
  void *one = state_of(a), *two = state_of(b);
  const double *x = one, *y = two;
  for (size_t i = 0; i < hk_sim_state_size(a) / sizeof *x; i++)
    if (memcmp(x + i, y + i, sizeof *x))
      fail_msg("%s, %s with %s: entry %zu of the state is %.17g and %.17g at t = %g", what,
               scene_of(a), hk_sim_stepper_name(a), i, x[i], y[i], hk_sim_time(a));
  free(one), free(two);
}

/* ---- the promises ---- */

/* A scene without contact would test nothing. */
static void check_touch(const hk_model *m, const hk_sim_options *o) {
  hk_sim *sim = sim_of(m, o);
  bool scene = hk_spec_find(m->spec, HK_CONTACT, "subject") != NULL;
  hk_error err = {0};
  if (hk_sim_advance(sim, 0.1, &err)) fail_msg("%s: %s", hk_sim_stepper_name(sim), err.text);
  if (scene && !(gap_scene_touched(sim, m) > 0))
    fail_msg("with %s the contact of %s never closes", hk_sim_stepper_name(sim), scene_of(sim));
  hk_sim_destroy(sim);
}

static void every_gap_touches_in_its_scene(void **state) {
  (void)state;
  for_every_contact(check_touch);
}

static void check_repeat(const hk_model *m, const hk_sim_options *o) {
  hk_sim *a = sim_of(m, o), *b = sim_of(m, o);
  for (int i = 0; i < 150 && step_both(a, b, i); i++) {
    if (i % 7 == 0) channel(b, m, "energy.kinetic"), channel(b, m, "dust.ax"); /* looking is free */
    assert_same_state(a, b, "two runs differ");
  }
  hk_sim_destroy(a);
  hk_sim_destroy(b);
}

static void a_run_repeats_itself(void **state) {
  (void)state;
  for_every_stepper(check_repeat);
  for_every_contact(check_repeat);
}

static void check_state(const hk_model *m, const hk_sim_options *o) {
  hk_sim *a = sim_of(m, o), *b = sim_of(m, o), *c = sim_of(m, o);
  void *start = state_of(a);
  steps(a, 37);
  void *middle = state_of(a);
  int x = hk_model_channel_find(m, "dust.x"), y = hk_model_channel_find(m, "dust.ay");
  double seen[2] = {hk_sim_value(a, x), hk_sim_value(a, y)};
  /* Restored in another simulation, and in the same one after further steps. */
  hk_sim_state_set(b, middle);
  assert_same_state(a, b, "a copied state differs");
  assert_true(hk_sim_time(b) == hk_sim_time(a));
  assert_true(hk_sim_value(b, x) == seen[0] && hk_sim_value(b, y) == seen[1]);
  steps(a, 55);
  double end = hk_sim_time(a), went = hk_sim_value(a, x);
  hk_sim_state_set(a, middle);
  for (int i = 0; i < 60; i++) {
    step(a);
    step(b);
    assert_same_state(a, b, "the future of a copied state differs");
  }
  /* A run without interruption gives the same results. */
  hk_sim_state_set(a, middle);
  steps(a, 55);
  assert_true(hk_sim_time(a) == end && hk_sim_value(a, x) == went);
  /* Back to the start: the run repeats exactly. */
  hk_sim_state_set(a, start);
  for (int i = 0; i < 40; i++) {
    step(a);
    step(c);
    assert_same_state(a, c, "a run set back to its start differs");
  }
  free(start), free(middle);
  hk_sim_destroy(a);
  hk_sim_destroy(b);
  hk_sim_destroy(c);
}

static void the_future_follows_from_the_state(void **state) {
  (void)state;
  for_every_stepper(check_state);
  for_every_contact(check_state);
}

static void check_poison(const hk_model *m, const hk_sim_options *o) {
  hk_sim *a = sim_of(m, o), *b = sim_of(m, o);
  for (int i = 0; i < 120 && step_both(a, b, i); i++) {
    hk_sim_poison(b);
    assert_same_state(a, b, "something lives in the scratch");
    for (int k = 0; i % 10 == 0 && k < hk_model_channel_count(m); k++) {
      double x = hk_sim_value(a, k), y = hk_sim_value(b, k);
      if (memcmp(&x, &y, sizeof x))
        fail_msg("channel %s is %.17g, and %.17g after poison", hk_model_channel_name(m, k), x, y);
    }
  }
  hk_sim_destroy(a);
  hk_sim_destroy(b);
}

static void scratch_may_hold_anything_between_steps(void **state) {
  (void)state;
  for_every_stepper(check_poison);
  for_every_contact(check_poison);
}

/* Debug builds poison scratch memory before every step; here it is done in every build. */
static void check_allocation(const hk_model *m, const hk_sim_options *o) {
  hk_sim *sim = sim_of(m, o);
  steps(sim, 10);
  int list[3] = {hk_model_channel_find(m, "dust.ax"),
                 hk_model_channel_find(m, "energy.balance_error"),
                 hk_model_channel_find(m, "solver.velocity_error")};
  double out[3];
  hk_sim_values(sim, list, 3, out, NULL);
  long before = n_allocations;
  for (int i = 0; i < 100 && goes_on(sim, i + 10); i++) {
    hk_sim_values(sim, list, 3, out, NULL);
    if (i >= 90) hk_sim_poison(sim);
  }
  if (n_allocations != before)
    fail_msg("%s allocates %ld times in 100 steps", hk_sim_stepper_name(sim),
             n_allocations - before);
  hk_sim_destroy(sim);
}

static void a_step_allocates_nothing(void **state) {
  (void)state;
  if (!COUNTS_ALLOCATIONS) skip();
  void *volatile probe = malloc(1);
  assert_true(n_allocations > 0); /* the allocation counter is active */
  free(probe);
  for_every_stepper(check_allocation);
  for_every_contact(check_allocation);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_gap_touches_in_its_scene),
      cmocka_unit_test(a_run_repeats_itself),
      cmocka_unit_test(the_future_follows_from_the_state),
      cmocka_unit_test(scratch_may_hold_anything_between_steps),
      cmocka_unit_test(a_step_allocates_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
