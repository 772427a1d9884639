/* The model file of a system: see ssp_private.h. */
#include "base/number.h"
#include "base/safe_text.h"
#include "import/ssp_private.h"
#include <ctype.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* If an array output has more elements than this, its elements are omitted, unless all outputs must be listed by
 * name. */
enum { MOST_ELEMENTS = 100 };

typedef struct writer {
  ssp *s;
  FILE *out;
  hk_ssp_counts counts;
  bool fine;
} writer;

/* ---- texts ---- */

static const char *number_text(double x, char buffer[HK_NUMBER_SIZE]) {
  hk_number_exact(x, buffer);
  return buffer;
}

/* Makes a name that expressions can use: letters, digits and underscores, different from all earlier names of the
 * system. */
static const char *plain_name(ssp *s, const char *name) {
  char *out = hk_arena_printf(&s->arena, "%s%.60s", isdigit((unsigned char)*name) ? "_" : "", name);
  for (char *at = out; at && *at; at++)
    if (!isalnum((unsigned char)*at)) *at = '_';
  if (!out) ssp_no_memory(s);
  return out;
}

/* ---- names ---- */

static bool is_item(const ssp *s, const char *name, int before) {
  for (int i = 0; i < before; i++)
    if (s->part[i].item && strcmp(s->part[i].item, name) == 0) return true;
  return false;
}

/* Makes a name such as "drive_motor" for the FMU motor in the system drive. */
static bool name_items(ssp *s) {
  for (int i = 0; i < s->n_parts; i++) {
    ssp_part *p = &s->part[i];
    const char *name = plain_name(s, p->name);
    if (p->kind != SSP_FMU) continue;
    for (int k = p->parent; name && k >= 0 && s->part[k].parent >= 0; k = s->part[k].parent) {
      const char *outer = plain_name(s, s->part[k].name);
      name = outer ? hk_arena_printf(&s->arena, "%s_%s", outer, name) : NULL;
    }
    const char *first = name;
    for (int n = 2; name && is_item(s, name, i); n++)
      name = hk_arena_printf(&s->arena, "%s_%d", first, n);
    if (!name) return ssp_no_memory(s);
    p->item = name;
  }
  return true;
}

/* Makes a name for a connector of the outermost system as an item of the model; no FMU has this name. */
static const char *outer_name(ssp *s, const ssp_port *p) {
  const char *name = plain_name(s, p->name);
  bool taken = name && is_item(s, name, s->n_parts);
  for (int i = 0; name && !taken && &s->port[i] != p; i++)
    taken = s->port[i].part == p->part && strcmp(s->port[i].name, p->name) != 0 &&
            strcmp(plain_name(s, s->port[i].name), name) == 0;
  return taken ? hk_arena_printf(&s->arena, "%s_of_system", name) : name;
}

static int size_of(const ssp *s, const ssp_port *p) {
  return hk_fmu_variable_size(s->part[p->part].fmu, p->variable, NULL, 0, NULL);
}

/* Writes the index of an element of an array: "[2]" or "[1,2]". */
static void element_text(const ssp *s, const ssp_port *p, int element, char *out, size_t size) {
  const hk_fmu_variable *v = p->variable;
  char rest[60] = "]";
  for (int k = v->n_dimensions - 1; k >= 0; k--) {
    hk_fmu_variable one = *v;
    char text[60];
    one.n_dimensions = 1, one.dimension[0] = v->dimension[k];
    int n = hk_fmu_variable_size(s->part[p->part].fmu, &one, NULL, 0, NULL);
    snprintf(text, sizeof text, "%c%d%.40s", k ? ',' : '[', element % n + 1, rest);
    snprintf(rest, sizeof rest, "%s", text);
    element /= n;
  }
  snprintf(out, size, "%s", rest);
}

static bool is_plain(const char *name) {
  if (!isalpha((unsigned char)*name) && *name != '_') return false;
  while (isalnum((unsigned char)*name) || *name == '_') name++;
  return !*name;
}

/* Returns true if all outputs of an FMU can be used by their names, so that no list of outputs is needed. */
static bool has_plain_outputs(const ssp *s, int part) {
  const hk_fmu_description *d = s->part[part].fmu;
  for (int i = 0; i < d->n; i++) {
    const hk_fmu_variable *v = &d->variable[i];
    if (v->causality == HK_FMU_OUTPUT && v->kind < HK_FMU_N_NUMBERS &&
        (!is_plain(v->name) || v->n_dimensions))
      return false;
  }
  for (int i = 0; i < s->n_ports; i++)
    if (s->port[i].part == part && s->port[i].used &&
        s->port[i].variable->causality != HK_FMU_OUTPUT)
      return false;
  return true;
}

/* Returns true if another output of the FMU has the same name after dots and brackets are replaced. */
static bool is_ambiguous(const ssp *s, int part, const hk_fmu_variable *v) {
  const hk_fmu_description *d = s->part[part].fmu;
  for (int i = 0; i < d->n; i++) {
    const char *a = d->variable[i].name, *b = v->name;
    if (&d->variable[i] == v || d->variable[i].causality != HK_FMU_OUTPUT) continue;
    for (; *a && *b && (*a == *b || (!isalnum((unsigned char)*a) && !isalnum((unsigned char)*b)));
         a++)
      b++;
    if (!*a && !*b) return true;
  }
  return v->causality != HK_FMU_OUTPUT;
}

/* The name of an output in the model file: "w", or "shaft_w" if outputs are listed by name; the value reference is
 * appended if this name is not unique. */
static void output_name(const ssp *s, int part, const hk_fmu_variable *v, int element, char *out,
                        size_t size) {
  if (has_plain_outputs(s, part)) {
    snprintf(out, size, "%s", v->name);
    return;
  }
  size_t n = 0;
  if (isdigit((unsigned char)v->name[0])) out[n++] = '_';
  for (const char *at = v->name; *at && n + 30 < size; at++)
    out[n++] = isalnum((unsigned char)*at) ? *at : '_';
  out[n] = '\0';
  if (!is_plain(v->name) && is_ambiguous(s, part, v))
    n += (size_t)snprintf(out + n, size - n, "_%u", v->reference);
  if (v->n_dimensions) snprintf(out + n, size - n, "_%d", element + 1);
}

/* ---- expressions ---- */

/* The value of the source as an expression: its name, and whether the value has a dimension. */
static void source_text(ssp *s, const ssp_port *p, int element, char *out, size_t size) {
  if (p->variable) {
    char name[200];
    output_name(s, p->part, p->variable, element, name, sizeof name);
    snprintf(out, size, "%s.%s", s->part[p->part].item, name);
  } else {
    snprintf(out, size, "%s", outer_name(s, p));
  }
}

/* Value of a port as an expression in SI units, or as a plain number if the FMU has no unit. */
static void put_expression(const writer *w, const ssp_port *to, const ssp_driver *d, int element) {
  const ssp_port *from = &w->s->port[d->port];
  const hk_unit one = {.factor = 1}, *a = from->carried ? &from->unit : &one,
                *b = to->carried ? &to->unit : &one;
  char name[400], first[HK_NUMBER_SIZE], second[160], from_unit[128], to_unit[128];
  /* converts the SI value to a plain number in the unit of the source, (SI - offset)/factor, and converts the result
   * back to SI at the end, number factor + offset */
  double factor = d->factor / a->factor * b->factor,
         offset = (d->offset - d->factor * a->offset / a->factor) * b->factor + b->offset;
  if (fabs(factor - 1) <= 4 * DBL_EPSILON) factor = 1;
  if (fabs(offset) <= 8 * DBL_EPSILON * fmax(fabs(a->offset), fabs(b->offset))) offset = 0;
  source_text(w->s, from, element, name, sizeof name);
  hk_dim_format(a->dim, from_unit, sizeof from_unit);
  hk_dim_format(b->dim, to_unit, sizeof to_unit);
  number_text(factor, first);
  bool alike = hk_dim_matches(a->dim, b->dim), plain = hk_dim_is_none(b->dim);
  FILE *out = w->out;
  if (alike) {
    if (factor != 1) fprintf(out, "(%s)*", first);
    fprintf(out, "%s", name);
    hk_quantity_format(offset, b->dim, second, sizeof second);
    if (offset != 0) fprintf(out, " + (%s)", second);
    return;
  }
  if (!plain) fprintf(out, "(1 %s)*(", to_unit);
  if (factor != 1) fprintf(out, "(%s)*", first);
  fprintf(out, hk_dim_is_none(a->dim) ? "%s" : "%s/(1 %s)", name, from_unit);
  if (offset != 0) fprintf(out, " + (%s)", number_text(offset, second));
  if (!plain) fprintf(out, ")");
}

/* Writes a constant in the unit of the port. */
static bool put_constant(const writer *w, const ssp_port *to, const ssp_value *v, double factor,
                         double offset, int element) {
  double x = v->number[v->n > 1 ? element : 0];
  char text[160];
  if (v->has_unit && to->has_unit) {
    if (!hk_dim_matches(v->unit.dim, to->unit.dim))
      return ssp_refuse(w->s, to->source, to->line,
                        "the value given to '%.80s' has a unit that does not fit", to->name);
    if (v->unit.factor != to->unit.factor || v->unit.offset != to->unit.offset)
      x = (x * v->unit.factor + v->unit.offset - to->unit.offset) / to->unit.factor;
  }
  x = factor * (v->factor * x + v->offset) + offset;
  if (to->carried)
    hk_quantity_format(hk_unit_to_si(&to->unit, x), to->unit.dim, text, sizeof text);
  else
    number_text(x, text);
  fputs(text, w->out);
  return true;
}

/* ---- FMUs ---- */

typedef enum section { INPUTS, STARTS } section;

/* Writes the entries of one variable: driven inputs, or start values. */
static bool put_variable(const writer *w, int port, section which, int *n) {
  ssp *s = w->s;
  const ssp_port *p = &s->port[port];
  const hk_fmu_variable *v = p->variable;
  ssp_driver d;
  if (v->kind >= HK_FMU_N_NUMBERS) return true;
  if (!ssp_find_driver(s, port, &d)) return false;
  const bool parameter = v->causality != HK_FMU_INPUT, is_driven = d.kind == SSP_SIGNAL;
  const ssp_value *value = d.kind == SSP_CONSTANT ? &s->port[d.port].value : &p->value;
  if (is_driven && parameter && s->port[d.port].variable)
    return ssp_refuse(s, p->source, p->line,
                      "parameter '%.80s' of '%.80s' depends on a value of another FMU, which is "
                      "not known before the start",
                      p->name, s->part[p->part].name);
  if (is_driven && parameter && !s->port[d.port].has_value) return true;
  if (which == INPUTS ? !is_driven || parameter
                      : (is_driven && !parameter) || (d.kind == SSP_NOTHING && !p->has_value))
    return true;
  int size = size_of(s, p);
  const ssp_port *from = is_driven ? &s->port[d.port] : NULL;
  if (size == 0 || (from && from->variable && size_of(s, from) != size) ||
      (!from && value->n > 1 && value->n != size))
    return ssp_refuse(s, p->source, p->line,
                      "'%.80s' of '%.80s' and what is given to it have different sizes", p->name,
                      s->part[p->part].name);
  for (int k = 0; k < size; k++) {
    char index[70] = "";
    if (v->n_dimensions) element_text(s, p, k, index, sizeof index);
    char *key = hk_arena_printf(&s->arena, "%s%s", v->name, index);
    if (!key) return ssp_no_memory(s);
    if ((*n)++ == 0) fprintf(w->out, which == INPUTS ? "    inputs:\n" : "    start:\n");
    fputs("      ", w->out);
    hk_put_yaml_text(w->out, key);
    fputs(": \"", w->out);
    if (is_driven)
      put_expression(w, p, &d, k);
    else if (!put_constant(w, p, value, d.factor, d.offset, k))
      return false;
    fputs("\"\n", w->out);
  }
  return true;
}

static void put_outputs(const writer *w, int part) {
  const ssp *s = w->s;
  const hk_fmu_description *d = s->part[part].fmu;
  int n = 0;
  if (has_plain_outputs(s, part)) return;
  for (int i = 0; i < d->n; i++) {
    const hk_fmu_variable *v = &d->variable[i];
    ssp_port p = {.part = part, .name = v->name, .variable = v};
    bool used = false;
    for (int k = 0; k < s->n_ports; k++)
      used = used || (s->port[k].variable == v && s->port[k].used && s->port[k].part == part);
    int size = v->kind < HK_FMU_N_NUMBERS ? size_of(s, &p) : 0;
    if (!used && (v->causality != HK_FMU_OUTPUT || size > MOST_ELEMENTS)) continue;
    for (int k = 0; k < size; k++) {
      char name[200], index[70] = "";
      output_name(s, part, v, k, name, sizeof name);
      if (v->n_dimensions) element_text(s, &p, k, index, sizeof index);
      if (n++ == 0) fprintf(w->out, "    outputs:\n");
      fprintf(w->out, "      %s: ", name);
      char *full = hk_arena_printf(&w->s->arena, "%s%s", v->name, index);
      hk_put_yaml_text(w->out, full ? full : "");
      fputs("\n", w->out);
    }
  }
}

static bool put_fmu(writer *w, int part) {
  ssp *s = w->s;
  const ssp_part *p = &s->part[part];
  char text[HK_NUMBER_SIZE];
  if (!(s->option->period > 0) && !(p->fmu->step > 0))
    return ssp_refuse(s, p->source, p->node->line,
                      "component '%.80s': the FMU names no step size; use --period, such as "
                      "--period 1ms",
                      p->name);
  fprintf(w->out, "  %s:\n    file: ", p->item);
  hk_put_yaml_text(w->out, p->file);
  fputs("\n", w->out);
  if (s->option->period > 0)
    fprintf(w->out, "    period: %s s\n", number_text(s->option->period, text));
  if (s->option->linear) fprintf(w->out, "    signals: linear\n");
  put_outputs(w, part);
  for (section which = INPUTS; which <= STARTS; which++) {
    int n = 0;
    for (int i = 0; i < s->n_ports; i++)
      if (s->port[i].part == part && ssp_is_sink(s, &s->port[i]) && !put_variable(w, i, which, &n))
        return false;
  }
  w->counts.fmus++;
  return true;
}

/* ---- the outermost system ---- */

static bool is_parameter(const ssp_port *p) { return p->kind && strstr(p->kind, "arameter"); }

/* Writes inputs and parameters of the outermost system to the section `parameters` or `inputs`. */
static bool put_sources(writer *w, bool parameters) {
  ssp *s = w->s;
  int n = 0;
  for (int i = 0; i < s->n_ports; i++) {
    const ssp_port *p = &s->port[i];
    char unit[128] = "1";
    if (p->variable || !ssp_is_source(s, p) || is_parameter(p) != parameters) continue;
    if (p->has_value && p->value.n != 1)
      return ssp_refuse(s, p->source, p->line, "connector '%.80s' has more than one value",
                        p->name);
    if (parameters && !p->has_value)
      continue; /* the port at the other end of the connection has no
                                                * source */
    if (n++ == 0) fprintf(w->out, parameters ? "parameters:\n" : "inputs:\n");
    fprintf(w->out, "  %s: ", outer_name(s, p));
    if (p->carried) hk_dim_format(p->unit.dim, unit, sizeof unit);
    if (!parameters) fprintf(w->out, "{unit: \"%s\"", unit);
    if (!parameters && p->has_value) fprintf(w->out, ", initial_value: ");
    if (p->has_value) {
      fputc('"', w->out);
      if (!put_constant(w, p, &p->value, 1, 0, 0)) return false;
      fputc('"', w->out);
    }
    fprintf(w->out, parameters ? "\n" : "}\n");
    w->counts.inputs += !parameters;
  }
  return true;
}

static bool put_sensors(writer *w) {
  ssp *s = w->s;
  int n = 0;
  for (int i = 0; i < s->n_ports; i++) {
    const ssp_port *p = &s->port[i];
    ssp_driver d;
    if (p->variable || !ssp_is_sink(s, p)) continue;
    if (!ssp_find_driver(s, i, &d)) return false;
    if (d.kind != SSP_SIGNAL) continue;
    const ssp_port *from = &s->port[d.port];
    if (!from->variable && is_parameter(from)) continue;
    if (from->variable && from->variable->kind >= HK_FMU_N_NUMBERS) continue;
    int size = from->variable ? size_of(s, from) : 1;
    for (int k = 0; k < size && k < MOST_ELEMENTS; k++) {
      if (n++ == 0) fprintf(w->out, "sensors:\n");
      fprintf(w->out, "  %s", outer_name(s, p));
      if (size > 1) fprintf(w->out, "_%d", k + 1);
      fprintf(w->out, ": {value: \"");
      put_expression(w, p, &d, k);
      fprintf(w->out, "\"}\n");
      w->counts.outputs++;
    }
  }
  return true;
}

static void put_head(const writer *w) {
  fprintf(w->out,
          "# From a system of FMUs (SSP) by hooke %s.  FMUs are programs: hooke --allow-native "
          "run\nformat: 1\n",
          hk_version());
  if (w->s->title) {
    fprintf(w->out, "title: ");
    hk_put_yaml_text(w->out, w->s->title);
    fputs("\n", w->out);
  }
}

static void put_analysis(const writer *w) {
  const ssp *s = w->s;
  char text[HK_NUMBER_SIZE];
  double start = isnan(s->start) ? 0 : s->start;
  fprintf(w->out, "analysis:\n");
  if (start != 0) fprintf(w->out, "  start: %s s\n", number_text(start, text));
  if (s->stop > start)
    fprintf(w->out, "  duration: %s s\n", number_text(s->stop - start, text));
  else
    fprintf(w->out, "  duration: 1 s # the system names no stop time\n");
}

/* Outputs of FMUs that drive an input must be listed as outputs in the model file. */
static bool mark_used(ssp *s) {
  for (int i = 0; i < s->n_ports; i++) {
    ssp_driver d;
    if (!ssp_is_sink(s, &s->port[i])) continue;
    if (!ssp_find_driver(s, i, &d)) return false;
    if (d.kind == SSP_SIGNAL && s->port[d.port].variable) s->port[d.port].used = true;
  }
  return true;
}

char *ssp_write(ssp *s, hk_ssp_counts *counts) {
  char *text = NULL;
  size_t size = 0;
  writer w = {.s = s, .out = open_memstream(&text, &size)};
  if (!w.out) return ssp_no_memory(s), NULL;
  bool fine = name_items(s) && mark_used(s), any = false;
  put_head(&w);
  fine = fine && put_sources(&w, true) && put_sources(&w, false);
  for (int i = 0; i < s->n_parts && fine; i++) {
    if (s->part[i].kind != SSP_FMU) continue;
    if (!any) fprintf(w.out, "fmus:\n");
    any = true;
    fine = put_fmu(&w, i);
  }
  if (fine && !any) fine = ssp_refuse(s, NULL, 0, "there are no FMUs in the system");
  fine = fine && put_sensors(&w);
  put_analysis(&w);
  if (fclose(w.out)) fine = ssp_no_memory(s);
  w.counts.connections = s->n_connections;
  *counts = w.counts;
  if (fine && !s->diag->out_of_memory) return text;
  free(text);
  return NULL;
}

hk_status hk_ssp_convert(const hk_archive *a, const char *name, const hk_ssp_options *options,
                         char **text, hk_ssp_counts *counts, hk_diag *diag) {
  ssp s = {.archive = a, .name = name, .diag = diag, .option = options};
  const char *file = options->system ? options->system : "SystemStructure.ssd";
  *text = NULL;
  hk_arena_init(&s.arena);
  if (ssp_read(&s, file) && ssp_apply_parameters(&s)) *text = ssp_write(&s, counts);
  hk_arena_free(&s.arena);
  if (*text) return HK_OK;
  return diag->out_of_memory ? HK_ENOMEM : HK_EINPUT;
}
