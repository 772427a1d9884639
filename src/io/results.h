/* Results of a run: one HDF5 file, readable at any moment, also after kill -9.
 *
 *   /data      double [rows, channels], chunked by rows, column 0 is time
 *   /names     fixed-length UTF-8 strings [channels]
 *   /units     fixed-length UTF-8 strings [channels], "" where dimensionless
 *   /docs      fixed-length UTF-8 strings [channels], one line on each channel
 *   /model     the text of the model file, one fixed-length string
 *   /scene     JSON: bodies, solids, joints and contacts, for pictures (src/scene); may be missing
 *   /scene_data  uint8 [bytes]: the meshes of the scene, gzip
 *   /summary   JSON, written at the end: measures, warnings, statistics; empty until then
 *   /status    one fixed-length string: "running", "finished", "stopped", "failed: why"
 *   attributes of the root: hooke_results (format version, integer), hooke_version, title,
 *   model_file, overrides (one per line), and the caller's own keys
 *
 * The writer builds the file under a temporary name beside the target, switches it to
 * single-writer-multiple-reader (SWMR) mode and only then renames it over the target: an older
 * result is never lost before the new one is readable.  Rows reach the file when a chunk is full
 * and at least once per second of wall time.  A file that still says "running" belongs to a run
 * that is alive or was killed; its rows are valid either way.  Other programs open such a file in
 * SWMR read mode (h5py: `h5py.File(path, "r", swmr=True)`).
 *
 * HDF5 is not reentrant as commonly packaged: every call here takes one process-wide lock, so
 * different writers and readers may be used from different threads; one object must not be
 * shared between threads.  A child made by fork() while a writer is open must leave with _exit().
 */
#ifndef HK_RESULTS_H
#define HK_RESULTS_H
#include <hooke/base.h>

enum {
  HK_RESULTS_FORMAT = 1,
  HK_RESULTS_MAX_CHANNELS = 1000000,
  HK_RESULTS_MAX_NAME = 1023, /* bytes of a name, unit or doc; a longer doc is cut */
  HK_RESULTS_STATUS_SIZE = 512
};

typedef struct hk_channel_info {
  const char *name, *unit, *doc; /* unit and doc may be NULL */
} hk_channel_info;

typedef struct hk_results_attribute {
  const char *key, *value;
} hk_results_attribute;

/* What the file says about its origin.  Every member may be NULL / 0. */
typedef struct hk_results_meta {
  const char *title;
  const char *model_file;           /* name of the model file */
  const char *model_text;           /* its text */
  const char *const *override_text; /* the --set arguments as given */
  int n_overrides;
  const hk_results_attribute *attribute;
  int n_attributes;
  const char *scene; /* JSON, with its bytes */
  const void *scene_data;
  size_t scene_size;
  size_t summary_room; /* bytes that hk_results_summarise may need */
} hk_results_meta;

/* ---- writer ---- */
typedef struct hk_results_writer hk_results_writer;

/* channel[0] is time; names must be unique and not empty.  Nothing given is kept by reference.
 * On failure *out is NULL, an older file at `path` is untouched and no temporary file is left. */
hk_status hk_results_create(const char *path, const hk_channel_info *channel, int n_channels,
                            const hk_results_meta *meta, hk_results_writer **out, hk_error *err);
/* Append one row of n_channels values; no allocation.  Once an append has failed (disk full) all
 * later ones fail alike; the rows written before stay readable. */
hk_status hk_results_append(hk_results_writer *w, const double *row, hk_error *err);
/* Hand everything appended so far to the operating system. */
hk_status hk_results_flush(hk_results_writer *w, hk_error *err);
/* Write the summary; one that needs more room than was asked for is left out. */
void hk_results_summarise(hk_results_writer *w, const char *json);
/* Rows appended so far. */
int64_t hk_results_writer_rows(const hk_results_writer *w);
/* Write the last rows and the status (NULL: "finished"), close and free.  Always frees; NULL is
 * allowed.  Returns the first failure of this writer, so that no caller misses a full disk. */
hk_status hk_results_close(hk_results_writer *w, const char *status, hk_error *err);

/* ---- reader: finished files, files being written, files left by a killed run ---- */
typedef struct hk_results hk_results;

hk_status hk_results_open(const char *path, hk_results **out, hk_error *err);
void hk_results_free(hk_results *r);
/* Look again at a file that is being written: updates the number of rows and the status. */
hk_status hk_results_refresh(hk_results *r, hk_error *err);

const char *hk_results_path(const hk_results *r);
int hk_results_n_channels(const hk_results *r);
int64_t hk_results_n_rows(const hk_results *r);
/* Rows the file announces but does not hold (a truncated copy); 0 for a healthy file. */
int64_t hk_results_n_lost(const hk_results *r);
/* i in [0, n_channels); "" for any other i.  Strings live as long as r. */
const char *hk_results_name(const hk_results *r, int i);
const char *hk_results_unit(const hk_results *r, int i);
const char *hk_results_doc(const hk_results *r, int i);
const char *hk_results_status(const hk_results *r);
const char *hk_results_model_text(const hk_results *r);
/* The summary as JSON, "" if there is none. */
const char *hk_results_summary(const hk_results *r);
/* The scene, malloc'ed; *json is NULL if the file has none. */
hk_status hk_results_scene(const hk_results *r, char **json, void **data, size_t *size, hk_error *err);
/* A string attribute of the root ("title", "hooke_version", a caller's key), or NULL. */
const char *hk_results_attribute_value(const hk_results *r, const char *key);
int hk_results_n_attributes(const hk_results *r);
/* The i-th attribute in alphabetical order of keys; NULL members for i out of range. */
hk_results_attribute hk_results_attribute_at(const hk_results *r, int i);

/* Index of a channel by name, or -1. */
int hk_results_find(const hk_results *r, const char *name);
/* The same, but an unknown name gives HK_EINPUT with a "did you mean". */
hk_status hk_results_channel(const hk_results *r, const char *name, int *index, hk_error *err);

/* One column, n_rows values. */
hk_status hk_results_read_column(hk_results *r, int channel, double *out, hk_error *err);
/* Rows [first, first + count), all channels, row by row: count * n_channels values. */
hk_status hk_results_read_rows(hk_results *r, int64_t first, int64_t count, double *out,
                               hk_error *err);
#endif
