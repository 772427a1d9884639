/* hooke run --over: a quick sweep without a study file. */
#include "orbit.h"
#include "variants.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { DEFAULT_COUNT = 11 };

typedef struct sweep {
  const tool_args *args;
  hk_diag diag;
  hk_error err;
  hk_study *study;
  hk_plan plan;
  char folder[4096], sqlite[4200];
  hk_collection collection;
  hk_table table;
} sweep;

static hk_status read_axes(sweep *w) {
  const char **over = calloc((size_t)w->args->n_given + 1, sizeof *over);
  int n = over ? tool_values(w->args, "over", over) : 0;
  hk_status status = over ? HK_OK : hk_fail(&w->err, HK_ENOMEM, "out of memory");
  for (int i = 0; i < n && !status; i++) {
    const char *equal = strchr(over[i], '=');
    char path[300];
    if (!equal || equal == over[i] || (size_t)(equal - over[i]) >= sizeof path) {
      status =
          hk_fail(&w->err, HK_EINPUT,
                  "--over needs PATH=VALUES, such as mu=0..0.1:11 or torque=\"500 N*m,1 kN*m\", "
                  "not '%s'",
                  over[i]);
      break;
    }
    snprintf(path, sizeof path, "%.*s", (int)(equal - over[i]), over[i]);
    status = hk_study_add_axis(w->study, path, equal + 1, DEFAULT_COUNT, &w->err);
  }
  free(over);
  return status;
}

static hk_status open_study(sweep *w) {
  tool_overrides o;
  if (strcmp(w->args->word[0], "-") == 0)
    return hk_fail(&w->err, HK_EINPUT, "--over reads the model several times; give it as a file");
  hk_status status = tool_overrides_read(&o, w->args, &w->diag);
  if (!status) {
    w->study = hk_study_create(w->args->word[0], o.set, o.n);
    if (w->study) w->study->types = w->args->types;
    if (!w->study) status = hk_fail(&w->err, HK_ENOMEM, "out of memory");
  }
  tool_overrides_free(&o);
  if (!status) status = read_axes(w);
  if (!status) status = hk_study_bind(w->study, &w->diag);
  if (!status) {
    hk_plan_of_study(w->study, &w->plan);
    status = hk_plan_open(&w->plan, &w->err);
    if (!status) status = hk_plan_check(&w->plan, &w->diag);
    if (!status) status = tool_outputs_check(w->args, &w->err);
  }
  return status;
}

/* Runs all variants; the journals of a sweep are temporary. */
static hk_status run_all(sweep *w) {
  const char *base = getenv("TMPDIR"), *jobs = tool_value(w->args, "jobs");
  hk_campaign_report report;
  tool_study_progress progress;
  char journals[4200];
  hk_campaign_options o = {.folder = w->folder,
                           .no_sync = true,
                           .go_on = tool_study_progress_draw,
                           .context = &progress};
  hk_status status = jobs ? tool_count(jobs, "--jobs", 1, 256, &o.jobs, &w->err) : HK_OK;
  if (status) return status;
  snprintf(w->folder, sizeof w->folder, "%s/hooke-XXXXXX", base && *base ? base : "/tmp");
  if (!mkdtemp(w->folder)) {
    hk_fail(&w->err, HK_EIO, "cannot create a folder '%s': %s", w->folder, strerror(errno));
    w->folder[0] = '\0';
    return HK_EIO;
  }
  tool_catch_signals();
  tool_study_progress_begin(&progress, tool_flag(w->args, "quiet"));
  hk_status ran = hk_campaign_run(&w->plan, &o, &report, &w->diag, &w->err);
  tool_study_progress_end(&progress);
  if (ran && ran != HK_STOPPED) return ran;
  hk_campaign_path(w->folder, "journals", journals, sizeof journals);
  hk_campaign_path(w->folder, "table.sqlite", w->sqlite, sizeof w->sqlite);
  status = hk_collect(&w->plan, journals, w->sqlite, &w->collection, &w->err);
  if (!status) status = hk_table_read(w->sqlite, &w->table, &w->err);
  return status ? status : ran;
}

static hk_status show(sweep *w, hk_status ran) {
  const char *output = tool_value(w->args, "output"), *plot = tool_value(w->args, "plot");
  const hk_table *t = &w->table;
  hk_status status = HK_OK;
  if (t->n_failed)
    hk_diag_add(&w->diag, HK_WARNING, &(hk_location){.file = w->args->word[0]},
                "%lld of %lld variants failed; reason of the first, number %lld: %s",
                (long long)t->n_failed, (long long)w->collection.done, (long long)t->failure[0],
                t->failure_error[0]);
  if (output) status = hk_collect_csv(w->sqlite, output, &w->err);
  const bool failed = t->n == 0 && t->n_failed > 0;
  if (!status && plot && !failed)
    status = tool_study_figure(w->study, t, "auto", NULL, plot, &w->err);
  if (!status && tool_flag(w->args, "json")) {
    tool_json j = {.out = stdout};
    tool_json_open(&j, NULL, '{');
    tool_json_text(&j, "status", ran == HK_STOPPED ? "stopped" : t->n ? "ok" : "failed");
    tool_json_int(&j, "variants", w->plan.n);
    tool_json_int(&j, "failed", t->n_failed);
    status = tool_rows_json(&j, &w->plan, t, &w->err);
    tool_json_close(&j, '}');
    putchar('\n');
  } else if (!status && !output) {
    status = tool_rows_print(&w->plan, t, 0, &w->err);
  }
  if (!status && failed) status = hk_fail(&w->err, HK_EFAIL, "no variant succeeded");
  return status;
}

int tool_run_over(const tool_args *args) {
  sweep w = {.args = args};
  hk_diag_init(&w.diag);
  hk_status status = open_study(&w), ran = HK_OK;
  if (!status) {
    ran = run_all(&w);
    status = ran == HK_STOPPED ? HK_OK : ran;
    if (!status) status = show(&w, ran);
  }
  tool_print_diag(&w.diag, 0);
  if (status && w.diag.n_errors == 0) tool_error("%s", w.err.text);
  if (w.folder[0]) hk_campaign_remove(w.folder);
  hk_table_free(&w.table);
  hk_study_destroy(w.study);
  hk_diag_free(&w.diag);
  return ran == HK_STOPPED && !status ? 128 + tool_stop_signal() : tool_exit_code(status);
}
