/* hooke plot: channels of runs as a figure. */
#include "command.h"
#include "curves.h"
#include "figure.h"
#include "quantity.h"
#include "results_model.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PANELS = 16, CIRCLE = 181 };
#define MINUS "\u2212" /* before the name of a curve of negative values */

typedef struct picture {
  hk_results *file[TOOL_MOST_FILES];
  int n_files;
  tool_curves curves;
  hk_plot_series *series;
  char (*names)[200]; /* names in the legend, if there are two axes */
  hk_plot_panel panel[MOST_PANELS];
  int n_panels;
  double circle[2][CIRCLE];                 /* x and y */
  hk_plot_series *with_circle[MOST_PANELS]; /* NULL: none */
} picture;

static hk_status open_files(picture *p, const tool_args *args, hk_error *err) {
  for (int i = 0; i < args->n_words; i++) {
    hk_status status = tool_results_open(args, i, &p->file[i], err);
    if (p->file[i]) p->n_files++;
    if (status) return status;
  }
  return HK_OK;
}

/* Makes a curve of the sizes of negative values, which a logarithmic axis cannot show; false: out of memory. */
static bool turn(const tool_curve *c, tool_curve *out) {
  size_t bytes = sizeof *c->x * (size_t)c->n, length = strlen(MINUS) + strlen(c->name) + 1;
  *out = *c;
  out->negative = true;
  out->x = malloc(bytes + 1), out->y = malloc(bytes + 1), out->name = malloc(length);
  if (!out->x || !out->y || !out->name) return false;
  snprintf(out->name, length, MINUS "%s", c->name);
  memcpy(out->x, c->x, bytes);
  for (int64_t i = 0; i < c->n; i++) out->y[i] = c->y[i] < 0 ? -c->y[i] : NAN;
  return true;
}

/* For a logarithmic axis: negative values become curves, dotted, after those of the positive
 * values. After a failure all curves are still in c, so that they are freed. */
static hk_status split_signs(tool_curves *c, hk_error *err) {
  tool_curve *all = calloc(2 * (size_t)c->n + 1, sizeof *all);
  bool ok = true;
  int n = 0;
  if (!all) return hk_fail(err, HK_ENOMEM, "out of memory");
  for (int i = 0; i < c->n; i++) {
    tool_curve *whole = &c->curve[i];
    bool below = false, above = false;
    for (int64_t k = 0; k < whole->n; k++) {
      below |= whole->y[k] < 0;
      above |= whole->y[k] > 0;
    }
    whole->channel = i;
    all[n++] = *whole;
    if (!ok || !below) continue;
    ok = turn(whole, &all[n++]);
    if (!above) { /* nothing else is left to draw */
      free(whole->name), free(whole->x), free(whole->y);
      all[n - 2] = all[n - 1], n--;
    }
  }
  free(c->curve);
  c->curve = all, c->n = n;
  return ok ? HK_OK : hk_fail(err, HK_ENOMEM, "out of memory");
}

/* Returns true if --right includes the channel; curves of several files have the file's name after it. */
static bool is_right(const tool_args *args, const tool_curve *c) {
  const char *name = c->negative ? c->name + strlen(MINUS) : c->name;
  size_t n = strcspn(name, " ");
  for (const char *at = tool_value(args, "right"); at && *at;) {
    size_t length = strcspn(at, ",");
    if (length == n && strncmp(at, name, n) == 0) return true;
    at += length + (at[length] == ',');
  }
  return false;
}

/* order: number of channels before this one in the panel; the curves of one channel have one colour. */
static hk_plot_series series_of(const picture *p, const tool_curve *c, const tool_args *args,
                                int order) {
  bool dots = tool_flag(args, "dots") || c->n == 1;
  static const hk_plot_line lines[] = {HK_LINE_SOLID, HK_LINE_DASHED, HK_LINE_DOTTED};
  return (hk_plot_series){
      .name = c->name,
      .x = c->x,
      .y = c->y,
      .n = c->n,
      .line = tool_flag(args, "dots") ? HK_LINE_NONE
              : c->negative           ? HK_LINE_DOTTED
                                      : lines[p->n_files > 1 ? c->file % 3 : 0],
      .colour = tool_flag(args, "log") ? HK_COLOUR_FIRST + order : HK_COLOUR_AUTO,
      .marker = dots ? c->n > 200 ? HK_MARKER_POINT : HK_MARKER_DOT : HK_MARKER_NONE};
}

/* With --right: fills one panel with an axis on each side, one unit each. */
static hk_status fill_two_axes(picture *p, const tool_args *args, hk_error *err) {
  const tool_curves *c = &p->curves;
  const tool_curve *first[2] = {NULL, NULL};
  int n[2] = {0, 0}, order = -1;
  p->series = calloc((size_t)c->n + 1, sizeof *p->series);
  p->names = calloc((size_t)c->n + 1, sizeof *p->names);
  if (!p->series || !p->names) return hk_fail(err, HK_ENOMEM, "out of memory");
  for (int i = 0; i < c->n; i++) {
    bool right = is_right(args, &c->curve[i]);
    order += i == 0 || c->curve[i].channel != c->curve[i - 1].channel;
    p->series[i] = series_of(p, &c->curve[i], args, order);
    p->series[i].right = right;
    if (first[right] && strcmp(first[right]->unit, c->curve[i].unit) != 0)
      return hk_fail(
          err, HK_EINPUT,
          "the axis at the %s can have only one unit, but '%s' is in %s and '%s' is in %s",
          right ? "right" : "left", first[right]->name, first[right]->unit, c->curve[i].name,
          c->curve[i].unit);
    if (!first[right]) first[right] = &c->curve[i];
    n[right]++;
    snprintf(p->names[i], sizeof p->names[i], "%.180s%s", c->curve[i].name,
             right ? " (right)" : "");
    p->series[i].name = p->names[i];
  }
  if (!n[0] || !n[1])
    return hk_fail(err, HK_EINPUT,
                   "a figure with two axes needs channels for both: --channels for the left axis, "
                   "--right for the right one");
  bool log = tool_flag(args, "log");
  p->panel[p->n_panels++] = (hk_plot_panel){
      .x = {.label = c->x_label, .unit = c->x_unit, .tight = c->over_time || c->spectrum},
      .y = {.label = n[0] == 1 ? first[0]->name : NULL, .unit = first[0]->unit, .log = log},
      .right = {.label = n[1] == 1 ? first[1]->name : NULL, .unit = first[1]->unit, .log = log},
      .series = p->series,
      .n_series = c->n};
  return HK_OK;
}

/* Fills one panel per unit, in the order of their first occurrence. */
static hk_status fill_panels(picture *p, const tool_args *args, hk_error *err) {
  const tool_curves *c = &p->curves;
  int n_series = 0;
  p->series = calloc((size_t)c->n + 1, sizeof *p->series);
  if (!p->series) return hk_fail(err, HK_ENOMEM, "out of memory");
  for (int i = 0; i < c->n; i++) {
    bool seen = false;
    int order = -1, channel = -1;
    for (int k = 0; k < p->n_panels; k++) seen |= strcmp(p->panel[k].y.unit, c->curve[i].unit) == 0;
    if (seen) continue;
    if (p->n_panels == MOST_PANELS)
      return hk_fail(err, HK_EINPUT, "channels of more than %d units do not fit in one figure",
                     MOST_PANELS);
    hk_plot_panel *q = &p->panel[p->n_panels++];
    *q = (hk_plot_panel){
        .x = {.label = c->x_label, .unit = c->x_unit, .tight = c->over_time || c->spectrum},
        .y = {.unit = c->curve[i].unit, .log = tool_flag(args, "log")},
        .series = &p->series[n_series]};
    for (int k = i; k < c->n; k++) {
      if (strcmp(c->curve[k].unit, c->curve[i].unit) != 0) continue;
      order += c->curve[k].channel != channel;
      channel = c->curve[k].channel;
      p->series[n_series++] = series_of(p, &c->curve[k], args, order);
      q->n_series++;
    }
    if (q->n_series == 1) { /* the name of the only series is written at the axis */
      q->y.label = q->series->name;
      p->series[n_series - 1].name = NULL;
    }
  }
  return HK_OK;
}

/* Adds a circle about the origin to every panel with the same unit on both axes, such as a
 * clearance around an orbit, with equal scales. */
static hk_status add_circle(picture *p, const tool_args *args, hk_error *err) {
  const char *text = tool_value(args, "circle");
  double radius;
  bool drawn = false;
  if (!text) return HK_OK;
  if (p->curves.over_time || p->curves.spectrum)
    return hk_fail(err, HK_EINPUT,
                   "--circle needs --over CHANNEL: both axes must have the same unit");
  hk_status status = tool_quantity(text, p->curves.x_unit, "--circle", &radius, err);
  if (status) return status;
  for (int i = 0; i < CIRCLE; i++) {
    double angle = 2 * M_PI * i / (CIRCLE - 1);
    p->circle[0][i] = radius * cos(angle), p->circle[1][i] = radius * sin(angle);
  }
  for (int i = 0; i < p->n_panels; i++) {
    hk_plot_panel *q = &p->panel[i];
    if (strcmp(q->y.unit, p->curves.x_unit) != 0) continue;
    hk_plot_series *all = calloc((size_t)q->n_series + 1, sizeof *all);
    if (!all) return hk_fail(err, HK_ENOMEM, "out of memory");
    memcpy(all, q->series, (size_t)q->n_series * sizeof *all);
    all[q->n_series] = (hk_plot_series){.x = p->circle[0],
                                        .y = p->circle[1],
                                        .n = CIRCLE,
                                        .line = HK_LINE_DASHED,
                                        .colour = HK_COLOUR_GREY};
    q->series = p->with_circle[i] = all;
    q->n_series++;
    q->equal = drawn = true;
  }
  if (drawn) return HK_OK;
  return hk_fail(err, HK_EINPUT, "--circle: no channel has the unit '%s' of the axis below",
                 p->curves.x_unit);
}

static hk_status draw(picture *p, const tool_args *args, hk_error *err) {
  const hk_results *r = p->file[0];
  char subtitle[700];
  const char *title = tool_value(args, "title"), *status = hk_results_status(r);
  bool finished = strcmp(status, "finished") == 0;
  snprintf(subtitle, sizeof subtitle, "%.300s%s%.300s", args->word[0], finished ? "" : ", run ",
           finished ? "" : status);
  if (p->n_files > 1) snprintf(subtitle, sizeof subtitle, "%d runs", p->n_files);
  const hk_plot_figure figure = {.title = title ? title : hk_results_attribute_value(r, "title"),
                                 .subtitle = subtitle,
                                 .panel = p->panel,
                                 .n_panels = p->n_panels,
                                 .share_x = true};
  const char *output = tool_value(args, "output");
  hk_status s = output ? tool_figure_save(&figure, output, err) : HK_OK;
  return !s && tool_flag(args, "terminal") ? tool_figure_print(&figure, err) : s;
}

static int run(const tool_args *args) {
  picture p = {0};
  hk_error err = {0};
  if (!tool_value(args, "output") && !tool_flag(args, "terminal")) {
    tool_error(
        "no output; use -o FILE.svg (or .png, .pdf), -o - for standard output, or --terminal");
    return EXIT_BAD_INPUT;
  }
  if (tool_value(args, "up-to") && !tool_flag(args, "spectrum") && !tool_value(args, "orders")) {
    tool_error("--up-to needs --spectrum or --orders; the end of a time axis is --to");
    return EXIT_BAD_INPUT;
  }
  hk_status status = open_files(&p, args, &err);
  if (!status) status = tool_curves_read(&p.curves, args, p.file, p.n_files, &err);
  if (!status && tool_flag(args, "log")) status = split_signs(&p.curves, &err);
  bool two = tool_value(args, "right") != NULL;
  if (!status) status = two ? fill_two_axes(&p, args, &err) : fill_panels(&p, args, &err);
  if (!status) status = add_circle(&p, args, &err);
  if (!status) status = draw(&p, args, &err);
  if (status) tool_error("%s", err.text);
  tool_curves_free(&p.curves);
  free(p.series);
  free(p.names);
  for (int i = 0; i < MOST_PANELS; i++) free(p.with_circle[i]);
  for (int i = 0; i < p.n_files; i++) hk_results_destroy(p.file[i]);
  return tool_exit_code(status);
}

static const tool_option options[] = {
    {'o', "output", "FILE.svg", "figure file: .svg, .png or .pdf; \"-\": standard output", false},
    {0, "terminal", NULL, "show the figure as text in the terminal", false},
    {0, "channels", "NAME,NAME", "these channels", false},
    {0, "right", "NAME,NAME", "these channels in the same panel, over a second axis at the right",
     false},
    {0, "match", "REGEX", "channels with names that match this POSIX extended regular expression",
     false},
    {0, "over", "CHANNEL", "over this channel instead of time, such as an angle", false},
    {0, "x", "CHANNEL", "the same as --over", false},
    {0, "phase", "COORDINATE", "phase plane: the rate of this coordinate over its value", false},
    {0, "spectrum", NULL, "amplitudes over frequency", false},
    {0, "orders", "ANGLE", "amplitudes over orders: cycles per revolution of this angle", false},
    {0, "up-to", "HIGHEST",
     "largest frequency, such as \"500 Hz\", or order; default of orders: 60", false},
    TOOL_UNIT_OPTION,
    {0, "log", NULL, "logarithmic axis upwards; negative values by their size, dotted", false},
    {0, "dots", NULL, "dots instead of lines", false},
    {0, "circle", "RADIUS",
     "with --over: a circle about the origin, such as a clearance of \"50 um\" around an orbit",
     false},
    {0, "from", "TIME", "from this time on, such as \"0.5 s\"", false},
    {0, "to", "TIME", "up to this time", false},
    {0, "title", "TEXT", "title of the figure; else that of the model", false},
};

const tool_command tool_command_plot = {
    .name = "plot",
    .arguments = "RESULTS...",
    .summary = "draw channels of runs",
    .text =
        "Draws channels of results files over time, over another channel, in the phase plane, or "
        "as spectra. "
        "Channels with the same unit are drawn in one panel, also those of several files; "
        "--right puts "
        "some on a second axis of one panel. "
        "The format "
        "follows from the name: .svg, .png or .pdf (the latter two by means of rsvg-convert). A "
        "file of a run that is active or was killed gives the rows so far. `hooke check MODEL "
        "--channels` lists what a model records.\n"
        "\n"
        "Spectra use the rows between --from and --to: interpolated to equal time steps, mean "
        "removed, Hann window, amplitudes of sines.\n"
        "\n"
        "Exit status: 0 written, 2 not a results file, no such channel, no data to draw, or the "
        "figure cannot be written.\n"
        "\n"
        "Examples:\n"
        "\n"
        "  hooke plot out.h5 -o motion.svg --channels bob.x,bob.y,bob.vx\n"
        "  hooke plot out.h5 -o phase.png --phase pin.angle --from \"2 s\" --unit deg\n"
        "  hooke plot a.h5 b.h5 --terminal --channels shaft.z --orders shaft.angle\n",
    TOOL_OPTIONS(options),
    .min_words = 1,
    .max_words = TOOL_MOST_FILES,
    .run = run,
};
