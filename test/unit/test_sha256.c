/* SHA-256: the examples of FIPS 180-4. */
#include "base/sha256.h"
#include "support/check.h"

static void is(const char *text, int times, const char *wanted) {
  hk_sha256 s;
  unsigned char out[32];
  char hex[65];
  hk_sha256_begin(&s);
  for (int i = 0; i < times; i++) hk_sha256_add(&s, text, strlen(text));
  hk_sha256_end(&s, out);
  for (int i = 0; i < 32; i++) snprintf(hex + 2 * i, 3, "%02x", out[i]);
  assert_string_equal(hex, wanted);
}

static void known(void **state) {
  (void)state;
  is("", 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  is("abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  is("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
     "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  is("aaaaaaaaaa", 100000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(known)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
