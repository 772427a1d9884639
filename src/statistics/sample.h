/* Points that fill the unit cube: random, Latin hypercube, scrambled Sobol sequence.
 *
 * Every coordinate is a function of (seed, index of the point, dimension) only: no point depends on another, nothing
 * is stored, and any process can compute any point. */
#ifndef HK_STATISTICS_SAMPLE_H
#define HK_STATISTICS_SAMPLE_H
#include <hooke/base.h>

typedef enum hk_sample_method {
  HK_SAMPLE_RANDOM,
  HK_SAMPLE_LATIN, /* each of n equal slices of each dimension contains one of the n points */
  HK_SAMPLE_SOBOL, /* Sobol sequence with Owen scrambling: best in blocks of powers of two */
  HK_SAMPLE_N_METHODS
} hk_sample_method;

enum { HK_SOBOL_DIMENSIONS = 160 };

typedef struct hk_sample {
  hk_sample_method method;
  uint64_t seed;
  int64_t n; /* number of points; used only by a Latin hypercube with base = 0 */
  /* For a Latin hypercube that can be enlarged: the first `base` points form a Latin hypercube, and
   * so do the first 2 base, 4 base, ... points. 0: not enlargeable. */
  int64_t base;
} hk_sample;

/* Returns true if point i does not depend on the number of points. */
bool hk_sample_grows(const hk_sample *s);

const char *hk_sample_method_name(hk_sample_method m);
bool hk_sample_method_find(const char *name, hk_sample_method *m);
/* Coordinate `dimension` of point i, 0 < u < 1. */
double hk_sample_at(const hk_sample *s, int64_t i, int dimension);
#endif
