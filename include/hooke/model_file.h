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

/* Read a model file ("-": standard input) with overrides.  All trouble goes into diag; NULL if
 * there were errors. */
HK_API hk_spec *hk_model_file_read(const char *path, const hk_override *set, int n_set,
                                   hk_diag *diag);
/* The same from memory; `name` stands in messages. */
HK_API hk_spec *hk_model_text_read(const char *name, const char *text, size_t length,
                                   const hk_override *set, int n_set, hk_diag *diag);
/* Both with the types of a registry, which must outlive the spec; NULL: those of the library. */
HK_API hk_spec *hk_model_file_read_with(const hk_registry *registry, const char *path,
                                        const hk_override *set, int n_set, hk_diag *diag);
HK_API hk_spec *hk_model_text_read_with(const hk_registry *registry, const char *name,
                                        const char *text, size_t length, const hk_override *set,
                                        int n_set, hk_diag *diag);

/* The points of a table item (HK_TABLE) from a file, CSV or HDF5, with the columns and units that its
 * parameters ask for; path NULL: its parameter `file`, as it stands.  Model files do this by themselves,
 * relative to where they are. */
HK_API hk_status hk_table_load(hk_item *table, const char *path, hk_diag *diag);

#ifdef __cplusplus
}
#endif
#endif
