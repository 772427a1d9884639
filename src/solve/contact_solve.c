/* The sequence of contact solvers; contact_merit.c decides which result is accepted.
 *
 *   no approaching contact P = 0
 *   one contact            closed form
 *   planar, few contacts   Lemke (Glocker-Studer), then the copositive form
 *   others                 Newton from the initial guess, Gauss-Seidel and Newton alternately,
 *                          then from the solution for a polyhedral cone */
#include "solve/contact_private.h"

typedef struct attempt {
  const hk_contact_problem *p;
  hk_contact_work *k;
  hk_contact_result r;
} attempt;

/* Stores k->P if this result is better than the best result so far. Returns true if the result is accepted. */
static bool judge(attempt *a, hk_contact_solver solver) {
  hk_contact_work *k = a->k;
  hk_contact_expand(k, a->p, k->P, k->full);
  double merit = hk_contact_merit(a->p, k->full);
  if (merit < a->r.merit) {
    a->r.merit = merit, a->r.solver = solver;
    double *swap = k->best;
    k->best = k->full, k->full = swap;
  }
  return merit <= HK_CONTACT_TOL;
}

static void restart(attempt *a, const double *from) {
  for (int i = 0; i < a->k->s.rows; i++) a->k->P[i] = from ? from[i] : 0;
}

/* After Newton's method has reached the tolerance, one more iteration reduces the error to round-off. So this
 * iteration is always made. */
static bool try_newton(attempt *a, int steps) {
  a->r.iterations += hk_contact_newton(a->k, a->k->P, steps);
  return judge(a, HK_CONTACT_NEWTON);
}

static bool try_nsgs(attempt *a, int sweeps) {
  a->r.iterations += hk_contact_nsgs(a->k, a->k->P, sweeps);
  return judge(a, HK_CONTACT_NSGS);
}

static bool try_direct(attempt *a) {
  const hk_contact_scaled *s = &a->k->s;
  bool open = true;
  for (int i = 0; i < s->contacts; i++) open &= s->b[s->dim * i] >= 0;
  restart(a, NULL);
  if (judge(a, HK_CONTACT_DIRECT) && (open || a->r.merit < 1e-14)) return true;
  if (open || s->contacts != 1) return false;
  return hk_contact_local(s->dim, s->G, s->rows, s->b, s->mu[0], a->k->P) &&
         judge(a, HK_CONTACT_DIRECT);
}

/* A result that is nearly acceptable is improved by Newton steps. */
static bool try_lemke(attempt *a) {
  hk_contact_work *k = a->k;
  if (hk_contact_lemke_planar(k, k->P, &a->r.pivots) &&
      (judge(a, HK_CONTACT_LEMKE) || try_newton(a, 5)))
    return true;
  return hk_contact_lemke_facets(k, 2, k->P, &a->r.pivots) &&
         (judge(a, HK_CONTACT_POLYHEDRAL) || try_newton(a, 5));
}

static bool try_polyhedral(attempt *a) {
  hk_contact_work *k = a->k;
  return hk_contact_lemke_facets(k, k->facets, k->P, &a->r.pivots) &&
         judge(a, HK_CONTACT_POLYHEDRAL);
}

/* Tries polyhedral cones with more and more sides, whose solution approaches the exact one. */
static bool try_finer_cones(attempt *a) {
  hk_contact_work *k = a->k;
  for (int facets = k->facets; facets <= 4 * k->facets; facets *= 2)
    if (hk_contact_lemke_facets(k, facets, k->P, &a->r.pivots) &&
        (judge(a, HK_CONTACT_POLYHEDRAL) || try_newton(a, 60) || try_nsgs(a, 50) ||
         try_newton(a, 60)))
      return true;
  return false;
}

static bool try_iterations(attempt *a) {
  restart(a, a->k->start);
  if (try_newton(a, 40)) return true;
  for (int sweeps = 20; sweeps <= 500; sweeps *= 5) {
    if (sweeps == 20) restart(a, a->k->start);
    if (try_nsgs(a, sweeps)) return true;
    memcpy(a->k->start, a->k->P, (size_t)a->k->s.rows * sizeof *a->k->P);
    if (try_newton(a, 40)) return true;
    restart(a, a->k->start); /* if Newton's method diverged, Gauss-Seidel continues from its own
                              * last point */
  }
  return false;
}

/* Continuation: the friction coefficients are increased in steps, and Newton's method is used after each increase. */
static bool try_continuation(attempt *a) {
  hk_contact_scaled *s = &a->k->s;
  enum { STEPS = 16 };
  restart(a, NULL);
  for (int step = 0; step <= STEPS; step++) {
    double share = pow(2, step - STEPS) * (step > 0);
    for (int i = 0; i < s->contacts; i++) s->mu[i] = share * a->p->mu[i];
    a->r.iterations += hk_contact_newton(a->k, a->k->P, 30);
    a->r.iterations += hk_contact_nsgs(a->k, a->k->P, 10);
  }
  return judge(a, HK_CONTACT_NSGS) || try_newton(a, 60) || try_nsgs(a, 200) || try_newton(a, 60);
}

/* Last resort: Newton's method from starting points spread over the cones by the golden ratio. */
static bool try_spread(attempt *a) {
  const hk_contact_scaled *s = &a->k->s;
  enum { STARTS = 200 };
  for (int start = 0; start < STARTS; start++) {
    for (int i = 0; i < s->rows; i++) {
      double x = 0.6180339887498949 * (start + 1) * (i + 1) + 0.1 * i;
      x -= floor(x);
      a->k->P[i] = i % s->dim ? (2 * x - 1) * s->mu[i / s->dim] : pow(10, 4 * x - 2);
      if (i % s->dim) a->k->P[i] *= a->k->P[i - i % s->dim];
    }
    if (try_newton(a, 60)) return true;
  }
  return false;
}

static bool try_all(attempt *a) {
  const hk_contact_scaled *s = &a->k->s;
  if (try_direct(a)) return true;
  bool few = s->dim == 2 && s->contacts <= HK_CONTACT_LEMKE_CONTACTS;
  if (few && try_lemke(a)) return true;
  if (try_iterations(a)) return true;
  if (!few && (s->dim == 2 ? try_lemke(a) : try_finer_cones(a))) return true;
  if (try_continuation(a) || try_spread(a)) return true;
  restart(a, NULL);
  return try_nsgs(a, 5000) || try_newton(a, 60);
}

static bool try_one(attempt *a, hk_contact_solver solver) {
  switch (solver) {
    case HK_CONTACT_DIRECT:
      return try_direct(a);
    case HK_CONTACT_LEMKE:
      return hk_contact_lemke_planar(a->k, a->k->P, &a->r.pivots) && judge(a, solver);
    case HK_CONTACT_NEWTON:
      return restart(a, a->k->start), try_newton(a, 200);
    case HK_CONTACT_NSGS:
      return restart(a, a->k->start), try_nsgs(a, 20000);
    case HK_CONTACT_POLYHEDRAL:
      return try_polyhedral(a);
    default:
      return try_all(a);
  }
}

/* Solves a single planar contact without copying or scaling. */
static bool planar_at_once(const hk_contact_problem *p, double *P, double *xi,
                           hk_contact_result *r) {
  double x[2] = {0};
  if (!(p->mu[0] >= 0) || !hk_contact_local(2, p->G, 2, p->b, p->mu[0], x)) return false;
  r->merit = hk_contact_merit(p, x);
  if (!(r->merit <= HK_CONTACT_TOL)) return false;
  r->status = HK_OK, r->solver = HK_CONTACT_DIRECT;
  for (int i = 0; i < 2; i++) P[i] = x[i];
  for (int i = 0; i < 2; i++) xi[i] = p->b[i] + p->G[2 * i] * x[0] + p->G[2 * i + 1] * x[1];
  return true;
}

hk_status hk_contact_solve_with(hk_contact_solver solver, const hk_contact_problem *p, double *P,
                                double *xi, hk_contact_work *k, hk_contact_result *r) {
  attempt a = {.p = p, .k = k, .r = {.status = HK_RETRY, .merit = HUGE_VAL}};
  hk_contact_result spare;
  if (!r) r = &spare;
  *r = a.r;
  bool alone = p->dim == 2 && p->contacts == 1 && p->bilateral == 0;
  if (alone && solver <= HK_CONTACT_DIRECT && planar_at_once(p, P, xi, r)) return HK_OK;
  const int n = hk_contact_problem_rows(p);
  r->status = HK_EINPUT;
  if (p->dim != k->dim || p->contacts < 0 || p->contacts > k->max_contacts || p->bilateral < 0 ||
      p->bilateral > k->max_bilateral || hk_contact_reduce(k, p, P))
    return HK_EINPUT;
  for (int i = 0; i < n; i++) k->best[i] = 0;
  a.r.status = try_one(&a, solver) ? HK_OK : HK_RETRY;
  for (int i = 0; i < n; i++) {
    double sum = p->b[i];
    for (int j = 0; j < n; j++) sum += p->G[i * n + j] * k->best[j];
    xi[i] = sum, P[i] = k->best[i];
  }
  *r = a.r;
  return r->status;
}

hk_status hk_contact_solve(const hk_contact_problem *p, double *P, double *xi, hk_contact_work *k,
                           hk_contact_result *r) {
  return hk_contact_solve_with(HK_CONTACT_AUTO, p, P, xi, k, r);
}
