/* Points of action of every body, motion, joint, force and contact: see src/conform/check_load_path.c. */
#include "conformance/conformance.h"

static void path_of_body(void **state) {
  (void)state;
  every(HK_BODY, "load path");
}
static void path_of_motion(void **state) {
  (void)state;
  every(HK_MOTION, "load path");
}
static void path_of_joint(void **state) {
  (void)state;
  every(HK_JOINT, "load path");
}
static void path_of_force(void **state) {
  (void)state;
  every(HK_FORCE, "load path");
}
static void path_of_contact(void **state) {
  (void)state;
  every(HK_CONTACT, "load path");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(path_of_body),    cmocka_unit_test(path_of_motion),
      cmocka_unit_test(path_of_joint),   cmocka_unit_test(path_of_force),
      cmocka_unit_test(path_of_contact),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
