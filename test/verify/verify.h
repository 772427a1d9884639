/* Shared by the verification tests: models from files or text, comparisons that are both asserted
 * and reported.  A comparison is one call of vf_check (a value against a reference) or vf_bound (a
 * value against a limit).  Each prints a line, and with HOOKE_VALIDATION=<folder> in the
 * environment also appends it to <folder>/<table>.tsv, from which script/validate makes the tables
 * of docs/validation.md. */
#ifndef VERIFY_H
#define VERIFY_H
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <hooke/hooke.h>

/* ---- models ---- */

typedef struct vf_case {
  hk_model *model;
  hk_sim *sim;
  hk_diag diag;
  hk_error err;
} vf_case;

static inline void vf_tell(const hk_diag *diag) {
  char line[1200];
  for (int i = 0; i < diag->n; i++) {
    hk_diag_format(&diag->message[i], line, sizeof line);
    print_message("%s\n", line);
  }
}

static inline void vf_close(vf_case *c) {
  hk_sim_destroy(c->sim);
  hk_model_destroy(c->model);
  hk_diag_free(&c->diag);
  *c = (vf_case){0};
}

static inline void vf_compile(vf_case *c, hk_spec *spec) {
  c->model = spec ? hk_model_compile(spec, &c->diag) : NULL;
  if (c->model) return;
  vf_tell(&c->diag);
  fail_msg("the model was refused");
}

/* A file of the project, such as "examples/benchmarks/a01_pendulum.yaml". */
static inline void vf_file(vf_case *c, const char *path, const hk_override *set, int n_set) {
  char full[600];
  snprintf(full, sizeof full, "%s/%s", HOOKE_SOURCE_DIR, path);
  *c = (vf_case){0};
  hk_diag_init(&c->diag);
  vf_compile(c, hk_model_file_read(full, set, n_set, &c->diag));
}

/* The text of a model; `format: 1` is added as the first line. */
static inline void vf_text(vf_case *c, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static inline void vf_text(vf_case *c, const char *format, ...) {
  static char text[16384];
  int n = snprintf(text, sizeof text, "format: 1\n");
  va_list args;
  va_start(args, format);
  n += vsnprintf(text + n, sizeof text - (size_t)n, format, args);
  va_end(args);
  assert_true(n < (int)sizeof text);
  *c = (vf_case){0};
  hk_diag_init(&c->diag);
  vf_compile(c, hk_model_text_read("model", text, (size_t)n, NULL, 0, &c->diag));
}

static inline void vf_start(vf_case *c, const hk_sim_options *options) {
  hk_sim_destroy(c->sim);
  c->sim = NULL;
  if (hk_sim_create(c->model, options, &c->sim, &c->diag, &c->err)) {
    vf_tell(&c->diag);
    fail_msg("%s", c->err.text);
  }
}

static inline void vf_advance(vf_case *c, double t) {
  if (hk_sim_advance(c->sim, t, &c->err)) fail_msg("%s", c->err.text);
}

static inline int vf_channel(const vf_case *c, const char *name) {
  int i = hk_model_channel_find(c->model, name);
  if (i < 0) fail_msg("the model has no channel '%s'", name);
  return i;
}

static inline double vf_value(vf_case *c, const char *name) {
  return hk_sim_value(c->sim, vf_channel(c, name));
}

/* Whether some warning or error contains this text. */
/* A quality indicator of the simulation; all values are 0 if it does not apply. */
static inline hk_indicator vf_indicator(const vf_case *c, hk_quality_kind kind) {
  hk_quality *q;
  assert_int_equal(hk_sim_quality(c->sim, &q, NULL), HK_OK);
  const hk_indicator *found = hk_quality_find(q, kind);
  hk_indicator k = {.element = ""};
  if (found) k = *found;
  hk_quality_destroy(q);
  return k;
}

static inline bool vf_said(const hk_diag *diag, const char *text) {
  for (int i = 0; i < diag->n; i++)
    if (strstr(diag->message[i].text, text)) return true;
  return false;
}

/* script/verify requests the long cases. */
static inline bool vf_long(void) {
  const char *on = getenv("HOOKE_LONG");
  return on && *on && strcmp(on, "0") != 0;
}

/* Cases that another case of the same kind represents in daily tests; the tables of
 * docs/validation.md contain them all. */
static inline bool vf_all(void) { return vf_long() || getenv("HOOKE_VALIDATION"); }

/* ---- comparisons ---- */

static inline void vf_row(const char *table, const char *text, const char *quantity,
                          const char *reference, const char *source, const char *ours,
                          const char *error, const char *limit, bool good) {
  print_message("%-24s %-22s reference %-22s hooke %-22s error %-9s limit %-9s %s\n", text,
                quantity, reference, ours, error, limit, good ? "ok" : "FAILS");
  const char *folder = getenv("HOOKE_VALIDATION");
  if (!folder || !*folder) return;
  char path[600];
  snprintf(path, sizeof path, "%s/%s.tsv", folder, table);
  FILE *f = fopen(path, "a");
  assert_non_null(f);
  fprintf(f, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", text, quantity, reference, source, ours, error,
          limit, good ? "ok" : "FAILS");
  fclose(f);
}

/* |ours - reference| <= tolerance, reported in `table` under the name `text`. */
static inline void vf_check(const char *table, const char *text, const char *quantity, double ours,
                            double reference, double tolerance, const char *source) {
  double error = fabs(ours - reference);
  bool good = error <= tolerance;
  char a[40], b[40], e[40], l[40];
  snprintf(a, sizeof a, "%.12g", reference);
  snprintf(b, sizeof b, "%.12g", ours);
  snprintf(e, sizeof e, "%.2g", error);
  snprintf(l, sizeof l, "%.2g", tolerance);
  vf_row(table, text, quantity, a, source, b, e, l, good);
  if (!good) fail_msg("%s, %s: %.12g instead of %.12g", text, quantity, ours, reference);
}

/* 0 <= ours <= limit. */
static inline void vf_bound(const char *table, const char *text, const char *quantity, double ours,
                            double limit, const char *source) {
  bool good = ours >= 0 && ours <= limit;
  char b[40], l[40];
  snprintf(b, sizeof b, "%.3g", ours);
  snprintf(l, sizeof l, "%.2g", limit);
  vf_row(table, text, quantity, "0", source, b, b, l, good);
  if (!good) fail_msg("%s, %s: %.12g, limit %.12g", text, quantity, ours, limit);
}

/* A measured number without a limit: shown, not checked. */
static inline void vf_note(const char *table, const char *text, const char *quantity, double value,
                           const char *source) {
  char b[40];
  snprintf(b, sizeof b, "%.3g", value);
  vf_row(table, text, quantity, "", source, b, "", "", true);
}

/* ---- the score of the IFToMM library ---- */

/* Root mean square over all points and quantities of |y - ref|/max(|ref|, 1e-3) [IFToMM]. */
typedef struct vf_score {
  double sum;
  long n;
} vf_score;

static inline void vf_score_add(vf_score *s, double y, double reference) {
  double e = (y - reference) / fmax(fabs(reference), 1e-3);
  s->sum += e * e;
  s->n++;
}

static inline double vf_score_value(const vf_score *s) { return sqrt(s->sum / (double)s->n); }

/* Slope of log(error) over log(h) by least squares. */
static inline double vf_slope(const double *h, const double *error, int n) {
  double x = 0, y = 0, xx = 0, xy = 0;
  for (int i = 0; i < n; i++) {
    double a = log(h[i]), b = log(error[i]);
    x += a, y += b, xx += a * a, xy += a * b;
  }
  return (n * xy - x * y) / (n * xx - x * x);
}
#endif
