/* Meshes of parts: see mesh.h. */
#include "reduce/mesh.h"
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void hk_part_mesh_free(hk_part_mesh *m) {
  for (int i = 0; i < m->n_sets; i++) free(m->set[i].node);
  free(m->x);
  free(m->label);
  free(m->kind);
  free(m->first);
  free(m->node);
  free(m->element_label);
  free(m->set);
  *m = (hk_part_mesh){0};
}

const hk_part_set *hk_part_mesh_set(const hk_part_mesh *m, const char *name) {
  for (int i = 0; i < m->n_sets; i++)
    if (strcmp(m->set[i].name, name) == 0) return &m->set[i];
  return NULL;
}

int hk_part_mesh_node(const hk_part_mesh *m, long label) {
  int low = 0, high = m->n_nodes;
  while (low < high) {
    int mid = low + (high - low) / 2;
    if (m->label[mid] < label)
      low = mid + 1;
    else
      high = mid;
  }
  return low < m->n_nodes && m->label[low] == label ? low : -1;
}

/* ---- construction ---- */

static hk_status no_memory(const hk_part_builder *b) {
  return hk_fail(b->err, HK_ENOMEM, "out of memory while reading '%s'", b->name);
}

/* Makes room for `need` entries in *array. */
static bool grow(void *array, size_t item, size_t need, size_t *room) {
  if (need <= *room) return true;
  size_t more = *room ? 2 * *room : 256;
  if (more < need) more = need;
  void *grown = realloc(*(void **)array, more * item);
  if (!grown) return false;
  *(void **)array = grown;
  *room = more;
  return true;
}

hk_status hk_part_add_node(hk_part_builder *b, long label, const double x[3]) {
  hk_part_mesh *m = &b->mesh;
  size_t n = (size_t)m->n_nodes, room = b->node_room;
  if (m->n_nodes == HK_PART_MAX_NODES)
    return hk_fail(b->err, HK_EINPUT, "'%s' has more than %d nodes", b->name, HK_PART_MAX_NODES);
  if (!grow(&m->x, sizeof *m->x, n + 1, &room) ||
      !grow(&m->label, sizeof *m->label, n + 1, &b->node_room))
    return no_memory(b);
  memcpy(m->x[n], x, sizeof *m->x);
  m->label[m->n_nodes++] = label;
  return HK_OK;
}

hk_status hk_part_add_element(hk_part_builder *b, long label, hk_solid_kind kind,
                              const long *node) {
  hk_part_mesh *m = &b->mesh;
  size_t n = (size_t)m->n_elements, used = n ? m->first[n] : 0;
  size_t kinds = b->element_room, labels = b->element_room,
         firsts = m->first ? b->element_room + 1 : 0;
  int corners = hk_solid_types[kind].nodes;
  if (!grow(&m->kind, sizeof *m->kind, n + 1, &kinds) ||
      !grow(&m->element_label, sizeof *m->element_label, kinds, &labels) ||
      !grow(&m->first, sizeof *m->first, kinds + 1, &firsts) ||
      !grow(&m->node, sizeof *m->node, used + (size_t)corners, &b->corner_room))
    return no_memory(b);
  b->element_room = kinds;
  for (int i = 0; i < corners; i++) {
    if (node[i] < INT_MIN || node[i] > INT_MAX)
      return hk_fail(b->err, HK_EINPUT,
                     "'%s': element %ld refers to node %ld; numbers above %d are not supported",
                     b->name, label, node[i], INT_MAX);
    m->node[used + (size_t)i] = (int)node[i];
  }
  m->kind[n] = (unsigned char)kind;
  m->element_label[n] = label;
  m->first[n] = used;
  m->first[n + 1] = used + (size_t)corners;
  m->n_elements++;
  return HK_OK;
}

int hk_part_need_set(hk_part_builder *b, const char *name) {
  hk_part_mesh *m = &b->mesh;
  for (int i = 0; i < m->n_sets; i++)
    if (strcmp(m->set[i].name, name) == 0) return i;
  hk_part_set *grown = realloc(m->set, sizeof *grown * (size_t)(m->n_sets + 1));
  if (!grown) {
    no_memory(b);
    return -1;
  }
  m->set = grown;
  grown[m->n_sets] = (hk_part_set){.n = 0};
  snprintf(grown[m->n_sets].name, sizeof grown->name, "%s", name);
  return m->n_sets++;
}

hk_status hk_part_add_to_set(hk_part_builder *b, int set, const long *node, int n) {
  hk_part_set *s = &b->mesh.set[set];
  size_t room = (size_t)s->capacity;
  if (!grow(&s->node, sizeof *s->node, (size_t)s->n + (size_t)n, &room)) return no_memory(b);
  s->capacity = room > INT_MAX ? INT_MAX : (int)room;
  for (int i = 0; i < n; i++)
    if (node[i] >= INT_MIN && node[i] <= INT_MAX) s->node[s->n++] = (int)node[i];
  return HK_OK;
}

/* ---- numbers to indices ---- */

static int compare_int(const void *a, const void *b) {
  int x = *(const int *)a, y = *(const int *)b;
  return (x > y) - (x < y);
}

/* Sorts the nodes by their numbers, unless they are already in this order. */
typedef struct numbered {
  long label;
  double x[3];
} numbered;

static int compare_label(const void *a, const void *b) {
  long x = ((const numbered *)a)->label, y = ((const numbered *)b)->label;
  return (x > y) - (x < y);
}

static hk_status sort_nodes(hk_part_builder *b) {
  hk_part_mesh *m = &b->mesh;
  bool sorted = true;
  for (int i = 1; i < m->n_nodes && sorted; i++) sorted = m->label[i] > m->label[i - 1];
  if (sorted) return HK_OK;
  numbered *s = malloc(sizeof *s * (size_t)m->n_nodes);
  if (!s) return no_memory(b);
  for (int i = 0; i < m->n_nodes; i++) {
    s[i].label = m->label[i];
    memcpy(s[i].x, m->x[i], sizeof *m->x);
  }
  qsort(s, (size_t)m->n_nodes, sizeof *s, compare_label);
  hk_status status = HK_OK;
  for (int i = 0; i < m->n_nodes; i++) {
    if (i && s[i].label == s[i - 1].label && !status)
      status = hk_fail(b->err, HK_EINPUT, "'%s' defines node %ld twice", b->name, s[i].label);
    m->label[i] = s[i].label;
    memcpy(m->x[i], s[i].x, sizeof *m->x);
  }
  free(s);
  return status;
}

/* Elements whose nodes are given by indices instead of numbers; used[i]: 1 if node i belongs to an element. */
static hk_status find_corners(hk_part_builder *b, unsigned char *used) {
  hk_part_mesh *m = &b->mesh;
  for (int e = 0; e < m->n_elements; e++)
    for (size_t k = m->first[e]; k < m->first[e + 1]; k++) {
      int at = hk_part_mesh_node(m, m->node[k]);
      if (at < 0)
        return hk_fail(b->err, HK_EINPUT,
                       "'%s': element %ld refers to node %d, which does not exist", b->name,
                       m->element_label[e], m->node[k]);
      used[at] = 1;
      m->node[k] = at;
      for (size_t l = m->first[e]; l < k; l++)
        if (m->node[l] == at)
          return hk_fail(b->err, HK_EINPUT, "'%s': element %ld refers to node %ld twice", b->name,
                         m->element_label[e], m->label[at]);
    }
  return HK_OK;
}

/* ---- repeated elements: they would count twice in mass and stiffness ---- */

typedef struct signature {
  uint64_t sum; /* a sum over the nodes, so that the result does not depend on their order */
  int element;
} signature;

static int compare_signature(const void *a, const void *b) {
  const signature *p = a, *q = b;
  return p->sum != q->sum ? (p->sum > q->sum) - (p->sum < q->sum) : p->element - q->element;
}

static bool same_nodes(const hk_part_mesh *m, int e, int f) {
  const size_t n = m->first[e + 1] - m->first[e];
  if (m->first[f + 1] - m->first[f] != n) return false;
  for (size_t i = 0; i < n; i++) {
    bool found = false;
    for (size_t k = 0; k < n && !found; k++)
      found = m->node[m->first[f] + k] == m->node[m->first[e] + i];
    if (!found) return false;
  }
  return true;
}

static void drop_elements(hk_part_mesh *m, const unsigned char *dropped) {
  int kept = 0;
  size_t at = 0;
  for (int e = 0; e < m->n_elements; e++) {
    const size_t from = m->first[e], n = m->first[e + 1] - from;
    if (dropped[e]) continue;
    memmove(m->node + at, m->node + from, n * sizeof *m->node);
    m->kind[kept] = m->kind[e];
    m->element_label[kept] = m->element_label[e];
    m->first[kept++] = at;
    at += n;
  }
  m->n_elements = kept;
  m->first[kept] = at;
}

static hk_status find_repeats(hk_part_builder *b) {
  hk_part_mesh *m = &b->mesh;
  signature *s = malloc(((size_t)m->n_elements + 1) * sizeof *s);
  unsigned char *dropped = calloc((size_t)m->n_elements + 1, 1);
  hk_status status = s && dropped ? HK_OK : no_memory(b);
  for (int e = 0; e < m->n_elements && !status; e++) {
    s[e] = (signature){.element = e};
    for (size_t k = m->first[e]; k < m->first[e + 1]; k++) {
      uint64_t x = ((uint64_t)m->node[k] + 1) * 0x9E3779B97F4A7C15u;
      s[e].sum += x ^ x >> 29;
    }
  }
  if (!status) qsort(s, (size_t)m->n_elements, sizeof *s, compare_signature);
  for (int i = 0; i < m->n_elements && !status; i++)
    for (int k = i + 1; k < m->n_elements && s[k].sum == s[i].sum && !dropped[s[i].element]; k++) {
      if (dropped[s[k].element] || !same_nodes(m, s[i].element, s[k].element)) continue;
      dropped[s[k].element] = 1;
      if (b->repeats) continue;
      status = hk_fail(b->err, HK_EINPUT, "'%s': elements %ld and %ld have the same nodes", b->name,
                       m->element_label[s[i].element], m->element_label[s[k].element]);
      break;
    }
  if (!status && m->n_elements) drop_elements(m, dropped);
  free(s);
  free(dropped);
  return status;
}

/* Converts sets to ascending indices of used nodes. */
static void find_sets(hk_part_mesh *m, const int *number) {
  for (int i = 0; i < m->n_sets; i++) {
    hk_part_set *s = &m->set[i];
    int n = 0;
    for (int k = 0; k < s->n; k++) {
      int at = hk_part_mesh_node(m, s->node[k]);
      if (at >= 0 && number[at] >= 0) s->node[n++] = number[at];
    }
    if (n) qsort(s->node, (size_t)n, sizeof *s->node, compare_int);
    s->n = 0;
    for (int k = 0; k < n; k++)
      if (k == 0 || s->node[k] != s->node[k - 1]) s->node[s->n++] = s->node[k];
  }
}

/* Moves each node i with number[i] >= 0 to the position number[i]. */
static void renumber(hk_part_mesh *m, const int *number, int kept, double unit) {
  for (int i = 0; i < m->n_nodes; i++) {
    if (number[i] < 0) continue;
    m->label[number[i]] = m->label[i];
    for (int d = 0; d < 3; d++) m->x[number[i]][d] = unit * m->x[i][d];
  }
  m->n_nodes = kept;
}

hk_status hk_part_mesh_keep(hk_part_mesh *m, const unsigned char *keep, hk_error *err) {
  int n = 0, *number = malloc(sizeof *number * ((size_t)m->n_nodes + 1));
  if (!number) return hk_fail(err, HK_ENOMEM, "out of memory");
  for (int i = 0; i < m->n_nodes; i++) number[i] = keep[i] ? n++ : -1;
  for (int i = 0; i < m->n_sets; i++) {
    hk_part_set *s = &m->set[i];
    int kept = 0;
    for (int k = 0; k < s->n; k++)
      if (number[s->node[k]] >= 0) s->node[kept++] = number[s->node[k]];
    s->n = kept;
  }
  renumber(m, number, n, 1);
  free(number);
  return HK_OK;
}

hk_status hk_part_finish(hk_part_builder *b, double unit, hk_part_mesh *out) {
  hk_part_mesh *m = &b->mesh;
  if (m->n_elements == 0 && !b->nodes_only)
    return hk_fail(b->err, HK_EINPUT,
                   "'%s' has no solid elements; mesh the volume (gmsh -3), and save it", b->name);
  unsigned char *used = calloc((size_t)m->n_nodes + 1, 1);
  int *number = malloc(sizeof *number * ((size_t)m->n_nodes + 1));
  hk_status status = used && number ? sort_nodes(b) : no_memory(b);
  if (!status) status = find_corners(b, used);
  if (!status) status = find_repeats(b);
  if (!status) {
    int n = 0;
    for (int i = 0; i < m->n_nodes; i++) number[i] = used[i] || b->nodes_only ? n++ : -1;
    find_sets(m, number);
    for (size_t k = 0; m->first && k < m->first[m->n_elements]; k++)
      m->node[k] = number[m->node[k]];
    renumber(m, number, n, unit);
    *out = *m;
    *m = (hk_part_mesh){0};
  }
  free(used);
  free(number);
  return status;
}
