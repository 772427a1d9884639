/* Private parts of figures: SVG primitives, scales with ticks, series.  Lengths are in pixels, y points downwards.
 * Write errors are kept in the FILE and checked once at the end. */
#ifndef HK_PLOT_PLOT_SVG_H
#define HK_PLOT_PLOT_SVG_H
#include <hooke/plot.h>

#define HK_PLOT_INK "#222222"  /* text and axes */
#define HK_PLOT_SOFT "#666666" /* secondary text */
#define HK_PLOT_GRID "#e4e4e4"
#define HK_PLOT_LINE "#b0b0b0" /* zero lines, separators */
#define HK_PLOT_FONT "Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif"

enum { HK_PLOT_TEXT = 12, HK_PLOT_TITLE = 16 }; /* font sizes */

/* ---- primitives (plot_svg.c) ---- */

void hk_svg_open(FILE *out, double width, double height, const char *title);
void hk_svg_close(FILE *out);
/* Writes a length with two decimals and a decimal point in every locale, limited to +-30000. */
void hk_svg_px(FILE *out, double px);
/* ` key="px"` */
void hk_svg_attribute(FILE *out, const char *key, double px);
void hk_svg_segment(FILE *out, double x0, double y0, double x1, double y1, const char *colour,
                    double width);
void hk_svg_rect(FILE *out, double x, double y, double width, double height, const char *colour);
/* Writes a text with escaped characters; control characters and invalid UTF-8 are replaced. */
void hk_svg_escape(FILE *out, const char *text);

typedef enum hk_anchor { HK_ANCHOR_START, HK_ANCHOR_MIDDLE, HK_ANCHOR_END } hk_anchor;
typedef struct hk_text_style {
  hk_anchor anchor;
  double size;        /* 0: HK_PLOT_TEXT */
  const char *colour; /* NULL: HK_PLOT_INK */
  bool bold, upright; /* vertical: rotated by 90 degrees, reading upwards */
  bool halo;          /* draw text with a white outline, for text over data */
} hk_text_style;
/* Writes a text; if it is wider than `room` (0: any width), it is shortened in the middle.
 * `^{...}` is raised. */
void hk_svg_text(FILE *out, double x, double y, const char *text, double room,
                 const hk_text_style *style);
/* Estimated width of a text; slightly too large for most fonts. */
double hk_text_width(const char *text, double size);

/* Appends a formatted text; truncated if the buffer is full. */
void hk_text_add(char *buf, size_t size, const char *fmt, ...) HK_PRINTF(3, 4);

/* Colour i of the palette, any i >= 0, as "#rrggbb". */
const char *hk_plot_colour(int i);
/* A colour scale from dark to light; 0 <= s <= 1. */
void hk_plot_shade(double s, char out[8]);
/* Writes the colour a (1 - s) + b s. */
void hk_plot_blend(const unsigned char a[3], const unsigned char b[3], double s, char out[8]);

/* Runs draw(context, stream) into memory, in the C locale, then writes the bytes to `path`. */
hk_status hk_svg_save(const char *path, void (*draw)(FILE *out, const void *context),
                      const void *context, hk_error *err);
hk_status hk_svg_write(FILE *out, void (*draw)(FILE *out, const void *context), const void *context,
                       hk_error *err);

/* ---- scales (plot_axis.c) ---- */

enum { HK_MAX_TICKS = 64, HK_MAX_MINOR = 400 };
typedef struct hk_plot_tick {
  double value;
  char text[32]; /* label; "": none */
} hk_plot_tick;

typedef struct hk_plot_scale {
  double min, max; /* finite, min < max; log: > 0 */
  bool log;
  double p0, p1; /* pixels of min and max */
  hk_plot_tick tick[HK_MAX_TICKS];
  int n_ticks;
  double minor[HK_MAX_MINOR];
  int n_minor;
  double offset; /* labels show (value - offset) / 10^exponent */
  int exponent;
} hk_plot_scale;

typedef struct hk_plot_range {
  double min, max; /* min > max: no value yet */
} hk_plot_range;
/* Extends the range to contain the values; ignores those that are not finite and, on a logarithmic axis, not positive. */
void hk_plot_range_add(hk_plot_range *r, const double *value, int64_t n, bool log);
/* Sets the limits of a scale: those given for the axis, otherwise the range with a margin. */
void hk_plot_scale_limits(hk_plot_scale *s, const hk_plot_axis *axis, hk_plot_range range);
/* Chooses ticks for labels along (x) or across (y) an axis from p0 to p1.  Limits must be set. */
void hk_plot_scale_ticks(hk_plot_scale *s, const hk_plot_axis *axis, double p0, double p1,
                         bool along);
double hk_plot_scale_px(const hk_plot_scale *s, double value);
/* Widest tick label. */
double hk_plot_scale_label_width(const hk_plot_scale *s);
/* "label [10^{-3} m]" */
void hk_plot_scale_title(const hk_plot_scale *s, const char *label, const char *unit, char *buf,
                         size_t size);

/* ---- series (plot_series.c) ---- */

typedef struct hk_plot_area {
  double x, y, width, height;
} hk_plot_area;
/* Colour and dash of a series without shades; i is its index in the panel. */
const char *hk_series_colour(const hk_plot_series *s, int i);
const char *hk_series_dash(const hk_plot_series *s, int i); /* NULL: solid */
void hk_series_draw(FILE *out, const hk_plot_series *s, int i, const hk_plot_scale *x,
                    const hk_plot_scale *y, const hk_plot_scale *shade, const hk_plot_area *area);
/* A series with cells (plot_cells.c). */
void hk_series_cells(FILE *out, const hk_plot_series *s, const hk_plot_scale *x,
                     const hk_plot_scale *y, const hk_plot_scale *shade, const hk_plot_area *area);
/* One marker of the series' kind, for legends. */
void hk_series_marker(FILE *out, const hk_plot_series *s, double x, double y, const char *colour);

/* ---- panels (plot_panel.c) ---- */

typedef struct hk_panel_layout {
  hk_plot_scale x, y, right, shade;
  bool has_right, has_shade, x_labels; /* x axis with labels */
  hk_plot_area area;                   /* of the data */
  double legend_height, y_title;       /* y_title: horizontal position of the title of the y axis */
  int id;                              /* number of the panel, for its clip path */
} hk_panel_layout;
double hk_legend_height(const hk_plot_panel *p, double width);
void hk_panel_draw(FILE *out, const hk_plot_panel *p, const hk_panel_layout *l);
#endif
