/* Moments of the film of a tilted journal, against Reynolds' equation in two dimensions by finite
 * differences, with Reynolds' cavitation condition, and against the exact integral of a short
 * bearing. */
#include "verify/verify.h"

enum { AROUND = 120, ALONG = 32 };

/* A journal whose eccentricity and velocity vary along x = -1 .. 1, the eccentricity relative to
 * the clearance, the velocity in any unit. */
typedef struct tilted {
  double slender;              /* length over diameter */
  double at[2], tilt[2];       /* eccentricity in the middle, and its change towards an end */
  double speed[2], tipping[2]; /* the same for the velocity */
} tilted;

typedef struct answer {
  double force[2], moment[2]; /* relative to 12 mu r^3 L/c^3, moments also to L/2 */
} answer;

static double thickness(const tilted *c, double theta, double x) {
  return 1 - (c->at[0] + c->tilt[0] * x) * cos(theta) - (c->at[1] + c->tilt[1] * x) * sin(theta);
}

static double cube(double x) { return x * x * x; }

/* (H^3 g_theta)_theta + (D/L)^2 (H^3 g_x)_x = -source if g > 0, otherwise g = 0: projected
 * relaxation. */
static answer by_differences(const tilted *c) {
  static double g[AROUND][ALONG + 1], a[AROUND][ALONG + 1], b[AROUND][ALONG + 1], s[AROUND][ALONG + 1];
  const double dt = 2 * M_PI / AROUND, dx = 2.0 / ALONG;
  memset(g, 0, sizeof g);
  for (int i = 0; i < AROUND; i++)
    for (int j = 0; j <= ALONG; j++) {
      double t = i * dt, x = -1 + j * dx;
      a[i][j] = cube(thickness(c, t + dt / 2, x)) / (dt * dt);
      b[i][j] = cube(thickness(c, t, x + dx / 2)) / (dx * dx * c->slender * c->slender);
      s[i][j] = (c->speed[0] + c->tipping[0] * x) * cos(t) + (c->speed[1] + c->tipping[1] * x) * sin(t);
    }
  for (int round = 0; round < 20000; round++) {
    double most = 0, peak = 0;
    for (int i = 0; i < AROUND; i++) {
      const int before = (i + AROUND - 1) % AROUND, after = (i + 1) % AROUND;
      for (int j = 1; j < ALONG; j++) {
        double all = a[i][j] + a[before][j] + b[i][j] + b[i][j - 1];
        double to = (a[i][j] * g[after][j] + a[before][j] * g[before][j] + b[i][j] * g[i][j + 1] +
                     b[i][j - 1] * g[i][j - 1] + s[i][j]) / all;
        double next = fmax(0, g[i][j] + 1.85 * (to - g[i][j]));
        most = fmax(most, fabs(next - g[i][j]));
        peak = fmax(peak, next);
        g[i][j] = next;
      }
    }
    if (most < 1e-9 * peak) break;
  }
  answer out = {{0}};
  for (int i = 0; i < AROUND; i++)
    for (int j = 1; j < ALONG; j++) {
      double t = i * dt, x = -1 + j * dx, push = -0.5 * g[i][j] * dt * dx;
      out.force[0] += push * cos(t), out.force[1] += push * sin(t);
      out.moment[0] += x * push * cos(t), out.moment[1] += x * push * sin(t);
    }
  return out;
}

/* The same values from film_journal: its bush is at the origin with the axis z. */
static answer by_hooke(const tilted *c) {
  const double r = 0.02, gap = 2e-5, length = c->slender * 2 * r, half = 0.5 * length, mu = 0.05, v = 1e-3;
  const double unit = 12 * mu * r * r * r * length / (gap * gap * gap) * v;
  vf_case k;
  vf_text(&k,
          "bodies: {j: {mass: 1 kg, inertia: [1 kg*m^2, 1 kg*m^2, 1 kg*m^2], position: [%.17g m, %.17g m, 0], "
          "orientation: [{axis: y, angle: %.17g rad}, {axis: x, angle: %.17g rad}], velocity: [%.17g m/s, %.17g "
          "m/s, 0], angular_velocity: [%.17g rad/s, %.17g rad/s, 0]}}\n"
          "forces: {film: {type: film_journal, b: j, radius: %g m, clearance: %g m, length: %.17g m, viscosity: %g "
          "Pa*s, slices: 5}}\n",
          gap * c->at[0], gap * c->at[1], gap * c->tilt[0] / half, -gap * c->tilt[1] / half, v * c->speed[0],
          v * c->speed[1], -v * c->tipping[1] / half, v * c->tipping[0] / half, r, gap, length, mu);
  vf_start(&k, NULL);
  answer out = {{vf_value(&k, "film.fx") / unit, vf_value(&k, "film.fy") / unit},
                {vf_value(&k, "film.ty") / (unit * half), -vf_value(&k, "film.tx") / (unit * half)}};
  vf_close(&k);
  return out;
}

static void compare(const char *what, const tilted *c, double share) {
  answer ours = by_hooke(c), truth = by_differences(c);
  char text[120];
  snprintf(text, sizeof text, "L/D %g, eccentricity %g, %s", c->slender, hypot(c->at[0], c->at[1]), what);
  double size = hypot(truth.moment[0], truth.moment[1]);
  double off = hypot(ours.moment[0] - truth.moment[0], ours.moment[1] - truth.moment[1]);
  vf_check("film_tilt", text, "moment", hypot(ours.moment[0], ours.moment[1]) / size, 1, share, "2-D differences");
  vf_bound("film_tilt", text, "of it otherwise", off / size, share, "2-D differences");
}

static void test_against_differences(void **state) {
  static const double slender[] = {0.1, 0.5, 1}, eccentricity[] = {0.01, 0.4, 0.7};
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++) {
      const tilted still = {.slender = slender[i], .at = {eccentricity[k], 0}};
      tilted c = still;
      c.tipping[0] = 1, c.tipping[1] = 0.5;
      compare("tipping", &c, 0.12);
      c = still;
      c.speed[0] = 1, c.speed[1] = 0.3, c.tipping[0] = 0.2, c.tipping[1] = -0.1;
      compare("squeezed and tipping", &c, 0.12);
      c = still;
      c.speed[0] = 1, c.speed[1] = 0.3, c.tilt[0] = 0.1, c.tilt[1] = -0.1;
      compare("squeezed and tilted", &c, 0.12);
    }
}

/* Short bearing, concentric, squeezed along x with speed 1 and tilting with the speed s1 at the
 * ends: per half circumference of film p = k^2 (1 - x^2)/2 (cos + s1 x cos/3), so that moment over
 * force is s1/15 by exact integration. */
static void test_short_bearing(void **state) {
  const tilted c = {.slender = 0.02, .at = {1e-6, 0}, .speed = {1, 0}, .tipping = {0.1, 0}};
  answer o = by_hooke(&c);
  vf_check("film_tilt", "short bearing", "moment over force", o.moment[0] / o.force[0], 0.1 / 15, 1e-4 / 15,
           "integral of the axial pressure");
  /* Tilted by H1 instead: p decreases by 2 H1 x/H0; mean of -2 H1 x over the half circumference of
   * the film, H1 = -tilt cos. */
  const tilted d = {.slender = 0.02, .at = {1e-6, 0}, .tilt = {0.02, 0}, .speed = {1, 0}};
  o = by_hooke(&d);
  double mean = (4.0 / 3) / (M_PI / 2); /* integrals of cos^3 and cos^2 over the half
                                         * circumference */
  vf_check("film_tilt", "short bearing, tilted", "moment over force", o.moment[0] / o.force[0],
           0.02 * 2 * mean / 5, 0.02 * 2 * mean / 5 * 0.03, "integral of the axial pressure");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_short_bearing),
      cmocka_unit_test(test_against_differences),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
