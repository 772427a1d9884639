/* Inputs, set by the program, and states of differential equations. */
#include "model/compile.h"
#include "spec/item.h"
#include "spec/event.h"
#include "spec/signal.h"
#include <string.h>

/* Reads dimension, unit and start value of an input or state; false with an error. */
static bool read_signal(hk_compiler *c, const hk_item *item, hk_signal *out) {
  hk_error err = {0};
  char unit[128];
  hk_dim dim;
  const hk_signal_params *p = item->data;
  if (hk_signal_dim(item, &dim, &err)) {
    hk_compile_error(c, item, p->unit ? "unit" : "initial_value", "%s", err.text);
    return false;
  }
  hk_dim_format(dim, unit, sizeof unit);
  *out = (hk_signal){.name = item->name,
                     .item = item,
                     .unit = hk_arena_strdup(&c->m->arena, unit),
                     .start = p->initial_value ? hk_expr_value(p->initial_value, NULL) : 0};
  if (!out->unit) c->out_of_memory = true;
  return out->unit != NULL;
}

/* Returns a key that was given although it has a meaning only for inputs that follow a file; NULL: there is none. */
static const char *key_of_file(const hk_item *item) {
  static const char *const keys[] = {"column",      "time",          "time_unit",
                                     "interpolate", "extrapolation", "points_per_step"};
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
    if (hk_item_has(item, keys[i])) return keys[i];
  return NULL;
}

void hk_compile_inputs(hk_compiler *c) {
  hk_model *m = c->m;
  int n = c->spec->n[HK_INPUT], of_events = HK_EVENT_NUMBERS * c->spec->n[HK_EVENT];
  m->input = HK_NEW_ARRAY(&m->arena, hk_signal, n + of_events + 1);
  if (!m->input) {
    c->out_of_memory = true;
    return;
  }
  for (int i = 0; i < n && !c->out_of_memory; i++) {
    const hk_item *item = c->spec->item[HK_INPUT][i];
    const char *without = key_of_file(item);
    if (((const hk_input_params *)item->data)->file)
      hk_compile_error(
          c, item, "file",
          "only inputs of model files can follow a file; use a table and its value at t");
    else if (without)
      hk_compile_error(c, item, without, "'%s' of an input needs 'file'", without);
    else if (read_signal(c, item, &m->input[m->n_inputs]))
      m->n_inputs++;
  }
  m->n_own_inputs = m->n_inputs;
}

/* ---- states ---- */

/* Checks the units of a state: its rate has the unit per second; its scale has the unit and is >
 * 0. */
static bool check_state(hk_compiler *c, const hk_item *item, double start) {
  hk_state_params *p = item->data;
  const hk_dim second = {{0, 0, 12}};
  hk_error err = {0};
  hk_dim dim;
  char label[300];
  hk_signal_dim(item, &dim, &err);
  hk_item_label(item, label, sizeof label);
  if (!hk_expr_is_plain_zero(p->rate) &&
      !hk_dim_matches(hk_expr_dim(p->rate), hk_dim_div(dim, second))) {
    hk_dim_misfit("rate", label, hk_expr_dim(p->rate), hk_dim_div(dim, second), &err);
    hk_compile_error(c, item, "rate", "%s", err.text);
    return false;
  }
  p->size = start != 0 ? fabs(start) : 1;
  p->guessed = start == 0 && !p->scale;
  if (!p->scale) return true;
  if (!hk_expr_is_constant(p->scale) || !hk_dim_matches(hk_expr_dim(p->scale), dim) ||
      !(hk_expr_value(p->scale, NULL) > 0)) {
    hk_compile_error(c, item, "scale", "its scale must be a constant > 0 in the unit of the state");
    return false;
  }
  p->size = hk_expr_value(p->scale, NULL);
  return true;
}

static void add_node(hk_compiler *c, hk_signal *s) {
  hk_model *m = c->m;
  const hk_state_params *p = s->item->data;
  hk_node *n = &m->node[m->n_nodes];
  *n = (hk_node){.name = s->name,
                 .item = s->item,
                 .type = &hk_node_state,
                 .moves = hk_node_state.moves,
                 .placed = true,
                 .turn = hk_node_state.turn,
                 .q = m->nq++,
                 .v = m->nv++,
                 .nq = 1,
                 .nv = 1,
                 .own = m->n_node_own,
                 .coordinate = hk_node_state.coordinate,
                 .R0 = hk_mat3_identity(),
                 .data = &p->size};
  ((double *)(uintptr_t)m->q0)[n->q] = s->start / p->size;
  s->node = m->n_nodes++;
  s->marker = hk_compile_add_marker(c, NULL, s->node, hk_v3(0, 0, 0), hk_mat3_identity());
  c->own_marker[s->node] = s->marker;
}

void hk_compile_states(hk_compiler *c) {
  hk_model *m = c->m;
  int n = c->spec->n[HK_STATE];
  m->state = HK_NEW_ARRAY(&m->arena, hk_signal, n + 1);
  if (!m->state) {
    c->out_of_memory = true;
    return;
  }
  for (int i = 0; i < n && !c->out_of_memory; i++) {
    const hk_item *item = c->spec->item[HK_STATE][i];
    hk_signal *s = &m->state[m->n_states];
    if (!read_signal(c, item, s) || !check_state(c, item, s->start)) continue;
    add_node(c, s);
    m->n_states++;
  }
}

void hk_compile_rates(hk_compiler *c) {
  for (int i = 0; i < c->m->n_states && !c->out_of_memory; i++) {
    const hk_signal *s = &c->m->state[i];
    hk_force *f = HK_PUSH(&c->force);
    if (!f) {
      c->out_of_memory = true;
      return;
    }
    *f = (hk_force){.name = s->name,
                    .item = s->item,
                    .ops = &hk_state_rate,
                    .a = c->own_marker_of_ground,
                    .b = s->marker,
                    .coordinate = -1,
                    .joint = -1,
                    .n_expr = 1};
    hk_compile_expr(c, HK_DATA(s->item, hk_state_params)->rate, &f->expr[0], &f->depends_on_state);
  }
}

int hk_model_input_count(const hk_model *m) { return m ? m->n_own_inputs : 0; }
const char *hk_model_input_name(const hk_model *m, int i) {
  if (!m) return "";
  return i >= 0 && i < m->n_own_inputs ? m->input[i].name : NULL;
}
const char *hk_model_input_unit(const hk_model *m, int i) {
  if (!m) return "";
  return i >= 0 && i < m->n_own_inputs ? m->input[i].unit : NULL;
}
int hk_model_input_find(const hk_model *m, const char *name) {
  if (!m) return -1;
  for (int i = 0; i < m->n_own_inputs; i++)
    if (strcmp(m->input[i].name, name) == 0) return i;
  return -1;
}
