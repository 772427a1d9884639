/* Preparation of LAPACK and BLAS calls.
 *
 * OpenBLAS allocates a large buffer at its first call and retries for ever if this fails.  Therefore call
 * hk_lapack_begin first: it checks that memory is available and makes BLAS take its buffer at once, so that later
 * allocations cannot use up this memory. */
#ifndef HK_LAPACK_LAPACK_H
#define HK_LAPACK_LAPACK_H
#include <hooke/base.h>

/* Prepares BLAS; HK_ENOMEM: not enough memory; `what`: name of the operation, for the message.
 * Cheap compared with any factorization. */
hk_status hk_lapack_begin(const char *what, hk_error *err);
/* Writes the message for a non-zero `info` of a LAPACKE function; distinguishes lack of memory from
 * numerical failure. */
hk_status hk_lapack_fail(int info, const char *what, hk_error *err);
#endif
