/* Loops over the contacts with compliant laws: forces and tangents. The integrators handle the
 * set-valued laws.
 *
 * The displacements d = (xA, thetaA, xB, thetaB) are those of the two frames, in world axes.
 * With c the contact point, r = c - x and v the velocity of B relative to A at c,
 *   F = N n + T on B, the opposite force on A, both at c; moments r x F. */
#ifndef HK_CORE_CONTACT_H
#define HK_CORE_CONTACT_H
#include "core/work.h"

/* All quantities of one contact point at the frames in `work`: for output, and for the tests of
 * the fast loops. */
typedef struct hk_contact_point {
  hk_gap gap;
  double rate; /* rate of the gap */
  hk_normal normal;
  hk_vec3 velocity; /* velocity of B relative to A at the contact point */
  hk_vec3 slip;     /* the part of `velocity` along the tangents in which the gap permits sliding */
  hk_vec3 force;    /* on B */
  /* couple on B in addition to the moment of the force: drilling and rolling resistance */
  hk_vec3 couple;
  double sliding_power; /* power dissipated by sliding, drilling and rolling */
  double damping_power; /* power dissipated in the normal direction */
} hk_contact_point;

/* Returns the sliding velocity of B on A at a contact point; *at: position of the point. */
hk_vec3 hk_contact_slip(const hk_work *w, const hk_contact *c, int point, hk_vec3 *at);
/* Evaluates all points of a contact; with `derivatives`, also computes the derivatives of the gap
 * for the points in contact. */
void hk_contact_evaluate(const hk_work *w, const hk_contact *c, const hk_instant *in,
                         bool derivatives, hk_contact_point *out);
/* Adds the compliant contacts to f, potential, dissipated and applied; fills w->touch and
 * w->failure. */
void hk_contact_forces(hk_work *w, const hk_instant *in);
/* Adds cK K + cC C of the compliant contacts to s->matrix; fills w->failure. */
void hk_contact_assemble(hk_system *s, hk_work *w, const hk_coefficients *c, const hk_instant *in);
/* Fast versions of hk_contact_forces and hk_contact_assemble for a contact with hk_contact.ball;
 * `to`: slots of its pair of nodes. */
void hk_contact_ball_forces(hk_work *w, const hk_contact *c, const hk_instant *in, hk_law_in *law);
void hk_contact_ball_assemble(hk_work *w, const hk_contact *c, const hk_coefficients *k,
                              const hk_instant *in, const hk_slot *to);
/* Fills w->batch and w->single; called once. */
void hk_contact_batches(hk_work *w);
void hk_contact_batch_forces(hk_work *w, const hk_contact_batch *b);
/* to: slots of the node pairs of the batch's contacts. Each block is contiguous in the matrix. */
void hk_contact_batch_assemble(const hk_work *w, const hk_contact_batch *b,
                               const hk_coefficients *k, const hk_slot *const to[4]);
/* Fill the input of the laws. The first function fills the members that depend only on the instant, the second
 * function the members that depend on point i of a contact. The caller sets depth and rate afterwards. */
static inline hk_law_in hk_law_in_at(const hk_work *w, const hk_instant *in) {
  return (hk_law_in){.h = in->h, .scratch = w->scratch};
}
static inline void hk_law_in_point(const hk_contact *c, const hk_instant *in, int i,
                                   hk_law_in *out) {
  if (!c->owns) return;
  out->constants = c->constants;
  out->memory = in->memory + c->memory + i * c->law->memory;
}
/* Normal force of the law; if the law provides no derivatives, they are computed by finite
 * differences. */
void hk_law_differences(const hk_contact *c, const hk_law_in *in, hk_normal *out);
static inline void hk_contact_normal(const hk_contact *c, const hk_law_in *in, hk_normal *out) {
  c->law->normal(c->l, in, out);
  if (c->law_numerical) hk_law_differences(c, in, out);
}
/* Computes the gaps of all points, without derivatives, and their rates. */
void hk_contact_approach(const hk_work *w, const hk_contact *c, hk_gap *gap, double *rate);
/* Approach of a contact point. */
typedef struct hk_approach {
  double rate;     /* rate of the gap */
  double mobility; /* J M^-1 J^T with the diagonal of M; J v is the velocity of B relative to A
                    * along the normal */
  double along;    /* product of J with the vector `off` of hk_contact_ball_approach */
} hk_approach;
/* Computes the approach of all points of a contact with a ball (hk_contact.ball); off: [nv]. */
void hk_contact_ball_approach(const hk_work *w, const hk_contact *c, const double *off,
                              hk_approach *out);
/* Computes the approach of both points of each contact of a batch. */
typedef struct hk_approach_four {
  hk_v4 rate[2], mobility[2], along[2];
} hk_approach_four;
void hk_contact_batch_approach(const hk_work *w, const hk_contact_batch *b, const double *off,
                               hk_approach_four *out);
/* Updates sliding work, contact time and impact count of the compliant points from x0 to x1. The
 * forces at x1 must be in `work`. */
void hk_contact_ledger(const hk_work *w, const double *x0, double h, double *x1);
#endif
