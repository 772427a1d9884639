/* JSON of a results file that is copied into a page: for any content the output is inert, and unchanged if it
 * is read again.  A key that is longer than the reader's limit (1024 bytes) after escaping is rejected by the
 * reader. */
#include "results/json.h"
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);
int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size) {
  char *text = malloc(size + 1), *clean = NULL, *again = NULL;
  hk_error err;
  memcpy(text, data, size);
  text[size] = '\0';
  if (hk_json_clean(text, &clean, &err) == HK_OK) {
    if (strpbrk(clean, "<>&")) abort();
    if (hk_json_clean(clean, &again, &err) == HK_OK && strcmp(clean, again) != 0) abort();
  }
  free(text), free(clean), free(again);
  return 0;
}
