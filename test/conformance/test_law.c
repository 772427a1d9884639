/* Every law: derivatives, potential, dissipative friction. */
#include "conformance/conformance.h"

static void law_of_law(void **state) {
  (void)state;
  every(HK_LAW, "law");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(law_of_law),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
