/* Files outside of a model's folder, and messages about them. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include "base/outside.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/hooke-test-outside-XXXXXX";

static void touch(const char *path) {
  FILE *f = fopen(path, "w");
  assert_non_null(f);
  fclose(f);
}

static int enter(void **state) {
  (void)state;
  if (!mkdtemp(folder) || chdir(folder) || mkdir("model", 0700)) return 1;
  touch("model/m.yaml");
  touch("model/part.yaml");
  touch("secret.yaml");
  return symlink("../secret.yaml", "model/link.yaml");
}

static int leave(void **state) {
  (void)state;
  return chdir("/") || system("rm -rf /tmp/hooke-test-outside-*") != 0;
}

static bool inside(const char *path) {
  char of_model[PATH_MAX];
  assert_true(hk_outside_folder("model/m.yaml", of_model));
  return hk_outside_is_inside(of_model, path, path);
}

static void which_files(void **state) {
  (void)state;
  assert_true(inside("model/part.yaml"));
  assert_true(inside("model/not_there.yaml"));
  assert_false(inside("secret.yaml"));
  assert_false(inside("model/../secret.yaml"));
  assert_false(inside("model/link.yaml"));
  assert_false(inside("model/nowhere/../../x"));
  assert_true(inside("model_of_no_folder/x"));
}

/* Checks a message after hk_outside_hush, which replaces texts quoted from files outside the folder
 * by dots. */
static void assert_said(const char *file, const char *text, const char *want) {
  hk_diag diag;
  hk_diag_init(&diag);
  hk_diag_add(&diag, HK_ERROR, &(hk_location){"secret.yaml", 1, 2}, "'older'");
  hk_diag_add(&diag, HK_ERROR, &(hk_location){file, 3, 4}, "%s", text);
  hk_outside_hush(&diag, 1, "model/m.yaml");
  assert_string_equal(diag.message[0].text, "'older'");
  assert_string_equal(diag.message[1].text, want);
  assert_string_equal(diag.message[1].place.file, file);
  assert_int_equal(diag.message[1].place.line, 3);
  hk_diag_free(&diag);
}

static void messages(void **state) {
  (void)state;
  assert_said("secret.yaml", "unknown key 'password'", "unknown key '...'");
  assert_said("model/link.yaml", "key 'password'; did you mean 'x' or 'y'?", "key '...'?");
  assert_said("secret.yaml", "key 'it's password 'x', which", "key '...', which");
  assert_said("secret.yaml", "key 'x' and no more", "key '.' and no more");
  assert_said("secret.yaml", "no quotes", "no quotes");
  assert_said("secret.yaml", "one quote' only", "one quote' only");
  assert_said("model/part.yaml", "unknown key 'mas'", "unknown key 'mas'");
  assert_said("model/m.yaml", "unknown key 'mas'", "unknown key 'mas'");
  assert_said("--set a=../b", "unknown key 'mas'", "unknown key 'mas'");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(which_files), cmocka_unit_test(messages)};
  return cmocka_run_group_tests(tests, enter, leave);
}
