/* Bearings with random dimensions against second routes that share no code with the library: ball bearings against
 * the elastic energy between tori (virtual work), fast balls against the equations of equilibrium and rolling, rollers
 * against a plain sum over slices, and load distributions against limits in print. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include "bearing/balance.h"
#include "bearing/catalogue.h"
#include "bearing/design.h"
#include "bearing/life.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static double random_in(uint64_t *seed, double low, double high) {
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return low + (high - low) * (double)(*seed >> 11) / 9007199254740992.0;
}

static hk_bearing made(const hk_bearing_design *d) {
  hk_bearing p;
  hk_error err = {0};
  if (hk_bearing_make(d, &p, &err)) fail_msg("%s", err.text);
  return p;
}

static void near_to(const char *what, int which, double ours, double other, double tolerance) {
  if (!(fabs(ours - other) <= tolerance))
    fail_msg("bearing %d, %s: %.12g, by the second route %.12g (difference %.2g, allowed %.2g)",
             which, what, ours, other, ours - other, tolerance);
}

static hk_bearing_design drawn(uint64_t *seed, hk_bearing_kind kind) {
  const double dm = random_in(seed, 20e-3, 200e-3), D = dm * random_in(seed, 0.1, 0.24);
  hk_bearing_design d = {.kind = kind,
                         .rows = 1,
                         .element_diameter = D,
                         .pitch_diameter = dm,
                         .conformity = {random_in(seed, 0.51, 0.53), random_in(seed, 0.51, 0.54)},
                         .youngs_modulus = random_in(seed, 190e9, 215e9),
                         .poisson_ratio = 0.3,
                         .element_youngs_modulus = random_in(seed, 200e9, 320e9),
                         .element_poisson_ratio = 0.27,
                         .density = random_in(seed, 3200, 7800),
                         .slices = 20 + (int)random_in(seed, 0, 20),
                         .preload = NAN};
  d.elements = (int)(random_in(seed, 0.6, 0.95) * M_PI / asin(D / dm));
  if (kind == HK_BEARING_DEEP_GROOVE) d.clearance = D * random_in(seed, -3e-4, 1.5e-3);
  if (kind == HK_BEARING_ANGULAR_CONTACT)
    d.contact_angle = random_in(seed, 0.2, 0.75), d.backward = random_in(seed, 0, 1) < 0.5;
  if (kind == HK_BEARING_CYLINDRICAL_ROLLER)
    d.roller_length = D * random_in(seed, 0.8, 2), d.clearance = D * random_in(seed, -5e-4, 3e-3);
  return d;
}

/* ---- Hertz: complete elliptic integrals by the arithmetic-geometric mean, k by bisection ---- */

static void integrals(double m, double *K, double *E) {
  double a = 1, b = sqrt(1 - m), sum = 0.5 * m, power = 1;
  for (double c = 1; c > 1e-16;) {
    const double next = 0.5 * (a + b);
    c = 0.5 * (a - b), b = sqrt(a * b), a = next;
    sum += power * c * c, power *= 2;
  }
  *K = 0.5 * M_PI / a, *E = *K * (1 - sum);
}

static double hertz(const hk_bearing_design *d, int race) {
  const double s = 2 * d->element_diameter / d->pitch_diameter * cos(d->contact_angle) / 2,
               roll = race ? -2 * s / (1 + s) : 2 * s / (1 - s), groove = 1 / d->conformity[race];
  const double sum = 4 - groove + roll, wanted = (groove + roll) / sum;
  const double soft =
      (1 - d->poisson_ratio * d->poisson_ratio) / d->youngs_modulus +
      (1 - d->element_poisson_ratio * d->element_poisson_ratio) / d->element_youngs_modulus;
  double low = log(1.0001), high = log(1e4), K = 0, E = 0;
  for (int i = 0; i < 200; i++) {
    const double ln = 0.5 * (low + high), k = exp(ln);
    integrals(1 - 1 / (k * k), &K, &E);
    *(((k * k + 1) * E - 2 * K) / ((k * k - 1) * E) < wanted ? &low : &high) = ln;
  }
  return M_PI * exp(low) * (2 / soft) * sqrt(2 * E * d->element_diameter / (9 * sum * K * K * K));
}

/* ---- balls between tori ---- */

typedef struct tori {
  double R[2], z[2], l[2], K[2],
      clear; /* inner, outer: circles of the groove centres, groove less ball radius */
  int n;
} tori;

static tori tori_of(const hk_bearing_design *d) {
  const double D = d->element_diameter, side = d->backward ? -1 : 1, a = d->contact_angle;
  tori t = {.n = d->elements};
  for (int i = 0; i < 2; i++) t.l[i] = (d->conformity[i] - 0.5) * D, t.K[i] = hertz(d, i);
  const double A = t.l[0] + t.l[1];
  const bool groove = d->kind == HK_BEARING_DEEP_GROOVE;
  const double cos0 = groove ? fmin(1, 1 - 0.5 * d->clearance / A) : cos(a);
  t.R[0] = 0.5 * d->pitch_diameter + t.l[0] * cos0;
  t.z[0] = groove ? 0 : side * t.l[0] * sin(a);
  t.R[1] = t.R[0] - (groove ? A - 0.5 * d->clearance : A * cos(a));
  t.z[1] = groove ? 0 : t.z[0] - side * A * sin(a);
  return t;
}

typedef struct pose {
  hk_vec3 u;
  hk_mat3 Q;
} pose;

/* Energy of a ball at (r, z) of its half plane, and its gradient. */
static double energy_at(const tori *t, const pose *p, double phi, const double at[2], double g[2]) {
  const double c = cos(phi), s = sin(phi);
  const hk_vec3 X = hk_v3(at[0] * c, at[0] * s, at[1]), Y = hk_tmul(&p->Q, hk_sub(X, p->u));
  const double rho = hypot(Y.x, Y.y), way_i[2] = {rho - t->R[0], Y.z - t->z[0]},
               way_o[2] = {at[0] - t->R[1], at[1] - t->z[1]};
  const double L_i = hypot(way_i[0], way_i[1]), L_o = hypot(way_o[0], way_o[1]),
               deep_i = fmax(L_i - t->l[0], 0), deep_o = fmax(L_o - t->l[1], 0);
  const double Q_i = t->K[0] * pow(deep_i, 1.5), Q_o = t->K[1] * pow(deep_o, 1.5);
  const hk_vec3 n =
      hk_mul(&p->Q, hk_v3(way_i[0] / L_i * Y.x / rho, way_i[0] / L_i * Y.y / rho, way_i[1] / L_i));
  g[0] = Q_o * way_o[0] / L_o + Q_i * (n.x * c + n.y * s);
  g[1] = Q_o * way_o[1] / L_o + Q_i * n.z;
  return 0.4 * (Q_i * deep_i + Q_o * deep_o);
}

/* Energy of one ball in its equilibrium: Newton's method with differences. */
static double ball_energy(const tori *t, const pose *p, double phi) {
  const double c = cos(phi), s = sin(phi);
  const hk_vec3 C = hk_add(p->u, hk_mul(&p->Q, hk_v3(t->R[0] * c, t->R[0] * s, t->z[0])));
  const double I[2] = {C.x * c + C.y * s, C.z}, O[2] = {t->R[1], t->z[1]},
               part = t->l[1] / (t->l[0] + t->l[1]);
  double at[2], g[2], V;
  for (int i = 0; i < 2; i++) at[i] = O[i] + part * (I[i] - O[i]);
  V = energy_at(t, p, phi, at, g);
  if (!(V > 0)) return 0;
  for (int round = 0; round < 60; round++) {
    const double h = 1e-10;
    double H[2][2], up[2], down[2], to[2];
    for (int j = 0; j < 2; j++) {
      memcpy(to, at, sizeof to);
      to[j] += h, energy_at(t, p, phi, to, up);
      to[j] -= 2 * h, energy_at(t, p, phi, to, down);
      for (int i = 0; i < 2; i++) H[i][j] = (up[i] - down[i]) / (2 * h);
    }
    const double det = H[0][0] * H[1][1] - H[0][1] * H[1][0];
    const double step[2] = {(H[1][1] * g[0] - H[0][1] * g[1]) / det,
                            (H[0][0] * g[1] - H[1][0] * g[0]) / det};
    double factor = 1, next = INFINITY;
    for (int i = 0; i < 40 && !(next <= V); i++, factor *= 0.5) {
      for (int j = 0; j < 2; j++) to[j] = at[j] - factor * step[j];
      next = energy_at(t, p, phi, to, g);
    }
    const bool done = V - next <= 1e-16 * V;
    if (next < V) V = next, memcpy(at, to, sizeof at);
    if (done) break;
    V = energy_at(t, p, phi, at, g);
  }
  return V;
}

static pose pose_of(const double q[5]) {
  return (pose){hk_v3(q[0], q[1], q[2]), hk_quat_matrix(hk_quat_exp(hk_v3(q[3], q[4], 0)))};
}

static double energy_of(const tori *t, const double q[5], double cage) {
  const pose p = pose_of(q);
  double V = 0;
  for (int k = 0; k < t->n; k++) V += ball_energy(t, &p, cage + 2 * M_PI * k / t->n);
  return V;
}

/* Fourth-order differences of the energy; rotations about the origin after that of q. */
static double force_of(const tori *t, const double q[5], double cage, int i, double h) {
  static const double AT[4] = {-2, -1, 1, 2}, WEIGHT[4] = {1, -8, 8, -1};
  double sum = 0;
  for (int k = 0; k < 4; k++) {
    double V = 0;
    pose p = pose_of(q);
    const double by = AT[k] * h;
    if (i == 0) p.u.x += by;
    if (i == 1) p.u.y += by;
    if (i == 2) p.u.z += by;
    if (i >= 3) {
      const hk_mat3 turn = hk_quat_matrix(hk_quat_exp(hk_v3(i == 3 ? by : 0, i == 4 ? by : 0, 0)));
      p.Q = hk_matmul(&turn, &p.Q);
    }
    for (int b = 0; b < t->n; b++) V += ball_energy(t, &p, cage + 2 * M_PI * b / t->n);
    sum += WEIGHT[k] * V;
  }
  return -sum / (12 * h);
}

static void balls_between_tori(void **state) {
  uint64_t seed = 31;
  for (int n = 0; n < 10; n++) {
    const hk_bearing_design d =
        drawn(&seed, n % 2 ? HK_BEARING_ANGULAR_CONTACT : HK_BEARING_DEEP_GROOVE);
    const hk_bearing p = made(&d);
    const tori t = tori_of(&d);
    const double D = d.element_diameter, side = d.backward ? -1 : 1;
    near_to("K of the inner race", n, p.ball.K_i, t.K[0], 1e-9 * t.K[0]);
    near_to("K of the outer race", n, p.ball.K_o, t.K[1], 1e-9 * t.K[1]);
    for (int round = 0; round < 3; round++) {
      const double axial =
          n % 2 ? side * random_in(&seed, 5e-4, 2e-3) : random_in(&seed, -8e-3, 8e-3);
      const double q[6] = {D * random_in(&seed, 5e-4, 2e-3), D * random_in(&seed, -1e-3, 1e-3),
                           D * axial, random_in(&seed, -1e-3, 1e-3), random_in(&seed, -1e-3, 1e-3)};
      const hk_bearing_task task = {.cage = random_in(&seed, -3, 3), .speed.cage = NAN};
      hk_bearing_balance b;
      const char *failed = hk_bearing_at(&p, &task, q, &b, NULL);
      if (failed) fail_msg("bearing %d: %s", n, failed);
      double size = 0, F[5];
      for (int i = 0; i < 5; i++)
        F[i] =
            force_of(&t, q, task.cage, i, i < 3 ? 2e-6 * D : 2e-6 * D / (0.5 * d.pitch_diameter));
      for (int i = 0; i < 3; i++) size = fmax(size, fabs(F[i]));
      assert_true(size > 1);
      for (int i = 0; i < 5; i++)
        near_to("force", n, b.F[i], F[i], 1e-5 * size * (i < 3 ? 1 : 0.5 * d.pitch_diameter));
      assert_true(energy_of(&t, q, task.cage) > 0);
    }
  }
}

/* ---- fast balls: equations of equilibrium and of rolling, with outer-race control ---- */

static void balance_of_fast_balls(void **state) {
  uint64_t seed = 77;
  for (int n = 0; n < 5; n++) {
    hk_bearing_design d = drawn(&seed, HK_BEARING_ANGULAR_CONTACT);
    d.dynamics = HK_BEARING_GYROSCOPIC, d.backward = false;
    const hk_bearing p = made(&d);
    const tori t = tori_of(&d);
    const double D = d.element_diameter, dm = d.pitch_diameter, gp = D / dm,
                 mass = d.density * M_PI / 6 * D * D * D, J = mass * D * D / 10,
                 w = random_in(&seed, 2e5, 8e5) / (1e3 * dm) * M_PI / 30; /* dm n in mm/min */
    const double q[6] = {D * random_in(&seed, -3e-4, 3e-4), D * random_in(&seed, -3e-4, 3e-4),
                         D * random_in(&seed, 1e-3, 2e-3)};
    const hk_bearing_task task = {.speed = {w, 0, NAN}};
    hk_bearing_balance b;
    hk_bearing_element e[64];
    const char *failed = hk_bearing_at(&p, &task, q, &b, e);
    if (failed) fail_msg("bearing %d: %s", n, failed);
    double F[3] = {0};
    for (int k = 0; k < t.n; k++) {
      const double phi = 2 * M_PI * k / t.n, ci = cos(e[k].angle_i), si = sin(e[k].angle_i),
                   co = cos(e[k].angle_o), so = sin(e[k].angle_o);
      assert_true(e[k].Q_i > 0 && e[k].Q_o > e[k].Q_i);
      /* Pitch of the axis without spin on the outer race; orbit and roll from both races. */
      const double pitch = atan2(so, co + gp),
                   ratio_o = cos(e[k].angle_o - pitch) * gp / (1 + gp * co),
                   ratio_i = cos(e[k].angle_i - pitch) * gp / (1 - gp * ci);
      const double wm = w * ratio_o / (ratio_o + ratio_i), wR = wm / ratio_o;
      near_to("orbit", n, e[k].wm, wm, 1e-9 * w);
      const double Fc = 0.5 * mass * dm * wm * wm, Mg = J * wm * wR * sin(pitch), T = 2 * Mg / D;
      near_to("radial balance of a ball", n, e[k].Q_i * ci - e[k].Q_o * co + Fc + T * so, 0,
              1e-8 * e[k].Q_o);
      near_to("axial balance of a ball", n, e[k].Q_i * si - e[k].Q_o * so - T * co, 0,
              1e-8 * e[k].Q_o);
      /* The loads fit the distances of the groove centres. */
      const double deep_i = pow(e[k].Q_i / t.K[0], 2.0 / 3) + t.l[0],
                   deep_o = pow(e[k].Q_o / t.K[1], 2.0 / 3) + t.l[1];
      near_to("radial distance of the grooves", n, deep_i * ci + deep_o * co, e[k].d[0], 1e-9 * D);
      near_to("axial distance of the grooves", n, deep_i * si + deep_o * so, e[k].d[1], 1e-9 * D);
      F[0] -= e[k].Q_i * ci * cos(phi), F[1] -= e[k].Q_i * ci * sin(phi), F[2] -= e[k].Q_i * si;
    }
    for (int i = 0; i < 3; i++) near_to("sum of the forces", n, b.F[i], F[i], 1e-4 * fabs(F[2]));
  }
}

/* ---- rollers: a plain sum over the slices ---- */

static void rollers_in_slices(void **state) {
  uint64_t seed = 5;
  for (int n = 0; n < 5; n++) {
    hk_bearing_design d = drawn(&seed, HK_BEARING_CYLINDRICAL_ROLLER);
    d.youngs_modulus = d.element_youngs_modulus = 207.98e9,
    d.element_poisson_ratio = 0.3; /* steel */
    const hk_bearing p = made(&d);
    const double D = d.element_diameter, L = d.roller_length, cage = random_in(&seed, -3, 3);
    const double q[6] = {D * random_in(&seed, 1e-3, 4e-3), D * random_in(&seed, -1e-3, 1e-3), 0,
                         random_in(&seed, -1e-3, 1e-3), random_in(&seed, -1e-3, 1e-3)};
    const hk_bearing_task task = {.cage = cage, .speed.cage = NAN, .linear = true};
    hk_bearing_balance b;
    assert_null(hk_bearing_at(&p, &task, q, &b, NULL));
    double F[5] = {0}, size = 0;
    const double c = p.roller.c; /* its value: test_bearing, cases R1 to R4 */
    near_to("stiffness of a slice", n, c,
            35948 * pow(1e3 * L, 8.0 / 9) / d.slices * pow(1e3, 10.0 / 9), 2e-3 * c);
    for (int k = 0; k < d.elements; k++) {
      const double phi = cage + 2 * M_PI * k / d.elements, cs = cos(phi), sn = sin(phi);
      for (int i = 0; i < d.slices; i++) {
        const double x = L * ((i + 0.5) / d.slices - 0.5), half = 2 * x / L,
                     relief = 0.00035 * D * log(1 / (1 - half * half));
        const double deep =
            q[0] * cs + q[1] * sn - 0.5 * d.clearance + x * (q[4] * cs - q[3] * sn) - 2 * relief;
        const double load = deep > 0 ? c * pow(deep, 10.0 / 9) : 0;
        F[0] -= load * cs, F[1] -= load * sn;
        F[3] += load * x * sn, F[4] -= load * x * cs;
      }
    }
    size = hypot(F[0], F[1]);
    assert_true(size > 1);
    for (int i = 0; i < 5; i++) near_to("force", n, b.F[i], F[i], 1e-9 * size * (i < 3 ? 1 : L));
  }
}

/* ---- spherical rollers: energy between a sphere and the circle of the inner race ---- */

/* Energy of all slices at the position u and the small rotation vector tilt. */
static double barrel_energy(const hk_bearing_design *d, const hk_bearing *p, hk_vec3 u,
                            hk_vec3 tilt) {
  const double a = d->contact_angle, D = d->element_diameter,
               R = 0.5 * d->pitch_diameter / cos(a) + 0.5 * D, far = 2 * R - D,
               L = d->roller_length;
  const hk_mat3 Q = hk_quat_matrix(hk_quat_exp(tilt));
  double V = 0;
  for (int k = 0; k < d->rows * d->elements; k++) {
    const double phi = 2 * M_PI * (k % d->elements) / d->elements, side = k < d->elements ? -1 : 1;
    const hk_vec3 across = hk_v3(-sin(phi), cos(phi), 0);
    hk_vec3 I = {0};
    double turn = phi;
    for (int i = 0; i < 30; i++) { /* the point of the circle in the plane of the roller */
      I = hk_add(u, hk_mul(&Q, hk_v3(far * cos(a) * cos(turn), far * cos(a) * sin(turn),
                                     d->rows > 1 ? side * far * sin(a) : 0)));
      turn -= hk_dot(across, I) / (far * cos(a));
    }
    const double deep = hk_norm(I) - far - 0.5 * d->clearance * cos(a);
    for (int i = 0; i < d->slices; i++) {
      const double x = L * ((i + 0.5) / d->slices - 0.5),
                   gap = x * x * (1 / (d->osculation * R) - 1 / R);
      if (deep > gap) V += 9.0 / 19 * p->roller.c * pow(deep - gap, 19.0 / 9);
    }
  }
  return V;
}

static void spherical_rollers(void **state) {
  uint64_t seed = 9;
  for (int n = 0; n < 6; n++) {
    hk_bearing_design d = drawn(&seed, HK_BEARING_CYLINDRICAL_ROLLER);
    d.kind = HK_BEARING_SPHERICAL_ROLLER, d.rows = 1 + (n > 0);
    d.contact_angle = n > 0 ? random_in(&seed, 0.12, 0.25) : 0;
    d.clearance = 1e-3 * d.element_diameter;
    d.roller_length = 0.09 * d.pitch_diameter, d.osculation = random_in(&seed, 0.96, 0.99);
    const hk_bearing p = made(&d);
    const double D = d.element_diameter,
                 q[6] = {D * random_in(&seed, 2e-3, 5e-3), D * random_in(&seed, -1e-3, 1e-3),
                         D * random_in(&seed, 1e-3, 3e-3), random_in(&seed, -2e-2, 2e-2),
                         random_in(&seed, -2e-2, 2e-2)};
    const hk_bearing_task task = {.speed.cage = NAN};
    hk_bearing_balance b;
    assert_null(hk_bearing_at(&p, &task, q, &b, NULL));
    const hk_vec3 u = hk_v3(q[0], q[1], q[2]), tilt = hk_v3(q[3], q[4], 0),
                  F = hk_v3(b.F[0], b.F[1], b.F[2]), M = hk_v3(b.F[3], b.F[4], b.F[5]);
    const double V = barrel_energy(&d, &p, u, tilt), size = hk_norm(F), h = 1e-6 * D;
    assert_true(size > 10);
    near_to("energy", n, b.action.potential, V, 1e-9 * V);
    for (int i = 0; i < 3; i++) {
      double slope = 0;
      static const double at[4] = {-2, -1, 1, 2}, weight[4] = {1, -8, 8, -1};
      for (int j = 0; j < 4; j++) {
        const double x = at[j] * h;
        slope +=
            weight[j] / (12 * h) *
            barrel_energy(&d, &p, hk_add(u, hk_v3((i == 0) * x, (i == 1) * x, (i == 2) * x)), tilt);
      }
      near_to("force", n, b.F[i], -slope, 1e-6 * size);
    }
    /* All forces pass the centre of the sphere; forces of the cage have levers of about the displacement. */
    const hk_vec3 rest = hk_add(M, hk_cross(u, F));
    assert_true(hypot(rest.x, rest.y) < 2 * hk_norm(u) * size);
    /* Without clearance the line contacts of both rows share a radial load as Stribeck's do. */
    d.clearance = 0, d.profile = HK_ROLLER_STRAIGHT, d.osculation = 1;
    const hk_bearing s = made(&d);
    const hk_bearing_task pull = {.load = {1000}, .free = {1, 1, 1, 1, 1}, .speed.cage = NAN};
    hk_bearing_element e[128];
    assert_null(hk_bearing_hold(&s, &pull, &b, e));
    near_to("tilt", n, b.q[3], 0, 0);
    double sum = 0;
    for (int k = 0; k < d.rows * d.elements; k++)
      sum += e[k].Q_i * cos(e[k].angle_i) * cos(2 * M_PI * (k % d.elements) / d.elements);
    near_to("sum of the loads", n, sum, 1000, 0.1); /* without the forces of the cage */
    near_to("largest load", n, e[0].Q_i * d.rows * d.elements * cos(d.contact_angle) / 1000, 4.08,
            0.3);
  }
}

/* ---- limits ---- */

/* Many small elements without clearance: 4.37 F/(Z cos a) is the largest load of balls, 4.08 of rollers (in print). */
static void stribeck(void **state) {
  for (int rollers = 0; rollers < 2; rollers++) {
    hk_bearing_design d = {.kind = rollers ? HK_BEARING_CYLINDRICAL_ROLLER : HK_BEARING_DEEP_GROOVE,
                           .rows = 1,
                           .elements = 60,
                           .element_diameter = 4e-3,
                           .pitch_diameter = 0.1,
                           .conformity = {0.52, 0.52},
                           .roller_length = 4e-3,
                           .profile = HK_ROLLER_STRAIGHT,
                           .slices = 5,
                           .youngs_modulus = 208e9,
                           .poisson_ratio = 0.3,
                           .element_youngs_modulus = 208e9,
                           .element_poisson_ratio = 0.3,
                           .density = 7800,
                           .preload = NAN};
    const hk_bearing p = made(&d);
    const hk_bearing_task task = {.load = {1000}, .free = {1, 1}, .speed.cage = NAN};
    hk_bearing_balance b;
    hk_bearing_element e[64];
    assert_null(hk_bearing_hold(&p, &task, &b, e));
    near_to("largest load", rollers, e[0].Q_i * 60 / 1000, rollers ? 4.08 : 4.37, 0.01);
    if (rollers)
      continue; /* with loads of all slices the exponent of the life is 4, in catalogues 10/3 */
    /* The catalogue's life assumes just this load distribution. */
    hk_bearing_catalogue c;
    assert_true(hk_bearing_catalogue_life(&p, 20e3, task.load, &c));
    const double L10r = hk_bearing_life_of(&p, e, &task.speed, 20e3, NULL, false, false).L10r;
    near_to("life of the catalogue", rollers, L10r / c.L10, 1, 0.01);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(balls_between_tori), cmocka_unit_test(balance_of_fast_balls),
      cmocka_unit_test(rollers_in_slices), cmocka_unit_test(spherical_rollers),
      cmocka_unit_test(stribeck)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
