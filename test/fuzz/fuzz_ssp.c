/* Systems of FMUs (SSP): for any SystemStructure.ssd the result is a model file or a message.  The archive has an FMU and two
 * files that the system may refer to. */
#include "import/ssp.h"
#include "../support/ssp_archive.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const char *const more[] = {
      "resources/v.ssv",
      "<ParameterSet><Parameters><Parameter name=\"k\"><Real value=\"4\" unit=\"u\"/></Parameter>"
      "</Parameters><Units><Unit name=\"u\"><BaseUnit kg=\"1\" m=\"2\" s=\"-2\" "
      "factor=\"2\"/></Unit></Units></ParameterSet>",
      "resources/m.ssm", "<ParameterMapping><MappingEntry source=\"k\" target=\"k\"/></ParameterMapping>",
      NULL};
  char *ssd = malloc(size + 1), *text = NULL;
  hk_archive a;
  hk_error err = {0};
  hk_diag diag;
  hk_ssp_counts n;
  const hk_ssp_options options = {0};
  if (!ssd) abort();
  memcpy(ssd, data, size);
  ssd[size] = 0;
  size_t bytes_size = 0;
  char *bytes = ssp_archive(ssd, more, &bytes_size);
  hk_diag_init(&diag);
  if (hk_archive_of(&a, bytes, bytes_size, &err)) abort();
  hk_status status = hk_ssp_convert(&a, "x", &options, &text, &n, &diag);
  if ((status == HK_OK) != (text != NULL) || (status && diag.n_errors == 0)) abort();
  if (text && !strstr(text, "\nanalysis:\n")) abort();
  free(text);
  free(bytes);
  free(ssd);
  hk_archive_close(&a);
  hk_diag_free(&diag);
  return 0;
}
