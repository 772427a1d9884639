/* gzip and base64: see pack.h. */
#include "results/pack.h"
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

void hk_bytes_free(hk_bytes *b) {
  free(b->at);
  *b = (hk_bytes){0};
}

static bool reserve(hk_bytes *b, size_t more) {
  if (b->failed) return false;
  if (b->n + more <= b->capacity) return true;
  size_t wanted = b->capacity ? b->capacity : 4096;
  while (wanted < b->n + more) wanted *= 2;
  unsigned char *grown = realloc(b->at, wanted);
  if (!grown) return !(b->failed = true);
  b->at = grown;
  b->capacity = wanted;
  return true;
}

void hk_bytes_add(hk_bytes *b, const void *data, size_t n) {
  if (!n || !reserve(b, n)) return;
  memcpy(b->at + b->n, data, n);
  b->n += n;
}

void hk_bytes_align(hk_bytes *b, size_t step) {
  static const unsigned char zero[16] = {0};
  size_t over = b->n % step;
  if (over) hk_bytes_add(b, zero, step - over);
}

enum { GZIP_WINDOW = 15 + 16, CHUNK = 1 << 16 };

hk_status hk_gzip(const void *data, size_t n, hk_bytes *out, hk_error *err) {
  z_stream z = {0};
  unsigned char chunk[CHUNK];
  if (deflateInit2(&z, 6, Z_DEFLATED, GZIP_WINDOW, 8, Z_DEFAULT_STRATEGY) != Z_OK)
    return hk_fail(err, HK_ENOMEM, "out of memory");
  const unsigned char *at = data;
  int code = Z_OK;
  while (code == Z_OK) {
    size_t part = n > (1u << 30) ? 1u << 30 : n;
    if (z.avail_in == 0)
      z.next_in = (unsigned char *)(uintptr_t)at, z.avail_in = (unsigned)part, at += part,
      n -= part;
    z.next_out = chunk, z.avail_out = CHUNK;
    code = deflate(&z, n ? Z_NO_FLUSH : Z_FINISH);
    hk_bytes_add(out, chunk, CHUNK - z.avail_out);
    if (code == Z_BUF_ERROR) code = Z_OK;
  }
  deflateEnd(&z);
  if (code != Z_STREAM_END || out->failed) return hk_fail(err, HK_ENOMEM, "out of memory");
  return HK_OK;
}

hk_status hk_gunzip(const void *data, size_t n, size_t limit, hk_bytes *out, hk_error *err) {
  z_stream z = {0};
  unsigned char chunk[CHUNK];
  if (n > (1u << 31)) return hk_fail(err, HK_EINPUT, "packed data are too large");
  if (inflateInit2(&z, GZIP_WINDOW) != Z_OK) return hk_fail(err, HK_ENOMEM, "out of memory");
  z.next_in = (unsigned char *)(uintptr_t)data, z.avail_in = (unsigned)n;
  int code = Z_OK;
  while (code == Z_OK && out->n <= limit && !out->failed) {
    z.next_out = chunk, z.avail_out = CHUNK;
    code = inflate(&z, Z_NO_FLUSH);
    hk_bytes_add(out, chunk, CHUNK - z.avail_out);
  }
  inflateEnd(&z);
  if (out->failed) return hk_fail(err, HK_ENOMEM, "out of memory");
  if (code != Z_STREAM_END || out->n > limit)
    return hk_fail(err, HK_EINPUT, "packed data are damaged or too large");
  return HK_OK;
}

void hk_base64(FILE *out, const void *data, size_t n) {
  static const char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const unsigned char *p = data;
  char text[4 * 1024] = {0};
  size_t used = 0;
  for (size_t i = 0; i < n; i += 3) {
    unsigned v = (unsigned)p[i] << 16 | (i + 1 < n ? (unsigned)p[i + 1] << 8 : 0) |
                 (i + 2 < n ? p[i + 2] : 0);
    text[used++] = digit[v >> 18];
    text[used++] = digit[v >> 12 & 63];
    text[used++] = i + 1 < n ? digit[v >> 6 & 63] : '=';
    text[used++] = i + 2 < n ? digit[v & 63] : '=';
    if (used == sizeof text) fwrite(text, 1, used, out), used = 0;
  }
  fwrite(text, 1, used, out);
}
