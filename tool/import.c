/* hooke import: a gearbox in the exchange format REXS as a model file. */
#include "base/file.h"
#include "rexs/import.h"
#include "command.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* Name of the model for a study file: relative to the folder of the study if it is the same one, else absolute. */
static const char *name_from(const char *study, const char *model, char out[PATH_MAX]) {
  char folder[PATH_MAX] = "", other[PATH_MAX] = "";
  const char *const path[2] = {model, study};
  char *const at[2] = {folder, other};
  for (int i = 0; i < 2; i++) {
    char text[PATH_MAX];
    const char *slash = strrchr(path[i], '/');
    snprintf(text, sizeof text, "%.*s", slash ? (int)(slash - path[i]) + 1 : 1,
             slash ? path[i] : ".");
    if (!realpath(text, at[i])) return model;
  }
  const char *slash = strrchr(model, '/'), *base = slash ? slash + 1 : model;
  if (strcmp(folder, other) == 0) return base;
  int n = snprintf(out, PATH_MAX, "%s/%s", folder, base);
  return n < PATH_MAX ? out : model;
}

static hk_status write_text(const char *path, const char *text, hk_error *err) {
  hk_new_file o;
  hk_status status = hk_new_file_open(&o, path, err);
  if (status) return status;
  if (fputs(text, o.file) == EOF) status = hk_fail(err, HK_EIO, "cannot write '%s'", path);
  return hk_new_file_close(&o, status, err);
}

static int run(const tool_args *args) {
  const char *output = tool_value(args, "output"), *study = tool_value(args, "study");
  const char *name = output && strcmp(output, "-") != 0 ? output : NULL;
  char from_study[PATH_MAX];
  const hk_rexs_options options = {
      .load_case = tool_value(args, "load-case"),
      .model = study && name ? name_from(study, name, from_study) : NULL};
  hk_rexs_result r;
  hk_error err = {0};
  if (study && !name) {
    tool_error("a study refers to the model file: -o with the name of a file is needed");
    return EXIT_BAD_INPUT;
  }
  hk_status status = hk_rexs_import(args->word[0], &options, &r, &err);
  if (status) tool_error("%s: %s", tool_name(args->word[0]), err.text);
  if (!status && study && !r.study) {
    tool_error("%s: there are no two different load cases for a study", tool_name(args->word[0]));
    status = HK_EINPUT;
  }
  if (!status && (status = tool_outputs_check(args, &err))) tool_error("%s", err.text);
  if (!status) {
    status = write_text(output ? output : "-", r.model, &err);
    if (!status && study) status = write_text(study, r.study, &err);
    if (status) tool_error("%s", err.text);
  }
  for (int i = 0; i < r.n_notes && !status && name; i++) {
    tool_put(stdout, r.note[i]);
    putchar('\n');
  }
  hk_rexs_result_free(&r);
  return tool_exit_code(status);
}

static const tool_option options[] = {
    {'o', "output", "FILE", "write the model to this file; the assumptions go to standard output",
     false},
    {0, "load-case", "ID", "the load case of the model; default: the first one", false},
    {0, "study", "FILE", "write a study of all load cases, one variant each", false},
};

const tool_command tool_command_import = {
    .name = "import",
    .arguments = "FILE",
    .summary = "make a model file of a gearbox in the exchange format REXS",
    .text =
        "Reads a gearbox in REXS 1.0 to 1.7 (.rexs, .rexsj, .rexsz), as KISSsoft, Bearinx and the "
        "FVA-Workbench "
        "write it, and writes a model file: shafts with sections as elastic shafts, cylindrical "
        "stages as gear pairs, "
        "bearings, couplings and loads. Without -o, the model goes to standard output. Every "
        "assumption and everything "
        "that was not used is listed, and stands at the top of the model.\n"
        "\n"
        "Exit status: 0 the model was written, 2 the file cannot be imported.\n"
        "\n"
        "Examples:\n"
        "\n"
        "  hooke import gearbox.rexs -o gearbox.yaml\n"
        "  hooke import gearbox.rexsz --load-case 3 -o case3.yaml\n"
        "  hooke import gearbox.rexs -o gearbox.yaml --study spectrum.yaml\n",
    TOOL_OPTIONS(options),
    .min_words = 1,
    .max_words = 1,
    .run = run,
};
