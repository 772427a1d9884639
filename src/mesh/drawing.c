/* Collection of the drawings of elements: see drawing.h. */
#include "mesh/drawing.h"
#include <stdlib.h>
#include <string.h>

const char hk_draw_frame_a[] = "frame a", hk_draw_frame_b[] = "frame b";

void hk_drawing_init(hk_drawing *d, double size) {
  *d = (hk_drawing){.size = size};
  hk_arena_init(&d->arena);
}

void hk_drawing_free(hk_drawing *d) {
  for (int i = 0; i < d->n_solids; i++) hk_mesh_free(&d->solid[i].mesh);
  for (int i = 0; i < d->n_links; i++) hk_mesh_free(&d->link[i].mesh);
  free(d->solid);
  free(d->link);
  hk_arena_free(&d->arena);
  *d = (hk_drawing){0};
}

static void *grow(void *at, int n, int *capacity, size_t size) {
  if (n < *capacity) return at;
  int more = *capacity ? 2 * *capacity : 32;
  void *grown = realloc(at, (size_t)more * size);
  if (grown) *capacity = more;
  return grown;
}

/* The names of the two frames are compared by address, other names are copied. */
static const char *keep(hk_drawing *d, const char *frame) {
  if (frame == HK_DRAW_A || frame == HK_DRAW_B) return frame;
  const char *copy = hk_arena_strdup(&d->arena, frame);
  if (!copy) d->failed = true;
  return copy;
}

void hk_draw_at(hk_drawing *d, const char *frame, hk_vec3 at, hk_quat turn, hk_mesh *mesh,
                hk_draw_style style) {
  hk_draw_solid *grown = grow(d->solid, d->n_solids, &d->solid_capacity, sizeof *grown);
  const char *name = keep(d, frame);
  if (grown) d->solid = grown;
  if (!grown || mesh->failed || !name) {
    d->failed = true;
    hk_mesh_free(mesh);
    return;
  }
  d->solid[d->n_solids++] = (hk_draw_solid){name, at, turn, *mesh, style};
  *mesh = (hk_mesh){0};
}

void hk_draw(hk_drawing *d, const char *frame, hk_mesh *mesh, hk_draw_style style) {
  hk_draw_at(d, frame, hk_v3(0, 0, 0), hk_quat_identity(), mesh, style);
}

static void add_link(hk_drawing *d, const char *a, const char *b, hk_mesh *mesh,
                     hk_draw_style style) {
  hk_draw_link *grown = grow(d->link, d->n_links, &d->link_capacity, sizeof *grown);
  const char *from = keep(d, a), *to = keep(d, b);
  if (grown) d->link = grown;
  if (!grown || mesh->failed || !from || !to) {
    d->failed = true;
    hk_mesh_free(mesh);
    return;
  }
  d->link[d->n_links++] = (hk_draw_link){from, to, *mesh, style};
}

void hk_draw_rod(hk_drawing *d, const char *a, const char *b, double radius, hk_draw_style style) {
  hk_mesh m = {0};
  const hk_profile_point o[] = {{0, 0}, {radius, 0}, {radius, 1}, {0, 1}};
  hk_mesh_lathe(&m, o, 4, 16);
  add_link(d, a, b, &m, style);
}

void hk_draw_spring(hk_drawing *d, const char *a, const char *b, double radius, int turns) {
  hk_mesh m = {0};
  hk_mesh_coil(&m, radius, 0.16 * radius, turns);
  add_link(d, a, b, &m, (hk_draw_style){.paint = HK_PAINT_SPRING});
}

hk_quat hk_draw_along_x(void) { return hk_quat_axis_angle(hk_v3(0, 1, 0), M_PI / 2); }
hk_quat hk_draw_along_y(void) { return hk_quat_axis_angle(hk_v3(1, 0, 0), -M_PI / 2); }

void hk_draw_cylinder(hk_drawing *d, const char *frame, double radius, double inner, double length,
                      hk_draw_style style) {
  hk_mesh m = {0};
  hk_mesh_cylinder(&m, radius, inner, length);
  hk_draw(d, frame, &m, style);
}

void hk_draw_sleeve(hk_drawing *d) {
  hk_draw_cylinder(d, HK_DRAW_A, 1.9 * d->size, 1.2 * d->size, 1.6 * d->size,
                   (hk_draw_style){.paint = HK_PAINT_SPRING});
}

/* ---- for plugins ---- */

double hk_draw_size(const hk_drawing *d) { return d->size; }

void hk_draw_box(hk_drawing *d, const char *frame, hk_vec3 at, hk_quat orientation, hk_vec3 size,
                 hk_draw_style style) {
  hk_mesh m = {0};
  hk_mesh_box(&m, size);
  hk_draw_at(d, frame, at, orientation, &m, style);
}

void hk_draw_tube(hk_drawing *d, const char *frame, hk_vec3 at, hk_quat orientation, double radius,
                  double inner, double length, hk_draw_style style) {
  hk_mesh m = {0};
  hk_mesh_cylinder(&m, radius, inner, length);
  hk_draw_at(d, frame, at, orientation, &m, style);
}

void hk_draw_sphere(hk_drawing *d, const char *frame, hk_vec3 at, double radius,
                    hk_draw_style style) {
  hk_mesh m = {0};
  hk_mesh_sphere(&m, radius, 0);
  hk_draw_at(d, frame, at, hk_quat_identity(), &m, style);
}

void hk_draw_triangles(hk_drawing *d, const char *frame, const hk_vec3 *corner, int n_corners,
                       const int (*triangle)[3], int n_triangles, hk_draw_style style) {
  hk_mesh m = {0};
  for (int i = 0; i < n_triangles; i++) {
    const int *t = triangle[i];
    if (t[0] < 0 || t[1] < 0 || t[2] < 0 || t[0] >= n_corners || t[1] >= n_corners ||
        t[2] >= n_corners)
      continue;
    hk_vec3 a = corner[t[0]], b = corner[t[1]], c = corner[t[2]];
    hk_vec3 n = hk_cross(hk_sub(b, a), hk_sub(c, a));
    if (!(hk_norm(n) > 0)) continue; /* no area */
    n = hk_unit3(n);
    uint32_t at[3] = {hk_mesh_vertex(&m, a, n), hk_mesh_vertex(&m, b, n), hk_mesh_vertex(&m, c, n)};
    hk_mesh_triangle(&m, at[0], at[1], at[2]);
  }
  hk_draw(d, frame, &m, style);
}

/* ---- colours ---- */

const char *const hk_colour_names[] = {"steel", "brass",  "dark", "white",  "grey",   "red", "blue",
                                       "green", "orange", "sky",  "purple", "yellow", NULL};
static const unsigned values[] = {0x9aa5b1, 0xc9a227, 0x3d4450, 0xf2f2f2, 0x8c8c8c, 0xc8321e,
                                  0x0072b2, 0x009e73, 0xd55e00, 0x56b4e9, 0xcc79a7, 0xf0e442};

static int hex(char c) {
  return c >= '0' && c <= '9'   ? c - '0'
         : c >= 'a' && c <= 'f' ? c - 'a' + 10
         : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                : -1;
}

bool hk_colour_parse(const char *text, unsigned *rgb) {
  for (int i = 0; hk_colour_names[i]; i++)
    if (strcmp(text, hk_colour_names[i]) == 0) return *rgb = values[i], true;
  if (text[0] != '#' || strlen(text) != 7) return false;
  *rgb = 0;
  for (int i = 1; i < 7; i++) {
    if (hex(text[i]) < 0) return false;
    *rgb = *rgb << 4 | (unsigned)hex(text[i]);
  }
  return true;
}
