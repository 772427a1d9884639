/* Linear bearing: supports a shaft at a point of its axis with linear stiffness and damping;
 * rotation is free or has viscous drag.
 *
 * With the axis z of frame A, d = xB - xA, u = vB - vA - wA x d (velocity of B relative to A), n
 * the z axis of B:
 *   F = -k_r P d - k_a (z.d) z - c_r P u - c_a (z.u) z,   P = 1 - z z^T,   at the origin of B
 *   M = -c_s ((wB - wA).e) e,   e = (n + z)/(1 + n.z)
 * on B, and the opposite force and moment at the same point on A. If two shafts rotate equally fast about their own
 * axes, their relative angular velocity about e is zero for any angle between the shafts. If n is opposite to z, the
 * axis is e = (n - z)/(1 - n.z). There is no stiffness against tilting. The damper rotates with A: attach A to the
 * housing, not to a rotating part. */
#include <hooke/element.h>
#include "mesh/drawing.h"

typedef struct bearing {
  const char *a, *b;
  double radial_stiffness, axial_stiffness;
  double radial_damping, axial_damping, spin_damping;
} bearing;

static const bearing defaults = {.a = "ground"};

static const hk_param params[] = {
    HK_FRAME(bearing, a, 0, "frame of the housing; its z axis is the bearing axis"),
    HK_FRAME(bearing, b, HK_REQUIRED,
             "frame of the shaft; unloaded if its origin coincides with that of a"),
    HK_REAL(bearing, radial_stiffness, "N/m", 0, "radial stiffness", HK_MIN(0)),
    HK_REAL(bearing, axial_stiffness, "N/m", 0, "axial stiffness", HK_MIN(0)),
    HK_REAL(bearing, radial_damping, "N s/m", 0, "radial damping", HK_MIN(0)),
    HK_REAL(bearing, axial_damping, "N s/m", 0, "axial damping", HK_MIN(0)),
    HK_REAL(bearing, spin_damping, "N m s/rad", 0,
            "viscous drag against rotation of b about the z axes", HK_MIN(0)),
};

static hk_status bind(const hk_item *item, hk_force_binding *b, hk_error *err) {
  const bearing *p = hk_item_data(item);
  (void)err;
  b->a = p->a;
  b->b = p->b;
  b->moment_a = true;
  b->moment_b = p->spin_damping > 0;
  return HK_OK;
}

static void put(double *w, hk_vec3 a) { w[0] = a.x, w[1] = a.y, w[2] = a.z; }

/* Computes the axis e of the drag and its derivatives. With s the sign of n.z and q = 1 +
 * |n.z|:
 *   de = (1 - s e z^T) dn/q + s (1 - e n^T) dz/q */
typedef struct drag_axis {
  hk_vec3 e;
  double sign, q;
} drag_axis;

static drag_axis drag_about(hk_vec3 n, hk_vec3 z) {
  double c = hk_dot(n, z), sign = c < 0 ? -1 : 1, q = 1 + fabs(c);
  return (drag_axis){hk_scale(1 / q, hk_axpy(n, sign, z)), sign, q};
}

/* K[row..][column..] += e 1 + a b^T */
static inline void add_form(double K[12][12], int row, int column, double e, hk_vec3 a, hk_vec3 b) {
  double *k = K[row] + column;
  k[0] += e + a.x * b.x, k[1] += a.x * b.y, k[2] += a.x * b.z;
  k += 12;
  k[0] += a.y * b.x, k[1] += e + a.y * b.y, k[2] += a.y * b.z;
  k += 12;
  k[0] += a.z * b.x, k[1] += a.z * b.y, k[2] += e + a.z * b.z;
}

/* K[row..][column..] += a~ */
static inline void add_skew(double K[12][12], int row, int column, hk_vec3 a) {
  double *k = K[row] + column;
  k[1] -= a.z, k[2] += a.y, k += 12;
  k[0] += a.z, k[2] -= a.x, k += 12;
  k[0] -= a.y, k[1] += a.x;
}

/* Adds c (a~ + e b^T) to the rows of the moment on B and subtracts it from the rows of the
 * reaction moment on A. */
static inline void spread_moment(double K[12][12], int column, double c, hk_vec3 a, hk_vec3 e,
                                 hk_vec3 b) {
  hk_vec3 ce = hk_scale(c, e), ca = hk_scale(c, a);
  add_skew(K, 3, column, hk_neg(ca)), add_form(K, 3, column, 0, hk_neg(ce), b);
  add_skew(K, 9, column, ca), add_form(K, 9, column, 0, ce, b);
}

/* M = -c (w.e) e,  w = wB - wA,  dn = -n x dthetaB,  dz = -z x dthetaA.  With r = w.e/q
 *   dM/dthetaB = c (r n~ + e ((w/q - 2 s r z) x n)^T)
 *   dM/dthetaA = c s (r z~ + e ((w/q - 2 r n) x z)^T),   dM/dw = -c e e^T */
static void drag_tangent(const bearing *p, const hk_force_in *in, hk_force_out *out) {
  hk_vec3 z = hk_column(&in->A->R, 2), n = hk_column(&in->B->R, 2), zero = {0, 0, 0};
  hk_vec3 w = hk_sub(in->B->w, in->A->w);
  const drag_axis a = drag_about(n, z);
  double c = p->spin_damping, r = hk_dot(w, a.e) / a.q;
  hk_vec3 v = hk_scale(1 / a.q, w), by_n = hk_cross(hk_axpy(v, -2 * a.sign * r, z), n);
  if (in->a_rests) {
    add_skew(out->K, 9, 9, hk_scale(-c * r, n));
    add_form(out->K, 9, 9, 0, hk_scale(-c, a.e), by_n);
    add_form(out->C, 9, 9, 0, hk_scale(c, a.e), a.e);
    return;
  }
  hk_vec3 by_z = hk_cross(hk_axpy(v, -2 * r, n), z);
  spread_moment(out->K, 9, -c, hk_scale(r, n), a.e, by_n);
  spread_moment(out->K, 3, -c * a.sign, hk_scale(r, z), a.e, by_z);
  spread_moment(out->C, 9, c, zero, a.e, a.e);
  spread_moment(out->C, 3, -c, zero, a.e, a.e);
}

/* Adds the rows of F on B, of the reaction force on A, and of the moment -d x F of the reaction on A, for dF = D
 * d(column). */
static void spread(double K[12][12], int column, double s, const hk_mat3 *arm, const hk_mat3 *D) {
  hk_mat3 moment = hk_matmul(arm, D);
  hk_block_add(K, 0, column, -s, D);
  hk_block_add(K, 3, column, -s, &moment);
  hk_block_add(K, 6, column, s, D);
}

/* e 1 + f a b^T */
static hk_mat3 form(double e, double f, hk_vec3 a, hk_vec3 b) {
  hk_mat3 out = hk_mat3_scale(f, hk_outer(a, b));
  out.m[0][0] += e, out.m[1][1] += e, out.m[2][2] += e;
  return out;
}

static void tangent(const bearing *p, const hk_force_in *in, hk_vec3 d, hk_vec3 u, hk_vec3 F,
                    hk_force_out *out) {
  hk_vec3 z = hk_column(&in->A->R, 2);
  double k = p->axial_stiffness - p->radial_stiffness, c = p->axial_damping - p->radial_damping;
  if (in->a_rests) {
    add_form(out->K, 6, 6, p->radial_stiffness, hk_scale(k, z), z);
    add_form(out->C, 6, 6, p->radial_damping, hk_scale(c, z), z);
    return;
  }
  hk_mat3 by_u = form(-p->radial_damping, -c, z, z), by_d = form(-p->radial_stiffness, -k, z, z);
  hk_mat3 arm = hk_skew(d), wA = hk_skew(in->A->w), Z = hk_skew(z), Fs = hk_skew(F);
  hk_mat3 turned = hk_matmul(&by_u, &wA); /* du = -wA x dd */
  by_d = hk_mat3_add(by_d, hk_mat3_scale(-1, turned));
  hk_mat3 by_z = hk_mat3_add(form(k * hk_dot(z, d), k, z, d), form(c * hk_dot(z, u), c, z, u));
  hk_mat3 by_theta = hk_matmul(&by_z, &Z); /* dz = dtheta x z */
  spread(out->K, 0, 1, &arm, &by_d);
  spread(out->K, 6, -1, &arm, &by_d);
  spread(out->K, 3, -1, &arm, &by_theta);
  hk_block_add(out->K, 3, 0, 1, &Fs); /* lever arm of the reaction */
  hk_block_add(out->K, 3, 6, -1, &Fs);
  hk_mat3 by_wA = hk_matmul(&by_u, &arm); /* du = d x dwA */
  spread(out->C, 0, 1, &arm, &by_u);
  spread(out->C, 6, -1, &arm, &by_u);
  spread(out->C, 3, -1, &arm, &by_wA);
}

/* Returns true if the bearing has any stiffness or damping other than its drag. */
static bool carries(const bearing *p) {
  return p->radial_stiffness > 0 || p->axial_stiffness > 0 || p->radial_damping > 0 ||
         p->axial_damping > 0;
}

/* Position and velocity of B relative to A: components along z and perpendicular to it. */
typedef struct kinematics {
  hk_vec3 d, u, across, drift, e;
  double along, speed, spin;
} kinematics;

static kinematics measure(const hk_force_in *in) {
  hk_vec3 z = hk_column(&in->A->R, 2), n = hk_column(&in->B->R, 2);
  kinematics k = {.d = hk_sub(in->B->x, in->A->x)};
  k.u = hk_sub(hk_sub(in->B->v, in->A->v), hk_cross(in->A->w, k.d));
  k.along = hk_dot(z, k.d);
  k.speed = hk_dot(z, k.u);
  k.e = drag_about(n, z).e;
  k.spin = hk_dot(k.e, hk_sub(in->B->w, in->A->w));
  k.across = hk_axpy(k.d, -k.along, z);
  k.drift = hk_axpy(k.u, -k.speed, z);
  return k;
}

static void eval(const void *data, const hk_force_in *in, hk_force_out *out) {
  const bearing *p = data;
  const kinematics k = measure(in);
  hk_vec3 z = hk_column(&in->A->R, 2);
  hk_vec3 F = hk_scale(-p->axial_stiffness * k.along - p->axial_damping * k.speed, z);
  F = hk_axpy(hk_axpy(F, -p->radial_stiffness, k.across), -p->radial_damping, k.drift);
  hk_vec3 M = hk_scale(-p->spin_damping * k.spin, k.e);
  put(out->w, hk_neg(F));
  put(out->w + 3, hk_neg(hk_add(M, hk_cross(k.d, F))));
  put(out->w + 6, F);
  put(out->w + 9, M);
  out->potential = 0.5 * (p->radial_stiffness * hk_dot(k.across, k.across) +
                          p->axial_stiffness * k.along * k.along);
  out->dissipated = p->radial_damping * hk_dot(k.drift, k.drift) +
                    p->axial_damping * k.speed * k.speed + p->spin_damping * k.spin * k.spin;
  if (!out->tangent) return;
  out->has_K = out->has_C = true;
  if (carries(p)) tangent(p, in, k.d, k.u, F, out);
  if (p->spin_damping > 0) drag_tangent(p, in, out);
}

static const hk_quantity channels[] = {
    {"radial", "m", "distance of b from the axis of a"},
    {"axial", "m", "displacement of b along the axis of a"},
    {"radial_speed", "m/s", "radial velocity of b relative to a", HK_SHOW_DETAIL},
    {"axial_rate", "m/s", "axial velocity of b relative to a", HK_SHOW_DETAIL},
    {"spin", "rad/s", "angular velocity of b relative to a about the z axes", HK_SHOW_DETAIL},
};

static void read(const void *data, const hk_force_in *in, const hk_force_out *out, double *value) {
  const kinematics k = measure(in);
  value[0] = hk_norm(k.across);
  value[1] = k.along;
  value[2] = hk_norm(k.drift);
  value[3] = k.speed;
  value[4] = k.spin;
}

static const hk_force_ops ops = {.bind = bind, .eval = eval, .read = read, HK_CHANNELS(channels)};

static void draw(const hk_item *item, hk_drawing *d) { hk_draw_sleeve(d); }

const hk_type hk_type_force_bearing = {
    .name = "bearing",
    .category = HK_FORCE,
    .doc = "Linear radial and axial bearing of a shaft, with viscous drag against rotation.",
    .source = "definition",
    .size = sizeof(bearing),
    .defaults = &defaults,
    HK_TABLE(params),
    .ops = &ops,
    .draw = draw,
    .symmetry = HK_MIRRORS,
};
