/* See film_journal.h. */
#include "film/film_journal.h"
#include <math.h>

enum { N = 160, MODES = 5, MOST_ROUNDS = 60 };

typedef struct journal {
  double leak;                               /* (2 r/L)^2 */
  double theta[N], width[N], H3[N], flow[N]; /* flow: H^3/dtheta from i to i + 1 */
  double source[N], part[MODES];             /* of the direction in hand; shares of the modes */
  double g[MODES][N], mean[N];
  double diagonal[N], right[N];
  int first, count; /* the film: an arc of points, counted around */
} journal;

static int wrap(int i) { return i < 0 ? i + N : i < N ? i : i - N; } /* -N <= i < 2 N */

/* Points around the bearing, closer where the film is thin. */
static void place(void *context, double eps) {
  journal *k = context;
  double scale = sqrt(2 * (1 - eps)), range = asinh(M_PI / scale), edge[N + 1];
  for (int i = 0; i <= N; i++) edge[i] = scale * sinh(range * (2.0 * i / N - 1));
  for (int i = 0; i < N; i++) {
    k->theta[i] = 0.5 * (edge[i] + edge[i + 1]);
    k->width[i] = edge[i + 1] - edge[i];
    double H = 1 - eps * cos(k->theta[i]);
    k->H3[i] = H * H * H;
  }
  for (int i = 0; i < N; i++) {
    double H = 1 - eps * cos(edge[i + 1]), apart = k->theta[wrap(i + 1)] - k->theta[i];
    k->flow[i] = H * H * H / (apart > 0 ? apart : apart + 2 * M_PI);
  }
  k->count = 0;
}

static double lambda_of(int mode) { return (mode + 0.5) * M_PI; }
/* Part of a mode with a unit source in the mean pressure.  The last stands for those left out. */
static double share(int mode) {
  double l = lambda_of(mode), sum = 0;
  if (mode < MODES - 1) return 2 / (l * l);
  for (int i = 0; i < MODES - 1; i++) sum += share(i);
  return 1 - sum;
}

/* One mode with no pressure outside of the film's points. */
static void solve_mode(journal *k, int mode) {
  const double l = lambda_of(mode), leak = k->leak * l * l;
  double *g = k->g[mode];
  for (int i = 0; i < N; i++) g[i] = 0;
  for (int n = 0; n < k->count; n++) {
    int i = wrap(k->first + n), before = wrap(i - 1);
    k->diagonal[n] = k->flow[i] + k->flow[before] + leak * k->H3[i] * k->width[i];
    k->right[n] = k->source[i];
    if (n == 0) continue;
    double f = k->flow[before] / k->diagonal[n - 1];
    k->diagonal[n] -= f * k->flow[before];
    k->right[n] += f * k->right[n - 1];
  }
  for (int n = k->count - 1; n >= 0; n--) {
    int i = wrap(k->first + n);
    double next = n == k->count - 1 ? 0 : g[wrap(i + 1)];
    g[i] = (k->right[n] + k->flow[i] * next) / k->diagonal[n];
  }
}

static void solve_film(journal *k) {
  for (int i = 0; i < N; i++) k->mean[i] = 0;
  for (int mode = 0; mode < MODES; mode++) {
    solve_mode(k, mode);
    for (int n = 0; n < k->count; n++) {
      int i = wrap(k->first + n);
      k->mean[i] += k->part[mode] * k->g[mode][i];
    }
  }
}

/* Points by which the film is too long (> 0) or too short at one of its ends. */
static int excess(const journal *k, bool end) {
  const int step = end ? 1 : -1, last = end ? k->first + k->count - 1 : k->first;
  int off = 0;
  while (off < k->count - 1 && k->mean[wrap(last - step * off)] < 0) off++;
  if (off) return off;
  /* What flows out must be taken up by what is squeezed away behind it. */
  int i = wrap(last), out = end ? i : wrap(i - 1);
  double flow = k->flow[out] * k->mean[i];
  while (-off < N - 1 - k->count) {
    i = wrap(i + step);
    flow += k->source[i];
    if (!(flow > 0)) break;
    off--;
  }
  return off;
}

/* The film where it must be, beginning with where it was for a direction close by, or else with the
 * points that have a source. */
static void find_film(journal *k, double chi) {
  for (int i = 0; i < N; i++) k->source[i] = cos(k->theta[i] - chi) * k->width[i];
  if (k->count == 0) {
    k->first = 0;
    while (k->source[k->first] > 0) k->first++;
    while (!(k->source[wrap(k->first)] > 0)) k->first++;
    while (k->source[wrap(k->first + k->count)] > 0) k->count++;
  }
  int most[2] = {N, N}; /* a film that was cut back grows by less each time, so that this ends */
  for (int round = 0; round < MOST_ROUNDS; round++) {
    solve_film(k);
    int by[2] = {excess(k, false), excess(k, true)};
    for (int e = 0; e < 2; e++) {
      if (by[e] < -most[e]) by[e] = -most[e];
      if (by[e] > 0) most[e] = by[e] / 2;
    }
    if (by[0] == 0 && by[1] == 0) break;
    k->first = wrap(wrap(k->first) + by[0]);
    k->count -= by[0] + by[1];
    if (k->count > N - 1) k->count = N - 1;
    if (k->count < 1) k->count = 1;
  }
}

static void solve(void *context, double chi, double out[3]) {
  journal *k = context;
  double R = 0, S = 0, peak = 0;
  find_film(k, chi);
  for (int i = 0; i < N; i++) {
    double middle = 0;
    for (int mode = 0; mode < MODES; mode++)
      middle += 2 * (mode % 2 ? -1 : 1) / lambda_of(mode) * k->g[mode][i];
    peak = fmax(peak, middle);
    R += fmax(k->mean[i], 0) * cos(k->theta[i]) * k->width[i];
    S += fmax(k->mean[i], 0) * sin(k->theta[i]) * k->width[i];
  }
  out[0] = R, out[1] = S, out[2] = peak;
}

hk_status hk_film_journal_make(hk_arena *arena, double slenderness, double cut, hk_film_table *out,
                               hk_error *err) {
  static const double growth[2] = {1.5, 1};
  journal *k = HK_NEW(arena, journal);
  if (!k) return hk_fail(err, HK_ENOMEM, "out of memory");
  k->leak = 1 / (slenderness * slenderness);
  for (int mode = 0; mode < MODES; mode++) k->part[mode] = share(mode);
  const hk_film_solver solver = {k, place, solve};
  double centre[3];
  place(k, 0);
  solve(k, 0, centre);
  return hk_film_table_make(arena, &solver, cut, centre[0], growth, out, err);
}
