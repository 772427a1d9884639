/* A zip archive: see zip.h.  Layout after [PKWARE APPNOTE 6.3.9]: a header and the data of each file, then the directory. */
#include "fmu/zip.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

struct hk_zip_entry {
  char *name;
  unsigned char *data; /* raw deflate stream */
  uint32_t crc, packed, size;
};

enum {
  VERSION = 20,          /* needed to extract: deflate */
  MADE_BY = 3 << 8 | 20, /* Unix: the permissions are used */
  UTF8 = 1 << 11,        /* flag: names are UTF-8 */
  DEFLATE = 8,
  DATE = 1 << 5 | 1, /* 1980-01-01, the earliest date of the format: the archive does not depend on
                      * the date */
  MODE = 0100644,
  MOST_ENTRIES = 65535
};

bool hk_zip_has(const hk_zip *zip, const char *name) {
  for (int i = 0; i < zip->n; i++)
    if (strcmp(zip->entry[i].name, name) == 0) return true;
  return false;
}

static hk_status compress_into(hk_zip_entry *e, const void *bytes, size_t size, hk_error *err) {
  z_stream z = {0};
  if (size > UINT32_MAX / 2)
    return hk_fail(err, HK_EINPUT, "'%s' is too large for the archive", e->name);
  if (deflateInit2(&z, Z_BEST_COMPRESSION, Z_DEFLATED, -MAX_WBITS, 9, Z_DEFAULT_STRATEGY) != Z_OK)
    return hk_fail(err, HK_ENOMEM, "out of memory");
  uLong room = deflateBound(&z, (uLong)size);
  e->data = malloc(room + 1);
  z.next_in = (Bytef *)bytes;
  z.avail_in = (uInt)size;
  z.next_out = e->data;
  z.avail_out = (uInt)room;
  int done = e->data ? deflate(&z, Z_FINISH) : Z_MEM_ERROR;
  e->packed = (uint32_t)z.total_out;
  deflateEnd(&z);
  e->size = (uint32_t)size;
  e->crc = (uint32_t)crc32(0, bytes, (uInt)size);
  return done == Z_STREAM_END ? HK_OK : hk_fail(err, HK_ENOMEM, "out of memory");
}

hk_status hk_zip_add(hk_zip *zip, const char *name, const void *bytes, size_t size, hk_error *err) {
  if (hk_zip_has(zip, name)) return hk_fail(err, HK_EINPUT, "'%s' is there twice", name);
  if (zip->n == MOST_ENTRIES || strlen(name) > 60000)
    return hk_fail(err, HK_EINPUT, "too many files, or a name is too long");
  if (zip->n == zip->capacity) {
    int capacity = zip->capacity ? 2 * zip->capacity : 16;
    hk_zip_entry *more = realloc(zip->entry, (size_t)capacity * sizeof *more);
    if (!more) return hk_fail(err, HK_ENOMEM, "out of memory");
    zip->entry = more;
    zip->capacity = capacity;
  }
  hk_zip_entry *e = &zip->entry[zip->n];
  *e = (hk_zip_entry){.name = strdup(name)};
  if (!e->name) return hk_fail(err, HK_ENOMEM, "out of memory");
  zip->n++;
  return compress_into(e, bytes, size, err);
}

void hk_zip_free(hk_zip *zip) {
  for (int i = 0; i < zip->n; i++) {
    free(zip->entry[i].name);
    free(zip->entry[i].data);
  }
  free(zip->entry);
  *zip = (hk_zip){0};
}

void hk_zip_hash(const hk_zip *zip, hk_sha256 *s) {
  for (int i = 0; i < zip->n; i++) {
    hk_sha256_add_text(s, zip->entry[i].name);
    hk_sha256_add(s, zip->entry[i].data, zip->entry[i].packed);
  }
}

/* ---- writing ---- */

static void put(FILE *out, uint64_t value, int bytes) {
  for (int i = 0; i < bytes; i++) putc((int)(value >> 8 * i & 255), out);
}

/* Writes the fields that the header of a file and its line of the directory have in common. */
static void put_entry(FILE *out, const hk_zip_entry *e) {
  put(out, VERSION, 2);
  put(out, UTF8, 2);
  put(out, DEFLATE, 2);
  put(out, 0, 2); /* time */
  put(out, DATE, 2);
  put(out, e->crc, 4);
  put(out, e->packed, 4);
  put(out, e->size, 4);
  put(out, strlen(e->name), 2);
  put(out, 0, 2); /* extra field */
}

hk_status hk_zip_write(const hk_zip *zip, FILE *out, hk_error *err) {
  uint64_t at = 0, directory = 0;
  uint64_t *start = calloc((size_t)zip->n + 1, sizeof *start);
  if (!start) return hk_fail(err, HK_ENOMEM, "out of memory");
  for (int i = 0; i < zip->n; i++) {
    const hk_zip_entry *e = &zip->entry[i];
    start[i] = at;
    put(out, 0x04034b50, 4);
    put_entry(out, e);
    fputs(e->name, out);
    fwrite(e->data, 1, e->packed, out);
    at += 30 + strlen(e->name) + e->packed;
  }
  for (int i = 0; i < zip->n; i++) {
    const hk_zip_entry *e = &zip->entry[i];
    put(out, 0x02014b50, 4);
    put(out, MADE_BY, 2);
    put_entry(out, e);
    put(out, 0, 2); /* comment */
    put(out, 0, 2); /* disk */
    put(out, 0, 2); /* internal attributes */
    put(out, (uint64_t)MODE << 16, 4);
    put(out, start[i], 4);
    fputs(e->name, out);
    directory += 46 + strlen(e->name);
  }
  free(start);
  put(out, 0x06054b50, 4);
  put(out, 0, 4);
  put(out, (uint64_t)zip->n, 2);
  put(out, (uint64_t)zip->n, 2);
  put(out, directory, 4);
  put(out, at, 4);
  put(out, 0, 2);
  if (at + directory > UINT32_MAX) return hk_fail(err, HK_EINPUT, "the archive is too large");
  return ferror(out) ? hk_fail(err, HK_EIO, "cannot write the archive: %s", strerror(errno))
                     : HK_OK;
}
