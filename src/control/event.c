/* See event.h. */
#include "control/event.h"
#include "control/scan.h"
#include "spec/event.h"
#include "spec/item.h"
#include <stdlib.h>
#include <string.h>

/* Memory of one step. */
struct hk_events {
  void *before;                         /* state at the start of the step */
  bool *acts;                           /* [n_events] the event acts at the end of this step */
  hk_event_note noted[HK_EVENTS_NOTED]; /* events of the last step */
  int n_noted;
  hk_quality_record quality; /* at the start of the step */
};

/* MAX_LOOKS: maximum number of evaluations of a condition within a step; if more are needed, the step is shortened.
 * BLIND_HALVINGS: number of times that a step is halved if the range of the condition is not known. */
enum { MAX_LOOKS = 400, BLIND_HALVINGS = 3 };

static double *number(const hk_sim *s, const hk_event *e, int which) {
  return s->x + s->model->at.input + e->input + which;
}

static double grain(double t) { return 4e-15 * fmax(1, fabs(t)); }

static hk_status holds(hk_sim *s, const hk_event *e, double t, bool *out, hk_error *err) {
  double value = 0;
  hk_status status = hk_sim_values_at(s, t, &e->channel, 1, &value, err);
  *out = value > 0.5;
  return status;
}

/* ---- the changes of a condition within the last step ---- */

typedef struct search {
  hk_sim *s;
  const hk_event *e;
  int looks;
  hk_status status;
  hk_error *err;
} search;

/* Finds the first time in (a, b] at which the condition has the value `wanted`; NaN: there is none. at_b: true if the
 * condition has this value at b. */
static double first_time(search *k, double a, double b, bool wanted, bool at_b, int halvings) {
  if (k->status || (b - a <= grain(b) && !at_b)) return NAN;
  if (b - a <= grain(b)) return b;
  hk_flow f = hk_scan_sensor(k->s, k->e->sensor, a, b);
  bool excluded = f.known && (wanted ? f.hi < 0.5 : f.lo > 0.5);
  if (!at_b && (excluded || (!f.known && halvings >= BLIND_HALVINGS))) return NAN;
  if (!at_b && ++k->looks > MAX_LOOKS) return NAN;
  double middle = 0.5 * (a + b), found;
  bool at_middle;
  k->status = holds(k->s, k->e, middle, &at_middle, k->err);
  at_middle = at_middle == wanted;
  found = first_time(k, a, middle, wanted, at_middle, halvings + 1);
  if (!isnan(found)) return found;
  return at_middle ? middle : first_time(k, middle, b, wanted, at_b, halvings + 1);
}

/* Finds the next event in the step after the time *at, at which the condition has the value *active; NaN: there is
 * none. */
static double next_event(search *k, double *at, bool *active) {
  double end = k->s->x[k->s->model->at.t];
  bool at_end;
  k->status = holds(k->s, k->e, end, &at_end, k->err);
  if (!hk_sim_interpolates(k->s)) {
    /* an event may also occur at an impact, in a step of zero length */
    bool happens = at_end && !*active;
    *at = end, *active = at_end;
    return happens ? end : NAN;
  }
  for (;;) {
    bool was = *active;
    double found = *at < end ? first_time(k, *at, end, !was, at_end != was, 0) : NAN;
    if (isnan(found) || k->status) return NAN;
    *at = found, *active = !was;
    if (!was) return found;
  }
}

/* ---- a step ---- */

/* Finds the events in the last step; `from` is the time of its start. *end: the time at which the step must end: the
 * first event that sets inputs or stops the run, or an earlier time if there are too many evaluations. */
static hk_status look(hk_sim *s, double from, double *end, hk_error *err) {
  const hk_model *m = s->model;
  *end = s->x[m->at.t];
  hk_scan_last_step(s);
  for (int i = 0; i < m->n_events; i++) {
    const hk_event *e = &m->event[i];
    search k = {.s = s, .e = e, .err = err};
    double at = from, count = *number(s, e, HK_EVENT_COUNT), found;
    bool active = *number(s, e, HK_EVENT_ACTIVE);
    while (!isnan(found = next_event(&k, &at, &active)) && found < *end)
      if (e->steers && (e->read || ++count >= e->after)) *end = found;
    if (k.status) return k.status;
    if (k.looks > MAX_LOOKS) *end = fmin(*end, 0.5 * (from + *end));
  }
  return HK_OK;
}

static hk_status act(hk_sim *s, const hk_event *e, hk_error *err) {
  hk_status status = HK_OK;
  for (int i = 0; i < e->n_set && !status; i++)
    status = hk_sim_input_set(s, e->set[i], e->value[i], err);
  return status;
}

static void note(hk_sim *s, const hk_event *e, double t) {
  hk_events *k = s->events;
  if (k->n_noted < HK_EVENTS_NOTED) k->noted[k->n_noted++] = (hk_event_note){e, t};
  *number(s, e, HK_EVENT_COUNT) += 1;
  *number(s, e, HK_EVENT_TIME) = t;
  if (e->steers) s->x[s->model->at.jump] = 1; /* loads may depend on the count */
}

/* Counts the events of the last step and carries out their actions. *acted: true if an action may have changed other
 * conditions at the same time. */
static hk_status count(hk_sim *s, double from, hk_error *err) {
  const hk_model *m = s->model;
  double t = s->x[m->at.t];
  hk_status status = HK_OK;
  hk_scan_last_step(s);
  s->events->n_noted = 0;
  for (int i = 0; i < m->n_events; i++) {
    const hk_event *e = &m->event[i];
    search k = {.s = s, .e = e, .err = err};
    double at = from, found;
    bool active = *number(s, e, HK_EVENT_ACTIVE);
    s->events->acts[i] = false;
    while (!isnan(found = next_event(&k, &at, &active))) {
      note(s, e, found);
      s->events->acts[i] = found >= t && *number(s, e, HK_EVENT_COUNT) >= e->after;
    }
    *number(s, e, HK_EVENT_ACTIVE) = active;
    if (k.status) return k.status;
  }
  if (s->events->n_noted)
    s->out.have_accelerations = s->out.have_loads = s->out.have_variables = false;
  for (int i = 0; i < m->n_events && !status; i++)
    if (s->events->acts[i]) status = act(s, &m->event[i], err);
  return status;
}

static hk_status create(hk_sim *s, hk_error *err) {
  if (s->events) return HK_OK;
  hk_events *k = s->events = calloc(1, sizeof *k);
  if (k) {
    k->before = malloc(hk_sim_state_size(s) + 1);
    k->acts = calloc((size_t)s->model->n_events + 1, sizeof *k->acts);
  }
  return k && k->before && k->acts ? HK_OK : hk_fail(err, HK_ENOMEM, "out of memory");
}

void hk_events_free(hk_sim *s) {
  if (!s->events) return;
  free(s->events->before);
  free(s->events->acts);
  free(s->events);
  s->events = NULL;
}

hk_status hk_events_begin(hk_sim *s, hk_error *err) {
  hk_status status = HK_OK;
  for (int i = 0; i < s->model->n_events && !status; i++) {
    const hk_event *e = &s->model->event[i];
    double value = 0;
    status = hk_sim_values(s, &e->channel, 1, &value, err);
    *number(s, e, HK_EVENT_ACTIVE) = value > 0.5;
  }
  return status;
}

const char *hk_sim_stop_event(const hk_sim *s) {
  for (int i = 0; s && i < s->model->n_events; i++) {
    const hk_event *e = &s->model->event[i];
    if (e->stop && *number(s, e, HK_EVENT_COUNT) >= e->after) return e->item->name;
  }
  return NULL;
}

double hk_sim_event_count(const hk_sim *s, int event) {
  return *number(s, &s->model->event[event], HK_EVENT_COUNT);
}

int hk_sim_events_noted(const hk_sim *s, const hk_event_note **out) {
  *out = s->events ? s->events->noted : NULL;
  return s->events ? s->events->n_noted : 0;
}

const char *hk_events_set_input(const hk_model *m, int input) {
  for (int i = 0; i < m->n_events; i++)
    for (int k = 0; k < m->event[i].n_set; k++)
      if (m->event[i].set[k] == input) return m->event[i].item->name;
  return NULL;
}

hk_status hk_events_refuse(const hk_model *m, const char *what, hk_error *err) {
  for (int i = 0; m && i < m->n_events; i++) {
    const hk_event *e = &m->event[i];
    if (!e->steers) continue;
    hk_fail(err, HK_EINPUT,
            "%s does not support events that change the motion; remove 'set' and 'stop' of event "
            "'%s', and "
            "expressions that read its numbers, for the analysis",
            what, e->item->name);
    hk_error_about(err, e->item->name, NAN, -1);
    return HK_EINPUT;
  }
  return HK_OK;
}

static hk_status stopped(const hk_sim *s, const char *event, hk_error *err) {
  hk_fail(err, HK_STOPPED, "stopped by event '%s' at t = %.9g s", event, s->x[s->model->at.t]);
  hk_error_about(err, event, s->x[s->model->at.t], -1);
  return HK_STOPPED;
}

hk_status hk_events_step(hk_sim *s, double t_end, hk_plain_step *step, hk_error *err) {
  const hk_model *m = s->model;
  const char *event = hk_sim_stop_event(s);
  if (event) return stopped(s, event, err);
  double from = s->x[m->at.t], end;
  hk_status status = create(s, err);
  if (!status) {
    hk_sim_state_get(s, s->events->before);
    s->events->quality = s->quality;
    status = step(s, t_end, err);
  }
  if (!status) status = look(s, from, &end, err);
  while (!status && end < s->x[m->at.t]) {
    status = hk_sim_state_set(s, s->events->before);
    hk_scan_forget(s);
    s->quality = s->events->quality;
    if (!status) status = step(s, end, err);
    if (!status) status = look(s, from, &end, err);
  }
  return status ? status : count(s, from, err);
}
