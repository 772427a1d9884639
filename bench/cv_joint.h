/* Shared by the files of the benchmark of the ball-type CV joint: see cv_joint.c. */
#ifndef CV_JOINT_H
#define CV_JOINT_H
#include "sim/sim.h"
#include <hooke/hooke.h>

enum { CVJ_SAMPLES = 800 }; /* per revolution, as the example's output */

typedef struct cvj {
  hk_model *model;
  hk_sim *sim;
  int torque, axial; /* channels: bending moment of the outer race, place of the inner one */
  double period;
} cvj;

/* One revolution as it was seen at CVJ_SAMPLES equal times. */
typedef struct cvj_track {
  double torque[CVJ_SAMPLES], axial[CVJ_SAMPLES];
  double *place; /* [CVJ_SAMPLES][nodes][3] of rigid bodies */
  int nodes;
} cvj_track;

typedef struct cvj_cost {
  double seconds; /* CPU time */
  long steps, newton, factors, evaluations;
} cvj_cost;

double cvj_seconds(void);
/* Reads channels of the simulation's state into sample i. */
void cvj_look(cvj *j, cvj_track *track, int i);

typedef enum cvj_jacobian { CVJ_ANALYTIC, CVJ_DIFFERENCES } cvj_jacobian;
/* A revolution by CVODE from state x (that of j->sim); track may be NULL.  rtol is relative, atol
 * in metres; a velocity's tolerance is `rate` [1/s] times that of its place.  False: CVODE gave up.
 */
bool cvj_cvode(cvj *j, const double *x, cvj_jacobian jacobian, double rtol, double atol,
               double rate, cvj_track *track, cvj_cost *cost);
/* Largest difference between the analytic Jacobian and central differences, over its size. */
double cvj_cvode_check(cvj *j, const double *x);

/* Cost of the parts of a Newton iteration at the state of j->sim. */
void cvj_parts(cvj *j, bool header);
/* Frames, forces and matrix of the state; one part many times. */
void cvj_prepare(cvj *j);
void cvj_repeat(hk_sim *s, int part, int times);
#endif
