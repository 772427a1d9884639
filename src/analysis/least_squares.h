/* Nonlinear least squares on the unit cube, and what the data tell about the parameters. */
#ifndef HK_ANALYSIS_LEAST_SQUARES_H
#define HK_ANALYSIS_LEAST_SQUARES_H
#include <hooke/base.h>

/* Residuals of n parameters u, 0 <= u <= 1. HK_EFAIL and HK_RETRY: there are no residuals at u; the search goes
 * elsewhere. */
typedef struct hk_residuals {
  int n, m; /* numbers of parameters and of residuals */
  void *context;
  hk_status (*evaluate)(void *context, const double *u, double *r, hk_error *err);
  /* J [m][n] at u, where the residuals are r. */
  hk_status (*differentiate)(void *context, const double *u, const double *r, double *J,
                             hk_error *err);
} hk_residuals;

typedef struct hk_least_squares {
  double *u;    /* [n] */
  double *r;    /* [m] */
  double *J;    /* [m][n] */
  double cost;  /* sum of squares */
  bool *at_end; /* [n] u is at a bound, and smaller residuals are beyond this bound */
  int iterations;
  bool converged;
} hk_least_squares;

/* Allocates the arrays; free them in any case. */
hk_status hk_least_squares_create(const hk_residuals *f, hk_least_squares *out, hk_error *err);
void hk_least_squares_free(hk_least_squares *s);
/* Levenberg-Marquardt from s->u. HK_STOPPED or another failure of the functions; HK_EFAIL: there are no residuals at the
 * start. */
hk_status hk_least_squares_solve(const hk_residuals *f, int most_iterations, hk_least_squares *s,
                                 hk_error *err);

/* The direction of the parameters that changes the residuals least. */
typedef struct hk_weakest {
  double *
      v; /* [n] change of the parameters, in units in which each of them alone has the effect 1; length 1 */
  double effect; /* of v; 1: the parameters are independent of each other */
} hk_weakest;

/* From J [m][n]: covariance [n][n] of the parameters with residuals of variance 1, and the weakest direction (v: memory of
 * the caller). Parameters without any effect, `silent` [n], are omitted from both. HK_RETRY: the covariance cannot be computed. */
hk_status hk_covariance(const double *J, int m, int n, double *covariance, bool *silent,
                        hk_weakest *weakest, hk_error *err);
#endif
