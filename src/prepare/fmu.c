/* FMUs of a model file: reads their descriptions and adds the signals that they exchange.
 *
 * An input of the FMU is a sensor of the model, `motor.speed`, with the expression given for it.
 * An output is an input of the model, `motor.torque`.  No code of the FMU is executed here.  See
 * loaders.list. */
#include "import/host.h"
#include "prepare/prepare.h"
#include "spec/registry.h"
#include <ctype.h>
#include <stdio.h>
#include <string.h>

typedef struct loader {
  hk_mf *r;
  hk_item *item;
  const hk_mf_pending *pending;
  hk_mf_at at;
  char owner[300];
  hk_fmu_plan *plan;
  hk_coupling *coupling;
  hk_arena *arena;
} loader;

static bool complain(const loader *l, const hk_location *place, const char *text) {
  hk_diag_add(l->r->diag, HK_ERROR, place, "%s: %s", l->owner, text);
  return false;
}

/* Finds the map `key` (`inputs`, `outputs`, `units` or `start`). Sets *first to its first entry (NULL: none) and *n to
 * the number of entries. Returns false if the value of the key is not a map. */
static bool entries(const loader *l, const char *key, const hk_doc **first, int *n) {
  const hk_doc *map = hk_doc_find(l->pending->doc, key);
  *first = NULL;
  *n = 0;
  if (!map || hk_mf_is_empty(map)) return true;
  if (!hk_mf_expect(&l->at, map, HK_DOC_MAP, key, "a map from names to values")) return false;
  *first = map->first;
  *n = map->n;
  return true;
}

/* ---- variables ---- */

/* The variable of the FMU with this name; NULL with an error. */
static const hk_fmu_variable *find_variable(const loader *l, const char *name,
                                            const hk_location *place) {
  const hk_fmu_description *d = &l->plan->description;
  int i = hk_fmu_variable_find(d, name);
  const hk_fmu_variable *v = i < 0 ? NULL : &d->variable[i];
  char text[300], hint[120];
  if (!v) {
    const char *near = NULL;
    for (int k = 0; k < d->n; k++) {
      const char *pair[2] = {d->variable[k].name, near};
      const char *nearer = hk_nearest_name(name, pair, near ? 2 : 1);
      if (nearer) near = nearer;
    }
    snprintf(text, sizeof text, "the FMU has no variable '%.80s'%s", name,
             hk_mf_did_you_mean(near, hint, sizeof hint));
    return complain(l, place, text), NULL;
  }
  if (v->kind < HK_FMU_N_NUMBERS && !v->array) return v;
  snprintf(text, sizeof text,
           "variable '%.80s' of the FMU is %s; only single numbers are exchanged", name,
           v->array ? "an array" : "not a number");
  return complain(l, place, text), NULL;
}

/* Finds the unit of a variable: from the FMU, otherwise from `units`. False: error. *named: a unit
 * was found. */
static bool find_unit(const loader *l, const hk_fmu_variable *v, hk_unit *unit, bool *named) {
  const char *name;
  const hk_doc *units = hk_doc_find(l->pending->doc, "units"),
               *given = units && units->kind == HK_DOC_MAP ? hk_doc_find(units, v->name) : NULL;
  hk_error why = {0};
  *named = hk_fmu_variable_unit(&l->plan->description, v, unit, &name);
  if (!*named) *unit = (hk_unit){.factor = 1};
  if (!given) return true;
  char text[400];
  if (*named) {
    snprintf(text, sizeof text, "the FMU gives the unit of '%.80s', %.40s", v->name, name);
    return complain(l, &given->place, text);
  }
  if (!hk_mf_expect(&l->at, given, HK_DOC_SCALAR, v->name, "a unit")) return false;
  if (hk_unit_parse(given->text, strlen(given->text), unit, &why))
    return complain(l, &given->place, why.text);
  *named = true;
  return true;
}

static bool make_port(const loader *l, const hk_fmu_variable *v, hk_fmu_port *port, bool *named) {
  *port = (hk_fmu_port){.name = v->name, .reference = v->reference, .kind = v->kind};
  return find_unit(l, v, &port->unit, named);
}

/* "motor.der_w_" for the variable der(w): a name that expressions can use. */
static char *channel_name(const loader *l, const char *name) {
  char *full = hk_arena_printf(l->arena, "%s.%s", l->item->name, name);
  if (!full) return hk_mf_no_memory(l->r), NULL;
  char *at = full + strlen(l->item->name) + 1;
  if (isdigit((unsigned char)*at)) *at = '_';
  for (; *at; at++)
    if (!isalnum((unsigned char)*at) && !strchr("_.[]", *at)) *at = '_';
  return full;
}

/* ---- inputs of the FMU ---- */

/* A sensor with the expression of the entry, which is read later, together with the other sensors. */
static bool add_sensor(const loader *l, const hk_doc *entry, const char *name) {
  hk_mf *r = l->r;
  hk_doc *map = hk_mf_new_map(r, entry->key, entry->key_place), *value = HK_NEW(&r->arena, hk_doc);
  if (!map || !value) return hk_mf_no_memory(r);
  *value = *entry;
  value->key = "value";
  value->next = NULL;
  hk_mf_append(map, value);
  return hk_mf_make_item(r, l->pending->scope, l->pending->index, HK_SENSOR, map, name) != NULL;
}

static bool add_inputs(loader *l) {
  const hk_doc *entry;
  int n;
  if (!entries(l, "inputs", &entry, &n)) return false;
  hk_coupling *c = l->coupling;
  hk_dim *dim = HK_NEW_ARRAY(l->arena, hk_dim, n + 1);
  bool *checked = HK_NEW_ARRAY(l->arena, bool, n + 1), fine = true;
  c->input = HK_NEW_ARRAY(l->arena, const char *, n + 1);
  l->plan->input = HK_NEW_ARRAY(l->arena, hk_fmu_port, n + 1);
  if (!dim || !checked || !c->input || !l->plan->input) return hk_mf_no_memory(l->r);
  for (; entry; entry = entry->next) {
    int i = c->n_inputs;
    const hk_fmu_variable *v = find_variable(l, entry->key, &entry->key_place);
    if (v && v->causality != HK_FMU_INPUT) {
      char text[200];
      snprintf(text, sizeof text, "variable '%.80s' of the FMU is not an input", entry->key);
      complain(l, &entry->key_place, text);
      v = NULL;
    }
    c->input[i] = v ? channel_name(l, v->name) : NULL;
    if (!v || !c->input[i] || !make_port(l, v, &l->plan->input[i], &checked[i]) ||
        !add_sensor(l, entry, c->input[i])) {
      fine = false;
      continue;
    }
    dim[i] = l->plan->input[i].unit.dim;
    c->n_inputs++;
  }
  c->input_dim = dim;
  c->input_checked = checked;
  l->plan->n_inputs = c->n_inputs;
  return fine;
}

/* ---- outputs ---- */

static bool add_output(loader *l, const hk_fmu_variable *v, const char *name,
                       const hk_location *place) {
  hk_coupling *c = l->coupling;
  int i = c->n_outputs;
  hk_fmu_port *port = &l->plan->output[i];
  bool named;
  char unit[128];
  hk_error err = {0};
  if (!make_port(l, v, port, &named)) return false;
  hk_dim_format(port->unit.dim, unit, sizeof unit);
  hk_item *input = hk_spec_add(l->r->spec, HK_INPUT, "input", name, &err);
  if (!input || hk_item_text(input, "unit", unit, &err)) {
    if (err.code == HK_ENOMEM) l->r->diag->out_of_memory = true;
    return complain(l, place, err.text);
  }
  input->place = hk_mf_keep_place(l->r, *place);
  c->output[i] = name;
  ((bool *)(uintptr_t)c->output_smooth)[i] = v->continuous;
  c->n_outputs = l->plan->n_outputs = i + 1;
  return true;
}

/* Outputs whose names can be used in expressions unchanged; others can be listed under
 * `outputs`. */
static bool is_plain(const char *name) {
  if (!isalpha((unsigned char)*name) && *name != '_') return false;
  while (isalnum((unsigned char)*name) || *name == '_') name++;
  return !*name;
}

static bool add_all_outputs(loader *l) {
  const hk_fmu_description *d = &l->plan->description;
  for (int i = 0; i < d->n; i++) {
    const hk_fmu_variable *v = &d->variable[i];
    if (v->causality != HK_FMU_OUTPUT || v->kind >= HK_FMU_N_NUMBERS || v->array ||
        !is_plain(v->name))
      continue;
    const char *name = channel_name(l, v->name);
    if (!name || !add_output(l, v, name, hk_item_location(l->item, "file"))) return false;
  }
  return true;
}

static bool add_outputs(loader *l) {
  const hk_doc *entry;
  int n;
  if (!entries(l, "outputs", &entry, &n)) return false;
  bool listed = entry, fine = true;
  int room = (listed ? n : l->plan->description.n) + 1;
  l->coupling->output = HK_NEW_ARRAY(l->arena, const char *, room);
  l->coupling->output_smooth = HK_NEW_ARRAY(l->arena, bool, room);
  l->plan->output = HK_NEW_ARRAY(l->arena, hk_fmu_port, room);
  if (!l->coupling->output || !l->coupling->output_smooth || !l->plan->output)
    return hk_mf_no_memory(l->r);
  if (!listed) return add_all_outputs(l);
  for (; entry; entry = entry->next) {
    const hk_fmu_variable *v = NULL;
    if (hk_mf_check_word(l->r, entry->key, &entry->key_place, "the name of an output") &&
        hk_mf_expect(&l->at, entry, HK_DOC_SCALAR, entry->key, "the name of a variable of the FMU"))
      v = find_variable(l, entry->text, &entry->place);
    const char *name = v ? channel_name(l, entry->key) : NULL;
    if (!name || !add_output(l, v, name, &entry->key_place)) fine = false;
  }
  return fine;
}

/* ---- start values, units ---- */

static bool add_starts(loader *l) {
  const hk_doc *entry;
  int n;
  if (!entries(l, "start", &entry, &n)) return false;
  l->plan->start = HK_NEW_ARRAY(l->arena, hk_fmu_start, n + 1);
  if (!l->plan->start) return hk_mf_no_memory(l->r);
  bool fine = true;
  for (; entry; entry = entry->next) {
    hk_fmu_start *s = &l->plan->start[l->plan->n_starts];
    const hk_fmu_variable *v = find_variable(l, entry->key, &entry->key_place);
    bool named;
    char text[200] = "";
    if (v &&
        (v->constant || v->causality == HK_FMU_CALCULATED || v->causality == HK_FMU_INDEPENDENT))
      snprintf(text, sizeof text, "variable '%.80s' of the FMU cannot be set", entry->key);
    for (int i = 0; v && i < l->plan->n_inputs; i++)
      if (l->plan->input[i].reference == v->reference && l->plan->input[i].kind == v->kind)
        snprintf(text, sizeof text, "'%.80s' is given by `inputs`", entry->key);
    if (text[0]) v = complain(l, &entry->key_place, text) ? v : NULL;
    hk_mf_number number;
    bool good = v && make_port(l, v, &s->port, &named) &&
                (named ? hk_mf_quantity(&l->at, entry, entry->key, s->port.unit.dim, &s->value)
                       : hk_mf_constant(&l->at, entry, entry->key, &number));
    if (good && !named) s->value = number.value;
    if (good)
      l->plan->n_starts++;
    else
      fine = false;
  }
  return fine;
}

/* Every name under `units` is a variable without a unit. */
static bool check_units(const loader *l) {
  const hk_doc *entry;
  int n;
  bool fine = entries(l, "units", &entry, &n);
  for (; entry; entry = entry->next) {
    const hk_fmu_variable *v = find_variable(l, entry->key, &entry->key_place);
    hk_unit unit;
    bool named;
    if (!v || !find_unit(l, v, &unit, &named)) fine = false;
  }
  return fine;
}

/* ---- the item ---- */

static bool read_file(loader *l) {
  const hk_fmu_params *p = l->item->data;
  hk_mf *r = l->r;
  hk_error why = {0};
  bool outside;
  const char *path = hk_mf_relative_path(r, l->item->place.file, p->file);
  const hk_location *place = hk_item_location(l->item, "file");
  if (!path) return hk_mf_no_memory(r);
  if (!hk_mf_may_read(r, path, p->file, place, &outside)) return false;
  l->plan->path = hk_arena_strdup(l->arena, path);
  if (!l->plan->path) return hk_mf_no_memory(r);
  if (hk_fmu_read(path, l->arena, &l->plan->description, &why) == HK_OK) return true;
  if (why.code == HK_ENOMEM) return hk_mf_no_memory(r);
  hk_diag_add(r->diag, HK_ERROR, place, "%s: '%s' cannot be used%s%s", l->owner, p->file,
              outside ? "" : ": ", outside ? "" : why.text);
  return false;
}

static bool set_period(loader *l) {
  const hk_fmu_params *p = l->item->data;
  l->coupling->period = hk_item_has(l->item, "period") ? p->period : l->plan->description.step;
  if (l->coupling->period > 0) return true;
  return complain(l, hk_item_location(l->item, NULL),
                  "give a period, such as `period: 1 ms`; the FMU names no step size");
}

static bool load(loader *l) {
  hk_fmu_params *p = l->item->data;
  l->plan = HK_NEW(l->arena, hk_fmu_plan);
  l->coupling = HK_NEW(l->arena, hk_coupling);
  if (!l->plan || !l->coupling) return hk_mf_no_memory(l->r);
  *l->plan = (hk_fmu_plan){.name = l->item->name,
                           .linear = p->signals == HK_SIGNALS_LINEAR,
                           .native = l->r->spec->registry->native,
                           .in_process = l->r->spec->registry->in_process,
                           .time_limit = p->time_limit};
  *l->coupling = (hk_coupling){.ops = &hk_fmu_coupling,
                               .data = l->plan,
                               .name = l->item->name,
                               .signals = (hk_between_samples)p->signals};
  if (!read_file(l)) return false;
  bool fine = set_period(l);
  fine = check_units(l) && fine;
  fine = add_inputs(l) && fine;
  fine = add_outputs(l) && fine;
  fine = add_starts(l) && fine;
  p->coupling = l->coupling;
  return fine;
}

void hk_load_fmu_fmu(hk_mf *r, hk_item *item, const hk_mf_pending *pending) {
  loader l = {.r = r, .item = item, .pending = pending, .arena = &r->spec->arena};
  hk_item_label(item, l.owner, sizeof l.owner);
  l.at = (hk_mf_at){r, pending->scope, pending->index, l.owner};
  if (pending->doc->faulty || !load(&l)) hk_mf_mark_broken(r, &r->model, item->name);
}
