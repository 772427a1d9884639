/* Building, moving and comparing meshes: see mesh.h. */
#include "mesh/mesh.h"
#include <float.h>
#include <stdlib.h>
#include <string.h>

void hk_mesh_free(hk_mesh *m) {
  free(m->position);
  free(m->normal);
  free(m->triangle);
  *m = (hk_mesh){0};
}

/* Reserves memory for `n` entries of `size` bytes; the capacity doubles, so that adding one by
 * one is cheap. */
static bool reserve(void **at, size_t *capacity, size_t n, size_t size) {
  if (n <= *capacity) return true;
  size_t more = *capacity ? *capacity : 64;
  while (more < n) more *= 2;
  void *grown = realloc(*at, more * size);
  if (!grown) return false;
  *at = grown;
  *capacity = more;
  return true;
}

static bool reserve_vertices(hk_mesh *m, size_t n) {
  size_t capacity = m->vertex_capacity;
  bool ok = reserve((void **)&m->position, &capacity, n, 3 * sizeof(float));
  capacity = m->vertex_capacity;
  ok = ok && reserve((void **)&m->normal, &capacity, n, 3 * sizeof(float));
  if (ok) m->vertex_capacity = capacity;
  m->failed = m->failed || !ok;
  return ok;
}

static bool reserve_triangles(hk_mesh *m, size_t n) {
  bool ok = reserve((void **)&m->triangle, &m->triangle_capacity, n, 3 * sizeof(uint32_t));
  m->failed = m->failed || !ok;
  return ok;
}

uint32_t hk_mesh_vertex(hk_mesh *m, hk_vec3 p, hk_vec3 n) {
  if (m->failed || !reserve_vertices(m, m->n_vertices + 1)) return 0;
  float *x = m->position + 3 * m->n_vertices, *y = m->normal + 3 * m->n_vertices;
  double length = hk_norm(n);
  if (length > 0) n = hk_scale(1 / length, n);
  x[0] = (float)p.x, x[1] = (float)p.y, x[2] = (float)p.z;
  y[0] = (float)n.x, y[1] = (float)n.y, y[2] = (float)n.z;
  return (uint32_t)m->n_vertices++;
}

void hk_mesh_triangle(hk_mesh *m, uint32_t a, uint32_t b, uint32_t c) {
  if (m->failed || a == b || b == c || c == a || !reserve_triangles(m, m->n_triangles + 1)) return;
  uint32_t *t = m->triangle + 3 * m->n_triangles++;
  t[0] = a, t[1] = b, t[2] = c;
}

void hk_mesh_quad(hk_mesh *m, uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
  hk_mesh_triangle(m, a, b, c);
  hk_mesh_triangle(m, a, c, d);
}

void hk_mesh_face(hk_mesh *m, hk_vec3 a, hk_vec3 b, hk_vec3 c, hk_vec3 d) {
  hk_vec3 n = hk_cross(hk_sub(c, a), hk_sub(d, b));
  hk_mesh_quad(m, hk_mesh_vertex(m, a, n), hk_mesh_vertex(m, b, n), hk_mesh_vertex(m, c, n),
               hk_mesh_vertex(m, d, n));
}

hk_vec3 hk_mesh_position(const hk_mesh *m, size_t i) {
  const float *x = m->position + 3 * i;
  return hk_v3(x[0], x[1], x[2]);
}

void hk_mesh_move(hk_mesh *m, const hk_mat3 *R, hk_vec3 by) {
  for (size_t i = 0; i < m->n_vertices; i++) {
    float *x = m->position + 3 * i, *y = m->normal + 3 * i;
    hk_vec3 p = hk_add(hk_mul(R, hk_v3(x[0], x[1], x[2])), by);
    hk_vec3 n = hk_mul(R, hk_v3(y[0], y[1], y[2]));
    x[0] = (float)p.x, x[1] = (float)p.y, x[2] = (float)p.z;
    y[0] = (float)n.x, y[1] = (float)n.y, y[2] = (float)n.z;
  }
}

void hk_mesh_append(hk_mesh *m, const hk_mesh *o) {
  size_t v = m->n_vertices, t = m->n_triangles;
  m->failed = m->failed || o->failed;
  if (m->failed || !reserve_vertices(m, v + o->n_vertices + 1) ||
      !reserve_triangles(m, t + o->n_triangles + 1))
    return;
  if (o->n_vertices) {
    memcpy(m->position + 3 * v, o->position, 3 * o->n_vertices * sizeof(float));
    memcpy(m->normal + 3 * v, o->normal, 3 * o->n_vertices * sizeof(float));
  }
  for (size_t i = 0; i < 3 * o->n_triangles; i++)
    m->triangle[3 * t + i] = o->triangle[i] + (uint32_t)v;
  m->n_vertices += o->n_vertices;
  m->n_triangles += o->n_triangles;
}

bool hk_mesh_bounds(const hk_mesh *m, hk_vec3 *low, hk_vec3 *high) {
  *low = hk_v3(DBL_MAX, DBL_MAX, DBL_MAX), *high = hk_neg(*low);
  for (size_t i = 0; i < m->n_vertices; i++) {
    hk_vec3 p = hk_mesh_position(m, i);
    *low = hk_v3(fmin(low->x, p.x), fmin(low->y, p.y), fmin(low->z, p.z));
    *high = hk_v3(fmax(high->x, p.x), fmax(high->y, p.y), fmax(high->z, p.z));
  }
  return m->n_vertices > 0;
}

bool hk_mesh_equal(const hk_mesh *a, const hk_mesh *b) {
  size_t v = 3 * a->n_vertices * sizeof(float), t = 3 * a->n_triangles * sizeof(uint32_t);
  if (a->n_vertices != b->n_vertices || a->n_triangles != b->n_triangles ||
      a->two_sided != b->two_sided)
    return false;
  return (!v ||
          (memcmp(a->position, b->position, v) == 0 && memcmp(a->normal, b->normal, v) == 0)) &&
         (!t || memcmp(a->triangle, b->triangle, t) == 0);
}
