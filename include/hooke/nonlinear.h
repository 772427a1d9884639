/* Nonlinear dynamics of any model: Poincare sections, the period of an orbit, its largest Lyapunov
 * exponent, and the attractors that random starts end on.
 *
 *   hk_orbit orbit;
 *   const int channel[] = {hk_model_channel_find(model, "bob.x")};
 *   hk_orbit_options o = {.section = {.period = 0.1}, .channel = channel, .n_channels = 1,
 *                         .skip = 100, .points = 200, .lyapunov = true};
 *   if (hk_orbit_run(model, &o, &orbit, &diag, &err)) ...
 *   printf("period %d, exponent %g 1/s\n", orbit.repeat.period, orbit.exponent.per_second);
 *   hk_orbit_free(&orbit);
 *
 * Everything here drives a simulation by time, reads channels and copies states; it knows no
 * element and no stepper.  See docs/analysis/nonlinear.md.
 */
#ifndef HOOKE_NONLINEAR_H
#define HOOKE_NONLINEAR_H
#include <hooke/sim.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Where a motion is looked at: once per period, or whenever a channel crosses a value. */
typedef struct hk_section {
  double period; /* [s] at start + (phase + k) period; 0: by event */
  double phase;  /* share of the period, 0 <= phase < 1 */
  int channel;   /* event: this channel crosses value + k modulo */
  double value;  /* in the channel's unit (SI) */
  double modulo; /* 0: only the value itself */
  int direction; /* +1 upwards, -1 downwards, 0 both */
  double wait;   /* [s] longest time without a crossing; 0: no limit */
} hk_section;

/* Smallest p with |x(n+p) - x(n)| <= tolerance * scale for all points n. */
typedef struct hk_repeat {
  int period;    /* 0: none found */
  int candidate; /* that repeats best; the period if there is one */
  double error;  /* of the candidate: largest |x(n+p) - x(n)| / scale */
  int distinct;  /* points that lie further than the tolerance from each other */
} hk_repeat;

/* Largest Lyapunov exponent. */
typedef struct hk_exponent {
  int sections;       /* it is averaged over; 0: not computed */
  double per_section; /* mean of ln(growth) */
  double per_second;
  double error;       /* standard error of per_section, from the means of blocks; NaN: too few */
  double second_half; /* per_section over the second half: has it settled? */
  int merged;         /* times that the two trajectories became one */
} hk_exponent;

/* Members that are 0 or NULL mean the default. */
typedef struct hk_orbit_options {
  size_t size; /* sizeof(hk_orbit_options), or 0: the members of version 1.0 */
  hk_section section;
  const hk_sim_options *sim;
  const int *channel; /* values that make up a point */
  int n_channels;
  const bool *wrap; /* [n_channels] this is an angle: counted from -pi to pi; NULL: none */
  int skip, points; /* sections to let pass, sections to record */
  double tolerance; /* of the period: share of the extent of the motion; 1e-3 */
  int most_period;  /* longest period to look for; a third of the points at most */
  bool lyapunov;
  double distance;   /* d0 of the second trajectory, relative to the model's size; 1e-6, more where
                        impacts lie on a grid of steps */
  uint64_t seed;     /* of the direction in which it starts */
  const void *start; /* state to start from instead of the model's own, of start_size bytes */
  size_t start_size;
  double start_period; /* period of the section at which that state was taken; 0: the same */
  /* Called after every section.  False stops in good order. */
  bool (*go_on)(void *context);
  void *context;
} hk_orbit_options;

typedef struct hk_orbit {
  int n, n_channels;
  double *first;  /* [n_channels] values at the start, before any section */
  double *time;   /* [n] */
  double *point;  /* [n][n_channels] */
  double *extent; /* [n_channels] of the motion, between the sections too */
  double *scale;  /* [n_channels] what counts as small: the extent, or a millionth of that of the
                     transient where nothing moves in the end */
  hk_repeat repeat;
  hk_exponent exponent;
  void *state; /* at the last section, state_size bytes */
  size_t state_size;
  long steps;
} hk_orbit;

/* HK_STOPPED: go_on said so; the points so far are there.  Free in any case. */
HK_API hk_status hk_orbit_run(const hk_model *model, const hk_orbit_options *options, hk_orbit *out,
                              hk_diag *diag, hk_error *err);
HK_API void hk_orbit_free(hk_orbit *orbit);

/* How far the coordinates of a random start may lie from the model's own, on either side. */
typedef struct hk_spread {
  double length, angle;              /* [m], [rad] */
  double velocity, angular_velocity; /* [m/s], [rad/s] */
} hk_spread;

/* hk_orbit_run from start number `index` of a seed.  Joints are closed as at any start.  Bodies
 * that are `fixed` keep their place. */
HK_API hk_status hk_orbit_run_scattered(const hk_model *model, const hk_orbit_options *options,
                                        const hk_spread *spread, uint64_t seed, int index,
                                        hk_orbit *out, hk_diag *diag, hk_error *err);

/* Which orbits are the same attractor?  attractor[i] is its number, counted from 0 in the order of
 * the orbits; -1 for an orbit without points.  Returns how many there are, or HK_ENOMEM. */
HK_API int hk_orbit_classify(const hk_orbit *orbit, int n, const bool *wrap, double tolerance,
                             int *attractor);

#ifdef __cplusplus
}
#endif
#endif
