/* See film_sphere.h. */
#include "film/film_sphere.h"
#include <math.h>
#include <string.h>

/* Elements from pole to pole; EVERY elements form an interval of Simpson's rule. */
enum { N = 1920, EVERY = 4, POINTS = N / EVERY + 1 };

typedef struct sphere {
  bool cavitates;
  double theta[N + 1], g1[N + 1], room[3][N + 1];
  /* Values at the quadrature points: g0 and g1, sin(theta) dtheta/pi, cos(theta) and sin(theta). */
  double p0[POINTS], p1[POINTS], weight[POINTS], c[POINTS], s[POINTS];
} sphere;

/* Points are denser at the thin film, which extends over theta ~ sqrt(2 (1 - eps)). */
static void set_mesh(sphere *k, double eps) {
  double width = sqrt(2 * (1 - eps)), range = asinh(M_PI / width);
  for (int i = 0; i <= N; i++) k->theta[i] = width * sinh(range * i / N);
  k->theta[N] = M_PI;
  for (int i = 0; i < POINTS; i++) { /* Simpson's rule in i: theta is a smooth function of i */
    double simpson = i == 0 || i == POINTS - 1 ? 1 : i % 2 ? 4 : 2, at = range * i / (POINTS - 1);
    double theta = k->theta[EVERY * i];
    k->c[i] = cos(theta), k->s[i] = sin(theta);
    k->weight[i] = simpson / 3 * width * cosh(at) * range / (POINTS - 1) * k->s[i] / M_PI;
  }
}

static double cube(double x) { return x * x * x; }

static const double GAUSS = 0.28867513459481287; /* half of 1/sqrt(3) */

/* Linear elements of int H^3 (sin g' q' + g q/sin) = 2 int sin^2 q, g = 0 at the poles. */
static void solve_tangential(sphere *k, double eps) {
  double *diagonal = k->room[0], *up = k->room[1], *right = k->room[2];
  memset(k->room, 0, sizeof k->room);
  for (int i = 0; i < N; i++) {
    double h = k->theta[i + 1] - k->theta[i];
    for (int q = 0; q < 2; q++) {
      double u = 0.5 + (q ? GAUSS : -GAUSS), theta = k->theta[i] + h * u, s = sin(theta);
      double H3 = cube(1 - eps * cos(theta)) * 0.5 * h, stiff = H3 * s / (h * h), mass = H3 / s;
      diagonal[i] += stiff + mass * (1 - u) * (1 - u);
      diagonal[i + 1] += stiff + mass * u * u;
      up[i] += mass * u * (1 - u) - stiff;
      right[i] += h * s * s * (1 - u);
      right[i + 1] += h * s * s * u;
    }
  }
  for (int i = 2; i < N; i++) {
    double f = up[i - 1] / diagonal[i - 1];
    diagonal[i] -= f * up[i - 1];
    right[i] -= f * right[i - 1];
  }
  k->g1[0] = k->g1[N] = 0;
  for (int i = N - 1; i > 0; i--) k->g1[i] = (right[i] - up[i] * k->g1[i + 1]) / diagonal[i];
}

static void place(void *context, double eps) {
  sphere *k = context;
  set_mesh(k, eps);
  solve_tangential(k, eps);
  for (int i = 0; i < POINTS; i++) {
    double H = 1 - eps * k->c[i];
    k->p0[i] = k->c[i] * (1 - 0.5 * eps * k->c[i]) / (H * H);
    k->p1[i] = k->g1[EVERY * i];
  }
}

/* Integrals over phi of p = max(a + b cos(phi), 0), and of p cos(phi), b >= 0. */
static void around(double a, double b, double *all, double *along) {
  if (a >= b) {
    *all = 2 * M_PI * a, *along = M_PI * b;
  } else if (a <= -b) {
    *all = *along = 0;
  } else {
    double phi = acos(-a / b), sine = sqrt((b - a) * (b + a)) / b;
    *all = 2 * (a * phi + b * sine);
    *along = a * sine + b * phi; /* 2 a sine + b (phi + sine cos(phi)) */
  }
}

static void solve(void *context, double chi, double out[3]) {
  const sphere *k = context;
  const double V = cos(chi), W = sin(chi);
  double R = 0, S = 0, peak = 0;
  for (int i = 0; i < POINTS; i++) {
    double a = V * k->p0[i], b = fabs(W * k->p1[i]), all = 2 * M_PI * a, along = M_PI * b;
    if (k->cavitates) around(a, b, &all, &along);
    R += k->weight[i] * k->c[i] * all;
    S += k->weight[i] * k->s[i] * along;
    peak = fmax(peak, a + b);
  }
  out[0] = R, out[1] = S, out[2] = peak;
}

void hk_film_sphere_full(double eps, double *radial, double *tangential) {
  static const sphere none;
  sphere k = none; /* no cavitation: the whole pressure */
  double out[3];
  place(&k, eps);
  solve(&k, 0, out);
  *radial = out[0];
  solve(&k, M_PI / 2, out);
  *tangential = out[1];
}

hk_status hk_film_sphere_make(hk_arena *arena, double cut, bool cavitates, hk_film_table *out,
                              hk_error *err) {
  static const double growth[2] = {0.5, 0};
  sphere *k = HK_NEW(arena, sphere);
  if (!k) return hk_fail(err, HK_ENOMEM, "out of memory");
  k->cavitates = cavitates;
  const hk_film_solver solver = {k, place, solve};
  return hk_film_table_make(arena, &solver, cut, cavitates ? 2.0 / 3 : 4.0 / 3, growth, out, err);
}
