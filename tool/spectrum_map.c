/* Maps and tracks of `hooke spectrum`: the change of spectra during a run. */
#include "figure.h"
#include "base/file.h"
#include "json.h"
#include "linear.h"
#include "results/csv.h"
#include "spectrum.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ROWS = 240, CELLS_X = 120, CELLS_Y = 150 };
static const double FLOOR_DB = -80;

/* ---- output of maps and tracks ---- */

typedef struct sink {
  const char *key, *path; /* name of the list in JSON, and title of the table */
  bool as_json, figure, opened;
  tool_json json;
  hk_new_file output;
  FILE *table; /* format of the output; NULL: none */
} sink;

static hk_status sink_open(const tool_spectrum *s, const char *key, const char *one, sink *o,
                           hk_error *err) {
  *o = (sink){.key = key,
              .path = tool_value(s->args, "csv"),
              .as_json = tool_flag(s->args, "json"),
              .figure = tool_value(s->args, "output") || tool_flag(s->args, "terminal"),
              .json = {.out = stdout}};
  if (o->figure && s->curves.n > 1)
    return hk_fail(err, HK_EINPUT, "%s, but %d are given", one, s->curves.n);
  hk_status status = o->path ? hk_new_file_open(&o->output, o->path, err) : HK_OK;
  o->table = o->output.file;
  return status;
}

/* JSON starts with the first result: after an error, standard output is empty. */
static bool sink_is_json(sink *o) {
  if (o->as_json && !o->opened) {
    tool_json_open(&o->json, NULL, '{');
    tool_json_open(&o->json, o->key, '[');
    o->opened = true;
  }
  return o->as_json;
}

static hk_status sink_close(sink *o, hk_status status, hk_error *err) {
  if (o->opened) {
    tool_json_close(&o->json, ']');
    tool_json_close(&o->json, '}');
    putchar('\n');
  }
  return hk_new_file_close(&o->output, status, err);
}

/* ---- maps ---- */

/* Returns the value of the column `b` at a given value of the column `a`; `a` increases, and `b` is linear between
 * rows. */
static double look_up(const double *a, const double *b, int64_t n, double at) {
  double sign = a[n - 1] < a[0] ? -1 : 1;
  int64_t low = 0, high = n - 1;
  while (high - low > 1) {
    int64_t middle = (low + high) / 2;
    *(sign * a[middle] > sign * at ? &high : &low) = middle;
  }
  double part = a[high] != a[low] ? (at - a[low]) / (a[high] - a[low]) : 0;
  return b[low] + fmin(1, fmax(0, part)) * (b[high] - b[low]);
}

/* Computes time and speed [rad/s] of the segment around x. */
static void when(const tool_spectrum *s, int64_t n, double x, double length, double *time,
                 double *speed) {
  const double *t = s->curves.curve[0].x;
  *time = x, *speed = NAN;
  if (!s->turns) return;
  double sign =
      s->turns[n - 1] < s->turns[0] ? -1 : 1; /* a decreasing angle is counted backwards */
  if (s->orders) {
    double from = look_up(s->turns, t, n, sign * (x - length / 2)),
           to = look_up(s->turns, t, n, sign * (x + length / 2));
    *time = look_up(s->turns, t, n, sign * x);
    *speed = to > from ? 2 * M_PI * length / (to - from) : NAN;
  } else {
    double from = look_up(t, s->turns, n, x - length / 2),
           to = look_up(t, s->turns, n, x + length / 2);
    *speed = 2 * M_PI * fabs(to - from) / length;
  }
}

static bool changes(const double *speed, int64_t n) {
  double low = INFINITY, high = 0;
  for (int64_t i = 0; i < n; i++) low = fmin(low, speed[i]), high = fmax(high, speed[i]);
  return high > 1.05 * low;
}

/* ---- map ---- */

typedef struct map {
  hk_spectrogram g;
  double *time, *speed; /* [rows] */
  const char *name, *unit;
} map;

static void map_free(map *m) {
  hk_spectrogram_free(&m->g);
  free(m->time);
  free(m->speed);
}

static hk_status map_make(const tool_spectrum *s, int k, map *m, hk_error *err) {
  hk_even e;
  *m = (map){.name = s->curves.curve[k].name, .unit = s->curves.curve[k].unit};
  hk_status status = tool_spectrum_even(s, k, &e, err);
  if (status) return status;
  double highest = s->highest > 0 ? s->highest : 0.5 / e.step;
  if (s->orders && !(s->highest > 0)) { /* range with data */
    hk_line line[10];
    int n = hk_lines_find(&e, 0, highest, 10, line);
    double last = 0;
    for (int i = 0; i < n; i++)
      if (line[i].amplitude > 1e-3 * line[0].amplitude) last = fmax(last, line[i].frequency);
    if (n > 0) highest = fmin(highest, fmax(4, 1.5 * last));
  }
  status = hk_spectrogram_make(&e, tool_spectrum_piece(s, &e, 25), highest, MOST_ROWS, &m->g, err);
  hk_even_free(&e);
  if (status) return status;
  m->time = malloc(sizeof *m->time * (size_t)m->g.rows);
  m->speed = malloc(sizeof *m->speed * (size_t)m->g.rows);
  if (!m->time || !m->speed) status = hk_fail(err, HK_ENOMEM, "out of memory");
  for (int64_t r = 0; r < m->g.rows && !status; r++)
    when(s, s->curves.curve[k].n, m->g.x[r], m->g.length, &m->time[r], &m->speed[r]);
  return status;
}

static void map_json(const tool_spectrum *s, const map *m, tool_json *j) {
  tool_json_open(j, NULL, '{');
  tool_json_text(j, "channel", m->name);
  tool_json_text(j, "unit", m->unit);
  if (s->angle) tool_json_text(j, "over", s->angle);
  tool_json_real(j, "window", m->g.length);
  hk_json_reals(j, "time", m->time, (int)m->g.rows);
  if (s->angle) hk_json_reals(j, "speed", m->speed, (int)m->g.rows);
  hk_json_reals(j, s->x_name, m->g.frequency, (int)m->g.bins);
  tool_json_open(j, "amplitude", '[');
  for (int64_t r = 0; r < m->g.rows; r++)
    hk_json_reals(j, NULL, m->g.amplitude + r * m->g.bins, (int)m->g.bins);
  tool_json_close(j, ']');
  tool_json_close(j, '}');
}

static void map_print(const tool_spectrum *s, const map *m) {
  const hk_spectrogram *g = &m->g;
  int64_t top = 0;
  for (int64_t i = 0; i < g->rows * g->bins; i++)
    if (i % g->bins && g->amplitude[i] > g->amplitude[top]) top = i;
  printf("%s [%s]: %lld pieces of %g %s", m->name, m->unit, (long long)g->rows, g->length,
         s->orders ? "turns" : "s");
  printf(", largest %.6g at %s %.6g%s%s, t = %.6g s", g->amplitude[top], s->x_name,
         g->frequency[top % g->bins], s->orders ? "" : " ", s->x_unit, m->time[top / g->bins]);
  if (s->angle) printf(", %.6g rpm", m->speed[top / g->bins] * 30 / M_PI);
  putchar('\n');
}

static hk_status map_csv(const tool_spectrum *s, const map *m, FILE *out) {
  for (int64_t r = 0; r < m->g.rows; r++)
    for (int64_t i = 0; i < m->g.bins; i++) {
      hk_csv_title(out, m->name, "");
      tool_table_cell(out, m->time[r]);
      tool_table_cell(out, m->speed[r]);
      tool_table_cell(out, m->g.frequency[i]);
      tool_table_cell(out, m->g.amplitude[r * m->g.bins + i]);
      fputc('\n', out);
    }
  return HK_OK;
}

/* Cells of a regular grid. Each shows the largest amplitude within it; an empty cell shows the nearest row. */
typedef struct cells {
  double x[CELLS_X * CELLS_Y], y[CELLS_X * CELLS_Y], shade[CELLS_X * CELLS_Y];
  double line_x[SPECTRUM_MOST_LINES][2], line_y[SPECTRUM_MOST_LINES][2];
  char label[SPECTRUM_MOST_LINES][32];
  hk_plot_note note[SPECTRUM_MOST_LINES];
  hk_plot_series series[SPECTRUM_MOST_LINES + 1];
  hk_plot_panel panel;
} cells;

static int64_t nearest_row(const double *at, int64_t n, double x) {
  int64_t best = 0;
  for (int64_t i = 1; i < n; i++)
    if (fabs(at[i] - x) < fabs(at[best] - x)) best = i;
  return best;
}

static double largest_between(const hk_spectrogram *g, int64_t row, double low, double high) {
  double width = g->frequency[1] - g->frequency[0], largest = 0;
  int64_t first = (int64_t)ceil(low / width - 1e-9), last = (int64_t)ceil(high / width - 1e-9);
  if (last <= first) first = (int64_t)round(0.5 * (low + high) / width), last = first + 1;
  for (int64_t i = first; i < last && i < g->bins; i++)
    largest = fmax(largest, g->amplitude[row * g->bins + i]);
  return largest;
}

static void cells_fill(const tool_spectrum *s, const map *m, const double *at, double low,
                       double high, cells *c) {
  const hk_spectrogram *g = &m->g;
  double top = 0, highest = g->frequency[g->bins - 1];
  bool decibels = tool_flag(s->args, "log");
  for (int i = 0; i < CELLS_X; i++) {
    double x = low + (high - low) * (i + 0.5) / CELLS_X, half = 0.5 * (high - low) / CELLS_X;
    for (int k = 0; k < CELLS_Y; k++) {
      int n = i * CELLS_Y + k;
      double from = highest * k / CELLS_Y, to = highest * (k + 1) / CELLS_Y, value = 0;
      bool any = false;
      for (int64_t r = 0; r < g->rows; r++)
        if (fabs(at[r] - x) <= half)
          any = true, value = fmax(value, largest_between(g, r, from, to));
      if (!any) value = largest_between(g, nearest_row(at, g->rows, x), from, to);
      c->x[n] = x, c->y[n] = 0.5 * (from + to), c->shade[n] = value;
      top = fmax(top, value);
    }
  }
  for (int n = 0; n < CELLS_X * CELLS_Y && decibels; n++)
    c->shade[n] = fmax(FLOOR_DB, 20 * log10(fmax(c->shade[n], 1e-300) / top));
}

/* Draws lines of integer orders in a map of frequency over speed. */
static void cells_orders(const tool_spectrum *s, double low, double high, double highest,
                         cells *c) {
  static const double usual[] = {1, 2, 3};
  const double *order = s->n_at ? s->at : usual;
  int n = s->n_at ? s->n_at : 3;
  for (int i = 0; i < n; i++) {
    double end = fmin(high, highest / order[i] * 60);
    if (end < low) continue;
    int k = c->panel.n_notes++;
    c->line_x[k][0] = low, c->line_x[k][1] = end;
    c->line_y[k][0] = order[i] * low / 60, c->line_y[k][1] = order[i] * end / 60;
    snprintf(c->label[k], sizeof c->label[k], "%g\xC3\x97", order[i]);
    c->note[k] = (hk_plot_note){end, c->line_y[k][1], c->label[k]};
    c->series[c->panel.n_series++] = (hk_plot_series){.x = c->line_x[k],
                                                      .y = c->line_y[k],
                                                      .n = 2,
                                                      .line = HK_LINE_DASHED,
                                                      .colour = HK_COLOUR_GREY};
  }
}

static hk_status map_draw(const tool_spectrum *s, const map *m, hk_error *err) {
  cells *c = calloc(1, sizeof *c);
  double *at = malloc(sizeof *at * (size_t)m->g.rows);
  char subtitle[700];
  if (!c || !at) {
    free(c);
    free(at);
    return hk_fail(err, HK_ENOMEM, "out of memory");
  }
  bool over_speed = s->angle && changes(m->speed, m->g.rows);
  double low = INFINITY, high = -INFINITY, highest = m->g.frequency[m->g.bins - 1];
  for (int64_t r = 0; r < m->g.rows; r++) {
    at[r] = over_speed ? m->speed[r] * 30 / M_PI : m->time[r];
    low = fmin(low, at[r]), high = fmax(high, at[r]);
  }
  if (!(high > low)) low -= 0.5 * m->g.length, high += 0.5 * m->g.length;
  cells_fill(s, m, at, low, high, c);
  c->series[c->panel.n_series++] = (hk_plot_series){.x = c->x,
                                                    .y = c->y,
                                                    .shade = c->shade,
                                                    .n = CELLS_X * CELLS_Y,
                                                    .line = HK_LINE_NONE,
                                                    .marker = HK_MARKER_SQUARE,
                                                    .cells_x = CELLS_X,
                                                    .cells_y = CELLS_Y};
  if (over_speed && !s->orders) cells_orders(s, low, high, highest, c);
  c->panel.series = c->series, c->panel.note = c->note;
  c->panel.x = (hk_plot_axis){.label = over_speed ? "speed" : "time",
                              .unit = over_speed ? "rpm" : "s",
                              .min = low,
                              .max = high};
  c->panel.y = (hk_plot_axis){.label = s->x_name, .unit = s->x_unit, .min = 0, .max = highest};
  c->panel.shade_label = m->name;
  c->panel.shade_unit = tool_flag(s->args, "log") ? "dB" : m->unit;
  const char *title = tool_value(s->args, "title"), *output = tool_value(s->args, "output");
  snprintf(subtitle, sizeof subtitle, "%.300s, pieces of %.4g %s", s->args->word[0], m->g.length,
           s->orders ? "turns" : "s");
  const hk_plot_figure figure = {
      .title = title ? title : hk_results_attribute_value(s->file, "title"),
      .subtitle = subtitle,
      .panel = &c->panel,
      .n_panels = 1,
      .panel_height = 420};
  hk_status status = output ? tool_figure_save(&figure, output, err) : HK_OK;
  if (!status && tool_flag(s->args, "terminal")) status = tool_figure_print(&figure, err);
  free(c);
  free(at);
  return status;
}

hk_status tool_spectrum_map(const tool_spectrum *s, hk_error *err) {
  sink o;
  hk_status status = sink_open(s, "maps", "a map shows one channel", &o, err);
  if (o.table)
    fprintf(o.table, "channel,time [s],speed [rad/s],%s [%s],amplitude\n", s->x_name,
            s->orders ? "1" : "Hz");
  for (int k = 0; k < s->curves.n && !status; k++) {
    map m;
    status = map_make(s, k, &m, err);
    if (!status && sink_is_json(&o)) map_json(s, &m, &o.json);
    if (!status && !o.as_json) map_print(s, &m);
    if (!status && o.table) status = map_csv(s, &m, o.table);
    if (!status && o.figure) status = map_draw(s, &m, err);
    map_free(&m);
  }
  return sink_close(&o, status, err);
}

/* ---- tracks ---- */

typedef struct track {
  int64_t rows;
  double *time, *speed, *amplitude; /* [rows], [rows], [orders][rows]; one block */
} track;

static hk_status track_make(const tool_spectrum *s, int k, track *t, hk_error *err) {
  hk_even e;
  int64_t n;
  *t = (track){0};
  hk_status status = tool_spectrum_even(s, k, &e, err);
  if (status) return status;
  double length = tool_spectrum_piece(s, &e, 25);
  status = hk_even_piece(&e, length, &n, err);
  for (int o = 0; o < s->n_track && !status; o++)
    if (s->track[o] >= 0.5 / e.step)
      status = hk_fail(err, HK_EINPUT,
                       "--track %g: the rows resolve only up to order %.4g; record more rows",
                       s->track[o], 0.5 / e.step);
  if (!status) {
    int64_t most = (e.n - n) / (n / 4 > 0 ? n / 4 : 1) + 1;
    t->rows = most < MOST_ROWS ? most : MOST_ROWS;
    t->time = malloc(sizeof *t->time * (size_t)t->rows * (size_t)(s->n_track + 2));
    if (!t->time) status = hk_fail(err, HK_ENOMEM, "out of memory");
  }
  if (!status) t->speed = t->time + t->rows, t->amplitude = t->speed + t->rows;
  for (int64_t r = 0; r < t->rows && !status; r++) {
    int64_t first = t->rows > 1 ? (e.n - n) * r / (t->rows - 1) : 0;
    hk_even part = hk_even_part(&e, first, n);
    double x = part.x0 + 0.5 * e.step * (double)(n - 1);
    when(s, s->curves.curve[k].n, x, length, &t->time[r], &t->speed[r]);
    for (int o = 0; o < s->n_track; o++)
      t->amplitude[o * t->rows + r] = hk_line_at(&part, s->track[o]).amplitude;
  }
  hk_even_free(&e);
  return status;
}

static void track_json(const tool_spectrum *s, const tool_curve *c, const track *t, tool_json *j) {
  tool_json_open(j, NULL, '{');
  tool_json_text(j, "channel", c->name);
  tool_json_text(j, "unit", c->unit);
  tool_json_text(j, "over", s->angle);
  hk_json_reals(j, "time", t->time, (int)t->rows);
  hk_json_reals(j, "speed", t->speed, (int)t->rows);
  tool_json_open(j, "orders", '[');
  for (int o = 0; o < s->n_track; o++) {
    tool_json_open(j, NULL, '{');
    tool_json_real(j, "order", s->track[o]);
    hk_json_reals(j, "amplitude", t->amplitude + o * t->rows, (int)t->rows);
    tool_json_close(j, '}');
  }
  tool_json_close(j, ']');
  tool_json_close(j, '}');
}

static void track_print(const tool_spectrum *s, const tool_curve *c, const track *t) {
  printf("%s [%s] over %s\n  %10s %12s", c->name, c->unit, s->angle, "time [s]", "speed [rpm]");
  for (int o = 0; o < s->n_track; o++) printf(" %13.6g%s", s->track[o], "x");
  putchar('\n');
  int64_t every = t->rows > 24 ? t->rows / 24 : 1;
  for (int64_t r = 0; r < t->rows; r += every) {
    printf("  %10.5g %12.6g", t->time[r], t->speed[r] * 30 / M_PI);
    for (int o = 0; o < s->n_track; o++) printf(" %14.6g", t->amplitude[o * t->rows + r]);
    putchar('\n');
  }
}

static void track_csv(const tool_spectrum *s, const tool_curve *c, const track *t, FILE *out) {
  for (int64_t r = 0; r < t->rows; r++) {
    hk_csv_title(out, c->name, "");
    tool_table_cell(out, t->time[r]);
    tool_table_cell(out, t->speed[r]);
    for (int o = 0; o < s->n_track; o++) tool_table_cell(out, t->amplitude[o * t->rows + r]);
    fputc('\n', out);
  }
}

static hk_status track_draw(const tool_spectrum *s, const track *t, hk_error *err) {
  hk_plot_series series[SPECTRUM_MOST_LINES];
  char name[SPECTRUM_MOST_LINES][40];
  const char *title = tool_value(s->args, "title"), *output = tool_value(s->args, "output");
  double *x = malloc(sizeof *x * (size_t)t->rows);
  if (!x) return hk_fail(err, HK_ENOMEM, "out of memory");
  bool over_speed = changes(t->speed, t->rows);
  for (int64_t r = 0; r < t->rows; r++) x[r] = over_speed ? t->speed[r] * 30 / M_PI : t->time[r];
  for (int o = 0; o < s->n_track; o++) {
    snprintf(name[o], sizeof name[o], "order %g", s->track[o]);
    series[o] =
        (hk_plot_series){.name = name[o], .x = x, .y = t->amplitude + o * t->rows, .n = t->rows};
  }
  const hk_plot_panel panel = {.x = {.label = over_speed ? "speed" : "time",
                                     .unit = over_speed ? "rpm" : "s",
                                     .tight = true},
                               .y = {.label = s->curves.curve[0].name,
                                     .unit = s->curves.curve[0].unit,
                                     .log = tool_flag(s->args, "log")},
                               .series = series,
                               .n_series = s->n_track};
  const hk_plot_figure figure = {
      .title = title ? title : hk_results_attribute_value(s->file, "title"),
      .subtitle = s->args->word[0],
      .panel = &panel,
      .n_panels = 1};
  hk_status status = output ? tool_figure_save(&figure, output, err) : HK_OK;
  if (!status && tool_flag(s->args, "terminal")) status = tool_figure_print(&figure, err);
  free(x);
  return status;
}

hk_status tool_spectrum_track(const tool_spectrum *s, hk_error *err) {
  sink o;
  hk_status status = sink_open(s, "tracks", "tracks of one channel fit in a figure", &o, err);
  if (o.table) {
    fputs("channel,time [s],speed [rad/s]", o.table);
    for (int i = 0; i < s->n_track; i++) fprintf(o.table, ",order %g", s->track[i]);
    fputc('\n', o.table);
  }
  for (int k = 0; k < s->curves.n && !status; k++) {
    const tool_curve *c = &s->curves.curve[k];
    track t;
    status = track_make(s, k, &t, err);
    if (!status && sink_is_json(&o)) track_json(s, c, &t, &o.json);
    if (!status && !o.as_json) track_print(s, c, &t);
    if (!status && o.table) track_csv(s, c, &t, o.table);
    if (!status && o.figure) status = track_draw(s, &t, err);
    free(t.time);
  }
  return sink_close(&o, status, err);
}
