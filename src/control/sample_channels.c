/* Channels at many times in one call, and the meaning of the numbers of a state: see hooke/sim.h and state.h. */
#include "model/layout.h"
#include "base/required.h"
#include "sim/sim.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static hk_status check_times(const hk_sim *s, const double *t, int m, hk_error *err) {
  double start = hk_sim_interpolates(s) ? hk_sim_step_start(s) : hk_sim_time(s);
  for (int i = 0; i < m; i++) {
    if (!(t[i] >= start) || !isfinite(t[i]))
      return hk_fail(
          err, HK_EINPUT,
          "t[%d] = %.9g s is before %.9g s, the earliest time that the simulation can interpolate",
          i, t[i], start);
    if (i > 0 && t[i] < t[i - 1])
      return hk_fail(err, HK_EINPUT, "the times must increase: t[%d] = %.9g s follows %.9g s", i,
                     t[i], t[i - 1]);
  }
  return HK_OK;
}

hk_status hk_sim_sample(hk_sim *s, const double *t, int m, const int *channel, int n, double *out,
                        hk_error *err) {
  HK_REQUIRE((t || m <= 0) && (m <= 0 || n <= 0 || (channel && out)), err);
  if (!s) return hk_fail(err, HK_EINPUT, "the simulation is NULL");
  hk_status status = check_times(s, t, m, err);
  bool between = hk_sim_interpolates(s);
  double start = hk_sim_time(s);
  for (int i = 0; i < m && !status; i++) {
    while (hk_sim_time(s) < t[i] && !status) {
      status = hk_sim_step(s, between ? t[m - 1] : t[i], err);
      if (!status && !hk_sim_goes_on(s, start, t[m - 1]))
        status = hk_fail(err, HK_STOPPED, "stopped by the caller");
    }
    if (!status) status = hk_sim_values_at(s, t[i], channel, n, out + (size_t)i * (size_t)n, err);
  }
  return status;
}

hk_status hk_model_channels_find(const hk_model *m, const char *const *name, int n, int *channel,
                                 hk_error *err) {
  if (!m) return hk_fail(err, HK_EINPUT, "the model is NULL");
  for (int k = 0; k < n; k++) {
    channel[k] = hk_model_channel_find(m, name[k]);
    if (channel[k] >= 0) continue;
    const char *best = NULL;
    for (int i = 0; i < m->n_channels; i++) {
      const char *pair[2] = {m->channel[i].name, best};
      const char *near = hk_nearest_name(name[k], pair, best ? 2 : 1);
      if (near) best = near;
    }
    return best ? hk_fail(err, HK_EINPUT, "there is no channel '%s'; did you mean '%s'?", name[k],
                          best)
                : hk_fail(err, HK_EINPUT, "there is no channel '%s' among the model's %d", name[k],
                          m->n_channels);
  }
  return HK_OK;
}

hk_status hk_sim_sample_by_name(hk_sim *s, const double *t, int m, const char *const *name, int n,
                                double *out, hk_error *err) {
  HK_REQUIRE((t || m <= 0) && (n <= 0 || (name && out)), err);
  if (!s) return hk_fail(err, HK_EINPUT, "the simulation is NULL");
  int *channel = malloc(((size_t)n + 1) * sizeof *channel);
  if (!channel) return hk_fail(err, HK_ENOMEM, "out of memory");
  hk_status status = hk_model_channels_find(s->model, name, n, channel, err);
  if (!status) status = hk_sim_sample(s, t, m, channel, n, out, err);
  free(channel);
  return status;
}
