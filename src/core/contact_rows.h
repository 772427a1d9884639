/* Contacts of set-valued laws in node coordinates: for each point the gap and the directions in
 * which it takes impulses, for every stepper that solves for them.
 *
 *   velocity in direction k   W[k] . (v of node A, v of node B) + drift[k]
 *   generalised impulse       W[k] P_k on both nodes
 *
 * k: HK_DIR_N (the gap's rate), HK_DIR_T, HK_DIR_S (sliding of B over A).  The drift is what guided
 * bodies add, whose turning is a function of time.
 */
#ifndef HK_CORE_CONTACT_ROWS_H
#define HK_CORE_CONTACT_ROWS_H
#include "core/work.h"

enum { HK_DIR_N, HK_DIR_T, HK_DIR_S, HK_N_DIR };

typedef struct hk_contact_row {
  int contact, point; /* into hk_model.contact; among all contact points of the model */
  int tangents;       /* directions of sliding: 0, 1, 2 */
  int va, vb;         /* first velocity of each node */
  int na, nb;         /* number of its velocities; 0: the ground */
  bool two_sided; /* no play: the gap is held, its impulse has either sign and mu acts on its size;
                   * point + 1 takes what is negative.  See hk_gap_ops.tight. */
  bool in_turn;   /* takes impulses only while it approaches: HK_SET_IN_TURN */
  bool wanted;    /* to be set by the caller: W whatever the gap */
  double mu, eN, eT;
  double count_above; /* approach velocity from which on an impact counts */
  double gap;
  double W[HK_N_DIR][2 * HK_NODE_MAX]; /* of node A, then of node B; what a node lacks is zero */
  double drift[HK_N_DIR];
} hk_contact_row;

/* Number of points of all set-valued contacts, two-sided ones counted once: the length of the
 * arrays below. */
int hk_contact_rows_count(const hk_model *m);
/* All but gap, W and drift, once; W and drift are zeroed. */
void hk_contact_rows_bind(const hk_model *m, hk_contact_row *row);
/* Gaps at the frames in work; W and drift of the points whose gap is at most `near` (INFINITY:
 * all), and of two-sided and wanted ones. Returns how many those are. */
int hk_contact_rows_at(const hk_work *w, double near, hk_contact_row *row);

/* Gaps, directions and drifts become what must not be used. */
void hk_contact_rows_poison(hk_contact_row *row, int n);

/* W[k] . y, y over the velocities of all nodes: two rigid bodies without a loop. */
static inline double hk_contact_row_along(const hk_contact_row *r, int k, const double *y) {
  const double *W = r->W[k], *V = W + HK_NODE_MAX, *a = y + r->va, *b = y + r->vb;
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
  const double *W = r->W[k], *V = W + HK_NODE_MAX;
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
