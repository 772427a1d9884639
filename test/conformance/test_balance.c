/* Action equals reaction; power is supplied power minus losses and stored energy; results do not depend on the
 * position of the mechanism. */
#include "conformance/conformance.h"

static void balance_of_force(void **state) {
  (void)state;
  every(HK_FORCE, "balance");
}
static void balance_of_joint(void **state) {
  (void)state;
  every(HK_JOINT, "balance");
}
static void balance_of_motion(void **state) {
  (void)state;
  every(HK_MOTION, "balance");
}
static void power_of_force(void **state) {
  (void)state;
  every(HK_FORCE, "power");
}
static void power_of_joint(void **state) {
  (void)state;
  for (int i = 0; i < hk_registry_count(subjects(), HK_JOINT); i++) { /* channels of composite joints */
    const hk_type *type = hk_registry_at(subjects(), HK_JOINT, i);
    hk_conform_report report;
    hk_error err = {0};
    if (!((const hk_joint_ops *)type->ops)->expand) continue;
    if (hk_conform(subjects(), HK_JOINT, type->name, &(hk_conform_options){.only = "power"},
                   &report, &err))
      fail_msg("%s: %s", err.text, report.check[0].text);
    assert_int_equal(report.judged, 1);
  }
}
static void invariance_of_joint(void **state) {
  (void)state;
  every(HK_JOINT, "invariance");
}
static void invariance_of_motion(void **state) {
  (void)state;
  every(HK_MOTION, "invariance");
}
static void invariance_of_force(void **state) {
  (void)state;
  every(HK_FORCE, "invariance");
}

static void balance_of_contact(void **state) {
  (void)state;
  every(HK_CONTACT, "balance");
}

static void power_of_contact(void **state) {
  (void)state;
  every(HK_CONTACT, "power");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(balance_of_force),
      cmocka_unit_test(balance_of_joint),
      cmocka_unit_test(balance_of_motion),
      cmocka_unit_test(power_of_force),
      cmocka_unit_test(power_of_joint),
      cmocka_unit_test(invariance_of_joint),
      cmocka_unit_test(invariance_of_motion),
      cmocka_unit_test(invariance_of_force),
      cmocka_unit_test(balance_of_contact),
      cmocka_unit_test(power_of_contact),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
