/* Mesh of a sector: see gear_mesh.h. */
#include "fe/gear_mesh.h"
#include <math.h>
#include <string.h>

enum { MAX_ROWS = 200, MAX_SAMPLES = 400 };
static const double CORNER_NORMAL = 50 * M_PI / 180; /* start of the tooth cells on the fillet */

/* Defines the rows of the gear body: circles up to the inner edge of the rim, then equal radial steps to the surface. */
typedef struct radii {
  int n, circles;         /* number of cells; number of cells below the rim */
  double r[MAX_ROWS + 1]; /* circles [circles + 1] */
  int web[2];
} radii;

/* Divides the distance from `high` down to `low` into steps of increasing size; they are used in reverse order later. */
static int graded(double low, double high, double size, double growth, double *step) {
  int n = 0;
  double left = high - low;
  while (n < MAX_ROWS / 4 && left > 0) {
    step[n++] = fmin(size, left);
    left -= size;
    size *= growth;
  }
  double sum = 0;
  for (int i = 0; i < n; i++) sum += step[i];
  /* If the last interval is smaller than half of its neighbour, the two are merged. */
  if (n > 1 && step[n - 1] < 0.5 * step[n - 2]) n--, step[n - 1] += sum - (high - low) + step[n];
  sum = 0;
  for (int i = 0; i < n; i++) sum += step[i];
  for (int i = 0; i < n; i++) step[i] *= (high - low) / sum;
  return n;
}

static void make_rows(const hk_fe_body *b, const hk_fe_density *d, double rim_radius, double size,
                      radii *out) {
  /* Radii of a ring are used as negative heights, so that the heights increase from row to row. */
  double sense = b->tooth.ring ? -1 : 1, bore = sense * b->bore_radius;
  double edge[4] = {bore, sense * rim_radius}, down[MAX_ROWS] = {0};
  int edges = 2, n = 0;
  *out = (radii){0};
  if (b->web_thickness > 0) {
    edges = 0;
    edge[edges++] = b->bore_radius;
    if (b->web_inner > b->bore_radius * (1 + 1e-9)) edge[edges++] = b->web_inner;
    edge[edges++] = b->web_outer;
  }
  for (int e = edges - 1; e > 0; e--) { /* starts at the rim, so that the steps increase inwards */
    int pieces = graded(edge[e - 1], edge[e], size, d->growth, down + n);
    size = fmin(down[n + pieces - 1] * d->growth, 0.5 * (edge[e] - edge[e - 1]) + size);
    if (b->web_thickness > 0 && e == edges - 1) out->web[0] = pieces;
    n += pieces;
  }
  out->circles = n;
  out->n = n + d->rim;
  out->r[0] = b->bore_radius;
  for (int i = 0; i < n; i++) out->r[i + 1] = out->r[i] + sense * down[n - 1 - i];
  if (b->web_thickness > 0) out->web[1] = n, out->web[0] = n - out->web[0];
}

static double corner_normal(const hk_fe_outline *o) { return fmax(CORNER_NORMAL, o->form_normal); }

/* Computes points of the surface at equal arc lengths, from the cells of the tooth to the
 * middle of the space. */
static void sample_land(const hk_fe_outline *o, double corner, int n, double *r, double *angle) {
  double at[MAX_SAMPLES + 2], rs[MAX_SAMPLES + 2], as[MAX_SAMPLES + 2];
  for (int i = 0; i <= MAX_SAMPLES; i++) {
    double normal = corner + (M_PI / 2 - corner) * i / MAX_SAMPLES;
    hk_fe_outline_fillet(o, normal, &rs[i], &as[i]);
  }
  rs[MAX_SAMPLES + 1] = rs[MAX_SAMPLES];
  as[MAX_SAMPLES + 1] = M_PI / o->tooth.teeth;
  at[0] = 0;
  for (int i = 1; i <= MAX_SAMPLES + 1; i++)
    at[i] = at[i - 1] + hypot(rs[i] - rs[i - 1], rs[i] * (as[i] - as[i - 1]));
  for (int i = 0, k = 0; i <= n; i++) {
    double want = at[MAX_SAMPLES + 1] * i / n;
    while (k < MAX_SAMPLES && at[k + 1] < want) k++;
    double f = at[k + 1] > at[k] ? (want - at[k]) / (at[k + 1] - at[k]) : 0;
    r[i] = rs[k] + f * (rs[k + 1] - rs[k]);
    angle[i] = as[k] + f * (as[k + 1] - as[k]);
  }
}

/* Returns the position of node i, given the positions of every second node. */
static double node_position(const double *cell, int i) {
  return i % 2 ? 0.5 * (cell[i / 2] + cell[i / 2 + 1]) : cell[i / 2];
}

static void place_body(hk_fe_mesh *m, const hk_fe_density *d, const radii *rows,
                       const double *column, double corner_radius, double corner_angle) {
  double r[2 * MAX_ROWS + 1], angle[2 * MAX_ROWS + 1];
  int n = 2 * m->columns + 1, land = 2 * m->tooth_first;
  sample_land(&m->outline, corner_normal(&m->outline), land, r, angle);
  for (int i = 0; i < n; i++) {
    double top = corner_radius, at;
    if (i < land)
      top = r[land - i], at = -angle[land - i];
    else if (i > n - 1 - land)
      top = r[i - (n - 1 - land)], at = angle[i - (n - 1 - land)];
    else
      at = corner_angle * node_position(column, i - land);
    for (int k = 0; k <= 2 * m->body_rows; k++) {
      double below = node_position(rows->r, k < 2 * rows->circles ? k : 2 * rows->circles);
      double part = k > 2 * rows->circles ? (k - 2.0 * rows->circles) / (2.0 * d->rim) : 0;
      m->radius[k * n + i] = below + part * (top - below);
      m->angle[k * n + i] = at;
    }
  }
}

static void place_tooth(hk_fe_mesh *m, const double *column, const double *row,
                        double corner_radius) {
  int n = 2 * m->columns + 1, up = m->rows - m->body_rows;
  for (int k = 1; k <= 2 * up; k++) {
    double r =
        corner_radius + node_position(row, k) * (m->outline.tooth.tip_radius - corner_radius);
    double half = hk_fe_outline_half(&m->outline, r);
    for (int i = 0; i <= 2 * m->tooth_columns; i++) {
      int at = (2 * m->body_rows + k) * n + 2 * m->tooth_first + i;
      m->radius[at] = r;
      m->angle[at] = half * node_position(column, i);
    }
  }
}

/* Divides the width into equal elements, with a boundary between elements at each face of the
 * web. */
static void place_layers(hk_fe_mesh *m) {
  const hk_fe_body *b = m->body;
  double half = 0.5 * b->face_width, web = 0.5 * b->web_thickness;
  int n = m->layers, side = 0;
  if (web > 0) {
    side = (int)fmax(1, fmin((n - 1) / 2, round(n * (half - web) / b->face_width)));
    m->web_layers[0] = side, m->web_layers[1] = n - side;
  } else
    m->web_layers[1] = n;
  for (int a = 0; a <= 2 * n; a++) {
    int s = 2 * side;
    if (a < s)
      m->z[a] = -half + (half - web) * a / s;
    else if (a > 2 * n - s)
      m->z[a] = half - (half - web) * (2 * n - a) / s;
    else
      m->z[a] = web > 0 ? -web + 2 * web * (a - s) / (2 * n - 2 * s)
                        : -half + b->face_width * a / (2 * n);
  }
}

bool hk_fe_mesh_cell(const hk_fe_mesh *m, int u, int v, int layers[2]) {
  layers[0] = 0, layers[1] = m->layers;
  if (v >= m->body_rows) return u >= m->tooth_first && u < m->tooth_first + m->tooth_columns;
  if (v >= m->web_rows[0] && v < m->web_rows[1])
    layers[0] = m->web_layers[0], layers[1] = m->web_layers[1];
  return true;
}

/* Determines the range of nodes along the axis from the adjacent cells. The nodes of the bore
 * are fixed and not counted. */
static void count_nodes(hk_fe_mesh *m) {
  int n = 2 * m->columns + 1, layers[2];
  for (int v = 0; v < m->rows; v++)
    for (int u = 0; u < m->columns; u++) {
      if (!hk_fe_mesh_cell(m, u, v, layers)) continue;
      for (int k = v ? 2 * v : 1; k <= 2 * v + 2; k++)
        for (int i = 2 * u; i <= 2 * u + 2; i++) {
          int *first = &m->first[k * n + i], *count = &m->count[k * n + i];
          int last = *count ? *first + *count : 0;
          *first = *count && *first < 2 * layers[0] ? *first : 2 * layers[0];
          *count = (last > 2 * layers[1] + 1 ? last : 2 * layers[1] + 1) - *first;
        }
    }
}

static hk_status check_ring(const hk_fe_body *b, hk_error *err) {
  double root = b->tooth.root_radius;
  if (b->web_thickness > 0)
    return hk_fail(err, HK_EINPUT,
                   "a ring must not have a web between its teeth and its outer circle");
  if (!(b->bore_radius > 1.02 * root))
    return hk_fail(err, HK_EINPUT,
                   "the outer radius of the ring is %.6g mm; it must be above %.6g mm, outside the "
                   "root circle",
                   1e3 * b->bore_radius, 1020 * root);
  return HK_OK;
}

static hk_status check(const hk_fe_body *b, const hk_fe_outline *o, hk_error *err) {
  double root = o->tooth.root_radius;
  if (o->tooth.ring) return check_ring(b, err);
  if (!(b->bore_radius > 0) || !(b->bore_radius < 0.98 * root))
    return hk_fail(err, HK_EINPUT,
                   "the radius of the bore is %.6g mm; it must be between 0 and %.6g mm, below the "
                   "root circle",
                   1e3 * b->bore_radius, 980 * root);
  if (b->web_thickness > 0 &&
      (!(b->web_thickness < b->face_width) || !(b->web_inner >= b->bore_radius) ||
       !(b->web_outer > b->web_inner) || !(b->web_outer < 0.995 * root)))
    return hk_fail(
        err, HK_EINPUT,
        "the web is %.6g mm thick between the radii %.6g and %.6g mm; it must be thinner than the "
        "face (%.6g mm) and lie between the bore (%.6g mm) and the root circle (%.6g mm)",
        1e3 * b->web_thickness, 1e3 * b->web_inner, 1e3 * b->web_outer, 1e3 * b->face_width,
        1e3 * b->bore_radius, 1e3 * root);
  return HK_OK;
}

static hk_fe_density complete(const hk_fe_density *d, const hk_fe_body *b) {
  hk_fe_density full = d ? *d : (hk_fe_density){0};
  if (!full.across) full.across = 6;
  if (!full.up) full.up = 6;
  if (!full.land) full.land = 2;
  if (!full.rim) full.rim = 3;
  if (!full.along) full.along = 6;
  if (!(full.growth > 1)) full.growth = 1.5;
  if (b->kind != HK_FE_SPACE) full.along = 1;
  return full;
}

hk_status hk_fe_mesh_make(const hk_fe_body *body, const hk_fe_density *density, hk_arena *arena,
                          hk_fe_mesh *m, hk_error *err) {
  hk_fe_density d = complete(density, body);
  *m = (hk_fe_mesh){.body = body, .dim = body->kind == HK_FE_SPACE ? 3 : 2};
  hk_status status = hk_fe_outline_make(&body->tooth, &m->outline, err);
  if (!status) status = check(body, &m->outline, err);
  if (status) return status;
  double corner_radius, corner_angle, even[2][2 * MAX_ROWS + 1], root = body->tooth.root_radius;
  hk_fe_outline_fillet(&m->outline, corner_normal(&m->outline), &corner_radius, &corner_angle);
  double pitch = 2 * M_PI * root / body->tooth.teeth;
  double half_way = 0.5 * (root + body->bore_radius);
  double rim = body->tooth.ring          ? fmin(root + 0.6 * pitch, half_way)
               : body->web_thickness > 0 ? body->web_outer
                                         : fmax(root - 0.6 * pitch, half_way);
  radii r;
  make_rows(body, &d, rim, fabs(root - rim) / d.rim, &r);
  if (d.across > MAX_ROWS || d.up > MAX_ROWS || r.n > MAX_ROWS || d.land > MAX_ROWS / 2)
    return hk_fail(err, HK_EINPUT, "a mesh has at most %d rows and columns", MAX_ROWS);
  for (int i = 0; i <= d.across; i++) even[0][i] = d.column ? d.column[i] : 2.0 * i / d.across - 1;
  for (int i = 0; i <= d.up; i++) even[1][i] = d.row ? d.row[i] : (double)i / d.up;
  m->columns = d.across + 2 * d.land, m->tooth_first = d.land, m->tooth_columns = d.across;
  m->rows = r.n + d.up, m->body_rows = r.n, m->layers = d.along;
  m->web_rows[0] = r.web[0], m->web_rows[1] = r.web[1];
  int nodes = (2 * m->columns + 1) * (2 * m->rows + 1);
  m->z = HK_NEW_ARRAY(arena, double, 2 * m->layers + 1);
  m->radius = HK_NEW_ARRAY(arena, double, nodes);
  m->angle = HK_NEW_ARRAY(arena, double, nodes);
  m->first = HK_NEW_ARRAY(arena, int, nodes);
  m->count = HK_NEW_ARRAY(arena, int, nodes);
  if (!m->z || !m->radius || !m->angle || !m->first || !m->count)
    return hk_fail(err, HK_ENOMEM, "out of memory");
  place_layers(m);
  place_body(m, &d, &r, even[0], corner_radius, corner_angle);
  place_tooth(m, even[0], even[1], corner_radius);
  count_nodes(m);
  return HK_OK;
}

void hk_fe_mesh_point(const hk_fe_mesh *m, int node, int a, double x[3]) {
  double angle = m->angle[node] + m->body->twist * m->z[a];
  x[0] = m->radius[node] * sin(angle);
  x[1] = m->radius[node] * cos(angle);
  x[2] = hk_fe_mesh_sense(m) * m->z[a];
}

/* Radius at position p, -1..1, from the three nodes of the edge of a row. */
static double edge_radius(const hk_fe_mesh *m, int i, int row, double p) {
  const double *r = m->radius;
  double a = r[hk_fe_mesh_node(m, i, 2 * row)], b = r[hk_fe_mesh_node(m, i, 2 * row + 1)],
         c = r[hk_fe_mesh_node(m, i, 2 * row + 2)];
  return 0.5 * p * (p - 1) * a + (1 - p * p) * b + 0.5 * p * (p + 1) * c;
}

hk_status hk_fe_mesh_find(const hk_fe_mesh *m, int i, double r, int *row, double *place,
                          hk_error *err) {
  double sense = hk_fe_mesh_sense(m);
  for (int v = 0; v < m->rows; v++) {
    double top = m->radius[hk_fe_mesh_node(m, i, 2 * v + 2)];
    if (!(sense * (r - top) <= 1e-12 * r)) continue;
    double low = -1, high = 1;
    for (int k = 0; k < 60; k++) {
      double middle = 0.5 * (low + high);
      *(sense * (edge_radius(m, i, v, middle) - r) > 0 ? &high : &low) = middle;
    }
    *row = v, *place = 0.5 * (low + high);
    return HK_OK;
  }
  return hk_fail(err, HK_EINPUT, "the radius %.9g mm is not on the gear", 1e3 * r);
}
