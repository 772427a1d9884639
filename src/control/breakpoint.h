/* Times at which loads and motions bend or jump by themselves.
 *
 * No polynomial leads over such a breakpoint, and a step that did would not know of what acts for a moment only.  So steps end
 * there: at the last instant before it, where all is as the past has it.  Then the motion goes on as behind a jump of an
 * input (input.c), with accelerations as they are at the first instant after it.  Fixed steps are taken as they are.
 */
#ifndef HK_CONTROL_BREAKPOINT_H
#define HK_CONTROL_BREAKPOINT_H
#include "sim/sim.h"

/* What the state knows of the time ahead (hk_layout.breakpoint). */
typedef struct hk_breakpoint_ahead {
  double from, until; /* nothing bends or jumps between these times */
  double beyond;      /* the first instant behind what there is at the end of it, and: */
  double kind;        /* one of these */
  double row;         /* of a dim time: how many such times came before it, without a clear look ahead */
} hk_breakpoint_ahead;
enum {
  HK_AHEAD_CLEAR, /* nothing: it is as far as anybody has looked */
  HK_AHEAD_DIM, /* a time at which it does not get clear whether there is anything: steps end, and go on as before */
  HK_AHEAD_BREAKPOINT
};

/* The time at which the step from s->x has to end at the latest; INFINITY: there is none that it could reach. */
double hk_breakpoint_due(const hk_sim *s);
#endif
