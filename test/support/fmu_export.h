/* Export of a model as an FMU with the binary of the build tree.  For tests. */
#ifndef TEST_FMU_EXPORT_H
#define TEST_FMU_EXPORT_H
#include "fmu/fmu_export.h"
#include "fmu_import.h"

static inline void fmu_print(const hk_diag *diag) {
  char text[2048];
  for (int i = 0; i < diag->n; i++) {
    hk_diag_format(&diag->message[i], text, sizeof text);
    fprintf(stderr, "%s\n", text);
  }
}

/* Returns HK_OK if the FMU was written to `path`; `option` does not set the binary. */
static inline hk_status fmu_export(const char *model, hk_fmu_options option, const char *path,
                                   hk_diag *diag) {
  size_t size = 0;
  hk_fmu *fmu = NULL;
  hk_error err = {0};
  char *bytes = fmu_read(HOOKE_BINARY_DIR "/hooke_fmu.so", &size);
  const hk_fmu_binary binary = {"linux64", "x86_64-linux", ".so", bytes, size};
  option.binary = &binary;
  option.n_binaries = 1;
  hk_status status = bytes ? hk_fmu_create(model, &option, &fmu, diag) : HK_EIO;
  if (!status) status = hk_fmu_write(fmu, path, &err);
  if (err.text[0]) fprintf(stderr, "%s\n", err.text);
  hk_fmu_destroy(fmu);
  free(bytes);
  return status;
}
#endif
