/* Summary of a sample, as reported by tolerance studies for each measure. */
#ifndef HK_STATISTICS_SUMMARY_H
#define HK_STATISTICS_SUMMARY_H
#include <hooke/base.h>

typedef struct hk_summary {
  int64_t n; /* number of finite values; others are omitted */
  double least, greatest, mean, deviation;
  double mean_low, mean_high; /* 95 % interval of the mean (Student); NaN below two values */
  double low, median, high;   /* quantiles of 5, 50 and 95 % */
} hk_summary;

/* Returns false if there is no finite value, or if memory is insufficient. */
bool hk_summary_make(const double *value, int64_t n, hk_summary *out);
/* Quantile p of sorted values by linear interpolation [Hyndman and Fan 1996, type 7]. */
double hk_quantile_of(const double *sorted, int64_t n, double p);
/* 95 % confidence interval of the fraction good/n by Wilson's score. */
void hk_share_interval(int64_t good, int64_t n, double *low, double *high);
#endif
