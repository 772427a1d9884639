/* The slider-crank with a dry clearance in the slider's ball joint (5000 rpm, restitution 0.9), three
 * bodies in space: paths and impacts against the event-driven stepper, statistics against an independent
 * event-driven solution of the same mechanism in two coordinates.
 *
 * The motion is chaotic: a change of 1e-10 m/s grows to the size of the clearance within 0.15 s, so
 * that paths are compared only before that time, and statistics afterwards. */
#include "verify.h"

static const char TABLE[] = "nonsmooth_crank";
static const char PEER[] = "independent event-driven solution";

static const double REV = 0.012;

/* Clearance, friction, velocity disturbance of the slider, and additional forces. */
static void crank_with(vf_case *k, double c, double mu, double kick, const char *forces) {
  vf_text(
      k,
      "parameters: {r: 50 mm, l: 120 mm, omega: 523.5987755982989 rad/s}\n"
      "bodies:\n"
      "  crank: {mass: 0.3 kg, inertia: [1e-5 kg*m^2, 1e-5 kg*m^2, 1e-5 kg*m^2], position: [r/2, "
      "0, 0]}\n"
      "  rod: {mass: 0.21 kg, inertia: [1e-5 kg*m^2, 2.5e-4 kg*m^2, 2.5e-4 kg*m^2], position: [r + "
      "l/2, "
      "0, 0], velocity: [0, omega*r/2/(1 rad), 0], angular_velocity: [0, 0, -omega*r/l], markers: "
      "{small: [l/2, 0, 0]}}\n"
      "  slider: {mass: 0.14 kg, inertia: [1e-4 kg*m^2, 1e-4 kg*m^2, 1e-4 kg*m^2], position: [r + "
      "l, 0, "
      "0], velocity: [%.3e m/s, 0, 0]}\n"
      "joints:\n"
      "  main: {type: revolute, b: crank, at: [0, 0, 0], axis: z}\n"
      "  big: {type: revolute, a: crank, b: rod, at: [r, 0, 0], axis: z}\n"
      "  guide: {type: prismatic, b: slider, at: [r + l, 0, 0], axis: x}\n"
      "motions:\n  drive: {coordinate: main.angle, value: omega*t}\n%s"
      "laws:\n  steel: {type: signorini, restitution_normal: 0.9, restitution_tangential: 0, mu: "
      "%g, "
      "count_above: 0.2 m/s, allow_energy_gain: true}\n"
      "contacts:\n  journal: {type: sphere_in_socket, a: rod.small, b: slider, law: steel, "
      "socket_radius: "
      "10 mm + %g m, ball_radius: 10 mm}\n"
      "sensors:\n"
      "  tx: {value: slider.x - rod.small.x}\n"
      "  ty: {value: slider.y - rod.small.y}\n"
      "  rel: {value: \"hypot(slider.vx - rod.small.vx, slider.vy - rod.small.vy)\"}\n"
      "  dv: {value: \"slider.vx + r*omega/(1 rad)*(sin(omega*t) + "
      "r/l*sin(omega*t)*cos(omega*t)/sqrt(1 - (r/l*sin(omega*t))^2))\"}\n",
      kick, forces, mu, c);
}

static void crank(vf_case *k, double c, double mu, double kick) { crank_with(k, c, mu, kick, ""); }

static void start(vf_case *k, const char *scheme, double h) {
  const hk_setting set[] = {{.name = "scheme", .text = scheme}};
  vf_start(k, &(hk_sim_options){.stepper = "nonsmooth_alpha", .step = h, .set = set, .n_set = 1});
}

/* ---- the first impacts ---- */

static void first_impacts(void **state) {
  (void)state;
  static const double known[2][4] = {{2.27286032e-4, 6.00952695e-4, 7.03712362e-4, 9.51675139e-4},
                                     {7.17714093e-5, 1.99902175e-4, 2.59909416e-4, NAN}};
  static const double h = 1e-6, c[] = {5e-4, 5e-5};
  static const char *const scheme[] = {"corrected", "published"};
  for (int i = 0; i < 4; i++) {
    vf_case k;
    double seen = 0, lowest = 0, worst = 0, lost = 0;
    int n = 0;
    crank(&k, c[i / 2], 0, 0);
    start(&k, scheme[i % 2], h);
    double balance = vf_value(&k, "energy.balance_error");
    while (n < (i < 2 ? 4 : 3)) {
      if (hk_sim_step(k.sim, 1, &k.err)) fail_msg("%s", k.err.text);
      double now = vf_value(&k, "energy.balance_error");
      lowest = fmin(lowest, vf_value(&k, "journal.gap"));
      if (vf_value(&k, "journal.impacts") > seen) {
        char text[60];
        snprintf(text, sizeof text, "%s, clearance %g mm", scheme[i % 2], 1e3 * c[i / 2]);
        vf_check(TABLE, text, "impact, s", hk_sim_time(k.sim), known[i / 2][n],
                 i % 2 ? 3 * h : 4e-9, PEER);
        lost = fmax(lost, fabs(now - balance));
        n++;
      }
      seen = vf_value(&k, "journal.impacts");
      balance = now;
      worst = fmax(worst, vf_value(&k, "solver.velocity_error"));
    }
    vf_bound(TABLE, scheme[i % 2], "overlap, m", -lowest, 1e-12, "definition");
    vf_bound(TABLE, scheme[i % 2], "joints' velocities, m/s", worst, 1e-10, "definition");
    if (i % 2 == 0)
      vf_bound(TABLE, "corrected", "energy of an impact with the driver's work, J", lost, 1e-11,
               "balance");
    vf_close(&k);
  }
}

/* ---- the path of the first millisecond ---- */

static void the_path_has_order_two(void **state) {
  (void)state;
  enum { PARTS = 100 };
  static const double h[] = {1e-5, 5e-6, 2.5e-6, 1.25e-6};
  static double known[PARTS][2];
  for (int friction = 0; friction < 2; friction++) {
    double error[4] = {0}, mu = friction ? 0.1 : 0, end = friction ? 3e-3 : 1e-3, c = 5e-4;
    vf_case k;
    crank(&k, c, mu, 0);
    for (int n = -1; n < 4; n++) {
      if (n < 0)
        vf_start(&k, &(hk_sim_options){.stepper = "event_driven", .rtol = 1e-12, .atol = 1e-14});
      else
        start(&k, "corrected", h[n]);
      for (int i = 0; i < PARTS; i++) {
        vf_advance(&k, end * (i + 1) / PARTS);
        double x = vf_value(&k, "tx"), y = vf_value(&k, "ty");
        if (n < 0)
          known[i][0] = x, known[i][1] = y;
        else
          error[n] += hypot(x - known[i][0], y - known[i][1]) / PARTS / c;
      }
    }
    const char *text = friction ? "friction 0.1, 3 ms" : "frictionless, 1 ms";
    vf_bound(TABLE, text, "path at h = 1e-5 s over clearance", error[0], 1e-3, "event_driven");
    vf_check(TABLE, text, "order", vf_slope(h, error, 4), 2, 0.25, "theory");
    vf_close(&k);
  }
}

/* ---- steps by tolerance ---- */

static void adaptive_steps(void **state) {
  (void)state;
  static const double tol[] = {1e-6, 1e-7, 1e-8};
  double error[3];
  for (int i = 0; i < 3; i++) {
    vf_case k;
    crank(&k, 5e-4, 0, 0);
    vf_start(&k, &(hk_sim_options){.stepper = "nonsmooth_alpha", .rtol = tol[i], .atol = 1e-12});
    double seen = 0, lowest = 0;
    while (seen < 4) {
      if (hk_sim_step(k.sim, 0.05, &k.err)) fail_msg("%s", k.err.text);
      seen = vf_value(&k, "journal.impacts");
    }
    error[i] = fabs(hk_sim_time(k.sim) - 9.51675139e-4);
    while (hk_sim_time(k.sim) < 0.03) {
      if (hk_sim_step(k.sim, 0.03, &k.err)) fail_msg("%s", k.err.text);
      lowest = fmin(lowest, vf_value(&k, "journal.gap"));
    }
    vf_bound(TABLE, "adaptive", "overlap, m", -lowest, 1e-12, "definition");
    vf_close(&k);
  }
  vf_check(TABLE, "adaptive", "order of the fourth impact's time in rtol", vf_slope(tol, error, 3),
           2.0 / 3, 0.25, "error of a step below rtol");
}

/* ---- an oil film beside the contact ---- */

static void film_and_contact(void **state) {
  (void)state;
  static const struct {
    double t, tx, ty, v;
  } known[] = {{1e-3, 5.816359e-6, -1.267420e-6, -17.914132},
               {3e-3, 8.230869e-6, -4.085905e-6, -26.181789},
               {7.5e-3, -3.921801e-6, -2.875522e-6, 12.800832}};
  const double c = 5e-5;
  vf_case k;
  crank_with(&k, c, 0, 0,
             "forces:\n  film: {type: film_socket, a: rod.small, b: slider, reading: vector, "
             "radius: 10 mm, clearance: 50 "
             "um, viscosity: 0.4 Pa*s}\n");
  start(&k, "corrected", 1e-5);
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    vf_advance(&k, known[i].t);
    double off = hypot(vf_value(&k, "tx") - known[i].tx, vf_value(&k, "ty") - known[i].ty) / c;
    vf_bound(TABLE, "lubricated, 50 um, h = 1e-5 s", "journal, of the clearance", off, 1e-2,
             "Radau's method");
    vf_check(TABLE, "lubricated, 50 um, h = 1e-5 s", "slider, m/s", vf_value(&k, "slider.vx"),
             known[i].v, 1e-4, "Radau's method");
  }
  vf_close(&k);
  /* The oil is too thin to carry the load in such a wide gap: the contact carries it. */
  crank_with(&k, 5e-4, 0, 0,
             "forces:\n  film: {type: film_socket, a: rod.small, b: slider, reading: vector, "
             "radius: 10 mm, clearance: 0.5 "
             "mm, viscosity: 0.4 Pa*s}\n");
  start(&k, "corrected", 1e-5);
  double lowest = 0, time = 0;
  while (hk_sim_time(k.sim) < 0.03) {
    if (hk_sim_step(k.sim, 0.03, &k.err)) fail_msg("%s", k.err.text);
    lowest = fmin(lowest, vf_value(&k, "journal.gap"));
  }
  time = vf_value(&k, "journal.closed_time");
  vf_bound(TABLE, "lubricated, 0.5 mm, film lost", "overlap, m", -lowest, 1e-12, "definition");
  assert_true(time > 1e-4);
  vf_close(&k);
}

/* ---- statistics ---- */

typedef struct statistics {
  double impacts, contact, loss, rel, dv; /* per revolution; fraction of time; J per revolution;
                                           * rms */
} statistics;

/* After five revolutions, over n of them. */
static void run(vf_case *k, int n, statistics *out) {
  double from = 5 * REV, span = n * REV, rel = 0, dv = 0;
  vf_advance(k, from);
  double hits = vf_value(k, "journal.impacts"), time = vf_value(k, "journal.closed_time"),
         lost = vf_value(k, "energy.dissipated");
  int samples = n * 120;
  for (int i = 0; i < samples; i++) {
    vf_advance(k, from + span * (i + 1) / samples);
    double a = vf_value(k, "rel"), b = vf_value(k, "dv");
    rel += a * a, dv += b * b;
  }
  out->impacts += (vf_value(k, "journal.impacts") - hits) / n;
  out->contact += (vf_value(k, "journal.closed_time") - time) / span;
  out->loss += (vf_value(k, "energy.dissipated") - lost) / n;
  out->rel += sqrt(rel / samples);
  out->dv += sqrt(dv / samples);
}

static statistics runs(double c, double mu, const char *scheme, double h, int count, int n) {
  statistics s = {0};
  for (int i = 0; i < count; i++) {
    vf_case k;
    crank(&k, c, mu, 1e-6 * i);
    start(&k, scheme, h);
    run(&k, n, &s);
    vf_close(&k);
  }
  s.impacts /= count, s.contact /= count, s.loss /= count, s.rel /= count, s.dv /= count;
  return s;
}

/* Reference: mean of two independent event-driven codes; limits: twice the scatter of their runs. */
static void statistics_of_bouncing(void **state) {
  (void)state;
  int count = 4, n = vf_long() ? 195 : 90;
  statistics s = runs(5e-4, 0, "corrected", 1e-5, count, n);
  vf_check(TABLE, "clearance 0.5 mm, h = 1e-5 s", "impacts per revolution", s.impacts, 27.7, 3.6,
           PEER);
  vf_check(TABLE, "clearance 0.5 mm, h = 1e-5 s", "share of contact", s.contact, 0.653, 0.048,
           PEER);
  vf_check(TABLE, "clearance 0.5 mm, h = 1e-5 s", "loss per revolution, J", s.loss, 0.454, 0.071,
           PEER);
  vf_check(TABLE, "clearance 0.5 mm, h = 1e-5 s", "slider velocity off ideal, rms", s.dv, 1.081,
           0.03, PEER);
  s = runs(5e-5, 0, "corrected", 1e-5, count, n);
  vf_check(TABLE, "clearance 0.05 mm, h = 1e-5 s", "impacts per revolution", s.impacts, 1.70, 0.6,
           PEER);
  vf_check(TABLE, "clearance 0.05 mm, h = 1e-5 s", "share of contact", s.contact, 0.9755, 0.01,
           PEER);
  vf_check(TABLE, "clearance 0.05 mm, h = 1e-5 s", "sliding, rms m/s", s.rel, 0.4495, 0.04, PEER);
  s = runs(5e-4, 0, "published", 1e-5, 1, n);
  vf_note(TABLE, "published, 0.5 mm, h = 1e-5 s", "impacts per revolution", s.impacts,
          "the scheme's fault");
  assert_true(s.impacts < 3);
  s = runs(5e-4, 0.1, "corrected", 1e-5, 1, n);
  vf_check(TABLE, "friction 0.1, 0.5 mm", "sliding, rms m/s", s.rel, 1.1966, 0.012, PEER);
  vf_check(TABLE, "friction 0.1, 0.5 mm", "loss per revolution, J", s.loss, 3.168, 0.03, PEER);
}

/* Time until two runs that start 1e-10 m/s apart differ.  For the event-driven integrator it is 0.1
 * s.  Here it is shorter, because rebounds shorter than a quarter of the step may or may not be
 * counted. */
static void sensitivity(void **state) {
  (void)state;
  vf_case a, b;
  double most = 0, after = NAN;
  crank(&a, 5e-4, 0, 0);
  crank(&b, 5e-4, 0, 1e-10);
  start(&a, "corrected", 1e-5);
  start(&b, "corrected", 1e-5);
  for (int i = 1; i <= 300 && !(most > 5e-4); i++) {
    vf_advance(&a, 1e-3 * i);
    vf_advance(&b, 1e-3 * i);
    most = hypot(vf_value(&a, "tx") - vf_value(&b, "tx"), vf_value(&a, "ty") - vf_value(&b, "ty"));
    after = 1e-3 * i;
  }
  vf_note(TABLE, "two runs 1e-10 m/s apart", "differ by the clearance after, s", after, "this run");
  assert_true(after > 0.02 && after < 0.25);
  vf_close(&a);
  vf_close(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(first_impacts),          cmocka_unit_test(the_path_has_order_two),
      cmocka_unit_test(adaptive_steps),         cmocka_unit_test(film_and_contact),
      cmocka_unit_test(statistics_of_bouncing), cmocka_unit_test(sensitivity),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
