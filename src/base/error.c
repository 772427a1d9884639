/* Errors and diagnostics: see include/hooke/base.h. */
#include "base/safe_text.h"
#include <hooke/base.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEXT(x) #x
#define DOTTED(a, b, c) TEXT(a) "." TEXT(b) "." TEXT(c)

const char *hk_version(void) {
  return DOTTED(HK_VERSION_MAJOR, HK_VERSION_MINOR, HK_VERSION_PATCH);
}
int hk_version_number(void) { return HK_VERSION_NUMBER; }

hk_status hk_fail(hk_error *err, hk_status code, const char *fmt, ...) {
  if (err) {
    va_list ap;
    va_start(ap, fmt);
    err->code = code;
    char text[sizeof err->text];
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    hk_safe_text(text, err->text, sizeof err->text);
    err->element[0] = '\0';
    err->time = NAN;
    err->row = -1;
  }
  return code;
}

void hk_error_about(hk_error *err, const char *element, double time, int row) {
  if (!err) return;
  if (element) snprintf(err->element, sizeof err->element, "%s", element);
  if (!isnan(time)) err->time = time;
  if (row >= 0) err->row = row;
}

hk_status hk_fail_because(hk_error *err, hk_status code, const char *what, const hk_error *why) {
  if (!err) return code;
  const hk_error first = *why;
  hk_fail(err, code, "%s: %s", what, first.text);
  hk_error_about(err, first.element, first.time, first.row);
  return code;
}

void hk_diag_init(hk_diag *d) {
  if (d) memset(d, 0, sizeof *d);
}

void hk_diag_free(hk_diag *d) {
  if (!d) return;
  for (int i = 0; i < d->n; i++) free(d->message[i].text);
  free(d->message);
  memset(d, 0, sizeof *d);
}

/* A very long message, for example with a quoted text of a megabyte, is cut between two characters. */
static void cut(char *text) {
  enum { MOST = 4000 };
  size_t n = MOST - 3;
  if (strnlen(text, MOST + 1) <= MOST) return;
  for (; n > 0 && ((unsigned char)text[n] & 0xC0) == 0x80; n--) continue;
  strcpy(text + n, "...");
}

static char *format_text(const char *fmt, va_list ap) {
  va_list again;
  va_copy(again, ap);
  int length = vsnprintf(NULL, 0, fmt, ap);
  char *text = length < 0 ? NULL : malloc((size_t)length + 1);
  if (text) vsnprintf(text, (size_t)length + 1, fmt, again);
  va_end(again);
  if (text) cut(text);
  if (!text || hk_text_is_safe(text)) return text;
  size_t size = hk_safe_text(text, NULL, 0) + 1;
  char *safe = malloc(size);
  if (safe) hk_safe_text(text, safe, size);
  free(text);
  return safe;
}

hk_status hk_diag_add(hk_diag *d, hk_severity s, const hk_location *place, const char *fmt, ...) {
  if (!d) return HK_EINPUT;
  if (s == HK_ERROR) d->n_errors++;
  if (s == HK_WARNING) d->n_warnings++;
  if (s == HK_ERROR && d->n_errors > HK_MAX_ERRORS) return HK_EINPUT;
  if (d->n == d->capacity) {
    int capacity = d->capacity ? 2 * d->capacity : 8;
    hk_diag_message *grown = realloc(d->message, (size_t)capacity * sizeof *grown);
    if (!grown) {
      d->out_of_memory = true;
      return HK_EINPUT;
    }
    d->message = grown;
    d->capacity = capacity;
  }
  va_list ap;
  va_start(ap, fmt);
  char *text = format_text(fmt, ap);
  va_end(ap);
  if (!text) {
    d->out_of_memory = true;
    return HK_EINPUT;
  }
  hk_location at = place ? *place : (hk_location){0};
  if (at.file) {
    /* The file name is stored after the text, because messages outlive the arena of the reader. */
    size_t n = strlen(text) + 1, m = strlen(at.file) + 1;
    char *both = realloc(text, n + m);
    if (both) {
      memcpy(both + n, at.file, m);
      text = both;
      at.file = both + n;
    } else {
      d->out_of_memory = true;
      at.file = NULL;
    }
  }
  d->message[d->n++] = (hk_diag_message){s, at, text};
  return HK_EINPUT;
}

int hk_diag_format(const hk_diag_message *m, char *buf, size_t size) {
  static const char *const word[] = {"note", "warning", "error"};
  if (!m) return 0;
  const hk_location *p = &m->place;
  char file[4096];
  if (p->file) hk_safe_text(p->file, file, sizeof file);
  if (!p->file) return snprintf(buf, size, "%s: %s", word[m->severity], m->text);
  if (p->line <= 0) return snprintf(buf, size, "%s: %s: %s", file, word[m->severity], m->text);
  return snprintf(buf, size, "%s:%d:%d: %s: %s", file, p->line, p->column, word[m->severity],
                  m->text);
}
