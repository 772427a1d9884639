/* Names of data packed with a model, as the writer and the reader of an FMU compute them. */
#ifndef HK_FMU_PACK_NAME_H
#define HK_FMU_PACK_NAME_H
#include "base/sha256.h"
#include <stdbool.h>
#include <stdio.h>

/* The CSV file with two columns of an HDF5 file: "path.0123456789abcdef.csv".  False: the name is too long. */
static inline bool hk_pack_table_name(const char *path, const char *x, const char *y, char *name,
                                      size_t size) {
  unsigned char key[32];
  hk_sha256 s;
  hk_sha256_begin(&s);
  hk_sha256_add_text(&s, x ? x : "");
  hk_sha256_add_text(&s, y ? y : "");
  hk_sha256_end(&s, key);
  int n = snprintf(name, size, "%s.", path);
  for (int i = 0; i < 8 && n > 0 && (size_t)n < size; i++)
    n += snprintf(name + n, size - (size_t)n, "%02x", key[i]);
  if (n > 0 && (size_t)n < size) n += snprintf(name + n, size - (size_t)n, ".csv");
  return n > 0 && (size_t)n < size;
}
#endif
