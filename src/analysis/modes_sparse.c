/* Modes of large models: shift and invert.
 *
 * Without damping, K x = kappa M x with kappa = -s^2; the operator solves
 *   [ K - tau M  G^T ] [ x ]   [ M y ]
 *   [ G          0   ] [ l ] = [ 0   ]      and has the eigenvalues 1/(kappa - tau),
 * largest for the modes nearest to the shift.  With damping, for (d, w) with w = s d,
 *   (K + sigma L + sigma^2 M) x + G^T l = -M w - (L + sigma M) d,  G x = 0,
 * gives the new d = x, w = d + sigma x and the eigenvalues 1/(s - sigma).  One sparse factorisation serves all
 * products.  Because of G x = 0 every vector of the iteration satisfies the constraints.  Massless directions have
 * infinite eigenvalues s; the operator has the eigenvalue zero there, so the iteration does not find them.
 *
 * A massless direction without stiffness and damping makes the matrix singular for every shift. Round-off may hide
 * this, so inverse iteration on a regularised matrix searches for such a direction. */
#include "analysis/krylov.h"
#include "analysis/linearise.h"
#include <complex.h>
#include <stdlib.h>
#include <string.h>

typedef struct inverse {
  const hk_linear *l;
  bool damped;
  double shift;  /* tau or sigma */
  double *rhs;   /* [sys->n] */
  double *a, *b; /* [n] */
} inverse;

static void solve_free(inverse *o, const double *f, double *x) {
  hk_system *sys = o->l->inside->sys;
  int n = o->l->n;
  memset(o->rhs, 0, (size_t)sys->n * sizeof *o->rhs);
  memcpy(o->rhs, f, (size_t)n * sizeof *f);
  hk_linear_solver_solve(sys->solver, o->rhs);
  memcpy(x, o->rhs, (size_t)n * sizeof *x);
}

static hk_status multiply(void *context, const double *y, double *out) {
  inverse *o = context;
  const struct hk_linear_inside *in = o->l->inside;
  int n = o->l->n;
  if (!o->damped) {
    hk_linear_multiply(o->l, in->M, y, o->a);
    solve_free(o, o->a, out);
    return HK_OK;
  }
  const double *d = y, *w = y + n;
  for (int i = 0; i < n; i++) o->b[i] = w[i] + o->shift * d[i];
  hk_linear_multiply(o->l, in->M, o->b, o->a);
  hk_linear_multiply(o->l, in->L, d, o->b);
  for (int i = 0; i < n; i++) o->a[i] = -o->a[i] - o->b[i];
  solve_free(o, o->a, out);
  for (int i = 0; i < n; i++) out[n + i] = d[i] + o->shift * out[i];
  return HK_OK;
}

/* Factorizes the matrix for a shift, including G. */
static hk_status factor(inverse *o, hk_error *err) {
  const hk_linear *l = o->l;
  const struct hk_linear_inside *in = l->inside;
  const hk_block_pattern *p = in->sys->pattern;
  double *A = in->sys->matrix->value;
  double cM = o->damped ? o->shift * o->shift : -o->shift, cL = o->damped ? o->shift : 0;
  for (int i = 0; i < p->nb; i++)
    for (int e = p->row_start[i]; e < p->row_start[i + 1]; e++) {
      bool node = i < l->model->n_nodes && p->column[e] < l->model->n_nodes;
      size_t at = p->value_start[e], end = at + (size_t)p->size[i] * p->size[p->column[e]];
      for (; at < end; at++) A[at] = node ? in->K[at] + cL * in->L[at] + cM * in->M[at] : in->M[at];
    }
  hk_status status = hk_linear_solver_factor(in->sys->solver, in->sys->matrix);
  if (status == HK_RETRY)
    return hk_fail(err, HK_RETRY, "the shift %g is an eigenvalue; choose another", o->shift);
  return status ? hk_fail(err, status, "out of memory: factorisation") : HK_OK;
}

/* Computes a pseudo-random free motion, and the magnitude of kappa: x.Kx/x.Mx. */
static hk_status start(inverse *o, double *x, double *kappa, hk_error *err) {
  const struct hk_linear_inside *in = o->l->inside;
  int n = o->l->n;
  o->shift = o->damped ? 1 : -1;
  hk_status status = HK_RETRY;
  /* Finds a shift for which the matrix is regular. */
  for (int k = 0; k < 8 && status == HK_RETRY; k++, o->shift *= 7.3) status = factor(o, err);
  if (status) return status;
  for (int i = 0; i < n; i++) x[i] = sin(1.3 + 78.233 * i) + 0.1;
  hk_linear_multiply(o->l, in->M, x, o->a);
  solve_free(o, o->a, x);
  double work = 0, mass = 0, force = 0, momentum = 0;
  hk_linear_multiply(o->l, in->K, x, o->a);
  hk_linear_multiply(o->l, in->M, x, o->b);
  for (int i = 0; i < n; i++) {
    work += x[i] * o->a[i], mass += x[i] * o->b[i];
    force += o->a[i] * o->a[i], momentum += o->b[i] * o->b[i];
  }
  *kappa = mass > 0 ? fabs(work / mass) : 1;
  /* A skew-symmetric K (a follower torque) does no work; without K any scale is suitable. */
  if (!(*kappa > 1e-9 * sqrt(force / momentum))) *kappa = force > 0 ? sqrt(force / momentum) : 1;
  return HK_OK;
}

/* ---- massless bodies ---- */

static double length(const double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += x[i] * x[i];
  return sqrt(sum);
}

static double largest(const hk_linear *l, const double *A) {
  const hk_block_pattern *p = l->inside->sys->pattern;
  int nodes = l->model->n_nodes;
  double most = 0;
  for (int i = 0; i < nodes; i++)
    for (int e = p->row_start[i]; e < p->row_start[i + 1] && p->column[e] < nodes; e++)
      for (int k = 0; k < p->size[i] * p->size[p->column[e]]; k++)
        most = fmax(most, fabs(A[p->value_start[e] + (size_t)k]));
  return most;
}

/* Fills K + rate L + size (S + 1e-9), where S projects onto directions with mass.  *massless
 * returns the number of directions without mass. */
static hk_status fill_hold(const inverse *o, double rate, double size, int *massless,
                           hk_error *err) {
  const struct hk_linear_inside *in = o->l->inside;
  const hk_block_pattern *p = in->sys->pattern;
  double *A = in->sys->matrix->value;
  int nodes = o->l->model->n_nodes;
  memcpy(A, in->M, in->sys->matrix->n_value * sizeof *A);
  *massless = 0;
  for (int i = 0; i < nodes; i++) {
    int without, nv = p->size[i];
    double S[nv * nv];
    hk_status status = hk_inertia_directions(o->l, i, S, &without, err);
    if (status) return status;
    *massless += without;
    for (int e = p->row_start[i]; e < p->row_start[i + 1] && p->column[e] < nodes; e++)
      for (int k = 0; k < nv * p->size[p->column[e]]; k++) {
        size_t at = p->value_start[e] + (size_t)k;
        A[at] = in->K[at] + rate * in->L[at];
        if (p->column[e] == i) A[at] += size * (S[k] + (k % (nv + 1) == 0 ? 1e-9 : 0));
      }
  }
  return HK_OK;
}

/* Inverse iteration that finds the free motion with the smallest resistance. A massless motion without resistance is
 * an eigenvector with the eigenvalue 1e-9 size; A x with A = K + rate L + size S then contains only reactions. */
static hk_status check_held(inverse *o, double *x, int *massless, hk_error *err) {
  hk_system *sys = o->l->inside->sys;
  int n = o->l->n;
  double k = largest(o->l, o->l->inside->K), d = largest(o->l, o->l->inside->L);
  double rate = k > 0 && d > 0 ? k / d : 1, size = k > 0 ? k : d > 0 ? d : 1, change = 0;
  hk_status status = fill_hold(o, rate, size, massless, err);
  if (status || *massless == 0) return status;
  status = hk_linear_solver_factor(sys->solver, sys->matrix);
  if (status) return status < 0 ? hk_fail(err, status, "out of memory: factorisation") : HK_OK;
  for (int i = 0; i < n; i++) x[i] = sin(2.1 + 45.164 * i) + 0.1;
  for (int pass = 0; pass < 4; pass++) {
    memcpy(o->a, x, (size_t)n * sizeof *x);
    solve_free(o, o->a, x);
    double scale = length(x, n);
    if (!(scale > 0) || !isfinite(scale)) return HK_OK;
    for (int i = 0; i < n; i++) x[i] /= scale;
    change = scale * 1e-9 * size;
  }
  /* 1 if there is no stiffness; otherwise 1e-9 divided by the relative stiffness. */
  return fabs(change - 1) < 0.01 ? hk_dangling(o->l, x, err) : HK_OK;
}

/* ---- modes ---- */

static hk_status collect(inverse *o, const hk_krylov_result *r, bool shapes, hk_modes *out,
                         hk_error *err) {
  const hk_linear *l = o->l;
  int size = o->damped ? 2 * l->n : l->n, each = o->damped ? 1 : 2;
  /* Reactions do no work on free motions, unless friction adds to them. */
  bool balanced = hk_linear_is_ideal(l);
  double complex *x = calloc((size_t)l->n + 1, sizeof *x);
  hk_status status = x ? hk_modes_allocate(out, each * r->n, shapes ? l->n : 0, err)
                       : hk_fail(err, HK_ENOMEM, "out of memory");
  double largest = 0;
  for (int i = 0; i < r->n && !status; i++) {
    double complex theta = r->re[i] + I * r->im[i];
    double complex s = o->damped ? o->shift + 1 / theta : csqrt(-(o->shift + 1 / theta));
    const double *v = r->vector + 2 * (size_t)size * (size_t)i;
    for (int c = 0; c < l->n; c++) x[c] = v[c] + I * v[size + c];
    if (balanced && hk_modes_is_zero(l, creal(s), cimag(s), x)) s = 0;
    if (cabs(s) <= hk_modes_state_zero(l, x)) s = 0;
    largest = fmax(largest, cabs(s));
    for (int k = 0; k < each; k++) {
      hk_mode *mode = &out->mode[out->n++];
      mode->re = creal(k ? -s : s);
      mode->im = cimag(k ? -s : s);
      if (shapes) hk_modes_put_shape(x, l->n, (double *)mode->shape);
    }
  }
  double noise = hk_modes_noise(2 * l->dof), zero = balanced ? 0 : sqrt(noise) * largest;
  if (!status)
    hk_modes_finish(out, zero, fmax(o->damped ? noise * largest : 0, hk_modes_state_noise(l)));
  free(x);
  return status;
}

static hk_status run(inverse *o, const hk_modes_options *options, double *x, hk_modes *out,
                     hk_error *err) {
  const hk_linear *l = o->l;
  double kappa, given = options ? options->shift : 0;
  int count = options && options->count > 0 ? options->count : 20;
  hk_status status = start(o, x, &kappa, err);
  if (status) return status;
  /* The shift is not exactly zero, because free motions would then make the matrix singular. */
  double beside = 1e-4 * kappa;
  o->shift =
      o->damped ? (given != 0 ? given : sqrt(beside)) : -given * given - (given != 0 ? 0 : beside);
  status = HK_RETRY;
  for (int k = 0; k < 6 && status == HK_RETRY; k++) {
    status = factor(o, err);
    if (status == HK_RETRY) o->shift = o->shift * 1.37 + (o->damped ? 1 : -1) * beside;
  }
  if (status) return status;
  if (o->damped) memcpy(x + l->n, x, (size_t)l->n * sizeof *x);
  hk_krylov k = {.n = o->damped ? 2 * l->n : l->n,
                 .wanted = o->damped ? count : (count + 1) / 2,
                 .most = o->damped ? 2 * l->dof : l->dof,
                 .tolerance = 1e-11,
                 .max_products = 20000,
                 .multiply = multiply,
                 .context = o,
                 .progress = options ? options->progress : NULL,
                 .progress_context = options ? options->context : NULL};
  hk_krylov_result r;
  status = hk_krylov_solve(&k, x, &r, err);
  if (status) return status;
  status = collect(o, &r, !options || !options->values_only, out, err);
  out->iterations = r.products;
  out->complete = r.exhausted;
  hk_krylov_free(&r);
  return status;
}

hk_status hk_modes_sparse(const hk_linear *l, const hk_modes_options *options, hk_modes *out,
                          hk_error *err) {
  const struct hk_linear_inside *in = l->inside;
  if (!l->sparse)
    return hk_fail(err, HK_EINPUT,
                   "the linear model is dense; use a smaller dense_limit in hk_linear_create");
  size_t n = (size_t)l->n, rows = (size_t)in->sys->n;
  inverse o = {.l = l};
  for (size_t i = 0; i < in->sys->matrix->n_value && !o.damped; i++) {
    /* The blocks of L for multipliers contain G. These blocks are excluded here, so that the result depends only on
     * the blocks of the nodes. */
    if (in->L[i] != 0 && in->L[i] != in->M[i]) o.damped = true;
  }
  double *x = calloc(2 * n + rows + 2 * n + 1, sizeof *x);
  if (!x) return hk_fail(err, HK_ENOMEM, "out of memory");
  o.rhs = x + 2 * n, o.a = o.rhs + rows, o.b = o.a + n;
  int massless = 0;
  hk_status status = check_held(&o, x, &massless, err);
  if (!status && l->dof > 0) status = run(&o, options, x, out, err);
  if (status > 0)
    status = hk_fail(err, HK_EFAIL,
                     "the equations are singular at all shifts near the requested eigenvalues; a "
                     "massless body may be unconstrained; otherwise choose another shift");
  if (l->dof == 0) out->complete = true;
  /* The number of massless directions that the joints leave free is known only if all modes are computed. */
  out->n_infinite = massless == 0 ? 0 : out->complete ? 2 * l->dof - out->n : -1;
  out->method = "sparse";
  free(x);
  return status;
}
