/* Conversion between the contact problem of the caller and the one that is solved.
 *
 * Bilateral rows B: xi_B = G_BB P_B + G_BC P_C + b_B = 0 gives
 *   P_B = -G_BB^-1 (b_B + G_BC P_C),   G = G_CC - G_CB G_BB^-1 G_BC,   b = b_C - G_CB G_BB^-1 b_B
 * with G_BB = L D L' by symmetric pivoting after scaling its diagonal to one; a row counts as dependent on the
 * previous rows if its pivot is below 1e-12, and its impulse is then zero. */
#include <stdlib.h>

#include "solve/contact_private.h"

/* Factorizes the bilateral block; k->L holds the scaled block in its first rank columns, in the
 * order k->order. */
static void factor_bilateral(hk_contact_work *k, const hk_contact_problem *p) {
  const int nb = p->bilateral, c = p->dim * p->contacts, n = c + nb;
  double *L = k->L;
  for (int i = 0; i < nb; i++) {
    double g = p->G[(c + i) * n + c + i];
    k->jacobi[i] = g > 0 ? 1 / sqrt(g) : 0;
    k->order[i] = i;
  }
  for (int i = 0; i < nb; i++)
    for (int j = 0; j < nb; j++)
      L[i * nb + j] = p->G[(c + i) * n + c + j] * k->jacobi[i] * k->jacobi[j];
  k->rank = 0;
  for (int s = 0; s < nb; s++) {
    int best = s;
    for (int i = s + 1; i < nb; i++)
      if (L[k->order[i] * nb + k->order[i]] > L[k->order[best] * nb + k->order[best]]) best = i;
    int r = k->order[best];
    k->order[best] = k->order[s], k->order[s] = r;
    if (!(L[r * nb + r] > 1e-12)) break;
    for (int i = s + 1; i < nb; i++) {
      int a = k->order[i];
      double f = L[a * nb + r] / L[r * nb + r];
      for (int j = s + 1; j < nb; j++) L[a * nb + k->order[j]] -= f * L[r * nb + k->order[j]];
      L[a * nb + r] = f;
    }
    k->rank++;
  }
}

/* x = G_BB^-1 x on the independent rows, zero on the others; entries `stride` apart. */
static void solve_bilateral(const hk_contact_work *k, int nb, double *x, int stride) {
  const double *L = k->L;
  for (int i = 0; i < nb; i++) x[i * stride] *= k->jacobi[i];
  for (int s = 0; s < k->rank; s++)
    for (int i = s + 1; i < k->rank; i++)
      x[k->order[i] * stride] -= L[k->order[i] * nb + k->order[s]] * x[k->order[s] * stride];
  for (int s = k->rank - 1; s >= 0; s--) {
    int r = k->order[s];
    x[r * stride] /= L[r * nb + r];
    for (int i = s + 1; i < k->rank; i++)
      x[r * stride] -= L[k->order[i] * nb + r] * x[k->order[i] * stride];
  }
  for (int s = k->rank; s < nb; s++) x[k->order[s] * stride] = 0;
  for (int i = 0; i < nb; i++) x[i * stride] *= k->jacobi[i];
}

/* Computes the Schur complement into k->s; keeps k->X = G_BB^-1 G_BC and k->y = G_BB^-1 b_B for
 * hk_contact_expand. */
static void eliminate(hk_contact_work *k, const hk_contact_problem *p) {
  const int nb = p->bilateral, m = p->dim * p->contacts, n = m + nb;
  double *G = k->s.G, *b = k->s.b;
  for (int i = 0; i < m; i++) {
    memcpy(G + i * m, p->G + i * n, (size_t)m * sizeof *G);
    b[i] = p->b[i];
  }
  if (!nb) return;
  factor_bilateral(k, p);
  for (int i = 0; i < nb; i++) {
    memcpy(k->X + i * m, p->G + (m + i) * n, (size_t)m * sizeof *k->X);
    k->y[i] = p->b[m + i];
  }
  for (int j = 0; j < m; j++) solve_bilateral(k, nb, k->X + j, m);
  solve_bilateral(k, nb, k->y, 1);
  for (int i = 0; i < m; i++) {
    for (int l = 0; l < nb; l++) {
      double g = p->G[i * n + m + l];
      if (g == 0) continue;
      for (int j = 0; j < m; j++) G[i * m + j] -= g * k->X[l * m + j];
      b[i] -= g * k->y[l];
    }
  }
  /* the joints constrain this direction: what the elimination leaves is round-off */
  for (int i = 0; i < m; i++)
    if (G[i * m + i] <= 1e-12 * p->G[i * n + i])
      for (int j = 0; j < m; j++) G[i * m + j] = G[j * m + i] = 0;
}

static bool is_finite(const hk_contact_problem *p) {
  const int n = hk_contact_problem_rows(p);
  double sum = 0;
  for (int i = 0; i < n * n; i++) sum += p->G[i] * 0;
  for (int i = 0; i < n; i++) sum += p->b[i] * 0;
  for (int i = 0; i < p->contacts; i++) {
    sum += p->mu[i] * 0;
    if (p->mu[i] < 0) return false;
  }
  return sum == 0;
}

hk_status hk_contact_reduce(hk_contact_work *k, const hk_contact_problem *p, const double *P) {
  hk_contact_scaled *s = &k->s;
  const int dim = p->dim, m = dim * p->contacts;
  if (!is_finite(p)) return HK_EINPUT;
  s->dim = dim, s->contacts = p->contacts, s->rows = m;
  eliminate(k, p);
  double top = 0, size = 0;
  for (int i = 0; i < s->contacts; i++) {
    double sum = 0;
    for (int a = dim * i; a < dim * (i + 1); a++) sum += s->G[a * m + a];
    s->d[i] = sum > 0 ? sqrt(sum / dim) : 0;
    s->mu[i] = p->mu[i];
    top = fmax(top, s->d[i]);
  }
  for (int i = 0; i < s->contacts; i++)
    if (!(s->d[i] > 0)) s->d[i] = top > 0 ? top : 1;
  for (int i = 0; i < m; i++) k->trial[i] = 1 / s->d[i / dim];
  for (int i = 0; i < m; i++) {
    s->b[i] *= k->trial[i];
    for (int j = 0; j < m; j++) s->G[i * m + j] *= k->trial[i] * k->trial[j];
    size = fmax(size, fabs(s->b[i]));
  }
  s->size = size > 0 ? size : 1;
  for (int i = 0; i < m; i++) {
    s->b[i] /= s->size;
    double x = P[i] * s->d[i / dim] / s->size;
    k->start[i] = isfinite(x) ? x : 0;
  }
  return HK_OK;
}

void hk_contact_expand(const hk_contact_work *k, const hk_contact_problem *p, const double *P,
                       double *full) {
  const hk_contact_scaled *s = &k->s;
  const int m = s->rows;
  for (int i = 0; i < m; i++) full[i] = P[i] * s->size / s->d[i / s->dim];
  for (int l = 0; l < p->bilateral; l++) {
    double sum = -k->y[l];
    for (int j = 0; j < m; j++) sum -= k->X[l * m + j] * full[j];
    full[m + l] = sum;
  }
}

/* Returns the largest number of rows of a complementarity problem. The solvers at the end of the sequence use up to 4
 * * `facets` directions of friction per contact. The number of rows is limited to HK_CONTACT_LEMKE_ROWS. */
static int largest_lcp(int dim, int contacts, int facets) {
  long per = (dim == 2 ? 2 : 4L * facets) + 2, rows = per * contacts;
  return rows > HK_CONTACT_LEMKE_ROWS ? HK_CONTACT_LEMKE_ROWS : (int)rows;
}

static bool lay_out(hk_contact_work *k) {
  const size_t c = (size_t)k->max_contacts, nb = (size_t)k->max_bilateral, m = (size_t)k->dim * c;
  const size_t n = m + nb, l = (size_t)k->lcp_rows;
  struct {
    double **at;
    size_t size;
  } part[] = {{&k->s.G, m * m}, {&k->s.b, m},   {&k->s.d, c},     {&k->s.mu, c},  {&k->L, nb * nb},
              {&k->X, nb * m},  {&k->y, nb},    {&k->jacobi, nb}, {&k->P, m},     {&k->trial, m},
              {&k->xi, m},      {&k->F, m},     {&k->step, m},    {&k->start, m}, {&k->full, n},
              {&k->best, n},    {&k->J, m * m}, {&k->M, l * l},   {&k->q, l},     {&k->z, l},
              {&k->w, l}};
  size_t total = 1;
  for (size_t i = 0; i < sizeof part / sizeof *part; i++) total += part[i].size;
  double *memory = k->memory = calloc(total, sizeof *memory);
  k->doubles = total;
  k->order = calloc(nb + 1, sizeof *k->order);
  k->lemke = hk_lemke_work_create(k->lcp_rows);
  if (!memory || !k->order || !k->lemke) return false;
  for (size_t i = 0; i < sizeof part / sizeof *part; i++)
    *part[i].at = memory, memory += part[i].size;
  return true;
}

hk_contact_work *hk_contact_work_create(int dim, int max_contacts, int max_bilateral, int facets) {
  if ((dim != 2 && dim != 3) || max_contacts < 0 || max_bilateral < 0 || facets < 0) return NULL;
  hk_contact_work *k = calloc(1, sizeof *k);
  if (!k) return NULL;
  k->dim = dim, k->max_contacts = max_contacts, k->max_bilateral = max_bilateral;
  k->facets = dim == 2 ? 2 : facets < 3 ? HK_CONTACT_FACETS : facets;
  k->lcp_rows = largest_lcp(dim, max_contacts, k->facets);
  if (lay_out(k)) return k;
  hk_contact_work_free(k);
  return NULL;
}

void hk_contact_work_poison(hk_contact_work *k) {
  for (size_t i = 0; i < k->doubles; i++) k->memory[i] = NAN;
}

void hk_contact_work_free(hk_contact_work *k) {
  if (!k) return;
  free(k->memory), free(k->order);
  hk_lemke_work_free(k->lemke);
  free(k);
}
