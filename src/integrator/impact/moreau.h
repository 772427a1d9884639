/* Shared by the files of Moreau's integrator. */
#ifndef HK_INTEGRATOR_IMPACT_MOREAU_H
#define HK_INTEGRATOR_IMPACT_MOREAU_H
#include "integrator/impact/delassus.h"
#include "sim/sim.h"

/* Keys of this integrator in the analysis. */
typedef struct hk_moreau_keys {
  double theta; /* position within the step at which forces are evaluated: 1/2 is the middle */
  /* forces are evaluated with the velocities at the start of the step, and there is no projection */
  bool explicit_published;
  bool projection; /* overlapping contacts are separated */
} hk_moreau_keys;
static inline const hk_moreau_keys *hk_moreau_keys_of(const hk_sim *s) { return s->parameter; }
static inline double hk_moreau_theta(const hk_sim *s) {
  return hk_moreau_keys_of(s)->explicit_published ? 0.5 : hk_moreau_keys_of(s)->theta;
}
static inline bool hk_moreau_projects(const hk_sim *s) {
  return hk_moreau_keys_of(s)->projection && !hk_moreau_keys_of(s)->explicit_published;
}

/* hk_sim.own: memory for the contact problem of a step.  Only the identity of the rows persists between steps. */
typedef struct hk_moreau {
  int n_rows;          /* number of points that may touch */
  int dim;             /* number of directions of each point in the contact problem: 2 or 3 */
  int n;               /* number of contacts closed in this step */
  hk_contact_row *row; /* [n_rows] */
  int *closed;         /* [n] which */
  hk_delassus *d;      /* directions of the closed contacts, dim of each */
  double *before;      /* [n][dim] velocities at the step's start */
  double *b;           /* [n dim] */
  double *P, *xi, *mu; /* [n dim], [n dim], [n] */
  /* [size] velocity and multipliers, first without the contact impulses, then with them */
  double *z;
  bool moving; /* a force needs the velocity of some frame */
  /* at least one body rotates in space, so that joints have small errors after every step */
  bool turning;
  /* true: the law of some points treats impacts sequentially; the following members are allocated only
   * then */
  bool in_turn;
  double *turned;  /* [n dim] impulses that the sequential points have received before this step */
  double *rate;    /* [n dim] velocities after these impulses */
  double *part;    /* [n dim][n dim + 3] contact problem of some of the contacts: G, b, P, xi */
  double *part_mu; /* [n] */
  int *part_of;    /* [n] */
  double *block;
  int doubles; /* size of the block */
} hk_moreau;

hk_status hk_moreau_create(hk_sim *s, hk_error *err);
void hk_moreau_destroy(hk_sim *s);
void hk_moreau_poison(hk_sim *s);

/* The contacts that are closed at the frames in `work`.  Adds the change of velocity and multipliers due to their
 * impulses to k->z, which contains the change without them. */
hk_status hk_moreau_contacts(hk_sim *s, const double *x0, double h);
/* moreau_sequential.c: computes the impulses of the points with a sequential law into k->turned; the problem that
 * remains is in k->b. */
hk_status hk_moreau_in_turn(hk_sim *s);
/* moreau_paradox.c: reports sliding contacts of the present problem for which the equations have no solution or
 * several solutions. */
void hk_moreau_find_paradox(hk_sim *s, const double *x0);
/* Adds to d displacements that separate contacts that overlap at the end of the step. Returns false if no
 * displacement is necessary. The frames in `work` are those of the end of the step; `moved`: d already changes these
 * frames. */
bool hk_moreau_push_apart(hk_sim *s, bool moved, double *d);
/* Stores in the state: impulses, counts, times, and the energy lost in contacts. */
void hk_moreau_record(hk_sim *s, const double *x0, double h, double *x1, double *dissipated,
                      double *applied);
#endif
