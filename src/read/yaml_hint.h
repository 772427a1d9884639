/* Plain texts for YAML syntax errors, with hints for common mistakes. */
#ifndef HK_READ_YAML_HINT_H
#define HK_READ_YAML_HINT_H
#include <hooke/base.h>

typedef struct hk_doc_trouble {
  const char *text; /* the whole file */
  size_t length;
  const char *problem, *context; /* texts of libyaml; either may be NULL */
  int line, column;              /* counted from 0; moved to the cause of the error */
  int context_line, context_column;
} hk_doc_trouble;

void hk_doc_explain(hk_doc_trouble *t, char *message, size_t size);
/* Line and column (from 0) of a byte offset. */
void hk_doc_locate(const char *text, size_t length, size_t offset, int *line, int *column);
#endif
