/* Zip archives of FMUs: for any bytes the result is a list of files with safe names that have the stated sizes, or a
 * message. */
#include "import/archive.h"
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Relative, with non-empty parts other than "." and "..". */
static bool is_safe(const char *name) {
  if (!name[0] || name[0] == '/' || strlen(name) > HK_ARCHIVE_MAX_NAME) return false;
  for (const char *part = name; *part;) {
    const size_t n = strcspn(part, "/");
    if (n == 0 || (n == 1 && part[0] == '.') || (n == 2 && part[0] == '.' && part[1] == '.'))
      return false;
    part += n + (part[n] == '/');
  }
  return !strchr(name, '\\');
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  hk_archive a;
  hk_error err = {0};
  uint64_t sum = 0;
  hk_status status = hk_archive_of(&a, data, size, &err);
  if (status && !err.text[0]) abort();
  if (!status && a.n > HK_ARCHIVE_MAX_ENTRIES) abort();
  for (int i = 0; i < a.n && !status; i++) {
    const hk_archive_entry *e = &a.entry[i];
    if (!is_safe(e->name) || hk_archive_find(&a, e->name) != e) abort();
    if (i > 0 && strcmp(a.entry[i - 1].name, e->name) >= 0) abort();
    sum += e->size;
    unsigned char *text = NULL;
    err = (hk_error){0};
    if (hk_archive_read(&a, e, &text, &err)) {
      if (text || !err.text[0]) abort();
      continue;
    }
    if (!text || text[e->size] != 0) abort();
    free(text);
  }
  if (sum > HK_ARCHIVE_MAX_BYTES) abort();
  hk_archive_close(&a);
  return 0;
}
