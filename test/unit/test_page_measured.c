/* src/report/page_measured.c and page_units.c: curves of a test bench and units for a page. */
#include "report/page_measured.h"
#include "report/page_units.h"
#include "support/check.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char *in_build(const char *ending) {
  static char name[2][300];
  static int k;
  k = !k;
  snprintf(name[k], sizeof name[k], "%s/test_page_measured_%ld%s", HOOKE_BINARY_DIR, (long)getpid(),
           ending);
  return name[k];
}

static hk_results *results(void) {
  const hk_channel_info channel[] = {
      {"time", "s", ""}, {"shaft.torque", "N*m", ""}, {"shaft.angle", "rad", ""}};
  const hk_results_meta meta = {.title = "bench"};
  hk_results_writer *w;
  hk_results *r;
  hk_error err = {0};
  assert_int_equal(hk_results_create(in_build(".h5"), channel, 3, &meta, &w, &err), HK_OK);
  for (int i = 0; i < 3; i++) hk_results_append(w, (double[]){i, 2 * i, 3 * i}, &err);
  assert_int_equal(hk_results_close(w, "finished", &err), HK_OK);
  assert_int_equal(hk_results_open(in_build(".h5"), &r, &err), HK_OK);
  return r;
}

/* Reads a CSV text with at most one match; returns the JSON, or NULL with the first message. */
static char *measured(const hk_results *r, const char *csv, const char *match, char message[1100]) {
  FILE *f = fopen(in_build(".csv"), "w");
  char *path = strdup(in_build(".csv")), *json = NULL;
  assert_non_null(f);
  fputs(csv, f);
  fclose(f);
  const hk_measured m = {path, match ? (const char *const[]){match} : NULL, match != NULL};
  hk_diag diag;
  hk_error err = {0};
  hk_diag_init(&diag);
  hk_status status = hk_page_measured(&m, r, &json, &diag, &err);
  assert_int_equal(status == HK_OK, json != NULL);
  snprintf(message, 1100, "%s", err.text[0] ? err.text : diag.n ? diag.message[0].text : "");
  hk_diag_free(&diag);
  remove(path), free(path);
  return json;
}

static void columns_become_curves_in_si_units(void **state) {
  (void)state;
  hk_results *r = results();
  char message[1100];
  char *json = measured(r, "time [ms],cell [kN*m],shaft.angle [deg]\n0,1,180\n5,2,90\n",
                        "cell = shaft.torque", message);
  assert_non_null(json);
  assert_non_null(strstr(json, "\"base\":\"time\"") ?: strstr(json, "\"base\": \"time\""));
  assert_non_null(strstr(json, "0.005"));
  assert_non_null(strstr(json, "shaft.torque"));
  assert_non_null(strstr(json, "2000"));
  assert_non_null(strstr(json, "3.14159265358979"));
  free(json);
  json = measured(r, "angle [deg],cell [N*m]\n0,1\n180,2\n", NULL, message);
  assert_non_null(json);
  assert_non_null(strstr(json, "\"angle\""));
  assert_null(strstr(json, "shaft."));
  free(json);
  hk_results_destroy(r);
  remove(in_build(".h5"));
}

static void wrong_files_are_refused_with_a_reason(void **state) {
  (void)state;
  static const struct {
    const char *csv, *match, *reason;
  } wrong[] = {
      {"time [s]\n0\n1\n", NULL, "one column"},
      {"speed [m/s],cell [N*m]\n0,1\n1,2\n", NULL, "must be a time or an angle"},
      {"time [s],cell [N*m]\n0,1\n1,2\n", "cell = shaft.nothing", "no such channel"},
      {"time [s],cell [N]\n0,1\n1,2\n", "cell = shaft.torque", "is in [N], but"},
      {"time [s],cell [N*m]\n0,1\n1,2\n", "cell", "COLUMN=CHANNEL"},
      {"time [s],cell [N*m]\n0,1\n1,2\n", "other = shaft.torque", "no such column"},
      {"time [s],cell [N*m]\n0,1\n1,what\n", NULL, "what"},
  };
  hk_results *r = results();
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    char message[1100];
    char *json = measured(r, wrong[i].csv, wrong[i].match, message);
    assert_null(json);
    if (!strstr(message, wrong[i].reason)) fail_msg("case %zu: %s", i, message);
  }
  hk_results_destroy(r);
  remove(in_build(".h5"));
}

static void a_column_has_one_channel(void **state) {
  (void)state;
  hk_results *r = results();
  FILE *f = fopen(in_build(".csv"), "w");
  assert_non_null(f);
  fputs("time [s],cell [N*m]\n0,1\n1,2\n", f);
  fclose(f);
  char *path = strdup(in_build(".csv")), *json = NULL;
  const char *const match[] = {"cell = shaft.torque", "cell=shaft.angle"};
  hk_diag diag;
  hk_error err = {0};
  hk_diag_init(&diag);
  assert_int_equal(hk_page_measured(&(hk_measured){path, match, 2}, r, &json, &diag, &err),
                   HK_EINPUT);
  assert_non_null(strstr(err.text, "this column has a channel"));
  hk_diag_free(&diag);
  remove(path), free(path);
  hk_results_destroy(r);
  remove(in_build(".h5"));
}

static void put_units(hk_json *j, const void *list) {
  hk_json_open(j, NULL, '{');
  hk_page_units_write(j, "units", list);
  hk_json_close(j, '}');
}

static int fixed_units(const char *list) {
  size_t length;
  int n = 0;
  char *json = hk_json_write(put_units, list, &length);
  assert_non_null(json);
  for (const char *at = json; (at = strstr(at, "\"fixed\"")); at++) n++;
  free(json);
  return n;
}

static void units_are_checked(void **state) {
  (void)state;
  hk_error err = {0};
  assert_int_equal(hk_page_units_check(NULL, &err), HK_OK);
  assert_int_equal(hk_page_units_check("si", &err), HK_OK);
  assert_int_equal(hk_page_units_check(" um,  kN, deg", &err), HK_OK);
  assert_int_equal(hk_page_units_check("furlong", &err), HK_EINPUT);
  assert_non_null(strstr(err.text, "um, mm, m"));
  assert_int_equal(hk_page_units_check("mm, um", &err), HK_EINPUT);
  assert_int_equal(hk_page_units_check("si, mm", &err), HK_EINPUT);
  assert_non_null(strstr(err.text, "fixes the units of all"));
  assert_int_equal(hk_page_units_check(" ", &err), HK_EINPUT);
  assert_int_equal(fixed_units(NULL), 0);
  assert_int_equal(fixed_units("um, kN"), 2);
  assert_int_equal(fixed_units("si"), 8);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(columns_become_curves_in_si_units),
      cmocka_unit_test(wrong_files_are_refused_with_a_reason),
      cmocka_unit_test(a_column_has_one_channel),
      cmocka_unit_test(units_are_checked),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
