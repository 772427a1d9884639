/* The motion of a scene in a results file: see scene_export.h. */
#include "scene/scene_export.h"
#include <stdlib.h>
#include <string.h>

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
  for (int i = 0; i < m->n_deformed; i++) free(m->deformed[i].a);
  free(m->t), free(m->pose), free(m->row), free(m->deformed);
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
  *out = (hk_motion){.scene = s, .scale = 1};
  if (rows == 0) return hk_fail(err, HK_EINPUT, "'%s' contains no rows yet", hk_results_path(r));
  if (step < 1) step = 1;
  size_t frames = most > 1 ? (size_t)((rows - 1 + step - 1) / step + 1) : 1;
  out->t = malloc(sizeof *out->t * frames);
  out->pose = malloc(sizeof *out->pose * frames * (size_t)(s->n_bodies + 1));
  out->row = malloc(sizeof *out->row * frames);
  double *row = malloc(sizeof *row * (size_t)hk_results_channel_count(r));
  hk_status status =
      out->t && out->pose && out->row && row ? HK_OK : hk_fail(err, HK_ENOMEM, "out of memory");
  for (size_t f = 0; f < frames && !status; f++) {
    int64_t k = (int64_t)f * step < rows ? (int64_t)f * step : rows - 1;
    status = hk_results_read_rows(r, k, 1, row, err);
    if (status) break;
    out->t[out->n] = row[0], out->row[out->n] = k;
    hk_scene_poses(s, row, out->pose + out->n * s->n_bodies);
    out->n++;
  }
  free(row);
  if (!status) out->origin = far_origin(out);
  if (status) hk_motion_free(out);
  return status;
}

hk_status hk_motion_deform(hk_motion *m, hk_results *r, const char *body,
                           const hk_flexible_data *data, const int *column, hk_error *err) {
  size_t all = (size_t)hk_results_row_count(r), modes = (size_t)data->m;
  hk_deformed d = {.body = -1, .data = data};
  for (int i = 0; i < m->scene->n_bodies; i++)
    if (strcmp(m->scene->body[i].name, body) == 0) d.body = i;
  if (d.body < 0) return hk_fail(err, HK_EINPUT, "the scene has no body '%s'", body);
  hk_deformed *more = realloc(m->deformed, sizeof *more * ((size_t)m->n_deformed + 1));
  if (more) m->deformed = more;
  double *one = malloc(sizeof *one * (all + 1));
  d.a = malloc(sizeof *d.a * ((size_t)m->n * modes + 1));
  hk_status status = more && one && d.a ? HK_OK : hk_fail(err, HK_ENOMEM, "out of memory");
  for (size_t k = 0; k < modes && !status; k++) {
    status = hk_results_read_column(r, column[k], one, err);
    for (int64_t i = 0; i < m->n && !status; i++) d.a[(size_t)i * modes + k] = one[m->row[i]];
  }
  free(one);
  if (status)
    free(d.a);
  else
    m->deformed[m->n_deformed++] = d;
  return status;
}
