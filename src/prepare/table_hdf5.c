/* Points of a table from HDF5: a channel of hooke's results over time or over another channel, or two
 * datasets of numbers of any other file, with their unit in an attribute `unit` or `units`. */
#include "base/memory_check.h"
#include "results/results.h"
#include "results/hdf5_unit.h"
#include "results/results_hdf5.h"
#include "prepare/prepare.h"
#include "spec/item.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool no_memory(const hk_table_request *q, hk_diag *diag) {
  diag->out_of_memory = true;
  hk_diag_add(diag, HK_ERROR, q->from, "out of memory");
  return false;
}

/* Call after a failure of HDF5, before any other HDF5 function. */
static bool damaged(const hk_table_request *q, const char *what, hk_diag *diag) {
  if (hk_hdf5_lacks_memory()) return no_memory(q, diag);
  hk_diag_add(diag, HK_ERROR, q->from, "cannot read '%s': %s", q->path, what);
  return false;
}

/* Converts columns in the file's units to points. */
static bool convert(const hk_table_request *q, hk_table_points *out, const hk_unit *ux,
                    const hk_unit *uy, hk_diag *diag) {
  out->x_dim = ux->dim, out->y_dim = uy->dim;
  for (int i = 0; i < out->n; i++) {
    out->x[i] = hk_unit_to_si(ux, out->x[i]);
    out->y[i] = hk_unit_to_si(uy, out->y[i]);
    if (!isfinite(out->x[i]) || !isfinite(out->y[i])) {
      hk_diag_add(diag, HK_ERROR, q->from, "'%s': row %d is not finite: x = %g, y = %g", q->path,
                  i + 1, out->x[i], out->y[i]);
      return false;
    }
    if (i && !(out->x[i] > out->x[i - 1])) {
      hk_diag_add(diag, HK_ERROR, q->from,
                  "'%s': x must increase, but in row %d %.9g follows %.9g (in SI units)", q->path,
                  i + 1, out->x[i], out->x[i - 1]);
      return false;
    }
  }
  return true;
}

static bool make_room(const hk_table_request *q, hk_table_points *out, int64_t n, hk_diag *diag) {
  if (n > HK_TABLE_MAX_POINTS) {
    hk_diag_add(diag, HK_ERROR, q->from, "'%s' has more than %d points", q->path,
                HK_TABLE_MAX_POINTS);
    return false;
  }
  out->n = (int)n;
  out->x = calloc((size_t)n + 1, sizeof *out->x);
  out->y = calloc((size_t)n + 1, sizeof *out->y);
  return (out->x && out->y) || no_memory(q, diag);
}

/* --- results of hooke ------------------------------------------------------------------------ */

static bool read_channels(const hk_table_request *q, hk_results *r, hk_table_points *out,
                          hk_diag *diag) {
  int n = hk_results_channel_count(r);
  const char **names = malloc((size_t)n * sizeof *names);
  if (!names) return no_memory(q, diag);
  for (int i = 0; i < n; i++) names[i] = hk_results_name(r, i);
  int cx = hk_table_find_column(q, "x", q->x, 0, names, n, diag);
  int cy = cx < 0           ? -1
           : q->y || n == 2 ? hk_table_find_column(q, "y", q->y, 1, names, n, diag)
                            : -1;
  free(names);
  if (cx >= 0 && !q->y && n != 2)
    hk_diag_add(diag, HK_ERROR, q->from, "'%s' has %d channels; give the column of y", q->path, n);
  if (cx < 0 || cy < 0) return false;
  hk_unit ux, uy;
  hk_error err = {0};
  if (!hk_table_unit(q, hk_results_name(r, cx), hk_results_unit(r, cx), q->x_unit, &ux, diag) ||
      !hk_table_unit(q, hk_results_name(r, cy), hk_results_unit(r, cy), q->y_unit, &uy, diag) ||
      !make_room(q, out, hk_results_row_count(r), diag))
    return false;
  hk_status status = out->n ? hk_results_read_column(r, cx, out->x, &err) : HK_OK;
  if (!status && out->n) status = hk_results_read_column(r, cy, out->y, &err);
  if (status) {
    if (status == HK_ENOMEM) diag->out_of_memory = true;
    hk_diag_add(diag, HK_ERROR, q->from, "%s", err.text);
    return false;
  }
  return convert(q, out, &ux, &uy, diag);
}

/* --- other files ----------------------------------------------------------------------------- */

typedef struct dataset {
  hid_t set;
  hsize_t n;
  char *unit;
} dataset;

static bool open_dataset(const hk_table_request *q, hid_t file, const char *axis, const char *name,
                         dataset *d, hk_diag *diag) {
  *d = (dataset){.set = -1};
  if (!name) {
    hk_diag_add(diag, HK_ERROR, q->from,
                "'%s' is not a results file of hooke; give the name of the dataset of %s, such as "
                "'/road/%s'",
                q->path, axis, axis);
    return false;
  }
  d->set = hk_hdf5_dataset(file, name);
  hid_t type = d->set < 0 ? -1 : H5Dget_type(d->set),
        space = d->set < 0 ? -1 : H5Dget_space(d->set);
  H5T_class_t kind = type < 0 ? H5T_NO_CLASS : H5Tget_class(type);
  bool ok = (kind == H5T_FLOAT || kind == H5T_INTEGER) && space >= 0 &&
            H5Sget_simple_extent_ndims(space) == 1 &&
            H5Sget_simple_extent_dims(space, &d->n, NULL) == 1;
  if (space >= 0) H5Sclose(space);
  if (type >= 0) H5Tclose(type);
  if (!ok) {
    hk_diag_add(diag, HK_ERROR, q->from, "'%s' has no dataset '%s' that is a row of numbers",
                q->path, name);
    return false;
  }
  hk_status status = hk_hdf5_unit_read(d->set, &d->unit);
  if (status == HK_ENOMEM)
    diag->out_of_memory = true;
  else if (status)
    hk_diag_add(diag, HK_ERROR, q->from,
                "'%s': the unit of '%s' is not a short text that can be read", q->path, name);
  return !status;
}

static void close_dataset(dataset *d) {
  if (d->set >= 0) H5Dclose(d->set);
  free(d->unit);
}

static bool read_pair(const hk_table_request *q, const dataset *x, const dataset *y,
                      hk_table_points *out, hk_diag *diag) {
  hk_unit ux, uy;
  if (x->n != y->n) {
    hk_diag_add(diag, HK_ERROR, q->from,
                "'%s': '%s' has %llu values, but '%s' has %llu; both need the same number", q->path,
                q->x, (unsigned long long)x->n, q->y, (unsigned long long)y->n);
    return false;
  }
  if (!hk_table_unit(q, q->x, x->unit, q->x_unit, &ux, diag) ||
      !hk_table_unit(q, q->y, y->unit, q->y_unit, &uy, diag) ||
      !make_room(q, out, x->n > HK_TABLE_MAX_POINTS ? INT64_MAX : (int64_t)x->n, diag))
    return false;
  if (H5Dread(x->set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, out->x) < 0 ||
      H5Dread(y->set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, out->y) < 0)
    return damaged(q, "its datasets are damaged", diag);
  return convert(q, out, &ux, &uy, diag);
}

static bool read_datasets(const hk_table_request *q, hk_table_points *out, hk_diag *diag) {
  hk_hdf5_guard guard;
  hk_hdf5_enter(&guard, q->path);
  dataset x = {.set = -1}, y = {.set = -1};
  hid_t file = H5Fopen(q->path, H5F_ACC_RDONLY, H5P_DEFAULT);
  if (file < 0) damaged(q, "it is damaged", diag);
  bool ok = file >= 0 && open_dataset(q, file, "x", q->x, &x, diag) &&
            open_dataset(q, file, "y", q->y, &y, diag) && read_pair(q, &x, &y, out, diag);
  close_dataset(&x);
  close_dataset(&y);
  if (file >= 0) H5Fclose(file);
  hk_hdf5_leave(&guard);
  return ok;
}

/* Returns true if the file is an HDF5 file that hooke did not write. A file that another process is writing cannot be
 * opened in this mode and does not count as such a file. */
static bool is_foreign(const char *path) {
  hk_hdf5_guard guard;
  hk_hdf5_enter(&guard, path);
  hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
  bool foreign = file >= 0 && H5Aexists(file, "hooke_results") == 0;
  if (file >= 0) H5Fclose(file);
  hk_hdf5_leave(&guard);
  return foreign;
}

bool hk_table_hdf5_read(const hk_table_request *q, hk_table_points *out, hk_diag *diag) {
  hk_results *r;
  hk_error err = {0};
  if (hk_memory_check(HK_MEMORY_HDF5, "reading HDF5", &err)) {
    diag->out_of_memory = true;
    hk_diag_add(diag, HK_ERROR, q->from, "%s", err.text);
    return false;
  }
  if (is_foreign(q->path)) return read_datasets(q, out, diag);
  hk_status status = hk_results_open(q->path, &r, &err);
  if (status) {
    if (status == HK_ENOMEM) diag->out_of_memory = true;
    hk_diag_add(diag, HK_ERROR, q->from, "%s", err.text);
    return false;
  }
  bool ok = read_channels(q, r, out, diag);
  hk_results_destroy(r);
  return ok;
}
