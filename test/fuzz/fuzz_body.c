/* Any bytes as the file of a flexible body: the result is a body that passes its own checks, or a message. */
#include "base/arena.h"
#include "fuzz_hdf5.h"
#include "prepare/body_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* One of the two ways to read a body, so that each input needs one reading only; changes of an input meet both. */
static bool is_odd(const uint8_t *data, size_t size) {
  unsigned sum = 0;
  for (size_t i = 0; i < size; i++) sum += data[i];
  return sum % 2;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  hk_arena arena;
  hk_flexible_data body;
  hk_error err = {0};
  fuzz_hdf5_begin();
  const bool odd = is_odd(data, size);
  hk_arena_init(&arena);
  if (hk_body_file_read(fuzz_file(data, size), odd, !odd, &arena, &body, &err) == HK_OK) {
    if (hk_flexible_check(&body, &err) != HK_OK) abort();
  } else if (!err.text[0]) {
    abort();
  }
  hk_arena_free(&arena);
  return 0;
}
