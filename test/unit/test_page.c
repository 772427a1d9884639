/* src/report: pages contain the data of the file, keep all peaks, and execute nothing from the
 * file. */
#include "report/page.h"
#include "support/check.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *path(void) {
  static char name[300];
  snprintf(name, sizeof name, "%s/test_page_%ld.h5", HOOKE_BINARY_DIR, (long)getpid());
  return name;
}

static char *page_of(hk_page_kind kind, size_t *length) {
  hk_results *r;
  hk_page_run run;
  hk_error err = {0};
  char *text;
  if (hk_results_open(path(), &r, &err)) fail_msg("%s", err.text);
  if (hk_page_results(r, NULL, &run, &err)) fail_msg("%s", err.text);
  assert_int_equal(hk_page_text(&(hk_page){.kind = kind, .run = &run, .n = 1}, &text, length, &err),
                   HK_OK);
  hk_page_run_free(&run);
  hk_results_destroy(r);
  return text;
}

/* Contents of the element with this id; allocated by malloc. */
static char *element(const char *page, const char *id) {
  char mark[80];
  snprintf(mark, sizeof mark, "id=\"%s\">", id);
  const char *at = strstr(page, mark);
  assert_non_null(at);
  at += strlen(mark);
  const char *end = strstr(at, "</script>");
  assert_non_null(end);
  return strndup(at, (size_t)(end - at));
}

static void texts_of_the_file_are_inert(void **state) {
  (void)state;
  static const char evil[] =
      "</script><script>alert('1')</script><!--\"\\ \x01\x7f & \xff \xe2\x80\xa8";
  static const char name[] = "</script><script>alert('1')</script><!--\"\\ & \xff";
  const hk_channel_info channel[] = {{"time", "s", evil}, {name, name, evil}};
  const hk_channel_info bad[] = {{"time", "s", ""}, {evil, "m", ""}};
  const char *const set[] = {evil};
  const hk_results_meta meta = {.title = evil,
                                .model_file = evil,
                                .model_text = evil,
                                .override_text = set,
                                .n_overrides = 1};
  hk_results_writer *w;
  hk_error err = {0};
  size_t length;
  assert_int_equal(hk_results_create(path(), bad, 2, &meta, &w, &err), HK_EINPUT);
  assert_int_equal(hk_results_create(path(), channel, 2, &meta, &w, &err), HK_OK);
  for (int i = 0; i < 3; i++) hk_results_append(w, (double[]){i, NAN}, &err);
  assert_int_equal(hk_results_close(w, evil, &err), HK_OK);
  char *page = page_of(HK_PAGE_REPORT, &length), *header = element(page, "header");
  assert_null(strpbrk(header, "<>&"));
  assert_non_null(strstr(header, "\\u003c/script\\u003e"));
  assert_null(strchr(header, '\x01'));
  assert_non_null(strstr(page, "connect-src 'none'"));
  assert_null(strstr(page, "{{"));
  /* Only the program of the page and its data are script elements. */
  int scripts = 0;
  for (const char *at = page; (at = strstr(at, "<script")); at++) scripts++;
  assert_int_equal(scripts, 4);
  free(header), free(page);
  page = page_of(HK_PAGE_WATCH, &length);
  assert_non_null(strstr(page, "connect-src 'self'"));
  free(page);
  unlink(path());
}

/* A scene and a summary written by hand: parsed, and written again as data. */
static void json_of_the_file_is_written_anew(void **state) {
  (void)state;
  static const char scene[] =
      "{\"format\": 1, \"title\": \"</script><h1>t</h1>\", \"size\": 0.01, \"up\": [0, 0, 1], "
      "\"more</script>\": "
      "plain</script><h1>}";
  static const char *const summary[] = {
      "{\"stepper\": \"</script><h1>x</h1>\\u009c\\ufeff\\uffff\", \"</script>\": [1, -2.5e3, "
      "true, null, \"1\", a<b]}",
      "{\"stepper\": 1}</script><h1>", "}</script><script>alert(1)</script>", "[[[", "\xff<h1>"};
  const hk_channel_info channel[] = {{"time", "s", ""}, {"x", "m", ""}};
  for (int i = 0; i < 5; i++) {
    hk_bytes none = {0};
    hk_error err = {0};
    assert_int_equal(hk_gzip("", 0, &none, &err), HK_OK);
    const hk_results_meta meta = {
        .scene = scene, .scene_data = none.at, .scene_size = none.n, .summary_room = 300};
    hk_results_writer *w;
    assert_int_equal(hk_results_create(path(), channel, 2, &meta, &w, &err), HK_OK);
    hk_results_append(w, (double[]){0, 1}, &err);
    hk_results_summarise(w, summary[i]);
    assert_int_equal(hk_results_close(w, NULL, &err), HK_OK);
    hk_bytes_free(&none);
    if (i == 0) {
      size_t length;
      char *page = page_of(HK_PAGE_REPORT, &length), *header = element(page, "header");
      assert_null(strpbrk(header, "<>&"));
      assert_non_null(strstr(header, "\\u009c\\ufeff\\uffff"));
      assert_non_null(strstr(header, "[1, -2500, true, null, \"1\", \"a\\u003cb\"]"));
      assert_non_null(strstr(header, "\\u003c/script\\u003e\\u003ch1\\u003et"));
      free(header), free(page);
    } else {
      hk_results *r;
      hk_page_run run;
      assert_int_equal(hk_results_open(path(), &r, &err), HK_OK);
      assert_int_equal(hk_page_results(r, NULL, &run, &err), HK_EINPUT);
      assert_non_null(strstr(err.text, "the summary in "));
      hk_results_destroy(r);
    }
    unlink(path());
  }
}

static unsigned char *decode(const char *text, size_t *n) {
  static const char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  unsigned char *out = malloc(strlen(text));
  unsigned v = 0;
  int bits = 0;
  *n = 0;
  for (; *text && *text != '='; text++) {
    const char *d = strchr(digit, *text);
    assert_non_null(d);
    v = v << 6 | (unsigned)(d - digit), bits += 6;
    if (bits >= 8) out[(*n)++] = (unsigned char)(v >> (bits -= 8));
  }
  return out;
}

/* The inverse of hk_page_column. */
static void read_column(const unsigned char *p, size_t n, float *out) {
  uint32_t last = 0;
  for (size_t i = 0; i < n; i++) {
    uint32_t d = 0;
    for (size_t k = 0; k < 4; k++) d |= (uint32_t)p[k * n + i] << (8 * k);
    last += d;
    memcpy(&out[i], &last, 4);
  }
}

static long number_after(const char *text, const char *key) {
  const char *at = strstr(text, key);
  assert_non_null(at);
  return strtol(at + strlen(key), NULL, 10);
}

/* 40 channels of 20000 rows exceed the budget: the first channels are kept in full, and the others
 * keep all peaks. */
static void long_files_lose_no_peak(void **state) {
  (void)state;
  enum { N = 40, ROWS = 20000 };
  char name[N][16];
  hk_channel_info channel[N];
  for (int i = 0; i < N; i++) {
    snprintf(name[i], sizeof name[i], i ? "c%d" : "time", i);
    channel[i] = (hk_channel_info){name[i], i ? "m" : "s", i == 5 ? "sensor" : "position"};
  }
  hk_results_writer *w;
  hk_error err = {0};
  assert_int_equal(hk_results_create(path(), channel, N, NULL, &w, &err), HK_OK);
  for (int k = 0; k < ROWS; k++) {
    double row[N];
    for (int i = 0; i < N; i++) row[i] = i ? sin(0.001 * k * i) : 0.01 * k;
    if (k == 12345) row[30] = 77, row[5] = -55;
    hk_results_append(w, row, &err);
  }
  assert_int_equal(hk_results_close(w, NULL, &err), HK_OK);
  size_t length, packed;
  char *page = page_of(HK_PAGE_REPORT, &length), *header = element(page, "header"),
       *text = element(page, "data0");
  unsigned char *bytes = decode(text, &packed);
  hk_bytes plain = {0};
  assert_int_equal(hk_gunzip(bytes, packed, 1 << 28, &plain, &err), HK_OK);
  long bins = number_after(header, "\"bins\": "), width = number_after(header, "\"width\": ");
  assert_true(bins >= 32 && width > 1 && bins * width >= ROWS);
  size_t at = 0;
  int full = 0;
  static float v[ROWS];
  const char *c = strstr(header, "\"channels\"");
  for (int i = 0; i < N; i++) {
    c = strstr(c + 1, "\"full\": ");
    bool whole = strncmp(c, "\"full\": true", 12) == 0;
    size_t n = whole ? ROWS : 2 * (size_t)bins;
    if (i == 0) continue;
    read_column(plain.at + at, n, v);
    at += 4 * n;
    full += whole;
    if (i == 5) assert_true(whole && v[12345] == -55 && v[12344] == (float)sin(0.001 * 12344 * 5));
    float most = -2;
    for (size_t k = 0; k < n; k++) most = fmaxf(most, v[k]);
    assert_true(i == 30 ? most == 77 : most <= 1 && most > 0.999f);
  }
  assert_true(full >= 1 && full < N - 1 && at == plain.n);
  hk_bytes_free(&plain);
  free(bytes), free(text), free(header), free(page);
  unlink(path());
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(texts_of_the_file_are_inert),
      cmocka_unit_test(json_of_the_file_is_written_anew),
      cmocka_unit_test(long_files_lose_no_peak),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
