/* Figures: layout of panels in a grid.  See plot.h. */
#include "plot/plot_svg.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  MARGIN = 16,
  TICK_ROOM = 26, /* space below an axis without labels, to the next panel */
  X_LABELS = 48,  /* space for tick labels and title below the last axis */
  Y_TITLE = 34,   /* space for the title, left of the tick labels */
  COLUMN_WIDTH = 660,
  NARROW_WIDTH = 500, /* width of a figure column if there are several columns */
  MAX_PANELS = 64
};

typedef struct page {
  const hk_plot_figure *figure;
  hk_panel_layout *panel;
  int n, columns, rows;
  double width, height, head;
} page;

static bool by_shade(const hk_plot_panel *p) {
  for (int i = 0; i < p->n_series; i++)
    if (p->series[i].shade && p->series[i].marker != HK_MARKER_NONE) return true;
  return false;
}

static const hk_plot_range nothing = {INFINITY, -INFINITY};

static bool by_right(const hk_plot_panel *p) {
  for (int i = 0; i < p->n_series; i++)
    if (p->series[i].right) return true;
  return false;
}

/* Extends both ranges by the points that can be drawn; vertically, only by points of the given
 * axis. */
static void add_points(hk_plot_range *rx, hk_plot_range *ry, bool right, const hk_plot_panel *p) {
  for (int i = 0; i < p->n_series; i++) {
    const hk_plot_series *s = &p->series[i];
    if (!rx && s->right != right) continue;
    for (int64_t k = 0; k < s->n; k++) {
      hk_plot_range x = nothing, y = nothing;
      hk_plot_range_add(&x, &s->x[k], 1, p->x.log);
      hk_plot_range_add(&y, &s->y[k], 1, s->right ? p->right.log : p->y.log);
      if (x.min > x.max || y.min > y.max) continue;
      bool inside = !(p->x.min < p->x.max) || (s->x[k] >= p->x.min && s->x[k] <= p->x.max);
      if (rx) rx->min = fmin(rx->min, x.min), rx->max = fmax(rx->max, x.max);
      if (ry && inside) ry->min = fmin(ry->min, y.min), ry->max = fmax(ry->max, y.max);
    }
  }
}

static void set_limits(page *g) {
  const hk_plot_figure *f = g->figure;
  for (int i = 0; i < g->n; i++) {
    hk_panel_layout *l = &g->panel[i];
    hk_plot_range rx = nothing, ry = nothing, rr = nothing, rs = nothing;
    add_points(NULL, &ry, false, &f->panel[i]);
    add_points(NULL, &rr, true, &f->panel[i]);
    for (int k = 0; k < g->n; k++)
      if (k == i || (f->share_x && k % g->columns == i % g->columns))
        add_points(&rx, NULL, false, &f->panel[k]);
    hk_plot_scale_limits(&l->x, &f->panel[i].x, rx);
    hk_plot_scale_limits(&l->y, &f->panel[i].y, ry);
    hk_plot_scale_limits(&l->right, &f->panel[i].right, rr);
    l->has_right = by_right(&f->panel[i]);
    for (int k = 0; k < f->panel[i].n_series; k++)
      if (f->panel[i].series[k].shade)
        hk_plot_range_add(&rs, f->panel[i].series[k].shade, f->panel[i].series[k].n, false);
    l->has_shade = by_shade(&f->panel[i]);
    hk_plot_scale_limits(&l->shade, &(hk_plot_axis){.tight = true}, rs);
    l->x_labels = !f->share_x || i + g->columns >= g->n;
    l->id = i;
  }
}

/* Extends one axis until one unit has the same length on both axes. */
static void make_equal(hk_panel_layout *l) {
  double ux = (l->x.max - l->x.min) / l->area.width, uy = (l->y.max - l->y.min) / l->area.height;
  hk_plot_scale *s = ux < uy ? &l->x : &l->y;
  double half = 0.5 * fmax(ux, uy) * (ux < uy ? l->area.width : l->area.height);
  double middle = 0.5 * (s->min + s->max);
  s->min = middle - half, s->max = middle + half;
}

static double default_height(const page *g) {
  if (g->figure->panel_height > 0) return g->figure->panel_height;
  return g->columns > 1 ? 340 : g->rows == 1 ? 340 : g->rows == 2 ? 230 : g->rows == 3 ? 180 : 150;
}

/* Computes the margins left and right of the data, equal for all panels of a column so that their
 * axes align. */
static void column_margins(const page *g, int column, double *left, double *right) {
  *left = *right = 0;
  for (int i = column; i < g->n; i += g->columns) {
    const hk_panel_layout *l = &g->panel[i];
    *left = fmax(*left, hk_plot_scale_label_width(&l->y) + Y_TITLE);
    if (l->has_right) *right = fmax(*right, hk_plot_scale_label_width(&l->right) + Y_TITLE);
    if (l->has_shade) *right = fmax(*right, hk_plot_scale_label_width(&l->shade) + 58);
  }
  *right = fmax(*right, 14);
}

/* Assigns the columns. The y ticks depend on the height only; the x ticks depend on the width that the labels of y
 * leave. */
static void place_columns(page *g, double height) {
  const hk_plot_figure *f = g->figure;
  for (int i = 0; i < g->n; i++) {
    hk_plot_scale_ticks(&g->panel[i].y, &f->panel[i].y, height, 0, false);
    hk_plot_scale_ticks(&g->panel[i].right, &f->panel[i].right, height, 0, false);
    hk_plot_scale_ticks(&g->panel[i].shade, &(hk_plot_axis){0}, height, 0, false);
  }
  double each = (g->width - 2 * MARGIN - (g->columns - 1) * 2 * MARGIN) / g->columns;
  for (int c = 0; c < g->columns; c++) {
    double left, right, x = MARGIN + c * (each + 2 * MARGIN);
    column_margins(g, c, &left, &right);
    for (int i = c; i < g->n; i += g->columns) {
      hk_panel_layout *l = &g->panel[i];
      l->area =
          (hk_plot_area){.x = x + left, .width = fmax(each - left - right, 60), .height = height};
      l->y_title = x + 12;
      l->legend_height = hk_legend_height(&f->panel[i], l->area.width);
      if (f->panel[i].equal && !l->x.log && !l->y.log) make_equal(l);
    }
  }
}

static void place_rows(page *g) {
  const hk_plot_figure *f = g->figure;
  double y = g->head;
  for (int r = 0; r < g->rows; r++) {
    double legend = 0, below = TICK_ROOM - 10, height = 0;
    for (int i = r * g->columns; i < g->n && i < (r + 1) * g->columns; i++) {
      legend = fmax(legend, g->panel[i].legend_height);
      below = fmax(below, g->panel[i].x_labels ? X_LABELS : TICK_ROOM - 10);
      height = g->panel[i].area.height;
    }
    for (int i = r * g->columns; i < g->n && i < (r + 1) * g->columns; i++) {
      hk_panel_layout *l = &g->panel[i];
      l->area.y = y + legend;
      hk_plot_scale_ticks(&l->y, &f->panel[i].y, l->area.y + height, l->area.y, false);
      hk_plot_scale_ticks(&l->right, &f->panel[i].right, l->area.y + height, l->area.y, false);
      hk_plot_scale_ticks(&l->x, &f->panel[i].x, l->area.x, l->area.x + l->area.width, true);
      hk_plot_scale_ticks(&l->shade, &(hk_plot_axis){0}, l->area.y + height, l->area.y, false);
    }
    y += legend + height + below + (g->columns > 1 && r + 1 < g->rows ? MARGIN : 0);
  }
  g->height = y + 6;
}

static void lay_out(page *g) {
  const hk_plot_figure *f = g->figure;
  g->width = f->width > 0 ? fmin(fmax(f->width, 200), 10000)
                          : g->columns * (g->columns > 1 ? NARROW_WIDTH : COLUMN_WIDTH);
  bool title = f->title && f->title[0], subtitle = f->subtitle && f->subtitle[0];
  g->head = MARGIN + (title ? 24 : 0) + (subtitle ? 18 : 0) + (title || subtitle ? 6 : 0);
  set_limits(g);
  double height = fmin(fmax(default_height(g), 60), 10000);
  place_columns(g, height);
  /* computed a second time, because equal scales of both axes may have changed the labels */
  place_columns(g, height);
  place_rows(g);
}

static void draw(FILE *out, const void *context) {
  const page *g = context;
  const hk_plot_figure *f = g->figure;
  hk_svg_open(out, g->width, g->height, f->title);
  double x = g->panel[0].area.x, room = g->width - x - MARGIN, y = MARGIN + 14;
  if (f->title && f->title[0]) {
    hk_svg_text(out, x, y, f->title, room, &(hk_text_style){.size = HK_PLOT_TITLE, .bold = true});
    y += 20;
  }
  if (f->subtitle && f->subtitle[0])
    hk_svg_text(out, x, y, f->subtitle, room, &(hk_text_style){.colour = HK_PLOT_SOFT});
  for (int i = 0; i < g->n; i++) hk_panel_draw(out, &f->panel[i], &g->panel[i]);
  hk_svg_close(out);
}

static hk_status prepare(page *g, const hk_plot_figure *f, hk_error *err) {
  *g = (page){0};
  if (!f) return hk_fail(err, HK_EINPUT, "the figure is NULL");
  *g = (page){.figure = f, .n = f->n_panels, .columns = f->columns > 0 ? f->columns : 1};
  if (g->n < 1 || g->n > MAX_PANELS)
    return hk_fail(err, HK_EINPUT, "a figure has 1 to %d panels, not %d", MAX_PANELS, g->n);
  if (g->columns > g->n) g->columns = g->n;
  g->rows = (g->n + g->columns - 1) / g->columns;
  g->panel = calloc((size_t)g->n, sizeof *g->panel);
  if (!g->panel) return hk_fail(err, HK_ENOMEM, "out of memory");
  lay_out(g);
  return HK_OK;
}

hk_status hk_plot_write(const hk_plot_figure *figure, FILE *out, hk_error *err) {
  page g;
  hk_status status = prepare(&g, figure, err);
  if (!status) status = hk_svg_write(out, draw, &g, err);
  free(g.panel);
  return status;
}

hk_status hk_plot_text(const hk_plot_figure *figure, char **svg, hk_error *err) {
  size_t size = 0;
  if (!svg) return hk_fail(err, HK_EINPUT, "the pointer to the text of the figure is NULL");
  *svg = NULL;
  FILE *out = open_memstream(svg, &size);
  if (!out) return hk_fail(err, HK_ENOMEM, "out of memory");
  hk_status status = hk_plot_write(figure, out, err);
  if (fclose(out) && !status) status = hk_fail(err, HK_ENOMEM, "out of memory");
  if (status) {
    free(*svg);
    *svg = NULL;
  }
  return status;
}

hk_status hk_plot_save(const hk_plot_figure *figure, const char *path, hk_error *err) {
  page g;
  hk_status status = prepare(&g, figure, err);
  if (!status) status = hk_svg_save(path, draw, &g, err);
  free(g.panel);
  return status;
}
