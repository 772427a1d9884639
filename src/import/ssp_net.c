/* Finds the source that drives a port: see ssp_private.h.
 *
 * Connections between systems do not define the direction in which a value is passed. The search begins at a driven
 * port and ends at the only source of this port. On the way, the search passes connectors of inner systems and entries
 * of signal dictionaries, which do not change the value. Units and transformations are then applied in the order of
 * the flow. */
#include "import/ssp_private.h"
#include <stdlib.h>
#include <string.h>

static bool is_outermost(const ssp *s, const ssp_port *p) {
  const ssp_part *q = &s->part[p->part];
  return q->kind == SSP_SYSTEM && q->parent < 0;
}

static bool has_kind(const ssp_port *p, const char *const *kind) {
  for (; *kind; kind++)
    if (p->kind && strcmp(p->kind, *kind) == 0) return true;
  return false;
}

bool ssp_is_source(const ssp *s, const ssp_port *p) {
  static const char *const from_outside[] = {"input", "parameter", "structuralParameter", NULL};
  if (p->variable)
    return p->variable->constant ||
           (p->variable->causality != HK_FMU_INPUT && p->variable->causality != HK_FMU_PARAMETER);
  return is_outermost(s, p) && has_kind(p, from_outside);
}

bool ssp_is_sink(const ssp *s, const ssp_port *p) {
  static const char *const to_outside[] = {"output", "local", "calculatedParameter", "constant",
                                           NULL};
  return p->variable ? !ssp_is_source(s, p) : is_outermost(s, p) && has_kind(p, to_outside);
}

static const char *part_name(const ssp *s, int port) { return s->part[s->port[port].part].name; }

/* Adds one connection to the conversion of the value from its source, in the direction in which the value is passed:
 * converts to the unit of the port `to`, and applies factor and offset of the connection. */
static bool convert(ssp *s, const ssp_port *to, const ssp_wire *w, bool *known, hk_unit *unit,
                    ssp_driver *d) {
  double factor = 1, offset = 0;
  if (to->has_unit && *known && !w->raw) {
    if (!hk_dim_matches(unit->dim, to->unit.dim))
      return ssp_refuse(s, to->source, to->line,
                        "the units of '%.80s' of '%.80s' and of what is connected to it do not fit",
                        to->name, s->part[to->part].name);
    bool same = unit->factor == to->unit.factor && unit->offset == to->unit.offset;
    factor = same ? 1 : unit->factor / to->unit.factor;
    offset = same ? 0 : (unit->offset - to->unit.offset) / to->unit.factor;
  }
  if (to->has_unit) *unit = to->unit;
  *known = to->has_unit || (*known && !w->raw);
  d->factor *= factor;
  d->offset = d->offset * factor + offset;
  d->factor *= w->factor;
  d->offset = d->offset * w->factor + w->offset;
  return true;
}

/* For each port: the port that the search visited before it, and the connection between the two ports. */
typedef struct step {
  int port, before, wire;
} step;

/* Follows the value from the source, which is at the end of the search, to the driven port. */
static bool follow(ssp *s, const step *visited, int at, ssp_driver *out) {
  const ssp_port *source = &s->port[visited[at].port];
  hk_unit unit = source->unit;
  bool known = source->has_unit;
  out->port = visited[at].port;
  for (; visited[at].before >= 0; at = visited[at].before)
    if (!convert(s, &s->port[visited[visited[at].before].port], &s->wire[visited[at].wire], &known,
                 &unit, out))
      return false;
  return true;
}

/* visited: scratch memory, one entry per port. */
static bool search(ssp *s, int port, step *visited, ssp_driver *out) {
  int n = 1, source = -1, constant = -1;
  visited[0] = (step){port, -1, -1};
  s->port[port].mark = port;
  for (int at = 0; at < n; at++) {
    const ssp_port *p = &s->port[visited[at].port];
    if (at > 0 && ssp_is_source(s, p)) {
      if (source >= 0)
        return ssp_refuse(s, s->port[port].source, s->port[port].line,
                          "'%.80s' of '%.80s' is driven by '%.80s' of '%.80s' and by '%.80s' of "
                          "'%.80s'",
                          s->port[port].name, part_name(s, port), p->name,
                          part_name(s, visited[at].port), s->port[visited[source].port].name,
                          part_name(s, visited[source].port));
      source = at;
    }
    bool passes = !ssp_is_source(s, p) && !ssp_is_sink(s, p);
    if (passes && p->has_value && constant < 0) constant = at;
    if (at > 0 && !passes) continue;
    for (int w = p->first_wire; w >= 0; w = s->wire[w].next) {
      int to = s->wire[w].to;
      if (s->port[to].mark == port) continue;
      s->port[to].mark = port;
      visited[n++] = (step){to, at, w};
    }
  }
  if (source >= 0) {
    out->kind = SSP_SIGNAL;
    return follow(s, visited, source, out);
  }
  if (constant < 0) return true;
  out->kind = SSP_CONSTANT;
  return follow(s, visited, constant, out);
}

bool ssp_find_driver(ssp *s, int port, ssp_driver *out) {
  *out = (ssp_driver){.port = -1, .factor = 1};
  step *visited = malloc((size_t)s->n_ports * sizeof *visited);
  if (!visited) return ssp_no_memory(s);
  for (int i = 0; i < s->n_ports; i++) s->port[i].mark = -1;
  bool fine = search(s, port, visited, out);
  free(visited);
  return fine;
}
