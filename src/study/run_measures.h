/* The measures of a model during a run. */
#ifndef HK_STUDY_RUN_MEASURES_H
#define HK_STUDY_RUN_MEASURES_H
#include "measure/measure.h"
#include "model/model.h"
#include "sim/sim.h"
#include <hooke/run.h>

/* Error bounds of a measure due to sampling, because the channel is not known between the
 * samples: the bound for extremes, and the integral of the error. before: value of the second
 * to last sample. */
typedef struct hk_run_measure_error {
  double min, max, sum, before;
} hk_run_measure_error;

typedef struct hk_run_measures {
  const hk_model *model;
  hk_measure *measure;
  int *channel;    /* [n] channel of each measure */
  int *over;       /* [n] channel of the angle of an order; -1: none */
  bool *ends_only; /* [n] measures that need only samples at both ends of the run */
  int *all; /* [n_all] channels to read at the start and the end of a run, for every measure */
  /* [n_all] for each channel the index of its measure; the angle of an order measure precedes
   * its value */
  int *all_measure;
  int *sampled;         /* [n_sampled] channels to read at every step */
  int *sampled_all;     /* indices of the sampled channels in `all` */
  double *value;        /* [n_all] scratch */
  double *inside;       /* [4][n_sampled] values at four points of the last step */
  double *least, *most; /* [n_sampled] so far */
  bool *coarse; /* [n] the measure would have needed more bisections of steps than allowed */
  hk_run_measure_error *error; /* [n] */
  /* [n] number of bisections since the last one that excluded a part of a step */
  int *fruitless;
  long halvings;   /* number of bisections so far: see run_measures_inside.c */
  bool has_ranges; /* some measured channels are sensors whose range within steps is known */
  int n, n_all, n_sampled;
  double earliest; /* start of the first window among the sampled measures; -INFINITY: no start */
  double duration; /* of the run */
  double
      long_step; /* steps longer than this are sampled inside, whatever the order of the integrator */
  double last;   /* time of the last sample */
  long steps;    /* number of steps at the last sample */
} hk_run_measures;

/* Measures of the model, bound to channels.  HK_EINPUT: an unknown channel, named in diag. */
hk_status hk_run_measures_init(hk_run_measures *r, const hk_model *model, hk_diag *diag);
/* Opens the windows of all measures, before the first sample. */
void hk_run_measures_open(hk_run_measures *r);
void hk_run_measures_free(hk_run_measures *r);
/* Adds one sample of the current state; `end`: the first or last sample of the run. */
hk_status hk_run_measures_sample(hk_run_measures *r, hk_sim *sim, bool end, hk_error *err);
/* Returns true if index `at` of all channels is the angle of the measure that has the next value. */
bool hk_run_measures_is_angle(const hk_run_measures *r, int at);
/* Call before the sample (t, y) of measure i is added: locates an event on the interpolation of the integrator and
 * adds it as a sample. */
hk_status hk_run_measures_event(hk_run_measures *r, hk_sim *sim, int i, double t, double y,
                                hk_error *err);
/* run_measures_inside.c: evaluates the last step, after its start was added. */
/* Evaluates the time over which the state was extrapolated across a switch before the last step, from r->last to the
 * start of the step: sensors, forces and accelerations jump there. */
hk_status hk_run_measures_carried(hk_run_measures *r, hk_sim *sim, hk_error *err);
hk_status hk_run_measures_inside(hk_run_measures *r, hk_sim *sim, bool is_long, hk_error *err);
/* Adds the end of a step, and samples within the step if steps are long. */
hk_status hk_run_measures_step(hk_run_measures *r, hk_sim *sim, hk_error *err);
/* Writes the values to the report, and adds a warning to diag (may be NULL) for each measure
 * without a value or with a window that was not covered. */
hk_status hk_run_measures_report(const hk_run_measures *r, hk_run_report *report, hk_diag *diag);
#endif
