/* hooke types: every type with its parameters, units, defaults and source. */
#include "command.h"
#include "reference/type_help.h"

static int run(const tool_args *args) {
  const char *name = args->n_words ? args->word[0] : NULL;
  hk_error err = {0};
  hk_status status = name ? hk_type_check(args->types, name, &err) : HK_OK;
  if (status)
    tool_error("%s", err.text);
  else
    status = hk_types_print(stdout, args->types, name, tool_flag(args, "json"));
  if (status == HK_EIO) return EXIT_RUN_OK; /* main() reports an output that cannot be written */
  return tool_exit_code(status);
}

static const tool_option options[] = {
    {0, "json", NULL, "print as JSON", false},
};

const tool_command tool_command_types = {
    .name = "types",
    .arguments = "[NAME]",
    .summary = "list the types of bodies, joints, forces, ... and their parameters",
    .text =
        "Lists every type that a model file can use, or describes one: its parameters with units, "
        "defaults and ranges, the source of its equations, and the channels of its items: `force` "
        "of a spring called strut is strut.force, `normal_force` of a contact with several points "
        "is flank.left.normal_force. A sensor, input or state is itself a channel; NAME is "
        "replaced by its name.\n"
        "\n"
        "With --json, standard output is a list, one object per type:\n"
        "\n"
        "  {\"name\": text, \"category\": text, \"doc\": text, \"caution\": text if there is one,\n"
        "   \"source\": text, \"assumptions\": [text] if there are any, \"parameters\": "
        "[{\"name\": text,\n"
        "   \"formerly\": [text], \"group\": text, \"kind\": text, \"unit\": text,\n"
        "   \"angular_unit\": text, \"count\": n, \"each\": text,\n"
        "   \"required\": true | false, \"range\": text, \"default\": text, \"choices\": [text],\n"
        "   \"doc\": text}], \"points\": [name] of a contact with several,\n"
        "   \"channels\": [{\"name\": text, \"unit\": text, \"doc\": text}]}\n"
        "\n"
        "Examples:\n"
        "\n"
        "  hooke types\n"
        "  hooke types revolute\n",
    TOOL_OPTIONS(options),
    .max_words = 1,
    .run = run,
};
