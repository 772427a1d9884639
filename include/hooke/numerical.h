/* Derivatives by differences, for types that do not want to derive them.
 *
 * A type that gives none needs nothing of this.  Where the derivatives that a force, a gap or a law leaves behind
 * are all zero though what it gives changes, and where a relation has no bias, the library varies what the
 * function reads and fills them itself; whoever compiles a model is told once.  With `.numerical = true` in
 * its hk_type a force says so beforehand.  What stands here is for types that derive a part by hand; they say
 * `.numerical = true` too, so that the same is told.
 *
 * Differences are central, over steps of 1e-6 (m, rad, m/s, rad/s): about nine digits for what is smooth
 * over a millimetre, and several evaluations instead of one.  Exact derivatives are faster, and safer
 * where a law is sharp.
 */
#ifndef HOOKE_NUMERICAL_H
#define HOOKE_NUMERICAL_H
#include <hooke/element.h>

#ifdef __cplusplus
extern "C" {
#endif

#define HK_NUMERICAL_STEP 1e-6

/* A pair of frames after motion j of (dxA, dthetaA, dxB, dthetaB) by h; with the velocity changed
 * instead for 12 <= j < 24. */
HK_API void hk_frames_vary(const hk_frame *A, const hk_frame *B, int j, double h, hk_frame out[2]);

/* Relations: bias and curvature from the type's own gradient, which must be exact. */
HK_API void hk_relation_bias_numerical(const hk_relation_type *type, const double *k,
                                       const hk_frame *A, const hk_frame *B, double *b);
HK_API void hk_relation_curvature_numerical(const hk_relation_type *type, const double *k,
                                            const hk_frame *A, const hk_frame *B,
                                            const double *factor, double K[12][12]);

/* Gaps: n_d, c_d and, if `with_t`, t_d of `points` points from `place`, which fills the rest. */
typedef void hk_gap_place_fn(const double *k, const hk_frame *A, const hk_frame *B, hk_gap *out);
HK_API void hk_gap_numerical(hk_gap_place_fn *place, const double *k, const hk_frame *A,
                             const hk_frame *B, int points, bool with_t, hk_gap *out);
/* All three from an `eval` that fills the rest. */
HK_API void hk_gap_differences(const hk_gap_ops *ops, const double *k, const hk_frame *A,
                               const hk_frame *B, hk_gap *out);

#ifdef __cplusplus
}
#endif
#endif
