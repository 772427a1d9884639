/* Recordings: results in memory, without a file.
 *
 *   hk_recording *r = NULL;
 *   hk_run(model, &(hk_run_options){.recording = &r}, NULL, &diag);
 *   const double *t = hk_recording_column(r, 0), *x = hk_recording_column(r, hk_recording_find(r, "bob.x"));
 *   for (int64_t i = 0; i < hk_recording_row_count(r); i++) printf("%g %g\n", t[i], x[i]);
 *   hk_recording_destroy(r);
 *
 * Each channel is one contiguous array of doubles, so that other languages can use it without a copy.  Column 0 is the time.
 * A recording holds copies of the names and may outlive model and simulation.  A program with its own loop over steps appends
 * rows with hk_recording_append.
 */
#ifndef HOOKE_RECORDING_H
#define HOOKE_RECORDING_H
#include <hooke/sim.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hk_recording hk_recording;

/* Creates a recording without rows. `channel` lists channels of the model; the time is added as column 0. channel NULL:
 * every channel except the internal ones of composite joints (hk_model_channel_rank 2). */
HK_API hk_status hk_recording_create(const hk_model *model, const int *channel, int n,
                                     hk_recording **out, hk_error *err);
HK_API void hk_recording_destroy(hk_recording *recording);
/* Appends one row: the values at the present time of a simulation of the same model.  Pointers to columns are invalid after
 * the call. */
HK_API hk_status hk_recording_append(hk_recording *recording, hk_sim *sim, hk_error *err);

HK_API int hk_recording_channel_count(const hk_recording *recording);
HK_API int64_t hk_recording_row_count(const hk_recording *recording);
/* Name, unit and description of column i; "": no such column.  The texts live as long as the recording.  Units are SI units,
 * "1": dimensionless. */
HK_API const char *hk_recording_name(const hk_recording *recording, int i);
HK_API const char *hk_recording_unit(const hk_recording *recording, int i);
HK_API const char *hk_recording_doc(const hk_recording *recording, int i);
HK_API int hk_recording_find(const hk_recording *recording, const char *name); /* -1: none */
/* hk_recording_row_count values; NULL: no such column. */
HK_API const double *hk_recording_column(const hk_recording *recording, int i);

#ifdef __cplusplus
}
#endif
#endif
