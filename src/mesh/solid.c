/* Box, solids of revolution, extrusions, coils: see mesh.h. */
#include "mesh/mesh.h"
#include <stdlib.h>

enum { AROUND = 40, COIL_SECTION = 8, COIL_STEPS = 20 };

void hk_mesh_box(hk_mesh *m, hk_vec3 s) {
  hk_vec3 c[8];
  for (int i = 0; i < 8; i++)
    c[i] =
        hk_v3((i & 1 ? 0.5 : -0.5) * s.x, (i & 2 ? 0.5 : -0.5) * s.y, (i & 4 ? 0.5 : -0.5) * s.z);
  static const int face[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
                                 {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
  for (int i = 0; i < 6; i++)
    hk_mesh_face(m, c[face[i][0]], c[face[i][1]], c[face[i][2]], c[face[i][3]]);
}

/* ---- revolution ---- */

/* Outward normal (r, z) of the edge from a to b of a counter-clockwise outline. */
static hk_profile_point edge_normal(hk_profile_point a, hk_profile_point b) {
  double dr = b.r - a.r, dz = b.z - a.z, l = hypot(dr, dz);
  return l > 0 ? (hk_profile_point){dz / l, -dr / l} : (hk_profile_point){0, 0};
}

static uint32_t ring(hk_mesh *m, hk_profile_point p, hk_profile_point n, int around) {
  uint32_t first = 0;
  for (int k = 0; k <= around; k++) {
    double f = 2 * M_PI * (k % around) / around, c = cos(f), s = sin(f);
    uint32_t v = hk_mesh_vertex(m, hk_v3(p.r * c, p.r * s, p.z), hk_v3(n.r * c, n.r * s, n.z));
    if (k == 0) first = v;
  }
  return first;
}

/* Returns the normal at an end of an edge of the outline. If the transition to the neighbouring edge is smooth, this
 * is the mean of the normals of both edges. */
static hk_profile_point blend(hk_profile_point own, hk_profile_point next) {
  double along = own.r * next.r + own.z * next.z;
  if (along < 0.86) return own;
  return (hk_profile_point){own.r + next.r, own.z + next.z};
}

void hk_mesh_lathe(hk_mesh *m, const hk_profile_point *o, int n, int around) {
  for (int i = 0; i < n; i++) {
    hk_profile_point a = o[i], b = o[(i + 1) % n];
    if (a.r <= 0 && b.r <= 0) continue; /* a segment on the axis has no surface */
    hk_profile_point own = edge_normal(a, b), before = edge_normal(o[(i + n - 1) % n], a);
    hk_profile_point after = edge_normal(b, o[(i + 2) % n]);
    if (own.r == 0 && own.z == 0) continue;
    /* If the neighbour is on the axis, it has no surface whose normal could be averaged. The
     * solid is then smooth at this end if it is flat there. */
    if (a.r <= 0) before = fabs(own.z) > 0.86 ? (hk_profile_point){0, copysign(1, own.z)} : own;
    if (b.r <= 0) after = fabs(own.z) > 0.86 ? (hk_profile_point){0, copysign(1, own.z)} : own;
    uint32_t p = ring(m, a, a.r <= 0 ? before : blend(own, before), around);
    uint32_t q = ring(m, b, b.r <= 0 ? after : blend(own, after), around);
    for (int k = 0; k < around; k++) {
      uint32_t u = (uint32_t)k;
      if (a.r > 0) hk_mesh_triangle(m, p + u, p + u + 1, q + u + 1);
      if (b.r > 0) hk_mesh_triangle(m, p + u, q + u + 1, q + u);
    }
  }
}

void hk_mesh_cylinder(hk_mesh *m, double R, double r, double l) {
  const hk_profile_point o[] = {{r, -l / 2}, {R, -l / 2}, {R, l / 2}, {r, l / 2}};
  hk_mesh_lathe(m, o, 4, AROUND);
}

void hk_mesh_cone(hk_mesh *m, double bottom, double top, double l) {
  const hk_profile_point o[] = {{0, -l / 2}, {bottom, -l / 2}, {top, l / 2}, {0, l / 2}};
  hk_mesh_lathe(m, o, 4, AROUND);
}

/* An arc of a circle about the origin from angle f to g, measured from -z; returns the next
 * index. */
static int arc(hk_profile_point *o, int at, double r, double f, double g, int steps) {
  for (int i = 0; i <= steps; i++) {
    double a = f + (g - f) * i / steps, s = sin(a);
    o[at++] = (hk_profile_point){r * (fabs(s) < 1e-12 ? 0 : s), -r * cos(a)};
  }
  return at;
}

void hk_mesh_sphere(hk_mesh *m, double R, double r) {
  enum { STEPS = 20 };
  hk_profile_point o[2 * STEPS + 2] = {{0}};
  hk_mesh_lathe(m, o, arc(o, 0, R, 0, M_PI, STEPS), 32);
  if (r > 0) hk_mesh_lathe(m, o, arc(o, 0, r, M_PI, 0, STEPS), 32);
}

void hk_mesh_socket(hk_mesh *m, double inner, double outer, double height) {
  enum { STEPS = 16 };
  hk_profile_point o[2 * STEPS + 2] = {{0}};
  double f = acos(-fmax(-0.99, fmin(0.99, height / outer)));
  double g = acos(-fmax(-0.99, fmin(0.99, height / inner)));
  int n = arc(o, 0, outer, 0, f, STEPS);
  hk_mesh_lathe(m, o, arc(o, n, inner, g, 0, STEPS), AROUND);
}

/* ---- extrusion ---- */

static double turn(const double *a, const double *b, const double *c) {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

static bool crossing(const double *a, const double *b, const double *c, const double *d) {
  return turn(a, b, c) * turn(a, b, d) < 0 && turn(c, d, a) * turn(c, d, b) < 0;
}

static bool inside(const double *a, const double *b, const double *c, const double *p) {
  return turn(a, b, p) >= 0 && turn(b, c, p) >= 0 && turn(c, a, p) >= 0;
}

static bool is_ear(const double *xy, const int *left, int n, int i) {
  const double *a = xy + 2 * left[(i + n - 1) % n], *b = xy + 2 * left[i],
               *c = xy + 2 * left[(i + 1) % n];
  if (turn(a, b, c) <= 0) return false;
  for (int k = 0; k < n; k++) {
    const double *p = xy + 2 * left[k];
    if (p != a && p != b && p != c && inside(a, b, c, p)) return false;
  }
  return true;
}

/* Ear clipping until a triangle is left; the caps face -z and +z. */
static bool caps(hk_mesh *m, const double *xy, const int *order, int n, double l) {
  int *left = malloc(sizeof *left * (size_t)n);
  uint32_t *low = malloc(sizeof *low * (size_t)n), *high = malloc(sizeof *high * (size_t)n);
  bool ok = left && low && high;
  m->failed = m->failed || !ok;
  for (int i = 0; ok && i < n; i++) {
    const double *p = xy + 2 * order[i];
    left[i] = order[i];
    low[order[i]] = hk_mesh_vertex(m, hk_v3(p[0], p[1], -l / 2), hk_v3(0, 0, -1));
    high[order[i]] = hk_mesh_vertex(m, hk_v3(p[0], p[1], l / 2), hk_v3(0, 0, 1));
  }
  int count = n, i = 0, misses = 0;
  while (ok && count >= 3 && misses < count) {
    if (count > 3 && !is_ear(xy, left, count, i)) {
      i = (i + 1) % count;
      misses++;
      continue;
    }
    int a = left[(i + count - 1) % count], b = left[i], c = left[(i + 1) % count];
    hk_mesh_triangle(m, high[a], high[b], high[c]);
    hk_mesh_triangle(m, low[c], low[b], low[a]);
    if (count == 3) break;
    for (int k = i; k + 1 < count; k++) left[k] = left[k + 1];
    count--;
    i %= count;
    misses = 0;
  }
  ok = ok && count == 3;
  free(left);
  free(low);
  free(high);
  return ok;
}

static hk_status check_outline(const double *xy, int n, double *area, hk_error *err) {
  *area = 0;
  for (int i = 0; i < n; i++) {
    const double *a = xy + 2 * i, *b = xy + 2 * ((i + 1) % n);
    *area += 0.5 * (a[0] * b[1] - a[1] * b[0]);
    for (int k = i + 2; k < n; k++)
      if (!(i == 0 && k == n - 1) && crossing(a, b, xy + 2 * k, xy + 2 * ((k + 1) % n)))
        return hk_fail(err, HK_EINPUT, "its outline crosses itself: edge %d intersects edge %d",
                       i + 1, k + 1);
  }
  if (*area == 0) return hk_fail(err, HK_EINPUT, "its outline has no area");
  return HK_OK;
}

hk_status hk_mesh_extrude(hk_mesh *m, const double *xy, int n, double l, hk_error *err) {
  double area;
  if (n < 3) return hk_fail(err, HK_EINPUT, "its outline needs at least three points, not %d", n);
  hk_status status = check_outline(xy, n, &area, err);
  if (status) return status;
  int *order = malloc(sizeof *order * (size_t)n);
  if (!order) return hk_fail(err, HK_ENOMEM, "out of memory");
  for (int i = 0; i < n; i++) order[i] = area > 0 ? i : n - 1 - i;
  for (int i = 0; i < n; i++) {
    const double *a = xy + 2 * order[i], *b = xy + 2 * order[(i + 1) % n];
    hk_mesh_face(m, hk_v3(a[0], a[1], -l / 2), hk_v3(b[0], b[1], -l / 2), hk_v3(b[0], b[1], l / 2),
                 hk_v3(a[0], a[1], l / 2));
  }
  bool closed = caps(m, xy, order, n, l);
  free(order);
  if (m->failed) return hk_fail(err, HK_ENOMEM, "out of memory");
  if (!closed) return hk_fail(err, HK_EINPUT, "its outline touches itself");
  return HK_OK;
}

/* ---- wires ---- */

/* A tube along a path of n points; u and w span its cross-section at each point. */
typedef struct wire_point {
  hk_vec3 x, u, w;
} wire_point;

static void sweep(hk_mesh *m, const wire_point *p, int n, double radius) {
  uint32_t before = 0;
  for (int i = 0; i < n; i++) {
    uint32_t first = 0;
    for (int k = 0; k <= COIL_SECTION; k++) {
      double a = 2 * M_PI * (k % COIL_SECTION) / COIL_SECTION;
      hk_vec3 d = hk_axpy(hk_scale(cos(a), p[i].u), sin(a), p[i].w);
      uint32_t v = hk_mesh_vertex(m, hk_axpy(p[i].x, radius, d), d);
      if (k == 0) first = v;
    }
    for (int k = 0; i > 0 && k < COIL_SECTION; k++) {
      uint32_t u = (uint32_t)k;
      hk_mesh_quad(m, before + u, before + u + 1, first + u + 1, first + u);
    }
    before = first;
  }
}

void hk_mesh_coil(hk_mesh *m, double radius, double wire, int turns) {
  int steps = turns * COIL_STEPS, n = steps + 1;
  wire_point *p = malloc(sizeof *p * (size_t)n);
  if (!p) {
    m->failed = true;
    return;
  }
  for (int i = 0; i < n; i++) {
    double f = 2 * M_PI * i / COIL_STEPS, c = cos(f), s = sin(f), z = 0.1 + 0.8 * i / steps;
    /* z is scaled later, so the cross-section lies in the plane through the axis, with a
     * circumferential normal. */
    p[i] = (wire_point){hk_v3(radius * c, radius * s, z), hk_v3(c, s, 0), hk_v3(-s, c, 0)};
  }
  sweep(m, p, n, wire);
  free(p);
  const hk_profile_point low[] = {{0, 0}, {wire, 0}, {wire, 0.1}, {0, 0.1}};
  const hk_profile_point high[] = {{0, 0.9}, {wire, 0.9}, {wire, 1}, {0, 1}};
  hk_mesh_lathe(m, low, 4, COIL_SECTION);
  hk_mesh_lathe(m, high, 4, COIL_SECTION);
}

void hk_mesh_spiral(hk_mesh *m, double inner, double outer, double wire, int turns) {
  int steps = turns * COIL_STEPS, n = steps + 1;
  wire_point *p = malloc(sizeof *p * (size_t)n);
  if (!p) {
    m->failed = true;
    return;
  }
  for (int i = 0; i < n; i++) {
    double f = 2 * M_PI * i / COIL_STEPS, c = cos(f), s = sin(f);
    double r = inner + (outer - inner) * i / steps;
    p[i] = (wire_point){hk_v3(r * c, r * s, 0), hk_v3(c, s, 0), hk_v3(0, 0, -1)};
  }
  sweep(m, p, n, wire);
  free(p);
}
