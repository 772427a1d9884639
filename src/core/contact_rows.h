/* Set-valued contacts in node coordinates: for each point the gap and the directions of its
 * impulses, used by every integrator that solves for these impulses.
 *
 *   velocity in direction k   W[k] . (v of node A, v of node B) + drift[k]
 *   generalized impulse       W[k] P_k on both nodes
 *
 * k: HK_DIR_N (rate of the gap), HK_DIR_T, HK_DIR_S (sliding of B relative to A). The drift is
 * the contribution of bodies whose rotation is a prescribed function of time. */
#ifndef HK_CORE_CONTACT_ROWS_H
#define HK_CORE_CONTACT_ROWS_H
#include "core/work.h"

enum { HK_DIR_N, HK_DIR_T, HK_DIR_S, HK_N_DIR };

typedef struct hk_contact_row {
  /* index of the contact in hk_model.contact, and index of the point among all contact points of
   * the model */
  int contact, point;
  int tangents;   /* number of sliding directions: 0, 1, 2 */
  int va, vb;     /* first velocity of each node */
  int na, nb;     /* number of velocities of each node; 0: the ground */
  bool two_sided; /* no clearance: the gap is a bilateral constraint, its impulse has either
                   * sign, and the friction limit is mu times its magnitude; point + 1 stores the
                   * negative part. See hk_gap_ops.tight. */
  bool in_turn;   /* has an impulse only while the gap closes: see HK_SET_IN_TURN */
  bool wanted;    /* set by the caller: compute W even if the gap is large */
  double mu, eN, eT;
  double count_above; /* an impact counts if its approach velocity exceeds this value */
  double gap;
  double W[HK_N_DIR][2 * HK_NODE_FEW]; /* components of node A, then of node B; zero beyond the
                                        * number of velocities of a node */
  double drift[HK_N_DIR];
} hk_contact_row;

/* Number of points of all set-valued contacts: the length of the arrays below. A bilateral pair of
 * points counts as one. */
int hk_contact_rows_count(const hk_model *m);
/* Sets all members except gap, W and drift once; W and drift are set to zero. */
void hk_contact_rows_bind(const hk_model *m, hk_contact_row *row);
/* Computes the gaps at the frames in `work`, and W and drift of the points with a gap of at most
 * `near` (INFINITY: all points) and of two_sided and wanted points. Returns the number of points
 * with W and drift. */
int hk_contact_rows_at(const hk_work *w, double near, hk_contact_row *row);

/* Fills gaps, directions and drifts with NaN, so that stale values are found. */
void hk_contact_rows_poison(hk_contact_row *row, int n);

/* W[k] . y, with y the velocities of all nodes; unrolled for two rigid bodies. */
static inline double hk_contact_row_along(const hk_contact_row *r, int k, const double *y) {
  const double *W = r->W[k], *V = W + HK_NODE_FEW, *a = y + r->va, *b = y + r->vb;
  double sum = 0;
  if (r->na == 6 && r->nb == 6)
    return ((W[0] * a[0] + W[1] * a[1]) + (W[2] * a[2] + W[3] * a[3])) +
           ((W[4] * a[4] + W[5] * a[5]) + (V[0] * b[0] + V[1] * b[1])) +
           ((V[2] * b[2] + V[3] * b[3]) + (V[4] * b[4] + V[5] * b[5]));
  for (int i = 0; i < r->na; i++) sum += W[i] * a[i];
  for (int i = 0; i < r->nb; i++) sum += V[i] * b[i];
  return sum;
}
static inline double hk_contact_row_rate(const hk_contact_row *r, int k, const double *v) {
  return r->drift[k] + hk_contact_row_along(r, k, v);
}
/* f += W[k] P */
static inline void hk_contact_row_add(const hk_contact_row *r, int k, double P, double *f) {
  const double *W = r->W[k], *V = W + HK_NODE_FEW;
  double *a = f + r->va, *b = f + r->vb;
  if (r->na == 6 && r->nb == 6) {
    for (int i = 0; i < 6; i++) a[i] += W[i] * P;
    for (int i = 0; i < 6; i++) b[i] += V[i] * P;
    return;
  }
  for (int i = 0; i < r->na; i++) a[i] += W[i] * P;
  for (int i = 0; i < r->nb; i++) b[i] += V[i] * P;
}
#endif
