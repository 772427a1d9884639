/* Types that a program adds: what a registry accepts and rejects, callbacks, derivatives by finite
 * differences. */
#include "support/check.h"
#include "registry/builtin.h"
#include "spec/registry.h"
#include <hooke/integrator.h>
#include <hooke/hooke.h>

/* ---- registries ---- */

typedef struct pull {
  const char *a, *b;
  double force;
} pull;
static const pull defaults = {.a = "ground"};
static const hk_param params[] = {
    HK_FRAME(pull, a, 0, "first end"),
    HK_FRAME(pull, b, HK_REQUIRED, "second end"),
    HK_REAL(pull, force, "N", HK_REQUIRED, "tension"),
};
static hk_status bind(const hk_item *item, hk_force_binding *b, hk_error *err) {
  const pull *p = hk_item_data(item);
  b->a = p->a;
  b->b = p->b;
  b->relation = &hk_relation_distance;
  return HK_OK;
}
static void eval(const void *data, const hk_force_in *in, hk_force_out *out) {
  out->F = -((const pull *)data)->force;
  out->potential = ((const pull *)data)->force * in->c;
}
static const hk_force_ops ops = {.bind = bind, .eval = eval};
static const hk_type good = {.name = "pull",
                             .category = HK_FORCE,
                             .doc = "A constant tension.",
                             .source = "test",
                             .size = sizeof(pull),
                             .defaults = &defaults,
                             HK_TABLE(params),
                             .ops = &ops};

static hk_status weigh(const hk_item *item, hk_mass_properties *out, hk_error *err) {
  out->mass = 1;
  return HK_OK;
}

static void assert_refused(const hk_type *type, const char *why) {
  hk_registry *r = hk_registry_create();
  hk_error err = {0};
  assert_non_null(r);
  assert_int_equal(hk_registry_add(r, type, &err), HK_EINPUT);
  if (!strstr(err.text, why)) fail_msg("not '%s' but '%s'", why, err.text);
  hk_registry_destroy(r);
}

static void a_registry_takes_sound_types_only(void **state) {
  (void)state;
  static const hk_param outside[] = {HK_REAL(pull, force, "N", 0, "tension")};
  static const hk_param unit[] = {HK_REAL(pull, force, "furlong", 0, "tension")};
  static const hk_param twice[] = {HK_REAL(pull, force, "N", 0, "one"),
                                   HK_REAL(pull, force, "N", 0, "two")};
  static const hk_force_ops no_bind = {.eval = eval};
  static const hk_quantity bare[] = {{"ratio", NULL, "a number"}};
  hk_force_ops no_unit = *(const hk_force_ops *)good.ops;
  no_unit.channel = bare, no_unit.n_channels = 1;
  hk_type t = good;
  assert_refused(NULL, "name of a type");
  t.name = "Pull", assert_refused(&t, "small letter"), t = good;
  t.doc = NULL, assert_refused(&t, "has no doc"), t = good;
  t.ops = &no_bind, assert_refused(&t, "needs bind"), t = good;
  t.ops = NULL, assert_refused(&t, "has no ops"), t = good;
  t.ops = &no_unit, assert_refused(&t, "channel without a unit"), t = good;
  t.defaults = NULL, assert_refused(&t, "defaults"), t = good;
  t.params = outside, t.n_params = 1, t.size = 8, assert_refused(&t, "outside"), t = good;
  t.params = unit, t.n_params = 1, assert_refused(&t, "furlong"), t = good;
  t.params = twice, t.n_params = 2, assert_refused(&t, "twice"), t = good;
  t.name = "gravity", assert_refused(&t, "already"), t = good;
  /* A body without coordinates, and categories whose functions cannot be checked. */
  const hk_body_ops no_node = {.mass = weigh};
  t.category = HK_BODY, t.ops = &no_node, assert_refused(&t, "needs a node"), t = good;
  static const hk_integrator no_attempt = {.order = 2};
  t.category = HK_STEPPER, t.ops = &no_attempt, assert_refused(&t, "needs the function attempt");
  t = good;
  static const hk_category closed[] = {HK_SHAPE, HK_STATE,   HK_TABLE,
                                       HK_INPUT, HK_MEASURE, HK_ANALYSIS};
  for (size_t i = 0; i < sizeof closed / sizeof *closed; i++)
    t.category = closed[i], assert_refused(&t, "cannot be added");
  hk_error err = {0};
  assert_int_equal(hk_registry_add((hk_registry *)hk_registry_builtin(), &good, &err), HK_EINPUT);
}

static void a_type_of_a_program_is_used_by_models(void **state) {
  (void)state;
  static const char text[] =
      "format: 1\nbodies: {ball: {type: point_mass, mass: 2 kg, position: [1 m, 0, 0]}}\n"
      "forces: {rope: {type: pull, b: ball, force: 3 N}}\n";
  hk_registry *r = hk_registry_create();
  hk_error err = {0};
  hk_diag diag;
  hk_diag_init(&diag);
  assert_int_equal(hk_registry_add(r, &good, &err), HK_OK);
  assert_int_equal(hk_registry_count(r, HK_FORCE),
                   hk_registry_count(hk_registry_builtin(), HK_FORCE) + 1);
  hk_spec *spec = hk_model_text_read_with(r, "m", text, sizeof text - 1, NULL, 0, &diag);
  hk_model *m = spec ? hk_model_compile(spec, &diag) : NULL;
  if (!m) print_messages(&diag);
  assert_non_null(m);
  hk_sim *sim = sim_of(m, NULL);
  assert_near(channel(sim, m, "ball.ax"), -1.5, 1e-12, "acceleration");
  hk_sim_destroy(sim);
  hk_model_destroy(m);
  hk_conform_report report;
  if (hk_conform(r, HK_FORCE, "pull", NULL, &report, &err)) fail_msg("%s", err.text);
  hk_registry_destroy(r);
  hk_diag_free(&diag);
}

/* ---- constants ---- */

static int made; /* number of times the constants were computed */

static hk_status take_long(const hk_item *item, hk_arena *arena, const void **constants,
                           hk_error *err) {
  (void)item, (void)err;
  made++;
  *constants = hk_arena_alloc(arena, 1);
  return HK_OK;
}

static void constants_wait_until_all_else_is_right(void **state) {
  (void)state;
  hk_force_ops slow = *(const hk_force_ops *)good.ops;
  slow.prepare = take_long;
  hk_type type = good;
  type.ops = &slow;
  hk_registry *r = hk_registry_create();
  hk_error err = {0};
  assert_int_equal(hk_registry_add(r, &type, &err), HK_OK);
  for (int right = 0; right < 2; right++) {
    char text[512];
    snprintf(
        text, sizeof text,
        "format: 1\nbodies: {ball: {type: sphere, radius: 1 m, mass: 2 kg, position: [1 m, 0, "
        "0]}}\n"
        "forces: {rope: {type: pull, b: ball, force: 3 N}}\n"
        "laws: {steel: {type: hertz, stiffness: 1e6 N/m^1.5}, teeth: {type: dry_line}}\n"
        "contacts: {floor: {type: sphere_on_plane, a: ground, b: ball, law: %s, radius: 1 m}}\n",
        right ? "steel" : "teeth");
    hk_diag diag;
    hk_diag_init(&diag);
    hk_spec *spec = hk_model_text_read_with(r, "m", text, strlen(text), NULL, 0, &diag);
    assert_non_null(spec);
    hk_model *m = hk_model_compile(spec, &diag);
    if (right && !m) print_messages(&diag);
    assert_true(right == (m != NULL));
    assert_int_equal(made, right);
    hk_model_destroy(m);
    hk_diag_free(&diag);
  }
  hk_registry_destroy(r);
}

/* ---- callbacks ---- */

/* A damper and a cubic spring between two frames, and along a coordinate. */
static void act(void *context, const hk_force_in *in, hk_force_out *out) {
  ++*(long *)context;
  if (!in->A) {
    out->F = -in->c * in->c * in->c - 0.3 * in->rate;
    out->potential = 0.25 * pow(in->c, 4);
    out->dissipated = 0.3 * in->rate * in->rate;
    return;
  }
  hk_vec3 d = hk_sub(in->B->x, in->A->x), F = hk_scale(-hk_dot(d, d), d), M = hk_cross(d, F);
  const double w[12] = {-F.x, -F.y, -F.z, -M.x, -M.y, -M.z, F.x, F.y, F.z, 0, 0, 0};
  memcpy(out->w, w, sizeof w);
  out->potential = 0.25 * hk_dot(d, d) * hk_dot(d, d);
}

static hk_status complete(void *context, hk_item *item, hk_error *err) {
  return hk_force_callback(item, act, context, err);
}

static void a_callback_conforms(void **state) {
  (void)state;
  long calls = 0;
  static const char *const check[] = {"table", "parameters", "tangent", "balance", "power"};
  for (int i = 0; i < 5; i++) {
    hk_conform_options o = {.only = check[i], .complete = complete, .context = &calls};
    hk_conform_report report;
    hk_error err = {0};
    if (hk_conform(hk_registry_builtin(), HK_FORCE, "callback", &o, &report, &err))
      fail_msg("%s: %s", err.text, report.check[0].text);
  }
  assert_true(calls > 1000);
}

static void twist(void *context, const hk_force_in *in, hk_force_out *out) {
  (void)context, (void)in;
  out->w[11] = 1;
}

/* A point mass has no rotation: a function that applies a moment to it is rejected at the start of a run. */
static void a_moment_on_a_point_is_refused(void **state) {
  (void)state;
  hk_error err = {0};
  hk_diag diag;
  hk_diag_init(&diag);
  hk_spec *spec = hk_spec_create();
  set_real(add_item(spec, HK_BODY, "point_mass", "ball"), "mass", 1);
  hk_item *f = add_item(spec, HK_FORCE, "callback", "f");
  set_text(f, "b", "ball");
  assert_int_equal(hk_force_callback(f, twist, NULL, &err), HK_OK);
  hk_model *m = hk_model_compile(spec, &diag);
  assert_non_null(m);
  hk_sim *sim = NULL;
  assert_int_equal(hk_sim_create(m, NULL, &sim, NULL, &err), HK_EFAIL);
  assert_non_null(strstr(err.text, "it exerts a moment on a point mass"));
  hk_model_destroy(m);
  hk_diag_free(&diag);
}

static void differences_are_told_once(void **state) {
  (void)state;
  long calls = 0;
  hk_error err = {0};
  hk_diag diag;
  hk_diag_init(&diag);
  hk_spec *spec = hk_spec_create();
  set_real(add_item(spec, HK_BODY, "point_mass", "ball"), "mass", 1);
  for (int i = 0; i < 3; i++) {
    char name[16];
    snprintf(name, sizeof name, "f%d", i);
    hk_item *f = add_item(spec, HK_FORCE, "callback", name);
    set_text(f, "b", "ball");
    assert_int_equal(hk_force_callback(f, act, &calls, &err), HK_OK);
  }
  assert_int_equal(hk_force_callback(hk_spec_find(spec, HK_BODY, "ball"), act, NULL, &err),
                   HK_EINPUT);
  assert_int_equal(hk_force_callback(hk_spec_find(spec, HK_FORCE, "f0"), NULL, NULL, &err),
                   HK_EINPUT);
  hk_model *m = hk_model_compile(spec, &diag);
  assert_non_null(m);
  assert_int_equal(diag.n, 1);
  assert_int_equal(diag.message[0].severity, HK_NOTE);
  assert_non_null(strstr(diag.message[0].text, "differences"));
  hk_model_destroy(m);
  hk_diag_free(&diag);
}

/* ---- relations ---- */

static void relations_by_differences_are_those_written_out(void **state) {
  (void)state;
  const hk_relation_type *const all[] = {&hk_relation_along, &hk_relation_dot,
                                         &hk_relation_distance, &hk_relation_point,
                                         &hk_relation_articulation};
  for (int i = 0; i < 5; i++)
    for (int draw = 0; draw < 20; draw++) {
      hk_frame f[2];
      const double k[9] = {0.6, 0, 0.8, 0, 1, 0, 0.1}, factor[3] = {0.7, -0.4, 1.1};
      double b[3] = {0}, got[3] = {0}, K[12][12] = {{0}}, by[12][12] = {{0}};
      for (int s = 0; s < 2; s++) {
        f[s] = (hk_frame){.x = random_vector(1), .v = random_vector(1), .w = random_vector(1)};
        f[s].R = hk_quat_matrix(random_rotation());
      }
      all[i]->bias(k, &f[0], &f[1], b);
      if (all[i]->curvature) all[i]->curvature(k, &f[0], &f[1], factor, K);
      hk_relation_bias_numerical(all[i], k, &f[0], &f[1], got);
      hk_relation_curvature_numerical(all[i], k, &f[0], &f[1], factor, by);
      bool mild = true;
      for (int r = 0; r < 144; r++) mild = mild && fabs(K[r / 12][r % 12]) < 20;
      if (!mild) continue;
      for (int r = 0; r < all[i]->rows; r++) assert_near(got[r], b[r], 1e-6, "bias of %d", i);
      for (int r = 0; r < 144; r++)
        assert_near(by[r / 12][r % 12], K[r / 12][r % 12], 1e-6, "curvature of %d, %d", i, r);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_registry_takes_sound_types_only),
      cmocka_unit_test(a_type_of_a_program_is_used_by_models),
      cmocka_unit_test(constants_wait_until_all_else_is_right),
      cmocka_unit_test(a_callback_conforms),
      cmocka_unit_test(a_moment_on_a_point_is_refused),
      cmocka_unit_test(differences_are_told_once),
      cmocka_unit_test(relations_by_differences_are_those_written_out),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
