/* Every gap: rate, derivatives, invariance; all values are finite. */
#include "conformance/conformance.h"

static void gap_of_contact(void **state) {
  (void)state;
  every(HK_CONTACT, "gap");
}
static void finite_of_contact(void **state) {
  (void)state;
  every(HK_CONTACT, "finite");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(gap_of_contact),
      cmocka_unit_test(finite_of_contact),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
