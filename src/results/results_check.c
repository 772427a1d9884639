/* Checks of channels and attributes before a results file is created: see results_check.h. */
#include "results/results_check.h"
#include "base/safe_text.h"
#include <stdlib.h>
#include <string.h>

static int compare_text(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static hk_status check_unique(const char **text, int n, const char *what, hk_error *err) {
  qsort(text, (size_t)n, sizeof *text, compare_text);
  for (int i = 1; i < n; i++)
    if (strcmp(text[i - 1], text[i]) == 0)
      return hk_fail(err, HK_EINPUT, "two %s of the results have the name '%s'", what, text[i]);
  return HK_OK;
}

hk_status hk_results_check_channels(const hk_channel_info *channel, int n, hk_error *err) {
  if (!channel || n < 1 || n > HK_RESULTS_MAX_CHANNELS)
    return hk_fail(err, HK_EINPUT, "results need 1 to %d channels, not %d", HK_RESULTS_MAX_CHANNELS,
                   n);
  const char **name = malloc((size_t)n * sizeof *name);
  if (!name) return hk_fail(err, HK_ENOMEM, "out of memory for %d channels", n);
  hk_status s = HK_OK;
  for (int i = 0; i < n && s == HK_OK; i++) {
    name[i] = channel[i].name;
    if (!name[i] || !name[i][0])
      s = hk_fail(err, HK_EINPUT, "channel %d of the results has no name", i);
    else if (strlen(name[i]) > HK_RESULTS_MAX_NAME)
      s = hk_fail(err, HK_EINPUT, "the channel name '%.40s...' is longer than %d bytes", name[i],
                  HK_RESULTS_MAX_NAME);
    else if (channel[i].unit && strlen(channel[i].unit) > HK_RESULTS_MAX_NAME)
      s = hk_fail(err, HK_EINPUT, "the unit of channel '%.200s' is longer than %d bytes", name[i],
                  HK_RESULTS_MAX_NAME);
    else if (!hk_text_is_safe(name[i]) || (channel[i].unit && !hk_text_is_safe(channel[i].unit)))
      s = hk_fail(err, HK_EINPUT,
                  "the name or the unit of channel '%.200s' contains control characters", name[i]);
  }
  if (s == HK_OK) s = check_unique(name, n, "channels", err);
  free(name);
  return s;
}

hk_status hk_results_check_attributes(const hk_results_meta *meta, hk_error *err) {
  static const char *const own[] = {"hooke_results", "hooke_version", "process",  "title",
                                    "model_file",    "model_path",    "overrides"};
  enum { N_OWN = sizeof own / sizeof *own };
  int n = meta->n_attributes;
  const char **key = malloc(((size_t)n + N_OWN) * sizeof *key);
  if (!key) return hk_fail(err, HK_ENOMEM, "out of memory for %d attributes", n);
  hk_status s = HK_OK;
  for (int i = 0; i < n && s == HK_OK; i++) {
    key[i] = meta->attribute[i].key;
    if (!key[i] || !key[i][0] || !meta->attribute[i].value)
      s = hk_fail(err, HK_EINPUT, "attribute %d of the results has no key or no value", i);
  }
  memcpy(key + n, own, sizeof own);
  if (s == HK_OK) s = check_unique(key, n + N_OWN, "attributes", err);
  free(key);
  return s;
}
