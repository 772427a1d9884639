/* Compliant contacts in the Newton matrix: on every kind of node, with markers at and away from the nodes'
 * reference points, with and without spin, against finite differences of the forces; and the sum of all
 * forces. */
#include "core/contact.h"
#include "support/subject.h"
#include "toy/toys.h"

static const char BODIES[] =
    "format: 1\n"
    "bodies:\n"
    "  race: {type: %s}\n"
    "  ball: {mass: 2 kg, inertia: [0.3 kg*m^2, 0.4 kg*m^2, 0.5 kg*m^2], position: [0.48 m, 0.01 "
    "m, 0.03 m],\n"
    "    velocity: [0.1 m/s, 0.2 m/s, -0.1 m/s], angular_velocity: [0.5 rad/s, -0.4 rad/s, 0.8 "
    "rad/s],\n"
    "    markers: {m: {at: [0.02 m, -0.01 m, 0.015 m]}}}\n"
    "laws:\n"
    "  soft: {type: %s, mu: 0.3, mu_static: 0.5, velocity: 0.3 m/s, static_velocity: 0.5 m/s, "
    "friction: %s}\n"
    "contacts:\n"
    "  groove: {type: ball_in_groove, a: %s, b: %s, law: soft, race: inner, pitch_radius: 0.5 m,\n"
    "    alpha: 12 deg, beta: 7 deg, ball_radius: 0.2 m, track_radius: 0.21 m}\n"
    "  window: {type: ball_in_window, a: %s, b: %s, law: soft, half_width: 0.21 m, ball_radius: "
    "0.2 m}\n";

static const char *const RACE[] = {
    "rigid_body, mass: 3 kg, inertia: [0.2 kg*m^2, 0.3 kg*m^2, 0.25 kg*m^2], orientation: {axis: "
    "[1, 2, 3], "
    "angle: 4 deg}, angular_velocity: [0.3 rad/s, 0.7 rad/s, 1 rad/s], markers: {m: {at: [1 cm, 2 "
    "cm, 0]}}",
    "rotor, inertia: 0.3 kg*m^2, axis: [0, 0, 1], rate: 1.3 rad/s, markers: {m: {at: [1 cm, 2 cm, "
    "0]}}",
    "guided_body, mass: 3 kg, tilt: 0.05 rad + 0.3 rad/s * t, spin: 0.8 rad/s * t, markers: {m: "
    "{at: "
    "[1 cm, 2 cm, 0]}}",
    "trolley, mass: 3 kg, inertia: 0.3 kg*m^2, position: [-0.3 m, -0.4 m, 0], radius: 0.5 m, "
    "angle: "
    "0.93 rad, orientation: {axis: [1, 0, 0], angle: 3 deg}, radius_rate: 0.4 m/s, rate: 0.9 "
    "rad/s, "
    "markers: {m: {at: [1 cm, 2 cm, 0], orientation: {axis: z, angle: -50 deg}}}",
};
enum { N_RACES = sizeof RACE / sizeof *RACE };
/* An additional law: one with the approach velocity as memory, and one with memory and a range of action. */
static const char *const LAW[] = {
    "hertz, stiffness: 900 N/m^1.5, damping: 3 N*s/m, ramp: 0.017 m",
    "hunt_crossley, stiffness: 900 N/m^1.5, restitution: 0.6, impact_velocity: 0.15 m/s",
    "cushion, stiffness: 200 N/m^2, damping: 30 N*s/m^2, thickness: 0.043 m",
};
static const char *const FRICTION[] = {
    "mu3", "mu2", "mu2, rolling_resistance: 0.02 m, spinning_resistance: 0.03 m",
    "pade, half_axis_t: 3 cm, half_axis_s: 1 cm",
    "integrated, half_axis_t: 3 cm, half_axis_s: 1 cm"};

static const double memory[16]; /* of points shortly before contact */
static double step;             /* ago */

static hk_instant instant(double t, const double *q, const double *v) {
  return (hk_instant){.t = t, .h = step, .q = q, .v = v, .memory = memory};
}

static void force_at(hk_work *w, double t, const double *q, const double *v, double *f) {
  const hk_instant in = instant(t, q, v);
  assert_true(w->model->n_memory <= 16);
  hk_kinematics(w, &in, HK_FRAMES_ALL);
  hk_forces(w, &in);
  memcpy(f, w->f, (size_t)w->model->nv * sizeof *f);
}

/* Column k of df/dq or df/dv, fourth order. */
static void slope(hk_work *w, double t, const double *q, const double *v, bool velocity, int k,
                  double *out) {
  static const double AT[4] = {-2, -1, 1, 2}, WEIGHT[4] = {1, -8, 8, -1};
  const double h = 2e-5;
  const hk_model *m = w->model;
  double d[32] = {0}, q1[32], v1[32], f[32];
  memset(out, 0, (size_t)m->nv * sizeof *out);
  for (int i = 0; i < 4; i++) {
    memcpy(v1, v, (size_t)m->nv * sizeof *v1);
    memcpy(q1, q, (size_t)m->nq * sizeof *q1);
    if (velocity)
      v1[k] += AT[i] * h;
    else
      d[k] = AT[i] * h, hk_configuration_add(m, q, d, q1);
    force_at(w, t, q1, v1, f);
    for (int j = 0; j < m->nv; j++) out[j] += WEIGHT[i] / (12 * h) * f[j];
  }
}

static int touching(const hk_work *w) {
  int n = 0;
  for (int i = 0; i < w->model->n_points; i++) n += w->touch[i].N > 0;
  return n;
}

static void check(const hk_model *m, const char *who, int *points) {
  hk_work *w = hk_work_create(m);
  hk_system *sys;
  hk_error err;
  assert_non_null(w);
  if (hk_system_create(m, NULL, true, HK_SOLVER_AUTO, &sys, &err)) fail_msg("%s", err.text);
  const hk_coefficients c = {.cM = 0.7, .cC = 1.3, .cK = -0.6};
  double K[32], C[32], M[32], e[32] = {0}, f[32], t = 0.2;
  force_at(w, t, m->q0, m->v0, f);
  *points += touching(w);
  const hk_instant in = instant(t, m->q0, m->v0);
  hk_assemble(sys, w, &c, &in);
  for (int k = 0; k < m->nv; k++) {
    slope(w, t, m->q0, m->v0, false, k, K);
    slope(w, t, m->q0, m->v0, true, k, C);
    e[k] = 1;
    hk_mass_multiply(w, e, M);
    e[k] = 0;
    for (int j = 0; j < m->nv; j++) {
      int bi = j < m->node[0].nv ? 0 : 1, bj = k < m->node[0].nv ? 0 : 1, stride;
      const double *at = hk_block_matrix_at(sys->matrix, bi, bj, &stride);
      double got = at[(j - m->node[bi].v) * stride + k - m->node[bj].v];
      assert_near(got, c.cM * M[j] - c.cC * C[j] - c.cK * K[j],
                  2e-6 * (1 + fabs(K[j]) + fabs(C[j])), "%s: matrix (%d, %d), K %.9g, C %.9g", who,
                  j, k, K[j], C[j]);
    }
  }
  hk_system_destroy(sys);
  hk_work_destroy(w);
}

static void tangents(void **state) {
  (void)state;
  hk_registry *r = toy_registry();
  static const double steps[] = {0, 0.1, INFINITY};
  for (int law = 0; law < 3; law++) {
    int points = 0;
    for (int race = 0; race < N_RACES; race++)
      for (int friction = 0; friction < 5; friction++)
        for (int marker = 0; marker < 4; marker++) {
          char text[4000], who[128];
          const char *a = marker & 1 ? "race.m" : "race", *b = marker & 2 ? "ball.m" : "ball";
          snprintf(text, sizeof text, BODIES, RACE[race], LAW[law], FRICTION[friction], a, b, a, b);
          step = steps[(race + marker) % 3];
          snprintf(who, sizeof who, "law %d, race %d, friction %d, markers %s %s, h %g", law, race,
                   friction, a, b, step);
          hk_model *m = toy_model_of(r, text);
          check(m, who, &points);
          hk_model_destroy(m);
        }
    if (points < (law < 2 ? 110 : 150)) fail_msg("%d points act under law %d", points, law);
  }
  hk_registry_destroy(r);
}

/* Two bodies in contact only repel each other: no net force, no net moment. */
static void action_is_reaction(void **state) {
  (void)state;
  hk_registry *r = toy_registry();
  step = 0.1;
  for (int k = 0; k < 15; k++) {
    char text[4000];
    snprintf(text, sizeof text, BODIES, RACE[0], LAW[k / 5], FRICTION[k % 5], "race.m", "ball.m",
             "race.m", "ball");
    hk_model *m = toy_model_of(r, text);
    hk_work *w = hk_work_create(m);
    double(*load)[6] = calloc((size_t)m->n_nodes, sizeof *load), f[32];
    assert_true(w && load);
    w->load = load;
    force_at(w, 0, m->q0, m->v0, f);
    assert_true(touching(w) >= 2);
    hk_vec3 F = {0, 0, 0}, T = {0, 0, 0};
    for (int i = 0; i < m->n_nodes; i++) {
      const double *q = m->q0 + m->node[i].q, *l = load[i];
      hk_vec3 force = hk_v3(l[0], l[1], l[2]);
      F = hk_add(F, force);
      T = hk_add(T, hk_add(hk_v3(l[3], l[4], l[5]), hk_cross(hk_v3(q[0], q[1], q[2]), force)));
    }
    assert_near(hk_norm(F), 0, 1e-12, "net force");
    assert_near(hk_norm(T), 0, 1e-12, "net moment");
    free(load);
    hk_work_destroy(w);
    hk_model_destroy(m);
  }
  hk_registry_destroy(r);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(tangents),
                                     cmocka_unit_test(action_is_reaction)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
