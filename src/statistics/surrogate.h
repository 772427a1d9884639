/* Surrogates: a function fitted to the rows of a table, with an error estimate.
 *
 * quadratic: least squares with all products up to second order (only squares if there are too few rows).  gaussian:
 * a Gaussian process with a Matern 5/2 covariance, one length per dimension and noise, all by maximum likelihood
 * [RasmussenWilliams2006]. The error of both kinds is estimated by predicting each row from all
 * others (leave one out), in closed form.  In a Gaussian process, rows that differ only in
 * variables without influence are left out together, because each of them predicts the others. */
#ifndef HK_STATISTICS_SURROGATE_H
#define HK_STATISTICS_SURROGATE_H
#include <hooke/base.h>

typedef enum hk_surrogate_kind {
  HK_SURROGATE_AUTO, /* the kind with the smaller error */
  HK_SURROGATE_QUADRATIC,
  HK_SURROGATE_GAUSSIAN
} hk_surrogate_kind;

typedef struct hk_surrogate hk_surrogate;

/* Fits a function to the rows x [n][d], y [n]. */
hk_status hk_surrogate_fit(const double *x, const double *y, int n, int d, hk_surrogate_kind kind,
                           hk_surrogate **out, hk_error *err);
void hk_surrogate_free(hk_surrogate *s);
/* Returns the value at x [d]; *deviation (may be NULL): the standard error at x. */
double hk_surrogate_value(const hk_surrogate *s, const double *x, double *deviation);
const char *hk_surrogate_name(const hk_surrogate *s);
/* Root mean square of the leave-one-out errors, relative to the standard deviation of y; and the
 * largest error in the unit of y. */
double hk_surrogate_error(const hk_surrogate *s);
double hk_surrogate_rms(const hk_surrogate *s);
double hk_surrogate_worst(const hk_surrogate *s);
int hk_surrogate_rows(const hk_surrogate *s);
/* The range of variable k over all rows: its middle, and its value at a fraction 0..1 of the range. */
double hk_surrogate_middle(const hk_surrogate *s, int k);
double hk_surrogate_inside(const hk_surrogate *s, int k, double share);
/* Coefficients of a quadratic of one variable as a + b x + c x^2; false for other surrogates. */
bool hk_surrogate_parabola(const hk_surrogate *s, double *a, double *b, double *c);
#endif
