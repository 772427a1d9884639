/* hooke migrate: a model file with the current names of keys, choices and channels. */
#include "base/file.h"
#include "prepare/prepare.h"
#include "read/model_migrate.h"
#include "command.h"
#include <string.h>

static hk_status write_text(const char *path, const hk_migrated *m, hk_error *err) {
  hk_new_file o;
  hk_status status = hk_new_file_open(&o, path, err);
  if (status) return status;
  if (fwrite(m->text, 1, m->length, o.file) != m->length)
    status = hk_fail(err, HK_EIO, "cannot write '%s'", path);
  return hk_new_file_close(&o, status, err);
}

static void print_summary(const hk_migrated *m, const char *output) {
  printf("%d %s replaced", m->n_edits, m->n_edits == 1 ? "name" : "names");
  if (m->n_left) printf(", %d left to be changed by hand", m->n_left);
  if (m->n_elsewhere) printf(", former names in included files as well: see --file");
  printf(output ? "\n" : "; use -o to write the file\n");
}

/* Reads all files that the model refers to, including meshes, so that no output can replace one of
 * these files. */
static void note_inputs(const tool_args *args) {
  hk_spec *spec = hk_model_file_read_with(args->types, args->word[0], NULL, 0, NULL);
  if (spec) hk_model_destroy(hk_model_compile(spec, NULL));
}

static int run(const tool_args *args) {
  const char *output = tool_value(args, "output");
  hk_migrated m;
  hk_diag diag;
  hk_error err = {0};
  hk_diag_init(&diag);
  const hk_model_text model = {
      .types = args->types, .preparation = &hk_preparation_full, .name = args->word[0]};
  hk_status status = hk_model_migrate(&model, tool_value(args, "file"), &m, &diag);
  tool_print_diag(&diag, 0);
  if (!status && output) {
    note_inputs(args);
    status = write_text(output, &m, &err);
    if (status) tool_error("%s", err.text);
  }
  if (!status && !(output && strcmp(output, "-") == 0)) print_summary(&m, output);
  int code = status == HK_EINPUT || status == HK_EIO ? EXIT_BAD_INPUT
             : status || m.n_left                    ? EXIT_RUN_FAILED
                                                     : EXIT_RUN_OK;
  hk_migrated_free(&m);
  hk_diag_free(&diag);
  return code;
}

static const tool_option options[] = {
    {'o', "output", "FILE",
     "write the model with current names to this file; \"-\": standard output", false},
    {0, "file", "INCLUDED",
     "rewrite this file, which the model includes, instead of the model itself", false},
};

const tool_command tool_command_migrate = {
    .name = "migrate",
    .arguments = "MODEL",
    .summary = "replace former names in a model file by current ones",
    .text =
        "Reads a model file and replaces former names of types, keys, choices and channels by the "
        "current ones. Only "
        "the names change: comments, order and layout stay. Former names are read for ever, so no "
        "model needs this; "
        "it makes a model look like the documentation. Each change is listed on stderr.\n"
        "\n"
        "Exit status: 0 all former names were replaced, 1 some must be replaced by hand, 2 the "
        "model has errors.\n"
        "\n"
        "Examples:\n"
        "\n"
        "  hooke migrate old.yaml\n"
        "  hooke migrate old.yaml -o new.yaml\n"
        "  hooke migrate model.yaml --file parts.yaml -o new_parts.yaml\n",
    TOOL_OPTIONS(options),
    .min_words = 1,
    .max_words = 1,
    .run = run,
};
