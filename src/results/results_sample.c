/* Several channels of a results file at once: whole columns, and values at given times. */
#include "base/required.h"
#include <hooke/results.h>
#include <math.h>
#include <stdlib.h>

/* Finds the indices of the channels; the caller frees the array.  NULL on failure. */
static int *find_all(const hk_results *r, const char *const *name, int n, hk_status *status,
                     hk_error *err) {
  int *channel = malloc(((size_t)n + 1) * sizeof *channel);
  *status = channel ? HK_OK : hk_fail(err, HK_ENOMEM, "out of memory");
  for (int k = 0; k < n && !*status; k++)
    *status = hk_results_channel(r, name[k], &channel[k], err);
  if (!*status) return channel;
  free(channel);
  return NULL;
}

hk_status hk_results_read(hk_results *r, const char *const *name, int n, double *out,
                          hk_error *err) {
  HK_REQUIRE(n <= 0 || (name && out), err);
  if (!r) return hk_fail(err, HK_EINPUT, "the results object is NULL");
  hk_status status;
  int *channel = find_all(r, name, n, &status, err);
  for (int k = 0; k < n && !status; k++)
    status = hk_results_read_column(r, channel[k],
                                    out + (size_t)k * (size_t)hk_results_row_count(r), err);
  free(channel);
  return status;
}

/* Returns the last row at or before t. */
static int64_t row_before(const double *time, int64_t rows, double t) {
  int64_t low = 0, high = rows;
  while (high - low > 1) {
    int64_t middle = low + (high - low) / 2;
    if (time[middle] <= t)
      low = middle;
    else
      high = middle;
  }
  return low;
}

static double between(const double *time, const double *value, int64_t rows, double t) {
  int64_t i = row_before(time, rows, t);
  if (i + 1 >= rows || time[i] == t) return value[i];
  double share = (t - time[i]) / (time[i + 1] - time[i]);
  return value[i] + share * (value[i + 1] - value[i]);
}

hk_status hk_results_sample(hk_results *r, const double *t, int m, const char *const *name, int n,
                            double *out, hk_error *err) {
  HK_REQUIRE(n <= 0 || m <= 0 || (t && name && out), err);
  if (!r) return hk_fail(err, HK_EINPUT, "the results object is NULL");
  int64_t rows = hk_results_row_count(r);
  if (rows == 0) return hk_fail(err, HK_EINPUT, "'%s' has no rows", hk_results_path(r));
  hk_status status;
  int *channel = find_all(r, name, n, &status, err);
  double *time = malloc((size_t)rows * sizeof *time), *value = malloc((size_t)rows * sizeof *value);
  if (!status && !(time && value)) status = hk_fail(err, HK_ENOMEM, "out of memory");
  if (!status) status = hk_results_read_column(r, 0, time, err);
  for (int i = 0; i < m && !status; i++)
    if (!(t[i] >= time[0] && t[i] <= time[rows - 1]))
      status = hk_fail(err, HK_EINPUT, "t = %.9g s lies outside of '%s', %.9g to %.9g s", t[i],
                       hk_results_path(r), time[0], time[rows - 1]);
  for (int k = 0; k < n && !status; k++) {
    status = hk_results_read_column(r, channel[k], value, err);
    for (int i = 0; i < m && !status; i++)
      out[(size_t)i * (size_t)n + (size_t)k] = between(time, value, rows, t[i]);
  }
  free(time);
  free(value);
  free(channel);
  return status;
}
