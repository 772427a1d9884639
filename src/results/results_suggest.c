/* Finds channels by name, with a suggestion for unknown names. */
#include "results/results.h"
#include "base/required.h"
#include <ctype.h>
#include <string.h>

enum { MAX_WORD = 128 }; /* longer names are compared by their first bytes */

static int fold(char c) { return tolower((unsigned char)c); }

/* Number of edits (insert, delete, replace, swap of neighbours) between two names, ignoring case; counting stops at
 * `limit`. */
static int edit_distance(const char *a, const char *b, int limit) {
  int n = (int)strnlen(a, MAX_WORD), m = (int)strnlen(b, MAX_WORD);
  int row[3][MAX_WORD + 1], *before = row[0], *last = row[1], *now = row[2];
  if (n - m >= limit || m - n >= limit) return limit;
  for (int j = 0; j <= m; j++) last[j] = j;
  for (int i = 1; i <= n; i++) {
    int best = now[0] = i;
    for (int j = 1; j <= m; j++) {
      int d = last[j - 1] + (fold(a[i - 1]) != fold(b[j - 1]));
      if (last[j] + 1 < d) d = last[j] + 1;
      if (now[j - 1] + 1 < d) d = now[j - 1] + 1;
      if (i > 1 && j > 1 && fold(a[i - 1]) == fold(b[j - 2]) && fold(a[i - 2]) == fold(b[j - 1]) &&
          before[j - 2] + 1 < d)
        d = before[j - 2] + 1;
      now[j] = d;
      if (d < best) best = d;
    }
    if (best >= limit) return limit;
    int *spare = before;
    before = last, last = now, now = spare;
  }
  return last[m] < limit ? last[m] : limit;
}

hk_status hk_results_channel(const hk_results *r, const char *name, int *index, hk_error *err) {
  HK_REQUIRE(name && index, err);
  if (!r) return hk_fail(err, HK_EINPUT, "the results object is NULL");
  *index = hk_results_find(r, name);
  if (*index >= 0) return HK_OK;
  int nearest = -1, limit = (int)strnlen(name, MAX_WORD) / 3 + 2;
  for (int i = 0; i < hk_results_channel_count(r); i++) {
    int d = edit_distance(name, hk_results_name(r, i), limit);
    if (d < limit) nearest = i, limit = d;
  }
  if (nearest >= 0)
    return hk_fail(err, HK_EINPUT, "'%s' has no channel '%s'; did you mean '%s'?",
                   hk_results_path(r), name, hk_results_name(r, nearest));
  return hk_fail(err, HK_EINPUT, "'%s' has no channel '%s' (it has %d channels)",
                 hk_results_path(r), name, hk_results_channel_count(r));
}
