/* Every joint and motion on every kind of node: consistency of values, Jacobian and bias.
 *
 * Along a motion with constant node velocities, q(tau) = q (+) tau v at the time t + tau,
 *   dg/dtau = G v + gt   and   d2g/dtau2 = bias.
 * The same holds for every joint coordinate with its rate and bias. */
#include "conform/checks.h"
#include "conform/subject.h"
#include <stdio.h>
#include <string.h>

/* Weights of fourth-order differences at -2h, -h, h, 2h (and at 0 for the second). */
static const double AT[5] = {-2, -1, 0, 1, 2}, FIRST[5] = {1, -8, 0, 8, -1},
                    SECOND[5] = {-1, 16, -30, 16, -1};

/* Values of all rows, then of all coordinates, at q (+) tau d and t + tau dt. */
static void values_at(hk_trial *t, const hk_check_state *s, const double *d, double tau, double dt,
                      double *out) {
  const hk_model *m = s->model;
  double *step = hk_trial_room(t, (size_t)(m->nv + m->nq) + 1, sizeof *step), *q = step + m->nv;
  for (int i = 0; i < m->nv; i++) step[i] = tau * d[i];
  hk_configuration_add(m, s->q, step, q);
  const hk_instant in = {.t = s->t + tau * dt, .q = q, .v = s->v, .turn = s->turn};
  hk_kinematics(s->work, &in, HK_FRAMES_ALL);
  hk_constraints(s->work, &in);
  memcpy(out, s->work->g, (size_t)m->nc * sizeof *out);
  for (int i = 0; i < m->n_coordinates; i++)
    out[m->nc + i] = hk_coordinate_value(s->work, i, s->turn);
}

static void differences(hk_trial *t, const hk_check_state *s, const double *d, double dt,
                        const double *weight, double scale, double h, double *out) {
  int n = s->model->nc + s->model->n_coordinates;
  double *g = hk_trial_room(t, (size_t)n + 1, sizeof *g);
  memset(out, 0, (size_t)n * sizeof *out);
  for (int k = 0; k < 5; k++) {
    if (weight[k] == 0) continue;
    values_at(t, s, d, AT[k] * h, dt, g);
    for (int i = 0; i < n; i++) out[i] += weight[k] / scale * g[i];
  }
}

static void name_row(const hk_model *m, int i, char text[256]) {
  if (i < m->nc)
    hk_model_row_text(m, i, text, 256);
  else
    snprintf(text, 256, "coordinate '%s'", m->coordinate[i - m->nc].name);
}

/* Returns true if a row is a velocity constraint (rolling), which has no g: check_bias tests these rows by their
 * rates. */
static bool is_velocity_row(const hk_model *m, int r) {
  for (int k = 0; k < m->n_velocity_rows; k++)
    if (m->velocity_row[k] == r) return true;
  return false;
}

static void check_jacobian(hk_trial *t, const hk_model *m, const hk_type *type,
                           const hk_between *at) {
  const double h = 2e-3;
  hk_check_state s = hk_check_state_create(t, m);
  double *unit = hk_trial_room(t, (size_t)m->nv + 1, sizeof *unit);
  double *slope = hk_trial_room(t, (size_t)(m->nc + m->n_coordinates) + 1, sizeof *slope);
  hk_check_state_evaluate(t, &s, s.q, s.v, s.lambda, s.t);
  double *G = hk_check_state_jacobian(t, s.work);
  for (int k = 0; k < m->nv; k++) {
    unit[k] = 1;
    differences(t, &s, unit, 0, FIRST, 12 * h, h, slope);
    unit[k] = 0;
    for (int r = 0; r < m->nc; r++) {
      if (is_velocity_row(m, r)) continue;
      char row[256];
      name_row(m, r, row);
      hk_trial_near(
          t, G[r * m->nv + k], slope[r], 1e-8, "%s '%s' between %s and %s: G of %s, column %d",
          hk_category_name(type->category), type->name, HK_SIDE_A[at->a], HK_SIDE_B[at->b], row, k);
    }
  }
  /* G v by hk_constraint_rate, and f -= G^T lambda. */
  double *y = hk_trial_room(t, (size_t)(m->nc + m->nv) + 1, sizeof *y), *f = y + m->nc;
  hk_check_state_evaluate(t, &s, s.q, s.v, s.lambda, s.t);
  hk_constraint_rate(s.work, s.v, y);
  hk_constraint_force(s.work, s.lambda, f);
  for (int r = 0; r < m->nc; r++)
    for (int k = 0; k < m->nv; k++) y[r] -= G[r * m->nv + k] * s.v[k];
  for (int r = 0; r < m->nc; r++)
    for (int k = 0; k < m->nv; k++) f[k] += G[r * m->nv + k] * s.lambda[r];
  for (int i = 0; i < m->nc + m->nv; i++) hk_trial_claim(t, fabs(y[i]) < 1e-12);
  hk_check_state_free(t, &s);
}

/* For a velocity constraint, the bias is the slope of G v along the motion. */
static void rates_of_velocity_rows(hk_trial *t, hk_check_state *s, double h, const double *got,
                                   double *rate, double *second) {
  const hk_model *m = s->model;
  double *step = hk_trial_room(t, (size_t)(m->nv + m->nq + m->nc) + 1, sizeof *step);
  double *q = step + m->nv, *y = q + m->nq;
  for (int k = 0; k < m->n_velocity_rows; k++) {
    int row = m->velocity_row[k];
    rate[row] = got[row];
    second[row] = 0;
    for (int j = 0; j < 5; j++) {
      for (int i = 0; i < m->nv; i++) step[i] = AT[j] * h * s->v[i];
      hk_configuration_add(m, s->q, step, q);
      const hk_instant in = {.t = s->t, .q = q, .v = s->v, .turn = s->turn};
      hk_kinematics(s->work, &in, HK_FRAMES_ALL);
      hk_constraints(s->work, &in);
      hk_constraint_rate(s->work, s->v, y);
      second[row] += FIRST[j] / (12 * h) * y[row];
    }
  }
}

static void check_bias(hk_trial *t, const hk_model *m, const hk_type *type, const hk_between *at) {
  const double h = 1e-3;
  hk_check_state s = hk_check_state_create(t, m);
  int n = m->nc + m->n_coordinates;
  double *rate = hk_trial_room(t, 4 * (size_t)n + 1, sizeof *rate);
  double *second = rate + n, *got = second + n, *got2 = got + n;
  differences(t, &s, s.v, 1, FIRST, 12 * h, h, rate);
  differences(t, &s, s.v, 1, SECOND, 12 * h * h, h, second);
  hk_check_state_evaluate(t, &s, s.q, s.v, s.lambda, s.t);
  hk_constraint_rate(s.work, s.v, got);
  for (int r = 0; r < m->nc; r++) got[r] += s.work->gt[r], got2[r] = s.work->bias[r];
  for (int i = 0; i < m->n_coordinates; i++) {
    got[m->nc + i] = hk_coordinate_rate(s.work, i);
    got2[m->nc + i] = hk_coordinate_bias(s.work, i);
  }
  rates_of_velocity_rows(t, &s, h, got, rate, second);
  for (int i = 0; i < n; i++) {
    char row[256];
    name_row(m, i, row);
    hk_trial_near(t, got[i], rate[i], 1e-7, "%s '%s' between %s and %s: rate of %s",
                  hk_category_name(type->category), type->name, HK_SIDE_A[at->a], HK_SIDE_B[at->b],
                  row);
    hk_trial_near(t, got2[i], second[i], 1e-6, "%s '%s' between %s and %s: bias of %s",
                  hk_category_name(type->category), type->name, HK_SIDE_A[at->a], HK_SIDE_B[at->b],
                  row);
  }
  hk_check_state_free(t, &s);
}

void hk_check_jacobian(hk_trial *t) { hk_subject_each(t, 3, check_jacobian); }

/* Forces and sensors have coordinates too. */
void hk_check_bias(hk_trial *t) {
  bool rows = t->type->category == HK_JOINT || t->type->category == HK_MOTION;
  hk_subject_each(t, rows ? 3 : 1, check_bias);
}
