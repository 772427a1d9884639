/* Compliance tables on disk: found again, recomputed if damaged or written by another version, computed once by two processes. */
#include "support/check.h"
#include "support/gear_case.h"
#include "base/sha256.h"
#include "fe/cache.h"
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static char folder[64];

static hk_fe_gear small_gear(void) {
  hk_fe_gear g = rig_gear(false);
  g.density = (hk_fe_density){.across = 2, .up = 2, .land = 1, .rim = 1, .along = 2, .growth = 2};
  return g;
}

static double seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Sum of the table, used as a checksum. */
static double mark(const hk_fe_gear *g, const char *where, hk_fe_report *report) {
  hk_arena arena;
  hk_gear_compliance c = {0};
  double sum = 0;
  hk_arena_init(&arena);
  MUST(hk_fe_gear_cached(g, where, &arena, NULL, &c, report, err));
  for (size_t i = 0; i < hk_gear_compliance_size(c.stations, c.slices, c.reach); i++) sum += c.c[i];
  hk_arena_free(&arena);
  return sum;
}

/* The only file in the folder with a name without an extension. */
static void cached_file(char *path, size_t size, int *count) {
  DIR *d = opendir(folder);
  *count = 0;
  for (struct dirent *e; d && (e = readdir(d));)
    if (e->d_name[0] != '.') ++*count, snprintf(path, size, "%s/%s", folder, e->d_name);
  closedir(d);
}

static void once(void **state) {
  (void)state;
  hk_fe_gear g = small_gear();
  hk_fe_report report;
  char path[400];
  int files;
  double first = mark(&g, folder, &report);
  assert_false(report.from_cache);
  assert_string_equal(report.warning, "");
  double begin = seconds(), again = mark(&g, folder, &report), took = seconds() - begin;
  assert_true(report.from_cache && again == first);
  print_message("from the cache in %.2f ms\n", 1e3 * took);
  cached_file(path, sizeof path, &files);
  assert_int_equal(files, 1); /* no lock, no temporary file */
  g.body.bore_radius = 21e-3;
  assert_true(mark(&g, folder, &report) < first && !report.from_cache);
}

static void damaged(void **state) {
  (void)state;
  hk_fe_gear g = small_gear();
  hk_fe_report report;
  char path[400];
  int files;
  double first = mark(&g, folder, &report);
  cached_file(path, sizeof path, &files);
  for (int how = 0; how < 3; how++) {
    struct stat st;
    assert_int_equal(stat(path, &st), 0);
    int fd = open(path, O_RDWR);
    unsigned char byte;
    if (how == 0) assert_int_equal(ftruncate(fd, st.st_size / 2), 0);
    if (how == 1) assert_int_equal(ftruncate(fd, 0), 0);
    if (how == 2) { /* one bit in the middle */
      assert_int_equal(pread(fd, &byte, 1, st.st_size / 2), 1);
      byte ^= 4;
      assert_int_equal(pwrite(fd, &byte, 1, st.st_size / 2), 1);
    }
    close(fd);
    assert_true(mark(&g, folder, &report) == first && !report.from_cache);
    assert_true(mark(&g, folder, &report) == first && report.from_cache);
  }
}

/* Changes n bytes of a stored table, which then ends with the hash of its numbers again. */
static void rewrite(const char *path, size_t at, const void *bytes, size_t n) {
  static unsigned char file[1 << 20];
  FILE *f = fopen(path, "r+b");
  const size_t size = fread(file, 1, sizeof file, f), body = size - 32;
  assert_true(size < sizeof file && at + n <= body);
  memcpy(file + at, bytes, n);
  hk_sha256 s;
  hk_sha256_begin(&s);
  hk_sha256_add(&s, file, body);
  hk_sha256_end(&s, file + body);
  rewind(f);
  assert_int_equal(fwrite(file, 1, size, f), size);
  fclose(f);
}

/* Whole tables that must not be used: one of an earlier version of the finite elements, and one whose first load does
 * negative work. */
static void not_to_be_used(void **state) {
  (void)state;
  static const char earlier[32] = "hooke gear compliance 2";
  enum { HEAD = 32 + 32 + 4 * 4 };
  hk_fe_gear g = small_gear();
  const size_t n = (size_t)(g.stations * g.slices);
  const double negative = -1e-9;
  hk_fe_report report;
  char path[400];
  int files;
  const double first = mark(&g, folder, &report);
  cached_file(path, sizeof path, &files);
  rewrite(path, HEAD, &(double){g.roll_first}, sizeof(double)); /* the same number: still used */
  assert_true(mark(&g, folder, &report) == first && report.from_cache);
  rewrite(path, 0, earlier, sizeof earlier);
  assert_true(mark(&g, folder, &report) == first && !report.from_cache);
  assert_true(mark(&g, folder, &report) == first && report.from_cache);
  rewrite(path, HEAD + sizeof(double) * ((size_t)g.stations + (size_t)g.reach * n * n), &negative,
          sizeof negative);
  assert_true(mark(&g, folder, &report) == first && !report.from_cache);
  assert_true(mark(&g, folder, &report) == first && report.from_cache);
}

static void folder_that_cannot_be_written(void **state) {
  (void)state;
  hk_fe_gear g = small_gear();
  hk_fe_report report;
  double known = mark(&g, NULL, &report);
  assert_string_equal(report.warning, "");
  assert_true(mark(&g, "/proc/nowhere", &report) == known);
  if (!strstr(report.warning, "cannot create the folder '/proc/nowhere'"))
    fail_msg("%s", report.warning);
}

/* Both processes get the table, one of them from the other. */
static void two_processes(void **state) {
  (void)state;
  hk_fe_gear g = small_gear();
  g.density = (hk_fe_density){.across = 4, .up = 4, .land = 1, .rim = 2, .along = 4};
  enum { N = 4 };
  int from_cache = 0;
  pid_t child[N];
  for (int k = 0; k < N; k++) {
    child[k] = fork();
    if (child[k] == 0) {
      hk_fe_report report;
      double m = mark(&g, folder, &report);
      _exit(m > 0 && !report.warning[0] ? report.from_cache : 2);
    }
  }
  for (int k = 0; k < N; k++) {
    int status;
    assert_int_equal(waitpid(child[k], &status, 0), child[k]);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) < 2);
    from_cache += WEXITSTATUS(status);
  }
  assert_int_equal(from_cache, N - 1);
}

static void folder_of_the_user(void **state) {
  (void)state;
  char got[200];
  setenv("HOOKE_CACHE", "/a/b", 1);
  setenv("XDG_CACHE_HOME", "/c", 1);
  setenv("HOME", "/home/d", 1);
  assert_true(hk_fe_cache_folder(got, sizeof got));
  assert_string_equal(got, "/a/b");
  unsetenv("HOOKE_CACHE");
  assert_true(hk_fe_cache_folder(got, sizeof got));
  assert_string_equal(got, "/c/hooke");
  unsetenv("XDG_CACHE_HOME");
  assert_true(hk_fe_cache_folder(got, sizeof got));
  assert_string_equal(got, "/home/d/.cache/hooke");
  assert_false(hk_fe_cache_folder(got, 10));
  unsetenv("HOME");
  assert_false(hk_fe_cache_folder(got, sizeof got));
}

static int make_folder(void **state) {
  snprintf(folder, sizeof folder, "/tmp/hooke_cache_XXXXXX");
  if (!mkdtemp(folder)) return 1;
  size_t n = strlen(folder);
  snprintf(folder + n, sizeof folder - n, "/x/y");
  return 0;
}

static int remove_folder(void **state) {
  char command[200];
  folder[strlen(folder) - 4] = 0;
  snprintf(command, sizeof command, "rm -r '%s'", folder);
  return system(command);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(once, make_folder, remove_folder),
      cmocka_unit_test_setup_teardown(damaged, make_folder, remove_folder),
      cmocka_unit_test_setup_teardown(not_to_be_used, make_folder, remove_folder),
      cmocka_unit_test(folder_that_cannot_be_written),
      cmocka_unit_test_setup_teardown(two_processes, make_folder, remove_folder),
      cmocka_unit_test(folder_of_the_user)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
