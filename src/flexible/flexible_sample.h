/* A small flexible body for conformance and other tests, with integrals that are exact: four equal point masses in
 * space, which three modes move. The modes are orthogonal to all rigid motions and to each other, and are normalised
 * by the mass. */
#ifndef HK_FLEXIBLE_FLEXIBLE_SAMPLE_H
#define HK_FLEXIBLE_FLEXIBLE_SAMPLE_H
#include "flexible/flexible_data.h"

enum { HK_SAMPLE_POINTS = 4, HK_SAMPLE_MODES = 3 };
extern const double HK_SAMPLE_X[HK_SAMPLE_POINTS][3];

typedef struct hk_flexible_sample {
  hk_flexible_data data;
  double w2[HK_SAMPLE_MODES], J1[HK_SAMPLE_MODES][3][3], J2[HK_SAMPLE_MODES][HK_SAMPLE_MODES][3][3];
  double c[HK_SAMPLE_MODES][HK_SAMPLE_MODES][3], K[HK_SAMPLE_MODES][HK_SAMPLE_MODES][3][3];
  double phi[2][3][HK_SAMPLE_MODES], psi[2][3][HK_SAMPLE_MODES],
      G[2][3][HK_SAMPLE_MODES][HK_SAMPLE_MODES];
  hk_flexible_interface interface[2];
  double mode[HK_SAMPLE_MODES][3 * HK_SAMPLE_POINTS];
} hk_flexible_sample;

/* stiffening: also fills K and G, with arbitrary values that do not belong to the point masses. The address of `out`
 * must not change afterwards. */
void hk_flexible_sample_make(hk_flexible_sample *out, bool stiffening);
#endif
