/* Figures as standalone SVG: line charts, scatter plots, Bode pairs, matrix patterns.
 *
 * A figure is a grid of panels; a panel has two axes and series of points.  The defaults are suited for print:
 * colours for all kinds of colour vision [Okabe and Ito 2008], ticks at 1-2-5 steps that never overlap, legends
 * outside of the data, long names shortened in the middle.  NaN and infinite values leave gaps.  The size of a file
 * is bounded for any length of the series: a line keeps the first, last, smallest and largest value of each pixel
 * column, a scatter plot one marker per small cell.
 *
 * No global state; usable from any thread.  Names and titles are UTF-8; invalid bytes are replaced. */
#ifndef HOOKE_PLOT_H
#define HOOKE_PLOT_H
#include <hooke/base.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum hk_plot_line {
  HK_LINE_SOLID,
  HK_LINE_DASHED,
  HK_LINE_DOTTED,
  HK_LINE_NONE
} hk_plot_line;

typedef enum hk_plot_marker {
  HK_MARKER_NONE,
  HK_MARKER_DOT,
  HK_MARKER_CIRCLE, /* open */
  HK_MARKER_CROSS,
  HK_MARKER_SQUARE,
  HK_MARKER_POINT /* small, for many points */
} hk_plot_marker;

enum {
  HK_COLOUR_AUTO = 0, /* the colour is chosen by the position of the series in its panel */
  HK_COLOUR_FIRST = 1 /* ... HK_COLOUR_FIRST + i: colour i of the palette */,
  HK_COLOUR_GREY = -1
};

typedef struct hk_plot_series {
  const char *name; /* text in the legend; NULL: not listed */
  const double *x, *y;
  int64_t n;
  const double *shade; /* [n] colours the markers by the panel's colour bar; NULL: one colour */
  hk_plot_line line;
  hk_plot_marker marker;
  int colour;
  double width; /* line width in pixels; 0: default */
  bool right;   /* uses the axis on the right */
  /* > 0: a map. Each point is a cell of a regular grid of this size over the range of the axes, coloured by its shade */
  int cells_x, cells_y;
  double reserved[4];
} hk_plot_series;

typedef struct hk_plot_axis {
  const char *label; /* NULL: none */
  const char *unit;  /* in brackets after the label; NULL, "" or "1": none */
  bool log;          /* values that are not positive leave gaps */
  double min, max;   /* range of the axis if min < max; otherwise computed from the data */
  double step;       /* > 0: ticks at multiples of this value if they fit (45 for phases) */
  bool tight;        /* no margin around the data */
  double reserved[2];
} hk_plot_axis;

/* A short text next to a point, such as "1x" at the end of a line. */
typedef struct hk_plot_note {
  double x, y;
  const char *text;
} hk_plot_note;

typedef struct hk_plot_panel {
  hk_plot_axis x, y;
  hk_plot_axis right; /* second vertical axis, for series that request it */
  const hk_plot_series *series;
  int n_series;
  const hk_plot_note *note;
  int n_notes;
  bool zero_lines;                      /* stronger lines at x = 0 and y = 0 */
  bool equal;                           /* one unit has the same length on both axes */
  const char *shade_label, *shade_unit; /* label of the colour bar, if a series has shades */
  double reserved[4];
} hk_plot_panel;

typedef struct hk_plot_figure {
  const char *title, *subtitle; /* NULL: none */
  const hk_plot_panel *panel;
  int n_panels;
  int columns;         /* number of columns of the grid; 0: 1. Panels fill the grid row by row */
  bool share_x;        /* all panels of a column share one x axis, labelled below the last */
  double width;        /* width of the figure in pixels; 0: from the number of columns */
  double panel_height; /* height of the plotting area in pixels; 0: from the number of panels */
  double reserved[4];
} hk_plot_figure;

/* Writes the figure to a stream.  HK_EINPUT: nothing to draw; HK_EIO: cannot be written. */
HK_API hk_status hk_plot_write(const hk_plot_figure *figure, FILE *out, hk_error *err);
/* Returns the figure as a text, allocated with malloc. */
HK_API hk_status hk_plot_text(const hk_plot_figure *figure, char **svg, hk_error *err);
/* Writes to a file; "-": standard output.  An existing file is not changed before the figure is complete. */
HK_API hk_status hk_plot_save(const hk_plot_figure *figure, const char *path, hk_error *err);

/* ---- pattern of a matrix ---- */

/* Rows or columns in groups, such as bodies. */
typedef struct hk_plot_group {
  const char *name;
  int count;
} hk_plot_group;

typedef struct hk_plot_side {
  const hk_plot_group *group; /* NULL: no groups */
  int n_groups;               /* the counts of all groups add up to the number of rows or columns */
  const char *const
      *label; /* [rows or columns] name of each coordinate: "x", "turn z"; NULL: none */
} hk_plot_side;

typedef struct hk_plot_matrix {
  const char *title, *subtitle; /* NULL: none */
  const char *unit;             /* unit of the values; NULL if they differ */
  const double *value;          /* [rows][columns], row by row */
  int rows, columns;
  hk_plot_side row, column;
  double zero; /* values up to this are drawn as zero; < 0: 1e-12 of the largest */
} hk_plot_matrix;

/* Draws one square per non-zero value: blue for positive, orange for negative, darker for larger
 * (logarithmic scale); zero rows and columns stay white.  Large matrices are drawn in blocks that
 * show their largest value.  `path`: as in hk_plot_save. */
HK_API hk_status hk_plot_pattern(const hk_plot_matrix *matrix, const char *path, hk_error *err);
HK_API hk_status hk_plot_pattern_write(const hk_plot_matrix *matrix, FILE *out, hk_error *err);

#ifdef __cplusplus
}
#endif
#endif
