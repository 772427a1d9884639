/* hooke plot: channels of a run as a figure. */
#include "command.h"
#include "io/csv.h"
#include "io/plot.h"
#include "quantity.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CHANNELS = 200, MOST_PANELS = 16 };

typedef struct picture {
  hk_results *results;
  int *channel, n;     /* to draw; channel[0] is the x axis */
  double **column;     /* [n] values */
  int64_t first, rows; /* of the window */
  hk_plot_series *series;
  hk_plot_panel panel[MOST_PANELS];
  int n_panels;
} picture;

static hk_status select_channels(picture *p, const tool_args *args, hk_error *err) {
  const char *list = tool_value(args, "channels"), *x = tool_value(args, "x");
  const char *match = tool_value(args, "match");
  if (!list && !match)
    return hk_fail(err, HK_EINPUT,
                   "which channels? Give --channels NAME,NAME or --match REGEX; this file has "
                   "'%s' and %d more",
                   hk_results_name(p->results, 1), hk_results_n_channels(p->results) - 2);
  char *copy = list ? strdup(list) : NULL;
  const char **name = calloc(list ? strlen(list) + 1 : 1, sizeof *name);
  hk_status status = HK_OK;
  if (!name || (list && !copy)) status = hk_fail(err, HK_ENOMEM, "out of memory");
  if (!status) {
    const hk_csv_selection s = {
        .name = name, .n_names = copy ? tool_split(copy, name) : 0, .regex = match};
    if (s.n_names || match) /* neither would mean all */
      status = hk_csv_select(p->results, &s, &p->channel, &p->n, err);
    else
      status = hk_fail(err, HK_EINPUT, "--channels names no channel");
  }
  if (!status && x) status = hk_results_channel(p->results, x, &p->channel[0], err);
  if (!status && p->n > MOST_CHANNELS + 1)
    status = hk_fail(err, HK_EINPUT, "%d channels are too many for one figure: at most %d",
                     p->n - 1, MOST_CHANNELS);
  if (!status && p->n < 2) status = hk_fail(err, HK_EINPUT, "no channel to draw is given");
  free(name);
  free(copy);
  return status;
}

/* Rows with from <= t <= to; time never falls. */
static hk_status select_rows(picture *p, const tool_args *args, hk_error *err) {
  const char *from_text = tool_value(args, "from"), *to_text = tool_value(args, "to");
  double from = -INFINITY, to = INFINITY;
  hk_status status = from_text ? tool_quantity(from_text, "s", "--from", &from, err) : HK_OK;
  if (!status && to_text) status = tool_quantity(to_text, "s", "--to", &to, err);
  if (status) return status;
  int64_t rows = hk_results_n_rows(p->results);
  double *t = malloc(sizeof *t * (size_t)(rows + 1));
  if (!t) return hk_fail(err, HK_ENOMEM, "out of memory");
  if (rows) status = hk_results_read_column(p->results, 0, t, err);
  if (!status) {
    int64_t last = rows;
    while (p->first < rows && !(t[p->first] >= from)) p->first++;
    while (last > p->first && !(t[last - 1] <= to)) last--;
    p->rows = last - p->first;
    if (rows == 0)
      status = hk_fail(err, HK_EINPUT, "'%s' holds no rows yet", hk_results_path(p->results));
    else if (p->rows == 0)
      status = hk_fail(err, HK_EINPUT,
                       "no rows between --from and --to: the run covers %g s to "
                       "%g s",
                       t[0], t[rows - 1]);
  }
  free(t);
  return status;
}

static hk_status read_columns(picture *p, hk_error *err) {
  size_t rows = (size_t)hk_results_n_rows(p->results);
  p->column = calloc((size_t)p->n, sizeof *p->column);
  p->series = calloc((size_t)p->n, sizeof *p->series);
  if (!p->column || !p->series) return hk_fail(err, HK_ENOMEM, "out of memory");
  for (int i = 0; i < p->n; i++) {
    p->column[i] = malloc(sizeof(double) * rows);
    if (!p->column[i]) return hk_fail(err, HK_ENOMEM, "out of memory");
    hk_status status = hk_results_read_column(p->results, p->channel[i], p->column[i], err);
    if (status) return status;
  }
  return HK_OK;
}

/* One panel per unit, in the order in which the units come. */
static hk_status fill_panels(picture *p, hk_error *err) {
  const hk_results *r = p->results;
  int n_series = 0;
  for (int i = 1; i < p->n; i++) {
    const char *unit = hk_results_unit(r, p->channel[i]);
    bool seen = false;
    for (int k = 0; k < p->n_panels; k++) seen |= strcmp(p->panel[k].y.unit, unit) == 0;
    if (seen) continue;
    if (p->n_panels == MOST_PANELS)
      return hk_fail(err, HK_EINPUT, "channels of more than %d units do not fit in one figure",
                     MOST_PANELS);
    hk_plot_panel *q = &p->panel[p->n_panels++];
    bool over_time = p->channel[0] == 0;
    *q = (hk_plot_panel){.x = {.label = hk_results_name(r, p->channel[0]),
                               .unit = hk_results_unit(r, p->channel[0]),
                               .tight = over_time},
                         .y = {.unit = unit},
                         .series = &p->series[n_series]};
    for (int k = i; k < p->n; k++) {
      if (strcmp(hk_results_unit(r, p->channel[k]), unit) != 0) continue;
      p->series[n_series++] =
          (hk_plot_series){.name = hk_results_name(r, p->channel[k]),
                           .x = p->column[0] + p->first,
                           .y = p->column[k] + p->first,
                           .n = p->rows,
                           .marker = p->rows == 1 ? HK_MARKER_DOT : HK_MARKER_NONE};
      q->n_series++;
    }
    if (q->n_series == 1) { /* its name stands at the axis */
      q->y.label = q->series->name;
      p->series[n_series - 1].name = NULL;
    }
  }
  return HK_OK;
}

static hk_status draw(picture *p, const tool_args *args, hk_error *err) {
  const hk_results *r = p->results;
  char subtitle[700];
  const char *title = tool_value(args, "title"), *status = hk_results_status(r);
  bool finished = strcmp(status, "finished") == 0;
  snprintf(subtitle, sizeof subtitle, "%.300s%s%.300s", args->word[0], finished ? "" : ", run ",
           finished ? "" : status);
  const hk_plot_figure figure = {.title = title ? title : hk_results_attribute_value(r, "title"),
                                 .subtitle = subtitle,
                                 .panel = p->panel,
                                 .n_panels = p->n_panels,
                                 .share_x = true};
  return hk_plot_save(&figure, tool_value(args, "output"), err);
}

static int run(const tool_args *args) {
  picture p = {0};
  hk_error err = {0};
  if (!tool_value(args, "output")) {
    tool_error("where to? Give -o FILE.svg, or -o - for standard output");
    return EXIT_BAD_INPUT;
  }
  hk_status status = hk_results_open(args->word[0], &p.results, &err);
  if (!status && hk_results_n_lost(p.results) > 0)
    fprintf(stderr, "%s: warning: %lld rows are missing at the end: the file is truncated\n",
            args->word[0], (long long)hk_results_n_lost(p.results));
  if (!status) status = select_channels(&p, args, &err);
  if (!status) status = select_rows(&p, args, &err);
  if (!status) status = read_columns(&p, &err);
  if (!status) status = fill_panels(&p, &err);
  if (!status) status = draw(&p, args, &err);
  if (status) tool_error("%s", err.text);
  for (int i = 0; p.column && i < p.n; i++) free(p.column[i]);
  free(p.column);
  free(p.series);
  free(p.channel);
  hk_results_free(p.results);
  return tool_exit_code(status);
}

static const tool_option options[] = {
    {'o', "output", "FILE", "the figure, as SVG; \"-\": standard output", false},
    {0, "channels", "NAME,NAME", "these channels", false},
    {0, "match", "REGEX", "channels whose name matches this POSIX extended regular expression",
     false},
    {0, "x", "CHANNEL", "over this channel instead of time: a phase plot", false},
    {0, "from", "TIME", "from this time on, such as \"0.5 s\"", false},
    {0, "to", "TIME", "up to this time", false},
    {0, "title", "TEXT", "title of the figure; else that of the model", false},
};

const tool_command tool_command_plot = {
    .name = "plot",
    .arguments = "RESULTS",
    .summary = "draw channels of a run",
    .text =
        "Draws channels of a results file over time, or over another channel, as an SVG figure "
        "that every browser shows. Channels of one unit share a panel. A file of a run that is "
        "still going on, or that was killed, gives the rows it has. `hooke check MODEL --channels` "
        "lists what a model records.\n"
        "\n"
        "Exit status: 0 written, 2 not a results file, no such channel, nothing to draw, or the "
        "figure cannot be written.\n"
        "\n"
        "Examples:\n"
        "\n"
        "  hooke plot out.h5 -o motion.svg --channels bob.x,bob.y,bob.vx\n"
        "  hooke plot out.h5 -o phase.svg --channels pin.rate --x pin.angle --from \"2 s\"\n",
    TOOL_OPTIONS(options),
    .min_words = 1,
    .max_words = 1,
    .run = run,
};
