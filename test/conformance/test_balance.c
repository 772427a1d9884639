/* What holds for every force and joint whatever it is made of: action equals reaction, the power of
 * a force is what it is fed less what it loses and stores, and nothing depends on where and how the
 * whole mechanism stands in the world. */
#include "support/subject.h"
#include "registry/builtin.h"

/* -w x J w of every body, to be taken off hk_forces. */
static void remove_gyroscopic(const hk_model *m, const double *v, double *f) {
  for (int i = 0; i < m->n_nodes; i++) {
    const hk_node *n = &m->node[i];
    if (n->type != &hk_node_rigid) continue;
    hk_vec3 w = hk_v3(v[n->v + 3], v[n->v + 4], v[n->v + 5]);
    hk_vec3 g = hk_cross(w, hk_mul(&n->inertia, w));
    f[n->v + 3] += g.x, f[n->v + 4] += g.y, f[n->v + 5] += g.z;
  }
}

/* Forces of the subject alone, at any state. */
static void forces_at(const moment *s, const double *q, const double *v, double *f) {
  const hk_model *m = s->model;
  moment_evaluate(s, q, v, s->lambda, s->t);
  memcpy(f, s->work->f, (size_t)m->nv * sizeof *f);
  remove_gyroscopic(m, v, f);
}

static void assert_balanced(const moment *s, const double *f, const char *who) {
  const hk_model *m = s->model;
  hk_vec3 force = {0}, turn = {0};
  double size = 0;
  for (int i = 0; i < m->n_nodes; i++) {
    const hk_node *n = &m->node[i];
    const double *at = f + n->v, *x = s->q + n->q;
    if (n->type == &hk_node_rotor) {
      assert_true(at[0] == 0);
      continue;
    }
    hk_vec3 F = hk_v3(at[0], at[1], at[2]), M = {0};
    if (n->type == &hk_node_rigid) M = hk_mul(&s->work->R[i], hk_v3(at[3], at[4], at[5]));
    force = hk_add(force, F);
    turn = hk_add(turn, hk_add(M, hk_cross(hk_v3(x[0], x[1], x[2]), F)));
    size += hk_norm(F) + hk_norm(M);
  }
  if (hk_norm(force) > 1e-12 * (1 + size) || hk_norm(turn) > 1e-11 * (1 + size))
    fail_msg("%s: forces add up to %.3g N and %.3g N m instead of zero", who, hk_norm(force),
             hk_norm(turn));
}

static const setting FREE = {ON_BODY, ON_BODY, false, true};

static void action_is_reaction_in_forces(void **state) {
  (void)state;
  for (int i = 0; i < hk_registry_count(hk_registry_builtin(), HK_FORCE); i++)
    for (int draw = 0; draw < 20; draw++) {
      const hk_type *type = hk_registry_at(hk_registry_builtin(), HK_FORCE, i);
      random_seed((uint64_t)(100 * i + draw));
      hk_model *m = subject(type, &FREE);
      if (m->force[subject_force(m)].field) { /* its reaction is outside the model */
        hk_model_destroy(m);
        break;
      }
      moment s = moment_create(m);
      double *f = calloc((size_t)m->nv, sizeof *f);
      assert_non_null(f);
      forces_at(&s, s.q, s.v, f);
      assert_balanced(&s, f, type->name);
      free(f);
      moment_free(&s);
      hk_model_destroy(m);
    }
}

static void check_joint_balance(const hk_type *type) {
  hk_model *m = closed_subject(type, &FREE); /* open joints pull along two lines of action */
  moment s = moment_create(m);
  moment_stand(&s);
  double *f = calloc((size_t)(m->nv + m->nc) + 1, sizeof *f), *lambda = f + m->nv;
  assert_non_null(f);
  moment_evaluate(&s, s.q, s.v, s.lambda, s.t);
  for (int i = 0; i < m->n_constraints; i++) {
    const hk_constraint *c = &m->constraint[i];
    memset(f, 0, (size_t)(m->nv + m->nc) * sizeof *f);
    for (int r = c->row; r < c->row + c->n_rows; r++) lambda[r] = s.lambda[r];
    hk_constraint_force(s.work, lambda, f);
    char who[128];
    snprintf(who, sizeof who, "%s '%s', constraint of '%s'", hk_category_name(type->category),
             type->name, c->name);
    assert_balanced(&s, f, who);
  }
  free(f);
  moment_free(&s);
  hk_model_destroy(m);
}

static void action_is_reaction_in_joints(void **state) {
  (void)state;
  static const hk_category both[] = {HK_JOINT, HK_MOTION};
  for (int k = 0; k < 2; k++)
    for (int i = 0; i < hk_registry_count(hk_registry_builtin(), both[k]); i++)
      for (int draw = 0; draw < 10; draw++) {
        if (is_composite(hk_registry_at(hk_registry_builtin(), both[k], i)) ||
            needs_ground(hk_registry_at(hk_registry_builtin(), both[k], i)))
          continue;
        random_seed((uint64_t)(1000 * k + 100 * i + draw));
        check_joint_balance(hk_registry_at(hk_registry_builtin(), both[k], i));
      }
}

/* ---- power and energy ---- */

/* Slope of the potential along q (+) tau d.  `passes`: tau is the time, which what remembers sees pass
 * from now on. */
static double potential_slope(const moment *s, const double *d, bool passes) {
  static const double AT[4] = {-2, -1, 1, 2}, WEIGHT[4] = {1, -8, 8, -1};
  static const double AHEAD[5] = {0, 1, 2, 3, 4}, AHEAD_WEIGHT[5] = {-25, 48, -36, 16, -3};
  const hk_model *m = s->model;
  bool ahead = passes && m->n_memory > 0;
  const double h = ahead ? 2e-4 : 1e-3, *to = ahead ? AHEAD : AT,
               *weight = ahead ? AHEAD_WEIGHT : WEIGHT;
  double *step = calloc((size_t)(m->nv + m->nq) + 1, sizeof *step), *q = step + m->nv, sum = 0;
  assert_non_null(step);
  moment then = *s;
  for (int i = 0; i < (ahead ? 5 : 4); i++) {
    for (int k = 0; k < m->nv; k++) step[k] = to[i] * h * d[k];
    hk_configuration_add(m, s->q, step, q);
    if (ahead) then.h = to[i] * h;
    moment_evaluate(&then, q, s->v, s->lambda, s->t);
    sum += weight[i] / (12 * h) * s->work->potential;
  }
  free(step);
  return sum;
}

static void check_energy(const hk_model *m, const hk_type *type, const setting *at) {
  moment s = moment_create(m);
  double *f = calloc(3 * (size_t)m->nv + 1, sizeof *f), *rest = f + m->nv, *unit = rest + m->nv;
  assert_non_null(f);
  if (m->n_memory) moment_begin(&s);
  forces_at(&s, s.q, s.v, f);
  double power = 0, applied = s.work->applied, dissipated = s.work->dissipated;
  for (int k = 0; k < m->nv; k++) power += f[k] * s.v[k];
  assert_true(dissipated >= 0);
  assert_near(power, applied - dissipated - potential_slope(&s, s.v, true), 1e-8,
              "force '%s' between %s and %s: power", type->name, SIDE_A[at->a], SIDE_B[at->b]);
  /* At rest, with nothing fed in, what is left is the gradient of the potential. */
  const hk_force *force = &m->force[subject_force(m)];
  if (force->n_expr == 0) {
    forces_at(&s, s.q, rest, f);
    assert_true((s.work->dissipated == 0 || m->n_memory) && s.work->applied == 0);
    for (int k = 0; k < m->nv; k++) {
      unit[k] = 1;
      assert_near(f[k], -potential_slope(&s, unit, false), 1e-8,
                  "force '%s' between %s and %s: component %d of the force at rest", type->name,
                  SIDE_A[at->a], SIDE_B[at->b], k);
      unit[k] = 0;
    }
  }
  free(f);
  moment_free(&s);
}

static void power_is_fed_less_lost_less_stored(void **state) {
  (void)state;
  for_every_subject(HK_FORCE, 4, check_energy);
}

/* ---- the mechanism as a whole somewhere else ---- */

static void move_all(const hk_model *m, hk_quat turn, hk_vec3 shift, const double *q0,
                     const double *v0, double *q1, double *v1) {
  hk_mat3 Q = hk_quat_matrix(turn);
  memcpy(q1, q0, (size_t)m->nq * sizeof *q1);
  memcpy(v1, v0, (size_t)m->nv * sizeof *v1);
  for (int i = 0; i < m->n_nodes; i++) {
    const hk_node *n = &m->node[i];
    if (n->type == &hk_node_rotor) continue;
    double *q = q1 + n->q, *v = v1 + n->v;
    hk_vec3 x = hk_add(hk_mul(&Q, hk_v3(q[0], q[1], q[2])), shift);
    hk_vec3 u = hk_mul(&Q, hk_v3(v[0], v[1], v[2]));
    q[0] = x.x, q[1] = x.y, q[2] = x.z;
    v[0] = u.x, v[1] = u.y, v[2] = u.z;
    if (n->type != &hk_node_rigid) continue;
    hk_quat o = hk_quat_mul(turn, (hk_quat){q[3], q[4], q[5], q[6]});
    q[3] = o.w, q[4] = o.x, q[5] = o.y, q[6] = o.z;
  }
}

/* Node forces as the moved observer has them: moments in body axes stay as they are. */
static void turn_forces(const hk_model *m, hk_quat turn, double *f) {
  hk_mat3 Q = hk_quat_matrix(turn);
  for (int i = 0; i < m->n_nodes; i++) {
    if (m->node[i].type == &hk_node_rotor) continue;
    double *at = f + m->node[i].v;
    hk_vec3 F = hk_mul(&Q, hk_v3(at[0], at[1], at[2]));
    at[0] = F.x, at[1] = F.y, at[2] = F.z;
  }
}

/* out: f, then G^T g, then G^T bias of each constraint, with |g|^2: what does not depend on the
 * axes that a joint's rows are written in. */
static int invariants(const moment *s, const double *q, const double *v, double *out) {
  const hk_model *m = s->model;
  double *lambda = calloc((size_t)m->nc + 1, sizeof *lambda);
  int rows = 1;
  assert_non_null(lambda);
  forces_at(s, q, v, out);
  for (int pass = 0; pass < 2; pass++)
    for (int i = 0; i < m->n_constraints; i++, rows++) {
      const hk_constraint *c = &m->constraint[i];
      const double *from = pass ? s->work->bias : s->work->g;
      memset(lambda, 0, (size_t)m->nc * sizeof *lambda);
      memcpy(lambda + c->row, from + c->row, (size_t)c->n_rows * sizeof *lambda);
      memset(out + rows * m->nv, 0, (size_t)m->nv * sizeof *out);
      hk_constraint_force(s->work, lambda, out + rows * m->nv);
    }
  free(lambda);
  return rows;
}

/* A load in world axes and a field are told apart by what they are given in. */
static bool stands_in_world(const hk_model *m) {
  int i = subject_force(m);
  if (i < 0) return false;
  const hk_item *item = m->force[i].item;
  int axes = hk_type_param_index(item->type, "axes");
  if (m->force[i].field) return true;
  if (axes < 0) return false;
  const hk_param *p = hk_type_param(item->type, axes);
  return strcmp(p->choices[*(const int *)((const char *)item->data + p->offset)], "ground") == 0;
}

static void check_invariance(const hk_type *type) {
  hk_model *m = subject(type, &(setting){ON_BODY, ON_BODY, false, false});
  if (stands_in_world(m)) {
    hk_model_destroy(m);
    return;
  }
  moment s = moment_create(m);
  size_t n = (size_t)m->nv * (size_t)(1 + 2 * m->n_constraints);
  double *before = calloc(2 * n + (size_t)(m->nq + m->nv), sizeof *before), *after = before + n;
  double *q = after + n, *v = q + m->nq;
  assert_non_null(before);
  int rows = invariants(&s, s.q, s.v, before);
  double potential = s.work->potential, lost = s.work->dissipated, fed = s.work->applied;
  double kinetic = hk_kinetic_energy(s.work, s.v);
  hk_quat turn = random_rotation();
  move_all(m, turn, random_vector(3), s.q, s.v, q, v);
  invariants(&s, q, v, after);
  assert_near(s.work->potential, potential, 1e-12, "%s: potential", type->name);
  assert_near(s.work->dissipated, lost, 1e-12, "%s: dissipated", type->name);
  assert_near(s.work->applied, fed, 1e-12, "%s: applied", type->name);
  assert_near(hk_kinetic_energy(s.work, v), kinetic, 1e-13, "%s: kinetic", type->name);
  for (int r = 0; r < rows; r++) {
    turn_forces(m, turn, before + r * m->nv);
    for (int k = 0; k < m->nv; k++)
      assert_near(after[r * m->nv + k], before[r * m->nv + k], 1e-11,
                  "%s '%s' depends on where the model stands: quantity %d, component %d",
                  hk_category_name(type->category), type->name, r, k);
  }
  free(before);
  moment_free(&s);
  hk_model_destroy(m);
}

static void nothing_depends_on_where_the_model_stands(void **state) {
  (void)state;
  static const hk_category all[] = {HK_JOINT, HK_MOTION, HK_FORCE};
  for (int k = 0; k < 3; k++)
    for (int i = 0; i < hk_registry_count(hk_registry_builtin(), all[k]); i++)
      for (int draw = 0; draw < 8; draw++) {
        if (is_composite(hk_registry_at(hk_registry_builtin(), all[k], i)) ||
            needs_ground(hk_registry_at(hk_registry_builtin(), all[k], i)))
          continue;
        random_seed((uint64_t)(1000 * k + 100 * i + draw));
        check_invariance(hk_registry_at(hk_registry_builtin(), all[k], i));
      }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(action_is_reaction_in_forces),
      cmocka_unit_test(action_is_reaction_in_joints),
      cmocka_unit_test(power_is_fed_less_lost_less_stored),
      cmocka_unit_test(nothing_depends_on_where_the_model_stands),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
