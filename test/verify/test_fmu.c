/* FMUs: constraints under an integrator that does not know them, times of events, and co-simulation against hooke run. */
#include "support/fmu_plant.h"
#include "verify/verify.h"

/* ---- closed chains ---- */

/* Three rods in space between the ground and itself: a closed chain of spherical and universal joints. */
static const char CHAIN[] =
    "format: 1\n"
    "bodies:\n"
    "  a: {type: rigid_body, mass: 1 kg, inertia: [0.02 kg*m^2, 0.03 kg*m^2, 0.01 kg*m^2], "
    "position: "
    "[0.2 m, 0, 0.1 m], markers: {end: [0.2 m, 0, 0.1 m]}}\n"
    "  b: {type: rigid_body, mass: 2 kg, inertia: [0.04 kg*m^2, 0.03 kg*m^2, 0.05 kg*m^2], "
    "position: "
    "[0.6 m, 0.2 m, 0.2 m], markers: {start: [-0.2 m, -0.2 m, 0], end: [0.2 m, 0.2 m, 0]}}\n"
    "  c: {type: rigid_body, mass: 1 kg, inertia: [0.03 kg*m^2, 0.02 kg*m^2, 0.01 kg*m^2], "
    "position: "
    "[0.9 m, 0.4 m, 0.1 m], markers: {start: [-0.1 m, 0, 0.1 m]}}\n"
    "joints:\n"
    "  o: {type: spherical, a: ground, b: a, at: [0, 0, 0]}\n"
    "  ab: {type: spherical, a: a.end, b: b.start}\n"
    "  bc: {type: spherical, a: b.end, b: c.start}\n"
    "  p: {type: spherical, a: ground, b: c, at: [1 m, 0.4 m, 0]}\n"
    "forces: {g: {type: gravity}}\n"
    "sensors: {gap: {value: 'hypot(a.end.x - b.start.x, a.end.y - b.start.y, a.end.z - b.start.z) "
    "+ "
    "hypot(b.end.x - c.start.x, b.end.y - c.start.y, b.end.z - c.start.z)'}}\n"
    "analysis: {duration: 10 s, output_step: 10 ms}\n";

static double energy_of(plant *p) {
  return value(p, "energy.kinetic") + value(p, "energy.potential");
}

/* 100 000 steps with HOOKE_LONG. */
static void drift(bool two, double h, int steps, double most_energy) {
  char name[100];
  fmu_file f = open_text(
      "chain.yaml", CHAIN,
      (hk_fmu_options){
          .fmi = two ? 2 : 3,
          .exchange = true,
          .output = {(const char *const[]){"gap", "energy.kinetic", "energy.potential"}, 3}});
  plant p = begin(&f, two);
  start_plant(&p);
  double energy = energy_of(&p), gap = 0, off = 0;
  for (int i = 0; i < steps; i++) {
    runge_kutta(&p, h);
    gap = fmax(gap, value(&p, "gap"));
    for (int body = 0; body < 3; body++) { /* of the states themselves, not of their projection */
      const double *q = p.x + 7 * body + 3;
      off = fmax(off, fabs(sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]) - 1));
    }
  }
  snprintf(name, sizeof name, "chain, FMI %d.0, %d steps of %g ms", two ? 2 : 3, steps, 1e3 * h);
  vf_bound("fmu", name, "joints open in outputs [m]", gap, 1e-9, "exact");
  vf_note("fmu", name, "length of quaternions in states", off, "exact");
  vf_bound("fmu", name, "drift of the energy [J]", fabs(energy_of(&p) - energy), most_energy,
           "conservation");
  end_plant(&p);
  fmu_close(&f);
}

static void test_drift(void **state) {
  (void)state;
  drift(false, 1e-3, vf_long() ? 100000 : 5000, vf_long() ? 2e-4 : 1e-5);
  drift(true, 1e-2, 1000, 0.1);
}

/* A mass between elastic stops, in closed form: see test/unit/test_fmu_exchange.c. */
static void test_stops(void **state) {
  (void)state;
  static const char STOPS[] =
      "format: 1\n"
      "bodies: {m: {type: point_mass, mass: 1 kg, velocity: [1 m/s, 0, 0]}}\n"
      "joints: {rail: {type: point_on_line, a: ground, b: m, axis: x}}\n"
      "forces: {f: {type: load, b: m, force: ['-1000 N/m * max(0, abs(m.x) - 0.1 m) * sign(m.x)', "
      "0, "
      "0]}}\n"
      "analysis: {duration: 3 s}\n";
  fmu_file f = open_text("stops.yaml", STOPS, (hk_fmu_options){.fmi = 3, .exchange = true});
  plant p = begin(&f, false);
  start_plant(&p);
  adaptive(&p, 2, 1e-9);
  double half = M_PI / sqrt(1000), t = fmod(2 - 0.1, 2 * (0.2 + half));
  vf_check("fmu", "mass between stops, adaptive", "position after 2 s [m]", value(&p, "m.x"),
           0.1 - (t - half), 2e-7, "closed form");
  end_plant(&p);
  fmu_close(&f);
}

/* All outputs of an example without inputs after a tenth of its duration, stepped as an FMU and as by hooke run. */
static void test_same(void **state) {
  (void)state;
  static const char *const list[] = {"tutorial/slider_crank", "benchmarks/a03_andrews",
                                     "slider_crank_clearance/dry", "cv_joint/rzeppa"};
  for (size_t e = 0; e < sizeof list / sizeof *list; e++) {
    char path[400], fmu[300];
    vf_case c;
    fmu_file f;
    snprintf(path, sizeof path, "examples/%s.yaml", list[e]);
    vf_file(&c, path, NULL, 0);
    snprintf(path, sizeof path, "%s/examples/%s.yaml", HOOKE_SOURCE_DIR, list[e]);
    snprintf(fmu, sizeof fmu, "%s/a.fmu", work);
    assert_int_equal(fmu_export(path, (hk_fmu_options){.fmi = 3}, fmu, &c.diag), HK_OK);
    assert_true(fmu_open(&f, fmu));
    assert_int_equal(hk_sim_create(c.model, NULL, &c.sim, &c.diag, &c.err), HK_OK);
    char stop[40];
    fmu_attribute(strstr(f.xml, "<DefaultExperiment"), "stopTime", stop, sizeof stop);
    double end = 0.1 * atof(stop), t[100], most = 0;
    for (int k = 0; k < 100; k++) t[k] = end * (k + 1) / 100;
    t[99] = end;
    fmi3Instance i = f.fmi3InstantiateCoSimulation("one", f.token, f.resources, false, false, false,
                                                   false, NULL, 0, NULL, log3, NULL);
    assert_non_null(i);
    assert_int_equal(f.fmi3EnterInitializationMode(i, false, 0, 0, false, 0), fmi3OK);
    assert_int_equal(f.fmi3ExitInitializationMode(i), fmi3OK);
    for (int k = 0; k < 100; k++)
      assert_int_equal(step(&f, i, k ? t[k - 1] : 0, t[k] - (k ? t[k - 1] : 0)), fmi3OK);
    bool between = hk_sim_interpolates(c.sim);
    for (int k = 0; k < 100; k++)
      while (hk_sim_time(c.sim) < t[k])
        assert_int_equal(hk_sim_step(c.sim, between ? 10 * end : t[k], &c.err), HK_OK);
    for (int k = 1; k < hk_model_channel_count(c.model); k++) {
      const char *name = hk_model_channel_name(c.model, k);
      if (!fmu_reference(&f, name)) continue;
      double ours, theirs = get(&f, i, name);
      assert_int_equal(hk_sim_values_at(c.sim, end, &k, 1, &ours, &c.err), HK_OK);
      most = fmax(most, fabs(theirs - ours) / fmax(1, fabs(ours)));
    }
    vf_bound("fmu", list[e], "largest difference of all outputs", most, 1e-9, "hooke run");
    f.fmi3FreeInstance(i);
    fmu_close(&f);
    vf_close(&c);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_drift), cmocka_unit_test(test_stops),
                                     cmocka_unit_test(test_same)};
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
