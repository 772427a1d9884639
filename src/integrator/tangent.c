/* Derivative of a step of generalized-alpha: see tangent.h.
 *
 * With u = T^-1(-D) d0 + (change of D by the start of the step) and the unknown d1, a change in node axes at the end:
 *
 *   vd1 = ca (T^-1(D) d1 - u),   w1 = p + cv (T^-1(D) d1 - u)
 *   M vd1 + C w1 + K d1 + (G^T + F) dlambda + F shift0 - (df/dmemory) memory0 = 0,   G d1 = 0
 *
 * F: friction that depends on the reactions of joints.  p: change of v1 by the start of the step. */
#include "integrator/tangent.h"
#include "integrator/smooth/alpha_tangent.h"
#include "integrator/smooth/generalized_alpha.h"
#include <stdlib.h>
#include <string.h>

struct hk_tangent {
  hk_sim *s;
  hk_system *A, *C, *K; /* the step's matrix with its factorization, damping, stiffness */
  double *D, *back;     /* [nv] rotation of the step, and its negative */
  double *u, *p;        /* [nv] see above */
  double *d, *vd, *w;   /* [nv] */
  double *e;            /* [nv] T^-1(D) d1 - u */
  double *r, *y;        /* [A->n], [nv] */
  double *lambda;       /* [nc] */
  double *rows, *moved; /* [nc] */
  double *mu;           /* [nc] kept rows */
  double *full;         /* [nc] lambda with shift */
  double *turned;       /* [nc] */
  double *memory;       /* [2 n_memory] */
  double *x;            /* a state */
  /* [n][2 nc + nv] further data of each column: changes of the velocity rows and of lambda, and changes of the forces
   * due to the internal variables of elements */
  double *extra;
  int room;       /* number of columns for which `extra` is allocated */
  bool remembers; /* forces depend on the internal variables of elements: see depends_on_memory */
  double *block;
};

hk_column_parts hk_column_at(const hk_model *m) {
  hk_column_parts p = {.w = m->nv, .vd = 2 * m->nv, .a = 3 * m->nv, .shift = 4 * m->nv};
  p.memory = p.shift + m->nc;
  p.size = p.memory + m->n_memory;
  return p;
}

int hk_tangent_size(const hk_tangent *t) { return hk_column_at(t->s->model).size; }

void hk_tangent_destroy(hk_tangent *t) {
  if (!t) return;
  hk_system_destroy(t->A);
  hk_system_destroy(t->C);
  hk_system_destroy(t->K);
  free(t->extra);
  free(t->block);
  free(t);
}

static hk_status allocate(hk_tangent *t) {
  const hk_sim *s = t->s;
  const hk_model *m = s->model;
  size_t nv = (size_t)m->nv, nc = (size_t)m->nc;
  size_t n = 9 * nv + (nv + nc) + 6 * nc + 2 * (size_t)m->n_memory + (size_t)s->state_size;
  double *at = t->block = calloc(n + 1, sizeof *at);
  if (!at) return HK_ENOMEM;
  double **part[] = {&t->D, &t->back, &t->u, &t->p, &t->d, &t->vd, &t->w, &t->e, &t->y};
  for (size_t i = 0; i < sizeof part / sizeof *part; i++, at += nv) *part[i] = at;
  t->r = at, at += nv + nc;
  double **row[] = {&t->lambda, &t->rows, &t->moved, &t->mu, &t->full, &t->turned};
  for (size_t i = 0; i < sizeof row / sizeof *row; i++, at += nc) *row[i] = at;
  t->memory = at, at += 2 * (size_t)m->n_memory;
  t->x = at;
  return HK_OK;
}

hk_status hk_tangent_create(hk_sim *s, hk_tangent **out, hk_error *err) {
  hk_alpha_formula formula;
  *out = NULL;
  if (!hk_alpha_formula_of(s, 0, 1, &formula))
    return hk_fail(err, HK_EINPUT, "stepper %s has no derivative of its steps", s->stepper->name);
  hk_tangent *t = calloc(1, sizeof *t);
  if (!t) return hk_fail(err, HK_ENOMEM, "out of memory");
  t->s = s;
  t->remembers = s->model->n_memory > 0;
  hk_status status = allocate(t);
  if (status) hk_fail(err, status, "out of memory");
  hk_system **sys[] = {&t->A, &t->C, &t->K};
  for (int i = 0; i < 3 && !status; i++)
    status = hk_system_create(s->model, s->kept, true, HK_SOLVER_AUTO, sys[i], err);
  if (!status) *out = t;
  if (status) hk_tangent_destroy(t);
  return status;
}

/* ---- the end of the step ---- */

typedef struct end {
  hk_instant in;
  hk_alpha_formula k;
  const double *x0, *x1;
  double h;
} end;

static void place(hk_tangent *t, const end *e) {
  hk_kinematics(t->s->work, &e->in, HK_FRAMES_MOVING);
  hk_constraints(t->s->work, &e->in);
}

static const double soft = 1e-9; /* the same regularisation as in Newton's iteration; refinement
                                  * removes its effect */

static hk_status factor(hk_tangent *t, const end *e, bool ideal) {
  const hk_coefficients c = {1, e->k.cv / e->k.ca, 1 / e->k.ca, t->D, soft, ideal, 0};
  hk_status status = hk_assemble(t->A, t->s->work, &c, &e->in);
  return status ? status : hk_linear_solver_factor(t->A->solver, t->A->matrix);
}

static hk_status assemble(hk_tangent *t, const end *e) {
  hk_work *w = t->s->work;
  const hk_coefficients C = {.cC = 1}, K = {.cK = 1};
  hk_status status = hk_forces(w, &e->in);
  if (!status) status = hk_assemble(t->C, w, &C, &e->in);
  if (!status) status = hk_assemble(t->K, w, &K, &e->in);
  return status ? status : factor(t, e, false);
}

/* Displacement [m] that corresponds to a column, used to choose the step of finite differences along this
 * column. */
static double way(const hk_model *m, double h, const double *d, const double *w) {
  double most = 0, length = m->length > 0 ? m->length : 1;
  for (int i = 0; i < m->n_nodes; i++)
    for (int k = 0; k < m->node[i].nv; k++) {
      int j = m->node[i].v + k;
      double arm = m->node[i].coordinate[k].angular ? length : 1;
      most = fmax(most, arm * fmax(fabs(d[j]), h * fabs(w[j])));
    }
  return most / length;
}

/* Displacement for central differences, relative to the length of the model. This displacement is so small because the
 * films of bearings are as thin as 1e-6 of this length. */
static const double apart = 1e-9;

static double step_along(const hk_model *m, double h, const double *d, const double *w) {
  double size = way(m, h, d, w);
  return size > 0 ? apart / size : 0;
}

/* out[nc] = d(G v + g_t)/dq d at the end of the step; afterwards the frames in `work` belong to
 * a displaced state: see place. */
static void rows_along(hk_tangent *t, const end *e, const double *d, double *out) {
  const hk_model *m = t->s->model;
  double eps = 100 * step_along(m, e->h, d, d);
  hk_zero(out, m->nc);
  if (!(eps > 0)) return;
  hk_instant in = e->in;
  in.q = t->x + m->at.q;
  for (int side = 0; side < 2; side++) {
    double k = side ? -eps : eps;
    for (int i = 0; i < m->nv; i++) t->y[i] = k * d[i];
    hk_configuration_add(m, e->in.q, t->y, t->x + m->at.q);
    hk_kinematics(t->s->work, &in, HK_FRAMES_MOVING);
    hk_constraints(t->s->work, &in);
    hk_constraint_velocity(t->s->work, e->in.v, t->moved);
    for (int r = 0; r < m->nc; r++) out[r] += t->moved[r] / (2 * k);
  }
}

/* ---- one column ---- */

/* Writes the residual of the equations, divided by ca and with reversed sign, into t->r; d1 is in t->d and dlambda in
 * t->lambda. */
static void residual(hk_tangent *t, const end *e, const double *column, const double *force) {
  const hk_sim *s = t->s;
  const hk_model *m = s->model;
  const hk_column_parts at = hk_column_at(m);
  hk_copy(t->e, t->d, m->nv);
  hk_configuration_tangent_inv(m, t->D, t->e);
  for (int i = 0; i < m->nv; i++) {
    t->e[i] -= t->u[i];
    t->vd[i] = e->k.ca * t->e[i];
    t->w[i] = t->p[i] + e->k.cv * t->e[i];
  }
  hk_copy(t->r, force, m->nv);
  hk_constraint_force(s->work, t->lambda, t->r); /* -= G^T dlambda */
  hk_mass_multiply(s->work, t->vd, t->y);
  for (int i = 0; i < m->nv; i++) t->r[i] -= t->y[i];
  hk_system_node_multiply(t->C, t->w, t->y);
  for (int i = 0; i < m->nv; i++) t->r[i] -= t->y[i];
  hk_system_node_multiply(t->K, t->d, t->y);
  for (int i = 0; i < m->nv; i++) t->r[i] -= t->y[i];
  if (m->friction) {
    for (int k = 0; k < t->A->n_kept; k++)
      t->mu[k] = t->lambda[t->A->kept_row[k]] + column[at.shift + t->A->kept_row[k]];
    hk_system_load_multiply(t->A, t->mu, t->y);
    for (int i = 0; i < m->nv; i++) t->r[i] -= t->y[i];
  }
  for (int i = 0; i < m->nv; i++) t->r[i] /= e->k.ca;
  hk_constraint_rate(s->work, t->d, t->rows);
  if (m->n_velocity_rows) {
    rows_along(t, e, t->d, t->turned);
    place(t, e);
    for (int i = 0; i < m->n_velocity_rows; i++) {
      int row = m->velocity_row[i];
      t->rows[row] = (hk_constraint_row_rate(s->work, row, t->w) + t->turned[row]) / e->k.cv;
    }
  }
  for (int k = 0; k < t->A->n_kept; k++) t->r[m->nv + k] = -t->rows[t->A->kept_row[k]];
}

/* Refinement ends when a correction is below this fraction. */
static const double refined = 1e-11;
enum { MOST_PASSES = 8 };

/* Solves for d1, dlambda, w1 and vd1 of a column. *passes: number of corrections that the last
 * column needed. */
static void solve(hk_tangent *t, const end *e, const double *column, const double *force,
                  int *passes) {
  const hk_model *m = t->s->model;
  hk_zero(t->d, m->nv);
  hk_zero(t->lambda, m->nc);
  for (int pass = 1; pass <= MOST_PASSES; pass++) {
    residual(t, e, column, force);
    hk_linear_solver_solve(t->A->solver, t->r);
    for (int i = 0; i < m->nv; i++) t->d[i] += t->r[i];
    for (int k = 0; k < t->A->n_kept; k++)
      t->lambda[t->A->kept_row[k]] += e->k.ca * t->r[m->nv + k];
    double change = hk_max_abs(t->r, m->nv, NULL), all = hk_max_abs(t->d, m->nv, NULL);
    if (change <= refined * all) {
      *passes = pass;
      break;
    }
  }
  residual(t, e, column, force); /* vd1 and w1 of the last d1 */
}

static void advance(hk_tangent *t, const end *e, double *column, double *extra, int *passes) {
  const hk_model *m = t->s->model;
  const hk_column_parts at = hk_column_at(m);
  const hk_alpha_formula *k = &e->k;
  double *d = column + at.d, *w = column + at.w, *vd = column + at.vd, *a = column + at.a;
  for (int i = 0; i < m->nv; i++) {
    double a0 = vd[i] + k->ratio * (a[i] - vd[i]), rest = k->k0 * vd[i] - k->ka * a0;
    a[i] = rest; /* a1 without vd1 */
    t->p[i] = w[i] + k->va * a0 + k->vb * rest;
    t->u[i] = e->h * w[i] + k->qa * a0 + k->qb * rest;
  }
  hk_copy(t->e, d, m->nv);
  hk_configuration_tangent_inv(m, t->back, t->e);
  for (int i = 0; i < m->nv; i++) t->u[i] += t->e[i];
  solve(t, e, column, extra + 2 * m->nc, passes);
  for (int i = 0; i < m->nv; i++) {
    d[i] = t->d[i];
    w[i] = t->w[i];
    vd[i] = t->vd[i];
    a[i] += k->k1 * t->vd[i];
  }
  hk_copy(extra + m->nc, t->lambda, m->nc);
}

/* ---- velocity constraints ---- */

/* Corrects w, in the metric of the matrix A, so that G w + rows = 0. Adds the impulse of the
 * correction to `impulse`. */
static void correct_velocity(hk_tangent *t, const double *rows, double *w, double *impulse) {
  const hk_model *m = t->s->model;
  hk_constraint_rate(t->s->work, w, t->rows);
  hk_zero(t->r, m->nv);
  for (int k = 0; k < t->A->n_kept; k++) {
    int row = t->A->kept_row[k];
    t->r[m->nv + k] = -(t->rows[row] + rows[row]);
  }
  hk_linear_solver_solve(t->A->solver, t->r);
  for (int i = 0; i < m->nv; i++) w[i] += t->r[i];
  for (int k = 0; k < t->A->n_kept && impulse; k++) impulse[t->A->kept_row[k]] += t->r[m->nv + k];
}

static hk_status project(hk_tangent *t, const end *e, double *column, int n) {
  const hk_model *m = t->s->model;
  const hk_column_parts at = hk_column_at(m);
  size_t width = 2 * (size_t)m->nc + (size_t)m->nv;
  for (int j = 0; j < n; j++)
    rows_along(t, e, column + (size_t)j * (size_t)at.size, t->extra + (size_t)j * width);
  place(t, e);
  hk_status status = HK_OK;
  if (m->friction) {
    status = hk_forces(t->s->work, &e->in);
    if (!status) status = factor(t, e, true);
  }
  for (int j = 0; j < n && !status; j++) {
    double *c = column + (size_t)j * (size_t)at.size, *rows = t->extra + (size_t)j * width;
    hk_zero(c + at.shift, m->nc);
    for (int pass = 0; pass < 2; pass++) correct_velocity(t, rows, c + at.w, c + at.shift);
    for (int r = 0; r < m->nc; r++) c[at.shift + r] /= e->h;
  }
  return status;
}

/* ---- memory ---- */

/* Change of the forces that is caused by the change of the internal variables of elements. */
static hk_status force_by_memory(hk_tangent *t, const end *e, const double *column, double *out) {
  const hk_model *m = t->s->model;
  const hk_column_parts at = hk_column_at(m);
  hk_zero(out, m->nv);
  double eps = step_along(m, e->h, column + at.d, column + at.w);
  if (!t->remembers || !(eps > 0) || hk_max_abs(column + at.memory, m->n_memory, NULL) == 0)
    return HK_OK;
  hk_instant in = e->in;
  in.memory = t->memory;
  for (int side = 0; side < 2; side++) {
    double k = side ? -eps : eps;
    for (int i = 0; i < m->n_memory; i++)
      t->memory[i] = e->in.memory[i] + k * column[at.memory + i];
    hk_status status = hk_forces(t->s->work, &in);
    if (status) return status;
    for (int i = 0; i < m->nv; i++) out[i] += t->s->work->f[i] / (2 * k);
  }
  return HK_OK;
}

/* Computes the changes of the internal variables of elements at the end of the step, for one column. */
static void keep_memory(hk_tangent *t, const end *e, const double *lambda, double *column) {
  const hk_model *m = t->s->model;
  const hk_column_parts at = hk_column_at(m);
  double eps = step_along(m, e->h, column + at.d, column + at.w);
  double *before = t->memory, *after = t->memory + m->n_memory, *x = t->x,
         *out = column + at.memory;
  if (!(eps > 0)) return;
  hk_instant in = e->in;
  in.q = x + m->at.q, in.v = x + m->at.v, in.lambda = t->mu, in.memory = before;
  hk_copy(x + m->at.memory, out, m->n_memory);
  for (int side = 0; side < 2; side++) {
    double k = side ? -eps : eps;
    for (int i = 0; i < m->nv; i++) {
      t->y[i] = k * column[at.d + i];
      x[m->at.v + i] = e->in.v[i] + k * column[at.w + i];
    }
    for (int r = 0; r < m->nc; r++)
      t->mu[r] = e->x1[m->at.lambda + r] + e->x1[m->at.lambda_shift + r] +
                 k * (lambda[r] + column[at.shift + r]);
    hk_configuration_add(m, e->in.q, t->y, x + m->at.q);
    for (int i = 0; i < m->n_memory; i++) {
      before[i] = e->in.memory[i] + k * x[m->at.memory + i];
      after[i] = before[i];
    }
    hk_kinematics(t->s->work, &in, HK_FRAMES_MOVING);
    hk_memory_accept(t->s->work, &in, after);
    for (int i = 0; i < m->n_memory; i++) out[i] = (side ? out[i] : 0) + after[i] / (2 * k);
  }
}

/* Returns true if the internal variables of elements (`memory`) affect the result. In some elements, an internal
 * variable is only the initial value of an inner iteration; then no derivatives with respect to this variable are
 * necessary. */
static bool depends_on_memory(hk_tangent *t, const double *x) {
  const hk_model *m = t->s->model;
  if (m->n_memory == 0) return false;
  hk_instant in = hk_instant_last(m, x, x + m->at.lambda);
  hk_kinematics(t->s->work, &in, HK_FRAMES_MOVING);
  if (hk_forces(t->s->work, &in)) return true;
  hk_copy(t->y, t->s->work->f, m->nv);
  double size = hk_max_abs(t->y, m->nv, NULL), change = 0;
  for (int i = 0; i < m->n_memory; i++) t->memory[i] = in.memory[i] * (1 + 1e-6);
  in.memory = t->memory;
  if (hk_forces(t->s->work, &in)) return true;
  for (int i = 0; i < m->nv; i++) change = fmax(change, fabs(t->s->work->f[i] - t->y[i]));
  return !(change <= 1e-9 * size);
}

/* ---- all columns ---- */

static hk_status make_room(hk_tangent *t, int n) {
  const hk_model *m = t->s->model;
  if (n <= t->room) return HK_OK;
  double *more = realloc(t->extra, (size_t)n * (size_t)(2 * m->nc + m->nv + 1) * sizeof *more);
  if (!more) return HK_ENOMEM;
  t->extra = more;
  t->room = n;
  return HK_OK;
}

/* Returns true if the redundant rows of the state differ from those of the matrices. */
static bool rows_differ(const hk_tangent *t) {
  return memcmp(t->A->kept, t->s->kept, (size_t)t->s->model->nc) != 0;
}

hk_status hk_tangent_step(hk_tangent *t, const double *x0, double h, const double *x1,
                          double *column, int n, hk_error *err) {
  hk_sim *s = t->s;
  const hk_model *m = s->model;
  const hk_column_parts at = hk_column_at(m);
  end e = {.x0 = x0, .x1 = x1, .h = h};
  if (make_room(t, n)) return hk_fail(err, HK_ENOMEM, "out of memory");
  if (rows_differ(t)) return hk_fail(err, HK_RETRY, "the redundant rows of the joints change");
  hk_alpha_formula_of(s, x0[hk_alpha_at(m).h], h, &e.k);
  for (int r = 0; r < m->nc; r++)
    t->full[r] = x1[m->at.lambda + r] + (m->friction ? x0[m->at.lambda_shift + r] : 0);
  e.in = hk_instant_with(m, x1, t->full);
  e.in.h = h;
  e.in.turn = x0 + m->at.turn;
  e.in.memory = x0 + m->at.memory;
  hk_configuration_sub(m, x1 + m->at.q, x0 + m->at.q, t->D);
  for (int i = 0; i < m->nv; i++) t->back[i] = -t->D[i];
  s->out.have_frames = s->out.have_loads = s->out.have_variables = false;
  size_t width = 2 * (size_t)m->nc + (size_t)m->nv, size = (size_t)at.size;
  hk_status status = HK_OK;
  place(t, &e);
  for (int j = 0; j < n && !status; j++)
    status = force_by_memory(t, &e, column + j * size, t->extra + j * width + 2 * m->nc);
  if (!status) status = assemble(t, &e);
  int passes = 0;
  for (int j = 0; j < n && !status; j++)
    advance(t, &e, column + j * size, t->extra + j * width, &passes);
  if (!status && m->nc) status = project(t, &e, column, n);
  for (int j = 0; j < n && !status && t->remembers; j++)
    keep_memory(t, &e, t->extra + j * width + m->nc, column + j * size);
  return status ? hk_fail(err, status, "the step that ends at t = %.9g s cannot be differentiated",
                          x1[m->at.t])
                : HK_OK;
}

/* ---- the start of columns ---- */

hk_status hk_tangent_project(hk_tangent *t, const double *x, double *column, int n, hk_error *err) {
  hk_sim *s = t->s;
  const hk_model *m = s->model;
  const hk_column_parts at = hk_column_at(m);
  if (m->nc == 0) return HK_OK;
  if (make_room(t, n)) return hk_fail(err, HK_ENOMEM, "out of memory");
  if (rows_differ(t)) return hk_fail(err, HK_RETRY, "the redundant rows of the joints change");
  end e = {.x0 = x, .x1 = x, .h = 1, .in = hk_instant_last(m, x, x + m->at.lambda)};
  size_t width = 2 * (size_t)m->nc + (size_t)m->nv, size = (size_t)at.size;
  for (int j = 0; j < n; j++) rows_along(t, &e, column + j * size, t->extra + j * width);
  place(t, &e);
  const hk_coefficients c = {.cM = 1, .soft = soft, .ideal = true};
  hk_status status = hk_assemble(t->A, s->work, &c, &e.in);
  for (int i = 0; i < m->n_states; i++) *t->A->diagonal[m->state[i].node].at += 1;
  if (!status) status = hk_linear_solver_factor(t->A->solver, t->A->matrix);
  if (status)
    return hk_fail(
        err, status,
        "velocities cannot be projected onto the joint constraints: the matrix is singular");
  for (int j = 0; j < n; j++)
    for (int pass = 0; pass < 2; pass++)
      correct_velocity(t, t->extra + j * width, column + j * size + at.w, NULL);
  return HK_OK;
}

hk_status hk_tangent_start(hk_tangent *t, const double *x, double *column, int n, hk_error *err) {
  hk_sim *s = t->s;
  const hk_model *m = s->model;
  const hk_column_parts at = hk_column_at(m);
  memcpy(t->x, x, (size_t)s->state_size * sizeof *x);
  t->remembers = depends_on_memory(t, x);
  for (int j = 0; j < n; j++) {
    double *c = column + (size_t)j * (size_t)at.size, h = x[m->at.h] > 0 ? x[m->at.h] : 1e-3;
    double eps = 100 * step_along(m, h, c + at.d, c + at.w);
    hk_zero(c + at.vd, at.size - at.vd);
    for (int side = 0; side < 2 && eps > 0; side++) {
      double k = side ? -eps : eps;
      for (int i = 0; i < m->nv; i++) {
        t->y[i] = k * c[at.d + i];
        t->x[m->at.v + i] = x[m->at.v + i] + k * c[at.w + i];
      }
      hk_configuration_add(m, x + m->at.q, t->y, t->x + m->at.q);
      hk_copy(t->vd, x + m->at.vd, m->nv);
      hk_copy(t->lambda, x + m->at.lambda, m->nc);
      hk_status status = hk_sim_accelerations(s, t->x, t->vd, t->lambda, err);
      if (status) return status;
      for (int i = 0; i < m->nv; i++) c[at.vd + i] += t->vd[i] / (2 * k);
    }
    hk_copy(c + at.a, c + at.vd, m->nv);
  }
  s->out.have_frames = s->out.have_loads = s->out.have_variables = false;
  return HK_OK;
}

void hk_tangent_add_own(const hk_tangent *t, double *x, const double *column, int n,
                        const double *c, double share) {
  const hk_model *m = t->s->model;
  const hk_column_parts at = hk_column_at(m);
  double *a = x + hk_alpha_at(m).a;
  for (int k = 0; k < n; k++)
    for (int i = 0; i < m->nv; i++)
      a[i] += share * c[k] * column[(size_t)k * (size_t)at.size + (size_t)(at.a + i)];
}
