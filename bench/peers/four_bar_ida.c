/* SUNDIALS IDA with the planar equations written by hand, as a user of a bare DAE solver would:
 * absolute coordinates q = (x, y, phi) per link, stabilised index-2 form (Gear, Gupta, Leimkuhler
 * 1985):
 *
 *   q' - v + G^T mu = 0,   M v' - f + G^T lambda = 0,   g(q) = 0,   G(q) v = 0
 *
 * The analytic Jacobian is sparse and KLU solves it. The parameter is the relative tolerance; the
 * absolute tolerance of q and v equals it, that of the multipliers is 1e4 times it, since
 * they are not unique where the links lie on one line and only steer the convergence test.
 * Algebraic variables are left out of the error test, which IDA's manual advises for index 2.
 * Variant "ind1" drops mu and replaces the constraints by g'' + 2 a g' + a^2 g = 0 (Baumgarte,
 * a = 20/s). */
#define _GNU_SOURCE /* qsort_r */
#include <ida/ida.h>
#include <math.h>
#include <nvector/nvector_serial.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sundials/sundials_math.h>
#include <sunlinsol/sunlinsol_klu.h>
#include <sunmatrix/sunmatrix_sparse.h>

#include "four_bar.h"

typedef struct contestant {
  const four_bar *fb;
  int nq, m; /* coordinates, constraints */
  int gear;  /* 1: GGL, 0: Baumgarte */
  double a;  /* Baumgarte rate */
  /* The Jacobian as triplets in the order `each_entry` visits them; slot[k] is the k-th triplet's
   * place in the CSC arrays, so a refill needs no search. */
  long entries, cursor;
  int *row, *col;
  sunindextype *slot, *start, *index; /* start, index: the CSC pattern */
  double *value;
  void *ida;
  N_Vector y, yp;
} contestant;

/* One end of a link in a joint: position and its first two derivatives by phi. */
typedef struct end {
  int at; /* index of the link's x in q, -1 for ground */
  double sign, x, y, dx, dy;
} end;

static end link_end(const double *q, int link, double s, double sign) {
  double c = s * cos(q[3 * link + 2]), d = s * sin(q[3 * link + 2]);
  end e = {3 * link, sign, q[3 * link] + c, q[3 * link + 1] + d, -d, c};
  return e;
}

/* The ends meeting in joint k; returns how many are links. */
static int joint_ends(const contestant *c, const double *q, int k, end e[2], double *xb) {
  four_bar_joint j = four_bar_joint_at(c->fb, k);
  *xb = j.xb;
  e[0] = link_end(q, j.a, j.sa, 1.0);
  if (j.b < 0) return 1;
  e[1] = link_end(q, j.b, j.sb, -1.0);
  return 2;
}

/* r += (G^T z) contributions of one end. */
static void add_force(double *r, const end *e, const double *z) {
  r[e->at] += e->sign * z[0];
  r[e->at + 1] += e->sign * z[1];
  r[e->at + 2] += e->sign * (e->dx * z[0] + e->dy * z[1]);
}

static int residual(realtype t, N_Vector yy, N_Vector yyp, N_Vector rr, void *user) {
  (void)t;
  const contestant *c = user;
  const double *q = N_VGetArrayPointer(yy), *v = q + c->nq, *la = v + c->nq, *mu = la + c->m;
  const double *qp = N_VGetArrayPointer(yyp), *vp = qp + c->nq;
  double *r = N_VGetArrayPointer(rr), *rv = r + c->nq, *rg = rv + c->nq, *rG = rg + c->m;
  for (int i = 0; i < c->nq; i++) {
    r[i] = qp[i] - v[i];
    rv[i] = (i % 3 == 2 ? FOUR_BAR_INERTIA : 1.0) * vp[i];
    if (i % 3 == 1) rv[i] += FOUR_BAR_G;
  }
  for (int k = 0; 2 * k < c->m; k++) {
    end e[2];
    double g[2] = {0}, G[2] = {0}, A[2] = {0};
    int n = joint_ends(c, q, k, e, &g[0]);
    g[0] = -g[0];
    for (int i = 0; i < n; i++) {
      double w = v[e[i].at + 2], s = e[i].sign, wp = vp[e[i].at + 2];
      g[0] += s * e[i].x, g[1] += s * e[i].y;
      G[0] += s * (v[e[i].at] + e[i].dx * w), G[1] += s * (v[e[i].at + 1] + e[i].dy * w);
      /* second derivative of the end: (-dy, dx) w^2 */
      A[0] += s * (vp[e[i].at] + e[i].dx * wp - e[i].dy * w * w);
      A[1] += s * (vp[e[i].at + 1] + e[i].dy * wp + e[i].dx * w * w);
      add_force(rv, &e[i], la + 2 * k);
      if (c->gear) add_force(r, &e[i], mu + 2 * k);
    }
    for (int i = 0; i < 2; i++) {
      rg[2 * k + i] = c->gear ? g[i] : A[i] + 2 * c->a * G[i] + c->a * c->a * g[i];
      if (c->gear) rG[2 * k + i] = G[i];
    }
  }
  return 0;
}

static void put(contestant *c, int row, int col, double value) {
  if (c->slot) {
    c->value[c->slot[c->cursor++]] += value;
  } else {
    if (c->row) c->row[c->cursor] = row, c->col[c->cursor] = col;
    c->cursor++;
  }
}

/* G^T z at the rows from `at_row`, z at the columns from `at_col`, and its derivative by phi. */
static void put_force(contestant *c, const end *e, int at_row, int at_col, const double *z) {
  int r = at_row + e->at;
  double s = e->sign;
  put(c, r, at_col, s);
  put(c, r + 1, at_col + 1, s);
  put(c, r + 2, at_col, s * e->dx);
  put(c, r + 2, at_col + 1, s * e->dy);
  put(c, r + 2, e->at + 2, s * (-e->dy * z[0] + e->dx * z[1]));
}

/* The rows of one constraint: b times its derivative by the columns from at_col. */
static void put_row(contestant *c, const end *e, int row, int at_col, double b) {
  double s = b * e->sign;
  put(c, row, at_col + e->at, s);
  put(c, row, at_col + e->at + 2, s * e->dx);
  put(c, row + 1, at_col + e->at + 1, s);
  put(c, row + 1, at_col + e->at + 2, s * e->dy);
}

static void put_index1(contestant *c, const end *e, int row, const double *v, const double *vp,
                       double cj) {
  double w = v[e->at + 2], wp = vp[e->at + 2], s = e->sign, a = c->a;
  int phi = e->at + 2;
  put_row(c, e, row, c->nq, cj + 2 * a);
  put_row(c, e, row, 0, a * a);
  put(c, row, c->nq + phi, -2 * s * e->dy * w);
  put(c, row + 1, c->nq + phi, 2 * s * e->dx * w);
  put(c, row, phi, s * (-e->dy * (wp + 2 * a * w) - e->dx * w * w));
  put(c, row + 1, phi, s * (e->dx * (wp + 2 * a * w) - e->dy * w * w));
}

/* Visits every structural non-zero of dF/dy + cj dF/dy', always in the same order. */
static void each_entry(contestant *c, const double *q, const double *qp, double cj) {
  const int nq = c->nq, m = c->m;
  const double *v = q + nq, *la = v + nq, *mu = la + m, *vp = qp + nq;
  c->cursor = 0;
  for (int i = 0; i < nq; i++) {
    put(c, i, i, cj);
    put(c, i, nq + i, -1.0);
    put(c, nq + i, nq + i, cj * (i % 3 == 2 ? FOUR_BAR_INERTIA : 1.0));
  }
  for (int k = 0; 2 * k < m; k++) {
    end e[2];
    double xb;
    int n = joint_ends(c, q, k, e, &xb), row = 2 * nq + 2 * k;
    for (int i = 0; i < n; i++) {
      put_force(c, &e[i], nq, 2 * nq + 2 * k, la + 2 * k);
      if (!c->gear) {
        put_index1(c, &e[i], row, v, vp, cj);
        continue;
      }
      put_force(c, &e[i], 0, 2 * nq + m + 2 * k, mu + 2 * k);
      put_row(c, &e[i], row, 0, 1.0);
      put_row(c, &e[i], row + m, nq, 1.0);
      double w = v[e[i].at + 2], s = e[i].sign;
      put(c, row + m, e[i].at + 2, -s * e[i].dy * w);
      put(c, row + m + 1, e[i].at + 2, s * e[i].dx * w);
    }
  }
}

static int by_column(const void *a, const void *b, void *p) {
  const contestant *c = p;
  long i = *(const long *)a, j = *(const long *)b;
  if (c->col[i] != c->col[j]) return c->col[i] < c->col[j] ? -1 : 1;
  if (c->row[i] != c->row[j]) return c->row[i] < c->row[j] ? -1 : 1;
  return i < j ? -1 : i > j;
}

/* Sorts the triplets once into the CSC pattern, and makes a matrix of that size. */
static int make_pattern(contestant *c, sunindextype n, SUNContext ctx, SUNMatrix *A) {
  const double *q = N_VGetArrayPointer(c->y), *qp = N_VGetArrayPointer(c->yp);
  each_entry(c, q, qp, 1.0);
  c->entries = c->cursor;
  size_t z = (size_t)c->entries;
  c->row = malloc(z * sizeof *c->row);
  c->col = malloc(z * sizeof *c->col);
  long *order = malloc(z * sizeof *order);
  sunindextype *slot = malloc(z * sizeof *slot);
  c->index = malloc(z * sizeof *c->index);
  c->start = malloc(((size_t)n + 1) * sizeof *c->start);
  if (!c->row || !c->col || !order || !slot || !c->index || !c->start) return -1;
  each_entry(c, q, qp, 1.0);
  for (long k = 0; k < c->entries; k++) order[k] = k;
  qsort_r(order, z, sizeof *order, by_column, c);
  sunindextype nnz = -1, column = -1;
  for (long k = 0; k < c->entries; k++) {
    long i = order[k], before = k ? order[k - 1] : -1;
    if (before < 0 || c->col[i] != c->col[before] || c->row[i] != c->row[before]) {
      c->index[++nnz] = c->row[i];
      while (column < c->col[i]) c->start[++column] = nnz;
    }
    slot[i] = nnz;
  }
  while (column < n) c->start[++column] = nnz + 1;
  c->slot = slot;
  free(order);
  *A = SUNSparseMatrix(n, n, nnz + 1, CSC_MAT, ctx);
  return *A ? 0 : -1;
}

static int jacobian(realtype t, realtype cj, N_Vector y, N_Vector yp, N_Vector r, SUNMatrix A,
                    void *user, N_Vector w1, N_Vector w2, N_Vector w3) {
  (void)t, (void)r, (void)w1, (void)w2, (void)w3;
  contestant *c = user;
  /* IDA has zeroed the matrix, pattern included; the values are zero as well. */
  size_t n = (size_t)SUNSparseMatrix_Columns(A), nnz = (size_t)c->start[n];
  memcpy(SUNSparseMatrix_IndexPointers(A), c->start, (n + 1) * sizeof *c->start);
  memcpy(SUNSparseMatrix_IndexValues(A), c->index, nnz * sizeof *c->index);
  c->value = SUNSparseMatrix_Data(A);
  each_entry(c, N_VGetArrayPointer(y), N_VGetArrayPointer(yp), cj);
  return 0;
}

static void fetch(const contestant *c, four_bar *fb) {
  const double *y = N_VGetArrayPointer(c->y);
  memcpy(fb->q, y, (size_t)c->nq * sizeof *y);
  memcpy(fb->v, y + c->nq, (size_t)c->nq * sizeof *y);
}

void four_bar_march(four_bar *fb, void *p) {
  contestant *c = p;
  realtype t = 0;
  while (t < fb->T) {
    int flag = IDASolve(c->ida, fb->T, &t, c->y, c->yp, IDA_ONE_STEP);
    if (flag < 0) {
      fb->status = flag == IDA_CONV_FAIL ? "no convergence" : "solver failed";
      break;
    }
    fb->t = t;
    if (!fb->sample) continue;
    fetch(c, fb);
    if (four_bar_observe(fb, t)) break;
  }
  IDAGetNumSteps(c->ida, &fb->steps);
  fetch(c, fb);
}

/* Reactions and accelerations of the start: with all verticals upright and turning at 1 rad/s, the
 * angular acceleration is zero, so every link accelerates only centripetally: ends B by -1 m/s2. */
static void consistent_start(contestant *c, N_Vector id, N_Vector atol) {
  double *y = N_VGetArrayPointer(c->y), *yp = N_VGetArrayPointer(c->yp);
  double *is = N_VGetArrayPointer(id), *tol = N_VGetArrayPointer(atol);
  const four_bar *fb = c->fb;
  const int nq = c->nq, N = fb->N;
  memcpy(y, fb->q, (size_t)nq * sizeof *y);
  memcpy(y + nq, fb->v, (size_t)nq * sizeof *y);
  memcpy(yp, fb->v, (size_t)nq * sizeof *y);
  for (int i = 0; i < fb->links; i++) yp[nq + 3 * i + 1] = i <= N ? -0.5 : -1.0;
  /* Vertical forces only: half a horizontal link's (g - 1) on each end, the rest on the pins. */
  double *la = y + 2 * nq, share = -0.5 * (FOUR_BAR_G - 1.0);
  for (int k = 0; 2 * k < c->m; k++) {
    int hung = k <= N ? (k > 0) + (k < N) : 0;
    la[2 * k + 1] = k <= N ? -(FOUR_BAR_G - 0.5) + hung * share : share;
  }
  for (sunindextype i = 0; i < N_VGetLength(c->y); i++) {
    is[i] = i < 2 * nq;
    tol[i] = i < 2 * nq ? fb->param : 1e4 * fb->param;
  }
}

static int setup(contestant *c, SUNContext ctx) {
  const four_bar *fb = c->fb;
  sunindextype n = 2 * c->nq + c->m * (c->gear ? 2 : 1);
  c->y = N_VNew_Serial(n, ctx);
  c->yp = N_VNew_Serial(n, ctx);
  N_Vector id = N_VNew_Serial(n, ctx), atol = N_VNew_Serial(n, ctx);
  SUNMatrix A = NULL;
  c->ida = IDACreate(ctx);
  if (!c->y || !c->yp || !id || !atol || !c->ida) return -1;
  N_VConst(0.0, c->y);
  N_VConst(0.0, c->yp);
  consistent_start(c, id, atol);
  if (make_pattern(c, n, ctx, &A)) return -1;
  SUNLinearSolver ls = SUNLinSol_KLU(c->y, A, ctx);
  if (!ls) return -1;
  int bad = IDAInit(c->ida, residual, 0.0, c->y, c->yp) ||
            IDASVtolerances(c->ida, fb->param, atol) || IDASetUserData(c->ida, c) ||
            IDASetLinearSolver(c->ida, ls, A) || IDASetJacFn(c->ida, jacobian) ||
            IDASetId(c->ida, id) || IDASetSuppressAlg(c->ida, 1) || IDASetMaxNumSteps(c->ida, -1) ||
            IDASetStopTime(c->ida, fb->T);
  return bad ? -1 : 0;
}

int main(int argc, char **argv) {
  four_bar fb;
  contestant c = {0};
  SUNContext ctx = NULL;
  if (four_bar_open(&fb, "ida", argc, argv)) return 2;
  c.fb = &fb;
  c.nq = 3 * fb.links;
  c.m = 2 * four_bar_joints(&fb);
  c.gear = strcmp(fb.variant, "ind1") != 0;
  c.a = 20.0;
  if (SUNContext_Create(NULL, &ctx) || setup(&c, ctx)) {
    fprintf(stderr, "four_bar_ida: set-up failed\n");
    return 2;
  }
  /* The start must satisfy the equations, or the comparison means nothing. */
  N_Vector r = N_VClone(c.y);
  residual(0, c.y, c.yp, r, &c);
  if (N_VMaxNorm(r) > 1e-12) {
    fprintf(stderr, "four_bar_ida: inconsistent start, residual %g\n", N_VMaxNorm(r));
    return 2;
  }
  four_bar_clock_start(&fb);
  four_bar_march(&fb, &c);
  four_bar_clock_stop(&fb);
  return four_bar_close(&fb);
}
