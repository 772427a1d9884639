/* Flexible bodies in model files: what is refused or warned of, and their static equilibrium. */
#include "support/check.h"
#include "core/map.h"
#include "node/flexible.h"
#include "sim/sim.h"
#include <hooke/linear.h>

static hk_model *read_model(const hk_override *set, int n, hk_diag *diag) {
  char path[600];
  snprintf(path, sizeof path, "%s/examples/flexible/slider_crank.yaml", HOOKE_SOURCE_DIR);
  hk_diag_init(diag);
  hk_spec *spec = hk_model_file_read(path, set, n, diag);
  return spec ? hk_model_compile(spec, diag) : NULL;
}

static bool said(const hk_diag *diag, const char *words) {
  for (int i = 0; i < diag->n; i++)
    if (strstr(diag->message[i].text, words)) return true;
  return false;
}

/* The model with one change: compiled or not, with these words in a message. */
static void change(const char *path, const char *value, bool accepted, const char *words) {
  const hk_override set = {path, value};
  hk_diag diag;
  hk_model *m = read_model(&set, 1, &diag);
  if (!said(&diag, words)) {
    print_messages(&diag);
    fail_msg("%s: no message contains '%s'", path, words);
  }
  assert_true((m != NULL) == accepted);
  hk_model_destroy(m);
  hk_diag_free(&diag);
}

static void messages(void **state) {
  (void)state;
  change("bodies.rod.file", "nothing.h5", false, "cannot read");
  change("bodies.rod.file", "slider_crank.yaml", false, "not an HDF5 file");
  change("bodies.rod.damping_ratio", "0.01", false, "give the frequency at which it applies");
  change("bodies.rod.statics_damping_ratio", "0.1", false, "does not contain the frequencies");
  change("joints.big_end.b", "rod", false, "name one of its interfaces, such as 'rod.A'");
  change("joints.big_end.b", "rod.C", false, "there is no body or marker 'rod.C'");
  change("joints.big_end.b", "rod.middle", true, "a set of nodes that is only observed");
  change("joints.big_end.at", "[0.16 m, 0, 0]", true,
         "0.01 m away from 'rod.A', with which the joint");
  change("bodies.rod.markers", "{x: {at: [0.02 m, 0, 0]}}", true, "0.02 m away from interface 'A'");
  change("bodies.rod.markers", "{x: {at: [0.16 m, 0, 0]}}", true, "0.14 m away from interface 'B'");
}

static void rigid_contact_is_refused(void **state) {
  (void)state;
  const hk_override set[] = {
      {"laws.hard", "{type: signorini}"},
      {"contacts.floor", "{type: sphere_on_plane, a: ground, b: rod.A, radius: 1 mm, law: hard}"}};
  hk_diag diag;
  hk_model *m = read_model(set, 2, &diag);
  assert_null(m);
  assert_true(said(&diag, "rigid contact does not support"));
  hk_diag_free(&diag);
}

/* Two bodies of one file share its data. */
static void data_is_shared(void **state) {
  (void)state;
  char twin[700];
  snprintf(twin, sizeof twin,
           "{type: flexible_body, file: %s/examples/flexible/rod.h5, position: [0, 1 m, 0]}",
           HOOKE_SOURCE_DIR);
  const hk_override set = {"bodies.twin", twin};
  hk_diag diag;
  hk_model *m = read_model(&set, 1, &diag);
  if (!m) print_messages(&diag);
  assert_non_null(m);
  const hk_flexible_data *first = NULL;
  int found = 0;
  for (int i = 0; i < m->n_nodes; i++) {
    if (m->node[i].type != &hk_node_flexible) continue;
    const hk_flexible_body *p = m->node[i].item->data;
    if (found++) assert_ptr_equal(p->data, first);
    first = p->data;
  }
  assert_int_equal(found, 2);
  hk_model_destroy(m);
  hk_diag_free(&diag);
}

/* The rod as a cantilever under its weight, and held without any load at a place to which the assembly moves it. */
static void equilibrium(void **state) {
  (void)state;
  const hk_override set[] = {
      {"joints", "{held: {type: fixed, a: ground, b: rod.A, at: [0.15 m, 0, 0]}}"},
      {"motions", "{}"},
      {"bodies.crank", "~"},
      {"bodies.slider", "~"},
      {"forces.g", "{type: gravity, acceleration: [0, -9.81 m/s^2, 0]}"}};
  for (int loaded = 0; loaded < 2; loaded++) {
    hk_diag diag;
    hk_error err = {0};
    hk_sim *sim = NULL;
    hk_static_report report;
    hk_override own[5];
    memcpy(own, set, sizeof own);
    if (!loaded) own[0].value = "{held: {type: fixed, a: ground, b: rod.A}}";
    hk_model *m = read_model(own, 4 + loaded, &diag);
    if (!m) print_messages(&diag);
    assert_non_null(m);
    if (hk_static_solve(m, NULL, &sim, &report, &diag, &err)) fail_msg("%s", err.text);
    double sag = hk_sim_value(sim, hk_model_channel_find(m, "rod.B.y"));
    if (loaded) assert_near(1e3 * sag, -0.17371153, 1e-5, "sag"); /* of the reference */
    hk_sim_destroy(sim);
    hk_model_destroy(m);
    hk_diag_free(&diag);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(messages),
      cmocka_unit_test(rigid_contact_is_refused),
      cmocka_unit_test(data_is_shared),
      cmocka_unit_test(equilibrium),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
