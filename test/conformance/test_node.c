/* The node of every body type: its functions against finite differences, and the inline functions of the inner
 * loops (node/dispatch.h) against the functions in the table. */
#include "support/subject.h"
#include "core/map.h"

enum { MOST = 12 }; /* coordinates of a node in this test */
static const double AT[4] = {-2, -1, 1, 2}, WEIGHT[4] = {1, -8, 8, -1}, STEP = 1e-3;

typedef void node_check(moment *s, int node, const char *who);

/* Every body type, with random parameters and a marker away from its frame. */
static void for_every_node(node_check *check) {
  const hk_registry *types = subjects();
  for (int i = 0; i < hk_registry_count(types, HK_BODY); i++)
    for (int draw = 0; draw < 6; draw++) {
      const hk_type *type = hk_registry_at(types, HK_BODY, i);
      random_seed((uint64_t)(100 * i + draw));
      WITH_TRIAL(t, hk_model *m = hk_subject(t, type, &(hk_between){0}));
      moment s = moment_create(m);
      moment_evaluate(&s, s.q, s.v, s.lambda, s.t);
      for (int k = 0; k < m->n_nodes; k++)
        if (draw == 0 || strcmp(m->node[k].name, "subject") == 0) check(&s, k, m->node[k].name);
      hk_trial_case(t);
    }
}

static int marker_of(const hk_model *m, int node) {
  int found = -1;
  for (int i = 0; i < m->n_markers; i++)
    if (m->marker[i].node == node && (found < 0 || hk_norm(m->marker[i].s) > 0)) found = i;
  return found;
}

static void check_sizes(moment *s, int node, const char *who) {
  const hk_node *n = &s->model->node[node];
  assert_true(n->nv > 0 && n->nv <= MOST);
  assert_int_equal(n->nq, n->nv + (n->turn >= 0));
  double M[MOST], e[MOST] = {0}, y[MOST];
  n->type->diagonal(n, M);
  const hk_pose p = hk_map_pose(s->work, node);
  for (int k = 0; k < n->nv; k++) {
    assert_true(n->coordinate[k].name && n->coordinate[k].equation);
    if (n->type->rank(n) == HK_MASS_FULL) assert_true(M[k] > 0);
    e[k] = 1;
    n->type->multiply(&p, e, y);
    assert_near(0.5 * y[k], n->type->energy(&p, e), 1e-13, "%s: energy of coordinate %d", who, k);
    e[k] = 0;
  }
}

static void sizes_and_masses_agree(void **state) {
  (void)state;
  for_every_node(check_sizes);
}

static void check_group(moment *s, int node, const char *who) {
  const hk_node *n = &s->model->node[node];
  double d[MOST], back[MOST], chord[MOST], q[MOST + 1];
  const double *q0 = s->q + n->q;
  for (int k = 0; k < n->nv; k++) d[k] = uniform(-1e-3, 1e-3);
  hk_node_add(n, q0, d, q);
  hk_node_sub(n, q, q0, back, false);
  hk_node_sub(n, q, q0, chord, true);
  for (int k = 0; k < n->nv; k++) {
    assert_near(back[k], d[k], 1e-15, "%s: difference", who);
    assert_near(chord[k], d[k], 1e-9, "%s: chord", who);
  }
}

static void the_difference_undoes_the_sum(void **state) {
  (void)state;
  for_every_node(check_group);
}

/* Frame of a marker displaced by tau d, and the velocities of that instant. */
static hk_frame frame_at(moment *s, int node, int marker, const double *d, double tau) {
  const hk_node *n = &s->model->node[node];
  double q[MOST + 1], step[MOST];
  hk_frame F;
  for (int k = 0; k < n->nv; k++) step[k] = tau * d[k];
  hk_node_add(n, s->q + n->q, step, q);
  hk_node_start_frame(n, &s->model->marker[marker], s->t, q, s->v + n->v, &F);
  return F;
}

/* Derivative along d of the quantity that f computes from the frame. */
static double slope(moment *s, int node, int marker, const double *d,
                    double (*f)(const hk_frame *F, const double *c), const double *c) {
  double sum = 0;
  for (int i = 0; i < 4; i++) {
    hk_frame F = frame_at(s, node, marker, d, AT[i] * STEP);
    sum += WEIGHT[i] / (12 * STEP) * f(&F, c);
  }
  return sum;
}

static double read_place(const hk_frame *F, const double *c) {
  return c[0] * F->x.x + c[1] * F->x.y + c[2] * F->x.z;
}
static double read_axis(const hk_frame *F, const double *c) {
  hk_vec3 a = hk_mul(&F->R, hk_v3(c[0], c[1], c[2]));
  return c[3] * a.x + c[4] * a.y + c[5] * a.z;
}
static double read_rate(const hk_frame *F, const double *c) {
  return hk_dot(hk_v3(c[0], c[1], c[2]), F->v) + hk_dot(hk_v3(c[3], c[4], c[5]), F->w);
}

static void check_map(moment *s, int node, const char *who) {
  const hk_node *n = &s->model->node[node];
  int marker = marker_of(s->model, node);
  if (marker < 0) return;
  const hk_frame *F = &s->work->frame[marker];
  double c[6], d[MOST] = {0}, row[MOST], turn[MOST];
  for (int i = 0; i < 6; i++) c[i] = uniform(-1, 1);
  hk_vec3 a = hk_v3(c[0], c[1], c[2]), b = hk_v3(c[3], c[4], c[5]), zero = {0, 0, 0};
  for (int k = 0; k < n->nv; k++) {
    d[k] = 1;
    hk_map_row(s->work, marker, a, zero, row);
    assert_near(row[k], slope(s, node, marker, d, read_place, c), 1e-9, "%s: place", who);
    if (!n->type->pointlike) { /* d(b . R a) = (R a x b) . dtheta */
      hk_map_row(s->work, marker, zero, hk_cross(hk_mul(&F->R, a), b), row);
      assert_near(row[k], slope(s, node, marker, d, read_axis, c), 1e-9, "%s: axes", who);
    }
    memset(turn, 0, sizeof turn);
    hk_map_turning(s->work, marker, a, b, turn);
    assert_near(turn[k], slope(s, node, marker, d, read_rate, c), 1e-9, "%s: turning", who);
    d[k] = 0;
  }
  /* Velocities are derivatives of the frame; a prescribed rotation adds a part that has no coordinate. */
  double rate = hk_map_drift(s->work, marker, a, b);
  hk_map_row(s->work, marker, a, b, row);
  for (int k = 0; k < n->nv; k++) rate += row[k] * s->v[n->v + k];
  assert_near(read_rate(F, c), rate, 1e-12, "%s: velocity", who);
}

static void rows_are_slopes_of_frames(void **state) {
  (void)state;
  for_every_node(check_map);
}

/* A free node conserves its energy, except for its damping: with M v' = force, the sum of v . M v' and of the energy
 * change due to M and to its deformation is the power lost. */
static void check_own_force(moment *s, int node, const char *who) {
  const hk_node *n = &s->model->node[node];
  double force[MOST], power = 0, sum = 0, lost = 0, unused = 0;
  const double *v = s->v + n->v;
  const hk_pose here = hk_map_pose(s->work, node);
  n->type->force(&here, v, force);
  for (int k = 0; k < n->nv; k++) power += force[k] * v[k];
  for (int i = 0; i < 4; i++) { /* energy at constant v along the motion */
    double q[MOST + 1], d[MOST], own[n->n_own + 1];
    memset(own, 0, sizeof own);
    hk_mat3 R;
    for (int k = 0; k < n->nv; k++) d[k] = AT[i] * STEP * v[k];
    hk_node_add(n, s->q + n->q, d, q);
    if (n->type->place) n->type->place(n, s->t, false, q, v, &R, own);
    const hk_pose there = {n, &R, own};
    double stored = 0;
    if (n->type->stored) n->type->stored(&there, v, &stored, &lost);
    sum += WEIGHT[i] / (12 * STEP) * (n->type->energy(&there, v) + stored);
  }
  lost = 0;
  if (n->type->stored) n->type->stored(&here, v, &unused, &lost);
  assert_near(power, -sum - lost, 1e-9, "%s: power of its own force", who);
}

static void own_forces_keep_the_energy(void **state) {
  (void)state;
  for_every_node(check_own_force);
}

static void assert_equal(const double *a, const double *b, int n, const char *who,
                         const char *what) {
  for (int i = 0; i < n; i++) assert_near(a[i], b[i], 1e-13, "%s: inline %s", who, what);
}

static hk_vec3 field_anywhere(const void *data, double t, hk_vec3 x, double *potential) {
  (void)data;
  *potential = -x.x * x.y - t * x.z;
  return hk_v3(x.y, x.x, t);
}

static void check_inline(moment *s, int node, const char *who) {
  const hk_node *n = &s->model->node[node];
  int marker = marker_of(s->model, node), nv = n->nv;
  if (n->moves == HK_MOVES_CUSTOM || marker < 0) return;
  const hk_marker *k = &s->model->marker[marker];
  const hk_frame *F = &s->work->frame[marker];
  const hk_pose p = hk_map_pose(s->work, node);
  const double *v = s->v + n->v;
  const hk_inertia_weights c = {0.7, 1.3, -0.4, v, v};
  hk_vec3 a = random_vector(1), b = random_vector(1);
  double x[MOST * MOST] = {0}, y[MOST * MOST] = {0};
#define SAME(n, what) \
  assert_equal(x, y, n, who, what), memset(x, 0, sizeof x), memset(y, 0, sizeof y)
  n->type->map(&p, k, F, a, b, x);
  hk_node_map(n, p.R, p.own, k, F, a, b, y);
  SAME(nv, "map");
  n->type->map(&p, k, F, a, b, x);
  hk_node_push(n, p.R, p.own, k, F, a, b, y);
  SAME(nv, "push");
  if (n->type->geometric) n->type->geometric(&p, k, F, a, b, 0.6, x, nv);
  hk_node_geometric(n, p.R, p.own, k, F, a, b, 0.6, y, nv);
  SAME(nv * nv, "geometric");
  if (n->type->turning) n->type->turning(&p, k, F, a, b, x);
  hk_node_turning(n, p.R, p.own, k, F, a, b, y);
  SAME(nv, "turning");
  n->type->multiply(&p, v, x);
  hk_node_multiply(n, p.R, p.own, v, y);
  SAME(nv, "multiply");
  n->type->force(&p, v, x);
  hk_node_force(n, p.R, p.own, v, y);
  SAME(nv, "force");
  const hk_field field = {field_anywhere, NULL, 0.3};
  double energy[2] = {0};
  if (n->type->field) n->type->field(&p, s->q + n->q, &field, x, &energy[0]);
  hk_node_field(n, p.R, p.own, s->q + n->q, &field, y, &energy[1]);
  assert_equal(&energy[1], &energy[0], 1, who, "energy in a field");
  SAME(nv, "field");
  n->type->tangent(&p, &c, x, nv);
  hk_node_tangent(n, p.R, p.own, &c, y, nv);
  SAME(nv * nv, "tangent");
  hk_mat3 R, Q;
  double own[2][n->n_own + 1];
  memset(own, 0, sizeof own);
  n->type->place(n, s->t, false, s->q + n->q, v, &R, own[0]);
  hk_node_place(n, s->t, false, s->q + n->q, v, &Q, own[1]);
  assert_equal(&Q.m[0][0], &R.m[0][0], 9, who, "rotation");
  assert_equal(own[1], own[0], n->n_own, who, "numbers of its own");
#undef SAME
}

static void inline_functions_are_those_of_the_table(void **state) {
  (void)state;
  for_every_node(check_inline);
}

static void every_node_of_the_list_carries_a_body(void **state) {
  (void)state;
#define HK_NODE(name) &hk_node_##name,
  static const hk_node_type *const list[] = {
#include "node/nodes.list"
  };
#undef HK_NODE
  for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
    bool used =
        list[i]->start == NULL; /* the velocity of a state variable, which belongs to no body */
    for (int k = 0; k < hk_registry_count(hk_registry_builtin(), HK_BODY); k++)
      used = used ||
             ((const hk_body_ops *)hk_registry_at(hk_registry_builtin(), HK_BODY, k)->ops)->node ==
                 list[i];
    if (!used) fail_msg("no body stands on node '%s'", list[i]->name);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sizes_and_masses_agree),
      cmocka_unit_test(the_difference_undoes_the_sum),
      cmocka_unit_test(rows_are_slopes_of_frames),
      cmocka_unit_test(own_forces_keep_the_energy),
      cmocka_unit_test(inline_functions_are_those_of_the_table),
      cmocka_unit_test(every_node_of_the_list_carries_a_body),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
