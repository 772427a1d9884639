/* Detection of motion between rows: see lack.h.
 *
 * If a channel changes direction twice between two rows, the rows do not show this oscillation; the same holds if the
 * channel exceeds the values of the neighbouring rows by far between two rows. An oscillation with more than 2.5 rows
 * per cycle is not detected in this way: it exceeds the four neighbouring rows by at most a third of its range, and
 * changes direction at most once between two rows. */
#include "lack.h"
#include "command.h"
#include <math.h>
#include <stdlib.h>

static const double far_beyond = 0.4, counts = 0.01;

/* If the missing motion is more than this fraction of the motion, spectral lines are wrong; below it, there are false
 * lines among correct ones. */
static const double too_much = 0.2;

/* Required rows per half cycle. */
static const double per_swing = 2.5;

void tool_lack_free(tool_lack *k) {
  free(k->below);
  *k = (tool_lack){0};
}

static void widen(double y, double *least, double *most) {
  if (y < *least) *least = y;
  if (y > *most) *most = y;
}

/* Amount by which the motion before row i exceeds the range of the four neighbouring rows. */
static double beyond(const tool_lack *k, const double *y, int64_t i, int64_t n) {
  double least = INFINITY, most = -INFINITY;
  for (int64_t j = i - 2; j <= i + 1; j++)
    if (j >= 0 && j < n) widen(y[j], &least, &most);
  return fmax(fmax(y[i], y[i - 1]) + k->above[i] - most,
              least - (fmin(y[i], y[i - 1]) - k->below[i]));
}

static void judge(tool_lack *k, const double *t, const double *y, int64_t n) {
  double least = INFINITY, most = -INFINITY, sum = 0;
  for (int64_t i = 0; i < n; i++) {
    widen(y[i], &least, &most);
    if (i) widen(fmin(y[i], y[i - 1]) - k->below[i], &least, &most);
    if (i) widen(fmax(y[i], y[i - 1]) + k->above[i], &least, &most);
  }
  double range = most - least;
  k->step = INFINITY;
  for (int64_t i = 1; i < n; i++) {
    double width = fabs(y[i] - y[i - 1]) + k->above[i] + k->below[i], time = t[i] - t[i - 1];
    double excess = beyond(k, y, i, n);
    bool folded = k->turns[i] >= 2, spike = excess > far_beyond * range;
    if (!(time > 0) || !(folded || spike)) continue;
    double swing = folded ? width : excess;
    sum += time * swing * swing;
    if (swing <= counts * range) continue;
    k->between = fmax(k->between, time);
    k->step = fmin(k->step, time / (per_swing * fmax(k->turns[i], 4)));
  }
  double all = n > 1 ? t[n - 1] - t[0] : 0;
  k->share = range > 0 && all > 0 ? sqrt(sum / all) / range : 0;
}

hk_status tool_lack_read(hk_results *r, int channel, int64_t first, int64_t count, tool_lack *out,
                         hk_error *err) {
  size_t n = (size_t)hk_results_row_count(r) + 1;
  double *block = calloc(5 * n, sizeof *block);
  if (!block) return hk_fail(err, HK_ENOMEM, "out of memory");
  *out = (tool_lack){.below = block, .above = block + n, .turns = block + 2 * n};
  double *t = block + 3 * n, *y = block + 4 * n;
  hk_status status = hk_results_read_between(r, channel, out->below, out->above, out->turns, err);
  if (!status) status = hk_results_read_column(r, 0, t, err);
  if (!status) status = hk_results_read_column(r, channel, y, err);
  if (status) {
    tool_lack_free(out);
    return status;
  }
  tool_lack part = *out;
  part.below += first, part.above += first, part.turns += first;
  judge(&part, t + first, y + first, count);
  out->share = part.share, out->between = part.between, out->step = part.step;
  return HK_OK;
}

hk_status tool_lack_check(hk_results *r, int channel, int64_t first, int64_t count,
                          const char *what, hk_error *err) {
  tool_lack k;
  hk_status status = tool_lack_read(r, channel, first, count, &k, err);
  if (!status && k.share > counts) {
    hk_fail(err, HK_EINPUT,
            "'%s' oscillates between rows of '%s' that are %.3g s apart (%.2g of its motion): %s "
            "of these rows %s wrong; run it again with `output_step: %.1g s` in its analysis",
            hk_results_name(r, channel), hk_results_path(r), k.between, k.share, what,
            k.share > too_much ? "would be" : "is partly", k.step);
    if (k.share > too_much)
      status = HK_EINPUT;
    else
      tool_warning("%s", err->text), *err = (hk_error){0};
  }
  tool_lack_free(&k);
  return status;
}
