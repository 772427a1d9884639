/* Periodic and chaotic ranges of the universal joint with clearance: sections, exponents and basins
 * against an event-driven reference and a second method (docs/results/universal-chaos.md). */
#include "verify/ujoint_flights.h"
#include "verify/verify.h"
#include <hooke/nonlinear.h>

static const char TABLE[] = "ujoint_chaos";
static const char PAPER[] = "examples/ujoint_clearance/paper.yaml";
static const hk_sim_options EVENTS = {.stepper = "event_driven", .rtol = 1e-9, .atol = 1e-11};

static void open_joint(vf_case *c, const char *C, const char *Omega, bool events) {
  const hk_override set[] = {{"parameters.C", C},
                             {"parameters.Omega", Omega},
                             {"analysis.stepper", events ? "event_driven" : "moreau"},
                             {"analysis.step", events ? "0 s" : "dt"}};
  vf_file(c, PAPER, set, 4);
}

static hk_orbit follow(vf_case *c, double W, const hk_sim_options *sim, int skip, int points,
                       bool lyapunov) {
  const int channel[] = {vf_channel(c, "cross.angle"), vf_channel(c, "cross.angle_rate")};
  const hk_orbit_options o = {.section = {.period = 2 * M_PI / W},
                              .sim = sim,
                              .channel = channel,
                              .n_channels = 2,
                              .skip = skip,
                              .points = points,
                              .lyapunov = lyapunov};
  hk_orbit orbit;
  if (hk_orbit_run(c->model, &o, &orbit, &c->diag, &c->err)) fail_msg("%s", c->err.text);
  return orbit;
}

static double deviation(const double *x, int n, int stride) {
  double sum = 0, sum2 = 0;
  for (int i = 0; i < n; i++) sum += x[i * stride];
  for (int i = 0; i < n; i++) sum2 += pow(x[i * stride] - sum / n, 2);
  return sqrt(sum2 / n);
}

/* ---- table 1: period 1 ---- */

typedef struct clearance {
  const char *C;
  double phi, rate, exponent;
} clearance;
static const clearance PERIODIC[] = {{"0.05 um", -6.429185e-4, .0883344636, -6.1},
                                     {"10 um", -6.412728e-4, .0923157870, -5.8},
                                     {"50 um", -7.110306e-4, .1190563432, -4.9}};

static void judge(const clearance *k, bool events) {
  vf_case c;
  char text[60];
  snprintf(text, sizeof text, "C = %s, %s", k->C, events ? "events" : "time stepping");
  open_joint(&c, k->C, "100 rad/s", events);
  hk_orbit o = follow(&c, 100, events ? &EVENTS : NULL, 20, 40, true);
  const double *last = o.point + 2 * (o.n - 1);
  vf_check(TABLE, text, "period", o.repeat.period, 1, 0, "event driven");
  vf_bound(TABLE, text, "std(phi1c)", deviation(o.point, o.n, 2), 1e-12, "period 1");
  vf_bound(TABLE, text, "std(phi1c')", deviation(o.point + 1, o.n, 2), 1e-9, "period 1");
  vf_check(TABLE, text, "phi1c", last[0], k->phi, events ? 1e-9 : 1e-7, "event driven");
  vf_check(TABLE, text, "phi1c'", last[1], k->rate, events ? 1e-8 : 1e-5, "event driven");
  vf_check(TABLE, text, "exponent per period", o.exponent.per_section, k->exponent,
           events ? 0.1 : 0.15, "event driven");
  hk_orbit_free(&o);
  vf_close(&c);
}

static void table_1_is_of_period_1(void **state) {
  (void)state;
  for (int i = 0; i < 3; i++) judge(&PERIODIC[i], true);
  for (int i = 0; i < 3; i++) judge(&PERIODIC[i], false);
}

/* Steps of 1e-5 s that do not divide the period: the grid shifts relative to the impacts, and the
 * points move by the change due to one step. */
static void grid_beside_the_period(void **state) {
  (void)state;
  const double T = 2 * M_PI / 100;
  for (int k = 0; k < 3; k++) {
    vf_case c;
    double phi[40], rate[40];
    open_joint(&c, PERIODIC[k].C, "100 rad/s", false);
    vf_start(&c, NULL);
    void *before = malloc(hk_sim_state_size(c.sim));
    assert_non_null(before);
    for (int i = 0; i < 60; i++) {
      while (hk_sim_time(c.sim) + 1e-5 < (i + 1) * T)
        if (hk_sim_step(c.sim, 1e9, &c.err)) fail_msg("%s", c.err.text);
      hk_sim_state_get(c.sim, before);
      vf_advance(&c, (i + 1) * T);
      if (i >= 20) {
        phi[i - 20] = vf_value(&c, "cross.angle");
        rate[i - 20] = vf_value(&c, "cross.angle_rate");
      }
      hk_sim_state_set(c.sim, before);
    }
    free(before);
    char text[60];
    snprintf(text, sizeof text, "C = %s, free grid", PERIODIC[k].C);
    vf_bound(TABLE, text, "std(phi1c)", deviation(phi, 40, 1), 1e-7, "time stepping");
    vf_bound(TABLE, text, "std(phi1c')", deviation(rate, 40, 1), 2e-5, "time stepping");
    vf_close(&c);
  }
}

static void all_starts_meet(void **state) {
  (void)state;
  enum { STARTS = 40 };
  vf_case c;
  open_joint(&c, "50 um", "100 rad/s", true);
  const int channel[] = {vf_channel(&c, "cross.angle"), vf_channel(&c, "cross.angle_rate")};
  const hk_orbit_options o = {.section = {.period = 2 * M_PI / 100},
                              .sim = &EVENTS,
                              .channel = channel,
                              .n_channels = 2,
                              .skip = 15,
                              .points = 6};
  const hk_spread spread = {.angle = 6e-4, .angular_velocity = 1};
  static hk_orbit orbit[STARTS];
  int attractor[STARTS];
  double apart = 0;
  for (int i = 0; i < STARTS; i++) {
    if (hk_orbit_run_scattered(c.model, &o, &spread, 7, i, &orbit[i], &c.diag, &c.err))
      fail_msg("start %d: %s", i, c.err.text);
    apart = fmax(apart, fabs(orbit[i].point[10] - orbit[0].point[10]));
  }
  vf_check(TABLE, "C = 50 um, 40 starts", "attractors",
           hk_orbit_classify(orbit, STARTS, NULL, 1e-3, attractor), 1, 0, "event driven");
  vf_bound(TABLE, "C = 50 um, 40 starts", "phi1c apart", apart, 1e-9, "event driven");
  for (int i = 0; i < STARTS; i++) hk_orbit_free(&orbit[i]);
  vf_close(&c);
}

/* ---- chaos ---- */

/* Exponents of chaotic motions are means that converge slowly, because long flights between impacts
 * are frequent.  `scatter` is the standard deviation of a mean over so many periods, from blocks of
 * 20 000 periods of the second method. */
static void chaos_at(const char *C, double C_um, const char *Omega, double W, int points,
                     double scatter) {
  vf_case c;
  char text[60];
  double impacts;
  const uf_joint second = uf_table_1(C_um * 1e-6, W);
  double expected = uf_exponent(&second, 200, vf_long() ? 100000 : 30000, &impacts);
  snprintf(text, sizeof text, "C = %s, %.0f rad/s", C, W);
  open_joint(&c, C, Omega, true);
  hk_orbit o = follow(&c, W, &EVENTS, 200, points, true);
  vf_check(TABLE, text, "period", o.repeat.period, 0, 0, "second route");
  vf_check(TABLE, text, "exponent per period", o.exponent.per_section, expected, 3 * scatter,
           "second route");
  if (!(o.exponent.per_section > 5 * o.exponent.error)) fail_msg("no chaos at %s", text);
  hk_orbit_free(&o);
  vf_close(&c);
}

static void chaos(void **state) {
  (void)state;
  chaos_at("500 um", 500, "100 rad/s", 100, 3000, .035);
  if (!vf_all()) return;
  chaos_at("400 um", 400, "100 rad/s", 100, 3000, .06);
  chaos_at("700 um", 700, "100 rad/s", 100, 3000, .09);
  chaos_at("50 um", 50, "628.31853071795865 rad/s", 628.31853071795865, 6000, .02);
}

static void windows_of_order(void **state) {
  (void)state;
  vf_case c;
  open_joint(&c, "1000 um", "100 rad/s", true);
  hk_orbit o = follow(&c, 100, &EVENTS, 200, 60, true);
  vf_check(TABLE, "C = 1000 um", "period", o.repeat.period, 3, 0, "event driven");
  vf_bound(TABLE, "C = 1000 um", "exponent below -1", fmax(0, 1 + o.exponent.per_section), 0,
           "period 3");
  hk_orbit_free(&o);
  vf_close(&c);
  static const clearance AT_628[] = {{"0.05 um", 0, 0, -.96}, {"10 um", 0, 0, -.85}};
  for (int i = 0; i < 2; i++) {
    char text[60];
    snprintf(text, sizeof text, "C = %s, 628 rad/s", AT_628[i].C);
    open_joint(&c, AT_628[i].C, "628.31853071795865 rad/s", true);
    o = follow(&c, 628.31853071795865, &EVENTS, 60, 200, true);
    vf_check(TABLE, text, "period", o.repeat.period, 1, 0, "event driven");
    vf_check(TABLE, text, "exponent per period", o.exponent.per_section, AT_628[i].exponent, .02,
             "event driven");
    hk_orbit_free(&o);
    vf_close(&c);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(table_1_is_of_period_1), cmocka_unit_test(grid_beside_the_period),
      cmocka_unit_test(all_starts_meet),        cmocka_unit_test(chaos),
      cmocka_unit_test(windows_of_order),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
