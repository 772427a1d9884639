/* Derivatives by finite differences, for types without analytic derivatives.
 *
 * A type without any derivatives does not need these functions. If all derivatives of a force,
 * a gap or a law are zero although its result changes, or if a relation has no bias, the
 * library computes them by finite differences, and compilation adds a note. A force can declare
 * this with `.numerical = true` in its hk_type. The functions below are for types that compute
 * only some of their derivatives analytically. Such types also set `.numerical = true`, so that
 * the same note appears.
 *
 * The differences are central, with steps of 1e-6 (m, rad, m/s, rad/s): about nine digits for
 * functions that are smooth over a millimetre, at the cost of several evaluations. Exact
 * derivatives are faster, and more robust for laws with sharp changes. */
#ifndef HOOKE_NUMERICAL_H
#define HOOKE_NUMERICAL_H
#include <hooke/element.h>

#ifdef __cplusplus
extern "C" {
#endif

#define HK_NUMERICAL_STEP 1e-6

/* Fills `out` with the pair of frames in which one coordinate is changed by h: component j of
 * (dxA, dthetaA, dxB, dthetaB). For 12 <= j < 24, the velocity that belongs to component j - 12
 * is changed instead. */
HK_API void hk_frames_vary(const hk_frame *A, const hk_frame *B, int j, double h, hk_frame out[2]);

/* For relations: computes bias and curvature from the type's own gradient, which must be exact. */
HK_API void hk_relation_bias_numerical(const hk_relation_type *type, const double *k,
                                       const hk_frame *A, const hk_frame *B, double *b);
HK_API void hk_relation_curvature_numerical(const hk_relation_type *type, const double *k,
                                            const hk_frame *A, const hk_frame *B,
                                            const double *factor, double K[12][12]);

/* For gaps: computes n_d, c_d and, if `with_t`, t_d of `points` points by differences of `place`, a function that fills
 * all other members. */
typedef void hk_gap_place_fn(const double *k, const hk_frame *A, const hk_frame *B, hk_gap *out);
HK_API void hk_gap_numerical(hk_gap_place_fn *place, const double *k, const hk_frame *A,
                             const hk_frame *B, int points, bool with_t, hk_gap *out);
/* For gaps: computes all three derivatives by differences of an `eval` that fills only the other
 * members. */
HK_API void hk_gap_differences(const hk_gap_ops *ops, const double *k, const hk_frame *A,
                               const hk_frame *B, hk_gap *out);

#ifdef __cplusplus
}
#endif
#endif
