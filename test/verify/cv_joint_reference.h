/* A second, independent implementation of the plunging ball joint: its equations of motion from the
 * paper's geometry with plain arrays, without code of the library. It is the reference for contact
 * forces and, with a general solver for stiff equations, for whole motions.
 *
 * World axes.  State: outer race (angle, rate); inner race (x, v), its orientation Rx(tilt) Rz(W t)
 * is given; cage (x, v, quaternion, w); ball k (x, v, w).  Balls are spheres, so that their
 * orientation does not matter. */
#ifndef CV_JOINT_REFERENCE_H
#define CV_JOINT_REFERENCE_H
#include <math.h>
#include <string.h>

enum { CV_BALLS = 8 };
enum {
  CV_OUTER = 0,
  CV_INNER = 2,
  CV_CAGE = 8,
  CV_BALL = 21,
  CV_PER_BALL = 9,
  CV_STATES = CV_BALL + CV_PER_BALL * CV_BALLS
};

typedef struct cv_joint {
  double K, D, mu, vg1, vg2; /* contact law */
  double pcd, ball, track, aca, alpha, beta, clearance;
  double torque, deflection, speed;
  double m_ball, J_ball, m_cage, J_axial, J_transverse, m_inner, J_outer;
  double kz, dz, dxy, kcg, dcg, dcs; /* supports */
} cv_joint;

static const cv_joint CV_PAPER = {.K = 6e12,
                                  .D = 3e4,
                                  .mu = 0.03,
                                  .vg1 = 0.02,
                                  .vg2 = 0.0018,
                                  .pcd = 0.110,
                                  .ball = 0.0111125,
                                  .track = 1.05 * 0.0111125,
                                  .aca = 0.78539816339744831,
                                  .alpha = 0.10471975511965978,
                                  .beta = 0.083775804095727821,
                                  .clearance = 6e-6,
                                  .torque = 2000,
                                  .deflection = 0.034906585039886591,
                                  .speed = 31.415926535897931,
                                  .m_ball = 0.0451225,
                                  .J_ball = 0.4 * 0.0451225 * 0.0111125 * 0.0111125,
                                  .m_cage = 0.4,
                                  .J_axial = 1.2e-3,
                                  .J_transverse = 6.5e-4,
                                  .m_inner = 2,
                                  .J_outer = 0.02,
                                  .kz = 1e5,
                                  .dz = 100,
                                  .dxy = 1000,
                                  .kcg = 1e5,
                                  .dcg = 200,
                                  .dcs = 0.5};

/* Loads on each body: force and moment about its centre, and the normal forces. */
typedef struct cv_loads {
  double outer[6], inner[6], cage[6], ball[CV_BALLS][6];
  double normal[CV_BALLS][6]; /* inner loaded, counter; outer loaded, counter; window front, back */
} cv_loads;

static inline double cv_dot(const double *a, const double *b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
static inline void cv_cross(const double *a, const double *b, double *c) {
  double x = a[1] * b[2] - a[2] * b[1], y = a[2] * b[0] - a[0] * b[2];
  c[2] = a[0] * b[1] - a[1] * b[0];
  c[0] = x, c[1] = y;
}

/* The data of a rigid body that the contacts need. */
typedef struct cv_body {
  double x[3], v[3], w[3], A[3][3]; /* A: columns are the body's axes */
} cv_body;

static inline void cv_add_load(double load[6], const double *x, const double *at, const double *f,
                               double s) {
  double arm[3], m[3];
  for (int i = 0; i < 3; i++) arm[i] = at[i] - x[i];
  cv_cross(arm, f, m);
  for (int i = 0; i < 3; i++) load[i] += s * f[i], load[3 + i] += s * m[i];
}

/* One contact: n out of the ball into the other body, depth > 0.  The force acts at `at`, halfway between the two
 * surfaces, which overlap by the depth. */
static inline double cv_touch(const cv_joint *j, const cv_body *ball, const cv_body *other,
                              const double *n, double depth, const double *at, double *on_ball,
                              double *on_other) {
  double r[3], s[3], a[3], b[3], rel[3], f[3];
  if (!(depth > 0)) return 0;
  for (int i = 0; i < 3; i++) r[i] = at[i] - ball->x[i], s[i] = at[i] - other->x[i];
  cv_cross(ball->w, r, a);
  cv_cross(other->w, s, b);
  for (int i = 0; i < 3; i++) rel[i] = ball->v[i] + a[i] - other->v[i] - b[i];
  double rate = cv_dot(rel, n), x = depth / 1e-7, q = x < 1 ? x * x * (3 - 2 * x) : 1;
  double N = fmax(0, j->K * depth * sqrt(depth) + j->D * q * rate), v2 = 0;
  for (int i = 0; i < 3; i++) rel[i] -= rate * n[i], v2 += rel[i] * rel[i];
  double v = sqrt(v2), ratio = v > 1e-12 ? tanh(v / j->vg2) / v : 1 / j->vg2;
  double mu = j->mu * (1 + 0.2 * exp(-v / j->vg1)) * ratio;
  for (int i = 0; i < 3; i++) f[i] = -N * (n[i] + mu * rel[i]);
  cv_add_load(on_ball, ball->x, at, f, 1);
  cv_add_load(on_other, other->x, at, f, -1);
  return N;
}

/* The two flanks of track k of a race; side = +1 inner, -1 outer. */
static inline void cv_track(const cv_joint *j, int k, double side, const cv_body *race,
                            const cv_body *ball, double *on_race, double *on_ball, double N[2]) {
  double phi = 2 * M_PI * k / CV_BALLS, sign = side * (k % 2 ? -1 : 1);
  double a = sign * j->alpha, b = sign * j->beta, local[3], X[3], Y[3];
  double rtz[3][3] = {{cos(phi), sin(phi), 0}, {-sin(phi), cos(phi), 0}, {0, 0, 1}};
  double ex[3] = {cos(b), 0, sin(b)}, ey[3] = {sin(a) * sin(b), cos(a), -sin(a) * cos(b)};
  for (int i = 0; i < 3; i++) { /* position of the ball in the axes of the race, from the middle of
                                 * the track */
    local[i] = 0;
    for (int l = 0; l < 3; l++) local[i] += race->A[l][i] * (ball->x[l] - race->x[l]);
    local[i] -= 0.5 * j->pcd * rtz[0][i];
  }
  double x = 0, y = 0, e = j->track - j->ball;
  for (int i = 0; i < 3; i++) {
    double ux = 0, uy = 0;
    for (int l = 0; l < 3; l++) ux += ex[l] * rtz[l][i], uy += ey[l] * rtz[l][i];
    x += ux * local[i], y += uy * local[i];
    X[i] = ux, Y[i] = uy;
  }
  for (int flank = 0; flank < 2; flank++) {
    double mx = side * e * cos(j->aca), my = side * e * sin(j->aca) * (flank ? -1 : 1);
    double rx = x - mx, ry = y - my, L = hypot(rx, ry), n[3], at[3];
    for (int i = 0; i < 3; i++) {
      n[i] = 0;
      for (int l = 0; l < 3; l++) n[i] += race->A[i][l] * (rx * X[l] + ry * Y[l]) / L;
    }
    const double depth = L + j->ball - j->track;
    for (int i = 0; i < 3; i++) at[i] = ball->x[i] + (j->ball - 0.5 * depth) * n[i];
    N[flank] = cv_touch(j, ball, race, n, depth, at, on_ball, on_race);
  }
}

static inline void cv_window(const cv_joint *j, const cv_body *cage, const cv_body *ball,
                             double *on_cage, double *on_ball, double N[2]) {
  for (int face = 0; face < 2; face++) {
    double n[3], at[3], depth = -0.5 * j->clearance;
    for (int i = 0; i < 3; i++) n[i] = (face ? -1 : 1) * cage->A[i][2];
    for (int i = 0; i < 3; i++) depth += n[i] * (ball->x[i] - cage->x[i]);
    for (int i = 0; i < 3; i++) at[i] = ball->x[i] + (j->ball - 0.5 * depth) * n[i];
    N[face] = cv_touch(j, ball, cage, n, depth, at, on_ball, on_cage);
  }
}

static inline double cv_ramp(double x, double *slope) {
  if (x <= 0 || x >= 1) {
    *slope = 0;
    return x <= 0 ? 0 : 1;
  }
  *slope = 30 * x * x * (1 - x) * (1 - x);
  return x * x * x * (10 + x * (6 * x - 15));
}

static inline void cv_rotation(const double q[4], double A[3][3]) {
  double w = q[0], x = q[1], y = q[2], z = q[3], s = 2 / (w * w + x * x + y * y + z * z);
  double R[3][3] = {{1 - s * (y * y + z * z), s * (x * y - w * z), s * (x * z + w * y)},
                    {s * (x * y + w * z), 1 - s * (x * x + z * z), s * (y * z - w * x)},
                    {s * (x * z - w * y), s * (y * z + w * x), 1 - s * (x * x + y * y)}};
  memcpy(A, R, sizeof R);
}

static inline void cv_bodies(const cv_joint *j, double t, const double *y, cv_body *outer,
                             cv_body *inner, cv_body *cage) {
  double slope, tilt = j->deflection * cv_ramp((t - 0.02) / 0.05, &slope);
  double tilt_rate = j->deflection * slope / 0.05, c = cos(y[0]), s = sin(y[0]);
  *outer = (cv_body){.w = {0, 0, y[1]}, .A = {{c, -s, 0}, {s, c, 0}, {0, 0, 1}}};
  c = cos(j->speed * t), s = sin(j->speed * t);
  double ct = cos(tilt), st = sin(tilt);
  *inner = (cv_body){.w = {tilt_rate, -j->speed * st, j->speed * ct},
                     .A = {{c, -s, 0}, {ct * s, ct * c, -st}, {st * s, st * c, ct}}};
  memcpy(inner->x, y + CV_INNER, sizeof inner->x);
  memcpy(inner->v, y + CV_INNER + 3, sizeof inner->v);
  memcpy(cage->x, y + CV_CAGE, sizeof cage->x);
  memcpy(cage->v, y + CV_CAGE + 3, sizeof cage->v);
  cv_rotation(y + CV_CAGE + 6, cage->A);
  memcpy(cage->w, y + CV_CAGE + 10, sizeof cage->w);
}

/* All contacts and supports, without the brake. */
static inline void cv_evaluate(const cv_joint *j, double t, const double *y, cv_loads *out) {
  cv_body outer, inner, cage;
  memset(out, 0, sizeof *out);
  cv_bodies(j, t, y, &outer, &inner, &cage);
  for (int k = 0; k < CV_BALLS; k++) {
    const double *b = y + CV_BALL + CV_PER_BALL * k;
    cv_body ball = {.x = {b[0], b[1], b[2]}, .v = {b[3], b[4], b[5]}, .w = {b[6], b[7], b[8]}};
    cv_track(j, k, 1, &inner, &ball, out->inner, out->ball[k], out->normal[k]);
    cv_track(j, k, -1, &outer, &ball, out->outer, out->ball[k], out->normal[k] + 2);
    cv_window(j, &cage, &ball, out->cage, out->ball[k], out->normal[k] + 4);
  }
  for (int i = 0; i < 2; i++) {
    out->inner[i] -= j->dxy * inner.v[i];
    out->cage[i] -= j->kcg * cage.x[i] + j->dcg * cage.v[i];
  }
  out->inner[2] -= j->kz * inner.x[2] + j->dz * inner.v[2];
  /* Drag of the cage relative to the inner race, about the line that bisects the angle between
   * their axes n and z: (n + z)/(1 + n.z) has no relative rotation if both rotate at the same
   * speed, so that an articulated joint has no permanent drag. */
  double e[3], both = 1, spin = 0;
  for (int i = 0; i < 3; i++) both += cage.A[i][2] * inner.A[i][2];
  for (int i = 0; i < 3; i++) e[i] = (cage.A[i][2] + inner.A[i][2]) / both;
  for (int i = 0; i < 3; i++) spin += e[i] * (cage.w[i] - inner.w[i]);
  for (int i = 0; i < 3; i++) {
    out->cage[3 + i] -= j->dcs * spin * e[i];
    out->inner[3 + i] += j->dcs * spin * e[i];
  }
}

/* J w' = T - w x J w with J = J_t + (J_a - J_t) n n^T, in world axes. */
static inline void cv_cage_spin(const cv_joint *j, const double *y, const double *T, double *out) {
  double A[3][3], n[3], Jw[3], gyro[3];
  const double *w = y + CV_CAGE + 10;
  cv_rotation(y + CV_CAGE + 6, A);
  for (int i = 0; i < 3; i++) n[i] = A[i][2];
  double wn = cv_dot(w, n), dJ = j->J_axial - j->J_transverse;
  for (int i = 0; i < 3; i++) Jw[i] = j->J_transverse * w[i] + dJ * wn * n[i];
  cv_cross(w, Jw, gyro);
  double M[3] = {T[0] - gyro[0], T[1] - gyro[1], T[2] - gyro[2]}, Mn = cv_dot(M, n);
  for (int i = 0; i < 3; i++)
    out[i] = M[i] / j->J_transverse + (1 / j->J_axial - 1 / j->J_transverse) * Mn * n[i];
}

static inline void cv_derivative(const cv_joint *j, double t, const double *y, double *d) {
  cv_loads l;
  double slope, brake = j->torque * cv_ramp(t / 0.02, &slope);
  cv_evaluate(j, t, y, &l);
  d[0] = y[1];
  d[1] = (l.outer[5] - brake) / j->J_outer;
  const double *q = y + CV_CAGE + 6, *w = y + CV_CAGE + 10;
  for (int i = 0; i < 3; i++) {
    d[CV_INNER + i] = y[CV_INNER + 3 + i];
    d[CV_INNER + 3 + i] = l.inner[i] / j->m_inner;
    d[CV_CAGE + i] = y[CV_CAGE + 3 + i];
    d[CV_CAGE + 3 + i] = l.cage[i] / j->m_cage;
  }
  d[CV_CAGE + 6] = -0.5 * (w[0] * q[1] + w[1] * q[2] + w[2] * q[3]);
  d[CV_CAGE + 7] = 0.5 * (w[0] * q[0] + w[1] * q[3] - w[2] * q[2]);
  d[CV_CAGE + 8] = 0.5 * (w[1] * q[0] + w[2] * q[1] - w[0] * q[3]);
  d[CV_CAGE + 9] = 0.5 * (w[2] * q[0] + w[0] * q[2] - w[1] * q[1]);
  cv_cage_spin(j, y, l.cage + 3, d + CV_CAGE + 10);
  for (int k = 0; k < CV_BALLS; k++) {
    const double *b = y + CV_BALL + CV_PER_BALL * k;
    double *e = d + CV_BALL + CV_PER_BALL * k;
    for (int i = 0; i < 3; i++) {
      e[i] = b[3 + i];
      e[3 + i] = l.ball[k][i] / j->m_ball;
      e[6 + i] = l.ball[k][3 + i] / j->J_ball;
    }
  }
}

/* Straight, without load, rotating as one body. */
static inline void cv_start(const cv_joint *j, double *y) {
  memset(y, 0, CV_STATES * sizeof *y);
  y[1] = j->speed;
  y[CV_CAGE + 6] = 1;
  y[CV_CAGE + 12] = j->speed;
  for (int k = 0; k < CV_BALLS; k++) {
    double *b = y + CV_BALL + CV_PER_BALL * k, phi = 2 * M_PI * k / CV_BALLS, r = 0.5 * j->pcd;
    b[0] = r * cos(phi), b[1] = r * sin(phi);
    b[3] = -j->speed * b[1], b[4] = j->speed * b[0], b[8] = j->speed;
  }
}
#endif
