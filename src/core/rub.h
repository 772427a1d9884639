/* Friction along the coordinates of a joint between two rigid bodies, under its load: the short way past frames.
 *
 * The gradient u of the coordinate in the coordinates of both bodies is all that is needed: its rate is u.v, the force
 * F u, and what short steps leave of the tangent is made of u again.  It is found once per evaluation and stays for the
 * tangent.
 */
#ifndef HK_CORE_RUB_H
#define HK_CORE_RUB_H
#include "core/work.h"

struct hk_rub {
  bool on;                  /* the force is one of hk_link.rubbing */
  double u[2][HK_NODE_MAX]; /* computed by hk_rub_force, as are the next ones */
  double load, F_c, F_rate, F_load;
};

/* Which forces are, by the links; once. */
void hk_rub_find(hk_work *w);
/* f, potential, dissipated, applied += those of force i, which must be one of them. */
void hk_rub_force(hk_work *w, int i, const hk_instant *at);
/* What that computes, filled with numbers that are none. */
void hk_rub_poison(const hk_model *m, hk_rub *rub);
#endif
