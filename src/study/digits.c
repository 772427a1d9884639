/* Measures with error bars: the same run three times, each with a smaller tolerance or step than the one before.
 *
 * Let a, b, c be the three values of a measure, d1 = |b - a|, d2 = |c - b| and r = d2/d1. For a method that converges
 * regularly, the error of c is d2 r/(1 - r). Errors of adaptive runs do not converge regularly: they change sign, and a
 * small d2 may also mean that two large errors happen to be equal. Therefore the error is estimated as the sum of
 *
 *   max(0.3 d1, 2 d2)      the part of the first error that may remain at a tenth of the tolerance; twice the last change
 *   the measure's error    due to sampling (hk_run_measure.error); it may be the same in all three runs
 *   y defect/energy        of the last run, in models that switch, by compliant contacts or by expressions: errors of
 *                          steps across a switch scatter, and three runs may agree by chance, but the defect shows
 *                          the error of each; the largest of all runs if the defect does not decrease from each run
 *                          to the next: the runs then have a common error, which their differences do not show
 *   round-off
 *
 * Where the defect does not decrease, the steps have reached a limit other than the tolerance, such as the rounding of
 * positions in a stiff contact. The three values then scatter independently of the tolerance, and d2 may be small by
 * chance: the larger of d1 and d2 is used, as for motions that do not converge.
 *
 * The factors were determined with the models of test/verify/test_digits.c. With a fixed step and a known order p, r
 * should be 2^-p. If r has this value, the result is the limit c + (c - b) r/(1 - r) (Richardson extrapolation), and
 * its error is the difference between this limit and c. If r is not well below 1, the values do not converge: the
 * motion is chaotic, or an impact falls on a different step in each run. The error is then estimated as twice the
 * spread of the three values. */
#include "base/options.h"
#include "base/required.h"
#include "model/model.h"
#include <hooke/run.h>
#include <math.h>
#include <stdlib.h>

enum { RUNS = 3 };
static const double TIGHTER = 0.1, SHORTER = 0.5;
/* If the ratio of the two differences is above this value, the three runs do not converge. */
static const double SLOW = 0.7;
/* Factors of the first and of the second difference in the error estimate. */
static const double FIRST_LEFT = 0.3, SECOND_LEFT = 2;
/* A relative difference of two runs below this value is round-off. */
static const double ROUND_OFF = 1e-13;

/* Values and errors of one measure in three runs. */
typedef struct series {
  double y[RUNS];
  double samples; /* error of the last value due to sampling */
  double defect;  /* relative error that follows from the error of the energy balance */
  bool scatters;  /* true: the error of the runs does not decrease with the tolerance */
} series;

/* Estimates the error of a measure.  order: order of convergence of a fixed step; 0: adaptive
 * steps.  First-order methods end an impact at a point of their time grid, so that two runs may
 * agree by chance. */
static hk_run_digits judge(const series *k, int order) {
  const double *y = k->y;
  double first = fabs(y[1] - y[0]), second = fabs(y[2] - y[1]);
  double size = fmax(fabs(y[2]), fmax(fabs(y[0]), fabs(y[1])));
  double left_open = k->samples + (ROUND_OFF + k->defect) * size;
  hk_run_digits d = {.value = y[2], .settled = true};
  if (!isfinite(y[0] + y[1] + y[2])) return (hk_run_digits){NAN, NAN, 0, false};
  double r = first > 0 ? second / first : second > 0 ? INFINITY : 0;
  double expected = order > 1 ? pow(SHORTER, order) : 0;
  if (expected > 0 && fabs(r - expected) < 0.2 * expected) {
    double change = (y[2] - y[1]) * expected / (1 - expected);
    d.value += change, d.error = fabs(change) + left_open;
  } else if ((r < SLOW && order != 1 && !k->scatters) || fmax(first, second) <= ROUND_OFF * size) {
    d.error = fmax(FIRST_LEFT * first, SECOND_LEFT * second) + left_open;
  } else {
    d.error = 2 * fmax(first, second) + left_open;
    /* Changes below the sampling error do not indicate chaos. */
    d.settled = r < SLOW || d.error <= 1e-6 * size || fmax(first, second) <= k->samples;
  }
  double share = d.error / fabs(d.value);
  d.digits = share < 1 ? (int)fmin(15, floor(-log10(share))) : 0;
  return d;
}

/* Error of the energy balance relative to the energy exchanged. */
static double energy_error(const hk_run_report *p) {
  const hk_indicator *energy = hk_quality_find(p->quality, HK_QUALITY_ENERGY);
  return energy ? energy->amount / energy->scale : 0;
}

/* Fills the members of k that follow from the energy errors of the runs. Unless each energy
 * error is clearly smaller than that of the run before, the errors scatter: the error of a
 * single run may then be small by chance. */
static void judge_energy(const double *energy, bool switches, series *k) {
  bool follows = true;
  double most = energy[0];
  for (int i = 1; i < RUNS; i++) {
    follows = follows && energy[i] <= SLOW * energy[i - 1];
    most = fmax(most, energy[i]);
  }
  k->scatters = !follows && most > ROUND_OFF;
  k->defect = fmin(1, k->scatters ? most : switches ? energy[RUNS - 1] : 0);
}

/* Sets the options of the next run: a smaller tolerance or step than in the previous run. */
static hk_sim_options finer(const hk_sim_options *o, const hk_run_report *last) {
  hk_sim_options next = *o;
  if (last->step > 0) {
    next.step = SHORTER * last->step;
  } else {
    next.rtol = TIGHTER * last->rtol;
    next.atol = TIGHTER * last->atol;
  }
  return next;
}

hk_status hk_run_with_digits(const hk_model *model, const hk_run_options *options,
                             hk_run_report *report, hk_run_digits **digits, hk_diag *diag) {
  if (report)
    *report = (hk_run_report){.status = HK_EINPUT, .stepper = "", .energy_balance_error = NAN};
  HK_REQUIRE(digits, report ? &report->error : NULL);
  if (!report) {
    hk_run_report unread;
    hk_status status = hk_run_with_digits(model, options, &unread, digits, diag);
    hk_run_report_free(&unread);
    return status;
  }
  hk_run_options o;
  hk_sim_options sim;
  HK_TAKE_OPTIONS(o, options);
  HK_TAKE_OPTIONS(sim, o.sim);
  o.size = sim.size = 0;
  *digits = NULL;
  hk_status status = hk_run(model, &o, report, diag);
  if (status) return status;
  int n = report->n_measures;
  bool switches = model->n_watched > 0 || (model->n_points > 0 && !model->set_valued);
  series *all = calloc((size_t)n + 1, sizeof *all);
  *digits = calloc((size_t)n + 1, sizeof **digits);
  if (!all || !*digits) status = hk_fail(&report->error, HK_ENOMEM, "out of memory");
  for (int i = 0; !status && i < n; i++) all[i].y[0] = report->measure[i].value;
  hk_run_report last = *report;
  double energy[RUNS] = {status ? 0 : energy_error(report)};
  hk_diag quiet;
  hk_diag_init(&quiet); /* the first run has reported all messages about the model */
  for (int k = 1; !status && k < RUNS; k++) {
    sim = finer(&sim, &last);
    o.sim = &sim, o.results = NULL, o.recording = NULL, o.row = NULL;
    /* The output interval is reduced too. This also reduces the length of steps if the integrator ends a step at each
     * sample. */
    o.output_interval_factor =
        SHORTER * (o.output_interval_factor > 0 ? o.output_interval_factor : 1);
    hk_run_report again;
    status = hk_run(model, &o, &again, &quiet);
    energy[k] = energy_error(&again);
    for (int i = 0; !status && i < n; i++)
      all[i].y[k] = again.measure[i].value, all[i].samples = again.measure[i].error;
    if (status) report->error = again.error;
    hk_run_report_free(&again);
    last = again;
  }
  hk_diag_free(&quiet);
  for (int i = 0; !status && i < n; i++) {
    judge_energy(energy, switches, &all[i]);
    (*digits)[i] = judge(&all[i], report->step > 0 ? report->order : 0);
  }
  free(all);
  if (status) {
    free(*digits);
    *digits = NULL;
    report->status = status;
  }
  return status;
}
