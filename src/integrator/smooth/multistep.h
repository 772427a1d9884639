/* Common part of the multistep methods: sums over the past, positions and velocities of a step, error estimate by
 * extrapolation, energy balance, and the choice of order and size of the next step.
 *
 * Every formula has the form q1' = (q1 - q_b)/hg, v1' = (v1 - v_b)/hg. Here hg is the step size times a coefficient of
 * the formula, and q_b and v_b are sums over past steps. For a position x and a quaternion q with the angular velocity
 * w this is
 *
 *   x1' = (x1 - x_b)/hg,   w1 = -(2/hg) Im(q1* q_b)
 *
 * Velocities are the unknowns, and positions follow from them.  Otherwise velocities would have the round-off of
 * positions divided by the step size, which in the short steps of a hard contact is larger than the allowed error.
 *
 * The angular velocity is the derivative of the polynomial through the quaternions, 2 Im(q* q'), so
 * that neither logarithms nor commutators are needed; the real part, the change of the quaternion's
 * length, is dropped. */
#ifndef HK_INTEGRATOR_SMOOTH_MULTISTEP_H
#define HK_INTEGRATOR_SMOOTH_MULTISTEP_H
#include "integrator/smooth/history.h"
#include "integrator/implicit.h"

/* Past times (nodes) whose values are summed, newest first. */
typedef struct hk_nodes {
  int n;
  double t[HK_HISTORY_MOST];
  const double *q[HK_HISTORY_MOST], *v[HK_HISTORY_MOST], *lambda[HK_HISTORY_MOST];
  const double *power[HK_HISTORY_MOST]; /* [3]; NULL: the node was not the end of a step */
} hk_nodes;
void hk_nodes_put_places(hk_nodes *z, int j, const hk_past *p);
void hk_nodes_put_rates(hk_nodes *z, int j, const hk_past *p);
/* out = sum of w_j part_j over the first n parts */
void hk_nodes_sum(const double *w, const double *const *part, int n, int size, double *out);

/* All sums that a step needs. The sums are computed in one pass over the history, because the history of a large model
 * does not fit into the cache. */
enum { HK_SUM_FORMULA, HK_SUM_OWN, HK_SUM_BELOW, HK_SUM_ABOVE, HK_N_SUMS };
typedef struct hk_sums {
  int n; /* nodes */
  double w[HK_HISTORY_MOST][HK_N_SUMS];
} hk_sums;

/* Scratch memory of a multistep formula, and its values within a step. */
typedef struct hk_multistep {
  double *q_b, *v_b; /* sums over the past */
  double *q_e, *v_e; /* extrapolated values of the order of the step */
  /* errors of the neighbouring orders, if the history is long enough */
  double *q_below, *v_below, *q_above, *v_above;
  double *q_0, *v_0; /* scratch memory for a node that is not in the history */
  double hg;         /* [s] see above: q1 = q_b + hg q1' */
  /* [s] time by which a velocity error is multiplied to compare it with the tolerance of positions: see
   * hk_multistep_judge */
  double pace;
  double span;  /* [s] from the oldest node of the formula to the end of the step */
  double noise; /* round-off of velocities, relative */
  /* Contacts limit the step. Then orders are compared by their velocity errors, because in the short steps of hard
   * contacts the difference of positions is only round-off. */
  bool by_velocity;
  double scale; /* exponent p: the error of a step is proportional to its length to the power p */
  /* After an accepted step: growth of the next step that the error of the formula allows, and the ratio of the errors
   * with and without contacts. NaN: the error is dominated by noise. */
  double stretch, weight;
  /* [J] noise of the energy integrals at the end of the step: see hk_history.blurred */
  double blurred;
  double energy; /* [J] tolerance of the energy integrals of this step; infinite: not tested */
  double block[];
} hk_multistep;
hk_status hk_multistep_create(hk_sim *s, hk_error *err);
void hk_multistep_destroy(hk_sim *s);
void hk_multistep_poison(hk_sim *s);
/* Members of hk_integrator that are equal for all multistep methods. */
#define HK_MULTISTEP_CAN (HK_ADAPTIVE | HK_ADAPTIVE_ONLY | HK_OWN_LEDGER | HK_KEEPS_PAST)
#define HK_MULTISTEP_COMMON                                                      \
  .rtol = 1e-10, .create = hk_multistep_create, .destroy = hk_multistep_destroy, \
  .poison = hk_multistep_poison

/* q_b, v_b and the extrapolations: q_0, v_0 (NULL: zero) plus the sums over the past with weights `k`. */
void hk_multistep_sum(const hk_model *m, hk_multistep *b, const hk_nodes *z, const hk_sums *k,
                      const double *q_0, const double *v_0);
/* Stores x0 in the history of x1.  q_rate: rates of its positions if known, otherwise NULL. */
void hk_multistep_push(const hk_sim *s, const double *x0, const double *q_rate, double *x1);
/* x1 = x0 with the time at the end of a step of length h; sets b->pace, the reference step. */
void hk_multistep_begin(const hk_sim *s, const double *x0, double h, const hk_attempt *info,
                        double *x1);
/* The highest useful order: elements with internal variables limit it to second order. */
int hk_multistep_most(const hk_model *m, int wanted);
/* The order of a step that was rejected before: halved after every third rejection, because the solution may have a
 * jump. Near a singular position the order is not halved, and rejected attempts are not counted, because noise causes
 * the rejection and a shorter step is sufficient. The order does not fall below `least`, unless it was already
 * lower. */
int hk_multistep_order(const hk_history *past, int least, const hk_attempt *info);
/* Computes q and v' of x1 from its velocities; s->d = hg v, the rotation for the columns of the inertia. */
void hk_multistep_place(const hk_sim *s, const hk_multistep *b, double *x1);
/* The equations of the step from x0 to x1: see implicit.h. */
hk_implicit hk_multistep_equations(const hk_sim *s, const hk_multistep *b, const double *x0,
                                   double h);
/* ---- near singular positions: src/integrator/smooth/multistep_noise.c ---- */

/* Returns true if the step must be attempted again with a shifted end. At a position where the constraints lose rank,
 * Newton's iteration converges slowly to a double root. Velocities and accelerations are undetermined there, so that
 * their noise would enter the history. Up to two slightly earlier ends are attempted, which are usually outside of the
 * noise. Otherwise the best of the three is accepted, because shorter steps would only end closer to the singular
 * position. An end with no more noise than the history already has is accepted at once. Noise of different stages is
 * not compared: an end with converged positions is better than one without. */
enum {
  HK_BESIDE_POSITIONS,
  HK_BESIDE_VELOCITIES,
  HK_BESIDE_ACCELERATIONS
}; /* result of the last attempt */
bool hk_multistep_beside(const hk_history *past, double h, int stage, hk_attempt *info);
/* Returns true if the end of a step must be discarded because Newton's iteration did not converge. Then a shifted end
 * is attempted if the noise may be smaller there; otherwise the best of the earlier attempts is used. */
bool hk_multistep_back(const hk_sim *s, double h, hk_attempt *info);
/* Returns true if the accepted step end is dominated by noise. */
bool hk_multistep_noisy(const hk_attempt *info);
/* Factor by which the estimated error of a step may exceed the tolerance: extrapolations contain the noise of the
 * history, and shorter steps would contain more of it. */
double hk_multistep_patience(const hk_history *past);
/* Records the noise of the end of a step of order k and length h in its history.  True: there is noise, and the
 * error does not determine order and size of the next step: the order is kept, and the size is that of the previous
 * steps.  Persistent noise does not change steps and is not recorded. */
bool hk_multistep_remember_noise(const hk_sim *s, hk_history *past, int k, double h,
                                 hk_attempt *info);
/* HK_RETRY if velocities have changed by more than any force can cause, in a step that is much shorter than the
 * previous ones. The displacement of a velocity error is negligible in such a step, so that the error test alone would
 * accept it. */
hk_status hk_multistep_guard(hk_sim *s, const double *x0, double h, const double *x1,
                             hk_attempt *info);

/* ---- error and control ---- */

/* Allowed growth of a step with order m and error E. */
double hk_multistep_stretch(double E, int m);
/* Difference, relative to the tolerance, of x1 from the extrapolation of the order below or above that of the step. */
double hk_multistep_off(hk_sim *s, bool above, const double *x1);
/* Difference of x1 from the extrapolated q and v, relative to the tolerance. */
double hk_multistep_distance(hk_sim *s, double h, const double *x1, const double *q,
                             const double *v);
/* Test of velocity errors. The error test measures a velocity error by the displacement that it causes within the step.
 * After a jump of a load the steps are short, and by this measure a large velocity error would pass, although it
 * persists. So a step that is much shorter than the previous ones is tested again after the projection, over a step of
 * the previous length (b->pace). With contacts, the error of an impact then follows the tolerance. Extremely short
 * steps are not rejected by this test, because velocities may have true jumps.
 *
 * On entry info->error is that of the formula; on return it includes that of the contacts due to the velocity error.
 * Returns the error of the formula, measured over the step of the previous length. */
double hk_multistep_judge(hk_sim *s, const double *x0, double h, double patience, double *x1,
                          hk_attempt *info);
/* Size of the next attempt after a step of order k with error E. */
double hk_multistep_shorter(double h, double E, int k);

/* Data with which the error at x1 is estimated for orders m other than the order k of the step. */
typedef struct hk_multistep_orders {
  int order, least, most; /* order of the step; smallest and largest order to choose from */
  int known;              /* number of past nodes */
  int extra;              /* number of additional nodes: order m needs m + extra past nodes */
  /* error of the formula in this step, if E also contains other errors; 0: E is the error of the formula */
  double own;
  double (*error)(hk_sim *s, const hk_nodes *z, int k, int m, double h, const double *x1);
} hk_multistep_orders;
/* Order and length of the next step, after one with error E. */
void hk_multistep_next(hk_sim *s, const hk_multistep_orders *o, const hk_nodes *z, double h,
                       double E, double *x1, hk_attempt *info);

/* ---- energy integrals: src/integrator/smooth/multistep_ledger.c ---- */

/* Computes the powers of the energy integrals at x1 and stores them in x1; the forces of x1 are in `work`. Returns the
 * error [J] of the energy integrals of the step from x0, if they are integrated by a rule of degree n; 0:
 * negligible. */
double hk_multistep_ledger_look(hk_sim *s, const hk_nodes *z, int n, const double *x0, double *x1);
/* Adds the error of the energy integrals to the error of the step (info->error) and to the
 * error of its formula (own), unless the error of the energy integrals is noise. */
void hk_multistep_ledger_judge(hk_sim *s, double error, double h, double *own, hk_attempt *info);
/* The error of a rule of degree n for the energy integrals of this step; 0: the history is too short. */
double hk_multistep_ledger_error(const hk_sim *s, const hk_nodes *z, int n, const double *x1);
/* The energy balance with the order of the error test: integral of the polynomial through the powers of x1 and the
 * first n past ones. */
void hk_multistep_ledger(hk_sim *s, const hk_nodes *z, int n, const double *x0, double *x1);
/* Same as hk_multistep_ledger up to the time t within the last step, which used n past powers; the result is in x. */
void hk_multistep_ledger_between(const hk_sim *s, int n, double t, double *x);

/* ---- the two families of formulas: bdf.c and adams.c ---- */

typedef enum hk_family { HK_FAMILY_BDF, HK_FAMILY_ADAMS } hk_family;
enum { HK_BDF_MOST_ORDER = 5, HK_ADAMS_MOST_ORDER = 10 };

/* Same as hk_integrator.attempt and dense; orders up to max_order. */
hk_status hk_bdf_attempt(hk_sim *s, const double *x0, double h, int max_order, double *x1,
                         hk_attempt *info);
void hk_bdf_dense(const hk_sim *s, double t, double *x);
hk_status hk_adams_attempt(hk_sim *s, const double *x0, double h, int max_order, double *x1,
                           hk_attempt *info);
void hk_adams_dense(const hk_sim *s, double t, double *x);

/* The lowest useful order of backward differentiation if `most` is the highest. */
int hk_bdf_least_order(const hk_model *m, int most);
/* The error that order m would have had in the accepted step from x0 to x1, from the history of x0; infinite: the
 * history is too short. Overwrites the extrapolated values of the step. */
double hk_bdf_error_of(hk_sim *s, const double *x0, double h, int m, const double *x1);
double hk_adams_error_of(hk_sim *s, const double *x0, int m, const double *x1);

/* Same as hk_integrator.supports and score. */
hk_status hk_adams_supports(const hk_model *m, hk_error *why);
int hk_adams_score(const hk_model *m, const char **why);
int hk_bdf_score(const hk_model *m, const char **why);
#endif
