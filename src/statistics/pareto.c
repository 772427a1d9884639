/* Pareto fronts: see pareto.h. */
#include "statistics/pareto.h"
#include <math.h>
#include <stdlib.h>

static bool usable(const double *const *v, int m, int64_t i, const bool *allowed) {
  if (allowed && !allowed[i]) return false;
  for (int g = 0; g < m; g++)
    if (!isfinite(v[g][i])) return false;
  return true;
}

/* Returns true if row `a` is not worse than row `b` in any goal and better in at least one goal. */
static bool beats(const double *const *v, int m, int64_t a, int64_t b) {
  bool better = false;
  for (int g = 0; g < m; g++) {
    if (v[g][a] > v[g][b]) return false;
    better = better || v[g][a] < v[g][b];
  }
  return better;
}

/* The current front is kept as a list, which stays short: each row is compared with this list only. */
int64_t hk_pareto_front(const double *const *v, int m, int64_t n, const bool *allowed,
                        bool *front) {
  int64_t *list = malloc(((size_t)n + 1) * sizeof *list), count = 0;
  for (int64_t i = 0; i < n; i++) front[i] = false;
  if (!list) return 0;
  for (int64_t i = 0; i < n; i++) {
    bool beaten = !usable(v, m, i, allowed);
    int64_t kept = 0;
    for (int64_t k = 0; k < count && !beaten; k++) beaten = beats(v, m, list[k], i);
    if (beaten) continue;
    for (int64_t k = 0; k < count; k++)
      if (!beats(v, m, i, list[k])) list[kept++] = list[k];
    list[kept++] = i;
    count = kept;
  }
  for (int64_t k = 0; k < count; k++) front[list[k]] = true;
  free(list);
  return count;
}
