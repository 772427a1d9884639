/* Shared by the evaluations of whole bearings: points of the inner ring at an element, and sums
 * of their derivatives. */
#ifndef HK_BEARING_POINT_H
#define HK_BEARING_POINT_H
#include "bearing/ring_force.h"
#include "bearing/plane_intersection.h"
#include <string.h>

/* a b^T added to M. */
HK_INLINE void hk_add_outer(double M[HK_BEARING_COORDINATES][HK_BEARING_COORDINATES],
                            const double a[HK_BEARING_COORDINATES],
                            const double b[HK_BEARING_COORDINATES]) {
  for (int i = 0; i < HK_BEARING_COORDINATES; i++) {
    HK_V4(M[i]) += a[i] * HK_V4C(b);
    HK_V4(M[i] + 4) += a[i] * HK_V4C(b + 4);
  }
}

/* Point of the inner ring at an element: its position and, if needed, its rows. */
HK_INLINE bool hk_point_find(const hk_bearing_place *at, const hk_bearing_row *row, int i, double c,
                             double s, hk_pierce *k) {
  if (!at->linear) return hk_pierce_find(at->u, &at->Q, row->R[i], row->z[i], c, s, k);
  const double R = row->R[i], z = row->z[i];
  const hk_vec3 u = at->u, t = at->theta;
  k->I[0] = R + c * u.x + s * u.y + z * (c * t.y - s * t.x);
  k->I[1] = z + u.z + R * (s * t.x - c * t.y);
  return true;
}

HK_INLINE void hk_point_rows(const hk_bearing_place *at, const hk_bearing_row *row, int i, double c,
                             double s, hk_pierce *k) {
  if (!at->linear) {
    hk_pierce_rows(k);
    return;
  }
  const double R = row->R[i], z = row->z[i];
  const double Dr[HK_BEARING_COORDINATES] = {c, s, 0, -z * s, z * c, 0},
               Dz[HK_BEARING_COORDINATES] = {0, 0, 1, R * s, -R * c, 0};
  memcpy(k->Dr, Dr, sizeof Dr);
  memcpy(k->Dz, Dz, sizeof Dz);
}

/* -d(f_r D_r + f_z D_z) at constant f: see plane_intersection.h. */
HK_INLINE void hk_add_geometric(const hk_pierce *k, double f_r, double f_z,
                                double K[HK_BEARING_COORDINATES][HK_BEARING_COORDINATES]) {
  double Et[HK_BEARING_COORDINATES], A[HK_BEARING_COORDINATES];
  hk_vec3 et = hk_v3(-k->s, k->c, 0);
  hk_vec3 f = hk_axpy(hk_scale(f_r, hk_pierce_gr(k)), f_z, hk_pierce_gz(k));
  hk_pierce_row(et, k->p, Et);
  hk_pierce_turn(k, f, Et, A);
  hk_add_outer(K, Et, A);
  hk_vec3 fr = hk_cross(f, hk_v3(k->c, k->s, 0)), fz = hk_cross(f, hk_v3(0, 0, 1));
  const double r[3] = {fr.x, fr.y, fr.z}, z[3] = {fz.x, fz.y, fz.z};
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 6; j++) K[3 + i][j] += r[i] * k->Dr[j] + z[i] * k->Dz[j];
  K[3][1] += f.z, K[3][2] -= f.y;
  K[4][0] -= f.z, K[4][2] += f.x;
  K[5][0] += f.y, K[5][1] -= f.x;
}
#endif
