/* Systems, components, connectors and connections: see ssp_private.h.  The elements are defined in [SSP 1.0, 2.0,
 * section 5]. */
#include "base/number.h"
#include "import/host.h"
#include "import/ssp_private.h"
#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool ssp_refuse(ssp *s, const char *source, int line, const char *fmt, ...) {
  char text[900];
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(text, sizeof text, fmt, ap);
  va_end(ap);
  if (source && line > 0)
    hk_diag_add(s->diag, HK_ERROR, NULL, "%s: %s, line %d: %s", s->name, source, line, text);
  else if (source)
    hk_diag_add(s->diag, HK_ERROR, NULL, "%s: %s: %s", s->name, source, text);
  else
    hk_diag_add(s->diag, HK_ERROR, NULL, "%s: %s", s->name, text);
  return false;
}

bool ssp_no_memory(ssp *s) {
  s->diag->out_of_memory = true;
  return false;
}

bool ssp_grow(ssp *s, void **array, int n, int *capacity, size_t size, int most) {
  if (n >= most) return ssp_refuse(s, NULL, 0, "the system has more than %d parts or ports", most);
  if (n < *capacity) return true;
  int more = *capacity ? 2 * *capacity : 32;
  void *grown = hk_arena_alloc(&s->arena, (size_t)more * size);
  if (!grown) return ssp_no_memory(s);
  if (n) memcpy(grown, *array, (size_t)n * size);
  *array = grown;
  *capacity = more;
  return true;
}

bool ssp_number(const char *text, double *out) {
  char *end;
  if (!text || !*text || strchr(text, ',')) return false;
  *out = hk_number_read(text, &end);
  while (*end == ' ') end++;
  return end != text && !*end && isfinite(*out);
}

/* ---- files of the archive ---- */

static int hex(char c) {
  return isdigit((unsigned char)c)    ? c - '0'
         : isxdigit((unsigned char)c) ? (c | 32) - 'a' + 10
                                      : -1;
}

/* Removes the last part of a path: "a/b/c" becomes "a/b/". */
static void to_folder(char *path) {
  char *slash = strrchr(path, '/');
  *(slash ? slash + 1 : path) = '\0';
}

const char *ssp_resolve(ssp *s, const char *base, int line, const char *reference) {
  size_t room = strlen(base) + strlen(reference) + 2;
  char *path = hk_arena_alloc(&s->arena, room), *part;
  if (!path) return ssp_no_memory(s), NULL;
  const char *colon = strchr(reference, ':'), *slash = strchr(reference, '/');
  if (reference[0] == '/' || (colon && (!slash || colon < slash))) {
    ssp_refuse(s, base, line, "'%.200s' is not in the archive: only relative names are read",
               reference);
    return NULL;
  }
  snprintf(path, room, "%s", base);
  to_folder(path);
  for (const char *at = reference; *at;) {
    size_t n = strcspn(at, "/");
    if (n == 2 && strncmp(at, "..", 2) == 0) {
      if (!*path) {
        ssp_refuse(s, base, line, "'%.200s' is outside of the archive", reference);
        return NULL;
      }
      path[strlen(path) - 1] = '\0';
      to_folder(path);
    } else if (!(n == 1 && *at == '.')) {
      part = path + strlen(path);
      for (size_t i = 0; i < n; i++) {
        bool coded = at[i] == '%' && i + 2 < n && hex(at[i + 1]) >= 0 && hex(at[i + 2]) >= 0;
        *part++ = coded ? (char)(16 * hex(at[i + 1]) + hex(at[i + 2])) : at[i];
        if (coded) i += 2;
      }
      if (at[n] == '/') *part++ = '/';
      *part = '\0';
    }
    at += n + (at[n] == '/');
  }
  if (hk_archive_find(s->archive, path)) return path;
  ssp_refuse(s, base, line, "the archive has no file '%.200s'", path);
  return NULL;
}

static const hk_xml_node *open_file(ssp *s, const char *name) {
  if (s->n_files++ == SSP_MAX_FILES)
    return ssp_refuse(s, name, 0, "more than %d files are read", SSP_MAX_FILES), NULL;
  const hk_archive_entry *e = hk_archive_find(s->archive, name);
  unsigned char *bytes = NULL;
  hk_error err = {0};
  hk_xml_node *root = NULL;
  hk_status status = e->size <= HK_FMU_MAX_XML
                         ? hk_archive_read(s->archive, e, &bytes, &err)
                         : hk_fail(&err, HK_EINPUT, "it is larger than 64 MiB");
  char *text = status ? NULL : hk_arena_strndup(&s->arena, (char *)bytes, e->size);
  if (!status && strlen((char *)bytes) != e->size)
    status = hk_fail(&err, HK_EINPUT, "it contains a zero byte");
  free(bytes);
  if (!status && !text) return ssp_no_memory(s), NULL;
  if (!status) status = hk_xml_tree_read(text, e->size, &s->arena, &root, &err);
  if (status == HK_ENOMEM) return ssp_no_memory(s), NULL;
  if (status) ssp_refuse(s, name, 0, "%s", err.text);
  return status ? NULL : root;
}

const hk_xml_node *ssp_open(ssp *s, const char *base, int line, const char *reference,
                            const char **name) {
  *name = ssp_resolve(s, base, line, reference);
  return *name ? open_file(s, *name) : NULL;
}

/* ---- units ---- */

bool ssp_unit(const hk_xml_node *units, const char *name, hk_unit *unit) {
  static const char *const BASE[] = {"m", "kg", "s", "A", "K", "rad", "mol", "cd"};
  for (const hk_xml_node *u = units ? units->first : NULL; u && name; u = u->next) {
    const char *own = hk_xml_value(u, "name");
    const hk_xml_node *base = hk_xml_child(u, "BaseUnit");
    if (!own || strcmp(own, name) != 0 || !base) continue;
    *unit = (hk_unit){.factor = 1};
    for (int i = 0; i < 8; i++) {
      double power = 0;
      const char *text = hk_xml_value(base, BASE[i]);
      if (text && (!ssp_number(text, &power) || power != floor(power) || fabs(power) > 99))
        return false;
      if (i < HK_DIM_BASES)
        unit->dim.twelfths[i] = (int16_t)(12 * power);
      else if (power != 0)
        return false;
    }
    const char *factor = hk_xml_value(base, "factor"), *offset = hk_xml_value(base, "offset");
    if (factor && (!ssp_number(factor, &unit->factor) || unit->factor == 0)) return false;
    return !offset || ssp_number(offset, &unit->offset);
  }
  return false;
}

/* ---- parts ---- */

int ssp_find_part(const ssp *s, int system, const char *name) {
  for (int i = 0; i < s->n_parts; i++)
    if (s->part[i].parent == system && strcmp(s->part[i].name, name) == 0) return i;
  return -1;
}

static int add_part(ssp *s, ssp_part part) {
  if (part.parent >= 0 && ssp_find_part(s, part.parent, part.name) >= 0)
    return ssp_refuse(s, part.source, part.node->line, "two elements have the name '%.80s'",
                      part.name),
           -1;
  if (!ssp_grow(s, (void **)&s->part, s->n_parts, &s->part_capacity, sizeof part, SSP_MAX_PARTS))
    return -1;
  s->part[s->n_parts] = part;
  return s->n_parts++;
}

static bool read_fmu(ssp *s, ssp_part *part, const char *reference) {
  const int line = part->node->line;
  part->file = ssp_resolve(s, part->source, line, reference);
  if (!part->file) return false;
  for (int i = 0; i < s->n_parts && !part->fmu; i++)
    if (s->part[i].fmu && strcmp(s->part[i].file, part->file) == 0) part->fmu = s->part[i].fmu;
  if (part->fmu) return true;
  part->fmu = HK_NEW(&s->arena, hk_fmu_description);
  if (!part->fmu) return ssp_no_memory(s);
  const hk_archive_entry *e = hk_archive_find(s->archive, part->file);
  unsigned char *bytes = NULL;
  hk_archive inner = {0};
  hk_error err = {0};
  hk_status status = hk_archive_read(s->archive, e, &bytes, &err);
  if (!status) {
    status = hk_archive_of(&inner, bytes, e->size, &err);
    if (!status) status = hk_fmu_read_archive(&inner, &s->arena, part->fmu, &err);
    hk_archive_close(&inner);
  }
  free(bytes);
  if (status == HK_ENOMEM) return ssp_no_memory(s);
  return !status || ssp_refuse(s, part->source, line, "component '%.80s', %.200s: %s", part->name,
                               part->file, err.text);
}

static bool read_system(ssp *s, ssp_part part, int depth);

/* Reads a component: an FMU, or a system in a separate file. */
static bool read_component(ssp *s, ssp_part part, int depth) {
  const char *type = hk_xml_value(part.node, "type"),
             *reference = hk_xml_value(part.node, "source");
  const int line = part.node->line;
  if (!reference || !*reference)
    return ssp_refuse(s, part.source, line, "component '%.80s' has no source", part.name);
  if (type && strcmp(type, "application/x-ssp-definition") == 0) {
    const char *name;
    const hk_xml_node *root = ssp_open(s, part.source, line, reference, &name);
    if (!root) return false;
    const hk_xml_node *system = hk_xml_child(root, "System");
    if (!system) return ssp_refuse(s, name, root->line, "there is no System in it");
    part.component = part.node;
    part.node = system;
    part.units = hk_xml_child(root, "Units");
    part.source = name;
    return read_system(s, part, depth + 1);
  }
  if (type && strcmp(type, "application/x-fmu-sharedlibrary") != 0)
    return ssp_refuse(s, part.source, line,
                      "component '%.80s' is of the type '%.80s'; FMUs and systems in .ssd files "
                      "can be read",
                      part.name, type);
  part.kind = SSP_FMU;
  return read_fmu(s, &part, reference) && add_part(s, part) >= 0;
}

static bool read_element(ssp *s, const char *source, const hk_xml_node *node,
                         const hk_xml_node *units, int system, int depth) {
  const char *name = hk_xml_value(node, "name");
  ssp_part part = {.name = name, .parent = system, .node = node, .units = units, .source = source};
  bool is_system = strcmp(node->name, "System") == 0,
       is_component = strcmp(node->name, "Component") == 0,
       is_dictionary = strcmp(node->name, "SignalDictionaryReference") == 0;
  if (!is_system && !is_component && !is_dictionary) return true;
  if (!name || !*name)
    return ssp_refuse(s, source, node->line, "an element of the system has no name");
  if (is_system) return read_system(s, part, depth + 1);
  if (is_component) return read_component(s, part, depth);
  part.kind = SSP_DICTIONARY;
  return add_part(s, part) >= 0;
}

/* ---- ports ---- */

/* Finds the signal dictionary to which a reference refers. All references to a dictionary have the same signals. The
 * systems around the reference are searched from the inside out. */
static int dictionary_of(const ssp *s, int part) {
  const ssp_part *p = &s->part[part];
  const char *name = hk_xml_value(p->node, "dictionary");
  for (int system = p->parent; name && system >= 0; system = s->part[system].parent) {
    const hk_xml_node *all = hk_xml_child(s->part[system].node, "SignalDictionaries");
    for (const hk_xml_node *d = all ? all->first : NULL; d; d = d->next) {
      const char *own = hk_xml_value(d, "name");
      if (!own || strcmp(own, name) != 0) continue;
      for (int i = 0; i < s->n_parts;
           i++) { /* all references to a dictionary use the ports of the first reference */
        const ssp_part *q = &s->part[i];
        const char *other = q->kind == SSP_DICTIONARY ? hk_xml_value(q->node, "dictionary") : NULL;
        if (!other || strcmp(other, name) != 0) continue;
        for (int k = q->parent; k >= 0; k = s->part[k].parent)
          if (k == system) return i;
      }
    }
  }
  return -1;
}

static const hk_xml_node *find_connector(const ssp_part *part, const char *name) {
  const hk_xml_node *all = hk_xml_child(part->node, "Connectors");
  for (const hk_xml_node *c = all ? all->first : NULL; c; c = c->next) {
    const char *own = hk_xml_value(c, "name");
    if (own && strcmp(own, name) == 0) return c;
  }
  return NULL;
}

static bool read_unit(const ssp_part *part, ssp_port *p, const hk_xml_node *connector) {
  const char *unit = NULL;
  p->carried = p->variable && hk_fmu_variable_unit(part->fmu, p->variable, &p->unit, &unit);
  if (p->carried) return true;
  for (const hk_xml_node *type = connector ? connector->first : NULL; type; type = type->next)
    if (hk_xml_value(type, "unit")) unit = hk_xml_value(type, "unit");
  bool found = unit && ssp_unit(part->units, unit, &p->unit);
  p->carried = found && !p->variable;
  return found;
}

int ssp_port_of(ssp *s, int part, const char *name) {
  if (s->part[part].kind == SSP_DICTIONARY && (part = dictionary_of(s, part)) < 0) return -1;
  const ssp_part *q = &s->part[part];
  for (int i = 0; i < s->n_ports; i++)
    if (s->port[i].part == part && strcmp(s->port[i].name, name) == 0) return i;
  const hk_xml_node *connector = find_connector(q, name);
  ssp_port p = {.part = part,
                .name = name,
                .kind = hk_xml_value(connector, "kind"),
                .line = connector ? connector->line : q->node->line,
                .source = q->source,
                .first_wire = -1,
                .mark = -1};
  if (q->kind == SSP_FMU) {
    int i = hk_fmu_variable_find(q->fmu, name);
    if (i < 0) return -1;
    p.variable = &q->fmu->variable[i];
  } else if (q->kind == SSP_SYSTEM && !connector) {
    return -1;
  }
  p.has_unit = read_unit(q, &p, connector);
  if (!ssp_grow(s, (void **)&s->port, s->n_ports, &s->port_capacity, sizeof p, SSP_MAX_PORTS))
    return -1;
  s->port[s->n_ports] = p;
  return s->n_ports++;
}

/* ---- connections ---- */

bool ssp_transformation(ssp *s, const char *source, const hk_xml_node *node, double *factor,
                        double *offset) {
  *factor = 1;
  *offset = 0;
  for (const hk_xml_node *t = node->first; t; t = t->next) {
    if (!strstr(t->name, "Transformation")) continue;
    if (strcmp(t->name, "LinearTransformation") != 0)
      return ssp_refuse(s, source, t->line, "a %.60s is not supported: only linear ones are",
                        t->name);
    const char *f = hk_xml_value(t, "factor"), *o = hk_xml_value(t, "offset");
    if ((f && !ssp_number(f, factor)) || (o && !ssp_number(o, offset)))
      return ssp_refuse(s, source, t->line, "factor or offset is not a number");
  }
  return true;
}

/* Returns the port at one end of a connection; -1 with an error. */
static int read_end(ssp *s, const char *source, const hk_xml_node *node, int system,
                    const char *end) {
  char key[40];
  snprintf(key, sizeof key, "%sElement", end);
  const char *element = hk_xml_value(node, key);
  snprintf(key, sizeof key, "%sConnector", end);
  const char *connector = hk_xml_value(node, key);
  snprintf(key, sizeof key, "%sIndices", end);
  if (hk_xml_value(node, key))
    return ssp_refuse(s, source, node->line,
                      "connections of single elements of arrays (%s) are "
                      "not supported",
                      key),
           -1;
  if (!connector)
    return ssp_refuse(s, source, node->line, "a connection has no %sConnector", end), -1;
  int part = element ? ssp_find_part(s, system, element) : system;
  if (part < 0)
    return ssp_refuse(s, source, node->line, "the system has no element '%.80s'", element), -1;
  int port = ssp_port_of(s, part, connector);
  if (port < 0 && !s->diag->out_of_memory)
    ssp_refuse(s, source, node->line, "'%.80s' has no connector or variable '%.80s'",
               s->part[part].name, connector);
  return port;
}

static bool add_wire(ssp *s, int from, ssp_wire wire) {
  if (!ssp_grow(s, (void **)&s->wire, s->n_wires, &s->wire_capacity, sizeof wire,
                2 * SSP_MAX_PORTS))
    return false;
  wire.next = s->port[from].first_wire;
  s->port[from].first_wire = s->n_wires;
  s->wire[s->n_wires++] = wire;
  return true;
}

static bool read_connection(ssp *s, const char *source, const hk_xml_node *node, int system) {
  int a = read_end(s, source, node, system, "start"), b = read_end(s, source, node, system, "end");
  const char *raw = hk_xml_value(node, "suppressUnitConversion");
  ssp_wire wire = {.raw = raw && (strcmp(raw, "true") == 0 || strcmp(raw, "1") == 0)};
  if (a < 0 || b < 0 || !ssp_transformation(s, source, node, &wire.factor, &wire.offset))
    return false;
  if (a == b) return ssp_refuse(s, source, node->line, "a connector is connected to itself");
  s->n_connections++;
  wire.to = b;
  if (!add_wire(s, a, wire)) return false;
  wire.to = a;
  return add_wire(s, b, wire);
}

/* ---- systems ---- */

static bool read_system(ssp *s, ssp_part part, int depth) {
  part.kind = SSP_SYSTEM;
  if (depth > SSP_MAX_DEPTH)
    return ssp_refuse(s, part.source, part.node->line, "systems are nested more than %d times",
                      SSP_MAX_DEPTH);
  int self = add_part(s, part);
  if (self < 0) return false;
  const hk_xml_node *elements = hk_xml_child(part.node, "Elements"),
                    *connections = hk_xml_child(part.node, "Connections");
  bool fine = true;
  /* Errors within nested systems are reported by one message per system. */
  for (const hk_xml_node *e = elements ? elements->first : NULL; e && (fine || depth == 0);
       e = e->next)
    fine = read_element(s, part.source, e, part.units, self, depth) && fine;
  for (const hk_xml_node *c = connections ? connections->first : NULL; c && fine; c = c->next)
    if (strcmp(c->name, "Connection") == 0) fine = read_connection(s, part.source, c, self);
  return fine;
}

bool ssp_read(ssp *s, const char *file) {
  if (!hk_archive_find(s->archive, file))
    return ssp_refuse(s, NULL, 0, "it has no %s: it is not a system of FMUs (SSP)", file);
  const hk_xml_node *root = open_file(s, file);
  if (!root) return false;
  const char *version = hk_xml_value(root, "version");
  if (strcmp(root->name, "SystemStructureDescription") != 0)
    return ssp_refuse(s, file, root->line, "its root element is not SystemStructureDescription");
  if (!version || (strcmp(version, "1.0") != 0 && strcmp(version, "2.0") != 0))
    return ssp_refuse(s, file, root->line, "it is for SSP %.20s; 1.0 and 2.0 can be read",
                      version ? version : "without a version");
  const hk_xml_node *system = hk_xml_child(root, "System"),
                    *experiment = hk_xml_child(root, "DefaultExperiment");
  if (!system) return ssp_refuse(s, file, root->line, "there is no System in it");
  s->title = hk_xml_value(root, "name");
  s->start = s->stop = NAN;
  const char *start = hk_xml_value(experiment, "startTime"),
             *stop = hk_xml_value(experiment, "stopTime");
  if ((start && !ssp_number(start, &s->start)) || (stop && !ssp_number(stop, &s->stop)))
    return ssp_refuse(s, file, experiment->line, "startTime or stopTime is not a number");
  const char *name = hk_xml_value(system, "name");
  return read_system(s,
                     (ssp_part){.name = name ? name : "system",
                                .parent = -1,
                                .node = system,
                                .units = hk_xml_child(root, "Units"),
                                .source = file},
                     0);
}
