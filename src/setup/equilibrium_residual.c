/* Residual of the equilibrium: see equilibrium_residual.h. */
#include "solve/least_norm.h"
#include "setup/equilibrium_residual.h"
#include "solve/rank.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void hk_balance_free(hk_balance *b) {
  hk_system_destroy(b->metric);
  free(b->block);
  free(b->group);
  *b = (hk_balance){0};
}

hk_status hk_balance_create(hk_sim *sim, hk_balance *b, hk_error *err) {
  const hk_model *m = sim->model;
  size_t nv = (size_t)m->nv, nc = (size_t)m->nc, nodes = (size_t)m->n_nodes;
  *b = (hk_balance){.sim = sim};
  b->block = calloc(6 * nv + nc + nodes + (nv + nc) + 1, sizeof *b->block);
  b->group = calloc(nodes + 1, sizeof *b->group);
  if (!b->block || !b->group) return hk_fail(err, HK_ENOMEM, "out of memory");
  b->unit = b->block;
  b->weight = b->unit + nv;
  b->scale = b->weight + nv;
  b->a = b->scale + nv;
  b->r = b->a + nv;
  b->lambda = b->r + nv;
  b->load = b->lambda + nc;
  b->inertia = b->load + nodes;
  b->rhs = b->inertia + nv;
  for (int i = 0; i < m->n_nodes; i++)
    for (int k = 0; k < m->node[i].nv; k++)
      b->unit[m->node[i].v + k] = hk_balance_is_moment(m, i, k) ? m->length * m->length : 1;
  hk_balance_plain(b);
  hk_status status = hk_system_create(m, sim->kept, false, HK_SOLVER_AUTO, &b->metric, err);
  if (!status) hk_balance_groups(b);
  return status;
}

void hk_balance_plain(hk_balance *b) {
  for (int i = 0; i < b->sim->model->nv; i++) {
    b->weight[i] = b->unit[i];
    b->scale[i] = sqrt(b->unit[i]);
  }
}

/* ---- evaluation ---- */

static void put_frames(hk_balance *b, const double *x) {
  const hk_model *m = b->sim->model;
  const hk_instant in = hk_instant_at(m, x);
  hk_kinematics(b->sim->work, &in, HK_FRAMES_MOVING);
  hk_constraints(b->sim->work, &in);
}

static hk_status factor_metric(hk_balance *b, hk_error *err) {
  hk_assemble_metric(b->metric, b->sim->work, b->weight, 0);
  hk_status status = hk_linear_solver_factor(b->metric->solver, b->metric->matrix);
  return status ? hk_fail(err, status, "the constraints became dependent") : HK_OK;
}

/* Computes a and lambda from the residual r, with one iterative refinement for full accuracy. */
static void solve_balance(hk_balance *b) {
  const hk_model *m = b->sim->model;
  hk_system *sys = b->metric;
  memset(b->a, 0, (size_t)m->nv * sizeof *b->a);
  memset(b->lambda, 0, (size_t)m->nc * sizeof *b->lambda);
  for (int pass = 0; pass < 3; pass++) {
    memcpy(b->r, b->sim->work->f, (size_t)m->nv * sizeof *b->r);
    for (int i = 0; i < m->nv; i++) b->r[i] -= b->inertia[i];
    hk_constraint_force(b->sim->work, b->lambda, b->r);
    if (pass == 2) break;
    hk_constraint_rate(b->sim->work, b->a, b->sim->y);
    memset(b->rhs, 0, (size_t)sys->n * sizeof *b->rhs);
    for (int i = 0; i < m->nv; i++) b->rhs[i] = b->r[i] - b->weight[i] * b->a[i];
    for (int r = 0; r < m->nc; r++)
      if (sys->row_at[r] >= 0) b->rhs[sys->row_at[r]] = -b->sim->y[r];
    hk_linear_solver_solve(sys->solver, b->rhs);
    for (int i = 0; i < m->nv; i++) b->a[i] += b->rhs[i];
    for (int r = 0; r < m->nc; r++)
      if (sys->row_at[r] >= 0) b->lambda[r] += b->rhs[sys->row_at[r]];
  }
}

void hk_balance_rotation(const hk_balance *b, const double *x, double *vd) {
  const hk_model *m = b->sim->model;
  memset(vd, 0, (size_t)m->nv * sizeof *vd);
  for (int i = 0; i < m->n_nodes; i++) {
    const hk_node *n = &m->node[i];
    const double *v = x + m->at.v + n->v;
    double *out = vd + n->v;
    if (hk_node_translates(n)) {
      hk_vec3 a = hk_cross(b->spin, hk_v3(v[0], v[1], v[2]));
      out[0] = a.x, out[1] = a.y, out[2] = a.z;
    }
    if (n->turn < 0) continue;
    const hk_mat3 *R = &b->sim->work->R[i];
    const double *w = v + n->turn;
    hk_vec3 alpha = hk_tmul(R, hk_cross(b->spin, hk_mul(R, hk_v3(w[0], w[1], w[2]))));
    out[n->turn] = alpha.x, out[n->turn + 1] = alpha.y, out[n->turn + 2] = alpha.z;
  }
}

/* Friction may depend on the multipliers: a few iterations are sufficient. */
enum { FRICTION_ROUNDS = 8 };

hk_status hk_balance_evaluate(hk_balance *b, const double *x, hk_error *err) {
  const hk_model *m = b->sim->model;
  put_frames(b, x);
  hk_status status = factor_metric(b, err);
  if (status) return status;
  if (b->rotating) {
    hk_balance_rotation(b, x, b->a);
    hk_mass_multiply(b->sim->work, b->a, b->inertia);
  }
  const hk_instant in = hk_instant_settled(m, x, b->lambda);
  /* Without friction one iteration is exact. */
  for (int round = 0; round < (m->friction ? FRICTION_ROUNDS : 1); round++) {
    if (hk_forces(b->sim->work, &in)) return hk_work_failed(b->sim->work, err);
    solve_balance(b);
  }
  hk_balance_loads(b, x);
  double sum = 0;
  for (int i = 0; i < m->nv; i++) sum += (b->r[i] / b->scale[i]) * (b->r[i] / b->scale[i]);
  b->norm = sqrt(sum);
  if (isfinite(sum)) return HK_OK;
  const hk_item *element = hk_forces_not_finite(b->sim->work, &in);
  if (!element) return hk_fail(err, HK_RETRY, "the forces are not finite");
  hk_fail(err, HK_RETRY, "%s '%s' is not a finite number",
          hk_category_name(element->type->category), element->name);
  hk_error_about(err, element->name, NAN, -1);
  return HK_RETRY;
}

hk_status hk_balance_begin(hk_balance *b, const double *x, hk_error *err) {
  const hk_model *m = b->sim->model;
  hk_balance_plain(b);
  hk_status status = hk_balance_evaluate(b, x, err);
  if (status || !(b->largest > 0) || !isfinite(b->largest)) return status;
  for (int i = 0; i < m->n_nodes; i++)
    for (int k = 0; k < m->node[i].nv; k++) {
      int at = m->node[i].v + k;
      double load = b->load[i] > 0 ? b->load[i] : b->largest;
      b->weight[at] = b->unit[at] * load / b->largest;
      b->scale[at] = sqrt(b->unit[at]) * load;
    }
  return hk_balance_evaluate(b, x, err);
}

/* Errors of closed joints, relative to the length of the model (at least 1 m). `closed`: tolerance. nearly_closed:
 * accepted if an iteration no longer halves the error. An error above no_number means that the iteration has failed. */
static const double closed = 1e-13, nearly_closed = 1e-11, no_number = 1e300;
enum { MOST_CLOSING = 12 };

hk_status hk_balance_close(hk_balance *b, double *x, hk_error *err) {
  const hk_model *m = b->sim->model;
  double tolerance = closed * fmax(1, m->length), before = INFINITY;
  for (int iteration = 0; m->nc && iteration < MOST_CLOSING; iteration++) {
    put_frames(b, x);
    double g = hk_max_abs(b->sim->work->g, m->nc, NULL);
    if (!(g < no_number)) break;
    if (g <= tolerance || (g <= nearly_closed * fmax(1, m->length) && g > 0.5 * before))
      return HK_OK;
    before = g;
    hk_status status = factor_metric(b, err);
    if (status) return status;
    memset(b->rhs, 0, (size_t)b->metric->n * sizeof *b->rhs);
    for (int r = 0; r < m->nc; r++)
      if (b->metric->row_at[r] >= 0) b->rhs[b->metric->row_at[r]] = -b->sim->work->g[r];
    hk_linear_solver_solve(b->metric->solver, b->rhs);
    hk_configuration_add(m, x + m->at.q, b->rhs, x + m->at.q);
  }
  return m->nc ? hk_fail(err, HK_RETRY, "the joints do not close") : HK_OK;
}

static const double same_size = 1e-6; /* relative difference of residuals that count as equal */

hk_imbalance hk_balance_worst(const hk_balance *b, const double *r) {
  const hk_model *m = b->sim->model;
  hk_imbalance worst = {.body = ""};
  double most = -1;
  for (int i = 0; i < m->n_nodes; i++)
    for (int k = 0; k < m->node[i].nv; k++) {
      bool moment = hk_balance_is_moment(m, i, k);
      double size = fabs(r[m->node[i].v + k]), force = size / (moment ? m->length : 1);
      double relative = b->load[i] > 0 ? force / b->load[i] : 0;
      /* If several bodies have the same largest relative residual (for example, falling bodies), the body with the
       * largest force is reported. */
      bool equal = fabs(relative - worst.relative) <= same_size * worst.relative;
      if (equal ? !(force > most) : !(relative > worst.relative)) continue;
      most = force;
      bool state = m->node[i].type->number;
      worst = (hk_imbalance){size, relative, moment, m->node[i].name, state};
    }
  return worst;
}

int hk_imbalance_text(const hk_imbalance *e, char *buf, size_t size) {
  if (!e || !e->body) return snprintf(buf, size, "%s", "");
  if (e->state)
    return snprintf(buf, size, "a rate of %.6g 1/s, over its scale, of state '%s'", e->size,
                    e->body);
  return snprintf(buf, size, "a %s of %.6g %s on body '%s'", e->moment ? "moment" : "force",
                  e->size, e->moment ? "N m" : "N", e->body);
}

/* ---- redundant rows ---- */

static hk_status fill_self_stress(const hk_model *m, const hk_system *sys, hk_rank *rank,
                                  const uint8_t *dependent, double *c, double *out, hk_error *err) {
  for (int r = 0; r < m->nc; r++) {
    if (!dependent[sys->row_at[r]]) continue;
    hk_status status = hk_rank_dependency(rank, sys->row_at[r], c, NULL, err);
    if (status) return status;
    double sum = 1;
    for (int k = 0; k < m->nc; k++) {
      out[k] = k == r ? 1 : -c[sys->row_at[k]];
      sum += k == r ? 0 : out[k] * out[k];
    }
    for (int k = 0; k < m->nc; k++) out[k] /= sqrt(sum);
    out += m->nc;
  }
  return HK_OK;
}

hk_status hk_balance_self_stress(hk_balance *b, double **out, int *n, hk_error *err) {
  const hk_model *m = b->sim->model;
  *out = NULL;
  *n = 0;
  if (b->sim->stats.redundant == 0) return HK_OK;
  hk_system *sys;
  hk_rank *rank = NULL;
  hk_status status = hk_system_create(m, NULL, false, HK_SOLVER_BLOCK, &sys, err);
  if (status) return status;
  uint8_t *dependent = calloc((size_t)sys->n + 1, 1);
  double *c = calloc((size_t)sys->n + 1, sizeof *c);
  if (!dependent || !c) status = hk_fail(err, HK_ENOMEM, "out of memory");
  if (!status) {
    hk_assemble_metric(sys, b->sim->work, b->unit, 0);
    status = hk_rank_analyse(sys->matrix, HK_RANK_TOL, dependent, n, &rank, err);
  }
  if (!status && *n > 0) {
    *out = calloc((size_t)*n * (size_t)m->nc, sizeof **out);
    status = *out ? fill_self_stress(m, sys, rank, dependent, c, *out, err)
                  : hk_fail(err, HK_ENOMEM, "out of memory for %d self-stresses", *n);
  }
  if (status) {
    free(*out);
    *out = NULL;
    *n = 0;
  }
  hk_rank_free(rank);
  free(dependent);
  free(c);
  hk_system_destroy(sys);
  return status;
}

/* The Gram matrix of the self-stresses is well conditioned, because each self-stress has an
 * entry at its redundant row, where all others are 0. */
hk_status hk_balance_least_norm(const hk_model *m, const double *Z, int n, double *lambda,
                                hk_error *err) {
  if (n == 0) return HK_OK;
  double *room = malloc(((size_t)n * (size_t)n + (size_t)n) * sizeof *room);
  if (!room) return hk_fail(err, HK_ENOMEM, "out of memory");
  bool found = hk_least_norm(Z, n, m->nc, lambda, room);
  free(room);
  return found ? HK_OK : hk_fail(err, HK_RETRY, "a matrix is singular");
}
