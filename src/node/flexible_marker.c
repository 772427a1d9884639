/* Markers of a flexible node.
 *
 * A marker is fixed on an interface, at its origin or with an offset o in the axes of the undeformed body. With U = dr/da and
 * W = D Psi (hk_flexible_state), and F, N the force and moment on the interface in body axes, its coordinates receive
 *
 *   f,  r x F + N,  U^T F + W^T N
 *
 * For a marker on the floating frame itself, U and W do not exist. */
#include "node/flexible.h"
#include "node/rigid.h"
#include "spec/channel.h"
#include <string.h>

/* D(th) = 1 + a th~ + b th~^2, the derivative of the rotation exp(th~); s, t: a'/|th|, b'/|th|. */
typedef struct turn_series {
  double a, b, s, t;
} turn_series;

static turn_series series_at(hk_vec3 th) {
  double x = hk_dot(th, th);
  if (x < 1e-2)
    return (turn_series){0.5 - x * (1.0 / 24 - x * (1.0 / 720 - x / 40320)),
                         1.0 / 6 - x * (1.0 / 120 - x * (1.0 / 5040 - x / 362880)),
                         -1.0 / 12 + x * (1.0 / 180 - x * (1.0 / 6720 - x / 453600)),
                         -1.0 / 60 + x * (1.0 / 1260 - x * (1.0 / 60480 - x / 4989600))};
  double n = sqrt(x), c = 1 - cos(n), s = sin(n);
  return (turn_series){c / x, (n - s) / (x * n), (n * s - 2 * c) / (x * x),
                       (n * c - 3 * (n - s)) / (x * x * n)};
}

/* D y and D^T y. */
static hk_vec3 turn_of(const turn_series *k, hk_vec3 th, hk_vec3 y, double sign) {
  hk_vec3 c = hk_cross(th, y);
  return hk_axpy(hk_axpy(y, sign * k->a, c), k->b, hk_cross(th, c));
}

/* d(D y)/dth at constant y; sign = -1: d(D^T y)/dth. */
static hk_mat3 turn_slope(const turn_series *k, hk_vec3 th, hk_vec3 y, double sign) {
  hk_vec3 c = hk_cross(th, y), cc = hk_cross(th, c);
  hk_mat3 H = hk_mat3_scale(-sign * k->a, hk_skew(y));
  hk_vec3 by = hk_axpy(hk_scale(sign * k->s, c), k->t, cc); /* times th^T */
  hk_mat3 P = hk_outer(by, th), Q = hk_outer(th, y), S = hk_outer(y, th);
  double d = hk_dot(th, y);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      H.m[i][j] += P.m[i][j] + k->b * ((i == j) * d + Q.m[i][j] - 2 * S.m[i][j]);
  return H;
}

static hk_vec3 column(const double *A, int m, int l) { return hk_v3(A[l], A[m + l], A[2 * m + l]); }

static hk_vec3 times(const double *A, const double *x, int m) {
  hk_vec3 sum = {0, 0, 0};
  for (int k = 0; k < m; k++) sum.x += A[k] * x[k];
  for (int k = 0; k < m; k++) sum.y += A[m + k] * x[k];
  for (int k = 0; k < m; k++) sum.z += A[2 * m + k] * x[k];
  return sum;
}

void hk_flexible_port_place(const hk_flexible_port *p, int m, const double *a, double *out) {
  hk_flexible_state *s = (hk_flexible_state *)out;
  double *U = out + HK_FLEXIBLE_STATE, *W = U + 3 * m;
  for (int i = 0; i < 3 * m; i++) U[i] = p->phi[i];
  s->r = hk_add(p->s, times(p->phi, a, m));
  if (p->G) {
    double half[3];
    for (int i = 0; i < 3; i++) {
      double row[m];
      memset(row, 0, sizeof row);
      hk_flexible_add_rows(p->G + i * m * m, a, m, row); /* symmetric */
      half[i] = 0;
      for (int k = 0; k < m; k++) {
        U[i * m + k] += row[k];
        half[i] += 0.5 * a[k] * row[k];
      }
    }
    s->r = hk_add(s->r, hk_v3(half[0], half[1], half[2]));
  }
  s->th = times(p->psi, a, m);
  s->E = hk_quat_matrix(hk_quat_exp(s->th));
  turn_series k = series_at(s->th);
  const hk_vec3 zero = {0, 0, 0};
  hk_mat3 D;
  for (int j = 0; j < 3; j++) {
    hk_vec3 e = j == 0 ? hk_v3(1, 0, 0) : j == 1 ? hk_v3(0, 1, 0) : hk_v3(0, 0, 1);
    hk_vec3 d = hk_add(zero, turn_of(&k, s->th, e, 1));
    D.m[0][j] = d.x, D.m[1][j] = d.y, D.m[2][j] = d.z;
  }
  for (int i = 0; i < 3; i++)
    for (int l = 0; l < m; l++)
      W[i * m + l] =
          D.m[i][0] * p->psi[l] + D.m[i][1] * p->psi[m + l] + D.m[i][2] * p->psi[2 * m + l];
}

/* ---- the kinematics of a marker ---- */

/* A marker in body axes. */
typedef struct place {
  int m;
  const hk_flexible_port *port; /* NULL: the floating frame */
  const double *U, *W, *rate;
  double *G_rate;   /* G a'[3][m], then a flag that is set when it has been computed */
  hk_vec3 r, th, o; /* interface of the marker, rotation of this interface, offset of the marker */
  hk_vec3 w;        /* angular velocity of the floating frame */
  hk_mat3 E;
} place;

static place place_of(const hk_pose *p, const hk_marker *k) {
  const hk_flexible *f = p->node->data;
  const hk_flexible_own own = hk_flexible_own_at(f->m, p->own);
  place l = {.m = f->m, .rate = own.rate, .w = hk_v3(own.w[0], own.w[1], own.w[2])};
  if (k->interface < 0) {
    l.r = k->s;
    l.E = hk_mat3_identity();
    return l;
  }
  const double *at = own.port + k->interface * hk_flexible_port_size(f->m);
  const hk_flexible_state *s = (const hk_flexible_state *)at;
  l.port = &f->port[k->interface];
  l.U = at + HK_FLEXIBLE_STATE, l.W = l.U + 3 * f->m;
  l.G_rate = (double *)(uintptr_t)(l.W + 3 * f->m);
  l.r = s->r, l.th = s->th, l.E = s->E;
  l.o = hk_mul(&l.E, hk_sub(k->s, l.port->s));
  return l;
}

/* G a'[3][m]; NULL without stiffening. */
static const double *second_order(const place *l) {
  const int m = l->m;
  double *out = l->G_rate;
  if (!l->port->G) return NULL;
  if (out[3 * m] == 1) return out;
  memset(out, 0, (size_t)(3 * m) * sizeof *out);
  for (int i = 0; i < 3; i++) hk_flexible_add_rows(l->port->G + i * m * m, l->rate, m, out + i * m);
  out[3 * m] = 1;
  return out;
}

void hk_flexible_frame(const hk_pose *p, const hk_marker *k, const double *q, const double *v,
                       hk_frame *F) {
  const place l = place_of(p, k);
  hk_vec3 w = hk_rigid_spin(v), u = hk_cross(w, l.r);
  hk_mat3 R = hk_matmul(p->R, &l.E);
  if (l.port) {
    u = hk_add(u, times(l.U, v + 6, l.m));
    w = hk_add(w, times(l.W, v + 6, l.m));
    u = hk_add(u, hk_cross(w, l.o));
  }
  F->R = k->aligned ? R : hk_matmul(&R, &k->R);
  F->s = hk_mul(p->R, hk_add(l.r, l.o));
  F->angle = F->rate = 0;
  F->x = hk_add(hk_v3(q[0], q[1], q[2]), F->s);
  F->w = hk_mul(p->R, w);
  F->v = hk_add(hk_v3(v[0], v[1], v[2]), hk_mul(p->R, u));
}

void hk_flexible_map(const hk_pose *p, const hk_marker *k, const hk_frame *frame, hk_vec3 jx,
                     hk_vec3 jt, double *out) {
  const place l = place_of(p, k);
  const int m = l.m;
  hk_vec3 F = hk_tmul(p->R, jx), N = hk_add(hk_tmul(p->R, jt), hk_cross(l.o, F));
  hk_vec3 turn = hk_add(N, hk_cross(l.r, F));
  out[0] = jx.x, out[1] = jx.y, out[2] = jx.z;
  out[3] = turn.x, out[4] = turn.y, out[5] = turn.z;
  const double *U = l.U, *W = l.W;
  double *restrict to = out + 6;
  if (!l.port)
    for (int i = 0; i < m; i++) to[i] = 0;
  else
    for (int i = 0; i < m; i++)
      to[i] = (U[i] * F.x + U[m + i] * F.y + U[2 * m + i] * F.z) +
              (W[i] * N.x + W[m + i] * N.y + W[2 * m + i] * N.z);
}

/* out[3][stride] += A B for B[3][m]. */
static void add_block(const hk_mat3 *A, const double *B, int m, double *out, int stride) {
  for (int i = 0; i < 3; i++, out += stride)
    for (int l = 0; l < m; l++)
      out[l] += A->m[i][0] * B[l] + A->m[i][1] * B[m + l] + A->m[i][2] * B[2 * m + l];
}

/* out[m][stride] += B^T A for B[3][m]. */
static void add_transposed(const hk_mat3 *A, const double *B, int m, double *out, int stride) {
  for (int l = 0; l < m; l++, out += stride) {
    hk_vec3 b = hk_tmul(A, column(B, m, l));
    out[0] += b.x, out[1] += b.y, out[2] += b.z;
  }
}

/* out[m][stride] += B^T A C for B, C[3][m]. */
static void add_between(const hk_mat3 *A, const double *B, const double *C, int m, double *out,
                        int stride) {
  for (int l = 0; l < m; l++, out += stride) {
    hk_vec3 b = hk_tmul(A, column(B, m, l));
    for (int k = 0; k < m; k++) out[k] += b.x * C[k] + b.y * C[m + k] + b.z * C[2 * m + k];
  }
}

void hk_flexible_geometric(const hk_pose *p, const hk_marker *k, const hk_frame *frame, hk_vec3 f,
                           hk_vec3 moment, double c, double *out, int stride) {
  const place l = place_of(p, k);
  const int m = l.m;
  hk_vec3 F = hk_scale(c, hk_tmul(p->R, f));
  hk_vec3 N = hk_add(hk_scale(c, hk_tmul(p->R, moment)), hk_cross(l.o, F));
  double *turn = out + 3 * stride + 3, *mode = out + 6 * stride + 3;
  hk_rigid_turned(l.r, F, hk_add(N, hk_cross(l.r, F)), out, stride);
  if (!l.port) return;
  hk_mat3 Fx = hk_skew(F), Nx = hk_skew(N), minus = hk_mat3_scale(-1, Fx);
  /* the force on an offset rotates with the interface: (dtheta x o) x F = o (F.dtheta) - dtheta (o.F) */
  hk_mat3 L = hk_outer(l.o, F);
  double d = hk_dot(l.o, F);
  for (int i = 0; i < 3; i++) L.m[i][i] -= d;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) turn[i * stride + j] += L.m[i][j];
  hk_mat3 NL = hk_mat3_add(Nx, L);
  add_block(&minus, l.U, m, turn + 3, stride);
  add_block(&L, l.W, m, turn + 3, stride);
  add_transposed(&Fx, l.U, m, mode, stride);
  add_transposed(&NL, l.W, m, mode, stride);
  turn_series series = series_at(l.th);
  hk_mat3 H = turn_slope(&series, l.th, N, -1);
  add_between(&H, l.port->psi, l.port->psi, m, mode + 3, stride);
  add_between(&L, l.W, l.W, m, mode + 3, stride);
  for (int i = 0; i < m && l.port->G; i++) {
    const double *G = l.port->G + i * m;
    double *to = mode + 3 + i * stride;
    for (int j = 0; j < m; j++) to[j] += F.x * G[j] + F.y * G[m * m + j] + F.z * G[2 * m * m + j];
  }
}

void hk_flexible_turning(const hk_pose *p, const hk_marker *k, const hk_frame *frame, hk_vec3 jv,
                         hk_vec3 jw, double *out) {
  const place l = place_of(p, k);
  const int m = l.m;
  hk_vec3 F = hk_tmul(p->R, jv), N = hk_add(hk_tmul(p->R, jw), hk_cross(l.o, F));
  hk_vec3 u = hk_cross(l.w, l.r), w = l.w, turn;
  if (l.port) {
    u = hk_add(u, times(l.U, l.rate, m));
    w = hk_add(w, times(l.W, l.rate, m));
  }
  /* velocity of the offset, which rotates with the interface */
  hk_vec3 swing = hk_cross(l.o, hk_cross(F, w));
  turn = hk_add(hk_add(hk_cross(u, F), hk_cross(w, N)), swing);
  out[3] += turn.x, out[4] += turn.y, out[5] += turn.z;
  if (!l.port) return;
  turn_series series = series_at(l.th);
  hk_mat3 H = turn_slope(&series, l.th, times(l.port->psi, l.rate, m), 1);
  hk_vec3 by_th = hk_tmul(&H, N), by_r = hk_cross(F, l.w);
  for (int i = 0; i < m; i++)
    out[6 + i] += hk_dot(column(l.U, m, i), by_r) + hk_dot(column(l.port->psi, m, i), by_th) +
                  hk_dot(column(l.W, m, i), swing);
  const double *G = second_order(&l);
  for (int i = 0; i < m && G; i++) out[6 + i] += hk_dot(column(G, m, i), F);
}

void hk_flexible_bias(const hk_pose *p, const hk_marker *k, const hk_frame *frame, hk_vec3 *a,
                      hk_vec3 *alpha) {
  const place l = place_of(p, k);
  const int m = l.m;
  hk_vec3 w = l.w, x = hk_cross(w, hk_cross(w, l.r)), turn = {0, 0, 0};
  if (l.port) {
    x = hk_axpy(x, 2, hk_cross(w, times(l.U, l.rate, m)));
    const double *G = second_order(&l);
    if (G) x = hk_add(x, times(G, l.rate, m));
    hk_vec3 y = times(l.port->psi, l.rate, m), spin = times(l.W, l.rate, m);
    turn_series series = series_at(l.th);
    hk_mat3 H = turn_slope(&series, l.th, y, 1);
    turn = hk_add(hk_cross(w, spin), hk_mul(&H, y));
    w = hk_add(w, spin);
    x = hk_add(x, hk_add(hk_cross(turn, l.o), hk_cross(w, hk_cross(w, l.o))));
  }
  *a = hk_mul(p->R, x);
  *alpha = hk_mul(p->R, turn);
}

double hk_flexible_deformation(const hk_pose *p, const hk_marker *k, int component) {
  const hk_flexible *f = p->node->data;
  const hk_flexible_own own = hk_flexible_own_at(f->m, p->own);
  if (component >= HK_DEFORMATION_MODE) {
    int i = component - HK_DEFORMATION_MODE;
    return i % 2 ? own.rate[i / 2] : own.a[i / 2];
  }
  if (component == HK_DEFORMATION_ENERGY) {
    double energy = 0;
    for (int i = 0; i < f->m; i++) energy += 0.5 * f->k[i] * own.a[i] * own.a[i];
    return energy;
  }
  const place l = place_of(p, k);
  bool turned = component >= HK_DEFORMATION_TURNED;
  hk_vec3 v = turned ? l.th : hk_sub(hk_add(l.r, l.o), k->s);
  int i = component - (turned ? HK_DEFORMATION_TURNED : HK_DEFORMATION_MOVED);
  return i == 0 ? v.x : i == 1 ? v.y : v.z;
}
