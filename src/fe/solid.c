/* Solid elements: types, shape functions and quadrature; see solid.h. */
#include "fe/solid.h"
#include <math.h>
#include <string.h>

#define TETRAHEDRON                                              \
  {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}}, {            \
    {0, 2, 1, -1}, {0, 1, 3, -1}, {1, 2, 3, -1}, { 0, 3, 2, -1 } \
  }
#define HEXAHEDRON                                                                       \
  {                                                                                      \
      {0, 1}, {1, 2}, {2, 3}, {3, 0}, {4, 5}, {5, 6},                                    \
      {6, 7}, {7, 4}, {0, 4}, {1, 5}, {2, 6}, {3, 7}},                                   \
  {                                                                                      \
    {0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6}, { 3, 0, 4, 7 } \
  }
#define WEDGE                                                                 \
  {{0, 1}, {1, 2}, {2, 0}, {3, 4}, {4, 5}, {5, 3}, {0, 3}, {1, 4}, {2, 5}}, { \
    {0, 2, 1, -1}, {3, 4, 5, -1}, {0, 1, 4, 3}, {1, 2, 5, 4}, { 2, 0, 3, 5 }  \
  }

const hk_solid_type hk_solid_types[HK_SOLID_KINDS] = {
    [HK_SOLID_TETRAHEDRON_4] = {"tetrahedron of 4 nodes", 4, 4, 6, 4, TETRAHEDRON},
    [HK_SOLID_TETRAHEDRON_10] = {"tetrahedron of 10 nodes", 10, 4, 6, 4, TETRAHEDRON},
    [HK_SOLID_HEXAHEDRON_8] = {"hexahedron of 8 nodes", 8, 8, 12, 6, HEXAHEDRON},
    [HK_SOLID_HEXAHEDRON_20] = {"hexahedron of 20 nodes", 20, 8, 12, 6, HEXAHEDRON},
    [HK_SOLID_WEDGE_6] = {"wedge of 6 nodes", 6, 6, 9, 5, WEDGE},
    [HK_SOLID_WEDGE_15] = {"wedge of 15 nodes", 15, 6, 9, 5, WEDGE},
};

int hk_solid_face(hk_solid_kind kind, int face, int node[HK_SOLID_FACE_NODES], int *corners) {
  const hk_solid_type *t = &hk_solid_types[kind];
  int n = t->face[face][3] < 0 ? 3 : 4;
  for (int i = 0; i < n; i++) node[i] = t->face[face][i];
  *corners = n;
  if (t->nodes == t->corners) return n;
  for (int i = 0; i < n; i++)
    for (int e = 0; e < t->edges; e++) {
      int a = node[i], b = node[(i + 1) % n];
      if ((t->edge[e][0] == a && t->edge[e][1] == b) || (t->edge[e][0] == b && t->edge[e][1] == a))
        node[n + i] = t->corners + e;
    }
  return 2 * n;
}

/* ---- shape functions ---- */

/* Value of a function of the element coordinates, and its gradient. */
typedef struct shape {
  double v, d[3];
} shape;

static shape scale(double s, shape a) {
  return (shape){s * a.v, {s * a.d[0], s * a.d[1], s * a.d[2]}};
}
static shape add(shape a, shape b) {
  return (shape){a.v + b.v, {a.d[0] + b.d[0], a.d[1] + b.d[1], a.d[2] + b.d[2]}};
}
static shape product(shape a, shape b) {
  shape c = {.v = a.v * b.v};
  for (int i = 0; i < 3; i++) c.d[i] = a.v * b.d[i] + b.v * a.d[i];
  return c;
}

/* Shape functions of the corners for elements of first order. */
static void corner_shapes(hk_solid_kind kind, const double p[3], shape c[8]) {
  static const short SIGN[8][3] = {{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1},
                                   {-1, -1, 1},  {1, -1, 1},  {1, 1, 1},  {-1, 1, 1}};
  shape one = {1, {0}}, r = {p[0], {1, 0, 0}}, s = {p[1], {0, 1, 0}}, t = {p[2], {0, 0, 1}};
  shape area[3] = {add(one, scale(-1, add(r, s))), r, s};
  int corners = hk_solid_types[kind].corners;
  if (corners == 4) {
    c[0] = add(area[0], scale(-1, t)), c[1] = r, c[2] = s, c[3] = t;
  } else if (corners == 6) {
    for (int i = 0; i < 6; i++)
      c[i] = product(area[i % 3], scale(0.5, add(one, scale(i < 3 ? -1 : 1, t))));
  } else {
    for (int i = 0; i < 8; i++)
      c[i] = scale(0.125,
                   product(product(add(one, scale(SIGN[i][0], r)), add(one, scale(SIGN[i][1], s))),
                           add(one, scale(SIGN[i][2], t))));
  }
}

/* Shape function of the midpoint of an edge: it is 1 there and 0 at all other nodes. */
static shape edge_shape(hk_solid_kind kind, const double p[3], int a, int b, const shape c[8]) {
  int corners = hk_solid_types[kind].corners;
  if (corners == 4) return scale(4, product(c[a], c[b]));
  shape one = {1, {0}}, q[3] = {{p[0], {1, 0, 0}}, {p[1], {0, 1, 0}}, {p[2], {0, 0, 1}}};
  if (corners == 6) {
    shape level = scale(0.5, add(one, scale(a < 3 ? -1 : 1, q[2])));
    shape area[3] = {add(one, scale(-1, add(q[0], q[1]))), q[0], q[1]};
    if (b == a + 3) return product(area[a], add(one, scale(-1, product(q[2], q[2]))));
    return scale(4, product(product(area[a % 3], area[b % 3]), level));
  }
  /* The sum of the functions of the edge's two corners is linear across the edge and constant along it. */
  int along = a / 4 != b / 4 ? 2 : a % 4 + b % 4 == 3 ? 1 : 0;
  return product(add(c[a], c[b]), add(one, scale(-1, product(q[along], q[along]))));
}

static void shapes(hk_solid_kind kind, const double p[3], double N[HK_SOLID_NODES],
                   double D[HK_SOLID_NODES][3]) {
  const hk_solid_type *t = &hk_solid_types[kind];
  shape f[HK_SOLID_NODES];
  corner_shapes(kind, p, f);
  for (int e = 0; e < t->edges && t->nodes > t->corners; e++)
    f[t->corners + e] = edge_shape(kind, p, t->edge[e][0], t->edge[e][1], f);
  /* In elements of second order, the shape function of a corner must be zero at the midpoints of the edges at this
   * corner. The shape function of first order is 1/2 there. */
  for (int e = 0; e < t->edges && t->nodes > t->corners; e++)
    for (int k = 0; k < 2; k++) {
      shape *c = &f[t->edge[e][k]];
      *c = add(*c, scale(-0.5, f[t->corners + e]));
    }
  for (int a = 0; a < t->nodes; a++) {
    N[a] = f[a].v;
    memcpy(D[a], f[a].d, sizeof f[a].d);
  }
}

/* ---- quadrature ---- */

enum { LINE = 4 }; /* largest number of quadrature points in one direction */

/* Jacobi polynomial of degree n for the weight (1 - x)^a at x, by its recurrence; *slope: derivative. */
static double jacobi(int n, double a, double x, double *slope) {
  double p = 1, q = 0, d = 0, e = 0; /* p, q: degrees k and k - 1; d, e: their derivatives */
  for (int k = 0; k < n; k++) {
    double s = 2 * k + a, lead, shift, back;
    if (k == 0) {
      lead = 0.5 * (a + 2), shift = 0.5 * a, back = 0;
    } else {
      double c = 2 * (k + 1) * (k + 1 + a) * s;
      lead = (s + 1) * (s + 2) * s / c, shift = (s + 1) * a * a / c,
      back = 2 * (k + a) * k * (s + 2) / c;
    }
    double next = (lead * x + shift) * p - back * q,
           slope_next = lead * p + (lead * x + shift) * d - back * e;
    q = p, p = next, e = d, d = slope_next;
  }
  *slope = d;
  return p;
}

/* Gauss points and weights on 0..1 for the weight (1 - t)^a; exact to degree 2 n - 1. */
static void line_rule(int n, int a, double t[LINE], double w[LINE]) {
  for (int i = 0; i < n; i++) {
    double x = cos(M_PI * (i + 0.75 + 0.5 * a) / (n + 0.5 + 0.5 * a)), slope;
    for (int k = 0; k < 100; k++) {
      double p = jacobi(n, a, x, &slope), deflate = 0;
      for (int j = 0; j < i; j++) deflate += 1 / (x - (2 * t[j] - 1)); /* roots that are known */
      double step = p / (slope - p * deflate);
      x -= step;
      if (fabs(step) < 1e-16) break;
    }
    jacobi(n, a, x, &slope);
    t[i] = 0.5 * (1 + x);
    /* Weight of Gauss-Jacobi quadrature for the exponents a and 0 on -1..1: 2^(a + 1) / ((1 - x^2) slope^2). */
    w[i] = 1 / ((1 - x * x) * slope * slope);
  }
}

/* Quadrature with n points per direction. Triangles and tetrahedra are treated as collapsed squares and cubes. */
static void make_rule(hk_solid_kind kind, int n, hk_solid_rule *rule) {
  double t[3][LINE], w[3][LINE];
  int corners = hk_solid_types[kind].corners;
  for (int d = 0; d < 3; d++)
    line_rule(n, corners == 4 ? d : corners == 6 && d == 1 ? 1 : 0, t[d], w[d]);
  *rule = (hk_solid_rule){.points = n * n * n, .nodes = hk_solid_types[kind].nodes};
  for (int q = 0; q < rule->points; q++) {
    double a = t[0][q % n], b = t[1][q / n % n], c = t[2][q / n / n], p[3];
    rule->weight[q] = w[0][q % n] * w[1][q / n % n] * w[2][q / n / n];
    if (corners == 4) {
      p[2] = c, p[1] = b * (1 - c), p[0] = a * (1 - b) * (1 - c);
    } else if (corners == 6) {
      p[2] = 2 * c - 1, p[1] = b, p[0] = a * (1 - b);
      rule->weight[q] *= 2;
    } else {
      p[0] = 2 * a - 1, p[1] = 2 * b - 1, p[2] = 2 * c - 1;
      rule->weight[q] *= 8;
    }
    shapes(kind, p, rule->N[q], rule->D[q]);
  }
}

/* The stiffness of straight tetrahedra of second order has degree 2: four points. */
static void four_points(hk_solid_rule *rule) {
  const double b = (5 - sqrt(5)) / 20, a = 1 - 3 * b;
  *rule = (hk_solid_rule){.points = 4, .nodes = 10};
  for (int q = 0; q < 4; q++) {
    double p[3] = {q == 1 ? a : b, q == 2 ? a : b, q == 3 ? a : b};
    rule->weight[q] = 1.0 / 24;
    shapes(HK_SOLID_TETRAHEDRON_10, p, rule->N[q], rule->D[q]);
  }
}

void hk_solid_stiffness_rule(hk_solid_kind kind, hk_solid_rule *rule) {
  static const int LINES[HK_SOLID_KINDS] = {1, 0, 2, 3, 2, 3};
  if (kind == HK_SOLID_TETRAHEDRON_10)
    four_points(rule);
  else
    make_rule(kind, LINES[kind], rule);
}

void hk_solid_mass_rule(hk_solid_kind kind, hk_solid_rule *rule) {
  static const int LINES[HK_SOLID_KINDS] = {2, 4, 3, 4, 3, 4};
  make_rule(kind, LINES[kind], rule);
}

void hk_solid_node_rule(hk_solid_kind kind, hk_solid_rule *rule) {
  static const double CORNER[3][8][3] = {
      {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
      {{0, 0, -1}, {1, 0, -1}, {0, 1, -1}, {0, 0, 1}, {1, 0, 1}, {0, 1, 1}},
      {{-1, -1, -1},
       {1, -1, -1},
       {1, 1, -1},
       {-1, 1, -1},
       {-1, -1, 1},
       {1, -1, 1},
       {1, 1, 1},
       {-1, 1, 1}}};
  const hk_solid_type *t = &hk_solid_types[kind];
  const double(*c)[3] = CORNER[t->corners == 4 ? 0 : t->corners == 6 ? 1 : 2];
  *rule = (hk_solid_rule){.points = t->nodes, .nodes = t->nodes};
  for (int a = 0; a < t->nodes; a++) {
    double p[3];
    for (int i = 0; i < 3; i++)
      p[i] = a < t->corners
                 ? c[a][i]
                 : 0.5 * (c[t->edge[a - t->corners][0]][i] + c[t->edge[a - t->corners][1]][i]);
    shapes(kind, p, rule->N[a], rule->D[a]);
  }
}
