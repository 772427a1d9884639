/* Gearboxes in the format REXS: for any text the result is a model that hooke can read, or a message. */
#include "read/model_file.h"
#include "rexs/import.h"
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const hk_rexs_options options = {.model = "model.yaml"};
  hk_rexs_result r;
  hk_error err = {0};
  char *text = malloc(size + 1);
  if (!text) abort();
  memcpy(text, data, size);
  text[size] = 0;
  hk_status status = strlen(text) == size ? hk_rexs_import_text(text, size, &options, &r, &err) : HK_EINPUT;
  if (strlen(text) == size || status != HK_EINPUT) {
    if (status && !err.text[0]) abort();
    if (!status && !r.model) abort();
    for (int i = 0; i < r.n_notes; i++)
      if (strpbrk(r.note[i], "\n\r")) abort();
    hk_rexs_result_free(&r);
  }
  free(text);
  return 0;
}
