/* Where an expression next bends or jumps by itself: halving what lies ahead, and always the earlier half first. */
#include "expr/expr_private.h"
#include <math.h>

/* Two numbers this near to each other (of a size) are one time. */
static double grain(double a, double b) { return fmax(0x1p-51 * fmax(fabs(a), fabs(b)), 0x1p-70); }

enum { PATIENT = 400, TIRED = 8, DEPTH = 128 };

/* Where a function hardly parts from a bend, as a parabola that touches a line, ranges cannot tell them apart but in very
 * many pieces: after some tries larger ones are good enough. */
static double fine_enough(double a, double b, int tries) {
  return tries < PATIENT ? grain(a, b) : ldexp(grain(a, b), (tries - PATIENT) / TIRED);
}

bool hk_expr_next_bend(const hk_expr *e, int slot, double from, double to, hk_knot *found) {
  double later[DEPTH]; /* ends of the pieces that come after this one */
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
