/* Pages of models at rest and of runs that have not begun: see page.h. */
#include "report/page.h"
#include "report/run_json.h"
#include <stdlib.h>
#include <string.h>

static hk_status no_memory(hk_error *err) {
  return hk_fail(err, HK_ENOMEM, "out of memory for the page");
}

static void put_list(hk_json *j, const char *key, const char *const *text, int n) {
  hk_json_open(j, key, '[');
  for (int i = 0; i < n; i++) hk_json_text(j, NULL, text[i]);
  hk_json_close(j, ']');
}

static void put_modes(hk_json *j, const hk_page_still *s) {
  hk_json_open(j, "modes", '[');
  for (int i = 0; i < s->n_modes; i++) {
    const hk_page_mode *m = &s->mode[i];
    hk_json_open(j, NULL, '{');
    hk_json_real(j, "re", m->re);
    hk_json_real(j, "im", m->im);
    hk_json_real(j, "frequency", m->frequency);
    hk_json_real(j, "damping", m->damping);
    hk_json_bool(j, "free", m->free);
    hk_json_reals(j, "shape", m->shape, 12 * s->scene->n_bodies);
    hk_json_close(j, '}');
  }
  hk_json_close(j, ']');
}

static double coordinate(const hk_stance *p, int k) {
  const double x[7] = {p->x.x, p->x.y, p->x.z, p->q.w, p->q.x, p->q.y, p->q.z};
  return x[k];
}

/* Writes seven columns per body: differences from the configuration `pose`.  The first frame is the
 * second configuration, if there is one. */
static void put_poses(hk_bytes *plain, const hk_page_still *s, int frames) {
  unsigned char scratch[8];
  for (int i = 0; i < s->scene->n_bodies; i++)
    for (int k = 0; k < 7; k++) {
      float v[2];
      for (int f = 0; f < frames; f++) {
        const hk_stance *p = f == 0 && frames == 2 ? &s->before[i] : &s->pose[i];
        v[f] = (float)(coordinate(p, k) - coordinate(&s->pose[i], k));
      }
      hk_page_column(plain, v, (size_t)frames, scratch);
    }
}

static void put_pose_offsets(hk_json *j, const hk_page_still *s) {
  hk_json_open(j, "pose_offset", '[');
  for (int i = 0; i < s->scene->n_bodies; i++)
    for (int k = 0; k < 7; k++) hk_json_real(j, NULL, coordinate(&s->pose[i], k));
  hk_json_close(j, ']');
}

static void put_still(hk_json *j, const hk_page_still *s, int frames) {
  static const double scale[9] = {0};
  static const hk_channel_info time = {"time", "s", "time"};
  const hk_run_texts texts = {.name = s->name,
                              .title = s->title,
                              .status = s->status,
                              .model_file = s->name,
                              .model_text = s->model_text,
                              .version = hk_version()};
  hk_json_open(j, NULL, '{');
  hk_run_json_texts(j, &texts);
  put_list(j, "overrides", s->override_text, s->n_overrides);
  put_list(j, "warnings", s->warning, s->n_warnings);
  hk_json_int(j, "rows", frames);
  hk_json_raw(j, "time", "{\"start\": 0, \"step\": 1}");
  hk_run_json_channels(j, &time, NULL, NULL, NULL, NULL, 1);
  hk_json_int(j, "bins", 0);
  hk_json_int(j, "width", 1);
  hk_run_json_frames(j, 1, frames, 0, 1, scale);
  put_pose_offsets(j, s);
  hk_json_bool(j, "bodies_moving", true);
  hk_json_raw(j, "plots", "[]");
  hk_json_raw(j, "summary", "null");
  hk_json_open(j, "facts", '[');
  for (int i = 0; i < s->n_facts; i++) {
    hk_json_open(j, NULL, '[');
    hk_json_text(j, NULL, s->fact[i].name);
    hk_json_text(j, NULL, s->fact[i].value);
    hk_json_close(j, ']');
  }
  hk_json_close(j, ']');
  if (s->n_modes) put_modes(j, s);
  hk_json_raw(j, "scene", s->scene->json);
  hk_json_close(j, '}');
}

static hk_status entry(char **text, void (*put)(hk_json *, const void *), const void *what,
                       hk_error *err) {
  size_t length;
  *text = hk_json_write(put, what, &length);
  return *text ? HK_OK : no_memory(err);
}

static void put_still_entry(hk_json *j, const void *what) {
  const hk_page_still *s = what;
  put_still(j, s, s->before ? 2 : 1);
}

hk_status hk_page_still_run(const hk_page_still *s, hk_page_run *out, hk_error *err) {
  hk_bytes plain = {0};
  *out = (hk_page_run){0};
  put_poses(&plain, s, s->before ? 2 : 1);
  hk_status status = plain.failed ? no_memory(err) : hk_gzip(plain.at, plain.n, &out->data, err);
  hk_bytes_free(&plain);
  hk_bytes_add(&out->scene, s->meshes->at, s->meshes->n);
  if (!status && out->scene.failed) status = no_memory(err);
  if (!status) status = entry(&out->json, put_still_entry, s, err);
  if (status) hk_page_run_free(out);
  return status;
}

/* ---- a run that has not begun ---- */

static int find_live(const void *context, const char *name) {
  const hk_page_live *s = context;
  for (int i = 0; i < s->n_channels; i++)
    if (strcmp(s->channel[i].name, name) == 0) return i;
  return -1;
}

static void put_live(hk_json *j, const void *what) {
  static const double scale[9] = {0};
  const hk_page_live *s = what;
  bool *wanted = calloc((size_t)s->n_channels, sizeof *wanted);
  const hk_run_texts texts = {.name = s->name,
                              .title = s->title,
                              .status = "running",
                              .model_file = s->name,
                              .model_text = s->model_text,
                              .version = hk_version()};
  const hk_plot_source source = {.scene = s->scene,
                                 .channel = s->channel,
                                 .n_channels = s->n_channels,
                                 .find = find_live,
                                 .context = s,
                                 .wanted = wanted};
  hk_json_open(j, NULL, '{');
  hk_run_json_texts(j, &texts);
  put_list(j, "overrides", s->override_text, s->n_overrides);
  put_list(j, "warnings", NULL, 0);
  hk_json_int(j, "rows", 0);
  hk_json_raw(j, "time", "{\"start\": 0, \"step\": 1}");
  hk_run_json_channels(j, s->channel, NULL, NULL, NULL, NULL, s->n_channels);
  hk_json_int(j, "bins", 0);
  hk_json_int(j, "width", 1);
  hk_run_json_frames(j, 1, 0, 0, 1, scale);
  hk_json_bool(j, "bodies_moving", true);
  if (wanted)
    hk_page_plots(j, "plots", &source);
  else
    hk_json_raw(j, "plots", "[]");
  hk_json_raw(j, "summary", "null");
  hk_json_raw(j, "scene", s->scene->json);
  hk_json_close(j, '}');
  free(wanted);
}

hk_status hk_page_live_run(const hk_page_live *s, hk_page_run *out, hk_error *err) {
  *out = (hk_page_run){0};
  hk_bytes_add(&out->scene, s->meshes->at, s->meshes->n);
  hk_status status = out->scene.failed ? no_memory(err) : HK_OK;
  if (!status) status = hk_gzip("", 0, &out->data, err);
  if (!status) status = entry(&out->json, put_live, s, err);
  if (status) hk_page_run_free(out);
  return status;
}
