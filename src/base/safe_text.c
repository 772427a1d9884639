/* Escape sequences for control characters: see safe_text.h. */
#include "base/safe_text.h"
#include <stdio.h>
#include <string.h>

/* Unsafe characters: C0 and DEL, C1, line and paragraph separators, and changes of the direction of writing [Unicode
 * 15, 23.1 and 23.2]. */
int hk_unsafe_bytes(const char *text) {
  const unsigned char *s = (const unsigned char *)text;
  if (s[0] < 0x20 || s[0] == 0x7F) return s[0] ? 1 : 0;
  if (s[0] == 0xC2 && s[1] >= 0x80 && s[1] < 0xA0) return 2;
  if (s[0] != 0xE2) return 0;
  bool separator_or_embedding = s[1] == 0x80 && s[2] >= 0xA8 && s[2] <= 0xAE;
  bool isolate = s[1] == 0x81 && s[2] >= 0xA6 && s[2] <= 0xA9;
  return separator_or_embedding || isolate ? 3 : 0;
}

bool hk_text_is_safe(const char *text) {
  for (; *text; text++)
    if (hk_unsafe_bytes(text)) return false;
  return true;
}

static const char *escape(unsigned char c, char hex[8]) {
  if (c == '\n') return "\\n";
  if (c == '\t') return "\\t";
  if (c == '\r') return "\\r";
  snprintf(hex, 8, "\\x%02x", c);
  return hex;
}

size_t hk_safe_text(const char *text, char *buf, size_t size) {
  size_t n = 0;
  int left = 0; /* number of bytes of an unsafe character that are still to come */
  for (; *text; text++) {
    char hex[8], plain[2] = {*text, 0};
    if (left == 0) left = hk_unsafe_bytes(text);
    const char *piece = left > 0 ? escape((unsigned char)*text, hex) : plain;
    if (left > 0) left--;
    for (; *piece; piece++, n++)
      if (n + 1 < size) buf[n] = *piece;
  }
  if (size > 0) buf[n < size ? n : size - 1] = '\0';
  return n;
}

void hk_put_yaml_text(FILE *out, const char *text) {
  fputc('"', out);
  while (*text) {
    const unsigned char *s = (const unsigned char *)text;
    int n = hk_unsafe_bytes(text);
    if (n == 3)
      fprintf(out, "\\u%04x", (s[0] & 0x0Fu) << 12 | (s[1] & 0x3Fu) << 6 | (s[2] & 0x3Fu));
    else if (n)
      fprintf(out, "\\x%02x", s[n - 1]); /* below 0x100, the last byte is the number */
    else
      fprintf(out, *text == '"' || *text == '\\' ? "\\%c" : "%c", *text);
    text += n ? n : 1;
  }
  fputc('"', out);
}
