/* Block LU kernels for any processor, the pivoted inverse, and the choice between kernels. */
#include "solve/block_kernel.h"
#define PLAIN_LOOPS
#include "solve/block_kernel.inc"
#include "solve/block_kernel_solve.inc"

const hk_block_kernel hk_block_kernel_portable = {"portable", factor, solve};

const hk_block_kernel *hk_block_kernel_best(void) {
  const hk_block_kernel *fast = hk_block_kernel_avx2();
  return fast ? fast : &hk_block_kernel_portable;
}

static void swap_rows(double *a, double *b, int n) {
  for (int j = 0; j < n; j++) {
    double t = a[j];
    a[j] = b[j];
    b[j] = t;
  }
}

int hk_block_invert_pivoted(double *f, int stride, int p, const double *scale, double *growth) {
  double a[HK_BLOCK_MAX][HK_BLOCK_MAX], size[HK_BLOCK_MAX], worst = *growth;
  int row[HK_BLOCK_MAX];
  for (int i = 0; i < p; i++) {
    row[i] = i;
    size[i] = 0;
    for (int j = 0; j < p; j++) {
      a[i][j] = f[(size_t)i * stride + j];
      size[i] = fmax(size[i], fabs(a[i][j]));
    }
    /* The scale remains the largest magnitude that the diagonal has had, also if the diagonal
     * becomes small by cancellation. */
    size[i] = fmax(size[i], scale[i]);
  }
  for (int k = 0; k < p; k++) {
    int best = k;
    double most = -1;
    for (int i = k; i < p; i++) {
      double ratio = size[i] > 0 ? fabs(a[i][k]) / size[i] : 0;
      if (ratio > most) most = ratio, best = i;
    }
    /* The comparison is written such that it fails for NaN. */
    if (!(most * HK_PIVOT_LIMIT > 1 && isfinite(a[best][k]))) return row[k];
    worst = fmax(worst, 1 / most);
    if (best != k) {
      swap_rows(a[k], a[best], p);
      double s = size[k];
      size[k] = size[best], size[best] = s;
      int r = row[k];
      row[k] = row[best], row[best] = r;
    }
    double inverse = 1 / a[k][k];
    a[k][k] = 1;
    for (int j = 0; j < p; j++) a[k][j] *= inverse;
    for (int i = 0; i < p; i++) {
      if (i == k) continue;
      double factor_ik = a[i][k];
      a[i][k] = 0;
      for (int j = 0; j < p; j++) a[i][j] -= factor_ik * a[k][j];
    }
  }
  /* Row k of the exchanged block was row[k]: the columns of the inverse are exchanged
   * accordingly. */
  for (int i = 0; i < p; i++)
    for (int k = 0; k < p; k++) f[(size_t)i * stride + row[k]] = a[i][k];
  *growth = worst;
  return -1;
}
