/* The list of files read, and output files that are replaced only when they are complete. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include "base/file.h"
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/hooke-test-file-XXXXXX";

static int enter(void **state) {
  (void)state;
  return !mkdtemp(folder) || chdir(folder);
}

static int leave(void **state) {
  (void)state;
  return chdir("/") || system("rm -rf /tmp/hooke-test-file-*") != 0;
}

static void put(const char *path, const char *text) {
  FILE *f = fopen(path, "w");
  assert_non_null(f);
  fputs(text, f);
  fclose(f);
}

static void holds(const char *path, const char *text) {
  char read[100] = "";
  FILE *f = fopen(path, "r");
  assert_non_null(f);
  (void)!fread(read, 1, sizeof read - 1, f);
  fclose(f);
  assert_string_equal(read, text);
}

static hk_status write_text(const char *path, const char *text, hk_status status, hk_error *err) {
  hk_new_file out;
  hk_status opened = hk_new_file_open(&out, path, err);
  if (opened) return opened;
  fputs(text, out.file);
  return hk_new_file_close(&out, status, err);
}

static void test_whole_or_nothing(void **state) {
  (void)state;
  hk_error err = {0};
  put("old", "before");
  chmod("old", 0640);
  assert_int_equal(write_text("old", "after", HK_EFAIL, &err), HK_EFAIL);
  holds("old", "before");
  assert_int_equal(write_text("old", "after", HK_OK, &err), HK_OK);
  holds("old", "after");
  struct stat s;
  assert_int_equal(stat("old", &s), 0);
  assert_int_equal(s.st_mode & 0777, 0640);
  /* A link stays a link, and its target is written. */
  assert_int_equal(symlink("old", "link"), 0);
  assert_int_equal(write_text("link", "by link", HK_OK, &err), HK_OK);
  holds("old", "by link");
  assert_int_equal(lstat("link", &s), 0);
  assert_true(S_ISLNK(s.st_mode));
  assert_int_equal(symlink("circle", "circle"), 0);
  assert_int_equal(write_text("circle", "x", HK_OK, &err), HK_EIO);
  assert_int_equal(write_text(".", "x", HK_OK, &err), HK_EIO);
  assert_int_equal(write_text("no/such/folder", "x", HK_OK, &err), HK_EIO);
  assert_int_equal(write_text("/dev/full", "x", HK_OK, &err), HK_EIO);
  assert_non_null(strstr(err.text, "No space left"));
  assert_int_equal(system("test -z \"$(ls -a | grep draft)\""), 0);
}

static void test_inputs_are_refused(void **state) {
  (void)state;
  hk_error err = {0};
  put("in", "input");
  put("other", "input");
  assert_int_equal(symlink("in", "in-link"), 0);
  assert_int_equal(link("in", "in-name"), 0);
  FILE *f = hk_file_open("in");
  fclose(f);
  assert_int_equal(write_text("other", "no record yet", HK_OK, &err), HK_OK);

  hk_files_record();
  f = hk_file_open("in");
  fclose(f);
  static const char *const names[] = {"in", "./in", "in-link", "in-name"};
  for (int i = 0; i < 4; i++) {
    assert_int_equal(write_text(names[i], "x", HK_OK, &err), HK_EINPUT);
    assert_non_null(strstr(err.text, "would overwrite 'in', which is an input file"));
    holds("in", "input");
  }
  hk_file_note("other");
  assert_int_equal(write_text("other", "x", HK_OK, &err), HK_EINPUT);
  /* Used again as an output: the first one would be lost. */
  assert_int_equal(write_text("new", "first", HK_OK, &err), HK_OK);
  assert_int_equal(write_text("new", "second", HK_OK, &err), HK_EINPUT);
  assert_non_null(strstr(err.text, "which is another output"));
  holds("new", "first");
  /* A deleted file no longer reserves its inode. */
  unlink("other");
  assert_int_equal(write_text("other", "again", HK_OK, &err), HK_OK);
  hk_files_forget();
  assert_int_equal(write_text("in", "forgotten", HK_OK, &err), HK_OK);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_whole_or_nothing),
                                     cmocka_unit_test(test_inputs_are_refused)};
  return cmocka_run_group_tests(tests, enter, leave);
}
