/* hooke functions: functions available in expressions. */
#include "command.h"
#include "expr/function_help.h"
#include "json.h"

static void print_json(void) {
  tool_json j = {.out = stdout};
  tool_json_open(&j, NULL, '[');
  for (int i = 0; i < hk_n_function_helps; i++) {
    tool_json_open(&j, NULL, '{');
    tool_json_text(&j, "call", hk_function_helps[i].call);
    tool_json_text(&j, "value", hk_function_helps[i].value);
    tool_json_close(&j, '}');
  }
  tool_json_close(&j, ']');
  putchar('\n');
}

static int run(const tool_args *args) {
  if (tool_flag(args, "json")) {
    print_json();
    return EXIT_RUN_OK;
  }
  for (int i = 0; i < hk_n_function_helps; i++)
    printf("%-32s %s\n", hk_function_helps[i].call, hk_function_helps[i].value);
  printf(
      "\nBesides these: + - * / ^, comparisons, and, or, not, pi, t, and the model's tables by "
      "name.\n");
  return EXIT_RUN_OK;
}

static const tool_option options[] = {
    {0, "json", NULL, "print as JSON", false},
};

const tool_command tool_command_functions = {
    .name = "functions",
    .arguments = "",
    .summary = "list the functions of expressions and their arguments",
    .text =
        "Lists every function that an expression of a model file can call, with its arguments and "
        "what "
        "it gives. Units are checked: arguments of one kind must be of one unit.\n"
        "\n"
        "With --json, standard output is a list of {\"call\": text, \"value\": text}.\n"
        "\n"
        "Examples:\n"
        "\n"
        "  hooke functions\n",
    TOOL_OPTIONS(options),
    .run = run,
};
