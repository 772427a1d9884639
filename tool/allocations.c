/* Counting of allocations: see allocations.h.
 *
 * The functions below replace those of the C library for the whole process, including plugins, and forward every call. 
 * Counting starts with the first call of the counter.  Not available with sanitizers, which replace the same functions, and
 * with C libraries that have no second name for the replaced functions. */
#include "allocations.h"
#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

#ifdef __has_feature
#define TOOL_HAS_FEATURE(x) __has_feature(x)
#else
#define TOOL_HAS_FEATURE(x) 0
#endif
#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && \
    !TOOL_HAS_FEATURE(address_sanitizer) && !TOOL_HAS_FEATURE(memory_sanitizer) &&           \
    !TOOL_HAS_FEATURE(thread_sanitizer)

#include <malloc.h>

static atomic_bool counts;
static atomic_long n;

static void count(void) {
  if (atomic_load_explicit(&counts, memory_order_relaxed))
    atomic_fetch_add_explicit(&n, 1, memory_order_relaxed);
}

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t items, size_t size);
void *__libc_realloc(void *old, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

void *malloc(size_t size) {
  count();
  return __libc_malloc(size);
}

void *calloc(size_t items, size_t size) {
  count();
  return __libc_calloc(items, size);
}

void *realloc(void *old, size_t size) {
  count();
  return __libc_realloc(old, size);
}

void *memalign(size_t alignment, size_t size) {
  count();
  return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  count();
  return __libc_memalign(alignment, size);
}

int posix_memalign(void **out, size_t alignment, size_t size) {
  if (alignment % sizeof(void *) != 0 || alignment == 0 || (alignment & (alignment - 1)) != 0)
    return EINVAL;
  count();
  void *room = __libc_memalign(alignment, size);
  if (!room) return ENOMEM;
  *out = room;
  return 0;
}

static long counted(void) {
  atomic_store(&counts, true);
  return atomic_load(&n);
}

tool_allocation_count *tool_allocations(void) { return counted; }

#else

tool_allocation_count *tool_allocations(void) { return NULL; }

#endif
