/* Rotation of the output side of a universal joint as a function of the rotation phi of its
 * input side:
 *   tan c = tan phi / cos beta,   dc/dphi = eta = cos beta/(1 - sin^2 beta cos^2 phi)
 * k = beta, cos beta, sin^2 beta. phi is the unwrapped angle of rotor B, and c is unwrapped too:
 * it differs from phi by less than a quarter of a revolution. [Ali2025, eq 1] */
#include <hooke/relation.h>
#include "relation/universal.h"
#include <stddef.h>

static double turn(double cos_beta, double co, double si, double angle) {
  return angle + atan2(si * co * (1 - cos_beta), co * co * cos_beta + si * si);
}

static void value(const double *k, const hk_frame *A, const hk_frame *B, double *c) {
  c[0] = turn(k[1], cos(B->angle), sin(B->angle), B->angle);
}

static void gradient(const double *k, const hk_frame *A, const hk_frame *B, hk_row *J) {
  hk_universal u = hk_universal_ratio(k[1], k[2], B->angle);
  J->tb = hk_scale(u.eta, hk_column(&B->R, 2));
}

static void bias(const double *k, const hk_frame *A, const hk_frame *B, double *b) {
  b[0] = hk_universal_ratio(k[1], k[2], B->angle).eta_1 * B->rate * B->rate;
}

static void curvature(const double *k, const hk_frame *A, const hk_frame *B, const double *factor,
                      double K[12][12]) {
  hk_vec3 z = hk_column(&B->R, 2);
  double d = factor[0] * hk_universal_ratio(k[1], k[2], B->angle).eta_1;
  const double e[3] = {z.x, z.y, z.z};
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) K[9 + i][9 + j] += d * e[i] * e[j];
}

static void angles(const double *k, double a, double b, double d[6]) {
  hk_universal u = hk_universal_ratio(k[1], k[2], b);
  d[0] = turn(k[1], u.co, u.si, b);
  d[1] = d[3] = d[4] = 0;
  d[2] = u.eta, d[5] = u.eta_1;
}

const hk_relation_type hk_relation_universal_turn = {
    "universal_turn", 1, true, false, value, gradient, bias, curvature, .ground_a = true,
    .angles = angles};
