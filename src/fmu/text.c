/* Text buffers that grow as text is added: see private.h. */
#include "base/number.h"
#include "fmu/private.h"
#include <stdlib.h>
#include <string.h>

static void append(hk_fmu_text *t, const char *text, size_t n) {
  if (t->failed) return;
  if (t->n + n + 1 > t->capacity) {
    size_t capacity = 2 * (t->n + n + 1);
    char *more = realloc(t->text, capacity);
    if (!more) {
      t->failed = true;
      return;
    }
    t->text = more;
    t->capacity = capacity;
  }
  memcpy(t->text + t->n, text, n);
  t->n += n;
  t->text[t->n] = '\0';
}

void hk_fmu_add(hk_fmu_text *t, const char *fmt, ...) {
  char text[1024];
  va_list ap;
  va_start(ap, fmt);
  int n = vsnprintf(text, sizeof text, fmt, ap);
  va_end(ap);
  append(t, text, n < 0 ? 0 : (size_t)n < sizeof text ? (size_t)n : sizeof text - 1);
}

void hk_fmu_xml(hk_fmu_text *t, const char *text) {
  for (; *text; text++) {
    unsigned char c = (unsigned char)*text;
    if (c == '&')
      append(t, "&amp;", 5);
    else if (c == '<')
      append(t, "&lt;", 4);
    else if (c == '>')
      append(t, "&gt;", 4);
    else if (c == '"')
      append(t, "&quot;", 6);
    else
      append(t, c < 32 ? " " : text, 1);
  }
}

void hk_fmu_yaml(hk_fmu_text *t, const char *text) {
  append(t, "\"", 1);
  for (; *text; text++) {
    if (*text == '"' || *text == '\\') append(t, "\\", 1);
    if (*text == '\n')
      append(t, "\\n", 2);
    else
      append(t, text, 1);
  }
  append(t, "\"", 1);
}

void hk_fmu_number(hk_fmu_text *t, double value) {
  char text[HK_NUMBER_SIZE];
  hk_number_exact(value, text);
  append(t, text, strlen(text));
}
