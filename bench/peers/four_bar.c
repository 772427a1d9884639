#include "four_bar.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* Of this thread, which is the only one: under a limit of CPU time, which bench/run sets, Linux brings the clock of a
 * process forward by whole ticks of some milliseconds, and short runs would seem to take none. */
static double cpu_now(void) {
  struct timespec ts;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts);
  return (double)ts.tv_sec + 1e-9 * (double)ts.tv_nsec;
}

/* All verticals turn at -1 rad/s (B0 then moves at +1 m/s along x); horizontals only translate. */
static void set_initial_state(four_bar *fb) {
  for (int i = 0; i < fb->links; i++) {
    double *q = fb->q + 3 * i, *v = fb->v + 3 * i;
    int vertical = i <= fb->N;
    q[0] = vertical ? i : i - fb->N - 0.5;
    q[1] = vertical ? 0.5 : 1.0;
    q[2] = vertical ? FOUR_BAR_PI / 2 : 0.0;
    v[0] = vertical ? 0.5 : 1.0;
    v[1] = 0.0;
    v[2] = vertical ? -1.0 : 0.0;
  }
}

int four_bar_open(four_bar *fb, const char *peer, int argc, char **argv) {
  const four_bar zero = {0};
  *fb = zero;
  fb->peer = peer;
  if (argc < 4) {
    fprintf(stderr, "usage: four_bar_%s N T step-or-tolerance [variant]\n", peer);
    return 2;
  }
  fb->N = atoi(argv[1]);
  fb->T = atof(argv[2]);
  fb->param = atof(argv[3]);
  fb->variant = argc > 4 ? argv[4] : "";
  if (fb->N < 1 || fb->N > 1000000 || !(fb->T > 0) || !(fb->param > 0)) {
    fprintf(stderr, "four_bar_%s: N, T and the parameter must be positive\n", peer);
    return 2;
  }
  fb->links = 2 * fb->N + 1;
  const char *sample = getenv("FOUR_BAR_SAMPLE"), *limit = getenv("FOUR_BAR_LIMIT");
  fb->sample = !sample || atoi(sample) != 0;
  fb->limit = limit ? atof(limit) : 0.0;
  fb->q = calloc(3 * (size_t)fb->links, sizeof *fb->q);
  fb->v = calloc(3 * (size_t)fb->links, sizeof *fb->v);
  if (!fb->q || !fb->v) {
    fprintf(stderr, "four_bar_%s: out of memory\n", peer);
    return 2;
  }
  set_initial_state(fb);
  fb->E0 = four_bar_energy(fb);
  fb->side = 1.0;
  fb->status = "ok";
  return 0;
}

int four_bar_joints(const four_bar *fb) { return 3 * fb->N + 1; }

four_bar_joint four_bar_joint_at(const four_bar *fb, int k) {
  int N = fb->N;
  four_bar_joint j = {0, -1, -0.5, 0.0, 0.0};
  if (k <= N) { /* A_k */
    j.a = k;
    j.xb = k;
  } else { /* left, then right end of each horizontal link */
    int i = (k - N - 1) / 2, right = (k - N - 1) % 2;
    j.a = N + 1 + i;
    j.sa = right ? 0.5 : -0.5;
    j.b = i + right;
    j.sb = 0.5;
  }
  return j;
}

double four_bar_energy(const four_bar *fb) {
  double E = 0.0;
  for (int i = 0; i < fb->links; i++) {
    const double *q = fb->q + 3 * i, *v = fb->v + 3 * i;
    E += 0.5 * (v[0] * v[0] + v[1] * v[1] + FOUR_BAR_INERTIA * v[2] * v[2]) + FOUR_BAR_G * q[1];
  }
  return E;
}

static double largest_gap(const four_bar *fb) {
  double worst = 0.0;
  for (int k = 0; k < four_bar_joints(fb); k++) {
    four_bar_joint j = four_bar_joint_at(fb, k);
    const double *a = fb->q + 3 * j.a;
    double x = a[0] + j.sa * cos(a[2]) - j.xb, y = a[1] + j.sa * sin(a[2]);
    if (j.b >= 0) {
      const double *b = fb->q + 3 * j.b;
      x -= b[0] + j.sb * cos(b[2]);
      y -= b[1] + j.sb * sin(b[2]);
    }
    double gap = hypot(x, y);
    if (!(gap <= worst)) worst = gap;
  }
  return worst;
}

int four_bar_observe(four_bar *fb, double t) {
  double dE = fabs(four_bar_energy(fb) - fb->E0), gap = largest_gap(fb);
  double y = fb->q[1] + 0.5 * sin(fb->q[2]);
  if (y * fb->side < 0) fb->passed_singular++;
  if (y != 0) fb->side = y;
  if (!(dE <= fb->energy_error)) fb->energy_error = dE;
  if (!(gap <= fb->constraint_error)) fb->constraint_error = gap;
  fb->t = t;
  if (!isfinite(dE) || !isfinite(gap)) {
    fb->status = "not finite";
    return 1;
  }
  if (fb->limit > 0 && fb->energy_error > fb->limit) {
    fb->status = "energy limit";
    return 1;
  }
  return 0;
}

void four_bar_clock_start(four_bar *fb) { fb->cpu0 = cpu_now(); }
void four_bar_clock_stop(four_bar *fb) { fb->cpu = cpu_now() - fb->cpu0; }

/* JSON has no inf or nan. */
static void print_number(const char *name, double x) {
  if (isfinite(x))
    printf(",\"%s\":%.12g", name, x);
  else
    printf(",\"%s\":null", name);
}

int four_bar_close(four_bar *fb) {
  four_bar_observe(fb, fb->t);
  double parallel = 0.0;
  for (int i = 1; i <= fb->N; i++) {
    double d = fabs(remainder(fb->q[3 * i + 2] - fb->q[2], 2 * FOUR_BAR_PI));
    if (!(d <= parallel)) parallel = d;
  }
  printf("{\"peer\":\"%s\",\"variant\":\"%s\",\"N\":%d", fb->peer, fb->variant, fb->N);
  print_number("T", fb->T);
  print_number("param", fb->param);
  printf(",\"steps\":%ld", fb->steps);
  print_number("cpu_s", fb->cpu);
  print_number("t_reached", fb->t);
  print_number("energy_error_J", fb->energy_error);
  print_number("x_end", fb->q[0] + 0.5 * cos(fb->q[2]));
  print_number("y_end", fb->q[1] + 0.5 * sin(fb->q[2]));
  print_number("constraint_error_m", fb->constraint_error);
  print_number("parallel_error_rad", parallel);
  printf(",\"passed_singular\":%d,\"sampled\":%s,\"status\":\"%s\"}\n", fb->passed_singular,
         fb->sample ? "true" : "false", fb->status);
  int ok = fb->status[0] == 'o' && fb->status[1] == 'k';
  free(fb->q);
  free(fb->v);
  return ok ? 0 : 1;
}
