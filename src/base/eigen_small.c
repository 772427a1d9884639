/* Cyclic Jacobi method: each rotation sets one off-diagonal element to zero. Accurate for elements of any magnitude;
 * quadratic convergence [Golub & Van Loan, Matrix Computations, 8.5]. */
#include "base/eigen_small.h"
#include <math.h>

enum { MAX_SWEEPS = 60 };

/* Applies the rotation that sets a[p][q] to zero. */
static void rotate(double a[HK_EIGEN_SMALL_MAX][HK_EIGEN_SMALL_MAX], int n, int p, int q) {
  double theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
  double t = (theta < 0 ? -1 : 1) / (fabs(theta) + hypot(theta, 1));
  double c = 1 / hypot(t, 1), s = t * c;
  for (int k = 0; k < n; k++) {
    double kp = a[k][p], kq = a[k][q];
    a[k][p] = c * kp - s * kq;
    a[k][q] = s * kp + c * kq;
  }
  for (int k = 0; k < n; k++) {
    double pk = a[p][k], qk = a[q][k];
    a[p][k] = c * pk - s * qk;
    a[q][k] = s * pk + c * qk;
  }
  a[p][q] = a[q][p] = 0;
}

void hk_symmetric_eigenvalues(const double *A, int n, double *lambda) {
  double a[HK_EIGEN_SMALL_MAX][HK_EIGEN_SMALL_MAX], scale = 0;
  for (int i = 0; i < n * n; i++) scale = fmax(scale, fabs(A[i]));
  double s = scale > 0 ? 1 / scale : 1;
  if (!isfinite(s)) s = 1; /* elements below 1e-308 */
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) a[i][j] = s * A[i * n + j];
  for (int sweep = 0; sweep < MAX_SWEEPS; sweep++) {
    double off = 0;
    for (int p = 0; p < n; p++)
      for (int q = p + 1; q < n; q++) {
        off = fmax(off, fabs(a[p][q]));
        if (fabs(a[p][q]) > 1e-300) rotate(a, n, p, q);
      }
    if (off < 1e-17) break;
  }
  for (int i = 0; i < n; i++) {
    int j = i;
    for (; j > 0 && lambda[j - 1] > a[i][i] / s; j--) lambda[j] = lambda[j - 1];
    lambda[j] = a[i][i] / s;
  }
}
