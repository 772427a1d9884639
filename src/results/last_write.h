/* The last change of the structure of a results file, kept twice.
 *
 * HDF5 changes blocks of its index in place, and each block has a checksum.  A kill may stop the operating system within
 * such a write, for instance at the border of two pages: the block then has new bytes at its beginning and old ones at its
 * end, and HDF5 refuses it with all the chunks that it lists.  Therefore the writer first writes a copy of every change to
 * a place that is reserved for it (/last_write): address, size, checksum, bytes.  If it is killed while it writes the copy,
 * the block is still whole; if it is killed while it writes the block, the copy is whole, and the reader uses it instead of
 * the block.  The reader does not change the file.
 *
 * Only a block whose checksum is wrong is replaced.  A whole block may be newer than the copy, for instance in a duplicate
 * of the file that a program made during the run and not from the beginning to the end. */
#ifndef HK_RESULTS_LAST_WRITE_H
#define HK_RESULTS_LAST_WRITE_H
#include <hooke/base.h>
#include <sys/types.h>

/* Number of bytes that are reserved. The largest block that HDF5 changes has 8 kB; up to 2 TB of rows none is larger. */
enum { HK_LAST_WRITE_ROOM = 9 << 10 };

/* Makes the copy of a change that is about to be written, and stores it in `copy` (HK_LAST_WRITE_ROOM bytes). Returns
 * the number of bytes of the copy. A change that is too large gives a copy that the reader ignores. */
size_t hk_last_write_make(void *copy, uint64_t address, const void *bytes, size_t size);

typedef struct hk_last_write {
  uint64_t address;
  size_t size;
  unsigned char *bytes; /* allocated; NULL: there is nothing to replace */
} hk_last_write;

/* Reads the copy at `at` of an open file, whose writer has ended.  out->bytes stays NULL if the copy is not whole or if the
 * block is. HK_ENOMEM: out of memory. */
hk_status hk_last_write_read(int fd, off_t at, hk_last_write *out);
/* Replaces what was read from the file at `address` by the bytes of the copy, where both overlap. */
void hk_last_write_apply(const hk_last_write *last, uint64_t address, void *bytes, size_t size);
void hk_last_write_free(hk_last_write *last);
#endif
