/* Options of the public interface, which begin with their size: a program that was compiled with other headers passes a shorter
 * or a longer struct.
 *
 * A size of 0 means the struct of version 1.0.  When a struct grows, its size in that version becomes `first`.
 */
#ifndef HK_BASE_OPTIONS_H
#define HK_BASE_OPTIONS_H
#include <string.h>

/* The members of *given that this library and the program both know; the others are 0.  NULL: all are. */
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
