/* hooke fit: parameters of a model from measured curves. */
#include "base/file.h"
#include "figure.h"
#include "linear.h"
#include "orbit.h"
#include "quantity.h"
#include "results/csv.h"
#include "study/fit.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PANELS = 8, MANY = 150 /* curves of single points, which are drawn smaller */ };
/* Two limits of correlations. First value: a larger correlation of two parameters is printed. Second value: if the
 * residuals are only noise, the correlation of successive residuals is below this value. */
static const double CORRELATED = 0.9, NOISE = 0.5;

typedef struct fitting {
  const tool_args *args;
  hk_diag diag;
  hk_error err;
  hk_fit fit;
  tool_overrides overrides;
  tool_counter counter;
} fitting;

/* ---- arguments ---- */

static hk_status read_parameter(const char *text, hk_fit_parameter *p, hk_error *err) {
  const char *equal = strchr(text, '=');
  size_t length = equal ? (size_t)(equal - text) : 0;
  while (length > 0 && text[length - 1] == ' ') length--;
  if (length == 0 || length >= sizeof p->path)
    return hk_fail(err, HK_EINPUT,
                   "--vary needs PATH=LOW:HIGH, such as \"k = 50:200 N/m\", not '%s'", text);
  snprintf(p->path, sizeof p->path, "%.*s", (int)length, text);
  hk_status status = tool_range(equal + 1 + strspn(equal + 1, " "), NULL, "--vary", &p->low,
                                &p->high, NULL, p->unit, err);
  if (status) return status;
  if (p->low < p->high) return HK_OK;
  return hk_fail(err, HK_EINPUT,
                 "--vary %s: the lower bound %.6g is not below the upper bound %.6g", p->path,
                 p->low, p->high);
}

static hk_status read_parameters(fitting *w) {
  const char **text = calloc((size_t)w->args->n_given + 1, sizeof *text);
  hk_fit *f = &w->fit;
  f->parameter = calloc((size_t)w->args->n_given + 1, sizeof *f->parameter);
  hk_status status = text && f->parameter ? HK_OK : hk_fail(&w->err, HK_ENOMEM, "out of memory");
  int n = status ? 0 : tool_values(w->args, "vary", text);
  if (!status && n == 0)
    status = hk_fail(&w->err, HK_EINPUT,
                     "no parameters; give --vary PATH=LOW:HIGH, such as --vary \"k = 50:200 "
                     "N/m\"");
  for (int i = 0; i < n && !status; i++) {
    status = read_parameter(text[i], &f->parameter[i], &w->err);
    for (int k = 0; k < i && !status; k++)
      if (strcmp(f->parameter[i].path, f->parameter[k].path) == 0)
        status = hk_fail(&w->err, HK_EINPUT, "--vary names '%s' twice", f->parameter[i].path);
  }
  f->n_parameters = n;
  free(text);
  return status;
}

static hk_status read_matches(fitting *w) {
  const char **text = calloc((size_t)w->args->n_given + 1, sizeof *text);
  hk_fit *f = &w->fit;
  int n = text ? tool_values(w->args, "match", text) : 0;
  if (n) f->curve = calloc((size_t)n, sizeof *f->curve);
  hk_status status =
      text && (!n || f->curve) ? HK_OK : hk_fail(&w->err, HK_ENOMEM, "out of memory");
  for (int i = 0; i < n && !status; i++) {
    hk_fit_curve *c = &f->curve[i];
    const char *equal = strrchr(text[i], '=');
    if (!equal || equal == text[i] || !equal[1] || (size_t)(equal - text[i]) >= sizeof c->column ||
        strlen(equal) > sizeof c->channel)
      status = hk_fail(&w->err, HK_EINPUT,
                       "--match needs COLUMN=CHANNEL, such as \"angle = disc.angle\", not '%s'",
                       text[i]);
    if (status) break;
    int length = (int)(equal - text[i]);
    while (length > 0 && text[i][length - 1] == ' ') length--;
    snprintf(c->column, sizeof c->column, "%.*s", length, text[i]);
    snprintf(c->channel, sizeof c->channel, "%.299s", equal + 1 + strspn(equal + 1, " "));
    f->n_curves = i + 1;
  }
  free(text);
  return status;
}

static bool goes_on(void *context, int runs) {
  fitting *w = context;
  tool_counter_draw(&w->counter, runs, runs);
  return tool_stop_signal() == 0;
}

static hk_status read_arguments(fitting *w) {
  const tool_args *args = w->args;
  const char *starts = tool_value(args, "starts");
  hk_fit *f = &w->fit;
  f->model_path = args->word[0];
  f->data_path = tool_value(args, "data");
  f->input = tool_value(args, "from");
  f->types = args->types;
  f->go_on = goes_on;
  f->context = w;
  if (strcmp(f->model_path, "-") == 0)
    return hk_fail(&w->err, HK_EINPUT,
                   "the model is read once per run, so it must be a file, not standard input");
  if (!f->data_path)
    return hk_fail(&w->err, HK_EINPUT,
                   "no measured curves; give --data FILE.csv, with a time or a frequency in the "
                   "first column");
  hk_status status =
      starts ? tool_count(starts, "--starts", 1, 100000, &f->starts, &w->err) : HK_OK;
  if (!status) status = read_parameters(w);
  if (!status) status = read_matches(w);
  if (!status) status = tool_overrides_read(&w->overrides, args, &w->diag);
  f->set = w->overrides.set;
  f->n_set = w->overrides.n;
  return status;
}

/* Reads the model once with its own parameter values, to get the names of channels and all input files. */
static hk_status read_data(fitting *w) {
  hk_fit *f = &w->fit;
  hk_spec *spec = hk_model_file_read_with(f->types, f->model_path, f->set, f->n_set, &w->diag);
  hk_model *m = spec ? hk_model_compile(spec, &w->diag) : NULL;
  hk_status status = m ? hk_fit_read(f, m, &w->diag, &w->err) : HK_EINPUT;
  hk_model_destroy(m);
  return status ? status : tool_outputs_check(w->args, &w->err);
}

/* ---- results ---- */

static void print_text(const fitting *w) {
  const hk_fit *f = &w->fit;
  printf("%d parameters from %d values of %d curve%s: %d runs, %d of %d searches end here\n",
         f->n_parameters, f->n * f->n_curves, f->n_curves, f->n_curves == 1 ? "" : "s", f->runs,
         f->equal, f->searches);
  printf("%-24s  %16s  %20s\n", "parameter", "value", "standard uncertainty");
  for (int i = 0; i < f->n_parameters; i++) {
    const hk_fit_parameter *p = &f->parameter[i];
    printf("%-24s  %16.9g  %20.2g  %s%s\n", tool_name(p->path), p->value, p->uncertainty,
           tool_name(p->unit), p->at_bound ? "  (at its bound)" : "");
  }
  for (int i = 0; i < f->n_parameters; i++)
    for (int k = 0; k < i; k++) {
      double c = f->correlation[i * f->n_parameters + k];
      if (fabs(c) >= CORRELATED)
        printf("correlation of %s and %s: %.4f\n", tool_name(f->parameter[k].path),
               tool_name(f->parameter[i].path), c);
    }
  for (int k = 0; k < f->n_curves; k++) {
    const hk_fit_curve *c = &f->curve[k];
    printf("%s: remaining error %.3g %s (rms), %.2g %% of its variation\n", c->column, c->rms,
           c->unit, 100 * c->rms / c->deviation);
  }
  for (int i = 0; i < f->n_parameters; i++)
    printf("  --set %s=\"%.9g%s%s\"\n", tool_name(f->parameter[i].path), f->parameter[i].value,
           f->parameter[i].unit[0] ? " " : "", tool_name(f->parameter[i].unit));
}

static void print_json(const fitting *w, hk_status status, const char *error) {
  const hk_fit *f = &w->fit;
  tool_json j = {.out = stdout};
  tool_json_open(&j, NULL, '{');
  tool_json_text(&j, "status", status == HK_STOPPED ? "stopped" : error ? "failed" : "ok");
  if (error) tool_json_text(&j, "error", error);
  if (!status) {
    tool_json_bool(&j, "converged", f->converged);
    tool_json_int(&j, "runs", f->runs);
    tool_json_int(&j, "searches", f->searches);
    tool_json_int(&j, "searches_with_this_result", f->equal);
    tool_json_open(&j, "parameters", '[');
    for (int i = 0; i < f->n_parameters; i++) {
      const hk_fit_parameter *p = &f->parameter[i];
      tool_json_open(&j, NULL, '{');
      tool_json_text(&j, "path", p->path);
      tool_json_real(&j, "value", p->value);
      tool_json_real(&j, "standard_uncertainty", p->uncertainty);
      tool_json_text(&j, "unit", p->unit);
      tool_json_bool(&j, "at_bound", p->at_bound);
      tool_json_list(&j, "correlation", f->correlation + (size_t)i * (size_t)f->n_parameters,
                     f->n_parameters, 1);
      tool_json_close(&j, '}');
    }
    tool_json_close(&j, ']');
    tool_json_open(&j, "curves", '[');
    for (int k = 0; k < f->n_curves; k++) {
      const hk_fit_curve *c = &f->curve[k];
      tool_json_open(&j, NULL, '{');
      tool_json_text(&j, "column", c->column);
      tool_json_text(&j, "channel", c->channel);
      tool_json_text(&j, "unit", c->unit);
      tool_json_real(&j, "rms", c->rms);
      tool_json_real(&j, "variation", c->deviation);
      tool_json_real(&j, "correlation_of_neighbours", c->neighbours);
      tool_json_close(&j, '}');
    }
    tool_json_close(&j, ']');
  }
  tool_linear_json_messages(&j, &w->diag);
  tool_json_close(&j, '}');
  putchar('\n');
}

static hk_status write_csv(fitting *w, const char *path) {
  const hk_fit *f = &w->fit;
  hk_new_file file;
  char text[HK_CSV_NUMBER_SIZE];
  hk_status status = hk_new_file_open(&file, path, &w->err);
  if (status) return status;
  fputs(f->by_frequency ? "frequency [Hz]" : "time [s]", file.file);
  for (int k = 0; k < 2 * f->n_curves; k++) {
    char title[sizeof f->curve->column + 20];
    snprintf(title, sizeof title, "%s %s", f->curve[k / 2].column, k % 2 ? "fitted" : "measured");
    fputc(',', file.file);
    hk_csv_title(file.file, title, f->curve[k / 2].unit);
  }
  fputc('\n', file.file);
  for (int i = 0; i < f->n; i++) {
    hk_csv_number(text, f->x[i]);
    fputs(text, file.file);
    for (int k = 0; k < f->n_curves; k++) {
      tool_table_cell(file.file, f->curve[k].measured[i]);
      tool_table_cell(file.file, f->curve[k].fitted[i]);
    }
    fputc('\n', file.file);
  }
  return hk_new_file_close(&file, HK_OK, &w->err);
}

static hk_status draw(fitting *w, const char *path) {
  const hk_fit *f = &w->fit;
  hk_plot_series series[2 * MOST_PANELS];
  hk_plot_panel panel[MOST_PANELS];
  int n = f->n_curves < MOST_PANELS ? f->n_curves : MOST_PANELS;
  for (int k = 0; k < n; k++) {
    const hk_fit_curve *c = &f->curve[k];
    bool log = f->by_frequency && c->part == HK_FIT_MAGNITUDE;
    series[2 * k] = (hk_plot_series){.name = k ? NULL : "model",
                                     .x = f->x,
                                     .y = c->fitted,
                                     .n = f->n,
                                     .colour = HK_COLOUR_FIRST};
    series[2 * k + 1] = (hk_plot_series){.name = k ? NULL : "measured",
                                         .x = f->x,
                                         .y = c->measured,
                                         .n = f->n,
                                         .line = HK_LINE_NONE,
                                         .marker = f->n > MANY ? HK_MARKER_POINT : HK_MARKER_CIRCLE,
                                         .colour = HK_COLOUR_FIRST + 1};
    panel[k] = (hk_plot_panel){.x = {.label = f->by_frequency ? "frequency" : "time",
                                     .unit = f->by_frequency ? "Hz" : "s",
                                     .tight = true},
                               .y = {.label = c->column, .unit = c->unit, .log = log},
                               .series = &series[2 * k],
                               .n_series = 2};
  }
  const hk_plot_figure figure = {.title = "Fit to measured curves",
                                 .subtitle = f->model_path,
                                 .panel = panel,
                                 .n_panels = n,
                                 .share_x = true};
  return tool_figure_save(&figure, path, &w->err);
}

static void warn(fitting *w) {
  const hk_fit *f = &w->fit;
  const hk_location here = {.file = f->data_path};
  if (!f->converged)
    hk_diag_add(&w->diag, HK_WARNING, &here,
                "the search has not converged after the maximum number of iterations");
  for (int i = 0; i < f->n_parameters; i++)
    if (f->parameter[i].at_bound)
      hk_diag_add(&w->diag, HK_WARNING, &here,
                  "'%s' is at its bound; a value beyond the bound would fit better. Widen the "
                  "range of --vary if such values are possible",
                  f->parameter[i].path);
  for (int k = 0; k < f->n_curves; k++)
    if (f->curve[k].neighbours > NOISE && f->curve[k].rms > 1e-4 * f->curve[k].deviation)
      hk_diag_add(&w->diag, HK_WARNING, &here,
                  "the remaining errors of '%s' are not random (neighbouring ones correlate by "
                  "%.2f): the model does not describe all of the measurement, and the "
                  "uncertainties are too small",
                  f->curve[k].column, f->curve[k].neighbours);
}

/* ---- command ---- */

static hk_status work(fitting *w) {
  const char *output = tool_value(w->args, "output"), *plot = tool_value(w->args, "plot");
  hk_status status = read_arguments(w);
  if (!status) status = read_data(w);
  if (status) return status;
  tool_catch_signals();
  tool_counter_begin(&w->counter, tool_flag(w->args, "quiet"));
  status = hk_fit_run(&w->fit, &w->err);
  tool_counter_end(&w->counter);
  if (status) return status;
  warn(w);
  if (output) status = write_csv(w, output);
  if (!status && plot) status = draw(w, plot);
  return status;
}

static int run(const tool_args *args) {
  fitting w = {.args = args};
  hk_diag_init(&w.diag);
  hk_status status = work(&w);
  if (status < 0 && w.diag.n_errors == 0)
    hk_diag_add(&w.diag, HK_ERROR, &(hk_location){"hooke", 0, 0}, "%s",
                w.err.text[0] ? w.err.text : "out of memory");
  tool_print_diag(&w.diag, 0);
  char *text = status < 0 ? tool_first_error(&w.diag) : NULL;
  const char *output = tool_value(args, "output"), *plot = tool_value(args, "plot");
  bool taken = (output && strcmp(output, "-") == 0) || (plot && strcmp(plot, "-") == 0);
  if (tool_flag(args, "json"))
    print_json(&w, status, status < 0 ? (text ? text : w.err.text) : NULL);
  else if (!status && !taken)
    print_text(&w);
  int code = status == HK_STOPPED ? 128 + tool_stop_signal() : tool_exit_code(status);
  free(text);
  hk_fit_free(&w.fit);
  tool_overrides_free(&w.overrides);
  hk_diag_free(&w.diag);
  return code;
}

static const tool_option options[] = {
    {0, "data", "CSV",
     "measured curves (CSV): a time or a frequency in the first column, names with units in the "
     "first line",
     false},
    {0, "vary", "PATH=LOW:HIGH",
     "a parameter to fit and its bounds, such as \"k = 50:200 N/m\"; may be given several times",
     true},
    {0, "match", "COLUMN=CHANNEL",
     "compare a column with a channel; default: columns with the name of a channel. Over a "
     "frequency the channel ends with .magnitude, .phase, .re or .im; may be given several times",
     true},
    {0, "from", "INPUT",
     "over a frequency: the excitation, as for `hooke frf`; optional if there is only one", false},
    {0, "starts", "COUNT",
     "points within the bounds that are tried first; default: 10 for each parameter", false},
    TOOL_SET_OPTION,
    {'o', "output", "FILE", "write measured and fitted curves to this table (CSV)", false},
    {0, "plot", "FILE.svg", "draw measured and fitted curves as SVG, PNG or PDF by its name",
     false},
    {0, "json", NULL, "print the outcome as one JSON object", false},
    {'q', "quiet", NULL, "no progress", false},
};

const tool_command tool_command_fit = {
    .name = "fit",
    .arguments = "MODEL",
    .summary = "find parameters of a model from measured curves",
    .text =
        "Finds the values of parameters with which channels of the model agree best with measured "
        "curves (least squares): over time with a simulation, over frequency with the linear "
        "response to an input. Some points within the bounds are tried first; searches "
        "(Levenberg-Marquardt) start from the best three. Several curves are weighted by their "
        "remaining errors.\n"
        "\n"
        "Prints each parameter with its standard uncertainty, strong correlations, and the "
        "remaining error of each curve. The uncertainties assume random errors of the "
        "measurement; a warning says if the remaining errors are not random.\n"
        "\n"
        "Parameters that the data cannot determine are refused: those without influence on the "
        "curves, those that only act together with others, and those with an uncertainty as large "
        "as their range.\n"
        "\n"
        "With --json, standard output is one object:\n"
        "\n"
        "  {\"status\": \"ok\" | \"failed\" | \"stopped\", \"error\": text, \"converged\": bool,\n"
        "   \"runs\": n, \"searches\": n, \"searches_with_this_result\": n,\n"
        "   \"parameters\": [{\"path\": text, \"value\": number, \"standard_uncertainty\": "
        "number,\n"
        "     \"unit\": text, \"at_bound\": bool, \"correlation\": [number]}],\n"
        "   \"curves\": [{\"column\": text, \"channel\": text, \"unit\": text, \"rms\": number,\n"
        "     \"variation\": number, \"correlation_of_neighbours\": number}],\n"
        "   \"errors\": [text], \"warnings\": [text], \"notes\": [text]}\n"
        "\n"
        "Exit status: 0 done, 1 the parameters cannot be found, 2 bad input, 130 stopped by "
        "Ctrl-C.\n"
        "\n"
        "Examples:\n"
        "\n"
        "  hooke fit rig.yaml --data test.csv --vary \"k = 60:180 N*m/rad\" --match "
        "\"angle = disc.angle\"\n"
        "  hooke fit shaft.yaml --data frf.csv --vary \"c = 0.01:10 N*s/m\" --from "
        "forces.shaker.force\n",
    TOOL_OPTIONS(options),
    .min_words = 1,
    .max_words = 1,
    .run = run,
};
