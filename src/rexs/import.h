/* A REXS file as a model file of hooke. */
#ifndef HK_REXS_IMPORT_H
#define HK_REXS_IMPORT_H
#include <hooke/base.h>
#include <stddef.h>

typedef struct hk_rexs_options {
  const char *load_case; /* id of the load case; NULL: the first one */
  const char *model;     /* name of the model file, for the study; NULL: no study */
} hk_rexs_options;

typedef struct hk_rexs_result {
  char *model; /* text of the model file */
  /* text of a study of all load cases; NULL: the file has only one case, or no study was requested */
  char *study;
  char **note; /* one note for every assumption, and for everything that was not used */
  int n_notes;
} hk_rexs_result;

/* Reads the file and translates it. Call hk_rexs_result_free even if this fails. */
hk_status hk_rexs_import(const char *path, const hk_rexs_options *options, hk_rexs_result *out,
                         hk_error *err);
/* Same for a text of `size` bytes, which ends with a NUL and is changed. */
hk_status hk_rexs_import_text(char *text, size_t size, const hk_rexs_options *options,
                              hk_rexs_result *out, hk_error *err);
void hk_rexs_result_free(hk_rexs_result *r);
#endif
