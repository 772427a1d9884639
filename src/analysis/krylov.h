/* Eigenvalues of largest modulus of a real operator that is only known by its products. */
#ifndef HK_KRYLOV_H
#define HK_KRYLOV_H
#include <hooke/base.h>

typedef struct hk_krylov {
  int n;      /* size of the operator */
  int wanted; /* how many eigenvalues; one more where a conjugate pair would be cut */
  int most;   /* dimension of the space the operator acts in, if that is less than n; else n */
  double tolerance;
  int max_products;
  /* y = A x; not HK_OK ends the iteration. */
  hk_status (*multiply)(void *context, const double *x, double *y);
  void *context;
} hk_krylov;

typedef struct hk_krylov_result {
  int n;           /* found */
  double *re, *im; /* [n], falling modulus; pairs stand together, positive imaginary part first */
  double *vector;  /* [n][2 size]: real parts, then imaginary parts */
  int products;
  bool exhausted; /* the space was invariant: there are no others */
  double *block;
} hk_krylov_result;

/* x holds the start vector [n], which should lie in the space the operator acts in. */
hk_status hk_krylov_solve(const hk_krylov *k, double *x, hk_krylov_result *out, hk_error *err);
void hk_krylov_free(hk_krylov_result *r);
#endif
