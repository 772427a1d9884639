/* Any bytes as the file of a flexible body: the result is a body that passes its own checks, or a message. */
#include "base/arena.h"
#include "fuzz_hdf5.h"
#include "prepare/body_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
void fuzz_every_way(const uint8_t *data, size_t size);

static void read_body(const uint8_t *data, size_t size, bool surface, bool quiet) {
  hk_arena arena;
  hk_flexible_data body;
  hk_error err = {0};
  fuzz_hdf5_begin();
  hk_arena_init(&arena);
  if (hk_body_file_read(fuzz_file(data, size), surface, quiet, &arena, &body, &err) == HK_OK) {
    if (hk_flexible_check(&body, &err) != HK_OK) abort();
  } else if (!err.text[0]) {
    abort();
  }
  hk_arena_free(&arena);
}

/* For inputs of the corpus (main.c). */
void fuzz_every_way(const uint8_t *data, size_t size) {
  read_body(data, size, true, false);
  read_body(data, size, false, true);
}

/* A search reads each input in one of the two ways only, which its bytes select; changes of an input meet both. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  unsigned sum = 0;
  for (size_t i = 0; i < size; i++) sum += data[i];
  const bool odd = sum % 2;
  read_body(data, size, odd, !odd);
  return 0;
}
