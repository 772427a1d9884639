/* The event-driven integrator against closed forms and against the converged solution of the
 * universal joint with clearance. */
#include "verify.h"

static const char TABLE[] = "event_driven";
static const hk_sim_options TIGHT = {.stepper = "event_driven", .rtol = 1e-11, .atol = 1e-13};

static void step_once(vf_case *c, double end) {
  if (hk_sim_step(c->sim, end, &c->err)) fail_msg("%s", c->err.text);
}

/* ---- closed forms ---- */

/* Dropped from h: impacts at t1 = sqrt(2 h/g), then flights of 2 e^k t1; at rest from t1 (1 + e)/(1
 * - e) on. */
static void ball_comes_to_rest(void **state) {
  (void)state;
  const double g = 9.81, h = 0.5, e = 0.7, t1 = sqrt(2 * h / g), rest = t1 * (1 + e) / (1 - e);
  vf_case c;
  vf_text(&c,
          "bodies: {ball: {type: point_mass, mass: 2 kg, position: [0, 0, 0.6 m]}}\n"
          "forces: {weight: {type: gravity, acceleration: [0, 0, -9.81 m/s^2]}}\n"
          "laws: {rubber: {type: signorini, restitution_normal: 0.7}}\n"
          "contacts: {floor: {type: sphere_on_plane, a: ground, b: ball, law: rubber, "
          "radius: 0.1 m}}\n");
  vf_start(&c, &TIGHT);
  double worst_time = 0, worst_speed = 0, when = t1;
  int n = 0;
  while (hk_sim_time(c.sim) < 2.5) {
    step_once(&c, 2.5);
    if ((int)vf_value(&c, "floor.impacts") == n) continue;
    worst_time = fmax(worst_time, fabs(hk_sim_time(c.sim) - when));
    worst_speed =
        fmax(worst_speed, fabs(vf_value(&c, "floor.approach") / (g * t1 * pow(e, n)) - 1));
    n++;
    when += 2 * pow(e, n) * t1;
  }
  assert_true(n > 15);
  vf_bound(TABLE, "bouncing ball", "time of impacts, s", worst_time, 1e-12, "closed form");
  vf_bound(TABLE, "bouncing ball", "approach, relative", worst_speed, 1e-9, "closed form");
  vf_check(TABLE, "bouncing ball", "rest from, s", 2.5 - vf_value(&c, "floor.closed_time"), rest,
           1e-11, "closed form");
  vf_check(TABLE, "bouncing ball", "pressure at rest, N", vf_value(&c, "floor.normal_force"), 2 * g,
           1e-10, "closed form");
  vf_bound(TABLE, "bouncing ball", "height at rest, m", fabs(vf_value(&c, "ball.z") - 0.1), 1e-15,
           "closed form");
  vf_bound(TABLE, "bouncing ball", "energy balance, J", fabs(vf_value(&c, "energy.balance_error")),
           1e-12, "closed form");
  vf_close(&c);
}

/* Up a slope of tan a = 0.5 with v0: stops after v0/(g (sin a + mu cos a)); stays at rest if mu >
 * tan a, otherwise slides back. */
static void block_on_a_slope(void **state) {
  (void)state;
  const double g = 10, si = 0.5 / sqrt(1.25), co = 1 / sqrt(1.25), v0 = 3;
  for (int k = 0; k < 2; k++) {
    double mu = k ? 0.3 : 0.8, up = g * (si + mu * co), stop = v0 / up, top = v0 * v0 / (2 * up);
    double down = k ? g * (si - mu * co) : 0, left = 1.5 - stop;
    vf_case c;
    vf_text(&c,
            "bodies: {block: {type: point_mass, mass: 3 kg, velocity: [3 m/s, 0, 0]}}\n"
            "forces: {weight: {type: gravity, acceleration: [%.17g m/s^2, 0, %.17g m/s^2]}}\n"
            "laws: {dry: {type: signorini, mu: %.17g}}\n"
            "contacts: {slope: {type: point_on_plane, a: ground, b: block, law: dry}}\n",
            -g * si, -g * co, mu);
    vf_start(&c, &TIGHT);
    vf_advance(&c, 1.5);
    const char *name = k ? "slides back" : "stays";
    vf_check(TABLE, "block on a slope", name, vf_value(&c, "block.x"), top - down * left * left / 2,
             1e-11, "closed form");
    vf_check(TABLE, "block on a slope", "velocity", vf_value(&c, "block.vx"), -down * left, 1e-11,
             "closed form");
    vf_check(TABLE, "block on a slope", "friction, N", vf_value(&c, "slope.friction_force"),
             k ? mu * 3 * g * co : 3 * g * si, 1e-11, "closed form");
    vf_check(TABLE, "block on a slope", "sliding work, J", vf_value(&c, "slope.sliding_work"),
             mu * 3 * g * co * (top + down * left * left / 2), 1e-10, "closed form");
    vf_bound(TABLE, "block on a slope", "energy balance, J",
             fabs(vf_value(&c, "energy.balance_error")), 1e-11, "closed form");
    vf_close(&c);
  }
}

/* A growing push k t: slides from ts = mu m g/k on, v = k (t^2 - ts^2)/(2 m) - mu g (t - ts). */
static void push_grows_until_it_slides(void **state) {
  (void)state;
  const double ts = 0.4 * 2 * 9.81 / 5;
  vf_case c;
  vf_text(&c,
          "bodies: {block: {type: point_mass, mass: 2 kg}}\n"
          "forces:\n"
          "  weight: {type: gravity, acceleration: [0, 0, -9.81 m/s^2]}\n"
          "  push: {type: load, b: block, force: [3 N/s * t, 4 N/s * t, 0]}\n"
          "laws: {dry: {type: signorini, mu: 0.4}}\n"
          "contacts: {floor: {type: point_on_plane, a: ground, b: block, law: dry}}\n");
  vf_start(&c, &TIGHT);
  vf_advance(&c, 1.5);
  assert_true(vf_value(&c, "block.vx") == 0);
  double breaks = 0;
  while (hk_sim_time(c.sim) < 2.5) {
    double t = hk_sim_time(c.sim);
    step_once(&c, 2.5);
    if (breaks == 0 && vf_value(&c, "block.vx") > 0) breaks = t;
  }
  double d = 2.5 - ts, v = 5 * (2.5 * 2.5 - ts * ts) / 4 - 0.4 * 9.81 * d;
  double x =
      5 * (2.5 * 2.5 * 2.5 / 6 - ts * ts * 2.5 / 2 + ts * ts * ts / 3) / 2 - 0.2 * 9.81 * d * d;
  vf_check(TABLE, "growing push", "slides from, s", breaks, ts, 1e-12, "closed form");
  vf_check(TABLE, "growing push", "vx, m/s", vf_value(&c, "block.vx"), 0.6 * v, 1e-11,
           "closed form");
  vf_check(TABLE, "growing push", "vy, m/s", vf_value(&c, "block.vy"), 0.8 * v, 1e-11,
           "closed form");
  vf_check(TABLE, "growing push", "path, m",
           hypot(vf_value(&c, "block.x"), vf_value(&c, "block.y")), x, 1e-11, "closed form");
  vf_close(&c);
}

/* A sliding ball begins to roll at t = 2 v0/(7 mu g) with 5/7 v0 [Euler]. */
static void ball_begins_to_roll(void **state) {
  (void)state;
  vf_case c;
  vf_text(&c,
          "bodies: {ball: {type: sphere, mass: 1.3 kg, radius: 0.2 m, position: [0, 0, 0.2 m], "
          "velocity: [3 m/s, 4 m/s, 0]}}\n"
          "forces: {weight: {type: gravity, acceleration: [0, 0, -9.81 m/s^2]}}\n"
          "laws: {dry: {type: signorini, mu: 0.3}}\n"
          "contacts: {floor: {type: sphere_on_plane, a: ground, b: ball, law: dry, "
          "radius: 0.2 m}}\n");
  vf_start(&c, &TIGHT);
  double start = 2 * 5 / (7 * 0.3 * 9.81), rolls = 0;
  while (hk_sim_time(c.sim) < 2) {
    step_once(&c, 2);
    if (rolls == 0 && vf_value(&c, "floor.friction_force") < 1e-6) rolls = hk_sim_time(c.sim);
  }
  double x = 5 * start - 0.15 * 9.81 * start * start + 5 * 5.0 / 7 * (2 - start);
  vf_check(TABLE, "ball begins to roll", "from, s", rolls, start, 1e-10, "Euler");
  vf_check(TABLE, "ball begins to roll", "vx, m/s", vf_value(&c, "ball.vx"), 3 * 5.0 / 7, 1e-11,
           "Euler");
  vf_check(TABLE, "ball begins to roll", "vy, m/s", vf_value(&c, "ball.vy"), 4 * 5.0 / 7, 1e-11,
           "Euler");
  vf_check(TABLE, "ball begins to roll", "path, m",
           hypot(vf_value(&c, "ball.x"), vf_value(&c, "ball.y")), x, 1e-10, "closed form");
  vf_bound(TABLE, "ball begins to roll", "height, m", fabs(vf_value(&c, "ball.z") - 0.2), 1e-14,
           "closed form");
  vf_close(&c);
}

/* A rod on a hinge falls from the horizontal onto a wall below the hinge: its tip has sqrt(3 g L)
 * before and e times that after the impact. */
static void rod_swings_against_a_wall(void **state) {
  (void)state;
  vf_case c;
  vf_text(&c,
          "bodies:\n"
          "  ground: {markers: {wall: {orientation: {z: x}}}}\n"
          "  rod: {type: rod, length: 0.8 m, mass: 1.5 kg, position: [0.4 m, 0, 0], "
          "markers: {tip: [0.4 m, 0, 0]}}\n"
          "joints: {hinge: {type: revolute, b: rod, at: [0, 0, 0], axis: z}}\n"
          "forces: {weight: {type: gravity, acceleration: [0, -9.81 m/s^2, 0]}}\n"
          "laws: {steel: {type: signorini, restitution_normal: 0.6}}\n"
          "contacts: {stop: {type: point_on_plane, a: ground.wall, b: rod.tip, law: steel}}\n");
  vf_start(&c, &TIGHT);
  double first = sqrt(3 * 9.81 * 0.8), t[3] = {0};
  for (int n = 0; n < 3; n++) {
    while ((int)vf_value(&c, "stop.impacts") == n && hk_sim_time(c.sim) < 5) step_once(&c, 5);
    t[n] = hk_sim_time(c.sim);
    vf_check(TABLE, "rod against a wall", "approach, m/s", vf_value(&c, "stop.approach"),
             first * pow(0.6, n), 1e-9, "closed form");
  }
  /* A quarter swing of pi/2: sqrt(2 L/(3 g)) K(sin(pi/4)). */
  vf_check(TABLE, "rod against a wall", "first impact, s", t[0],
           sqrt(2 * 0.8 / (3 * 9.81)) * 1.85407467730137192, 1e-10, "elliptic integral");
  vf_bound(TABLE, "rod against a wall", "hinge, m", hk_sim_statistics(c.sim).constraint_error,
           1e-14, "closed form");
  vf_bound(TABLE, "rod against a wall", "energy balance, J",
           fabs(vf_value(&c, "energy.balance_error")), 1e-9, "closed form");
  vf_close(&c);
}

/* One ball against two that touch, e = 1: -v/3, 2 v/3, 2 v/3 by Newton's law. */
static void impact_through_a_touching_ball(void **state) {
  (void)state;
  vf_case c;
  vf_text(
      &c,
      "bodies:\n"
      "  a: {type: point_mass, mass: 1 kg, position: [-0.5 m, 0, 0], velocity: [1 m/s, 0, 0]}\n"
      "  b: {type: point_mass, mass: 1 kg, position: [0, 0, 0]}\n"
      "  c: {type: point_mass, mass: 1 kg, position: [0.2 m, 0, 0]}\n"
      "laws: {steel: {type: signorini, restitution_normal: 1}}\n"
      "contacts:\n"
      "  ab: {type: sphere_on_sphere, a: a, b: b, law: steel, radius_a: 0.1 m, radius_b: 0.1 m}\n"
      "  bc: {type: sphere_on_sphere, a: b, b: c, law: steel, radius_a: 0.1 m, radius_b: 0.1 m}\n");
  vf_start(&c, &TIGHT);
  vf_advance(&c, 1);
  vf_check(TABLE, "three balls", "first, m/s", vf_value(&c, "a.vx"), -1.0 / 3, 1e-12,
           "Newton's law");
  vf_check(TABLE, "three balls", "second, m/s", vf_value(&c, "b.vx"), 2.0 / 3, 1e-12,
           "Newton's law");
  vf_check(TABLE, "three balls", "third, m/s", vf_value(&c, "c.vx"), 2.0 / 3, 1e-12,
           "Newton's law");
  vf_close(&c);
}

/* A bead on a ball of radius R + r, pushed from the top with v: leaves the surface at cos(theta) =
 * (2 + v^2/(g (R + r)))/3, then flies. */
static void bead_leaves_a_ball(void **state) {
  (void)state;
  const double g = 9.81, R = 0.5, v0 = 0.4, cosine = (2 + v0 * v0 / (g * R)) / 3;
  vf_case c;
  vf_text(&c,
          "bodies: {bead: {type: point_mass, mass: 0.2 kg, position: [0, 0, 0.5 m], "
          "velocity: [0.4 m/s, 0, 0]}}\n"
          "forces: {weight: {type: gravity, acceleration: [0, 0, -9.81 m/s^2]}}\n"
          "laws: {smooth: {type: signorini}}\n"
          "contacts: {ball: {type: sphere_on_sphere, a: ground, b: bead, law: smooth, "
          "radius_a: 0.4 m, radius_b: 0.1 m}}\n");
  vf_start(&c, &TIGHT);
  double z = 0;
  while (z == 0 && hk_sim_time(c.sim) < 1) {
    step_once(&c, 1);
    if (vf_value(&c, "ball.normal_force") == 0) z = vf_value(&c, "bead.z");
  }
  vf_check(TABLE, "bead on a ball", "leaves at cos(angle)", z / R, cosine, 1e-10, "closed form");
  double e = vf_value(&c, "bead.vx") * vf_value(&c, "bead.vx") +
             vf_value(&c, "bead.vz") * vf_value(&c, "bead.vz");
  vf_check(TABLE, "bead on a ball", "square of its speed", e, v0 * v0 + 2 * g * (R - z), 1e-10,
           "energy");
  vf_close(&c);
}

/* A ball in a socket with clearance c swings like a pendulum of that length: from 60 degrees it
 * reaches the bottom after sqrt(c/g) K(sin 30), with the normal force m g (3 - 2 cos(60)). */
static void ball_swings_in_a_socket(void **state) {
  (void)state;
  const double quarter = sqrt(0.1 / 9.81) * 1.68575035481259604; /* K(1/2) */
  vf_case c;
  vf_text(&c,
          "bodies: {ball: {type: point_mass, mass: 2 kg, position: [%.17g m, 0, -0.05 m]}}\n"
          "forces: {weight: {type: gravity, acceleration: [0, 0, -9.81 m/s^2]}}\n"
          "laws: {smooth: {type: signorini}}\n"
          "contacts: {socket: {type: sphere_in_socket, a: ground, b: ball, law: smooth, "
          "socket_radius: 0.3 m, ball_radius: 0.2 m}}\n",
          0.1 * sqrt(0.75));
  vf_start(&c, &TIGHT);
  vf_advance(&c, 3 * quarter);
  vf_bound(TABLE, "ball in a socket", "x at the bottom, m", fabs(vf_value(&c, "ball.x")), 1e-10,
           "elliptic integral");
  vf_check(TABLE, "ball in a socket", "pressure, N", vf_value(&c, "socket.normal_force"),
           2 * 9.81 * 2, 1e-8, "closed form");
  vf_bound(TABLE, "ball in a socket", "gap, m", fabs(vf_value(&c, "socket.gap")), 1e-15,
           "closed form");
  vf_close(&c);
}

/* ---- order ---- */

/* A free body that tumbles, with a spring at a corner. */
static void smooth_motion_is_of_fifth_order(void **state) {
  (void)state;
  static const double h[] = {0.02, 0.01, 0.005};
  double error[3], reference[3] = {0};
  for (int k = -1; k < 3; k++) {
    vf_case c;
    vf_text(&c,
            "bodies: {b: {type: rigid_body, mass: 2 kg, inertia: [1 kg*m^2, 2 kg*m^2, 2.5 kg*m^2], "
            "angular_velocity: [1 rad/s, 3 rad/s, 0.5 rad/s], markers: {corner: [0.3 m, 0.2 m, 0.1 "
            "m]}}}\n"
            "forces: {k: {type: spring_damper, a: ground, b: b.corner, stiffness: 40 N/m, "
            "damping: 1 N*s/m, length: 0.2 m}}\n");
    vf_start(&c, &(hk_sim_options){.stepper = "event_driven", .step = k < 0 ? 5e-4 : h[k]});
    vf_advance(&c, 2);
    double x[3] = {vf_value(&c, "b.x"), vf_value(&c, "b.qx"), vf_value(&c, "b.wy")}, sum = 0;
    for (int i = 0; i < 3; i++) sum += (x[i] - reference[i]) * (x[i] - reference[i]);
    if (k < 0)
      memcpy(reference, x, sizeof x);
    else
      error[k] = sqrt(sum);
    vf_close(&c);
  }
  vf_check(TABLE, "tumbling body", "order", vf_slope(h, error, 3), 5, 0.3, "definition");
}

/* ---- universal joint with clearance ---- */

typedef struct impact {
  double t, approach; /* ms after zero phase; rad/s */
} impact;
typedef struct reference {
  const char *clearance;
  double phi_rms, phi_max, rate_rms, rate_max, delta_rms, delta_max, impulse, fraction;
  double phi, rate; /* at whole periods */
  double release, closed;
  impact impact[5];
} reference;

/* An independent event-driven solution, converged to 1e-10. */
static const reference REFERENCE[] = {
    {"0 um",
     7.73184e-4,
     1.083352e-3,
     .0773426,
     .111677,
     0,
     0,
     0,
     1,
     -6.42965e-4,
     .0883288,
     0,
     0,
     {{0, 0}}},
    {"0.05 um",
     7.73363e-4,
     1.083503e-3,
     .0773619,
     .111854,
     6.4460e-4,
     .0075489,
     1.89455e-3,
     .94931,
     -6.429185e-4,
     .0883344636,
     .91561,
     2.50818,
     {{1.89348, .00754889}, {2.25754, .00368274}}},
    {"10 um",
     8.05325e-4,
     1.145142e-3,
     .0835416,
     .205815,
     .0484705,
     .2193838,
     .05505888,
     .71091,
     -6.412728e-4,
     .0923157870,
     .81882,
     9.90093,
     {{7.03122, .219384}, {8.74535, .0950787}, {9.40136, .0418967}, {9.67983, .0186687}}},
    {"50 um",
     9.07337e-4,
     1.427332e-3,
     .114875,
     .414313,
     .173010,
     .5613199,
     .14087481,
     .50710,
     -7.110306e-4,
     .1190563432,
     .49661,
     15.98142,
     {{11.82907, .561320},
      {14.29365, .225020},
      {15.24776, .0958751},
      {15.65585, .0420829},
      {15.83579, .0187252}}}};

enum {
  PHI,
  RATE,
  DDELTA,
  PHI_D,
  RATE_D,
  DDELTA_D,
  IMPULSE_L,
  IMPULSE_R,
  CLOSED_L,
  CLOSED_R,
  APPROACH_L,
  APPROACH_R,
  COUNT_L,
  COUNT_R,
  N_READ
};

typedef struct period {
  double square[3], most[3]; /* of phi1c, its rate, the rate of Delta */
  double impulse, fraction, phi, rate, release, closed;
  impact impact[40];
  int n;
} period;

/* Integral of squares by the trapezoidal rule with slopes, of fourth order. */
static void follow(double *a, double *b, double h, period *p) {
  for (int k = 0; k < 3; k++) {
    p->square[k] += h / 2 * (a[k] * a[k] + b[k] * b[k]) +
                    h * h / 6 * (a[k] * a[PHI_D + k] - b[k] * b[PHI_D + k]);
    p->most[k] = fmax(p->most[k], fabs(b[k]));
  }
}

/* One period, after ten others: values at the steps only. */
static void one_period(vf_case *c, period *p) {
  static const char *const name[N_READ] = {"cross.angle",
                                           "cross.angle_rate",
                                           "ddelta",
                                           "cross.angle_rate",
                                           "cross.angle_acc",
                                           "input.angle_acc",
                                           "joint.left.impulse",
                                           "joint.right.impulse",
                                           "joint.left.closed_time",
                                           "joint.right.closed_time",
                                           "joint.left.approach",
                                           "joint.right.approach",
                                           "joint.left.impacts",
                                           "joint.right.impacts"};
  const double T = 2 * M_PI / 100, t0 = 10 * T;
  int channel[N_READ];
  double a[N_READ], b[N_READ], first = 0, left = 0;
  for (int i = 0; i < N_READ; i++) channel[i] = vf_channel(c, name[i]);
  *p = (period){0};
  vf_advance(c, t0);
  hk_sim_values(c->sim, channel, N_READ, a, NULL);
  a[DDELTA_D] -= a[RATE_D];
  p->phi = a[PHI], p->rate = a[RATE];
  first = a[CLOSED_L] + a[CLOSED_R];
  left = a[CLOSED_L];
  while (hk_sim_time(c->sim) < t0 + T) {
    double t = hk_sim_time(c->sim);
    step_once(c, t0 + T);
    hk_sim_values(c->sim, channel, N_READ, b, NULL);
    b[DDELTA_D] -= b[RATE_D];
    double now = hk_sim_time(c->sim);
    follow(a, b, now - t, p);
    bool jumped = now == t;
    for (int side = 0; side < 2; side++) {
      if (jumped) p->impulse = fmax(p->impulse, b[IMPULSE_L + side]);
      if (!(b[COUNT_L + side] > a[COUNT_L + side]) || p->n >= 40) continue;
      p->impact[p->n++] = (impact){1e3 * (now - t0), b[APPROACH_L + side] / 0.04};
    }
    /* The right side opens, the left side closes in the first half. */
    if (p->release == 0 && b[IMPULSE_R] == 0 && a[IMPULSE_R] > 0) p->release = 1e3 * (now - t0);
    if (p->closed == 0 && b[CLOSED_L] > left) p->closed = 1e3 * (now - t0 - (b[CLOSED_L] - left));
    memcpy(a, b, sizeof a);
  }
  p->fraction = (a[CLOSED_L] + a[CLOSED_R] - first) / T;
  for (int k = 0; k < 3; k++) p->square[k] = sqrt(p->square[k] / T);
}

/* Half a unit of the last published digit, or slightly more if the sampling has an effect. */
static void check(const reference *r, const char *what, double ours, double known, double tol) {
  char text[40];
  snprintf(text, sizeof text, "universal joint, %s", r->clearance);
  vf_check(TABLE, text, what, ours, known, tol, "independent event-driven solution");
}

/* The last digit of Delta' rms at 0.05 um depends on the sampling of its jumps: one unit is
 * allowed. */
static void joint_with_clearance(void **state) {
  (void)state;
  static const double tol_delta[] = {1e-15, 1e-8, 5.1e-8, 5.1e-7};
  for (size_t k = 0; k < sizeof REFERENCE / sizeof *REFERENCE; k++) {
    const reference *r = &REFERENCE[k];
    const hk_override set[] = {{"parameters.C", r->clearance},
                               {"parameters.count_above", "0 rad/s"},
                               {"analysis.step", "0 s"}};
    vf_case c;
    period p;
    vf_file(&c, "examples/ujoint_clearance/paper.yaml", set, 3);
    vf_start(&c, &(hk_sim_options){.stepper = "event_driven",
                                   .rtol = 1e-12,
                                   .atol = 1e-14,
                                   .max_step = M_PI / 100 / 2000});
    one_period(&c, &p);
    check(r, "phi1c at whole periods", p.phi, r->phi, k ? 5.1e-11 : 5.1e-10);
    check(r, "its rate", p.rate, r->rate, k ? 2e-10 : 5.1e-8);
    check(r, "phi1c, rms", p.square[0], r->phi_rms, 5.1e-10);
    check(r, "phi1c, largest", p.most[0], r->phi_max, 5.1e-10);
    check(r, "rate of phi1c, rms", p.square[1], r->rate_rms, k == 3 ? 5.1e-7 : 5.1e-8);
    check(r, "rate of phi1c, largest", p.most[1], r->rate_max, 6e-7);
    check(r, "rate of Delta, rms", p.square[2], r->delta_rms, tol_delta[k]);
    check(r, "rate of Delta, largest", p.most[2], r->delta_max, 5.1e-8);
    check(r, "time in contact", p.fraction, r->fraction, 5.1e-6);
    check(r, "largest impulse, N s", p.impulse, r->impulse, 5.1e-9);
    if (k > 0) check(r, "opens, ms", p.release, r->release, 5.1e-6);
    if (k > 0) check(r, "closed for good, ms", p.closed, r->closed, 5.1e-6);
    for (int i = 0; i < 5 && r->impact[i].t > 0; i++) {
      check(r, "impact, ms", p.impact[i].t, r->impact[i].t, 5.1e-6);
      check(r, "its approach, rad/s", p.impact[i].approach, r->impact[i].approach,
            5.1e-6 * r->impact[i].approach);
    }
    vf_bound(TABLE, "universal joint", "energy balance over 11 periods, J",
             fabs(vf_value(&c, "energy.balance_error")), 1e-10, "definition");
    vf_close(&c);
  }
}

/* Slider-crank with clearance, about sixty impacts: time stepping converges to this solution with
 * order one. */
static void time_stepping_converges_to_it(void **state) {
  (void)state;
  static const double h[] = {1e-4, 1e-5};
  const hk_override set[] = {{"analysis.step", "0 s"}};
  double turns[3], error[2];
  for (int k = 0; k < 3; k++) {
    vf_case c;
    vf_file(&c, "examples/clearance/slider_crank.yaml", set, 1);
    vf_start(&c, k == 2 ? &TIGHT : &(hk_sim_options){.stepper = "moreau", .step = h[k]});
    vf_advance(&c, 0.1);
    turns[k] = vf_value(&c, "turns");
    vf_close(&c);
  }
  for (int k = 0; k < 2; k++) error[k] = fabs(turns[k] - turns[2]);
  vf_bound(TABLE, "slider-crank, moreau", "revolutions at 1e-5 s", error[1], 2e-5, "event_driven");
  vf_check(TABLE, "slider-crank, moreau", "order", vf_slope(h, error, 2), 1, 0.5, "theory");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(ball_comes_to_rest),
      cmocka_unit_test(block_on_a_slope),
      cmocka_unit_test(push_grows_until_it_slides),
      cmocka_unit_test(ball_begins_to_roll),
      cmocka_unit_test(rod_swings_against_a_wall),
      cmocka_unit_test(impact_through_a_touching_ball),
      cmocka_unit_test(bead_leaves_a_ball),
      cmocka_unit_test(ball_swings_in_a_socket),
      cmocka_unit_test(smooth_motion_is_of_fifth_order),
      cmocka_unit_test(joint_with_clearance),
      cmocka_unit_test(time_stepping_converges_to_it),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
