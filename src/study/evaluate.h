/* Points of the unit cube -> measures of variants: what optimisers and sensitivity analyses need.
 *
 * Every axis of the study is one dimension: a range from its first to its last value (evenly in the
 * logarithm if it is one), a distribution by its quantiles, a list by its entries.  Variants go
 * through a campaign, so they are journaled, may fail, and are found again when the same search is
 * made once more (resume).
 */
#ifndef HK_EVALUATE_H
#define HK_EVALUATE_H
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
  double *measure; /* [last batch][measures] NaN where the variant failed */
  int64_t measure_room;
} hk_evaluator;

/* rule: what is done, in words, for the plan.  o->folder is kept; free in any case. */
hk_status hk_evaluator_open(hk_evaluator *e, const hk_study *s, const char *rule,
                            const hk_campaign_options *o, hk_diag *diag, hk_error *err);
void hk_evaluator_close(hk_evaluator *e);
/* Points u [count][axes]; the results are e->measure. */
hk_status hk_evaluator_run(hk_evaluator *e, const double *u, int64_t count, hk_error *err);
/* Variables of a search: every axis one, but axes that `zip` joins go together as one. */
int hk_study_variable_count(const hk_study *s);
int hk_study_variable(const hk_study *s, int axis);
/* Shares of the variables as shares of the axes. */
void hk_study_spread(const hk_study *s, const double *variable, double *axis);
/* "a", or "a + b" for axes that go together. */
void hk_study_variable_name(const hk_study *s, int variable, char *out, size_t size);
/* Values of a point, in the units of the axes. */
void hk_study_unit_point(const hk_study *s, const double *u, int64_t *entry, double *value);
/* A goal as an objective: sense, limits and failures become a score. */
hk_score hk_study_score(const hk_study *s, int goal, const double *axis_value,
                        const double *measure, double *scratch);
#endif
