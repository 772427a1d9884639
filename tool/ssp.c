/* hooke ssp: a system of FMUs (.ssp) as a model. */
#define _GNU_SOURCE
#include "base/file.h"
#include "command.h"
#include "import/ssp.h"
#include "prepare/prepare.h"
#include <errno.h>
#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int remove_one(const char *path, const struct stat *s, int kind, struct FTW *ftw) {
  (void)s, (void)kind, (void)ftw;
  return remove(path);
}

/* "plant" of "x/plant.ssp". */
static void stem_of(const char *path, char *out, size_t size) {
  const char *slash = strrchr(path, '/');
  snprintf(out, size, "%s", slash ? slash + 1 : path);
  char *dot = strrchr(out, '.');
  if (dot && dot > out) *dot = '\0';
}

static hk_status write_model(const char *path, const char *text, hk_error *err) {
  hk_new_file o;
  hk_status status = hk_new_file_open(&o, path, err);
  if (status) return status;
  if (fputs(text, o.file) == EOF) status = hk_fail(err, HK_EIO, "cannot write '%s'", path);
  return hk_new_file_close(&o, status, err);
}

/* Creates a folder with the files of the archive and the model. The folder gets its name when it is complete. After an
 * error the folder is removed. */
static hk_status write_folder(const hk_archive *a, const char *folder, const char *stem,
                              const char *text, hk_error *err) {
  struct stat s;
  char *draft = NULL, *model = NULL;
  size_t length = strlen(folder);
  while (length > 1 && folder[length - 1] == '/') length--;
  if (asprintf(&draft, "%.*s.hooke-%ld.draft", (int)length, folder, (long)getpid()) < 0)
    return hk_fail(err, HK_ENOMEM, "out of memory");
  hk_status status = HK_OK;
  bool exists = lstat(folder, &s) == 0, made = !exists && mkdir(draft, 0777) == 0;
  if (!made)
    status = hk_fail(err, HK_EINPUT, "cannot make the folder '%s': %s", folder,
                     exists ? "it exists already" : strerror(errno));
  if (!status && asprintf(&model, "%s/%s.yaml", draft, stem) < 0) {
    model = NULL;
    status = hk_fail(err, HK_ENOMEM, "out of memory");
  }
  if (!status) status = hk_archive_unpack(a, "", draft, err);
  if (!status) status = write_model(model, text, err);
  if (!status && !hk_new_file_move(draft, folder))
    status = hk_fail(err, HK_EIO, "cannot make the folder '%s': %s", folder, strerror(errno));
  if (status && made) nftw(draft, remove_one, 16, FTW_DEPTH | FTW_PHYS);
  free(draft);
  free(model);
  return status;
}

/* Reads and compiles the model as a run does, so that all errors are reported now. */
static hk_status check_model(const tool_args *args, const char *model, hk_diag *diag) {
  hk_spec *spec = hk_model_file_read_with(args->types, model, NULL, 0, diag);
  hk_model *m = spec ? hk_model_compile(spec, diag) : NULL;
  hk_model_destroy(m);
  return m ? HK_OK : HK_EINPUT;
}

static hk_status convert(const tool_args *args, const char *folder, const hk_ssp_options *options,
                         hk_diag *diag) {
  const char *path = args->word[0];
  hk_archive a;
  hk_error err = {0};
  hk_ssp_counts n = {0};
  char *text = NULL, stem[200], *model = NULL;
  stem_of(path, stem, sizeof stem);
  hk_status status = hk_archive_open(&a, path, &err);
  if (status) hk_diag_add(diag, HK_ERROR, NULL, "%s: %s", path, err.text);
  if (!status) status = hk_ssp_convert(&a, path, options, &text, &n, diag);
  if (!status && asprintf(&model, "%s/%s.yaml", folder, stem) < 0) model = NULL;
  if (!status && !model) status = HK_ENOMEM;
  if (!status) {
    status = write_folder(&a, folder, stem, text, &err);
    if (status) hk_diag_add(diag, HK_ERROR, NULL, "%s", err.text);
  }
  if (!status) status = check_model(args, model, diag);
  if (!status && !tool_flag(args, "quiet"))
    printf("%s: %d FMU%s, %d connection%s, %d input%s, %d output%s\n", tool_name(model), n.fmus,
           n.fmus == 1 ? "" : "s", n.connections, n.connections == 1 ? "" : "s", n.inputs,
           n.inputs == 1 ? "" : "s", n.outputs, n.outputs == 1 ? "" : "s");
  hk_archive_close(&a);
  free(text);
  free(model);
  return status;
}

static int run(const tool_args *args) {
  const char *folder = tool_value(args, "folder"), *period = tool_value(args, "period");
  hk_ssp_options options = {.system = tool_value(args, "system")};
  hk_error err = {0};
  hk_diag diag;
  char stem[200];
  stem_of(args->word[0], stem, sizeof stem);
  const char *signals = tool_value(args, "signals");
  options.linear = signals && strcmp(signals, "linear") == 0;
  if (signals && !options.linear && strcmp(signals, "held") != 0) {
    tool_error("--signals is held or linear, not '%s'", signals);
    return EXIT_BAD_INPUT;
  }
  if (period &&
      (hk_quantity_parse_as(period, "s", &options.period, &err) || !(options.period > 0))) {
    tool_error("--period: %s", err.text[0] ? err.text : "the period must be positive");
    return EXIT_BAD_INPUT;
  }
  hk_diag_init(&diag);
  hk_status status = convert(args, folder ? folder : stem, &options, &diag);
  if (status == HK_ENOMEM) diag.out_of_memory = true;
  tool_print_diag(&diag, 0);
  hk_diag_free(&diag);
  return tool_exit_code(status);
}

static const tool_option options[] = {
    {0, "folder", "NAME",
     "new folder for the model and its FMUs; default: the name of the archive without .ssp", false},
    {0, "period", "TIME",
     "time between two exchanges of values, for all FMUs; default: step sizes of their default "
     "experiments",
     false},
    {0, "signals", "held|linear",
     "signals between two exchanges: held, or interpolated and extrapolated, for FMUs of "
     "continuous systems; default: held",
     false},
    {0, "system", "NAME.ssd", "the system to read; default: SystemStructure.ssd", false},
    {'q', "quiet", NULL, "print errors and warnings only", false},
};

const tool_command tool_command_ssp = {
    .name = "ssp",
    .arguments = "SYSTEM.ssp",
    .summary = "a system of FMUs (SSP) as a model",
    .text =
        "Unpacks a system after the standard System Structure and Parameterization (SSP 1.0 or "
        "2.0) into a new folder and "
        "writes a model file for it: FMUs become items of `fmus`, connections expressions of their "
        "inputs, parameter "
        "sets start values. Nested systems and signal dictionaries are resolved. Inputs, "
        "parameters and outputs of the "
        "outermost system become `inputs`, `parameters` and `sensors` of the model. Bodies, joints "
        "and forces can be added "
        "to it.\n"
        "\n"
        "Nothing of the FMUs is executed here. Existing folders are never changed.\n"
        "\n"
        "Exit status: 0 written, 2 the system has errors or the folder exists.\n"
        "\n"
        "Examples:\n"
        "\n"
        "  hooke ssp plant.ssp\n"
        "  hooke --allow-native run plant/plant.yaml -o out.h5\n",
    TOOL_OPTIONS(options),
    .min_words = 1,
    .max_words = 1,
    .run = run,
};
