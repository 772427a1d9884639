/* Cost of factor and solve on the matrix of the N-four-bar mechanism in three dimensions.
 *
 *   micro_block_lu N block|portable|klu factors solves
 *
 * Per window: a vertical bar and a coupler (6 rows each) and joints with 5, 5 and 2 kept rows.
 * Prints wall times; for instructions run it under
 *   valgrind --tool=callgrind --toggle-collect=run_factor   (or run_solve)
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "solve/block_kernel.h"

static uint64_t seed = 88172645463325252u;
static double uniform(void) {
  seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
  return (double)(seed >> 11) / 4503599627370496.0 - 1;
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Bars 0 .. N, couplers N+1 .. 2N, then the joints of each window. */
static hk_block_pattern *pattern_of(int n) {
  int nb = 2 * n + 1 + 3 * n + 1;
  int *size = malloc((size_t)nb * sizeof *size);
  uint8_t *multiplier = calloc((size_t)nb, 1);
  for (int i = 0; i < nb; i++) size[i] = 6, multiplier[i] = i > 2 * n;
  int joint = 2 * n + 1;
  size[joint] = 5;
  for (int w = 1; w <= n; w++)
    size[joint + 3 * w - 2] = size[joint + 3 * w - 1] = 5, size[joint + 3 * w] = 2;
  hk_block_pattern *p = hk_block_pattern_create(nb, size, multiplier);
  hk_block_pattern_add(p, joint, 0);
  for (int w = 1; w <= n; w++) {
    int ground = joint + 3 * w - 2, left = ground + 1, right = ground + 2, coupler = n + w;
    hk_block_pattern_add(p, ground, w);
    hk_block_pattern_add(p, left, w - 1);
    hk_block_pattern_add(p, left, coupler);
    hk_block_pattern_add(p, right, coupler);
    hk_block_pattern_add(p, right, w);
  }
  hk_block_pattern_finish(p);
  free(size);
  free(multiplier);
  return p;
}

static void fill(hk_block_matrix *m) {
  const hk_block_pattern *p = m->pattern;
  for (int i = 0; i < p->nb; i++)
    for (int e = p->row_start[i]; e < p->row_start[i + 1]; e++) {
      int j = p->column[e], rows = p->size[i], columns = p->size[j];
      double *a = m->value + p->value_start[e];
      if (i == j && p->is_multiplier[i]) continue;
      for (int k = 0; k < rows * columns; k++) a[k] = i == j ? 0.1 * uniform() : uniform();
      if (i == j)
        for (int k = 0; k < rows; k++) a[k * columns + k] += 3;
      else if (j < i) { /* G^T nearly, but not exactly, the transpose of G */
        const double *t = hk_block_matrix_at(m, j, i, NULL);
        for (int r = 0; r < rows; r++)
          for (int c = 0; c < columns; c++)
            a[r * columns + c] = t[c * rows + r] * (1 + 1e-3 * uniform());
      }
    }
}

/* Separate functions, so that callgrind can count them alone (--toggle-collect=run_factor). */
__attribute__((noinline)) static void run_factor(hk_linear_solver *s, const hk_block_matrix *m) {
  hk_linear_solver_factor(s, m);
}

__attribute__((noinline)) static void run_solve(hk_linear_solver *s, double *x) {
  hk_linear_solver_solve(s, x);
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 40, factors = argc > 3 ? atoi(argv[3]) : 10;
  const char *kind = argc > 2 ? argv[2] : "block";
  int solves = argc > 4 ? atoi(argv[4]) : 10;
  hk_block_pattern *p = pattern_of(n);
  hk_block_matrix *m = hk_block_matrix_create(p);
  fill(m);
  hk_linear_solver *s = NULL;
  hk_error err = {0};
  double t0 = now();
  hk_status status = !strcmp(kind, "klu") ? hk_klu_solver_create(p, &s, &err)
                     : !strcmp(kind, "portable")
                         ? hk_block_lu_create_with(p, &hk_block_kernel_portable, &s, &err)
                         : hk_block_lu_create(p, &s, &err);
  double t1 = now();
  if (status || hk_linear_solver_factor(s, m)) {
    fprintf(stderr, "failed: status %d, row %d %s\n", status, s ? s->singular_row : -1, err.text);
    return 1;
  }
  int rows = hk_block_pattern_rows(p);
  double *x = malloc((size_t)rows * sizeof *x), *b = malloc((size_t)rows * sizeof *b), worst = 0;
  for (int i = 0; i < rows; i++) x[i] = b[i] = uniform();
  double t2 = now();
  for (int k = 0; k < factors; k++) run_factor(s, m);
  double t3 = now();
  for (int k = 0; k < solves; k++) {
    if (k) memcpy(x, b, (size_t)rows * sizeof *x);
    run_solve(s, x);
  }
  double t4 = now();
  double *y = malloc((size_t)rows * sizeof *y);
  hk_block_matrix_multiply(m, x, y);
  for (int i = 0; solves && i < rows; i++)
    if (y[i] - b[i] > worst || b[i] - y[i] > worst) worst = y[i] > b[i] ? y[i] - b[i] : b[i] - y[i];
  printf(
      "%s N=%d rows=%d create %.3f ms, factor %.0f ns/window, solve %.0f ns/window, residual %.1e, "
      "growth %.1e\n",
      kind, n, rows, 1e3 * (t1 - t0), factors ? 1e9 * (t3 - t2) / factors / n : 0,
      solves ? 1e9 * (t4 - t3) / solves / n : 0, worst, s->growth);
  free(x), free(b), free(y);
  hk_linear_solver_destroy(s);
  hk_block_matrix_free(m);
  hk_block_pattern_free(p);
  return 0;
}
