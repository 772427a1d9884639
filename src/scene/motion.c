/* The motion of a scene in a results file: see export.h. */
#include "scene/export.h"
#include <stdlib.h>

static int find_channel(const void *context, const char *name) {
  return hk_results_find(context, name);
}

hk_status hk_scene_of_results(const hk_results *r, hk_scene **out, hk_error *err) {
  char *json;
  void *data;
  size_t size;
  *out = NULL;
  hk_status status = hk_results_scene(r, &json, &data, &size, err);
  if (!status && !json)
    status = hk_fail(err, HK_EINPUT,
                     "'%s' holds no scene: it was written by an older hooke; run the model again",
                     hk_results_path(r));
  if (!status) status = hk_scene_read(json, data, size, out, err);
  if (!status) hk_scene_bind(*out, find_channel, r);
  free(json), free(data);
  return status;
}

void hk_motion_free(hk_motion *m) {
  free(m->t), free(m->pose);
  *m = (hk_motion){0};
}

hk_status hk_motion_read(hk_results *r, const hk_scene *s, int64_t most, hk_motion *out,
                         hk_error *err) {
  int64_t rows = hk_results_row_count(r), step = (rows + most - 1) / most;
  *out = (hk_motion){.scene = s};
  if (rows == 0) return hk_fail(err, HK_EINPUT, "'%s' holds no rows yet", hk_results_path(r));
  if (step < 1) step = 1;
  size_t frames = (size_t)((rows + step - 1) / step);
  out->t = malloc(sizeof *out->t * frames);
  out->pose = malloc(sizeof *out->pose * frames * (size_t)(s->n_bodies + 1));
  double *row = malloc(sizeof *row * (size_t)hk_results_channel_count(r));
  hk_status status = out->t && out->pose && row ? HK_OK : hk_fail(err, HK_ENOMEM, "out of memory");
  for (int64_t k = 0; k < rows && !status; k += step) {
    status = hk_results_read_rows(r, k, 1, row, err);
    if (status) break;
    out->t[out->n] = row[0];
    hk_scene_poses(s, row, out->pose + out->n * s->n_bodies);
    out->n++;
  }
  free(row);
  if (status) hk_motion_free(out);
  return status;
}
