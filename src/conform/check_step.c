/* The derivative of a step against repeated steps: central differences of runs on the same grid of steps from nearby
 * states.  Periodic orbits, their multipliers and branches are computed with this derivative. */
#include "conform/checks.h"
#include "integrator/smooth/generalized_alpha.h"
#include "integrator/tangent.h"
#include <math.h>
#include <string.h>

enum { BEFORE = 5, STEPS = 4, COLUMNS = 3, SIZES = 6 };
static const double STEP = 2e-3, TIGHT = 1e-6, LIMIT = 2e-4, KINK = 0.05;

typedef struct grid {
  hk_sim *sim;
  double start;
  double *x, *from, *high, *low; /* states */
  double *seen;                  /* [2][2 nv] central and one-sided differences of d and w */
} grid;

static bool replay(grid *g, const double *x, double *out) {
  hk_error err = {0};
  if (hk_sim_state_set(g->sim, x)) return false;
  for (int k = 0; k < STEPS; k++)
    if (hk_sim_step_exactly(g->sim, g->start + (k + 1) * STEP, TIGHT, &err)) return false;
  hk_sim_state_get(g->sim, out);
  return true;
}

/* The state x displaced by eps times a column. */
static void displace(const grid *g, const double *c, double eps, double *out) {
  const hk_model *m = g->sim->model;
  const hk_column_parts at = hk_column_at(m);
  memcpy(out, g->x, hk_sim_state_size(g->sim));
  for (int i = 0; i < m->nv; i++) {
    g->seen[i] = eps * c[at.d + i];
    out[m->at.v + i] += eps * c[at.w + i];
    out[m->at.vd + i] += eps * c[at.vd + i];
    out[hk_alpha_at(m).a + i] += eps * c[at.a + i];
  }
  hk_configuration_add(m, g->x + m->at.q, g->seen, out + m->at.q);
  for (int r = 0; r < m->nc && m->friction; r++)
    out[m->at.lambda_shift + r] += eps * c[at.shift + r];
  for (int i = 0; i < m->n_memory; i++) out[m->at.memory + i] += eps * c[at.memory + i];
}

/* Computes the differences d and w between two states, divided by `by`. */
static void between(const hk_model *m, const double *from, const double *to, double by,
                    double *out) {
  hk_configuration_sub(m, to + m->at.q, from + m->at.q, out);
  for (int i = 0; i < m->nv; i++) {
    out[i] /= by;
    out[m->nv + i] = (to[m->at.v + i] - from[m->at.v + i]) / by;
  }
}

/* Largest differences of d and of w, each relative to its largest entry. For d, the reference is at least the
 * displacement within a step. */
static double apart(const double *a, const double *b, int nv) {
  double most[2] = {0}, size[2] = {0};
  for (int i = 0; i < 2 * nv; i++) {
    most[i / nv] = fmax(most[i / nv], fabs(a[i] - b[i]));
    size[i / nv] = fmax(size[i / nv], fabs(b[i]));
  }
  size[0] = fmax(size[0], STEP * size[1]);
  size[1] = fmax(size[1], 1e-3 * size[0] / STEP);
  double d = size[0] > 0 ? most[0] / size[0] : 0, w = size[1] > 0 ? most[1] / size[1] : 0;
  return fmax(d, w);
}

/* Smallest error of a column at the end of the step, for finite differences of several sizes. *kink: at the best
 * size, the two one-sided differences differ, because a contact opens or closes between them. */
static double judge(grid *g, const double *first, const double *last, const double *end,
                    bool *kink) {
  const hk_model *m = g->sim->model;
  double best = INFINITY, eps = 1e-5, *other = g->seen + 2 * m->nv;
  *kink = true;
  for (int k = 0; k < SIZES; k++, eps *= 0.1) {
    displace(g, first, eps, g->from);
    if (!replay(g, g->from, g->high)) continue;
    displace(g, first, -eps, g->from);
    if (!replay(g, g->from, g->low)) continue;
    between(m, g->low, g->high, 2 * eps, g->seen);
    double off = apart(last, g->seen, m->nv);
    between(m, end, g->high, eps, other);
    if (apart(other, g->seen, m->nv) < KINK) *kink = false;
    best = fmin(best, off);
  }
  return best;
}

/* Random changes that the joints allow: positions, then velocities. */
static bool draw_columns(hk_trial *t, grid *g, hk_tangent *tangent, double *column) {
  const hk_model *m = g->sim->model;
  const hk_column_parts at = hk_column_at(m);
  const double small = 1e-6;
  hk_error err = {0};
  for (int j = 0; j < COLUMNS; j++) {
    double *c = column + (size_t)j * (size_t)at.size, *q = g->from + m->at.q;
    memcpy(g->from, g->x, hk_sim_state_size(g->sim));
    for (int i = 0; i < m->nv; i++) {
      c[i] = small * hk_random(t, -1, 1);
      c[at.w + i] = hk_random(t, -1, 1) / STEP;
    }
    hk_configuration_add(m, g->x + m->at.q, c, q);
    if (hk_sim_project(g->sim, g->start, q, g->from + m->at.v, &err)) return false;
    hk_configuration_sub(m, q, g->x + m->at.q, c);
    for (int i = 0; i < m->nv; i++) c[i] /= small;
  }
  if (hk_sim_state_set(g->sim, g->x) || hk_tangent_project(tangent, g->x, column, COLUMNS, &err))
    return false;
  return hk_tangent_start(tangent, g->x, column, COLUMNS, &err) == HK_OK;
}

/* Makes the steps with their derivative. Returns false if a step does not converge or has no
 * derivative. */
static bool follow(hk_trial *t, grid *g, hk_tangent *tangent, double *column) {
  hk_error err = {0};
  if (hk_sim_state_set(g->sim, g->x)) return false;
  for (int k = 0; k < STEPS; k++) {
    hk_sim_state_get(g->sim, g->from);
    if (hk_sim_step_exactly(g->sim, g->start + (k + 1) * STEP, TIGHT, &err)) return false;
    hk_sim_state_get(g->sim, g->high);
    hk_status status = hk_tangent_step(tangent, g->from, STEP, g->high, column, COLUMNS, &err);
    if (status == HK_RETRY) return false;
    if (status) hk_trial_fail(t, "%s", err.text);
  }
  return true;
}

static void give_back_tangent(void *t) { hk_tangent_destroy(t); }

static void check(hk_trial *t, const hk_between *at) {
  const hk_type *type = t->type;
  hk_model *m;
  hk_error err = {0};
  hk_sim *moving = hk_check_moving(t, at, &m);
  if (m->set_valued || m->nv == 0) return;
  hk_trial_drop(t, moving);
  grid g = {
      .sim = hk_subject_sim(t, m, &(hk_sim_options){.stepper = "generalized_alpha", .step = STEP})};
  for (int i = 0; i < BEFORE; i++) /* the energy of these steps is not tested here */
    if (hk_sim_step(g.sim, 1e9, &err)) return;
  size_t size = hk_sim_state_size(g.sim), width = (size_t)hk_column_at(m).size;
  g.start = hk_sim_time(g.sim);
  g.x = hk_trial_room(t, 5 * size, 1);
  g.from = g.x + size / sizeof(double);
  g.high = g.from + size / sizeof(double);
  g.low = g.high + size / sizeof(double);
  double *end = g.low + size / sizeof(double);
  g.seen = hk_trial_room(t, 4 * (size_t)m->nv, sizeof(double));
  double *first = hk_trial_room(t, 2 * COLUMNS * width + 1, sizeof(double)),
         *column = first + COLUMNS * width;
  hk_sim_state_get(g.sim, g.x);
  hk_tangent *tangent;
  if (hk_tangent_create(g.sim, &tangent, &err)) hk_trial_fail(t, "%s", err.text);
  hk_trial_keep(t, tangent, give_back_tangent);
  if (!draw_columns(t, &g, tangent, column)) return;
  memcpy(first, column, COLUMNS * width * sizeof *first);
  if (!follow(t, &g, tangent, column)) return;
  memcpy(end, g.high, size);
  double limit = LIMIT + (t->staged ? t->stage.exact : 0);
  for (int j = 0; j < COLUMNS; j++) {
    bool kink;
    double off = judge(&g, first + (size_t)j * width, column + (size_t)j * width, end, &kink);
    if (kink) continue;
    hk_trial_worst(t, off / limit);
    if (off > limit)
      hk_trial_fail(t,
                    "%s '%s': the derivative of %d steps differs from repeated steps by %.2g of "
                    "its largest entry",
                    hk_category_name(type->category), type->name, STEPS, off);
  }
}

void hk_check_step(hk_trial *t) {
  const bool force = t->type->category == HK_FORCE;
  t->turn = HK_MILD_TURN;
  hk_subject_repeat(t, 4, 70,
                    &(hk_between){t->type->category == HK_MOTION ? HK_ON_GROUND : HK_ON_BODY,
                                  HK_ON_BODY, true, force},
                    check);
}
