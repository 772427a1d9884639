/* Any bytes as a file of a gear's compliance: the result is a table that passes its own checks, or a
 * message. */
#include "base/arena.h"
#include "fuzz_hdf5.h"
#include "prepare/gear_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const char *const group[] = {NULL, "pinion"};
  fuzz_hdf5_begin();
  const char *path = fuzz_file(data, size);
  for (int i = 0; i < 2; i++) {
    hk_arena arena;
    hk_gear_compliance table;
    hk_error err = {0};
    hk_arena_init(&arena);
    if (hk_gear_file_read(path, group[i], i == 0, &arena, &table, &err) == HK_OK) {
      if (hk_gear_compliance_check(&table, &err) != HK_OK) abort();
    } else if (!err.text[0]) {
      abort();
    }
    hk_arena_free(&arena);
  }
  return 0;
}
