/* Modes of large models, against the dense method and closed forms. */
#include "linear_case.h"

static void chain(char *text, size_t size, int n, const char *damping) {
  snprintf(
      text, size,
      "format: 1\n"
      "parameters: {n: %d, L: 0.1 m}\n"
      "bodies: {link: {repeat: {i: 1..n}, type: rod, length: L, mass: 0.1 kg,\n"
      "         position: [0, -(i - 0.5)*L, 0], orientation: {axis: z, angle: -90 deg}}}\n"
      "joints:\n"
      "  first: {type: revolute, b: \"link[1].start\", at: [0, 0, 0], axis: z}\n"
      "  pin: {repeat: {i: 2..n}, type: revolute, a: \"link[i-1].end\", b: \"link[i].start\",\n"
      "        at: [0, -(i - 1)*L, 0], axis: z}\n"
      "forces:\n"
      "  g: {type: gravity, acceleration: [0, -9.81 m/s^2, 0]}\n"
      "%s",
      n, damping);
}

static void compare_methods(const char *damping, int limit) {
  char text[1500];
  chain(text, sizeof text, 30, damping);
  solution dense, sparse;
  at_rest(&dense, text);
  if (try_static(&sparse, text, false)) fail_msg("%s", sparse.err.text);
  linearise(&sparse, 1, &(hk_modes_options){.count = 12, .project_limit = limit});
  assert_string_equal(dense.modes.method, "dense");
  assert_string_equal(sparse.modes.method, limit < 0 ? "sparse" : "projected");
  assert_int_equal(sparse.modes.complete, limit == 0);
  assert_int_equal(dense.modes.n, 60);
  assert_true(sparse.modes.n >= 12);
  assert_int_equal(sparse.linear->dof, 30);
  for (int i = 0; i < 12; i++) {
    const hk_mode *m = &sparse.modes.mode[i];
    assert_has(&dense, m->re, m->im, 1);
    /* The shape, up to its factor: both have 1 as their largest component. */
    const hk_mode *d = NULL;
    for (int k = 0; k < dense.modes.n; k++)
      if (hypot(dense.modes.mode[k].re - m->re, dense.modes.mode[k].im - m->im) < 1e-7)
        d = &dense.modes.mode[k];
    assert_non_null(d);
    double worst = 0;
    for (int k = 0; k < 2 * dense.linear->n; k++)
      worst = fmax(worst, fabs(fabs(d->shape[k]) - fabs(m->shape[k])));
    assert_true(worst < 1e-6);
  }
  release(&dense);
  release(&sparse);
}

static void sparse_equals_dense(void **state) {
  compare_methods("", 0);
  compare_methods("", -1);
}

static void sparse_equals_dense_with_damping(void **state) {
  static const char damping[] =
      "  d: {repeat: {i: 2..n}, type: torsion_spring, coordinate: \"pin[i].angle\",\n"
      "      stiffness: 0, damping: 2e-4 N*m*s/rad}\n";
  compare_methods(damping, 0);
  compare_methods(damping, -1);
}

/* A rotor in bearings, and a free body that spins about the axis of its smallest inertia. */
static const char SPINNING[] =
    "format: 1\n"
    "bodies:\n"
    "  disc: {mass: 2 kg, inertia: [1.2e-3 kg*m^2, %s, 2e-3 kg*m^2],\n"
    "         orientation: {axis: x, angle: 30 deg},\n"
    "         angular_velocity: [0, -150 rad/s, 300 rad/s * cos(30 deg)],\n"
    "         markers: {l: [0, 0, -0.2 m], r: [0, 0, 0.2 m]}}\n"
    "  ground: {markers: {l: [0, 0.1 m, -0.2 m * cos(30 deg)],\n"
    "                     r: [0, -0.1 m, 0.2 m * cos(30 deg)]}}\n"
    "forces:\n"
    "  l: {type: bushing, a: ground.l, b: disc.l, stiffness: [1e5 N/m, %s, 1e5 N/m]}\n"
    "  r: {type: bushing, a: ground.r, b: disc.r, stiffness: [1e5 N/m, %s, 1e5 N/m]}\n";

static void sparse_spinning(void **state) {
  char text[1200];
  for (int limit = -1; limit <= 0; limit++) {
    solution dense, sparse;
    snprintf(text, sizeof text, SPINNING, "1.2e-3 kg*m^2", "1e5 N/m", "1e5 N/m");
    in_motion(&dense, text);
    linearise(&dense, 0, NULL);
    in_motion(&sparse, text);
    linearise(&sparse, 1, &(hk_modes_options){.project_limit = limit});
    assert_true(sparse.linear->sparse);
    assert_int_equal(sparse.linear->axes, HK_LINEAR_WORLD_AXES);
    assert_int_equal(dense.linear->axes, HK_LINEAR_WORLD_AXES);
    double b = 2e-3 * 300 / 1.2e-3 / 2, kt = 2 * 1e5 * 0.04 / 1.2e-3, root = sqrt(b * b + kt);
    assert_has(&dense, 0, root + b, 1);
    assert_has(&sparse, 0, root + b, 1);
    assert_has(&sparse, 0, root - b, 1);
    assert_int_equal(sparse.modes.n, dense.modes.n);
    release(&dense);
    release(&sparse);
    static const char book[] =
        "format: 1\n"
        "bodies: {book: {mass: 1 kg, inertia: [1 kg*m^2, 2 kg*m^2, 2.5 kg*m^2],\n"
        "                angular_velocity: [0, 3 rad/s, 0]}}\n";
    in_motion(&sparse, book);
    linearise(&sparse, 1, &(hk_modes_options){.project_limit = limit});
    assert_int_equal(sparse.linear->axes, HK_LINEAR_BODY_AXES);
    assert_has(&sparse, 3 * sqrt(1 * 0.5 / 2.5), 0, 1);
    release(&sparse);
  }
  /* Asymmetric in asymmetric bearings: not constant in any axes. */
  solution s;
  snprintf(text, sizeof text, SPINNING, "1.5e-3 kg*m^2", "2e5 N/m", "2e5 N/m");
  in_motion(&s, text);
  const hk_linear_options o = {.dense_limit = 1};
  assert_int_equal(hk_linear_create(s.sim, &o, &s.linear, NULL, &s.err), HK_EINPUT);
  assert_non_null(strstr(s.err.text, "change with time"));
  release(&s);
}

/* Ten equal pendulums among faster ones: one start vector finds only one of the equal modes. */
static void sparse_few_of_many_equal(void **state) {
  solution s;
  if (try_static(&s,
                 "format: 1\n"
                 "bodies: {bob: {repeat: {i: 1..80}, type: point_mass, mass: 1 kg,\n"
                 "               position: [i * 1 m, 0, 0]}}\n"
                 "joints: {rail: {repeat: {i: 1..80}, type: point_on_line, b: \"bob[i]\",\n"
                 "                axis: z, at: [i * 1 m, 0, 0]}}\n"
                 "forces: {k: {repeat: {i: 1..80}, type: load, b: \"bob[i]\",\n"
                 "             force: [0, 0, \"-max(100, 10*i) * 1 N/m * bob[i].z\"]}}\n",
                 false))
    fail_msg("%s", s.err.text);
  linearise(&s, 1, &(hk_modes_options){.count = 12, .project_limit = -1});
  assert_string_equal(s.modes.method, "sparse");
  assert_false(s.modes.complete);
  assert_int_equal(s.modes.n, 12);
  assert_has(&s, 0, 10, 6);
  release(&s);
}

/* Sixty balls on springs in a row: no stiffness in the lateral direction; these free modes come first. */
static void sparse_free_motions(void **state) {
  for (int damped = 0; damped < 2; damped++) {
    char text[700];
    solution s;
    snprintf(text, sizeof text,
             "format: 1\n"
             "parameters: {n: 60}\n"
             "bodies: {ball: {repeat: {i: 0..n}, type: point_mass, mass: 1 kg,\n"
             "                position: [i * 1 m, 0, 0]}}\n"
             "forces: {k: {repeat: {i: 0..n-1}, type: spring_damper, a: \"ball[i]\",\n"
             "             b: \"ball[i+1]\", stiffness: 1 kN/m + i * 1 N/m, length: 1 m,\n"
             "             damping: %d N*s/m}}\n",
             damped);
    if (try_static(&s, text, false)) fail_msg("%s", s.err.text);
    linearise(&s, 1, &(hk_modes_options){.count = 20, .project_limit = -1});
    assert_true(s.modes.n >= 20);
    assert_int_equal(s.modes.n_unstable, 0);
    for (int i = 0; i < s.modes.n; i++) assert_true(s.modes.mode[i].zero);
    release(&s);
  }
}

/* Equal eigenvalues, and modes that have no component in one start vector because of symmetry. */
static void sparse_finds_all(const char *text, double re, double im, int times, int n,
                             int infinite) {
  for (int limit = -1; limit <= 0; limit++) {
    solution s;
    if (try_static(&s, text, false)) fail_msg("%s", s.err.text);
    linearise(&s, 1, &(hk_modes_options){.project_limit = limit});
    assert_string_equal(s.modes.method, limit ? "sparse" : "projected");
    assert_true(s.modes.complete);
    assert_int_equal(s.modes.n, n);
    assert_int_equal(s.modes.n_infinite, infinite);
    assert_has(&s, re, im, times);
    release(&s);
  }
}

static void sparse_equal_eigenvalues(void **state) {
  sparse_finds_all(
      "format: 1\n"
      "bodies: {bob: {repeat: {i: 1..3}, mass: 1 kg, position: [i * 1 m, 0, -1 m],\n"
      "               inertia: [1 kg*m^2, 1 kg*m^2, 1 kg*m^2]}}\n"
      "joints: {pin: {repeat: {i: 1..3}, type: revolute, b: \"bob[i]\", axis: y,\n"
      "               at: [i * 1 m, 0, 0]}}\n"
      "forces: {g: {type: gravity, acceleration: [0, 0, -9.81 m/s^2]}}\n",
      0, sqrt(9.81 / 2), 3, 6, 0);
}

/* A massless body half way between two equal springs and dampers: its displacement decays as exp(-k/c t) while
 * the mass rests. */
static void sparse_hidden_mode(void **state) {
  sparse_finds_all(
      "format: 1\n"
      "bodies:\n"
      "  b: {mass: 1 kg, inertia: [1 kg*m^2, 1 kg*m^2, 1 kg*m^2], position: [0, 0, 1 m]}\n"
      "  n: {mass: 0 kg, position: [0, 0, 0.5 m]}\n"
      "joints:\n"
      "  p: {type: prismatic, b: b, at: [0, 0, 1 m], axis: z}\n"
      "  q: {type: prismatic, b: n, at: [0, 0, 0.5 m], axis: z}\n"
      "forces:\n"
      "  s: {type: spring_damper, b: n, stiffness: 100 N/m, damping: 10 N*s/m, length: 0.5 m}\n"
      "  u: {type: spring_damper, a: n, b: b, stiffness: 100 N/m, damping: 10 N*s/m,\n"
      "      length: 0.5 m}\n",
      -10, 0, 1, 3, 1);
}

/* Neither a free body nor a stiffness without work determines a scale. */
static void sparse_without_scale(void **state) {
  sparse_finds_all(
      "format: 1\n"
      "bodies: {b: {mass: 1 kg, inertia: [1 kg*m^2, 2 kg*m^2, 3 kg*m^2]}}\n",
      0, 0, 12, 12, 0);
  solution s;
  hk_diag diag;
  hk_diag_init(&diag);
  hk_spec *spec =
      hk_model_file_read(HOOKE_SOURCE_DIR "/examples/cv_linear/point.yaml", NULL, 0, &diag);
  assert_non_null(spec);
  s = (solution){.model = hk_model_compile(spec, &diag)};
  hk_diag_free(&diag);
  assert_non_null(s.model);
  if (hk_static_solve(s.model, NULL, &s.sim, &s.at, NULL, &s.err)) fail_msg("%s", s.err.text);
  linearise(&s, 1, NULL);
  for (int i = 0; i < 4; i++)
    assert_has(&s, i & 1 ? -sqrt(0.125) : sqrt(0.125), i & 2 ? -sqrt(0.125) : sqrt(0.125), 1);
  release(&s);
}

/* N four-bars in a row that hang: one degree of freedom,
 * omega^2 = g ((N + 1)/2 + N)/(L ((N + 1)/3 + N)). */
static void four_bars(void **state) {
  const hk_override set[] = {
      {"v0", "0 m/s"}, {"N", "100"}, {"forces.gravity.acceleration", "[0, 9.81 m/s^2, 0]"}};
  hk_diag diag;
  hk_diag_init(&diag);
  hk_spec *spec =
      hk_model_file_read(HOOKE_SOURCE_DIR "/examples/benchmarks/a02_four_bar.yaml", set, 3, &diag);
  assert_non_null(spec);
  solution s = {.model = hk_model_compile(spec, &diag)};
  hk_diag_free(&diag);
  assert_non_null(s.model);
  if (hk_static_solve(s.model, NULL, &s.sim, &s.at, NULL, &s.err)) fail_msg("%s", s.err.text);
  linearise(&s, 0, NULL);
  assert_true(s.linear->sparse);
  assert_int_equal(s.linear->dof, 1);
  assert_int_equal(s.modes.n, 2);
  assert_true(s.modes.complete);
  assert_has(&s, 0, sqrt(9.81 * (50.5 + 100) / (101 / 3.0 + 100)), 1);
  release(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sparse_equals_dense), cmocka_unit_test(sparse_equals_dense_with_damping),
      cmocka_unit_test(sparse_spinning),     cmocka_unit_test(sparse_few_of_many_equal),
      cmocka_unit_test(sparse_free_motions), cmocka_unit_test(sparse_equal_eigenvalues),
      cmocka_unit_test(sparse_hidden_mode),  cmocka_unit_test(sparse_without_scale),
      cmocka_unit_test(four_bars),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
