/* A model file that is read again and again with other overrides: the text is parsed and its
 * includes are joined once, each reading starts from a copy of the tree.  What hk_model_file_read
 * would give, for less. */
#ifndef HK_MODEL_SOURCE_H
#define HK_MODEL_SOURCE_H
#include "base/sha256.h"
#include "read/model_file.h"

typedef struct hk_model_source hk_model_source;

/* Opens the file m->name (m->text is not used).  Returns NULL with errors in diag.
 * named_in: the file that contains this name.  Such a file may come from elsewhere and name any other file, so
 * messages about a file without `format`, which is not a model, quote nothing of it. */
hk_model_source *hk_model_source_open(const hk_model_text *m, const char *named_in, hk_diag *diag);
void hk_model_source_close(hk_model_source *s);
const char *hk_model_source_path(const hk_model_source *s);
/* As hk_model_file_read; any number of readings at a time. */
hk_spec *hk_model_source_read(const hk_model_source *s, const hk_override *set, int n_set,
                              hk_diag *diag);
/* Every value of the joined tree as "path: text", in the order of the files: two files that say the
 * same have the same lines, whatever their comments and layout. */
void hk_model_source_lines(const hk_model_source *s, void (*line)(void *context, const char *text),
                           void *context);
#endif
