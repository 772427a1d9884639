/* Linear complementarity problem: find z >= 0 with w = M z + q >= 0 and z'w = 0.
 *
 * Lemke's method with the lexicographic ratio test [Cottle, Pang, Stone 1992, sec. 4.4 and 4.9].
 * Only hk_lcp_merit, computed from the returned values, decides whether a solution is accepted,
 * independent of the path that led to it. If the first path gives no acceptable solution, the
 * final basis is solved again by LU with pivoting, other covering vectors are used on the
 * equilibrated problem, and for n up to HK_LCP_SMALL all complementary cones are searched.
 * Solutions do not depend on the units of the rows and columns of M or on the magnitude of q. */
#ifndef HK_SOLVE_LCP_H
#define HK_SOLVE_LCP_H

#define HK_LCP_SMALL 8   /* up to this n: kernels of fixed size, and a search of all cones */
#define HK_LCP_TOL 1e-10 /* a solution is accepted if its merit is at most this */

typedef enum hk_lcp_status {
  HK_LCP_SOLVED = 0, /* z, w are accepted */
  HK_LCP_RAY,        /* a secondary ray: no solution was found, usually because there is none */
  HK_LCP_LIMIT       /* too many pivots, no acceptable solution, or a value that is not finite */
} hk_lcp_status;

/* Scratch for problems up to n_max; must not be used by two threads at the same time. */
typedef struct hk_lemke_work hk_lemke_work;
hk_lemke_work *hk_lemke_work_create(int n_max); /* NULL: out of memory */
void hk_lemke_work_free(hk_lemke_work *k);

/* Solves the problem. M is row-major with leading dimension n; z and w are written (zeros unless
 * SOLVED). At most one of z_i, w_i is nonzero. *pivots counts the pivots of all paths and may be
 * NULL. No allocation. `k` may be NULL for n <= HK_LCP_SMALL. */
hk_lcp_status hk_lemke(int n, const double *M, const double *q, double *z, double *w,
                       hk_lemke_work *k, int *pivots);

/* Scaled natural-map residual: max |min(z_i, (M z + q)_i)| with rows and columns of M scaled to
 * 1 and z, w in these units, divided by max |q| + min(max |z| / 100, 1000 max |q|). Infinite if
 * z is not finite. `scratch` holds 2 n numbers. */
double hk_lcp_merit(int n, const double *M, const double *q, const double *z, double *scratch);

#endif
