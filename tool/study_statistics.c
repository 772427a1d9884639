/* Statistics of a study's table: quantiles, yield and capability.  See variants.h. */
#include "variants.h"
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

/* ---- constraints ---- */

/* Excess over limit i for every row; NaN: no value. */
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

/* Number of rows that satisfy a limit, and the distance of their mean from it in units of three deviations. */
static void judge_limit(const double *excess, int64_t n, int64_t *kept, double *capability) {
  hk_summary s;
  *kept = 0;
  *capability = NAN;
  for (int64_t row = 0; row < n; row++) *kept += excess[row] <= 0;
  if (hk_summary_make(excess, n, &s) && s.deviation > 0) *capability = -s.mean / (3 * s.deviation);
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
      printf("%s: kept by %.4g %%", s->limit[i].text, 100 * (double)kept / (double)t->n);
      if (!isnan(capability)) printf(", capability %.3g", capability);
      putchar('\n');
    }
  }
  free(excess);
  return status;
}

hk_status tool_yield(const hk_plan *plan, const hk_table *t, int64_t infeasible, tool_json *j,
                     hk_error *err) {
  double cpk = NAN, low, high;
  int64_t good = t->n - infeasible;
  if (!plan->study->n_limits || t->n < 1 || t->stride > 1) return HK_OK;
  if (j) tool_json_open(j, "constraints", '[');
  hk_status status = each_limit(plan, t, j, &cpk, err);
  if (j) tool_json_close(j, ']');
  hk_share_interval(good, t->n, &low, &high);
  double share = (double)good / (double)t->n;
  if (j) {
    tool_json_open(j, "yield", '{');
    tool_json_real(j, "share", share);
    tool_json_real(j, "low", low);
    tool_json_real(j, "high", high);
    tool_json_real(j, "cpk", cpk);
    tool_json_close(j, '}');
  } else if (!status) {
    printf("yield: %.4g %% (95 %%: %.4g .. %.4g %%)", 100 * share, 100 * low, 100 * high);
    if (!isnan(cpk)) printf(", smallest capability Cpk %.3g", cpk);
    putchar('\n');
  }
  return status;
}
