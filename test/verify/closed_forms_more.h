/* More models with closed-form solutions: flight, impacts, loads as functions of time and position,
 * states, tables, sensors, and integrators with fixed steps.  See closed_forms.h. */
#ifndef CLOSED_FORMS_MORE_H
#define CLOSED_FORMS_MORE_H
#include "verify/closed_forms.h"

/* ---- flight ---- */

static inline void cf_throw(closed_form *k) {
  double v = cf_between(k, 3, 40), u = cf_between(k, 1, 20), g = 9.81, T = 2.5 * v / g;
  double c = cf_between(k, 0.05, 2);
  cf_say(k,
         "bodies:\n  a: {type: point_mass, mass: 1 kg, velocity: [%.17g m/s, 0, %.17g m/s]}\n"
         "  b: {type: point_mass, mass: 1 kg, velocity: [%.17g m/s, 0, %.17g m/s]}\n"
         "forces:\n  g: {type: gravity, acceleration: [0, 0, -9.81 m/s^2]}\n"
         "  d: {type: load, b: b, force: [\"-%.17g N*s/m * b.vx\", 0, \"-%.17g N*s/m * b.vz\"]}\n"
         "measures:\n  top: {of: a.z, take: max}\n  down: {of: a.z, take: event_time, crossing: "
         "falling}\n"
         "  mean: {of: a.z, take: mean}\n  x: {of: b.x, take: final}\n  z: {of: b.z, take: final}\n"
         "  top_b: {of: b.z, take: max}\n"
         "analysis: {duration: %.17g s, stepper: %s}\n",
         u, v, u, v, c, c, T, cf_stepper(k));
  double fall = g / c, e = exp(-c * T), top = log(1 + v / fall) / c;
  cf_want(k, "top", v * v / 2 / g);
  cf_want(k, "down", 2 * v / g);
  cf_want(k, "mean", v * T / 2 - g * T * T / 6);
  cf_want(k, "x", u * (1 - e) / c);
  cf_want(k, "z", (v + fall) * (1 - e) / c - fall * T);
  if (top < T) cf_want(k, "top_b", (v + fall) * (1 - exp(-c * top)) / c - fall * top);
}

/* Fall with drag proportional to the square of the speed. */
static inline void cf_square_drag(closed_form *k) {
  double c = cf_between(k, 0.01, 2), g = 9.81, T = cf_between(k, 1, 10), last = sqrt(g / c);
  cf_say(k,
         "bodies: {m: {type: point_mass, mass: 1 kg}}\n"
         "forces:\n  g: {type: gravity, acceleration: [0, 0, -9.81 m/s^2]}\n"
         "  d: {type: load, b: m, force: [0, 0, \"-%.17g N*s^2/m^2 * m.vz*abs(m.vz)\"]}\n"
         "measures: {z: {of: m.z, take: final}, v: {of: m.vz, take: min}}\n"
         "analysis: {duration: %.17g s, stepper: %s}\n",
         c, T, cf_stepper(k));
  cf_want(k, "z", -log(cosh(sqrt(g * c) * T)) / c);
  cf_want(k, "v", -last * tanh(sqrt(g * c) * T));
}

/* Kepler's ellipse from its apocentre. */
static inline void cf_orbit(closed_form *k) {
  double e = cf_between(k, 0, 0.8), mu = cf_between(k, 0.5, 5), a = 1, far = a * (1 + e);
  double n = sqrt(mu / (a * a * a)), T = cf_between(k, 0.4, 3) * 2 * M_PI / n;
  double v = sqrt(mu * (2 / far - 1 / a)), M = n * T + M_PI, E = M;
  for (int i = 0; i < 100; i++) E -= (E - e * sin(E) - M) / (1 - e * cos(E));
  cf_say(k,
         "bodies: {m: {type: point_mass, mass: 1 kg, position: [%.17g m, 0, 0], velocity: [0, "
         "%.17g m/s, 0]}}\n"
         "forces: {f: {type: load, b: m, force: [\"-%.17g N*m^2 * m.x/hypot(m.x, m.y)^3\", \n"
         "    \"-%.17g N*m^2 * m.y/hypot(m.x, m.y)^3\", 0]}}\n"
         "measures: {x: {of: m.x, take: final}, y: {of: m.y, take: final}, low: {of: m.x, take: "
         "min},\n"
         "  half: {of: m.y, take: event_time}}\n"
         "analysis: {duration: %.17g s, stepper: %s}\n",
         far, v, mu, mu, T, cf_stepper(k));
  cf_want(k, "x", -a * (cos(E) - e));
  cf_want(k, "y", -a * sqrt(1 - e * e) * sin(E));
  if (n * T > M_PI) cf_want(k, "low", -a * (1 - e)), cf_want(k, "half", M_PI / n);
}

/* A charge in a magnetic field. */
static inline void cf_circle(closed_form *k) {
  double w = cf_between(k, 0.5, 30), v = cf_between(k, 0.5, 5), T = cf_between(k, 2, 10);
  cf_say(k,
         "bodies: {m: {type: point_mass, mass: 1 kg, velocity: [%.17g m/s, 0, 0]}}\n"
         "forces: {f: {type: load, b: m, force: [\"%.17g N*s/m * m.vy\", \"-%.17g N*s/m * m.vx\", "
         "0]}}\n"
         "measures: {x: {of: m.x, take: final}, y: {of: m.y, take: min}, mean: {of: m.y, take: "
         "mean}}\n"
         "analysis: {duration: %.17g s, stepper: %s}\n",
         v, w, w, T, cf_stepper(k));
  cf_want(k, "x", v / w * sin(w * T));
  if (w * T > M_PI) cf_want(k, "y", -2 * v / w);
  cf_want(k, "mean", -v / w * (1 - sin(w * T) / (w * T)));
}

/* ---- impacts ---- */

/* A ball dropped from h onto a rigid floor: height at the end, times and number of bounces. */
static inline void cf_bounces(closed_form *k) {
  static const char *const stepper[] = {"auto", "event_driven", "nonsmooth_alpha"};
  double h = cf_between(k, 0.3, 3), e = cf_between(k, 0.5, 0.95), g = 9.81, fall = sqrt(2 * h / g);
  int n = cf_whole(k, 1, 4), bounce = 1;
  double T = fall, v = g * fall * e, at = fall;
  for (int i = 1; i < n; i++) T += 2 * v / g, at = T, v *= e;
  bounce = n;
  T += 2 * v / g * cf_between(k, 0.2, 0.8);
  cf_say(k,
         "bodies: {b: {type: sphere, radius: 1 cm, mass: 30 g, position: [0, 0, %.17g m]}}\n"
         "forces: {g: {type: gravity, acceleration: [0, 0, -9.81 m/s^2]}}\n"
         "laws: {r: {type: signorini, restitution_normal: %.17g}}\n"
         "contacts: {c: {type: sphere_on_plane, a: ground, b: b, law: r, radius: 1 cm}}\n"
         "measures: {z: {of: b.z, take: final}, v: {of: b.vz, take: final}, n: {of: c.impacts, "
         "take: events},\n"
         "  when: {of: c.impacts, take: event_time, n: %d}}\n"
         "analysis: {duration: %.17g s, stepper: %s}\n",
         h + 0.01, e, bounce, T, stepper[cf_whole(k, 0, 2)]);
  double since = T - at;
  cf_want(k, "z", 0.01 + v * since - g * since * since / 2);
  cf_want(k, "v", v - g * since);
  cf_want(k, "n", n);
  cf_want(k, "when", at);
}

/* A mass that slides to rest on a rigid plane. */
static inline void cf_slide(closed_form *k) {
  static const char *const stepper[] = {"auto", "event_driven", "nonsmooth_alpha"};
  double v = cf_between(k, 0.5, 5), mu = cf_between(k, 0.1, 0.8), g = 9.81, stop = v / (mu * g);
  double T = stop * cf_between(k, 1.2, 2);
  cf_say(k,
         "bodies: {m: {type: point_mass, mass: 1 kg, velocity: [%.17g m/s, 0, 0]}}\n"
         "forces: {g: {type: gravity, acceleration: [0, 0, -9.81 m/s^2]}}\n"
         "laws: {r: {type: signorini, mu: %.17g}}\n"
         "contacts: {c: {type: point_on_plane, a: ground, b: m, law: r}}\n"
         "measures: {x: {of: m.x, take: final}, at: {of: m.vx, take: at, at: %.17g s}}\n"
         "analysis: {duration: %.17g s, stepper: %s}\n",
         v, mu, 0.5 * stop, T, stepper[cf_whole(k, 0, 2)]);
  cf_want(k, "x", v * v / (2 * mu * g));
  cf_want(k, "at", 0.5 * v);
}

/* A ball between two compliant walls, each a linear spring: free flight and half sine waves. */
static inline void cf_soft_walls(closed_form *k) {
  double v = cf_between(k, 0.5, 3), m = 0.1, K = cf_between(k, 1e3, 1e6), gap = 0.1;
  double w = sqrt(K / m), lap = 2 * (2 * gap / v + M_PI / w), T = lap * cf_between(k, 1, 5);
  double t = fmod(T + gap / v, lap), flight = 2 * gap / v, x; /* from the left wall, moving right */
  if (t < flight)
    x = -gap + v * t;
  else if (t < lap / 2)
    x = gap + v / w * sin(w * (t - flight));
  else if (t < lap / 2 + flight)
    x = gap - v * (t - lap / 2);
  else
    x = -gap - v / w * sin(w * (t - lap / 2 - flight));
  cf_say(k,
         "bodies:\n  ground: {markers: {l: {at: [%.17g m, 0, 0], orientation: {axis: y, angle: 90 "
         "deg}},\n"
         "    r: {at: [%.17g m, 0, 0], orientation: {axis: y, angle: -90 deg}}}}\n"
         "  b: {type: sphere, radius: 1 cm, mass: %.17g kg, velocity: [%.17g m/s, 0, 0]}\n"
         "laws: {s: {type: hertz, exponent: 1, reference_force: %.17g N, reference_depth: 1 mm}}\n"
         "contacts: {l: {type: sphere_on_plane, a: ground.l, b: b, law: s, radius: 1 cm},\n"
         "  r: {type: sphere_on_plane, a: ground.r, b: b, law: s, radius: 1 cm}}\n"
         "measures: {x: {of: b.x, take: final}, far: {of: b.x, take: max}, f: {of: r.normal_force, "
         "take: max}}\n"
         "analysis: {duration: %.17g s}\n",
         -gap - 0.01, gap + 0.01, m, v, 1e-3 * K, T);
  cf_want(k, "x", x);
  cf_want(k, "far", gap + v / w);
  cf_want(k, "f", v * sqrt(K * m));
}

/* ---- loads over time and place ---- */

static inline void cf_pulses(closed_form *k) {
  double a = cf_between(k, 0.5, 3), b = a + cf_between(k, 0.001, 1), T = 5,
         F = cf_between(k, 1, 50);
  double c = cf_between(k, 3.2, 4), s = cf_between(k, 0.01, 0.2), G = cf_between(k, 1, 50);
  cf_say(
      k,
      "bodies: {m: {type: point_mass, mass: 2 kg}, n: {type: point_mass, mass: 2 kg}}\n"
      "forces:\n  f: {type: load, b: m, force: [\"%.17g N * pulse(t, %.17g s, %.17g s)\", 0, 0]}\n"
      "  g: {type: load, b: n, force: [\"%.17g N * exp(-((t - %.17g s)/(%.17g s))^2)\", 0, 0]}\n"
      "measures: {v: {of: m.vx, take: final}, x: {of: m.x, take: final}, u: {of: n.vx, take: "
      "final}}\n"
      "analysis: {duration: %.17g s, stepper: %s}\n",
      F, a, b, G, c, s, T, cf_stepper(k));
  cf_want(k, "v", F / 2 * (b - a));
  cf_want(k, "x", F / 2 * (b - a) * (T - 0.5 * (a + b)));
  cf_want(k, "u", G / 2 * s * sqrt(M_PI) / 2 * (erf(c / s) + erf((T - c) / s)));
}

static inline void cf_zone(closed_form *k) {
  double v = cf_between(k, 0.5, 5), a = cf_between(k, 1, 4), w = cf_between(k, 0.01, 2);
  double W = cf_between(k, 0.1, 1) * v * v, T = 8 / v, u = sqrt(v * v + 2 * W);
  cf_say(
      k,
      "bodies: {m: {type: point_mass, mass: 1 kg, velocity: [%.17g m/s, 0, 0]}}\n"
      "forces: {f: {type: load, b: m, force: [\"%.17g N * pulse(m.x, %.17g m, %.17g m)\", 0, 0]}}\n"
      "measures: {v: {of: m.vx, take: final}, x: {of: m.x, take: final}, in: {of: m.x, take: "
      "event_time, level: %.17g m}}\n"
      "analysis: {duration: %.17g s, stepper: %s}\n",
      v, W / w, a, a + w, a + w, T, cf_stepper(k));
  double through = w / (0.5 * (u + v));
  cf_want(k, "v", u);
  cf_want(k, "x", a + w + u * (T - a / v - through));
  cf_want(k, "in", a / v + through);
}

/* A force by linear interpolation between points: exact sums of trapezia. */
static inline void cf_table(closed_form *k) {
  double y[6], v = 0, x = 0, top = -INFINITY;
  cf_say(k, "tables: {f: {points: [");
  for (int i = 0; i < 6; i++) {
    y[i] = cf_between(k, -5, 5);
    cf_say(k, "%s[%d s, %.17g N]", i ? ", " : "", i, y[i]);
    if (i) x += v + y[i - 1] / 2 + (y[i] - y[i - 1]) / 6, v += 0.5 * (y[i - 1] + y[i]);
    top = fmax(top, y[i]);
  }
  cf_say(k,
         "]}}\nbodies: {m: {type: point_mass, mass: 1 kg}}\n"
         "forces: {l: {type: load, b: m, force: [f(t), 0, 0]}}\n"
         "sensors: {s: {value: f(t)}}\n"
         "measures: {v: {of: m.vx, take: final}, x: {of: m.x, take: final}, top: {of: s, take: "
         "max}, mean: {of: s, take: mean}}\n"
         "analysis: {duration: 5 s, stepper: %s}\n",
         cf_stepper(k));
  cf_want(k, "v", v);
  cf_want(k, "x", x);
  cf_want(k, "top", top);
  cf_want(k, "mean", v / 5);
}

/* ---- states ---- */

static inline void cf_states(closed_form *k) {
  double lag = cf_between(k, 0.01, 2), q = cf_between(k, 0.5, 20), T = cf_between(k, 2, 8);
  double w = cf_between(k, 0.5, 10), z = 1 / (1 + q * q * lag * lag);
  cf_say(k,
         "states:\n  z: {rate: \"(sin(%.17g rad/s * t) - z)/%.17g s\", scale: 1}\n"
         "  p: {start: 1, rate: \"%.17g 1/s * r\"}\n  r: {rate: \"-%.17g 1/s * p\", scale: 1}\n"
         "bodies: {m: {type: point_mass, mass: 1 kg}}\n"
         "forces: {f: {type: load, b: m, force: [\"1 N * p\", 0, 0]}}\n"
         "measures: {z: {of: z, take: final}, p: {of: p, take: final}, x: {of: m.x, take: final}, "
         "rms: {of: r, take: rms}}\n"
         "analysis: {duration: %.17g s, stepper: %s}\n",
         q, lag, w, w, T, cf_stepper_of_states(k));
  cf_want(k, "z", z * (sin(q * T) - q * lag * cos(q * T) + q * lag * exp(-T / lag)));
  cf_want(k, "p", cos(w * T));
  cf_want(k, "x", (1 - cos(w * T)) / (w * w));
  cf_want(k, "rms", sqrt(0.5 - sin(2 * w * T) / (4 * w * T)));
}

/* ---- sensors ---- */

static inline void cf_sensors(closed_form *k) {
  double v = cf_between(k, 0.5, 3), q = cf_between(k, 5, 120), T = 10, at = cf_between(k, 2, 7) * v;
  double w = cf_between(k, 0.005, 0.5) * v;
  cf_say(k,
         "bodies: {m: {type: point_mass, mass: 1 kg, velocity: [%.17g m/s, 0, 0]}}\n"
         "sensors:\n  s: {value: \"sin(%.17g rad/m * m.x)\"}\n  p: {value: \"exp(-((m.x - %.17g "
         "m)/(%.17g m))^2)\"}\n"
         "measures: {n: {of: s, take: events}, top: {of: s, take: max}, rms: {of: s, take: rms}, "
         "p: {of: p, take: max},\n"
         "  area: {of: p, take: integral}, when: {of: s, take: event_time, n: 3}}\n"
         "analysis: {duration: %.17g s}\n",
         v, q, at, w, T);
  cf_want(k, "n", floor(q * v * T / M_PI));
  cf_want(k, "top", 1);
  cf_want(k, "rms", sqrt(0.5 - sin(2 * q * v * T) / (4 * q * v * T)));
  cf_want(k, "p", 1);
  cf_want(k, "area", w / v * sqrt(M_PI) / 2 * (erf(at / w) + erf((v * T - at) / w)));
  cf_want(k, "when", 3 * M_PI / (q * v));
}

/* ---- steps of a fixed length ---- */

static inline void cf_fixed(closed_form *k) {
  static const char *const stepper[] = {"generalized_alpha", "trapezoidal", "moreau"};
  double w = cf_between(k, 0.5, 8), a = cf_between(k, 0.1, 0.5), T = cf_between(k, 2, 6);
  cf_say(k,
         "bodies: {m: {type: point_mass, mass: 1 kg, position: [%.17g m, 0, 0]}}\n"
         "forces: {k: {type: spring_damper, b: m, stiffness: %.17g N/m, length: 1 m}}\n"
         "measures: {x: {of: m.x, take: final}, v: {of: m.vx, take: final}, mean: {of: m.x, take: "
         "mean},\n"
         "  max: {of: m.vx, take: max}, when: {of: m.x, take: event_time, level: 1 m}}\n"
         "analysis: {duration: %.17g s, stepper: %s, step: %.17g s}\n",
         1 + a, w * w, T, stepper[cf_whole(k, 0, 2)], 0.05 / w);
  cf_want(k, "x", 1 + a * cos(w * T));
  cf_want(k, "v", -a * w * sin(w * T));
  cf_want(k, "mean", 1 + a * sin(w * T) / (w * T));
  if (w * T > 2 * M_PI) cf_want(k, "max", a * w);
  if (w * T > M_PI / 2) cf_want(k, "when", M_PI / 2 / w);
}

static inline void cf_fixed_bounce(closed_form *k) {
  double h = cf_between(k, 0.3, 2), e = cf_between(k, 0.6, 0.9), fall = sqrt(2 * h / 9.81);
  double v = e * 9.81 * fall, since = 2 * v / 9.81 * cf_between(k, 0.2, 0.8);
  cf_say(k,
         "bodies: {b: {type: sphere, radius: 1 cm, mass: 30 g, position: [0, 0, %.17g m]}}\n"
         "forces: {g: {type: gravity, acceleration: [0, 0, -9.81 m/s^2]}}\n"
         "laws: {r: {type: signorini, restitution_normal: %.17g}}\n"
         "contacts: {c: {type: sphere_on_plane, a: ground, b: b, law: r, radius: 1 cm}}\n"
         "measures: {z: {of: b.z, take: final}, v: {of: b.vz, take: final}, top: {of: b.z, take: "
         "max, from: %.17g s}}\n"
         "analysis: {duration: %.17g s, stepper: moreau, step: %.17g s}\n",
         h + 0.01, e, fall + 1e-2, fall + since, cf_between(k, 1e-4, 2e-3));
  cf_want(k, "z", 0.01 + v * since - 9.81 * since * since / 2);
  cf_want(k, "v", v - 9.81 * since);
  if (since > v / 9.81) cf_want(k, "top", 0.01 + v * v / 2 / 9.81);
}

static closed_form_fn *const cf_family[] = {
    cf_spring,   cf_damped,       cf_forced,        cf_duffing,       cf_chain,
    cf_pendulum, cf_rod_pendulum, cf_symmetric_top, cf_geared_rotors, cf_orders,
    cf_wheel,    cf_throw,        cf_square_drag,   cf_orbit,         cf_circle,
    cf_bounces,  cf_slide,        cf_soft_walls,    cf_pulses,        cf_zone,
    cf_table,    cf_states,       cf_sensors,       cf_fixed,         cf_fixed_bounce};
static const char *const cf_name[] = {
    "spring", "damped",  "forced", "duffing",     "chain",  "pendulum",    "rod pendulum",
    "top",    "rotors",  "orders", "wheel",       "throw",  "square drag", "orbit",
    "circle", "bounces", "slide",  "soft walls",  "pulses", "zone",        "table",
    "states", "sensors", "fixed",  "fixed bounce"};
enum { CF_FAMILIES = sizeof cf_family / sizeof *cf_family };
#endif
