/* The range of an expression of time over several steps ahead.
 *
 * Such an expression does not depend on the motion, so one evaluation shows for many steps whether it can hide a peak
 * within a step: not if it is nearly constant, and not if it only rises or only falls. The range is a cache: results
 * do not depend on it. */
#ifndef HK_CONTROL_OUTLOOK_H
#define HK_CONTROL_OUTLOOK_H
#include "expr/expr.h"

typedef struct hk_outlook {
  double from, until; /* until <= from: nothing is known yet */
  double
      step; /* length of the step at which the range was computed; 0: the expression stays constant */
  hk_flow flow;
} hk_outlook;

/* Range of values and rates over a time that contains the step between two times. The expression reads the time only. */
const hk_flow *hk_outlook_over(hk_outlook *k, const hk_expr *e, double from, double to);
#endif
