/* The list of event sources: see source.h. */
#include "control/source.h"
#include "spec/item.h"

/* FMUs and inputs come first, because their changes affect the search of the other sources. */
static const hk_source *const SOURCE[] = {
    &hk_source_exchange, &hk_source_input, &hk_source_breakpoint, &hk_source_scan,
    &hk_source_table,    &hk_source_turn,  &hk_source_max_step,   &hk_source_peak};
enum { N_SOURCES = sizeof SOURCE / sizeof *SOURCE };

static bool counts(const hk_sim *s, const hk_source *k) {
  return (k->fixed || hk_sim_adapts(s)) && k->present(s);
}

hk_status hk_sources_meet(hk_sim *s, double t_end, hk_error *err) {
  hk_status status = HK_OK;
  for (int i = 0; i < N_SOURCES && !status && s->x[s->model->at.t] < t_end; i++)
    if (SOURCE[i]->meet && counts(s, SOURCE[i])) status = SOURCE[i]->meet(s, t_end, err);
  return status;
}

hk_plan hk_sources_plan(const hk_sim *s, double wanted, double t_end) {
  hk_plan plan = {.h = wanted, .due = t_end};
  const char *at_due = "the end of the run or the next output";
  for (int i = 0; i < N_SOURCES; i++) {
    const hk_source *k = SOURCE[i];
    if ((!k->longest && !k->due) || !counts(s, k)) continue;
    double longest = k->longest ? k->longest(s, plan.h) : INFINITY,
           due = k->due ? k->due(s) : INFINITY;
    if (longest < plan.h) plan.h = longest, plan.limit = k->what;
    if (due < plan.due) plan.due = due, at_due = k->what;
  }
  double left = plan.due - s->x[s->model->at.t], n = ceil(left / plan.h * (1 - 1e-9));
  if (n <= 1) plan.limit = at_due;
  plan.h = n <= 1 ? left : n < HK_EVEN_STEPS ? left / n : plan.h;
  return plan;
}

hk_seen hk_sources_look(hk_sim *s, bool good, bool may_meet, double *end, double *next,
                        const char **limit) {
  hk_seen seen = HK_SEEN_NOTHING;
  for (int i = 0; i < N_SOURCES && seen != HK_SEEN_HERE; i++) {
    const hk_source *k = SOURCE[i];
    if (!k->look || !counts(s, k)) continue;
    hk_seen found = k->look(s, good, may_meet, end, next);
    if (found == HK_SEEN_NOTHING) continue;
    seen = found;
    *limit = k->what;
  }
  return seen;
}

void hk_sources_accept(hk_sim *s, double h) {
  for (int i = 0; i < N_SOURCES; i++)
    if (SOURCE[i]->accept && counts(s, SOURCE[i])) SOURCE[i]->accept(s, h);
}

int hk_sim_step_limit_text(const hk_sim *s, char *text, size_t size) {
  if (!s) return 0;
  const hk_item *item = NULL;
  const hk_expr *expr = NULL;
  if (size > 0) text[0] = '\0';
  for (int i = 0; i < N_SOURCES && !item; i++)
    if (SOURCE[i]->what == s->limit && SOURCE[i]->who) expr = SOURCE[i]->who(s, &item);
  return item ? hk_expression_describe(item, expr, text, size) : 0;
}

/* ---- max_step ---- */

static bool is_limited(const hk_sim *s) { return s->option.max_step > 0; }
static double max_step(const hk_sim *s, double h) { return fmin(h, s->option.max_step); }

const hk_source hk_source_max_step = {
    .what = "max_step", .fixed = true, .present = is_limited, .longest = max_step};
