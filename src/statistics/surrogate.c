/* Surrogates: see surrogate.h. */
#include "statistics/surrogate.h"
#include "lapack/lapack.h"
#include "statistics/surrogate_private.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static hk_status scale_rows(hk_surrogate *s, const double *x, const double *y, hk_error *err) {
  int n = s->n, d = s->d;
  for (int k = 0; k < d; k++) {
    s->low[k] = INFINITY, s->high[k] = -INFINITY;
    for (int i = 0; i < n; i++) {
      s->low[k] = fmin(s->low[k], x[i * d + k]);
      s->high[k] = fmax(s->high[k], x[i * d + k]);
    }
    if (!(s->high[k] > s->low[k]))
      return hk_fail(err, HK_EINPUT,
                     "variable %d has only one value, so no function can be fitted", k + 1);
    for (int i = 0; i < n; i++)
      s->u[i * d + k] = 2 * (x[i * d + k] - s->low[k]) / (s->high[k] - s->low[k]) - 1;
  }
  double sum = 0, square = 0;
  for (int i = 0; i < n; i++) sum += y[i];
  s->mean = sum / n;
  for (int i = 0; i < n; i++) square += (y[i] - s->mean) * (y[i] - s->mean);
  s->scale = sqrt(square / (n - 1));
  if (!(s->scale > 0)) s->scale = 1; /* all values are equal: the mean is exact */
  for (int i = 0; i < n; i++) s->z[i] = (y[i] - s->mean) / s->scale;
  return HK_OK;
}

static hk_surrogate *create(int n, int d) {
  hk_surrogate *s = calloc(1, sizeof *s);
  if (!s) return NULL;
  s->n = n;
  s->d = d;
  s->low = calloc((size_t)d, sizeof *s->low);
  s->high = calloc((size_t)d, sizeof *s->high);
  s->u = calloc((size_t)n * (size_t)d, sizeof *s->u);
  s->z = calloc((size_t)n, sizeof *s->z);
  if (s->low && s->high && s->u && s->z) return s;
  hk_surrogate_free(s);
  return NULL;
}

static hk_status fit_kind(const double *x, const double *y, int n, int d, hk_surrogate_kind kind,
                          hk_surrogate **out, hk_error *err) {
  hk_status status = hk_lapack_begin("a surrogate", err);
  if (status) return status;
  hk_surrogate *s = create(n, d);
  if (!s) return hk_fail(err, HK_ENOMEM, "out of memory");
  s->kind = kind;
  status = scale_rows(s, x, y, err);
  if (!status)
    status = kind == HK_SURROGATE_QUADRATIC ? hk_quadratic_fit(s, err) : hk_gaussian_fit(s, err);
  if (status) {
    hk_surrogate_free(s);
    return status;
  }
  *out = s;
  return HK_OK;
}

hk_status hk_surrogate_fit(const double *x, const double *y, int n, int d, hk_surrogate_kind kind,
                           hk_surrogate **out, hk_error *err) {
  *out = NULL;
  if (d < 1 || n < d + 2)
    return hk_fail(err, HK_EINPUT, "%d rows are too few for a surrogate of %d variables", n, d);
  if (kind != HK_SURROGATE_AUTO) return fit_kind(x, y, n, d, kind, out, err);
  hk_surrogate *a = NULL, *b = NULL;
  hk_error why = {0};
  hk_status first = fit_kind(x, y, n, d, HK_SURROGATE_QUADRATIC, &a, &why);
  hk_status second = fit_kind(x, y, n, d, HK_SURROGATE_GAUSSIAN, &b, err);
  if (first && second) return second;
  bool quadratic = !first && (second || a->rms <= b->rms);
  *out = quadratic ? a : b;
  hk_surrogate_free(quadratic ? b : a);
  return HK_OK;
}

void hk_surrogate_free(hk_surrogate *s) {
  if (!s) return;
  free(s->low);
  free(s->high);
  free(s->u);
  free(s->z);
  free(s->beta);
  free(s->R);
  free(s->length);
  free(s->L);
  free(s->alpha);
  free(s);
}

double hk_surrogate_value(const hk_surrogate *s, const double *x, double *deviation) {
  double u[1000];
  for (int k = 0; k < s->d && k < 1000; k++)
    u[k] = 2 * (x[k] - s->low[k]) / (s->high[k] - s->low[k]) - 1;
  double z = s->kind == HK_SURROGATE_QUADRATIC ? hk_quadratic_value(s, u, deviation)
                                               : hk_gaussian_value(s, u, deviation);
  if (deviation) *deviation *= s->scale;
  return s->mean + s->scale * z;
}

const char *hk_surrogate_name(const hk_surrogate *s) {
  return s->kind == HK_SURROGATE_GAUSSIAN ? "Gaussian process"
         : s->crossed                     ? "quadratic"
                                          : "quadratic without products";
}
double hk_surrogate_error(const hk_surrogate *s) { return s->rms; }
double hk_surrogate_rms(const hk_surrogate *s) { return s->rms * s->scale; }
double hk_surrogate_worst(const hk_surrogate *s) { return s->worst * s->scale; }
int hk_surrogate_rows(const hk_surrogate *s) { return s->n; }
double hk_surrogate_middle(const hk_surrogate *s, int k) { return 0.5 * (s->low[k] + s->high[k]); }
double hk_surrogate_inside(const hk_surrogate *s, int k, double share) {
  return s->low[k] + share * (s->high[k] - s->low[k]);
}

bool hk_surrogate_parabola(const hk_surrogate *s, double *a, double *b, double *c) {
  if (s->kind != HK_SURROGATE_QUADRATIC || s->d != 1) return false;
  /* u = p x + q */
  double p = 2 / (s->high[0] - s->low[0]), q = -1 - p * s->low[0];
  *a = s->mean + s->scale * (s->beta[0] + s->beta[1] * q + s->beta[2] * q * q);
  *b = s->scale * (s->beta[1] * p + 2 * s->beta[2] * p * q);
  *c = s->scale * s->beta[2] * p * p;
  return true;
}
