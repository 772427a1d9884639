/* The N-four-bar (IFToMM library problem A02) as every contestant sees it: the mechanism's data and
 * one observer that judges all of them by the same arithmetic.
 *
 * N windows in a row: N+1 vertical links 0..N (A_i = (i,0) to B_i) and N horizontal links N+1..2N
 * (B_i to B_{i+1}), each 1 m, 1 kg, uniform. A contestant hands over, per link, the centre of mass
 * and the angle of the link's axis (A to B, or left to right) with the x axis, and their rates. The
 * observer computes energy and joint gaps from these alone, never from what a library reports.
 *
 * Environment: FOUR_BAR_SAMPLE=0 leaves the observer out of the marching loop (for timing);
 * FOUR_BAR_LIMIT=<J> ends the run as soon as the energy error exceeds the limit. */
#ifndef FOUR_BAR_H
#define FOUR_BAR_H

#ifdef __cplusplus
extern "C" {
#endif

#define FOUR_BAR_G 9.81
#define FOUR_BAR_INERTIA (1.0 / 12.0)
#define FOUR_BAR_PI 3.14159265358979323846

typedef struct four_bar {
  const char *peer;
  int N;               /* windows */
  int links;           /* 2N+1 */
  double T;            /* simulated time, s */
  double param;        /* step in s, or tolerance */
  const char *variant; /* optional fourth argument, "" when absent */
  int sample;          /* observe every step */
  double limit;        /* J; 0: none */
  double *q, *v;       /* per link x, y, phi and rates: what four_bar_observe reads */
  double E0, energy_error, constraint_error;
  int passed_singular; /* times the links lay on one line */
  double side;         /* y of B0 at the last observation */
  double t;            /* time reached */
  long steps;
  double cpu0, cpu;
  const char *status;
} four_bar;

/* A joint of the mechanism: end `sa` (-0.5 or +0.5 along the axis) of link a meets end `sb` of link
 * b, or the ground point (xb, 0) where b < 0. There are 3N+1. */
typedef struct four_bar_joint {
  int a, b;
  double sa, sb, xb;
} four_bar_joint;

/* Reads `N T param [variant]`, fills q and v with the initial state. Returns 0, or prints and
 * returns 2. */
int four_bar_open(four_bar *fb, const char *peer, int argc, char **argv);
int four_bar_joints(const four_bar *fb);
four_bar_joint four_bar_joint_at(const four_bar *fb, int k);
double four_bar_energy(const four_bar *fb);

/* Judges fb->q, fb->v at time t. Returns 1 when the run should end (limit exceeded or not finite).
 */
int four_bar_observe(four_bar *fb, double t);
void four_bar_clock_start(four_bar *fb);
void four_bar_clock_stop(four_bar *fb);
/* Observes the final state, prints the JSON line, frees. Returns the exit code. */
int four_bar_close(four_bar *fb);

/* Written by every contestant: marches from 0 to fb->T. Its own symbol, so that callgrind can
 * collect in it alone (--toggle-collect=four_bar_march). Fills fb->q, fb->v at the end, and before
 * every four_bar_observe. */
void four_bar_march(four_bar *fb, void *contestant) __attribute__((noinline));

#ifdef __cplusplus
}
#endif
#endif
