/* A simulation: a model, its state and an integrator.  It uses no global data; each simulation belongs to one thread.
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

/* One key of the analysis or of its stepper and its value, as in the model file: {"theta", 0.6}, {"explicit_published",
 * 1} for true, {.name = "initial_state", .text = "equilibrium"}. Values are in SI units. */
typedef struct hk_setting {
  const char *name;
  double value;
  const char *text; /* used instead of `value` if the value of the key is a word */
} hk_setting;

/* For every member, 0 means the value of the model's analysis block if given, else the default. */
typedef struct hk_sim_options {
  size_t size;       /* sizeof(hk_sim_options), or 0: the members of version 1.0 */
  double step;       /* fixed step [s]; 0: adaptive */
  double rtol, atol; /* tolerances of the local error of adaptive steps: relative, absolute */
  double initial_step, max_step, min_step;
  const char
      /* a name listed by `hooke types`, or "auto": selected to suit the model; NULL: the stepper of
       * the analysis */
      *stepper;
  bool one_step; /* `auto` must not select a multistep method */
  /* true: the caller will make few or no steps, so `auto` makes no trial integrations */
  bool no_stepping;
  const char *tangent; /* "full", "reduced" or NULL: chosen automatically */
  int max_newton;
  const hk_setting *set; /* further keys, mainly those of the stepper */
  int n_set;
  /* called after every step of hk_sim_advance and hk_sim_sample, and while `auto` selects a
   * stepper */
  hk_progress_fn *progress;
  void *context;
} hk_sim_options;

typedef struct hk_sim_stats {
  long steps, rejected, newton, factorizations, solves;
  int redundant; /* constraint rows found to be redundant */
  double step;   /* length of the last step */
  /* largest constraint violation of positions and of velocities at the last step */
  double constraint_error, velocity_error;
  double contact_merit; /* relative residual of the contact law in the last step */
  long contact_pivots;  /* pivots and iterations spent on contact problems */
  double reserved[6];
} hk_sim_stats;

/* Create a simulation: assemble the initial state (close the joints), find redundant rows (a
 * warning in diag lists them) and compute accelerations. Error messages give the joint and its
 * remaining gap.  `auto` may compare steppers by trial integrations with the initial values of the
 * inputs, before this function returns; the simulation is then reset to its start.  The selection
 * may depend on the duration.  The steps of the selected stepper are kept and reused by
 * hk_sim_step, unless inputs or the state are changed, or a cached step would not be the same for
 * the requested t_end; then the steps are computed again. */
HK_API hk_status hk_sim_create(const hk_model *model, const hk_sim_options *options, hk_sim **out,
                               hk_diag *diag, hk_error *err);
HK_API void hk_sim_destroy(hk_sim *sim);

/* Makes one accepted step, never past t_end.  Returns HK_OK, or a negative status with the reason
 * in err. */
HK_API hk_status hk_sim_step(hk_sim *sim, double t_end, hk_error *err);
/* Makes one step that ends exactly at t_end, without error control and without shorter
 * attempts. For the same time grid, its result depends smoothly on the state at its start.
 * tightness: the tolerances to which the equations of the step are solved are multiplied by
 * this factor; 1: the tolerances of the run. HK_RETRY: the equations could not be solved; the
 * state is that before the step. */
HK_API hk_status hk_sim_step_exactly(hk_sim *sim, double t_end, double tightness, hk_error *err);
/* Makes steps until the time is exactly t. HK_STOPPED: hk_sim_options.progress returned false; the time is then the end
 * of the last step. */
HK_API hk_status hk_sim_advance(hk_sim *sim, double t, hk_error *err);
/* Replaces hk_sim_options.progress and its context. A simulation made by hk_sim_create_from, for example, has the
 * callback of the simulation from which it continues. progress NULL: none. */
HK_API void hk_sim_progress_set(hk_sim *sim, hk_progress_fn *progress, void *context);

/* Set the inputs of the model (hk_model_input_count) by index or by name, in SI units.  An input
 * may jump between two steps; the integrator then restarts.  Inputs are part of the state. */
HK_API hk_status hk_sim_input_set(hk_sim *sim, int input, double value, hk_error *err);
HK_API hk_status hk_sim_input_set_by_name(hk_sim *sim, const char *name, double value,
                                          hk_error *err);
HK_API double hk_sim_input_get(const hk_sim *sim,
                               int input); /* value of an input; NaN: no such input */
/* Sets an input to value + rate (t - now) from now on; rate in [unit/s].  If `value` is the present
 * value of the input, the integrator continues without a restart.  Use this for an input that is
 * known at intervals, with rate = (next value - value)/interval. */
HK_API hk_status hk_sim_input_ramp(hk_sim *sim, int input, double value, double rate,
                                   hk_error *err);

HK_API double hk_sim_time(const hk_sim *sim);
HK_API hk_sim_stats hk_sim_statistics(const hk_sim *sim);
HK_API const char *hk_sim_stepper_name(const hk_sim *sim);
/* Reason for the choice of the stepper, in a few words: the criterion of `auto`, or that it was requested. */
HK_API const char *hk_sim_stepper_why(const hk_sim *sim);
/* Reason for the size of the last step, in a few words: a fixed step, the error, a switch of a load. */
HK_API const char *hk_sim_step_limit(const hk_sim *sim);
/* Writes the expression that limits the step and its location in the model file, such as "force 'f'
 * at model.yaml:3:10".  Returns the length as snprintf does; 0: no expression limits the step. */
HK_API int hk_sim_step_limit_text(const hk_sim *sim, char *text, size_t size);
/* Quality indicators of all steps since the simulation was created.  Destroy *out with hk_quality_destroy. */
HK_API hk_status hk_sim_quality(const hk_sim *sim, hk_quality **out, hk_error *err);

/* Properties of the last accepted step. */
typedef struct hk_step_report {
  /* [s]; start = end: only velocities jumped, or no step has been made yet */
  double start, end;
  long impacts; /* number of impacts of all contacts in this step */
  bool jump;    /* velocities have jumped at its end */
  /* next known time at which a prescribed load or motion has a kink or jump [s]; INFINITY: none is
   * known (adaptive steps look ahead a few steps) */
  double next_breakpoint;
  const char *limit; /* hk_sim_step_limit */
  double reserved[4];
} hk_step_report;
HK_API void hk_sim_last_step(const hk_sim *sim, hk_step_report *out);

/* Creates a simulation of a changed model that continues from the state of another simulation, for
 * example to tune parameters during a run.  Both models must have the same items, so that their
 * states have the same layout.  Options and integrator are those of `old`, which is not changed.
 * HK_EINPUT: the layouts differ, or the constraints of the changed joints are violated at these
 * positions (err gives the violation). */
HK_API hk_status hk_sim_create_from(const hk_model *changed, const hk_sim *old, hk_sim **out,
                                    hk_error *err);

/* Creates a second simulation of the same model, with the same settings and in the same state: the same calls give the same
 * numbers in both.  HK_EINPUT: an FMU of the model cannot save its state. */
HK_API hk_status hk_sim_copy(const hk_sim *sim, hk_sim **out, hk_error *err);

/* ---- the equations of motion, for other integrators ---- */

/* Computes the rates at the time t, positions q and velocities v.  Arrays are in the order of
 * hooke/state.h (counts: hk_model_position_count, hk_model_velocity_count,
 * hk_model_constraint_count): q' and v' from M v' + G^T lambda = f, G v' + bias = 0.  qd, vd and
 * lambda may be NULL.  The length of quaternions is constant.  The rate of a `state` of the model
 * is in qd; its entries of v and vd are not used.  The state of the simulation is not changed.
 * HK_EINPUT: rigid (set-valued) contacts have no such equations. HK_RETRY: no finite solution. */
HK_API hk_status hk_sim_rates(hk_sim *sim, double t, const double *q, const double *v, double *qd,
                              double *vd, double *lambda, hk_error *err);
/* Projects positions and velocities onto the constraints of the joints at the time t, with the
 * smallest change in the mass metric; quaternions are normalised. */
HK_API hk_status hk_sim_project(hk_sim *sim, double t, double *q, double *v, hk_error *err);
/* Computes the directional derivative of m channels with respect to n inputs at the present state:
 * out[k] = sum_i d(channel k)/d(input i) seed[i].  Uses central differences, which are exact up to
 * round-off if loads are linear in the inputs. */
HK_API hk_status hk_sim_sensitivity(hk_sim *sim, const int *input, int n, const double *seed,
                                    const int *channel, int m, double *out, hk_error *err);

/* Current value of a channel; NaN for an index out of range.  The first call after a step solves
 * for accelerations and reactions. */
HK_API double hk_sim_value(hk_sim *sim, int channel);
/* Reads the current values of n channels. */
HK_API hk_status hk_sim_values(hk_sim *sim, const int *channel, int n, double *out, hk_error *err);
/* Reads the values of n channels at a time t within the last accepted step by interpolation, so
 * that steps need not end at output times.  Without interpolation (hk_sim_interpolates returns
 * false) t must be the current time. */
HK_API hk_status hk_sim_values_at(hk_sim *sim, double t, const int *channel, int n, double *out,
                                  hk_error *err);
/* Reads n channels at m ascending times in one call: out[i * n + k] is the value of channel k at
 * t[i].  Advances the simulation as needed; the last step ends at the last time.  Times before the
 * start of the last step give HK_EINPUT. */
HK_API hk_status hk_sim_sample(hk_sim *sim, const double *t, int m, const int *channel, int n,
                               double *out, hk_error *err);
HK_API hk_status hk_sim_sample_by_name(hk_sim *sim, const double *t, int m, const char *const *name,
                                       int n, double *out, hk_error *err);
/* Name of the event that has stopped the run (`stop` and `events` of the model); NULL: none. Steps then return HK_STOPPED. */
HK_API const char *hk_sim_stop_event(const hk_sim *sim);
HK_API bool hk_sim_interpolates(const hk_sim *sim);
/* Start time of the last accepted step; before the first step, the current time. */
HK_API double hk_sim_step_start(const hk_sim *sim);

/* The complete state as plain memory: a checkpoint, or a copy for another simulation of the same model with the same
 * options.  A run continued from it gives bit-identical results.  hk_sim_state_set fails only when out of memory (a state
 * with other redundant rows needs new matrices); the simulation must then be destroyed. */
HK_API size_t hk_sim_state_size(const hk_sim *sim);
HK_API void hk_sim_state_get(const hk_sim *sim, void *bytes);
HK_API hk_status hk_sim_state_set(hk_sim *sim, const void *bytes);
/* HK_EINPUT: states cannot be saved, because an FMU of the model cannot save its state; err names this FMU.
 * hk_sim_state_set then returns HK_EINPUT and changes nothing. */
HK_API hk_status hk_sim_state_savable(const hk_sim *sim, hk_error *err);

#ifdef __cplusplus
}
#endif
#endif
