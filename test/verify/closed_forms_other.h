/* Models with closed-form solutions of families on which no constant of the error estimate was determined: stiff Hertzian
 * impacts, dry friction with a spring, a room with floor and ceiling, a driven crank, orders at uneven speed, and
 * coupled masses.  See closed_forms.h. */
#ifndef CLOSED_FORMS_OTHER_H
#define CLOSED_FORMS_OTHER_H
#include "verify/closed_forms.h"

/* Duration of an impact of greatest depth d: the integral of 2 dx/v with x = d (1 - u^2), which makes it regular, in panels
 * of three points by Gauss. */
static inline double cf_impact_time(double m, double F, double p, double d) {
  enum { PANELS = 2000 };
  double sum = 0, most = F * 1e-3 * pow(d / 1e-3, p + 1) / (p + 1) - m * 9.81 * d;
  for (int i = 0; i < PANELS; i++)
    for (int j = -1; j <= 1; j++) {
      double u = (i + 0.5 + 0.5 * j * sqrt(0.6)) / PANELS, x = d * (1 - u * u);
      double left = most - F * 1e-3 * pow(x / 1e-3, p + 1) / (p + 1) + m * 9.81 * x;
      sum += (j ? 5.0 : 8.0) / 18 / PANELS * 2 * d * u / sqrt(2 * left / m);
    }
  return 2 * sum;
}

/* A sphere falls on a stiff elastic floor with force F (depth/1 mm)^p. The greatest depth d follows from the energy:
 * F 1 mm (d/1 mm)^(p + 1)/(p + 1) = m g (h + d). */
static inline void cf_hertz(closed_form *k) {
  static const double power[] = {1, 1.2, 1.5, 2};
  double m = cf_between(k, 0.02, 2), h = cf_between(k, 0.05, 1), p = power[cf_whole(k, 0, 3)];
  double g = 9.81, F = m * g * cf_between(k, 200, 50000), fall = sqrt(2 * h / g), d = 1e-3;
  for (int i = 0; i < 200; i++) {
    double off = F * 1e-3 * pow(d / 1e-3, p + 1) / (p + 1) - m * g * (h + d);
    d = fmax(d - off / (F * pow(d / 1e-3, p) - m * g), 0.5 * d);
  }
  int bounces = cf_whole(k, 1, 4);
  double since = 2 * fall * cf_between(k, 0.1, 0.9);
  double T = fall + bounces * cf_impact_time(m, F, p, d) + (bounces - 1) * 2 * fall + since;
  cf_say(k,
         "bodies: {b: {type: sphere, radius: 2 cm, mass: %.17g kg, position: [0, 0, %.17g m]}}\n"
         "forces: {g: {type: gravity, acceleration: [0, 0, -9.81 m/s^2]}}\n"
         "laws: {l: {type: hertz, exponent: %g, reference_force: %.17g N, reference_depth: 1 mm}}\n"
         "contacts: {c: {type: sphere_on_plane, a: ground, b: b, law: l, radius: 2 cm}}\n"
         "measures: {low: {of: b.z, take: min}, f: {of: c.normal_force, take: max},\n"
         "  fast: {of: b.vz, take: min}, half: {of: b.z, take: event_time, level: %.17g m},\n"
         "  z: {of: b.z, take: final}, v: {of: b.vz, take: final}}\n"
         "analysis: {duration: %.17g s}\n",
         m, h + 0.02, p, F, h / 2 + 0.02, T);
  cf_want(k, "z", 0.02 + g * fall * since - 0.5 * g * since * since);
  cf_want(k, "v", g * fall - g * since);
  /* The speed is greatest where the force equals the weight. */
  double rest = 1e-3 * pow(m * g / F, 1 / p);
  cf_want(k, "low", 0.02 - d);
  cf_want(k, "f", F * pow(d / 1e-3, p));
  cf_want(k, "fast", -sqrt(2 * g * (h + rest) - 2 * g * rest / (p + 1)));
  cf_want(k, "half", sqrt(h / g));
}

/* A mass on a spring with dry friction: half cosines about the points where spring and friction balance. */
static inline void cf_stick(closed_form *k) {
  double m = cf_between(k, 0.5, 3), K = cf_between(k, 30, 400), w = sqrt(K / m);
  double mu = cf_between(k, 0.05, 0.15), d = mu * m * 9.81 / K,
         left = cf_between(k, -0.85, 0.85) * d;
  int n = cf_whole(k, 1, 20);
  double x = left + 2 * n * d, way = 0;
  for (int i = 0; i < n; i++) way += 2 * (x - 2 * i * d - d);
  double T = n * M_PI / w * cf_between(k, 1.05, 1.3);
  cf_say(k,
         "bodies: {m: {type: point_mass, mass: %.17g kg, position: [%.17g m, 0, 0]}}\n"
         "forces: {g: {type: gravity, acceleration: [0, 0, -9.81 m/s^2]},\n"
         "  k: {type: load, b: m, force: [\"-%.17g N/m * m.x\", 0, 0]}}\n"
         "laws: {r: {type: signorini, mu: %.17g}}\n"
         "contacts: {c: {type: point_on_plane, a: ground, b: m, law: r}}\n"
         "measures: {x: {of: m.x, take: final}, low: {of: m.x, take: min}, v: {of: m.vx, take: "
         "min},\n"
         "  lost: {of: c.sliding_work, take: final}}\n"
         "analysis: {duration: %.17g s}\n",
         m, x, K, mu, T);
  cf_want(k, "x", n % 2 ? -left : left);
  cf_want(k, "low", 2 * d - x);
  cf_want(k, "v", -(x - d) * w);
  cf_want(k, "lost", mu * m * 9.81 * way);
}

/* A ball bounces between the floor and the ceiling of a room. */
static inline void cf_room(closed_form *k) {
  double H = cf_between(k, 0.3, 1), e = cf_between(k, 0.6, 1), v0 = cf_between(k, 4, 12), g = 9.81;
  int n = cf_whole(k, 2, 9);
  double z = 0.5 * H, v = v0, t = 0;
  for (int i = 0;; i++) {
    bool up = v > 0 && v * v > 2 * g * (H - z);
    double dt = up ? (v - sqrt(v * v - 2 * g * (H - z))) / g : (v + sqrt(v * v + 2 * g * z)) / g;
    if (i == n) dt *= cf_between(k, 0.2, 0.8), z += v * dt - 0.5 * g * dt * dt;
    v -= g * dt, t += dt;
    if (i == n) break;
    v *= -e, z = up ? H : 0;
  }
  cf_say(
      k,
      "bodies:\n"
      "  ground: {markers: {up: {at: [0, 0, %.17g m], orientation: {axis: x, angle: 180 deg}}}}\n"
      "  b: {type: sphere, radius: 1 cm, mass: 0.1 kg, position: [0, 0, %.17g m], velocity: [1 "
      "m/s, 0, %.17g m/s]}\n"
      "forces: {g: {type: gravity, acceleration: [0, 0, -9.81 m/s^2]}}\n"
      "laws: {r: {type: signorini, restitution_normal: %.17g}}\n"
      "contacts: {f: {type: sphere_on_plane, a: ground, b: b, law: r, radius: 1 cm},\n"
      "  c: {type: sphere_on_plane, a: ground.up, b: b, law: r, radius: 1 cm}}\n"
      "measures: {z: {of: b.z, take: final}, v: {of: b.vz, take: final}, x: {of: b.x, take: "
      "mean}}\n"
      "analysis: {duration: %.17g s}\n",
      H + 0.02, 0.5 * H + 0.01, v0, e, t);
  cf_want(k, "z", z + 0.01);
  cf_want(k, "v", v);
  cf_want(k, "x", t / 2);
}

/* A crank at uneven speed drives a slider. */
static inline void cf_crank(closed_form *k) {
  double r = cf_between(k, 0.03, 0.1), l = r * cf_between(k, 2.2, 5), w = cf_between(k, 5, 60);
  double e = cf_between(k, 0.02, 0.6), q = w * cf_between(k, 0.3, 1), T = 2 * M_PI / w * 4.3;
  cf_say(
      k,
      "bodies:\n"
      "  crank: {type: rod, length: %.17g m, mass: 0.2 kg, position: [%.17g m, 0, 0]}\n"
      "  rod: {type: rod, length: %.17g m, mass: 0.5 kg, position: [%.17g m, 0, 0]}\n"
      "  slider: {type: point_mass, mass: 1 kg, position: [%.17g m, 0, 0]}\n"
      "joints:\n"
      "  main: {type: revolute, b: crank, at: [0, 0, 0], axis: z}\n"
      "  pin: {type: revolute, a: crank.end, b: rod.start, at: [%.17g m, 0, 0], axis: z}\n"
      "  wrist: {type: spherical, a: rod.end, b: slider}\n"
      "  guide: {type: point_on_line, b: slider, axis: x}\n"
      "motions: {drive: {coordinate: main.angle, value: \"%.17g rad/s * t + %.17g rad * sin(%.17g "
      "rad/s * t)\"}}\n"
      "measures: {x: {of: slider.x, take: final}, v: {of: slider.vx, take: final}, low: {of: "
      "slider.x, take: min}}\n"
      "analysis: {duration: %.17g s}\n",
      r, 0.5 * r, l, r + 0.5 * l, r + l, r, w, e, q, T);
  double a = w * T + e * sin(q * T), s = sqrt(l * l - r * r * sin(a) * sin(a));
  cf_want(k, "x", r * cos(a) + s);
  cf_want(k, "v", -(w + e * q * cos(q * T)) * r * sin(a) * (1 + r * cos(a) / s));
  cf_want(k, "low", l - r);
}

/* Two orders of a sensor on a shaft at uneven speed. */
static inline void cf_uneven(closed_form *k) {
  double w = cf_between(k, 20, 120), a = cf_between(k, 0.05, 0.4), q = cf_between(k, 0.5, 3);
  double T = cf_between(k, 2 * M_PI / q, 14), A = cf_between(k, 0.1, 1), B = cf_between(k, 0.1, 1);
  int n = cf_whole(k, 1, 5);
  cf_say(
      k,
      "bodies: {s: {type: rotor, inertia: 0.1 kg*m^2}}\n"
      "motions: {d: {coordinate: s.angle, value: \"%.17g rad/s * t + %.17g rad * sin(%.17g rad/s "
      "* t)\"}}\n"
      "sensors: {u: {value: \"0.4 + %.17g * cos(%d*s.angle) + %.17g * sin(%d*s.angle)\"}}\n"
      "measures:\n  o: {of: u, take: order, order: %d, over: s.angle}\n"
      "  p: {of: u, take: order, order: %d, over: s.angle}\n"
      "  fast: {of: s.angle_rate, take: max}\n  slow: {of: s.angle_rate, take: min}\n"
      "  n: {of: s.angle, take: events, every: 360 deg}\n"
      "analysis: {duration: %.17g s}\n",
      w, a * w / q, q, A, n, B, n + 2, n, n + 2, T);
  cf_want(k, "o", A);
  cf_want(k, "p", B);
  cf_want(k, "fast", w * (1 + a));
  cf_want(k, "slow", w * (1 - a));
  cf_want(k, "n", floor((w * T + a * w / q * sin(q * T)) / (2 * M_PI)));
}

/* Two different masses between three different springs, in both modes at once. */
static inline void cf_coupled(closed_form *k) {
  double m = cf_between(k, 0.3, 5), n = cf_between(k, 0.3, 5), x = cf_between(k, 0.05, 0.4), s[3];
  for (int i = 0; i < 3; i++) s[i] = cf_between(k, 5, 800);
  double T = cf_between(k, 2, 8), a = (s[0] + s[1]) / m, b = (s[1] + s[2]) / n, mean = (a + b) / 2;
  double off = sqrt((a - b) * (a - b) / 4 + s[1] * s[1] / (m * n)), p = mean - off, q = mean + off;
  cf_say(k,
         "bodies:\n  ground: {markers: {end: [3 m, 0, 0]}}\n"
         "  a: {type: point_mass, mass: %.17g kg, position: [%.17g m, 0, 0]}\n"
         "  b: {type: point_mass, mass: %.17g kg, position: [2 m, 0, 0]}\n"
         "forces:\n"
         "  k: {type: spring_damper, b: a, stiffness: %.17g N/m, free_length: 1 m}\n"
         "  l: {type: spring_damper, a: a, b: b, stiffness: %.17g N/m, free_length: 1 m}\n"
         "  m: {type: spring_damper, a: b, b: ground.end, stiffness: %.17g N/m, free_length: 1 m}\n"
         "measures: {x: {of: a.x, take: final}, v: {of: b.vx, take: final}, mean: {of: b.x, take: "
         "mean}}\n"
         "analysis: {duration: %.17g s}\n",
         m, 1 + x, n, s[0], s[1], s[2], T);
  /* x'' = -a x + c y with x(0) = x, y(0) = 0: x = x ((q - a) cos wp t + (a - p) cos wq t)/(q - p). */
  double wp = sqrt(p), wq = sqrt(q), y = x * s[1] / n / (q - p);
  cf_want(k, "x", 1 + x * ((q - a) * cos(wp * T) + (a - p) * cos(wq * T)) / (q - p));
  cf_want(k, "v", y * (wq * sin(wq * T) - wp * sin(wp * T)));
  cf_want(k, "mean", 2 + y * (sin(wp * T) / wp - sin(wq * T) / wq) / T);
}

static closed_form_fn *const cf_other[] = {cf_hertz, cf_stick,  cf_room,
                                           cf_crank, cf_uneven, cf_coupled};
static const char *const cf_other_name[] = {"hertz", "friction", "room",
                                            "crank", "uneven",   "coupled"};
enum { CF_OTHERS = sizeof cf_other / sizeof *cf_other };
#endif
