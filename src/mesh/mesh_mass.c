/* Volume, centre and inertia of a closed mesh.
 *
 * A triangle (a, b, c) and the origin span a tetrahedron of the signed volume v = a.(b x c)/6.
 * Over it
 *   int x dV = v (a + b + c)/4,
 *   int x x^T dV = v/20 (a a^T + b b^T + c c^T + s s^T),   s = a + b + c
 * and the sum over all triangles is the integral over the body, because volume outside of the body is counted once
 * with each sign [Tonon 2004]. Vertices are measured from a point within the mesh, so that a body far from the origin
 * loses no digits. */
#include "mesh/mesh.h"
#include <stdlib.h>

typedef struct moments {
  double v;
  hk_vec3 first;
  hk_mat3 second;
} moments;

static void add_outer(hk_mat3 *S, double f, hk_vec3 a) {
  const double x[3] = {a.x, a.y, a.z};
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) S->m[i][j] += f * x[i] * x[j];
}

static void add_triangle(moments *s, hk_vec3 a, hk_vec3 b, hk_vec3 c) {
  double v = hk_dot(a, hk_cross(b, c)) / 6;
  hk_vec3 sum = hk_add(a, hk_add(b, c));
  s->v += v;
  s->first = hk_axpy(s->first, v / 4, sum);
  add_outer(&s->second, v / 20, a);
  add_outer(&s->second, v / 20, b);
  add_outer(&s->second, v / 20, c);
  add_outer(&s->second, v / 20, sum);
}

/* I = tr(P) E - P of the second moments P about the centre. */
static void set_inertia(hk_volume *out, const hk_mat3 *P) {
  double trace = P->m[0][0] + P->m[1][1] + P->m[2][2];
  for (int i = 0; i < 3; i++) out->inertia[i] = trace - P->m[i][i];
  out->inertia[3] = -P->m[0][1], out->inertia[4] = -P->m[0][2], out->inertia[5] = -P->m[1][2];
}

static hk_mat3 second_moments(const double I[6]) {
  double half = 0.5 * (I[0] + I[1] + I[2]);
  return (hk_mat3){
      {{half - I[0], -I[3], -I[4]}, {-I[3], half - I[1], -I[5]}, {-I[4], -I[5], half - I[2]}}};
}

hk_status hk_mesh_volume(const hk_mesh *m, hk_volume *out, hk_error *err) {
  hk_vec3 low, high;
  *out = (hk_volume){0};
  if (!hk_mesh_bounds(m, &low, &high)) return hk_fail(err, HK_EINPUT, "it has no surface");
  hk_vec3 middle = hk_scale(0.5, hk_add(low, high)), size = hk_sub(high, low);
  moments s = {0};
  /* The area vectors of a closed surface sum to zero; a hole leaves its own area vector. */
  hk_vec3 hole = {0, 0, 0};
  double area = 0;
  for (size_t i = 0; i < m->n_triangles; i++) {
    const uint32_t *t = m->triangle + 3 * i;
    hk_vec3 a = hk_sub(hk_mesh_position(m, t[0]), middle);
    hk_vec3 b = hk_sub(hk_mesh_position(m, t[1]), middle);
    hk_vec3 c = hk_sub(hk_mesh_position(m, t[2]), middle);
    hk_vec3 n = hk_scale(0.5, hk_cross(hk_sub(b, a), hk_sub(c, a)));
    hole = hk_add(hole, n);
    area += hk_norm(n);
    add_triangle(&s, a, b, c);
  }
  if (hk_norm(hole) > 1e-4 * area)
    return hk_fail(err, HK_EINPUT,
                   "its surface is not closed: the holes are about %.3g of its area, so that its "
                   "volume is undefined",
                   hk_norm(hole) / area);
  if (s.v < 0) { /* all triangles are oriented inwards */
    s.v = -s.v, s.first = hk_neg(s.first);
    for (int i = 0; i < 9; i++) s.second.m[i / 3][i % 3] *= -1;
  }
  if (!(s.v > 1e-9 * size.x * size.y * size.z))
    return hk_fail(err, HK_EINPUT, "its surface encloses no volume");
  hk_vec3 c = hk_scale(1 / s.v, s.first);
  add_outer(&s.second, -s.v, c);
  out->volume = s.v;
  out->center = hk_add(middle, c);
  set_inertia(out, &s.second);
  return HK_OK;
}

void hk_volume_add(hk_volume *sum, const hk_volume *v, const hk_mat3 *R, hk_vec3 by) {
  hk_mat3 P = second_moments(sum->inertia), Q = second_moments(v->inertia);
  hk_mat3 T = hk_matmul(R, &Q);
  hk_mat3 turned;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      turned.m[i][j] = T.m[i][0] * R->m[j][0] + T.m[i][1] * R->m[j][1] + T.m[i][2] * R->m[j][2];
  hk_vec3 c = hk_add(hk_mul(R, v->center), by);
  double volume = sum->volume + v->volume;
  hk_vec3 center = hk_scale(1 / volume, hk_axpy(hk_scale(sum->volume, sum->center), v->volume, c));
  for (int i = 0; i < 9; i++) P.m[i / 3][i % 3] += turned.m[i / 3][i % 3];
  add_outer(&P, sum->volume, hk_sub(sum->center, center));
  add_outer(&P, v->volume, hk_sub(c, center));
  sum->volume = volume;
  sum->center = center;
  set_inertia(sum, &P);
}
