/* Methods for the case that a Lemke path gives no acceptable solution.
 *
 * A complementarity problem is the search for a complementary cone that contains q: for each i
 * one of the columns e_i (w_i > 0) and -A_i (z_i > 0), q being a sum of these with nonnegative
 * weights. For a given choice this is a nonnegative least-squares problem, and the active-set
 * method [Lawson, Hanson 1974, ch. 23] permits linearly dependent columns. This method recovers
 * a solution from a path that has lost its accuracy, and it is used to search all cones if n is
 * small. */
#include "solve/lcp_private.h"

/* Entry i of the column that `choice` selects for pair j. */
static double cone_entry(const hk_lcp_scaled *s, const int *choice, int j, int i) {
  return choice[j] ? -s->A[j * s->ld + i] : i == j;
}

/* Computes the weights x of the columns with set[j] == 1 that fit q best, by modified Gram-Schmidt. If a column
 * depends on previous columns, its set[j] becomes 2. T holds Q, y is Q'q, and r is the part of q that is not yet
 * represented. R is not stored but recomputed. */
static void fit_columns(hk_lemke_work *k, const int *choice, int *set) {
  const hk_lcp_scaled *s = &k->s;
  const int n = s->n, ld = s->ld;
  double *Q = k->T;
  for (int i = 0; i < n; i++) k->r[i] = s->q[i];
  for (int j = 0; j < n; j++) {
    if (set[j] != 1) continue;
    double *v = Q + j * ld, before = 0, after = 0;
    for (int i = 0; i < n; i++) v[i] = cone_entry(s, choice, j, i), before += v[i] * v[i];
    for (int pass = 0; pass < 2; pass++)
      for (int l = 0; l < j; l++) {
        if (set[l] != 1) continue;
        double dot = 0;
        for (int i = 0; i < n; i++) dot += v[i] * Q[l * ld + i];
        for (int i = 0; i < n; i++) v[i] -= dot * Q[l * ld + i];
      }
    for (int i = 0; i < n; i++) after += v[i] * v[i];
    if (!(after > 1e-22 * before)) {
      set[j] = 2;
      continue;
    }
    double inverse = 1 / sqrt(after), dot = 0;
    for (int i = 0; i < n; i++) v[i] *= inverse, dot += v[i] * k->r[i];
    for (int i = 0; i < n; i++) k->r[i] -= dot * v[i];
    k->y[j] = dot;
  }
  /* Back substitution R x = Q'q; R is q_l . c_j. */
  for (int j = n - 1; j >= 0; j--) {
    k->x[j] = 0;
    if (set[j] != 1) continue;
    double sum = k->y[j], pivot = 0;
    for (int i = 0; i < n; i++) pivot += Q[j * ld + i] * cone_entry(s, choice, j, i);
    for (int l = j + 1; l < n; l++) {
      if (set[l] != 1) continue;
      double r = 0;
      for (int i = 0; i < n; i++) r += Q[j * ld + i] * cone_entry(s, choice, l, i);
      sum -= r * k->x[l];
    }
    k->x[j] = sum / pivot;
  }
}

/* Returns the column outside the set with the largest reduction of the residual; -1: none. */
static int steepest(const hk_lemke_work *k, const int *choice, const int *set) {
  const hk_lcp_scaled *s = &k->s;
  int best = -1;
  double most = 0;
  for (int j = 0; j < s->n; j++) {
    if (set[j]) continue;
    double slope = 0, length = 0;
    for (int i = 0; i < s->n; i++) {
      double c = cone_entry(s, choice, j, i);
      slope += c * k->r[i], length += c * c;
    }
    if (slope > 1e-13 * sqrt(length) && slope > most * sqrt(length))
      most = slope / sqrt(length), best = j;
  }
  return best;
}

/* Moves x back to the last point at which no weight is negative, and removes the columns with
 * zero weight. */
static void step_back(hk_lemke_work *k, int *set, const double *old) {
  const int n = k->s.n;
  double t = 1;
  int block = -1;
  for (int j = 0; j < n; j++)
    if (set[j] == 1 && k->x[j] <= 0) {
      double a = old[j] - k->x[j], ratio = a > 0 ? old[j] / a : 0;
      if (block < 0 || ratio < t) t = ratio, block = j;
    }
  for (int j = 0; j < n; j++)
    if (set[j] == 1) {
      k->x[j] = old[j] + t * (k->x[j] - old[j]);
      if (j == block || k->x[j] <= 0) k->x[j] = 0, set[j] = 0;
    }
}

static bool has_negative(const hk_lemke_work *k, const int *set) {
  for (int j = 0; j < k->s.n; j++)
    if (set[j] == 1 && k->x[j] <= 0) return true;
  return false;
}

/* Returns the merit of the best point of the cone `choice`; writes z and w. */
static double solve_cone(hk_lemke_work *k, const int *choice) {
  hk_lcp_scaled *s = &k->s;
  const int n = s->n;
  int *set = k->set;
  double *old = k->ratio;
  for (int j = 0; j < n; j++) set[j] = 0, old[j] = 0, k->x[j] = 0, k->r[j] = s->q[j];
  for (int turn = 0; turn < 3 * n; turn++) {
    for (int j = 0; j < n; j++) set[j] = set[j] == 2 ? 0 : set[j];
    int in = steepest(k, choice, set);
    if (in < 0) break;
    set[in] = 1;
    for (int inner = 0; inner <= n; inner++) {
      memcpy(old, k->x, (size_t)n * sizeof *old);
      fit_columns(k, choice, set);
      if (!has_negative(k, set)) break;
      step_back(k, set, old);
    }
  }
  for (int j = 0; j < n; j++) k->z[j] = choice[j] && set[j] == 1 && k->x[j] > 0 ? k->x[j] : 0;
  return hk_lcp_scaled_merit(n, s->ld, s, k->z, k->w);
}

/* Solves for the cone at which the last path ended. */
static double solve_last_cone(hk_lemke_work *k) {
  const int n = k->s.n;
  int *choice = k->nonbasic; /* the list of nonbasic variables is no longer used */
  for (int i = 0; i < n; i++) choice[i] = 0;
  for (int i = 0; i < n; i++)
    if (k->basis[i] >= n && k->basis[i] < 2 * n) choice[k->basis[i] - n] = 1;
  return solve_cone(k, choice);
}

static bool search_all_cones(hk_lemke_work *k) {
  const int n = k->s.n;
  if (n > HK_LCP_SMALL) return false;
  for (unsigned mask = 1; mask < 1u << n; mask++) {
    for (int i = 0; i < n; i++) k->nonbasic[i] = (int)(mask >> i & 1u);
    if (solve_cone(k, k->nonbasic) <= HK_LCP_TOL) return true;
  }
  return false;
}

/* Rules for other covering vectors, which lead to other paths: `lead` n puts the n-th most negative row of q first,
 * `spread` distributes the entries over [1, 1 + spread]. A positive number added to the diagonal ends every ray of a
 * copositive problem and, if small, does not change the correct cone. */
static const struct {
  int lead;
  double spread, pivot, regular;
} plan[] = {{0, 0, 1e-12, 0},     {2, 0, 1e-12, 0},    {3, 0, 1e-12, 0},
            {0, 1, 1e-10, 0},     {0, 3, 1e-14, 0},    {0, 0.5, 1e-9, 0},
            {0, 0, 1e-12, 1e-10}, {0, 1, 1e-12, 1e-8}, {0, 2, 1e-12, 1e-6}};
enum { PLANNED = sizeof plan / sizeof *plan, TURNS = 4 };

/* Returns the row of q with the rank-th most negative entry; -1: none. */
static int negative_row(const hk_lcp_scaled *s, int rank) {
  for (int i = 0; i < s->n; i++) {
    int before = 0;
    for (int j = 0; j < s->n; j++) before += s->q[j] < s->q[i] || (j < i && s->q[j] == s->q[i]);
    if (before == rank - 1) return s->q[i] < 0 ? i : -1;
  }
  return -1;
}

/* Sets the covering vector of attempt a. The entries of the vector are computed from multiples of the golden ratio,
 * which are distributed evenly in an interval. In later rounds the entries are spread over powers of ten. So each row
 * is the first pivot row in some attempt. Returns false if the vector is equal to an earlier one. */
static bool set_cover(hk_lemke_work *k, int a) {
  const int n = k->s.n, turn = a / PLANNED;
  for (int i = 0; i < k->s.ld; i++) {
    double x = 0.6180339887498949 * (double)(i + 1) * (double)(a + 1);
    x -= floor(x);
    double spread = plan[a % PLANNED].spread;
    k->cover[i] = i >= n ? 0 : turn == 0 ? 1 + spread * x : pow(10, turn * (2 * x - 1));
  }
  if (turn > 0 || plan[a].lead == 0) return true;
  int lead = negative_row(&k->s, plan[a].lead);
  if (lead >= 0) k->cover[lead] = 0.25 * fabs(k->s.q[lead]); /* |q| < 2 */
  return lead >= 0;
}

hk_lcp_status hk_lcp_rescue(hk_lemke_work *k, hk_lcp_status first, int *pivots) {
  const int n = k->s.n;
  for (int a = first == HK_LCP_RAY; a < TURNS * PLANNED; a++) {
    if (a == PLANNED && search_all_cones(k)) return HK_LCP_SOLVED;
    if (a == PLANNED && n <= HK_LCP_SMALL) break;
    if (!set_cover(k, a)) continue;
    hk_lemke_rule rule = {k->cover, plan[a % PLANNED].pivot, 1e-12, plan[a % PLANNED].regular,
                          10 * n + 50};
    double merit;
    hk_lcp_status end = hk_lemke_path(k, &rule, &merit, pivots);
    if (end == HK_LCP_SOLVED && merit <= HK_LCP_TOL) return HK_LCP_SOLVED;
    if (end == HK_LCP_SOLVED && solve_last_cone(k) <= HK_LCP_TOL) return HK_LCP_SOLVED;
  }
  return first == HK_LCP_SOLVED ? HK_LCP_LIMIT : first;
}
