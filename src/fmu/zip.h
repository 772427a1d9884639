/* A zip archive in memory, written at once: compressed by zlib, names in UTF-8, without time
 * stamps, so that equal contents give equal bytes. */
#ifndef HK_FMU_ZIP_H
#define HK_FMU_ZIP_H
#include "base/sha256.h"
#include <hooke/base.h>
#include <stdio.h>

typedef struct hk_zip_entry hk_zip_entry;
typedef struct hk_zip {
  hk_zip_entry *entry;
  int n, capacity;
} hk_zip;

/* Adds a file.  A duplicate name is an error. */
hk_status hk_zip_add(hk_zip *zip, const char *name, const void *bytes, size_t size, hk_error *err);
bool hk_zip_has(const hk_zip *zip, const char *name);
hk_status hk_zip_write(const hk_zip *zip, FILE *out, hk_error *err);
void hk_zip_free(hk_zip *zip);
/* Adds names and contents of all files to a hash. */
void hk_zip_hash(const hk_zip *zip, struct hk_sha256 *s);
#endif
