/* The universal joint with clearance by a second method: flights in closed form.  For the small
 * angles of this system (1e-3 rad) its equations are linear between contacts: J1 q1'' = T0 sin(W t)
 * and I qc'' + D qc' + K qc = 0, both solved exactly; impacts are located by bisection.  Impacts
 * follow Newton's law with friction, with sticking and sliding as trial states.  A series of
 * impacts that would end within `rest` is treated as a closed contact; a closed contact is one
 * degree of freedom with friction, integrated by Runge-Kutta, until its force changes sign.  Two
 * neighbouring motions give the exponent. */
#ifndef UJOINT_FLIGHTS_H
#define UJOINT_FLIGHTS_H
#include <math.h>
#include <stdbool.h>

typedef struct uf_joint {
  double C, W, J1, I, K, D, L, R, nu, mu, e, T0, rest;
} uf_joint;
typedef struct uf_state {
  double t, q1, qc, w1, wc;
  int side;    /* 0: open; +1, -1: closed at q1 - qc = side C/L */
  int impacts; /* number of impacts with an approach velocity above 1e-2 rad/s */
} uf_state;

static inline uf_joint uf_table_1(double C, double W) {
  const double b = 5 * M_PI / 180, eta = 1 / cos(b), nu = -tan(b);
  return (uf_joint){.C = C,
                    .W = W,
                    .J1 = .014,
                    .I = .012 * eta * eta + .00202 * nu * nu + .00111,
                    .K = 1000 * eta * eta,
                    .D = 5 * eta * eta,
                    .L = .04,
                    .R = .02,
                    .nu = nu,
                    .mu = .8,
                    .e = .45,
                    .T0 = 1,
                    .rest = 2e-5};
}

static inline uf_state uf_fly(const uf_joint *j, const uf_state *a, double t) {
  const double h = t - a->t, V = j->T0 / (j->J1 * j->W), A = V / j->W;
  const double drift = a->w1 + V * cos(j->W * a->t);
  const double d = j->D / (2 * j->I), w = sqrt(j->K / j->I - d * d), B = (a->wc + d * a->qc) / w;
  const double E = exp(-d * h), co = E * cos(w * h), si = E * sin(w * h);
  uf_state b = *a;
  b.t = t;
  b.w1 = drift - V * cos(j->W * t);
  b.q1 = a->q1 + drift * h + A * (sin(j->W * a->t) - sin(j->W * t));
  b.qc = a->qc * co + B * si;
  b.wc = -d * b.qc + w * (B * co - a->qc * si);
  return b;
}

static inline void uf_hit(const uf_joint *j, uf_state *s, int side) {
  const double gN = -side * j->L * (s->w1 - s->wc), gT = j->nu * j->R * s->wc;
  const double NN = j->L * j->L * (1 / j->J1 + 1 / j->I), NT = side * j->L * j->nu * j->R / j->I;
  const double TT = j->nu * j->nu * j->R * j->R / j->I, bN = -(1 + j->e) * gN,
               bT = -(1 + j->e) * gT;
  double det = NN * TT - NT * NT, PN = (bN * TT - bT * NT) / det, PT = (NN * bT - NT * bN) / det;
  for (int way = 1; way >= -1 && !(PN >= 0 && fabs(PT) <= j->mu * PN * (1 + 1e-12)); way -= 2) {
    double N = bN / (NN - j->mu * way * NT);
    if ((NT * N - TT * j->mu * way * N - bT) * way >= 0) PN = N, PT = -j->mu * way * N;
  }
  if (-gN / j->L > 1e-2) s->impacts++;
  s->w1 -= side * j->L * PN / j->J1;
  s->wc += (side * j->L * PN + j->nu * j->R * PT) / j->I;
}

/* Acceleration of both while the contact is closed, and the force. */
static inline double uf_pressed(const uf_joint *j, const uf_state *s, double *force) {
  const double f1 = j->T0 * sin(j->W * s->t), fc = -j->K * s->qc - j->D * s->wc;
  const double slip = s->wc > 0 ? 1 : s->wc < 0 ? -1 : 0;
  const double b1 = -s->side * j->L, bc = s->side * j->L - j->R * fabs(j->nu) * j->mu * slip;
  *force = (fc / j->I - f1 / j->J1) / (b1 / j->J1 - bc / j->I);
  return (f1 + b1 * *force) / j->J1;
}

static inline void uf_press(const uf_joint *j, uf_state *s, double t) {
  double N0 = 0, N1, k[4][2];
  uf_state b = *s;
  const double h = t - s->t;
  for (int r = 0; r < 4; r++) {
    double c = r == 0 ? 0 : r < 3 ? h / 2 : h;
    b.t = s->t + c;
    b.qc = s->qc + (r ? c * k[r - 1][0] : 0);
    b.wc = s->wc + (r ? c * k[r - 1][1] : 0);
    k[r][0] = b.wc;
    k[r][1] = uf_pressed(j, &b, &N1);
    if (r == 0) N0 = N1;
  }
  b.qc = s->qc + h / 6 * (k[0][0] + 2 * k[1][0] + 2 * k[2][0] + k[3][0]);
  b.wc = s->wc + h / 6 * (k[0][1] + 2 * k[1][1] + 2 * k[2][1] + k[3][1]);
  b.t = t;
  uf_pressed(j, &b, &N1);
  if (N0 < 0 || N1 < 0) {
    const double x = N0 < 0 ? 0 : N0 / (N0 - N1) * h;
    b.t = s->t + x;
    b.qc = s->qc + x * s->wc + x * x / 2 * k[0][1];
    b.wc = s->wc + x * k[0][1];
    b.side = 0;
  }
  b.w1 = b.wc;
  b.q1 = b.qc + s->side * j->C / j->L * (b.side ? 1 : 1 - 1e-15);
  *s = b;
}

static inline bool uf_beyond(const uf_joint *j, const uf_state *s) {
  return fabs(s->q1 - s->qc) > j->C / j->L;
}

static inline void uf_bounce(const uf_joint *j, uf_state *s, double end, double h) {
  const int side = s->q1 > s->qc ? 1 : -1;
  uf_hit(j, s, side);
  double a = -side * (j->T0 * sin(j->W * s->t) / j->J1 + (j->K * s->qc + j->D * s->wc) / j->I);
  double v = -side * (s->w1 - s->wc), flight = a < 0 ? -2 * v / a : INFINITY;
  s->q1 = s->qc + side * j->C / j->L * (1 - 1e-15);
  if (flight / (1 - j->e) < j->rest) {
    s->w1 = s->wc = (j->J1 * s->w1 + j->I * s->wc) / (j->J1 + j->I);
    s->side = side;
  } else if (flight < h) {
    *s = uf_fly(j, s, fmin(end, s->t + flight / 2)); /* the return is then still ahead */
  }
}

static inline void uf_advance(const uf_joint *j, uf_state *s, double end) {
  const double h = 2 * M_PI / j->W / 400;
  while (s->t < end) {
    if (s->side) {
      uf_press(j, s, fmin(end, s->t + h / 20));
      continue;
    }
    uf_state a = *s, b = *s;
    while (b.t < end && !uf_beyond(j, &b)) a = b, b = uf_fly(j, s, fmin(end, b.t + h));
    if (!uf_beyond(j, &b)) {
      *s = b;
      continue;
    }
    double low = a.t, high = b.t;
    for (double t = (low + high) / 2; t > low && t < high; t = (low + high) / 2) {
      uf_state c = uf_fly(j, s, t);
      if (uf_beyond(j, &c))
        high = t;
      else
        low = t;
    }
    *s = uf_fly(j, s, low);
    uf_bounce(j, s, end, h);
  }
}

/* Mean growth per period of a distance in angles and in angular velocities divided by W. */
static inline double uf_exponent(const uf_joint *j, int skip, int periods, double *impacts) {
  const double T = 2 * M_PI / j->W, d0 = 1e-7;
  uf_state x = {0}, y;
  for (int i = 1; i <= skip; i++) uf_advance(j, &x, i * T);
  y = x;
  y.wc += d0 * j->W;
  if (x.side) y.w1 = y.wc;
  double sum = 0, before = d0;
  const int count = x.impacts;
  for (int i = 1; i <= periods; i++) {
    uf_advance(j, &x, (skip + i) * T);
    uf_advance(j, &y, (skip + i) * T);
    const double d = sqrt(pow(y.q1 - x.q1, 2) + pow(y.qc - x.qc, 2) +
                          (pow(y.w1 - x.w1, 2) + pow(y.wc - x.wc, 2)) / (j->W * j->W));
    if (x.side != y.side || !(d > 0)) continue;
    const double k = d0 / d;
    sum += log(d / before);
    before = d0;
    y.q1 = x.q1 + k * (y.q1 - x.q1), y.qc = x.qc + k * (y.qc - x.qc);
    y.w1 = x.w1 + k * (y.w1 - x.w1), y.wc = x.wc + k * (y.wc - x.wc);
  }
  *impacts = (double)(x.impacts - count) / periods;
  return sum / periods;
}
#endif
