/* See page_measured.h. */
#include "report/page_measured.h"
#include "base/safe_text.h"
#include "read/table_file.h"
#include "results/json.h"
#include <hooke/units.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_VALUES = 2000000, UNIT = 64 };

typedef struct column {
  const char *name;
  /* channel of the run over which the curve is drawn; NULL: the user of the page chooses it */
  const char *channel;
  char unit[UNIT];
  double *y;
} column;

typedef struct file {
  const char *path, *base; /* base: "time" or "angle" */
  char unit[UNIT];
  double *x;
  int n, n_columns;
  column *column;
} file;

static void put(hk_json *j, const void *what) {
  const file *f = what;
  const char *slash = strrchr(f->path, '/');
  hk_json_open(j, NULL, '{');
  hk_json_text(j, "file", slash ? slash + 1 : f->path);
  hk_json_text(j, "base", f->base);
  hk_json_text(j, "unit", f->unit);
  hk_json_reals(j, "x", f->x, f->n);
  hk_json_open(j, "columns", '[');
  for (int i = 0; i < f->n_columns; i++) {
    const column *c = &f->column[i];
    hk_json_open(j, NULL, '{');
    hk_json_text(j, "name", c->name);
    hk_json_text(j, "unit", c->unit);
    if (c->channel) hk_json_text(j, "channel", c->channel);
    hk_json_reals(j, "y", c->y, f->n);
    hk_json_close(j, '}');
  }
  hk_json_close(j, ']');
  hk_json_close(j, '}');
}

static hk_status set_base(file *f, const hk_table_points *p, hk_error *err) {
  hk_unit second, radian;
  if (hk_unit_parse("s", 1, &second, err) || hk_unit_parse("rad", 3, &radian, err))
    return HK_EINPUT;
  hk_dim_format(p->x_dim, f->unit, sizeof f->unit);
  f->base = hk_dim_equal(p->x_dim, second.dim) ? "time" : "angle";
  if (hk_dim_equal(p->x_dim, second.dim) || hk_dim_equal(p->x_dim, radian.dim)) return HK_OK;
  return hk_fail(err, HK_EINPUT,
                 "the first column of '%s' must be a time or an angle, with its unit in the name: "
                 "time [s], angle [deg]",
                 f->path);
}

/* Length of the column's name in "COLUMN=CHANNEL". */
static size_t column_length(const char *match) {
  size_t n = strcspn(match, "=");
  while (n > 0 && match[n - 1] == ' ') n--;
  return n;
}

static bool is_for(const char *match, const char *name) {
  const size_t n = column_length(match);
  return strlen(name) == n && strncmp(match, name, n) == 0;
}

/* The channel that --match gives to a column; NULL: none. */
static const char *matched(const hk_measured *m, const char *name) {
  for (int i = 0; i < m->n_match; i++) {
    const char *channel = strchr(m->match[i], '=') + 1;
    if (is_for(m->match[i], name)) return channel + strspn(channel, " ");
  }
  return NULL;
}

static hk_status check_matches(const hk_measured *m, char **name, int n, hk_error *err) {
  for (int i = 0; i < m->n_match; i++) {
    const char *equal = strchr(m->match[i], '=');
    bool known = false;
    if (!equal || equal == m->match[i] || !equal[1])
      return hk_fail(err, HK_EINPUT,
                     "--match needs COLUMN=CHANNEL, such as \"torque = cvj.torque\", not '%s'",
                     m->match[i]);
    for (int k = 1; k < n && !known; k++) known = is_for(m->match[i], name[k]);
    for (int k = 0; k < i && known; k++)
      if (column_length(m->match[k]) == column_length(m->match[i]) &&
          strncmp(m->match[k], m->match[i], column_length(m->match[i])) == 0)
        return hk_fail(err, HK_EINPUT, "--match %s: this column has a channel by --match %s",
                       m->match[i], m->match[k]);
    if (!known)
      return hk_fail(err, HK_EINPUT, "--match %s: '%s' has no such column after the first",
                     m->match[i], m->path);
  }
  return HK_OK;
}

static hk_status connect(const hk_measured *m, const hk_results *r, column *c, hk_dim dim,
                         hk_error *err) {
  const char *wanted = matched(m, c->name);
  const int i = hk_results_find(r, wanted ? wanted : c->name);
  hk_unit unit = {0};
  if (i < 0 && !wanted) return HK_OK;
  if (i < 0)
    return hk_fail(err, HK_EINPUT, "--match %s=%s: the results have no such channel", c->name,
                   wanted);
  const char *text = hk_results_unit(r, i);
  c->channel = hk_results_name(r, i);
  if (text[0] && hk_unit_parse(text, strlen(text), &unit, err)) return HK_EINPUT;
  if (hk_dim_matches(dim, unit.dim)) return HK_OK;
  return hk_fail(err, HK_EINPUT, "'%s': the column '%s' is in [%s], but '%s' is in [%s]", m->path,
                 c->name, c->unit, c->channel, text);
}

static hk_status read_column(const hk_measured *m, const hk_results *r, file *f, column *c,
                             int number, hk_diag *diag, hk_error *err) {
  const hk_location here = {.file = m->path};
  char which[16];
  snprintf(which, sizeof which, "%d", number + 1);
  const hk_table_request q = {.path = m->path, .y = which, .from = &here};
  hk_table_points p = {0};
  if (!hk_text_is_safe(c->name))
    return hk_fail(err, HK_EINPUT, "the name of a column of '%s' contains control characters",
                   m->path);
  if (!hk_table_file_read(&q, NULL, &p, diag)) return diag->out_of_memory ? HK_ENOMEM : HK_EINPUT;
  hk_dim_format(p.y_dim, c->unit, sizeof c->unit);
  hk_status status = connect(m, r, c, p.y_dim, err);
  c->y = p.y, p.y = NULL;
  if (!status && !f->x) {
    f->n = p.n, f->x = p.x, p.x = NULL;
    status = set_base(f, &p, err);
  }
  hk_table_points_free(&p);
  return status;
}

hk_status hk_page_measured(const hk_measured *m, const hk_results *r, char **json, hk_diag *diag,
                           hk_error *err) {
  const hk_location here = {.file = m->path};
  const hk_table_request q = {.path = m->path, .from = &here};
  file f = {.path = m->path};
  char **name = NULL;
  int n = 0;
  size_t length;
  *json = NULL;
  if (!hk_table_csv_columns(&q, &name, &n, diag))
    return diag->out_of_memory ? HK_ENOMEM : HK_EINPUT;
  hk_status status = n >= 2 ? HK_OK
                            : hk_fail(err, HK_EINPUT,
                                      "'%s' has one column; a time or an angle and at least one "
                                      "measured quantity are needed",
                                      m->path);
  if (!status) status = check_matches(m, name, n, err);
  f.column = status ? NULL : calloc((size_t)n, sizeof *f.column);
  if (!status && !f.column) status = hk_fail(err, HK_ENOMEM, "out of memory");
  for (int i = 1; i < n && !status; i++) {
    column *c = &f.column[f.n_columns++];
    c->name = name[i];
    status = read_column(m, r, &f, c, i, diag, err);
    if (!status && (double)f.n * n > MOST_VALUES)
      status = hk_fail(err, HK_EINPUT,
                       "'%s' has more than %d values, too many for a page; keep fewer columns or "
                       "every second row",
                       m->path, MOST_VALUES);
  }
  if (!status && !(*json = hk_json_write(put, &f, &length)))
    status = hk_fail(err, HK_ENOMEM, "out of memory");
  for (int i = 0; i < f.n_columns; i++) free(f.column[i].y);
  free(f.column), free(f.x), free(name);
  return status;
}
