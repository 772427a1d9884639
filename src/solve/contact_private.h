/* The contact problem on which the solvers work: bilateral rows eliminated, every contact and the
 * velocities of size 1. */
#ifndef HK_CONTACT_PRIVATE_H
#define HK_CONTACT_PRIVATE_H
#include <math.h>
#include <string.h>

#include "base/hot.h"
#include "solve/contact_problem.h"

enum {
  HK_CONTACT_LEMKE_ROWS = 384,   /* largest complementarity problem that is ever set up */
  HK_CONTACT_LEMKE_CONTACTS = 16 /* 2D: up to here Lemke comes first, beyond Newton */
};

/* xi = G P + b with a diagonal of G about 1 and max |b| about 1.  Impulses of contact i in the
 * caller's units are size / d_i times these, velocities size * d_i times. */
typedef struct hk_contact_scaled {
  int dim, contacts, rows;
  double *G, *b, *d, *mu;
  double size;
} hk_contact_scaled;

struct hk_contact_work {
  int dim, max_contacts, max_bilateral, facets;
  hk_contact_scaled s;
  /* bilateral rows: pivoted LDL' of their block, its rank and order */
  double *L, *X, *y, *jacobi;
  int *order, rank;
  /* points of the scaled problem, then of the caller's */
  double *P, *trial, *xi, *F, *step, *start;
  double *full, *best;
  double *J; /* rows x rows of the Newton system */
  /* complementarity form */
  int lcp_rows;
  double *M, *q, *z, *w;
  hk_lemke_work *lemke;
  double *memory; /* behind all of these */
  size_t doubles;
};

/* Reduce and scale p into k->s; k->start is the caller's P there.  HK_EINPUT when a number is not
 * finite or mu < 0. */
hk_status hk_contact_reduce(hk_contact_work *k, const hk_contact_problem *p, const double *P);
/* The scaled impulses P as those of the caller, bilateral rows included. */
void hk_contact_expand(const hk_contact_work *k, const hk_contact_problem *p, const double *P,
                       double *full);
/* xi = G P + b. */
void hk_contact_velocity(const hk_contact_scaled *s, const double *P, double *xi);
/* max |natural map|, scaled problem; xi is written. */
double hk_contact_residual(const hk_contact_scaled *s, const double *P, double *xi);

/* Nearest point of the cone |x_T| <= mu x_N, in place. */
static inline void hk_contact_project(int dim, double mu, double *x) {
  double t = dim == 2 ? fabs(x[1]) : sqrt(x[1] * x[1] + x[2] * x[2]);
  if (x[0] >= 0 && t <= mu * x[0]) return;
  double along = (x[0] + mu * t) / (1 + mu * mu); /* of the edge, by its normal part */
  if (along <= 0) {
    for (int a = 0; a < dim; a++) x[a] = 0;
    return;
  }
  for (int a = 1; a < dim; a++) x[a] *= mu * along / t;
  x[0] = along;
}

/* One contact in closed form (2D) or by one equation in the direction of slip (3D): G with leading
 * dimension ld.  P is the start and the answer.  False: none found, P unchanged. */
bool hk_contact_local(int dim, const double *G, int ld, const double *b, double mu, double *P);

/* Solvers: from P to P, scaled.  They return how many iterations or pivots they took and promise
 * nothing: the merit judges. */
int hk_contact_nsgs(hk_contact_work *k, double *P, int sweeps);
int hk_contact_newton(hk_contact_work *k, double *P, int steps);
/* Glocker-Studer form; false when there is no answer. */
bool hk_contact_lemke_planar(hk_contact_work *k, double *P, int *pivots);
/* Stewart-Trinkle form with `facets` directions of slip (2D: two); false when there is no answer or
 * no room. */
bool hk_contact_lemke_facets(hk_contact_work *k, int facets, double *P, int *pivots);

#endif
