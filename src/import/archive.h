/* Reads zip archives from untrusted sources: files that are stored or compressed by deflate.
 * Everything is checked: names outside of the folder, links, encrypted files, duplicate names and
 * inconsistent sizes are rejected with a message.  Only the directory at the end of the archive is
 * used. */
#ifndef HK_IMPORT_ARCHIVE_H
#define HK_IMPORT_ARCHIVE_H
#include "base/arena.h"
#include <hooke/base.h>
#include <stdint.h>

enum {
  HK_ARCHIVE_MAX_ENTRIES = 20000,
  HK_ARCHIVE_MAX_NAME = 400,
};
/* Largest archive, and largest sum of the sizes of its files [bytes]. */
#define HK_ARCHIVE_MAX_BYTES ((uint64_t)1 << 30)

typedef struct hk_archive_entry {
  const char *name; /* relative, with '/', without "." and ".."; folders end in '/' */
  uint32_t method, crc, packed, size, offset;
} hk_archive_entry;

typedef struct hk_archive {
  unsigned char *bytes;
  size_t size;
  hk_archive_entry *entry; /* entries, sorted by name */
  int n;
} hk_archive;

/* Opens the file at `path`, which is recorded as an input; on failure err has the reason. Call hk_archive_close in any
 * case. */
hk_status hk_archive_open(hk_archive *a, const char *path, hk_error *err);
/* Same as hk_archive_open, for bytes in memory, which are copied. */
hk_status hk_archive_of(hk_archive *a, const void *bytes, size_t size, hk_error *err);
void hk_archive_close(hk_archive *a);
/* Finds a file by its name; NULL: there is none. */
const hk_archive_entry *hk_archive_find(const hk_archive *a, const char *name);
/* Reads the contents of a file, followed by a NUL; memory from malloc. */
hk_status hk_archive_read(const hk_archive *a, const hk_archive_entry *e, unsigned char **out,
                          hk_error *err);
/* Writes all files whose names begin with `prefix` below a folder that the caller has made. */
hk_status hk_archive_unpack(const hk_archive *a, const char *prefix, const char *folder,
                            hk_error *err);
#endif
