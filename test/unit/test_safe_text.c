/* Control characters in messages become escape sequences. */
#include "support/check.h"
#include "base/safe_text.h"
#include <hooke/base.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void is(const char *text, const char *wanted) {
  char buf[200];
  assert_int_equal(hk_safe_text(text, buf, sizeof buf), strlen(wanted));
  assert_string_equal(buf, wanted);
  assert_true(hk_text_is_safe(text) == (strcmp(text, wanted) == 0));
}

static void test_characters(void **state) {
  (void)state;
  is("", "");
  is("plain text, \xC3\xA9\xC2\xA0\xE2\x82\xAC \xF0\x9F\x98\x80 and 'quotes' \\",
     "plain text, \xC3\xA9\xC2\xA0\xE2\x82\xAC \xF0\x9F\x98\x80 and 'quotes' \\");
  is("a\nb\tc\rd", "a\\nb\\tc\\rd");
  is("\033]0;x\007", "\\x1b]0;x\\x07");
  is("\177", "\\x7f");
  is("\xC2\x9B"
     "31m",
     "\\xc2\\x9b31m");
  is("\xE2\x80\xAE"
     "a\xE2\x80\xA8\xE2\x81\xA7",
     "\\xe2\\x80\\xaea\\xe2\\x80\\xa8\\xe2\\x81\\xa7");
  is("\xE2", "\xE2"); /* an incomplete character at the end: nothing beyond is read */
  is("\xC2", "\xC2");
  is("\xE2\x80", "\xE2\x80");
}

static void test_yaml(void **state) {
  (void)state;
  static const char *const pair[][2] = {
      {"", "\"\""},
      {"a \"b\" \\ \xC3\xA9", "\"a \\\"b\\\" \\\\ \xC3\xA9\""},
      {"a\ninclude: b", "\"a\\x0ainclude: b\""},
      {"\xC2\x85 \xE2\x80\xA8 \xE2\x80\xAE \177", "\"\\x85 \\u2028 \\u202e \\x7f\""}};
  for (size_t i = 0; i < sizeof pair / sizeof *pair; i++) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    hk_put_yaml_text(out, pair[i][0]);
    fclose(out);
    assert_string_equal(text, pair[i][1]);
    free(text);
  }
}

static void test_room(void **state) {
  (void)state;
  char buf[4] = "???";
  assert_int_equal(hk_safe_text("\n\n\n", buf, sizeof buf), 6);
  assert_string_equal(buf, "\\n\\");
  assert_int_equal(hk_safe_text("abc", NULL, 0), 3);
}

static void test_messages(void **state) {
  (void)state;
  hk_error err;
  hk_fail(&err, HK_EINPUT, "no '%s'", "a\nhooke: error: b\033[2J");
  assert_string_equal(err.text, "no 'a\\nhooke: error: b\\x1b[2J'");
  char longest[3000];
  memset(longest, '\n', sizeof longest - 1);
  longest[sizeof longest - 1] = 0;
  hk_fail(&err, HK_EINPUT, "%s", longest);
  assert_int_equal(strlen(err.text), sizeof err.text - 1);
  hk_diag d;
  char line[200];
  hk_diag_init(&d);
  hk_diag_add(&d, HK_ERROR, &(hk_location){"x\n\033.yaml", 3, 4}, "no '%s'", "a\nb");
  hk_diag_format(&d.message[0], line, sizeof line);
  assert_string_equal(line, "x\\n\\x1b.yaml:3:4: error: no 'a\\nb'");
  hk_diag_free(&d);
}

/* A message that quotes a long text is cut between two characters. */
static void test_long_messages(void **state) {
  (void)state;
  hk_diag d;
  hk_diag_init(&d);
  for (int length = 3990; length < 4020; length++) {
    char text[5000];
    for (int i = 0; i < length; i++) text[i] = i % 2 ? '\xA9' : '\xC3';
    text[length] = 0;
    hk_diag_add(&d, HK_ERROR, NULL, "%s", text);
    const char *said = d.message[d.n - 1].text;
    if (length <= 4000)
      assert_string_equal(said, text);
    else
      assert_string_equal(said + 3996, "...");
    if (d.n == 5) {
      hk_diag_free(&d);
      hk_diag_init(&d);
    }
  }
  hk_diag_free(&d);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_characters), cmocka_unit_test(test_room),
                                     cmocka_unit_test(test_yaml), cmocka_unit_test(test_messages),
                                     cmocka_unit_test(test_long_messages)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
