/* Results of a run: writing them.  The layout of the file and the reader are in hooke/results.h.
 *
 * The writer builds the file under a temporary name beside the target, switches it to
 * single-writer-multiple-reader (SWMR) mode and only then renames it over the target: an older
 * result is never lost before the new one is readable.  Rows reach the file when a chunk is full
 * and at least once per second of wall time.
 */
#ifndef HK_RESULTS_H
#define HK_RESULTS_H
#include <hooke/results.h>

enum {
  HK_RESULTS_FORMAT = 1,
  HK_RESULTS_MAX_CHANNELS = 1000000,
  HK_RESULTS_MAX_NAME = 1023, /* bytes of a name, unit or doc; a longer doc is cut */
  HK_RESULTS_STATUS_SIZE = 512
};

typedef struct hk_channel_info {
  const char *name, *unit, *doc; /* unit and doc may be NULL */
} hk_channel_info;

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

typedef struct hk_results_writer hk_results_writer;

/* channel[0] is time; names must be unique and not empty.  Nothing given is kept by reference.
 * On failure *out is NULL, an older file at `path` is untouched and no temporary file is left. */
hk_status hk_results_create(const char *path, const hk_channel_info *channel, int n_channels,
                            const hk_results_meta *meta, hk_results_writer **out, hk_error *err);
/* Append one row of n_channels values; no allocation.  Once an append has failed (disk full) all
 * later ones fail alike; the rows written before stay readable. */
hk_status hk_results_append(hk_results_writer *w, const double *row, hk_error *err);
/* The same, with what happened since the row before, 3 n_channels numbers: below, above and turns of each channel, see
 * hk_results_read_between. */
hk_status hk_results_append_between(hk_results_writer *w, const double *row, const float *between,
                                    hk_error *err);
/* Hand everything appended so far to the operating system. */
hk_status hk_results_flush(hk_results_writer *w, hk_error *err);
/* Write the summary; one that needs more room than was asked for is left out. */
void hk_results_summarise(hk_results_writer *w, const char *json);
/* Rows appended so far. */
int64_t hk_results_writer_rows(const hk_results_writer *w);
/* Write the last rows and the status (NULL: "finished"), close and free.  Always frees; NULL is
 * allowed.  Returns the first failure of this writer, so that no caller misses a full disk. */
hk_status hk_results_close(hk_results_writer *w, const char *status, hk_error *err);
#endif
