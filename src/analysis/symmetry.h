/* Symmetries of a model in periodic motion.
 *
 * After a part of a revolution, a joint with n equal balls, or a gear pair after one tooth, is in the
 * same state as at the start, apart from three differences: bodies have rotated about their axes; each
 * of several equal bodies (balls) has the position of another one; the orientation of round bodies
 * differs. A view is the state without these differences:
 *
 *   node i of the view = node `source` of the state, rotated back about its own axis by `count`
 *   times its angle
 *   ring:    the rotation about one body axis has no effect; it is removed
 *   sphere:  the orientation has no effect; it is that of the reference, with velocities in world axes
 *
 * A view contains only positions, velocities and their changes. The simulation continues from the state itself, with
 * its contacts and internal variables, so that nothing else has to be renumbered. Types declare by hk_stage.fold the
 * angle by which frames can be rotated. Whether the whole model has the symmetry is tested with its accelerations, see
 * hk_symmetry_find. */
#ifndef HK_SYMMETRY_H
#define HK_SYMMETRY_H
#include "sim/sim.h"

enum { HK_NO_AXIS = -1, HK_ANY_AXIS = 3 };

/* The change of one node during the period. */
typedef struct hk_alike {
  int next; /* node whose initial position this node has at the end of the period; the node itself if it is not one of several equal nodes */
  double angle; /* rotation of the node about its own axis within the period */
  int axis;     /* 0, 1, 2 of the body; rotors: 0 */
  /* rotations that have no effect: about this axis (ring), HK_ANY_AXIS (sphere), HK_NO_AXIS:
   * none */
  int free;
} hk_alike;

/* A node of the view is computed from this node of the state. */
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
  char name[128];  /* an item that declares this symmetry */
  /* relative difference of the accelerations, set if the model as a whole does not have the declared symmetry */
  double unequal;
} hk_symmetry;

hk_status hk_symmetry_create(hk_symmetry *y, const hk_model *m, hk_error *err);
void hk_symmetry_free(hk_symmetry *y);
/* Uses no symmetry; the view then contains all orientations. */
void hk_symmetry_forget(hk_symmetry *y);
/* Fills y->view, q and v from the state x at the end of `count` periods after the state `ref`. */
void hk_symmetry_view(hk_symmetry *y, const double *x, const double *ref, int count);
/* Converts changes d, w [nv] of the state x to changes of the view, and back. Rotations without
 * effect are omitted. */
void hk_symmetry_forward(const hk_symmetry *y, const double *d, const double *w, double *d_view,
                         double *w_view);
void hk_symmetry_back(const hk_symmetry *y, const double *d_view, const double *w_view, double *d,
                      double *w);
/* Finds the orientations of rigid bodies that have no influence on the accelerations of the
 * state x. moved [nv]: displacement over a period; only bodies that have moved are tested. */
hk_status hk_symmetry_find_free(hk_symmetry *y, hk_sim *s, const double *x, const double *moved);
/* Finds the symmetry that the types declare, for a period T with the mean velocities mean[nv].
 * *parts: number of equal parts of the period; 0: no symmetry. x: the state at the start. */
void hk_symmetry_guess(hk_symmetry *y, hk_sim *s, const double *x, const double *mean, double T);
/* Chooses the direction of the numbering. Then tests whether the state `later`, one part after x, has the same
 * accelerations; if not, removes the symmetry. */
hk_status hk_symmetry_check(hk_symmetry *y, hk_sim *s, const double *x, const double *later);
#endif
