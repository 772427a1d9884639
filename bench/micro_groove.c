/* What one contact of a ball in its track costs, straight and curved: forces and Newton matrix of two flanks, one
 * of which is pressed, between a rotor and a ball.  Times, and for a profiler one part alone, counted in
 * groove_repeat.
 * usage: micro_groove                        times of both
 *        micro_groove straight|curved N      N evaluations of forces and matrix */
#include "core/contact.h"
#include "sim/sim.h"
#include <hooke/hooke.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const double PITCH = 0.031, BALL = 0.0087313, OFFSET = 0.004;

static double cpu(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static hk_model *make(bool curved, hk_diag *diag) {
  hk_spec *spec = hk_spec_create();
  hk_item *race = hk_spec_add(spec, HK_BODY, "rotor", "race", NULL);
  hk_item_real(race, "inertia", 0.02, NULL);
  hk_item_real(race, "rate", 31.4, NULL);
  hk_item *ball = hk_spec_add(spec, HK_BODY, "sphere", "ball", NULL);
  hk_item_real(ball, "radius", BALL, NULL);
  hk_item_real(ball, "density", 7850, NULL);
  hk_item_vec3(ball, "position", hk_v3(PITCH, 2e-5, 0), NULL); /* into the loaded flank */
  hk_item_vec3(ball, "velocity", hk_v3(0, 1, 0.05), NULL);
  hk_item *law = hk_spec_add(spec, HK_LAW, "hertz", "steel", NULL);
  hk_item_real(law, "stiffness", 4e10, NULL);
  hk_item_real(law, "damping", 2e4, NULL);
  hk_item_real(law, "mu", 0.05, NULL);
  hk_item *c = hk_spec_add(spec, HK_CONTACT, curved ? "ball_in_curved_groove" : "ball_in_groove",
                           "track", NULL);
  hk_item_text(c, "a", "race", NULL);
  hk_item_text(c, "b", "ball", NULL);
  hk_item_text(c, "law", "steel", NULL);
  hk_item_text(c, "race", "outer", NULL);
  hk_item_real(c, "pitch_radius", PITCH, NULL);
  hk_item_real(c, "ball_radius", BALL, NULL);
  hk_item_real(c, "track_radius", 1.04 * BALL, NULL);
  if (curved) hk_item_real(c, "offset", OFFSET, NULL);
  return hk_model_compile(spec, diag);
}

/* Never inlined, so that a profiler can be told to count in here only. */
__attribute__((noinline)) void groove_repeat(hk_sim *s, int times);
void groove_repeat(hk_sim *s, int times) {
  const hk_instant in = hk_instant_at(s->model, s->x);
  const double h = 8e-5;
  const hk_coefficients c = {.cM = 1, .cC = 0.5 * h, .cK = 0.25 * h * h};
  for (int i = 0; i < times; i++) {
    hk_contact_forces(s->work, &in);
    hk_contact_assemble(s->system, s->work, &c, &in);
  }
}

static bool measure(bool curved, int times) {
  hk_diag diag;
  hk_error err = {0};
  hk_sim *sim = NULL;
  const hk_setting overlap = {.name = "overlap", .text = "allow"};
  hk_diag_init(&diag);
  hk_model *m = make(curved, &diag);
  if (!m || hk_sim_create(m, &(hk_sim_options){.set = &overlap, .n_set = 1}, &sim, NULL, &err)) {
    fprintf(stderr, "micro_groove: %s\n", m ? err.text : "the model is refused");
    return false;
  }
  const hk_instant in = hk_instant_at(m, sim->x);
  hk_kinematics(sim->work, &in, HK_FRAMES_STEP);
  double best = INFINITY;
  for (int i = 0; i < 5; i++) {
    double start = cpu();
    groove_repeat(sim, times);
    best = fmin(best, (cpu() - start) / times);
  }
  printf("%-8s %.0f ns, loaded flank %.1f N\n", curved ? "curved" : "straight", 1e9 * best,
         sim->work->touch[0].N);
  hk_sim_destroy(sim);
  hk_model_destroy(m);
  hk_diag_free(&diag);
  return true;
}

int main(int argc, char **argv) {
  if (argc > 2) return !measure(strcmp(argv[1], "curved") == 0, atoi(argv[2]));
  return !(measure(false, 200000) && measure(true, 200000));
}
