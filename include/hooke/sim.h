/* A simulation: a model, its state and the stepper that moves it.  No globals: one per thread.
 *
 *   hk_sim *sim;
 *   if (hk_sim_create(model, NULL, &sim, &diag, &err)) ...
 *   while (hk_sim_time(sim) < 10)
 *     if (hk_sim_step(sim, 10, &err)) ...
 *   double x = hk_sim_value(sim, hk_model_channel_find(model, "bob.x"));
 */
#ifndef HOOKE_SIM_H
#define HOOKE_SIM_H
#include <hooke/model.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hk_sim hk_sim;

/* One key of the analysis or of its stepper, as in the model file: {"theta", 0.6}, {"paper", 1} for
 * true, {.name = "begin", .text = "equilibrium"}.  Numbers are in SI units. */
typedef struct hk_setting {
  const char *name;
  double value;
  const char *text; /* instead of the value, where the key is a word */
} hk_setting;

/* Every member 0 means: as the model's analysis block says, else the default. */
typedef struct hk_sim_options {
  double step;       /* fixed step [s]; 0: adaptive */
  double rtol, atol; /* local error of adaptive steps */
  double initial_step, max_step, min_step;
  const char
      *stepper;  /* a name of `hooke types`, "auto": by the model; NULL: as the analysis says */
  bool one_step; /* `auto` takes no stepper that builds on more than one step of the past */
  bool still;    /* little or nothing will be stepped: `auto` tries no steppers against each other */
  const char *tangent; /* "full", "reduced" or NULL: by need */
  int max_newton;
  const hk_setting *set; /* further keys, those of the stepper above all */
  int n_set;
} hk_sim_options;

typedef struct hk_sim_stats {
  long steps, rejected, newton, factorizations, solves;
  int redundant;                           /* constraint rows found to be redundant */
  double step;                             /* length of the last step */
  double constraint_error, velocity_error; /* largest at the last step */
  double contact_merit; /* by how much the impulses of the last step miss their law, relative */
  long contact_pivots;  /* pivots and iterations spent on contact problems */
} hk_sim_stats;

/* How good a run is, as far as it can tell by itself: the worst of all steps so far. */
typedef struct hk_trust {
  double energy_defect;    /* [J] largest |energy.balance_error| ... */
  double energy_time;      /* ... and when */
  double energy_excess;    /* [J] largest part of it that the quadrature error of the work does not explain */
  double energy_scale;     /* [J] energy turned over: most kinetic, range of stored, all work */
  double energy_work;      /* [J] the part of it that is work: dissipated, by motions, by loads */
  double energy_floor;     /* [J] below it a defect says nothing: round-off, of what is stored and of what could move */
  double constraint_error; /* [m or rad] of the joints, and when */
  double constraint_time;
  double overlap; /* [m] of rigid contacts, and when */
  double overlap_time;
  double phase; /* [rad] by which oscillations may be early or late, as far as their frequency goes with their energy */
  double local_error; /* [m] sum of the local errors of all steps */
  long shared_impacts; /* impacts that went on through contacts that touched, by a law that treats them at once */
  double shared_time;  /* the first of them */
  long open_pressures; /* times that sliding or sticking hung on pressures which rigid bodies leave open */
  double open_time;    /* the first of them, and two of its contacts; the names live as long as the model */
  const char *open_contact, *open_other;
  long kicks;         /* corners of motions, at which velocities jump by an impulse that their efforts do not show */
  double kick_time;   /* the first of them, */
  double kick;        /* [m/s or rad/s] its jump, and the motion; the name lives as long as the model */
  const char *kicked;
  double moved;     /* [m] farthest that a point of a body came from its start; 0: not asked for, see src/sim/trust.c */
  double turn;      /* [rad] of a body within a step of fixed length, and when */
  double turn_time;
  double film_error; /* local errors that a film keeps, over its clearance: the most, when, and of which force */
  double film_time;
  double state_error; /* tolerance over the most that a state reached, where it starts from 0 and has no scale */
  double state_most;  /* that most [SI], and the state's name; NULL: there is no such state, or it stayed at 0 */
  const char *state;
  double bend;       /* [rad] of a joint that was bent beyond its limit: the most, ... */
  double bend_limit; /* ... what its geometry allows, */
  double bend_time;  /* when it first was beyond, */
  const char *bent;  /* and the sensor that saw it; NULL: none was.  Lives as long as the model */
  const char *film; /* lives as long as the model; NULL: no force has such a length (hk_force_ops.fine) */
} hk_trust;

/* Bring the initial state onto the constraints, find redundant rows (a warning in diag names
 * them) and compute accelerations.  Errors name the joint and the gap that remains.  Where `auto` tries steppers against
 * each other it steps the simulation, with the inputs' start values, before this returns and puts it back to its start; which one
 * wins may depend on the duration.  Its steps are kept and taken by hk_sim_step, as long as nothing is set in between and t_end
 * is far away or the end of the analysis: where it is not so, they are made again. */
HK_API hk_status hk_sim_create(const hk_model *model, const hk_sim_options *options, hk_sim **out,
                               hk_diag *diag, hk_error *err);
HK_API void hk_sim_destroy(hk_sim *sim);

/* One accepted step, never past t_end.  HK_OK, or a negative status with the reason in err. */
HK_API hk_status hk_sim_step(hk_sim *sim, double t_end, hk_error *err);
/* Steps until exactly t. */
HK_API hk_status hk_sim_advance(hk_sim *sim, double t, hk_error *err);

/* Inputs of the model (hk_model_input_count) by number or by name, in SI units.  One may jump between two
 * steps: the next step then begins as the first one of a run does.  They are part of the state. */
HK_API hk_status hk_sim_input_set(hk_sim *sim, int input, double value, hk_error *err);
HK_API hk_status hk_sim_input_set_by_name(hk_sim *sim, const char *name, double value,
                                          hk_error *err);
HK_API double hk_sim_input_get(const hk_sim *sim, int input); /* NaN: there is no such input */

HK_API double hk_sim_time(const hk_sim *sim);
HK_API hk_sim_stats hk_sim_statistics(const hk_sim *sim);
HK_API const char *hk_sim_stepper_name(const hk_sim *sim);
/* Why it is this one, in a few words: what `auto` has seen, or that it was named. */
HK_API const char *hk_sim_stepper_why(const hk_sim *sim);
/* What kept the last step from being longer, in a few words: the step given, an error, a switch of a load. */
HK_API const char *hk_sim_step_limit(const hk_sim *sim);
/* Since the simulation was created. */
HK_API hk_trust hk_sim_trust(const hk_sim *sim);

/* Current value of a channel; NaN for an index out of range.  The first call after a step solves
 * for accelerations and reactions. */
HK_API double hk_sim_value(hk_sim *sim, int channel);
/* Values of n channels. */
HK_API hk_status hk_sim_values(hk_sim *sim, const int *channel, int n, double *out, hk_error *err);
/* The same at a time within the last accepted step, by the polynomial of the stepper, so that steps
 * need not end where values are wanted.  A stepper that has none (hk_sim_interpolates) knows its
 * current time only. */
HK_API hk_status hk_sim_values_at(hk_sim *sim, double t, const int *channel, int n, double *out,
                                  hk_error *err);
/* Values of n channels at m ascending times in one call: out[i * n + k] at t[i].  Steps as far as it takes,
 * the last step ends at the last time; times before the last step's start are HK_EINPUT. */
HK_API hk_status hk_sim_sample(hk_sim *sim, const double *t, int m, const int *channel, int n,
                               double *out, hk_error *err);
HK_API hk_status hk_sim_sample_by_name(hk_sim *sim, const double *t, int m, const char *const *name,
                                       int n, double *out, hk_error *err);
HK_API bool hk_sim_interpolates(const hk_sim *sim);
/* When the last accepted step began; the current time before the first one. */
HK_API double hk_sim_step_start(const hk_sim *sim);

/* The whole state as plain memory: checkpoint and return, or copy to another simulation of the same
 * model with the same options.  It is everything: what follows is the same to the last bit as if
 * nobody had stopped there.  hk_sim_state_set fails only when out of memory (a state with other
 * redundant rows needs matrices of its own); the simulation is then of no use. */
HK_API size_t hk_sim_state_size(const hk_sim *sim);
HK_API void hk_sim_state_get(const hk_sim *sim, void *bytes);
HK_API hk_status hk_sim_state_set(hk_sim *sim, const void *bytes);

#ifdef __cplusplus
}
#endif
#endif
