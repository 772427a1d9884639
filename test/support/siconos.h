/* Numerics of Siconos with our own memory. */
#ifndef SICONOS_H
#define SICONOS_H
#include <stdlib.h>

#include <FrictionContactProblem.h>
#include <Friction_cst.h>
#include <LCP_Solvers.h>
#include <LinearComplementarityProblem.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <SolverOptions.h>
#include <lcp_cst.h>

/* A matrix by columns. */
static inline NumericsMatrix *siconos_borrow(int n, double *by_column) {
  NumericsMatrix *m = NM_new();
  m->storageType = NM_DENSE, m->size0 = m->size1 = n, m->matrix0 = by_column;
  return m;
}

static inline void siconos_give_back(NumericsMatrix *m) {
  m->matrix0 = NULL;
  NM_clear(m);
  free(m);
}

static inline SolverOptions *siconos_options(int solver, int most, double tolerance) {
  SolverOptions *o = solver_options_create(solver);
  o->iparam[SICONOS_IPARAM_MAX_ITER] = most;
  o->dparam[SICONOS_DPARAM_TOL] = tolerance;
  return o;
}

static inline void siconos_options_free(SolverOptions *o) {
  solver_options_delete(o);
  free(o);
}
#endif
