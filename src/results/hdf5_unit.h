/* The unit of a dataset in an HDF5 file written by another program. */
#ifndef HK_RESULTS_HDF5_UNIT_H
#define HK_RESULTS_HDF5_UNIT_H
#include <hooke/base.h>
#include <hdf5.h>

/* Reads the attribute `unit` or `units` of a dataset; NULL if it has none; the caller frees the
 * text.  HK_EINPUT: the attribute is not a short readable text; HK_ENOMEM. */
hk_status hk_hdf5_unit_read(hid_t set, char **text);
#endif
