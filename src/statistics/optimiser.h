/* Optimisers of a function on the unit cube with constraints. The optimisers use points and scores only and are
 * independent of the simulation.
 *
 * Of two points, the better one has the smaller violation or, if neither violates a constraint,
 * the smaller value [Deb2000]. Only this order is used, so values may have any scale.  NaN is
 * worse than every number. */
#ifndef HK_STATISTICS_OPTIMISER_H
#define HK_STATISTICS_OPTIMISER_H
#include <hooke/base.h>

typedef struct hk_score {
  double value;     /* to be small */
  double violation; /* sum of relative violations of limits; 0: feasible */
} hk_score;

typedef struct hk_objective {
  int n; /* dimensions */
  void *context;
  /* Computes the scores of `count` points x[count][n]; they may be computed in parallel.
   * HK_STOPPED ends the search regularly. */
  hk_status (*evaluate)(void *context, const double *x, int count, hk_score *score, hk_error *err);
} hk_objective;

typedef struct hk_search {
  /* [n] the best point, memory of the caller; on entry the start point, if one is given */
  double *x;
  hk_score best;
  int64_t evaluations;
  int restarts;
  const char *ended; /* why, in words */
} hk_search;

typedef struct hk_search_options {
  int64_t evaluations; /* maximum number of evaluations; 0: 100 (n + 1)^2 */
  uint64_t seed;
  int population;   /* population of CMA-ES; 0: 4 + 3 ln n, doubled at each restart */
  int restarts;     /* maximum number of restarts; < 0: none */
  double tolerance; /* tolerance of values, relative to their initial spread; 0: 1e-12 */
  double size;      /* first step as a fraction of the cube; 0: 0.3 */
} hk_search_options;

bool hk_score_better(const hk_score *a, const hk_score *b);

/* Evolution strategy with adapted covariance [Hansen2016], restarted with twice the population
 * [AugerHansen2005].  x is the start of the first search. */
hk_status hk_cma_es(const hk_objective *f, const hk_search_options *o, hk_search *s, hk_error *err);
/* Simplex search [NelderMead1965] from x, with coefficients for the dimension [GaoHan2012]. */
hk_status hk_nelder_mead(const hk_objective *f, const hk_search_options *o, hk_search *s,
                         hk_error *err);
#endif
