/* Texts of numbers: see text.h. */
#include "reduce/text.h"
#include "base/file.h"
#include "base/number.h"
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

hk_status hk_text_load(const char *path, char **bytes, size_t *size, hk_error *err) {
  FILE *in = hk_file_open(path);
  if (!in) return hk_fail(err, HK_EINPUT, "cannot read '%s': %s", path, hk_file_trouble(errno));
  size_t n = 0, room = 1 << 16;
  char *text = malloc(room);
  while (text) {
    n += fread(text + n, 1, room - n - 1, in);
    if (n < room - 1) break;
    char *grown = realloc(text, room *= 2);
    if (!grown) free(text);
    text = grown;
  }
  bool failed = ferror(in);
  fclose(in);
  if (!text) return hk_fail(err, HK_ENOMEM, "out of memory while reading '%s'", path);
  text[n] = 0;
  if (failed || memchr(text, 0, n)) {
    free(text);
    return failed ? hk_fail(err, HK_EIO, "cannot read '%s'", path)
                  : hk_fail(err, HK_EINPUT,
                            "'%s' is a binary file; write it as text (gmsh: option -bin 0 or "
                            "Mesh.Binary = 0)",
                            path);
  }
  *bytes = text, *size = n;
  return HK_OK;
}

hk_text hk_text_of(const char *name, const char *bytes, size_t size, hk_error *err) {
  return (hk_text){
      .name = name, .at = bytes, .end = bytes + size, .line = 1, .last = 1, .err = err};
}

hk_status hk_text_fail(const hk_text *t, const char *fmt, ...) {
  char text[800];
  va_list args;
  va_start(args, fmt);
  vsnprintf(text, sizeof text, fmt, args);
  va_end(args);
  return hk_fail(t->err, HK_EINPUT, "%s:%d: %s", t->name, t->last, text);
}

static void skip_blanks(hk_text *t) {
  for (; t->at < t->end && isspace((unsigned char)*t->at); t->at++)
    if (*t->at == '\n') t->line++;
  t->last = t->line;
}

/* A number must be followed by a blank, a comma or the end of the text. */
static bool ends(const hk_text *t, const char *at) {
  return at >= t->end || isspace((unsigned char)*at) || *at == ',';
}

bool hk_text_integer(hk_text *t, long *value) {
  skip_blanks(t);
  const char *at = t->at;
  bool minus = at < t->end && *at == '-';
  if (at < t->end && (*at == '-' || *at == '+')) at++;
  const char *first = at;
  long sum = 0;
  for (; at < t->end && isdigit((unsigned char)*at); at++) {
    if (sum > 1000000000000000L) return false;
    sum = 10 * sum + (*at - '0');
  }
  if (at == first || !ends(t, at)) return false;
  *value = minus ? -sum : sum;
  t->at = at;
  return true;
}

bool hk_text_number(hk_text *t, double *value) {
  skip_blanks(t);
  char word[64], *end;
  size_t n = 0;
  while (!ends(t, t->at + n) && n + 1 < sizeof word) word[n] = t->at[n], n++;
  word[n] = 0;
  double x = hk_number_read(word, &end);
  if (n == 0 || *end || !ends(t, t->at + n) || !isfinite(x)) return false;
  *value = x;
  t->at += n;
  return true;
}

bool hk_text_word(hk_text *t, char word[HK_TEXT_WORD]) {
  skip_blanks(t);
  size_t n = 0;
  for (; !ends(t, t->at); t->at++)
    if (n + 1 < HK_TEXT_WORD) word[n++] = *t->at;
  word[n] = 0;
  return n > 0;
}

bool hk_text_line(hk_text *t, const char **line, size_t *length) {
  if (t->at >= t->end) return false;
  while (t->at < t->end && *t->at != '\n' && isspace((unsigned char)*t->at)) t->at++;
  const char *first = t->at;
  t->last = t->line;
  hk_text_skip_line(t);
  const char *last = t->at;
  while (last > first && isspace((unsigned char)last[-1])) last--;
  *line = first, *length = (size_t)(last - first);
  return true;
}

bool hk_text_comma(hk_text *t) {
  const char *at = t->at;
  while (at < t->end && (*at == ' ' || *at == '\t')) at++;
  if (at >= t->end || *at != ',') return false;
  t->at = at + 1;
  while (t->at < t->end && (*t->at == ' ' || *t->at == '\t')) t->at++;
  return true;
}

void hk_text_skip_line(hk_text *t) {
  while (t->at < t->end && *t->at != '\n') t->at++;
  if (t->at < t->end) t->at++, t->line++;
}

bool hk_text_line_ends(const hk_text *t) {
  const char *at = t->at;
  while (at < t->end && *at != '\n' && isspace((unsigned char)*at)) at++;
  return at >= t->end || *at == '\n';
}
