/* Reports: results as one HTML page that needs no network, with the mechanism in motion, plots, measures and warnings.
 *
 *   hk_results_open("out.h5", &r, &err);
 *   hk_report_save((hk_results *[]){r}, 1, NULL, "report.html", &err);
 *
 * Several results are compared on one page.
 */
#ifndef HOOKE_REPORT_H
#define HOOKE_REPORT_H
#include <hooke/results.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { HK_REPORT_MAX_RUNS = 8 };

/* Returns the page as a text, allocated with malloc.  `full`: POSIX extended regular expression of
 * the channels that keep every value; NULL: the channels of the plots. */
HK_API hk_status hk_report_text(hk_results *const *run, int n, const char *full, char **html,
                                size_t *length, hk_error *err);
/* Writes the page into a file.  An existing file is not changed before the page is complete. */
HK_API hk_status hk_report_save(hk_results *const *run, int n, const char *full, const char *path,
                                hk_error *err);

#ifdef __cplusplus
}
#endif
#endif
