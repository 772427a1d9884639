/* Reported reactions of redundant joints.
 *
 * For rigid bodies the load sharing of redundant joints is undetermined: a self-stress z with G^T z = 0 may be added
 * to any multipliers lambda of the equations.  The equations omit one row for each self-stress; its
 * multiplier is zero, so one of two equal bearings would carry the whole load.  Reported are the
 * multipliers of minimum norm, which share loads like rows of equal compliance: lambda - Z^T (Z
 * Z^T)^-1 Z lambda, with one row of Z for each omitted row j,
 *   z = e_j - c,   G_kept^T c = g_j^T   by   [M G_kept^T; G_kept 0] [x; c] = [g_j^T; 0],  x = 0.
 * Motion and friction use the multipliers of the equations. */
#include "solve/least_norm.h"
#include "sim/output.h"
#include <stdlib.h>

/* Allocates out.reaction [nc], Z [n][nc] and the memory of hk_least_norm when rows are first found
 * redundant. */
static hk_status make_room(hk_sim *s, int n, hk_error *err) {
  const size_t nc = (size_t)s->model->nc, rows = (size_t)n;
  if (s->out.reaction && s->out.n_self >= n) return HK_OK;
  double *room = realloc(s->out.reaction, (nc + rows * nc + rows * rows + rows) * sizeof *room);
  if (!room) return hk_fail(err, HK_ENOMEM, "out of memory");
  s->out.reaction = room;
  s->out.n_self = n;
  return HK_OK;
}

/* Computes Z at the state with frames and constraints in `work`; false: the position is singular. */
static bool find_self_stresses(hk_sim *s, const hk_instant *in, double *Z) {
  const hk_model *m = s->model;
  const hk_system *sys = s->index1;
  if (hk_accelerations_factor(s, in)) return false;
  for (int j = 0; j < m->nc; j++) {
    if (s->kept[j]) continue;
    hk_zero(Z, m->nc);
    hk_zero(s->r, sys->n);
    Z[j] = -1;
    hk_constraint_force(s->work, Z, s->r); /* -G^T of it */
    hk_linear_solver_solve(sys->solver, s->r);
    Z[j] = 1;
    for (int r = 0; r < m->nc; r++)
      if (s->kept[r]) Z[r] = -s->r[sys->row_at[r]];
    if (!isfinite(hk_max_abs(Z, m->nc, NULL))) return false;
    Z += m->nc;
  }
  return true;
}

hk_status hk_least_reactions(hk_sim *s, const hk_instant *in, const double **out, hk_error *err) {
  const hk_model *m = s->model;
  const int n = s->stats.redundant;
  *out = s->out.lambda;
  if (n == 0) return HK_OK;
  hk_status status = make_room(s, n, err);
  if (status) return status;
  double *lambda = s->out.reaction, *Z = lambda + m->nc, *room = Z + (size_t)n * m->nc;
  if (!find_self_stresses(s, in, Z)) return HK_OK;
  hk_copy(lambda, s->out.lambda, m->nc);
  if (hk_least_norm(Z, n, m->nc, lambda, room)) *out = lambda;
  return HK_OK;
}
