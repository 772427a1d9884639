/* Second derivatives of a relation, by its functions or, if it has no bias, by finite
 * differences of its gradient (hooke/numerical.h). */
#ifndef HK_RELATION_DERIVE_H
#define HK_RELATION_DERIVE_H
#include <hooke/numerical.h>

/* Returns true if the gradient may vary. If a relation provides a bias function but no curvature function, its
 * gradient is constant. If it provides neither, its second derivatives are unknown, and the gradient may vary. */
static inline bool hk_relation_is_curved(const hk_relation_type *type) {
  return type->curvature || !type->bias;
}
static inline void hk_relation_bias(const hk_relation_type *type, const double *k,
                                    const hk_frame *A, const hk_frame *B, double *b) {
  if (type->bias)
    type->bias(k, A, B, b);
  else
    hk_relation_bias_numerical(type, k, A, B, b);
}
/* Adds the curvature to K, as hk_relation_type.curvature does. */
static inline void hk_relation_curvature(const hk_relation_type *type, const double *k,
                                         const hk_frame *A, const hk_frame *B, const double *factor,
                                         double K[12][12]) {
  if (type->curvature)
    type->curvature(k, A, B, factor, K);
  else if (!type->bias)
    hk_relation_curvature_numerical(type, k, A, B, factor, K);
}
#endif
