/* Properties of every force and joint: action equals reaction; the power of a force is the supplied power minus
 * losses and stored energy; the result does not depend on position and orientation of the whole mechanism. */
#include "conform/checks.h"
#include "conform/subject.h"
#include "core/map.h"
#include <stdio.h>
#include <string.h>

/* Inertial forces of the nodes (-w x J w of a body), to be subtracted from hk_forces. */
static void remove_gyroscopic(const hk_work *w, const double *v, double *f) {
  for (int i = 0; i < w->model->n_nodes; i++) {
    const hk_pose p = hk_map_pose(w, i);
    double own[p.node->nv];
    p.node->type->force(&p, v + p.node->v, own);
    for (int k = 0; k < p.node->nv; k++) f[p.node->v + k] -= own[k];
  }
}

/* Nodes that move freely, so that the forces on them can be summed. */
static bool is_free(const hk_node *n) {
  return n->moves == HK_MOVES_RIGID || (n->moves == HK_MOVES_TRANSLATION && !n->guided);
}

/* Computes the forces of the subject alone, at any state. */
static void forces_at(hk_trial *t, const hk_check_state *s, const double *q, const double *v,
                      double *f) {
  const hk_model *m = s->model;
  hk_check_state_evaluate(t, s, q, v, s->lambda, s->t);
  memcpy(f, s->work->f, (size_t)m->nv * sizeof *f);
  remove_gyroscopic(s->work, v, f);
}

static void assert_balanced(hk_trial *t, const hk_check_state *s, const double *f,
                            const char *who) {
  const hk_model *m = s->model;
  hk_vec3 force = {0}, turn = {0};
  double size = 0;
  for (int i = 0; i < m->n_nodes; i++) {
    const hk_node *n = &m->node[i];
    const double *at = f + n->v, *x = s->q + n->q;
    if (!is_free(n)) {
      for (int k = 0; k < n->nv; k++) hk_trial_claim(t, at[k] == 0);
      continue;
    }
    hk_vec3 F = hk_v3(at[0], at[1], at[2]), M = {0};
    if (n->moves == HK_MOVES_RIGID) M = hk_mul(&s->work->R[i], hk_v3(at[3], at[4], at[5]));
    force = hk_add(force, F);
    turn = hk_add(turn, hk_add(M, hk_cross(hk_v3(x[0], x[1], x[2]), F)));
    size += hk_norm(F) + hk_norm(M);
  }
  double off = fmax(hk_norm(force) / 1e-12, hk_norm(turn) / 1e-11) / (1 + size);
  hk_trial_worst(t, off);
  if (off > 1)
    hk_trial_fail(t, "%s: forces add up to %.3g N and %.3g N m instead of zero", who,
                  hk_norm(force), hk_norm(turn));
}

void hk_check_balance_at(hk_trial *t, const hk_check_state *s, const char *who) {
  double *f = hk_trial_room(t, (size_t)s->model->nv + 1, sizeof *f);
  forces_at(t, s, s->q, s->v, f);
  assert_balanced(t, s, f, who);
}

static const hk_between FREE = {HK_ON_BODY, HK_ON_BODY, false, true};

static void check_force_balance(hk_trial *t, const hk_between *at) {
  hk_model *m = hk_subject(t, t->type, at);
  int force = hk_subject_force(m);
  if (force >= 0 && m->force[force].field)
    hk_trial_not_meant(t, "it acts on every mass, and its reaction is not in the model");
  hk_check_state s = hk_check_state_create(t, m);
  double *f = hk_trial_room(t, (size_t)m->nv, sizeof *f);
  forces_at(t, &s, s.q, s.v, f);
  assert_balanced(t, &s, f, t->type->name);
}

static void check_joint_balance(hk_trial *t, const hk_between *at) {
  const hk_type *type = t->type;
  /* if a joint is open, its forces on the two bodies act along different lines, so only closed joints are tested */
  hk_model *m = hk_subject_closed(t, type, at);
  hk_check_state s = hk_check_state_create(t, m);
  hk_check_state_as_placed(t, &s);
  double *f = hk_trial_room(t, (size_t)(m->nv + m->nc) + 1, sizeof *f), *lambda = f + m->nv;
  hk_check_state_evaluate(t, &s, s.q, s.v, s.lambda, s.t);
  for (int i = 0; i < m->n_constraints; i++) {
    const hk_constraint *c = &m->constraint[i];
    memset(f, 0, (size_t)(m->nv + m->nc) * sizeof *f);
    for (int r = c->row; r < c->row + c->n_rows; r++) lambda[r] = s.lambda[r];
    hk_constraint_force(s.work, lambda, f);
    char who[128];
    snprintf(who, sizeof who, "%s '%s', constraint of '%s'", hk_category_name(type->category),
             type->name, c->name);
    assert_balanced(t, &s, f, who);
  }
  hk_check_state_free(t, &s);
  hk_trial_drop(t, m);
}

/* ---- power and energy ---- */

static const double AHEAD_STEP = 2e-4; /* s */

/* Computes the slope of the potential along q (+) tau d. `passes`: tau is also the time, so that the internal
 * variables of elements change. */
static double slope_over(hk_trial *t, const hk_check_state *s, const double *d, bool passes,
                         double share) {
  static const double AT[4] = {-2, -1, 1, 2}, WEIGHT[4] = {1, -8, 8, -1};
  static const double AHEAD[5] = {0, 1, 2, 3, 4}, AHEAD_WEIGHT[5] = {-25, 48, -36, 16, -3};
  const hk_model *m = s->model;
  bool ahead = passes && m->n_memory > 0;
  const double h = share * (ahead ? AHEAD_STEP : 1e-3), *to = ahead ? AHEAD : AT,
               *weight = ahead ? AHEAD_WEIGHT : WEIGHT;
  double *step = hk_trial_room(t, (size_t)(m->nv + m->nq) + 1, sizeof *step), *q = step + m->nv,
         sum = 0;
  hk_check_state then = *s;
  for (int i = 0; i < (ahead ? 5 : 4); i++) {
    for (int k = 0; k < m->nv; k++) step[k] = to[i] * h * d[k];
    hk_configuration_add(m, s->q, step, q);
    if (ahead) then.h = to[i] * h;
    hk_check_state_evaluate(t, &then, q, s->v, s->lambda, s->t);
    sum += weight[i] / (12 * h) * s->work->potential;
  }
  return sum;
}

/* Same as slope_over. If a law has a kink within the step, which a difference from `expected` shows, the step is
 * reduced to a tenth and a hundredth: a real error does not depend on the step. */
static double potential_slope(hk_trial *t, const hk_check_state *s, const double *d, bool passes,
                              double expected) {
  double slope = 0, share = 1;
  for (int try = 0; try < 3; try++, share /= 10) {
    slope = slope_over(t, s, d, passes, share);
    if (fabs(slope - expected) <= 1e-8 * (1 + fabs(expected))) break;
  }
  return slope;
}

/* Computes the power of the forces at the positions q, and the supplied power minus the losses at these positions. */
static double power_at(hk_trial *t, const hk_check_state *s, const double *q, double *given) {
  const hk_model *m = s->model;
  double *f = hk_trial_room(t, (size_t)m->nv + 1, sizeof *f), power = 0;
  forces_at(t, s, q, s->v, f);
  for (int k = 0; k < m->nv; k++) power += f[k] * s->v[k];
  hk_trial_claim(t, s->work->dissipated >= 0);
  *given = s->work->applied - s->work->dissipated;
  return power;
}

/* The internal variables of an element, for example of a film between stiff teeth, may converge in a time that is much
 * shorter than the step of the differences. Forces and powers then change abruptly. Therefore the balance is also
 * computed from values some time later, which are extrapolated to the instant itself. Returns the power and its
 * expected value. */
static double settled_power(hk_trial *t, const hk_check_state *s, double h, double *expected) {
  enum { N = 5 };
  static const double NOW[N] = {5, -10, 10, -5, 1}, SLOPE[N] = {-77, 214, -234, 122, -25};
  const hk_model *m = s->model;
  double *step = hk_trial_room(t, (size_t)(m->nv + m->nq) + 1, sizeof *step), *q = step + m->nv,
         power = 0;
  hk_check_state then = *s;
  *expected = 0;
  for (int i = 0; i < N; i++) {
    then.h = (i + 1) * h;
    for (int k = 0; k < m->nv; k++) step[k] = then.h * s->v[k];
    hk_configuration_add(m, s->q, step, q);
    double given;
    power += NOW[i] * power_at(t, &then, q, &given);
    *expected += NOW[i] * given - SLOPE[i] / (12 * h) * s->work->potential;
  }
  return power;
}

static bool is_near(double got, double wanted, double tolerance) {
  return fabs(got - wanted) <= tolerance * (1 + fabs(wanted));
}

/* Accuracy of forces and energies; elements with an inner iteration specify it. */
static double accuracy(const hk_trial *t) {
  return t->staged && t->stage.exact > 1e-7 ? t->stage.exact : 1e-8;
}

/* For elements with internal time constants, the balance holds over steps that are either short or long compared with
 * these. */
void hk_check_power_at(hk_trial *t, hk_check_state *s, const char *who) {
  const double tolerance = accuracy(t);
  const bool remembers = s->model->n_memory;
  if (remembers) hk_check_state_begin(t, s);
  double given, now = power_at(t, s, s->q, &given), power = now;
  double expected = given - potential_slope(t, s, s->v, true, given - now);
  for (double share = 1; remembers && share > 1e-7; share /= 10) {
    if (is_near(power, expected, tolerance)) break;
    power = settled_power(t, s, AHEAD_STEP * share, &expected);
    if (is_near(power, expected, tolerance)) break;
    power = now;
    expected = given - slope_over(t, s, s->v, true, share);
  }
  hk_trial_near(t, power, expected, tolerance, "%s: power", who);
}

static void check_energy(hk_trial *t, const hk_model *m, const hk_type *type,
                         const hk_between *at) {
  hk_check_state s = hk_check_state_create(t, m);
  double *f = hk_trial_room(t, 3 * (size_t)m->nv + 1, sizeof *f), *rest = f + m->nv,
         *unit = rest + m->nv;
  char who[128];
  snprintf(who, sizeof who, "%s '%s' between %s and %s", hk_category_name(type->category),
           type->name, HK_SIDE_A[at->a], HK_SIDE_B[at->b]);
  hk_check_power_at(t, &s, who);
  /* At rest the force is the gradient of the potential, without the parts that exist only
   * during motion. The force is evaluated at this state, and not at the displaced states of the differences, at which
   * a slice that just touches may have separated. */
  forces_at(t, &s, s.q, s.v, f);
  bool fed = s.work->applied != 0;
  for (int i = 0; i < m->n_forces; i++) fed = fed || m->force[i].n_expr > 0;
  if (!fed) {
    forces_at(t, &s, s.q, rest, f);
    hk_trial_claim(t, (s.work->dissipated == 0 || m->n_memory) && s.work->applied == 0);
    for (int k = 0; k < m->nv; k++) {
      unit[k] = 1;
      hk_trial_near(t, f[k], -potential_slope(t, &s, unit, false, -f[k]), accuracy(t),
                    "%s: component %d of the force at rest", who, k);
      unit[k] = 0;
    }
  }
  hk_check_state_free(t, &s);
}

/* ---- the mechanism as a whole somewhere else ---- */

static void move_all(hk_trial *t, const hk_model *m, hk_quat turn, hk_vec3 shift, const double *q0,
                     const double *v0, double *q1, double *v1) {
  hk_mat3 Q = hk_quat_matrix(turn);
  memcpy(q1, q0, (size_t)m->nq * sizeof *q1);
  memcpy(v1, v0, (size_t)m->nv * sizeof *v1);
  for (int i = 0; i < m->n_nodes; i++) {
    const hk_node *n = &m->node[i];
    if (!is_free(n)) continue;
    double *q = q1 + n->q, *v = v1 + n->v;
    hk_vec3 x = hk_add(hk_mul(&Q, hk_v3(q[0], q[1], q[2])), shift);
    hk_vec3 u = hk_mul(&Q, hk_v3(v[0], v[1], v[2]));
    q[0] = x.x, q[1] = x.y, q[2] = x.z;
    v[0] = u.x, v[1] = u.y, v[2] = u.z;
    if (n->moves != HK_MOVES_RIGID) continue;
    hk_quat o = hk_quat_mul(turn, (hk_quat){q[3], q[4], q[5], q[6]});
    q[3] = o.w, q[4] = o.x, q[5] = o.y, q[6] = o.z;
  }
}

/* Transforms the forces on the nodes to the axes of the moved observer. Moments in body axes do not change. */
static void turn_forces(hk_trial *t, const hk_model *m, hk_quat turn, double *f) {
  hk_mat3 Q = hk_quat_matrix(turn);
  for (int i = 0; i < m->n_nodes; i++) {
    if (!is_free(&m->node[i])) continue;
    double *at = f + m->node[i].v;
    hk_vec3 F = hk_mul(&Q, hk_v3(at[0], at[1], at[2]));
    at[0] = F.x, at[1] = F.y, at[2] = F.z;
  }
}

/* Writes f, and for each constraint G^T g, G^T bias and |g|^2. These quantities do not depend
 * on the axes in which the rows of a joint are expressed. */
static int invariants(hk_trial *t, const hk_check_state *s, const double *q, const double *v,
                      double *out) {
  const hk_model *m = s->model;
  double *lambda = hk_trial_room(t, (size_t)m->nc + 1, sizeof *lambda);
  int rows = 1;
  forces_at(t, s, q, v, out);
  for (int pass = 0; pass < 2; pass++)
    for (int i = 0; i < m->n_constraints; i++, rows++) {
      const hk_constraint *c = &m->constraint[i];
      const double *from = pass ? s->work->bias : s->work->g;
      memset(lambda, 0, (size_t)m->nc * sizeof *lambda);
      memcpy(lambda + c->row, from + c->row, (size_t)c->n_rows * sizeof *lambda);
      memset(out + rows * m->nv, 0, (size_t)m->nv * sizeof *out);
      hk_constraint_force(s->work, lambda, out + rows * m->nv);
    }
  return rows;
}

/* Returns true if the result depends on the axes of the world: true for a load that is given in world axes and for a
 * field. */
static bool stands_in_world(const hk_model *m) {
  int i = hk_subject_force(m);
  if (i < 0) return false;
  const hk_item *item = m->force[i].item;
  int axes = hk_type_param_find(item->type, "axes");
  if (m->force[i].field) return true;
  if (axes < 0) return false;
  const hk_param *p = hk_type_param(item->type, axes);
  return strcmp(p->choices[*(const int *)((const char *)item->data + p->offset)], "ground") == 0;
}

/* Checks that an observer with a constant velocity sees the same forces. */
static void check_boost(hk_trial *t, const hk_check_state *s, const double *before,
                        double tolerance) {
  const hk_model *m = s->model;
  const hk_type *type = t->type;
  size_t n = (size_t)m->nv * (size_t)(1 + 2 * m->n_constraints);
  double *after = hk_trial_room(t, n + (size_t)m->nv, sizeof *after), *v = after + n;
  const hk_vec3 boost = hk_random_vector(t, 3);
  memcpy(v, s->v, (size_t)m->nv * sizeof *v);
  for (int i = 0; i < m->n_nodes; i++) {
    double *at = v + m->node[i].v;
    if (is_free(&m->node[i])) at[0] += boost.x, at[1] += boost.y, at[2] += boost.z;
  }
  int rows = invariants(t, s, s->q, v, after);
  for (int i = 0; i < rows * m->nv; i++)
    hk_trial_near(t, after[i], before[i], tolerance,
                  "%s '%s' depends on a common velocity of all bodies: quantity %d, component %d",
                  hk_category_name(type->category), type->name, i / m->nv, i % m->nv);
}

/* Scalar quantities that must be the same for the observer, in addition to the invariants. */
enum { POTENTIAL, LOST, FED, N_SCALARS };
typedef struct seen {
  double *value; /* [rows][nv] */
  double scalar[N_SCALARS];
} seen;

static int look(hk_trial *t, const hk_check_state *s, const double *q, const double *v, seen *out) {
  int rows = invariants(t, s, q, v, out->value);
  out->scalar[POTENTIAL] = s->work->potential;
  out->scalar[LOST] = s->work->dissipated;
  out->scalar[FED] = s->work->applied;
  return rows;
}

/* Estimates the change of all quantities due to the rounding of positions: positions of about 1 m have an error of
 * about 1e-16 m, which a stiff force amplifies. */
static void set_rounding(hk_trial *t, const hk_check_state *s, const seen *here, size_t n,
                         seen *out) {
  static const double WAY = 1e-8, ROUNDED = 2e-15;
  const hk_model *m = s->model;
  double *step = hk_trial_room(t, (size_t)(m->nv + m->nq) + 1, sizeof *step), *q = step + m->nv;
  seen there = {.value = hk_trial_room(t, n, sizeof *there.value)};
  *out = (seen){.value = hk_trial_room(t, n, sizeof *out->value)};
  for (int try = 0; try < 4; try++) {
    for (int k = 0; k < m->nv; k++) step[k] = hk_random(t, -WAY, WAY);
    hk_configuration_add(m, s->q, step, q);
    look(t, s, q, s->v, &there);
    for (size_t i = 0; i < n; i++)
      out->value[i] = fmax(out->value[i], ROUNDED / WAY * fabs(there.value[i] - here->value[i]));
    for (int i = 0; i < N_SCALARS; i++)
      out->scalar[i] =
          fmax(out->scalar[i], ROUNDED / WAY * fabs(there.scalar[i] - here->scalar[i]));
  }
}

static void check_elsewhere(hk_trial *t, const hk_check_state *s, seen *before, size_t n,
                            double tolerance) {
  static const char *const NAME[] = {"potential", "dissipated", "applied"};
  const hk_model *m = s->model;
  const hk_type *type = t->type;
  double *q = hk_trial_room(t, (size_t)m->nq + (size_t)m->nv, sizeof *q), *v = q + m->nq;
  double kinetic = hk_kinetic_energy(s->work, s->v);
  hk_quat turn = hk_random_rotation(t);
  move_all(t, m, turn, hk_random_vector(t, 3), s->q, s->v, q, v);
  seen after = {.value = hk_trial_room(t, n, sizeof *after.value)}, rounding;
  set_rounding(t, s, before, n, &rounding);
  int rows = look(t, s, q, v, &after);
  for (int i = 0; i < N_SCALARS; i++) {
    double wanted = before->scalar[i], allowed = 1e-12 + rounding.scalar[i] / (1 + fabs(wanted));
    hk_trial_near(t, after.scalar[i], wanted, allowed, "%s: %s", type->name, NAME[i]);
  }
  hk_trial_near(t, hk_kinetic_energy(s->work, v), kinetic, 1e-13, "%s: kinetic", type->name);
  for (int r = 0; r < rows; r++) {
    double *wanted = before->value + r * m->nv;
    turn_forces(t, m, turn, wanted);
    for (int k = 0; k < m->nv; k++)
      hk_trial_near(t, after.value[r * m->nv + k], wanted[k],
                    tolerance + rounding.value[r * m->nv + k] / (1 + fabs(wanted[k])),
                    "%s '%s' depends on the position of the whole model: quantity %d, component %d",
                    hk_category_name(type->category), type->name, r, k);
  }
}

static void check_invariance(hk_trial *t, const hk_between *at) {
  const hk_type *type = t->type;
  hk_model *m = hk_subject(t, type, at);
  if (stands_in_world(m)) {
    hk_trial_drop(t, m);
    return;
  }
  hk_check_state s = hk_check_state_create(t, m);
  size_t n = (size_t)m->nv * (size_t)(1 + 2 * m->n_constraints);
  seen before = {.value = hk_trial_room(t, n, sizeof *before.value)};
  look(t, &s, s.q, s.v, &before);
  /* Tolerance: finite differences have nine digits. If an element uses an inner iteration that converges
   * quadratically, the error of its result is the square of the error of the derivatives. Moreover, the number of
   * iterations may depend on the round-off of positions. */
  const double inner = t->staged ? t->stage.exact * t->stage.exact : 0;
  const double tolerance = t->numerical || type->numerical ? 1e-8 : fmax(1e-11, inner);
  check_boost(t, &s, before.value, tolerance);
  check_elsewhere(t, &s, &before, n, tolerance);
  hk_check_state_free(t, &s);
  hk_trial_drop(t, m);
}

void hk_check_balance(hk_trial *t) {
  if (t->type->category == HK_CONTACT) {
    hk_check_contact_balance(t);
    return;
  }
  bool force = t->type->category == HK_FORCE;
  if (force || hk_subject_is_composite(t->type))
    hk_subject_repeat(t, force ? 20 : 10, 0, &FREE, check_force_balance);
  if (!force) hk_subject_repeat(t, 10, 0, &FREE, check_joint_balance);
}

void hk_check_power(hk_trial *t) {
  if (t->type->category == HK_CONTACT)
    hk_check_contact_power(t);
  else
    hk_subject_each(t, 4, check_energy);
}

void hk_check_invariance(hk_trial *t) {
  int k = t->type->category == HK_JOINT ? 0 : t->type->category == HK_MOTION ? 1 : 2;
  hk_subject_repeat(t, 8, 1000 * (uint64_t)k, &(hk_between){HK_ON_BODY, HK_ON_BODY, false, false},
                    check_invariance);
}
