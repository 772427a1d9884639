/* Configurations and frames: the Lie-group update and its inverse, frames of every kind of node,
 * velocities as time derivatives, kinetic energy and mass. */
#include "support/subject.h"

static hk_model *world(void) {
  hk_spec *spec = hk_spec_create_with(subjects());
  build_world(spec);
  return must_compile(spec);
}

static void subtraction_undoes_addition(void **state) {
  (void)state;
  random_seed(5);
  hk_model *m = world();
  double q[200], d[200], back[200], v[200];
  assert_true(m->nq < 200);
  for (int trial = 0; trial < 100; trial++) {
    for (int i = 0; i < m->nv; i++) d[i] = uniform(-1.7, 1.7);
    hk_configuration_add(m, m->q0, d, q);
    hk_configuration_sub(m, q, m->q0, back);
    for (int i = 0; i < m->nv; i++) assert_float_equal(back[i], d[i], 2e-14);
    /* In place, and inverted. */
    memcpy(v, q, sizeof v);
    for (int i = 0; i < m->nv; i++) back[i] = -d[i];
    hk_configuration_add(m, v, back, v);
    for (int i = 0; i < m->nq; i++) assert_float_equal(v[i], m->q0[i], 1e-14);
    for (int i = 0; i < m->n_nodes; i++) {
      if (m->node[i].type != &hk_node_rigid) continue;
      const double *p = q + m->node[i].q + 3;
      assert_float_equal(p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3], 1, 1e-15);
    }
  }
  hk_model_destroy(m);
}

/* Frame velocities are the time derivatives of frame positions and axes. */
static void velocities_are_derivatives(void **state) {
  (void)state;
  static const double at[4] = {-2, -1, 1, 2}, weight[4] = {1, -8, 8, -1};
  const double h = 1e-3;
  random_seed(6);
  hk_model *m = world();
  moment s = moment_create(m);
  hk_work *w = hk_work_create(m);
  double q[200], d[200];
  for (int k = 0; k < m->n_markers; k++) {
    hk_vec3 v = {0};
    hk_mat3 Rd = {0};
    for (int j = 0; j < 4; j++) {
      for (int i = 0; i < m->nv; i++) d[i] = at[j] * h * s.v[i];
      hk_configuration_add(m, s.q, d, q);
      hk_kinematics(w, &(hk_instant){.q = q, .v = s.v}, HK_FRAMES_ALL);
      v = hk_axpy(v, weight[j] / (12 * h), w->frame[k].x);
      Rd = hk_mat3_add(Rd, hk_mat3_scale(weight[j] / (12 * h), w->frame[k].R));
    }
    hk_kinematics(s.work, &(hk_instant){.q = s.q, .v = s.v}, HK_FRAMES_ALL);
    const hk_frame *F = &s.work->frame[k];
    hk_mat3 W = hk_skew(F->w), WR = hk_matmul(&W, &F->R);
    assert_true(hk_norm(hk_sub(v, F->v)) < 1e-9);
    for (int j = 0; j < 3; j++)
      assert_true(hk_norm(hk_sub(hk_column(&Rd, j), hk_column(&WR, j))) < 1e-9);
    hk_mat3 P = hk_tmatmul(&F->R, &F->R), I = hk_mat3_identity();
    for (int j = 0; j < 3; j++)
      assert_true(hk_norm(hk_sub(hk_column(&P, j), hk_column(&I, j))) < 1e-14);
  }
  hk_work_destroy(w);
  moment_free(&s);
  hk_model_destroy(m);
}

/* Frames are at the positions of the file, including those of rotors with an axis other than z. */
static void frames_stand_where_the_file_says(void **state) {
  (void)state;
  random_seed(7);
  hk_model *m = world();
  hk_work *w = hk_work_create(m);
  double q[200];
  memcpy(q, m->q0, (size_t)m->nq * sizeof *q);
  for (int i = 0; i < m->n_nodes; i++)
    if (m->node[i].turn < 0 && !m->node[i].type->pointlike) /* as in the file: neither rotated nor moved */
      memset(q + m->node[i].q, 0, (size_t)m->node[i].nq * sizeof *q);
  hk_kinematics(w, &(hk_instant){.q = q, .v = m->v0}, HK_FRAMES_ALL);
  int checked = 0;
  for (int i = 0; i < m->spec->n_markers; i++) {
    const hk_marker_spec *k = &m->spec->marker[i];
    if (!k->body) continue;
    const hk_body_common *b = k->body->data;
    hk_mat3 R = hk_quat_matrix(b->orientation), own = hk_quat_matrix(k->orientation);
    hk_mat3 axes = hk_matmul(&R, &own);
    hk_vec3 x = hk_add(b->position, hk_mul(&R, k->at));
    char name[64];
    snprintf(name, sizeof name, "%s.%s", k->body->name, k->name);
    for (int j = 0; j < m->n_markers; j++) {
      if (!m->marker[j].name || strcmp(m->marker[j].name, name)) continue;
      assert_true(hk_norm(hk_sub(w->frame[j].x, x)) < 1e-14);
      for (int c = 0; c < 3; c++)
        assert_true(hk_norm(hk_sub(hk_column(&w->frame[j].R, c), hk_column(&axes, c))) < 1e-14);
      checked++;
    }
  }
  assert_int_equal(checked, 8);
  hk_work_destroy(w);
  hk_model_destroy(m);
}

/* A rotor rotates about its axis: 90 degrees about y map z to x. */
static void a_rotor_turns_about_its_axis(void **state) {
  (void)state;
  hk_model *m = model_of(
      "format: 1\n"
      "bodies:\n"
      "  r: {type: rotor, inertia: 1 kg*m^2, axis: y, angle: 90 deg, rate: 2 rad/s, position: [1 "
      "m, "
      "0, 0], markers: {tip: {at: [0, 0, 0.5 m]}}}\n");
  hk_sim *sim = sim_of(m, NULL);
  assert_float_equal(channel(sim, m, "r.tip.x"), 1.5, 1e-15);
  assert_float_equal(channel(sim, m, "r.tip.y"), 0, 1e-15);
  assert_float_equal(channel(sim, m, "r.tip.z"), 0, 1e-15);
  assert_float_equal(channel(sim, m, "r.tip.vz"), -1, 1e-15);
  assert_float_equal(channel(sim, m, "r.tip.ax"), -2, 1e-15);
  assert_float_equal(channel(sim, m, "r.angle"), M_PI / 2, 1e-15);
  hk_sim_destroy(sim);
  hk_model_destroy(m);
}

static void energy_and_mass_belong_together(void **state) {
  (void)state;
  random_seed(8);
  hk_model *m = world();
  double v[200], y[200], sum = 0;
  for (int i = 0; i < m->nv; i++) v[i] = uniform(-1, 1);
  hk_work *w = hk_work_create(m);
  assert_non_null(w);
  hk_kinematics(w, &(hk_instant){.q = m->q0, .v = v}, HK_FRAMES_ALL);
  hk_mass_multiply(w, v, y);
  for (int i = 0; i < m->nv; i++) sum += 0.5 * v[i] * y[i];
  assert_float_equal(hk_kinetic_energy(w, v), sum, 1e-14);
  hk_work_destroy(w);
  hk_model_destroy(m);
  /* 1/2 m v^2 + 1/2 w I w; the velocity is that of the origin, 0.3 m from the centre of mass. */
  m = model_of(
      "format: 1\n"
      "bodies:\n"
      "  b: {mass: 2 kg, inertia: [3 kg*m^2, 4 kg*m^2, 5 kg*m^2], center_of_mass: [0.3 m, 0, 0], "
      "velocity: [0, 1 m/s, 0], angular_velocity: [0, 0, 2 rad/s]}\n");
  w = hk_work_create(m);
  assert_non_null(w);
  assert_float_equal(hk_kinetic_energy(w, m->v0), 0.5 * 2 * 1.6 * 1.6 + 0.5 * 5 * 4, 1e-14);
  hk_work_destroy(w);
  hk_model_destroy(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(subtraction_undoes_addition),
      cmocka_unit_test(velocities_are_derivatives),
      cmocka_unit_test(frames_stand_where_the_file_says),
      cmocka_unit_test(a_rotor_turns_about_its_axis),
      cmocka_unit_test(energy_and_mass_belong_together),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
