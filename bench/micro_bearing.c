/* Rolling bearings: cost of one evaluation with tangent, CPU time.
 * usage: micro_bearing [calls]
 * 9 balls of a 6206 under 2 kN (linear and finite kinematics, without and with inertia of the balls) and 14 rollers in
 * 30 slices under 5 kN, at places that follow each other as the cage turns. */
#include "bearing/balance.h"
#include "bearing/design.h"
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double cpu(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void measure(const char *what, const hk_bearing_design *d, bool linear, double speed,
                    const double load[3], long calls) {
  hk_bearing p;
  hk_error err = {0};
  if (hk_bearing_make(d, &p, &err)) {
    fprintf(stderr, "%s: %s\n", what, err.text);
    exit(1);
  }
  hk_bearing_task t = {.load = {load[0], load[1], load[2]},
                       .free = {true, true, load[2] > 0},
                       .speed = {speed, 0, NAN},
                       .linear = linear};
  hk_bearing_balance b;
  hk_bearing_action a;
  const char *failed = hk_bearing_hold(&p, &t, &b, NULL);
  if (failed) {
    fprintf(stderr, "%s: %s\n", what, failed);
    exit(1);
  }
  double best = INFINITY, sum = 0;
  for (int round = 0; round < 5; round++) {
    double began = cpu();
    for (long i = 0; i < calls; i++) {
      b.place.u.x += i % 2 ? 1e-9 : -1e-9;
      hk_bearing_act(&p, &b.place, true, &a, NULL);
      sum += a.K[0][0];
    }
    best = fmin(best, (cpu() - began) / (double)calls);
  }
  printf("%-44s %7.3f us (K %.4g)\n", what, 1e6 * best, sum / (5.0 * (double)calls));
}

int main(int argc, char **argv) {
  long calls = argc > 1 ? strtol(argv[1], NULL, 10) : 100000;
  hk_bearing_design ball = {.kind = HK_BEARING_DEEP_GROOVE,
                            .rows = 1,
                            .elements = 9,
                            .element_diameter = 9.525e-3,
                            .pitch_diameter = 46e-3,
                            .conformity = {0.515, 0.525},
                            .clearance = 12e-6,
                            .youngs_modulus = 208e9,
                            .poisson_ratio = 0.3,
                            .element_youngs_modulus = 208e9,
                            .element_poisson_ratio = 0.3,
                            .density = 7800,
                            .preload = NAN};
  hk_bearing_design roller = ball;
  roller.kind = HK_BEARING_CYLINDRICAL_ROLLER;
  roller.elements = 14, roller.element_diameter = 10e-3, roller.pitch_diameter = 65e-3;
  roller.roller_length = 9.6e-3, roller.clearance = 30e-6, roller.slices = 30;
  const double radial[3] = {2000, 0, 0}, both[3] = {2000, 0, 2000}, heavy[3] = {5000, 0, 0};
  measure("9 balls, static, linear, 3 loaded", &ball, true, 0, radial, calls);
  measure("9 balls, static, linear, all loaded", &ball, true, 0, both, calls);
  measure("9 balls, static, finite, 3 loaded", &ball, false, 0, radial, calls);
  measure("9 balls, static, finite, all loaded", &ball, false, 0, both, calls);
  ball.dynamics = HK_BEARING_CENTRIFUGAL;
  measure("9 balls, centrifugal, finite, all loaded", &ball, false, 1000, both, calls);
  ball.dynamics = HK_BEARING_GYROSCOPIC;
  measure("9 balls, gyroscopic, linear, all loaded", &ball, true, 1000, both, calls);
  measure("9 balls, gyroscopic, finite, all loaded", &ball, false, 1000, both, calls);
  measure("14 rollers x 30 slices, linear, 5 loaded", &roller, true, 0, heavy, calls);
  measure("14 rollers x 30 slices, finite, 5 loaded", &roller, false, 0, heavy, calls);
  return 0;
}
