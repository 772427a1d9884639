/* Selection of nodes: see select.h. */
#include "reduce/select.h"
#include "base/number.h"
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Relative tolerance of distances to a plane and of radii. */
static const double NEAR = 1e-3;

static const char *skip(const char *s) {
  while (isspace((unsigned char)*s)) s++;
  return s;
}

/* Reads n numbers separated by commas. Returns the position after them, or NULL. */
static const char *read_numbers(const char *s, int n, double *value) {
  for (int i = 0; i < n; i++) {
    char *end;
    s = skip(s);
    value[i] = hk_number_read(s, &end);
    if (end == s || !isfinite(value[i])) return NULL;
    s = skip(end);
    if (i < n - 1 && *s++ != ',') return NULL;
  }
  return s;
}

/* Reads groups of numbers, which are separated by semicolons, up to ')'. The first two groups
 * have 3 numbers each. Up to 2 groups with one number each follow; `more` is their maximum
 * number. */
static bool read_arguments(const char *s, double point[3], double axis[3], int least, int most,
                           double *more, int *given) {
  const char *at = read_numbers(s, 3, point);
  if (!at || *at++ != ';' || !(at = read_numbers(at, 3, axis))) return false;
  for (*given = 0; *given < most && *at == ';'; ++*given) {
    at = read_numbers(at + 1, 1, &more[*given]);
    if (!at) return false;
  }
  double size = sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
  for (int d = 0; d < 3; d++) axis[d] /= size;
  return *at == ')' && !*skip(at + 1) && *given >= least && size > 0;
}

/* Stores in `node` all nodes for which `within` is true. */
typedef struct region {
  double point[3], axis[3], radius, half_length, slack;
  bool plane;
} region;

static bool within(const region *r, const double x[3]) {
  double v[3], along = 0, across = 0;
  for (int d = 0; d < 3; d++) v[d] = x[d] - r->point[d], along += v[d] * r->axis[d];
  if (r->plane) return fabs(along) <= r->slack;
  for (int d = 0; d < 3; d++) across += (v[d] - along * r->axis[d]) * (v[d] - along * r->axis[d]);
  return sqrt(across) <= r->radius * (1 + NEAR) && fabs(along) <= r->half_length * (1 + NEAR);
}

static hk_status select_region(const hk_part_mesh *m, const char *text, double unit, bool plane,
                               int *node, int *n, double center[3], hk_error *err) {
  region r = {.plane = plane, .half_length = INFINITY};
  double more[2] = {0};
  int given = 0;
  if (!read_arguments(strchr(text, '(') + 1, r.point, r.axis, plane ? 0 : 1, plane ? 0 : 2, more,
                      &given) ||
      (!plane && !(more[0] > 0)) || (given == 2 && !(more[1] > 0)))
    return hk_fail(
        err, HK_EINPUT, "'%s' must have the form %s", text,
        plane ? "plane(x,y,z; nx,ny,nz)"
              : "cylinder(x,y,z; ax,ay,az; radius) or cylinder(x,y,z; ax,ay,az; radius; length)");
  double low[3], high[3], size = 0;
  for (int d = 0; d < 3; d++) {
    r.point[d] *= unit, low[d] = INFINITY, high[d] = -INFINITY;
    for (int i = 0; i < m->n_nodes; i++)
      low[d] = fmin(low[d], m->x[i][d]), high[d] = fmax(high[d], m->x[i][d]);
    size = fmax(size, high[d] - low[d]);
  }
  r.radius = unit * more[0];
  if (given == 2) r.half_length = 0.5 * unit * more[1];
  r.slack = 1e-6 * size;
  for (int i = 0; i < m->n_nodes; i++)
    if (within(&r, m->x[i])) node[(*n)++] = i;
  if (!plane) memcpy(center, r.point, sizeof r.point);
  if (*n) return HK_OK;
  return hk_fail(err, HK_EINPUT,
                 "no node is in %s; the part reaches from (%.4g, %.4g, %.4g) to (%.4g, %.4g, %.4g) "
                 "in the unit of the file",
                 text, low[0] / unit, low[1] / unit, low[2] / unit, high[0] / unit, high[1] / unit,
                 high[2] / unit);
}

static int compare_int(const void *a, const void *b) {
  int x = *(const int *)a, y = *(const int *)b;
  return (x > y) - (x < y);
}

static hk_status select_numbers(const hk_part_mesh *m, const char *text, int *node, int *n,
                                hk_error *err) {
  const char *s = strchr(text, '(') + 1;
  for (;;) {
    char *end;
    long label = strtol(s, &end, 10);
    int at = end == s ? -1 : hk_part_mesh_node(m, label);
    end = (char *)skip(end);
    if (end == s || (*end != ',' && *end != ')'))
      return hk_fail(err, HK_EINPUT, "'%s' must have the form nodes(1,2,...)", text);
    if (at < 0) return hk_fail(err, HK_EINPUT, "there is no node %ld", label);
    if (*n == m->n_nodes) return hk_fail(err, HK_EINPUT, "'%s' names a node twice", text);
    node[(*n)++] = at;
    s = end + 1;
    if (*end == ')') break;
  }
  qsort(node, (size_t)*n, sizeof *node, compare_int);
  for (int i = 1; i < *n; i++)
    if (node[i] == node[i - 1])
      return hk_fail(err, HK_EINPUT, "'%s' contains node %ld twice", text, m->label[node[i]]);
  return HK_OK;
}

static hk_status select_set(const hk_part_mesh *m, const char *text, int *node, int *n,
                            hk_error *err) {
  const hk_part_set *s = hk_part_mesh_set(m, text);
  if (s && s->n) {
    memcpy(node, s->node, sizeof *node * (size_t)s->n);
    *n = s->n;
    return HK_OK;
  }
  char list[400] = "";
  for (int i = 0; i < m->n_sets; i++) {
    size_t used = strlen(list);
    if (m->set[i].n && used + 80 < sizeof list)
      snprintf(list + used, sizeof list - used, "%s%.60s", used ? ", " : "", m->set[i].name);
  }
  if (s) return hk_fail(err, HK_EINPUT, "group '%s' has no nodes of solid elements", text);
  return hk_fail(err, HK_EINPUT,
                 "the mesh has no group '%s'; %s%s. Other selections are cylinder(...), plane(...) "
                 "and nodes(...)",
                 text, *list ? "it has " : "it has no groups at all", list);
}

hk_status hk_part_select(const hk_part_mesh *m, const char *text, double unit, int **node, int *n,
                         double center[3], hk_error *err) {
  *n = 0;
  *node = malloc(sizeof **node * ((size_t)m->n_nodes + 1));
  if (!*node) return hk_fail(err, HK_ENOMEM, "out of memory");
  bool cylinder = strncmp(text, "cylinder(", 9) == 0, plane = strncmp(text, "plane(", 6) == 0;
  hk_status status = cylinder || plane ? select_region(m, text, unit, plane, *node, n, center, err)
                     : strncmp(text, "nodes(", 6) == 0 ? select_numbers(m, text, *node, n, err)
                                                       : select_set(m, text, *node, n, err);
  if (status) {
    free(*node);
    *node = NULL;
    return status;
  }
  if (cylinder) return HK_OK;
  for (int d = 0; d < 3; d++) {
    center[d] = 0;
    for (int i = 0; i < *n; i++) center[d] += m->x[(*node)[i]][d] / *n;
  }
  return HK_OK;
}
