/* Meaning of the number of a variant: its values, its overrides, its key.
 *
 * A plan is a study with a rule that converts numbers to points: the study's own rule (axes crossed
 * with samples), or the rule of a sensitivity analysis or an optimiser. Rules store no data per
 * variant.
 *
 * The key of a variant is a hash of the complete model, all overrides and the program's version: equal keys mean
 * equal runs.  The identity of a plan is a list of lines that describe the model, the overrides
 * and the version in words, so that a change between two runs can be reported. */
#ifndef HK_STUDY_PLAN_H
#define HK_STUDY_PLAN_H
#include "study/study.h"

enum { HK_KEY_SIZE = 16 };

typedef struct hk_plan hk_plan;
struct hk_plan {
  const hk_study *study;
  int64_t n; /* variants */
  /* For each axis: the index of the entry (for lists; otherwise -1), and the value in the unit
   * of the axis. */
  void (*point)(const hk_plan *p, int64_t number, int64_t *entry, double *value);
  const void *context; /* of the rule */
  char rule[200];      /* description of the rule */
  /* Filled by hk_plan_open. */
  hk_sha256 base;                      /* hash of the model, the fixed overrides and the version */
  unsigned char identity[HK_KEY_SIZE]; /* hash of all lines of the plan */
};

/* One variant, and memory for its texts. */
typedef struct hk_variant {
  int64_t number;
  int64_t *entry;
  double *value; /* [axes] */
  hk_override *set;
  int n_set;
  char *text;
  unsigned char key[HK_KEY_SIZE];
} hk_variant;

/* Fills the plan with all variants of the study.  Callers with another rule (an optimiser, for example) set n, point,
 * context and rule themselves before hk_plan_open. */
void hk_plan_of_study(const hk_study *s, hk_plan *plan);
hk_status hk_plan_open(hk_plan *plan, hk_error *err);
enum { HK_PLAN_MOST_TRIES = 65 };
/* Returns number i of a series that is distributed over 0 .. n - 1: all numbers if n is small,
 * otherwise first the ends, then the middle, the quarters, and so on. */
int64_t hk_spread_number(int i, int64_t n);
/* Rejects a plan if none of HK_PLAN_MOST_TRIES variants gives a valid model. Probably no other variant gives a valid
 * model either, and one error before the campaign is better than thousands of rows with the same error. */
hk_status hk_plan_check(const hk_plan *plan, hk_diag *diag);

hk_status hk_variant_init(hk_variant *v, const hk_study *s, hk_error *err);
void hk_variant_free(hk_variant *v);
void hk_variant_make(hk_variant *v, const hk_plan *plan, int64_t number);
/* Returns the first variant with the same values: lists may contain a value twice. */
int64_t hk_plan_first_alike(const hk_plan *plan, int64_t number);

/* Passes the description of the plan to `line`, line by line. */
void hk_plan_lines(const hk_plan *plan, void (*line)(void *context, const char *text),
                   void *context);
/* Computes SI values of all columns (axes, then measures) for the expressions of goals and
 * limits. */
void hk_plan_si(const hk_study *s, const double *axis_value, const double *measure, double *out);
#endif
