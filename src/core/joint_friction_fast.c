/* Joint friction without frames: see joint_friction_fast.h. */
#include "core/joint_friction_fast.h"
#include "base/hot.h"
#include "core/force.h"
#include "core/map.h"
#include <string.h>

void hk_joint_friction_find(hk_work *w) {
  const hk_model *m = w->model;
  for (int i = 0; i < m->n_constraints; i++)
    for (int k = 0; k < w->plan[i].n_frictions; k++) {
      const hk_force *f = &m->force[w->plan[i].first_friction + k];
      w->joint_friction[f - m->force].on = f->ops->rate_only && !f->numerical && f->n_expr == 0;
    }
}

void hk_joint_friction_poison(const hk_model *m, hk_joint_friction *out) {
  for (int i = 0; i < m->n_forces; i++) {
    hk_joint_friction *r = &out[i];
    for (int k = 0; k < 2 * HK_NODE_FEW; k++) r->u[k / HK_NODE_FEW][k % HK_NODE_FEW] = NAN;
    r->load = r->F_c = r->F_rate = r->F_load = NAN;
  }
}

/* u += s a, six numbers */
HK_INLINE void add_six(double s, const double *a, double *u) {
  HK_V4(u) += s * HK_V4C(a);
  u[4] += s * a[4], u[5] += s * a[5];
}

HK_INLINE double times_six(const double *a, const double *v) {
  return hk_v4_sum(HK_V4C(a) * HK_V4C(v)) + a[4] * v[4] + a[5] * v[5];
}

static void note_load(hk_work *w, int marker, double F, hk_vec3 x, hk_vec3 t) {
  const hk_vec3 f = hk_scale(F, x);
  hk_load_add(w, w->model->marker[marker].node, f,
              hk_add(hk_scale(F, t), hk_cross(w->frame[marker].s, f)));
}

HK_HOT void hk_joint_friction_force(hk_work *w, int i, const hk_instant *at) {
  const hk_model *m = w->model;
  const hk_force *f = &m->force[i];
  const hk_coordinate *q = &m->coordinate[f->coordinate];
  const hk_constraint_plan *l = &w->plan[f->joint];
  const hk_frame *A = &w->frame[q->a], *B = &w->frame[q->b];
  hk_joint_friction *r = &w->joint_friction[i];
  hk_row J = {0};
  hk_force_in in = {.t = at->t,
                    .h = at->h,
                    .constants = f->constants,
                    .memory = at->memory + f->memory,
                    .scratch = w->scratch};
  hk_force_out out;
  q->type->gradient(q->k, A, B, &J);
  if (l->va >= 0) {
    hk_rigid_map(&w->R[l->a], A->s, J.xa, J.ta, r->u[0]);
    in.rate = times_six(r->u[0], at->v + l->va);
  }
  if (l->vb >= 0) {
    hk_rigid_map(&w->R[l->b], B->s, J.xb, J.tb, r->u[1]);
    in.rate += times_six(r->u[1], at->v + l->vb);
  }
  in.load = hk_joint_load(m, f->joint, at->lambda);
  memset(&out, 0, offsetof(hk_force_out, w));
  out.potential = out.dissipated = out.applied = 0;
  f->ops->eval(f->item->data, &in, &out);
  if (out.failed) hk_work_fail(w, f->item, out.failed);
  r->load = in.load, r->F_c = out.F_c, r->F_rate = out.F_rate, r->F_load = out.F_load;
  if (l->va >= 0) add_six(out.F, r->u[0], w->f + l->va);
  if (l->vb >= 0) add_six(out.F, r->u[1], w->f + l->vb);
  if (w->load && l->va >= 0) note_load(w, q->a, out.F, J.xa, J.ta);
  if (w->load && l->vb >= 0) note_load(w, q->b, out.F, J.xb, J.tb);
  w->potential += out.potential;
  w->dissipated += out.dissipated;
  w->applied += out.applied;
}
