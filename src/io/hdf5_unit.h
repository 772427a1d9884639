/* The unit that a dataset of somebody else's HDF5 file carries. */
#ifndef HK_HDF5_UNIT_H
#define HK_HDF5_UNIT_H
#include <hooke/base.h>
#include <hdf5.h>

/* The attribute `unit` or `units` of a dataset, NULL if it has none; the caller frees it.  HK_EINPUT: there
 * is one, but not a short text that can be read; HK_ENOMEM. */
hk_status hk_hdf5_unit_read(hid_t set, char **text);
#endif
