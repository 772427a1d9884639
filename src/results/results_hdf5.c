/* Lock, suppressed messages and file driver for HDF5: see results_hdf5.h. */
#include "results/results_hdf5.h"
#include "base/memory_check.h"
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>
#if H5_VERSION_GE(1, 13, 0)
#include <H5FDdevelop.h>
#endif

/* HDF5 has library-wide state, so calls must be serialised by a lock. */
static pthread_mutex_t hdf5_lock = PTHREAD_MUTEX_INITIALIZER;

static void (*watch_begin)(const char *path);
static void (*watch_end)(void);

void hk_hdf5_watch(void (*begin)(const char *path), void (*end)(void)) {
  watch_begin = begin, watch_end = end;
}

void hk_hdf5_enter(hk_hdf5_guard *g, const char *reading) {
  pthread_mutex_lock(&hdf5_lock);
  g->watched = reading && watch_begin;
  if (g->watched) watch_begin(reading);
  g->restore = H5Eget_auto2(H5E_DEFAULT, &g->report, &g->report_data) >= 0;
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
}

void hk_hdf5_leave(hk_hdf5_guard *g) {
  if (g->restore) H5Eset_auto2(H5E_DEFAULT, g->report, g->report_data);
  if (g->watched) watch_end();
  pthread_mutex_unlock(&hdf5_lock);
}

typedef struct reason_text {
  char *buf;
  size_t size;
} reason_text;

static herr_t take_reason(unsigned n, const H5E_error2_t *e, void *arg) {
  reason_text *r = arg;
  if (n == 0 && e->desc) snprintf(r->buf, r->size, "%s", e->desc);
  return 0;
}

void hk_hdf5_reason(char *buf, size_t size) {
  reason_text r = {buf, size};
  snprintf(buf, size, "unknown reason");
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, take_reason, &r);
}

static herr_t refuse_other_file(const char *from, const char *group, const char *file,
                                const char *object, unsigned *flags, hid_t access, void *context) {
  (void)from, (void)group, (void)file, (void)object, (void)flags, (void)access, (void)context;
  return -1;
}

/* Access properties: links to other files are not followed. */
static hid_t own_file_only(hid_t kind) {
  hid_t list = H5Pcreate(kind);
  if (list < 0 || H5Pset_elink_cb(list, refuse_other_file, NULL) >= 0) return list;
  H5Pclose(list);
  return -1;
}

/* A damaged file may state a size of gigabytes for each number, and HDF5 would reserve and clear this amount of
 * memory. */
static bool has_possible_numbers(hid_t set) {
  enum { LARGEST_NUMBER = 16 };
  hid_t type = H5Dget_type(set);
  H5T_class_t kind = type < 0 ? H5T_NO_CLASS : H5Tget_class(type);
  bool possible = type >= 0 && ((kind != H5T_INTEGER && kind != H5T_FLOAT) ||
                                H5Tget_size(type) <= LARGEST_NUMBER);
  if (type >= 0) H5Tclose(type);
  return possible;
}

hid_t hk_hdf5_dataset(hid_t place, const char *name) {
  hid_t way = own_file_only(H5P_DATASET_ACCESS);
  hid_t set = way < 0 ? -1 : H5Dopen2(place, name, way);
  hid_t made = set < 0 ? -1 : H5Dget_create_plist(set);
  bool own = made >= 0 && H5Pget_external_count(made) == 0 && H5Pget_layout(made) != H5D_VIRTUAL;
  if (made >= 0) H5Pclose(made);
  if (way >= 0) H5Pclose(way);
  own = own && has_possible_numbers(set);
  if (own || set < 0) return set;
  H5Dclose(set);
  return -1;
}

hid_t hk_hdf5_group(hid_t place, const char *name) {
  hid_t way = own_file_only(H5P_GROUP_ACCESS);
  hid_t group = way < 0 ? -1 : H5Gopen2(place, name, way);
  if (way >= 0) H5Pclose(way);
  return group;
}

bool hk_hdf5_has(hid_t place, const char *name) {
  hid_t way = own_file_only(H5P_LINK_ACCESS);
  bool has = way >= 0 && H5Lexists(place, name, way) > 0;
  if (way >= 0) H5Pclose(way);
  return has;
}

static herr_t note_resource(unsigned n, const H5E_error2_t *e, void *arg) {
  bool *resource = arg;
  (void)n;
  if (e->maj_num == H5E_RESOURCE) *resource = true;
  return 0;
}

/* Returns true if memory is insufficient. A damaged file may request any number of bytes, a valid one at most PLENTY:
 * larger requests are checked against the available memory. */
bool hk_hdf5_lacks_memory(void) {
  enum { PLENTY = 96 << 20, LITTLE = 4 << 20 };
  bool resource = false;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, note_resource, &resource);
  return hk_memory_check(resource ? PLENTY : LITTLE, "HDF5", NULL) != HK_OK;
}

/* ---- the driver ---- */
typedef struct sink_info {
  hk_hdf5_sink *sink;
} sink_info;

typedef struct sink_file {
  H5FD_t base; /* must be the first member, because HDF5 uses only this part of the struct */
  hk_hdf5_sink *sink;
  haddr_t eoa, eof;
} sink_file;

#define MAX_ADDRESS (((haddr_t)1 << (8 * sizeof(off_t) - 1)) - 1)

static H5FD_t *sink_open(const char *name, unsigned flags, hid_t fapl, haddr_t maxaddr) {
  const sink_info *info = H5Pget_driver_info(fapl);
  if (!info) return NULL;
  if ((flags & H5F_ACC_TRUNC) && ftruncate(info->sink->fd, 0) != 0) {
    info->sink->os_error = errno;
    return NULL;
  }
  sink_file *f = calloc(1, sizeof *f);
  if (!f) {
    info->sink->os_error = ENOMEM;
    return NULL;
  }
  off_t end = lseek(info->sink->fd, 0, SEEK_END);
  f->sink = info->sink;
  f->eof = end < 0 ? 0 : (haddr_t)end;
  haddr_t last_end = f->sink->last.address + f->sink->last.size;
  if (f->eof < last_end) f->eof = last_end;
  return &f->base;
}

static herr_t sink_close(H5FD_t *file) {
  free(file);
  return 0;
}

static herr_t sink_query(const H5FD_t *file, unsigned long *flags) {
  if (flags)
    *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
             H5FD_FEAT_AGGREGATE_SMALLDATA | H5FD_FEAT_SUPPORTS_SWMR_IO;
  return 0;
}

static haddr_t sink_get_eoa(const H5FD_t *file, H5FD_mem_t type) {
  return ((const sink_file *)file)->eoa;
}

static herr_t sink_set_eoa(H5FD_t *file, H5FD_mem_t type, haddr_t eoa) {
  ((sink_file *)file)->eoa = eoa;
  return 0;
}

static haddr_t sink_get_eof(const H5FD_t *file, H5FD_mem_t type) {
  return ((const sink_file *)file)->eof;
}

/* Bytes after the end of the file are read as zero, as HDF5 expects. After a failed write the
 * file differs from the state in HDF5's memory. Reading then fails, because otherwise HDF5
 * would read again and again, with wrong checksums. */
static herr_t sink_read(H5FD_t *file, H5FD_mem_t type, hid_t dxpl, haddr_t address, size_t size,
                        void *buf) {
  const hk_hdf5_sink *sink = ((sink_file *)file)->sink;
  char *to = buf;
  const haddr_t first = address;
  const size_t all = size;
  if (sink->os_error) return -1;
  if (address > MAX_ADDRESS || size > MAX_ADDRESS - address) return -1;
  while (size > 0) {
    ssize_t n = pread(sink->fd, to, size, (off_t)address);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return -1;
    if (n == 0) {
      memset(to, 0, size);
      break;
    }
    to += n, address += (haddr_t)n, size -= (size_t)n;
  }
  hk_last_write_apply(&sink->last, first, buf, all);
  return 0;
}

void hk_hdf5_sink_write(hk_hdf5_sink *sink, const void *buf, size_t size, off_t at) {
  const char *from = buf;
  while (size > 0) {
    ssize_t n = pwrite(sink->fd, from, size, at);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) {
      if (!sink->os_error) sink->os_error = n < 0 ? errno : EIO;
      return;
    }
    from += n, at += n, size -= (size_t)n;
  }
}

/* Writes a block of HDF5's structure, after its copy (last_write.h). */
static void write_structure(hk_hdf5_sink *sink, const void *buf, size_t size, off_t at) {
  if (sink->copy_at > 0)
    hk_hdf5_sink_write(sink, sink->copy, hk_last_write_make(sink->copy, (uint64_t)at, buf, size),
                       sink->copy_at);
  if (!sink->os_error) hk_hdf5_sink_write(sink, buf, size, at);
}

static herr_t sink_write(H5FD_t *file, H5FD_mem_t type, hid_t dxpl, haddr_t address, size_t size,
                         const void *buf) {
  sink_file *f = (sink_file *)file;
  if (address > MAX_ADDRESS || size > MAX_ADDRESS - address) return -1;
  if (!f->sink->os_error) {
    if (type == H5FD_MEM_DRAW)
      hk_hdf5_sink_write(f->sink, buf, size, (off_t)address);
    else
      write_structure(f->sink, buf, size, (off_t)address);
  }
  if (address + size > f->eof) f->eof = address + size;
  return 0;
}

static herr_t sink_truncate(H5FD_t *file, hid_t dxpl, hbool_t closing) {
  sink_file *f = (sink_file *)file;
  if (f->eoa == f->eof) return 0;
  if (!f->sink->os_error && ftruncate(f->sink->fd, (off_t)f->eoa) != 0) f->sink->os_error = errno;
  f->eof = f->eoa;
  return 0;
}

/* HDF5 marks a file as open for writing only if its driver supports locking.  The file has a private name until it is
 * complete, so no lock is needed. */
static herr_t sink_lock(H5FD_t *file, hbool_t writing) { return 0; }
static herr_t sink_unlock(H5FD_t *file) { return 0; }

static const H5FD_class_t sink_class = {
#if H5_VERSION_GE(1, 13, 0)
    .version = H5FD_CLASS_VERSION,
    .value = (H5FD_class_value_t)600, /* numbers from 512 are free for unregistered drivers */
#endif
    .name = "hooke",
    .maxaddr = MAX_ADDRESS,
    .fc_degree = H5F_CLOSE_STRONG,
    .fapl_size = sizeof(sink_info),
    .open = sink_open,
    .close = sink_close,
    .query = sink_query,
    .get_eoa = sink_get_eoa,
    .set_eoa = sink_set_eoa,
    .get_eof = sink_get_eof,
    .read = sink_read,
    .write = sink_write,
    .truncate = sink_truncate,
    .lock = sink_lock,
    .unlock = sink_unlock,
    .fl_map = H5FD_FLMAP_DICHOTOMY,
};

hid_t hk_hdf5_use_sink(hid_t fapl, hk_hdf5_sink *sink) {
  sink_info info = {sink};
  hid_t driver = H5FDregister(&sink_class);
  if (driver >= 0 && H5Pset_driver(fapl, driver, &info) < 0) {
    H5FDunregister(driver);
    return -1;
  }
  return driver;
}
