/* Nonlinear least squares on the unit cube, and how well the data determine the parameters. */
#ifndef HK_ANALYSIS_LEAST_SQUARES_H
#define HK_ANALYSIS_LEAST_SQUARES_H
#include <hooke/base.h>

/* Computes the residuals for n parameters u, 0 <= u <= 1. HK_EFAIL and HK_RETRY: the residuals do not exist at u; the
 * search tries other parameters. */
typedef struct hk_residuals {
  int n, m; /* numbers of parameters and of residuals */
  void *context;
  hk_status (*evaluate)(void *context, const double *u, double *r, hk_error *err);
  /* Computes J [m][n] = dr/du at u; r: the residuals at u. */
  hk_status (*differentiate)(void *context, const double *u, const double *r, double *J,
                             hk_error *err);
} hk_residuals;

typedef struct hk_least_squares {
  double *u;   /* [n] */
  double *r;   /* [m] */
  double *J;   /* [m][n] */
  double cost; /* sum of squares */
  /* [n] true: the parameter is at a bound, and the residuals would be smaller beyond this bound */
  bool *at_end;
  int iterations;
  bool converged;
} hk_least_squares;

/* Allocates the arrays. Call hk_least_squares_free even if this fails. */
hk_status hk_least_squares_create(const hk_residuals *f, hk_least_squares *out, hk_error *err);
void hk_least_squares_free(hk_least_squares *s);
/* Levenberg-Marquardt from s->u. HK_STOPPED or another failure of the functions; HK_EFAIL: there are no residuals at the
 * start. */
hk_status hk_least_squares_solve(const hk_residuals *f, int most_iterations, hk_least_squares *s,
                                 hk_error *err);

/* The change of the parameters that has the smallest effect on the residuals. */
typedef struct hk_weakest {
  /* [n] change of the parameters, each in units of the change that alone has the effect 1; normalized to length 1 */
  double *v;
  double effect; /* effect of v; 1: the parameters are independent of each other */
} hk_weakest;

/* Computes two results from J [m][n]: the covariance [n][n] of the parameters if the residuals
 * have the variance 1, and the change of the parameters with the smallest effect (the caller
 * allocates its v). Parameters without any effect, `silent` [n], are omitted from both.
 * HK_RETRY: the covariance cannot be computed. */
hk_status hk_covariance(const double *J, int m, int n, double *covariance, bool *silent,
                        hk_weakest *weakest, hk_error *err);
#endif
