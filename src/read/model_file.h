/* Reading a model from YAML, without the formats that need other libraries (preparation.h).
 * The public functions of hooke/model_file.h are in src/prepare. */
#ifndef HK_READ_MODEL_FILE_H
#define HK_READ_MODEL_FILE_H
#include "read/preparation.h"
#include <hooke/model_file.h>

typedef struct hk_model_text {
  const hk_registry *types; /* NULL: the types of the library */
  const hk_preparation *preparation;
  const char *name; /* path of the file, "-": standard input; with a text: its name in messages */
  const char *text; /* [length]; NULL: the text is read from the file */
  size_t length;
} hk_model_text;

/* Beginning of the message for a path whose item does not exist; the reader of studies recognises
 * it. */
#define HK_NO_ITEM "the model has no item"

/* Reads a model; NULL with the errors in diag, which may be NULL. */
hk_spec *hk_model_read(const hk_model_text *m, const hk_override *set, int n_set, hk_diag *diag);
#endif
