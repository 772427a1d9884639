/* Films as forces of a model: the ball in its socket against the numbers of the closed forms, the journal
 * in its bush against published tables of bearings of finite length. */
#include "verify/verify.h"
#include "film/film_journal.h"
#include "film/film_sphere.h"
#include "verify/data/butenschoen.h"

/* Force on a ball at eps along x that moves with eps_dot. */
static double force(const char *reading, double c, double eps, double eps_dot, const char *what) {
  vf_case k;
  vf_text(
      &k,
      "bodies: {ball: {type: sphere, radius: 1 cm, mass: 1 kg, position: [%.17g m, 0, 0], "
      "velocity: "
      "[%.17g m/s, 0, 0]}}\n"
      "forces: {film: {type: film_socket, b: ball, reading: %s, radius: 1 cm, clearance: %.17g m, "
      "viscosity: 0.4 Pa*s}}\n",
      eps * c, eps_dot * c, reading, c);
  vf_start(&k, NULL);
  double f = vf_value(&k, what);
  vf_close(&k);
  return f;
}

/* The same by Simpson's rule for the slope of the pressure, eqs 12 and 14: F = pi r^2 int
 * |dp/dtheta| sin^2 theta over the loaded half of the ball.  `against`: the film is on the far
 * side, as in Guembel's condition. */
static double quadrature(double c, double eps, double eps_dot, bool against) {
  const double r = 0.01, mu = 0.4;
  const int n = 20000;
  double sum = 0, e = against ? -eps : eps;
  for (int i = 0; i <= n; i++) {
    double t = M_PI / 2 * i / n, s = sin(t), thick = 1 - e * cos(t);
    sum += (i == 0 || i == n ? 1 : i % 2 ? 4 : 2) * s * s * s / (thick * thick * thick);
  }
  return -M_PI * r * r * 6 * mu * c * eps_dot / (pow(c / r, 3) * r) * sum * M_PI / 2 / n / 3;
}

static void test_quadrature(void **state) {
  static const double eps[] = {0, 1e-6, 1e-3, 0.1, 0.3, 0.5, 0.9, 0.99};
  double off[3] = {0};
  static const char *const reading[] = {"vector", "radial", "gumbel"};
  for (int i = 0; i < 8; i++)
    for (int k = 0; k < 3; k++)
      for (int sign = -1; sign <= 1; sign += 2) {
        double want = quadrature(5e-5, eps[i], 100 * sign, k == 2 && sign < 0);
        double got = force(reading[k], 5e-5, eps[i], 100 * sign, "film.fx");
        off[k] = fmax(off[k], fabs(got / want - 1));
      }
  for (int k = 0; k < 3; k++)
    vf_bound("film", "eps 0 to 0.99, both ways", reading[k], off[k], 1e-6,
             "eqs 12, 14 by Simpson's rule, relative");
}

/* Full film without cavitation, by finite elements: values of the closed form B(eps) + B(-eps) and
 * of an independent solution. */
static void test_full_film(void **state) {
  static const double known[][3] = {{0, 4.0 / 3, 4.0 / 3},
                                    {0.3, 1.49265, 1.35385},
                                    {0.5, 1.87777, 1.40523},
                                    {0.9, 8.95644, 2.01309},
                                    {0.99, 97.0878, 3.51860}};
  for (int i = 0; i < 5; i++) {
    char what[60];
    double Kr, Kt;
    hk_film_sphere_full(known[i][0], &Kr, &Kt);
    snprintf(what, sizeof what, "full film, eps %g", known[i][0]);
    vf_check("film", what, "K_r", Kr, known[i][1], 1e-4 * known[i][1], "independent solution");
    vf_check("film", what, "K_t", Kt, known[i][2], 1e-4 * known[i][2], "independent solution");
  }
}

static void test_spots(void **state) {
  static const struct {
    double c, eps, eps_dot, F, gumbel;
  } spot[] = {{5e-5, 0, 100, -2010.62, -2010.62},  {5e-5, .1, 100, -2263.74, -2263.74},
              {5e-5, .5, 100, -4387.64, -4387.64}, {5e-5, .5, -100, 4387.64, 1275.57},
              {5e-5, .9, 100, -26032.2, -26032.2}, {5e-5, .9, -100, 26032.2, 979.785},
              {5e-4, .3, 50, -15.0218, -15.0218},  {5e-4, .99, 50, -1459.40, -1459.40}};
  for (int i = 0; i < 8; i++) {
    char what[80];
    snprintf(what, sizeof what, "eps %g, rate %g/s, c %g um", spot[i].eps, spot[i].eps_dot,
             1e6 * spot[i].c);
    /* the references have six digits and are therefore known to 4e-6 */
    vf_check("film", what, "vector [N]",
             force("vector", spot[i].c, spot[i].eps, spot[i].eps_dot, "film.fx"), spot[i].F,
             4e-6 * fabs(spot[i].F), "quadrature");
    vf_check("film", what, "radial [N]",
             force("radial", spot[i].c, spot[i].eps, spot[i].eps_dot, "film.fx"), spot[i].F,
             4e-6 * fabs(spot[i].F), "quadrature");
    vf_check("film", what, "gumbel [N]",
             force("gumbel", spot[i].c, spot[i].eps, spot[i].eps_dot, "film.fx"), spot[i].gumbel,
             4e-6 * fabs(spot[i].gumbel), "quadrature");
    vf_check("film", what, "reynolds [N]",
             force("reynolds", spot[i].c, spot[i].eps, spot[i].eps_dot, "film.fx"), spot[i].gumbel,
             1e-4 * fabs(spot[i].gumbel), "gumbel, for squeezing");
  }
  double p = 3 * .4 * 5e-3 / (pow(5e-3, 3) * .01 * .5) * (4 - 1); /* at the wall, eps = 1/2 */
  vf_check("film", "eps 0.5, rate 100/s, c 50 um", "peak pressure [Pa]",
           force("radial", 5e-5, .5, 100, "film.pressure"), p, 1e-9 * p, "eq. 13");
  vf_check("film", "eps 0.5, rate 100/s, c 50 um", "peak pressure, reynolds [Pa]",
           force("reynolds", 5e-5, .5, 100, "film.pressure"), p, 1e-3 * p, "eq. 13");
  vf_check("film", "eps 0.5, rate 100/s, c 50 um", "power lost [W]",
           force("radial", 5e-5, .5, 100, "film.loss"), 4387.64 * 5e-3, 1e-4, "force times speed");
}

/* Numbers of the tables that do not fit the smooth trend of their row and column: errors of the
 * print or of its copy. */
static bool is_misprint(int row, int column) {
  static const double eps[] = {.1, .8, .96, .99, -.95};
  static const int of[] = {1, 2, 2, 6, 7};
  for (int i = 0; i < 5; i++)
    if (column == of[i] && butenschoen_squeezing_eps[row] == eps[i]) return true;
  return false;
}

static void test_journal_tables(void **state) {
  for (int b = 0; b < 8; b++) {
    hk_arena arena;
    hk_film_table t;
    hk_error err;
    double slender = butenschoen_slenderness[b], turning = 0, angle = 0, squeezing = 0;
    hk_arena_init(&arena);
    assert_int_equal(hk_film_journal_make(&arena, slender, 0.999, &t, &err), HK_OK);
    for (size_t i = 0; i < sizeof butenschoen_turning_eps / sizeof *butenschoen_turning_eps; i++) {
      double eps = butenschoen_turning_eps[i];
      hk_film_rest f;
      hk_film_table_read(&t, eps, 0, 1, &f);
      double R = eps * f.r, S = t.base + eps * f.s, So = butenschoen_turning[i][b];
      double coarse = 0.00005 / So; /* the tables have four decimals */
      turning = fmax(turning, fabs(3 * eps * hypot(R, S) / So - 1) - coarse);
      angle = fmax(angle, fabs(atan2(S, R) * 180 / M_PI - butenschoen_angle[i][b]));
    }
    for (size_t i = 0; i < sizeof butenschoen_squeezing_eps / sizeof *butenschoen_squeezing_eps;
         i++) {
      double eps = fabs(butenschoen_squeezing_eps[i]),
             s = butenschoen_squeezing_eps[i] < 0 ? -1 : 1;
      hk_film_rest f;
      hk_film_table_read(&t, eps, s, 0, &f);
      double So = butenschoen_squeezing[i][b], coarse = 0.00005 / So;
      if (is_misprint((int)i, b)) continue;
      squeezing = fmax(squeezing, fabs(6 * fabs(s * t.base + eps * f.r) / So - 1) - coarse);
    }
    char what[60];
    snprintf(what, sizeof what, "journal, length/diameter 1/%g", 1 / slender);
    vf_bound("film", what, "Sommerfeld number of rotation, error", turning, 0.022,
             "[Butenschoen1976]");
    vf_bound("film", what, "Sommerfeld number of squeezing, error", squeezing, 0.02,
             "[Butenschoen1976]");
    /* In the tables the film begins at the widest gap, here its start is part of the solution: this
     * matters for longer bearings. */
    vf_bound("film", what, "angle of the load, error [deg]", angle,
             slender > 0.9   ? 4.5
             : slender > 0.4 ? 1.4
                             : 0.9,
             "[Butenschoen1976]");
    hk_arena_free(&arena);
  }
}

/* A journal under a steady load reaches the equilibrium with the load, speed and eccentricity of
 * the tables. */
static void test_settled_journal(void **state) {
  vf_case k;
  const double r = 0.02, c = 40e-6, mu = 0.05, w = 200, L = 0.02, eps = 0.6;
  double So = 0.4982, F = So * L * 2 * r * mu * w / (c / r) / (c / r);
  vf_text(
      &k,
      "bodies: {shaft: {mass: 2 kg, inertia: [1e-3 kg*m^2, 1e-3 kg*m^2, 1e-3 kg*m^2], "
      "angular_velocity: [0, 0, 200 rad/s], position: [5 um, -15 um, 0]}}\n"
      "joints: {plane: {type: planar, b: shaft}}\n"
      "motions: {turn: {coordinate: plane.angle, value: 200 rad/s * t}}\n"
      "forces: {film: {type: film_journal, b: shaft, radius: %g m, clearance: %g m, length: %g m, "
      "viscosity: %g Pa*s, slices: 1}, weight: {type: load, b: shaft, force: [0, %.9g N, 0]}}\n",
      r, c, L, mu, -F);
  vf_start(&k, NULL);
  vf_advance(&k, 0.3);
  double ex = vf_value(&k, "film.ex"), ey = vf_value(&k, "film.ey");
  vf_check("film", "journal under a load, length/diameter 1/2", "eccentricity",
           vf_value(&k, "film.eccentricity"), eps, 0.003, "[Butenschoen1976]");
  vf_check("film", "journal under a load, length/diameter 1/2", "angle of the load [deg]",
           atan2(ex, -ey) * 180 / M_PI, 48.049, 0.5, "[Butenschoen1976]");
  vf_close(&k);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_quadrature),      cmocka_unit_test(test_full_film),
      cmocka_unit_test(test_spots),           cmocka_unit_test(test_journal_tables),
      cmocka_unit_test(test_settled_journal),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
