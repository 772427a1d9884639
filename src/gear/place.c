/* See place.h.  Values carry their gradient and symmetric second derivatives by the six numbers (du, psi)
 * with Q(psi) = exp(psi~) Q, through sums, products, quotients and angles.  The derivative of the gradient,
 * which is taken anew at each place, is not symmetric: turning about i after j is not turning about j after
 * i, and half of what lies between is added at the end. */
#include "gear/place.h"
#include <math.h>
#include <string.h>

enum { N = 6, NH = 21 };
typedef struct jet {
  double v, g[N], h[NH]; /* h: lower triangle, row by row */
} jet;

/* f(x, y) from its derivatives. */
static jet apply(const jet *x, const jet *y, double v, const double d[5], bool second) {
  jet out;
  out.v = v;
  for (int i = 0; i < N; i++) out.g[i] = d[0] * x->g[i] + d[1] * y->g[i];
  if (!second) return out;
  for (int i = 0, k = 0; i < N; i++) {
    double a = d[2] * x->g[i] + d[3] * y->g[i], b = d[3] * x->g[i] + d[4] * y->g[i];
    for (int j = 0; j <= i; j++, k++)
      out.h[k] = d[0] * x->h[k] + d[1] * y->h[k] + a * x->g[j] + b * y->g[j];
  }
  return out;
}

static jet product(const jet *x, const jet *y, bool second) {
  return apply(x, y, x->v * y->v, (double[5]){y->v, x->v, 0, 1, 0}, second);
}
static jet sum(const jet *x, const jet *y, bool second) {
  return apply(x, y, x->v + y->v, (double[5]){1, 1, 0, 0, 0}, second);
}
static jet quotient(const jet *x, const jet *y, bool second) {
  double r = 1 / y->v, q = x->v * r;
  return apply(x, y, q, (double[5]){r, -q * r, 0, -r * r, 2 * q * r * r}, second);
}
static jet angle(const jet *y, const jet *x, bool second) {
  double n = 1 / (x->v * x->v + y->v * y->v), cross = 2 * x->v * y->v * n * n,
         diff = (y->v * y->v - x->v * x->v) * n * n;
  return apply(y, x, atan2(y->v, x->v), (double[5]){x->v * n, -y->v * n, -cross, diff, cross},
               second);
}
static jet length(const jet *x, const jet *y, bool second) {
  double r = hypot(x->v, y->v), r3 = 1 / (r * r * r);
  return apply(
      x, y, r,
      (double[5]){x->v / r, y->v / r, y->v * y->v * r3, -x->v * y->v * r3, x->v * x->v * r3},
      second);
}

static jet variable(double v, int i) {
  jet out = {.v = v};
  out.g[i] = 1;
  return out;
}

/* Component k of exp(psi~) q: q + psi x q + psi x (psi x q)/2. */
static jet turned(const hk_mat3 *Q, int column, int k) {
  const double q[3] = {Q->m[0][column], Q->m[1][column], Q->m[2][column]};
  jet out = {.v = q[k]};
  int a = (k + 1) % 3, b = (k + 2) % 3;
  out.g[3 + a] = q[b];
  out.g[3 + b] = -q[a];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j <= i; j++) {
      double h = 0.5 * ((i == k) * q[j] + (j == k) * q[i]) - (i == j) * q[k];
      out.h[(3 + i) * (4 + i) / 2 + 3 + j] = h;
    }
  return out;
}

static void give(const jet *x, bool second, hk_place_value *out) {
  out->v = x->v;
  memcpy(out->g, x->g, sizeof out->g);
  if (!second) return;
  for (int i = 0, k = 0; i < N; i++)
    for (int j = 0; j <= i; j++, k++) out->D[i][j] = out->D[j][i] = x->h[k];
  for (int i = 0; i < 3; i++) { /* (e_i x e_j) . g/2 */
    int j = (i + 1) % 3, l = (i + 2) % 3;
    out->D[3 + i][3 + j] += 0.5 * x->g[3 + l];
    out->D[3 + j][3 + i] -= 0.5 * x->g[3 + l];
  }
}

void hk_gear_relate(const hk_frame *A, const hk_frame *B, hk_gear_relative *out) {
  hk_vec3 r = hk_sub(B->x, A->x);
  hk_vec3 v = hk_tmul(&A->R, hk_sub(hk_sub(B->v, A->v), hk_cross(A->w, r)));
  hk_vec3 w = hk_tmul(&A->R, hk_sub(B->w, A->w));
  out->u = hk_tmul(&A->R, r);
  out->Q = hk_tmatmul(&A->R, &B->R);
  const double rate[6] = {v.x, v.y, v.z, w.x, w.y, w.z};
  memcpy(out->rate, rate, sizeof rate);
}

void hk_gear_stand_at(const hk_gear_relative *r, const double *s, int n, bool second,
                      hk_gear_stand *out) {
  const jet ux = variable(r->u.x, 0), uy = variable(r->u.y, 1);
  jet up = variable(-r->u.z, 2), q[3][3];
  up.g[2] = -1;
  for (int c = 0; c < 3; c++)
    for (int k = 0; k < (c < 2 ? 2 : 3); k++) q[c][k] = turned(&r->Q, c, k);
  for (int i = 0; i < n; i++) {
    jet rise = up;
    rise.v += s[i];
    jet s2 = quotient(&rise, &q[2][2], second);
    jet ax = product(&s2, &q[2][0], second), ay = product(&s2, &q[2][1], second);
    jet dx = sum(&ux, &ax, second), dy = sum(&uy, &ay, second);
    jet px = product(&dx, &q[0][0], second), py = product(&dy, &q[0][1], second);
    jet qx = product(&dx, &q[1][0], second), qy = product(&dy, &q[1][1], second);
    jet p = sum(&px, &py, second), o = sum(&qx, &qy, second);
    jet first = angle(&dy, &dx, second), other = angle(&o, &p, second),
        a = length(&dx, &dy, second);
    give(&a, second, &out[i].distance);
    give(&first, second, &out[i].angle[0]);
    give(&other, second, &out[i].angle[1]);
    give(&s2, second, &out[i].height);
  }
}
