/* Model descriptions: see description.h.  Elements after [FMI 2.0.4, section 2.2] and [FMI 3.0.2, section 2.4]. */
#include "import/description.h"
#include "base/number.h"
#include "import/xml.h"
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct reader {
  hk_arena *arena;
  hk_fmu_description *d;
  const char *parent[HK_XML_MAX_DEPTH + 1]; /* names of the elements that are open */
  int variable, unit;                       /* the one being read */
} reader;

/* Room for one more entry of an array in the arena. */
static bool grow(hk_arena *arena, void **array, int n, int *capacity, size_t size) {
  if (n < *capacity) return true;
  int more = *capacity ? 2 * *capacity : 32;
  void *grown = hk_arena_alloc(arena, (size_t)more * size);
  if (!grown) return false;
  if (n) memcpy(grown, *array, (size_t)n * size);
  *array = grown;
  *capacity = more;
  return true;
}

static bool is_true(const hk_xml_element *e, const char *key) {
  const char *text = hk_xml_get(e, key);
  return text && (strcmp(text, "true") == 0 || strcmp(text, "1") == 0);
}

static hk_status wrong(const hk_xml_element *e, const char *key, hk_error *err) {
  return hk_fail(err, HK_EINPUT, "line %d: '%s' of %s is missing or not valid", e->line, key,
                 e->name);
}

/* Parses a text that is one number; false: it is not a number, or it is too large. */
static bool real_of(const char *text, double *out) {
  char *end;
  if (!text || !*text || strchr(text, ',')) return false;
  *out = hk_number_read(text, &end);
  return end != text && !*end && isfinite(*out);
}

static bool reference_of(const char *text, uint32_t *out) {
  if (!text || text[0] < '0' || text[0] > '9') return false;
  char *end;
  errno = 0;
  unsigned long long value = strtoull(text, &end, 10);
  if (*end || errno || value > UINT32_MAX) return false;
  *out = (uint32_t)value;
  return true;
}

static hk_status no_memory(hk_error *err) { return hk_fail(err, HK_ENOMEM, "out of memory"); }

static const char *keep(reader *r, const char *text, bool *lost) {
  char *copy = text ? hk_arena_strdup(r->arena, text) : NULL;
  if (text && !copy) *lost = true;
  return copy;
}

/* ---- the root and the kinds of FMUs ---- */

static hk_status read_root(reader *r, const hk_xml_element *e, hk_error *err) {
  hk_fmu_description *d = r->d;
  bool lost = false;
  const char *version = hk_xml_get(e, "fmiVersion");
  if (strcmp(e->name, "fmiModelDescription") != 0)
    return hk_fail(err, HK_EINPUT, "its root element is not fmiModelDescription");
  if (!version) return wrong(e, "fmiVersion", err);
  if (strncmp(version, "2.", 2) == 0)
    d->version = 2;
  else if (strncmp(version, "3.", 2) == 0)
    d->version = 3;
  else
    return hk_fail(err, HK_EINPUT, "it is for FMI %.20s; FMI 2.0 and 3.0 can be imported", version);
  const char *token = hk_xml_get(e, d->version == 2 ? "guid" : "instantiationToken");
  if (!token) return wrong(e, d->version == 2 ? "guid" : "instantiationToken", err);
  d->token = keep(r, token, &lost);
  d->model = keep(r, hk_xml_get(e, "modelName"), &lost);
  return lost ? no_memory(err) : HK_OK;
}

/* Checks the name of a file: it must not refer to another folder. */
static bool is_identifier(const char *text) {
  if (!text || !*text || strlen(text) > 200) return false;
  for (const char *p = text; *p; p++)
    if (!(*p == '_' || (*p >= '0' && *p <= '9') || (*p >= 'a' && *p <= 'z') ||
          (*p >= 'A' && *p <= 'Z')))
      return false;
  return true;
}

static hk_status read_co_simulation(reader *r, const hk_xml_element *e, hk_error *err) {
  hk_fmu_description *d = r->d;
  bool lost = false, two = d->version == 2;
  if (!is_identifier(hk_xml_get(e, "modelIdentifier"))) return wrong(e, "modelIdentifier", err);
  d->co_simulation = true;
  d->identifier = keep(r, hk_xml_get(e, "modelIdentifier"), &lost);
  d->interpolates = two && is_true(e, "canInterpolateInputs");
  d->saves = is_true(e, two ? "canGetAndSetFMUstate" : "canGetAndSetFMUState");
  d->serialises = d->saves && is_true(e, two ? "canSerializeFMUstate" : "canSerializeFMUState");
  d->varies = is_true(e, "canHandleVariableCommunicationStepSize");
  d->needs_tool = is_true(e, "needsExecutionTool");
  return lost ? no_memory(err) : HK_OK;
}

/* ---- units and types ---- */

static hk_status add_unit(reader *r, const hk_xml_element *e, hk_error *err) {
  hk_fmu_description *d = r->d;
  bool lost = false;
  const char *name = hk_xml_get(e, "name");
  if (!name) return wrong(e, "name", err);
  if (!grow(r->arena, (void **)&d->unit, d->n_units, &d->unit_capacity, sizeof *d->unit))
    return no_memory(err);
  r->unit = d->n_units;
  d->unit[d->n_units++] = (hk_fmu_unit){.name = keep(r, name, &lost)};
  return lost ? no_memory(err) : HK_OK;
}

static hk_status read_base_unit(reader *r, const hk_xml_element *e, hk_error *err) {
  static const char *const BASE[] = {"m", "kg", "s", "A", "K", "rad", "mol", "cd"};
  hk_fmu_unit *u = &r->d->unit[r->unit];
  u->si = (hk_unit){.factor = 1};
  u->known = true;
  for (int i = 0; i < 8; i++) {
    const char *text = hk_xml_get(e, BASE[i]);
    double power = 0;
    if (!text) continue;
    if (!real_of(text, &power) || power != floor(power) || fabs(power) > 99)
      return wrong(e, BASE[i], err);
    if (i < HK_DIM_BASES)
      u->si.dim.twelfths[i] = (int16_t)(12 * power);
    else if (power != 0)
      u->known = false;
  }
  const char *factor = hk_xml_get(e, "factor"), *offset = hk_xml_get(e, "offset");
  if (factor && (!real_of(factor, &u->si.factor) || u->si.factor == 0))
    return wrong(e, "factor", err);
  if (offset && !real_of(offset, &u->si.offset)) return wrong(e, "offset", err);
  return HK_OK;
}

static hk_status add_type(reader *r, const hk_xml_element *e, const char *name, hk_error *err) {
  hk_fmu_description *d = r->d;
  bool lost = false;
  if (!name) return wrong(e, "name", err);
  if (!grow(r->arena, (void **)&d->type, d->n_types, &d->type_capacity, sizeof *d->type))
    return no_memory(err);
  d->type[d->n_types++] =
      (hk_fmu_type){keep(r, name, &lost), keep(r, hk_xml_get(e, "unit"), &lost)};
  return lost ? no_memory(err) : HK_OK;
}

/* ---- variables ---- */

/* Element handlers by name; `version` 0: both versions of FMI. */
static const struct {
  const char *name;
  hk_fmu_kind kind;
  int version;
} KIND[] = {{"Real", HK_FMU_FLOAT64, 2},      {"Integer", HK_FMU_INT32, 2},
            {"Boolean", HK_FMU_BOOLEAN, 0},   {"String", HK_FMU_STRING, 0},
            {"Enumeration", HK_FMU_INT32, 2}, {"Float64", HK_FMU_FLOAT64, 3},
            {"Float32", HK_FMU_FLOAT32, 3},   {"Int8", HK_FMU_INT8, 3},
            {"UInt8", HK_FMU_UINT8, 3},       {"Int16", HK_FMU_INT16, 3},
            {"UInt16", HK_FMU_UINT16, 3},     {"Int32", HK_FMU_INT32, 3},
            {"UInt32", HK_FMU_UINT32, 3},     {"Int64", HK_FMU_INT64, 3},
            {"UInt64", HK_FMU_UINT64, 3},     {"Enumeration", HK_FMU_INT64, 3},
            {"Binary", HK_FMU_OTHER, 3},      {"Clock", HK_FMU_OTHER, 3}};

static int kind_of(const char *name, int version) {
  for (size_t i = 0; i < sizeof KIND / sizeof *KIND; i++)
    if ((KIND[i].version == 0 || KIND[i].version == version) && strcmp(KIND[i].name, name) == 0)
      return (int)KIND[i].kind;
  return -1;
}

static hk_fmu_causality causality_of(const char *text) {
  static const char *const NAME[] = {"local", "parameter", "calculatedParameter",
                                     "input", "output",    "independent"};
  for (int i = 0; text && i < 6; i++)
    if (strcmp(text, NAME[i]) == 0) return (hk_fmu_causality)i;
  return text && strcmp(text, "structuralParameter") == 0 ? HK_FMU_PARAMETER : HK_FMU_LOCAL;
}

static hk_status add_variable(reader *r, const hk_xml_element *e, hk_error *err) {
  hk_fmu_description *d = r->d;
  hk_fmu_variable v = {.kind = HK_FMU_OTHER};
  const char *name = hk_xml_get(e, "name"), *variability = hk_xml_get(e, "variability");
  bool lost = false;
  if (!name || !*name) return wrong(e, "name", err);
  if (!reference_of(hk_xml_get(e, "valueReference"), &v.reference))
    return wrong(e, "valueReference", err);
  v.name = keep(r, name, &lost);
  const char *causality = hk_xml_get(e, "causality");
  v.causality = causality_of(causality);
  v.structural = causality && strcmp(causality, "structuralParameter") == 0;
  v.constant = variability && strcmp(variability, "constant") == 0;
  v.continuous = !variability || strcmp(variability, "continuous") == 0;
  if (!grow(r->arena, (void **)&d->variable, d->n, &d->capacity, sizeof v)) return no_memory(err);
  r->variable = d->n;
  d->variable[d->n++] = v;
  return lost ? no_memory(err) : HK_OK;
}

static hk_status read_kind(reader *r, const hk_xml_element *e, hk_error *err) {
  hk_fmu_variable *v = &r->d->variable[r->variable];
  bool lost = false;
  int kind = kind_of(e->name, r->d->version);
  if (kind < 0) return HK_OK; /* annotations */
  v->kind = (hk_fmu_kind)kind;
  v->continuous = v->continuous && v->kind <= HK_FMU_FLOAT32;
  v->unit = keep(r, hk_xml_get(e, "unit"), &lost);
  v->type = keep(r, hk_xml_get(e, "declaredType"), &lost);
  v->start = keep(r, hk_xml_get(e, "start"), &lost);
  return lost ? no_memory(err) : HK_OK;
}

static hk_status read_dimension(reader *r, const hk_xml_element *e, hk_error *err) {
  hk_fmu_variable *v = &r->d->variable[r->variable];
  const char *reference = hk_xml_get(e, "valueReference");
  hk_fmu_dimension dimension = {.by_reference = reference};
  if (v->n_dimensions == HK_FMU_MAX_DIMENSIONS)
    return hk_fail(err, HK_EINPUT, "line %d: '%.60s' has more than %d dimensions", e->line, v->name,
                   HK_FMU_MAX_DIMENSIONS);
  if (reference ? !reference_of(reference, &dimension.reference)
                : !reference_of(hk_xml_get(e, "start"), &dimension.size))
    return wrong(e, reference ? "valueReference" : "start", err);
  v->dimension[v->n_dimensions++] = dimension;
  return HK_OK;
}

static hk_status read_variable(reader *r, const hk_xml_element *e, hk_error *err) {
  bool two = r->d->version == 2;
  if (e->depth == 2 && (two ? strcmp(e->name, "ScalarVariable") == 0 : kind_of(e->name, 3) >= 0)) {
    hk_status status = add_variable(r, e, err);
    return status || two ? status : read_kind(r, e, err);
  }
  if (r->d->n == 0) return HK_OK;
  if (e->depth == 3 && two) return read_kind(r, e, err);
  return e->depth == 3 && strcmp(e->name, "Dimension") == 0 ? read_dimension(r, e, err) : HK_OK;
}

/* ---- all of it ---- */

static hk_status begin(void *context, const hk_xml_element *e, hk_error *err) {
  reader *r = context;
  r->parent[e->depth] = e->name;
  if (e->depth == 0) return read_root(r, e, err);
  const char *section = r->parent[1];
  if (e->depth == 1 && strcmp(section, "CoSimulation") == 0) return read_co_simulation(r, e, err);
  if (e->depth == 1 && strcmp(section, "DefaultExperiment") == 0) {
    const char *step = hk_xml_get(e, "stepSize");
    if (step && (!real_of(step, &r->d->step) || !(r->d->step > 0)))
      return wrong(e, "stepSize", err);
  }
  if (e->depth >= 2 && strcmp(section, "ModelVariables") == 0) return read_variable(r, e, err);
  if (strcmp(section, "UnitDefinitions") == 0) {
    if (e->depth == 2 && strcmp(e->name, "Unit") == 0) return add_unit(r, e, err);
    if (e->depth == 3 && r->d->n_units && strcmp(e->name, "BaseUnit") == 0)
      return read_base_unit(r, e, err);
  }
  if (strcmp(section, "TypeDefinitions") == 0) {
    if (r->d->version == 3 && e->depth == 2) return add_type(r, e, hk_xml_get(e, "name"), err);
    if (e->depth == 2) return add_type(r, e, hk_xml_get(e, "name"), err);
    /* FMI 2.0: the unit is that of the element within SimpleType. */
    if (r->d->version == 2 && e->depth == 3 && r->d->n_types && hk_xml_get(e, "unit")) {
      bool lost = false;
      r->d->type[r->d->n_types - 1].unit = keep(r, hk_xml_get(e, "unit"), &lost);
      return lost ? no_memory(err) : HK_OK;
    }
  }
  return HK_OK;
}

hk_status hk_fmu_description_read(char *text, size_t size, hk_arena *arena, hk_fmu_description *out,
                                  hk_error *err) {
  *out = (hk_fmu_description){0};
  reader r = {.arena = arena, .d = out};
  if (size > HK_FMU_MAX_XML) return hk_fail(err, HK_EINPUT, "it is larger than 64 MiB");
  hk_status status = hk_xml_read(text, size, begin, NULL, &r, err);
  if (!status && !out->co_simulation)
    status = hk_fail(err, HK_EINPUT,
                     "it is not made for co-simulation: only such FMUs can be used in a model");
  return status;
}

int hk_fmu_variable_find(const hk_fmu_description *d, const char *name) {
  for (int i = 0; i < d->n; i++)
    if (strcmp(d->variable[i].name, name) == 0) return i;
  return -1;
}

/* ---- arrays ---- */

/* The value of a structural parameter; NaN: no structural parameter has this reference. */
static double structural_value(const hk_fmu_description *d, uint32_t reference,
                               const hk_fmu_structural *changed, int n_changed) {
  double value = NAN;
  for (int i = 0; i < n_changed; i++)
    if (changed[i].reference == reference) return changed[i].value;
  for (int i = 0; i < d->n; i++)
    if (d->variable[i].structural && d->variable[i].reference == reference)
      return real_of(d->variable[i].start, &value) ? value : NAN;
  return NAN;
}

/* Reads the sizes of an array in all directions. Returns their product, or 0 with a message. */
static int sizes_of(const hk_fmu_description *d, const hk_fmu_variable *v,
                    const hk_fmu_structural *changed, int n_changed, int *size, hk_error *err) {
  double product = 1;
  for (int k = 0; k < v->n_dimensions; k++) {
    const hk_fmu_dimension *m = &v->dimension[k];
    double n = m->by_reference ? structural_value(d, m->reference, changed, n_changed) : m->size;
    if (!(n >= 1 && n <= HK_FMU_MAX_ELEMENTS) || n != floor(n) ||
        (product *= n) > HK_FMU_MAX_ELEMENTS) {
      hk_fail(err, HK_EINPUT, "array '%.80s' of the FMU has no valid size in direction %d", v->name,
              k + 1);
      return 0;
    }
    size[k] = (int)n;
  }
  return (int)product;
}

int hk_fmu_variable_size(const hk_fmu_description *d, const hk_fmu_variable *v,
                         const hk_fmu_structural *changed, int n_changed, hk_error *err) {
  int size[HK_FMU_MAX_DIMENSIONS];
  return sizes_of(d, v, changed, n_changed, size, err);
}

const hk_fmu_variable *hk_fmu_element_find(const hk_fmu_description *d, const char *name,
                                           const hk_fmu_structural *changed, int n_changed,
                                           int *element, hk_error *err) {
  const char *open = strrchr(name, '['), *at = open;
  size_t n = open ? (size_t)(open - name) : 0;
  const hk_fmu_variable *v = NULL;
  int size[HK_FMU_MAX_DIMENSIONS];
  *element = 0;
  for (int i = 0; i < d->n && open && !v; i++)
    if (strncmp(d->variable[i].name, name, n) == 0 && !d->variable[i].name[n]) v = &d->variable[i];
  if (!v || v->n_dimensions == 0)
    return hk_fail(err, HK_EINPUT, "the FMU has no array for '%.80s'", name), NULL;
  if (!sizes_of(d, v, changed, n_changed, size, err)) return NULL;
  for (int k = 0; k < v->n_dimensions; k++) {
    char *end;
    long index = strtol(at + 1, &end, 10);
    if (end == at + 1 || *end != (k + 1 < v->n_dimensions ? ',' : ']') || index < 1 ||
        index > size[k] || (*end == ']' && end[1])) {
      char first[60] = "1", last[60];
      snprintf(last, sizeof last, "%d", size[0]);
      for (int m = 1; m < v->n_dimensions; m++) {
        strcat(first, ",1");
        snprintf(last + strlen(last), sizeof last - strlen(last), ",%d", size[m]);
      }
      hk_fail(
          err, HK_EINPUT,
          "'%.80s' is not an element of the FMU's array, which has the elements %.60s[%s] to [%s]",
          name, v->name, first, last);
      return NULL;
    }
    *element = *element * size[k] + (int)index - 1;
    at = end;
  }
  return v;
}

bool hk_fmu_start_values(const hk_fmu_variable *v, double *value, int n) {
  const char *at = v->start ? v->start : "";
  int found = 0;
  for (char *end; *(at += strspn(at, " \t\r\n")); at = end) {
    bool word = strncmp(at, "true", 4) == 0 || strncmp(at, "false", 5) == 0;
    double x = word ? *at == 't' : hk_number_read(at, &end);
    if (word) end = (char *)(uintptr_t)at + (*at == 't' ? 4 : 5);
    if (end == at || found == n) return false;
    value[found++] = x;
  }
  /* the single value applies to all elements */
  for (int i = 1; i < n && found == 1; i++) value[i] = value[0];
  return found == n || found == 1;
}

/* Units without base units are parsed by their names as units of hooke, with dots allowed as
 * products: "N.m". */
static bool parse_name(const char *name, hk_unit *unit) {
  char text[100];
  size_t n = strlen(name);
  hk_error why;
  if (n == 0 || n >= sizeof text) return false;
  for (size_t i = 0; i <= n; i++) text[i] = name[i] == '.' ? '*' : name[i];
  return hk_unit_parse(text, n, unit, &why) == HK_OK;
}

bool hk_fmu_variable_unit(const hk_fmu_description *d, const hk_fmu_variable *v, hk_unit *unit,
                          const char **name) {
  *name = v->unit;
  for (int i = 0; !*name && v->type && i < d->n_types; i++)
    if (strcmp(d->type[i].name, v->type) == 0) *name = d->type[i].unit;
  if (!*name) return false;
  for (int i = 0; i < d->n_units; i++)
    if (strcmp(d->unit[i].name, *name) == 0 && d->unit[i].known) return *unit = d->unit[i].si, true;
  return parse_name(*name, unit);
}
