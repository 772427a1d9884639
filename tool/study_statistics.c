/* Statistics of a study's table: quantiles, yield and capability.  See variants.h. */
#include "variants.h"
#include "statistics/regression.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool tool_statistics_of(const hk_table *t, int k, hk_summary *out) {
  const hk_table_column *c = &t->column[k];
  bool counted = c->role != HK_COLUMN_AXIS && c->role != HK_COLUMN_CHECK;
  return counted && hk_summary_make(c->value, t->n, out);
}

void tool_statistics_print(const hk_table *t) {
  int width = 7;
  char title[700];
  for (int k = 0; k < t->n_columns; k++) {
    tool_column_title(&t->column[k], title, sizeof title);
    if (t->column[k].role != HK_COLUMN_AXIS && tool_columns_of(title) > width)
      width = tool_columns_of(title);
  }
  printf("%-*s  %12s %12s %12s %12s %12s %12s %12s\n", width, "measure", "least", "mean",
         "greatest", "deviation", "5 %", "median", "95 %");
  for (int k = 0; k < t->n_columns; k++) {
    hk_summary s;
    if (!tool_statistics_of(t, k, &s)) continue;
    tool_column_title(&t->column[k], title, sizeof title);
    printf("%s%*s  %12.6g %12.6g %12.6g %12.4g %12.6g %12.6g %12.6g\n", title,
           width - tool_columns_of(title), "", s.least, s.mean, s.greatest, s.deviation, s.low,
           s.median, s.high);
  }
}

void tool_statistics_json(tool_json *j, const hk_table *t) {
  tool_json_open(j, "statistics", '{');
  for (int k = 0; k < t->n_columns; k++) {
    hk_summary s;
    if (!tool_statistics_of(t, k, &s)) continue;
    tool_json_open(j, t->column[k].name, '{');
    tool_json_int(j, "count", s.n);
    tool_json_real(j, "least", s.least);
    tool_json_real(j, "p05", s.low);
    tool_json_real(j, "median", s.median);
    tool_json_real(j, "mean", s.mean);
    tool_json_real(j, "mean_low", s.mean_low);
    tool_json_real(j, "mean_high", s.mean_high);
    tool_json_real(j, "p95", s.high);
    tool_json_real(j, "greatest", s.greatest);
    tool_json_real(j, "deviation", s.deviation);
    tool_json_close(j, '}');
  }
  tool_json_close(j, '}');
}

/* ---- linear dependence ---- */

typedef struct linear {
  const double *x[HK_STUDY_MAX_AXES];
  int column[HK_STUDY_MAX_AXES], d;
  hk_regression_term term[HK_STUDY_MAX_AXES];
  hk_regression fit;
} linear;

/* Finds the axes whose values are numbers that vary. */
static void find_axes(const hk_table *t, linear *l) {
  for (int k = 0; k < t->n_columns && l->d < HK_STUDY_MAX_AXES; k++) {
    const hk_table_column *c = &t->column[k];
    hk_summary s;
    if (c->role != HK_COLUMN_AXIS || !hk_summary_make(c->value, t->n, &s) || s.n < t->n ||
        !(s.greatest > s.least))
      continue;
    l->x[l->d] = c->value;
    l->column[l->d++] = k;
  }
}

static void linear_json(tool_json *j, const hk_table *t, const linear *l, int measure) {
  tool_json_open(j, t->column[measure].name, '{');
  tool_json_int(j, "count", l->fit.n);
  tool_json_real(j, "r2", l->fit.r2);
  tool_json_real(j, "constant", l->fit.constant);
  tool_json_open(j, "axes", '{');
  for (int i = 0; i < l->d; i++) {
    const hk_regression_term *e = &l->term[i];
    tool_json_open(j, t->column[l->column[i]].name, '{');
    tool_json_real(j, "slope", e->slope);
    tool_json_real(j, "error", e->error);
    tool_json_real(j, "standardized", e->standard);
    tool_json_real(j, "correlation", e->correlation);
    tool_json_real(j, "rank_correlation", e->rank);
    tool_json_close(j, '}');
  }
  tool_json_close(j, '}');
  tool_json_close(j, '}');
}

/* Prints the axes with the largest standardised coefficients, and the number of the others. */
static void linear_print(const hk_table *t, linear *l, int measure) {
  enum { SHOWN = 8 };
  printf("%s: a linear function explains %.4g %% of its variance\n", t->column[measure].name,
         100 * l->fit.r2);
  printf("  %-30s %12s %12s %14s %12s %8s\n", "axis", "slope", "std. error", "standardized",
         "correlation", "rank");
  for (int shown = 0; shown < l->d; shown++) {
    int best = -1;
    for (int i = 0; i < l->d; i++)
      if (!isnan(l->term[i].rank) &&
          (best < 0 || fabs(l->term[i].standard) > fabs(l->term[best].standard)))
        best = i;
    if (best < 0) return;
    if (shown == SHOWN) {
      printf("  ... and %d more\n", l->d - shown);
      return;
    }
    hk_regression_term *e = &l->term[best];
    printf("  %-30s %12.5g %12.3g %14.4f %12.4f %8.4f\n", t->column[l->column[best]].name, e->slope,
           e->error, e->standard, e->correlation, e->rank);
    e->rank = NAN; /* listed */
  }
}

void tool_linear_dependence(const hk_table *t, tool_json *j) {
  linear *l = calloc(1, sizeof *l);
  if (!l) return;
  find_axes(t, l);
  if (j) tool_json_open(j, "regression", '{');
  for (int k = 0; k < t->n_columns && l->d; k++) {
    hk_column_role role = t->column[k].role;
    if (role == HK_COLUMN_AXIS || role == HK_COLUMN_CHECK) continue;
    if (!hk_regression_make(l->x, l->d, t->column[k].value, t->n, &l->fit, l->term)) continue;
    if (j)
      linear_json(j, t, l, k);
    else
      linear_print(t, l, k);
  }
  if (j) tool_json_close(j, '}');
  free(l);
}

/* ---- constraints ---- */

/* Computes the excess over limit i for every row; NaN: no value. */
static hk_status excesses(const hk_plan *plan, const hk_table *t, int i, double *out,
                          hk_error *err) {
  const hk_study *s = plan->study;
  hk_variant v;
  hk_status status = hk_variant_init(&v, s, err);
  if (status) return status;
  double measure[s->n_measures + 1], si[s->n_axes + s->n_measures + 1];
  for (int64_t row = 0; row < t->n; row++) {
    hk_variant_make(&v, plan, t->number[row]);
    for (int k = 0; k < s->n_measures; k++) measure[k] = t->column[s->n_axes + k].value[row];
    hk_plan_si(s, v.value, measure, si);
    out[row] = hk_expr_value(s->limit[i].excess, si);
  }
  hk_variant_free(&v);
  return HK_OK;
}

/* Computes the number of rows that satisfy a limit, and the distance of their mean from the limit
 * in units of three deviations. */
static void judge_limit(const double *excess, int64_t n, int64_t *kept, double *capability) {
  hk_summary s;
  *kept = 0;
  *capability = NAN;
  for (int64_t row = 0; row < n; row++) *kept += excess[row] <= 0;
  if (hk_summary_make(excess, n, &s) && s.deviation > 0)
    *capability = (0 - s.mean) / (3 * s.deviation);
}

static hk_status each_limit(const hk_plan *plan, const hk_table *t, tool_json *j, double *least,
                            hk_error *err) {
  const hk_study *s = plan->study;
  double *excess = malloc(((size_t)t->n + 1) * sizeof *excess);
  hk_status status = excess ? HK_OK : hk_fail(err, HK_ENOMEM, "out of memory");
  for (int i = 0; i < s->n_limits && !status; i++) {
    int64_t kept;
    double capability, low, high;
    status = excesses(plan, t, i, excess, err);
    if (status) break;
    judge_limit(excess, t->n, &kept, &capability);
    hk_share_interval(kept, t->n, &low, &high);
    if (!isnan(capability)) *least = isnan(*least) ? capability : fmin(*least, capability);
    if (j) {
      tool_json_open(j, NULL, '{');
      tool_json_text(j, "constraint", s->limit[i].text);
      tool_json_int(j, "kept", kept);
      tool_json_real(j, "share", (double)kept / (double)t->n);
      tool_json_real(j, "cpk", capability);
      tool_json_close(j, '}');
    } else {
      printf("%s: kept by %.4g %%", tool_name(s->limit[i].text), 100 * (double)kept / (double)t->n);
      if (!isnan(capability)) printf(", capability %.3g", capability);
      putchar('\n');
    }
  }
  free(excess);
  return status;
}

hk_status tool_yield(const hk_plan *plan, const hk_table *t, int64_t infeasible, int64_t failed,
                     tool_json *j, hk_error *err) {
  double cpk = NAN, low, high;
  int64_t good = t->n - infeasible;
  if (!plan->study->n_limits || t->n < 1 || t->stride > 1) return HK_OK;
  if (j) tool_json_open(j, "constraints", '[');
  hk_status status = each_limit(plan, t, j, &cpk, err);
  if (j) tool_json_close(j, ']');
  hk_share_interval(good, t->n, &low, &high);
  double share = (double)good / (double)t->n, all = (double)good / (double)(t->n + failed);
  if (j) {
    tool_json_open(j, "yield", '{');
    tool_json_real(j, "share", share);
    tool_json_real(j, "low", low);
    tool_json_real(j, "high", high);
    tool_json_int(j, "failed", failed);
    tool_json_real(j, "share_of_all", all);
    tool_json_real(j, "cpk", cpk);
    tool_json_close(j, '}');
  } else if (!status) {
    printf("yield: %.4g %% (95 %%: %.4g .. %.4g %%)", 100 * share, 100 * low, 100 * high);
    if (!isnan(cpk)) printf(", smallest capability Cpk %.3g", cpk);
    putchar('\n');
    if (failed > 0)
      printf("of the variants that did not fail; %.4g %% if the %lld that failed are rejects\n",
             100 * all, (long long)failed);
  }
  return status;
}
