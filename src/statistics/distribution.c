/* Distributions: see distribution.h. */
#include "statistics/distribution.h"
#include <math.h>
#include <string.h>

static const struct {
  const char *name;
  int least, most; /* arguments */
  const char *form;
} KIND[HK_N_DISTRIBUTIONS] = {
    {"uniform", 2, 2, "uniform(min, max)"},
    {"log_uniform", 2, 2, "log_uniform(min, max)"},
    {"normal", 2, 4, "normal(mean, deviation) or normal(mean, deviation, min, max)"},
    {"log_normal", 2, 2, "log_normal(median, factor)"},
    {"triangular", 3, 3, "triangular(min, likely, max)"},
};

const char *hk_distribution_name(hk_distribution_kind kind) { return KIND[kind].name; }

bool hk_distribution_find(const char *name, size_t length, hk_distribution_kind *kind) {
  for (int k = 0; k < HK_N_DISTRIBUTIONS; k++)
    if (strlen(KIND[k].name) == length && strncmp(name, KIND[k].name, length) == 0) {
      *kind = (hk_distribution_kind)k;
      return true;
    }
  return false;
}

bool hk_distribution_plain(hk_distribution_kind kind, int i) {
  return kind == HK_LOG_NORMAL && i == 1;
}

hk_status hk_distribution_check(const hk_distribution *d, hk_error *err) {
  const double *a = d->a;
  const char *form = KIND[d->kind].form;
  if (d->n < KIND[d->kind].least || d->n > KIND[d->kind].most ||
      (d->kind == HK_NORMAL && d->n == 3))
    return hk_fail(err, HK_EINPUT, "write %s", form);
  bool good = true;
  switch (d->kind) {
    case HK_UNIFORM:
      good = a[0] < a[1];
      break;
    case HK_LOG_UNIFORM:
      good = a[0] > 0 && a[0] < a[1];
      break;
    case HK_NORMAL:
      good = a[1] > 0 && (d->n == 2 || a[2] < a[3]);
      if (good && d->n == 4 && !isfinite(hk_distribution_quantile(d, 0.5)))
        return hk_fail(err, HK_EINPUT,
                       "no value of this normal distribution is between min and max: they are more "
                       "than 37 deviations from the mean");
      break;
    case HK_LOG_NORMAL:
      good = a[0] > 0 && a[1] > 1;
      break;
    case HK_TRIANGULAR:
      good = a[0] <= a[1] && a[1] <= a[2] && a[0] < a[2];
      break;
    case HK_N_DISTRIBUTIONS:
      break;
  }
  if (good) return HK_OK;
  return hk_fail(
      err, HK_EINPUT, "the numbers do not define a distribution: %s, with min < max%s%s", form,
      d->kind == HK_NORMAL ? " and deviation > 0" : "",
      d->kind == HK_LOG_UNIFORM || d->kind == HK_LOG_NORMAL ? ", all positive, factor > 1" : "");
}

/* Rational approximation [Acklam 2003], relative error 1e-9, and one step of Halley's method on Phi(x) = u, after
 * which the error is round-off. */
double hk_normal_quantile(double u) {
  static const double a[] = {-3.969683028665376e+01, 2.209460984245205e+02,  -2.759285104469687e+02,
                             1.383577518672690e+02,  -3.066479806614716e+01, 2.506628277459239e+00};
  static const double b[] = {-5.447609879822406e+01, 1.615858368580409e+02, -1.556989798598866e+02,
                             6.680131188771972e+01, -1.328068155288572e+01};
  static const double c[] = {-7.784894002430293e-03, -3.223964580411365e-01, -2.400758277161838e+00,
                             -2.549732539343734e+00, 4.374664141464968e+00,  2.938163982698783e+00};
  static const double d[] = {7.784695709041462e-03, 3.224671290700398e-01, 2.445134137142996e+00,
                             3.754408661907416e+00};
  if (!(u > 0)) return -INFINITY;
  if (!(u < 1)) return INFINITY;
  if (u > 0.5) return -hk_normal_quantile(1 - u);
  double x;
  if (u < 0.02425) {
    double q = sqrt(-2 * log(u));
    x = (((((c[0] * q + c[1]) * q + c[2]) * q + c[3]) * q + c[4]) * q + c[5]) /
        ((((d[0] * q + d[1]) * q + d[2]) * q + d[3]) * q + 1);
  } else {
    double q = u - 0.5, r = q * q;
    x = (((((a[0] * r + a[1]) * r + a[2]) * r + a[3]) * r + a[4]) * r + a[5]) * q /
        (((((b[0] * r + b[1]) * r + b[2]) * r + b[3]) * r + b[4]) * r + 1);
  }
  double e = 0.5 * erfc(-x * M_SQRT1_2) - u, s = e * sqrt(2 * M_PI) * exp(0.5 * x * x);
  return x - s / (1 + 0.5 * x * s);
}

double hk_distribution_quantile(const hk_distribution *d, double u) {
  const double *a = d->a;
  switch (d->kind) {
    case HK_UNIFORM:
      return a[0] + u * (a[1] - a[0]);
    case HK_LOG_UNIFORM:
      return a[0] * exp(u * log(a[1] / a[0]));
    case HK_NORMAL: {
      if (d->n == 2) return a[0] + a[1] * hk_normal_quantile(u);
      /* Quantiles are computed below the mean, where small probabilities are accurate; near 1
       * they would be lost by rounding. Values above the mean are obtained by mirroring. */
      bool above = a[2] + a[3] > 2 * a[0];
      double least = (above ? a[0] - a[3] : a[2] - a[0]) / a[1];
      double most = (above ? a[0] - a[2] : a[3] - a[0]) / a[1];
      double lo = 0.5 * erfc(-least * M_SQRT1_2), hi = 0.5 * erfc(-most * M_SQRT1_2);
      double x = hk_normal_quantile(lo + (above ? 1 - u : u) * (hi - lo));
      if (!(hi > lo) || !isfinite(x)) return u > 0 && u < 1 ? NAN : u < 0.5 ? a[2] : a[3];
      return fmin(fmax(a[0] + (above ? -x : x) * a[1], a[2]), a[3]);
    }
    case HK_LOG_NORMAL:
      return a[0] * exp(log(a[1]) * hk_normal_quantile(u));
    case HK_TRIANGULAR: {
      double span = a[2] - a[0], knee = (a[1] - a[0]) / span;
      return u < knee ? a[0] + sqrt(u * span * (a[1] - a[0]))
                      : a[2] - sqrt((1 - u) * span * (a[2] - a[1]));
    }
    case HK_N_DISTRIBUTIONS:
      break;
  }
  return NAN;
}
