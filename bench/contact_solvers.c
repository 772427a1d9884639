/* Cost of one complementarity problem, compared with Siconos' lexicographic Lemke solver in the same run.
 *
 *   contact_solvers [repeats]               wall time per problem, wrong answers
 *   contact_solvers count hooke|siconos D   solves 2000 problems of dimension D once, for
 *     valgrind --tool=callgrind --toggle-collect=run_hooke   (or run_siconos)
 *
 * Problems: planar contacts in the Glocker-Studer form, three rows each.  `random` ones have
 * independent directions, `degenerate` ones dependent rows, ties and zeros.  A result is wrong if its solver reports
 * success and hk_lcp_merit is above 1e-8; the same criterion applies to both. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "solve/lcp.h"
#include "support/contact_case.h"

#ifdef HAVE_SICONOS
#include <LCP_Solvers.h>
#include <LinearComplementarityProblem.h>
#include <NumericsMatrix.h>
#include <SolverOptions.h>
#include <lcp_cst.h>
#endif

enum { PROBLEMS = 2000, TOP = 24 };

/* Matrices lie close together, in the order that the solver reads, so that caches weigh little. */
typedef struct problem {
  int n;
  double *M, *q, *by_column;
} problem;

typedef struct solver {
  hk_lemke_work *work;
#ifdef HAVE_SICONOS
  SolverOptions *options;
  NumericsMatrix *matrix[TOP + 1];
#endif
} solver;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Separate functions, so that callgrind can count them alone. */
__attribute__((noinline)) static int run_hooke(solver *s, problem *p, double *z, double *w) {
  return (int)hk_lemke(p->n, p->M, p->q, z, w, s->work, NULL);
}

#ifdef HAVE_SICONOS
__attribute__((noinline)) static int run_siconos(solver *s, problem *p, double *z, double *w) {
  int info = 0;
  NumericsMatrix *m = s->matrix[p->n];
  m->matrix0 = p->by_column;
  LinearComplementarityProblem lcp = {p->n, m, p->q};
  lcp_lexicolemke(&lcp, z, w, &info, s->options);
  return info;
}
#endif

typedef int (*run)(solver *, problem *, double *, double *);

static void make(problem *all, double *memory, int n, int degenerate) {
  static contact_case c;
  double *by_column = memory + PROBLEMS * (n * n + n);
  case_seed = 88172645463325252u + (uint64_t)n;
  for (int k = 0; k < PROBLEMS; k++) {
    problem *p = all + k;
    p->M = memory + k * (n * n + n), p->q = p->M + n * n, p->by_column = by_column + k * n * n;
    do {
      if (degenerate)
        case_degenerate(&c, 2, n / 3, 2);
      else
        case_random(&c, 2, n / 3, 2 * n / 3);
      p->n = n;
      case_lcp(&c, p->M, p->q);
      double least = 0; /* a problem without active contacts prints no line */
      for (int i = 0; i < n; i++) least = p->q[i] < least ? p->q[i] : least;
      if (least < 0) break;
    } while (1);
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) p->by_column[j * n + i] = p->M[i * n + j];
  }
}

static void measure(const char *who, const char *what, run f, solver *s, problem *all, int n,
                    int repeats) {
  double z[TOP], w[TOP], scratch[2 * TOP], best = 1e30;
  int wrong = 0, refused = 0;
  for (int k = 0; k < PROBLEMS; k++) {
    memset(z, 0, sizeof z), memset(w, 0, sizeof w);
    if (f(s, all + k, z, w))
      refused++;
    else if (!(hk_lcp_merit(n, all[k].M, all[k].q, z, scratch) <= 1e-8))
      wrong++;
  }
  for (int r = 0; r < repeats; r++) {
    double t = now();
    for (int k = 0; k < PROBLEMS; k++) f(s, all + k, z, w);
    t = now() - t;
    best = t < best ? t : best;
  }
  printf("%-8s %-10s n = %2d: %8.1f ns, wrong %d, refused %d of %d\n", who, what, n,
         1e9 * best / PROBLEMS, wrong, refused, PROBLEMS);
}

int main(int argc, char **argv) {
  int counting = argc > 3 && strcmp(argv[1], "count") == 0;
  int repeats = argc > 1 && !counting ? atoi(argv[1]) : 50;
  static const int size[] = {3, 6, 12, 24};
  problem *all = malloc(PROBLEMS * sizeof *all);
  solver s = {.work = hk_lemke_work_create(TOP)};
  double *memory = malloc(sizeof *memory * PROBLEMS * (2 * TOP * TOP + TOP));
  if (!all || !memory || !s.work) return 1;
#ifdef HAVE_SICONOS
  s.options = solver_options_create(SICONOS_LCP_LEMKE);
  s.options->filterOn = 0;
  for (int n = 3; n <= TOP; n += 3)
    s.matrix[n] = NM_new(), s.matrix[n]->storageType = NM_DENSE,
    s.matrix[n]->size0 = s.matrix[n]->size1 = n;
#endif
  if (counting) {
    double z[TOP], w[TOP];
    make(all, memory, atoi(argv[3]), 0);
    run f = run_hooke;
#ifdef HAVE_SICONOS
    if (strcmp(argv[2], "siconos") == 0) f = run_siconos;
#endif
    for (int k = 0; k < PROBLEMS; k++) f(&s, all + k, z, w);
    return 0;
  }
  for (int degenerate = 0; degenerate < 2; degenerate++)
    for (size_t a = 0; a < sizeof size / sizeof *size; a++) {
      const char *what = degenerate ? "degenerate" : "random";
      make(all, memory, size[a], degenerate);
      measure("hooke", what, run_hooke, &s, all, size[a], repeats);
#ifdef HAVE_SICONOS
      measure("siconos", what, run_siconos, &s, all, size[a], repeats);
#endif
    }
  hk_lemke_work_free(s.work);
  free(all), free(memory);
  return 0;
}
