/* Forces along angles of rotors: see rotor_force.h. */
#include "core/rotor_force.h"
#include "core/force.h"
#include "core/map.h"
#include <string.h>

/* Finds the velocity index of the rotor that carries a marker, -1 for the ground. Returns false if
 * the node is not a rotor or the axis of the marker differs from the axis of the rotor. */
static bool rotor(const hk_model *m, int marker, int *v) {
  const hk_marker *k = &m->marker[marker];
  *v = -1;
  if (k->node == HK_GROUND) return true;
  *v = m->node[k->node].v;
  return m->node[k->node].moves == HK_MOVES_AXIS && k->R.m[2][2] == 1;
}

void hk_rotor_force_find(const hk_model *m, hk_rotor_force_plan *out) {
  for (int i = 0; i < m->n_forces; i++) {
    const hk_force *f = &m->force[i];
    out[i] = (hk_rotor_force_plan){.on = false};
    if (f->coordinate < 0 || f->b >= 0 || f->joint >= 0 || f->field || f->depends_on_state)
      continue;
    if (f->numerical || f->n_memory || f->constants || f->ops->scratch || f->ops->sizes) continue;
    const hk_coordinate *c = &m->coordinate[f->coordinate];
    out[i].k = c->k;
    out[i].angles = c->type->angles;
    out[i].on =
        c->type->angles && c->turn < 0 && rotor(m, c->a, &out[i].va) && rotor(m, c->b, &out[i].vb);
  }
}

void hk_rotor_force_poison(const hk_model *m, hk_rotor_force_plan *out) {
  for (int i = 0; i < m->n_forces; i++) {
    hk_rotor_force_plan *s = &out[i];
    s->F = s->F_c = s->F_rate = NAN;
    for (int k = 0; k < 2; k++) s->u[k] = s->Hv[k] = s->H[k][0] = s->H[k][1] = NAN;
  }
}

static void add_node_moment(hk_work *w, int marker, double moment) {
  int node = w->model->marker[marker].node;
  if (node == HK_GROUND) return;
  const hk_vec3 zero = {0, 0, 0}, z = hk_rotor_axis(&w->model->node[node]);
  hk_load_add(w, node, zero, hk_scale(moment, z));
}

void hk_rotor_force_evaluate(hk_work *w, int i, const hk_instant *at) {
  const hk_model *m = w->model;
  const hk_force *f = &m->force[i];
  const hk_coordinate *q = &m->coordinate[f->coordinate];
  hk_rotor_force_plan *s = &w->rotor_force[i];
  double d[6], va = s->va < 0 ? 0 : at->v[s->va], vb = s->vb < 0 ? 0 : at->v[s->vb];
  s->angles(s->k, w->frame[q->a].angle, w->frame[q->b].angle, d);
  hk_force_in in;
  hk_force_out out;
  in.t = at->t;
  in.h = at->h;
  in.A = in.B = NULL;
  in.constants = NULL;
  in.memory = in.scratch = NULL;
  in.c = d[0];
  in.rate = d[1] * va + d[2] * vb;
  in.load = 0;
  for (int k = 0; k < f->n_expr; k++)
    in.e[k] = f->expr[k].expr ? hk_expr_value(f->expr[k].expr, w->variable) : 0;
  memset(&out, 0, offsetof(hk_force_out, w));
  out.potential = out.dissipated = out.applied = 0;
  f->ops->eval(f->item->data, &in, &out);
  if (out.failed) hk_work_fail(w, f->item, out.failed);
  s->u[0] = d[1], s->u[1] = d[2];
  s->H[0][0] = d[3], s->H[0][1] = s->H[1][0] = d[4], s->H[1][1] = d[5];
  s->Hv[0] = d[3] * va + d[4] * vb;
  s->Hv[1] = d[4] * va + d[5] * vb;
  s->F = out.F, s->F_c = out.F_c, s->F_rate = out.F_rate;
  if (s->va >= 0) w->f[s->va] += out.F * d[1];
  if (s->vb >= 0) w->f[s->vb] += out.F * d[2];
  if (w->load) add_node_moment(w, q->a, out.F * d[1]), add_node_moment(w, q->b, out.F * d[2]);
  w->potential += out.potential;
  w->dissipated += out.dissipated;
  w->applied += out.applied;
}

void hk_rotor_force_assemble(const hk_rotor_force_plan *s, const hk_coefficients *c,
                             const hk_slot *pair, int n_ports) {
  const double uu = c->cK * s->F_c + c->cC * s->F_rate, ur = c->cK * s->F_rate, h = c->cK * s->F;
  for (int p = 0; p < 2; p++)
    for (int q = 0; q < 2; q++) {
      hk_slot out = pair[p * n_ports + q];
      if (out.at) out.at[0] -= s->u[p] * (uu * s->u[q] + ur * s->Hv[q]) + h * s->H[p][q];
    }
}
