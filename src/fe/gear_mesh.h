/* Structured mesh of one sector of a gear: a tooth and the gear body below it, from the middle
 * of one space to the middle of the next, of hexahedra with 27 nodes.
 *
 * The section has a grid of cells: columns from the left cut (u = 0) to the right cut, rows from the bore (v = 0)
 * upwards. Above the gear body, only the columns of the tooth continue. Every cell of the section represents a stack
 * of elements along the axis. In the web of the gear, the stack contains only the elements within the thickness of the
 * web. Each node of the mesh has an index in the section and an index along the axis. For a helical gear the mesh is
 * twisted.
 *
 * x = r sin(angle), y = r cos(angle), with the middle of the tooth at angle 0; z along the axis
 * from the middle of the face. A ring is fixed at its outer circle, which replaces the bore, and
 * its rows extend inwards. To avoid inverted elements the ring is mirrored: z is negative. */
#ifndef HK_FE_GEAR_MESH_H
#define HK_FE_GEAR_MESH_H
#include "base/arena.h"
#include "fe/tooth.h"

typedef struct hk_fe_body {
  hk_fe_tooth tooth;
  double face_width;
  double twist;                /* rad/m: twist of the teeth along the axis */
  double bore_radius;          /* radius of the fixed bore; ring: its outer radius */
  double web_thickness;        /* 0: solid */
  double web_inner, web_outer; /* radii of the web */
  double youngs_modulus, poisson_ratio;
  enum { HK_FE_SPACE, HK_FE_PLANE_STRAIN, HK_FE_PLANE_STRESS } kind;
} hk_fe_body;

/* Mesh density; zero: default. */
typedef struct hk_fe_density {
  int across, up; /* cells of the tooth: from flank to flank (even number), from the fillet to
                   * the tip */
  int land;       /* columns of half a space */
  int rim;        /* rows of the rim */
  int along;      /* elements over the face width */
  double growth;  /* growth factor of the rows from the rim to the bore */
  /* Positions of the columns (across + 1 values in [-1, 1]) and of the rows (up + 1 values in [0, 1]) of the tooth. */
  const double *column, *row;
} hk_fe_density;

typedef struct hk_fe_mesh {
  hk_fe_outline outline;
  const hk_fe_body *body;
  int dim;           /* displacements per node: 3, for plane problems 2 */
  int columns, rows; /* cells */
  /* first column and number of columns of the tooth; number of rows of the gear body */
  int tooth_first, tooth_columns, body_rows;
  int layers;        /* elements along the axis */
  double *z;         /* [2 layers + 1] */
  int web_layers[2]; /* first element of the web, and one after the last */
  int web_rows[2];   /* rows of the web, first and one after the last; both equal: no web */
  /* Nodes of the section, [2 rows + 1][2 columns + 1]; radius 0: no node. */
  double *radius, *angle;
  /* first index along the axis and number of nodes there: only those of the web, or all */
  int *first, *count;
} hk_fe_mesh;

hk_status hk_fe_mesh_make(const hk_fe_body *body, const hk_fe_density *density, hk_arena *arena,
                          hk_fe_mesh *out, hk_error *err);

/* Direction of the rows and of z: 1, or -1 for a ring. */
static inline double hk_fe_mesh_sense(const hk_fe_mesh *m) { return m->body->tooth.ring ? -1 : 1; }

static inline int hk_fe_mesh_node(const hk_fe_mesh *m, int i, int k) {
  return k * (2 * m->columns + 1) + i;
}
/* Returns true if the cell exists; layers: its range of elements along the axis. */
bool hk_fe_mesh_cell(const hk_fe_mesh *m, int u, int v, int layers[2]);
/* Position of a node in space. a: index of the node along the axis, from 0 to 2*m->layers. */
void hk_fe_mesh_point(const hk_fe_mesh *m, int node, int a, double x[3]);
/* Row of cells and position in it, -1..1, at which column i of nodes has the radius r. */
hk_status hk_fe_mesh_find(const hk_fe_mesh *m, int i, double r, int *row, double *place,
                          hk_error *err);
#endif
