/* Any bytes as a study file. */
#include "fuzz_file.h"
#include "study/study.h"
#include <math.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  hk_diag diag;
  hk_diag_init(&diag);
  hk_study *s = hk_study_read(fuzz_file(data, size), &diag);
  if (!s != (diag.n_errors > 0)) abort();
  if (s && !(hk_study_count(s) >= 0)) abort();
  hk_study_destroy(s);
  hk_diag_free(&diag);
  return 0;
}
