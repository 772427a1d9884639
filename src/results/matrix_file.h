/* Named matrices in a file for other programs: MAT-file version 4 (.mat, for MATLAB, Octave and SciPy), HDF5 (.h5,
 * .hdf5) or CSV (.csv). */
#ifndef HK_RESULTS_MATRIX_FILE_H
#define HK_RESULTS_MATRIX_FILE_H
#include <hooke/base.h>

typedef struct hk_named_matrix {
  const char *name;
  int rows, columns;
  const double *value;      /* row by row; NULL for a list of texts */
  const char *const *label; /* [rows] texts, if value is NULL */
} hk_named_matrix;

/* Writes the matrices in the format given by the extension of path.  HK_EINPUT: unknown extension;
 * HK_EIO: the file cannot be written. */
hk_status hk_matrix_file_write(const char *path, const hk_named_matrix *matrix, int n,
                               hk_error *err);
/* Checks the extension; HK_EINPUT if no format has this extension. */
hk_status hk_matrix_file_check(const char *path, hk_error *err);
#endif
