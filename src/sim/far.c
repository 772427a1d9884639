/* Bodies far from the origin: see far.h. */
#include "sim/far.h"
#include "node/dispatch.h"
#include "sim/quality.h"
#include <float.h>

/* Returns the error per step that the limited number of digits of positions causes; 0: this error is below the
 * tolerance. */
static double floor_of(const hk_sim *s, double farthest) {
  if (s->option.step > 0) return 0.5 * DBL_EPSILON * farthest;
  double asked = s->option.atol + s->option.rtol * s->model->length;
  return s->told > asked ? s->told : 0;
}

/* Returns the largest displacement of a body from its start position, after subtraction of the displacement of the
 * first body. So a motion that is common to all bodies does not count. */
static double relative_motion(hk_sim *s) {
  const hk_model *m = s->model;
  const double *way = s->quality.way;
  const hk_node *first = NULL;
  double most = 0;
  hk_quality_way(s);
  for (int i = 0; i < m->n_nodes; i++) {
    const hk_node *n = &m->node[i];
    double turns, lengths = 0, ignored;
    if (n->type->number) continue;
    hk_node_squares(n, way + n->v, &ignored, &turns);
    bool alike = first && n->nv >= 3 && first->nv >= 3;
    for (int k = 0; k < n->nv && k < 3; k++) {
      if (n->coordinate[k].angular) continue;
      double d = way[n->v + k] - (alike ? way[first->v + k] : 0);
      lengths += d * d;
    }
    bool alone = m->n_nodes == 1 || first;
    most = fmax(most, fmax(alone ? lengths : 0, turns * n->arm * n->arm));
    if (!first) first = n;
  }
  return sqrt(most);
}

/* Records the largest contact force, and the change of contact forces caused by the round-off of a position. */
static void keep_forces(hk_sim *s, double farthest) {
  const hk_model *m = s->model;
  hk_quality_record *t = &s->quality;
  double stiffest = 0;
  for (int i = 0; m->compliant && i < m->n_points; i++) {
    const hk_contact_eval *p = &s->work->touch[i];
    if (!(p->N > 0) || (m->set_valued && m->contact[m->point_contact[i]].law->set_valued)) continue;
    if (p->N_depth > stiffest) stiffest = p->N_depth;
    if (p->N > t->most_force) t->most_force = p->N;
  }
  t->far_force = fmax(t->far_force, stiffest * DBL_EPSILON * farthest);
}

void hk_far_step(hk_sim *s) {
  hk_quality_record *t = &s->quality;
  if (!s->quality.start) return;
  double farthest = hk_farthest(s), off = floor_of(s, farthest);
  keep_forces(s, farthest);
  t->far_distance = fmax(t->far_distance, farthest);
  if (!(off > 0) || !(farthest > s->model->length)) return;
  t->worst[HK_QUALITY_DISTANCE].amount += off;
  t->far_motion = fmax(t->far_motion, relative_motion(s));
}
