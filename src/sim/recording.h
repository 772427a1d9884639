/* Private functions of recordings, for rows that the caller has computed. See hooke/recording.h. */
#ifndef HK_SIM_RECORDING_H
#define HK_SIM_RECORDING_H
#include <hooke/recording.h>

/* Returns the channels of the columns. */
const int *hk_recording_channels(const hk_recording *r);
/* Allocates memory for this number of rows in total; false: out of memory. */
bool hk_recording_reserve(hk_recording *r, int64_t rows);
/* Appends one row, with a value for each column; false: out of memory. */
bool hk_recording_put(hk_recording *r, const double *row);
#endif
