/* The results writer: see results.h for the layout and the guarantees. */
#define _GNU_SOURCE /* locks of open files */
#include "base/memory_check.h"
#include "base/file.h"
#include "base/safe_text.h"
#include "results/results_check.h"
#include "results/results_hdf5.h"
#include "results/results_lock.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { CHUNK_BYTES = 128 << 10 };
static const double FLUSH_SECONDS = 1.0;

struct hk_results_writer {
  char *path, *temp; /* target and temporary file; temp is NULL after the rename */
  /* true: `path` is a descriptor of an open file without a name, into which the results are
   * written directly */
  bool nameless;
  hk_hdf5_sink sink;
  hid_t driver, file, data;
  off_t status_offset, summary_offset; /* byte offsets of /status and /summary in the file */
  size_t summary_room;
  int n_channels;
  int64_t chunk_rows, n_rows, n_written;
  double *chunk;        /* rows of the current chunk; NaN in rows not yet filled */
  float *chunk_between; /* [chunk_rows][3 n_channels] of /between; 0 in rows not yet filled */
  bool any_between;     /* whether chunk_between contains non-zero values */
  double flushed_at;
  hk_status failed; /* first failure; all later calls return it */
  char why[HK_RESULTS_STATUS_SIZE - 16];
};

static double wall_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Describes the failure and a remedy. */
static void explain(int os_error, char *buf, size_t size) {
  switch (os_error) {
    case ENOSPC:
      snprintf(buf, size, "the disk is full; free some space or write to another disk");
      break;
    case EDQUOT:
      snprintf(buf, size, "the disk quota is used up; free some space or write elsewhere");
      break;
    case EFBIG:
      snprintf(buf, size, "the file size limit is reached; raise it (ulimit -f) or write less");
      break;
    case ENOMEM:
      snprintf(buf, size,
               "out of memory; close other programs, raise the limit (ulimit -v) or "
               "record fewer channels");
      break;
    case ELOOP:
      snprintf(buf, size, "its symbolic links form a cycle; remove one of them");
      break;
    case EACCES:
    case EPERM:
    case EROFS:
      snprintf(buf, size, "writing there is not permitted; choose another folder");
      break;
    case ENOENT:
      snprintf(buf, size, "the folder does not exist; create it first");
      break;
    case ENOTDIR:
      snprintf(buf, size, "a part of the path is not a folder; check the path");
      break;
    default:
      snprintf(buf, size, "%s", strerror(os_error));
  }
}

static hk_status report(const hk_results_writer *w, hk_error *err) {
  if (w->n_rows > w->n_written)
    return hk_fail(
        err, w->failed,
        "cannot write results to '%s': %s (%lld of %lld rows are in the file, the last %lld "
        "are lost)",
        w->path, w->why, (long long)w->n_written, (long long)w->n_rows,
        (long long)(w->n_rows - w->n_written));
  return hk_fail(err, w->failed, "cannot write results to '%s': %s", w->path, w->why);
}

/* Writes the status in place without HDF5: this needs no additional space, so it works when the
 * disk is full. */
static void write_status(hk_results_writer *w, const char *status) {
  char text[HK_RESULTS_STATUS_SIZE] = {0};
  snprintf(text, sizeof text, "%s", status);
  if (w->status_offset > 0) hk_hdf5_sink_write(&w->sink, text, sizeof text, w->status_offset);
}

/* Stores the first failure: the failure of the disk if there was one, otherwise the failure of HDF5. */
static void latch_failure(hk_results_writer *w, bool hdf5_ok) {
  if (w->failed || (hdf5_ok && !w->sink.os_error)) return;
  if (!w->sink.os_error && hk_hdf5_lacks_memory()) w->sink.os_error = ENOMEM;
  w->failed = w->sink.os_error == ENOMEM ? HK_ENOMEM : HK_EIO;
  if (w->sink.os_error) {
    explain(w->sink.os_error, w->why, sizeof w->why);
  } else {
    char reason[256];
    hk_hdf5_reason(reason, sizeof reason);
    snprintf(w->why, sizeof w->why, "HDF5 says: %s", reason);
    w->sink.os_error = EIO; /* nothing more is written to the file */
  }
  char status[HK_RESULTS_STATUS_SIZE];
  snprintf(status, sizeof status, "failed: %s", w->why);
  write_status(w, status);
}

/* ---- creation ---- */
static hid_t string_type(size_t size) {
  hid_t t = H5Tcopy(H5T_C_S1);
  if (t >= 0 && (H5Tset_size(t, size) < 0 || H5Tset_cset(t, H5T_CSET_UTF8) < 0)) {
    H5Tclose(t);
    return -1;
  }
  return t;
}

/* Writes a scalar (n = 0) or one-dimensional dataset of strings of `size` bytes. */
static bool write_strings(hid_t file, const char *name, const char *text, hsize_t n, size_t size) {
  hid_t type = string_type(size);
  hid_t space = n ? H5Screate_simple(1, &n, NULL) : H5Screate(H5S_SCALAR);
  hid_t set = H5Dcreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  bool ok = set >= 0 && H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text) >= 0;
  if (set >= 0) H5Dclose(set);
  if (space >= 0) H5Sclose(space);
  if (type >= 0) H5Tclose(type);
  return ok;
}

static bool write_attribute(hid_t file, const char *key, const char *value) {
  hid_t type = string_type(strlen(value) + 1), space = H5Screate(H5S_SCALAR);
  hid_t a = H5Acreate2(file, key, type, space, H5P_DEFAULT, H5P_DEFAULT);
  bool ok = a >= 0 && H5Awrite(a, type, value) >= 0;
  if (a >= 0) H5Aclose(a);
  if (space >= 0) H5Sclose(space);
  if (type >= 0) H5Tclose(type);
  return ok;
}

static const char *channel_text(const hk_channel_info *c, int column) {
  const char *text = column == 0 ? c->name : column == 1 ? c->unit : c->doc;
  return text ? text : "";
}

static hk_status write_channel_texts(hk_results_writer *w, const hk_channel_info *channel) {
  static const char *const set[] = {"names", "units", "docs"};
  for (int column = 0; column < 3; column++) {
    size_t size = 1;
    for (int i = 0; i < w->n_channels; i++) {
      size_t need = strnlen(channel_text(&channel[i], column), HK_RESULTS_MAX_NAME) + 1;
      if (need > size) size = need;
    }
    char *text = calloc((unsigned)w->n_channels, size);
    if (!text) return HK_ENOMEM;
    for (int i = 0; i < w->n_channels; i++)
      snprintf(text + (size_t)i * size, size, "%s", channel_text(&channel[i], column));
    bool ok = write_strings(w->file, set[column], text, (hsize_t)w->n_channels, size);
    free(text);
    if (!ok) return HK_EIO;
  }
  return HK_OK;
}

static hk_status write_overrides(hk_results_writer *w, const hk_results_meta *meta) {
  size_t size = 1;
  for (int i = 0; i < meta->n_overrides; i++) size += strlen(meta->override_text[i]) + 1;
  char *text = malloc(size), *end = text;
  if (!text) return HK_ENOMEM;
  *text = 0;
  for (int i = 0; i < meta->n_overrides; i++)
    end += sprintf(end, "%s%s", i ? "\n" : "", meta->override_text[i]);
  bool ok = write_attribute(w->file, "overrides", text);
  free(text);
  return ok ? HK_OK : HK_EIO;
}

/* Writes where the model is, for commands that read the results in another folder. */
static bool write_model_path(hid_t file, const char *model) {
  char path[PATH_MAX];
  struct stat st;
  if (!model || !realpath(model, path) || stat(path, &st) != 0 || !S_ISREG(st.st_mode)) return true;
  return write_attribute(file, "model_path", path);
}

static hk_status write_meta(hk_results_writer *w, const hk_results_meta *meta) {
  const char *model = meta->model_text ? meta->model_text : "";
  int format = HK_RESULTS_FORMAT;
  hid_t space = H5Screate(H5S_SCALAR);
  hid_t a = H5Acreate2(w->file, "hooke_results", H5T_STD_I32LE, space, H5P_DEFAULT, H5P_DEFAULT);
  bool ok = a >= 0 && H5Awrite(a, H5T_NATIVE_INT, &format) >= 0;
  if (a >= 0) H5Aclose(a);
  if (space >= 0) H5Sclose(space);
  char process[32];
  snprintf(process, sizeof process, "%ld", (long)getpid());
  ok = ok && write_attribute(w->file, "hooke_version", hk_version()) &&
       write_attribute(w->file, "process", process) &&
       write_attribute(w->file, "title", meta->title ? meta->title : "") &&
       write_attribute(w->file, "model_file", meta->model_file ? meta->model_file : "") &&
       write_model_path(w->file, meta->model_file) &&
       write_strings(w->file, "model", model, 0, strlen(model) + 1);
  if (!ok) return HK_EIO;
  hk_status s = write_overrides(w, meta);
  for (int i = 0; i < meta->n_attributes && s == HK_OK; i++)
    if (!write_attribute(w->file, meta->attribute[i].key, meta->attribute[i].value)) s = HK_EIO;
  return s;
}

static bool write_bytes(hid_t file, const char *name, const void *bytes, hsize_t n) {
  hid_t space = H5Screate_simple(1, &n, NULL);
  hid_t set = H5Dcreate2(file, name, H5T_STD_U8LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  bool ok = set >= 0 && H5Dwrite(set, H5T_NATIVE_UCHAR, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes) >= 0;
  if (set >= 0) H5Dclose(set);
  if (space >= 0) H5Sclose(space);
  return ok;
}

static bool write_scene(hid_t file, const hk_results_meta *meta) {
  if (!meta->scene) return true;
  return write_bytes(file, "scene_data", meta->scene_data, meta->scene_size) &&
         write_strings(file, "scene", meta->scene, 0, strlen(meta->scene) + 1);
}

/* Finds the bytes of a dataset that are overwritten later in place.  The datasets are created at the start because
 * objects cannot be created in SWMR mode. */
static bool find_room(const hk_results_writer *w, const char *name, off_t *offset) {
  hid_t set = H5Dopen2(w->file, name, H5P_DEFAULT);
  haddr_t at = set < 0 ? HADDR_UNDEF : H5Dget_offset(set);
  if (set >= 0) H5Dclose(set);
  if (at == HADDR_UNDEF) return false;
  *offset = (off_t)at;
  return true;
}

static bool create_rooms(hk_results_writer *w, size_t summary) {
  char text[HK_RESULTS_STATUS_SIZE] = "running";
  char *blank = calloc(1, summary + 1);
  w->sink.copy = calloc(1, HK_LAST_WRITE_ROOM);
  if (!blank || !w->sink.copy) w->sink.os_error = ENOMEM;
  bool ok = blank && w->sink.copy && write_strings(w->file, "status", text, 0, sizeof text) &&
            find_room(w, "status", &w->status_offset) &&
            write_strings(w->file, "summary", blank, 0, summary + 1) &&
            find_room(w, "summary", &w->summary_offset) &&
            write_bytes(w->file, "last_write", w->sink.copy, HK_LAST_WRITE_ROOM);
  w->summary_room = summary;
  free(blank);
  return ok;
}

/* Creates a table that grows by rows. */
static hid_t create_table(hk_results_writer *w, const char *name, hid_t type, int columns,
                          const void *missing) {
  hsize_t size[2] = {0, (hsize_t)columns}, max[2] = {H5S_UNLIMITED, size[1]};
  hsize_t chunk[2] = {(hsize_t)w->chunk_rows, size[1]};
  hid_t space = H5Screate_simple(2, size, max), plist = H5Pcreate(H5P_DATASET_CREATE), set = -1;
  if (plist >= 0 && H5Pset_chunk(plist, 2, chunk) >= 0 &&
      H5Pset_fill_value(plist, type, missing) >= 0)
    set = H5Dcreate2(w->file, name, type, space, H5P_DEFAULT, plist, H5P_DEFAULT);
  if (plist >= 0) H5Pclose(plist);
  if (space >= 0) H5Sclose(space);
  return set;
}

static bool create_data(hk_results_writer *w) {
  const double missing = NAN;
  const float nothing = 0;
  w->data = create_table(w, "data", H5T_NATIVE_DOUBLE, w->n_channels, &missing);
  hid_t between = create_table(w, "between", H5T_NATIVE_FLOAT, 3 * w->n_channels, &nothing);
  return w->data >= 0 && between >= 0 && H5Dclose(between) >= 0;
}

static bool create_file(hk_results_writer *w) {
  hid_t fapl = H5Pcreate(H5P_FILE_ACCESS);
  if (fapl < 0) return false;
  /* The 1.10 format is the oldest with SWMR and therefore the most widely readable. */
  if (H5Pset_libver_bounds(fapl, H5F_LIBVER_V110, H5F_LIBVER_V110) >= 0 &&
      H5Pset_metadata_read_attempts(fapl, 1) >= 0)
    w->driver = hk_hdf5_use_sink(fapl, &w->sink);
  if (w->driver >= 0)
    w->file = H5Fcreate(w->nameless ? w->path : w->temp, H5F_ACC_TRUNC, H5P_DEFAULT, fapl);
  H5Pclose(fapl);
  return w->file >= 0;
}

static bool flush_file(hk_results_writer *w) {
  return H5Fflush(w->file, H5F_SCOPE_GLOBAL) >= 0 && !w->sink.os_error;
}

/* Writes everything that a reader needs, then switches to SWMR mode. */
static hk_status fill_file(hk_results_writer *w, const hk_channel_info *channel,
                           const hk_results_meta *meta) {
  if (!create_file(w)) return HK_EIO;
  hk_status s = write_channel_texts(w, channel);
  if (s == HK_OK) s = write_meta(w, meta);
  if (s != HK_OK) return s;
  bool ok = write_scene(w->file, meta) && create_rooms(w, meta->summary_room) && create_data(w) &&
            flush_file(w) && H5Fstart_swmr_write(w->file) >= 0 && flush_file(w) &&
            find_room(w, "last_write", &w->sink.copy_at);
  return ok ? HK_OK : HK_EIO;
}

/* Finds the file to replace: symbolic links are followed; anything except a regular file is
 * rejected (a rename would replace a device by a file). */
static hk_status resolve_target(hk_results_writer *w, const char *path, hk_error *err) {
  struct stat st;
  if (!path || !path[0]) return hk_fail(err, HK_EINPUT, "the name of the results file is empty");
  hk_status status = hk_new_file_check(path, err);
  if (status) return status;
  w->path = hk_file_follow(path);
  if (!w->path && errno == ENOMEM) return hk_fail(err, HK_ENOMEM, "out of memory");
  if (!w->path) {
    char why[200];
    explain(errno, why, sizeof why);
    return hk_fail(err, HK_EIO, "cannot write results to '%s': %s", path, why);
  }
  if (stat(path, &st) != 0) return HK_OK;
  w->nameless = S_ISREG(st.st_mode) && st.st_nlink == 0 && hk_file_is_descriptor(w->path);
  if (w->nameless) return HK_OK;
  if (!S_ISREG(st.st_mode) || hk_file_is_descriptor(w->path))
    return hk_fail(err, HK_EIO, "cannot write results to '%s': it is %s; choose another name", path,
                   S_ISDIR(st.st_mode) ? "a folder" : "not a regular file");
  if (access(path, W_OK) != 0)
    return hk_fail(err, HK_EIO,
                   "cannot write results to '%s': the file is write-protected; choose another name",
                   path);
  return HK_OK;
}

/* ---- one writer for a file ---- */
static hk_status refuse(const hk_results_writer *w, hk_error *err) {
  hk_results *other = NULL;
  const char *process = NULL;
  if (hk_results_open(w->path, &other, NULL) == HK_OK)
    process = hk_results_attribute_value(other, "process");
  hk_fail(err, HK_EIO,
          "cannot write results to '%s': another run is writing it (process %s); wait for it, stop "
          "it, or "
          "choose another name",
          w->path, process ? process : "unknown");
  hk_results_destroy(other);
  return HK_EIO;
}

static hk_status cannot_open(hk_results_writer *w, hk_error *err) {
  explain(errno, w->why, sizeof w->why);
  w->failed = HK_EIO;
  return report(w, err);
}

static hk_status open_nameless(hk_results_writer *w, hk_error *err) {
  w->sink.fd = open(w->path, O_RDWR | O_CLOEXEC);
  if (w->sink.fd < 0) return cannot_open(w, err);
  hk_results_lock(w->sink.fd);
  return HK_OK;
}

/* Creates a file in the target's folder; O_EXCL ensures that its name is new. */
static hk_status open_temp(hk_results_writer *w, hk_error *err) {
  const char *slash = strrchr(w->path, '/');
  int folder = slash ? (int)(slash - w->path) + 1 : 0;
  size_t size = (size_t)folder + 64;
  w->temp = malloc(size);
  if (!w->temp) return hk_fail(err, HK_ENOMEM, "out of memory");
  for (int k = 0; k < 10000; k++) {
    snprintf(w->temp, size, "%.*s.hooke-%ld-%d.tmp", folder, w->path, (long)getpid(), k);
    w->sink.fd = open(w->temp, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (w->sink.fd >= 0) {
      hk_results_lock(w->sink.fd);
      return HK_OK;
    }
    if (errno != EEXIST) break;
  }
  hk_status status = cannot_open(w, err);
  free(w->temp);
  w->temp = NULL;
  return status;
}

static void release(hk_results_writer *w) {
  if (w->data >= 0) H5Dclose(w->data);
  if (w->file >= 0) H5Fclose(w->file);
  if (w->driver >= 0) H5FDunregister(w->driver);
  w->data = w->file = w->driver = -1;
}

static void discard(hk_results_writer *w) {
  if (w->sink.fd >= 0) close(w->sink.fd);
  if (w->temp) unlink(w->temp);
  free(w->path);
  free(w->temp);
  free(w->chunk);
  free(w->chunk_between);
  free(w->sink.copy);
  free(w);
}

static hk_status build(hk_results_writer *w, const hk_channel_info *channel,
                       const hk_results_meta *meta, hk_error *err) {
  hk_hdf5_guard guard;
  hk_hdf5_enter(&guard, NULL);
  hk_status s = fill_file(w, channel, meta);
  if (s == HK_ENOMEM) w->sink.os_error = ENOMEM;
  latch_failure(w, s == HK_OK);
  hk_name_taken name = w->failed     ? HK_NAME_FAILED
                       : w->nameless ? HK_NAME_OURS
                                     : hk_results_take_name(w->temp, w->path);
  if (!w->failed && name == HK_NAME_FAILED) {
    w->sink.os_error = errno;
    latch_failure(w, true);
  }
  if (name != HK_NAME_OURS) release(w);
  hk_hdf5_leave(&guard);
  if (w->failed) return report(w, err);
  if (name == HK_NAME_BUSY) return refuse(w, err);
  free(w->temp);
  w->temp = NULL;
  return HK_OK;
}

static void empty_chunk(hk_results_writer *w) {
  int64_t n = w->chunk_rows * w->n_channels;
  for (int64_t i = 0; i < n; i++) w->chunk[i] = NAN;
  memset(w->chunk_between, 0, 3 * (size_t)n * sizeof *w->chunk_between);
  w->any_between = false;
}

hk_status hk_results_create(const char *path, const hk_channel_info *channel, int n_channels,
                            const hk_results_meta *meta, hk_results_writer **out, hk_error *err) {
  static const hk_results_meta nothing;
  if (!meta) meta = &nothing;
  *out = NULL;
  hk_status s = hk_results_check_channels(channel, n_channels, err);
  if (s == HK_OK) s = hk_results_check_attributes(meta, err);
  if (s != HK_OK) return s;
  hk_results_writer *w = calloc(1, sizeof *w);
  if (!w) return hk_fail(err, HK_ENOMEM, "out of memory");
  w->sink.fd = -1;
  w->driver = w->file = w->data = -1;
  w->n_channels = n_channels;
  w->chunk_rows = CHUNK_BYTES / ((int64_t)sizeof(double) * n_channels);
  if (w->chunk_rows < 1) w->chunk_rows = 1;
  w->chunk = malloc((size_t)(w->chunk_rows * n_channels) * sizeof(double));
  w->chunk_between = malloc(3 * (size_t)(w->chunk_rows * n_channels) * sizeof(float));
  if (!w->chunk || !w->chunk_between)
    s = hk_fail(err, HK_ENOMEM, "out of memory for %d channels", n_channels);
  if (s == HK_OK) s = resolve_target(w, path, err);
  if (s == HK_OK) s = hk_memory_check(HK_MEMORY_HDF5, "writing HDF5", err);
  if (s == HK_OK && hk_results_is_locked(w->path)) s = refuse(w, err);
  if (s == HK_OK) s = w->nameless ? open_nameless(w, err) : open_temp(w, err);
  if (s == HK_OK) s = build(w, channel, meta, err);
  if (s != HK_OK) {
    discard(w);
    return s;
  }
  empty_chunk(w);
  w->flushed_at = wall_seconds();
  *out = w;
  return HK_OK;
}

/* ---- rows ---- */
/* Writes the values between rows before the rows themselves; empty chunks take no space. The table of the values
 * between rows is opened only here: if the disk is full, tables cannot be closed, and HDF5 1.10 cannot release two
 * such tables. */
static bool write_between(hk_results_writer *w, const hsize_t corner[2]) {
  hsize_t size[2] = {(hsize_t)w->n_rows, 3 * (hsize_t)w->n_channels};
  size_t bytes = 3 * (size_t)(w->chunk_rows * w->n_channels) * sizeof(float);
  if (!w->any_between) return true;
  hid_t set = H5Dopen2(w->file, "between", H5P_DEFAULT);
  bool ok = set >= 0 && H5Dset_extent(set, size) >= 0 &&
            H5Dwrite_chunk(set, H5P_DEFAULT, 0, corner, bytes, w->chunk_between) >= 0;
  if (set >= 0) {
    ok = ok && H5Dflush(set) >= 0;
    ok = H5Dclose(set) >= 0 && ok;
  }
  return ok;
}

/* Writes the current chunk.  The chunk goes directly to the file, without HDF5's cache; the flush then writes index
 * and extent in SWMR order, so no reader sees a row before its data. */
static hk_status write_chunk(hk_results_writer *w) {
  if (w->failed || w->n_written == w->n_rows) return w->failed;
  hsize_t size[2] = {(hsize_t)w->n_rows, (hsize_t)w->n_channels};
  hsize_t corner[2] = {(hsize_t)((w->n_rows - 1) / w->chunk_rows * w->chunk_rows), 0};
  size_t bytes = (size_t)(w->chunk_rows * w->n_channels) * sizeof(double);
  hk_hdf5_guard guard;
  hk_hdf5_enter(&guard, NULL);
  bool ok = write_between(w, corner) && H5Dset_extent(w->data, size) >= 0 &&
            H5Dwrite_chunk(w->data, H5P_DEFAULT, 0, corner, bytes, w->chunk) >= 0 &&
            H5Dflush(w->data) >= 0;
  latch_failure(w, ok);
  hk_hdf5_leave(&guard);
  if (w->failed) return w->failed;
  w->n_written = w->n_rows;
  w->flushed_at = wall_seconds();
  return HK_OK;
}

static void put_between(hk_results_writer *w, int64_t k, const float *between) {
  for (int i = 0; between && i < 3 * w->n_channels; i++) {
    w->chunk_between[k * 3 * w->n_channels + i] = between[i];
    w->any_between = w->any_between || between[i] > 0;
  }
}

hk_status hk_results_append(hk_results_writer *w, const double *row, hk_error *err) {
  return hk_results_append_between(w, row, NULL, err);
}

hk_status hk_results_append_between(hk_results_writer *w, const double *row, const float *between,
                                    hk_error *err) {
  if (w->failed) return report(w, err);
  int64_t k = w->n_rows % w->chunk_rows;
  if (k == 0 && w->n_rows > 0) empty_chunk(w);
  memcpy(w->chunk + k * w->n_channels, row, (size_t)w->n_channels * sizeof *row);
  put_between(w, k, between);
  w->n_rows++;
  if (k + 1 < w->chunk_rows && wall_seconds() - w->flushed_at < FLUSH_SECONDS) return HK_OK;
  return write_chunk(w) == HK_OK ? HK_OK : report(w, err);
}

hk_status hk_results_flush(hk_results_writer *w, hk_error *err) {
  return write_chunk(w) == HK_OK ? HK_OK : report(w, err);
}

void hk_results_summarise(hk_results_writer *w, const char *json) {
  if (!w->failed && strlen(json) <= w->summary_room)
    hk_hdf5_sink_write(&w->sink, json, strlen(json) + 1, w->summary_offset);
}

int64_t hk_results_writer_rows(const hk_results_writer *w) { return w->n_rows; }

hk_status hk_results_close(hk_results_writer *w, const char *status, hk_error *err) {
  if (!w) return HK_OK;
  if (write_chunk(w) == HK_OK) write_status(w, status ? status : "finished");
  hk_hdf5_guard guard;
  hk_hdf5_enter(&guard, NULL);
  latch_failure(w, true);
  release(w);
  latch_failure(w, true);
  hk_hdf5_leave(&guard);
  int fd = w->sink.fd;
  w->sink.fd = -1;
  if (close(fd) != 0 && errno != EINTR && !w->failed) {
    w->failed = HK_EIO;
    explain(errno, w->why, sizeof w->why);
  }
  hk_status s = w->failed ? report(w, err) : HK_OK;
  discard(w);
  return s;
}
