/* Shared by `hooke optimize` and `hooke sensitivity`: see searching.h. */
#include "searching.h"
#include "orbit.h"
#include <stdlib.h>
#include <string.h>

hk_status tool_search_open(tool_search *s, const tool_args *args, const char *suffix) {
  const char *folder = tool_value(args, "folder"), *jobs = tool_value(args, "jobs"),
             *seed = tool_value(args, "seed"), *file = args->word[0];
  const char *slash = strrchr(file, '/'), *name = slash ? slash + 1 : file;
  const char *dot = strrchr(name, '.');
  int length = dot && dot > name ? (int)(dot - name) : (int)strlen(name), number = 1;
  *s = (tool_search){.args = args};
  hk_diag_init(&s->diag);
  if (folder)
    snprintf(s->folder, sizeof s->folder, "%s", folder);
  else
    snprintf(s->folder, sizeof s->folder, "%.*s.%s", length, name, suffix);
  hk_campaign_path(s->folder, "journals", s->journals, sizeof s->journals);
  hk_campaign_path(s->folder, "table.sqlite", s->sqlite, sizeof s->sqlite);
  s->o = (hk_campaign_options){.folder = s->folder,
                               .resume = tool_flag(args, "resume"),
                               .go_on = tool_study_progress_draw,
                               .context = &s->progress};
  hk_status status = tool_outputs_possible(args, s->folder, &s->err);
  if (!status && jobs) status = tool_count(jobs, "--jobs", 1, 256, &s->o.jobs, &s->err);
  if (!status && seed) status = tool_count(seed, "--seed", 0, 2147483647, &number, &s->err);
  s->seed = (uint64_t)number;
  if (status) return status;
  s->study = hk_study_read(file, &s->diag);
  if (!s->study) return s->diag.out_of_memory ? HK_ENOMEM : HK_EINPUT;
  s->study->types = args->types;
  status = hk_study_bind(s->study, &s->diag);
  hk_campaign_note(s->folder); /* results of an earlier search */
  return status ? status : tool_outputs_check(args, &s->err);
}

hk_status tool_search_begin(tool_search *s, const char *rule) {
  tool_catch_signals();
  tool_study_progress_begin(&s->progress, tool_flag(s->args, "quiet"));
  return hk_evaluator_open(&s->evaluator, s->study, rule, &s->o, &s->diag, &s->err);
}

hk_status tool_search_collect(tool_search *s) {
  hk_collection collection;
  char csv[4096];
  tool_study_progress_end(&s->progress);
  hk_campaign_path(s->folder, "table.csv", csv, sizeof csv);
  hk_status status = hk_collect(&s->evaluator.plan, s->journals, s->sqlite, &collection, &s->err);
  if (!status) status = hk_collect_csv(s->sqlite, csv, &s->err);
  return status;
}

int tool_search_finish(tool_search *s, hk_status status) {
  tool_study_progress_end(&s->progress);
  bool stopped = status == HK_STOPPED;
  tool_print_diag(&s->diag, 0);
  if (stopped)
    fprintf(stderr, "%s: stopped; continue with --resume\n", tool_name(s->folder));
  else if (status && s->diag.n_errors == 0)
    tool_error("%s", s->err.text[0] ? s->err.text : "out of memory");
  hk_evaluator_close(&s->evaluator);
  hk_study_destroy(s->study);
  hk_diag_free(&s->diag);
  return stopped ? 128 + tool_stop_signal() : tool_exit_code(status);
}
