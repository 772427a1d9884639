/* FMUs of other programs: the archive and its modelDescription.xml.  Input that begins like an archive is read as one, and each
 * of its files; any other input is read as a description, because the checksums of an archive would hide most changes. */
#include "import/archive.h"
#include "import/description.h"
#include <stdlib.h>
#include <string.h>

static void read_description(const unsigned char *data, size_t size) {
  hk_arena arena;
  hk_fmu_description d = {0};
  hk_error err;
  char *text = malloc(size + 1);
  memcpy(text, data, size);
  text[size] = '\0';
  hk_arena_init(&arena);
  if (hk_fmu_description_read(text, size, &arena, &d, &err) == HK_OK)
    for (int i = 0; i < d.n; i++) {
      hk_unit unit;
      const char *name;
      hk_fmu_variable_unit(&d, &d.variable[i], &unit, &name);
      if (hk_fmu_variable_find(&d, d.variable[i].name) < 0) abort();
    }
  hk_arena_free(&arena);
  free(text);
}

static void read_archive(const unsigned char *data, size_t size) {
  hk_archive a;
  hk_error err;
  size_t total = 0;
  if (hk_archive_of(&a, data, size, &err) == HK_OK)
    for (int i = 0; i < a.n && total < 1 << 20; i++) {
      unsigned char *bytes = NULL;
      const hk_archive_entry *e = &a.entry[i];
      bool out = strncmp(e->name, "../", 3) == 0 || strstr(e->name, "/../");
      if (e->name[0] == '/' || out || hk_archive_find(&a, e->name) != e) abort();
      if (hk_archive_read(&a, e, &bytes, &err) == HK_OK) {
        total += e->size;
        if (strcmp(e->name, "modelDescription.xml") == 0) read_description(bytes, e->size);
      }
      free(bytes);
    }
  hk_archive_close(&a);
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);
int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size) {
  if (size > 2 && data[0] == 'P' && data[1] == 'K')
    read_archive(data, size);
  else
    read_description(data, size);
  return 0;
}
