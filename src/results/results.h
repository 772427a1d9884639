/* Results of a run: the writer.  The layout of the file and the reader are in hooke/results.h.
 *
 * The writer creates the file under a temporary name in the target's folder, switches it to
 * single-writer-multiple-reader (SWMR) mode and then renames it to the target's name.  Therefore
 * an older result is not lost before the new one is readable.  Rows are written when a chunk is
 * full and at least once per second of wall time. */
#ifndef HK_RESULTS_RESULTS_H
#define HK_RESULTS_RESULTS_H
#include <hooke/results.h>

enum {
  HK_RESULTS_FORMAT = 1,
  HK_RESULTS_MAX_CHANNELS = 1000000,
  HK_RESULTS_MAX_NAME =
      1023, /* bytes of a name, unit or description; a longer description is cut */
  HK_RESULTS_STATUS_SIZE = 512
};

typedef struct hk_channel_info {
  const char *name, *unit, *doc; /* unit and doc may be NULL */
} hk_channel_info;

/* Information about the origin of the file.  Every member may be NULL or 0. */
typedef struct hk_results_meta {
  const char *title;
  const char *model_file;           /* name of the model file */
  const char *model_text;           /* its text */
  const char *const *override_text; /* the --set arguments */
  int n_overrides;
  const hk_results_attribute *attribute;
  int n_attributes;
  const char *scene; /* scene as JSON, and the bytes of its meshes */
  const void *scene_data;
  size_t scene_size;
  size_t summary_room; /* number of bytes reserved for hk_results_summarise */
} hk_results_meta;

typedef struct hk_results_writer hk_results_writer;

/* channel[0] is time; names must be unique and not empty.  The arguments are copied.  On failure *out is NULL, an
 * older file at `path` is unchanged and no temporary file remains.  If `path` is the name of a descriptor
 * (/proc/self/fd/N) of a file that has no name, that file is filled; hk_results_open reads it by the same path. */
hk_status hk_results_create(const char *path, const hk_channel_info *channel, int n_channels,
                            const hk_results_meta *meta, hk_results_writer **out, hk_error *err);
/* Appends one row of n_channels values without allocation.  After a failure (disk full) all later calls fail with the
 * same message; rows written before stay readable. */
hk_status hk_results_append(hk_results_writer *w, const double *row, hk_error *err);
/* Same as hk_results_append, with 3 n_channels values about the motion since the previous row: for each channel the
 * amounts below and above both rows, and the number of extremes (see hk_results_read_between). */
hk_status hk_results_append_between(hk_results_writer *w, const double *row, const float *between,
                                    hk_error *err);
/* Reads these values for rows first to first + n - 1, [n][3 n_channels], all channels at once.
 * Zeros for files without them. */
hk_status hk_results_read_between_rows(hk_results *r, int64_t first, int64_t n, float *out,
                                       hk_error *err);
/* Passes all appended rows to the operating system. */
hk_status hk_results_flush(hk_results_writer *w, hk_error *err);
/* Writes the summary; it is omitted if it is larger than the reserved space. */
void hk_results_summarise(hk_results_writer *w, const char *json);
/* Number of appended rows. */
int64_t hk_results_writer_rows(const hk_results_writer *w);
/* Writes the last rows and the status (NULL: "finished"), closes and frees the writer, even after
 * failures; NULL is allowed.  Returns the first failure of this writer, so that no caller misses a
 * full disk. */
hk_status hk_results_close(hk_results_writer *w, const char *status, hk_error *err);
#endif
