/* Contacts as a linear complementarity problem.
 *
 * 2D, three rows per contact [Glocker, Studer 2005]: with P_R = mu P_N + P_T, P_L = mu P_N - P_T
 * and xi_T = xi_R - xi_L,
 *   (xi_N)   (G_NN - G_NT mu   G_NT  0) (P_N )   (b_N)
 *   (xi_R) = (G_TN - G_TT mu   G_TT  I) (P_R ) + (b_T)
 *   (P_L )   (2 mu             -I    0) (xi_L)   (0  )
 * The matrix of this problem is not copositive if mu is so large that G_NN - G_NT mu becomes negative. Lemke's path
 * may then end in a ray although a solution exists.
 *
 * Any number of directions of slip t_k, their number + 2 rows per contact [Stewart, Trinkle
 * 1996]:
 *   xi_N = G_N. P + b_N >= 0          _|_  P_N >= 0,       P_T = sum t_k beta_k
 *   t_k.xi_T + lambda   >= 0          _|_  beta_k >= 0
 *   mu P_N - sum beta_k >= 0          _|_  lambda >= 0
 * is copositive: z'Mz = P'G P >= 0.  Lemke's path ends in a solution whenever b is feasible. */
#include "solve/contact_private.h"

bool hk_contact_lemke_planar(hk_contact_work *k, double *P, int *pivots) {
  const hk_contact_scaled *s = &k->s;
  const int nc = s->contacts, n = 3 * nc, m = s->rows;
  if (s->dim != 2 || n > k->lcp_rows) return false;
  double *M = k->M, *q = k->q;
  memset(M, 0, (size_t)n * (size_t)n * sizeof *M);
  for (int i = 0; i < nc; i++) {
    for (int a = 0; a < 2; a++)
      for (int j = 0; j < nc; j++) {
        const double *g = s->G + (2 * i + a) * m + 2 * j;
        M[(a * nc + i) * n + j] = g[0] - s->mu[j] * g[1];
        M[(a * nc + i) * n + nc + j] = g[1];
      }
    M[(nc + i) * n + 2 * nc + i] = 1;
    M[(2 * nc + i) * n + i] = 2 * s->mu[i];
    M[(2 * nc + i) * n + nc + i] = -1;
    q[i] = s->b[2 * i], q[nc + i] = s->b[2 * i + 1], q[2 * nc + i] = 0;
  }
  int count = 0;
  hk_lcp_status end = hk_lemke(n, M, q, k->z, k->w, k->lemke, &count);
  *pivots += count;
  if (end != HK_LCP_SOLVED) return false;
  for (int i = 0; i < nc; i++) {
    P[2 * i] = k->z[i];
    P[2 * i + 1] = k->z[nc + i] - s->mu[i] * k->z[i];
  }
  return true;
}

/* Direction of slip f: + and - in 2D, equally spaced directions in 3D. */
static void direction(int dim, int f, int facets, double *t) {
  double angle = 2 * 3.14159265358979323846 * f / facets;
  t[0] = dim == 2 ? 1 - 2 * f : cos(angle), t[1] = dim == 2 ? 0 : sin(angle);
}

/* Sets the column of M for a unit impulse v at contact j: its effect on the normals and directions
 * of all contacts. */
static void set_column(const hk_contact_work *k, int facets, int j, const double *v, int column) {
  const hk_contact_scaled *s = &k->s;
  const int dim = s->dim, per = facets + 2, n = per * s->contacts;
  for (int i = 0; i < s->contacts; i++) {
    double xi[3] = {0};
    for (int a = 0; a < dim; a++)
      for (int b = 0; b < dim; b++) xi[a] += s->G[(dim * i + a) * s->rows + dim * j + b] * v[b];
    k->M[per * i * n + column] = xi[0];
    for (int f = 0; f < facets; f++) {
      double t[2];
      direction(dim, f, facets, t);
      k->M[(per * i + 1 + f) * n + column] = t[0] * xi[1] + t[1] * xi[2];
    }
  }
}

bool hk_contact_lemke_facets(hk_contact_work *k, int facets, double *P, int *pivots) {
  const hk_contact_scaled *s = &k->s;
  const int dim = s->dim, per = facets + 2, n = per * s->contacts;
  if (n > k->lcp_rows) return false;
  double *M = k->M, *q = k->q, t[2];
  memset(M, 0, (size_t)n * (size_t)n * sizeof *M);
  for (int j = 0; j < s->contacts; j++) {
    const double *b = s->b + dim * j, normal[3] = {1, 0, 0};
    const int row = per * j, last = row + per - 1;
    set_column(k, facets, j, normal, row);
    q[row] = b[0], q[last] = 0, M[last * n + row] = s->mu[j];
    for (int f = 0; f < facets; f++) {
      direction(dim, f, facets, t);
      const double v[3] = {0, t[0], t[1]};
      set_column(k, facets, j, v, row + 1 + f);
      q[row + 1 + f] = t[0] * b[1] + (dim == 3 ? t[1] * b[2] : 0);
      M[(row + 1 + f) * n + last] = 1, M[last * n + row + 1 + f] = -1;
    }
  }
  int count = 0;
  hk_lcp_status end = hk_lemke(n, M, q, k->z, k->w, k->lemke, &count);
  *pivots += count;
  if (end != HK_LCP_SOLVED) return false;
  for (int j = 0; j < s->contacts; j++) {
    double *x = P + dim * j;
    const double *z = k->z + per * j;
    for (int a = 0; a < dim; a++) x[a] = a ? 0 : z[0];
    for (int f = 0; f < facets; f++) {
      direction(dim, f, facets, t);
      for (int a = 1; a < dim; a++) x[a] += t[a - 1] * z[1 + f];
    }
  }
  return true;
}
