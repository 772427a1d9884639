/* The results reader: finished files, files being written, files left by a killed run.
 *
 * All sizes in the file are compared with the size of the file before they are used: the driver
 * below HDF5 reads zeros past the end, so a truncated copy would otherwise show zeros as
 * results. */
#include "base/memory_check.h"
#include "base/required.h"
#include "base/file.h"
#include "base/safe_text.h"
#include "results/results_lock.h"
#include "results/results_reader.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
  MAX_TEXT = 64 << 20,  /* largest number of bytes of the model or of one attribute */
  MAX_CHUNK = 64 << 20, /* largest number of bytes of one chunk in memory */
  MAX_ATTRIBUTES = 100000,
  /* number of read attempts; HDF5 waits 1 ns after the first one and doubles the wait each
   * time: 65 us in total */
  READ_ATTEMPTS = 16
};

hk_status hk_results_no_memory(const hk_results *r, hk_error *err) {
  return hk_fail(err, HK_ENOMEM, "out of memory while reading '%s'", r->path);
}

hk_status hk_results_damaged(const hk_results *r, const char *what, hk_error *err) {
  if (hk_hdf5_lacks_memory()) return hk_results_no_memory(r, err);
  return hk_fail(err, HK_EIO, "'%s' is damaged or not a results file of hooke: %s", r->path, what);
}

int64_t hk_results_file_size(const hk_results *r) {
  struct stat st;
  int failed = r->sink.fd >= 0 ? fstat(r->sink.fd, &st) : stat(r->path, &st);
  return failed ? 0 : (int64_t)st.st_size;
}

/* ---- strings ---- */
/* Number of bytes per string of a fixed-length string type; 0 for other types. */
static size_t string_size(hid_t type) {
  if (type < 0 || H5Tget_class(type) != H5T_STRING || H5Tis_variable_str(type) != 0) return 0;
  return H5Tget_size(type);
}

/* A memory type for strings of `size` bytes in the character set of the file. */
static hid_t memory_string(hid_t file_type, size_t size) {
  hid_t type = H5Tcopy(H5T_C_S1);
  if (type >= 0) {
    H5Tset_size(type, size);
    H5Tset_cset(type, H5Tget_cset(file_type));
  }
  return type;
}

/* Moves n texts of `bytes` bytes each, so that there is room for a NUL after each text. */
static void spread(char *text, size_t n, size_t bytes) {
  for (size_t i = n; i-- > 0;) {
    memmove(text + i * (bytes + 1), text + i * bytes, bytes);
    text[i * (bytes + 1) + bytes] = 0;
  }
}

hk_status hk_results_read_strings(const hk_results *r, const char *name, hsize_t n, char **text,
                                  size_t *size, hk_error *err) {
  char what[64];
  snprintf(what, sizeof what, "no usable dataset /%s", name);
  hid_t set = hk_hdf5_dataset(r->file, name);
  hid_t type = set < 0 ? -1 : H5Dget_type(set), space = set < 0 ? -1 : H5Dget_space(set);
  size_t bytes = string_size(type);
  hk_status s = HK_OK;
  if (space < 0 || bytes == 0 || H5Sget_simple_extent_npoints(space) != (hssize_t)n ||
      bytes > MAX_TEXT || bytes > (size_t)hk_results_file_size(r) / n)
    s = hk_results_damaged(r, what, err);
  if (s == HK_OK && !(*text = calloc((size_t)n, bytes + 1))) s = hk_results_no_memory(r, err);
  if (s == HK_OK) {
    /* the texts are read as stored, because HDF5 would reserve and clear a megabyte to convert them */
    if (H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, *text) < 0)
      s = hk_results_damaged(r, what, err);
    spread(*text, (size_t)n, bytes);
    *size = bytes + 1;
  }
  if (space >= 0) H5Sclose(space);
  if (type >= 0) H5Tclose(type);
  if (set >= 0) H5Dclose(set);
  return s;
}

static hk_status read_status(hk_results *r, hk_error *err) {
  char *text = NULL;
  size_t size;
  hk_status s = hk_results_read_strings(r, "status", 1, &text, &size, err);
  if (s != HK_OK) {
    free(text);
    return s;
  }
  free(r->status);
  r->status = text;
  return HK_OK;
}

/* ---- attributes ---- */
/* Reads the value of a string attribute; NULL with HK_OK if the attribute is not a string. */
static hk_status read_attribute(const hk_results *r, hid_t a, char **value, hk_error *err) {
  hid_t type = H5Aget_type(a), space = H5Aget_space(a);
  size_t bytes = string_size(type);
  hk_status s = HK_OK;
  *value = NULL;
  if (space >= 0 && bytes > 0 && bytes <= MAX_TEXT && bytes <= (size_t)hk_results_file_size(r) &&
      H5Sget_simple_extent_npoints(space) == 1) {
    *value = calloc(1, bytes + 1);
    hid_t memory = memory_string(type, bytes + 1);
    if (!*value)
      s = hk_results_no_memory(r, err);
    else if (memory < 0 || H5Aread(a, memory, *value) < 0)
      s = hk_results_damaged(r, "attribute", err);
    if (memory >= 0) H5Tclose(memory);
  }
  if (space >= 0) H5Sclose(space);
  if (type >= 0) H5Tclose(type);
  if (s != HK_OK) {
    free(*value);
    *value = NULL;
  }
  return s;
}

static hk_status add_attribute(hk_results *r, hid_t a, hk_error *err) {
  char *value;
  hk_status s = read_attribute(r, a, &value, err);
  if (s != HK_OK || !value) return s;
  ssize_t length = H5Aget_name(a, 0, NULL);
  char *key = length > 0 && length < MAX_TEXT ? calloc(1, (size_t)length + 1) : NULL;
  if (!key || H5Aget_name(a, (size_t)length + 1, key) < 0) {
    free(key);
    free(value);
    return key ? hk_results_damaged(r, "attribute without a name", err)
               : hk_results_no_memory(r, err);
  }
  r->attribute[r->n_attributes++] = (hk_results_attribute){key, value};
  return HK_OK;
}

static hk_status read_attributes(hk_results *r, hk_error *err) {
  H5O_info_t info;
#if H5_VERSION_GE(1, 12, 0)
  herr_t got = H5Oget_info1(r->file, &info);
#else
  herr_t got = H5Oget_info(r->file, &info);
#endif
  if (got < 0 || info.num_attrs > MAX_ATTRIBUTES) return hk_results_damaged(r, "attributes", err);
  r->attribute = calloc((size_t)info.num_attrs + 1, sizeof *r->attribute);
  if (!r->attribute) return hk_results_no_memory(r, err);
  for (hsize_t i = 0; i < info.num_attrs; i++) {
    hid_t a = H5Aopen_by_idx(r->file, ".", H5_INDEX_NAME, H5_ITER_INC, i, H5P_DEFAULT, H5P_DEFAULT);
    if (a < 0) return hk_results_damaged(r, "attributes", err);
    hk_status s = add_attribute(r, a, err);
    H5Aclose(a);
    if (s != HK_OK) return s;
  }
  return HK_OK;
}

static hk_status check_format(const hk_results *r, hk_error *err) {
  int format = 0;
  htri_t exists = H5Aexists(r->file, "hooke_results");
  if (exists < 0) return hk_results_damaged(r, "its root cannot be read", err);
  if (exists == 0)
    return hk_fail(err, HK_EINPUT,
                   "'%s' is an HDF5 file, but not a results file of hooke (no attribute "
                   "'hooke_results')",
                   r->path);
  hid_t a = H5Aopen(r->file, "hooke_results", H5P_DEFAULT);
  hid_t type = a < 0 ? -1 : H5Aget_type(a), space = a < 0 ? -1 : H5Aget_space(a);
  bool ok = type >= 0 && H5Tget_class(type) == H5T_INTEGER && space >= 0 &&
            H5Sget_simple_extent_npoints(space) == 1 && H5Aread(a, H5T_NATIVE_INT, &format) >= 0;
  if (space >= 0) H5Sclose(space);
  if (type >= 0) H5Tclose(type);
  if (a >= 0) H5Aclose(a);
  if (!ok) return hk_results_damaged(r, "attribute 'hooke_results'", err);
  if (format < 1 || format > HK_RESULTS_FORMAT)
    return hk_fail(err, HK_EINPUT,
                   "'%s' has results format %d, this hooke (%s) reads up to %d; use a newer hooke",
                   r->path, format, hk_version(), HK_RESULTS_FORMAT);
  return HK_OK;
}

/* ---- rows ---- */
/* Whether the chunk that holds `row` is within the file on disk. */
static bool chunk_present(const hk_results *r, int64_t row, int64_t bytes_on_disk) {
  hsize_t corner[2] = {(hsize_t)row / r->chunk_rows * r->chunk_rows, 0}, size = 0;
  unsigned mask;
  haddr_t address = HADDR_UNDEF;
  if (H5Dget_chunk_info_by_coord(r->data, corner, &mask, &address, &size) < 0) return false;
  return address != HADDR_UNDEF && size > 0 && address <= (haddr_t)bytes_on_disk &&
         size <= (haddr_t)bytes_on_disk - address;
}

/* Number of rows that are present in the file.  Chunks are appended, so the chunks that are present
 * form a prefix. */
static int64_t rows_present(const hk_results *r, int64_t n_rows) {
  int64_t bytes = hk_results_file_size(r), step = (int64_t)r->chunk_rows;
  if (n_rows == 0) return 0;
  if (chunk_present(r, n_rows - 1, bytes)) return n_rows;
  int64_t low = 0, high = (n_rows - 1) / step; /* chunks [0, low) present, chunk high absent */
  while (low < high) {
    int64_t middle = low + (high - low) / 2;
    if (chunk_present(r, middle * step, bytes))
      low = middle + 1;
    else
      high = middle;
  }
  return low * step;
}

static hk_status read_extent(hk_results *r, hk_error *err) {
  hsize_t size[2] = {0, 0};
  hid_t space = H5Dget_space(r->data);
  bool ok = space >= 0 && H5Sget_simple_extent_ndims(space) == 2 &&
            H5Sget_simple_extent_dims(space, size, NULL) == 2;
  if (space >= 0) H5Sclose(space);
  if (!ok || size[1] < 1 || size[1] > HK_RESULTS_MAX_CHANNELS || size[0] > INT64_MAX / 2)
    return hk_results_damaged(r, "the size of /data", err);
  if (r->n_channels && (hsize_t)r->n_channels != size[1])
    return hk_results_damaged(r, "the number of channels changed", err);
  r->n_channels = (int)size[1];
  r->n_rows = rows_present(r, (int64_t)size[0]);
  r->n_lost = (int64_t)size[0] - r->n_rows;
  return HK_OK;
}

static hk_status open_data(hk_results *r, hk_error *err) {
  hsize_t chunk[2] = {0, 0};
  r->data = hk_hdf5_dataset(r->file, "data");
  if (r->data < 0) return hk_results_damaged(r, "no dataset /data", err);
  hid_t type = H5Dget_type(r->data), plist = H5Dget_create_plist(r->data);
  bool ok = type >= 0 && H5Tget_class(type) == H5T_FLOAT && plist >= 0;
  ok = ok && H5Pget_layout(plist) == H5D_CHUNKED && H5Pget_chunk(plist, 2, chunk) == 2 &&
       chunk[0] > 0 && chunk[1] > 0 && chunk[0] <= MAX_CHUNK && chunk[1] <= MAX_CHUNK / chunk[0];
  if (plist >= 0) H5Pclose(plist);
  if (type >= 0) H5Tclose(type);
  if (!ok) return hk_results_damaged(r, "/data is not a chunked table of numbers", err);
  r->chunk_rows = chunk[0];
  return read_extent(r, err);
}

/* ---- opening ---- */
static bool is_nameless(const char *path) {
  struct stat st;
  return hk_file_is_descriptor(path) && stat(path, &st) == 0 && st.st_nlink == 0;
}

/* From now on HDF5 reads the file by a descriptor, through the driver of the writer.  HDF5 then shares nothing with other
 * readers of this file in the program, and the file remains the same if its name is given to another one. */
static bool use_descriptor(hk_results *r) {
  r->sink.fd = open(r->path, O_RDONLY | O_CLOEXEC);
  if (r->sink.fd >= 0) r->driver = hk_hdf5_use_sink(r->access, &r->sink);
  return r->driver >= 0;
}

/* Opens a file that is marked as open for writing. */
static hid_t open_unfinished(const hk_results *r) {
  return r->sink.fd < 0 ? -1 : H5Fopen(r->path, H5F_ACC_RDONLY | H5F_ACC_SWMR_READ, r->access);
}

static void find_last_write(hk_results *r) {
  hid_t set = hk_hdf5_has(r->file, "last_write") ? hk_hdf5_dataset(r->file, "last_write") : -1;
  haddr_t at = set < 0 ? HADDR_UNDEF : H5Dget_offset(set);
  if (set >= 0) H5Dclose(set);
  if (at <= INT64_MAX) r->sink.copy_at = (off_t)at;
}

/* Reads the last change of the structure, if the writer was killed while it made this change (last_write.h).  If the writer
 * is active, HDF5 itself waits for the end of the change. */
static hk_status read_last_write(hk_results *r, hk_error *err) {
  hk_last_write_free(&r->sink.last);
  if (r->sink.copy_at <= 0 || hk_results_is_written(r->sink.fd)) return HK_OK;
  hk_status status = hk_last_write_read(r->sink.fd, r->sink.copy_at, &r->sink.last);
  return status ? hk_results_no_memory(r, err) : HK_OK;
}

/* Opens the file once more if the last change has to be used: HDF5 may have read the block already. */
static hk_status use_last_write(hk_results *r, hk_error *err) {
  if (r->file < 0) return HK_OK;
  find_last_write(r);
  hk_status status = read_last_write(r, err);
  if (status || !r->sink.last.bytes) return status;
  H5Fclose(r->file);
  r->file = open_unfinished(r);
  return HK_OK;
}

/* Access properties for all openings of the file. */
static bool make_access(hk_results *r) {
  r->access = H5Pcreate(H5P_FILE_ACCESS);
  if (r->access < 0) return false;
  H5Pset_metadata_read_attempts(r->access, READ_ATTEMPTS);
#if H5_VERSION_GE(1, 10, 7) && !(H5_VERS_MINOR == 11)
  /* files are opened without locks: some network disks do not support them, and SWMR does not
   * need them */
  H5Pset_file_locking(r->access, 0, 1);
#endif
  return true;
}

static hk_status open_file(hk_results *r, hk_error *err) {
  if (!make_access(r)) return hk_results_no_memory(r, err);
  if (is_nameless(r->path) && !use_descriptor(r))
    return hk_fail(err, HK_EIO, "cannot read '%s'", r->path);
  /* First opens the file normally: this checks the length of a closed file.  A file whose writer is
   * active or was killed is marked as open for writing; normal opening fails for it. */
  r->file = H5Fopen(r->path, H5F_ACC_RDONLY, r->access);
  hk_status status = HK_OK;
  if (r->file < 0) {
    if (r->sink.fd < 0 && !use_descriptor(r))
      return hk_fail(err, HK_EIO, "cannot read '%s'", r->path);
    r->file = open_unfinished(r);
    status = use_last_write(r, err);
  }
  char reason[256];
  bool starved = r->file < 0 && hk_hdf5_lacks_memory();
  if (r->file < 0) hk_hdf5_reason(reason, sizeof reason);
  if (status) return status;
  if (starved) return hk_results_no_memory(r, err);
  if (r->file < 0)
    return hk_fail(err, HK_EIO, "cannot read '%s': the file is damaged (HDF5 says: %s)", r->path,
                   reason);
  return HK_OK;
}

/* Checks the file before HDF5 opens it: whether it exists, is readable and starts like an HDF5
 * file. */
static hk_status check_file(const char *path, hk_error *err) {
  static const unsigned char magic[8] = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};
  unsigned char head[8] = {0};
  struct stat st;
  int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return hk_fail(err, HK_EIO, "cannot read '%s': %s", path, strerror(errno));
  hk_file_note(path);
  bool regular = fstat(fd, &st) == 0 && S_ISREG(st.st_mode);
  ssize_t n = regular ? pread(fd, head, sizeof head, 0) : 0;
  close(fd);
  if (!regular) return hk_fail(err, HK_EIO, "cannot read '%s': it is not a regular file", path);
  if (n == 0) return hk_fail(err, HK_EINPUT, "'%s' is empty, not a results file of hooke", path);
  if (memcmp(head, magic, sizeof magic) != 0)
    return hk_fail(err, HK_EINPUT, "'%s' is not a results file of hooke (it is not HDF5)", path);
  /* lack of memory does not mean that the file is damaged */
  return hk_memory_check(HK_MEMORY_HDF5, "reading HDF5", err);
}

int hk_results_compare_name(const void *a, const void *b) {
  return strcmp(((const hk_named_channel *)a)->name, ((const hk_named_channel *)b)->name);
}

static hk_status sort_names(hk_results *r, hk_error *err) {
  r->by_name = malloc((size_t)r->n_channels * sizeof *r->by_name);
  if (!r->by_name) return hk_results_no_memory(r, err);
  for (int i = 0; i < r->n_channels; i++)
    r->by_name[i] = (hk_named_channel){hk_results_name(r, i), i};
  qsort(r->by_name, (size_t)r->n_channels, sizeof *r->by_name, hk_results_compare_name);
  return HK_OK;
}

/* Checks names and units, because they are printed and become columns of tables. */
static hk_status check_names(const hk_results *r, hk_error *err) {
  for (int i = 0; i < r->n_channels; i++)
    if (!hk_text_is_safe(hk_results_name(r, i)) || !hk_text_is_safe(hk_results_unit(r, i)))
      return hk_results_damaged(r, "a name or a unit of a channel contains control characters",
                                err);
  return HK_OK;
}

static hk_status read_head(hk_results *r, hk_error *err) {
  static const char *const set[] = {"names", "units", "docs"};
  size_t size;
  hk_status s = open_file(r, err);
  if (s == HK_OK) s = check_format(r, err);
  if (s == HK_OK) s = open_data(r, err);
  for (int k = 0; k < 3 && s == HK_OK; k++)
    s = hk_results_read_strings(r, set[k], (hsize_t)r->n_channels, &r->text[k], &r->text_size[k],
                                err);
  if (s == HK_OK) s = check_names(r, err);
  if (s == HK_OK) s = hk_results_read_strings(r, "model", 1, &r->model, &size, err);
  if (s == HK_OK) s = read_status(r, err);
  if (s == HK_OK && hk_hdf5_has(r->file, "summary"))
    s = hk_results_read_strings(r, "summary", 1, &r->summary, &size, err);
  if (s == HK_OK) s = read_attributes(r, err);
  if (s == HK_OK) s = sort_names(r, err);
  return s;
}

/* Records the file `name` in the folder of the file `neighbour` as an input. */
static void note_beside(const char *neighbour, const char *name) {
  char path[PATH_MAX];
  const char *slash = strrchr(neighbour, '/');
  int n = snprintf(path, sizeof path, "%.*s%s", slash ? (int)(slash - neighbour) + 1 : 0, neighbour,
                   name);
  if (n > 0 && (size_t)n < sizeof path) hk_file_note(path);
}

static bool is_same_file(const char *a, const char *b) {
  struct stat s, t;
  return stat(a, &s) == 0 && stat(b, &t) == 0 && s.st_dev == t.st_dev && s.st_ino == t.st_ino;
}

/* Records the model of the run as an input: an output of any command that reads the results must not replace it.  The model
 * may have been moved or copied together with its results.  If it is not where it was during the run, or if an older version
 * wrote the results, its name may be relative to the current folder. */
static void note_model(const hk_results *r) {
  char path[PATH_MAX];
  const char *name = hk_results_attribute_value(r, "model_file");
  const char *place = hk_results_attribute_value(r, "model_path");
  if (!name || !name[0]) return;
  /* messages contain the first name that is recorded */
  if (place) hk_file_note(is_same_file(name, place) ? name : place);
  const char *beside = name[0] == '/' ? strrchr(name, '/') + 1 : name;
  if (realpath(r->path, path)) note_beside(path, beside);
  if (place && access(place, F_OK) == 0) return;
  note_beside(r->path, beside);
  hk_file_note(name);
}

hk_status hk_results_open(const char *path, hk_results **out, hk_error *err) {
  HK_REQUIRE(out, err);
  *out = NULL;
  if (!path) return hk_fail(err, HK_EINPUT, "the path of the results file is NULL");
  hk_status s = check_file(path, err);
  if (s != HK_OK) return s;
  hk_results *r = calloc(1, sizeof *r);
  if (r) r->path = strdup(path);
  if (!r || !r->path) {
    free(r);
    return hk_fail(err, HK_ENOMEM, "out of memory while reading '%s'", path);
  }
  r->access = r->driver = r->file = r->data = -1;
  r->sink.fd = -1;
  hk_hdf5_guard guard;
  hk_hdf5_enter(&guard, r->path);
  s = read_head(r, err);
  /* HDF5 1.10 leaks memory when it reads a damaged object header and, if its error reporting is on, prints this on stderr at
   * exit.  Therefore reporting stays off. */
  if (s == HK_EIO) guard.restore = false;
  hk_hdf5_leave(&guard);
  if (s != HK_OK) {
    hk_results_destroy(r);
    return s;
  }
  note_model(r);
  *out = r;
  return HK_OK;
}

void hk_results_destroy(hk_results *r) {
  if (!r) return;
  hk_hdf5_guard guard;
  hk_hdf5_enter(&guard, r->path);
  if (r->data >= 0) H5Dclose(r->data);
  if (r->file >= 0) H5Fclose(r->file);
  if (r->access >= 0) H5Pclose(r->access);
  if (r->driver >= 0) H5FDunregister(r->driver);
  hk_hdf5_leave(&guard);
  if (r->sink.fd >= 0) close(r->sink.fd);
  hk_last_write_free(&r->sink.last);
  for (int i = 0; i < r->n_attributes; i++) {
    free((char *)r->attribute[i].key);
    free((char *)r->attribute[i].value);
  }
  free(r->attribute);
  for (int k = 0; k < 3; k++) free(r->text[k]);
  free(r->by_name);
  free(r->model);
  free(r->summary);
  free(r->status);
  free(r->path);
  free(r);
}

/* Opens an unfinished file again.  H5Drefresh would be shorter, but if it finds a block that is not whole, HDF5 can neither
 * use nor close the dataset any more.  If the file cannot be opened, the one that is open stays. */
static hk_status open_again(hk_results *r, hk_error *err) {
  hk_status status = read_last_write(r, err);
  if (status) return status;
  hid_t old_file = r->file, old_data = r->data;
  r->data = -1;
  r->file = open_unfinished(r);
  status =
      r->file < 0 ? hk_results_damaged(r, "it cannot be opened again", err) : open_data(r, err);
  if (status) {
    if (r->data >= 0) H5Dclose(r->data);
    if (r->file >= 0) H5Fclose(r->file);
    r->file = old_file, r->data = old_data;
    return status;
  }
  H5Dclose(old_data);
  H5Fclose(old_file);
  return HK_OK;
}

/* A file that was finished when it was opened does not change: a later run writes another file of its name. */
hk_status hk_results_refresh(hk_results *r, hk_error *err) {
  if (!r) return hk_fail(err, HK_EINPUT, "the results object is NULL");
  hk_hdf5_guard guard;
  hk_hdf5_enter(&guard, r->path);
  hk_status s = r->sink.fd >= 0 ? open_again(r, err) : read_extent(r, err);
  if (s == HK_OK) s = read_status(r, err);
  hk_hdf5_leave(&guard);
  return s;
}
