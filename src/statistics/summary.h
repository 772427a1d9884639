/* Summary of a sample: what tolerance studies report of a measure. */
#ifndef HK_SUMMARY_H
#define HK_SUMMARY_H
#include <hooke/base.h>

typedef struct hk_summary {
  int64_t n; /* finite values; the others are left out */
  double least, greatest, mean, deviation;
  double mean_low, mean_high; /* 95 % interval of the mean (Student); NaN below two values */
  double low, median, high;   /* quantiles of 5, 50 and 95 % */
} hk_summary;

/* False: no finite value, or out of memory. */
bool hk_summary_make(const double *value, int64_t n, hk_summary *out);
/* Quantile p of sorted values, linear between them [Hyndman and Fan 1996, type 7]. */
double hk_quantile_of(const double *sorted, int64_t n, double p);
/* 95 % interval of a share of `good` of n by Wilson's score. */
void hk_share_interval(int64_t good, int64_t n, double *low, double *high);
#endif
