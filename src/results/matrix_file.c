/* Writers of matrix files: see matrix_file.h.
 *
 * A file is made in memory and then written at once, so that a failure does not leave an incomplete file that appears
 * complete.  MAT-file version 4: each matrix consists of five 32-bit numbers (type, rows,
 * columns, imaginary part, length of the name), the name, the values column by column; type 1 is
 * text.  Type 0 also means little endian. */
#include "results/matrix_file.h"
#include "base/file.h"
#include "base/memory_check.h"
#include "results/csv.h"
#include "results/results_hdf5.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

typedef struct buffer {
  char *at;
  size_t n, capacity;
  bool failed;
} buffer;

static void put(buffer *b, const void *bytes, size_t n) {
  if (b->failed) return;
  if (b->n + n > b->capacity) {
    size_t capacity = 2 * b->capacity + n + 4096;
    char *at = realloc(b->at, capacity);
    if (!at) {
      b->failed = true;
      return;
    }
    b->at = at;
    b->capacity = capacity;
  }
  memcpy(b->at + b->n, bytes, n);
  b->n += n;
}

static void put_int(buffer *b, uint32_t x) {
  const unsigned char byte[4] = {x & 255, x >> 8 & 255, x >> 16 & 255, x >> 24 & 255};
  put(b, byte, 4);
}

static void put_double(buffer *b, double x) {
  uint64_t bits;
  memcpy(&bits, &x, 8);
  put_int(b, (uint32_t)bits);
  put_int(b, (uint32_t)(bits >> 32));
}

static void mat_matrix(buffer *b, const hk_named_matrix *m) {
  int columns = m->columns;
  if (!m->value) {
    columns = 0;
    for (int i = 0; i < m->rows; i++)
      if ((int)strlen(m->label[i]) > columns) columns = (int)strlen(m->label[i]);
  }
  put_int(b, m->value ? 0 : 1);
  put_int(b, (uint32_t)m->rows);
  put_int(b, (uint32_t)columns);
  put_int(b, 0);
  put_int(b, (uint32_t)strlen(m->name) + 1);
  put(b, m->name, strlen(m->name) + 1);
  for (int j = 0; j < columns; j++)
    for (int i = 0; i < m->rows; i++) {
      if (m->value) {
        put_double(b, m->value[(size_t)i * columns + j]);
      } else {
        size_t length = strlen(m->label[i]);
        put_double(b, (size_t)j < length ? (unsigned char)m->label[i][j] : ' ');
      }
    }
}

/* Writes `# name rows columns`, then the rows; texts have one line each. */
static void csv_matrix(buffer *b, const hk_named_matrix *m) {
  char text[HK_CSV_NUMBER_SIZE + 128];
  int n =
      snprintf(text, sizeof text, "# %.60s %d %d\n", m->name, m->rows, m->value ? m->columns : 1);
  put(b, text, (size_t)n);
  for (int i = 0; i < m->rows; i++) {
    if (!m->value) put(b, m->label[i], strlen(m->label[i]));
    for (int j = 0; m->value && j < m->columns; j++) {
      if (j) put(b, ",", 1);
      put(b, text, (size_t)hk_csv_number(text, m->value[(size_t)i * m->columns + j] + 0.0));
    }
    put(b, "\n", 1);
  }
}

static bool hdf5_matrix(hid_t file, const hk_named_matrix *m) {
  hsize_t size[2] = {(hsize_t)m->rows, (hsize_t)m->columns};
  hid_t type = m->value ? H5T_NATIVE_DOUBLE : H5Tcopy(H5T_C_S1);
  if (!m->value) H5Tset_size(type, H5T_VARIABLE);
  hid_t space = H5Screate_simple(m->value ? 2 : 1, size, NULL);
  hid_t set = H5Dcreate2(file, m->name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  const void *data = m->value ? (const void *)m->value : (const void *)m->label;
  bool empty = m->rows == 0 || (m->value && m->columns == 0);
  bool ok = set >= 0 && (empty || H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0);
  if (set >= 0) H5Dclose(set);
  if (space >= 0) H5Sclose(space);
  if (!m->value && type >= 0) H5Tclose(type);
  return ok;
}

static hk_status hdf5_image(buffer *b, const hk_named_matrix *matrix, int n, hk_error *err) {
  hk_hdf5_guard guard;
  hk_status memory = hk_memory_check(HK_MEMORY_HDF5, "writing HDF5", err);
  if (memory) return memory;
  hk_hdf5_enter(&guard, NULL);
  hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  bool ok = access >= 0 && H5Pset_fapl_core(access, 1 << 16, false) >= 0;
  hid_t file = ok ? H5Fcreate("matrices", H5F_ACC_TRUNC, H5P_DEFAULT, access) : -1;
  ok = file >= 0;
  for (int i = 0; i < n && ok; i++) ok = hdf5_matrix(file, &matrix[i]);
  ok = ok && H5Fflush(file, H5F_SCOPE_LOCAL) >= 0;
  ssize_t size = ok ? H5Fget_file_image(file, NULL, 0) : -1;
  b->at = size > 0 ? malloc((size_t)size) : NULL;
  ok = b->at && H5Fget_file_image(file, b->at, (size_t)size) == size;
  b->n = ok ? (size_t)size : 0;
  char reason[256] = "";
  bool starved = !ok && ((size > 0 && !b->at) || hk_hdf5_lacks_memory());
  if (!ok) hk_hdf5_reason(reason, sizeof reason);
  if (file >= 0) H5Fclose(file);
  if (access >= 0) H5Pclose(access);
  hk_hdf5_leave(&guard);
  if (starved) return hk_fail(err, HK_ENOMEM, "out of memory while writing HDF5");
  return ok ? HK_OK : hk_fail(err, HK_EIO, "the matrices cannot be written as HDF5: %s", reason);
}

typedef enum format { NONE, MAT, HDF5, CSV } format;
static format format_of(const char *path) {
  const char *dot = strrchr(path, '.');
  if (!dot) return NONE;
  if (strcasecmp(dot, ".mat") == 0) return MAT;
  if (strcasecmp(dot, ".h5") == 0 || strcasecmp(dot, ".hdf5") == 0) return HDF5;
  return strcasecmp(dot, ".csv") == 0 ? CSV : NONE;
}

hk_status hk_matrix_file_check(const char *path, hk_error *err) {
  if (format_of(path) != NONE) return HK_OK;
  return hk_fail(err, HK_EINPUT,
                 "matrices are written as .mat, .h5 or .csv; '%s' has another extension", path);
}

static hk_status write_file(const char *path, const buffer *b, hk_error *err) {
  hk_new_file out;
  hk_status status = hk_new_file_open(&out, path, err);
  if (status) return status;
  fwrite(b->at, 1, b->n, out.file);
  return hk_new_file_close(&out, HK_OK, err);
}

hk_status hk_matrix_file_write(const char *path, const hk_named_matrix *matrix, int n,
                               hk_error *err) {
  hk_status status = hk_matrix_file_check(path, err);
  if (status) return status;
  buffer b = {0};
  format f = format_of(path);
  if (f == HDF5) status = hdf5_image(&b, matrix, n, err);
  for (int i = 0; i < n && f != HDF5; i++) (f == MAT ? mat_matrix : csv_matrix)(&b, &matrix[i]);
  if (b.failed) status = hk_fail(err, HK_ENOMEM, "out of memory");
  if (!status) status = write_file(path, &b, err);
  free(b.at);
  return status;
}
