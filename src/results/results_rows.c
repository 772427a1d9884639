/* Columns and rows of a results file: see results_reader.h. */
#include "results/results_reader.h"
#include "base/required.h"
#include <string.h>

/* Reads a rectangle of /data. */
static hk_status read_block(hk_results *r, const hsize_t start[2], const hsize_t count[2],
                            double *out, hk_error *err) {
  hk_hdf5_guard guard;
  hk_hdf5_enter(&guard, r->path);
  hid_t space = H5Dget_space(r->data), memory = H5Screate_simple(2, count, NULL);
  bool ok = space >= 0 && memory >= 0 &&
            H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL) >= 0 &&
            H5Dread(r->data, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, out) >= 0;
  char reason[256];
  bool starved = !ok && hk_hdf5_lacks_memory();
  if (!ok) hk_hdf5_reason(reason, sizeof reason);
  if (memory >= 0) H5Sclose(memory);
  if (space >= 0) H5Sclose(space);
  hk_hdf5_leave(&guard);
  if (ok) return HK_OK;
  if (starved) return hk_results_no_memory(r, err);
  return hk_fail(err, HK_EIO, "cannot read '%s': rows are damaged (HDF5 says: %s)", r->path,
                 reason);
}

hk_status hk_results_read_column(hk_results *r, int channel, double *out, hk_error *err) {
  HK_REQUIRE(out, err);
  if (!r) return hk_fail(err, HK_EINPUT, "the results object is NULL");
  if (channel < 0 || channel >= r->n_channels)
    return hk_fail(err, HK_EINPUT, "'%s' has no channel number %d", r->path, channel);
  if (r->n_rows == 0) return HK_OK;
  const hsize_t start[2] = {0, (hsize_t)channel}, count[2] = {(hsize_t)r->n_rows, 1};
  return read_block(r, start, count, out, err);
}

/* Reads columns of /between as far as this table extends; rows beyond its end are left
 * unchanged. */
static bool read_between(const hk_results *r, hid_t set, int channel, double *out[3]) {
  hsize_t size[2] = {0, 0};
  hid_t space = H5Dget_space(set);
  bool ok = space >= 0 && H5Sget_simple_extent_ndims(space) == 2 &&
            H5Sget_simple_extent_dims(space, size, NULL) == 2 &&
            size[1] == 3 * (hsize_t)r->n_channels;
  hsize_t rows = size[0] < (hsize_t)r->n_rows ? size[0] : (hsize_t)r->n_rows;
  for (hsize_t k = 0; k < 3 && ok && rows > 0; k++) {
    const hsize_t start[2] = {0, 3 * (hsize_t)channel + k}, count[2] = {rows, 1};
    hid_t memory = H5Screate_simple(2, count, NULL);
    ok = memory >= 0 && H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL) >= 0 &&
         H5Dread(set, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, out[k]) >= 0;
    if (memory >= 0) H5Sclose(memory);
  }
  if (space >= 0) H5Sclose(space);
  return ok;
}

hk_status hk_results_read_between(hk_results *r, int channel, double *below, double *above,
                                  double *turns, hk_error *err) {
  HK_REQUIRE(below && above && turns, err);
  if (!r) return hk_fail(err, HK_EINPUT, "the results object is NULL");
  double *out[3] = {below, above, turns};
  if (channel < 0 || channel >= r->n_channels)
    return hk_fail(err, HK_EINPUT, "'%s' has no channel number %d", r->path, channel);
  for (int k = 0; k < 3; k++) memset(out[k], 0, (size_t)r->n_rows * sizeof **out);
  hk_hdf5_guard guard;
  hk_hdf5_enter(&guard, r->path);
  bool there = H5Lexists(r->file, "between", H5P_DEFAULT) > 0;
  hid_t set = there ? H5Dopen2(r->file, "between", H5P_DEFAULT) : -1;
  bool ok = !there || (set >= 0 && H5Drefresh(set) >= 0 && read_between(r, set, channel, out));
  hk_status status = ok ? HK_OK : hk_results_damaged(r, "the table /between", err);
  if (set >= 0) H5Dclose(set);
  hk_hdf5_leave(&guard);
  return status;
}

/* Reads rows of /between as far as this table extends. */
static bool read_between_rows(const hk_results *r, hid_t set, int64_t first, int64_t n,
                              float *out) {
  hsize_t size[2] = {0, 0};
  hid_t space = H5Dget_space(set), memory = -1;
  bool ok = space >= 0 && H5Sget_simple_extent_ndims(space) == 2 &&
            H5Sget_simple_extent_dims(space, size, NULL) == 2 &&
            size[1] == 3 * (hsize_t)r->n_channels;
  hsize_t left = size[0] > (hsize_t)first ? size[0] - (hsize_t)first : 0;
  const hsize_t start[2] = {(hsize_t)first, 0},
                count[2] = {left < (hsize_t)n ? left : (hsize_t)n, size[1]};
  if (ok && count[0] > 0) {
    memory = H5Screate_simple(2, count, NULL);
    ok = memory >= 0 && H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL) >= 0 &&
         H5Dread(set, H5T_NATIVE_FLOAT, memory, space, H5P_DEFAULT, out) >= 0;
  }
  if (memory >= 0) H5Sclose(memory);
  if (space >= 0) H5Sclose(space);
  return ok;
}

hk_status hk_results_read_between_rows(hk_results *r, int64_t first, int64_t n, float *out,
                                       hk_error *err) {
  if (first < 0 || n < 0 || first > r->n_rows || n > r->n_rows - first)
    return hk_fail(err, HK_EINPUT, "'%s' has %lld rows; %lld rows from row %lld on were requested",
                   r->path, (long long)r->n_rows, (long long)n, (long long)first);
  memset(out, 0, 3 * (size_t)n * (size_t)r->n_channels * sizeof *out);
  hk_hdf5_guard guard;
  hk_hdf5_enter(&guard, r->path);
  bool there = H5Lexists(r->file, "between", H5P_DEFAULT) > 0;
  hid_t set = there ? H5Dopen2(r->file, "between", H5P_DEFAULT) : -1;
  bool ok =
      !there || (set >= 0 && H5Drefresh(set) >= 0 && read_between_rows(r, set, first, n, out));
  hk_status status = ok ? HK_OK : hk_results_damaged(r, "the table /between", err);
  if (set >= 0) H5Dclose(set);
  hk_hdf5_leave(&guard);
  return status;
}

hk_status hk_results_read_rows(hk_results *r, int64_t first, int64_t n, double *out,
                               hk_error *err) {
  HK_REQUIRE(out || n <= 0, err);
  if (!r) return hk_fail(err, HK_EINPUT, "the results object is NULL");
  if (first < 0 || n < 0 || first > r->n_rows || n > r->n_rows - first)
    return hk_fail(err, HK_EINPUT, "'%s' has %lld rows; %lld rows from row %lld on were requested",
                   r->path, (long long)r->n_rows, (long long)n, (long long)first);
  if (n == 0) return HK_OK;
  const hsize_t start[2] = {(hsize_t)first, 0}, count[2] = {(hsize_t)n, (hsize_t)r->n_channels};
  return read_block(r, start, count, out, err);
}
