/* hooke erp with a results file: the radiated power of a run over frequency.
 *
 * All velocities, those of the floating frame in body axes and those of the modes, are weighted by Hann's window and
 * transformed; a harmonic motion then gives a line with its power.  The rates of the modes are i omega times their coordinates. */
#include "analysis/spectrum.h"
#include "erp.h"
#include "lack.h"
#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ROWS = 1 << 20 };

typedef struct records {
  hk_results *r;
  int64_t first, rows, size; /* rows used; length of the transform */
  double step, sum, squares; /* time between rows, sum of the window, sum of its squares */
  double *t, *one;           /* [rows of the file] */
  double *re, *im;           /* [size] */
} records;

static hk_status no_memory(hk_error *err) { return hk_fail(err, HK_ENOMEM, "out of memory"); }

static double window(const records *w, int64_t i) {
  return 0.5 - 0.5 * cos(2 * M_PI * ((double)i + 0.5) / (double)w->rows);
}

static hk_status begin(records *w, hk_results *r, double skip, hk_error *err) {
  int64_t all = hk_results_row_count(r);
  w->r = r;
  w->t = malloc(sizeof *w->t * (size_t)(all + 1));
  w->one = malloc(sizeof *w->one * (size_t)(all + 1));
  if (!w->t || !w->one) return no_memory(err);
  hk_status status = hk_results_read_column(r, 0, w->t, err);
  if (status) return status;
  while (w->first < all && w->t[w->first] < skip) w->first++;
  w->rows = all - w->first;
  if (w->rows < 16 || w->rows > MOST_ROWS)
    return hk_fail(err, HK_EINPUT, "the spectrum needs 16 to %d rows, but there are %lld",
                   MOST_ROWS, (long long)w->rows);
  const double *t = w->t + w->first;
  w->step = (t[w->rows - 1] - t[0]) / (double)(w->rows - 1);
  for (int64_t i = 1; i < w->rows; i++)
    if (!(fabs(t[i] - t[0] - (double)i * w->step) < 1e-3 * w->step))
      return hk_fail(err, HK_EINPUT,
                     "the rows are not equally spaced (at t = %.9g s); run with an output_step",
                     t[i]);
  for (w->size = 2; w->size < 2 * w->rows;) w->size *= 2;
  w->re = malloc(sizeof *w->re * (size_t)w->size);
  w->im = malloc(sizeof *w->im * (size_t)w->size);
  for (int64_t i = 0; i < w->rows; i++) {
    w->sum += window(w, i);
    w->squares += window(w, i) * window(w, i);
  }
  return w->re && w->im ? HK_OK : no_memory(err);
}

static void end(records *w) { free(w->t), free(w->one), free(w->re), free(w->im); }

/* Amplitudes out[size/2] of the values y[rows] without their mean. */
static void transform(const records *w, const double *y, double complex *out) {
  double mean = 0;
  for (int64_t i = 0; i < w->rows; i++) mean += y[i] / (double)w->rows;
  memset(w->re, 0, sizeof *w->re * (size_t)w->size);
  memset(w->im, 0, sizeof *w->im * (size_t)w->size);
  for (int64_t i = 0; i < w->rows; i++) w->re[i] = (y[i] - mean) * window(w, i);
  hk_fft(w->re, w->im, w->size);
  for (int64_t k = 0; k < w->size / 2; k++) out[k] = 2 / w->sum * (w->re[k] + I * w->im[k]);
}

static hk_status read(const records *w, const char *body, const char *what, double *out,
                      hk_error *err) {
  char name[512];
  snprintf(name, sizeof name, "%.400s.%s", body, what);
  int column = hk_results_find(w->r, name);
  if (column < 0)
    return hk_fail(err, HK_EINPUT,
                   "the channel '%s' is not in '%s'; do not leave it out by --record", name,
                   hk_results_path(w->r));
  hk_status status = hk_results_read_column(w->r, column, w->one, err);
  if (!status) memcpy(out, w->one + w->first, sizeof *out * (size_t)w->rows);
  return status;
}

/* v[6][rows]: the rigid motion, in body axes. */
static hk_status rigid_motion(const records *w, const tool_erp_body *b, double *v, hk_error *err) {
  static const char *const what[10] = {"vx", "vy", "vz", "wx", "wy", "wz", "qw", "qx", "qy", "qz"};
  const size_t n = (size_t)w->rows;
  double *all = malloc(sizeof *all * 10 * n);
  hk_status status = all ? HK_OK : no_memory(err);
  for (size_t k = 0; k < 10 && !status; k++)
    status = read(w, b->body->name, what[k], all + k * n, err);
  for (size_t i = 0; i < n && !status; i++) {
    double now[6];
    for (size_t k = 0; k < 6; k++) now[k] = all[k * n + i];
    hk_mat3 R =
        hk_quat_matrix((hk_quat){all[6 * n + i], all[7 * n + i], all[8 * n + i], all[9 * n + i]});
    tool_erp_to_body(&b->body->data, &R, now);
    for (size_t k = 0; k < 6; k++) v[k * n + i] = now[k];
  }
  free(all);
  return status;
}

/* x[6 + m][size/2]: amplitudes of all velocities. */
static hk_status amplitudes(const records *w, const tool_erp_body *b, double complex *x,
                            hk_error *err) {
  const size_t half = (size_t)w->size / 2, n = (size_t)w->rows;
  double *v = malloc(sizeof *v * 6 * n);
  hk_status status = v ? rigid_motion(w, b, v, err) : no_memory(err);
  for (size_t k = 0; k < 6 && !status; k++) transform(w, v + k * n, x + k * half);
  for (int k = 0; k < b->body->data.m && !status; k++) {
    char what[40];
    double complex *to = x + (size_t)(6 + k) * half;
    snprintf(what, sizeof what, "mode[%d]", k + 1);
    status = read(w, b->body->name, what, v, err);
    if (!status) transform(w, v, to);
    for (size_t j = 0; j < half && !status; j++)
      to[j] *= I * 2 * M_PI * (double)j / ((double)w->size * w->step);
  }
  free(v);
  return status;
}

/* Refuses rows that do not show the motion of the mode that radiates most. */
static hk_status check_rows(const records *w, const tool_erp_body *b, const double complex *x,
                            hk_error *err) {
  const size_t half = (size_t)w->size / 2;
  const int n = 6 + b->body->data.m;
  double most = -1;
  int loudest = 6;
  for (int k = 6; k < n; k++) {
    double sum = 0;
    for (size_t j = 0; j < half; j++) {
      double a = cabs(x[(size_t)k * half + j]);
      sum += b->form[k * n + k] * a * a;
    }
    if (sum > most) most = sum, loudest = k;
  }
  char name[512];
  snprintf(name, sizeof name, "%.400s.mode[%d]", b->body->name, loudest - 5);
  return tool_lack_check(w->r, hk_results_find(w->r, name), w->first, w->rows, "the radiated power",
                         err);
}

static hk_status of_body(const records *w, double impedance, tool_erp_body *b, hk_error *err) {
  const size_t half = (size_t)w->size / 2;
  const int n = 6 + b->body->data.m;
  double complex *x = malloc(sizeof *x * (size_t)n * half);
  b->power = malloc(sizeof *b->power * half);
  hk_status status = x && b->power ? amplitudes(w, b, x, err) : no_memory(err);
  if (!status) status = check_rows(w, b, x, err);
  b->total = 0;
  for (size_t j = 0; j < half && !status; j++) {
    double re[n], im[n];
    for (int k = 0; k < n; k++)
      re[k] = creal(x[(size_t)k * half + j]), im[k] = cimag(x[(size_t)k * half + j]);
    /* The mean square of a harmonic motion is half of its squared amplitude. The line at
     * frequency zero has no partner at a negative frequency. */
    b->power[j] = (j ? 0.5 : 0.25) * impedance * (tool_erp_form(b, re) + tool_erp_form(b, im));
    b->total += b->power[j] * w->sum * w->sum / ((double)w->size * w->squares);
  }
  free(x);
  return status;
}

hk_status tool_erp_of_run(tool_erp *e, hk_results *r, double skip, double **f, int *n,
                          hk_error *err) {
  records w = {0};
  hk_status status = begin(&w, r, skip, err);
  for (int i = 0; i < e->n && !status; i++) status = of_body(&w, e->impedance, &e->body[i], err);
  if (!status) {
    *n = (int)(w.size / 2);
    *f = malloc(sizeof **f * (size_t)*n);
    if (!*f) status = no_memory(err);
    for (int j = 0; j < *n && !status; j++) (*f)[j] = j / ((double)w.size * w.step);
  }
  end(&w);
  return status;
}
