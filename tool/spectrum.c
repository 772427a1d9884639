/* hooke spectrum: lines, orders and power densities of channels; maps and tracks are in spectrum_map.c. */
#include "spectrum.h"
#include "analysis/envelope.h"
#include "base/file.h"
#include "figure.h"
#include "json.h"
#include "linear.h"
#include "quantity.h"
#include "results/csv.h"
#include "results_model.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PANELS = 16 };

/* ---- requested analysis ---- */

static hk_status read_numbers(const char *text, const char *option, const char *unit, double *out,
                              int *n, hk_error *err) {
  *n = 0;
  for (const char *at = text; at && *at;) {
    char piece[80];
    size_t length = strcspn(at, ",");
    if (*n == SPECTRUM_MOST_LINES)
      return hk_fail(err, HK_EINPUT, "%s: more than %d numbers", option, SPECTRUM_MOST_LINES);
    snprintf(piece, sizeof piece, "%.*s", (int)(length < 79 ? length : 79), at);
    hk_status status = tool_quantity(piece, unit, option, &out[*n], err);
    if (status) return status;
    if (!(out[*n] > 0)) return hk_fail(err, HK_EINPUT, "%s: %g is not positive", option, out[*n]);
    ++*n;
    at += length + (at[length] == ',');
  }
  return HK_OK;
}

static hk_status positive(const tool_args *args, const char *name, const char *unit, double *out,
                          hk_error *err) {
  char option[32];
  const char *text = tool_value(args, name);
  snprintf(option, sizeof option, "--%s", name);
  if (!text) return HK_OK;
  hk_status status = tool_quantity(text, unit, option, out, err);
  if (!status && !(*out > 0 && isfinite(*out)))
    status = hk_fail(err, HK_EINPUT, "%s: %g is not positive", option, *out);
  return status;
}

/* "2000:6000 Hz" */
static hk_status read_band(tool_spectrum *s, hk_error *err) {
  const char *text = tool_value(s->args, "envelope");
  if (!text) return HK_OK;
  const char *colon = strchr(text, ':');
  char low[80];
  if (!colon || colon - text >= (int)sizeof low)
    return hk_fail(err, HK_EINPUT, "--envelope: '%s' is not a band such as \"2000:6000 Hz\"", text);
  snprintf(low, sizeof low, "%.*s Hz", (int)(colon - text), text);
  hk_status status = tool_quantity(low, "Hz", "--envelope", &s->band[0], err);
  if (!status) status = tool_quantity(colon + 1, "Hz", "--envelope", &s->band[1], err);
  if (!status && !(s->band[0] >= 0 && s->band[1] > s->band[0] && isfinite(s->band[1])))
    status = hk_fail(err, HK_EINPUT,
                     "--envelope: the band from %g to %g Hz is empty; write the lower limit first",
                     s->band[0], s->band[1]);
  return status;
}

/* "BPFO=3.57,BPFI=5.43" */
static hk_status read_marks(tool_spectrum *s, const char *unit, hk_error *err) {
  const char *text = tool_value(s->args, "mark");
  for (const char *at = text; at && *at;) {
    char piece[80];
    size_t length = strcspn(at, ","), name = strcspn(at, "=,");
    if (s->n_marks == SPECTRUM_MOST_LINES)
      return hk_fail(err, HK_EINPUT, "--mark: at most %d", SPECTRUM_MOST_LINES);
    if (at[name] != '=' || name == 0 || name >= sizeof s->mark[0].name || length - name > 60)
      return hk_fail(err, HK_EINPUT, "--mark: '%.*s' is not NAME=VALUE with a short name",
                     (int)length, at);
    snprintf(piece, sizeof piece, "%.*s", (int)(length - name - 1), at + name + 1);
    hk_status status = tool_quantity(piece, unit, "--mark", &s->mark[s->n_marks].at, err);
    if (status) return status;
    if (!(s->mark[s->n_marks].at > 0))
      return hk_fail(err, HK_EINPUT, "--mark: %s is not positive", piece);
    snprintf(s->mark[s->n_marks++].name, sizeof s->mark[0].name, "%.*s", (int)name, at);
    at += length + (at[length] == ',');
  }
  return HK_OK;
}

/* Finds the mark whose multiple is nearest to a line, within half of the width of a line; "" if
 * there is none. */
static void mark_of(const tool_spectrum *s, const hk_even *e, double f, char text[40]) {
  enum { MOST_HARMONICS = 20 };
  double nearest = 1 / ((double)e->n * e->step);
  text[0] = 0;
  for (int i = 0; i < s->n_marks; i++) {
    double k = round(f / s->mark[i].at), off = fabs(f - k * s->mark[i].at);
    if (k < 1 || k > MOST_HARMONICS || off >= nearest) continue;
    nearest = off;
    if (k > 1)
      snprintf(text, 40, "%g %s", k, s->mark[i].name);
    else
      snprintf(text, 40, "%s", s->mark[i].name);
  }
}

static hk_status read_options(tool_spectrum *s, hk_error *err) {
  const tool_args *a = s->args;
  const char *orders = tool_value(a, "orders"), *speed = tool_value(a, "speed"),
             *track = tool_value(a, "track");
  double peaks = 10;
  s->orders = orders != NULL, s->psd = tool_flag(a, "psd"), s->map = tool_flag(a, "map");
  s->angle = orders ? orders : speed;
  s->x_name = orders ? "order" : "frequency", s->x_unit = orders ? "" : "Hz";
  const char *unit = orders ? "1" : "Hz";
  if (orders && speed) return hk_fail(err, HK_EINPUT, "give either --orders or --speed");
  if (speed && !s->map) return hk_fail(err, HK_EINPUT, "--speed needs --map");
  if (track && !orders)
    return hk_fail(err, HK_EINPUT, "--track needs --orders ANGLE, the angle of the shaft");
  if (s->psd + s->map + (track != NULL) > 1)
    return hk_fail(err, HK_EINPUT, "only one of --psd, --map and --track can be shown");
  hk_status status = positive(a, "window", orders ? "1" : "s", &s->window, err);
  if (!status) status = positive(a, "up-to", unit, &s->highest, err);
  if (!status) status = positive(a, "peaks", "1", &peaks, err);
  if (!status) status = read_numbers(tool_value(a, "at"), "--at", unit, s->at, &s->n_at, err);
  if (!status) status = read_numbers(track, "--track", "1", s->track, &s->n_track, err);
  if (!status) status = read_band(s, err);
  if (!status) status = read_marks(s, unit, err);
  if (!status && peaks > SPECTRUM_MOST_LINES)
    status = hk_fail(err, HK_EINPUT, "--peaks: at most %d", SPECTRUM_MOST_LINES);
  s->peaks = (int)peaks;
  return status;
}

/* Computes the revolutions of the angle; an angular velocity is integrated. */
static hk_status read_turns(tool_spectrum *s, hk_error *err) {
  tool_curves over = {0};
  int channel;
  hk_status status = hk_results_channel(s->file, s->angle, &channel, err);
  if (!status) status = tool_curves_over(&over, s->args, s->file, s->angle, err);
  const char *unit = status ? "" : hk_results_unit(s->file, channel);
  bool rate = strcmp(unit, "rad/s") == 0;
  if (!status && !rate && strcmp(unit, "rad") != 0)
    status = hk_fail(err, HK_EINPUT, "'%s' is in %s; orders need an angle or an angular speed",
                     s->angle, unit[0] ? unit : "no unit");
  if (!status) {
    tool_curve *c = &over.curve[0];
    const double *t = s->curves.curve[0].x;
    double sum = 0, last = 0;
    for (int64_t i = 0; i < c->n; i++) {
      double x = c->x[i];
      if (rate) c->x[i] = i ? (sum += 0.5 * (x + last) * (t[i] - t[i - 1])) : 0;
      last = x;
      c->x[i] /= 2 * M_PI;
    }
    s->turns = c->x;
    c->x = NULL;
    double first = s->turns[0], end = s->turns[c->n - 1];
    if (!(fabs(end - first) > 0))
      status = hk_fail(err, HK_EINPUT, "'%s' does not rotate between --from and --to", s->angle);
  }
  tool_curves_free(&over);
  return status;
}

/* Computes the envelope over time, and over revolutions if orders are requested. */
static hk_status envelope_of(const tool_spectrum *s, const tool_curve *c, double step, hk_even *out,
                             hk_error *why) {
  hk_even e, turns = {0};
  hk_status status = hk_even_make(c->x, c->y, c->n, 0, &e, why);
  if (status) return status;
  const double began = e.x0;
  status = hk_even_envelope(&e, s->band[0], s->band[1], why);
  if (!status && !s->orders) return *out = e, HK_OK;
  if (!status) status = hk_even_make(c->x, s->turns, c->n, e.step, &turns, why);
  if (!status) {
    const int64_t first = (int64_t)lround((e.x0 - began) / e.step);
    status = hk_even_make(turns.y + first, e.y, e.n, step, out, why);
    hk_even_free(&turns);
  }
  hk_even_free(&e);
  return status;
}

hk_status tool_spectrum_even(const tool_spectrum *s, int k, hk_even *out, hk_error *err) {
  const tool_curve *c = &s->curves.curve[k];
  hk_error why = {0};
  double step = s->orders ? hk_orders_step(s->turns, c->n, s->highest) : 0;
  hk_status status = s->band[1] > 0
                         ? envelope_of(s, c, step, out, &why)
                         : hk_even_make(s->orders ? s->turns : c->x, c->y, c->n, step, out, &why);
  return status ? hk_fail(err, status, "'%.200s': %.700s", c->name, why.text) : HK_OK;
}

double tool_spectrum_piece(const tool_spectrum *s, const hk_even *e, double parts) {
  double all = (double)e->n * e->step, piece = s->window > 0 ? s->window : all / parts;
  return s->orders && s->window <= 0 ? fmin(all, fmax(round(piece), 1)) : piece;
}

/* ---- lines ---- */

static void print_lines(const tool_spectrum *s, const tool_curve *c, const hk_even *e,
                        const hk_line *line, int n) {
  double length = (double)e->n * e->step;
  printf("%s [%s]%s%s: %g %s, mean %.6g, rms %.6g\n", c->name, c->unit, s->orders ? " over " : "",
         s->orders ? s->angle : "", length, s->orders ? "turns" : "s", hk_even_mean(e),
         hk_even_rms(e));
  if (s->orders && length < 4 - 1e-6) /* half the width of a line with Hann's window */
    printf("  with so few revolutions, orders less than %.2g apart are not resolved\n", 2 / length);
  printf("  %14s %14s %12s\n", s->orders ? "order" : "frequency [Hz]", "amplitude", "phase [deg]");
  for (int i = 0; i < n; i++) {
    char mark[40];
    mark_of(s, e, line[i].frequency, mark);
    printf("  %14.8g %14.6g %12.2f%s%s\n", line[i].frequency, line[i].amplitude,
           line[i].phase * 180 / M_PI, mark[0] ? "  " : "", mark);
  }
}

static void lines_json(const tool_spectrum *s, tool_json *j, const tool_curve *c, const hk_even *e,
                       const hk_line *line, int n) {
  tool_json_open(j, NULL, '{');
  tool_json_text(j, "channel", c->name);
  tool_json_text(j, "unit", c->unit);
  if (s->orders) tool_json_text(j, "over", s->angle);
  tool_json_real(j, s->orders ? "turns" : "seconds", (double)e->n * e->step);
  tool_json_real(j, "mean", hk_even_mean(e));
  tool_json_real(j, "rms", hk_even_rms(e));
  tool_json_open(j, "lines", '[');
  for (int i = 0; i < n; i++) {
    tool_json_open(j, NULL, '{');
    tool_json_real(j, s->x_name, line[i].frequency);
    tool_json_real(j, "amplitude", line[i].amplitude);
    tool_json_real(j, "phase", line[i].phase);
    char mark[40];
    mark_of(s, e, line[i].frequency, mark);
    if (mark[0]) tool_json_text(j, "mark", mark);
    tool_json_close(j, '}');
  }
  tool_json_close(j, ']');
  tool_json_close(j, '}');
}

static hk_status find_lines(const tool_spectrum *s, const hk_even *e, hk_line *line, int *n,
                            double *last, hk_error *err) {
  double nyquist = 0.5 / e->step, top = s->highest > 0 ? s->highest : nyquist;
  for (*n = 0; *n < s->n_at; ++*n) {
    if (s->at[*n] >= nyquist)
      return hk_fail(err, HK_EINPUT,
                     "--at %g: the rows resolve only up to %.4g; record more rows (output_step)",
                     s->at[*n], nyquist);
    line[*n] = hk_line_at(e, s->at[*n]);
  }
  if (!s->n_at) *n = hk_lines_find(e, 0, top, s->peaks, line);
  if (*n < 0) return hk_fail(err, HK_ENOMEM, "out of memory");
  for (int i = 0; i < *n; i++) *last = fmax(*last, 1.25 * line[i].frequency);
  if (s->highest > 0) *last = s->highest;
  return HK_OK;
}

/* ---- curves: amplitudes or densities ---- */

typedef struct drawing {
  hk_spectrum spectrum[TOOL_MOST_CHANNELS];
  char unit[TOOL_MOST_CHANNELS][160];
  int n;
  double last; /* upper limit of the figure */
} drawing;

static void density_unit(const tool_spectrum *s, const char *unit, char out[160]) {
  const char *per = s->orders ? "" : "/Hz";
  bool plain = !unit[0] || strcmp(unit, "1") == 0, single = strcspn(unit, " */^") == strlen(unit);
  if (plain)
    snprintf(out, 160, "%s", s->orders ? "1" : "1/Hz");
  else
    snprintf(out, 160, single ? "%s^2%s" : "(%s)^2%s", unit, per);
}

static hk_status draw(const tool_spectrum *s, const drawing *d, hk_error *err) {
  hk_plot_series series[TOOL_MOST_CHANNELS];
  hk_plot_panel panel[MOST_PANELS];
  char subtitle[700];
  int n_panels = 0, n_series = 0;
  for (int i = 0; i < d->n; i++) {
    bool seen = false;
    for (int k = 0; k < i; k++) seen |= strcmp(d->unit[k], d->unit[i]) == 0;
    if (seen) continue;
    if (n_panels == MOST_PANELS)
      return hk_fail(err, HK_EINPUT, "channels of more than %d units do not fit in one figure",
                     MOST_PANELS);
    hk_plot_panel *p = &panel[n_panels++];
    *p = (hk_plot_panel){
        .x = {.label = s->x_name, .unit = s->x_unit, .tight = true, .min = 0, .max = d->last},
        .y = {.label = s->psd ? "power density" : "amplitude",
              .unit = d->unit[i],
              .log = tool_flag(s->args, "log") || s->psd},
        .series = &series[n_series]};
    for (int k = i; k < d->n; k++) {
      const hk_spectrum *q = &d->spectrum[k];
      if (strcmp(d->unit[k], d->unit[i]) != 0) continue;
      int64_t n = q->n, from = p->y.log ? 1 : 0;
      while (n > 8 && d->last > 0 && q->frequency[n - 2] > d->last) n--;
      series[n_series++] = (hk_plot_series){.name = s->curves.curve[k].name,
                                            .x = q->frequency + from,
                                            .y = q->amplitude + from,
                                            .n = n - from};
      p->n_series++;
    }
  }
  const char *title = tool_value(s->args, "title"), *output = tool_value(s->args, "output");
  if (s->orders)
    snprintf(subtitle, sizeof subtitle, "%.300s, cycles per revolution of %.300s", s->args->word[0],
             s->angle);
  else
    snprintf(subtitle, sizeof subtitle, "%.600s", s->args->word[0]);
  const hk_plot_figure figure = {
      .title = title ? title : hk_results_attribute_value(s->file, "title"),
      .subtitle = subtitle,
      .panel = panel,
      .n_panels = n_panels,
      .share_x = true};
  hk_status status = output ? tool_figure_save(&figure, output, err) : HK_OK;
  return !status && tool_flag(s->args, "terminal") ? tool_figure_print(&figure, err) : status;
}

static hk_status write_csv(const tool_spectrum *s, const drawing *d, const char *path,
                           hk_error *err) {
  hk_new_file output;
  hk_status opened = hk_new_file_open(&output, path, err);
  if (opened) return opened;
  FILE *out = output.file;
  fprintf(out, "channel,%s [%s],%s\n", s->x_name, s->orders ? "1" : "Hz",
          s->psd ? "density" : "amplitude");
  for (int k = 0; k < d->n; k++)
    for (int64_t i = 0; i < d->spectrum[k].n; i++) {
      if (d->last > 0 && d->spectrum[k].frequency[i] > d->last) break;
      hk_csv_title(out, s->curves.curve[k].name, "");
      tool_table_cell(out, d->spectrum[k].frequency[i]);
      tool_table_cell(out, d->spectrum[k].amplitude[i]);
      fputc('\n', out);
    }
  return hk_new_file_close(&output, HK_OK, err);
}

static void density_json(const tool_spectrum *s, tool_json *j, const tool_curve *c,
                         const hk_even *e, const hk_spectrum *q, const char *unit) {
  int64_t n = q->n;
  while (n > 2 && s->highest > 0 && q->frequency[n - 1] > s->highest) n--;
  tool_json_open(j, NULL, '{');
  tool_json_text(j, "channel", c->name);
  tool_json_text(j, "unit", unit);
  if (s->orders) tool_json_text(j, "over", s->angle);
  tool_json_real(j, "mean", hk_even_mean(e));
  tool_json_real(j, "rms", hk_even_rms(e));
  hk_json_reals(j, s->x_name, q->frequency, (int)n);
  hk_json_reals(j, "density", q->amplitude, (int)n);
  tool_json_close(j, '}');
}

/* Analyses one channel for the default analysis and for --psd. */
static hk_status one(const tool_spectrum *s, int k, drawing *d, tool_json *j, hk_error *err) {
  const tool_curve *c = &s->curves.curve[k];
  hk_even e;
  hk_line line[SPECTRUM_MOST_LINES];
  int n = 0;
  bool json = tool_flag(s->args, "json");
  hk_status status = tool_spectrum_even(s, k, &e, err);
  if (status) return status;
  if (s->orders) hk_even_trim(&e, 1);
  hk_spectrum *q = &d->spectrum[d->n];
  snprintf(d->unit[d->n], sizeof d->unit[0], "%s", c->unit);
  if (s->psd) {
    density_unit(s, c->unit, d->unit[d->n]);
    status = hk_lines_density(&e, tool_spectrum_piece(s, &e, 8), q, err);
    d->last = s->highest > 0 ? s->highest : 0.5 / e.step;
  } else {
    status = find_lines(s, &e, line, &n, &d->last, err);
    if (!status) status = hk_lines_spectrum(&e, q, err);
  }
  if (!status) d->n++;
  if (!status && json && s->psd) density_json(s, j, c, &e, q, d->unit[d->n - 1]);
  if (!status && json && !s->psd) lines_json(s, j, c, &e, line, n);
  if (!status && !json && !s->psd) print_lines(s, c, &e, line, n);
  if (!status && !json && s->psd)
    printf("%s [%s]: mean %.6g, rms %.6g, bins of %.4g %s\n", c->name, d->unit[d->n - 1],
           hk_even_mean(&e), hk_even_rms(&e), q->frequency[1], s->orders ? "orders" : "Hz");
  hk_even_free(&e);
  return status;
}

static hk_status all_channels(const tool_spectrum *s, hk_error *err) {
  drawing *d = calloc(1, sizeof *d);
  tool_json j = {.out = stdout};
  bool json = tool_flag(s->args, "json");
  const char *csv = tool_value(s->args, "csv");
  if (!d) return hk_fail(err, HK_ENOMEM, "out of memory");
  hk_status status = HK_OK;
  /* Computes all channels first, so that an error is reported before anything is printed. */
  for (int k = 0; k < s->curves.n && !status; k++) {
    hk_even e;
    status = tool_spectrum_even(s, k, &e, err);
    if (!status) hk_even_free(&e);
  }
  if (json && !status)
    tool_json_open(&j, NULL, '{'), tool_json_open(&j, s->psd ? "densities" : "spectra", '[');
  bool opened = json && !status;
  for (int k = 0; k < s->curves.n && !status; k++) status = one(s, k, d, &j, err);
  if (opened) {
    tool_json_close(&j, ']');
    tool_json_close(&j, '}');
    putchar('\n');
  }
  if (!status && csv) status = write_csv(s, d, csv, err);
  if (!status && (tool_value(s->args, "output") || tool_flag(s->args, "terminal")))
    status = draw(s, d, err);
  for (int k = 0; k < d->n; k++) hk_spectrum_free(&d->spectrum[k]);
  free(d);
  return status;
}

/* ---- the command ---- */

static int run(const tool_args *args) {
  tool_spectrum s = {.args = args};
  hk_error err = {0};
  hk_status status = read_options(&s, &err);
  if (!status) status = tool_results_open(args, 0, &s.file, &err);
  if (!status) status = tool_curves_over(&s.curves, args, s.file, NULL, &err);
  for (int i = 0; i < s.curves.n && !status; i++) tool_curve_holes(&s.curves.curve[i]);
  if (!status && s.angle) status = read_turns(&s, &err);
  if (!status)
    status = s.map       ? tool_spectrum_map(&s, &err)
             : s.n_track ? tool_spectrum_track(&s, &err)
                         : all_channels(&s, &err);
  if (status) tool_error("%s", err.text);
  free(s.turns);
  tool_curves_free(&s.curves);
  hk_results_destroy(s.file);
  return tool_exit_code(status);
}

static const tool_option options[] = {
    {0, "channels", "NAME,NAME", "these channels", false},
    {0, "match", "REGEX", "channels with names that match this POSIX extended regular expression",
     false},
    {0, "orders", "ANGLE",
     "over revolutions of this angle, or of this angular velocity, instead of time", false},
    {0, "at", "LIST",
     "the lines at these frequencies or orders, such as 57,114, instead of the largest", false},
    {0, "envelope", "LOW:HIGH",
     "spectrum of the envelope of this frequency band, such as \"2000:6000 Hz\": it shows "
     "modulation by a defect",
     false},
    {0, "mark", "NAME=VALUE,...",
     "name the lines at multiples of these frequencies or orders, such as BPFO=3.568", false},
    {0, "peaks", "N", "number of largest lines to show; default 10", false},
    {0, "psd", NULL, "power density instead of lines", false},
    {0, "map", NULL,
     "spectra of pieces of the run as colours: over time, or over the speed of an angle", false},
    {0, "speed", "ANGLE",
     "with --map: frequencies over the speed of this angle, as in a Campbell diagram", false},
    {0, "track", "LIST", "amplitudes of these orders over the speed of the angle", false},
    {0, "window", "LENGTH",
     "length of a piece for --psd, --map and --track, such as \"0.2 s\", or in revolutions", false},
    {0, "up-to", "HIGHEST", "largest frequency, such as \"500 Hz\", or order", false},
    {0, "from", "TIME", "from this time on, such as \"0.5 s\"", false},
    {0, "to", "TIME", "up to this time", false},
    TOOL_UNIT_OPTION,
    {'o', "output", "FILE.svg", "figure file: .svg, .png or .pdf; \"-\": standard output", false},
    {0, "terminal", NULL, "show the figure as text in the terminal", false},
    {0, "log", NULL, "logarithmic amplitudes; in maps decibels below the largest", false},
    {0, "title", "TEXT", "title of the figure; else that of the model", false},
    {0, "csv", "FILE", "write a table; \"-\": standard output", false},
    {0, "json", NULL, "print as one JSON object", false},
};

const tool_command tool_command_spectrum = {
    .name = "spectrum",
    .arguments = "RESULTS",
    .summary = "frequencies and orders of channels",
    .text =
        "Prints the largest lines of channels of a results file: frequency, amplitude of the sine "
        "and its "
        "phase, or with --orders cycles per revolution of a shaft, after resampling over its "
        "angle, for all complete revolutions. --at selects certain lines. --psd shows power "
        "densities "
        "(Welch), "
        "--map how spectra change over a run (waterfall), --track certain orders over the speed of "
        "a "
        "run-up.\n"
        "\n"
        "--envelope shows how the amplitude of the vibration within a frequency band changes "
        "(band-pass "
        "and Hilbert transform); this is the usual way to find defects of bearings and gears. "
        "--mark names "
        "the lines at multiples of known frequencies, such as those that `hooke bearing` prints.\n"
        "\n"
        "The mean is removed and a Hann window is applied. The largest frequency is half the rate "
        "at which rows were recorded: see output_step.\n"
        "\n"
        "With --json, standard output is one object:\n"
        "\n"
        "  {\"spectra\": [{\"channel\": name, \"unit\": text, \"over\": angle, \"turns\" | "
        "\"seconds\": n,\n"
        "    \"mean\": y, \"rms\": y, \"lines\": [{\"order\" | \"frequency\": f, \"amplitude\": a, "
        "\"phase\": rad,\n"
        "    \"mark\" (with --mark): text}]}]}\n"
        "  --psd:   {\"densities\": [{\"channel\": ..., \"frequency\" | \"order\": [...], "
        "\"density\": [...]}]}\n"
        "  --map:   {\"maps\": [{\"channel\": ..., \"time\": [...], \"speed\": [...], "
        "\"frequency\" | \"order\":\n"
        "    [...], \"amplitude\": [[...], ...]}]}, a row for each time; speeds in rad/s\n"
        "  --track: {\"tracks\": [{\"channel\": ..., \"time\": [...], \"speed\": [...], "
        "\"orders\":\n"
        "    [{\"order\": n, \"amplitude\": [...]}]}]}\n"
        "\n"
        "Exit status: 0 done, 2 not a results file, no such channel, too few rows.\n"
        "\n"
        "Examples:\n"
        "\n"
        "  hooke spectrum out.h5 --channels shaft.z --orders shaft.angle --json\n"
        "  hooke spectrum out.h5 --channels mesh.error --orders pinion.angle --at 57,114,171\n"
        "  hooke spectrum out.h5 --channels body.az --psd --window \"0.5 s\" -o psd.svg\n"
        "  hooke spectrum spall.h5 --channels housing.ax --envelope \"2000:6000 Hz\" --mark "
        "BPFO=89 Hz\n"
        "  hooke spectrum runup.h5 --channels case.z --map --orders shaft.angle -o waterfall.png\n",
    TOOL_OPTIONS(options),
    .min_words = 1,
    .max_words = 1,
    .run = run,
};
