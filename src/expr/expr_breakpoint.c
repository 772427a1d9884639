/* Position of the next kink or jump of an expression: bisection of the remaining range, always
 * the earlier half first. */
#include "expr/expr_private.h"
#include <math.h>

/* Resolution of times: two numbers closer than this are equal. */
static double grain(double a, double b) { return fmax(0x1p-51 * fmax(fabs(a), fabs(b)), 0x1p-70); }

enum { PATIENT = 400, TIRED = 8, DEPTH = 128 };

/* If a function almost touches a kink, like a parabola that almost touches a line, the computed ranges exclude the
 * kink only after a division into very many intervals. Therefore longer intervals are accepted after some attempts. */
static double fine_enough(double a, double b, int tries) {
  return tries < PATIENT ? grain(a, b) : ldexp(grain(a, b), (tries - PATIENT) / TIRED);
}

bool hk_expr_next_bend(const hk_expr *e, int slot, double from, double to, hk_knot *found) {
  double later[DEPTH]; /* ends of the intervals that remain to be examined */
  int n = 0;
  for (int tries = 0; from < to; tries++) {
    double middle = 0.5 * (from + to);
    if (!hk_expr_bends_within(e, slot, from, to)) {
      if (n == 0) return false;
      from = to, to = later[--n];
    } else if (to - from <= fine_enough(from, to, tries) || n == DEPTH ||
               !(from < middle && middle < to)) {
      *found = (hk_knot){from, to, to - from <= 2 * grain(from, to)};
      return true;
    } else {
      later[n++] = to, to = middle;
    }
  }
  return false;
}
