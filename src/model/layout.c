/* The layout of the state: see layout.h.  Offsets, names and units all follow from the table below. */
#include "model/layout.h"
#include <stdio.h>
#include <string.h>

/* The kind of object for which a section of the state has one entry each. */
typedef enum hk_per {
  PER_MODEL,
  PER_POSITION, /* coordinate q of a node */
  PER_VELOCITY,
  PER_ROW,
  PER_TURN,
  PER_POINT, /* HK_N_TOUCH of a contact point */
  PER_LEDGER,
  PER_MEMORY,
  PER_LOOKUP,
  PER_INPUT,
  PER_EXCHANGE
} hk_per;

typedef struct section {
  size_t member; /* offset in hk_layout */
  hk_per per;
  int copies; /* number of such entries, stored one after the other */
  hk_state_part part;
  const char *name; /* suffix after the owner's name */
  int derivative;   /* power of time for positions and velocities; -1: no unit */
} section;

#define AT(member) offsetof(hk_layout, member)
static const section SECTION[] = {
    {AT(t), PER_MODEL, 1, HK_PART_TIME, "t", 0},
    {AT(q), PER_POSITION, 1, HK_PART_POSITION, "", 0},
    {AT(v), PER_VELOCITY, 1, HK_PART_VELOCITY, ".rate", 1},
    {AT(vd), PER_VELOCITY, 1, HK_PART_ACCELERATION, ".acceleration", 2},
    {AT(lambda), PER_ROW, 1, HK_PART_MULTIPLIER, ".multiplier", 0},
    {AT(lambda_shift), PER_ROW, 1, HK_PART_STEPPER, ".multiplier_shift", 0},
    {AT(h), PER_MODEL, 1, HK_PART_STEPPER, "step_length", 0},
    {AT(turn), PER_TURN, 1, HK_PART_ANGLE, "", 0},
    {AT(touch), PER_POINT, 1, HK_PART_CONTACT, "", 0},
    {AT(ledger), PER_LEDGER, 1, HK_PART_ENERGY, "", 0},
    {AT(memory), PER_MEMORY, 1, HK_PART_MEMORY, ".memory", -1},
    {AT(memory_old), PER_MEMORY, 1, HK_PART_MEMORY, ".memory_past", -1},
    {AT(kept), PER_ROW, 1, HK_PART_STEPPER, ".kept", -1},
    {AT(full), PER_MODEL, 1, HK_PART_STEPPER, "full_tangent", -1},
    {AT(lookup), PER_LOOKUP, 1, HK_PART_STEPPER, "table_argument", -1},
    {AT(input), PER_INPUT, 1, HK_PART_INPUT, "", 0},
    {AT(exchange), PER_EXCHANGE, 1, HK_PART_INPUT, "fmu", -1},
    {AT(jump), PER_MODEL, 1, HK_PART_STEPPER, "input_jumped", -1},
    {AT(control), PER_MODEL, 1, HK_PART_STEPPER, "next_step_length", 0},
    {AT(breakpoint), PER_MODEL, 5, HK_PART_STEPPER, "time_ahead", -1},
    {AT(scan), PER_MODEL, 3, HK_PART_STEPPER, "switch_ahead", -1},
};
enum { N_SECTIONS = sizeof SECTION / sizeof *SECTION };

static int width_of(const hk_model *m, const section *s) {
  switch (s->per) {
    case PER_MODEL:
      return 1;
    case PER_POSITION:
      return m->nq;
    case PER_VELOCITY:
      return m->nv;
    case PER_ROW:
      return m->nc;
    case PER_TURN:
      return m->n_turns;
    case PER_POINT:
      return m->n_points * HK_N_TOUCH;
    case PER_LEDGER:
      return HK_N_LEDGER;
    case PER_MEMORY:
      return m->n_memory;
    case PER_LOOKUP:
      return m->n_lookups;
    case PER_INPUT:
      return HK_INPUT_PARTS * m->n_inputs;
    case PER_EXCHANGE:
      return m->n_exchanged;
  }
  return 0;
}

void hk_layout_fill(hk_model *m) {
  int at = 0;
  for (const section *s = SECTION; s < SECTION + N_SECTIONS; s++) {
    *(int *)(void *)((char *)&m->at + s->member) = at;
    at += s->copies * width_of(m, s);
  }
  m->at.size = at;
}

/* ---- names and units ---- */

static const char *unit_by_time(bool angular, int derivative) {
  static const char *const UNIT[2][3] = {{"m", "m/s", "m/s^2"}, {"rad", "rad/s", "rad/s^2"}};
  return derivative < 0 ? "" : UNIT[angular][derivative];
}

/* The node of a position or velocity; *k: index within the node. */
static const hk_node *node_at(const hk_model *m, bool position, int at, int *k) {
  const hk_node *n = m->node;
  while (at >= (position ? n->q + n->nq : n->v + n->nv)) n++;
  *k = at - (position ? n->q : n->v);
  return n;
}

static void of_position(const hk_model *m, int at, hk_state_entry *e) {
  static const char *const QUATERNION[4] = {"qw", "qx", "qy", "qz"};
  int k;
  const hk_node *n = node_at(m, true, at, &k);
  bool turns = n->turn >= 0 && k >= n->turn && k < n->turn + 4;
  const hk_node_coordinate *c = &n->coordinate[n->turn >= 0 && k >= n->turn + 4 ? k - 1 : k];
  e->unit = turns || n->type->number ? "1" : unit_by_time(c->angular, 0);
  snprintf(e->name, sizeof e->name, "%.190s.%.40s", n->name,
           turns ? QUATERNION[k - n->turn] : c->name);
}

static void of_velocity(const hk_model *m, int at, const section *s, hk_state_entry *e) {
  static const char *const RATE[3] = {"1", "1/s", "1/s^2"};
  int k;
  const hk_node *n = node_at(m, false, at, &k);
  e->unit = n->type->number && s->derivative >= 0
                ? RATE[s->derivative]
                : unit_by_time(n->coordinate[k].angular, s->derivative);
  snprintf(e->name, sizeof e->name, "%.150s.%.40s%s", n->name, n->coordinate[k].name, s->name);
}

static void of_row(const hk_model *m, int row, const section *s, hk_state_entry *e) {
  const hk_constraint *c = &m->constraint[m->row_constraint[row]];
  e->unit = s->derivative < 0 ? "1" : m->row_angular[row] ? "N*m" : "N";
  if (c->n_rows > 1)
    snprintf(e->name, sizeof e->name, "%.150s.%.60s%s", c->name, m->row_name[row], s->name);
  else
    snprintf(e->name, sizeof e->name, "%.190s%s", c->name, s->name);
}

static void of_turn(const hk_model *m, int at, hk_state_entry *e) {
  e->unit = "rad";
  for (int i = 0; i < m->n_coordinates; i++)
    if (m->coordinate[i].turn == at)
      snprintf(e->name, sizeof e->name, "%.200s.turned", m->coordinate[i].name);
}

static void of_point(const hk_model *m, int at, hk_state_entry *e) {
  static const struct {
    const char *name, *unit;
  } TOUCH[HK_N_TOUCH] = {
      [HK_TOUCH_IMPULSE_N] = {"impulse", "N*s"},
      [HK_TOUCH_IMPULSE_T] = {"impulse_t", "N*s"},
      [HK_TOUCH_IMPULSE_S] = {"impulse_s", "N*s"},
      [HK_TOUCH_APPROACH] = {"approach", "m/s"},
      [HK_TOUCH_IMPACTS] = {"impacts", "1"},
      [HK_TOUCH_CLOSED] = {"closed_time", "s"},
      [HK_TOUCH_SLIDING_WORK] = {"sliding_work", "J"},
      [HK_TOUCH_SLIDING_POWER] = {"sliding_power", "W"},
      [HK_TOUCH_MODE] = {"mode", "1"},
      [HK_TOUCH_SLIP_T] = {"slip_t", "1"},
      [HK_TOUCH_SLIP_S] = {"slip_s", "1"},
      [HK_TOUCH_GAP] = {"gap", "m"},
      [HK_TOUCH_RATE] = {"gap_rate", "m/s"},
      [HK_TOUCH_FORCE] = {"force", "N"},
      [HK_TOUCH_STORED] = {"stored", "J"},
      [HK_TOUCH_STIFFNESS] = {"stiffness", "N/m"},
      [HK_TOUCH_DAMPING] = {"damping", "N*s/m"},
      [HK_TOUCH_LOAD] = {"load", "m/s^2"},
      [HK_TOUCH_LAGGED] = {"force_lagged", "N"},
  };
  int point = at / HK_N_TOUCH, term = at % HK_N_TOUCH;
  const hk_contact *c = &m->contact[m->point_contact[point]];
  e->unit = TOUCH[term].unit;
  if (c->gap->point_names)
    snprintf(e->name, sizeof e->name, "%.150s.%.60s.%s", c->name,
             c->gap->point_names[point - c->point], TOUCH[term].name);
  else
    snprintf(e->name, sizeof e->name, "%.190s.%s", c->name, TOUCH[term].name);
}

static void of_input(const hk_model *m, int at, hk_state_entry *e) {
  static const char *const end[HK_INPUT_PARTS] = {"", ".slope", ".since"};
  const hk_signal *input = &m->input[at % m->n_inputs];
  int part = at / m->n_inputs;
  e->unit = part == HK_INPUT_VALUE ? input->unit : part == HK_INPUT_SINCE ? "s" : "";
  snprintf(e->name, sizeof e->name, "%.200s%s", input->name, end[part]);
}

static void of_exchange(const hk_model *m, int at, hk_state_entry *e) {
  const hk_exchange *x = m->exchange + m->n_exchanges - 1;
  while (x->at > at) x--;
  int k = at - x->at - HK_EXCHANGE_INPUT;
  e->unit = k < 0 ? "1" : "";
  snprintf(e->name, sizeof e->name, "%.190s%s", k < 0 ? x->coupling->name : x->coupling->input[k],
           k < 0 ? ".steps" : ".sampled");
}

static void of_ledger(int at, hk_state_entry *e) {
  static const char *const LEDGER[HK_N_LEDGER] = {
      "energy.dissipated",         "energy.motion_work",
      "energy.applied_work",       "energy.dissipated.power",
      "energy.motion_work.power",  "energy.applied_work.power",
      "energy.at_start",           "energy.dissipated.before",
      "energy.motion_work.before", "energy.applied_work.before",
      "energy.last_step",          "energy.applied_work.mended"};
  bool power = (at >= HK_LEDGER_POWER && at < HK_LEDGER_START) ||
               (at >= HK_LEDGER_BEFORE && at < HK_LEDGER_STEP);
  e->unit = power ? "W" : at == HK_LEDGER_STEP ? "s" : "J";
  snprintf(e->name, sizeof e->name, "%s", LEDGER[at]);
}

static void of_memory(const hk_model *m, int at, const section *s, hk_state_entry *e) {
  e->unit = "";
  for (int i = 0; i < m->n_forces; i++) {
    const hk_force *f = &m->force[i];
    if (at >= f->memory && at < f->memory + f->n_memory)
      snprintf(e->name, sizeof e->name, "%.190s%s[%d]", f->name, s->name, at - f->memory);
  }
  for (int i = 0; i < m->n_contacts; i++) {
    const hk_contact *c = &m->contact[i];
    int n = c->owns ? c->n_points * c->law->memory : 0;
    if (at >= c->memory && at < c->memory + n)
      snprintf(e->name, sizeof e->name, "%.190s%s[%d]", c->name, s->name, at - c->memory);
  }
}

/* Describes an entry of the whole model: copies are numbered. */
static void of_model(const section *s, int copy, hk_state_entry *e) {
  e->unit = s->derivative < 0 ? "1" : "s";
  if (s->copies > 1)
    snprintf(e->name, sizeof e->name, "%s[%d]", s->name, copy);
  else
    snprintf(e->name, sizeof e->name, "%s", s->name);
}

static void of_section(const hk_model *m, const section *s, int at, int copy, hk_state_entry *e) {
  switch (s->per) {
    case PER_MODEL:
      of_model(s, copy, e);
      return;
    case PER_POSITION:
      of_position(m, at, e);
      return;
    case PER_VELOCITY:
      of_velocity(m, at, s, e);
      break;
    case PER_ROW:
      of_row(m, at, s, e);
      break;
    case PER_TURN:
      of_turn(m, at, e);
      return;
    case PER_POINT:
      of_point(m, at, e);
      return;
    case PER_LEDGER:
      of_ledger(at, e);
      return;
    case PER_MEMORY:
      of_memory(m, at, s, e);
      return;
    case PER_LOOKUP:
      snprintf(e->name, sizeof e->name, "%s[%d]", s->name, at);
      return;
    case PER_INPUT:
      of_input(m, at, e);
      return;
    case PER_EXCHANGE:
      of_exchange(m, at, e);
      return;
  }
  size_t used = strlen(e->name);
  if (s->copies > 1) snprintf(e->name + used, sizeof e->name - used, "[%d]", copy);
}

void hk_layout_entry(const hk_model *m, int i, hk_state_entry *out) {
  int at = 0;
  *out = (hk_state_entry){.unit = ""};
  for (const section *s = SECTION; s < SECTION + N_SECTIONS; s++) {
    int width = width_of(m, s);
    if (i < at + s->copies * width) {
      out->part = s->part;
      of_section(m, s, (i - at) % width, (i - at) / width, out);
      return;
    }
    at += s->copies * width;
  }
}
