/* Expressions of forces, states and sensors that are monitored within steps, and their variables: see control/scan.h. */
#include "model/compile.h"
#include <string.h>

enum { TIME = 0 }; /* slot of t among the variables of an expression */

/* Polynomials of channels up to this degree are determined by values and slopes at the ends of a step; they need no
 * monitoring. */
enum { GENTLE = 3 };

/* Data for the analysis of expressions: the variables that sensors read, and degrees of sensors as polynomials of
 * channels (0: not known yet). */
typedef struct behind {
  bool *used;
  int *degree;
  bool *sensor;  /* slots of sensors */
  double *value; /* [n_variables] 0: scratch */
  /* [n_variables] change of the present load if a sensor changes by 1, of sensors that are not replaced by their terms
   * yet; otherwise 0 */
  double *share;
  bool *at_output; /* slots of channels whose range is not known within steps */
} behind;

/* Marks the variables of an expression, including those read through sensors.  Returns the degree
 * of the expression as a polynomial of channels, over its whole range or between its kinks. */
static int mark_slots(const hk_compiler *c, const hk_expr *expr, bool between_kinks,
                      const behind *k) {
  const hk_model *m = c->m;
  const int *slot;
  int n = hk_expr_slots(expr, &slot), own = hk_expr_degree(expr, between_kinks), inner = 1;
  for (int i = 0; i < n; i++) {
    bool known = k->used[slot[i]];
    k->used[slot[i]] = true;
    if (slot[i] == TIME) continue;
    const hk_channel *channel = &m->channel[m->variable_channel[slot[i]]];
    if (channel->owner != HK_OF_SENSOR) continue;
    int *degree = &k->degree[channel->index];
    if (!known) *degree = mark_slots(c, c->sensor.at[channel->index].expr.expr, between_kinks, k);
    inner = *degree > inner ? *degree : inner;
  }
  return own * inner < HK_NO_DEGREE ? own * inner : HK_NO_DEGREE;
}

/* Collects the variables of an expression in ascending order. If the expression is a polynomial of channels of at
 * most the degree `gentle`, `expr` of the result is NULL. */
static hk_watched look_behind(hk_compiler *c, const hk_item *item, const hk_expr *expr, int gentle,
                              const behind *k) {
  hk_model *m = c->m;
  hk_watched out = {.item = item};
  for (int pieces = 0; pieces < 2; pieces++) {
    memset(k->used, 0, (size_t)m->n_variables * sizeof *k->used);
    int degree = expr ? mark_slots(c, expr, pieces, k) : -1;
    if (degree <= gentle && !pieces) return out;
    out.gentle_in_pieces = degree <= GENTLE;
    out.degree = degree;
  }
  for (int i = 0; i < m->n_variables; i++) out.n_slots += k->used[i];
  int *slot = HK_NEW_ARRAY(&m->arena, int, out.n_slots + 1);
  c->out_of_memory = c->out_of_memory || !slot;
  if (!slot) return out;
  for (int i = 0, at = 0; i < m->n_variables; i++)
    if (k->used[i]) slot[at++] = i;
  out.expr = expr;
  out.slot = slot;
  return out;
}

/* Returns the slot of the sensor of which a term is a multiple, and the factor; -1: it is none. */
static int sensor_behind(const hk_expr *term, const behind *found, double *factor) {
  const int *slot;
  if (hk_expr_slots(term, &slot) != 1 || !found->sensor[*slot]) return -1;
  if (hk_expr_degree(term, false) != 1) return -1;
  found->value[*slot] = 1;
  double with = hk_expr_value(term, found->value);
  found->value[*slot] = 0;
  *factor = with - hk_expr_value(term, found->value);
  return *slot;
}

static void watch_term(hk_compiler *c, int force, int number, const hk_expr *term, double factor,
                       const behind *found) {
  hk_model *m = c->m;
  const hk_force *f = &c->force.at[force];
  hk_watched k = look_behind(c, f->item, term, GENTLE, found);
  if (!k.expr) return;
  k.timed = k.n_slots == 1 && k.slot[0] == TIME;
  if (k.timed && !hk_expr_may_bulge(k.expr)) return;
  k.text = f->expr[number].expr;
  k.factor = factor;
  k.force = force, k.number = number;
  k.of_state = f->item->type->category == HK_STATE;
  if (m->watched) m->watched[m->n_watched] = k;
  m->n_watched++;
}

/* Adds each term of an expression separately, so that a peak of one term is not hidden by the change of another. For
 * multiples of sensors only the factors are added up. factor: change of the load if the expression changes by 1. */
static void watch_terms(hk_compiler *c, int force, int number, const hk_expr *expr, double factor,
                        const behind *found) {
  int n = 0;
  const hk_expr *const *term =
      expr ? hk_expr_terms(&c->m->arena, expr, GENTLE, found->sensor, &n) : NULL;
  c->out_of_memory = c->out_of_memory || (expr && !term);
  for (int i = 0; term && i < n; i++) {
    double more;
    int sensor = sensor_behind(term[i], found, &more);
    if (sensor >= 0)
      found->share[sensor] += factor * more;
    else
      watch_term(c, force, number, term[i], factor, found);
  }
}

/* Adds the terms of an expression. A sensor in a sum is replaced by its terms, once, however many sums it appears in: all
 * sensors that read it have later slots and are replaced before. */
static void watch(hk_compiler *c, int force, int number, const behind *found) {
  const hk_model *m = c->m;
  watch_terms(c, force, number, c->force.at[force].expr[number].expr, 1, found);
  for (int slot = m->n_variables - 1; slot > TIME; slot--) {
    double share = found->share[slot];
    found->share[slot] = 0;
    if (share == 0) continue;
    int sensor = m->channel[m->variable_channel[slot]].index;
    watch_terms(c, force, number, c->sensor.at[sensor].expr.expr, share, found);
  }
}

/* Adds the expression of a motion, which depends on the time only. */
static void watch_motion(hk_compiler *c, const hk_item *item, int constraint, const hk_expr *expr,
                         const behind *found) {
  hk_model *m = c->m;
  if (!expr || !hk_expr_may_bulge(expr)) return;
  hk_watched k = look_behind(c, item, expr, GENTLE, found);
  if (!k.expr) return;
  k.timed = k.of_motion = true;
  k.text = expr;
  k.force = constraint;
  if (m->watched) m->watched[m->n_watched] = k;
  m->n_watched++;
}

static void list_watched(hk_compiler *c, const behind *found) {
  c->m->n_watched = 0;
  for (int i = 0; i < c->force.n; i++)
    for (int k = 0; k < c->force.at[i].n_expr; k++) watch(c, i, k, found);
  for (int i = 0; i < c->constraint.n; i++)
    watch_motion(c, c->constraint.at[i].item, i, c->constraint.at[i].value, found);
  for (int i = 0; i < c->m->n_nodes; i++) {
    const hk_item *item = c->m->node[i].item;
    const hk_body_ops *ops = item->type->ops;
    const hk_expr *angle[2] = {NULL, NULL};
    if (ops->guide) ops->guide(item, angle);
    for (int k = 0; k < 2; k++) watch_motion(c, item, -1, angle[k], found);
  }
}

/* Classifies the slots. A sensor comes after the channels that it reads. */
static void find_slots(const hk_compiler *c, const behind *found) {
  const hk_model *m = c->m;
  for (int i = TIME + 1; i < m->n_variables; i++) {
    const hk_channel *k = &m->channel[m->variable_channel[i]];
    found->sensor[i] = k->owner == HK_OF_SENSOR;
    found->at_output[i] =
        found->sensor[i] ? hk_expr_stays_unknown(c->sensor.at[k->index].expr.expr, found->at_output)
                         : !hk_channel_is_of_state(k);
  }
}

void hk_compile_watched(hk_compiler *c) {
  hk_model *m = c->m;
  size_t slots = (size_t)m->n_variables + 1;
  const behind found = {.used = HK_NEW_ARRAY(&m->arena, bool, slots),
                        .degree = HK_NEW_ARRAY(&m->arena, int, c->sensor.n + 1),
                        .sensor = HK_NEW_ARRAY(&m->arena, bool, slots),
                        .value = HK_NEW_ARRAY(&m->arena, double, slots),
                        .share = HK_NEW_ARRAY(&m->arena, double, slots),
                        .at_output = HK_NEW_ARRAY(&m->arena, bool, slots)};
  c->out_of_memory = c->out_of_memory || !found.used || !found.degree || !found.sensor ||
                     !found.value || !found.share || !found.at_output;
  if (c->out_of_memory) return;
  find_slots(c, &found);
  m->sensor_watched = HK_NEW_ARRAY(&m->arena, hk_watched, c->sensor.n + 1);
  c->out_of_memory = c->out_of_memory || !m->sensor_watched;
  if (c->out_of_memory) return;
  for (int i = 0; i < c->sensor.n; i++) {
    /* The condition of an event is always monitored, even if it is a polynomial of low degree. */
    bool condition = false;
    for (int k = 0; k < m->n_events; k++) condition = condition || m->event[k].sensor == i;
    m->sensor_watched[i] =
        look_behind(c, NULL, c->sensor.at[i].expr.expr, condition ? -1 : GENTLE, &found);
    m->sensor_watched[i].at_output =
        hk_expr_stays_unknown(c->sensor.at[i].expr.expr, found.at_output);
  }
  list_watched(c, &found);
  if (m->n_watched == 0) return;
  m->watched = HK_NEW_ARRAY(&m->arena, hk_watched, m->n_watched);
  c->out_of_memory = c->out_of_memory || !m->watched;
  if (m->watched) list_watched(c, &found);
}
