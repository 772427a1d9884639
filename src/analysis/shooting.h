/* The map of one period, its unknowns and its derivative, for the search for periodic orbits.
 *
 * Unknowns are the free changes of positions and velocities of the state at the start of a period:
 * coefficients of a basis of the directions that the joints allow, without cyclic coordinates, each
 * velocity divided by half its range over a period and each position by that times T/2 pi. The other parts of the
 * state (accelerations, history, internal variables of elements) are taken from the end of the previous period: a
 * restart would change the orbit. A state is an array of doubles (hooke/state.h). If the model has a symmetry, views
 * of states are compared (analysis/symmetry.h). The number of periods between a state and the reference follows from
 * their times. */
#ifndef HK_ANALYSIS_SHOOTING_H
#define HK_ANALYSIS_SHOOTING_H
#include "analysis/symmetry.h"
#include "integrator/tangent.h"
#include <hooke/nonlinear.h>

typedef struct hk_shooter {
  hk_sim *s;
  /* Simulates whole periods with the integrator of an ordinary run, if its order is higher than that of s: see
   * accurate_period.c. NULL: periods are simulated with s. */
  hk_sim *accurate;
  double *fresh; /* [2] an initial state of `accurate`, and scratch */
  /* true: periods are simulated on the grid of s, although there is an accurate simulation */
  bool only_grid;
  /* data for the derivative of a step; NULL: derivatives are differences of whole periods */
  hk_tangent *tangent;
  double T;
  double *tau; /* [n_tau] ends of the steps as fractions of the period */
  int n_tau, room;
  bool frozen;        /* steps end at tau, without error control */
  double *scale;      /* [2 nv] */
  double *low, *high; /* [nv] minimum and maximum of the velocities in the last period */
  double *mean;       /* [nv] mean of the velocities in the last period */
  /* symmetry by which states are compared; T is then the part of a period after which the views are equal */
  hk_symmetry sym;
  bool *cyclic; /* [nv] cyclic coordinates: their positions are not unknowns */
  /* [2][nv][nv] bases of positions and of velocities, in scaled coordinates; rows: coordinates */
  double *N;
  int free[2], n; /* number of columns of each basis, and number of unknowns */
  double *ref;    /* state at which the basis was computed */
  double *column; /* [n] columns of hk_tangent */
  double *P, *E;  /* [n][n] unknowns of the columns at the start and at the end of the period */
  /* [n] rates of the unknowns at the end of the period, which are their derivatives with respect to T */
  double *flow;
  double *before, *now, *d, *y; /* states and scratch */
  int room_n;
  int runs, derivatives; /* numbers of simulated periods and of computed derivatives */
  int cuts;              /* number of steps of the grid that had to be divided */
  int per_period;        /* steps in the last period */
  long steps;
  bool (*go_on)(void *context);
  void *context;
} hk_shooter;

hk_status hk_shooter_create(hk_shooter *p, hk_sim *s, double T, hk_error *err);
void hk_shooter_free(hk_shooter *p);
/* Simulates one period from `from` to `to`, which may be the same array. columns: also computes the derivative, in P, E
 * and flow. */
hk_status hk_shooter_run(hk_shooter *p, const double *from, double *to, bool columns,
                         hk_error *err);
/* Makes x the reference state: computes the basis at x, and the scales from the last period. */
hk_status hk_shooter_rebase(hk_shooter *p, const double *x, hk_error *err);
/* Computes the unknowns of the state x relative to the reference. Whole revolutions of angles are subtracted; cyclic
 * coordinates and directions that the joints constrain are omitted. */
void hk_shooter_chart(const hk_shooter *p, const double *x, double *y);
/* Changes the unknowns of x by c, and then closes the joints. */
hk_status hk_shooter_move(hk_shooter *p, double *x, const double *c, hk_error *err);
/* Finds the coordinates whose position has no influence on any acceleration. Only coordinates that differ between x
 * and the state one period later are tested. */
hk_status hk_shooter_find_cyclic(hk_shooter *p, const double *x, const double *later,
                                 hk_error *err);
/* A grid of equal steps of at most h. */
hk_status hk_shooter_divide(hk_shooter *p, double h, hk_error *err);
/* From now on uses the grid of the last period. With an accurate simulation, the grid is computed when it is first
 * needed. */
hk_status hk_shooter_freeze(hk_shooter *p, hk_error *err);
/* hk_shooter_halve divides each step of the grid into two halves; the other function joins them again. */
hk_status hk_shooter_refine(hk_shooter *p, hk_error *err);
void hk_shooter_coarsen(hk_shooter *p);

/* ---- parts of a period: shooting.c and accurate_period.c ---- */

/* Records the velocities of x, which is the end of a step of length dt or, if `first`, the
 * start of the period. */
void hk_shooter_widen(hk_shooter *p, const double *x, double dt, bool first);
/* Simulates one period with s. columns: with the derivatives of the steps in p->column. */
hk_status hk_shooter_run_grid(hk_shooter *p, const double *from, bool columns, hk_error *err);
/* Writes the unknowns of the columns at the end of the period into E. */
void hk_shooter_end_columns(hk_shooter *p);
/* From now on uses the accurate simulation for whole periods. */
hk_status hk_shooter_use_accurate(hk_shooter *p, hk_sim *accurate, hk_error *err);
/* Simulates one period with the accurate simulation; its end becomes the state of s. */
hk_status hk_shooter_run_accurate(hk_shooter *p, const double *from, hk_error *err);
/* Computes P and E of the period that starts at `from`, with s on its grid. */
hk_status hk_shooter_derive(hk_shooter *p, const double *from, hk_error *err);
/* Copies time, positions, velocities and so on of the state `from` of another integrator into x, a state of s. The
 * integrator of s restarts. x and `from` are different arrays. */
hk_status hk_shooter_convert(hk_sim *s, const double *from, double *x, hk_error *err);
/* Largest |y|. */
double hk_shooter_size(const hk_shooter *p, const double *y);
/* Largest change of a coordinate by c, relative to its motion.  The norm |c| ignores the mean of a velocity; here, a
 * body with an almost constant velocity may change it by a twentieth. */
double hk_shooter_reach(const hk_shooter *p, const double *c);
#endif
