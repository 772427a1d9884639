/* Rows of a study's table: columns and their values, for the collection and for programs that follow a study. */
#ifndef HK_STUDY_ROW_H
#define HK_STUDY_ROW_H
#include "study/journal.h"

typedef struct hk_row_column {
  const char *name, *unit, *role, *type; /* type of the SQLite column */
} hk_row_column;

/* Number of columns: axes, measures, goals that are expressions, and whether the constraints
 * hold. */
int hk_row_column_count(const hk_study *s);
void hk_row_columns(const hk_study *s, hk_row_column *out);
/* Fills the values of all columns: value[i] is NaN if it is missing, word[i] is NULL unless the
 * axis has words.  si: memory for the SI values of axes and measures. */
void hk_row_fill(const hk_study *s, const hk_variant *v, const hk_record *r, double *si,
                 double *value, const char **word);
#endif
