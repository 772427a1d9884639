/* hooke run: simulate a model, write results, print measures. */
#include "command.h"
#include "events.h"
#include "json.h"
#include "load.h"
#include "measure_table.h"
#include "progress.h"
#include "quality.h"
#include "variants.h"
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

/* Set by the signal handler. */
static volatile sig_atomic_t stop_signal;

static void on_signal(int signal_number) { stop_signal = signal_number; }

static void catch_signals(void) {
  /* The handler is removed after its first use: a second Ctrl-C ends the program at once. */
  struct sigaction action = {.sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND};
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
  sigaction(SIGHUP, &action, NULL); /* the terminal is gone */
}

static bool on_progress(void *context, const hk_run_progress *now) {
  tool_progress_draw(context, now);
  return stop_signal == 0;
}

/* ---- output ---- */

static const char *status_word(hk_status status) {
  return status == HK_OK ? "ok" : status == HK_STOPPED ? "stopped" : "failed";
}

static void print_json_messages(tool_json *j, const hk_diag *d, const char *key, hk_severity s) {
  tool_json_open(j, key, '[');
  for (int i = 0; i < d->n; i++) {
    if (d->message[i].severity != s) continue;
    char text[2048];
    hk_diag_format(&d->message[i], text, sizeof text);
    tool_json_text(j, NULL, text);
  }
  tool_json_close(j, ']');
}

static void print_json(const tool_model *m, const hk_run_report *p, const hk_run_digits *digits,
                       const char *error) {
  tool_json j = {.out = stdout};
  tool_json_open(&j, NULL, '{');
  tool_json_text(&j, "status", status_word(p->status));
  if (error) tool_json_text(&j, "error", error);
  tool_json_int(&j, "steps", p->stats.steps);
  tool_json_int(&j, "newton", p->stats.newton);
  tool_json_real(&j, "wall_s", p->wall_seconds);
  tool_measures_json(&j, p);
  tool_json_int(&j, "rejected", p->stats.rejected);
  tool_json_int(&j, "factorizations", p->stats.factorizations);
  tool_json_int(&j, "redundant", p->stats.redundant);
  tool_json_text(&j, "stepper", p->stepper);
  if (p->stepper_why) tool_json_text(&j, "stepper_why", p->stepper_why);
  tool_json_real(&j, "t_end", p->t);
  tool_events_json(&j, p);
  tool_json_real(&j, "energy_balance_error", p->energy_balance_error);
  tool_json_int(&j, "rows", p->rows);
  tool_trust_json(&j, p);
  if (digits) tool_digits_json(&j, p, digits);
  print_json_messages(&j, &m->diag, "errors", HK_ERROR);
  print_json_messages(&j, &m->diag, "warnings", HK_WARNING);
  tool_json_close(&j, '}');
  putchar('\n');
}

static void print_report(const tool_model *m, const hk_run_report *p, const char *output,
                         bool quiet) {
  const char *title = hk_model_title(m->model);
  if (!quiet && title && title[0]) {
    tool_put(stdout, title);
    putchar('\n');
  }
  if (p->n_measures) tool_measures_print(p);
  if (quiet) return;
  tool_events_print(p);
  printf(
      "%s%.6g s simulated in %.3g s: %ld steps (%ld rejected), %ld Newton iterations, %s%s%s%s\n",
      p->status == HK_STOPPED ? "stopped: "
      : p->status < 0         ? "failed: "
                              : "",
      p->t - p->start, p->wall_seconds, p->stats.steps, p->stats.rejected, p->stats.newton,
      p->stepper, p->stepper_why ? " (" : "", p->stepper_why ? p->stepper_why : "",
      p->stepper_why ? ")" : "");
  tool_trust_print(p);
  if (output && p->status >= 0)
    printf("results: %s (%lld rows)\n", tool_name(output), (long long)p->rows);
}

/* ---- command ---- */

static void simulate(const tool_model *m, const tool_args *args, hk_run_report *report,
                     hk_run_digits **digits, hk_diag *diag) {
  tool_progress progress;
  char *text = tool_model_text(m);
  const hk_run_options options = {.results = tool_value(args, "output"),
                                  .record = tool_value(args, "record"),
                                  .progress = on_progress,
                                  .context = &progress,
                                  .model_file = m->path,
                                  .model_text = text,
                                  .override_text = m->set,
                                  .n_overrides = m->n_set};
  catch_signals();
  tool_progress_begin(&progress, tool_flag(args, "quiet"));
  if (tool_flag(args, "digits"))
    hk_run_with_digits(m->model, &options, report, digits, diag);
  else
    hk_run(m->model, &options, report, diag);
  tool_progress_end(&progress);
  free(text);
}

/* The reason of a failure in one line, allocated by malloc; NULL if there was none. */
static char *failure_text(const tool_model *m, const hk_run_report *p) {
  if (p->status >= 0) return NULL;
  char *text = tool_first_error(&m->diag);
  if (text) return text;
  char words[sizeof p->error.text];
  bool model = p->status != HK_EIO && p->status != HK_ENOMEM;
  snprintf(words, sizeof words, "%s", p->error.text[0] ? p->error.text : "out of memory");
  const hk_diag_message message = {
      HK_ERROR, model ? hk_error_location(m->model, &p->error) : (hk_location){.file = "hooke"},
      words};
  int length = hk_diag_format(&message, NULL, 0);
  text = length < 0 ? NULL : malloc((size_t)length + 1);
  if (text) hk_diag_format(&message, text, (size_t)length + 1);
  return text;
}

/* Rejects the extension of a table, because results are always HDF5. */
static hk_status check_name(tool_model *m, const char *results) {
  size_t n = results ? strlen(results) : 0;
  if (n == 1 && results[0] == '-') {
    hk_diag_add(&m->diag, HK_ERROR, &(hk_location){"hooke", 0, 0},
                "results are an HDF5 file, which cannot be written to standard output; use '-o "
                "run.h5', then `hooke export run.h5 --csv -`, or './-' for a file of that name");
    return HK_EINPUT;
  }
  if (n < 4 || strcmp(results + n - 4, ".csv") != 0) return HK_OK;
  hk_diag_add(&m->diag, HK_ERROR, &(hk_location){"hooke", 0, 0},
              "results are written as HDF5, and '%s' ends in .csv; write '%.*s.h5', then `hooke "
              "export %.*s.h5 --csv %s`",
              results, (int)n - 4, results, (int)n - 4, results, results);
  return HK_EINPUT;
}

static int run(const tool_args *args) {
  if (tool_flag(args, "over")) return tool_run_over(args);
  tool_model m;
  bool json = tool_flag(args, "json"), quiet = tool_flag(args, "quiet");
  hk_run_report report = {.stepper = "", .energy_balance_error = NAN, .t = NAN};
  hk_run_digits *digits = NULL;
  report.status = tool_model_load(&m, args);
  if (!report.status) report.status = check_name(&m, tool_value(args, "output"));
  tool_print_diag(&m.diag, 0);
  int told = m.diag.n;
  bool ran = report.status == HK_OK;
  if (ran) {
    simulate(&m, args, &report, &digits, &m.diag);
    tool_print_diag(&m.diag, told);
  }
  char *error = failure_text(&m, &report);
  if (error && m.diag.n_errors == 0 && ran) {
    tool_put(stderr, error);
    fputc('\n', stderr);
  }
  if (json)
    print_json(&m, &report, digits, error);
  else if (ran && report.stats.steps > 0) {
    print_report(&m, &report, tool_value(args, "output"), quiet);
    if (digits) tool_digits_print(&report, digits);
  }
  int code = report.status == HK_STOPPED ? 128 + (int)stop_signal : tool_exit_code(report.status);
  if (code == EXIT_RUN_OK && report.doubts && tool_flag(args, "strict")) code = EXIT_RUN_FAILED;
  free(digits);
  free(error);
  hk_run_report_free(&report);
  tool_model_free(&m);
  return code;
}

static const tool_option options[] = {
    TOOL_SET_OPTION,
    TOOL_INPUT_OPTION,
    {'o', "output", "FILE", "write results to this HDF5 file; without it no file is written",
     false},
    {0, "record", "REGEX",
     "write only channels with names that match this POSIX extended regular expression; default: "
     "all except internal channels of composite joints ('.': all)",
     false},
    {0, "over", "PATH=VALUES",
     "run once for each value, and print a table of measures: mu=0..0.1:11, torque=\"500 N*m,1 "
     "kN*m\" or k=\"log(1 N/m, 1 kN/m, 7)\"; several are crossed",
     true},
    {'j', "jobs", "COUNT", "with --over: processes to run at a time", false},
    {0, "plot", "FILE.svg", "with --over: draw the measures as SVG, PNG or PDF by its name", false},
    {0, "digits", NULL,
     "run three times, each finer than the one before, and print every measure with its error",
     false},
    {0, "strict", NULL, "exit 1 if the run has quality warnings", false},
    {0, "json", NULL, "print the outcome as one JSON object", false},
    {'q', "quiet", NULL, "no progress line, no summary: only the table of measures", false},
};

const tool_command tool_command_run = {
    .name = "run",
    .arguments = "MODEL",
    .summary = "simulate a model, write results, print its measures",
    .text =
        "Reads the model file (\"-\": standard input), closes its joints, simulates it over the "
        "time of its analysis block and prints its measures as a table.\n"
        "\n"
        "With -o, time and channels are written every output_step to an HDF5 file, which can be "
        "read during the run. An older file of that name is kept until the new one has been "
        "created, so bad input does not overwrite it.\n"
        "\n"
        "With --over the model is run once for each value, in several processes, and the measures "
        "become a table: on the screen, as JSON, or with -o as CSV. For more (samples, "
        "constraints, resuming) see `hooke study`.\n"
        "\n"
        "At its end a run reports quality indicators: the largest error of the energy balance and "
        "the energy exchanged, the largest constraint violation, and the largest penetration of "
        "rigid contacts. Above 1 % of the energy, 1e-6 m or 1 % of the model's size it adds a "
        "warning, and with --strict exits 1. With --digits the run is done three times, each with "
        "a tenth of "
        "the "
        "tolerances (or half of a fixed step), and every measure is printed with its error and its "
        "significant digits, or with a note that it does not converge.\n"
        "\n"
        "Ctrl-C (or SIGTERM) ends the run after the current step: the results are closed with the "
        "status \"stopped\" and the measures so far are printed. A second Ctrl-C ends it at once.\n"
        "\n"
        "With --json, standard output is one object:\n"
        "\n"
        "  {\"status\": \"ok\" | \"failed\" | \"stopped\", \"error\": text if failed,\n"
        "   \"steps\": n, \"newton\": n, \"wall_s\": s,\n"
        "   \"measures\": {name: {\"value\": number or null, \"unit\": text, \"time\" (of\n"
        "     extremes, events): s, \"note\" (if any): text}},\n"
        "   \"rejected\": n, \"factorizations\": n, \"redundant\": n, \"stepper\": name,\n"
        "   \"stepper_why\": text, \"t_end\": s, \"energy_balance_error\": J, \"rows\": n,\n"
        "   \"trust\": {\"doubts\": n, \"energy_defect\": J, \"energy_defect_at\": s,\n"
        "     \"energy_turned_over\": J, \"constraint_error\": m, \"overlap\": m,\n"
        "     \"local_error_sum\": m, \"film_error\" (with films): fraction of a clearance,\n"
        "     \"shared_impacts\": n, \"open_pressures\": n, \"rtol\": number, \"atol\": number,\n"
        "     \"warnings\": [{\"kind\": name, \"doubt\": true | false, \"amount\": number,\n"
        "       \"unit\": text, \"limit\": number, \"time\": s, \"element\": name,\n"
        "       \"sentence\": text}]},\n"
        "   \"digits\" (with --digits): {name: {\"value\": number, \"error\": number, \"digits\": "
        "n,\n"
        "     \"settled\": true | false}},\n"
        "   \"stop_event\" (if an event ended the run): name,\n"
        "   \"events\" (if the model has any): {name: {\"count\": n, \"times\": [s, the first "
        "1000]}},\n"
        "   \"errors\": [text], \"warnings\": [text]}\n"
        "\n"
        "Exit status: 0 done, 1 the run failed (or, with --strict, has quality warnings), 2 bad "
        "input "
        "or output, 130 stopped by Ctrl-C, "
        "143 by SIGTERM.\n"
        "\n"
        "Examples:\n"
        "\n"
        "  hooke run pendulum.yaml\n"
        "  hooke run pendulum.yaml --over L=\"50 cm,80 cm\" -o table.csv --plot lines.svg\n"
        "  hooke run pendulum.yaml --set L=\"80 cm\" -o out.h5 --record '^bob\\.[xyz]$'\n"
        "  hooke run rig.yaml --input torque=bench.csv:T\n",
    TOOL_OPTIONS(options),
    .min_words = 1,
    .max_words = 1,
    .run = run,
};
