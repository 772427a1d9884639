/* Coincidence of two points: c = xB - xA in world axes. J is constant, so that bias and
 * curvature are zero; src/core/map.h adds the bias and curvature due to markers with an offset. */
#include <hooke/relation.h>
#include <stddef.h>

static void value(const double *k, const hk_frame *A, const hk_frame *B, double *c) {
  c[0] = B->x.x - A->x.x;
  c[1] = B->x.y - A->x.y;
  c[2] = B->x.z - A->x.z;
}

static void gradient(const double *k, const hk_frame *A, const hk_frame *B, hk_row *J) {
  J[0].xa = hk_v3(-1, 0, 0), J[0].xb = hk_v3(1, 0, 0);
  J[1].xa = hk_v3(0, -1, 0), J[1].xb = hk_v3(0, 1, 0);
  J[2].xa = hk_v3(0, 0, -1), J[2].xb = hk_v3(0, 0, 1);
}

static void bias(const double *k, const hk_frame *A, const hk_frame *B, double *b) {
  b[0] = b[1] = b[2] = 0;
}

const hk_relation_type hk_relation_point = {"point", 3, false, false, value, gradient, bias, NULL};
