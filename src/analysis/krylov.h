/* Eigenvalues of largest modulus of a real operator given by its products with vectors. */
#ifndef HK_ANALYSIS_KRYLOV_H
#define HK_ANALYSIS_KRYLOV_H
#include <hooke/base.h>

typedef struct hk_krylov {
  int n;      /* number of rows of the matrix A */
  int wanted; /* number of requested eigenvalues; one more if a conjugate pair would be split */
  int most;   /* dimension of the space on which A acts, if it is less than n; otherwise n */
  double tolerance;
  int max_products;
  /* y = A x; any status but HK_OK ends the iteration. */
  hk_status (*multiply)(void *context, const double *x, double *y);
  void *context;
  /* Called before each product: false ends the iteration with HK_STOPPED.  NULL: no call. */
  hk_progress_fn *progress;
  void *progress_context;
} hk_krylov;

typedef struct hk_krylov_result {
  int n;           /* found */
  double *re, *im; /* [n], decreasing modulus; pairs are adjacent, positive imaginary part first */
  double *vector;  /* [n][2 size]: real parts, then imaginary parts */
  int products;
  bool exhausted; /* the space was invariant: there are no other eigenvalues */
  double *block;
} hk_krylov_result;

/* Finds the eigenvalues. On entry x contains the start vector [n], which should be in the space on which A acts. */
hk_status hk_krylov_solve(const hk_krylov *k, double *x, hk_krylov_result *out, hk_error *err);
void hk_krylov_free(hk_krylov_result *r);
#endif
