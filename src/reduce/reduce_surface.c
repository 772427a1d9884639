/* Surface of a part: triangles, displacements and stresses of the modes.
 *
 * A face belongs to the surface if only one element has it.  In each element a linear field is
 * fitted by least squares to the stresses at the quadrature points of the stiffness, where the
 * stresses are most accurate. The values of this field at a node are averaged over the elements
 * at the node. */
#include "base/small_lu.h"
#include "reduce/reduce_private.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static hk_status no_memory(hk_error *err) { return hk_fail(err, HK_ENOMEM, "out of memory"); }

/* ---- faces ---- */

typedef struct face {
  int key[4]; /* corners, ascending; the last one is -1 for triangles */
  int element, face;
} face;

static int compare_face(const void *a, const void *b) {
  const face *x = a, *y = b;
  for (int i = 0; i < 4; i++)
    if (x->key[i] != y->key[i]) return x->key[i] < y->key[i] ? -1 : 1;
  return (x->element > y->element) - (x->element < y->element);
}

static void sort_key(int key[4], int n) {
  for (int i = 1; i < n; i++)
    for (int k = i; k > 0 && key[k] < key[k - 1]; k--) {
      int keep = key[k];
      key[k] = key[k - 1], key[k - 1] = keep;
    }
  if (n == 3) key[3] = -1;
}

/* Finds all faces that belong to only one element; *n: their number. */
static face *outer_faces(const hk_part_mesh *m, size_t *n) {
  size_t total = 0, kept = 0;
  for (int e = 0; e < m->n_elements; e++) total += (size_t)hk_solid_types[m->kind[e]].faces;
  face *f = malloc(sizeof *f * (total + 1));
  if (!f) return NULL;
  total = 0;
  for (int e = 0; e < m->n_elements; e++)
    for (int k = 0; k < hk_solid_types[m->kind[e]].faces; k++) {
      int own[HK_SOLID_FACE_NODES], corners;
      hk_solid_face((hk_solid_kind)m->kind[e], k, own, &corners);
      f[total] = (face){.element = e, .face = k};
      for (int i = 0; i < corners; i++) f[total].key[i] = m->node[m->first[e] + (size_t)own[i]];
      sort_key(f[total++].key, corners);
    }
  qsort(f, total, sizeof *f, compare_face);
  for (size_t i = 0; i < total;) {
    size_t end = i + 1;
    while (end < total && memcmp(f[end].key, f[i].key, sizeof f->key) == 0) end++;
    if (end == i + 1) f[kept++] = f[i];
    i = end;
  }
  *n = kept;
  return f;
}

/* Divides a face into triangles, by the indices of its nodes within the face; returns their number. */
static int split(int corners, int nodes, int triangle[6][3]) {
  static const int FLAT[2][3] = {{0, 1, 2}, {0, 2, 3}};
  static const int CURVED_3[4][3] = {{0, 3, 5}, {3, 1, 4}, {5, 4, 2}, {3, 4, 5}};
  static const int CURVED_4[6][3] = {{0, 4, 7}, {4, 1, 5}, {5, 2, 6},
                                     {6, 3, 7}, {4, 5, 6}, {4, 6, 7}};
  if (nodes == corners) {
    memcpy(triangle, FLAT, sizeof FLAT);
    return corners - 2;
  }
  if (corners == 3)
    memcpy(triangle, CURVED_3, sizeof CURVED_3);
  else
    memcpy(triangle, CURVED_4, sizeof CURVED_4);
  return corners == 3 ? 4 : 6;
}

/* vertex[node]: number of the vertex; -1: the node is not on the surface. */
static hk_status fill_triangles(const hk_reduction *r, hk_flexible_surface *s, int *vertex,
                                hk_error *err) {
  const hk_part_mesh *m = r->t->mesh;
  size_t faces = 0;
  face *f = outer_faces(m, &faces);
  int32_t *triangle = f ? HK_NEW_ARRAY(r->arena, int32_t, 18 * faces + 1) : NULL;
  if (!triangle) {
    free(f);
    return no_memory(err);
  }
  for (int i = 0; i < m->n_nodes; i++) vertex[i] = -1;
  for (size_t i = 0; i < faces; i++) {
    int own[HK_SOLID_FACE_NODES], corners, part[6][3];
    int nodes = hk_solid_face((hk_solid_kind)m->kind[f[i].element], f[i].face, own, &corners);
    int count = split(corners, nodes, part);
    for (int k = 0; k < 3 * count; k++) {
      int node = m->node[m->first[f[i].element] + (size_t)own[part[k / 3][k % 3]]];
      if (vertex[node] < 0) vertex[node] = s->n_vertices++;
      triangle[3 * (size_t)s->n_triangles + (size_t)k] = vertex[node];
    }
    s->n_triangles += count;
  }
  free(f);
  s->triangle = triangle;
  return HK_OK;
}

/* ---- stress ---- */

/* Matrix that gives the values of the linear fit at the nodes from the values at the quadrature points:
 * fit[node][point]. */
static void make_fit(const hk_solid_rule *rule, double x[][3],
                     double fit[HK_SOLID_NODES][HK_SOLID_POINTS]) {
  int points = rule->points, terms = points < 4 ? 1 : 4;
  double c[3] = {0}, row[HK_SOLID_POINTS][4], N[16] = {0}, pivot[4], size = 0;
  for (int a = 0; a < rule->nodes; a++)
    for (int d = 0; d < 3; d++) c[d] += x[a][d] / rule->nodes;
  for (int a = 0; a < rule->nodes; a++)
    for (int d = 0; d < 3; d++) size = fmax(size, fabs(x[a][d] - c[d]));
  for (int q = 0; q < points; q++) {
    row[q][0] = 1;
    for (int d = 0; d < 3; d++) {
      double p = 0;
      for (int a = 0; a < rule->nodes; a++) p += rule->N[q][a] * (x[a][d] - c[d]);
      row[q][1 + d] = p / size;
    }
    for (int i = 0; i < terms; i++)
      for (int k = 0; k < terms; k++) N[i * terms + k] += row[q][i] * row[q][k];
  }
  if (!hk_small_lu_factor(N, pivot, terms, 1e-12)) terms = 1, N[0] = points; /* flat: the mean */
  for (int q = 0; q < points; q++) {
    double solution[4];
    memcpy(solution, row[q], sizeof solution);
    if (terms == 4)
      hk_small_lu_solve(N, pivot, 4, solution, 1);
    else
      solution[0] = 1.0 / points;
    for (int a = 0; a < rule->nodes; a++) {
      fit[a][q] = solution[0];
      for (int d = 0; d < 3 && terms == 4; d++)
        fit[a][q] += solution[1 + d] * (x[a][d] - c[d]) / size;
    }
  }
}

/* Adds the stresses of one element in all modes to its vertices. */
static void add_element(const hk_reduction *r, const hk_solid_rule *rule, int e, const int *vertex,
                        int vertices, float *stress) {
  const hk_part_mesh *m = r->t->mesh;
  const int *node = m->node + m->first[e];
  double x[HK_SOLID_NODES][3], u[HK_SOLID_NODES][3], fit[HK_SOLID_NODES][HK_SOLID_POINTS],
      s[HK_SOLID_POINTS][6];
  static _Thread_local double g[HK_SOLID_POINTS][HK_SOLID_NODES][3];
  for (int a = 0; a < rule->nodes; a++) memcpy(x[a], m->x[node[a]], sizeof x[a]);
  make_fit(rule, x, fit);
  for (int q = 0; q < rule->points; q++) hk_solid_gradients(rule, q, x, g[q]);
  for (int k = 0; k < r->m; k++) {
    const double *mode = r->mode + (size_t)k * r->length;
    for (int a = 0; a < rule->nodes; a++) memcpy(u[a], mode + 3 * (size_t)node[a], sizeof u[a]);
    for (int q = 0; q < rule->points; q++)
      hk_solid_stress(rule->nodes, g[q], u, hk_part_elasticity(r->t->material), s[q]);
    for (int a = 0; a < rule->nodes; a++) {
      if (vertex[node[a]] < 0) continue;
      float *to = stress + 6 * ((size_t)k * (size_t)vertices + (size_t)vertex[node[a]]);
      for (int i = 0; i < 6; i++) {
        double sum = 0;
        for (int q = 0; q < rule->points; q++) sum += fit[a][q] * s[q][i];
        to[i] += (float)sum;
      }
    }
  }
}

static hk_status fill_stress(const hk_reduction *r, hk_flexible_surface *s, const int *vertex,
                             hk_error *err) {
  const hk_part_mesh *m = r->t->mesh;
  size_t vertices = (size_t)s->n_vertices;
  float *stress = HK_NEW_ARRAY(r->arena, float, 6 * vertices * (size_t)r->m + 1);
  int *elements = calloc(vertices + 1, sizeof *elements);
  if (!stress || !elements) {
    free(elements);
    return no_memory(err);
  }
  hk_solid_rule rule;
  int kind = -1;
  for (int e = 0; e < m->n_elements; e++) {
    bool outside = false;
    for (size_t k = m->first[e]; k < m->first[e + 1]; k++)
      if (vertex[m->node[k]] >= 0) outside = true, elements[vertex[m->node[k]]]++;
    if (!outside) continue;
    if (m->kind[e] != kind) hk_solid_stiffness_rule((hk_solid_kind)(kind = m->kind[e]), &rule);
    add_element(r, &rule, e, vertex, s->n_vertices, stress);
  }
  for (size_t i = 0; i < 6 * vertices * (size_t)r->m; i++)
    stress[i] /= (float)elements[i / 6 % vertices];
  free(elements);
  s->stress = stress;
  return HK_OK;
}

static hk_status fill_points(const hk_reduction *r, hk_flexible_surface *s, const int *vertex,
                             hk_error *err) {
  const hk_part_mesh *m = r->t->mesh;
  size_t vertices = (size_t)s->n_vertices;
  float *place = HK_NEW_ARRAY(r->arena, float, 3 * vertices + 1),
        *moved = HK_NEW_ARRAY(r->arena, float, 3 * vertices * (size_t)r->m + 1);
  if (!place || !moved) return no_memory(err);
  for (int i = 0; i < m->n_nodes; i++)
    for (int d = 0; d < 3 && vertex[i] >= 0; d++) {
      place[3 * vertex[i] + d] = (float)(m->x[i][d] - r->center[d]);
      for (int k = 0; k < r->m; k++)
        moved[3 * ((size_t)k * vertices + (size_t)vertex[i]) + (size_t)d] =
            (float)r->mode[(size_t)k * r->length + 3 * (size_t)i + (size_t)d];
    }
  s->vertex = place;
  s->displacement = moved;
  return HK_OK;
}

hk_status hk_reduction_surface(const hk_reduction *r, hk_flexible_surface *surface, hk_error *err) {
  int *vertex = malloc(sizeof *vertex * ((size_t)r->t->mesh->n_nodes + 1));
  if (!vertex) return no_memory(err);
  hk_flexible_surface s = {0};
  hk_status status = fill_triangles(r, &s, vertex, err);
  if (!status) status = fill_points(r, &s, vertex, err);
  if (!status) status = fill_stress(r, &s, vertex, err);
  free(vertex);
  if (!status) *surface = s;
  return status;
}
