/* See film_journal.h. */
#include "film/film_journal.h"
#include <math.h>

enum { N = 160, MODES = 5, MOST_ROUNDS = 60 };

/* parts of the solution: inverse of the diagonal, right-hand side */
enum { INVERSE, RIGHT, N_PARTS };

typedef struct journal {
  double leak[MODES];                        /* (2 r lambda/L)^2 */
  double theta[N], width[N], H3[N], flow[N]; /* flow: H^3/dtheta from i to i + 1 */
  double cosine[N], sine[N];                 /* cosine and sine of theta */
  double source[N];                          /* source term for the current direction of motion */
  double in_mean[MODES];                     /* contribution of the modes to the mean pressure */
  double in_middle[MODES]; /* contribution of the modes to the pressure at mid-length */
  double mean[N], middle[N];
  double row[N][N_PARTS][MODES]; /* rows of the elimination */
  int first, count;              /* extent of the film: an arc of points, counted cyclically */
} journal;

/* Index modulo N, for -N <= i < 2 N. */
static int wrap(int i) { return i < 0 ? i + N : i < N ? i : i - N; }

/* Grid points around the bearing, denser at the thin film. */
static void place(void *context, double eps) {
  journal *k = context;
  double scale = sqrt(2 * (1 - eps)), range = asinh(M_PI / scale), edge[N + 1];
  for (int i = 0; i <= N; i++) edge[i] = scale * sinh(range * (2.0 * i / N - 1));
  for (int i = 0; i < N; i++) {
    k->theta[i] = 0.5 * (edge[i] + edge[i + 1]);
    k->width[i] = edge[i + 1] - edge[i];
    k->cosine[i] = cos(k->theta[i]);
    k->sine[i] = sin(k->theta[i]);
    double H = 1 - eps * k->cosine[i];
    k->H3[i] = H * H * H;
  }
  for (int i = 0; i < N; i++) {
    double H = 1 - eps * cos(edge[i + 1]), apart = k->theta[wrap(i + 1)] - k->theta[i];
    k->flow[i] = H * H * H / (apart > 0 ? apart : apart + 2 * M_PI);
  }
  k->count = 0;
}

static double lambda_of(int mode) { return (mode + 0.5) * M_PI; }
/* Contribution of a mode with unit source to the mean pressure. The contribution of the last
 * mode includes all omitted modes. */
static double share(int mode) {
  double l = lambda_of(mode), sum = 0;
  if (mode < MODES - 1) return 2 / (l * l);
  for (int i = 0; i < MODES - 1; i++) sum += share(i);
  return 1 - sum;
}

/* Solves all modes, with zero pressure outside the points of the film. */
static void solve_film(journal *k) {
  double before = k->flow[wrap(k->first - 1)];
  double held[MODES] = {0}, right[MODES] = {0},
         next[MODES] = {0}; /* values of the previous point, or of the next one in the back
                             * substitution */
  for (int i = 0; i < N; i++) k->mean[i] = k->middle[i] = 0;
  for (int n = 0, i = k->first; n < k->count; n++, i = wrap(i + 1)) {
    const double out = k->flow[i], both = before + out, leak = k->H3[i] * k->width[i];
    double(*row)[MODES] = k->row[n];
    for (int mode = 0; mode < MODES; mode++) {
      const double f = before * held[mode];
      held[mode] = 1 / (both + k->leak[mode] * leak - f * before);
      right[mode] = k->source[i] + f * right[mode];
      row[INVERSE][mode] = held[mode];
      row[RIGHT][mode] = right[mode];
    }
    before = out;
  }
  for (int n = k->count - 1; n >= 0; n--) {
    const int i = wrap(k->first + n);
    double(*row)[MODES] = k->row[n], mean = 0, middle = 0;
    for (int mode = 0; mode < MODES; mode++) {
      next[mode] = (row[RIGHT][mode] + k->flow[i] * next[mode]) * row[INVERSE][mode];
      mean += k->in_mean[mode] * next[mode];
      middle += k->in_middle[mode] * next[mode];
    }
    k->mean[i] = mean, k->middle[i] = middle;
  }
}

/* Returns the number of points by which the film is too long (> 0) or too short at one of its
 * ends. */
static int excess(const journal *k, bool end) {
  const int step = end ? 1 : -1, last = end ? k->first + k->count - 1 : k->first;
  int off = 0;
  while (off < k->count - 1 && k->mean[wrap(last - step * off)] < 0) off++;
  if (off) return off;
  /* Beyond the end of the film the motion increases the volume of the gap. The flow out of the
   * film must fill this volume. */
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

/* Finds the extent of the film. The search starts from the extent for a neighbouring direction or, if this is not
 * known, from the points with a positive source. */
static void find_film(journal *k, double chi) {
  const double c = cos(chi), s = sin(chi);
  for (int i = 0; i < N; i++) k->source[i] = (c * k->cosine[i] + s * k->sine[i]) * k->width[i];
  if (k->count == 0) {
    k->first = 0;
    while (k->source[k->first] > 0) k->first++;
    while (!(k->source[wrap(k->first)] > 0)) k->first++;
    k->first = wrap(k->first);
    while (k->source[wrap(k->first + k->count)] > 0) k->count++;
  }
  /* the film may grow only by a decreasing number of points after it was shortened, so that the iteration ends */
  int most[2] = {N, N};
  for (int round = 0; round < MOST_ROUNDS; round++) {
    solve_film(k);
    int by[2] = {excess(k, false), excess(k, true)};
    for (int e = 0; e < 2; e++) {
      if (by[e] < -most[e]) by[e] = -most[e];
      if (by[e] > 0) most[e] = by[e] / 2;
    }
    if (by[0] == 0 && by[1] == 0) break;
    k->first = wrap(k->first + by[0]);
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
    peak = fmax(peak, k->middle[i]);
    R += fmax(k->mean[i], 0) * k->cosine[i] * k->width[i];
    S += fmax(k->mean[i], 0) * k->sine[i] * k->width[i];
  }
  out[0] = R, out[1] = S, out[2] = peak;
}

hk_status hk_film_journal_make(hk_arena *arena, double slenderness, double cut, hk_film_table *out,
                               hk_error *err) {
  static const double growth[2] = {1.5, 1};
  journal *k = HK_NEW(arena, journal);
  if (!k) return hk_fail(err, HK_ENOMEM, "out of memory");
  for (int mode = 0; mode < MODES; mode++) {
    const double l = lambda_of(mode), by = l / slenderness;
    k->leak[mode] = by * by;
    k->in_mean[mode] = share(mode);
    k->in_middle[mode] = 2 * (mode % 2 ? -1 : 1) / l;
  }
  const hk_film_solver solver = {k, place, solve};
  double centre[3];
  place(k, 0);
  solve(k, 0, centre);
  return hk_film_table_make(arena, &solver, cut, centre[0], growth, out, err);
}
