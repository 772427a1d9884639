/* Measures with error bars: the same run three times, each finer than the one before.
 *
 * With the values a, b, c of a measure and r = |c - b|/|b - a|, a method that converges brings down the
 * error by r from one run to the next, so c is off by about |c - b| r/(1 - r).  With a fixed step and
 * a known order p, r should be 2^-p: where it is, the limit c + (c - b) r/(1 - r) is taken
 * (Richardson).  Where r is not well below 1, nothing converges: the motion is chaotic, or an impact falls
 * on another step in each run; the spread of the three values is then all that can be said.
 */
#include <hooke/run.h>
#include <math.h>
#include <stdlib.h>

enum { RUNS = 3 };
static const double TIGHTER = 0.1, SHORTER = 0.5;
/* Above this, the differences of three runs are no series that converges. */
static const double SLOW = 0.7;
/* Agreement of runs to this share is agreement. */
static const double ROUND_OFF = 1e-13;

static hk_run_digits judge(const double y[RUNS], double expected) {
  double first = fabs(y[1] - y[0]), second = fabs(y[2] - y[1]);
  double size = fmax(fabs(y[2]), fmax(fabs(y[0]), fabs(y[1]))), floor_error = ROUND_OFF * size;
  hk_run_digits d = {.value = y[2], .settled = true};
  if (!isfinite(y[0] + y[1] + y[2])) return (hk_run_digits){NAN, NAN, 0, false};
  double r = first > 0 ? second / first : 0;
  if (first <= floor_error && second <= floor_error) {
    d.error = floor_error;
  } else if (r < SLOW) {
    double left = second * r / (1 - r);
    if (expected > 0 && fabs(r - expected) < 0.2 * expected) {
      d.value += (y[2] - y[1]) * expected / (1 - expected);
      left = fmax(left * fabs(r - expected) / expected, 0.05 * left);
    }
    /* A second difference that happens to be small must not promise too much. */
    d.error = fmax(2 * left, fmax(1e-3 * first, floor_error));
  } else {
    d.error = 2 * fmax(first, second);
    d.settled = d.error <= 1e-6 * size;
  }
  double share = d.error / fabs(d.value);
  d.digits = share < 1 ? (int)fmin(15, floor(-log10(share))) : 0;
  return d;
}

/* Options of the next run: finer than those that the last one used. */
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
  static const hk_run_options no_options;
  static const hk_sim_options no_sim;
  hk_run_options o = options ? *options : no_options;
  hk_sim_options sim = o.sim ? *o.sim : no_sim;
  *digits = NULL;
  hk_status status = hk_run(model, &o, report, diag);
  if (status) return status;
  int n = report->n_measures;
  double *y = calloc((size_t)n * RUNS + 1, sizeof *y);
  *digits = calloc((size_t)n + 1, sizeof **digits);
  if (!y || !*digits) status = hk_fail(&report->error, HK_ENOMEM, "out of memory");
  for (int i = 0; !status && i < n; i++) y[i] = report->measure[i].value;
  hk_run_report last = *report;
  hk_diag quiet;
  hk_diag_init(&quiet); /* the first run has said all there is to say of the model */
  for (int k = 1; !status && k < RUNS; k++) {
    sim = finer(&sim, &last);
    o.sim = &sim, o.results = NULL;
    /* What is between two samples must become known as well. */
    if (!(last.step > 0)) o.output_share = SHORTER * (o.output_share > 0 ? o.output_share : 1);
    hk_run_report again;
    status = hk_run(model, &o, &again, &quiet);
    for (int i = 0; !status && i < n; i++) y[k * n + i] = again.measure[i].value;
    if (status) report->error = again.error;
    hk_run_report_free(&again);
    last = again;
  }
  hk_diag_free(&quiet);
  double expected = report->step > 0 && report->order > 0 ? pow(SHORTER, report->order) : 0;
  for (int i = 0; !status && i < n; i++)
    (*digits)[i] = judge((const double[RUNS]){y[i], y[n + i], y[2 * n + i]}, expected);
  free(y);
  if (status) {
    free(*digits);
    *digits = NULL;
    report->status = status;
  }
  return status;
}
