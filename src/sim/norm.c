/* Norms of displacements relative to the tolerance, and the round-off of displacements. */
#include "base/hot.h"
#include "node/dispatch.h"
#include "sim/sim.h"

HK_HOT void hk_copy(double *restrict b, const double *restrict a, int n) {
  for (int i = 0; i < n; i++) b[i] = a[i];
}

/* Keeps the larger magnitude of each pair of numbers. `probe` becomes NaN if an entry of x is not finite. */
HK_INLINE void keep_largest(hk_v4 x, hk_v4 *most, hk_v4 *probe) {
  typedef long long bits __attribute__((vector_size(32), aligned(8), may_alias));
  const bits sign = {INT64_MIN, INT64_MIN, INT64_MIN, INT64_MIN};
  hk_v4 size = (hk_v4)((bits)x & ~sign), was = *most, now = was;
  for (int l = 0; l < 4; l++) now[l] = size[l] > was[l] ? size[l] : was[l]; /* one instruction */
  *most = now;
  *probe += 0 * x;
}

HK_HOT double hk_max_abs(const double *x, int n, int *where) {
  hk_v4 most = {0}, probe = {0};
  int i = 0;
  for (; i + 4 <= n; i += 4) keep_largest(HK_V4C(x + i), &most, &probe);
  if (i < n) {
    hk_v4 rest = {x[i], i + 1 < n ? x[i + 1] : 0, i + 2 < n ? x[i + 2] : 0, 0};
    keep_largest(rest, &most, &probe);
  }
  double a = most[0] > most[1] ? most[0] : most[1], b = most[2] > most[3] ? most[2] : most[3];
  double largest = a > b ? a : b, sum = hk_v4_sum(probe);
  if (sum != sum) largest = NAN;
  if (where) {
    *where = -1;
    for (i = 0; i < n && *where < 0; i++)
      if (fabs(x[i]) == largest || !isfinite(x[i])) *where = i;
  }
  return largest;
}

/* Reference magnitude of a quantity that is not a length, such as a pressure: its error is relative to the larger of
 * its initial and its present value. */
static double number_size(double value) { return fmax(1, value * value); }

HK_HOT double hk_error_norm(const hk_sim *s, const double *d) {
  const hk_model *m = s->model;
  double length = 0, probe = 0;
  for (int i = 0; i < m->n_nodes; i++) {
    const hk_node *n = &m->node[i];
    const double *e = d + n->v;
    double l, a;
    hk_node_squares(n, e, &l, &a);
    a *= n->arm * n->arm;
    if (n->type->number) l /= number_size(s->x[m->at.q + n->q]);
    length = l > length ? l : length;
    length = a > length ? a : length;
    probe += 0 * (l + a); /* becomes NaN as soon as a value is not finite */
  }
  return sqrt(length) / hk_tolerance(s) + probe;
}

/* The error of a step is computed as a difference of positions. Far from the origin, small changes of a position are
 * lost in its round-off, and high-order formulas magnify this round-off. The smallest detectable error is this
 * multiple of the distance from the origin. */
static const double told = 3e-14;

static double farthest(const hk_sim *s) {
  const hk_model *m = s->model;
  double most = 0;
  for (int i = 0; i < m->n_nodes; i++) {
    const hk_node *n = &m->node[i];
    const double *q = s->x + m->at.q + n->q;
    if (n->type->number) continue;
    for (int k = 0, c = 0; k < n->nq; k++) {
      if (k == n->turn)
        c += 3, k += 4; /* a rotating node: three velocities, but a quaternion of four numbers */
      if (k >= n->nq) break;
      double size = fabs(q[k]) * (n->coordinate[c++].angular ? n->arm : 1);
      most = size > most ? size : most;
    }
  }
  return most;
}

double hk_least_told(const hk_sim *s) { return told * farthest(s); }

double hk_farthest(const hk_sim *s) { return s->told / told; }

double hk_round_off(const hk_sim *s) {
  const hk_model *m = s->model;
  return 1e-15 * fmax(fmax(1, m->length), hk_max_abs(s->x + m->at.q, m->nq, NULL)) /
         hk_tolerance(s);
}
