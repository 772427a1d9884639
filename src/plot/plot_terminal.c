/* Figures as text: see plot_terminal.h. */
#include "plot/plot_terminal.h"
#include "base/safe_text.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct canvas {
  int columns, rows; /* characters */
  unsigned char *dots, *colour;
} canvas;

typedef struct span {
  double low, high;
} span;

static const char *const escape[] = {"\033[34m", "\033[33m", "\033[32m",
                                     "\033[35m", "\033[36m", "\033[31m"};
enum { N_ESCAPES = sizeof escape / sizeof *escape };

static void put_dot(canvas *c, int x, int y, int series) {
  /* The bits of U+2800 + bits, by column and row within a character. */
  static const unsigned char bit[2][4] = {{1, 2, 4, 64}, {8, 16, 32, 128}};
  if (x < 0 || y < 0 || x >= 2 * c->columns || y >= 4 * c->rows) return;
  int at = y / 4 * c->columns + x / 2;
  c->dots[at] |= bit[x % 2][y % 4];
  c->colour[at] = (unsigned char)(1 + series % N_ESCAPES);
}

static void put_line(canvas *c, double x0, double y0, double x1, double y1, int series) {
  int n = (int)fmin(4000, fmax(fabs(x1 - x0), fabs(y1 - y0))) + 1;
  for (int i = 0; i <= n; i++)
    put_dot(c, (int)lround(x0 + (x1 - x0) * i / n), (int)lround(y0 + (y1 - y0) * i / n), series);
}

static double scaled(double v, bool log) { return log ? v > 0 ? log10(v) : NAN : v; }

static void widen(span *s, const double *v, int64_t n, bool log) {
  for (int64_t i = 0; i < n; i++) {
    double x = scaled(v[i], log);
    if (isfinite(x)) s->low = fmin(s->low, x), s->high = fmax(s->high, x);
  }
}

static span settle(span s) {
  if (!(s.low <= s.high)) return (span){0, 1};
  if (s.high - s.low <= 1e-12 * fmax(fabs(s.low), fabs(s.high)))
    return (span){s.low - fmax(1e-12, 0.1 * fabs(s.low)), s.high + fmax(1e-12, 0.1 * fabs(s.high))};
  return s;
}

static void draw_series(canvas *c, const hk_plot_panel *p, int k, span x, span y) {
  const hk_plot_series *s = &p->series[k];
  double before[2] = {NAN, NAN}, w = 2 * c->columns - 1, h = 4 * c->rows - 1;
  for (int64_t i = 0; i < s->n; i++) {
    double px = (scaled(s->x[i], p->x.log) - x.low) / (x.high - x.low) * w;
    double py =
        (1 - (scaled(s->y[i], s->right ? p->right.log : p->y.log) - y.low) / (y.high - y.low)) * h;
    bool good = isfinite(px) && isfinite(py);
    if (good && s->line != HK_LINE_NONE && isfinite(before[0]))
      put_line(c, before[0], before[1], px, py, k);
    else if (good)
      put_dot(c, (int)lround(px), (int)lround(py), k);
    before[0] = good ? px : NAN, before[1] = py;
  }
}

static void put_cell(FILE *out, unsigned char dots) {
  unsigned code = 0x2800u + dots;
  fprintf(out, "%c%c%c", (char)(0xe0 | code >> 12), (char)(0x80 | (code >> 6 & 63)),
          (char)(0x80 | (code & 63)));
}

static void print_canvas(FILE *out, const canvas *c, span y, bool log, bool colour) {
  for (int r = 0; r < c->rows; r++) {
    double v = y.high - (y.high - y.low) * (r + 0.5) / c->rows;
    bool labelled = r == 0 || r == c->rows - 1 || r == c->rows / 2;
    if (labelled)
      fprintf(out, "%11.4g ",
              log                ? pow(10, r == 0             ? y.high
                                           : r == c->rows - 1 ? y.low
                                                              : v)
              : r == 0           ? y.high
              : r == c->rows - 1 ? y.low
                                 : v);
    else
      fprintf(out, "%12s", "");
    fputs("\xe2\x94\x82", out); /* a vertical line */
    int last = 0;
    for (int k = 0; k < c->columns; k++) {
      int now = c->dots[r * c->columns + k] ? c->colour[r * c->columns + k] : 0;
      if (colour && now != last) fputs(now ? escape[now - 1] : "\033[0m", out);
      last = now;
      if (c->dots[r * c->columns + k])
        put_cell(out, c->dots[r * c->columns + k]);
      else
        fputc(' ', out);
    }
    fputs(colour && last ? "\033[0m\n" : "\n", out);
  }
}

/* Writes a text without characters that would move the cursor. */
static void put_text(FILE *out, const char *text) {
  for (const char *s = text ? text : ""; *s; s++) {
    int unsafe = hk_unsafe_bytes(s);
    fputc(unsafe ? '?' : *s, out);
    if (unsafe) s += unsafe - 1;
  }
}

static void put_axis(FILE *out, const hk_plot_axis *a) {
  put_text(out, a->label);
  if (a->unit && *a->unit && strcmp(a->unit, "1") != 0) {
    fputs(a->label && *a->label ? " [" : "[", out);
    put_text(out, a->unit);
    fputc(']', out);
  }
}

static void print_panel(FILE *out, const hk_plot_panel *p, canvas *c, bool colour) {
  span x = {INFINITY, -INFINITY}, y = x, right = x;
  for (int i = 0; i < p->n_series; i++) {
    widen(&x, p->series[i].x, p->series[i].n, p->x.log);
    bool second = p->series[i].right;
    widen(second ? &right : &y, p->series[i].y, p->series[i].n, second ? p->right.log : p->y.log);
  }
  bool two = right.low <= right.high;
  x = settle(x), y = settle(y), right = settle(right);
  memset(c->dots, 0, (size_t)c->columns * (size_t)c->rows);
  for (int i = 0; i < p->n_series; i++) draw_series(c, p, i, x, p->series[i].right ? right : y);
  fprintf(out, "%12s", "");
  put_axis(out, &p->y);
  for (int i = 0; i < p->n_series; i++) {
    if (!p->series[i].name) continue;
    fputs("  ", out);
    if (colour) fputs(escape[i % N_ESCAPES], out);
    put_text(out, p->series[i].name);
    if (colour) fputs("\033[0m", out);
  }
  fputc('\n', out);
  print_canvas(out, c, y, p->y.log, colour);
  if (two) {
    fprintf(out, "%12s right, %.4g to %.4g: ", "", p->right.log ? pow(10, right.low) : right.low,
            p->right.log ? pow(10, right.high) : right.high);
    put_axis(out, &p->right);
    fputc('\n', out);
  }
  char low[32], high[32];
  snprintf(low, sizeof low, "%.4g", p->x.log ? pow(10, x.low) : x.low);
  snprintf(high, sizeof high, "%.4g", p->x.log ? pow(10, x.high) : x.high);
  fprintf(out, "%12s %s", "", low);
  int gap = c->columns - (int)strlen(low) - (int)strlen(high);
  char middle[200] = "";
  snprintf(middle, sizeof middle, "%.120s%s%.40s%s", p->x.label ? p->x.label : "",
           p->x.unit && *p->x.unit ? " [" : "", p->x.unit ? p->x.unit : "",
           p->x.unit && *p->x.unit ? "]" : "");
  int text = (int)strlen(middle);
  if (text + 2 <= gap) {
    fprintf(out, "%*s", (gap - text) / 2, "");
    put_text(out, middle);
    fprintf(out, "%*s%s\n", gap - text - (gap - text) / 2, "", high);
  } else {
    fprintf(out, "%*s%s\n", gap > 0 ? gap : 1, "", high);
  }
}

hk_status hk_plot_terminal(const hk_plot_figure *f, FILE *out, int width, int height, bool colour,
                           hk_error *err) {
  canvas c = {.columns = width - 14 < 20 ? 20 : width - 14, .rows = height < 6 ? 4 : height - 2};
  c.dots = malloc((size_t)c.columns * (size_t)c.rows);
  c.colour = malloc((size_t)c.columns * (size_t)c.rows);
  if (!c.dots || !c.colour) {
    free(c.dots), free(c.colour);
    return hk_fail(err, HK_ENOMEM, "out of memory");
  }
  if (f->title && *f->title) put_text(out, f->title), fputc('\n', out);
  for (int i = 0; i < f->n_panels; i++) print_panel(out, &f->panel[i], &c, colour);
  free(c.dots), free(c.colour);
  return ferror(out) ? hk_fail(err, HK_EIO, "cannot write the figure") : HK_OK;
}
