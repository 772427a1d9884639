/* Resampling at equal steps: see resample.h. */
#include "analysis/resample.h"
#include "base/arena.h"
#include "expr/curve.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Selects the rows with finite values in which the variable increases. Returns their number. */
static int64_t keep_rising(const double *x, const double *y, int64_t n, double *xs, double *ys) {
  int64_t count = 0;
  double sign = n > 0 && x[n - 1] < x[0] ? -1 : 1;
  for (int64_t i = 0; i < n; i++) {
    if (!isfinite(x[i]) || !isfinite(y[i]) || (count && !(sign * x[i] > xs[count - 1]))) continue;
    xs[count] = sign * x[i], ys[count++] = y[i];
  }
  return count;
}

static bool is_even(const double *x, int64_t n) {
  double step = (x[n - 1] - x[0]) / (double)(n - 1);
  for (int64_t i = 0; i < n; i++)
    if (fabs(x[i] - x[0] - step * (double)i) > 1e-6 * step + 1e-12 * fabs(x[n - 1])) return false;
  return true;
}

/* Omits rows that were added between rows at equal steps, such as rows of events or the last row of a run. Returns the
 * new number of rows, or n if the remaining steps are not equal. */
static int64_t keep_even(double *x, double *y, int64_t n) {
  double step = 0, last = x[0];
  int64_t count = 1;
  for (int64_t i = 1; i < n; i++) step = fmax(step, x[i] - x[i - 1]);
  for (int64_t i = 1; i < n; i++) {
    double off = x[i] - last - step;
    if (off > 1e-6 * step) return n;
    if (off >= -1e-6 * step) last = x[i], count++;
  }
  if (2 * count < n || count < HK_EVEN_LEAST) return n;
  last = x[0], count = 1;
  for (int64_t i = 1; i < n; i++)
    if (x[i] - last >= (1 - 1e-6) * step) last = x[count] = x[i], y[count++] = y[i];
  return count;
}

static hk_status interpolate(const double *x, const double *y, int64_t n, double step, hk_even *out,
                             hk_error *err) {
  double points = floor((x[n - 1] - x[0]) / step * (1 + 1e-12)) + 1;
  if (points > HK_EVEN_MOST)
    return hk_fail(err, HK_EINPUT,
                   "%.3g equal steps are too many for a spectrum; the maximum is %d", points,
                   HK_EVEN_MOST);
  hk_arena arena;
  hk_arena_init(&arena);
  hk_curve *c = hk_curve_create(&arena, x, y, (int)n, HK_INTERPOLATION_CUBIC, HK_OUTSIDE_HOLD, err);
  out->n = (int64_t)points;
  out->block = c ? malloc(sizeof(double) * (size_t)out->n) : NULL;
  hk_status status = c && out->block ? HK_OK : hk_fail(err, HK_ENOMEM, "out of memory");
  for (int64_t i = 0; i < out->n && !status; i++)
    out->block[i] = hk_curve_value(c, x[0] + step * (double)i);
  hk_arena_free(&arena);
  return status;
}

hk_status hk_even_make(const double *x, const double *y, int64_t n, double step, hk_even *out,
                       hk_error *err) {
  *out = (hk_even){0};
  if (n > HK_EVEN_MOST)
    return hk_fail(err, HK_EINPUT,
                   "%lld rows are too many for a spectrum; the maximum is %d: use --from and --to",
                   (long long)n, HK_EVEN_MOST);
  double *xs = malloc(sizeof *xs * (size_t)(n + 1)), *ys = malloc(sizeof *ys * (size_t)(n + 1));
  int64_t count = xs && ys ? keep_rising(x, y, n, xs, ys) : 0;
  hk_status status = xs && ys ? HK_OK : hk_fail(err, HK_ENOMEM, "out of memory");
  if (!status && count < HK_EVEN_LEAST)
    status = hk_fail(err, HK_EINPUT, "a spectrum needs at least %d values, not %lld", HK_EVEN_LEAST,
                     (long long)count);
  if (!status && !is_even(xs, count)) count = keep_even(xs, ys, count);
  if (!status) {
    double mean = (xs[count - 1] - xs[0]) / (double)(count - 1);
    bool as_it_is = is_even(xs, count) && (step == 0 || fabs(step - mean) < 1e-6 * mean);
    out->x0 = xs[0];
    out->step = as_it_is ? mean : step > 0 ? step : 0.5 * mean;
    if (as_it_is) {
      out->n = count, out->block = ys;
      ys = NULL;
    } else
      status = interpolate(xs, ys, count, out->step, out, err);
    out->y = out->block;
  }
  free(xs);
  free(ys);
  if (status) hk_even_free(out);
  return status;
}

void hk_even_free(hk_even *e) {
  free(e->block);
  *e = (hk_even){0};
}

hk_even hk_even_part(const hk_even *e, int64_t first, int64_t n) {
  return (hk_even){
      .y = e->y + first, .n = n, .x0 = e->x0 + e->step * (double)first, .step = e->step};
}

void hk_even_trim(hk_even *e, double period) {
  double periods = floor((double)e->n * e->step / period * (1 + 1e-9));
  int64_t keep = (int64_t)round(periods * period / e->step);
  if (periods < 1 || keep < HK_EVEN_LEAST || keep > e->n) return;
  e->x0 += e->step * (double)(e->n - keep);
  e->y += e->n - keep;
  e->n = keep;
}

double hk_even_mean(const hk_even *e) {
  double sum = 0;
  for (int64_t i = 0; i < e->n; i++) sum += e->y[i];
  return sum / (double)e->n;
}

double hk_even_rms(const hk_even *e) {
  double mean = hk_even_mean(e), sum = 0;
  for (int64_t i = 0; i < e->n; i++) sum += (e->y[i] - mean) * (e->y[i] - mean);
  return sqrt(sum / (double)e->n);
}
