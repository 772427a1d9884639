/* A model as an FMU: see fmu_export.h. */
#include "control/event.h"
#include "base/file.h"
#include "base/sha256.h"
#include "fmu/private.h"
#include "integrator/continuous.h"
#include "prepare/prepare.h"
#include "read/model_file.h"
#include "sim/sim.h"
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static hk_status refuse(hk_diag *diag, const char *fmt, ...) HK_PRINTF(2, 3);
static hk_status refuse(hk_diag *diag, const char *fmt, ...) {
  char text[1024];
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(text, sizeof text, fmt, ap);
  va_end(ap);
  return hk_diag_add(diag, HK_ERROR, &(hk_location){"hooke", 0, 0}, "%s", text);
}

static hk_status no_memory(hk_diag *diag) {
  diag->out_of_memory = true;
  return HK_ENOMEM;
}

/* ---- selection of variables ---- */

bool hk_fmu_list_add(hk_fmu_list *l, int index) {
  for (int i = 0; i < l->n; i++)
    if (l->index[i] == index) return true;
  int *more = realloc(l->index, ((size_t)l->n + 1) * sizeof *more);
  if (!more) return false;
  l->index = more;
  l->index[l->n++] = index;
  return true;
}

static hk_status select_inputs(hk_fmu *f, hk_diag *diag) {
  const hk_fmu_names *asked = &f->option.input;
  int n = asked->n ? asked->n : hk_model_input_count(f->model);
  for (int i = 0; i < n; i++) {
    int index = asked->n ? hk_model_input_find(f->model, asked->name[i]) : i;
    if (index < 0)
      return refuse(
          diag, "the model has no input '%s'; declare it in the section `inputs` of the model file",
          asked->name[i]);
    const char *event = hk_events_set_input(f->model, index);
    if (event && asked->n)
      return refuse(diag,
                    "input '%s' is set by event '%s', so it cannot be an input of the FMU too",
                    asked->name[i], event);
    if (event) continue;
    if (!hk_fmu_list_add(&f->input, index)) return no_memory(diag);
  }
  return HK_OK;
}

/* Channels that an FMU may offer as outputs: all except the time and the inputs, which are
 * variables of every FMU. */
static bool offered(const hk_model *m, int i) {
  hk_channel_kind kind = hk_model_channel_kind(m, i);
  return kind != HK_CHANNEL_TIME && kind != HK_CHANNEL_INPUT;
}

hk_status hk_fmu_select_matching(hk_fmu *f, const char *name, hk_fmu_list *out, hk_diag *diag) {
  int exact = hk_model_channel_find(f->model, name), before = out->n;
  hk_error err = {0};
  regex_t pattern;
  if (exact >= 0 && !offered(f->model, exact))
    return refuse(diag,
                  "'%s' is an input or the time, which every FMU has: it cannot be an output too",
                  name);
  if (exact >= 0) return hk_fmu_list_add(out, exact) ? HK_OK : no_memory(diag);
  hk_model_channels_find(f->model, &name, 1, &exact, &err); /* a suggestion for the message */
  if (regcomp(&pattern, name, REG_EXTENDED | REG_NOSUB)) return refuse(diag, "%s", err.text);
  for (int i = 0; i < hk_model_channel_count(f->model); i++) {
    if (!offered(f->model, i) || regexec(&pattern, hk_model_channel_name(f->model, i), 0, NULL, 0))
      continue;
    if (!hk_fmu_list_add(out, i)) {
      regfree(&pattern);
      return no_memory(diag);
    }
  }
  regfree(&pattern);
  return out->n > before ? HK_OK : refuse(diag, "%s", err.text);
}

/* Integrals over the steps and data of the stepper do not exist if the importer integrates. */
static bool needs_steps(const hk_model *m, int i) {
  hk_channel_kind kind = hk_model_channel_kind(m, i);
  const hk_channel *c = &m->channel[i];
  const hk_bound_expr *e = kind == HK_CHANNEL_SENSOR ? &m->sensor[c->index].expr : NULL;
  for (int k = 0; e && k < e->n; k++)
    if (needs_steps(m, m->variable_channel[e->slot[k]])) return true;
  bool stored = kind == HK_CHANNEL_ENERGY &&
                (c->component == HK_ENERGY_KINETIC || c->component == HK_ENERGY_POTENTIAL);
  unsigned depends = hk_model_channel_depends(m, i);
  bool counted = kind == HK_CHANNEL_CONTACT && depends == HK_DEPENDS_HISTORY;
  return (kind == HK_CHANNEL_ENERGY && !stored) || counted || (depends & HK_DEPENDS_STEP);
}

static hk_status check_exchange(const hk_fmu *f, hk_diag *diag) {
  for (int i = 0; i < f->output.n && f->option.exchange; i++)
    if (needs_steps(f->model, f->output.index[i]))
      return refuse(
          diag,
          "'%s' is computed over the steps of hooke, which an FMU for model exchange does "
          "not make; do not select it, or export for co-simulation only",
          hk_model_channel_name(f->model, f->output.index[i]));
  return HK_OK;
}

static hk_status select_outputs(hk_fmu *f, hk_diag *diag) {
  hk_status status = HK_OK;
  for (int i = 0; i < f->option.output.n && !status; i++)
    status = hk_fmu_select_matching(f, f->option.output.name[i], &f->output, diag);
  for (int i = 0; i < hk_model_channel_count(f->model) && !f->option.output.n; i++)
    if (offered(f->model, i) && hk_model_channel_rank(f->model, i) == 0 &&
        hk_model_channel_kind(f->model, i) != HK_CHANNEL_SOLVER &&
        !(f->option.exchange && needs_steps(f->model, i)) && !hk_fmu_list_add(&f->output, i))
      return no_memory(diag);
  if (!status) status = hk_fmu_select_arrays(f, diag);
  return status ? status : check_exchange(f, diag);
}

static hk_status select_parameters(hk_fmu *f, hk_diag *diag) {
  const hk_fmu_names *asked = &f->option.parameter;
  for (int i = 0; i < asked->n; i++) {
    int index = hk_model_parameter_find(f->model, asked->name[i]);
    if (index < 0)
      return refuse(diag, "the model has no parameter '%s' under `parameters`", asked->name[i]);
    if (!hk_fmu_list_add(&f->parameter, index)) return no_memory(diag);
  }
  for (int i = 0; i < hk_model_parameter_count(f->model) && !asked->n; i++) {
    hk_parameter p;
    if (hk_model_parameter(f->model, i, &p) || hk_quantity_parse(p.text, NULL, NULL, NULL))
      continue;
    if (!hk_fmu_list_add(&f->parameter, i)) return no_memory(diag);
  }
  return HK_OK;
}

/* ---- the archive ---- */

static hk_status add_text(hk_fmu *f, const char *name, hk_fmu_text *t, hk_diag *diag) {
  hk_error err = {0};
  hk_status status = t->failed ? hk_fail(&err, HK_ENOMEM, "out of memory")
                               : hk_zip_add(&f->zip, name, t->text ? t->text : "", t->n, &err);
  free(t->text);
  *t = (hk_fmu_text){0};
  if (status == HK_ENOMEM) return no_memory(diag);
  return status ? refuse(diag, "%s", err.text) : HK_OK;
}

static const char *base_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

static void put_list(hk_fmu_text *t, const char *key, const char *const *name, int n) {
  hk_fmu_add(t, "%s: [", key);
  for (int i = 0; i < n; i++) {
    hk_fmu_add(t, i ? ", " : "");
    hk_fmu_yaml(t, name[i]);
  }
  hk_fmu_add(t, "]\n");
}

/* Sets value reference and size of each array, also for the rates of arrays of inputs. */
static void put_arrays(const hk_fmu *f, hk_fmu_text *t) {
  const char *blank = "";
  hk_fmu_add(t, "arrays: [");
  for (int i = 0; i < f->n_arrays; i++, blank = ", ") {
    const hk_fmu_array *a = &f->array[i];
    hk_fmu_add(
        t, "%s[%u, %d]", blank,
        a->input ? hk_fmu_input_reference(f, a->first) : hk_fmu_output_reference(f, a->first),
        a->n);
    if (a->input) hk_fmu_add(t, ", [%u, %d]", hk_fmu_rate_reference(f, a->first), a->n);
  }
  hk_fmu_add(t, "]\n");
}

/* The contents of the manifest (read by fmu/manifest.c), without its token. */
static hk_status put_manifest(const hk_fmu *f, hk_fmu_text *t) {
  int most = f->input.n + f->output.n + f->parameter.n + 1;
  const char **name = calloc((size_t)most, sizeof *name);
  if (!name) return HK_ENOMEM;
  hk_fmu_add(t, "model: ");
  hk_fmu_yaml(t, base_name(f->model_path));
  hk_fmu_add(t, "\nstepper: %s\nrtol: ", hk_sim_stepper_name(f->sim));
  hk_fmu_number(t, f->sim->option.step > 0 ? 0 : f->sim->option.rtol);
  hk_fmu_add(t, "\nset: [");
  for (int i = 0; i < f->option.n_set; i++) {
    hk_fmu_add(t, i ? ", [" : "[");
    hk_fmu_yaml(t, f->option.set[i].path);
    hk_fmu_add(t, ", ");
    hk_fmu_yaml(t, f->option.set[i].value);
    hk_fmu_add(t, "]");
  }
  hk_fmu_add(t, "]\n");
  for (int i = 0; i < f->input.n; i++) name[i] = hk_fmu_input_name(f, i);
  put_list(t, "inputs", name, f->input.n);
  for (int i = 0; i < f->output.n; i++) name[i] = hk_fmu_output_name(f, i);
  put_list(t, "outputs", name, f->output.n);
  for (int i = 0; i < f->parameter.n; i++) {
    hk_parameter p = {.name = ""};
    hk_model_parameter(f->model, f->parameter.index[i], &p);
    name[i] = p.name;
  }
  put_list(t, "parameters", name, f->parameter.n);
  put_arrays(f, t);
  hk_fmu_add(t, "exchange: %s\n", f->option.exchange ? "true" : "false");
  free(name);
  return HK_OK;
}

/* Creates the token, a hash of the variables and their meanings, which shows whether description and resources belong
 * together. */
static void make_token(hk_fmu *f, const hk_fmu_text *manifest) {
  unsigned char key[32];
  hk_sha256 s;
  hk_sha256_begin(&s);
  hk_sha256_add_text(&s, hk_version());
  hk_sha256_add_text(&s, f->option.fmi == 2 ? "2" : "3");
  hk_sha256_add_text(&s, manifest->text ? manifest->text : "");
  hk_zip_hash(&f->zip, &s);
  hk_sha256_end(&s, key);
  char *at = f->token;
  *at++ = '{';
  for (int i = 0; i < 16; i++) {
    at += snprintf(at, 3, "%02x", key[i]);
    if (i == 3 || i == 5 || i == 7 || i == 9) *at++ = '-';
  }
  *at++ = '}';
  *at = '\0';
}

static hk_status add_manifest(hk_fmu *f, hk_diag *diag) {
  hk_fmu_text lines = {0}, t = {0};
  if (put_manifest(f, &lines)) return no_memory(diag);
  make_token(f, &lines);
  hk_fmu_add(&t, "fmu: 1\ntoken: \"%s\"\n", f->token);
  for (const char *at = lines.text;
       at && *at;) { /* writes the text in several calls, because hk_fmu_add limits the length */
    size_t n = strcspn(at, "\n");
    for (size_t done = 0; done < n; done += 500)
      hk_fmu_add(&t, "%.*s", (int)(n - done < 500 ? n - done : 500), at + done);
    hk_fmu_add(&t, "\n");
    at += n + 1;
  }
  if (lines.failed) t.failed = true;
  free(lines.text);
  return add_text(f, "resources/hooke.yaml", &t, diag);
}

static hk_status add_documents(hk_fmu *f, hk_diag *diag) {
  hk_fmu_text t = {0};
  hk_error err = {0};
  const char *title = hk_model_title(f->model);
  hk_fmu_add(&t, "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>");
  hk_fmu_xml(&t, title && *title ? title : f->identifier);
  hk_fmu_add(&t, "</title></head><body>\n<h1>");
  hk_fmu_xml(&t, title && *title ? title : f->identifier);
  hk_fmu_add(&t, "</h1>\n<p>FMU for co-simulation%s, exported by hooke %s from <code>",
             f->option.exchange ? " and model exchange" : "", hk_version());
  hk_fmu_xml(&t, base_name(f->model_path));
  hk_fmu_add(&t,
             "</code>, which is in the folder <code>resources</code>. Integrator: %s. All values "
             "are in SI units.</p>\n"
             "</body></html>\n",
             hk_sim_stepper_name(f->sim));
  hk_status status = add_text(f, "documentation/index.html", &t, diag);
  if (!status && f->option.licence &&
      hk_zip_add(&f->zip, "documentation/licenses/license.txt", f->option.licence,
                 strlen(f->option.licence), &err))
    status = refuse(diag, "%s", err.text);
  return status;
}

static hk_status add_binaries(hk_fmu *f, hk_diag *diag) {
  hk_error err = {0};
  for (int i = 0; i < f->option.n_binaries; i++) {
    const hk_fmu_binary *b = &f->option.binary[i];
    char name[300];
    snprintf(name, sizeof name, "binaries/%s/%s%s", f->option.fmi == 2 ? b->platform : b->platform3,
             f->identifier, b->extension);
    if (hk_zip_add(&f->zip, name, b->bytes, b->size, &err)) return refuse(diag, "%s", err.text);
  }
  return HK_OK;
}

static hk_status add_all(hk_fmu *f, hk_diag *diag) {
  hk_fmu_text t = {0};
  hk_status status = hk_fmu_pack(f, diag);
  if (!status) status = add_manifest(f, diag);
  if (status) return status;
  hk_fmu_describe(f, &t);
  status = add_text(f, "modelDescription.xml", &t, diag);
  if (!status && f->option.terminal.n) {
    status = hk_fmu_terminals(f, &t, diag);
    if (!status)
      status = add_text(f, "terminalsAndIcons/terminalsAndIcons.xml", &t, diag);
    else
      free(t.text);
  }
  if (!status) status = add_documents(f, diag);
  if (!status && f->option.sources) status = hk_fmu_add_sources(f, diag);
  return status ? status : add_binaries(f, diag);
}

/* ---- creation ---- */

/* Makes an identifier from the file name: "half shaft.yaml" becomes "half_shaft". */
static void make_identifier(hk_fmu *f) {
  const char *name = base_name(f->model_path), *dot = strrchr(name, '.');
  size_t length = dot && dot > name ? (size_t)(dot - name) : strlen(name), n = 0;
  if (length > 0 && isdigit((unsigned char)name[0])) f->identifier[n++] = '_';
  for (size_t i = 0; i < length && n + 1 < sizeof f->identifier; i++) {
    unsigned char c = (unsigned char)name[i];
    f->identifier[n++] = c < 128 && isalnum(c) ? (char)c : '_';
  }
  f->identifier[n] = '\0';
}

static hk_status make_folder(hk_fmu *f, hk_diag *diag) {
  const char *root = getenv("TMPDIR");
  if (!root || !*root) root = "/tmp";
  size_t size = strlen(root) + 32;
  f->folder = malloc(size);
  if (!f->folder) return no_memory(diag);
  snprintf(f->folder, size, "%s/hooke-fmu-XXXXXX", root);
  if (mkdtemp(f->folder)) return HK_OK;
  hk_status status =
      refuse(diag, "cannot create a private folder in '%s': %s", root, strerror(errno));
  free(f->folder);
  f->folder = NULL;
  return status;
}

static hk_status read_model(hk_fmu *f, hk_diag *diag) {
  hk_preparation preparation = hk_preparation_full;
  preparation.pack = f->folder;
  const hk_model_text m = {
      .types = f->option.types, .preparation = &preparation, .name = f->model_path};
  hk_error err = {0};
  hk_spec *spec = hk_model_read(&m, f->option.set, f->option.n_set, diag);
  if (spec && hk_spec_count(spec, HK_ANALYSIS) == 0) {
    hk_diag_add(
        diag, HK_ERROR, &(hk_location){f->model_path, 0, 0},
        "the model needs an `analysis`: its duration and tolerance are the defaults of the FMU");
    hk_spec_destroy(spec);
    return HK_EINPUT;
  }
  f->model = spec ? hk_model_compile(spec, diag) : NULL;
  if (!f->model) return diag->out_of_memory ? HK_ENOMEM : HK_EINPUT;
  const hk_item *inner = hk_spec_at(f->model->spec, HK_FMU, 0);
  if (inner)
    return hk_diag_add(diag, HK_ERROR, hk_item_location(inner, "file"),
                       "fmu '%s': a model with FMUs cannot be exported as an FMU",
                       hk_item_name(inner));
  hk_status status = select_inputs(f, diag);
  if (!status && f->option.exchange) {
    status = hk_events_refuse(f->model, "an FMU for model exchange", &err);
    if (status) hk_diag_add(diag, HK_ERROR, NULL, "%s", err.text);
  }
  if (status) return status;
  status = hk_sim_create(f->model, NULL, &f->sim, diag, &err);
  if (!status && f->option.exchange) status = hk_continuous_supports(f->sim, &err);
  if (status) {
    hk_location place = hk_error_location(f->model, &err);
    hk_diag_add(diag, HK_ERROR, &place, "%s", err.text);
  }
  return status;
}

hk_status hk_fmu_create(const char *model, const hk_fmu_options *options, hk_fmu **out,
                        hk_diag *diag) {
  hk_fmu *f = *out = calloc(1, sizeof *f);
  if (!f) return no_memory(diag);
  f->option = *options;
  f->model_path = model;
  if (strcmp(model, "-") == 0)
    return refuse(
        diag, "an FMU contains the model file: give the name of a file instead of standard input");
  if (options->fmi == 2 && (options->terminal.n || options->array.n || options->rates))
    return refuse(diag, "--terminal, --array and --rates are for FMI 3.0");
  if (options->fmi == 2 && options->sources)
    return refuse(diag,
                  "--sources needs FMI 3.0, whose FMUs describe how their sources are compiled");
  make_identifier(f);
  hk_status status = make_folder(f, diag);
  if (!status) status = read_model(f, diag);
  if (!status) status = select_outputs(f, diag);
  if (!status) status = select_parameters(f, diag);
  return status ? status : add_all(f, diag);
}

hk_status hk_fmu_write(const hk_fmu *f, const char *path, hk_error *err) {
  hk_new_file o;
  hk_status status = hk_new_file_open(&o, path, err);
  if (status) return status;
  status = hk_zip_write(&f->zip, o.file, err);
  return hk_new_file_close(&o, status, err);
}

static void remove_folder(const char *path) {
  DIR *folder = opendir(path);
  for (struct dirent *d; folder && (d = readdir(folder));)
    if (d->d_name[0] != '.') unlinkat(dirfd(folder), d->d_name, 0);
  if (folder) closedir(folder);
  rmdir(path);
}

void hk_fmu_destroy(hk_fmu *f) {
  if (!f) return;
  if (f->folder) remove_folder(f->folder);
  hk_sim_destroy(f->sim);
  hk_model_destroy(f->model);
  hk_zip_free(&f->zip);
  free(f->folder);
  free(f->input.index);
  free(f->output.index);
  free(f->parameter.index);
  free(f->array);
  free(f);
}

const char *hk_fmu_stepper(const hk_fmu *f) { return hk_sim_stepper_name(f->sim); }

int hk_fmu_count(const hk_fmu *f, int *inputs, int *outputs, int *parameters) {
  *inputs = f->input.n, *outputs = f->output.n, *parameters = f->parameter.n;
  return f->zip.n;
}
