/* Cost of a beam: its wrench alone and with its tangents, as an element of a shaft with forces and Newton matrix,
 * and a whole run of the rotating shaft through its critical speed against its error.
 * usage: micro_beam                       all times
 *        micro_beam element N             N wrenches with tangents, for a profiler: counted in beam_repeat
 *        micro_beam shaft FILE            runs of examples/benchmarks/rotating_shaft.yaml with 4 to 32 beams */
#include "force/beam_element.h"
#include "sim/sim.h"
#include <hooke/hooke.h>
#include <hooke/run.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double cpu(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- the element alone ---- */

typedef enum part { WRENCH, STIFFNESS, ALL } part;

/* The two end frames of a deflected, twisted and moving bar. */
static void pose(hk_frame *A, hk_frame *B) {
  const hk_quat a = hk_quat_exp(hk_v3(0.3, -0.2, 0.5)),
                b = hk_quat_mul(a, hk_quat_exp(hk_v3(0.02, 0.05, -0.03)));
  *A = (hk_frame){.x = hk_v3(0, 0, 0), .w = hk_v3(1, 2, 30), .v = hk_v3(0.1, 0, 0)};
  *B = (hk_frame){.w = hk_v3(1.1, 1.9, 30.1), .v = hk_v3(0.1, 0.01, 0.02)};
  A->R = hk_quat_matrix(a);
  B->R = hk_quat_matrix(b);
  B->x = hk_mul(&A->R, hk_v3(0.05, 0.0004, -0.0007));
}

static const hk_beam BAR = {.length = 0.05,
                            .axial = 1.1e8,
                            .shear_y = 3.8e7,
                            .shear_z = 3.8e7,
                            .torsion = 3600,
                            .bend_y = 4700,
                            .bend_z = 4700,
                            .damping = 1e-5};

/* Never inlined, so that a profiler can be told to count in here only. */
__attribute__((noinline)) double beam_repeat(part what, int times);
double beam_repeat(part what, int times) {
  hk_frame A, B;
  double K[12][12], C[12][12], sum = 0;
  hk_beam bar = BAR;
  if (what == STIFFNESS) bar.damping = 0;
  pose(&A, &B);
  for (int i = 0; i < times; i++) {
    hk_beam_wrench x = {.K = what > WRENCH ? K : NULL, .C = what == ALL ? C : NULL};
    B.x.x += 1e-12;
    if (!hk_beam_wrench_of(&bar, &A, &B, &x)) return 0;
    sum += x.force.x + (what > WRENCH ? K[0][0] : 0);
  }
  return sum;
}

static void element_times(void) {
  static const char *const name[] = {"wrench", "with stiffness", "with stiffness and damping"};
  for (int i = 0; i < 3; i++) {
    enum { TIMES = 200000 };
    double best = INFINITY;
    for (int k = 0; k < 5; k++) {
      double start = cpu(), sum = beam_repeat((part)i, TIMES);
      if (sum == 0) return;
      best = fmin(best, (cpu() - start) / TIMES);
    }
    printf("beam, %-28s %.3f us\n", name[i], 1e6 * best);
  }
}

/* ---- in a shaft ---- */

static bool shaft_times(void) {
  enum { BEAMS = 100, TIMES = 2000 };
  static const char text[] =
      "format: 1\njoints:\n  bar: {type: shaft, hold: a, lengths: [1 m], outer_diameters: [26 mm], "
      "elements: 100, damping: 1e-5 s}\n";
  hk_diag diag;
  hk_error err = {0};
  hk_sim *sim = NULL;
  hk_diag_init(&diag);
  hk_spec *spec = hk_model_text_read("shaft", text, sizeof text - 1, NULL, 0, &diag);
  hk_model *m = spec ? hk_model_compile(spec, &diag) : NULL;
  const hk_sim_options options = {.stepper = "generalized_alpha"};
  if (!m || hk_sim_create(m, &options, &sim, NULL, &err)) {
    fprintf(stderr, "micro_beam: %s\n", m ? err.text : "the model is refused");
    return false;
  }
  const hk_instant in = hk_instant_at(m, sim->x);
  const double h = 1e-4;
  const hk_coefficients c = {.cM = 1, .cC = 0.5 * h, .cK = 0.25 * h * h};
  hk_kinematics(sim->work, &in, HK_FRAMES_STEP);
  double forces = INFINITY, matrix = INFINITY;
  for (int k = 0; k < 5; k++) {
    double start = cpu();
    for (int i = 0; i < TIMES; i++) (void)hk_forces(sim->work, &in);
    double middle = cpu();
    for (int i = 0; i < TIMES; i++) (void)hk_assemble(sim->system, sim->work, &c, &in);
    forces = fmin(forces, (middle - start) / TIMES / BEAMS);
    matrix = fmin(matrix, (cpu() - middle) / TIMES / BEAMS);
  }
  printf("shaft, forces of a beam              %.3f us\n", 1e6 * forces);
  printf("shaft, matrix of a beam and a node   %.3f us\n", 1e6 * matrix);
  hk_sim_destroy(sim);
  hk_model_destroy(m);
  hk_diag_free(&diag);
  return true;
}

/* ---- the rotating shaft ---- */

/* Peaks of the orbit by 32 beams and a step far below any influence [m]. */
static const double PEAK[] = {0.144061, 0.269766, 0.268967, 0.265374};

static bool rotate(const char *file, const char *beams) {
  hk_diag diag;
  hk_run_report r = {0};
  hk_diag_init(&diag);
  const hk_override set = {"beams", beams};
  hk_spec *spec = hk_model_file_read(file, &set, 1, &diag);
  hk_model *m = spec ? hk_model_compile(spec, &diag) : NULL;
  double start = cpu();
  bool ok = m && hk_run(m, NULL, &r, &diag) == HK_OK && r.n_measures == 4;
  if (ok) {
    double error = 0;
    for (int i = 0; i < 4; i++) error = fmax(error, fabs(r.measure[i].value / PEAK[i] - 1));
    printf("rotating shaft, %2s beams: %.2f s, %ld steps, peaks off by %.1e\n", beams,
           cpu() - start, r.stats.steps, error);
  } else {
    fprintf(stderr, "micro_beam: %s does not run with %s beams\n", file, beams);
  }
  hk_run_report_free(&r);
  hk_model_destroy(m);
  hk_diag_free(&diag);
  return ok;
}

int main(int argc, char **argv) {
  if (argc > 2 && strcmp(argv[1], "element") == 0) return beam_repeat(ALL, atoi(argv[2])) == 0;
  if (argc > 2 && strcmp(argv[1], "shaft") == 0) {
    static const char *const beams[] = {"4", "8", "16", "32"};
    for (int i = 0; i < 4; i++)
      if (!rotate(argv[2], beams[i])) return 1;
    return 0;
  }
  element_times();
  return !shaft_times();
}
