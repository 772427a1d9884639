/* The model of a run: see results_model.h. */
#include "results_model.h"
#include <stdlib.h>
#include <string.h>

hk_status tool_results_open(const tool_args *args, int word, hk_results **out, hk_error *err) {
  hk_status status = hk_results_open(args->word[word], out, err);
  if (!status && hk_results_lost_count(*out) > 0)
    fprintf(stderr, "%s: warning: %lld rows are missing at the end: the file is truncated\n",
            tool_name(args->word[word]), (long long)hk_results_lost_count(*out));
  return status ? status : tool_outputs_check(args, err);
}

/* Combines the overrides of the run, which the file stores as one "path=value" per line, with those of the command
 * line. */
static hk_status all_overrides(tool_results_model *m, const hk_results *results,
                               const tool_overrides *own, hk_override **out, int *n,
                               hk_error *err) {
  const char *text = hk_results_attribute_value(results, "overrides");
  int lines = 1, own_n = own ? own->n : 0;
  m->overrides = strdup(text ? text : "");
  for (const char *c = m->overrides; c && *c; c++) lines += *c == '\n';
  *out = calloc((size_t)(lines + own_n) + 1, sizeof **out);
  if (!m->overrides || !*out) return hk_fail(err, HK_ENOMEM, "out of memory");
  *n = 0;
  for (char *line = strtok(m->overrides, "\n"); line; line = strtok(NULL, "\n")) {
    char *equal = strchr(line, '=');
    if (!equal) continue;
    *equal = '\0';
    (*out)[(*n)++] = (hk_override){line, equal + 1};
  }
  for (int i = 0; i < own_n; i++) (*out)[(*n)++] = own->set[i];
  return HK_OK;
}

hk_status tool_results_spec(tool_results_model *m, const tool_args *args, hk_results *results,
                            const tool_overrides *own, hk_diag *diag, hk_spec **spec,
                            hk_error *err) {
  const char *path = hk_results_attribute_value(results, "model_file"),
             *text = hk_results_model_text(results);
  hk_override *set = NULL;
  int n = 0;
  *spec = NULL;
  if (!text || !*text)
    return hk_fail(err, HK_EINPUT, "'%s' does not contain its model", hk_results_path(results));
  hk_status status = all_overrides(m, results, own, &set, &n, err);
  if (!status)
    *spec = hk_model_text_read_with(args->types, path && *path ? path : "model", text, strlen(text),
                                    set, n, diag);
  free(set);
  if (!status && diag->out_of_memory) return hk_fail(err, HK_ENOMEM, "out of memory");
  return status;
}

void tool_results_model_free(tool_results_model *m) {
  free(m->overrides);
  m->overrides = NULL;
}
