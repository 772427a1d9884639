/* The public functions that read models: all formats, all types (hooke/model_file.h). */
#include "read/model_file.h"
#include "prepare/prepare.h"

hk_spec *hk_model_file_read_with(const hk_registry *registry, const char *path,
                                 const hk_override *set, int n_set, hk_diag *diag) {
  if (!path) return hk_diag_add(diag, HK_ERROR, NULL, "the path of the model file is NULL"), NULL;
  const hk_model_text m = {.types = registry, .preparation = &hk_preparation_full, .name = path};
  return hk_model_read(&m, set, n_set, diag);
}

hk_spec *hk_model_text_read_with(const hk_registry *registry, const char *name, const char *text,
                                 size_t length, const hk_override *set, int n_set, hk_diag *diag) {
  const hk_model_text m = {.types = registry,
                           .preparation = &hk_preparation_full,
                           .name = name ? name : "text",
                           .text = text ? text : "",
                           .length = length};
  return hk_model_read(&m, set, n_set, diag);
}

hk_spec *hk_model_file_read(const char *path, const hk_override *set, int n_set, hk_diag *diag) {
  return hk_model_file_read_with(NULL, path, set, n_set, diag);
}

hk_spec *hk_model_text_read(const char *name, const char *text, size_t length,
                            const hk_override *set, int n_set, hk_diag *diag) {
  return hk_model_text_read_with(NULL, name, text, length, set, n_set, diag);
}

hk_status hk_table_load(hk_item *table, const char *path, hk_diag *diag) {
  const hk_table_files files = {.hdf5 = hk_table_hdf5_read};
  hk_diag unread;
  if (!table) return hk_diag_add(diag, HK_ERROR, NULL, "the table item is NULL");
  hk_diag_init(&unread);
  hk_status status = hk_table_load_from(table, path, &files, diag ? diag : &unread);
  hk_diag_free(&unread);
  return status;
}
