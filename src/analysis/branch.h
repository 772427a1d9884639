/* A branch of periodic orbits: one step along it, and the events on it.
 *
 * Unknowns of a step are u = (c [n], dT if the period is unknown, the parameter): see shooting.h for c.  Lengths are measured in
 * units: a share of the motion for c, the same share of the period, and the distance of two points for the parameter.  A
 * tangent has the largest component 1 in these units, so a step ds <= 1 changes nothing by more than one unit. */
#ifndef HK_BRANCH_H
#define HK_BRANCH_H
#include "analysis/periodic_search.h"

/* Unit of c: share of the motion. */
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
  double pair; /* |mu| - 1 of the complex pair nearest to the unit circle */
  int outside; /* multipliers outside of the unit circle */
} hk_branch_test;

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
  hk_branch_test test;
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
hk_status hk_follower_land(hk_follower *f, double ds, double value, hk_branch_test *test, hk_error *err);
/* Test functions of the last period with columns; t: its tangent. */
hk_status hk_follower_test(hk_follower *f, const double *t, hk_branch_test *test, hk_error *err);
/* Events between two tests of the same grid: at most `most`. */
int hk_branch_events(const hk_branch_test *a, const hk_branch_test *b, hk_special *event, int most);
/* The value of the test function of an event. */
double hk_branch_test_of(const hk_branch_test *t, hk_special event);
#endif
