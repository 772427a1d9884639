/* Preparation of items: data that an item needs in addition to its parameters and that this layer cannot
 * provide, because it requires HDF5 or finite elements.
 *
 * The layer `prepare` defines hk_preparation_full.  A program that links only libyaml passes
 * hk_preparation_none: tables in CSV files are still read, other data is refused with a message. */
#ifndef HK_READ_PREPARATION_H
#define HK_READ_PREPARATION_H
#include "read/table_file.h"
#include <hooke/type.h>

struct hk_mf;
struct hk_mf_pending;

/* Called after the parameters of an item of this type have been read. */
typedef struct hk_item_loader {
  const hk_type *type;
  void (*load)(struct hk_mf *r, hk_item *item, const struct hk_mf_pending *pending);
} hk_item_loader;

typedef struct hk_preparation {
  hk_table_reader *table_hdf5;  /* NULL: tables in HDF5 files are refused */
  const hk_item_loader *loader; /* [n_loaders] */
  int n_loaders;
  /* Folder of data that was computed when the model was packed (src/fmu): no other data is read or
   * computed.  NULL: none. */
  const char *packed;
  /* Folder that receives a copy of data that is read or computed.  NULL: none. */
  const char *pack;
} hk_preparation;

extern const hk_preparation hk_preparation_none;
#endif
