/* Initial positions and velocities: the nearest ones that satisfy every joint.
 *
 * Positions: Newton steps of minimum weighted norm,
 *   [ W  G^T     ] [ d  ]   [  0 ]
 *   [ G  -eps I  ] [ mu ] = [ -g ]
 * limited in length and halved until the violation decreases.  eps > 0 keeps the matrix regular with
 * redundant or conflicting rows; with conflicting rows the iteration converges to the least-squares
 * compromise.  The weight of coordinates fixed by the user is so large that they do not move. */
#include "sim/sim.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double heavy = 1e18;
/* weight of coordinates whose velocity is given in the model */
static const double heavy_velocity = 1e10;
/* number of coordinates of a rigid motion */
enum { RIGID = 6 };
/* factors of the units in messages */
static const double degrees = 180 / M_PI, millimetres = 1e3;
enum { TEXT = 600 };
/* weight of the modes of a flexible body, chosen so that bodies move rather than deform */
static const double stiff = 1e8;

void hk_metric(const hk_sim *s, bool for_velocity, double *weight) {
  const hk_model *m = s->model;
  double L2 = m->length * m->length;
  for (int i = 0; i < m->n_nodes; i++) {
    const hk_node *n = &m->node[i];
    double *w = weight + n->v;
    bool fix_x = n->fixed == HK_FIXED_POSITION || n->fixed == HK_FIXED_ALL;
    bool fix_r = n->fixed == HK_FIXED_ORIENTATION || n->fixed == HK_FIXED_ALL;
    /* velocities given in the file are kept if the constraints of the joints allow it */
    if (for_velocity) {
      fix_x = hk_item_has(n->item, "velocity");
      fix_r = hk_item_has(n->item, "angular_velocity") || hk_item_has(n->item, "rate");
    }
    double heavier = for_velocity ? heavy_velocity : heavy;
    int rigid =
        n->type->interfaces ? RIGID : n->nv; /* the other coordinates are deformation modes */
    for (int k = 0; k < rigid; k++) {
      bool angular = n->coordinate[k].angular, alone = n->nv == 1;
      w[k] = angular ? L2 : 1;
      if ((angular ? fix_r : fix_x) || (alone && (fix_r || fix_x))) w[k] *= heavier;
    }
    for (int k = rigid; k < n->nv; k++) w[k] = stiff;
  }
}

static double violation(const hk_model *m, const double *g) {
  double sum = 0;
  for (int r = 0; r < m->nc; r++) {
    double e = m->row_angular[r] ? g[r] * m->length : g[r];
    sum += e * e;
  }
  return sqrt(sum);
}

static void evaluate(hk_sim *s, const double *q) {
  const hk_model *m = s->model;
  hk_instant in = hk_instant_at(m, s->x);
  in.q = q;
  hk_kinematics(s->work, &in, HK_FRAMES_MOVING);
  hk_constraints(s->work, &in);
}

/* Limit of a step: half the characteristic length, or half a radian. */
static double step_limit(const hk_model *m, const double *d) {
  double limit = 1;
  for (int i = 0; i < m->n_nodes; i++)
    for (int k = 0; k < m->node[i].nv; k++) {
      bool rotation = m->node[i].coordinate[k].angular;
      double most = rotation ? 0.5 : 0.5 * m->length, size = fabs(d[m->node[i].v + k]);
      if (size > most) limit = fmin(limit, most / size);
    }
  return limit;
}

/* Solves for s->r, which has room for three vectors: see begin_closing.  Two iterative refinements: where rows are almost
 * redundant, mu is up to g/eps, so that its round-off would move bodies; parts of composite joints by up to 0.4 um. */
static hk_status solve_metric(hk_sim *s, hk_system *sys, const double *weight, double epsilon) {
  enum { REFINEMENTS = 2 };
  const int n = sys->n;
  double *x = s->r, *wanted = x + n, *rest = wanted + n;
  hk_assemble_metric(sys, s->work, weight, epsilon);
  hk_status status = hk_linear_solver_factor(sys->solver, sys->matrix);
  if (status) return status;
  memcpy(wanted, x, (size_t)n * sizeof *x);
  hk_linear_solver_solve(sys->solver, x);
  for (int pass = 0; pass < REFINEMENTS; pass++) {
    hk_block_matrix_multiply(sys->matrix, x, rest);
    for (int i = 0; i < n; i++) rest[i] = wanted[i] - rest[i];
    hk_linear_solver_solve(sys->solver, rest);
    for (int i = 0; i < n; i++) x[i] += rest[i];
  }
  return HK_OK;
}

static void put_rows(const hk_sim *s, const hk_system *sys, const double *g) {
  memset(s->r, 0, (size_t)sys->n * sizeof *s->r);
  for (int r = 0; r < s->model->nc; r++)
    if (sys->row_at[r] >= 0) s->r[sys->row_at[r]] = -g[r];
}

/* Returns the row. */
static int describe_gap(const hk_sim *s, char *text, size_t size) {
  const hk_model *m = s->model;
  int worst = 0;
  double most = -1;
  for (int r = 0; r < m->nc; r++) {
    double e = fabs(s->work->g[r]) * (m->row_angular[r] ? m->length : 1);
    if (e > most) most = e, worst = r;
  }
  char row[TEXT / 2];
  hk_model_row_text(m, worst, row, sizeof row);
  if (m->row_angular[worst])
    snprintf(text, size, "%s: %.4g deg remain", row, fabs(s->work->g[worst]) * degrees);
  else
    snprintf(text, size, "%s: %.6g mm remain", row, fabs(s->work->g[worst]) * millimetres);
  return worst;
}

/* Sets the number of revolutions of each angle with a prescribed motion to that of the prescribed value. */
static void choose_turns(hk_sim *s) {
  const hk_model *m = s->model;
  for (int i = 0; i < m->n_constraints; i++) {
    const hk_constraint *c = &m->constraint[i];
    if (!c->value || c->n_terms != 1) continue;
    const hk_model_term *term = &m->term[c->term];
    int turn = m->coordinate[term->coordinate].turn;
    s->work->variable[0] = s->x[m->at.t];
    if (turn >= 0 && term->factor != 0)
      s->x[m->at.turn + turn] =
          (hk_expr_value(c->value, s->work->variable) + c->constant) / term->factor;
  }
}

/* Regularisation eps of the steps that close the joints, and of the projections of velocities: of bodies of the user, and of
 * parts, whose rows may contradict each other. */
static const double closing_epsilon = 1e-9, bodies_epsilon = 1e-13, parts_epsilon = 1e-7;
/* The iteration ends if the violation is below the first fraction of the model's length. A violation below the second
 * fraction may be round-off and need not decrease. */
static const double closed = 1e-15, nearly_closed = 1e-13;
/* The iteration has stalled if the violation decreases by less than this factor several times. */
static const double stalling = 0.999;
enum { MOST_ITERATIONS = 200, MOST_HALVINGS = 12 };
/* Largest violations after assembly, in model lengths and in relative velocities, that are not an error. */
static const double open_positions = 1e-10, open_velocities = 1e-8;

static hk_status close_loops(hk_sim *s, hk_system *sys, hk_error *err) {
  const hk_model *m = s->model;
  double *q = s->x + m->at.q, *trial = s->x_next + m->at.q;
  double *weight = s->u, epsilon = closing_epsilon, before = INFINITY;
  hk_metric(s, false, weight);
  evaluate(s, q);
  double g = violation(m, s->work->g);
  int stalled = 0;
  for (int iteration = 0; iteration < MOST_ITERATIONS && g > closed * m->length && stalled < 4;
       iteration++) {
    put_rows(s, sys, s->work->g);
    if (solve_metric(s, sys, weight, epsilon))
      return hk_fail(err, HK_EFAIL, "the joints cannot be closed: their equations are singular");
    double limit = step_limit(m, s->r), next = INFINITY;
    int halving = 0;
    for (; halving < MOST_HALVINGS; halving++, limit /= 2) {
      for (int i = 0; i < m->nv; i++) s->d[i] = limit * s->r[i];
      hk_configuration_add(m, q, s->d, trial);
      evaluate(s, trial);
      next = violation(m, s->work->g);
      if (next < g || !(g > nearly_closed * m->length)) break;
    }
    if (!(next < g)) {
      evaluate(s, q);
      if (halving == MOST_HALVINGS || g <= nearly_closed * m->length) break;
    }
    memcpy(q, trial, (size_t)m->nq * sizeof *q);
    before = g;
    g = next;
    stalled = g > stalling * before ? stalled + 1 : 0;
  }
  evaluate(s, q);
  return HK_OK;
}

/* Creates the equations for the first `rows` constraint rows. Their solutions are written to s->r. */
static hk_status begin_closing(hk_sim *s, int rows, hk_system **sys, double **scratch,
                               hk_error *err) {
  const hk_model *m = s->model;
  /* During assembly the velocity constraints do not restrict the displacements of bodies. */
  for (int r = 0; r < m->nc; r++) s->kept[r] = r < rows;
  for (int k = 0; k < m->n_velocity_rows; k++) s->kept[m->velocity_row[k]] = 0;
  hk_status status = hk_system_create(m, s->kept, false, HK_SOLVER_AUTO, sys, err);
  if (status) return status;
  *scratch = s->r;
  s->r = calloc(3 * (size_t)(*sys)->n + 1, sizeof *s->r);
  if (s->r) return HK_OK;
  s->r = *scratch;
  hk_system_destroy(*sys);
  return hk_fail(err, HK_ENOMEM, "out of memory");
}

static void end_closing(hk_sim *s, hk_system *sys, double *scratch) {
  free(s->r);
  s->r = scratch;
  hk_system_destroy(sys);
}

static hk_status close_joints(hk_sim *s, hk_error *err) {
  hk_system *sys;
  double *scratch;
  hk_status status = begin_closing(s, s->model->nc, &sys, &scratch, err);
  if (status) return status;
  status = close_loops(s, sys, err);
  end_closing(s, sys, scratch);
  return status;
}

/* Projects velocities onto the first `rows` rows at the position in `work`, by steps of minimum
 * weighted norm. */
static hk_status close_speeds(hk_sim *s, int rows, const double *weight, double epsilon,
                              hk_error *err) {
  enum { ITERATIONS = 6 };
  const hk_model *m = s->model;
  double *v = s->x + m->at.v, *scratch;
  hk_system *sys;
  hk_status status = begin_closing(s, rows, &sys, &scratch, err);
  if (status) return status;
  for (int iteration = 0; iteration < ITERATIONS && !status; iteration++) {
    hk_constraint_rate(s->work, v, s->y);
    for (int r = 0; r < m->nc; r++) s->y[r] += s->work->gt[r];
    put_rows(s, sys, s->y);
    status = solve_metric(s, sys, weight, epsilon);
    for (int i = 0; i < m->nv && !status; i++) v[i] += s->r[i];
  }
  end_closing(s, sys, scratch);
  return status ? hk_fail(err, HK_EFAIL, "the initial velocities cannot be computed") : HK_OK;
}

/* Sets the weights so that the parts of composite joints move, but the user's bodies hardly
 * move. */
static void set_part_weights(const hk_sim *s, double *weight) {
  static const double GIVEN = 1e14;
  const hk_model *m = s->model;
  for (int i = 0; i < m->n_nodes; i++)
    for (int k = 0; k < m->node[i].nv; k++)
      weight[m->node[i].v + k] = (m->node[i].coordinate[k].angular ? m->length * m->length : 1) *
                                 (m->node[i].item->made_by ? 1 : GIVEN);
}

hk_status hk_place_parts(hk_sim *s, int joint_rows, hk_error *err) {
  hk_status status = close_joints(s, err);
  if (status || s->model->guided) return status;
  /* Projects velocities in two passes. The first pass projects the velocities of the user's bodies, with only the
   * joints between these bodies, as hk_initial_velocities does later. The weights of these bodies, up to 1e10, require
   * a small eps. The second pass projects the velocities of the parts between the bodies. The rows of the parts may
   * contradict each other, and with a small eps this would amplify round-off. */
  evaluate(s, s->x + s->model->at.q);
  hk_metric(s, true, s->u);
  status = close_speeds(s, joint_rows, s->u, bodies_epsilon, err);
  set_part_weights(s, s->u);
  return status ? status : close_speeds(s, s->model->nc, s->u, parts_epsilon, err);
}

hk_status hk_initial_positions(hk_sim *s, hk_error *err) {
  const hk_model *m = s->model;
  choose_turns(s);
  if (m->nc == 0) {
    evaluate(s, s->x + m->at.q);
    return HK_OK;
  }
  hk_status status = close_joints(s, err);
  if (status) return status;
  double worst = violation(m, s->work->g);
  if (worst > open_positions * fmax(1, m->length) || !isfinite(worst)) {
    char gap[TEXT];
    int row = hk_explain_conflict(s, s->work->g, false, gap, sizeof gap);
    if (row >= 0) {
      hk_fail(err, HK_EINPUT, "conflicting constraints: %s. Remove one of them or make them agree",
              gap);
      return hk_blame_row(s, row, HK_EINPUT, err);
    }
    row = describe_gap(s, gap, sizeof gap);
    hk_fail(err, HK_EINPUT,
            "the joints cannot be closed; the largest violation is in %s. Check lengths and "
            "positions, and which bodies are 'fixed'",
            gap);
    return hk_blame_row(s, row, HK_EINPUT, err);
  }
  hk_coordinates_accept(s->work, s->x + m->at.turn);
  return HK_OK;
}

hk_status hk_initial_velocities(hk_sim *s, hk_error *err) {
  const hk_model *m = s->model;
  if (m->nc == 0) return HK_OK;
  hk_system *sys;
  hk_status status = hk_system_create(m, s->kept, false, HK_SOLVER_AUTO, &sys, err);
  if (status) return status;
  double *v = s->x + m->at.v;
  evaluate(s, s->x + m->at.q);
  hk_metric(s, true, s->u);
  hk_assemble_metric(sys, s->work, s->u, 0);
  status = hk_linear_solver_factor(sys->solver, sys->matrix);
  for (int iteration = 0; iteration < 4 && !status; iteration++) {
    hk_constraint_rate(s->work, v, s->y);
    memset(s->r, 0, (size_t)sys->n * sizeof *s->r);
    for (int r = 0; r < m->nc; r++)
      if (s->kept[r]) s->r[sys->row_at[r]] = -(s->y[r] + s->work->gt[r]);
    hk_linear_solver_solve(sys->solver, s->r);
    for (int i = 0; i < m->nv; i++) v[i] += s->r[i];
  }
  hk_system_destroy(sys);
  if (status) return hk_fail(err, HK_EFAIL, "the initial velocities cannot be computed");
  hk_constraint_rate(s->work, v, s->y);
  double scale = 1 + hk_max_abs(v, m->nv, NULL);
  for (int r = 0; r < m->nc; r++) s->y[r] += s->work->gt[r];
  int row;
  if (!(hk_max_abs(s->y, m->nc, &row) > open_velocities * scale * fmax(1, m->length))) return HK_OK;
  char text[TEXT];
  int conflict = hk_explain_conflict(s, s->y, true, text, sizeof text);
  if (conflict >= 0) {
    hk_fail(err, HK_EINPUT,
            "conflicting speeds: %s. Remove one of them or make them agree; if they are dependent "
            "in this position only (a dead point), start next to it",
            text);
    return hk_blame_row(s, conflict, HK_EINPUT, err);
  }
  hk_model_row_text(m, row, text, sizeof text);
  hk_fail(err, HK_EINPUT,
          "the velocities contradict each other: %s cannot be satisfied (%.4g %s "
          "remain)",
          text, s->y[row], m->row_angular[row] ? "rad/s" : "m/s");
  return hk_blame_row(s, row, HK_EINPUT, err);
}
