/* The results file of a run: see run_results.h.  Also hk_run_save: a recording as such a file. */
#include "study/run_results.h"
#include "model/model.h"
#include "study/run_summary.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

hk_status hk_run_results_create(const hk_model *m, const hk_run_options *o, const char *stepper,
                                const hk_channel_info *info, int n, hk_results_writer **out,
                                hk_error *err) {
  const hk_results_attribute attribute = {"stepper", stepper};
  hk_scene *scene = NULL;
  hk_bytes bytes = {0};
  hk_status status = hk_scene_build(m, &scene, err);
  if (!status) status = hk_scene_write(scene, &bytes, err);
  if (!status) {
    const hk_results_meta meta = {.title = hk_model_title(m),
                                  .model_file = o->model_file,
                                  .model_text = o->model_text,
                                  .override_text = o->override_text,
                                  .n_overrides = o->n_overrides,
                                  .attribute = &attribute,
                                  .n_attributes = 1,
                                  .scene = scene->json,
                                  .scene_data = bytes.at,
                                  .scene_size = bytes.n,
                                  .summary_room = hk_run_summary_room(m)};
    status = hk_results_create(o->results, info, n, &meta, out, err);
  }
  hk_bytes_free(&bytes);
  hk_scene_free(scene);
  return status;
}

hk_status hk_run_results_close(hk_results_writer *w, const hk_model *m, const hk_run_report *p,
                               const hk_diag *diag, hk_error *err) {
  char text[HK_RESULTS_STATUS_SIZE];
  char *summary = hk_run_summary(m, p, diag);
  if (summary) hk_results_summarise(w, summary);
  free(summary);
  snprintf(text, sizeof text, "failed: %.400s", p->error.text);
  return hk_results_close(w,
                          p->status == HK_OK        ? "finished"
                          : p->status == HK_STOPPED ? "stopped"
                                                    : text,
                          err);
}

/* ---- a recording as a file ---- */

static hk_status append_rows(const hk_recording *r, hk_results_writer *w, hk_error *err) {
  const int n = hk_recording_channel_count(r);
  const double **column = calloc((size_t)n + 1, sizeof *column);
  double *row = calloc((size_t)n + 1, sizeof *row);
  hk_status status = column && row ? HK_OK : hk_fail(err, HK_ENOMEM, "out of memory");
  for (int k = 0; k < n && !status; k++) column[k] = hk_recording_column(r, k);
  for (int64_t i = 0; i < hk_recording_row_count(r) && !status; i++) {
    for (int k = 0; k < n; k++) row[k] = column[k][i];
    status = hk_results_append(w, row, err);
  }
  free(column);
  free(row);
  return status;
}

hk_status hk_run_save(const hk_model *model, const hk_recording *recording,
                      const hk_run_options *options, const hk_run_report *report,
                      const hk_diag *diag, hk_error *err) {
  const hk_run_report finished = {.stepper = "", .energy_balance_error = NAN};
  hk_diag empty;
  if (!model || !recording || !options || !options->results)
    return hk_fail(err, HK_EINPUT, "hk_run_save needs a model, a recording and the name of a file");
  const char *read = hk_model_reads(model, options->results);
  if (read)
    return hk_fail(err, HK_EINPUT,
                   "results would overwrite '%s', which is an input of the model; choose another "
                   "name than '%s'",
                   read, options->results);
  const int n = hk_recording_channel_count(recording);
  hk_channel_info *info = calloc((size_t)n + 1, sizeof *info);
  if (!info) return hk_fail(err, HK_ENOMEM, "out of memory");
  for (int k = 0; k < n; k++) {
    const char *unit = hk_recording_unit(recording, k);
    info[k] = (hk_channel_info){hk_recording_name(recording, k), strcmp(unit, "1") == 0 ? "" : unit,
                                hk_recording_doc(recording, k)};
  }
  hk_results_writer *w = NULL;
  if (!report) report = &finished;
  hk_diag_init(&empty);
  hk_status status = hk_run_results_create(model, options, report->stepper, info, n, &w, err);
  if (!status) status = append_rows(recording, w, err);
  hk_error unread = {0};
  hk_status closed =
      w ? hk_run_results_close(w, model, report, diag ? diag : &empty, status ? &unread : err)
        : HK_OK;
  hk_diag_free(&empty);
  free(info);
  return status ? status : closed;
}
