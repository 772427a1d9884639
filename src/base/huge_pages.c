/* See huge_pages.h. */
#include "base/huge_pages.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#ifdef __linux__
#include <sys/mman.h>
#endif

enum { LINE = 64 };

#ifdef MADV_HUGEPAGE
static const size_t page = (size_t)2 << 20;

/* Number of bytes in huge pages; the remainder uses small pages if it would fill less than half of
 * a huge page. */
static size_t in_large_pages(size_t bytes) { return (bytes + page / 2) / page * page; }

/* Only advice: if the system does not follow it, the block uses normal pages. */
static void advise(void *block, size_t bytes) {
  if (bytes) (void)madvise(block, bytes, MADV_HUGEPAGE);
}
#else
static const size_t page = LINE;
static size_t in_large_pages(size_t bytes) { return (void)bytes, 0; }
static void advise(void *block, size_t bytes) { (void)block, (void)bytes; }
#endif

void *hk_huge_calloc(size_t n, size_t size) {
  if (size && n > PTRDIFF_MAX / 2 / size) return NULL;
  size_t bytes = n * size, large = in_large_pages(bytes), align = large ? page : LINE;
  size_t room = bytes > large ? bytes : large;
  void *block = aligned_alloc(align, (room + align - 1) / align * align);
  if (!block) return NULL;
  advise(block, large);
  memset(block, 0, bytes);
  return block;
}
