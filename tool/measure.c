/* hooke measure: evaluates measures on an existing results file. */
#include "command.h"
#include "lack.h"
#include "results/results.h"
#include "json.h"
#include "load.h"
#include "measure_table.h"
#include "results_model.h"
#include "study/run_measures.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct measuring {
  const tool_args *args;
  hk_diag diag;
  hk_error err;
  hk_results *results;
  hk_model *model;
  hk_run_measures measures;
  hk_run_report report;
  tool_results_model of_run;
  tool_overrides own; /* overrides given on the command line */
} measuring;

/* Reads the model of the run, with the present --set arguments. */
static hk_status read_model(measuring *w) {
  hk_spec *spec = NULL;
  hk_status status =
      tool_results_spec(&w->of_run, w->args, w->results, &w->own, &w->diag, &spec, &w->err);
  if (!status && spec) w->model = hk_model_compile(spec, &w->diag);
  if (!status && !w->model) status = w->diag.out_of_memory ? HK_ENOMEM : HK_EINPUT;
  if (!status) status = hk_run_measures_init(&w->measures, w->model, &w->diag);
  if (!status && w->measures.n == 0)
    status = hk_fail(&w->err, HK_EINPUT,
                     "the model has no measures; add one: --set measures.top=\"{of: CHANNEL, take: "
                     "max}\"");
  return status;
}

/* Finds the results column of each measured channel: column[0 ... n - 1]. The next n entries are the columns of the shaft
 * angles for measures of orders. -1: the measure has none. */
static hk_status find_columns(measuring *w, int *column) {
  int n = w->measures.n;
  for (int i = 0; i < 2 * n; i++) {
    int channel = i < n ? w->measures.channel[i] : w->measures.over[i - n];
    column[i] = -1;
    if (channel < 0) continue;
    const char *name = hk_model_channel_name(w->model, channel);
    column[i] = hk_results_find(w->results, name);
    if (column[i] < 0)
      return hk_fail(&w->err, HK_EINPUT,
                     "the channel '%s' was not recorded in '%s' (it was not selected by --record)",
                     name, w->args->word[0]);
  }
  return HK_OK;
}

/* Returns true if the measure would be wrong if it used rows only and motion between rows is missing. Extremes
 * between rows are known. */
static bool needs_all(const hk_measure *m) {
  switch (m->kind) {
    case HK_MEASURE_MIN:
    case HK_MEASURE_MAX:
    case HK_MEASURE_PEAK_TO_PEAK:
    case HK_MEASURE_MAX_ABS:
    case HK_MEASURE_INITIAL:
    case HK_MEASURE_FINAL:
    case HK_MEASURE_CHANGE:
    case HK_MEASURE_RATE:
      return false;
    default:
      return true;
  }
}

/* Adds the extremes since the previous row as samples. */
static void add_extremes(hk_measure *m, const tool_lack *k, int64_t i, double t, double y) {
  double from = m->last.t, before = m->last.y;
  if (i == 0 || !(t > from)) return;
  double low = fmin(before, y) - k->below[i], high = fmax(before, y) + k->above[i];
  if (k->below[i] > 0) hk_measure_add(m, from + (t - from) / 3, low);
  if (k->above[i] > 0) hk_measure_add(m, from + (t - from) * 2 / 3, high);
}

static hk_status take_one(measuring *w, int k, const int *column, const double *t, double *y,
                          double *angle) {
  hk_measure *m = &w->measures.measure[k];
  int64_t rows = hk_results_row_count(w->results);
  int over = column[w->measures.n + k];
  tool_lack lack;
  char what[200];
  snprintf(what, sizeof what, "measure '%.100s'", w->model->spec->item[HK_MEASURE][k]->name);
  hk_status status = hk_results_read_column(w->results, column[k], y, &w->err);
  if (!status && over >= 0) status = hk_results_read_column(w->results, over, angle, &w->err);
  if (!status && needs_all(m))
    status = tool_lack_check(w->results, column[k], 0, rows, what, &w->err);
  if (!status) status = tool_lack_read(w->results, column[k], 0, rows, &lack, &w->err);
  if (status) return status;
  bool extremes = m->kind == HK_MEASURE_MIN || m->kind == HK_MEASURE_MAX ||
                  m->kind == HK_MEASURE_PEAK_TO_PEAK || m->kind == HK_MEASURE_MAX_ABS;
  for (int64_t i = 0; i < rows; i++) {
    if (over >= 0) hk_measure_set_angle(m, angle[i]);
    if (extremes) add_extremes(m, &lack, i, t[i], y[i]);
    hk_measure_add(m, t[i], y[i]);
  }
  tool_lack_free(&lack);
  return HK_OK;
}

static hk_status take(measuring *w) {
  int64_t rows = hk_results_row_count(w->results);
  size_t n = (size_t)rows + 1;
  int *column = calloc(2 * (size_t)w->measures.n + 1, sizeof *column);
  double *block = malloc(3 * n * sizeof *block);
  hk_status status =
      column && block ? find_columns(w, column) : hk_fail(&w->err, HK_ENOMEM, "out of memory");
  if (!status && rows == 0)
    status = hk_fail(&w->err, HK_EINPUT, "'%s' has no rows", w->args->word[0]);
  if (!status) status = hk_results_read_column(w->results, 0, block, &w->err);
  for (int k = 0; k < w->measures.n && !status; k++)
    status = take_one(w, k, column, block, block + n, block + 2 * n);
  free(column);
  free(block);
  if (!status) status = hk_run_measures_report(&w->measures, &w->report, &w->diag);
  return status;
}

static int run(const tool_args *args) {
  measuring w = {.args = args};
  hk_diag_init(&w.diag);
  hk_status status = tool_overrides_read(&w.own, args, &w.diag);
  if (!status) status = tool_results_open(args, 0, &w.results, &w.err);
  if (!status) status = read_model(&w);
  if (!status) status = take(&w);
  tool_print_diag(&w.diag, 0);
  if (status && w.diag.n_errors == 0) tool_error("%s", w.err.text);
  if (!status && tool_flag(args, "json")) {
    tool_json j = {.out = stdout};
    tool_json_open(&j, NULL, '{');
    tool_measures_json(&j, &w.report);
    tool_json_int(&j, "rows", hk_results_row_count(w.results));
    tool_json_text(&j, "run", hk_results_status(w.results));
    tool_json_close(&j, '}');
    putchar('\n');
  } else if (!status) {
    tool_measures_print(&w.report);
  }
  hk_run_report_free(&w.report);
  hk_run_measures_free(&w.measures);
  hk_model_destroy(w.model);
  hk_results_destroy(w.results);
  tool_overrides_free(&w.own);
  tool_results_model_free(&w.of_run);
  hk_diag_free(&w.diag);
  return tool_exit_code(status);
}

static const tool_option options[] = {
    {0, "set", "PATH=VALUE",
     "change or add a measure, such as measures.top=\"{of: bob.y, take: max}\" or "
     "top.from=\"2 s\"; may be given several times",
     true},
    {0, "json", NULL, "print as one JSON object", false},
};

const tool_command tool_command_measure = {
    .name = "measure",
    .arguments = "RESULTS",
    .summary = "take measures on the results of a run",
    .text =
        "Reads the model stored in a results file, with the overrides of the run, and evaluates "
        "its measures on the recorded rows; --set changes or adds measures. A run evaluates "
        "measures at every step, this command at every recorded row. Extremes between rows are "
        "recorded too. If a channel oscillates between rows, its other measures are rejected with "
        "the output_step that would be needed.\n"
        "\n"
        "With --json, standard output is one object:\n"
        "\n"
        "  {\"measures\": {name: {\"value\": number or null, \"unit\": text, \"time\" (of\n"
        "   extremes, events): s, \"note\" (if any): text}}, \"rows\": n,\n"
        "   \"run\": \"finished\" | \"stopped\" | \"running\" | \"failed: ...\"}\n"
        "\n"
        "Exit status: 0 done, 2 bad input.\n"
        "\n"
        "Examples:\n"
        "\n"
        "  hooke measure out.h5\n"
        "  hooke measure out.h5 --set measures.top=\"{of: bob.y, take: max, from: 1 s}\"\n",
    TOOL_OPTIONS(options),
    .min_words = 1,
    .max_words = 1,
    .run = run,
};
