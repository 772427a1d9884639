/* hooke frf: frequency response from an input to channels. */
#include "model/model.h"
#include <hooke/response.h>
#include "base/file.h"
#include "results/csv.h"
#include "figure.h"
#include "frf_input.h"
#include "frf_orders.h"
#include "linear.h"
#include "quantity.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CHANNELS = 64, MOST_POINTS = 100000, DENSE_LIMIT = 3000 };

typedef struct sweep {
  double first, last; /* [Hz]; first >= last: range from the modes */
  int points;         /* 0: default, finer at resonances */
  bool log;
  double *f; /* [n] frequencies [Hz] */
  int n;
  int channel[MOST_CHANNELS], n_channels;
  double *value;             /* [n][n_channels][2] */
  double *magnitude, *phase; /* [n_channels][n] */
  double *line;              /* phases unwrapped, without jumps from -180 to 180 degrees */
  hk_response *response;
  char input[256];
} sweep;

/* ---- arguments ---- */

static hk_status read_options(const tool_args *args, sweep *s, hk_error *err) {
  const char *range = tool_value(args, "range"), *points = tool_value(args, "points");
  s->log = tool_flag(args, "log");
  if (!tool_value(args, "to"))
    return hk_fail(
        err, HK_EINPUT,
        "no output channel; give --to CHANNEL,CHANNEL; `hooke check MODEL --channels` lists them");
  hk_status status = range ? tool_frf_range(range, &s->first, &s->last, err) : HK_OK;
  if (!status && s->log && range && s->first <= 0)
    status = hk_fail(err, HK_EINPUT, "--log needs frequencies above 0, not '%s'", range);
  if (!status && points) {
    char *end;
    long n = strtol(points, &end, 10);
    if (*end || end == points || n < 2 || n > MOST_POINTS)
      return hk_fail(err, HK_EINPUT, "--points needs a whole number from 2 to %d, not '%s'",
                     MOST_POINTS, points);
    s->points = (int)n;
  }
  return status;
}

static hk_status find_channels(const hk_model *m, const char *list, sweep *s, hk_error *err) {
  char *copy = strdup(list);
  const char **name = calloc(strlen(list) + 1, sizeof *name);
  const char **all = calloc((size_t)m->n_channels + 1, sizeof *all);
  hk_status status = copy && name && all ? HK_OK : hk_fail(err, HK_ENOMEM, "out of memory");
  int n = status ? 0 : tool_split(copy, name);
  if (!status && (n < 1 || n > MOST_CHANNELS))
    status = hk_fail(err, HK_EINPUT, "--to needs 1 to %d channels", MOST_CHANNELS);
  for (int i = 0; i < n && !status; i++) {
    s->channel[i] = hk_model_channel(m, name[i]);
    if (s->channel[i] >= 0) continue;
    for (int k = 0; k < m->n_channels; k++) all[k] = m->channel[k].name;
    const char *near = hk_nearest_name(name[i], all, m->n_channels);
    status = hk_fail(err, HK_EINPUT, "the model has no channel '%.200s'%s%s%s", name[i],
                     near ? "; did you mean '" : "; see `hooke check MODEL --channels`",
                     near ? near : "", near ? "'?" : "");
  }
  s->n_channels = n;
  free(all);
  free(name);
  free(copy);
  return status;
}

/* ---- frequencies ---- */

static hk_status set_frequencies(sweep *s, const hk_linear *l, hk_error *err) {
  return hk_response_frequencies(l, s->first, s->last, s->points, s->log, &s->f, &s->n, err);
}

static hk_status compute(sweep *s, hk_error *err) {
  size_t n = (size_t)s->n, c = (size_t)s->n_channels;
  s->value = calloc(n * c * 2 + 1, sizeof *s->value);
  s->magnitude = calloc(n * c + 1, sizeof *s->magnitude);
  s->phase = calloc(n * c + 1, sizeof *s->phase);
  s->line = calloc(n * c + 1, sizeof *s->line);
  if (!s->value || !s->magnitude || !s->phase || !s->line)
    return hk_fail(err, HK_ENOMEM, "out of memory");
  for (size_t i = 0; i < n; i++) {
    double *row = s->value + i * c * 2;
    hk_status status = hk_response_value(s->response, 2 * M_PI * s->f[i], row, err);
    if (status) return status;
    for (size_t k = 0; k < c; k++) {
      double *phase = &s->phase[k * n + i];
      s->magnitude[k * n + i] = hypot(row[2 * k], row[2 * k + 1]);
      *phase = s->magnitude[k * n + i] > 0 ? atan2(row[2 * k + 1], row[2 * k]) * 180 / M_PI : NAN;
      /* -180 degrees is used for 180 degrees, because an inertia lags behind its force */
      if (*phase > 180 - 1e-6) *phase = -180;
      s->line[k * n + i] = i && fabs(*phase - phase[-1]) > 190 ? NAN : *phase;
    }
  }
  return HK_OK;
}

/* ---- output ---- */

static hk_status write_csv(const sweep *s, const hk_model *m, const char *path, hk_error *err) {
  static const char *const part[] = {"re", "im", "magnitude", "phase"};
  hk_new_file output;
  hk_status opened = hk_new_file_open(&output, path, err);
  if (opened) return opened;
  FILE *out = output.file;
  fputs("frequency [Hz]", out);
  for (int k = 0; k < s->n_channels; k++)
    for (int p = 0; p < 4; p++)
      fprintf(out, ",%s.%s [%s]", m->channel[s->channel[k]].name, part[p],
              p == 3 ? "deg" : hk_response_unit(s->response, k));
  fputc('\n', out);
  for (int i = 0; i < s->n; i++) {
    char text[HK_CSV_NUMBER_SIZE];
    hk_csv_number(text, s->f[i]);
    fputs(text, out);
    for (int k = 0; k < s->n_channels; k++) {
      const double *v = s->value + ((size_t)i * (size_t)s->n_channels + (size_t)k) * 2;
      size_t at = (size_t)k * (size_t)s->n + (size_t)i;
      const double cell[4] = {v[0], v[1], s->magnitude[at], s->phase[at]};
      for (int p = 0; p < 4; p++) tool_table_cell(out, cell[p]);
    }
    fputc('\n', out);
  }
  return hk_new_file_close(&output, HK_OK, err);
}

/* Draws one magnitude panel per unit, then one panel with all phases. */
static hk_status draw(const sweep *s, const tool_linear *t, const char *path, hk_error *err) {
  const hk_model *m = t->model.model;
  hk_plot_series series[2 * MOST_CHANNELS];
  hk_plot_panel panel[MOST_CHANNELS + 1];
  int n_panels = 0, n_series = 0;
  const hk_plot_axis x = {.label = "frequency", .unit = "Hz", .log = s->log, .tight = true};
  for (int k = 0; k < s->n_channels; k++) {
    const char *unit = hk_response_unit(s->response, k);
    bool seen = false;
    for (int p = 0; p < n_panels; p++) seen |= strcmp(panel[p].y.unit, unit) == 0;
    if (seen) continue;
    hk_plot_panel *p = &panel[n_panels++];
    *p = (hk_plot_panel){.x = x,
                         .y = {.label = "magnitude", .unit = unit, .log = true},
                         .series = &series[n_series]};
    for (int i = k; i < s->n_channels; i++) {
      if (strcmp(hk_response_unit(s->response, i), unit) != 0) continue;
      series[n_series++] = (hk_plot_series){.name = m->channel[s->channel[i]].name,
                                            .x = s->f,
                                            .y = s->magnitude + (size_t)i * (size_t)s->n,
                                            .n = s->n,
                                            .colour = HK_COLOUR_FIRST + i};
      p->n_series++;
    }
  }
  panel[n_panels++] =
      (hk_plot_panel){.x = x,
                      .y = {.label = "phase", .unit = "deg", .step = 90, .min = -180, .max = 180},
                      .series = &series[n_series],
                      .n_series = s->n_channels};
  for (int i = 0; i < s->n_channels; i++)
    series[n_series++] = (hk_plot_series){.x = s->f,
                                          .y = s->line + (size_t)i * (size_t)s->n,
                                          .n = s->n,
                                          .colour = HK_COLOUR_FIRST + i};
  char title[600];
  snprintf(title, sizeof title, "Response to %s", s->input);
  const char *name = hk_model_title(m);
  const hk_plot_figure figure = {.title = title,
                                 .subtitle = name && name[0] ? name : t->model.path,
                                 .panel = panel,
                                 .n_panels = n_panels,
                                 .share_x = true};
  return tool_figure_save(&figure, path, err);
}

static void print_json(const tool_linear *t, const sweep *s) {
  tool_json j = {.out = stdout};
  tool_linear_json_begin(&j, t);
  if (!t->status) {
    tool_json_text(&j, "input", s->input);
    tool_json_list(&j, "frequency_hz", s->f, s->n, 1);
    tool_json_open(&j, "outputs", '[');
    for (int k = 0; k < s->n_channels; k++) {
      tool_json_open(&j, NULL, '{');
      tool_json_text(&j, "channel", t->model.model->channel[s->channel[k]].name);
      tool_json_text(&j, "unit", hk_response_unit(s->response, k));
      tool_json_list(&j, "re", s->value + 2 * k, s->n, 2 * s->n_channels);
      tool_json_list(&j, "im", s->value + 2 * k + 1, s->n, 2 * s->n_channels);
      tool_json_close(&j, '}');
    }
    tool_json_close(&j, ']');
  }
  tool_linear_json_messages(&j, &t->model.diag);
  tool_json_close(&j, '}');
  putchar('\n');
}

/* Prints the ends of the range and local maxima. */
static void print_table(const tool_linear *t, const sweep *s) {
  for (int k = 0; k < s->n_channels; k++) {
    const double *a = s->magnitude + (size_t)k * (size_t)s->n;
    const double *p = s->phase + (size_t)k * (size_t)s->n;
    printf("%s to %s [%s]\n", s->input, t->model.model->channel[s->channel[k]].name,
           hk_response_unit(s->response, k));
    for (int i = 0; i < s->n; i++) {
      bool end = i == 0 || i == s->n - 1;
      bool peak = !end && a[i] > a[i - 1] && a[i] >= a[i + 1];
      if (end || peak)
        printf("  %13.7g Hz  magnitude %13.7g  phase %8.2f deg%s\n", s->f[i], a[i], p[i],
               peak ? "  peak" : "");
    }
  }
}

/* ---- command ---- */

static hk_status respond(tool_linear *t, const tool_args *args, sweep *s) {
  const hk_linear *l = t->linear;
  int input = 0;
  hk_status status = find_channels(t->model.model, tool_value(args, "to"), s, &t->error);
  if (!status) status = tool_frf_input(l, tool_value(args, "from"), s->input, &input, &t->error);
  if (!status)
    status =
        hk_response_create(t->sim, l, input, s->channel, s->n_channels, &s->response, &t->error);
  if (!status) status = set_frequencies(s, l, &t->error);
  if (!status) status = compute(s, &t->error);
  return status;
}

static int run(const tool_args *args) {
  if (tool_flag(args, "orders")) return tool_frf_orders(args);
  sweep s = {0};
  tool_linear t;
  hk_error err = {0};
  if (read_options(args, &s, &err)) {
    tool_error("%s", err.text);
    return EXIT_BAD_INPUT;
  }
  const char *figure = tool_value(args, "output"), *csv = tool_value(args, "csv");
  if (!tool_linear_open(&t, args, DENSE_LIMIT)) t.status = respond(&t, args, &s);
  if (!t.status && csv) t.status = write_csv(&s, t.model.model, csv, &t.error);
  if (!t.status && figure) t.status = draw(&s, &t, figure, &t.error);
  int code = tool_linear_report(&t);
  if (tool_flag(args, "json"))
    print_json(&t, &s);
  else if (!t.status && !tool_output_taken(args))
    print_table(&t, &s);
  hk_response_destroy(s.response);
  free(s.f);
  free(s.value);
  free(s.magnitude);
  free(s.phase);
  free(s.line);
  tool_linear_free(&t);
  return code;
}

static const tool_option options[] = {
    {0, "from", "INPUT",
     "excitation: a component of a load or actuator (forces.push.force.x) or a motion "
     "(motions.drive); optional if there is only one",
     false},
    {0, "to", "CHANNEL,...", "output channels, separated by commas", false},
    {0, "range", "F0:F1",
     "frequencies, such as \"0.1:100 Hz\" or \"1:50 rad/s\"; 1/s is refused as ambiguous", false},
    {0, "points", "N",
     "number of frequencies, evenly spaced; default: 400 and more near resonances", false},
    {0, "orders", "1,2,...",
     "steady response to the loads and actuators of the model that are functions of time with the "
     "--period, "
     "at these multiples of its frequency, over --over",
     false},
    {0, "period", "TIME",
     "with --orders: the time of order 1, such as \"20 ms\", \"50 Hz\", \"3000 rpm\", or a channel "
     "with the period "
     "as its value",
     false},
    {0, "over", "PATH=VALUES",
     "with --orders: one linear model for each value, such as \"speed = 100:6000:60 rpm\"", false},
    {0, "log", NULL, "space the frequencies, and draw them, on a logarithmic scale", false},
    {'o', "output", "FILE.svg", "draw magnitude and phase as SVG, PNG or PDF by its name", false},
    {0, "csv", "FILE", "write a table; \"-\": standard output", false},
    TOOL_SET_OPTION,
    TOOL_AT_OPTION,
    TOOL_AS_PLACED_OPTION,
    {0, "json", NULL, "print as one JSON object", false},
};

const tool_command tool_command_frf = {
    .name = "frf",
    .arguments = "MODEL",
    .summary = "frequency response from an input to channels",
    .text =
        "Linearises the model about its equilibrium (with --at: about a steady motion), excites "
        "one input harmonically with unit amplitude at each frequency, and gives magnitude and "
        "phase of the channels: positions, velocities, accelerations, joint coordinates, sensors, "
        "joint "
        "reactions and efforts of motions. A motion as input is base excitation. A negative phase "
        "means a lag relative to the input. Without "
        "--range the frequencies cover all modes.\n"
        "\n"
        "With --json, standard output is one object:\n"
        "\n"
        "  {\"status\": \"ok\" | \"failed\", \"error\": text if failed, \"input\": name,\n"
        "   \"frequency_hz\": [f], \"outputs\": [{\"channel\": name, \"unit\": unit,\n"
        "     \"re\": [value], \"im\": [value]}],\n"
        "   \"errors\": [text], \"warnings\": [text], \"notes\": [text]}\n"
        "\n"
        "Exit status: 0 done, 1 failed (no equilibrium was found), 2 bad input.\n"
        "\n"
        "Examples:\n"
        "\n"
        "  hooke frf car.yaml --from motions.road --to body.z,body.az -o ride.svg --log\n"
        "  hooke frf shaft.yaml --from forces.engine --to coupling.tz --range \"0:80 Hz\" --csv "
        "-\n",
    TOOL_OPTIONS(options),
    .min_words = 1,
    .max_words = 1,
    .run = run,
};
