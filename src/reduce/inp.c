/* Input files of CalculiX and Abaqus: nodes, solid elements and sets of nodes; see mesh.h.
 *
 * Keywords that this reader does not need are ignored.  *INCLUDE, parts and assemblies are
 * refused. */
#include "reduce/mesh.h"
#include "reduce/text.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct element_name {
  const char *name;
  hk_solid_kind kind;
} element_name;

static const element_name NAME[] = {
    {"C3D4", HK_SOLID_TETRAHEDRON_4},    {"C3D10", HK_SOLID_TETRAHEDRON_10},
    {"C3D10M", HK_SOLID_TETRAHEDRON_10}, {"C3D10T", HK_SOLID_TETRAHEDRON_10},
    {"C3D8", HK_SOLID_HEXAHEDRON_8},     {"C3D8R", HK_SOLID_HEXAHEDRON_8},
    {"C3D8I", HK_SOLID_HEXAHEDRON_8},    {"C3D20", HK_SOLID_HEXAHEDRON_20},
    {"C3D20R", HK_SOLID_HEXAHEDRON_20},  {"C3D6", HK_SOLID_WEDGE_6},
    {"C3D15", HK_SOLID_WEDGE_15},
};
enum { PARAMETERS = 16 };

typedef struct reader {
  hk_text t;
  hk_part_builder b;
  bool skip_elements; /* true: read only nodes and sets */
  char keyword[HK_TEXT_WORD];
  char key[PARAMETERS][HK_TEXT_WORD], value[PARAMETERS][HK_TEXT_WORD];
  int n_parameters;
} reader;

static void trim_upper(char *to, const char *from, size_t n) {
  while (n && isspace((unsigned char)*from)) from++, n--;
  while (n && isspace((unsigned char)from[n - 1])) n--;
  if (n >= HK_TEXT_WORD) n = HK_TEXT_WORD - 1;
  for (size_t i = 0; i < n; i++) to[i] = (char)toupper((unsigned char)from[i]);
  to[n] = 0;
}

/* Splits a keyword line: *NAME, KEY=VALUE, KEY. Names are in capital letters. */
static void read_keyword(reader *r, const char *line, size_t length) {
  size_t at = 0, part = 0;
  r->n_parameters = 0;
  while (at <= length) {
    size_t end = at;
    while (end < length && line[end] != ',') end++;
    if (part == 0) {
      trim_upper(r->keyword, line + at, end - at);
    } else if (r->n_parameters < PARAMETERS) {
      size_t equal = at;
      while (equal < end && line[equal] != '=') equal++;
      trim_upper(r->key[r->n_parameters], line + at, equal - at);
      trim_upper(r->value[r->n_parameters], line + equal + 1, equal < end ? end - equal - 1 : 0);
      r->n_parameters++;
    }
    part++;
    at = end + 1;
  }
}

static const char *parameter(const reader *r, const char *key) {
  for (int i = 0; i < r->n_parameters; i++)
    if (strcmp(r->key[i], key) == 0) return r->value[i];
  return NULL;
}

/* Returns true if the next line contains data: it is not a keyword and not the end of the file. Skips comments and
 * empty lines. */
static bool has_data(reader *r) {
  while (r->t.at < r->t.end) {
    while (r->t.at < r->t.end && (*r->t.at == ' ' || *r->t.at == '\t')) r->t.at++;
    bool comment = r->t.at + 1 < r->t.end && r->t.at[0] == '*' && r->t.at[1] == '*';
    if (!comment && !hk_text_line_ends(&r->t)) return *r->t.at != '*';
    hk_text_skip_line(&r->t);
  }
  return false;
}

static hk_status read_nodes(reader *r) {
  const char *name = parameter(r, "NSET");
  int set = name ? hk_part_need_set(&r->b, name) : -1;
  if (name && set < 0) return HK_ENOMEM;
  hk_status status = HK_OK;
  while (!status && has_data(r)) {
    long label;
    double x[3] = {0};
    if (!hk_text_integer(&r->t, &label))
      return hk_text_fail(&r->t, "the number of a node is missing");
    for (int d = 0; d < 3; d++) {
      hk_text_comma(&r->t);
      if (hk_text_line_ends(&r->t)) break; /* missing coordinates are 0 */
      if (!hk_text_number(&r->t, &x[d]))
        return hk_text_fail(&r->t, "a coordinate of node %ld is no number", label);
    }
    hk_text_skip_line(&r->t);
    status = hk_part_add_node(&r->b, label, x);
    if (!status && name) status = hk_part_add_to_set(&r->b, set, &label, 1);
  }
  return status;
}

static hk_status read_elements(reader *r) {
  const char *type = parameter(r, "TYPE");
  const element_name *found = NULL;
  for (size_t i = 0; i < sizeof NAME / sizeof *NAME && type; i++)
    if (strcmp(NAME[i].name, type) == 0) found = &NAME[i];
  /* gmsh also writes the faces of a mesh as plane elements. These elements are not part of a solid and are ignored. */
  if (r->skip_elements || (type && strncmp(type, "CPS", 3) == 0)) return HK_OK;
  if (!found)
    return hk_text_fail(&r->t,
                        "elements of type %s are not supported; use solid elements (C3D4, C3D6, "
                        "C3D8, C3D10, C3D15, C3D20)",
                        type ? type : "(none)");
  hk_status status = HK_OK;
  int n = hk_solid_types[found->kind].nodes;
  while (!status && has_data(r)) {
    long label, node[HK_SOLID_NODES];
    if (!hk_text_integer(&r->t, &label))
      return hk_text_fail(&r->t, "the number of an element is missing");
    for (int i = 0; i < n; i++) {
      hk_text_comma(&r->t);
      if (!hk_text_integer(&r->t, &node[i])) /* the list may continue in the next line */
        return hk_text_fail(&r->t, "element %ld needs %d nodes", label, n);
    }
    hk_text_comma(&r->t);
    if (!hk_text_line_ends(&r->t))
      return hk_text_fail(&r->t, "element %ld has more than %d nodes", label, n);
    hk_text_skip_line(&r->t);
    status = hk_part_add_element(&r->b, label, found->kind, node);
  }
  return status;
}

/* Adds the nodes of another set, which must be defined earlier. If a set refers to itself, nothing is added. */
static hk_status add_set(reader *r, int set, const char *name) {
  for (int i = 0; i < r->b.mesh.n_sets; i++) {
    if (strcmp(r->b.mesh.set[i].name, name) != 0) continue;
    hk_status status = HK_OK;
    for (int k = 0; k < r->b.mesh.set[i].n && i != set && !status; k++) {
      long label = r->b.mesh.set[i].node[k];
      status = hk_part_add_to_set(&r->b, set, &label, 1);
    }
    return status;
  }
  return hk_text_fail(&r->t, "set '%s' is not defined before this line", name);
}

static hk_status read_set(reader *r) {
  const char *name = parameter(r, "NSET");
  bool range = parameter(r, "GENERATE") != NULL;
  if (!name) return hk_text_fail(&r->t, "a set of nodes needs a name (NSET=)");
  int set = hk_part_need_set(&r->b, name);
  if (set < 0) return HK_ENOMEM;
  hk_status status = HK_OK;
  while (!status && has_data(r)) {
    long value[3] = {0, 0, 1};
    if (range) {
      int n = 0;
      for (; n < 3 && !hk_text_line_ends(&r->t) && hk_text_integer(&r->t, &value[n]); n++)
        hk_text_comma(&r->t);
      if (n < 2 || value[2] < 1 || value[1] < value[0] ||
          (value[1] - value[0]) / value[2] > HK_PART_MAX_NODES)
        return hk_text_fail(&r->t, "a range of nodes needs first, last and increment");
      for (long k = value[0]; k <= value[1] && !status; k += value[2])
        status = hk_part_add_to_set(&r->b, set, &k, 1);
    } else {
      while (!status && !hk_text_line_ends(&r->t)) {
        long label;
        char other[HK_TEXT_WORD], upper[HK_TEXT_WORD];
        if (hk_text_integer(&r->t, &label)) {
          status = hk_part_add_to_set(&r->b, set, &label, 1);
        } else {
          if (!hk_text_word(&r->t, other))
            return hk_text_fail(&r->t, "a node or a set is missing between two commas");
          trim_upper(upper, other, strlen(other));
          status = add_set(r, set, upper);
        }
        if (!hk_text_comma(&r->t) && !hk_text_line_ends(&r->t))
          return hk_text_fail(&r->t, "a comma is missing");
      }
    }
    hk_text_skip_line(&r->t);
  }
  return status;
}

static hk_status refuse(reader *r) {
  static const struct {
    const char *keyword, *why;
  } no[] = {
      {"*RIGID BODY",
       "rigid bodies replace unknowns of the matrices; leave them out and name the interfaces in "
       "the command"},
      {"*MPC", "constraints between nodes are not supported; leave them out"},
      {"*EQUATION", "constraints between nodes are not supported; leave them out"},
      {"*TIE", "tied surfaces are not supported; merge their nodes"},
      {"*INCLUDE", "included files are not read; put everything into one file"},
      {"*PART", "parts and assemblies are not supported; write a flat input file"},
      {"*INSTANCE", "parts and assemblies are not supported; write a flat input file"},
  };
  for (size_t i = 0; i < sizeof no / sizeof *no; i++)
    if (strcmp(r->keyword, no[i].keyword) == 0)
      return hk_text_fail(&r->t, "%s: %s", no[i].keyword, no[i].why);
  return HK_OK;
}

hk_status hk_inp_parse(const char *name, const char *bytes, size_t size, double unit,
                       bool only_nodes, hk_part_mesh *out, hk_error *err) {
  reader r = {.t = hk_text_of(name, bytes, size, err),
              .b = {.name = name, .err = err, .nodes_only = only_nodes},
              .skip_elements = only_nodes};
  hk_status status = HK_OK;
  bool any = false;
  while (!status && r.t.at < r.t.end) {
    if (has_data(&r)) { /* skips the data lines of a keyword that is not needed */
      if (!any)
        status = hk_text_fail(
            &r.t, "this is no input file of CalculiX or Abaqus: it does not begin with a keyword");
      hk_text_skip_line(&r.t);
      continue;
    }
    const char *line;
    size_t length;
    if (!hk_text_line(&r.t, &line, &length)) break;
    any = true;
    read_keyword(&r, line, length);
    status = refuse(&r);
    if (!status && strcmp(r.keyword, "*NODE") == 0) status = read_nodes(&r);
    if (!status && strcmp(r.keyword, "*ELEMENT") == 0) status = read_elements(&r);
    if (!status && strcmp(r.keyword, "*NSET") == 0) status = read_set(&r);
  }
  if (!status && r.b.mesh.n_nodes == 0) status = hk_fail(err, HK_EINPUT, "'%s' has no nodes", name);
  if (!status) status = hk_part_finish(&r.b, unit, out);
  hk_part_mesh_free(&r.b.mesh);
  return status;
}

hk_status hk_inp_read(const char *path, double unit, bool only_nodes, hk_part_mesh *out,
                      hk_error *err) {
  char *bytes;
  size_t size;
  hk_status status = hk_text_load(path, &bytes, &size, err);
  if (status) return status;
  status = hk_inp_parse(path, bytes, size, unit, only_nodes, out, err);
  free(bytes);
  return status;
}
