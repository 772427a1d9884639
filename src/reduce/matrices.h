/* Stiffness and mass of a part from files of other programs.
 *
 * The mesh of the result has nodes and sets; it has elements only if the file contains them. */
#ifndef HK_REDUCE_MATRICES_H
#define HK_REDUCE_MATRICES_H
#include "reduce/mesh.h"
#include "fe_solve/nodal_matrix.h"

/* Units of a file: length in m, stiffness in N/m, mass in kg. */
typedef struct hk_part_units {
  double length, stiffness, mass;
} hk_part_units;

/* Reads Matrix Market files (coordinate, real). The unknowns are x, y, z of the nodes in the order of the table; the
 * mass may also have one unknown per node. Each line of the table is "node, x, y, z". A first line with names, and
 * lines that begin with #, are skipped. */
hk_status hk_matrix_market_read(const char *stiffness, const char *mass, const char *nodes,
                                hk_part_units units, hk_part_mesh *mesh, hk_nodal_matrix *A,
                                hk_error *err);
/* Reads the matrices of CalculiX (SOLVER=MATRIXSTORAGE): files .sti, .mas, .dof, and the input file .inp of the same
 * name. */
hk_status hk_calculix_read(const char *stiffness, hk_part_units units, hk_part_mesh *mesh,
                           hk_nodal_matrix *A, hk_error *err);

/* ---- for tests ---- */

typedef struct hk_part_text {
  const char *name, *bytes;
  size_t size;
} hk_part_text;
hk_status hk_matrix_market_parse(hk_part_text stiffness, hk_part_text mass, hk_part_text nodes,
                                 hk_part_units units, hk_part_mesh *mesh, hk_nodal_matrix *A,
                                 hk_error *err);
hk_status hk_calculix_parse(hk_part_text stiffness, hk_part_text mass, hk_part_text unknowns,
                            hk_part_text input, hk_part_units units, hk_part_mesh *mesh,
                            hk_nodal_matrix *A, hk_error *err);
#endif
