/* What multistep formulas share: sums over the past, a step's velocities from its positions, the error
 * against an extrapolation, the ledger, and the choice of order and length of the next step.
 *
 * Every formula ends as q1' = (q1 - q_b)/hg, v1' = (v1 - v_b)/hg with sums q_b, v_b over the past:
 *
 *   x1' = (x1 - x_b)/hg,   w1 = -(2/hg) Im(q1* q_b)
 *
 * Velocities are the unknowns, and positions follow from them: the other way round velocities would have the round-off
 * of positions over the length of the step, which in the steps through a hard contact is more than its whole error.
 *
 * The angular velocity is the derivative of the polynomial through the quaternions, 2 Im(q* q'), so
 * that neither logarithms nor commutators are needed; the real part, the change of the quaternion's
 * length, is dropped.
 */
#ifndef HK_MULTISTEP_H
#define HK_MULTISTEP_H
#include "integrator/smooth/history.h"
#include "integrator/implicit.h"

/* Past nodes to sum over, newest first. */
typedef struct hk_nodes {
  int n;
  double t[HK_HISTORY_MOST];
  const double *q[HK_HISTORY_MOST], *v[HK_HISTORY_MOST], *lambda[HK_HISTORY_MOST];
  const double *power[HK_HISTORY_MOST]; /* [3]; NULL: of a node that was no step's end */
} hk_nodes;
void hk_nodes_put_places(hk_nodes *z, int j, const hk_past *p);
void hk_nodes_put_rates(hk_nodes *z, int j, const hk_past *p);
/* out = sum_j w_j part_j over the first n */
void hk_nodes_sum(const double *w, const double *const *part, int n, int size, double *out);

/* The sums that a step needs, all in one pass over the past, which large models have to fetch from afar: */
enum { HK_SUM_FORMULA, HK_SUM_OWN, HK_SUM_BELOW, HK_SUM_ABOVE, HK_N_SUMS };
typedef struct hk_sums {
  int n; /* nodes */
  double w[HK_HISTORY_MOST][HK_N_SUMS];
} hk_sums;

/* Scratch of a multistep formula, and its numbers within a step. */
typedef struct hk_multistep {
  double *q_b, *v_b; /* sums over the past */
  double *q_e, *v_e; /* extrapolated, of the order of the step */
  double *q_below, *v_below, *q_above,
      *v_above;      /* of the neighbouring ones, as far as the past goes */
  double *q_0, *v_0; /* a node that the history does not hold */
  double hg;
  double pace;  /* time over which an error of velocities counts: see hk_multistep_judge */
  double scale; /* of the error of the step's order */
  /* After an accepted step: by what the next one may be longer, as far as the formula's error tells, and that error with contacts
   * over without.  Not a number: noise hides it. */
  double stretch, weight;
  double blurred; /* [J] hk_history.blurred of the end of the step */
  double
      energy; /* [J] tolerance of the energy integrals of this step; infinite: they are not judged */
  double block[];
} hk_multistep;
hk_status hk_multistep_create(hk_sim *s, hk_error *err);
void hk_multistep_destroy(hk_sim *s);
void hk_multistep_poison(hk_sim *s);
/* What the types have in common. */
#define HK_MULTISTEP_CAN (HK_ADAPTIVE | HK_ADAPTIVE_ONLY | HK_OWN_LEDGER | HK_KEEPS_PAST)
#define HK_MULTISTEP_COMMON                                                      \
  .rtol = 1e-10, .create = hk_multistep_create, .destroy = hk_multistep_destroy, \
  .poison = hk_multistep_poison

/* q_b, v_b and the extrapolations: q_0, v_0 (NULL: nothing) and the sums over the past by `k`. */
void hk_multistep_sum(const hk_model *m, hk_multistep *b, const hk_nodes *z, const hk_sums *k,
                      const double *q_0, const double *v_0);
/* x0 into the past of x1.  q_rate: of its positions, if it is known; else NULL. */
void hk_multistep_push(const hk_sim *s, const double *x0, const double *q_rate, double *x1);
/* x1 = x0 at the end of a step of length h; b->pace. */
void hk_multistep_begin(const hk_sim *s, const double *x0, double h, double *x1);
/* The highest order that is of use: elements that remember keep to a rule of second order. */
int hk_multistep_most(const hk_model *m, int wanted);
/* The order of a step that was refused before: halved each third time, because something has jumped; but not after
 * a step beside a singular position, where it is the noise of its end that is refused: a shorter step is enough.
 * Tries for the sake of such noise do not count.  It does not fall below `least`, unless it has not yet got there. */
int hk_multistep_order(const hk_history *past, int least, const hk_attempt *info);
/* q and v' of x1 from its velocities; s->d = hg v, the turning of the inertia's columns. */
void hk_multistep_place(const hk_sim *s, const hk_multistep *b, double *x1);
/* The equations of the step from x0 to x1: see implicit.h. */
hk_implicit hk_multistep_equations(const hk_sim *s, const hk_multistep *b, const double *x0,
                                   double h);
/* ---- beside singular positions: src/integrator/smooth/multistep_noise.c ---- */

/* Whether the step is to be tried once more, to an end beside this one: where the constraints lose a direction
 * Newton's iteration creeps to a root of multiplicity two, velocities and accelerations are not found at all, and what
 * is left of these there spoils the history.  Twice an end that is a little earlier is tried, because most often that is out of it;
 * else the best of the three is taken, because shorter steps would only lead farther in.  An end that is no worse than what
 * the past holds already is taken at once.  Noise of one stage is not to be compared with that of another: an end whose
 * positions were found is better than one where they were not. */
enum {
  HK_BESIDE_POSITIONS,
  HK_BESIDE_VELOCITIES,
  HK_BESIDE_ACCELERATIONS
}; /* what was found last */
bool hk_multistep_beside(const hk_history *past, double h, int stage, hk_attempt *info);
/* Whether the end is left, to which Newton's iteration has found no way: for one beside it, if noise was in the way that does
 * not last, or for the best of the tries before. */
bool hk_multistep_back(const hk_sim *s, double h, hk_attempt *info);
/* Whether the end that is taken is spoilt so. */
bool hk_multistep_noisy(const hk_attempt *info);
/* How many times larger than elsewhere the error may be that a step is found to have: extrapolations see the noise of the
 * past, and shorter steps would see more of it. */
double hk_multistep_patience(const hk_history *past);
/* The noise of the end of a step of order k and length h into its past.  True: it holds some, and by the error neither
 * order nor length of the next step can be told: the order stays, and the length is that of the steps before.  Where noise
 * lasts no step is taken for its sake, and it is not remembered. */
bool hk_multistep_remember_noise(const hk_sim *s, hk_history *past, int k, double h,
                                 hk_attempt *info);
/* HK_RETRY if velocities have changed in a step that is far shorter than those before it as no force can change them.  Errors
 * of velocity count by their way, which in such a step is nothing: this is what must not be taken for a motion. */
hk_status hk_multistep_guard(hk_sim *s, const double *x0, double h, const double *x1,
                             hk_attempt *info);

/* ---- error and control ---- */

/* By what a step may be longer with order m, whose error is E. */
double hk_multistep_stretch(double E, int m);
/* By how much x1 is off the extrapolation below or above the order of the step, over tolerance. */
double hk_multistep_off(hk_sim *s, bool above, const double *x1);
/* By how much x1 is off the extrapolated q and v, over tolerance. */
double hk_multistep_distance(hk_sim *s, double h, const double *x1, const double *q,
                             const double *v);
/* An error of velocities counts as the way that it makes within the step.  Where a load jumps the steps are
 * cut short, and by that measure they would let a large error of velocity pass, which stays for ever after.
 * So a step that is much shorter than those before it is judged once more, with its velocities on the
 * constraints, over a step as long as those (b->pace).  Beside contacts this is what makes the error of an impact follow
 * the tolerance.  Steps far shorter still are not cut for it, because velocities may jump too.
 *
 * info->error of the formula becomes that of the step, with its contacts, by their error of the formula's velocities.
 * Returns the formula's own by this measure. */
double hk_multistep_judge(hk_sim *s, const double *x0, double h, double patience, double *x1,
                          hk_attempt *info);
/* Instead of a step of order k whose error is E. */
double hk_multistep_shorter(double h, double E, int k);

/* The error at x1 of order m beside k, which the step has. */
typedef struct hk_multistep_orders {
  int order, least, most; /* of the step; the lowest and highest to choose */
  int known;              /* past nodes that there are */
  int extra;              /* order m needs m + extra of them */
  double own; /* error of the step by that function, where others count in E too; 0: it is E */
  double (*error)(hk_sim *s, const hk_nodes *z, int k, int m, double h, const double *x1);
} hk_multistep_orders;
/* Order and length of the next step, after one with error E. */
void hk_multistep_next(hk_sim *s, const hk_multistep_orders *o, const hk_nodes *z, double h,
                       double E, double *x1, hk_attempt *info);

/* ---- energy integrals: src/integrator/smooth/multistep_ledger.c ---- */

/* Powers of x1, whose forces are in work, into x1.  Returns the error [J] of their integrals over the step from x0 by a rule of
 * degree n; 0: too little to count. */
double hk_multistep_ledger_look(hk_sim *s, const hk_nodes *z, int n, const double *x0, double *x1);
/* This error becomes part of that of the step (info->error) and of its formula (own), unless it is noise. */
void hk_multistep_ledger_judge(hk_sim *s, double error, double h, double *own, hk_attempt *info);
/* The error that a rule of degree n makes in this step; 0 where the past does not reach back far enough to know. */
double hk_multistep_ledger_error(const hk_sim *s, const hk_nodes *z, int n, const double *x1);
/* The ledger at the order of the step that was judged: the polynomial through x1's and the first n past powers, integrated. */
void hk_multistep_ledger(hk_sim *s, const hk_nodes *z, int n, const double *x0, double *x1);
/* The same up to t within the last step, which n past powers made, into x. */
void hk_multistep_ledger_between(const hk_sim *s, int n, double t, double *x);

/* ---- the two families of formulas: bdf.c and adams.c ---- */

typedef enum hk_family { HK_FAMILY_BDF, HK_FAMILY_ADAMS } hk_family;
enum { HK_BDF_MOST_ORDER = 5, HK_ADAMS_MOST_ORDER = 10 };

/* As hk_integrator.attempt and dense; orders up to max_order. */
hk_status hk_bdf_attempt(hk_sim *s, const double *x0, double h, int max_order, double *x1,
                         hk_attempt *info);
void hk_bdf_dense(const hk_sim *s, double t, double *x);
hk_status hk_adams_attempt(hk_sim *s, const double *x0, double h, int max_order, double *x1,
                           hk_attempt *info);
void hk_adams_dense(const hk_sim *s, double t, double *x);

/* The lowest order of backward differentiation that is of use, if `most` is the highest. */
int hk_bdf_least_order(const hk_model *m, int most);
/* The error that order m would have had in the step from x0 to x1, which has been accepted, by what the past of x0 holds;
 * infinite: that does not reach back so far.  Overwrites what is extrapolated. */
double hk_bdf_error_of(hk_sim *s, const double *x0, double h, int m, const double *x1);
double hk_adams_error_of(hk_sim *s, const double *x0, int m, const double *x1);

/* As hk_integrator.supports and score. */
hk_status hk_adams_supports(const hk_model *m, hk_error *why);
int hk_adams_score(const hk_model *m, const char **why);
int hk_bdf_score(const hk_model *m, const char **why);
#endif
