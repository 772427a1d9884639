/* The Pareto column of a study's table: see collect_front.h.  The front depends on all rows, so it is found after the
 * last of them. */
#include "study/collect_front.h"
#include "statistics/pareto.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct rows {
  int64_t n, capacity;
  int64_t *number;
  double *value[HK_STUDY_MAX_GOALS]; /* smaller is better */
  bool *allowed, *front;
} rows;

static void release(rows *r) {
  free(r->number), free(r->allowed), free(r->front);
  for (int g = 0; g < HK_STUDY_MAX_GOALS; g++) free(r->value[g]);
}

static bool grow(void **at, size_t size, int64_t n) {
  void *more = realloc(*at, size * (size_t)n);
  if (more) *at = more;
  return more != NULL;
}

static bool make_room(rows *r, int goals) {
  if (r->n < r->capacity) return true;
  int64_t n = r->capacity ? 2 * r->capacity : 256;
  bool ok = grow((void **)&r->number, sizeof *r->number, n) &&
            grow((void **)&r->allowed, sizeof *r->allowed, n) &&
            grow((void **)&r->front, sizeof *r->front, n);
  for (int g = 0; g < goals && ok; g++) ok = grow((void **)&r->value[g], sizeof *r->value[g], n);
  if (ok) r->capacity = n;
  return ok;
}

/* Columns of the goals in the table. */
static void find_goals(const hk_study *s, int first, int column[HK_STUDY_MAX_GOALS]) {
  for (int g = 0; g < s->n_goals; g++) {
    bool own = strcmp(s->goal[g].name, s->goal[g].text) != 0;
    column[g] = own ? 4 + first++ : -1;
    for (int k = 0; k < s->n_measures && !own; k++)
      if (strcmp(s->measure[k].name, s->goal[g].name) == 0) column[g] = 4 + s->n_axes + k;
  }
}

static hk_status read_rows(sqlite3 *db, const hk_study *s, int first, int n_columns, rows *r,
                           hk_error *err) {
  int column[HK_STUDY_MAX_GOALS], code;
  sqlite3_stmt *q = NULL;
  find_goals(s, first, column);
  hk_status status = HK_OK;
  if (sqlite3_prepare_v2(db, "SELECT * FROM variant WHERE status='ok' ORDER BY number", -1, &q,
                         NULL))
    return hk_fail(err, HK_EIO, "the table cannot be read: %s", sqlite3_errmsg(db));
  while (!status && (code = sqlite3_step(q)) == SQLITE_ROW) {
    if (!make_room(r, s->n_goals)) {
      status = hk_fail(err, HK_ENOMEM, "out of memory");
      break;
    }
    r->number[r->n] = sqlite3_column_int64(q, 0);
    /* `feasible` is the last column but one */
    r->allowed[r->n] = !s->n_limits || sqlite3_column_int(q, 4 + n_columns - 2) > 0;
    for (int g = 0; g < s->n_goals; g++) {
      bool known = column[g] >= 0 && sqlite3_column_type(q, column[g]) != SQLITE_NULL;
      double v = known ? sqlite3_column_double(q, column[g]) : NAN;
      r->value[g][r->n] = s->goal[g].sense == HK_MAXIMIZE ? -v : v;
    }
    r->n++;
  }
  sqlite3_finalize(q);
  return status;
}

static hk_status write_rows(sqlite3 *db, int n_columns, const rows *r, hk_error *err) {
  sqlite3_stmt *q = NULL, *set = NULL;
  if (sqlite3_prepare_v2(db, "SELECT * FROM variant", -1, &q, NULL))
    return hk_fail(err, HK_EIO, "the table cannot be read: %s", sqlite3_errmsg(db));
  char *sql = sqlite3_mprintf("UPDATE variant SET \"%w\"=? WHERE number=?",
                              sqlite3_column_name(q, 4 + n_columns - 1));
  sqlite3_finalize(q);
  hk_status status = sql && !sqlite3_prepare_v2(db, sql, -1, &set, NULL)
                         ? HK_OK
                         : hk_fail(err, HK_EIO, "the table cannot be written");
  for (int64_t i = 0; i < r->n && !status; i++) {
    sqlite3_bind_int(set, 1, r->front[i]);
    sqlite3_bind_int64(set, 2, r->number[i]);
    if (sqlite3_step(set) != SQLITE_DONE)
      status = hk_fail(err, HK_EIO, "the table cannot be written: %s", sqlite3_errmsg(db));
    sqlite3_reset(set);
  }
  sqlite3_finalize(set);
  sqlite3_free(sql);
  return status;
}

hk_status hk_collect_front(sqlite3 *db, const hk_study *s, int first_goal, int n_columns,
                           hk_error *err) {
  rows r = {0};
  if (s->n_goals < 2) return HK_OK;
  hk_status status = read_rows(db, s, first_goal, n_columns, &r, err);
  if (!status && r.n)
    hk_pareto_front((const double *const *)r.value, s->n_goals, r.n, r.allowed, r.front);
  if (!status) status = write_rows(db, n_columns, &r, err);
  release(&r);
  return status;
}
