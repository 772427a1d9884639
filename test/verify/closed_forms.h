/* Models with closed-form solutions and random parameters, for tests of accuracy.  Each family
 * writes the text of a model and the exact values of its measures.  Settings are the defaults,
 * unless the family tests an integrator. */
#ifndef CLOSED_FORMS_H
#define CLOSED_FORMS_H
#include "base/random.h"
#include "verify/verify.h"

enum { CLOSED_MOST = 8 };

typedef struct closed_form {
  uint64_t random;
  char text[6000];
  int length;
  struct {
    const char *name;
    double value;
  } want[CLOSED_MOST];
  int n;
} closed_form;

typedef void closed_form_fn(closed_form *k);

/* A random number between two limits, uniform in its logarithm if both are positive and of
 * different magnitude. */
static inline double cf_between(closed_form *k, double least, double most) {
  double u = 0.5 * (hk_random_signed(&k->random) + 1);
  return least > 0 && most > 4 * least ? least * pow(most / least, u) : least + u * (most - least);
}
static inline int cf_whole(closed_form *k, int least, int most) {
  return least + (int)(hk_random_next(&k->random) % (uint64_t)(most - least + 1));
}
static inline void cf_say(closed_form *k, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static inline void cf_say(closed_form *k, const char *format, ...) {
  va_list args;
  va_start(args, format);
  k->length += vsnprintf(k->text + k->length, sizeof k->text - (size_t)k->length, format, args);
  va_end(args);
  assert_true(k->length < (int)sizeof k->text);
}
static inline void cf_want(closed_form *k, const char *name, double value) {
  assert_true(k->n < CLOSED_MOST);
  k->want[k->n].name = name, k->want[k->n++].value = value;
}

/* Complete elliptic integral K by the arithmetic-geometric mean; modulus, not parameter. */
static inline double cf_elliptic_k(double modulus) {
  double a = 1, b = sqrt(1 - modulus * modulus);
  for (int i = 0; i < 40 && fabs(a - b) > 1e-17; i++) {
    double c = 0.5 * (a + b);
    b = sqrt(a * b), a = c;
  }
  return M_PI / (2 * a);
}

/* Jacobi's functions by Landen's descending transformation. */
static inline void cf_jacobi(double u, double modulus, double *sn, double *cn, double *dn) {
  double a[20] = {1}, c[20] = {modulus}, b = sqrt(1 - modulus * modulus);
  int n = 0;
  while (n < 18 && fabs(c[n]) > 1e-17) {
    a[n + 1] = 0.5 * (a[n] + b), c[n + 1] = 0.5 * (a[n] - b);
    b = sqrt(a[n] * b), n++;
  }
  double phi = ldexp(a[n] * u, n), before = phi;
  for (; n > 0; n--) {
    before = phi;
    phi = 0.5 * (phi + asin(c[n] / a[n] * sin(phi)));
  }
  (void)before;
  *sn = sin(phi), *cn = cos(phi), *dn = sqrt(1 - modulus * modulus * *sn * *sn);
}

/* An integrator for smooth motions, or the automatic selection; the last two do not support joints
 * and states, respectively. */
static inline const char *cf_any(closed_form *k, int n) {
  static const char *const name[] = {"auto",  "auto",       "auto", "bdf", "generalized_alpha",
                                     "adams", "trapezoidal"};
  return name[cf_whole(k, 0, n - 1)];
}
static inline const char *cf_stepper(closed_form *k) { return cf_any(k, 7); }
static inline const char *cf_stepper_of_joints(closed_form *k) { return cf_any(k, 6); }
static inline const char *cf_stepper_of_states(closed_form *k) { return cf_any(k, 5); }

/* ---- oscillators ---- */

static inline void cf_spring(closed_form *k) {
  double w = cf_between(k, 0.5, 60), a = cf_between(k, 0.02, 0.6), T = cf_between(k, 2, 12);
  double from = 0.3 * T, n = floor((T * w / M_PI - 0.5));
  cf_say(k,
         "bodies: {m: {type: point_mass, mass: 2 kg, position: [%.17g m, 0, 0]}}\n"
         "forces: {k: {type: spring_damper, b: m, stiffness: %.17g N/m, length: 1 m}}\n"
         "measures:\n"
         "  x: {of: m.x, take: final}\n  v: {of: m.vx, take: final}\n  max: {of: m.x, take: max, "
         "from: 1 s}\n"
         "  mean: {of: m.x, take: mean, from: %.17g s}\n  rms: {of: m.vx, take: rms}\n"
         "  n: {of: m.x, take: events, level: 1 m}\n"
         "  when: {of: m.x, take: event_time, level: 1 m, n: %d}\n"
         "analysis: {duration: %.17g s, stepper: %s}\n",
         1 + a, 2 * w * w, from, (int)fmax(n, 1), T, cf_stepper(k));
  cf_want(k, "x", 1 + a * cos(w * T));
  cf_want(k, "v", -a * w * sin(w * T));
  if (w * (T - 1) > 2 * M_PI) cf_want(k, "max", 1 + a);
  cf_want(k, "mean", 1 + a * (sin(w * T) - sin(w * from)) / w / (T - from));
  cf_want(k, "rms", a * w * sqrt(0.5 - sin(2 * w * T) / (4 * w * T)));
  cf_want(k, "n", floor(w * T / M_PI + 0.5));
  if (n >= 1) cf_want(k, "when", (fmax(n, 1) - 0.5) * M_PI / w);
}

static inline void cf_damped(closed_form *k) {
  double w = cf_between(k, 1, 40), d = cf_between(k, 0.005, 0.5), v = cf_between(k, 0.1, 3);
  double wd = w * sqrt(1 - d * d), T = cf_between(k, 2, 10), top = atan(wd / (d * w)) / wd;
  cf_say(
      k,
      "bodies: {m: {type: point_mass, mass: 1 kg, velocity: [%.17g m/s, 0, 0]}}\n"
      "forces: {f: {type: load, b: m, force: [\"-%.17g N/m * m.x - %.17g N*s/m * m.vx\", 0, 0]}}\n"
      "measures:\n"
      "  x: {of: m.x, take: final}\n  top: {of: m.x, take: max}\n"
      "  way: {of: m.x, take: integral}\n  half: {of: m.x, take: at, at: %.17g s}\n"
      "analysis: {duration: %.17g s, stepper: %s}\n",
      v, w * w, 2 * d * w, T / 2, T, cf_stepper(k));
  double x = v / wd * exp(-d * w * T) * sin(wd * T);
  double rate = v * exp(-d * w * T) * (cos(wd * T) - d * w / wd * sin(wd * T));
  cf_want(k, "x", x);
  if (top < T) cf_want(k, "top", v / wd * exp(-d * w * top) * sin(wd * top));
  cf_want(k, "way", (v - rate - 2 * d * w * x) / (w * w));
  cf_want(k, "half", v / wd * exp(-d * w * T / 2) * sin(wd * T / 2));
}

static inline void cf_forced(closed_form *k) {
  double w = cf_between(k, 1, 30), q = w * cf_between(k, 0.3, 0.8), T = 10 * 2 * M_PI / q, F = 3;
  double a = F / (w * w - q * q);
  cf_say(k,
         "bodies: {m: {type: point_mass, mass: 1 kg}}\n"
         "forces:\n  f: {type: load, b: m, force: [\"%.17g N * sin(%.17g rad/s * t)\", 0, 0]}\n"
         "  k: {type: load, b: m, force: [\"-%.17g N/m * m.x\", 0, 0]}\n"
         "measures:\n  x: {of: m.x, take: final}\n  v: {of: m.vx, take: final}\n"
         "  rate: {of: m.x, take: rate}\n  at: {of: m.vx, take: at, at: %.17g s}\n"
         "analysis: {duration: %.17g s, stepper: %s}\n",
         F, q, w * w, 0.61 * T, T, cf_stepper(k));
  cf_want(k, "x", a * (sin(q * T) - q / w * sin(w * T)));
  cf_want(k, "v", a * q * (cos(q * T) - cos(w * T)));
  cf_want(k, "rate", a * (sin(q * T) - q / w * sin(w * T)) / T);
  cf_want(k, "at", a * q * (cos(q * 0.61 * T) - cos(w * 0.61 * T)));
}

/* x'' = -x - b x^3: x = A cn. */
static inline void cf_duffing(closed_form *k) {
  double b = cf_between(k, 0.1, 50), a = cf_between(k, 0.3, 2), T = cf_between(k, 3, 25);
  double w = sqrt(1 + b * a * a), modulus = a * sqrt(b / 2) / w, sn, cn, dn;
  double period = 4 * cf_elliptic_k(modulus) / w;
  int n = (int)fmax(1, floor(2 * T / period));
  cf_say(k,
         "bodies: {m: {type: point_mass, mass: 1 kg, position: [%.17g m, 0, 0]}}\n"
         "forces: {f: {type: load, b: m, force: [\"-1 N/m * m.x - %.17g N/m^3 * m.x^3\", 0, 0]}}\n"
         "measures:\n  x: {of: m.x, take: final}\n  v: {of: m.vx, take: max}\n"
         "  when: {of: m.x, take: event_time, n: %d}\n"
         "analysis: {duration: %.17g s, stepper: %s}\n",
         a, b, n, T, cf_stepper(k));
  cf_jacobi(w * T, modulus, &sn, &cn, &dn);
  cf_want(k, "x", a * cn);
  if (T > period) cf_want(k, "v", a * sqrt(1 + b * a * a / 2));
  if ((n - 0.5) * period / 2 < T) cf_want(k, "when", (n - 0.5) * period / 2);
}

/* A chain of equal masses and springs between two walls, in one of its modes. */
static inline void cf_chain(closed_form *k) {
  int n = cf_whole(k, 3, 8), mode = cf_whole(k, 1, n);
  double w0 = cf_between(k, 5, 40), a = 0.05, T = cf_between(k, 1, 5);
  double w = 2 * w0 * sin(mode * M_PI / 2 / (n + 1));
  cf_say(k, "bodies:\n");
  for (int i = 1; i <= n; i++)
    cf_say(k, "  m%d: {type: point_mass, mass: 1 kg, position: [%.17g m, 0, 0]}\n", i,
           i + a * sin(i * mode * M_PI / (n + 1)));
  cf_say(k, "  ground: {markers: {end: {at: [%d m, 0, 0]}}}\nforces:\n", n + 1);
  for (int i = 0; i <= n; i++) {
    char from[16] = "ground", to[16] = "ground.end";
    if (i > 0) snprintf(from, sizeof from, "m%d", i);
    if (i < n) snprintf(to, sizeof to, "m%d", i + 1);
    cf_say(k, "  s%d: {type: spring_damper, a: %s, b: %s, stiffness: %.17g N/m, length: 1 m}\n", i,
           from, to, w0 * w0);
  }
  cf_say(k,
         "measures: {x: {of: m1.x, take: final}, v: {of: m2.vx, take: final}, mean: {of: m1.x, "
         "take: mean}}\n"
         "analysis: {duration: %.17g s, stepper: %s}\n",
         T, cf_stepper(k));
  double s1 = a * sin(mode * M_PI / (n + 1)), s2 = a * sin(2 * mode * M_PI / (n + 1));
  cf_want(k, "x", 1 + s1 * cos(w * T));
  cf_want(k, "v", -s2 * w * sin(w * T));
  cf_want(k, "mean", 1 + s1 * sin(w * T) / (w * T));
}

/* ---- pendulums ---- */

static inline void cf_pendulum(closed_form *k) {
  double L = cf_between(k, 0.2, 3), amplitude = cf_between(k, 0.2, 3), T = cf_between(k, 2, 15);
  double w = sqrt(9.81 / L), modulus = sin(amplitude / 2), sn, cn, dn;
  double period = 4 * cf_elliptic_k(modulus) / w;
  int n = (int)fmax(1, floor(2 * T / period));
  cf_say(k,
         "bodies: {m: {type: point_mass, mass: 1 kg, position: [%.17g m, 0, %.17g m]}}\n"
         "joints: {rod: {type: distance, a: ground, b: m}}\n"
         "forces: {g: {type: gravity, acceleration: [0, 0, -9.81 m/s^2]}}\n"
         "measures:\n  x: {of: m.x, take: final}\n  when: {of: m.x, take: event_time, n: %d}\n"
         "  v: {of: m.vx, take: max_abs}\n"
         "analysis: {duration: %.17g s, stepper: %s}\n",
         L * sin(amplitude), -L * cos(amplitude), n, T, cf_stepper_of_joints(k));
  cf_jacobi(w * T + cf_elliptic_k(modulus), modulus, &sn, &cn, &dn);
  cf_want(k, "x", L * sin(2 * asin(modulus * sn)));
  if ((n - 0.5) * period / 2 < T) cf_want(k, "when", (n - 0.5) * period / 2);
  if (period < T && amplitude < M_PI / 2) cf_want(k, "v", 2 * w * L * modulus);
}

static inline void cf_rod_pendulum(closed_form *k) {
  double L = cf_between(k, 0.3, 2), amplitude = cf_between(k, 0.2, 2.6), T = cf_between(k, 2, 10);
  double w = sqrt(1.5 * 9.81 / L), modulus = sin(amplitude / 2), sn, cn, dn;
  double period = 4 * cf_elliptic_k(modulus) / w;
  cf_say(k,
         "bodies: {r: {type: rod, length: %.17g m, mass: 1 kg, position: [%.17g m, 0, %.17g m],\n"
         "    orientation: {axis: y, angle: %.17g rad}}}\n"
         "joints: {hinge: {type: revolute, b: r, at: [0, 0, 0], axis: y}}\n"
         "forces: {g: {type: gravity, acceleration: [0, 0, -9.81 m/s^2]}}\n"
         "measures: {x: {of: r.x, take: final}, w: {of: hinge.angle_rate, take: max_abs}}\n"
         "analysis: {duration: %.17g s, stepper: %s}\n",
         L, 0.5 * L * sin(amplitude), -0.5 * L * cos(amplitude), M_PI / 2 - amplitude, T,
         cf_stepper_of_joints(k));
  cf_jacobi(w * T + cf_elliptic_k(modulus), modulus, &sn, &cn, &dn);
  cf_want(k, "x", 0.5 * L * sin(2 * asin(modulus * sn)));
  if (period < T) cf_want(k, "w", 2 * w * modulus);
}

/* ---- tops and rotors ---- */

static inline void cf_symmetric_top(closed_form *k) {
  double A = cf_between(k, 0.5, 2), C = cf_between(k, 0.3, 1.8 * A), spin = cf_between(k, 2, 40);
  double side = cf_between(k, 0.1, 5), T = cf_between(k, 1, 8), W = (C - A) / A * spin;
  cf_say(k,
         "bodies: {b: {mass: 1 kg, inertia: [%.17g kg*m^2, %.17g kg*m^2, %.17g kg*m^2],\n"
         "    angular_velocity: [%.17g rad/s, 0, %.17g rad/s]}}\n"
         "sensors:\n  lz: {value: b.wz}\n"
         "measures: {wx: {of: b.wx, take: final}, wz: {of: lz, take: final}, mean: {of: b.wz, "
         "take: max}}\n"
         "analysis: {duration: %.17g s, stepper: %s}\n",
         A, A, C, side, spin, T, cf_stepper(k));
  /* World axes: the axis of the body precesses about the angular momentum (A side, 0, C spin) at |L|/A. */
  double lx = A * side, lz = C * spin, l = hypot(lx, lz), p = l / A * T;
  /* w = L/A + (1 - C/A) spin e, with e obtained by rotating (0, 0, 1) by p about L. */
  double along = lz / l, ex = along * lx / l * (1 - cos(p)),
         ez = along * along * (1 - cos(p)) + cos(p), s = (1 - C / A) * spin;
  cf_want(k, "wx", lx / A + s * ex);
  cf_want(k, "wz", lz / A + s * ez);
  (void)W;
}

/* Dzhanibekov's effect: angular velocity about the body axes by Jacobi's functions, measured by
 * fractions of the kinetic energy. */
static inline void cf_geared_rotors(closed_form *k) {
  double J = cf_between(k, 0.1, 3), I = cf_between(k, 0.1, 3), ratio = cf_between(k, 0.3, 4);
  double M = cf_between(k, 0.2, 5), T = cf_between(k, 1, 6), q = cf_between(k, 1, 20);
  double inertia = J + I * ratio * ratio;
  cf_say(
      k,
      "bodies: {a: {type: rotor, inertia: %.17g kg*m^2}, b: {type: rotor, inertia: %.17g kg*m^2}}\n"
      "joints: {g: {type: gear, first: b.angle, second: a.angle, ratio: %.17g}}\n"
      "forces: {f: {type: actuator, coordinate: a.angle, force: \"%.17g N*m * (1 + cos(%.17g rad/s "
      "* t))\"}}\n"
      "measures: {angle: {of: b.angle, take: final}, rate: {of: a.angle_rate, take: mean}}\n"
      "analysis: {duration: %.17g s, stepper: %s}\n",
      J, I, ratio, M, q, T, cf_stepper_of_joints(k));
  double angle = M / inertia * (T * T / 2 + (1 - cos(q * T)) / (q * q));
  cf_want(k, "angle", ratio * angle);
  cf_want(k, "rate", angle / T);
}

/* Orders of a sensor of the angle, at increasing speed. */
static inline void cf_orders(closed_form *k) {
  double rate = cf_between(k, 5, 60), acc = cf_between(k, 0.1, 5), T = cf_between(k, 4, 10);
  double a = cf_between(k, 0.1, 2);
  int order = cf_whole(k, 1, 6);
  cf_say(
      k,
      "bodies: {r: {type: rotor, inertia: 1 kg*m^2, rate: %.17g rad/s}}\n"
      "forces: {f: {type: actuator, coordinate: r.angle, force: %.17g N*m}}\n"
      "sensors: {u: {value: \"1 + %.17g*cos(%d*r.angle)\"}}\n"
      "measures:\n  o: {of: u, take: order, order: %d, over: r.angle}\n  top: {of: u, take: max}\n"
      "  p: {of: u, take: peak_to_peak}\n  turns: {of: r.angle, take: events, every: 360 deg}\n"
      "analysis: {duration: %.17g s, stepper: %s}\n",
      rate, acc, a, order, order, T, cf_stepper(k));
  cf_want(k, "o", a);
  cf_want(k, "top", 1 + a);
  cf_want(k, "p", 2 * a);
  cf_want(k, "turns", floor((rate * T + acc * T * T / 2) / (2 * M_PI)));
}

static inline void cf_wheel(closed_form *k) {
  double r = cf_between(k, 0.1, 0.5), m = cf_between(k, 1, 20), F = cf_between(k, 0.5, 20), v = 4;
  double I = cf_between(k, 0.5, 1) * m * r * r, T = cf_between(k, 1, 4), a = F / (m + I / r / r);
  cf_say(k,
         "bodies: {w: {mass: %.17g kg, inertia: [%.17g kg*m^2, %.17g kg*m^2, %.17g kg*m^2],\n"
         "    position: [0, 0, %.17g m], orientation: {axis: x, angle: 90 deg}, velocity: [%.17g "
         "m/s, 0, 0],\n"
         "    angular_velocity: [0, %.17g rad/s, 0]}}\n"
         "joints: {roll: {type: rolling_wheel, a: ground, b: w, radius: %.17g m}}\n"
         "forces: {f: {type: load, b: w, force: [%.17g N, 0, 0]}, g: {type: gravity}}\n"
         "measures: {x: {of: w.x, take: final}, w: {of: w.wy, take: final}, f: {of: roll.fx, take: "
         "mean}}\n"
         "analysis: {duration: %.17g s}\n",
         m, 0.5 * I, 0.5 * I, I, r, v, v / r, r, F, T);
  cf_want(k, "x", v * T + a * T * T / 2);
  cf_want(k, "w", (v + a * T) / r);
  cf_want(k, "f", -I / r / r * a);
}
#endif
