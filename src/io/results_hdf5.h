/* What the results writer and reader share of HDF5: the lock, the silence, and a file driver that
 * keeps a failing disk away from HDF5. */
#ifndef HK_RESULTS_HDF5_H
#define HK_RESULTS_HDF5_H
#include <hooke/base.h>
#include <hdf5.h>
#include <sys/types.h>

/* Between enter and leave this thread owns HDF5 and HDF5 prints nothing. */
typedef struct hk_hdf5_guard {
  H5E_auto2_t report;
  void *report_data;
  bool restore;
} hk_hdf5_guard;
void hk_hdf5_enter(hk_hdf5_guard *g);
void hk_hdf5_leave(hk_hdf5_guard *g);
/* The innermost message of HDF5's error stack; call before any other HDF5 function. */
void hk_hdf5_reason(char *buf, size_t size);
/* After a failure, before any other HDF5 function: is it for want of memory?  Else the file is damaged. */
bool hk_hdf5_lacks_memory(void);

/* A dataset whose numbers are in this file, a group of this file, and whether a link leads to something in it.  Links to
 * other files, external storage and virtual datasets are not followed: a file from elsewhere could show any file of the
 * reader by them.  Negative or false: there is none, or it is elsewhere. */
hid_t hk_hdf5_dataset(hid_t place, const char *name);
hid_t hk_hdf5_group(hid_t place, const char *name);
bool hk_hdf5_has(hid_t place, const char *name);

/* An open file as HDF5 sees it.  The first write that fails sets os_error; from then on writes
 * are dropped and HDF5 is told that all went well, because its own recovery from failed flushes
 * leaves objects it tries to flush again at exit.  On disk this equals a kill at that moment,
 * which SWMR order makes harmless.  The caller checks os_error after every HDF5 call. */
typedef struct hk_hdf5_sink {
  int fd;       /* owned by the caller */
  int os_error; /* errno of the first failure, 0 if none */
} hk_hdf5_sink;

/* Write at a place of the file, past HDF5; also after a failure.  Sets os_error if it fails. */
void hk_hdf5_sink_write(hk_hdf5_sink *sink, const void *buf, size_t size, off_t at);

/* Register the driver and make `fapl` use it on `sink`, which must outlive the file.  Returns the
 * driver's id for H5FDunregister, negative on failure. */
hid_t hk_hdf5_use_sink(hid_t fapl, hk_hdf5_sink *sink);
#endif
