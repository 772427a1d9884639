/* Interfaces of a part: see interface.h. */
#include "reduce/interface.h"
#include "base/eigen_small.h"
#include "base/small_lu.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

void hk_part_rigid_motion(int j, const double center[3], const double x[3], double u[3]) {
  u[0] = u[1] = u[2] = 0;
  if (j < 3) {
    u[j] = 1;
    return;
  }
  int p = (j - 3 + 1) % 3, q = (j - 3 + 2) % 3; /* e_a x r: e_p component -r_q, e_q component r_p */
  u[p] = -(x[q] - center[q]);
  u[q] = x[p] - center[p];
}

void hk_part_interface_rows(const hk_part_interface *b, const double (*x)[3], double *row) {
  double N[36] = {0}, pivot[6];
  for (int i = 0; i < b->n; i++)
    for (int j = 0; j < 6; j++) {
      double u[3], v[3];
      hk_part_rigid_motion(j, b->center, x[b->node[i]], u);
      for (int k = 0; k < 6; k++) {
        hk_part_rigid_motion(k, b->center, x[b->node[i]], v);
        N[6 * j + k] += u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
      }
    }
  hk_small_lu_factor(N, pivot, 6, 0);
  for (int i = 0; i < b->n; i++) {
    double rhs[18]; /* [6][3] */
    for (int j = 0; j < 6; j++) hk_part_rigid_motion(j, b->center, x[b->node[i]], rhs + 3 * j);
    hk_small_lu_solve(N, pivot, 6, rhs, 3);
    for (int j = 0; j < 6; j++)
      memcpy(row + 3 * ((size_t)j * (size_t)b->n + (size_t)i), rhs + 3 * j, 3 * sizeof *row);
  }
}

void hk_part_interface_motion(const hk_part_interface *b, const double *row, const double *u,
                              double motion[6]) {
  for (int j = 0; j < 6; j++) {
    const double *own = row + 3 * (size_t)j * (size_t)b->n;
    motion[j] = 0;
    for (int i = 0; i < b->n; i++)
      for (int d = 0; d < 3; d++)
        motion[j] += own[3 * i + d] * u[3 * (size_t)b->node[i] + (size_t)d];
  }
}

/* Returns true if the nodes of an interface lie on one line or at one point. */
static bool on_line(const hk_part_interface *b, const double (*x)[3]) {
  double c[3] = {0}, A[9] = {0}, lambda[3];
  for (int i = 0; i < b->n; i++)
    for (int d = 0; d < 3; d++) c[d] += x[b->node[i]][d] / b->n;
  for (int i = 0; i < b->n; i++)
    for (int d = 0; d < 9; d++)
      A[d] += (x[b->node[i]][d / 3] - c[d / 3]) * (x[b->node[i]][d % 3] - c[d % 3]);
  hk_symmetric_eigenvalues(A, 3, lambda);
  return !(lambda[1] > 1e-8 * lambda[2]);
}

hk_status hk_part_interfaces_check(int n, const hk_part_interface *b, const double (*x)[3],
                                   int n_nodes, const long *label, hk_error *err) {
  int *owner = malloc(sizeof *owner * ((size_t)n_nodes + 1));
  if (!owner) return hk_fail(err, HK_ENOMEM, "out of memory");
  for (int i = 0; i < n_nodes; i++) owner[i] = -1;
  hk_status status = HK_OK;
  for (int k = 0; k < n && !status; k++) {
    int shared = 0, with = -1, at = -1;
    for (int i = 0; i < b[k].n; i++) {
      int *o = &owner[b[k].node[i]];
      if (*o >= 0) shared++, with = *o, at = b[k].node[i];
      *o = k;
    }
    if (shared)
      status = hk_fail(err, HK_EINPUT,
                       "interfaces '%s' and '%s' overlap: %d nodes are in both, for example node "
                       "%ld at (%.4g, %.4g, %.4g) m; "
                       "choose sets without common nodes",
                       b[with].name, b[k].name, shared, label ? label[at] : at + 1L, x[at][0],
                       x[at][1], x[at][2]);
    else if (b[k].n < 3 || on_line(&b[k], x))
      status = hk_fail(err, HK_EINPUT,
                       "interface '%s' has %d node%s%s; a rotation needs at least three nodes that "
                       "are not on one line",
                       b[k].name, b[k].n, b[k].n == 1 ? "" : "s",
                       b[k].n >= 3 ? ", all on one line" : "");
  }
  free(owner);
  return status;
}
