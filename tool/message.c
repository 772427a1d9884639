/* Messages for people, on stderr. */
#include "command.h"
#include <stdlib.h>

/* Names and texts come from files: control characters are shown as '?'. */
void tool_put(FILE *out, const char *text) {
  const unsigned char *s = (const unsigned char *)text;
  for (; *s; s++) {
    bool c1 = s[0] == 0xC2 && s[1] >= 0x80 && s[1] < 0xA0;
    if (c1) s++;
    fputc((*s < 0x20 && *s != '\n' && *s != '\t') || *s == 0x7F || c1 ? '?' : *s, out);
  }
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
