/* Any bytes as the file of a flexible body: the result is a body that passes its own checks, or a message. */
#include "base/arena.h"
#include "fuzz_hdf5.h"
#include "prepare/body_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fuzz_hdf5_begin();
  const char *path = fuzz_file(data, size);
  for (int i = 0; i < 2; i++) {
    hk_arena arena;
    hk_flexible_data body;
    hk_error err = {0};
    hk_arena_init(&arena);
    if (hk_body_file_read(path, i == 0, i == 1, &arena, &body, &err) == HK_OK) {
      if (hk_flexible_check(&body, &err) != HK_OK) abort();
    } else if (!err.text[0]) {
      abort();
    }
    hk_arena_free(&arena);
  }
  return 0;
}
