/* A thin wheel on a plane: its height, and rolling without slip.
 *
 * The plane is perpendicular to k = zA; the centre of the wheel is the origin of B and its axis
 * n = zB. With
 *   s = k.n,  w = sqrt(1 - s^2),  m = (k - s n)/w (in the plane of the wheel, upward),
 *   t1 = n x k/w (along the track),  t2 = (n - s k)/w (across it, both in the plane)
 * the wheel touches the plane at xB - r m, where r is its radius. The row of the height is c = k.(xB - xA) - r w = 0.
 * Rolling: the material point of the wheel at the contact has no velocity along t1 and t2. With the velocity v of the
 * centre and the angular velocity omega of the wheel, this is
 *   t1.v - r n.omega = 0,   t2.v + r (n x k).omega = 0.
 * The two velocity rows are non-holonomic (not integrable to position constraints). A must be on
 * the ground. The relations are undefined for a wheel that lies flat. */
#include <hooke/relation.h>
#include <stddef.h>

typedef struct wheel {
  hk_vec3 k, n, nk; /* nk = n x k */
  double s, w;
  hk_vec3 t1, t2;
} wheel;

static wheel measure(const hk_frame *A, const hk_frame *B) {
  wheel e = {.k = hk_column(&A->R, 2), .n = hk_column(&B->R, 2)};
  e.nk = hk_cross(e.n, e.k);
  e.s = hk_dot(e.k, e.n);
  e.w = hk_norm(e.nk);
  e.t1 = hk_scale(1 / e.w, e.nk);
  e.t2 = hk_scale(1 / e.w, hk_axpy(e.n, -e.s, e.k));
  return e;
}

static void height_value(const double *k, const hk_frame *A, const hk_frame *B, double *c) {
  wheel e = measure(A, B);
  c[0] = hk_dot(e.k, hk_sub(B->x, A->x)) - k[0] * e.w;
}

static void height_gradient(const double *k, const hk_frame *A, const hk_frame *B, hk_row *J) {
  wheel e = measure(A, B);
  J->xa = hk_neg(e.k);
  J->xb = e.k;
  J->tb = hk_scale(k[0] * e.s, e.t1);
}

static void height_bias(const double *k, const hk_frame *A, const hk_frame *B, double *b) {
  wheel e = measure(A, B);
  hk_vec3 nd = hk_cross(B->w, e.n);
  double sd = hk_dot(e.k, nd), sdd = hk_dot(e.k, hk_cross(B->w, nd));
  b[0] = k[0] * (sd * sd / (e.w * e.w * e.w) + e.s * sdd / e.w);
}

static void height_curvature(const double *k, const hk_frame *A, const hk_frame *B,
                             const double *factor, double K[12][12]) {
  wheel e = measure(A, B);
  hk_mat3 SK = hk_skew(e.k), SN = hk_skew(e.n), KN = hk_matmul(&SK, &SN), P = hk_outer(e.nk, e.nk);
  hk_block_add(K, 9, 9, factor[0] * k[0] * e.s / e.w, &KN);
  hk_block_add(K, 9, 9, factor[0] * k[0] / (e.w * e.w * e.w), &P);
}

const hk_relation_type hk_relation_wheel_height = {.name = "wheel_height",
                                                   .rows = 1,
                                                   .value = height_value,
                                                   .gradient = height_gradient,
                                                   .bias = height_bias,
                                                   .curvature = height_curvature,
                                                   .ground_a = true};

static void no_value(const double *k, const hk_frame *A, const hk_frame *B, double *c) {
  c[0] = c[1] = 0;
}

static void roll_gradient(const double *k, const hk_frame *A, const hk_frame *B, hk_row *J) {
  wheel e = measure(A, B);
  J[0].xb = e.t1;
  J[0].tb = hk_scale(-k[0], e.n);
  J[1].xb = e.t2;
  J[1].tb = hk_scale(k[0], e.nk);
}

static void roll_bias(const double *k, const hk_frame *A, const hk_frame *B, double *b) {
  wheel e = measure(A, B);
  hk_vec3 nd = hk_cross(B->w, e.n), ndk = hk_cross(nd, e.k);
  double sd = hk_dot(e.k, nd), turn = e.s * sd / (e.w * e.w);
  hk_vec3 t1d = hk_axpy(hk_scale(1 / e.w, ndk), turn, e.t1);
  hk_vec3 t2d = hk_axpy(hk_scale(1 / e.w, hk_axpy(nd, -sd, e.k)), turn, e.t2);
  b[0] = hk_dot(t1d, B->v);
  b[1] = hk_dot(t2d, B->v) + k[0] * hk_dot(ndk, B->w);
}

static void roll_curvature(const double *k, const hk_frame *A, const hk_frame *B,
                           const double *factor, double K[12][12]) {
  wheel e = measure(A, B);
  hk_mat3 SK = hk_skew(e.k), SN = hk_skew(e.n), KN = hk_matmul(&SK, &SN);
  hk_mat3 kP = hk_outer(e.k, e.nk), t1P = hk_outer(e.t1, e.nk), t2P = hk_outer(e.t2, e.nk);
  double f1 = factor[0], f2 = factor[1], turn = e.s / (e.w * e.w);
  hk_block_add(K, 6, 9, f1 / e.w, &KN);
  hk_block_add(K, 6, 9, f1 * turn, &t1P);
  hk_block_add(K, 6, 9, -f2 / e.w, &SN);
  hk_block_add(K, 6, 9, -f2 / e.w, &kP);
  hk_block_add(K, 6, 9, f2 * turn, &t2P);
  hk_block_add(K, 9, 9, f1 * k[0], &SN);
  hk_block_add(K, 9, 9, f2 * k[0], &KN);
}

const hk_relation_type hk_relation_rolling = {.name = "rolling",
                                              .rows = 2,
                                              .value = no_value,
                                              .gradient = roll_gradient,
                                              .bias = roll_bias,
                                              .curvature = roll_curvature,
                                              .velocity_only = true,
                                              .ground_a = true};

/* Knife edge: the origin of B has no velocity along the y axis of B, relative to the ground. */
static void edge_value(const double *k, const hk_frame *A, const hk_frame *B, double *c) {
  c[0] = 0;
}

static void edge_gradient(const double *k, const hk_frame *A, const hk_frame *B, hk_row *J) {
  J->xb = hk_column(&B->R, 1);
}

static void edge_bias(const double *k, const hk_frame *A, const hk_frame *B, double *b) {
  b[0] = hk_dot(hk_cross(B->w, hk_column(&B->R, 1)), B->v);
}

static void edge_curvature(const double *k, const hk_frame *A, const hk_frame *B,
                           const double *factor, double K[12][12]) {
  hk_mat3 Y = hk_skew(hk_column(&B->R, 1));
  hk_block_add(K, 6, 9, -factor[0], &Y);
}

const hk_relation_type hk_relation_knife_edge = {.name = "knife_edge",
                                                 .rows = 1,
                                                 .value = edge_value,
                                                 .gradient = edge_gradient,
                                                 .bias = edge_bias,
                                                 .curvature = edge_curvature,
                                                 .velocity_only = true,
                                                 .ground_a = true};
