/* hooke locus: eigenvalues over a parameter, as root locus or Campbell diagram. */
#include "study/eigen_sweep.h"
#include "base/file.h"
#include "results/csv.h"
#include "figure.h"
#include "expr/units.h"
#include "linear.h"
#include "quantity.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DEFAULT_POINTS = 41, MOST_LINES = 8 };

typedef struct locus {
  char path[300], unit[64]; /* path and unit of the parameter */
  double first, last;
  int n;
  /* factor from the unit of the parameter to rad/s; 0: the parameter is not a speed */
  double speed;
  hk_eigen_sweep sweep;
  hk_diag diag;
  const char *title;
  double order[MOST_LINES]; /* lines over a speed */
  int n_orders;
} locus;

/* ---- arguments ---- */

static hk_status read_axis(const char *text, locus *s, hk_error *err) {
  const char *equal = text ? strchr(text, '=') : NULL;
  if (!equal || equal == text || (size_t)(equal - text) >= sizeof s->path)
    return hk_fail(err, HK_EINPUT,
                   "no parameter to vary; give --over PATH=FIRST:LAST:COUNT, such as --over "
                   "\"speed=0:6000:61 rpm\"");
  snprintf(s->path, sizeof s->path, "%.*s", (int)(equal - text), text);
  s->n = DEFAULT_POINTS;
  hk_status status =
      tool_range(equal + 1, NULL, "--over", &s->first, &s->last, &s->n, s->unit, err);
  if (status || !s->unit[0]) return status;
  hk_unit unit, speed;
  hk_error why = {0};
  if (hk_unit_parse(s->unit, strlen(s->unit), &unit, &why))
    return hk_fail(err, HK_EINPUT, "--over '%s': %s", text, why.text);
  if (!hk_unit_parse("rad/s", 5, &speed, err) && hk_dim_equal(unit.dim, speed.dim))
    s->speed = unit.factor;
  return HK_OK;
}

static hk_status read_limit(const char *text, double *limit, hk_error *err) {
  char *unit;
  double factor, value = strtod(text, &unit);
  if (unit == text || !(value > 0) || !isfinite(value))
    return hk_fail(err, HK_EINPUT, "--up-to needs a frequency, such as \"200 Hz\", not '%s'", text);
  hk_status status = tool_frequency_unit(unit + strspn(unit, " \t"), "--up-to", &factor, err);
  *limit = value * factor;
  return status;
}

static hk_status read_orders(const char *text, locus *s, hk_error *err) {
  if (text && !(s->speed > 0))
    return hk_fail(err, HK_EINPUT, "--orders needs a speed: --over \"speed=0:3000 rpm\"");
  for (const char *at = text ? text : "1,2,3"; *at;) {
    char *end;
    double order = strtod(at, &end);
    if (end == at || (*end && *end != ',') || !(order > 0) || !isfinite(order))
      return hk_fail(err, HK_EINPUT, "--orders needs positive numbers, such as 1,3,6, not '%s'",
                     text);
    if (s->n_orders == MOST_LINES)
      return hk_fail(err, HK_EINPUT, "--orders: at most %d numbers", MOST_LINES);
    s->order[s->n_orders++] = order;
    at = end + (*end == ',');
  }
  return HK_OK;
}

static hk_status compute(locus *s, const tool_args *args, hk_error *err) {
  tool_overrides o = {0};
  const char *at = tool_value(args, "at");
  hk_operating_point point = {.mode = at ? HK_OPERATE_AT : HK_OPERATE_STATIC};
  if (strcmp(args->word[0], "-") == 0)
    return hk_fail(err, HK_EINPUT,
                   "the model is read once per point, so it must be a file, not standard input");
  hk_status status = at ? tool_quantity(at, "s", "--at", &point.at, err) : HK_OK;
  if (!status) status = tool_overrides_read(&o, args, &s->diag);
  if (status == HK_ENOMEM) hk_fail(err, status, "out of memory");
  double *value = calloc((size_t)s->n + 1, sizeof *value);
  if (!status && !value) status = hk_fail(err, HK_ENOMEM, "out of memory");
  if (!status) {
    for (int i = 0; i < s->n; i++)
      value[i] = i == s->n - 1 ? s->last : s->first + i * (s->last - s->first) / (s->n - 1);
    status = hk_eigen_sweep_init(&s->sweep, value, s->n, err);
  }
  const hk_sweep_axis axis = {s->path, s->unit};
  if (!status)
    status = hk_eigen_sweep_run(&s->sweep, args->types, args->word[0], o.set, o.n, &axis, &point,
                                &s->diag, err);
  free(value);
  tool_overrides_free(&o);
  return status;
}

/* ---- figure ---- */

/* Returns true if a branch is drawn over the parameter. Of a conjugate pair only the branch with
 * positive imaginary part is drawn. Branches that stay at zero (free motions) and branches that
 * are above the limit [rad/s] everywhere are omitted. Over a speed, branches that decay within
 * one oscillation are omitted too: because of rotating damping, their frequency is the speed of
 * the shaft itself. */
static bool shown_over(const hk_branch *b, int n, double limit, bool swings) {
  double sum = 0, size = 0;
  bool inside = false;
  int dead = 0, known = 0;
  for (int i = 0; i < n; i++) {
    if (isnan(b->im[i])) continue;
    sum += b->im[i];
    size = fmax(size, hypot(b->re[i], b->im[i]));
    inside |= limit <= 0 || b->im[i] <= limit;
    known++;
    dead += -b->re[i] > 0.7 * hypot(b->re[i], b->im[i]);
  }
  return sum >= 0 && size > 0 && inside && !(swings && dead == known);
}

static double largest(const hk_eigen_sweep *w) {
  double size = 0;
  for (int k = 0; k < w->n_branches; k++)
    for (int i = 0; i < w->n; i++)
      if (!isnan(w->branch[k].re[i]))
        size = fmax(size, hypot(w->branch[k].re[i], w->branch[k].im[i]));
  return size;
}

typedef struct drawing {
  hk_plot_series *complex_plane, *real, *imag;
  int n_plane, n_real, n_imag;
  double *hz, *re, *line; /* number of curves: frequencies, real parts, multiples of the speed */
  bool damped;            /* at least one real part is larger than round-off */
  char (*name)[24];
  char label[MOST_LINES][32];
  hk_plot_note note[MOST_LINES];
  int n_notes;
} drawing;

/* Adds the second branch of each pair of branches that meet on the real axis and separate there: their real parts
 * differ. */
static void add_real_partners(drawing *d, const hk_eigen_sweep *w, double size, int *shown) {
  for (int k = 0; k < w->n_branches; k++) {
    double *re = d->re + (size_t)k * (size_t)w->n;
    bool own = false;
    for (int i = 0; i < w->n; i++) own |= fabs(re[i]) > 0;
    for (int q = 0; q < d->n_real && own; q++) {
      own = false;
      for (int i = 0; i < w->n; i++) own |= fabs(re[i] - d->real[q].y[i]) > 1e-6 * size;
    }
    if (!own) continue;
    snprintf(d->name[k], sizeof d->name[k], "mode %d", ++*shown);
    d->real[d->n_real++] = (hk_plot_series){.name = d->name[k],
                                            .x = w->parameter,
                                            .y = re,
                                            .n = w->n,
                                            .colour = HK_COLOUR_FIRST + *shown - 1,
                                            .line = HK_LINE_DASHED};
  }
}

static hk_status prepare(drawing *d, const locus *s, double limit, hk_error *err) {
  const hk_eigen_sweep *w = &s->sweep;
  size_t b = (size_t)w->n_branches, n = (size_t)w->n;
  d->complex_plane = calloc(3 * b + 1, sizeof *d->complex_plane);
  d->real = calloc(b + 1, sizeof *d->real);
  d->imag = calloc(b + MOST_LINES + 1, sizeof *d->imag);
  d->hz = malloc((b * n + 1) * sizeof *d->hz);
  d->re = malloc((b * n + 1) * sizeof *d->re);
  d->line = malloc((MOST_LINES * n + 1) * sizeof *d->line);
  d->name = calloc(b + 1, sizeof *d->name);
  if (!d->complex_plane || !d->real || !d->imag || !d->hz || !d->re || !d->line || !d->name)
    return hk_fail(err, HK_ENOMEM, "out of memory");
  int shown = 0;
  double size = largest(w);
  for (size_t k = 0; k < b; k++) {
    const hk_branch *r = &w->branch[k];
    d->complex_plane[d->n_plane++] =
        (hk_plot_series){.x = r->re, .y = r->im, .n = w->n, .colour = HK_COLOUR_GREY, .width = 0.8};
    for (size_t i = 0; i < n; i++) {
      d->hz[k * n + i] = r->im[i] / (2 * M_PI);
      d->re[k * n + i] = r->re[i];
      if (fabs(d->re[k * n + i]) > 0) d->damped = true;
    }
    if (!shown_over(r, w->n, limit * 2 * M_PI, s->speed > 0)) continue;
    int colour = HK_COLOUR_FIRST + shown++;
    snprintf(d->name[k], sizeof d->name[k], "mode %d", shown);
    d->real[d->n_real++] = (hk_plot_series){
        .name = d->name[k], .x = w->parameter, .y = d->re + k * n, .n = w->n, .colour = colour};
    d->imag[d->n_imag++] = (hk_plot_series){.name = d->name[k],
                                            .x = w->parameter,
                                            .y = s->speed > 0 ? d->hz + k * n : r->im,
                                            .n = w->n,
                                            .colour = colour};
  }
  if (!(s->speed > 0)) add_real_partners(d, w, size, &shown);
  for (size_t k = 0; k < b; k++) {
    const hk_branch *r = &w->branch[k];
    d->complex_plane[d->n_plane++] = (hk_plot_series){.x = r->re,
                                                      .y = r->im,
                                                      .n = w->n,
                                                      .shade = w->parameter,
                                                      .line = HK_LINE_NONE,
                                                      .marker = HK_MARKER_DOT};
  }
  for (size_t k = 0; k < b; k++) { /* start index of each */
    const hk_branch *r = &w->branch[k];
    d->complex_plane[d->n_plane++] = (hk_plot_series){.x = r->re,
                                                      .y = r->im,
                                                      .n = 1,
                                                      .line = HK_LINE_NONE,
                                                      .marker = HK_MARKER_CROSS,
                                                      .colour = HK_COLOUR_GREY};
  }
  return HK_OK;
}

static double highest(const drawing *d, int n) {
  double high = 0;
  for (int k = 0; k < d->n_imag; k++)
    for (int i = 0; i < n; i++)
      if (d->imag[k].y[i] > high) high = d->imag[k].y[i];
  return high;
}

/* Lines at multiples of the speed: at an intersection with a mode, an excitation of this order meets a resonance. */
static void add_speed_lines(drawing *d, const locus *s, double top) {
  const hk_eigen_sweep *w = &s->sweep;
  for (int k = 0; k < s->n_orders; k++) {
    double *y = d->line + (size_t)k * (size_t)w->n, at_x = NAN, at_y = NAN;
    for (int i = 0; i < w->n; i++) {
      y[i] = s->order[k] * fabs(w->parameter[i]) * s->speed / (2 * M_PI);
      if (y[i] <= top) at_x = w->parameter[i], at_y = y[i];
    }
    d->imag[d->n_imag++] = (hk_plot_series){.x = w->parameter,
                                            .y = y,
                                            .n = w->n,
                                            .line = HK_LINE_DASHED,
                                            .colour = HK_COLOUR_GREY,
                                            .width = 1};
    snprintf(d->label[k], sizeof d->label[k], "%g\xC3\x97", s->order[k]);
    if (!isnan(at_x)) d->note[d->n_notes++] = (hk_plot_note){at_x, at_y, d->label[k]};
  }
}

static hk_status draw(const locus *s, const char *model, const char *path, double limit,
                      hk_error *err) {
  const hk_plot_axis over = {.label = s->path, .unit = s->unit, .tight = true};
  drawing d = {0};
  hk_status status = prepare(&d, s, limit, err);
  hk_plot_panel panel[3];
  int n = 0;
  if (!status && s->speed > 0) {
    double top = limit > 0 ? limit : highest(&d, s->n) * 1.05;
    add_speed_lines(&d, s, top);
    panel[n++] = (hk_plot_panel){.x = over,
                                 .y = {.label = "frequency", .unit = "Hz", .min = 0, .max = top},
                                 .series = d.imag,
                                 .n_series = d.n_imag,
                                 .note = d.note,
                                 .n_notes = d.n_notes};
    if (d.damped)
      panel[n++] = (hk_plot_panel){.x = over,
                                   .y = {.label = "real part", .unit = "1/s"},
                                   .series = d.real,
                                   .n_series = d.n_real,
                                   .zero_lines = true};
  } else if (!status) {
    double top = limit * 2 * M_PI;
    panel[n++] =
        (hk_plot_panel){.x = {.label = "real part", .unit = "1/s"},
                        .y = {.label = "imaginary part", .unit = "rad/s", .min = -top, .max = top},
                        .series = d.complex_plane,
                        .n_series = d.n_plane,
                        .zero_lines = true,
                        .shade_label = s->path,
                        .shade_unit = s->unit};
    panel[n++] = (hk_plot_panel){.x = over,
                                 .y = {.label = "real part", .unit = "1/s"},
                                 .series = d.real,
                                 .n_series = d.n_real,
                                 .zero_lines = true};
    panel[n++] =
        (hk_plot_panel){.x = over,
                        .y = {.label = "imaginary part", .unit = "rad/s", .min = 0, .max = top},
                        .series = d.imag,
                        .n_series = d.n_imag};
    if (limit <= 0) panel[0].y.min = panel[0].y.max = panel[2].y.max = 0;
  }
  const hk_plot_figure figure = {.title = s->speed > 0 ? "Campbell diagram" : "Root locus",
                                 .subtitle = s->title && s->title[0] ? s->title : model,
                                 .panel = panel,
                                 .n_panels = n,
                                 .columns = n,
                                 .width = n == 1   ? 700
                                          : n == 2 ? 1000
                                                   : 1320,
                                 .panel_height = n == 1 ? 400 : 0};
  if (!status) status = tool_figure_save(&figure, path, err);
  free(d.complex_plane);
  free(d.real);
  free(d.imag);
  free(d.hz);
  free(d.re);
  free(d.line);
  free(d.name);
  return status;
}

/* ---- tables ---- */

static hk_status write_csv(const locus *s, const char *path, hk_error *err) {
  const hk_eigen_sweep *w = &s->sweep;
  hk_new_file output;
  hk_status opened = hk_new_file_open(&output, path, err);
  if (opened) return opened;
  FILE *out = output.file;
  fprintf(out, "%s [%s],mode,re [1/s],im [rad/s],frequency [Hz],damping [1],mac [1]\n", s->path,
          s->unit[0] ? s->unit : "1");
  for (int k = 0; k < w->n_branches; k++)
    for (int i = 0; i < w->n; i++) {
      const hk_branch *b = &w->branch[k];
      if (isnan(b->re[i])) continue;
      double size = hypot(b->re[i], b->im[i]);
      const double cell[] = {b->re[i], b->im[i], size / (2 * M_PI),
                             size > 0 ? 0 - b->re[i] / size : 0, b->mac[i]};
      char text[HK_CSV_NUMBER_SIZE];
      hk_csv_number(text, w->parameter[i]);
      fprintf(out, "%s,%d", text, k + 1);
      for (int c = 0; c < 5; c++) tool_table_cell(out, cell[c]);
      fputc('\n', out);
    }
  return hk_new_file_close(&output, HK_OK, err);
}

static void print_json(const locus *s, const char *error) {
  const hk_eigen_sweep *w = &s->sweep;
  tool_json j = {.out = stdout};
  tool_json_open(&j, NULL, '{');
  tool_json_text(&j, "status", error ? "failed" : "ok");
  if (error) tool_json_text(&j, "error", error);
  tool_json_text(&j, "parameter", s->path);
  tool_json_text(&j, "unit", s->unit);
  tool_json_list(&j, "values", w->parameter, w->parameter ? w->n : 0, 1);
  tool_json_int(&j, "failed_points", w->n_failed);
  tool_json_open(&j, "branches", '[');
  for (int k = 0; k < w->n_branches; k++) {
    tool_json_open(&j, NULL, '{');
    tool_json_list(&j, "re", w->branch[k].re, w->n, 1);
    tool_json_list(&j, "im", w->branch[k].im, w->n, 1);
    tool_json_list(&j, "mac", w->branch[k].mac, w->n, 1);
    tool_json_close(&j, '}');
  }
  tool_json_close(&j, ']');
  tool_linear_json_messages(&j, &s->diag);
  tool_json_close(&j, '}');
  putchar('\n');
}

/* Returns the branch with the fastest growth at a point; -1: no branch grows. */
static int growing(const hk_eigen_sweep *w, int i) {
  int most = -1;
  for (int k = 0; k < w->n_branches; k++)
    if (w->branch[k].re[i] > (most < 0 ? 0 : w->branch[most].re[i])) most = k;
  return most;
}

/* Prints the speeds at which the real part of the growing branch crosses zero, by linear
 * interpolation.  Free motions, with a real part of zero, are excluded. */
static void print_stability(const locus *s) {
  const hk_eigen_sweep *w = &s->sweep;
  /* the branch with the fastest growth at the last computed point, and the index of this point */
  int before = -1, last = -1;
  printf("%d points, %d branches\n", w->n - w->n_failed, w->n_branches);
  for (int i = 0; i < w->n; i++) {
    bool there = false;
    for (int k = 0; k < w->n_branches; k++) there = there || isfinite(w->branch[k].re[i]);
    if (!there) continue;
    int now = growing(w, i);
    double at = w->parameter[i];
    if (last >= 0 && (now < 0) != (before < 0)) {
      const double *re = w->branch[now < 0 ? before : now].re;
      if ((re[i] > 0) != (re[last] > 0) && isfinite(re[i]) && isfinite(re[last]))
        at -= (at - w->parameter[last]) * re[i] / (re[i] - re[last]);
    }
    if (last < 0 || (now < 0) != (before < 0))
      printf("%s %s = %.6g %s: %s\n", last < 0 ? "at" : "from", s->path, at, s->unit,
             now < 0 ? "no growing mode" : "unstable");
    before = now, last = i;
  }
}

/* ---- command ---- */

static const char *read_title(const tool_args *args, hk_model **keep) {
  hk_diag diag;
  hk_diag_init(&diag);
  hk_spec *spec = hk_model_file_read_with(args->types, args->word[0], NULL, 0, &diag);
  *keep = spec ? hk_model_compile(spec, &diag) : NULL;
  hk_diag_free(&diag);
  return *keep ? hk_model_title(*keep) : NULL;
}

static int run(const tool_args *args) {
  locus s = {0};
  hk_error err = {0};
  hk_model *model = NULL;
  double limit = 0;
  const char *figure = tool_value(args, "output"), *csv = tool_value(args, "csv"),
             *up_to = tool_value(args, "up-to");
  hk_diag_init(&s.diag);
  hk_status status = read_axis(tool_value(args, "over"), &s, &err);
  if (!status && up_to) status = read_limit(up_to, &limit, &err);
  if (!status) status = read_orders(tool_value(args, "orders"), &s, &err);
  if (status) {
    tool_error("%s", err.text);
    return EXIT_BAD_INPUT;
  }
  status = compute(&s, args, &err);
  if (!status && s.sweep.n_failed)
    hk_diag_add(&s.diag, HK_WARNING, &s.sweep.first_place,
                "%d of %d points are omitted; reason of the first: %s", s.sweep.n_failed, s.n,
                s.sweep.first_failure.text);
  if (!status && figure) {
    s.title = read_title(args, &model);
    status = draw(&s, args->word[0], figure, limit, &err);
  }
  if (!status && csv) status = write_csv(&s, csv, &err);
  if (status && s.diag.n_errors == 0)
    hk_diag_add(&s.diag, HK_ERROR, &(hk_location){"hooke", 0, 0}, "%s", err.text);
  tool_print_diag(&s.diag, 0);
  char *error = status ? tool_first_error(&s.diag) : NULL;
  if (tool_flag(args, "json"))
    print_json(&s, status && !error ? "out of memory" : error);
  else if (!status && !tool_output_taken(args))
    print_stability(&s);
  free(error);
  hk_model_destroy(model);
  hk_eigen_sweep_free(&s.sweep);
  hk_diag_free(&s.diag);
  return tool_exit_code(status);
}

static const tool_option options[] = {
    {0, "over", "PATH=RANGE",
     "value of the model to change and its range, FIRST:LAST or FIRST:LAST:COUNT followed by a "
     "unit: \"torque=0:10:41 N*m\"",
     false},
    {'o', "output", "FILE.svg", "draw the eigenvalues as SVG, PNG or PDF by its name", false},
    {0, "up-to", "FREQUENCY", "draw modes up to this frequency, such as \"200 Hz\"", false},
    {0, "orders", "LIST", "over a speed: lines of these multiples of it instead of 1,2,3", false},
    {0, "csv", "FILE", "write a table; \"-\": standard output", false},
    TOOL_SET_OPTION,
    TOOL_AT_OPTION,
    {0, "json", NULL, "print as one JSON object", false},
};

const tool_command tool_command_locus = {
    .name = "locus",
    .arguments = "MODEL",
    .summary = "eigenvalues over a parameter: root locus, Campbell diagram",
    .text =
        "Reads the model again for each value of one parameter, linearises it about its "
        "equilibrium (with --at: about a steady motion) and tracks each eigenvalue by the "
        "similarity of its mode shapes (MAC), so that crossing branches are not confused. "
        "Prints where the model becomes unstable. The figure is a root locus: the complex plane "
        "coloured by the parameter, and real and imaginary parts over it. If the parameter is an "
        "angular speed it is a Campbell diagram: frequencies over speed, with lines of one, two "
        "and three times the speed.\n"
        "\n"
        "With --json, standard output is one object:\n"
        "\n"
        "  {\"status\": \"ok\" | \"failed\", \"error\": text if failed, \"parameter\": path,\n"
        "   \"unit\": unit, \"values\": [value], \"failed_points\": n,\n"
        "   \"branches\": [{\"re\": [1/s], \"im\": [rad/s], \"mac\": [number or null]}],\n"
        "   \"errors\": [text], \"warnings\": [text], \"notes\": [text]}\n"
        "\n"
        "Exit status: 0 done (also if unstable), 1 failed (no equilibrium was found), 2 bad "
        "input.\n"
        "\n"
        "Examples:\n"
        "\n"
        "  hooke locus point.yaml --over \"torque=0:10:41 N*m\" -o locus.svg\n"
        "  hooke locus rotor.yaml --over \"speed=0:9000:61 rpm\" --at 0 -o campbell.svg\n",
    TOOL_OPTIONS(options),
    .min_words = 1,
    .max_words = 1,
    .run = run,
};
