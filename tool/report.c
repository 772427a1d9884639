/* hooke report: results as one page that opens in every browser. */
#include "command.h"
#include "report/page.h"
#include "report/page_measured.h"
#include "report/page_units.h"
#include "results_model.h"
#include "variants.h"
#include <stdlib.h>
#include <string.h>

enum { MOST_RUNS = 8 };

static hk_status add_run(const tool_args *args, int word, hk_results **r, hk_page_run *out,
                         hk_error *err) {
  hk_status status = tool_results_open(args, word, r, err);
  return status ? status : hk_page_results(*r, tool_value(args, "full"), out, err);
}

/* Returns true if the file is a study; models have the same extension, and the message says how to run a model first. */
static bool is_study(const char *path) {
  const char *dot = strrchr(path, '.');
  return dot && (strcmp(dot, ".yaml") == 0 || strcmp(dot, ".yml") == 0);
}

static int report_study(const tool_args *args, const char *output) {
  hk_error err = {0};
  if (args->n_words > 1 || strcmp(output, "-") == 0) {
    tool_error("the page of a study needs one study file and an output file");
    return EXIT_BAD_INPUT;
  }
  static const char *const of_results[] = {"full", "unit", "measured", "match"};
  for (size_t i = 0; i < sizeof of_results / sizeof *of_results; i++)
    if (tool_value(args, of_results[i])) {
      tool_error("--%s is for results, not for studies", of_results[i]);
      return EXIT_BAD_INPUT;
    }
  hk_status status =
      tool_study_begun(args->word[0])
          ? tool_study_page(args, output, &err)
          : hk_fail(&err, HK_EINPUT,
                    "'%s' is not a results file: run the model first (hooke run MODEL "
                    "-o out.h5), or the study (hooke study FILE)",
                    args->word[0]);
  if (status && err.text[0]) tool_error("%s", err.text);
  return tool_exit_code(status);
}

static hk_status read_measured(const tool_args *args, const hk_results *r, char **json,
                               hk_error *err) {
  const char **match = calloc((size_t)args->n_given + 1, sizeof *match);
  if (!match) return hk_fail(err, HK_ENOMEM, "out of memory");
  const int n = tool_values(args, "match", match);
  const hk_measured m = {.path = tool_value(args, "measured"), .match = match, .n_match = n};
  hk_diag diag;
  hk_diag_init(&diag);
  hk_status status = HK_OK;
  if (m.path)
    status = hk_page_measured(&m, r, json, &diag, err);
  else if (n)
    status = hk_fail(err, HK_EINPUT, "--match needs --measured FILE.csv");
  tool_print_diag(&diag, 0);
  hk_diag_free(&diag);
  free(match);
  return status;
}

static int run(const tool_args *args) {
  const char *output = tool_value(args, "output");
  char *measured = NULL;
  hk_page_run runs[MOST_RUNS] = {{0}};
  hk_results *file[MOST_RUNS] = {0};
  hk_error err = {0};
  hk_status status = HK_OK;
  if (!output) {
    tool_error("no output file; use -o FILE.html, or -o - for standard output");
    return EXIT_BAD_INPUT;
  }
  for (int i = 0; i < args->n_words; i++)
    if (is_study(args->word[i])) return report_study(args, output);
  status = hk_page_units_check(tool_value(args, "unit"), &err);
  for (int i = 0; i < args->n_words && !status; i++)
    status = add_run(args, i, &file[i], &runs[i], &err);
  for (int i = 1; i < args->n_words && !status; i++)
    status = hk_page_compare(file[0], file[i], &runs[i].differences, &err);
  if (!status) status = read_measured(args, file[0], &measured, &err);
  const hk_page page = {
      .run = runs, .n = args->n_words, .units = tool_value(args, "unit"), .measured = measured};
  if (!status) status = hk_page_save(output, &page, &err);
  if (status && err.text[0]) tool_error("%s", err.text);
  free(measured);
  for (int i = 0; i < args->n_words; i++) hk_page_run_free(&runs[i]), hk_results_destroy(file[i]);
  return tool_exit_code(status);
}

static const tool_option options[] = {
    {'o', "output", "FILE", "the page; \"-\": standard output", false},
    {0, "full", "REGEX",
     "keep every value of the channels with names that match this POSIX extended regular "
     "expression",
     false},
    {0, "unit", "UNITS",
     "units of the page, such as \"mm, deg, kN\", or \"si\"; default: by magnitude", false},
    {0, "measured", "BENCH.csv",
     "curves of a test bench: the first column is a time or an angle; each column with the name of "
     "a channel is drawn over this channel",
     false},
    {0, "match", "COLUMN=CHANNEL", "a column of --measured and its channel", true},
};

const tool_command tool_command_report = {
    .name = "report",
    .arguments = "RESULTS...",
    .summary = "results as one page: the moving mechanism and its curves",
    .text =
        "Writes one HTML file that opens from disk in every browser, without network or server, "
        "and can be "
        "sent to a colleague: the mechanism in 3D with its contact forces, plots for its joints, "
        "every channel by name, measures, warnings, energy balance, statistics and the model file. "
        "One time cursor controls all of them. Several results are compared: curves in one panel, "
        "the second mechanism transparent, and a table of differences.\n"
        "\n"
        "For a long run the channels of the plots are stored completely; for the others the "
        "smallest and largest value of every few rows, so that no peak is lost, and the page says "
        "so. --full gives more channels to be stored completely.\n"
        "\n"
        "Units follow the magnitude of the values; angles and angular speeds follow the model "
        "file. --unit or the page changes them.\n"
        "\n"
        "A study file instead of results gives the page of the study: table, statistics and all "
        "suitable figures of the finished variants in its folder, which must be in the current "
        "folder.\n"
        "\n"
        "Exit status: 0 written, 2 not a results file, or the page cannot be written.\n"
        "\n"
        "Examples:\n"
        "\n"
        "  hooke report out.h5 -o report.html\n"
        "  hooke report before.h5 after.h5 -o compare.html\n"
        "  hooke report out.h5 --measured bench.csv --match \"torque = shaft.torque\" -o out.html\n"
        "  hooke report out.h5 --unit \"um, rpm\" -o out.html\n"
        "  hooke report stiffness.yaml -o study.html\n",
    TOOL_OPTIONS(options),
    .min_words = 1,
    .max_words = MOST_RUNS,
    .run = run,
};
