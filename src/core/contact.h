/* The loops over contacts of compliant laws: forces and tangents.  Set-valued ones are the steppers'.
 *
 * Motions d = (xA, thetaA, xB, thetaB) are those of the two frames, in world axes.  With c the point of
 * contact, r = c - x and v the velocity of B over A at c,
 *   F = N n + T on B, its opposite on A, both at c; moments r x F.
 */
#ifndef HK_CORE_CONTACT_H
#define HK_CORE_CONTACT_H
#include "core/work.h"

/* One point at the frames in work, in full: for output, and for those who judge the fast loops. */
typedef struct hk_contact_point {
  hk_gap gap;
  double rate;         /* of the gap */
  hk_normal normal;
  hk_vec3 velocity;    /* of B over A at the point */
  hk_vec3 slip;        /* ... along the tangents in which the gap lets B slide */
  hk_vec3 force;       /* on B */
  hk_vec3 couple;      /* on B, besides the force's moment: spinning and rolling resistance */
  double sliding_power; /* lost in sliding, spinning, rolling */
  double damping_power; /* lost in the normal direction */
} hk_contact_point;

/* All points of a contact; `derivatives` of the gap for those that touch. */
void hk_contact_evaluate(const hk_work *w, const hk_contact *c, const hk_instant *in,
                         bool derivatives, hk_contact_point *out);
/* f, potential, dissipated, applied += those of compliant contacts; w->touch, w->failure. */
void hk_contact_forces(hk_work *w, const hk_instant *in);
/* s->matrix += cK K + cC C of compliant contacts; w->failure. */
void hk_contact_assemble(hk_system *s, hk_work *w, const hk_coefficients *c, const hk_instant *in);
/* The hot case of both: a contact with hk_contact.ball; `to`: the slots of its pair of nodes. */
void hk_contact_ball_forces(hk_work *w, const hk_contact *c, const hk_instant *in, hk_law_in *law);
void hk_contact_ball_assemble(hk_work *w, const hk_contact *c, const hk_coefficients *k,
                              const hk_instant *in, const hk_slot *to);
/* w->bunch and w->single, once. */
void hk_contact_bunches(hk_work *w);
void hk_contact_bunch_forces(hk_work *w, const hk_bunch *b);
/* to: the slots of the pairs of nodes of its contacts; one behind the other, as blocks stand in the matrix. */
void hk_contact_bunch_assemble(const hk_work *w, const hk_bunch *b, const hk_coefficients *k,
                               const hk_slot *const to[4]);
/* What laws are given: of the instant, then of point i of a contact.  Depth and rate come last. */
static inline hk_law_in hk_law_in_at(const hk_work *w, const hk_instant *in) {
  return (hk_law_in){.h = in->h, .scratch = w->scratch};
}
static inline void hk_law_in_point(const hk_contact *c, const hk_instant *in, int i,
                                   hk_law_in *out) {
  if (!c->owns) return;
  out->constants = c->constants;
  out->memory = in->memory + c->memory + i * c->law->memory;
}
/* The law's normal force, with slopes by differences where it gives none. */
void hk_law_differences(const hk_contact *c, const hk_law_in *in, hk_normal *out);
static inline void hk_contact_normal(const hk_contact *c, const hk_law_in *in, hk_normal *out) {
  c->law->normal(c->l, in, out);
  if (c->law_numerical) hk_law_differences(c, in, out);
}
/* All points, without derivatives, and the rates of their gaps. */
void hk_contact_approach(const hk_work *w, const hk_contact *c, hk_gap *gap, double *rate);
/* How a point of contact closes. */
typedef struct hk_approach {
  double rate;     /* of the gap */
  double mobility; /* J M^-1 J^T by the diagonal of M, J being the velocity of B over A along the normal */
  double along;    /* J off */
} hk_approach;
/* All points of a contact of a ball (hk_contact.ball); off: [nv]. */
void hk_contact_ball_approach(const hk_work *w, const hk_contact *c, const double *off,
                              hk_approach *out);
/* Both points of each contact of a bunch. */
typedef struct hk_approach_four {
  hk_v4 rate[2], mobility[2], along[2];
} hk_approach_four;
void hk_contact_bunch_approach(const hk_work *w, const hk_bunch *b, const double *off,
                               hk_approach_four *out);
/* Sliding work, time in contact and impacts of compliant points from x0 to x1, whose forces are in work. */
void hk_contact_ledger(const hk_work *w, const double *x0, double h, double *x1);
#endif
