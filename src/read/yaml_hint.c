/* See yaml_hint.h.  For `x > 0 ? 1 : 0` libyaml reports "mapping values are not allowed in this context"; this file examines
 * the line and suggests what to write instead. */
#include "read/yaml_hint.h"
#include <ctype.h>
#include <stdio.h>
#include <string.h>

typedef struct span {
  const char *s;
  size_t n;
} span;

static span line_of(const hk_doc_trouble *t, int line) {
  const char *p = t->text, *end = t->text + t->length;
  for (; line > 0; line--) {
    const char *nl = memchr(p, '\n', (size_t)(end - p));
    if (!nl) return (span){end, 0};
    p = nl + 1;
  }
  const char *nl = memchr(p, '\n', (size_t)(end - p));
  return (span){p, (size_t)((nl ? nl : end) - p)};
}

void hk_doc_locate(const char *text, size_t length, size_t offset, int *line, int *column) {
  *line = *column = 0;
  for (size_t i = 0; i < offset && i < length; i++) {
    unsigned char c = (unsigned char)text[i];
    if (c == '\n') {
      ++*line;
      *column = 0;
    } else if ((c & 0xC0) != 0x80) {
      ++*column;
    }
  }
}

static bool find(span line, const char *what, size_t *at) {
  size_t n = strlen(what);
  for (size_t i = 0; i + n <= line.n; i++)
    if (memcmp(line.s + i, what, n) == 0) {
      if (at) *at = i;
      return true;
    }
  return false;
}

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* Finds `key:value`, without a space, at the beginning of a line or after '{' or ','. */
static bool glued_key(span line, char *key, size_t size) {
  for (size_t i = 1; i + 1 < line.n; i++) {
    char after = line.s[i + 1];
    if (line.s[i] != ':' || !is_word(line.s[i - 1]) || isspace((unsigned char)after)) continue;
    if (after == ':' || after == '/') continue;
    size_t from = i;
    while (from && is_word(line.s[from - 1])) from--;
    size_t before = from;
    while (before && line.s[before - 1] == ' ') before--;
    if (before && !strchr("{,-", line.s[before - 1])) continue;
    snprintf(key, size, "%.*s", (int)(i - from < 60 ? i - from : 60), line.s + from);
    return true;
  }
  return false;
}

/* Returns the first character of a value (after ": ", "- ", "[" or ", ") if it has a special
 * meaning in YAML. */
static char special_start(span line) {
  for (size_t i = 0; i + 1 < line.n; i++) {
    if (!strchr(":,[-{", line.s[i])) continue;
    size_t j = i + 1;
    while (j < line.n && line.s[j] == ' ') j++;
    if (j < line.n && line.s[j] && strchr("*&!@`%|>", line.s[j])) return line.s[j];
  }
  return 0;
}

/* Returns true if the line has `name[` inside { } or [ ] without quotes. */
static bool bare_index(span line) {
  char quote = 0;
  int flow = 0;
  for (size_t i = 0; i < line.n; i++) {
    char c = line.s[i];
    if (quote) {
      if (c == quote) quote = 0;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '[' && flow && i && is_word(line.s[i - 1])) {
      return true;
    } else if (c == '{' || c == '[') {
      flow++;
    } else if (c == '}' || c == ']') {
      flow--;
    }
  }
  return false;
}

static bool leading_tab(span line) {
  for (size_t i = 0; i < line.n && isspace((unsigned char)line.s[i]); i++)
    if (line.s[i] == '\t') return true;
  return false;
}

/* Writes a hint for common mistakes in the line; false: none found. */
static bool line_hint(span line, char *hint, size_t size) {
  size_t question, colon;
  char key[64], c;
  if (leading_tab(line)) {
    snprintf(hint, size, "indent with spaces, not with tabs");
  } else if (find(line, " ? ", &question) && find(line, " : ", &colon) && question < colon) {
    snprintf(hint, size, "'c ? a : b' is not part of the language; write if(c, a, b)");
  } else if ((c = special_start(line))) {
    snprintf(hint, size, "a value that begins with '%c' needs quotes", c);
  } else if (glued_key(line, key, sizeof key)) {
    snprintf(hint, size, "write a space after the colon: '%s: ...'", key);
  } else if (bare_index(line)) {
    snprintf(hint, size, "inside { } and [ ] a name with an index needs quotes: \"link[0]\"");
  } else {
    return false;
  }
  return true;
}

static bool says(const char *text, const char *part) { return text && strstr(text, part); }

static void look_at_context(hk_doc_trouble *t) {
  t->line = t->context_line;
  t->column = t->context_column;
}

/* Returns a plain text for an error of libyaml; may move the location to the cause of the error. */
static const char *in_words(hk_doc_trouble *t) {
  bool flow = says(t->context, "flow sequence") || says(t->context, "flow mapping");
  if (flow && t->line != t->context_line) {
    look_at_context(t);
    return says(t->context, "sequence") ? "the list that begins here with '[' is not closed by ']'"
                                        : "the map that begins here with '{' is not closed by '}'";
  }
  if (flow)
    return says(t->context, "sequence") ? "expected ',' or ']' in this list"
                                        : "expected ',' or '}' in this map";
  if (says(t->context, "quoted scalar") && says(t->problem, "end of stream")) {
    look_at_context(t);
    return "the quote that begins here is not closed";
  }
  if (says(t->context, "quoted scalar") && says(t->problem, "escape"))
    return "unknown escape after '\\' in a text in double quotes; use single quotes";
  if (says(t->problem, "mapping values are not allowed"))
    return "a second ': ' in this value, or a line with the wrong indentation";
  if (says(t->problem, "could not find expected ':'")) {
    if (says(t->context, "simple key")) look_at_context(t);
    return "expected 'key: value'";
  }
  if (says(t->problem, "did not find expected key"))
    return "expected a key; is the indentation that of the lines above?";
  if (says(t->problem, "block sequence entries are not allowed"))
    return "'- ' is not allowed here; write the sign '-' without a space before its number";
  if (says(t->problem, "cannot start any token")) return "unexpected character";
  if (says(t->problem, "tab character")) return "unexpected tab";
  if (says(t->context, "alias") || says(t->context, "anchor"))
    return "'*' and '&' have a special meaning in YAML";
  if (says(t->problem, "expected node content"))
    return "a value is missing, or begins with a character that needs quotes";
  if (says(t->problem, "control characters")) return "control character; is this a text file?";
  if (says(t->problem, "UTF-8")) return "not valid UTF-8";
  return t->problem ? t->problem : "not valid YAML";
}

void hk_doc_explain(hk_doc_trouble *t, char *message, size_t size) {
  char hint[200];
  const char *words = in_words(t);
  bool hinted = line_hint(line_of(t, t->line), hint, sizeof hint);
  /* A key without a space after its colon, or a tab, may be one line above the location given by libyaml. */
  if (!hinted && t->line > 0 && !strstr(words, "not closed"))
    hinted = line_hint(line_of(t, t->line - 1), hint, sizeof hint);
  if (hinted) {
    snprintf(message, size, "%s; %s", words, hint);
  } else {
    snprintf(message, size, "%s", words);
  }
}
