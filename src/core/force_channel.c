/* Channels of forces: values, and derivatives for the expressions of other forces.
 *
 * A force that depends neither on expressions nor on reactions is a function of positions,
 * velocities and time, and its tangent gives the derivatives. With g the weights of the six
 * components on `b`, the channel is g.w and
 *   dw_i = J_i dF + F dJ_i       along a coordinate, dF = F_c dc + F_rate dc'
 *   dw_i = -K_i dx - C_i dv      between frames */
#include "core/force.h"
#include "core/map.h"
#include "relation/derive.h"
#include <string.h>

static hk_vec3 get(const double *v) { return hk_v3(v[0], v[1], v[2]); }
static void put(double *v, hk_vec3 a) { v[0] = a.x, v[1] = a.y, v[2] = a.z; }

static const hk_frame *own_frame(const hk_work *w, const hk_force *f, const hk_action *on) {
  return &w->frame[f->ops->own_axes_b ? on->b : on->a];
}

static double power(const double *w, const hk_frame *A, const hk_frame *B) {
  return hk_dot(get(w), A->v) + hk_dot(get(w + 3), A->w) + hk_dot(get(w + 6), B->v) +
         hk_dot(get(w + 9), B->w);
}

void hk_force_channels(const hk_work *w, const hk_force *f, const hk_instant *in, double *out) {
  hk_force_result e;
  hk_action on;
  memset(out, 0, HK_FORCE_OWN * sizeof *out);
  if (f->field) {
    hk_field_energy(w, f, in, &out[HK_FORCE_ENERGY], &out[HK_FORCE_POWER]);
    return;
  }
  hk_force_evaluate(w, f, in, false, &e);
  hk_force_action(w->model, f, &e, &on);
  const double *b = on.w + 6;
  const hk_mat3 *R = &own_frame(w, f, &on)->R;
  out[HK_FORCE_ALONG] = e.out.F;
  out[HK_FORCE_SIZE] = hk_norm(get(b));
  out[HK_FORCE_TORQUE] = hk_norm(get(b + 3));
  out[HK_FORCE_POWER] = power(on.w, &w->frame[on.a], &w->frame[on.b]);
  out[HK_FORCE_LOSS] = e.out.dissipated;
  out[HK_FORCE_ENERGY] = e.out.potential;
  memcpy(out + HK_FORCE_FX, b, 6 * sizeof *b);
  put(out + HK_FORCE_OWN_FX, hk_tmul(R, get(b)));
  put(out + HK_FORCE_OWN_FX + 3, hk_tmul(R, get(b + 3)));
  if (f->ops->read) f->ops->read(f->item->data, &e.in, &e.out, out + HK_FORCE_OWN);
}

/* Computes the weights g of the force and moment on `b`, and the change of the channel with the
 * rotation of the local axes. */
static void weights(const hk_work *w, const hk_force *f, const hk_action *on, int component,
                    double g[6], hk_vec3 *turning) {
  const double *b = on->w + 6;
  memset(g, 0, 6 * sizeof *g);
  *turning = hk_v3(0, 0, 0);
  if (component >= HK_FORCE_OWN_FX) {
    int k = component - HK_FORCE_OWN_FX, first = 3 * (k / 3);
    hk_vec3 axis = hk_column(&own_frame(w, f, on)->R, k % 3);
    put(g + first, axis);
    *turning = hk_cross(axis, get(b + first));
  } else if (component >= HK_FORCE_FX) {
    g[component - HK_FORCE_FX] = 1;
  } else { /* a magnitude */
    int first = component == HK_FORCE_SIZE ? 0 : 3;
    double size = hk_norm(get(b + first));
    if (size > 0) put(g + first, hk_scale(1 / size, get(b + first)));
  }
}

/* p: derivatives with respect to displacements of the two frames at constant velocities; v: with
 * respect to their velocities. Without weights g, the derivatives of F itself. */
static void along_gradient(const hk_work *w, const hk_force *f, const hk_force_result *e,
                           const double *g, double p[12], double v[12]) {
  const hk_coordinate *c = &w->model->coordinate[f->coordinate];
  const hk_frame *A = &w->frame[c->a], *B = &w->frame[c->b];
  double H[12][12] = {{0}}, one[HK_RELATION_MAX_ROWS] = {1}, J[12], V[12], lever = 1;
  put(J, e->J.xa), put(J + 3, e->J.ta), put(J + 6, e->J.xb), put(J + 9, e->J.tb);
  put(V, A->v), put(V + 3, A->w), put(V + 6, B->v), put(V + 9, B->w);
  hk_relation_curvature(c->type, c->k, A, B, one, H);
  if (g) lever = hk_dot(get(g), e->J.xb) + hk_dot(get(g + 3), e->J.tb);
  for (int j = 0; j < 12; j++) {
    double rate = 0, bent = 0;
    for (int i = 0; i < 12; i++) rate += V[i] * H[i][j];
    for (int i = 0; g && i < 6; i++) bent += g[i] * H[6 + i][j];
    p[j] = lever * (e->out.F_c * J[j] + e->out.F_rate * rate) + e->out.F * bent;
    v[j] = lever * e->out.F_rate * J[j];
  }
}

static void frames_gradient(const hk_force_out *o, const double *g, double p[12], double v[12]) {
  for (int j = 0; j < 12; j++) {
    p[j] = v[j] = 0;
    for (int i = 0; i < 6; i++) {
      if (o->has_K) p[j] -= g[i] * o->K[6 + i][j];
      if (o->has_C) v[j] -= g[i] * o->C[6 + i][j];
    }
  }
}

void hk_force_channel_gradient(const hk_work *w, const hk_force *f, int component,
                               const hk_instant *in, hk_channel_gradient *out) {
  hk_force_result e;
  hk_action on;
  double g[6], p[12], v[12];
  hk_vec3 turning = {0, 0, 0};
  const bool whole = component == HK_FORCE_ALONG;
  hk_force_evaluate(w, f, in, true, &e);
  hk_force_action(w->model, f, &e, &on);
  if (!whole) weights(w, f, &on, component, g, &turning);
  if (f->coordinate >= 0)
    along_gradient(w, f, &e, whole ? NULL : g, p, v);
  else
    frames_gradient(&e.out, g, p, v);
  double *turn = p + (f->ops->own_axes_b ? 9 : 3);
  put(turn, hk_add(get(turn), turning));
  const int end[2] = {on.a, on.b};
  out->a = on.a, out->b = on.b;
  for (int k = 0; k < 2; k++) {
    hk_map_row(w, end[k], get(p + 6 * k), get(p + 6 * k + 3), out->position[k]);
    hk_map_turning(w, end[k], get(v + 6 * k), get(v + 6 * k + 3), out->position[k]);
    hk_map_row(w, end[k], get(v + 6 * k), get(v + 6 * k + 3), out->velocity[k]);
  }
}
