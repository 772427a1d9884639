/* The channels that `hooke types` lists for a type are exactly those of its items in compiled models: names and
 * units, for every registered type.  Items are drawn at random in the world of src/conform.  For types whose
 * parameters must fit each other (gears, composite joints) items of the examples are used.  A type without any
 * such model fails the test. */
#include "support/subject.h"
#include "conform/listed_channels.h"
#include "model/model.h"

enum { MAX_TYPES = 200, DRAWS = 1500, ENOUGH = 8 };

static hk_listed every_type[MAX_TYPES];
static int n_types, n_wrong;

static void list_every_type(void) {
  for (int c = 0; c < HK_N_CATEGORIES; c++)
    for (int i = 0; i < hk_registry_count(subjects(), (hk_category)c); i++) {
      assert_true(n_types < MAX_TYPES);
      assert_true(hk_listed_fill(subjects(), hk_registry_at(subjects(), (hk_category)c, i),
                                 &every_type[n_types++]));
    }
}

static hk_listed *listed_of(void *context, const hk_type *type) {
  (void)context;
  for (int i = 0; i < n_types; i++)
    if (every_type[i].type == type) return &every_type[i];
  fail_msg("type '%s' is not registered", type->name);
  return NULL;
}

static void differs(void *context, const char *sentence) {
  (void)context;
  n_wrong++;
  print_error("%s\n", sentence);
}

static void judge_model(const hk_model *m) {
  const hk_listed_look look = {m, listed_of, differs, NULL};
  for (int c = 0; c < HK_N_CATEGORIES; c++)
    for (int i = 0; i < m->spec->n[c]; i++) hk_listed_judge(&look, m->spec->item[c][i]);
}

/* ---- models ---- */

static void nothing(void *context, const hk_force_in *in, hk_force_out *out) { (void)context; }

/* A test model with one item of the type and one contact with the law; NULL: the type rejected it, with the
 * reason. */
static hk_model *draw(const hk_type *type, const hk_type *law, char why[1024]) {
  hk_trial *t = trial();
  hk_error err = {0};
  hk_diag diag;
  const hk_between s = {(hk_side)pick(HK_N_SIDES), (hk_side)pick(HK_N_SIDES), true, true};
  hk_spec *spec = hk_spec_create_with(subjects());
  hk_world_build(t, spec);
  hk_item *touch = add_item(spec, HK_CONTACT, "point_on_plane", "touch");
  set_text(touch, "b", "spot");
  set_text(touch, "law", "law");
  hk_item *under = add_item(spec, HK_LAW, law->name, "law");
  hk_item *item =
      type->category == HK_LAW ? under : add_item(spec, type->category, type->name, "subject");
  hk_status status = hk_draw_item(t, under, &s, &err);
  if (!status && item != under) status = hk_draw_item(t, item, &s, &err);
  if (!status && type->category == HK_FORCE && type->in_programs_only)
    status = hk_force_callback(item, nothing, NULL, &err);
  random_state = t->random;
  snprintf(why, 1024, "%s", err.text);
  if (status) hk_spec_destroy(spec);
  if (status) return NULL;
  hk_diag_init(&diag);
  hk_model *m = hk_model_compile(spec, &diag);
  for (int i = 0; i < diag.n; i++)
    if (diag.message[i].severity == HK_ERROR) snprintf(why, 1024, "%s", diag.message[i].text);
  hk_diag_free(&diag);
  return m;
}

static bool all_offered(const hk_listed *j) {
  for (int i = 0; i < j->n; i++)
    if (!j->channel[i].offered) return false;
  return true;
}

static void judge_draws(hk_listed *j) {
  char why[1024] = "";
  bool placed =
      j->type->category == HK_FORCE && ((const hk_force_ops *)j->type->ops)->set_placement;
  if (hk_subject_is_composite(j->type) || placed || !j->n) return; /* in examples */
  int laws = hk_registry_count(subjects(), HK_LAW);
  for (int k = 0; k < DRAWS && !(all_offered(j) && j->items >= ENOUGH); k++) {
    const hk_type *law =
        j->type->category == HK_LAW ? j->type : hk_registry_at(subjects(), HK_LAW, k % laws);
    hk_model *m = draw(j->type, law, why);
    if (m) judge_model(m);
    hk_model_destroy(m);
  }
}

static void judge_example(const char *name) {
  char path[512];
  hk_diag diag;
  hk_diag_init(&diag);
  snprintf(path, sizeof path, "%s/examples/%s", HOOKE_SOURCE_DIR, name);
  hk_spec *spec = hk_model_file_read_with(subjects(), path, NULL, 0, &diag);
  hk_model *m = spec ? hk_model_compile(spec, &diag) : NULL;
  if (!m) print_messages(&diag);
  hk_diag_free(&diag);
  assert_non_null(m);
  judge_model(m);
  hk_model_destroy(m);
}

/* Trunnions with an interference fit; no example has them. */
static const char SOFT_BORES[] =
    "format: 1\n"
    "bodies:\n"
    "  input: {type: rotor, inertia: 0.01 kg*m^2}\n"
    "  output: {type: rotor, inertia: 0.02 kg*m^2, orientation: {axis: y, angle: 20 deg}}\n"
    "joints:\n"
    "  joint: {type: universal_clearance_joint, fidelity: spatial, a: input, b: output, bend: 20 "
    "deg,\n"
    "    clearance_a: 0.1 mm, clearance_b: 0.1 mm, arm: 30 mm, length: 15 mm, pin_radius: 8 mm,\n"
    "    cross_mass: 0.2 kg, cross_inertia: [1 kg*cm^2, 1 kg*cm^2, 2 kg*cm^2], law: soft}\n"
    "laws: {soft: {type: hertz, stiffness: 1e9 N/m^1.5}}\n";

/* A spring along an angle. */
static const char TORSION[] =
    "format: 1\n"
    "bodies: {wheel: {type: rotor, inertia: 0.01 kg*m^2}}\n"
    "forces: {clutch: {type: nonlinear_spring, coordinate: wheel.angle, spring: 5 "
    "N*m*deflection^3}}\n";

/* A shaft that ends freely. */
static const char FREE_END[] =
    "format: 1\n"
    "joints: {bar: {type: shaft, a: ground, hold: a, lengths: [1 m], outer_diameters: [20 mm]}}\n";

/* A shaft on a ball and a roller bearing. */
static const char BEARINGS[] =
    "format: 1\n"
    "bodies:\n"
    "  ground: {markers: {left: [0, 0, 0], right: [0, 0, 0.2 m]}}\n"
    "  shaft: {type: cylinder, radius: 15 mm, length: 0.3 m, mass: 2 kg, position: [0, 0, 0.1 m],\n"
    "    markers: {left: [0, 0, -0.1 m], right: [0, 0, 0.1 m]}}\n"
    "joints:\n"
    "  ball: {type: ball_bearing, fidelity: quasi_static, a: ground.left, b: shaft.left, balls: "
    "9,\n"
    "    ball_diameter: 9.525 mm, pitch_diameter: 46 mm}\n"
    "  roller: {type: roller_bearing, fidelity: quasi_static, a: ground.right, b: shaft.right,\n"
    "    rollers: 14, roller_diameter: 7.5 mm, roller_length: 9 mm, pitch_diameter: 46 mm}\n";

static void models_offer_what_is_listed(void **state) {
  (void)state;
  static const char *const example[] = {"cv_joint/plunging.yaml",
                                        "cv_joint/rzeppa.yaml",
                                        "cv_joint/tripod.yaml",
                                        "ujoint_clearance/spatial.yaml",
                                        "ujoint_clearance/driveline.yaml",
                                        "half_shaft/bar.yaml",
                                        "clearance/four_bar_films.yaml",
                                        "slider_crank_clearance/dry.yaml",
                                        "slider_crank_clearance/lubricated.yaml",
                                        "gears/two_stage.yaml",
                                        "bearings/rotor.yaml",
                                        "control/hydraulic.yaml",
                                        "flexible/slider_crank.yaml"};
  random_seed(7);
  list_every_type();
  for (size_t i = 0; i < sizeof example / sizeof *example; i++) judge_example(example[i]);
  static const char *const text[] = {SOFT_BORES, TORSION, FREE_END, BEARINGS};
  for (size_t i = 0; i < sizeof text / sizeof *text; i++) {
    hk_model *m = model_of_types(subjects(), text[i]);
    judge_model(m);
    hk_model_destroy(m);
  }
  for (int i = 0; i < n_types; i++) judge_draws(&every_type[i]);
  for (int i = 0; i < n_types; i++) {
    const hk_listed *j = &every_type[i];
    if (!j->items && j->n)
      print_error("no model has an item of type '%s': add an example to this test\n",
                  j->type->name),
          n_wrong++;
    for (int k = 0; k < j->n; k++)
      if (j->items && !j->channel[k].offered)
        print_error("%s '%s': '%s' [%s] is listed, and no model offers it\n",
                    hk_category_name(j->type->category), j->type->name, j->channel[k].name,
                    j->channel[k].unit),
            n_wrong++;
  }
  if (n_wrong) fail_msg("%d channels differ", n_wrong);
}

/* ---- what a message lists ---- */

/* The message about a sensor of this channel of body b; empty: the model has it. */
static void message_about(const char *body, const char *what, char out[1024]) {
  char text[400];
  hk_diag diag;
  hk_diag_init(&diag);
  snprintf(text, sizeof text, "format: 1\nbodies: {b: {%s}}\nsensors: {s: {value: b.%s}}\n", body,
           what);
  hk_spec *spec = hk_model_text_read_with(subjects(), "text", text, strlen(text), NULL, 0, &diag);
  hk_model *m = spec ? hk_model_compile(spec, &diag) : NULL;
  snprintf(out, 1024, "%s", m || !diag.n ? "" : diag.message[0].text);
  hk_model_destroy(m);
  hk_diag_free(&diag);
}

/* The message about an unknown name lists the channels of the body: each of them must exist. */
static void messages_list_what_there_is(void **state) {
  (void)state;
  static const char *const body[] = {"type: sphere, radius: 1 m, mass: 1 kg",
                                     "type: point_mass, mass: 1 kg",
                                     "type: rotor, inertia: 1 kg*m^2"};
  for (size_t i = 0; i < sizeof body / sizeof *body; i++) {
    char text[1024], told[1024], *rest = NULL;
    int n = 0;
    message_about(body[i], "nothing", text);
    char *list = strstr(text, "'b' has ");
    assert_non_null(list);
    list += strlen("'b' has ");
    list[strcspn(list, ";")] = 0;
    for (char *word = strtok_r(list, ", ", &rest); word; word = strtok_r(NULL, ", ", &rest), n++) {
      message_about(body[i], word, told);
      if (*told) fail_msg("'%s' of {%s} is listed, but: %s", word, body[i], told);
    }
    assert_true(n > 1);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(models_offer_what_is_listed),
                                     cmocka_unit_test(messages_list_what_there_is)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
