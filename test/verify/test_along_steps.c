/* No event within a step is missed: loads that act in a region of space, switches, and sensors that reverse or switch within
 * a step, all with default settings (contacts: test_contacts_along_steps.c).  Most cases have a closed-form solution. */
#include "verify/along_steps.h"

/* Far from the origin, joints can be closed only to the digits of the positions. */
static void test_chain_far_from_the_origin(void **state) {
  (void)state;
  RUN("two rods, 1000 km away", "Lagrange's equations; Runge-Kutta",
      "bodies:\n"
      "  a: {type: rod, length: 1 m, mass: 1 kg, position: [1000000.5 m, 0, 0]}\n"
      "  b: {type: rod, length: 1 m, mass: 1 kg, position: [1000001.5 m, 0, 0]}\n"
      "joints:\n"
      "  p: {type: revolute, b: a, at: [1000000 m, 0, 0], axis: y}\n"
      "  q: {type: revolute, a: a, b: b, at: [1000001 m, 0, 0], axis: y}\n"
      "forces: {g: {type: gravity}}\n"
      "measures: {z: {of: b.z, take: final}}\n"
      "analysis: {duration: 2 s}\n",
      {"z", -1.4556620515, 2e-6});
}

/* A linear function of time is integrated exactly by steps of any length, so that a superposed peak
 * is found only by a search. */
static void test_peaks_on_a_trend(void **state) {
  (void)state;
  const double top = sqrt(2) * exp(-0.5); /* the steepest slope of exp(-x^2) */
  RUN("peak of a load that grows", "impulse",
      "bodies: {m: {type: point_mass, mass: 1 kg, velocity: [1 m/s, 0, 0]}}\n"
      "forces: {f: {type: load, b: m, force: [\"0.1 N/s * t + 0.1 N * exp(-((t - 5.1 s)/(50 "
      "ms))^2)\", 0, 0]}}\n"
      "measures: {v: {of: m.vx, take: final}}\n"
      "analysis: {duration: 10 s}\n",
      {"v", 6 + 0.005 * sqrt(M_PI), 1e-8});
  RUN("peak in the rate of a state", "closed form",
      "states: {z: {rate: \"0.1 1/s^2 * t + 1 1/s / (1 + ((t - 5.1 s)/(5 ms))^2)^2\"}}\n"
      "measures: {z: {of: z, take: final}}\n"
      "analysis: {duration: 10 s}\n",
      {"z", 5 + 0.005 * M_PI / 2, 1e-8});
  RUN("bump of a motion at constant speed", "closed form",
      "bodies: {m: {type: point_mass, mass: 2 kg}}\n"
      "joints: {g: {type: point_on_line, b: m, axis: x}}\n"
      "motions: {d: {coordinate: g.displacement, value: \"0.25 m/s * t + 0.1 m * exp(-((t - 0.8 "
      "s)/(20 ms))^2)\"}}\n"
      "measures: {v: {of: m.vx, take: max}, f: {of: d.effort, take: min}}\n"
      "analysis: {duration: 3 s}\n",
      {"v", 0.25 + 5 * top, 1e-6}, {"f", -1000, 1e-3});
  RUN("bump of a guided rotation", "closed form",
      "bodies:\n"
      "  b: {type: guided_body, mass: 1 kg, tilt: 0, spin: \"1 rad/s * t + 0.5 rad * exp(-((t - 3 "
      "s)/(10 "
      "ms))^2)\", markers: {rim: [1 m, 0, 0]}}\n"
      "measures: {w: {of: b.wz, take: max}}\n"
      "analysis: {duration: 10 s}\n",
      {"w", 1 + 50 * top, 1e-4});
  /* The velocity between the ends of steps must not depend on where they happen to end. */
  RUN("later bump of a guided rotation", "closed form",
      "bodies:\n"
      "  b: {type: guided_body, mass: 1 kg, tilt: 0, spin: \"1 rad/s * t + 0.5 rad * exp(-((t - "
      "3.3 "
      "s)/(10 "
      "ms))^2)\", markers: {rim: [1 m, 0, 0]}}\n"
      "measures: {w: {of: b.wz, take: max}}\n"
      "analysis: {duration: 10 s}\n",
      {"w", 1 + 50 * top, 1e-4});
}

static void test_loads_in_a_place(void **state) {
  (void)state;
  const double r2 = sqrt(2);
  RUN("zone of 3 m over 10 m", "energy",
      "bodies: {m: {type: point_mass, mass: 1 kg, velocity: [1 m/s, 0, 0]}}\n"
      "forces: {f: {type: load, b: m, force: [\"0.5 N * pulse(m.x, 5 m, 8 m) / 3\", 0, 0]}}\n"
      "measures: {v: {of: m.vx, take: final}}\n"
      "analysis: {duration: 10 s}\n",
      {"v", r2, 1e-9});
  RUN("detent of a rotor", "energy",
      "bodies: {r: {type: rotor, inertia: 1 kg*m^2, rate: 1 rad/s}}\n"
      "forces: {f: {type: actuator, coordinate: r.angle, force: \"0.5 N*m * pulse(r.angle, 5 rad, "
      "6 rad)\"}}\n"
      "measures: {v: {of: r.angle_rate, take: final}}\n"
      "analysis: {duration: 10 s}\n",
      {"v", r2, 1e-9});
  RUN("bump with drag", "energy",
      "bodies: {m: {type: point_mass, mass: 1 kg, velocity: [1 m/s, 0, 0]}}\n"
      "forces:\n"
      "  d: {type: load, b: m, force: [\"-0.01 N*s/m * m.vx\", 0, 0]}\n"
      "  f: {type: load, b: m, force: [\"-10 N * exp(-((m.x - 5 m)/(1 cm))^2)\", 0, 0]}\n"
      "measures: {v: {of: m.vx, take: final}}\n"
      "analysis: {duration: 10 s}\n",
      {"v", 0.70508, 2e-6});
  RUN("brake in a zone", "closed form",
      "bodies: {m: {type: point_mass, mass: 1 kg, velocity: [1 m/s, 0, 0]}}\n"
      "forces: {f: {type: load, b: m, force: [\"if(m.x > 5 m and m.x < 5.5 m, -20 N*s/m * m.vx, "
      "0)\", 0, 0]}}\n"
      "measures: {v: {of: m.vx, take: final}, x: {of: m.x, take: final}}\n"
      "analysis: {duration: 10 s}\n",
      {"v", 0, 1e-9}, {"x", 5.05, 1e-7});
  RUN("power of high degree", "energy",
      "bodies: {m: {type: point_mass, mass: 1 kg, velocity: [1 m/s, 0, 0]}}\n"
      "forces: {f: {type: load, b: m, force: [\"10 N * (((1 - ((m.x - 5 m)/(5 m))^2)^9)^9)^9\", 0, "
      "0]}}\n"
      "measures: {v: {of: m.vx, take: final}}\n"
      "analysis: {duration: 6 s}\n",
      {"v", sqrt(1 + 20 * 5 * sqrt(M_PI) * exp(lgamma(730) - lgamma(730.5))), 1e-6});
  RUN("rate of a state", "closed form",
      "states: {z: {rate: \"1 1/s * pulse(m.x, 5 m, 6 m)\", scale: 1}}\n"
      "bodies: {m: {type: point_mass, mass: 1 kg, velocity: [1 m/s, 0, 0]}}\n"
      "measures: {z: {of: z, take: final}}\n"
      "analysis: {duration: 10 s}\n",
      {"z", 1, 1e-9});
  RUN("cam at constant speed", "steps of 0.1 ms",
      "bodies:\n"
      "  cam: {type: rotor, inertia: 1 kg*m^2, rate: 0.5 rad/s}\n"
      "  f: {type: point_mass, mass: 1 kg}\n"
      "joints: {g: {type: point_on_line, b: f, axis: z}}\n"
      "sensors: {lift: {value: \"10 mm * step5(abs(mod(cam.angle, 6.283185307179586 rad) - 3.2 "
      "rad), 0 rad, 1, 0.1 rad, 0)\"}}\n"
      "forces: {s: {type: load, b: f, force: [0, 0, \"10 kN/m * (lift - f.z) - 50 N*s/m * "
      "f.vz\"]}}\n"
      "measures: {top: {of: f.z, take: max}, n: {of: f.z, take: events, level: 5 mm, crossing: "
      "rising}}\n"
      "analysis: {duration: 40 s}\n",
      {"top", 0.01008008, 2e-8}, {"n", 3, 0});
}

/* Switches at negative times, at 0, at output times and at the end of the run, and switches of the
 * rate of a state. */
static void test_switches_at_any_time(void **state) {
  (void)state;
  static const double start[] = {-20, -5, 0, 3};
  for (int i = 0; i < 4; i++) {
    char text[1000];
    snprintf(text, sizeof text,
             "bodies: {m: {type: point_mass, mass: 1 kg, velocity: [1 m/s, 0, 0]}}\n"
             "forces: {f: {type: load, b: m, force: [\"if(m.x > 5 m and m.x < 5.5 m, 1 N, 0 N)\", "
             "0, 0]}}\n"
             "measures: {v: {of: m.vx, take: final}}\n"
             "analysis: {duration: 10 s, start: %g s}\n",
             start[i]);
    RUN("zone from any start", "energy", text, {"v", sqrt(2), 1e-9});
  }
  RUN("state that switches a load", "closed form",
      "bodies: {m: {type: point_mass, mass: 1 kg, velocity: [1 m/s, 0, 0]}}\n"
      "states: {z: {rate: \"1 1/s * pulse(m.x, 5 m, 6 m)\", scale: 1}}\n"
      "forces: {f: {type: load, b: m, force: [\"1 N * (z > 0.5)\", 0, 0]}}\n"
      "measures: {v: {of: m.vx, take: final}}\n"
      "analysis: {duration: 10 s, stepper: bdf, max_step: 1e-3 s, rtol: 1e-11}\n",
      {"v", 5.5, 1e-7});
}

/* Loads over time between the points of interp; steps end at these points. */
static void test_points_of_interp(void **state) {
  (void)state;
  static const char text[] =
      "bodies: {m: {type: point_mass, mass: 1 kg, velocity: [1 m/s, 0, 0]}}\n"
      "states: {z: {rate: \"interp(%s, 1.31, 0, 1.35, 1, 1.39, 0) / (1 s)\", scale: 1}}\n"
      "sensors: {s: {value: \"interp(%s, 1, 0, 2, 1, 3, 0)\"}}\n"
      "forces: {f: {type: load, b: m, force: [0, \"1 N * interp(%s, 1.31, 0, 1.35, 1, 1.39, 0)\", "
      "\"1 N * s\"]}}\n"
      "measures: {z: {of: z, take: final}, v: {of: m.vy, take: final}, w: {of: m.vz, take: "
      "final}}\n"
      "analysis: {duration: 4 s, stepper: %s}\n";
  static const char *argument[] = {"t/(1 s)", "m.x/(1 m)"},
                    *stepper[] = {"auto", "bdf", "generalized_alpha", "trapezoidal"};
  for (int i = 0; i < 2; i++)
    for (int k = 0; k < 4; k++) {
      char full[2000];
      snprintf(full, sizeof full, text, argument[i], argument[i], argument[i], stepper[k]);
      RUN("points of interp", "closed form", full, {"z", 0.04, 1e-6}, {"v", 0.04, 1e-6},
          {"w", 1, 1e-6});
    }
}

/* Rates of states that switch with a velocity, or with terms that cancel, on a body held by a
 * joint: steps of any length cross the switches.  A rod rotates at 2.4 rad/s; the time it spends in
 * each band is known. */
static void test_rates_of_states(void **state) {
  (void)state;
  static const char *stepper[] = {"auto", "bdf", "generalized_alpha"};
  const double speed = 2.4, length = 1.6, tip = speed * length;
  double slow = acos(1.0 / tip) - acos(1.1 / tip), fast = acos(1.1 / tip) - acos(1.2 / tip);
  double apart = acos(-1.2 / (tip - length)) - acos(-1.0 / (tip - length));
  for (int k = 0; k < 3; k++) {
    char text[2000];
    snprintf(
        text, sizeof text,
        "bodies:\n"
        "  rod: {type: rod, length: 1.6 m, mass: 8 kg, position: [0.8 m, 0, 0], velocity: [0, "
        "1.92 m/s, 0], angular_velocity: [0, 0, 2.4 rad/s]}\n"
        "joints: {pin: {type: revolute, a: ground, b: rod, at: [0, 0, 0], axis: z}}\n"
        "states:\n"
        "  a: {rate: \"100 * max(0, 1 - abs(pin.angle - 3.85 rad)/(5 mrad)) / (1 s)\", scale: "
        "1}\n"
        "  b: {rate: \"if(rod.end.vy > 1 m/s, if(rod.end.vy < 1.1 m/s, 14, if(rod.end.vy < 1.2 "
        "m/s, -7, 0)), 0) / (1 s)\", scale: 1}\n"
        "  c: {rate: \"pulse(rod.end.x/(1 m) - rod.end.vy/(1 m/s), 1, 1.2) / (1 s)\", scale: "
        "1}\n"
        "measures: {a: {of: a, take: final}, b: {of: b, take: final}, c: {of: c, take: final}}\n"
        "analysis: {duration: 2.6 s, stepper: %s}\n",
        stepper[k]);
    RUN("rates of states on a turning rod", "closed form", text, {"a", 0.5 / speed, 1e-6},
        {"b", (28 * slow - 14 * fast) / speed, 1e-6}, {"c", 2 * apart / speed, 1e-6});
  }
}

/* Kinks that are only touched, or that have an infinite slope on one side, are not sliding modes;
 * the integration continues past them. */
static void test_kinks_that_are_touched(void **state) {
  (void)state;
  static const char text[] =
      "bodies: {m: {type: point_mass, mass: 1 kg, velocity: [1 m/s, 0, 0]}}\n"
      "sensors: {s: {value: \"%s\"}}\n"
      "states: {z: {rate: \"s / (1 s)\", scale: 1}}\n"
      "forces: {f: {type: load, b: m, force: [0, \"1 N * s\", \"1 N * %s\"]}}\n"
      "measures: {z: {of: z, take: final}, v: {of: m.vy, take: final}, w: {of: m.vz, take: "
      "final}}\n"
      "analysis: {duration: 10 s}\n";
  static const struct {
    const char *expr;
    double integral;
  } load[] = {
      {"min(1, exp(-((t - 5 s)/(1 ms))^2))", 1.7724538509e-3},
      {"min(1, exp(-((m.x - 5 m)/(1 mm))^2))", 1.7724538509e-3},
      {"cbrt((t - 5 s)/(1 s))", 0},
      {"cbrt((m.x - 5 m)/(1 m))", 0},
      /* A triangle wave: 22 half waves of pi/7 s, whose areas cancel in pairs, and the
       * remainder. */
      {"asin(sin(t * 7 rad/s)) / (1 rad)", 0.0559397908},
      {"asin(sin(m.x * 7 rad/m)) / (1 rad)", 0.0559397908},
  };
  for (int i = 0; i < (int)(sizeof load / sizeof *load); i++) {
    char full[1000];
    snprintf(full, sizeof full, text, load[i].expr, load[i].expr);
    RUN("kinks that are touched", "closed form", full, {"z", load[i].integral, 5e-6},
        {"v", load[i].integral, 5e-6}, {"w", load[i].integral, 5e-6});
  }
}

static void test_bump_of_a_road(void **state) {
  (void)state;
  static const char car[] =
      "bodies:\n"
      "  wheel: {type: point_mass, mass: 40 kg, velocity: [20 m/s, 0, 0]}\n"
      "  body: {type: point_mass, mass: 300 kg, position: [0, 0, 0.5 m], velocity: [20 m/s, 0, "
      "0]}\n"
      "forces:\n"
      "  spring: {type: load, b: body, force: [0, 0, \"20 kN/m * (wheel.z + 0.5 m - body.z) + 1.5 "
      "kN*s/m * (wheel.vz - body.vz)\"]}\n"
      "  react: {type: load, b: wheel, force: [0, 0, \"-20 kN/m * (wheel.z + 0.5 m - body.z) - 1.5 "
      "kN*s/m * (wheel.vz - body.vz)\"]}\n"
      "  tyre: {type: load, b: wheel, force: [0, 0, \"200 kN/m * (0.1 m * %s - wheel.z)\"]}\n"
      "measures: {jump: {of: body.z, take: max}, w: {of: wheel.z, take: max}}\n"
      "analysis: {duration: 5 s}\n";
  char text[2000];
  snprintf(text, sizeof text, car, "exp(-((wheel.x - 50 m)/(0.3 m))^2)");
  RUN("car over a smooth bump", "steps of 0.1 ms", text, {"jump", 0.5200289, 1e-6},
      {"w", 0.0974826, 1e-6});
  snprintf(text, sizeof text, car, "pulse(wheel.x, 50 m, 50.5 m)");
  RUN("car over a plank", "steps of 0.1 ms", text, {"jump", 0.5194045, 1e-6},
      {"w", 0.1053627, 1e-6});
}

/* ---- bumps of any width, place and shape: the work that they do is known ---- */

typedef struct shape {
  const char *text; /* as a function of the position x, with its centre or start c and its width w,
                     * all in m */
  double area;      /* over its width */
} shape;

static const shape SHAPE[] = {
    {"exp(-((m.x - %.9f m)/(%.9g m))^2)", 1.7724538509055159},
    {"pulse(m.x - %.9f m, 0 m, %.9g m)", 1},
    {"max(0, 1 - abs(m.x - %.9f m)/(%.9g m))", 1},
    {"step5(abs(m.x - %.9f m)/(%.9g m), 0, 1, 1, 0)", 1},
};
enum { SHAPES = sizeof SHAPE / sizeof *SHAPE, BUMPS = 60 };

static double any(double from, double to) { return from + (to - from) * rand() / RAND_MAX; }

static void test_random_bumps(void **state) {
  (void)state;
  static const char *const stepper[] = {"auto", "bdf", "adams", "generalized_alpha", "trapezoidal"};
  /* methods of high order and of second order */
  static const double limit[] = {1e-4, 1e-4, 1e-4, 1e-3, 1e-3};
  double worst[5] = {0};
  srand(11);
  for (int i = 0; i < BUMPS; i++) {
    const shape *k = &SHAPE[i % SHAPES];
    double v0 = any(0.8, 2), c = any(2, 7), w = pow(10, any(-4, -1));
    double gain = any(-0.3, 1) * v0 * v0 / 2, F = gain / (w * k->area);
    double exact = sqrt(v0 * v0 + 2 * gain);
    char bump[200], text[800];
    snprintf(bump, sizeof bump, k->text, c, w);
    snprintf(text, sizeof text,
             "bodies: {m: {type: point_mass, mass: 1 kg, velocity: [%.12g m/s, 0, 0]}}\n"
             "forces: {f: {type: load, b: m, force: [\"%.12g N * %s\", 0, 0]}}\n",
             v0, F, bump);
    for (int j = 0; j < 5; j++) {
      vf_case model;
      vf_text(&model, "%s", text);
      vf_start(&model, &(hk_sim_options){.stepper = stepper[j]});
      vf_advance(&model, 12);
      double error = fabs(vf_value(&model, "m.vx") - exact);
      if (!(error < limit[j]))
        fail_msg("%s by %s, v0 %g: %.9g instead of %.9g", bump, stepper[j], v0,
                 vf_value(&model, "m.vx"), exact);
      worst[j] = fmax(worst[j], error);
      vf_close(&model);
    }
  }
  for (int j = 0; j < 5; j++)
    vf_bound("along_steps", "bumps of 0.1 mm to 10 cm over 10 m, worst speed [m/s]", stepper[j],
             worst[j], limit[j], "energy");
}

/* The state is extrapolated across a switch with constant accelerations. Bodies that joints or
 * motions guide then have another velocity than prescribed, which the next step must not take for
 * its own error. */
static void test_switch_on_a_driven_body(void **state) {
  (void)state;
  double each = (asin(0.9) - asin(0.5)) / 12.5; /* 20 passages in 5 s */
  RUN("zone in the way of a shaken mass", "closed form",
      "bodies:\n"
      "  r: {type: rotor, inertia: 0.5 kg*m^2, rate: 5 rad/s}\n"
      "  m: {type: point_mass, mass: 1 kg, velocity: [3.75 m/s, 0, 0]}\n"
      "joints: {g: {type: point_on_line, b: m, at: [0, 0, 0], axis: x}}\n"
      "motions: {d: {coordinate: g.displacement, value: \"0.3 m * sin(12.5 rad/s * t)\"}}\n"
      "forces: {f: {type: actuator, coordinate: r.angle, force: \"3 N*m * pulse(m.x, -0.27 m, "
      "-0.15 m)\"}}\n"
      "measures: {w: {of: r.angle_rate, take: final}}\n"
      "analysis: {duration: 5 s}\n",
      {"w", 5 + 3 / 0.5 * 20 * each, 1e-7});
}

/* A profile that repeats every metre, by a remainder: its argument jumps over all points. */
static void test_table_over_a_remainder(void **state) {
  (void)state;
  double per_metre = 3 * (0.1 + 0.05); /* [J] */
  RUN("table over a remainder", "energy after 15 m",
      "tables: {profile: {points: [[0, 0], [0.4, 0], [0.5, 1], [0.6, 0], [0.7, 0.5], [0.8, 0], "
      "[1, 0]], extrapolation: constant}}\n"
      "bodies: {m: {type: point_mass, mass: 1 kg, velocity: [2 m/s, 0, 0]}}\n"
      "forces: {f: {type: load, b: m, force: [\"3 N * profile(mod(m.x/(1 m), 1))\", 0, 0]}}\n"
      "measures: {v: {of: m.vx, take: final}}\n"
      "analysis: {duration: 4.95 s}\n",
      {"v", sqrt(4 + 2 * 15 * per_metre), 1e-6});
}

/* ---- what measures see ---- */

static void test_sensors_between_steps(void **state) {
  (void)state;
  RUN("sensor over an angle that turns 3000 rad", "closed form",
      "bodies: {r: {type: rotor, inertia: 1 kg*m^2, rate: 300 rad/s}}\n"
      "sensors: {u: {value: 1 + 0.5*cos(3*r.angle)}, c: {value: cos(r.angle)}}\n"
      "measures: {o3: {of: u, take: order, order: 3, over: r.angle}, mean: {of: u, take: mean},\n"
      "  rms: {of: u, take: rms}, most: {of: u, take: max}, n: {of: c, take: events, crossing: "
      "rising}}\n"
      "analysis: {duration: 10 s}\n",
      {"o3", 0.5, 1e-5}, {"mean", 1 + 0.5 * sin(9000) / 9000, 1e-5},
      {"rms", sqrt(1.125 + sin(9000) / 9000 + sin(18000) / 144000), 1e-5}, {"most", 1.5, 1e-5},
      {"n", 477, 0});
  RUN("pulse and bump of a sensor", "closed form",
      "bodies: {m: {type: point_mass, mass: 1 kg, velocity: [1 m/s, 0, 0]}}\n"
      "sensors: {s: {value: \"pulse(m.x, 5 m, 5.01 m)\"}, q: {value: \"exp(-((t - 5.3 s)/(10 "
      "ms))^2)\"}}\n"
      "measures: {s: {of: s, take: integral}, sm: {of: s, take: max}, q: {of: q, take: integral}, "
      "qm: {of: q, take: max}}\n"
      "analysis: {duration: 10 s}\n",
      {"s", 0.01, 1e-9}, {"sm", 1, 0}, {"q", 0.01 * 1.7724538509055159, 1e-7}, {"qm", 1, 1e-6});
  /* The jumps of the remainder itself must not use up the search. */
  RUN("pulse once per turn", "closed form",
      "bodies: {r: {type: rotor, inertia: 1 kg*m^2, rate: 7.58 rad/s}}\n"
      "sensors: {s: {value: \"pulse(mod(r.angle/(1 rad), 2*pi), 2.06, 2.11)\"}}\n"
      "measures: {s: {of: s, take: integral}, n: {of: s, take: events, level: 0.5, crossing: "
      "rising}}\n"
      "analysis: {duration: 5 s}\n",
      {"s", 6 * 0.05 / 7.58, 1e-6}, {"n", 6, 0});
  double top = 19.8; /* d/dt of t cos(w t) vanishes there */
  for (int i = 0; i < 50; i++) top = (atan(1 / (26.7 * top)) + 2 * M_PI * 84) / 26.7;
  RUN("largest of many crests that grow", "closed form",
      "bodies:\n"
      "  r: {type: rotor, inertia: 1 kg*m^2, rate: 26.7 rad/s}\n"
      "  m: {type: point_mass, mass: 1 kg, velocity: [0.3 m/s, 0, 0]}\n"
      "sensors: {s: {value: m.x*cos(r.angle)}}\n"
      "measures: {s: {of: s, take: max}}\n"
      "analysis: {duration: 19.9 s}\n",
      {"s", 0.3 * top * cos(26.7 * top), 1e-6});
  /* The switch at 4.43 m/s follows a long step, so that the state is extrapolated to it over a long
   * time. */
  double zone = 0.036 / 6.9, impulse = 1.5 + 6.6 * zone;
  RUN("time in a zone of speed with another force", "closed form",
      "bodies: {m: {type: point_mass, mass: 1 kg, velocity: [3.8 m/s, 0, 0]}}\n"
      "sensors: {s: {value: \"if(m.vx > 4.43 m/s and m.vx < 4.466 m/s, 1, 0)\"}}\n"
      "forces: {f: {type: load, b: m, force: [0.3 N + s * (6.6 N), 0, 0]}}\n"
      "measures: {s: {of: s, take: integral}, f: {of: f.fx, take: integral}, v: {of: m.vx, take: "
      "change}}\n"
      "analysis: {duration: 5 s}\n",
      {"s", zone, 1e-9}, {"f", impulse, 1e-8}, {"v", impulse, 1e-9});
  RUN("order 20 of a driven shaft", "closed form",
      "bodies: {r: {type: cylinder, length: 0.1 m, radius: 0.1 m, mass: 1 kg, markers: {tip: [0.1 "
      "m, 0, 0]}}}\n"
      "joints: {h: {type: revolute, b: r, at: [0, 0, 0], axis: z}}\n"
      "motions: {d: {coordinate: h.angle, value: 100 rad/s * t}}\n"
      "sensors: {c: {value: cos(20*h.angle)}}\n"
      "measures: {o20: {of: c, take: order, order: 20, over: h.angle}, rms: {of: c, take: rms}}\n"
      "analysis: {duration: 3 s}\n",
      {"o20", 1, 2e-4}, {"rms", sqrt(0.5 + sin(12000) / 48000 / 2), 1e-4});
}

/* The error of a value between two steps is that of the steps. The reference is a Taylor series of Euler's equations,
 * 4.658200227566748747; an error of rtol of the initial rates grows to 1.4e-7 (growth 97 of 1e-10 of 14.7 rad/s). */
static void test_value_between_steps(void **state) {
  (void)state;
  RUN("racket at a time between steps", "Taylor series of order 24, 40 digits",
      "bodies: {racket: {mass: 300 g, inertia: [1.3e-3 kg*m^2, 1.5e-2 kg*m^2, 1.62e-2 kg*m^2],\n"
      "  angular_velocity: [0.5 rad/s, 14 rad/s, 0]}}\n"
      "measures: {spin_x: {of: racket.wx, take: at, at: 0.37 s}}\n"
      "analysis: {duration: 0.9 s}\n",
      {"spin_x", 4.65820022757, 4.66e-8});
}

/* ---- motions that an expression cannot hold ---- */

static void check_sliding(const char *text) {
  vf_case c;
  hk_run_report report;
  vf_text(&c, "%s", text);
  assert_true(hk_run(c.model, &(hk_run_options){0}, &report, &c.diag) < 0);
  assert_non_null(strstr(report.error.text, "switches back and forth"));
  assert_true(report.stats.steps < 1000);
  hk_run_report_free(&report);
  vf_close(&c);
}

static void test_sliding_modes(void **state) {
  (void)state;
  check_sliding(
      "bodies: {m: {type: point_mass, mass: 1 kg, position: [1 m, 0, 0]}}\n"
      "forces: {f: {type: load, b: m, force: [\"-5 N * sign(m.x + 0.5 s * m.vx)\", 0, 0]}}\n"
      "analysis: {duration: 5 s}\n");
  check_sliding(
      "bodies: {m: {type: point_mass, mass: 1 kg, velocity: [1 m/s, 0, 0]}}\n"
      "forces: {f: {type: load, b: m, force: [\"-2 N * sign(m.vx)\", 0, 0]}}\n"
      "analysis: {duration: 2 s}\n");
}

/* ---- switches that the path of a step produces ---- */

/* A stiff spring follows a cam whose height grows exponentially from nothing. Between the ends of a long step the path
 * of the body crosses the cam, at a place that moves with the end of the step. The reference is Dormand's and Prince's
 * method with steps of 0.1 ms. */
static void test_cam_that_grows_exponentially(void **state) {
  (void)state;
  static const char *const stepper[] = {"multistep", "bdf", "adams"};
  for (int k = 0; k < 3; k++)
    for (int digits = 8; digits <= 12; digits++) {
      vf_case c;
      hk_run_report report;
      hk_sim_options sim = {.stepper = stepper[k], .rtol = pow(10, -digits)};
      char quantity[60];
      vf_text(&c,
              "bodies: {r: {type: rotor, inertia: 1 kg*m^2}, m: {type: point_mass, mass: 0.5 kg}}\n"
              "motions: {d: {coordinate: r.angle, value: \"6.468881301344468 rad/s * t\"}}\n"
              "forces: {f: {type: load, b: m, force: [\"66110.09839105376 N/m * max(0 m, "
              "0.018471029622323103 m * exp(-((mod(r.angle, 2*pi*1 rad) - pi*1 rad)\n"
              "  /(0.17040783833994863 rad))^2) - m.x) - 174.17221590432808 N/m * m.x"
              " - 2 N*s/m * m.vx\", 0, 0]}}\n"
              "measures: {v: {of: m.vx, take: final}}\n"
              "analysis: {duration: 1.7522476263581355 s}\n");
      hk_status status = hk_run(c.model, &(hk_run_options){.sim = &sim}, &report, &c.diag);
      if (status) print_message("%s\n", report.error.text);
      assert_int_equal(status, HK_OK);
      snprintf(quantity, sizeof quantity, "velocity, %s, rtol 1e-%02d", stepper[k], digits);
      vf_check("along_steps", "cam that grows exponentially", quantity, report.measure[0].value,
               -0.5761792156, 2e-6 + 1e4 * sim.rtol, "Dormand and Prince");
      hk_run_report_free(&report);
      vf_close(&c);
    }
}

/* Peaks of 4 ms that depend on the velocity, added to the force of a spring: 0.2 and 0.04 % of this force. The change of
 * the spring's force within a step must not hide them at any tolerance, also if the sum is a sensor that the load
 * reads. */
static void test_peaks_on_a_spring(void **state) {
  (void)state;
  static const struct {
    const char *peak; /* [N] */
    double x, v;      /* Runge-Kutta of Dormand and Prince, steps of at most 0.1 ms */
  } known[] = {{"0.0202896420337", -0.143392070, -4.363449818},
               {"0.004", -0.143229048, -4.362932653}};
  for (int i = 0; i < 4; i++)
    for (int digits = 9; digits <= 12; digits++) {
      bool by_sensor = i > 1;
      vf_case c;
      hk_run_report report;
      const hk_sim_options sim = {.rtol = pow(10, -digits)};
      vf_text(
          &c,
          "bodies: {m: {type: point_mass, mass: 0.389531128457 kg, position: [0.493777986778 m, "
          "0, 0], velocity: [3.6173399813 m/s, 0, 0]}}\n"
          "%s\"%s(-10.3768459386 N/m*m.x - %s N*exp(-((sin("
          "(1.91199993027 rad*s/m) * m.vx) + 0.194717118547)/0.0920637763225)^4))\"%s\n"
          "measures: {x: {of: m.x, take: final}, v: {of: m.vx, take: final}}\n"
          "analysis: {duration: 20 s}\n",
          by_sensor ? "sensors: {s: {value: " : "forces: {f: {type: load, b: m, force: [",
          by_sensor ? "-0.5*" : "", known[i % 2].peak,
          by_sensor ? "}}\nforces: {f: {type: load, b: m, force: [\"-2*s + m.x * 0 N/m\", 0, 0]}}"
                    : ", 0, 0]}}");
      assert_int_equal(hk_run(c.model, &(hk_run_options){.sim = &sim}, &report, &c.diag), HK_OK);
      double x = report.measure[0].value - known[i % 2].x,
             v = report.measure[1].value - known[i % 2].v;
      print_message("peak %s N, rtol 1e-%02d: errors %.1e m, %.1e m/s\n", known[i % 2].peak, digits,
                    x, v);
      double limit = digits < 11 ? 4e-5 : 1e-6; /* without the search: 5e-4 at each tolerance */
      assert_true(fabs(x) < limit && fabs(v) < limit);
      hk_run_report_free(&report);
      vf_close(&c);
    }
}

/* A sensor that appears in many sums is replaced by its terms once: here the last sensor is 1.5^40 times the first one,
 * by 2^40 ways. */
static void test_sensors_of_sensors(void **state) {
  (void)state;
  enum { LEVELS = 40 };
  char text[4000];
  int n = snprintf(text, sizeof text,
                   "bodies: {m: {type: point_mass, mass: 1 kg, velocity: [1 m/s, 0, 0]}}\n"
                   "sensors:\n"
                   "  energy: {value: \"0.5 kg*m.vx^2 + 0.5*(0.01 N/m)*m.x^2\"}\n"
                   "  s0: {value: \"exp(-((m.x - 5 m)/(10 mm))^2)\"}\n");
  for (int i = 1; i <= LEVELS; i++)
    n += snprintf(text + n, sizeof text - (size_t)n, "  s%d: {value: \"s%d + 0.5*s%d\"}\n", i,
                  i - 1, i - 1);
  snprintf(text + n, sizeof text - (size_t)n,
           "forces: {f: {type: load, b: m, force: [\"-0.01 N/m*m.x + %.17g N*s%d\", 0, 0]}}\n"
           "measures: {e: {of: energy, take: final}}\n"
           "analysis: {duration: 8 s}\n",
           10 / pow(1.5, LEVELS), LEVELS);
  RUN("bump by sensors of sensors", "energy", text, {"e", 0.5 + 0.1 * sqrt(M_PI), 1e-7});
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_peaks_on_a_spring),
      cmocka_unit_test(test_peaks_on_a_trend),
      cmocka_unit_test(test_cam_that_grows_exponentially),
      cmocka_unit_test(test_chain_far_from_the_origin),
      cmocka_unit_test(test_loads_in_a_place),
      cmocka_unit_test(test_switches_at_any_time),
      cmocka_unit_test(test_points_of_interp),
      cmocka_unit_test(test_rates_of_states),
      cmocka_unit_test(test_kinks_that_are_touched),
      cmocka_unit_test(test_bump_of_a_road),
      cmocka_unit_test(test_random_bumps),
      cmocka_unit_test(test_switch_on_a_driven_body),
      cmocka_unit_test(test_table_over_a_remainder),
      cmocka_unit_test(test_sensors_between_steps),
      cmocka_unit_test(test_sensors_of_sensors),
      cmocka_unit_test(test_value_between_steps),
      cmocka_unit_test(test_sliding_modes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
