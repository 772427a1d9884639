/* Results in memory, a column for each channel: see hooke/recording.h. */
#include "sim/recording.h"
#include "base/required.h"
#include "base/arena.h"
#include "sim/sim.h"
#include <stdlib.h>
#include <string.h>

enum { FIRST_ROWS = 256 };

struct hk_recording {
  hk_arena arena; /* names */
  int n;
  int *channel; /* [n] */
  const char **name, **unit, **doc;
  double *row;   /* [n] scratch */
  double *value; /* [n][capacity], column by column */
  int64_t rows, capacity;
};

static bool describe(hk_recording *r, const hk_model *m, const int *channel) {
  size_t n = (size_t)r->n;
  r->channel = HK_NEW_ARRAY(&r->arena, int, n);
  r->name = HK_NEW_ARRAY(&r->arena, const char *, n);
  r->unit = HK_NEW_ARRAY(&r->arena, const char *, n);
  r->doc = HK_NEW_ARRAY(&r->arena, const char *, n);
  r->row = HK_NEW_ARRAY(&r->arena, double, n);
  if (!r->channel || !r->name || !r->unit || !r->doc || !r->row) return false;
  for (int k = 0; k < r->n; k++) {
    int i = r->channel[k] = channel[k];
    r->name[k] = hk_arena_strdup(&r->arena, hk_model_channel_name(m, i));
    r->unit[k] = hk_arena_strdup(&r->arena, hk_model_channel_unit(m, i));
    r->doc[k] = hk_arena_strdup(&r->arena, hk_model_channel_doc(m, i));
    if (!r->name[k] || !r->unit[k] || !r->doc[k]) return false;
  }
  return true;
}

/* Selects the columns: time first, then the requested channels, or all channels that are shown by default. */
static hk_status choose(const hk_model *m, const int *channel, int n, int *out, int *count,
                        hk_error *err) {
  *count = 0;
  out[(*count)++] = 0;
  for (int k = 0; k < n; k++) {
    if (channel[k] < 0 || channel[k] >= m->n_channels)
      return hk_fail(err, HK_EINPUT, "channel[%d] = %d: the model has channels 0 to %d", k,
                     channel[k], m->n_channels - 1);
    if (channel[k] != 0) out[(*count)++] = channel[k];
  }
  for (int i = 1; n == 0 && i < m->n_channels; i++)
    if (m->channel[i].show < HK_SHOW_INSIDE) out[(*count)++] = i;
  return HK_OK;
}

hk_status hk_recording_create(const hk_model *model, const int *channel, int n, hk_recording **out,
                              hk_error *err) {
  HK_REQUIRE(out, err);
  *out = NULL;
  if (!model) return hk_fail(err, HK_EINPUT, HK_NO_MODEL);
  hk_recording *r = calloc(1, sizeof *r);
  int *chosen =
      malloc(((size_t)(n > model->n_channels ? n : model->n_channels) + 1) * sizeof *chosen);
  hk_status status = HK_OK;
  if (!r || !chosen) status = hk_fail(err, HK_ENOMEM, "out of memory");
  if (!status) status = choose(model, channel, channel ? n : 0, chosen, &r->n, err);
  if (!status && !describe(r, model, chosen)) status = hk_fail(err, HK_ENOMEM, "out of memory");
  free(chosen);
  if (status) {
    hk_recording_destroy(r);
    return status;
  }
  *out = r;
  return HK_OK;
}

void hk_recording_destroy(hk_recording *r) {
  if (!r) return;
  hk_arena_free(&r->arena);
  free(r->value);
  free(r);
}

const int *hk_recording_channels(const hk_recording *r) { return r->channel; }

bool hk_recording_reserve(hk_recording *r, int64_t rows) {
  if (rows <= r->capacity) return true;
  if ((uint64_t)rows > PTRDIFF_MAX / sizeof *r->value / (uint64_t)r->n) return false;
  double *grown = malloc((size_t)rows * (size_t)r->n * sizeof *grown);
  if (!grown) return false;
  for (int k = 0; k < r->n && r->rows; k++)
    memcpy(grown + k * rows, r->value + k * r->capacity, (size_t)r->rows * sizeof *grown);
  free(r->value);
  r->value = grown;
  r->capacity = rows;
  return true;
}

bool hk_recording_put(hk_recording *r, const double *row) {
  if (r->rows == r->capacity &&
      !hk_recording_reserve(r, r->capacity ? 2 * r->capacity : FIRST_ROWS))
    return false;
  for (int k = 0; k < r->n; k++) r->value[k * r->capacity + r->rows] = row[k];
  r->rows++;
  return true;
}

hk_status hk_recording_append(hk_recording *r, hk_sim *sim, hk_error *err) {
  if (!r) return hk_fail(err, HK_EINPUT, "the recording is NULL");
  hk_status status = hk_sim_values(sim, r->channel, r->n, r->row, err);
  if (status) return status;
  return hk_recording_put(r, r->row) ? HK_OK : hk_fail(err, HK_ENOMEM, "out of memory");
}

static bool is_column(const hk_recording *r, int i) { return r && i >= 0 && i < r->n; }

int hk_recording_channel_count(const hk_recording *r) { return r ? r->n : 0; }
int64_t hk_recording_row_count(const hk_recording *r) { return r ? r->rows : 0; }
const char *hk_recording_name(const hk_recording *r, int i) {
  return is_column(r, i) ? r->name[i] : "";
}
const char *hk_recording_unit(const hk_recording *r, int i) {
  return is_column(r, i) ? r->unit[i] : "";
}
const char *hk_recording_doc(const hk_recording *r, int i) {
  return is_column(r, i) ? r->doc[i] : "";
}

int hk_recording_find(const hk_recording *r, const char *name) {
  for (int k = 0; r && name && k < r->n; k++)
    if (strcmp(r->name[k], name) == 0) return k;
  return -1;
}

const double *hk_recording_column(const hk_recording *r, int i) {
  return is_column(r, i) ? r->value + i * r->capacity : NULL;
}
