/* Block Gauss-Seidel method: each contact is solved exactly, one after the other, with constant impulses of all other
 * contacts [Moreau 1988; Jourdan, Alart, Jean 1998]. Slow but robust; dependent rows are allowed. */
#include "solve/contact_private.h"

/* For a local problem without a solution: makes a projected step. Its result is at least within the friction cone. */
static void relax(const hk_contact_scaled *s, int i, const double *b, double *x) {
  const int dim = s->dim, m = s->rows;
  double xi[3] = {0}, slip = 0, top = 0;
  for (int a = 0; a < dim; a++) {
    double row = 0;
    xi[a] = b[a];
    for (int c = 0; c < dim; c++) {
      double g = s->G[(dim * i + a) * m + dim * i + c];
      xi[a] += g * x[c], row += fabs(g);
    }
    top = fmax(top, row);
    if (a) slip += xi[a] * xi[a];
  }
  xi[0] += s->mu[i] * sqrt(slip);
  for (int a = 0; a < dim && top > 0; a++) x[a] -= xi[a] / top;
  hk_contact_project(dim, s->mu[i], x);
}

int hk_contact_nsgs(hk_contact_work *k, double *P, int sweeps) {
  const hk_contact_scaled *s = &k->s;
  const int dim = s->dim, m = s->rows;
  for (int sweep = 1; sweep <= sweeps; sweep++) {
    double change = 0, size = 1;
    for (int i = 0; i < s->contacts; i++) {
      double b[3] = {0}, x[3] = {0};
      for (int a = 0; a < dim; a++) {
        const double *g = s->G + (dim * i + a) * m;
        double sum = s->b[dim * i + a];
        for (int j = 0; j < dim * i; j++) sum += g[j] * P[j];
        for (int j = dim * (i + 1); j < m; j++) sum += g[j] * P[j];
        b[a] = sum, x[a] = P[dim * i + a];
      }
      if (!hk_contact_local(dim, s->G + dim * i * (m + 1), m, b, s->mu[i], x)) relax(s, i, b, x);
      for (int a = 0; a < dim; a++) {
        change = fmax(change, fabs(x[a] - P[dim * i + a]));
        size = fmax(size, fabs(x[a]));
        P[dim * i + a] = x[a];
      }
    }
    if (!(change > 1e-15 * size)) return sweep;
    /* Small changes may also be due to slow convergence. Therefore the residual is checked. */
    if (change < 1e-9 * size && hk_contact_residual(s, P, k->xi) <= 1e-12) return sweep;
  }
  return sweeps;
}
