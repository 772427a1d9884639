/* Solid elements of first and second order: tetrahedra, hexahedra and wedges.
 *
 * Isotropic and linear.  The nodes are the corners and, in second order, the midpoints of the edges.  Their order
 * is that of CalculiX and Abaqus; hk_solid_type lists the edges in this order, so that a reader of another format
 * finds its own order by the edges.
 * Stiffness, mass and stress stiffness have the form of 3 x 3 blocks per pair of nodes; the consistent mass and
 * the stress stiffness are a number m_ij times the unit matrix. */
#ifndef HK_FE_SOLID_H
#define HK_FE_SOLID_H
#include <stdbool.h>

typedef enum hk_solid_kind {
  HK_SOLID_TETRAHEDRON_4,
  HK_SOLID_TETRAHEDRON_10,
  HK_SOLID_HEXAHEDRON_8,
  HK_SOLID_HEXAHEDRON_20,
  HK_SOLID_WEDGE_6,
  HK_SOLID_WEDGE_15,
  HK_SOLID_KINDS
} hk_solid_kind;

enum { HK_SOLID_NODES = 20, HK_SOLID_POINTS = 64, HK_SOLID_FACE_NODES = 8 };

typedef struct hk_solid_type {
  const char *name;
  int nodes, corners, edges, faces;
  short edge[12][2]; /* corners of each edge; in second order edge e has node corners + e */
  /* corners of each face, anticlockwise as seen from outside; the fourth is -1 for a triangle */
  short face[6][4];
} hk_solid_type;
extern const hk_solid_type hk_solid_types[HK_SOLID_KINDS];

/* Nodes of a face: corners, then midpoints of its edges.  Returns their number; *corners is 3 or 4. */
int hk_solid_face(hk_solid_kind kind, int face, int node[HK_SOLID_FACE_NODES], int *corners);

/* Shape functions and their gradients in element coordinates at the points of a quadrature. */
typedef struct hk_solid_rule {
  int points, nodes;
  double weight[HK_SOLID_POINTS], N[HK_SOLID_POINTS][HK_SOLID_NODES],
      D[HK_SOLID_POINTS][HK_SOLID_NODES][3];
} hk_solid_rule;
/* Two quadrature rules: one for the stiffness, and one for the mass, which is exact for curved tetrahedra too. */
void hk_solid_stiffness_rule(hk_solid_kind kind, hk_solid_rule *rule);
void hk_solid_mass_rule(hk_solid_kind kind, hk_solid_rule *rule);
/* Shape functions and gradients at the nodes of the element; the weights are zero. */
void hk_solid_node_rule(hk_solid_kind kind, hk_solid_rule *rule);

typedef struct hk_solid_elasticity {
  double lambda, mu; /* Lame's constants [Pa] */
} hk_solid_elasticity;

/* Computes g, the gradients in space at point q. Returns the ratio of volumes (space to element coordinates);
 * negative: the element is inverted. */
double hk_solid_gradients(const hk_solid_rule *rule, int q, double x[][3], double g[][3]);
/* K[a][b] is the 3 x 3 block of nodes a and b, by rows.  Returns false if the element is inverted or degenerate. */
bool hk_solid_stiffness(const hk_solid_rule *rule, double x[][3], hk_solid_elasticity e,
                        double K[HK_SOLID_NODES][HK_SOLID_NODES][9]);
/* Adds the integral of density N_a N_b to m[a][b]. Returns the volume of the element; negative: it is inverted at a
 * point. */
double hk_solid_mass(const hk_solid_rule *rule, double x[][3], double density,
                     double m[HK_SOLID_NODES][HK_SOLID_NODES]);
/* Stress xx, yy, zz, xy, yz, zx caused by the displacements u, from the gradients at one point. */
void hk_solid_stress(int nodes, double g[][3], double u[][3], hk_solid_elasticity e,
                     double stress[6]);
/* Stress stiffness k[a][b] = integral of grad N_a . stress . grad N_b, with the stress of the displacements u. */
void hk_solid_stress_stiffness(const hk_solid_rule *rule, double x[][3], double u[][3],
                               hk_solid_elasticity e, double k[HK_SOLID_NODES][HK_SOLID_NODES]);
#endif
