/* Redundant constraints. A rank analysis at the assembled position finds them; they are reported by name and omitted
 * from the equations (for the reported reactions see self_stress.c). The violation of the omitted rows is monitored.
 * If a row was dependent only at the assembled position, its violation grows, and the row is included again. */
#include "sim/ledger.h"
#include "solve/rank.h"
#include "sim/sim.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Writes a text such as "joint 'c' (revolute), tilt x follows from joints 'a', 'b'". */
static void explain(const hk_sim *s, const hk_system *sys, hk_rank *rank, int row, char *text,
                    size_t size) {
  const hk_model *m = s->model;
  double *c = calloc((size_t)sys->n + 1, sizeof *c);
  char name[256];
  hk_model_row_text(m, row, name, sizeof name);
  size_t used = (size_t)snprintf(text, size, "%s", name);
  if (c && hk_rank_dependency(rank, sys->row_at[row], c, NULL, NULL) == HK_OK) {
    int listed = 0, own = m->row_constraint[row];
    double most = hk_max_abs(c, sys->n, NULL);
    for (int i = 0; i < m->n_constraints && most > 0 && listed < 6; i++) {
      double share = 0;
      for (int r = m->constraint[i].row; r < m->constraint[i].row + m->constraint[i].n_rows; r++)
        share = fmax(share, fabs(c[sys->row_at[r]]));
      if (i == own || share < 1e-6 * most || used + 64 >= size) continue;
      used += (size_t)snprintf(text + used, size - used, "%s'%s'",
                               listed ? ", " : ": follows from ", m->constraint[i].name);
      listed++;
    }
  }
  free(c);
}

static void warn(hk_sim *s, const hk_system *sys, hk_rank *rank, const uint8_t *dependent, int n,
                 hk_diag *diag) {
  const hk_model *m = s->model;
  int told = 0;
  for (int r = 0; r < m->nc && told < 8; r++) {
    if (!dependent[sys->row_at[r]]) continue;
    char text[700];
    explain(s, sys, rank, r, text, sizeof text);
    hk_diag_add(diag, HK_WARNING, &m->constraint[m->row_constraint[r]].item->place,
                "redundant: %s; the load sharing of these is undetermined for rigid bodies, and "
                "the reported reactions are those of minimum norm",
                text);
    told++;
  }
  if (n > told)
    hk_diag_add(diag, HK_WARNING, NULL, "%d further constraint rows are redundant", n - told);
}

typedef struct rank_result {
  hk_system *sys;
  hk_rank *rank;
  uint8_t *dependent; /* [sys->n] */
  int n;
} rank_result;

static void rank_release(rank_result *a) {
  hk_rank_free(a->rank);
  free(a->dependent);
  hk_system_destroy(a->sys);
}

/* Computes the rank of G at the frames in `work`, in a metric that weights a radian by the
 * characteristic length. */
static hk_status rank_at_position(hk_sim *s, double tolerance, rank_result *a, hk_error *err) {
  const hk_model *m = s->model;
  *a = (rank_result){0};
  hk_status status = hk_system_create(m, NULL, false, HK_SOLVER_BLOCK, &a->sys, err);
  if (status) return status;
  double *weight = calloc((size_t)m->nv + 1, sizeof *weight), L2 = m->length * m->length;
  a->dependent = calloc((size_t)a->sys->n + 1, 1);
  if (!a->dependent || !weight) {
    free(weight);
    return hk_fail(err, HK_ENOMEM, "out of memory");
  }
  for (int i = 0; i < m->n_nodes; i++)
    for (int k = 0; k < m->node[i].nv; k++)
      weight[m->node[i].v + k] = m->node[i].coordinate[k].angular ? L2 : 1;
  hk_assemble_metric(a->sys, s->work, weight, 0);
  free(weight);
  return hk_rank_analyse(a->sys->matrix, tolerance, a->dependent, &a->n, &a->rank, err);
}

hk_status hk_find_redundancy(hk_sim *s, hk_diag *diag, hk_error *err) {
  const hk_model *m = s->model;
  memset(s->kept, 1, (size_t)m->nc);
  s->stats.redundant = 0;
  if (m->nc == 0) return HK_OK;
  rank_result a;
  hk_status status = rank_at_position(s, HK_RANK_TOL, &a, err);
  if (!status) {
    for (int r = 0; r < m->nc; r++) s->kept[r] = !a.dependent[a.sys->row_at[r]];
    s->stats.redundant = a.n;
    if (a.n && diag) warn(s, a.sys, a.rank, a.dependent, a.n, diag);
  }
  rank_release(&a);
  return status;
}

hk_status hk_blame_row(const hk_sim *s, int row, hk_status status, hk_error *err) {
  const hk_model *m = s->model;
  hk_error_about(err, row < 0 ? NULL : m->constraint[m->row_constraint[row]].name, s->x[m->at.t],
                 row);
  return status;
}

int hk_explain_conflict(hk_sim *s, const double *value, bool rate, char *text, size_t size) {
  const hk_model *m = s->model;
  rank_result a;
  int found = -1;
  double *c = NULL, worst = 1e-11 * fmax(1, m->length);
  worst = fmax(worst, 1e-6 * hk_max_abs(value, m->nc, NULL));
  if (rank_at_position(s, HK_RANK_TOL, &a, NULL) == HK_OK)
    c = calloc((size_t)a.sys->n + 1, sizeof *c);
  for (int r = 0; c && r < m->nc; r++) {
    if (!a.dependent[a.sys->row_at[r]] ||
        hk_rank_dependency(a.rank, a.sys->row_at[r], c, NULL, NULL))
      continue;
    /* The row is a linear combination of other rows. Unless the rows contradict each other, its value is the
     * same combination of the values of these rows. */
    double gap = value[r], most = 0;
    int partner = -1;
    for (int k = 0; k < m->nc; k++) {
      double share = c[a.sys->row_at[k]];
      if (k == r || a.dependent[a.sys->row_at[k]]) continue;
      gap -= share * value[k];
      if (fabs(share) > most && m->row_constraint[k] != m->row_constraint[r])
        most = fabs(share), partner = k;
    }
    if (fabs(gap) <= worst || partner < 0) continue;
    char one[256], two[256];
    hk_model_row_text(m, r, one, sizeof one);
    hk_model_row_text(m, partner, two, sizeof two);
    double unit = rate ? 1 : m->row_angular[r] ? 180 / M_PI : 1000;
    const char *name = m->row_angular[r] ? (rate ? "rad/s" : "deg") : (rate ? "m/s" : "mm");
    snprintf(text, size, "%s contradicts %s by %.6g %s", one, two, fabs(gap) * unit, name);
    worst = fabs(gap);
    found = r;
  }
  free(c);
  rank_release(&a);
  return found;
}

/* Near a dead point a row is almost a linear combination of other rows. If the square of the
 * remaining difference is below this limit, the drive has hardly any effect, and high-order
 * methods find no acceptable step. */
static const double DEAD = 1e-3;

bool hk_explain_dead_point(hk_sim *s, char *text, size_t size) {
  const hk_model *m = s->model;
  const hk_instant in = hk_instant_at(m, s->x);
  hk_kinematics(s->work, &in, HK_FRAMES_MOVING);
  hk_constraints(s->work, &in);
  rank_result a;
  bool found = false;
  hk_status status = m->nc ? rank_at_position(s, DEAD, &a, NULL) : HK_EFAIL;
  for (int r = 0; !status && r < m->nc && !found; r++) {
    if (!s->kept[r] || !a.dependent[a.sys->row_at[r]]) continue;
    char row[500];
    explain(s, a.sys, a.rank, r, row, sizeof row);
    snprintf(text, size,
             "the mechanism has reached a dead point, where one of its constraints is no longer "
             "independent of the others (%s). Check lengths and limits of the motion, drive "
             "another coordinate or, if it should pass this position, use a larger rtol",
             row);
    found = true;
  }
  if (m->nc) rank_release(&a);
  return found;
}

bool hk_explain_later_conflict(hk_sim *s, double ahead, char *text, size_t size) {
  const hk_model *m = s->model;
  hk_instant in = hk_instant_at(m, s->x);
  in.t += ahead;
  hk_kinematics(s->work, &in, HK_FRAMES_MOVING);
  hk_constraints(s->work, &in);
  double *value = calloc((size_t)m->nc + 1, sizeof *value);
  if (!value || m->nc == 0) {
    free(value);
    return false;
  }
  memcpy(value, s->work->g, (size_t)m->nc * sizeof *value);
  bool found = hk_explain_conflict(s, value, false, text, size) >= 0;
  free(value);
  return found;
}

hk_status hk_build_systems(hk_sim *s, bool full, hk_error *err) {
  const hk_model *m = s->model;
  hk_linear_solver_kind kind = m->massless ? HK_SOLVER_KLU : HK_SOLVER_AUTO;
  hk_system *system, *index1 = NULL;
  hk_status status = hk_system_create(m, s->kept, full, kind, &system, err);
  if (!status) status = hk_system_create(m, s->kept, false, kind, &index1, err);
  if (status) {
    hk_system_destroy(system);
    return status;
  }
  hk_system_destroy(s->system);
  hk_system_destroy(s->index1);
  s->system = system;
  s->index1 = index1;
  for (int r = 0; r < m->nc; r++) s->x[m->at.kept + r] = s->kept[r];
  s->x[m->at.full] = full;
  hk_ledger_prepare(s);
  return HK_OK;
}
