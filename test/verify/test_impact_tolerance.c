/* Compliant impacts after long flights: the error of a run is proportional to a power of its
 * tolerance.  A ball flies back and forth between two walls, or falls on a floor repeatedly.
 * Flights have a closed form; the impacts are integrated here by a Runge-Kutta method with steps
 * that become smaller towards both ends of the contact, where the second derivative of Hertz's
 * force is infinite. */
#include "verify.h"

/* ---- the reference ---- */

typedef struct ball {
  double mass, radius, speed,
      way; /* distances: from the start to the first contact, and between the walls */
  double stiffness, restitution; /* restitution 1: the law `hertz` */
  double gravity, duration;      /* gravity > 0: there is a floor only */
} ball;

/* c (1 + e) = ln((1 + c)/(1 - c e)) */
static double damping_of(double e) {
  double low = 0, high = 1 / e;
  for (int i = 0; e < 1 && i < 200; i++) {
    double c = 0.5 * (low + high);
    *(c * (1 + e) > log1p(c) - log1p(-c * e) ? &low : &high) = c;
  }
  return low;
}

static double push(const ball *b, double c, double depth, double rate) {
  double s = 1 + c * rate;
  return depth > 0 && s > 0 ? b->stiffness / b->mass * depth * sqrt(depth) * s : 0;
}

static void runge_kutta(const ball *b, double c, double h, double *depth, double *rate) {
  double d[4], r[4], x = *depth, v = *rate;
  for (int i = 0; i < 4; i++) {
    d[i] = v;
    r[i] = b->gravity - push(b, c, x, v);
    double step = i < 2 ? h / 2 : h;
    x = *depth + step * d[i], v = *rate + step * r[i];
  }
  *depth += h / 6 * (d[0] + 2 * d[1] + 2 * d[2] + d[3]);
  *rate += h / 6 * (r[0] + 2 * r[1] + 2 * r[2] + r[3]);
}

/* An impact at the speed *v, which is replaced by the speed after it; not longer than `most`.
 * Returns its duration; *depth: penetration at the end. */
static double collide(const ball *b, double *v, double most, double *depth) {
  double c = damping_of(b->restitution) / *v, t = 0, rate = *v;
  double scale = pow(b->mass / b->stiffness / sqrt(*v), 0.4), least = 1e-8 * scale;
  *depth = 0;
  while (t < most && (rate > 0 || *depth > 0)) {
    double near = 0.02 * *depth / fmax(fabs(rate), 1e-300);
    double h = fmin(most - t, fmin(2e-4 * scale, fmax(near, least)));
    runge_kutta(b, c, h, depth, &rate);
    t += h;
  }
  if (*depth < 0)
    t += *depth / -rate, *depth = 0; /* within the last step, with a tolerance of 1e-8 of the
                                      * contact duration */
  *v = -rate;
  return t;
}

/* Distance from the last wall, and velocity away from it, at the end; walls: number of walls hit
 * before. */
static void fly(const ball *b, double *distance, double *velocity, int *walls) {
  double t = 0, v = -b->speed, x = b->way, g = b->gravity; /* towards the next wall */
  *walls = 0;
  for (;;) {
    /* x + v t - g t^2/2 = 0 */
    double flight = g > 0 ? (v + sqrt(v * v + 2 * g * x)) / g : x / -v;
    if (!(t + flight < b->duration)) break;
    double hit = -(v - g * flight), depth;
    t += flight;
    t += collide(b, &hit, b->duration - t, &depth);
    ++*walls;
    if (t >= b->duration) {
      *distance = -depth, *velocity = hit;
      return;
    }
    v = g > 0 ? hit : -hit, x = g > 0 ? 0 : b->way;
  }
  double left = b->duration - t;
  *distance = x + v * left - g * left * left / 2;
  *velocity = v - g * left;
  if (g > 0 || *walls == 0) return;
  *distance = b->way - *distance, *velocity = -*velocity;
}

/* ---- the runs ---- */

static double any(double from, double to) { return from + (to - from) * rand() / RAND_MAX; }
static double any_size(double from, double to) { return from * pow(to / from, any(0, 1)); }

static ball any_ball(int i) {
  ball b = {.mass = any_size(1e-3, 10), .speed = any_size(0.1, 10), .way = any_size(0.01, 1)};
  b.radius = any(0.05, 0.5) * b.way;
  b.stiffness = any_size(1e7, 1e13);
  b.restitution = i % 2 ? any(0.4, 0.95) : 1;
  b.gravity = i % 3 == 2 ? 9.81 : 0;
  /* The end is within the last flight, for most of it: results at an end within an impact are not
   * compared. */
  double g = b.gravity, fall = sqrt(b.speed * b.speed + 2 * g * b.way);
  double flight = g > 0 ? (fall - b.speed) / g : b.way / b.speed;
  b.duration = flight * (1 + any(0.3, 0.6) / b.restitution);
  if (b.gravity == 0)
    for (int k = 1, n = i % 4; k <= n; k++) b.duration += flight / pow(b.restitution, k);
  return b;
}

static void write_ball(const ball *b, char *text, size_t size) {
  char law[200];
  if (b->restitution < 1)
    snprintf(law, sizeof law, "hunt_crossley, restitution: %.17g", b->restitution);
  else
    snprintf(law, sizeof law, "hertz");
  int n = snprintf(
      text, size,
      "bodies:\n"
      "  ground: {markers: {left: {at: [0, 0, 0], orientation: {axis: y, angle: 90 deg}},\n"
      "    right: {at: [%.17g m, 0, 0], orientation: {axis: y, angle: -90 deg}}}}\n"
      "  ball: {type: sphere, radius: %.17g m, mass: %.17g kg, position: [%.17g m, 0, 0],\n"
      "    velocity: [%.17g m/s, 0.3 m/s, 0]}\n"
      "laws: {l: {type: %s, stiffness: %.17g N/m^1.5}}\n"
      "contacts:\n"
      "  left: {type: sphere_on_plane, a: ground.left, b: ball, law: l, radius: %.17g m}\n",
      b->way + 2 * b->radius, b->radius, b->mass, b->way + b->radius, -b->speed, law, b->stiffness,
      b->radius);
  if (b->gravity > 0)
    snprintf(text + n, size - (size_t)n,
             "forces: {g: {type: gravity, acceleration: [%.17g m/s^2, 0, 0]}}\n", -b->gravity);
  else
    snprintf(
        text + n, size - (size_t)n,
        "  right: {type: sphere_on_plane, a: ground.right, b: ball, law: l, radius: %.17g m}\n",
        b->radius);
}

/* The larger of the errors of speed and position, relative to the initial speed and to the distance
 * travelled. */
static double error_of(const ball *b, const char *text, const char *stepper, double rtol,
                       const double exact[2]) {
  vf_case c;
  vf_text(&c, "%s", text);
  vf_start(&c, &(hk_sim_options){.stepper = stepper, .rtol = rtol, .atol = 0.01 * rtol});
  vf_advance(&c, b->duration);
  double x = vf_value(&c, "ball.x") - b->radius, v = vf_value(&c, "ball.vx");
  double speed = hypot(b->speed, sqrt(2 * b->gravity * b->way));
  vf_close(&c);
  return fmax(fabs(v - exact[1]) / speed, fabs(x - exact[0]) / (speed * b->duration));
}

/* Statistics of the errors of all balls. */
typedef struct spread {
  double typical, worst; /* typical: their geometric mean */
} spread;

static spread errors_of(const char *stepper, double rtol, int balls) {
  spread out = {0};
  double sum = 0;
  srand(7);
  for (int i = 0; i < balls; i++) {
    const ball b = any_ball(i);
    double exact[2];
    int walls;
    char text[2000];
    fly(&b, &exact[0], &exact[1], &walls);
    if (b.gravity == 0 && walls % 2 == 0) exact[0] = b.way - exact[0], exact[1] = -exact[1];
    write_ball(&b, text, sizeof text);
    double error = error_of(&b, text, stepper, rtol, exact);
    out.worst = fmax(out.worst, error);
    sum += log(fmax(error, 1e-16));
  }
  out.typical = exp(sum / balls);
  return out;
}

/* A hundredth of the tolerance must reduce the error at least by the factor `gain`, until round-off
 * is reached.  For second-order methods the theoretical factor is 100^(2/3).  Multistep methods
 * limit the relative error of velocities to 1e-11 (multistep.c), and take about 100 steps through
 * an impact: this determines `floor`.  worst_1e12: bound for the worst ball, which scatters; it is
 * measured, not derived. */
static void follow(const char *stepper, double gain, double floor, double worst_1e12) {
  const int balls = 150; /* with 24 balls the ratio of two means scatters by a factor of 2 */
  spread before = {0};
  for (int digits = 6; digits <= 12; digits += 2) {
    char quantity[80];
    const spread e = errors_of(stepper, pow(10, -digits), balls);
    snprintf(quantity, sizeof quantity, "%s, rtol 1e-%02d, worst of %d", stepper, digits, balls);
    vf_bound("impact_tolerance", "balls after long flights", quantity, e.worst,
             digits == 12 ? worst_1e12 : 3e-3, "Runge-Kutta and closed form");
    snprintf(quantity, sizeof quantity, "%s, rtol 1e-%02d, typical", stepper, digits);
    if (digits > 6)
      vf_bound("impact_tolerance", "balls after long flights", quantity, e.typical,
               fmax(before.typical / gain, floor), "a hundredfold tolerance before");
    before = e;
  }
}

static void test_bdf(void **state) {
  (void)state;
  follow("bdf", 10, 1e-9, 1e-7);
}
static void test_adams(void **state) {
  (void)state;
  follow("adams", 10, 1e-9, 1e-7);
}
static void test_generalized_alpha(void **state) {
  (void)state;
  follow("generalized_alpha", 5, 0, 3e-5);
}
static void test_trapezoidal(void **state) {
  (void)state;
  follow("trapezoidal", 5, 0, 3e-5);
}

/* An elastic ball keeps its speed, even after many impacts, with default settings. */
static void test_many_impacts(void **state) {
  (void)state;
  vf_case c;
  vf_text(
      &c, "%s",
      "bodies:\n"
      "  ground: {markers: {left: {at: [-40 mm, 0, 0], orientation: {axis: y, angle: 90 deg}},\n"
      "    right: {at: [40 mm, 0, 0], orientation: {axis: y, angle: -90 deg}}}}\n"
      "  ball: {type: sphere, radius: 10 mm, mass: 4.2 g, velocity: [3.236 m/s, 0.7 m/s, 0]}\n"
      "laws: {hard: {type: hertz, stiffness: 1.34e12 N/m^1.5}}\n"
      "contacts:\n"
      "  left: {type: sphere_on_plane, a: ground.left, b: ball, law: hard, radius: 10 mm}\n"
      "  right: {type: sphere_on_plane, a: ground.right, b: ball, law: hard, radius: 10 mm}\n");
  vf_start(&c, &(hk_sim_options){0});
  vf_advance(&c, 1.684);
  vf_check("impact_tolerance", "91 impacts", "ball.vx", vf_value(&c, "ball.vx"), -3.236, 3.2e-6,
           "elastic");
  vf_close(&c);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_bdf),
      cmocka_unit_test(test_adams),
      cmocka_unit_test(test_generalized_alpha),
      cmocka_unit_test(test_trapezoidal),
      cmocka_unit_test(test_many_impacts),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
