/* Reads and compiles the model given to a subcommand: see load.h. */
#include "load.h"
#include "base/file.h"
#include "progress.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Splits "a.b=5 mm" into path and value; the paths are copied into o->buffer. */
static hk_status split_sets(tool_overrides *o, hk_diag *diag) {
  size_t size = 1;
  for (int i = 0; i < o->n; i++) size += strlen(o->text[i]) + 1;
  char *at = o->buffer = malloc(size);
  if (!at) return HK_ENOMEM;
  for (int i = 0; i < o->n; i++) {
    size_t length = strlen(o->text[i]) + 1;
    memcpy(at, o->text[i], length);
    char *equal = strchr(at, '=');
    if (!equal || equal == at)
      return hk_diag_add(diag, HK_ERROR, NULL,
                         "--set needs PATH=VALUE, such as --set L=\"50 mm\", not '%s'", o->text[i]);
    *equal = '\0';
    o->set[i] = (hk_override){at, equal + 1};
    at += length;
  }
  return HK_OK;
}

static bool exists(const char *path, size_t n) {
  char name[PATH_MAX];
  struct stat info;
  if (n >= sizeof name) return false;
  memcpy(name, path, n);
  name[n] = '\0';
  return stat(name, &info) == 0;
}

/* Writes the overrides that correspond to "torque=bench.csv:T" to `out`, one per line, and returns the end of the
 * text. The path becomes absolute, because paths in a model are relative to its file; NULL: an error was reported. */
static char *write_input(const char *text, const char *folder, char *out, hk_diag *diag) {
  const char *equal = strchr(text, '=');
  if (!equal || equal == text || !equal[1]) {
    hk_diag_add(
        diag, HK_ERROR, NULL,
        "--input needs NAME=FILE or NAME=FILE:COLUMN, such as --input torque=bench.csv:T, not '%s'",
        text);
    return NULL;
  }
  const char *file = equal + 1, *colon = strrchr(file, ':');
  if (colon && (colon == file || !colon[1] || exists(file, strlen(file)))) colon = NULL;
  int name = (int)(equal - text), length = colon ? (int)(colon - file) : (int)strlen(file);
  bool absolute = file[0] == '/';
  out += sprintf(out, "inputs.%.*s.file=%s%s%.*s", name, text, absolute ? "" : folder,
                 absolute ? "" : "/", length, file) +
         1;
  if (colon) out += sprintf(out, "inputs.%.*s.column=%s", name, text, colon + 1) + 1;
  return out;
}

/* Appends the --input arguments to o->text. */
static hk_status add_inputs(tool_overrides *o, const tool_args *args, hk_diag *diag) {
  char folder[PATH_MAX];
  size_t size = 1;
  const char **input = calloc((size_t)args->n_given + 1, sizeof *input);
  if (!input) return HK_ENOMEM;
  int n = 0;
  /* the option --input of other commands has another meaning */
  for (int i = 0; i < args->n_given; i++)
    if (strcmp(args->given[i].option->name, "input") == 0 &&
        strncmp(args->given[i].option->argument, "NAME=", 5) == 0)
      input[n++] = args->given[i].value;
  if (!getcwd(folder, sizeof folder)) folder[0] = '\0';
  for (int i = 0; i < n; i++) size += 2 * strlen(input[i]) + strlen(folder) + 64;
  char *at = o->made = malloc(size);
  for (int i = 0; i < n && at; i++) {
    char *end = write_input(input[i], folder, at, diag);
    for (char *text = at; end && text < end; text += strlen(text) + 1) o->text[o->n++] = text;
    at = end;
  }
  free(input);
  return at ? HK_OK : o->made ? HK_EINPUT : HK_ENOMEM;
}

hk_status tool_overrides_read(tool_overrides *o, const tool_args *args, hk_diag *diag) {
  *o = (tool_overrides){0};
  o->text = calloc(2 * (size_t)args->n_given + 1, sizeof *o->text);
  o->set = calloc(2 * (size_t)args->n_given + 1, sizeof *o->set);
  if (!o->text || !o->set) return HK_ENOMEM;
  o->n = tool_values(args, "set", o->text);
  hk_status status = add_inputs(o, args, diag);
  return status ? status : split_sets(o, diag);
}

void tool_overrides_free(tool_overrides *o) {
  free(o->text);
  free(o->made);
  free(o->set);
  free(o->buffer);
  *o = (tool_overrides){0};
}

/* Checks the outputs, after included files, tables and meshes have been read. */
static hk_status check_outputs(tool_model *m, const tool_args *args) {
  hk_error err = {0};
  hk_status status = tool_outputs_check(args, &err);
  if (status) hk_diag_add(&m->diag, HK_ERROR, &(hk_location){"hooke", 0, 0}, "%s", err.text);
  return status;
}

static hk_status load(tool_model *m, const tool_args *args, bool linear) {
  *m = (tool_model){.path = args->word[0]};
  hk_diag_init(&m->diag);
  tool_overrides o;
  tool_progress progress;
  hk_status status = tool_overrides_read(&o, args, &m->diag);
  tool_progress_begin(&progress, tool_flag(args, "quiet"));
  m->diag.progress = tool_progress_work;
  m->diag.progress_context = &progress;
  if (!status) {
    hk_spec *spec = hk_model_file_read_with(args->types, m->path, o.set, o.n, &m->diag);
    hk_error err = {0};
    if (spec && linear && hk_spec_first_order(spec, &err))
      hk_diag_add(&m->diag, HK_ERROR, NULL, "%s", err.text);
    if (spec) m->model = hk_model_compile(spec, &m->diag);
    if (!m->model) status = m->diag.out_of_memory ? HK_ENOMEM : HK_EINPUT;
  }
  tool_progress_end(&progress);
  m->diag.progress = NULL;
  if (!status) status = check_outputs(m, args);
  if (status == HK_ENOMEM) m->diag.out_of_memory = true;
  m->set = o.text, m->n_set = o.n;
  m->set_made = o.made;
  o.text = NULL;
  o.made = NULL;
  tool_overrides_free(&o);
  return status;
}

hk_status tool_model_load(tool_model *m, const tool_args *args) { return load(m, args, false); }

hk_status tool_model_load_linear(tool_model *m, const tool_args *args) {
  return load(m, args, true);
}

void tool_model_free(tool_model *m) {
  hk_model_destroy(m->model);
  hk_diag_free(&m->diag);
  free(m->set);
  free(m->set_made);
  *m = (tool_model){0};
}

char *tool_model_text(const tool_model *m) {
  enum { MOST = 16 << 20 };
  FILE *file = strcmp(m->path, "-") == 0 ? NULL : hk_file_open(m->path);
  if (!file) return NULL;
  char *text = NULL;
  long size = fseek(file, 0, SEEK_END) ? -1 : ftell(file);
  if (size >= 0 && size <= MOST && !fseek(file, 0, SEEK_SET)) text = malloc((size_t)size + 1);
  if (text) text[fread(text, 1, (size_t)size, file)] = '\0';
  fclose(file);
  return text;
}

void tool_model_failed(tool_model *m, const hk_error *err) {
  hk_location place = {.file = err->code == HK_EIO ? "hooke" : m->path};
  if (m->model && err->code != HK_EIO) place = hk_error_location(m->model, err);
  hk_diag_add(&m->diag, HK_ERROR, &place, "%s", err->text[0] ? err->text : "out of memory");
}

char *tool_first_error(const hk_diag *d) {
  for (int i = 0; i < d->n; i++) {
    if (d->message[i].severity != HK_ERROR) continue;
    int length = hk_diag_format(&d->message[i], NULL, 0);
    char *text = length < 0 ? NULL : malloc((size_t)length + 1);
    if (text) hk_diag_format(&d->message[i], text, (size_t)length + 1);
    return text;
  }
  return NULL;
}
