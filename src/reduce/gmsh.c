/* Meshes of gmsh, formats 2.2 and 4.1 as text: see mesh.h.
 *
 * Physical groups become sets of nodes, including the midpoint nodes of edges. If a group has no name, its number is
 * the name of the set. */
#include "reduce/mesh.h"
#include "reduce/text.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Element types of gmsh. For solids the table lists the edges in gmsh's order of their midpoint nodes. Other elements
 * are used only for groups. */
typedef struct gmsh_type {
  int number, nodes;
  int kind;               /* hk_solid_kind; -1: not a solid; -2: a solid that is not supported */
  const char *name;       /* name of an element type that is not supported */
  const short (*edge)[2]; /* NULL: first order */
} gmsh_type;

static const short TETRAHEDRON[][2] = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {2, 3}, {1, 3}};
static const short HEXAHEDRON[][2] = {{0, 1}, {0, 3}, {0, 4}, {1, 2}, {1, 5}, {2, 3},
                                      {2, 6}, {3, 7}, {4, 5}, {4, 7}, {5, 6}, {6, 7}};
static const short WEDGE[][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 4},
                                 {2, 5}, {3, 4}, {3, 5}, {4, 5}};
static const gmsh_type TYPE[] = {
    {1, 2, -1, 0, 0},
    {2, 3, -1, 0, 0},
    {3, 4, -1, 0, 0},
    {8, 3, -1, 0, 0},
    {9, 6, -1, 0, 0},
    {10, 9, -1, 0, 0},
    {15, 1, -1, 0, 0},
    {16, 8, -1, 0, 0},
    {4, 4, HK_SOLID_TETRAHEDRON_4, 0, 0},
    {11, 10, HK_SOLID_TETRAHEDRON_10, 0, TETRAHEDRON},
    {5, 8, HK_SOLID_HEXAHEDRON_8, 0, 0},
    {17, 20, HK_SOLID_HEXAHEDRON_20, 0, HEXAHEDRON},
    {6, 6, HK_SOLID_WEDGE_6, 0, 0},
    {18, 15, HK_SOLID_WEDGE_15, 0, WEDGE},
    {7, 5, -2, "a pyramid", 0},
    {19, 13, -2, "a pyramid", 0},
    {14, 14, -2, "a pyramid", 0},
    {12, 27, -2, "a hexahedron with nodes on its faces (set Mesh.SecondOrderIncomplete = 1)", 0},
    {13, 18, -2, "a wedge with nodes on its faces (set Mesh.SecondOrderIncomplete = 1)", 0},
};
enum { MOST_NODES = 27, MOST_GROUPS = 1000000 };

/* A group: dimension and number. */
typedef struct group {
  int dimension, set;
  long tag;
} group;

/* Membership of a geometric entity (format 4) in one group. */
typedef struct entity {
  int dimension;
  long tag, group;
} entity;

typedef struct reader {
  hk_text t;
  hk_part_builder b;
  bool four; /* format 4.1 */
  int n_groups, n_entities, group_room, entity_room;
  group *group;
  entity *entity;
  bool has_nodes, has_elements;
} reader;

static hk_status no_memory(reader *r) {
  return hk_fail(r->t.err, HK_ENOMEM, "out of memory while reading '%s'", r->t.name);
}

static hk_status integers(reader *r, int n, long *value) {
  for (int i = 0; i < n; i++)
    if (!hk_text_integer(&r->t, &value[i]))
      return hk_text_fail(&r->t, "an integer is missing here");
  return HK_OK;
}

static hk_status numbers(reader *r, int n, double *value) {
  for (int i = 0; i < n; i++)
    if (!hk_text_number(&r->t, &value[i])) return hk_text_fail(&r->t, "a number is missing here");
  return HK_OK;
}

/* ---- groups ---- */

/* Groups of different dimensions may have the same name or number. The group of the lowest dimension keeps the name,
 * because interfaces are surfaces. The names of the others get their dimension as a suffix. */
static hk_status set_of_dimension(reader *r, int dimension, const char *name, int *set) {
  char other[HK_PART_NAME];
  *set = hk_part_need_set(&r->b, name);
  if (*set < 0) return HK_ENOMEM;
  for (int i = 0; i < r->n_groups; i++) {
    group *g = &r->group[i];
    if (g->set != *set || g->dimension == dimension) continue;
    const int higher = g->dimension > dimension ? g->dimension : dimension;
    if (snprintf(other, sizeof other, "%s (dimension %d)", name, higher) >= (int)sizeof other)
      return hk_text_fail(&r->t, "two groups of different dimensions have the name '%.60s...'",
                          name);
    if (g->dimension < dimension) {
      *set = hk_part_need_set(&r->b, other);
      return *set < 0 ? HK_ENOMEM : HK_OK;
    }
    /* Moves all groups of the higher dimension to a separate set. */
    memcpy(r->b.mesh.set[*set].name, other, sizeof other);
    return set_of_dimension(r, dimension, name, set);
  }
  return HK_OK;
}

/* Returns the set of a group. The name of a group without a name is its number. */
static hk_status group_set(reader *r, int dimension, long tag, const char *name, int *set) {
  char number[32];
  for (int i = 0; i < r->n_groups; i++)
    if (r->group[i].dimension == dimension && r->group[i].tag == tag) {
      *set = r->group[i].set;
      return HK_OK;
    }
  if (r->n_groups == r->group_room) {
    int room = r->group_room ? 2 * r->group_room : 16;
    group *grown = room > MOST_GROUPS ? NULL : realloc(r->group, sizeof *grown * (size_t)room);
    if (!grown) return no_memory(r);
    r->group = grown, r->group_room = room;
  }
  snprintf(number, sizeof number, "%ld", tag);
  hk_status status = set_of_dimension(r, dimension, name ? name : number, set);
  if (status) return status;
  r->group[r->n_groups++] = (group){dimension, *set, tag};
  return HK_OK;
}

static hk_status read_names(reader *r) {
  long n, head[2];
  hk_status status = integers(r, 1, &n);
  for (long i = 0; i < n && !status; i++) {
    const char *line;
    size_t length;
    int set;
    status = integers(r, 2, head);
    if (status) break;
    char name[HK_PART_NAME];
    if (!hk_text_line(&r->t, &line, &length) || length < 3 || line[0] != '"' ||
        line[length - 1] != '"' || length - 2 >= sizeof name)
      return hk_text_fail(
          &r->t, "a name of a physical group must be in quotes and shorter than %d characters",
          HK_PART_NAME);
    memcpy(name, line + 1, length - 2);
    name[length - 2] = 0;
    status = group_set(r, (int)head[0], head[1], name, &set);
  }
  return status;
}

static hk_status read_entities(reader *r) {
  long count[4], tag, groups, bounds, id;
  double skip[6];
  hk_status status = integers(r, 4, count);
  for (int dimension = 0; dimension < 4 && !status; dimension++)
    for (long i = 0; i < count[dimension] && !status; i++) {
      status = integers(r, 1, &tag);
      if (!status) status = numbers(r, dimension ? 6 : 3, skip);
      if (!status) status = integers(r, 1, &groups);
      for (long k = 0; k < groups && !status; k++) {
        status = integers(r, 1, &id);
        if (status) break;
        if (r->n_entities == r->entity_room) {
          int room = r->entity_room ? 2 * r->entity_room : 16;
          entity *grown =
              room > MOST_GROUPS ? NULL : realloc(r->entity, sizeof *grown * (size_t)room);
          if (!grown) return no_memory(r);
          r->entity = grown, r->entity_room = room;
        }
        r->entity[r->n_entities++] = (entity){dimension, tag, labs(id)};
      }
      if (!status && dimension) status = integers(r, 1, &bounds);
      for (long k = 0; dimension && k < bounds && !status; k++) status = integers(r, 1, &id);
    }
  return status;
}

/* ---- nodes and elements ---- */

static hk_status read_nodes(reader *r) {
  long head[4], n, label;
  double x[3], skip[3];
  hk_status status = integers(r, r->four ? 4 : 1, head);
  long blocks = r->four ? head[0] : 1;
  r->has_nodes = true;
  for (long k = 0; k < blocks && !status; k++) {
    if (!r->four) {
      for (long i = 0; i < head[0] && !status; i++) {
        status = integers(r, 1, &label);
        if (!status) status = numbers(r, 3, x);
        if (!status) status = hk_part_add_node(&r->b, label, x);
      }
      return status;
    }
    long block[4]; /* dimension, entity, parametric, number of nodes */
    status = integers(r, 4, block);
    if (status) return status;
    n = block[3];
    int first = r->b.mesh.n_nodes;
    static const double ZERO[3];
    for (long i = 0; i < n && !status; i++) {
      status = integers(r, 1, &label);
      if (!status) status = hk_part_add_node(&r->b, label, ZERO);
    }
    for (long i = 0; i < n && !status; i++) {
      status = numbers(r, 3, r->b.mesh.x[first + i]);
      if (!status && block[2])
        status = numbers(r, (int)(block[0] < 0 ? 0 : block[0] > 3 ? 3 : block[0]), skip);
    }
  }
  return status;
}

static const gmsh_type *find_type(reader *r, long number) {
  for (size_t i = 0; i < sizeof TYPE / sizeof *TYPE; i++)
    if (TYPE[i].number == number) return &TYPE[i];
  hk_text_fail(&r->t,
               "elements of gmsh type %ld are not supported; use tetrahedra, hexahedra or wedges "
               "of first or "
               "second order",
               number);
  return NULL;
}

static int dimension_of(const gmsh_type *t) {
  return t->number == 15 ? 0 : t->number == 1 || t->number == 8 ? 1 : t->kind == -1 ? 2 : 3;
}

/* Reads the nodes of one element and adds the element to the mesh if it is a solid. `node`: numbers of the nodes in
 * the file. */
static hk_status read_element(reader *r, const gmsh_type *t, long label, long node[MOST_NODES]) {
  if (t->kind == -2)
    return hk_text_fail(&r->t, "element %ld is %s, which is not supported", label, t->name);
  hk_status status = integers(r, t->nodes, node);
  if (status || t->kind < 0) return status;
  long own[HK_SOLID_NODES];
  const hk_solid_type *s = &hk_solid_types[t->kind];
  memcpy(own, node, sizeof *own * (size_t)s->corners);
  for (int e = 0; t->edge && e < s->edges; e++)
    for (int k = 0; k < s->edges; k++) {
      const short *a = s->edge[e], *b = t->edge[k];
      if ((a[0] == b[0] && a[1] == b[1]) || (a[0] == b[1] && a[1] == b[0]))
        own[s->corners + e] = node[s->corners + k];
    }
  return hk_part_add_element(&r->b, label, (hk_solid_kind)t->kind, own);
}

static hk_status read_elements_2(reader *r) {
  long n, head[3], tag, node[MOST_NODES];
  hk_status status = integers(r, 1, &n);
  for (long i = 0; i < n && !status; i++) {
    status = integers(r, 3, head);
    const gmsh_type *t = status ? NULL : find_type(r, head[1]);
    if (!t) return HK_EINPUT;
    long physical = 0;
    for (long k = 0; k < head[2] && !status; k++) {
      status = integers(r, 1, &tag);
      if (k == 0) physical = tag;
    }
    if (!status) status = read_element(r, t, head[0], node);
    int set;
    if (status || !physical) continue;
    status = group_set(r, dimension_of(t), physical, NULL, &set);
    if (!status) status = hk_part_add_to_set(&r->b, set, node, t->nodes);
  }
  return status;
}

static hk_status read_elements_4(reader *r) {
  long head[4], block[4], label, node[MOST_NODES];
  hk_status status = integers(r, 4, head);
  for (long k = 0; k < head[0] && !status; k++) {
    status = integers(r, 4, block); /* dimension, entity, type, number of elements */
    const gmsh_type *t = status ? NULL : find_type(r, block[2]);
    if (!t) return HK_EINPUT;
    for (long i = 0; i < block[3] && !status; i++) {
      status = integers(r, 1, &label);
      if (!status) status = read_element(r, t, label, node);
      for (int e = 0; e < r->n_entities && !status; e++) {
        int set;
        if (r->entity[e].dimension != block[0] || r->entity[e].tag != block[1]) continue;
        status = group_set(r, (int)block[0], r->entity[e].group, NULL, &set);
        if (!status) status = hk_part_add_to_set(&r->b, set, node, t->nodes);
      }
    }
  }
  return status;
}

/* ---- file ---- */

static hk_status read_format(reader *r) {
  double version;
  long head[2];
  if (!hk_text_number(&r->t, &version))
    return hk_text_fail(&r->t, "the version of the format is missing");
  hk_status status = integers(r, 2, head);
  if (status) return status;
  if (head[0] != 0)
    return hk_text_fail(
        &r->t, "the file is binary; write it as text (gmsh: option -bin 0 or Mesh.Binary = 0)");
  r->four = version > 4.05 && version < 4.15;
  if (!r->four && !(version >= 2 && version < 2.25))
    return hk_text_fail(
        &r->t, "format %.3g is not supported; write format 2.2 or 4.1 (gmsh: option -format msh41)",
        version);
  return HK_OK;
}

static hk_status read_section(reader *r, const char *name) {
  if (strcmp(name, "$MeshFormat") == 0) return read_format(r);
  if (strcmp(name, "$PhysicalNames") == 0) return read_names(r);
  if (strcmp(name, "$Entities") == 0) return read_entities(r);
  if (strcmp(name, "$Nodes") == 0) return read_nodes(r);
  if (strcmp(name, "$Elements") == 0) {
    r->has_elements = true;
    return r->four ? read_elements_4(r) : read_elements_2(r);
  }
  if (strcmp(name, "$PartitionedEntities") == 0)
    return hk_text_fail(&r->t, "the mesh is split into partitions; save it without them");
  return HK_OK; /* sections of other programs */
}

static hk_status read_sections(reader *r) {
  const char *line;
  size_t length;
  hk_status status = HK_OK;
  bool first = true;
  while (!status && hk_text_line(&r->t, &line, &length)) {
    char name[64], end[80];
    if (length == 0) continue;
    if (first && (length < 11 || memcmp(line, "$MeshFormat", 11) != 0))
      return hk_text_fail(&r->t, "this is no gmsh file: $MeshFormat is not its first line");
    first = false;
    if (line[0] != '$' || length >= sizeof name)
      return hk_text_fail(&r->t, "a section must begin with '$'");
    memcpy(name, line, length);
    name[length] = 0;
    status = read_section(r, name);
    if (status) return status;
    snprintf(end, sizeof end, "$End%s", name + 1);
    bool known = strcmp(name, "$MeshFormat") == 0 || strcmp(name, "$PhysicalNames") == 0 ||
                 strcmp(name, "$Entities") == 0 || strcmp(name, "$Nodes") == 0 ||
                 strcmp(name, "$Elements") == 0;
    bool ended = false;
    while (!ended && hk_text_line(&r->t, &line, &length)) {
      ended = length == strlen(end) && memcmp(line, end, length) == 0;
      if (!ended && known && length)
        return hk_text_fail(&r->t, "%s expected: the section has more entries than it states", end);
    }
    if (!ended) return hk_text_fail(&r->t, "the file ends before %s: it is truncated", end);
  }
  if (status) return status;
  if (!r->has_nodes || !r->has_elements)
    return hk_fail(r->t.err, HK_EINPUT, "'%s' has no section %s", r->t.name,
                   r->has_nodes ? "$Elements" : "$Nodes");
  return HK_OK;
}

hk_status hk_gmsh_parse(const char *name, const char *bytes, size_t size, double unit,
                        hk_part_mesh *out, hk_error *err) {
  reader r = {.t = hk_text_of(name, bytes, size, err),
              .b = {.name = name, .repeats = true, .err = err}};
  hk_status status = read_sections(&r);
  if (!status) status = hk_part_finish(&r.b, unit, out);
  hk_part_mesh_free(&r.b.mesh);
  free(r.group);
  free(r.entity);
  return status;
}

hk_status hk_gmsh_read(const char *path, double unit, hk_part_mesh *out, hk_error *err) {
  char *bytes;
  size_t size;
  hk_status status = hk_text_load(path, &bytes, &size, err);
  if (status) return status;
  status = hk_gmsh_parse(path, bytes, size, unit, out, err);
  free(bytes);
  return status;
}
