/* Option structs of the public interface begin with their size, because a program that was
 * compiled with other headers passes a shorter or a longer struct.
 *
 * A size of 0 means the struct of version 1.0. `first`: the size of the struct in version 1.0. */
#ifndef HK_BASE_OPTIONS_H
#define HK_BASE_OPTIONS_H
#include <string.h>

/* Copies the members of *given that both the library and the program have; all others become 0.
 * given = NULL: all become 0. */
static inline void hk_options_take(void *own, size_t size, size_t first, const void *given) {
  memset(own, 0, size);
  if (!given) return;
  size_t n;
  memcpy(&n, given, sizeof n);
  if (n == 0) n = first;
  memcpy(own, given, n < size ? n : size);
}
#define HK_TAKE_OPTIONS(own, given) hk_options_take(&(own), sizeof(own), sizeof(own), (given))
#endif
