/* hooke sensitivity: influence of the values of a study. */
#include "orbit.h"
#include "searching.h"
#include "statistics/sensitivity.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NAME = 400 };
/* Above this fraction of failed variants the results are not representative. */
static const double MOST_FAILED = 0.1;

typedef struct asking {
  tool_search s;
  bool sobol;
  int k; /* variables */
  hk_morris morris;
  hk_sobol variance;
  int64_t n;
  double *u, *y;
  hk_effect *effect; /* [axes] for the current measure */
  hk_sobol_index *index;
} asking;

static hk_status read_method(asking *w, const tool_args *args) {
  const char *method = tool_value(args, "method"), *samples = tool_value(args, "samples");
  int n = 0, k = w->k = hk_study_variable_count(w->s.study);
  w->sobol = method && strcmp(method, "sobol") == 0;
  if (method && !w->sobol && strcmp(method, "morris") != 0)
    return hk_fail(&w->s.err, HK_EINPUT, "--method is morris or sobol, not '%s'", method);
  hk_status status = samples ? tool_count(samples, "--samples", 2, 1000000, &n, &w->s.err) : HK_OK;
  w->morris = (hk_morris){.k = k, .paths = n ? n : 20, .seed = w->s.seed};
  w->variance = (hk_sobol){.k = k, .n = n ? n : 128, .seed = w->s.seed};
  w->n = w->sobol ? hk_sobol_count(&w->variance) : hk_morris_count(&w->morris);
  if (!status && w->n > HK_STUDY_MAX_VARIANTS)
    status =
        hk_fail(&w->s.err, HK_EINPUT, "%lld variants are more than the %d that a study may have",
                (long long)w->n, HK_STUDY_MAX_VARIANTS);
  return status;
}

static hk_status allocate(asking *w) {
  size_t k = (size_t)w->k;
  w->u = malloc((size_t)w->n * (size_t)w->s.study->n_axes * sizeof *w->u);
  w->y = malloc((size_t)w->n * sizeof *w->y);
  w->effect = calloc(k, sizeof *w->effect);
  w->index = calloc(k, sizeof *w->index);
  return w->u && w->y && w->effect && w->index ? HK_OK
                                               : hk_fail(&w->s.err, HK_ENOMEM, "out of memory");
}

static hk_status run_all(asking *w) {
  char rule[200];
  const hk_study *s = w->s.study;
  snprintf(rule, sizeof rule, "sensitivity by %s, %lld variants, seed %llu",
           w->sobol ? "sobol" : "morris", (long long)w->n, (unsigned long long)w->s.seed);
  hk_status status = tool_search_begin(&w->s, rule);
  if (status) return status;
  double variable[w->k + 1];
  for (int64_t i = 0; i < w->n; i++) {
    if (w->sobol)
      hk_sobol_point(&w->variance, i, variable);
    else
      hk_morris_point(&w->morris, i, variable);
    hk_study_spread(s, variable, w->u + (size_t)i * (size_t)s->n_axes);
  }
  return hk_evaluator_run(&w->s.evaluator, w->u, w->n, &w->s.err);
}

/* ---- results ---- */

static hk_status analyse(asking *w, int measure, int64_t *used) {
  int m = w->s.study->n_measures;
  for (int64_t i = 0; i < w->n; i++) w->y[i] = w->s.evaluator.measure[i * m + measure];
  if (w->sobol) return hk_sobol_indices(&w->variance, w->y, w->index, used, &w->s.err);
  hk_status status = hk_morris_effects(&w->morris, w->y, w->effect, &w->s.err);
  *used = status ? 0 : w->effect[0].n;
  return status;
}

static void print_measure(const asking *w, int measure) {
  const hk_study *s = w->s.study;
  int width = 8;
  char name[NAME];
  for (int i = 0; i < w->k; i++) {
    hk_study_variable_name(s, i, name, sizeof name);
    if ((int)strlen(name) > width) width = (int)strlen(name);
  }
  printf("%s%s%s%s\n", s->measure[measure].name, s->measure[measure].unit[0] ? " [" : "",
         s->measure[measure].unit, s->measure[measure].unit[0] ? "]" : "");
  if (w->sobol) {
    printf("  %-*s  %9s  %-20s %9s  %-20s\n", width, "variable", "first", "95 %", "total", "95 %");
    for (int i = 0; i < w->k; i++) {
      const hk_sobol_index *x = &w->index[i];
      hk_study_variable_name(s, i, name, sizeof name);
      printf("  %-*s  %9.4f  %8.4f .. %-8.4f %9.4f  %8.4f .. %-8.4f\n", width, name, x->first,
             x->first_low, x->first_high, x->total, x->total_low, x->total_high);
    }
  } else {
    printf("  %-*s  %12s  %-26s %12s %12s\n", width, "variable", "mu*", "95 %", "mu", "sigma");
    for (int i = 0; i < w->k; i++) {
      const hk_effect *e = &w->effect[i];
      hk_study_variable_name(s, i, name, sizeof name);
      printf("  %-*s  %12.5g  %11.4g .. %-11.4g %12.5g %12.5g\n", width, name, e->mu_star, e->low,
             e->high, e->mu, e->sigma);
    }
  }
}

static void json_measure(const asking *w, tool_json *j, int measure) {
  const hk_study *s = w->s.study;
  tool_json_open(j, s->measure[measure].name, '{');
  for (int i = 0; i < w->k; i++) {
    char name[NAME];
    hk_study_variable_name(s, i, name, sizeof name);
    tool_json_open(j, name, '{');
    if (w->sobol) {
      tool_json_real(j, "first", w->index[i].first);
      tool_json_real(j, "first_low", w->index[i].first_low);
      tool_json_real(j, "first_high", w->index[i].first_high);
      tool_json_real(j, "total", w->index[i].total);
      tool_json_real(j, "total_low", w->index[i].total_low);
      tool_json_real(j, "total_high", w->index[i].total_high);
    } else {
      tool_json_real(j, "mu_star", w->effect[i].mu_star);
      tool_json_real(j, "low", w->effect[i].low);
      tool_json_real(j, "high", w->effect[i].high);
      tool_json_real(j, "mu", w->effect[i].mu);
      tool_json_real(j, "sigma", w->effect[i].sigma);
    }
    tool_json_close(j, '}');
  }
  tool_json_close(j, '}');
}

/* Checks for variants without this measure. Such variants are omitted, so that the result is valid only for the other
 * variants. The omitted variants are reported; if there are many, the analysis is rejected. */
static hk_status check_failed(asking *w, int measure, int64_t *failed) {
  const char *name = w->s.study->measure[measure].name;
  int m = w->s.study->n_measures;
  *failed = 0;
  for (int64_t i = 0; i < w->n; i++) *failed += !isfinite(w->s.evaluator.measure[i * m + measure]);
  if ((double)*failed > MOST_FAILED * (double)w->n)
    return hk_fail(
        &w->s.err, HK_EFAIL,
        "%lld of %lld variants have no '%s', more than %.0f %%: the remaining ones do not "
        "represent the study. The reasons are in %s/table.csv; reduce the ranges of the axes",
        (long long)*failed, (long long)w->n, name, 100 * MOST_FAILED, w->s.folder);
  if (*failed)
    hk_diag_add(&w->s.diag, HK_WARNING, &(hk_location){.file = w->s.folder},
                "%lld of %lld variants have no '%s' and are omitted: the result is valid only for "
                "the remaining region",
                (long long)*failed, (long long)w->n, name);
  return HK_OK;
}

static hk_status report(asking *w) {
  bool json = tool_flag(w->s.args, "json");
  tool_json j = {.out = stdout};
  int64_t failed = 0;
  hk_status status = tool_search_collect(&w->s);
  for (int i = 0; i < w->s.study->n_measures && !status; i++) status = check_failed(w, i, &failed);
  if (!status && json) {
    tool_json_open(&j, NULL, '{');
    tool_json_text(&j, "method", w->sobol ? "sobol" : "morris");
    tool_json_int(&j, "variants", w->n);
    tool_json_open(&j, "measures", '{');
  }
  for (int i = 0; i < w->s.study->n_measures && !status; i++) {
    int64_t used;
    status = analyse(w, i, &used);
    if (!status && json) json_measure(w, &j, i);
    if (!status && !json) print_measure(w, i);
  }
  if (!status && json) {
    tool_json_close(&j, '}');
    tool_json_close(&j, '}');
    putchar('\n');
  } else if (!status) {
    printf("%lld variants; table: %s/table.csv\n", (long long)w->n, tool_name(w->s.folder));
  }
  return status;
}

static int run(const tool_args *args) {
  asking w = {0};
  hk_status status = tool_search_open(&w.s, args, "sensitivity");
  if (!status && w.s.study->n_correlations)
    status =
        hk_fail(&w.s.err, HK_EINPUT,
                "'%s' has correlations between its samples, and sensitivity indices are those of "
                "independent values; remove 'correlations', or use the regression of `hooke study`",
                args->word[0]);
  if (!status) status = read_method(&w, args);
  if (!status) status = allocate(&w);
  if (!status) status = run_all(&w);
  if (!status) status = report(&w);
  free(w.u);
  free(w.y);
  free(w.effect);
  free(w.index);
  return tool_search_finish(&w.s, status);
}

static const tool_option options[] = {
    {0, "method", "NAME",
     "morris (default): screening by elementary effects; sobol: fractions of the variance", false},
    {0, "samples", "COUNT",
     "morris: paths of k + 1 variants for k variables, default 20; sobol: groups of k + 2, default "
     "128, best a power of two",
     false},
    TOOL_SEARCH_OPTIONS,
};

const tool_command tool_command_sensitivity = {
    .name = "sensitivity",
    .arguments = "STUDY",
    .summary = "which of a study's values its measures depend on",
    .text =
        "Every axis of the study is a variable: uniform between the ends of a range (a log range "
        "in "
        "its logarithm), or with its own distribution. For each measure the variables are listed "
        "with their effects.\n"
        "\n"
        "morris: mu* is the mean magnitude of the change of the measure over the variable's whole "
        "range, sigma its dependence on the other variables; a few runs per variable show which "
        "ones have little effect. sobol: the fraction of the measure's variance caused by the "
        "variable alone (first) and including its interactions with all others (total). Both with "
        "95 % intervals by "
        "resampling; they are wide if there are few samples.\n"
        "\n"
        "With --json, standard output is one object:\n"
        "\n"
        "  {\"method\": name, \"variants\": n, \"measures\": {measure: {variable:\n"
        "   {\"mu_star\", \"low\", \"high\", \"mu\", \"sigma\"} or\n"
        "   {\"first\", \"first_low\", \"first_high\", \"total\", \"total_low\", "
        "\"total_high\"}}}}\n"
        "\n"
        "Exit status: 0 done, 1 failed, 2 bad input, 130 stopped by Ctrl-C.\n"
        "\n"
        "Examples:\n"
        "\n"
        "  hooke sensitivity tolerances.yaml\n"
        "  hooke sensitivity tolerances.yaml --method sobol --samples 256 -j 2\n",
    TOOL_OPTIONS(options),
    .min_words = 1,
    .max_words = 1,
    .run = run,
};
