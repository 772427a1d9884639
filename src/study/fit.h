/* Fit of parameters of a model to measured curves: over time (a simulation) or over frequency (the linear response to one
 * input).
 *
 * The curves are compared with channels at the measured points. Residuals are divided by the deviation of the measured
 * curve; with several curves they are divided by the remaining error of each curve in the end, so that a noisy curve
 * counts less. Parameters vary within bounds: those whose bounds have the ratio 10 or more by their logarithms. */
#ifndef HK_STUDY_FIT_H
#define HK_STUDY_FIT_H
#include <hooke/dim.h>
#include <hooke/model.h>
#include <hooke/model_file.h>

typedef enum hk_fit_part {
  HK_FIT_VALUE, /* over time */
  HK_FIT_RE,    /* of a frequency response */
  HK_FIT_IM,
  HK_FIT_MAGNITUDE,
  HK_FIT_PHASE
} hk_fit_part;

typedef struct hk_fit_parameter {
  char path[300], unit[64];
  double low, high; /* in the unit */
  /* results */
  double value, uncertainty; /* standard uncertainty, in the unit */
  bool at_bound;
} hk_fit_parameter;

typedef struct hk_fit_curve {
  char column[300], channel[300];
  hk_fit_part part;
  hk_dim dim; /* of the column; without a unit it is in SI units */
  /* results, in SI units */
  double *measured, *fitted; /* [n] */
  char unit[64];
  double deviation;  /* of the measured values from their mean */
  double rms;        /* of the residuals */
  double neighbours; /* correlation of successive residuals: near 0 for noise */
} hk_fit_curve;

typedef struct hk_fit {
  const char *model_path, *data_path;
  const hk_registry *types;
  const hk_override *set;
  int n_set;
  hk_fit_parameter *parameter;
  int n_parameters;
  hk_fit_curve *curve;
  int n_curves;
  const char *input; /* of a frequency response; NULL: the only one of the model */
  int starts;        /* points of the box that are tried first; 0: 10 per parameter */
  bool (*go_on)(void *context, int runs); /* called after every run; false stops */
  void *context;
  /* results */
  bool by_frequency;
  double *x; /* [n] times [s] or frequencies [Hz] */
  int n, runs, iterations;
  bool unread;         /* the model of the last run is not valid */
  int searches, equal; /* searches from different points, and how many of them found this fit */
  bool converged;
  double *correlation; /* [n_parameters][n_parameters] */
} hk_fit;

/* Reads the data of the curves. Without curves, each column with
 * the name of a channel becomes one. Errors are in diag. */
hk_status hk_fit_read(hk_fit *f, const hk_model *m, hk_diag *diag, hk_error *err);
/* HK_EINPUT: model and data do not fit each other. HK_EFAIL: no run succeeds, or the data do not determine the parameters. */
hk_status hk_fit_run(hk_fit *f, hk_error *err);
/* Frees results and curves. */
void hk_fit_free(hk_fit *f);
#endif
