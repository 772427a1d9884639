/* Mass properties of the body types, and bodies that must be rejected. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include "base/eigen_small.h"
#include "unit/probe.h"
#include "registry/builtin.h"

static hk_status mass_of(probe *pr, hk_mass_properties *m, hk_error *err) {
  *m = (hk_mass_properties){0};
  return ((const hk_body_ops *)pr->item.type->ops)->mass(&pr->item, m, err);
}

static void assert_inertia(const hk_mass_properties *m, double mass, double xx, double yy,
                           double zz) {
  const double wanted[6] = {xx, yy, zz, 0, 0, 0};
  assert_float_equal(m->mass, mass, 1e-13 * mass);
  for (int i = 0; i < 6; i++) assert_float_equal(m->inertia[i], wanted[i], 1e-13 * (1 + xx));
}

static void shapes_have_their_mass_and_inertia(void **state) {
  (void)state;
  hk_mass_properties m, outer, inner;
  hk_error err;
  hk_builtin_marker marker[6];
  probe p;
  probe_init(&p, hk_registry_find(hk_registry_builtin(), HK_BODY, "rod"));
  set_real(&p, "length", 3);
  set_real(&p, "mass", 2);
  assert_int_equal(mass_of(&p, &m, &err), HK_OK);
  assert_inertia(&m, 2, 0.5 * 2 * 0.03 * 0.03, 1.5, 1.5);
  assert_int_equal(((const hk_body_ops *)p.item.type->ops)->markers(&p.item, marker), 2);
  assert_string_equal(marker[1].name, "end");
  assert_float_equal(marker[1].at.x, 1.5, 0);

  probe_init(&p, hk_registry_find(hk_registry_builtin(), HK_BODY, "box"));
  *(hk_vec3 *)((char *)p.data + sizeof(hk_body_common)) = hk_v3(1, 2, 3);
  set_real(&p, "density", 2);
  assert_int_equal(mass_of(&p, &m, &err), HK_OK);
  assert_inertia(&m, 12, 13, 10, 5);

  /* A hollow shape is the outer solid minus the inner one. */
  static const char *const hollow[] = {"cylinder", "sphere"};
  for (int i = 0; i < 2; i++) {
    probe_init(&p, hk_registry_find(hk_registry_builtin(), HK_BODY, hollow[i]));
    if (i == 0) set_real(&p, "length", 0.7);
    set_real(&p, "density", 1000);
    set_real(&p, "radius", 0.2);
    assert_int_equal(mass_of(&p, &inner, &err), HK_OK);
    set_real(&p, "radius", 0.3);
    assert_int_equal(mass_of(&p, &outer, &err), HK_OK);
    set_real(&p, "inner_radius", 0.2);
    assert_int_equal(mass_of(&p, &m, &err), HK_OK);
    assert_inertia(&m, outer.mass - inner.mass, outer.inertia[0] - inner.inertia[0],
                   outer.inertia[1] - inner.inertia[1], outer.inertia[2] - inner.inertia[2]);
    set_real(&p, "inner_radius", 0.3);
    assert_int_equal(mass_of(&p, &m, &err), HK_EINPUT);
  }
  assert_inertia(&outer, 36 * M_PI, 0.4 * 36 * M_PI * 0.09, 0.4 * 36 * M_PI * 0.09,
                 0.4 * 36 * M_PI * 0.09); /* solid sphere: 4/3 pi r^3 rho, 2/5 m r^2 */
}

/* Every shape with both mass and density as parameters requires exactly one of them. */
static void shapes_take_mass_or_density(void **state) {
  (void)state;
  int shapes = 0;
  for (int i = 0; i < hk_registry_count(hk_registry_builtin(), HK_BODY); i++) {
    const hk_type *t = hk_registry_at(hk_registry_builtin(), HK_BODY, i);
    if (hk_type_param_find(t, "density") < 0 || hk_type_param_find(t, "inertia") >= 0) continue;
    for (int c = 0; c < 6; c++) {
      static const double mass[] = {1, 0, 1, -1, NAN, 1e308}, density[] = {0, 2, 2, 0, 0, 0};
      static const bool has_mass[] = {1, 0, 1, 1, 1, 1}, has_density[] = {0, 1, 1, 0, 0, 0};
      probe p;
      hk_mass_properties m;
      hk_error err;
      probe_init(&p, t);
      const hk_param *q;
      for (int k = 0; (q = hk_type_param(t, k)); k++)
        if (strcmp(q->name, "inner_radius") &&
            (q->kind == HK_PARAM_REAL || q->kind == HK_PARAM_VEC3)) {
          fill(&p, q);
          p.item.param_state[k] |= HK_PARAM_GIVEN;
        }
      if (hk_type_param_find(t, "length") >= 0) set_real(&p, "length", 5);
      p.item.param_state[hk_type_param_find(t, "mass")] = 0;
      p.item.param_state[hk_type_param_find(t, "density")] = 0;
      assert_int_equal(mass_of(&p, &m, &err), HK_EINPUT);
      if (has_mass[c]) set_real(&p, "mass", mass[c]);
      if (has_density[c]) set_real(&p, "density", density[c]);
      hk_status wanted = c < 2 ? HK_OK : HK_EINPUT, got = mass_of(&p, &m, &err);
      if (c == 5)
        assert_true(got == HK_EINPUT || isfinite(m.inertia[0] + m.inertia[2]));
      else
        assert_int_equal(got, wanted);
    }
    shapes++;
  }
  assert_true(shapes >= 4);
}

static hk_status rigid_body(double mass, const double *inertia, hk_error *err) {
  probe p;
  hk_mass_properties m;
  probe_init(&p, hk_registry_find(hk_registry_builtin(), HK_BODY, "rigid_body"));
  set_real(&p, "mass", mass);
  int i = hk_type_param_find(p.item.type, "inertia");
  if (inertia) {
    memcpy((char *)p.data + hk_type_param(p.item.type, i)->offset, inertia, 6 * sizeof *inertia);
    p.item.param_state[i] |= HK_PARAM_GIVEN;
  }
  return mass_of(&p, &m, err);
}

static void impossible_bodies_are_refused(void **state) {
  (void)state;
  hk_error err;
  const double good[6] = {1, 2, 2.9, 0.1, 0, 0}, flat[6] = {1, 2, 3}, zero[6] = {0};
  const double barely[6] = {1, 2, 3 + 1e-10}, over[6] = {1, 2, 3 + 1e-8};
  const double negative[6] = {1, -1, 1}, twisted[6] = {1, 1, 1, 2, 0, 0}, bad[6] = {1, NAN, 1};
  assert_int_equal(rigid_body(1, good, &err), HK_OK);
  assert_int_equal(rigid_body(1, flat, &err), HK_OK);
  assert_int_equal(rigid_body(1, barely, &err), HK_OK);
  assert_int_equal(rigid_body(1, over, &err), HK_EINPUT);
  assert_non_null(strstr(err.text, "no rigid body has this inertia"));
  assert_int_equal(rigid_body(1, negative, &err), HK_EINPUT);
  assert_non_null(strstr(err.text, "negative"));
  assert_int_equal(rigid_body(1, twisted, &err), HK_EINPUT);
  assert_int_equal(rigid_body(1, bad, &err), HK_EINPUT);
  assert_int_equal(rigid_body(1, NULL, &err), HK_EINPUT);
  assert_int_equal(rigid_body(-1, good, &err), HK_EINPUT);
  assert_int_equal(rigid_body(NAN, good, &err), HK_EINPUT);
  assert_int_equal(rigid_body(0, good, &err), HK_EINPUT);
  assert_int_equal(rigid_body(0, zero, &err), HK_OK);
  assert_int_equal(rigid_body(0, NULL, &err), HK_OK);
}

static void eigenvalues_of_small_matrices(void **state) {
  (void)state;
  /* Eigenvalues of second differences: 2 - 2 cos(k pi/7). */
  double A[36] = {0}, lambda[6];
  for (int i = 0; i < 6; i++) {
    A[7 * i] = 2;
    if (i) A[7 * i - 1] = A[7 * i - 6] = -1;
  }
  hk_symmetric_eigenvalues(A, 6, lambda);
  for (int k = 0; k < 6; k++) assert_float_equal(lambda[k], 2 - 2 * cos((k + 1) * M_PI / 7), 1e-14);
  double zero[9] = {0};
  hk_symmetric_eigenvalues(zero, 3, lambda);
  assert_true(lambda[0] == 0 && lambda[2] == 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(shapes_have_their_mass_and_inertia),
      cmocka_unit_test(shapes_take_mass_or_density),
      cmocka_unit_test(impossible_bodies_are_refused),
      cmocka_unit_test(eigenvalues_of_small_matrices),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
