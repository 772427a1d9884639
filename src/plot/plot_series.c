/* Series: lines and markers, reduced to the points that are visible. */
#include "plot/plot_svg.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  MOST_POINTS = 20000, /* maximum number of points of one series in the file */
  MOST_CLOUD = 60000,  /* maximum number of small points, which take a fifth of the space */
  THIN_ABOVE = 4       /* number of points per pixel column above which a line is thinned */
};

const char *hk_series_colour(const hk_plot_series *s, int i) {
  if (s->colour == HK_COLOUR_GREY) return "#8a8a8a";
  return hk_plot_colour(s->colour > 0 ? s->colour - HK_COLOUR_FIRST : i);
}

const char *hk_series_dash(const hk_plot_series *s, int i) {
  static const char *const dash[] = {NULL, "7 3", "2 3"};
  if (s->line != HK_LINE_SOLID) return dash[s->line == HK_LINE_DASHED ? 1 : 2];
  /* Dash of a series: when the colours repeat, dashes distinguish the series. */
  return s->colour == HK_COLOUR_AUTO ? dash[i / 7 % 3] : NULL;
}

/* ---- lines ---- */

typedef struct pen {
  FILE *out;
  bool down;
  long points;
  int piece; /* number of points since the last gap in the line */
} pen;

static void lift(pen *p) {
  if (p->piece == 1) fputs("h0", p->out); /* a single value between two gaps is drawn as a dot */
  p->down = false;
  p->piece = 0;
}
static void go(pen *p, double x, double y) {
  fputc(p->down ? ' ' : 'M', p->out);
  hk_svg_px(p->out, x);
  fputc(' ', p->out);
  hk_svg_px(p->out, y);
  p->down = true;
  p->piece++;
  if (++p->points % 12 == 0) fputc('\n', p->out);
}

/* The values of one pixel column: first, smallest, largest and last, in the order of their occurrence. */
typedef struct column {
  long at;
  int64_t n, i_min, i_max;
  double x[4], y[4]; /* first, smallest, largest, last */
} column;

static void column_flush(pen *p, column *c) {
  if (c->n == 0) return;
  int order[4] = {0, c->i_min < c->i_max ? 1 : 2, c->i_min < c->i_max ? 2 : 1, 3};
  double x = NAN, y = NAN;
  /* Lines from the smallest to the largest value of dense columns are at equal distances, so that no slits are left between them. */
  if (c->n > 2 * THIN_ABOVE) c->x[1] = c->x[2] = (double)c->at + 0.5;
  for (int k = 0; k < 4; k++) {
    int i = order[k];
    if (c->x[i] == x && c->y[i] == y) continue;
    x = c->x[i], y = c->y[i];
    go(p, x, y);
  }
  c->n = 0;
}

static void column_add(pen *p, column *c, int64_t i, double x, double y) {
  long at = (long)floor(x);
  if (c->n && at != c->at) column_flush(p, c);
  if (c->n == 0) {
    *c = (column){.at = at, .i_min = i, .i_max = i};
    for (int k = 0; k < 4; k++) c->x[k] = x, c->y[k] = y;
  }
  if (y < c->y[1]) c->x[1] = x, c->y[1] = y, c->i_min = i;
  if (y > c->y[2]) c->x[2] = x, c->y[2] = y, c->i_max = i;
  c->x[3] = x, c->y[3] = y;
  c->n++;
}

static bool runs_forward(const hk_plot_series *s) {
  double last = -INFINITY;
  for (int64_t i = 0; i < s->n; i++) {
    if (!isfinite(s->x[i])) continue;
    if (s->x[i] < last) return false;
    last = s->x[i];
  }
  return true;
}

static void line_by_columns(pen *p, const hk_plot_series *s, const hk_plot_scale *x,
                            const hk_plot_scale *y) {
  column c = {0};
  for (int64_t i = 0; i < s->n; i++) {
    double px = hk_plot_scale_px(x, s->x[i]), py = hk_plot_scale_px(y, s->y[i]);
    if (isfinite(px) && isfinite(py)) {
      column_add(p, &c, i, px, py);
    } else {
      column_flush(p, &c);
      lift(p);
    }
  }
  column_flush(p, &c);
  lift(p);
}

/* Omits a point that is within `near` of the last one drawn.  out = NULL: only counts. */
static void line_by_distance(pen *p, const hk_plot_series *s, const hk_plot_scale *x,
                             const hk_plot_scale *y, double near, int64_t *count) {
  double last_x = NAN, last_y = NAN;
  int64_t n = 0, skipped = -1;
  for (int64_t i = 0; i <= s->n; i++) {
    double px = i < s->n ? hk_plot_scale_px(x, s->x[i]) : NAN;
    double py = i < s->n ? hk_plot_scale_px(y, s->y[i]) : NAN;
    bool gap = !isfinite(px) || !isfinite(py);
    if (!gap && hypot(px - last_x, py - last_y) < near) {
      skipped = i;
      continue;
    }
    if (gap && skipped >= 0) { /* the last point before a gap is always drawn */
      n++;
      if (p) go(p, hk_plot_scale_px(x, s->x[skipped]), hk_plot_scale_px(y, s->y[skipped]));
    }
    skipped = -1;
    if (gap) {
      if (p) lift(p);
    } else {
      n++;
      if (p) go(p, px, py);
    }
    last_x = px, last_y = py;
  }
  *count = n;
}

static void draw_line(FILE *out, const hk_plot_series *s, int i, const hk_plot_scale *x,
                      const hk_plot_scale *y, const hk_plot_area *area) {
  const char *dash = hk_series_dash(s, i);
  fprintf(out,
          "<path fill=\"none\" stroke=\"%s\" stroke-linejoin=\"round\" stroke-linecap=\"round\"",
          hk_series_colour(s, i));
  if (dash) fprintf(out, " stroke-dasharray=\"%s\"", dash);
  hk_svg_attribute(out, "stroke-width", s->width > 0 ? s->width : 1.6);
  fputs(" d=\"", out);
  pen p = {.out = out};
  if (s->n > THIN_ABOVE * area->width && runs_forward(s)) {
    line_by_columns(&p, s, x, y);
  } else {
    double near = s->n > THIN_ABOVE * area->width ? 0.25 : 0;
    int64_t n = s->n;
    while (near > 0 && near < 1e4) {
      line_by_distance(NULL, s, x, y, near, &n);
      if (n <= MOST_POINTS) break;
      near *= 2;
    }
    line_by_distance(&p, s, x, y, near, &n);
  }
  fputs("\"/>\n", out);
}

/* ---- markers ---- */

void hk_series_marker(FILE *out, const hk_plot_series *s, double x, double y, const char *colour) {
  switch (s->marker) {
    case HK_MARKER_NONE:
      return;
    case HK_MARKER_DOT:
      fputs("<circle r=\"2.4\"", out);
      hk_svg_attribute(out, "cx", x);
      hk_svg_attribute(out, "cy", y);
      fprintf(out, " fill=\"%s\"/>\n", colour);
      return;
    case HK_MARKER_CIRCLE:
      fputs("<circle r=\"4\" fill=\"none\" stroke-width=\"1.4\"", out);
      hk_svg_attribute(out, "cx", x);
      hk_svg_attribute(out, "cy", y);
      fprintf(out, " stroke=\"%s\"/>\n", colour);
      return;
    case HK_MARKER_CROSS:
      fprintf(out, "<path stroke=\"%s\" stroke-width=\"1.6\" d=\"M", colour);
      hk_svg_px(out, x - 4);
      fputc(' ', out);
      hk_svg_px(out, y - 4);
      fputs("l8 8m0 -8l-8 8\"/>\n", out);
      return;
    case HK_MARKER_SQUARE:
      hk_svg_rect(out, x - 3, y - 3, 6, 6, colour);
      return;
    case HK_MARKER_POINT: /* small points are drawn as a dot in the legend */
      fputs("<circle r=\"2\"", out);
      hk_svg_attribute(out, "cx", x);
      hk_svg_attribute(out, "cy", y);
      fprintf(out, " fill=\"%s\"/>\n", colour);
      return;
  }
}

/* Cells of the plotting area that already contain a marker. */
typedef struct cells {
  unsigned char *bit;
  long columns, rows;
  double size;
} cells;

/* Returns true if this is the first marker in a cell; if the allocation failed, every marker counts as the first. */
static bool cell_take(cells *c, const hk_plot_area *a, double x, double y) {
  double u = (x - a->x) / c->size, v = (y - a->y) / c->size;
  if (!(u >= 0 && u < c->columns && v >= 0 && v < c->rows)) return false;
  if (!c->bit) return true;
  long k = (long)v * c->columns + (long)u;
  bool free_cell = !(c->bit[k / 8] & 1u << k % 8);
  c->bit[k / 8] |= (unsigned char)(1u << k % 8);
  return free_cell;
}

static void cells_reset(cells *c, const hk_plot_area *a, double size) {
  free(c->bit);
  *c = (cells){
      .columns = (long)(a->width / size) + 2, .rows = (long)(a->height / size) + 2, .size = size};
  c->bit = calloc((size_t)(c->columns * c->rows / 8 + 1), 1);
}

/* Draws small points as one path of strokes of zero length, which round caps turn into dots. */
static void draw_cloud(FILE *out, const hk_plot_series *s, int i, const hk_plot_scale *x,
                       const hk_plot_scale *y, cells *c, const hk_plot_area *wide) {
  fprintf(out, "<path fill=\"none\" stroke=\"%s\" stroke-linecap=\"round\"",
          hk_series_colour(s, i));
  hk_svg_attribute(out, "stroke-width", s->width > 0 ? s->width : 1.5);
  fputs(" d=\"", out);
  int64_t n = 0;
  for (int64_t k = 0; k < s->n && n <= MOST_CLOUD; k++) {
    double px = hk_plot_scale_px(x, s->x[k]), py = hk_plot_scale_px(y, s->y[k]);
    if (!cell_take(c, wide, px, py)) continue;
    fputc('M', out);
    hk_svg_px(out, px);
    fputc(' ', out);
    hk_svg_px(out, py);
    fputs("h0", out);
    if (++n % 12 == 0) fputc('\n', out);
  }
  fputs("\"/>\n", out);
}

static void draw_markers(FILE *out, const hk_plot_series *s, int i, const hk_plot_scale *x,
                         const hk_plot_scale *y, const hk_plot_scale *shade,
                         const hk_plot_area *area) {
  cells c = {0};
  const bool cloud = s->marker == HK_MARKER_POINT && !s->shade;
  const int64_t most = cloud ? MOST_CLOUD : MOST_POINTS;
  const hk_plot_area wide = {area->x - 1, area->y - 1, area->width + 2, area->height + 2};
  for (double size = 0.5;; size *= 2) {
    int64_t n = 0;
    cells_reset(&c, &wide, size);
    for (int64_t k = 0; k < s->n && n <= most; k++)
      n += cell_take(&c, &wide, hk_plot_scale_px(x, s->x[k]), hk_plot_scale_px(y, s->y[k]));
    cells_reset(&c, &wide, size);
    if (n <= most || size > 8) break;
  }
  int64_t n = cloud ? most + 1 : 0;
  if (cloud) draw_cloud(out, s, i, x, y, &c, &wide);
  for (int64_t k = 0; k < s->n && n <= most; k++) {
    double px = hk_plot_scale_px(x, s->x[k]), py = hk_plot_scale_px(y, s->y[k]);
    if (!cell_take(&c, &wide, px, py)) continue;
    n++;
    char colour[8];
    double at = s->shade && shade ? hk_plot_scale_px(shade, s->shade[k]) : NAN;
    if (isfinite(at)) hk_plot_shade((at - shade->p0) / (shade->p1 - shade->p0), colour);
    hk_series_marker(out, s, px, py, isfinite(at) ? colour : hk_series_colour(s, i));
  }
  free(c.bit);
}

void hk_series_draw(FILE *out, const hk_plot_series *s, int i, const hk_plot_scale *x,
                    const hk_plot_scale *y, const hk_plot_scale *shade, const hk_plot_area *area) {
  if (s->cells_x > 0 && s->cells_y > 0) {
    hk_series_cells(out, s, x, y, shade, area);
    return;
  }
  if (s->line != HK_LINE_NONE) draw_line(out, s, i, x, y, area);
  if (s->marker != HK_MARKER_NONE) draw_markers(out, s, i, x, y, shade, area);
}
