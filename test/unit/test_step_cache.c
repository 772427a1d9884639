/* Steps of a trial integration are reused, without any effect on the results: the run is
 * bit-identical to that of the integrator requested by name, whatever calls are made during the
 * run. */
#include "sim/sim.h"
#include "sim/quality.h"
#include "support/check.h"
#include <hooke/hooke.h>

/* A pendulum on a spring, and a table driven by a motor according to an input. */
static hk_model *swing(const char *more) {
  char text[1200];
  snprintf(text, sizeof text,
           "format: 1\n"
           "bodies:\n"
           "  m: {type: point_mass, mass: 1 kg, position: [1 m, 0, 0]}\n"
           "  table: {mass: 1 kg, inertia: [1 kg*m^2, 1 kg*m^2, 1 kg*m^2], position: [0, 3 m, 0]}\n"
           "joints: {axle: {type: revolute, b: table, at: [0, 3 m, 0], axis: z}}\n"
           "inputs: {torque: {unit: N*m, start: 1 N*m}}\n"
           "forces:\n"
           "  weight: {type: gravity, acceleration: [0, 0, -9.81 m/s^2]}\n"
           "  spring: {type: spring_damper, b: m, stiffness: 100 N/m, length: 1 m}\n"
           "  motor: {type: load, b: table, torque: [0, 0, torque]}\n"
           "%s"
           "analysis: {duration: 4 s}\n",
           more);
  return model_of(text);
}

static void step(hk_sim *s, double end) {
  hk_error err = {0};
  if (hk_sim_step(s, end, &err)) fail_msg("%s", err.text);
}

static void same_bits(double a, double b, const char *what, double t) {
  if (memcmp(&a, &b, sizeof a) != 0) fail_msg("%s at %g s: %.17g, not %.17g", what, t, a, b);
}

/* Largest quality values of each film, limit and state, which are reported only if they exceed a
 * limit. */
static void assert_same_lists(const hk_sim *a, const hk_sim *b) {
  double x[64], y[64];
  int n = hk_quality_list_count(a);
  assert_int_equal(n, hk_quality_list_count(b));
  assert_in_range(n, 0, 64);
  hk_quality_lists_get(a, x);
  hk_quality_lists_get(b, y);
  for (int i = 0; i < n; i++) same_bits(x[i], y[i], "quality", hk_sim_time(a));
}

/* State, statistics, quality, and all channels at the current time and within the last step. */
static void assert_same(hk_sim *a, hk_sim *b) {
  const hk_model *m = a->model;
  double t = hk_sim_time(a), within = 0.7 * hk_sim_step_start(a) + 0.3 * t;
  assert_int_equal(a->state_size, b->state_size);
  for (int i = 0; i < a->state_size; i++) same_bits(a->x[i], b->x[i], "state", t);
  assert_memory_equal(&a->stats, &b->stats, sizeof a->stats);
  assert_memory_equal(a->quality.worst, b->quality.worst, sizeof a->quality.worst);
  assert_same_lists(a, b);
  for (int k = 0; k < hk_model_channel_count(m); k++) {
    double x, y;
    same_bits(hk_sim_value(a, k), hk_sim_value(b, k), hk_model_channel_name(m, k), t);
    assert_int_equal(hk_sim_values_at(a, within, &k, 1, &x, NULL), HK_OK);
    assert_int_equal(hk_sim_values_at(b, within, &k, 1, &y, NULL), HK_OK);
    same_bits(x, y, hk_model_channel_name(m, k), within);
  }
}

typedef struct pair {
  hk_model *model;
  hk_sim *kept, *plain; /* by `auto`, and by the name of the integrator that `auto` selected */
} pair;

static pair pair_of(hk_model *m) {
  pair p = {.model = m, .kept = sim_of(m, NULL)};
  p.plain = sim_of(m, &(hk_sim_options){.stepper = hk_sim_stepper_name(p.kept),
                                        .rtol = p.kept->option.rtol,
                                        .atol = p.kept->option.atol});
  assert_non_null(p.kept->cache.first);
  assert_null(p.plain->cache.first);
  assert_same(p.kept, p.plain);
  return p;
}

static void pair_step(pair *p, int n, double end) {
  for (int i = 0; i < n && hk_sim_time(p->kept) < end; i++) {
    step(p->kept, end);
    step(p->plain, end);
    assert_same(p->kept, p->plain);
  }
}

static void pair_end(pair *p) {
  hk_sim_destroy(p->kept);
  hk_sim_destroy(p->plain);
  hk_model_destroy(p->model);
}

static bool has_kept(const pair *p) { return p->kept->cache.first; }

static void nothing_tells_them_apart(void **state) {
  (void)state;
  pair p = pair_of(swing(""));
  pair_step(&p, 20, 4);
  assert_true(has_kept(&p));
  pair_step(&p, 180, 4); /* continues after the cached steps */
  assert_false(has_kept(&p));
  pair_end(&p);
}

static hk_model *example(const char *name) {
  char path[500];
  snprintf(path, sizeof path, "%s/examples/%s.yaml", HOOKE_SOURCE_DIR, name);
  hk_diag diag;
  hk_diag_init(&diag);
  hk_spec *spec = hk_model_file_read(path, NULL, 0, &diag);
  assert_non_null(spec);
  hk_model *m = hk_model_compile(spec, &diag);
  assert_non_null(m);
  hk_diag_free(&diag);
  return m;
}

/* Joints under load, so that a step needs the complete tangent and writes into its initial
 * state. */
static void steps_that_change_the_matrices(void **state) {
  (void)state;
  static const char *const NAME[] = {"cv_linear/scissors_links_1", "cv_linear/universal",
                                     "linear/bicycle", "half_shaft/whirl"};
  for (int i = 0; i < 4; i++) {
    pair p = pair_of(example(NAME[i]));
    double end = p.kept->cache.end;
    pair_step(&p, 100, end);
    assert_true(hk_sim_time(p.kept) == end);
    assert_false(has_kept(&p));
    pair_end(&p);
  }
}

/* ... or searches for the times at which a load jumps, and restarts after them. */
static void steps_that_meet_jumps(void **state) {
  (void)state;
  pair p =
      pair_of(swing("  blows: {type: load, b: m, force: [0, \"pulse(mod(t, 50 ms), 10 ms, 12 ms) * "
                    "20 N\", 0]}\n"));
  pair_step(&p, 300, 4);
  assert_false(has_kept(&p));
  pair_end(&p);
}

/* The selected integrator was interrupted for the trial of another one, and then resumed. */
static void steps_before_and_behind_a_rival(void **state) {
  (void)state;
  pair p = pair_of(example("benchmarks/a05_governor"));
  double end = p.kept->cache.end;
  assert_string_equal(hk_sim_stepper_name(p.kept), "multistep");
  pair_step(&p, 100, end); /* 60 before it */
  assert_true(has_kept(&p));
  pair_step(&p, 50, end);
  assert_false(has_kept(&p));
  pair_end(&p);
}

/* The quality values of films, states and limits continue from the last cached step. */
static void assert_quality_goes_on(hk_model *m, int n_numbers) {
  pair p = pair_of(m);
  double end = p.kept->cache.end;
  assert_int_equal(hk_quality_list_count(p.kept), n_numbers);
  pair_step(&p, 20, end);
  assert_true(has_kept(&p));
  pair_step(&p, 180, end);
  assert_false(has_kept(&p));
  pair_end(&p);
}

static void films_are_judged_on(void **state) {
  (void)state;
  assert_quality_goes_on(
      model_of(
          "format: 1\n"
          "bodies: {j: {mass: 1 kg, inertia: [1 g*m^2, 1 g*m^2, 1 g*m^2], position: [10 um, 0, "
          "0],\n"
          "  angular_velocity: [0, 0, 300 rad/s]}}\n"
          "joints: {plane: {type: planar, b: j, axis: z}}\n"
          "forces:\n"
          "  film: {type: film_journal, b: j, radius: 10 mm, length: 16 mm, clearance: 60 um,\n"
          "    viscosity: 0.05 Pa*s}\n"
          "  push: {type: load, b: j, force: [0, -50 N, 0]}\n"
          "analysis: {duration: 0.1 s}\n"),
      2);
}

static void states_and_limits_are_judged_on(void **state) {
  (void)state;
  assert_quality_goes_on(
      model_of(
          "format: 1\n"
          "bodies: {arm: {mass: 1 kg, inertia: [1 kg*m^2, 1 kg*m^2, 1 kg*m^2]}}\n"
          "joints: {hinge: {type: revolute, b: arm, axis: x}}\n"
          "states: {slow: {rate: \"(lean/(1 rad) - slow)/(0.1 s)\"}}\n"
          "sensors: {lean: {type: bend, b: arm, limit: 10 deg}}\n"
          "forces:\n"
          "  push: {type: load, b: arm, torque: [\"20 N*m - 100 N*m/rad * hinge.angle\", 0, 0]}\n"
          "analysis: {duration: 4 s}\n"),
      3);
}

/* ---- what drops them ---- */

static void another_end_drops_them(void **state) {
  (void)state;
  pair p = pair_of(swing(""));
  pair_step(&p, 5, 4);
  assert_true(has_kept(&p));
  pair_step(&p, 1, 1.2 * hk_sim_time(p.kept));
  assert_false(has_kept(&p));
  pair_step(&p, 50, 4);
  pair_end(&p);
}

/* ... unless it is too far away to have an effect. */
static void a_far_end_makes_no_difference(void **state) {
  (void)state;
  static const double END[] = {1e9, 4.1, 3.5, 0.5};
  for (int i = 0; i < 4; i++) {
    pair p = pair_of(swing(""));
    pair_step(&p, 12, END[i]);
    assert_true(has_kept(&p));
    pair_step(&p, 200, END[i]);
    assert_false(has_kept(&p));
    pair_end(&p);
  }
}

static void an_input_drops_them(void **state) {
  (void)state;
  for (int i = 0; i < 2; i++) {
    pair p = pair_of(swing(""));
    pair_step(&p, 5 * i, 4);
    assert_int_equal(hk_sim_input_set_by_name(p.kept, "torque", 2, NULL), HK_OK);
    assert_int_equal(hk_sim_input_set_by_name(p.plain, "torque", 2, NULL), HK_OK);
    pair_step(&p, 50, 4);
    assert_false(has_kept(&p));
    pair_end(&p);
  }
}

static void a_state_drops_them_unless_it_is_the_same(void **state) {
  (void)state;
  pair p = pair_of(swing(""));
  void *early = malloc(hk_sim_state_size(p.kept)), *late = malloc(hk_sim_state_size(p.kept));
  hk_sim_state_get(p.kept, early);
  pair_step(&p, 7, 4);
  hk_sim_state_get(p.kept, late);
  hk_sim_state_set(p.kept, late);
  hk_sim_state_set(p.plain, late);
  pair_step(&p, 3, 4);
  assert_true(has_kept(&p));
  hk_sim_state_set(p.kept, early);
  hk_sim_state_set(p.plain, early);
  pair_step(&p, 80, 4);
  assert_false(has_kept(&p));
  free(early);
  free(late);
  pair_end(&p);
}

/* A checkpoint between cached steps continues in another simulation in the same way. */
static void a_checkpoint_among_them(void **state) {
  (void)state;
  pair p = pair_of(swing(""));
  pair_step(&p, 9, 4);
  hk_sim *other = sim_of(p.model, NULL);
  void *bytes = malloc(hk_sim_state_size(other));
  hk_sim_state_get(p.kept, bytes);
  assert_int_equal(hk_sim_state_set(other, bytes), HK_OK);
  for (int i = 0; i < 100; i++) {
    step(p.kept, 4);
    step(other, 4);
    assert_memory_equal(p.kept->x, other->x, hk_sim_state_size(other));
  }
  free(bytes);
  hk_sim_destroy(other);
  pair_end(&p);
}

/* ---- how many ---- */

static hk_model *many_masses(int n) {
  size_t size = 100 * (size_t)n + 500, used = 0;
  char *text = malloc(size);
  assert_non_null(text);
  used += (size_t)snprintf(text, size, "format: 1\nbodies:\n");
  for (int i = 0; i < n; i++)
    used += (size_t)snprintf(text + used, size - used,
                             "  m%d: {type: point_mass, mass: 1 kg, position: [%d m, 0, 0]}\n", i,
                             i % 10 + 1);
  snprintf(text + used, size - used,
           "forces:\n  spring: {type: spring_damper, b: m0, stiffness: 100 N/m, length: 1 m}\n"
           "  weight: {type: gravity, acceleration: [0, 0, -9.81 m/s^2]}\n"
           "analysis: {duration: 9 s}\n");
  hk_model *m = model_of(text);
  free(text);
  return m;
}

/* Only as many steps are cached as a bounded memory holds; then the run continues without the
 * cache. */
static void large_models_keep_fewer(void **state) {
  (void)state;
  hk_model *m = many_masses(2000);
  hk_sim *kept = sim_of(m, NULL),
         *plain = sim_of(m, &(hk_sim_options){.stepper = hk_sim_stepper_name(kept)});
  size_t bytes = hk_sim_state_size(kept), used = 0;
  assert_true(kept->cache.full);
  for (int beyond = 0; beyond < 10; beyond += !kept->cache.first) {
    if (kept->cache.first) used += bytes;
    step(kept, 9);
    step(plain, 9);
    assert_memory_equal(kept->x, plain->x, bytes);
  }
  assert_in_range(used, 16 << 20, 32 << 20);
  hk_sim_destroy(kept);
  hk_sim_destroy(plain);
  hk_model_destroy(m);
}

/* ---- forces that hang on what the model does not hold ---- */

static void pull(void *context, const hk_force_in *in, hk_force_out *out) {
  out->w[6] = -*(const double *)context * in->B->x.x;
  out->w[0] = -out->w[6];
}

static hk_model *pulled_model(double *stiffness) {
  hk_error err = {0};
  hk_diag diag;
  hk_diag_init(&diag);
  static const char text[] =
      "format: 1\n"
      "bodies: {m: {type: point_mass, mass: 1 kg, velocity: [1 m/s, 0, 0]}}\n"
      "forces: {own: {type: load, b: m, force: [\"-1 N/m * m.x\", 0, 0]}}\n"
      "analysis: {duration: 4 s}\n";
  hk_spec *spec = hk_model_text_read("m", text, sizeof text - 1, NULL, 0, &diag);
  if (!spec) print_messages(&diag);
  assert_non_null(spec);
  hk_item *f = hk_spec_add(spec, HK_FORCE, "callback", "pull", &err);
  assert_non_null(f);
  assert_int_equal(hk_item_text(f, "b", "m", &err), HK_OK);
  assert_int_equal(hk_force_callback(f, pull, stiffness, &err), HK_OK);
  hk_model *m = hk_model_compile(spec, &diag);
  if (!m) print_messages(&diag);
  assert_non_null(m);
  hk_diag_free(&diag);
  return m;
}

/* The callback depends on a value that the program changes between the start and the first step:
 * the cached steps must not be used then. */
static void assert_asked_in_the_run(hk_model *m, double *stiffness) {
  *stiffness = 0;
  hk_sim *sim = sim_of(m, NULL);
  assert_null(sim->cache.first);
  *stiffness = 99;
  hk_error err = {0};
  if (hk_sim_advance(sim, 4, &err)) fail_msg("%s", err.text);
  assert_near(channel(sim, m, "m.x"), 0.1 * sin(40), 1e-6, "place");
  hk_sim_destroy(sim);
  hk_model_destroy(m);
}

static void functions_of_a_program_are_asked_in_the_run(void **state) {
  (void)state;
  double stiffness = 0;
  assert_asked_in_the_run(pulled_model(&stiffness), &stiffness);
}

typedef struct ends {
  const char *a, *b;
} ends;
static const ends defaults = {.a = "ground"};
static const hk_param params[] = {HK_FRAME(ends, a, 0, "first end"),
                                  HK_FRAME(ends, b, HK_REQUIRED, "second end")};

static hk_status bind(const hk_item *item, hk_force_binding *b, hk_error *err) {
  (void)err;
  const ends *p = hk_item_data(item);
  b->a = p->a, b->b = p->b;
  return HK_OK;
}

static double outside; /* set by the program */

static void eval(const void *data, const hk_force_in *in, hk_force_out *out) {
  (void)data;
  pull(&outside, in, out);
}

static void types_of_a_program_are_asked_in_the_run(void **state) {
  (void)state;
  static const hk_force_ops ops = {.bind = bind, .eval = eval};
  static const hk_type type = {.name = "pull",
                               .category = HK_FORCE,
                               .doc = "Pull.",
                               .source = "test",
                               .size = sizeof(ends),
                               .defaults = &defaults,
                               HK_TABLE(params),
                               .ops = &ops};
  hk_registry *types = hk_registry_create();
  MUST(hk_registry_add(types, &type, err));
  assert_asked_in_the_run(
      model_of_types(types,
                     "format: 1\n"
                     "bodies: {m: {type: point_mass, mass: 1 kg, velocity: [1 m/s, 0, 0]}}\n"
                     "forces:\n"
                     "  own: {type: load, b: m, force: [\"-1 N/m * m.x\", 0, 0]}\n"
                     "  pull: {type: pull, b: m}\n"
                     "analysis: {duration: 4 s}\n"),
      &outside);
  hk_registry_destroy(types);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(nothing_tells_them_apart),
      cmocka_unit_test(steps_that_change_the_matrices),
      cmocka_unit_test(steps_that_meet_jumps),
      cmocka_unit_test(steps_before_and_behind_a_rival),
      cmocka_unit_test(films_are_judged_on),
      cmocka_unit_test(states_and_limits_are_judged_on),
      cmocka_unit_test(another_end_drops_them),
      cmocka_unit_test(a_far_end_makes_no_difference),
      cmocka_unit_test(an_input_drops_them),
      cmocka_unit_test(a_state_drops_them_unless_it_is_the_same),
      cmocka_unit_test(a_checkpoint_among_them),
      cmocka_unit_test(large_models_keep_fewer),
      cmocka_unit_test(functions_of_a_program_are_asked_in_the_run),
      cmocka_unit_test(types_of_a_program_are_asked_in_the_run),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
