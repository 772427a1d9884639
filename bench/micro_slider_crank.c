/* CPU time of one step of the slider-crank with a dry clearance, three bodies in space, by the steppers that take
 * impacts at fixed steps.  A step of nonsmooth_alpha that an impact cuts counts once: its parts and the impact are in it.
 * usage: micro_slider_crank examples/slider_crank_clearance/dry.yaml [revolutions] */
#include <hooke/hooke.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double cpu(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static const double step = 1e-5, turn = 0.012;

/* Seconds per step, the best of three runs. */
static double stepping(const hk_model *m, const hk_sim_options *o, double end) {
  double best = 1e9;
  for (int repeat = 0; repeat < 3; repeat++) {
    hk_error err = {0};
    hk_sim *sim = NULL;
    if (hk_sim_create(m, o, &sim, NULL, &err)) {
      fprintf(stderr, "%s\n", err.text);
      return -1;
    }
    double start = cpu();
    if (hk_sim_advance(sim, end, &err)) fprintf(stderr, "%s\n", err.text);
    double took = cpu() - start;
    best = took < best ? took : best;
    hk_sim_destroy(sim);
  }
  return best / (end / step);
}

int main(int argc, char **argv) {
  const char *file = argc > 1 ? argv[1] : "examples/slider_crank_clearance/dry.yaml";
  const double end = turn * (argc > 2 ? atof(argv[2]) : 20);
  static const char *const C[] = {"0.5 mm", "50 um"};
  const hk_setting plain = {.name = "scheme", .text = "plain"};
  const hk_sim_options o[] = {
      {.stepper = "moreau", .step = step},
      {.stepper = "nonsmooth_alpha", .step = step},
      {.stepper = "nonsmooth_alpha", .step = step, .set = &plain, .n_set = 1}};
  printf("%-10s %12s %24s %24s\n", "clearance", "moreau", "nonsmooth_alpha cured",
         "nonsmooth_alpha plain");
  for (int i = 0; i < 2; i++) {
    const hk_override set = {"parameters.c", C[i]};
    hk_diag diag;
    hk_diag_init(&diag);
    hk_spec *spec = hk_model_file_read(file, &set, 1, &diag);
    hk_model *m = spec ? hk_model_compile(spec, &diag) : NULL;
    if (!m) {
      fprintf(stderr, "%s cannot be read\n", file);
      hk_diag_free(&diag);
      return 1;
    }
    printf("%-10s %9.2f us %21.2f us %21.2f us\n", C[i], 1e6 * stepping(m, &o[0], end),
           1e6 * stepping(m, &o[1], end), 1e6 * stepping(m, &o[2], end));
    hk_model_destroy(m);
    hk_diag_free(&diag);
  }
  return 0;
}
