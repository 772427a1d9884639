/* hooke fmu: a model as an FMU for other programs. */
#include "command.h"
#include "fmu/fmu_export.h"
#include "fmu_binary.h"
#include "load.h"
#include "progress.h"
#include <stdlib.h>
#include <string.h>

#if defined(__x86_64__)
#define PLATFORM "linux64"
#define PLATFORM3 "x86_64-linux"
#elif defined(__aarch64__)
#define PLATFORM "aarch64-linux"
#define PLATFORM3 "aarch64-linux"
#else
#define PLATFORM "linux32"
#define PLATFORM3 "x86-linux"
#endif

/* Variable names given by --input, --output, --parameter, --terminal and --array.  Each list is large enough for all options. */
typedef struct lists {
  const char **input, **output, **parameter, **terminal, **array;
} lists;

static bool make_lists(lists *l, const tool_args *args, hk_fmu_options *o) {
  const char ***list[] = {&l->input, &l->output, &l->parameter, &l->terminal, &l->array};
  hk_fmu_names *names[] = {&o->input, &o->output, &o->parameter, &o->terminal, &o->array};
  static const char *const option[] = {"input", "output", "parameter", "terminal", "array"};
  for (int i = 0; i < 5; i++) {
    *list[i] = calloc((size_t)args->n_given + 1, sizeof **list[i]);
    if (!*list[i]) return false;
    names[i]->n = tool_values(args, option[i], *list[i]);
    names[i]->name = *list[i];
  }
  return true;
}

static void free_lists(lists *l) {
  free(l->input);
  free(l->output);
  free(l->parameter);
  free(l->terminal);
  free(l->array);
}

static hk_status make(const tool_args *args, const hk_fmu_options *options, const char *output,
                      hk_fmu **out, hk_diag *diag) {
  hk_error err = {0};
  hk_status status = hk_fmu_create(args->word[0], options, out, diag);
  if (!status) {
    status = tool_outputs_check(args, &err);
    if (!status) status = hk_fmu_write(*out, output, &err);
    if (status) hk_diag_add(diag, HK_ERROR, &(hk_location){"hooke", 0, 0}, "%s", err.text);
  }
  return status;
}

static void print_summary(const hk_fmu *fmu, const char *output, const hk_fmu_options *o) {
  int inputs, outputs, parameters;
  int files = hk_fmu_count(fmu, &inputs, &outputs, &parameters);
  printf(
      "%s: FMI %d.0, %sco-simulation with %s; %d input%s, %d output%s, %d parameter%s; %d files\n",
      tool_name(output), o->fmi, o->exchange ? "model exchange and " : "", hk_fmu_stepper(fmu),
      inputs, inputs == 1 ? "" : "s", outputs, outputs == 1 ? "" : "s", parameters,
      parameters == 1 ? "" : "s", files);
}

static int run(const tool_args *args) {
  const char *output = tool_value(args, "write"), *fmi = tool_value(args, "fmi");
  const hk_fmu_binary binary[] = {{PLATFORM, PLATFORM3, ".so", tool_fmu_binary,
                                   (uintptr_t)tool_fmu_binary_end - (uintptr_t)tool_fmu_binary},
                                  {"win64", "x86_64-windows", ".dll", tool_fmu_win64,
                                   (uintptr_t)tool_fmu_win64_end - (uintptr_t)tool_fmu_win64}};
  hk_fmu_options options = {.fmi = 3,
                            .types = args->types,
                            .rates = tool_flag(args, "rates"),
                            .exchange = tool_flag(args, "model-exchange"),
                            .binary = binary,
                            .n_binaries = binary[1].size ? 2 : 1,
                            .licence = tool_fmu_licence};
  if (tool_flag(args, "sources")) {
    options.sources = tool_fmu_sources;
    options.sources_size = (uintptr_t)tool_fmu_sources_end - (uintptr_t)tool_fmu_sources;
  }
  if (!output) {
    tool_error("no output file; use -o FILE.fmu");
    return EXIT_BAD_INPUT;
  }
  if (fmi && strcmp(fmi, "2") != 0 && strcmp(fmi, "3") != 0) {
    tool_error("--fmi is 2 or 3, not '%s'", fmi);
    return EXIT_BAD_INPUT;
  }
  if (fmi) options.fmi = fmi[0] - '0';
  hk_diag diag;
  tool_progress progress;
  hk_diag_init(&diag);
  tool_progress_begin(&progress, tool_flag(args, "quiet"));
  diag.progress = tool_progress_work;
  diag.progress_context = &progress;
  tool_overrides set;
  lists names = {0};
  hk_fmu *fmu = NULL;
  hk_status status = tool_overrides_read(&set, args, &diag);
  options.set = set.set, options.n_set = set.n;
  if (!status && !make_lists(&names, args, &options)) status = HK_ENOMEM;
  if (!status) status = make(args, &options, output, &fmu, &diag);
  tool_progress_end(&progress);
  if (status == HK_ENOMEM) diag.out_of_memory = true;
  tool_print_diag(&diag, 0);
  if (!status && !tool_flag(args, "quiet") && strcmp(output, "-") != 0)
    print_summary(fmu, output, &options);
  hk_fmu_destroy(fmu);
  free_lists(&names);
  tool_overrides_free(&set);
  hk_diag_free(&diag);
  return tool_exit_code(status);
}

static const tool_option options[] = {
    {'o', "write", "FILE", "the FMU; \"-\": standard output", false},
    {0, "fmi", "2|3", "version of the standard; default: 3", false},
    {0, "input", "NAME", "an input of the model; may be given several times; default: all", true},
    {0, "output", "CHANNEL",
     "a channel by name, or channels by a POSIX extended regular expression; may be given several "
     "times; default: the main channels (rank 0 in hooke check --channels)",
     true},
    {0, "parameter", "NAME",
     "a name under `parameters`, which can be set before and during a simulation; may be given "
     "several times; default: all that do not follow from others",
     true},
    {0, "terminal", "NAME=VARIABLE,...",
     "FMI 3.0: variables that tools connect together, such as flange=torque,shaft.angle; may be "
     "given several times",
     true},
    {0, "array", "NAME=VARIABLE,...",
     "FMI 3.0: inputs or outputs of one unit as one array, such as position=arm.x,arm.y,arm.z; "
     "channels may be named by "
     "regular expressions; may be given several times",
     true},
    {0, "rates", NULL, "FMI 3.0: a second input der(u) for each input u, its rate over a step",
     false},
    {0, "model-exchange", NULL,
     "for model exchange too, where the importing program integrates: smooth models only", false},
    {0, "sources", NULL,
     "FMI 3.0: pack the source code of the binary too, which others can compile for their "
     "platforms",
     false},
    TOOL_SET_OPTION,
    {'q', "quiet", NULL, "print errors and warnings only", false},
};

const tool_command tool_command_fmu = {
    .name = "fmu",
    .arguments = "MODEL",
    .summary = "a model as an FMU (FMI 2.0 or 3.0) for other programs",
    .text =
        "Writes an archive that other simulation programs load and step: the model as text, "
        "everything that it reads, and a shared library that needs nothing but the C library. "
        "Inputs are the `inputs` of the model, outputs its channels, parameters its "
        "`parameters`, all in SI units. States can be saved, restored and written out, bit for "
        "bit.\n"
        "\n"
        "Compliances of gears are computed before and travel along, as do included files and "
        "tables, if they are in the folder of the model. Parameters that such data depends on "
        "cannot be changed in the FMU.\n"
        "\n"
        "The integrator is selected here, not in the importing program, as for hooke run; "
        "`stepper` "
        "in the analysis requests another one.\n"
        "\n"
        "Exit status: 0 written, 2 the model has errors or the file cannot be written.\n"
        "\n"
        "Examples:\n"
        "\n"
        "  hooke fmu half_shaft.yaml -o half_shaft.fmu\n"
        "  hooke fmu motor.yaml -o motor.fmu --fmi 2 --output shaft.angle_rate --parameter "
        "inertia\n"
        "  hooke fmu rig.yaml -o rig.fmu --terminal flange=torque,shaft.angle\n",
    TOOL_OPTIONS(options),
    .min_words = 1,
    .max_words = 1,
    .run = run,
};
