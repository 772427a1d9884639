/* hooke surrogate: a function fitted to the table of a study, with its error, and maps of it. */
#include "results/csv.h"
#include "base/file.h"
#include "figure.h"
#include "linear.h"
#include "orbit.h"
#include "statistics/surrogate.h"
#include "variants.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_OVER = 2, DEFAULT_COUNT = 100 };

typedef struct fitting {
  const tool_args *args;
  hk_error err;
  hk_arena arena;
  hk_table table;
  int *axis, n_axes; /* columns that are variables */
  int measure;
  hk_surrogate_kind kind;
  hk_surrogate *model;
  hk_axis over[MOST_OVER];
  int over_at[MOST_OVER], n_over; /* over_at: which variable */
  /* [axes] argument of the surrogate: given values, and the present point on the axes of the map */
  double *at;
  /* The map. */
  double *x, *y, *value, *deviation;
  int64_t n;
} fitting;

static hk_status read_kind(fitting *w) {
  const char *kind = tool_value(w->args, "kind");
  static const char *const names[] = {"auto", "quadratic", "gaussian"};
  for (int i = 0; i < 3; i++)
    if (!kind || strcmp(kind, names[i]) == 0) {
      w->kind = (hk_surrogate_kind)i;
      return HK_OK;
    }
  return hk_fail(&w->err, HK_EINPUT, "--kind is auto, quadratic or gaussian, not '%s'", kind);
}

/* Registers the files of the study as inputs. The table depends on the study's model and on all files that the model
 * reads, so none of them may be overwritten. Errors in these files are ignored here, because the table does not
 * depend on their present contents. */
static void note_sources(const fitting *w, const char *file) {
  hk_diag diag;
  hk_diag_init(&diag);
  hk_study *study = hk_study_read(file, &diag);
  if (study) study->types = w->args->types;
  if (study) hk_study_bind(study, &diag);
  hk_study_destroy(study);
  hk_diag_free(&diag);
}

/* Opens the table. STUDY is the study's folder, its table, or the study file, whose folder is then in the current
 * folder. */
static hk_status open_table(fitting *w) {
  const char *word = w->args->word[0];
  char path[4096], study[4096] = "";
  size_t n = strlen(word);
  if (n > 7 && strcmp(word + n - 7, ".sqlite") == 0) {
    snprintf(path, sizeof path, "%s", word);
  } else if (n > 5 && strcmp(word + n - 5, ".yaml") == 0) {
    const char *slash = strrchr(word, '/'), *name = slash ? slash + 1 : word;
    snprintf(path, sizeof path, "%.*s.study/table.sqlite", (int)(strlen(name) - 5), name);
    snprintf(study, sizeof study, "%s", word);
  } else {
    snprintf(path, sizeof path, "%s/table.sqlite", word);
  }
  hk_status status = hk_table_read(path, &w->table, &w->err);
  char *slash = strrchr(path, '/');
  if (slash) *slash = '\0';
  const char *folder = slash ? path : ".";
  hk_campaign_note(folder);
  if (study[0] || hk_campaign_study(folder, study, sizeof study)) note_sources(w, study);
  return status ? status : tool_outputs_check(w->args, &w->err);
}

/* Finds the variables: axes that are numbers and have several values. Failed variants have no rows. */
static hk_status find_axes(fitting *w) {
  const hk_table *t = &w->table;
  if (t->n == 0)
    return hk_fail(&w->err, HK_EFAIL, "no variant of the study succeeded%s%s",
                   t->n_failed ? "; reason of the first failure: " : "",
                   t->n_failed ? t->failure_error[0] : "");
  if (t->n_failed)
    tool_warning(
        "%lld variants of the study failed and are omitted: the surrogate is valid only "
        "for the remaining region",
        (long long)t->n_failed);
  w->axis = calloc((size_t)t->n_columns + 1, sizeof *w->axis);
  w->at = calloc((size_t)t->n_columns + 1, sizeof *w->at);
  if (!w->axis || !w->at) return hk_fail(&w->err, HK_ENOMEM, "out of memory");
  for (int k = 0; k < t->n_columns; k++) {
    const double *v = t->column[k].value;
    bool changes = false, numbers = true;
    for (int64_t i = 0; i < t->n; i++) {
      numbers = numbers && isfinite(v[i]);
      changes = changes || v[i] != v[0];
    }
    if (t->column[k].role == HK_COLUMN_AXIS && numbers && changes) w->axis[w->n_axes++] = k;
  }
  return w->n_axes ? HK_OK
                   : hk_fail(&w->err, HK_EINPUT,
                             "the table has no numeric axis with at least two values");
}

static int variable(const fitting *w, const char *path) {
  for (int i = 0; i < w->n_axes; i++)
    if (strcmp(w->table.column[w->axis[i]].name, path) == 0) return i;
  return -1;
}

/* Converts a value to the unit of the table. */
static hk_status convert(fitting *w, int i, const hk_axis *a, double x, double *out) {
  const char *unit = w->table.column[w->axis[i]].unit;
  hk_unit u = {.factor = 1};
  if (unit[0]) hk_unit_parse(unit, strlen(unit), &u, NULL);
  if (a->unit[0] && !hk_dim_equal(a->scale.dim, u.dim))
    return hk_fail(&w->err, HK_EINPUT, "%s: its unit in the table is %s, not %s", a->path, unit,
                   a->unit);
  *out = a->unit[0] ? (hk_axis_si(a, x) - u.offset) / u.factor : x;
  return HK_OK;
}

static hk_status split(fitting *w, const char *option, const char *text, hk_axis *a, int *at) {
  const char *equal = strchr(text, '=');
  char path[300];
  if (!equal || equal == text || (size_t)(equal - text) >= sizeof path)
    return hk_fail(&w->err, HK_EINPUT, "--%s needs PATH=VALUE, not '%s'", option, text);
  snprintf(path, sizeof path, "%.*s", (int)(equal - text), text);
  *at = variable(w, path);
  if (*at < 0) {
    int k;
    hk_status status = hk_table_find(&w->table, path, &k, &w->err);
    return status ? status
                  : hk_fail(&w->err, HK_EINPUT, "'%s' is not a varying axis of the study", path);
  }
  return hk_axis_read(&w->arena, path, equal + 1, DEFAULT_COUNT, a, &w->err);
}

static hk_status read_over(fitting *w) {
  const char **text = calloc((size_t)w->args->n_given + 1, sizeof *text);
  if (!text) return hk_fail(&w->err, HK_ENOMEM, "out of memory");
  int n = tool_values(w->args, "over", text);
  hk_status status = HK_OK;
  if (n > MOST_OVER) status = hk_fail(&w->err, HK_EINPUT, "--over can be given once or twice");
  for (int i = 0; i < n && !status; i++) {
    status = split(w, "over", text[i], &w->over[i], &w->over_at[i]);
    if (!status && (w->over[i].kind == HK_AXIS_RANDOM || w->over[i].words))
      status = hk_fail(&w->err, HK_EINPUT, "--over needs numbers, not '%s'", text[i]);
    if (!status) w->n_over++;
  }
  for (int i = 0; i < w->n_axes && !status; i++) w->at[i] = hk_surrogate_middle(w->model, i);
  n = status ? 0 : tool_values(w->args, "at", text);
  for (int i = 0; i < n && !status; i++) {
    hk_axis a;
    int k;
    status = split(w, "at", text[i], &a, &k);
    if (!status && (a.kind != HK_AXIS_LIST || a.n != 1 || a.words))
      status = hk_fail(&w->err, HK_EINPUT, "--at needs one value, not '%s'", text[i]);
    if (!status) status = convert(w, k, &a, a.value[0], &w->at[k]);
  }
  free(text);
  return status;
}

static hk_status fill_map(fitting *w) {
  int64_t nx = w->over[0].n, ny = w->n_over > 1 ? w->over[1].n : 1;
  w->n = nx * ny;
  if (nx > 10000000 || ny > 10000000 || w->n > 10000000)
    return hk_fail(&w->err, HK_EINPUT, "%lld points are too many for a map", (long long)w->n);
  w->x = malloc(4 * (size_t)w->n * sizeof *w->x);
  if (!w->x) return hk_fail(&w->err, HK_ENOMEM, "out of memory");
  w->y = w->x + w->n, w->value = w->y + w->n, w->deviation = w->value + w->n;
  hk_status status = HK_OK;
  for (int64_t i = 0; i < w->n && !status; i++) {
    w->x[i] = hk_axis_value(&w->over[0], i / ny);
    status = convert(w, w->over_at[0], &w->over[0], w->x[i], &w->at[w->over_at[0]]);
    if (!status && w->n_over > 1) {
      w->y[i] = hk_axis_value(&w->over[1], i % ny);
      status = convert(w, w->over_at[1], &w->over[1], w->y[i], &w->at[w->over_at[1]]);
    }
    w->value[i] = hk_surrogate_value(w->model, w->at, &w->deviation[i]);
  }
  return status;
}

static hk_status write_map(const fitting *w, const char *path, hk_error *err) {
  const hk_table_column *m = &w->table.column[w->measure];
  hk_new_file output;
  hk_status opened = hk_new_file_open(&output, path, err);
  if (opened) return opened;
  FILE *out = output.file;
  for (int k = 0; k < w->n_over; k++)
    fprintf(out, w->over[k].unit[0] ? "%s [%s]," : "%s,", w->over[k].path, w->over[k].unit);
  fprintf(out, m->unit[0] ? "%s [%s],standard error [%s]\n" : "%s%.0s,standard error\n", m->name,
          m->unit, m->unit);
  for (int64_t i = 0; i < w->n; i++) {
    char text[HK_CSV_NUMBER_SIZE];
    hk_csv_number(text, w->x[i]);
    fputs(text, out);
    if (w->n_over > 1) tool_table_cell(out, w->y[i]);
    tool_table_cell(out, w->value[i]);
    tool_table_cell(out, w->deviation[i]);
    fputc('\n', out);
  }
  return hk_new_file_close(&output, HK_OK, err);
}

static void limits(const hk_axis *a, hk_plot_axis *out) {
  double half = 0.5 / (double)(a->n > 1 ? a->n - 1 : 1), first = hk_axis_value(a, 0),
         last = hk_axis_value(a, a->n - 1);
  out->label = a->path;
  out->unit = a->unit;
  out->log = a->kind == HK_AXIS_LOG;
  out->min = out->log ? first * pow(last / first, -half) : first - half * (last - first);
  out->max = out->log ? last * pow(last / first, half) : last + half * (last - first);
}

static hk_status draw_map(const fitting *w, const char *path, hk_error *err) {
  const hk_table_column *m = &w->table.column[w->measure];
  hk_plot_panel panel[2] = {0};
  char subtitle[300];
  snprintf(subtitle, sizeof subtitle, "%s of %d runs; leaving one out errs by %.3g %s (rms)",
           hk_surrogate_name(w->model), hk_surrogate_rows(w->model), hk_surrogate_rms(w->model),
           m->unit);
  const hk_plot_series map[2] = {{.x = w->x,
                                  .y = w->y,
                                  .shade = w->value,
                                  .n = w->n,
                                  .line = HK_LINE_NONE,
                                  .marker = HK_MARKER_SQUARE,
                                  .cells_x = (int)w->over[0].n,
                                  .cells_y = (int)w->over[1].n},
                                 {.x = w->x,
                                  .y = w->y,
                                  .shade = w->deviation,
                                  .n = w->n,
                                  .line = HK_LINE_NONE,
                                  .marker = HK_MARKER_SQUARE,
                                  .cells_x = (int)w->over[0].n,
                                  .cells_y = (int)w->over[1].n}};
  double *band = malloc(2 * (size_t)w->n * sizeof *band);
  if (!band) return hk_fail(err, HK_ENOMEM, "out of memory");
  for (int64_t i = 0; i < w->n; i++) {
    band[i] = w->value[i] - 2 * w->deviation[i];
    band[w->n + i] = w->value[i] + 2 * w->deviation[i];
  }
  const hk_plot_series line[3] = {
      {.x = w->x, .y = w->value, .n = w->n, .name = m->name, .colour = HK_COLOUR_FIRST},
      {.x = w->x,
       .y = band,
       .n = w->n,
       .name = "two standard errors",
       .line = HK_LINE_DOTTED,
       .colour = HK_COLOUR_GREY},
      {.x = w->x, .y = band + w->n, .n = w->n, .line = HK_LINE_DOTTED, .colour = HK_COLOUR_GREY}};
  for (int k = 0; k < 2 && w->n_over > 1; k++) {
    panel[k] = (hk_plot_panel){.series = &map[k],
                               .n_series = 1,
                               .shade_label = k ? "standard error" : m->name,
                               .shade_unit = m->unit};
    limits(&w->over[0], &panel[k].x);
    limits(&w->over[1], &panel[k].y);
  }
  if (w->n_over == 1) {
    panel[0] =
        (hk_plot_panel){.series = line, .n_series = 3, .y = {.label = m->name, .unit = m->unit}};
    limits(&w->over[0], &panel[0].x);
  }
  const hk_plot_figure figure = {.title = m->name,
                                 .subtitle = subtitle,
                                 .panel = panel,
                                 .n_panels = w->n_over > 1 ? 2 : 1,
                                 .columns = w->n_over};
  hk_status status = tool_figure_save(&figure, path, err);
  free(band);
  return status;
}

/* Without a measure: lists the quality of the fit for each measure. */
static hk_status list_errors(fitting *w) {
  const hk_table *t = &w->table;
  bool any = false;
  printf("%-28s %-28s %12s %12s %10s\n", "measure", "surrogate", "error (rms)", "largest",
         "of spread");
  for (int k = 0; k < t->n_columns; k++) {
    hk_surrogate *s = NULL;
    hk_error why = {0};
    if (t->column[k].role != HK_COLUMN_MEASURE && t->column[k].role != HK_COLUMN_GOAL) continue;
    if (hk_table_fit(t, w->axis, w->n_axes, k, w->kind, &s, &why)) {
      printf("%-28s %s\n", t->column[k].name, why.text);
      if (!w->err.text[0]) w->err = why;
      continue;
    }
    any = true;
    printf("%-28s %-28s %12.4g %12.4g %10.3g\n", t->column[k].name, hk_surrogate_name(s),
           hk_surrogate_rms(s), hk_surrogate_worst(s), hk_surrogate_error(s));
    hk_surrogate_free(s);
  }
  printf("%lld runs, %d variables; each run predicted from all others\n", (long long)t->n,
         w->n_axes);
  return any ? HK_OK : HK_EFAIL; /* the message is that of the first measure */
}

static void print_fit(const fitting *w) {
  const hk_table_column *m = &w->table.column[w->measure];
  double a, b, c;
  printf("%s: %s of %d runs in %d variables\n", m->name, hk_surrogate_name(w->model),
         hk_surrogate_rows(w->model), w->n_axes);
  printf(
      "each run predicted from all others: error %.4g %s (rms), %.3g of the spread; largest %.4g "
      "%s\n",
      hk_surrogate_rms(w->model), m->unit, hk_surrogate_error(w->model),
      hk_surrogate_worst(w->model), m->unit);
  if (hk_surrogate_parabola(w->model, &a, &b, &c))
    printf("%s = %.6g + %.6g x + %.6g x^2, x = %s\n", m->name, a, b, c,
           w->table.column[w->axis[0]].name);
}

static hk_status work(fitting *w) {
  const char *measure = tool_value(w->args, "measure"), *csv = tool_value(w->args, "output"),
             *plot = tool_value(w->args, "plot");
  hk_status status = read_kind(w);
  if (!status) status = open_table(w);
  if (!status) status = find_axes(w);
  if (status) return status;
  if (!measure) return list_errors(w);
  status = hk_table_find(&w->table, measure, &w->measure, &w->err);
  if (!status)
    status = hk_table_fit(&w->table, w->axis, w->n_axes, w->measure, w->kind, &w->model, &w->err);
  if (!status) status = read_over(w);
  if (!status && !w->n_over && (csv || plot))
    status = hk_fail(&w->err, HK_EINPUT, "no axis for the map; give --over PATH=FIRST..LAST:COUNT");
  if (!status && w->n_over) status = fill_map(w);
  if (!status && csv) status = write_map(w, csv, &w->err);
  if (!status && plot) status = draw_map(w, plot, &w->err);
  if (!status && !(csv && strcmp(csv, "-") == 0)) print_fit(w);
  return status;
}

static int run(const tool_args *args) {
  fitting w = {.args = args};
  hk_arena_init(&w.arena);
  hk_status status = work(&w);
  if (status) tool_error("%s", w.err.text);
  hk_surrogate_free(w.model);
  hk_table_free(&w.table);
  hk_arena_free(&w.arena);
  free(w.axis);
  free(w.at);
  free(w.x);
  return tool_exit_code(status);
}

static const tool_option options[] = {
    {0, "measure", "NAME", "column to fit; without it: how well each one can be fitted", false},
    {0, "kind", "NAME", "auto (default: the one with the smaller error), quadratic or gaussian",
     false},
    {0, "over", "PATH=RANGE", "draw or list it over this axis, once or twice: mu=0..0.1:100", true},
    {0, "at", "PATH=VALUE", "value of another axis; default: its centre", true},
    {'o', "output", "FILE", "write the map as CSV, with its standard error; \"-\": standard output",
     false},
    {0, "plot", "FILE.svg", "draw it as SVG, PNG or PDF by its name", false},
};

const tool_command tool_command_surrogate = {
    .name = "surrogate",
    .arguments = "STUDY",
    .summary = "fit a function to the table of a study, estimate its error, draw maps",
    .text =
        "STUDY is a study file with its folder in the current folder, such a folder, or a "
        "table.sqlite. A quadratic or a Gaussian process is fitted to one measure over all axes "
        "with several values. Its error is measured by cross-validation: each run is predicted "
        "from all others. So 200 runs can give a map of 10 000 points with a known error.\n"
        "\n"
        "Exit status: 0 done, 1 no variant succeeded or no measure can be fitted, 2 bad input.\n"
        "\n"
        "Examples:\n"
        "\n"
        "  hooke surrogate joint.yaml\n"
        "  hooke surrogate joint.yaml --measure power_loss --over mu=0..0.1:100 "
        "--over \"torque=0..2000:100 N*m\" -o map.csv --plot map.svg\n",
    TOOL_OPTIONS(options),
    .min_words = 1,
    .max_words = 1,
    .run = run,
};
