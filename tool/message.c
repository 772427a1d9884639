/* Messages for people, on stderr. */
#include "command.h"
#include <stdlib.h>

void tool_error(const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  fputs("hooke: error: ", stderr);
  vfprintf(stderr, fmt, ap);
  fputc('\n', stderr);
  va_end(ap);
}

void tool_print_diag(const hk_diag *d, int first) {
  for (int i = first; i < d->n; i++) {
    int length = hk_diag_format(&d->message[i], NULL, 0);
    char *text = length < 0 ? NULL : malloc((size_t)length + 1);
    if (!text) {
      fprintf(stderr, "%s\n", d->message[i].text);
      continue;
    }
    hk_diag_format(&d->message[i], text, (size_t)length + 1);
    fprintf(stderr, "%s\n", text);
    free(text);
  }
  if (d->n_errors > HK_MAX_ERRORS)
    fprintf(stderr, "hooke: error: %d more errors are not shown\n", d->n_errors - HK_MAX_ERRORS);
  if (d->out_of_memory) tool_error("out of memory");
}

int tool_exit_code(hk_status status) {
  switch (status) {
    case HK_OK:
      return EXIT_RUN_OK;
    case HK_EINPUT:
    case HK_EIO:
      return EXIT_BAD_INPUT;
    default:
      return EXIT_RUN_FAILED;
  }
}
