/* Symmetries of a model in periodic motion: what may differ between the start and the end of a period.
 *
 * A joint with n equal balls, or gears that have turned by one tooth, is at the end of a part of a revolution in the same state as
 * at its start, apart from three things: bodies have turned about their own axes, other bodies of a ring of equal ones have taken
 * the places of the first, and bodies that are round have any orientation.  A view of a state undoes this:
 *
 *   node i of the view = node `source` of the state, turned back about its own axis by `count` times its angle
 *   ring:    the rotation about one body axis has no effect; it is removed
 *   sphere:  the orientation has no effect; it is that of the reference, with velocities in world axes
 *
 * Only positions, velocities and their changes are viewed.  The state itself, with its contacts and memory, goes on in time, so
 * nothing else has to be renumbered.  Types declare by hk_stage.fold by which angle frames can be turned; whether the whole model
 * has the symmetry is decided by its accelerations, see hk_symmetry_find. */
#ifndef HK_SYMMETRY_H
#define HK_SYMMETRY_H
#include "sim/sim.h"

enum { HK_NO_AXIS = -1, HK_ANY_AXIS = 3 };

/* What the period does to one node. */
typedef struct hk_alike {
  int next; /* node whose initial position this node has at the end of the period; the node itself if it is not one of several equal nodes */
  double angle; /* rotation of the node about its own axis within the period */
  int axis;     /* 0, 1, 2 of the body; rotors: 0 */
  int free; /* its orientation has no effect: about this axis (ring), HK_ANY_AXIS (sphere), HK_NO_AXIS */
} hk_alike;

/* Where a node of the view comes from. */
typedef struct hk_viewed {
  int source;
  hk_mat3 Q; /* rigid nodes: from body axes of the source to those of the view */
} hk_viewed;

typedef struct hk_symmetry {
  const hk_model *m;
  hk_alike *node;  /* [n_nodes] */
  hk_viewed *view; /* [n_nodes] */
  double *q, *v;   /* [nq], [nv] of the view */
  int parts;       /* equal parts of the period of the caller; 0: no symmetry is used */
  char name[128];  /* an item that has it */
  double
      unequal; /* if a declared symmetry is not one of the model: relative difference of the accelerations */
} hk_symmetry;

hk_status hk_symmetry_create(hk_symmetry *y, const hk_model *m, hk_error *err);
void hk_symmetry_free(hk_symmetry *y);
/* No symmetry; orientations without effect are kept. */
void hk_symmetry_forget(hk_symmetry *y);
/* Fills y->view, q and v from the state x at the end of `count` periods after the state `ref`. */
void hk_symmetry_view(hk_symmetry *y, const double *x, const double *ref, int count);
/* Changes d, w [nv] at x as changes of the view, and the inverse.  Free rotations are omitted. */
void hk_symmetry_forward(const hk_symmetry *y, const double *d, const double *w, double *d_view,
                         double *w_view);
void hk_symmetry_back(const hk_symmetry *y, const double *d_view, const double *w_view, double *d,
                      double *w);
/* The orientations of rigid bodies that have no influence on the accelerations of the state x.  moved [nv]: displacement over a
 * period; others are not tried. */
hk_status hk_symmetry_find_free(hk_symmetry *y, hk_sim *s, const double *x, const double *moved);
/* The symmetry that the types declare, for a period T with the mean velocities mean[nv]; *parts > 0: it is used, and the period
 * has so many equal parts.  x: the state at the start. */
void hk_symmetry_guess(hk_symmetry *y, hk_sim *s, const double *x, const double *mean, double T);
/* Whether the state `later`, one part after x, is subject to the same accelerations; chooses the direction of the numbering
 * first.  Otherwise the symmetry is forgotten. */
hk_status hk_symmetry_check(hk_symmetry *y, hk_sim *s, const double *x, const double *later);
#endif
