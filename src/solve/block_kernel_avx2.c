/* Block LU kernels for x86-64 with AVX2 and FMA. Only the functions of block_kernel.inc are
 * compiled for these instructions; hk_block_kernel_avx2 returns them only after checking the
 * processor. */
#include "solve/block_kernel.h"
#include <math.h>
#include <string.h>

#if defined(__x86_64__) && defined(__GNUC__)
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,fma")
#endif
/* One instruction instead of three in the general form. */
#define PAIR_SUMS(a, b) ((v4)__builtin_ia32_haddpd256((a), (b)))
#include "solve/block_kernel.inc"
#include "solve/block_kernel_solve.inc"
#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

static const hk_block_kernel avx2 = {"avx2", factor, solve};

const hk_block_kernel *hk_block_kernel_avx2(void) {
  __builtin_cpu_init();
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? &avx2 : NULL;
}
#else
const hk_block_kernel *hk_block_kernel_avx2(void) { return NULL; }
#endif
