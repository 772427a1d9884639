/* hooke export: results as comma-separated values. */
#include "command.h"
#include "io/csv.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* "a,b,c" -> names, in place.  Channel names hold no comma. */
static int split_names(char *text, const char **name) {
  int n = 0;
  for (char *at = text; at;) {
    char *comma = strchr(at, ',');
    if (comma) *comma++ = '\0';
    if (*at) name[n++] = at;
    at = comma;
  }
  return n;
}

static hk_status select_and_write(hk_results *r, const char *path,
                                  const hk_csv_selection *selection, hk_error *err) {
  int *channel, n;
  /* A selection that cannot be must not cost an older file. */
  hk_status status = hk_csv_select(r, selection, &channel, &n, err);
  if (status) return status;
  free(channel);
  bool to_stdout = strcmp(path, "-") == 0;
  FILE *out = to_stdout ? stdout : fopen(path, "w");
  if (!out) return hk_fail(err, HK_EIO, "cannot write '%s': %s", path, strerror(errno));
  errno = 0;
  status = hk_csv_export(r, out, selection, err);
  if (fflush(out) && !status)
    status = hk_fail(err, HK_EIO, "cannot write '%s': %s", path, strerror(errno));
  /* Who closed the pipe has read enough. */
  if (to_stdout && status == HK_EIO && errno == EPIPE) status = HK_OK;
  if (!to_stdout && fclose(out) && !status)
    status = hk_fail(err, HK_EIO, "cannot write '%s': %s", path, strerror(errno));
  return status;
}

static int run(const tool_args *args) {
  const char *path = tool_value(args, "csv"), *list = tool_value(args, "channels");
  hk_results *r = NULL;
  hk_error err = {0};
  if (!path) {
    tool_error("where to? Give --csv FILE, or --csv - for standard output");
    return EXIT_BAD_INPUT;
  }
  char *copy = list ? strdup(list) : NULL;
  const char **name = calloc(list ? strlen(list) + 1 : 1, sizeof *name);
  hk_status status = HK_OK;
  if (!name || (list && !copy)) status = hk_fail(&err, HK_ENOMEM, "out of memory");
  if (!status) status = hk_results_open(args->word[0], &r, &err);
  if (!status) {
    const hk_csv_selection selection = {.name = name,
                                        .n_names = copy ? split_names(copy, name) : 0,
                                        .regex = tool_value(args, "match")};
    if (hk_results_n_lost(r) > 0)
      fprintf(stderr, "%s: warning: %lld rows are missing at the end: the file is truncated\n",
              args->word[0], (long long)hk_results_n_lost(r));
    status = select_and_write(r, path, &selection, &err);
  }
  if (status) tool_error("%s", err.text);
  hk_results_free(r);
  free(name);
  free(copy);
  return tool_exit_code(status);
}

static const tool_option options[] = {
    {0, "csv", "FILE", "write to this file; \"-\": standard output", false},
    {0, "channels", "NAME,NAME", "these channels, in this order", false},
    {0, "match", "REGEX", "channels whose name matches this POSIX extended regular expression",
     false},
};

const tool_command tool_command_export = {
    .name = "export",
    .arguments = "RESULTS",
    .summary = "results as comma-separated values",
    .text =
        "Writes the channels of a results file as a table: time first, one column per channel, "
        "names and units in the first line. Numbers read back exactly. A file of a run that is "
        "still going on, or that was killed, gives the rows it has.\n"
        "\n"
        "Exit status: 0 written, 2 not a results file, no such channel, or the output cannot be "
        "written.\n"
        "\n"
        "Examples:\n"
        "\n"
        "  hooke export out.h5 --csv out.csv\n"
        "  hooke export out.h5 --csv - --channels bob.x,bob.y | head\n",
    TOOL_OPTIONS(options),
    .min_words = 1,
    .max_words = 1,
    .run = run,
};
