/* libFuzzer target: any bytes as a model file.  Nothing may crash, leak or take long; a spec comes
 * out exactly when no error was reported. */
#include "io/model_file.h"
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  hk_diag diag;
  hk_diag_init(&diag);
  /* A first line `path=value` behind "#!" is an override, so that --set is reached too. */
  hk_override set[1];
  int n_set = 0;
  char line[128];
  const uint8_t *end =
      size > 2 && data[0] == '#' && data[1] == '!' ? memchr(data, '\n', size) : NULL;
  if (end && (size_t)(end - data) < sizeof line) {
    size_t n = (size_t)(end - data) - 2;
    memcpy(line, data + 2, n);
    line[n] = '\0';
    char *equal = strchr(line, '=');
    if (equal) {
      *equal = '\0';
      set[n_set++] = (hk_override){line, equal + 1};
    }
  }
  hk_spec *spec = hk_model_text_read("fuzz.yaml", (const char *)data, size, set, n_set, &diag);
  if (!spec != (diag.n_errors > 0)) abort();
  for (int i = 0; i < diag.n; i++) {
    char text[256];
    hk_diag_format(&diag.message[i], text, sizeof text);
  }
  hk_spec_destroy(spec);
  hk_diag_free(&diag);
  return 0;
}
