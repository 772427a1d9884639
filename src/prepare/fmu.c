/* FMUs of a model file: reads the descriptions of the FMUs and adds the inputs and sensors for the values that they
 * exchange.
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

/* If an array has more elements than this, only those elements that the model names are used. */
enum { MOST_ELEMENTS = 100 };

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

/* The variable of the FMU with the name that is most similar to a wrong name; NULL: none is similar. */
static const char *nearest_variable(const hk_fmu_description *d, const char *name) {
  const char *near = NULL;
  for (int k = 0; k < d->n; k++) {
    const char *pair[2] = {d->variable[k].name, near};
    const char *nearer = hk_nearest_name(name, pair, near ? 2 : 1);
    if (nearer) near = nearer;
  }
  return near;
}

/* Finds the variable of the FMU with this name, or the array with this element; NULL with an error. */
static const hk_fmu_variable *find_variable(const loader *l, const char *name, int *element,
                                            const hk_location *place) {
  const hk_fmu_description *d = &l->plan->description;
  int i = hk_fmu_variable_find(d, name);
  const hk_fmu_variable *v = i < 0 ? NULL : &d->variable[i];
  char text[400], hint[120];
  hk_error why = {0};
  bool indexed = !v && strchr(name, '[');
  *element = 0;
  if (indexed)
    v = hk_fmu_element_find(d, name, l->plan->structural, l->plan->n_structural, element, &why);
  if (!v) {
    if (indexed) return complain(l, place, why.text), NULL;
    snprintf(text, sizeof text, "the FMU has no variable '%.80s'%s", name,
             hk_mf_did_you_mean(nearest_variable(d, name), hint, sizeof hint));
    return complain(l, place, text), NULL;
  }
  if (v->kind < HK_FMU_N_NUMBERS && (v->n_dimensions == 0 || indexed)) return v;
  if (v->kind < HK_FMU_N_NUMBERS)
    snprintf(text, sizeof text,
             "variable '%.80s' of the FMU is an array; name one of its elements, such as "
             "'%.80s[1%s]'",
             name, name, v->n_dimensions > 1 ? ",1" : "");
  else
    snprintf(text, sizeof text,
             "variable '%.80s' of the FMU is not a number; only numbers are exchanged", name);
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

/* Returns the index of an array in the plan; adds the array if it is not there; -1 with an error. */
static int find_array(const loader *l, const hk_fmu_variable *v, const hk_location *place) {
  hk_fmu_plan *p = l->plan;
  hk_error why = {0};
  for (int i = 0; i < p->n_arrays; i++)
    if (p->array[i].reference == v->reference && p->array[i].kind == v->kind) return i;
  int n = hk_fmu_variable_size(&p->description, v, p->structural, p->n_structural, &why);
  if (n == 0) return complain(l, place, why.text), -1;
  double *start = HK_NEW_ARRAY(l->arena, double, n);
  if (!start) return hk_mf_no_memory(l->r), -1;
  /* The description may have no start values for this size of the array; they are then read
   * from the FMU. */
  if (!hk_fmu_start_values(v, start, n)) start = NULL;
  p->array[p->n_arrays] = (hk_fmu_array){v->name, v->reference, v->kind, n, start};
  return p->n_arrays++;
}

static bool make_port(const loader *l, const hk_fmu_variable *v, int element, const char *name,
                      hk_fmu_port *port, bool *named, const hk_location *place) {
  *port = (hk_fmu_port){.name = hk_arena_strdup(l->arena, name),
                        .reference = v->reference,
                        .kind = v->kind,
                        .array = -1,
                        .element = element};
  if (!port->name) return hk_mf_no_memory(l->r);
  if (v->n_dimensions && (port->array = find_array(l, v, place)) < 0) return false;
  return find_unit(l, v, &port->unit, named);
}

/* Returns true if a name ends with these indices, such as "[1,2]". */
static bool is_indices(const char *at) {
  do {
    if (!isdigit((unsigned char)*++at)) return false;
    while (isdigit((unsigned char)*at)) at++;
  } while (*at == ',');
  return at[0] == ']' && !at[1];
}

/* "a[1,2]" */
static bool is_indexed(const char *name) {
  const char *at = strchr(name, '[');
  return at && at > name && is_indices(at);
}

/* Converts a variable name of the FMU to a name that expressions can use: der(w) becomes "motor.der_w_", and the
 * element a[1,2] becomes "motor.a[1][2]". */
static char *channel_name(const loader *l, const char *name) {
  size_t room = strlen(l->item->name) + 2 * strlen(name) + 2, n = strlen(l->item->name) + 1;
  char *full = hk_arena_alloc(l->arena, room);
  if (!full) return hk_mf_no_memory(l->r), NULL;
  snprintf(full, room, "%s.", l->item->name);
  const char *open = is_indexed(name) ? strchr(name, '[') : NULL;
  for (const char *at = name; *at; at++) {
    if (open && at > open && *at == ',') full[n++] = ']';
    full[n++] = open && at >= open ? *at == ',' ? '[' : *at
                : isalnum((unsigned char)*at) && !(at == name && isdigit((unsigned char)*at)) ? *at
                : *at == '.' && at > name                                                     ? '.'
                                                                                              : '_';
  }
  full[n] = '\0';
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
    int element;
    const hk_fmu_variable *v = find_variable(l, entry->key, &element, &entry->key_place);
    if (v && v->causality != HK_FMU_INPUT) {
      char text[200];
      snprintf(text, sizeof text, "variable '%.80s' of the FMU is not an input", entry->key);
      complain(l, &entry->key_place, text);
      v = NULL;
    }
    c->input[i] = v ? channel_name(l, entry->key) : NULL;
    if (!v || !c->input[i] ||
        !make_port(l, v, element, entry->key, &l->plan->input[i], &checked[i], &entry->key_place) ||
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

static bool add_output(loader *l, const hk_fmu_variable *v, int element, const char *variable,
                       const char *name, const hk_location *place) {
  hk_coupling *c = l->coupling;
  int i = c->n_outputs;
  hk_fmu_port *port = &l->plan->output[i];
  bool named;
  char unit[128];
  hk_error err = {0};
  if (!make_port(l, v, element, variable, port, &named, place)) return false;
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

/* Outputs are added automatically if expressions can use their names unchanged (words that are separated by dots); so are
 * elements of such arrays. Other outputs can be listed under `outputs`. */
static bool is_plain(const char *name) {
  const char *end = name;
  do {
    if (end != name) end++; /* the dot */
    if (!isalpha((unsigned char)*end) && *end != '_') return false;
    while (isalnum((unsigned char)*end) || *end == '_') end++;
  } while (*end == '.');
  return !*end || (*end == '[' && is_indices(end));
}

/* Name of element number i of an array, such as "a[1,2]". */
static const char *element_name(const loader *l, const hk_fmu_variable *v, int element) {
  const hk_fmu_plan *p = l->plan;
  char text[100] = "]";
  for (int k = v->n_dimensions - 1; k >= 0; k--) {
    hk_fmu_variable one = *v;
    char rest[60]; /* large enough for four numbers of seven digits */
    one.n_dimensions = 1, one.dimension[0] = v->dimension[k];
    int n = hk_fmu_variable_size(&p->description, &one, p->structural, p->n_structural, NULL);
    snprintf(rest, sizeof rest, "%.59s", text);
    snprintf(text, sizeof text, "%s%d%s", k ? "," : "[", element % n + 1, rest);
    element /= n;
  }
  const char *name = hk_arena_printf(l->arena, "%s%s", v->name, text);
  if (!name) hk_mf_no_memory(l->r);
  return name;
}

/* Returns the number of outputs that are added for a variable of the FMU. */
static int n_added(const loader *l, const hk_fmu_variable *v) {
  if (v->causality != HK_FMU_OUTPUT || v->kind >= HK_FMU_N_NUMBERS || !is_plain(v->name)) return 0;
  int n = hk_fmu_variable_size(&l->plan->description, v, l->plan->structural, l->plan->n_structural,
                               NULL);
  return n <= MOST_ELEMENTS ? n : 0;
}

static bool add_all_outputs(loader *l) {
  const hk_fmu_description *d = &l->plan->description;
  const hk_location *place = hk_item_location(l->item, "file");
  for (int i = 0; i < d->n; i++) {
    const hk_fmu_variable *v = &d->variable[i];
    for (int k = 0; k < n_added(l, v); k++) {
      const char *variable = v->n_dimensions ? element_name(l, v, k) : v->name;
      const char *name = variable ? channel_name(l, variable) : NULL;
      if (!name || !add_output(l, v, k, variable, name, place)) return false;
    }
  }
  return true;
}

static bool add_outputs(loader *l) {
  const hk_doc *entry;
  int n;
  if (!entries(l, "outputs", &entry, &n)) return false;
  bool listed = entry, fine = true;
  int room = n + 1;
  for (int i = 0; i < l->plan->description.n && !listed; i++)
    room += n_added(l, &l->plan->description.variable[i]);
  l->coupling->output = HK_NEW_ARRAY(l->arena, const char *, room);
  l->coupling->output_smooth = HK_NEW_ARRAY(l->arena, bool, room);
  l->plan->output = HK_NEW_ARRAY(l->arena, hk_fmu_port, room);
  if (!l->coupling->output || !l->coupling->output_smooth || !l->plan->output)
    return hk_mf_no_memory(l->r);
  if (!listed) return add_all_outputs(l);
  for (; entry; entry = entry->next) {
    const hk_fmu_variable *v = NULL;
    int element = 0;
    if (hk_mf_check_word(l->r, entry->key, &entry->key_place, "the name of an output") &&
        hk_mf_expect(&l->at, entry, HK_DOC_SCALAR, entry->key, "the name of a variable of the FMU"))
      v = find_variable(l, entry->text, &element, &entry->place);
    const char *name = v ? channel_name(l, entry->key) : NULL;
    if (!name || !add_output(l, v, element, entry->text, name, &entry->key_place)) fine = false;
  }
  return fine;
}

/* ---- start values, units ---- */

static bool is_structural(const loader *l, const char *name) {
  int i = hk_fmu_variable_find(&l->plan->description, name);
  return i >= 0 && l->plan->description.variable[i].structural;
}

/* Structural parameters are read before all other variables, because sizes of arrays depend on them. */
static bool add_structural(loader *l) {
  const hk_doc *entry;
  int n;
  if (!entries(l, "start", &entry, &n)) return false;
  l->plan->structural = HK_NEW_ARRAY(l->arena, hk_fmu_structural, n + 1);
  if (!l->plan->structural) return hk_mf_no_memory(l->r);
  bool fine = true;
  for (; entry; entry = entry->next) {
    if (!is_structural(l, entry->key)) continue;
    int element;
    const hk_fmu_variable *v = find_variable(l, entry->key, &element, &entry->key_place);
    hk_mf_number number;
    if (v && hk_mf_constant(&l->at, entry, entry->key, &number))
      l->plan->structural[l->plan->n_structural++] =
          (hk_fmu_structural){v->name, v->reference, v->kind, number.value};
    else
      fine = false;
  }
  return fine;
}

/* Reads the value of one variable or element. */
static bool add_start(loader *l, const hk_doc *entry, const char *key) {
  hk_fmu_start *s = &l->plan->start[l->plan->n_starts];
  int element;
  const hk_fmu_variable *v = find_variable(l, key, &element, &entry->place);
  bool named;
  char text[200] = "";
  if (!v) return false;
  if (v->constant || v->causality == HK_FMU_CALCULATED || v->causality == HK_FMU_INDEPENDENT)
    snprintf(text, sizeof text, "variable '%.80s' of the FMU cannot be set", key);
  for (int i = 0; i < l->plan->n_inputs; i++)
    if (l->plan->input[i].reference == v->reference && l->plan->input[i].kind == v->kind &&
        l->plan->input[i].element == element)
      snprintf(text, sizeof text, "'%.80s' is given by `inputs`", key);
  if (text[0]) return complain(l, &entry->place, text);
  hk_mf_number number;
  if (!make_port(l, v, element, key, &s->port, &named, &entry->place)) return false;
  if (!(named ? hk_mf_quantity(&l->at, entry, key, s->port.unit.dim, &s->value)
              : hk_mf_constant(&l->at, entry, key, &number)))
    return false;
  if (!named) s->value = number.value;
  l->plan->n_starts++;
  return true;
}

/* Reads all elements of an array from a list, in the order of the array. */
static bool add_start_list(loader *l, const hk_doc *entry) {
  const hk_fmu_plan *p = l->plan;
  int i = hk_fmu_variable_find(&p->description, entry->key), k = 0;
  const hk_fmu_variable *v = i < 0 ? NULL : &p->description.variable[i];
  char text[200];
  hk_error why = {0};
  if (!v || v->n_dimensions == 0)
    return hk_mf_expect(&l->at, entry, HK_DOC_SCALAR, entry->key, "a number");
  int n = hk_fmu_variable_size(&p->description, v, p->structural, p->n_structural, &why);
  if (n == 0) return complain(l, &entry->place, why.text);
  if (n != entry->n) {
    snprintf(text, sizeof text, "array '%.80s' has %d elements, not %d", v->name, n, entry->n);
    return complain(l, &entry->place, text);
  }
  for (const hk_doc *one = entry->first; one; one = one->next) {
    const char *name = element_name(l, v, k++);
    if (!name || !add_start(l, one, name)) return false;
  }
  return true;
}

/* Number of values in the map `start`. */
static int n_starts(const hk_doc *entry) {
  int n = 0;
  for (; entry; entry = entry->next) n += entry->kind == HK_DOC_LIST ? entry->n : 1;
  return n;
}

static bool add_starts(loader *l) {
  const hk_doc *entry;
  int n;
  if (!entries(l, "start", &entry, &n)) return false;
  l->plan->start = HK_NEW_ARRAY(l->arena, hk_fmu_start, n_starts(entry) + 1);
  if (!l->plan->start) return hk_mf_no_memory(l->r);
  bool fine = true;
  for (; entry; entry = entry->next) {
    if (is_structural(l, entry->key)) continue;
    if (!(entry->kind == HK_DOC_LIST ? add_start_list(l, entry) : add_start(l, entry, entry->key)))
      fine = false;
  }
  return fine;
}

/* All elements of an array have the unit of the array. */
static const hk_fmu_variable *find_named(const loader *l, const hk_doc *entry) {
  const hk_fmu_description *d = &l->plan->description;
  int i = hk_fmu_variable_find(d, entry->key), element;
  if (i >= 0 && d->variable[i].n_dimensions) return &d->variable[i];
  return find_variable(l, entry->key, &element, &entry->key_place);
}

/* Every name under `units` is a variable without a unit. */
static bool check_units(const loader *l) {
  const hk_doc *entry;
  int n;
  bool fine = entries(l, "units", &entry, &n);
  for (; entry; entry = entry->next) {
    const hk_fmu_variable *v = find_named(l, entry);
    hk_unit unit;
    bool named;
    if (!v || !find_unit(l, v, &unit, &named)) fine = false;
  }
  return fine;
}

/* ---- what is not connected ---- */

static bool is_set(const hk_fmu_port *port, const hk_fmu_variable *v) {
  return port->reference == v->reference && port->kind == v->kind;
}

static bool is_connected(const loader *l, const hk_fmu_variable *v) {
  const hk_fmu_plan *p = l->plan;
  for (int i = 0; i < p->n_inputs; i++)
    if (is_set(&p->input[i], v)) return true;
  for (int i = 0; i < p->n_starts; i++)
    if (is_set(&p->start[i].port, v)) return true;
  return false;
}

/* Names the inputs that keep the start values of the FMU, and the outputs that were left out although none are listed. */
static void note_the_rest(const loader *l) {
  const hk_fmu_description *d = &l->plan->description;
  const hk_location *place = hk_item_location(l->item, "file");
  const hk_fmu_variable *idle = NULL, *left_out = NULL;
  const hk_doc *listed;
  int n, idles = 0, lefts = 0;
  entries(l, "outputs", &listed, &n);
  for (int i = 0; i < d->n; i++) {
    const hk_fmu_variable *v = &d->variable[i];
    if (v->kind >= HK_FMU_N_NUMBERS) continue;
    if (v->causality == HK_FMU_INPUT && !is_connected(l, v) && !idles++) idle = v;
    if (v->causality == HK_FMU_OUTPUT && !listed && n_added(l, v) == 0 && !lefts++) left_out = v;
  }
  if (idle)
    hk_diag_add(l->r->diag, HK_NOTE, place,
                "%s: %d input%s not connected and %s the start value of the FMU: '%.80s'%s; use "
                "`inputs` or "
                "`start`",
                l->owner, idles, idles > 1 ? "s are" : " is", idles > 1 ? "keep" : "keeps",
                idle->name, idles > 1 ? " and others" : "");
  if (left_out)
    hk_diag_add(l->r->diag, HK_NOTE, place,
                "%s: %d output%s left out, because expressions cannot use such names: '%.80s'%s; "
                "give other "
                "names under `outputs`",
                l->owner, lefts, lefts > 1 ? "s are" : " is", left_out->name,
                lefts > 1 ? " and others" : "");
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
  l->plan->array = HK_NEW_ARRAY(l->arena, hk_fmu_array, l->plan->description.n + 1);
  if (!l->plan->array) return hk_mf_no_memory(l->r);
  bool fine = set_period(l);
  fine = add_structural(l) && fine;
  fine = check_units(l) && fine;
  fine = add_inputs(l) && fine;
  fine = add_outputs(l) && fine;
  fine = add_starts(l) && fine;
  if (fine) note_the_rest(l);
  p->coupling = l->coupling;
  return fine;
}

void hk_load_fmu_fmu(hk_mf *r, hk_item *item, const hk_mf_pending *pending) {
  loader l = {.r = r, .item = item, .pending = pending, .arena = &r->spec->arena};
  hk_item_label(item, l.owner, sizeof l.owner);
  l.at = (hk_mf_at){r, pending->scope, pending->index, l.owner};
  if (pending->doc->faulty || !load(&l)) hk_mf_mark_broken(r, &r->model, item->name);
}
