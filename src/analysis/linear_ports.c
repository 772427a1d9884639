/* Names of the coordinates of a linear model, its inputs and outputs, and its state space. */
#include "analysis/dense.h"
#include "analysis/linearise.h"
#include "core/force.h"
#include "core/map.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- coordinates -------------------------------------------------------------------------------
 */

static const hk_node *node_of(const hk_linear *l, int i, int *component) {
  const hk_model *m = l->model;
  for (int k = 0; k < m->n_nodes; k++)
    if (i >= m->node[k].v && i < m->node[k].v + m->node[k].nv) {
      *component = i - m->node[k].v;
      return &m->node[k];
    }
  return NULL;
}

int hk_linear_coordinate_name(const hk_linear *l, int i, char *buf, size_t size) {
  static const char *const suffix[] = {"x", "y", "z", "rx", "ry", "rz"};
  int component = 0;
  const hk_node *n = node_of(l, i, &component);
  if (!n) return snprintf(buf, size, "?");
  return snprintf(buf, size, "%s.%s", n->name,
                  n->kind == HK_NODE_ROTOR ? "angle" : suffix[component]);
}

const char *hk_linear_coordinate_unit(const hk_linear *l, int i) {
  int component = 0;
  const hk_node *n = node_of(l, i, &component);
  return n && (component >= 3 || n->kind == HK_NODE_ROTOR) ? "rad" : "m";
}

/* ---- inputs ------------------------------------------------------------------------------------
 */

/* Input i is expression e of force f. */
static bool find_input(const hk_linear *l, int i, int *force, int *expression) {
  const hk_model *m = l->model;
  for (int f = 0; f < m->n_forces; f++) {
    if (i < m->force[f].n_expr) {
      *force = f;
      *expression = i;
      return true;
    }
    i -= m->force[f].n_expr;
  }
  return false;
}

int hk_linear_input_count(const hk_linear *l) {
  int n = 0;
  for (int f = 0; f < l->model->n_forces; f++) n += l->model->force[f].n_expr;
  return n;
}

/* The parameter that an expression of a force comes from. */
static void expression_name(const hk_force *f, int expression, char *buf, size_t size) {
  const hk_expr *wanted = f->expr[expression].expr;
  const hk_item *item = f->item;
  for (int p = 0; hk_type_param(item->type, p); p++) {
    const hk_param *q = hk_type_param(item->type, p);
    int n = q->kind == HK_PARAM_EXPR ? 1 : q->kind == HK_PARAM_EXPR3 ? 3 : 0;
    const hk_expr *const *e = (const hk_expr *const *)((const char *)item->data + q->offset);
    for (int k = 0; k < n; k++)
      if (e[k] == wanted) {
        if (n == 1)
          snprintf(buf, size, "%s", q->name);
        else
          snprintf(buf, size, "%s.%c", q->name, "xyz"[k]);
        return;
      }
  }
  snprintf(buf, size, "input%d", expression + 1);
}

int hk_linear_input_name(const hk_linear *l, int i, char *buf, size_t size) {
  int f = 0, e = 0;
  char what[128];
  if (!find_input(l, i, &f, &e)) return snprintf(buf, size, "?");
  expression_name(&l->model->force[f], e, what, sizeof what);
  return snprintf(buf, size, "%s.%s", l->model->force[f].name, what);
}

int hk_linear_input_find(const hk_linear *l, const char *name) {
  char text[512];
  for (int i = 0; i < hk_linear_input_count(l); i++) {
    hk_linear_input_name(l, i, text, sizeof text);
    if (strcmp(text, name) == 0) return i;
  }
  return -1;
}

/* Frames, G and variables of the state into work. */
static hk_work *prepare(const hk_linear *l) {
  const hk_model *m = l->model;
  hk_sim *s = l->inside->sim;
  const double *x = l->inside->x;
  hk_kinematics(s->work, x[m->at.t], x + m->at.q, x + m->at.v, HK_FRAMES_ALL);
  hk_constraints(s->work, x[m->at.t], x + m->at.turn);
  hk_forces(s->work, x[m->at.t], x + m->at.q, x + m->at.v, l->lambda, x + m->at.turn);
  hk_variables_all(s->work, x[m->at.t], x + m->at.turn);
  s->have_frames = false;
  return s->work;
}

/* out += the row (jx, jt) of a marker in node coordinates. */
static void add_row(const hk_work *w, int marker, hk_vec3 jx, hk_vec3 jt, double *out) {
  const hk_model *m = w->model;
  int node = m->marker[marker].node;
  if (node == HK_GROUND) return;
  double u[6] = {0};
  hk_map_row(&m->node[node], &w->R[node], w->frame[marker].s, jx, jt, u);
  for (int k = 0; k < m->node[node].nv; k++) out[m->node[node].v + k] += u[k];
}

/* A row or force in body axes, in the axes of the model. */
static void turn_axes(const hk_linear *l, const hk_work *w, double *row) {
  const hk_model *m = l->model;
  if (l->axes != HK_LINEAR_WORLD_AXES) return;
  for (int i = 0; i < m->n_nodes; i++) {
    if (m->node[i].kind != HK_NODE_RIGID) continue;
    double *r = row + m->node[i].v + 3;
    hk_vec3 u = hk_mul(&w->R[i], hk_v3(r[0], r[1], r[2]));
    r[0] = u.x, r[1] = u.y, r[2] = u.z;
  }
}

hk_status hk_linear_input(const hk_linear *l, int i, double *b) {
  const hk_model *m = l->model;
  int f = 0, e = 0;
  memset(b, 0, (size_t)l->n * sizeof *b);
  if (!find_input(l, i, &f, &e)) return HK_EINPUT;
  const hk_force *force = &m->force[f];
  const double *x = l->inside->x;
  hk_work *w = prepare(l);
  hk_force_result r;
  hk_force_evaluate(w, force, x[m->at.t], l->lambda, x + m->at.turn, true, &r);
  if (force->coordinate >= 0) {
    const hk_coordinate *c = &m->coordinate[force->coordinate];
    double F = r.out.F_e[e];
    add_row(w, c->a, hk_scale(F, r.J.xa), hk_scale(F, r.J.ta), b);
    add_row(w, c->b, hk_scale(F, r.J.xb), hk_scale(F, r.J.tb), b);
  }
  if (force->b >= 0) {
    const double *q = r.out.w_e[e];
    add_row(w, force->a, hk_v3(q[0], q[1], q[2]), hk_v3(q[3], q[4], q[5]), b);
    add_row(w, force->b, hk_v3(q[6], q[7], q[8]), hk_v3(q[9], q[10], q[11]), b);
  }
  turn_axes(l, w, b);
  return HK_OK;
}

/* ---- outputs -----------------------------------------------------------------------------------
 */

typedef struct output_sink {
  const hk_work *w;
  double *cd, *cv;
} output_sink;

static void add_leaf(void *context, int channel, double factor) {
  output_sink *s = context;
  hk_channel_gradient g;
  hk_channel_leaf_gradient(s->w, channel, &g);
  add_row(s->w, g.a, hk_scale(factor, g.position.xa), hk_scale(factor, g.position.ta), s->cd);
  add_row(s->w, g.b, hk_scale(factor, g.position.xb), hk_scale(factor, g.position.tb), s->cd);
  add_row(s->w, g.a, hk_scale(factor, g.velocity.xa), hk_scale(factor, g.velocity.ta), s->cv);
  add_row(s->w, g.b, hk_scale(factor, g.velocity.xb), hk_scale(factor, g.velocity.tb), s->cv);
}

hk_status hk_linear_output(const hk_linear *l, int channel, double *cd, double *cv, hk_error *err) {
  const hk_model *m = l->model;
  memset(cd, 0, (size_t)l->n * sizeof *cd);
  memset(cv, 0, (size_t)l->n * sizeof *cv);
  if (channel < 0 || channel >= m->n_channels)
    return hk_fail(err, HK_EINPUT, "there is no channel number %d", channel);
  const hk_channel *c = &m->channel[channel];
  if (hk_channel_recorded_only(m, channel))
    return hk_fail(err, HK_EINPUT,
                   "channel '%s' cannot be an output of the linear model: only positions, "
                   "velocities, coordinates and sensors can",
                   c->name);
  hk_work *w = prepare(l);
  output_sink sink = {w, cd, cv};
  hk_channel_leaves(m, w->variable, channel, 1, add_leaf, &sink);
  if (l->moving && l->axes == HK_LINEAR_BODY_AXES) { /* dv = d' + w x d */
    const double *v = l->inside->x + m->at.v;
    for (int i = 0; i < m->n_nodes; i++) {
      if (m->node[i].kind != HK_NODE_RIGID) continue;
      int at = m->node[i].v + 3;
      hk_vec3 u =
          hk_cross(hk_v3(cv[at], cv[at + 1], cv[at + 2]), hk_v3(v[at], v[at + 1], v[at + 2]));
      cd[at] += u.x, cd[at + 1] += u.y, cd[at + 2] += u.z;
    }
  }
  turn_axes(l, w, cd);
  turn_axes(l, w, cv);
  return HK_OK;
}

/* ---- state space -------------------------------------------------------------------------------
 */

void hk_state_space_free(hk_state_space *s) {
  free(s->A);
  free(s->input);
  *s = (hk_state_space){0};
}

static bool is_default_output(const hk_model *m, int channel) {
  hk_channel_kind k = m->channel[channel].kind;
  return (k == HK_CH_SENSOR || k == HK_CH_COORDINATE) && !hk_channel_recorded_only(m, channel);
}

static hk_status allocate_space(const hk_linear *l, const hk_reduced *r, const int *channel,
                                int n_channels, hk_state_space *out, hk_error *err) {
  const hk_model *m = l->model;
  int count = n_channels;
  for (int i = 0; i < m->n_channels && n_channels == 0; i++) count += is_default_output(m, i);
  *out = (hk_state_space){2 * r->n1, hk_linear_input_count(l), count, NULL, NULL, NULL, NULL, NULL,
                          NULL};
  size_t n = (size_t)out->n, p = (size_t)out->inputs, q = (size_t)out->outputs;
  out->A = calloc(n * n + n * p + q * n + q * p + 1, sizeof *out->A);
  out->input = calloc(p + q + 1, sizeof *out->input);
  if (!out->A || !out->input) {
    hk_state_space_free(out);
    return hk_fail(err, HK_ENOMEM, "out of memory");
  }
  out->B = out->A + n * n;
  out->C = out->B + n * p;
  out->D = out->C + q * n;
  out->output = out->input + p;
  for (int i = 0; i < out->inputs; i++) out->input[i] = i;
  for (int i = 0, k = 0; i < m->n_channels && n_channels == 0; i++)
    if (is_default_output(m, i)) out->output[k++] = i;
  if (n_channels) memcpy(out->output, channel, q * sizeof *channel);
  return HK_OK;
}

/* Rows n1 .. of A and B: M1^-1 of forces on the free motions. */
static void solve_mass(const hk_reduced *r, double *column, int stride) {
  int n = r->n1;
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < i; k++) column[i * stride] -= r->C[(size_t)i * n + k] * column[k * stride];
    column[i * stride] /= r->C[(size_t)i * n + i];
  }
  for (int i = n - 1; i >= 0; i--) {
    for (int k = i + 1; k < n; k++)
      column[i * stride] -= r->C[(size_t)k * n + i] * column[k * stride];
    column[i * stride] /= r->C[(size_t)i * n + i];
  }
}

/* row [dof] = c N, then split: r1 = row Q1, r0 = row Q0. */
static void reduce_row(const hk_linear *l, const hk_reduced *r, const double *basis,
                       const double *c, double *row, double *r1, double *r0) {
  hk_dense_multiply(1, l->dof, l->n, c, basis, row);
  hk_dense_multiply(1, r->n1, r->n, row, r->Q1, r1);
  hk_dense_multiply(1, r->n0, r->n, row, r->Q0, r0);
}

/* z0 = -X z1 + Y u with Y = K00^-1 b0: massless directions answer an input at once. */
static hk_status fill_inputs(const hk_linear *l, const hk_reduced *r, hk_state_space *s, double *Y,
                             double *w, hk_error *err) {
  double *b = w, *row = b + l->n, *b1 = row + l->dof, *b0 = b1 + r->n1;
  int n1 = r->n1, n0 = r->n0, p = s->inputs;
  for (int j = 0; j < p; j++) {
    hk_linear_input(l, s->input[j], b);
    reduce_row(l, r, l->inside->NL, b, row, b1, b0);
    for (int i = 0; i < n1; i++) s->B[(size_t)(n1 + i) * p + j] = b1[i];
    for (int i = 0; i < n0; i++) Y[(size_t)i * p + j] = b0[i];
  }
  if (n0 == 0) return HK_OK;
  double *K = malloc((size_t)n0 * (size_t)n0 * sizeof *K);
  if (!K) return hk_fail(err, HK_ENOMEM, "out of memory");
  memcpy(K, r->K00, (size_t)n0 * (size_t)n0 * sizeof *K);
  hk_status status = hk_dense_solve(K, n0, Y, p, 1e-15, err);
  free(K);
  for (int i = 0; i < n1 && !status; i++)
    for (int j = 0; j < p; j++)
      for (int k = 0; k < n0; k++)
        s->B[(size_t)(n1 + i) * p + j] -= r->K10[(size_t)i * n0 + k] * Y[(size_t)k * p + j];
  return status;
}

static hk_status fill_outputs(const hk_linear *l, const hk_reduced *r, hk_state_space *s,
                              const double *Y, double *w, hk_error *err) {
  double *cd = w, *cv = cd + l->n, *row = cv + l->n, *c1 = row + l->dof, *c0 = c1 + r->n1;
  int n1 = r->n1, n0 = r->n0, p = s->inputs;
  for (int i = 0; i < s->outputs; i++) {
    hk_status status = hk_linear_output(l, s->output[i], cd, cv, err);
    if (status) return status;
    double *C = s->C + (size_t)i * s->n, *D = s->D + (size_t)i * p;
    for (int half = 0; half < 2; half++) {
      reduce_row(l, r, l->N, half ? cv : cd, row, c1, c0);
      for (int k = 0; k < n1; k++) {
        double c = c1[k];
        for (int a = 0; a < n0; a++) c -= c0[a] * r->X[(size_t)a * n1 + k];
        C[half * n1 + k] = c;
      }
      for (int j = 0; j < p && half == 0; j++)
        for (int a = 0; a < n0; a++) D[j] += c0[a] * Y[(size_t)a * p + j];
    }
  }
  return HK_OK;
}

static void fill_states(const hk_reduced *r, hk_state_space *s) {
  int n1 = r->n1, n = s->n;
  for (int i = 0; i < n1; i++) {
    s->A[(size_t)i * n + n1 + i] = 1;
    for (int j = 0; j < n1; j++) {
      s->A[(size_t)(n1 + i) * n + j] = -r->K11[(size_t)i * n1 + j];
      s->A[(size_t)(n1 + i) * n + n1 + j] = -r->L11[(size_t)i * n1 + j];
    }
  }
  for (int j = 0; j < n; j++) solve_mass(r, s->A + (size_t)n1 * n + j, n);
  for (int j = 0; j < s->inputs; j++) solve_mass(r, s->B + (size_t)n1 * s->inputs + j, s->inputs);
}

hk_status hk_linear_state_space(const hk_linear *l, const int *channel, int n_channels,
                                hk_state_space *out, hk_error *err) {
  hk_reduced r;
  *out = (hk_state_space){0};
  if (l->model->n_velocity_rows)
    return hk_fail(err, HK_EINPUT, "a model that rolls has no state space of this form");
  hk_status status = hk_reduced_make(l, &r, err);
  if (status) return status;
  if (r.n0 && !r.condensed)
    status = hk_fail(err, HK_EINPUT,
                     "the model has damped motions without mass, which this state space form does "
                     "not hold; give the bodies a small mass");
  if (!status && r.left_scaled)
    status = hk_fail(err, HK_EINPUT,
                     "friction depends on the reactions at this state, which this state space form "
                     "does not hold");
  if (!status) status = allocate_space(l, &r, channel, n_channels, out, err);
  double *w = NULL;
  if (!status) {
    size_t size = 2 * (size_t)l->n + 3 * (size_t)l->dof, held = (size_t)r.n0 * (size_t)out->inputs;
    w = calloc(size + held + 1, sizeof *w);
    if (!w) status = hk_fail(err, HK_ENOMEM, "out of memory");
    if (!status) status = fill_inputs(l, &r, out, w + size, w, err);
    if (!status) status = fill_outputs(l, &r, out, w + size, w, err);
  }
  if (!status) fill_states(&r, out);
  if (status) hk_state_space_free(out);
  free(w);
  hk_reduced_free(&r);
  return status;
}
