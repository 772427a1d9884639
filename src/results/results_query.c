/* Channels, attributes and the scene of a results file: see results_reader.h. */
#include "results/results_reader.h"
#include "base/required.h"
#include "spec/renamed.h"
#include <stdlib.h>
#include <string.h>

static const char *text_at(const hk_results *r, int column, int i) {
  return i < 0 || i >= r->n_channels ? "" : r->text[column] + (size_t)i * r->text_size[column];
}

const char *hk_results_path(const hk_results *r) { return r ? r->path : ""; }
int hk_results_channel_count(const hk_results *r) { return r ? r->n_channels : 0; }
int64_t hk_results_row_count(const hk_results *r) { return r ? r->n_rows : 0; }
int64_t hk_results_lost_count(const hk_results *r) { return r ? r->n_lost : 0; }
const char *hk_results_name(const hk_results *r, int i) { return r ? text_at(r, 0, i) : ""; }
const char *hk_results_unit(const hk_results *r, int i) { return r ? text_at(r, 1, i) : ""; }
const char *hk_results_doc(const hk_results *r, int i) { return r ? text_at(r, 2, i) : ""; }
const char *hk_results_status(const hk_results *r) { return r ? r->status : ""; }
const char *hk_results_model_text(const hk_results *r) { return r ? r->model : ""; }
const char *hk_results_summary(const hk_results *r) {
  return r ? r->summary ? r->summary : "" : "";
}

static hk_status read_scene(const hk_results *r, char **json, void **data, size_t *n,
                            hk_error *err) {
  size_t size;
  hid_t set = hk_hdf5_dataset(r->file, "scene_data"), space = set < 0 ? -1 : H5Dget_space(set);
  hssize_t bytes = space < 0 ? -1 : H5Sget_simple_extent_npoints(space);
  hk_status s = HK_OK;
  if (bytes < 1 || bytes > hk_results_file_size(r))
    s = hk_results_damaged(r, "no usable dataset /scene_data", err);
  else if (!(*data = malloc((size_t)bytes)))
    s = hk_results_no_memory(r, err);
  else if (H5Dread(set, H5T_NATIVE_UCHAR, H5S_ALL, H5S_ALL, H5P_DEFAULT, *data) < 0)
    s = hk_results_damaged(r, "/scene_data cannot be read", err);
  if (space >= 0) H5Sclose(space);
  if (set >= 0) H5Dclose(set);
  if (s == HK_OK) s = hk_results_read_strings(r, "scene", 1, json, &size, err);
  *n = (size_t)bytes;
  return s;
}

hk_status hk_results_scene(const hk_results *r, char **json, void **data, size_t *size,
                           hk_error *err) {
  HK_REQUIRE(json && data && size, err);
  hk_hdf5_guard guard;
  hk_status s = HK_OK;
  *json = NULL, *data = NULL, *size = 0;
  if (!r) return hk_fail(err, HK_EINPUT, "the results object is NULL");
  hk_hdf5_enter(&guard, r->path);
  if (hk_hdf5_has(r->file, "scene")) s = read_scene(r, json, data, size, err);
  hk_hdf5_leave(&guard);
  if (s == HK_OK) return s;
  free(*json), free(*data);
  *json = NULL, *data = NULL;
  return s;
}

int hk_results_attribute_count(const hk_results *r) { return r ? r->n_attributes : 0; }

hk_results_attribute hk_results_attribute_at(const hk_results *r, int i) {
  if (!r) return (hk_results_attribute){NULL, NULL};
  hk_results_attribute none = {NULL, NULL};
  return i < 0 || i >= r->n_attributes ? none : r->attribute[i];
}

const char *hk_results_attribute_value(const hk_results *r, const char *key) {
  if (!r) return NULL;
  for (int i = 0; i < r->n_attributes; i++)
    if (strcmp(r->attribute[i].key, key) == 0) return r->attribute[i].value;
  return NULL;
}

static int find_exactly(const hk_results *r, const char *name) {
  hk_named_channel key = {name, 0};
  const hk_named_channel *c =
      bsearch(&key, r->by_name, (size_t)r->n_channels, sizeof key, hk_results_compare_name);
  return c ? c->index : -1;
}

static bool has_channel(const void *results, const char *name) {
  return find_exactly(results, name) >= 0;
}

/* Finds the index of a channel by its present or former name, because the file may have been written before or after
 * the channel was renamed. */
int hk_results_find(const hk_results *r, const char *name) {
  if (!r) return -1;
  char other[512];
  int i = find_exactly(r, name);
  if (i < 0 && hk_renamed_channel(name, HK_TO_CURRENT | HK_TO_FORMER, has_channel, r, other,
                                  sizeof other, NULL))
    i = find_exactly(r, other);
  return i;
}
