/* JSON of a results file on its way into a page: whatever it holds, what comes out is inert, and the same
 * when it is read again.  A key that escapes have made longer than the reader takes (1024 bytes) is refused there. */
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
