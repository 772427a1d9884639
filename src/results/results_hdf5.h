/* HDF5 services shared by the results writer and reader: lock, suppressed messages, and a file driver that hides disk
 * failures from HDF5. */
#ifndef HK_RESULTS_RESULTS_HDF5_H
#define HK_RESULTS_RESULTS_HDF5_H
#include "results/last_write.h"
#include <hdf5.h>
#include <sys/types.h>

/* Between enter and leave this thread has exclusive use of HDF5, and HDF5 prints nothing.
 * `reading` is the file that is being read; NULL: a file is being written. */
typedef struct hk_hdf5_guard {
  H5E_auto2_t report;
  void *report_data;
  bool restore, watched;
} hk_hdf5_guard;
void hk_hdf5_enter(hk_hdf5_guard *g, const char *reading);
void hk_hdf5_leave(hk_hdf5_guard *g);
/* Sets functions to call before and after every use of HDF5 that reads a file: libhdf5 1.10 may
 * crash on a damaged file, and only the program can decide how to handle the signal.  NULL: none,
 * the default. */
void hk_hdf5_watch(void (*begin)(const char *path), void (*end)(void));
/* Copies the innermost message of HDF5's error stack; call before any other HDF5 function. */
void hk_hdf5_reason(char *buf, size_t size);
/* Returns true if memory ran out; call after a failure, before any other HDF5 function. If false, the file is
 * damaged. */
bool hk_hdf5_lacks_memory(void);

/* Open a dataset stored in this file, open a group of this file, and test whether a link leads to
 * an object in this file. Links to other files, external storage and virtual datasets are not
 * followed, because a file from an untrusted source could use them to expose any file of the user.
 * Negative or false: there is no such object in this file. */
hid_t hk_hdf5_dataset(hid_t place, const char *name);
hid_t hk_hdf5_group(hid_t place, const char *name);
bool hk_hdf5_has(hid_t place, const char *name);

/* An open file as HDF5 sees it.  The first failed write sets os_error; later writes are discarded and reported to
 * HDF5 as successful, because after failed flushes HDF5 keeps objects that it tries to flush again at exit. For the
 * file on the disk this is the same as if the process had been killed at that moment, which is harmless because of the
 * order of writes in SWMR mode. The caller checks os_error after every HDF5 call. */
typedef struct hk_hdf5_sink {
  int fd;       /* file descriptor, owned by the caller */
  int os_error; /* errno of the first failure, 0 if none */
  /* where the file has the copy of the last change of its structure (last_write.h); 0: there is none, or it is not used */
  off_t copy_at;
  unsigned char *copy; /* of a writer: HK_LAST_WRITE_ROOM bytes, owned by the caller */
  hk_last_write last;  /* of a reader: bytes that replace those of the file */
} hk_hdf5_sink;

/* Writes at a position of the file without HDF5, even after a failure.  Sets os_error on
 * failure. */
void hk_hdf5_sink_write(hk_hdf5_sink *sink, const void *buf, size_t size, off_t at);

/* Registers the driver and makes `fapl` use it on `sink`, which must outlive the file.  Returns the driver's id for
 * H5FDunregister, negative on failure. */
hid_t hk_hdf5_use_sink(hid_t fapl, hk_hdf5_sink *sink);
#endif
