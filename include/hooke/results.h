/* Results of a run: reading them.  One HDF5 file, readable at any moment, also after kill -9:
 *
 *   hk_results *r;
 *   if (hk_results_open("out.h5", &r, &err)) ...
 *   for (int i = 0; i < hk_results_channel_count(r); i++)
 *     printf("%s [%s]\n", hk_results_name(r, i), hk_results_unit(r, i));
 *   const char *name[2] = {"time", "bob.x"};
 *   hk_results_read(r, name, 2, column, &err);
 *   hk_results_destroy(r);
 *
 * The layout of the file:
 *
 *   /data      double [rows, channels], chunked by rows, column 0 is time
 *   /between   float [rows, 3 channels]: by how much each channel went below and above both this row and the one before on the
 *              way between them, and how often it turned there; may be missing
 *   /names     fixed-length UTF-8 strings [channels]
 *   /units     fixed-length UTF-8 strings [channels], "" where dimensionless
 *   /docs      fixed-length UTF-8 strings [channels], one line on each channel
 *   /model     the text of the model file, one fixed-length string
 *   /scene     JSON: bodies, solids, joints and contacts, for pictures; may be missing
 *   /scene_data  uint8 [bytes]: the meshes of the scene, gzip
 *   /summary   JSON, written at the end: measures, warnings, statistics; empty until then
 *   /status    one fixed-length string: "running", "finished", "stopped", "failed: why"
 *   attributes of the root: hooke_results (format version, integer), hooke_version, process (number of
 *   the one that wrote it), title, model_file, overrides (one per line), and the caller's own keys
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
#ifndef HOOKE_RESULTS_H
#define HOOKE_RESULTS_H
#include <hooke/base.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hk_results_attribute {
  const char *key, *value;
} hk_results_attribute;

/* Finished files, files being written, files left by a killed run.
 *
 * A damaged file gives HK_EIO or HK_EINPUT with a message if hooke or libhdf5 finds the damage.
 * libhdf5 1.10 does not always find it: it reads out of bounds in damaged attributes, and the
 * process may end with SIGSEGV.  The `hooke` program turns that into a message and exit status 2;
 * a library cannot, because signal handlers belong to the program.  A program that reads files of
 * strangers should read them in a child process, or use a newer libhdf5. */
typedef struct hk_results hk_results;

HK_API hk_status hk_results_open(const char *path, hk_results **out, hk_error *err);
HK_API void hk_results_destroy(hk_results *r);
/* Look again at a file that is being written: updates the number of rows and the status. */
HK_API hk_status hk_results_refresh(hk_results *r, hk_error *err);

HK_API const char *hk_results_path(const hk_results *r);
HK_API int hk_results_channel_count(const hk_results *r);
HK_API int64_t hk_results_row_count(const hk_results *r);
/* Rows the file announces but does not hold (a truncated copy); 0 for a healthy file. */
HK_API int64_t hk_results_lost_count(const hk_results *r);
/* i in [0, n_channels); "" for any other i.  Strings live as long as r. */
HK_API const char *hk_results_name(const hk_results *r, int i);
HK_API const char *hk_results_unit(const hk_results *r, int i);
HK_API const char *hk_results_doc(const hk_results *r, int i);
HK_API const char *hk_results_status(const hk_results *r);
HK_API const char *hk_results_model_text(const hk_results *r);
/* The summary as JSON, "" if there is none. */
HK_API const char *hk_results_summary(const hk_results *r);
/* The scene, malloc'ed; *json is NULL if the file has none. */
HK_API hk_status hk_results_scene(const hk_results *r, char **json, void **data, size_t *size,
                                  hk_error *err);
/* A string attribute of the root ("title", "hooke_version", a caller's key), or NULL. */
HK_API const char *hk_results_attribute_value(const hk_results *r, const char *key);
HK_API int hk_results_attribute_count(const hk_results *r);
/* The i-th attribute in alphabetical order of keys; NULL members for i out of range. */
HK_API hk_results_attribute hk_results_attribute_at(const hk_results *r, int i);

/* Index of a channel by name, or -1. */
HK_API int hk_results_find(const hk_results *r, const char *name);
/* The same, but an unknown name gives HK_EINPUT with a "did you mean". */
HK_API hk_status hk_results_channel(const hk_results *r, const char *name, int *index,
                                    hk_error *err);

/* One column, n_rows values. */
HK_API hk_status hk_results_read_column(hk_results *r, int channel, double *out, hk_error *err);
/* Rows [first, first + count), all channels, row by row: count * n_channels values. */
HK_API hk_status hk_results_read_rows(hk_results *r, int64_t first, int64_t count, double *out,
                                      hk_error *err);
/* What one channel did before each row, since the one before it: n_rows values each.  0 in files that do not tell. */
HK_API hk_status hk_results_read_between(hk_results *r, int channel, double *below, double *above,
                                         double *turns, hk_error *err);
/* Columns by name: out[k * n_rows + row], one name after the other. */
HK_API hk_status hk_results_read(hk_results *r, const char *const *name, int n, double *out,
                                 hk_error *err);
/* Values of n channels at m times, any order: out[i * n + k] at t[i] of name[k].  Between two rows they lie on
 * the straight line; a time outside of the file's is HK_EINPUT.  How dense rows are is up to the
 * analysis' output_step; hk_sim_sample has the polynomials of the stepper. */
HK_API hk_status hk_results_sample(hk_results *r, const double *t, int m, const char *const *name,
                                   int n, double *out, hk_error *err);

#ifdef __cplusplus
}
#endif
#endif
