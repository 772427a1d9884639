/* Beams in large motions: the spin-up of a bar and the right-angle cantilever [Simo, Vu-Quoc 1988],
 * a shaft that passes through its critical speed. */
#include "verify/beam_model.h"

static bm_text w;

static const char OWN[] = "independent program";

/* Nothing is damped, and the fastest modes are a thousand times faster than the motion of
 * interest. */
static const hk_sim_options options = {.stepper = "generalized_alpha", .rtol = 1e-6, .atol = 1e-8};

/* ---- spin-up ---- */

/* A bar that is accelerated about its end to 6 rad/s within 15 s; u along and w perpendicular to
 * the bar. */
static void test_spin_up(void **state) {
  (void)state;
  static const double time[] = {2.5, 5, 6.5, 7.5, 10, 12.5},
                      u[] = {-.0013227, -.0126549, -.0186038, -.0177421, -.0070723, -.0002215},
                      across[] = {-.151285, -.468481, -.569954, -.559088, -.362819, -.112697};
  bm_row r = {.n = 10, .length = 10, .rhoA = 1.2, .rhoI = 6e-4, .rhoIp = 12e-4};
  vf_case c;
  r.s = bm_round(2.8e7, 1e7, 1.4e4, 1.4e4);
  w.n = 0;
  bm_put_bodies(&w, &r);
  bm_put(&w,
         "joints:\n  hub: {type: revolute, b: n0, at: [0, 0, 0], axis: z}\n"
         "motions:\n  turn: {coordinate: hub.angle, value: \"if(t < 15 s, 0.4 rad/s^2 * (t^2/2 + "
         "(15 s / (2*pi))^2*"
         "(cos(2*pi*t / 15 s) - 1)), 6 rad/s * t - 45 rad)\"}\n");
  bm_put_beams(&w, &r);
  bm_compile(&c, &w);
  vf_start(&c, &options);
  double worst = 0, worst_u = 0, least = 0;
  int next = 0;
  for (double t = 0.02; t < 15; t += 0.02) {
    vf_advance(&c, t);
    double a = vf_value(&c, "hub.angle"), x = bm_at(&c, 10, "x"), y = bm_at(&c, 10, "y");
    double along = x * cos(a) + y * sin(a) - 10, side = y * cos(a) - x * sin(a);
    least = fmin(least, side);
    if (next < 6 && fabs(t - time[next]) < 1e-6) {
      worst = fmax(worst, fabs(side - across[next]));
      worst_u = fmax(worst_u, fabs(along - u[next]));
      next++;
    }
  }
  assert_int_equal(next, 6);
  vf_bound("beam", "spin-up, 10 beams", "tip across, at 6 times [m]", worst, 3e-4, OWN);
  vf_bound("beam", "spin-up, 10 beams", "tip along, at 6 times [m]", worst_u, 3e-5, OWN);
  vf_check("beam", "spin-up, 10 beams", "largest lag [m]", least, -0.573836, 3e-4, OWN);
  double mean = 0, most = 0;
  int n = 0;
  for (double t = 16; t < 20; t += 0.01, n++) {
    vf_advance(&c, t);
    double a = vf_value(&c, "hub.angle"), x = bm_at(&c, 10, "x"), y = bm_at(&c, 10, "y");
    double side = y * cos(a) - x * sin(a);
    /* the transverse oscillation shortens the bar */
    mean += x * cos(a) + y * sin(a) - 10;
    most = fmax(most, fabs(side));
  }
  vf_check("beam", "spin-up, 10 beams", "steady extension [m]", mean / n, 5.143175e-4,
           0.003 * 5.143e-4, "exact");
  vf_bound("beam", "spin-up, 10 beams", "swing afterwards [m]", most, 3.8e-3, OWN);
  vf_close(&c);
}

/* ---- cantilever with a right angle ---- */

/* Two legs of n beams; the bodies of the second have their x axis along it. */
static void put_angle(int n) {
  const bm_stiffness s = bm_round(1e6, 1e6, 1e3, 1e3);
  double h = 10.0 / n;
  bm_put(&w, "format: 1\nbodies:\n");
  for (int k = 1; k < n; k++)
    bm_put(&w,
           "  n%d: {mass: %.17g kg, inertia: [%.17g kg*m^2, %.17g kg*m^2, %.17g kg*m^2], position: "
           "[%.17g m, 0, 0]}\n",
           k, h, 20 * h, 10 * h, 10 * h, h * k);
  bm_put(&w,
         "  n%d: {mass: %.17g kg, inertia: [%.17g kg*m^2, %.17g kg*m^2, %.17g kg*m^2], position: "
         "[10 m, 0, 0],\n"
         "    center_of_mass: [%.17g m, %.17g m, 0], markers: {second: {orientation: {axis: z, "
         "angle: 90 deg}}}}\n",
         n, h, 15 * h, 15 * h, 10 * h, -h / 12, h / 12);
  for (int k = n + 1; k <= 2 * n; k++) {
    double share = k == 2 * n ? 0.5 : 1;
    bm_put(&w,
           "  n%d: {mass: %.17g kg, inertia: [%.17g kg*m^2, %.17g kg*m^2, %.17g kg*m^2], position: "
           "[10 m, %.17g m, 0],\n"
           "    center_of_mass: [%.17g m, 0, 0], orientation: {axis: z, angle: 90 deg}}\n",
           k, share * h, share * 20 * h, share * 10 * h, share * 10 * h, h * (k - n),
           k == 2 * n ? -h / 6 : 0);
  }
  bm_put(&w, "forces:\n");
  for (int k = 0; k < 2 * n; k++) {
    char name[3][20];
    snprintf(name[0], sizeof name[0], "beam%d", k);
    snprintf(name[1], sizeof name[1], k == 0 ? "ground" : k == n ? "n%d.second" : "n%d", k);
    snprintf(name[2], sizeof name[2], "n%d", k + 1);
    bm_put_beam(&w, name[0], name[1], name[2], h, &s);
  }
  bm_put(
      &w,
      "  push: {type: load, b: n%d, force: [0, 0, \"interp(t, 0 s, 0 N, 1 s, 50 N, 2 s, 0 N)\"]}\n",
      n);
}

static void test_right_angle(void **state) {
  (void)state;
  enum { N = 10, TIMES = 13 };
  static const double time[TIMES] = {1, 2, 3, 4, 5, 6, 8, 10, 12.5, 15, 20, 25, 30};
  static const double elbow[TIMES] = {.9513,   4.1152, 5.5016, 4.6424,  3.1113, 2.5410, 1.6336,
                                      -3.0951, -.8258, .1608,  -2.6023, 6.0555, -.2234};
  static const double tip[TIMES] = {.0539,  .0694,   1.5071,  3.5092, 5.4789, 6.9136, 7.9608,
                                    4.4629, -5.7275, -9.2037, .4920,  6.6389, .1691};
  vf_case c;
  w.n = 0;
  put_angle(N);
  bm_compile(&c, &w);
  vf_start(&c, &options);
  double early = 0, late = 0, energy[2] = {INFINITY, -INFINITY};
  for (int i = 0; i < TIMES; i++) {
    vf_advance(&c, time[i]);
    double e = fmax(fabs(bm_at(&c, N, "z") - elbow[i]), fabs(bm_at(&c, 2 * N, "z") - tip[i]));
    if (time[i] <= 15)
      early = fmax(early, e);
    else
      late = fmax(late, e);
    if (time[i] < 2.5) continue;
    double E = vf_value(&c, "energy.kinetic") + vf_value(&c, "energy.potential");
    energy[0] = fmin(energy[0], E), energy[1] = fmax(energy[1], E);
  }
  vf_bound("beam", "right angle, 10 beams per leg", "elbow, tip to 15 s [m]", early, 0.03, OWN);
  vf_bound("beam", "right angle, 10 beams per leg", "elbow, tip to 30 s [m]", late, 0.1, OWN);
  vf_check("beam", "right angle, 10 beams per leg", "energy [J]", energy[0], 114.851, 0.03, OWN);
  vf_bound("beam", "right angle, 10 beams per leg", "change of energy/energy",
           (energy[1] - energy[0]) / energy[0], 1e-4, "conserved");
  vf_close(&c);
}

/* ---- rotating shaft ---- */

static void put_rotor(int n) {
  bm_row r = {.n = n, .length = 6, .rhoA = 11.639601, .rhoI = .0131673, .rhoIp = .0263346};
  r.s = bm_round(313.4e6, 60.5e6, 272.7e3, 354.5e3);
  w.n = 0;
  bm_put_bodies(&w, &r);
  bm_put(
      &w,
      "  disc: {mass: 70.573 kg, inertia: [2.0325024 kg*m^2, 1.0309539 kg*m^2, 1.0309539 kg*m^2],\n"
      "    position: [3 m, 0, 0], center_of_mass: [0, 0, 0.05 m]}\n"
      "joints:\n  seat: {type: fixed, a: n%d, b: disc}\n"
      "  left: {type: revolute, b: n0, at: [0, 0, 0], axis: x}\n"
      "  right: {type: cylindrical, b: n%d, at: [6 m, 0, 0], axis: x}\n",
      n / 2, n);
  bm_put(&w,
         "motions:\n  spin: {coordinate: left.angle, value: \"if(t < 0.5 s, 24 rad/s * (t - 0.5 s "
         "/ pi * sin(pi*t / 0.5 s)), "
         "if(t < 1 s, 12 rad + 48 rad/s * (t - 0.5 s), "
         "if(t < 1.25 s, 36 rad + 60 rad/s * (t - 1 s) - 12 rad/s * 0.25 s / pi * sin(pi*(t - 1 s) "
         "/ 0.25 s), "
         "51 rad + 72 rad/s * (t - 1.25 s))))\"}\n");
  bm_put_beams(&w, &r);
  bm_put(&w,
         "  weight: {type: gravity, acceleration: [0, 0, -9.81 m/s^2]}\nanalysis: {duration: 2.5 "
         "s, begin: equilibrium}\n");
}

static void test_rotating_shaft(void **state) {
  (void)state;
  enum { N = 16, TIMES = 9 };
  static const double y[TIMES] = {75.929,   122.454, 55.372, 220.312, -92.157,
                                  -219.406, 14.646,  70.759, -95.381};
  static const double z[TIMES] = {29.210,   65.660,   23.780,  -11.509, 48.381,
                                  -154.439, -108.941, 204.764, 192.689};
  static const double peak[4] = {144.061, 269.766, 268.967, 265.374},
                      from[5] = {0.5, 1.1, 1.55, 1.97, 2.4};
  vf_case c;
  put_rotor(N);
  bm_compile(&c, &w);
  vf_start(&c, &options);
  vf_check("beam", "rotating shaft, 16 beams", "sag at the start [mm]", 1e3 * bm_at(&c, N / 2, "z"),
           -3.3098, 1e-3, "exact");
  double most[4] = {0}, early = 0, late = 0;
  int k = 0;
  for (int i = 1; i <= 1250; i++) {
    double t = 0.002 * i;
    vf_advance(&c, t);
    double Y = 1e3 * bm_at(&c, N / 2, "y"), Z = 1e3 * bm_at(&c, N / 2, "z");
    for (int j = 0; j < 4; j++)
      if (t > from[j] && t < from[j + 1]) most[j] = fmax(most[j], hypot(Y, Z));
    if (i % 125 == 0 && i >= 250) {
      double e = fmax(fabs(Y - y[k]), fabs(Z - z[k]));
      if (t < 1.51)
        early = fmax(early, e);
      else
        late = fmax(late, e);
      k++;
    }
  }
  assert_int_equal(k, TIMES);
  for (int j = 0; j < 4; j++)
    vf_check("beam", "rotating shaft, 16 beams", "peak [mm]", most[j], peak[j], 3e-3 * peak[j],
             OWN);
  vf_bound("beam", "rotating shaft, 16 beams", "y, z to 1.5 s [mm]", early, 1, OWN);
  vf_bound("beam", "rotating shaft, 16 beams", "y, z to 2.5 s [mm]", late, 2, OWN);
  vf_close(&c);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_spin_up),
      cmocka_unit_test(test_right_angle),
      cmocka_unit_test(test_rotating_shaft),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
