/* Every type in motion: ideal joints do no work, and the energy ledger closes with the square of the step. */
#include "conformance/conformance.h"

static void work_of_joint(void **state) {
  (void)state;
  every(HK_JOINT, "work");
}
static void energy_of_joint(void **state) {
  (void)state;
  every(HK_JOINT, "energy");
}
static void energy_of_force(void **state) {
  (void)state;
  every(HK_FORCE, "energy");
}
static void energy_of_motion(void **state) {
  (void)state;
  every(HK_MOTION, "energy");
}
static void energy_of_body(void **state) {
  (void)state;
  every(HK_BODY, "energy");
}

static void energy_of_contact(void **state) {
  (void)state;
  every(HK_CONTACT, "energy");
}

static void restart_of_all(void **state) {
  (void)state;
  every(HK_JOINT, "restart");
  every(HK_FORCE, "restart");
  every(HK_MOTION, "restart");
  every(HK_BODY, "restart");
}

static void step_of_all(void **state) {
  (void)state;
  every(HK_JOINT, "step");
  every(HK_FORCE, "step");
  every(HK_MOTION, "step");
  every(HK_BODY, "step");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(work_of_joint),   cmocka_unit_test(energy_of_joint),
      cmocka_unit_test(energy_of_force), cmocka_unit_test(energy_of_motion),
      cmocka_unit_test(energy_of_body),  cmocka_unit_test(energy_of_contact),
      cmocka_unit_test(restart_of_all),  cmocka_unit_test(step_of_all),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
