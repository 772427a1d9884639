/* Events on a branch of periodic orbits: what changes its sign at them. */
#include "analysis/branch.h"
#include "analysis/floquet.h"
#include <stdlib.h>

/* Multipliers nearer to 1 belong to conserved momenta or to a phase, and cross nothing. */
static const double NEUTRAL = 1e-7;

hk_status hk_follower_test(hk_follower *f, const double *t, hk_branch_test *test, hk_error *err) {
  const hk_shooter *p = &f->q.p;
  size_t n = (size_t)p->n;
  double *re = calloc(2 * n + 1, sizeof *re), trivial, near = INFINITY;
  int count = 0;
  if (!re) return hk_fail(err, HK_ENOMEM, "out of memory");
  double *im = re + n;
  hk_status status = hk_floquet_eigen(p, f->orbit.unknown, re, im, &count, &trivial, err);
  *test = (hk_branch_test){.fold = t[f->size - 1], .flip = 1, .branch = 1, .pair = NAN};
  for (int i = 0; i < count && !status; i++) {
    double size = hypot(re[i], im[i]);
    if (hypot(re[i] - 1, im[i]) < NEUTRAL) continue;
    test->outside += size > 1;
    if (im[i] == 0) {
      test->flip *= re[i] + 1;
      test->branch *= 1 - re[i];
    } else if (fabs(size - 1) < near) {
      near = fabs(size - 1);
      test->pair = size - 1;
    }
  }
  test->branch *= test->fold; /* at a fold both change their sign */
  free(re);
  return status;
}

double hk_branch_test_of(const hk_branch_test *t, hk_special event) {
  return event == HK_FOLD      ? t->fold
         : event == HK_FLIP    ? t->flip
         : event == HK_NEIMARK ? t->pair
                               : t->branch;
}

int hk_branch_events(const hk_branch_test *a, const hk_branch_test *b, hk_special *event,
                     int most) {
  int n = 0;
  bool fold = a->fold * b->fold < 0, flip = a->flip * b->flip < 0,
       branch = a->branch * b->branch < 0;
  if (fold && n < most) event[n++] = HK_FOLD;
  if (flip && n < most) event[n++] = HK_FLIP;
  if (branch && n < most) event[n++] = HK_BRANCH_POINT;
  /* A pair that is real on one side leaves the circle as two flips or folds, not as a Neimark-Sacker point. */
  if (!fold && !flip && !branch && a->outside != b->outside && a->pair * b->pair < 0 && n < most)
    event[n++] = HK_NEIMARK;
  return n;
}
