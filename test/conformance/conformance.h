/* Runs one check of src/conform on every registered type of the library and on the example types of test/toy. */
#ifndef CONFORMANCE_H
#define CONFORMANCE_H
#include "support/check.h"
#include "base/sanitizer.h"
#include "conform/subject.h"
#include "registry/builtin.h"
#include "toy/toys.h"
#include <hooke/conform.h>

/* The sanitizer build takes four times as long.  Unless HOOKE_ALL is set (script/verify), each check tests one
 * half of the types in that build, and the next check the other half.  The build without sanitizers tests all
 * types. */
static inline bool left_out(const char *check, int i) {
  return HK_ADDRESS_SANITIZER && !getenv("HOOKE_ALL") && ((size_t)i + strlen(check)) % 2;
}

static inline void every(hk_category category, const char *check) {
  /* The internal variables of the example types are integrated by Euler's rule: the error of their energy balance
   * is of first order in the step. */
  bool ledger = strcmp(check, "energy") == 0;
  const hk_registry *types = ledger ? hk_registry_builtin() : subjects();
  int judged = 0;
  for (int i = 0; i < hk_registry_count(types, category); i++) {
    const hk_type *type = hk_registry_at(types, category, i);
    if (type->in_programs_only && !type->sample) continue; /* unit/test_extend.c */
    if (left_out(check, i)) continue;
    hk_conform_report report;
    hk_error err = {0};
    hk_status status = hk_conform(types, category, type->name, &(hk_conform_options){.only = check},
                                  &report, &err);
    if (status && report.n == 0) fail_msg("%s", err.text);
    assert_int_equal(report.n, 1);
    if (status) fail_msg("%s: %s: %s", err.text, check, report.check[0].text);
    /* Types with a prescribed placement (hk_type.stage) are tested like all others, and the load path of every type. */
    const bool due = strcmp(check, "load path") == 0 ||
                     (hk_subject_is_staged(type) && !hk_subject_needs_ground(type));
    if (due && !(report.check[0].verdict == HK_PASSED && report.check[0].cases > 0))
      fail_msg("%s: '%s' was not judged: %s", type->name, check, report.check[0].text);
    judged += report.check[0].verdict == HK_PASSED && report.check[0].cases > 0;
  }
  assert_true(judged > 0);
}
#endif
