/* Semismooth Newton method on the map of Alart and Curnier [1991], exact cone:
 *
 *   F_N = P_N - max(0, P_N - xi_N)
 *   F_T = P_T - proj(P_T - xi_T; disc of radius mu max(0, P_N - xi_N))
 *
 * with unit step in the scaled problem, in which G has a diagonal of about one. Globalized by a
 * line search on |F|^2 and, if a step is not a descent direction or the matrix is nearly
 * singular (dependent contacts that all stick), by an increasing diagonal shift. */
#include "solve/contact_private.h"
#include "base/small_lu.h"

/* Computes F and xi at P.  Returns |F|^2. */
static double evaluate(const hk_contact_scaled *s, const double *P, double *xi, double *F) {
  const int dim = s->dim;
  double sum = 0;
  hk_contact_velocity(s, P, xi);
  for (int i = 0; i < s->contacts; i++) {
    const double *x = P + dim * i, *v = xi + dim * i;
    double *f = F + dim * i, n = fmax(0, x[0] - v[0]), r = s->mu[i] * n, t[2] = {0};
    for (int a = 1; a < dim; a++) t[a - 1] = x[a] - v[a];
    double length = sqrt(t[0] * t[0] + t[1] * t[1]), f_disc = length > r ? r / length : 1;
    f[0] = x[0] - n;
    for (int a = 1; a < dim; a++) f[a] = x[a] - f_disc * t[a - 1];
    for (int a = 0; a < dim; a++) sum += f[a] * f[a];
  }
  return sum;
}

/* Derivative A (3 x 3) of the projection for contact i: dF = dP - A (dP - G dP). */
static void projection_slope(const hk_contact_scaled *s, int i, const double *P, const double *xi,
                             double A[3][3]) {
  const int dim = s->dim;
  const double *x = P + dim * i, *v = xi + dim * i, mu = s->mu[i];
  double n = x[0] - v[0], t[2] = {0};
  memset(A, 0, 9 * sizeof(double));
  if (n <= 0) return; /* open */
  A[0][0] = 1;
  for (int a = 1; a < dim; a++) t[a - 1] = x[a] - v[a];
  double length = sqrt(t[0] * t[0] + t[1] * t[1]);
  if (length <= mu * n) { /* stick */
    for (int a = 1; a < dim; a++) A[a][a] = 1;
    return;
  }
  double ratio = mu * n / length;
  for (int a = 1; a < dim; a++) {
    A[a][0] = mu * t[a - 1] / length;
    for (int c = 1; c < dim && dim == 3; c++)
      A[a][c] = ratio * ((a == c) - t[a - 1] * t[c - 1] / (length * length));
  }
}

static void matrix(hk_contact_work *k, const double *P, const double *xi, double shift) {
  const hk_contact_scaled *s = &k->s;
  const int dim = s->dim, m = s->rows;
  for (int i = 0; i < s->contacts; i++) {
    double A[3][3];
    projection_slope(s, i, P, xi, A);
    for (int a = 0; a < dim; a++) {
      double *row = k->J + (dim * i + a) * m;
      for (int j = 0; j < m; j++) row[j] = 0;
      for (int c = 0; c < dim; c++) {
        if (A[a][c] == 0) continue;
        const double *g = s->G + (dim * i + c) * m;
        for (int j = 0; j < m; j++) row[j] += A[a][c] * g[j];
        row[dim * i + c] -= A[a][c];
      }
      row[dim * i + a] += 1 + shift;
    }
  }
}

/* k->step = -J^-1 k->step; false: singular. k->trial is used for the pivots here; search_line
 * overwrites it later. */
static bool solve(hk_contact_work *k) {
  const int m = k->s.rows;
  if (!hk_small_lu_factor(k->J, k->trial, m, 1e-14)) return false;
  hk_small_lu_solve(k->J, k->trial, m, k->step, 1);
  for (int r = 0; r < m; r++) k->step[r] = -k->step[r];
  return true;
}

/* Line search along k->step from P: the step is halved until |F|^2 decreases enough. P, xi, F
 * are updated; returns the new |F|^2, or the old one if no step was successful. */
static double search_line(hk_contact_work *k, double *P, double square) {
  const int m = k->s.rows;
  double t = 1;
  for (int half = 0; half < 12; half++, t *= 0.5) {
    for (int i = 0; i < m; i++) k->trial[i] = P[i] + t * k->step[i];
    double now = evaluate(&k->s, k->trial, k->xi, k->F);
    if (now <= (1 - 1e-4 * t) * square) {
      memcpy(P, k->trial, (size_t)m * sizeof *P);
      return now;
    }
  }
  evaluate(&k->s, P, k->xi, k->F);
  return square;
}

int hk_contact_newton(hk_contact_work *k, double *P, int steps) {
  const int m = k->s.rows;
  double square = evaluate(&k->s, P, k->xi, k->F), shift = 1e-10;
  for (int count = 0; count < steps; count++) {
    if (!(square > 1e-30 * m)) return count;
    matrix(k, P, k->xi, shift);
    memcpy(k->step, k->F, (size_t)m * sizeof *k->step);
    double before = square;
    if (solve(k)) square = search_line(k, P, square);
    if (square < before) {
      shift = fmax(1e-10, 0.01 * shift);
      continue;
    }
    /* If |F|^2 consists of round-off only, no step reduces it. */
    if (square < 1e-26 * m || shift > 10) return count + 1;
    shift *= 1000;
  }
  return steps;
}
