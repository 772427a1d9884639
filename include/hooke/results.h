/* Reading the results of a run.  The results are one HDF5 file, readable at any time, even after
 * kill -9:
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
 *   /between   float [rows, 3 channels]: between the previous row and this one: by how much each channel was below and above
 *              the values of both rows, and its number of local extrema; may be missing
 *   /names     fixed-length UTF-8 strings [channels]
 *   /units     fixed-length UTF-8 strings [channels], "": dimensionless
 *   /docs      fixed-length UTF-8 strings [channels], one line per channel
 *   /model     the text of the model file, one fixed-length string
 *   /scene     JSON: bodies, solids, joints and contacts, for pictures; may be missing
 *   /scene_data  uint8 [bytes]: the meshes of the scene, gzip
 *   /summary   JSON, written at the end: measures, warnings, statistics; empty until then
 *   /status    one fixed-length string: "running", "finished", "stopped", "failed: why"
 *   /last_write  uint8 [bytes]: copy of the last change of the structure of the file, for the case that the writer is
 *              killed while it makes this change
 *   attributes of the root: hooke_results (format version, integer), hooke_version, process (id of the writing process), title,
 *   model_file, model_path (of that file, links resolved; missing if there is none), overrides (one per line), and keys of the caller
 *
 * The writer creates the file under a temporary name in the folder of the target, switches it to
 * single-writer-multiple-reader (SWMR) mode and only then renames it over the target: an older result is never lost before
 * the new one is readable.  Rows reach the file when a chunk is full and at least once per second of wall time.  A file with
 * status "running" belongs to a run that is active or was killed; its rows are valid in both cases; a kill
 * loses at most the last chunk.  Other programs open such a file in SWMR read mode (h5py: `h5py.File(path, "r", swmr=True)`).
 * They do not know /last_write, and may therefore miss more chunks if the writer was killed while HDF5 wrote its
 * index.
 *
 * HDF5 is not reentrant as commonly packaged: every call here takes one process-wide lock, so
 * different writers and readers may be used from different threads; one object must not be
 * shared between threads.  A child made by fork() while a writer is open must leave with _exit(). */
#ifndef HOOKE_RESULTS_H
#define HOOKE_RESULTS_H
#include <hooke/base.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hk_results_attribute {
  const char *key, *value;
} hk_results_attribute;

/* A results file opened for reading: finished, still being written, or left behind by a killed run.
 *
 * A damaged file gives HK_EIO or HK_EINPUT with a message if hooke or libhdf5 finds the damage.
 * libhdf5 1.10 does not always find it: it reads out of bounds in damaged attributes, and the
 * process may end with SIGSEGV.  The `hooke` program turns that into a message and exit status 2;
 * a library cannot, because signal handlers belong to the program.  A program that reads
 * untrusted files should read them in a child process, or use a newer libhdf5. */
typedef struct hk_results hk_results;

HK_API hk_status hk_results_open(const char *path, hk_results **out, hk_error *err);
HK_API void hk_results_destroy(hk_results *r);
/* Update the number of rows and the status of a file that is being written. */
HK_API hk_status hk_results_refresh(hk_results *r, hk_error *err);

HK_API const char *hk_results_path(const hk_results *r);
HK_API int hk_results_channel_count(const hk_results *r);
HK_API int64_t hk_results_row_count(const hk_results *r);
/* Number of rows that the file should contain but does not (file truncated); 0 for an intact
 * file. */
HK_API int64_t hk_results_lost_count(const hk_results *r);
/* i in [0, n_channels); "" for any other i.  Strings live as long as r. */
HK_API const char *hk_results_name(const hk_results *r, int i);
HK_API const char *hk_results_unit(const hk_results *r, int i);
HK_API const char *hk_results_doc(const hk_results *r, int i);
HK_API const char *hk_results_status(const hk_results *r);
HK_API const char *hk_results_model_text(const hk_results *r);
/* The summary as JSON, "" if there is none. */
HK_API const char *hk_results_summary(const hk_results *r);
/* The scene, allocated by malloc; *json is NULL if the file has no scene. */
HK_API hk_status hk_results_scene(const hk_results *r, char **json, void **data, size_t *size,
                                  hk_error *err);
/* A string attribute of the root ("title", "hooke_version", a caller's key), or NULL. */
HK_API const char *hk_results_attribute_value(const hk_results *r, const char *key);
HK_API int hk_results_attribute_count(const hk_results *r);
/* Attribute number i, in alphabetical order of the keys; NULL members if i is out of range. */
HK_API hk_results_attribute hk_results_attribute_at(const hk_results *r, int i);

/* Index of a channel by name; -1: no such channel. */
HK_API int hk_results_find(const hk_results *r, const char *name);
/* Finds the index of a channel by name; an unknown name gives HK_EINPUT and a message with a
 * similar name. */
HK_API hk_status hk_results_channel(const hk_results *r, const char *name, int *index,
                                    hk_error *err);

/* Reads one column: n_rows values. */
HK_API hk_status hk_results_read_column(hk_results *r, int channel, double *out, hk_error *err);
/* Reads rows first to first + count - 1, all channels, row by row: count * n_channels values. */
HK_API hk_status hk_results_read_rows(hk_results *r, int64_t first, int64_t count, double *out,
                                      hk_error *err);
/* Reads the data of /between for one channel, n_rows values each.  All are 0 if the file does not
 * contain /between. */
HK_API hk_status hk_results_read_between(hk_results *r, int channel, double *below, double *above,
                                         double *turns, hk_error *err);
/* Reads columns by name: out[k * n_rows + row] is the value of name[k] in this row. */
HK_API hk_status hk_results_read(hk_results *r, const char *const *name, int n, double *out,
                                 hk_error *err);
/* Reads n channels at m times in any order: out[i * n + k] is the value of name[k] at t[i].  Linear
 * interpolation between rows; a time outside of the file's range is HK_EINPUT.  The accuracy
 * depends on the output_step of the analysis; hk_sim_sample uses the interpolation polynomial of
 * the integrator instead. */
HK_API hk_status hk_results_sample(hk_results *r, const double *t, int m, const char *const *name,
                                   int n, double *out, hk_error *err);

#ifdef __cplusplus
}
#endif
#endif
