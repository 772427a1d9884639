/* Names of the coordinates of a linear model, its inputs and its outputs. */
#include "analysis/dense_matrix.h"
#include "base/required.h"
#include "analysis/linearise.h"
#include "core/force.h"
#include "core/map.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- coordinates ---- */

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
  if (!l) return 0;
  int component = 0;
  const hk_node *n = node_of(l, i, &component);
  if (!n) return snprintf(buf, size, "?");
  return snprintf(buf, size, "%s.%s", n->name, n->coordinate[component].name);
}

const char *hk_linear_coordinate_unit(const hk_linear *l, int i) {
  if (!l) return "";
  int component = 0;
  const hk_node *n = node_of(l, i, &component);
  if (n && n->type->number) return "1"; /* a scalar state is relative to its scale */
  return n && n->coordinate[component].angular ? "rad" : "m";
}

/* ---- inputs ---- */

/* Number of expressions that are inputs. The expressions of internal variables (hk_spec_first_order) are not inputs. */
static int expressions(const hk_force *f) {
  const hk_item *maker = f->item->made_by;
  bool inside = f->ops->first_order || (maker && maker->type->category == HK_FORCE);
  return inside ? 0 : f->n_expr;
}

/* Finds input i: the inputs of the model come first; after them, input i is expression e of force
 * f. */
static bool find_input(const hk_linear *l, int i, int *force, int *expression) {
  const hk_model *m = l->model;
  i -= m->n_own_inputs;
  for (int f = 0; f < m->n_forces; f++) {
    if (i < expressions(&m->force[f])) {
      *force = f;
      *expression = i;
      return true;
    }
    i -= expressions(&m->force[f]);
  }
  return false;
}

int hk_linear_input_count(const hk_linear *l) {
  if (!l) return 0;
  int n = l->model->n_own_inputs;
  for (int f = 0; f < l->model->n_forces; f++) n += expressions(&l->model->force[f]);
  return n;
}

/* Writes the name of the parameter that contains an expression of a force. */
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
  if (!l) return 0;
  int f = 0, e = 0;
  char what[128];
  if (i >= 0 && i < l->model->n_own_inputs)
    return snprintf(buf, size, "%s", l->model->input[i].name);
  if (!find_input(l, i, &f, &e)) return snprintf(buf, size, "?");
  expression_name(&l->model->force[f], e, what, sizeof what);
  return snprintf(buf, size, "%s.%s", l->model->force[f].name, what);
}

int hk_linear_input_find(const hk_linear *l, const char *name) {
  if (!l) return -1;
  char text[512];
  for (int i = 0; i < hk_linear_input_count(l); i++) {
    hk_linear_input_name(l, i, text, sizeof text);
    if (strcmp(text, name) == 0) return i;
  }
  return -1;
}

/* Returns the derivative of an expression for given derivatives of its variables. */
static double slope_along(const hk_bound_expr *e, const double *variable, const double *slope) {
  double gradient[e->n + 1], sum = 0;
  hk_expr_gradient(e->expr, variable, gradient);
  for (int i = 0; i < e->n; i++) sum += gradient[i] * slope[e->slot[i]];
  return sum;
}

/* Computes frames, G and variables of the state in `work`. */
static hk_work *prepare(const hk_linear *l) {
  const hk_model *m = l->model;
  hk_sim *s = l->inside->sim;
  const hk_instant in = hk_instant_settled(m, l->inside->x, l->lambda);
  hk_kinematics(s->work, &in, HK_FRAMES_ALL);
  hk_constraints(s->work, &in);
  hk_forces(s->work, &in);
  hk_variables_all(s->work, &in);
  s->out.have_frames = false;
  return s->work;
}

void hk_linear_input_values(const hk_linear *l, double t, double *u) {
  const hk_model *m = l->model;
  hk_work *w = prepare(l);
  hk_instant in = hk_instant_settled(m, l->inside->x, l->lambda);
  in.t = t;
  hk_variables_all(w, &in);
  for (int i = 0; i < hk_linear_input_count(l); i++) {
    int f, e;
    u[i] = find_input(l, i, &f, &e) ? hk_expr_value(m->force[f].expr[e].expr, w->variable) : 0;
  }
}

/* out += factor times a row in the coordinates of the marker's node. */
static void add_node_row(const hk_work *w, int marker, double factor, const double *row,
                         double *out) {
  const hk_node *n = hk_map_node(w, marker);
  for (int k = 0; n && k < n->nv; k++) out[n->v + k] += factor * row[k];
}

/* out += the row (jx, jt) of a marker in node coordinates. */
static void add_row(const hk_work *w, int marker, hk_vec3 jx, hk_vec3 jt, double *out) {
  double u[w->model->widest];
  hk_map_row(w, marker, jx, jt, u);
  add_node_row(w, marker, 1, u, out);
}

/* x <- R x, or R^T x. */
static void turn_vector(const hk_mat3 *R, bool back, double *x) {
  hk_vec3 v = hk_v3(x[0], x[1], x[2]), u = back ? hk_tmul(R, v) : hk_mul(R, v);
  x[0] = u.x, x[1] = u.y, x[2] = u.z;
}

static void add_cross(const double *a, const double *b, double *out) {
  hk_vec3 u = hk_cross(hk_v3(a[0], a[1], a[2]), hk_v3(b[0], b[1], b[2]));
  out[0] += u.x, out[1] += u.y, out[2] += u.z;
}

/* Converts a row or force from body axes to the axes of the model. */
static void turn_axes(const hk_linear *l, const hk_work *w, double *row) {
  const hk_model *m = l->model;
  if (l->axes == HK_LINEAR_BODY_AXES) return;
  bool back = l->axes == HK_LINEAR_ROTATING_AXES && l->inside->is_later;
  for (int i = 0; i < m->n_nodes; i++) {
    const hk_node *n = &m->node[i];
    if (n->turn >= 0) turn_vector(&w->R[i], false, row + n->v + n->turn);
    if (n->turn >= 0 && back) turn_vector(&l->inside->turned, true, row + n->v + n->turn);
    if (hk_node_translates(n) && back) turn_vector(&l->inside->turned, true, row + n->v);
  }
}

/* Adds the derivative of cv . dv with respect to d to cd, where dv = d' + w x d. w is the
 * angular velocity of the bodies, in body axes, or of the rotating axes. */
static void add_transport(const hk_linear *l, const double *cv, double *cd) {
  const hk_model *m = l->model;
  bool rotating = l->axes == HK_LINEAR_ROTATING_AXES;
  for (int i = 0; i < m->n_nodes; i++) {
    const hk_node *n = &m->node[i];
    const double *w = rotating ? l->rate : l->inside->x + m->at.v + n->v + n->turn;
    if (n->turn >= 0) add_cross(cv + n->v + n->turn, w, cd + n->v + n->turn);
    if (hk_node_translates(n) && rotating) add_cross(cv + n->v, w, cd + n->v);
  }
}

/* b += factor times the derivative of the forces by expression e of a force. */
static void add_expression(const hk_linear *l, const hk_work *w, const hk_force *force, int e,
                           double factor, double *b) {
  const hk_model *m = l->model;
  hk_force_result r;
  const hk_instant in = hk_instant_settled(m, l->inside->x, l->lambda);
  hk_force_evaluate(w, force, &in, true, &r);
  if (force->coordinate >= 0) {
    const hk_coordinate *c = &m->coordinate[force->coordinate];
    double F = factor * r.out.F_e[e];
    add_row(w, c->a, hk_scale(F, r.J.xa), hk_scale(F, r.J.ta), b);
    add_row(w, c->b, hk_scale(F, r.J.xb), hk_scale(F, r.J.tb), b);
  }
  if (force->b >= 0) {
    double q[12];
    for (int k = 0; k < 12; k++) q[k] = factor * r.out.w_e[e][k];
    add_row(w, force->a, hk_v3(q[0], q[1], q[2]), hk_v3(q[3], q[4], q[5]), b);
    add_row(w, force->b, hk_v3(q[6], q[7], q[8]), hk_v3(q[9], q[10], q[11]), b);
  }
}

/* Computes the derivative of every variable with respect to one input, directly and through sensors. Each sensor
 * comes after the variables that it reads. */
static void input_slopes(const hk_work *w, int input, double *slope) {
  const hk_model *m = w->model;
  slope[0] = 0;
  for (int i = 1; i < m->n_variables; i++) {
    const hk_channel *c = &m->channel[m->variable_channel[i]];
    slope[i] = c->owner == HK_OF_INPUT && c->index == input;
    if (c->owner == HK_OF_SENSOR)
      slope[i] = slope_along(&m->sensor[c->index].expr, w->variable, slope);
  }
}

static hk_status add_model_input(const hk_linear *l, const hk_work *w, int input, double *b) {
  const hk_model *m = l->model;
  double *slope = calloc((size_t)m->n_variables + 1, sizeof *slope);
  if (!slope) return HK_ENOMEM;
  input_slopes(w, input, slope);
  for (int f = 0; f < m->n_forces; f++)
    for (int e = 0; e < m->force[f].n_expr; e++) {
      const hk_bound_expr *x = &m->force[f].expr[e];
      double factor = x->expr ? slope_along(x, w->variable, slope) : 0;
      if (factor != 0) add_expression(l, w, &m->force[f], e, factor, b);
    }
  free(slope);
  return HK_OK;
}

hk_status hk_linear_feed(const hk_linear *l, int channel, double *feed) {
  const hk_model *m = l->model;
  const hk_channel *c = &m->channel[channel];
  memset(feed, 0, (size_t)hk_linear_input_count(l) * sizeof *feed);
  if (m->n_own_inputs == 0 || c->needs) return HK_OK;
  double *slope = calloc((size_t)m->n_variables + 1, sizeof *slope);
  if (!slope) return HK_ENOMEM;
  const hk_work *w = prepare(l);
  for (int i = 0; i < m->n_own_inputs; i++) {
    feed[i] = c->owner == HK_OF_INPUT && c->index == i;
    if (c->owner != HK_OF_SENSOR) continue;
    input_slopes(w, i, slope);
    feed[i] = slope_along(&m->sensor[c->index].expr, w->variable, slope);
  }
  free(slope);
  return HK_OK;
}

hk_status hk_linear_input(const hk_linear *l, int i, double *b) {
  if (!b) return HK_EINPUT;
  if (!l) return HK_EINPUT;
  int f = 0, e = 0;
  hk_status status = HK_OK;
  memset(b, 0, (size_t)l->n * sizeof *b);
  bool own = i >= 0 && i < l->model->n_own_inputs;
  if (!own && !find_input(l, i, &f, &e)) return HK_EINPUT;
  hk_work *w = prepare(l);
  if (own)
    status = add_model_input(l, w, i, b);
  else
    add_expression(l, w, &l->model->force[f], e, 1, b);
  turn_axes(l, w, b);
  return status;
}

/* ---- motions ---- */

/* Returns the constraint of the i-th motion row, or NULL. */
static const hk_constraint *motion_at(const hk_model *m, int i) {
  for (int k = 0; k < m->n_constraints; k++) {
    const hk_constraint *c = &m->constraint[k];
    if (c->item && c->item->type->category == HK_MOTION && c->n_held == 0 && i-- == 0) return c;
  }
  return NULL;
}

int hk_linear_motion_count(const hk_linear *l) {
  if (!l) return 0;
  int n = 0;
  while (motion_at(l->model, n)) n++;
  return n;
}

int hk_linear_motion_name(const hk_linear *l, int i, char *buf, size_t size) {
  if (!l) return 0;
  const hk_constraint *c = motion_at(l->model, i);
  if (!c) return snprintf(buf, size, "?");
  int rows = 0;
  for (int k = 0; k < l->model->n_constraints; k++) rows += l->model->constraint[k].item == c->item;
  return rows > 1 ? snprintf(buf, size, "%s.%s", c->item->name, l->model->row_name[c->row])
                  : snprintf(buf, size, "%s", c->item->name);
}

const char *hk_linear_motion_unit(const hk_linear *l, int i) {
  const hk_constraint *c = motion_at(l->model, i);
  return c && l->model->row_angular[c->row] ? "rad" : "m";
}

hk_status hk_linear_motion(const hk_linear *l, const hk_svd *G, int i, double *p, hk_error *err) {
  const hk_constraint *c = motion_at(l->model, i);
  if (!c) return hk_fail(err, HK_EINPUT, "there is no motion number %d", i);
  double *e = calloc((size_t)l->nc + 1, sizeof *e), worst = 0;
  if (!e) return hk_fail(err, HK_ENOMEM, "out of memory");
  e[c->row] = 1;
  hk_svd_solve(G, e, p);
  for (int r = 0; r < l->nc; r++) {
    double g = -e[r];
    for (int k = 0; k < l->n; k++) g += l->G[(size_t)r * l->n + k] * p[k];
    worst = fmax(worst, fabs(g));
  }
  free(e);
  if (!(worst < 1e-7))
    return hk_fail(
        err, HK_EINPUT,
        "motion '%s' cannot be varied: other joints or motions prescribe its coordinate too",
        c->item->name);
  return HK_OK;
}

/* ---- outputs ---- */

typedef struct output_sink {
  const hk_work *w;
  const hk_instant *in;
  double *cd, *cv;
} output_sink;

static void add_leaf(void *context, int channel, double factor) {
  output_sink *s = context;
  double room[4 * s->w->model->widest];
  hk_channel_gradient g = hk_channel_gradient_in(s->w->model, room);
  hk_channel_leaf_gradient(s->w, channel, s->in, &g);
  add_node_row(s->w, g.a, factor, g.position[0], s->cd);
  add_node_row(s->w, g.b, factor, g.position[1], s->cd);
  add_node_row(s->w, g.a, factor, g.velocity[0], s->cv);
  add_node_row(s->w, g.b, factor, g.velocity[1], s->cv);
}

/* Adds the weights of the variables that a sensor reads. */
static void spread(const hk_work *w, int channel, double factor, double *weight) {
  const hk_bound_expr *e = &w->model->sensor[w->model->channel[channel].index].expr;
  double gradient[e->n + 1];
  hk_expr_gradient(e->expr, w->variable, gradient);
  for (int i = 0; i < e->n; i++) weight[e->slot[i]] += factor * gradient[i];
}

/* Each sensor comes after the variables that it reads, so that the backward loop visits each variable once. With a
 * recursion, the work would double at each sensor that reads two other sensors. */
static hk_status add_sensor(const hk_work *w, int channel, output_sink *sink, hk_error *err) {
  const hk_model *m = w->model;
  double *weight = calloc((size_t)m->n_variables + 1, sizeof *weight);
  if (!weight) return hk_fail(err, HK_ENOMEM, "out of memory");
  spread(w, channel, 1, weight);
  for (int i = m->n_variables - 1; i > 0; i--) {
    int read = m->variable_channel[i];
    if (weight[i] == 0) continue;
    if (m->channel[read].owner == HK_OF_SENSOR)
      spread(w, read, weight[i], weight);
    else if (m->channel[read].owner != HK_OF_TIME && m->channel[read].owner != HK_OF_INPUT)
      add_leaf(sink, read, weight[i]);
  }
  free(weight);
  return HK_OK;
}

hk_status hk_linear_output(const hk_linear *l, int channel, double *cd, double *cv, hk_error *err) {
  HK_REQUIRE(cd && cv, err);
  if (!l) return hk_fail(err, HK_EINPUT, "the linear model is NULL");
  const hk_model *m = l->model;
  memset(cd, 0, (size_t)l->n * sizeof *cd);
  memset(cv, 0, (size_t)l->n * sizeof *cv);
  if (channel < 0 || channel >= m->n_channels)
    return hk_fail(err, HK_EINPUT, "there is no channel number %d", channel);
  const hk_channel *c = &m->channel[channel];
  if (c->needs)
    return hk_fail(
        err, HK_EINPUT,
        "channel '%s' cannot be an output of the linear model: only positions, "
        "velocities, coordinates, forces of springs and dampers, and sensors of these can",
        c->name);
  hk_work *w = prepare(l);
  const hk_instant in = hk_instant_settled(m, l->inside->x, l->lambda);
  output_sink sink = {w, &in, cd, cv};
  if (c->owner == HK_OF_SENSOR) {
    hk_status status = add_sensor(w, channel, &sink, err);
    if (status) return status;
  } else if (c->owner != HK_OF_TIME && c->owner != HK_OF_INPUT) {
    add_leaf(&sink, channel, 1);
  }
  turn_axes(l, w, cd);
  turn_axes(l, w, cv);
  if (l->moving && l->axes != HK_LINEAR_WORLD_AXES) add_transport(l, cv, cd);
  return HK_OK;
}

/* ---- ports of a moving model ---- */

/* Writes the input or output as one row of 2 n numbers. */
static hk_status port(const hk_linear *l, int input, int channel, double *row, hk_error *err) {
  memset(row, 0, 2 * (size_t)l->n * sizeof *row);
  if (channel >= 0) return hk_linear_output(l, channel, row, row + l->n, err);
  return hk_linear_input(l, input, row) ? hk_fail(err, HK_EINPUT, "there is no such input") : HK_OK;
}

static void exchange(struct hk_linear_inside *in) {
  double *x = in->x;
  in->x = in->later, in->later = x;
  in->is_later = !in->is_later;
}

hk_status hk_linear_check_port(const hk_linear *l, int input, int channel, hk_error *err) {
  if (!l->moving) return HK_OK;
  size_t n = 2 * (size_t)l->n;
  double *now = malloc((2 * n + 1) * sizeof *now), size = 0, change = 0;
  if (!now) return hk_fail(err, HK_ENOMEM, "out of memory");
  double *later = now + n;
  hk_status status = port(l, input, channel, now, err);
  if (!status) {
    exchange(l->inside);
    status = port(l, input, channel, later, err);
    exchange(l->inside);
  }
  for (size_t i = 0; i < n && !status; i++) {
    size = fmax(size, fmax(fabs(now[i]), fabs(later[i])));
    change = fmax(change, fabs(now[i] - later[i]));
  }
  free(now);
  if (status || change <= 1e-6 * size) return status;
  char name[512];
  if (channel < 0) hk_linear_input_name(l, input, name, sizeof name);
  return hk_fail(err, HK_EINPUT,
                 "%s '%s' changes with time in the axes in which the equations of the moving model "
                 "are constant, so it has no frequency response: it mixes frequencies with that of "
                 "the rotation. Choose another direction or point, such as one along the axis of "
                 "rotation, or a coordinate of a joint",
                 channel < 0 ? "input" : "output",
                 channel < 0 ? name : l->model->channel[channel].name);
}
