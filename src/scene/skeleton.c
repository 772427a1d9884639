/* Draws bodies that no other item draws: see builder.h.
 *
 * A body without any solid becomes a skeleton of rods.  A body whose solids were drawn by its joints, such as a shaft
 * with a yoke at each end, would appear as separate pieces.  These pieces and the points at which elements are
 * attached are connected by rods of minimum total length (minimum spanning tree over bounding boxes in the axes of
 * the body).  The bounding box of an inclined piece is larger than the piece, so overlapping boxes count as connected
 * although a gap may be visible. */
#include "scene/builder.h"
#include <float.h>
#include <stdlib.h>

static void rod_between(hk_mesh *m, hk_vec3 p, hk_vec3 q, double radius) {
  hk_vec3 d = hk_sub(q, p);
  double l = hk_norm(d);
  if (!(l > 0.2 * radius)) return;
  hk_mesh rod = {0};
  hk_mat3 R = hk_frame_from_z(hk_scale(1 / l, d));
  hk_mesh_cylinder(&rod, radius, 0, l);
  hk_mesh_move(&rod, &R, hk_scale(0.5, hk_add(p, q)));
  hk_mesh_append(m, &rod);
  hk_mesh_free(&rod);
}

static void give(hk_scene_builder *b, int node, hk_mesh *m, hk_draw_style style) {
  const hk_item *item = b->m->node[node].item;
  hk_drawing d;
  hk_drawing_init(&d, b->s->size);
  hk_draw(&d, item->name, m, style);
  hk_scene_take(b, item, &d, (const int[2]){-1, -1});
  hk_drawing_free(&d);
}

/* ---- bodies without any part ---- */

/* A box with the same mass and moments of inertia: for edges a, b, c along the axes, a^2 = 6 (Iy + Iz - Ix)/m. For a
 * reduced inertia (of a driveline, for example) this box may be so large that it hides the mechanism. Such a box is
 * drawn smaller, with the same proportions. */
static void inertia_box(hk_mesh *m, const hk_mass_properties *p, double size) {
  const double *I = p->inertia;
  double e[3], longest = 0;
  for (int i = 0; i < 3; i++) {
    double square = p->mass > 0 ? 6 * (I[(i + 1) % 3] + I[(i + 2) % 3] - I[i]) / p->mass : 0;
    e[i] = sqrt(fmax(square, 0));
    longest = fmax(longest, e[i]);
  }
  double scale = fmin(1, 4 * size / fmax(longest, 1e-300));
  for (int i = 0; i < 3; i++) e[i] = fmax(scale * e[i], 0.6 * size);
  hk_mat3 R = hk_mat3_identity();
  hk_mesh_box(m, hk_v3(e[0], e[1], e[2]));
  hk_mesh_move(m, &R, p->center);
}

void hk_scene_skeleton(hk_scene_builder *b, int node) {
  const hk_item *item = b->m->node[node].item;
  hk_mass_properties p = {0};
  hk_mesh m = {0};
  hk_draw_style style = {.part = true};
  ((const hk_body_ops *)item->type->ops)->mass(item, &p, NULL);
  double r = 0.5 * b->s->size, far = 0;
  for (int i = 0; i < b->m->n_markers; i++) {
    if (b->m->marker[i].node != node || i == b->own[node]) continue;
    hk_vec3 x = hk_scene_place_of(b, i).pose.x;
    far = fmax(far, hk_norm(hk_sub(x, p.center)));
    rod_between(&m, p.center, x, r);
  }
  if (far > 2 * r) {
    hk_mesh ball = {0};
    hk_mat3 R = hk_mat3_identity();
    hk_mesh_sphere(&ball, 1.5 * r, 0);
    hk_mesh_move(&ball, &R, p.center);
    hk_mesh_append(&m, &ball);
    hk_mesh_free(&ball);
  } else {
    hk_mesh_free(&m);
    inertia_box(&m, &p, b->s->size);
    style.paint = HK_PAINT_GLASS; /* this box shows the inertia of the body, not its shape */
  }
  give(b, node, &m, style);
}

/* ---- bodies with separate parts ---- */

/* A box in the axes of the body: a solid, or a point without extent. */
typedef struct piece {
  hk_vec3 low, high;
} piece;

typedef struct pieces {
  piece *at; /* large enough for all items of a model */
  int n;
} pieces;

static void add_piece(pieces *p, hk_vec3 low, hk_vec3 high) { p->at[p->n++] = (piece){low, high}; }

static void add_solid(pieces *p, const hk_scene *s, const hk_scene_solid *o) {
  hk_vec3 a, b, low = {DBL_MAX, DBL_MAX, DBL_MAX}, high = {-DBL_MAX, -DBL_MAX, -DBL_MAX};
  if (!hk_mesh_bounds(&s->mesh[o->mesh], &a, &b)) return;
  for (int i = 0; i < 8; i++) {
    hk_vec3 corner = {i & 1 ? b.x : a.x, i & 2 ? b.y : a.y, i & 4 ? b.z : a.z};
    hk_vec3 x = hk_stance_compose(o->at.pose, (hk_stance){corner, hk_quat_identity()}).x;
    low = hk_v3(fmin(low.x, x.x), fmin(low.y, x.y), fmin(low.z, x.z));
    high = hk_v3(fmax(high.x, x.x), fmax(high.y, x.y), fmax(high.z, x.z));
  }
  add_piece(p, low, high);
}

static void add_end(pieces *p, const hk_scene_builder *b, int marker, int node) {
  if (marker < 0 || b->m->marker[marker].node != node) return;
  hk_vec3 x = hk_scene_place_of(b, marker).pose.x;
  add_piece(p, x, x);
}

static int count_places(const hk_scene_builder *b) {
  const hk_model *m = b->m;
  int n = b->s->n_solids + 2 * m->n_forces + 2 * m->n_contacts;
  for (int i = 0; i < m->n_constraints; i++) n += m->constraint[i].n_ports;
  return n;
}

/* Collects solids and the points at which joints, forces and contacts are attached to the body. */
static void find_pieces(pieces *p, const hk_scene_builder *b, int node) {
  const hk_model *m = b->m;
  p->n = 0;
  for (int i = 0; i < b->s->n_solids; i++)
    if (b->s->solid[i].at.body == node && b->s->solid[i].part) add_solid(p, b->s, &b->s->solid[i]);
  for (int i = 0; i < m->n_constraints; i++)
    for (int k = 0; k < m->constraint[i].n_ports; k++)
      add_end(p, b, m->port[m->constraint[i].port + k], node);
  for (int i = 0; i < m->n_forces; i++) {
    add_end(p, b, m->force[i].a, node);
    add_end(p, b, m->force[i].b, node);
  }
  for (int i = 0; i < m->n_contacts; i++) {
    add_end(p, b, m->contact[i].a, node);
    add_end(p, b, m->contact[i].b, node);
  }
}

/* Finds the nearest points of two intervals: ends, or the middle of their intersection. */
static void nearest(double a0, double a1, double b0, double b1, double *a, double *b) {
  if (a1 < b0) {
    *a = a1, *b = b0;
  } else if (b1 < a0) {
    *a = a0, *b = b1;
  } else {
    *a = *b = 0.5 * (fmax(a0, b0) + fmin(a1, b1));
  }
}

static double gap_between(const piece *a, const piece *b, hk_vec3 *p, hk_vec3 *q) {
  nearest(a->low.x, a->high.x, b->low.x, b->high.x, &p->x, &q->x);
  nearest(a->low.y, a->high.y, b->low.y, b->high.y, &p->y, &q->y);
  nearest(a->low.z, a->high.z, b->low.z, b->high.z, &p->z, &q->z);
  return hk_norm(hk_sub(*q, *p));
}

/* Returns half the width of a box perpendicular to a direction. Of its two widths in this plane
 * the smaller one is used; 0: the box has no extent. */
static double half_width(const piece *a, hk_vec3 along) {
  hk_vec3 e = hk_scale(0.5, hk_sub(a->high, a->low));
  double x = fabs(along.x), y = fabs(along.y), z = fabs(along.z);
  if (z >= x && z >= y) return fmin(e.x, e.y);
  return y >= x ? fmin(e.x, e.z) : fmin(e.y, e.z);
}

/* Radius of a rod: the usual one, and larger if both of its ends are thick. */
static double rod_radius(const piece *a, const piece *b, hk_vec3 along, double size) {
  double wa = half_width(a, along), wb = half_width(b, along);
  double w = wa > 0 && wb > 0 ? fmin(wa, wb) : fmax(wa, wb);
  return fmax(0.5 * size, 0.3 * w);
}

/* Connects the pieces by Prim's algorithm. from[i] is the element of the tree nearest to i, away[i] is its distance;
 * away[i] = -1: i is in the tree. */
static void join_pieces(hk_scene_builder *b, int node, const pieces *p, int *from, double *away) {
  hk_mesh m = {0};
  for (int i = 0; i < p->n; i++) from[i] = 0, away[i] = i ? DBL_MAX : -1;
  for (int last = 0, left = p->n - 1; left > 0; left--) {
    int next = -1;
    hk_vec3 x, y;
    for (int i = 0; i < p->n; i++) {
      if (away[i] < 0) continue;
      double d = gap_between(&p->at[last], &p->at[i], &x, &y);
      if (d < away[i]) away[i] = d, from[i] = last;
      if (next < 0 || away[i] < away[next]) next = i;
    }
    if (next < 0) break;
    if (away[next] > 0.5 * b->s->size) {
      gap_between(&p->at[from[next]], &p->at[next], &x, &y);
      hk_vec3 along = hk_unit3(hk_sub(y, x));
      rod_between(&m, x, y, rod_radius(&p->at[from[next]], &p->at[next], along, b->s->size));
    }
    away[next] = -1;
    last = next;
  }
  if (m.n_triangles) give(b, node, &m, (hk_draw_style){.part = true});
  hk_mesh_free(&m);
}

void hk_scene_bridge(hk_scene_builder *b, int node) {
  size_t room = (size_t)count_places(b) + 1;
  pieces all = {.at = malloc(room * sizeof *all.at)};
  int *from = malloc(room * sizeof *from);
  double *away = malloc(room * sizeof *away);
  if (all.at && from && away) {
    find_pieces(&all, b, node);
    join_pieces(b, node, &all, from, away);
  } else {
    b->failed = true;
  }
  free(all.at), free(from), free(away);
}
