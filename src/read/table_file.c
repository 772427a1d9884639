/* Points of a table from a file: detection of the file format, and functions common to both readers. */
#include "read/table_file.h"
#include "base/file.h"
#include <hooke/element.h>
#include "spec/item.h"
#include "spec/signal.h"
#include <hooke/model_file.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void hk_table_points_free(hk_table_points *p) {
  free(p->x);
  free(p->y);
  *p = (hk_table_points){0};
}

bool hk_table_points_add(hk_table_points *p, int *capacity, double x, double y,
                         const hk_table_request *q, hk_diag *diag) {
  if (p->n == HK_TABLE_MAX_POINTS) {
    hk_diag_add(diag, HK_ERROR, q->from,
                "'%s' has more than %d points; reduce their number, for example to every tenth",
                q->path, HK_TABLE_MAX_POINTS);
    return false;
  }
  if (p->n == *capacity) {
    int wanted = *capacity ? 2 * *capacity : 256;
    double *xs = realloc(p->x, (size_t)wanted * sizeof *xs);
    if (xs) p->x = xs;
    double *ys = xs ? realloc(p->y, (size_t)wanted * sizeof *ys) : NULL;
    if (ys) p->y = ys;
    if (!ys) {
      diag->out_of_memory = true;
      hk_diag_add(diag, HK_ERROR, q->from, "out of memory");
      return false;
    }
    *capacity = wanted;
  }
  p->x[p->n] = x;
  p->y[p->n++] = y;
  return true;
}

static bool parse_unit(const hk_table_request *q, const char *text, const char *what, hk_unit *unit,
                       hk_diag *diag) {
  hk_error err = {0};
  if (hk_unit_parse(text, strlen(text), unit, &err) == HK_OK) return true;
  hk_diag_add(diag, HK_ERROR, q->from, "%s: %s", what, err.text);
  return false;
}

bool hk_table_unit(const hk_table_request *q, const char *column, const char *in_file,
                   const char *asked, hk_unit *unit, hk_diag *diag) {
  char what[400];
  hk_unit told;
  bool has_told = in_file && *in_file && strcmp(in_file, "-") != 0;
  *unit = (hk_unit){.factor = 1};
  snprintf(what, sizeof what, "unit of column '%.100s' of '%.200s'", q->quiet ? "?" : column,
           q->path);
  if (has_told && q->quiet && hk_unit_parse(in_file, strlen(in_file), &told, NULL)) {
    hk_diag_add(diag, HK_ERROR, q->from, "a unit in '%s' is not understood", q->path);
    return false;
  }
  if (has_told && !parse_unit(q, in_file, what, &told, diag)) return false;
  if (!asked) {
    if (has_told) *unit = told;
    return true;
  }
  if (!parse_unit(q, asked, what, unit, diag)) return false;
  if (!has_told || (hk_dim_equal(unit->dim, told.dim) && unit->factor == told.factor &&
                    unit->offset == told.offset))
    return true;
  hk_diag_add(diag, HK_ERROR, q->from,
              "column '%s' of '%s' is in %s according to the file, not in %s; omit the unit",
              q->quiet ? "?" : column, q->path, in_file, asked);
  return false;
}

/* "time, height, speed" */
static void list_names(const char *const *names, int n, char *buf, size_t size) {
  size_t used = 0;
  *buf = 0;
  for (int i = 0; i < n && i < 12 && used < size; i++)
    used += (size_t)snprintf(buf + used, size - used, "%s%.60s", i ? ", " : "", names[i]);
  if (n > 12 && used < size) snprintf(buf + used, size - used, ", ...");
}

int hk_table_find_column(const hk_table_request *q, const char *axis, const char *asked,
                         int standard, const char *const *names, int n, hk_diag *diag) {
  char list[600], *end;
  if (q->quiet)
    snprintf(list, sizeof list, "%d columns", n);
  else
    list_names(names, n, list, sizeof list);
  if (!asked) {
    if (standard < n) return standard;
    hk_diag_add(diag, HK_ERROR, q->from, "'%s' has no column for %s; it has %s", q->path, axis,
                n ? list : "none");
    return -1;
  }
  for (int i = 0; i < n; i++)
    if (strcmp(names[i], asked) == 0) return i;
  long number = strtol(asked, &end, 10);
  if (*asked && !*end && number >= 1 && number <= n) return (int)number - 1;
  const char *near = q->quiet ? NULL : hk_nearest_name(asked, names, n);
  if (near)
    hk_diag_add(diag, HK_ERROR, q->from, "'%s' has no column '%s'; did you mean '%s'?", q->path,
                asked, near);
  else
    hk_diag_add(diag, HK_ERROR, q->from, "'%s' has no column '%s'; it has %s", q->path, asked,
                n ? list : "none");
  return -1;
}

/* Checks type and size of the file. */
static bool look_at(const hk_table_request *q, bool *hdf5, hk_diag *diag) {
  static const unsigned char magic[8] = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};
  unsigned char head[8] = {0};
  struct stat st = {0};
  int fd = open(q->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) {
    hk_diag_add(diag, HK_ERROR, q->from, "cannot read '%s': %s", q->path, strerror(errno));
    return false;
  }
  hk_file_note(q->path);
  bool regular = fstat(fd, &st) == 0 && S_ISREG(st.st_mode);
  ssize_t n = regular ? pread(fd, head, sizeof head, 0) : 0;
  close(fd);
  *hdf5 = n == (ssize_t)sizeof head && memcmp(head, magic, sizeof magic) == 0;
  if (!regular)
    hk_diag_add(diag, HK_ERROR, q->from, "cannot read '%s': it is not a regular file", q->path);
  else if (n <= 0)
    hk_diag_add(diag, HK_ERROR, q->from, "'%s' is empty", q->path);
  else if (!*hdf5 && st.st_size > HK_TABLE_MAX_BYTES)
    hk_diag_add(diag, HK_ERROR, q->from, "'%s' has %lld MiB; a table file may have at most %d MiB",
                q->path, (long long)st.st_size >> 20, HK_TABLE_MAX_BYTES >> 20);
  else
    return true;
  return false;
}

bool hk_table_file_read(const hk_table_request *q, hk_table_reader *hdf5, hk_table_points *out,
                        hk_diag *diag) {
  bool is_hdf5;
  *out = (hk_table_points){0};
  if (!look_at(q, &is_hdf5, diag)) return false;
  if (is_hdf5 && !hdf5) {
    hk_diag_add(diag, HK_ERROR, q->from,
                "'%s' is an HDF5 file, which this program does not read; export it as CSV",
                q->path);
    return false;
  }
  bool ok = (is_hdf5 ? hdf5 : hk_table_csv_read)(q, out, diag);
  if (ok && out->n < 2) {
    hk_diag_add(diag, HK_ERROR, q->from, "'%s' has %s; a table needs at least two points", q->path,
                out->n ? "one point" : "no points");
    ok = false;
  }
  if (!ok) hk_table_points_free(out);
  return ok;
}

hk_status hk_table_load_from(hk_item *table, const char *path, const hk_table_files *files,
                             hk_diag *diag) {
  if (table->type->category != HK_TABLE)
    return hk_diag_add(diag, HK_ERROR, NULL, "'%s' is not a table", table->name);
  const hk_table_params *p = table->data;
  hk_table_request q = {.path = path ? path : p->file,
                        .x = p->x,
                        .y = p->y,
                        .x_unit = p->x_unit,
                        .y_unit = p->y_unit,
                        .quiet = files->quiet,
                        .from = hk_item_location(table, "file")};
  hk_table_points got;
  hk_error err = {0};
  if (!q.path) return hk_diag_add(diag, HK_ERROR, q.from, "table '%s' has no file", table->name);
  if (!hk_table_file_read(&q, files->hdf5, &got, diag)) return HK_EINPUT;
  const hk_points points = {got.n, got.x, got.y, got.x_dim, got.y_dim};
  hk_status status =
      hk_item_set_points(table, hk_type_param_find(table->type, "points"), &points, &err);
  hk_table_points_free(&got);
  if (status) diag->out_of_memory = true;
  return status ? hk_diag_add(diag, HK_ERROR, q.from, "%s", err.text) : HK_OK;
}
