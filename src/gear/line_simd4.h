/* SIMD evaluation of four line contacts at once, for laws of line contacts: each lane of a
 * vector belongs to one slice (base/simd4.h). */
#ifndef HK_GEAR_LINE_SIMD4_H
#define HK_GEAR_LINE_SIMD4_H
#include "base/simd4.h"
#include "gear/line.h"

/* The members of hk_line_spot and hk_line_load for four slices, in the same order. */
typedef struct hk_spot_four {
  hk_v4 width, radius, depth2, speed, modulus, poisson, k[6];
} hk_spot_four;
typedef struct hk_load_four {
  hk_v4 F, F_x, F_r, F_u, y, y_x, y_r, y_u, y_k, steady, deformation, deformation_x, film, film_x,
      damping, energy, coenergy_r, coenergy_k, part, part_film;
} hk_load_four;
enum { HK_SPOT_NUMBERS = 12, HK_LOAD_NUMBERS = 20 };
_Static_assert(sizeof(hk_line_spot) == HK_SPOT_NUMBERS * sizeof(double),
               "every member of a spot is read");
_Static_assert(sizeof(hk_line_load) == HK_LOAD_NUMBERS * sizeof(double),
               "every member of a load is written");
_Static_assert(sizeof(hk_load_four) == HK_LOAD_NUMBERS * sizeof(hk_v4), "no padding");

HK_INLINE void hk_spot_gather(const hk_line_spot *const spot[4], hk_spot_four *out) {
  hk_v4 *to = (hk_v4 *)out;
#pragma GCC unroll 3
  for (int i = 0; i < HK_SPOT_NUMBERS; i += 4) {
    const double *a = (const double *)spot[0] + i, *b = (const double *)spot[1] + i;
    const double *c = (const double *)spot[2] + i, *d = (const double *)spot[3] + i;
    hk_transpose4(HK_V4C(a), HK_V4C(b), HK_V4C(c), HK_V4C(d), to + i);
  }
}

/* Loads n calls into lanes; unused lanes repeat the first call. Returns their x. */
HK_INLINE hk_v4 hk_line_gather(const hk_line_call *call, int n, hk_spot_four *spot) {
  const hk_line_call *c[4];
  for (int i = 0; i < 4; i++) c[i] = &call[i < n ? i : 0];
  hk_spot_gather((const hk_line_spot *const[]){c[0]->spot, c[1]->spot, c[2]->spot, c[3]->spot},
                 spot);
  return (hk_v4){c[0]->x, c[1]->x, c[2]->x, c[3]->x};
}

HK_INLINE void hk_line_scatter(const hk_load_four *load, const hk_line_call *call, int n) {
  const hk_v4 *from = (const hk_v4 *)load;
  hk_v4 row[4];
#pragma GCC unroll 5
  for (int i = 0; i < HK_LOAD_NUMBERS; i += 4) {
    hk_transpose4(from[i], from[i + 1], from[i + 2], from[i + 3], row);
    for (int lane = 0; lane < n; lane++) HK_V4((double *)call[lane].load + i) = row[lane];
  }
}

/* ---- local deformation ---- */

/* Deformation of both bodies under the line load of a slice, between the surface and the depth
 * h,
 *   q = (2 w/(pi E)) ln(pi h1 h2 E/(2 w R)) - (w/pi) sum nu (1 + nu)/E,   w = e^x/b
 * the limit for depths much larger than the half width of the contact [WeberBanaschek1953]. q_r:
 * derivative with respect to the radius; q_k: with respect to ln(h1 h2). In [Scurria2019, eq 9]
 * as printed, the sign of nu in the last term and the depth (sum instead of product) cannot be
 * correct. */
typedef struct hk_deformation_four {
  hk_v4 q, q_x, q_r, q_k;
  hk_v4 energy, coenergy_r, coenergy_k;
} hk_deformation_four;

/* The part of the logarithm that does not depend on the load. */
HK_INLINE hk_v4 hk_line_ready4(const hk_spot_four *s) {
  return hk_log4(M_PI_2 * s->depth2 * s->modulus * s->width / s->radius);
}

/* F = e^x; hk_line_ready4 must have been called. */
HK_INLINE hk_deformation_four hk_line_deform4(const hk_spot_four *s, hk_v4 x, hk_v4 F) {
  hk_v4 w = F / s->width, Aw = M_2_PI * w / s->modulus, per_radius = 1 / s->radius;
  hk_v4 q = Aw * (s->k[HK_LINE_DEFORM] - x) - M_1_PI * s->poisson * w;
  /* U = F q - int q dF, and the derivatives of the integral: dq/dR = -A w/R, so that int = -A w
   * F/(2 R). */
  return (hk_deformation_four){.q = q,
                               .q_x = q - Aw,
                               .q_r = -Aw * per_radius,
                               .q_k = Aw,
                               .energy = 0.5 * F * (q - 0.5 * Aw),
                               .coenergy_r = -0.5 * Aw * F * per_radius,
                               .coenergy_k = 0.5 * Aw * F};
}
#endif
