/* Relative rotation of rotors, unwrapped: c = angle(B) - angle(A). The angle of a frame that is not
 * on a rotor counts as zero. A rotor rotates about an axis that is fixed in the world, so the gradient is the
 * direction of this axis, and bias and curvature are zero. */
#include <hooke/relation.h>
#include <stddef.h>

static void value(const double *k, const hk_frame *A, const hk_frame *B, double *c) {
  c[0] = B->angle - A->angle;
}

static void gradient(const double *k, const hk_frame *A, const hk_frame *B, hk_row *J) {
  J->ta = hk_neg(hk_column(&A->R, 2));
  J->tb = hk_column(&B->R, 2);
}

static void bias(const double *k, const hk_frame *A, const hk_frame *B, double *b) { b[0] = 0; }

static void angles(const double *k, double a, double b, double d[6]) {
  d[0] = b - a;
  d[1] = -1, d[2] = 1;
  d[3] = d[4] = d[5] = 0;
}

const hk_relation_type hk_relation_turn = {"turn",   1,    true, false,           value,
                                           gradient, bias, NULL, .angles = angles};
