/* Allocation of megabytes in pages of 2 MiB, if the system supports them. The data of one step
 * of a large model cover thousands of pages of 4 KiB, more than the address cache (TLB) of the
 * processor holds. */
#ifndef HK_BASE_HUGE_PAGES_H
#define HK_BASE_HUGE_PAGES_H
#include <stddef.h>

/* Allocates n zeroed elements of the given size, aligned to a cache line; release with free().
 * NULL: out of memory. */
void *hk_huge_calloc(size_t n, size_t size);
#endif
