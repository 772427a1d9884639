/* CPU time of one step of the reduced universal joint with clearance, by the general engine:
 * stepping alone, and as a whole run with its eleven measures at every step. usage: micro_ujoint
 * examples/ujoint_clearance/paper.yaml [steps] */
#include <hooke/hooke.h>
#include <hooke/run.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double cpu(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double stepping(const hk_model *m, long steps) {
  hk_error err = {0};
  hk_sim *sim = NULL;
  double best = 1e9;
  if (hk_sim_create(m, NULL, &sim, NULL, &err)) return -1;
  for (int repeat = 0; repeat < 5; repeat++) {
    double start = cpu();
    for (long i = 0; i < steps; i++)
      if (hk_sim_step(sim, 1e9, &err)) return -1;
    double took = cpu() - start;
    best = took < best ? took : best;
  }
  hk_sim_destroy(sim);
  return best / (double)steps;
}

static double running(const hk_model *m, hk_diag *diag) {
  double best = 1e9;
  for (int repeat = 0; repeat < 3; repeat++) {
    hk_run_report report;
    double start = cpu();
    if (hk_run(m, NULL, &report, diag)) return -1;
    double took = (cpu() - start) / (double)report.stats.steps;
    best = took < best ? took : best;
    hk_run_report_free(&report);
  }
  return best;
}

int main(int argc, char **argv) {
  static const char *const C[] = {"0 um", "0.05 um", "10 um", "50 um"};
  const char *file = argc > 1 ? argv[1] : "examples/ujoint_clearance/paper.yaml";
  long steps = argc > 2 ? atol(argv[2]) : 100000;
  printf("%-8s %16s %22s\n", "C", "step", "step with measures");
  for (int i = 0; i < 4; i++) {
    const hk_override set = {"parameters.C", C[i]};
    hk_diag diag;
    hk_diag_init(&diag);
    hk_spec *spec = hk_model_file_read(file, &set, 1, &diag);
    hk_model *m = spec ? hk_model_compile(spec, &diag) : NULL;
    if (!m) {
      fprintf(stderr, "%s cannot be read\n", file);
      hk_diag_free(&diag);
      return 1;
    }
    printf("%-8s %13.0f ns %19.0f ns\n", C[i], 1e9 * stepping(m, steps), 1e9 * running(m, &diag));
    hk_model_destroy(m);
    hk_diag_free(&diag);
  }
  return 0;
}
