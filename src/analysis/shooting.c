/* Simulation of one period as a map from its start to its end, with the unknowns and the derivative of this map: see
 * shooting.h. */
#include "analysis/shooting.h"
#include "analysis/dense_matrix.h"
#include <hooke/state.h>
#include <stdlib.h>
#include <string.h>

/* factor on the tolerance of the run for the equations of steps on the frozen grid */
static const double TIGHT = 1e-3;

static size_t bytes(const hk_shooter *p) { return (size_t)p->s->state_size * sizeof(double); }

hk_status hk_shooter_create(hk_shooter *p, hk_sim *s, double T, hk_error *err) {
  size_t nv = (size_t)s->model->nv, x = (size_t)s->state_size;
  *p = (hk_shooter){.s = s, .T = T};
  p->scale = calloc(2 * nv + 1, sizeof *p->scale);
  p->low = calloc(3 * nv + 1, sizeof *p->low);
  p->cyclic = calloc(nv + 1, sizeof *p->cyclic);
  p->N = calloc(2 * nv * nv + 1, sizeof *p->N);
  p->ref = calloc(3 * x + 8 * nv + 1, sizeof *p->ref);
  p->P = calloc(8 * nv * nv + 2 * nv + 1, sizeof *p->P);
  if (!p->scale || !p->low || !p->cyclic || !p->N || !p->ref || !p->P)
    return hk_fail(err, HK_ENOMEM, "out of memory");
  p->high = p->low + nv;
  p->mean = p->high + nv;
  p->before = p->ref + x;
  p->now = p->before + x;
  p->d = p->now + x;
  p->y = p->d + 4 * nv;
  p->E = p->P + 4 * nv * nv;
  p->flow = p->E + 4 * nv * nv;
  hk_status status = hk_symmetry_create(&p->sym, s->model, err);
  if (status) return status;
  double h = s->option.step;
  return h > 0 ? hk_shooter_divide(p, h, err) : HK_OK;
}

hk_status hk_shooter_divide(hk_shooter *p, double h, hk_error *err) {
  int n = (int)fmax(1, fmin(1e6, ceil(p->T / h - 1e-9)));
  double *tau = malloc((size_t)n * sizeof *tau);
  if (!tau) return hk_fail(err, HK_ENOMEM, "out of memory");
  for (int i = 0; i < n; i++) tau[i] = (i + 1.0) / n;
  free(p->tau);
  p->tau = tau;
  p->n_tau = p->room = n;
  p->frozen = true;
  return HK_OK;
}

void hk_shooter_free(hk_shooter *p) {
  hk_tangent_destroy(p->tangent);
  free(p->fresh);
  free(p->tau);
  free(p->scale);
  free(p->low);
  free(p->cyclic);
  free(p->N);
  free(p->ref);
  free(p->column);
  free(p->P);
  hk_symmetry_free(&p->sym);
  *p = (hk_shooter){0};
}

double hk_shooter_size(const hk_shooter *p, const double *y) { return hk_max_abs(y, p->n, NULL); }

/* ---- the grid ---- */

static hk_status add_time(hk_shooter *p, double share, hk_error *err) {
  if (p->n_tau == p->room) {
    int room = p->room ? 2 * p->room : 256;
    double *more = realloc(p->tau, (size_t)room * sizeof *more);
    if (!more) return hk_fail(err, HK_ENOMEM, "out of memory");
    p->tau = more;
    p->room = room;
  }
  p->tau[p->n_tau++] = share;
  return HK_OK;
}

hk_status hk_shooter_freeze(hk_shooter *p, hk_error *err) {
  if (p->accurate) {
    p->n_tau = 0; /* see hk_shooter_derive */
    p->frozen = true;
    return HK_OK;
  }
  if (p->n_tau == 0) return hk_fail(err, HK_EFAIL, "no period was simulated yet");
  p->tau[p->n_tau - 1] = 1;
  p->frozen = !hk_integrator_can(p->s, HK_IMPACTS);
  return HK_OK;
}

hk_status hk_shooter_refine(hk_shooter *p, hk_error *err) {
  int n = p->n_tau;
  double *fine = malloc(2 * (size_t)n * sizeof *fine);
  if (!fine) return hk_fail(err, HK_ENOMEM, "out of memory");
  for (int i = 0; i < n; i++) {
    fine[2 * i] = 0.5 * ((i ? p->tau[i - 1] : 0) + p->tau[i]);
    fine[2 * i + 1] = p->tau[i];
  }
  free(p->tau);
  p->tau = fine;
  p->n_tau = p->room = 2 * n;
  return HK_OK;
}

void hk_shooter_coarsen(hk_shooter *p) {
  p->n_tau /= 2;
  for (int i = 0; i < p->n_tau; i++) p->tau[i] = p->tau[2 * i + 1];
}

/* ---- unknowns ---- */

/* Computes the view of a state: see symmetry.h. */
static void look(const hk_shooter *p, const double *x) {
  const hk_model *m = p->s->model;
  double periods = (x[m->at.t] - p->ref[m->at.t]) / p->T;
  hk_symmetry_view((hk_symmetry *)&p->sym, x, p->ref, (int)lround(fmax(-1e9, fmin(1e9, periods))));
}

/* Computes the unknowns of a change of the positions and velocities of the view. */
static void reduce(const hk_shooter *p, const double *d, const double *w, double *y) {
  int nv = p->s->model->nv;
  for (int part = 0, row = 0; part < 2; part++)
    for (int k = 0; k < p->free[part]; k++, row++) {
      const double *N = p->N + (size_t)part * (size_t)nv * (size_t)nv, *v = part ? w : d;
      y[row] = 0;
      for (int j = 0; j < nv; j++)
        y[row] += N[(size_t)j * (size_t)p->free[part] + (size_t)k] * v[j] / p->scale[part * nv + j];
    }
}

void hk_shooter_chart(const hk_shooter *p, const double *x, double *y) {
  const hk_model *m = p->s->model;
  int nv = m->nv;
  double *d = p->d;
  look(p, x);
  hk_configuration_sub(m, p->sym.q, p->ref + m->at.q, d);
  for (int i = 0; i < m->n_nodes; i++) {
    const hk_node *node = &m->node[i];
    for (int k = 0; k < node->nv; k++) {
      int j = node->v + k;
      bool scalar = node->coordinate[k].angular && node->turn < 0;
      if (scalar) d[j] = remainder(d[j], 2 * M_PI);
    }
  }
  for (int j = 0; j < nv; j++) d[nv + j] = p->sym.v[j] - p->ref[m->at.v + j];
  reduce(p, d, d + nv, y);
  for (int j = 0; j < 2 * nv; j++) d[j] /= p->scale[j];
}

static const double SHARE_OF_MEAN = 0.05;

double hk_shooter_reach(const hk_shooter *p, const double *c) {
  int nv = p->s->model->nv;
  double most = 0;
  for (int part = 0; part < 2; part++, c += p->free[0]) {
    const double *N = p->N + (size_t)part * (size_t)nv * (size_t)nv;
    for (int j = 0; j < nv; j++) {
      double sum = 0, steady = SHARE_OF_MEAN * fmax(fabs(p->high[j]), fabs(p->low[j]));
      for (int k = 0; k < p->free[part]; k++)
        sum += N[(size_t)j * (size_t)p->free[part] + (size_t)k] * c[k];
      most = fmax(most, fabs(sum) / fmax(1, steady / p->scale[nv + j]));
    }
  }
  return most;
}

/* Computes a change [2 nv] of the state x from unknowns; p->d from nv on is scratch memory. */
static void expand(const hk_shooter *p, const double *x, const double *c, double *d) {
  int nv = p->s->model->nv;
  double *view = p->d + 2 * nv;
  for (int part = 0; part < 2; part++, c += p->free[0]) {
    const double *N = p->N + (size_t)part * (size_t)nv * (size_t)nv;
    for (int j = 0; j < nv; j++) {
      double sum = 0;
      for (int k = 0; k < p->free[part]; k++)
        sum += N[(size_t)j * (size_t)p->free[part] + (size_t)k] * c[k];
      view[part * nv + j] = sum * p->scale[part * nv + j];
    }
  }
  look(p, x);
  hk_symmetry_back(&p->sym, view, view + nv, d, d + nv);
}

/* Computes the unknowns of a change of the state for which the view was computed last. */
static void contract(const hk_shooter *p, const double *d, const double *w, double *y) {
  int nv = p->s->model->nv;
  double *view = p->d + 2 * nv;
  hk_symmetry_forward(&p->sym, d, w, view, view + nv);
  reduce(p, view, view + nv, y);
}

hk_status hk_shooter_move(hk_shooter *p, double *x, const double *c, hk_error *err) {
  const hk_model *m = p->s->model;
  size_t n = (size_t)p->n;
  if (m->set_valued)
    x[m->at.jump] = 1; /* accelerations and contacts still belong to the previous state */
  if (m->nc == 0) {
    expand(p, x, c, p->d);
    hk_sim_state_move(p->s, x, p->d);
    return HK_OK;
  }
  /* Closing the joints after a displacement also changes the unknowns of the velocities. Both are repeated until all
   * unknowns have the required values. */
  double *goal = malloc((2 * n + 1) * sizeof *goal), *e = goal + n;
  hk_status status = goal ? hk_sim_state_set(p->s, x) : HK_ENOMEM;
  if (status) hk_fail(err, status, "out of memory");
  if (!status) hk_shooter_chart(p, x, goal);
  for (size_t i = 0; i < n && !status; i++) {
    goal[i] += c[i];
    e[i] = c[i];
  }
  double size = hk_shooter_size(p, c), before = INFINITY;
  for (int pass = 0; pass < 6 && !status; pass++) {
    expand(p, x, e, p->d);
    hk_sim_state_move(p->s, x, p->d);
    status = hk_sim_project(p->s, x[m->at.t], x + m->at.q, x + m->at.v, err);
    if (status) break;
    hk_shooter_chart(p, x, e);
    for (size_t i = 0; i < n; i++) e[i] = goal[i] - e[i];
    double left = hk_max_abs(e, p->n, NULL);
    if (left <= 1e-10 * size || !(left < 0.5 * before)) break;
    before = left;
  }
  free(goal);
  return status;
}

/* Computes the scale of a coordinate: half the range of its velocity, but at least a millionth of the largest scale
 * of coordinates of the same kind. For steady rotation or translation the scale is the velocity. */
static void set_scales(hk_shooter *p) {
  const hk_model *m = p->s->model;
  double most[2] = {0};
  for (int i = 0; i < m->n_nodes; i++)
    for (int k = 0; k < m->node[i].nv; k++) {
      int j = m->node[i].v + k, kind = m->node[i].coordinate[k].angular;
      most[kind] = fmax(most[kind], 0.5 * (p->high[j] - p->low[j]));
      most[kind] = fmax(most[kind], 1e-6 * fmax(fabs(p->high[j]), fabs(p->low[j])));
    }
  double any = fmax(most[0] / fmax(m->length, 1e-300), most[1]);
  if (!(any > 0)) any = 1e-6;
  for (int i = 0; i < m->n_nodes; i++)
    for (int k = 0; k < m->node[i].nv; k++) {
      int j = m->node[i].v + k, kind = m->node[i].coordinate[k].angular;
      double floor = 1e-4 * fmax(most[kind], any * (kind ? 1 : fmax(m->length, 1e-300)));
      double range = 0.5 * (p->high[j] - p->low[j]);
      double steady = fmax(fabs(p->high[j]), fabs(p->low[j]));
      double s = range > floor ? range : fmax(floor, 1e-2 * steady);
      p->scale[m->nv + j] = s;
    }
  for (int i = 0; i < m->n_nodes; i++) /* equal parts have equal scales */
    for (int other = p->sym.node[i].next; other != i; other = p->sym.node[other].next)
      for (int k = 0; k < m->node[i].nv; k++) {
        double *a = &p->scale[m->nv + m->node[i].v + k],
               *b = &p->scale[m->nv + m->node[other].v + k];
        *a = *b = fmax(*a, *b);
      }
  for (int j = 0; j < m->nv; j++) p->scale[j] = p->scale[m->nv + j] * p->T / (2 * M_PI);
}

/* Computes the null space of the kept constraint rows in scaled coordinates; for positions,
 * cyclic coordinates are excluded too. */
static hk_status make_basis(hk_shooter *p, int part, hk_error *err) {
  hk_sim *s = p->s;
  const hk_model *m = s->model;
  int nv = m->nv, rows = 0;
  double *N = p->N + (size_t)part * (size_t)nv * (size_t)nv;
  double *A = calloc((size_t)(m->nc + nv + 1) * (size_t)(nv + 1), sizeof *A);
  if (!A) return hk_fail(err, HK_ENOMEM, "out of memory");
  for (int r = 0; r < m->nc; r++) rows += s->kept[r];
  for (int j = 0; j < nv; j++) {
    hk_zero(p->y, nv);
    p->y[j] = p->scale[j];
    hk_constraint_rate(s->work, p->y, s->y);
    for (int r = 0, k = 0; r < m->nc; r++) {
      if (!s->kept[r]) continue;
      A[(size_t)k++ * (size_t)nv + (size_t)j] = s->y[r];
    }
  }
  if (part == 0) /* rolling constrains velocities only */
    for (int i = 0; i < m->n_velocity_rows; i++) {
      int row = m->velocity_row[i], k = 0;
      if (!s->kept[row]) continue;
      for (int r = 0; r < row; r++) k += s->kept[r];
      hk_zero(A + (size_t)k * (size_t)nv, nv);
    }
  for (int k = 0; k < rows;
       k++) { /* rows are scaled to equal length, so that the rank does not depend on units */
    double most = hk_max_abs(A + (size_t)k * (size_t)nv, nv, NULL);
    for (int j = 0; j < nv && most > 0; j++) A[(size_t)k * (size_t)nv + (size_t)j] /= most;
  }
  for (int j = 0; j < nv && part == 0; j++)
    if (p->cyclic[j]) A[(size_t)rows++ * (size_t)nv + (size_t)j] = 1;
  if (rows == 0) {
    p->free[part] = nv;
    hk_zero(N, nv * nv);
    for (int j = 0; j < nv; j++) N[(size_t)j * (size_t)nv + (size_t)j] = 1;
    free(A);
    return HK_OK;
  }
  hk_svd svd;
  hk_status status = hk_svd_make_right(A, rows, nv, 1e-10, &svd, err);
  if (!status) {
    p->free[part] = nv - svd.rank;
    hk_svd_null(&svd, N);
    hk_svd_free(&svd);
  }
  free(A);
  return status;
}

hk_status hk_shooter_rebase(hk_shooter *p, const double *x, hk_error *err) {
  hk_sim *s = p->s;
  const hk_model *m = s->model;
  memcpy(p->ref, x, bytes(p));
  set_scales(p);
  hk_status status = hk_sim_state_set(s, x);
  if (status) return hk_fail(err, status, "out of memory");
  const hk_instant in = hk_instant_at(m, x);
  hk_kinematics(s->work, &in, HK_FRAMES_MOVING);
  hk_constraints(s->work, &in);
  s->out.have_frames = s->out.have_loads = s->out.have_variables = false;
  status = make_basis(p, 0, err);
  if (!status) status = make_basis(p, 1, err);
  p->n = p->free[0] + p->free[1];
  return status;
}

/* ---- cyclic coordinates ---- */

/* Largest difference of the accelerations at x when coordinate j is displaced, relative to the largest acceleration. */
static hk_status influence(hk_shooter *p, const double *x, int j, double shift, double *out,
                           hk_error *err) {
  hk_sim *s = p->s;
  const hk_model *m = s->model;
  double *vd = p->y, *other = p->y + m->nv, open = 0;
  memcpy(p->now, x, bytes(p));
  for (int side = 0; side < 2; side++) {
    double *to = side ? other : vd;
    if (side) {
      hk_zero(p->d, m->nv);
      p->d[j] = shift;
      hk_configuration_add(m, x + m->at.q, p->d, p->now + m->at.q);
    }
    hk_copy(to, x + m->at.vd, m->nv);
    hk_copy(s->full, x + m->at.lambda, m->nc);
    hk_status status = hk_sim_accelerations(s, p->now, to, s->full, err);
    if (status) return status;
    open = hk_max_abs(s->work->g, m->nc, NULL);
  }
  double most = 0, size = 0;
  for (int i = 0; i < m->n_nodes; i++)
    for (int k = 0; k < m->node[i].nv; k++) {
      int v = m->node[i].v + k;
      double arm = m->node[i].coordinate[k].angular ? fmax(m->length, 1e-300) : 1;
      most = fmax(most, arm * fabs(other[v] - vd[v]));
      size = fmax(size, arm * fmax(fabs(vd[v]), p->scale[m->nv + v] * 2 * M_PI / p->T));
    }
  *out = open > 1e-8 * fmax(1, m->length) ? INFINITY : size > 0 ? most / size : most;
  return HK_OK;
}

static const double NO_INFLUENCE = 1e-9, DRIFTS = 1e-7;

hk_status hk_shooter_find_cyclic(hk_shooter *p, const double *x, const double *later,
                                 hk_error *err) {
  const hk_model *m = p->s->model;
  double *moved = malloc((size_t)(m->nv + 1) * sizeof *moved);
  if (!moved) return hk_fail(err, HK_ENOMEM, "out of memory");
  hk_configuration_sub(m, later + m->at.q, x + m->at.q, moved);
  hk_status status = HK_OK;
  for (int i = 0; i < m->n_nodes; i++)
    for (int k = 0; k < m->node[i].nv && !status; k++) {
      const hk_node *node = &m->node[i];
      int j = node->v + k;
      double a, b, size = node->coordinate[k].angular ? 1 : fmax(m->length, 1e-300);
      p->cyclic[j] = false;
      if (node->turn >= 0 && node->coordinate[k].angular)
        continue; /* orientations in space are treated in symmetry.h */
      if (fabs(moved[j]) < DRIFTS * size) continue;
      if (influence(p, x, j, 0.3713 * size, &a, NULL) ||
          influence(p, later, j, -1.217 * size, &b, NULL))
        continue;
      p->cyclic[j] = fmax(a, b) < NO_INFLUENCE;
    }
  status = hk_symmetry_find_free(&p->sym, p->s, later, moved);
  for (int i = 0; i < m->n_nodes; i++) {
    if (m->node[i].moves != HK_MOVES_RIGID) continue;
    int free_axis = p->sym.node[i].free;
    for (int k = 0; k < 3; k++)
      p->cyclic[m->node[i].v + 3 + k] = free_axis == k || free_axis == HK_ANY_AXIS;
  }
  free(moved);
  hk_sim_state_set(p->s, x);
  return status ? hk_fail(err, status, "out of memory") : HK_OK;
}

/* ---- a period ---- */

void hk_shooter_widen(hk_shooter *p, const double *x, double dt, bool first) {
  const hk_model *m = p->s->model;
  for (int j = 0; j < m->nv; j++) {
    double v = x[m->at.v + j];
    p->low[j] = first ? v : fmin(p->low[j], v);
    p->high[j] = first ? v : fmax(p->high[j], v);
    p->mean[j] = (first ? 0 : p->mean[j]) + v * dt / p->T;
  }
}

static hk_status after_step(hk_shooter *p, double dt, bool columns, hk_error *err) {
  hk_sim *s = p->s;
  const hk_model *m = s->model;
  p->steps++;
  hk_shooter_widen(p, s->x, dt, false);
  if (!columns) return HK_OK;
  hk_sim_state_get(s, p->now);
  return hk_tangent_step(p->tangent, p->before, p->now[m->at.t] - p->before[m->at.t], p->now,
                         p->column, p->n, err);
}

/* Simulates to t: in one step of the grid, or in several steps if the equations of this step cannot be solved. */
static hk_status step_to(hk_shooter *p, double t, double start, bool columns, hk_error *err) {
  hk_sim *s = p->s;
  bool one = p->frozen;
  while (hk_sim_time(s) < t) {
    if (columns) hk_sim_state_get(s, p->before);
    double before = hk_sim_time(s);
    hk_status status = one ? hk_sim_step_exactly(s, t, TIGHT, err) : hk_sim_step(s, t, err);
    if (status == HK_RETRY && one) {
      one = false;
      p->cuts++;
      continue;
    }
    if (!status) status = after_step(p, hk_sim_time(s) - before, columns, err);
    if (!status && !p->frozen) status = add_time(p, (hk_sim_time(s) - start) / p->T, err);
    if (status) return status;
  }
  return HK_OK;
}

static hk_status begin_columns(hk_shooter *p, const double *from, hk_error *err) {
  const hk_column_parts at = hk_column_at(p->s->model);
  size_t width = (size_t)at.size;
  if (p->n > p->room_n) {
    free(p->column);
    p->column = malloc((size_t)p->n * width * sizeof *p->column);
    p->room_n = p->column ? p->n : 0;
    if (!p->column) return hk_fail(err, HK_ENOMEM, "out of memory");
  }
  memset(p->column, 0, (size_t)p->n * width * sizeof *p->column);
  for (int k = 0; k < p->n; k++) {
    hk_zero(p->y, p->n);
    p->y[k] = 1;
    expand(p, from, p->y, p->column + (size_t)k * width);
  }
  hk_status status = hk_tangent_project(p->tangent, from, p->column, p->n, err);
  if (!status) status = hk_tangent_start(p->tangent, from, p->column, p->n, err);
  look(p, from);
  for (int k = 0; k < p->n && !status; k++) {
    const double *c = p->column + (size_t)k * width;
    contract(p, c + at.d, c + at.w, p->y);
    for (int i = 0; i < p->n; i++) p->P[(size_t)i * (size_t)p->n + (size_t)k] = p->y[i];
  }
  return status;
}

void hk_shooter_end_columns(hk_shooter *p) {
  const hk_column_parts at = hk_column_at(p->s->model);
  look(p, p->s->x);
  for (int k = 0; k < p->n; k++) {
    const double *c = p->column + (size_t)k * (size_t)at.size;
    contract(p, c + at.d, c + at.w, p->y);
    for (int i = 0; i < p->n; i++) p->E[(size_t)i * (size_t)p->n + (size_t)k] = p->y[i];
  }
}

hk_status hk_shooter_run_grid(hk_shooter *p, const double *from, bool columns, hk_error *err) {
  hk_sim *s = p->s;
  long before = p->steps;
  double start = from[s->model->at.t], end = start + p->T;
  hk_status status = hk_sim_state_set(s, from);
  if (status) return hk_fail(err, status, "out of memory");
  if (columns) status = begin_columns(p, from, err);
  if (!status && columns) status = hk_sim_state_set(s, from);
  hk_shooter_widen(p, from, 0, true);
  if (!p->frozen) p->n_tau = 0;
  for (int i = 0; !status && (p->frozen ? i < p->n_tau : i < 1); i++)
    status = step_to(p, p->frozen && i < p->n_tau - 1 ? start + p->tau[i] * p->T : end, start,
                     columns, err);
  p->per_period = (int)(p->steps - before);
  p->runs++;
  if (!status && p->go_on && !p->go_on(p->context))
    status = hk_fail(err, HK_STOPPED, "stopped by the caller");
  return status;
}

/* Derivative by finite differences of whole periods, for integrators without a derivative of a
 * step. */
static const double APART = 1e-5;

static hk_status differentiate(hk_shooter *p, const double *from, hk_error *err) {
  size_t n = (size_t)p->n;
  double *c = calloc(2 * n + 1, sizeof *c), *x = malloc(bytes(p));
  hk_status status = c && x ? HK_OK : hk_fail(err, HK_ENOMEM, "out of memory");
  for (int k = 0; k < p->n && !status; k++)
    for (int side = 0; side < 2 && !status; side++) {
      double e = side ? -APART : APART;
      hk_zero(c, p->n);
      c[k] = e;
      memcpy(x, from, bytes(p));
      status = hk_shooter_move(p, x, c, err);
      if (status) break;
      hk_shooter_chart(p, x, c);
      for (size_t i = 0; i < n; i++)
        p->P[i * n + (size_t)k] = (side ? p->P[i * n + (size_t)k] : 0) + c[i] / (2 * e);
      status = hk_shooter_run_grid(p, x, false, err);
      if (status) break;
      hk_shooter_chart(p, p->s->x, c);
      for (size_t i = 0; i < n; i++)
        p->E[i * n + (size_t)k] = (side ? p->E[i * n + (size_t)k] : 0) + c[i] / (2 * e);
    }
  free(c);
  free(x);
  return status;
}

hk_status hk_shooter_run(hk_shooter *p, const double *from, double *to, bool columns,
                         hk_error *err) {
  const hk_model *m = p->s->model;
  hk_status status = HK_OK;
  double *start = NULL;
  bool accurate = p->accurate && !p->only_grid, apart = columns && (accurate || !p->tangent);
  if (columns) p->derivatives++;
  if (apart) {
    start = malloc(bytes(p));
    if (!start) return hk_fail(err, HK_ENOMEM, "out of memory");
    memcpy(start, from, bytes(p));
    from = start;
    status = accurate ? hk_shooter_derive(p, from, err) : differentiate(p, from, err);
  }
  if (!status && accurate) status = hk_shooter_run_accurate(p, from, err);
  if (!status && !accurate) status = hk_shooter_run_grid(p, from, columns && p->tangent, err);
  free(start);
  if (status) return status == HK_RETRY ? HK_EFAIL : status;
  if (columns && !apart) hk_shooter_end_columns(p);
  hk_sim_state_get(p->s, to);
  look(p, to);
  contract(p, to + m->at.v, to + m->at.vd, p->flow);
  return HK_OK;
}
