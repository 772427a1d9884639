/* A branch of periodic orbits: one step along it, and the events on it.
 *
 * Unknowns of a step are u = (c [n], dT if the period is unknown, the parameter): see shooting.h for c. Lengths are
 * measured in units: a fraction of the motion for c, the same fraction of the period, and the distance of two points
 * for the parameter. The largest component of a tangent is 1 in these units, so that a step ds <= 1 changes no unknown
 * by more than one unit. */
#ifndef HK_ANALYSIS_BRANCH_H
#define HK_ANALYSIS_BRANCH_H
#include "analysis/periodic_search.h"

/* Unit of c: fraction of the motion. */
static const double HK_BRANCH_SHARE = 0.15;

/* A model with a given value of the parameter. */
typedef struct hk_branch_model {
  double value, period;
  hk_model *model;
  hk_sim *sim, *accurate;
  hk_tangent *tangent;
} hk_branch_model;

/* Test functions of a point: each changes its sign at an event. */
typedef struct hk_branch_test {
  double fold, flip, branch;
  double
      /* Test function for pairs of multipliers: let p be the product of the two multipliers of
       * a pair. The magnitude of the function is the smallest |p - 1| of all pairs. The sign of the function is the
       * product of the signs of p - 1 of all pairs. */
      pair;
  /* smallest distance of a complex multiplier from the unit circle; NaN: all multipliers are
   * real */
  double complex;
} hk_branch_test;

/* An orbit of the branch: its state, parameter and period. */
typedef struct hk_branch_place {
  double *x, value, T;
} hk_branch_place;

typedef struct hk_follower {
  const hk_branch_options *o;
  hk_orbit_branch *out;
  hk_diag *diag;
  hk_periodic_options orbit;
  hk_search q;
  hk_branch_model now;
  double origin; /* time at the start of a simulation */
  double unit;   /* of the parameter */
  int size;      /* unknowns of a step */
  /* Data of the last point of the branch: state at the end of its period, residual, derivative, tangent. */
  double *end, *r, *P, *column, *tangent;
  double value, T;
  size_t room_column;
  double *rate; /* [n] derivative of the residual with respect to the parameter */
  double *u, *t, *A, *b;
  hk_branch_test test; /* test functions of the last point */
  hk_branch_test
      ahead;    /* test functions at the end of the step from the last point, on the same grid */
  double taken; /* length of that step */
  hk_branch_place to; /* and its end */
  unsigned reported;  /* events of that step: bits 1 << hk_special */
  /* [3][2 nv + 2] marks, which identify an orbit, of the first, last and present point */
  double *mark;
} hk_follower;

/* Opens the model for this value of the parameter, and uses this model from now on. */
hk_status hk_follower_set(hk_follower *f, double value, hk_error *err);
void hk_follower_close(hk_follower *f);
/* Stores the last period as the point from which steps along the branch start. This period must have been simulated
 * with its derivative (`columns` of hk_shooter_run). Computes the rate and the tangent of the branch at this point.
 * ahead: [size] a vector in the direction in which the branch is followed. */
hk_status hk_follower_keep(hk_follower *f, const double *ahead, hk_error *err);
/* Computes the orbit at the distance ds along the tangent, into f->q and f->now, and its test functions. HK_RETRY: a
 * shorter step is needed. */
hk_status hk_follower_step(hk_follower *f, double ds, hk_branch_test *test, hk_error *err);
/* Computes the orbit with this value of the parameter that is near the orbit at the distance ds. */
hk_status hk_follower_land(hk_follower *f, double ds, double value, hk_branch_test *test,
                           hk_error *err);
/* Computes the test functions from the last period that was simulated together with its derivative (`columns` of
 * hk_shooter_run). t: tangent of the branch at this orbit. */
hk_status hk_follower_test(hk_follower *f, const double *t, hk_branch_test *test, hk_error *err);
/* Continues from the orbit at f->to. */
hk_status hk_follower_put_back(hk_follower *f, hk_error *err);
/* Adds the present orbit to the branch. */
hk_status hk_follower_add(hk_follower *f, hk_special special, hk_branch_point **out, hk_error *err);
/* Locates the events between the last point and f->to, and adds them. */
hk_status hk_follower_add_events(hk_follower *f, hk_error *err);
/* Call after the new point was added on its own grid. Adds the events that are after the point on the old grid and
 * before the point on the new grid, or vice versa. */
hk_status hk_follower_compare_grids(hk_follower *f, hk_error *err);
#endif
