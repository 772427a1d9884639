/* Assembly of the matrices of a mesh: see assemble.h. */
#include "reduce/assemble.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

hk_solid_elasticity hk_part_elasticity(const hk_part_material *m) {
  return (hk_solid_elasticity){
      .lambda = m->young * m->poisson / ((1 + m->poisson) * (1 - 2 * m->poisson)),
      .mu = m->young / (2 * (1 + m->poisson))};
}

static hk_status no_memory(hk_error *err) { return hk_fail(err, HK_ENOMEM, "out of memory"); }

/* ---- pattern ---- */

static int compare_int(const void *a, const void *b) {
  int x = *(const int *)a, y = *(const int *)b;
  return (x > y) - (x < y);
}

/* Elements at each node i: of[first[i]] to of[first[i + 1] - 1]. */
static bool elements_at_nodes(const hk_part_mesh *m, size_t *first, int **of) {
  size_t total = m->first[m->n_elements];
  *of = malloc(sizeof **of * (total + 1));
  if (!*of) return false;
  for (int i = 0; i <= m->n_nodes; i++) first[i] = 0;
  for (size_t k = 0; k < total; k++) first[m->node[k] + 1]++;
  for (int i = 0; i < m->n_nodes; i++) first[i + 1] += first[i];
  for (int e = 0; e < m->n_elements; e++)
    for (size_t k = m->first[e]; k < m->first[e + 1]; k++) (*of)[first[m->node[k]]++] = e;
  for (int i = m->n_nodes; i > 0; i--) first[i] = first[i - 1];
  first[0] = 0;
  return true;
}

/* Finds the neighbours of node i: all nodes of its elements. */
static int neighbours(const hk_part_mesh *m, const size_t *first, const int *of, int i, int *mark,
                      int *list) {
  int n = 0;
  for (size_t k = first[i]; k < first[i + 1]; k++)
    for (size_t l = m->first[of[k]]; l < m->first[of[k] + 1]; l++) {
      if (mark[m->node[l]] == i) continue;
      mark[m->node[l]] = i;
      list[n++] = m->node[l];
    }
  return n;
}

static bool make_pattern(const hk_part_mesh *m, hk_nodal_matrix *A) {
  size_t n = (size_t)m->n_nodes, used = 0;
  size_t *first = malloc(sizeof *first * (n + 1));
  int *of = NULL, *mark = malloc(sizeof *mark * n), *list = malloc(sizeof *list * n);
  A->n = m->n_nodes;
  A->first = malloc(sizeof *A->first * (n + 1));
  bool ok = first && mark && list && A->first && elements_at_nodes(m, first, &of);
  for (int pass = 0; pass < 2 && ok; pass++) {
    for (size_t i = 0; i < n; i++) mark[i] = -1;
    used = 0;
    for (int i = 0; i < m->n_nodes; i++) {
      int count = neighbours(m, first, of, i, mark, pass ? A->column + used : list);
      if (pass) qsort(A->column + used, (size_t)count, sizeof(int), compare_int);
      A->first[i] = used;
      used += (size_t)count;
    }
    A->first[n] = used;
    if (pass) break;
    A->column = malloc(sizeof *A->column * used);
    A->K = calloc(9 * used, sizeof *A->K);
    A->m = calloc(used, sizeof *A->m);
    ok = A->column && A->K && A->m;
  }
  free(first);
  free(of);
  free(mark);
  free(list);
  return ok;
}

/* ---- numbers ---- */

static void corners(const hk_part_mesh *m, int e, const double *from, double x[HK_SOLID_NODES][3]) {
  int n = (int)(m->first[e + 1] - m->first[e]);
  for (int a = 0; a < n; a++)
    memcpy(x[a], from + 3 * (size_t)m->node[m->first[e] + (size_t)a], sizeof x[a]);
}

static hk_status refuse_element(const hk_part_mesh *m, int e, const hk_solid_rule *rule,
                                double x[][3], hk_error *err) {
  double g[HK_SOLID_NODES][3], volume = 0, c[3] = {0};
  int n = (int)(m->first[e + 1] - m->first[e]), corner_count = hk_solid_types[m->kind[e]].corners;
  for (int q = 0; q < rule->points; q++)
    volume += rule->weight[q] * hk_solid_gradients(rule, q, x, g);
  for (int a = 0; a < corner_count; a++)
    for (int d = 0; d < 3; d++) c[d] += x[a][d] / corner_count;
  return hk_fail(err, HK_EINPUT,
                 "element %ld (%s) at (%.4g, %.4g, %.4g) m is inverted: its volume is %.4g m^3, "
                 "and negative at a "
                 "point inside; %s",
                 m->element_label[e], hk_solid_types[m->kind[e]].name, c[0], c[1], c[2], volume,
                 n > corner_count && volume > 0
                     ? "mesh the part again with straight edges (gmsh: Mesh.SecondOrderLinear = 1) "
                       "or a smaller size"
                     : "check the order of its nodes, or mesh the part again");
}

/* Creates both quadrature rules for each kind of element in the mesh. */
typedef struct rules {
  hk_solid_rule stiffness[HK_SOLID_KINDS], mass[HK_SOLID_KINDS];
} rules;

static rules *make_rules(void) {
  rules *r = malloc(sizeof *r);
  for (int k = 0; r && k < HK_SOLID_KINDS; k++) {
    hk_solid_stiffness_rule((hk_solid_kind)k, &r->stiffness[k]);
    hk_solid_mass_rule((hk_solid_kind)k, &r->mass[k]);
  }
  return r;
}

static hk_status add_element(const hk_part_mesh *mesh, int e, const rules *r,
                             const hk_part_material *material, hk_nodal_matrix *A, hk_error *err) {
  double x[HK_SOLID_NODES][3], m[HK_SOLID_NODES][HK_SOLID_NODES],
      K[HK_SOLID_NODES][HK_SOLID_NODES][9];
  const hk_solid_rule *rule = &r->stiffness[mesh->kind[e]];
  const int *node = mesh->node + mesh->first[e];
  corners(mesh, e, &mesh->x[0][0], x);
  if (!hk_solid_stiffness(rule, x, hk_part_elasticity(material), K) ||
      !(hk_solid_mass(&r->mass[mesh->kind[e]], x, material->density, m) > 0))
    return refuse_element(mesh, e, &r->mass[mesh->kind[e]], x, err);
  for (int a = 0; a < rule->nodes; a++)
    for (int b = 0; b < rule->nodes; b++) {
      size_t at = hk_nodal_entry(A, node[a], node[b]);
      for (int i = 0; i < 9; i++) A->K[9 * at + (size_t)i] += K[a][b][i];
      A->m[at] += m[a][b];
    }
  return HK_OK;
}

hk_status hk_part_assemble(const hk_part_mesh *mesh, const hk_part_material *material,
                           hk_nodal_matrix *out, hk_error *err) {
  if (!(material->young > 0) || !(material->density > 0) ||
      !(material->poisson > -1 && material->poisson < 0.5) || !isfinite(material->young) ||
      !isfinite(material->density))
    return hk_fail(err, HK_EINPUT,
                   "a material needs Young's modulus > 0 (is %.4g Pa), Poisson's ratio between -1 "
                   "and 0.5 (is %.4g) and "
                   "a density > 0 (is %.4g kg/m^3)",
                   material->young, material->poisson, material->density);
  *out = (hk_nodal_matrix){0};
  rules *r = make_rules();
  hk_status status = r && make_pattern(mesh, out) ? HK_OK : no_memory(err);
  for (int e = 0; e < mesh->n_elements && !status; e++)
    status = add_element(mesh, e, r, material, out, err);
  free(r);
  if (status) hk_nodal_matrix_free(out);
  return status;
}

void hk_part_stress_stiffness(const hk_part_mesh *mesh, const hk_part_material *material,
                              const hk_nodal_matrix *A, const double *u, double *k) {
  double x[HK_SOLID_NODES][3], v[HK_SOLID_NODES][3], own[HK_SOLID_NODES][HK_SOLID_NODES];
  hk_solid_rule rule;
  int kind = -1;
  for (int e = 0; e < mesh->n_elements; e++) {
    if (mesh->kind[e] != kind)
      hk_solid_stiffness_rule((hk_solid_kind)(kind = mesh->kind[e]), &rule);
    const int *node = mesh->node + mesh->first[e];
    corners(mesh, e, &mesh->x[0][0], x);
    corners(mesh, e, u, v);
    hk_solid_stress_stiffness(&rule, x, v, hk_part_elasticity(material), own);
    for (int a = 0; a < rule.nodes; a++)
      for (int b = 0; b < rule.nodes; b++) k[hk_nodal_entry(A, node[a], node[b])] += own[a][b];
  }
}

/* ---- connection ---- */

/* Stores the number `part` for all nodes of the mesh that are connected with the node `start`; returns the number of
 * these nodes. Nodes with the same `join` count as connected. */
static int flood(const hk_nodal_matrix *A, const int *join, int start, int part, int *owner,
                 int *queue) {
  int from = 0, to = 0;
  queue[to++] = start, owner[start] = part;
  while (from < to) {
    int a = queue[from++];
    for (size_t e = A->first[a]; e < A->first[a + 1]; e++) {
      int b = A->column[e];
      if (owner[b] < 0) owner[b] = part, queue[to++] = b;
    }
    for (int b = 0; join && join[a] && b < A->n; b++)
      if (join[b] == join[a] && owner[b] < 0) owner[b] = part, queue[to++] = b;
  }
  return to;
}

hk_status hk_part_check_connected(const hk_nodal_matrix *A, const double (*x)[3], const int *join,
                                  hk_error *err) {
  int *owner = malloc(sizeof *owner * 2 * ((size_t)A->n + 1)), parts = 0, size[2] = {0},
      start[2] = {0};
  if (!owner) return no_memory(err);
  for (int i = 0; i < A->n; i++) owner[i] = -1;
  for (int i = 0; i < A->n; i++) {
    if (owner[i] >= 0) continue;
    int count = flood(A, join, i, parts, owner, owner + A->n), k = parts < 2 ? parts : 1;
    if (parts < 2 || count < size[1]) size[k] = count, start[k] = i;
    parts++;
  }
  free(owner);
  if (parts < 2) return HK_OK;
  int small = size[1] < size[0] ? 1 : 0;
  return hk_fail(
      err, HK_EINPUT,
      "the part consists of %d pieces that are not connected; one has %d nodes, at (%.4g, %.4g, "
      "%.4g) m. "
      "Merge the nodes where pieces touch (gmsh: Coherence, or BooleanFragments before meshing)",
      parts, size[small], x[start[small]][0], x[start[small]][1], x[start[small]][2]);
}
