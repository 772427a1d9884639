/* The model file: YAML text -> spec.  See docs/model-file.md for the language. */
#ifndef HOOKE_MODEL_FILE_H
#define HOOKE_MODEL_FILE_H
#include <hooke/spec.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One `--set path=value`. */
typedef struct hk_override {
  const char *path, *value;
} hk_override;

/* Read a model file ("-": standard input) with overrides.  Notes, warnings and errors go into diag; NULL: there were errors. */
HK_API hk_spec *hk_model_file_read(const char *path, const hk_override *set, int n_set,
                                   hk_diag *diag);
/* Same as hk_model_file_read, for a text in memory; messages use `name` as the file name. */
HK_API hk_spec *hk_model_text_read(const char *name, const char *text, size_t length,
                                   const hk_override *set, int n_set, hk_diag *diag);
/* Same as the two functions above, with the types of a registry, which must outlive the spec; NULL: the types of the
 * library. */
HK_API hk_spec *hk_model_file_read_with(const hk_registry *registry, const char *path,
                                        const hk_override *set, int n_set, hk_diag *diag);
HK_API hk_spec *hk_model_text_read_with(const hk_registry *registry, const char *name,
                                        const char *text, size_t length, const hk_override *set,
                                        int n_set, hk_diag *diag);

/* Read the points of a table item (HK_TABLE) from a CSV or HDF5 file, with the columns and units
 * given by its parameters. path NULL: the parameter `file`, relative to the working folder.  The
 * reader of model files calls this function itself, with paths relative to the model file. */
HK_API hk_status hk_table_load(hk_item *table, const char *path, hk_diag *diag);

#ifdef __cplusplus
}
#endif
#endif
