/* Nonsmooth generalized-alpha against closed forms and the event-driven integrator: orders with and
 * without impacts, sliding along curved walls, friction, several contacts, and the slider-crank
 * with a clearance. */
#include "verify.h"

static const char TABLE[] = "nonsmooth_alpha";

static const hk_sim_options EVENTS = {.stepper = "event_driven", .rtol = 1e-12, .atol = 1e-14};

static hk_sim_options scheme(const char *name, double h) {
  static hk_setting set[1];
  set[0] = (hk_setting){.name = "scheme", .text = name};
  return (hk_sim_options){.stepper = "nonsmooth_alpha", .step = h, .set = set, .n_set = 1};
}

static void start(vf_case *c, const char *name, double h) {
  const hk_sim_options o = scheme(name, h);
  vf_start(c, &o);
}

/* ---- sliding ---- */

static const char CIRCLE[] =
    "bodies:\n"
    "  bead: {type: point_mass, mass: 1 kg, position: [%g m, 0, 0], velocity: [0, %g m/s, 0]}\n"
    "forces:\n  weight: {type: gravity, acceleration: [0, %g m/s^2, 0]}\n"
    "laws:\n  rigid: {type: signorini, restitution_normal: 0.5, restitution_tangential: 0, mu: %g, "
    "allow_energy_gain: true}\n"
    "contacts:\n  wall: {type: sphere_in_socket, a: ground, b: bead, law: rigid, socket_radius: %g "
    "m, "
    "ball_radius: 10 mm}\n";

static void a_bead_in_a_circle(void **state) {
  (void)state;
  const double c = 5e-4, v = 2, h = 1e-5, turns = 1000;
  for (int plain = 0; plain < 2; plain++) {
    vf_case k;
    vf_text(&k, CIRCLE, c, v, 0.0, 0.0, c + 0.01);
    start(&k, plain ? "published" : "corrected", h);
    double t = 2 * M_PI * c / v * (plain ? 1 : turns);
    vf_advance(&k, t);
    double e = vf_value(&k, "energy.kinetic") / (0.5 * v * v) - 1;
    /* dv/dt = -h v^3/(2 c^2): 1/v^2 grows by h t/c^2. */
    double damped = 1 / (1 + h * t * v * v / (c * c)) - 1;
    if (plain)
      vf_check(TABLE, "bead in a circle, published", "energy after one revolution", e, damped, 0.02,
               "h v^3/(2 c^2)");
    else
      vf_bound(TABLE, "bead in a circle, corrected", "energy after 1000 revolutions", fabs(e),
               1e-12, "conserved");
    vf_close(&k);
  }
}

/* Deviation of a path from that of the event-driven integrator, for several step lengths: mean over
 * `parts` times of the difference of the channels. */
typedef struct comparison {
  const char *text;
  const char *const *channel;
  double end;
  int parts;
} comparison;

enum { MOST_CHANNELS = 8, MOST_PARTS = 400 };

static void sample(vf_case *k, const comparison *p, double (*out)[MOST_CHANNELS]) {
  for (int i = 0; i < p->parts; i++) {
    vf_advance(k, p->end * (i + 1) / p->parts);
    for (int j = 0; p->channel[j]; j++) out[i][j] = vf_value(k, p->channel[j]);
  }
}

static double mean_distance(const comparison *p, double (*a)[MOST_CHANNELS],
                            double (*b)[MOST_CHANNELS]) {
  double sum = 0;
  for (int i = 0; i < p->parts; i++) {
    double square = 0;
    for (int j = 0; p->channel[j]; j++) square += (a[i][j] - b[i][j]) * (a[i][j] - b[i][j]);
    sum += sqrt(square);
  }
  return sum / p->parts;
}

/* Checks that the order over these steps is 2 within `band`. */
static void second_order(vf_case *k, const comparison *p, const double *h, int n, double band) {
  static double known[MOST_PARTS][MOST_CHANNELS], ours[MOST_PARTS][MOST_CHANNELS];
  double error[16];
  vf_start(k, &EVENTS);
  sample(k, p, known);
  for (int i = 0; i < n; i++) {
    start(k, "corrected", h[i]);
    sample(k, p, ours);
    error[i] = mean_distance(p, ours, known);
    print_message("%s h %g error %.3g\n", p->text, h[i], error[i]);
  }
  vf_check(TABLE, p->text, "order", vf_slope(h, error, n), 2, band, "event_driven");
}

static const double HALVES[] = {4e-3, 2e-3, 1e-3, 5e-4};

static void a_heavy_bead_in_a_circle(void **state) {
  (void)state;
  static const char *const channel[] = {"bead.x", "bead.y", NULL};
  const comparison p = {"heavy bead in a circle", channel, 1, 50};
  vf_case k;
  vf_text(&k, CIRCLE, 0.5, 0.0, -9.81, 0.0, 0.51);
  second_order(&k, &p, HALVES, 4, 0.1);
  vf_close(&k);
  const comparison rough = {"heavy bead with friction", channel, 0.6, 50};
  vf_text(&k, CIRCLE, 0.5, 0.0, -9.81, 0.2, 0.51);
  second_order(&k, &rough, HALVES, 4, 0.2);
  vf_close(&k);
}

/* A ball on the inside of a larger sphere: slides in space with friction, then rolls. */
static void a_ball_in_a_bowl(void **state) {
  (void)state;
  static const char *const channel[] = {"ball.x", "ball.y", "ball.z", NULL};
  const comparison p = {"ball in a bowl, slides", channel, 0.06, 30};
  vf_case k;
  vf_text(
      &k,
      "bodies:\n"
      "  ball: {type: sphere, radius: 20 mm, mass: 0.3 kg, position: [0, 0, -180 mm], velocity: [2 "
      "m/s, 0.5 m/s, 0], angular_velocity: [3 rad/s, 1 rad/s, 40 rad/s]}\n"
      "forces:\n  weight: {type: gravity, acceleration: [0, 0, -9.81 m/s^2]}\n"
      "laws:\n  dry: {type: signorini, mu: 0.2}\n"
      "contacts:\n  bowl: {type: sphere_in_socket, a: ground, b: ball, law: dry, socket_radius: "
      "200 "
      "mm, ball_radius: 20 mm}\n");
  static const double h[] = {1e-3, 5e-4, 2.5e-4, 1.25e-4};
  second_order(&k, &p, h, 4, 0.2);
  const comparison whole = {"ball in a bowl, rolls", channel, 0.4, 30};
  second_order(&k, &whole, h, 4, 0.5);
  vf_close(&k);
}

/* Two contacts at once: a bar whose ends slide in a circle, with and without friction. */
static void a_bar_in_a_circle(void **state) {
  (void)state;
  static const char *const channel[] = {"bar.x", "bar.y", "bar.left.x", "bar.left.y", NULL};
  static const double h[] = {2e-3, 1e-3, 5e-4, 2.5e-4}, mu[] = {0, 0.1};
  for (int i = 0; i < 2; i++) {
    const comparison p = {i ? "bar in a circle, friction" : "bar in a circle", channel, 0.5, 40};
    vf_case k;
    vf_text(&k,
            "parameters: {d: 0.4 m}\n"
            "bodies:\n"
            "  bar: {mass: 2 kg, inertia: [1e-2 kg*m^2, 6e-2 kg*m^2, 6e-2 kg*m^2], position: [d * "
            "sin(1), "
            "-d * cos(1), 0], orientation: {axis: z, angle: 1 rad}, markers: {left: [-0.3 m, 0, "
            "0], right: [0.3 "
            "m, 0, 0]}}\n"
            "forces:\n  weight: {type: gravity, acceleration: [0, -9.81 m/s^2, 0]}\n"
            "laws:\n  rigid: {type: signorini, mu: %g}\n"
            "contacts:\n"
            "  left: {type: sphere_in_socket, a: ground, b: bar.left, law: rigid, socket_radius: "
            "0.51 m, ball_radius: "
            "10 mm}\n"
            "  right: {type: sphere_in_socket, a: ground, b: bar.right, law: rigid, socket_radius: "
            "0.51 m, "
            "ball_radius: 10 mm}\n",
            mu[i]);
    second_order(&k, &p, h, 4, 0.2);
    vf_close(&k);
  }
}

/* A body with three different inertias tumbles while a knob on it slides in a bowl: gyroscopic
 * forces, rotations that do not commute. */
static void a_tumbling_body(void **state) {
  (void)state;
  static const char *const channel[] = {"body.x",      "body.y",      "body.z", "body.knob.x",
                                        "body.knob.y", "body.knob.z", NULL};
  static const double h[] = {1e-3, 5e-4, 2.5e-4, 1.25e-4}, mu[] = {0, 0.15};
  for (int i = 0; i < 2; i++) {
    const comparison p = {i ? "tumbling body, friction" : "tumbling body", channel, 0.15, 30};
    vf_case k;
    vf_text(&k,
            "bodies:\n"
            "  body: {mass: 1 kg, inertia: [1e-3 kg*m^2, 2e-3 kg*m^2, 2.5e-3 kg*m^2], position: "
            "[0, 0, -160 mm], "
            "velocity: [0.4 m/s, 0, 0], angular_velocity: [9 rad/s, 5 rad/s, 12 rad/s], markers: "
            "{knob: [0, 0, -30 "
            "mm]}}\n"
            "forces:\n  weight: {type: gravity, acceleration: [0, 0, -9.81 m/s^2]}\n"
            "laws:\n  rigid: {type: signorini, mu: %g}\n"
            "contacts:\n  bowl: {type: sphere_in_socket, a: ground, b: body.knob, law: rigid, "
            "socket_radius: 200 mm, "
            "ball_radius: 10 mm}\n",
            mu[i]);
    vf_start(&k, &EVENTS);
    second_order(&k, &p, h, 4, 0.25);
    vf_close(&k);
  }
}

/* A rod on a ball joint whose tip slides with friction on a plane, with a spring and a damper. */
static void a_rod_on_a_joint(void **state) {
  (void)state;
  static const char *const channel[] = {"rod.end.x", "rod.end.y", "rod.end.z", NULL};
  static const double h[] = {2e-3, 1e-3, 5e-4, 2.5e-4};
  const comparison p = {"rod on a joint over a plane", channel, 0.3, 30};
  vf_case k;
  vf_text(&k,
          "bodies:\n"
          "  ground: {markers: {floor: {at: [0, 0, -0.6 m]}, post: {at: [0.9 m, 0.8 m, -0.2 m]}}}\n"
          "  rod: {type: rod, length: 1 m, mass: 1 kg, position: [0.4 m, 0, -0.3 m], orientation: "
          "{axis: y, angle: "
          "36.86989764584402 deg}, velocity: [0, 1 m/s, 0], angular_velocity: [-1.5 rad/s, 0, 2 "
          "rad/s]}\n"
          "joints:\n  hub: {type: spherical, b: rod.start, a: ground}\n"
          "forces:\n"
          "  weight: {type: gravity, acceleration: [0, 0, -9.81 m/s^2]}\n"
          "  cord: {type: spring_damper, a: ground.post, b: rod.end, stiffness: 200 N/m, damping: "
          "3 N*s/m, length: 0.5 m}\n"
          "laws:\n  dry: {type: signorini, mu: 0.2}\n"
          "contacts:\n  tip: {type: point_on_plane, a: ground.floor, b: rod.end, law: dry}\n");
  second_order(&k, &p, h, 4, 0.25);
  vf_close(&k);
}

/* ---- impacts ---- */

static const char PENDULUM[] =
    "bodies:\n"
    "  ground: {markers: {wall: {orientation: {axis: y, angle: 90 deg}}}}\n"
    "  bob: {type: point_mass, mass: 1 kg, position: [0.8414709848078965 m, -0.5403023058681398 m, "
    "0]}\n"
    "joints:\n  cord: {type: distance, a: ground, b: bob, length: 1 m}\n"
    "forces:\n  weight: {type: gravity, acceleration: [0, -9.81 m/s^2, 0]}\n"
    "laws:\n  rigid: {type: signorini, restitution_normal: 0.8}\n"
    "contacts:\n  stop: {type: point_on_plane, a: ground.wall, b: bob, law: rigid}\n";

static void a_pendulum_against_a_wall(void **state) {
  (void)state;
  static const double impact[] = {.534784, 1.578109, 2.606089, 3.624766};
  static const char *const channel[] = {"bob.x", "bob.y", NULL};
  const comparison p = {"pendulum against a wall", channel, 4, 200};
  static const double h[] = {8e-3, 4e-3, 2e-3, 1e-3};
  vf_case k;
  vf_text(&k, PENDULUM);
  second_order(&k, &p, h, 4, 0.2);
  start(&k, "corrected", 1e-3);
  double seen = 0, lowest = 0;
  int n = 0;
  while (hk_sim_time(k.sim) < 4) {
    if (hk_sim_step(k.sim, 4, &k.err)) fail_msg("%s", k.err.text);
    lowest = fmin(lowest, vf_value(&k, "stop.gap"));
    if (vf_value(&k, "stop.impacts") > seen)
      vf_check(TABLE, "pendulum against a wall", "impact, s", hk_sim_time(k.sim), impact[n++], 5e-6,
               "elliptic functions");
    seen = vf_value(&k, "stop.impacts");
  }
  assert_int_equal(n, 4);
  vf_bound(TABLE, "pendulum against a wall", "overlap, m", -lowest, 1e-12, "definition");
  vf_close(&k);
}

/* ---- the published scheme: first order in the mean over many steps ---- */

typedef void known_path(double t, double *q, double *v);

/* Dropped from 1 m with e = 0.8; the last bounce would be at 4.02 s, this run covers the first
 * second. */
static void ball_path(double t, double *q, double *v) {
  const double g = 9.81, e = 0.8;
  double at = -sqrt(2 / g), up = sqrt(2 * g);
  while (t >= at + 2 * up / g) at += 2 * up / g, up *= e;
  *q = up * (t - at) - 0.5 * g * (t - at) * (t - at);
  *v = up - g * (t - at);
}

static void the_plain_scheme_has_order_one(void **state) {
  (void)state;
  enum { SIZES = 40, PARTS = 64 };
  double h[SIZES], error[2][SIZES];
  static double known[PARTS][2];
  for (int model = 0; model < 2; model++) {
    vf_case k;
    const double end = 2.56;
    if (model == 0)
      vf_text(&k,
              "bodies:\n  ball: {type: point_mass, mass: 1 kg, position: [0, 0, 1 m]}\n"
              "forces:\n  weight: {type: gravity, acceleration: [0, 0, -9.81 m/s^2]}\n"
              "laws:\n  rigid: {type: signorini, restitution_normal: 0.8}\n"
              "contacts:\n  floor: {type: point_on_plane, a: ground, b: ball, law: rigid}\n");
    else
      vf_text(&k, PENDULUM);
    const char *place = model ? "bob.x" : "ball.z", *speed = model ? "bob.vx" : "ball.vz";
    if (model) vf_start(&k, &EVENTS);
    for (int i = 0; i < PARTS; i++) {
      double t = end * (i + 1) / PARTS;
      if (model == 0) {
        ball_path(t, &known[i][0], &known[i][1]);
        continue;
      }
      vf_advance(&k, t);
      known[i][0] = vf_value(&k, place), known[i][1] = vf_value(&k, speed);
    }
    for (int n = 0; n < SIZES; n++) {
      h[n] = end / PARTS / floor(8 * pow(1.1, n) + 0.5);
      error[0][n] = error[1][n] = 0;
      start(&k, "published", h[n]);
      for (int i = 0; i < PARTS; i++) {
        vf_advance(&k, end * (i + 1) / PARTS);
        error[0][n] += fabs(vf_value(&k, place) - known[i][0]) / PARTS;
        error[1][n] += fabs(vf_value(&k, speed) - known[i][1]) / PARTS;
      }
    }
    const char *text = model ? "pendulum, published" : "bouncing ball, published";
    vf_check(TABLE, text, "order of positions, 40 steps", vf_slope(h, error[0], SIZES), 1, 0.2,
             "theory");
    vf_check(TABLE, text, "order of velocities", vf_slope(h, error[1], SIZES), 1, 0.3, "theory");
    vf_close(&k);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_bead_in_a_circle),        cmocka_unit_test(a_heavy_bead_in_a_circle),
      cmocka_unit_test(a_ball_in_a_bowl),          cmocka_unit_test(a_bar_in_a_circle),
      cmocka_unit_test(a_tumbling_body),           cmocka_unit_test(a_rod_on_a_joint),
      cmocka_unit_test(a_pendulum_against_a_wall), cmocka_unit_test(the_plain_scheme_has_order_one),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
