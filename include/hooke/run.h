/* A whole run: simulates a model over the time span of its analysis block and provides results and
 * measures.
 *
 *   hk_run_report report;
 *   hk_run(model, &(hk_run_options){.results = "out.h5"}, &report, &diag);
 *   for (int i = 0; i < report.n_measures; i++)
 *     printf("%s = %g %s\n", report.measure[i].name, report.measure[i].value, report.measure[i].unit);
 *   hk_run_report_free(&report);
 *
 * Results go to a file (`results`), into memory (`recording`, hooke/recording.h) or row by row to the program (`row`), in any
 * combination.  Without any of these three, only measures are evaluated.
 */
#ifndef HOOKE_RUN_H
#define HOOKE_RUN_H
#include <hooke/recording.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hk_run_progress {
  double start, end; /* start and end time of the run */
  double t, step;    /* present time, and the size of the last step */
  long steps, newton;
  const char *limit; /* reason for the size of the last step, in a few words */
  const hk_sim *sim; /* for hk_sim_step_limit_text */
} hk_run_progress;

/* For every member, 0 or NULL means the default. */
typedef struct hk_run_options {
  size_t size; /* sizeof(hk_run_options), or 0: the members of version 1.0 */
  const hk_sim_options *sim;
  const char *results; /* results file to write; NULL: no file */
  const char *
      record; /* POSIX extended regular expression of channels to record; NULL: all except the internal channels of
                        * composite joints (hk_model_channel_rank 2) */
  /* alternative to `record`: a list of channels; time is always recorded first */
  const int *channel;
  int n_channels;
  /* Receives the results in memory, even of a run that fails or is stopped (set to NULL if the run
   * did not begin); destroy them with hk_recording_destroy.  NULL: not requested. */
  hk_recording **recording;
  /* Called with each recorded row; value[0] is the time.  False stops the run; the results so far
   * are valid.  NULL: not called. */
  bool (*row)(void *context, const double *value, int n);
  /* Called before the first and after every accepted step, and while `auto` selects a stepper (steps 0).  False stops the
   * run; the results so far are valid. */
  bool (*progress)(void *context, const hk_run_progress *now);
  void *context;
  /* Stored in the results file as its origin. */
  const char *model_file, *model_text;
  const char *const *override_text;
  int n_overrides;
  /* factor on the model's output_step, for recorded rows and, with steppers without interpolation,
   * for measures; 0 means 1 */
  double output_interval_factor;
  /* Starts at this state (hk_sim_state_get) instead of the initial state of the model, and simulates over `duration`
   * [s]: one period of an orbit, for example. Measures then cover all of this time, whatever their windows are. NULL:
   * not used. */
  const void *start;
  size_t start_size;
  double duration;
} hk_run_options;

typedef struct hk_run_measure {
  const char *name; /* lives as long as the model */
  char unit[128];   /* "1": dimensionless */
  const char *note; /* reason for a missing value, or a remark on the value; "": none */
  double value;     /* NaN if the measure has no value */
  double time;      /* time of an extreme or point value, else NaN */
  /* error bound due to the sampling of the channel, without errors of the motion itself */
  double error;
} hk_run_measure;

/* An event of the model in a run. */
typedef struct hk_run_event {
  const char *name; /* lives as long as the model */
  long count;
  int n_times;
  double *time; /* [n_times] the first HK_RUN_EVENT_TIMES times */
} hk_run_event;
enum { HK_RUN_EVENT_TIMES = 1000 };

typedef struct hk_run_report {
  hk_status status; /* HK_OK, HK_STOPPED, or the kind of failure; the message is in `error` */
  hk_error error;
  hk_sim_stats stats;
  const char *stepper;     /* name of the stepper; "" before the first step */
  const char *stepper_why; /* hk_sim_stepper_why, or NULL */
  int order;               /* order of the stepper */
  double rtol, atol;       /* tolerances used, and the fixed step (0: adaptive) */
  double step;
  hk_quality *quality; /* quality indicators of the run; NULL: the run did not begin */
  /* number of indicators of level HK_LEVEL_DOUBT; each is a warning in diag too */
  int doubts;
  double start, end, t; /* start and end of the run, and the time reached */
  double wall_seconds;
  double energy_balance_error; /* error of the energy balance at t [J]; NaN: unknown */
  int64_t rows;                /* recorded */
  hk_run_measure *measure;     /* in the order of the model */
  int n_measures;
  /* Event that ended the run before its duration (status HK_OK); NULL: none. */
  const char *stop_event;
  hk_run_event *event; /* in the order of the model; NULL: the run did not begin */
  size_t n_events;
  double reserved[5];
} hk_run_report;

/* Simulate from the start of the analysis block to its end.  Rows are recorded every output_step
 * from the start and at the end, exactly at these times; measures are evaluated at every accepted
 * step.  The report is always filled; free it with hk_run_report_free.  Returns report->status.
 * Warnings and errors with a location in the model file are in diag.  No file is written if the
 * model cannot be assembled.  A run that fails or is stopped leaves its rows in the file, whose
 * status says so. */
HK_API hk_status hk_run(const hk_model *model, const hk_run_options *options, hk_run_report *report,
                        hk_diag *diag);
HK_API void hk_run_report_free(hk_run_report *report);
/* Writes a recording to a results file (hooke/results.h) after the run. options->results is the
 * name of the file; model_file, model_text and override_text are written into it. The summary
 * in the file is made from the report and the messages of the run (NULL: unknown). */
HK_API hk_status hk_run_save(const hk_model *model, const hk_recording *recording,
                             const hk_run_options *options, const hk_run_report *report,
                             const hk_diag *diag, hk_error *err);

/* A measure with its error estimate, from three runs of increasing accuracy. */
typedef struct hk_run_digits {
  double
      value; /* value of the most accurate run, or extrapolated if the order of convergence is known; NaN: none */
  double error; /* error estimate */
  int digits;   /* significant digits */
  bool settled; /* false: the runs do not converge (chaos, or impacts with fixed steps) */
} hk_run_digits;
/* Calls hk_run with the report, then runs the model twice more without results, each time with
 * tolerances divided by 10 (or the fixed step halved) and output_interval_factor halved.  *digits
 * has an entry for each measure; release it with free().  NULL if a run failed. */
HK_API hk_status hk_run_with_digits(const hk_model *model, const hk_run_options *options,
                                    hk_run_report *report, hk_run_digits **digits, hk_diag *diag);

/* Makes only the checks that hk_run makes before its first step: the analysis is complete, and the
 * channels of the measures exist.  Errors are in diag. */
HK_API hk_status hk_run_check(const hk_model *model, hk_diag *diag);

#ifdef __cplusplus
}
#endif
#endif
