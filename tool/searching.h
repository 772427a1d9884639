/* Shared by `hooke optimize` and `hooke sensitivity`: a study, its folder, an evaluator. */
#ifndef TOOL_SEARCHING_H
#define TOOL_SEARCHING_H
#include "study/evaluate.h"
#include "variants.h"

typedef struct tool_search {
  const tool_args *args;
  hk_diag diag;
  hk_error err;
  hk_study *study;
  hk_evaluator evaluator;
  hk_campaign_options o;
  tool_study_progress progress;
  char folder[3000], journals[4096], sqlite[4096];
  uint64_t seed;
} tool_search;

#define TOOL_SEARCH_OPTIONS                                                                \
  {'j', "jobs", "COUNT", "processes to run at a time; default: one per processor", false}, \
      {0, "resume", NULL, "continue: finished variants are kept", false},                  \
      {0, "folder", "DIR", "folder of journals and tables", false},                        \
      {0, "seed", "NUMBER", "seed of the random numbers; default 1", false},               \
      {0, "json", NULL, "print the outcome as one JSON object", false}, {                  \
    'q', "quiet", NULL, "no progress", false                                               \
  }

/* Reads and binds the study; suffix: suffix of the folder.  Free *s in any case. */
hk_status tool_search_open(tool_search *s, const tool_args *args, const char *suffix);
/* Creates the evaluator, with a description of the rule. */
hk_status tool_search_begin(tool_search *s, const char *rule);
/* Writes all points so far as tables in the folder. */
hk_status tool_search_collect(tool_search *s);
/* Prints messages, frees everything and returns the exit code. */
int tool_search_finish(tool_search *s, hk_status status);
#endif
