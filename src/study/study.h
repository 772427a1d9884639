/* A study: a model, the values that vary, the results to keep and the goals.
 *
 * The study file (docs, page on studies) is read by study_file.c and checked against its model by study_bind.c.
 * Variants are numbered; plan.h defines the meaning of a number. */
#ifndef HK_STUDY_STUDY_H
#define HK_STUDY_STUDY_H
#include "expr/expr.h"
#include "read/model_source.h"
#include "study/axis.h"
#include "study/steady.h"
#include "statistics/sample.h"
#include <hooke/model.h>

enum { HK_STUDY_MAX_AXES = 1000, HK_STUDY_MAX_VARIANTS = 10000000, HK_STUDY_MAX_GOALS = 8 };

typedef enum hk_goal_sense { HK_MINIMIZE, HK_MAXIMIZE } hk_goal_sense;

/* A goal: a measure, or an expression of measures and axes, to be minimised or maximised. */
typedef struct hk_goal {
  const char *name, *text; /* text: the expression */
  hk_goal_sense sense;
  hk_location place;
  const hk_expr *expr; /* after binding: expression of the columns' SI values */
  char unit[128];
} hk_goal;

/* left <= right, as an expression that is positive if the limit is violated. */
typedef struct hk_limit {
  const char *text;
  hk_location place;
  const hk_expr *excess; /* after binding: left - right (or the opposite) */
  const hk_expr *bound;  /* the side of the comparison to which the violation is relative */
} hk_limit;

/* Two sampled axes that vary together. */
typedef struct hk_correlation {
  const char *a, *b; /* paths as in the file */
  double value;      /* correlation of the underlying normal variables */
  hk_location place;
} hk_correlation;

typedef struct hk_study_measure {
  const char *name, *unit;
  int index; /* index among the measures of the model */
} hk_study_measure;

typedef struct hk_study {
  hk_arena arena;
  const char *file, *title, *model_path;
  const hk_registry *types; /* NULL: those of the library */
  hk_override *set;
  hk_location *set_place;
  int n_set;
  /* Axes: first the crossed ones, then the sampled ones. */
  hk_axis *axis;
  int n_axes, n_crossed;
  int *group; /* [n_crossed] axes of one group vary together */
  int n_groups;
  int64_t *group_count;
  hk_sample sample; /* n is 1 if nothing is sampled */
  hk_correlation *correlation;
  int n_correlations;
  double *
      mixing; /* [sampled][sampled] after binding: Cholesky factor of the correlations; NULL: none */
  const char **keep;
  hk_location *keep_place;
  int n_keep;        /* 0: all measures */
  const char *store; /* regular expression of channels to write per variant; NULL: none */
  hk_location store_place;
  hk_steady steady; /* each variant is a periodic orbit */
  hk_location steady_place;
  double time_limit;    /* time limit per variant [s]; 0: none */
  int64_t memory_limit; /* memory limit per process [bytes]; 0: none */
  hk_goal goal[HK_STUDY_MAX_GOALS];
  int n_goals;
  hk_limit *limit;
  int n_limits;
  /* After binding. */
  hk_model_source *source;
  hk_model *base;            /* the model without the values of the axes */
  hk_study_measure *measure; /* kept ones */
  int n_measures;
  bool bound;
} hk_study;

/* Reads a study file; NULL: errors are in diag. */
hk_study *hk_study_read(const char *path, hk_diag *diag);
/* A study of a model without a file: axes are added by hk_study_add_axis. */
hk_study *hk_study_create(const char *model_path, const hk_override *set, int n_set);
hk_status hk_study_add_axis(hk_study *s, const char *path, const char *text, int default_count,
                            hk_error *err);
void hk_study_destroy(hk_study *s);

/* Opens the model, expands [*], checks that every axis exists and that its values can be read, finds measures, goals
 * and limits.  Messages go to diag. */
hk_status hk_study_bind(hk_study *s, hk_diag *diag);

/* Adds the comparisons of a condition as limits: 'a <= b', 'a <= b <= c', several joined by 'and'. */
hk_status hk_study_add_constraint(hk_study *s, const char *text, const hk_location *place,
                                  hk_error *err);
/* Part of hk_study_bind: the factor of the correlations between samples (study_correlate.c). */
void hk_study_bind_correlations(hk_study *s, hk_diag *diag);
/* Part of hk_study_bind: compiles goals and limits over the axes and measures (study_goals.c). */
void hk_study_bind_goals(hk_study *s, hk_diag *diag);
/* src/study/study_twice.c: reports two axes that change the same value of the model, under the
 * same or different names. */
void hk_study_check_twice(const hk_study *s, hk_diag *diag);
/* Reports columns of the table with the same name. */
void hk_study_check_columns(const hk_study *s, hk_diag *diag);

/* Number of variants of the study as a real number (it may exceed every integer type). */
double hk_study_count(const hk_study *s);
/* Index of a column by name: axes first, then measures; -1: none. */
int hk_study_column(const hk_study *s, const char *name);
#endif
