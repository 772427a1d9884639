/* The Delassus operator of set-valued contacts: how fast contacts move when forces act in them,
 *
 *   G_ij = r_i . A^-1 f_j,   r_i = s_i W_i[k],   f_j = sum_a c_a W_j[a]
 *
 * with the matrix A of a stepper's system, joints eliminated by its factors, and the rows W of
 * core/contact_rows.h.  A direction is one unknown: the velocity by which it is judged and the force
 * that a unit of it makes, which for a contact that slides has friction in it.
 *
 *   hk_delassus_begin(d, size);                   an operator over no directions
 *   hk_delassus_add(d, &(hk_direction){...});     one by one, dim of each contact side by side
 *   hk_delassus_set_up(d, solver);                columns A^-1 f and G
 *   hk_delassus_solve(d, dim, b, mu, 0, P, xi);   the law of the contacts: solve/contact_problem.h, or
 *   hk_delassus_factor(d), hk_delassus_hold(d, x);  all directions held: G x = x
 *   hk_delassus_apply(d, P, n, z);                z += what the forces P do
 */
#ifndef HK_DELASSUS_H
#define HK_DELASSUS_H
#include "core/contact_rows.h"
#include "solve/contact_problem.h"

typedef struct hk_direction {
  const hk_contact_row
      *row; /* NULL: the contact lacks it; it gets an equation whose solution is 0 */
  const hk_contact_row
      *push;   /* the row of the force, where that is of another instant; NULL: row */
  int k;       /* which W; without a row: how many places before this stands the normal */
  double sign; /* s */
  double c[HK_N_DIR];
} hk_direction;

typedef struct hk_delassus {
  int capacity, most_rows; /* directions and further columns; entries of a column */
  int size;                /* entries of a column: unknowns of the system at hand */
  int n, more;             /* directions; further columns, forces that are known up to their size */
  hk_direction *at;        /* [capacity] */
  double *X;               /* [n + more][most_rows] A^-1 f */
  double *G;               /* [n][n]; LU factors after hk_delassus_factor */
  double *E;               /* [n][more] r_i . A^-1 f_j of the further columns */
  int *pivot, rank;        /* [2 capacity] of hk_delassus_factor */
  bool reversed;           /* ... of full rank, with a negative determinant */
  double *Z;               /* [n - rank][n] forces that do nothing along any direction, after it */
  hk_contact_work *work[2]; /* of contacts with 2 and 3 directions */
  hk_contact_result result; /* of the last hk_delassus_solve */
  double *block;
  size_t doubles;
} hk_delassus;

/* Room for the points of all contacts, HK_N_DIR directions and one further column each. */
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
/* Behind all directions: its velocity is not asked for. */
static inline void hk_delassus_add_column(hk_delassus *d, const hk_direction *direction) {
  d->at[d->n + d->more++] = *direction;
}
static inline double *hk_delassus_column(const hk_delassus *d, int j) {
  return d->X + (size_t)j * (size_t)d->most_rows;
}
/* s W[k] . y, without what guides add. */
static inline double hk_direction_along(const hk_direction *i, const double *y) {
  return i->sign * hk_contact_row_along(i->row, i->k, y);
}
/* Solves as many times as there are columns with a row; returns how many. */
int hk_delassus_set_up(hk_delassus *d, hk_linear_solver *solver);
/* G anew, its rows having moved since; the columns stay. */
void hk_delassus_look(hk_delassus *d);
/* Where A is symmetric G is, but for round-off: that too. */
void hk_delassus_symmetrise(hk_delassus *d);
/* Along tangents in which joints hold a contact friction does nothing, so that it could be anything the cone allows,
 * at the cost of what it has to do elsewhere.  With compliance there, as large as the normal's, it is none. */
void hk_delassus_ease(hk_delassus *d, int dim);
/* The direction i is judged and pushes the other way. */
void hk_delassus_flip(hk_delassus *d, int i);
/* The contact problem xi = G P + b, as hk_contact_solve: P holds a first guess.  The one judge of it
 * is hk_contact_merit; d->result tells. */
hk_status hk_delassus_solve(hk_delassus *d, int dim, const double *b, const double *mu,
                            double speed, double *P, double *xi);
/* z[0..rows-1] += X P */
void hk_delassus_apply(const hk_delassus *d, const double *P, int rows, double *z);
/* LU of G with complete pivoting; d->rank < d->n: forces are not unique. */
void hk_delassus_factor(hk_delassus *d);
/* x = G^-1 x, of all solutions the one of least norm; the rows beyond the rank are left to themselves. */
void hk_delassus_hold(hk_delassus *d, double *x);
/* Another solution than x: the one of least norm of (weight x). */
void hk_delassus_share(hk_delassus *d, const double *weight, double *x);
#endif
