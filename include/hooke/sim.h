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
#include <hooke/quality.h>

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
  size_t size;       /* sizeof(hk_sim_options), or 0: the members of version 1.0 */
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
  hk_progress_fn *progress; /* after every step of hk_sim_advance and hk_sim_sample, and while `auto` selects a stepper */
  void *context;
} hk_sim_options;

typedef struct hk_sim_stats {
  long steps, rejected, newton, factorizations, solves;
  int redundant;                           /* constraint rows found to be redundant */
  double step;                             /* length of the last step */
  double constraint_error, velocity_error; /* largest at the last step */
  double contact_merit; /* by how much the impulses of the last step miss their law, relative */
  long contact_pivots;  /* pivots and iterations spent on contact problems */
  double reserved[6];
} hk_sim_stats;

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
/* Steps until exactly t.  HK_STOPPED: hk_sim_options.progress asked for it; the time is that of the last step. */
HK_API hk_status hk_sim_advance(hk_sim *sim, double t, hk_error *err);

/* Inputs of the model (hk_model_input_count) by number or by name, in SI units.  One may jump between two
 * steps: the next step then begins as the first one of a run does.  They are part of the state. */
HK_API hk_status hk_sim_input_set(hk_sim *sim, int input, double value, hk_error *err);
HK_API hk_status hk_sim_input_set_by_name(hk_sim *sim, const char *name, double value,
                                          hk_error *err);
HK_API double hk_sim_input_get(const hk_sim *sim, int input); /* NaN: there is no such input */
/* From now on the input is value + rate (t - now) [unit/s].  If `value` is what the input is now, the motion goes on without a
 * restart: the way to feed an input that is known at intervals, with rate = (next value - value)/interval. */
HK_API hk_status hk_sim_input_ramp(hk_sim *sim, int input, double value, double rate, hk_error *err);

HK_API double hk_sim_time(const hk_sim *sim);
HK_API hk_sim_stats hk_sim_statistics(const hk_sim *sim);
HK_API const char *hk_sim_stepper_name(const hk_sim *sim);
/* Why it is this one, in a few words: what `auto` has seen, or that it was named. */
HK_API const char *hk_sim_stepper_why(const hk_sim *sim);
/* What kept the last step from being longer, in a few words: the step given, an error, a switch of a load. */
HK_API const char *hk_sim_step_limit(const hk_sim *sim);
/* The expression in question and its location in the model file, "force 'f' at model.yaml:3:10", as snprintf does; 0: none. */
HK_API int hk_sim_step_limit_place(const hk_sim *sim, char *text, size_t size);
/* Quality indicators of all steps since the simulation was created.  Destroy *out with hk_quality_destroy. */
HK_API hk_status hk_sim_quality(const hk_sim *sim, hk_quality **out, hk_error *err);

/* The last accepted step. */
typedef struct hk_step_report {
  double start, end;      /* [s]; equal: only velocities jumped, or no step was made yet */
  long impacts;           /* impacts counted in it, of all contacts */
  bool jump;              /* velocities have jumped at its end */
  double next_breakpoint; /* the next known time at which a load or motion has a kink or jump by itself [s]; INFINITY: none is
                           * known (adaptive steps look ahead a few steps) */
  const char *limit;      /* hk_sim_step_limit */
  double reserved[4];
} hk_step_report;
HK_API void hk_sim_last_step(const hk_sim *sim, hk_step_report *out);

/* A simulation of a changed model that goes on where another one is: the way to tune parameters while a simulation runs.
 * Both models have the same items, so that their states have the same layout; options and integrator are those of `old`, which
 * stays as it is.  HK_EINPUT: the layouts differ, or the changed joints are open at these positions (err says by how much). */
HK_API hk_status hk_sim_create_from(const hk_model *changed, const hk_sim *old, hk_sim **out,
                                    hk_error *err);

/* ---- the equations of motion, for other integrators ---- */

/* Rates at the time t, positions q and velocities v, arrays in the order of hooke/state.h (counts: hk_model_position_count,
 * hk_model_velocity_count, hk_model_constraint_count): q' and v' from M v' + G^T lambda = f, G v' + bias = 0.  qd, vd and lambda may be
 * NULL.  Quaternions keep their length.  The rate of a `state` of the model is in qd; its entries of v and vd are not used.  The
 * simulation's own state stays.  HK_EINPUT: rigid (set-valued) contacts have no such equations.  HK_RETRY: there is no finite
 * solution here. */
HK_API hk_status hk_sim_rates(hk_sim *sim, double t, const double *q, const double *v, double *qd,
                              double *vd, double *lambda, hk_error *err);
/* Positions and velocities onto the joints at the time t, by the smallest change in the metric of the masses; quaternions get length
 * 1. */
HK_API hk_status hk_sim_project(hk_sim *sim, double t, double *q, double *v, hk_error *err);
/* Directional derivative of m channels by n inputs at the present state: out[k] = sum_i d(channel k)/d(input i) seed[i].  By
 * central differences, exact to round-off if loads are linear in the inputs. */
HK_API hk_status hk_sim_sensitivity(hk_sim *sim, const int *input, int n, const double *seed,
                                    const int *channel, int m, double *out, hk_error *err);

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
