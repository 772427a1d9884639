/* Explains why there is no periodic orbit, from the motion over more periods.
 *
 * An angle is compared modulo a revolution. If a force depends on the number of revolutions (a torsion spring on a
 * shaft that keeps turning), this is no orbit: the accelerations show the difference. Otherwise some periods are
 * simulated from the best state, then COUNT further ones, whose unknowns y_k are compared:
 *   drift one of the y changes in the same direction in every period
 *   settling   the changes per period still decrease
 *   repeat     y_(k+m) = y_k for some m > 1: the period is m times as long
 *   otherwise  the distance of a neighbouring motion stays small (two frequencies), grows in proportion to time
 *              (no losses: the period depends on the amplitude), or grows exponentially (chaos) */
#include "analysis/periodic_search.h"
#include <stdio.h>
#include <stdlib.h>

enum { SETTLE = 40, COUNT = 64, MOST_REPEAT = 16 };
static const double SAME = 0.02, NEAR = 1e-6, FAR = 1e-2;

typedef struct record {
  int n;
  double *y; /* [COUNT + 1][n] */
} record;

/* Simulates periods from q->x and records their ends. */
static hk_status simulate(hk_search *q, int periods, double *y, hk_error *err) {
  hk_shooter *p = &q->p;
  hk_status status = HK_OK;
  if (y) hk_shooter_chart(p, q->x, y);
  for (int k = 1; k <= periods && !status; k++) {
    p->frozen = q->s->option.step > 0 && !hk_integrator_can(q->s, HK_IMPACTS);
    status = hk_shooter_run(p, q->x, q->end, false, err);
    hk_search_go_on(q);
    if (!status && y) hk_shooter_chart(p, q->x, y + (size_t)k * (size_t)p->n);
  }
  return status;
}

static double apart(const record *r, int a, int b) {
  double most = 0;
  for (int i = 0; i < r->n; i++)
    most = fmax(most, fabs(r->y[(size_t)a * (size_t)r->n + (size_t)i] -
                           r->y[(size_t)b * (size_t)r->n + (size_t)i]));
  return most;
}

static bool drifts(const record *r) {
  for (int i = 0; i < r->n; i++) {
    const double *y = r->y + i;
    double first = y[r->n] - y[0], all = y[(size_t)COUNT * (size_t)r->n] - y[0];
    bool one_way = fabs(all) > 1;
    for (int k = 1; k < COUNT && one_way; k++)
      one_way = (y[(size_t)(k + 1) * (size_t)r->n] - y[(size_t)k * (size_t)r->n]) * first > 0;
    double last = y[(size_t)COUNT * (size_t)r->n] - y[(size_t)(COUNT - 1) * (size_t)r->n];
    if (one_way && fabs(last) > 0.5 * fabs(first)) return true;
  }
  return false;
}

/* Returns the number of periods after which the motion repeats; 0: it does not repeat within
 * MOST_REPEAT periods. */
static int find_repeat(const record *r) {
  double size = 0;
  for (int k = 1; k <= COUNT; k++) size = fmax(size, apart(r, k, 0));
  for (int m = 2; m <= MOST_REPEAT; m++) {
    double most = 0;
    for (int k = COUNT / 2; k + m <= COUNT; k++) most = fmax(most, apart(r, k + m, k));
    if (most < SAME * size) return m;
  }
  return 0;
}

/* Computes the ranges of the unknowns in the record; each is set to at least a thousandth of
 * the largest one. */
static void find_ranges(const record *r, double *range) {
  double most = 0;
  for (int i = 0; i < r->n; i++) {
    double low = INFINITY, high = -INFINITY;
    for (int k = 0; k <= COUNT; k++) {
      low = fmin(low, r->y[(size_t)k * (size_t)r->n + (size_t)i]);
      high = fmax(high, r->y[(size_t)k * (size_t)r->n + (size_t)i]);
    }
    range[i] = high - low;
    most = fmax(most, range[i]);
  }
  for (int i = 0; i < r->n; i++) range[i] = fmax(range[i], fmax(1e-3 * most, 1e-300));
}

/* Distances d[1..n] of a neighbouring motion after each period, in ranges of the unknowns: a shift in time then has
 * nearly the same size in all phases of an oscillation. The last distance may exceed FAR. */
static hk_status separate(hk_search *q, const record *r, const double *start, double *d, int *n,
                          hk_error *err) {
  hk_shooter *p = &q->p;
  double *c = calloc(3 * (size_t)r->n + 1, sizeof *c);
  if (!c) return hk_fail(err, HK_ENOMEM, "out of memory");
  double *y = c + r->n, *range = y + r->n;
  find_ranges(r, range);
  for (int i = 0; i < r->n; i++) c[i] = (i % 2 ? -NEAR : NEAR);
  memcpy(q->x, start, hk_search_bytes(q));
  hk_status status = hk_shooter_move(p, q->x, c, err);
  d[0] = 0;
  for (int i = 0; i < r->n; i++) d[0] = fmax(d[0], NEAR / range[i]);
  for (int k = 1; k <= COUNT && !status && (k == 1 || d[k - 1] <= FAR); k++) {
    status = simulate(q, 1, NULL, err);
    if (status) break;
    hk_shooter_chart(p, q->x, y);
    double most = 0;
    for (int i = 0; i < r->n; i++)
      most = fmax(most, fabs(y[i] - r->y[(size_t)k * (size_t)r->n + (size_t)i]) / range[i]);
    d[k] = most;
    *n = k;
  }
  free(c);
  return status;
}

static double largest(const double *d, int first, int last) {
  double most = 0;
  for (int k = first; k <= last; k++) most = fmax(most, d[k]);
  return most;
}

/* Compares the largest distance of all n periods with the largest of their first half. The ratio is
 *   d constant           1
 *   d = |a + b k|        2 for large b n, at most 3 (a < 0): neighbouring amplitudes have different periods
 *   d = d_0 exp(g k)     exp(g n / 2): about 100 if d reaches FAR, for any g
 * A power of 2 in k gives 4. Above this limit the growth is exponential. Over COUNT periods the ratio 4 corresponds
 * to g = ln 4 / 32 = 0.043, and linear growth to ln 2 / 32 = 0.022. The limit between a constant distance and linear
 * growth is half-way between the ratios of these two cases. */
static void tell_separation(const double *d, int n, char *text, size_t size) {
  static const double GROWS = 1.5, EXPLODES = 4;
  int half = n < 4 ? 1 : n / 2;
  double early = largest(d, 1, half), all = largest(d, 1, n);
  double growth = n > 1 ? log(all / early) / (n - half) : log(all / d[0]);
  if ((n == 1 && all > FAR) || all > EXPLODES * early)
    snprintf(text, size,
             "the motion is chaotic: neighbouring motions separate by a factor %.3g per period",
             exp(growth));
  else if (all > GROWS * early)
    snprintf(
        text, size,
        "neighbouring motions move apart in proportion to time: without losses the period depends "
        "on the amplitude, and every amplitude is an orbit of its own");
  else
    snprintf(
        text, size,
        "the motion has a second frequency (it is quasi-periodic), or another period than this "
        "one: neighbouring motions stay near");
}

hk_status hk_search_diagnose(hk_search *q, char *text, size_t size, hk_error *err) {
  hk_shooter *p = &q->p;
  p->T = q->best_T;
  memcpy(q->x, q->best, hk_search_bytes(q));
  bool wound = false;
  hk_status status = hk_shooter_run(p, q->x, q->end, false, err);
  if (!status) status = hk_search_revolutions(q, text, size, &wound, err);
  if (status || wound) return status;
  status = simulate(q, SETTLE, NULL, err);
  if (!status) status = hk_shooter_rebase(p, q->x, err);
  if (status) return status;
  record r = {.n = p->n, .y = calloc((COUNT + 1) * (size_t)p->n + 1, sizeof *r.y)};
  double *start = malloc(hk_search_bytes(q));
  if (!r.y || !start) status = hk_fail(err, HK_ENOMEM, "out of memory");
  if (!status) memcpy(start, q->x, hk_search_bytes(q));
  if (!status) status = simulate(q, COUNT, r.y, err);
  double first = 0, last = 0, d[COUNT + 1];
  int n = 0;
  for (int k = 0; k < 4 && !status; k++) {
    first = fmax(first, apart(&r, k, k + 1));
    last = fmax(last, apart(&r, COUNT - k - 1, COUNT - k));
  }
  int repeat = status ? 0 : find_repeat(&r);
  if (!status && drifts(&r))
    snprintf(text, size, "the motion drifts in one direction");
  else if (!status && last <= q->tolerance)
    snprintf(text, size, "a simulation reaches an orbit with this period: try --method plain");
  else if (!status && repeat)
    snprintf(text, size, "the motion repeats after %d periods: try --period \"%.10g s\"", repeat,
             repeat * p->T);
  else if (!status && last < 0.5 * first)
    snprintf(text, size,
             "transients still fade, by a factor %.4g per period: more periods are needed (--from, "
             "--runs)",
             pow(last / first, 1.0 / (COUNT - 4)));
  else if (!status && !(status = separate(q, &r, start, d, &n, err)))
    tell_separation(d, n, text, size);
  free(start);
  free(r.y);
  return status;
}
