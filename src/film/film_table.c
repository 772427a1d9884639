/* See film_table.h. */
#include "film/film_table.h"
#include "base/hot.h"
#include <math.h>

enum { R_PART, S_PART, PEAK, N_PARTS };
enum { VALUE, BY_S, BY_PSI, TWIST };
enum { N_PSI = 49, LEAST_N = 13, MOST_N = 81 };
static const double SPACING = 0.14; /* grid spacing in -ln(1 - eps) */

/* ---- splines ---- */

/* Derivatives of the cubic spline through y, with values `stride` apart. End conditions: zero
 * derivative (even functions), zero curvature (odd functions), or the derivative of the cubic
 * through the first four points. */
typedef enum ends { EVEN, ODD, FREE } ends;

static double end_slope(const double *x, const double *y, int stride, int from, int step) {
  double slope = 0;
  for (int i = 1; i < 4; i++) { /* derivative of Lagrange's polynomials at the first point */
    double xi = x[from + step * i], others = 1;
    for (int j = 1; j < 4; j++)
      if (j != i) others *= (x[from] - x[from + step * j]) / (xi - x[from + step * j]);
    slope += others * (y[stride * (from + step * i)] - y[stride * from]) / (xi - x[from]);
  }
  return slope;
}

static void spline_slopes(int n, const double *x, const double *y, int stride, ends kind,
                          double *work, double *slope) {
  double *diagonal = work, *right = work + n, *up = work + 2 * n;
  for (int i = 1; i < n - 1; i++) {
    double h0 = x[i] - x[i - 1], h1 = x[i + 1] - x[i];
    double d0 = (y[stride * i] - y[stride * (i - 1)]) / h0,
           d1 = (y[stride * (i + 1)] - y[stride * i]) / h1;
    diagonal[i] = 2 * (h0 + h1);
    up[i] = h0;
    right[i] = 3 * (h1 * d0 + h0 * d1);
  }
  for (int e = 0; e < 2; e++) {
    int i = e ? n - 1 : 0, next = e ? n - 2 : 1;
    diagonal[i] = kind == ODD ? 2 : 1;
    up[i] = kind == ODD ? 1 : 0;
    right[i] = kind == EVEN  ? 0
               : kind == ODD ? 3 * (y[stride * next] - y[stride * i]) / (x[next] - x[i])
                             : end_slope(x, y, stride, i, e ? -1 : 1);
  }
  /* the subdiagonal is x[i + 1] - x[i]; in the last row it is `up` */
  for (int i = 1; i < n; i++) {
    double below = i < n - 1 ? x[i + 1] - x[i] : up[i], f = below / diagonal[i - 1];
    diagonal[i] -= f * up[i - 1];
    right[i] -= f * right[i - 1];
  }
  slope[n - 1] = right[n - 1] / diagonal[n - 1];
  for (int i = n - 2; i >= 0; i--) slope[i] = (right[i] - up[i] * slope[i + 1]) / diagonal[i];
}

/* ---- construction of a table ---- */

typedef struct maker {
  hk_film_table *t;
  double (*at)[N_PARTS][4];
  double *work, *slope; /* scratch for one grid line */
} maker;

static double sigma_of(double eps) { return 1 / sqrt(1 - eps); }

/* Values for one eccentricity. */
static void solve_row(maker *k, const hk_film_solver *solver, int i) {
  const hk_film_table *t = k->t;
  const double eps = -expm1(-t->s[i]), sigma = sigma_of(eps);
  solver->place(solver->context, eps);
  for (int j = 0; j < t->m; j++) {
    double V = cos(t->psi[j]) / sigma, W = j == t->m - 1 ? 0 : sin(t->psi[j]), speed = hypot(V, W),
           out[N_PARTS];
    solver->solve(solver->context, atan2(W, V), out);
    double(*to)[4] = k->at[i * t->m + j];
    to[PEAK][VALUE] = log(fmax(out[PEAK] * speed, 1e-300));
    if (i == 0) continue; /* 0/0: see solve_centre */
    to[R_PART][VALUE] = (out[0] * speed - t->base * V) / eps * pow(1 - eps, t->growth[0]);
    to[S_PART][VALUE] = (out[1] * speed - t->base * W) / eps * pow(1 - eps, t->growth[1]);
  }
}

/* At the centre, r and s are the derivatives of R and S with respect to eps. An eccentricity of -eps is an
 * eccentricity of eps in the opposite direction, so that central differences need only eps > 0. */
static void solve_centre(maker *k, const hk_film_solver *solver) {
  const double eps = 0.02;
  solver->place(solver->context, eps);
  for (int j = 0; j < k->t->m; j++) {
    double here[N_PARTS], there[N_PARTS], chi = k->t->psi[j];
    solver->solve(solver->context, chi, here);
    solver->solve(solver->context, M_PI - chi, there);
    k->at[j][R_PART][VALUE] = (here[0] + there[0]) / (2 * eps);
    k->at[j][S_PART][VALUE] = (here[1] - there[1]) / (2 * eps);
  }
}

static void set_slopes(maker *k) {
  const hk_film_table *t = k->t;
  const int stride = N_PARTS * 4, row = stride * t->m;
  for (int p = 0; p < N_PARTS; p++) {
    ends parity = p == S_PART ? ODD : EVEN;
    for (int i = 0; i < t->n; i++) {
      double(*at)[N_PARTS][4] = k->at + (size_t)i * (size_t)t->m;
      spline_slopes(t->m, t->psi, &at[0][p][VALUE], stride, parity, k->work, k->slope);
      for (int j = 0; j < t->m; j++) at[j][p][BY_PSI] = k->slope[j];
    }
    for (int q = VALUE; q <= BY_PSI; q += BY_PSI)
      for (int j = 0; j < t->m; j++) {
        spline_slopes(t->n, t->s, &k->at[j][p][q], row, FREE, k->work, k->slope);
        for (int i = 0; i < t->n; i++) k->at[i * t->m + j][p][q + 1] = k->slope[i];
      }
  }
}

hk_status hk_film_table_make(hk_arena *arena, const hk_film_solver *solver, double cut, double base,
                             const double growth[2], hk_film_table *out, hk_error *err) {
  const double range = -log1p(-cut);
  const int wanted = (int)ceil(range / SPACING) + 1;
  hk_film_table t = {.cut = cut, .base = base, .growth = {growth[0], growth[1]}, .m = N_PSI};
  t.n = wanted < LEAST_N ? LEAST_N : wanted > MOST_N ? MOST_N : wanted;
  double *s = HK_NEW_ARRAY(arena, double, t.n), *psi = HK_NEW_ARRAY(arena, double, t.m);
  double *room = HK_NEW_ARRAY(arena, double, 4 * MOST_N);
  double(*at)[N_PARTS][4] = hk_arena_alloc(arena, (size_t)(t.n * t.m) * sizeof *at);
  if (!s || !psi || !room || !at) return hk_fail(err, HK_ENOMEM, "out of memory");
  for (int i = 0; i < t.n; i++) s[i] = range * i / (t.n - 1);
  /* points are denser towards pi, where the journal moves away from the thin film and the force
   * is small */
  for (int j = 0; j < t.m; j++) {
    double left = 1 - (double)j / (t.m - 1);
    psi[j] = M_PI * (1 - left * left);
  }
  t.s = s, t.psi = psi, t.at = (const double(*)[N_PARTS][4])at;
  maker k = {.t = &t, .at = at, .work = room, .slope = room + 3 * MOST_N};
  for (int i = 0; i < t.n; i++) solve_row(&k, solver, i);
  solve_centre(&k, solver);
  set_slopes(&k);
  *out = t;
  return HK_OK;
}

/* ---- interpolation ---- */

/* A cell of the table, and the Hermite polynomials in it with their derivatives. */
typedef struct cell {
  int i, j;
  /* the four Hermite polynomials (value at 0, value at 1, derivative at 0, derivative at 1) along s and along psi, and
   * their derivatives */
  double s[4], s_d[4], psi[4], psi_d[4];
} cell;

HK_INLINE void hermite(double u, double width, double f[4], double d[4]) {
  double v = 1 - u;
  f[0] = v * v * (1 + 2 * u), f[1] = u * u * (1 + 2 * v);
  f[2] = width * u * v * v, f[3] = -width * u * u * v;
  d[0] = -6 * u * v / width, d[1] = -d[0];
  d[2] = v * (v - 2 * u), d[3] = u * (u - 2 * v);
}

HK_INLINE void find_cell(const hk_film_table *t, double s, double psi, cell *c) {
  double width = t->s[1], x = s / width, y = (1 - sqrt(fmax(0, 1 - psi / M_PI))) * (t->m - 1);
  c->i = x < t->n - 2 ? (int)x : t->n - 2;
  c->j = y < t->m - 2 ? (int)y : t->m - 2;
  if (c->j > 0 && psi < t->psi[c->j]) c->j--;
  double span = t->psi[c->j + 1] - t->psi[c->j];
  hermite(x - c->i, width, c->s, c->s_d);
  hermite((psi - t->psi[c->j]) / span, span, c->psi, c->psi_d);
}

/* Value of one part of the force, and its derivatives. */
HK_INLINE void read_part(const hk_film_table *t, const cell *c, int part, double out[3]) {
  double f[4][4]; /* [psi: value at 0, 1, derivative at 0, 1][the same for s] */
  for (int a = 0; a < 2; a++)
    for (int b = 0; b < 2; b++) {
      const double *at = t->at[(c->i + b) * t->m + c->j + a][part];
      f[a][b] = at[VALUE], f[a][2 + b] = at[BY_S];
      f[2 + a][b] = at[BY_PSI], f[2 + a][2 + b] = at[TWIST];
    }
  out[0] = out[1] = out[2] = 0;
  for (int a = 0; a < 4; a++) {
    double value = 0, slope = 0;
    for (int b = 0; b < 4; b++) value += f[a][b] * c->s[b], slope += f[a][b] * c->s_d[b];
    out[0] += c->psi[a] * value;
    out[1] += c->psi[a] * slope;
    out[2] += c->psi_d[a] * value;
  }
}

/* f = rho (1 - eps)^-growth a(s, psi) and its derivatives with respect to eps, V, W. */
typedef struct motion {
  double gap, s, sigma, rho, psi, rho_d[3], psi_d[3];
} motion;

HK_INLINE motion motion_at(double eps, double V, double W) {
  motion k = {.gap = 1 - eps, .s = -log1p(-eps), .sigma = sigma_of(eps)};
  /* at rest the direction of motion is undefined: the derivatives for a motion towards the wall are used */
  if (V == 0 && W == 0) V = 1e-150;
  double x = k.sigma * V, sigma_eps = 0.5 * k.sigma / k.gap;
  k.rho = sqrt(x * x + W * W);
  k.psi = atan2(W, x);
  const double x_d[3] = {sigma_eps * V, k.sigma, 0}, W_d[3] = {0, 0, 1};
  for (int i = 0; i < 3; i++) {
    k.rho_d[i] = (x * x_d[i] + W * W_d[i]) / k.rho;
    k.psi_d[i] = (x * W_d[i] - W * x_d[i]) / k.rho / k.rho;
  }
  return k;
}

HK_INLINE double part_at(const hk_film_table *t, const cell *c, const motion *k, int part,
                         double d[3]) {
  double a[3], g = pow(k->gap, -t->growth[part]);
  read_part(t, c, part, a);
  for (int i = 0; i < 3; i++) d[i] = g * (k->rho_d[i] * a[0] + k->rho * a[2] * k->psi_d[i]);
  d[0] += g * k->rho * (a[1] + t->growth[part] * a[0]) / k->gap;
  return g * k->rho * a[0];
}

HK_HOT void hk_film_table_read(const hk_film_table *t, double eps, double V, double W,
                               hk_film_rest *out) {
  bool within = eps < t->cut;
  motion k = motion_at(within ? eps : t->cut, V, W);
  cell c;
  double r[3], s[3];
  find_cell(t, k.s, k.psi, &c);
  out->r = part_at(t, &c, &k, R_PART, r);
  out->s = part_at(t, &c, &k, S_PART, s);
  out->r_eps = within ? r[0] : 0, out->r_V = r[1], out->r_W = r[2];
  out->s_eps = within ? s[0] : 0, out->s_V = s[1], out->s_W = s[2];
  out->s_by_W = W > 1e-9 * fabs(V) ? out->s / W : s[2];
}

double hk_film_table_peak(const hk_film_table *t, double eps, double V, double W) {
  if (V == 0 && W == 0) return 0;
  motion k = motion_at(eps < t->cut ? eps : t->cut, V, W);
  cell c;
  double a[3];
  find_cell(t, k.s, k.psi, &c);
  read_part(t, &c, PEAK, a);
  return k.rho * exp(a[0]);
}
