/* Sensitivity: how much a result depends on each of k variables, from results at designed points.
 *
 * Both designs number their points; a point has k coordinates in (0, 1). Results of failed points are NaN; a path or
 * group that contains a failed point is omitted.
 *
 * Morris screening [Morris1991]: r paths of k + 1 points; each step changes one variable by an eighth to a half of
 * its range.  mu_star, the mean of the absolute effects [Campolongo2007], measures the influence of a variable; sigma
 * measures how much this influence varies over the cube.
 *
 * Sobol indices [Saltelli2010]: the fraction of the variance caused by a variable alone (first) and including all
 * interactions (total), from n (k + 2) points.  Estimators: first by eq. (b), total by Jansen. */
#ifndef HK_STATISTICS_SENSITIVITY_H
#define HK_STATISTICS_SENSITIVITY_H
#include "statistics/sample.h"

enum { HK_SENSITIVITY_RESAMPLES = 400 };

typedef struct hk_morris {
  int k;
  int64_t paths;
  uint64_t seed;
} hk_morris;

typedef struct hk_effect {
  double mu, mu_star, sigma; /* measures of Morris over the whole range of the variable, in the
                              * unit of the result */
  double low, high;          /* 95 % confidence interval of mu_star (bootstrap) */
  int64_t n;                 /* effects */
} hk_effect;

int64_t hk_morris_count(const hk_morris *m);
void hk_morris_point(const hk_morris *m, int64_t number, double *u);
/* Computes the effects [k] from the results y [hk_morris_count]. */
hk_status hk_morris_effects(const hk_morris *m, const double *y, hk_effect *effect, hk_error *err);

typedef struct hk_sobol {
  int k;
  int64_t n; /* number of groups; a power of two is best */
  uint64_t seed;
} hk_sobol;

typedef struct hk_sobol_index {
  /* first-order index, and the limits of its 95 % interval (bootstrap) */
  double first, first_low, first_high;
  double total, total_low, total_high;
} hk_sobol_index;

int64_t hk_sobol_count(const hk_sobol *s);
void hk_sobol_point(const hk_sobol *s, int64_t number, double *u);
/* Computes the indices [k] from the results y [hk_sobol_count]; *used: number of groups without a
 * failure. */
hk_status hk_sobol_indices(const hk_sobol *s, const double *y, hk_sobol_index *index, int64_t *used,
                           hk_error *err);
#endif
