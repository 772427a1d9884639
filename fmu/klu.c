/* KLU is under the LGPL, which would oblige everyone who passes an FMU on.  FMUs use the solver of the project in its place
 * (docs/fmi.md). */
#include "solve/linear_solver.h"

hk_status hk_klu_solver_create(const hk_block_pattern *p, hk_linear_solver **out, hk_error *err) {
  return hk_pivot_lu_create(p, out, err);
}
