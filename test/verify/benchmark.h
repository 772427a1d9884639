/* A benchmark: an example file as it is shipped, beside a reference in minimal coordinates. */
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
  /* State of the reference at the start, one output interval on, and the channels from it. */
  int n_state;
  void (*start)(real *x);
  ref_rate *rate;
  const void *data;
  void (*channels)(const void *data, const real *x, double *y);
  int substeps; /* of the reference between two outputs; also run with twice as many */
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

/* The reference, with its own error by step halving. */
static inline void bench_make_reference(const benchmark *b, bench_track y) {
  static bench_track coarse;
  bench_reference(b, b->substeps, coarse);
  bench_reference(b, 2 * b->substeps, y);
  vf_bound("reference", b->name, "change by step halving", bench_distance(b, coarse, y), 1e-8,
           "own, long double");
}

/* The file as shipped, at every output point, against the reference. */
static inline void bench_track_file(const benchmark *b, bench_track y, double *final) {
  vf_case c;
  vf_file(&c, b->file, b->set, b->n_set);
  vf_start(&c, NULL);
  int channel[BENCH_MAX_CHANNELS];
  for (int k = 0; k < b->n_channels; k++) channel[k] = vf_channel(&c, b->channel[k]);
  vf_score score = {0};
  double most = 0, held = 0, drift = 0;
  for (int i = 0; i <= BENCH_POINTS; i++) {
    vf_advance(&c, b->duration * i / BENCH_POINTS);
    held = fmax(held, vf_value(&c, "solver.constraint_error"));
    drift = fmax(drift, fabs(vf_value(&c, "energy.balance_error")));
    for (int k = 0; k < b->n_channels; k++) {
      final[k] = hk_sim_value(c.sim, channel[k]);
      most = fmax(most, fabs(final[k] - y[i][k]));
      if (i > 0) vf_score_add(&score, final[k], y[i][k]);
    }
  }
  vf_bound("iftomm", b->name, "score", vf_score_value(&score), 1e-3, "IFToMM, high precision");
  vf_note("iftomm", b->name, "largest error [m, rad]", most, "own reference");
  vf_note("iftomm", b->name, "energy error [J]", drift, "conservation");
  vf_bound("iftomm", b->name, "constraint error", held, 1e-10, "exact");
  vf_close(&c);
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
