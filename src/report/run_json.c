/* See run_json.h. */
#include "report/run_json.h"
#include <string.h>

void hk_run_json_texts(hk_json *j, const hk_run_texts *t) {
  const char *const pair[][2] = {{"name", t->name},
                                 {"title", t->title},
                                 {"status", t->status},
                                 {"model_file", t->model_file},
                                 {"model_text", t->model_text},
                                 {"version", t->version},
                                 {"stepper", t->stepper}};
  for (size_t i = 0; i < sizeof pair / sizeof *pair; i++)
    hk_json_text(j, pair[i][0], pair[i][1] ? pair[i][1] : "");
}

void hk_run_json_channels(hk_json *j, const hk_channel_info *channel, const bool *full,
                          const bool *between, const bool *fine, const double *offset, int n) {
  hk_json_open(j, "channels", '[');
  for (int i = 0; i < n; i++) {
    hk_json_open(j, NULL, '{');
    hk_json_text(j, "name", channel[i].name);
    hk_json_text(j, "unit", channel[i].unit ? channel[i].unit : "");
    hk_json_text(j, "doc", channel[i].doc ? channel[i].doc : "");
    hk_json_bool(j, "full", !full || full[i]);
    if (fine && fine[i]) hk_json_bool(j, "fine", true);
    if (between && between[i]) hk_json_bool(j, "between", true);
    if (offset && offset[i] != 0) hk_json_real(j, "offset", offset[i]);
    hk_json_close(j, '}');
  }
  hk_json_close(j, ']');
}

void hk_run_json_frames(hk_json *j, long long step, long long count, long long touch_frames,
                        long long touch_step, const double scale[9]) {
  hk_json_open(j, "frames", '{');
  hk_json_int(j, "first", 0);
  hk_json_int(j, "step", step);
  hk_json_int(j, "count", count);
  hk_json_close(j, '}');
  hk_json_int(j, "touch_frames", touch_frames);
  hk_json_int(j, "touch_step", touch_step);
  hk_json_reals(j, "touch_scale", scale, 9);
}

/* Writes the differences of bit patterns. Bytes of equal significance are stored together, because they compress well. */
void hk_page_column(hk_bytes *out, const float *value, size_t n, unsigned char *scratch) {
  uint32_t last = 0;
  for (size_t i = 0; i < n; i++) {
    uint32_t bits;
    memcpy(&bits, &value[i], sizeof bits);
    uint32_t d = bits - last;
    last = bits;
    for (size_t k = 0; k < 4; k++) scratch[k * n + i] = (unsigned char)(d >> (8 * k));
  }
  hk_bytes_add(out, scratch, 4 * n);
}
