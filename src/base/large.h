/* Memory of large models: a block of megabytes in pages of 2 MiB where the system has them.  What a step reads and writes
 * of a large model lies on thousands of pages of 4 KiB, more than the processor keeps the addresses of. */
#ifndef HK_LARGE_H
#define HK_LARGE_H
#include <stddef.h>

/* n zeroed elements of this size on a cache line's border, to be given back by free(); NULL when out of memory. */
void *hk_large_calloc(size_t n, size_t size);
#endif
