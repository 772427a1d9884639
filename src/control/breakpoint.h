/* Breakpoints: times of kinks and jumps in loads and motions.
 *
 * The solution is not smooth at a breakpoint, and a step across it would miss loads of short duration. Therefore a step
 * ends at the last instant before it. The motion then continues as after a jump of an input (restart.c), with the
 * accelerations of the first instant after it. Fixed steps are not changed. */
#ifndef HK_CONTROL_BREAKPOINT_H
#define HK_CONTROL_BREAKPOINT_H
#include "sim/sim.h"

/* Part of the state (hk_layout.breakpoint): result of the search for breakpoints ahead. */
typedef struct hk_breakpoint_ahead {
  double from, until; /* there are no kinks and no jumps between these two times */
  /* the first instant after the breakpoint at the end of this interval, and the kind of breakpoint: */
  double beyond;
  double kind; /* one of the kinds above */
  double row;  /* for an undecided time: number of undecided times directly before it */
} hk_breakpoint_ahead;
enum {
  HK_AHEAD_CLEAR, /* no breakpoint: the limit of the search */
  /* it is not known whether there is a breakpoint at this time: a step ends here, but the motion continues without a
   * restart */
  HK_AHEAD_DIM,
  HK_AHEAD_BREAKPOINT
};

/* The latest end time of the step from s->x; INFINITY: no breakpoint within reach. */
double hk_breakpoint_due(const hk_sim *s);

/* For integrators outside of the library. Finds the first kink or jump after a time. The position of the kink is given
 * by two instants: the last instant before the kink and the first instant after it. Returns false if there is no kink
 * or jump before `to`. */
bool hk_breakpoint_next(const hk_model *m, double from, double to, hk_knot *next);
#endif
