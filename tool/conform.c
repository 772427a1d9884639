/* hooke conform: checks the implementation of a type.  Prints a table of the checks that every type of the library
 * passes. */
#include "command.h"
#include "orbit.h"
#include "allocations.h"
#include <hooke/conform.h>
#include <string.h>

enum { EXIT_NOTHING_JUDGED = 3 };

static const char *const VERDICT[] = {
    [HK_PASSED] = "passed", [HK_FAILED] = "FAILED", [HK_NOT_APPLICABLE] = "-"};

static void print_json_string(const char *text) {
  putchar('"');
  for (; *text; text++) {
    if (*text == '"' || *text == '\\') putchar('\\');
    if ((unsigned char)*text >= 0x20) putchar(*text);
  }
  putchar('"');
}

static void print_table(const hk_type *type, const hk_conform_report *r) {
  printf("%s '%s'\n\n  %-11s %-7s %6s %9s  %s\n", hk_category_name(type->category), type->name,
         "check", "", "cases", "of limit", "");
  for (int i = 0; i < r->n; i++) {
    const hk_conform_check *c = &r->check[i];
    printf("  %-11s %-7s", c->name, VERDICT[c->verdict]);
    if (c->verdict == HK_NOT_APPLICABLE)
      printf(" %6s %9s  %s\n", "", "", c->text);
    else
      printf(" %6d %9.2g  %s\n", c->cases, c->worst, c->what);
    if (c->verdict == HK_FAILED || (c->verdict == HK_PASSED && *c->text))
      printf("      %s\n", c->text);
  }
  if (r->numerical)
    printf("\nThe type provides no derivatives: they are computed by differences.\n");
}

/* Returns true if no check of the type's behaviour had a case to examine, which is not a success. */
static bool nothing_judged(const hk_conform_report *r) {
  return r->of_physics > 0 && r->judged == 0 && r->failed == 0;
}

static void print_json(const hk_type *type, const hk_conform_report *r, bool first) {
  printf(
      "%s{\"category\": \"%s\", \"type\": \"%s\", \"passed\": %s, \"judged\": %d, \"numerical\": "
      "%s, "
      "\"checks\": [",
      first ? "" : ",\n ", hk_category_name(type->category), type->name,
      r->failed || nothing_judged(r) ? "false" : "true", r->judged,
      r->numerical ? "true" : "false");
  for (int i = 0; i < r->n; i++) {
    const hk_conform_check *c = &r->check[i];
    static const char *const name[] = {"passed", "failed", "not meant"};
    printf(
        "%s\n  {\"check\": \"%s\", \"verdict\": \"%s\", \"cases\": %d, \"of_limit\": %.6g, "
        "\"text\": ",
        i ? "," : "", c->name, name[c->verdict], c->cases, c->worst);
    print_json_string(c->text);
    putchar('}');
  }
  printf("]}");
}

static int run(const tool_args *args) {
  const char *name = args->word[0];
  bool json = tool_flag(args, "json"), found = false, failed = false, idle = false;
  hk_conform_options o = {.only = tool_value(args, "check"), .allocations = tool_allocations()};
  const char *draws = tool_value(args, "draws");
  hk_error wrong = {0};
  if (draws && tool_count(draws, "--draws", 1, 1000, &o.draws, &wrong)) {
    tool_error("%s", wrong.text);
    return EXIT_BAD_INPUT;
  }
  if (json) putchar('[');
  for (int c = 0; c < HK_N_CATEGORIES; c++) {
    const hk_type *type = hk_registry_find(args->types, (hk_category)c, name);
    if (!type) continue;
    hk_conform_report report;
    hk_error err = {0};
    hk_status status = hk_conform(args->types, type->category, name, &o, &report, &err);
    if (status && status != HK_EFAIL) {
      tool_error("%s", err.text);
      return tool_exit_code(status);
    }
    if (json)
      print_json(type, &report, !found);
    else
      print_table(type, &report);
    found = true;
    failed = failed || status;
    idle = idle || nothing_judged(&report);
    if (status && !json) tool_error("%s", err.text);
    if (nothing_judged(&report) && !json)
      tool_error("no check of the behaviour of %s '%s' was possible",
                 hk_category_name(type->category), name);
  }
  if (json) printf("]\n");
  if (!found) {
    tool_error("there is no type '%s'; `hooke types` lists them", name);
    return EXIT_BAD_INPUT;
  }
  return failed ? EXIT_RUN_FAILED : idle ? EXIT_NOTHING_JUDGED : EXIT_RUN_OK;
}

static const tool_option options[] = {
    {0, "check", "NAME", "run this check alone", false},
    {0, "draws", "N", "test N times the default number of models", false},
    {0, "json", NULL, "print as JSON", false},
};

const tool_command tool_command_conform = {
    .name = "conform",
    .arguments = "TYPE",
    .summary = "check a type: derivatives, action and reaction, energy, parameters",
    .text =
        "Runs the conformance tests, which every type of hooke passes, on one type: a type of a "
        "plugin or of the library. Parameters and states are drawn at random with a fixed seed. "
        "'of limit' is the largest deviation divided by the allowed one.\n"
        "\n"
        "A composite joint, and a force that needs a certain relative position of its frames, are "
        "tested as a whole in that position, with every choice that changes the model "
        "('fidelity').\n"
        "\n"
        "Exit status: 0 all checks passed, 1 a check fails, 2 bad input, 3 not tested: no random "
        "items of the type could be made, for example because they need a function of a C "
        "program.\n"
        "\n"
        "With --json, standard output is a list, one object per type of that name:\n"
        "\n"
        "  {\"category\": text, \"type\": text, \"passed\": true | false, \"judged\": number of "
        "checks of its\n physics, \"numerical\": true if derivatives are finite differences, "
        "\"checks\": "
        "[{\"check\": name,\n"
        "   \"verdict\": \"passed\" | \"failed\" | \"not meant\", \"cases\": n, \"of_limit\": "
        "number,\n"
        "   \"text\": description}]}\n"
        "\n"
        "Examples:\n"
        "\n"
        "  hooke conform revolute\n"
        "  hooke --plugin ./mine.so conform magnet --check tangent\n",
    TOOL_OPTIONS(options),
    .min_words = 1,
    .max_words = 1,
    .run = run,
};
