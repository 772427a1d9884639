/* What the files of Moreau's stepper share. */
#ifndef HK_MOREAU_H
#define HK_MOREAU_H
#include "integrator/impact/delassus.h"
#include "sim/sim.h"

/* Its keys in the analysis. */
typedef struct hk_moreau_keys {
  double theta;    /* where forces are taken within the step; 1/2: the middle */
  bool paper;      /* forces at the velocities of the step's start, no projection */
  bool projection; /* contacts that overlap are pushed apart */
} hk_moreau_keys;
static inline const hk_moreau_keys *hk_moreau_keys_of(const hk_sim *s) { return s->parameter; }
static inline double hk_moreau_theta(const hk_sim *s) {
  return hk_moreau_keys_of(s)->paper ? 0.5 : hk_moreau_keys_of(s)->theta;
}
static inline bool hk_moreau_projects(const hk_sim *s) {
  return hk_moreau_keys_of(s)->projection && !hk_moreau_keys_of(s)->paper;
}

/* hk_sim.own: room for the contact problem of a step.  Nothing but row's identity outlives one. */
typedef struct hk_moreau {
  int n_rows, dim;     /* points that may touch; directions of each in the problem: 2 or 3 */
  int n;               /* of them closed in this step */
  hk_contact_row *row; /* [n_rows] */
  int *closed;         /* [n] which */
  hk_delassus *d;      /* directions of the closed ones, dim of each */
  double *before;      /* [n][dim] velocities at the step's start */
  double *b;           /* [n dim] */
  double *P, *xi, *mu; /* [n dim], [n dim], [n] */
  double *z;           /* [size] velocity and multipliers without contact, then with it */
  bool moving;         /* some frame has a velocity that a force asks for */
  bool turning;        /* some body turns in space: joints are open after every step, if by little */
  bool in_turn;        /* some point takes impulses in turn; then there is room for it: */
  double *turned;      /* [n dim] impulses that were passed on before those of the step */
  double *rate;        /* [n dim] velocities after them */
  double *part;        /* [n dim][n dim + 3] a part of the problem: G, b, P, xi */
  double *part_mu;     /* [n] */
  int *part_of;        /* [n] */
  double *block;
  int doubles; /* of the block */
} hk_moreau;

hk_status hk_moreau_create(hk_sim *s, hk_error *err);
void hk_moreau_destroy(hk_sim *s);
void hk_moreau_poison(hk_sim *s);

/* The contacts that are closed at the frames in work.  Adds the change of velocity and multipliers
 * that their impulses make to k->z, which holds the change without them. */
hk_status hk_moreau_contacts(hk_sim *s, const double *x0, double h);
/* moreau_turn.c: impulses of the points that take them in turn, into k->turned; the problem k->b becomes that of
 * what is left. */
hk_status hk_moreau_in_turn(hk_sim *s);
/* Displacements that push overlapping contacts of the step apart, added to d; false: none is
 * needed.  The frames are those of the step's end; `moved`: d already moves them. */
bool hk_moreau_push_apart(hk_sim *s, bool moved, double *d);
/* What the contacts leave in the state: impulses, counts, times, and the energy they took. */
void hk_moreau_record(hk_sim *s, const double *x0, double h, double *x1, double *dissipated,
                      double *applied);
#endif
