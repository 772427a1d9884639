/* See room.h. */
#include "base/room.h"
#include <stdlib.h>

hk_status hk_room(size_t bytes, const char *what, hk_error *err) {
#ifdef __SANITIZE_ADDRESS__
  /* The sanitizer writes an eighth of what is asked for: a token is enough for the tests of a refusal. */
  if (bytes > 1 << 20) bytes = 1 << 20;
#endif
  void *volatile probe = malloc(bytes); /* volatile: a compiler may leave out what nobody uses */
  if (!probe)
    return hk_fail(err, HK_ENOMEM, "out of memory: %s needs about %zu MB at once", what,
                   bytes >> 20);
  free(probe);
  return HK_OK;
}
