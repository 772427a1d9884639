/* The contact problem in the form used by the solvers: bilateral rows eliminated, contacts and
 * velocities scaled to 1. */
#ifndef HK_SOLVE_CONTACT_PRIVATE_H
#define HK_SOLVE_CONTACT_PRIVATE_H
#include <math.h>
#include <string.h>

#include "base/hot.h"
#include "solve/contact_problem.h"

enum {
  HK_CONTACT_LEMKE_ROWS = 384, /* largest number of rows of a complementarity problem */
  /* 2D: Lemke's method is used first up to this number of contacts, Newton's method for more
   * contacts */
  HK_CONTACT_LEMKE_CONTACTS = 16
};

/* xi = G P + b with a diagonal of G of about 1 and max |b| of about 1. In the units of the caller,
 * impulses of contact i are larger by size / d_i, velocities by size * d_i. */
typedef struct hk_contact_scaled {
  int dim, contacts, rows;
  double *G, *b, *d, *mu;
  double size;
} hk_contact_scaled;

struct hk_contact_work {
  int dim, max_contacts, max_bilateral, facets;
  hk_contact_scaled s;
  /* bilateral rows: pivoted LDL' factorization of their block, its rank and pivot order */
  double *L, *X, *y, *jacobi;
  int *order, rank;
  /* vectors of the scaled problem, then of the problem of the caller */
  double *P, *trial, *xi, *F, *step, *start;
  double *full, *best;
  double *J; /* rows x rows: matrix of the Newton system */
  /* complementarity form */
  int lcp_rows;
  double *M, *q, *z, *w;
  hk_lemke_work *lemke;
  double *memory; /* the allocation that holds all arrays */
  size_t doubles;
};

/* Reduces and scales p into k->s; k->start is the scaled P of the caller. HK_EINPUT if a value is
 * not finite or mu < 0. */
hk_status hk_contact_reduce(hk_contact_work *k, const hk_contact_problem *p, const double *P);
/* Converts the scaled impulses P to those of the caller, including bilateral rows. */
void hk_contact_expand(const hk_contact_work *k, const hk_contact_problem *p, const double *P,
                       double *full);
/* xi = G P + b. */
void hk_contact_velocity(const hk_contact_scaled *s, const double *P, double *xi);
/* Returns max |natural map| of the scaled problem; writes xi. */
double hk_contact_residual(const hk_contact_scaled *s, const double *P, double *xi);

/* Nearest point of the cone |x_T| <= mu x_N, in place. */
static inline void hk_contact_project(int dim, double mu, double *x) {
  double t = dim == 2 ? fabs(x[1]) : sqrt(x[1] * x[1] + x[2] * x[2]);
  if (x[0] >= 0 && t <= mu * x[0]) return;
  double along = (x[0] + mu * t) / (1 + mu * mu); /* position along the edge of the cone, by its
                                                   * normal component */
  if (along <= 0) {
    for (int a = 0; a < dim; a++) x[a] = 0;
    return;
  }
  for (int a = 1; a < dim; a++) x[a] *= mu * along / t;
  x[0] = along;
}

/* Solves one contact in closed form (2D) or by one equation for the direction of slip (3D); G has
 * the leading dimension ld. P is the initial value and the result. Returns false, with P unchanged,
 * if no solution was found. */
bool hk_contact_local(int dim, const double *G, int ld, const double *b, double mu, double *P);

/* Solvers of the scaled problem: improve P in place. They return the number of iterations or
 * pivots. Convergence is not guaranteed: the merit function decides whether P is accepted. */
int hk_contact_nsgs(hk_contact_work *k, double *P, int sweeps);
int hk_contact_newton(hk_contact_work *k, double *P, int steps);
/* Glocker-Studer form; returns false if no solution was found. */
bool hk_contact_lemke_planar(hk_contact_work *k, double *P, int *pivots);
/* Stewart-Trinkle form with `facets` directions of slip (2D: two); returns false if no solution
 * was found or the problem is too large. */
bool hk_contact_lemke_facets(hk_contact_work *k, int facets, double *P, int *pivots);

#endif
