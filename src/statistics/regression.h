/* Linear regression of one column on several others, with correlations: how a measure depends on
 * the values that vary. */
#ifndef HK_STATISTICS_REGRESSION_H
#define HK_STATISTICS_REGRESSION_H
#include <hooke/base.h>

typedef struct hk_regression_term {
  double slope;       /* dy/dx; NaN: x is constant, or the columns are collinear */
  double error;       /* standard error of the slope */
  double standard;    /* slope times deviation of x over deviation of y */
  double correlation; /* Pearson, -1 ... 1 */
  double rank;        /* Spearman: correlation of the ranks */
} hk_regression_term;

typedef struct hk_regression {
  int64_t n;       /* number of rows without a NaN */
  double constant; /* y at x = 0 */
  double r2;       /* fraction of the variance of y that the line explains */
} hk_regression;

/* Fits y [n] as a linear function of x [d][n]; writes term [d].  Returns false if there are fewer
 * than d + 2 rows, y is constant, or memory is insufficient. */
bool hk_regression_make(const double *const *x, int d, const double *y, int64_t n,
                        hk_regression *out, hk_regression_term *term);
#endif
