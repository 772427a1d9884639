/* Reduced bodies against exact and independent results: frequencies, flexibilities, inertia, gravity, stiffening.
 *
 * References without another source are those of a full finite-element model by an independent program. */
#include "support/reduced_part.h"

static void near(double value, double reference, double relative) {
  if (!(fabs(value - reference) <= relative * fabs(reference)))
    fail_msg("%.12g, not %.12g (relative error %.2g, limit %.2g)", value, reference,
             fabs(value / reference - 1), relative);
}

static void test_rod(void **state) {
  (void)state;
  static const double fixed[] = {299.1458, 596.1210, 824.5659, 1617.1576};
  static const double mode[] = {299.1749, 599.0537, 824.8809, 1622.8087, 1646.1918, 2684.7533};
  body b;
  make_rod(&b, 6);
  const hk_flexible_data *d = &b.data;
  near(d->mass, 0.0667557023, 1e-8);
  near(d->J0.m[0][0], 5.43425737e-7, 1e-8);
  near(d->J0.m[1][1], 5.01102508e-4, 1e-8);
  near(d->J0.m[2][2], 5.00776452e-4, 1e-8);
  for (int k = 0; k < 4; k++) near(hertz(d->fixed_w2[k]), fixed[k], 1e-6);
  for (int k = 0; k < 6; k++) near(hertz(d->w2[k]), mode[k], 1e-6);
  static const double beam[] = {298.96217,
                                823.05841}; /* exact Timoshenko; elements and n_fixed cost 2e-3 */
  near(hertz(d->w2[0]), beam[0], 2.5e-3);
  near(hertz(d->w2[2]), beam[1], 2.5e-3);
  static const struct {
    int i, j;
    double value;
  } f[] = {{0, 0, 3.8388239e-8}, {1, 1, 7.0735823e-4}, {2, 2, 1.7691077e-4}, {1, 5, 3.5367765e-3},
           {3, 3, 1.4667118e-2}, {4, 4, 5.8946275e-3}, {5, 5, 2.3578510e-2}};
  for (size_t k = 0; k < sizeof f / sizeof *f; k++)
    near(flexibility(d, 0, 1, f[k].i, f[k].j), f[k].value, 1e-6);
  near(sag(d, 0, 1, 1, 1, -9.81), -1.7371153e-4, 1e-6);
  double dJ[9];
  inertia_change(d, (double[3]){0, 0, 300}, dJ);
  near(dJ[4], 1.9245422e-8, 1e-6);
  near(dJ[8], 1.9245422e-8, 1e-6);
  for (int k = 0; k < 6; k++) assert_true(b.report.rigid_hz[k] < 0.05);
  assert_true(b.report.mass_of_modes < 1e-8);
  free_body(&b);
}

/* The first free frequency falls to the one of the full model. */
static void test_rod_modes(void **state) {
  (void)state;
  static const int count[] = {0, 2, 4, 8, 12};
  static const double first[] = {358.614, 300.127, 299.175, 299.078, 299.060};
  for (int i = 0; i < 5; i++) {
    body b;
    make_rod(&b, count[i]);
    near(hertz(b.data.w2[0]), first[i], 2e-6);
    if (count[i] == 8) near(b.report.half_hz[0], first[2], 2e-6);
    free_body(&b);
  }
}

static void test_plate(void **state) {
  (void)state;
  static const double mode[] = {133.6327, 195.6257, 242.7915, 345.3030};
  static const long label[] = {81,  82,  87,  88,  89,  90,  92,  94,  121, 122,
                               124, 126, 127, 128, 129, 130, 131, 132, 133, 134};
  int node[20];
  body b;
  read_matrices(&b, "plate");
  find_nodes(&b, label, 20, node);
  hk_part_interface mid = interface_of("mid", true, 0, 0, 0, node, 20);
  reduce_part(&b, NULL, &mid, 1, 16, false);
  for (int k = 0; k < 4; k++) near(hertz(b.data.w2[k]), mode[k], 1e-6);
  free_body(&b);
}

static void make_bracket(body *b, bool stiffening) {
  const hk_part_material aluminium = {.young = 70e9, .poisson = 0.33, .density = 2700};
  hk_error err = {0};
  *b = (body){.mesh = {0}};
  assert_int_equal(hk_gmsh_read(HOOKE_SOURCE_DIR "/test/flexible/bracket.msh", 1, &b->mesh, &err),
                   HK_OK);
  const hk_part_set *hub = hk_part_mesh_set(&b->mesh, "hub"),
                    *hole = hk_part_mesh_set(&b->mesh, "hole");
  hk_part_interface end[2] = {interface_of("hole", false, 0.154, 0, 0.08, hole->node, hole->n),
                              interface_of("hub", false, 0, 0, 0.006, hub->node, hub->n)};
  reduce_part(b, &aluminium, end, 2, 12, stiffening);
}

static void test_bracket(void **state) {
  (void)state;
  static const double mode[] = {922.3432178029934, 2551.8462771208606, 2943.8898, 4555.3207};
  static const double held[] = {209.6686, 453.5255, 768.8221, 1136.5521, 2578.345};
  body b;
  make_bracket(&b, false);
  const hk_flexible_data *d = &b.data;
  near(d->mass, 0.3154839023078339, 1e-12);
  near(d->center.x, 0.1053615733697107, 1e-12);
  near(d->center.z, 0.022684712893424126, 1e-12);
  near(d->J0.m[0][0], 0.00028358602829277476, 1e-12);
  near(d->J0.m[1][1], 0.0010736477797555785, 1e-12);
  near(d->J0.m[0][2], -0.00025602087181210393, 1e-12);
  near(hertz(d->fixed_w2[0]), 2341.4817800092796, 1e-9);
  near(hertz(d->fixed_w2[11]), 15676.442160955228, 1e-9);
  for (int k = 0; k < 4; k++) near(hertz(d->w2[k]), mode[k], k < 2 ? 1e-9 : 3e-8);
  double hz[5];
  held_frequencies(d, 1, 5, hz);
  for (int k = 0; k < 5; k++) near(hz[k], held[k], 1e-6);
  near(flexibility(d, 1, 0, 0, 0), 2.3031215e-6, 1e-6);
  near(flexibility(d, 1, 0, 1, 1), 1.7716856e-6, 1e-6);
  near(flexibility(d, 1, 0, 2, 2), 2.9380160e-6, 1e-6);
  near(flexibility(d, 1, 0, 0, 2), -2.1296804e-6, 1e-6);
  near(sag(d, 1, 0, 0, 2, -9.81), 3.8056978e-6, 1e-6);
  near(sag(d, 1, 0, 2, 2, -9.81), -5.4865443e-6, 1e-6);
  double dJ[9];
  inertia_change(d, (double[3]){100, 600, 150}, dJ);
  near(dJ[4], 4.9525532e-6, 1e-6);
  near(dJ[2], -4.0910204e-6, 1e-6);
  /* The surface is closed: 836 vertices, every edge in two triangles. */
  assert_int_equal(d->surface.n_triangles, 2 * d->surface.n_vertices);
  free_body(&b);
}

/* As many modes as an error needs; a set that is observed moves like the rigid interface on the same nodes. */
static void test_chosen_modes(void **state) {
  (void)state;
  static const hk_part_material aluminium = {.young = 70e9, .poisson = 0.33, .density = 2700};
  body b = {.mesh = {0}};
  hk_error err = {0};
  assert_int_equal(hk_gmsh_read(HOOKE_SOURCE_DIR "/test/flexible/bracket.msh", 1, &b.mesh, &err),
                   HK_OK);
  assert_int_equal(hk_part_assemble(&b.mesh, &aluminium, &b.A, &err), HK_OK);
  const hk_part_set *hub = hk_part_mesh_set(&b.mesh, "hub"),
                    *hole = hk_part_mesh_set(&b.mesh, "hole");
  hk_part_interface end[2] = {interface_of("hole", false, 0.154, 0, 0.08, hole->node, hole->n),
                              interface_of("hub", false, 0, 0, 0.006, hub->node, hub->n)},
                    eye = interface_of("eye", true, 0.154, 0, 0.08, hole->node, hole->n);
  hk_reduce_task task = {.A = &b.A,
                         .x = (const double(*)[3])b.mesh.x,
                         .n_interfaces = 2,
                         .interface = end,
                         .n_observed = 1,
                         .observed = &eye,
                         .n_fixed = 100,
                         .frequency = 4000,
                         .error = 0.01};
  static const int wanted[] = {16, 32};
  for (int i = 0; i < 2; i++) {
    hk_arena_init(&b.arena);
    assert_int_equal(hk_reduce(&task, &b.arena, &b.data, &b.report, &err), HK_OK);
    assert_int_equal(b.data.n_fixed, wanted[i]);
    assert_int_equal(hk_flexible_check(&b.data, &err), HK_OK);
    int a = hk_flexible_interface_find(&b.data, "eye"),
        c = hk_flexible_interface_find(&b.data, "hole");
    assert_true(a == 0 && c == 1 && b.data.interface[a].observed && !b.data.interface[c].observed);
    for (int k = 0; k < 3 * b.data.m; k++) {
      assert_true(fabs(b.data.interface[a].phi[k] - b.data.interface[c].phi[k]) < 1e-9);
      assert_true(fabs(b.data.interface[a].psi[k] - b.data.interface[c].psi[k]) < 1e-7);
    }
    hk_arena_free(&b.arena);
    task.error = 0.001;
  }
  task.error = 1e-5;
  hk_arena_init(&b.arena);
  assert_int_equal(hk_reduce(&task, &b.arena, &b.data, &b.report, &err), HK_EFAIL);
  assert_non_null(
      strstr(err.text, "with 64 modes the free frequencies up to 4000 Hz still change by"));
  free_body(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_rod),          cmocka_unit_test(test_rod_modes),
      cmocka_unit_test(test_plate),        cmocka_unit_test(test_bracket),
      cmocka_unit_test(test_chosen_modes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
