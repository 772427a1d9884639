/* Source code of the binary in an FMU, so that others can compile it for their platforms: see private.h. */
#include "fmu/private.h"
#include "import/archive.h"
#include <stdlib.h>
#include <string.h>

static bool is_code(const char *name) {
  size_t n = strlen(name);
  return n > 2 && strcmp(name + n - 2, ".c") == 0;
}

static void describe(const hk_fmu *f, const hk_archive *a, hk_fmu_text *t) {
  hk_fmu_add(
      t,
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiBuildDescription fmiVersion=\"3.0\">\n"
      "  <BuildConfiguration modelIdentifier=\"%s\" description=\"a compiler of C17 with the "
      "extensions of GCC, and libyaml\">\n    <SourceFileSet language=\"C17\">\n",
      f->identifier);
  for (int i = 0; i < a->n; i++)
    if (is_code(a->entry[i].name))
      hk_fmu_add(t, "      <SourceFile name=\"%s\"/>\n", a->entry[i].name);
  hk_fmu_add(t,
             "      <IncludeDirectory name=\"include\"/>\n      <IncludeDirectory name=\"src\"/>\n"
             "    </SourceFileSet>\n    <Library name=\"yaml\" external=\"true\"/>\n"
             "    <Library name=\"m\" external=\"true\"/>\n"
             "  </BuildConfiguration>\n</fmiBuildDescription>\n");
}

static hk_status add_files(hk_fmu *f, const hk_archive *a, hk_error *err) {
  hk_status status = HK_OK;
  for (int i = 0; i < a->n && !status; i++) {
    unsigned char *bytes = NULL;
    char name[HK_ARCHIVE_MAX_NAME + 16];
    snprintf(name, sizeof name, "sources/%s", a->entry[i].name);
    if (name[strlen(name) - 1] == '/') continue;
    status = hk_archive_read(a, &a->entry[i], &bytes, err);
    if (!status) status = hk_zip_add(&f->zip, name, bytes, a->entry[i].size, err);
    free(bytes);
  }
  return status;
}

hk_status hk_fmu_add_sources(hk_fmu *f, hk_diag *diag) {
  hk_archive a;
  hk_fmu_text t = {0};
  hk_error err = {0};
  hk_status status = hk_archive_of(&a, f->option.sources, f->option.sources_size, &err);
  if (!status) status = add_files(f, &a, &err);
  if (!status) describe(f, &a, &t);
  if (!status && t.failed) status = hk_fail(&err, HK_ENOMEM, "out of memory");
  if (!status) status = hk_zip_add(&f->zip, "sources/buildDescription.xml", t.text, t.n, &err);
  free(t.text);
  hk_archive_close(&a);
  if (status == HK_ENOMEM) diag->out_of_memory = true;
  if (status) hk_diag_add(diag, HK_ERROR, &(hk_location){"hooke", 0, 0}, "%s", err.text);
  return status;
}
