/* Life of an instance: reading the model, initialization, reset: see instance.h. */
#include "instance.h"
#include "carried.h"
#include "integrator/continuous.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const fmu_category_name[] = {"logStatusError", "logStatusWarning", "logEvents"};

static void tell(const fmu_instance *f, fmu_status status, fmu_category category, const char *fmt,
                 va_list ap) {
  char text[2048];
  if (category == FMU_LOG_EVENTS && !f->importer.debug) return;
  vsnprintf(text, sizeof text, fmt, ap);
  f->importer.tell(f, status, fmu_category_name[category], text);
}

void fmu_tell(const fmu_instance *f, fmu_status status, fmu_category category, const char *fmt,
              ...) {
  va_list ap;
  va_start(ap, fmt);
  tell(f, status, category, fmt, ap);
  va_end(ap);
}

fmu_status fmu_refuse(const fmu_instance *f, const char *fmt, ...) {
  va_list ap;
  if (!f) return FMU_ERROR; /* there is no instance, and no log */
  va_start(ap, fmt);
  tell(f, FMU_ERROR, FMU_LOG_ERROR, fmt, ap);
  va_end(ap);
  return FMU_ERROR;
}

fmu_status fmu_need(const fmu_instance *f, const void *array, size_t n) {
  return array || n == 0 ? FMU_OK : fmu_refuse(f, "an array of %zu numbers is NULL", n);
}

fmu_status fmu_no_values(const fmu_instance *f, size_t n) {
  if (!f) return FMU_ERROR;
  return n ? fmu_refuse(f, "all variables of this FMU are real numbers of 64 bits") : FMU_OK;
}

/* After a failure of the integrator the simulation is at the end of the last accepted step; the
 * importer may return to an earlier state and try shorter steps. */
fmu_status fmu_failed(const fmu_instance *f, const hk_error *err) {
  char text[1400];
  const hk_diag_message m = {
      .severity = HK_ERROR, .place = hk_error_location(f->model, err), .text = (char *)err->text};
  hk_diag_format(&m, text, sizeof text);
  fmu_status status = err->code == HK_EFAIL || err->code == HK_RETRY ? FMU_DISCARD : FMU_ERROR;
  fmu_tell(f, status, FMU_LOG_ERROR, "%s", text);
  return status;
}

/* Errors are always logged; warnings and notes according to the log categories of the importer. */
static fmu_status tell_diag(const fmu_instance *f, const hk_diag *diag) {
  char text[2048];
  for (int i = 0; i < diag->n; i++) {
    const hk_diag_message *m = &diag->message[i];
    hk_diag_format(m, text, sizeof text);
    if (m->severity == HK_ERROR)
      fmu_refuse(f, "%s", text);
    else
      fmu_tell(f, m->severity == HK_WARNING ? FMU_WARNING : FMU_OK,
               m->severity == HK_WARNING ? FMU_LOG_WARNING : FMU_LOG_EVENTS, "%s", text);
  }
  if (diag->out_of_memory) fmu_refuse(f, "out of memory");
  return diag->n_errors || diag->out_of_memory ? FMU_ERROR : FMU_OK;
}

/* ---- the model ---- */

/* Sets the start values of inputs and the start and stop times of the importer. */
static hk_status complete(const fmu_instance *f, hk_spec *spec, hk_error *err) {
  hk_item *analysis = hk_spec_at(spec, HK_ANALYSIS, 0);
  hk_status status = hk_item_text(analysis, "stepper", f->manifest.stepper, err);
  if (!status && !isnan(f->start)) status = hk_item_real(analysis, "start", f->start, err);
  if (!status && f->stop > f->start)
    status = hk_item_real(analysis, "duration", f->stop - f->start, err);
  double rtol = f->tolerance > 0 ? f->tolerance : f->manifest.rtol;
  if (!status && rtol > 0) status = hk_item_real(analysis, "rtol", rtol, err);
  for (int i = 0; i < f->n_inputs && !status && f->mode <= FMU_INITIALIZING; i++) {
    if (!fmu_input(f, i)->given) continue;
    char text[160];
    hk_unit unit;
    hk_item *item = hk_spec_find(spec, HK_INPUT, f->manifest.input.name[i]);
    const char *name = hk_model_input_unit(f->model, f->input[i]);
    status = hk_unit_parse(name, strlen(name), &unit, err);
    hk_quantity_format(fmu_input(f, i)->value, unit.dim, text, sizeof text);
    if (!status) status = hk_item_expression(item, "initial_value", 0, text, err);
  }
  return status;
}

/* Lists the overrides of the export, then the parameters that the importer has set. `text` holds
 * their texts. */
static int overrides(const fmu_instance *f, hk_override *set, char (*text)[160]) {
  int n = f->manifest.n_set;
  for (int i = 0; i < n; i++) set[i] = f->manifest.set[i];
  for (int i = 0; i < f->n_parameters; i++) {
    const fmu_given *p = fmu_parameter(f, i);
    hk_parameter now;
    hk_unit unit = {0};
    if (!p->given || hk_model_parameter(f->model, f->parameter[i], &now)) continue;
    hk_unit_parse(now.unit, strlen(now.unit), &unit, NULL);
    hk_quantity_format(p->value, unit.dim, text[i], sizeof text[i]);
    set[n++] = (hk_override){f->manifest.parameter.name[i], text[i]};
  }
  return n;
}

static hk_model *make_model(const fmu_instance *f) {
  hk_diag diag;
  hk_error err = {0};
  hk_diag_init(&diag);
  hk_model *model = NULL;
  int room = f->manifest.n_set + f->n_parameters + 1;
  hk_override *set = calloc((size_t)room, sizeof *set);
  char(*text)[160] = calloc((size_t)f->n_parameters + 1, sizeof *text);
  hk_spec *spec = NULL;
  if (set && text)
    spec = hk_model_source_read(f->source, set, overrides(f, set, text), &diag);
  else
    diag.out_of_memory = true;
  if (spec && f->model && complete(f, spec, &err)) {
    hk_diag_add(&diag, HK_ERROR, NULL, "%s", err.text);
    hk_spec_destroy(spec);
    spec = NULL;
  }
  if (spec) model = hk_model_compile(spec, &diag);
  tell_diag(f, &diag);
  hk_diag_free(&diag);
  free(set);
  free(text);
  return model;
}

static fmu_status make_sim(fmu_instance *f, const hk_model *model, hk_sim **out) {
  hk_diag diag;
  hk_error err = {0};
  hk_diag_init(&diag);
  hk_status status =
      f->sim && f->mode > FMU_INITIALIZING
          ? hk_sim_create_from(model, f->sim, out, &err)
          : hk_sim_create(model, &(hk_sim_options){.no_stepping = true}, out, &diag, &err);
  tell_diag(f, &diag);
  if (status) {
    hk_location place = hk_error_location(model, &err);
    char text[2048];
    hk_diag_message m = {.severity = HK_ERROR, .place = place, .text = err.text};
    hk_diag_format(&m, text, sizeof text);
    fmu_refuse(f, "%s", text);
  }
  hk_diag_free(&diag);
  return status ? FMU_ERROR : FMU_OK;
}

static fmu_status rebuild(fmu_instance *f) {
  hk_sim *sim = NULL;
  if (f->sim && f->mode > FMU_INITIALIZING) {
    fmu_status status = fmu_step_reach(f);
    if (!status) status = fmu_step_back(f);
    if (status) return status;
  }
  hk_model *model = make_model(f);
  if (!model) return FMU_ERROR;
  if (make_sim(f, model, &sim)) {
    hk_model_destroy(model);
    return FMU_ERROR;
  }
  hk_sim_destroy(f->sim);
  hk_model_destroy(f->model);
  f->sim = sim;
  f->model = model;
  f->parameters_changed = false;
  if (fmu_step_begin(f)) return FMU_ERROR;
  if (f->mode > FMU_INITIALIZING)
    fmu_tell(f, FMU_OK, FMU_LOG_EVENTS, "parameters changed at t = %.9g s", f->time);
  return FMU_OK;
}

static fmu_status apply_inputs(fmu_instance *f) {
  hk_error err = {0};
  for (int i = 0; i < f->n_inputs; i++) {
    const fmu_given *u = fmu_input(f, i), *rate = fmu_rate(f, i);
    if (!u->given) continue;
    double slope = rate->given && !f->importer.exchange ? rate->value : 0;
    if (hk_sim_input_ramp(f->sim, f->input[i], u->value, slope, &err))
      return fmu_refuse(f, "%s", err.text);
  }
  return FMU_OK;
}

fmu_status fmu_settle(fmu_instance *f) {
  fmu_status status = !f->sim || f->parameters_changed ? rebuild(f) : FMU_OK;
  return !status && f->mode > FMU_INITIALIZING ? apply_inputs(f) : status;
}

/* ---- creation ---- */

static fmu_status find_all(fmu_instance *f) {
  const fmu_manifest *m = &f->manifest;
  hk_error err = {0};
  f->n_inputs = m->input.n, f->n_outputs = m->output.n, f->n_parameters = m->parameter.n;
  size_t n = (size_t)f->n_inputs + (size_t)f->n_outputs + (size_t)f->n_parameters + 1;
  f->input = calloc(n, sizeof *f->input);
  f->one_channel = calloc(n, sizeof *f->one_channel);
  f->scratch = calloc(2 * n, sizeof *f->scratch);
  f->given = calloc(2 * n, sizeof *f->given);
  if (!f->input || !f->one_channel || !f->scratch || !f->given)
    return fmu_refuse(f, "out of memory");
  f->channel = f->input + f->n_inputs;
  f->parameter = f->channel + f->n_outputs;
  for (int i = 0; i < f->n_inputs; i++)
    if ((f->input[i] = hk_model_input_find(f->model, m->input.name[i])) < 0)
      return fmu_refuse(f, "the model has no input '%s'", m->input.name[i]);
  if (hk_model_channels_find(f->model, m->output.name, f->n_outputs, f->channel, &err))
    return fmu_refuse(f, "%s", err.text);
  if (m->exchange) {
    f->n_states = hk_continuous_count(f->model);
    f->n_switches = hk_continuous_switch_count(f->model);
    f->x = calloc(2 * (size_t)f->n_states + (size_t)f->n_switches + 1, sizeof *f->x);
    if (!f->x) return fmu_refuse(f, "out of memory");
    f->rate = f->x + f->n_states, f->event = f->rate + f->n_states;
  } else if (f->importer.exchange) {
    return fmu_refuse(f,
                      "this FMU is for co-simulation only: hooke fmu --model-exchange exports one "
                      "for both");
  }
  for (int i = 0; i < f->n_parameters; i++)
    if ((f->parameter[i] = hk_model_parameter_find(f->model, m->parameter.name[i])) < 0)
      return fmu_refuse(f, "the model has no parameter '%s'", m->parameter.name[i]);
  return FMU_OK;
}

static fmu_status open_model(fmu_instance *f, const char *token) {
  hk_diag diag;
  hk_diag_init(&diag);
  hk_status read = fmu_manifest_read(&f->manifest, f->resources, &diag);
  fmu_status status = tell_diag(f, &diag);
  hk_diag_free(&diag);
  if (read) return status ? status : fmu_refuse(f, "out of memory");
  if (!token || strcmp(token, f->manifest.token) != 0)
    return fmu_refuse(
        f,
        "the modelDescription.xml (%s) does not belong to these resources (%s): the FMU "
        "was changed after its export",
        token ? token : "", f->manifest.token);
  char *path = hk_arena_printf(&f->manifest.arena, "%s/%s", f->resources, f->manifest.model);
  char *prepared = hk_arena_printf(&f->manifest.arena, "%s/prepared", f->resources);
  if (!path || !prepared) return fmu_refuse(f, "out of memory");
  f->preparation = fmu_preparation(prepared);
  const hk_model_text text = {.preparation = &f->preparation, .name = path};
  hk_diag_init(&diag);
  f->source = hk_model_source_open(&text, NULL, &diag);
  status = tell_diag(f, &diag);
  hk_diag_free(&diag);
  if (status || !f->source) return FMU_ERROR;
  f->model = make_model(f);
  return f->model ? find_all(f) : FMU_ERROR;
}

/* Without a separator at the end; Windows: with '/' as the separator, and "C:/tmp" instead of the "/C:/tmp" of a URI. */
static void clean_path(char *path) {
#ifdef _WIN32
  for (char *c = path; *c; c++)
    if (*c == '\\') *c = '/';
  if (path[0] == '/' && path[1] && path[2] == ':') memmove(path, path + 1, strlen(path));
#endif
  size_t n = strlen(path);
  while (n > 1 && path[n - 1] == '/') path[--n] = '\0';
}

fmu_instance *fmu_create(const fmu_importer *importer, const char *name, const char *token,
                         const char *resources) {
  fmu_instance *f = calloc(1, sizeof *f);
  if (!f) return NULL;
  f->importer = *importer;
  f->tolerance = f->start = f->stop = NAN;
  f->name = strdup(name ? name : "");
  f->resources = strdup(resources ? resources : "");
  fmu_status status = f->name && f->resources ? FMU_OK : fmu_refuse(f, "out of memory");
  if (!status) clean_path(f->resources);
  if (!status) status = open_model(f, token);
  if (!status) return f;
  fmu_destroy(f);
  return NULL;
}

void fmu_destroy(fmu_instance *f) {
  if (!f) return;
  hk_sim_destroy(f->sim);
  hk_model_destroy(f->model);
  hk_model_source_close(f->source);
  fmu_manifest_free(&f->manifest);
  free(f->input);
  free(f->one_channel);
  free(f->scratch);
  free(f->given);
  free(f->x);
  free(f->before);
  free(f->expanded[0].reference);
  free(f->expanded[1].reference);
  free(f->name);
  free(f->resources);
  free(f);
}

/* ---- initialization ---- */

fmu_status fmu_setup(fmu_instance *f, double tolerance, double start, double stop) {
  if (!f) return FMU_ERROR;
  if (f->mode != FMU_INSTANTIATED)
    return fmu_refuse(f, "the experiment is set up before the initialization, not here");
  if (isinf(start) || isinf(stop) || (stop <= start))
    return fmu_refuse(f, "the experiment cannot last from %g s to %g s", start, stop);
  f->tolerance = tolerance;
  f->start = start;
  f->stop = stop;
  f->parameters_changed = true;
  return FMU_OK;
}

fmu_status fmu_begin(fmu_instance *f) {
  if (!f) return FMU_ERROR;
  if (f->mode != FMU_INSTANTIATED)
    return fmu_refuse(f, "the initialization mode follows instantiation or reset, nothing else");
  f->mode = FMU_INITIALIZING;
  return FMU_OK;
}

fmu_status fmu_initialize(fmu_instance *f) {
  if (!f) return FMU_ERROR;
  if (f->mode != FMU_INITIALIZING) return fmu_refuse(f, "this is not the initialization mode");
  fmu_status status = fmu_settle(f);
  if (status) return status;
  f->time = hk_sim_time(f->sim);
  f->mode = f->importer.exchange || f->importer.events ? FMU_EVENT : FMU_STEPPING;
  if (f->importer.exchange) fmu_continuous_begin(f);
  for (int i = 0; i < f->n_inputs; i++) fmu_input(f, i)->given = 0;
  return FMU_OK;
}

fmu_status fmu_terminate(fmu_instance *f) {
  if (!f) return FMU_ERROR;
  f->mode = FMU_TERMINATED;
  return FMU_OK;
}

fmu_status fmu_change_mode(fmu_instance *f, fmu_mode from, fmu_mode to) {
  if (!f) return FMU_ERROR;
  if (!(f->importer.events || f->importer.exchange) || f->mode != from)
    return fmu_refuse(f,
                      "the event mode is entered after a step and left again, by an importer that "
                      "said so at instantiation");
  f->mode = to;
  return FMU_OK;
}

fmu_status fmu_set_debug(fmu_instance *f, bool on, size_t n, const char *const category[]) {
  bool events = n == 0;
  if (!f || fmu_need(f, category, n)) return FMU_ERROR;
  for (size_t i = 0; i < n; i++) {
    const char *name = category[i] ? category[i] : "";
    events = events || strcmp(name, fmu_category_name[FMU_LOG_EVENTS]) == 0 ||
             strcmp(name, "logAll") == 0;
  }
  f->importer.debug = on && events;
  return FMU_OK;
}

fmu_status fmu_reset(fmu_instance *f) {
  if (!f) return FMU_ERROR;
  hk_sim_destroy(f->sim);
  f->sim = NULL;
  f->mode = FMU_INSTANTIATED;
  f->tolerance = f->start = f->stop = NAN;
  memset(f->given, 0, (size_t)fmu_n_given(f) * sizeof *f->given);
  f->parameters_changed = true;
  return FMU_OK;
}
