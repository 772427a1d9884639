/* Compression (gzip) and text encoding (base64) of bytes for pages and files. */
#ifndef HK_RESULTS_PACK_H
#define HK_RESULTS_PACK_H
#include <hooke/base.h>
#include <stdio.h>

/* A growing block of bytes.  `failed` is set if memory runs out; bytes added later are
 * discarded. */
typedef struct hk_bytes {
  unsigned char *at;
  size_t n, capacity;
  bool failed;
} hk_bytes;
void hk_bytes_free(hk_bytes *b);
void hk_bytes_add(hk_bytes *b, const void *data, size_t n);
/* Appends zeros up to a multiple of `step`. */
void hk_bytes_align(hk_bytes *b, size_t step);

/* Compresses into a gzip member [RFC 1952] without time and name: equal bytes give equal files. */
hk_status hk_gzip(const void *data, size_t n, hk_bytes *out, hk_error *err);
/* Decompresses at most `limit` bytes, whatever size the data declare. */
hk_status hk_gunzip(const void *data, size_t n, size_t limit, hk_bytes *out, hk_error *err);

/* [RFC 4648, section 4] */
void hk_base64(FILE *out, const void *data, size_t n);
#endif
