/* The motion of a scene in a results file: see scene_export.h. */
#include "scene/scene_export.h"
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
    status =
        hk_fail(err, HK_EINPUT,
                "'%s' contains no scene: it was written by an older hooke; run the model again",
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

/* Returns the mean position of the bodies in the first frame, if they are so far from the origin
 * that single precision (24 bits) would show their motion in steps; otherwise zero. */
static hk_vec3 far_origin(const hk_motion *m) {
  static const double far = 1e3; /* distance, in sizes of the model */
  const hk_scene *s = m->scene;
  hk_vec3 mean = {0, 0, 0};
  double size = 10 * s->size;
  for (int i = 0; i < s->n_bodies; i++) mean = hk_axpy(mean, 1.0 / s->n_bodies, m->pose[i].x);
  for (int i = 0; i < s->n_bodies; i++) size = fmax(size, hk_norm(hk_sub(m->pose[i].x, mean)));
  return hk_norm(mean) > far * size ? mean : hk_v3(0, 0, 0);
}

hk_status hk_motion_read(hk_results *r, const hk_scene *s, int64_t most, hk_motion *out,
                         hk_error *err) {
  int64_t rows = hk_results_row_count(r);
  int64_t step = most > 1 ? (rows - 1 + most - 2) / (most - 1) : rows;
  *out = (hk_motion){.scene = s};
  if (rows == 0) return hk_fail(err, HK_EINPUT, "'%s' contains no rows yet", hk_results_path(r));
  if (step < 1) step = 1;
  size_t frames = most > 1 ? (size_t)((rows - 1 + step - 1) / step + 1) : 1;
  out->t = malloc(sizeof *out->t * frames);
  out->pose = malloc(sizeof *out->pose * frames * (size_t)(s->n_bodies + 1));
  double *row = malloc(sizeof *row * (size_t)hk_results_channel_count(r));
  hk_status status = out->t && out->pose && row ? HK_OK : hk_fail(err, HK_ENOMEM, "out of memory");
  for (size_t f = 0; f < frames && !status; f++) {
    int64_t k = (int64_t)f * step < rows ? (int64_t)f * step : rows - 1;
    status = hk_results_read_rows(r, k, 1, row, err);
    if (status) break;
    out->t[out->n] = row[0];
    hk_scene_poses(s, row, out->pose + out->n * s->n_bodies);
    out->n++;
  }
  free(row);
  if (!status) out->origin = far_origin(out);
  if (status) hk_motion_free(out);
  return status;
}
