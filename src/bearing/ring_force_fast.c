/* See ring_force_fast.h.
 *
 * n is the direction of the load of a ball, and t the direction perpendicular to n in the half plane of the ball. N
 * and T are the rows whose products with a motion of the inner ring give its components along n and t: with g = n_r
 * g_r + n_z g_z of plane_intersection.h, N = (g, p x g). The elastic force is -Q N, the film adds its damping force F
 * to Q, and
 *   -d(force) = N (k_nn N + k_nt T + F_v B)^T + T k_tt T^T - P E_t A^T + (0, f x (n N^T + t T^T - 1_u))
 * with P = Q + F, f = -P g, and B the derivative of the rate N.v. */
#include "bearing/ring_force_fast.h"
#include "base/simd4.h"
#include "bearing/element.h"
#include <stddef.h>
#include <string.h>

enum { M = 6 };

typedef struct sums {
  hk_v4 Q[M], drag, potential, dissipated;
  hk_v4 row[M], K[M][M], C[M][M]; /* with tangent only */
} sums;

/* Four balls. */
typedef struct lanes {
  hk_v4 c, s, size;
  hk_m4 live; /* lanes with a ball */
  /* data of the intersections; used for finite kinematics only */
  hk_v4 p[3], rho[3], tau[3], along;
  hk_v4 I[2];
  hk_v4 n[2], per, depth, Q, k; /* per = 1/|d| */
  hk_m4 straight;               /* beyond the bottom of the groove, see hk_bearing_beyond_groove */
  hk_v4 g[3], N[M], T[M];
  hk_v4 F, F_v, F_d; /* film */
} lanes;

HK_INLINE void cross4(const hk_v4 a[3], const hk_v4 b[3], hk_v4 out[3]) {
  out[0] = a[1] * b[2] - a[2] * b[1];
  out[1] = a[2] * b[0] - a[0] * b[2];
  out[2] = a[0] * b[1] - a[1] * b[0];
}

HK_INLINE void load(const hk_bearing *p, int row, int k, lanes *l) {
  const hk_v4 index = (hk_v4){0, 1, 2, 3} + (double)k;
  l->live = index < hk_all4(p->n);
  l->c = hk_where4(l->live, HK_V4C(p->cosine + k), hk_all4(1));
  l->s = hk_only4(l->live, HK_V4C(p->sine + k));
  l->size = hk_only4(l->live, HK_V4C(p->size[row] + k));
}

/* Returns false if the circle does not intersect a half plane. */
HK_INLINE bool find_points(const hk_bearing_place *at, const hk_bearing_row *r, lanes *l) {
  const hk_vec3 u = at->u;
  const double R = r->R[0], z = r->z[0];
  if (at->linear) {
    const hk_vec3 t = at->theta;
    l->I[0] = R + l->c * u.x + l->s * u.y + z * (l->c * t.y - l->s * t.x);
    l->I[1] = z + u.z + R * (l->s * t.x - l->c * t.y);
    l->along = hk_all4(0);
    for (int i = 0; i < 3; i++) l->p[i] = l->rho[i] = l->tau[i] = l->along; /* not used */
    return true;
  }
  const double(*Q)[3] = at->Q.m;
  const hk_v4 a = l->c * Q[1][0] - l->s * Q[0][0], b = l->c * Q[1][1] - l->s * Q[0][1];
  const hk_v4 g = (l->s * (u.x + z * Q[0][2]) - l->c * (u.y + z * Q[1][2])) / R;
  const hk_v4 h2 = a * a + b * b, q2 = h2 - g * g;
  if (hk_any4(~(q2 > hk_all4(0)))) return false;
  const hk_v4 q = hk_sqrt4(q2), cx = (g * a + q * b) / h2, sx = (g * b - q * a) / h2;
  for (int i = 0; i < 3; i++) {
    l->rho[i] = cx * Q[i][0] + sx * Q[i][1];
    l->tau[i] = cx * Q[i][1] - sx * Q[i][0];
    l->p[i] = z * Q[i][2] + R * l->rho[i];
  }
  l->along = 1 / (l->c * l->tau[1] - l->s * l->tau[0]);
  l->I[0] = l->c * (u.x + l->p[0]) + l->s * (u.y + l->p[1]);
  l->I[1] = u.z + l->p[2];
  return true;
}

/* Row of the motion along (r, z) in the half plane. */
HK_INLINE void find_row(const hk_bearing_place *at, const hk_bearing_row *ring, const lanes *l,
                        hk_v4 r, hk_v4 z, hk_v4 g[3], hk_v4 row[M]) {
  if (at->linear) {
    const double R = ring->R[0], h = ring->z[0];
    row[0] = r * l->c, row[1] = r * l->s, row[2] = z;
    row[3] = (R * z - h * r) * l->s, row[4] = (h * r - R * z) * l->c, row[5] = hk_all4(0);
    return;
  }
  const hk_v4 alpha = (r * (l->c * l->tau[0] + l->s * l->tau[1]) + z * l->tau[2]) * l->along;
  g[0] = r * l->c + alpha * l->s, g[1] = r * l->s - alpha * l->c, g[2] = z;
  for (int i = 0; i < 3; i++) row[i] = g[i];
  cross4(l->p, g, row + 3);
}

/* Returns false if no ball is loaded. */
HK_INLINE bool press(const hk_bearing *p, const hk_bearing_row *r, lanes *l) {
  const hk_v4 zero = hk_all4(0);
  hk_v4 d[2] = {l->I[0] - r->from[0][0], l->I[1] - r->from[0][1]};
  l->straight = r->side * d[1] < zero;
  d[1] = hk_only4(~l->straight, d[1]);
  const hk_v4 L = hk_sqrt4(d[0] * d[0] + d[1] * d[1]), delta = L - p->ball.A + l->size;
  const hk_m4 touches = l->live & (delta > zero);
  if (!hk_any4(touches)) return false;
  l->depth = hk_only4(touches, delta);
  l->per = 1 / L;
  l->n[0] = d[0] * l->per, l->n[1] = d[1] * l->per;
  const hk_v4 k = p->ball.K_n * hk_sqrt4(l->depth);
  l->Q = k * l->depth, l->k = 1.5 * k;
  return true;
}

/* Film, see damp_ball in element.c. */
HK_INLINE void damp(const hk_bearing *p, const double *v, lanes *l, sums *s) {
  const hk_v4 one = hk_all4(1), deep = l->depth / p->ramp, z = hk_where4(deep < one, deep, one);
  hk_v4 rate = l->N[0] * v[0];
  for (int i = 1; i < M; i++) rate += l->N[i] * v[i];
  l->F_v = p->damping * z * z * (3 - 2 * z);
  l->F_d = p->damping * 6 * z * (1 - z) / p->ramp * rate;
  l->F = l->F_v * rate;
  const hk_m4 tensile = l->Q + l->F < hk_all4(0);
  l->F = hk_where4(tensile, -l->Q, l->F);
  l->F_v = hk_only4(~tensile, l->F_v);
  l->F_d = hk_where4(tensile, -l->k, l->F_d);
  s->dissipated += l->F * rate;
}

HK_INLINE void add_drag(const hk_bearing *p, const lanes *l, bool tangent, sums *s) {
  double drag[4], by_Q[4], by_s[4];
  for (int i = 0; i < 4; i++) drag[i] = hk_ball_drag(p, l->Q[i], l->n[1][i], &by_Q[i], &by_s[i]);
  s->drag += HK_V4C(drag);
  if (!tangent) return;
  const hk_v4 N = HK_V4C(by_Q) * l->k, T = hk_only4(~l->straight, HK_V4C(by_s) * l->n[0] * l->per);
  for (int i = 0; i < M; i++) s->row[i] += N * l->N[i] + T * l->T[i];
}

/* The second derivatives of the intersections. */
typedef struct bend {
  hk_v4 E[M], A[M], B[M], lever[2][3]; /* f x n, f x t */
} bend;

/* Products of a vector with n and t, as vectors in space. */
HK_INLINE void along(const lanes *l, const hk_v4 a[3], hk_v4 out[2]) {
  const hk_v4 r = a[0] * l->c + a[1] * l->s;
  out[0] = r * l->n[0] + a[2] * l->n[1], out[1] = a[2] * l->n[0] - r * l->n[1];
}

HK_INLINE void find_bend(const hk_bearing_row *r, const double *v, const lanes *l, bool damped,
                         bend *b) {
  const hk_v4 zero = hk_all4(0), P = -(l->Q + l->F);
  const hk_v4 E[M] = {
      -l->s, l->c, zero, -l->p[2] * l->c, -l->p[2] * l->s, l->p[0] * l->c + l->p[1] * l->s};
  const hk_v4 part = l->along * l->along / r->R[0] *
                     (l->rho[0] * l->g[0] + l->rho[1] * l->g[1] + l->rho[2] * l->g[2]);
  hk_v4 turn[3];
  cross4(l->tau, l->g, turn);
  for (int i = 0; i < M; i++) {
    b->E[i] = E[i];
    b->A[i] = part * E[i];
    if (i >= 3) b->A[i] += l->along * turn[i - 3];
  }
  const hk_v4 n[3] = {l->n[0] * l->c, l->n[0] * l->s, l->n[1]},
              t[3] = {-l->n[1] * l->c, -l->n[1] * l->s, l->n[0]};
  cross4(l->g, n, b->lever[0]), cross4(l->g, t, b->lever[1]);
  for (int i = 0; i < 3; i++) b->lever[0][i] *= P, b->lever[1][i] *= P;
  if (damped) {
    const hk_v4 spin[3] = {hk_all4(v[3]), hk_all4(v[4]), hk_all4(v[5])};
    hk_v4 turned[3], part_of[2], across = zero;
    cross4(l->g, spin, turned);
    along(l, turned, part_of);
    for (int i = 0; i < M; i++) across += E[i] * v[i];
    for (int i = 0; i < M; i++) {
      b->B[i] = part_of[0] * l->N[i] + part_of[1] * l->T[i] - across * b->A[i];
      if (i < 3) b->B[i] -= turned[i];
    }
  }
  for (int i = 0; i < M; i++) b->A[i] *= P;
}

HK_INLINE void add_tangent(const hk_bearing_place *at, const hk_bearing_row *r, const lanes *l,
                           bool damped, sums *s) {
  const double *v = at->rate;
  const hk_m4 groove = ~l->straight;
  const hk_v4 k_nn = l->k + l->F_d, k_tt = hk_only4(groove, (l->Q + l->F) * l->per);
  hk_v4 k_nt = hk_all4(0);
  if (damped) {
    for (int i = 0; i < M; i++) k_nt += l->T[i] * v[i];
    k_nt = hk_only4(groove, k_nt * l->F_v * l->per);
  }
  bend b;
  if (at->linear)
    memset(&b, 0, sizeof b);
  else
    find_bend(r, v, l, damped, &b);
#pragma GCC unroll 6
  for (int i = 0; i < M; i++) {
    hk_v4 by_N = k_nn * l->N[i], by_T = k_nt * l->N[i] + k_tt * l->T[i];
    const hk_v4 film = l->F_v * l->N[i];
    if (i >= 3) by_N += b.lever[0][i - 3], by_T += b.lever[1][i - 3];
#pragma GCC unroll 6
    for (int j = 0; j < M; j++) {
      s->K[i][j] += by_N * l->N[j] + by_T * l->T[j] + b.E[i] * b.A[j];
      if (damped) s->K[i][j] += film * b.B[j];
      if (damped && j <= i) s->C[i][j] += film * l->N[j];
    }
  }
}

HK_INLINE const char *add_four(const hk_bearing *p, const hk_bearing_place *at, int row, int k,
                               bool tangent, sums *s) {
  const hk_bearing_row *r = &p->row[row];
  const bool damped = p->damping > 0, drags = p->friction.load > 0 || p->friction.spin > 0;
  lanes l;
  load(p, row, k, &l);
  if (!find_points(at, r, &l)) return "the rings are too far from each other";
  if (!press(p, r, &l)) return NULL;
  find_row(at, r, &l, l.n[0], l.n[1], l.g, l.N);
  s->potential += 0.4 * l.Q * l.depth;
  l.F = l.F_v = l.F_d = hk_all4(0);
  if (damped) damp(p, at->rate, &l, s);
  for (int i = 0; i < M; i++) s->Q[i] -= (l.Q + l.F) * l.N[i];
  if (tangent) {
    hk_v4 g[3];
    find_row(at, r, &l, -l.n[1], l.n[0], g, l.T);
    add_tangent(at, r, &l, damped, s);
  }
  if (drags) add_drag(p, &l, tangent, s);
  return NULL;
}

/* Adds the term -f x 1_u for all balls together; f is the sum of their forces. */
static void add_lever(const double *f, double K[HK_BEARING_COORDINATES][HK_BEARING_COORDINATES]) {
  K[3][1] += f[2], K[3][2] -= f[1];
  K[4][0] -= f[2], K[4][2] += f[0];
  K[5][0] += f[1], K[5][1] -= f[0];
}

HK_HOT HK_FLAT const char *hk_bearing_act_plain(const hk_bearing *p, const hk_bearing_place *at,
                                                bool tangent, hk_bearing_action *out,
                                                hk_bearing_drag *drag) {
  sums s;
  memset(&s, 0, tangent ? sizeof s : offsetof(sums, row));
  for (int row = 0; row < p->rows; row++)
    for (int k = 0; k < p->n; k += 4) {
      const char *failed = add_four(p, at, row, k, tangent, &s);
      if (failed) return failed;
    }
  out->moves = p->damping > 0;
  out->potential = hk_v4_sum(s.potential);
  out->dissipated = hk_v4_sum(s.dissipated);
  drag->sum = hk_v4_sum(s.drag);
  for (int i = 0; i < M; i++) out->Q[i] = hk_v4_sum(s.Q[i]);
  if (!tangent) return NULL;
  for (int i = 0; i < M; i++) {
    drag->row[i] = hk_v4_sum(s.row[i]);
    for (int j = 0; j < M; j++) out->K[i][j] = hk_v4_sum(s.K[i][j]);
    for (int j = 0; j <= i && out->moves; j++) out->C[i][j] = out->C[j][i] = hk_v4_sum(s.C[i][j]);
  }
  if (!at->linear) add_lever(out->Q, out->K);
  return NULL;
}
