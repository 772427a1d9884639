/* Journals -> one SQLite file: see collect.h. */
#include "study/collect.h"
#include "base/file.h"
#include "results/csv.h"
#include "study/collect_front.h"
#include "study/row.h"
#include "study/study_table.h"
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_COLUMNS = 1900 }; /* SQLite takes 2000 */

#define NOT_OURS "'%s' exists and is not a table of a study; give another folder"

typedef struct collecting {
  const hk_plan *plan;
  sqlite3 *db;
  sqlite3_stmt *insert;
  hk_variant variant;
  double *si, *value; /* value, word: [columns] */
  const char **word;
  hk_collection *out;
} collecting;

static hk_status sql_fail(sqlite3 *db, const char *what, hk_error *err) {
  int code = sqlite3_errcode(db);
  return hk_fail(err, code == SQLITE_NOMEM ? HK_ENOMEM : HK_EIO, "%s: %s", what,
                 sqlite3_errmsg(db));
}

static hk_status execute(sqlite3 *db, const char *sql, hk_error *err) {
  return sqlite3_exec(db, sql, NULL, NULL, NULL) ? sql_fail(db, "the table cannot be written", err)
                                                 : HK_OK;
}

/* ---- columns ---- */

/* Number of columns of a row. Studies with several goals have one more column for the Pareto front, which is known
 * only after all rows. */
static int count_columns(const hk_study *s) { return hk_row_column_count(s) + (s->n_goals > 1); }

static hk_status create_columns(collecting *c, const hk_row_column *col, int n, hk_error *err) {
  sqlite3_stmt *add = NULL;
  char *sql = sqlite3_mprintf(
      "CREATE TABLE variant(number INTEGER PRIMARY KEY, key TEXT NOT NULL, status TEXT NOT NULL, "
      "error TEXT NOT NULL");
  char *insert = sqlite3_mprintf("INSERT INTO variant VALUES(?,?,?,?");
  /* If a measure and an axis have the same name, a number is appended. */
  for (int i = 0; i < n && sql && insert; i++) {
    int twin = 0;
    for (int k = 0; k < i; k++) twin += sqlite3_stricmp(col[k].name, col[i].name) == 0;
    twin +=
        sqlite3_stricmp(col[i].name, "number") == 0 || sqlite3_stricmp(col[i].name, "key") == 0 ||
        sqlite3_stricmp(col[i].name, "status") == 0 || sqlite3_stricmp(col[i].name, "error") == 0;
    char *more = twin
                     ? sqlite3_mprintf("%s,\"%w (%d)\" %s", sql, col[i].name, twin + 1, col[i].type)
                     : sqlite3_mprintf("%s,\"%w\" %s", sql, col[i].name, col[i].type);
    char *mark = sqlite3_mprintf("%s,?", insert);
    sqlite3_free(sql);
    sqlite3_free(insert);
    sql = more, insert = mark;
  }
  /* SQL for two records of the same variant: a success takes precedence over a failure. Of two
   * failures the first in alphabetical order is kept, so that the result does not depend on the
   * order of the journals. */
  char *whole = sql ? sqlite3_mprintf("%s)", sql) : NULL;
  char *upsert = insert ? sqlite3_mprintf(
                              "%s) ON CONFLICT(number) DO UPDATE SET status=excluded.status, "
                              "error=excluded.error WHERE variant.status<>'ok' AND "
                              "excluded.status<>'ok' AND excluded.error<variant.error",
                              insert)
                        : NULL;
  hk_status status = whole && upsert ? HK_OK : hk_fail(err, HK_ENOMEM, "out of memory");
  if (!status) status = execute(c->db, whole, err);
  if (!status)
    status = execute(c->db,
                     "CREATE TABLE column(position INTEGER PRIMARY KEY, name TEXT, unit TEXT, role "
                     "TEXT); CREATE TABLE study(line INTEGER PRIMARY KEY, text TEXT)",
                     err);
  if (!status && (sqlite3_prepare_v2(c->db, upsert, -1, &c->insert, NULL) ||
                  sqlite3_prepare_v2(c->db, "INSERT INTO column VALUES(?,?,?,?)", -1, &add, NULL)))
    status = sql_fail(c->db, "the table cannot be written", err);
  for (int i = 0; i < n && !status; i++) {
    sqlite3_bind_int(add, 1, i + 1);
    sqlite3_bind_text(add, 2, col[i].name, -1, SQLITE_STATIC);
    sqlite3_bind_text(add, 3, col[i].unit, -1, SQLITE_STATIC);
    sqlite3_bind_text(add, 4, col[i].role, -1, SQLITE_STATIC);
    if (sqlite3_step(add) != SQLITE_DONE)
      status = sql_fail(c->db, "the table cannot be written", err);
    sqlite3_reset(add);
  }
  sqlite3_finalize(add);
  sqlite3_free(sql);
  sqlite3_free(insert);
  sqlite3_free(whole);
  sqlite3_free(upsert);
  return status;
}

static void add_line(void *context, const char *text) {
  sqlite3_stmt *add = context;
  sqlite3_bind_text(add, 1, text, -1, SQLITE_TRANSIENT);
  sqlite3_step(add);
  sqlite3_reset(add);
}

static hk_status create_tables(collecting *c, hk_error *err) {
  const hk_study *s = c->plan->study;
  int n = count_columns(s);
  if (n > MOST_COLUMNS)
    return hk_fail(err, HK_EINPUT,
                   "%d columns are more than the %d that a table can have; keep fewer "
                   "measures",
                   n, MOST_COLUMNS);
  hk_row_column *col = calloc((size_t)n + 1, sizeof *col);
  if (!col) return hk_fail(err, HK_ENOMEM, "out of memory");
  hk_row_columns(s, col);
  if (s->n_goals > 1) col[n - 1] = (hk_row_column){"pareto", "", "check", "INTEGER"};
  hk_status status = create_columns(c, col, n, err);
  free(col);
  sqlite3_stmt *add = NULL;
  if (!status && sqlite3_prepare_v2(c->db, "INSERT INTO study(text) VALUES(?)", -1, &add, NULL))
    status = sql_fail(c->db, "the table cannot be written", err);
  if (!status) {
    char *title = sqlite3_mprintf("title: %s", s->title ? s->title : "");
    if (title) add_line(add, title);
    sqlite3_free(title);
    hk_plan_lines(c->plan, add_line, add);
  }
  sqlite3_finalize(add);
  return status;
}

/* ---- rows ---- */

static void bind_number(sqlite3_stmt *q, int at, double x) {
  if (isfinite(x))
    sqlite3_bind_double(q, at, x);
  else
    sqlite3_bind_null(q, at);
}

static hk_status add_row(collecting *c, int64_t number, const hk_record *r, hk_error *err) {
  const hk_study *s = c->plan->study;
  sqlite3_stmt *q = c->insert;
  hk_variant *v = &c->variant;
  bool ok = r->outcome == HK_OUTCOME_OK;
  char key[2 * HK_KEY_SIZE + 1];
  for (int i = 0; i < HK_KEY_SIZE; i++) snprintf(key + 2 * i, 3, "%02x", v->key[i]);
  sqlite3_bind_int64(q, 1, number);
  sqlite3_bind_text(q, 2, key, -1, SQLITE_TRANSIENT);
  sqlite3_bind_text(q, 3, ok ? "ok" : "failed", -1, SQLITE_STATIC);
  sqlite3_bind_text(q, 4, r->error, -1, SQLITE_TRANSIENT);
  hk_row_fill(s, v, r, c->si, c->value, c->word);
  const int n = hk_row_column_count(s);
  for (int i = 0; i < n; i++) {
    if (c->word[i])
      sqlite3_bind_text(q, 5 + i, c->word[i], -1, SQLITE_STATIC);
    else if (s->n_limits && i == n - 1 && ok) /* feasible */
      sqlite3_bind_int(q, 5 + i, c->value[i] != 0);
    else
      bind_number(q, 5 + i, c->value[i]);
  }
  if (s->n_goals > 1) sqlite3_bind_null(q, 5 + n);
  int code = sqlite3_step(q);
  sqlite3_reset(q);
  return code == SQLITE_DONE ? HK_OK : sql_fail(c->db, "the table cannot be written", err);
}

static hk_status take(void *context, const hk_record *r, hk_error *err) {
  collecting *c = context;
  if (r->number < 0 || r->number >= c->plan->n) return HK_OK;
  hk_variant_make(&c->variant, c->plan, r->number);
  if (memcmp(c->variant.key, r->key, HK_KEY_SIZE) != 0)
    return HK_OK; /* the variant with this number has changed since */
  c->out->seconds += r->seconds;
  /* A success replaces a failure: the failure is deleted first, because the insert above keeps the first of two
   * records. */
  if (r->outcome == HK_OUTCOME_OK) {
    char sql[100];
    snprintf(sql, sizeof sql, "DELETE FROM variant WHERE number=%lld AND status<>'ok'",
             (long long)r->number);
    if (c->out->failed && execute(c->db, sql, err)) return HK_EIO;
  } else {
    c->out->failed++;
  }
  return add_row(c, r->number, r, err);
}

/* Copies the rows of variants that occur twice in a list and were run once. */
static hk_status copy_alike(collecting *c, hk_error *err) {
  const hk_study *s = c->plan->study;
  bool any = false;
  for (int g = 0; g < s->n_groups; g++) {
    int64_t unit = s->sample.n;
    for (int k = g + 1; k < s->n_groups; k++) unit *= s->group_count[k];
    for (int64_t i = 0; i < s->group_count[g] && !any; i++)
      any = hk_plan_first_alike(c->plan, i * unit) != i * unit;
  }
  sqlite3_stmt *find = NULL;
  if (!any) return HK_OK;
  if (sqlite3_prepare_v2(c->db, "SELECT * FROM variant WHERE number=?", -1, &find, NULL))
    return sql_fail(c->db, "the table cannot be read", err);
  double *value = calloc((size_t)s->n_measures + 1, sizeof *value);
  hk_status status = value ? HK_OK : hk_fail(err, HK_ENOMEM, "out of memory");
  for (int64_t i = 0; i < c->plan->n && !status; i++) {
    int64_t first = hk_plan_first_alike(c->plan, i);
    if (first == i) continue;
    sqlite3_bind_int64(find, 1, first);
    if (sqlite3_step(find) == SQLITE_ROW) {
      const char *error = (const char *)sqlite3_column_text(find, 3);
      const char *word = (const char *)sqlite3_column_text(find, 2);
      for (int k = 0; k < s->n_measures; k++) {
        int at = 4 + s->n_axes + k;
        value[k] =
            sqlite3_column_type(find, at) == SQLITE_NULL ? NAN : sqlite3_column_double(find, at);
      }
      const hk_record r = {
          .outcome = word && strcmp(word, "ok") == 0 ? HK_OUTCOME_OK : HK_OUTCOME_FAILED,
          .value = value,
          .error = error ? error : ""};
      hk_variant_make(&c->variant, c->plan, i);
      status = add_row(c, i, &r, err);
    }
    sqlite3_reset(find);
  }
  free(value);
  sqlite3_finalize(find);
  return status;
}

static hk_status count_rows(collecting *c, hk_error *err) {
  sqlite3_stmt *q = NULL;
  hk_status status = HK_OK;
  const char *sql = c->plan->study->n_limits
                        ? "SELECT count(*), ifnull(sum(status<>'ok'),0), "
                          "ifnull(sum(feasible=0),0) FROM variant"
                        : "SELECT count(*), ifnull(sum(status<>'ok'),0), 0 FROM variant";
  if (sqlite3_prepare_v2(c->db, sql, -1, &q, NULL) || sqlite3_step(q) != SQLITE_ROW)
    status = sql_fail(c->db, "the table cannot be read", err);
  if (!status) {
    c->out->done = sqlite3_column_int64(q, 0);
    c->out->failed = sqlite3_column_int64(q, 1);
    c->out->infeasible = sqlite3_column_int64(q, 2);
  }
  sqlite3_finalize(q);
  return status;
}

static hk_status fill(collecting *c, const char *folder, hk_error *err) {
  hk_status status = execute(c->db,
                             "PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA "
                             "page_size=4096; PRAGMA encoding='UTF-8'; BEGIN",
                             err);
  if (!status) status = create_tables(c, err);
  if (!status)
    status = hk_journal_read_all(folder, c->plan->identity, c->plan->study->n_measures, take, c,
                                 &c->out->scan, err);
  if (!status) status = copy_alike(c, err);
  const hk_study *s = c->plan->study;
  if (!status)
    status = hk_collect_front(c->db, s, s->n_axes + s->n_measures, count_columns(s), err);
  if (!status) status = count_rows(c, err);
  sqlite3_finalize(c->insert);
  c->insert = NULL;
  return status ? status : execute(c->db, "COMMIT", err);
}

/* ---- the file ---- */

/* Moves the file to its final name. Rows were written in the order of the journals. The SQL
 * command VACUUM sorts them by number, so that equal rows give an identical file. */
static hk_status move_into_place(sqlite3 *db, const char *draft, const char *path, hk_error *err) {
  unlink(draft);
  char *sql = sqlite3_mprintf("VACUUM INTO %Q", draft);
  hk_status status = sql ? execute(db, sql, err) : hk_fail(err, HK_ENOMEM, "out of memory");
  sqlite3_free(sql);
  int fd = status ? -1 : open(draft, O_RDWR | O_CLOEXEC);
  if (!status && (fd < 0 || fsync(fd) || rename(draft, path)))
    status = hk_fail(err, HK_EIO, "cannot write '%s': %s", path, strerror(errno));
  if (fd >= 0) close(fd);
  if (status) unlink(draft);
  return status;
}

/* Counts the tables of the schema above. */
static hk_status check_collection(const char *path, hk_error *err) {
  sqlite3 *db = NULL;
  sqlite3_stmt *s = NULL;
  static const char ask[] =
      "SELECT count(*) FROM sqlite_master WHERE type='table' AND name IN "
      "('variant','column','study')";
  int code = sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY, NULL);
  if (code == SQLITE_OK) code = sqlite3_prepare_v2(db, ask, -1, &s, NULL);
  if (code == SQLITE_OK) code = sqlite3_step(s);
  const bool ours = code == SQLITE_ROW && sqlite3_column_int(s, 0) == 3;
  sqlite3_finalize(s);
  sqlite3_close(db);
  if (ours) return HK_OK;
  if (code == SQLITE_BUSY || code == SQLITE_LOCKED)
    return hk_fail(err, HK_EIO,
                   "'%s' is in use by another program; try again after that program has ended",
                   path);
  return hk_fail(err, HK_EINPUT, NOT_OURS, path);
}

hk_status hk_collect_check(const char *path, hk_error *err) {
  struct stat about;
  if (stat(path, &about) != 0 && errno == ENOENT) return HK_OK;
  FILE *file = hk_file_open(path); /* NULL: it is not a regular file, or cannot be read */
  if (!file && errno != EISDIR && errno != ESPIPE)
    return hk_fail(err, HK_EIO, "cannot read '%s': %s", path, strerror(errno));
  if (!file) return hk_fail(err, HK_EINPUT, NOT_OURS, path);
  const bool empty = fgetc(file) == EOF;
  fclose(file);
  return empty ? HK_OK : check_collection(path, err);
}

hk_status hk_collect(const hk_plan *plan, const char *folder, const char *path, hk_collection *out,
                     hk_error *err) {
  char lock_path[4096], draft[4096], raw[4096];
  *out = (hk_collection){.variants = plan->n};
  hk_status status = hk_collect_check(path, err);
  if (status) return status;
  snprintf(lock_path, sizeof lock_path, "%s.lock", path);
  snprintf(draft, sizeof draft, "%s.%ld.draft", path, (long)getpid());
  snprintf(raw, sizeof raw, "%s.%ld.raw", path, (long)getpid());
  int lock = open(lock_path, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (lock < 0) return hk_fail(err, HK_EIO, "cannot write '%s': %s", lock_path, strerror(errno));
  hk_file_note(lock_path);
  while (flock(lock, LOCK_EX) && errno == EINTR)
    ;
  collecting c = {.plan = plan, .out = out};
  const size_t n = (size_t)hk_row_column_count(plan->study) + 1;
  c.si = calloc((size_t)(plan->study->n_axes + plan->study->n_measures) + 1, sizeof *c.si);
  c.value = calloc(n, sizeof *c.value);
  c.word = calloc(n, sizeof *c.word);
  status = c.si && c.value && c.word ? hk_variant_init(&c.variant, plan->study, err)
                                     : hk_fail(err, HK_ENOMEM, "out of memory");
  unlink(raw);
  if (!status && sqlite3_open(raw, &c.db)) status = sql_fail(c.db, "cannot write the table", err);
  if (!status) status = fill(&c, folder, err);
  if (!status) status = move_into_place(c.db, draft, path, err);
  sqlite3_finalize(c.insert);
  sqlite3_close(c.db);
  unlink(raw);
  hk_variant_free(&c.variant);
  free(c.si);
  free(c.value);
  free(c.word);
  close(lock);
  return status;
}

/* ---- as text ---- */

static void put_field(FILE *out, const char *text) {
  bool quote = strpbrk(text, ",\"\n\r") != NULL;
  if (quote) fputc('"', out);
  for (; *text; text++) {
    if (*text == '"') fputc('"', out);
    fputc(*text, out);
  }
  if (quote) fputc('"', out);
}

static void put_titles(sqlite3 *db, FILE *out) {
  sqlite3_stmt *q = NULL;
  fputs("variant,status", out);
  if (sqlite3_prepare_v2(db, "SELECT name, unit FROM column ORDER BY position", -1, &q, NULL) == 0)
    while (sqlite3_step(q) == SQLITE_ROW) {
      const char *name = (const char *)sqlite3_column_text(q, 0),
                 *unit = (const char *)sqlite3_column_text(q, 1);
      char title[600];
      snprintf(title, sizeof title, unit && *unit ? "%s [%s]" : "%s", name ? name : "", unit);
      fputc(',', out);
      put_field(out, title);
    }
  sqlite3_finalize(q);
  fputs(",error\n", out);
}

static void put_rows(sqlite3 *db, FILE *out) {
  sqlite3_stmt *q = NULL;
  if (sqlite3_prepare_v2(db, "SELECT * FROM variant ORDER BY number", -1, &q, NULL)) return;
  int n = sqlite3_column_count(q);
  while (sqlite3_step(q) == SQLITE_ROW) {
    fprintf(out, "%lld,%s", (long long)sqlite3_column_int64(q, 0),
            (const char *)sqlite3_column_text(q, 2));
    for (int i = 4; i < n; i++) {
      char number[HK_CSV_NUMBER_SIZE];
      fputc(',', out);
      switch (sqlite3_column_type(q, i)) {
        case SQLITE_NULL:
          break;
        case SQLITE_TEXT:
          put_field(out, (const char *)sqlite3_column_text(q, i));
          break;
        default:
          hk_csv_number(number, sqlite3_column_double(q, i));
          fputs(number, out);
      }
    }
    fputc(',', out);
    put_field(out, (const char *)sqlite3_column_text(q, 3));
    fputc('\n', out);
  }
  sqlite3_finalize(q);
}

hk_status hk_collect_csv(const char *path, const char *csv, hk_error *err) {
  sqlite3 *db = NULL;
  hk_new_file out = {0};
  hk_status status = HK_OK;
  hk_file_note(path);
  if (sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY, NULL))
    status = sql_fail(db, "the table cannot be read", err);
  if (!status) status = hk_new_file_open(&out, csv, err);
  if (!status) {
    put_titles(db, out.file);
    put_rows(db, out.file);
    status = hk_new_file_close(&out, HK_OK, err);
  }
  sqlite3_close(db);
  return status;
}

/* ---- finished variants ---- */

typedef struct marking {
  const hk_plan *plan;
  hk_variant variant;
  unsigned char *bits;
  int64_t n;
} marking;

static hk_status mark(void *context, const hk_record *r, hk_error *err) {
  marking *m = context;
  (void)err;
  if (r->number < 0 || r->number >= m->plan->n) return HK_OK;
  hk_variant_make(&m->variant, m->plan, r->number);
  if (memcmp(m->variant.key, r->key, HK_KEY_SIZE) != 0) return HK_OK;
  unsigned char *byte = &m->bits[r->number / 8], bit = (unsigned char)(1 << r->number % 8);
  m->n += !(*byte & bit);
  *byte |= bit;
  return HK_OK;
}

hk_status hk_collect_done(const hk_plan *plan, const char *folder, unsigned char **bits,
                          int64_t *n_done, hk_journal_scan *scan, hk_error *err) {
  marking m = {.plan = plan, .bits = calloc((size_t)plan->n / 8 + 1, 1)};
  *bits = NULL;
  hk_status status = m.bits ? hk_variant_init(&m.variant, plan->study, err)
                            : hk_fail(err, HK_ENOMEM, "out of memory");
  if (!status)
    status =
        hk_journal_read_all(folder, plan->identity, plan->study->n_measures, mark, &m, scan, err);
  hk_variant_free(&m.variant);
  if (status) {
    free(m.bits);
    return status;
  }
  *bits = m.bits;
  *n_done = m.n;
  return HK_OK;
}
