/* The Newton matrix of every type on every kind of node against differences.
 *
 * With the residual R(q, v, lambda) = G^T lambda - f(q, v, lambda) of the force balance,
 *   node rows      cM M + cC dR/dv + cK dR/dq   and   dR/dlambda
 *   multiplier rows  G and 0
 * where dq is a displacement q (+) d in node coordinates.  The matrix in the smaller pattern,
 * without the coupling of bodies by joints, must agree in all of its blocks. A matrix that is
 * assembled without some constraint rows must equal the whole matrix without these rows. */
#include "conform/checks.h"
#include "conform/subject.h"
#include <stdio.h>
#include <string.h>

static const double AT[4] = {-2, -1, 1, 2}, WEIGHT[4] = {1, -8, 8, -1};

static void residual(hk_trial *t, const hk_check_state *s, const double *q, const double *v,
                     const double *lambda, double *R) {
  hk_check_state_evaluate(t, s, q, v, lambda, s->t);
  hk_constraint_force(s->work, lambda, s->work->f);
  for (int i = 0; i < s->model->nv; i++) R[i] = -s->work->f[i];
}

/* The argument that a finite difference varies. */
typedef enum argument { POSITION, VELOCITY, MULTIPLIER } argument;

/* Column k of dR/d(argument). */
static void slope(hk_trial *t, const hk_check_state *s, argument which, int k, double h,
                  double *out) {
  const hk_model *m = s->model;
  size_t n = (size_t)m->nq + 3 * (size_t)m->nv + (size_t)m->nc;
  double *q = hk_trial_room(t, n + 1, sizeof *q), *v = q + m->nq, *lambda = v + m->nv;
  double *d = lambda + m->nc, *R = d + m->nv;
  memset(out, 0, (size_t)m->nv * sizeof *out);
  for (int i = 0; i < 4; i++) {
    memcpy(q, s->q, (size_t)m->nq * sizeof *q);
    memcpy(v, s->v, (size_t)m->nv * sizeof *v);
    memcpy(lambda, s->lambda, (size_t)m->nc * sizeof *lambda);
    if (which == POSITION) {
      d[k] = AT[i] * h;
      hk_configuration_add(m, s->q, d, q);
    }
    if (which == VELOCITY) v[k] += AT[i] * h;
    if (which == MULTIPLIER) lambda[k] += AT[i] * h;
    residual(t, s, q, v, lambda, R);
    for (int j = 0; j < m->nv; j++) out[j] += WEIGHT[i] / (12 * h) * R[j];
  }
}

/* The matrix as [n][n]; absent (may be NULL) marks entries that are not in the pattern. */
static double *dense(hk_trial *t, const hk_system *sys, bool *absent) {
  const hk_block_pattern *p = sys->pattern;
  double *A = hk_trial_room(t, (size_t)sys->n * (size_t)sys->n + 1, sizeof *A);
  for (int i = 0; i < p->nb; i++)
    for (int j = 0; j < p->nb; j++) {
      int stride;
      const double *at = hk_block_matrix_at(sys->matrix, i, j, &stride);
      for (int r = 0; r < p->size[i]; r++)
        for (int c = 0; c < p->size[j]; c++) {
          int to = (p->offset[i] + r) * sys->n + p->offset[j] + c;
          if (at) A[to] = at[r * stride + c];
          if (absent) absent[to] = !at;
        }
    }
  return A;
}

static void give_back_system(void *system) { hk_system_destroy(system); }

static double *assembled(hk_trial *t, const hk_check_state *s, const uint8_t *kept, bool full,
                         const hk_coefficients *c, hk_system **out, bool *absent) {
  hk_error err = {0};
  hk_system *sys = NULL;
  if (hk_system_create(s->model, kept, full, HK_SOLVER_AUTO, &sys, &err))
    hk_trial_fail(t, "%s", err.text);
  hk_trial_keep(t, sys, give_back_system);
  hk_check_state_evaluate(t, s, s->q, s->v, s->lambda, s->t);
  const hk_instant in = hk_check_state_instant(s);
  hk_assemble(sys, s->work, c, &in);
  double *A = dense(t, sys, absent);
  if (out)
    *out = sys;
  else
    hk_trial_drop(t, sys);
  return A;
}

static const char *what(hk_trial *t, const hk_type *type, const hk_between *at, char text[128]) {
  snprintf(text, 128, "%s '%s' between %s and %s", hk_category_name(type->category), type->name,
           HK_SIDE_A[at->a], HK_SIDE_B[at->b]);
  return text;
}

/* Computes column k of the matrix, [nv], by differences with the step h. These differences are wrong if a law changes
 * within less than h, for example friction with a small regularisation velocity; differences with a shorter h have
 * fewer correct digits. Therefore entries that do not agree are tested again with a tenth of h, a few times. A real
 * error of the tangent does not depend on h. */
static void check_column(hk_trial *t, const hk_check_state *s, const hk_system *sys,
                         const double *A, const hk_coefficients *c, double h, int k,
                         const char *who) {
  const int tries = t->staged ? 6 : 4; /* subjects with many parts have sharper kinks */
  const hk_model *m = s->model;
  double tolerance = 1e-7, largest = 0;
  size_t n = (size_t)m->nv;
  double *K = hk_trial_room(t, 4 * n + 1, sizeof *K), *C = K + n, *M = C + n, *e = M + n;
  bool *agreed = hk_trial_room(t, n + 1, sizeof *agreed);
  e[k] = 1;
  hk_mass_multiply(s->work, e, M);
  if (t->staged &&
      t->stage.exact >
          tolerance) { /* the residual of an inner iteration is relative to the largest entry */
    tolerance = t->stage.exact;
    for (int j = 0; j < m->nv; j++) largest = fmax(largest, fabs(A[j * sys->n + k]));
  }
  for (int try = 0, left = m->nv; try < tries && left > 0; try++, h /= 10) {
    slope(t, s, POSITION, k, h, K);
    slope(t, s, VELOCITY, k, h, C);
    for (int j = 0; j < m->nv; j++) {
      if (agreed[j]) continue;
      double got = A[j * sys->n + k], wanted = c->cM * M[j] + c->cC * C[j] + c->cK * K[j];
      const double allowed = tolerance * (1 + fmax(largest, fabs(wanted)));
      agreed[j] = fabs(got - wanted) <= allowed;
      left -= agreed[j];
      if (agreed[j] || try + 1 == tries)
        hk_trial_near(t, got, wanted, allowed / (1 + fabs(wanted)),
                      "%s: matrix (%d, %d), K %.9g, C %.9g", who, j, k, K[j], C[j]);
    }
  }
}

static void check_columns(hk_trial *t, const hk_check_state *s, const hk_system *sys,
                          const double *A, const hk_coefficients *c, double h, const char *who) {
  const hk_model *m = s->model;
  double *K = hk_trial_room(t, (size_t)m->nv + 1, sizeof *K);
  for (int k = 0; k < m->nv; k++) check_column(t, s, sys, A, c, h, k, who);
  for (int r = 0; r < m->nc; r++) {
    slope(t, s, MULTIPLIER, r, h, K);
    for (int j = 0; j < m->nv; j++)
      hk_trial_near(t, A[j * sys->n + sys->row_at[r]], K[j], 1e-7, "%s: d(force %d)/d(lambda %d)",
                    who, j, r);
  }
}

static void check_rows(hk_trial *t, const hk_check_state *s, const hk_system *sys, const double *A,
                       const char *who) {
  const hk_model *m = s->model;
  hk_check_state_evaluate(t, s, s->q, s->v, s->lambda, s->t);
  double *G = hk_check_state_jacobian(t, s->work);
  for (int r = 0; r < m->nc; r++) {
    const double *row = A + sys->row_at[r] * sys->n;
    for (int k = 0; k < m->nv; k++)
      hk_trial_near(t, row[k], G[r * m->nv + k], 1e-13, "%s: row %d, column %d", who, r, k);
    for (int k = m->nv; k < sys->n; k++) hk_trial_claim(t, row[k] == 0);
  }
}

static void check_reduced(hk_trial *t, const hk_check_state *s, const hk_system *sys,
                          const double *A, const hk_coefficients *c, const char *who) {
  size_t n = (size_t)sys->n;
  bool *absent = hk_trial_room(t, n * n + 1, sizeof *absent);
  double *B = assembled(t, s, NULL, false, c, NULL, absent);
  for (size_t i = 0; i < n * n; i++)
    if (!absent[i])
      hk_trial_near(t, B[i], A[i], 1e-13, "%s: reduced matrix (%zu, %zu)", who, i / n, i % n);
}

static void check_dropped(hk_trial *t, const hk_check_state *s, const hk_system *sys,
                          const double *A, const hk_coefficients *c, const char *who) {
  const hk_model *m = s->model;
  uint8_t *kept = hk_trial_room(t, (size_t)m->nc + 1, 1);
  int *from = hk_trial_room(t, (size_t)(m->nv + m->nc) + 1,
                            sizeof *from); /* scalar row of the whole matrix */
  for (int r = 0; r < m->nc; r++) kept[r] = hk_random_pick(t, 4) > 0;
  hk_system *less;
  double *B = assembled(t, s, kept, true, c, &less, NULL);
  for (int i = 0; i < m->nv; i++) from[i] = i;
  int rows = m->nv;
  for (int r = 0; r < m->nc; r++) {
    hk_trial_claim(t, (less->row_at[r] >= 0) == kept[r]);
    if (kept[r]) from[less->row_at[r]] = sys->row_at[r], rows++;
  }
  hk_trial_claim(t, less->n == rows);
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < rows; j++)
      hk_trial_near(t, B[i * rows + j], A[from[i] * sys->n + from[j]], 1e-13,
                    "%s: matrix without some rows (%d, %d)", who, i, j);
  hk_trial_drop(t, less);
}

/* Linearisations use the inertia, damping and stiffness matrices separately. Checks that their
 * sum is the whole matrix. An entry is a sum of terms that may be as large as the largest entry
 * of the matrix, for example the terms of a stiff force with lever arms. If these terms cancel,
 * their round-off remains, which the tolerance must permit. */
static void check_parts(hk_trial *t, const hk_check_state *s, const hk_system *sys, const double *A,
                        const hk_coefficients *c, const char *who) {
  const hk_coefficients alone[] = {{1, 0, 0, NULL}, {0, 1, 0, NULL}, {0, 0, 1, NULL}};
  const double share[] = {c->cM, c->cC, c->cK};
  const double *part[3];
  double largest = 0;
  for (int j = 0; j < s->model->nv; j++)
    for (int k = 0; k < s->model->nv; k++) largest = fmax(largest, fabs(A[j * sys->n + k]));
  for (int i = 0; i < 3; i++) part[i] = assembled(t, s, NULL, true, &alone[i], NULL, NULL);
  for (int j = 0; j < s->model->nv; j++)
    for (int k = 0; k < sys->n; k++) {
      int at = j * sys->n + k;
      double sum = 0, size = 0;
      for (int i = 0; i < 3; i++) {
        sum += share[i] * part[i][at];
        size += fabs(share[i] * part[i][at]);
        if (k >= s->model->nv)
          hk_trial_near(t, part[i][at], A[at], 1e-12, "%s: multiplier's column (%d, %d) of part %d",
                        who, j, k, i);
      }
      if (k < s->model->nv)
        hk_trial_near(t, A[at], sum, (1e-12 * (1 + size) + 1e-15 * largest) / (1 + fabs(sum)),
                      "%s: sum of parts (%d, %d)", who, j, k);
    }
}

/* With the rotation D of a step, the columns of the inertia become (cM J + cC dgyro/dw) T^-1(D). */
static void check_step_rotation(hk_trial *t, const hk_check_state *s, const hk_system *sys,
                                const char *who) {
  const hk_model *m = s->model;
  double *D = hk_trial_room(t, (size_t)m->nv + 1, sizeof *D);
  for (int i = 0; i < m->nv; i++) D[i] = hk_random(t, -0.5, 0.5);
  hk_coefficients plain = {0.7, 0, 0, NULL}, turned = {0.7, 0, 0, D};
  double *A = assembled(t, s, NULL, true, &plain, NULL, NULL);
  double *B = assembled(t, s, NULL, true, &turned, NULL, NULL);
  for (int i = 0; i < m->n_nodes; i++) {
    const hk_node *n = &m->node[i];
    if (n->moves != HK_MOVES_RIGID) continue;
    int o = n->v + 3;
    hk_mat3 T = hk_so3_tangent_inv_matrix(hk_v3(D[o], D[o + 1], D[o + 2]));
    hk_mat3 J = hk_matmul(&n->inertia, &T);
    for (int r = 0; r < 3; r++)
      for (int k = 0; k < 3; k++) {
        int to = (o + r) * sys->n + o + k;
        hk_trial_near(t, B[to] - A[to], 0.7 * (J.m[r][k] - n->inertia.m[r][k]), 1e-13,
                      "%s: step rotation (%d, %d)", who, r, k);
      }
  }
}

void hk_check_tangent_model(hk_trial *t, const hk_model *m, const hk_type *type,
                            const hk_between *at) {
  char who[128];
  what(t, type, at, who);
  hk_check_state s = hk_check_state_create(t, m);
  hk_coefficients c = {hk_random(t, -2, 2), hk_random(t, -2, 2), hk_random(t, -2, 2), NULL};
  hk_system *sys;
  double *A = assembled(t, &s, NULL, true, &c, &sys, NULL);
  hk_trial_claim(t, sys->n == m->nv + m->nc);
  check_columns(t, &s, sys, A, &c, 1e-3, who);
  check_rows(t, &s, sys, A, who);
  check_reduced(t, &s, sys, A, &c, who);
  check_dropped(t, &s, sys, A, &c, who);
  check_parts(t, &s, sys, A, &c, who);
  check_step_rotation(t, &s, sys, who);
  hk_trial_drop(t, sys);
  hk_check_state_free(t, &s);
}

/* Returns true if differences with h and h/2 agree; not if there is a kink between their points. */
static bool is_smooth(hk_trial *t, const hk_check_state *s, double h) {
  const hk_model *m = s->model;
  double *a = hk_trial_room(t, 2 * (size_t)m->nv + 1, sizeof *a), *b = a + m->nv;
  for (argument which = POSITION; which <= VELOCITY; which++)
    for (int k = 0; k < m->nv; k++) {
      slope(t, s, which, k, h, a);
      slope(t, s, which, k, h / 2, b);
      for (int j = 0; j < m->nv; j++)
        if (!(fabs(a[j] - b[j]) <= 1e-8 * (1 + fabs(b[j])))) return false;
    }
  return true;
}

bool hk_check_tangent_at(hk_trial *t, const hk_check_state *s, const char *who) {
  const double h = 1e-4;
  if (!is_smooth(t, s, h)) return false;
  hk_coefficients c = {hk_random(t, -2, 2), hk_random(t, -2, 2), hk_random(t, -2, 2), NULL};
  hk_system *sys;
  double *A = assembled(t, s, NULL, true, &c, &sys, NULL);
  check_columns(t, s, sys, A, &c, h, who);
  check_reduced(t, s, sys, A, &c, who);
  check_parts(t, s, sys, A, &c, who);
  hk_trial_drop(t, sys);
  return true;
}

void hk_check_tangent(hk_trial *t) {
  if (t->type->category == HK_CONTACT) {
    hk_check_contact_tangent(t);
    return;
  }

  hk_subject_each(t, t->type->category == HK_FORCE ? 6 : 2, hk_check_tangent_model);
}
