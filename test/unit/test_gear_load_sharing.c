/* Load sharing: loads are found for any penetration, however small or uneven, and satisfy their equations. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include "spec/type.h"
#include "gear/load_sharing.h"
#include <hooke/element.h>
#include <hooke/spec.h>
#include <math.h>
#include <stdlib.h>

enum { N = 5, ROOM = 100 };

/* Slices with mutual compliance, and their law. */
typedef struct rig {
  hk_spec *spec;
  const hk_line_ops *ops;
  const void *law;
  double C[N * N], room[ROOM];
  hk_mesh_slice slice[N];
} rig;

static rig make(const char *law) {
  hk_error err = {0};
  rig r = {.spec = hk_spec_create()};
  hk_item *item = hk_spec_add(r.spec, HK_LAW, law, "law", &err);
  assert_non_null(item);
  if (item->type->name[0] == 'e')
    assert_int_equal(hk_item_real(item, "viscosity", 0.025, &err), HK_OK);
  r.ops = ((const hk_law_ops *)item->type->ops)->line;
  r.law = item->data;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) r.C[i * N + j] = 7e-9 * pow(0.5, abs(i - j));
  assert_true(hk_mesh_scratch(N) <= ROOM);
  return r;
}

/* Slice i has the penetration `overlap` minus i times `less`. */
static bool solve(rig *r, double overlap, double less, double speed) {
  for (int i = 0; i < N; i++)
    r->slice[i] = (hk_mesh_slice){.spot = {.width = 5e-3,
                                           .radius = 0.012,
                                           .depth2 = 4e-6,
                                           .speed = speed,
                                           .modulus = 2.3e11,
                                           .poisson = 3.7e-12},
                                  .overlap = overlap - i * less,
                                  .weight = i == 2 ? 0.3 : 1,
                                  .x = NAN};
  return hk_mesh_solve(r->ops, r->law, r->slice, N, r->C, r->room) > 0;
}

/* Penetration of slice i; for an open slice, without its own load. */
static double gap(const rig *r, int i) {
  double sum = r->slice[i].load.y - r->slice[i].overlap;
  for (int j = 0; j < N; j++) sum += r->C[i * N + j] * r->slice[j].load.F;
  return sum;
}

/* From round-off to far beyond the strength of teeth. */
static void any_overlap(void **state) {
  static const char *const LAW[] = {"dry_line", "ehl_line"};
  for (int wet = 0; wet < 2; wet++)
    for (int kind = 0; kind < 3; kind++) {
      rig r = make(LAW[wet]);
      double before = 0;
      for (double e = -26; e < -4; e += 0.31) {
        double overlap = pow(10, e), less = kind == 0 ? 0 : kind == 1 ? 0.3 * overlap : 1e-5;
        if (!solve(&r, overlap, less, kind == 1 ? 0 : 8))
          fail_msg("%s: nothing at %g m", LAW[wet], overlap);
        double load = 0;
        for (int i = 0; i < N; i++) {
          const hk_mesh_slice *s = &r.slice[i];
          load += s->load.F;
          assert_true(s->load.F >= 0);
          if (s->open)
            assert_true(s->load.F == 0 && gap(&r, i) > -2e-13);
          else
            assert_true(fabs(gap(&r, i)) < 1e-9 * (fabs(s->load.y) + fabs(s->overlap)));
        }
        if (!(load >= before * (1 - 1e-9)))
          fail_msg("%s: %g N at %g m, after %g", LAW[wet], load, overlap, before);
        before = load;
      }
      assert_true(before > 1000);
      assert_true(solve(&r, 0, 0, 8));
      hk_spec_destroy(r.spec);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(any_overlap)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
