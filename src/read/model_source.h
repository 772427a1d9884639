/* A model file for repeated reading with different overrides: the text is parsed and its includes
 * are joined once; each reading starts from a copy of the tree.  The result equals that of
 * hk_model_file_read, at lower cost. */
#ifndef HK_READ_MODEL_SOURCE_H
#define HK_READ_MODEL_SOURCE_H
#include "base/sha256.h"
#include "read/model_file.h"

typedef struct hk_model_source hk_model_source;

/* Opens the file m->name (m->text is not used).  Returns NULL with errors in diag. named_in: the
 * file that contains the name m->name. This file may come from an untrusted source and refer to any
 * other file.  Messages about a file without `format`, which is not a model, therefore do not show
 * its contents. */
hk_model_source *hk_model_source_open(const hk_model_text *m, const char *named_in, hk_diag *diag);
void hk_model_source_close(hk_model_source *s);
const char *hk_model_source_path(const hk_model_source *s);
/* Same as hk_model_file_read; may be called repeatedly and concurrently. */
hk_spec *hk_model_source_read(const hk_model_source *s, const hk_override *set, int n_set,
                              hk_diag *diag);
/* The value that an override changes; paths with former names give the same result. */
typedef struct hk_override_target {
  /* Returns the path with current instead of former names, such as "bodies.pin.mass." or "joints.cvj.pitch_error.2.".
   * Every word ends with a dot. So the value of path A contains the value of path B exactly if text B begins with text
   * A. */
  char value[400];
  /* for an item with `repeat`: name of the only copy that is changed; "": all copies */
  char copy[300];
} hk_override_target;
/* Finds the value that an override of this path changes; false if the path is invalid. May be called concurrently. */
bool hk_model_source_target(const hk_model_source *s, const char *path, hk_override_target *out);
/* Passes every value of the joined tree to `line` as "path: text", in the order of the files: two
 * files with the same contents give the same lines, independent of comments and layout. */
void hk_model_source_lines(const hk_model_source *s, void (*line)(void *context, const char *text),
                           void *context);
#endif
