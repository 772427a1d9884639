/* Two columns of a file as the points of a table: comma-separated values (table_csv.c), or HDF5 with a reader
 * that the caller passes (prepare/table_hdf5.c).
 *
 * A CSV file may begin with a line of names, `time [s], height [mm]`; the units may instead be
 * in the next line; columns are separated by commas, semicolons, tabs or blanks, as in the first
 * line; empty lines and lines that begin with # are ignored. */
#ifndef HK_READ_TABLE_FILE_H
#define HK_READ_TABLE_FILE_H
#include "expr/units.h"
#include <hooke/spec.h>

typedef struct hk_table_request {
  const char *path;
  /* columns by name or by number, counted from 1; NULL: the first column for x, the second for y */
  const char *x, *y;
  const char *x_unit, *y_unit; /* NULL: units of the file, or dimensionless */
  const hk_location *from; /* location of the table item, for messages without a line of the file */
  /* messages do not show contents of the file, which is outside of the model's folder */
  bool quiet;
} hk_table_request;

/* Points in SI units; x ascends and all values are finite. */
typedef struct hk_table_points {
  int n;
  double *x, *y;
  hk_dim x_dim, y_dim;
} hk_table_points;

#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
enum { HK_TABLE_MAX_BYTES = 1 << 20, HK_TABLE_MAX_POINTS = 10000 };
#else
enum { HK_TABLE_MAX_BYTES = 1 << 29, HK_TABLE_MAX_POINTS = 10000000 };
#endif

/* Reads the points.  Returns false with an error in diag (file, line, column). */
typedef bool hk_table_reader(const hk_table_request *q, hk_table_points *out, hk_diag *diag);

/* Which files may be read, and how. */
typedef struct hk_table_files {
  hk_table_reader *hdf5; /* NULL: HDF5 files are refused */
  bool quiet; /* the file may be outside of the model's folder: messages do not show its contents */
} hk_table_files;

/* Sets the points of a table item from a file; path = NULL: its parameter `file`. */
hk_status hk_table_load_from(hk_item *table, const char *path, const hk_table_files *files,
                             hk_diag *diag);
bool hk_table_file_read(const hk_table_request *q, hk_table_reader *hdf5, hk_table_points *out,
                        hk_diag *diag);
/* Reads the names of the columns of a CSV file, without units; each is "" if the file has no names. Release *names
 * with free(). */
bool hk_table_csv_columns(const hk_table_request *q, char ***names, int *n, hk_diag *diag);
void hk_table_points_free(hk_table_points *points);

/* --- shared by the readers of CSV and HDF5 files --- */

hk_table_reader hk_table_csv_read;

/* Determines the unit of a column from the file or from the parameters. If both give a unit, the two units must be
 * equal. */
bool hk_table_unit(const hk_table_request *q, const char *column, const char *in_file,
                   const char *asked, hk_unit *unit, hk_diag *diag);
/* Index of the requested column among n columns, `standard` if none is requested; -1 with an error
 * that lists the columns. */
int hk_table_find_column(const hk_table_request *q, const char *axis, const char *asked,
                         int standard, const char *const *names, int n, hk_diag *diag);
/* Appends one point; false with an error if there are too many. */
bool hk_table_points_add(hk_table_points *points, int *capacity, double x, double y,
                         const hk_table_request *q, hk_diag *diag);
#endif
