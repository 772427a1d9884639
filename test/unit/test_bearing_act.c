/* Forces of rolling bearings against finite differences, energy, rigid motions and limits: every kind of
 * bearing, with all options enabled. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include "bearing/balance.h"
#include "bearing/design.h"
#include <stdio.h>
#include <string.h>

enum { N = HK_BEARING_COORDINATES };

static double random_in(uint64_t *seed, double low, double high) {
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return low + (high - low) * (double)(*seed >> 11) / 9007199254740992.0;
}

static hk_bearing_design design(hk_bearing_kind kind) {
  hk_bearing_design d = {.kind = kind,
                         .rows = 1,
                         .elements = 9,
                         .element_diameter = 9.525e-3,
                         .pitch_diameter = 46e-3,
                         .conformity = {0.515, 0.525},
                         .clearance = kind == HK_BEARING_DEEP_GROOVE ? 12e-6 : 0,
                         .youngs_modulus = 208e9,
                         .poisson_ratio = 0.3,
                         .element_youngs_modulus = 208e9,
                         .element_poisson_ratio = 0.3,
                         .density = 7800,
                         .slices = 15,
                         .preload = NAN};
  if (kind == HK_BEARING_ANGULAR_CONTACT || kind == HK_BEARING_FOUR_POINT) d.contact_angle = 0.5;
  if (kind == HK_BEARING_TAPERED_ROLLER) d.contact_angle = 0.28, d.taper = 0.03;
  if (kind >= HK_BEARING_CYLINDRICAL_ROLLER) d.roller_length = 10e-3;
  if (kind == HK_BEARING_SPHERICAL_ROLLER) d.rows = 2, d.contact_angle = 0.25, d.osculation = 0.98;
  return d;
}

static hk_bearing made(const hk_bearing_design *d) {
  hk_bearing p;
  hk_error err = {0};
  if (hk_bearing_make(d, &p, &err)) fail_msg("%s", err.text);
  return p;
}

static void add_all(hk_bearing *p) {
  p->damping = 300, p->ramp = 2e-6;
  p->friction.load = 1e-3, p->friction.spin = 0.08, p->friction.viscous = 1e-3,
  p->friction.rest = 20;
  p->defects = true;
  p->wavy[0] =
      (hk_waviness){.orders = 5, .amplitude = {0, 0, 1e-6, 0, 0, 0.5e-6}, .phase = {0, 0, 0.3}};
  p->wavy[1] = (hk_waviness){.orders = 3, .amplitude = {0, 0, 0, 1e-6}};
  p->spall[0] = (hk_spall){0.4, 0.3, 2e-6};
  p->spall[1] = (hk_spall){0.1, 0.4, 2e-6};
  p->spall[2] = (hk_spall){0.2, 0.5, 1e-6};
  p->spalled = 0;
  for (int k = 0; k < p->n; k++) p->size[0][k] = (k % 3 - 1) * 0.5e-6;
}

static hk_bearing_place somewhere(uint64_t *seed, const hk_bearing *p, double speed) {
  const bool thrust = p->kind != HK_BEARING_CYLINDRICAL_ROLLER;
  hk_vec3 theta =
      hk_v3(random_in(seed, -1e-3, 1e-3), random_in(seed, -1e-3, 1e-3), random_in(seed, -2, 2));
  hk_bearing_place at = {.u = hk_v3(random_in(seed, 5e-6, 25e-6), random_in(seed, -15e-6, 15e-6),
                                    thrust ? random_in(seed, 20e-6, 60e-6) : 0),
                         .Q = hk_quat_matrix(hk_quat_mul(hk_quat_exp(hk_v3(theta.x, theta.y, 0)),
                                                         hk_quat_exp(hk_v3(0, 0, theta.z)))),
                         .cage = random_in(seed, -1, 1),
                         .turn = random_in(seed, -1, 1),
                         .speed = {speed, 0.1 * speed, NAN}};
  for (int i = 0; i < N; i++) at.rate[i] = random_in(seed, -0.01, 0.01) * (i < 3 ? 1 : 100);
  return at;
}

static void moved(const hk_bearing_place *at, int i, double by, hk_bearing_place *out) {
  *out = *at;
  double *const u[3] = {&out->u.x, &out->u.y, &out->u.z};
  if (i < 3) *u[i] += by;
  if (i >= 3 && i < 6) {
    hk_mat3 turn =
        hk_quat_matrix(hk_quat_exp(hk_v3(i == 3 ? by : 0, i == 4 ? by : 0, i == 5 ? by : 0)));
    out->Q = hk_matmul(&turn, &at->Q);
  }
  if (i == HK_BEARING_CAGE) out->cage += by;
  if (i == HK_BEARING_TURN) out->turn += by;
}

static void act(const hk_bearing *p, const hk_bearing_place *at, hk_bearing_action *a) {
  const char *failed = hk_bearing_act(p, at, true, a, NULL);
  if (failed) fail_msg("%s", failed);
}

typedef enum vary { PLACE, RATE, SPEED } vary;

static void slope(const hk_bearing *p, const hk_bearing_place *at, vary what, int i, double h,
                  double out[N]) {
  static const double AT[4] = {-2, -1, 1, 2}, WEIGHT[4] = {1, -8, 8, -1};
  memset(out, 0, N * sizeof *out);
  for (int k = 0; k < 4; k++) {
    hk_bearing_place to = *at;
    hk_bearing_action a;
    if (what == PLACE) moved(at, i, AT[k] * h, &to);
    if (what == RATE) to.rate[i] += AT[k] * h;
    if (what == SPEED) *(i ? &to.speed.outer : &to.speed.inner) += AT[k] * h;
    act(p, &to, &a);
    for (int j = 0; j < N; j++) out[j] += WEIGHT[k] / (12 * h) * a.Q[j];
  }
}

/* Forces are compared as forces at the pitch radius. */
static const double ARM = 0.023;
static double weight(int j) { return j < 3 ? 1 : ARM; }

static void judge(const char *what, const double *got, const double *wanted, double scale,
                  double tolerance) {
  for (int j = 0; j < N; j++)
    if (!(fabs(got[j] - wanted[j]) <= tolerance * scale * weight(j)))
      fail_msg("%s, component %d: %.10g instead of %.10g", what, j, got[j], wanted[j]);
}

static void try_tangent(const hk_bearing *p, uint64_t *seed, double speed, const char *who) {
  for (int round = 0; round < 12; round++) {
    hk_bearing_place at = somewhere(seed, p, speed);
    hk_bearing_action a;
    char text[80];
    act(p, &at, &a);
    for (int i = 0; i < N; i++) {
      double wanted[N], column[N], h = i < 3 ? 1e-10 : 4e-9;
      slope(p, &at, PLACE, i, h, wanted);
      for (int j = 0; j < N; j++) column[j] = -a.K[j][i];
      snprintf(text, sizeof text, "%s by place %d", who, i);
      judge(text, column, wanted, 2e8 * weight(i), 1e-6);
      slope(p, &at, RATE, i, i < 3 ? 1e-6 : 1e-4, wanted);
      for (int j = 0; j < N; j++) column[j] = -a.C[j][i];
      snprintf(text, sizeof text, "%s by rate %d", who, i);
      judge(text, column, wanted, 1e3 * weight(i), 1e-6);
    }
    for (int i = 0; i < 2 && speed > 0; i++) {
      double wanted[N];
      slope(p, &at, SPEED, i, 1e-3 * speed, wanted);
      snprintf(text, sizeof text, "%s by speed %d", who, i);
      judge(text, a.Q_w[i], wanted, 1, 1e-5);
    }
  }
}

static void tangents(void **state) {
  uint64_t seed = 7;
  static const char *const NAME[] = {"deep groove", "angular contact", "four point",
                                     "cylindrical", "tapered",         "spherical"};
  for (int kind = 0; kind <= HK_BEARING_SPHERICAL_ROLLER; kind++)
    for (int dynamics = 0; dynamics <= HK_BEARING_GYROSCOPIC; dynamics++)
      for (int control = 0; control < 3; control++) {
        hk_bearing_design d = design((hk_bearing_kind)kind);
        if (dynamics == HK_BEARING_GYROSCOPIC && kind > HK_BEARING_ANGULAR_CONTACT) continue;
        if (dynamics != HK_BEARING_GYROSCOPIC && control > 0) continue;
        if (dynamics != HK_BEARING_STATIC && kind == HK_BEARING_SPHERICAL_ROLLER) continue;
        d.dynamics = (hk_bearing_dynamics)dynamics, d.control = (hk_bearing_control)control;
        d.fit.bore = 30e-3;
        hk_bearing p = made(&d);
        add_all(&p);
        try_tangent(&p, &seed, dynamics ? 600 : 0, NAME[kind]);
      }
}

/* The fast path against the general one, which also gives the loads of the elements: with and without films
 * and friction, with numbers of balls that do not fill the lanes of a vector, with linear and finite kinematics. */
static void plain_path(void **state) {
  static const int BALLS[] = {9, 3, 8, 14, 5};
  uint64_t seed = 3;
  int damped = 0;
  for (int round = 0; round < 400; round++) {
    hk_bearing_design d = design((hk_bearing_kind)(round % 2));
    d.elements = BALLS[round % 5], d.rows = 1 + round % 3;
    d.row_distance = 15e-3, d.pitch_diameter = 60e-3;
    hk_bearing p = made(&d);
    for (int r = 0; r < p.rows; r++)
      for (int k = 0; k < p.n; k++) p.size[r][k] = (k % 3) * 1e-6;
    if (round % 4 >= 1) p.damping = 300, p.ramp = 2e-6;
    if (round % 4 >= 2) p.friction.load = 1e-3, p.friction.viscous = 1e-3, p.friction.rest = 20;
    if (round % 4 == 3) p.friction.spin = 0.08;
    hk_bearing_place at = somewhere(&seed, &p, 0);
    if (round % 7 == 0) at.u.z = -at.u.z; /* beyond the groove: contact on one shoulder */
    if (round % 11 == 0)
      for (int i = 0; i < N; i++) at.rate[i] *= 30; /* the film would pull */
    at.linear = round % 9 == 0, at.theta = hk_v3(4e-4, -3e-4, 0);
    hk_bearing_action a, b;
    hk_bearing_element e[3 * 14];
    act(&p, &at, &a);
    assert_null(hk_bearing_act(&p, &at, true, &b, e));
    judge("plain force", a.Q, b.Q, 1e3, 1e-12);
    for (int i = 0; i < N; i++) {
      judge("plain stiffness", a.K[i], b.K[i], 1e8 * weight(i), 1e-12);
      judge("plain damping", a.C[i], b.C[i], 1e3 * weight(i), 1e-12);
    }
    assert_true(fabs(a.potential - b.potential) <= 1e-12 * (1e-6 + fabs(b.potential)));
    assert_true(fabs(a.dissipated - b.dissipated) <= 1e-12 * (1 + fabs(b.dissipated)));
    assert_true(fabs(a.friction - b.friction) <= 1e-12 * (1 + fabs(b.friction)));
    assert_int_equal(a.moves, b.moves);
    damped += b.C[0][0] > 0;
    assert_null(hk_bearing_act(&p, &at, false, &b, NULL)); /* without tangent: the same force */
    judge("force alone", b.Q, a.Q, 1e3, 1e-14);
  }
  assert_true(damped > 200);
}

/* At zero speed, inertia has no effect. */
static void slow_limit(void **state) {
  uint64_t seed = 11;
  for (int kind = 0; kind <= HK_BEARING_TAPERED_ROLLER; kind++) {
    hk_bearing_design d = design((hk_bearing_kind)kind);
    hk_bearing p = made(&d);
    d.dynamics = kind > HK_BEARING_ANGULAR_CONTACT ? HK_BEARING_CENTRIFUGAL : HK_BEARING_GYROSCOPIC;
    hk_bearing q = made(&d);
    for (int round = 0; round < 20; round++) {
      hk_bearing_place at = somewhere(&seed, &p, 0);
      hk_bearing_action a, b;
      act(&p, &at, &a);
      act(&q, &at, &b);
      judge("force at rest", b.Q, a.Q, 1e3, 1e-8);
      for (int i = 0; i < N; i++) judge("stiffness at rest", b.K[i], a.K[i], 1e8 * weight(i), 1e-6);
    }
  }
}

/* From no load at all to small loads, at rest and at all speeds, a fast ball has an equilibrium: a run-up starts there. */
static void from_nothing(void **state) {
  hk_bearing_design d = design(HK_BEARING_ANGULAR_CONTACT);
  d.dynamics = HK_BEARING_GYROSCOPIC;
  hk_bearing p = made(&d);
  for (double w = 0; w<3000; w = w> 0 ? 3 * w : 1e-9)
    for (double deep = 1e-19; deep < 1e-4; deep *= 3)
      for (int k = 0; k < 20; k++) {
        const double a = 0.1 + 0.03 * k, L = p.ball.A + deep, at[2] = {L * cos(a), L * sin(a)};
        const hk_bearing_speed speed = {w, 0, NAN};
        hk_ball_load load;
        if (!hk_ball_fast(&p.ball, at, 0, &speed, true, NULL, &load))
          fail_msg("no equilibrium at %g rad/s, %g m deep, angle %g", w, deep, a);
      }
}

/* The iteration for a ball starts at the equilibrium of its neighbour, on which the result does not depend. */
static void neighbours(void **state) {
  uint64_t seed = 21;
  int loaded = 0;
  for (int n = 0; n < 400; n++) {
    hk_bearing_design d = design(n % 2 ? HK_BEARING_ANGULAR_CONTACT : HK_BEARING_DEEP_GROOVE);
    d.dynamics = n % 3 ? HK_BEARING_GYROSCOPIC : HK_BEARING_CENTRIFUGAL;
    d.control = (hk_bearing_control)(n % 5 % 3);
    const hk_bearing p = made(&d);
    const double w = random_in(&seed, 20, 4000);
    const double q[6] = {random_in(&seed, -2e-5, 2e-5), random_in(&seed, -2e-5, 2e-5),
                         random_in(&seed, -2e-5, 6e-5), random_in(&seed, -1e-3, 1e-3),
                         random_in(&seed, -1e-3, 1e-3)};
    const hk_bearing_task task = {.speed = {w, 0, NAN}};
    hk_bearing_balance b;
    hk_bearing_element e[9];
    assert_null(hk_bearing_at(&p, &task, q, &b, e));
    for (int k = 0; k < p.n; k++) {
      hk_ball_load alone;
      const bool beyond = hk_bearing_beyond_groove(&p.row[0], e[k].d);
      const double at[2] = {e[k].d[0], beyond ? 0 : e[k].d[1]};
      assert_true(hk_ball_fast(&p.ball, at, 0, &task.speed, false, NULL, &alone));
      loaded += alone.Q_i > 0;
      if (!(fabs(alone.Q_i - e[k].Q_i) <= 1e-9 * alone.Q_o))
        fail_msg("bearing %d, ball %d: %g N alone, %g N after its neighbour", n, k, alone.Q_i,
                 e[k].Q_i);
    }
  }
  assert_true(loaded > 1000);
}

/* A ring with a contact angle is supported in one axial direction only. */
static void one_way(void **state) {
  hk_bearing_design d = design(HK_BEARING_ANGULAR_CONTACT);
  hk_bearing p = made(&d);
  for (int i = 1; i < 40; i++) {
    hk_bearing_place at = {
        .u = hk_v3(0, 0, -10e-6 * i), .Q = hk_mat3_identity(), .speed.cage = NAN};
    hk_bearing_action a;
    act(&p, &at, &a);
    assert_true(a.Q[2] == 0 && a.potential == 0);
  }
}

/* The orbit speed of pure rolling tends to infinity as the contact angles of both races approach opposite directions.
 * No ball is in equilibrium with angles that differ by more than 90 deg. */
static void thrown_off(void **state) {
  hk_bearing_design d = design(HK_BEARING_ANGULAR_CONTACT);
  d.dynamics = HK_BEARING_GYROSCOPIC;
  hk_bearing p = made(&d);
  const hk_bearing_speed speed = {15000, 0, NAN};
  int thrown = 0, held = 0;
  for (int i = 0; i < 40; i++)
    for (int k = 0; k < 40; k++) {
      const double a = 0.1 + 0.07 * i, L = p.ball.A + 1e-5 * k, at[2] = {L * cos(a), L * sin(a)};
      hk_ball_load load;
      if (!hk_ball_fast(&p.ball, at, 0, &speed, true, NULL, &load)) {
        thrown += load.thrown;
        continue;
      }
      if (!(load.Q_i > 0)) continue;
      held++;
      assert_true(load.n_i[0] * load.n_o[0] + load.n_i[1] * load.n_o[1] >= 0);
    }
  assert_true(thrown > 0 && held > 0);
}

/* Fits of steel on steel, solid shaft: the race grows by the interference times bore over race diameter. */
static void fits(void **state) {
  hk_bearing_design d = design(HK_BEARING_DEEP_GROOVE);
  double race = d.pitch_diameter - d.element_diameter;
  d.fit.bore = 30e-3, d.fit.interference_shaft = 10e-6;
  double wanted = 10e-6 * 30e-3 / race;
  assert_true(fabs(hk_bearing_fit_loss(&d) - wanted) < 1e-9 * wanted);
  d.fit.interference_shaft = 0, d.fit.temperature_difference = 10, d.fit.expansion = 11.7e-6;
  wanted = 11.7e-5 * (d.pitch_diameter + d.element_diameter);
  assert_true(fabs(hk_bearing_fit_loss(&d) - wanted) < 1e-12 * wanted);
  hk_bearing p = made(&d);
  assert_true(fabs(p.clearance - (d.clearance - wanted)) < 1e-15);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(tangents),   cmocka_unit_test(plain_path),
                                     cmocka_unit_test(slow_limit), cmocka_unit_test(from_nothing),
                                     cmocka_unit_test(neighbours), cmocka_unit_test(one_way),
                                     cmocka_unit_test(thrown_off), cmocka_unit_test(fits)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
