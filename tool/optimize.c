/* hooke optimize: finds the best variant with respect to a goal. */
#include "figure.h"
#include "orbit.h"
#include "searching.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct optimising {
  tool_search s;
  int goal;
  int64_t budget;
  double *value, *scratch, *best_measure;
  int64_t *entry;
  hk_score *history; /* best so far, by evaluation */
  int64_t n_history, history_room;
  hk_score best;
  double *best_u;
  hk_search search; /* result of the last stage */
  int64_t evaluations, failed;
  const char *ended;
  int restarts;
} optimising;

static hk_status choose_goal(optimising *w) {
  const hk_study *s = w->s.study;
  const char *name = tool_value(w->s.args, "goal");
  if (!s->n_goals)
    return hk_fail(&w->s.err, HK_EINPUT,
                   "'%s' has no goal; add one, such as 'goals: {power_loss: minimize}'", s->file);
  if (!name && s->n_goals > 1)
    return hk_fail(&w->s.err, HK_EINPUT,
                   "'%s' has %d goals; choose one with --goal, and limit the others by "
                   "constraints, or run the study and use its Pareto front",
                   s->file, s->n_goals);
  for (w->goal = 0; name && w->goal < s->n_goals; w->goal++)
    if (strcmp(s->goal[w->goal].name, name) == 0) break;
  if (w->goal < s->n_goals) return HK_OK;
  return hk_fail(&w->s.err, HK_EINPUT, "the study has no goal '%s'", name);
}

static hk_status remember(optimising *w, const hk_score *score, const double *u,
                          const double *measure) {
  const hk_study *s = w->s.study;
  if (w->n_history == w->history_room) {
    int64_t room = 2 * w->history_room + 256;
    hk_score *grown = realloc(w->history, (size_t)room * sizeof *grown);
    if (!grown) return hk_fail(&w->s.err, HK_ENOMEM, "out of memory");
    w->history = grown;
    w->history_room = room;
  }
  if (hk_score_better(score, &w->best)) {
    w->best = *score;
    memcpy(w->best_u, u, (size_t)s->n_axes * sizeof *u);
    memcpy(w->best_measure, measure, (size_t)s->n_measures * sizeof *measure);
  }
  w->history[w->n_history++] = w->best;
  return HK_OK;
}

static hk_status evaluate(void *context, const double *u, int count, hk_score *score,
                          hk_error *err) {
  optimising *w = context;
  const hk_study *s = w->s.study;
  size_t axes = (size_t)s->n_axes, variables = (size_t)hk_study_variable_count(s);
  double *spread = malloc(((size_t)count * axes + 1) * sizeof *spread);
  if (!spread) return hk_fail(err, HK_ENOMEM, "out of memory");
  for (size_t i = 0; i < (size_t)count; i++)
    hk_study_spread(s, u + i * variables, spread + i * axes);
  hk_status status = hk_evaluator_run(&w->s.evaluator, spread, count, err);
  for (int i = 0; i < count && !status; i++) {
    const double *x = spread + (size_t)i * axes,
                 *measure = w->s.evaluator.measure + (size_t)i * (size_t)s->n_measures;
    hk_study_unit_point(s, x, w->entry, w->value);
    bool failed = true;
    for (int k = 0; k < s->n_measures; k++) failed = failed && isnan(measure[k]);
    w->failed += failed;
    score[i] = hk_study_score(s, w->goal, w->value, measure, w->scratch);
    status = remember(w, &score[i], x, measure);
  }
  free(spread);
  return status;
}

/* Runs the search. Most of the evaluations are for the global search, the rest for a simplex search about the best
 * point. */
static hk_status search(optimising *w) {
  const hk_study *s = w->s.study;
  const int n = hk_study_variable_count(s);
  const hk_objective f = {.n = n, .context = w, .evaluate = evaluate};
  hk_search_options o = {.evaluations = (int64_t)(0.8 * (double)w->budget),
                         .seed = w->s.seed,
                         .restarts = 5,
                         .tolerance = 1e-8};
  for (int i = 0; i < n; i++) w->search.x[i] = 0.5;
  hk_status status = hk_cma_es(&f, &o, &w->search, &w->s.err);
  w->restarts = w->search.restarts;
  w->ended = w->search.ended;
  w->evaluations = w->search.evaluations;
  int64_t left = w->budget - w->evaluations;
  if (status || left < n + 2 || isnan(w->best.value)) return status;
  for (int i = 0; i < s->n_axes; i++) w->search.x[hk_study_variable(s, i)] = w->best_u[i];
  o.evaluations = left;
  o.size = 0.02;
  status = hk_nelder_mead(&f, &o, &w->search, &w->s.err);
  w->evaluations += w->search.evaluations;
  return status;
}

/* ---- results ---- */

static void print_text(const optimising *w) {
  const hk_study *s = w->s.study;
  const hk_goal *g = &s->goal[w->goal];
  double sign = g->sense == HK_MAXIMIZE ? -1 : 1;
  printf("%s %s: %.9g%s%s%s\n", g->sense == HK_MAXIMIZE ? "greatest" : "least", g->name,
         sign * w->best.value + 0.0 /* no "-0" */, g->unit[0] ? " " : "", g->unit,
         w->best.violation > 0 ? ", but a constraint is not kept" : "");
  for (int i = 0; i < s->n_axes; i++) {
    char text[HK_AXIS_TEXT];
    hk_axis_override(&s->axis[i], w->entry[i], w->value[i], text, sizeof text);
    printf("  --set %s=\"%s\"%s\n", s->axis[i].path, tool_name(text),
           w->best_u[i] < 1e-3 || w->best_u[i] > 1 - 1e-3 ? "   (at its bound)" : "");
  }
  for (int i = 0; i < s->n_measures; i++)
    printf("%s = %.9g%s%s\n", s->measure[i].name, w->best_measure[i],
           s->measure[i].unit[0] ? " " : "", s->measure[i].unit);
  for (int i = 0; i < s->n_limits; i++) {
    double excess = hk_expr_value(s->limit[i].excess, w->scratch);
    printf("%s: %s\n", tool_name(s->limit[i].text), excess > 0 ? "NOT KEPT" : "kept");
  }
  if (w->failed)
    printf("%lld of %lld variants gave no result: see 'status' and 'error' in the table\n",
           (long long)w->failed, (long long)w->n_history);
  printf("%lld variants, %d restarts; the search ended because: %s\ntable: %s/table.csv\n",
         (long long)w->evaluations, w->restarts, w->ended, tool_name(w->s.folder));
}

static void print_json(const optimising *w) {
  const hk_study *s = w->s.study;
  tool_json j = {.out = stdout};
  tool_json_open(&j, NULL, '{');
  tool_json_text(&j, "status", w->best.violation > 0 ? "infeasible" : "ok");
  tool_json_text(&j, "goal", s->goal[w->goal].name);
  tool_json_real(&j, "value", (s->goal[w->goal].sense == HK_MAXIMIZE ? -1 : 1) * w->best.value);
  tool_json_text(&j, "unit", s->goal[w->goal].unit);
  tool_json_real(&j, "violation", w->best.violation);
  tool_json_int(&j, "variants", w->evaluations);
  tool_json_int(&j, "failed", w->failed);
  tool_json_int(&j, "restarts", w->restarts);
  tool_json_open(&j, "at", '{');
  for (int i = 0; i < s->n_axes; i++) {
    char text[HK_AXIS_TEXT];
    hk_axis_override(&s->axis[i], w->entry[i], w->value[i], text, sizeof text);
    tool_json_text(&j, s->axis[i].path, text);
  }
  tool_json_close(&j, '}');
  tool_json_open(&j, "measures", '{');
  for (int i = 0; i < s->n_measures; i++)
    tool_json_real(&j, s->measure[i].name, w->best_measure[i]);
  tool_json_close(&j, '}');
  tool_json_close(&j, '}');
  putchar('\n');
}

/* Draws the best value over the number of variants, from the first variant that satisfies all
 * constraints. */
static hk_status draw(const optimising *w, const char *path, hk_error *err) {
  const hk_goal *g = &w->s.study->goal[w->goal];
  double *x = malloc(2 * ((size_t)w->n_history + 1) * sizeof *x),
         *y = x ? x + w->n_history + 1 : NULL;
  if (!x) return hk_fail(err, HK_ENOMEM, "out of memory");
  for (int64_t i = 0; i < w->n_history; i++) {
    x[i] = (double)(i + 1);
    y[i] = w->history[i].violation > 0 ? NAN
                                       : (g->sense == HK_MAXIMIZE ? -1 : 1) * w->history[i].value;
  }
  const hk_plot_series line = {.x = x, .y = y, .n = w->n_history};
  const hk_plot_panel panel = {.x = {.label = "variants"},
                               .y = {.label = g->name, .unit = g->unit},
                               .series = &line,
                               .n_series = 1};
  const hk_plot_figure figure = {.title = w->s.study->title, .panel = &panel, .n_panels = 1};
  hk_status status = tool_figure_save(&figure, path, err);
  free(x);
  return status;
}

static hk_status report(optimising *w) {
  const hk_study *s = w->s.study;
  const char *plot = tool_value(w->s.args, "plot");
  hk_status status = tool_search_collect(&w->s);
  if (status) return status;
  if (isnan(w->best.value))
    return hk_fail(&w->s.err, HK_EFAIL, "no variant succeeded; see %s/table.csv for the reasons",
                   w->s.folder);
  hk_study_unit_point(s, w->best_u, w->entry, w->value);
  hk_plan_si(s, w->value, w->best_measure, w->scratch);
  if (tool_flag(w->s.args, "json"))
    print_json(w);
  else
    print_text(w);
  return plot ? draw(w, plot, &w->s.err) : HK_OK;
}

static hk_status allocate(optimising *w) {
  size_t d = (size_t)w->s.study->n_axes, m = (size_t)w->s.study->n_measures;
  w->value = calloc(5 * d + 2 * m + 3, sizeof *w->value);
  w->entry = calloc(d + 1, sizeof *w->entry);
  if (!w->value || !w->entry) return hk_fail(&w->s.err, HK_ENOMEM, "out of memory");
  w->best_u = w->value + d;
  w->search.x = w->best_u + d;
  w->scratch = w->search.x + d;
  w->best_measure = w->scratch + d + m + 1;
  w->best = (hk_score){NAN, INFINITY};
  return HK_OK;
}

static hk_status work(optimising *w, const tool_args *args) {
  const char *budget = tool_value(args, "variants");
  int most = 0;
  hk_status status = tool_search_open(&w->s, args, "optimize");
  if (!status && budget) status = tool_count(budget, "--variants", 10, 10000000, &most, &w->s.err);
  if (!status) status = choose_goal(w);
  if (!status) status = allocate(w);
  if (status) return status;
  w->budget = most ? most : 100 * (hk_study_variable_count(w->s.study) + 1);
  char rule[200];
  snprintf(rule, sizeof rule, "optimisation of %.100s, at most %lld variants, seed %llu",
           w->s.study->goal[w->goal].name, (long long)w->budget, (unsigned long long)w->s.seed);
  status = tool_search_begin(&w->s, rule);
  if (!status) status = search(w);
  if (status) return status;
  return report(w);
}

static int run(const tool_args *args) {
  optimising w = {0};
  hk_status status = work(&w, args);
  free(w.value);
  free(w.entry);
  free(w.history);
  return tool_search_finish(&w.s, status);
}

static const tool_option options[] = {
    {0, "goal", "NAME", "which goal of the study, if it has several", false},
    {0, "variants", "COUNT", "most runs; default: 100 for each axis and 100 more", false},
    {0, "plot", "FILE.svg",
     "draw the best value over the number of variants as SVG, PNG or PDF by its name", false},
    TOOL_SEARCH_OPTIONS,
};

const tool_command tool_command_optimize = {
    .name = "optimize",
    .arguments = "STUDY",
    .summary = "find the values of a study's axes that are best for its goal",
    .text =
        "Every axis of the study is a variable between its first and its last value (a log range "
        "by "
        "its logarithm, a distribution within its quantiles, a list by its entries). An evolution "
        "strategy with adapted covariance (CMA-ES), restarted with larger populations, uses most "
        "of "
        "the runs; a simplex search (Nelder-Mead) about the best point uses the rest. Constraints "
        "have priority: a variant that violates one is worse than any feasible variant.\n"
        "\n"
        "Runs are recorded in a journal as by `hooke study`; with --resume the same search is "
        "repeated with the recorded runs.\n"
        "\n"
        "With --json, standard output is one object:\n"
        "\n"
        "  {\"status\": \"ok\" | \"infeasible\", \"goal\": name, \"value\": number, \"unit\": "
        "text,\n"
        "   \"violation\": relative, \"variants\": n, \"failed\": n, \"restarts\": n, \"at\": "
        "{path: value},\n"
        "   \"measures\": {name: number}}\n"
        "\n"
        "Exit status: 0 done, 1 no variant succeeded, 2 bad input, 130 stopped by Ctrl-C.\n"
        "\n"
        "Examples:\n"
        "\n"
        "  hooke optimize design.yaml --variants 400 -j 2 --plot progress.svg\n",
    TOOL_OPTIONS(options),
    .min_words = 1,
    .max_words = 1,
    .run = run,
};
