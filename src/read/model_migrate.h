/* A model file with former names replaced by current ones (spec/renamed.list).  Only the names are edited, at their lines and
 * columns: comments and layout stay. */
#ifndef HK_READ_MODEL_MIGRATE_H
#define HK_READ_MODEL_MIGRATE_H
#include "read/model_file_reader.h"

typedef struct hk_migrated {
  char *text; /* text of the file, with new names; NULL on failure */
  size_t length;
  int n_edits;     /* number of names that were replaced in the text */
  int n_elsewhere; /* number of former names in other files that the model includes */
  int n_left;      /* number of former names that must be replaced by hand: reported as warnings */
} hk_migrated;

/* Reads the model m and rewrites `file`: a file that it includes, or the model itself (NULL).
 * Every replacement is a note in diag, every name that could not be replaced is a warning.
 * HK_EINPUT: the model has errors. */
hk_status hk_model_migrate(const hk_model_text *m, const char *file, hk_migrated *out,
                           hk_diag *diag);
void hk_migrated_free(hk_migrated *m);
#endif
