/* Checks that there is enough memory before a library call that cannot handle a failed
 * allocation: OpenBLAS retries for ever, and HDF5 crashes if its first allocations fail. */
#ifndef HK_BASE_MEMORY_CHECK_H
#define HK_BASE_MEMORY_CHECK_H
#include <hooke/base.h>

#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
/* Sanitizers mark every allocated byte, which would take most of the time of a fuzzer; so a smaller block is tested. */
enum { HK_MEMORY_BLAS = 1 << 10, HK_MEMORY_HDF5 = 1 << 10 };
#else
enum {
  HK_MEMORY_BLAS = 192 << 20, /* buffer of BLAS (128 MiB), and the copies made by LAPACKE */
  HK_MEMORY_HDF5 = 24 << 20   /* tables of HDF5, and the chunks in its cache */
};
#endif
/* Checks that `bytes` can be allocated at once; HK_ENOMEM if not. */
hk_status hk_memory_check(size_t bytes, const char *what, hk_error *err);
#endif
