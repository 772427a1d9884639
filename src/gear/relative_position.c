/* See relative_position.h. Values carry their gradient and symmetric second derivatives with respect to the
 * six numbers (du, psi) with Q(psi) = exp(psi~) Q, through sums, products, quotients and angles.
 * The derivative of the gradient, which is taken at each new position, is not symmetric, because
 * rotations do not commute: half of the commutator is added at the end. */
#include "gear/relative_position.h"
#include <math.h>
#include <string.h>

enum { N = 6, NH = 21 };
typedef struct jet {
  double v, g[N], h[NH]; /* h: lower triangle, by rows */
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
  jet out;
  out.v = x->v * y->v;
  for (int i = 0; i < N; i++) out.g[i] = y->v * x->g[i] + x->v * y->g[i];
  if (!second) return out;
  for (int i = 0, k = 0; i < N; i++)
    for (int j = 0; j <= i; j++, k++)
      out.h[k] = y->v * x->h[k] + x->v * y->h[k] + y->g[i] * x->g[j] + x->g[i] * y->g[j];
  return out;
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

/* x y + z */
static jet product_and(const jet *x, const jet *y, const jet *z, bool second) {
  jet out;
  out.v = x->v * y->v + z->v;
  for (int i = 0; i < N; i++) out.g[i] = y->v * x->g[i] + x->v * y->g[i] + z->g[i];
  if (!second) return out;
  for (int i = 0, k = 0; i < N; i++)
    for (int j = 0; j <= i; j++, k++)
      out.h[k] = y->v * x->h[k] + x->v * y->h[k] + y->g[i] * x->g[j] + x->g[i] * y->g[j] + z->h[k];
  return out;
}
/* x y + u, component i of u */
static jet product_and_u(const jet *x, const jet *y, double u, int i, bool second) {
  jet out = product(x, y, second);
  out.v += u;
  out.g[i] += 1;
  return out;
}

/* Index in h of the second derivative by numbers i >= j. */
static int at(int i, int j) { return i * (i + 1) / 2 + j; }
static int at_both(int i, int j) { return i > j ? at(i, j) : at(j, i); }

/* Returns component k of exp(psi~) q: q + psi x q + psi x (psi x q)/2. */
static jet turned(const hk_mat3 *Q, int column, int k, bool second) {
  const double q[3] = {Q->m[0][column], Q->m[1][column], Q->m[2][column]};
  const int a = (k + 1) % 3, b = (k + 2) % 3;
  jet out;
  out.v = q[k];
  memset(out.g, 0, sizeof out.g);
  out.g[3 + a] = q[b];
  out.g[3 + b] = -q[a];
  if (!second) return out;
  memset(out.h, 0, sizeof out.h);
  out.h[at(3 + a, 3 + a)] = out.h[at(3 + b, 3 + b)] = -q[k];
  out.h[at_both(3 + k, 3 + a)] = 0.5 * q[a];
  out.h[at_both(3 + k, 3 + b)] = 0.5 * q[b];
  return out;
}

/* u.(exp(psi~) q) = u.q + psi.(q x u) + u.(psi x (psi x q))/2. */
static jet scalar(hk_vec3 u, const hk_mat3 *Q, int column, bool second) {
  const double q[3] = {Q->m[0][column], Q->m[1][column], Q->m[2][column]}, v[3] = {u.x, u.y, u.z};
  jet out;
  out.v = q[0] * v[0] + q[1] * v[1] + q[2] * v[2];
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, l = (i + 2) % 3;
    out.g[i] = q[i];
    out.g[3 + i] = q[j] * v[l] - q[l] * v[j];
  }
  if (!second) return out;
  memset(out.h, 0, sizeof out.h);
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, l = (i + 2) % 3, row = at(3 + i, 0);
    out.h[row + j] = -q[l]; /* (e_i x q).e_j */
    out.h[row + l] = q[j];
    for (int k = 0; k <= i; k++)
      out.h[row + 3 + k] = 0.5 * (v[i] * q[k] + v[k] * q[i]) - (i == k) * out.v;
  }
  return out;
}

static void give(const jet *x, bool second, hk_gear_value *out) {
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

/* Computes |x| with its derivatives, rounded near 0. */
static void rounded(double x, double round, double out[3]) {
  double r = sqrt(x * x + round * round);
  out[0] = r - round, out[1] = x / r, out[2] = round * round / (r * r * r);
}

hk_gear_face hk_gear_face_at(const double face_width[2], double shift) {
  const double least = fmin(face_width[0], face_width[1]), round = 0.5e-3 * least;
  double e = 0.25 * (face_width[0] - face_width[1]), left[3], right[3], flush[3];
  rounded(e - 0.5 * shift, round, left);
  rounded(e + 0.5 * shift, round, right);
  /* this makes the common width exact for gears whose middles are placed at the same height */
  rounded(e, round, flush);
  return (hk_gear_face){.width = least + 2 * flush[0] - left[0] - right[0],
                        .slope = 0.5 * (left[1] - right[1]),
                        .bend = -0.25 * (left[2] + right[2]),
                        .middle = 0.5 * (right[0] - left[0]),
                        .middle_slope = 0.25 * (right[1] + left[1]),
                        .middle_bend = 0.125 * (right[2] - left[2])};
}

double hk_gear_shift(const hk_gear_relative *r) {
  const double(*Q)[3] = r->Q.m;
  double along = Q[0][2] * r->u.x + Q[1][2] * r->u.y + Q[2][2] * r->u.z;
  return (r->u.z + along) / (1 + Q[2][2]);
}

/* f(x) from its derivatives. */
static jet function(const jet *x, double v, double slope, double bend, bool second) {
  jet out;
  out.v = v;
  for (int i = 0; i < N; i++) out.g[i] = slope * x->g[i];
  if (!second) return out;
  for (int i = 0, k = 0; i < N; i++)
    for (int j = 0; j <= i; j++, k++) out.h[k] = slope * x->h[k] + bend * x->g[i] * x->g[j];
  return out;
}

static jet shift_of(const hk_gear_relative *r, const jet b[3], bool second) {
  jet top = scalar(r->u, &r->Q, 2, second), under = b[2];
  top.v += r->u.z;
  top.g[2] += 1;
  under.v += 1;
  return quotient(&top, &under, second);
}

/* Computes the heights -s1 and s2 of the section at this fraction of the common face. */
static void heights(const jet *z, const hk_gear_face *f, double part, bool second, jet *below,
                    jet *s2) {
  double s = f->middle + part * f->width, slope = f->middle_slope + part * f->slope,
         bend = f->middle_bend + part * f->bend;
  *below = function(z, -(s + 0.5 * z->v), -(slope + 0.5), -bend, second);
  *s2 = function(z, s - 0.5 * z->v, slope - 0.5, bend, second);
}

/* Inclination of the axes, in the middle section. */
static void set_lean(hk_vec3 u, const jet b[3], const jet *z, bool second, hk_gear_axes *out) {
  jet d[3], below, s2;
  heights(z, &out->face, 0, second, &below, &s2);
  d[0] = product_and_u(&s2, &b[0], u.x, 0, second);
  d[1] = product_and_u(&s2, &b[1], u.y, 1, second);
  d[2] = product_and(&s2, &b[2], &below, second);
  d[2].v += u.z;
  d[2].g[2] += 1;
  jet a = length(&d[0], &d[1], second), along = quotient(&d[2], &a, second);
  jet left = product(&b[0], &d[1], second), right = product(&b[1], &d[0], second);
  jet across =
      apply(&left, &right, 0.5 * (left.v - right.v), (double[5]){0.5, -0.5, 0, 0, 0}, second);
  across = quotient(&across, &a, second);
  give(&along, second, &out->lean[0]);
  give(&across, second, &out->lean[1]);
}

void hk_gear_centers_at(const hk_gear_relative *r, const double face_width[2], const double *part,
                        int n, bool lean, bool second, hk_gear_axes *axes, hk_gear_centers *out) {
  const jet b[3] = {turned(&r->Q, 2, 0, second), turned(&r->Q, 2, 1, second),
                    turned(&r->Q, 2, 2, second)};
  const jet up[2] = {turned(&r->Q, 0, 2, second), turned(&r->Q, 1, 2, second)};
  const jet away[2] = {scalar(r->u, &r->Q, 0, second),
                       scalar(r->u, &r->Q, 1, second)}; /* u in the axes of gear 2 */
  const jet z = shift_of(r, b, second);
  give(&z, second, &axes->shift);
  axes->face = hk_gear_face_at(face_width, z.v);
  if (lean) set_lean(r->u, b, &z, second, axes);
  for (int i = 0; i < n; i++) {
    jet below, s2;
    double slope = axes->face.middle_slope + part[i] * axes->face.slope;
    heights(&z, &axes->face, part[i], second, &below, &s2);
    jet dx = product_and_u(&s2, &b[0], r->u.x, 0, second),
        dy = product_and_u(&s2, &b[1], r->u.y, 1, second);
    jet x2 = product_and(&below, &up[0], &away[0], second),
        y2 = product_and(&below, &up[1], &away[1], second);
    jet first = angle(&dy, &dx, second), other = angle(&y2, &x2, second),
        a = length(&dx, &dy, second);
    give(&a, second, &out[i].distance);
    give(&first, second, &out[i].angle[0]);
    give(&other, second, &out[i].angle[1]);
    out[i].height[0] = -below.v, out[i].height_slope[0] = slope + 0.5;
    out[i].height[1] = s2.v, out[i].height_slope[1] = slope - 0.5;
  }
}
