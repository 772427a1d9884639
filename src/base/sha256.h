/* SHA-256 [FIPS 180-4]: hash that identifies a sequence of bytes. */
#ifndef HK_BASE_SHA256_H
#define HK_BASE_SHA256_H
#include <stddef.h>
#include <stdint.h>

typedef struct hk_sha256 {
  uint32_t h[8];
  uint64_t length; /* bytes so far */
  unsigned char block[64];
} hk_sha256;

void hk_sha256_begin(hk_sha256 *s);
void hk_sha256_add(hk_sha256 *s, const void *bytes, size_t n);
/* Adds a text including its terminating zero, so that "ab","c" differs from "a","bc". */
void hk_sha256_add_text(hk_sha256 *s, const char *text);
void hk_sha256_end(hk_sha256 *s, unsigned char out[32]);
#endif
