/* Exact solution of a single contact: open, stick or slip.
 *
 * 2D slip, s = sign of xi_T: P_T = -s mu P_N and xi_N = 0 give P_N = -b_N / (G_NN - s mu G_NT).
 * 3D slip along t(theta): P_T = -mu P_N t, xi_N = 0 and xi_T parallel to t. Multiplied by D =
 * G_NN - mu G_NT.t the last condition is
 *   f(theta) = (b_T D - b_N (G_TN - mu G_TT t)) x t = 0,
 * a trigonometric polynomial of degree two, with at most four roots [Bonnefon, Daviet 2011]. The
 * solution is a root with D > 0 and xi_T.t >= 0. */
#include "solve/contact_private.h"

static bool local_planar(const double *G, int ld, const double *b, double mu, double *P) {
  const double nn = G[0], nt = G[1], tn = G[ld], tt = G[ld + 1];
  double det = nn * tt - nt * tn;
  if (b[0] >= 0) {
    P[0] = P[1] = 0;
    return true;
  }
  if (tt == 0 && b[1] == 0 &&
      nn > 0) { /* without friction the velocity along the tangent would be zero */
    P[0] = -b[0] / nn, P[1] = 0;
    return true;
  }
  if (det > 1e-14 * nn * tt) {
    double n = (nt * b[1] - tt * b[0]) / det, t = (tn * b[0] - nn * b[1]) / det;
    if (n >= 0 && fabs(t) <= mu * n) {
      P[0] = n, P[1] = t;
      return true;
    }
  }
  double best = -HUGE_VAL, at = 0, sign = 0;
  for (int s = 1; s >= -1; s -= 2) {
    double D = nn - s * mu * nt;
    if (!(D > 0)) continue;
    double n = -b[0] / D, slip = s * (b[1] + (tn - s * mu * tt) * n);
    if (slip > best) best = slip, at = n, sign = s;
  }
  /* At the limit of sticking, round-off may make the slip slightly negative; the merit function
   * decides. */
  if (sign == 0) return false;
  P[0] = at, P[1] = -sign * mu * at;
  return true;
}

typedef struct slip {
  double G[3][3], b[3], mu;
} slip;

/* Returns f. Also computes the derivative of f, D, and the slip velocity along t. The results for D and the slip
 * velocity are multiplied by D. */
static double slip_equation(const slip *c, double theta, double *df, double *D, double *along) {
  double x = cos(theta), y = sin(theta), mu = c->mu;
  double d = c->G[0][0] - mu * (c->G[0][1] * x + c->G[0][2] * y);
  double dd = -mu * (-c->G[0][1] * y + c->G[0][2] * x);
  double vx = c->b[1] * d - c->b[0] * (c->G[1][0] - mu * (c->G[1][1] * x + c->G[1][2] * y));
  double vy = c->b[2] * d - c->b[0] * (c->G[2][0] - mu * (c->G[2][1] * x + c->G[2][2] * y));
  double dvx = c->b[1] * dd + c->b[0] * mu * (-c->G[1][1] * y + c->G[1][2] * x);
  double dvy = c->b[2] * dd + c->b[0] * mu * (-c->G[2][1] * y + c->G[2][2] * x);
  *df = dvx * y + vx * x - dvy * x + vy * y;
  *D = d;
  *along = vx * x + vy * y;
  return vx * y - vy * x;
}

/* Root between lo and hi, where f changes sign: Newton's method, safeguarded by bisection. */
static double slip_root(const slip *c, double lo, double hi, double flo) {
  double theta = 0.5 * (lo + hi), df, D, along;
  for (int k = 0; k < 60; k++) {
    double f = slip_equation(c, theta, &df, &D, &along);
    if (f == 0) break;
    if ((f > 0) == (flo > 0))
      lo = theta;
    else
      hi = theta;
    double next = theta - f / df;
    if (!(next > lo && next < hi)) next = 0.5 * (lo + hi);
    if (fabs(next - theta) <= 1e-16 * (1 + fabs(theta))) break;
    theta = next;
  }
  return theta;
}

static bool slip_take(const slip *c, double theta, double *P) {
  double df, D, along;
  slip_equation(c, theta, &df, &D, &along);
  if (!(D > 0) || along < 0) return false;
  P[0] = -c->b[0] / D;
  P[1] = -c->mu * P[0] * cos(theta), P[2] = -c->mu * P[0] * sin(theta);
  return true;
}

/* A few Newton steps from the last direction are usually sufficient. Otherwise all changes of sign
 * on a grid are examined; the grid separates four roots unless they nearly coincide. */
static bool slip_solve(const slip *c, double *P) {
  enum { GRID = 32 };
  double df, D, along;
  /* if there is no last direction: the direction of the motion without friction */
  double n = c->G[0][0] > 0 ? -c->b[0] / c->G[0][0] : 0;
  bool slid = P[1] != 0 || P[2] != 0;
  double theta =
      slid ? atan2(-P[2], -P[1]) : atan2(c->b[2] + c->G[2][0] * n, c->b[1] + c->G[1][0] * n);
  for (int k = 0; k < 10; k++) {
    double move = slip_equation(c, theta, &df, &D, &along) / df;
    if (!(fabs(move) < 0.5)) break;
    theta -= move;
    if (fabs(move) < 1e-8 && slip_take(c, theta, P)) return true;
  }
  double step = 2 * 3.14159265358979323846 / GRID;
  double before = slip_equation(c, 0, &df, &D, &along);
  for (int k = 1; k <= GRID; k++) {
    double f = slip_equation(c, k * step, &df, &D, &along);
    if ((f > 0) != (before > 0) && slip_take(c, slip_root(c, (k - 1) * step, k * step, before), P))
      return true;
    before = f;
  }
  return false;
}

/* G P = -b by Cholesky with symmetric pivoting; false if G is singular. */
static bool stick_spatial(const double *G, int ld, const double *b, double *P) {
  double a[3][4];
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) a[i][j] = G[i * ld + j];
    a[i][3] = -b[i];
  }
  double size = fmax(a[0][0], fmax(a[1][1], a[2][2]));
  for (int c = 0; c < 3; c++) {
    if (!(a[c][c] > 1e-13 * size)) return false;
    for (int r = c + 1; r < 3; r++) {
      double f = a[r][c] / a[c][c];
      for (int j = c; j < 4; j++) a[r][j] -= f * a[c][j];
    }
  }
  for (int r = 2; r >= 0; r--) {
    for (int j = r + 1; j < 3; j++) a[r][3] -= a[r][j] * P[j];
    P[r] = a[r][3] / a[r][r];
  }
  return true;
}

static bool local_spatial(const double *G, int ld, const double *b, double mu, double *P) {
  if (b[0] >= 0) {
    P[0] = P[1] = P[2] = 0;
    return true;
  }
  double nn = G[0], x[3];
  bool fixed = G[ld + 1] == 0 && G[2 * ld + 2] == 0;
  if (nn > 0 && (mu == 0 || (fixed && b[1] == 0 && b[2] == 0))) {
    P[0] = -b[0] / nn, P[1] = P[2] = 0;
    return true;
  }
  if (stick_spatial(G, ld, b, x) && x[0] >= 0 && hypot(x[1], x[2]) <= mu * x[0]) {
    memcpy(P, x, sizeof x);
    return true;
  }
  slip c = {.b = {b[0], b[1], b[2]}, .mu = mu};
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) c.G[i][j] = G[i * ld + j];
  return slip_solve(&c, P);
}

bool hk_contact_local(int dim, const double *G, int ld, const double *b, double mu, double *P) {
  return dim == 2 ? local_planar(G, ld, b, mu, P) : local_spatial(G, ld, b, mu, P);
}
