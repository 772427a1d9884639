/* The results reader: the struct of an open file, and functions that the files of the reader share.
 *
 *   results_read.c   opens a file and checks it
 *   results_rows.c   reads columns and rows
 *   results_query.c  channels, attributes and the scene */
#ifndef HK_RESULTS_RESULTS_READER_H
#define HK_RESULTS_RESULTS_READER_H
#include "results/results.h"
#include "results/results_hdf5.h"

typedef struct hk_named_channel {
  const char *name;
  int index;
} hk_named_channel;

struct hk_results {
  char *path;
  /* With the descriptor of a file that was not finished, or has no name.  Then HDF5 reads it by this descriptor, and it
   * is opened again at each refresh with the properties `access`.  Otherwise the descriptor is -1. */
  hk_hdf5_sink sink;
  hid_t access, driver, file, data;
  int n_channels;
  int64_t n_rows, n_lost;
  hsize_t chunk_rows;
  char *text[3]; /* names, units, docs: n_channels strings of text_size bytes */
  size_t text_size[3];
  hk_named_channel *by_name; /* sorted */
  char *model, *status, *summary;
  hk_results_attribute *attribute;
  int n_attributes;
};

/* HK_ENOMEM with a message. */
hk_status hk_results_no_memory(const hk_results *r, hk_error *err);
/* HK_EIO with a message that ends with `what`; HK_ENOMEM if HDF5 failed for lack of memory. */
hk_status hk_results_damaged(const hk_results *r, const char *what, hk_error *err);
/* Size in bytes; 0 if it is unknown. */
int64_t hk_results_file_size(const hk_results *r);
/* Reads a dataset of n fixed-length strings as one block of n * *size bytes, each NUL-terminated. */
hk_status hk_results_read_strings(const hk_results *r, const char *name, hsize_t n, char **text,
                                  size_t *size, hk_error *err);
/* Order of two hk_named_channel by name, for qsort and bsearch. */
int hk_results_compare_name(const void *a, const void *b);

#endif
