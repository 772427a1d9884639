/* What the number of a variant means: its values, its overrides, its key.
 *
 * A plan is a study with a rule that turns numbers into points: the study's own (axes crossed with
 * samples), or that of a sensitivity analysis or an optimiser.  Rules store nothing per variant.
 *
 * The key of a variant is a hash of the joined model, all overrides and the program's version: the
 * same key is the same run.  The identity of a plan is a list of lines that say the same in words,
 * so that a change between two runs can be told.
 */
#ifndef HK_PLAN_H
#define HK_PLAN_H
#include "study/study.h"

enum { HK_KEY_SIZE = 16 };

typedef struct hk_plan hk_plan;
struct hk_plan {
  const hk_study *study;
  int64_t n; /* variants */
  /* Of each axis: the entry (lists; else -1) and the value in the unit of the axis. */
  void (*point)(const hk_plan *p, int64_t number, int64_t *entry, double *value);
  const void *context; /* of the rule */
  char rule[200];      /* what the rule is, in words */
  /* Filled by hk_plan_open. */
  hk_sha256 base;                      /* of the model, the fixed overrides and the version */
  unsigned char identity[HK_KEY_SIZE]; /* of all lines */
};

/* One variant, with room for its texts. */
typedef struct hk_variant {
  int64_t number;
  int64_t *entry;
  double *value; /* [axes] */
  hk_override *set;
  int n_set;
  char *text;
  unsigned char key[HK_KEY_SIZE];
} hk_variant;

/* The plan of the study itself; others fill n, point, context and rule before hk_plan_open. */
void hk_plan_of_study(const hk_study *s, hk_plan *plan);
hk_status hk_plan_open(hk_plan *plan, hk_error *err);
enum { HK_PLAN_MOST_TRIES = 65 };
/* Number i of a series that spreads over 0 .. n - 1: all of them if they are few, else the ends, the middle, the
 * quarters, ... */
int64_t hk_spread_number(int i, int64_t n);
/* Refuses a plan of which none of HK_PLAN_MOST_TRIES variants makes a model: then none is likely to, and it
 * is better told before thousands of rows say the same. */
hk_status hk_plan_check(const hk_plan *plan, hk_diag *diag);

hk_status hk_variant_init(hk_variant *v, const hk_study *s, hk_error *err);
void hk_variant_free(hk_variant *v);
void hk_variant_make(hk_variant *v, const hk_plan *plan, int64_t number);
/* The first variant with the same values: lists may name one twice. */
int64_t hk_plan_first_alike(const hk_plan *plan, int64_t number);

/* What the plan is, line by line. */
void hk_plan_lines(const hk_plan *plan, void (*line)(void *context, const char *text),
                   void *context);
/* SI values of all columns (axes, then measures) for the expressions of goals and limits. */
void hk_plan_si(const hk_study *s, const double *axis_value, const double *measure, double *out);
#endif
