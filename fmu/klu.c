/* KLU is under the LGPL, whose conditions would apply to everyone who distributes an FMU.
 * Therefore FMUs use the solver of this project instead (docs/fmi.md). */
#include "solve/linear_solver.h"

hk_status hk_klu_solver_create(const hk_block_pattern *p, hk_linear_solver **out, hk_error *err) {
  return hk_pivot_lu_create(p, out, err);
}
