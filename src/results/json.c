/* JSON output [RFC 8259]: see json.h. */
#include "results/json.h"
#include "results/csv.h"
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Length of the UTF-8 character at s, 0 if it is invalid. */
static int utf8_length(const unsigned char *s) {
  int n = s[0] < 0x80                   ? 1
          : s[0] >= 0xC2 && s[0] < 0xE0 ? 2
          : s[0] >= 0xE0 && s[0] < 0xF0 ? 3
          : s[0] >= 0xF0 && s[0] < 0xF5 ? 4
                                        : 0;
  for (int i = 1; i < n; i++)
    if ((s[i] & 0xC0) != 0x80) return 0;
  bool overlong =
      (n == 3 && s[0] == 0xE0 && s[1] < 0xA0) || (n == 4 && s[0] == 0xF0 && s[1] < 0x90);
  bool surrogate = n == 3 && s[0] == 0xED && s[1] >= 0xA0;
  return overlong || surrogate || (n == 4 && s[0] == 0xF4 && s[1] >= 0x90) ? 0 : n;
}

/* Recognises characters that a YAML reader rejects: control characters, the byte order mark,
 * invalid characters. */
static unsigned unprintable(const unsigned char *s, int n) {
  unsigned code = n == 2   ? (s[0] & 0x1Fu) << 6 | (s[1] & 0x3Fu)
                  : n == 3 ? (s[0] & 0x0Fu) << 12 | (s[1] & 0x3Fu) << 6 | (s[2] & 0x3Fu)
                           : 0;
  return (n == 2 && code < 0xA0) || code == 0xFEFF || code == 0xFFFE || code == 0xFFFF ? code : 0;
}

static void put_text(FILE *out, const char *text) {
  fputc('"', out);
  for (const unsigned char *s = (const unsigned char *)text; *s;) {
    int n = utf8_length(s);
    if (n == 0) {
      fputs("\\ufffd", out);
      s++;
      continue;
    }
    if (*s == '"' || *s == '\\')
      fprintf(out, "\\%c", *s);
    else if (*s < 0x20 || *s == 0x7F || *s == '<' || *s == '>' || *s == '&')
      fprintf(out, "\\u%04x", *s);
    else if (unprintable(s, n))
      fprintf(out, "\\u%04x", unprintable(s, n));
    else
      fwrite(s, 1, (size_t)n, out);
    s += n;
  }
  fputc('"', out);
}

static void begin(hk_json *j, const char *key) {
  if (j->comma) fputs(", ", j->out);
  j->comma = true;
  if (!key) return;
  put_text(j->out, key);
  fputs(": ", j->out);
}

void hk_json_open(hk_json *j, const char *key, char bracket) {
  begin(j, key);
  fputc(bracket, j->out);
  j->comma = false;
}

void hk_json_close(hk_json *j, char bracket) {
  fputc(bracket, j->out);
  j->comma = true;
}

void hk_json_text(hk_json *j, const char *key, const char *value) {
  begin(j, key);
  put_text(j->out, value);
}

void hk_json_real(hk_json *j, const char *key, double value) {
  char text[HK_CSV_NUMBER_SIZE];
  begin(j, key);
  if (isfinite(value)) hk_csv_number(text, value == 0 ? 0 : value); /* never "-0" */
  fputs(isfinite(value) ? text : "null", j->out);
}

void hk_json_int(hk_json *j, const char *key, long long value) {
  begin(j, key);
  fprintf(j->out, "%lld", value);
}

void hk_json_bool(hk_json *j, const char *key, bool value) {
  begin(j, key);
  fputs(value ? "true" : "false", j->out);
}

void hk_json_reals(hk_json *j, const char *key, const double *value, int n) {
  hk_json_open(j, key, '[');
  for (int i = 0; i < n; i++) hk_json_real(j, NULL, value[i]);
  hk_json_close(j, ']');
}

void hk_json_raw(hk_json *j, const char *key, const char *json) {
  begin(j, key);
  fputs(json, j->out);
}

char *hk_json_write(void (*put)(hk_json *j, const void *what), const void *what, size_t *length) {
  char *text = NULL;
  locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  FILE *out = c != (locale_t)0 ? open_memstream(&text, length) : NULL;
  if (out) {
    locale_t users = uselocale(c);
    hk_json j = {.out = out};
    put(&j, what);
    bool failed = ferror(out) != 0;
    failed |= fclose(out) != 0;
    uselocale(users);
    if (failed) free(text), text = NULL;
  }
  if (c != (locale_t)0) freelocale(c);
  return text;
}
