/* Structured mesh of one sector of a gear: a tooth and the body below it, from the middle of one space to
 * the middle of the next, in hexahedra of 27 nodes.
 *
 * The section has a grid of cells: columns from the left cut (u = 0) to the right one, rows from the bore
 * (v = 0) up; above the body only the columns of the tooth go on.  Every cell of the section stands for a
 * stack of elements along the axis; where the gear has a web, only for those within its thickness.  Nodes
 * of the section have a number, and along the axis one more.  For a helical gear the whole is twisted.
 *
 * x = r sin(angle), y = r cos(angle), the tooth's middle at angle 0; z along the axis from the middle of
 * the face.  A ring is held at its outer circle, which takes the place of the bore, and its rows go inwards;
 * so that its elements are not turned inside out it is seen in a mirror, z being negative.
 */
#ifndef HK_FE_MESH_H
#define HK_FE_MESH_H
#include "base/arena.h"
#include "fe/tooth.h"

typedef struct hk_fe_body {
  hk_fe_tooth tooth;
  double face_width;
  double twist;                /* rad/m: of the teeth along the axis */
  double bore_radius;          /* held there; of a ring: its outer radius */
  double web_thickness;        /* 0: solid */
  double web_inner, web_outer; /* radii between which it is */
  double youngs_modulus, poisson_ratio;
  enum { HK_FE_SPACE, HK_FE_PLANE_STRAIN, HK_FE_PLANE_STRESS } kind;
} hk_fe_body;

/* How fine; zero: the usual. */
typedef struct hk_fe_density {
  int across, up; /* cells of the tooth: from flank to flank (even), from the fillet to the tip */
  int land;       /* columns of half a space */
  int rim;        /* rows of the rim */
  int along;      /* elements over the face width */
  double growth;  /* of rows from the rim to the bore */
  /* Positions of the tooth's columns and rows instead: across + 1 in [-1, 1], up + 1 in [0, 1]. */
  const double *column, *row;
} hk_fe_density;

typedef struct hk_fe_mesh {
  hk_fe_outline outline;
  const hk_fe_body *body;
  int dim;                                   /* displacements per node: 3, in a plane 2 */
  int columns, rows;                         /* cells */
  int tooth_first, tooth_columns, body_rows; /* which of them */
  int layers;                                /* elements along the axis */
  double *z;                                 /* [2 layers + 1] */
  int web_layers[2];                         /* first and one behind the last that the web has */
  int web_rows[2];                           /* rows of the web; equal: none */
  /* Nodes of the section, [2 rows + 1][2 columns + 1]; radius 0: none there. */
  double *radius, *angle;
  int *first, *count; /* along the axis: 2 web_layers ... or all */
} hk_fe_mesh;

hk_status hk_fe_mesh_make(const hk_fe_body *body, const hk_fe_density *density, hk_arena *arena,
                          hk_fe_mesh *out, hk_error *err);

/* 1, or -1 for a ring: of radii along the rows, and of z. */
static inline double hk_fe_mesh_sense(const hk_fe_mesh *m) { return m->body->tooth.ring ? -1 : 1; }

static inline int hk_fe_mesh_node(const hk_fe_mesh *m, int i, int k) {
  return k * (2 * m->columns + 1) + i;
}
/* Whether there is a cell, and which elements along the axis it has. */
bool hk_fe_mesh_cell(const hk_fe_mesh *m, int u, int v, int layers[2]);
/* A node in space; a: along the axis, 0 .. 2 layers. */
void hk_fe_mesh_point(const hk_fe_mesh *m, int node, int a, double x[3]);
/* Row of cells and place in it, -1..1, where column line i of nodes has radius r. */
hk_status hk_fe_mesh_find(const hk_fe_mesh *m, int i, double r, int *row, double *place,
                          hk_error *err);
#endif
