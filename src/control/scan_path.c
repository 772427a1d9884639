/* The path of channels along a step, and expressions along it: see scan.h. */
#include "core/force.h"
#include "core/map.h"
#include "control/scan_private.h"
#include <string.h>

static double part(hk_vec3 v, int i) { return i == 0 ? v.x : i == 1 ? v.y : v.z; }

/* Rate of a channel at the frames in `work`; NaN: not known. */
static double rate_of(const hk_sim *s, const hk_channel *c, const double *vd) {
  const hk_work *w = s->work;
  const hk_frame *F;
  switch (c->owner) {
    case HK_OF_FRAME: {
      hk_vec3 a, alpha;
      F = &w->frame[c->index];
      if (c->component < HK_FRAME_VX) return part(F->v, c->component);
      hk_map_acceleration(w, c->index, vd, &a, &alpha);
      return part(c->component < HK_FRAME_WX ? a : alpha, c->component % 3);
    }
    case HK_OF_COORDINATE:
      return c->component == HK_COORDINATE_VALUE ? hk_coordinate_rate(w, c->index)
                                                 : hk_coordinate_acceleration(w, c->index, vd);
    case HK_OF_DEFORMATION: {
      const hk_marker *k = &s->model->marker[c->index];
      const hk_pose p = hk_map_pose(w, k->node);
      enum { RIGID = 6 }; /* coordinates of the floating frame, before those of the modes */
      int i = c->component - HK_DEFORMATION_MODE;
      if (i < 0) return NAN;
      return i % 2 ? vd[p.node->v + RIGID + i / 2]
                   : p.node->type->deformation(&p, k, c->component + 1);
    }
    case HK_OF_STATE:
      return c->component ? NAN : w->frame[s->model->state[c->index].marker].v.x;
    case HK_OF_INPUT:
      return s->x[s->model->at.input + HK_INPUT_SLOPE * s->model->n_inputs + c->index];
    default:
      return NAN;
  }
}

void hk_scan_look(hk_sim *s, const double *x, bool all, double *out) {
  const hk_model *m = s->model;
  const hk_scan_leaves *l = all ? &s->scan->all : &s->scan->watched;
  if (l->n == 0) return;
  const hk_instant in = hk_instant_last(m, x, x + m->at.lambda);
  double *rate = out + m->n_variables;
  hk_kinematics(s->work, &in, all ? HK_FRAMES_ALL : HK_FRAMES_MOVING);
  if (l->needs_forces && all) hk_variables_all(s->work, &in);
  if (l->needs_forces && !all) hk_variables(s->work, &in);
  for (int j = 0; j < l->n; j++) {
    int i = l->slot[j], channel = m->variable_channel[i];
    out[i] = l->needs_forces ? s->work->variable[i] : hk_channel_state_value(s->work, channel, &in);
    rate[i] = rate_of(s, &m->channel[channel], x + m->at.vd);
  }
}

hk_scan_path hk_scan_path_of(const hk_sim *s, double t, double h) {
  const hk_scan *k = s->scan;
  int n = s->model->n_variables;
  return (hk_scan_path){t, h, k->end[0], k->end[0] + n, k->end[1], k->end[1] + n};
}

/* The Bernstein points of a channel's cubic, or of a straight line if rates are not known. */
static void points_of(const hk_scan_path *p, int slot, double b[4]) {
  double y0 = p->y0[slot], y1 = p->y1[slot], r0 = p->r0[slot] * p->h, r1 = p->r1[slot] * p->h;
  if (isnan(r0 + r1)) r0 = r1 = y1 - y0;
  b[0] = y0, b[1] = y0 + r0 / 3, b[2] = y1 - r1 / 3, b[3] = y1;
}

/* The blossom (polar form) of the cubic: symmetric, affine in each argument, and equal to the value of the cubic if all
 * three arguments are equal. */
static double blossom(const double b[4], double u, double v, double w) {
  double c0 = b[0] + u * (b[1] - b[0]), c1 = b[1] + u * (b[2] - b[1]),
         c2 = b[2] + u * (b[3] - b[2]);
  double d0 = c0 + v * (c1 - c0), d1 = c1 + v * (c2 - c1);
  return d0 + w * (d1 - d0);
}

/* Value of the cubic; at the end of the path it is exact to the last bit. */
static double value_at(const double b[4], double u) { return u >= 1 ? b[3] : blossom(b, u, u, u); }

static double least(double a, double b) { return a < b ? a : b; }
static double most(double a, double b) { return a > b ? a : b; }

/* Computes the ranges of a channel and of its rate on a part of the path. A polynomial lies between its smallest and
 * its largest Bernstein coefficient. The same applies to its derivative. */
static hk_flow leaf_flow(const hk_scan_path *p, int slot, double from, double to) {
  double b[4], c[4], length = (to - from) * p->h;
  points_of(p, slot, b);
  if (isnan(b[0] + b[3])) /* the value is computed only for output, for example a reaction */
    return (hk_flow){-INFINITY, INFINITY, -INFINITY, INFINITY, .known = false};
  c[0] = value_at(b, from), c[3] = value_at(b, to);
  if (!(length > 0)) {
    double d = 3 *
               ((1 - from) * (1 - from) * (b[1] - b[0]) + 2 * from * (1 - from) * (b[2] - b[1]) +
                from * from * (b[3] - b[2])) /
               p->h;
    return (hk_flow){c[0], c[0], d, d, .known = true};
  }
  c[1] = blossom(b, from, from, to), c[2] = blossom(b, from, to, to);
  double r0 = 3 * (c[1] - c[0]) / length, r1 = 3 * (c[2] - c[1]) / length,
         r2 = 3 * (c[3] - c[2]) / length;
  return (hk_flow){least(least(c[0], c[3]), least(c[1], c[2])),
                   most(most(c[0], c[3]), most(c[1], c[2])), least(r0, least(r1, r2)),
                   most(r0, most(r1, r2)), .known = true};
}

/* Returns the sensor of a slot. The slot of a sensor comes after the slots of all channels that it reads. */
static const hk_expr *sensor_of(const hk_model *m, int slot) {
  const hk_channel *c = &m->channel[m->variable_channel[slot]];
  return slot > 0 && c->owner == HK_OF_SENSOR ? m->sensor[c->index].expr.expr : NULL;
}

hk_flow hk_scan_flow(const hk_sim *s, const hk_watched *k, const hk_scan_path *p, double from,
                     double to) {
  hk_flow *flow = s->scan->flow;
  for (int i = 0; i < k->n_slots; i++) {
    int slot = k->slot[i];
    const hk_expr *sensor = sensor_of(s->model, slot);
    if (slot == 0)
      flow[0] = (hk_flow){p->t + from * p->h, p->t + to * p->h, 1, 1, .known = true};
    else
      flow[slot] = sensor ? hk_expr_flow(sensor, flow) : leaf_flow(p, slot, from, to);
  }
  return hk_expr_flow(k->expr, flow);
}

double hk_scan_value(const hk_sim *s, const hk_watched *k, const hk_scan_path *p, double at) {
  double *variable = s->scan->variable, b[4];
  for (int i = 0; i < k->n_slots; i++) {
    int slot = k->slot[i];
    const hk_expr *sensor = sensor_of(s->model, slot);
    if (slot > 0 && !sensor) points_of(p, slot, b);
    variable[slot] = slot == 0 ? p->t + at * p->h
                     : sensor  ? hk_expr_value(sensor, variable)
                               : value_at(b, at);
  }
  return hk_expr_value(k->expr, variable);
}

/* Returns true if the search of the last step has evaluated the same channels at its end. */
static bool is_known(const hk_sim *s) {
  const hk_scan *k = s->scan;
  return k->same_leaves && k->known &&
         memcmp(k->key, s->x + s->model->at.t, hk_scan_key_size(s->model)) == 0;
}

void hk_scan_last_step(hk_sim *s) {
  hk_scan *k = s->scan;
  int from = s->model->at.t;
  size_t size = hk_scan_key_size(s->model);
  double *before = k->last[1];
  if (k->last_known && memcmp(k->last_key, s->x_next + from, size) == 0)
    k->last[1] = k->last[0], k->last[0] = before;
  else
    hk_scan_look(s, s->x_next, true, k->last[0]);
  if (is_known(s))
    memcpy(k->last[1], k->end[0], 2 * (size_t)s->model->n_variables * sizeof *k->end[0]);
  else
    hk_scan_look(s, s->x, true, k->last[1]);
  memcpy(k->last_key, s->x + from, size);
  k->last_known = true;
  s->out.have_frames = s->out.have_loads = s->out.have_variables = false;
}

hk_flow hk_scan_sensor(const hk_sim *s, int sensor, double from, double to) {
  const hk_model *m = s->model;
  double t0 = s->x_next[m->at.t], h = s->x[m->at.t] - t0;
  int n = m->n_variables;
  const double *a = s->scan->last[0], *b = s->scan->last[1];
  const hk_scan_path p = {t0, h, a, a + n, b, b + n};
  return hk_scan_flow(s, &m->sensor_watched[sensor], &p, fmax((from - t0) / h, 0),
                      fmin((to - t0) / h, 1));
}

/* Errors of a channel. The error of a velocity is the error of a position divided by the usual step h, because
 * shorter steps are tested with the usual length too. */
static double error_of(const hk_sim *s, int slot, double value, double h) {
  const hk_channel *c = &s->model->channel[s->model->variable_channel[slot]];
  double round_off = 0x1p-48 * fabs(value), place = hk_tolerance(s);
  bool rate = (c->owner == HK_OF_FRAME && c->component >= HK_FRAME_VX) ||
              (c->owner == HK_OF_COORDINATE && c->component != HK_COORDINATE_VALUE);
  rate = rate || (c->owner == HK_OF_DEFORMATION && c->component >= HK_DEFORMATION_MODE &&
                  (c->component - HK_DEFORMATION_MODE) % 2);
  bool motion =
      c->owner == HK_OF_FRAME || c->owner == HK_OF_COORDINATE || c->owner == HK_OF_DEFORMATION;
  if (motion) return round_off + (rate ? place / h : place);
  return round_off + s->option.rtol * fabs(value);
}

double hk_scan_sensor_noise(const hk_sim *s, int sensor) {
  const hk_model *m = s->model;
  const hk_watched *k = &m->sensor_watched[sensor];
  const double *y = s->scan->last[1];
  hk_flow *flow = s->scan->flow;
  double h = fmax(s->x[m->at.t] - s->x_next[m->at.t], hk_scan_memory_of(s, s->x)->pace);
  for (int i = 0; i < k->n_slots; i++) {
    int slot = k->slot[i];
    const hk_expr *inner = sensor_of(m, slot);
    double value = slot == 0 ? s->x[m->at.t] : y[slot];
    double error = slot == 0 ? 0 : error_of(s, slot, value, h);
    flow[slot] = inner ? hk_expr_flow(inner, flow)
                       : (hk_flow){value - error, value + error, 0, 0, .known = true};
  }
  const hk_flow f = hk_expr_flow(k->expr, flow);
  return isfinite(f.hi - f.lo) ? 0.5 * (f.hi - f.lo) : 0;
}
