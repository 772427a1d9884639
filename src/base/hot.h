/* HK_HOT: compile a function twice, for processors with AVX2 and FMA and for all others; the loader
 * picks one.  Sanitizers cannot run before the loader has finished, so they get the plain one. */
#ifndef HK_HOT_H
#define HK_HOT_H
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__)
#define HK_HOT __attribute__((target_clones("arch=haswell", "default")))
#else
#define HK_HOT
#endif
/* Helpers of such functions must be inlined to be compiled for the same processor. */
#define HK_INLINE static inline __attribute__((always_inline))
#endif
