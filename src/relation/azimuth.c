/* Azimuth of a point: the angle of d = xB - xA about the z axis of A, from the x axis of A.
 *   c = atan2(yA.d, xA.d)
 * Undefined on the axis. With the gradient g and the Hessian H of c with respect to d, in world axes:
 *   dc = g.(dxB - dxA - dthetaA x d)
 *   c'' bias = u.H u + g.(w x (w x d) - 2 w x d'),  u = d' - w x d, w the angular velocity of A
 *   dg = dthetaA x g + H (dd - dthetaA x d) */
#include <hooke/relation.h>

typedef struct polar {
  hk_vec3 d, g;
  hk_mat3 H;
} polar;

static polar read(const hk_frame *A, const hk_frame *B) {
  polar p = {.d = hk_sub(B->x, A->x)};
  hk_vec3 x = hk_column(&A->R, 0), y = hk_column(&A->R, 1);
  double px = hk_dot(x, p.d), py = hk_dot(y, p.d), r2 = px * px + py * py;
  p.g = hk_scale(1 / r2, hk_axpy(hk_scale(-py, x), px, y));
  double cross = (py * py - px * px) / (r2 * r2), same = 2 * px * py / (r2 * r2);
  hk_mat3 xx = hk_outer(x, x), yy = hk_outer(y, y), xy = hk_outer(x, y), yx = hk_outer(y, x);
  hk_mat3 equal = hk_mat3_add(xx, hk_mat3_scale(-1, yy)), mixed = hk_mat3_add(xy, yx);
  p.H = hk_mat3_add(hk_mat3_scale(same, equal), hk_mat3_scale(cross, mixed));
  return p;
}

static void value(const double *k, const hk_frame *A, const hk_frame *B, double *c) {
  (void)k;
  hk_vec3 p = hk_tmul(&A->R, hk_sub(B->x, A->x));
  c[0] = atan2(p.y, p.x);
}

static void gradient(const double *k, const hk_frame *A, const hk_frame *B, hk_row *J) {
  (void)k;
  polar p = read(A, B);
  J->xa = hk_neg(p.g);
  J->xb = p.g;
  J->ta = hk_cross(p.g, p.d);
}

static void bias(const double *k, const hk_frame *A, const hk_frame *B, double *b) {
  (void)k;
  polar p = read(A, B);
  hk_vec3 v = hk_sub(B->v, A->v), wd = hk_cross(A->w, p.d), u = hk_sub(v, wd);
  b[0] = hk_dot(u, hk_mul(&p.H, u)) + hk_dot(p.g, hk_cross(A->w, wd)) -
         2 * hk_dot(p.g, hk_cross(A->w, v));
}

static void curvature(const double *k, const hk_frame *A, const hk_frame *B, const double *factor,
                      double K[12][12]) {
  (void)k;
  polar p = read(A, B);
  double f = factor[0];
  hk_mat3 D = hk_skew(p.d), G = hk_skew(p.g), HD = hk_matmul(&p.H, &D);
  hk_mat3 turned = hk_mat3_add(HD, hk_mat3_scale(-1, G)); /* dg/dthetaA */
  hk_mat3 DH = hk_matmul(&D, &p.H), DT = hk_matmul(&D, &turned);
  hk_mat3 moved = hk_mat3_add(G, hk_mat3_scale(-1, DH)); /* d(g x d)/dd */
  hk_block_add(K, 0, 0, f, &p.H);
  hk_block_add(K, 0, 6, -f, &p.H);
  hk_block_add(K, 6, 0, -f, &p.H);
  hk_block_add(K, 6, 6, f, &p.H);
  hk_block_add(K, 0, 3, -f, &turned);
  hk_block_add(K, 6, 3, f, &turned);
  hk_block_add(K, 3, 0, -f, &moved);
  hk_block_add(K, 3, 6, f, &moved);
  hk_block_add(K, 3, 3, -f, &DT);
}

const hk_relation_type hk_relation_azimuth = {.name = "azimuth",
                                              .rows = 1,
                                              .angular = true,
                                              .wraps = true,
                                              .value = value,
                                              .gradient = gradient,
                                              .bias = bias,
                                              .curvature = curvature};
