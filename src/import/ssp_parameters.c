/* Parameter sets of systems and components: see ssp_private.h.  The elements are defined in [SSP 1.0, 2.0, sections
 * 5.4 to 7]. */
#include "base/number.h"
#include "import/ssp_private.h"
#include <math.h>
#include <string.h>

/* Reads numbers separated by blanks, or "true" and "false". */
static bool read_numbers(ssp *s, const char *text, ssp_value *out) {
  int n = 0, room = 1;
  for (const char *c = text; *c; c++) room += *c == ' ';
  double *number = HK_NEW_ARRAY(&s->arena, double, room);
  if (!number) return ssp_no_memory(s);
  for (const char *at = text; *(at += strspn(at, " "));) {
    size_t length = strcspn(at, " ");
    char *end = NULL;
    bool is_true = length == 4 && strncmp(at, "true", 4) == 0,
         is_false = length == 5 && strncmp(at, "false", 5) == 0;
    double x = is_true || is_false ? is_true : hk_number_read(at, &end);
    if ((end && end != at + length) || !isfinite(x) || n == room) return false;
    number[n++] = x;
    at += length;
  }
  out->number = number;
  out->n = n;
  return n > 0;
}

/* Sets the value of all variables and connectors with this name, in the part and in its inner parts. */
static void assign(ssp *s, int part, const char *name, const ssp_value *value) {
  if (s->part[part].kind == SSP_DICTIONARY) return;
  int port = ssp_port_of(s, part, name);
  if (port >= 0) {
    s->port[port].value = *value;
    s->port[port].has_value = true;
  }
  for (int i = 0; i < s->n_parts && s->part[part].kind == SSP_SYSTEM; i++) {
    const char *own = s->part[i].name;
    size_t n = strlen(own);
    if (s->part[i].parent == part && strncmp(name, own, n) == 0 && name[n] == '.')
      assign(s, i, name + n + 1, value);
  }
}

/* The names to which a mapping maps this name; without a mapping the name itself. */
static bool assign_mapped(ssp *s, int part, const hk_xml_node *mapping, const char *source,
                          const char *name, ssp_value value) {
  if (!mapping) return assign(s, part, name, &value), true;
  for (const hk_xml_node *e = mapping->first; e; e = e->next) {
    const char *from = hk_xml_value(e, "source"), *to = hk_xml_value(e, "target"),
               *raw = hk_xml_value(e, "suppressUnitConversion");
    if (strcmp(e->name, "MappingEntry") != 0 || !from || strcmp(from, name) != 0) continue;
    if (!to) return ssp_refuse(s, source, e->line, "a mapping of '%.80s' has no target", name);
    if (!ssp_transformation(s, source, e, &value.factor, &value.offset)) return false;
    if (raw && (strcmp(raw, "true") == 0 || strcmp(raw, "1") == 0)) value.has_unit = false;
    assign(s, part, to, &value);
  }
  return true;
}

static bool apply_parameter(ssp *s, int part, const hk_xml_node *parameter,
                            const hk_xml_node *units, const hk_xml_node *mapping,
                            const char *prefix, const char *source) {
  const char *name = hk_xml_value(parameter, "name");
  const hk_xml_node *type = parameter->first;
  ssp_value value = {.factor = 1};
  while (type && !hk_xml_value(type, "value")) type = type->next;
  if (!name || !type)
    return ssp_refuse(s, source, parameter->line, "a parameter has no name or no value");
  if (strcmp(type->name, "String") == 0 || strcmp(type->name, "Binary") == 0 ||
      strcmp(type->name, "Enumeration") == 0) {
    hk_diag_add(s->diag, HK_WARNING, NULL,
                "%s: %s, line %d: parameter '%.80s' is ignored, because it is not a number (%s)",
                s->name, source, parameter->line, name, type->name);
    return true;
  }
  if (!read_numbers(s, hk_xml_value(type, "value"), &value))
    return s->diag->out_of_memory
               ? false
               : ssp_refuse(s, source, type->line, "the value of parameter '%.80s' is not a number",
                            name);
  value.has_unit = ssp_unit(units, hk_xml_value(type, "unit"), &value.unit);
  const char *full = *prefix ? hk_arena_printf(&s->arena, "%s%s", prefix, name) : name;
  if (!full) return ssp_no_memory(s);
  return assign_mapped(s, part, mapping, source, full, value);
}

/* Returns the root of a parameter set or mapping, which is in a separate file or within the element `inner` of the
 * binding. */
static const hk_xml_node *find_root(ssp *s, const hk_xml_node *node, const hk_xml_node *inner,
                                    const char *base, const char **source) {
  const char *reference = hk_xml_value(node, "source"), *of = hk_xml_value(node, "sourceBase");
  *source = base;
  if (!reference || !*reference) return inner;
  if (of && strcmp(of, "SSD") != 0)
    return ssp_refuse(s, base, node->line, "files within components are not read (sourceBase)"),
           NULL;
  return ssp_open(s, base, node->line, reference, source);
}

static bool apply_binding(ssp *s, int part, const hk_xml_node *binding, const char *base) {
  const hk_xml_node *map = hk_xml_child(binding, "ParameterMapping"), *mapping = NULL;
  const char *type = hk_xml_value(binding, "type"), *prefix = hk_xml_value(binding, "prefix"),
             *source, *unused;
  if (type && strcmp(type, "application/x-ssp-parameter-set") != 0)
    return ssp_refuse(s, base, binding->line, "parameters of the type '%.80s' cannot be read",
                      type);
  const hk_xml_node *set =
      find_root(s, binding, hk_xml_child(hk_xml_child(binding, "ParameterValues"), "ParameterSet"),
                base, &source);
  if (!set)
    return s->diag->n_errors || s->diag->out_of_memory
               ? false
               : ssp_refuse(s, base, binding->line, "a parameter binding has no parameter set");
  if (map) {
    mapping = find_root(s, map, hk_xml_child(map, "ParameterMapping"), base, &unused);
    if (!mapping) return ssp_refuse(s, base, map->line, "a parameter mapping has no entries");
  }
  const hk_xml_node *all = hk_xml_child(set, "Parameters");
  for (const hk_xml_node *p = all ? all->first : NULL; p; p = p->next)
    if (strcmp(p->name, "Parameter") == 0 &&
        !apply_parameter(s, part, p, hk_xml_child(set, "Units"), mapping, prefix ? prefix : "",
                         source))
      return false;
  return true;
}

static bool apply_all(ssp *s, int part, const hk_xml_node *node, const char *base) {
  const hk_xml_node *all = hk_xml_child(node, "ParameterBindings");
  for (const hk_xml_node *b = all ? all->first : NULL; b; b = b->next)
    if (strcmp(b->name, "ParameterBinding") == 0 && !apply_binding(s, part, b, base)) return false;
  return true;
}

/* Inner parts follow outer parts in the array. The loop runs backwards, so that outer values
 * replace inner ones. */
bool ssp_apply_parameters(ssp *s) {
  for (int i = s->n_parts - 1; i >= 0; i--) {
    const ssp_part *p = &s->part[i];
    if (!apply_all(s, i, p->node, p->source)) return false;
    if (p->component && !apply_all(s, i, p->component, s->part[p->parent].source)) return false;
  }
  return true;
}
