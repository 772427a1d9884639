/* CPU time of one step of the slider-crank with a dry clearance, three bodies in space, by the steppers that take
 * impacts at fixed steps.  A step of nonsmooth_alpha that an impact cuts counts once: its parts and the impact are in it.
 * Where Siconos is found, its Moreau-Jean stepper on the same mechanism, reduced by hand to two coordinates, runs beside.
 * usage: micro_slider_crank examples/slider_crank_clearance/dry.yaml [revolutions] */
#include <hooke/hooke.h>
#ifdef HAVE_SICONOS
#include "peers/slider_crank_siconos.h"
#endif
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double cpu(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static const double step = 1e-5, turn = 0.012;

/* Seconds per step: the best of all revolutions of three runs, which other work on the machine hardly reaches.
 * *impacts: per revolution. */
static double stepping(const hk_model *m, const hk_sim_options *o, int turns, double *impacts) {
  double best = 1e9;
  for (int repeat = 0; repeat < 3; repeat++) {
    hk_error err = {0};
    hk_sim *sim = NULL;
    if (hk_sim_create(m, o, &sim, NULL, &err)) {
      fprintf(stderr, "%s\n", err.text);
      return -1;
    }
    for (int i = 1; i <= turns; i++) {
      double start = cpu();
      if (hk_sim_advance(sim, turn * i, &err)) fprintf(stderr, "%s\n", err.text);
      double took = cpu() - start;
      best = took < best ? took : best;
    }
    int channel = hk_model_channel_find(m, "wrist.contact.impacts");
    if (channel >= 0) *impacts = hk_sim_value(sim, channel) / turns;
    hk_sim_destroy(sim);
  }
  return best / (turn / step);
}

static void show(const char *who, double c, double seconds, double impacts) {
  printf("%-28s %8g %12.2f %18.1f\n", who, 1e6 * c, 1e6 * seconds, impacts);
}

int main(int argc, char **argv) {
  const char *file = argc > 1 ? argv[1] : "examples/slider_crank_clearance/dry.yaml";
  const int turns = argc > 2 ? atoi(argv[2]) : 20;
  static const char *const C[] = {"0.5 mm", "50 um"};
  static const double clearance[] = {5e-4, 5e-5};
  const hk_setting plain = {.name = "scheme", .text = "plain"};
  static const char *const name[] = {"moreau", "nonsmooth_alpha", "nonsmooth_alpha, plain"};
  const hk_sim_options o[] = {
      {.stepper = "moreau", .step = step},
      {.stepper = "nonsmooth_alpha", .step = step},
      {.stepper = "nonsmooth_alpha", .step = step, .set = &plain, .n_set = 1}};
  printf("%-28s %8s %12s %18s\n", "", "c [um]", "us per step", "impacts per turn");
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
    for (int k = 0; k < 3; k++) {
      double impacts = 0, seconds = stepping(m, &o[k], turns, &impacts);
      show(name[k], clearance[i], seconds, impacts);
    }
#ifdef HAVE_SICONOS
    double impacts = 0, best = 1e9;
    for (int repeat = 0; repeat < 3; repeat++) {
      double seconds = slider_crank_siconos(clearance[i], step, turns, &impacts);
      best = seconds < best ? seconds : best;
    }
    show("Siconos, two coordinates", clearance[i], best, impacts);
#endif
    hk_model_destroy(m);
    hk_diag_free(&diag);
  }
  return 0;
}
