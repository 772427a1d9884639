/* Runs of whole models with default settings, whose measures have known values: for the tests of what happens within
 * steps. */
#ifndef VERIFY_ALONG_STEPS_H
#define VERIFY_ALONG_STEPS_H
#include "verify/verify.h"
#include <hooke/run.h>
#include <stdlib.h>
#include <string.h>

typedef struct expected {
  const char *measure;
  double value, limit;
} expected;

/* A whole run with the settings of the model. */
static inline void run_model(const char *name, const char *text, const char *source,
                             const expected *want, int n) {
  vf_case c;
  hk_run_report report;
  vf_text(&c, "%s", text);
  hk_status status = hk_run(c.model, &(hk_run_options){0}, &report, &c.diag);
  if (status) fail_msg("%s: %s", name, report.error.text);
  for (int i = 0; i < n; i++) {
    double value = NAN;
    for (int k = 0; k < report.n_measures; k++)
      if (strcmp(report.measure[k].name, want[i].measure) == 0) value = report.measure[k].value;
    vf_check("along_steps", name, want[i].measure, value, want[i].value, want[i].limit, source);
  }
  hk_run_report_free(&report);
  vf_close(&c);
}
#define RUN(name, source, text, ...)                                        \
  do {                                                                      \
    const expected want[] = {__VA_ARGS__};                                  \
    run_model(name, text, source, want, (int)(sizeof want / sizeof *want)); \
  } while (0)
#endif
