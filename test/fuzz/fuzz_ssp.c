/* Systems of FMUs (SSP): for any SystemStructure.ssd the result is a model file or a message.  The archive has an FMU and two
 * files that the system may refer to.  It is made once; only the system is exchanged. */
#include "import/ssp.h"
#include "../support/ssp_archive.h"
#include <zlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const hk_archive *archive_without_system(void) {
  static const char *const more[] = {
      "resources/v.ssv",
      "<ParameterSet><Parameters><Parameter name=\"k\"><Real value=\"4\" unit=\"u\"/></Parameter>"
      "</Parameters><Units><Unit name=\"u\"><BaseUnit kg=\"1\" m=\"2\" s=\"-2\" "
      "factor=\"2\"/></Unit></Units></ParameterSet>",
      "resources/m.ssm",
      "<ParameterMapping><MappingEntry source=\"k\" target=\"k\"/></ParameterMapping>", NULL};
  static hk_archive a;
  hk_error err = {0};
  if (a.n) return &a;
  size_t size = 0;
  char *bytes = ssp_archive("", more, &size);
  if (hk_archive_of(&a, bytes, size, &err)) abort();
  free(bytes);
  return &a;
}

/* The archive with this system, which is appended without compression: a header of 30 bytes and the text. */
static hk_archive archive_with(const uint8_t *data, size_t size) {
  enum { HEADER = 30 };
  const hk_archive *common = archive_without_system();
  hk_archive a = {.size = common->size + HEADER + size, .n = common->n};
  a.bytes = calloc(1, a.size);
  a.entry = malloc((size_t)a.n * sizeof *a.entry);
  if (!a.bytes || !a.entry) abort();
  memcpy(a.bytes, common->bytes, common->size);
  memcpy(a.bytes + common->size, "PK\3\4", 4);
  if (size) memcpy(a.bytes + common->size + HEADER, data, size);
  for (int i = 0; i < a.n; i++) {
    a.entry[i] = common->entry[i];
    if (strcmp(a.entry[i].name, "SystemStructure.ssd") != 0) continue;
    a.entry[i].method = 0;
    a.entry[i].size = a.entry[i].packed = (uint32_t)size;
    a.entry[i].crc = (uint32_t)crc32(0, data, (uInt)size);
    a.entry[i].offset = (uint32_t)common->size;
  }
  return a;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char *text = NULL;
  hk_diag diag;
  hk_ssp_counts n;
  const hk_ssp_options options = {0};
  hk_archive a = archive_with(data, size);
  hk_diag_init(&diag);
  hk_status status = hk_ssp_convert(&a, "x", &options, &text, &n, &diag);
  if ((status == HK_OK) != (text != NULL) || (status && diag.n_errors == 0)) abort();
  if (text && !strstr(text, "\nanalysis:\n")) abort();
  free(text);
  hk_archive_close(&a);
  hk_diag_free(&diag);
  return 0;
}
