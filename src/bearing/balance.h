/* The place of the inner ring where the bearing holds a load. */
#ifndef HK_BEARING_BALANCE_H
#define HK_BEARING_BALANCE_H
#include "bearing/act.h"

/* What is asked: load on the inner ring at its origin, (Fx, Fy, Fz, Mx, My, Mz) in the outer ring's axes; coordinates
 * that may move; the others keep the values of `start`. */
typedef struct hk_bearing_task {
  double load[6];
  bool free[6];
  double start[6]; /* place and rotation vector */
  double cage;     /* angle of the cage */
  hk_bearing_speed speed;
  bool linear; /* kinematics */
} hk_bearing_task;

typedef struct hk_bearing_balance {
  double q[6];
  hk_bearing_place place;
  hk_bearing_action action; /* in the axes of the cage */
  double K[6][6];           /* -dF/dq in the outer ring's axes */
  double F[6];              /* on the inner ring, in the outer ring's axes */
} hk_bearing_balance;

/* The force at a given place: start, without solving. */
const char *hk_bearing_at(const hk_bearing *p, const hk_bearing_task *t, const double q[6],
                          hk_bearing_balance *out, hk_bearing_element *element);
/* NULL, or in words why there is no balance.  `element` (may be NULL) has rows x n places. */
const char *hk_bearing_hold(const hk_bearing *p, const hk_bearing_task *t, hk_bearing_balance *out,
                            hk_bearing_element *element);
#endif
