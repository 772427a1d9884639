/* Stiffness and mass of a mesh of one material. */
#ifndef HK_REDUCE_ASSEMBLE_H
#define HK_REDUCE_ASSEMBLE_H
#include "reduce/mesh.h"
#include "fe_solve/nodal_matrix.h"

typedef struct hk_part_material {
  double young, poisson, density; /* Pa, 1, kg/m^3 */
} hk_part_material;

/* Lame's constants. */
hk_solid_elasticity hk_part_elasticity(const hk_part_material *m);
/* Assembles the stiffness and the consistent mass. Rejects inverted elements (with their numbers), a mesh in several
 * parts that are not connected, and impossible materials. */
hk_status hk_part_assemble(const hk_part_mesh *mesh, const hk_part_material *material,
                           hk_nodal_matrix *out, hk_error *err);
/* Rejects a matrix whose graph consists of several parts that are not connected. `join`: nodes
 * with the same number > 0 are also connected in another way, for example by a rigid interface;
 * 0: the node has no such connection; NULL: no node has one. */
hk_status hk_part_check_connected(const hk_nodal_matrix *A, const double (*x)[3], const int *join,
                                  hk_error *err);
/* Adds the stress stiffness of the displacements u to k[], which has the pattern of A. */
void hk_part_stress_stiffness(const hk_part_mesh *mesh, const hk_part_material *material,
                              const hk_nodal_matrix *A, const double *u, double *k);
#endif
