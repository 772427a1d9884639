/* Lowest modes of K u = w^2 M u by block Lanczos iteration with the inverse of K and full reorthogonalization.
 *
 * The operator is u -> K^-1 M u, in the metric of M; K^-1 may include constraints, and M may be singular. Blocks find
 * modes of equal frequency. */
#ifndef HK_FE_SOLVE_LANCZOS_H
#define HK_FE_SOLVE_LANCZOS_H
#include <hooke/base.h>

typedef struct hk_lanczos_task {
  size_t length; /* of a vector */
  /* Functions of the caller: b <- K^-1 b, and y = M x, for several vectors stored one after another. */
  hk_status (*solve)(void *problem, int vectors, double *b, hk_error *err);
  void (*mass)(void *problem, const double *x, int vectors, double *y);
  void *problem;
  int wanted;   /* number of modes; if `limit` > 0: the maximum number */
  double limit; /* all modes with w^2 up to this value [rad^2/s^2]; 0: no limit */
  hk_progress_fn *progress;
  void *context;
} hk_lanczos_task;

typedef struct hk_lanczos_modes {
  int n;        /* number of modes found; smaller than wanted if the problem has no more modes */
  double *w2;   /* ascending */
  double *mode; /* [n][length], u^T M u = 1 */
} hk_lanczos_modes;

/* HK_EFAIL: no convergence, or more modes below the limit than wanted. */
hk_status hk_lanczos(const hk_lanczos_task *t, hk_lanczos_modes *out, hk_error *err);
void hk_lanczos_free(hk_lanczos_modes *m);
#endif
