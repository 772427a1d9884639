/* Anderson's mixing for a fixed point y = g(y): the next y from the last few pairs [Walker and Ni 2011]. */
#ifndef HK_ANALYSIS_ANDERSON_H
#define HK_ANALYSIS_ANDERSON_H
#include <hooke/base.h>

enum { HK_ANDERSON_DEPTH = 8 };
typedef struct hk_anderson {
  int n, used;   /* length of y; number of pairs added so far, of which the last
                  * HK_ANDERSON_DEPTH + 1 are kept */
  double *y, *r; /* [HK_ANDERSON_DEPTH + 1][n] points and their residuals g - y, the latest first */
  double *A, *c; /* scratch */
} hk_anderson;

hk_status hk_anderson_create(hk_anderson *a, int n, hk_error *err);
void hk_anderson_free(hk_anderson *a);
void hk_anderson_forget(hk_anderson *a);
/* Adds the pair (y, g) and writes the next point. */
hk_status hk_anderson_next(hk_anderson *a, const double *y, const double *g, double *next,
                           hk_error *err);
#endif
