/* Past steps and the polynomials through them: see history.h. */
#include "integrator/smooth/history.h"

enum { N_POWERS = 3 };
enum { HEAD = sizeof(hk_history) / sizeof(double) };

static int node_size(const hk_model *m) { return 1 + m->nq + m->nv + m->nc + N_POWERS; }

int hk_history_size(const hk_model *m, int room) { return HEAD + room * node_size(m); }

void hk_history_forget(const hk_model *m, double *x, int room) {
  hk_history *past = hk_history_of(m, x);
  *past = (hk_history){
      .room = room, .newest = past->newest, .order = 1, .starting = 1, .pace = past->pace};
}

/* A step further round, or back. */
static int slot_after(const hk_history *past, int steps) {
  int room = (int)past->room;
  return ((int)past->newest + steps + room) % room;
}

static int slot_at(const hk_model *m, int slot) { return m->at.size + HEAD + slot * node_size(m); }

hk_past hk_history_node(const hk_model *m, const double *x, int j) {
  if (j == 0)
    return (hk_past){x[m->at.t], x + m->at.q, x + m->at.v, x + m->at.lambda,
                     x + m->at.ledger + HK_LEDGER_POWER};
  const double *p = x + slot_at(m, slot_after(hk_history_in(m, x), 1 - j));
  return (hk_past){p[0], p + 1, p + 1 + m->nq, p + 1 + m->nq + m->nv,
                   p + 1 + m->nq + m->nv + m->nc};
}

void hk_history_push(const hk_model *m, const hk_past *now, const double *x0, bool kept,
                     double *x1) {
  const hk_history *old = hk_history_in(m, x0);
  hk_history *past = hk_history_of(m, x1);
  int size = node_size(m), room = (int)old->room, last = (int)old->newest,
      next = slot_after(old, 1);
  /* The state before x0 lacks x0's newest node; a try of the step after x0 has its own where this one comes. */
  kept = kept && (past->newest == slot_after(old, -1) || past->newest == next);
  int first = kept ? slot_at(m, last) : slot_at(m, 0);
  hk_copy(x1 + first, x0 + first, kept ? size : room * size);
  double *p = x1 + slot_at(m, next);
  p[0] = now->t;
  hk_copy(p + 1, now->q, m->nq);
  hk_copy(p + 1 + m->nq, now->v, m->nv);
  hk_copy(p + 1 + m->nq + m->nv, now->lambda, m->nc);
  hk_copy(p + 1 + m->nq + m->nv + m->nc, now->power, N_POWERS);
  *past = *old;
  past->newest = next;
  past->count = old->count + 1 < room ? old->count + 1 : room;
}

void hk_lagrange_value(const double *z, int n, double t, double *weight) {
  for (int j = 0; j < n; j++) {
    double w = 1;
    for (int i = 0; i < n; i++)
      if (i != j) w *= (t - z[i]) / (z[j] - z[i]);
    weight[j] = w;
  }
}

void hk_lagrange_extend(const double *z, int n, double t, const double *weight, double *out) {
  double w = 1;
  for (int j = 0; j < n; j++) {
    double over = 1 / (z[n] - z[j]);
    w *= (t - z[j]) * over;
    out[j] = weight[j] * (z[n] - t) * over;
  }
  out[n] = w;
}

void hk_lagrange_slope(const double *z, int n, double *weight) {
  weight[0] = 0;
  for (int i = 1; i < n; i++) weight[0] += 1 / (z[0] - z[i]);
  for (int j = 1; j < n; j++) {
    double w = 1 / (z[j] - z[0]);
    for (int i = 1; i < n; i++)
      if (i != j) w *= (z[0] - z[i]) / (z[j] - z[i]);
    weight[j] = w;
  }
}

/* Gauss's rules on -1 to 1, shares for a length of 1: three points are exact for the five degrees that six nodes have,
 * six for eleven. */
typedef struct gauss_rule {
  int points;
  double at[6], share[6];
} gauss_rule;

static const gauss_rule gauss3 = {
    3, {-0.7745966692414834, 0, 0.7745966692414834}, {5.0 / 18, 8.0 / 18, 5.0 / 18}};
static const gauss_rule gauss6 = {6,
                                  {-0.9324695142031521, -0.6612093864662645, -0.2386191860831969,
                                   0.2386191860831969, 0.6612093864662645, 0.9324695142031521},
                                  {0.0856622461895852, 0.1803807865240693, 0.2339569672863455,
                                   0.2339569672863455, 0.1803807865240693, 0.0856622461895852}};

static const gauss_rule *rule_for(int nodes) { return nodes <= 6 ? &gauss3 : &gauss6; }

void hk_lagrange_integral(const double *z, int n, double a, double b, double *weight) {
  const gauss_rule *rule = rule_for(n);
  double h = b - a, scale[HK_HISTORY_MOST], below[HK_HISTORY_MOST];
  for (int j = 0; j < n; j++) { /* l_j = scale_j times the product of t - z_i over the others */
    double w = 1;
    for (int i = 0; i < n; i++)
      if (i != j) w *= z[j] - z[i];
    scale[j] = h / w;
    weight[j] = 0;
  }
  for (int g = 0; g < rule->points; g++) {
    double t = a + 0.5 * h * (1 + rule->at[g]), p = rule->share[g];
    for (int j = 0; j < n; j++) below[j] = p, p *= t - z[j];
    p = 1;
    for (int j = n - 1; j >= 0; j--) weight[j] += scale[j] * below[j] * p, p *= t - z[j];
  }
}

double hk_lagrange_integral_first(const double *z, int n, double a, double b) {
  const gauss_rule *rule = rule_for(n);
  double h = b - a, w = 1, sum = 0;
  for (int i = 1; i < n; i++) w *= z[0] - z[i];
  double scale = h / w;
  for (int g = 0; g < rule->points; g++) {
    double t = a + 0.5 * h * (1 + rule->at[g]), p = 1;
    for (int j = n - 1; j > 0; j--) p *= t - z[j];
    sum += scale * rule->share[g] * p;
  }
  return sum;
}
