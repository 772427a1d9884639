/* SVG primitives of figures: see plot_svg.h. */
#include "base/number.h"
#include "plot/plot_svg.h"
#include "base/file.h"
#include "base/safe_text.h"
#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Colours that people with any colour vision can distinguish [Okabe and Ito 2008], without yellow, which is invisible
 * on white. */
static const char *const palette[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                      "#e69f00", "#56b4e9", "#333333"};
enum { N_PALETTE = sizeof palette / sizeof *palette };

const char *hk_plot_colour(int i) { return palette[i < 0 ? 0 : i % N_PALETTE]; }

void hk_plot_blend(const unsigned char a[3], const unsigned char b[3], double s, char out[8]) {
  int c[3];
  for (int i = 0; i < 3; i++) c[i] = (int)lround(a[i] + s * (b[i] - a[i])) & 0xFF;
  snprintf(out, 8, "#%02x%02x%02x", c[0], c[1], c[2]);
}

/* Points of the colour map viridis (released to the public domain), without its bright end. */
void hk_plot_shade(double s, char out[8]) {
  static const unsigned char stop[][3] = {{68, 1, 84},    {71, 44, 122},  {59, 81, 139},
                                          {44, 113, 142}, {33, 144, 141}, {39, 173, 129},
                                          {92, 200, 99},  {160, 216, 58}};
  enum { LAST = sizeof stop / sizeof *stop - 1 };
  double at = (s > 0 ? s < 1 ? s : 1 : 0) * LAST;
  int i = at < LAST ? (int)at : LAST - 1;
  hk_plot_blend(stop[i], stop[i + 1], at - i, out);
}

void hk_svg_px(FILE *out, double px) {
  const double most = 30000;
  long c = lround(100 * (px > -most ? px < most ? px : most : -most));
  long a = labs(c);
  fprintf(out, "%s%ld", c < 0 ? "-" : "", a / 100);
  if (a % 100) fprintf(out, a % 10 ? ".%02ld" : ".%ld", a % 10 ? a % 100 : a % 100 / 10);
}

void hk_svg_attribute(FILE *out, const char *key, double px) {
  fprintf(out, " %s=\"", key);
  hk_svg_px(out, px);
  fputc('"', out);
}

void hk_svg_open(FILE *out, double width, double height, const char *title) {
  fputs("<svg xmlns=\"http://www.w3.org/2000/svg\"", out);
  hk_svg_attribute(out, "width", width);
  hk_svg_attribute(out, "height", height);
  fputs(" viewBox=\"0 0 ", out);
  hk_svg_px(out, width);
  fputc(' ', out);
  hk_svg_px(out, height);
  fprintf(out, "\" font-family=\"%s\" font-size=\"%d\" fill=\"%s\">\n", HK_PLOT_FONT, HK_PLOT_TEXT,
          HK_PLOT_INK);
  if (title) {
    fputs("<title>", out);
    hk_svg_escape(out, title);
    fputs("</title>\n", out);
  }
  fputs("<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n", out);
}

void hk_svg_close(FILE *out) { fputs("</svg>\n", out); }

void hk_svg_segment(FILE *out, double x0, double y0, double x1, double y1, const char *colour,
                    double width) {
  fputs("<line", out);
  hk_svg_attribute(out, "x1", x0);
  hk_svg_attribute(out, "y1", y0);
  hk_svg_attribute(out, "x2", x1);
  hk_svg_attribute(out, "y2", y1);
  hk_svg_attribute(out, "stroke-width", width);
  fprintf(out, " stroke=\"%s\"/>\n", colour);
}

void hk_svg_rect(FILE *out, double x, double y, double width, double height, const char *colour) {
  fputs("<rect", out);
  hk_svg_attribute(out, "x", x);
  hk_svg_attribute(out, "y", y);
  hk_svg_attribute(out, "width", width);
  hk_svg_attribute(out, "height", height);
  fprintf(out, " fill=\"%s\"/>\n", colour);
}

/* Length in bytes of the UTF-8 character at s; 0 if it is invalid or not allowed in XML. */
static int character(const unsigned char *s, unsigned *code) {
  int n = s[0] < 0x80   ? 1
          : s[0] < 0xC2 ? 0
          : s[0] < 0xE0 ? 2
          : s[0] < 0xF0 ? 3
          : s[0] < 0xF5 ? 4
                        : 0;
  if (n == 0) return 0;
  unsigned c = n == 1 ? s[0] : s[0] & (0xFFu >> (n + 1));
  for (int i = 1; i < n; i++) {
    if ((s[i] & 0xC0) != 0x80) return 0;
    c = c << 6 | (s[i] & 0x3F);
  }
  *code = c;
  bool overlong = (n == 3 && c < 0x800) || (n == 4 && (c < 0x10000 || c > 0x10FFFF));
  bool banned = (c < 0x20 && c != '\t' && c != '\n') || c == 0x7F || (c >= 0xD800 && c < 0xE000) ||
                c == 0xFFFE || c == 0xFFFF;
  return overlong || banned ? 0 : n;
}

static void escape(FILE *out, const char *text, size_t length) {
  const unsigned char *s = (const unsigned char *)text, *end = s + length;
  unsigned c;
  while (s < end && *s) {
    int n = character(s, &c), unsafe = hk_unsafe_bytes((const char *)s);
    if (*s == '\n' || *s == '\t')
      fputc(' ', out), s++;
    else if (n == 0 || s + n > end || unsafe)
      fputs("\xEF\xBF\xBD", out), s += n > 0 && s + n <= end ? n : 1;
    else if (*s == '<')
      fputs("&lt;", out), s++;
    else if (*s == '>')
      fputs("&gt;", out), s++;
    else if (*s == '&')
      fputs("&amp;", out), s++;
    else if (*s == '"')
      fputs("&quot;", out), s++;
    else
      fwrite(s, 1, (size_t)n, out), s += n;
  }
}

void hk_svg_escape(FILE *out, const char *text) { escape(out, text, strlen(text)); }

/* Advance widths of DejaVu Sans, the widest font of the list, in 1/100 em from ' ' to '~'. */
static const unsigned char advance[95] = {
    32, 40, 46, 84, 64, 95, 78, 28, 39,  39, 50, 84, 32, 36, 32, 34, 64, 64, 64, 64, 64, 64, 64, 64,
    64, 64, 34, 34, 84, 84, 84, 53, 100, 68, 69, 70, 77, 63, 58, 78, 75, 30, 30, 66, 56, 86, 75, 79,
    60, 79, 70, 64, 61, 73, 68, 99, 69,  61, 69, 39, 34, 39, 84, 50, 50, 61, 64, 55, 64, 62, 35, 64,
    63, 28, 28, 58, 28, 97, 63, 61, 64,  64, 41, 52, 39, 63, 59, 82, 59, 59, 53, 64, 34, 64, 84};

static double width_of(const char *text, size_t length, double size) {
  const unsigned char *s = (const unsigned char *)text, *end = s + length;
  double w = 0;
  unsigned c = 0;
  while (s < end && *s) {
    int n = character(s, &c);
    w += n == 1 && c >= ' ' && c <= '~' ? advance[c - ' '] / 100.0 : c > 0x2E7F ? 1 : 0.7;
    s += n ? n : 1;
  }
  return w * size;
}

/* `^{` opens raised text, 0.7 of the size; returns its end. */
static const char *raised_end(const char *s) {
  return s[0] == '^' && s[1] == '{' ? strchr(s + 2, '}') : NULL;
}

double hk_text_width(const char *text, double size) {
  double w = 0;
  for (const char *s = text; *s;) {
    const char *end = raised_end(s);
    if (end) {
      w += width_of(s + 2, (size_t)(end - s - 2), 0.7 * size);
      s = end + 1;
      continue;
    }
    const char *next = strstr(s + 1, "^{");
    size_t length = next ? (size_t)(next - s) : strlen(s);
    w += width_of(s, length, size);
    s += length;
  }
  return w;
}

static void put_raised(FILE *out, const char *text, double size) {
  bool lowered = false; /* true: the text is inside a tspan that returns to the baseline */
  for (const char *s = text; *s;) {
    const char *end = raised_end(s);
    if (end) {
      if (lowered) fputs("</tspan>", out);
      fputs("<tspan", out);
      hk_svg_attribute(out, "dy", -0.38 * size);
      hk_svg_attribute(out, "font-size", 0.7 * size);
      fputc('>', out);
      escape(out, s + 2, (size_t)(end - s - 2));
      fputs("</tspan>", out);
      s = end + 1;
      lowered = *s != '\0';
      if (!lowered) break;
      fputs("<tspan", out);
      hk_svg_attribute(out, "dy", 0.38 * size);
      if (*s == ' ') { /* some viewers omit a blank at the start of a span */
        hk_svg_attribute(out, "dx", 0.3 * size);
        s++;
      }
      fputc('>', out);
      continue;
    }
    const char *next = strstr(s + 1, "^{");
    size_t length = next ? (size_t)(next - s) : strlen(s);
    escape(out, s, length);
    s += length;
  }
  if (lowered) fputs("</tspan>", out);
}

/* Length in bytes of the longest prefix that is not wider than `room`. */
static size_t head_within(const char *text, size_t length, double size, double room) {
  size_t at = 0;
  while (at < length) {
    unsigned c;
    int n = character((const unsigned char *)text + at, &c);
    size_t next = at + (size_t)(n ? n : 1);
    if (width_of(text, next, size) > room) break;
    at = next;
  }
  return at;
}

/* Writes a text shortened in the middle. More of the end than of the start remains, because names usually differ in
 * their last part. */
static void put_elided(FILE *out, const char *text, double size, double room) {
  size_t length = strlen(text);
  if (length > 4096) text += length - 4096, length = 4096;
  double half = 0.45 * (room - 0.8 * size);
  size_t head = head_within(text, length, size, half);
  size_t tail = head;
  while (tail < length && (width_of(text + tail, length - tail, size) > room - 0.8 * size - half ||
                           ((unsigned char)text[tail] & 0xC0) == 0x80))
    tail++;
  escape(out, text, head);
  fputs("\xE2\x80\xA6", out);
  escape(out, text + tail, length - tail);
}

void hk_svg_text(FILE *out, double x, double y, const char *text, double room,
                 const hk_text_style *style) {
  static const char *const anchor[] = {"start", "middle", "end"};
  double size = style->size > 0 ? style->size : HK_PLOT_TEXT;
  fputs("<text", out);
  hk_svg_attribute(out, "x", x);
  hk_svg_attribute(out, "y", y);
  if (style->upright) {
    fputs(" transform=\"rotate(-90 ", out);
    hk_svg_px(out, x);
    fputc(' ', out);
    hk_svg_px(out, y);
    fputs(")\"", out);
  }
  if (style->anchor != HK_ANCHOR_START) fprintf(out, " text-anchor=\"%s\"", anchor[style->anchor]);
  if (style->size > 0) hk_svg_attribute(out, "font-size", size);
  if (style->bold) fputs(" font-weight=\"600\"", out);
  if (style->colour) fprintf(out, " fill=\"%s\"", style->colour);
  if (style->halo)
    fputs(" stroke=\"#ffffff\" stroke-width=\"3\" stroke-linejoin=\"round\" paint-order=\"stroke\"",
          out);
  fputc('>', out);
  if (room > 0 && hk_text_width(text, size) > room)
    put_elided(out, text, size, room);
  else
    put_raised(out, text, size);
  fputs("</text>\n", out);
}

void hk_text_add(char *buf, size_t size, const char *fmt, ...) {
  size_t used = strlen(buf);
  if (used + 1 >= size) return;
  va_list ap;
  va_start(ap, fmt);
  hk_number_vprint(buf + used, size - used, fmt, ap);
  va_end(ap);
}

/* Draws into memory first, because a figure that fails must not replace an existing file. */
static hk_status render(void (*draw)(FILE *, const void *), const void *context, char **text,
                        size_t *length, hk_error *err) {
  *text = NULL;
  locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  FILE *memory = c != (locale_t)0 ? open_memstream(text, length) : NULL;
  if (!memory) {
    if (c != (locale_t)0) freelocale(c);
    return hk_fail(err, HK_ENOMEM, "out of memory");
  }
  locale_t users = uselocale(c);
  draw(memory, context);
  bool failed = ferror(memory) != 0;
  failed |= fclose(memory) != 0;
  uselocale(users);
  freelocale(c);
  if (!failed) return HK_OK;
  free(*text);
  *text = NULL;
  return hk_fail(err, HK_ENOMEM, "out of memory");
}

hk_status hk_svg_write(FILE *out, void (*draw)(FILE *, const void *), const void *context,
                       hk_error *err) {
  char *text;
  size_t length;
  hk_status status = render(draw, context, &text, &length, err);
  if (status) return status;
  errno = 0;
  if (fwrite(text, 1, length, out) != length || fflush(out))
    status = hk_fail(err, HK_EIO, "cannot write the figure: %s", strerror(errno));
  free(text);
  return status;
}

hk_status hk_svg_save(const char *path, void (*draw)(FILE *, const void *), const void *context,
                      hk_error *err) {
  char *text;
  size_t length;
  hk_status status = render(draw, context, &text, &length, err);
  if (status) return status;
  hk_new_file out;
  status = hk_new_file_open(&out, path, err);
  if (!status) {
    fwrite(text, 1, length, out.file);
    status = hk_new_file_close(&out, HK_OK, err);
  }
  free(text);
  return status;
}
