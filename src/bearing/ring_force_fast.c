/* See ring_force_fast.h. */
#include "bearing/ring_force_fast.h"
#include "bearing/point.h"

/* D_r (k_rr D_r + k_rz D_z)^T + D_z (...)^T */
HK_INLINE void add_stiffness(const hk_pierce *k, const hk_ball_load *b,
                             double K[HK_BEARING_COORDINATES][HK_BEARING_COORDINATES]) {
  for (int half = 0; half < 8; half += 4) {
    const hk_v4 r = HK_V4C(k->Dr + half), z = HK_V4C(k->Dz + half);
    const hk_v4 Wr = b->k[0][0] * r + b->k[0][1] * z, Wz = b->k[1][0] * r + b->k[1][1] * z;
#pragma GCC unroll 6
    for (int i = 0; i < 6; i++) HK_V4(K[i] + half) += k->Dr[i] * Wr + k->Dz[i] * Wz;
  }
}

HK_HOT const char *hk_bearing_act_plain(const hk_bearing *p, const hk_bearing_place *at,
                                        bool tangent, hk_bearing_action *out) {
  for (int row = 0; row < p->rows; row++)
    for (int n = 0; n < p->n; n++) {
      const hk_bearing_row *r = &p->row[row];
      const double c = p->cosine[n], s = p->sine[n], size = p->size[row][n];
      hk_pierce k;
      hk_ball_load b;
      if (!hk_point_find(at, r, 0, c, s, &k)) return "the rings are too far from each other";
      double d[2] = {k.I[0] - r->from[0][0], k.I[1] - r->from[0][1]};
      const bool beyond = hk_bearing_beyond_groove(r, d);
      if (beyond) d[1] = 0;
      if (!hk_ball_static(&p->ball, d, size, &b)) continue;
      if (beyond) b.k[1][1] = 0;
      hk_point_rows(at, r, 0, c, s, &k);
      out->potential += 0.6 * b.Q_i * b.Q_i / b.k_i;
      for (int i = 0; i < 6; i++) out->Q[i] += b.f[0] * k.Dr[i] + b.f[1] * k.Dz[i];
      if (!tangent) continue;
      add_stiffness(&k, &b, out->K);
      if (!at->linear) hk_add_geometric(&k, b.f[0], b.f[1], out->K);
    }
  return NULL;
}
