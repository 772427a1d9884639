/* Points of the unit cube -> measures of variants, for optimisers and sensitivity analyses.
 *
 * Every axis of the study is one dimension: a range from its first to its last value (uniform in the logarithm for
 * logarithmic ranges), a distribution by its quantiles, a list by its entries.  Variants are run by a campaign: they
 * are recorded in journals, may fail, and are reused when the same search is repeated (resume). */
#ifndef HK_STUDY_EVALUATE_H
#define HK_STUDY_EVALUATE_H
#include "statistics/optimiser.h"
#include "study/campaign.h"

typedef struct hk_evaluator {
  const hk_study *study;
  hk_campaign_options o;
  hk_plan plan;
  double *u; /* [n][axes] all points so far */
  int64_t n, room;
  int64_t failed;
  hk_diag *diag;
  double *measure; /* [last batch][measures] NaN if the variant failed */
  int64_t measure_room;
} hk_evaluator;

/* Opens an evaluator; rule: description for the plan.  o->folder is kept; release the evaluator in
 * any case. */
hk_status hk_evaluator_open(hk_evaluator *e, const hk_study *s, const char *rule,
                            const hk_campaign_options *o, hk_diag *diag, hk_error *err);
void hk_evaluator_close(hk_evaluator *e);
/* Runs the points u [count][axes]; the results are in e->measure. */
hk_status hk_evaluator_run(hk_evaluator *e, const double *u, int64_t count, hk_error *err);
/* Number of variables of a search: one per axis, but axes joined by `zip` form one variable. */
int hk_study_variable_count(const hk_study *s);
int hk_study_variable(const hk_study *s, int axis);
/* Converts coordinates of the variables into coordinates of the axes. */
void hk_study_spread(const hk_study *s, const double *variable, double *axis);
/* Name of a variable: "a", or "a + b" for joined axes. */
void hk_study_variable_name(const hk_study *s, int variable, char *out, size_t size);
/* Computes the values of a point, in the units of the axes. */
void hk_study_unit_point(const hk_study *s, const double *u, int64_t *entry, double *value);
/* Computes the score of a goal as an objective, from its sense, the limits and failures. */
hk_score hk_study_score(const hk_study *s, int goal, const double *axis_value,
                        const double *measure, double *scratch);
#endif
