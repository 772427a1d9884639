/* From coordinates to frames, the Lie-group update of coordinates, and the nodes' inertia. */
#include "core/map.h"
#include <stddef.h>

HK_HOT HK_FLAT void hk_configuration_add(const hk_model *m, const double *q0, const double *d,
                                         double *q1) {
  for (const hk_node *n = m->node, *end = n + m->n_nodes; n < end; n++)
    hk_node_add(n, q0 + n->q, d + n->v, q1 + n->q);
}

void hk_configuration_sub(const hk_model *m, const double *q1, const double *q0, double *d) {
  for (int i = 0; i < m->n_nodes; i++) {
    const hk_node *n = &m->node[i];
    hk_node_sub(n, q1 + n->q, q0 + n->q, d + n->v, false);
  }
}

HK_HOT HK_FLAT void hk_configuration_chord(const hk_model *m, const double *q1, const double *q0,
                                           double *d) {
  for (int i = 0; i < m->n_nodes; i++) {
    const hk_node *n = &m->node[i];
    hk_node_sub(n, q1 + n->q, q0 + n->q, d + n->v, true);
  }
}

HK_HOT HK_FLAT void hk_configuration_chord_add(const hk_model *m, const double *q0, const double *d,
                                               double *q1) {
  for (int i = 0; i < m->n_nodes; i++) {
    const hk_node *n = &m->node[i];
    hk_node_chord_add(n, q0 + n->q, d + n->v, q1 + n->q);
  }
}

HK_HOT HK_FLAT void hk_configuration_chord_tangent(const hk_model *m, const double *d, double *xi) {
  for (int i = 0; i < m->n_nodes; i++) {
    const hk_node *n = &m->node[i];
    if (n->turn < 0) continue;
    double *e = xi + n->v + n->turn;
    const double *c = d + n->v + n->turn;
    hk_vec3 half = hk_v3(0.5 * c[0], 0.5 * c[1], 0.5 * c[2]), x = hk_v3(e[0], e[1], e[2]);
    hk_vec3 r = hk_add(x, hk_cross(half, x));
    e[0] = r.x, e[1] = r.y, e[2] = r.z;
  }
}

HK_HOT HK_FLAT void hk_configuration_tangent_inv(const hk_model *m, const double *D, double *xi) {
  for (int i = 0; i < m->n_nodes; i++) {
    const hk_node *n = &m->node[i];
    if (n->turn < 0) continue;
    double *e = xi + n->v + n->turn;
    const double *d = D + n->v + n->turn;
    hk_vec3 phi = hk_v3(d[0], d[1], d[2]);
    hk_vec3 r = hk_tangent_inv(hk_tangent_coefficient(phi), phi, hk_v3(e[0], e[1], e[2]));
    e[0] = r.x, e[1] = r.y, e[2] = r.z;
  }
}

HK_HOT HK_FLAT void hk_configuration_unit(const hk_model *m, double *q) {
  for (int i = 0; i < m->n_nodes; i++) {
    const hk_node *n = &m->node[i];
    if (n->turn >= 0) hk_quat_put(q + n->q + n->turn, hk_near_unit(hk_quat_at(q + n->q + n->turn)));
  }
}

HK_HOT HK_FLAT void hk_configuration_rate(const hk_model *m, const double *q, const double *v,
                                          double *rate) {
  for (int i = 0; i < m->n_nodes; i++) {
    const hk_node *n = &m->node[i];
    int turn = n->turn < 0 ? n->nv : n->turn;
    const double *a = v + n->v;
    double *r = rate + n->q;
    if (n->moves == HK_MOVES_RIGID) {
      r[0] = a[0], r[1] = a[1], r[2] = a[2];
    } else {
      for (int k = 0; k < turn; k++) r[k] = a[k];
      for (int k = turn + 3; k < n->nv; k++) r[k + 1] = a[k];
      if (n->turn < 0) continue;
    }
    hk_quat half = {0, 0.5 * a[turn], 0.5 * a[turn + 1], 0.5 * a[turn + 2]};
    hk_quat_put(r + turn, hk_quat_mul(hk_quat_at(q + n->q + turn), half));
  }
}

static void marker_frame(const hk_work *w, const hk_marker *k, const hk_instant *in, hk_frame *F) {
  hk_pose p = hk_map_pose(w, k->node);
  p.node->type->frame(&p, k, in->q + p.node->q, in->v + p.node->v, F);
}

void hk_kinematic_mounts(hk_work *w) {
  const hk_model *m = w->model;
  w->n_mounts = w->n_loose = 0;
  for (int i = 0; i < m->n_active; i++) {
    const hk_marker *k = &m->marker[m->active[i]];
    if (m->node[k->node].moves != HK_MOVES_RIGID) {
      w->loose[w->n_loose++] = m->active[i];
      continue;
    }
    hk_mount *p = &w->mount[w->n_mounts++];
    *p = (hk_mount){.frame = m->active[i],
                    .node = k->node,
                    .q = m->node[k->node].q,
                    .v = m->node[k->node].v,
                    .moving = k->moving};
    const double s[3] = {k->s.x, k->s.y, k->s.z};
    for (int r = 0; r < 3; r++) {
      p->K[r][0] = s[r];
      for (int c = 0; c < 3; c++) p->K[r][c + 1] = k->R.m[r][c];
    }
  }
}

/* Computes R, s and x of a frame. Each row of [s R] is stored as four numbers. The first number of
 * a row overwrites the last entry of the row before it in memory (for the first row: the end of x);
 * these entries are written afterwards. */
HK_INLINE void mounted_frame(const hk_work *w, const hk_mount *p, const double *q, hk_frame *F) {
  const double(*R)[3] = w->R[p->node].m;
  hk_v4 k0 = HK_V4C(p->K[0]), k1 = HK_V4C(p->K[1]), k2 = HK_V4C(p->K[2]);
  hk_v4 r0 = R[0][0] * k0 + R[0][1] * k1 + R[0][2] * k2;
  hk_v4 r1 = R[1][0] * k0 + R[1][1] * k1 + R[1][2] * k2;
  hk_v4 r2 = R[2][0] * k0 + R[2][1] * k1 + R[2][2] * k2;
  double *out = &F->R.m[0][0];
  HK_V4(out + 5) = r2;
  HK_V4(out + 2) = r1;
  HK_V4(out - 1) = r0;
  q += p->q;
  F->s = hk_v3(r0[0], r1[0], r2[0]);
  F->x = hk_v3(q[0] + r0[0], q[1] + r1[0], q[2] + r2[0]);
}
_Static_assert(offsetof(hk_frame, R) == offsetof(hk_frame, x) + sizeof(hk_vec3),
               "the rotation follows the position");

HK_INLINE void mounted_speed(const hk_work *w, const hk_mount *p, const double *v, hk_frame *F) {
  const double *u = v + p->v;
  F->w = hk_mul(&w->R[p->node], hk_rigid_spin(u));
  F->v = hk_add(hk_v3(u[0], u[1], u[2]), hk_cross(F->w, F->s));
}

HK_INLINE void loose_frames(const hk_work *w, const hk_instant *in) {
  const hk_model *m = w->model;
  for (int i = 0; i < w->n_loose; i++) {
    const hk_marker *k = &m->marker[w->loose[i]];
    const hk_node *n = &m->node[k->node];
    hk_frame *F = &w->frame[w->loose[i]];
    if (!hk_node_own_frame(n, &w->R[k->node], k, in->q + n->q, in->v + n->v, F))
      marker_frame(w, k, in, F);
  }
}

HK_HOT HK_FLAT void hk_kinematics(hk_work *w, const hk_instant *in, hk_frames_wanted wanted) {
  const hk_model *m = w->model;
  const double *q = in->q, *v = in->v;
  for (int i = 0; i < m->n_nodes; i++) {
    const hk_node *n = &m->node[i];
    hk_node_place(n, in->t, w->still, q + n->q, v + n->v, &w->R[i], w->node_own + n->own);
  }
  if (wanted == HK_FRAMES_ALL) {
    for (int i = 0; i < m->n_markers; i++)
      if (m->marker[i].node != HK_GROUND) marker_frame(w, &m->marker[i], in, &w->frame[i]);
    return;
  }
  for (int i = 0; i < w->n_mounts; i++) {
    const hk_mount *p = &w->mount[i];
    hk_frame *F = &w->frame[p->frame];
    mounted_frame(w, p, q, F);
    if (wanted == HK_FRAMES_STEP && !p->moving) continue;
    mounted_speed(w, p, v, F);
  }
  loose_frames(w, in);
}

HK_HOT HK_FLAT void hk_kinematic_speeds(hk_work *w, const hk_instant *in) {
  const hk_model *m = w->model;
  const double *q = in->q, *v = in->v;
  for (int i = 0; i < m->n_nodes; i++) {
    const hk_node *n = &m->node[i];
    if (n->moves == HK_MOVES_RIGID && !n->placed) continue;
    hk_node_place(n, in->t, w->still, q + n->q, v + n->v, &w->R[i], w->node_own + n->own);
  }
  for (const hk_mount *p = w->mount, *end = p + w->n_mounts; p < end; p++)
    mounted_speed(w, p, v, &w->frame[p->frame]);
  loose_frames(w, in);
}

double hk_kinetic_energy(const hk_work *w, const double *v) {
  double sum = 0;
  for (int i = 0; i < w->model->n_nodes; i++) {
    hk_pose p = hk_map_pose(w, i);
    sum += p.node->type->energy(&p, v + p.node->v);
  }
  return sum;
}

HK_HOT HK_FLAT void hk_mass_multiply(const hk_work *w, const double *x, double *y) {
  const hk_model *m = w->model;
  for (int i = 0; i < m->n_nodes; i++) {
    const hk_node *n = &m->node[i];
    hk_node_multiply(n, &w->R[i], hk_map_own(w, n), x + n->v, y + n->v);
  }
}
