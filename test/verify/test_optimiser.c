/* CMA-ES and Nelder-Mead on the usual test functions, compared with NLopt if it is installed. */
#include "statistics/optimiser.h"
#include "support/check.h"
#ifdef HOOKE_NLOPT
#include <nlopt.h>
#endif

/* x in [-5, 5]^n; the optimum is 0, at 0.7 in every coordinate (1 for Rosenbrock). */
typedef struct problem {
  const char *name;
  double (*f)(const double *x, int n);
  int n;
  int64_t budget;
  double reached; /* value that the evolution strategy must reach */
} problem;

static double sphere(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) s += (x[i] - 0.7) * (x[i] - 0.7);
  return s;
}
static double ellipsoid(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) s += pow(1e6, i / (n - 1.0)) * (x[i] - 0.7) * (x[i] - 0.7);
  return s;
}
static double rosenbrock(const double *x, int n) {
  double s = 0;
  for (int i = 0; i + 1 < n; i++)
    s += 100 * pow(x[i + 1] - x[i] * x[i], 2) + (1 - x[i]) * (1 - x[i]);
  return s;
}
static double rastrigin(const double *x, int n) {
  double s = 10 * n;
  for (int i = 0; i < n; i++) s += (x[i] - 0.7) * (x[i] - 0.7) - 10 * cos(2 * M_PI * (x[i] - 0.7));
  return s;
}

static const problem PROBLEM[] = {
    {"sphere", sphere, 5, 3000, 1e-9},           {"sphere", sphere, 10, 6000, 1e-9},
    {"ellipsoid 1e6", ellipsoid, 5, 8000, 1e-9}, {"Rosenbrock", rosenbrock, 5, 12000, 1e-9},
    {"Rosenbrock", rosenbrock, 10, 40000, 1e-9}, {"Rastrigin", rastrigin, 5, 60000, 1e-9},
    {"Rastrigin", rastrigin, 10, 200000, 1e-9}};
enum { N_PROBLEMS = sizeof PROBLEM / sizeof *PROBLEM };

typedef struct counting {
  const problem *p;
  int64_t n, first; /* number of evaluations; number of the first one that reached 1e-8 */
  double best;
} counting;

static double counted(counting *c, const double *x) {
  double v = c->p->f(x, c->p->n);
  c->n++;
  if (v < c->best) c->best = v;
  if (v < 1e-8 && !c->first) c->first = c->n;
  return v;
}

static hk_status evaluate(void *context, const double *u, int count, hk_score *score,
                          hk_error *err) {
  counting *c = context;
  (void)err;
  for (int i = 0; i < count; i++) {
    double x[20];
    for (int k = 0; k < c->p->n; k++) x[k] = 10 * u[i * c->p->n + k] - 5;
    score[i] = (hk_score){counted(c, x), 0};
  }
  return HK_OK;
}

static counting ours(const problem *p, bool simplex) {
  counting c = {.p = p, .best = INFINITY};
  double u[20];
  for (int i = 0; i < p->n; i++) u[i] = 0.2 + 0.03 * i;
  const hk_objective f = {.n = p->n, .context = &c, .evaluate = evaluate};
  const hk_search_options o = {
      .evaluations = p->budget, .seed = 1, .restarts = 9, .tolerance = 1e-14};
  hk_search s = {.x = u};
  hk_error err = {0};
  assert_int_equal(simplex ? hk_nelder_mead(&f, &o, &s, &err) : hk_cma_es(&f, &o, &s, &err), HK_OK);
  return c;
}

#ifdef HOOKE_NLOPT
static double for_nlopt(unsigned n, const double *x, double *gradient, void *data) {
  (void)n;
  (void)gradient;
  return counted(data, x);
}
static counting theirs(const problem *p, nlopt_algorithm algorithm) {
  counting c = {.p = p, .best = INFINITY};
  double x[20], low[20], high[20], value;
  for (int i = 0; i < p->n; i++) x[i] = 10 * (0.2 + 0.03 * i) - 5, low[i] = -5, high[i] = 5;
  nlopt_opt o = nlopt_create(algorithm, (unsigned)p->n);
  nlopt_srand(1);
  nlopt_set_lower_bounds(o, low);
  nlopt_set_upper_bounds(o, high);
  nlopt_set_min_objective(o, for_nlopt, &c);
  nlopt_set_maxeval(o, (int)p->budget);
  nlopt_set_ftol_abs(o, 1e-14);
  nlopt_set_xtol_abs1(o, 1e-10);
  nlopt_optimize(o, x, &value);
  nlopt_destroy(o);
  return c;
}
#endif

static void print(const counting *c) {
  if (c->first)
    printf(" %8lld %8.1e |", (long long)c->first, c->best);
  else
    printf(" %8s %8.1e |", "-", c->best);
}

/* Number of evaluations until 1e-8 is reached, and the best value. */
static void beside_nlopt(void **state) {
  (void)state;
  printf("%-14s  n |   CMA-ES            | Nelder-Mead       |", "function");
#ifdef HOOKE_NLOPT
  printf(" NLopt Nelder-Mead | NLopt Sbplx       | NLopt CRS2        | NLopt ESCH        |");
#else
  printf(" (NLopt is not installed: skipped)");
#endif
  putchar('\n');
  for (int i = 0; i < N_PROBLEMS; i++) {
    const problem *p = &PROBLEM[i];
    counting a = ours(p, false), b = ours(p, true);
    printf("%-14s %2d |", p->name, p->n);
    print(&a);
    print(&b);
#ifdef HOOKE_NLOPT
    counting best = a;
    const nlopt_algorithm list[] = {NLOPT_LN_NELDERMEAD, NLOPT_LN_SBPLX, NLOPT_GN_CRS2_LM,
                                    NLOPT_GN_ESCH};
    best.best = INFINITY;
    for (int k = 0; k < 4; k++) {
      counting c = theirs(p, list[k]);
      print(&c);
      if (c.best < best.best) best = c;
    }
    /* No worse than the best of four. */
    assert_true(a.best <= fmax(10 * best.best, p->reached));
#endif
    putchar('\n');
    assert_true(a.best <= p->reached);
  }
}

/* A bound that excludes the optimum, and a constraint: min x + y with x^2 + y^2 >= 1 in [0, 2]^2,
 * with the optima (1, 0) and (0, 1). */
static hk_status limited(void *context, const double *u, int count, hk_score *score,
                         hk_error *err) {
  (void)context;
  (void)err;
  for (int i = 0; i < count; i++) {
    double x = 2 * u[2 * i], y = 2 * u[2 * i + 1];
    score[i] = (hk_score){x + y, fmax(0, 1 - x * x - y * y)};
  }
  return HK_OK;
}

static void keeps_limits(void **state) {
  (void)state;
  double u[2] = {0.5, 0.6};
  const hk_objective f = {.n = 2, .evaluate = limited};
  const hk_search_options o = {.evaluations = 4000, .seed = 2, .restarts = 3};
  hk_search s = {.x = u};
  hk_error err = {0};
  assert_int_equal(hk_cma_es(&f, &o, &s, &err), HK_OK);
  assert_true(s.best.violation == 0);
  assert_near(s.best.value, 1, 1e-6, "value on the limit");
}

/* Points whose evaluation fails (NaN) are avoided. */
static hk_status failing(void *context, const double *u, int count, hk_score *score,
                         hk_error *err) {
  (void)context;
  (void)err;
  for (int i = 0; i < count; i++)
    score[i] =
        (hk_score){u[2 * i] > 0.5 ? NAN : pow(u[2 * i] - 0.4, 2) + pow(u[2 * i + 1] - 0.9, 2), 0};
  return HK_OK;
}

static void survives_failures(void **state) {
  (void)state;
  for (int simplex = 0; simplex < 2; simplex++) {
    double u[2] = {0.45, 0.5};
    const hk_objective f = {.n = 2, .evaluate = failing};
    const hk_search_options o = {.evaluations = 2000, .seed = 2};
    hk_search s = {.x = u};
    hk_error err = {0};
    assert_int_equal(simplex ? hk_nelder_mead(&f, &o, &s, &err) : hk_cma_es(&f, &o, &s, &err),
                     HK_OK);
    assert_true(s.best.value < 1e-8);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(beside_nlopt), cmocka_unit_test(keeps_limits),
                                     cmocka_unit_test(survives_failures)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
