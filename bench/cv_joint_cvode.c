/* The ball joint under SUNDIALS CVODE (BDF, Newton): forces, masses and tangents are those of the
 * library, so that the integrators alone differ.
 *
 * States per node: places, then velocities.  Rotor: angle.  Guided body: place.  Rigid body: place
 * and quaternion, q' = q w/2.  Sphere: its orientation has no effect, so it is omitted, and w is in world axes.
 * Jacobian of places and velocities from the library's K = -df/dq and C = -df/dv, divided by the masses; a
 * quaternion's small turning is 2 vec(conj(q) dq). */
#include "cv_joint.h"
#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunlinsol/sunlinsol_klu.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunmatrix/sunmatrix_sparse.h>

typedef struct part {
  int at, np; /* places at y[at], velocities at y[at + np] */
  bool passive;
  double mass;
  hk_mat3 flexibility; /* inverse inertia */
} part;

typedef struct entry {
  int row, column, order;
} entry;

typedef struct peer {
  hk_sim *sim;
  part *part;
  int n;
  double *q, *v, *K;
  /* The pattern: entries in the order in which they are produced, and where they go. */
  entry *entry;
  int n_entries, room;
  sunindextype *where, *start, *row;
  double *data; /* NULL: collect the pattern */
  int n_values;
} peer;

static hk_mat3 inverse(const hk_mat3 *A) {
  hk_vec3 a = hk_column(A, 0), b = hk_column(A, 1), c = hk_column(A, 2);
  hk_vec3 r[3] = {hk_cross(b, c), hk_cross(c, a), hk_cross(a, b)};
  double s = 1 / hk_dot(a, r[0]);
  hk_mat3 out;
  for (int i = 0; i < 3; i++)
    out.m[i][0] = s * r[i].x, out.m[i][1] = s * r[i].y, out.m[i][2] = s * r[i].z;
  return out;
}

static bool peer_open(peer *p, hk_sim *sim) {
  const hk_model *m = sim->model;
  *p = (peer){.sim = sim};
  p->part = calloc((size_t)m->n_nodes, sizeof *p->part);
  p->q = calloc((size_t)m->nq, sizeof *p->q);
  p->v = calloc((size_t)m->nv, sizeof *p->v);
  p->K = malloc(sim->system->matrix->n_value * sizeof *p->K);
  if (!p->part || !p->q || !p->v || !p->K) return false;
  for (int i = 0; i < m->n_nodes; i++) {
    const hk_node *n = &m->node[i];
    part *o = &p->part[i];
    o->at = p->n;
    o->passive = strcmp(n->item->type->name, "sphere") == 0;
    o->np = n->type == &hk_node_rotor ? 1 : n->type == &hk_node_rigid && !o->passive ? 7 : 3;
    o->mass = n->type == &hk_node_rotor ? n->inertia.m[2][2] : n->mass;
    if (n->type == &hk_node_rigid) o->flexibility = inverse(&n->inertia);
    p->n += o->np + n->nv;
  }
  return true;
}

static void peer_close(peer *p) {
  free(p->part), free(p->q), free(p->v), free(p->K);
  free(p->entry), free(p->where), free(p->start), free(p->row);
}

static hk_quat quat_of(const double *q) { return (hk_quat){q[0], q[1], q[2], q[3]}; }

static void state_to_y(const peer *p, const double *x, double *y) {
  const hk_model *m = p->sim->model;
  for (int i = 0; i < m->n_nodes; i++) {
    const hk_node *n = &m->node[i];
    const part *o = &p->part[i];
    const double *q = x + m->at.q + n->q, *v = x + m->at.v + n->v;
    memcpy(y + o->at, q, (size_t)o->np * sizeof *y);
    memcpy(y + o->at + o->np, v, (size_t)n->nv * sizeof *y);
    if (!o->passive) continue;
    hk_mat3 R = hk_quat_matrix(quat_of(q + 3));
    hk_vec3 w = hk_mul(&R, hk_v3(v[3], v[4], v[5]));
    y[o->at + 6] = w.x, y[o->at + 7] = w.y, y[o->at + 8] = w.z;
  }
}

static void y_to_state(const peer *p, const double *y, double *q, double *v) {
  const hk_model *m = p->sim->model;
  for (int i = 0; i < m->n_nodes; i++) {
    const hk_node *n = &m->node[i];
    const part *o = &p->part[i];
    double *qi = q + n->q;
    for (int k = 0; k < o->np; k++) qi[k] = y[o->at + k];
    for (int k = 0; k < n->nv; k++) v[n->v + k] = y[o->at + o->np + k];
    if (n->type != &hk_node_rigid) continue;
    hk_quat e = o->passive ? hk_quat_identity() : hk_quat_normalize(quat_of(qi + 3));
    qi[3] = e.w, qi[4] = e.x, qi[5] = e.y, qi[6] = e.z;
  }
}

/* The peer's time, positions and velocities. */
static hk_instant instant(const peer *p, double t) {
  hk_instant in = hk_instant_at(p->sim->model, p->sim->x);
  in.t = t, in.q = p->q, in.v = p->v;
  return in;
}

static void evaluate(peer *p, double t, const double *y) {
  hk_sim *s = p->sim;
  y_to_state(p, y, p->q, p->v);
  const hk_instant in = instant(p, t);
  hk_kinematics(s->work, &in, HK_FRAMES_STEP);
  hk_forces(s->work, &in);
}

static int derivative(sunrealtype t, N_Vector at, N_Vector rate, void *data) {
  peer *p = data;
  const hk_model *m = p->sim->model;
  const double *y = N_VGetArrayPointer(at), *f = p->sim->work->f;
  double *d = N_VGetArrayPointer(rate);
  evaluate(p, t, y);
  for (int i = 0; i < m->n_nodes; i++) {
    const hk_node *n = &m->node[i];
    const part *o = &p->part[i];
    const double *v = y + o->at + o->np, *F = f + n->v;
    double *x = d + o->at, *a = x + o->np;
    int translations = n->type == &hk_node_rotor ? 1 : 3;
    for (int k = 0; k < translations; k++) x[k] = v[k], a[k] = F[k] / o->mass;
    if (n->type != &hk_node_rigid) continue;
    hk_vec3 alpha = hk_mul(&o->flexibility, hk_v3(F[3], F[4], F[5]));
    a[3] = alpha.x, a[4] = alpha.y, a[5] = alpha.z;
    if (o->passive) continue;
    hk_quat e = hk_quat_mul(quat_of(y + o->at + 3), (hk_quat){0, v[3], v[4], v[5]});
    x[3] = 0.5 * e.w, x[4] = 0.5 * e.x, x[5] = 0.5 * e.y, x[6] = 0.5 * e.z;
  }
  return 0;
}

/* ---- Jacobian -----------------------------------------------------------------------------------
 */

static void put(peer *p, int row, int column, double value) {
  if (p->data) {
    p->data[p->where[p->n_entries++]] += value;
    return;
  }
  if (p->n_entries == p->room) {
    p->room = 2 * p->room + 1000;
    entry *more = realloc(p->entry, (size_t)p->room * sizeof *more);
    if (!more) exit(1);
    p->entry = more;
  }
  p->entry[p->n_entries] = (entry){row, column, p->n_entries};
  p->n_entries++;
}

/* q' = q w/2 and x' = v */
static void put_kinematics(peer *p, int i, const double *y) {
  const hk_node *n = &p->sim->model->node[i];
  const part *o = &p->part[i];
  int x = o->at, v = x + o->np, translations = n->type == &hk_node_rotor ? 1 : 3;
  for (int k = 0; k < o->np + n->nv; k++) put(p, x + k, x + k, 0); /* I is added there */
  for (int k = 0; k < translations; k++) put(p, x + k, v + k, 1);
  if (o->np < 7) return;
  for (int k = 0; k < 4; k++) {
    double e[4] = {0};
    e[k] = 0.5;
    hk_quat by_q = hk_quat_mul(quat_of(e), (hk_quat){0, y[v + 3], y[v + 4], y[v + 5]});
    hk_quat by_w = hk_quat_mul(quat_of(y + x + 3), quat_of(e));
    const double a[4] = {by_q.w, by_q.x, by_q.y, by_q.z}, b[4] = {by_w.w, by_w.x, by_w.y, by_w.z};
    for (int l = 0; l < 4; l++) {
      put(p, x + 3 + l, x + 3 + k, a[l]);
      if (k > 0) put(p, x + 3 + l, v + 2 + k, b[l]);
    }
  }
}

/* Rows of -M^-1 B for one column b of the block B. */
static void put_column(peer *p, int i, const double *b, int column) {
  const hk_node *n = &p->sim->model->node[i];
  const part *o = &p->part[i];
  int v = o->at + o->np, translations = n->type == &hk_node_rotor ? 1 : 3;
  for (int k = 0; k < translations; k++) put(p, v + k, column, -b[k] / o->mass);
  if (n->type != &hk_node_rigid) return;
  hk_vec3 a = hk_mul(&o->flexibility, hk_v3(b[3], b[4], b[5]));
  put(p, v + 3, column, -a.x), put(p, v + 4, column, -a.y), put(p, v + 5, column, -a.z);
}

static void put_block(peer *p, int i, int j, const double *K, const double *C, const double *y) {
  const hk_model *m = p->sim->model;
  const hk_node *nj = &m->node[j];
  const part *o = &p->part[j];
  int rows = m->node[i].nv, columns = nj->nv, x = o->at, v = x + o->np;
  double b[6], turn[3][6] = {{0}};
  for (int c = 0; c < columns; c++) {
    for (int r = 0; r < rows; r++) b[r] = K[r * columns + c];
    if (c < 3)
      put_column(p, i, b, x + c);
    else
      memcpy(turn[c - 3], b, sizeof b);
    for (int r = 0; r < rows; r++) b[r] = C[r * columns + c];
    put_column(p, i, b, v + c);
  }
  if (o->np < 7) return;
  hk_quat e = quat_of(y + x + 3);
  double size2 = e.w * e.w + e.x * e.x + e.y * e.y + e.z * e.z;
  for (int k = 0; k < 4; k++) {
    double unit[4] = {0};
    unit[k] = 2 / size2;
    hk_quat d = hk_quat_mul(hk_quat_conj(e), quat_of(unit));
    for (int r = 0; r < rows; r++) b[r] = turn[0][r] * d.x + turn[1][r] * d.y + turn[2][r] * d.z;
    put_column(p, i, b, x + 3 + k);
  }
}

static void produce(peer *p, double t, const double *y) {
  hk_sim *s = p->sim;
  const hk_model *m = s->model;
  hk_block_matrix *A = s->system->matrix;
  const hk_block_pattern *b = A->pattern;
  const hk_coefficients stiffness = {.cK = 1}, damping = {.cC = 1};
  const hk_instant in = instant(p, t);
  hk_assemble(s->system, s->work, &stiffness, &in);
  memcpy(p->K, A->value, A->n_value * sizeof *p->K);
  hk_assemble(s->system, s->work, &damping, &in);
  p->n_entries = 0;
  for (int i = 0; i < m->n_nodes; i++) {
    put_kinematics(p, i, y);
    for (int k = b->row_start[i]; k < b->row_start[i + 1]; k++)
      put_block(p, i, b->column[k], p->K + b->value_start[k], A->value + b->value_start[k], y);
  }
}

static int by_column(const void *a, const void *b) {
  const entry *x = a, *y = b;
  if (x->column != y->column) return x->column - y->column;
  return x->row != y->row ? x->row - y->row : x->order - y->order;
}

static bool make_pattern(peer *p, double t, const double *y) {
  evaluate(p, t, y);
  produce(p, t, y);
  int n = p->n_entries;
  p->where = malloc((size_t)n * sizeof *p->where);
  p->row = malloc((size_t)n * sizeof *p->row);
  p->start = malloc(((size_t)p->n + 1) * sizeof *p->start);
  if (!p->where || !p->row || !p->start) return false;
  qsort(p->entry, (size_t)n, sizeof *p->entry, by_column);
  int at = -1, column = -1;
  for (int k = 0; k < n; k++) {
    const entry *e = &p->entry[k];
    if (k == 0 || e->column != e[-1].column || e->row != e[-1].row) p->row[++at] = e->row;
    while (column < e->column) p->start[++column] = at;
    p->where[e->order] = at;
  }
  p->n_values = at + 1;
  while (column < p->n) p->start[++column] = p->n_values;
  return true;
}

static int sparse_jacobian(sunrealtype t, N_Vector at, N_Vector rate, SUNMatrix J, void *data,
                           N_Vector a, N_Vector b, N_Vector c) {
  (void)rate, (void)a, (void)b, (void)c;
  peer *p = data;
  const double *y = N_VGetArrayPointer(at);
  memcpy(SUNSparseMatrix_IndexPointers(J), p->start, ((size_t)p->n + 1) * sizeof *p->start);
  memcpy(SUNSparseMatrix_IndexValues(J), p->row, (size_t)p->n_values * sizeof *p->row);
  p->data = SUNSparseMatrix_Data(J);
  memset(p->data, 0, (size_t)p->n_values * sizeof *p->data);
  evaluate(p, t, y);
  produce(p, t, y);
  return 0;
}

double cvj_cvode_check(cvj *j, const double *x) {
  peer p;
  SUNContext context;
  double worst = 0, t = x[j->model->at.t];
  if (SUNContext_Create(NULL, &context) || !peer_open(&p, j->sim)) return INFINITY;
  N_Vector y = N_VNew_Serial(p.n, context), a = N_VClone(y), b = N_VClone(y);
  double *Y = N_VGetArrayPointer(y), *A = N_VGetArrayPointer(a), *B = N_VGetArrayPointer(b);
  state_to_y(&p, x, Y);
  if (!make_pattern(&p, t, Y)) return INFINITY;
  SUNMatrix J = SUNSparseMatrix(p.n, p.n, p.n_values, CSC_MAT, context);
  sparse_jacobian(t, y, NULL, J, &p, NULL, NULL, NULL);
  for (int c = 0; c < p.n; c++) {
    double h = 1e-9 * fmax(1, fabs(Y[c])), old = Y[c], size = 1, error = 0;
    Y[c] = old + h;
    derivative(t, y, a, &p);
    Y[c] = old - h;
    derivative(t, y, b, &p);
    Y[c] = old;
    for (int r = 0; r < p.n; r++) A[r] = (A[r] - B[r]) / (2 * h), size = fmax(size, fabs(A[r]));
    for (sunindextype k = p.start[c]; k < p.start[c + 1]; k++)
      A[p.row[k]] -= SUNSparseMatrix_Data(J)[k];
    for (int r = 0; r < p.n; r++) error = fmax(error, fabs(A[r]));
    worst = fmax(worst, error / size);
  }
  SUNMatDestroy(J);
  N_VDestroy(y), N_VDestroy(a), N_VDestroy(b);
  SUNContext_Free(&context);
  peer_close(&p);
  return worst;
}

/* ---- a revolution -------------------------------------------------------------------------------
 */

/* A turning of a node counts at its arm, as in the library. */
static void put_tolerances(const peer *p, double atol, double rate, double *out) {
  const hk_model *m = p->sim->model;
  for (int i = 0; i < m->n_nodes; i++) {
    const hk_node *n = &m->node[i];
    const part *o = &p->part[i];
    double angle = atol / n->arm;
    for (int k = 0; k < o->np; k++)
      out[o->at + k] = n->type == &hk_node_rotor || k > 2 ? angle : atol;
    for (int k = 0; k < n->nv; k++)
      out[o->at + o->np + k] = rate * (n->type == &hk_node_rotor || k > 2 ? angle : atol);
  }
}

static void look(cvj *j, const peer *p, const double *y, double t, cvj_track *track, int i) {
  const hk_model *m = j->model;
  double *x = malloc(hk_sim_state_size(j->sim));
  if (!x) exit(1);
  hk_sim_state_get(j->sim, x);
  x[m->at.t] = t;
  y_to_state(p, y, x + m->at.q, x + m->at.v);
  hk_sim_state_set(j->sim, x);
  free(x);
  cvj_look(j, track, i);
}

bool cvj_cvode(cvj *j, const double *x, cvj_jacobian jacobian, double rtol, double atol,
               double rate, cvj_track *track, cvj_cost *cost) {
  peer p;
  SUNContext context;
  double t0 = x[j->model->at.t], t = t0;
  if (SUNContext_Create(NULL, &context) || !peer_open(&p, j->sim)) return false;
  N_Vector y = N_VNew_Serial(p.n, context), tolerance = N_VClone(y);
  double *Y = N_VGetArrayPointer(y);
  state_to_y(&p, x, Y);
  put_tolerances(&p, atol, rate, N_VGetArrayPointer(tolerance));
  if (!make_pattern(&p, t0, Y)) return false;
  bool sparse = jacobian == CVJ_ANALYTIC;
  SUNMatrix A = sparse ? SUNSparseMatrix(p.n, p.n, p.n_values, CSC_MAT, context)
                       : SUNDenseMatrix(p.n, p.n, context);
  SUNLinearSolver solver = sparse ? SUNLinSol_KLU(y, A, context) : SUNLinSol_Dense(y, A, context);
  void *cvode = CVodeCreate(CV_BDF, context);
  bool ok = CVodeInit(cvode, derivative, t0, y) == 0;
  CVodeSVtolerances(cvode, rtol, tolerance);
  CVodeSetUserData(cvode, &p);
  CVodeSetLinearSolver(cvode, solver, A);
  if (sparse) CVodeSetJacFn(cvode, sparse_jacobian);
  CVodeSetMaxNumSteps(cvode, 10000000);
  CVodeSetErrFile(cvode, NULL);
  double start = cvj_seconds();
  for (int i = 0; i < CVJ_SAMPLES && ok; i++) {
    ok = CVode(cvode, t0 + j->period * (i + 1) / CVJ_SAMPLES, y, &t, CV_NORMAL) >= 0;
    if (track && ok) look(j, &p, Y, t, track, i);
  }
  cost->seconds = cvj_seconds() - start;
  long extra = 0;
  CVodeGetNumSteps(cvode, &cost->steps);
  CVodeGetNumNonlinSolvIters(cvode, &cost->newton);
  CVodeGetNumLinSolvSetups(cvode, &cost->factors);
  CVodeGetNumRhsEvals(cvode, &cost->evaluations);
  CVodeGetNumLinRhsEvals(cvode, &extra);
  cost->evaluations += extra;
  CVodeFree(&cvode);
  SUNLinSolFree(solver);
  SUNMatDestroy(A);
  N_VDestroy(y), N_VDestroy(tolerance);
  SUNContext_Free(&context);
  peer_close(&p);
  return ok;
}
