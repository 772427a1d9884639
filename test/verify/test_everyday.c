/* Everyday models with default settings: what a new user gets, against runs a million times finer.
 *
 * Every measure of every model in test/everyday must be right to a thousandth of its scale, which is the
 * size that the model gives it: the channel's largest value in the fine run, or 1 rad for angles that turn on.
 */
#include "verify/verify.h"
#include <dirent.h>
#include <hooke/run.h>

enum { MOST_FILES = 64 };

static int by_name(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

static int list_models(char **name) {
  DIR *dir = opendir(HOOKE_SOURCE_DIR "/test/everyday");
  assert_non_null(dir);
  int n = 0;
  for (struct dirent *e; n < MOST_FILES && (e = readdir(dir));)
    if (strstr(e->d_name, ".yaml")) name[n++] = strdup(e->d_name);
  closedir(dir);
  qsort(name, (size_t)n, sizeof *name, by_name);
  return n;
}

static void report_of(const vf_case *c, const hk_sim_options *sim, hk_run_report *r) {
  hk_diag diag;
  hk_diag_init(&diag);
  if (hk_run(c->model, &(hk_run_options){.sim = sim}, r, &diag)) fail_msg("%s", r->error.text);
  hk_diag_free(&diag);
}

static void check_model(const char *name) {
  char path[300];
  snprintf(path, sizeof path, "test/everyday/%s", name);
  vf_case c;
  vf_file(&c, path, NULL, 0);
  hk_run_report usual, fine;
  report_of(&c, NULL, &usual);
  report_of(&c, &(hk_sim_options){.stepper = "bdf", .rtol = 1e-13, .atol = 1e-14}, &fine);
  double worst = 0;
  for (int i = 0; i < usual.n_measures; i++) {
    double scale = fabs(fine.measure[i].value);
    bool angle =
        strncmp(fine.measure[i].unit, "rad", 3) == 0 || strcmp(fine.measure[i].unit, "1") == 0;
    scale = fmax(scale, angle ? 1 : 0.1);
    worst = fmax(worst, fabs(usual.measure[i].value - fine.measure[i].value) / scale);
  }
  char what[120];
  snprintf(what, sizeof what, "worst error of its scale; %s, %ld steps", usual.stepper,
           usual.stats.steps);
  vf_bound("everyday", name, what, worst, 1e-3, "fine run");
  assert_int_equal(usual.doubts, 0);
  hk_run_report_free(&usual);
  hk_run_report_free(&fine);
  vf_close(&c);
}

static void test_everyday(void **state) {
  (void)state;
  char *name[MOST_FILES];
  int n = list_models(name);
  assert_true(n >= 10);
  for (int i = 0; i < n; i++) check_model(name[i]);
  for (int i = 0; i < n; i++) free(name[i]);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_everyday)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
