/* Bytes for pages and files: gzip, and text that holds bytes. */
#ifndef HK_PACK_H
#define HK_PACK_H
#include <hooke/base.h>
#include <stdio.h>

/* A growing block; `failed` once memory ran out, and everything added later is dropped. */
typedef struct hk_bytes {
  unsigned char *at;
  size_t n, capacity;
  bool failed;
} hk_bytes;
void hk_bytes_free(hk_bytes *b);
void hk_bytes_add(hk_bytes *b, const void *data, size_t n);
/* Zeros up to a multiple of `step`. */
void hk_bytes_align(hk_bytes *b, size_t step);

/* As a gzip member [RFC 1952] with no time and no name in it: the same bytes give the same file. */
hk_status hk_gzip(const void *data, size_t n, hk_bytes *out, hk_error *err);
/* At most `limit` bytes come out, whatever the data say. */
hk_status hk_gunzip(const void *data, size_t n, size_t limit, hk_bytes *out, hk_error *err);

/* [RFC 4648, section 4] */
void hk_base64(FILE *out, const void *data, size_t n);
#endif
