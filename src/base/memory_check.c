/* See memory_check.h. */
#include "base/memory_check.h"
#include "base/sanitizer.h"
#include <stdlib.h>

hk_status hk_memory_check(size_t bytes, const char *what, hk_error *err) {
#if HK_ADDRESS_SANITIZER
  /* With the address sanitizer, allocating a large block is slow, because the sanitizer writes
   * an eighth of its size. A small block is enough to test failures. */
  if (bytes > 1 << 16) bytes = 1 << 16;
#endif
  void *volatile probe = malloc(bytes); /* volatile: otherwise the compiler may remove the unused
                                         * allocation */
  if (!probe)
    return hk_fail(err, HK_ENOMEM, "out of memory: %s needs about %zu MB at once", what,
                   bytes >> 20);
  free(probe);
  return HK_OK;
}
