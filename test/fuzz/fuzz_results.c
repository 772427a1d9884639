/* Any bytes as a results file: either every part of it is read, or there is a message.  Rows are stored in
 * blocks of 128 kB, mostly unused in a short file; the seed ends at the beginning of its block, and the missing
 * bytes are filled with zeros, so that inputs are short. */
#include "fuzz_hdf5.h"
#include <hooke/results.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool ok) {
  if (!ok) abort();
}

static void read_numbers(hk_results *r) {
  hk_error err = {0};
  int64_t rows = hk_results_row_count(r);
  int n = hk_results_channel_count(r);
  require(rows >= 0 && n >= 1 && hk_results_lost_count(r) >= 0);
  if (rows > 10000 || n > 1000) return;
  double *column = malloc(((size_t)rows + 1) * sizeof *column);
  double *row = malloc((size_t)n * sizeof *row);
  require(column && row);
  for (int i = 0; i < n && i < 4; i++)
    require(hk_results_read_column(r, i, column, &err) == HK_OK || err.text[0]);
  if (rows) require(hk_results_read_rows(r, rows - 1, 1, row, &err) == HK_OK || err.text[0]);
  free(column);
  free(row);
}

static void read_texts(const hk_results *r) {
  hk_error err = {0};
  size_t length = strlen(hk_results_status(r)) + strlen(hk_results_model_text(r)) +
                  strlen(hk_results_summary(r));
  for (int i = 0; i < hk_results_channel_count(r); i++)
    length += strlen(hk_results_name(r, i)) + strlen(hk_results_unit(r, i)) +
              strlen(hk_results_doc(r, i));
  for (int i = 0; i < hk_results_attribute_count(r); i++) {
    hk_results_attribute a = hk_results_attribute_at(r, i);
    length += strlen(a.key) + strlen(a.value);
  }
  require(length < (size_t)1 << 40);
  char *json;
  void *scene;
  require(hk_results_scene(r, &json, &scene, &length, &err) == HK_OK || err.text[0]);
  free(json);
  free(scene);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  hk_results *r;
  hk_error err = {0};
  enum { BLOCK = 1 << 17 };
  fuzz_hdf5_begin();
  if (hk_results_open(fuzz_file_with(data, size, BLOCK), &r, &err) != HK_OK) {
    require(!r && err.text[0]);
    return 0;
  }
  read_texts(r);
  read_numbers(r);
  hk_results_refresh(r, &err);
  hk_results_destroy(r);
  return 0;
}
