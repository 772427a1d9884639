/* Messages for people, on stderr. */
#include "command.h"
#include "base/safe_text.h"
#include <stdlib.h>

void tool_put(FILE *out, const char *text) {
  size_t size = hk_text_is_safe(text) ? 0 : hk_safe_text(text, NULL, 0) + 1;
  char *safe = size ? malloc(size) : NULL;
  if (safe) hk_safe_text(text, safe, size);
  fputs(safe ? safe : size ? "?" : text, out);
  free(safe);
}

const char *tool_name(const char *name) {
  enum { SIZE = 4 * 4096 + 1, TEXTS = 4 };
  static char text[TEXTS][SIZE];
  static int k;
  if (hk_text_is_safe(name)) return name;
  k = (k + 1) % TEXTS;
  hk_safe_text(name, text[k], SIZE);
  return text[k];
}

static void say(const char *what, const char *fmt, va_list ap) {
  char text[4096];
  vsnprintf(text, sizeof text, fmt, ap);
  fprintf(stderr, "hooke: %s: ", what);
  tool_put(stderr, text);
  fputc('\n', stderr);
}

void tool_error(const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  say("error", fmt, ap);
  va_end(ap);
}

void tool_warning(const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  say("warning", fmt, ap);
  va_end(ap);
}

void tool_print_diag(const hk_diag *d, int first) {
  for (int i = first; i < d->n; i++) {
    int length = hk_diag_format(&d->message[i], NULL, 0);
    char *text = length < 0 ? NULL : malloc((size_t)length + 1);
    if (!text) {
      tool_put(stderr, d->message[i].text);
      fputc('\n', stderr);
      continue;
    }
    hk_diag_format(&d->message[i], text, (size_t)length + 1);
    tool_put(stderr, text);
    fputc('\n', stderr);
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
