/* Equilibrium position of the inner ring under a load. */
#ifndef HK_BEARING_BALANCE_H
#define HK_BEARING_BALANCE_H
#include "bearing/ring_force.h"

/* Input: load on the inner ring at its origin, (Fx, Fy, Fz, Mx, My, Mz) in the axes of the outer
 * ring; coordinates that are free; the others keep their values in `start`. */
typedef struct hk_bearing_task {
  double load[6];
  bool free[6];
  double start[6]; /* position and rotation vector */
  double cage;     /* angle of the cage */
  hk_bearing_speed speed;
  bool linear; /* linear kinematics */
} hk_bearing_task;

typedef struct hk_bearing_balance {
  double q[6];
  hk_bearing_place place;
  hk_bearing_action action; /* force and stiffness of the bearing, in the axes of the cage */
  double K[6][6];           /* -dF/dq in the axes of the outer ring */
  double F[6];              /* force on the inner ring, in the axes of the outer ring */
} hk_bearing_balance;

/* The force at a given position q, without solving. */
const char *hk_bearing_at(const hk_bearing *p, const hk_bearing_task *t, const double q[6],
                          hk_bearing_balance *out, hk_bearing_element *element);
/* Returns NULL, or the reason why there is no equilibrium. `element` (may be NULL) has rows x n
 * entries. */
const char *hk_bearing_hold(const hk_bearing *p, const hk_bearing_task *t, hk_bearing_balance *out,
                            hk_bearing_element *element);
#endif
