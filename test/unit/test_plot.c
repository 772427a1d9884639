/* Figures: the SVG is well-formed, shows the given data, and stays small. */
#include "support/check.h"
#include "plot/plot_svg.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- help ---- */

static char *figure_text(const hk_plot_figure *f) {
  char *text = NULL;
  size_t length = 0;
  hk_error err = {0};
  FILE *out = open_memstream(&text, &length);
  assert_non_null(out);
  hk_status status = hk_plot_write(f, out, &err);
  fclose(out);
  if (status) fail_msg("%s", err.text);
  return text;
}

static char *panel_text(const hk_plot_panel *p) {
  return figure_text(&(hk_plot_figure){.title = "title", .panel = p, .n_panels = 1});
}

static char *series_text(const hk_plot_series *s) {
  const hk_plot_panel p = {.x = {.label = "x"}, .y = {.label = "y"}, .series = s, .n_series = 1};
  return panel_text(&p);
}

/* Tags balance, attributes are quoted, no bare '<' or '&': a subset of XML that is sufficient for
 * the figures. */
static void assert_well_formed(const char *s) {
  char open[64][32];
  int depth = 0;
  bool seen = false;
  while (*s) {
    if (*s == '&') {
      assert_true(!strncmp(s, "&lt;", 4) || !strncmp(s, "&gt;", 4) || !strncmp(s, "&amp;", 5) ||
                  !strncmp(s, "&quot;", 6));
    } else if (*s == '<') {
      const char *end = s + 1;
      bool quoted = false;
      for (; *end && (quoted || *end != '>'); end++) {
        if (*end == '"') quoted = !quoted;
        assert_true(*end != '<');
      }
      assert_true(*end == '>');
      char name[32] = "";
      sscanf(s + 1 + (s[1] == '/'), "%31[a-zA-Z]", name);
      if (s[1] == '/') {
        assert_true(depth > 0);
        assert_string_equal(open[--depth], name);
      } else if (end[-1] != '/') {
        assert_true(depth < 64);
        assert_true(depth > 0 || !seen);
        strcpy(open[depth++], name);
        seen = true;
      }
      s = end;
    } else {
      assert_true((unsigned char)*s >= 0x20 || *s == '\n');
    }
    s++;
  }
  assert_int_equal(depth, 0);
  assert_true(seen);
}

static int count(const char *text, const char *what) {
  int n = 0;
  for (const char *s = strstr(text, what); s; s = strstr(s + 1, what)) n++;
  return n;
}

/* The data of the first path without filling, copied. */
static char *path_of(const char *svg) {
  const char *s = strstr(svg, "<path fill=\"none\"");
  assert_non_null(s);
  s = strstr(s, " d=\"");
  assert_non_null(s);
  s += 4;
  return strndup(s, strcspn(s, "\""));
}

/* ---- charts ---- */

static void test_line_hits_its_pixels(void **state) {
  /* Fixed axes: 0..10 and 0..1 over a plot area 100 units high. */
  const double x[] = {0, 5, 10}, y[] = {0, 1, 0.25};
  const hk_plot_series s = {.x = x, .y = y, .n = 3};
  const hk_plot_panel p = {
      .x = {.min = 0, .max = 10}, .y = {.min = 0, .max = 1}, .series = &s, .n_series = 1};
  char *svg =
      figure_text(&(hk_plot_figure){.panel = &p, .n_panels = 1, .panel_height = 100, .width = 400});
  char *d = path_of(svg);
  double a[6];
  assert_int_equal(sscanf(d, "M%lf %lf %lf %lf %lf %lf", a, a + 1, a + 2, a + 3, a + 4, a + 5), 6);
  assert_float_equal(a[1] - a[3], 100, 0.011);         /* y: 0 to 1 */
  assert_float_equal(a[1] - a[5], 25, 0.011);          /* y: 0 to 0.25 */
  assert_float_equal(a[2] - a[0], a[4] - a[2], 0.021); /* x: even */
  assert_true(a[4] > 350 && a[4] < 400);               /* the plot area fills the width */
  free(d);
  free(svg);
}

static void test_gaps(void **state) {
  const double x[] = {0, 1, 2, 3, 4, 5, 6, 7}, y[] = {1, 2, NAN, 3, INFINITY, 4, 5, NAN};
  char *svg = series_text(&(hk_plot_series){.x = x, .y = y, .n = 8});
  assert_well_formed(svg);
  char *d = path_of(svg);
  assert_int_equal(count(d, "M"), 3);  /* 0-1, 3 alone, 5-6 */
  assert_int_equal(count(d, "h0"), 1); /* an isolated point is drawn as a dot */
  assert_null(strstr(svg, "nan"));
  assert_null(strstr(svg, "inf"));
  free(d);
  free(svg);
}

static void test_log_axis_drops_what_is_not_positive(void **state) {
  const double x[] = {1, 10, 100, 1000}, y[] = {1, 0, -1, 100};
  const hk_plot_series s = {.x = x, .y = y, .n = 4};
  const hk_plot_panel p = {.x = {.log = true}, .y = {.log = true}, .series = &s, .n_series = 1};
  char *svg = panel_text(&p);
  char *d = path_of(svg);
  assert_int_equal(count(d, "M"), 2);
  assert_int_equal(count(d, "h0"), 2);
  free(d);
  free(svg);
}

/* A million points with one spike: the figure is small and shows the spike. */
static void test_long_series(void **state) {
  enum { N = 1000000 };
  double *x = malloc(N * sizeof *x), *y = malloc(N * sizeof *y);
  for (int i = 0; i < N; i++) x[i] = i, y[i] = sin(0.01 * i);
  y[567890] = 50;
  y[123456] = -30;
  const hk_plot_series s = {.x = x, .y = y, .n = N};
  const hk_plot_panel p = {
      .x = {.tight = true}, .y = {.min = -50, .max = 50}, .series = &s, .n_series = 1};
  char *svg = figure_text(&(hk_plot_figure){.panel = &p, .n_panels = 1, .panel_height = 200});
  assert_true(strlen(svg) < 100000);
  char *d = path_of(svg), *end;
  double top = INFINITY, bottom = -INFINITY, start = NAN, last = NAN;
  for (char *q = d; *q;) {
    if (*q == 'M' || *q == ' ' || *q == '\n') {
      q++;
      continue;
    }
    last = strtod(q, &end);
    assert_true(end > q);
    if (isnan(start)) start = last;
    double v = strtod(end, &q);
    top = fmin(top, v), bottom = fmax(bottom, v);
  }
  assert_float_equal(bottom - top, 160, 0.021); /* 80 of 100 units on 200 pixels */
  assert_true(last - start > 550);              /* the last point is not lost */
  free(d);
  free(svg);
  free(x);
  free(y);
}

static void test_long_loop_and_scatter(void **state) {
  enum { N = 400000 };
  double *x = malloc(N * sizeof *x), *y = malloc(N * sizeof *y);
  random_seed(1);
  for (int i = 0; i < N; i++) x[i] = uniform(0, 1), y[i] = uniform(0, 1);
  char *line = series_text(&(hk_plot_series){.x = x, .y = y, .n = N});
  char *dots = series_text(
      &(hk_plot_series){.x = x, .y = y, .n = N, .line = HK_LINE_NONE, .marker = HK_MARKER_DOT});
  assert_true(strlen(line) < 600000);
  assert_true(strlen(dots) < 1500000);
  assert_true(count(dots, "<circle") > 5000); /* a densely filled area still appears filled */
  assert_well_formed(line);
  assert_well_formed(dots);
  free(line);
  free(dots);
  free(x);
  free(y);
}

static void test_extreme_values(void **state) {
  const double odd[] = {DBL_MAX, -DBL_MAX, 0, DBL_MIN, 5e-324, 1e308, -1e-308, NAN, INFINITY, 1};
  for (int log = 0; log < 2; log++)
    for (int i = 0; i < 10; i++)
      for (int k = 0; k < 10; k++) {
        const double x[] = {odd[i], odd[k]}, y[] = {odd[k], odd[i]};
        const hk_plot_series s = {.x = x, .y = y, .n = 2, .marker = HK_MARKER_CROSS, .shade = x};
        const hk_plot_panel p = {.x = {.log = log},
                                 .y = {.log = log},
                                 .series = &s,
                                 .n_series = 1,
                                 .equal = true,
                                 .zero_lines = true};
        char *svg = panel_text(&p);
        assert_well_formed(svg);
        assert_null(strstr(svg, "nan"));
        assert_null(strstr(svg, "inf"));
        assert_true(strlen(svg) < 60000);
        free(svg);
      }
}

static void test_text_is_escaped_and_cut(void **state) {
  char name[5000];
  memset(name, 'w', sizeof name);
  strcpy(name + 4000, "tail_of_the_name");
  const double x[] = {0, 1}, y[] = {0, 1};
  const hk_plot_series s[] = {{.name = "a<b> & \"c\"\x01\xff", .x = x, .y = y, .n = 2},
                              {.name = name, .x = x, .y = y, .n = 2}};
  const hk_plot_panel p = {
      .x = {.label = name, .unit = "m/s^2"}, .y = {.label = "</text>"}, .series = s, .n_series = 2};
  char *svg = panel_text(&p);
  assert_well_formed(svg);
  assert_non_null(strstr(svg, "a&lt;b&gt; &amp; &quot;c&quot;\xEF\xBF\xBD\xEF\xBF\xBD"));
  assert_non_null(strstr(svg, "\xE2\x80\xA6"));
  assert_non_null(strstr(svg, "of_the_name"));
  assert_null(
      strstr(svg, "wwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwww"));
  free(svg);
}

static void test_many_series_and_panels(void **state) {
  enum { N = 200 };
  const double x[] = {0, 1}, y[] = {0, 1};
  hk_plot_series s[N];
  for (int i = 0; i < N; i++) s[i] = (hk_plot_series){.name = "series", .x = x, .y = y, .n = 2};
  const hk_plot_panel p[3] = {{.series = s, .n_series = N}, {.series = s, .n_series = 1}, {{0}}};
  char *svg = figure_text(&(hk_plot_figure){.panel = p, .n_panels = 3, .columns = 2});
  assert_well_formed(svg);
  assert_int_equal(count(svg, ">series<"), 23 + 1);
  assert_non_null(strstr(svg, "and 177 more"));
  free(svg);
  hk_error err = {0};
  assert_int_equal(hk_plot_save(&(hk_plot_figure){.panel = p}, "-", &err), HK_EINPUT);
  assert_int_equal(
      hk_plot_save(&(hk_plot_figure){.panel = p, .n_panels = 1}, "/no/such/place.svg", &err),
      HK_EIO);
  assert_non_null(strstr(err.text, "/no/such/place.svg"));
}

/* ---- scales ---- */

static double mantissa(double v) { return v / pow(10, floor(log10(v) + 1e-9)); }

/* Converts a label back to its value. */
static double label_value(const hk_plot_scale *s, const hk_plot_tick *t) {
  char plain[64];
  const char *text = t->text;
  bool minus = strncmp(text, "\xE2\x88\x92", 3) == 0;
  snprintf(plain, sizeof plain, "%s%s", minus ? "-" : "", text + (minus ? 3 : 0));
  return strtod(plain, NULL) * pow(10, s->exponent) + s->offset;
}

static void test_linear_ticks(void **state) {
  random_seed(7);
  for (int trial = 0; trial < 4000; trial++) {
    double u[4];
    for (int i = 0; i < 4; i++) u[i] = uniform(0, 1);
    double range = pow(10, 16 * u[0] - 8), middle = (u[1] - 0.5) * range * pow(10, 6 * u[2]);
    double length = 120 + 600 * u[3];
    bool along = trial % 2;
    hk_plot_scale s = {0};
    hk_plot_scale_limits(&s, &(hk_plot_axis){.tight = true},
                         (hk_plot_range){middle - range / 2, middle + range / 2});
    hk_plot_scale_ticks(&s, &(hk_plot_axis){0}, 0, length, along);
    if (length > 300) assert_true(s.n_ticks >= 2);
    for (int i = 0; i < s.n_ticks; i++) {
      const hk_plot_tick *t = &s.tick[i];
      double px = hk_plot_scale_px(&s, t->value), tolerance = 1e-9 * (range + fabs(middle));
      assert_true(px > -0.01 && px < length + 0.01);
      if (i == 0) continue;
      double step = t->value - s.tick[i - 1].value;
      double m = mantissa(step);
      assert_true(fabs(m - 1) < 1e-3 || fabs(m - 2) < 1e-3 || fabs(m - 5) < 1e-3 ||
                  fabs(m - 10) < 1e-3);
      /* Labels are correct, distinct, and do not overlap. */
      assert_float_equal(label_value(&s, t), t->value, 1e-3 * step + tolerance);
      assert_string_not_equal(t->text, s.tick[i - 1].text);
      double gap = px - hk_plot_scale_px(&s, s.tick[i - 1].value);
      double w = 0.5 * (hk_text_width(t->text, HK_PLOT_TEXT) +
                        hk_text_width(s.tick[i - 1].text, HK_PLOT_TEXT));
      assert_true(along ? gap > w + 8 : gap > HK_PLOT_TEXT + 6);
    }
  }
}

static void test_log_ticks(void **state) {
  random_seed(3);
  for (int trial = 0; trial < 2000; trial++) {
    double u[3];
    for (int i = 0; i < 3; i++) u[i] = uniform(0, 1);
    double low = pow(10, 40 * u[0] - 20), high = low * pow(10, 0.2 + 30 * u[1] * u[1]);
    bool along = trial % 2;
    double length = 150 + 500 * u[2];
    hk_plot_scale s = {0};
    hk_plot_scale_limits(&s, &(hk_plot_axis){.log = true, .tight = true},
                         (hk_plot_range){low, high});
    hk_plot_scale_ticks(&s, &(hk_plot_axis){.log = true}, 0, length, along);
    double px[HK_MAX_TICKS];
    for (int i = 0; i < s.n_ticks; i++) {
      px[i] = hk_plot_scale_px(&s, s.tick[i].value);
      assert_true(px[i] > -0.01 && px[i] < length + 0.01);
      for (int k = 0; k < i; k++) {
        double w = 0.5 * (hk_text_width(s.tick[i].text, HK_PLOT_TEXT) +
                          hk_text_width(s.tick[k].text, HK_PLOT_TEXT));
        assert_true(fabs(px[i] - px[k]) > (along ? w : HK_PLOT_TEXT));
      }
    }
  }
  hk_plot_scale s = {0};
  hk_plot_scale_limits(&s, &(hk_plot_axis){.log = true, .tight = true}, (hk_plot_range){1e-2, 1e3});
  hk_plot_scale_ticks(&s, &(hk_plot_axis){.log = true}, 0, 400, true);
  assert_int_equal(s.n_ticks, 6);
  assert_string_equal(s.tick[0].text, "0.01");
  assert_string_equal(s.tick[5].text, "1000");
  assert_float_equal(hk_plot_scale_px(&s, 10), 240, 1e-9);
}

static void test_axis_titles(void **state) {
  char text[200];
  hk_plot_scale s = {.exponent = -3};
  hk_plot_scale_title(&s, "gap", "N*m/s^2", text, sizeof text);
  assert_string_equal(text,
                      "gap [10^{\xE2\x88\x92"
                      "3} N\xC2\xB7m/s^{2}]");
  s = (hk_plot_scale){.offset = 1000};
  hk_plot_scale_title(&s, "x", "m", text, sizeof text);
  assert_string_equal(text, "x \xE2\x88\x92 1000 [m]");
  s = (hk_plot_scale){0};
  hk_plot_scale_title(&s, "ratio", "1", text, sizeof text);
  assert_string_equal(text, "ratio");
}

/* ---- patterns ---- */

static char *pattern_text(const hk_plot_matrix *m, hk_status expected) {
  char *text = NULL;
  size_t length = 0;
  hk_error err = {0};
  FILE *out = open_memstream(&text, &length);
  assert_int_equal(hk_plot_pattern_write(m, out, &err), expected);
  fclose(out);
  return text;
}

/* The point-joint matrix of the constant-velocity joint study: eight entries. */
static void test_pattern(void **state) {
  double K[144] = {0};
  const int at[8][2] = {{3, 4}, {3, 10}, {4, 3}, {4, 9}, {9, 4}, {9, 10}, {10, 3}, {10, 9}};
  const double value[8] = {-.5, -.5, .5, .5, .5, .5, -.5, -.5};
  for (int i = 0; i < 8; i++) K[at[i][0] * 12 + at[i][1]] = value[i];
  K[0] = 1e-16; /* round-off is not drawn */
  const char *label[12] = {"x", "y", "z", "rx", "ry", "rz", "x", "y", "z", "rx", "ry", "rz"};
  const hk_plot_group body[] = {{"upper", 6}, {"lower & <co>", 6}};
  hk_plot_matrix m = {.title = "K",
                      .value = K,
                      .rows = 12,
                      .columns = 12,
                      .row = {body, 2, label},
                      .column = {body, 2, label},
                      .zero = -1};
  char *svg = pattern_text(&m, HK_OK);
  assert_well_formed(svg);
  assert_int_equal(count(svg, "<g><title>"), 8);
  assert_non_null(strstr(svg, "upper rx, lower &amp; &lt;co&gt; ry: -0.5"));
  assert_non_null(strstr(svg, "8 not zero"));
  assert_int_equal(count(svg, "fill=\"#005aa0\""), 4 + 1); /* positive ones, and the key */
  assert_int_equal(count(svg, "fill=\"#d55e00\""), 4 + 1);
  free(svg);
  m.row.n_groups = 1;
  free(pattern_text(&m, HK_EINPUT));
  m.rows = 0;
  free(pattern_text(&m, HK_EINPUT));
}

static void test_large_pattern(void **state) {
  enum { N = 1500 };
  double *A = calloc((size_t)N * N, sizeof *A);
  for (int i = 0; i < N; i++) A[(size_t)i * N + i] = i % 3 ? 1 : NAN;
  A[1] = -1e-3;
  char *svg =
      pattern_text(&(hk_plot_matrix){.value = A, .rows = N, .columns = N, .zero = -1}, HK_OK);
  assert_well_formed(svg);
  assert_true(strlen(svg) < 100000);
  assert_non_null(strstr(svg, "1500 \xC3\x97 1500, 1501 not zero, 500 not a number"));
  assert_non_null(strstr(svg, "a square is 5 \xC3\x97 5"));
  free(svg);
  free(A);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_line_hits_its_pixels),
      cmocka_unit_test(test_gaps),
      cmocka_unit_test(test_log_axis_drops_what_is_not_positive),
      cmocka_unit_test(test_long_series),
      cmocka_unit_test(test_long_loop_and_scatter),
      cmocka_unit_test(test_extreme_values),
      cmocka_unit_test(test_text_is_escaped_and_cut),
      cmocka_unit_test(test_many_series_and_panels),
      cmocka_unit_test(test_linear_ticks),
      cmocka_unit_test(test_log_ticks),
      cmocka_unit_test(test_axis_titles),
      cmocka_unit_test(test_pattern),
      cmocka_unit_test(test_large_pattern),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
