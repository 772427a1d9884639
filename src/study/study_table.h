/* The table of a study in memory: for statistics, figures, optimisers; independent of the engine. */
#ifndef HK_STUDY_STUDY_TABLE_H
#define HK_STUDY_STUDY_TABLE_H
#include "statistics/surrogate.h"

typedef enum hk_column_role {
  HK_COLUMN_AXIS,
  HK_COLUMN_MEASURE,
  HK_COLUMN_GOAL,
  HK_COLUMN_CHECK /* feasible */
} hk_column_role;

typedef struct hk_table_column {
  char *name, *unit;
  hk_column_role role;
  double *value; /* [n] NaN for missing values and for words */
} hk_table_column;

typedef struct hk_table {
  int64_t n, n_failed; /* number of rows; failed variants are not included */
  int64_t stride;     /* only variants with a number that is a multiple of this were read; 1: all */
  int64_t n_failures; /* number of failures read: all, up to HK_TABLE_MOST_ROWS */
  int64_t *failure;   /* [n_failures] variant numbers in ascending order, and the reasons */
  char **failure_error;
  int64_t *number;
  hk_table_column *column;
  int n_columns;
} hk_table;

enum { HK_TABLE_MOST_ROWS = 200000 }; /* limits the memory for any study */
/* Reads the successful rows of a collection, or every stride-th if there are more than HK_TABLE_MOST_ROWS. */
hk_status hk_table_read(const char *sqlite_path, hk_table *t, hk_error *err);
void hk_table_free(hk_table *t);
/* Finds a column by name; for an unknown name the error suggests the nearest one. */
hk_status hk_table_find(const hk_table *t, const char *name, int *k, hk_error *err);
/* Fits a surrogate of column `measure` over d other columns; rows with a NaN are omitted. */
hk_status hk_table_fit(const hk_table *t, const int *column, int d, int measure,
                       hk_surrogate_kind kind, hk_surrogate **out, hk_error *err);
#endif
