/* Studies: all variants of a study file, run by processes on this machine, with their results row by row.
 *
 *   hk_variants *v;
 *   hk_variants_open("stiffness.yaml", NULL, &v, &diag, &err);
 *   hk_variants_run(v, &(hk_variants_options){.folder = "stiffness.study", .resume = true, .row = print_row}, &diag, &err);
 *   hk_variants_table(v, "stiffness.study", "table.csv", &err);
 *   hk_variants_destroy(v);
 *
 * Each finished variant is recorded in a journal in the folder, so that a study that was stopped
 * or killed can be resumed and gives the same table. The language of the file: docs/studies.md. */
#ifndef HOOKE_STUDY_H
#define HOOKE_STUDY_H
#include <hooke/spec.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A study file that was read and checked against its model. */
typedef struct hk_variants hk_variants;

/* Reads a study file.  types: registry, which must outlive *out; NULL: the types of the library.
 * Errors are in diag or in err. */
HK_API hk_status hk_variants_open(const char *path, const hk_registry *types, hk_variants **out,
                                  hk_diag *diag, hk_error *err);
HK_API void hk_variants_destroy(hk_variants *v);
HK_API int64_t hk_variants_count(const hk_variants *v);
HK_API const char *hk_variants_title(const hk_variants *v);
/* The columns of the table: axes, measures, goals, and `feasible` if the study has constraints.  Texts live as long as v; NULL: no
 * such column. */
HK_API int hk_variants_column_count(const hk_variants *v);
HK_API const char *hk_variants_column_name(const hk_variants *v, int i);
HK_API const char *hk_variants_column_unit(const hk_variants *v,
                                           /* unit; "": dimensionless, or the values are words */
                                           int i);
HK_API const char *hk_variants_column_role(const hk_variants *v,
                                           int i); /* "axis", "measure", "goal", "check" */

/* One finished variant. */
typedef struct hk_variant_row {
  int64_t number;
  bool failed;
  const char *error;   /* reason of a failure; "" on success */
  double seconds;      /* of computing */
  const double *value; /* [columns] in the units of the columns; NaN: no value */
  /* [columns] words of axes whose values are words; NULL: the value is a number */
  const char *const *word;
  double reserved[4];
} hk_variant_row;

typedef struct hk_variants_options {
  size_t size;        /* sizeof(hk_variants_options), or 0: the members of version 1.0 */
  const char *folder; /* folder for journals and tables; created if it does not exist */
  int jobs;           /* processes at a time; 0: one per processor */
  bool resume; /* continue a study that was begun in the folder; false: such a folder is an error */
  /* Called in the calling thread, once for each variant, in the order in which variants are
   * finished; variants of earlier runs come first. If it returns false, the study stops
   * regularly. */
  bool (*row)(void *context, const hk_variant_row *row);
  /* Called about ten times a second. */
  hk_progress_fn *progress;
  void *context;
} hk_variants_options;

/* Runs the variants.  HK_STOPPED: a callback returned false; finished variants are kept.  A variant
 * that fails gives a row with an error and does not make this function fail.  The processes are
 * created by fork(); they execute only code of this library. */
HK_API hk_status hk_variants_run(hk_variants *v, const hk_variants_options *options, hk_diag *diag,
                                 hk_error *err);
/* Writes the table of the finished variants in the folder, as table.sqlite there and as CSV file
 * (NULL: no CSV file). */
HK_API hk_status hk_variants_table(hk_variants *v, const char *folder, const char *csv,
                                   hk_error *err);

#ifdef __cplusplus
}
#endif
#endif
