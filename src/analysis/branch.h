/* A branch of periodic orbits: one step along it, and the events on it.
 *
 * Unknowns of a step are u = (c [n], dT if the period is unknown, the parameter): see shooting.h for c.  Lengths are
 * measured in units: a fraction of the motion for c, the same fraction of the period, and the distance of two points
 * for the parameter.  A tangent has the largest component 1 in these units, so a step ds <= 1 changes nothing by more
 * than one unit. */
#ifndef HK_ANALYSIS_BRANCH_H
#define HK_ANALYSIS_BRANCH_H
#include "analysis/periodic_search.h"

/* Unit of c: fraction of the motion. */
static const double HK_BRANCH_SHARE = 0.15;

/* A model with one value of the parameter. */
typedef struct hk_branch_model {
  double value, period;
  hk_model *model;
  hk_sim *sim;
  hk_tangent *tangent;
} hk_branch_model;

/* Test functions of a point: each changes its sign at an event. */
typedef struct hk_branch_test {
  double fold, flip, branch;
  double
      pair; /* product of two multipliers - 1: that with the smallest magnitude, with the sign of all */
  double
      complex; /* distance of the nearest complex multiplier from the unit circle; NaN: all are real */
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
  /* The last point: end of its period, residual, derivative, tangent. */
  double *end, *r, *P, *column, *tangent;
  double value, T;
  size_t room_column;
  double *rate; /* [n] derivative of the residual by the parameter */
  double *u, *t, *A, *b;
  hk_branch_test test;  /* of the last point */
  hk_branch_test ahead; /* at the end of the step from it, on the same grid */
  double taken;         /* length of that step */
  hk_branch_place to;   /* and its end */
  unsigned reported;    /* events of that step: bits 1 << hk_special */
  double *mark; /* [3][2 nv + 2] what identifies an orbit, for the first, last and present point */
} hk_follower;

/* Opens a model of this value and uses it from now on. */
hk_status hk_follower_set(hk_follower *f, double value, hk_error *err);
void hk_follower_close(hk_follower *f);
/* Keeps the last period, which had columns, as the point from which steps start; computes its rate and its tangent.
 * ahead: [size] a vector in the direction of travel. */
hk_status hk_follower_keep(hk_follower *f, const double *ahead, hk_error *err);
/* The orbit at the distance ds along the tangent, in f->q and f->now, and its test functions.  HK_RETRY: a shorter step. */
hk_status hk_follower_step(hk_follower *f, double ds, hk_branch_test *test, hk_error *err);
/* The orbit with this value of the parameter near the one at the distance ds. */
hk_status hk_follower_land(hk_follower *f, double ds, double value, hk_branch_test *test,
                           hk_error *err);
/* Test functions of the last period with columns; t: its tangent. */
hk_status hk_follower_test(hk_follower *f, const double *t, hk_branch_test *test, hk_error *err);
/* Continues from the orbit at f->to. */
hk_status hk_follower_put_back(hk_follower *f, hk_error *err);
/* Adds the present orbit to the branch. */
hk_status hk_follower_add(hk_follower *f, hk_special special, hk_branch_point **out, hk_error *err);
/* Locates the events between the last point and f->to, and adds them. */
hk_status hk_follower_add_events(hk_follower *f, hk_error *err);
/* After the new point was added on its own grid: adds events that lie between the old grid and the new one. */
hk_status hk_follower_compare_grids(hk_follower *f, hk_error *err);
#endif
