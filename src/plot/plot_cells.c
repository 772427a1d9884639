/* Maps: cells of a regular grid coloured by a value. */
#include "plot/plot_svg.h"
#include <math.h>
#include <string.h>

/* Consecutive cells of one column with the same colour. */
typedef struct run {
  double x, top, bottom;
  char colour[8];
} run;

/* Cells are drawn half a pixel larger than their size, so that no white line shows between them. */
static void draw_run(FILE *out, const run *r, double w, double h) {
  if (r->colour[0])
    hk_svg_rect(out, r->x - w / 2, r->top - h / 2, w + 0.5, r->bottom - r->top + h + 0.5,
                r->colour);
}

/* Neighbours of equal colour in a column become one rectangle, which keeps the file of a large map small. */
void hk_series_cells(FILE *out, const hk_plot_series *s, const hk_plot_scale *x,
                     const hk_plot_scale *y, const hk_plot_scale *shade, const hk_plot_area *area) {
  double w = area->width / s->cells_x, h = area->height / s->cells_y;
  run now = {.colour = ""};
  fputs("<g shape-rendering=\"crispEdges\">\n", out);
  for (int64_t i = 0; i < s->n; i++) {
    if (!s->shade || !isfinite(s->shade[i]) || !shade) continue;
    double px = hk_plot_scale_px(x, s->x[i]), py = hk_plot_scale_px(y, s->y[i]);
    if (!isfinite(px) || !isfinite(py)) continue;
    run next = {.x = px, .top = py, .bottom = py};
    hk_plot_shade((s->shade[i] - shade->min) / (shade->max - shade->min), next.colour);
    bool on = fabs(px - now.x) < 1e-6 && strcmp(now.colour, next.colour) == 0;
    if (on && fabs(py - (now.top - h)) < 0.01 * h)
      now.top = py;
    else if (on && fabs(py - (now.bottom + h)) < 0.01 * h)
      now.bottom = py;
    else {
      draw_run(out, &now, w, h);
      now = next;
    }
  }
  draw_run(out, &now, w, h);
  fputs("</g>\n", out);
}
