/* Every joint and motion on every kind of node: values, Jacobian and bias belong together. */
#include "conformance/conformance.h"

static void jacobian_of_joint(void **state) {
  (void)state;
  every(HK_JOINT, "jacobian");
}
static void jacobian_of_motion(void **state) {
  (void)state;
  every(HK_MOTION, "jacobian");
}
static void bias_of_joint(void **state) {
  (void)state;
  every(HK_JOINT, "bias");
}
static void bias_of_motion(void **state) {
  (void)state;
  every(HK_MOTION, "bias");
}
static void bias_of_force(void **state) {
  (void)state;
  every(HK_FORCE, "bias");
}
static void bias_of_sensor(void **state) {
  (void)state;
  every(HK_SENSOR, "bias");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(jacobian_of_joint),
      cmocka_unit_test(jacobian_of_motion),
      cmocka_unit_test(bias_of_joint),
      cmocka_unit_test(bias_of_motion),
      cmocka_unit_test(bias_of_force),
      cmocka_unit_test(bias_of_sensor),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
