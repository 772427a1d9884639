/* Distributions of a parameter: map a probability u in (0, 1) to a value. */
#ifndef HK_STATISTICS_DISTRIBUTION_H
#define HK_STATISTICS_DISTRIBUTION_H
#include <hooke/base.h>

typedef enum hk_distribution_kind {
  HK_UNIFORM,     /* uniform(min, max) */
  HK_LOG_UNIFORM, /* log_uniform(min, max): the logarithm is uniform */
  HK_NORMAL,      /* normal(mean, deviation) or, truncated, normal(mean, deviation, min, max) */
  HK_LOG_NORMAL,  /* log_normal(median, factor): 68 % lie between median/factor and median*factor */
  HK_TRIANGULAR,  /* triangular(min, likely, max) */
  HK_N_DISTRIBUTIONS
} hk_distribution_kind;

enum { HK_DISTRIBUTION_ARGUMENTS = 4 };
typedef struct hk_distribution {
  hk_distribution_kind kind;
  int n; /* arguments */
  double a[HK_DISTRIBUTION_ARGUMENTS];
} hk_distribution;

const char *hk_distribution_name(hk_distribution_kind kind);
bool hk_distribution_find(const char *name, size_t length, hk_distribution_kind *kind);
/* Checks the number and the values of the arguments. */
hk_status hk_distribution_check(const hk_distribution *d, hk_error *err);
/* Returns true if argument i is dimensionless, whatever the unit of the others. */
bool hk_distribution_plain(hk_distribution_kind kind, int i);
/* Quantile: the value that a fraction u of the distribution does not exceed; 0 < u < 1. */
double hk_distribution_quantile(const hk_distribution *d, double u);
/* Quantile of the standard normal distribution. */
double hk_normal_quantile(double u);
#endif
