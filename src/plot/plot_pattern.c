/* Pattern of a matrix: its non-zero entries with sign and magnitude. */
#include "base/number.h"
#include "plot/plot_svg.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  MARGIN = 16,
  /* maximum number of cells in one direction; larger matrices are drawn in blocks */
  MOST_CELLS = 300,
  MOST_TIPS = 3000, /* maximum number of entries with a tooltip */
  LABEL_FROM = 11,  /* cell size above which coordinates are labelled */
  DECADES = 4       /* number of decades that the shades cover */
};

typedef struct sheet {
  const hk_plot_matrix *m;
  double *cell; /* [rows][columns] largest value of each block */
  int rows, columns, block;
  double size, x, y; /* size of a cell; position of the first cell */
  double largest, zero;
  int64_t n_nonzero, n_bad;
  /* space for labels and groups: left of rows, above columns */
  double label_room[2], group_room[2];
} sheet;

static void colour_of(double v, double largest, char out[8]) {
  static const unsigned char positive[3] = {0, 90, 160}, negative[3] = {213, 94, 0},
                             paper[3] = {255, 255, 255};
  double s = 1 + log10(fabs(v) / largest) / DECADES;
  if (!isfinite(v)) {
    memcpy(out, "#777777", 8);
    return;
  }
  hk_plot_blend(paper, v < 0 ? negative : positive, s > 0 ? 0.22 + 0.78 * s : 0.22, out);
}

static double widest(const char *const *label, int n, double size) {
  double w = 0;
  for (int i = 0; label && i < n; i++)
    if (label[i]) w = fmax(w, hk_text_width(label[i], size));
  return w;
}

static double widest_group(const hk_plot_side *s) {
  double w = 0;
  for (int i = 0; i < s->n_groups; i++)
    if (s->group[i].name) w = fmax(w, hk_text_width(s->group[i].name, HK_PLOT_TEXT));
  return w;
}

static double label_size(const sheet *h) { return fmin(HK_PLOT_TEXT - 1, h->size - 3); }

static void measure(sheet *h) {
  const hk_plot_matrix *m = h->m;
  for (int64_t i = 0; i < (int64_t)m->rows * m->columns; i++) {
    if (isfinite(m->value[i])) h->largest = fmax(h->largest, fabs(m->value[i]));
    h->n_bad += !isfinite(m->value[i]);
  }
  h->zero = m->zero >= 0 ? m->zero : 1e-12 * h->largest;
  for (int64_t i = 0; i < (int64_t)m->rows * m->columns; i++) {
    if (fabs(m->value[i]) <= h->zero) continue;
    h->n_nonzero++;
    double *c = &h->cell[i / m->columns / h->block * h->columns + i % m->columns / h->block];
    if (!(fabs(m->value[i]) <= fabs(*c))) *c = m->value[i];
  }
}

static void lay_out(sheet *h) {
  const hk_plot_matrix *m = h->m;
  int n = h->rows > h->columns ? h->rows : h->columns;
  h->size = fmin(24, fmax(1.5, 600.0 / n));
  const hk_plot_side *side[2] = {&m->row, &m->column};
  const int count[2] = {m->rows, m->columns};
  for (int k = 0; k < 2; k++) {
    if (h->block == 1 && h->size >= LABEL_FROM && side[k]->label)
      h->label_room[k] = fmin(widest(side[k]->label, count[k], label_size(h)) + 8, 140);
    /* Names of bodies are written next to their rows and above their columns. */
    if (side[k]->n_groups)
      h->group_room[k] = k == 0 ? fmin(widest_group(side[k]) + 10, 170) : HK_PLOT_TEXT + 10;
  }
  h->x = MARGIN + h->label_room[0] + h->group_room[0] + 4;
  h->y = MARGIN + (m->title ? 24 : 0) + (m->subtitle ? 18 : 0) + 10 + h->label_room[1] +
         h->group_room[1];
}

/* Draws lines between groups, and finer ones between the triples within a group: positions and
 * rotations. */
static void draw_lines(FILE *out, const sheet *h, const hk_plot_side *s, bool rows) {
  double length = h->size * (rows ? h->columns : h->rows), step = h->size / h->block;
  int at = 0;
  for (int g = 0; g < s->n_groups; at += s->group[g++].count)
    for (int i = 0; i < s->group[g].count; i++) {
      bool start = i == 0, triple = s->group[g].count % 3 == 0 && i % 3 == 0;
      bool room = start ? s->group[g].count * step >= 8 : triple && step >= 3;
      if (at + i == 0 || !room) continue;
      double p = (at + i) * step;
      if (rows)
        hk_svg_segment(out, h->x, h->y + p, h->x + length, h->y + p, start ? "#8a8a8a" : "#cfcfcf",
                       1);
      else
        hk_svg_segment(out, h->x + p, h->y, h->x + p, h->y + length, start ? "#8a8a8a" : "#cfcfcf",
                       1);
    }
}

static void draw_names(FILE *out, const sheet *h) {
  const hk_plot_matrix *m = h->m;
  double size = label_size(h), step = h->size / h->block;
  const hk_text_style soft = {.size = size, .colour = HK_PLOT_SOFT, .anchor = HK_ANCHOR_END};
  for (int i = 0; h->label_room[0] > 0 && i < m->rows; i++)
    if (m->row.label[i])
      hk_svg_text(out, h->x - 6, h->y + (i + 0.5) * h->size + 0.36 * size, m->row.label[i],
                  h->label_room[0] - 8, &soft);
  const hk_text_style up = {.size = size, .colour = HK_PLOT_SOFT, .upright = true};
  for (int i = 0; h->label_room[1] > 0 && i < m->columns; i++)
    if (m->column.label[i])
      hk_svg_text(out, h->x + (i + 0.5) * h->size + 0.36 * size, h->y - 6, m->column.label[i],
                  h->label_room[1] - 8, &up);
  int at = 0;
  double free_from = -1e9;
  for (int g = 0; g < m->row.n_groups; at += m->row.group[g++].count) {
    double y = h->y + (at + 0.5 * m->row.group[g].count) * step;
    if (!m->row.group[g].name || y - free_from < HK_PLOT_TEXT + 2) continue;
    free_from = y;
    hk_svg_text(out, h->x - h->label_room[0] - 8, y + 4, m->row.group[g].name, h->group_room[0] - 8,
                &(hk_text_style){.anchor = HK_ANCHOR_END});
  }
  at = 0;
  for (int g = 0; g < m->column.n_groups; at += m->column.group[g++].count) {
    double room = m->column.group[g].count * step - 4;
    if (!m->column.group[g].name || room < 22) continue;
    hk_svg_text(out, h->x + (at + 0.5 * m->column.group[g].count) * step,
                h->y - h->label_room[1] - 8, m->column.group[g].name, room,
                &(hk_text_style){.anchor = HK_ANCHOR_MIDDLE});
  }
}

/* Writes the name of row or column i, such as "upper turn x". */
static void place_text(const hk_plot_side *s, int i, char *buf, size_t size) {
  int at = 0;
  buf[0] = '\0';
  for (int g = 0; g < s->n_groups; at += s->group[g++].count)
    if (i >= at && i < at + s->group[g].count && s->group[g].name)
      hk_text_add(buf, size, "%s ", s->group[g].name);
  if (s->label && s->label[i])
    hk_text_add(buf, size, "%s", s->label[i]);
  else
    hk_text_add(buf, size, "%d", i + 1);
}

static void draw_cells(FILE *out, const sheet *h) {
  const hk_plot_matrix *m = h->m;
  bool tips = h->block == 1 && h->n_nonzero <= MOST_TIPS;
  double gap = h->size >= 8 ? 1 : h->size >= 4 ? 0.5 : 0;
  for (int i = 0; i < h->rows; i++)
    for (int k = 0; k < h->columns; k++) {
      double v = h->cell[(int64_t)i * h->columns + k];
      char colour[8], row[160], column[160];
      if (v == 0) continue;
      colour_of(v, h->largest, colour);
      if (tips) {
        place_text(&m->row, i, row, sizeof row);
        place_text(&m->column, k, column, sizeof column);
        fputs("<g><title>", out);
        hk_svg_escape(out, row);
        fputs(", ", out);
        hk_svg_escape(out, column);
        fprintf(out, ": %.6g</title>", v);
      }
      hk_svg_rect(out, h->x + k * h->size + gap, h->y + i * h->size + gap, h->size - 2 * gap,
                  h->size - 2 * gap, colour);
      if (tips) fputs("</g>\n", out);
    }
}

/* Draws the legend: squares of each sign and decade with their values. */
static void draw_key(FILE *out, const sheet *h, double y) {
  const hk_text_style soft = {.colour = HK_PLOT_SOFT};
  double x = h->x;
  char text[160], colour[8];
  for (int k = 0; h->largest > 0 && k < DECADES; k++) {
    double v = h->largest * pow(10, -k);
    for (int sign = 1; sign >= -1; sign -= 2) {
      colour_of(sign * v, h->largest, colour);
      hk_svg_rect(out, x + (sign > 0 ? 0 : 13), y - 10, 12, 12, colour);
    }
    hk_number_print(text, sizeof text, "\xC2\xB1%.3g%s%s", v, k == 0 && h->m->unit ? " " : "",
                    k == 0 && h->m->unit ? h->m->unit : "");
    hk_svg_text(out, x + 31, y, text, 0, &soft);
    x += 31 + hk_text_width(text, HK_PLOT_TEXT) + 14;
  }
  snprintf(text, sizeof text, "%d \xC3\x97 %d, %lld not zero", h->m->rows, h->m->columns,
           (long long)h->n_nonzero);
  if (h->n_bad) hk_text_add(text, sizeof text, ", %lld not a number (grey)", (long long)h->n_bad);
  if (h->block > 1)
    hk_text_add(text, sizeof text, "; a square is %d \xC3\x97 %d", h->block, h->block);
  hk_svg_text(out, h->x, y + 20, text, 0, &soft);
}

static void draw(FILE *out, const void *context) {
  const sheet *h = context;
  const hk_plot_matrix *m = h->m;
  double width = h->size * h->columns, height = h->size * h->rows;
  hk_svg_open(out, fmax(h->x + width + MARGIN, h->x + 380), h->y + height + 62, m->title);
  double y = MARGIN + 14, x = MARGIN;
  if (m->title) {
    hk_svg_text(out, x, y, m->title, 0, &(hk_text_style){.size = HK_PLOT_TITLE, .bold = true});
    y += 20;
  }
  if (m->subtitle) hk_svg_text(out, x, y, m->subtitle, 0, &(hk_text_style){.colour = HK_PLOT_SOFT});
  draw_names(out, h);
  if (h->size >= 8) {
    fputs("<g shape-rendering=\"crispEdges\">\n", out);
    for (int i = 1; i < h->rows; i++)
      hk_svg_segment(out, h->x, h->y + i * h->size, h->x + width, h->y + i * h->size, "#f0f0f0", 1);
    for (int i = 1; i < h->columns; i++)
      hk_svg_segment(out, h->x + i * h->size, h->y, h->x + i * h->size, h->y + height, "#f0f0f0",
                     1);
    fputs("</g>\n", out);
  }
  fputs("<g shape-rendering=\"crispEdges\">\n", out);
  draw_lines(out, h, &m->row, true);
  draw_lines(out, h, &m->column, false);
  fputs("<path fill=\"none\" stroke=\"" HK_PLOT_INK "\" d=\"M", out);
  const double corner[8] = {h->x,         h->y,          h->x + width, h->y,
                            h->x + width, h->y + height, h->x,         h->y + height};
  for (int i = 0; i < 8; i++) {
    if (i) fputc(' ', out);
    hk_svg_px(out, corner[i]);
  }
  fputs("Z\"/>\n</g>\n", out);
  draw_cells(out, h);
  draw_key(out, h, h->y + height + 26);
  hk_svg_close(out);
}

static bool groups_fit(const hk_plot_side *s, int n) {
  int64_t sum = 0;
  for (int g = 0; g < s->n_groups; g++) {
    if (s->group[g].count < 0) return false;
    sum += s->group[g].count;
  }
  return s->n_groups == 0 || sum == n;
}

static hk_status prepare(sheet *h, const hk_plot_matrix *m, hk_error *err) {
  *h = (sheet){0};
  if (!m || !m->value) return hk_fail(err, HK_EINPUT, "the matrix is NULL");
  *h = (sheet){.m = m};
  if (m->rows < 1 || m->columns < 1)
    return hk_fail(err, HK_EINPUT, "a matrix of %d x %d cannot be drawn", m->rows, m->columns);
  if (!groups_fit(&m->row, m->rows) || !groups_fit(&m->column, m->columns))
    return hk_fail(err, HK_EINPUT, "the groups do not cover the rows and columns of the matrix");
  int n = m->rows > m->columns ? m->rows : m->columns;
  h->block = (n + MOST_CELLS - 1) / MOST_CELLS;
  h->rows = (m->rows + h->block - 1) / h->block;
  h->columns = (m->columns + h->block - 1) / h->block;
  h->cell = calloc((size_t)h->rows * (size_t)h->columns, sizeof *h->cell);
  if (!h->cell) return hk_fail(err, HK_ENOMEM, "out of memory");
  measure(h);
  lay_out(h);
  return HK_OK;
}

hk_status hk_plot_pattern_write(const hk_plot_matrix *matrix, FILE *out, hk_error *err) {
  sheet h;
  hk_status status = prepare(&h, matrix, err);
  if (!status) status = hk_svg_write(out, draw, &h, err);
  free(h.cell);
  return status;
}

hk_status hk_plot_pattern(const hk_plot_matrix *matrix, const char *path, hk_error *err) {
  sheet h;
  hk_status status = prepare(&h, matrix, err);
  if (!status) status = hk_svg_save(path, draw, &h, err);
  free(h.cell);
  return status;
}
