/* Vectors, rotations and quaternions in three dimensions: small inline kernels.
 *
 * Conventions: hk_mat3 is row-major, R maps body axes to world axes (x_world = R x_body).
 * A quaternion is (w, x, y, z), unit length, of the same rotation.  exp and log are those of
 * SO(3); `hk_so3_tangent_inv` is the inverse of the right-trivialised tangent operator:
 * d/dt exp(phi) = exp(phi) skew(T(phi) phi').  This header must compile as C++ too, so structs are
 * filled by member name and not by compound literals. */
#ifndef HOOKE_MATH3_H
#define HOOKE_MATH3_H
#include <hooke/version.h>
#include <math.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hk_vec3 {
  double x, y, z;
} hk_vec3;
typedef struct hk_mat3 {
  double m[3][3];
} hk_mat3;
typedef struct hk_quat {
  double w, x, y, z;
} hk_quat;

static inline hk_vec3 hk_v3(double x, double y, double z) {
  const hk_vec3 made = {x, y, z};
  return made;
}
static inline hk_vec3 hk_add(hk_vec3 a, hk_vec3 b) {
  return hk_v3(a.x + b.x, a.y + b.y, a.z + b.z);
}
static inline hk_vec3 hk_sub(hk_vec3 a, hk_vec3 b) {
  return hk_v3(a.x - b.x, a.y - b.y, a.z - b.z);
}
static inline hk_vec3 hk_scale(double s, hk_vec3 a) { return hk_v3(s * a.x, s * a.y, s * a.z); }
static inline hk_vec3 hk_neg(hk_vec3 a) { return hk_v3(-a.x, -a.y, -a.z); }
/* a + s b */
static inline hk_vec3 hk_axpy(hk_vec3 a, double s, hk_vec3 b) {
  return hk_v3(a.x + s * b.x, a.y + s * b.y, a.z + s * b.z);
}
static inline double hk_dot(hk_vec3 a, hk_vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static inline hk_vec3 hk_cross(hk_vec3 a, hk_vec3 b) {
  return hk_v3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
static inline double hk_norm(hk_vec3 a) { return sqrt(hk_dot(a, a)); }
static inline hk_vec3 hk_unit3(hk_vec3 a) { return hk_scale(1.0 / hk_norm(a), a); }

static inline hk_mat3 hk_mat3_identity(void) {
  const hk_mat3 made = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  return made;
}
static inline hk_mat3 hk_skew(hk_vec3 a) {
  const hk_mat3 made = {{{0, -a.z, a.y}, {a.z, 0, -a.x}, {-a.y, a.x, 0}}};
  return made;
}
static inline hk_vec3 hk_mul(const hk_mat3 *A, hk_vec3 b) {
  return hk_v3(A->m[0][0] * b.x + A->m[0][1] * b.y + A->m[0][2] * b.z,
               A->m[1][0] * b.x + A->m[1][1] * b.y + A->m[1][2] * b.z,
               A->m[2][0] * b.x + A->m[2][1] * b.y + A->m[2][2] * b.z);
}
/* A^T b */
static inline hk_vec3 hk_tmul(const hk_mat3 *A, hk_vec3 b) {
  return hk_v3(A->m[0][0] * b.x + A->m[1][0] * b.y + A->m[2][0] * b.z,
               A->m[0][1] * b.x + A->m[1][1] * b.y + A->m[2][1] * b.z,
               A->m[0][2] * b.x + A->m[1][2] * b.y + A->m[2][2] * b.z);
}
static inline hk_mat3 hk_matmul(const hk_mat3 *A, const hk_mat3 *B) {
  hk_mat3 C;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      C.m[i][j] = A->m[i][0] * B->m[0][j] + A->m[i][1] * B->m[1][j] + A->m[i][2] * B->m[2][j];
  return C;
}
/* A^T B */
static inline hk_mat3 hk_tmatmul(const hk_mat3 *A, const hk_mat3 *B) {
  hk_mat3 C;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      C.m[i][j] = A->m[0][i] * B->m[0][j] + A->m[1][i] * B->m[1][j] + A->m[2][i] * B->m[2][j];
  return C;
}
/* A B^T */
static inline hk_mat3 hk_matmult(const hk_mat3 *A, const hk_mat3 *B) {
  hk_mat3 C;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      C.m[i][j] = A->m[i][0] * B->m[j][0] + A->m[i][1] * B->m[j][1] + A->m[i][2] * B->m[j][2];
  return C;
}
static inline hk_mat3 hk_mat3_add(hk_mat3 A, hk_mat3 B) {
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) A.m[i][j] += B.m[i][j];
  return A;
}
static inline hk_mat3 hk_mat3_scale(double s, hk_mat3 A) {
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) A.m[i][j] *= s;
  return A;
}
static inline hk_mat3 hk_transpose(const hk_mat3 *A) {
  hk_mat3 C;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) C.m[i][j] = A->m[j][i];
  return C;
}
/* a b^T */
static inline hk_mat3 hk_outer(hk_vec3 a, hk_vec3 b) {
  const hk_mat3 made = {{{a.x * b.x, a.x * b.y, a.x * b.z},
                         {a.y * b.x, a.y * b.y, a.y * b.z},
                         {a.z * b.x, a.z * b.y, a.z * b.z}}};
  return made;
}
static inline hk_vec3 hk_column(const hk_mat3 *A, int j) {
  return hk_v3(A->m[0][j], A->m[1][j], A->m[2][j]);
}

static inline hk_quat hk_quat_identity(void) {
  const hk_quat made = {1, 0, 0, 0};
  return made;
}
static inline hk_quat hk_quat_mul(hk_quat a, hk_quat b) {
  const hk_quat made = {
      a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
      a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
  return made;
}
static inline hk_quat hk_quat_conj(hk_quat a) {
  const hk_quat made = {a.w, -a.x, -a.y, -a.z};
  return made;
}
static inline hk_quat hk_quat_normalize(hk_quat a) {
  double s = 1.0 / sqrt(a.w * a.w + a.x * a.x + a.y * a.y + a.z * a.z);
  const hk_quat made = {s * a.w, s * a.x, s * a.y, s * a.z};
  return made;
}
static inline hk_mat3 hk_quat_matrix(hk_quat q) {
  double xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z;
  double xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z;
  double wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
  const hk_mat3 made = {{{1 - 2 * (yy + zz), 2 * (xy - wz), 2 * (xz + wy)},
                         {2 * (xy + wz), 1 - 2 * (xx + zz), 2 * (yz - wx)},
                         {2 * (xz - wy), 2 * (yz + wx), 1 - 2 * (xx + yy)}}};
  return made;
}
HK_API hk_quat hk_quat_from_matrix(const hk_mat3 *R);
/* Rotation by the vector phi (axis times angle). */
HK_API hk_quat hk_quat_exp(hk_vec3 phi);
/* Inverse of exp; |result| <= pi. */
HK_API hk_vec3 hk_quat_log(hk_quat q);
static inline hk_quat hk_quat_axis_angle(hk_vec3 unit_axis, double angle) {
  return hk_quat_exp(hk_scale(angle, unit_axis));
}
/* T(phi)^-1 a, the inverse right-trivialised tangent of exp applied to a. */
HK_API hk_vec3 hk_so3_tangent_inv(hk_vec3 phi, hk_vec3 a);
/* Returns the matrix T(phi)^-1 of hk_so3_tangent_inv. */
HK_API hk_mat3 hk_so3_tangent_inv_matrix(hk_vec3 phi);
/* A right-handed frame with the given z axis; x is chosen from the world axes and depends continuously on z almost
 * everywhere. */
HK_API hk_mat3 hk_frame_from_z(hk_vec3 z);
/* A right-handed frame with z along `z` and x as near to `x` as possible. */
HK_API hk_mat3 hk_frame_from_zx(hk_vec3 z, hk_vec3 x);

#ifdef __cplusplus
}
#endif
#endif
