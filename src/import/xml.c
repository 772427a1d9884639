/* Reader of XML: see xml.h.  Syntax after [XML 1.0, fifth edition]; texts are UTF-8. */
#include "import/xml.h"
#include <stdlib.h>
#include <string.h>

typedef struct reader {
  char *at;
  const char *end;
  int line;
  const char *open[HK_XML_MAX_DEPTH];
  int depth;
  bool rooted; /* the root element has been read */
  /* position after the last start tag, where the text of this element begins; NULL after any
   * markup other than its end tag */
  char *content;
  hk_xml_begin_fn *begin;
  hk_xml_text_fn *text;
  void *context;
} reader;

const char *hk_xml_get(const hk_xml_element *e, const char *key) {
  for (int i = 0; i < e->n; i++)
    if (strcmp(e->key[i], key) == 0) return e->value[i];
  return NULL;
}

static hk_status wrong(const reader *r, const char *what, hk_error *err) {
  return hk_fail(err, HK_EINPUT, "line %d: %s", r->line, what);
}

static void skip_space(reader *r) {
  for (; *r->at == ' ' || *r->at == '\t' || *r->at == '\r' || *r->at == '\n'; r->at++)
    r->line += *r->at == '\n';
}

/* Moves past the next `mark`; false: there is none. */
static bool skip_past(reader *r, const char *mark) {
  char *found = strstr(r->at, mark);
  if (!found) return false;
  for (; r->at < found; r->at++) r->line += *r->at == '\n';
  r->at += strlen(mark);
  return true;
}

static bool is_name_byte(unsigned char c, bool first) {
  if (c >= 0x80 || c == '_' || c == ':' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'))
    return true;
  return !first && (c == '-' || c == '.' || (c >= '0' && c <= '9'));
}

/* Length of the name at r->at; 0: there is none. The name is not terminated yet. */
static size_t name_length(const reader *r) {
  size_t n = 0;
  while (is_name_byte((unsigned char)r->at[n], n == 0)) n++;
  return n;
}

/* ---- references ---- */

static size_t put_utf8(unsigned long c, char *out) {
  if (c < 0x80) return out[0] = (char)c, 1;
  if (c < 0x800) return out[0] = (char)(0xC0 | c >> 6), out[1] = (char)(0x80 | (c & 63)), 2;
  if (c < 0x10000)
    return out[0] = (char)(0xE0 | c >> 12), out[1] = (char)(0x80 | (c >> 6 & 63)),
           out[2] = (char)(0x80 | (c & 63)), 3;
  out[0] = (char)(0xF0 | c >> 18);
  out[1] = (char)(0x80 | (c >> 12 & 63));
  out[2] = (char)(0x80 | (c >> 6 & 63));
  out[3] = (char)(0x80 | (c & 63));
  return 4;
}

/* Decodes a reference such as "&lt;" or "&#38;" at `from`, which ends at *past; 0: it is not valid. */
static unsigned long reference(const char *from, char **past) {
  static const struct {
    const char *name;
    char c;
  } NAMED[] = {{"&lt;", '<'}, {"&gt;", '>'}, {"&amp;", '&'}, {"&quot;", '"'}, {"&apos;", '\''}};
  for (size_t i = 0; i < sizeof NAMED / sizeof *NAMED; i++) {
    size_t n = strlen(NAMED[i].name);
    if (strncmp(from, NAMED[i].name, n) != 0) continue;
    *past = (char *)(uintptr_t)from + n;
    return (unsigned char)NAMED[i].c;
  }
  bool hexadecimal = strncmp(from, "&#x", 3) == 0;
  if (!hexadecimal && strncmp(from, "&#", 2) != 0) return 0;
  const char *digits = from + (hexadecimal ? 3 : 2);
  unsigned long c = 0;
  int n = 0;
  for (; n < 8 && digits[n] != ';'; n++) {
    const char *set = "0123456789abcdef", *found;
    char digit = digits[n] >= 'A' && digits[n] <= 'F' ? (char)(digits[n] + 32) : digits[n];
    found = digit ? strchr(set, digit) : NULL;
    if (!found || (found - set >= 10 && !hexadecimal)) return 0;
    c = c * (hexadecimal ? 16 : 10) + (unsigned long)(found - set);
  }
  if (n == 0 || digits[n] != ';' || c > 0x10FFFF || (c >= 0xD800 && c < 0xE000)) return 0;
  if (c < ' ' && c != '\t' && c != '\n' && c != '\r') return 0;
  *past = (char *)(uintptr_t)digits + n + 1;
  return c;
}

/* Decodes the character references of a text in place; false: a reference is not valid. */
static bool decode(char *text) {
  char *out = text;
  while (*text) {
    if (*text != '&') {
      *out++ = *text++;
      continue;
    }
    unsigned long c = reference(text, &text);
    if (!c) return false;
    out += put_utf8(c, out);
  }
  *out = '\0';
  return true;
}

/* Reads the quoted value at r->at and decodes it in place, because decoding never makes it
 * longer. */
static hk_status read_value(reader *r, const char **value, hk_error *err) {
  char quote = *r->at;
  if (quote != '"' && quote != '\'')
    return wrong(r, "the value of an attribute is not quoted", err);
  char *out = ++r->at;
  *value = out;
  while (*r->at != quote) {
    if (*r->at == '\0' || *r->at == '<')
      return wrong(r, "the value of an attribute has no end", err);
    r->line += *r->at == '\n';
    if (*r->at == '&') {
      unsigned long c = reference(r->at, &r->at);
      if (!c) return wrong(r, "an unknown or invalid reference '&...;'", err);
      out += put_utf8(c, out);
    } else {
      char c = *r->at++;
      *out++ = c == '\n' || c == '\t' || c == '\r' ? ' ' : c;
    }
  }
  r->at++; /* the closing quote, which `out` may overwrite */
  *out = '\0';
  return HK_OK;
}

/* ---- elements ---- */

static hk_status read_attribute(reader *r, hk_xml_element *e, hk_error *err) {
  size_t n = name_length(r);
  char *key = r->at;
  if (n == 0) return wrong(r, "the name of an attribute is expected", err);
  r->at += n;
  skip_space(r);
  if (*r->at != '=') return wrong(r, "an attribute has no value", err);
  r->at++;
  skip_space(r);
  const char *value = NULL;
  hk_status status = read_value(r, &value, err);
  if (status) return status;
  key[n] = '\0';
  if (e->n == HK_XML_MAX_ATTRIBUTES) return wrong(r, "an element has too many attributes", err);
  if (hk_xml_get(e, key)) return wrong(r, "an attribute is there twice", err);
  e->key[e->n] = key;
  e->value[e->n++] = value;
  return HK_OK;
}

static hk_status read_start(reader *r, hk_error *err) {
  hk_xml_element e = {.depth = r->depth, .line = r->line};
  size_t n = name_length(r);
  char *name = r->at;
  if (n == 0) return wrong(r, "the name of an element is expected after '<'", err);
  if (r->depth == 0 && r->rooted) return wrong(r, "there is a second root element", err);
  if (r->depth == HK_XML_MAX_DEPTH) return wrong(r, "elements are nested too deeply", err);
  r->rooted = true;
  r->at += n;
  bool closed = false;
  for (;;) {
    char *before = r->at;
    skip_space(r);
    if (*r->at == '>') break;
    if (r->at[0] == '/' && r->at[1] == '>') {
      closed = true;
      break;
    }
    if (r->at == before) return wrong(r, "a space or '>' is expected", err);
    hk_status status = read_attribute(r, &e, err);
    if (status) return status;
  }
  r->at += closed ? 2 : 1;
  name[n] = '\0';
  e.name = name;
  if (!closed) r->open[r->depth++] = name;
  r->content = closed ? NULL : r->at;
  return r->begin(r->context, &e, err);
}

static hk_status read_end(reader *r, hk_error *err) {
  size_t n = name_length(r);
  const char *name = r->at;
  if (r->depth == 0 || strlen(r->open[r->depth - 1]) != n ||
      memcmp(r->open[r->depth - 1], name, n) != 0)
    return wrong(r, "an end tag does not belong to the element that is open", err);
  r->at += n;
  skip_space(r);
  if (*r->at != '>') return wrong(r, "'>' is expected", err);
  r->at++;
  r->depth--;
  if (!r->content || !r->text) return HK_OK;
  char *content = r->content;
  r->content = NULL;
  *strchr(content, '<') = '\0'; /* the end tag has been read */
  if (!decode(content)) return wrong(r, "an unknown or invalid reference '&...;'", err);
  return r->text(r->context, r->depth, content, err);
}

static hk_status read_markup(reader *r, hk_error *err) {
  static const struct {
    const char *start, *end;
  } SKIPPED[] = {{"<?", "?>"}, {"<!--", "-->"}, {"<![CDATA[", "]]>"}};
  for (size_t i = 0; i < sizeof SKIPPED / sizeof *SKIPPED; i++)
    if (strncmp(r->at, SKIPPED[i].start, strlen(SKIPPED[i].start)) == 0) {
      r->content = NULL;
      return skip_past(r, SKIPPED[i].end) ? HK_OK
                                          : wrong(r, "a comment or section has no end", err);
    }
  if (r->at[1] == '!') return wrong(r, "document types and entities are not allowed", err);
  bool end = r->at[1] == '/';
  if (!end) r->content = NULL;
  r->at += end ? 2 : 1;
  return end ? read_end(r, err) : read_start(r, err);
}

hk_status hk_xml_read(char *text, size_t size, hk_xml_begin_fn *begin, hk_xml_text_fn *content,
                      void *context, hk_error *err) {
  reader r = {.at = text,
              .end = text + size,
              .line = 1,
              .begin = begin,
              .text = content,
              .context = context};
  if (strlen(text) != size) return hk_fail(err, HK_EINPUT, "it contains a zero byte");
  if (strncmp(r.at, "\xEF\xBB\xBF", 3) == 0) r.at += 3;
  while (*r.at) {
    if (*r.at == '<') {
      hk_status status = read_markup(&r, err);
      if (status) return status;
      continue;
    }
    r.line += *r.at == '\n';
    r.at++;
  }
  if (!r.rooted || r.depth) return wrong(&r, "it ends before its root element", err);
  return HK_OK;
}
