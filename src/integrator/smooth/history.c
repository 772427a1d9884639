/* Past steps and the polynomials through them: see history.h. */
#include "integrator/smooth/history.h"

enum { N_POWERS = 3 };
enum { HEAD = sizeof(hk_history) / sizeof(double) };

static int node_size(const hk_model *m, unsigned parts) {
  int places = m->nq + m->nv;
  return 1 + (parts & HK_PAST_PLACES ? places : 0) + (parts & HK_PAST_RATES ? places : 0) + m->nc +
         N_POWERS;
}

int hk_history_size(const hk_model *m, int room, unsigned parts) {
  return HEAD + room * node_size(m, parts);
}

void hk_history_forget(const hk_model *m, double *x, int room, unsigned parts) {
  hk_history *past = hk_history_of(m, x);
  *past = (hk_history){.room = room,
                       .parts = parts,
                       .newest = past->newest,
                       .order = 1,
                       .starting = 1,
                       .pace = past->pace,
                       .family = past->family,
                       .used_family = past->family,
                       .rest = past->rest};
}

/* The next slot of the ring buffer, or the previous one. */
static int slot_after(const hk_history *past, int steps) {
  int room = (int)past->room;
  return ((int)past->newest + steps + room) % room;
}

static int slot_at(const hk_model *m, const hk_history *past, int slot) {
  return m->at.size + HEAD + slot * node_size(m, (unsigned)past->parts);
}

/* If this kind of data is stored, returns *at, where its n doubles begin, and increases *at by
 * n. Otherwise returns NULL. */
static const double *part_of(bool held, int n, const double **at) {
  const double *p = *at;
  if (held) *at += n;
  return held ? p : NULL;
}

hk_past hk_history_node(const hk_model *m, const double *x, int j) {
  const hk_history *past = hk_history_in(m, x);
  if (j == 0)
    return (hk_past){.t = x[m->at.t],
                     .q = x + m->at.q,
                     .v = x + m->at.v,
                     .v_rate = x + m->at.vd,
                     .lambda = x + m->at.lambda,
                     .power = x + m->at.ledger + HK_LEDGER_POWER};
  const double *p = x + slot_at(m, past, slot_after(past, 1 - j));
  unsigned parts = (unsigned)past->parts;
  hk_past node = {.t = *p++};
  node.q = part_of(parts & HK_PAST_PLACES, m->nq, &p);
  node.v = part_of(parts & HK_PAST_PLACES, m->nv, &p);
  node.q_rate = part_of(parts & HK_PAST_RATES, m->nq, &p);
  node.v_rate = part_of(parts & HK_PAST_RATES, m->nv, &p);
  node.lambda = p, node.power = p + m->nc;
  return node;
}

static double *put(const double *from, int n, double *to) {
  hk_copy(to, from, n);
  return to + n;
}

void hk_history_push(const hk_model *m, const hk_past *now, const double *x0, bool kept,
                     double *x1) {
  const hk_history *old = hk_history_in(m, x0);
  hk_history *past = hk_history_of(m, x1);
  unsigned parts = (unsigned)old->parts;
  int size = node_size(m, parts), room = (int)old->room, last = (int)old->newest,
      next = slot_after(old, 1);
  /* The slot of the newest node of x0 is copied, unless x1 already contains this node. x1 may lack it for two reasons:
   * x1 held an older state than x0, or a rejected attempt of the step after x0 wrote its own node into this slot. */
  kept = kept && (past->newest == slot_after(old, -1) || past->newest == next);
  int first = kept ? slot_at(m, old, last) : slot_at(m, old, 0);
  hk_copy(x1 + first, x0 + first, kept ? size : room * size);
  double *p = x1 + slot_at(m, old, next);
  *p++ = now->t;
  if (parts & HK_PAST_PLACES) p = put(now->v, m->nv, put(now->q, m->nq, p));
  if (parts & HK_PAST_RATES) p = put(now->v_rate, m->nv, put(now->q_rate, m->nq, p));
  put(now->power, N_POWERS, put(now->lambda, m->nc, p));
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

/* Gauss rules on -1 to 1, with weights for an interval of length 1: three points are exact for polynomials through
 * six nodes (degree 5), six points for degree 11. */
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
  for (int j = 0; j < n;
       j++) { /* l_j is scale_j times the product of t - z_i over all other nodes i */
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

double hk_lagrange_product_integral(const double *z, int n, double a, double b) {
  const gauss_rule *rule = rule_for(n + 1);
  double h = b - a, sum = 0;
  for (int g = 0; g < rule->points; g++) {
    double t = a + 0.5 * h * (1 + rule->at[g]), p = h * rule->share[g];
    for (int j = 0; j < n; j++) p *= t - z[j];
    sum += p;
  }
  return sum;
}
