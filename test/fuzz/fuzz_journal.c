/* Any bytes as a journal of a campaign: incomplete and foreign records are skipped, whatever they contain. */
#include "fuzz_file.h"
#include "study/journal.h"
#include <string.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static hk_status take(void *context, const hk_record *r, hk_error *err) {
  double *sum = context;
  (void)err;
  *sum += r->value[0] + r->value[1] + (double)strlen(r->error);
  return HK_OK;
}

/* A folder with one journal, which is a link to the input file. */
static const char *folder_of(const char *file, const char *name) {
  static char folder[64];
  if (*folder) return folder;
  snprintf(folder, sizeof folder, "/tmp/hooke-fuzz-XXXXXX");
  char path[128];
  if (!mkdtemp(folder)) abort();
  snprintf(path, sizeof path, "%s/%s", folder, name);
  if (symlink(file, path) != 0) abort();
  return folder;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const unsigned char id[HK_KEY_SIZE] = {1, 2, 3};
  hk_journal_scan scan;
  hk_error err = {0};
  double sum = 0;
  const char *folder = folder_of(fuzz_file(data, size), "fuzz.journal");
  if (hk_journal_read_all(folder, id, 2, take, &sum, &scan, &err) != HK_OK && !err.text[0]) abort();
  return 0;
}
