/* Points of the unit cube -> measures: see evaluate.h. */
#include "study/evaluate.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int hk_study_variable_count(const hk_study *s) { return s->n_groups + s->n_axes - s->n_crossed; }

int hk_study_variable(const hk_study *s, int axis) {
  return axis < s->n_crossed ? s->group[axis] : s->n_groups + axis - s->n_crossed;
}

void hk_study_spread(const hk_study *s, const double *variable, double *axis) {
  for (int i = 0; i < s->n_axes; i++) axis[i] = variable[hk_study_variable(s, i)];
}

void hk_study_variable_name(const hk_study *s, int variable, char *out, size_t size) {
  size_t used = 0;
  out[0] = '\0';
  for (int i = 0; i < s->n_axes && used < size; i++)
    if (hk_study_variable(s, i) == variable)
      used += (size_t)snprintf(out + used, size - used, "%s%s", used ? " + " : "", s->axis[i].path);
}

void hk_study_unit_point(const hk_study *s, const double *u, int64_t *entry, double *value) {
  for (int i = 0; i < s->n_axes; i++) {
    const hk_axis *a = &s->axis[i];
    /* Keep 0 and 1 out: there the quantiles of distributions without bounds are infinite. */
    double share = a->kind == HK_AXIS_RANDOM ? fmin(fmax(u[i], 1e-9), 1 - 1e-9) : u[i];
    int64_t k = (int64_t)(share * (double)a->n);
    entry[i] = a->kind == HK_AXIS_LIST ? k < 0 ? 0 : k >= a->n ? a->n - 1 : k : -1;
    value[i] = hk_axis_at(a, share);
  }
}

static void point(const hk_plan *p, int64_t number, int64_t *entry, double *value) {
  const hk_evaluator *e = p->context;
  hk_study_unit_point(p->study, e->u + number * p->study->n_axes, entry, value);
}

hk_status hk_evaluator_open(hk_evaluator *e, const hk_study *s, const char *rule,
                            const hk_campaign_options *o, hk_diag *diag, hk_error *err) {
  *e = (hk_evaluator){.study = s, .o = *o, .diag = diag};
  e->plan = (hk_plan){.study = s, .n = 1, .point = point, .context = e};
  snprintf(e->plan.rule, sizeof e->plan.rule, "%s", rule);
  return hk_plan_open(&e->plan, err);
}

void hk_evaluator_close(hk_evaluator *e) {
  free(e->u);
  free(e->measure);
  e->u = e->measure = NULL;
}

static hk_status reserve(hk_evaluator *e, int64_t count, hk_error *err) {
  size_t d = (size_t)e->study->n_axes, m = (size_t)e->study->n_measures;
  if (e->n + count > e->room) {
    int64_t room = 2 * e->room + count;
    double *grown = realloc(e->u, ((size_t)room * d + 1) * sizeof *grown);
    if (!grown) return hk_fail(err, HK_ENOMEM, "out of memory");
    e->u = grown;
    e->room = room;
  }
  if (count > e->measure_room) {
    double *grown = realloc(e->measure, ((size_t)count * m + 1) * sizeof *grown);
    if (!grown) return hk_fail(err, HK_ENOMEM, "out of memory");
    e->measure = grown;
    e->measure_room = count;
  }
  return HK_OK;
}

typedef struct picking {
  hk_evaluator *e;
  int64_t first, count, found;
  bool *seen;
  hk_variant variant;
} picking;

static hk_status take(void *context, const hk_record *r, hk_error *err) {
  picking *p = context;
  int64_t i = r->number - p->first;
  (void)err;
  if (i < 0 || i >= p->count) return HK_OK;
  hk_variant_make(&p->variant, &p->e->plan, r->number);
  if (memcmp(p->variant.key, r->key, HK_KEY_SIZE) != 0) return HK_OK;
  size_t m = (size_t)p->e->study->n_measures;
  if (p->seen[i] && r->outcome != HK_OUTCOME_OK) return HK_OK;
  if (!p->seen[i]) p->found++;
  p->seen[i] = true;
  memcpy(p->e->measure + (size_t)i * m, r->value, m * sizeof *r->value);
  return HK_OK;
}

static hk_status read_results(hk_evaluator *e, int64_t first, int64_t count, hk_error *err) {
  picking p = {.e = e, .first = first, .count = count, .seen = calloc((size_t)count + 1, 1)};
  char journals[4096];
  hk_journal_scan scan;
  hk_campaign_path(e->o.folder, "journals", journals, sizeof journals);
  hk_status status = p.seen ? hk_variant_init(&p.variant, e->study, err)
                            : hk_fail(err, HK_ENOMEM, "out of memory");
  if (!status)
    status =
        hk_journal_read_all(journals, e->plan.identity, e->study->n_measures, take, &p, &scan, err);
  hk_variant_free(&p.variant);
  free(p.seen);
  if (!status && p.found < count)
    status = hk_fail(err, HK_EFAIL, "%lld variants have no record in the journals",
                     (long long)(count - p.found));
  return status;
}

hk_status hk_evaluator_run(hk_evaluator *e, const double *u, int64_t count, hk_error *err) {
  size_t d = (size_t)e->study->n_axes;
  hk_campaign_report report;
  hk_status status = reserve(e, count, err);
  if (status) return status;
  int64_t first = e->n;
  memcpy(e->u + (size_t)first * d, u, (size_t)count * d * sizeof *u);
  e->n += count;
  e->plan.n = e->n;
  for (int64_t i = 0; i < count * e->study->n_measures; i++) e->measure[i] = NAN;
  status = hk_campaign_run(&e->plan, &e->o, &report, e->diag, err);
  e->o.resume = true; /* every batch after the first continues the study */
  return status ? status : read_results(e, first, count, err);
}

hk_score hk_study_score(const hk_study *s, int goal, const double *axis_value,
                        const double *measure, double *scratch) {
  hk_plan_si(s, axis_value, measure, scratch);
  hk_score score = {.value = hk_expr_value(s->goal[goal].expr, scratch)};
  if (s->goal[goal].sense == HK_MAXIMIZE) score.value = -score.value;
  for (int i = 0; i < s->n_limits; i++) {
    double excess = hk_expr_value(s->limit[i].excess, scratch);
    double bound = s->limit[i].bound ? fabs(hk_expr_value(s->limit[i].bound, scratch)) : 0;
    if (isnan(excess)) score.value = NAN;
    if (excess > 0) score.violation += excess / (bound > 0 ? bound : 1);
  }
  return score;
}
