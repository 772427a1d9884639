/* The table of a study in memory: see study_table.h. */
#include "study/study_table.h"
#include "base/file.h"
#include "base/safe_text.h"
#include "spec/type.h"
#include <errno.h>
#include <math.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *text_of(sqlite3_stmt *q, int i) {
  const char *t = (const char *)sqlite3_column_text(q, i);
  return t ? t : "";
}

static hk_column_role role_of(const char *word) {
  return strcmp(word, "axis") == 0      ? HK_COLUMN_AXIS
         : strcmp(word, "measure") == 0 ? HK_COLUMN_MEASURE
         : strcmp(word, "goal") == 0    ? HK_COLUMN_GOAL
                                        : HK_COLUMN_CHECK;
}

static int64_t ask_number(sqlite3 *db, const char *sql) {
  sqlite3_stmt *q = NULL;
  int64_t n = -1;
  if (sqlite3_prepare_v2(db, sql, -1, &q, NULL) == 0 && sqlite3_step(q) == SQLITE_ROW)
    n = sqlite3_column_int64(q, 0);
  sqlite3_finalize(q);
  return n;
}

static bool read_columns(sqlite3 *db, hk_table *t) {
  sqlite3_stmt *q = NULL;
  bool good = sqlite3_prepare_v2(db, "SELECT name, unit, role FROM column ORDER BY position", -1,
                                 &q, NULL) == 0;
  for (int k = 0; good && k < t->n_columns && sqlite3_step(q) == SQLITE_ROW; k++) {
    hk_table_column *c = &t->column[k];
    c->name = strdup(text_of(q, 0));
    c->unit = strdup(text_of(q, 1));
    c->role = role_of(text_of(q, 2));
    c->value = malloc(((size_t)t->n + 1) * sizeof *c->value);
    good = c->name && c->unit && c->value;
  }
  sqlite3_finalize(q);
  return good;
}

static bool read_rows(sqlite3 *db, hk_table *t) {
  sqlite3_stmt *q = NULL;
  bool good = sqlite3_prepare_v2(db,
                                 "SELECT * FROM variant WHERE status='ok' AND number % ?1 = 0 "
                                 "ORDER BY number",
                                 -1, &q, NULL) == 0;
  if (good) sqlite3_bind_int64(q, 1, t->stride);
  int64_t i = 0;
  for (; good && i < t->n && sqlite3_step(q) == SQLITE_ROW; i++) {
    t->number[i] = sqlite3_column_int64(q, 0);
    for (int k = 0; k < t->n_columns; k++) {
      int type = sqlite3_column_type(q, 4 + k);
      bool number = type == SQLITE_FLOAT || type == SQLITE_INTEGER;
      t->column[k].value[i] = number ? sqlite3_column_double(q, 4 + k) : NAN;
    }
  }
  sqlite3_finalize(q);
  return good && i == t->n;
}

static bool read_failures(sqlite3 *db, hk_table *t) {
  sqlite3_stmt *q = NULL;
  int64_t room = t->n_failed < HK_TABLE_MOST_ROWS ? t->n_failed : HK_TABLE_MOST_ROWS;
  t->failure = calloc((size_t)room + 1, sizeof *t->failure);
  t->failure_error = calloc((size_t)room + 1, sizeof *t->failure_error);
  bool good =
      t->failure && t->failure_error &&
      sqlite3_prepare_v2(db, "SELECT number, error FROM variant WHERE status<>'ok' ORDER BY number",
                         -1, &q, NULL) == 0;
  while (good && t->n_failures < room && sqlite3_step(q) == SQLITE_ROW) {
    t->failure[t->n_failures] = sqlite3_column_int64(q, 0);
    good = (t->failure_error[t->n_failures++] = strdup(text_of(q, 1))) != NULL;
  }
  sqlite3_finalize(q);
  return good;
}

static bool names_are_safe(const hk_table *t) {
  for (int k = 0; k < t->n_columns; k++)
    if (!hk_text_is_safe(t->column[k].name) || !hk_text_is_safe(t->column[k].unit)) return false;
  return true;
}

hk_status hk_table_read(const char *path, hk_table *t, hk_error *err) {
  sqlite3 *db = NULL;
  *t = (hk_table){0};
  hk_status status = HK_OK;
  FILE *there = hk_file_open(path);
  if (!there) return hk_fail(err, HK_EIO, "cannot read '%s': %s", path, hk_file_trouble(errno));
  fclose(there);
  if (sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY, NULL))
    status = hk_fail(err, HK_EIO, "cannot read '%s': %s", path, sqlite3_errmsg(db));
  if (!status) {
    int64_t columns = ask_number(db, "SELECT count(*) FROM column");
    t->n = ask_number(db, "SELECT count(*) FROM variant WHERE status='ok'");
    t->stride = t->n / HK_TABLE_MOST_ROWS + 1;
    if (t->stride > 1) {
      char sql[100];
      snprintf(sql, sizeof sql,
               "SELECT count(*) FROM variant WHERE status='ok' AND number %% %lld = 0",
               (long long)t->stride);
      t->n = ask_number(db, sql);
    }
    t->n_failed = ask_number(db, "SELECT count(*) FROM variant WHERE status<>'ok'");
    if (columns < 0 || t->n < 0)
      status = hk_fail(err, HK_EINPUT, "'%s' is not a table of a study", path);
    else
      t->n_columns = (int)columns;
  }
  if (!status) {
    t->number = calloc((size_t)t->n + 1, sizeof *t->number);
    t->column = calloc((size_t)t->n_columns + 1, sizeof *t->column);
    if (!t->number || !t->column || !read_columns(db, t) || !read_failures(db, t))
      status = hk_fail(err, HK_ENOMEM, "out of memory");
    else if (!names_are_safe(t))
      status = hk_fail(err, HK_EINPUT,
                       "'%s' is not a table of a study: the name of a column contains control "
                       "characters",
                       path);
    else if (!read_rows(db, t))
      status = hk_fail(err, HK_EIO, "cannot read '%s': %s", path, sqlite3_errmsg(db));
  }
  sqlite3_close(db);
  if (status) hk_table_free(t);
  return status;
}

void hk_table_free(hk_table *t) {
  for (int k = 0; k < t->n_columns && t->column; k++) {
    free(t->column[k].name);
    free(t->column[k].unit);
    free(t->column[k].value);
  }
  free(t->column);
  free(t->number);
  for (int64_t i = 0; i < t->n_failures; i++) free(t->failure_error[i]);
  free(t->failure);
  free(t->failure_error);
  *t = (hk_table){0};
}

hk_status hk_table_find(const hk_table *t, const char *name, int *k, hk_error *err) {
  const char **names = calloc((size_t)t->n_columns + 1, sizeof *names);
  for (*k = 0; *k < t->n_columns; ++*k) {
    if (names) names[*k] = t->column[*k].name;
    if (strcmp(t->column[*k].name, name) == 0) {
      free(names);
      return HK_OK;
    }
  }
  const char *near = names ? hk_nearest_name(name, names, t->n_columns) : NULL;
  hk_fail(err, HK_EINPUT, "the table has no column '%s'%s%s%s", name,
          near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
  free(names);
  return HK_EINPUT;
}

hk_status hk_table_fit(const hk_table *t, const int *column, int d, int measure,
                       hk_surrogate_kind kind, hk_surrogate **out, hk_error *err) {
  double *x = malloc(((size_t)t->n * (size_t)d + 1) * sizeof *x),
         *y = malloc(((size_t)t->n + 1) * sizeof *y);
  int n = 0;
  hk_status status = x && y ? HK_OK : hk_fail(err, HK_ENOMEM, "out of memory");
  for (int64_t i = 0; i < t->n && !status; i++) {
    bool good = isfinite(t->column[measure].value[i]);
    for (int k = 0; k < d; k++) {
      x[n * d + k] = t->column[column[k]].value[i];
      good = good && isfinite(x[n * d + k]);
    }
    y[n] = t->column[measure].value[i];
    n += good;
  }
  if (!status) status = hk_surrogate_fit(x, y, n, d, kind, out, err);
  free(x);
  free(y);
  return status;
}
