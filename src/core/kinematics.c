/* From coordinates to frames, and the Lie-group update of coordinates. */
#include "base/rotation.h"
#include "core/work.h"
#include <stddef.h>

static hk_quat quat_at(const double *q) { return (hk_quat){q[3], q[4], q[5], q[6]}; }

HK_HOT HK_FLAT void hk_configuration_add(const hk_model *m, const double *q0, const double *d,
                                         double *q1) {
  for (int i = 0; i < m->n_nodes; i++) {
    const hk_node *n = &m->node[i];
    const double *a = q0 + n->q, *e = d + n->v;
    double *b = q1 + n->q;
    switch (n->kind) {
      case HK_NODE_RIGID: {
        hk_quat p = hk_near_unit(hk_quat_mul(quat_at(a), hk_small_exp(hk_v3(e[3], e[4], e[5]))));
        b[0] = a[0] + e[0], b[1] = a[1] + e[1], b[2] = a[2] + e[2];
        b[3] = p.w, b[4] = p.x, b[5] = p.y, b[6] = p.z;
        break;
      }
      case HK_NODE_POINT:
      case HK_NODE_GUIDED:
        b[0] = a[0] + e[0], b[1] = a[1] + e[1], b[2] = a[2] + e[2];
        break;
      case HK_NODE_ROTOR:
        b[0] = a[0] + e[0];
        break;
    }
  }
}

void hk_configuration_sub(const hk_model *m, const double *q1, const double *q0, double *d) {
  for (int i = 0; i < m->n_nodes; i++) {
    const hk_node *n = &m->node[i];
    const double *a = q0 + n->q, *b = q1 + n->q;
    double *e = d + n->v;
    int translations = n->kind == HK_NODE_ROTOR ? 1 : 3;
    for (int k = 0; k < translations; k++) e[k] = b[k] - a[k];
    if (n->kind == HK_NODE_RIGID) {
      hk_vec3 r = hk_quat_log(hk_quat_mul(hk_quat_conj(quat_at(a)), quat_at(b)));
      e[3] = r.x, e[4] = r.y, e[5] = r.z;
    }
  }
}

HK_HOT HK_FLAT void hk_configuration_chord(const hk_model *m, const double *q1, const double *q0,
                                           double *d) {
  for (int i = 0; i < m->n_nodes; i++) {
    const hk_node *n = &m->node[i];
    const double *a = q0 + n->q, *b = q1 + n->q;
    double *e = d + n->v;
    int translations = n->kind == HK_NODE_ROTOR ? 1 : 3;
    for (int k = 0; k < translations; k++) e[k] = b[k] - a[k];
    if (n->kind == HK_NODE_RIGID) {
      hk_quat r = hk_quat_mul(hk_quat_conj(quat_at(b)), quat_at(a));
      e[3] = -2 * r.x, e[4] = -2 * r.y, e[5] = -2 * r.z;
    }
  }
}

HK_HOT HK_FLAT void hk_configuration_tangent_inv(const hk_model *m, const double *D, double *xi) {
  for (int i = 0; i < m->n_nodes; i++) {
    if (m->node[i].kind != HK_NODE_RIGID) continue;
    double *e = xi + m->node[i].v + 3;
    const double *d = D + m->node[i].v + 3;
    hk_vec3 phi = hk_v3(d[0], d[1], d[2]);
    hk_vec3 r = hk_tangent_inv(hk_tangent_coefficient(phi), phi, hk_v3(e[0], e[1], e[2]));
    e[0] = r.x, e[1] = r.y, e[2] = r.z;
  }
}

void hk_configuration_unit(const hk_model *m, double *q) {
  for (int i = 0; i < m->n_nodes; i++) {
    if (m->node[i].kind != HK_NODE_RIGID) continue;
    double *b = q + m->node[i].q;
    hk_quat p = hk_near_unit(quat_at(b));
    b[3] = p.w, b[4] = p.x, b[5] = p.y, b[6] = p.z;
  }
}

HK_INLINE hk_mat3 node_rotation(const hk_node *n, const double *q) {
  switch (n->kind) {
    case HK_NODE_RIGID:
      return hk_quat_matrix(quat_at(q));
    case HK_NODE_ROTOR: {
      const double c = cos(q[0]), s = sin(q[0]);
      hk_mat3 R = n->R0; /* times a turn about z */
      for (int i = 0; i < 3; i++) {
        R.m[i][0] = n->R0.m[i][0] * c + n->R0.m[i][1] * s;
        R.m[i][1] = n->R0.m[i][1] * c - n->R0.m[i][0] * s;
      }
      return R;
    }
    default:
      return hk_mat3_identity();
  }
}

static void marker_frame(const hk_work *w, const hk_marker *k, const double *q, const double *v,
                         hk_frame *F) {
  const hk_node *n = &w->model->node[k->node];
  const hk_mat3 *R = &w->R[k->node];
  q += n->q;
  v += n->v;
  F->R = k->aligned ? *R : hk_matmul(R, &k->R);
  F->s = hk_mul(R, k->s);
  F->angle = F->rate = 0;
  switch (n->kind) {
    case HK_NODE_RIGID:
      F->x = hk_add(hk_v3(q[0], q[1], q[2]), F->s);
      F->w = hk_mul(R, hk_v3(v[3], v[4], v[5]));
      F->v = hk_add(hk_v3(v[0], v[1], v[2]), hk_cross(F->w, F->s));
      break;
    case HK_NODE_POINT:
      F->x = hk_v3(q[0], q[1], q[2]);
      F->v = hk_v3(v[0], v[1], v[2]);
      F->w = hk_v3(0, 0, 0);
      break;
    case HK_NODE_GUIDED:
      F->w = w->turning[k->node].w;
      F->x = hk_add(hk_v3(q[0], q[1], q[2]), F->s);
      F->v = hk_add(hk_v3(v[0], v[1], v[2]), hk_cross(F->w, F->s));
      break;
    case HK_NODE_ROTOR:
      F->angle = q[0];
      F->rate = v[0];
      F->x = hk_add(n->x0, F->s);
      F->w = hk_scale(v[0], hk_column(&n->R0, 2));
      F->v = hk_cross(F->w, F->s);
      break;
  }
}

/* A rotor's own frame. */
HK_INLINE void rotor_frame(const hk_work *w, int node, const double *q, const double *v,
                           hk_frame *F) {
  const hk_node *n = &w->model->node[node];
  F->R = w->R[node];
  F->s = F->v = hk_v3(0, 0, 0);
  F->angle = q[n->q];
  F->rate = v[n->v];
  F->x = n->x0;
  F->w = hk_scale(F->rate, hk_column(&n->R0, 2));
}

void hk_kinematic_mounts(hk_work *w) {
  const hk_model *m = w->model;
  w->n_mounts = w->n_loose = 0;
  for (int i = 0; i < m->n_active; i++) {
    const hk_marker *k = &m->marker[m->active[i]];
    if (m->node[k->node].kind != HK_NODE_RIGID) {
      w->loose[w->n_loose++] = m->active[i];
      continue;
    }
    hk_mount *p = &w->mount[w->n_mounts++];
    *p = (hk_mount){.frame = m->active[i], .node = k->node, .q = m->node[k->node].q};
    const double s[3] = {k->s.x, k->s.y, k->s.z};
    for (int r = 0; r < 3; r++) {
      for (int c = 0; c < 3; c++) p->K[r][c] = k->R.m[r][c];
      p->K[r][3] = s[r];
    }
  }
}

/* R, s and x of a frame.  A row of [R s] is stored whole: its fourth entry spoils the first of the
 * next row, or after the last row the velocity, both still to be written. */
HK_INLINE void mounted_frame(const hk_work *w, const hk_mount *p, const double *q, hk_frame *F) {
  const double(*R)[3] = w->R[p->node].m;
  hk_v4 k0 = HK_V4C(p->K[0]), k1 = HK_V4C(p->K[1]), k2 = HK_V4C(p->K[2]);
  hk_v4 r0 = R[0][0] * k0 + R[0][1] * k1 + R[0][2] * k2;
  hk_v4 r1 = R[1][0] * k0 + R[1][1] * k1 + R[1][2] * k2;
  hk_v4 r2 = R[2][0] * k0 + R[2][1] * k1 + R[2][2] * k2;
  double *out = &F->R.m[0][0];
  HK_V4(out) = r0;
  HK_V4(out + 3) = r1;
  HK_V4(out + 6) = r2;
  q += p->q;
  F->s = hk_v3(r0[3], r1[3], r2[3]);
  F->x = hk_v3(q[0] + r0[3], q[1] + r1[3], q[2] + r2[3]);
}
_Static_assert(offsetof(hk_frame, v) == offsetof(hk_frame, R) + sizeof(hk_mat3),
               "the velocity follows the rotation");

/* R = R0 Rx(a) Rz(b): w = R0 (a' x + b' u), u = Rx(a) z turning with a' about x. */
static void guide(hk_work *w, int node, double t) {
  const hk_node *n = &w->model->node[node];
  double angle[2], d1[2], d2[2];
  for (int i = 0; i < 2; i++) angle[i] = hk_expr_second(n->guide[i], &t, 0, &d1[i], &d2[i]);
  if (w->still) d1[0] = d1[1] = d2[0] = d2[1] = 0;
  double ca = cos(angle[0]), sa = sin(angle[0]), cb = cos(angle[1]), sb = sin(angle[1]);
  hk_mat3 P = {{{cb, -sb, 0}, {ca * sb, ca * cb, -sa}, {sa * sb, sa * cb, ca}}};
  hk_vec3 u = hk_v3(0, -sa, ca), u_d = hk_v3(0, -ca, -sa);
  w->R[node] = hk_matmul(&n->R0, &P);
  hk_vec3 omega = hk_axpy(hk_v3(d1[0], 0, 0), d1[1], u);
  hk_vec3 alpha = hk_axpy(hk_axpy(hk_v3(d2[0], 0, 0), d2[1], u), d1[0] * d1[1], u_d);
  w->turning[node] = (hk_turning){hk_mul(&n->R0, omega), hk_mul(&n->R0, alpha)};
}

HK_APART static void special_nodes(hk_work *w, double t, const double *q) {
  const hk_model *m = w->model;
  for (int i = 0; i < m->n_nodes; i++) {
    const hk_node *n = &m->node[i];
    if (n->kind == HK_NODE_GUIDED) guide(w, i, t);
    if (n->vary) n->vary(n->item->data, q[n->q], w->J[i]);
  }
}

HK_HOT HK_FLAT void hk_kinematics(hk_work *w, const hk_instant *in, hk_frames_wanted wanted) {
  const hk_model *m = w->model;
  const double *q = in->q, *v = in->v;
  for (int i = 0; i < m->n_nodes; i++) w->R[i] = node_rotation(&m->node[i], q + m->node[i].q);
  if (m->guided || m->varying) special_nodes(w, in->t, q);
  if (wanted == HK_FRAMES_ALL) {
    for (int i = 0; i < m->n_markers; i++)
      if (m->marker[i].node != HK_GROUND) marker_frame(w, &m->marker[i], q, v, &w->frame[i]);
    return;
  }
  for (int i = 0; i < w->n_mounts; i++) {
    const hk_mount *p = &w->mount[i];
    hk_frame *F = &w->frame[p->frame];
    mounted_frame(w, p, q, F);
    if (wanted == HK_FRAMES_STEP && !m->marker[p->frame].moving) continue;
    const double *u = v + m->node[p->node].v;
    F->w = hk_mul(&w->R[p->node], hk_v3(u[3], u[4], u[5]));
    F->v = hk_add(hk_v3(u[0], u[1], u[2]), hk_cross(F->w, F->s));
  }
  for (int i = 0; i < w->n_loose; i++) {
    const hk_marker *k = &m->marker[w->loose[i]];
    bool own = k->aligned && k->s.x == 0 && k->s.y == 0 && k->s.z == 0;
    if (own && m->node[k->node].kind == HK_NODE_ROTOR)
      rotor_frame(w, k->node, q, v, &w->frame[w->loose[i]]);
    else
      marker_frame(w, k, q, v, &w->frame[w->loose[i]]);
  }
}

static double rotor_inertia(const hk_work *w, int node) {
  const hk_node *n = &w->model->node[node];
  return n->vary ? w->J[node][0] : n->inertia.m[2][2];
}

double hk_kinetic_energy(const hk_work *w, const double *v) {
  const hk_model *m = w->model;
  double sum = 0;
  for (int i = 0; i < m->n_nodes; i++) {
    const hk_node *n = &m->node[i];
    const double *u = v + n->v;
    if (n->kind == HK_NODE_ROTOR) {
      sum += rotor_inertia(w, i) * u[0] * u[0];
      continue;
    }
    sum += n->mass * (u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
    if (n->kind == HK_NODE_RIGID) {
      hk_vec3 o = hk_v3(u[3], u[4], u[5]);
      sum += hk_dot(o, hk_mul(&n->inertia, o));
    }
  }
  return sum / 2;
}

HK_HOT HK_FLAT void hk_mass_multiply(const hk_work *w, const double *x, double *y) {
  const hk_model *m = w->model;
  for (int i = 0; i < m->n_nodes; i++) {
    const hk_node *n = &m->node[i];
    const double *u = x + n->v;
    double *r = y + n->v;
    if (n->kind == HK_NODE_ROTOR) {
      r[0] = rotor_inertia(w, i) * u[0];
      continue;
    }
    for (int k = 0; k < 3; k++) r[k] = n->mass * u[k];
    if (n->kind == HK_NODE_RIGID) {
      hk_vec3 a = hk_mul(&n->inertia, hk_v3(u[3], u[4], u[5]));
      r[3] = a.x, r[4] = a.y, r[5] = a.z;
    }
  }
}
