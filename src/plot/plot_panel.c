/* One panel: grid, axes, series, notes, legend and colour bar. */
#include "plot/plot_svg.h"
#include <math.h>
#include <string.h>

enum {
  LEGEND_LINE = 18,   /* height of a row */
  LEGEND_SAMPLE = 24, /* length of the line before the name */
  LEGEND_NAME = 300,  /* maximum width of a name in pixels */
  LEGEND_MOST = 24,   /* entries */
  LEGEND_PAD = 8
};

static bool in_legend(const hk_plot_series *s) { return s->name && s->name[0]; }

static int legend_entries(const hk_plot_panel *p) {
  int n = 0;
  for (int i = 0; i < p->n_series; i++) n += in_legend(&p->series[i]);
  return n;
}

/* Iterates over the entries row by row; draws if out is not NULL.  Returns the number of rows. */
static int legend_walk(FILE *out, const hk_plot_panel *p, double x0, double y0, double width) {
  double x = 0;
  int row = 0, shown = 0, all = legend_entries(p);
  for (int i = 0; i < p->n_series; i++) {
    const hk_plot_series *s = &p->series[i];
    if (!in_legend(s)) continue;
    char more[64];
    const char *name = s->name;
    bool last = shown == LEGEND_MOST - 1 && all > LEGEND_MOST;
    if (last) {
      snprintf(more, sizeof more, "\xE2\x80\xA6 and %d more", all - shown);
      name = more;
    }
    double room = fmin(LEGEND_NAME, width - LEGEND_SAMPLE - 6);
    double w = LEGEND_SAMPLE + 6 + fmin(hk_text_width(name, HK_PLOT_TEXT), room);
    if (x > 0 && x + w > width) x = 0, row++;
    if (out) {
      double y = y0 + row * LEGEND_LINE + LEGEND_LINE / 2.0, at = x0 + x;
      const char *dash = hk_series_dash(s, i);
      if (!last && s->line != HK_LINE_NONE) {
        fprintf(out, "<g stroke-dasharray=\"%s\">", dash ? dash : "none");
        hk_svg_segment(out, at, y, at + LEGEND_SAMPLE, y, hk_series_colour(s, i),
                       s->width > 0 ? s->width : 2);
        fputs("</g>\n", out);
      }
      if (!last) hk_series_marker(out, s, at + LEGEND_SAMPLE / 2.0, y, hk_series_colour(s, i));
      hk_svg_text(out, at + LEGEND_SAMPLE + 6, y + 4, name, room, &(hk_text_style){0});
    }
    x += w + 18;
    if (++shown == LEGEND_MOST && all > LEGEND_MOST) break;
  }
  return shown ? row + 1 : 0;
}

double hk_legend_height(const hk_plot_panel *p, double width) {
  int rows = legend_walk(NULL, p, 0, 0, width);
  return rows ? rows * LEGEND_LINE + LEGEND_PAD : 0;
}

static void draw_grid(FILE *out, const hk_plot_panel *p, const hk_panel_layout *l) {
  const hk_plot_area *a = &l->area;
  double right = a->x + a->width, bottom = a->y + a->height;
  fputs("<g shape-rendering=\"crispEdges\">\n", out);
  for (int i = 0; i < l->x.n_ticks; i++) {
    double x = hk_plot_scale_px(&l->x, l->x.tick[i].value);
    hk_svg_segment(out, x, a->y, x, bottom, HK_PLOT_GRID, 1);
  }
  for (int i = 0; i < l->y.n_ticks; i++) {
    double y = hk_plot_scale_px(&l->y, l->y.tick[i].value);
    hk_svg_segment(out, a->x, y, right, y, HK_PLOT_GRID, 1);
  }
  if (p->zero_lines) {
    double x = l->x.log ? NAN : hk_plot_scale_px(&l->x, 0),
           y = l->y.log ? NAN : hk_plot_scale_px(&l->y, 0);
    if (x >= a->x && x <= right) hk_svg_segment(out, x, a->y, x, bottom, HK_PLOT_LINE, 1);
    if (y >= a->y && y <= bottom) hk_svg_segment(out, a->x, y, right, y, HK_PLOT_LINE, 1);
  }
  fputs("</g>\n", out);
}

static void draw_axes(FILE *out, const hk_plot_panel *p, const hk_panel_layout *l) {
  const hk_plot_area *a = &l->area;
  double bottom = a->y + a->height;
  char title[512];
  fputs("<g shape-rendering=\"crispEdges\">\n", out);
  hk_svg_segment(out, a->x, a->y, a->x, bottom, HK_PLOT_INK, 1);
  hk_svg_segment(out, a->x, bottom, a->x + a->width, bottom, HK_PLOT_INK, 1);
  for (int i = 0; i < l->x.n_minor; i++) {
    double x = hk_plot_scale_px(&l->x, l->x.minor[i]);
    hk_svg_segment(out, x, bottom, x, bottom + 3, HK_PLOT_INK, 1);
  }
  for (int i = 0; i < l->y.n_minor; i++) {
    double y = hk_plot_scale_px(&l->y, l->y.minor[i]);
    hk_svg_segment(out, a->x - 3, y, a->x, y, HK_PLOT_INK, 1);
  }
  for (int i = 0; i < l->x.n_ticks; i++) {
    double x = hk_plot_scale_px(&l->x, l->x.tick[i].value);
    hk_svg_segment(out, x, bottom, x, bottom + 5, HK_PLOT_INK, 1);
  }
  for (int i = 0; i < l->y.n_ticks; i++) {
    double y = hk_plot_scale_px(&l->y, l->y.tick[i].value);
    hk_svg_segment(out, a->x - 5, y, a->x, y, HK_PLOT_INK, 1);
  }
  fputs("</g>\n", out);
  for (int i = 0; i < l->y.n_ticks; i++)
    hk_svg_text(out, a->x - 9, hk_plot_scale_px(&l->y, l->y.tick[i].value) + 4, l->y.tick[i].text,
                0, &(hk_text_style){.anchor = HK_ANCHOR_END});
  hk_plot_scale_title(&l->y, p->y.label, p->y.unit, title, sizeof title);
  if (title[0])
    hk_svg_text(out, l->y_title, a->y + a->height / 2, title, a->height + 20,
                &(hk_text_style){.anchor = HK_ANCHOR_MIDDLE, .upright = true});
  if (!l->x_labels) return;
  for (int i = 0; i < l->x.n_ticks; i++)
    hk_svg_text(out, hk_plot_scale_px(&l->x, l->x.tick[i].value), bottom + 19, l->x.tick[i].text, 0,
                &(hk_text_style){.anchor = HK_ANCHOR_MIDDLE});
  hk_plot_scale_title(&l->x, p->x.label, p->x.unit, title, sizeof title);
  if (title[0])
    hk_svg_text(out, a->x + a->width / 2, bottom + 38, title, a->width,
                &(hk_text_style){.anchor = HK_ANCHOR_MIDDLE});
}

/* The second vertical axis, on the right. */
static void draw_right(FILE *out, const hk_plot_panel *p, const hk_panel_layout *l) {
  const hk_plot_area *a = &l->area;
  double x = a->x + a->width;
  char title[512];
  fputs("<g shape-rendering=\"crispEdges\">\n", out);
  hk_svg_segment(out, x, a->y, x, a->y + a->height, HK_PLOT_INK, 1);
  for (int i = 0; i < l->right.n_minor; i++) {
    double y = hk_plot_scale_px(&l->right, l->right.minor[i]);
    hk_svg_segment(out, x, y, x + 3, y, HK_PLOT_INK, 1);
  }
  for (int i = 0; i < l->right.n_ticks; i++) {
    double y = hk_plot_scale_px(&l->right, l->right.tick[i].value);
    hk_svg_segment(out, x, y, x + 5, y, HK_PLOT_INK, 1);
  }
  fputs("</g>\n", out);
  for (int i = 0; i < l->right.n_ticks; i++)
    hk_svg_text(out, x + 9, hk_plot_scale_px(&l->right, l->right.tick[i].value) + 4,
                l->right.tick[i].text, 0, &(hk_text_style){0});
  hk_plot_scale_title(&l->right, p->right.label, p->right.unit, title, sizeof title);
  if (title[0])
    hk_svg_text(out, x + hk_plot_scale_label_width(&l->right) + 26, a->y + a->height / 2, title,
                a->height + 20, &(hk_text_style){.anchor = HK_ANCHOR_MIDDLE, .upright = true});
}

static void draw_notes(FILE *out, const hk_plot_panel *p, const hk_panel_layout *l) {
  const hk_plot_area *a = &l->area;
  for (int i = 0; i < p->n_notes; i++) {
    double x = hk_plot_scale_px(&l->x, p->note[i].x), y = hk_plot_scale_px(&l->y, p->note[i].y);
    if (!(x >= a->x - 1 && x <= a->x + a->width + 1 && y >= a->y - 1 && y <= a->y + a->height + 1))
      continue;
    double w = hk_text_width(p->note[i].text, HK_PLOT_TEXT);
    bool left = x + 6 + w > a->x + a->width;
    hk_svg_text(out, left ? x - 6 : x + 6, fmax(y - 6, a->y + HK_PLOT_TEXT), p->note[i].text, 200,
                &(hk_text_style){.anchor = left ? HK_ANCHOR_END : HK_ANCHOR_START,
                                 .colour = HK_PLOT_SOFT,
                                 .halo = true});
  }
}

static void draw_colour_bar(FILE *out, const hk_plot_panel *p, const hk_panel_layout *l) {
  enum { STEPS = 16, BAR = 12 };
  const hk_plot_area *a = &l->area;
  double x = a->x + a->width + 18;
  char title[512], colour[8];
  fprintf(out, "<linearGradient id=\"bar%d\" x1=\"0\" y1=\"1\" x2=\"0\" y2=\"0\">\n", l->id);
  for (int i = 0; i <= STEPS; i++) {
    hk_plot_shade((double)i / STEPS, colour);
    fprintf(out, "<stop offset=\"%d.%02d%%\" stop-color=\"%s\"/>\n", i * 10000 / STEPS / 100,
            i * 10000 / STEPS % 100, colour);
  }
  fputs("</linearGradient>\n", out);
  char fill[32];
  snprintf(fill, sizeof fill, "url(#bar%d)", l->id);
  hk_svg_rect(out, x, a->y, BAR, a->height, fill);
  for (int i = 0; i < l->shade.n_ticks; i++) {
    double y = hk_plot_scale_px(&l->shade, l->shade.tick[i].value);
    hk_svg_segment(out, x + BAR, y, x + BAR + 4, y, HK_PLOT_INK, 1);
    hk_svg_text(out, x + BAR + 7, y + 4, l->shade.tick[i].text, 0, &(hk_text_style){0});
  }
  hk_plot_scale_title(&l->shade, p->shade_label, p->shade_unit, title, sizeof title);
  hk_svg_text(out, x + BAR + 22 + hk_plot_scale_label_width(&l->shade), a->y + a->height / 2, title,
              a->height, &(hk_text_style){.anchor = HK_ANCHOR_MIDDLE, .upright = true});
}

void hk_panel_draw(FILE *out, const hk_plot_panel *p, const hk_panel_layout *l) {
  const hk_plot_area *a = &l->area;
  draw_grid(out, p, l);
  fprintf(out, "<clipPath id=\"clip%d\">", l->id);
  /* The clip area is larger by half a line width, so that a curve at the edge keeps its full
   * width. */
  hk_svg_rect(out, a->x - 1, a->y - 2, a->width + 3, a->height + 3, "#000000");
  fprintf(out, "</clipPath>\n<g clip-path=\"url(#clip%d)\">\n", l->id);
  for (int i = 0; i < p->n_series; i++)
    hk_series_draw(out, &p->series[i], i, &l->x, p->series[i].right ? &l->right : &l->y,
                   l->has_shade ? &l->shade : NULL, a);
  fputs("</g>\n", out);
  draw_axes(out, p, l);
  if (l->has_right) draw_right(out, p, l);
  draw_notes(out, p, l);
  legend_walk(out, p, a->x, a->y - l->legend_height, a->width);
  if (l->has_shade) draw_colour_bar(out, p, l);
}
