/* Contacts with Coulomb friction and restitution in velocity-impulse form.
 *
 * Unknown impulses P and velocities xi = G P + b, where G = W' M^-1 W is positive semidefinite and
 * symmetric, but for the gyroscopic terms that an implicit step adds to M.  (The closed form in the
 * plane and the bilateral block take it as symmetric; the judge and the other solvers do not.)  b
 * is what xi would be without contact impulses, restitution included: xi_N = gNE + eN gNA,
 * xi_T = gTE + eT gTA.  Rows: per contact the normal, then one tangent (dim 2) or two orthonormal
 * tangents (dim 3); after all contacts the bilateral rows.
 *
 *   contact    0 <= P_N _|_ xi_N >= 0,   |P_T| <= mu P_N,   -P_T in mu P_N Sgn(xi_T)
 *   bilateral  xi = 0, P free
 *
 * Every solver eliminates the bilateral rows by a Schur complement (dependent ones, G singular, get
 * zero impulse), brings each contact to size 1, and is judged by hk_contact_merit alone.
 *
 *   hk_contact_work *k = hk_contact_work_create(2, 4, 0, 0);   // once: room for 4 contacts
 *   hk_contact_problem p = {.dim = 2, .contacts = 1, .G = G, .b = b, .mu = mu};
 *   hk_contact_result r;
 *   if (hk_contact_solve(&p, P, xi, k, &r)) ...                // P: also the start, zeros will do
 */
#ifndef HK_CONTACT_PROBLEM_H
#define HK_CONTACT_PROBLEM_H
#include <hooke/base.h>
#include "solve/lcp.h"

#define HK_CONTACT_TOL 1e-10 /* an answer certifies when its merit is at most this */
#define HK_CONTACT_FACETS 8  /* sides of the polyhedral cone, unless told */

typedef struct hk_contact_problem {
  int dim;          /* 2 or 3 */
  int contacts;     /* number of contacts */
  int bilateral;    /* number of bilateral rows, after those of the contacts */
  const double *G;  /* rows x rows, row-major */
  const double *b;  /* rows */
  const double *mu; /* per contact, >= 0 */
  double speed;     /* size of the velocities whose differences b holds, 0: unknown.  A b that is
                       nothing but their round-off needs no answer then. */
} hk_contact_problem;

static inline int hk_contact_problem_rows(const hk_contact_problem *p) {
  return p->dim * p->contacts + p->bilateral;
}

typedef enum hk_contact_solver {
  HK_CONTACT_AUTO = 0,  /* the chain of hk_contact_solve */
  HK_CONTACT_DIRECT,    /* no active contact, or one contact in closed form */
  HK_CONTACT_LEMKE,     /* 2D: Glocker-Studer form, three rows per contact */
  HK_CONTACT_NEWTON,    /* semismooth Newton on the natural map, exact cone */
  HK_CONTACT_NSGS,      /* block Gauss-Seidel, exact local solution */
  HK_CONTACT_POLYHEDRAL /* Lemke with a polyhedral cone: an answer for that cone, a start for ours
                         */
} hk_contact_solver;

typedef struct hk_contact_result {
  hk_status status;         /* HK_OK: certified; HK_RETRY: not; P, xi are the best found */
  hk_contact_solver solver; /* the one whose answer is handed out */
  double merit;             /* of that answer */
  int pivots, iterations;   /* all pivots, all Newton steps and sweeps spent */
} hk_contact_result;

typedef struct hk_contact_work hk_contact_work;
/* Room for problems up to these sizes; facets of the polyhedral cone in 3D, 0: the default. */
hk_contact_work *hk_contact_work_create(int dim, int max_contacts, int max_bilateral, int facets);
void hk_contact_work_free(hk_contact_work *k);
/* Everything in it becomes what must not be used. */
void hk_contact_work_poison(hk_contact_work *k);

/* Solve.  P holds a first guess on entry (its use depends on the solver; zeros will do), the
 * impulses on return; xi the velocities.  HK_OK when certified, HK_RETRY when no solver of the
 * chain certified (P, xi hold the best), HK_EINPUT when a size does not fit or a number is not
 * finite.  r may be NULL.  Deterministic; no allocation. */
hk_status hk_contact_solve(const hk_contact_problem *p, double *P, double *xi, hk_contact_work *k,
                           hk_contact_result *r);
/* The same with one solver alone.  POLYHEDRAL is judged by the exact cone too: in 3D it certifies
 * only where all contacts are frictionless, open or stick. */
hk_status hk_contact_solve_with(hk_contact_solver solver, const hk_contact_problem *p, double *P,
                                double *xi, hk_contact_work *k, hk_contact_result *r);

/* The one judge.  Natural-map residual of the cone in the form of De Saxce,
 *   max_i | P_i - proj_Ci(P_i - (xi_i + mu_i |xi_Ti| n)) |,   C_i = {|P_T| <= mu P_N},
 * with xi = G P + b recomputed, each contact's P multiplied and xi divided by d_i, the root of the
 * mean of its diagonal entries of G, so that both have one unit; over
 * max |b| + min(max |P| / 100, 1000 max |b|) in that unit, |b| at least `speed`.  Bilateral rows
 * count |xi| / d. Infinite when a number is not finite. */
double hk_contact_merit(const hk_contact_problem *p, const double *P);

const char *hk_contact_solver_name(hk_contact_solver solver);

#endif
