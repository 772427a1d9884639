/* Reference solutions independent of the library: minimal coordinates, long double.
 *
 * A mechanism is a set of point masses y_k(q) with weights w_k. A rigid body consists of seven of
 * them (its centre and two on each principal axis), with the same mass, centre and inertia; the
 * weight at the centre may be negative.  So no formula for angular velocity is needed, and
 *   M_ij = sum_k w_k dy_k/dq_i . dy_k/dq_j
 *   M q'' = Q(q, q') - sum_k w_k dy_k/dq_i . (d^2/de^2 y_k(q + e q'))
 * with derivatives by seven-point differences, accurate to about 1e-13.  Integrated by Runge-Kutta
 * of fourth order; callers halve the step to estimate the error. */
#ifndef REFERENCE_H
#define REFERENCE_H
#include <assert.h>
#include <math.h>
#include <string.h>

typedef long double real;
enum { REF_MAX_Q = 6, REF_MAX_POINTS = 64 };

typedef struct ref_system {
  int n, n_points;
  const void *data;
  /* Positions of the points. */
  void (*place)(const void *data, const real *q, real (*y)[3]);
  /* Potential energy; differentiated numerically.  May be NULL. */
  real (*potential)(const void *data, const real *q);
  real weight[REF_MAX_POINTS];
  real gravity[3];
} ref_system;

/* ---- rigid bodies as points ---- */

enum { REF_BODY_POINTS = 7 };
static const real ref_arm = 0.1L;

/* Weights of a body with principal inertias I: w_i a^2 = (I_j + I_k - I_i)/2 on axis i. */
static inline int ref_body_weights(real mass, const real I[3], real *w) {
  w[0] = mass;
  for (int i = 0; i < 3; i++) {
    real second = (I[(i + 1) % 3] + I[(i + 2) % 3] - I[i]) / 2;
    w[1 + 2 * i] = w[2 + 2 * i] = second / (2 * ref_arm * ref_arm);
    w[0] -= 2 * w[1 + 2 * i];
  }
  return REF_BODY_POINTS;
}

/* Points of a body at x with axes e[0..2]. */
static inline int ref_body_place(const real x[3], real e[3][3], real (*y)[3]) {
  for (int k = 0; k < 3; k++) {
    y[0][k] = x[k];
    for (int i = 0; i < 3; i++) {
      y[1 + 2 * i][k] = x[k] + ref_arm * e[i][k];
      y[2 + 2 * i][k] = x[k] - ref_arm * e[i][k];
    }
  }
  return REF_BODY_POINTS;
}

static inline void ref_cross(const real a[3], const real b[3], real c[3]) {
  c[0] = a[1] * b[2] - a[2] * b[1];
  c[1] = a[2] * b[0] - a[0] * b[2];
  c[2] = a[0] * b[1] - a[1] * b[0];
}
static inline real ref_dot(const real a[3], const real b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
static inline void ref_unit(real a[3]) {
  real s = 1 / sqrtl(ref_dot(a, a));
  for (int k = 0; k < 3; k++) a[k] *= s;
}
/* e = a rotated about the unit vector n by the angle (Rodrigues). */
static inline void ref_turn(const real n[3], real angle, const real a[3], real e[3]) {
  real c = cosl(angle), s = sinl(angle), d = (1 - c) * ref_dot(n, a), x[3];
  ref_cross(n, a, x);
  for (int k = 0; k < 3; k++) e[k] = c * a[k] + s * x[k] + d * n[k];
}
/* Axes of a body rotated by the vector phi, as rows. */
static inline void ref_axes(const real phi[3], real e[3][3]) {
  real angle = sqrtl(ref_dot(phi, phi)), n[3] = {0, 0, 1};
  for (int k = 0; k < 3 && angle > 0; k++) n[k] = phi[k] / angle;
  for (int i = 0; i < 3; i++) {
    real a[3] = {i == 0, i == 1, i == 2};
    ref_turn(n, angle, a, e[i]);
  }
}

/* ---- equations of motion ---- */

static const real ref_h = 2e-3L; /* step of the differences: truncation h^6/140, noise 1e-19/h^2 */
static const real ref_c1[3] = {45.0L / 60, -9.0L / 60, 1.0L / 60};
static const real ref_c2[4] = {-490.0L / 180, 270.0L / 180, -27.0L / 180, 2.0L / 180};

typedef real ref_cloud[REF_MAX_POINTS][3];

static inline void ref_shift(const ref_system *s, const real *q, const real *d, real step,
                             ref_cloud y) {
  real p[REF_MAX_Q];
  for (int i = 0; i < s->n; i++) p[i] = q[i] + step * d[i];
  s->place(s->data, p, y);
}

/* First (and, if y2, second) derivative of the points along d. */
static inline void ref_derive(const ref_system *s, const real *q, const real *d, ref_cloud y1,
                              real (*y2)[3]) {
  ref_cloud a, b;
  memset(y1, 0, sizeof a);
  if (y2) ref_shift(s, q, d, 0, y2);
  for (int k = 0; y2 && k < s->n_points; k++)
    for (int j = 0; j < 3; j++) y2[k][j] *= ref_c2[0] / (ref_h * ref_h);
  for (int m = 1; m <= 3; m++) {
    ref_shift(s, q, d, m * ref_h, a);
    ref_shift(s, q, d, -m * ref_h, b);
    for (int k = 0; k < s->n_points; k++)
      for (int j = 0; j < 3; j++) {
        y1[k][j] += ref_c1[m - 1] * (a[k][j] - b[k][j]) / ref_h;
        if (y2) y2[k][j] += ref_c2[m] * (a[k][j] + b[k][j]) / (ref_h * ref_h);
      }
  }
}

static inline real ref_slope(const ref_system *s, const real *q, int i) {
  real sum = 0, p[REF_MAX_Q];
  memcpy(p, q, sizeof p);
  for (int m = 1; m <= 3; m++) {
    p[i] = q[i] + m * ref_h;
    real above = s->potential(s->data, p);
    p[i] = q[i] - m * ref_h;
    sum += ref_c1[m - 1] * (above - s->potential(s->data, p)) / ref_h;
  }
  return sum;
}

/* x = A^-1 x by Gauss elimination with pivots; A is n x n in rows of REF_MAX_Q. */
static inline void ref_solve(int n, real A[][REF_MAX_Q], real *x) {
  for (int k = 0; k < n; k++) {
    int p = k;
    for (int i = k + 1; i < n; i++)
      if (fabsl(A[i][k]) > fabsl(A[p][k])) p = i;
    for (int j = 0; j < n; j++) {
      real t = A[k][j];
      A[k][j] = A[p][j];
      A[p][j] = t;
    }
    real t = x[k];
    x[k] = x[p];
    x[p] = t;
    for (int i = k + 1; i < n; i++) {
      real f = A[i][k] / A[k][k];
      for (int j = k; j < n; j++) A[i][j] -= f * A[k][j];
      x[i] -= f * x[k];
    }
  }
  for (int k = n - 1; k >= 0; k--) {
    for (int j = k + 1; j < n; j++) x[k] -= A[k][j] * x[j];
    x[k] /= A[k][k];
  }
}

/* The functions below, for velocities and first or second directional derivatives, need q and q' of
 * length REF_MAX_Q. */
static inline void ref_acceleration(const ref_system *s, const real *q, const real *qd, real *qdd) {
  ref_cloud y1[REF_MAX_Q], along, bias;
  real M[REF_MAX_Q][REF_MAX_Q];
  real speed = 0, way[REF_MAX_Q] = {0};
  for (int i = 0; i < s->n; i++) speed = fmaxl(speed, fabsl(qd[i]));
  for (int i = 0; i < s->n && speed > 0; i++) way[i] = qd[i] / speed;
  ref_derive(s, q, way, along, bias);
  for (int i = 0; i < s->n; i++) {
    real e[REF_MAX_Q] = {0};
    e[i] = 1;
    ref_derive(s, q, e, y1[i], NULL);
    qdd[i] = s->potential ? -ref_slope(s, q, i) : 0;
    for (int k = 0; k < s->n_points; k++)
      for (int j = 0; j < 3; j++)
        qdd[i] += s->weight[k] * y1[i][k][j] * (s->gravity[j] - speed * speed * bias[k][j]);
    for (int l = 0; l <= i; l++) {
      M[i][l] = 0;
      for (int k = 0; k < s->n_points; k++) M[i][l] += s->weight[k] * ref_dot(y1[i][k], y1[l][k]);
      M[l][i] = M[i][l];
    }
  }
  ref_solve(s->n, M, qdd);
}

/* ---- Runge-Kutta ---- */

enum { REF_MAX_STATE = 2 * REF_MAX_Q };
typedef void ref_rate(const void *data, real t, const real *x, real *xd);

static inline void ref_rk4(ref_rate *rate, const void *data, int n, real *x, real t, real h,
                           int steps) {
  real k[4][REF_MAX_STATE], y[REF_MAX_STATE] = {0};
  static const real c[4] = {0, 0.5L, 0.5L, 1};
  for (int s = 0; s < steps; s++, t += h) {
    for (int i = 0; i < 4; i++) {
      for (int j = 0; j < n; j++) y[j] = x[j] + (i ? c[i] * h * k[i - 1][j] : 0);
      rate(data, t + c[i] * h, y, k[i]);
    }
    for (int j = 0; j < n; j++) x[j] += h / 6 * (k[0][j] + 2 * k[1][j] + 2 * k[2][j] + k[3][j]);
  }
}

/* x = (q, q') of a ref_system: n coordinates, then their rates. */
static inline void ref_system_rate(const void *data, real t, const real *x, real *xd) {
  const ref_system *s = data;
  (void)t;
  real q[REF_MAX_Q] = {0}, qd[REF_MAX_Q] = {0};
  memcpy(q, x, (size_t)s->n * sizeof *q);
  memcpy(qd, x + s->n, (size_t)s->n * sizeof *q);
  memcpy(xd, qd, (size_t)s->n * sizeof *q);
  ref_acceleration(s, q, qd, xd + s->n);
}

static inline void ref_advance(const ref_system *s, real *x, real h, int steps) {
  ref_rk4(ref_system_rate, s, 2 * s->n, x, 0, h, steps);
}
#endif
