/* Contacts with Coulomb friction and restitution in velocity-impulse form.
 *
 * Unknown impulses P and velocities xi = G P + b, where G = W' M^-1 W is positive semidefinite,
 * and symmetric except for the gyroscopic terms that an implicit step adds to M. (The closed
 * form in the plane and the bilateral block assume symmetry; the merit function and the other
 * solvers do not.) b is xi without contact impulses, including restitution: xi_N = gNE + eN gNA,
 * xi_T = gTE + eT gTA. Order of the rows: for each contact the normal, then one tangent (dim = 2) or two orthonormal
 * tangents (dim = 3); the bilateral rows follow after all contacts.
 *
 *   contact    0 <= P_N _|_ xi_N >= 0,   |P_T| <= mu P_N,   -P_T in mu P_N Sgn(xi_T)
 *   bilateral  xi = 0, P free
 *
 * Every solver eliminates the bilateral rows by a Schur complement and scales each contact to 1. If
 * G is singular, dependent bilateral rows get zero impulse. Only hk_contact_merit decides whether a
 * result is accepted.
 *
 *   hk_contact_work *k = hk_contact_work_create(2, 4, 0, 0);   // once: for up to 4 contacts
 *   hk_contact_problem p = {.dim = 2, .contacts = 1, .G = G, .b = b, .mu = mu};
 *   hk_contact_result r;
 *   if (hk_contact_solve(&p, P, xi, k, &r)) ...   // P: initial value, zeros are valid */
#ifndef HK_SOLVE_CONTACT_PROBLEM_H
#define HK_SOLVE_CONTACT_PROBLEM_H
#include <hooke/base.h>
#include "solve/lcp.h"

#define HK_CONTACT_TOL 1e-10 /* a solution is accepted if its merit is at most this */
#define HK_CONTACT_FACETS 8  /* default number of sides of the polyhedral cone */

typedef struct hk_contact_problem {
  int dim;          /* 2 or 3 */
  int contacts;     /* number of contacts */
  int bilateral;    /* number of bilateral rows, which follow the rows of the contacts */
  const double *G;  /* [rows][rows], row-major */
  const double *b;  /* rows */
  const double *mu; /* [contacts] friction coefficients, >= 0 */
  /* magnitude of the velocities whose difference is b; 0: unknown. If b is only round-off of these velocities, no
   * impulses are necessary. */
  double speed;
} hk_contact_problem;

static inline int hk_contact_problem_rows(const hk_contact_problem *p) {
  return p->dim * p->contacts + p->bilateral;
}

typedef enum hk_contact_solver {
  HK_CONTACT_AUTO = 0, /* the sequence of solvers of hk_contact_solve */
  HK_CONTACT_DIRECT,   /* no active contact, or one contact in closed form */
  HK_CONTACT_LEMKE,    /* 2D: Glocker-Studer form, three rows per contact */
  HK_CONTACT_NEWTON,   /* semismooth Newton on the natural map, exact cone */
  HK_CONTACT_NSGS,     /* block Gauss-Seidel, exact local solution */
  /* Lemke's method with a polyhedral cone: the solution for this cone, used as initial value for
   * the exact cone */
  HK_CONTACT_POLYHEDRAL
} hk_contact_solver;

typedef struct hk_contact_result {
  hk_status status; /* HK_OK: accepted; HK_RETRY: not accepted, P and xi are the best found */
  hk_contact_solver solver; /* the solver that found the returned result */
  double merit;             /* merit of the returned result */
  int pivots, iterations;   /* total number of pivots, and of Newton steps and sweeps */
} hk_contact_result;

typedef struct hk_contact_work hk_contact_work;
/* Allocates memory for problems up to these sizes; facets: number of sides of the polyhedral cone
 * in 3D, 0: default. */
hk_contact_work *hk_contact_work_create(int dim, int max_contacts, int max_bilateral, int facets);
void hk_contact_work_free(hk_contact_work *k);
/* Fills all arrays with NaN, to expose stale data. */
void hk_contact_work_poison(hk_contact_work *k);

/* Solves the problem. On entry P holds an initial guess (its use depends on the solver; zeros are
 * valid), on return the impulses; xi the velocities. HK_OK: accepted; HK_RETRY: no solver of the
 * sequence found an acceptable result (P, xi hold the best result); HK_EINPUT: a size is too large
 * or a value is not finite. r may be NULL. Deterministic; no allocation. */
hk_status hk_contact_solve(const hk_contact_problem *p, double *P, double *xi, hk_contact_work *k,
                           hk_contact_result *r);
/* Same as hk_contact_solve, with a single solver. The result of POLYHEDRAL is checked with the exact cone too: in 3D
 * it is accepted only if all contacts are frictionless, open or sticking. */
hk_status hk_contact_solve_with(hk_contact_solver solver, const hk_contact_problem *p, double *P,
                                double *xi, hk_contact_work *k, hk_contact_result *r);

/* Merit function for the results of all solvers: natural-map residual of the cone in the form of
 * De Saxce,
 *   max_i | P_i - proj_Ci(P_i - (xi_i + mu_i |xi_Ti| n)) |,   C_i = {|P_T| <= mu P_N},
 * with xi = G P + b recomputed. For each contact, P is multiplied by d_i and xi is divided by d_i, where d_i is the
 * square root of the mean of the diagonal entries of G that belong to this contact. So both quantities have the same
 * unit. The residual is divided by max |b| + min(max |P| / 100, 1000 max |b|) in this unit, where max |b| is at least
 * `speed`. Bilateral rows contribute |xi| / d. The merit is infinite if a value is not finite. */
double hk_contact_merit(const hk_contact_problem *p, const double *P);

const char *hk_contact_solver_name(hk_contact_solver solver);

#endif
