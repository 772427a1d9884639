/* Maps: cells of a regular grid coloured by a value. */
#include "io/plot_svg.h"
#include <math.h>

/* Cells are drawn half a pixel larger than they are, so that no white line shows between them. */
void hk_series_cells(FILE *out, const hk_plot_series *s, const hk_plot_scale *x,
                     const hk_plot_scale *y, const hk_plot_scale *shade, const hk_plot_area *area) {
  double w = area->width / s->cells_x, h = area->height / s->cells_y;
  fputs("<g shape-rendering=\"crispEdges\">\n", out);
  for (int64_t i = 0; i < s->n; i++) {
    if (!s->shade || !isfinite(s->shade[i]) || !shade) continue;
    double px = hk_plot_scale_px(x, s->x[i]), py = hk_plot_scale_px(y, s->y[i]);
    if (!isfinite(px) || !isfinite(py)) continue;
    char colour[8];
    hk_plot_shade((s->shade[i] - shade->min) / (shade->max - shade->min), colour);
    hk_svg_rect(out, px - w / 2, py - h / 2, w + 0.5, h + 0.5, colour);
  }
  fputs("</g>\n", out);
}
