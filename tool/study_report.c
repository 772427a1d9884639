/* The report of a study: one HTML file with its table, statistics and all suitable figures. */
#define _GNU_SOURCE /* memfd_create */
#include "variants.h"
#include "base/file.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { ROWS = 500 };

static void put(FILE *out, const char *text) {
  for (; *text; text++) switch (*text) {
      case '<':
        fputs("&lt;", out);
        break;
      case '>':
        fputs("&gt;", out);
        break;
      case '&':
        fputs("&amp;", out);
        break;
      case '"':
        fputs("&quot;", out);
        break;
      default:
        if ((unsigned char)*text >= 0x20) fputc(*text, out);
    }
}

static void put_cell(FILE *out, const char *tag, const char *text) {
  fprintf(out, "<%s>", tag);
  put(out, text);
  fprintf(out, "</%s>", tag);
}

static void put_number(FILE *out, double x) {
  if (isfinite(x))
    fprintf(out, "<td>%.6g</td>", x);
  else
    fputs("<td>none</td>", out);
}

static void put_title(FILE *out, const hk_table_column *c) {
  fputs("<th>", out);
  put(out, c->name);
  if (c->unit[0]) fputs(" [", out), put(out, c->unit), fputs("]", out);
  fputs("</th>", out);
}

/* ---- parts ---- */

static void put_head(FILE *out, const tool_study_report *r) {
  const char *title = r->plan->study->title && r->plan->study->title[0] ? r->plan->study->title
                                                                        : r->plan->study->file;
  fputs(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
      "'unsafe-inline'\">\n<meta name=\"viewport\" content=\"width=device-width\">\n<title>",
      out);
  put(out, title);
  fputs(
      "</title>\n<style>body{font:15px/1.5 Helvetica,Arial,sans-serif;color:#222;max-width:72rem;"
      "margin:2rem auto;padding:0 1rem}h1{font-size:1.5rem}h2{font-size:1.15rem;margin-top:2rem}"
      "table{border-collapse:collapse;display:block;max-width:100%;overflow-x:auto;"
      "font-variant-numeric:tabular-nums}td,th{padding:.2rem .7rem;"
      "border-bottom:1px solid #ddd;text-align:right}th{background:#f4f4f4;position:sticky;top:0}"
      "td:first-child,th:first-child{text-align:left}.scroll{overflow:auto;max-height:32rem}"
      "svg{max-width:100%;height:auto}.bad{color:#a00}</style></head><body>\n<h1>",
      out);
  put(out, title);
  fputs("</h1>\n<p>Model ", out);
  put(out, r->plan->study->model_path);
  fputs(". ", out);
  fprintf(out, "%lld variants (", (long long)r->plan->n);
  put(out, r->plan->rule);
  fprintf(out, "), %lld done, %lld failed", (long long)r->collection->done,
          (long long)r->collection->failed);
  if (r->plan->study->n_limits)
    fprintf(out, ", %lld beyond a constraint", (long long)r->collection->infeasible);
  fprintf(out, "; %.3g s of computing. hooke %s.</p>\n", r->collection->seconds, hk_version());
  if (r->table->n_failed) {
    fprintf(out, "<p class=\"bad\">The first failure is that of variant %lld: ",
            (long long)r->table->failure[0]);
    put(out, r->table->failure_error[0]);
    fputs("</p>\n", out);
  }
}

static void put_axes(FILE *out, const hk_study *s) {
  fputs("<h2>What changes</h2>\n<table><tr><th>value</th><th>takes</th></tr>\n", out);
  for (int i = 0; i < s->n_axes; i++) {
    fputs("<tr>", out);
    put_cell(out, "td", s->axis[i].path);
    put_cell(out, "td", s->axis[i].source);
    fputs("</tr>\n", out);
  }
  fputs("</table>\n", out);
  if (s->n_goals + s->n_limits == 0) return;
  fputs("<h2>Goals and constraints</h2>\n<ul>\n", out);
  for (int i = 0; i < s->n_goals; i++) {
    fputs(s->goal[i].sense == HK_MAXIMIZE ? "<li>maximize " : "<li>minimize ", out);
    put(out, s->goal[i].text);
    fputs("</li>\n", out);
  }
  for (int i = 0; i < s->n_limits; i++) put_cell(out, "li", s->limit[i].text);
  fputs("</ul>\n", out);
}

static void put_statistics(FILE *out, const hk_table *t) {
  fputs(
      "<h2>Statistics</h2>\n<table><tr><th>measure</th><th>minimum</th><th>mean</th>"
      "<th>maximum</th><th>deviation</th><th>5 %</th><th>median</th><th>95 %</th></tr>\n",
      out);
  for (int k = 0; k < t->n_columns; k++) {
    hk_summary s;
    if (!tool_statistics_of(t, k, &s)) continue;
    fputs("<tr>", out);
    put_title(out, &t->column[k]);
    put_number(out, s.least);
    put_number(out, s.mean);
    put_number(out, s.greatest);
    put_number(out, s.deviation);
    put_number(out, s.low);
    put_number(out, s.median);
    put_number(out, s.high);
    fputs("</tr>\n", out);
  }
  fputs("</table>\n", out);
}

/* Makes the ids in a line of a figure unique, because the page contains several figures. */
static void put_svg(FILE *out, const char *line, const char *kind) {
  static const char *const mark[] = {"id=\"", "url(#"};
  while (*line) {
    const char *next = NULL;
    size_t length = 0;
    for (int i = 0; i < 2; i++) {
      const char *at = strstr(line, mark[i]);
      if (at && (!next || at < next)) next = at, length = strlen(mark[i]);
    }
    if (!next) break;
    fprintf(out, "%.*s%s-", (int)(next - line + (ptrdiff_t)length), line, kind);
    line = next + length;
  }
  fputs(line, out);
}

/* Lists all measures, for figures with a panel for each; NULL if there are too many. */
static const char *measures_of(const tool_study_report *r, const char *kind, char *text,
                               size_t size) {
  size_t used = 0;
  int n = 0;
  if (strcmp(kind, "line") != 0 && strcmp(kind, "map") != 0) return NULL;
  for (int k = 0; k < r->table->n_columns && used < size; k++) {
    if (r->table->column[k].role != HK_COLUMN_MEASURE) continue;
    used += (size_t)snprintf(text + used, size - used, "%s%s", n++ ? "," : "",
                             r->table->column[k].name);
  }
  return n > 0 && n <= 24 && used < size ? text : NULL;
}

/* Draws a figure into a file in memory and reads it back; a figure that is not suitable for the study is omitted. */
static void put_figure(FILE *out, const tool_study_report *r, const char *kind, const char *title) {
  char path[40], piece[4096], all[4096];
  int fd = memfd_create("figure", MFD_CLOEXEC);
  FILE *in = fd < 0 ? NULL : fdopen(fd, "rb");
  hk_error err = {0};
  if (!in) {
    if (fd >= 0) close(fd);
    return;
  }
  snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
  if (!tool_study_figure(r->plan->study, r->table, kind, measures_of(r, kind, all, sizeof all),
                         path, &err)) {
    bool begun = false;
    fprintf(out, "<h2>%s</h2>\n", title);
    while (fgets(piece, sizeof piece, in)) {
      const char *svg = begun ? piece : strstr(piece, "<svg");
      if (!svg) continue; /* a page must not contain another XML declaration */
      begun = true;
      put_svg(out, svg, kind);
    }
  }
  fclose(in);
}

static hk_status put_rows(FILE *out, const tool_study_report *r, hk_error *err) {
  const hk_table *t = r->table;
  hk_variant v;
  hk_status status = hk_variant_init(&v, r->plan->study, err);
  if (status) return status;
  v.number = -1;
  fputs("<h2>Table</h2>\n<div class=\"scroll\"><table><tr><th>variant</th>", out);
  for (int k = 0; k < t->n_columns; k++) put_title(out, &t->column[k]);
  fputs("</tr>\n", out);
  for (int64_t i = 0; i < t->n && i < ROWS; i++) {
    fprintf(out, "<tr><td>%lld</td>", (long long)t->number[i]);
    for (int k = 0; k < t->n_columns; k++) {
      char text[HK_AXIS_TEXT];
      tool_cell(r->plan, t, &v, i, k, text, sizeof text);
      put_cell(out, "td", text);
    }
    fputs("</tr>\n", out);
  }
  fputs("</table></div>\n", out);
  if (t->n > ROWS)
    fprintf(out, "<p>%lld rows more are in the study's table.</p>\n", (long long)(t->n - ROWS));
  hk_variant_free(&v);
  return HK_OK;
}

hk_status tool_study_report_write(const tool_study_report *r, const char *path, hk_error *err) {
  static const char *const figure[][2] = {{"line", "Over the longest axis"},
                                          {"map", "Over the first two axes"},
                                          {"pareto", "Pareto front"},
                                          {"slice", "Slices through the middle"},
                                          {"matrix", "All pairs"}};
  hk_new_file output;
  hk_status status = hk_new_file_open(&output, path, err);
  if (status) return status;
  FILE *out = output.file;
  put_head(out, r);
  put_axes(out, r->plan->study);
  if (r->table->n) put_statistics(out, r->table);
  for (int i = 0; i < 5 && r->table->n > 1; i++) put_figure(out, r, figure[i][0], figure[i][1]);
  status = put_rows(out, r, err);
  fputs("</body></html>\n", out);
  return hk_new_file_close(&output, status, err);
}
