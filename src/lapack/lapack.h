/* What LAPACK and BLAS need around their calls.
 *
 * OpenBLAS takes a large buffer at its first call and asks for it again for ever where it gets none.  Whoever
 * is about to call LAPACK or BLAS begins here: it is asked whether there is room, and BLAS takes its buffer,
 * which it keeps, at once, so that what is allocated later cannot take it away.
 */
#ifndef HK_LAPACK_H
#define HK_LAPACK_H
#include <hooke/base.h>

/* HK_ENOMEM: there is no room; `what` needs it.  Cheap beside any factorisation. */
hk_status hk_lapack_begin(const char *what, hk_error *err);
/* The message for an `info` other than zero of a LAPACKE function: a lack of memory is no failure of numbers. */
hk_status hk_lapack_fail(int info, const char *what, hk_error *err);
#endif
