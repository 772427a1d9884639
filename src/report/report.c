/* Pages of results for programs: see hooke/report.h. */
#include "report/page.h"
#include <hooke/report.h>

static hk_status make_runs(hk_results *const *run, int n, const char *full, hk_page_run *out,
                           hk_error *err) {
  if (!run) return hk_fail(err, HK_EINPUT, "there are no results");
  if (n < 1 || n > HK_REPORT_MAX_RUNS)
    return hk_fail(err, HK_EINPUT, "a page shows 1 to %d results, not %d", HK_REPORT_MAX_RUNS, n);
  for (int i = 0; i < n; i++) {
    if (!run[i]) return hk_fail(err, HK_EINPUT, "results %d are NULL", i);
    hk_status status = hk_page_results(run[i], full, &out[i], err);
    if (status) return status;
  }
  return HK_OK;
}

static void free_runs(hk_page_run *run) {
  for (int i = 0; i < HK_REPORT_MAX_RUNS; i++) hk_page_run_free(&run[i]);
}

hk_status hk_report_text(hk_results *const *run, int n, const char *full, char **html,
                         size_t *length, hk_error *err) {
  hk_page_run runs[HK_REPORT_MAX_RUNS] = {{0}};
  if (!html || !length) return hk_fail(err, HK_EINPUT, "the pointer to the page is NULL");
  *html = NULL;
  hk_status status = make_runs(run, n, full, runs, err);
  if (!status) status = hk_page_text(&(hk_page){.run = runs, .n = n}, html, length, err);
  free_runs(runs);
  return status;
}

hk_status hk_report_save(hk_results *const *run, int n, const char *full, const char *path,
                         hk_error *err) {
  hk_page_run runs[HK_REPORT_MAX_RUNS] = {{0}};
  if (!path) return hk_fail(err, HK_EINPUT, "the page needs the name of a file");
  hk_status status = make_runs(run, n, full, runs, err);
  if (!status) status = hk_page_save(path, &(hk_page){.run = runs, .n = n}, err);
  free_runs(runs);
  return status;
}
