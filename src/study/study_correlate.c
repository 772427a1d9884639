/* Correlations between the samples of a study: the Cholesky factor that mixes independent normal variables. */
#include "study/study.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Finds the index among the sampled axes; -1 with an error. */
static int find_axis(const hk_study *s, const hk_correlation *c, const char *path, hk_diag *diag) {
  for (int i = s->n_crossed; i < s->n_axes; i++)
    if (strcmp(s->axis[i].path, path) == 0) return i - s->n_crossed;
  hk_diag_add(diag, HK_ERROR, &c->place,
              "'%s' is not one of the samples; use a path of 'samples: {of: ...}'", path);
  return -1;
}

/* Cholesky factorization in place; false if the matrix is not positive definite. */
static bool factor(double *R, int n) {
  for (int j = 0; j < n; j++)
    for (int i = j; i < n; i++) {
      double sum = R[(size_t)i * (size_t)n + (size_t)j];
      for (int k = 0; k < j; k++)
        sum -= R[(size_t)i * (size_t)n + (size_t)k] * R[(size_t)j * (size_t)n + (size_t)k];
      if (i == j && !(sum > 1e-12)) return false;
      R[(size_t)i * (size_t)n + (size_t)j] =
          i == j ? sqrt(sum) : sum / R[(size_t)j * (size_t)n + (size_t)j];
    }
  return true;
}

void hk_study_bind_correlations(hk_study *s, hk_diag *diag) {
  int n = s->n_axes - s->n_crossed;
  if (!s->n_correlations || s->mixing) return;
  double *R = HK_NEW_ARRAY(&s->arena, double, (size_t)n *(size_t)n + 1);
  if (!R) {
    diag->out_of_memory = true;
    return;
  }
  for (int i = 0; i < n; i++) R[(size_t)i * (size_t)n + (size_t)i] = 1;
  for (int k = 0; k < s->n_correlations; k++) {
    const hk_correlation *c = &s->correlation[k];
    int a = find_axis(s, c, c->a, diag), b = a < 0 ? -1 : find_axis(s, c, c->b, diag);
    if (b < 0) return;
    if (a == b) {
      hk_diag_add(diag, HK_ERROR, &c->place, "a correlation needs two different samples");
      return;
    }
    R[(size_t)a * (size_t)n + (size_t)b] = R[(size_t)b * (size_t)n + (size_t)a] = c->value;
  }
  if (factor(R, n))
    s->mixing = R;
  else
    hk_diag_add(
        diag, HK_ERROR, &s->correlation[0].place,
        "no samples can have all these correlations: their matrix is not positive definite");
}
