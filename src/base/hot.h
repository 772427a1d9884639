/* HK_HOT: compiles a function twice, for processors with AVX2 and FMA and for all others. The loader selects one
 * version by the features of the processor. (With "arch=haswell" the loader would select the fast version only for
 * this processor model.) Sanitizers cannot run before the loader has finished, so they use the plain version. */
#ifndef HK_BASE_HOT_H
#define HK_BASE_HOT_H
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) &&                     \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && !defined(_WIN32) && \
    __GNUC__ >= 12
#define HK_HOT __attribute__((target_clones("arch=x86-64-v3", "default")))
#else
#define HK_HOT
#endif
/* Four doubles at once, at any address. */
typedef double hk_v4 __attribute__((vector_size(32), aligned(8), may_alias));
typedef double hk_v2 __attribute__((vector_size(16), aligned(8), may_alias));
#define HK_V4(p) (*(hk_v4 *)(p))
#define HK_V4C(p) (*(const hk_v4 *)(p))
/* Helpers of HK_HOT functions must be inlined to be compiled for the same processor. */
#ifndef HK_INLINE
#define HK_INLINE static inline __attribute__((always_inline))
#endif
#if defined(__has_builtin)
#if __has_builtin(__builtin_shufflevector)
#define HK_V4_HALVES(p) (__builtin_shufflevector(p, p, 0, 1) + __builtin_shufflevector(p, p, 2, 3))
#endif
#endif
#ifndef HK_V4_HALVES
#define HK_V4_HALVES(p) ((hk_v2){(p)[0] + (p)[2], (p)[1] + (p)[3]})
#endif
HK_INLINE double hk_v4_sum(hk_v4 p) {
  hk_v2 half = HK_V4_HALVES(p);
  return half[0] + half[1];
}
/* HK_FLAT: inline every call with a known body, including the small functions of math3.h, which
 * the compiler would otherwise call one by one. HK_APART: do not inline this rarely used, large
 * function. */
#define HK_FLAT __attribute__((flatten))
#define HK_APART __attribute__((noinline))
#endif
