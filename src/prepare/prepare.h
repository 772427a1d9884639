/* Preparation of items whose data comes from HDF5 files or from finite elements: one place, before compilation.
 *
 * A type that needs such data has a line in loaders.list and a function hk_load_<category>_<name>. */
#ifndef HK_PREPARE_PREPARE_H
#define HK_PREPARE_PREPARE_H
#include "read/model_file_reader.h"

extern const hk_preparation hk_preparation_full;

/* Two columns of an HDF5 file: results of hooke, or any file with datasets of numbers. */
hk_table_reader hk_table_hdf5_read;

#define HK_LOADER(category, name) \
  void hk_load_##category##_##name(hk_mf *r, hk_item *item, const hk_mf_pending *pending);
#include "prepare/loaders.list"
#undef HK_LOADER
#endif
