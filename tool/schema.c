/* hooke schema: the JSON Schema of model files. */
#include "reference/schema.h"
#include "command.h"
#include <stdlib.h>
#include <string.h>

static int run(const tool_args *args) {
  char *text = hk_schema_json(args->types);
  if (!text) {
    tool_error("out of memory");
    return EXIT_RUN_FAILED;
  }
  fputs(text, stdout);
  if (text[0] && text[strlen(text) - 1] != '\n') putchar('\n');
  free(text);
  return EXIT_RUN_OK;
}

const tool_command tool_command_schema = {
    .name = "schema",
    .arguments = "",
    .summary = "print the JSON Schema of model files, for editors",
    .text =
        "Prints a JSON Schema of the model file, with which an editor completes and checks what is "
        "typed.\n"
        "\n"
        "Example:\n"
        "\n"
        "  hooke schema > hooke.schema.json\n"
        "\n"
        "and as the first line of a model file, for editors with the YAML language server:\n"
        "\n"
        "  # yaml-language-server: $schema=hooke.schema.json\n",
    .run = run,
};
