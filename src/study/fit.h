/* Fit of parameters of a model to measured curves: over time (a simulation) or over frequency (the linear response to one
 * input).
 *
 * The curves are compared with channels at the measured points. Residuals are divided by the standard deviation of the
 * measured curve. If there are several curves, the residuals of each curve are finally divided by the remaining error
 * of this curve, so that a noisy curve has less weight. Parameters vary within bounds. If the ratio of the bounds is
 * 10 or more, the logarithm of the parameter is varied. */
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
  double value, uncertainty; /* standard uncertainty, in the unit of the parameter */
  bool at_bound;
} hk_fit_parameter;

typedef struct hk_fit_curve {
  char column[300], channel[300];
  hk_fit_part part;
  hk_dim dim; /* unit of the column; "": the column has no unit and its numbers are SI values */
  /* results, in SI units */
  double *measured, *fitted; /* [n] */
  char unit[64];
  double deviation;  /* root mean square difference of the measured values from their mean */
  double rms;        /* of the residuals */
  double neighbours; /* correlation of successive residuals: near 0 if the residuals are noise */
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
  const char *input; /* input of a frequency response; NULL: the only input of the model */
  int starts;        /* number of points evaluated before the searches; 0: 10 per parameter */
  /* called after every run; returning false stops the fit */
  bool (*go_on)(void *context, int runs);
  void *context;
  /* results */
  bool by_frequency;
  double *x; /* [n] times [s] or frequencies [Hz] */
  int n, runs, iterations;
  bool unread; /* true: the model of the last run was not valid */
  /* number of searches from different points, and how many of them found this fit */
  int searches, equal;
  bool converged;
  double *correlation; /* [n_parameters][n_parameters] */
} hk_fit;

/* Reads the data of the curves. If no curves are listed, each column with the name of a channel becomes a curve.
 * Errors are in diag. */
hk_status hk_fit_read(hk_fit *f, const hk_model *m, hk_diag *diag, hk_error *err);
/* Fits the parameters. HK_EINPUT: model and data do not fit each other. HK_EFAIL: no run succeeds, or the data do not
 * determine the parameters. */
hk_status hk_fit_run(hk_fit *f, hk_error *err);
/* Frees results and curves. */
void hk_fit_free(hk_fit *f);
#endif
