/* Compiles events: the condition of an event becomes a sensor, and its numbers become inputs after the inputs of the
 * model. */
#include "model/compile.h"
#include "spec/event.h"
#include "spec/item.h"
#include "spec/signal.h"
#include <string.h>

static const char *joined(hk_compiler *c, const char *a, const char *b) {
  const char *text = hk_arena_printf(&c->m->arena, "%s.%s", a, b);
  if (!text) c->out_of_memory = true;
  return text;
}

static void add_numbers(hk_compiler *c, hk_event *e) {
  hk_model *m = c->m;
  e->input = m->n_inputs;
  for (int i = 0; i < HK_EVENT_NUMBERS; i++)
    m->input[m->n_inputs++] = (hk_signal){.name = joined(c, e->item->name, hk_event_table[i].name),
                                          .unit = hk_event_table[i].unit,
                                          .item = e->item};
}

static void add_condition(hk_compiler *c, hk_event *e, const hk_expr *when) {
  hk_sensor *s = HK_PUSH(&c->sensor);
  e->sensor = c->sensor.n - 1;
  if (!s) {
    c->out_of_memory = true;
    return;
  }
  s->name = joined(c, e->item->name, "when");
  hk_compile_expr(c, when, &s->expr, NULL);
}

/* Finds the input that the event sets, and checks that the value has the unit of the input; -1: an error was
 * reported. */
static int find_input(hk_compiler *c, const hk_item *item, const hk_term *term) {
  const hk_model *m = c->m;
  const char *near = NULL;
  for (int i = 0; i < m->n_own_inputs; i++) {
    hk_dim dim;
    hk_error err = {0};
    const char *pair[2] = {m->input[i].name, near};
    const char *nearer = hk_nearest_name(term->coordinate, pair, near ? 2 : 1);
    if (nearer) near = nearer;
    if (strcmp(m->input[i].name, term->coordinate) != 0) continue;
    if (hk_signal_dim(m->input[i].item, &dim, &err) || !term->has_dim || term->factor == 0 ||
        hk_dim_fits(term->dim, dim))
      return i;
    hk_dim_misfit(term->coordinate, "the event", term->dim, dim, &err);
    hk_compile_error(c, item, "set", "%s", err.text);
    return -1;
  }
  hk_compile_error(
      c, item, "set", "there is no input '%s'%s%s%s; an event sets inputs of the model",
      term->coordinate, near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
  return -1;
}

/* Returns true if an expression of the model reads a number of this event. */
static bool is_read(const hk_compiler *c, const hk_item *item) {
  const size_t n = strlen(item->name);
  for (int i = 0; i < c->spec->n_variables; i++) {
    const char *name = c->spec->variable[i].name;
    if (name && strncmp(name, item->name, n) == 0 && name[n] == '.') return true;
  }
  return false;
}

static void add_event(hk_compiler *c, const hk_item *item) {
  hk_model *m = c->m;
  const hk_event_params *p = item->data;
  const hk_dim none = {{0}};
  hk_event e = {.item = item, .after = p->after, .stop = p->stop};
  if (!p->when || !hk_dim_equal(hk_expr_dim(p->when), none)) {
    hk_compile_error(c, item, "when", "its condition must be true or false, such as wheel.z < 0 m");
    return;
  }
  e.set = HK_NEW_ARRAY(&m->arena, int, p->set.n + 1);
  e.value = HK_NEW_ARRAY(&m->arena, double, p->set.n + 1);
  if (!e.set || !e.value) {
    c->out_of_memory = true;
    return;
  }
  for (int i = 0; i < p->set.n; i++) {
    int input = find_input(c, item, &p->set.term[i]);
    if (input < 0) return;
    e.set[e.n_set] = input;
    e.value[e.n_set++] = p->set.term[i].factor;
  }
  e.read = is_read(c, item);
  e.steers = e.stop || e.n_set || e.read;
  m->event_sets = m->event_sets || e.n_set || e.read;
  add_numbers(c, &e);
  add_condition(c, &e, p->when);
  m->event[m->n_events++] = e;
}

void hk_compile_events(hk_compiler *c) {
  int n = c->spec->n[HK_EVENT];
  c->m->event = HK_NEW_ARRAY(&c->m->arena, hk_event, n + 1);
  if (!c->m->event) c->out_of_memory = true;
  for (int i = 0; i < n && !c->out_of_memory; i++) add_event(c, c->spec->item[HK_EVENT][i]);
}

void hk_compile_event_channels(hk_compiler *c) {
  hk_model *m = c->m;
  for (int i = 0; i < m->n_channels; i++)
    for (int k = 0; k < m->n_events; k++)
      if (m->channel[i].owner == HK_OF_SENSOR && m->channel[i].index == m->event[k].sensor)
        m->event[k].channel = i;
}
