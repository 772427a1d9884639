/* hooke periodic --over --through: the branch of orbits through folds, with its events. */
#include "periodic_over.h"
#include "quantity.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Creates a model for one value of the parameter, and gives the period of its orbit. */
static hk_status make_model(void *context, double value, hk_model **model, hk_periodic_options *o,
                            hk_error *err) {
  const tool_over *v = context;
  hk_diag diag;
  hk_diag_init(&diag);
  *model = tool_over_model(v, value, &diag);
  hk_status status = HK_OK;
  if (!*model) {
    char *text = tool_first_error(&diag);
    status = hk_fail(err, HK_EINPUT, "at %s = %.9g%s%s: %s", v->path, value, v->unit[0] ? " " : "",
                     v->unit, text ? text : "out of memory");
    free(text);
  }
  hk_diag_free(&diag);
  if (status) return status;
  hk_periodic_options own = v->o;
  status = tool_periodic_resolve(*model, tool_value(v->args, "period"), tool_value(v->args, "turn"),
                                 &own, err);
  o->unknown = own.unknown;
  o->turn = own.turn;
  o->amount = own.amount;
  if (own.period > 0 || !own.unknown) o->period = own.period;
  if (status) hk_model_destroy(*model), *model = NULL;
  return status;
}

static bool goes_on(void *context, int points) {
  tool_over *v = context;
  tool_counter_draw(&v->counter, points, points);
  return tool_stop_signal() == 0;
}

/* Computes extremes and measures of each point. */
static hk_status fill_rows(tool_over *v, const hk_orbit_branch *b, hk_error *err) {
  hk_status status = HK_OK;
  v->rows = calloc((size_t)b->n + 1, sizeof *v->rows);
  if (!v->rows) return hk_fail(err, HK_ENOMEM, "out of memory");
  for (int i = 0; i < b->n && !status; i++) {
    const hk_branch_point *p = &b->point[i];
    tool_over_row *r = &v->rows[v->done];
    tool_over_take(r, &p->orbit);
    r->value = p->value, r->special = p->special, r->located = p->located;
    hk_diag diag;
    hk_diag_init(&diag);
    hk_model *m = tool_over_model(v, p->value, &diag);
    status = m ? tool_over_measure(v, m, &p->orbit, r, err)
               : hk_fail(err, HK_EFAIL, "the model cannot be read again");
    if (!status) r->found = true, v->found++;
    if (status == HK_EFAIL) r->why = strdup(err->text), status = HK_OK;
    v->done++;
    hk_model_destroy(m);
    hk_diag_free(&diag);
  }
  v->n = v->done;
  return status;
}

/* Reports why the branch ends, unless it has reached the end of its range. */
static void tell_end(tool_over *v, const hk_orbit_branch *b) {
  const hk_location here = {.file = v->args->word[0]};
  double value = b->n ? b->point[b->n - 1].value : v->first;
  const char *path = v->path, *space = v->unit[0] ? " " : "", *unit = v->unit;
  switch (b->end) {
    case HK_BRANCH_REACHED:
      break;
    case HK_BRANCH_BACK:
      hk_diag_add(&v->diag, HK_NOTE, &here,
                  "the branch turns back and leaves the range at %s = %.9g%s%s", path, value, space,
                  unit);
      break;
    case HK_BRANCH_CLOSED:
      hk_diag_add(&v->diag, HK_NOTE, &here, "the branch is closed: it returns to its first orbit");
      break;
    case HK_BRANCH_FULL:
      hk_diag_add(&v->diag, HK_WARNING, &here,
                  "the branch ends at %s = %.9g%s%s after %d points, the maximum; a smaller range "
                  "shows the rest",
                  path, value, space, unit, b->n);
      break;
    case HK_BRANCH_LOST:
      hk_diag_add(&v->diag, HK_WARNING, &here,
                  "the branch cannot be followed beyond %s = %.9g%s%s: %s", path, value, space,
                  unit, b->why);
      break;
  }
}

hk_status tool_over_through(tool_over *v, hk_error *err) {
  const char *start = tool_value(v->args, "start-at");
  double at = 0;
  hk_status status =
      start ? tool_quantity(start, v->unit[0] ? v->unit : "1", "--start-at", &at, err) : HK_OK;
  if (status) return status;
  if (start) { /* the given start is converted to a multiple of the unit of --over */
    double unit = 1;
    char one[80];
    snprintf(one, sizeof one, "1 %.60s", v->unit);
    if (v->unit[0]) status = tool_quantity(one, v->unit, "--over", &unit, err);
    if (status) return status;
    at /= unit;
  }
  const hk_branch_options o = {.orbit = &v->o,
                               .first = v->first,
                               .last = v->last,
                               .points = v->n,
                               .model = make_model,
                               .context = v,
                               .go_on = goes_on,
                               .start = start ? &at : NULL};
  hk_orbit_branch b = {0};
  hk_diag diag;
  hk_diag_init(&diag);
  tool_catch_signals();
  tool_counter_begin(&v->counter, false);
  status = hk_branch_run(&o, &b, &diag, err);
  tool_counter_end(&v->counter);
  hk_diag_free(&diag);
  v->n = 0;
  hk_error later = {0};
  hk_status filled = status == HK_OK || status == HK_STOPPED ? fill_rows(v, &b, &later) : HK_OK;
  if (filled) status = filled, *err = later;
  if (!status) tell_end(v, &b);
  hk_branch_free(&b);
  return status;
}
