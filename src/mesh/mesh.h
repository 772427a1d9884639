/* Triangle meshes with normals, and the solids that represent bodies and joints.
 *
 * A mesh is built by adding vertices and triangles, counter-clockwise as seen from outside. When
 * memory runs out `failed` is set and later additions are ignored, so that the caller needs only
 * one check, at the end. Meshes of closed solids have no gaps, but vertices are not shared
 * across sharp edges: each side has its own normal there. */
#ifndef HK_MESH_MESH_H
#define HK_MESH_MESH_H
#include <hooke/base.h>
#include <hooke/math3.h>

typedef struct hk_mesh {
  float *position, *normal; /* [n_vertices][3] */
  uint32_t *triangle;       /* [n_triangles][3] */
  size_t n_vertices, n_triangles;
  size_t vertex_capacity, triangle_capacity;
  bool failed; /* out of memory */
  /* true: it is not known which sides of the triangles are outside, so that both sides are drawn */
  bool two_sided;
} hk_mesh;

void hk_mesh_free(hk_mesh *m);
uint32_t hk_mesh_vertex(hk_mesh *m, hk_vec3 position, hk_vec3 normal);
void hk_mesh_triangle(hk_mesh *m, uint32_t a, uint32_t b, uint32_t c);
/* Adds a face with the corners a, b, c, d in order around it. */
void hk_mesh_quad(hk_mesh *m, uint32_t a, uint32_t b, uint32_t c, uint32_t d);
/* Adds a flat face with its own normal. */
void hk_mesh_face(hk_mesh *m, hk_vec3 a, hk_vec3 b, hk_vec3 c, hk_vec3 d);
hk_vec3 hk_mesh_position(const hk_mesh *m, size_t vertex);
/* Rotates by R, then shifts by `by`. */
void hk_mesh_move(hk_mesh *m, const hk_mat3 *R, hk_vec3 by);
/* Adds a copy of another mesh. */
void hk_mesh_append(hk_mesh *m, const hk_mesh *other);
/* Smallest and largest coordinates; false if the mesh is empty. */
bool hk_mesh_bounds(const hk_mesh *m, hk_vec3 *low, hk_vec3 *high);
bool hk_mesh_equal(const hk_mesh *a, const hk_mesh *b);

/* ---- solids (solid.c), appended to m ---- */

typedef struct hk_profile_point {
  double r, z;
} hk_profile_point;

void hk_mesh_box(hk_mesh *m, hk_vec3 size);
/* Solid of revolution about z: a closed outline in the half plane r >= 0, counter-clockwise with
 * r to the right and z up. Edges that meet at less than about 30 degrees are shaded smoothly. */
void hk_mesh_lathe(hk_mesh *m, const hk_profile_point *outline, int n, int around);
/* Adds a cylinder along z from -length/2 to length/2; inner = 0: solid. */
void hk_mesh_cylinder(hk_mesh *m, double radius, double inner, double length);
void hk_mesh_cone(hk_mesh *m, double bottom, double top, double length);
void hk_mesh_sphere(hk_mesh *m, double radius, double inner);
/* Adds a spherical shell that is open towards +z beyond the given height. */
void hk_mesh_socket(hk_mesh *m, double inner, double outer, double height);
/* Along z from -length/2 to length/2; the outline (x, y) may have either direction. HK_EINPUT if
 * it crosses itself or has no area. */
hk_status hk_mesh_extrude(hk_mesh *m, const double *xy, int n, double length, hk_error *err);
/* A wire of the given radius, wound around z from z = 0 to z = 1, with straight ends on the
 * axis. Only x and y are lengths: z is scaled to the length of a spring. */
void hk_mesh_coil(hk_mesh *m, double radius, double wire, int turns);
/* A spiral in the plane z = 0. */
void hk_mesh_spiral(hk_mesh *m, double inner, double outer, double wire, int turns);

/* A fork with bores along x from arm - width to arm; its shaft extends along -z. */
void hk_mesh_yoke(hk_mesh *m, double arm, double bore, double width);
/* Two pins along x and y that meet at a hub. */
void hk_mesh_cross(hk_mesh *m, double arm, double radius);

/* ---- parts of ball-type CV joints (race.c) ---- */

/* A track: a cylinder of this radius around the line through `at` along `along`. With arc_radius
 * > 0 a torus: its centre line is a circle around the point z = arc_center of the axis, in the
 * plane of the axis and `at`, and is straight if z - arc_center has the sign of `straight`. */
typedef struct hk_track {
  hk_vec3 at, along;
  double radius, arc_radius, arc_center, straight;
} hk_track;
/* A ring along z from -length/2 to length/2 with tracks in its bore (outer race) or on its
 * outside. */
void hk_mesh_outer_race(hk_mesh *m, double bore, double outside, double length,
                        const hk_track *track, int n);
void hk_mesh_inner_race(hk_mesh *m, double bore, double outside, double length,
                        const hk_track *track, int n);
/* Same as the two functions above, with a concave or convex sphere instead of a cylinder between the tracks. */
void hk_mesh_outer_ball_race(hk_mesh *m, double bore, double outside, double length,
                             const hk_track *track, int n);
void hk_mesh_inner_ball_race(hk_mesh *m, double bore, double outside, double length,
                             const hk_track *track, int n);
/* A ring with n windows at the azimuths 2 pi k/n, with a half width in z and a half angle in
 * circumferential direction. */
void hk_mesh_cage(hk_mesh *m, double inner, double outer, double length, int n, double half_width,
                  double half_angle);
/* Converts cylinders around z to spheres around the origin: r becomes sqrt(r^2 - z^2). */
void hk_mesh_make_round(hk_mesh *m);

/* ---- mass of closed meshes (mesh_mass.c) ---- */

typedef struct hk_volume {
  double volume;
  hk_vec3 center;
  double inertia[6]; /* inertia about the centre for density 1: entries xx yy zz xy xz yz of the
                      * matrix */
} hk_volume;
/* Computes the volume; HK_EINPUT if the mesh is not closed or has no volume; the message begins
 * with "it". */
hk_status hk_mesh_volume(const hk_mesh *m, hk_volume *out, hk_error *err);
/* Adds a volume that is rotated by R and shifted by `by`; the result is about the common centre. */
void hk_volume_add(hk_volume *sum, const hk_volume *v, const hk_mat3 *R, hk_vec3 by);
#endif
