/* Modes of N four-bars in a row (examples/benchmarks/a02_four_bar.yaml, hanging at rest): the sparse
 * method against the dense one.  Every case runs in a process of its own, so that its peak memory
 * is its own.  usage: micro_modes MODEL [largest N of the dense method] */
#include <hooke/hooke.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

typedef struct outcome {
  double linearise, modes; /* s */
  double omega;
  int coordinates, dof;
} outcome;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool solve(const char *path, int n, bool dense, outcome *out) {
  char count[16];
  snprintf(count, sizeof count, "%d", n);
  const hk_override set[] = {
      {"N", count}, {"v0", "0 m/s"}, {"forces.gravity.acceleration", "[0, 9.81 m/s^2, 0]"}};
  hk_diag diag;
  hk_error err = {0};
  hk_diag_init(&diag);
  hk_spec *spec = hk_model_file_read(path, set, 3, &diag);
  hk_model *model = spec ? hk_model_compile(spec, &diag) : NULL;
  hk_sim *sim = NULL;
  hk_linear *linear = NULL;
  hk_modes modes = {0};
  hk_static_report report;
  const hk_linear_options o = {.dense_limit = dense ? 100000 : 1};
  bool ok = model && !hk_static_solve(model, NULL, &sim, &report, &diag, &err);
  double t0 = now();
  ok = ok && !hk_linear_create(sim, &o, &linear, &diag, &err);
  double t1 = now();
  ok = ok && !hk_modes_solve(linear, NULL, &modes, &err);
  if (ok) {
    *out = (outcome){t1 - t0, now() - t1, modes.mode[0].im, linear->n, linear->dof};
  } else {
    fprintf(stderr, "%s\n", err.text);
  }
  hk_modes_free(&modes);
  hk_linear_destroy(linear);
  hk_sim_destroy(sim);
  hk_model_destroy(model);
  hk_diag_free(&diag);
  return ok;
}

static void report(const char *path, int n, bool dense) {
  int pipe_end[2];
  if (pipe(pipe_end)) return;
  pid_t child = fork();
  if (child < 0) return;
  if (child == 0) {
    outcome out;
    bool ok = solve(path, n, dense, &out);
    if (ok && write(pipe_end[1], &out, sizeof out) != sizeof out) ok = false;
    _exit(ok ? 0 : 1);
  }
  close(pipe_end[1]);
  outcome out;
  bool ok = read(pipe_end[0], &out, sizeof out) == sizeof out;
  close(pipe_end[0]);
  struct rusage usage;
  int status;
  wait4(child, &status, 0, &usage);
  if (ok)
    printf("%-7s %5d %12d %4d %13.4f %10.4f %11.1f %14.9f\n", dense ? "dense" : "sparse", n,
           out.coordinates, out.dof, out.linearise, out.modes, (double)usage.ru_maxrss / 1024,
           out.omega);
  fflush(stdout);
}

int main(int argc, char **argv) {
  if (argc < 2) {
    fprintf(stderr, "usage: micro_modes MODEL [largest N of the dense method]\n");
    return 2;
  }
  int most = argc > 2 ? atoi(argv[2]) : 80;
  printf("%-7s %5s %12s %4s %13s %10s %11s %14s\n", "method", "N", "coordinates", "dof",
         "linearise [s]", "modes [s]", "memory [MB]", "omega [rad/s]");
  for (int n = 10; n <= most; n *= 2) report(argv[1], n, true);
  for (int n = 10; n <= 640; n *= 2) report(argv[1], n, false);
  return 0;
}
