/* Channels inside expressions: values, and gradients for the Newton matrix. */
#include "core/force.h"
#include "core/map.h"
#include "relation/derive.h"
#include <string.h>

static double component(hk_vec3 v, int i) { return i == 0 ? v.x : i == 1 ? v.y : v.z; }
static hk_vec3 axis(int i) { return hk_v3(i == 0, i == 1, i == 2); }

static double frame_value(const hk_frame *F, int component_) {
  const hk_vec3 part[3] = {F->x, F->v, F->w};
  return component(part[component_ / 3], component_ % 3);
}

static double deformation(const hk_work *w, const hk_channel *c) {
  const hk_marker *k = &w->model->marker[c->index];
  const hk_pose p = hk_map_pose(w, k->node);
  return p.node->type->deformation(&p, k, c->component);
}

double hk_channel_state_value(const hk_work *w, int channel, const hk_instant *in) {
  const hk_channel *c = &w->model->channel[channel];
  if (c->owner == HK_OF_SENSOR)
    return hk_expr_value(w->model->sensor[c->index].expr.expr, w->variable);
  if (!hk_channel_is_of_state(c)) return NAN;
  switch (c->owner) {
    case HK_OF_TIME:
      return in->t;
    case HK_OF_FRAME:
      return frame_value(&w->frame[c->index], c->component);
    case HK_OF_COORDINATE:
      return c->component == HK_COORDINATE_VALUE ? hk_coordinate_value(w, c->index, in->turn)
                                                 : hk_coordinate_rate(w, c->index);
    case HK_OF_FORCE: {
      double value[HK_FORCE_OWN + HK_MAX_OWN_CHANNELS];
      hk_force_channels(w, &w->model->force[c->index], in, value);
      return value[c->component];
    }
    case HK_OF_STATE: {
      const hk_frame *F = &w->frame[w->model->state[c->index].marker];
      return c->component ? F->v.x : F->x.x;
    }
    case HK_OF_DEFORMATION:
      return deformation(w, c);
    case HK_OF_INPUT:
      return in->input ? hk_input_at(w->model, in->input, c->index, in->t) : NAN;
    default:
      return NAN;
  }
}

/* A sensor is registered after the channels that it uses, so that in ascending order its inputs
 * are already computed. */
void hk_variables(hk_work *w, const hk_instant *in) {
  const hk_model *m = w->model;
  w->variable[0] = in->t;
  for (int k = 0; k < m->n_step_variables; k++) {
    int i = m->step_variable[k];
    w->variable[i] = hk_channel_state_value(w, m->variable_channel[i], in);
  }
}

void hk_variables_all(hk_work *w, const hk_instant *in) {
  const hk_model *m = w->model;
  w->variable[0] = in->t;
  for (int i = 1; i < m->n_variables; i++)
    w->variable[i] = hk_channel_state_value(w, m->variable_channel[i], in);
}

/* r = V H */
HK_HOT static void sum_rows(const double V[12], double H[12][12], double r[12]) {
  hk_v4 x = {0}, y = {0}, z = {0};
  for (int i = 0; i < 12; i++)
    x += V[i] * HK_V4C(H[i]), y += V[i] * HK_V4C(H[i] + 4), z += V[i] * HK_V4C(H[i] + 8);
  HK_V4(r) = x, HK_V4(r + 4) = y, HK_V4(r + 8) = z;
}

void hk_rate_gradient(const hk_work *w, const hk_relation_type *type, const double *k, int a, int b,
                      const hk_row *J, double curvature[12][12], double *const out[2]) {
  const hk_frame *A = &w->frame[a], *B = &w->frame[b];
  double H[12][12], one[HK_RELATION_MAX_ROWS] = {1};
  if (!curvature) {
    memset(H, 0, sizeof H);
    hk_relation_curvature(type, k, A, B, one, H);
    curvature = H;
  }
  const double V[12] = {A->v.x, A->v.y, A->v.z, A->w.x, A->w.y, A->w.z,
                        B->v.x, B->v.y, B->v.z, B->w.x, B->w.y, B->w.z};
  double r[12];
  sum_rows(V, curvature, r);
  hk_map_row(w, a, hk_v3(r[0], r[1], r[2]), hk_v3(r[3], r[4], r[5]), out[0]);
  hk_map_row(w, b, hk_v3(r[6], r[7], r[8]), hk_v3(r[9], r[10], r[11]), out[1]);
  /* The velocities of the frames also depend on the positions of the nodes. */
  hk_map_turning(w, a, J->xa, J->ta, out[0]);
  hk_map_turning(w, b, J->xb, J->tb, out[1]);
}

/* Gradient of a channel of one marker: jx with respect to position, (jv, jw) with respect to
 * velocities. */
static void marker_gradient(const hk_work *w, int marker, hk_vec3 jx, hk_vec3 jv, hk_vec3 jw,
                            hk_channel_gradient *out) {
  const hk_vec3 zero = {0, 0, 0};
  hk_map_row(w, marker, jx, zero, out->position[1]);
  hk_map_turning(w, marker, jv, jw, out->position[1]);
  hk_map_row(w, marker, jv, jw, out->velocity[1]);
}

static void frame_gradient(const hk_work *w, const hk_channel *c, hk_channel_gradient *out) {
  const hk_vec3 e = axis(c->component % 3), zero = {0, 0, 0};
  bool place = c->component < HK_FRAME_VX, turns = c->component >= HK_FRAME_WX;
  marker_gradient(w, c->index, place ? e : zero, place || turns ? zero : e, turns ? e : zero, out);
}

static void coordinate_gradient(const hk_work *w, const hk_channel *c, hk_channel_gradient *out) {
  const hk_coordinate *k = &w->model->coordinate[c->index];
  bool value = c->component == HK_COORDINATE_VALUE;
  double *const *to = value ? out->position : out->velocity;
  hk_row J = {0};
  out->a = k->a, out->b = k->b;
  k->type->gradient(k->k, &w->frame[k->a], &w->frame[k->b], &J);
  hk_map_row(w, k->a, J.xa, J.ta, to[0]);
  hk_map_row(w, k->b, J.xb, J.tb, to[1]);
  if (!value) hk_rate_gradient(w, k->type, k->k, k->a, k->b, &J, NULL, out->position);
}

/* The frame of a state variable z is at (z, 0, 0). */
static void state_gradient(const hk_work *w, const hk_channel *c, hk_channel_gradient *out) {
  const hk_vec3 e = axis(0), zero = {0, 0, 0};
  out->a = out->b = w->model->state[c->index].marker;
  marker_gradient(w, out->b, c->component ? zero : e, c->component ? e : zero, zero, out);
}

/* The coordinates of the modes follow those of the floating frame. */
static void deformation_gradient(const hk_channel *c, hk_channel_gradient *out) {
  int i = c->component - HK_DEFORMATION_MODE;
  double *to = i % 2 ? out->velocity[1] : out->position[1];
  to[6 + i / 2] = 1;
}

void hk_channel_leaf_gradient(const hk_work *w, int channel, const hk_instant *in,
                              hk_channel_gradient *out) {
  const hk_channel *c = &w->model->channel[channel];
  memset(out->position[0], 0, 4 * (size_t)w->model->widest * sizeof(double));
  out->a = out->b = c->index;
  if (c->owner == HK_OF_FRAME) frame_gradient(w, c, out);
  if (c->owner == HK_OF_COORDINATE) coordinate_gradient(w, c, out);
  if (c->owner == HK_OF_FORCE)
    hk_force_channel_gradient(w, &w->model->force[c->index], c->component, in, out);
  if (c->owner == HK_OF_DEFORMATION) deformation_gradient(c, out);
  if (c->owner == HK_OF_STATE) state_gradient(w, c, out);
}
