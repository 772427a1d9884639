/* See lapack.h. */
#include "lapack/lapack.h"
#include "base/memory_check.h"
#include <cblas.h>
#include <lapacke.h>
#include <stdatomic.h>

/* Large enough that BLAS uses its buffer. */
enum { SIZE = 48 };

static void take_buffer(void) {
  static const double a[SIZE * SIZE];
  double c[SIZE * SIZE];
  cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, SIZE, SIZE, SIZE, 1, a, SIZE, a, SIZE, 0,
              c, SIZE);
  cblas_dsyrk(CblasColMajor, CblasLower, CblasNoTrans, SIZE, SIZE, 1, a, SIZE, 0, c, SIZE);
}

/* OpenBLAS keeps its buffer until the process ends, and this flag records that the buffer exists. The flag is the only
 * data of this file that remains after a call. Threads that call at the same instant use a buffer each; the check
 * covers only the first one. */
static atomic_bool has_buffer;

hk_status hk_lapack_begin(const char *what, hk_error *err) {
  if (atomic_load(&has_buffer)) return HK_OK;
  hk_status status = hk_memory_check(HK_MEMORY_BLAS, what, err);
  if (status) return status;
  take_buffer();
  atomic_store(&has_buffer, true);
  return HK_OK;
}

hk_status hk_lapack_fail(int info, const char *what, hk_error *err) {
  if (info == LAPACK_WORK_MEMORY_ERROR || info == LAPACK_TRANSPOSE_MEMORY_ERROR)
    return hk_fail(err, HK_ENOMEM, "out of memory: %s", what);
  return hk_fail(err, HK_EFAIL, "%s failed%s", what,
                 info < 0 ? ": a number is not finite" : " to converge");
}
