/* The plunging ball-type joint (examples/cv_joint/plunging.yaml) in the steady state, one
 * revolution: hooke's default stepper compared with SUNDIALS CVODE on the same forces, masses and tangents.
 *
 * All runs start from the same state, which an accurate run has reached after the ramps and two revolutions, and
 * give 800 samples.  Errors are root mean squares over the samples against a fine run: of the position of the inner
 * race, of the bending moment on the outer race, of the positions of all balls.  The times count the integration
 * alone, CPU, best of several; nothing is read in it.
 *
 * usage: cv_joint run MODEL [tries]    hooke at several tolerances, CVODE at several tolerances
 *        cv_joint balls MODEL [tries]  hooke with 8, 16, 32, 64 balls
 *        cv_joint parts MODEL          cost of the parts of a Newton iteration
 *        cv_joint march MODEL          hooke's revolution alone, for a profiler: cvj_march
 *        cv_joint repeat MODEL PART N  one part (0: frames, 1: forces, 2: of contacts, 3: assembly,
 * 4: of contacts, 5: factor, 6: solve) N times, the same: cvj_repeat */
#include "cv_joint.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

double cvj_seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void die(const char *text) {
  fprintf(stderr, "cv_joint: %s\n", text);
  exit(1);
}

/* ---- models -------------------------------------------------------------------------------------
 */

static cvj open_joint(const char *path, int balls) {
  /* The pitch circle grows with the number of balls, the force on a track stays; races and cage
   * grow with the circle. */
  double s = balls / 8.0;
  char value[8][40];
  snprintf(value[0], sizeof *value, "%d", balls);
  snprintf(value[1], sizeof *value, "%.17g mm", 110 * s);
  snprintf(value[2], sizeof *value, "%.17g N*m", 2000 * s * s);
  snprintf(value[3], sizeof *value, "%.17g kg", 0.4 * s);
  snprintf(value[4], sizeof *value, "%.17g kg*m^2", 1.2e-3 * s * s * s);
  snprintf(value[5], sizeof *value, "%.17g kg*m^2", 6.5e-4 * s * s * s);
  snprintf(value[6], sizeof *value, "%.17g kg*m^2", 0.02 * s * s * s);
  snprintf(value[7], sizeof *value, "%.17g kg", 2 * s);
  const hk_override set[] = {{"balls", value[0]},
                             {"pcd", value[1]},
                             {"torque", value[2]},
                             {"joints.cvj.cage_mass", value[3]},
                             {"joints.cvj.cage_axial_inertia", value[4]},
                             {"joints.cvj.cage_transverse_inertia", value[5]},
                             {"bodies.outer.inertia", value[6]},
                             {"bodies.inner.mass", value[7]}};
  hk_diag diag;
  hk_diag_init(&diag);
  hk_spec *spec = hk_model_file_read(path, set, balls == 8 ? 0 : 8, &diag);
  cvj j = {.model = spec ? hk_model_compile(spec, &diag) : NULL, .period = 0.2};
  for (int i = 0; !j.model && i < diag.n; i++) {
    char text[1000];
    hk_diag_format(&diag.message[i], text, sizeof text);
    fprintf(stderr, "%s\n", text);
  }
  hk_diag_free(&diag);
  if (!j.model) die("the model was refused");
  j.torque = hk_model_channel_find(j.model, "cvj.secondary_torque_a");
  j.axial = hk_model_channel_find(j.model, "inner.z");
  return j;
}

/* scale: of the default tolerances, which the file has. */
static void open_sim(cvj *j, double scale) {
  hk_diag diag;
  hk_error err = {0};
  hk_diag_init(&diag);
  hk_sim_options o = {.rtol = 1e-7 * scale, .atol = 1e-9 * scale};
  if (scale < 0.01) o.max_step = 5e-6;
  if (hk_sim_create(j->model, scale == 1 ? NULL : &o, &j->sim, &diag, &err)) die(err.text);
  hk_diag_free(&diag);
}

static void close_sim(cvj *j) {
  hk_sim_destroy(j->sim);
  j->sim = NULL;
}

static void advance(cvj *j, double t) {
  hk_error err = {0};
  if (hk_sim_advance(j->sim, t, &err)) die(err.text);
}

/* The state after the ramps and `revolutions`. */
static double *settled(cvj *j, double scale, double revolutions) {
  open_sim(j, scale);
  advance(j, 0.07 + revolutions * j->period);
  double *x = malloc(hk_sim_state_size(j->sim));
  if (!x) die("out of memory");
  hk_sim_state_get(j->sim, x);
  close_sim(j);
  return x;
}

/* ---- tracks -------------------------------------------------------------------------------------
 */

static cvj_track *new_track(const cvj *j) {
  cvj_track *t = calloc(1, sizeof *t);
  if (!t) die("out of memory");
  t->nodes = j->model->n_nodes;
  t->place = calloc((size_t)CVJ_SAMPLES * (size_t)t->nodes * 3, sizeof *t->place);
  if (!t->place) die("out of memory");
  return t;
}

static void free_track(cvj_track *t) {
  free(t->place);
  free(t);
}

static void look_at(const cvj *j, const double *value, const double *x, cvj_track *t, int i) {
  const hk_model *m = j->model;
  t->torque[i] = value[0];
  t->axial[i] = value[1];
  for (int n = 0; n < t->nodes; n++)
    if (m->node[n].type == &hk_node_rigid)
      memcpy(t->place + 3 * (i * t->nodes + n), x + m->at.q + m->node[n].q, 3 * sizeof *t->place);
}

void cvj_look(cvj *j, cvj_track *t, int i) {
  const double value[2] = {hk_sim_value(j->sim, j->torque), hk_sim_value(j->sim, j->axial)};
  look_at(j, value, j->sim->x, t, i);
}

/* The same at a time within the last step. */
static void look_between(cvj *j, double time, cvj_track *t, int i) {
  const int channel[2] = {j->torque, j->axial};
  double value[2];
  hk_error err = {0};
  if (hk_sim_values_at(j->sim, time, channel, 2, value, &err)) die(err.text);
  hk_integrator_of(j->sim)->dense(j->sim, time, j->sim->out.x_between);
  look_at(j, value, j->sim->out.x_between, t, i);
}

typedef struct errors {
  double torque_mean, amplitude; /* of the track itself */
  double torque, axial, place;   /* rms against the reference */
} errors;

static errors judge(const cvj_track *t, const cvj_track *r) {
  errors e = {0};
  double low = INFINITY, high = -INFINITY;
  for (int i = 0; i < CVJ_SAMPLES; i++) {
    e.torque_mean += t->torque[i] / CVJ_SAMPLES;
    low = fmin(low, t->axial[i]), high = fmax(high, t->axial[i]);
    e.torque += (t->torque[i] - r->torque[i]) * (t->torque[i] - r->torque[i]);
    e.axial += (t->axial[i] - r->axial[i]) * (t->axial[i] - r->axial[i]);
  }
  int n = 3 * CVJ_SAMPLES * t->nodes;
  for (int i = 0; i < n; i++) e.place += (t->place[i] - r->place[i]) * (t->place[i] - r->place[i]);
  e.amplitude = 0.5 * (high - low);
  e.torque = sqrt(e.torque / CVJ_SAMPLES);
  e.axial = sqrt(e.axial / CVJ_SAMPLES);
  e.place = sqrt(e.place / (CVJ_SAMPLES * t->nodes));
  return e;
}

static void print_row(const char *name, const cvj_cost *c, const errors *e) {
  printf(
      "| %-34s | %7.3f | %6ld | %6ld | %6ld | %7ld | %5.1f | %9.4f | %7.3f | %7.1e | %7.1e | %7.1e "
      "|\n",
      name, c->seconds, c->steps, c->newton, c->factors, c->evaluations,
      1e6 * c->seconds / (double)c->newton, e->torque_mean, 1e6 * e->amplitude, e->torque, e->axial,
      e->place);
  fflush(stdout);
}

static void print_header(void) {
  printf(
      "| method | CPU per revolution [s] | steps | Newton iterations | factorisations | "
      "evaluations | us "
      "per Newton iteration | mean moment [N m] | axial amplitude [um] | error of moment [N m] | "
      "of the "
      "axial place [m] | of balls and cage [m] "
      "|\n|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n");
}

/* ---- hooke --------------------------------------------------------------------------------------
 */

/* Samples lie between the steps, which nothing cuts but the end of the revolution. */
__attribute__((noinline)) void cvj_march(cvj *j, cvj_track *track);
void cvj_march(cvj *j, cvj_track *track) {
  double t0 = hk_sim_time(j->sim);
  hk_error err = {0};
  for (int i = 0; hk_sim_time(j->sim) < t0 + j->period;) {
    if (hk_sim_step(j->sim, t0 + j->period, &err)) die(err.text);
    for (double t; track && i < CVJ_SAMPLES &&
                   (t = t0 + j->period * (i + 1) / CVJ_SAMPLES) <= hk_sim_time(j->sim);
         i++)
      look_between(j, t, track, i);
  }
}

static cvj_cost by_hooke(cvj *j, const double *x, double scale, int tries,
                         cvj_track *track) {
  cvj_cost c = {.seconds = INFINITY};
  for (int i = 0; i < tries; i++) {
    open_sim(j, scale);
    hk_sim_state_set(j->sim, x);
    double start = cvj_seconds();
    cvj_march(j, track);
    c.seconds = fmin(c.seconds, cvj_seconds() - start);
    hk_sim_stats s = hk_sim_statistics(j->sim);
    c.steps = s.steps, c.newton = s.newton, c.factors = s.factorizations;
    c.evaluations = s.newton + s.steps + s.rejected;
    close_sim(j);
  }
  return c;
}

static void compare_hooke(cvj *j, const double *x, const cvj_track *reference, int tries) {
  cvj_track *t = new_track(j);
  static const double scale[] = {1, 10, 0.1};
  for (int i = 0; i < 3; i++) {
    char name[80];
    snprintf(name, sizeof name, "hooke, rtol %g", 1e-7 * scale[i]);
    by_hooke(j, x, scale[i], 1, t);
    errors e = judge(t, reference);
    cvj_cost c = by_hooke(j, x, scale[i], tries, NULL);
    print_row(name, &c, &e);
  }
  free_track(t);
}

#ifdef HAVE_CVODE
/* ---- CVODE --------------------------------------------------------------------------------------
 */

static void compare_cvode(cvj *j, const double *x, const cvj_track *reference, cvj_jacobian kind,
                          double rtol, double atol, double rate, int tries) {
  cvj_track *t = new_track(j);
  cvj_cost c, best = {.seconds = INFINITY};
  char name[80];
  snprintf(name, sizeof name, "CVODE, %s, %g m",
           kind == CVJ_ANALYTIC ? "analytic tangents" : "difference quotients", atol);
  if (cvj_cvode(j, x, kind, rtol, atol, rate, t, &c)) {
    errors e = judge(t, reference);
    for (int i = 0; i < tries; i++)
      if (cvj_cvode(j, x, kind, rtol, atol, rate, NULL, &c) && c.seconds < best.seconds) best = c;
    print_row(name, &best, &e);
  } else {
    printf("| %s | gave up |\n", name);
  }
  free_track(t);
}

/* hooke's stepper and CVODE must agree where both are fine. */
static void confirm(cvj *j, const double *x, const cvj_track *reference) {
  cvj_track *t = new_track(j);
  cvj_cost c;
  open_sim(j, 1);
  hk_sim_state_set(j->sim, x);
  printf("Jacobian for CVODE against central differences: %.1e\n", cvj_cvode_check(j, x));
  if (cvj_cvode(j, x, CVJ_ANALYTIC, 1e-10, 1e-14, 1e4, t, &c)) {
    errors e = judge(t, reference);
    printf("two references (hooke, CVODE) differ by %.1e N m, %.1e m, %.1e m\n\n", e.torque,
           e.axial, e.place);
  }
  close_sim(j);
  free_track(t);
}

/* Tolerances of velocities 1e4/s times those of places, and relative ones of 1e4/m times the
 * absolute ones: the ratios at which CVODE was found to do best. */
static void beside(cvj *j, const double *x, const cvj_track *reference, int tries) {
  static const double atol[] = {1e-9, 3e-10, 1e-10, 3e-11, 1e-11};
  open_sim(j, 1);
  for (int kind = 0; kind < 2; kind++)
    for (int i = 0; i < 5; i++) {
      hk_sim_state_set(j->sim, x);
      compare_cvode(j, x, reference, (cvj_jacobian)kind, 1e4 * atol[i], atol[i], 1e4,
                    kind ? 1 + tries / 4 : tries);
    }
  close_sim(j);
}
#endif

static void compare(const char *path, int tries) {
  cvj j = open_joint(path, 8);
  double *x = settled(&j, 3e-3, 2);
  cvj_track *reference = new_track(&j);
  by_hooke(&j, x, 1e-4, 1, reference);
#ifdef HAVE_CVODE
  confirm(&j, x, reference);
#endif
  print_header();
  compare_hooke(&j, x, reference, tries);
#ifdef HAVE_CVODE
  beside(&j, x, reference, tries);
#endif
  free_track(reference);
  free(x);
  hk_model_destroy(j.model);
}

/* ---- number of balls ----------------------------------------------------------------------------
 */

static void grow(const char *path, int tries) {
  printf(
      "| balls | CPU per revolution [s] | steps | Newton iterations | us per Newton iteration | us "
      "per "
      "Newton iteration and ball |\n|---:|---:|---:|---:|---:|---:|\n");
  for (int balls = 8; balls <= 64; balls *= 2) {
    cvj j = open_joint(path, balls);
    double *x = settled(&j, 1, 0.25);
    j.period = 0.05;
    cvj_cost c = by_hooke(&j, x, 1, tries, NULL);
    double us = 1e6 * c.seconds / (double)c.newton;
    printf("| %d | %.3f | %ld | %ld | %.1f | %.2f |\n", balls, 4 * c.seconds, 4 * c.steps,
           4 * c.newton, us, us / balls);
    fflush(stdout);
    free(x);
    hk_model_destroy(j.model);
  }
}

static void parts(const char *path) {
  for (int balls = 8; balls <= 64; balls *= 2) {
    cvj j = open_joint(path, balls);
    double *x = settled(&j, 1, 0.25);
    open_sim(&j, 1);
    hk_sim_state_set(j.sim, x);
    cvj_parts(&j, balls == 8);
    close_sim(&j);
    free(x);
    hk_model_destroy(j.model);
  }
}

static void repeat(const char *path, int part, int times) {
  cvj j = open_joint(path, 8);
  double *x = settled(&j, 1, 0.25);
  open_sim(&j, 1);
  hk_sim_state_set(j.sim, x);
  cvj_prepare(&j);
  cvj_repeat(j.sim, part, times);
  close_sim(&j);
  free(x);
  hk_model_destroy(j.model);
}

static void march(const char *path) {
  cvj j = open_joint(path, 8);
  double *x = settled(&j, 1, 0);
  cvj_cost c = by_hooke(&j, x, 1, 1, NULL);
  printf("%.3f s, %ld steps, %ld Newton iterations, %ld factorisations\n", c.seconds, c.steps,
         c.newton, c.factors);
  free(x);
  hk_model_destroy(j.model);
}

int main(int argc, char **argv) {
  const char *what = argc > 2 ? argv[1] : "";
  int tries = argc > 3 ? atoi(argv[3]) : 5;
  if (strcmp(what, "run") == 0) {
    compare(argv[2], tries);
  } else if (strcmp(what, "balls") == 0) {
    grow(argv[2], tries);
  } else if (strcmp(what, "parts") == 0) {
    parts(argv[2]);
  } else if (strcmp(what, "march") == 0) {
    march(argv[2]);
  } else if (strcmp(what, "repeat") == 0 && argc > 4) {
    repeat(argv[2], atoi(argv[3]), atoi(argv[4]));
  } else {
    fprintf(stderr, "usage: cv_joint run|balls|parts|march|repeat MODEL [tries]\n");
    return 2;
  }
  return 0;
}
