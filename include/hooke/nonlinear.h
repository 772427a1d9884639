/* Nonlinear dynamics of any model: Poincare sections, the period of an orbit, its largest Lyapunov exponent, and the
 * attractors reached from random initial states.
 *
 *   hk_orbit orbit;
 *   const int channel[] = {hk_model_channel_find(model, "bob.x")};
 *   hk_orbit_options o = {.section = {.period = 0.1}, .channel = channel, .n_channels = 1,
 *                         .skip = 100, .points = 200, .lyapunov = true};
 *   if (hk_orbit_run(model, &o, &orbit, &diag, &err)) ...
 *   printf("period %d, exponent %g 1/s\n", orbit.repeat.period, orbit.exponent.per_second);
 *   hk_orbit_free(&orbit);
 *
 * These functions advance a simulation, read channels and copy states; they do not depend on element types or integrators.
 * See docs/analysis/nonlinear.md.
 */
#ifndef HOOKE_NONLINEAR_H
#define HOOKE_NONLINEAR_H
#include <hooke/sim.h>

#ifdef __cplusplus
extern "C" {
#endif

/* When a point is recorded: once per period, or whenever a channel crosses a value. */
typedef struct hk_section {
  double period; /* points at the times start + (phase + k) period [s]; 0: points at events */
  double phase;  /* fraction of the period, 0 <= phase < 1 */
  int channel;   /* event: this channel crosses value + k modulo */
  double value;  /* in the channel's unit (SI) */
  /* spacing of further crossing values [unit of the channel]; 0: only `value` itself */
  double modulo;
  int direction; /* +1 upwards, -1 downwards, 0 both */
  double wait;   /* [s] longest time without a crossing; 0: no limit */
} hk_section;

/* Smallest p with |x(n+p) - x(n)| <= tolerance * scale for all points n. */
typedef struct hk_repeat {
  int period;    /* 0: none found */
  int candidate; /* period with the smallest error; equal to `period` if one was found */
  double error;  /* error of the candidate: largest |x(n+p) - x(n)| / scale */
  int distinct;  /* number of points that differ from each other by more than the tolerance */
} hk_repeat;

/* Largest Lyapunov exponent. */
typedef struct hk_exponent {
  int sections;       /* number of sections in the mean; 0: not computed */
  double per_section; /* mean of the logarithm of the growth per section */
  double per_second;
  /* standard error of per_section, from the means of blocks; NaN: too few blocks */
  double error;
  /* the same mean as per_section, but over the second half of the sections only, to check
   * convergence */
  double second_half;
  int merged; /* how many times the two trajectories became identical */
} hk_exponent;

/* For every member, 0 or NULL means the default. */
typedef struct hk_orbit_options {
  size_t size; /* sizeof(hk_orbit_options), or 0: the members of version 1.0 */
  hk_section section;
  const hk_sim_options *sim;
  const int *channel; /* channels whose values are the components of a point */
  int n_channels;
  const bool *wrap; /* [n_channels] true: an angle, wrapped to -pi ... pi; NULL: none */
  int skip, points; /* number of sections to skip and to record */
  /* tolerance of the period detection, relative to the extent of the motion; 1e-3 */
  double tolerance;
  int max_period; /* longest period to search for, in sections; at most a third of the points */
  bool lyapunov;
  /* initial distance d0 of the second trajectory, relative to the size of the model; 1e-6, larger for fixed-step
   * impact integrators */
  double distance;
  uint64_t seed;     /* seed of the initial direction of the second trajectory */
  const void *start; /* initial state, of start_size bytes; NULL: the initial state of the model */
  size_t start_size;
  /* section period with which `start` was recorded; 0: the period of this run */
  double start_period;
  /* Called after every section.  False stops the run; the results so far are valid. */
  bool (*go_on)(void *context);
  void *context;
} hk_orbit_options;

typedef struct hk_orbit {
  int n, n_channels;
  double *first;  /* [n_channels] initial values, before the first section */
  double *time;   /* [n] */
  double *point;  /* [n][n_channels] */
  double *extent; /* [n_channels] extent of the motion, including the motion between sections */
  double *
      /* [n_channels] reference length of the tolerance: the extent; if the motion dies out, one millionth of the extent
       * of the transient */
      scale;
  hk_repeat repeat;
  hk_exponent exponent;
  void *state; /* state at the last section, state_size bytes */
  size_t state_size;
  long steps;
} hk_orbit;

/* HK_STOPPED: go_on returned false; the points so far are valid.  Always call hk_orbit_free. */
HK_API hk_status hk_orbit_run(const hk_model *model, const hk_orbit_options *options, hk_orbit *out,
                              hk_diag *diag, hk_error *err);
HK_API void hk_orbit_free(hk_orbit *orbit);

/* Largest deviation of the coordinates of a random initial state from those of the model, in both directions. */
typedef struct hk_spread {
  double length, angle;              /* [m], [rad] */
  double velocity, angular_velocity; /* [m/s], [rad/s] */
} hk_spread;

/* Same as hk_orbit_run, but from a random initial state: the one with the number `index` in the
 * sequence that `seed` defines. The joints are closed by the usual assembly. Bodies that are
 * `fixed` keep their positions. */
HK_API hk_status hk_orbit_run_scattered(const hk_model *model, const hk_orbit_options *options,
                                        const hk_spread *spread, uint64_t seed, int index,
                                        hk_orbit *out, hk_diag *diag, hk_error *err);

/* Groups the orbits by their attractors. attractor[i] is the number of the attractor of orbit
 * i, from 0 in the order of the orbits; -1: an orbit without points. Returns the number of
 * attractors, or HK_ENOMEM. */
HK_API int hk_orbit_classify(const hk_orbit *orbit, int n, const bool *wrap, double tolerance,
                             int *attractor);

/* ---- periodic orbits ---- */

typedef enum hk_periodic_method {
  HK_PERIODIC_AUTO,     /* Anderson's mixing; Newton if the residual falls slowly */
  HK_PERIODIC_PLAIN,    /* simulation until the motion repeats */
  HK_PERIODIC_ANDERSON, /* mixing of the last periods */
  HK_PERIODIC_NEWTON    /* with the derivative of the period */
} hk_periodic_method;

/* Members that are 0 or NULL mean the default. */
typedef struct hk_periodic_options {
  size_t size;   /* sizeof(hk_periodic_options), or 0: the members of version 1.1 */
  double period; /* [s]; with `unknown` the first guess */
  bool unknown;  /* the period is unknown: the model must not depend on time */
  /* with `unknown` and period = 0: the first guess is the time in which this channel changes by `amount` */
  int turn;
  double amount;    /* 0: the time until the channel returns to its value in the same direction */
  double from;      /* [s] simulate to this time first */
  double tolerance; /* residual relative to the motion; 1e-6 */
  hk_periodic_method method;
  int most_runs; /* maximum number of simulated periods; default 200, for the plain method 5000 */
  bool floquet;  /* Floquet multipliers */
  const hk_sim_options *sim;
  const void *start; /* initial state, of start_size bytes; NULL: that of the model */
  size_t start_size;
  double start_period; /* period of the orbit to which `start` belongs; 0: the same period */
  bool (*go_on)(void *context); /* called after every period; false stops */
  void *context;
  bool whole; /* do not use the symmetry of gears and joints with equal parts */
} hk_periodic_options;

/* A cyclic coordinate (no force depends on it), and its change per period. */
typedef struct hk_drift {
  char name[160];
  const char *unit;
  double amount;
} hk_drift;

typedef enum hk_stability {
  HK_STABILITY_UNKNOWN,
  HK_STABLE,
  HK_UNSTABLE,
  HK_UNDECIDED
} hk_stability;

typedef struct hk_periodic {
  bool found;    /* the residual is below the tolerance */
  double period; /* [s] */
  /* largest change of a position or velocity over the period, relative to the motion */
  double residual;
  /* the same for one more period with the steps of an ordinary run; this is the reported error of the orbit */
  double error;
  /* mean factor of the residual per period over the last periods without Newton's method */
  double reduction;
  char worst[160];     /* coordinate with the largest residual */
  const char *stepper; /* its name */
  int unknowns, runs, derivatives, cuts;
  int per_period; /* steps */
  long steps;     /* of all periods */
  hk_drift *drift;
  int n_drifts;
  double *re,
      *im; /* [n_multipliers] Floquet multipliers, largest first; without the trivial one of an unknown period */
  int n_multipliers;
  int neutral;        /* number of multipliers equal to 1: conserved momenta, cyclic coordinates */
  double trivial;     /* |mu - 1| of the trivial one; NaN: none */
  double uncertainty; /* change of the largest |mu| with halved steps; NaN: not computed */
  hk_stability stability;
  void *state; /* at the start of the orbit, or the best one; state_size bytes */
  size_t state_size;
  int parts; /* equal parts of the period, one of which was searched; multipliers and residual are those of a part */
  char alike[128]; /* a joint or gear pair with these parts; "": none */
  /* > 0: a declared symmetry was not used, because the model deviates from this symmetry by this fraction */
  double unequal;
  /* hk_sim_options.stepper for runs from the state with the same tolerances; NULL: the integrator of the model */
  const char *choose;
} hk_periodic;

/* Finds the periodic orbit that the motion of the model reaches, or another one near it.
 * HK_EFAIL: none was found; err gives the residual, and the best state is in *out. Always call
 * hk_periodic_free. See docs/periodic.md. */
HK_API hk_status hk_periodic_run(const hk_model *model, const hk_periodic_options *options,
                                 hk_periodic *out, hk_diag *diag, hk_error *err);
HK_API void hk_periodic_free(hk_periodic *orbit);

/* ---- branches of periodic orbits over a parameter ---- */

/* Kind of a point on a branch. */
typedef enum hk_special {
  HK_ORDINARY,
  HK_FOLD,        /* fold, the branch turns back: a multiplier passes 1 */
  HK_FLIP,        /* a multiplier passes -1: an orbit of twice the period branches off */
  HK_NEIMARK,     /* a complex pair leaves the unit circle: a second frequency appears */
  HK_BRANCH_POINT /* a multiplier passes 1 without a fold: another branch crosses */
} hk_special;

typedef enum hk_branch_end {
  HK_BRANCH_REACHED, /* `last` */
  HK_BRANCH_BACK,    /* the branch turned back and left the range at `first` */
  HK_BRANCH_CLOSED,  /* the branch returned to its first orbit */
  HK_BRANCH_FULL,    /* most_points */
  HK_BRANCH_LOST     /* the next orbit could not be found: see why */
} hk_branch_end;

typedef struct hk_branch_point {
  double value; /* of the parameter */
  hk_special special;
  hk_periodic orbit;
  double from, to; /* values of the parameter on both sides of a special point */
  /* special points: true if the point was located. Otherwise no orbits could be computed between the points on its
   * two sides; the orbit is then that of the second of these points, `to`. */
  bool located;
} hk_branch_point;

/* Members that are 0 or NULL mean the default. */
typedef struct hk_branch_options {
  size_t size; /* sizeof(hk_branch_options), or 0: the members of version 1.1 */
  const hk_periodic_options
      *orbit;         /* options of the first orbit; the period is overwritten by `model` */
  double first, last; /* values of the parameter */
  /* the change of the parameter per point is at most its range divided by this number; default 41 */
  int points;
  int most_points; /* 1000 */
  /* Creates a model with this value of the parameter. *orbit receives its period, or the method to find it. All models
   * must have the same coordinates. hk_branch_run destroys the model. */
  hk_status (*model)(void *context, double value, hk_model **model, hk_periodic_options *orbit,
                     hk_error *err);
  void *context;
  bool (*go_on)(void *context, int points); /* called after every point; false stops */
  const double *start; /* value of the first orbit, between first and last; NULL: first */
} hk_branch_options;

typedef struct hk_orbit_branch {
  hk_branch_point *point; /* [n] in order along the branch */
  int n, room;
  hk_branch_end end;
  char why[400];
  long runs, derivatives, steps; /* totals over all orbits after the first */
} hk_orbit_branch;

/* Follows the branch of periodic orbits from `first` until it leaves the range first ... last, even if the parameter
 * turns back on the way. With a `start` within the range, the branch is followed towards `last`; a closed branch ends
 * where it began. Folds, flips, Neimark-Sacker and branch points are located and inserted. HK_EFAIL: there is no first
 * orbit. HK_STOPPED: go_on returned false; the points so far are valid. Always call hk_branch_free. */
HK_API hk_status hk_branch_run(const hk_branch_options *options, hk_orbit_branch *out,
                               hk_diag *diag, hk_error *err);
HK_API void hk_branch_free(hk_orbit_branch *branch);
HK_API const char *hk_special_name(hk_special special);

#ifdef __cplusplus
}
#endif
#endif
