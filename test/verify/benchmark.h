/* A benchmark: an example file as shipped, compared with a reference in minimal coordinates. */
#ifndef BENCHMARK_H
#define BENCHMARK_H
#include "verify/reference.h"
#include "verify/verify.h"

enum { BENCH_POINTS = 400, BENCH_MAX_CHANNELS = 3 };

typedef struct benchmark {
  const char *name;
  const char *file;
  const hk_override *set;
  int n_set;
  double duration;
  int n_channels;
  const char *channel[BENCH_MAX_CHANNELS];
  /* State of the reference at the start, after one output interval, and the channels computed from
   * it. */
  int n_state;
  void (*start)(real *x);
  ref_rate *rate;
  const void *data;
  void (*channels)(const void *data, const real *x, double *y);
  int substeps; /* steps of the reference between two outputs; also run with twice as many */
  double floor;       /* lower limit of the score: round-off that singular positions amplify */
  double floor_adams; /* the same for adams, whose longer steps end less often near these positions;
                       * 0: as above */
} benchmark;

typedef double bench_track[BENCH_POINTS + 1][BENCH_MAX_CHANNELS];

static inline void bench_reference(const benchmark *b, int substeps, bench_track y) {
  real x[REF_MAX_STATE] = {0}, dt = (real)b->duration / BENCH_POINTS;
  b->start(x);
  b->channels(b->data, x, y[0]);
  for (int i = 1; i <= BENCH_POINTS; i++) {
    ref_rk4(b->rate, b->data, b->n_state, x, (i - 1) * dt, dt / substeps, substeps);
    b->channels(b->data, x, y[i]);
  }
}

static inline double bench_distance(const benchmark *b, bench_track a, bench_track c) {
  double most = 0;
  for (int i = 0; i <= BENCH_POINTS; i++)
    for (int k = 0; k < b->n_channels; k++) most = fmax(most, fabs(a[i][k] - c[i][k]));
  return most;
}

/* The reference, with its error estimated by step halving. */
static inline void bench_make_reference(const benchmark *b, bench_track y) {
  static bench_track coarse;
  bench_reference(b, b->substeps, coarse);
  bench_reference(b, 2 * b->substeps, y);
  vf_bound("reference", b->name, "change by step halving", bench_distance(b, coarse, y), 1e-8,
           "own, long double");
}

/* The score of a run of the file with this integrator and tolerance; NaN if the run fails. */
static inline double bench_score(vf_case *c, const benchmark *b, const char *stepper, double rtol,
                                 bench_track y) {
  int channel[BENCH_MAX_CHANNELS];
  double value[BENCH_MAX_CHANNELS];
  vf_score score = {0};
  for (int k = 0; k < b->n_channels; k++) channel[k] = vf_channel(c, b->channel[k]);
  vf_start(c, &(hk_sim_options){.stepper = stepper, .rtol = rtol, .atol = rtol / 10});
  for (int i = 1; i <= BENCH_POINTS; i++) {
    double t = b->duration * i / BENCH_POINTS;
    while (hk_sim_time(c->sim) < t)
      if (hk_sim_step(c->sim, b->duration, &c->err)) return NAN;
    if (hk_sim_values_at(c->sim, t, channel, b->n_channels, value, &c->err)) return NAN;
    for (int k = 0; k < b->n_channels; k++) vf_score_add(&score, value[k], y[i][k]);
  }
  return vf_score_value(&score);
}

/* The cost of each precision class: with the loosest tolerance, in half decades, that reaches
 * it. */
static inline void bench_classes(const benchmark *b, bench_track y, const char *stepper,
                                 double floor) {
  static const double CLASS[] = {1e-3, 1e-5, 1e-7};
  vf_case c;
  vf_file(&c, b->file, b->set, b->n_set);
  double rtol = 1e-4, score = NAN;
  for (int k = 0; k < 3; k++) {
    if (CLASS[k] < floor) break;
    for (; rtol > 0.9e-14; rtol /= sqrt(10)) {
      score = bench_score(&c, b, stepper, rtol, y);
      if (score <= CLASS[k]) break;
    }
    hk_sim_stats done = hk_sim_statistics(c.sim);
    char what[100];
    snprintf(what, sizeof what, "score %.0e with %s: rtol %.1e, %ld steps, %ld factors", CLASS[k],
             stepper, rtol, done.steps, done.factorizations);
    vf_bound("classes", b->name, what, score, CLASS[k], "own reference");
  }
  vf_close(&c);
}

/* The file as shipped, at every output point, against the reference.  Steps are not shortened to
 * end at the output points, as in a run: with shortened steps, bdf leaves the solution of the forty
 * windows of A02 after a singular position. */
static inline void bench_track_file(const benchmark *b, bench_track y, double *final) {
  vf_case c;
  vf_file(&c, b->file, b->set, b->n_set);
  vf_start(&c, NULL);
  int channel[BENCH_MAX_CHANNELS];
  for (int k = 0; k < b->n_channels; k++) channel[k] = vf_channel(&c, b->channel[k]);
  vf_score score = {0};
  double most = 0, held = 0, drift = 0;
  for (int i = 0; i <= BENCH_POINTS; i++) {
    double t = b->duration * i / BENCH_POINTS;
    while (hk_sim_time(c.sim) < t) {
      if (hk_sim_step(c.sim, b->duration, &c.err)) fail_msg("%s", c.err.text);
      held = fmax(held, vf_value(&c, "solver.constraint_error"));
      drift = fmax(drift, fabs(vf_value(&c, "energy.balance_error")));
    }
    if (hk_sim_values_at(c.sim, t, channel, b->n_channels, final, &c.err))
      fail_msg("%s", c.err.text);
    for (int k = 0; k < b->n_channels; k++) {
      most = fmax(most, fabs(final[k] - y[i][k]));
      if (i > 0) vf_score_add(&score, final[k], y[i][k]);
    }
  }
  vf_bound("iftomm", b->name, "score", vf_score_value(&score), 1e-3, "IFToMM, high precision");
  vf_note("iftomm", b->name, "largest error [m, rad]", most, "own reference");
  vf_note("iftomm", b->name, "energy error [J]", drift, "conservation");
  vf_bound("iftomm", b->name, "constraint error", held, 1e-10, "exact");
  vf_close(&c);
  bench_classes(b, y, "bdf", b->floor);
  bench_classes(b, y, "adams", b->floor_adams > 0 ? b->floor_adams : b->floor);
}

/* A whole run; measure i of `name` is asserted against value[i]. */
static inline double bench_measure(const benchmark *b, const char *name) {
  vf_case c;
  hk_run_report report;
  vf_file(&c, b->file, b->set, b->n_set);
  if (hk_run(c.model, NULL, &report, &c.diag)) fail_msg("%s", report.error.text);
  double value = NAN;
  for (int i = 0; i < report.n_measures; i++)
    if (strcmp(report.measure[i].name, name) == 0) value = report.measure[i].value;
  hk_run_report_free(&report);
  vf_close(&c);
  return value;
}
#endif
