/* Turn of B about A's z axis: c = atan2(s, q) with s = yA.xB and q = xA.xB.
 * With rho^2 = s^2 + q^2:  dc = (q ds - s dq)/rho^2.  rho = 1 while the z axes are aligned; where
 * they are not, this is the angle of xB's shadow, undefined only when xB is along zA. */
#include "relation/dot.h"

typedef struct turn {
  hk_vec3 xa, ya, xb;
  double s, q, rho2;
} turn;

static turn measure(const hk_frame *A, const hk_frame *B) {
  turn m = {hk_column(&A->R, 0), hk_column(&A->R, 1), hk_column(&B->R, 0), 0, 0, 0};
  m.s = hk_dot(m.ya, m.xb);
  m.q = hk_dot(m.xa, m.xb);
  m.rho2 = m.s * m.s + m.q * m.q;
  return m;
}

static void value(const double *k, const hk_frame *A, const hk_frame *B, double *c) {
  turn m = measure(A, B);
  c[0] = atan2(m.s, m.q);
}

static hk_vec3 moment(const turn *m) {
  hk_vec3 ds = hk_cross(m->ya, m->xb), dq = hk_cross(m->xa, m->xb);
  return hk_scale(1 / m->rho2, hk_axpy(hk_scale(m->q, ds), -m->s, dq));
}

static void gradient(const double *k, const hk_frame *A, const hk_frame *B, hk_row *J) {
  turn m = measure(A, B);
  J->ta = moment(&m);
  J->tb = hk_neg(J->ta);
}

static void bias(const double *k, const hk_frame *A, const hk_frame *B, double *b) {
  turn m = measure(A, B);
  hk_vec3 w = hk_sub(A->w, B->w);
  double sd = hk_dot(hk_cross(m.ya, m.xb), w), qd = hk_dot(hk_cross(m.xa, m.xb), w);
  double cd = (m.q * sd - m.s * qd) / m.rho2;
  b[0] = (m.q * hk_dot_bias(m.ya, m.xb, A, B) - m.s * hk_dot_bias(m.xa, m.xb, A, B) -
          2 * cd * (m.s * sd + m.q * qd)) / m.rho2;
}

static void curvature(const double *k, const hk_frame *A, const hk_frame *B, const double *factor,
                      double K[12][12]) {
  turn m = measure(A, B);
  double f = factor[0] / m.rho2;
  hk_dot_curvature(m.ya, m.xb, f * m.q, K);
  hk_dot_curvature(m.xa, m.xb, -f * m.s, K);
  /* From the factors q, s and 1/rho^2: with u = ds, w = dq as vectors over dthetaA - dthetaB. */
  hk_vec3 u = hk_cross(m.ya, m.xb), w = hk_cross(m.xa, m.xb), J = moment(&m);
  hk_mat3 uw = hk_outer(u, w), wu = hk_outer(w, u);
  hk_mat3 Jr = hk_outer(J, hk_axpy(hk_scale(m.s, u), m.q, w));
  hk_mat3 S = hk_mat3_add(hk_mat3_add(uw, hk_mat3_scale(-1, wu)), hk_mat3_scale(-2, Jr));
  hk_block_add(K, 3, 3, f, &S);
  hk_block_add(K, 3, 9, -f, &S);
  hk_block_add(K, 9, 3, -f, &S);
  hk_block_add(K, 9, 9, f, &S);
}

const hk_relation_type hk_relation_angle = {"angle", 1, true, true, value, gradient, bias, curvature};
