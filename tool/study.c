/* hooke study: runs all variants of a study file on this machine, on the ranks of an MPI job or as tasks of a
 * cluster's queue. */
#include "orbit.h"
#include "study/slurm.h"
#include "variants.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { ROWS_SHOWN = 20 };

typedef struct studying {
  const tool_args *args;
  hk_diag diag;
  hk_error err;
  hk_study *study;
  hk_plan plan;
  hk_campaign_options o;
  hk_campaign_report report;
  char folder[3000], journals[4096], sqlite[4096];
  hk_collection collection;
  hk_table table;
  bool ran, stopped;
} studying;

/* ---- arguments ---- */

static hk_status read_task(studying *w, const char *text) {
  char *slash, *end;
  long i = strtol(text, &slash, 10), n = *slash == '/' ? strtol(slash + 1, &end, 10) : 0;
  if (slash != text && *slash == '/' && end != slash + 1 && !*end && n >= 1 && n <= 1000000 &&
      i >= 0 && i < n) {
    w->o.task = i;
    w->o.tasks = n;
    w->o.resume = true; /* a task that the queue restarts is resumed */
    return HK_OK;
  }
  return hk_fail(&w->err, HK_EINPUT, "--task needs I/N with 0 <= I < N, such as 3/40, not '%s'",
                 text);
}

/* Writes the default folder in the current folder: study.yaml -> study.study. */
static void default_folder(const char *file, char *out, size_t size) {
  const char *slash = strrchr(file, '/'), *name = slash ? slash + 1 : file;
  const char *dot = strrchr(name, '.');
  snprintf(out, size, "%.*s.study", dot && dot > name ? (int)(dot - name) : (int)strlen(name),
           name);
}

static hk_status read_options(studying *w) {
  const tool_args *args = w->args;
  const char *folder = tool_value(args, "folder"), *jobs = tool_value(args, "jobs"),
             *task = tool_value(args, "task");
  hk_status status = HK_OK;
  if (folder)
    snprintf(w->folder, sizeof w->folder, "%s", folder);
  else
    default_folder(args->word[0], w->folder, sizeof w->folder);
  hk_campaign_path(w->folder, "journals", w->journals, sizeof w->journals);
  hk_campaign_path(w->folder, "table.sqlite", w->sqlite, sizeof w->sqlite);
  w->o = (hk_campaign_options){
      .folder = w->folder, .resume = tool_flag(args, "resume"), .mpi = tool_flag(args, "mpi")};
  status = tool_outputs_possible(args, w->folder, &w->err);
  if (!status && jobs) status = tool_count(jobs, "--jobs", 1, 256, &w->o.jobs, &w->err);
  if (!status && task) status = read_task(w, task);
  const char *const alone[] = {"mpi", "task", "slurm", "collect", "list"};
  const char *first = NULL;
  for (int i = 0; i < 5 && !status; i++) {
    if (!tool_flag(args, alone[i])) continue;
    if (first)
      status =
          hk_fail(&w->err, HK_EINPUT, "--%s and --%s cannot be used together", first, alone[i]);
    first = alone[i];
  }
  return status;
}

static hk_status read_study(studying *w, const char *file) {
  w->study = hk_study_read(file, &w->diag);
  if (!w->study) return w->diag.out_of_memory ? HK_ENOMEM : HK_EINPUT;
  w->study->types = w->args->types;
  hk_status status = hk_study_bind(w->study, &w->diag);
  if (status) return status;
  hk_plan_of_study(w->study, &w->plan);
  status = hk_plan_open(&w->plan, &w->err);
  if (!status) status = hk_plan_check(&w->plan, &w->diag);
  hk_campaign_note(w->folder); /* results of an earlier run */
  return status ? status : tool_outputs_check(w->args, &w->err);
}

/* ---- options ---- */

static hk_status list_variants(studying *w) {
  hk_variant v;
  hk_status status = hk_variant_init(&v, w->study, &w->err);
  if (status) return status;
  bool json = tool_flag(w->args, "json");
  tool_json j = {.out = stdout};
  if (json) {
    tool_json_open(&j, NULL, '{');
    tool_json_int(&j, "count", w->plan.n);
    tool_json_text(&j, "rule", w->plan.rule);
    tool_json_open(&j, "variants", '[');
  } else {
    printf("%lld variants: %s\n", (long long)w->plan.n, tool_name(w->plan.rule));
  }
  for (int64_t i = 0; i < w->plan.n; i++) {
    hk_variant_make(&v, &w->plan, i);
    if (json) tool_json_open(&j, NULL, '{');
    for (int k = w->study->n_set; k < v.n_set && json; k++)
      tool_json_text(&j, v.set[k].path, v.set[k].value);
    if (json) tool_json_close(&j, '}');
    if (json) continue;
    printf("%lld", (long long)i);
    for (int k = w->study->n_set; k < v.n_set; k++)
      printf("  %s=%s", v.set[k].path, tool_name(v.set[k].value));
    putchar('\n');
  }
  if (json) {
    tool_json_close(&j, ']');
    tool_json_close(&j, '}');
    putchar('\n');
  }
  hk_variant_free(&v);
  return HK_OK;
}

static hk_status run_all(studying *w) {
  tool_study_progress progress;
  bool quiet = tool_flag(w->args, "quiet");
  w->o.go_on = tool_study_progress_draw;
  w->o.context = &progress;
  tool_catch_signals();
  tool_study_progress_begin(&progress, quiet);
  hk_status status = hk_campaign_run(&w->plan, &w->o, &w->report, &w->diag, &w->err);
  tool_study_progress_end(&progress);
  w->stopped = status == HK_STOPPED;
  w->ran = !status || w->stopped;
  if (w->report.scan.torn)
    hk_diag_add(
        &w->diag, HK_WARNING, &(hk_location){.file = w->folder},
        "%lld journals end in an incomplete record, which was dropped: its variant is run again",
        (long long)w->report.scan.torn);
  return w->stopped ? HK_OK : status;
}

static hk_status collect(studying *w) {
  hk_status status = hk_campaign_check(&w->plan, w->folder, &w->diag, &w->err);
  if (!status) status = hk_collect(&w->plan, w->journals, w->sqlite, &w->collection, &w->err);
  if (!status) status = hk_table_read(w->sqlite, &w->table, &w->err);
  return status;
}

/* ---- results ---- */

/* Returns true if variants were run and none of them has a result. */
static bool all_failed(const studying *w) { return w->table.n == 0 && w->table.n_failed > 0; }

static void warn(studying *w) {
  const hk_location place = {.file = w->folder};
  const hk_table *t = &w->table;
  if (t->n_failed)
    hk_diag_add(&w->diag, HK_WARNING, &place,
                "%lld of %lld variants failed; the first, number %lld, because: %s",
                (long long)t->n_failed, (long long)w->collection.done, (long long)t->failure[0],
                t->failure_error[0]);
  if (w->collection.done < w->plan.n)
    hk_diag_add(&w->diag, HK_WARNING, &place, "%lld of %lld variants are still to be run%s",
                (long long)(w->plan.n - w->collection.done), (long long)w->plan.n,
                w->stopped ? "; continue with --resume" : "");
}

static hk_status write_files(studying *w) {
  const char *output = tool_value(w->args, "output"), *plot = tool_value(w->args, "plot"),
             *kind = tool_value(w->args, "figure");
  char csv[4096];
  hk_campaign_path(w->folder, "table.csv", csv, sizeof csv);
  hk_status status = hk_collect_csv(w->sqlite, csv, &w->err);
  if (!status && output) status = hk_collect_csv(w->sqlite, output, &w->err);
  const char *page = tool_value(w->args, "report");
  const tool_study_report all = {&w->plan, &w->table, &w->collection};
  if (!status && page) status = tool_study_report_write(&all, page, &w->err);
  if (!status && plot && !all_failed(w)) /* there is nothing to draw; `report` returns the error */
    status = tool_study_figure(w->study, &w->table, kind ? kind : "auto",
                               tool_value(w->args, "show"), plot, &w->err);
  return status;
}

static hk_status print_json(studying *w) {
  tool_json j = {.out = stdout};
  tool_json_open(&j, NULL, '{');
  tool_json_text(&j, "status", w->stopped ? "stopped" : all_failed(w) ? "failed" : "ok");
  tool_json_text(&j, "folder", w->folder);
  tool_json_int(&j, "variants", w->plan.n);
  tool_json_int(&j, "done", w->collection.done);
  tool_json_int(&j, "failed", w->collection.failed);
  tool_json_int(&j, "infeasible", w->collection.infeasible);
  tool_json_real(&j, "seconds", w->collection.seconds);
  tool_statistics_json(&j, &w->table);
  tool_linear_dependence(&w->table, &j);
  hk_status status =
      tool_yield(&w->plan, &w->table, w->collection.infeasible, w->collection.failed, &j, &w->err);
  if (!status) status = tool_rows_json(&j, &w->plan, &w->table, &w->err);
  tool_json_close(&j, '}');
  putchar('\n');
  return status;
}

static hk_status print_report(studying *w) {
  const hk_collection *c = &w->collection;
  if (w->study->title && w->study->title[0]) tool_put(stdout, w->study->title), putchar('\n');
  hk_status status = tool_rows_print(&w->plan, &w->table, ROWS_SHOWN, &w->err);
  putchar('\n');
  if (w->table.n > 1) tool_statistics_print(&w->table);
  if (w->study->n_axes > w->study->n_crossed) tool_linear_dependence(&w->table, NULL);
  if (!status)
    status = tool_yield(&w->plan, &w->table, w->collection.infeasible, w->collection.failed, NULL,
                        &w->err);
  if (w->table.stride > 1)
    printf("(rows and figures above: every %lld-th variant; the table has all)\n",
           (long long)w->table.stride);
  printf("%lld variants, %lld failed", (long long)c->done, (long long)c->failed);
  if (w->study->n_limits) printf(", %lld beyond a constraint", (long long)c->infeasible);
  if (c->seconds > 0)
    printf("; %.3g s of computing, %.3g s each", c->seconds, c->seconds / (double)c->done);
  printf("\ntable: %s/table.csv, %s\n", tool_name(w->folder), tool_name(w->sqlite));
  return status;
}

static hk_status report(studying *w) {
  const char *output = tool_value(w->args, "output");
  bool taken = output && strcmp(output, "-") == 0;
  hk_status status = collect(w);
  if (!status) status = write_files(w);
  if (status) return status;
  warn(w);
  if (tool_flag(w->args, "json"))
    status = print_json(w);
  else if (!taken && !tool_flag(w->args, "quiet"))
    status = print_report(w);
  if (!status && all_failed(w) && !w->stopped)
    status = hk_fail(&w->err, HK_EFAIL, "no variant succeeded; see %s/table.csv for the reasons",
                     w->folder);
  return status;
}

static hk_status work(studying *w) {
  const tool_args *args = w->args;
  hk_status status = read_options(w);
  if (!status) status = read_study(w, args->word[0]);
  if (status) return status;
  if (tool_flag(args, "list")) return list_variants(w);
  if (tool_flag(args, "slurm"))
    return hk_slurm_write(&w->plan, args->word[0], w->folder, w->o.jobs, args->before,
                          args->n_before, stdout, &w->err);
  if (!tool_flag(args, "collect")) status = run_all(w);
  if (status || !w->report.leader) return status;
  if (tool_value(args, "task")) return HK_OK; /* the table is collected after all tasks */
  return report(w);
}

bool tool_study_begun(const char *file) {
  char folder[3000];
  struct stat about;
  default_folder(file, folder, sizeof folder);
  return stat(folder, &about) == 0 && S_ISDIR(about.st_mode);
}

/* `hooke report STUDY`: the page of the variants finished so far. */
hk_status tool_study_page(const tool_args *args, const char *output, hk_error *err) {
  studying w = {.args = args, .report = {.leader = true}};
  const char *file = args->word[0];
  hk_diag_init(&w.diag);
  default_folder(file, w.folder, sizeof w.folder);
  hk_campaign_path(w.folder, "journals", w.journals, sizeof w.journals);
  hk_campaign_path(w.folder, "table.sqlite", w.sqlite, sizeof w.sqlite);
  hk_status status = read_study(&w, file);
  if (!status) status = collect(&w);
  const tool_study_report all = {&w.plan, &w.table, &w.collection};
  if (!status) status = tool_study_report_write(&all, output, &w.err);
  if (!status) warn(&w);
  tool_print_diag(&w.diag, 0);
  if (status && w.diag.n_errors == 0) *err = w.err;
  hk_table_free(&w.table);
  hk_study_destroy(w.study);
  hk_diag_free(&w.diag);
  return status;
}

static int run(const tool_args *args) {
  studying w = {.args = args, .report = {.leader = true}};
  hk_diag_init(&w.diag);
  hk_status status = work(&w);
  tool_print_diag(&w.diag, 0);
  if (status && w.diag.n_errors == 0)
    tool_error("%s", w.err.text[0] ? w.err.text : "out of memory");
  hk_table_free(&w.table);
  hk_study_destroy(w.study);
  hk_diag_free(&w.diag);
  return !status && w.stopped ? 128 + tool_stop_signal() : tool_exit_code(status);
}

static const tool_option options[] = {
    {'j', "jobs", "COUNT", "processes to run at a time; default: one per processor", false},
    {0, "resume", NULL, "continue a study: finished variants are kept", false},
    {0, "folder", "DIR", "folder of journals and tables; default: the study's name with .study",
     false},
    {'o', "output", "FILE", "write the table as CSV here too; \"-\": standard output", false},
    {0, "plot", "FILE.svg", "draw the table as SVG, PNG or PDF by its name", false},
    {0, "report", "FILE", "write table, statistics and all figures that fit as one HTML file",
     false},
    {0, "figure", "KIND", "kind of figure: " TOOL_FIGURE_KINDS, false},
    {0, "show", "NAMES", "columns to draw, separated by commas", false},
    {0, "list", NULL, "list the variants and run none", false},
    {0, "collect", NULL, "run no variants, only write the table of finished ones", false},
    {0, "mpi", NULL, "run on all ranks of this MPI job: mpirun -n 64 hooke study FILE --mpi",
     false},
    {0, "slurm", NULL,
     "measure the time of a few variants, then print a job script for Slurm with tasks of an hour "
     "or more",
     false},
    {0, "task", "I/N", "run only part I of N, counted from 0: for job scripts", false},
    {0, "json", NULL, "print the outcome as one JSON object", false},
    {'q', "quiet", NULL, "no progress, no table on the screen", false},
};

const tool_command tool_command_study = {
    .name = "study",
    .arguments = "STUDY",
    .summary = "run all variants of a study file, here or on a cluster",
    .text =
        "A study file gives a model and the values that change (lists and ranges that are combined "
        "or varied together, samples of distributions), the measures to keep, constraints and "
        "goals. "
        "Every variant is one run of the model; its measures become a row of a table.\n"
        "\n"
        "Each process appends finished variants to a journal in the study's folder, so no finished "
        "variant is lost if a process is killed; --resume continues, and the final table is "
        "identical. A variant that crashes, runs past `limits: time` or beyond "
        "`limits: memory` is a failed row and does not stop the others. Ctrl-C stops after the "
        "finished variants have been written.\n"
        "\n"
        "With --json, standard output is one object:\n"
        "\n"
        "  {\"status\": \"ok\" | \"failed\" | \"stopped\", \"folder\": path, \"variants\": n, "
        "\"done\": n,\n"
        "   \"failed\": n, \"infeasible\": n, \"seconds\": s,\n"
        "   \"statistics\": {measure: {\"count\", \"least\", \"p05\", \"median\", \"mean\",\n"
        "     \"mean_low\", \"mean_high\" (95 %), \"p95\", \"greatest\", \"deviation\"}},\n"
        "   \"regression\": {measure: {\"count\", \"r2\", \"constant\", \"axes\": {axis: "
        "{\"slope\",\n"
        "     \"error\", \"standardized\", \"correlation\", \"rank_correlation\"}}}},\n"
        "   with constraints also: \"constraints\": [{\"constraint\": text, \"kept\": n,\n"
        "     \"share\": number, \"cpk\": number}],\n"
        "   \"yield\": {\"share\", \"low\", \"high\" (95 %), \"failed\": n, \"share_of_all\" "
        "(failed\n"
        "     ones are rejects), \"cpk\"},\n"
        "   \"columns\": [{\"name\": text, \"unit\": text}], \"rows\": [[value]]}\n"
        "\n"
        "Columns and rows begin with the variant's number and its status (ok or failed) and end "
        "with "
        "the error of a failed one.\n"
        "\n"
        "Exit status: 0 done (also if some of the variants failed), 1 no variant succeeded or the "
        "study failed, 2 bad input or output, 130 stopped by Ctrl-C, 143 by SIGTERM. With --task: "
        "0 also if all variants of the part failed, because only the table (--collect) has the "
        "results of all tasks.\n"
        "\n"
        "Examples:\n"
        "\n"
        "  hooke study stiffness.yaml -j 2 --plot map.svg\n"
        "  hooke study stiffness.yaml --resume\n"
        "  mpirun -n 64 hooke study stiffness.yaml --mpi\n"
        "  hooke study stiffness.yaml --slurm > job.sh && sbatch job.sh\n"
        "  hooke study stiffness.yaml --collect -o table.csv\n",
    TOOL_OPTIONS(options),
    .min_words = 1,
    .max_words = 1,
    .run = run,
};
