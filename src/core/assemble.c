/* The Newton matrix: mass, damping and stiffness on the nodes, bordered by the constraint rows.
 *
 * Element tangents are 12x12 blocks over two frames. With T the map of the nodes (map.h) they
 * become T^T K T. Because T rotates with a body, an existing force and moment add a geometric
 * term, and velocities add another one if a force depends on them; hk_map_pair adds all three. */
#include "core/assemble.h"
#include "core/contact.h"
#include "core/joint_friction_fast.h"
#include "relation/derive.h"
#include <string.h>

/* ---- nodes ---- */

HK_HOT HK_FLAT static void add_nodes(hk_system *s, const hk_work *w, const hk_coefficients *c,
                                     const double *v) {
  const hk_model *m = s->model;
  for (int i = 0; i < m->n_nodes; i++) {
    const hk_node *n = &m->node[i];
    const hk_inertia_weights k = {c->cM, c->cC, c->cK, v + n->v,
                                  c->step_rotation ? c->step_rotation + n->v : NULL};
    hk_node_tangent(n, &w->R[i], hk_map_own(w, n), &k, s->diagonal[i].at, s->diagonal[i].stride);
  }
}

/* ---- constraints ---- */

HK_APART static void put_jacobian(hk_system *s, const hk_work *w, const hk_constraint *c) {
  const hk_model *m = s->model;
  for (int p = 0; p < c->n_ports; p++) {
    hk_slot row = s->to_row[c->port + p], col = s->to_node[c->port + p];
    if (!row.at) continue;
    int nv = m->node[m->marker[m->port[c->port + p]].node].nv, r = 0;
    const double *G = w->G + c->jacobian + c->width * p;
    for (int i = 0; i < c->n_rows; i++, G += c->width * c->n_ports) {
      if (!s->kept[c->row + i]) continue;
      for (int k = 0; k < nv; k++) {
        row.at[r * row.stride + k] += G[k];
        col.at[k * col.stride + r] += G[k];
      }
      r++;
    }
  }
}

/* Same as the function above, for a port on a rigid body that carries no other port of the constraint. */
HK_INLINE void put_wide(const double *restrict G, const uint8_t *kept, int rows,
                        double *restrict row, double *restrict col, int stride) {
  for (int i = 0; i < rows; i++, G += 12) {
    if (!kept[i]) continue;
    HK_V4(row) = HK_V4C(G), row[4] = G[4], row[5] = G[5];
    double *down = col++;
    *down = G[0], down += stride;
    *down = G[1], down += stride;
    *down = G[2], down += stride;
    *down = G[3], down += stride;
    *down = G[4], down += stride;
    *down = G[5];
    row += 6;
  }
}

/* A force f at the lever arm r, both in node axes and r fixed in the node: if the node rotates,
 * the moment r x f changes by (f r^T - (f.r) 1) dtheta, the result of hk_rigid_geometric without
 * a moment. A scalar product `a`.`b` of a vector `a` fixed in one body and a vector `b` fixed in the other has the
 * same form: `b` acts like a force at the lever arm `a`, and `a` like a force at the lever arm `b`. This function adds
 * two such terms. */
HK_INLINE void add_levers(double *out, int stride, hk_vec3 f, hk_vec3 r, hk_vec3 e, hk_vec3 q) {
  double d = hk_dot(f, r) + hk_dot(e, q);
  out[0] += f.x * r.x + e.x * q.x - d, out[1] += f.x * r.y + e.x * q.y,
      out[2] += f.x * r.z + e.x * q.z;
  out += stride;
  out[0] += f.y * r.x + e.y * q.x, out[1] += f.y * r.y + e.y * q.y - d,
      out[2] += f.y * r.z + e.y * q.z;
  out += stride;
  out[0] += f.z * r.x + e.z * q.x, out[1] += f.z * r.y + e.z * q.y,
      out[2] += f.z * r.z + e.z * q.z - d;
}

/* Geometric stiffness of a joint between rigid bodies that constrains a point, and possibly an
 * axis. The coupling between the bodies is omitted. */
HK_INLINE void add_joint_stiffness(const hk_work *w, const hk_constraint *c,
                                   const hk_constraint_plan *plan, double cK, const double *l,
                                   const hk_slot *pair) {
  const int *port = w->model->port + c->port;
  const hk_mat3 *FA = &w->frame[port[0]].R, *FB = &w->frame[port[1]].R;
  hk_vec3 f = hk_scale(cK, hk_v3(l[0], l[1], l[2])), zero = {0, 0, 0};
  double kx = plan->form == HK_FORM_REVOLUTE ? cK * l[3] : 0;
  double ky = plan->form == HK_FORM_REVOLUTE ? cK * l[4] : 0;
  bool axes = plan->form == HK_FORM_REVOLUTE;
  if (pair[0].at) {
    const hk_mat3 *R = &w->R[plan->a];
    hk_vec3 e = axes ? hk_axpy(hk_scale(kx, hk_column(FB, 0)), ky, hk_column(FB, 1)) : zero;
    const hk_mount *A = &w->mount[plan->ma];
    add_levers(pair[0].at + 21, 6, hk_tmul(R, hk_neg(f)), hk_mount_position(A),
               axes ? hk_tmul(R, e) : zero, hk_mount_axis(A, 2));
  }
  if (pair[3].at) {
    const hk_mat3 *R = &w->R[plan->b];
    const hk_mount *B = &w->mount[plan->mb];
    hk_vec3 q = axes ? hk_axpy(hk_scale(kx, hk_mount_axis(B, 0)), ky, hk_mount_axis(B, 1)) : zero;
    add_levers(pair[3].at + 21, 6, hk_tmul(R, f), hk_mount_position(B),
               axes ? hk_tmul(R, hk_column(FA, 2)) : zero, q);
  }
}

static hk_vec3 scaled_sum(hk_vec3 a, double s, hk_vec3 b) { return hk_axpy(a, s, b); }

/* Geometric stiffness of a constraint between the ground and a rigid body. Force and moment on the body follow from
 * the rows of the constraint in G. For the change of these rows with the rotation of the body see
 * hk_relation_type.turning_b. */
static void add_ground_stiffness(const hk_work *w, const hk_constraint *c,
                                 const hk_constraint_plan *plan, double cK, const double *l,
                                 const hk_slot *own) {
  const hk_model *m = w->model;
  const double *G = w->G + c->jacobian + 6;
  if (!own->at) return;
  hk_vec3 f = {0, 0, 0}, t = {0, 0, 0};
  for (int r = 0; r < c->n_rows; r++, G += 12) {
    f = hk_axpy(f, l[r], hk_v3(G[0], G[1], G[2]));
    t = hk_axpy(t, l[r], hk_v3(G[3], G[4], G[5]));
  }
  hk_mat3 S = {{{0}}};
  int b = m->port[c->port + 1];
  if (c->n_held) {
    const hk_frame *A = &w->frame[m->port[c->port]], *B = &w->frame[b];
    for (const hk_held *h = m->held + c->held, *end = h + c->n_held; h < end; h++) {
      if (h->type->turning_b) h->type->turning_b(h->k, A, B, l, &S);
      l += h->type->rows;
    }
  } else {
    const hk_model_term *term = &m->term[c->term];
    const hk_coordinate *q = &m->coordinate[term->coordinate];
    double factor = term->factor * l[0];
    b = q->b;
    if (q->type->turning_b) q->type->turning_b(q->k, &w->frame[q->a], &w->frame[b], &factor, &S);
  }
  const hk_mat3 *R = &w->R[plan->b];
  hk_mat3 SR = hk_matmul(&S, R), RSR = hk_tmatmul(R, &SR);
  double *out = own->at + 3 * own->stride + 3;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) out[i * own->stride + j] += cK * RSR.m[i][j];
  hk_rigid_turned(m->marker[b].s, hk_scale(cK, hk_tmul(R, f)), hk_scale(cK, t), own->at,
                  own->stride);
}

/* Returns true if the geometric stiffness of a constraint is negligible compared with inertia,
 * so that Newton's iteration converges without it. The ratio of the geometric stiffness to the inertia is proportional
 * to the square of the step size. The effect of the joint's friction is at most as large and is omitted too. The
 * sliding speed of friction changes with the rotation of the frames within the step; this effect is also compared with
 * inertia. */
static bool is_slight(const hk_work *w, const hk_constraint *c, const hk_constraint_plan *l,
                      const hk_coefficients *k, const double *lambda) {
  const hk_model *m = w->model;
  double sum = 0;
  if (!(k->slight > 0 && isfinite(l->turned[0]))) return false;
  for (int r = 0; r < c->n_rows; r++)
    sum += l->turned[m->row_angular[c->row + r]] * fabs(lambda[r]);
  if (!(k->cK * sum <= k->slight)) return false;
  if (l->n_frictions == 0) return true;
  for (int i = l->first_friction; i < l->first_friction + l->n_frictions; i++)
    if (!w->joint_friction[i].on) return false;
  const hk_frame *A = &w->frame[m->port[c->port]], *B = &w->frame[m->port[c->port + 1]];
  double spin = hk_dot(A->w, A->w) + hk_dot(B->w, B->w);
  return k->cK * k->cK * spin <= k->slight * k->slight * k->cC * k->cC;
}

/* Geometric stiffness of constraint forces: c d(G^T lambda). */
HK_APART static void add_constraint_stiffness(hk_system *s, hk_work *w, int index,
                                              const hk_coefficients *coefficients,
                                              const hk_instant *in) {
  const hk_model *m = s->model;
  double cK = coefficients->cK;
  const hk_constraint *c = &m->constraint[index];
  const hk_slot *pair = s->pair + s->pair_start[index];
  const double *l = in->lambda + c->row;
  if (is_slight(w, c, &w->plan[index], coefficients, l)) {
    hk_assemble_joint_friction(s, w, index, coefficients, in, NULL);
    return;
  }
  if (c->n_held) {
    int a = m->port[c->port], b = m->port[c->port + 1];
    const hk_frame *A = &w->frame[a], *B = &w->frame[b];
    hk_pair_tangent k;
    k.has_K = k.has_turning[0] = k.has_turning[1] = false;
    k.f[0] = k.f[1] = k.m[0] = k.m[1] = hk_v3(0, 0, 0);
    for (int i = 0; i < c->n_held; i++) {
      const hk_held *h = &m->held[c->held + i];
      hk_row J[HK_RELATION_MAX_ROWS] = {0};
      h->type->gradient(h->k, A, B, J);
      for (int r = 0; r < h->type->rows; r++) {
        k.f[0] = scaled_sum(k.f[0], l[r], J[r].xa), k.m[0] = scaled_sum(k.m[0], l[r], J[r].ta);
        k.f[1] = scaled_sum(k.f[1], l[r], J[r].xb), k.m[1] = scaled_sum(k.m[1], l[r], J[r].tb);
      }
      if (hk_relation_is_curved(h->type)) {
        if (!k.has_K) memset(k.K, 0, sizeof k.K);
        k.has_K = true;
        hk_relation_curvature(h->type, h->k, A, B, l, k.K);
      }
      l += h->type->rows;
    }
    hk_assemble_joint_friction(s, w, index, coefficients, in, &k);
    hk_map_pair(w, a, b, &k, cK, pair, 2);
    return;
  }
  for (int i = 0; i < c->n_terms; i++) {
    const hk_model_term *term = &m->term[c->term + i];
    const hk_coordinate *q = &m->coordinate[term->coordinate];
    double factor = term->factor * l[0];
    hk_pair_tangent k;
    k.has_K = hk_relation_is_curved(q->type);
    k.has_turning[0] = k.has_turning[1] = false;
    hk_row J = {0};
    q->type->gradient(q->k, &w->frame[q->a], &w->frame[q->b], &J);
    k.f[0] = hk_scale(factor, J.xa), k.m[0] = hk_scale(factor, J.ta);
    k.f[1] = hk_scale(factor, J.xb), k.m[1] = hk_scale(factor, J.tb);
    if (k.has_K) {
      memset(k.K, 0, sizeof k.K);
      hk_relation_curvature(q->type, q->k, &w->frame[q->a], &w->frame[q->b], &factor, k.K);
    }
    hk_map_pair(w, q->a, q->b, &k, cK, pair + 2 * i * c->n_ports + 2 * i, c->n_ports);
  }
}

HK_HOT HK_FLAT static void add_constraints(hk_system *s, hk_work *w,
                                           const hk_coefficients *coefficients,
                                           const hk_instant *in) {
  const hk_model *m = s->model;
  const double cK = coefficients->cK, *lambda = in->lambda;
  for (int i = 0; i < m->n_constraints; i++) {
    const hk_constraint *c = &m->constraint[i];
    const hk_constraint_plan *plan = &w->plan[i];
    const hk_slot *pair = s->pair + s->pair_start[i];
    if (plan->form && plan->a != plan->b) {
      const hk_slot *row = s->to_row + c->port, *col = s->to_node + c->port;
      const double *G = w->G + c->jacobian;
      const uint8_t *kept = s->kept + c->row;
      if (row[0].at) put_wide(G, kept, c->n_rows, row[0].at, col[0].at, col[0].stride);
      if (row[1].at) put_wide(G + 6, kept, c->n_rows, row[1].at, col[1].at, col[1].stride);
    } else {
      put_jacobian(s, w, c);
    }
    if (cK == 0) continue;
    if (plan->form >= HK_FORM_POINT && !pair[1].at && !pair[2].at)
      add_joint_stiffness(w, c, plan, cK, lambda + c->row, pair);
    else if (plan->from_ground)
      add_ground_stiffness(w, c, plan, cK, lambda + c->row, &pair[3]);
    else
      add_constraint_stiffness(s, w, i, coefficients, in);
  }
}

static void regularize(hk_system *s, double soft) {
  const double *k = s->softness;
  for (int i = 0; i < s->model->n_constraints; i++) {
    double *d = s->multiplier[i].at;
    int n = s->multiplier[i].stride;
    for (int r = 0; d && r < n; r++, d += n + 1) *d = -soft * *k++;
  }
}

/* ---- the complete matrix ---- */

/* Uses a loop, because memset is made for larger amounts of memory. */
HK_HOT static void clear(hk_block_matrix *A) {
  double *x = A->value, *end = x + A->n_value;
  for (; end - x >= 16; x += 16)
    HK_V4(x) = HK_V4(x + 4) = HK_V4(x + 8) = HK_V4(x + 12) = (hk_v4){0};
  while (x < end) *x++ = 0;
}

/* Clears only the entries that an assembly accumulates, four at a time. Entries beyond the end
 * of a range may be cleared too: they are also accumulated, or are overwritten later. */
HK_HOT static void clear_sums(const hk_system *s) {
  for (const hk_matrix_run *r = s->sum, *last = r + s->n_sums; r < last; r++) {
    double *x = s->matrix->value + r->from, *end = x + r->n;
    for (; x < end; x += 4) HK_V4(x) = (hk_v4){0};
  }
}

hk_status hk_assemble(hk_system *s, hk_work *w, const hk_coefficients *c, const hk_instant *in) {
  const hk_model *m = s->model;
  w->failure.item = NULL;
  s->loads = m->friction && !c->ideal;
  clear_sums(s);
  add_nodes(s, w, c, in->v);
  add_constraints(s, w, c, in);
  if (c->soft > 0) regularize(s, c->soft);
  bool stiff = c->cK != 0 || c->cC != 0;
  if (stiff)
    hk_assemble_forces(s, w, c, in);
  else if (s->loads)
    hk_assemble_loads(s, w, in);
  if (m->compliant && stiff) hk_contact_assemble(s, w, c, in);
  return w->failure.item ? HK_RETRY : HK_OK;
}

void hk_assemble_metric(hk_system *s, const hk_work *w, const double *weight, double epsilon) {
  const hk_model *m = s->model;
  clear(s->matrix);
  for (int i = 0; i < m->n_nodes; i++)
    for (int k = 0; k < m->node[i].nv; k++)
      s->diagonal[i].at[k * s->diagonal[i].stride + k] = weight[m->node[i].v + k];
  for (int i = 0; i < m->n_constraints; i++) {
    put_jacobian(s, w, &m->constraint[i]);
    int b = s->constraint_block[i], stride;
    if (b < 0 || epsilon == 0) continue;
    double *d = hk_block_matrix_at(s->matrix, b, b, &stride);
    for (int k = 0; k < s->pattern->size[b]; k++) d[k * stride + k] = -epsilon;
  }
}
