/* modelDescription.xml of FMUs: for any text the result is a description that can be used, or a message. */
#include "base/arena.h"
#include "import/description.h"
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  hk_arena arena;
  hk_fmu_description d = {0};
  hk_error err = {0};
  char *text = malloc(size + 1);
  if (!text) abort();
  memcpy(text, data, size);
  text[size] = 0;
  hk_arena_init(&arena);
  hk_status status = hk_fmu_description_read(text, size, &arena, &d, &err);
  if (status && !err.text[0]) abort();
  if (!status && ((d.version != 2 && d.version != 3) || !d.identifier || !d.token)) abort();
  for (int i = 0; i < d.n && !status; i++) {
    const hk_fmu_variable *v = &d.variable[i];
    hk_unit unit;
    const char *name = NULL;
    if (!v->name || (unsigned)v->kind > HK_FMU_OTHER || (unsigned)v->causality > HK_FMU_INDEPENDENT)
      abort();
    const int found = hk_fmu_variable_find(&d, v->name);
    if (found < 0 || strcmp(d.variable[found].name, v->name) != 0) abort();
    hk_fmu_variable_unit(&d, v, &unit, &name);
  }
  hk_arena_free(&arena);
  free(text);
  return 0;
}
