/* One variant: see runner.h. */
#include "study/runner.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

hk_status hk_runner_init(hk_runner *r, const hk_plan *plan, hk_error *err) {
  *r = (hk_runner){.plan = plan};
  r->value = calloc((size_t)plan->study->n_measures + 1, sizeof *r->value);
  if (!r->value) return hk_fail(err, HK_ENOMEM, "out of memory");
  return hk_variant_init(&r->variant, plan->study, err);
}

void hk_runner_free(hk_runner *r) {
  hk_variant_free(&r->variant);
  free(r->value);
  *r = (hk_runner){0};
}

/* Stores an error text as one line, for a table. */
static void set_error(hk_runner *r, const char *text) {
  snprintf(r->error, sizeof r->error, "%s", text);
  for (char *c = r->error; *c; c++)
    if (*c == '\n' || *c == '\r' || *c == '\t') *c = ' ';
}

static void first_error(hk_runner *r, const hk_diag *diag, const char *otherwise) {
  for (int i = 0; i < diag->n; i++) {
    if (diag->message[i].severity != HK_ERROR) continue;
    char text[1500];
    hk_diag_format(&diag->message[i], text, sizeof text);
    set_error(r, text);
    return;
  }
  set_error(r, otherwise);
}

static bool on_step(void *context, const hk_run_progress *now) {
  const hk_runner *r = context;
  (void)now;
  return !r->go_on || r->go_on(r->context);
}

/* Computes the periodic orbit of the variant; a run of one period then starts from it. */
static hk_status find_orbit(hk_runner *r, const hk_model *model, hk_periodic *orbit,
                            hk_sim_options *sim, hk_run_options *o, hk_diag *diag) {
  hk_error err = {0};
  hk_periodic_options how;
  hk_status status = hk_steady_resolve(&r->plan->study->steady, model, &how, &err);
  how.go_on = r->go_on;
  how.context = r->context;
  if (!status) status = hk_periodic_run(model, &how, orbit, diag, &err);
  if (status < 0 && diag->n_errors == 0) hk_diag_add(diag, HK_ERROR, NULL, "%s", err.text);
  if (status < 0) first_error(r, diag, err.text);
  if (status) return status;
  sim->stepper = orbit->choose;
  o->sim = sim;
  o->start = orbit->state;
  o->start_size = orbit->state_size;
  o->duration = orbit->period;
  return HK_OK;
}

static hk_status simulate(hk_runner *r, const hk_model *model, hk_diag *diag) {
  const hk_study *s = r->plan->study;
  char path[4096];
  hk_run_report report;
  hk_run_options o = {.progress = r->go_on ? on_step : NULL,
                      .context = r,
                      .model_file = s->model_path,
                      .record = s->store};
  if (r->store_folder && s->store) {
    snprintf(path, sizeof path, "%s/%08lld.h5", r->store_folder, (long long)r->variant.number);
    o.results = path;
  } else {
    o.record = NULL;
  }
  hk_periodic orbit = {0};
  hk_sim_options sim = {0};
  if (s->steady.used) {
    hk_status found = find_orbit(r, model, &orbit, &sim, &o, diag);
    for (int i = 0; i < s->n_measures && found; i++) r->value[i] = NAN;
    if (found) {
      hk_periodic_free(&orbit);
      return found;
    }
  }
  hk_status status = hk_run(model, &o, &report, diag);
  hk_periodic_free(&orbit);
  for (int i = 0; i < s->n_measures && !status; i++) {
    int k = s->measure[i].index;
    const char *unit = k < report.n_measures ? report.measure[k].unit : "";
    if (strcmp(strcmp(unit, "1") == 0 ? "" : unit, s->measure[i].unit) != 0) {
      hk_diag_add(diag, HK_ERROR, NULL,
                  "the unit of measure '%s' is '%s' here and '%s' in the base model; a study may "
                  "not change the dimension of a measure",
                  s->measure[i].name, unit, s->measure[i].unit[0] ? s->measure[i].unit : "1");
      status = HK_EINPUT;
    }
    r->value[i] = status ? NAN : report.measure[k].value;
  }
  for (int i = 0; i < s->n_measures && status; i++) r->value[i] = NAN;
  if (status < 0 && status != HK_EIO && diag->n_errors == 0) {
    hk_location place = hk_error_location(model, &report.error);
    hk_diag_add(diag, HK_ERROR, &place, "%s", report.error.text);
  }
  if (status < 0) first_error(r, diag, report.error.text);
  hk_run_report_free(&report);
  return status;
}

static void fill(hk_runner *r, hk_record *record, hk_outcome outcome, double took) {
  *record = (hk_record){.number = r->variant.number,
                        .outcome = outcome,
                        .seconds = took,
                        .value = r->value,
                        .error = r->error};
  memcpy(record->key, r->variant.key, sizeof record->key);
}

hk_status hk_runner_run(hk_runner *r, int64_t number, hk_record *record, hk_error *err) {
  hk_diag diag;
  double begin = seconds();
  hk_diag_init(&diag);
  hk_variant_make(&r->variant, r->plan, number);
  r->error[0] = '\0';
  for (int i = 0; i < r->plan->study->n_measures; i++) r->value[i] = NAN;
  hk_spec *spec =
      hk_model_source_read(r->plan->study->source, r->variant.set, r->variant.n_set, &diag);
  hk_model *model = spec ? hk_model_compile(spec, &diag) : NULL;
  hk_status status = HK_EINPUT;
  if (model)
    status = simulate(r, model, &diag);
  else
    first_error(r, &diag, "out of memory");
  hk_model_destroy(model);
  hk_diag_free(&diag);
  if (status == HK_STOPPED) return hk_fail(err, HK_STOPPED, "stopped");
  /* the disk failed, so this is not a failure of the variant */
  if (status == HK_EIO) return hk_fail(err, HK_EIO, "%s", r->error);
  fill(r, record, status == HK_OK ? HK_OUTCOME_OK : HK_OUTCOME_FAILED, seconds() - begin);
  return HK_OK;
}

void hk_runner_lost(hk_runner *r, int64_t number, const char *why, hk_record *record) {
  hk_variant_make(&r->variant, r->plan, number);
  for (int i = 0; i < r->plan->study->n_measures; i++) r->value[i] = NAN;
  set_error(r, why);
  fill(r, record, HK_OUTCOME_FAILED, 0);
}
