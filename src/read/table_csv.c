/* Points of a table from comma-separated values: see table_file.h. */
#include "base/number.h"
#include "base/file.h"
#include "read/table_file.h"
#include <ctype.h>
#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_COLUMNS = 4096 };

typedef struct reader {
  const hk_table_request *q;
  hk_diag *diag;
  char *text, *next; /* text of the file, and its next line */
  int line;
  char separator;          /* ',', ';', '\t'; ' ': any number of blanks */
  char *cell[MAX_COLUMNS]; /* cells of the present line, without surrounding blanks and quotes */
  int column[MAX_COLUMNS]; /* columns at which the cells begin, from 1 */
  int n;
} reader;

static bool complain(const reader *r, int column, const char *fmt, ...) HK_PRINTF(3, 4);

static bool complain(const reader *r, int column, const char *fmt, ...) {
  char text[600];
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(text, sizeof text, fmt, ap);
  va_end(ap);
  const hk_location place = {r->q->path, r->line, column};
  hk_diag_add(r->diag, HK_ERROR, &place, "%s", text);
  return false;
}

static char *read_all(const char *path, hk_diag *diag, const hk_location *from) {
  FILE *in = hk_file_open(path);
  char *text = NULL;
  size_t n = 0, capacity = 0;
  bool starved = false;
  while (in) {
    if (n + 65536 > capacity) {
      capacity = capacity ? 2 * capacity : 1 << 17;
      char *grown =
          capacity <= (size_t)HK_TABLE_MAX_BYTES + (1 << 18) ? realloc(text, capacity) : NULL;
      starved = !grown;
      if (starved) break;
      text = grown;
    }
    size_t got = fread(text + n, 1, 65535, in);
    n += got;
    if (got < 65535) break;
  }
  bool failed = !in || ferror(in) || starved;
  if (starved) diag->out_of_memory = true;
  if (failed)
    hk_diag_add(diag, HK_ERROR, from, "cannot read '%s': %s", path,
                starved ? "out of memory" : strerror(errno));
  if (in) fclose(in);
  if (failed) {
    free(text);
    return NULL;
  }
  text[n] = 0;
  if (strlen(text) != n) {
    hk_diag_add(diag, HK_ERROR, from, "'%s' is neither text nor HDF5", path);
    free(text);
    return NULL;
  }
  return text;
}

/* Returns the next line that is neither empty nor a comment, without its line end. */
static char *next_line(reader *r) {
  while (*r->next) {
    char *line = r->next, *end = line + strcspn(line, "\n");
    r->next = *end ? end + 1 : end;
    *end = 0;
    if (end > line && end[-1] == '\r') end[-1] = 0;
    r->line++;
    size_t blank = strspn(line, " \t");
    if (line[blank] && line[blank] != '#') return line;
  }
  return NULL;
}

static char find_separator(const char *line) {
  return strchr(line, ';') ? ';' : strchr(line, '\t') ? '\t' : strchr(line, ',') ? ',' : ' ';
}

static char *trim(char *s) {
  while (*s == ' ' || *s == '\t') s++;
  char *end = s + strlen(s);
  while (end > s && (end[-1] == ' ' || end[-1] == '\t')) *--end = 0;
  return s;
}

/* Converts a quoted cell: doubled quotes mean one quote.  Returns the text after the cell; NULL:
 * the quote is not closed. */
static char *unquote(char *s) {
  char *to = s;
  for (char *from = s + 1; *from; from++) {
    if (*from == '"' && from[1] != '"') {
      *to = 0;
      return from + 1;
    }
    if (*from == '"') from++;
    *to++ = *from;
  }
  return NULL;
}

/* Returns a cell for a message: contents of files outside of the model's folder are not shown. */
static const char *quoted(const reader *r, const char *cell) { return r->q->quiet ? "..." : cell; }

static bool split(reader *r, char *line) {
  char *s = line;
  r->n = 0;
  for (;;) {
    while (*s == ' ' || (*s == '\t' && r->separator != '\t')) s++;
    if (r->separator == ' ' && !*s && r->n) return true;
    if (r->n == MAX_COLUMNS)
      return complain(r, 1, "this line has more than %d columns", MAX_COLUMNS);
    int k = r->n++;
    r->column[k] = (int)(s - line) + 1;
    r->cell[k] = s;
    if (*s == '"') {
      char *behind = unquote(s);
      if (!behind) return complain(r, r->column[k], "this quote is never closed");
      s = behind + strspn(behind, " ");
      if (*s && *s != r->separator)
        return complain(r, (int)(s - line) + 1, "unexpected '%.1s' after a quoted cell",
                        quoted(r, s));
    } else {
      const char stop[] = {r->separator, r->separator == ' ' ? '\t' : 0, 0};
      s += strcspn(s, stop);
    }
    bool last = !*s;
    if (!last) *s++ = 0;
    if (*r->cell[k] != '"') r->cell[k] = trim(r->cell[k]);
    if (last) return true;
  }
}

/* Returns true if the text is a number of any magnitude; "nan" and "inf" are not allowed. */
static bool is_number(const char *s, double *value) {
  char *end;
  *value = hk_number_read(s, &end);
  return end != s && !*end && !strpbrk(s, "nNiIxX");
}

static bool read_number(const reader *r, int k, const hk_unit *unit, double *value) {
  const char *s = r->cell[k];
  if (!*s) return complain(r, r->column[k], "a number is missing");
  if (!is_number(s, value))
    return complain(r, r->column[k], "'%.60s' is not a number%s", quoted(r, s),
                    strchr(s, ',') ? "; write a decimal point" : "");
  *value = hk_unit_to_si(unit, *value);
  if (!isfinite(*value)) return complain(r, r->column[k], "'%.60s' is too large", quoted(r, s));
  return true;
}

/* --- header ---------------------------------------------------------------------------------- */

typedef struct header {
  char **name, **unit; /* [n]; units may be NULL */
  int n;
} header;

/* Separates the unit from a name such as `height [mm]` or `height (mm)`. */
static char *cut_unit(char *title) {
  size_t n = strlen(title);
  char close = n ? title[n - 1] : 0, open = close == ']' ? '[' : close == ')' ? '(' : 0;
  char *begin = open ? strrchr(title, open) : NULL;
  if (!begin) return NULL;
  title[n - 1] = 0;
  *begin = 0;
  trim(title);
  return trim(begin + 1);
}

static bool numeric_line(const reader *r) {
  double value;
  for (int i = 0; i < r->n; i++)
    if (is_number(r->cell[i], &value)) return true;
  return false;
}

/* Returns true if every cell of the line below the names is a unit or empty. */
static bool unit_line(reader *r) {
  for (int i = 0; i < r->n; i++) {
    char *s = r->cell[i];
    size_t n = strlen(s);
    if (n > 1 && ((s[0] == '[' && s[n - 1] == ']') || (s[0] == '(' && s[n - 1] == ')'))) {
      s[n - 1] = 0;
      r->cell[i] = trim(s + 1);
    }
    hk_unit unit;
    if (*r->cell[i] && strcmp(r->cell[i], "-") != 0 &&
        hk_unit_parse(r->cell[i], strlen(r->cell[i]), &unit, NULL) != HK_OK)
      return false;
  }
  return true;
}

static bool ragged(const reader *r, int wanted) {
  return complain(r, 1, "this line has %d column%s, but the first line has %d", r->n,
                  r->n == 1 ? "" : "s", wanted);
}

/* With blanks as separators, `time [s]` is split into two cells: joins them. */
static void join_units(reader *r) {
  int n = 0;
  for (int i = 0; i < r->n; i++) {
    bool unit = *r->cell[i] == '[' || *r->cell[i] == '(';
    /* second part of the previous cell, which contained a blank and was therefore split */
    if (unit && n > 0)
      for (char *p = r->cell[i] - 1; !*p || *p == ' ' || *p == '\t'; p--) *p = ' ';
    else
      r->cell[n] = r->cell[i], r->column[n] = r->column[i], n++;
  }
  r->n = n;
}

/* Reads names and units, up to the first line of numbers.  Columns without names are identified by
 * their numbers. */
static bool read_header(reader *r, header *h, bool *done) {
  char *line = next_line(r);
  *done = !line;
  if (!line) return true;
  r->separator = find_separator(line);
  if (!split(r, line)) return false;
  if (r->separator == ' ') join_units(r);
  h->n = r->n;
  h->name = calloc((size_t)r->n, sizeof *h->name);
  h->unit = calloc((size_t)r->n, sizeof *h->unit);
  if (!h->name || !h->unit) return complain(r, 1, "out of memory");
  static char nameless[] = "";
  bool numbers = numeric_line(r);
  for (int i = 0; i < h->n; i++) {
    h->name[i] = numbers ? nameless : r->cell[i];
    h->unit[i] = numbers ? NULL : cut_unit(r->cell[i]);
  }
  if (numbers) return true;
  line = next_line(r);
  *done = !line;
  if (!line) return true;
  if (!split(r, line)) return false;
  if (numeric_line(r) || r->n != h->n || !unit_line(r)) return true;
  for (int i = 0; i < h->n; i++)
    if (!h->unit[i]) h->unit[i] = r->cell[i];
  line = next_line(r);
  *done = !line;
  return *done || split(r, line);
}

/* --- points ---------------------------------------------------------------------------------- */

static bool read_points(reader *r, const header *h, bool done, hk_table_points *out) {
  const hk_table_request *q = r->q;
  const char *const *names = (const char *const *)h->name;
  int cx = hk_table_find_column(q, "x", q->x, 0, names, h->n, r->diag);
  if (cx < 0) return false;
  if (!q->y && h->n > 2) {
    hk_diag_add(r->diag, HK_ERROR, q->from, "'%s' has %d columns; give the column of y", q->path,
                h->n);
    return false;
  }
  int cy = hk_table_find_column(q, "y", q->y, cx == 1 ? 0 : 1, names, h->n, r->diag);
  hk_unit ux, uy;
  if (cy < 0 || !hk_table_unit(q, names[cx], h->unit[cx], q->x_unit, &ux, r->diag) ||
      !hk_table_unit(q, names[cy], h->unit[cy], q->y_unit, &uy, r->diag))
    return false;
  out->x_dim = ux.dim, out->y_dim = uy.dim;
  int capacity = 0;
  while (!done) {
    double x, y;
    if (r->n != h->n) return ragged(r, h->n);
    if (!read_number(r, cx, &ux, &x) || !read_number(r, cy, &uy, &y)) return false;
    if (out->n && !(x > out->x[out->n - 1]))
      return complain(r, r->column[cx], "x must ascend, but %s follows %.9g (in SI units)",
                      quoted(r, r->cell[cx]), r->q->quiet ? NAN : out->x[out->n - 1]);
    if (!hk_table_points_add(out, &capacity, x, y, q, r->diag)) return false;
    char *line = next_line(r);
    done = !line;
    if (line && !split(r, line)) return false;
  }
  return true;
}

/* Copies the names into one block, with the pointers to them at its start. */
static bool copy_names(const reader *r, const header *h, char ***names, int *n) {
  size_t size = ((size_t)h->n + 1) * sizeof(char *);
  for (int i = 0; i < h->n; i++) size += strlen(h->name[i]) + 1;
  *names = malloc(size);
  if (!*names) return complain(r, 1, "out of memory");
  char *at = (char *)(*names + h->n + 1);
  for (int i = 0; i < h->n; i++) {
    (*names)[i] = at;
    at = stpcpy(at, h->name[i]) + 1;
  }
  *n = h->n;
  return true;
}

/* Purpose of reading: the points, or only the names of the columns if `names` is given. */
static bool read_file(const hk_table_request *q, hk_table_points *out, char ***names, int *n,
                      hk_diag *diag) {
  reader *r = calloc(1, sizeof *r);
  header h = {0};
  /* The locale must not be used: with a decimal comma in the user's locale, numbers would be
   * truncated at their decimal point. */
  locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  bool ok = r && plain != (locale_t)0;
  if (!ok) hk_diag_add(diag, HK_ERROR, q->from, "out of memory");
  if (ok) {
    locale_t users = uselocale(plain);
    bool done = false;
    *r = (reader){.q = q, .diag = diag};
    r->text = read_all(q->path, diag, q->from);
    r->next = r->text;
    if (r->text && memcmp(r->text, "\xEF\xBB\xBF", 3) == 0) r->next += 3;
    ok = r->text && read_header(r, &h, &done) &&
         (names ? copy_names(r, &h, names, n) : read_points(r, &h, done, out));
    uselocale(users);
  }
  if (plain != (locale_t)0) freelocale(plain);
  free(h.name);
  free(h.unit);
  if (r) free(r->text);
  free(r);
  return ok;
}

bool hk_table_csv_read(const hk_table_request *q, hk_table_points *out, hk_diag *diag) {
  return read_file(q, out, NULL, NULL, diag);
}

bool hk_table_csv_columns(const hk_table_request *q, char ***names, int *n, hk_diag *diag) {
  *names = NULL;
  *n = 0;
  return read_file(q, NULL, names, n, diag);
}
