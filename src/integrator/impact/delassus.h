/* The Delassus operator of set-valued contacts: the velocities of contacts due to forces in them,
 *
 *   G_ij = r_i . A^-1 f_j,   r_i = s_i W_i[k],   f_j = sum_a c_a W_j[a]
 *
 * where A is the matrix of the integrator for a step, and W are the rows of core/contact_rows.h. The joints are part
 * of this matrix and are eliminated by its factorization. A direction belongs to one unknown P_j, the magnitude of its
 * force: r_i gives the velocity along direction i, and f_j is the generalized force for P_j = 1. For a sliding contact
 * f_j includes friction.
 *
 *   hk_delassus_begin(d, size);                   an operator over no directions
 *   hk_delassus_add(d, &(hk_direction){...});     one by one, the dim of each contact adjacent
 *   hk_delassus_set_up(d, solver);                computes the columns A^-1 f and the matrix G
 *   hk_delassus_solve(d, dim, b, mu, 0, P, xi);   the law of the contacts: solve/contact_problem.h, or
 *   hk_delassus_factor(d), hk_delassus_hold(d, x);  all directions held: G x = x
 *   hk_delassus_apply(d, P, n, z);                z += effect of the forces P */
#ifndef HK_INTEGRATOR_IMPACT_DELASSUS_H
#define HK_INTEGRATOR_IMPACT_DELASSUS_H
#include "core/contact_rows.h"
#include "solve/contact_problem.h"

typedef struct hk_direction {
  /* NULL: the contact has no such direction; the direction then has an equation with the solution 0 */
  const hk_contact_row *row;
  /* row that gives the direction of the force, if this direction was computed at another time
   * than `row`; NULL: `row` gives it */
  const hk_contact_row *push;
  /* index k of W; if `row` is NULL: the number of entries between this direction and the normal of the same contact */
  int k;
  double sign; /* s */
  double c[HK_N_DIR];
} hk_direction;

typedef struct hk_delassus {
  /* maximum number of directions and further columns; maximum number of entries of a column */
  int capacity, most_rows;
  /* number of entries of a column, which is the number of unknowns of the present system */
  int size;
  /* number of directions; number of further columns, which are forces with a known direction */
  int n, more;
  hk_direction *at; /* [capacity] */
  double *X;        /* [n + more][most_rows] A^-1 f */
  double *G;        /* [n][n]; LU factors after hk_delassus_factor */
  double *E;        /* [n][more] r_i . A^-1 f_j of the further columns */
  int *pivot, rank; /* [2 capacity] pivots of hk_delassus_factor */
  bool reversed;    /* G has full rank and a negative determinant */
  double
      *Z; /* [n - rank][n] forces without effect along any direction, set by hk_delassus_factor */
  hk_contact_work *work[2]; /* number of contacts with 2 and 3 directions */
  hk_contact_result result; /* result of the last hk_delassus_solve */
  double *block;
  size_t doubles;
} hk_delassus;

/* Allocates memory for the points of all contacts, HK_N_DIR directions and one further column each. */
hk_delassus *hk_delassus_create(const hk_model *m, int points, hk_error *err);
void hk_delassus_destroy(hk_delassus *d);
void hk_delassus_poison(hk_delassus *d);

static inline void hk_delassus_begin(hk_delassus *d, int size) {
  d->size = size;
  d->n = d->more = 0;
}
static inline void hk_delassus_add(hk_delassus *d, const hk_direction *direction) {
  d->at[d->n++] = *direction;
}
/* Adds a further column, after all directions: a force with a known direction, for which no velocity is computed. */
static inline void hk_delassus_add_column(hk_delassus *d, const hk_direction *direction) {
  d->at[d->n + d->more++] = *direction;
}
static inline double *hk_delassus_column(const hk_delassus *d, int j) {
  return d->X + (size_t)j * (size_t)d->most_rows;
}
/* s W[k] . y, without the part due to prescribed rotations. */
static inline double hk_direction_along(const hk_direction *i, const double *y) {
  return i->sign * hk_contact_row_along(i->row, i->k, y);
}
/* Solves the linear system once for each contact direction that exists (row not NULL); returns the
 * number of these directions. */
int hk_delassus_set_up(hk_delassus *d, hk_linear_solver *solver);
/* Returns true if a force along one direction changes the velocity along another, by more than a weak coupling does. */
bool hk_delassus_couples(const hk_delassus *d, int i, int j);
/* Recomputes G after the rows of the contacts have changed; the columns A^-1 f remain the same. */
void hk_delassus_look(hk_delassus *d);
/* Makes G exactly symmetric. If A is symmetric, G is symmetric except for round-off. */
void hk_delassus_symmetrise(hk_delassus *d);
/* Adds a compliance, as large as that of the normal, along tangents in which joints hold a contact. Friction has no
 * effect along such tangents. Without the compliance this friction would be arbitrary within the friction cone, and
 * would reduce the friction in the other directions. With the compliance it is zero. */
void hk_delassus_ease(hk_delassus *d, int dim);
/* Reverses direction i: velocity and force. */
void hk_delassus_flip(hk_delassus *d, int i);
/* The contact problem xi = G P + b, as hk_contact_solve: P contains an initial estimate. Only hk_contact_merit
 * measures the quality of the result, which is stored in d->result. */
hk_status hk_delassus_solve(hk_delassus *d, int dim, const double *b, const double *mu,
                            double speed, double *P, double *xi);
/* z[0..rows-1] += X P */
void hk_delassus_apply(const hk_delassus *d, const double *P, int rows, double *z);
/* LU of G with complete pivoting; d->rank < d->n: forces are not unique. */
void hk_delassus_factor(hk_delassus *d);
/* x = G^-1 x, the solution of minimum norm; rows beyond the rank are ignored. */
void hk_delassus_hold(hk_delassus *d, double *x);
/* Replaces x by the equivalent solution with minimum norm of (weight x). */
void hk_delassus_share(hk_delassus *d, const double *weight, double *x);
#endif
