/* Races with tracks and cages with windows: see mesh.h.
 *
 * The side of a race with tracks is a radius as a function of azimuth and z. The cylinder of a track has the radius
 * rho around the line p + s e. A ray from the axis of the race meets this cylinder at the points x with |d - (d.e) e|
 * = rho, d = x - p. This is a quadratic equation for the distance of x from the axis. For the outer race the far wall
 * of the cylinder counts, if it is beyond the bore; for the inner race the near wall counts, if it is below the outer
 * surface. For a torus the wall is searched on each side of its centre line. */
#include "mesh/mesh.h"
#include <stdlib.h>

enum { PER_TRACK = 24, ROWS = 20 };

/* Signed distance of the point r of the ray from the surface of a torus, > 0 outside; d: height of the ray above the
 * centre of the arc. */
static double outside_torus(const hk_track *t, double c, double s, double d, double r) {
  double D = d * t->straight > 0 ? r * c : hypot(r * c, d);
  return hypot(D - t->arc_radius, r * s) - t->radius;
}

static double torus_wall(const hk_track *t, double c, double s, double z, bool far) {
  double at = hypot(t->at.x, t->at.y), cos_t = (c * t->at.x + s * t->at.y) / at;
  double sin_t = (s * t->at.x - c * t->at.y) / at, d = z - t->arc_center, rho = t->arc_radius;
  double straight = d * t->straight > 0 ? 0 : d;
  if (fabs(straight) >= rho || cos_t < 0.1) return NAN;
  double low = sqrt(rho * rho - straight * straight) / cos_t, high = low + 3 * t->radius;
  if (outside_torus(t, cos_t, sin_t, d, low) > 0) return NAN;
  if (!far) high = fmax(0, low - 3 * t->radius);
  for (int i = 0; i < 40; i++) {
    double middle = 0.5 * (low + high);
    if (outside_torus(t, cos_t, sin_t, d, middle) > 0)
      high = middle;
    else
      low = middle;
  }
  return low;
}

/* Distance from the axis at which the ray at (cos, sin, z) meets the wall; NaN: no intersection. */
static double wall(const hk_track *t, double c, double s, double z, bool far) {
  if (t->arc_radius > 0) return torus_wall(t, c, s, z, far);
  hk_vec3 u = hk_v3(c, s, 0), d = hk_sub(hk_v3(0, 0, z), t->at), e = hk_unit3(t->along);
  hk_vec3 du = hk_axpy(u, -hk_dot(u, e), e), dd = hk_axpy(d, -hk_dot(d, e), e);
  double A = hk_dot(du, du), B = hk_dot(du, dd), C = hk_dot(dd, dd) - t->radius * t->radius;
  double root = B * B - A * C;
  if (!(A > 1e-12) || root < 0) return NAN;
  return (-B + (far ? sqrt(root) : -sqrt(root))) / A;
}

static double height(double plain, bool far, const hk_track *track, int n, double f, double z) {
  double r = plain, c = cos(f), s = sin(f);
  for (int i = 0; i < n; i++) {
    if (c * track[i].at.x + s * track[i].at.y < 0)
      continue; /* the point is on the opposite side of the axis */
    double w = wall(&track[i], c, s, z, far);
    if (isnan(w)) continue;
    r = far ? fmax(r, w) : fmin(r, w);
  }
  return fmax(r, 0.05 * plain);
}

typedef struct grid {
  int columns, rows;
  double *r, length;
} grid;

static hk_vec3 point(const grid *g, int i, int k) {
  int column = (i + g->columns) % g->columns, row = k < 0 ? 0 : k >= g->rows ? g->rows - 1 : k;
  double f = 2 * M_PI * column / g->columns, r = g->r[row * g->columns + column];
  return hk_v3(r * cos(f), r * sin(f), g->length * ((double)row / (g->rows - 1) - 0.5));
}

static hk_vec3 slope_normal(const grid *g, int i, int k) {
  hk_vec3 around = hk_sub(point(g, i + 1, k), point(g, i - 1, k));
  return hk_cross(around, hk_sub(point(g, i, k + 1), point(g, i, k - 1)));
}

/* Adds the side with tracks. Its normals point outwards; for a bore they point towards the axis. */
static void tracked_side(hk_mesh *m, const grid *g, bool bore) {
  uint32_t first = 0;
  for (int k = 0; k < g->rows; k++)
    for (int i = 0; i < g->columns; i++) {
      hk_vec3 n = slope_normal(g, i, k);
      uint32_t v = hk_mesh_vertex(m, point(g, i, k), bore ? hk_neg(n) : n);
      if (k == 0 && i == 0) first = v;
    }
  for (int k = 0; k + 1 < g->rows; k++)
    for (int i = 0; i < g->columns; i++) {
      uint32_t w = (uint32_t)g->columns, a = first + (uint32_t)k * w + (uint32_t)i;
      uint32_t b = first + (uint32_t)k * w + (uint32_t)((i + 1) % g->columns);
      if (bore)
        hk_mesh_quad(m, a, a + w, b + w, b);
      else
        hk_mesh_quad(m, a, b, b + w, a + w);
    }
}

/* The plain side at radius r and the two end faces. */
static void plain_sides(hk_mesh *m, const grid *g, double r, bool outside) {
  for (int i = 0; i < g->columns; i++) {
    double f = 2 * M_PI * i / g->columns, h = 2 * M_PI * (i + 1) / g->columns, l = g->length / 2;
    hk_vec3 a = hk_v3(r * cos(f), r * sin(f), -l), b = hk_v3(r * cos(h), r * sin(h), -l);
    hk_vec3 c = hk_v3(b.x, b.y, l), d = hk_v3(a.x, a.y, l);
    hk_vec3 n0 = hk_v3(a.x, a.y, 0), n1 = hk_v3(b.x, b.y, 0);
    if (!outside) n0 = hk_neg(n0), n1 = hk_neg(n1);
    uint32_t v[4] = {hk_mesh_vertex(m, a, n0), hk_mesh_vertex(m, b, n1), hk_mesh_vertex(m, c, n1),
                     hk_mesh_vertex(m, d, n0)};
    if (outside)
      hk_mesh_quad(m, v[0], v[1], v[2], v[3]);
    else
      hk_mesh_quad(m, v[3], v[2], v[1], v[0]);
    hk_vec3 p = point(g, i, 0), q = point(g, i + 1, 0);
    hk_vec3 s = point(g, i, g->rows - 1), t = point(g, i + 1, g->rows - 1);
    if (outside) {
      hk_mesh_face(m, p, q, b, a);
      hk_mesh_face(m, d, c, t, s);
    } else {
      hk_mesh_face(m, a, b, q, p);
      hk_mesh_face(m, s, t, c, d);
    }
  }
}

typedef struct sides {
  double plain, tracked, length; /* radii and length */
  bool outer, round;
} sides;

static void race(hk_mesh *m, const sides *s, const hk_track *track, int n) {
  double plain = s->plain, length = s->length;
  bool outer = s->outer;
  grid g = {.columns = n * PER_TRACK > 48 ? n * PER_TRACK : 48, .rows = ROWS, .length = length};
  g.r = malloc(sizeof(double) * (size_t)g.columns * (size_t)g.rows);
  if (!g.r) {
    m->failed = true;
    return;
  }
  for (int k = 0; k < g.rows; k++)
    for (int i = 0; i < g.columns; i++) {
      double z = length * ((double)k / (g.rows - 1) - 0.5);
      double tracked =
          s->round ? sqrt(fmax(s->tracked * s->tracked - z * z, 0.1 * s->tracked * s->tracked))
                   : s->tracked;
      double r = height(tracked, outer, track, n, 2 * M_PI * i / g.columns, z);
      g.r[k * g.columns + i] = outer ? fmin(r, 0.97 * plain) : fmax(r, 1.03 * plain);
    }
  tracked_side(m, &g, outer);
  plain_sides(m, &g, plain, outer);
  free(g.r);
}

void hk_mesh_outer_race(hk_mesh *m, double bore, double outside, double length,
                        const hk_track *track, int n) {
  race(m, &(sides){outside, bore, length, true, false}, track, n);
}

void hk_mesh_inner_race(hk_mesh *m, double bore, double outside, double length,
                        const hk_track *track, int n) {
  race(m, &(sides){bore, outside, length, false, false}, track, n);
}

void hk_mesh_outer_ball_race(hk_mesh *m, double bore, double outside, double length,
                             const hk_track *track, int n) {
  race(m, &(sides){outside, bore, length, true, true}, track, n);
}

void hk_mesh_inner_ball_race(hk_mesh *m, double bore, double outside, double length,
                             const hk_track *track, int n) {
  race(m, &(sides){bore, outside, length, false, true}, track, n);
}

/* ---- cage ---- */

static hk_vec3 polar(double r, double f, double z) { return hk_v3(r * cos(f), r * sin(f), z); }

/* One piece of the ring between two azimuths and two heights; `side` selects the visible faces:
 * 1 start, 2 end (in azimuth), 4 bottom, 8 top. */
static void block(hk_mesh *m, double r, double R, double f, double g, double z0, double z1,
                  int side) {
  enum { STEPS = 6 };
  for (int i = 0; i < STEPS; i++) {
    double a = f + (g - f) * i / STEPS, b = f + (g - f) * (i + 1) / STEPS;
    hk_vec3 na = polar(1, a, 0), nb = polar(1, b, 0);
    hk_mesh_quad(m, hk_mesh_vertex(m, polar(R, a, z0), na), hk_mesh_vertex(m, polar(R, b, z0), nb),
                 hk_mesh_vertex(m, polar(R, b, z1), nb), hk_mesh_vertex(m, polar(R, a, z1), na));
    na = hk_neg(na), nb = hk_neg(nb);
    hk_mesh_quad(m, hk_mesh_vertex(m, polar(r, b, z0), nb), hk_mesh_vertex(m, polar(r, a, z0), na),
                 hk_mesh_vertex(m, polar(r, a, z1), na), hk_mesh_vertex(m, polar(r, b, z1), nb));
    if (side & 4)
      hk_mesh_face(m, polar(r, a, z0), polar(r, b, z0), polar(R, b, z0), polar(R, a, z0));
    if (side & 8)
      hk_mesh_face(m, polar(R, a, z1), polar(R, b, z1), polar(r, b, z1), polar(r, a, z1));
  }
  if (side & 1) hk_mesh_face(m, polar(r, f, z0), polar(R, f, z0), polar(R, f, z1), polar(r, f, z1));
  if (side & 2) hk_mesh_face(m, polar(R, g, z0), polar(r, g, z0), polar(r, g, z1), polar(R, g, z1));
}

void hk_mesh_cage(hk_mesh *m, double inner, double outer, double length, int n, double half_width,
                  double half_angle) {
  double pitch = 2 * M_PI / n, l = length / 2;
  for (int k = 0; k < n; k++) {
    double f = pitch * k - half_angle, g = pitch * k + half_angle, next = f + pitch;
    block(m, inner, outer, f, g, -l, -half_width, 4 | 8);
    block(m, inner, outer, f, g, half_width, l, 4 | 8);
    block(m, inner, outer, g, next, -l, -half_width, 4);
    block(m, inner, outer, g, next, -half_width, half_width, 1 | 2);
    block(m, inner, outer, g, next, half_width, l, 8);
  }
}

void hk_mesh_make_round(hk_mesh *m) {
  for (size_t i = 0; i < m->n_vertices; i++) {
    float *x = m->position + 3 * i, *n = m->normal + 3 * i;
    double r2 = (double)x[0] * x[0] + (double)x[1] * x[1], z = x[2];
    double f = r2 > 0 ? sqrt(fmax(1 - z * z / r2, 0.01)) : 1;
    double along = r2 > 0 ? (n[0] * x[0] + n[1] * x[1]) / sqrt(r2) : 0;
    if (fabs(along) > 0.999) { /* on a cylinder, the normal is that of the sphere */
      hk_vec3 out = hk_unit3(hk_v3(f * x[0], f * x[1], z));
      if (along < 0) out = hk_neg(out);
      n[0] = (float)out.x, n[1] = (float)out.y, n[2] = (float)out.z;
    }
    x[0] = (float)(f * x[0]), x[1] = (float)(f * x[1]);
  }
}
