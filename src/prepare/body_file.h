/* Reduced flexible bodies in HDF5 files, as `hooke reduce` writes them:
 *
 *   attributes  hooke_body = 1 (format), source, hash
 *   mass [1], center [3], inertia [3][3]
 *   squared_frequency [m], inertia_1 [m][3][3], inertia_2 [m][m][3][3], coriolis [m][m][3]
 *   stiffening [m][m][3][3]                 optional
 *   fixed_squared_frequency [n]             optional
 *   interfaces/NAME/position [3], translation [3][m], rotation [3][m], second_order [3][m][m] (optional);
 *                   attribute observed = 1 for sets of nodes without modes of their own
 *   surface/vertices [n][3], triangles [t][3], displacement [m][n][3], stress [m][n][6] (optional), in single precision;
 *                   the group is optional
 *
 * All numbers are in SI units.  Their meaning: flexible/flexible_data.h. */
#ifndef HK_PREPARE_BODY_FILE_H
#define HK_PREPARE_BODY_FILE_H
#include "base/arena.h"
#include "flexible/flexible_data.h"

/* Reads and checks a body (hk_flexible_check).  The symmetries of the data are made exact, so that momentum and energy are
 * conserved. surface: read the displacements and stresses of the surface too; its shape is always read. quiet: the file may be outside of the model's
 * folder; messages then do not show its contents. */
hk_status hk_body_file_read(const char *path, bool surface, bool quiet, hk_arena *arena,
                            hk_flexible_data *out, hk_error *err);
/* Checks a body and writes it; the file appears complete or not at all, and never replaces an input
 * (base/file.h). */
hk_status hk_body_file_write(const char *path, const hk_flexible_data *b, hk_error *err);
#endif
