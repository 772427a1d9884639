/* Progress and tables of many variants: see variants.h. */
#include "variants.h"
#include "orbit.h"
#include "base/safe_text.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static double wall_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void tool_duration(double s, char *text, size_t size) {
  if (!(s < 3.6e7))
    snprintf(text, size, "--");
  else if (s < 60)
    snprintf(text, size, "%.0f s", s);
  else if (s < 3600)
    snprintf(text, size, "%d:%02d min", (int)s / 60, (int)s % 60);
  else
    snprintf(text, size, "%d:%02d h", (int)s / 3600, (int)s / 60 % 60);
}

void tool_study_progress_begin(tool_study_progress *p, bool quiet) {
  const char *term = getenv("TERM");
  bool dumb = term && strcmp(term, "dumb") == 0;
  *p = (tool_study_progress){.shown = !quiet && !dumb && isatty(STDERR_FILENO),
                             .began = wall_seconds()};
}

bool tool_study_progress_draw(void *context, int64_t done, int64_t failed, int64_t todo) {
  tool_study_progress *p = context;
  double now = wall_seconds();
  if (p->shown && now - p->last > 0.2) {
    char left[32];
    p->last = now;
    p->drawn = true;
    tool_duration(done ? (now - p->began) * (double)(todo - done) / (double)done : INFINITY, left,
                  sizeof left);
    fprintf(stderr, "\r\033[K%lld of %lld variants", (long long)done, (long long)todo);
    if (failed) fprintf(stderr, ", %lld failed", (long long)failed);
    fprintf(stderr, "  %.3g/s  %s left", (double)done / (now - p->began), left);
    fflush(stderr);
  }
  return tool_stop_signal() == 0;
}

void tool_study_progress_end(tool_study_progress *p) {
  if (p->drawn) fputs("\r\033[K", stderr);
  p->drawn = false;
}

/* ---- rows ---- */

int tool_columns_of(const char *s) {
  int n = 0;
  for (; *s; s++) n += ((unsigned char)*s & 0xC0) != 0x80;
  return n;
}

void tool_cell(const hk_plan *plan, const hk_table *t, hk_variant *v, int64_t row, int k,
               char *text, size_t size) {
  const hk_study *s = plan->study;
  double x = t->column[k].value[row];
  if (k < s->n_axes && s->axis[k].words) {
    if (v->number != t->number[row]) hk_variant_make(v, plan, t->number[row]);
    hk_safe_text(s->axis[k].text[v->entry[k]], text, size);
  } else if (isfinite(x)) {
    snprintf(text, size, "%.6g", x);
  } else {
    snprintf(text, size, "none");
  }
}

void tool_column_title(const hk_table_column *c, char *text, size_t size) {
  snprintf(text, size, c->unit[0] ? "%s [%s]" : "%s", c->name, c->unit);
}

/* If there are many axes, such as the deviations of every ball, they do not fit on the screen. Then samples are only
 * in the table. */
enum { MOST_AXES_SHOWN = 8 };
static bool on_screen(const hk_study *s, int k) {
  return k >= s->n_axes || k < s->n_crossed || s->n_axes - s->n_crossed <= MOST_AXES_SHOWN;
}

hk_status tool_rows_print(const hk_plan *plan, const hk_table *t, int64_t most, hk_error *err) {
  int64_t n = most && t->n > most ? most : t->n;
  int *width = calloc((size_t)t->n_columns + 1, sizeof *width);
  hk_variant v = {0};
  hk_status status =
      width ? hk_variant_init(&v, plan->study, err) : hk_fail(err, HK_ENOMEM, "out of memory");
  v.number = -1;
  for (int pass = 0; pass < 2 && !status; pass++)
    for (int64_t row = -1; row < n; row++) {
      bool first = true;
      for (int k = 0; k < t->n_columns; k++) {
        char text[HK_AXIS_TEXT + 80];
        if (!on_screen(plan->study, k)) continue;
        if (row < 0)
          tool_column_title(&t->column[k], text, sizeof text);
        else
          tool_cell(plan, t, &v, row, k, text, sizeof text);
        int w = tool_columns_of(text);
        if (pass == 0)
          width[k] = w > width[k] ? w : width[k];
        else
          printf("%s%*s%s", first ? "" : "  ", width[k] - w, "", text);
        first = false;
      }
      if (pass) putchar('\n');
    }
  if (!status && n < t->n) printf("... %lld rows more\n", (long long)(t->n - n));
  hk_variant_free(&v);
  free(width);
  return status;
}

static void json_column(tool_json *j, const char *name, const char *unit) {
  tool_json_open(j, NULL, '{');
  tool_json_text(j, "name", name);
  tool_json_text(j, "unit", unit);
  tool_json_close(j, '}');
}

/* Writes the value of axis k of the variant v. */
static void json_axis(tool_json *j, const hk_axis *a, const hk_variant *v, int k) {
  if (a->words)
    tool_json_text(j, NULL, a->text[v->entry[k]]);
  else
    tool_json_real(j, NULL, v->value[k]);
}

/* Writes successful and failed rows by number. */
hk_status tool_rows_json(tool_json *j, const hk_plan *plan, const hk_table *t, hk_error *err) {
  const hk_study *s = plan->study;
  hk_variant v;
  hk_status status = hk_variant_init(&v, s, err);
  if (status) return status;
  tool_json_open(j, "columns", '[');
  json_column(j, "number", "");
  json_column(j, "status", "");
  for (int k = 0; k < t->n_columns; k++) json_column(j, t->column[k].name, t->column[k].unit);
  json_column(j, "error", "");
  tool_json_close(j, ']');
  tool_json_open(j, "rows", '[');
  for (int64_t i = 0, f = 0; i < t->n || f < t->n_failures;) {
    bool failed = i >= t->n || (f < t->n_failures && t->failure[f] < t->number[i]);
    int64_t number = failed ? t->failure[f] : t->number[i];
    hk_variant_make(&v, plan, number);
    tool_json_open(j, NULL, '[');
    tool_json_int(j, NULL, number);
    tool_json_text(j, NULL, failed ? "failed" : "ok");
    for (int k = 0; k < t->n_columns; k++) {
      if (k < s->n_axes)
        json_axis(j, &s->axis[k], &v, k);
      else
        tool_json_real(j, NULL, failed ? NAN : t->column[k].value[i]);
    }
    tool_json_text(j, NULL, failed ? t->failure_error[f] : "");
    tool_json_close(j, ']');
    if (failed)
      f++;
    else
      i++;
  }
  tool_json_close(j, ']');
  hk_variant_free(&v);
  return HK_OK;
}
