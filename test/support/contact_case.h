/* Random contact problems and their complementarity form, for tests and benchmarks. */
#ifndef CONTACT_CASE_H
#define CONTACT_CASE_H
#include <math.h>
#include <stdint.h>
#include <string.h>

enum { CASE_MAX = 16 }; /* contacts */

typedef struct contact_case {
  int dim, contacts, dof;
  double W[3 * CASE_MAX][3 * CASE_MAX]; /* row: contact direction, column: velocity */
  double u[3 * CASE_MAX];               /* free velocity */
  double G[9 * CASE_MAX * CASE_MAX], b[3 * CASE_MAX], mu[CASE_MAX];
} contact_case;

static uint64_t case_seed = 88172645463325252u;
static inline double case_uniform(void) {
  case_seed ^= case_seed << 13, case_seed ^= case_seed >> 7, case_seed ^= case_seed << 17;
  return (double)(case_seed >> 11) / 4503599627370496.0 - 1;
}
static inline int case_below(int n) { return (int)((case_uniform() + 1) / 2 * n) % n; }

/* G = W W', b = W u: unit masses, so that b lies in the range of G and a solution exists. */
static inline void case_finish(contact_case *c) {
  int n = c->dim * c->contacts;
  for (int i = 0; i < n; i++) {
    c->b[i] = 0;
    for (int k = 0; k < c->dof; k++) c->b[i] += c->W[i][k] * c->u[k];
    for (int j = 0; j < n; j++) {
      double sum = 0;
      for (int k = 0; k < c->dof; k++) sum += c->W[i][k] * c->W[j][k];
      c->G[i * n + j] = sum;
    }
  }
}

/* The directions are independent if dof >= dim * contacts. */
static inline void case_random(contact_case *c, int dim, int contacts, int dof) {
  c->dim = dim, c->contacts = contacts, c->dof = dof;
  for (int i = 0; i < dim * contacts; i++)
    for (int k = 0; k < dof; k++) c->W[i][k] = case_uniform();
  for (int k = 0; k < dof; k++) c->u[k] = case_uniform();
  for (int i = 0; i < contacts; i++) c->mu[i] = 0.5 + 0.5 * case_uniform();
  case_finish(c);
}

/* Integers, few degrees of freedom, opposed or equal contacts, velocities at rest: ties, zeros and dependent
 * rows in exact arithmetic, as in a clearance joint that is closed on both sides. */
static inline void case_degenerate(contact_case *c, int dim, int contacts, int dof) {
  c->dim = dim, c->contacts = contacts, c->dof = dof;
  for (int i = 0; i < dim * contacts; i++)
    for (int k = 0; k < dof; k++) c->W[i][k] = case_below(5) - 2;
  for (int i = 1; i < contacts; i++) {
    int kind = case_below(4), from = case_below(i);
    for (int a = 0; a < dim && kind < 3; a++)
      for (int k = 0; k < dof; k++)
        c->W[dim * i + a][k] =
            (kind == 0 && a == 0 ? -1 : 1) * c->W[dim * from + a][k] * (kind == 2 ? 0.1 : 1);
  }
  for (int k = 0; k < dof; k++) c->u[k] = case_below(3) ? (case_below(5) - 2) * 0.1 : 0;
  for (int i = 0; i < contacts; i++) c->mu[i] = case_below(5) * 0.2;
  case_finish(c);
}

/* Glocker-Studer form of a planar case: w = (xi_N, xi_R, P_L), z = (P_N, P_R, xi_L). */
static inline void case_lcp(const contact_case *c, double *M, double *q) {
  int nc = c->contacts, n = 3 * nc, rows = 2 * nc;
  memset(M, 0, (size_t)(n * n) * sizeof *M);
  for (int i = 0; i < nc; i++) {
    for (int j = 0; j < nc; j++)
      for (int a = 0; a < 2; a++) {
        const double *g = c->G + (2 * i + a) * rows + 2 * j;
        M[(a * nc + i) * n + j] = g[0] - c->mu[j] * g[1];
        M[(a * nc + i) * n + nc + j] = g[1];
      }
    M[(nc + i) * n + 2 * nc + i] = 1;
    M[(2 * nc + i) * n + i] = 2 * c->mu[i];
    M[(2 * nc + i) * n + nc + i] = -1;
    q[i] = c->b[2 * i], q[nc + i] = c->b[2 * i + 1], q[2 * nc + i] = 0;
  }
}
#endif
